/* The runtime of minic's programs. Their command line is the heap's flags; with COLLECTIONS, how often it collected is
 * printed to the standard error stream. */
#include "minic.h"
#include <stdio.h>
#include <string.h>

static const barrow_names array_names = {"array", "array", "minic", "runtime.c"};
static barrow_info array_info = BARROW_INFO_NAMED(BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED | BARROW_FLAG_MUTABLE, 0, 0, &array_names);

void minic_fail(size_t why) {
  static const char *const what[] = {"a number was expected", "division by zero", "no pattern fits", "the wrong number of arguments",
                                     "only functions can be called", "an array was expected", "no such element"};
  fflush(stdout);
  fprintf(stderr, "minic: %s\n", what[why]);
  exit(3);
}

/* Says what the library says, and ends. */
static void give_up(int code) {
  fflush(stdout);
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(code);
}

size_t minic_array(barrow_mutator *m, size_t length, size_t value) {
  struct { barrow_frame frame; W value; } r;
  size_t i, n = (size_t)VALUE(length);
  W *array;
  void *words;
  if (!(length & 1)) minic_fail(0);
  if (VALUE(length) < 0) minic_fail(6);
  r.value = value;
  BARROW_PUSH(m, r);
  r.frame.count += BARROW_FRAME_TAGGED;
  /* NULL for a size that no object can have; when there is no memory, the overflow hook ends the program. */
  if (!(words = barrow_alloc(m, barrow_array_words(n)))) give_up(2);
  array = barrow_array_init(words, &array_info, n);
  for (i = 0; i < n; i++) array[2 + i] = NUMBER(0);
  for (i = 0; i < n; i++) barrow_write_word(m, array, &array[2 + i], r.value);
  BARROW_LEAVE(m, r);
  return (size_t)array;
}

void *minic_entry(W closure) {
  void (*entry)(void);
  void *code;
  if (closure & 1) minic_fail(4);
  entry = barrow_info_of((void *)closure)->entry;
  if (!entry) minic_fail(4);
  memcpy(&code, &entry, sizeof code);
  return code;
}

static W *element(W array, W index) {
  if ((array & 1) || barrow_info_of((void *)array) != &array_info) minic_fail(5);
  if (!(index & 1)) minic_fail(0);
  if (index >> 1 >= barrow_array_length((void *)array)) minic_fail(6);
  return (W *)array + 2 + (index >> 1);
}

W minic_get(barrow_mutator *m, W array, W index) {
  (void)m;
  return *element(array, index);
}
W minic_set(barrow_mutator *m, W array, W index, W value) {
  barrow_write_word(m, (void *)array, element(array, index), value);
  return value;
}
W minic_length(barrow_mutator *m, W array) {
  (void)m;
  if ((array & 1) || barrow_info_of((void *)array) != &array_info) minic_fail(5);
  return NUMBER(barrow_array_length((void *)array));
}
W minic_print(barrow_mutator *m, W number) {
  (void)m;
  if (!(number & 1)) minic_fail(0);
  printf("%ld\n", VALUE(number));
  return number;
}
W minic_put(barrow_mutator *m, W character) {
  (void)m;
  putchar((int)VALUE(character));
  return character;
}
W minic_read(barrow_mutator *m) {
  (void)m;
  return NUMBER(getchar());
}

static void must(enum barrow_status status) {
  if (status != BARROW_OK) give_up(1);
}

static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  (void)client, (void)m, (void)bytes;
  give_up(2);
  return false;
}

/* Coverage is written when the program ends, however it does. */
static barrow_coverage *coverage;
static void end_coverage(void) {
  if (barrow_coverage_free(coverage) != BARROW_OK) fprintf(stderr, "%s\n", barrow_last_error());
}
static void begin_coverage(void) {
  barrow_coverage_options options;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.environment = 1;
  must(barrow_coverage_new(&options, &coverage));
  must(barrow_coverage_register(coverage, minic_coverage, 1));
  atexit(end_coverage);
}

#ifdef STATEPOINT
extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
#endif

int main(int argc, char **argv) {
  char flags[1000] = "";
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_stats_t stats;
  barrow_space_options space;
  uint32_t profile = 0;
  const char *space_file = getenv("SPACE"); /* what each function allocates goes there */
  size_t used = 0;
  int i;
  for (i = 1; i < argc; i++) {
    size_t room = sizeof flags - used;
    used += (size_t)snprintf(flags + used, room, "%s ", argv[i]);
    if (used >= sizeof flags) return fprintf(stderr, "minic: the flags are too long\n"), 1;
  }
  if (minic_coverage) begin_coverage();
  barrow_config_init(&config);
  config.flags = flags;
  config.environment = 1;
  config.overflow = overflow;
  /* A word is an address when bit 0 is not set. */
  config.tagged_pointers = 0x5555;
  config.address_mask = ~(size_t)0;
  must(barrow_heap_new(&config, &heap, &m));
  memset(&space, 0, sizeof space);
  space.size = (uint32_t)sizeof space;
  if (space_file) must(barrow_space_begin(m, &space, &profile));
#ifdef STATEPOINT
  must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps), true));
  must(barrow_stack_call(m, minic_main, 0, 0, 0, NULL));
#else
  minic_main(m, 0, 0, 0);
#endif
  if (space_file) {
    must(barrow_space_end(m, profile));
    must(barrow_space_report(heap, space_file, 'c'));
  }
  fflush(stdout);
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  must(barrow_stats(heap, &stats));
  if (getenv("COLLECTIONS")) fprintf(stderr, "%lu collections\n", (unsigned long)stats.collections);
  must(barrow_heap_free(heap));
  return 0;
}
