/* A host for compiled code with stack maps in several threads, on one heap:
 *
 *   threads ROUNDS [FLAGS]
 *
 * Prints the nodes that all threads have put on one list, their sum, how many thunks were evaluated, and what each thread has
 * added up of the thunks' values. */
#define _GNU_SOURCE
#include <barrow/inline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, THUNKS = 8 };

barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0};
static barrow_info thunk_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_THUNK, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};

extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
extern size_t program(barrow_mutator *m, size_t number, size_t rounds, size_t unused);

static barrow_heap *heap;
static barrow_handle *shared;
static size_t rounds, evaluations, results[THREADS];

static void must(barrow_status status) {
  if (status == BARROW_OK) return;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(9);
}

void *cell(void);
void *cell(void) { return barrow_handle_get(shared); }

void evaluated(void);
void evaluated(void) { __atomic_fetch_add(&evaluations, 1, __ATOMIC_RELAXED); }

size_t state(const barrow_info *info);
size_t state(const barrow_info *info) {
  switch (info->kind) {
    case BARROW_IND:
    case BARROW_IND_PERM:
    case BARROW_IND_OLDGEN:
    case BARROW_IND_OLDGEN_PERM: return 1;
    case BARROW_THUNK: return 2;
    case BARROW_BLACKHOLE: return 3;
    default: return 0;
  }
}

/* C that waits in foreign code, while others collect. */
static size_t rest(barrow_mutator *m, size_t object, size_t round) {
  struct { barrow_frame frame; void *object; } r;
  struct timespec some = {0, 20000};
  r.object = (void *)object;
  BARROW_PUSH(m, r);
  must(barrow_enter_foreign(m));
  if (round % 128 == 127) nanosleep(&some, NULL);
  must(barrow_leave_foreign(m));
  BARROW_LEAVE(m, r);
  return (size_t)r.object;
}

static size_t wait_for(barrow_mutator *m, size_t object, size_t unused) {
  struct { barrow_frame frame; void *object; } r;
  (void)unused;
  r.object = (void *)object;
  BARROW_PUSH(m, r);
  must(barrow_wait_for(m, r.object));
  BARROW_LEAVE(m, r);
  return (size_t)r.object;
}

size_t (*rests)(barrow_mutator *m, size_t object, size_t round) = rest;
size_t (*waits)(barrow_mutator *m, size_t object, size_t unused) = wait_for;

static void *one_thread(void *number) {
  barrow_mutator *m;
  must(barrow_attach(heap, &m));
  must(barrow_stack_call(m, program, (size_t)number, rounds, 0, &results[(size_t)number]));
  must(barrow_detach(m));
  return NULL;
}

static barrow_word *node(barrow_mutator *m, void *const *left, void *const *right) {
  barrow_word *made = barrow_alloc(m, 4);
  if (!made) exit(8);
  made[0] = (barrow_word)&node_info;
  made[1] = left ? (barrow_word)*left : 0;
  made[2] = right ? (barrow_word)*right : 0;
  made[3] = 0;
  return made;
}

int main(int argc, char **argv) {
  struct { barrow_frame frame; void *list, *thunk; } r;
  pthread_t threads[THREADS];
  char flags[256];
  barrow_config config;
  barrow_mutator *m;
  size_t i, nodes = 0, sum = 0;
  rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
  snprintf(flags, sizeof flags, "-A256k --mutators=8 %s", argc > 2 ? argv[2] : "");
  barrow_config_init(&config);
  config.flags = flags;
  must(barrow_heap_new(&config, &heap, &m));
  must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps), false));
  BARROW_ENTER(m, r);
  for (i = 0; i < THUNKS; i++) {
    barrow_word *thunk = barrow_alloc(m, barrow_thunk_words(1));
    thunk[0] = (barrow_word)&thunk_info, thunk[1] = 0, thunk[2] = i + 1;
    r.thunk = thunk;
    r.list = node(m, &r.list, &r.thunk);
  }
  must(barrow_handle_new(m, node(m, NULL, &r.list), &shared));
  BARROW_LEAVE(m, r);
  for (i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, one_thread, (void *)i)) exit(7);
  must(barrow_enter_foreign(m));
  for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  must(barrow_leave_foreign(m));
  must(barrow_check(m));
  for (barrow_word *at = (barrow_word *)((barrow_word *)cell())[1]; at; at = (barrow_word *)at[1]) nodes++, sum += at[3];
  printf("%lu %lu %lu", (unsigned long)nodes, (unsigned long)sum, (unsigned long)evaluations);
  for (i = 0; i < THREADS; i++) printf(" %lu", (unsigned long)results[i]);
  printf("\n");
  must(barrow_handle_free(m, shared));
  must(barrow_heap_free(heap));
  return 0;
}
