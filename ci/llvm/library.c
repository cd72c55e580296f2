/* What a loaded library of compiled code tells of itself. */
#include <stddef.h>
extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
const void *maps(size_t *bytes);
const void *maps(size_t *bytes) {
  *bytes = (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps);
  return __start_llvm_stackmaps;
}
