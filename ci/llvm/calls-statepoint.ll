; Calls of every kind: into C that allocates and calls compiled code again, through a pointer, with arguments on the
; stack, in another object file, and recursion on both sides. References stay alive across all of them.

@node_info = external global i8
@outside = external global ptr

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare i64 @barrow_gc_get_word(ptr addrspace(1), i64)
declare ptr addrspace(1) @barrow_gc_get(ptr addrspace(1), i64)
declare i64 @barrow_gc_call(ptr, ptr, i64, i64)
declare i1 @barrow_gc_reserve(ptr, i64)
declare ptr addrspace(1) @barrow_gc_bump(ptr, i64)
declare ptr addrspace(1) @elsewhere(ptr, ptr addrspace(1), i64)

define ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %next, i64 %value) #2 gc "statepoint-example" {
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) %next)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %value)
  ret ptr addrspace(1) %new
}

; Two objects with one check.
define ptr addrspace(1) @two(ptr %m, ptr addrspace(1) %next, i64 %value) #2 gc "statepoint-example" {
  %there = call i1 @barrow_gc_reserve(ptr %m, i64 8)
  %a = call ptr addrspace(1) @barrow_gc_bump(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %a, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %a, i64 1, ptr addrspace(1) %next)
  call void @barrow_gc_set(ptr addrspace(1) %a, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %a, i64 3, i64 %value)
  %b = call ptr addrspace(1) @barrow_gc_bump(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %b, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %b, i64 1, ptr addrspace(1) %a)
  call void @barrow_gc_set(ptr addrspace(1) %b, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %b, i64 3, i64 %value)
  %c = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %b, i64 %value)
  ret ptr addrspace(1) %c
}

define i64 @sum(ptr addrspace(1) %list) #1 gc "statepoint-example" {
entry:
  br label %loop
loop:
  %cell = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %more ]
  %end = icmp eq ptr addrspace(1) %cell, null
  br i1 %end, label %done, label %more
more:
  %value = call i64 @barrow_gc_get_word(ptr addrspace(1) %cell, i64 3)
  %sum.next = add i64 %sum, %value
  %next = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %cell, i64 1)
  br label %loop
done:
  ret i64 %sum
}

; The last arguments come on the stack.
define ptr addrspace(1) @many(ptr %m, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %f) #2 gc "statepoint-example" {
  %first = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %p, i64 %e)
  %second = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %first, i64 %f)
  %sum = call i64 @sum(ptr addrspace(1) %q)
  %third = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %second, i64 %sum)
  %sum.now = call i64 @sum(ptr addrspace(1) %q)
  %last = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) %third, i64 %sum.now)
  ret ptr addrspace(1) %last
}

; Called by C with the depth that is left.
define i64 @program(ptr %m, i64 %depth, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  %mine = call ptr addrspace(1) @box(ptr %m, ptr addrspace(1) null, i64 %depth)
  %leaf = icmp eq i64 %depth, 0
  br i1 %leaf, label %here, label %deeper
deeper:
  %function = load ptr, ptr @outside
  %less = sub i64 %depth, 1
  %below = call i64 @barrow_gc_call(ptr %m, ptr %function, i64 %less, i64 %rounds)
  br label %here
here:
  %got = phi i64 [ 0, %entry ], [ %below, %deeper ]
  %list = call ptr addrspace(1) @two(ptr %m, ptr addrspace(1) %mine, i64 %got)
  %more = call ptr addrspace(1) @many(ptr %m, i64 1, i64 2, i64 3, i64 4, i64 5, ptr addrspace(1) %list, ptr addrspace(1) %mine, i64 6)
  %all = call ptr addrspace(1) @elsewhere(ptr %m, ptr addrspace(1) %more, i64 7)
  %sum = call i64 @sum(ptr addrspace(1) %all)
  %own = call i64 @sum(ptr addrspace(1) %mine)
  %result = add i64 %sum, %own
  ret i64 %result
}

attributes #0 = { "frame-pointer"="all" }
attributes #1 = { "frame-pointer"="all" "gc-leaf-function" }
attributes #2 = { noinline "frame-pointer"="all" }
