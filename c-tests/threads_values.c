/* Words that are values, NaN-boxed, in eight threads at once: stores and exchanges of words where others look, and plain stores
 * with the barrier alone where nobody does. tests/header_threads.rs reads the names that stand here. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#include "from_eight.h"
#include <barrow/nanbox.h>

INFO(values_info, BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED | BARROW_FLAG_MUTABLE, 0, 0, 0, 0, NULL, NULL);
INFO(weak_values_info, BARROW_WEAK_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);

/* What all threads share: registered roots. */
enum { VALUES, WEAK_VALUES, SHARED };
static void *shared[SHARED];

static toy heap_of_values(barrow_config *config, const char *flags) {
  toy t;
  barrow_config_init(config);
  barrow_nan_config(config);
  t = heap_of_eight(config, flags);
  memset(shared, 0, sizeof shared);
  CHECK_OK(barrow_root_add(t.heap, "shared", shared, SHARED, false));
  return t;
}

static size_t rounds_with(const char *flags, size_t rounds) {
  return strstr(flags, "-DS") ? rounds / 10 + 1 : slow_share(rounds);
}

enum { VALUES_LENGTH = 24 };

static void look_at_value(task *w, barrow_word value) {
  if (barrow_nan_is_object(value)) {
    const node *n = (const node *)barrow_nan_to_object(value);
    MUST(w, barrow_info_of(n) == &node_info && n->right == n && n->left == NULL && n->value < w->rounds);
  } else if (barrow_nan_is_double(value)) {
    MUST(w, barrow_nan_to_double(value) >= 0.5 && barrow_nan_to_double(value) < 8.5);
  } else if (barrow_nan_is_int(value)) {
    MUST(w, barrow_nan_to_int(value) <= 0 && barrow_nan_to_int(value) > -8);
  } else {
    MUST(w, value == 0 || (barrow_nan_is_constant(value) && barrow_nan_to_constant(value) < 8));
  }
}

/* All store values of every sort into one array and one weak array, and look at what others have stored. */
static void values(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; barrow_word kept, last, number; } r;
  barrow_word number;
  size_t i, k;
  BARROW_ENTER_TAGGED(m, r);
  r.kept = barrow_nan_of_object(toy_node(m, NULL, NULL, 0));
  ((node *)barrow_nan_to_object(r.kept))->right = (node *)barrow_nan_to_object(r.kept);
  /* A constant whose other bits are an object's address, in a frame of each sort, stays what it is when that one moves. */
  number = r.number = BARROW_NAN_CONSTANT(r.kept >> 3);
  for (i = 0; i < w->rounds; i++) {
    struct { barrow_frame frame; barrow_word value, number; } inner;
    barrow_word *elements, looks_like;
    node *n = toy_node(m, NULL, NULL, i);
    n->right = n;
    switch ((i + w->number) % 4) {
      case 0: inner.value = barrow_nan_of_double(0.5 + (double)w->number); break;
      case 1: inner.value = barrow_nan_of_int(-(int32_t)w->number); break;
      case 2: inner.value = BARROW_NAN_CONSTANT(w->number); break;
      default: inner.value = barrow_nan_of_object(n); break;
    }
    inner.number = BARROW_NAN_CONSTANT((barrow_word)n >> 3);
    looks_like = inner.number;
    BARROW_PUSH_TAGGED(m, inner);
    if (i % 64 == w->number) DID(barrow_collect(m, i % 128 == w->number));
    look_at_value(w, inner.value);
    MUST(w, inner.number == looks_like && r.number == number);
    elements = (barrow_word *)barrow_array_elements(shared[VALUES]);
    barrow_write_word(m, shared[VALUES], &elements[(i + w->number) % VALUES_LENGTH], inner.value);
    MUST(w, barrow_weak_array_length(shared[WEAK_VALUES]) == VALUES_LENGTH);
    barrow_weak_array_write_word(m, shared[WEAK_VALUES], i % VALUES_LENGTH, inner.value);
    r.last = inner.value;
    BARROW_LEAVE(m, inner);
    for (k = 0; k < VALUES_LENGTH; k++) {
      look_at_value(w, BARROW_LOAD_ACQUIRE(&elements[k]));
      look_at_value(w, (barrow_word)BARROW_LOAD_ACQUIRE(&barrow_weak_array_elements(shared[WEAK_VALUES])[k]));
    }
  }
  look_at_value(w, r.kept);
  BARROW_LEAVE(m, r);
}

static void values_with(const char *flags) {
  barrow_config config;
  task like = task_of(rounds_with(flags, 2000));
  toy t;
  t = heap_of_values(&config, flags);
  shared[VALUES] = barrow_array_init(barrow_alloc(t.m, barrow_array_words(VALUES_LENGTH)), &values_info, VALUES_LENGTH);
  shared[WEAK_VALUES] = barrow_weak_array_init(barrow_alloc(t.m, barrow_weak_array_words(VALUES_LENGTH)), &weak_values_info,
                                               VALUES_LENGTH);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  eight_in(t, like, values);
  CHECK_OK(barrow_root_remove(t.heap, shared));
  toy_free(t);
}

/* ---- exchanges ----------------------------------------------------------------------------------------------------------- */

/* The number that a value stands for: an object's, or one in the word. */
static barrow_word number_of(barrow_word value) {
  return barrow_nan_is_object(value) ? ((node *)barrow_nan_to_object(value))->value : (barrow_word)barrow_nan_to_int(value);
}

/* Counts in a word that all exchange, as an object and as a number by turns. An array of the thread's own is stored into plainly,
 * and has the barrier afterwards. */
static void counts(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; barrow_word *own; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.own = (barrow_word *)barrow_array_init(barrow_alloc(m, barrow_array_words(1)), &values_info, 1);
  DID(barrow_collect(m, true));
  for (i = 0; i < w->rounds; i++) {
    barrow_word *element, now, next;
    do {
      node *n = toy_node(m, NULL, NULL, 0);
      element = (barrow_word *)barrow_array_elements(shared[VALUES]);
      now = BARROW_LOAD_ACQUIRE(element);
      n->value = number_of(now) + 1;
      next = n->value % 2 ? barrow_nan_of_object(n) : barrow_nan_of_int((int32_t)n->value);
      MUST(w, !barrow_cas_word(m, shared[VALUES], element, BARROW_NAN_CONSTANT(1), next));
    } while (!barrow_cas_word(m, shared[VALUES], element, now, next));
    next = barrow_nan_of_object(toy_node(m, NULL, NULL, i));
    element = (barrow_word *)barrow_array_elements(r.own);
    *element = next;
    barrow_barrier_word(m, r.own, element, *element);
    if (i % 8 == w->number) DID(barrow_collect(m, i % 128 == w->number));
    MUST(w, number_of(*(barrow_word *)barrow_array_elements(r.own)) == i);
  }
  BARROW_LEAVE(m, r);
}

static void counted_with(const char *flags) {
  barrow_config config;
  task like = task_of(rounds_with(flags, 2000));
  toy t = heap_of_values(&config, flags);
  shared[VALUES] = barrow_array_init(barrow_alloc(t.m, barrow_array_words(1)), &values_info, 1);
  *(barrow_word *)barrow_array_elements(shared[VALUES]) = barrow_nan_of_int(0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  eight_in(t, like, counts);
  CHECK_EQ(number_of(*(barrow_word *)barrow_array_elements(shared[VALUES])), THREADS * like.rounds);
  CHECK_OK(barrow_root_remove(t.heap, shared));
  toy_free(t);
}

static void from_eight_with_each(void (*with)(const char *)) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++) with(few_flags[i]);
}
static void values_from_eight(void) { from_eight_with_each(values_with); }
static void exchanges_from_eight(void) { from_eight_with_each(counted_with); }

int main(void) {
  RUN(values_from_eight);
  RUN(exchanges_from_eight);
  return DONE;
}
