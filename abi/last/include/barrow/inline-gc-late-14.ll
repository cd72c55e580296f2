define linkonce_odr hidden i64 addrspace(1)* @barrow_late_try_alloc(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden i64 addrspace(1)* @barrow_late_bump(%struct.barrow_mutator* nocapture noundef %0, i64 noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_has(%struct.barrow_mutator* nocapture noundef readonly %0, i64 noundef %1) #0 {
define linkonce_odr hidden void @barrow_late_write(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 {
define linkonce_odr hidden void @barrow_late_write_word(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_cas(%struct.barrow_mutator* noundef %0, i64 addrspace(1)* noundef %1, i64 addrspace(1)* noundef %2, i64 addrspace(1)* noundef %3, i64 addrspace(1)* noundef %4) #0 {
define linkonce_odr hidden %struct.barrow_ccs* @barrow_late_ccs_enter(%struct.barrow_mutator* noundef %0, %struct.barrow_cc* noundef %1) #0 {
define linkonce_odr hidden void @barrow_late_ccs_leave(%struct.barrow_mutator* noundef %0, %struct.barrow_ccs* noundef %1) #0 {
define linkonce_odr hidden zeroext i1 @barrow_late_wanted(%struct.barrow_mutator* nocapture noundef readonly %0) #0 {
