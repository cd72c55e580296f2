; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The rest of the inline forms for code with statepoints, for llvm-link after rewrite-statepoints-for-gc.
; SPDX-License-Identifier: MIT OR Apache-2.0

%struct.barrow_window = type { ptr, ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, ptr, i32, i32, [3 x i64], i16, [3 x i16], i64, i64, ptr, i64, ptr, ptr, [4 x ptr], i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, [3 x i64] }
%struct.barrow_info = type { i16, i16, i32, ptr, i8, i8, i16, i32, i32, i32, i64, ptr, ptr, ptr, ptr }
%struct.barrow_cc = type { i16, i16, i32, ptr, ptr, ptr }
%struct.barrow_ccs = type { [4 x ptr], i32, i32, i32, i32, ptr, i64 }
%struct.barrow_cost = type { i64, i64, i64, [5 x i64] }

define linkonce_odr hidden ptr addrspace(1) @barrow_late_try_alloc(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = icmp ugt i64 %1, 256
  br i1 %4, label %13, label %5, !prof !4

5:
  %6 = getelementptr inbounds i64, ptr %3, i64 %1
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 1
  %8 = load atomic i64, ptr %7 monotonic, align 8
  %9 = inttoptr i64 %8 to ptr
  %10 = icmp ugt ptr %6, %9
  br i1 %10, label %13, label %11, !prof !4

11:
  store ptr %6, ptr %0, align 8
  %12 = addrspacecast ptr %3 to ptr addrspace(1)
  br label %13

13:
  %14 = phi ptr addrspace(1) [ %12, %11 ], [ addrspacecast (ptr null to ptr addrspace(1)), %5 ], [ addrspacecast (ptr null to ptr addrspace(1)), %2 ]
  ret ptr addrspace(1) %14
}

define linkonce_odr hidden ptr addrspace(1) @barrow_late_bump(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds i64, ptr %3, i64 %1
  store ptr %4, ptr %0, align 8
  %5 = addrspacecast ptr %3 to ptr addrspace(1)
  ret ptr addrspace(1) %5
}

define linkonce_odr hidden zeroext i1 @barrow_late_has(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = icmp ult i64 %1, 4097
  br i1 %3, label %4, label %11

4:
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds i64, ptr %5, i64 %1
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 1
  %8 = load atomic i64, ptr %7 monotonic, align 8
  %9 = inttoptr i64 %8 to ptr
  %10 = icmp ule ptr %6, %9
  br label %11

11:
  %12 = phi i1 [ false, %2 ], [ %10, %4 ]
  ret i1 %12
}

define linkonce_odr hidden void @barrow_late_write(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 {
  %5 = addrspacecast ptr addrspace(1) %1 to ptr
  %6 = addrspacecast ptr addrspace(1) %2 to ptr
  %7 = addrspacecast ptr addrspace(1) %3 to ptr
  %8 = ptrtoint ptr %7 to i64
  store atomic i64 %8, ptr %6 release, align 8
  %9 = ptrtoint ptr %5 to i64
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %11 = load i64, ptr %10, align 8
  %12 = sub i64 %9, %11
  %13 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %14 = load i64, ptr %13, align 8
  %15 = icmp ult i64 %12, %14
  br i1 %15, label %16, label %46, !prof !5

16:
  %17 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %18 = load ptr, ptr %17, align 8
  %19 = lshr i64 %12, 12
  %20 = getelementptr inbounds i8, ptr %18, i64 %19
  %21 = load i8, ptr %20, align 1
  %22 = add i8 %21, 63
  %23 = and i8 %22, 56
  %24 = icmp eq i8 %23, 0
  br i1 %24, label %49, label %25, !prof !5

25:
  %26 = and i64 %8, -8
  %27 = sub i64 %26, %11
  %28 = icmp ult i64 %27, %14
  br i1 %28, label %29, label %49

29:
  %30 = lshr i64 %27, 12
  %31 = getelementptr inbounds i8, ptr %18, i64 %30
  %32 = load i8, ptr %31, align 1
  %33 = add i8 %32, 63
  %34 = and i8 %33, 56
  %35 = icmp ult i8 %34, %23
  br i1 %35, label %36, label %49

36:
  %37 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %40 = load ptr, ptr %39, align 8
  %41 = icmp eq ptr %38, %40
  %42 = ptrtoint ptr %6 to i64
  br i1 %41, label %43, label %44, !prof !4

43:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %42)
  br label %49

44:
  %45 = getelementptr inbounds i64, ptr %38, i64 1
  store ptr %45, ptr %37, align 8
  store i64 %42, ptr %38, align 8
  br label %49

46:
  %47 = icmp eq i64 %14, 0
  br i1 %47, label %48, label %49

48:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef %5, ptr noundef nonnull %6)
  br label %49

49:
  ret void
}

define linkonce_odr hidden void @barrow_late_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 {
  %5 = addrspacecast ptr addrspace(1) %1 to ptr
  %6 = addrspacecast ptr addrspace(1) %2 to ptr
  %7 = addrspacecast ptr addrspace(1) %3 to ptr
  %8 = ptrtoint ptr %7 to i64
  store atomic i64 %8, ptr %6 release, align 8
  %9 = ptrtoint ptr %5 to i64
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %11 = load i64, ptr %10, align 8
  %12 = sub i64 %9, %11
  %13 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %14 = load i64, ptr %13, align 8
  %15 = icmp ult i64 %12, %14
  br i1 %15, label %16, label %61, !prof !5

16:
  %17 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %18 = load ptr, ptr %17, align 8
  %19 = lshr i64 %12, 12
  %20 = getelementptr inbounds i8, ptr %18, i64 %19
  %21 = load i8, ptr %20, align 1
  %22 = add i8 %21, 63
  %23 = and i8 %22, 56
  %24 = icmp eq i8 %23, 0
  br i1 %24, label %64, label %25, !prof !5

25:
  %26 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 13
  %27 = load i16, ptr %26, align 8
  %28 = zext i16 %27 to i32
  %29 = trunc i64 %8 to i32
  %30 = and i32 %29, 15
  %31 = shl nuw nsw i32 1, %30
  %32 = and i32 %31, %28
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %64, label %34

34:
  %35 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 15
  %36 = load i64, ptr %35, align 8
  %37 = and i64 %36, %8
  %38 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 16
  %39 = load i64, ptr %38, align 8
  %40 = sub i64 %39, %11
  %41 = add i64 %40, %37
  %42 = icmp ult i64 %41, %14
  br i1 %42, label %43, label %64

43:
  %44 = lshr i64 %41, 12
  %45 = getelementptr inbounds i8, ptr %18, i64 %44
  %46 = load i8, ptr %45, align 1
  %47 = add i8 %46, 63
  %48 = and i8 %47, 56
  %49 = icmp ult i8 %48, %23
  br i1 %49, label %50, label %64

50:
  %51 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %52 = load ptr, ptr %51, align 8
  %53 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %52, %54
  %56 = ptrtoint ptr %6 to i64
  %57 = or i64 %56, 1
  br i1 %55, label %58, label %59, !prof !4

58:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %57)
  br label %64

59:
  %60 = getelementptr inbounds i64, ptr %52, i64 1
  store ptr %60, ptr %51, align 8
  store i64 %57, ptr %52, align 8
  br label %64

61:
  %62 = icmp eq i64 %14, 0
  br i1 %62, label %63, label %64

63:
  tail call void @barrow_wrote_word(ptr noundef nonnull %0, ptr noundef %5, ptr noundef nonnull %6)
  br label %64

64:
  ret void
}

define linkonce_odr hidden void @barrow_late_weak_array_write(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3) #0 {
  %5 = addrspacecast ptr addrspace(1) %1 to ptr
  %6 = addrspacecast ptr addrspace(1) %3 to ptr
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %12, !prof !4

10:
  %11 = tail call i32 @barrow_weak_array_set(ptr noundef nonnull %0, ptr noundef %5, i64 noundef %2, ptr noundef %6)
  br label %56

12:
  %13 = getelementptr inbounds i64, ptr %5, i64 3
  %14 = getelementptr inbounds ptr, ptr %13, i64 %2
  %15 = ptrtoint ptr %6 to i64
  store atomic i64 %15, ptr %14 release, align 8
  %16 = ptrtoint ptr %5 to i64
  %17 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %18 = load i64, ptr %17, align 8
  %19 = sub i64 %16, %18
  %20 = load i64, ptr %7, align 8
  %21 = icmp ult i64 %19, %20
  br i1 %21, label %22, label %53, !prof !5

22:
  %23 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %24 = load ptr, ptr %23, align 8
  %25 = lshr i64 %19, 12
  %26 = getelementptr inbounds i8, ptr %24, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = add i8 %27, 63
  %29 = and i8 %28, 56
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %56, label %31, !prof !5

31:
  %32 = and i64 %15, -8
  %33 = sub i64 %32, %18
  %34 = icmp ult i64 %33, %20
  br i1 %34, label %35, label %56

35:
  %36 = lshr i64 %33, 12
  %37 = getelementptr inbounds i8, ptr %24, i64 %36
  %38 = load i8, ptr %37, align 1
  %39 = add i8 %38, 63
  %40 = and i8 %39, 56
  %41 = icmp ult i8 %40, %29
  br i1 %41, label %42, label %56

42:
  %43 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %44, %46
  %48 = ptrtoint ptr %14 to i64
  %49 = or i64 %48, 5
  br i1 %47, label %50, label %51, !prof !4

50:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %49)
  br label %56

51:
  %52 = getelementptr inbounds i64, ptr %44, i64 1
  store ptr %52, ptr %43, align 8
  store i64 %49, ptr %44, align 8
  br label %56

53:
  %54 = icmp eq i64 %20, 0
  br i1 %54, label %55, label %56

55:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef nonnull %5, ptr noundef nonnull %14)
  br label %56

56:
  ret void
}

define linkonce_odr hidden void @barrow_late_weak_array_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3) #0 {
  %5 = addrspacecast ptr addrspace(1) %1 to ptr
  %6 = addrspacecast ptr addrspace(1) %3 to ptr
  %7 = ptrtoint ptr %6 to i64
  %8 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %9 = load i64, ptr %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %11, label %13, !prof !4

11:
  %12 = tail call i32 @barrow_weak_array_set(ptr noundef nonnull %0, ptr noundef %5, i64 noundef %2, ptr noundef %6)
  br label %70

13:
  %14 = getelementptr inbounds i64, ptr %5, i64 3
  %15 = getelementptr inbounds i64, ptr %14, i64 %2
  store atomic i64 %7, ptr %15 release, align 8
  %16 = ptrtoint ptr %5 to i64
  %17 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %18 = load i64, ptr %17, align 8
  %19 = sub i64 %16, %18
  %20 = load i64, ptr %8, align 8
  %21 = icmp ult i64 %19, %20
  br i1 %21, label %22, label %67, !prof !5

22:
  %23 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %24 = load ptr, ptr %23, align 8
  %25 = lshr i64 %19, 12
  %26 = getelementptr inbounds i8, ptr %24, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = add i8 %27, 63
  %29 = and i8 %28, 56
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %70, label %31, !prof !5

31:
  %32 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 13
  %33 = load i16, ptr %32, align 8
  %34 = zext i16 %33 to i32
  %35 = trunc i64 %7 to i32
  %36 = and i32 %35, 15
  %37 = shl nuw nsw i32 1, %36
  %38 = and i32 %37, %34
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %70, label %40

40:
  %41 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 15
  %42 = load i64, ptr %41, align 8
  %43 = and i64 %42, %7
  %44 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 16
  %45 = load i64, ptr %44, align 8
  %46 = sub i64 %45, %18
  %47 = add i64 %46, %43
  %48 = icmp ult i64 %47, %20
  br i1 %48, label %49, label %70

49:
  %50 = lshr i64 %47, 12
  %51 = getelementptr inbounds i8, ptr %24, i64 %50
  %52 = load i8, ptr %51, align 1
  %53 = add i8 %52, 63
  %54 = and i8 %53, 56
  %55 = icmp ult i8 %54, %29
  br i1 %55, label %56, label %70

56:
  %57 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %60 = load ptr, ptr %59, align 8
  %61 = icmp eq ptr %58, %60
  %62 = ptrtoint ptr %15 to i64
  %63 = or i64 %62, 6
  br i1 %61, label %64, label %65, !prof !4

64:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %63)
  br label %70

65:
  %66 = getelementptr inbounds i64, ptr %58, i64 1
  store ptr %66, ptr %57, align 8
  store i64 %63, ptr %58, align 8
  br label %70

67:
  %68 = icmp eq i64 %20, 0
  br i1 %68, label %69, label %70

69:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef nonnull %5, ptr noundef nonnull %15)
  br label %70

70:
  ret void
}

define linkonce_odr hidden zeroext i1 @barrow_late_cas(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 {
  %6 = addrspacecast ptr addrspace(1) %1 to ptr
  %7 = addrspacecast ptr addrspace(1) %2 to ptr
  %8 = addrspacecast ptr addrspace(1) %3 to ptr
  %9 = addrspacecast ptr addrspace(1) %4 to ptr
  %10 = ptrtoint ptr %8 to i64
  %11 = ptrtoint ptr %9 to i64
  %12 = cmpxchg ptr %7, i64 %10, i64 %11 acq_rel acquire, align 8
  %13 = extractvalue { i64, i1 } %12, 1
  br i1 %13, label %14, label %55

14:
  %15 = ptrtoint ptr %6 to i64
  %16 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %17 = load i64, ptr %16, align 8
  %18 = sub i64 %15, %17
  %19 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %20 = load i64, ptr %19, align 8
  %21 = icmp ult i64 %18, %20
  br i1 %21, label %22, label %52, !prof !5

22:
  %23 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %24 = load ptr, ptr %23, align 8
  %25 = lshr i64 %18, 12
  %26 = getelementptr inbounds i8, ptr %24, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = add i8 %27, 63
  %29 = and i8 %28, 56
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %55, label %31, !prof !5

31:
  %32 = and i64 %11, -8
  %33 = sub i64 %32, %17
  %34 = icmp ult i64 %33, %20
  br i1 %34, label %35, label %55

35:
  %36 = lshr i64 %33, 12
  %37 = getelementptr inbounds i8, ptr %24, i64 %36
  %38 = load i8, ptr %37, align 1
  %39 = add i8 %38, 63
  %40 = and i8 %39, 56
  %41 = icmp ult i8 %40, %29
  br i1 %41, label %42, label %55

42:
  %43 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %44, %46
  %48 = ptrtoint ptr %7 to i64
  br i1 %47, label %49, label %50, !prof !4

49:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %48)
  br label %55

50:
  %51 = getelementptr inbounds i64, ptr %44, i64 1
  store ptr %51, ptr %43, align 8
  store i64 %48, ptr %44, align 8
  br label %55

52:
  %53 = icmp eq i64 %20, 0
  br i1 %53, label %54, label %55

54:
  tail call void @barrow_wrote(ptr noundef nonnull %0, ptr noundef %6, ptr noundef %7)
  br label %55

55:
  ret i1 %13
}

define linkonce_odr hidden zeroext i1 @barrow_late_cas_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 {
  %6 = addrspacecast ptr addrspace(1) %1 to ptr
  %7 = addrspacecast ptr addrspace(1) %2 to ptr
  %8 = addrspacecast ptr addrspace(1) %3 to ptr
  %9 = ptrtoint ptr %8 to i64
  %10 = addrspacecast ptr addrspace(1) %4 to ptr
  %11 = ptrtoint ptr %10 to i64
  %12 = cmpxchg ptr %7, i64 %9, i64 %11 acq_rel acquire, align 8
  %13 = extractvalue { i64, i1 } %12, 1
  br i1 %13, label %14, label %70

14:
  %15 = ptrtoint ptr %6 to i64
  %16 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %17 = load i64, ptr %16, align 8
  %18 = sub i64 %15, %17
  %19 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %20 = load i64, ptr %19, align 8
  %21 = icmp ult i64 %18, %20
  br i1 %21, label %22, label %67, !prof !5

22:
  %23 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %24 = load ptr, ptr %23, align 8
  %25 = lshr i64 %18, 12
  %26 = getelementptr inbounds i8, ptr %24, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = add i8 %27, 63
  %29 = and i8 %28, 56
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %70, label %31, !prof !5

31:
  %32 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 13
  %33 = load i16, ptr %32, align 8
  %34 = zext i16 %33 to i32
  %35 = trunc i64 %11 to i32
  %36 = and i32 %35, 15
  %37 = shl nuw nsw i32 1, %36
  %38 = and i32 %37, %34
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %70, label %40

40:
  %41 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 15
  %42 = load i64, ptr %41, align 8
  %43 = and i64 %42, %11
  %44 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 16
  %45 = load i64, ptr %44, align 8
  %46 = sub i64 %45, %17
  %47 = add i64 %46, %43
  %48 = icmp ult i64 %47, %20
  br i1 %48, label %49, label %70

49:
  %50 = lshr i64 %47, 12
  %51 = getelementptr inbounds i8, ptr %24, i64 %50
  %52 = load i8, ptr %51, align 1
  %53 = add i8 %52, 63
  %54 = and i8 %53, 56
  %55 = icmp ult i8 %54, %29
  br i1 %55, label %56, label %70

56:
  %57 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 6
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 7
  %60 = load ptr, ptr %59, align 8
  %61 = icmp eq ptr %58, %60
  %62 = ptrtoint ptr %7 to i64
  %63 = or i64 %62, 1
  br i1 %61, label %64, label %65, !prof !4

64:
  tail call void @barrow_remember_slow(ptr noundef nonnull %0, i64 noundef %63)
  br label %70

65:
  %66 = getelementptr inbounds i64, ptr %58, i64 1
  store ptr %66, ptr %57, align 8
  store i64 %63, ptr %58, align 8
  br label %70

67:
  %68 = icmp eq i64 %20, 0
  br i1 %68, label %69, label %70

69:
  tail call void @barrow_wrote_word(ptr noundef nonnull %0, ptr noundef %6, ptr noundef %7)
  br label %70

70:
  ret i1 %13
}

define linkonce_odr hidden i32 @barrow_late_update(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2) #0 {
  %4 = addrspacecast ptr addrspace(1) %1 to ptr
  %5 = addrspacecast ptr addrspace(1) %2 to ptr
  %6 = ptrtoint ptr %4 to i64
  %7 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 3
  %8 = load i64, ptr %7, align 8
  %9 = sub i64 %6, %8
  %10 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 23
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %37, label %13, !prof !4

13:
  %14 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %15 = load i64, ptr %14, align 8
  %16 = icmp ult i64 %9, %15
  %17 = ptrtoint ptr %5 to i64
  %18 = xor i64 %17, %6
  %19 = icmp ugt i64 %18, 7
  %20 = and i1 %19, %16
  br i1 %20, label %21, label %37, !prof !6

21:
  %22 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %23 = load ptr, ptr %22, align 8
  %24 = lshr i64 %9, 12
  %25 = getelementptr inbounds i8, ptr %23, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = add i8 %26, 63
  %28 = and i8 %27, 56
  %29 = icmp eq i8 %28, 0
  br i1 %29, label %30, label %37, !prof !5

30:
  %31 = getelementptr inbounds i64, ptr %4, i64 1
  store i64 %17, ptr %31, align 8
  %32 = load ptr, ptr %10, align 8
  %33 = ptrtoint ptr %32 to i64
  %34 = load i64, ptr %4, align 8
  %35 = and i64 %34, 7
  %36 = or i64 %35, %33
  store atomic i64 %36, ptr %4 release, align 8
  br label %77

37:
  %38 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 32
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %75, label %41, !prof !4

41:
  %42 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 4
  %43 = load i64, ptr %42, align 8
  %44 = icmp ult i64 %9, %43
  br i1 %44, label %45, label %75, !prof !5

45:
  %46 = ptrtoint ptr %5 to i64
  %47 = xor i64 %46, %6
  %48 = icmp ugt i64 %47, 7
  %49 = icmp ne ptr %5, null
  %50 = and i1 %49, %48
  %51 = and i64 %6, 7
  %52 = icmp eq i64 %51, 0
  %53 = and i1 %52, %50
  br i1 %53, label %54, label %75, !prof !7

54:
  %55 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 5
  %56 = load ptr, ptr %55, align 8
  %57 = lshr i64 %9, 12
  %58 = getelementptr inbounds i8, ptr %56, i64 %57
  %59 = load i8, ptr %58, align 1
  %60 = add i8 %59, 63
  %61 = and i8 %60, 56
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %63, label %75, !prof !5

63:
  %64 = load atomic i64, ptr %4 acquire, align 8
  %65 = and i64 %64, -8
  %66 = inttoptr i64 %65 to ptr
  %67 = getelementptr inbounds %struct.barrow_info, ptr %66, i64 0, i32 4
  %68 = load i8, ptr %67, align 8
  switch i8 %68, label %77 [
    i8 32, label %69
    i8 33, label %69
    i8 42, label %69
    i8 38, label %69
    i8 39, label %69
  ]

69:
  %70 = getelementptr inbounds i64, ptr %4, i64 1
  store atomic i64 %46, ptr %70 release, align 8
  %71 = load ptr, ptr %38, align 8
  %72 = ptrtoint ptr %71 to i64
  %73 = and i64 %64, 7
  %74 = or i64 %73, %72
  store atomic i64 %74, ptr %4 release, align 8
  br label %77

75:
  %76 = tail call i32 @barrow_update_slow(ptr noundef nonnull %0, ptr noundef %4, ptr noundef %5)
  br label %77

77:
  %78 = phi i32 [ 0, %30 ], [ %76, %75 ], [ 0, %63 ], [ 0, %69 ]
  ret i32 %78
}

define linkonce_odr hidden zeroext i1 @barrow_late_claim(ptr noundef %0, ptr addrspace(1) noundef %1) #0 {
  %3 = addrspacecast ptr addrspace(1) %1 to ptr
  %4 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 30
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %25, label %7, !prof !4

7:
  %8 = load atomic i64, ptr %3 acquire, align 8
  %9 = and i64 %8, -8
  %10 = inttoptr i64 %9 to ptr
  %11 = getelementptr inbounds %struct.barrow_info, ptr %10, i64 0, i32 4
  %12 = load i8, ptr %11, align 8
  switch i8 %12, label %27 [
    i8 42, label %13
    i8 33, label %13
    i8 32, label %13
  ]

13:
  %14 = load ptr, ptr %4, align 8
  %15 = ptrtoint ptr %14 to i64
  %16 = and i64 %8, 7
  %17 = or i64 %16, %15
  %18 = cmpxchg ptr %3, i64 %8, i64 %17 monotonic monotonic, align 8
  %19 = extractvalue { i64, i1 } %18, 1
  br i1 %19, label %20, label %27

20:
  %21 = getelementptr inbounds i64, ptr %3, i64 1
  %22 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 31
  %23 = load i64, ptr %22, align 8
  %24 = cmpxchg ptr %21, i64 0, i64 %23 monotonic monotonic, align 8
  br label %27

25:
  %26 = tail call zeroext i1 @barrow_claim_slow(ptr noundef nonnull %0, ptr noundef %3)
  br label %27

27:
  %28 = phi i1 [ %26, %25 ], [ true, %20 ], [ false, %7 ], [ false, %13 ]
  ret i1 %28
}

define linkonce_odr hidden ptr addrspace(1) @barrow_late_get_published(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %0, i64 %1
  %4 = load atomic i64, ptr addrspace(1) %3 acquire, align 8
  %5 = inttoptr i64 %4 to ptr addrspace(1)
  ret ptr addrspace(1) %5
}

define linkonce_odr hidden ptr @barrow_late_ccs_enter(ptr noundef %0, ptr noundef %1) #0 {
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

define linkonce_odr hidden void @barrow_late_ccs_leave(ptr noundef %0, ptr noundef %1) #0 {
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

define linkonce_odr hidden zeroext i1 @barrow_late_wanted(ptr nocapture noundef readonly %0) #0 {
  %2 = getelementptr inbounds %struct.barrow_window, ptr %0, i64 0, i32 11
  %3 = load atomic i32, ptr %2 monotonic, align 4
  %4 = icmp ne i32 %3, 0
  ret i1 %4
}

declare void @barrow_remember_slow(ptr noundef, i64 noundef)

declare void @barrow_wrote_word(ptr noundef, ptr noundef, ptr noundef)

declare void @barrow_wrote(ptr noundef, ptr noundef, ptr noundef)

declare i32 @barrow_weak_array_set(ptr noundef, ptr noundef, i64 noundef, ptr noundef)

declare i32 @barrow_update_slow(ptr noundef, ptr noundef, ptr noundef)

declare zeroext i1 @barrow_claim_slow(ptr noundef, ptr noundef)

declare ptr @barrow_ccs_enter_slow(ptr noundef, ptr noundef)

declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)

declare i32 @barrow_ccs_leave_slow(ptr noundef, ptr noundef)

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
!6 = !{!"branch_weights", i32 4000000, i32 4001}
!7 = !{!"branch_weights", i32 -294967296, i32 6003000}
attributes #0 = { alwaysinline }
