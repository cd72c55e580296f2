Barrow space profile
4247688 bytes used for profiling
1 collections
functions profiled : 2
---
       alloc      copied  name
       36800       32000  total profiled
       32000       32000  toy_list
                       0       32000
          gen            records       pairs    closures     strings      arrays  bytearrays        code  weakarrays       total
           0     no         1000           0           0           0           0           0           0           0        1000
               size        32000           0           0           0           0           0           0           0       32000
           overhead         8000           0           0           0           0           0           0           0        8000
           1     no            0           0           0           0           0           0           0           0           0
               size            0           0           0           0           0           0           0           0           0
           overhead            0           0           0           0           0           0           0           0           0
           2     no         1000           0           0           0           0           0           0           0        1000
               size        32000           0           0           0           0           0           0           0       32000
           overhead         8000           0           0           0           0           0           0           0        8000
        4800           0  make_bytes
                       0           0
          gen            records       pairs    closures     strings      arrays  bytearrays        code  weakarrays       total
           0     no            0           0           0           0           0         100           0           0         100
               size            0           0           0           0           0        4800           0           0        4800
           overhead            0           0           0           0           0        1800           0           0        1800
           1     no            0           0           0           0           0           0           0           0           0
               size            0           0           0           0           0           0           0           0           0
           overhead            0           0           0           0           0           0           0           0           0
           2     no            0           0           0           0           0           0           0           0           0
               size            0           0           0           0           0           0           0           0           0
           overhead            0           0           0           0           0           0           0           0           0
