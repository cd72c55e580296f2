; What each of several threads runs on one heap: nodes that it puts on a list of all by compare-and-swap, thunks that all
; share, and calls of C that leave for foreign code or wait for a blackhole. References stay alive across all of these.

@node_info = external global i8
@rests = external global ptr
@waits = external global ptr

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare i64 @barrow_gc_get_word(ptr addrspace(1), i64)
declare ptr addrspace(1) @barrow_gc_get(ptr addrspace(1), i64)
declare ptr addrspace(1) @barrow_gc_get_published(ptr addrspace(1), i64)
declare i64 @barrow_gc_get_word_published(ptr addrspace(1), i64)
declare ptr addrspace(1) @barrow_gc_at(ptr addrspace(1), i64)
declare i1 @barrow_gc_cas(ptr, ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare ptr @barrow_gc_info_now(ptr addrspace(1))
declare ptr addrspace(1) @barrow_gc_indirectee(ptr addrspace(1))
declare i1 @barrow_gc_claim(ptr, ptr addrspace(1))
declare i32 @barrow_gc_update(ptr, ptr addrspace(1), ptr addrspace(1))
declare void @barrow_gc_poll(ptr)
; References go to C and come back as such.
declare ptr addrspace(1) @barrow_gc_call(ptr, ptr, ptr addrspace(1), i64)
; C that collects nothing.
declare ptr addrspace(1) @cell() "gc-leaf-function"
declare i64 @state(ptr) "gc-leaf-function"
declare void @evaluated() "gc-leaf-function"

define ptr addrspace(1) @node(ptr %m, i64 %value) #1 gc "statepoint-example" {
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) null)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) null)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %value)
  ret ptr addrspace(1) %new
}

; The value of a thunk, which has the number that is its value in its field.
define ptr addrspace(1) @value(ptr %m, ptr addrspace(1) %given) #1 gc "statepoint-example" {
entry:
  br label %look
look:
  %x = phi ptr addrspace(1) [ %given, %entry ], [ %to, %indirection ], [ %x, %thunk ], [ %back, %blackhole ]
  %info = call ptr @barrow_gc_info_now(ptr addrspace(1) %x)
  %state = call i64 @state(ptr %info)
  switch i64 %state, label %done [ i64 1, label %indirection
                                   i64 2, label %thunk
                                   i64 3, label %blackhole ]
indirection:
  %to = call ptr addrspace(1) @barrow_gc_indirectee(ptr addrspace(1) %x)
  br label %look
thunk:
  %mine = call i1 @barrow_gc_claim(ptr %m, ptr addrspace(1) %x)
  br i1 %mine, label %evaluate, label %look
evaluate:
  %number = call i64 @barrow_gc_get_word(ptr addrspace(1) %x, i64 2)
  call void @evaluated()
  %made = call ptr addrspace(1) @node(ptr %m, i64 %number)
  %status = call i32 @barrow_gc_update(ptr %m, ptr addrspace(1) %x, ptr addrspace(1) %made)
  ret ptr addrspace(1) %made
blackhole:
  %function = load ptr, ptr @waits
  %back = call ptr addrspace(1) @barrow_gc_call(ptr %m, ptr %function, ptr addrspace(1) %x, i64 0)
  br label %look
done:
  ret ptr addrspace(1) %x
}

; Puts as many nodes on the list as there are rounds. Gives the sum of the thunks' values.
define i64 @program(ptr %m, i64 %number, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %next ]
  %new = call ptr addrspace(1) @node(ptr %m, i64 %number)
  br label %push
push:
  %cell = call ptr addrspace(1) @cell()
  %top = call ptr addrspace(1) @barrow_gc_get_published(ptr addrspace(1) %cell, i64 1)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) %top)
  %field = call ptr addrspace(1) @barrow_gc_at(ptr addrspace(1) %cell, i64 1)
  %there = call i1 @barrow_gc_cas(ptr %m, ptr addrspace(1) %cell, ptr addrspace(1) %field, ptr addrspace(1) %top, ptr addrspace(1) %new)
  br i1 %there, label %force, label %push
force:
  %list = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %cell, i64 2)
  br label %thunks
thunks:
  %at = phi ptr addrspace(1) [ %list, %force ], [ %rest, %one ]
  %sum.now = phi i64 [ %sum, %force ], [ %sum.more, %one ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %rests.or.not, label %one
one:
  %thunk = call ptr addrspace(1) @barrow_gc_get_published(ptr addrspace(1) %at, i64 2)
  %value = call ptr addrspace(1) @value(ptr %m, ptr addrspace(1) %thunk)
  %got = call i64 @barrow_gc_get_word_published(ptr addrspace(1) %value, i64 3)
  %sum.more = add i64 %sum.now, %got
  %rest = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %at, i64 1)
  br label %thunks
rests.or.not:
  %turn = and i64 %i, 63
  %rest.now = icmp eq i64 %turn, 63
  br i1 %rest.now, label %away, label %next
away:
  %function = load ptr, ptr @rests
  %same = call ptr addrspace(1) @barrow_gc_call(ptr %m, ptr %function, ptr addrspace(1) %new, i64 %i)
  %own = call i64 @barrow_gc_get_word(ptr addrspace(1) %same, i64 3)
  %still = call i64 @barrow_gc_get_word(ptr addrspace(1) %new, i64 3)
  %more = sub i64 %own, %still
  br label %next
next:
  %extra = phi i64 [ 0, %rests.or.not ], [ %more, %away ]
  %sum.next = add i64 %sum.now, %extra
  call void @barrow_gc_poll(ptr %m)
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %rounds
  br i1 %again, label %round, label %done
done:
  ret i64 %sum.next
}

attributes #0 = { "frame-pointer"="all" }
attributes #1 = { noinline "frame-pointer"="all" }
