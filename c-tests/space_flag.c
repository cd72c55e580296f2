/* Space by function by a flag: the runtime begins the profile and writes its report. */
#define _DEFAULT_SOURCE
#define STEM "space-flag-test"
#include "files.h"
#include "toy.h"
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

static int parse, print;
static barrow_ticky_function calls_of_parse = BARROW_COUNTED_FUNCTION("parse", "Main", &parse);

static void works(toy t) {
  barrow_window *w = barrow_window_of(t.m);
  struct { barrow_frame frame; node *list; } r;
  size_t i;
  BARROW_ENTER(t.m, r);
  w->function = &parse;
  for (i = 0; i < 1000; i++) r.list = toy_node(t.m, r.list, NULL, i);
  w->function = &print;
  for (i = 0; i < 500; i++) (void)toy_node(t.m, NULL, NULL, i);
  w->function = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
}

/* Bytes that the report says were allocated, of the first function. */
static long first_of(const char *report) {
  const char *at = strstr(report, "32000");
  return at ? atol(at) : -1;
}

static void a_report(const char *flags) {
  toy t = toy_new(flags);
  works(t);
  CHECK_EQ(file(".space")[0], 0); /* when the heap is freed, and not before */
  toy_free(t);
  CHECK_EQ(first_of(file(".space")), 32000);
  CHECK(strstr(text, "16000") != NULL);
  removed(".space");
}

static void reports(void) {
  a_report("-pospace-flag-test --space");
  a_report("--space=space-flag-test.space -DS");
  a_report("--space=space-flag-test.space --stress=9 -G1");
  a_report("--space=space-flag-test.space --source=chunks -hT -pospace-flag-test -i0");
  removed(".hp");
}

static void as_json(void) {
  toy t = toy_new("--space=space-flag-test.json");
  works(t);
  toy_free(t);
  CHECK(file(".json")[0] == '{' && strstr(text, "32000"));
  removed(".json");
}

/* A word is named by the counted function that it stands for, without name_of, and any other by no function of code: one that lies
 * behind all code of its module has the module's name and its offset, and one in no module is shown as it is. */
static void names_of_words(void) {
  static const char *const flags[] = {"--space=space-flag-test.space", "--space=space-flag-test.space --mutators=2"};
  static const char of_parse[] = "       32000       32000  parse\n", of_print[] = "       16000           0  ";
  static const char of_given[] = "          32           0  0x";
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = toy_new(flags[i]);
    char *given = (char *)malloc(1);
    barrow_count_call(t.m, &calls_of_parse);
    works(t);
    barrow_window_of(t.m)->function = given;
    (void)toy_node(t.m, NULL, NULL, 1);
    toy_free(t);
    CHECK(strstr(file(".space"), of_parse) != NULL);
    CHECK(strstr(text, of_print) != NULL && strstr(text, "+0x") != NULL && strstr(text, "_fini") == NULL);
    CHECK(strstr(text, of_given) != NULL);
    removed(".space");
    free(given);
  }
}

/* A client's own profiles are inside it; one that the client has left open ends with the heap. */
static void around_the_clients(void) {
  toy t = toy_new("--space=space-flag-test.space");
  barrow_space_options options;
  barrow_space_totals_t totals;
  uint32_t one, two;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  CHECK_OK(barrow_space_begin(t.m, &options, &one));
  works(t);
  CHECK_OK(barrow_space_end(t.m, one));
  memset(&totals, 0, sizeof totals);
  totals.size = sizeof totals;
  CHECK_OK(barrow_space_totals(t.heap, &totals));
  CHECK_EQ(totals.allocated_bytes, 48000);
  CHECK_OK(barrow_space_begin(t.m, &options, &one));
  CHECK_OK(barrow_space_begin(t.m, &options, &two));
  toy_free(t);
  CHECK_EQ(first_of(file(".space")), 32000);
  removed(".space");
}

/* The first mutator begins it, and the last one's end is its end. */
static void with_the_mutators(void) {
  barrow_config config;
  toy t;
  barrow_config_init(&config);
  config.flags = "--space=space-flag-test.space";
  CHECK_OK(barrow_heap_new(&config, &t.heap, NULL));
  CHECK_OK(barrow_attach(t.heap, &t.m));
  works(t);
  CHECK_OK(barrow_detach(t.m));
  CHECK_EQ(first_of(file(".space")), 32000);
  removed(".space");
  CHECK_OK(barrow_attach(t.heap, &t.m));
  works(t);
  toy_free(t);
  CHECK_EQ(file(".space")[0], 0);
}

/* A report that cannot be written when the last mutator goes is told, and nothing keeps the mutator. */
static void goes_without_a_report(toy t) {
  barrow_mutator *again = NULL;
  works(t);
  REFUSED(BARROW_E_IO, barrow_detach(t.m));
  CHECK(strstr(barrow_last_error(), "the mutator is detached") && strstr(barrow_last_error(), "--space"));
  REFUSED(BARROW_E_STATE, barrow_detach(t.m));
  CHECK(barrow_heap_of(t.m) == NULL);
  CHECK_OK(barrow_attach(t.heap, &again));
  CHECK_OK(barrow_detach(again));
}

static void *has_the_default_mutator(void *nothing) {
  barrow_mutator *m = barrow_default_mutator();
  CHECK(m != NULL);
  if (m) CHECK_OK(barrow_detach(m));
  return nothing;
}

static void nowhere_to_report(void) {
  pthread_t thread;
  static const char *const flags[] = {"--space=/dev/full", "--space=/dev/full --mutators=2"};
  size_t i;
  toy t;
  if (access("/dev/full", W_OK) != 0) return;
  for (i = 0; i < 2; i++) {
    t = toy_new(flags[i]);
    goes_without_a_report(t);
    CHECK_OK(barrow_heap_free(t.heap));
  }
  CHECK_OK(barrow_default_flags(flags[0]));
  t.heap = barrow_default_heap();
  t.m = barrow_default_mutator();
  works(t);
  REFUSED(BARROW_E_IO, barrow_detach(t.m));
  CHECK_EQ(pthread_create(&thread, NULL, has_the_default_mutator, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* A report that fails is told beside a heap profile that fails as well: no file may grow. */
static void two_that_fail(void) {
  static char said[2000];
  struct rlimit before, none;
  ssize_t length;
  int errors, to[2];
  toy t = toy_new("--space=space-flag-test.space -hT -in -A64k -po" STEM);
  works(t);
  CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  none = before;
  none.rlim_cur = 0;
  signal(SIGXFSZ, SIG_IGN);
  CHECK_EQ(pipe(to), 0);
  errors = dup(2);
  CHECK_EQ(dup2(to[1], 2), 2);
  CHECK_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  REFUSED(BARROW_E_IO, barrow_heap_free(t.heap));
  CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  CHECK_EQ(dup2(errors, 2), 2);
  close(errors), close(to[1]);
  length = read(to[0], said, sizeof said - 1);
  said[length > 0 ? length : 0] = 0;
  close(to[0]);
  CHECK(strstr(barrow_last_error(), "1 more") != NULL);
  CHECK(strstr(said, STEM ".hp ends here") != NULL && strstr(said, STEM ".space cannot") != NULL);
  removed(".hp"), removed(".space");
}

/* What is refused leaves the mutator. */
static void refusals_leave_the_mutator(void) {
  static const char *const flags[] = {"--space=space-flag-test.space", "--space=space-flag-test.space --mutators=2"};
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = toy_new(flags[i]);
    toy_detach_is_refused(t.m);
    CHECK(barrow_heap_of(t.m) == t.heap);
    works(t);
    CHECK_OK(barrow_detach(t.m));
    CHECK_EQ(first_of(file(".space")), 32000);
    removed(".space");
    CHECK_OK(barrow_heap_free(t.heap));
  }
}

static void earlier(const char *ending) {
  char name[100];
  FILE *out;
  sprintf(name, STEM "%.50s", ending);
  out = fopen(name, "w");
  CHECK(out && fputs("earlier", out) >= 0);
  if (out) fclose(out);
}

static void refused(void) {
  static const char *const endings[] = {".space", ".ha.hp", ".hr.hp", ".hb.hp", ".prof", ".biography", ".stops", ".lines"};
  DIR *here;
  struct dirent *entry;
  size_t i;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_config_init(&config);
  config.flags = "--space=/nowhere/at/all";
  REFUSED(BARROW_E_IO, barrow_heap_new(&config, &heap, &m));
  /* No mutator was made: no report. */
  config.flags = "--space=space-flag-test.space";
  CHECK_OK(barrow_heap_new(&config, &heap, NULL));
  CHECK_OK(barrow_heap_free(heap));
  CHECK_EQ(file(".space")[0], 0);
  /* Two profiles with numbers in the same table. Files of earlier runs stay, and there are no new ones. */
  for (i = 0; i < sizeof endings / sizeof *endings; i++) earlier(endings[i]);
  config.flags = "--space=space-flag-test.space -ha -hr -hb -pospace-flag-test --stops -Sspace-flag-test.lines";
  REFUSED(BARROW_E_STATE, barrow_heap_new(&config, &heap, &m));
  CHECK(strstr(barrow_last_error(), "(--space) has its numbers") && strstr(barrow_last_error(), "leave one out"));
  for (i = 0; i < sizeof endings / sizeof *endings; i++) CHECK(strcmp(last_of(endings[i]), "earlier") == 0);
  here = opendir(".");
  while (here && (entry = readdir(here)) != NULL) CHECK(strncmp(entry->d_name, STEM ".", strlen(STEM) + 1) != 0);
  if (here) closedir(here);
}

/* Without cost centres, retainers are named by kind, which needs no numbers of makers. */
static void beside_retainers(void) {
  toy t = toy_new("--space=space-flag-test.space -hr -i0 -A64k -po" STEM);
  works(t);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK_EQ(first_of(last_of(".space")), 32000);
  CHECK(times(last_of(".hp"), "BEGIN_SAMPLE") > 1);
  removed(".prof");
}

int main(void) {
  RUN(reports);
  RUN(as_json);
  RUN(names_of_words);
  RUN(around_the_clients);
  RUN(with_the_mutators);
  RUN(nowhere_to_report);
  RUN(two_that_fail);
  RUN(refusals_leave_the_mutator);
  RUN(refused);
  RUN(beside_retainers);
  return DONE;
}
