/* Very many cost-centre stacks: side by side, and one on the other; that all costs are there, and that reports of them
 * take no longer than they are long. */
#include "toy.h"
#include <time.h>
#include <unistd.h>

enum { MANY = 100000 };
static barrow_cc wide[MANY], deep[MANY];
static char labels[2][MANY][12];

static void name_all(barrow_cc *centres, int which) {
  static const char *const letters = "wd";
  int k;
  for (k = 0; k < MANY; k++) {
    barrow_cc one = BARROW_CC(labels[which][k], "Many", NULL);
    sprintf(labels[which][k], "%c%d", letters[which], k);
    memcpy(&centres[k], &one, sizeof one);
  }
}

/* Lines of a file in which a text is, and the file's length. */
static long lines_with(const char *name, const char *what, long *length) {
  static char line[1 << 16];
  long lines = 0;
  FILE *file = fopen(name, "r");
  CHECK(file != NULL);
  *length = 0;
  while (file && fgets(line, sizeof line, file)) {
    lines += strstr(line, what) != NULL;
    *length += (long)strlen(line);
  }
  if (file) fclose(file);
  return lines;
}

/* How far the line of a label is set in; -1 when there is none. */
static long indent_of(const char *name, const char *label) {
  static char line[1 << 16];
  long found = -1;
  FILE *file = fopen(name, "r");
  while (file && found < 0 && fgets(line, sizeof line, file)) {
    size_t blanks = strspn(line, " ");
    if (strncmp(line + blanks, label, strlen(label)) == 0) found = (long)blanks;
  }
  if (file) fclose(file);
  return found;
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Each centre has a stack of its own on MAIN. */
static void side_by_side(void) {
  toy t = toy_new("");
  uint64_t bytes = 0;
  long length;
  int k, round;
  double begun = seconds();
  name_all(wide, 0);
  CHECK_OK(barrow_cc_register(wide, MANY));
  for (round = 0; round < 2; round++)
    for (k = 0; k < MANY; k++) {
      barrow_ccs *before = barrow_ccs_enter(t.m, &wide[k]);
      toy_node(t.m, NULL, NULL, (barrow_word)k);
      barrow_ccs_leave(t.m, before);
    }
  for (k = 0; k < MANY; k++) {
    barrow_cost *cost = barrow_cost_of(t.m, barrow_ccs_push(barrow_ccs_current(t.m), &wide[k]));
    if (cost->entries != 2 || cost->bytes != 2 * sizeof(node)) CHECK_EQ(cost->bytes, 2 * sizeof(node));
    bytes += cost->bytes;
  }
  CHECK_EQ(bytes, toy_stats(t).allocated_bytes);
  CHECK_OK(barrow_cost_report(t.m, "cost-many.prof", BARROW_COST_DETAILED));
  CHECK_EQ(lines_with("cost-many.prof", " Many ", &length), MANY);
  CHECK(length < 200l * MANY);
  CHECK(seconds() - begun < 30);
  toy_free(t);
  unlink("cost-many.prof");
}

/* Each centre is entered inside the one before; then a jump leaves them all, and the same again from half way. */
static void one_on_the_other(void) {
  toy t = toy_new("");
  barrow_ccs *main_ccs = barrow_ccs_current(t.m), *half = NULL, *end;
  uint64_t bytes = 0;
  long length;
  int k;
  double begun = seconds();
  name_all(deep, 1);
  for (k = 0; k < MANY; k++) {
    barrow_ccs_enter(t.m, &deep[k]);
    toy_node(t.m, NULL, NULL, (barrow_word)k);
    if (k == MANY / 2) half = barrow_ccs_current(t.m);
  }
  end = barrow_ccs_current(t.m);
  CHECK_EQ(end->depth, MANY);
  /* Recursion from the innermost goes back to where the centre was entered. */
  CHECK(barrow_ccs_enter(t.m, &deep[MANY / 2]) == end);
  CHECK(barrow_ccs_current(t.m) == half);
  barrow_ccs_leave(t.m, half);
  for (k = MANY / 2 + 1; k < MANY; k++) barrow_ccs_enter(t.m, &deep[k]);
  CHECK(barrow_ccs_current(t.m) == end);
  barrow_ccs_leave(t.m, main_ccs);
  for (; end != main_ccs; end = (barrow_ccs *)end->parent) bytes += barrow_cost_of(t.m, end)->bytes;
  CHECK_EQ(bytes, toy_stats(t).allocated_bytes);
  CHECK_OK(barrow_cost_report(t.m, "cost-many.json", BARROW_COST_JSON));
  lines_with("cost-many.json", "\"id\"", &length);
  CHECK(length > 100l * MANY && length < 400l * MANY);
  /* In text, all of them too; but what is deeper than 1000 is not set in further. */
  CHECK_OK(barrow_cost_report(t.m, "cost-many.prof", BARROW_COST_DETAILED));
  CHECK_EQ(lines_with("cost-many.prof", " Many ", &length), MANY);
  CHECK(length > 1000l * MANY && length < 1200l * MANY);
  CHECK_EQ(indent_of("cost-many.prof", "d998 "), 999);
  CHECK_EQ(indent_of("cost-many.prof", "d999 "), 1000);
  CHECK_EQ(indent_of("cost-many.prof", "d99999 "), 1000);
  CHECK(seconds() - begun < 30);
  toy_free(t);
  unlink("cost-many.json");
  unlink("cost-many.prof");
}

int main(void) {
  /* More than a hundred megabytes are written. */
  if (toy_is_slow()) return DONE;
  RUN(side_by_side);
  RUN(one_on_the_other);
  return DONE;
}
