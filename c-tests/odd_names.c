/* Names of 64 KiB, and names that a terminal would obey: every file and message cuts the first and shows the second. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#define BARROW_TICKY
#define STEM "odd-names"
#include "files.h"
#include "space.h"
#include <barrow/ticky.h>

enum { LONG = 64 << 10, EACH = 4 };
/* ESC, a bell, a C1 control, a direction and a line that other readers break. */
#define ODD "a\x1b[2Jb\x07" "c\xc2\x9b" "d\xe2\x80\xae" "e\xe2\x80\xa8" "f\n\x7f"

static char longs[3][LONG + 1];
static barrow_names of_info[EACH];
static barrow_info infos[EACH];
static barrow_cc centres[EACH];
static barrow_ticky_function functions[EACH];

/* As long as a line can be, of one unit each: ASCII, a character of three bytes, and one that is shown as an escape. */
static void make_names(void) {
  static const char *const units[3] = {"x", "\xe6\xbc\xa2", "\xc2\x85"};
  static const barrow_info like = {sizeof(barrow_info), BARROW_INFO_VERSION, 0,    NULL, BARROW_CONSTR, BARROW_FLAG_RETAINER, 0,
                                   1, 0, 0, 0, NULL, NULL, NULL, NULL};
  size_t i;
  for (i = 0; i < EACH; i++) {
    const char *name = ODD;
    if (i < 3) {
      size_t length = strlen(units[i]), at;
      for (at = 0; at + length <= LONG; at += length) memcpy(longs[i] + at, units[i], length);
      name = longs[i];
    }
    of_info[i].description = of_info[i].type_name = of_info[i].module = name;
    infos[i] = like;
    infos[i].names = &of_info[i];
    {
      barrow_cc cc = BARROW_CC(NULL, NULL, NULL);
      barrow_ticky_function f = BARROW_TICKY_FUNCTION(NULL, NULL, 1, "i", NULL, NULL, 0);
      cc.label = cc.module = cc.source = name;
      f.name = f.module = name;
      centres[i] = cc;
      functions[i] = f;
    }
  }
}

/* Tabs and line ends are the file's own. */
static void check_text(const char *whole, const char *what, size_t longest_line) {
  const unsigned char *at = (const unsigned char *)whole;
  size_t line = 0;
  if (!*whole) check_failed(__FILE__, __LINE__, what, "is empty");
  for (; *at; at++) {
    int c1 = at[0] == 0xc2 && at[1] < 0xa0, direction = at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae;
    line = *at == '\n' ? 0 : line + 1;
    if ((*at < ' ' && *at != '\n' && *at != '\t') || *at == 127 || c1 || direction || line > longest_line) {
      check_failed(__FILE__, __LINE__, what, line > longest_line ? "has a long line" : "has what would be obeyed");
      return;
    }
  }
  if (!strstr(whole, "xxx...")) check_failed(__FILE__, __LINE__, what, "does not mark what is cut");
}

static void *variable(barrow_mutator *m, barrow_info *info, void *content) {
  struct { barrow_frame frame; void *content; } r;
  barrow_word *at;
  r.content = content;
  BARROW_PUSH(m, r);
  at = barrow_alloc(m, 2);
  at[0] = (barrow_word)info;
  at[1] = (barrow_word)r.content;
  BARROW_LEAVE(m, r);
  return at;
}

/* Centre in centre, and variables that hold variables. */
static void *program(barrow_mutator *m) {
  barrow_ccs *before[EACH];
  struct { barrow_frame frame; void *last; } r;
  int i;
  BARROW_ENTER(m, r);
  r.last = toy_list(m, 1);
  for (i = 0; i < EACH; i++) {
    before[i] = barrow_ccs_enter(m, &centres[i]);
    r.last = variable(m, &infos[i], r.last);
    BARROW_TICKY_ENTER(m, &functions[i]);
    CHECK_OK(barrow_cost_tick(m, 1));
  }
  while (i-- > 0) barrow_ccs_leave(m, before[i]);
  BARROW_LEAVE(m, r);
  return r.last;
}

static void costs(void) {
  toy t = toy_new("-P -V0 -poodd-names");
  program(t.m);
  toy_free(t);
  /* Three columns of a thousand bytes of which three make one column of a character, and figures. */
  check_text(last_of(".prof"), ".prof", 6000);
  t = toy_new("-pj -V0 -poodd-names");
  program(t.m);
  toy_free(t);
  check_text(last_of(".prof"), ".prof as JSON", 20000);
}

static void heap_profile(const char *flags, const char *ending, const char *other) {
  struct { barrow_frame frame; void *last; } r;
  toy t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  r.last = program(t.m);
  CHECK_OK(barrow_census(t.m));
  barrow_ccs_leave(t.m, barrow_ccs_enter(t.m, &centres[0]));
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  check_text(last_of(ending), flags, 5200);
  if (other) check_text(last_of(other), flags, 45000);
}

static void heap_profiles(void) {
  heap_profile("-hc -i0 -poodd-names", ".hp", NULL);
  heap_profile("-hd -i0 -poodd-names", ".hp", NULL);
  heap_profile("-hy -hbdrag,use,lag,void -i0 -poodd-names", ".hp", NULL);
  heap_profile("-hm -i0 -poodd-names", ".hp", NULL);
  heap_profile("-hr -i0 -poodd-names", ".hp", ".prof");
}

static void counters(void) {
  toy t = toy_new("-rodd-names.ticky");
  program(t.m);
  toy_free(t);
  check_text(last_of(".ticky"), ".ticky", 3000);
}

static const char *name_of(void *client, void *function) {
  (void)client;
  return function ? of_info[(size_t)function - 1].description : NULL;
}

static void space(void) {
  static const char formats[] = {'s', 'j', 'h'};
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t profile = 0;
  size_t i;
  struct { barrow_frame frame; node *lists[EACH]; } r;
  BARROW_ENTER(t.m, r);
  options.manner = BARROW_MANNER_SPACE;
  options.name_of = name_of;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 0; i < EACH; i++) {
    barrow_window_of(t.m)->function = (void *)(i + 1);
    r.lists[i] = toy_list(t.m, 100);
  }
  barrow_window_of(t.m)->function = NULL;
  CHECK_OK(barrow_space_point(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  BARROW_LEAVE(t.m, r);
  for (i = 0; i < sizeof formats; i++) {
    CHECK_OK(barrow_space_report(t.heap, "odd-names.space", formats[i]));
    check_text(last_of(".space"), "space", 6000);
  }
  toy_free(t);
}

/* Two names of three are printed alike. */
static const char *alike(void *client, void *function) {
  static const char *const names[] = {"an odd name", "another", "an_odd_name"};
  (void)client;
  return function ? names[(size_t)function - 1] : NULL;
}

/* A sample has each name once, with all that functions of the name hold: readers take a second one for damage. */
static void functions_of_one_name(void) {
  toy t = toy_new("");
  barrow_space_options options = wish();
  uint32_t profile = 0;
  size_t i;
  struct { barrow_frame frame; node *lists[3]; } r;
  BARROW_ENTER(t.m, r);
  options.manner = BARROW_MANNER_SPACE;
  options.name_of = alike;
  options.live = 1;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  for (i = 0; i < 3; i++) {
    barrow_window_of(t.m)->function = (void *)(i + 1);
    r.lists[i] = toy_list(t.m, 100);
  }
  barrow_window_of(t.m)->function = NULL;
  CHECK_OK(barrow_space_point(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_space_report(t.heap, "odd-names.space", 'h'));
  last_of(".space");
  /* At the point that was asked for, and at the end. */
  CHECK_EQ(times(text, "\nanother\t3200\n"), 2);
  CHECK_EQ(times(text, "\nan_odd_name\t6400\n"), 2);
  CHECK_EQ(times(text, "\nan_odd_name\t"), 2);
  toy_free(t);
}

static void coverage(void) {
  barrow_mix_options options;
  barrow_mix *mix = NULL;
  uint32_t hash;
  size_t i, boxes;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.file = "odd-names.mix";
  options.source = "a.toy";
  CHECK_OK(barrow_mix_begin(&options, &mix));
  for (i = 0; i < EACH; i++) {
    barrow_box b;
    memset(&b, 0, sizeof b);
    b.size = (uint32_t)sizeof b;
    b.kind = BARROW_BOX_TOP_LEVEL;
    b.first_line = b.first_column = b.last_line = b.last_column = 1;
    b.names = &of_info[i].description, b.name_count = 1;
    CHECK_OK(barrow_mix_add(mix, &b, NULL));
  }
  CHECK_OK(barrow_mix_end(mix, &hash, &boxes));
  check_text(last_of(".mix"), ".mix", 10000);
}

static void snapshot(void) {
  struct { barrow_frame frame; void *last; } r;
  FILE *in;
  long length = 0;
  toy t = toy_new("");
  BARROW_ENTER(t.m, r);
  r.last = program(t.m);
  CHECK_OK(barrow_snapshot(t.m, "odd-names.snapshot"));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  in = fopen("odd-names.snapshot", "rb");
  if (in) {
    fseek(in, 0, SEEK_END);
    length = ftell(in);
    fclose(in);
  }
  removed(".snapshot");
  CHECK(length > 4900 && length < 120000);
}

/* A file may have any name that the system takes. */
static void files_with_names_of_any_bytes(void) {
  static const char name[] = "odd-names\xff\xfe.any";
  barrow_space_options options = wish();
  uint32_t profile = 0;
  toy t = toy_new("--sample-every=64");
  CHECK(toy_list(t.m, 100) != NULL);
  CHECK_OK(barrow_samples_write(t.m, name));
  CHECK_EQ(unlink(name), 0);
  CHECK_OK(barrow_snapshot(t.m, name));
  CHECK_EQ(unlink(name), 0);
  CHECK_OK(barrow_cost_report(t.m, name, BARROW_COST_STANDARD));
  CHECK_EQ(unlink(name), 0);
  options.manner = BARROW_MANNER_SPACE;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  CHECK_OK(barrow_space_end(t.m, profile));
  CHECK_OK(barrow_space_report(t.heap, name, 's'));
  CHECK_EQ(unlink(name), 0);
  REFUSED(BARROW_E_ARG, barrow_samples_write(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_snapshot(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_space_report(t.heap, NULL, 's'));
  REFUSED(BARROW_E_ARG, barrow_samples_write(t.m, ""));
  REFUSED(BARROW_E_ARG, barrow_snapshot(t.m, ""));
  toy_free(t);
}

static void messages(void) {
  size_t i;
  FILE *err = fopen("odd-names.err", "w+");
  int before = dup(2);
  toy t = toy_new("-xc");
  CHECK(err != NULL);
  if (!err) return;
  fflush(stderr);
  dup2(fileno(err), 2);
  for (i = 0; i < EACH; i++) {
    barrow_ccs *old = barrow_ccs_enter(t.m, &centres[i]);
    CHECK_OK(barrow_exception(t.m, of_info[i].description, NULL, 0));
    CHECK_OK(barrow_ccs_print(t.m, NULL));
    barrow_ccs_leave(t.m, old);
  }
  toy_free(t);
  t = toy_new("-hd -hd\xc2\x9b\xe2\x80\xae -i0 -poodd-names"); /* a name that nothing has */
  CHECK_OK(barrow_census(t.m));
  toy_free(t);
  dup2(before, 2);
  close(before);
  fclose(err);
  removed(".hp");
  check_text(last_of(".err"), "messages", 4000);
  t = toy_new("");
  for (i = 0; i < EACH; i++) {
    barrow_info wrong = infos[i];
    const char *told;
    wrong.kind = 77;
    CHECK(barrow_info_check(&wrong) != BARROW_OK);
    told = barrow_last_error();
    CHECK(strlen(told) < 400 && strstr(told, "kind") != NULL);
    CHECK(strchr(told, 27) == NULL && strstr(told, "\xe2\x80\xae") == NULL && strstr(told, "\xc2\x85") == NULL);
  }
  toy_free(t);
}

int main(void) {
  make_names();
  RUN(costs);
  RUN(heap_profiles);
  RUN(counters);
  RUN(space);
  RUN(functions_of_one_name);
  RUN(coverage);
  RUN(snapshot);
  RUN(files_with_names_of_any_bytes);
  RUN(messages);
  return DONE;
}
