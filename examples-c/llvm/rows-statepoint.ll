; Fills an array of references through a pointer that walks inside of it, while every step allocates: the pointer is
; derived from the array, and moves with it.

@node_info = external global i8
@array_info = external global i8

declare ptr addrspace(1) @barrow_gc_alloc(ptr, i64)
declare void @barrow_gc_write(ptr, ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare void @barrow_gc_set_header(ptr addrspace(1), ptr)
declare void @barrow_gc_set(ptr addrspace(1), i64, ptr addrspace(1))
declare void @barrow_gc_set_word(ptr addrspace(1), i64, i64)
declare ptr addrspace(1) @barrow_gc_get(ptr addrspace(1), i64)
declare i64 @barrow_gc_get_word(ptr addrspace(1), i64)
declare ptr addrspace(1) @barrow_gc_at(ptr addrspace(1), i64)

; An array of 100 references, all null.
define ptr addrspace(1) @array(ptr %m) #0 gc "statepoint-example" {
entry:
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 102)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @array_info)
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 1, i64 100)
  br label %loop
loop:
  %i = phi i64 [ 2, %entry ], [ %next, %loop ]
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 %i, ptr addrspace(1) null)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 102
  br i1 %again, label %loop, label %done
done:
  ret ptr addrspace(1) %new
}

; What moves has no address to compare with, so a count ends the loop.
define void @fill(ptr %m, ptr addrspace(1) %array, i64 %base) #2 gc "statepoint-example" {
entry:
  %start = call ptr addrspace(1) @barrow_gc_at(ptr addrspace(1) %array, i64 2)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %slot = phi ptr addrspace(1) [ %start, %entry ], [ %slot.next, %loop ]
  %odd = and i64 %i, 1
  %new = call ptr addrspace(1) @barrow_gc_alloc(ptr %m, i64 4)
  call void @barrow_gc_set_header(ptr addrspace(1) %new, ptr @node_info)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 1, ptr addrspace(1) null)
  call void @barrow_gc_set(ptr addrspace(1) %new, i64 2, ptr addrspace(1) null)
  %value = add i64 %base, %i
  call void @barrow_gc_set_word(ptr addrspace(1) %new, i64 3, i64 %value)
  call void @barrow_gc_write(ptr %m, ptr addrspace(1) %array, ptr addrspace(1) %slot, ptr addrspace(1) %new)
  %slot.next = call ptr addrspace(1) @barrow_gc_at(ptr addrspace(1) %slot, i64 1)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 100
  br i1 %again, label %loop, label %done
done:
  ret void
}

define i64 @program(ptr %m, i64 %base, i64 %rounds, i64 %unused) #0 gc "statepoint-example" {
entry:
  %array = call ptr addrspace(1) @array(ptr %m)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @fill(ptr %m, ptr addrspace(1) %array, i64 %base)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %sum
sum:
  %n = phi i64 [ 2, %loop ], [ %n.next, %sum ]
  %total = phi i64 [ 0, %loop ], [ %total.next, %sum ]
  %node = call ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) %array, i64 %n)
  %value = call i64 @barrow_gc_get_word(ptr addrspace(1) %node, i64 3)
  %total.next = add i64 %total, %value
  %n.next = add i64 %n, 1
  %more = icmp ult i64 %n.next, 102
  br i1 %more, label %sum, label %end
end:
  ret i64 %total.next
}

attributes #0 = { "frame-pointer"="all" }
attributes #2 = { noinline "frame-pointer"="all" }
