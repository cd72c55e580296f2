/* programs_cafs.h: a step of random programs (programs.h) that enters CAFs. They are everybody's: whoever comes first evaluates one, and
 * others wait for it. Each one's value leads to that of one with a lower number. */
#ifndef PROGRAMS_CAFS_H
#define PROGRAMS_CAFS_H
#include "programs_lazy.h"

enum { CAFS = 24 };
INFO(caf_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, NULL, NULL);
INFO(worth_info, BARROW_CONSTR, 0, 0, 2, 1, 0, NULL, NULL);
static barrow_word cafs[CAFS][4];
static size_t in_cafs, cafs_done; /* players that enter one; values that are there */

static inline void match_worth(const node *n, unsigned number) {
  for (; !check_failures; number /= 2, n = n->left) {
    CHECK_EQ(n == NULL, number == 0);
    if (!n || check_failures) return;
    CHECK(n->header == (barrow_word)&worth_info);
    CHECK_EQ(n->value, number);
    CHECK(n->right == n->left);
  }
}

static inline node *worth_of(player *p, unsigned number);

/* The hole stands for the value until it is there. False when another thread was faster. */
static inline bool evaluate_caf(player *p, unsigned number) {
  struct { barrow_frame frame; node *hole, *below; } r;
  claim c;
  bool is_mine;
  barrow_word *hole;
  node *n;
  BARROW_ENTER(p->m, r);
  hole = barrow_alloc(p->m, 2);
  hole[0] = (barrow_word)barrow_table(heap, BARROW_CAF_BLACKHOLE);
  hole[1] = 0;
  r.hole = (node *)hole;
  is_mine = barrow_new_caf(p->m, cafs[number], hole) == BARROW_OK;
  if (is_mine) {
    claim_begins(p, &c, &r.hole);
    maybe_hand_on(p);
    r.below = worth_of(p, number / 2);
    maybe_hand_on(p);
    n = (node *)barrow_alloc(p->m, 4);
    barrow_set_header(n, &worth_info);
    n->left = n->right = r.below;
    n->value = number;
    CHECK_OK(barrow_update(p->m, r.hole, n));
    claim_ends(p);
    __atomic_add_fetch(&cafs_done, 1, __ATOMIC_SEQ_CST);
  }
  BARROW_LEAVE(p->m, r);
  return is_mine;
}

/* The value of a CAF, which is entered if nobody has; that of number 0 is NULL. */
static inline node *worth_of(player *p, unsigned number) {
  struct { barrow_frame frame; node *n; } r;
  r.n = NULL;
  BARROW_PUSH(p->m, r);
  while (number > 0 && !check_failures) {
    if (barrow_info_now(cafs[number]) == &caf_info && !evaluate_caf(p, number)) continue;
    r.n = value_of(barrow_indirectee(cafs[number]));
    if (barrow_info_now(r.n)->kind != BARROW_CAF_BLACKHOLE) break;
    CHECK_OK(wait_for_value(p, &r.n));
  }
  BARROW_LEAVE(p->m, r);
  return r.n;
}

static inline void enter_cafs(player *p) {
  unsigned number = draw(p->w, CAFS);
  __atomic_add_fetch(&in_cafs, 1, __ATOMIC_SEQ_CST);
  match_worth(worth_of(p, number), number);
  __atomic_sub_fetch(&in_cafs, 1, __ATOMIC_SEQ_CST);
}

static inline void begin_cafs(toy t) {
  void *all[CAFS];
  unsigned i;
  memset(cafs, 0, sizeof cafs);
  for (i = 0; i < CAFS; i++) cafs[i][0] = (barrow_word)&caf_info, all[i] = cafs[i];
  in_cafs = cafs_done = 0;
  CHECK_OK(barrow_statics_add(t.heap, all, CAFS, true));
}

/* While nobody evaluates one, or waits for it. So CAFs begin anew, and their values are garbage. */
static inline void revert_cafs(barrow_mutator *m) {
  if (in_cafs) return;
  CHECK_OK(barrow_revert_cafs(m));
  cafs_done = 0;
}

#endif
