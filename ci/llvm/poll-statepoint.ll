; A loop that allocates nothing, with a reference that it needs afterwards. LLVM puts a call of gc.safepoint_poll into it,
; which this module defines: it asks whether the mutator is wanted, and only then calls.

@node_info = external global i8

declare ptr @the_mutator() "gc-leaf-function"
declare void @ask_for_a_collection() "gc-leaf-function"
declare void @barrow_gc_poll(ptr)
declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare i64 @barrow_gc_get_word(ptr addrspace(1), i64)

define void @gc.safepoint_poll() #0 {
  %m = call ptr @the_mutator()
  call void @barrow_gc_poll(ptr %m)
  ret void
}

define i64 @program(ptr %m, i64 %value, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) null)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %value)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  call void @ask_for_a_collection()
  %got = call i64 @barrow_gc_get_word(ptr addrspace(1) %new, i64 3)
  %more = add i64 %sum, %got
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}

attributes #0 = { "frame-pointer"="all" }
