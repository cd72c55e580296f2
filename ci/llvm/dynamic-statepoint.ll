; A frame whose size is known at run time only: its maps are refused.

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @fill(ptr, i64) "gc-leaf-function"

define i64 @program(ptr %m, i64 %n, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
  %some = alloca i64, i64 %n
  call void @fill(ptr %some, i64 %n)
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @fill(ptr %some, i64 %n)
  ret i64 0
}

attributes #0 = { "frame-pointer"="all" }
