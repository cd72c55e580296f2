; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The rest of the inline forms for code with statepoints, for llvm-link after rewrite-statepoints-for-gc.
; SPDX-License-Identifier: MIT OR Apache-2.0

%struct.barrow_mutator = type opaque
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
%struct.barrow_cc = type { i16, i16, i32, i8*, i8*, i8* }
%struct.barrow_cost = type { i64, i64, i64, [5 x i64] }

define linkonce_odr hidden i64 addrspace(1)* @barrow_late_try_alloc(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to i64**
  %4 = load i64*, i64** %3, align 8
  %5 = icmp ugt i64 %1, 256
  br i1 %5, label %16, label %6, !prof !4

6:
  %7 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %8 = getelementptr inbounds i64, i64* %4, i64 %1
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %7, i64 0, i32 1
  %10 = bitcast i64** %9 to i64*
  %11 = load atomic i64, i64* %10 monotonic, align 8
  %12 = inttoptr i64 %11 to i64*
  %13 = icmp ugt i64* %8, %12
  br i1 %13, label %16, label %14, !prof !4

14:
  store i64* %8, i64** %3, align 8
  %15 = addrspacecast i64* %4 to i64 addrspace(1)*
  br label %16

16:
  %17 = phi i64 addrspace(1)* [ %15, %14 ], [ addrspacecast (i64* null to i64 addrspace(1)*), %6 ], [ addrspacecast (i64* null to i64 addrspace(1)*), %2 ]
  ret i64 addrspace(1)* %17
}

define linkonce_odr hidden i64 addrspace(1)* @barrow_late_bump(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to i64**
  %4 = load i64*, i64** %3, align 8
  %5 = getelementptr inbounds i64, i64* %4, i64 %1
  store i64* %5, i64** %3, align 8
  %6 = addrspacecast i64* %4 to i64 addrspace(1)*
  ret i64 addrspace(1)* %6
}

define linkonce_odr hidden zeroext i1 @barrow_late_has(%struct.barrow_mutator* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = icmp ult i64 %1, 4097
  br i1 %3, label %4, label %14

4:
  %5 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %6 = bitcast %struct.barrow_mutator* %0 to i64**
  %7 = load i64*, i64** %6, align 8
  %8 = getelementptr inbounds i64, i64* %7, i64 %1
  %9 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %5, i64 0, i32 1
  %10 = bitcast i64** %9 to i64*
  %11 = load atomic i64, i64* %10 monotonic, align 8
  %12 = inttoptr i64 %11 to i64*
  %13 = icmp ule i64* %8, %12
  br label %14

14:
  %15 = phi i1 [ false, %2 ], [ %13, %4 ]
  ret i1 %15
}

define linkonce_odr hidden void @barrow_late_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 {
  %5 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %6 = addrspacecast i8 addrspace(1)* %5 to i8*
  %7 = bitcast i64 addrspace(1)* %2 to i8 addrspace(1)*
  %8 = addrspacecast i8 addrspace(1)* %7 to i8*
  %9 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %10 = addrspacecast i8 addrspace(1)* %9 to i8*
  %11 = addrspacecast i64 addrspace(1)* %2 to i64*
  %12 = ptrtoint i8* %10 to i64
  store atomic i64 %12, i64* %11 release, align 8
  %13 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %14 = ptrtoint i8* %6 to i64
  %15 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 3
  %16 = load i64, i64* %15, align 8
  %17 = sub i64 %14, %16
  %18 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 4
  %19 = load i64, i64* %18, align 8
  %20 = icmp ult i64 %17, %19
  br i1 %20, label %21, label %51, !prof !5

21:
  %22 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 5
  %23 = load i8*, i8** %22, align 8
  %24 = lshr i64 %17, 12
  %25 = getelementptr inbounds i8, i8* %23, i64 %24
  %26 = load i8, i8* %25, align 1
  %27 = add i8 %26, 63
  %28 = and i8 %27, 56
  %29 = icmp eq i8 %28, 0
  br i1 %29, label %54, label %30, !prof !5

30:
  %31 = and i64 %12, -8
  %32 = sub i64 %31, %16
  %33 = icmp ult i64 %32, %19
  br i1 %33, label %34, label %54

34:
  %35 = lshr i64 %32, 12
  %36 = getelementptr inbounds i8, i8* %23, i64 %35
  %37 = load i8, i8* %36, align 1
  %38 = add i8 %37, 63
  %39 = and i8 %38, 56
  %40 = icmp ult i8 %39, %28
  br i1 %40, label %41, label %54

41:
  %42 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 6
  %43 = load i64*, i64** %42, align 8
  %44 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 7
  %45 = load i64*, i64** %44, align 8
  %46 = icmp eq i64* %43, %45
  %47 = ptrtoint i8* %8 to i64
  br i1 %46, label %48, label %49, !prof !4

48:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %47)
  br label %54

49:
  %50 = getelementptr inbounds i64, i64* %43, i64 1
  store i64* %50, i64** %42, align 8
  store i64 %47, i64* %43, align 8
  br label %54

51:
  %52 = icmp eq i64 %19, 0
  br i1 %52, label %53, label %54

53:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %6, i8* noundef nonnull %8)
  br label %54

54:
  ret void
}

define linkonce_odr hidden void @barrow_late_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 {
  %5 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %6 = addrspacecast i8 addrspace(1)* %5 to i8*
  %7 = addrspacecast i64 addrspace(1)* %2 to i64*
  %8 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %9 = addrspacecast i8 addrspace(1)* %8 to i8*
  %10 = ptrtoint i8* %9 to i64
  store atomic i64 %10, i64* %7 release, align 8
  %11 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %12 = ptrtoint i8* %6 to i64
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 3
  %14 = load i64, i64* %13, align 8
  %15 = sub i64 %12, %14
  %16 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 4
  %17 = load i64, i64* %16, align 8
  %18 = icmp ult i64 %15, %17
  br i1 %18, label %19, label %64, !prof !5

19:
  %20 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 5
  %21 = load i8*, i8** %20, align 8
  %22 = lshr i64 %15, 12
  %23 = getelementptr inbounds i8, i8* %21, i64 %22
  %24 = load i8, i8* %23, align 1
  %25 = add i8 %24, 63
  %26 = and i8 %25, 56
  %27 = icmp eq i8 %26, 0
  br i1 %27, label %67, label %28, !prof !5

28:
  %29 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 13
  %30 = load i16, i16* %29, align 8
  %31 = zext i16 %30 to i32
  %32 = trunc i64 %10 to i32
  %33 = and i32 %32, 15
  %34 = shl nuw nsw i32 1, %33
  %35 = and i32 %34, %31
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %67, label %37

37:
  %38 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 15
  %39 = load i64, i64* %38, align 8
  %40 = and i64 %39, %10
  %41 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 16
  %42 = load i64, i64* %41, align 8
  %43 = sub i64 %42, %14
  %44 = add i64 %43, %40
  %45 = icmp ult i64 %44, %17
  br i1 %45, label %46, label %67

46:
  %47 = lshr i64 %44, 12
  %48 = getelementptr inbounds i8, i8* %21, i64 %47
  %49 = load i8, i8* %48, align 1
  %50 = add i8 %49, 63
  %51 = and i8 %50, 56
  %52 = icmp ult i8 %51, %26
  br i1 %52, label %53, label %67

53:
  %54 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 6
  %55 = load i64*, i64** %54, align 8
  %56 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %11, i64 0, i32 7
  %57 = load i64*, i64** %56, align 8
  %58 = icmp eq i64* %55, %57
  %59 = ptrtoint i64* %7 to i64
  %60 = or i64 %59, 1
  br i1 %58, label %61, label %62, !prof !4

61:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %60)
  br label %67

62:
  %63 = getelementptr inbounds i64, i64* %55, i64 1
  store i64* %63, i64** %54, align 8
  store i64 %60, i64* %55, align 8
  br label %67

64:
  %65 = icmp eq i64 %17, 0
  br i1 %65, label %66, label %67

66:
  tail call void @barrow_wrote_word(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %6, i64* noundef nonnull %7)
  br label %67

67:
  ret void
}

define linkonce_odr hidden void @barrow_late_weak_array_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3) #0 {
  %5 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %6 = addrspacecast i8 addrspace(1)* %5 to i8*
  %7 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %8 = addrspacecast i8 addrspace(1)* %7 to i8*
  %9 = getelementptr inbounds i64, i64 addrspace(1)* %1, i64 3
  %10 = getelementptr inbounds i64, i64 addrspace(1)* %9, i64 %2
  %11 = bitcast i64 addrspace(1)* %10 to i8* addrspace(1)*
  %12 = addrspacecast i8* addrspace(1)* %11 to i8**
  %13 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %14 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 4
  %15 = load i64, i64* %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %19, !prof !4

17:
  %18 = tail call i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %6, i64 noundef %2, i8* noundef %8)
  br label %64

19:
  %20 = addrspacecast i64 addrspace(1)* %10 to i64*
  %21 = ptrtoint i8* %8 to i64
  store atomic i64 %21, i64* %20 release, align 8
  %22 = bitcast i64 addrspace(1)* %10 to i8 addrspace(1)*
  %23 = addrspacecast i8 addrspace(1)* %22 to i8*
  %24 = ptrtoint i8* %6 to i64
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 3
  %26 = load i64, i64* %25, align 8
  %27 = sub i64 %24, %26
  %28 = load i64, i64* %14, align 8
  %29 = icmp ult i64 %27, %28
  br i1 %29, label %30, label %61, !prof !5

30:
  %31 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 5
  %32 = load i8*, i8** %31, align 8
  %33 = lshr i64 %27, 12
  %34 = getelementptr inbounds i8, i8* %32, i64 %33
  %35 = load i8, i8* %34, align 1
  %36 = add i8 %35, 63
  %37 = and i8 %36, 56
  %38 = icmp eq i8 %37, 0
  br i1 %38, label %64, label %39, !prof !5

39:
  %40 = and i64 %21, -8
  %41 = sub i64 %40, %26
  %42 = icmp ult i64 %41, %28
  br i1 %42, label %43, label %64

43:
  %44 = lshr i64 %41, 12
  %45 = getelementptr inbounds i8, i8* %32, i64 %44
  %46 = load i8, i8* %45, align 1
  %47 = add i8 %46, 63
  %48 = and i8 %47, 56
  %49 = icmp ult i8 %48, %37
  br i1 %49, label %50, label %64

50:
  %51 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 6
  %52 = load i64*, i64** %51, align 8
  %53 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 7
  %54 = load i64*, i64** %53, align 8
  %55 = icmp eq i64* %52, %54
  %56 = ptrtoint i8** %12 to i64
  %57 = or i64 %56, 5
  br i1 %55, label %58, label %59, !prof !4

58:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %57)
  br label %64

59:
  %60 = getelementptr inbounds i64, i64* %52, i64 1
  store i64* %60, i64** %51, align 8
  store i64 %57, i64* %52, align 8
  br label %64

61:
  %62 = icmp eq i64 %28, 0
  br i1 %62, label %63, label %64

63:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef nonnull %6, i8* noundef nonnull %23)
  br label %64

64:
  ret void
}

define linkonce_odr hidden void @barrow_late_weak_array_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3) #0 {
  %5 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %6 = addrspacecast i8 addrspace(1)* %5 to i8*
  %7 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %8 = addrspacecast i8 addrspace(1)* %7 to i8*
  %9 = ptrtoint i8* %8 to i64
  %10 = getelementptr inbounds i64, i64 addrspace(1)* %1, i64 3
  %11 = getelementptr inbounds i64, i64 addrspace(1)* %10, i64 %2
  %12 = addrspacecast i64 addrspace(1)* %11 to i64*
  %13 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %14 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 4
  %15 = load i64, i64* %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %19, !prof !4

17:
  %18 = tail call i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %6, i64 noundef %2, i8* noundef %8)
  br label %76

19:
  store atomic i64 %9, i64* %12 release, align 8
  %20 = bitcast i64 addrspace(1)* %11 to i8 addrspace(1)*
  %21 = addrspacecast i8 addrspace(1)* %20 to i8*
  %22 = ptrtoint i8* %6 to i64
  %23 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 3
  %24 = load i64, i64* %23, align 8
  %25 = sub i64 %22, %24
  %26 = load i64, i64* %14, align 8
  %27 = icmp ult i64 %25, %26
  br i1 %27, label %28, label %73, !prof !5

28:
  %29 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 5
  %30 = load i8*, i8** %29, align 8
  %31 = lshr i64 %25, 12
  %32 = getelementptr inbounds i8, i8* %30, i64 %31
  %33 = load i8, i8* %32, align 1
  %34 = add i8 %33, 63
  %35 = and i8 %34, 56
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %76, label %37, !prof !5

37:
  %38 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 13
  %39 = load i16, i16* %38, align 8
  %40 = zext i16 %39 to i32
  %41 = trunc i64 %9 to i32
  %42 = and i32 %41, 15
  %43 = shl nuw nsw i32 1, %42
  %44 = and i32 %43, %40
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %76, label %46

46:
  %47 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 15
  %48 = load i64, i64* %47, align 8
  %49 = and i64 %48, %9
  %50 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 16
  %51 = load i64, i64* %50, align 8
  %52 = sub i64 %51, %24
  %53 = add i64 %52, %49
  %54 = icmp ult i64 %53, %26
  br i1 %54, label %55, label %76

55:
  %56 = lshr i64 %53, 12
  %57 = getelementptr inbounds i8, i8* %30, i64 %56
  %58 = load i8, i8* %57, align 1
  %59 = add i8 %58, 63
  %60 = and i8 %59, 56
  %61 = icmp ult i8 %60, %35
  br i1 %61, label %62, label %76

62:
  %63 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 6
  %64 = load i64*, i64** %63, align 8
  %65 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %13, i64 0, i32 7
  %66 = load i64*, i64** %65, align 8
  %67 = icmp eq i64* %64, %66
  %68 = ptrtoint i64* %12 to i64
  %69 = or i64 %68, 6
  br i1 %67, label %70, label %71, !prof !4

70:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %69)
  br label %76

71:
  %72 = getelementptr inbounds i64, i64* %64, i64 1
  store i64* %72, i64** %63, align 8
  store i64 %69, i64* %64, align 8
  br label %76

73:
  %74 = icmp eq i64 %26, 0
  br i1 %74, label %75, label %76

75:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef nonnull %6, i8* noundef nonnull %21)
  br label %76

76:
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_late_cas(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 {
  %6 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %7 = addrspacecast i8 addrspace(1)* %6 to i8*
  %8 = bitcast i64 addrspace(1)* %2 to i8 addrspace(1)*
  %9 = addrspacecast i8 addrspace(1)* %8 to i8*
  %10 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %11 = addrspacecast i8 addrspace(1)* %10 to i8*
  %12 = bitcast i64 addrspace(1)* %4 to i8 addrspace(1)*
  %13 = addrspacecast i8 addrspace(1)* %12 to i8*
  %14 = addrspacecast i64 addrspace(1)* %2 to i64*
  %15 = ptrtoint i8* %11 to i64
  %16 = ptrtoint i8* %13 to i64
  %17 = cmpxchg i64* %14, i64 %15, i64 %16 acq_rel acquire, align 8
  %18 = extractvalue { i64, i1 } %17, 1
  br i1 %18, label %19, label %61

19:
  %20 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %21 = ptrtoint i8* %7 to i64
  %22 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %20, i64 0, i32 3
  %23 = load i64, i64* %22, align 8
  %24 = sub i64 %21, %23
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %20, i64 0, i32 4
  %26 = load i64, i64* %25, align 8
  %27 = icmp ult i64 %24, %26
  br i1 %27, label %28, label %58, !prof !5

28:
  %29 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %20, i64 0, i32 5
  %30 = load i8*, i8** %29, align 8
  %31 = lshr i64 %24, 12
  %32 = getelementptr inbounds i8, i8* %30, i64 %31
  %33 = load i8, i8* %32, align 1
  %34 = add i8 %33, 63
  %35 = and i8 %34, 56
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %61, label %37, !prof !5

37:
  %38 = and i64 %16, -8
  %39 = sub i64 %38, %23
  %40 = icmp ult i64 %39, %26
  br i1 %40, label %41, label %61

41:
  %42 = lshr i64 %39, 12
  %43 = getelementptr inbounds i8, i8* %30, i64 %42
  %44 = load i8, i8* %43, align 1
  %45 = add i8 %44, 63
  %46 = and i8 %45, 56
  %47 = icmp ult i8 %46, %35
  br i1 %47, label %48, label %61

48:
  %49 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %20, i64 0, i32 6
  %50 = load i64*, i64** %49, align 8
  %51 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %20, i64 0, i32 7
  %52 = load i64*, i64** %51, align 8
  %53 = icmp eq i64* %50, %52
  %54 = ptrtoint i8* %9 to i64
  br i1 %53, label %55, label %56, !prof !4

55:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %54)
  br label %61

56:
  %57 = getelementptr inbounds i64, i64* %50, i64 1
  store i64* %57, i64** %49, align 8
  store i64 %54, i64* %50, align 8
  br label %61

58:
  %59 = icmp eq i64 %26, 0
  br i1 %59, label %60, label %61

60:
  tail call void @barrow_wrote(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %7, i8* noundef %9)
  br label %61

61:
  ret i1 %18
}

define linkonce_odr hidden zeroext i1 @barrow_late_cas_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 {
  %6 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %7 = addrspacecast i8 addrspace(1)* %6 to i8*
  %8 = addrspacecast i64 addrspace(1)* %2 to i64*
  %9 = bitcast i64 addrspace(1)* %3 to i8 addrspace(1)*
  %10 = addrspacecast i8 addrspace(1)* %9 to i8*
  %11 = ptrtoint i8* %10 to i64
  %12 = bitcast i64 addrspace(1)* %4 to i8 addrspace(1)*
  %13 = addrspacecast i8 addrspace(1)* %12 to i8*
  %14 = ptrtoint i8* %13 to i64
  %15 = cmpxchg i64* %8, i64 %11, i64 %14 acq_rel acquire, align 8
  %16 = extractvalue { i64, i1 } %15, 1
  br i1 %16, label %17, label %74

17:
  %18 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %19 = ptrtoint i8* %7 to i64
  %20 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 3
  %21 = load i64, i64* %20, align 8
  %22 = sub i64 %19, %21
  %23 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 4
  %24 = load i64, i64* %23, align 8
  %25 = icmp ult i64 %22, %24
  br i1 %25, label %26, label %71, !prof !5

26:
  %27 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 5
  %28 = load i8*, i8** %27, align 8
  %29 = lshr i64 %22, 12
  %30 = getelementptr inbounds i8, i8* %28, i64 %29
  %31 = load i8, i8* %30, align 1
  %32 = add i8 %31, 63
  %33 = and i8 %32, 56
  %34 = icmp eq i8 %33, 0
  br i1 %34, label %74, label %35, !prof !5

35:
  %36 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 13
  %37 = load i16, i16* %36, align 8
  %38 = zext i16 %37 to i32
  %39 = trunc i64 %14 to i32
  %40 = and i32 %39, 15
  %41 = shl nuw nsw i32 1, %40
  %42 = and i32 %41, %38
  %43 = icmp eq i32 %42, 0
  br i1 %43, label %74, label %44

44:
  %45 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 15
  %46 = load i64, i64* %45, align 8
  %47 = and i64 %46, %14
  %48 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 16
  %49 = load i64, i64* %48, align 8
  %50 = sub i64 %49, %21
  %51 = add i64 %50, %47
  %52 = icmp ult i64 %51, %24
  br i1 %52, label %53, label %74

53:
  %54 = lshr i64 %51, 12
  %55 = getelementptr inbounds i8, i8* %28, i64 %54
  %56 = load i8, i8* %55, align 1
  %57 = add i8 %56, 63
  %58 = and i8 %57, 56
  %59 = icmp ult i8 %58, %33
  br i1 %59, label %60, label %74

60:
  %61 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 6
  %62 = load i64*, i64** %61, align 8
  %63 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %18, i64 0, i32 7
  %64 = load i64*, i64** %63, align 8
  %65 = icmp eq i64* %62, %64
  %66 = ptrtoint i64* %8 to i64
  %67 = or i64 %66, 1
  br i1 %65, label %68, label %69, !prof !4

68:
  tail call void @barrow_remember_slow(%struct.barrow_mutator* noundef nonnull %0, i64 noundef %67)
  br label %74

69:
  %70 = getelementptr inbounds i64, i64* %62, i64 1
  store i64* %70, i64** %61, align 8
  store i64 %67, i64* %62, align 8
  br label %74

71:
  %72 = icmp eq i64 %24, 0
  br i1 %72, label %73, label %74

73:
  tail call void @barrow_wrote_word(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %7, i64* noundef %8)
  br label %74

74:
  ret i1 %16
}

define linkonce_odr hidden i32 @barrow_late_update(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2) #0 {
  %4 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %5 = addrspacecast i8 addrspace(1)* %4 to i8*
  %6 = bitcast i64 addrspace(1)* %2 to i8 addrspace(1)*
  %7 = addrspacecast i8 addrspace(1)* %6 to i8*
  %8 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %9 = ptrtoint i8* %5 to i64
  %10 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 3
  %11 = load i64, i64* %10, align 8
  %12 = sub i64 %9, %11
  %13 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 23
  %14 = load %struct.barrow_info*, %struct.barrow_info** %13, align 8
  %15 = icmp eq %struct.barrow_info* %14, null
  br i1 %15, label %42, label %16, !prof !4

16:
  %17 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 4
  %18 = load i64, i64* %17, align 8
  %19 = icmp ult i64 %12, %18
  %20 = ptrtoint i8* %7 to i64
  %21 = xor i64 %20, %9
  %22 = icmp ugt i64 %21, 7
  %23 = and i1 %22, %19
  br i1 %23, label %24, label %42, !prof !6

24:
  %25 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 5
  %26 = load i8*, i8** %25, align 8
  %27 = lshr i64 %12, 12
  %28 = getelementptr inbounds i8, i8* %26, i64 %27
  %29 = load i8, i8* %28, align 1
  %30 = add i8 %29, 63
  %31 = and i8 %30, 56
  %32 = icmp eq i8 %31, 0
  br i1 %32, label %33, label %42, !prof !5

33:
  %34 = addrspacecast i64 addrspace(1)* %1 to i64*
  %35 = getelementptr inbounds i64, i64 addrspace(1)* %1, i64 1
  %36 = addrspacecast i64 addrspace(1)* %35 to i64*
  store i64 %20, i64* %36, align 8
  %37 = load %struct.barrow_info*, %struct.barrow_info** %13, align 8
  %38 = ptrtoint %struct.barrow_info* %37 to i64
  %39 = load i64, i64* %34, align 8
  %40 = and i64 %39, 7
  %41 = or i64 %40, %38
  store atomic i64 %41, i64* %34 release, align 8
  br label %84

42:
  %43 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 32
  %44 = load %struct.barrow_info*, %struct.barrow_info** %43, align 8
  %45 = icmp eq %struct.barrow_info* %44, null
  br i1 %45, label %82, label %46, !prof !4

46:
  %47 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 4
  %48 = load i64, i64* %47, align 8
  %49 = icmp ult i64 %12, %48
  br i1 %49, label %50, label %82, !prof !5

50:
  %51 = ptrtoint i8* %7 to i64
  %52 = xor i64 %51, %9
  %53 = icmp ugt i64 %52, 7
  %54 = icmp ne i8* %7, null
  %55 = and i1 %54, %53
  %56 = and i64 %9, 7
  %57 = icmp eq i64 %56, 0
  %58 = and i1 %57, %55
  br i1 %58, label %59, label %82, !prof !7

59:
  %60 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %8, i64 0, i32 5
  %61 = load i8*, i8** %60, align 8
  %62 = lshr i64 %12, 12
  %63 = getelementptr inbounds i8, i8* %61, i64 %62
  %64 = load i8, i8* %63, align 1
  %65 = add i8 %64, 63
  %66 = and i8 %65, 56
  %67 = icmp eq i8 %66, 0
  br i1 %67, label %68, label %82, !prof !5

68:
  %69 = addrspacecast i64 addrspace(1)* %1 to i64*
  %70 = load atomic i64, i64* %69 acquire, align 8
  %71 = and i64 %70, -8
  %72 = inttoptr i64 %71 to %struct.barrow_info*
  %73 = getelementptr inbounds %struct.barrow_info, %struct.barrow_info* %72, i64 0, i32 4
  %74 = load i8, i8* %73, align 8
  switch i8 %74, label %84 [
    i8 32, label %75
    i8 33, label %75
    i8 42, label %75
    i8 38, label %75
    i8 39, label %75
  ]

75:
  %76 = getelementptr inbounds i64, i64 addrspace(1)* %1, i64 1
  %77 = addrspacecast i64 addrspace(1)* %76 to i64*
  store atomic i64 %51, i64* %77 release, align 8
  %78 = load %struct.barrow_info*, %struct.barrow_info** %43, align 8
  %79 = ptrtoint %struct.barrow_info* %78 to i64
  %80 = and i64 %70, 7
  %81 = or i64 %80, %79
  store atomic i64 %81, i64* %69 release, align 8
  br label %84

82:
  %83 = tail call i32 @barrow_update_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %5, i8* noundef %7)
  br label %84

84:
  %85 = phi i32 [ 0, %33 ], [ %83, %82 ], [ 0, %68 ], [ 0, %75 ]
  ret i32 %85
}

define linkonce_odr hidden zeroext i1 @barrow_late_claim(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1) #0 {
  %3 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %4 = addrspacecast i64 addrspace(1)* %1 to i64*
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
  switch i8 %13, label %31 [
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
  br i1 %20, label %21, label %31

21:
  %22 = getelementptr inbounds i64, i64 addrspace(1)* %1, i64 1
  %23 = addrspacecast i64 addrspace(1)* %22 to i64*
  %24 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %3, i64 0, i32 31
  %25 = load i64, i64* %24, align 8
  %26 = cmpxchg i64* %23, i64 0, i64 %25 monotonic monotonic, align 8
  br label %31

27:
  %28 = bitcast i64 addrspace(1)* %1 to i8 addrspace(1)*
  %29 = addrspacecast i8 addrspace(1)* %28 to i8*
  %30 = tail call zeroext i1 @barrow_claim_slow(%struct.barrow_mutator* noundef nonnull %0, i8* noundef %29)
  br label %31

31:
  %32 = phi i1 [ %30, %27 ], [ true, %21 ], [ false, %8 ], [ false, %14 ]
  ret i1 %32
}

define linkonce_odr hidden i64 addrspace(1)* @barrow_late_get_published(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  %4 = load atomic i64, i64 addrspace(1)* %3 acquire, align 8
  %5 = inttoptr i64 %4 to i64 addrspace(1)*
  ret i64 addrspace(1)* %5
}

define linkonce_odr hidden %struct.barrow_ccs* @barrow_late_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 {
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

define linkonce_odr hidden void @barrow_late_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
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

define linkonce_odr hidden zeroext i1 @barrow_late_wanted(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
  %2 = bitcast %struct.barrow_mutator* %0 to %struct.barrow_window*
  %3 = getelementptr inbounds %struct.barrow_window, %struct.barrow_window* %2, i64 0, i32 11
  %4 = load atomic i32, i32* %3 monotonic, align 4
  %5 = icmp ne i32 %4, 0
  ret i1 %5
}

declare void @barrow_remember_slow(%struct.barrow_mutator* noundef, i64 noundef)

declare void @barrow_wrote_word(%struct.barrow_mutator* noundef, i8* noundef, i64* noundef)

declare void @barrow_wrote(%struct.barrow_mutator* noundef, i8* noundef, i8* noundef)

declare i32 @barrow_weak_array_set(%struct.barrow_mutator* noundef, i8* noundef, i64 noundef, i8* noundef)

declare i32 @barrow_update_slow(%struct.barrow_mutator* noundef, i8* noundef, i8* noundef)

declare zeroext i1 @barrow_claim_slow(%struct.barrow_mutator* noundef, i8* noundef)

declare %struct.barrow_ccs* @barrow_ccs_enter_slow(%struct.barrow_mutator* noundef, %struct.barrow_cc* noundef)

declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)

declare i32 @barrow_ccs_leave_slow(%struct.barrow_mutator* noundef, %struct.barrow_ccs* noundef)

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
!6 = !{!"branch_weights", i32 4000000, i32 4001}
!7 = !{!"branch_weights", i32 -294967296, i32 6003000}
attributes #0 = { alwaysinline }
