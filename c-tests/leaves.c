/* Objects without pointers, and nodes whose pointers are null, are copied to blocks of their own, which no collection scans. */
#include "toy.h"

static barrow_step_state_t step_of(toy t, uint32_t generation, uint32_t step) {
  barrow_step_state_t state;
  memset(&state, 0, sizeof state);
  CHECK_OK(barrow_step_state(t.heap, generation, step, &state));
  return state;
}

/* A number in a box. */
typedef struct box {
  barrow_word header, number, minus;
} box;
INFO(box_info, BARROW_CONSTR, 0, 0, 0, 2, 0, NULL, NULL);

static void *new_box(barrow_mutator *m, barrow_word number) {
  box *b = (box *)barrow_alloc(m, sizeof *b / sizeof(barrow_word));
  b->header = (barrow_word)&box_info;
  b->number = number;
  b->minus = (barrow_word)0 - number;
  return b;
}

static void *new_bytes(barrow_mutator *m, barrow_word number, size_t length) {
  void *bytes = toy_bytes(m, length);
  memset(toy_bytes_at(bytes), (int)(number & 0xff), length);
  return bytes;
}

/* A list whose cells hold byte arrays of `length` bytes, filled with the number of the cell; boxes when it is 0. */
static node *list_of_leaves(barrow_mutator *m, node *list, size_t count, size_t length) {
  struct { barrow_frame frame; node *list; void *leaf; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.list = list;
  for (i = 0; i < count; i++) {
    barrow_word number = r.list ? r.list->value + 1 : 0;
    r.leaf = length ? new_bytes(m, number, length) : new_box(m, number);
    r.list = toy_node(m, r.list, (node *)r.leaf, number);
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

static void check_list(const node *list, size_t count, size_t length) {
  size_t left = count;
  for (; list; list = list->left) {
    const unsigned char *at = toy_bytes_at(list->right);
    const box *b = (const box *)list->right;
    CHECK_EQ(list->value, --left);
    if (length) CHECK(at[0] == (left & 0xff) && at[length - 1] == (left & 0xff));
    else CHECK(b->number == left && b->minus == (barrow_word)0 - left);
  }
  CHECK_EQ(left, 0);
}

/* No block in which the objects of one kind begin has one of the other kind, in whatever order they were found. */
static void apart_from_others(void) {
  static const char *flags[] = {"-G2 -T1", "-G3 -T2", "-G8 -T4"};
  size_t i;
  for (i = 0; i < 6; i++) {
    toy t = toy_new(flags[i % 3]);
    size_t length = i < 3 ? 40 : 0;
    struct { barrow_frame frame; node *list; } r;
    const node *one, *other;
    int collections;
    BARROW_ENTER(t.m, r);
    r.list = list_of_leaves(t.m, NULL, 200, length);
    for (collections = 0; collections < 12; collections++) {
      CHECK_OK(barrow_collect(t.m, false));
      check_list(r.list, 200, length);
      for (one = r.list; one; one = one->left)
        for (other = r.list; other; other = other->left)
          CHECK(barrow_bdescr_of(one) != barrow_bdescr_of(other->right));
    }
    CHECK_OK(barrow_collect(t.m, true));
    check_list(r.list, 200, length);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* A collection goes on in the block in which the last one ended: with the least of nurseries, and one object of each
   kind that survives at a time, the blocks are full. */
static void blocks_are_filled(void) {
  toy t = toy_new("-G2 -T1 -A64k");
  struct { barrow_frame frame; node *list; } r;
  barrow_step_state_t old;
  size_t i, count = 1500;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < count; i++) {
    r.list = list_of_leaves(t.m, r.list, 1, 40);
    CHECK_OK(barrow_collect(t.m, false));
  }
  old = step_of(t, 1, 0);
  CHECK(old.live_words == count * (sizeof(node) / sizeof(barrow_word) + barrow_bytes_words(40)));
  /* A group that is begun has an eighth of what is there, and there are two. */
  CHECK(old.n_blocks * BARROW_BLOCK_BYTES < old.live_words * sizeof(barrow_word) * 5 / 4 + 4 * BARROW_BLOCK_BYTES);
  check_list(r.list, count, 40);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Byte arrays of all sizes that are copied, behind one another in an array that a collection reads ahead in. */
static void many_sizes_in_an_array(void) {
  toy t = toy_new("-G2 -T1 -A1m");
  struct { barrow_frame frame; void *array; } r;
  size_t i, round, slots = 2000;
  void **at;
  BARROW_ENTER(t.m, r);
  r.array = barrow_array_init(barrow_alloc(t.m, barrow_array_words(slots)), &array_info, slots);
  at = (void **)barrow_array_elements(r.array); /* a large object does not move */
  for (round = 0; round < 4; round++) {
    for (i = 0; i < slots; i++) {
      size_t slot = i * 7919 % slots, length = 1 + (slot * 37 + round) % 3200;
      void *bytes = toy_bytes(t.m, length);
      memset(toy_bytes_at(bytes), (int)(slot & 0xff), length);
      /* Some are known twice, and some elements are no pointers to them. */
      at[slot] = slot % 11 == 0 ? NULL : slot % 13 == 0 ? at[slot - 1] : bytes;
      barrow_barrier(t.m, r.array, &at[slot], at[slot]);
    }
    CHECK_OK(barrow_collect(t.m, round % 2 == 1));
    for (i = 0; i < slots; i++) {
      size_t length = 1 + (i * 37 + round) % 3200;
      if (i % 11 == 0 || i % 13 == 0) continue;
      CHECK_EQ(((barrow_word *)at[i])[1], length);
      CHECK(toy_bytes_at(at[i])[0] == (i & 0xff) && toy_bytes_at(at[i])[length - 1] == (i & 0xff));
    }
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An object that was recorded while it had no pointers is still recorded when it has become something that has. */
static void recorded_before_it_had_pointers(void) {
  toy t = toy_new("-G2 -T1 -DS");
  struct { barrow_frame frame; void *changing; } r;
  node *cell;
  int i;
  BARROW_ENTER(t.m, r);
  r.changing = new_bytes(t.m, 1, sizeof(node) - 2 * sizeof(barrow_word));
  CHECK_OK(barrow_record_mutable(t.m, r.changing));
  CHECK_OK(barrow_collect(t.m, false));
  cell = (node *)r.changing;
  CHECK_OK(barrow_become(t.m, cell, &cell_info));
  cell->left = cell->right = NULL;
  cell->value = 0;
  CHECK_OK(barrow_record_mutable(t.m, cell));
  CHECK_OK(barrow_collect(t.m, false));
  cell->left = toy_node(t.m, NULL, NULL, 7); /* what is recorded needs no barrier */
  for (i = 0; i < 3; i++) {
    CHECK_OK(barrow_collect(t.m, i == 2));
    cell = (node *)r.changing;
    CHECK_EQ(cell->left->value, 7);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The shapes of a node: without children, with the left one, with the right one, with both; and later with others. */
enum { EMPTY_NODES = 3000 };

static void children(barrow_mutator *m, void *array, size_t i, size_t shape) {
  struct { barrow_frame frame; void *array; node *child; } r;
  void **slot;
  r.array = array;
  BARROW_PUSH(m, r);
  r.child = shape & 1 ? toy_node(m, NULL, NULL, 2 * i) : NULL;
  slot = (void **)barrow_array_elements(r.array) + i;
  BARROW_WRITE(m, (node *)*slot, left, r.child);
  r.child = shape & 2 ? toy_node(m, NULL, NULL, 2 * i + 1) : NULL;
  slot = (void **)barrow_array_elements(r.array) + i;
  BARROW_WRITE(m, (node *)*slot, right, r.child);
  BARROW_LEAVE(m, r);
}

static void check_children(void *array, size_t turn) {
  size_t i;
  for (i = 0; i < EMPTY_NODES; i++) {
    const node *n = (const node *)barrow_array_elements(array)[i];
    size_t shape = (i + turn) % 4;
    CHECK_EQ(n->value, i);
    CHECK(!(shape & 1) == !n->left && !(shape & 2) == !n->right);
    if (n->left) CHECK(n->left->value == 2 * i && !n->left->left && !n->left->right);
    if (n->right) CHECK(n->right->value == 2 * i + 1 && !n->right->left && !n->right->right);
  }
}

/* Nodes whose pointers are null are leaves too, until something is written to them; both fields are looked at. */
static void empty_nodes(void) {
  static const char *flags[] = {"-G2 -T1 -A64k -DS", "-G3 -T3 -A64k", "-G2 -T2 -A64k --workers=2!", "-A64k -c"};
  size_t which, i, turn;
  for (which = 0; which < 4; which++) {
    toy t = toy_new(flags[which]);
    struct { barrow_frame frame; void *array; } r;
    BARROW_ENTER(t.m, r);
    r.array = barrow_array_init(barrow_alloc(t.m, barrow_array_words(EMPTY_NODES)), &array_info, EMPTY_NODES);
    for (i = 0; i < EMPTY_NODES; i++) {
      node *n = toy_node(t.m, NULL, NULL, i);
      barrow_write(t.m, r.array, &barrow_array_elements(r.array)[i], n);
    }
    for (turn = 0; turn < 6; turn++) {
      for (i = 0; i < EMPTY_NODES; i++) children(t.m, r.array, i, (i + turn) % 4);
      check_children(r.array, turn);
      CHECK_OK(barrow_collect(t.m, turn == 4));
      check_children(r.array, turn);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  RUN(apart_from_others);
  RUN(blocks_are_filled);
  RUN(many_sizes_in_an_array);
  RUN(recorded_before_it_had_pointers);
  RUN(empty_nodes);
  return DONE;
}
