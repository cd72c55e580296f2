; Binary trees with Barrow's own frames: a function puts what it needs after a call into roots of its frame, and reads it
; again from there. The forms are in barrow/inline.ll.

@node_info = external global i8

declare ptr @barrow_alloc(ptr, i64)
declare void @barrow_set_header(ptr, ptr)
declare void @barrow_set(ptr, i64, ptr)
declare void @barrow_set_word(ptr, i64, i64)
declare ptr @barrow_get(ptr, i64)
declare void @barrow_frame_push(ptr, ptr, i64)
declare void @barrow_frame_pop(ptr, ptr)

define ptr @make(ptr %m, i64 %depth) {
entry:
  ; The frame's own two words, and two roots from word 2 on.
  %frame = alloca i8, i64 32, align 8
  call void @barrow_set(ptr %frame, i64 2, ptr null)
  call void @barrow_set(ptr %frame, i64 3, ptr null)
  call void @barrow_frame_push(ptr %m, ptr %frame, i64 2)
  %leaf = icmp eq i64 %depth, 0
  br i1 %leaf, label %node, label %grow
grow:
  %less = sub i64 %depth, 1
  %left = call ptr @make(ptr %m, i64 %less)
  call void @barrow_set(ptr %frame, i64 2, ptr %left)
  %right = call ptr @make(ptr %m, i64 %less)
  call void @barrow_set(ptr %frame, i64 3, ptr %right)
  br label %node
node:
  %new = call ptr @barrow_alloc(ptr %m, i64 4)
  call void @barrow_set_header(ptr %new, ptr @node_info)
  %l = call ptr @barrow_get(ptr %frame, i64 2)
  %r = call ptr @barrow_get(ptr %frame, i64 3)
  call void @barrow_set(ptr %new, i64 1, ptr %l)
  call void @barrow_set(ptr %new, i64 2, ptr %r)
  call void @barrow_set_word(ptr %new, i64 3, i64 %depth)
  call void @barrow_frame_pop(ptr %m, ptr %frame)
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

define i64 @program(ptr %m, i64 %depth, i64 %rounds, i64 %unused) {
entry:
  %frame = alloca i8, i64 24, align 8
  call void @barrow_set(ptr %frame, i64 2, ptr null)
  call void @barrow_frame_push(ptr %m, ptr %frame, i64 1)
  %made = call ptr @make(ptr %m, i64 %depth)
  call void @barrow_set(ptr %frame, i64 2, ptr %made)
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
  %kept = call ptr @barrow_get(ptr %frame, i64 2)
  %last = call i64 @count(ptr %kept)
  %result = add i64 %more, %last
  call void @barrow_frame_pop(ptr %m, ptr %frame)
  ret i64 %result
}
