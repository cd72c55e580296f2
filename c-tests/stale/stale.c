/* Reads an object where it lay before a collection: in a library that tells a memory checker what is free (src/os/shadow.rs),
 * the checker stops it there. ci/sanitize.sh runs it. */
#include "../toy.h"

int main(void) {
  toy t = toy_new("-G2 -A64k --old=copy"); /* objects that slide would stay where they are */
  struct { barrow_frame frame; node *kept; } r;
  node *volatile stale;
  BARROW_ENTER(t.m, r);
  r.kept = toy_node(t.m, NULL, NULL, 7);
  CHECK_OK(barrow_collect(t.m, true));
  stale = r.kept;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.kept != stale);
  CHECK_EQ(r.kept->value, 7);
  fprintf(stderr, "the next access is wrong\n");
  CHECK_EQ(stale->value, 7);
  fprintf(stderr, "and nobody has seen it\n");
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return DONE;
}
