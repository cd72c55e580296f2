; The inline forms that the examples do not need. The result says which of them did what it should.

@node_info = external global i8
@array_info = external global i8

declare i1 @barrow_reserve(ptr, i64)
declare ptr @barrow_bump(ptr, i64)
declare ptr @barrow_try_alloc(ptr, i64)
declare ptr @barrow_alloc(ptr, i64)
declare i64 @barrow_array_words(i64)
declare ptr @barrow_array_init(ptr, ptr, i64)
declare i64 @barrow_array_length(ptr)
declare ptr @barrow_array_elements(ptr)
declare void @barrow_write(ptr, ptr, ptr, ptr)
declare i1 @barrow_cas(ptr, ptr, ptr, ptr, ptr)
declare i1 @barrow_wanted(ptr)
declare void @barrow_tick(ptr, i64)
declare void @barrow_tick_shared(ptr, i64)
declare void @barrow_set_header(ptr, ptr)
declare ptr @barrow_info_of(ptr)
declare void @barrow_set(ptr, i64, ptr)
declare ptr @barrow_get(ptr, i64)
declare void @barrow_set_word(ptr, i64, i64)
declare i64 @barrow_get_word(ptr, i64)
declare void @barrow_frame_push(ptr, ptr, i64)
declare void @barrow_frame_pop(ptr, ptr)
declare i32 @barrow_collect(ptr, i1)

define i64 @program(ptr %m, i64 %n, i64 %rounds, i64 %unused) {
entry:
  %frame = alloca i8, i64 32, align 8
  call void @barrow_set(ptr %frame, i64 2, ptr null)
  call void @barrow_set(ptr %frame, i64 3, ptr null)
  %ticks.at = alloca i8, i64 32, align 8
  call void @barrow_set_word(ptr %ticks.at, i64 1, i64 0)
  call void @barrow_frame_push(ptr %m, ptr %frame, i64 2)
  %words = call i64 @barrow_array_words(i64 200)
  %space = call ptr @barrow_alloc(ptr %m, i64 %words)
  %array.new = call ptr @barrow_array_init(ptr %space, ptr @array_info, i64 200)
  call void @barrow_set(ptr %frame, i64 2, ptr %array.new)
  ; Grown old, it needs the barrier.
  %ok.1 = call i32 @barrow_collect(ptr %m, i1 zeroext true)
  %ok.2 = call i32 @barrow_collect(ptr %m, i1 zeroext true)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %good = phi i64 [ 0, %entry ], [ %good.all, %loop ]
  %reserved = call i1 @barrow_reserve(ptr %m, i64 8)
  %a = call ptr @barrow_bump(ptr %m, i64 4)
  call void @barrow_set_header(ptr %a, ptr @node_info)
  call void @barrow_set(ptr %a, i64 1, ptr null)
  call void @barrow_set(ptr %a, i64 2, ptr null)
  call void @barrow_set_word(ptr %a, i64 3, i64 %i)
  %b = call ptr @barrow_bump(ptr %m, i64 4)
  call void @barrow_set_header(ptr %b, ptr @node_info)
  call void @barrow_set(ptr %b, i64 1, ptr null)
  call void @barrow_set(ptr %b, i64 2, ptr null)
  call void @barrow_set_word(ptr %b, i64 3, i64 7)
  %array = call ptr @barrow_get(ptr %frame, i64 2)
  %elements = call ptr @barrow_array_elements(ptr %array)
  call void @barrow_write(ptr %m, ptr %array, ptr %elements, ptr %a)
  %swapped = call i1 @barrow_cas(ptr %m, ptr %array, ptr %elements, ptr %a, ptr %b)
  %not = call i1 @barrow_cas(ptr %m, ptr %array, ptr %elements, ptr %a, ptr %a)
  call void @barrow_tick(ptr %ticks.at, i64 1)
  call void @barrow_tick_shared(ptr %ticks.at, i64 1)
  %ok.3 = call i32 @barrow_collect(ptr %m, i1 zeroext false)
  %array.now = call ptr @barrow_get(ptr %frame, i64 2)
  %length = call i64 @barrow_array_length(ptr %array.now)
  %b.now = call ptr @barrow_get(ptr %array.now, i64 2)
  %seven = call i64 @barrow_get_word(ptr %b.now, i64 3)
  %info = call ptr @barrow_info_of(ptr %b.now)
  %is.info = icmp eq ptr %info, @node_info
  %is.length = icmp eq i64 %length, 200
  %is.seven = icmp eq i64 %seven, 7
  %wanted = call i1 @barrow_wanted(ptr %m)
  %and.1 = and i1 %is.info, %is.length
  %and.2 = and i1 %is.seven, %swapped
  %and.3 = and i1 %and.1, %and.2
  %and.4 = xor i1 %not, true
  %and.5 = xor i1 %wanted, true
  %and.6 = and i1 %and.4, %and.5
  %and.7 = and i1 %and.6, %and.3
  %and.8 = and i1 %and.7, %reserved
  %one = zext i1 %and.8 to i64
  %good.all = add i64 %good, %one
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %loop, label %end
end:
  call void @barrow_frame_pop(ptr %m, ptr %frame)
  %ticks = call i64 @barrow_get_word(ptr %ticks.at, i64 1)
  %result = add i64 %good.all, %ticks
  ret i64 %result
}
