/* Runs `program` of one of the IR files beside this one:
 *
 *   driver N ROUNDS [COLLECTIONS [FLAGS...]]
 *
 * prints what it gives. With COLLECTIONS it runs until there were so many, and compares what each run gives. The way to
 * roots is compiled in: STATEPOINT, SHADOW, or else Barrow's own frames. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>

barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 1, NULL);
barrow_info array_info = BARROW_INFO_NAMED(BARROW_ARRAY, 0, 0, 0, NULL);

extern size_t program(barrow_mutator *m, size_t n, size_t rounds, size_t unused);

static barrow_mutator *m;

static void must(enum barrow_status status) {
  if (status == BARROW_OK) return;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(1);
}

static bool overflow(void *client, barrow_mutator *mutator, size_t bytes) {
  (void)client;
  (void)mutator;
  fprintf(stderr, "no memory for %lu bytes: %s\n", (unsigned long)bytes, barrow_last_error());
  exit(1);
}

#if defined(STATEPOINT)
/* The section .llvm_stackmaps of all object files, by the names that the linker gives to a section that
 * `objcopy --rename-section .llvm_stackmaps=llvm_stackmaps,alloc,load,data,contents` has renamed. */
extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];

static void attach(barrow_heap *heap) {
  size_t bytes = (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps);
  must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, bytes, false));
}

static size_t run(size_t n, size_t rounds) {
  size_t result = 0;
  must(barrow_stack_call(m, program, n, rounds, 0, &result));
  return result;
}
#elif defined(SHADOW)
/* LLVM defines it beside the first function that needs it. */
extern void *llvm_gc_root_chain;
static void attach(barrow_heap *heap) {
  (void)heap;
  must(barrow_attach_llvm_frames(m, &llvm_gc_root_chain));
}
static size_t run(size_t n, size_t rounds) { return program(m, n, rounds, 0); }
#else
static void attach(barrow_heap *heap) { (void)heap; }
static size_t run(size_t n, size_t rounds) { return program(m, n, rounds, 0); }
#endif

/* For programs that poll and have no mutator at hand. */
barrow_mutator *the_mutator(void);
barrow_mutator *the_mutator(void) { return m; }

int main(int argc, char **argv) {
  barrow_config config;
  barrow_heap *heap;
  barrow_stats_t stats;
  char flags[400] = "";
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
  size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
  size_t collections = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
  size_t result, runs = 1, used = 0;
  int i;
  for (i = 4; i < argc; i++) {
    size_t room = sizeof flags - used;
    used += (size_t)snprintf(flags + used, room, "%s ", argv[i]);
    if (used >= sizeof flags) return fprintf(stderr, "the flags are too long\n"), 1;
  }
  barrow_config_init(&config);
  config.flags = flags;
  config.overflow = overflow;
  must(barrow_heap_new(&config, &heap, &m));
  attach(heap);
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  result = run(n, rounds);
  must(barrow_stats(heap, &stats));
  while (stats.collections < collections) {
    if (run(n, rounds) != result) return fprintf(stderr, "run %lu gives something else\n", (unsigned long)runs), 1;
    runs++;
    must(barrow_stats(heap, &stats));
  }
  printf("%lu\n", (unsigned long)result);
  if (collections) fprintf(stderr, "%lu runs, %lu collections\n", (unsigned long)runs, (unsigned long)stats.collections);
  must(barrow_heap_free(heap));
  return 0;
}
