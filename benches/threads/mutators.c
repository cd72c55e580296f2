/* Times of heaps with several mutators, for run.py:
 *
 *   mutators work NAME SIZE THREADS FLAGS    threads of one heap that do the same work; seconds of wall time
 *   mutators foreign COUNT                   nanoseconds that the last of so many mutators takes to leave and come back; of one exchange
 *   mutators attach OTHERS                   microseconds of attaching and detaching beside others in foreign code
 *   mutators idle THREADS                    bytes of the process for each mutator that waits
 *   mutators line                            nanoseconds that a cache line takes from one processor to another and back
 *   mutators crowd WAITING RUNNING SECONDS   trees a second of threads that run beside others in foreign code; how long stops took
 *   mutators wake THREADS                    microseconds, the median and the most, from one call to the system that wakes threads until
 *                                            the last of them has run */
#define _GNU_SOURCE
#include <barrow.h>
#include <barrow/inline.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024 };

typedef struct node {
  barrow_word header;
  struct node *left, *right;
} node;
static const barrow_names node_names = {"node", "node", "mutators", "mutators.c"};
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2,
                                0, 0, 0, NULL, NULL, NULL, &node_names};
static const barrow_names array_names = {"array", "array", "mutators", "mutators.c"};
static barrow_info array_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_ARRAY, 0, 0, 0,
                                 0, 0, 0, NULL, NULL, NULL, &array_names};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(barrow_status status) {
  if (status == BARROW_OK) return;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(1);
}

static barrow_heap *new_heap(size_t threads, const char *flags, barrow_mutator **m) {
  barrow_config config;
  barrow_heap *heap = NULL;
  char line[300];
  if (threads > 1) sprintf(line, "--mutators=%lu %.200s", (unsigned long)threads, flags);
  else sprintf(line, "%.200s", flags);
  barrow_config_init(&config);
  config.flags = line;
  must(barrow_heap_new(&config, &heap, m));
  return heap;
}

static node *make_node(barrow_mutator *m, node *left, node *right) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n = (node *)barrow_try_alloc(m, 3);
  if (BARROW_UNLIKELY(!n)) {
    r.left = left;
    r.right = right;
    BARROW_PUSH(m, r);
    n = (node *)barrow_alloc(m, 3);
    if (!n) exit(1);
    left = r.left;
    right = r.right;
    BARROW_LEAVE(m, r);
  }
  n->header = (barrow_word)&node_info;
  n->left = left;
  n->right = right;
  return n;
}

static node *tree(barrow_mutator *m, size_t depth) {
  struct { barrow_frame frame; node *left; } r;
  node *right;
  if (depth == 0) return make_node(m, NULL, NULL);
  r.left = tree(m, depth - 1);
  BARROW_PUSH(m, r);
  right = tree(m, depth - 1);
  BARROW_LEAVE(m, r);
  return make_node(m, r.left, right);
}

/* Trees of all depths up to one, beside one that lives. */
static void trees(barrow_mutator *m, size_t depth) {
  struct { barrow_frame frame; node *kept; } r;
  size_t d, i;
  BARROW_ENTER(m, r);
  r.kept = tree(m, depth);
  for (d = 4; d <= depth; d += 2)
    for (i = 0; i < (size_t)1 << (depth - d + 4); i++) tree(m, d);
  BARROW_LEAVE(m, r);
}

/* Trees filled from the top, so that older nodes are written to, beside a tree and an array that live. */
static void populate(barrow_mutator *m, size_t depth, node *at) {
  struct { barrow_frame frame; node *at, *fresh; } r;
  if (depth == 0) return;
  r.at = at;
  r.fresh = NULL;
  BARROW_PUSH(m, r);
  r.fresh = make_node(m, NULL, NULL);
  BARROW_WRITE(m, r.at, left, r.fresh);
  r.fresh = make_node(m, NULL, NULL);
  BARROW_WRITE(m, r.at, right, r.fresh);
  populate(m, depth - 1, r.at->left);
  populate(m, depth - 1, r.at->right);
  BARROW_LEAVE(m, r);
}

static void gcbench(barrow_mutator *m, size_t depth) {
  struct { barrow_frame frame; node *kept, *one; } r;
  size_t d, i;
  BARROW_ENTER(m, r);
  r.kept = make_node(m, NULL, NULL);
  populate(m, depth, r.kept);
  for (d = 4; d <= depth; d += 2)
    for (i = 0; i < ((size_t)1 << (depth + 1)) / ((size_t)1 << d); i++) {
      r.one = make_node(m, NULL, NULL);
      populate(m, d, r.one);
      tree(m, d);
    }
  BARROW_LEAVE(m, r);
}

/* Slots of an array are overwritten at random with fresh objects. */
static void writes(barrow_mutator *m, size_t steps) {
  struct { barrow_frame frame; void *array; } r;
  const size_t slots = 1 << 17;
  size_t i, at = 1;
  BARROW_ENTER(m, r);
  r.array = barrow_array_init(barrow_alloc(m, barrow_array_words(slots)), &array_info, slots);
  for (i = 0; i < steps; i++) {
    node *n = make_node(m, NULL, NULL);
    at = at * 6364136223846793005u + 1442695040888963407u;
    barrow_write(m, r.array, &barrow_array_elements(r.array)[(at >> 33) % slots], n);
  }
  BARROW_LEAVE(m, r);
}

static void raw(barrow_mutator *m, size_t steps) {
  size_t i;
  for (i = 0; i < steps; i++) make_node(m, NULL, NULL);
}

static const struct { const char *name; void (*body)(barrow_mutator *, size_t); } works[] = {
    {"trees", trees}, {"gcbench", gcbench}, {"writes", writes}, {"raw", raw}};

/* ---- threads of one heap -------------------------------------------------------------------------------------------- */

static barrow_heap *heap;
static void (*body)(barrow_mutator *, size_t);
static size_t size;
static volatile int ended;
static size_t made[MOST], come;

static void *worker(void *unused) {
  barrow_mutator *m = NULL;
  (void)unused;
  must(barrow_attach(heap, &m));
  body(m, size);
  must(barrow_detach(m));
  return NULL;
}

static int work(const char *name, size_t n, size_t threads, const char *flags) {
  pthread_t thread[MOST];
  barrow_mutator *m = NULL;
  double begun;
  size_t i;
  for (i = 0; i < sizeof works / sizeof *works; i++)
    if (strcmp(works[i].name, name) == 0) body = works[i].body;
  if (!body || threads > MOST) return 2;
  size = n;
  heap = new_heap(threads, flags, &m);
  begun = now();
  for (i = 1; i < threads; i++)
    if (pthread_create(&thread[i], NULL, worker, NULL)) return 1;
  body(m, size);
  must(barrow_enter_foreign(m));
  for (i = 1; i < threads; i++) pthread_join(thread[i], NULL);
  must(barrow_leave_foreign(m));
  printf("%.6f\n", now() - begun);
  must(barrow_heap_free(heap));
  return 0;
}

/* ---- threads in foreign code ---------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;

static void *waits(void *unused) {
  barrow_mutator *m = NULL;
  (void)unused;
  must(barrow_attach(heap, &m));
  must(barrow_enter_foreign(m));
  __atomic_add_fetch(&come, 1, __ATOMIC_ACQ_REL);
  pthread_mutex_lock(&lock);
  while (!ended) pthread_cond_wait(&end, &lock);
  pthread_mutex_unlock(&lock);
  must(barrow_leave_foreign(m));
  must(barrow_detach(m));
  return NULL;
}

static pthread_t waiting_threads[MOST];

/* Returns when so many threads are in foreign code. */
static void begin_waiting(size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (pthread_create(&waiting_threads[i], NULL, waits, NULL)) exit(1);
  while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < count) usleep(1000);
}

static void end_waiting(size_t count) {
  size_t i;
  pthread_mutex_lock(&lock);
  ended = 1;
  pthread_cond_broadcast(&end);
  pthread_mutex_unlock(&lock);
  for (i = 0; i < count; i++) pthread_join(waiting_threads[i], NULL);
}

/* ---- single calls --------------------------------------------------------------------------------------------------- */

static int foreign(size_t count) {
  enum { TURNS = 200000 };
  static unsigned word;
  double pair = 1, exchange = 1;
  barrow_mutator *m = NULL;
  int run, i;
  if (count < 1 || count >= MOST) return 2;
  heap = new_heap(count + 1, "", NULL);
  begin_waiting(count - 1);
  must(barrow_attach(heap, &m));
  for (run = 0; run < 15; run++) {
    double begun = now(), took;
    for (i = 0; i < TURNS; i++) {
      must(barrow_enter_foreign(m));
      must(barrow_leave_foreign(m));
    }
    took = (now() - begun) / TURNS;
    if (took < pair) pair = took;
    begun = now();
    for (i = 0; i < TURNS; i++) __atomic_exchange_n(&word, (unsigned)i, __ATOMIC_SEQ_CST);
    took = (now() - begun) / TURNS;
    if (took < exchange) exchange = took;
  }
  printf("%.2f %.2f\n", pair * 1e9, exchange * 1e9);
  must(barrow_enter_foreign(m));
  end_waiting(count - 1);
  return 0;
}

static int attach(size_t others) {
  enum { TURNS = 2000 };
  double least = 1;
  int run, i;
  if (others + 2 > MOST) return 2;
  heap = new_heap(others + 2, "", NULL);
  begin_waiting(others);
  for (run = 0; run < 15; run++) {
    double begun = now(), took;
    for (i = 0; i < TURNS; i++) {
      barrow_mutator *m = NULL;
      must(barrow_attach(heap, &m));
      must(barrow_detach(m));
    }
    took = (now() - begun) / TURNS;
    if (took < least) least = took;
  }
  printf("%.3f\n", least * 1e6);
  end_waiting(others);
  return 0;
}

static size_t resident(void) {
  unsigned long total = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu %lu", &total, &pages) != 2) return 0;
  fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t stage;
static void reach(size_t at) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < at) usleep(1000);
}

static void *idler(void *unused) {
  barrow_mutator *m = NULL;
  (void)unused;
  __atomic_add_fetch(&come, 1, __ATOMIC_ACQ_REL);
  reach(1);
  must(barrow_attach(heap, &m));
  raw(m, 100);
  must(barrow_enter_foreign(m));
  __atomic_add_fetch(&come, 1, __ATOMIC_ACQ_REL);
  reach(2);
  must(barrow_leave_foreign(m));
  must(barrow_detach(m));
  return NULL;
}

static int idle(size_t threads) {
  pthread_t thread[MOST];
  barrow_mutator *m = NULL;
  size_t i, before, after;
  if (threads >= MOST) return 2;
  heap = new_heap(threads + 1, "", &m);
  raw(m, 1000000);
  must(barrow_collect(m, true));
  must(barrow_enter_foreign(m));
  for (i = 0; i < threads; i++)
    if (pthread_create(&thread[i], NULL, idler, NULL)) return 1;
  while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < threads) usleep(1000);
  before = resident();
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < 2 * threads) usleep(1000);
  must(barrow_leave_foreign(m));
  must(barrow_collect(m, true));
  after = resident();
  printf("%lu\n", (unsigned long)((after > before ? after - before : 0) / threads));
  must(barrow_enter_foreign(m));
  __atomic_store_n(&stage, 2, __ATOMIC_RELEASE);
  for (i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  must(barrow_leave_foreign(m));
  must(barrow_heap_free(heap));
  return 0;
}

/* ---- a crowd -------------------------------------------------------------------------------------------------------- */

static void *allocates(void *given) {
  size_t which = *(size_t *)given;
  barrow_mutator *m = NULL;
  must(barrow_attach(heap, &m));
  while (!ended) {
    tree(m, 10);
    made[which]++;
  }
  must(barrow_detach(m));
  return NULL;
}

static int crowd(size_t waiting, size_t running, double seconds) {
  static size_t numbers[MOST];
  pthread_t thread[MOST];
  barrow_mutator *m = NULL;
  barrow_stats_t stats;
  double begun, trees_made = 0;
  size_t i;
  if (waiting + running + 1 > MOST) return 2;
  heap = new_heap(waiting + running + 1, "-A1m", &m);
  must(barrow_enter_foreign(m));
  begin_waiting(waiting);
  begun = now();
  for (i = 0; i < running; i++) {
    numbers[i] = i;
    if (pthread_create(&thread[i], NULL, allocates, &numbers[i])) return 1;
  }
  usleep((useconds_t)(seconds * 1e6));
  ended = 1;
  for (i = 0; i < running; i++) {
    pthread_join(thread[i], NULL);
    trees_made += (double)made[i];
  }
  seconds = now() - begun;
  end_waiting(waiting);
  must(barrow_leave_foreign(m));
  memset(&stats, 0, sizeof stats);
  stats.size = (uint32_t)sizeof stats;
  must(barrow_stats(heap, &stats));
  printf("%.0f", trees_made / seconds);
  {
    size_t bucket;
    printf(" %lu %lu", (unsigned long)stats.stops, (unsigned long)stats.max_stop_ns);
    for (bucket = 0; bucket < BARROW_PAUSE_BUCKETS; bucket++) printf(" %lu", (unsigned long)stats.stop_waits[bucket]);
  }
  printf("\n");
  return 0;
}

/* ---- threads that the system wakes ------------------------------------------------------------------------------------ */

enum { WAKES = 101 };
static unsigned wake_number;
static size_t woken, to_wake;
static double last_ran;

static void *is_woken(void *unused) {
  unsigned number;
  (void)unused;
  for (number = 0; number < WAKES; number++) {
    __atomic_add_fetch(&come, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&wake_number, __ATOMIC_ACQUIRE) == number)
      syscall(SYS_futex, &wake_number, FUTEX_WAIT_PRIVATE, number, NULL, NULL, 0);
    if (__atomic_add_fetch(&woken, 1, __ATOMIC_ACQ_REL) == to_wake * (number + 1)) {
      last_ran = now();
      __atomic_add_fetch(&stage, 1, __ATOMIC_RELEASE);
    }
  }
  return NULL;
}

static int by_value(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static int wake(size_t threads) {
  pthread_t thread[MOST];
  double took[WAKES], begun;
  unsigned number;
  size_t i;
  if (threads < 1 || threads > MOST) return 2;
  to_wake = threads;
  for (i = 0; i < threads; i++)
    if (pthread_create(&thread[i], NULL, is_woken, NULL)) return 1;
  for (number = 0; number < WAKES; number++) {
    while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) < threads * (number + 1)) usleep(1000);
    /* The last of them is asleep after a while. */
    usleep(5000);
    begun = now();
    __atomic_store_n(&wake_number, number + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &wake_number, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    reach(number + 1);
    took[number] = last_ran - begun;
  }
  for (i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  qsort(took, WAKES, sizeof *took, by_value);
  printf("%.1f %.1f\n", took[WAKES / 2] * 1e6, took[WAKES - 1] * 1e6);
  return 0;
}

/* ---- a line of the cache that goes to and fro --------------------------------------------------------------------------- */

enum { PASSES = 1000000 };
static long passed;

static void *passes_back(void *unused) {
  long i;
  (void)unused;
  for (i = 0; i < PASSES; i++) {
    while (__atomic_load_n(&passed, __ATOMIC_ACQUIRE) != 2 * i + 1) {}
    __atomic_store_n(&passed, 2 * i + 2, __ATOMIC_RELEASE);
  }
  return NULL;
}

static int line(void) {
  pthread_t other;
  double begun;
  long i;
  if (pthread_create(&other, NULL, passes_back, NULL)) return 1;
  begun = now();
  for (i = 0; i < PASSES; i++) {
    __atomic_store_n(&passed, 2 * i + 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&passed, __ATOMIC_ACQUIRE) != 2 * i + 2) {}
  }
  printf("%.1f\n", (now() - begun) / PASSES * 1e9);
  pthread_join(other, NULL);
  return 0;
}

int main(int count, char **words) {
  if (count == 6 && strcmp(words[1], "work") == 0)
    return work(words[2], strtoul(words[3], NULL, 10), strtoul(words[4], NULL, 10), words[5]);
  if (count == 3 && strcmp(words[1], "foreign") == 0) return foreign(strtoul(words[2], NULL, 10));
  if (count == 3 && strcmp(words[1], "attach") == 0) return attach(strtoul(words[2], NULL, 10));
  if (count == 3 && strcmp(words[1], "wake") == 0) return wake(strtoul(words[2], NULL, 10));
  if (count == 2 && strcmp(words[1], "line") == 0) return line();
  if (count == 3 && strcmp(words[1], "idle") == 0) return idle(strtoul(words[2], NULL, 10));
  if (count == 5 && strcmp(words[1], "crowd") == 0)
    return crowd(strtoul(words[2], NULL, 10), strtoul(words[3], NULL, 10), atof(words[4]));
  fprintf(stderr, "see the first lines of mutators.c\n");
  return 2;
}
