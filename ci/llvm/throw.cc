// The hook for running out of memory throws through the library and through frames of compiled code, as often as asked.
#include <barrow/inline.h>
#include <cstdio>
#include <cstdlib>

extern "C" {
extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
size_t program(barrow_mutator *m, size_t a, size_t b, size_t c);
barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, nullptr, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, nullptr, nullptr, nullptr, nullptr};
static bool overflow(void *, barrow_mutator *, size_t) { throw 7; }
}

static void must(barrow_status status) {
  if (status == BARROW_OK) return;
  std::fprintf(stderr, "%s\n", barrow_last_error());
  std::exit(9);
}

int main() {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_config_init(&config);
  config.flags = "-M8m -A256k";
  config.overflow = overflow;
  must(barrow_heap_new(&config, &heap, &m));
  must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, size_t(__stop_llvm_stackmaps - __start_llvm_stackmaps), false));
  int caught = 0;
  for (int i = 0; i < 20; i++) {
    barrow_saved_stack saved;
    must(barrow_stack_save(m, &saved));
    try {
      size_t result = 0;
      must(barrow_stack_call(m, program, 30, 1, 0, &result)); // far more than there is room for
    } catch (int number) {
      caught += number == 7;
    }
    must(barrow_stack_restore(m, &saved));
    must(barrow_collect(m, true));
    size_t result = 0;
    must(barrow_stack_call(m, program, 6, 3, 0, &result)); // and on it goes
    if (result != 508) return 8;
  }
  must(barrow_check(m));
  std::printf("%d\n", caught);
  return barrow_heap_free(heap) != BARROW_OK;
}
