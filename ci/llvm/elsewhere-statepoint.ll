; The other object file of calls-statepoint.ll.

@node_info = external global i8

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)

define ptr addrspace(1) @elsewhere(ptr %m, ptr addrspace(1) %next, i64 %value) #0 gc "statepoint-example" {
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) %next)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %value)
  ret ptr addrspace(1) %new
}

attributes #0 = { "frame-pointer"="all" }
