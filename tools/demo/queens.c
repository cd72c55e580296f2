/* Counts the ways to put n queens on a board of n by n so that none attacks another.
 *
 *   let rec place n col placed =
 *     if col = n then 1
 *     else sum (fun row -> if safe row 1 placed then place n (col + 1) (row :: placed) else 0) [0 .. n-1]
 *
 * Nothing is ever changed, and nearly everything dies young: what a nursery is for. */
#include "emit.h"
#include <stdio.h>

typedef struct cons {
  barrow_word header;
  struct cons *next;
  int64_t row;
} cons;

INFO(cons_info, BARROW_CONSTR, 0, 1, 1, "(::)", "list");

static bool safe(world *w, int64_t row, const cons *placed) {
  for (int64_t distance = 1; placed; placed = placed->next, distance++) {
    use(w, placed);
    int64_t apart = placed->row - row;
    if (apart == 0 || apart == distance || apart == -distance) return false;
  }
  return true;
}

COST_CENTRE(place_cc, "place", "tools/demo/queens.c:place");

/* It calls itself, and its stack is no deeper for it. */
static size_t place(world *w, int64_t n, int64_t column, cons *placed) {
  if (column == n) return 1;
  barrow_ccs *before = enter(w, &place_cc);
  struct { barrow_frame frame; cons *placed; } f;
  f.placed = placed;
  BARROW_PUSH(w->m, f);
  size_t ways = 0;
  for (int64_t row = 0; row < n; row++) {
    /* The compiler that we imagine is not clever: it makes the longer list first, and looks at it then. */
    cons *more = NEW(w, cons, cons_info);
    more->next = f.placed;
    more->row = row;
    if (safe(w, row, f.placed)) ways += place(w, n, column + 1, more);
  }
  BARROW_LEAVE(w->m, f);
  leave(w, before);
  return ways;
}

void place_queens(world *w, demo_part *part) {
  static const size_t known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  int64_t n = w->scale >= 1 ? 12 : w->scale >= 0.1 ? 10 : 7;
  size_t ways = 0;
  part->right = true;
  for (int64_t size = 4; size <= n; size++) {
    if (w->progress) w->progress(w->part, (double)(size - 4) / (double)(n - 3));
    ways = place(w, size, 0, 0);
    part->right = part->right && ways == known[size];
  }
  snprintf(part->result, sizeof part->result, "%zu ways to put %d queens on a board of %d by %d", ways, (int)n, (int)n,
           (int)n);
}
