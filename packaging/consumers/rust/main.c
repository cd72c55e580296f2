/* Two Rust static libraries in one program: each has its own standard library, and neither sees the other's. */
#include <barrow/inline.h>
#include <stdio.h>

size_t other_different_bytes(const char *text);

int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_config_init(&config);
  if (barrow_heap_new(&config, &heap, &m)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  if (barrow_collect(m, true)) return 2;
  printf("%d different bytes, and a heap\n", (int)other_different_bytes("hello there"));
  return barrow_heap_free(heap);
}
