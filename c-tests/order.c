/* Objects that survive lie in the order in which a walk comes to them: each behind the one that leads to it. */
#include "toy.h"

/* Objects that lie so close that a walk finds the next one in the cache. */
#define NEAR_BYTES 128
#define ITEMS 30000

INFO(leaf_info, BARROW_CONSTR, 0, 0, 0, 1, 0, NULL, NULL);
INFO(object_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 1, 1, 0, NULL, NULL);
INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);

/* An object of an interpreter: its fields are in a table of its own. */
typedef struct object { barrow_word header; void *fields; barrow_word value; } object;

static size_t steps, near_steps, sum;
static const char *last;

static void visit(const void *at) {
  const char *here = (const char *)at;
  ptrdiff_t far_away = here - last;
  steps++;
  near_steps += far_away <= NEAR_BYTES && far_away >= -NEAR_BYTES;
  last = here;
}

static void walk_tree(const node *n) {
  if (!n) return;
  visit(n);
  sum += n->value;
  walk_tree(n->left);
  walk_tree(n->right);
}

static object *objects(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; void *fields, *child; } r;
  object *made;
  size_t i;
  r.fields = r.child = NULL;
  BARROW_PUSH(m, r);
  r.fields = toy_array(m, 3);
  for (i = 0; i < 3 && depth > 0; i++) {
    r.child = objects(m, depth - 1);
    toy_put(m, &r.fields, i, r.child);
  }
  made = (object *)barrow_alloc(m, 3);
  made->header = (barrow_word)&object_info;
  made->fields = r.fields;
  made->value = (barrow_word)depth;
  BARROW_LEAVE(m, r);
  return made;
}
static void walk_objects(const object *o) {
  size_t i;
  visit(o);
  visit(o->fields);
  sum += o->value;
  for (i = 0; i < 3; i++)
    if (barrow_array_elements(o->fields)[i]) walk_objects((const object *)barrow_array_elements(o->fields)[i]);
}

/* A large array of nodes, each with a boxed number. */
static void *records(barrow_mutator *m) {
  struct { barrow_frame frame; void *array; node *leaf; } r;
  size_t i;
  r.array = NULL, r.leaf = NULL;
  BARROW_PUSH(m, r);
  r.array = toy_array(m, ITEMS);
  for (i = 0; i < ITEMS; i++) {
    barrow_word *leaf = (barrow_word *)barrow_alloc(m, 2);
    leaf[0] = (barrow_word)&leaf_info;
    leaf[1] = i;
    r.leaf = (node *)leaf;
    toy_put(m, &r.array, i, toy_node(m, r.leaf, NULL, i));
  }
  BARROW_LEAVE(m, r);
  return r.array;
}
static void walk_records(void *array) {
  size_t i;
  for (i = 0; i < ITEMS; i++) {
    const node *n = (const node *)barrow_array_elements(array)[i];
    visit(n), visit(n->left);
    sum += n->value + ((barrow_word *)n->left)[1];
  }
}

/* A tree of suspended computations. */
static void *suspended(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; void *left, *right; } r;
  barrow_word *made;
  r.left = r.right = NULL;
  if (depth == 0) return NULL;
  BARROW_PUSH(m, r);
  r.left = suspended(m, depth - 1);
  r.right = suspended(m, depth - 1);
  made = (barrow_word *)barrow_alloc(m, 5);
  made[0] = (barrow_word)&thunk_info;
  made[1] = 0;
  made[2] = (barrow_word)r.left;
  made[3] = (barrow_word)r.right;
  made[4] = (barrow_word)depth;
  BARROW_LEAVE(m, r);
  return made;
}
static void walk_suspended(const barrow_word *thunk) {
  if (!thunk) return;
  visit(thunk);
  sum += thunk[4];
  walk_suspended((const barrow_word *)thunk[2]);
  walk_suspended((const barrow_word *)thunk[3]);
}

static void walk(int what, void *root) {
  steps = near_steps = sum = 0, last = NULL;
  switch (what) {
    case 0: walk_tree((node *)root); break;
    case 1: walk_objects((object *)root); break;
    case 2: walk_records(root); break;
    default: walk_suspended((barrow_word *)root);
  }
}

/* Whatever collections come, at least nine of ten steps are short. */
static void walks_go_on_beside(void) {
  static const char *const ways[] = {"", "-T1", "-G3 -T3", "--old=copy", "-c", "--source=chunks"};
  char flags[80];
  const char *all = getenv("BARROW_TEST_FLAGS");
  size_t way, round, i;
  int what;
  /* In checking mode so little can wait that most is saved in another order. */
  if (all && strstr(all, "-D")) return;
  for (way = 0; way < sizeof ways / sizeof *ways; way++) {
    toy t = toy_new((sprintf(flags, "-A256k -O1m %s", ways[way]), flags));
    for (what = 0; what < 4; what++) {
      struct { barrow_frame frame; void *root; } r;
      size_t expected;
      r.root = NULL;
      BARROW_PUSH(t.m, r);
      r.root = what == 0 ? (void *)toy_tree(t.m, 14)
             : what == 1 ? (void *)objects(t.m, 9)
             : what == 2 ? records(t.m) : suspended(t.m, 14);
      walk(what, r.root);
      expected = sum;
      for (round = 0; round < 3; round++) {
        /* Everything has left the youngest generation after four collections. */
        for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(t.m, round == 1));
        (void)toy_list(t.m, 100000);
        walk(what, r.root);
        CHECK_EQ(sum, expected);
        if (near_steps * 10 < steps * 9)
          fprintf(stderr, "%s, structure %d, round %d: %d of %d steps are short\n", ways[way], what, (int)round,
                  (int)near_steps, (int)steps);
        CHECK(near_steps * 10 >= steps * 9);
      }
      BARROW_LEAVE(t.m, r);
    }
    toy_free(t);
  }
}

/* A chain that is far longer than what waits: each cell has a second field, behind the one with the next cell. */
static void long_chains_are_whole(void) {
  static const char *const ways[] = {"", "-DS", "-c", "-T1"};
  size_t way, i;
  for (way = 0; way < sizeof ways / sizeof *ways; way++) {
    toy t = toy_new(ways[way]);
    struct { barrow_frame frame; node *list; } r;
    size_t found = 0;
    node *n;
    r.list = NULL;
    BARROW_PUSH(t.m, r);
    for (i = 0; i < ITEMS; i++) {
      node *value = toy_node(t.m, NULL, NULL, i);
      r.list = toy_node(t.m, r.list, value, i);
    }
    for (i = 0; i < 2; i++) {
      CHECK_OK(barrow_collect(t.m, i == 1));
      for (n = r.list, found = 0; n; n = n->left) found += n->right->value == n->value;
      CHECK_EQ(found, (size_t)ITEMS);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

int main(void) {
  RUN(walks_go_on_beside);
  RUN(long_chains_are_whole);
  return DONE;
}
