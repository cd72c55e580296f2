; Binary trees with statepoints: LLVM writes down where references are, and the program says nothing about roots.
; References are pointers in address space 1, and live in SSA values only. The forms are in barrow/inline-gc.ll.

@node_info = external global i8

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare ptr addrspace(1) @barrow_gc_get(ptr addrspace(1), i64)

define ptr addrspace(1) @make(ptr %m, i64 %depth) #0 gc "statepoint-example" {
entry:
  %leaf = icmp eq i64 %depth, 0
  br i1 %leaf, label %node, label %grow
grow:
  %less = sub i64 %depth, 1
  %left = call ptr addrspace(1) @make(ptr %m, i64 %less)
  %right = call ptr addrspace(1) @make(ptr %m, i64 %less)
  br label %node
node:
  %l = phi ptr addrspace(1) [ null, %entry ], [ %left, %grow ]
  %r = phi ptr addrspace(1) [ null, %entry ], [ %right, %grow ]
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) %l)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) %r)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %depth)
  ret ptr addrspace(1) %new
}

; Never allocates: a call of it is no statepoint.
define i64 @count(ptr addrspace(1) %tree) #1 gc "statepoint-example" {
entry:
  %empty = icmp eq ptr addrspace(1) %tree, null
  br i1 %empty, label %none, label %some
some:
  %l = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %tree, i64 1)
  %r = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %tree, i64 2)
  %a = call i64 @count(ptr addrspace(1) %l)
  %b = call i64 @count(ptr addrspace(1) %r)
  %ab = add i64 %a, %b
  %all = add i64 %ab, 1
  ret i64 %all
none:
  ret i64 0
}

; One tree stays, others come and go.
define i64 @program(ptr %m, i64 %depth, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  %kept = call ptr addrspace(1) @make(ptr %m, i64 %depth)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %tree = call ptr addrspace(1) @make(ptr %m, i64 %depth)
  %nodes = call i64 @count(ptr addrspace(1) %tree)
  %more = add i64 %sum, %nodes
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  %last = call i64 @count(ptr addrspace(1) %kept)
  %result = add i64 %more, %last
  ret i64 %result
}

attributes #0 = { "frame-pointer"="all" }
attributes #1 = { "frame-pointer"="all" "gc-leaf-function" }
