define linkonce_odr hidden ptr addrspace(1) @barrow_late_try_alloc(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden ptr addrspace(1) @barrow_late_bump(ptr nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_has(ptr nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_late_write(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 {
define linkonce_odr hidden void @barrow_late_write_word(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_cas(ptr noundef %0, ptr addrspace(1) noundef %1, ptr addrspace(1) noundef %2, ptr addrspace(1) noundef %3, ptr addrspace(1) noundef %4) #0 {
define linkonce_odr hidden ptr @barrow_late_ccs_enter(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden void @barrow_late_ccs_leave(ptr noundef %0, ptr noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_wanted(ptr nocapture noundef readonly %0) #0 {
