/* map: threads force the elements of a lazy list, which share thunks. map [THREADS] [ELEMENTS]
 *
 * Element n is the number of steps that n takes to 1 when it is halved, or made three times itself and 1. It needs the
 * element that comes after one step, so what one thread evaluates another one waits for; each is evaluated once. */
#include "threads.h"

typedef struct thunk {
  barrow_word header, result;
  barrow_word n;
} thunk;
static barrow_info steps_info = BARROW_INFO(BARROW_THUNK, 0, 0, 1, "steps");
static barrow_info number_info = BARROW_INFO(BARROW_CONSTR, 0, 0, 1, "Number");
static barrow_info failed_info = BARROW_INFO(BARROW_CONSTR, 0, 0, 1, "Failed");
static barrow_info array_info = BARROW_INFO_ARRAY(BARROW_ARRAY, 0, "Elements");

static void *elements; /* a root: an array of thunks and values */
static size_t count;
static size_t next, evaluations;

static size_t one_more(size_t *word) { return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED); }

static void *element(size_t n) { return __atomic_load_n(&barrow_array_elements(elements)[n], __ATOMIC_ACQUIRE); }

static barrow_word *number(barrow_mutator *m, barrow_info *info, barrow_word n) {
  barrow_word *at = make(m, info, 2);
  at[1] = n;
  return at;
}

static barrow_word *force(barrow_mutator *m, void *x);

/* The code of a thunk: how many steps n takes. Beyond the list nothing is shared. */
static barrow_word *steps(barrow_mutator *m, barrow_word n) {
  barrow_word taken = 0;
  one_more(&evaluations);
  while (n > 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    taken++;
    if (n < count) {
      barrow_word *rest = force(m, element(n));
      return number(m, &number_info, taken + rest[1]);
    }
  }
  return number(m, &number_info, taken);
}

/* The value of an object. A thunk that needs itself has none: the one that would wait for ever is told. */
static barrow_word *force(barrow_mutator *m, void *x) {
  struct { barrow_frame frame; void *x; } r;
  r.x = x;
  BARROW_PUSH(m, r);
  for (;;) {
    switch (barrow_info_now(r.x)->kind) {
      case BARROW_THUNK:
        if (barrow_claim(m, r.x)) {
          barrow_word *value = steps(m, ((thunk *)r.x)->n);
          must(barrow_update(m, r.x, value));
        }
        break;
      case BARROW_BLACKHOLE: {
        barrow_status status = barrow_wait_for(m, r.x);
        if (status == BARROW_E_LOOP) {
          BARROW_LEAVE(m, r);
          return number(m, &failed_info, 0);
        }
        must(status);
        break;
      }
      case BARROW_IND:
      case BARROW_IND_OLDGEN: r.x = barrow_indirectee(r.x); break;
      default: BARROW_LEAVE(m, r); return (barrow_word *)r.x;
    }
  }
}

static void force_some(barrow_mutator *m, size_t thread) {
  size_t n;
  (void)thread;
  while ((n = one_more(&next)) < count) force(m, element(n));
}

int main(int argc, char **argv) {
  thread threads[MOST_THREADS];
  barrow_mutator *m;
  barrow_heap *heap = start(&argc, argv, "--mutators=17 -A256k", &m);
  size_t workers = argc > 1 ? (size_t)atoi(argv[1]) : 4, n, longest = 0;
  barrow_word most = 0;
  struct { barrow_frame frame; void *self; } r;
  count = argc > 2 ? (size_t)atol(argv[2]) : 20000;
  if (workers < 1 || workers > MOST_THREADS) die("map: from 1 to 16 threads");
  elements = barrow_array_init(make(m, &array_info, barrow_array_words(count)), &array_info, count);
  must(barrow_root_add(heap, "elements", &elements, 1, false));
  for (n = 0; n < count; n++) {
    thunk *t = (thunk *)make(m, &steps_info, 3);
    t->result = 0; /* whoever claims it is noted there */
    t->n = n;
    barrow_write(m, elements, &barrow_array_elements(elements)[n], t);
  }
  for (n = 0; n < workers; n++) start_thread(&threads[n], heap, n, force_some);
  join_threads(m, threads, workers);
  for (n = 1; n < count; n++) {
    barrow_word taken = force(m, element(n))[1];
    if (taken > most) {
      longest = n;
      most = taken;
    }
  }
  printf("%lu elements, %lu evaluations\n", (unsigned long)count, (unsigned long)evaluations);
  printf("%lu takes the most steps: %lu\n", (unsigned long)longest, (unsigned long)most);
  BARROW_ENTER(m, r);
  r.self = make(m, &steps_info, 3);
  ((thunk *)r.self)->result = 0;
  ((thunk *)r.self)->n = 0;
  if (!barrow_claim(m, r.self)) die("a fresh thunk is claimed already");
  printf("a thunk that needs itself %s\n", barrow_info_of(force(m, r.self)) == &failed_info ? "is told" : "has a value");
  BARROW_LEAVE(m, r);
  must(barrow_root_remove(heap, &elements));
  must(barrow_heap_free(heap));
  return 0;
}
