/* What the library asks the system for, in a short time: program FLAGS. It ends with 0 when all went on, with 3 when a call was
 * refused and said so in a sentence, and with 1 when anything is wrong. The heap's contents are right in each case. */
enum { LARGE = 60000 };
#include "lists.h"

int main(int argc, char **argv) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  roots r;
  int round;
  CHECK(argc == 2);
  barrow_config_init(&config);
  config.flags = argv[1];
  if (!may(barrow_heap_new(&config, &heap, &m))) return check_failures ? 1 : 3;
  BARROW_ENTER(m, r);
  for (round = 0; round < 6; round++) {
    if (!make(m, &r, 30000)) forget(&r);
    look(&r);
    if (round % 2) memset(r.arrays, 0, sizeof r.arrays); /* memory goes back */
    may(barrow_collect(m, round % 3 != 0));
    look(&r);
    if (round == 2) may(barrow_census(m));
  }
  forget(&r);
  for (round = 0; round < 4; round++) may(barrow_collect(m, true));
  may(barrow_check(m));
  CHECK_OK(barrow_audit(heap));
  BARROW_LEAVE(m, r);
  may(barrow_heap_free(heap));
  return check_failures ? 1 : refusals ? 3 : 0;
}
