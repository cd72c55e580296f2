; The queens on a board of N columns, with statepoints: boards are persistent lists, and all solutions are kept in a list.

@node_info = external global i8

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare ptr addrspace(1) @barrow_gc_get(ptr addrspace(1), i64)
declare i64 @barrow_gc_get_word(ptr addrspace(1), i64)

define ptr addrspace(1) @cons(ptr %m, ptr addrspace(1) %rest, ptr addrspace(1) %first, i64 %number) #0 gc "statepoint-example" {
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) %rest)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) %first)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %number)
  ret ptr addrspace(1) %new
}

define i1 @safe(ptr addrspace(1) %board, i64 %column) #1 gc "statepoint-example" {
entry:
  br label %loop
loop:
  %queen = phi ptr addrspace(1) [ %board, %entry ], [ %rest, %far ]
  %distance = phi i64 [ 1, %entry ], [ %next, %far ]
  %end = icmp eq ptr addrspace(1) %queen, null
  br i1 %end, label %yes, label %look
look:
  %at = call i64 @barrow_gc_get_word(ptr addrspace(1) %queen, i64 3)
  %same = icmp eq i64 %at, %column
  %up = add i64 %at, %distance
  %down = sub i64 %at, %distance
  %is.up = icmp eq i64 %up, %column
  %is.down = icmp eq i64 %down, %column
  %slant = or i1 %is.up, %is.down
  %hit = or i1 %same, %slant
  br i1 %hit, label %no, label %far
far:
  %rest = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %queen, i64 1)
  %next = add i64 %distance, 1
  br label %loop
yes:
  ret i1 true
no:
  ret i1 false
}

define ptr addrspace(1) @solve(ptr %m, i64 %n, i64 %row, ptr addrspace(1) %board, ptr addrspace(1) %found) #0 gc "statepoint-example" {
entry:
  %full = icmp eq i64 %row, %n
  br i1 %full, label %solution, label %loop
solution:
  %with = call ptr addrspace(1) @cons(ptr %m, ptr addrspace(1) %found, ptr addrspace(1) %board, i64 0)
  ret ptr addrspace(1) %with
loop:
  %column = phi i64 [ 0, %entry ], [ %next, %step ]
  %so.far = phi ptr addrspace(1) [ %found, %entry ], [ %after, %step ]
  %fits = call i1 @safe(ptr addrspace(1) %board, i64 %column)
  br i1 %fits, label %place, label %step
place:
  %placed = call ptr addrspace(1) @cons(ptr %m, ptr addrspace(1) %board, ptr addrspace(1) null, i64 %column)
  %below = add i64 %row, 1
  %more = call ptr addrspace(1) @solve(ptr %m, i64 %n, i64 %below, ptr addrspace(1) %placed, ptr addrspace(1) %so.far)
  br label %step
step:
  %after = phi ptr addrspace(1) [ %so.far, %loop ], [ %more, %place ]
  %next = add i64 %column, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret ptr addrspace(1) %after
}

; A number that depends on every queen of every solution.
define i64 @digest(ptr addrspace(1) %found) #1 gc "statepoint-example" {
entry:
  br label %each
each:
  %cell = phi ptr addrspace(1) [ %found, %entry ], [ %cell.next, %board.end ]
  %sum = phi i64 [ 0, %entry ], [ %sum.in, %board.end ]
  %end = icmp eq ptr addrspace(1) %cell, null
  br i1 %end, label %done, label %board.begin
board.begin:
  %first = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %cell, i64 2)
  br label %queens
queens:
  %queen = phi ptr addrspace(1) [ %first, %board.begin ], [ %queen.next, %one ]
  %sum.in = phi i64 [ %sum, %board.begin ], [ %sum.new, %one ]
  %last = icmp eq ptr addrspace(1) %queen, null
  br i1 %last, label %board.end, label %one
one:
  %at = call i64 @barrow_gc_get_word(ptr addrspace(1) %queen, i64 3)
  %times = mul i64 %sum.in, 31
  %sum.new = add i64 %times, %at
  %queen.next = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %queen, i64 1)
  br label %queens
board.end:
  %cell.next = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %cell, i64 1)
  br label %each
done:
  ret i64 %sum
}

define i64 @program(ptr %m, i64 %n, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %found = call ptr addrspace(1) @solve(ptr %m, i64 %n, i64 0, ptr addrspace(1) null, ptr addrspace(1) null)
  %digest = call i64 @digest(ptr addrspace(1) %found)
  %more = add i64 %sum, %digest
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}

attributes #0 = { "frame-pointer"="all" }
attributes #1 = { "frame-pointer"="all" "gc-leaf-function" }
