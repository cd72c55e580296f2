define linkonce_odr hidden void @barrow_config_init(%struct.barrow_config* nocapture noundef writeonly %0) #0 {
define linkonce_odr hidden %struct.barrow_window* @barrow_window_of(%struct.barrow_mutator* noundef readnone %0) #0 {
define linkonce_odr hidden i64* @barrow_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64* @barrow_try_alloc(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_reserve(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64* @barrow_bump(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_info* @barrow_info_of(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_set_header(i8* nocapture noundef writeonly %0, %struct.barrow_info* noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_array_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_bytes_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_structs_words(i64 noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_array_length(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden nonnull i8** @barrow_array_elements(i8* noundef readnone %0) #0 {
define linkonce_odr hidden nonnull i8* @barrow_bytes_start(i8* noundef readnone %0) #0 {
define linkonce_odr hidden i8* @barrow_array_init(i64* noundef writeonly %0, %struct.barrow_info* noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_remember_(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_barrier(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3) #0 {
define linkonce_odr hidden void @barrow_write(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3) #0 {
define linkonce_odr hidden void @barrow_write_word(%struct.barrow_mutator* noundef %0, i8* noundef %1, i64* noundef %2, i64 noundef %3) #0 {
define linkonce_odr hidden zeroext i1 @barrow_cas(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2, i8* noundef %3, i8* noundef %4) #0 {
define linkonce_odr hidden i64 @barrow_thunk_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_pap_words(i64 noundef %0) #0 {
define linkonce_odr hidden i64 @barrow_ap_words(i64 noundef %0) #0 {
define linkonce_odr hidden i32 @barrow_update(%struct.barrow_mutator* noundef %0, i8* noundef %1, i8* noundef %2) #0 {
define linkonce_odr hidden i32 @barrow_blackhole(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
define linkonce_odr hidden i8* @barrow_indirectee(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden %struct.barrow_frame* @barrow_frames_save(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_frames_restore(%struct.barrow_mutator* nocapture noundef writeonly %0, %struct.barrow_frame* noundef %1) #0 {
define linkonce_odr hidden i8* @barrow_handle_get(%struct.barrow_handle* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden i64* @barrow_biography_at_(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
define linkonce_odr hidden void @barrow_use(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
define linkonce_odr hidden void @barrow_record_create(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_weak_alive(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden zeroext i1 @barrow_weak_deref(i8* nocapture noundef readonly %0, i8** nocapture noundef writeonly %1) #0 {
define linkonce_odr hidden i8* @barrow_weak_key(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden i64 @barrow_stable_name_number(i8* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden zeroext i1 @barrow_stack_need(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64* @barrow_stack_push(%struct.barrow_mutator* nocapture noundef %0, %struct.barrow_info* noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_stack_pop(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_info* @barrow_stack_top(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden void @barrow_stack_dirty(%struct.barrow_mutator* noundef %0, i8* noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_bdescr* @barrow_bdescr_of(i8* noundef %0) #0 {
define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_current(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden %struct.barrow_cost* @barrow_cost_of(%struct.barrow_mutator* nocapture noundef readonly %0, %struct.barrow_ccs* noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 {
define linkonce_odr hidden void @barrow_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_ccs* @barrow_ccs_enter_function(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
define linkonce_odr hidden %struct.barrow_entry_count* @barrow_ticky_row_(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef %1) #0 {
define linkonce_odr hidden void @barrow_count_call(%struct.barrow_mutator* noundef %0, %struct.barrow_ticky_function* noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_tick_decision(i64* nocapture noundef %0, i64 noundef %1, i1 noundef returned zeroext %2) #0 {
define linkonce_odr hidden void @barrow_frame_push(%struct.barrow_mutator* nocapture noundef %0, %struct.barrow_frame* noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_frame_pop(%struct.barrow_mutator* nocapture noundef writeonly %0, %struct.barrow_frame* nocapture noundef readonly %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_wanted(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
define linkonce_odr hidden i8* @barrow_get(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64 @barrow_get_word(i8* nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_set(i8* nocapture noundef writeonly %0, i64 noundef %1, i8* noundef %2) #0 {
define linkonce_odr hidden void @barrow_set_word(i8* nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 {
define linkonce_odr hidden void @barrow_tick(i64* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_tick_shared(i64* nocapture noundef %0, i64 noundef %1) #0 {
