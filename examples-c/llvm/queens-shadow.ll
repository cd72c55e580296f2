; The queens on a board of N columns, with LLVM's shadow-stack strategy: boards are persistent lists, and all solutions are kept in a list.

@node_info = external global i8

declare ptr @barrow_alloc(ptr, i64)
declare void @barrow_set_header(ptr, ptr)
declare void @barrow_set(ptr, i64, ptr)
declare void @barrow_set_word(ptr, i64, i64)
declare ptr @barrow_get(ptr, i64)
declare i64 @barrow_get_word(ptr, i64)

declare void @llvm.gcroot(ptr, ptr)

define ptr @cons(ptr %m, ptr %rest, ptr %first, i64 %number) gc "shadow-stack" {
  %rest.root = alloca ptr
  %first.root = alloca ptr
  call void @llvm.gcroot(ptr %rest.root, ptr null)
  call void @llvm.gcroot(ptr %first.root, ptr null)
  store ptr %rest, ptr %rest.root
  store ptr %first, ptr %first.root
  %new = call ptr @barrow_alloc(ptr %m, i64 4)
  call void @barrow_set_header(ptr %new, ptr @node_info)
  %rest.now = load ptr, ptr %rest.root
  %first.now = load ptr, ptr %first.root
  call void @barrow_set(ptr %new, i64 1, ptr %rest.now)
  call void @barrow_set(ptr %new, i64 2, ptr %first.now)
  call void @barrow_set_word(ptr %new, i64 3, i64 %number)
  ret ptr %new
}

define i1 @safe(ptr %board, i64 %column) {
entry:
  br label %loop
loop:
  %queen = phi ptr [ %board, %entry ], [ %rest, %far ]
  %distance = phi i64 [ 1, %entry ], [ %next, %far ]
  %end = icmp eq ptr %queen, null
  br i1 %end, label %yes, label %look
look:
  %at = call i64 @barrow_get_word(ptr %queen, i64 3)
  %same = icmp eq i64 %at, %column
  %up = add i64 %at, %distance
  %down = sub i64 %at, %distance
  %is.up = icmp eq i64 %up, %column
  %is.down = icmp eq i64 %down, %column
  %slant = or i1 %is.up, %is.down
  %hit = or i1 %same, %slant
  br i1 %hit, label %no, label %far
far:
  %rest = call ptr @barrow_get(ptr %queen, i64 1)
  %next = add i64 %distance, 1
  br label %loop
yes:
  ret i1 true
no:
  ret i1 false
}

define ptr @solve(ptr %m, i64 %n, i64 %row, ptr %board, ptr %found) gc "shadow-stack" {
entry:
  %board.root = alloca ptr
  %found.root = alloca ptr
  call void @llvm.gcroot(ptr %board.root, ptr null)
  call void @llvm.gcroot(ptr %found.root, ptr null)
  store ptr %board, ptr %board.root
  store ptr %found, ptr %found.root
  %full = icmp eq i64 %row, %n
  br i1 %full, label %solution, label %loop
solution:
  %with = call ptr @cons(ptr %m, ptr %found, ptr %board, i64 0)
  ret ptr %with
loop:
  %column = phi i64 [ 0, %entry ], [ %next, %step ]
  %board.here = load ptr, ptr %board.root
  %fits = call i1 @safe(ptr %board.here, i64 %column)
  br i1 %fits, label %place, label %step
place:
  %placed = call ptr @cons(ptr %m, ptr %board.here, ptr null, i64 %column)
  %below = add i64 %row, 1
  %so.far = load ptr, ptr %found.root
  %more = call ptr @solve(ptr %m, i64 %n, i64 %below, ptr %placed, ptr %so.far)
  store ptr %more, ptr %found.root
  br label %step
step:
  %next = add i64 %column, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  %after = load ptr, ptr %found.root
  ret ptr %after
}

; A number that depends on every queen of every solution.
define i64 @digest(ptr %found) {
entry:
  br label %each
each:
  %cell = phi ptr [ %found, %entry ], [ %cell.next, %board.end ]
  %sum = phi i64 [ 0, %entry ], [ %sum.in, %board.end ]
  %end = icmp eq ptr %cell, null
  br i1 %end, label %done, label %board.begin
board.begin:
  %first = call ptr @barrow_get(ptr %cell, i64 2)
  br label %queens
queens:
  %queen = phi ptr [ %first, %board.begin ], [ %queen.next, %one ]
  %sum.in = phi i64 [ %sum, %board.begin ], [ %sum.new, %one ]
  %last = icmp eq ptr %queen, null
  br i1 %last, label %board.end, label %one
one:
  %at = call i64 @barrow_get_word(ptr %queen, i64 3)
  %times = mul i64 %sum.in, 31
  %sum.new = add i64 %times, %at
  %queen.next = call ptr @barrow_get(ptr %queen, i64 1)
  br label %queens
board.end:
  %cell.next = call ptr @barrow_get(ptr %cell, i64 1)
  br label %each
done:
  ret i64 %sum
}

define i64 @program(ptr %m, i64 %n, i64 %rounds, i64 %unused) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %found = call ptr @solve(ptr %m, i64 %n, i64 0, ptr null, ptr null)
  %digest = call i64 @digest(ptr %found)
  %more = add i64 %sum, %digest
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}
