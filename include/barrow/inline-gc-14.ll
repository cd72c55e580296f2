; Made by ci/ir.sh from barrow/inline.h. Do not edit.
; The inline forms for code with statepoints, for llvm-link with a program before it is optimised. They call
; barrow_late_ functions, which the -late file has; it follows when the statepoints are there.
; SPDX-License-Identifier: MIT OR Apache-2.0

%struct.barrow_mutator = type opaque
%struct.barrow_info = type { i16, i16, i32, void ()*, i8, i8, i16, i32, i32, i32, i64, %struct.barrow_bitmap*, %struct.barrow_custom*, %struct.barrow_srt*, %struct.barrow_names* }
%struct.barrow_bitmap = type { i32, i32, i64* }
%struct.barrow_custom = type { i32, i32, i64 (i8*)*, void (i8*, %struct.barrow_visitor*)*, void (i8*, i8*)*, i8* (i8*, %struct.barrow_resolver*)* }
%struct.barrow_visitor = type opaque
%struct.barrow_resolver = type opaque
%struct.barrow_srt = type { i32, i32, i8** }
%struct.barrow_names = type { i8*, i8*, i8*, i8* }
%struct.barrow_ccs = type { [4 x %struct.barrow_ccs*], i32, i32, i32, i32, %struct.barrow_ccs*, i64 }
%struct.barrow_cc = type { i16, i16, i32, i8*, i8*, i8* }

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_bump(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call i64 addrspace(1)* @barrow_late_bump(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  ret i64 addrspace(1)* %3
}

declare i64 addrspace(1)* @barrow_late_bump(%struct.barrow_mutator* noundef, i64 noundef) #1

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_try_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call i64 addrspace(1)* @barrow_late_try_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  ret i64 addrspace(1)* %3
}

declare i64 addrspace(1)* @barrow_late_try_alloc(%struct.barrow_mutator* noundef, i64 noundef) #1

define linkonce_odr hidden void @barrow_gc_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3)
  ret void
}

declare void @barrow_late_write(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden void @barrow_gc_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3)
  ret void
}

declare void @barrow_late_write_word(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden void @barrow_gc_weak_array_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_weak_array_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3)
  ret void
}

declare void @barrow_late_weak_array_write(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden void @barrow_gc_weak_array_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
  tail call void @barrow_late_weak_array_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 noundef %2, i64 addrspace(1)* noundef %3)
  ret void
}

declare void @barrow_late_weak_array_write_word(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_cas(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 gc "statepoint-example" {
  %6 = tail call zeroext i1 @barrow_late_cas(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4)
  ret i1 %6
}

declare zeroext i1 @barrow_late_cas(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_cas_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 gc "statepoint-example" {
  %6 = tail call zeroext i1 @barrow_late_cas_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4)
  ret i1 %6
}

declare zeroext i1 @barrow_late_cas_word(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden i32 @barrow_gc_update(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2) #0 gc "statepoint-example" {
  %4 = tail call i32 @barrow_late_update(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2)
  ret i32 %4
}

declare i32 @barrow_late_update(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden zeroext i1 @barrow_gc_claim(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1) #0 gc "statepoint-example" {
  %3 = tail call zeroext i1 @barrow_late_claim(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1)
  ret i1 %3
}

declare zeroext i1 @barrow_late_claim(%struct.barrow_mutator* noundef, i64 addrspace(1)* noundef) #1

define linkonce_odr hidden %struct.barrow_info* @barrow_gc_info_now(i64 addrspace(1)* nocapture noundef readonly %0) #0 gc "statepoint-example" {
  %2 = load atomic i64, i64 addrspace(1)* %0 acquire, align 8
  %3 = and i64 %2, -8
  %4 = inttoptr i64 %3 to %struct.barrow_info*
  ret %struct.barrow_info* %4
}

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_indirectee(i64 addrspace(1)* noundef %0) #0 gc "statepoint-example" {
  %2 = tail call i64 addrspace(1)* @barrow_late_get_published(i64 addrspace(1)* noundef %0, i64 noundef 1)
  ret i64 addrspace(1)* %2
}

declare i64 addrspace(1)* @barrow_late_get_published(i64 addrspace(1)* noundef, i64 noundef) #1

define linkonce_odr hidden %struct.barrow_ccs* @barrow_gc_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 gc "statepoint-example" {
  %3 = tail call %struct.barrow_ccs* @barrow_late_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1)
  ret %struct.barrow_ccs* %3
}

declare %struct.barrow_ccs* @barrow_late_ccs_enter(%struct.barrow_mutator* noundef, %struct.barrow_cc* noundef) #1

define linkonce_odr hidden void @barrow_gc_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 gc "statepoint-example" {
  tail call void @barrow_late_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1)
  ret void
}

declare void @barrow_late_ccs_leave(%struct.barrow_mutator* noundef, %struct.barrow_ccs* noundef) #1

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call i64 addrspace(1)* @barrow_late_try_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  %4 = icmp eq i64 addrspace(1)* %3, null
  br i1 %4, label %5, label %7, !prof !4

5:
  %6 = tail call i64 addrspace(1)* @barrow_gc_alloc_slow(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  br label %7

7:
  %8 = phi i64 addrspace(1)* [ %6, %5 ], [ %3, %2 ]
  ret i64 addrspace(1)* %8
}

declare i64 addrspace(1)* @barrow_gc_alloc_slow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden zeroext i1 @barrow_gc_reserve(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call zeroext i1 @barrow_late_has(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  br i1 %3, label %6, label %4, !prof !5

4:
  %5 = tail call zeroext i1 @barrow_gc_reserve_slow(%struct.barrow_mutator* noundef %0, i64 noundef %1)
  br label %6

6:
  %7 = phi i1 [ true, %2 ], [ %5, %4 ]
  ret i1 %7
}

declare zeroext i1 @barrow_late_has(%struct.barrow_mutator* noundef, i64 noundef) #1

declare zeroext i1 @barrow_gc_reserve_slow(%struct.barrow_mutator* noundef, i64 noundef)

define linkonce_odr hidden void @barrow_gc_poll(%struct.barrow_mutator* noundef %0) #0 gc "statepoint-example" {
  %2 = tail call zeroext i1 @barrow_late_wanted(%struct.barrow_mutator* noundef %0)
  br i1 %2, label %3, label %4, !prof !4

3:
  tail call void @barrow_gc_safepoint(%struct.barrow_mutator* noundef %0)
  br label %4

4:
  ret void
}

declare zeroext i1 @barrow_late_wanted(%struct.barrow_mutator* noundef) #1

declare void @barrow_gc_safepoint(%struct.barrow_mutator* noundef)

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_get(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  %4 = bitcast i64 addrspace(1)* %3 to i64 addrspace(1)* addrspace(1)*
  %5 = load i64 addrspace(1)*, i64 addrspace(1)* addrspace(1)* %4, align 8
  ret i64 addrspace(1)* %5
}

define linkonce_odr hidden i64 @barrow_gc_get_word(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  %4 = load i64, i64 addrspace(1)* %3, align 8
  ret i64 %4
}

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_get_published(i64 addrspace(1)* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = tail call i64 addrspace(1)* @barrow_late_get_published(i64 addrspace(1)* noundef %0, i64 noundef %1)
  ret i64 addrspace(1)* %3
}

define linkonce_odr hidden i64 @barrow_gc_get_word_published(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  %4 = load atomic i64, i64 addrspace(1)* %3 acquire, align 8
  ret i64 %4
}

define linkonce_odr hidden void @barrow_gc_set(i64 addrspace(1)* nocapture noundef writeonly %0, i64 noundef %1, i64 addrspace(1)* noundef %2) #0 gc "statepoint-example" {
  %4 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  %5 = bitcast i64 addrspace(1)* %4 to i64 addrspace(1)* addrspace(1)*
  store i64 addrspace(1)* %2, i64 addrspace(1)* addrspace(1)* %5, align 8
  ret void
}

define linkonce_odr hidden void @barrow_gc_set_word(i64 addrspace(1)* nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 gc "statepoint-example" {
  %4 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  store i64 %2, i64 addrspace(1)* %4, align 8
  ret void
}

define linkonce_odr hidden void @barrow_gc_set_header(i64 addrspace(1)* nocapture noundef writeonly %0, %struct.barrow_info* noundef %1) #0 gc "statepoint-example" {
  %3 = ptrtoint %struct.barrow_info* %1 to i64
  store i64 %3, i64 addrspace(1)* %0, align 8
  ret void
}

define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_at(i64 addrspace(1)* noundef readnone %0, i64 noundef %1) #0 gc "statepoint-example" {
  %3 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 %1
  ret i64 addrspace(1)* %3
}

define linkonce_odr hidden i64 @barrow_gc_array_length(i64 addrspace(1)* nocapture noundef readonly %0) #0 gc "statepoint-example" {
  %2 = getelementptr inbounds i64, i64 addrspace(1)* %0, i64 1
  %3 = load i64, i64 addrspace(1)* %2, align 8
  ret i64 %3
}

!4 = !{!"branch_weights", i32 1, i32 2000}
!5 = !{!"branch_weights", i32 2000, i32 1}
attributes #0 = { alwaysinline "frame-pointer"="all" }
attributes #1 = { nounwind "gc-leaf-function" }
