; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The inline forms, for llvm-link with a program before it is optimised.
; SPDX-License-Identifier: MIT OR Apache-2.0

%struct.barrow_config = type { i32, i32, %struct.barrow_geometry, ptr, i16, i16, i32, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.barrow_geometry = type { i32, i32, i32, i32, i32, i32 }
%struct.barrow_window = type { ptr, ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, ptr, i32, i32, [3 x i64], i16, [3 x i16], i64, i64, ptr, i64, ptr, ptr, [4 x ptr], i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, [3 x i64] }
%struct.barrow_info = type { i16, i16, i32, ptr, i8, i8, i16, i32, i32, i32, i64, ptr, ptr, ptr, ptr }
%struct.barrow_weak = type { i64, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.barrow_stack = type { i64, i64, i64, i64, ptr, i64 }
%struct.barrow_cc = type { i16, i16, i32, ptr, ptr, ptr }
%struct.barrow_ccs = type { [4 x ptr], i32, i32, i32, i32, ptr, i64 }
%struct.barrow_cost = type { i64, i64, i64, [5 x i64] }
%struct.barrow_ticky_function = type { i16, i16, i32, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.barrow_entry_count = type { i64, i64, i64 }
%struct.barrow_frame = type { ptr, i64 }

define linkonce_odr hidden ptr @barrow_window_of(ptr noundef readnone returned %0) #0 {
  ret ptr %0
}

define linkonce_odr hidden void @barrow_config_init(ptr nocapture noundef writeonly %0) #0 {
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(120) %2, i8 0, i64 88, i1 false)
  store i32 120, ptr %0, align 8
  %3 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 1
  store i32 0, ptr %3, align 4
  %4 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2
  store i32 4096, ptr %4, align 8
  %5 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2, i32 1
  store i32 1048576, ptr %5, align 4
  %6 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2, i32 2
  store i32 64, ptr %6, align 8
  %7 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2, i32 3
  store i32 256, ptr %7, align 4
  %8 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2, i32 4
  store i32 4096, ptr %8, align 8
  %9 = getelementptr inbounds %struct.barrow_config, ptr %0, i64 0, i32 2, i32 5
  store i32 128, ptr %9, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

define linkonce_odr hidden ptr @barrow_alloc(ptr noundef %0, i64 noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = icmp ugt i64 %1, 256
  br i1 %4, label %11, label %5, !prof !4

5:
  %6 = getelementptr inbounds i64, ptr %3, i64 %1
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 1
  %8 = load atomic i64, ptr %7 monotonic, align 8
  %9 = inttoptr i64 %8 to ptr
  %10 = icmp ugt ptr %6, %9
  br i1 %10, label %11, label %13, !prof !4

11:
  %12 = tail call ptr @barrow_alloc_slow(ptr noundef nonnull %0, i64 noundef %1)
  br label %14

13:
  store ptr %6, ptr %0, align 8
  br label %14

14:
  %15 = phi ptr [ %12, %11 ], [ %3, %13 ]
  ret ptr %15
}

declare ptr @barrow_alloc_slow(ptr noundef, i64 noundef)

define linkonce_odr hidden ptr @barrow_try_alloc(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = icmp ugt i64 %1, 256
  br i1 %4, label %12, label %5, !prof !4

5:
  %6 = getelementptr inbounds i64, ptr %3, i64 %1
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 1
  %8 = load atomic i64, ptr %7 monotonic, align 8
  %9 = inttoptr i64 %8 to ptr
  %10 = icmp ugt ptr %6, %9
  br i1 %10, label %12, label %11, !prof !4

11:
  store ptr %6, ptr %0, align 8
  br label %12

12:
  %13 = phi ptr [ %3, %11 ], [ null, %5 ], [ null, %2 ]
  ret ptr %13
}

define linkonce_odr hidden zeroext i1 @barrow_reserve(ptr noundef %0, i64 noundef %1) #0 {
  %3 = icmp ult i64 %1, 4097
  br i1 %3, label %4, label %11, !prof !5

4:
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds i64, ptr %5, i64 %1
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 1
  %8 = load atomic i64, ptr %7 monotonic, align 8
  %9 = inttoptr i64 %8 to ptr
  %10 = icmp ugt ptr %6, %9
  br i1 %10, label %11, label %13, !prof !4

11:
  %12 = tail call zeroext i1 @barrow_reserve_slow(ptr noundef %0, i64 noundef %1)
  br label %13

13:
  %14 = phi i1 [ %12, %11 ], [ true, %4 ]
  ret i1 %14
}

declare zeroext i1 @barrow_reserve_slow(ptr noundef, i64 noundef)

define linkonce_odr hidden ptr @barrow_bump(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds i64, ptr %3, i64 %1
  store ptr %4, ptr %0, align 8
  ret ptr %3
}

define linkonce_odr hidden ptr @barrow_info_of(ptr nocapture noundef readonly %0) #0 {
  %2 = load i64, ptr %0, align 8
  %3 = and i64 %2, -8
  %4 = inttoptr i64 %3 to ptr
  ret ptr %4
}

define linkonce_odr hidden void @barrow_set_header(ptr nocapture noundef writeonly %0, ptr noundef %1) #0 {
  %3 = ptrtoint ptr %1 to i64
  store i64 %3, ptr %0, align 8
  ret void
}

define linkonce_odr hidden i64 @barrow_words_(i64 noundef %0, i64 noundef %1) #0 {
  %3 = add i64 %1, %0
  %4 = icmp ult i64 %1, 1152921504606846976
  %5 = select i1 %4, i64 %3, i64 1152921504606846976
  ret i64 %5
}

define linkonce_odr hidden i64 @barrow_array_words(i64 noundef %0) #0 {
  %2 = icmp ugt i64 %0, 1152921504606846975
  br i1 %2, label %10, label %3

3:
  %4 = add nuw nsw i64 %0, 2
  %5 = icmp ult i64 %0, 128
  %6 = add nuw nsw i64 %0, 1023
  %7 = lshr i64 %6, 10
  %8 = select i1 %5, i64 0, i64 %7
  %9 = add nuw nsw i64 %4, %8
  br label %10

10:
  %11 = phi i64 [ %9, %3 ], [ 1152921504606846976, %1 ]
  ret i64 %11
}

define linkonce_odr hidden i64 @barrow_bytes_words(i64 noundef %0) #0 {
  %2 = lshr i64 %0, 3
  %3 = add nuw nsw i64 %2, 2
  %4 = and i64 %0, 7
  %5 = icmp ne i64 %4, 0
  %6 = zext i1 %5 to i64
  %7 = add nuw nsw i64 %3, %6
  ret i64 %7
}

define linkonce_odr hidden i64 @barrow_structs_words(i64 noundef %0, i64 noundef %1) #0 {
  %3 = icmp ult i64 %0, 2199023255552
  %4 = icmp ult i64 %1, 65536
  %5 = and i1 %3, %4
  %6 = mul i64 %1, %0
  %7 = add i64 %6, 2
  %8 = select i1 %5, i64 %7, i64 1152921504606846976
  ret i64 %8
}

define linkonce_odr hidden i64 @barrow_sized_words(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_info, ptr %0, i64 0, i32 7
  %4 = load i32, ptr %3, align 4
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds %struct.barrow_info, ptr %0, i64 0, i32 8
  %7 = load i32, ptr %6, align 8
  %8 = zext i32 %7 to i64
  %9 = add i64 %1, 1
  %10 = add i64 %9, %5
  %11 = add i64 %10, %8
  %12 = icmp ult i64 %1, 1152921504606846976
  %13 = select i1 %12, i64 %11, i64 1152921504606846976
  ret i64 %13
}

define linkonce_odr hidden i64 @barrow_array_length(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 1
  %3 = load i64, ptr %2, align 8
  ret i64 %3
}

define linkonce_odr hidden nonnull ptr @barrow_array_elements(ptr noundef readnone %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 2
  ret ptr %2
}

define linkonce_odr hidden nonnull ptr @barrow_bytes_start(ptr noundef readnone %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 2
  ret ptr %2
}

define linkonce_odr hidden ptr @barrow_array_init(ptr noundef returned writeonly %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = icmp eq ptr %0, null
  br i1 %4, label %21, label %5

5:
  %6 = ptrtoint ptr %1 to i64
  store i64 %6, ptr %0, align 8
  %7 = getelementptr inbounds i64, ptr %0, i64 1
  store i64 %2, ptr %7, align 8
  %8 = getelementptr inbounds i64, ptr %0, i64 2
  %9 = icmp ugt i64 %2, 1152921504606846975
  br i1 %9, label %19, label %10

10:
  %11 = add nuw nsw i64 %2, 2
  %12 = icmp ult i64 %2, 128
  %13 = add nuw nsw i64 %2, 1023
  %14 = lshr i64 %13, 10
  %15 = select i1 %12, i64 0, i64 %14
  %16 = add nuw nsw i64 %11, %15
  %17 = shl nuw i64 %16, 3
  %18 = add i64 %17, -16
  br label %19

19:
  %20 = phi i64 [ %18, %10 ], [ 9223372036854775792, %5 ]
  tail call void @llvm.memset.p0.i64(ptr nonnull align 8 %8, i8 0, i64 %20, i1 false)
  br label %21

21:
  ret ptr %0
}

define linkonce_odr hidden void @barrow_remember_(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %5, %7
  %9 = ptrtoint ptr %1 to i64
  %10 = or i64 %9, %2
  br i1 %8, label %11, label %12, !prof !4

11:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %10)
  br label %14

12:
  %13 = getelementptr inbounds i64, ptr %5, i64 1
  store ptr %13, ptr %4, align 8
  store i64 %10, ptr %5, align 8
  br label %14

14:
  ret void
}

declare void @barrow_remember_slow(ptr noundef, i64 noundef)

define linkonce_odr hidden void @barrow_stored_in_chunks_(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = icmp eq i32 %3, 1
  br i1 %5, label %6, label %7

6:
  tail call void @barrow_wrote_word(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  br label %8

7:
  tail call void @barrow_wrote(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  br label %8

8:
  ret void
}

declare void @barrow_wrote_word(ptr noundef, ptr noundef, ptr noundef)

declare void @barrow_wrote(ptr noundef, ptr noundef, ptr noundef)

define linkonce_odr hidden void @barrow_stored_(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3, i32 noundef %4) #0 {
  %6 = ptrtoint ptr %1 to i64
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %8 = load i64, ptr %7, align 8
  %9 = sub i64 %6, %8
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %11 = load i64, ptr %10, align 8
  %12 = icmp ult i64 %9, %11
  br i1 %12, label %13, label %64, !prof !5

13:
  %14 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %15 = load ptr, ptr %14, align 8
  %16 = lshr i64 %9, 12
  %17 = getelementptr inbounds i8, ptr %15, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = add i8 %18, 63
  %20 = and i8 %19, 56
  %21 = icmp eq i8 %20, 0
  br i1 %21, label %67, label %22, !prof !5

22:
  switch i32 %4, label %39 [
    i32 6, label %23
    i32 1, label %23
  ]

23:
  %24 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 13
  %25 = load i16, ptr %24, align 8
  %26 = zext i16 %25 to i32
  %27 = trunc i64 %3 to i32
  %28 = and i32 %27, 15
  %29 = shl nuw nsw i32 1, %28
  %30 = and i32 %29, %26
  %31 = icmp eq i32 %30, 0
  br i1 %31, label %67, label %32

32:
  %33 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 15
  %34 = load i64, ptr %33, align 8
  %35 = and i64 %34, %3
  %36 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 16
  %37 = load i64, ptr %36, align 8
  %38 = add i64 %35, %37
  br label %41

39:
  %40 = and i64 %3, -8
  br label %41

41:
  %42 = phi i64 [ %38, %32 ], [ %40, %39 ]
  %43 = sub i64 %42, %8
  %44 = icmp ult i64 %43, %11
  br i1 %44, label %45, label %67

45:
  %46 = lshr i64 %43, 12
  %47 = getelementptr inbounds i8, ptr %15, i64 %46
  %48 = load i8, ptr %47, align 1
  %49 = add i8 %48, 63
  %50 = and i8 %49, 56
  %51 = icmp ult i8 %50, %20
  br i1 %51, label %52, label %67

52:
  %53 = zext i32 %4 to i64
  %54 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %55 = load ptr, ptr %54, align 8
  %56 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %57 = load ptr, ptr %56, align 8
  %58 = icmp eq ptr %55, %57
  %59 = ptrtoint ptr %2 to i64
  %60 = or i64 %53, %59
  br i1 %58, label %61, label %62, !prof !4

61:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %60)
  br label %67

62:
  %63 = getelementptr inbounds i64, ptr %55, i64 1
  store ptr %63, ptr %54, align 8
  store i64 %60, ptr %55, align 8
  br label %67

64:
  %65 = icmp eq i64 %11, 0
  br i1 %65, label %66, label %67

66:
  tail call void @barrow_stored_in_chunks_(ptr noundef nonnull %0, ptr noundef %1, ptr noundef %2, i32 noundef %4)
  br label %67

67:
  ret void
}

define linkonce_odr hidden void @barrow_barrier(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = ptrtoint ptr %3 to i64
  %6 = ptrtoint ptr %1 to i64
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %8 = load i64, ptr %7, align 8
  %9 = sub i64 %6, %8
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %11 = load i64, ptr %10, align 8
  %12 = icmp ult i64 %9, %11
  br i1 %12, label %13, label %43, !prof !5

13:
  %14 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %15 = load ptr, ptr %14, align 8
  %16 = lshr i64 %9, 12
  %17 = getelementptr inbounds i8, ptr %15, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = add i8 %18, 63
  %20 = and i8 %19, 56
  %21 = icmp eq i8 %20, 0
  br i1 %21, label %46, label %22, !prof !5

22:
  %23 = and i64 %5, -8
  %24 = sub i64 %23, %8
  %25 = icmp ult i64 %24, %11
  br i1 %25, label %26, label %46

26:
  %27 = lshr i64 %24, 12
  %28 = getelementptr inbounds i8, ptr %15, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = add i8 %29, 63
  %31 = and i8 %30, 56
  %32 = icmp ult i8 %31, %20
  br i1 %32, label %33, label %46

33:
  %34 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %35, %37
  %39 = ptrtoint ptr %2 to i64
  br i1 %38, label %40, label %41, !prof !4

40:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %39)
  br label %46

41:
  %42 = getelementptr inbounds i64, ptr %35, i64 1
  store ptr %42, ptr %34, align 8
  store i64 %39, ptr %35, align 8
  br label %46

43:
  %44 = icmp eq i64 %11, 0
  br i1 %44, label %45, label %46

45:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef %1, ptr noundef %2)
  br label %46

46:
  ret void
}

define linkonce_odr hidden void @barrow_write(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = ptrtoint ptr %3 to i64
  store atomic i64 %5, ptr %2 release, align 8
  %6 = ptrtoint ptr %1 to i64
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %8 = load i64, ptr %7, align 8
  %9 = sub i64 %6, %8
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %11 = load i64, ptr %10, align 8
  %12 = icmp ult i64 %9, %11
  br i1 %12, label %13, label %43, !prof !5

13:
  %14 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %15 = load ptr, ptr %14, align 8
  %16 = lshr i64 %9, 12
  %17 = getelementptr inbounds i8, ptr %15, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = add i8 %18, 63
  %20 = and i8 %19, 56
  %21 = icmp eq i8 %20, 0
  br i1 %21, label %46, label %22, !prof !5

22:
  %23 = and i64 %5, -8
  %24 = sub i64 %23, %8
  %25 = icmp ult i64 %24, %11
  br i1 %25, label %26, label %46

26:
  %27 = lshr i64 %24, 12
  %28 = getelementptr inbounds i8, ptr %15, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = add i8 %29, 63
  %31 = and i8 %30, 56
  %32 = icmp ult i8 %31, %20
  br i1 %32, label %33, label %46

33:
  %34 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %37 = load ptr, ptr %36, align 8
  %38 = icmp eq ptr %35, %37
  %39 = ptrtoint ptr %2 to i64
  br i1 %38, label %40, label %41, !prof !4

40:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %39)
  br label %46

41:
  %42 = getelementptr inbounds i64, ptr %35, i64 1
  store ptr %42, ptr %34, align 8
  store i64 %39, ptr %35, align 8
  br label %46

43:
  %44 = icmp eq i64 %11, 0
  br i1 %44, label %45, label %46

45:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef %1, ptr noundef nonnull %2)
  br label %46

46:
  ret void
}

define linkonce_odr hidden void @barrow_barrier_word(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) #0 {
  tail call void @barrow_stored_(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3, i32 noundef 1)
  ret void
}

define linkonce_odr hidden void @barrow_write_word(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) #0 {
  store atomic i64 %3, ptr %2 release, align 8
  tail call void @barrow_stored_(ptr noundef %0, ptr noundef %1, ptr noundef nonnull %2, i64 noundef %3, i32 noundef 1)
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_cas(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef %4) #0 {
  %6 = ptrtoint ptr %3 to i64
  %7 = ptrtoint ptr %4 to i64
  %8 = cmpxchg ptr %2, i64 %6, i64 %7 acq_rel acquire, align 8
  %9 = extractvalue { i64, i1 } %8, 1
  br i1 %9, label %10, label %51

10:
  %11 = ptrtoint ptr %1 to i64
  %12 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %13 = load i64, ptr %12, align 8
  %14 = sub i64 %11, %13
  %15 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %16 = load i64, ptr %15, align 8
  %17 = icmp ult i64 %14, %16
  br i1 %17, label %18, label %48, !prof !5

18:
  %19 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %20 = load ptr, ptr %19, align 8
  %21 = lshr i64 %14, 12
  %22 = getelementptr inbounds i8, ptr %20, i64 %21
  %23 = load i8, ptr %22, align 1
  %24 = add i8 %23, 63
  %25 = and i8 %24, 56
  %26 = icmp eq i8 %25, 0
  br i1 %26, label %51, label %27, !prof !5

27:
  %28 = and i64 %7, -8
  %29 = sub i64 %28, %13
  %30 = icmp ult i64 %29, %16
  br i1 %30, label %31, label %51

31:
  %32 = lshr i64 %29, 12
  %33 = getelementptr inbounds i8, ptr %20, i64 %32
  %34 = load i8, ptr %33, align 1
  %35 = add i8 %34, 63
  %36 = and i8 %35, 56
  %37 = icmp ult i8 %36, %25
  br i1 %37, label %38, label %51

38:
  %39 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %42 = load ptr, ptr %41, align 8
  %43 = icmp eq ptr %40, %42
  %44 = ptrtoint ptr %2 to i64
  br i1 %43, label %45, label %46, !prof !4

45:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %44)
  br label %51

46:
  %47 = getelementptr inbounds i64, ptr %40, i64 1
  store ptr %47, ptr %39, align 8
  store i64 %44, ptr %40, align 8
  br label %51

48:
  %49 = icmp eq i64 %16, 0
  br i1 %49, label %50, label %51

50:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef %1, ptr noundef %2)
  br label %51

51:
  ret i1 %9
}

define linkonce_odr hidden zeroext i1 @barrow_cas_word(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3, i64 noundef %4) #0 {
  %6 = cmpxchg ptr %2, i64 %3, i64 %4 acq_rel acquire, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %8, label %9

8:
  tail call void @barrow_stored_(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %4, i32 noundef 1)
  br label %9

9:
  ret i1 %7
}

define linkonce_odr hidden i64 @barrow_thunk_words(i64 noundef %0) #0 {
  %2 = add i64 %0, 2
  %3 = icmp ult i64 %0, 1152921504606846976
  %4 = select i1 %3, i64 %2, i64 1152921504606846976
  ret i64 %4
}

define linkonce_odr hidden i64 @barrow_pap_words(i64 noundef %0) #0 {
  %2 = add i64 %0, 3
  %3 = icmp ult i64 %0, 1152921504606846976
  %4 = select i1 %3, i64 %2, i64 1152921504606846976
  ret i64 %4
}

define linkonce_odr hidden i64 @barrow_ap_words(i64 noundef %0) #0 {
  %2 = add i64 %0, 4
  %3 = icmp ult i64 %0, 1152921504606846976
  %4 = select i1 %3, i64 %2, i64 1152921504606846976
  ret i64 %4
}

define linkonce_odr hidden i32 @barrow_update_shared_(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = ptrtoint ptr %1 to i64
  %5 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %6 = load i64, ptr %5, align 8
  %7 = sub i64 %4, %6
  %8 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 32
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %45, label %11, !prof !4

11:
  %12 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %13 = load i64, ptr %12, align 8
  %14 = icmp ult i64 %7, %13
  br i1 %14, label %15, label %45, !prof !5

15:
  %16 = ptrtoint ptr %2 to i64
  %17 = xor i64 %16, %4
  %18 = icmp ugt i64 %17, 7
  %19 = icmp ne ptr %2, null
  %20 = and i1 %19, %18
  %21 = and i64 %4, 7
  %22 = icmp eq i64 %21, 0
  %23 = and i1 %22, %20
  br i1 %23, label %24, label %45, !prof !6

24:
  %25 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %26 = load ptr, ptr %25, align 8
  %27 = lshr i64 %7, 12
  %28 = getelementptr inbounds i8, ptr %26, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = add i8 %29, 63
  %31 = and i8 %30, 56
  %32 = icmp eq i8 %31, 0
  br i1 %32, label %33, label %45, !prof !5

33:
  %34 = load atomic i64, ptr %1 acquire, align 8
  %35 = and i64 %34, -8
  %36 = inttoptr i64 %35 to ptr
  %37 = getelementptr inbounds %struct.barrow_info, ptr %36, i64 0, i32 4
  %38 = load i8, ptr %37, align 8
  switch i8 %38, label %47 [
    i8 32, label %39
    i8 33, label %39
    i8 42, label %39
    i8 38, label %39
    i8 39, label %39
  ]

39:
  %40 = getelementptr inbounds i64, ptr %1, i64 1
  store atomic i64 %16, ptr %40 release, align 8
  %41 = load ptr, ptr %8, align 8
  %42 = ptrtoint ptr %41 to i64
  %43 = and i64 %34, 7
  %44 = or i64 %43, %42
  store atomic i64 %44, ptr %1 release, align 8
  br label %47

45:
  %46 = tail call i32 @barrow_update_slow(ptr noundef nonnull %0, ptr noundef %1, ptr noundef %2)
  br label %47

47:
  %48 = phi i32 [ %46, %45 ], [ 0, %33 ], [ 0, %39 ]
  ret i32 %48
}

declare i32 @barrow_update_slow(ptr noundef, ptr noundef, ptr noundef)

define linkonce_odr hidden i32 @barrow_update(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = ptrtoint ptr %1 to i64
  %5 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %6 = load i64, ptr %5, align 8
  %7 = sub i64 %4, %6
  %8 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 23
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %35, label %11, !prof !4

11:
  %12 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %13 = load i64, ptr %12, align 8
  %14 = icmp ult i64 %7, %13
  %15 = ptrtoint ptr %2 to i64
  %16 = xor i64 %15, %4
  %17 = icmp ugt i64 %16, 7
  %18 = and i1 %17, %14
  br i1 %18, label %19, label %35, !prof !7

19:
  %20 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %21 = load ptr, ptr %20, align 8
  %22 = lshr i64 %7, 12
  %23 = getelementptr inbounds i8, ptr %21, i64 %22
  %24 = load i8, ptr %23, align 1
  %25 = add i8 %24, 63
  %26 = and i8 %25, 56
  %27 = icmp eq i8 %26, 0
  br i1 %27, label %28, label %35, !prof !5

28:
  %29 = getelementptr inbounds i64, ptr %1, i64 1
  store i64 %15, ptr %29, align 8
  %30 = load ptr, ptr %8, align 8
  %31 = ptrtoint ptr %30 to i64
  %32 = load i64, ptr %1, align 8
  %33 = and i64 %32, 7
  %34 = or i64 %33, %31
  store atomic i64 %34, ptr %1 release, align 8
  br label %37

35:
  %36 = tail call i32 @barrow_update_shared_(ptr noundef nonnull %0, ptr noundef %1, ptr noundef %2)
  br label %37

37:
  %38 = phi i32 [ 0, %28 ], [ %36, %35 ]
  ret i32 %38
}

define linkonce_odr hidden i32 @barrow_blackhole(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 24
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %13, label %6, !prof !4

6:
  %7 = getelementptr inbounds i64, ptr %1, i64 1
  store i64 0, ptr %7, align 8
  %8 = load ptr, ptr %3, align 8
  %9 = ptrtoint ptr %8 to i64
  %10 = load i64, ptr %1, align 8
  %11 = and i64 %10, 7
  %12 = or i64 %11, %9
  store atomic i64 %12, ptr %1 release, align 8
  br label %15

13:
  %14 = tail call i32 @barrow_blackhole_slow(ptr noundef nonnull %0, ptr noundef %1)
  br label %15

15:
  %16 = phi i32 [ 0, %6 ], [ %14, %13 ]
  ret i32 %16
}

declare i32 @barrow_blackhole_slow(ptr noundef, ptr noundef)

define linkonce_odr hidden zeroext i1 @barrow_claim(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 30
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %24, label %6, !prof !4

6:
  %7 = load atomic i64, ptr %1 acquire, align 8
  %8 = and i64 %7, -8
  %9 = inttoptr i64 %8 to ptr
  %10 = getelementptr inbounds %struct.barrow_info, ptr %9, i64 0, i32 4
  %11 = load i8, ptr %10, align 8
  switch i8 %11, label %26 [
    i8 42, label %12
    i8 33, label %12
    i8 32, label %12
  ]

12:
  %13 = load ptr, ptr %3, align 8
  %14 = ptrtoint ptr %13 to i64
  %15 = and i64 %7, 7
  %16 = or i64 %15, %14
  %17 = cmpxchg ptr %1, i64 %7, i64 %16 monotonic monotonic, align 8
  %18 = extractvalue { i64, i1 } %17, 1
  br i1 %18, label %19, label %26

19:
  %20 = getelementptr inbounds i64, ptr %1, i64 1
  %21 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 31
  %22 = load i64, ptr %21, align 8
  %23 = cmpxchg ptr %20, i64 0, i64 %22 monotonic monotonic, align 8
  br label %26

24:
  %25 = tail call zeroext i1 @barrow_claim_slow(ptr noundef nonnull %0, ptr noundef %1)
  br label %26

26:
  %27 = phi i1 [ %25, %24 ], [ true, %19 ], [ false, %6 ], [ false, %12 ]
  ret i1 %27
}

declare zeroext i1 @barrow_claim_slow(ptr noundef, ptr noundef)

define linkonce_odr hidden ptr @barrow_info_now(ptr nocapture noundef readonly %0) #0 {
  %2 = load atomic i64, ptr %0 acquire, align 8
  %3 = and i64 %2, -8
  %4 = inttoptr i64 %3 to ptr
  ret ptr %4
}

define linkonce_odr hidden ptr @barrow_indirectee(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 1
  %3 = load atomic i64, ptr %2 acquire, align 8
  %4 = inttoptr i64 %3 to ptr
  ret ptr %4
}

define linkonce_odr hidden ptr @barrow_frames_save(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 2
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

define linkonce_odr hidden void @barrow_frames_restore(ptr nocapture noundef writeonly %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 2
  store ptr %1, ptr %3, align 8
  ret void
}

define linkonce_odr hidden ptr @barrow_handle_get(ptr nocapture noundef readonly %0) #0 {
  %2 = load i64, ptr %0, align 8
  %3 = inttoptr i64 %2 to ptr
  ret ptr %3
}

define linkonce_odr hidden ptr @barrow_biography_at_(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %4 = load i64, ptr %3, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %12, label %6

6:
  %7 = ptrtoint ptr %1 to i64
  %8 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %9 = load i64, ptr %8, align 8
  %10 = sub i64 %7, %9
  %11 = icmp ult i64 %10, %4
  br i1 %11, label %12, label %14

12:
  %13 = tail call ptr @barrow_biography_slow(ptr noundef nonnull %0, ptr noundef %1)
  br label %14

14:
  %15 = phi ptr [ %13, %12 ], [ null, %6 ]
  ret ptr %15
}

declare ptr @barrow_biography_slow(ptr noundef, ptr noundef)

define linkonce_odr hidden void @barrow_use_unmarked_(ptr noundef %0, ptr noundef %1) #2 {
  %3 = ptrtoint ptr %1 to i64
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %5 = load i64, ptr %4, align 8
  %6 = sub i64 %3, %5
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %8 = load i64, ptr %7, align 8
  %9 = icmp ult i64 %6, %8
  br i1 %9, label %10, label %28

10:
  %11 = and i64 %3, -1048576
  %12 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 12
  %13 = load i64, ptr %12, align 8
  %14 = add i64 %13, %11
  %15 = inttoptr i64 %14 to ptr
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %31, label %18

18:
  %19 = lshr i64 %3, 4
  %20 = and i64 %19, 65535
  %21 = getelementptr inbounds i64, ptr %16, i64 %20
  %22 = load atomic i64, ptr %21 monotonic, align 8
  %23 = and i64 %22, 1073741823
  %24 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 10
  %25 = load i32, ptr %24, align 8
  %26 = zext i32 %25 to i64
  %27 = icmp eq i64 %23, %26
  br i1 %27, label %31, label %30

28:
  %29 = icmp eq i64 %8, 0
  br i1 %29, label %30, label %31

30:
  tail call void @barrow_used(ptr noundef nonnull %0, ptr noundef %1)
  br label %31

31:
  ret void
}

declare void @barrow_used(ptr noundef, ptr noundef)

define linkonce_odr hidden void @barrow_use(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 29
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %10, label %6, !prof !5

6:
  %7 = ptrtoint ptr %1 to i64
  %8 = lshr i64 %7, 4
  %9 = getelementptr inbounds i8, ptr %4, i64 %8
  store atomic i8 1, ptr %9 monotonic, align 1
  br label %15

10:
  %11 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 10
  %12 = load i32, ptr %11, align 8
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %15, label %14, !prof !5

14:
  tail call void @barrow_use_unmarked_(ptr noundef nonnull %0, ptr noundef %1)
  br label %15

15:
  ret void
}

define linkonce_odr hidden void @barrow_record_create(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 10
  %4 = load i32, ptr %3, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %23, label %6, !prof !5

6:
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %16, label %10

10:
  %11 = ptrtoint ptr %1 to i64
  %12 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %13 = load i64, ptr %12, align 8
  %14 = sub i64 %11, %13
  %15 = icmp ult i64 %14, %8
  br i1 %15, label %16, label %23

16:
  %17 = tail call ptr @barrow_biography_slow(ptr noundef nonnull %0, ptr noundef %1)
  %18 = icmp eq ptr %17, null
  br i1 %18, label %23, label %19

19:
  %20 = load i32, ptr %3, align 8
  %21 = zext i32 %20 to i64
  %22 = shl nuw nsw i64 %21, 30
  store i64 %22, ptr %17, align 8
  br label %23

23:
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_weak_alive(ptr nocapture noundef readonly %0) #0 {
  %2 = load atomic i64, ptr %0 acquire, align 8
  %3 = and i64 %2, -8
  %4 = inttoptr i64 %3 to ptr
  %5 = getelementptr inbounds %struct.barrow_info, ptr %4, i64 0, i32 4
  %6 = load i8, ptr %5, align 8
  %7 = icmp eq i8 %6, 48
  ret i1 %7
}

define linkonce_odr hidden zeroext i1 @barrow_weak_deref(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_weak, ptr %0, i64 0, i32 2
  %4 = load atomic i64, ptr %3 acquire, align 8
  %5 = inttoptr i64 %4 to ptr
  %6 = load atomic i64, ptr %0 acquire, align 8
  %7 = and i64 %6, -8
  %8 = inttoptr i64 %7 to ptr
  %9 = getelementptr inbounds %struct.barrow_info, ptr %8, i64 0, i32 4
  %10 = load i8, ptr %9, align 8
  %11 = icmp eq i8 %10, 48
  %12 = select i1 %11, ptr %5, ptr null
  store ptr %12, ptr %1, align 8
  ret i1 %11
}

define linkonce_odr hidden ptr @barrow_weak_key(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_weak, ptr %0, i64 0, i32 1
  %3 = load atomic i64, ptr %2 acquire, align 8
  %4 = inttoptr i64 %3 to ptr
  %5 = load atomic i64, ptr %0 acquire, align 8
  %6 = and i64 %5, -8
  %7 = inttoptr i64 %6 to ptr
  %8 = getelementptr inbounds %struct.barrow_info, ptr %7, i64 0, i32 4
  %9 = load i8, ptr %8, align 8
  %10 = icmp eq i8 %9, 48
  %11 = select i1 %10, ptr %4, ptr null
  ret ptr %11
}

define linkonce_odr hidden i64 @barrow_weak_array_words(i64 noundef %0) #0 {
  %2 = add i64 %0, 3
  %3 = icmp ult i64 %0, 1152921504606846976
  %4 = select i1 %3, i64 %2, i64 1152921504606846976
  ret i64 %4
}

define linkonce_odr hidden i64 @barrow_weak_array_length(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 1
  %3 = load i64, ptr %2, align 8
  ret i64 %3
}

define linkonce_odr hidden nonnull ptr @barrow_weak_array_elements(ptr noundef readnone %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 3
  ret ptr %2
}

define linkonce_odr hidden ptr @barrow_weak_array_init(ptr noundef returned writeonly %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = icmp eq ptr %0, null
  br i1 %4, label %11, label %5

5:
  %6 = ptrtoint ptr %1 to i64
  store i64 %6, ptr %0, align 8
  %7 = getelementptr inbounds i64, ptr %0, i64 1
  store i64 %2, ptr %7, align 8
  %8 = getelementptr inbounds i64, ptr %0, i64 2
  %9 = shl i64 %2, 3
  %10 = add i64 %9, 8
  tail call void @llvm.memset.p0.i64(ptr nonnull align 8 %8, i8 0, i64 %10, i1 false)
  br label %11

11:
  ret ptr %0
}

define linkonce_odr hidden ptr @barrow_weak_array_get(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, ptr %0, i64 3
  %4 = getelementptr inbounds i64, ptr %3, i64 %1
  %5 = load atomic i64, ptr %4 acquire, align 8
  %6 = inttoptr i64 %5 to ptr
  ret ptr %6
}

define linkonce_odr hidden void @barrow_weak_array_write(ptr noundef %0, ptr noundef %1, i64 noundef %2, ptr noundef %3) #0 {
  %5 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %8, label %10, !prof !4

8:
  %9 = tail call i32 @barrow_weak_array_set(ptr noundef nonnull %0, ptr noundef %1, i64 noundef %2, ptr noundef %3)
  br label %54

10:
  %11 = getelementptr inbounds i64, ptr %1, i64 3
  %12 = getelementptr inbounds ptr, ptr %11, i64 %2
  %13 = ptrtoint ptr %3 to i64
  store atomic i64 %13, ptr %12 release, align 8
  %14 = ptrtoint ptr %1 to i64
  %15 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %16 = load i64, ptr %15, align 8
  %17 = sub i64 %14, %16
  %18 = load i64, ptr %5, align 8
  %19 = icmp ult i64 %17, %18
  br i1 %19, label %20, label %51, !prof !5

20:
  %21 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %22 = load ptr, ptr %21, align 8
  %23 = lshr i64 %17, 12
  %24 = getelementptr inbounds i8, ptr %22, i64 %23
  %25 = load i8, ptr %24, align 1
  %26 = add i8 %25, 63
  %27 = and i8 %26, 56
  %28 = icmp eq i8 %27, 0
  br i1 %28, label %54, label %29, !prof !5

29:
  %30 = and i64 %13, -8
  %31 = sub i64 %30, %16
  %32 = icmp ult i64 %31, %18
  br i1 %32, label %33, label %54

33:
  %34 = lshr i64 %31, 12
  %35 = getelementptr inbounds i8, ptr %22, i64 %34
  %36 = load i8, ptr %35, align 1
  %37 = add i8 %36, 63
  %38 = and i8 %37, 56
  %39 = icmp ult i8 %38, %27
  br i1 %39, label %40, label %54

40:
  %41 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %42, %44
  %46 = ptrtoint ptr %12 to i64
  %47 = or i64 %46, 5
  br i1 %45, label %48, label %49, !prof !4

48:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %47)
  br label %54

49:
  %50 = getelementptr inbounds i64, ptr %42, i64 1
  store ptr %50, ptr %41, align 8
  store i64 %47, ptr %42, align 8
  br label %54

51:
  %52 = icmp eq i64 %18, 0
  br i1 %52, label %53, label %54

53:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef nonnull %1, ptr noundef nonnull %12)
  br label %54

54:
  ret void
}

declare i32 @barrow_weak_array_set(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

define linkonce_odr hidden void @barrow_weak_array_write_word(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3) #0 {
  %5 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %6 = load i64, ptr %5, align 8
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %8, label %11, !prof !4

8:
  %9 = inttoptr i64 %3 to ptr
  %10 = tail call i32 @barrow_weak_array_set(ptr noundef nonnull %0, ptr noundef %1, i64 noundef %2, ptr noundef %9)
  br label %14

11:
  %12 = getelementptr inbounds i64, ptr %1, i64 3
  %13 = getelementptr inbounds i64, ptr %12, i64 %2
  store atomic i64 %3, ptr %13 release, align 8
  tail call void @barrow_stored_(ptr noundef nonnull %0, ptr noundef %1, ptr noundef nonnull %13, i64 noundef %3, i32 noundef 6)
  br label %14

14:
  ret void
}

define linkonce_odr hidden i64 @barrow_stable_name_number(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i64, ptr %0, i64 1
  %3 = load i64, ptr %2, align 8
  ret i64 %3
}

define linkonce_odr hidden zeroext i1 @barrow_stack_need(ptr noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 27
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %14, label %6, !prof !4

6:
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 26
  %8 = load ptr, ptr %7, align 8
  %9 = ptrtoint ptr %8 to i64
  %10 = ptrtoint ptr %4 to i64
  %11 = sub i64 %9, %10
  %12 = ashr exact i64 %11, 3
  %13 = icmp ult i64 %12, %1
  br i1 %13, label %14, label %16, !prof !4

14:
  %15 = tail call zeroext i1 @barrow_stack_grow(ptr noundef nonnull %0, i64 noundef %1)
  br label %16

16:
  %17 = phi i1 [ %15, %14 ], [ true, %6 ]
  ret i1 %17
}

declare zeroext i1 @barrow_stack_grow(ptr noundef, i64 noundef)

define linkonce_odr hidden ptr @barrow_stack_push(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 26
  %5 = load ptr, ptr %4, align 8
  %6 = sub i64 0, %2
  %7 = getelementptr inbounds i64, ptr %5, i64 %6
  store ptr %7, ptr %4, align 8
  %8 = ptrtoint ptr %1 to i64
  store i64 %8, ptr %7, align 8
  %9 = load ptr, ptr %4, align 8
  ret ptr %9
}

define linkonce_odr hidden void @barrow_stack_pop(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 26
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds i64, ptr %4, i64 %1
  store ptr %5, ptr %3, align 8
  ret void
}

define linkonce_odr hidden ptr @barrow_stack_top(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 26
  %3 = load ptr, ptr %2, align 8
  %4 = load i64, ptr %3, align 8
  %5 = inttoptr i64 %4 to ptr
  ret ptr %5
}

define linkonce_odr hidden void @barrow_stack_dirty(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_stack, ptr %1, i64 0, i32 3
  %4 = load i64, ptr %3, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %6, label %8

6:
  store i64 1, ptr %3, align 8
  %7 = tail call i32 @barrow_record_old_to_new(ptr noundef %0, ptr noundef nonnull %1)
  br label %8

8:
  ret void
}

declare i32 @barrow_record_old_to_new(ptr noundef, ptr noundef)

define linkonce_odr hidden ptr @barrow_bdescr_of(ptr noundef %0) #0 {
  %2 = ptrtoint ptr %0 to i64
  %3 = and i64 %2, -1048576
  %4 = lshr i64 %2, 6
  %5 = and i64 %4, 16320
  %6 = or i64 %5, %3
  %7 = inttoptr i64 %6 to ptr
  ret ptr %7
}

define linkonce_odr hidden ptr @barrow_ccs_current(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 8
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}

define linkonce_odr hidden ptr @barrow_cost_of(ptr nocapture noundef readonly %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 22
  %4 = load i64, ptr %3, align 8
  %5 = ptrtoint ptr %1 to i64
  %6 = add i64 %4, %5
  %7 = inttoptr i64 %6 to ptr
  ret ptr %7
}

define linkonce_odr hidden ptr @barrow_ccs_enter(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds %struct.barrow_cc, ptr %1, i64 0, i32 2
  %6 = load atomic i32, ptr %5 monotonic, align 4
  %7 = and i32 %6, 3
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds [4 x ptr], ptr %4, i64 0, i64 %8
  %10 = load atomic i64, ptr %9 acquire, align 8
  %11 = inttoptr i64 %10 to ptr
  %12 = getelementptr inbounds %struct.barrow_ccs, ptr %11, i64 0, i32 2
  %13 = load i32, ptr %12, align 4
  %14 = icmp eq i32 %13, %6
  br i1 %14, label %17, label %15, !prof !5

15:
  %16 = tail call ptr @barrow_ccs_enter_slow(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %47

17:
  %18 = load ptr, ptr %0, align 8
  %19 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 9
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %18, %20
  br i1 %21, label %39, label %22

22:
  %23 = ptrtoint ptr %18 to i64
  %24 = ptrtoint ptr %20 to i64
  %25 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %23, i64 %24)
  %26 = extractvalue { i64, i1 } %25, 1
  br i1 %26, label %27, label %29, !prof !4

27:
  %28 = tail call ptr @barrow_ccs_enter_slow(ptr noundef nonnull %0, ptr noundef nonnull %1)
  br label %47

29:
  %30 = extractvalue { i64, i1 } %25, 0
  %31 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 22
  %32 = load i64, ptr %31, align 8
  %33 = ptrtoint ptr %4 to i64
  %34 = add i64 %32, %33
  %35 = inttoptr i64 %34 to ptr
  %36 = load i64, ptr %35, align 8
  %37 = add i64 %36, %30
  store i64 %37, ptr %35, align 8
  %38 = load ptr, ptr %0, align 8
  store ptr %38, ptr %19, align 8
  br label %39

39:
  %40 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 22
  %41 = load i64, ptr %40, align 8
  %42 = add i64 %41, %10
  %43 = inttoptr i64 %42 to ptr
  %44 = getelementptr inbounds %struct.barrow_cost, ptr %43, i64 0, i32 1
  %45 = load i64, ptr %44, align 8
  %46 = add i64 %45, 1
  store i64 %46, ptr %44, align 8
  store ptr %11, ptr %3, align 8
  br label %47

47:
  %48 = phi ptr [ %16, %15 ], [ %4, %39 ], [ %28, %27 ]
  ret ptr %48
}

declare ptr @barrow_ccs_enter_slow(ptr noundef, ptr noundef)

declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)

define linkonce_odr hidden void @barrow_ccs_leave(ptr noundef %0, ptr noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = ptrtoint ptr %3 to i64
  %5 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 9
  %6 = load ptr, ptr %5, align 8
  %7 = ptrtoint ptr %6 to i64
  %8 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %4, i64 %7)
  %9 = extractvalue { i64, i1 } %8, 1
  br i1 %9, label %10, label %12, !prof !4

10:
  %11 = tail call i32 @barrow_ccs_leave_slow(ptr noundef nonnull %0, ptr noundef %1)
  br label %24

12:
  %13 = extractvalue { i64, i1 } %8, 0
  %14 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 8
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 22
  %17 = load i64, ptr %16, align 8
  %18 = ptrtoint ptr %15 to i64
  %19 = add i64 %17, %18
  %20 = inttoptr i64 %19 to ptr
  %21 = load i64, ptr %20, align 8
  %22 = add i64 %21, %13
  store i64 %22, ptr %20, align 8
  %23 = load ptr, ptr %0, align 8
  store ptr %23, ptr %5, align 8
  store ptr %1, ptr %14, align 8
  br label %24

24:
  ret void
}

declare i32 @barrow_ccs_leave_slow(ptr noundef, ptr noundef)

define linkonce_odr hidden ptr @barrow_ccs_enter_function(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 8
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, %1
  br i1 %5, label %8, label %6

6:
  %7 = tail call ptr @barrow_ccs_enter_function_slow(ptr noundef nonnull %0, ptr noundef %1)
  br label %8

8:
  %9 = phi ptr [ %7, %6 ], [ %1, %2 ]
  ret ptr %9
}

declare ptr @barrow_ccs_enter_function_slow(ptr noundef, ptr noundef)

define linkonce_odr hidden ptr @barrow_ticky_row_(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_ticky_function, ptr %1, i64 0, i32 2
  %4 = load atomic i32, ptr %3 monotonic, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %10, label %6, !prof !4

6:
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 19
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %12, !prof !4

10:
  %11 = tail call ptr @barrow_ticky_row(ptr noundef %0, ptr noundef nonnull %1)
  br label %15

12:
  %13 = zext i32 %4 to i64
  %14 = getelementptr inbounds %struct.barrow_entry_count, ptr %8, i64 %13
  br label %15

15:
  %16 = phi ptr [ %11, %10 ], [ %14, %12 ]
  ret ptr %16
}

declare ptr @barrow_ticky_row(ptr noundef, ptr noundef)

define linkonce_odr hidden void @barrow_count_call(ptr noundef %0, ptr noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_ticky_function, ptr %1, i64 0, i32 2
  %4 = load atomic i32, ptr %3 monotonic, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %10, label %6, !prof !4

6:
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 19
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %10, label %12, !prof !4

10:
  %11 = tail call ptr @barrow_ticky_row(ptr noundef %0, ptr noundef nonnull %1)
  br label %15

12:
  %13 = zext i32 %4 to i64
  %14 = getelementptr inbounds %struct.barrow_entry_count, ptr %8, i64 %13
  br label %15

15:
  %16 = phi ptr [ %11, %10 ], [ %14, %12 ]
  %17 = load i64, ptr %16, align 8
  %18 = add i64 %17, 1
  store i64 %18, ptr %16, align 8
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_tick_decision(ptr nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
  %4 = xor i1 %2, true
  %5 = zext i1 %4 to i64
  %6 = add i64 %5, %1
  %7 = getelementptr inbounds i64, ptr %0, i64 %6
  %8 = load i64, ptr %7, align 8
  %9 = add i64 %8, 1
  store i64 %9, ptr %7, align 8
  ret i1 %2
}

define linkonce_odr hidden zeroext i1 @barrow_tick_decision_shared(ptr nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
  %4 = xor i1 %2, true
  %5 = zext i1 %4 to i64
  %6 = add i64 %5, %1
  %7 = getelementptr inbounds i64, ptr %0, i64 %6
  %8 = atomicrmw add ptr %7, i64 1 monotonic, align 8
  ret i1 %2
}

define linkonce_odr hidden void @barrow_frame_push(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 2
  %5 = load ptr, ptr %4, align 8
  store ptr %5, ptr %1, align 8
  %6 = getelementptr inbounds %struct.barrow_frame, ptr %1, i64 0, i32 1
  store i64 %2, ptr %6, align 8
  store ptr %1, ptr %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_frame_pop(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1) #0 {
  %3 = load ptr, ptr %1, align 8
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 2
  store ptr %3, ptr %4, align 8
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_wanted(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 11
  %3 = load atomic i32, ptr %2 monotonic, align 4
  %4 = icmp ne i32 %3, 0
  ret i1 %4
}

define linkonce_odr hidden ptr @barrow_get(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds ptr, ptr %0, i64 %1
  %4 = load ptr, ptr %3, align 8
  ret ptr %4
}

define linkonce_odr hidden i64 @barrow_get_word(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, ptr %0, i64 %1
  %4 = load i64, ptr %3, align 8
  ret i64 %4
}

define linkonce_odr hidden ptr @barrow_get_published(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds ptr, ptr %0, i64 %1
  %4 = load atomic i64, ptr %3 acquire, align 8
  %5 = inttoptr i64 %4 to ptr
  ret ptr %5
}

define linkonce_odr hidden i64 @barrow_get_word_published(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, ptr %0, i64 %1
  %4 = load atomic i64, ptr %3 acquire, align 8
  ret i64 %4
}

define linkonce_odr hidden void @barrow_set(ptr nocapture noundef writeonly %0, i64 noundef %1, ptr noundef %2) #0 {
  %4 = getelementptr inbounds ptr, ptr %0, i64 %1
  store ptr %2, ptr %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_set_word(ptr nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 {
  %4 = getelementptr inbounds i64, ptr %0, i64 %1
  store i64 %2, ptr %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_tick(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, ptr %0, i64 %1
  %4 = load i64, ptr %3, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %3, align 8
  ret void
}

define linkonce_odr hidden void @barrow_tick_shared(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, ptr %0, i64 %1
  %4 = atomicrmw add ptr %3, i64 1 monotonic, align 8
  ret void
}

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
!6 = !{!"branch_weights", i32 -294967296, i32 6003000}
!7 = !{!"branch_weights", i32 4000000, i32 4001}
attributes #0 = { alwaysinline }
attributes #2 = { cold noinline }
