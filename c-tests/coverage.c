/* Coverage: counters that are the client's, .tix files that runs add to, .mix files for compilers. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "check.h"
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME 300
static char folder[] = "/tmp/barrow-coverage-XXXXXX";

static uint64_t a_counters[3], b_counters[2];
static const barrow_coverage_module modules[] = {
    BARROW_COVERAGE_MODULE("A", 11, a_counters),
    BARROW_COVERAGE_MODULE("lib/B", 22, b_counters),
};

static char *in_folder(const char *name) {
  static char names[4][FILE_NAME];
  static int next;
  char *at = names[next++ % 4];
  snprintf(at, FILE_NAME, "%s/%s", folder, name);
  return at;
}

/* The text of a file, or "(none)". */
static const char *text_of(const char *name) {
  static char text[8192];
  FILE *file = fopen(in_folder(name), "rb");
  size_t length;
  if (!file) return "(none)";
  length = fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  fclose(file);
  return text;
}

static void put(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "wb");
  CHECK(file != NULL);
  if (file) fputs(text, file), fclose(file);
}

static bool is(const char *name, const char *text) {
  const char *found = text_of(name);
  if (strcmp(found, text) != 0) fprintf(stderr, "%s holds: %s\n", name, found);
  return strcmp(found, text) == 0;
}

static void forget_counts(void) {
  memset(a_counters, 0, sizeof a_counters);
  memset(b_counters, 0, sizeof b_counters);
}

static barrow_coverage_options named(const char *file) {
  barrow_coverage_options options;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.file = file;
  return options;
}

/* A coverage for this file of the folder, with both modules. */
static barrow_coverage *begin(const char *name) {
  barrow_coverage_options options = named(in_folder(name));
  barrow_coverage *coverage = NULL;
  CHECK_OK(barrow_coverage_new(&options, &coverage));
  CHECK_OK(barrow_coverage_register(coverage, modules, 2));
  return coverage;
}

static barrow_status tries(const char *file) {
  barrow_coverage_options options = named(file);
  barrow_coverage *coverage = NULL;
  barrow_status status = barrow_coverage_new(&options, &coverage);
  if (status == BARROW_OK) status = barrow_coverage_free(coverage);
  CHECK(status == BARROW_OK || coverage == NULL || strcmp(file, "/dev/full") == 0);
  return status;
}

static void runs_add_up(void) {
  barrow_coverage *coverage;
  struct stat seen;
  int run;
  for (run = 1; run <= 3; run++) {
    forget_counts();
    BARROW_TICK(a_counters, 2); /* before it is registered */
    coverage = begin("sum.tix");
    CHECK(strcmp(barrow_coverage_file(coverage), in_folder("sum.tix")) == 0);
    BARROW_TICK(a_counters, 0);
    CHECK_OK(barrow_coverage_write(coverage));
    CHECK_OK(barrow_coverage_write(coverage));
    CHECK(barrow_tick_decision(b_counters, 0, true));
    CHECK(!barrow_tick_decision(b_counters, 0, false));
    CHECK(!barrow_tick_decision(b_counters, 0, run == 0));
    CHECK_OK(barrow_coverage_check(coverage));
    CHECK_OK(barrow_coverage_free(coverage));
  }
  CHECK(is("sum.tix", "Tix [ TixModule \"A\" 11 3 [3,0,3], TixModule \"lib/B\" 22 2 [3,6]]\n"));
  CHECK(stat(in_folder("sum.tix"), &seen) == 0 && (seen.st_mode & 0777) == 0600);
  CHECK(is("sum.tix.lock", "(none)") && is("sum.tix.tmp", "(none)") && is("sum.tix.old", "(none)"));
}

static void another_version_is_told_and_not_added(void) {
  static const char *const theirs = "Tix [ TixModule \"C\" 1 1 [9], TixModule \"A\" 12 3 [7,7,7]]\n";
  barrow_coverage *coverage;
  put("other.tix", theirs);
  forget_counts();
  coverage = begin("other.tix");
  BARROW_TICK(a_counters, 1);
  REFUSED(BARROW_E_STATE, barrow_coverage_check(coverage));
  CHECK(strstr(barrow_last_error(), "module A has hash 12 in the file and 11 in the program"));
  CHECK(is("other.tix", theirs));
  REFUSED(BARROW_E_STATE, barrow_coverage_write(coverage));
  CHECK(strstr(barrow_last_error(), "other.tix.old"));
  CHECK(is("other.tix",
           "Tix [ TixModule \"C\" 1 1 [9], TixModule \"A\" 11 3 [0,1,0], TixModule \"lib/B\" 22 2 [0,0]]\n"));
  CHECK(is("other.tix.old", theirs));
  CHECK_OK(barrow_coverage_free(coverage)); /* told once: now it fits */
}

static void code_comes_and_goes(void) {
  barrow_coverage *coverage;
  forget_counts();
  coverage = begin("code.tix");
  BARROW_TICK(b_counters, 1);
  CHECK_OK(barrow_coverage_unregister(coverage, modules + 1, 1));
  CHECK_EQ(b_counters[1], 0);
  REFUSED(BARROW_E_STATE, barrow_coverage_unregister(coverage, modules + 1, 1));
  BARROW_TICK(a_counters, 0);
  CHECK_OK(barrow_coverage_write(coverage));
  CHECK(is("code.tix", "Tix [ TixModule \"A\" 11 3 [1,0,0], TixModule \"lib/B\" 22 2 [0,1]]\n"));
  CHECK_OK(barrow_coverage_register(coverage, modules + 1, 1));
  BARROW_TICK(b_counters, 1);
  CHECK_OK(barrow_coverage_unregister(coverage, modules, 2));
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("code.tix", "Tix [ TixModule \"A\" 11 3 [1,0,0], TixModule \"lib/B\" 22 2 [0,2]]\n"));
}

static void what_a_child_forgets_its_parent_writes(void) {
  barrow_coverage *coverage;
  forget_counts();
  coverage = begin("fork.tix");
  BARROW_TICK(a_counters, 0);
  CHECK_OK(barrow_coverage_forget(coverage));
  BARROW_TICK(a_counters, 1);
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("fork.tix", "Tix [ TixModule \"A\" 11 3 [0,1,0], TixModule \"lib/B\" 22 2 [0,0]]\n"));
}

static void a_malformed_file_is_told_and_left(void) {
  static const char *const cut = "Tix [ TixModule \"A\" 11 3 [1,2,\n";
  barrow_coverage *coverage;
  put("cut.tix", cut);
  REFUSED(BARROW_E_IO, tries(in_folder("cut.tix")));
  CHECK(strstr(barrow_last_error(), "cut.tix:2: expected a number, found the end of the file"));
  CHECK(is("cut.tix", cut));
  forget_counts();
  coverage = begin("later.tix");
  BARROW_TICK(a_counters, 0);
  put("later.tix", "junk");
  REFUSED(BARROW_E_IO, barrow_coverage_check(coverage));
  REFUSED(BARROW_E_IO, barrow_coverage_write(coverage));
  CHECK(is("later.tix", "junk"));
  put("later.tix", "Tix []");
  CHECK_OK(barrow_coverage_free(coverage)); /* nothing was lost */
  CHECK(is("later.tix", "Tix [ TixModule \"A\" 11 3 [1,0,0], TixModule \"lib/B\" 22 2 [0,0]]\n"));
}

static void places_that_cannot_be_written_are_told(void) {
  char link_name[FILE_NAME];
  REFUSED(BARROW_E_IO, tries(in_folder("none/x.tix")));
  CHECK(strstr(barrow_last_error(), "No such file or directory"));
  REFUSED(BARROW_E_IO, tries(folder));
  put("target.tix", "Tix []");
  strcpy(link_name, in_folder("link.tix"));
  CHECK_EQ(symlink("target.tix", link_name), 0);
  REFUSED(BARROW_E_IO, tries(link_name));
  CHECK(strstr(barrow_last_error(), "links are not followed"));
  CHECK(is("target.tix", "Tix []"));
  CHECK_OK(tries("/dev/null"));
  if (access("/dev/full", W_OK) == 0) {
    REFUSED(BARROW_E_IO, tries("/dev/full"));
    CHECK(strstr(barrow_last_error(), "No space left on device"));
  }
  REFUSED(BARROW_E_ARG, tries(""));
}

static void the_environment_is_read_only_when_asked(void) {
  barrow_coverage_options options = named(in_folder("named.tix"));
  barrow_coverage *coverage = NULL;
  char here[FILE_NAME];
  setenv("HPCTIXFILE", in_folder("variable.tix"), 1);
  CHECK_OK(barrow_coverage_new(&options, &coverage));
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("variable.tix", "(none)") && is("named.tix", "Tix []\n"));
  options.environment = 1;
  CHECK_OK(barrow_coverage_new(&options, &coverage));
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("variable.tix", "Tix []\n"));
  setenv("HPCTIXFILE", "", 1);
  options.file = in_folder("named2.tix");
  CHECK_OK(barrow_coverage_new(&options, &coverage));
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("named2.tix", "Tix []\n"));
  /* Without any name: that of the program, in the directory of this moment. */
  CHECK(getcwd(here, sizeof here) != NULL && chdir(folder) == 0);
  CHECK_OK(barrow_coverage_new(NULL, &coverage));
  CHECK(strncmp(barrow_coverage_file(coverage), folder, strlen(folder)) == 0);
  CHECK(strstr(barrow_coverage_file(coverage), "coverage"));
  CHECK_EQ(chdir(here), 0);
  CHECK_OK(barrow_coverage_write(coverage));
  CHECK_EQ(unlink(barrow_coverage_file(coverage)), 0);
  CHECK_OK(barrow_coverage_free(coverage));
}

static void *ticks(void *coverage) {
  int i;
  for (i = 0; i < 10000; i++) {
    BARROW_TICK_SHARED(a_counters, 0);
    if (barrow_tick_decision_shared(b_counters, 0, i % 4 == 0) != (i % 4 == 0)) return coverage; /* it gives the outcome */
  }
  for (i = 0; i < 10; i++) barrow_coverage_write((barrow_coverage *)coverage);
  return NULL;
}

static void threads_share_a_coverage(void) {
  barrow_coverage *coverage;
  pthread_t threads[4];
  void *wrong;
  int i;
  forget_counts();
  coverage = begin("threads.tix");
  for (i = 0; i < 4; i++) CHECK_EQ(pthread_create(&threads[i], NULL, ticks, coverage), 0);
  for (i = 0; i < 4; i++) {
    CHECK_EQ(pthread_join(threads[i], &wrong), 0);
    CHECK(wrong == NULL);
  }
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("threads.tix", "Tix [ TixModule \"A\" 11 3 [40000,0,0], TixModule \"lib/B\" 22 2 [10000,30000]]\n"));
}

static void registering_is_all_or_nothing(void) {
  static uint64_t c_counters[1];
  barrow_coverage_module some[3] = {BARROW_COVERAGE_MODULE("C", 33, c_counters), modules[0], modules[1]};
  barrow_coverage *coverage;
  forget_counts();
  coverage = begin("all.tix");
  CHECK_OK(barrow_coverage_unregister(coverage, modules + 1, 1));
  REFUSED(BARROW_E_STATE, barrow_coverage_register(coverage, some, 3)); /* A is there */
  some[1] = modules[1];
  some[2].name = NULL;
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[2].name = "\xff";
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[2].name = "";
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[2].name = "D";
  some[2].counters = NULL;
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[2].counters = (uint64_t *)((char *)b_counters + 1);
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[2].size = 8;
  REFUSED(BARROW_E_ARG, barrow_coverage_register(coverage, some, 3));
  some[0].size = 8;
  REFUSED(BARROW_E_ABI, barrow_coverage_register(coverage, some, 3));
  CHECK_OK(barrow_coverage_register(coverage, NULL, 0));
  CHECK_OK(barrow_coverage_register(coverage, modules + 1, 1));
  some[0] = modules[1];
  some[0].hash = 23;
  CHECK_OK(barrow_coverage_unregister(coverage, modules + 1, 1));
  REFUSED(BARROW_E_STATE, barrow_coverage_register(coverage, some, 1)); /* another version while counts are kept */
  CHECK_OK(barrow_coverage_free(coverage));
  CHECK(is("all.tix", "Tix [ TixModule \"A\" 11 3 [0,0,0], TixModule \"lib/B\" 22 2 [0,0]]\n"));
}

/* ---- .mix ------------------------------------------------------------------------------------------------------ */

static barrow_mix_options mix_named(const char *file) {
  barrow_mix_options options;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.file = file;
  options.source = "src/a.toy";
  return options;
}

static barrow_box box(unsigned kind, const char *const *names, size_t count) {
  barrow_box b;
  memset(&b, 0, sizeof b);
  b.size = (uint32_t)sizeof b;
  b.kind = kind;
  b.first_line = 1, b.first_column = 2, b.last_line = 3, b.last_column = 1;
  b.names = names, b.name_count = count;
  return b;
}

static void a_mix_file_has_every_kind_of_box(void) {
  static const char *const names[] = {"f", "\"g\"<h>\xc3\xa9" "1"};
  static const unsigned kinds[] = {BARROW_BOX_TOP_LEVEL, BARROW_BOX_LOCAL,     BARROW_BOX_EXPRESSION, BARROW_BOX_GUARD,
                                   BARROW_BOX_CONDITION, BARROW_BOX_QUALIFIER, BARROW_BOX_ALTERNATIVE};
  static const size_t counts[] = {1, 2, 0, 0, 0, 0, 0}, numbers[] = {0, 1, 2, 3, 5, 7, 9};
  barrow_mix_options options = mix_named(in_folder("A.mix"));
  barrow_mix *mix = NULL;
  uint32_t hash = 0, again = 0;
  size_t i, number, boxes = 0;
  int round;
  options.seconds = 1000000000;
  options.nanoseconds = 250000000;
  options.tab_width = 4;
  for (round = 0; round < 3; round++) {
    if (round == 2) options.hash = 77;
    CHECK_OK(barrow_mix_begin(&options, &mix));
    for (i = 0; i < 7; i++) {
      barrow_box b = box(kinds[i], counts[i] ? names : NULL, counts[i]);
      CHECK_OK(barrow_mix_add(mix, &b, i == 3 ? NULL : &number));
      if (i != 3) CHECK_EQ(number, numbers[i]);
    }
    CHECK_OK(barrow_mix_end(mix, round ? &again : &hash, &boxes));
    CHECK_EQ(boxes, 10);
    if (round == 1) CHECK(hash == again && hash != 0);
  }
  CHECK_EQ(again, 77);
  CHECK(is("A.mix",
           "Mix \"src/a.toy\" 2001-09-09 01:46:40.25 UTC 77 4 [(1:2-3:1,TopLevelBox [\"f\"]),"
           "(1:2-3:1,LocalBox [\"f\",\"\\\"g\\\"<h>\\233\\&1\"]),(1:2-3:1,ExpBox False),"
           "(1:2-3:1,BinBox GuardBinBox True),(1:2-3:1,BinBox GuardBinBox False),"
           "(1:2-3:1,BinBox CondBinBox True),(1:2-3:1,BinBox CondBinBox False),"
           "(1:2-3:1,BinBox QualBinBox True),(1:2-3:1,BinBox QualBinBox False),(1:2-3:1,ExpBox True)]"));
  options.file = in_folder("B.mix");
  CHECK_OK(barrow_mix_begin(&options, &mix));
  CHECK_OK(barrow_mix_cancel(mix));
  CHECK(is("B.mix", "(none)"));
  options.file = in_folder("none/B.mix");
  CHECK_OK(barrow_mix_begin(&options, &mix));
  REFUSED(BARROW_E_IO, barrow_mix_end(mix, &hash, &boxes));
  REFUSED(BARROW_E_STATE, barrow_mix_cancel(mix)); /* gone all the same */
}

static void a_box_that_is_none_is_refused(void) {
  static const char *const names[] = {"f", "g"}, *const bad[] = {"\xff"}, *const empty[] = {""}, *const null[] = {NULL};
  static const unsigned places[][4] = {{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 0}, {2, 1, 1, 9}, {1, 3, 1, 2}};
  barrow_mix_options options = mix_named(in_folder("bad.mix"));
  barrow_mix *mix = NULL;
  barrow_box b;
  size_t i, number = 5, boxes = 9;
  CHECK_OK(barrow_mix_begin(&options, &mix));
#define NO_BOX(kind, list, count) (b = box(kind, list, count), REFUSED(BARROW_E_ARG, barrow_mix_add(mix, &b, &number)))
  NO_BOX(7, NULL, 0);
  NO_BOX(0xffffffffu, NULL, 0);
  NO_BOX(BARROW_BOX_EXPRESSION, names, 1);
  NO_BOX(BARROW_BOX_GUARD, names, 2);
  NO_BOX(BARROW_BOX_TOP_LEVEL, NULL, 0);
  NO_BOX(BARROW_BOX_TOP_LEVEL, names, 2);
  NO_BOX(BARROW_BOX_LOCAL, NULL, 0);
  NO_BOX(BARROW_BOX_LOCAL, NULL, 1);
  NO_BOX(BARROW_BOX_LOCAL, bad, 1);
  NO_BOX(BARROW_BOX_LOCAL, empty, 1);
  NO_BOX(BARROW_BOX_LOCAL, null, 1);
  for (i = 0; i < 5; i++) {
    b = box(BARROW_BOX_EXPRESSION, NULL, 0);
    b.first_line = places[i][0], b.first_column = places[i][1];
    b.last_line = places[i][2], b.last_column = places[i][3];
    REFUSED(BARROW_E_ARG, barrow_mix_add(mix, &b, &number));
  }
  b.size = 0;
  REFUSED(BARROW_E_ABI, barrow_mix_add(mix, &b, &number));
  REFUSED(BARROW_E_ARG, barrow_mix_add(mix, NULL, &number));
  CHECK_EQ(number, 5);
  CHECK_OK(barrow_mix_end(mix, NULL, &boxes));
  CHECK_EQ(boxes, 0);
}

static void bad_arguments_are_refused(void) {
  barrow_coverage_options options = named(in_folder("x.tix"));
  barrow_mix_options mix_options = mix_named(in_folder("x.mix"));
  barrow_coverage *coverage = NULL, *dead;
  barrow_mix *mix = NULL, *dead_mix;
  barrow_box b = box(BARROW_BOX_EXPRESSION, NULL, 0);
  uint32_t hash = 3;
  size_t number = 3, i;
  REFUSED(BARROW_E_ARG, barrow_coverage_new(&options, NULL));
  options.size = 4;
  REFUSED(BARROW_E_ABI, barrow_coverage_new(&options, &coverage));
  CHECK(coverage == NULL);
  REFUSED(BARROW_E_ARG, barrow_mix_begin(NULL, &mix));
  REFUSED(BARROW_E_ARG, barrow_mix_begin(&mix_options, NULL));
  mix_options.size = 4;
  REFUSED(BARROW_E_ABI, barrow_mix_begin(&mix_options, &mix));
#define NO_MIX(change)                                           \
  (mix_options = mix_named(in_folder("x.mix")), (change),        \
   REFUSED(BARROW_E_ARG, barrow_mix_begin(&mix_options, &mix)))
  NO_MIX(mix_options.file = NULL);
  NO_MIX(mix_options.file = "");
  NO_MIX(mix_options.source = NULL);
  NO_MIX(mix_options.source = "");
  NO_MIX(mix_options.source = "\xff");
  NO_MIX(mix_options.tab_width = 65);
  NO_MIX(mix_options.nanoseconds = 1000000000);
  NO_MIX(mix_options.seconds = INT64_MAX);
  NO_MIX(mix_options.seconds = INT64_MIN);
  CHECK(mix == NULL);
  mix_options = mix_named(in_folder("x.mix"));
  CHECK_OK(barrow_mix_begin(&mix_options, &dead_mix));
  CHECK_OK(barrow_mix_cancel(dead_mix));
  dead = begin("dead.tix");
  REFUSED(BARROW_E_ARG, barrow_coverage_register(dead, NULL, 1));
  REFUSED(BARROW_E_ARG, barrow_coverage_unregister(dead, NULL, 1));
  CHECK_OK(barrow_coverage_free(dead));
  for (i = 0; i < 3; i++) {
    barrow_status code = i == 2 ? BARROW_E_STATE : BARROW_E_ARG;
    barrow_coverage *c = i == 0 ? NULL : i == 1 ? (barrow_coverage *)(void *)&number : dead;
    barrow_mix *m = i == 0 ? NULL : i == 1 ? (barrow_mix *)(void *)&number : dead_mix;
    REFUSED(code, barrow_coverage_register(c, modules, 2));
    REFUSED(code, barrow_coverage_unregister(c, modules, 2));
    REFUSED(code, barrow_coverage_check(c));
    REFUSED(code, barrow_coverage_write(c));
    REFUSED(code, barrow_coverage_forget(c));
    ANSWERS((size_t)0, (size_t)barrow_coverage_file(c));
    REFUSED(code, barrow_coverage_free(c));
    REFUSED(code, barrow_mix_add(m, &b, &number));
    REFUSED(code, barrow_mix_end(m, &hash, &number));
    REFUSED(code, barrow_mix_cancel(m));
  }
  CHECK(hash == 3 && number == 3);
}

int main(void) {
  char command[FILE_NAME];
  unsetenv("HPCTIXFILE");
  CHECK(mkdtemp(folder) != NULL);
  RUN(runs_add_up);
  RUN(another_version_is_told_and_not_added);
  RUN(code_comes_and_goes);
  RUN(what_a_child_forgets_its_parent_writes);
  RUN(a_malformed_file_is_told_and_left);
  RUN(places_that_cannot_be_written_are_told);
  RUN(the_environment_is_read_only_when_asked);
  RUN(threads_share_a_coverage);
  RUN(registering_is_all_or_nothing);
  RUN(a_mix_file_has_every_kind_of_box);
  RUN(a_box_that_is_none_is_refused);
  RUN(bad_arguments_are_refused);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  CHECK_EQ(system(command), 0);
  return DONE;
}
