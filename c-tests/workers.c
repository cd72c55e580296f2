/* Workers: several threads that copy and mark. The heap is what it was, with objects that a worker leaves to the thread that
 * collects. */
#include "toy.h"

/* The next collection asks for everything; without `slides` it leaves old objects in place. */
static void collect_all(toy t, void **dropped, bool slides) {
  uint64_t before = toy_stats(t).major_collections;
  if (slides) {
    CHECK_OK(barrow_collect(t.m, true));
    return;
  }
  /* Trees that live until they are promoted let the old generation grow. */
  while (toy_stats(t).major_collections == before) {
    size_t i;
    for (i = 0; i < 8; i++) {
      node *tree = toy_tree(t.m, 9); /* which moves what was dropped */
      *dropped = toy_node(t.m, (node *)*dropped, tree, i);
    }
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_collect(t.m, false));
    if (toy_count((node *)*dropped) > 50000) *dropped = NULL;
  }
}

#define ELEMENTS 3000

/* Trees, a large array with short lists, lists that are only reached through pinned nodes, recorded cells with something younger,
 * and weak pointers of which every other one has a key that dies. */
static void a_heap_of_all(const char *flags, bool slides) {
  struct { barrow_frame frame; node *tree; void *array, *cells, *weaks, *dropped; } r;
  toy t = toy_new(flags);
  int round;
  size_t i, lived = 0;
  memset(&r, 0, sizeof r);
  BARROW_PUSH(t.m, r);
  r.tree = toy_tree(t.m, 12);
  r.array = toy_array(t.m, ELEMENTS);
  r.cells = toy_array(t.m, 100);
  r.weaks = toy_array(t.m, 100);
  for (i = 0; i < ELEMENTS; i++) {
    node *list = toy_list(t.m, i % 7);
    if (i % 11 == 0) {
      node *pinned;
      r.dropped = list;
      pinned = (node *)barrow_allocate_pinned(t.m, sizeof *pinned / sizeof(barrow_word), 8, 0);
      CHECK(pinned != NULL);
      pinned->header = (barrow_word)&node_info;
      pinned->left = (node *)r.dropped, pinned->right = NULL, pinned->value = 0;
      list = pinned;
    }
    toy_put(t.m, &r.array, i, list);
  }
  for (i = 0; i < 100; i++) {
    toy_put(t.m, &r.cells, i, toy_cell(t.m, NULL, NULL, i));
    CHECK_OK(barrow_record_mutable(t.m, barrow_array_elements(r.cells)[i]));
    r.dropped = toy_node(t.m, NULL, NULL, i);
    toy_put(t.m, &r.weaks, i,
            barrow_weak_new(t.m, i % 2 ? r.dropped : barrow_array_elements(r.cells)[i], r.dropped, NULL));
  }
  r.dropped = NULL;
  for (round = 0; round < 3; round++) {
    collect_all(t, &r.dropped, slides);
    CHECK_EQ(toy_count(r.tree), ((size_t)1 << 13) - 1);
    for (i = 0; i < ELEMENTS; i++) CHECK_EQ(toy_sum((node *)barrow_array_elements(r.array)[i]), (i % 7) * (i % 7 + 1) / 2);
    /* Recorded cells need no barrier. */
    for (i = 0; i < 100; i++) ((node *)barrow_array_elements(r.cells)[i])->left = NULL;
    for (i = 0; i < 100; i++) {
      node *young = toy_node(t.m, NULL, NULL, 1000 + i);
      ((node *)barrow_array_elements(r.cells)[i])->left = young;
    }
    CHECK_OK(barrow_collect(t.m, false));
    toy_list(t.m, 5000); /* lies where the nodes were made */
    for (i = 0; i < 100; i++) CHECK_EQ(((node *)barrow_array_elements(r.cells)[i])->left->value, 1000 + i);
  }
  for (i = 0; i < 100; i++) lived += barrow_weak_alive(barrow_array_elements(r.weaks)[i]);
  CHECK_EQ(lived, 50);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

#define RECORDED 12000

/* More recorded objects than a worker can tell the collecting thread of at a time, which are recorded where they slide to. */
static void many_recorded_objects_slide(void) {
  struct { barrow_frame frame; void *cells; node *garbage; } r;
  toy t = toy_new("-A64k -O64k --workers=2!");
  size_t i;
  memset(&r, 0, sizeof r);
  BARROW_PUSH(t.m, r);
  r.cells = toy_array(t.m, RECORDED);
  for (i = 0; i < RECORDED; i++) {
    r.garbage = toy_list(t.m, 3);
    toy_put(t.m, &r.cells, i, toy_cell(t.m, NULL, NULL, i));
    CHECK_OK(barrow_record_mutable(t.m, barrow_array_elements(r.cells)[i]));
  }
  r.garbage = NULL;
  for (i = 0; i < 2; i++) CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < RECORDED; i++) {
    node *young = toy_node(t.m, NULL, NULL, 1000 + i);
    ((node *)barrow_array_elements(r.cells)[i])->left = young;
  }
  CHECK_OK(barrow_collect(t.m, false));
  toy_list(t.m, 5000); /* lies where the nodes were made */
  for (i = 0; i < RECORDED; i++) CHECK_EQ(((node *)barrow_array_elements(r.cells)[i])->left->value, 1000 + i);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A box of two words whose size and field its functions tell; it counts its moves. */
static barrow_word box_words(const void *object) { (void)object; return 3; }
static void box_visit(void *object, barrow_visitor *visitor) {
  barrow_visit(visitor, (void **)((barrow_word *)object + 1));
}
static void box_moved(const void *from, void *to) {
  (void)from;
  ((barrow_word *)to)[2]++;
}
static const barrow_custom box_custom = {sizeof(barrow_custom), 0, box_words, box_visit, box_moved, NULL};
INFO(box_info, BARROW_CUSTOM, BARROW_FLAG_NOTIFY_MOVED, 0, 0, 0, 0, NULL, &box_custom);
INFO(told_info, BARROW_CONSTR, BARROW_FLAG_NOTIFY_MOVED, 0, 1, 1, 0, NULL, &box_custom);
INFO(indirection_info, BARROW_IND, 0, 0, 1, 0, 0, NULL, NULL);

#define ROWS 300
#define COLUMNS 24
#define SHARED 40

/* Rows of an array: arrays that share cells, bytes of many lengths, boxes that are told of moves, indirections. Minor collections copy
 * each thing once, whoever meets it first, and remember what a promoted cell refers to. */
static void minors_of(const char *flags) {
  struct { barrow_frame frame; void *rows, *row, *shared, *fresh, *dropped; } r;
  toy t = toy_new(flags);
  barrow_word boxes = 0;
  size_t i, k;
  int round;
  memset(&r, 0, sizeof r);
  BARROW_PUSH(t.m, r);
  for (round = 0; round < 12; round++) {
    r.rows = toy_array(t.m, ROWS);
    r.shared = toy_array(t.m, SHARED);
    for (i = 0; i < SHARED; i++) {
      toy_put(t.m, &r.shared, i, toy_cell(t.m, NULL, NULL, i));
      if (i % 4 == 0) CHECK_OK(barrow_record_mutable(t.m, barrow_array_elements(r.shared)[i]));
    }
    for (i = 0; i < ROWS; i++) {
      r.row = toy_array(t.m, COLUMNS);
      toy_put(t.m, &r.rows, i, r.row);
      for (k = 0; k < COLUMNS; k++) {
        switch (k % 6) {
          case 0: /* bytes */
            r.fresh = toy_bytes(t.m, (i * 7 + k) % 90);
            memset(toy_bytes_at(r.fresh), (int)((i + k) % 256), (i * 7 + k) % 90);
            break;
          case 1: { /* a custom object */
            barrow_word *box = barrow_alloc(t.m, 3);
            box[0] = (barrow_word)&box_info, box[1] = (barrow_word)barrow_array_elements(r.shared)[i % SHARED], box[2] = 0;
            r.fresh = box;
            break;
          }
          case 2: { /* a told one */
            barrow_word *box = barrow_alloc(t.m, 3);
            box[0] = (barrow_word)&told_info, box[1] = (barrow_word)barrow_array_elements(r.shared)[i % SHARED], box[2] = 0;
            r.fresh = box;
            break;
          }
          case 3: { /* an indirection */
            barrow_word *at = barrow_alloc(t.m, 2);
            at[0] = (barrow_word)&indirection_info, at[1] = (barrow_word)barrow_array_elements(r.shared)[i % SHARED];
            r.fresh = at;
            break;
          }
          case 4: r.fresh = toy_tree(t.m, 3); break;
          default: r.fresh = barrow_array_elements(r.shared)[(i * 5 + k) % SHARED];
        }
        r.row = barrow_array_elements(r.rows)[i];
        toy_put(t.m, &r.row, k, r.fresh);
      }
    }
    for (k = 0; k < 4; k++) {
      CHECK_OK(barrow_collect(t.m, false));
      /* Cells get something young wherever they are; recorded ones need no barrier. */
      for (i = 0; i < SHARED; i++) {
        node *young = toy_node(t.m, NULL, NULL, 100 * k + i), *cell = (node *)barrow_array_elements(r.shared)[i];
        if (i % 4 == 0) cell->left = young;
        else barrow_write(t.m, cell, (void **)&cell->left, young);
      }
      r.fresh = NULL;
      CHECK_OK(barrow_collect(t.m, false));
      toy_list(t.m, 1000);
      for (i = 0; i < SHARED; i++) {
        node *cell = (node *)barrow_array_elements(r.shared)[i];
        CHECK(cell->value == i && cell->left->value == 100 * k + i);
      }
    }
    for (i = 0; i < ROWS; i++) {
      void **row = barrow_array_elements(barrow_array_elements(r.rows)[i]);
      void **shared = barrow_array_elements(r.shared);
      for (k = 0; k < COLUMNS; k++) {
        barrow_word *at = (barrow_word *)row[k];
        switch (k % 6) {
          case 0:
            CHECK_EQ(at[1], (i * 7 + k) % 90);
            CHECK(at[1] == 0 || toy_bytes_at(at)[at[1] - 1] == (i + k) % 256);
            break;
          case 1: CHECK((void *)at[1] == shared[i % SHARED]); boxes += at[2]; CHECK(at[2] > 0); break;
          case 2: CHECK((void *)at[1] == shared[i % SHARED]); CHECK(at[2] > 0); break;
          case 3: CHECK((void *)at == shared[i % SHARED]); break;
          case 4: CHECK_EQ(toy_count((node *)at), 15); break;
          default: CHECK((void *)at == shared[(i * 5 + k) % SHARED]);
        }
      }
    }
    /* Some of it dies in the old generation, where gaps are left and filled. */
    if (round % 3 == 2) collect_all(t, &r.dropped, false);
  }
  CHECK(boxes > 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A tree with a told object at each leaf: more than a worker's list has room for, so that it stops before it is done. */
static void *told_tree(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; void *left, *right; } r;
  void *made;
  BARROW_ENTER(m, r);
  if (depth > 0) {
    r.left = told_tree(m, depth - 1);
    r.right = told_tree(m, depth - 1);
    made = toy_node(m, (node *)r.left, (node *)r.right, (barrow_word)depth);
  } else {
    barrow_word *told = barrow_alloc(m, 3);
    told[0] = (barrow_word)&told_info, told[1] = 0, told[2] = 0;
    made = told;
  }
  BARROW_LEAVE(m, r);
  return made;
}

static size_t told_in(void *tree, int depth, barrow_word moves) {
  if (depth == 0) return ((barrow_word *)tree)[2] == moves;
  return told_in(((node *)tree)->left, depth - 1, moves) + told_in(((node *)tree)->right, depth - 1, moves);
}

static void more_is_left_than_there_is_room_for(void) {
  static const char *flags[] = {"--workers=1", "--workers=2!", "--workers=8!"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    struct { barrow_frame frame; void *tree; } r;
    char line[100];
    toy t = toy_new((sprintf(line, "-A4m %s", flags[i]), line));
    BARROW_ENTER(t.m, r);
    r.tree = told_tree(t.m, 13);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(told_in(r.tree, 13, 1), (size_t)1 << 13);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Each object is copied once, and its bytes are counted, in groups as in gaps, which the old generation has by then. */
static void copies_are_counted(void) {
  static const char *flags[] = {"--workers=1", "--workers=2!", "--workers=8!"};
  size_t i, k;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    struct { barrow_frame frame; void *trees, *dropped; } r;
    char line[100];
    uint64_t copied = 0;
    toy t = toy_new((sprintf(line, "-A2m -O64k %s", flags[i]), line));
    memset(&r, 0, sizeof r);
    BARROW_PUSH(t.m, r);
    r.trees = toy_array(t.m, 64);
    for (k = 0; k < 64; k++) toy_put(t.m, &r.trees, k, toy_tree(t.m, 7));
    for (k = 0; k < 3; k++) CHECK_OK(barrow_collect(t.m, false));
    for (k = 0; k < 64; k += 2) toy_put(t.m, &r.trees, k, NULL);
    collect_all(t, &r.dropped, false);
    r.dropped = NULL;
    for (k = 0; k < 3; k++) CHECK_OK(barrow_collect(t.m, false));
    r.dropped = toy_tree(t.m, 12);
    for (k = 0; k < 3; k++) {
      uint64_t before = toy_stats(t).copied_bytes;
      CHECK_OK(barrow_collect(t.m, false));
      before = toy_stats(t).copied_bytes - before;
      copied += before;
      CHECK(before == 0 || before == (((size_t)1 << 13) - 1) * sizeof(node));
    }
    CHECK(copied > 0);
    CHECK_EQ(toy_count((node *)r.dropped), ((size_t)1 << 13) - 1);
    for (k = 1; k < 64; k += 2) CHECK_EQ(toy_count((node *)barrow_array_elements(r.trees)[k]), 255);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* In checking mode each word between objects is looked at, those too that a worker leaves at the end of a gap, where no object fits. */
static void rests_of_gaps_are_walked(void) {
  enum { MANY = 2000, BYTES = 160 };
  struct { barrow_frame frame; void *all, *tree, *dropped; } r;
  toy t = toy_new("-A1m -O64k -DS --workers=3!");
  size_t i;
  memset(&r, 0, sizeof r);
  BARROW_PUSH(t.m, r);
  r.all = toy_array(t.m, MANY);
  for (i = 0; i < MANY; i++) toy_put(t.m, &r.all, i, toy_bytes(t.m, BYTES));
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, false));
  for (i = 0; i < MANY; i += 2) toy_put(t.m, &r.all, i, NULL);
  collect_all(t, &r.dropped, false);
  r.tree = toy_tree(t.m, 12);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(toy_count((node *)r.tree), ((size_t)1 << 13) - 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void minors_are_what_they_were(void) {
  static const char *flags[] = {"--workers=1", "--workers=2!", "--workers=8!", "--workers=3! --source=chunks -G3"};
  char line[100];
  size_t i;
  /* Checks take long; the first and the last differ most. */
  for (i = 0; i < sizeof flags / sizeof *flags; i += toy_is_checked() ? 3 : 1) {
    sprintf(line, "-A128k -O128k %s", flags[i]);
    minors_of(line);
  }
}

static void heaps_are_what_they_were(void) {
  static const char *flags[] = {"--workers=1", "--workers=2!", "--workers=8!", "--workers=8! --source=chunks -G3"};
  char line[100];
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i += toy_is_checked() ? 3 : 1) {
    sprintf(line, "-A64k -O64k %s", flags[i]);
    a_heap_of_all(line, true);
    a_heap_of_all(line, false);
  }
}

#define TEETH 100
#define LEVELS 800

/* A comb: arrays in a chain, each with nodes beside the next array, which is met last and so marked first. So many nodes wait
 * that no stack has room for them. */
static void more_waits_than_there_is_room_for(void) {
  static const char *flags[] = {"--workers=2!", "--workers=8!"};
  size_t i, level;
  int way;
  for (way = 0; way < (toy_is_checked() ? 2 : 4); way++) {
    struct { barrow_frame frame; void *comb, *fresh, *dropped; } r;
    char line[100];
    size_t sum = 0;
    void *at;
    toy t = toy_new((sprintf(line, "-A64k -O64k %s", flags[way / 2]), line));
    memset(&r, 0, sizeof r);
    BARROW_PUSH(t.m, r);
    for (level = 0; level < LEVELS; level++) {
      r.fresh = toy_array(t.m, TEETH);
      toy_put(t.m, &r.fresh, TEETH - 1, r.comb);
      for (i = 0; i < TEETH - 1; i++) {
        node *tooth = toy_node(t.m, toy_node(t.m, NULL, NULL, 1), NULL, i);
        toy_put(t.m, &r.fresh, i, tooth);
      }
      r.comb = r.fresh;
    }
    for (i = 0; i < 2; i++) collect_all(t, &r.dropped, way % 2);
    for (at = r.comb; at; at = barrow_array_elements(at)[TEETH - 1])
      for (i = 0; i < TEETH - 1; i++) sum += toy_sum((node *)barrow_array_elements(at)[i]);
    CHECK_EQ(sum, (size_t)LEVELS * ((TEETH - 1) * (TEETH - 2) / 2 + TEETH - 1));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

#define SHARED_ELEMENTS 40000
#define BETWEEN_NODES 256

/* An array of which each worker takes slices: of trees, and of more pinned nodes, which workers leave, than a worker can tell of. */
static void elements_are_shared(void) {
  static const char *flags[] = {"-A64k -O64k --workers=1", "-A64k -O64k --workers=2!", "-A64k -G1 --workers=2!",
                                "-A1m --workers=2!", "-A1m --workers=8!", "-A1m -G1 --workers=3!"};
  /* In checking mode, where one copies, the ways differ in little and take long. */
  int way, ways = toy_is_checked() ? 2 : 24;
  for (way = 0; way < ways; way++) {
    struct { barrow_frame frame; void *array, *dropped; } r;
    toy t = toy_new(flags[way / 2 % 6]);
    /* A heap below a megabyte is shared element by element. */
    size_t i, count = way / 2 % 6 == 1 || way / 2 % 6 == 2 || ways == 2 ? 400 : SHARED_ELEMENTS, sum = 0, wanted = 0;
    /* With pinned objects alone, workers stop before all is looked at, and have nothing on their stacks then. */
    size_t nodes_at = way < 12 ? BETWEEN_NODES : count;
    memset(&r, 0, sizeof r);
    BARROW_PUSH(t.m, r);
    r.array = toy_array(t.m, count);
    for (i = 0; i < count; i++) {
      node *list = toy_list(t.m, 2), *pinned;
      wanted += 3;
      if (i % nodes_at != 0) {
        r.dropped = list;
        pinned = (node *)barrow_allocate_pinned(t.m, sizeof *pinned / sizeof(barrow_word), 8, 0);
        CHECK(pinned != NULL);
        pinned->header = (barrow_word)&node_info;
        pinned->left = (node *)r.dropped, pinned->right = NULL, pinned->value = i;
        list = pinned, wanted += i;
      }
      toy_put(t.m, &r.array, i, list);
    }
    for (i = 0; i < 3; i++) collect_all(t, &r.dropped, way % 2);
    for (i = 0; i < count; i++) sum += toy_sum((node *)barrow_array_elements(r.array)[i]);
    CHECK_EQ(sum, wanted);
    CHECK_OK(barrow_check(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Cards of old arrays: elements that lead to young lists live, however often young objects are collected; so do pinned ones, which
 * workers leave. */
static void cards_are_shared(void) {
  static const char *flags[] = {"-A64k --workers=1", "-A64k --workers=2!", "-A1m --workers=2!", "-A1m --workers=8!"};
  /* An array that becomes old while its elements are young has its cards marked then. */
  int way, round, ways = toy_is_checked() ? 3 : 12;
  for (way = 0; way < ways; way++) {
    struct { barrow_frame frame; void *array; } r;
    toy t = toy_new(flags[way / 3]);
    size_t i, count = way < 6 ? 1000 : SHARED_ELEMENTS, sum = 0, wanted = 0;
    memset(&r, 0, sizeof r);
    BARROW_PUSH(t.m, r);
    r.array = toy_array(t.m, count);
    for (i = 0; i < (size_t)(way % 3); i++) CHECK_OK(barrow_collect(t.m, false));
    for (round = 0; round < 4; round++) {
      for (i = round * 7; i < count; i += round == 0 ? 1 : 3 * round) toy_put(t.m, &r.array, i, toy_list(t.m, 1 + (i + round) % 4));
      for (i = round; i < count / 10; i += 10) {
        node *pinned = (node *)barrow_allocate_pinned(t.m, sizeof *pinned / sizeof(barrow_word), 8, 0);
        CHECK(pinned != NULL);
        pinned->header = (barrow_word)&node_info;
        pinned->left = pinned->right = NULL, pinned->value = i;
        toy_put(t.m, &r.array, i, pinned);
      }
      for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, false));
    }
    for (i = 0; i < count; i++) {
      node *element = (node *)barrow_array_elements(r.array)[i];
      sum += toy_sum(element);
      wanted += toy_count(element) == 1 ? element->value : toy_count(element) * (toy_count(element) + 1) / 2;
    }
    CHECK_EQ(sum, wanted);
    CHECK_OK(barrow_check(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

#define LISTS 60000

/* Lists of which some die, many or few, slide into the groups of others while these are moved by other workers. */
static void holes_are_closed(void) {
  static const char *flags[] = {"-A1m --workers=1", "-A1m --workers=2!", "-A1m --workers=8!", "-A64k --workers=3! --source=chunks"};
  static const size_t every[] = {40, 9, 3};
  /* One thread moves them in checking mode, which looks at the whole heap time and again. */
  size_t lists = toy_is_checked() ? LISTS / 20 : LISTS, way, round, ways = toy_is_checked() ? 1 : 4;
  for (way = 0; way < ways; way++) {
    struct { barrow_frame frame; void *array; } r;
    toy t = toy_new(flags[way]);
    size_t i, sum = 0, wanted = 0;
    memset(&r, 0, sizeof r);
    BARROW_PUSH(t.m, r);
    r.array = toy_array(t.m, lists);
    for (round = 0; round < 9; round++) {
      size_t next = 0;
      for (i = 0; i < lists; i++) {
        if (round > 0 && i != next) continue;
        next = i + 1 + (i * 7919 + round) % (2 * every[round % 3]);
        toy_put(t.m, &r.array, i, toy_list(t.m, 1 + (i + round) % 5));
      }
      CHECK_OK(barrow_collect(t.m, true));
      for (i = sum = wanted = 0; i < lists; i++) sum += toy_sum((node *)barrow_array_elements(r.array)[i]);
      for (i = 0; i < lists; i++) {
        size_t count = toy_count((node *)barrow_array_elements(r.array)[i]);
        wanted += count * (count + 1) / 2;
      }
      CHECK_EQ(sum, wanted);
    }
    CHECK_OK(barrow_check(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

#define OLD 1000

/* However often fields are written that lead to what a minor collection leaves where it is, each is remembered a few times. */
static void equal_entries_are_few(void) {
  static const char *flags[] = {"-G3 -T1 -DS --workers=1", "-G3 -T1 -DS --workers=2!", "-G3 -T1 -DS --workers=3! --source=chunks"};
  size_t way, round, i;
  for (way = 0; way < 2 * sizeof flags / sizeof *flags; way++) {
    struct { barrow_frame frame; void *old, *middle; } r;
    toy t = toy_new(flags[way / 2]);
    size_t count = way % 2 ? 1 : OLD;
    barrow_generation_state_t state;
    memset(&state, 0, sizeof state);
    BARROW_ENTER(t.m, r);
    r.old = toy_array(t.m, count);
    for (i = 0; i < count; i++) toy_put(t.m, &r.old, i, toy_cell(t.m, NULL, NULL, i));
    for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(t.m, true));
    r.middle = toy_node(t.m, NULL, NULL, 7);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(barrow_generation_of(t.heap, r.middle), 1);
    for (round = 0; round < 12; round++) {
      for (i = 0; i < 3 * OLD; i++) {
        node *cell = (node *)barrow_array_elements(r.old)[i % count];
        barrow_write(t.m, cell, (void **)&cell->left, r.middle);
      }
      CHECK_OK(barrow_collect(t.m, false));
    }
    CHECK_EQ(barrow_generation_of(t.heap, r.middle), 1);
    CHECK_EQ(barrow_generation_of(t.heap, barrow_array_elements(r.old)[0]), 2);
    CHECK_OK(barrow_generation_state(t.heap, 2, &state));
    CHECK(state.n_remembered > 0 && state.n_remembered <= 4 * count);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  RUN(equal_entries_are_few);
  RUN(holes_are_closed);
  RUN(elements_are_shared);
  RUN(cards_are_shared);
  RUN(heaps_are_what_they_were);
  RUN(many_recorded_objects_slide);
  RUN(minors_are_what_they_were);
  RUN(copies_are_counted);
  RUN(rests_of_gaps_are_walked);
  RUN(more_is_left_than_there_is_room_for);
  RUN(more_waits_than_there_is_room_for);
  return DONE;
}
