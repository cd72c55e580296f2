/* The queens of queens-frames.ll in C, by the macros of barrow/inline.h: what the table of costs in docs/llvm.md compares with. */
#include <barrow/inline.h>

typedef struct node { const barrow_info *info; struct node *rest, *first; size_t number; } node;
extern barrow_info node_info;
size_t program(barrow_mutator *m, size_t n, size_t rounds, size_t unused);

static node *cons(barrow_mutator *m, node *rest, node *first, size_t number) {
  struct { barrow_frame frame; node *rest, *first; } r;
  node *n;
  r.rest = rest;
  r.first = first;
  BARROW_PUSH(m, r);
  n = (node *)barrow_alloc(m, 4);
  n->info = &node_info;
  n->rest = r.rest;
  n->first = r.first;
  n->number = number;
  BARROW_LEAVE(m, r);
  return n;
}

static bool safe(const node *board, size_t column) {
  size_t distance = 1;
  for (; board; board = board->rest, distance++)
    if ((board->number == column) | (board->number + distance == column) | (board->number - distance == column)) return false;
  return true;
}

static node *solve(barrow_mutator *m, size_t n, size_t row, node *board, node *found) {
  struct { barrow_frame frame; node *board, *found; } r;
  size_t column;
  r.board = board;
  r.found = found;
  BARROW_PUSH(m, r);
  if (row == n) {
    r.found = cons(m, r.found, r.board, 0);
  } else {
    for (column = 0; column < n; column++) {
      node *placed;
      if (!safe(r.board, column)) continue;
      placed = cons(m, r.board, NULL, column);
      r.found = solve(m, n, row + 1, placed, r.found);
    }
  }
  found = r.found;
  BARROW_LEAVE(m, r);
  return found;
}

static size_t digest(const node *found) {
  const node *queen;
  size_t sum = 0;
  for (; found; found = found->rest)
    for (queen = found->first; queen; queen = queen->rest) sum = sum * 31 + queen->number;
  return sum;
}

size_t program(barrow_mutator *m, size_t n, size_t rounds, size_t unused) {
  size_t i, sum = 0;
  (void)unused;
  for (i = 0; i < rounds; i++) sum += digest(solve(m, n, 0, NULL, NULL));
  return sum;
}
