/* The function table: what it says of itself, that its members are the exported functions, and whom it refuses. */
#include "check.h"
#include <barrow/table.h>
#include <string.h>

static void everything(void) {
  const barrow_functions *b = barrow_function_table(BARROW_ABI_MAJOR, (uint32_t)sizeof(barrow_functions));
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  uint32_t minor;

  CHECK(b);
  CHECK(b->size == sizeof(barrow_functions) && b->abi_major == BARROW_ABI_MAJOR && b->abi_minor == BARROW_ABI_MINOR);
  CHECK(b->size == offsetof(barrow_functions, alloc_slow) + b->count * sizeof(void (*)(void)));
  CHECK(offsetof(barrow_functions, alloc_slow) == 16);
  CHECK(b->abi_version(&minor) == BARROW_ABI_MAJOR && minor == BARROW_ABI_MINOR);
  CHECK(!strcmp(b->version(), barrow_version()));

  barrow_config_init(&config);
  CHECK(b->heap_new(&config, &heap, &m) == BARROW_OK);
  CHECK(b->heap_of(m) == heap);
  CHECK(b->collect(m, true) == BARROW_OK);
  CHECK(b->heap_free(heap) == BARROW_OK);

  /* An older client knows less, and gets the same table. */
  CHECK(barrow_function_table(BARROW_ABI_MAJOR, 16) == b);
  CHECK(barrow_function_table(BARROW_ABI_MAJOR, 0) == b);
  /* A newer one, and one of another major version, get a sentence. */
  CHECK(!barrow_function_table(BARROW_ABI_MAJOR, b->size + 8));
  CHECK(strstr(barrow_last_error(), "older than the header"));
  CHECK(!barrow_function_table(BARROW_ABI_MAJOR + 1, 16));
  CHECK(strstr(barrow_last_error(), "compiled for version"));
}

int main(void) {
  RUN(everything);
  return DONE;
}
