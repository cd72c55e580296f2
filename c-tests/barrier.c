/* The write barrier: every way to store, in a range and in chunks. A store without one is found by the check. */
#include "toy.h"

static const char *const sources[2] = {"--source=range -xr64m -DS", "--source=chunks -DS"};

/* A cell in the oldest generation. */
static node *old_cell(barrow_mutator *m) {
  struct { barrow_frame frame; node *cell; } r;
  int i;
  BARROW_ENTER(m, r);
  r.cell = toy_cell(m, NULL, NULL, 77);
  for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(m, true));
  BARROW_LEAVE(m, r);
  return r.cell;
}

/* Runs `store`, which puts a young node with value 5 into `left` of an old cell, and looks whether it lives. */
static void survives(void (*store)(toy, node *)) {
  int s;
  for (s = 0; s < 2; s++) {
    toy t = toy_new(sources[s]);
    struct { barrow_frame frame; node *cell; } r;
    BARROW_ENTER(t.m, r);
    r.cell = old_cell(t.m);
    CHECK_EQ(barrow_generation_of(t.heap, r.cell), 1);
    store(t, r.cell);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(r.cell->left && r.cell->left->value == 5);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(r.cell->left && r.cell->left->value == 5);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void by_write(toy t, node *cell) {
  node *young = toy_node(t.m, NULL, NULL, 5);
  barrow_write(t.m, cell, &cell->left, young);
}
static void by_macro(toy t, node *cell) {
  node *young = toy_node(t.m, NULL, NULL, 5);
  BARROW_WRITE(t.m, cell, left, young);
}
static void by_barrier(toy t, node *cell) {
  cell->left = toy_node(t.m, NULL, NULL, 5);
  barrow_barrier(t.m, cell, &cell->left, cell->left);
}
static void by_cas(toy t, node *cell) {
  node *young = toy_node(t.m, NULL, NULL, 5);
  CHECK(!barrow_cas(t.m, cell, &cell->left, young, young));
  CHECK(cell->left == NULL);
  CHECK(barrow_cas(t.m, cell, &cell->left, NULL, young));
}
static void by_record_slot(toy t, node *cell) {
  cell->left = toy_node(t.m, NULL, NULL, 5);
  CHECK_OK(barrow_record_slot(t.m, &cell->left));
}
static void by_record_null_slot(toy t, node *cell) {
  CHECK_OK(barrow_record_slot(t.m, &cell->left));
  cell->left = toy_node(t.m, NULL, NULL, 5);
}
static void by_record_mutable(toy t, node *cell) {
  CHECK_OK(barrow_record_mutable(t.m, cell));
  CHECK_OK(barrow_record_mutable(t.m, cell));
  cell->left = toy_node(t.m, NULL, NULL, 5);
}
static void by_record_old_to_new(toy t, node *cell) {
  cell->left = toy_node(t.m, NULL, NULL, 5);
  CHECK_OK(barrow_record_old_to_new(t.m, cell));
}
static void by_wrote(toy t, node *cell) {
  cell->left = toy_node(t.m, NULL, NULL, 5);
  barrow_wrote(t.m, cell, &cell->left);
}
static void by_remember_slow(toy t, node *cell) {
  cell->left = toy_node(t.m, NULL, NULL, 5);
  barrow_remember_slow(t.m, (barrow_word)&cell->left);
}

static void write_keeps(void) { survives(by_write); }
static void macro_keeps(void) { survives(by_macro); }
static void barrier_keeps(void) { survives(by_barrier); }
static void cas_keeps(void) { survives(by_cas); }
static void record_slot_keeps(void) { survives(by_record_slot); }
static void record_slot_accepts_null(void) { survives(by_record_null_slot); }
static void record_mutable_keeps(void) { survives(by_record_mutable); }
static void record_old_to_new_keeps(void) { survives(by_record_old_to_new); }
static void wrote_keeps(void) { survives(by_wrote); }
static void remember_slow_keeps(void) { survives(by_remember_slow); }

static void a_missing_barrier_is_found(void) {
  int s;
  for (s = 0; s < 2; s++) {
    toy t = toy_new(sources[s]);
    struct { barrow_frame frame; node *cell; } r;
    BARROW_ENTER(t.m, r);
    r.cell = old_cell(t.m);
    r.cell->left = toy_node(t.m, NULL, NULL, 5);
    REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
    REFUSED(BARROW_E_DAMAGED, barrow_collect(t.m, false)); /* -DS looks before it collects */
    barrow_wrote(t.m, r.cell, &r.cell->left);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(r.cell->left->value == 5);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* recordMutable is for good: once is enough for an object that is written again and again. */
static void mutable_stays_recorded(void) {
  toy t = toy_new("-A64k");
  struct { barrow_frame frame; node *cell; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.cell = old_cell(t.m);
  CHECK_OK(barrow_record_mutable(t.m, r.cell));
  for (i = 0; i < 20; i++) {
    r.cell->left = toy_node(t.m, NULL, NULL, (barrow_word)i);
    CHECK_OK(barrow_collect(t.m, i % 5 == 4));
    CHECK_EQ(r.cell->left->value, i);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

typedef struct pair { barrow_word header, a, b; } pair;
INFO(pair_info, BARROW_TAGGED, BARROW_FLAG_MUTABLE, 0, 2, 0, 0, NULL, NULL);

static void tagged_words(void) {
  int s, how;
  for (s = 0; s < 2; s++) {
    barrow_config config;
    struct { barrow_frame frame; pair *p; } r;
    toy t;
    barrow_config_init(&config);
    config.tagged_pointers = 0x0808; /* pointers end in 3 */
    config.address_mask = ~(size_t)7;
    t = toy_new_with(&config, sources[s]);
    BARROW_ENTER(t.m, r);
    r.p = (pair *)barrow_alloc(t.m, 3);
    r.p->header = (barrow_word)&pair_info;
    r.p->a = 8; /* a number */
    r.p->b = 0;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_generation_of(t.heap, r.p), 1);
    for (how = 0; how < 3; how++) {
      barrow_word young = (barrow_word)toy_node(t.m, NULL, NULL, 5) + 3;
      if (how == 0) barrow_write_word(t.m, r.p, &r.p->b, young);
      if (how == 1) r.p->b = young, CHECK_OK(barrow_record_word_slot(t.m, &r.p->b));
      if (how == 2) r.p->b = young, barrow_wrote_word(t.m, r.p, &r.p->b);
      barrow_write_word(t.m, r.p, &r.p->a, 16);
      CHECK_OK(barrow_collect(t.m, false));
      CHECK_EQ(r.p->b & 7, 3);
      CHECK_EQ(((node *)(r.p->b - 3))->value, 5);
      CHECK_EQ(r.p->a, 16);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* More entries than any buffer holds. */
static void many_writes(void) {
  int s;
  for (s = 0; s < 2; s++) {
    toy t = toy_new(s ? "-A1m --source=chunks" : "-A1m");
    struct { barrow_frame frame; void *array; } r;
    int i, round;
    BARROW_ENTER(t.m, r);
    r.array = toy_array(t.m, 20000);
    for (i = 0; i < 20000; i++) {
      node *cell = toy_cell(t.m, NULL, NULL, (barrow_word)i);
      barrow_write(t.m, r.array, &barrow_array_elements(r.array)[i], cell);
    }
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_collect(t.m, true));
    for (round = 0; round < 3; round++) {
      for (i = 0; i < 20000; i++) {
        node *young = toy_node(t.m, NULL, NULL, (barrow_word)(i + round));
        node *cell = (node *)barrow_array_elements(r.array)[(i * 7919) % 20000];
        BARROW_WRITE(t.m, cell, left, young);
      }
      CHECK_OK(barrow_collect(t.m, false));
    }
    for (i = 0; i < 20000; i++)
      CHECK_EQ(((node *)barrow_array_elements(r.array)[(i * 7919) % 20000])->left->value, i + 2);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* The same few old fields over and over, with something young each time. Gives the processor time of collections. */
static uint64_t hot_fields(const char *flags, int way, size_t fields, size_t stores) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *cells, *young; } r;
  barrow_stats_t before, stats;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.cells = toy_array(t.m, fields);
  r.young = NULL;
  for (i = 0; i < fields; i++) toy_put(t.m, &r.cells, i, toy_cell(t.m, NULL, NULL, i));
  for (i = 0; i < 8; i++) CHECK_OK(barrow_collect(t.m, true));
  before = toy_stats(t);
  for (i = 0; i < stores; i++) {
    node *cell;
    if (way < 4)
      r.young = toy_node(t.m, NULL, NULL, i);
    else { /* something that stays where it is; the nodes are for collections to happen */
      if (i % 100000 == 0) r.young = way == 4 ? toy_bytes(t.m, 5000) : toy_node(t.m, NULL, NULL, i);
      if (i % 16 == 0) toy_node(t.m, NULL, NULL, i);
    }
    cell = (node *)barrow_array_elements(r.cells)[i * 7919 % fields];
    switch (way) {
      case 0: case 4: case 5: barrow_write(t.m, cell, &cell->left, r.young); break;
      case 1: cell->left = (node *)r.young; CHECK_OK(barrow_record_slot(t.m, &cell->left)); break;
      case 2: cell->left = (node *)r.young; CHECK_OK(barrow_record_old_to_new(t.m, cell)); break;
      case 3: cell->left = (node *)r.young; barrow_wrote(t.m, cell, &cell->left); break;
    }
    if (i % 65536 == 0) {
      stats = toy_stats(t);
      CHECK(stats.overhead_bytes < before.overhead_bytes + (2u << 20));
    }
  }
  stats = toy_stats(t);
  CHECK(stats.overhead_bytes < before.overhead_bytes + (2u << 20));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return stats.gc_cpu_ns - before.gc_cpu_ns;
}

/* What a field that is written again and again costs does not grow with the number of stores. */
static void one_field_many_stores(void) {
  static const char *const flags[] = {"-A64k", "-A256k -G4 -T3", "-A16m", "-A256k --source=chunks -G3 -T1"};
  size_t stores = toy_is_slow() ? 30000 : 300000, i, fields;
  int way;
  for (fields = 1; fields <= 3000; fields += 2999)
    for (way = 0; way < 6; way++) {
      uint64_t least = hot_fields("-A1m -T1", way, fields, stores);
      for (i = 0; i < sizeof flags / sizeof *flags; i++) {
        uint64_t took = hot_fields(flags[i], way, fields, stores);
        /* It was fifty times as much and more. Small areas are collected more often; a machine may be busy. */
        CHECK(toy_is_slow() || took < 10 * least + 100000000u);
      }
    }
}

/* So many fields are written that a full collection is cheaper than their list. */
static void more_entries_than_objects(void) {
  enum { fields = 63, most = 8600 };
  static barrow_info wide_info;
  toy t = toy_new("-A64m");
  struct { barrow_frame frame; void *all; node *young, *pinned; } r;
  size_t i, k, majors, wrong = 0;
  BARROW_ENTER(t.m, r);
  wide_info = node_info;
  wide_info.ptrs = fields, wide_info.words = 0;
  r.all = toy_array(t.m, most);
  for (i = 0; i < most; i++) {
    barrow_word *at = barrow_alloc(t.m, 1 + fields);
    memset(at, 0, (1 + fields) * sizeof *at);
    at[0] = (barrow_word)&wide_info;
    toy_put(t.m, &r.all, i, at);
  }
  r.pinned = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
  memset(r.pinned, 0, sizeof *r.pinned);
  r.pinned->header = (barrow_word)&cell_info;
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  majors = toy_stats(t).major_collections;
  r.young = toy_node(t.m, NULL, NULL, 5);
  BARROW_WRITE(t.m, r.pinned, left, r.young);
  for (i = 0; i < most; i++)
    for (k = 1; k <= fields; k++) {
      void **at = (void **)barrow_array_elements(r.all)[i];
      barrow_write(t.m, at, &at[k], r.young);
    }
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(toy_stats(t).major_collections, majors + 1);
  for (i = 0; i < most; i++)
    for (k = 1; k <= fields; k++) wrong += ((node ***)barrow_array_elements(r.all))[i][k] != r.young;
  CHECK_EQ(wrong, 0);
  CHECK(r.pinned->left == r.young);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(write_keeps);
  RUN(macro_keeps);
  RUN(barrier_keeps);
  RUN(cas_keeps);
  RUN(record_slot_keeps);
  RUN(record_slot_accepts_null);
  RUN(record_mutable_keeps);
  RUN(record_old_to_new_keeps);
  RUN(wrote_keeps);
  RUN(remember_slow_keeps);
  RUN(a_missing_barrier_is_found);
  RUN(mutable_stays_recorded);
  RUN(tagged_words);
  RUN(many_writes);
  RUN(one_field_many_stores);
  RUN(more_entries_than_objects);
  return DONE;
}
