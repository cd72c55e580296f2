define linkonce_odr hidden ptr addrspace(1) @barrow_gc_bump(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden ptr addrspace(1) @barrow_gc_try_alloc(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_write(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 gc "statepoint-example" {
define linkonce_odr hidden zeroext i1 @barrow_gc_cas(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 gc "statepoint-example" {
define linkonce_odr hidden ptr @barrow_gc_ccs_enter(ptr noundef %0, ptr noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_ccs_leave(ptr noundef %0, ptr noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden ptr addrspace(1) @barrow_gc_alloc(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden zeroext i1 @barrow_gc_reserve(ptr noundef %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_poll(ptr noundef %0) #0 gc "statepoint-example" {
define linkonce_odr hidden ptr addrspace(1) @barrow_gc_get(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 @barrow_gc_get_word(ptr addrspace(1) nocapture noundef readonly %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set(ptr addrspace(1) nocapture noundef writeonly %0, i64 noundef %1, ptr addrspace(1) noundef %2) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set_word(ptr addrspace(1) nocapture noundef writeonly %0, i64 noundef %1, i64 noundef %2) #0 gc "statepoint-example" {
define linkonce_odr hidden void @barrow_gc_set_header(ptr addrspace(1) nocapture noundef writeonly %0, ptr noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden ptr addrspace(1) @barrow_gc_at(ptr addrspace(1) noundef readnone %0, i64 noundef %1) #0 gc "statepoint-example" {
define linkonce_odr hidden i64 @barrow_gc_array_length(ptr addrspace(1) nocapture noundef readonly %0) #0 gc "statepoint-example" {
