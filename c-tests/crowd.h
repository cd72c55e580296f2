/* crowd.h: two large arrays that all players of random programs (programs.h) write to, whoever runs when. In the first, each element is
 * the top of a stack of immutable links, on which threads push and from which they pop by compare-and-swap alone. In the second,
 * leaves are written, copied and filled under a lock, as the library asks. What is there does not depend on the order: so many links as
 * were pushed and not popped, and of leaves what the list beside them says. */
#ifndef CROWD_H
#define CROWD_H
#include "players.h"

/* Both arrays have cards, and are too large to move. Of the second, workers take slices. */
enum { TOPS = 3000, LEAVES = 40000, DEEPEST = 6 };
INFO(link_info, BARROW_CONSTR, 0, 0, 2, 1, 0, NULL, NULL);
INFO(leaf_info, BARROW_CONSTR, 0, 0, 2, 1, 0, NULL, NULL);

static node *tops, *leaves;        /* registered roots */
static size_t links;               /* pushed and not popped */
static unsigned of_leaf[LEAVES];   /* the number of each leaf, or 0 */
static unsigned newest_leaf;
static pthread_mutex_t at_leaves = PTHREAD_MUTEX_INITIALIZER;

static inline node **tops_at(void) { return (node **)barrow_array_elements(tops); }
static inline node **leaves_at(void) { return (node **)barrow_array_elements(leaves); }
static inline node *top_of(unsigned i) { return __atomic_load_n(tops_at() + i, __ATOMIC_ACQUIRE); }

/* ---- links ------------------------------------------------------------------------------------------------------------ */

/* A link's value is how many there are from it on. */
static inline void match_links(const node *top) {
  for (; top && !check_failures; top = top->left) {
    CHECK(top->header == (barrow_word)&link_info);
    CHECK_EQ(top->value, top->left ? top->left->value + 1 : 1);
    CHECK(top->right == top->left);
  }
}

/* Nothing moves between the load and the swap, and no object comes back to where another one was: so the top that is found again is
 * the same one. */
static inline void push_link(player *p, unsigned i) {
  node *n = (node *)barrow_alloc(p->m, 4), *old;
  barrow_set_header(n, &link_info);
  do {
    old = top_of(i);
    n->left = n->right = old;
    n->value = old ? old->value + 1 : 1;
  } while (!barrow_cas(p->m, tops, tops_at() + i, old, n));
  __atomic_add_fetch(&links, 1, __ATOMIC_RELAXED);
}

static inline bool pop_link(player *p, unsigned i) {
  node *old;
  do {
    old = top_of(i);
    if (!old) return false;
  } while (!barrow_cas(p->m, tops, tops_at() + i, old, old->left));
  __atomic_sub_fetch(&links, 1, __ATOMIC_RELAXED);
  return true;
}

/* Half of the time at few places, a card apart, where others are too. */
static inline void swap_links(player *p) {
  world *w = p->w;
  unsigned rounds = 1 + draw(w, 16);
  for (; rounds > 0 && !check_failures; rounds--) {
    unsigned i = draw(w, 2) ? draw(w, 8) * 128 : draw(w, TOPS);
    const node *top = top_of(i);
    bool pops = draw(w, 3) == 0;
    match_links(top);
    if (top && (pops || top->value >= DEEPEST)) pop_link(p, i);
    else push_link(p, i);
  }
}

/* ---- leaves ----------------------------------------------------------------------------------------------------------- */

static inline void match_leaf(unsigned i) {
  const node *n = leaves_at()[i];
  CHECK_EQ(n == NULL, of_leaf[i] == 0);
  if (!n || check_failures) return;
  CHECK(n->header == (barrow_word)&leaf_info);
  CHECK_EQ(n->value, of_leaf[i]);
}

static inline node *make_leaf(player *p) {
  node *n = (node *)barrow_alloc(p->m, 4);
  barrow_set_header(n, &leaf_info);
  n->left = n->right = NULL;
  n->value = ++newest_leaf;
  return n;
}

static inline void write_leaves(player *p, unsigned to, unsigned count) {
  bool swaps = draw(p->w, 2) != 0;
  for (count = count % 8 + 1; count > 0 && to < LEAVES; count--, to += 1 + draw(p->w, 200)) {
    node *n = make_leaf(p), **field = leaves_at() + to;
    if (swaps) CHECK(barrow_cas(p->m, leaves, field, *field, n));
    else barrow_write(p->m, leaves, field, n);
    of_leaf[to] = newest_leaf;
  }
}

/* Ranges may meet, and reach over several cards. */
static inline void change_leaves(player *p) {
  world *w = p->w;
  unsigned to = draw(w, LEAVES), from = draw(w, LEAVES), count = draw(w, 4) ? draw(w, 20) : draw(w, 600), what = draw(w, 6), i;
  if (count > LEAVES - (to > from ? to : from)) count = LEAVES - (to > from ? to : from);
  lock_outside(p->m, &at_leaves);
  if (what < 3) {
    write_leaves(p, to, count);
  } else if (what < 5) {
    CHECK_OK(barrow_array_copy(p->m, leaves, to, leaves, from, count));
    memmove(of_leaf + to, of_leaf + from, count * sizeof *of_leaf);
  } else {
    node *n = draw(w, 3) ? make_leaf(p) : NULL;
    CHECK_OK(barrow_array_fill(p->m, leaves, to, count, n));
    for (i = 0; i < count; i++) of_leaf[to + i] = n ? newest_leaf : 0;
  }
  for (i = 0; i < count; i++) match_leaf(to + i), match_leaf(from + i);
  pthread_mutex_unlock(&at_leaves);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static inline void begin_crowd(toy t) {
  tops = leaves = NULL;
  CHECK_OK(barrow_root_add(t.heap, "tops", &tops, 1, false));
  CHECK_OK(barrow_root_add(t.heap, "leaves", &leaves, 1, false));
  tops = (node *)toy_array(t.m, TOPS);
  leaves = (node *)toy_array(t.m, LEAVES);
  links = newest_leaf = 0;
  memset(of_leaf, 0, sizeof of_leaf);
}

static inline int by_number(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

/* While nobody writes: compares all, and gives the number of leaves, of which each may be at several places. */
static inline size_t match_crowd(void) {
  static unsigned sorted[LEAVES];
  size_t found = 0, different = 0;
  unsigned i;
  for (i = 0; i < TOPS && !check_failures; i++) {
    match_links(top_of(i));
    if (top_of(i)) found += top_of(i)->value;
  }
  if (!check_failures) CHECK_EQ(found, links);
  for (i = 0; i < LEAVES && !check_failures; i++) match_leaf(i);
  memcpy(sorted, of_leaf, sizeof sorted);
  qsort(sorted, LEAVES, sizeof *sorted, by_number);
  for (i = 0; i < LEAVES; i++) different += sorted[i] != 0 && (i == 0 || sorted[i] != sorted[i - 1]);
  return different;
}

static inline void end_crowd(toy t) {
  match_crowd();
  CHECK_OK(barrow_root_remove(t.heap, &tops));
  CHECK_OK(barrow_root_remove(t.heap, &leaves));
}

#endif
