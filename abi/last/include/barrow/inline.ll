define linkonce_odr hidden void @barrow_config_init(ptr nocapture noundef writeonly %0) #0 {
define linkonce_odr hidden ptr @barrow_window_of(ptr noundef readnone returned %0) #0 {
define linkonce_odr hidden ptr @barrow_alloc(ptr noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_try_alloc(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_reserve(ptr noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_bump(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_info_of(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_set_header(ptr nocapture noundef writeonly %0, ptr noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_array_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_bytes_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_structs_words(i64 noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_array_length(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden nonnull ptr @barrow_array_elements(ptr noundef readnone %0) #0 {
define linkonce_odr hidden nonnull ptr @barrow_bytes_start(ptr noundef readnone %0) #0 {
define linkonce_odr hidden ptr @barrow_array_init(ptr noundef returned writeonly %0, ptr noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_remember_(ptr noundef %0, ptr noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_barrier(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
define linkonce_odr hidden void @barrow_write(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
define linkonce_odr hidden void @barrow_write_word(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) #0 {
define linkonce_odr hidden zeroext i1 @barrow_cas(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef %4) #0 {
define linkonce_odr hidden i64 @barrow_thunk_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_pap_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_ap_words(i64 noundef %0) #0 {
define linkonce_odr hidden i32 @barrow_update(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
define linkonce_odr hidden i32 @barrow_blackhole(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_indirectee(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden ptr @barrow_frames_save(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_frames_restore(ptr nocapture noundef writeonly %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_handle_get(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden ptr @barrow_biography_at_(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden void @barrow_use(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden void @barrow_record_create(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_weak_alive(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden zeroext i1 @barrow_weak_deref(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1) #0 {
define linkonce_odr hidden ptr @barrow_weak_key(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden i64 @barrow_stable_name_number(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden zeroext i1 @barrow_stack_need(ptr noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_stack_push(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_stack_pop(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_stack_top(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_stack_dirty(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_bdescr_of(ptr noundef %0) #0 {
define linkonce_odr hidden ptr @barrow_ccs_current(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden ptr @barrow_cost_of(ptr nocapture noundef readonly %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_ccs_enter(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden void @barrow_ccs_leave(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_ccs_enter_function(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden ptr @barrow_ticky_row_(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden void @barrow_count_call(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_tick_decision(ptr nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
define linkonce_odr hidden void @barrow_frame_push(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_frame_pop(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_wanted(ptr nocapture noundef readonly %0) #0 {
define linkonce_odr hidden ptr @barrow_get(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_get_word(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_set(ptr nocapture noundef writeonly %0, i64 noundef %1, ptr noundef %2) #0 {
define linkonce_odr hidden void @barrow_set_word(ptr nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_tick(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_tick_shared(ptr nocapture noundef %0, i64 noundef %1) #0 {
