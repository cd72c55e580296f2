/* Rust's compiler calls these for copies of memory when it has the thread sanitizer; the runtime of an older gcc does not have them,
 * and sees the functions of C that are called here. */
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *__tsan_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
