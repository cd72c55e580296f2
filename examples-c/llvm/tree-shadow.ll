; Binary trees with LLVM's own shadow-stack strategy: roots are stack slots that llvm.gcroot names, and LLVM links the
; frames into a chain, whose head the program gives to barrow_attach_llvm_frames.

@node_info = external global i8

declare void @llvm.gcroot(ptr, ptr)
declare ptr @barrow_alloc(ptr, i64)
declare void @barrow_set_header(ptr, ptr)
declare void @barrow_set(ptr, i64, ptr)
declare void @barrow_set_word(ptr, i64, i64)
declare ptr @barrow_get(ptr, i64)

define ptr @make(ptr %m, i64 %depth) gc "shadow-stack" {
entry:
  %l.root = alloca ptr
  %r.root = alloca ptr
  call void @llvm.gcroot(ptr %l.root, ptr null)
  call void @llvm.gcroot(ptr %r.root, ptr null)
  %leaf = icmp eq i64 %depth, 0
  br i1 %leaf, label %node, label %grow
grow:
  %less = sub i64 %depth, 1
  %left = call ptr @make(ptr %m, i64 %less)
  store ptr %left, ptr %l.root
  %right = call ptr @make(ptr %m, i64 %less)
  store ptr %right, ptr %r.root
  br label %node
node:
  %new = call ptr @barrow_alloc(ptr %m, i64 4)
  call void @barrow_set_header(ptr %new, ptr @node_info)
  %l = load ptr, ptr %l.root
  %r = load ptr, ptr %r.root
  call void @barrow_set(ptr %new, i64 1, ptr %l)
  call void @barrow_set(ptr %new, i64 2, ptr %r)
  call void @barrow_set_word(ptr %new, i64 3, i64 %depth)
  ret ptr %new
}

define i64 @count(ptr %tree) {
entry:
  %empty = icmp eq ptr %tree, null
  br i1 %empty, label %none, label %some
some:
  %l = call ptr @barrow_get(ptr %tree, i64 1)
  %r = call ptr @barrow_get(ptr %tree, i64 2)
  %a = call i64 @count(ptr %l)
  %b = call i64 @count(ptr %r)
  %ab = add i64 %a, %b
  %all = add i64 %ab, 1
  ret i64 %all
none:
  ret i64 0
}

define i64 @program(ptr %m, i64 %depth, i64 %rounds, i64 %unused) gc "shadow-stack" {
entry:
  %kept.root = alloca ptr
  call void @llvm.gcroot(ptr %kept.root, ptr null)
  %made = call ptr @make(ptr %m, i64 %depth)
  store ptr %made, ptr %kept.root
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %tree = call ptr @make(ptr %m, i64 %depth)
  %nodes = call i64 @count(ptr %tree)
  %more = add i64 %sum, %nodes
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  %kept = load ptr, ptr %kept.root
  %last = call i64 @count(ptr %kept)
  %result = add i64 %more, %last
  ret i64 %result
}
