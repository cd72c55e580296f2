; A mistake: the slow path of code without maps is called, so nobody knows where this function's frame is.

declare ptr addrspace(1) @barrow_alloc_slow(ptr, i64)

define i64 @program(ptr %m, i64 %n, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  br label %loop
loop:
  %new = call ptr addrspace(1) @barrow_alloc_slow(ptr %m, i64 4)
  %none = icmp eq ptr addrspace(1) %new, null
  br i1 %none, label %end, label %loop
end:
  ret i64 0
}

attributes #0 = { "frame-pointer"="all" }
