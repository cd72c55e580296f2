/* Bytes of a thread's stack that the library takes, seen by what it overwrote: for programs whose threads have small ones.
 *
 *   stack COLLECTING REPORTING MAKING    a table, with the most that each may take; exit status 1 when something takes more */
#define _GNU_SOURCE
#include <barrow.h>
#include <barrow/inline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STACK_BYTES = 1 << 20, PAINT = 0xa5 };

typedef struct node {
  barrow_word header;
  struct node *left, *right;
} node;
static const barrow_names node_names = {"node", "node", "stack", "stack.c"};
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2,
                                0, 0, 0, NULL, NULL, NULL, &node_names};

typedef struct task {
  const char *flags;
  barrow_heap *heap; /* unless the thread makes one */
  bool come, over;   /* a thread that stands is attached, and has nothing to stand for any more */
} task;

static void must(barrow_status status) {
  if (status == BARROW_OK) return;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(2);
}

static node *tree(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  r.left = r.right = NULL;
  BARROW_PUSH(m, r);
  if (depth > 0) r.left = tree(m, depth - 1), r.right = tree(m, depth - 1);
  n = (node *)barrow_alloc(m, 3);
  n->header = (barrow_word)&node_info;
  n->left = r.left, n->right = r.right;
  BARROW_LEAVE(m, r);
  return n;
}

static void heap_with(const char *flags, barrow_heap **heap, barrow_mutator **m) {
  barrow_config config;
  barrow_config_init(&config);
  config.flags = flags;
  must(barrow_heap_new(&config, heap, m));
}

/* A tree that lives, others that die, collections of both generations, and a census: the sample of a heap profile. */
static void work_with(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *kept; } r;
  int i;
  r.kept = NULL;
  BARROW_PUSH(m, r);
  r.kept = tree(m, depth);
  for (i = 0; i < 8; i++) tree(m, depth + 1);
  must(barrow_collect(m, 0));
  must(barrow_collect(m, 1));
  must(barrow_census(m));
  BARROW_LEAVE(m, r);
}

static void work(barrow_mutator *m) { work_with(m, 13); }

static void *nothing(void *given) { return given; }

static void *in_the_heap(void *given) {
  barrow_mutator *m;
  must(barrow_attach(((task *)given)->heap, &m));
  work(m);
  must(barrow_detach(m));
  return NULL;
}

/* Comes to stand while another thread collects, and works with it then. */
static void *stands(void *given) {
  task *t = (task *)given;
  barrow_mutator *m;
  must(barrow_attach(t->heap, &m));
  __atomic_store_n(&t->come, true, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&t->over, __ATOMIC_ACQUIRE)) must(barrow_safepoint(m));
  must(barrow_detach(m));
  return NULL;
}

static void *in_the_heap_with_reports(void *given) {
  barrow_mutator *m;
  must(barrow_attach(((task *)given)->heap, &m));
  work(m);
  must(barrow_check(m));
  must(barrow_snapshot(m, "stack.snapshot"));
  must(barrow_detach(m));
  return NULL;
}

static void *whole_life(void *given) {
  barrow_heap *heap;
  barrow_mutator *m;
  heap_with(((task *)given)->flags, &heap, &m);
  work(m);
  must(barrow_check(m));
  must(barrow_heap_free(heap));
  return NULL;
}

/* Bytes of its stack that a thread with this function overwrites, while this thread collects if it has a mutator. */
static size_t taken(void *(*function)(void *), task *given, barrow_mutator *collects) {
  unsigned char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t free_bytes = 0;
  pthread_attr_t attributes;
  pthread_t thread;
  given->come = given->over = false;
  memset(stack, PAINT, STACK_BYTES);
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, STACK_BYTES) != 0 ||
      pthread_create(&thread, &attributes, function, given) != 0)
    exit(2);
  if (collects) {
    while (!__atomic_load_n(&given->come, __ATOMIC_ACQUIRE)) must(barrow_safepoint(collects));
    work_with(collects, 16); /* so much lives that workers are called */
    __atomic_store_n(&given->over, true, __ATOMIC_RELEASE);
    must(barrow_enter_foreign(collects));
  }
  if (pthread_join(thread, NULL) != 0) exit(2);
  if (collects) must(barrow_leave_foreign(collects));
  while (free_bytes < STACK_BYTES && stack[free_bytes] == PAINT) free_bytes++;
  munmap(stack, STACK_BYTES);
  return STACK_BYTES - free_bytes;
}

static int failed;

static void tell(const char *what, const char *flags, size_t bytes, size_t most) {
  printf("%-12s %-36s %8lu %8lu%s\n", what, flags, (unsigned long)bytes, (unsigned long)most, bytes <= most ? "" : " missed");
  failed |= bytes > most;
}

/* A row for each of these flags, of a thread that attaches to a heap with them, and maybe stands while this one collects. */
static void attached(const char *what, const char *const *flags, void *(*function)(void *), size_t own, size_t most) {
  for (; *flags; flags++) {
    char line[200];
    barrow_mutator *m;
    task given;
    sprintf(line, "--mutators=4 -A256k %.150s", *flags);
    given.flags = line;
    heap_with(line, &given.heap, &m);
    if (function == stands) {
      tell(what, *flags, taken(function, &given, m) - own, most);
    } else {
      must(barrow_enter_foreign(m));
      tell(what, *flags, taken(function, &given, NULL) - own, most);
      must(barrow_leave_foreign(m));
    }
    must(barrow_heap_free(given.heap));
  }
}

int main(int count, char **words) {
  static const char *const collections[] = {"", "-c", "-G1", "-DS", "-hc -i0", "-hr -i0", "-hb -i0", "-p",
                                            "--workers=4!", "-c --workers=4!", "-hb -i0 --workers=4!", NULL};
  static const char *const reports[] = {"--space", "-p -r", "-hb -i0", NULL};
  task given = {"-A256k", NULL, false, false};
  size_t own;
  if (count != 4) return fprintf(stderr, "usage: stack COLLECTING REPORTING MAKING\n"), 2;
  own = taken(nothing, &given, NULL);
  printf("%-12s %-36s %8s %8s\n", "stack of", "flags", "bytes", "bar");
  attached("collections", collections, in_the_heap, own, strtoul(words[1], NULL, 10));
  attached("reports", reports, in_the_heap_with_reports, own, strtoul(words[2], NULL, 10));
  attached("standing", collections, stands, own, strtoul(words[1], NULL, 10));
  tell("a heap", "", taken(whole_life, &given, NULL) - own, strtoul(words[3], NULL, 10));
  return failed;
}
