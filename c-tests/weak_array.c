/* Weak arrays: elements that keep nothing alive, in every age of array and element, and what is refused. */
#include "toy.h"

INFO(weak_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
INFO(tagged_info, BARROW_WEAK_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);
INFO(thunk_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);
INFO(short_info, BARROW_THUNK, 0, 0, 0, 0, 0, NULL, NULL);

static const char *const every_heap[] = {
    "-DS -G1", "-DS -G2 -T1", "-DS -G3", "-DS -G5 -T1", "-DS -G8 -T3", "-DS -c", "-DS -G1 -c", "-DS --source=chunks",
    "-DS --source=chunks -c -G3"};
/* Valgrind is slow, and sees the same in a few. */
#define HEAPS (toy_under_valgrind() ? 2 : sizeof every_heap / sizeof *every_heap)

static void *weak_array(barrow_mutator *m, size_t length) {
  return barrow_weak_array_init(barrow_alloc(m, barrow_weak_array_words(length)), &weak_info, length);
}

static node *element(void *array, size_t i) { return (node *)barrow_weak_array_get(array, i); }

static void make_old(toy t) {
  int i;
  for (i = 0; i < 9; i++) CHECK_OK(barrow_collect(t.m, true));
}

static void sizes(void) {
  toy t = toy_new("-DS");
  void *array = weak_array(t.m, 5);
  CHECK_EQ(barrow_weak_array_words(0), 3);
  CHECK_EQ(barrow_object_words(t.heap, array), barrow_weak_array_words(5));
  CHECK_EQ(barrow_weak_array_length(array), 5);
  CHECK(barrow_weak_array_elements(array)[4] == NULL);
  CHECK(barrow_weak_array_init(NULL, &weak_info, 5) == NULL);
  CHECK_OK(barrow_info_check(&weak_info));
  CHECK_OK(barrow_info_check(&tagged_info));
  toy_free(t);
}

/* Half of the objects of an array are held; before and after the array has grown old, small and large. */
static void what_is_held_stays(void) {
  static const size_t lengths[] = {0, 1, 20, 300, 407, 500, 3000};
  size_t i, k, n;
  int old, major;
  for (k = 0; k < HEAPS; k++)
    for (n = 0; n < sizeof lengths / sizeof *lengths; n++)
      for (old = 0; old < 2; old++)
        for (major = 0; major < 2; major++) {
          size_t length = lengths[n];
          toy t = toy_new(every_heap[k]);
          struct { barrow_frame frame; void *array, *held; } r;
          BARROW_ENTER(t.m, r);
          r.array = weak_array(t.m, length);
          r.held = toy_array(t.m, length);
          if (old) make_old(t);
          for (i = 0; i < length; i++) {
            node *n1 = toy_node(t.m, NULL, NULL, i);
            barrow_weak_array_write(t.m, r.array, i, n1);
            if (i % 2) barrow_write(t.m, r.held, &barrow_array_elements(r.held)[i], n1);
          }
          CHECK_OK(barrow_collect(t.m, major));
          for (i = 0; i < length; i++) {
            CHECK(element(r.array, i) == barrow_array_elements(r.held)[i]);
            if (i % 2) CHECK_EQ(element(r.array, i)->value, i);
          }
          /* Whatever age they have by now, what was let go has died when everything was collected. */
          CHECK_OK(barrow_collect(t.m, false));
          for (i = 1; i < length; i += 4) barrow_write(t.m, r.held, &barrow_array_elements(r.held)[i], NULL);
          CHECK_OK(barrow_collect(t.m, true));
          for (i = 0; i < length; i++) CHECK(element(r.array, i) == barrow_array_elements(r.held)[i]);
          BARROW_LEAVE(t.m, r);
          toy_free(t);
        }
}

/* An old array is looked at until its elements are as old: nobody writes to it between the collections. */
static void young_elements_of_an_old_array(void) {
  size_t k, i;
  int round;
  for (k = 0; k < HEAPS; k++) {
    toy t = toy_new(every_heap[k]);
    struct { barrow_frame frame; void *array; node *a, *b; } r;
    BARROW_ENTER(t.m, r);
    r.array = weak_array(t.m, 40);
    make_old(t);
    r.a = toy_node(t.m, NULL, NULL, 1);
    r.b = toy_node(t.m, NULL, NULL, 2);
    barrow_weak_array_write(t.m, r.array, 3, r.a);
    barrow_weak_array_write(t.m, r.array, 4, r.b);
    /* The same by the barriers that are for everything. */
    barrow_write(t.m, r.array, &barrow_weak_array_elements(r.array)[5], r.a);
    CHECK_OK(barrow_weak_array_set(t.m, r.array, 6, r.a));
    barrow_weak_array_elements(r.array)[7] = r.a;
    CHECK_OK(barrow_record_old_to_new(t.m, r.array));
    for (round = 0; round < 12; round++) {
      CHECK_OK(barrow_collect(t.m, false));
      for (i = 3; i < 8; i++) {
        node *expected = i == 4 ? r.b : r.a;
        CHECK(element(r.array, i) == expected);
      }
    }
    r.b = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 4) == NULL && element(r.array, 3) == r.a);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A table of names in an old array: a minor collection lets young ones go again. */
static void a_table_of_old_age(void) {
  toy t = toy_new("-DS -G2 -T1");
  struct { barrow_frame frame; void *array; node *kept; } r;
  size_t i, round, alive;
  BARROW_ENTER(t.m, r);
  r.array = weak_array(t.m, 1000);
  make_old(t);
  for (round = 0; round < 5; round++) {
    for (i = 0; i < 100; i++) {
      node *n = toy_node(t.m, NULL, NULL, i);
      barrow_weak_array_write(t.m, r.array, round * 100 + i, n);
      if (i == 50) r.kept = toy_node(t.m, r.kept, n, 0);
      n = (node *)barrow_weak_array_get(r.array, round * 100 + i);
      CHECK_EQ(n->value, i);
    }
    CHECK_OK(barrow_collect(t.m, false));
    for (alive = i = 0; i < 1000; i++) alive += element(r.array, i) != NULL;
    CHECK_EQ(alive, round + 1);
    CHECK_EQ(element(r.array, round * 100 + 50)->value, 50);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Numbers stay, and so does what is not in the heap; what is in it goes, with its tag. */
static void tagged_elements(void) {
  size_t k;
  for (k = 0; k < HEAPS; k++) {
    barrow_config config;
    toy t;
    struct { barrow_frame frame; void *array; node *a; } r;
    static barrow_word outside[2];
    barrow_word kept, lost;
    barrow_config_init(&config);
    config.tagged_pointers = 0x0808; /* pointers end in 3 */
    config.address_mask = ~(barrow_word)7;
    t = toy_new_with(&config, every_heap[k]);
    BARROW_ENTER(t.m, r);
    r.array = barrow_weak_array_init(barrow_alloc(t.m, barrow_weak_array_words(6)), &tagged_info, 6);
    make_old(t);
    r.a = toy_node(t.m, NULL, NULL, 7);
    kept = (barrow_word)r.a | 3;
    barrow_weak_array_write_word(t.m, r.array, 0, kept);
    lost = (barrow_word)toy_node(t.m, NULL, NULL, 8) | 3;
    barrow_weak_array_write_word(t.m, r.array, 1, lost);
    barrow_weak_array_write_word(t.m, r.array, 2, (barrow_word)42 << 3);
    barrow_weak_array_write_word(t.m, r.array, 3, (barrow_word)r.a | 1); /* a number that looks so */
    barrow_weak_array_write_word(t.m, r.array, 4, (barrow_word)outside | 3);
    CHECK_OK(barrow_weak_array_set(t.m, r.array, 5, (void *)((barrow_word)r.a | 3)));
    kept = (barrow_word)r.a | 1;
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ((barrow_word)element(r.array, 0), (barrow_word)r.a | 3);
    CHECK_EQ((barrow_word)element(r.array, 1), 0);
    CHECK_EQ((barrow_word)element(r.array, 2), (barrow_word)42 << 3);
    CHECK_EQ((barrow_word)element(r.array, 3), kept);
    CHECK_EQ((barrow_word)element(r.array, 4), (barrow_word)outside | 3);
    CHECK_EQ((barrow_word)element(r.array, 5), (barrow_word)r.a | 3);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void *seen;
static node *brought_back;
static void look(barrow_mutator *m, void *data, void *key, void *value) {
  (void)data;
  (void)value;
  seen = m ? key : NULL;
  brought_back = (node *)key;
}

/* What only a finalizer reaches is gone from weak arrays when it runs, but not from those that itself reaches alone. */
static void finalizers_come_later(void) {
  size_t k;
  for (k = 0; k < HEAPS; k++) {
    toy t = toy_new(every_heap[k]);
    struct { barrow_frame frame; void *array, *value, *weak; node *key, *back; } r;
    BARROW_ENTER(t.m, r);
    r.array = weak_array(t.m, 2);
    r.value = weak_array(t.m, 2);
    r.key = toy_node(t.m, NULL, NULL, 5);
    barrow_weak_array_write(t.m, r.array, 0, r.key);
    barrow_weak_array_write(t.m, r.array, 1, r.array);
    barrow_weak_array_write(t.m, r.value, 0, r.key);
    r.weak = barrow_weak_new(t.m, r.key, r.value, NULL);
    CHECK_OK(barrow_weak_set_function(t.m, r.weak, look, NULL, NULL));
    r.value = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 0) == r.key && element(r.array, 1) == r.array);
    /* The value, a weak array, lives by its key. */
    CHECK(barrow_weak_deref(r.weak, &r.value));
    CHECK(element(r.value, 0) == r.key);
    r.value = NULL;
    r.key = NULL;
    r.weak = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 0) == NULL && element(r.array, 1) == r.array);
    CHECK(barrow_finalizers_due(t.m));
    seen = NULL;
    CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 1);
    r.back = brought_back;
    CHECK(r.back != NULL && r.back->value == 5);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 0) == NULL);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* The array that a finalizer is given still has what it had. */
static node *first_of_value;
static void look_into_value(barrow_mutator *m, void *data, void *key, void *value) {
  (void)data;
  if (m && element(value, 0) == key && element(value, 1) == NULL) first_of_value = element(value, 0);
}

static void arrays_of_finalizers(void) {
  size_t k;
  for (k = 0; k < HEAPS; k++) {
    toy t = toy_new(every_heap[k]);
    struct { barrow_frame frame; void *value; node *key; } r;
    void *weak;
    BARROW_ENTER(t.m, r);
    r.value = weak_array(t.m, 2);
    r.key = toy_node(t.m, NULL, NULL, 6);
    weak = toy_node(t.m, NULL, NULL, 0);
    barrow_weak_array_write(t.m, r.value, 0, r.key);
    barrow_weak_array_write(t.m, r.value, 1, weak);
    weak = barrow_weak_new(t.m, r.key, r.value, NULL);
    CHECK_OK(barrow_weak_set_function(t.m, weak, look_into_value, NULL, NULL));
    r.key = NULL;
    r.value = NULL;
    first_of_value = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_run_finalizers(t.m, NULL, NULL, 0), 1);
    CHECK(first_of_value && first_of_value->value == 6);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* An element that was updated is its value, as in any other place, if that lives; large and pinned ones stay put. */
static void values_and_fixed_objects(void) {
  size_t k;
  for (k = 0; k < HEAPS; k++) {
    toy t = toy_new(every_heap[k]);
    struct { barrow_frame frame; void *array; node *value; void *thunk, *large, *pinned; } r;
    barrow_word *at;
    BARROW_ENTER(t.m, r);
    at = barrow_allocate_pinned(t.m, barrow_weak_array_words(8), 64, 0);
    r.array = barrow_weak_array_init(at, &weak_info, 8);
    r.value = toy_node(t.m, NULL, NULL, 3);
    at = barrow_alloc(t.m, barrow_thunk_words(1));
    at[0] = (barrow_word)&thunk_info;
    at[1] = 0;
    at[2] = 0;
    r.thunk = at;
    CHECK_OK(barrow_update(t.m, r.thunk, r.value));
    barrow_weak_array_write(t.m, r.array, 0, r.thunk);
    r.thunk = NULL;
    at = barrow_alloc(t.m, barrow_thunk_words(1));
    at[0] = (barrow_word)&thunk_info;
    at[1] = 0;
    at[2] = 0;
    barrow_weak_array_write(t.m, r.array, 1, at);
    CHECK_OK(barrow_update(t.m, at, r.array)); /* its value lives, too */
    r.large = toy_array(t.m, 5000);
    barrow_weak_array_write(t.m, r.array, 2, r.large);
    r.pinned = barrow_allocate_pinned(t.m, barrow_array_words(3), 64, 0);
    barrow_array_init((barrow_word *)r.pinned, &array_info, 3);
    barrow_weak_array_write(t.m, r.array, 3, r.pinned);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 0) == r.value);
    CHECK((void *)element(r.array, 1) == r.array);
    CHECK((void *)element(r.array, 2) == r.large);
    CHECK((void *)element(r.array, 3) == r.pinned);
    r.large = NULL;
    r.pinned = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(element(r.array, 2) == NULL && element(r.array, 3) == NULL);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A block of pinned objects goes to its next generation as a whole; what of it nobody holds has died all the same. */
static void neighbours_in_a_pinned_block(void) {
  toy t = toy_new("-DS -G3 -T1");
  struct { barrow_frame frame; void *array; node *one; } r;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.array = weak_array(t.m, 10);
  make_old(t);
  for (i = 0; i < 10; i++) {
    node *n = (node *)barrow_allocate_pinned(t.m, sizeof *n / sizeof(barrow_word), 8, 0);
    memset(n, 0, sizeof *n);
    n->header = (barrow_word)&node_info;
    barrow_weak_array_write(t.m, r.array, i, n);
    if (i == 4) r.one = n;
  }
  CHECK_OK(barrow_collect(t.m, false));
  for (i = 0; i < 10; i++) CHECK(element(r.array, i) == (i == 4 ? r.one : NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

INFO(pinned_thunk_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);

/* A pinned indirection that is passed by stands for its value, also when something else saves its block later. */
static void pinned_indirections(void) {
  int order, major;
  for (order = 0; order < 2; order++) {
    for (major = 0; major < 2; major++) {
      toy t = toy_new("-DS -G2 -T1");
      struct { barrow_frame frame; void *array; void *roots[2]; node *value; } r;
      barrow_word *thunk;
      node *beside;
      BARROW_ENTER(t.m, r);
      r.array = weak_array(t.m, 1);
      r.value = toy_node(t.m, NULL, NULL, 77);
      thunk = (barrow_word *)barrow_allocate_pinned(t.m, barrow_thunk_words(1), 8, 0);
      memset(thunk, 0, barrow_thunk_words(1) * sizeof *thunk);
      thunk[0] = (barrow_word)&pinned_thunk_info;
      r.roots[order] = thunk;
      beside = (node *)barrow_allocate_pinned(t.m, sizeof *beside / sizeof(barrow_word), 8, 0);
      memset(beside, 0, sizeof *beside);
      beside->header = (barrow_word)&node_info;
      r.roots[!order] = beside;
      barrow_weak_array_write(t.m, r.array, 0, thunk);
      CHECK_OK(barrow_update(t.m, thunk, r.value));
      r.value = NULL;
      CHECK_OK(barrow_collect(t.m, major));
      CHECK(element(r.array, 0) != NULL);
      /* The value, or the indirection that has stayed where it is. */
      CHECK(element(r.array, 0) == r.roots[order] || *((void **)element(r.array, 0) + 1) == r.roots[order]);
      r.roots[order] = NULL;
      CHECK_OK(barrow_collect(t.m, true));
      CHECK(element(r.array, 0) == NULL);
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
  }
}

/* What lies outside the heap stays, and a static keeps what it holds. */
static barrow_word a_static[3];
INFO(static_info, BARROW_CONSTR_STATIC, 0, 0, 1, 0, 0, NULL, NULL);

static void statics(void) {
  size_t k;
  for (k = 0; k < HEAPS; k++) {
    toy t = toy_new(every_heap[k]);
    struct { barrow_frame frame; void *array; } r;
    void *object = a_static;
    a_static[0] = (barrow_word)&static_info;
    a_static[1] = a_static[2] = 0;
    CHECK_OK(barrow_statics_add(t.heap, &object, 1, false));
    BARROW_ENTER(t.m, r);
    r.array = weak_array(t.m, 1);
    barrow_weak_array_write(t.m, r.array, 0, a_static);
    object = toy_node(t.m, NULL, NULL, 12);
    a_static[1] = (barrow_word)object;
    CHECK_OK(barrow_record_old_to_new(t.m, a_static));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK((void *)element(r.array, 0) == (void *)a_static);
    CHECK_EQ(((node *)a_static[1])->value, 12);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void shortened(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *array; node *a; } r;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.array = weak_array(t.m, 30);
  make_old(t);
  r.a = toy_node(t.m, NULL, NULL, 1);
  for (i = 0; i < 30; i++) barrow_weak_array_write(t.m, r.array, i, r.a);
  CHECK_OK(barrow_shrink(t.m, r.array, 4));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(element(r.array, 3) == r.a);
  CHECK_EQ(barrow_object_words(t.heap, r.array), barrow_weak_array_words(4));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void refused(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *array, *other; } r;
  barrow_info info = weak_info;
  BARROW_ENTER(t.m, r);
  r.array = weak_array(t.m, 10);
  r.other = toy_array(t.m, 20);
  REFUSED(BARROW_E_ARG, barrow_weak_array_set(t.m, r.array, 10, NULL));
  REFUSED(BARROW_E_ARG, barrow_weak_array_set(t.m, r.other, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_weak_array_set(t.m, &r, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_array_fill(t.m, r.array, 0, 1, NULL));
  REFUSED(BARROW_E_ARG, barrow_array_copy(t.m, r.other, 0, r.array, 0, 1));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.array, &array_info));
  REFUSED(BARROW_E_ARG, barrow_become(t.m, r.other, &weak_info));
  REFUSED(BARROW_E_ARG, barrow_shrink(t.m, r.array, 11));
  info.words = 1;
  REFUSED(BARROW_E_ARG, barrow_info_check(&info));
  info.words = 0;
  info.ptrs = 2;
  REFUSED(BARROW_E_ARG, barrow_info_check(&info));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The word of the collector's was not zeroed. */
static void a_link_that_is_not_zero(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *array; } r;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_collect(t.m, true));
  r.array = barrow_allocate(t.m, barrow_weak_array_words(2));
  barrow_weak_array_init((barrow_word *)r.array, &weak_info, 2);
  CHECK_OK(barrow_check(t.m));
  ((barrow_word *)r.array)[2] = 8;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  ((barrow_word *)r.array)[2] = 0;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Profiles have a name for it, and nothing is alive because of it. */
static void what_others_see(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *array; node *a; } r;
  const barrow_held *steps = NULL;
  size_t count = 0, i, found = 0;
  node *a;
  BARROW_ENTER(t.m, r);
  r.array = weak_array(t.m, 100);
  r.a = toy_node(t.m, NULL, NULL, 1);
  barrow_weak_array_write(t.m, r.array, 0, r.a);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census_count(t.heap, 'T', &count));
  for (i = 0; i < count; i++) {
    barrow_census_band_t band;
    char text[100];
    band.size = (uint32_t)sizeof band;
    CHECK_OK(barrow_census_band(t.heap, 'T', i, &band, text, sizeof text));
    if (strcmp(text, "WEAK_ARRAY") == 0) found += band.bytes;
  }
  CHECK_EQ(found, 8 * barrow_weak_array_words(100));
  CHECK_OK(barrow_why(t.m, r.a, &steps, &count));
  CHECK_EQ(count, 2);
  CHECK(steps[1].object == r.a);
  a = r.a;
  r.a = NULL;
  REFUSED(BARROW_E_ARG, barrow_why(t.m, a, &steps, &count));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* So many elements lead to indirections that the stack of marks is full, and groups are looked through, in which these arrays are: they
 * are settled all the same, and again when the value has died. */
static void elements_that_are_shortened(void) {
  enum { ARRAYS = 200, LENGTH = 100 };
  toy t = toy_new("-T1 -O64k -A256k");
  struct { barrow_frame frame; void *arrays, *thunks; node *value; } r;
  size_t i, k, major;
  BARROW_ENTER(t.m, r);
  r.arrays = toy_array(t.m, ARRAYS);
  r.thunks = toy_array(t.m, ARRAYS * LENGTH);
  for (k = 0; k < ARRAYS; k++) {
    for (i = 0; i < LENGTH; i++) {
      barrow_word *thunk = barrow_alloc(t.m, barrow_thunk_words(0));
      thunk[0] = (barrow_word)&short_info;
      thunk[1] = 0;
      toy_put(t.m, &r.thunks, k * LENGTH + i, thunk);
    }
    toy_put(t.m, &r.arrays, k, weak_array(t.m, LENGTH));
    for (i = 0; i < LENGTH; i++)
      barrow_weak_array_write(t.m, barrow_array_elements(r.arrays)[k], i, barrow_array_elements(r.thunks)[k * LENGTH + i]);
  }
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, false));
  r.value = toy_node(t.m, NULL, NULL, 7);
  for (i = 0; i < ARRAYS * LENGTH; i++) CHECK_OK(barrow_update(t.m, barrow_array_elements(r.thunks)[i], r.value));
  r.thunks = NULL;
  for (major = 0; major < 2; major++) {
    uint64_t before = toy_stats(t).major_collections;
    for (i = 0; i < 100 && toy_stats(t).major_collections == before; i++) {
      CHECK_OK(barrow_external_bytes(t.m, 64 << 20));
      CHECK_OK(barrow_collect(t.m, false));
    }
    for (k = 0; k < ARRAYS; k++) {
      void *array = barrow_array_elements(r.arrays)[k];
      CHECK_EQ(((barrow_word *)array)[2], 0); /* in no list */
      for (i = 0; i < LENGTH; i++) {
        node *n = element(array, i);
        if (n && is_indirection(barrow_info_now(n)->kind)) n = (node *)barrow_indirectee(n);
        CHECK(n == r.value);
      }
    }
    r.value = NULL;
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(sizes);
  RUN(what_is_held_stays);
  RUN(young_elements_of_an_old_array);
  RUN(a_table_of_old_age);
  RUN(tagged_elements);
  RUN(finalizers_come_later);
  RUN(arrays_of_finalizers);
  RUN(values_and_fixed_objects);
  RUN(neighbours_in_a_pinned_block);
  RUN(pinned_indirections);
  RUN(statics);
  RUN(shortened);
  RUN(refused);
  RUN(a_link_that_is_not_zero);
  RUN(what_others_see);
  RUN(elements_that_are_shortened);
  return DONE;
}
