/* A program to stop in, for ci/debug-check.sh: one object of each sort that the commands of barrow-gdb.py show. */
#include "../../examples-c/mistakes/mistakes.h"

static const barrow_names row_names = {"Row", "Rows", "Client", 0}, text_names = {"Text", "Text", "Client", 0};
static barrow_info row_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_ARRAY, 0, 0, 0, 0, 0, 0, 0, 0, 0, &row_names};
static barrow_info text_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_BYTES, 0, 0, 0, 0, 0, 0, 0, 0, 0, &text_names};

struct roots { barrow_frame frame; pair *list; barrow_word *row, *text; };
pair *kept;

static void here(barrow_mutator *m, struct roots *r, pair *stale) {
  (void)m, (void)r, (void)stale;
}

static void asks(barrow_mutator *m, bool major) { stop_when_damaged(barrow_collect(m, major)); }

int main(int count, char **words) {
  barrow_heap *heap;
  barrow_mutator *m = start(count, words, &heap);
  struct roots r;
  pair *stale;
  barrow_word i;
  BARROW_ENTER(m, r);
  stop_when_damaged(barrow_root_add(heap, "what is kept", &kept, 1, false));
  for (i = 0; i < 3; i++) {
    pair *p = make(m, 40 + i);
    p->left = r.list;
    r.list = p;
  }
  r.row = barrow_alloc(m, barrow_array_words(2));
  r.row[0] = (barrow_word)&row_info;
  r.row[1] = 2;
  r.row[2] = (barrow_word)r.list;
  r.row[3] = 0;
  r.text = barrow_alloc(m, 4);
  r.text[0] = (barrow_word)&text_info;
  r.text[1] = 12;
  memcpy(&r.text[2], "hello there", 12);
  stale = r.list;
  asks(m, false);
  asks(m, true);
  kept = r.list->left;
  here(m, &r, stale);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
