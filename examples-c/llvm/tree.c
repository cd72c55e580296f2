/* The trees of tree-frames.ll in C, by the macros of barrow/inline.h: what the table of costs in docs/llvm.md compares with. */
#include <barrow/inline.h>

typedef struct node { const barrow_info *info; struct node *left, *right; size_t number; } node;
extern barrow_info node_info;
size_t program(barrow_mutator *m, size_t depth, size_t rounds, size_t unused);

static node *make(barrow_mutator *m, size_t depth) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  BARROW_ENTER(m, r);
  if (depth) {
    r.left = make(m, depth - 1);
    r.right = make(m, depth - 1);
  }
  n = (node *)barrow_alloc(m, 4);
  n->info = &node_info;
  n->left = r.left;
  n->right = r.right;
  n->number = depth;
  BARROW_LEAVE(m, r);
  return n;
}

static size_t count(const node *tree) { return tree ? count(tree->left) + count(tree->right) + 1 : 0; }

size_t program(barrow_mutator *m, size_t depth, size_t rounds, size_t unused) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i, sum = 0;
  (void)unused;
  BARROW_ENTER(m, r);
  r.kept = make(m, depth);
  for (i = 0; i < rounds; i++) sum += count(make(m, depth));
  sum += count(r.kept);
  BARROW_LEAVE(m, r);
  return sum;
}
