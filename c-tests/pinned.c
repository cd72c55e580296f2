/* Pinned objects: aligned, never moved, may hold pointers, freed when dead. */
#include "toy.h"

static void alignment_and_offset(void) {
  toy t = toy_new("-DS");
  static void *kept[13 * 12];
  size_t align, n = 0, i;
  memset(kept, 0, sizeof kept);
  CHECK_OK(barrow_root_add(t.heap, "kept", kept, 13 * 12, false));
  for (align = 1; align <= 4096; align *= 2)
    for (i = 0; i < 12; i++) {
      size_t words = 3 + i * i * i / 2, offset = i % 2 ? 16 : 0;
      barrow_word *at = barrow_allocate_pinned(t.m, words, align, offset);
      CHECK_EQ(((size_t)at + offset) % align, 0);
      CHECK_EQ((size_t)at % 8, 0);
      at[0] = (barrow_word)&bytes_info;
      at[1] = (words - 2) * 8;
      memset(at + 2, (int)n, (words - 2) * 8);
      kept[n++] = at;
    }
  for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(t.m, i % 2));
  for (i = 0; i < n; i++) {
    barrow_word *at = (barrow_word *)kept[i];
    size_t length = at[1], j;
    for (j = 0; j < length; j++) CHECK_EQ(toy_bytes_at(at)[j], (unsigned char)i);
  }
  toy_free(t);
}

static void they_stay_and_hold_pointers(void) {
  toy t = toy_new("-A64k -DS");
  static node *kept[300];
  node *places[300];
  int i, round;
  memset(kept, 0, sizeof kept);
  CHECK_OK(barrow_root_add(t.heap, "kept", kept, 300, false));
  for (i = 0; i < 300; i++) {
    node *n = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
    n->header = (barrow_word)&cell_info;
    n->left = n->right = NULL;
    n->value = (barrow_word)i;
    kept[i] = places[i] = n;
    barrow_write(t.m, n, &n->left, toy_node(t.m, NULL, NULL, (barrow_word)i));
  }
  for (round = 0; round < 6; round++) {
    CHECK_OK(barrow_collect(t.m, round % 3 == 2));
    for (i = 0; i < 300; i++) {
      CHECK(kept[i] == places[i]);
      CHECK_EQ(kept[i]->left->value, i + round);
      barrow_write(t.m, kept[i], &kept[i]->left, toy_node(t.m, NULL, NULL, (barrow_word)(i + round + 1)));
    }
  }
  toy_free(t);
}

static void tags_and_moving_objects_point_at_them(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  node *pinned;
  BARROW_ENTER(t.m, r);
  pinned = (node *)barrow_allocate_pinned(t.m, 4, 64, 0);
  pinned->header = (barrow_word)&node_info;
  pinned->left = pinned->right = NULL;
  pinned->value = 6;
  r.n = toy_node(t.m, (node *)((char *)pinned + 3), NULL, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK((char *)r.n->left == (char *)pinned + 3);
  CHECK_EQ(pinned->value, 6);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* One that grows old before it has a header, and is remembered. */
static void old_and_not_filled_yet(void) {
  const char *all = getenv("BARROW_TEST_FLAGS");
  toy t = toy_new("-T1");
  struct { barrow_frame frame; node *n; } r;
  if (all && strstr(all, "-DS")) { /* which finds no object there */
    toy_free(t);
    return;
  }
  BARROW_ENTER(t.m, r);
  r.n = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_generation_of(t.heap, r.n), 1);
  CHECK_OK(barrow_record_old_to_new(t.m, r.n));
  CHECK_OK(barrow_collect(t.m, false));
  memset(r.n, 0, sizeof *r.n);
  r.n->header = (barrow_word)&node_info;
  r.n->left = toy_node(t.m, NULL, NULL, 6);
  CHECK_OK(barrow_record_old_to_new(t.m, r.n));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(r.n->left->value, 6);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void slots_are_reused(void) {
  toy t = toy_new("-A1m");
  size_t before = 0;
  int round, i;
  for (round = 0; round < 20; round++) {
    for (i = 0; i < 5000; i++) {
      node *n = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
      memset(n, 0, sizeof *n);
      n->header = (barrow_word)&node_info;
    }
    CHECK_OK(barrow_collect(t.m, true));
    if (round == 2) before = toy_state(t).most_mblocks_allocated;
  }
  CHECK_EQ(toy_state(t).most_mblocks_allocated, before);
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

/* Neighbours that live and die side by side in one block. */
static void holes_between_neighbours(void) {
  toy t = toy_new("-DS");
  static node *kept[1000];
  unsigned seed = 7;
  int i, round;
  memset(kept, 0, sizeof kept);
  CHECK_OK(barrow_root_add(t.heap, NULL, kept, 1000, false));
  for (round = 0; round < 10; round++) {
    for (i = 0; i < 1000; i++) {
      seed = seed * 1103515245 + 12345;
      if (seed >> 16 & 1) {
        kept[i] = NULL;
      } else if (!kept[i]) {
        kept[i] = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
        kept[i]->header = (barrow_word)&node_info;
        kept[i]->left = kept[i]->right = NULL;
        kept[i]->value = (barrow_word)i;
      }
    }
    CHECK_OK(barrow_collect(t.m, round % 2));
    for (i = 0; i < 1000; i++)
      if (kept[i]) CHECK_EQ(kept[i]->value, i);
  }
  toy_free(t);
}

/* Pinned objects are live bytes like others, in whatever generation, before and after collections. */
static void they_count_as_live(void) {
  static const char *const flags[] = {"-DS", "-DS -G1", "-DS -G4 -T3", "-DS -c"};
  size_t f;
  for (f = 0; f < sizeof flags / sizeof *flags; f++) {
    toy t = toy_new(flags[f]);
    static node *kept[300];
    int i, round;
    memset(kept, 0, sizeof kept);
    CHECK_OK(barrow_root_add(t.heap, NULL, kept, 300, false));
    for (i = 0; i < 300; i++) {
      kept[i] = (node *)barrow_allocate_pinned(t.m, 4, 64, 0);
      memset(kept[i], 0, sizeof(node));
      kept[i]->header = (barrow_word)&node_info;
    }
    CHECK_EQ(toy_stats(t).live_bytes, 300 * sizeof(node));
    for (round = 0; round < 8; round++) {
      CHECK_OK(barrow_collect(t.m, round % 2));
      CHECK_EQ(toy_stats(t).live_bytes, 300 * sizeof(node));
      CHECK_EQ(toy_stats(t).large_bytes, 0);
    }
    CHECK(toy_stats(t).max_live_bytes >= 300 * sizeof(node));
    for (i = 0; i < 300; i += 3) kept[i] = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 200 * sizeof(node));
    /* A slot of an old block counts as soon as it is used. */
    kept[0] = (node *)barrow_allocate_pinned(t.m, 4, 64, 0);
    memset(kept[0], 0, sizeof(node));
    kept[0]->header = (barrow_word)&node_info;
    CHECK_EQ(toy_stats(t).live_bytes, 201 * sizeof(node));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(toy_stats(t).live_bytes, 201 * sizeof(node));
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(toy_stats(t).live_bytes, 201 * sizeof(node));
    CHECK_OK(barrow_root_remove(t.heap, kept));
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    toy_free(t);
  }
}

/* An object that a root has before it is filled hides none that share its block. */
static void one_that_is_not_filled_yet(void) {
  static const char *const flags[] = {"", "-G1", "--old=copy", "-c"};
  const char *all = getenv("BARROW_TEST_FLAGS");
  size_t i;
  if (all && strstr(all, "-DS")) return; /* which finds no object there */
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = toy_new(flags[i]);
    struct { barrow_frame frame; barrow_word *empty; node *full, *list; } r;
    int round;
    BARROW_ENTER(t.m, r);
    CHECK(toy_list(t.m, 100) != NULL);
    r.list = toy_list(t.m, 100);
    r.empty = (barrow_word *)barrow_allocate_pinned(t.m, 4, 8, 0);
    r.full = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
    CHECK((barrow_word *)r.full == r.empty + 4);
    barrow_set_header(r.full, &node_info);
    r.full->left = r.list, r.full->right = NULL, r.full->value = 0;
    r.list = NULL;
    for (round = 0; round < 3; round++) {
      CHECK_OK(barrow_collect(t.m, round > 0));
      CHECK(toy_list(t.m, 1000) != NULL);
      CHECK_EQ(toy_sum(r.full->left), 5050);
    }
    CHECK(r.empty[0] == 0 && r.empty[3] == 0);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  RUN(alignment_and_offset);
  RUN(they_stay_and_hold_pointers);
  RUN(tags_and_moving_objects_point_at_them);
  RUN(old_and_not_filled_yet);
  RUN(slots_are_reused);
  RUN(holes_between_neighbours);
  RUN(they_count_as_live);
  RUN(one_that_is_not_filled_yet);
  return DONE;
}
