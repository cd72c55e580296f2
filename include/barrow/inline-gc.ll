; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The inline forms for code with statepoints, for llvm-link with a program before it is optimised. They call
; barrow_late_ functions, which the -late file has; it follows when the statepoints are there.
; SPDX-License-Identifier: MIT OR Apache-2.0

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_bump(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call ptr addrspace(1) @barrow_late_bump(ptr noundef %0, i64 noundef %1)
  ret ptr addrspace(1) %3
}

declare ptr addrspace(1) @barrow_late_bump(ptr noundef, i64 noundef) #1

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_try_alloc(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call ptr addrspace(1) @barrow_late_try_alloc(ptr noundef %0, i64 noundef %1)
  ret ptr addrspace(1) %3
}

declare ptr addrspace(1) @barrow_late_try_alloc(ptr noundef, i64 noundef) #1

define linkonce_odr hidden void @barrow_gc_write(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_write(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3)
  ret void
}

declare void @barrow_late_write(ptr noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden void @barrow_gc_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3)
  ret void
}

declare void @barrow_late_write_word(ptr noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden void @barrow_gc_weak_array_write(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_weak_array_write(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3)
  ret void
}

declare void @barrow_late_weak_array_write(ptr noundef, ptr addrspace(1) noundef, i64 noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden void @barrow_gc_weak_array_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_weak_array_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, i64 noundef %2, ptr addrspace(1) noundef %3)
  ret void
}

declare void @barrow_late_weak_array_write_word(ptr noundef, ptr addrspace(1) noundef, i64 noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_cas(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 gc "statepoint-example" {
  %6 = tail call zeroext i1 @barrow_late_cas(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4)
  ret i1 %6
}

declare zeroext i1 @barrow_late_cas(ptr noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_cas_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 gc "statepoint-example" {
  %6 = tail call zeroext i1 @barrow_late_cas_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4)
  ret i1 %6
}

declare zeroext i1 @barrow_late_cas_word(ptr noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden i32 @barrow_gc_update(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2) #0 gc "statepoint-example" {
  %4 = tail call i32 @barrow_late_update(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2)
  ret i32 %4
}

declare i32 @barrow_late_update(ptr noundef, ptr addrspace(1) noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_claim(ptr noundef %0, ptr addrspace(1) noundef %1) #0 gc "statepoint-example" {
  %3 = tail call zeroext i1 @barrow_late_claim(ptr noundef %0, ptr addrspace(1) noundef %1)
  ret i1 %3
}

declare zeroext i1 @barrow_late_claim(ptr noundef, ptr addrspace(1) noundef) #1

define linkonce_odr hidden ptr @barrow_gc_info_now(ptr addrspace(1) nocapture noundef readonly %0) #0 gc "statepoint-example" {
  %2 = load atomic i64, ptr addrspace(1) %0 acquire, align 8
  %3 = and i64 %2, -8
  %4 = inttoptr i64 %3 to ptr
  ret ptr %4
}

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_indirectee(ptr addrspace(1) noundef %0) #0 gc "statepoint-example" {
  %2 = tail call ptr addrspace(1) @barrow_late_get_published(ptr addrspace(1) noundef %0, i64 noundef 1)
  ret ptr addrspace(1) %2
}

declare ptr addrspace(1) @barrow_late_get_published(ptr addrspace(1) noundef, i64 noundef) #1

define linkonce_odr hidden ptr @barrow_gc_ccs_enter(ptr noundef %0, ptr noundef %1) #0 gc "statepoint-example" {
  %3 = tail call ptr @barrow_late_ccs_enter(ptr noundef %0, ptr noundef %1)
  ret ptr %3
}

declare ptr @barrow_late_ccs_enter(ptr noundef, ptr noundef) #1

define linkonce_odr hidden void @barrow_gc_ccs_leave(ptr noundef %0, ptr noundef %1) #0 gc "statepoint-example" {
  tail call void @barrow_late_ccs_leave(ptr noundef %0, ptr noundef %1)
  ret void
}

declare void @barrow_late_ccs_leave(ptr noundef, ptr noundef) #1

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_alloc(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call ptr addrspace(1) @barrow_late_try_alloc(ptr noundef %0, i64 noundef %1)
  %4 = icmp eq ptr addrspace(1) %3, null
  br i1 %4, label %5, label %7, !prof !4

5:
  %6 = tail call ptr addrspace(1) @barrow_gc_alloc_slow(ptr noundef %0, i64 noundef %1)
  br label %7

7:
  %8 = phi ptr addrspace(1) [ %6, %5 ], [ %3, %2 ]
  ret ptr addrspace(1) %8
}

declare ptr addrspace(1) @barrow_gc_alloc_slow(ptr noundef, i64 noundef)

define linkonce_odr hidden zeroext i1 @barrow_gc_reserve(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call zeroext i1 @barrow_late_has(ptr noundef %0, i64 noundef %1)
  br i1 %3, label %6, label %4, !prof !5

4:
  %5 = tail call zeroext i1 @barrow_gc_reserve_slow(ptr noundef %0, i64 noundef %1)
  br label %6

6:
  %7 = phi i1 [ true, %2 ], [ %5, %4 ]
  ret i1 %7
}

declare zeroext i1 @barrow_late_has(ptr noundef, i64 noundef) #1

declare zeroext i1 @barrow_gc_reserve_slow(ptr noundef, i64 noundef)

define linkonce_odr hidden void @barrow_gc_poll(ptr noundef %0) #0 gc "statepoint-example" {
  %2 = tail call zeroext i1 @barrow_late_wanted(ptr noundef %0)
  br i1 %2, label %3, label %4, !prof !4

3:
  tail call void @barrow_gc_safepoint(ptr noundef %0)
  br label %4

4:
  ret void
}

declare zeroext i1 @barrow_late_wanted(ptr noundef) #1

declare void @barrow_gc_safepoint(ptr noundef)

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %0, i64 %1
  %4 = load ptr addrspace(1), ptr addrspace(1) %3, align 8
  ret ptr addrspace(1) %4
}

define linkonce_odr hidden i64 @barrow_gc_get_word(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %1
  %4 = load i64, ptr addrspace(1) %3, align 8
  ret i64 %4
}

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_get_published(ptr addrspace(1) noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call ptr addrspace(1) @barrow_late_get_published(ptr addrspace(1) noundef %0, i64 noundef %1)
  ret ptr addrspace(1) %3
}

define linkonce_odr hidden i64 @barrow_gc_get_word_published(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %1
  %4 = load atomic i64, ptr addrspace(1) %3 acquire, align 8
  ret i64 %4
}

define linkonce_odr hidden void @barrow_gc_set(ptr addrspace(1) nocapture noundef writeonly %0, i64 noundef %1, ptr addrspace(1) noundef %2) #0 gc "statepoint-example" {
  %4 = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %0, i64 %1
  store ptr addrspace(1) %2, ptr addrspace(1) %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_gc_set_word(ptr addrspace(1) nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 gc "statepoint-example" {
  %4 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %1
  store i64 %2, ptr addrspace(1) %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_gc_set_header(ptr addrspace(1) nocapture noundef writeonly %0, ptr noundef %1) #0 gc "statepoint-example" {
  %3 = ptrtoint ptr %1 to i64
  store i64 %3, ptr addrspace(1) %0, align 8
  ret void
}

define linkonce_odr hidden ptr addrspace(1) @barrow_gc_at(ptr addrspace(1) noundef readnone %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 %1
  ret ptr addrspace(1) %3
}

define linkonce_odr hidden i64 @barrow_gc_array_length(ptr addrspace(1) nocapture noundef readonly %0) #0 gc "statepoint-example" {
  %2 = getelementptr inbounds i64, ptr addrspace(1) %0, i64 1
  %3 = load i64, ptr addrspace(1) %2, align 8
  ret i64 %3
}

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
attributes #0 = { alwaysinline "frame-pointer"="all" }
attributes #1 = { nounwind "gc-leaf-function" }
