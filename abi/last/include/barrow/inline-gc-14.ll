define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_bump(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_try_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 gc "statepoint-example" {
define linkonce_odr hidden zeroext i1 @barrow_gc_cas(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 gc "statepoint-example" {
define linkonce_odr hidden %struct.barrow_ccs* @barrow_gc_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_alloc(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden zeroext i1 @barrow_gc_reserve(%struct.barrow_mutator* noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_poll(%struct.barrow_mutator* noundef %0) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_get(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 @barrow_gc_get_word(i64 addrspace(1)* nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set(i64 addrspace(1)* nocapture noundef writeonly %0, i64 noundef %1, i64 addrspace(1)* noundef %2) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set_word(i64 addrspace(1)* nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set_header(i64 addrspace(1)* nocapture noundef writeonly %0, %struct.barrow_info* noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 addrspace(1)* @barrow_gc_at(i64 addrspace(1)* noundef readnone %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 @barrow_gc_array_length(i64 addrspace(1)* nocapture noundef readonly %0) #0 gc "statepoint-example" {
