; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The inline forms, for llvm-link with a program before it is optimised.
; SPDX-License-Identifier: MIT OR Apache-2.0

%struct.barrow_window = type { i64*, i64*, %struct.barrow_frame*, i64, i64, i8*, i64*, i64*, %struct.barrow_ccs*, i64*, i32, i32, [3 x i64], i16, [3 x i16], i64, i64, i8*, i64, %struct.barrow_entry_count*, %struct.barrow_ticky*, [4 x i8*], i64, %struct.barrow_info*, %struct.barrow_info*, i8*, i64*, i64*, i8*, i8*, %struct.barrow_info*, i64, %struct.barrow_info*, [3 x i64] }
%struct.barrow_frame = type { %struct.barrow_frame*, i64 }
%struct.barrow_ccs = type { [4 x %struct.barrow_ccs*], i32, i32, i32, i32, %struct.barrow_ccs*, i64 }
%struct.barrow_entry_count = type { i64, i64, i64 }
%struct.barrow_ticky = type { i32, i32, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, [9 x i64], [9 x i64], [9 x i64], i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, [5 x i64], i64, i64, [5 x i64], i64, i64, [5 x i64], i64, i64, i64, i64, i64, i64, i64, i64, [5 x i64], i64, i64, i64, i64, [5 x i64], i64, [5 x i64], i64, [5 x i64], i64, [9 x i64], i64, [9 x i64], [9 x i64], i64, i64, i64, i64, i64, i64 }
%struct.barrow_info = type { i16, i16, i32, void ()*, i8, i8, i16, i32, i32, i32, i64, %struct.barrow_bitmap*, %struct.barrow_custom*, %struct.barrow_srt*, %struct.barrow_names* }
%struct.barrow_bitmap = type { i32, i32, i64* }
%struct.barrow_custom = type { i32, i32, i64 (i8*)*, void (i8*, %struct.barrow_visitor*)*, void (i8*, i8*)*, i8* (i8*, %struct.barrow_resolver*)* }
%struct.barrow_visitor = type opaque
%struct.barrow_resolver = type opaque
%struct.barrow_srt = type { i32, i32, i8** }
%struct.barrow_names = type { i8*, i8*, i8*, i8* }
%struct.barrow_mutator = type opaque
%struct.barrow_config = type { i32, i32, %struct.barrow_geometry, i8*, i16, i16, i32, i64, i64, void (i8*, %struct.barrow_visitor*)*, i1 (i8*, %struct.barrow_mutator*, i64)*, void (i8*)*, void (i8*, i8*)*, void (i8*, %struct.barrow_event*)*, i8*, %struct.barrow_retainer_scheme* }
%struct.barrow_geometry = type { i32, i32, i32, i32, i32, i32 }
%struct.barrow_event = type { i32, i32, i64, i32, i32, i64, i64, i64, i64, i64, i64 }
%struct.barrow_retainer_scheme = type { i32, i32, i64, i32 (i8*, i8*)*, i32 (i8*, i8*)*, i64 (i8*, i32, i8*, i64)*, i64 (i8*, i8*, i64)*, i32 (i8*, i32)*, i8* }
%struct.barrow_handle = type { i64, i32, i32 }
%struct.barrow_bdescr = type { i64, i64, i32, i8, i8, i16, %struct.barrow_bdescr*, %struct.barrow_bdescr*, i64, i32, i32, i64 }
%struct.barrow_cost = type { i64, i64, i64, [5 x i64] }
%struct.barrow_cc = type { i16, i16, i32, i8*, i8*, i8* }
%struct.barrow_ticky_function = type { i16, i16, i32, i32, i32, i8*, i8*, i8*, i8*, i8*, i8* }

define linkonce_odr hidden %struct.barrow_window* @barrow_window_of(%struct.barrow_mutator* noundef readnone %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  ret %struct.barrow_window* %2
}

define linkonce_odr hidden void @barrow_config_init(%struct.barrow_config* nocapture noundef writeonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 3
  %3 = bitcast i8** %2 to i8*
  tail call void @llvm.memset.p0i8.i64(i8* noundef nonnull align 8 dereferenceable(120) %3, i8 0, i64 88, i1 false)
  %4 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 0
  store i32 120, i32* %4, align 8
  %5 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 1
  store i32 0, i32* %5, align 4
  %6 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 0
  store i32 4096, i32* %6, align 8
  %7 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 1
  store i32 1048576, i32* %7, align 4
  %8 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 2
  store i32 64, i32* %8, align 8
  %9 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 3
  store i32 256, i32* %9, align 4
  %10 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 4
  store i32 4096, i32* %10, align 8
  %11 = getelementptr inbounds %struct.barrow_config, %struct.barrow_config* %0, i64 0, i32 2, i32 5
  store i32 128, i32* %11, align 4
  ret void
}

declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg)

define linkonce_odr hidden i64* @barrow_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to i64**
  %4 = load i64*, i64** %3, align 8
  %5 = icmp ugt i64 %1, 256
  br i1 %5, label %14, label %6, !prof !4

6:
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = getelementptr inbounds i64, i64* %4, i64 %1
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 1
  %10 = bitcast i64** %9 to i64*
  %11 = load atomic i64, i64* %10 monotonic, align 8
  %12 = inttoptr i64 %11 to i64*
  %13 = icmp ugt i64* %8, %12
  br i1 %13, label %14, label %16, !prof !4

14:
  %15 = tail call i64* @barrow_alloc_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %1)
  br label %17

16:
  store i64* %8, i64** %3, align 8
  br label %17

17:
  %18 = phi i64* [ %15, %14 ], [ %4, %16 ]
  ret i64* %18
}

declare i64* @barrow_alloc_slow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden i64* @barrow_try_alloc(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to i64**
  %4 = load i64*, i64** %3, align 8
  %5 = icmp ugt i64 %1, 256
  br i1 %5, label %15, label %6, !prof !4

6:
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = getelementptr inbounds i64, i64* %4, i64 %1
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 1
  %10 = bitcast i64** %9 to i64*
  %11 = load atomic i64, i64* %10 monotonic, align 8
  %12 = inttoptr i64 %11 to i64*
  %13 = icmp ugt i64* %8, %12
  br i1 %13, label %15, label %14, !prof !4

14:
  store i64* %8, i64** %3, align 8
  br label %15

15:
  %16 = phi i64* [ %4, %14 ], [ null, %6 ], [ null, %2 ]
  ret i64* %16
}

define linkonce_odr hidden zeroext i1 @barrow_reserve(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
  %3 = icmp ult i64 %1, 4097
  br i1 %3, label %4, label %14, !prof !5

4:
  %5 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %6 = bitcast %struct.barrow_mutator* %0 to i64**
  %7 = load i64*, i64** %6, align 8
  %8 = getelementptr inbounds i64, i64* %7, i64 %1
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %5, i64 0, i32 1
  %10 = bitcast i64** %9 to i64*
  %11 = load atomic i64, i64* %10 monotonic, align 8
  %12 = inttoptr i64 %11 to i64*
  %13 = icmp ugt i64* %8, %12
  br i1 %13, label %14, label %16, !prof !4

14:
  %15 = tail call zeroext i1 @barrow_reserve_slow(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  br label %16

16:
  %17 = phi i1 [ %15, %14 ], [ true, %4 ]
  ret i1 %17
}

declare zeroext i1 @barrow_reserve_slow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden i64* @barrow_bump(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to i64**
  %4 = load i64*, i64** %3, align 8
  %5 = getelementptr inbounds i64, i64* %4, i64 %1
  store i64* %5, i64** %3, align 8
  ret i64* %4
}

define linkonce_odr hidden %struct.barrow_info* @barrow_info_of(i8* nocapture noundef readonly %0) #0 {
  %2 = bitcast i8* %0 to i64*
  %3 = load i64, i64* %2, align 8
  %4 = and i64 %3, -8
  %5 = inttoptr i64 %4 to %struct.barrow_info*
  ret %struct.barrow_info* %5
}

define linkonce_odr hidden void @barrow_set_header(i8* nocapture noundef writeonly %0, %struct.barrow_info* noundef %1) #0 {
  %3 = ptrtoint %struct.barrow_info* %1 to i64
  %4 = bitcast i8* %0 to i64*
  store i64 %3, i64* %4, align 8
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

define linkonce_odr hidden i64 @barrow_sized_words(%struct.barrow_info* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %0, i64 0, i32 7
  %4 = load i32, i32* %3, align 4
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %0, i64 0, i32 8
  %7 = load i32, i32* %6, align 8
  %8 = zext i32 %7 to i64
  %9 = add i64 %1, 1
  %10 = add i64 %9, %5
  %11 = add i64 %10, %8
  %12 = icmp ult i64 %1, 1152921504606846976
  %13 = select i1 %12, i64 %11, i64 1152921504606846976
  ret i64 %13
}

define linkonce_odr hidden i64 @barrow_array_length(i8* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i64*
  %4 = load i64, i64* %3, align 8
  ret i64 %4
}

define linkonce_odr hidden nonnull i8** @barrow_array_elements(i8* noundef readnone %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 16
  %3 = bitcast i8* %2 to i8**
  ret i8** %3
}

define linkonce_odr hidden nonnull i8* @barrow_bytes_start(i8* noundef readnone %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 16
  ret i8* %2
}

define linkonce_odr hidden i8* @barrow_array_init(i64* noundef writeonly %0, %struct.barrow_info* noundef %1, i64 noundef %2) #0 {
  %4 = icmp eq i64* %0, null
  br i1 %4, label %22, label %5

5:
  %6 = ptrtoint %struct.barrow_info* %1 to i64
  store i64 %6, i64* %0, align 8
  %7 = getelementptr inbounds i64, i64* %0, i64 1
  store i64 %2, i64* %7, align 8
  %8 = getelementptr inbounds i64, i64* %0, i64 2
  %9 = bitcast i64* %8 to i8*
  %10 = icmp ugt i64 %2, 1152921504606846975
  br i1 %10, label %20, label %11

11:
  %12 = add nuw nsw i64 %2, 2
  %13 = icmp ult i64 %2, 128
  %14 = add nuw nsw i64 %2, 1023
  %15 = lshr i64 %14, 10
  %16 = select i1 %13, i64 0, i64 %15
  %17 = add nuw nsw i64 %12, %16
  %18 = shl nuw i64 %17, 3
  %19 = add i64 %18, -16
  br label %20

20:
  %21 = phi i64 [ %19, %11 ], [ 9223372036854775792, %5 ]
  tail call void @llvm.memset.p0i8.i64(i8* nonnull align 8 %9, i8 0, i64 %21, i1 false)
  br label %22

22:
  %23 = bitcast i64* %0 to i8*
  ret i8* %23
}

define linkonce_odr hidden void @barrow_remember_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64 noundef %2) #0 {
  %4 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %5 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 6
  %6 = load i64*, i64** %5, align 8
  %7 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 7
  %8 = load i64*, i64** %7, align 8
  %9 = icmp eq i64* %6, %8
  %10 = ptrtoint i8* %1 to i64
  %11 = or i64 %10, %2
  br i1 %9, label %12, label %13, !prof !4

12:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %11)
  br label %15

13:
  %14 = getelementptr inbounds i64, i64* %6, i64 1
  store i64* %14, i64** %5, align 8
  store i64 %11, i64* %6, align 8
  br label %15

15:
  ret void
}

declare void @barrow_remember_slow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden void @barrow_stored_in_chunks_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i32 noundef %3) #0 {
  %5 = icmp eq i32 %3, 1
  br i1 %5, label %6, label %8

6:
  %7 = bitcast i8* %2 to i64*
  tail call void @barrow_wrote_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64* noundef %7)
  br label %9

8:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2)
  br label %9

9:
  ret void
}

declare void @barrow_wrote_word(%struct.barrow_mutator* noundef, i8* noundef, i64* noundef)

declare void @barrow_wrote(%struct.barrow_mutator* noundef, i8* noundef, i8* noundef)

define linkonce_odr hidden void @barrow_stored_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i64 noundef %3, i32 noundef %4) #0 {
  %6 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %7 = ptrtoint i8* %1 to i64
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 3
  %9 = load i64, i64* %8, align 8
  %10 = sub i64 %7, %9
  %11 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 4
  %12 = load i64, i64* %11, align 8
  %13 = icmp ult i64 %10, %12
  br i1 %13, label %14, label %65, !prof !5

14:
  %15 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 5
  %16 = load i8*, i8** %15, align 8
  %17 = lshr i64 %10, 12
  %18 = getelementptr inbounds i8, i8* %16, i64 %17
  %19 = load i8, i8* %18, align 1
  %20 = add i8 %19, 63
  %21 = and i8 %20, 56
  %22 = icmp eq i8 %21, 0
  br i1 %22, label %68, label %23, !prof !5

23:
  switch i32 %4, label %40 [
    i32 6, label %24
    i32 1, label %24
  ]

24:
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 13
  %26 = load i16, i16* %25, align 8
  %27 = zext i16 %26 to i32
  %28 = trunc i64 %3 to i32
  %29 = and i32 %28, 15
  %30 = shl nuw nsw i32 1, %29
  %31 = and i32 %30, %27
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %68, label %33

33:
  %34 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 15
  %35 = load i64, i64* %34, align 8
  %36 = and i64 %35, %3
  %37 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 16
  %38 = load i64, i64* %37, align 8
  %39 = add i64 %36, %38
  br label %42

40:
  %41 = and i64 %3, -8
  br label %42

42:
  %43 = phi i64 [ %39, %33 ], [ %41, %40 ]
  %44 = sub i64 %43, %9
  %45 = icmp ult i64 %44, %12
  br i1 %45, label %46, label %68

46:
  %47 = lshr i64 %44, 12
  %48 = getelementptr inbounds i8, i8* %16, i64 %47
  %49 = load i8, i8* %48, align 1
  %50 = add i8 %49, 63
  %51 = and i8 %50, 56
  %52 = icmp ult i8 %51, %21
  br i1 %52, label %53, label %68

53:
  %54 = zext i32 %4 to i64
  %55 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 6
  %56 = load i64*, i64** %55, align 8
  %57 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 7
  %58 = load i64*, i64** %57, align 8
  %59 = icmp eq i64* %56, %58
  %60 = ptrtoint i8* %2 to i64
  %61 = or i64 %54, %60
  br i1 %59, label %62, label %63, !prof !4

62:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %61)
  br label %68

63:
  %64 = getelementptr inbounds i64, i64* %56, i64 1
  store i64* %64, i64** %55, align 8
  store i64 %61, i64* %56, align 8
  br label %68

65:
  %66 = icmp eq i64 %12, 0
  br i1 %66, label %67, label %68

67:
  tail call void @barrow_stored_in_chunks_(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef %2, i32 noundef %4)
  br label %68

68:
  ret void
}

define linkonce_odr hidden void @barrow_barrier(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3) #0 {
  %5 = ptrtoint i8* %3 to i64
  %6 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %7 = ptrtoint i8* %1 to i64
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 3
  %9 = load i64, i64* %8, align 8
  %10 = sub i64 %7, %9
  %11 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 4
  %12 = load i64, i64* %11, align 8
  %13 = icmp ult i64 %10, %12
  br i1 %13, label %14, label %44, !prof !5

14:
  %15 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 5
  %16 = load i8*, i8** %15, align 8
  %17 = lshr i64 %10, 12
  %18 = getelementptr inbounds i8, i8* %16, i64 %17
  %19 = load i8, i8* %18, align 1
  %20 = add i8 %19, 63
  %21 = and i8 %20, 56
  %22 = icmp eq i8 %21, 0
  br i1 %22, label %47, label %23, !prof !5

23:
  %24 = and i64 %5, -8
  %25 = sub i64 %24, %9
  %26 = icmp ult i64 %25, %12
  br i1 %26, label %27, label %47

27:
  %28 = lshr i64 %25, 12
  %29 = getelementptr inbounds i8, i8* %16, i64 %28
  %30 = load i8, i8* %29, align 1
  %31 = add i8 %30, 63
  %32 = and i8 %31, 56
  %33 = icmp ult i8 %32, %21
  br i1 %33, label %34, label %47

34:
  %35 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 6
  %36 = load i64*, i64** %35, align 8
  %37 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %6, i64 0, i32 7
  %38 = load i64*, i64** %37, align 8
  %39 = icmp eq i64* %36, %38
  %40 = ptrtoint i8* %2 to i64
  br i1 %39, label %41, label %42, !prof !4

41:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %40)
  br label %47

42:
  %43 = getelementptr inbounds i64, i64* %36, i64 1
  store i64* %43, i64** %35, align 8
  store i64 %40, i64* %36, align 8
  br label %47

44:
  %45 = icmp eq i64 %12, 0
  br i1 %45, label %46, label %47

46:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef %2)
  br label %47

47:
  ret void
}

define linkonce_odr hidden void @barrow_write(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3) #0 {
  %5 = bitcast i8* %2 to i64*
  %6 = ptrtoint i8* %3 to i64
  store atomic i64 %6, i64* %5 release, align 8
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = ptrtoint i8* %1 to i64
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 3
  %10 = load i64, i64* %9, align 8
  %11 = sub i64 %8, %10
  %12 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 4
  %13 = load i64, i64* %12, align 8
  %14 = icmp ult i64 %11, %13
  br i1 %14, label %15, label %45, !prof !5

15:
  %16 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 5
  %17 = load i8*, i8** %16, align 8
  %18 = lshr i64 %11, 12
  %19 = getelementptr inbounds i8, i8* %17, i64 %18
  %20 = load i8, i8* %19, align 1
  %21 = add i8 %20, 63
  %22 = and i8 %21, 56
  %23 = icmp eq i8 %22, 0
  br i1 %23, label %48, label %24, !prof !5

24:
  %25 = and i64 %6, -8
  %26 = sub i64 %25, %10
  %27 = icmp ult i64 %26, %13
  br i1 %27, label %28, label %48

28:
  %29 = lshr i64 %26, 12
  %30 = getelementptr inbounds i8, i8* %17, i64 %29
  %31 = load i8, i8* %30, align 1
  %32 = add i8 %31, 63
  %33 = and i8 %32, 56
  %34 = icmp ult i8 %33, %22
  br i1 %34, label %35, label %48

35:
  %36 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 6
  %37 = load i64*, i64** %36, align 8
  %38 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 7
  %39 = load i64*, i64** %38, align 8
  %40 = icmp eq i64* %37, %39
  %41 = ptrtoint i8* %2 to i64
  br i1 %40, label %42, label %43, !prof !4

42:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %41)
  br label %48

43:
  %44 = getelementptr inbounds i64, i64* %37, i64 1
  store i64* %44, i64** %36, align 8
  store i64 %41, i64* %37, align 8
  br label %48

45:
  %46 = icmp eq i64 %13, 0
  br i1 %46, label %47, label %48

47:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef nonnull %2)
  br label %48

48:
  ret void
}

define linkonce_odr hidden void @barrow_barrier_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64* noundef %2, i64 noundef %3) #0 {
  %5 = bitcast i64* %2 to i8*
  tail call void @barrow_stored_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %5, i64 noundef %3, i32 noundef 1)
  ret void
}

define linkonce_odr hidden void @barrow_write_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64* noundef %2, i64 noundef %3) #0 {
  store atomic i64 %3, i64* %2 release, align 8
  %5 = bitcast i64* %2 to i8*
  tail call void @barrow_stored_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef nonnull %5, i64 noundef %3, i32 noundef 1)
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_cas(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3, i8* noundef %4) #0 {
  %6 = bitcast i8* %2 to i64*
  %7 = ptrtoint i8* %3 to i64
  %8 = ptrtoint i8* %4 to i64
  %9 = cmpxchg i64* %6, i64 %7, i64 %8 acq_rel acquire, align 8
  %10 = extractvalue { i64, i1 } %9, 1
  br i1 %10, label %11, label %53

11:
  %12 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %13 = ptrtoint i8* %1 to i64
  %14 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %12, i64 0, i32 3
  %15 = load i64, i64* %14, align 8
  %16 = sub i64 %13, %15
  %17 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %12, i64 0, i32 4
  %18 = load i64, i64* %17, align 8
  %19 = icmp ult i64 %16, %18
  br i1 %19, label %20, label %50, !prof !5

20:
  %21 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %12, i64 0, i32 5
  %22 = load i8*, i8** %21, align 8
  %23 = lshr i64 %16, 12
  %24 = getelementptr inbounds i8, i8* %22, i64 %23
  %25 = load i8, i8* %24, align 1
  %26 = add i8 %25, 63
  %27 = and i8 %26, 56
  %28 = icmp eq i8 %27, 0
  br i1 %28, label %53, label %29, !prof !5

29:
  %30 = and i64 %8, -8
  %31 = sub i64 %30, %15
  %32 = icmp ult i64 %31, %18
  br i1 %32, label %33, label %53

33:
  %34 = lshr i64 %31, 12
  %35 = getelementptr inbounds i8, i8* %22, i64 %34
  %36 = load i8, i8* %35, align 1
  %37 = add i8 %36, 63
  %38 = and i8 %37, 56
  %39 = icmp ult i8 %38, %27
  br i1 %39, label %40, label %53

40:
  %41 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %12, i64 0, i32 6
  %42 = load i64*, i64** %41, align 8
  %43 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %12, i64 0, i32 7
  %44 = load i64*, i64** %43, align 8
  %45 = icmp eq i64* %42, %44
  %46 = ptrtoint i8* %2 to i64
  br i1 %45, label %47, label %48, !prof !4

47:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %46)
  br label %53

48:
  %49 = getelementptr inbounds i64, i64* %42, i64 1
  store i64* %49, i64** %41, align 8
  store i64 %46, i64* %42, align 8
  br label %53

50:
  %51 = icmp eq i64 %18, 0
  br i1 %51, label %52, label %53

52:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef %2)
  br label %53

53:
  ret i1 %10
}

define linkonce_odr hidden zeroext i1 @barrow_cas_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64* noundef %2, i64 noundef %3, i64 noundef %4) #0 {
  %6 = cmpxchg i64* %2, i64 %3, i64 %4 acq_rel acquire, align 8
  %7 = extractvalue { i64, i1 } %6, 1
  br i1 %7, label %8, label %10

8:
  %9 = bitcast i64* %2 to i8*
  tail call void @barrow_stored_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %9, i64 noundef %4, i32 noundef 1)
  br label %10

10:
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

define linkonce_odr hidden i32 @barrow_update_shared_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2) #0 {
  %4 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %5 = ptrtoint i8* %1 to i64
  %6 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 3
  %7 = load i64, i64* %6, align 8
  %8 = sub i64 %5, %7
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 32
  %10 = load %struct.barrow_info*, %struct.barrow_info** %9, align 8
  %11 = icmp eq %struct.barrow_info* %10, null
  br i1 %11, label %48, label %12, !prof !4

12:
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 4
  %14 = load i64, i64* %13, align 8
  %15 = icmp ult i64 %8, %14
  br i1 %15, label %16, label %48, !prof !5

16:
  %17 = ptrtoint i8* %2 to i64
  %18 = xor i64 %17, %5
  %19 = icmp ugt i64 %18, 7
  %20 = icmp ne i8* %2, null
  %21 = and i1 %20, %19
  %22 = and i64 %5, 7
  %23 = icmp eq i64 %22, 0
  %24 = and i1 %23, %21
  br i1 %24, label %25, label %48, !prof !6

25:
  %26 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 5
  %27 = load i8*, i8** %26, align 8
  %28 = lshr i64 %8, 12
  %29 = getelementptr inbounds i8, i8* %27, i64 %28
  %30 = load i8, i8* %29, align 1
  %31 = add i8 %30, 63
  %32 = and i8 %31, 56
  %33 = icmp eq i8 %32, 0
  br i1 %33, label %34, label %48, !prof !5

34:
  %35 = bitcast i8* %1 to i64*
  %36 = load atomic i64, i64* %35 acquire, align 8
  %37 = and i64 %36, -8
  %38 = inttoptr i64 %37 to %struct.barrow_info*
  %39 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %38, i64 0, i32 4
  %40 = load i8, i8* %39, align 8
  switch i8 %40, label %50 [
    i8 32, label %41
    i8 33, label %41
    i8 42, label %41
    i8 38, label %41
    i8 39, label %41
  ]

41:
  %42 = getelementptr inbounds i8, i8* %1, i64 8
  %43 = bitcast i8* %42 to i64*
  store atomic i64 %17, i64* %43 release, align 8
  %44 = load %struct.barrow_info*, %struct.barrow_info** %9, align 8
  %45 = ptrtoint %struct.barrow_info* %44 to i64
  %46 = and i64 %36, 7
  %47 = or i64 %46, %45
  store atomic i64 %47, i64* %35 release, align 8
  br label %50

48:
  %49 = tail call i32 @barrow_update_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef %2)
  br label %50

50:
  %51 = phi i32 [ %49, %48 ], [ 0, %34 ], [ 0, %41 ]
  ret i32 %51
}

declare i32 @barrow_update_slow(%struct.barrow_mutator* noundef, i8* noundef, i8* noundef)

define linkonce_odr hidden i32 @barrow_update(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2) #0 {
  %4 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %5 = ptrtoint i8* %1 to i64
  %6 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 3
  %7 = load i64, i64* %6, align 8
  %8 = sub i64 %5, %7
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 23
  %10 = load %struct.barrow_info*, %struct.barrow_info** %9, align 8
  %11 = icmp eq %struct.barrow_info* %10, null
  br i1 %11, label %38, label %12, !prof !4

12:
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 4
  %14 = load i64, i64* %13, align 8
  %15 = icmp ult i64 %8, %14
  %16 = ptrtoint i8* %2 to i64
  %17 = xor i64 %16, %5
  %18 = icmp ugt i64 %17, 7
  %19 = and i1 %18, %15
  br i1 %19, label %20, label %38, !prof !7

20:
  %21 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 5
  %22 = load i8*, i8** %21, align 8
  %23 = lshr i64 %8, 12
  %24 = getelementptr inbounds i8, i8* %22, i64 %23
  %25 = load i8, i8* %24, align 1
  %26 = add i8 %25, 63
  %27 = and i8 %26, 56
  %28 = icmp eq i8 %27, 0
  br i1 %28, label %29, label %38, !prof !5

29:
  %30 = bitcast i8* %1 to i64*
  %31 = getelementptr inbounds i8, i8* %1, i64 8
  %32 = bitcast i8* %31 to i64*
  store i64 %16, i64* %32, align 8
  %33 = load %struct.barrow_info*, %struct.barrow_info** %9, align 8
  %34 = ptrtoint %struct.barrow_info* %33 to i64
  %35 = load i64, i64* %30, align 8
  %36 = and i64 %35, 7
  %37 = or i64 %36, %34
  store atomic i64 %37, i64* %30 release, align 8
  br label %40

38:
  %39 = tail call i32 @barrow_update_shared_(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef %2)
  br label %40

40:
  %41 = phi i32 [ 0, %29 ], [ %39, %38 ]
  ret i32 %41
}

define linkonce_odr hidden i32 @barrow_blackhole(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 24
  %5 = load %struct.barrow_info*, %struct.barrow_info** %4, align 8
  %6 = icmp eq %struct.barrow_info* %5, null
  br i1 %6, label %16, label %7, !prof !4

7:
  %8 = bitcast i8* %1 to i64*
  %9 = getelementptr inbounds i8, i8* %1, i64 8
  %10 = bitcast i8* %9 to i64*
  store i64 0, i64* %10, align 8
  %11 = load %struct.barrow_info*, %struct.barrow_info** %4, align 8
  %12 = ptrtoint %struct.barrow_info* %11 to i64
  %13 = load i64, i64* %8, align 8
  %14 = and i64 %13, 7
  %15 = or i64 %14, %12
  store atomic i64 %15, i64* %8 release, align 8
  br label %18

16:
  %17 = tail call i32 @barrow_blackhole_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  br label %18

18:
  %19 = phi i32 [ 0, %7 ], [ %17, %16 ]
  ret i32 %19
}

declare i32 @barrow_blackhole_slow(%struct.barrow_mutator* noundef, i8* noundef)

define linkonce_odr hidden zeroext i1 @barrow_claim(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = bitcast i8* %1 to i64*
  %5 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 30
  %6 = load %struct.barrow_info*, %struct.barrow_info** %5, align 8
  %7 = icmp eq %struct.barrow_info* %6, null
  br i1 %7, label %27, label %8, !prof !4

8:
  %9 = load atomic i64, i64* %4 acquire, align 8
  %10 = and i64 %9, -8
  %11 = inttoptr i64 %10 to %struct.barrow_info*
  %12 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %11, i64 0, i32 4
  %13 = load i8, i8* %12, align 8
  switch i8 %13, label %29 [
    i8 42, label %14
    i8 33, label %14
    i8 32, label %14
  ]

14:
  %15 = load %struct.barrow_info*, %struct.barrow_info** %5, align 8
  %16 = ptrtoint %struct.barrow_info* %15 to i64
  %17 = and i64 %9, 7
  %18 = or i64 %17, %16
  %19 = cmpxchg i64* %4, i64 %9, i64 %18 monotonic monotonic, align 8
  %20 = extractvalue { i64, i1 } %19, 1
  br i1 %20, label %21, label %29

21:
  %22 = getelementptr inbounds i8, i8* %1, i64 8
  %23 = bitcast i8* %22 to i64*
  %24 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 31
  %25 = load i64, i64* %24, align 8
  %26 = cmpxchg i64* %23, i64 0, i64 %25 monotonic monotonic, align 8
  br label %29

27:
  %28 = tail call zeroext i1 @barrow_claim_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  br label %29

29:
  %30 = phi i1 [ %28, %27 ], [ true, %21 ], [ false, %8 ], [ false, %14 ]
  ret i1 %30
}

declare zeroext i1 @barrow_claim_slow(%struct.barrow_mutator* noundef, i8* noundef)

define linkonce_odr hidden %struct.barrow_info* @barrow_info_now(i8* nocapture noundef readonly %0) #0 {
  %2 = bitcast i8* %0 to i64*
  %3 = load atomic i64, i64* %2 acquire, align 8
  %4 = and i64 %3, -8
  %5 = inttoptr i64 %4 to %struct.barrow_info*
  ret %struct.barrow_info* %5
}

define linkonce_odr hidden i8* @barrow_indirectee(i8* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i64*
  %4 = load atomic i64, i64* %3 acquire, align 8
  %5 = inttoptr i64 %4 to i8*
  ret i8* %5
}

define linkonce_odr hidden %struct.barrow_frame* @barrow_frames_save(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %3 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %2, i64 0, i32 2
  %4 = load %struct.barrow_frame*, %struct.barrow_frame** %3, align 8
  ret %struct.barrow_frame* %4
}

define linkonce_odr hidden void @barrow_frames_restore(%struct.barrow_mutator* nocapture noundef writeonly %0, %struct.barrow_frame* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 2
  store %struct.barrow_frame* %1, %struct.barrow_frame** %4, align 8
  ret void
}

define linkonce_odr hidden i8* @barrow_handle_get(%struct.barrow_handle* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_handle, %struct.barrow_handle* %0, i64 0, i32 0
  %3 = load i64, i64* %2, align 8
  %4 = inttoptr i64 %3 to i8*
  ret i8* %4
}

define linkonce_odr hidden i64* @barrow_biography_at_(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 4
  %5 = load i64, i64* %4, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %13, label %7

7:
  %8 = ptrtoint i8* %1 to i64
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 3
  %10 = load i64, i64* %9, align 8
  %11 = sub i64 %8, %10
  %12 = icmp ult i64 %11, %5
  br i1 %12, label %13, label %15

13:
  %14 = tail call i64* @barrow_biography_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  br label %15

15:
  %16 = phi i64* [ %14, %13 ], [ null, %7 ]
  ret i64* %16
}

declare i64* @barrow_biography_slow(%struct.barrow_mutator* noundef, i8* noundef)

define linkonce_odr hidden void @barrow_use_unmarked_(%struct.barrow_mutator* noundef %0, i8* noundef %1) #2 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = ptrtoint i8* %1 to i64
  %5 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 3
  %6 = load i64, i64* %5, align 8
  %7 = sub i64 %4, %6
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 4
  %9 = load i64, i64* %8, align 8
  %10 = icmp ult i64 %7, %9
  br i1 %10, label %11, label %29

11:
  %12 = and i64 %4, -1048576
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 12, i64 0
  %14 = load i64, i64* %13, align 8
  %15 = add i64 %14, %12
  %16 = inttoptr i64 %15 to i64**
  %17 = load i64*, i64** %16, align 8
  %18 = icmp eq i64* %17, null
  br i1 %18, label %32, label %19

19:
  %20 = lshr i64 %4, 4
  %21 = and i64 %20, 65535
  %22 = getelementptr inbounds i64, i64* %17, i64 %21
  %23 = load atomic i64, i64* %22 monotonic, align 8
  %24 = and i64 %23, 1073741823
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 10
  %26 = load i32, i32* %25, align 8
  %27 = zext i32 %26 to i64
  %28 = icmp eq i64 %24, %27
  br i1 %28, label %32, label %31

29:
  %30 = icmp eq i64 %9, 0
  br i1 %30, label %31, label %32

31:
  tail call void @barrow_used(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  br label %32

32:
  ret void
}

declare void @barrow_used(%struct.barrow_mutator* noundef, i8* noundef)

define linkonce_odr hidden void @barrow_use(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 29
  %5 = load i8*, i8** %4, align 8
  %6 = icmp eq i8* %5, null
  br i1 %6, label %11, label %7, !prof !5

7:
  %8 = ptrtoint i8* %1 to i64
  %9 = lshr i64 %8, 4
  %10 = getelementptr inbounds i8, i8* %5, i64 %9
  store atomic i8 1, i8* %10 monotonic, align 1
  br label %16

11:
  %12 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 10
  %13 = load i32, i32* %12, align 8
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %16, label %15, !prof !5

15:
  tail call void @barrow_use_unmarked_(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  br label %16

16:
  ret void
}

define linkonce_odr hidden void @barrow_record_create(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 10
  %5 = load i32, i32* %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %24, label %7, !prof !5

7:
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 4
  %9 = load i64, i64* %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %17, label %11

11:
  %12 = ptrtoint i8* %1 to i64
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 3
  %14 = load i64, i64* %13, align 8
  %15 = sub i64 %12, %14
  %16 = icmp ult i64 %15, %9
  br i1 %16, label %17, label %24

17:
  %18 = tail call i64* @barrow_biography_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1)
  %19 = icmp eq i64* %18, null
  br i1 %19, label %24, label %20

20:
  %21 = load i32, i32* %4, align 8
  %22 = zext i32 %21 to i64
  %23 = shl nuw nsw i64 %22, 30
  store i64 %23, i64* %18, align 8
  br label %24

24:
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_weak_alive(i8* nocapture noundef readonly %0) #0 {
  %2 = bitcast i8* %0 to i64*
  %3 = load atomic i64, i64* %2 acquire, align 8
  %4 = and i64 %3, -8
  %5 = inttoptr i64 %4 to %struct.barrow_info*
  %6 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %5, i64 0, i32 4
  %7 = load i8, i8* %6, align 8
  %8 = icmp eq i8 %7, 48
  ret i1 %8
}

define linkonce_odr hidden zeroext i1 @barrow_weak_deref(i8* nocapture noundef readonly %0, i8** nocapture noundef writeonly %1) #0 {
  %3 = getelementptr inbounds i8, i8* %0, i64 16
  %4 = bitcast i8* %3 to i64*
  %5 = load atomic i64, i64* %4 acquire, align 8
  %6 = inttoptr i64 %5 to i8*
  %7 = bitcast i8* %0 to i64*
  %8 = load atomic i64, i64* %7 acquire, align 8
  %9 = and i64 %8, -8
  %10 = inttoptr i64 %9 to %struct.barrow_info*
  %11 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %10, i64 0, i32 4
  %12 = load i8, i8* %11, align 8
  %13 = icmp eq i8 %12, 48
  %14 = select i1 %13, i8* %6, i8* null
  store i8* %14, i8** %1, align 8
  ret i1 %13
}

define linkonce_odr hidden i8* @barrow_weak_key(i8* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i64*
  %4 = load atomic i64, i64* %3 acquire, align 8
  %5 = inttoptr i64 %4 to i8*
  %6 = bitcast i8* %0 to i64*
  %7 = load atomic i64, i64* %6 acquire, align 8
  %8 = and i64 %7, -8
  %9 = inttoptr i64 %8 to %struct.barrow_info*
  %10 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %9, i64 0, i32 4
  %11 = load i8, i8* %10, align 8
  %12 = icmp eq i8 %11, 48
  %13 = select i1 %12, i8* %5, i8* null
  ret i8* %13
}

define linkonce_odr hidden i64 @barrow_weak_array_words(i64 noundef %0) #0 {
  %2 = add i64 %0, 3
  %3 = icmp ult i64 %0, 1152921504606846976
  %4 = select i1 %3, i64 %2, i64 1152921504606846976
  ret i64 %4
}

define linkonce_odr hidden i64 @barrow_weak_array_length(i8* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i64*
  %4 = load i64, i64* %3, align 8
  ret i64 %4
}

define linkonce_odr hidden nonnull i8** @barrow_weak_array_elements(i8* noundef readnone %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 24
  %3 = bitcast i8* %2 to i8**
  ret i8** %3
}

define linkonce_odr hidden i8* @barrow_weak_array_init(i64* noundef writeonly %0, %struct.barrow_info* noundef %1, i64 noundef %2) #0 {
  %4 = icmp eq i64* %0, null
  br i1 %4, label %12, label %5

5:
  %6 = ptrtoint %struct.barrow_info* %1 to i64
  store i64 %6, i64* %0, align 8
  %7 = getelementptr inbounds i64, i64* %0, i64 1
  store i64 %2, i64* %7, align 8
  %8 = getelementptr inbounds i64, i64* %0, i64 2
  %9 = bitcast i64* %8 to i8*
  %10 = shl i64 %2, 3
  %11 = add i64 %10, 8
  tail call void @llvm.memset.p0i8.i64(i8* nonnull align 8 %9, i8 0, i64 %11, i1 false)
  br label %12

12:
  %13 = bitcast i64* %0 to i8*
  ret i8* %13
}

define linkonce_odr hidden i8* @barrow_weak_array_get(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i8, i8* %0, i64 24
  %4 = bitcast i8* %3 to i64*
  %5 = getelementptr inbounds i64, i64* %4, i64 %1
  %6 = load atomic i64, i64* %5 acquire, align 8
  %7 = inttoptr i64 %6 to i8*
  ret i8* %7
}

define linkonce_odr hidden void @barrow_weak_array_write(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64 noundef %2, i8* noundef %3) #0 {
  %5 = getelementptr inbounds i8, i8* %1, i64 24
  %6 = bitcast i8* %5 to i8**
  %7 = getelementptr inbounds i8*, i8** %6, i64 %2
  %8 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 4
  %10 = load i64, i64* %9, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %14, !prof !4

12:
  %13 = tail call i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i64 noundef %2, i8* noundef %3)
  br label %58

14:
  %15 = bitcast i8** %7 to i64*
  %16 = ptrtoint i8* %3 to i64
  store atomic i64 %16, i64* %15 release, align 8
  %17 = bitcast i8** %7 to i8*
  %18 = ptrtoint i8* %1 to i64
  %19 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 3
  %20 = load i64, i64* %19, align 8
  %21 = sub i64 %18, %20
  %22 = load i64, i64* %9, align 8
  %23 = icmp ult i64 %21, %22
  br i1 %23, label %24, label %55, !prof !5

24:
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 5
  %26 = load i8*, i8** %25, align 8
  %27 = lshr i64 %21, 12
  %28 = getelementptr inbounds i8, i8* %26, i64 %27
  %29 = load i8, i8* %28, align 1
  %30 = add i8 %29, 63
  %31 = and i8 %30, 56
  %32 = icmp eq i8 %31, 0
  br i1 %32, label %58, label %33, !prof !5

33:
  %34 = and i64 %16, -8
  %35 = sub i64 %34, %20
  %36 = icmp ult i64 %35, %22
  br i1 %36, label %37, label %58

37:
  %38 = lshr i64 %35, 12
  %39 = getelementptr inbounds i8, i8* %26, i64 %38
  %40 = load i8, i8* %39, align 1
  %41 = add i8 %40, 63
  %42 = and i8 %41, 56
  %43 = icmp ult i8 %42, %31
  br i1 %43, label %44, label %58

44:
  %45 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 6
  %46 = load i64*, i64** %45, align 8
  %47 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 7
  %48 = load i64*, i64** %47, align 8
  %49 = icmp eq i64* %46, %48
  %50 = ptrtoint i8** %7 to i64
  %51 = or i64 %50, 5
  br i1 %49, label %52, label %53, !prof !4

52:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %51)
  br label %58

53:
  %54 = getelementptr inbounds i64, i64* %46, i64 1
  store i64* %54, i64** %45, align 8
  store i64 %51, i64* %46, align 8
  br label %58

55:
  %56 = icmp eq i64 %22, 0
  br i1 %56, label %57, label %58

57:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef nonnull %1, i8* noundef nonnull %17)
  br label %58

58:
  ret void
}

declare i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef, i8* noundef, i64 noundef, i8* noundef)

define linkonce_odr hidden void @barrow_weak_array_write_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64 noundef %2, i64 noundef %3) #0 {
  %5 = getelementptr inbounds i8, i8* %1, i64 24
  %6 = bitcast i8* %5 to i64*
  %7 = getelementptr inbounds i64, i64* %6, i64 %2
  %8 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 4
  %10 = load i64, i64* %9, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %15, !prof !4

12:
  %13 = inttoptr i64 %3 to i8*
  %14 = tail call i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i64 noundef %2, i8* noundef %13)
  br label %17

15:
  store atomic i64 %3, i64* %7 release, align 8
  %16 = bitcast i64* %7 to i8*
  tail call void @barrow_stored_(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %1, i8* noundef nonnull %16, i64 noundef %3, i32 noundef 6)
  br label %17

17:
  ret void
}

define linkonce_odr hidden i64 @barrow_stable_name_number(i8* nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i64*
  %4 = load i64, i64* %3, align 8
  ret i64 %4
}

define linkonce_odr hidden zeroext i1 @barrow_stack_need(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 27
  %5 = load i64*, i64** %4, align 8
  %6 = icmp eq i64* %5, null
  br i1 %6, label %15, label %7, !prof !4

7:
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 26
  %9 = load i64*, i64** %8, align 8
  %10 = ptrtoint i64* %9 to i64
  %11 = ptrtoint i64* %5 to i64
  %12 = sub i64 %10, %11
  %13 = ashr exact i64 %12, 3
  %14 = icmp ult i64 %13, %1
  br i1 %14, label %15, label %17, !prof !4

15:
  %16 = tail call zeroext i1 @barrow_stack_grow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %1)
  br label %17

17:
  %18 = phi i1 [ %16, %15 ], [ true, %7 ]
  ret i1 %18
}

declare zeroext i1 @barrow_stack_grow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden i64* @barrow_stack_push(%struct.barrow_mutator* nocapture noundef %0, %struct.barrow_info* noundef %1, i64 noundef %2) #0 {
  %4 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %5 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 26
  %6 = load i64*, i64** %5, align 8
  %7 = sub i64 0, %2
  %8 = getelementptr inbounds i64, i64* %6, i64 %7
  store i64* %8, i64** %5, align 8
  %9 = ptrtoint %struct.barrow_info* %1 to i64
  store i64 %9, i64* %8, align 8
  %10 = load i64*, i64** %5, align 8
  ret i64* %10
}

define linkonce_odr hidden void @barrow_stack_pop(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 26
  %5 = load i64*, i64** %4, align 8
  %6 = getelementptr inbounds i64, i64* %5, i64 %1
  store i64* %6, i64** %4, align 8
  ret void
}

define linkonce_odr hidden %struct.barrow_info* @barrow_stack_top(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %3 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %2, i64 0, i32 26
  %4 = load i64*, i64** %3, align 8
  %5 = load i64, i64* %4, align 8
  %6 = inttoptr i64 %5 to %struct.barrow_info*
  ret %struct.barrow_info* %6
}

define linkonce_odr hidden void @barrow_stack_dirty(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
  %3 = getelementptr inbounds i8, i8* %1, i64 24
  %4 = bitcast i8* %3 to i64*
  %5 = load i64, i64* %4, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %7, label %9

7:
  store i64 1, i64* %4, align 8
  %8 = tail call i32 @barrow_record_old_to_new(%struct.barrow_mutator* noundef %0, i8* noundef nonnull %1)
  br label %9

9:
  ret void
}

declare i32 @barrow_record_old_to_new(%struct.barrow_mutator* noundef, i8* noundef)

define linkonce_odr hidden %struct.barrow_bdescr* @barrow_bdescr_of(i8* noundef %0) #0 {
  %2 = ptrtoint i8* %0 to i64
  %3 = and i64 %2, -1048576
  %4 = lshr i64 %2, 6
  %5 = and i64 %4, 16320
  %6 = or i64 %5, %3
  %7 = inttoptr i64 %6 to %struct.barrow_bdescr*
  ret %struct.barrow_bdescr* %7
}

define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_current(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %3 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %2, i64 0, i32 8
  %4 = load %struct.barrow_ccs*, %struct.barrow_ccs** %3, align 8
  ret %struct.barrow_ccs* %4
}

define linkonce_odr hidden %struct.barrow_cost* @barrow_cost_of(%struct.barrow_mutator* nocapture noundef readonly %0, %struct.barrow_ccs* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 22
  %5 = load i64, i64* %4, align 8
  %6 = ptrtoint %struct.barrow_ccs* %1 to i64
  %7 = add i64 %5, %6
  %8 = inttoptr i64 %7 to %struct.barrow_cost*
  ret %struct.barrow_cost* %8
}

define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 8
  %5 = load %struct.barrow_ccs*, %struct.barrow_ccs** %4, align 8
  %6 = getelementptr inbounds %struct.barrow_cc, %struct.barrow_cc* %1, i64 0, i32 2
  %7 = load atomic i32, i32* %6 monotonic, align 4
  %8 = and i32 %7, 3
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds %struct.barrow_ccs, %struct.barrow_ccs* %5, i64 0, i32 0, i64 %9
  %11 = bitcast %struct.barrow_ccs** %10 to i64*
  %12 = load atomic i64, i64* %11 acquire, align 8
  %13 = inttoptr i64 %12 to %struct.barrow_ccs*
  %14 = getelementptr inbounds %struct.barrow_ccs, %struct.barrow_ccs* %13, i64 0, i32 2
  %15 = load i32, i32* %14, align 4
  %16 = icmp eq i32 %15, %7
  br i1 %16, label %19, label %17, !prof !5

17:
  %18 = tail call %struct.barrow_ccs* @barrow_ccs_enter_slow(%struct.barrow_mutator* noundef nonnull %0, %struct.barrow_cc* noundef nonnull %1)
  br label %51

19:
  %20 = bitcast %struct.barrow_mutator* %0 to i64**
  %21 = load i64*, i64** %20, align 8
  %22 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 9
  %23 = load i64*, i64** %22, align 8
  %24 = icmp eq i64* %21, %23
  br i1 %24, label %43, label %25

25:
  %26 = ptrtoint i64* %21 to i64
  %27 = ptrtoint i64* %23 to i64
  %28 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %26, i64 %27)
  %29 = extractvalue { i64, i1 } %28, 1
  br i1 %29, label %30, label %32, !prof !4

30:
  %31 = tail call %struct.barrow_ccs* @barrow_ccs_enter_slow(%struct.barrow_mutator* noundef nonnull %0, %struct.barrow_cc* noundef nonnull %1)
  br label %51

32:
  %33 = extractvalue { i64, i1 } %28, 0
  %34 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 22
  %35 = load i64, i64* %34, align 8
  %36 = ptrtoint %struct.barrow_ccs* %5 to i64
  %37 = add i64 %35, %36
  %38 = inttoptr i64 %37 to %struct.barrow_cost*
  %39 = getelementptr inbounds %struct.barrow_cost, %struct.barrow_cost* %38, i64 0, i32 0
  %40 = load i64, i64* %39, align 8
  %41 = add i64 %40, %33
  store i64 %41, i64* %39, align 8
  %42 = load i64*, i64** %20, align 8
  store i64* %42, i64** %22, align 8
  br label %43

43:
  %44 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 22
  %45 = load i64, i64* %44, align 8
  %46 = add i64 %45, %12
  %47 = inttoptr i64 %46 to %struct.barrow_cost*
  %48 = getelementptr inbounds %struct.barrow_cost, %struct.barrow_cost* %47, i64 0, i32 1
  %49 = load i64, i64* %48, align 8
  %50 = add i64 %49, 1
  store i64 %50, i64* %48, align 8
  store %struct.barrow_ccs* %13, %struct.barrow_ccs** %4, align 8
  br label %51

51:
  %52 = phi %struct.barrow_ccs* [ %18, %17 ], [ %5, %43 ], [ %31, %30 ]
  ret %struct.barrow_ccs* %52
}

declare %struct.barrow_ccs* @barrow_ccs_enter_slow(%struct.barrow_mutator* noundef, %struct.barrow_cc* noundef)

declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)

define linkonce_odr hidden void @barrow_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = bitcast %struct.barrow_mutator* %0 to i64**
  %5 = load i64*, i64** %4, align 8
  %6 = ptrtoint i64* %5 to i64
  %7 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 9
  %8 = load i64*, i64** %7, align 8
  %9 = ptrtoint i64* %8 to i64
  %10 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %6, i64 %9)
  %11 = extractvalue { i64, i1 } %10, 1
  br i1 %11, label %12, label %14, !prof !4

12:
  %13 = tail call i32 @barrow_ccs_leave_slow(%struct.barrow_mutator* noundef nonnull %0, %struct.barrow_ccs* noundef %1)
  br label %27

14:
  %15 = extractvalue { i64, i1 } %10, 0
  %16 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 8
  %17 = load %struct.barrow_ccs*, %struct.barrow_ccs** %16, align 8
  %18 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 22
  %19 = load i64, i64* %18, align 8
  %20 = ptrtoint %struct.barrow_ccs* %17 to i64
  %21 = add i64 %19, %20
  %22 = inttoptr i64 %21 to %struct.barrow_cost*
  %23 = getelementptr inbounds %struct.barrow_cost, %struct.barrow_cost* %22, i64 0, i32 0
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %24, %15
  store i64 %25, i64* %23, align 8
  %26 = load i64*, i64** %4, align 8
  store i64* %26, i64** %7, align 8
  store %struct.barrow_ccs* %1, %struct.barrow_ccs** %16, align 8
  br label %27

27:
  ret void
}

declare i32 @barrow_ccs_leave_slow(%struct.barrow_mutator* noundef, %struct.barrow_ccs* noundef)

define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_enter_function(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 8
  %5 = load %struct.barrow_ccs*, %struct.barrow_ccs** %4, align 8
  %6 = icmp eq %struct.barrow_ccs* %5, %1
  br i1 %6, label %9, label %7

7:
  %8 = tail call %struct.barrow_ccs* @barrow_ccs_enter_function_slow(%struct.barrow_mutator* noundef nonnull %0, %struct.barrow_ccs* noundef %1)
  br label %9

9:
  %10 = phi %struct.barrow_ccs* [ %8, %7 ], [ %1, %2 ]
  ret %struct.barrow_ccs* %10
}

declare %struct.barrow_ccs* @barrow_ccs_enter_function_slow(%struct.barrow_mutator* noundef, %struct.barrow_ccs* noundef)

define linkonce_odr hidden %struct.barrow_entry_count* @barrow_ticky_row_(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_ticky_function, %struct.barrow_ticky_function* %1, i64 0, i32 2
  %4 = load atomic i32, i32* %3 monotonic, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %11, label %6, !prof !4

6:
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 19
  %9 = load %struct.barrow_entry_count*, %struct.barrow_entry_count** %8, align 8
  %10 = icmp eq %struct.barrow_entry_count* %9, null
  br i1 %10, label %11, label %13, !prof !4

11:
  %12 = tail call %struct.barrow_entry_count* @barrow_ticky_row(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef nonnull %1)
  br label %16

13:
  %14 = zext i32 %4 to i64
  %15 = getelementptr inbounds %struct.barrow_entry_count, %struct.barrow_entry_count* %9, i64 %14
  br label %16

16:
  %17 = phi %struct.barrow_entry_count* [ %12, %11 ], [ %15, %13 ]
  ret %struct.barrow_entry_count* %17
}

declare %struct.barrow_entry_count* @barrow_ticky_row(%struct.barrow_mutator* noundef, %struct.barrow_ticky_function* noundef)

define linkonce_odr hidden void @barrow_count_call(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_ticky_function, %struct.barrow_ticky_function* %1, i64 0, i32 2
  %4 = load atomic i32, i32* %3 monotonic, align 4
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %11, label %6, !prof !4

6:
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 19
  %9 = load %struct.barrow_entry_count*, %struct.barrow_entry_count** %8, align 8
  %10 = icmp eq %struct.barrow_entry_count* %9, null
  br i1 %10, label %11, label %13, !prof !4

11:
  %12 = tail call %struct.barrow_entry_count* @barrow_ticky_row(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef nonnull %1)
  br label %16

13:
  %14 = zext i32 %4 to i64
  %15 = getelementptr inbounds %struct.barrow_entry_count, %struct.barrow_entry_count* %9, i64 %14
  br label %16

16:
  %17 = phi %struct.barrow_entry_count* [ %12, %11 ], [ %15, %13 ]
  %18 = getelementptr inbounds %struct.barrow_entry_count, %struct.barrow_entry_count* %17, i64 0, i32 0
  %19 = load i64, i64* %18, align 8
  %20 = add i64 %19, 1
  store i64 %20, i64* %18, align 8
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_tick_decision(i64* nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
  %4 = xor i1 %2, true
  %5 = zext i1 %4 to i64
  %6 = add i64 %5, %1
  %7 = getelementptr inbounds i64, i64* %0, i64 %6
  %8 = load i64, i64* %7, align 8
  %9 = add i64 %8, 1
  store i64 %9, i64* %7, align 8
  ret i1 %2
}

define linkonce_odr hidden zeroext i1 @barrow_tick_decision_shared(i64* nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
  %4 = xor i1 %2, true
  %5 = zext i1 %4 to i64
  %6 = add i64 %5, %1
  %7 = getelementptr inbounds i64, i64* %0, i64 %6
  %8 = atomicrmw add i64* %7, i64 1 monotonic, align 8
  ret i1 %2
}

define linkonce_odr hidden void @barrow_frame_push(%struct.barrow_mutator* nocapture noundef %0, %struct.barrow_frame* noundef %1, i64 noundef %2) #0 {
  %4 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %5 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %4, i64 0, i32 2
  %6 = load %struct.barrow_frame*, %struct.barrow_frame** %5, align 8
  %7 = getelementptr inbounds %struct.barrow_frame, %struct.barrow_frame* %1, i64 0, i32 0
  store %struct.barrow_frame* %6, %struct.barrow_frame** %7, align 8
  %8 = getelementptr inbounds %struct.barrow_frame, %struct.barrow_frame* %1, i64 0, i32 1
  store i64 %2, i64* %8, align 8
  store %struct.barrow_frame* %1, %struct.barrow_frame** %5, align 8
  ret void
}

define linkonce_odr hidden void @barrow_frame_pop(%struct.barrow_mutator* nocapture noundef writeonly %0, %struct.barrow_frame* nocapture noundef readonly %1) #0 {
  %3 = getelementptr inbounds %struct.barrow_frame, %struct.barrow_frame* %1, i64 0, i32 0
  %4 = load %struct.barrow_frame*, %struct.barrow_frame** %3, align 8
  %5 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %6 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %5, i64 0, i32 2
  store %struct.barrow_frame* %4, %struct.barrow_frame** %6, align 8
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_wanted(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %3 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %2, i64 0, i32 11
  %4 = load atomic i32, i32* %3 monotonic, align 4
  %5 = icmp ne i32 %4, 0
  ret i1 %5
}

define linkonce_odr hidden i8* @barrow_get(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = bitcast i8* %0 to i8**
  %4 = getelementptr inbounds i8*, i8** %3, i64 %1
  %5 = load i8*, i8** %4, align 8
  ret i8* %5
}

define linkonce_odr hidden i64 @barrow_get_word(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = bitcast i8* %0 to i64*
  %4 = getelementptr inbounds i64, i64* %3, i64 %1
  %5 = load i64, i64* %4, align 8
  ret i64 %5
}

define linkonce_odr hidden i8* @barrow_get_published(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = bitcast i8* %0 to i8**
  %4 = getelementptr inbounds i8*, i8** %3, i64 %1
  %5 = bitcast i8** %4 to i64*
  %6 = load atomic i64, i64* %5 acquire, align 8
  %7 = inttoptr i64 %6 to i8*
  ret i8* %7
}

define linkonce_odr hidden i64 @barrow_get_word_published(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = bitcast i8* %0 to i64*
  %4 = getelementptr inbounds i64, i64* %3, i64 %1
  %5 = load atomic i64, i64* %4 acquire, align 8
  ret i64 %5
}

define linkonce_odr hidden void @barrow_set(i8* nocapture noundef writeonly %0, i64 noundef %1, i8* noundef %2) #0 {
  %4 = bitcast i8* %0 to i8**
  %5 = getelementptr inbounds i8*, i8** %4, i64 %1
  store i8* %2, i8** %5, align 8
  ret void
}

define linkonce_odr hidden void @barrow_set_word(i8* nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 {
  %4 = bitcast i8* %0 to i64*
  %5 = getelementptr inbounds i64, i64* %4, i64 %1
  store i64 %2, i64* %5, align 8
  ret void
}

define linkonce_odr hidden void @barrow_tick(i64* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, i64* %0, i64 %1
  %4 = load i64, i64* %3, align 8
  %5 = add i64 %4, 1
  store i64 %5, i64* %3, align 8
  ret void
}

define linkonce_odr hidden void @barrow_tick_shared(i64* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, i64* %0, i64 %1
  %4 = atomicrmw add i64* %3, i64 1 monotonic, align 8
  ret void
}

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
!6 = !{!"branch_weights", i32 -294967296, i32 6003000}
!7 = !{!"branch_weights", i32 4000000, i32 4001}
attributes #0 = { alwaysinline }
attributes #2 = { cold noinline }
