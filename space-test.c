Barrow space profile
4247688 bytes used for profiling
1 collections
functions profiled : 2
---
       alloc      copied  name
       36800       32000  total profiled
       32000       32000  toy_list
                       0       32000
        4800           0  make_bytes
                       0           0
