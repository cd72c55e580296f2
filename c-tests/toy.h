/* toy.h: the objects of a toy language, for the tests. */
#ifndef TOY_H
#define TOY_H
#include "check.h"

#define INFO(name, kind, flags, field, ptrs, words, bitmap, large, custom)                              \
  static const barrow_names name##_names = {#name, #name, "c-tests", __FILE__};                         \
  static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, flags, field, ptrs, \
                             words, 0, bitmap, large, custom, NULL, &name##_names}

typedef struct node {
  barrow_word header;
  struct node *left, *right;
  barrow_word value;
} node;
INFO(node_info, BARROW_CONSTR, 0, 0, 2, 1, 0, NULL, NULL);
/* The layout of node_info for objects that are written to. */
INFO(cell_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);
INFO(array_info, BARROW_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(bytes_info, BARROW_BYTES, 0, 0, 0, 0, 0, NULL, NULL);

typedef struct toy {
  barrow_heap *heap;
  barrow_mutator *m;
} toy;

/* With the flags of the whole test run, then those of the case. */
static inline toy toy_new_with(barrow_config *config, const char *flags) {
  toy t = {NULL, NULL};
  char line[512];
  const char *all = getenv("BARROW_TEST_FLAGS");
  sprintf(line, "%.200s %.200s", all ? all : "", flags);
  config->flags = line;
  if (barrow_heap_new(config, &t.heap, &t.m) != BARROW_OK) {
    fprintf(stderr, "%s: no heap with %s: %s\n", check_case, line, barrow_last_error());
    exit(99);
  }
  config->flags = NULL;
  return t;
}

static inline toy toy_new(const char *flags) {
  barrow_config config;
  barrow_config_init(&config);
  return toy_new_with(&config, flags);
}

/* Every case ends here: the blocks add up, the heap is sound, and it can be freed. */
static inline void toy_free(toy t) {
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_audit(t.heap));
  CHECK_OK(barrow_heap_free(t.heap));
}

static inline barrow_stats_t toy_stats(toy t) {
  barrow_stats_t stats;
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  CHECK_OK(barrow_stats(t.heap, &stats));
  return stats;
}

static inline barrow_heap_state_t toy_state(toy t) {
  barrow_heap_state_t state;
  memset(&state, 0, sizeof state);
  state.size = (uint32_t)sizeof state;
  CHECK_OK(barrow_heap_state(t.heap, &state));
  return state;
}

/* A detach on a stack whose top is lost, which is found again afterwards. */
static inline void toy_detach_is_refused(barrow_mutator *m) {
  struct { barrow_frame frame; void *stack; } r;
  barrow_word *sp, wild = 0;
  BARROW_ENTER(m, r);
  r.stack = barrow_stack_new(m, NULL, 100);
  CHECK_OK(barrow_stack_enter(m, r.stack));
  sp = barrow_window_of(m)->sp;
  barrow_window_of(m)->sp = &wild;
  REFUSED(BARROW_E_ARG, barrow_detach(m));
  barrow_window_of(m)->sp = sp;
  CHECK_OK(barrow_stack_enter(m, NULL));
  BARROW_LEAVE(m, r);
}

static inline node *toy_node(barrow_mutator *m, node *left, node *right, barrow_word value) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  r.left = left;
  r.right = right;
  BARROW_PUSH(m, r);
  n = (node *)barrow_alloc(m, sizeof *n / sizeof(barrow_word));
  if (n) {
    n->header = (barrow_word)&node_info;
    n->left = r.left;
    n->right = r.right;
    n->value = value;
  }
  BARROW_LEAVE(m, r);
  return n;
}

/* A selector by this table from what `from` will be. */
static inline void *toy_selector(barrow_mutator *m, const barrow_info *info, void *from) {
  struct { barrow_frame frame; void *from; } r;
  barrow_word *made;
  r.from = from;
  BARROW_PUSH(m, r);
  made = barrow_alloc(m, 3);
  made[0] = (barrow_word)info;
  made[1] = 0;
  made[2] = (barrow_word)r.from;
  BARROW_LEAVE(m, r);
  return made;
}

static inline bool is_indirection(unsigned kind) {
  return kind == BARROW_IND || kind == BARROW_IND_OLDGEN || kind == BARROW_IND_PERM || kind == BARROW_IND_OLDGEN_PERM;
}

static inline node *toy_cell(barrow_mutator *m, node *left, node *right, barrow_word value) {
  node *n = toy_node(m, left, right, value);
  if (n) barrow_set_header(n, &cell_info);
  return n;
}

/* length, length - 1, ..., 1 */
static inline node *toy_list(barrow_mutator *m, size_t length) {
  node *list = NULL;
  size_t i;
  for (i = 1; i <= length; i++) list = toy_node(m, list, NULL, i);
  return list;
}

static inline size_t toy_sum(const node *list) {
  size_t sum = 0;
  for (; list; list = list->left) sum += list->value;
  return sum;
}

static inline node *toy_tree(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  BARROW_ENTER(m, r);
  if (depth > 0) {
    r.left = toy_tree(m, depth - 1);
    r.right = toy_tree(m, depth - 1);
  }
  n = toy_node(m, r.left, r.right, (barrow_word)depth);
  BARROW_LEAVE(m, r);
  return n;
}

static inline size_t toy_count(const node *tree) {
  return tree ? 1 + toy_count(tree->left) + toy_count(tree->right) : 0;
}

static inline void *toy_array(barrow_mutator *m, size_t length) {
  return barrow_array_init(barrow_alloc(m, barrow_array_words(length)), &array_info, length);
}

/* A compiler may read the array before or after it makes the value, which moves the array: hence its address. */
static inline void toy_put(barrow_mutator *m, void **array, size_t i, void *value) {
  barrow_write(m, *array, &barrow_array_elements(*array)[i], value);
}

static inline unsigned char *toy_bytes_at(void *bytes) { return (unsigned char *)barrow_bytes_start(bytes); }
static inline void *toy_bytes(barrow_mutator *m, size_t length) {
  barrow_word *at = barrow_alloc(m, barrow_bytes_words(length));
  if (at) {
    at[0] = (barrow_word)&bytes_info;
    at[1] = length;
  }
  return at;
}

/* Resident memory of the process. */
static inline size_t toy_resident(void) {
  unsigned long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return (size_t)resident * 4096;
}

/* Checkers that slow everything down also keep memory of their own, so resident memory says nothing then. */
static inline bool toy_is_slow(void) { return getenv("BARROW_TEST_SLOW") != NULL; }

/* Whether all heaps are in checking mode. One thread copies and slides there; several mark. */
static inline bool toy_is_checked(void) {
  const char *flags = getenv("BARROW_TEST_FLAGS");
  return flags && strstr(flags, "-D");
}

/* Valgrind tells of things that the library does on purpose, too. */
static inline bool toy_under_valgrind(void) { return getenv("BARROW_TEST_VALGRIND") != NULL; }

/* An emulator of a processor ends a child of fork that starts a thread. */
static inline bool toy_is_emulated(void) { return getenv("BARROW_TEST_EMULATED") != NULL; }

#endif
