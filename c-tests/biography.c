/* Use-recording and biographies: the functions behind LDV_recordUse and its like, and their misuse. */
#define _DEFAULT_SOURCE
#define STEM "biography-test"
#include "files.h"
#include "toy.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* While no biography is taken, everything is allowed and nothing happens. */
static void off(void) {
  toy t = toy_new("");
  node *n = toy_node(t.m, NULL, NULL, 1);
  static node outside;
  CHECK_EQ(barrow_window_of(t.m)->era, 0);
  barrow_use(t.m, n);
  barrow_use(t.m, &outside);
  barrow_use(t.m, NULL);
  barrow_used(t.m, n);
  barrow_used(t.m, &outside);
  CHECK(barrow_biography_slow(t.m, n) == NULL);
  CHECK(barrow_biography_slow(t.m, &outside) == NULL);
  CHECK_OK(barrow_record_dead(t.m, n, 4));
  CHECK_OK(barrow_record_dead(t.m, &outside, 4));
  CHECK_EQ(n->value, 1);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  node *n = toy_node(t.m, NULL, NULL, 1);
  REFUSED(BARROW_E_ARG, barrow_record_dead(NULL, n, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, NULL, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, (char *)n + 1, 4));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, n, 5));
  REFUSED(BARROW_E_ARG, barrow_record_dead_fill_slop(NULL, n));
  REFUSED(BARROW_E_ARG, barrow_record_dead_fill_slop(t.m, NULL));
  ANSWERS(0, (size_t)barrow_biography_slow(NULL, n));
  barrow_used(NULL, n);
  barrow_used(t.m, (char *)n + 4);
  toy_free(t);
}

static toy with(const char *flags);

/* A use of what is no object is found by a check of the heap. */
static void use_of_no_object(void) {
  toy t = with("-hb -DS");
  struct { barrow_frame frame; node *n; } r;
  BARROW_ENTER(t.m, r);
  r.n = toy_list(t.m, 1000);
  CHECK_OK(barrow_census(t.m));
  barrow_use(t.m, r.n);
  CHECK_OK(barrow_check(t.m));
  /* There may be no address space for marks. */
  if (barrow_window_of(t.m)->marks != NULL) {
    barrow_use(t.m, (char *)r.n + 16);
    REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
    CHECK(strstr(barrow_last_error(), "a use of") != NULL);
  }
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
}

/* The five lines of a sample of -hb. */
static void phases(int line, const char *hp, int index, long v, long l, long u, long i, long d) {
  const char *names[5] = {"VOID", "LAG", "USE", "INHERENT_USE", "DRAG"};
  long wanted[5];
  int n;
  wanted[0] = v, wanted[1] = l, wanted[2] = u, wanted[3] = i, wanted[4] = d;
  for (n = 0; n < 5; n++) check_equal(__FILE__, line, names[n], line_of(hp, index, names[n]), wanted[n]);
}
#define PHASES(hp, index, v, l, u, i, d) phases(__LINE__, hp, index, v, l, u, i, d)

static toy with(const char *flags) {
  char line[300];
  sprintf(line, "-pobiography-test -i0 %.200s", flags);
  return toy_new(line);
}

enum { NODE = sizeof(node) };

static void use_list(barrow_mutator *m, const node *list) {
  for (; list; list = list->left) barrow_use(m, list);
}

/* 100 nodes that nobody uses, 10 that are used once and held, bytes whose uses nobody sees. */
static void leaks(toy t, int censuses) {
  struct { barrow_frame frame; node *unused, *used; void *bytes; } r;
  static node outside;
  int i;
  BARROW_ENTER(t.m, r);
  r.unused = toy_list(t.m, 100);
  r.used = toy_list(t.m, 10);
  r.bytes = toy_bytes(t.m, 800);
  CHECK(barrow_window_of(t.m)->era == 1);
  for (i = 1; i <= censuses; i++) {
    if (i == 2) {
      use_list(t.m, r.used);
      use_list(t.m, r.used);
      barrow_use(t.m, &outside);
      barrow_use(t.m, NULL);
      barrow_use(t.m, r.bytes);
    }
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(barrow_window_of(t.m)->era, i + 1);
  }
  BARROW_LEAVE(t.m, r);
}

static void each_phase_with(const char *flags) {
  long bytes = 8 * (long)barrow_bytes_words(800);
  toy t = with(flags);
  const char *hp;
  leaks(t, 4);
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK_EQ(strlen(last_of(".biography")), 0);
  hp = last_of(".hp");
  PHASES(hp, 1, 100 * NODE, 10 * NODE, 0, bytes, 0);
  PHASES(hp, 2, 100 * NODE, 0, 10 * NODE, bytes, 0);
  PHASES(hp, 3, 100 * NODE, 0, 0, bytes, 10 * NODE);
  PHASES(hp, 4, 100 * NODE, 0, 0, bytes, 10 * NODE);
  CHECK_EQ(line_of(hp, 5, "VOID"), -2);
  CHECK_EQ(line_of(hp, 6, "VOID"), -1);
  CHECK_EQ(line_of(hp, 1, "UNKNOWN_USE"), -2);
  CHECK(strstr(hp, "BEGIN_SAMPLE 0.000000\nEND_SAMPLE 0.000000\nBEGIN_SAMPLE ") != NULL);
  CHECK(strstr(hp, "\nVOID\t3200\nLAG\t320\nUSE\t0\nINHERENT_USE\t816\nDRAG\t0\nEND_SAMPLE") != NULL);
}
/* Selectors that a first census counts. Later a constructor has another thunk for them: with several mutators they stay then, as
 * indirections, which are new objects. Gives the bytes of the first census's sample, and in `next` those of the second one's. */
INFO(delayed_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);
INFO(taker_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);
static long bytes_of_sample(const char *hp, int index) {
  static const char *const names[5] = {"VOID", "LAG", "USE", "INHERENT_USE", "DRAG"};
  long sum = 0;
  int n;
  for (n = 0; n < 5; n++) sum += band(hp, index, names[n]);
  return sum;
}

static barrow_word *delayed(barrow_mutator *m) {
  barrow_word *made = (barrow_word *)barrow_alloc(m, barrow_thunk_words(1));
  memset(made, 0, 8 * barrow_thunk_words(1));
  made[0] = (barrow_word)&delayed_info;
  return made;
}

static long selectors_before_thunks(const char *flags, long *next) {
  enum { SELECTORS = 1000 };
  struct { barrow_frame frame; barrow_word *from, *value; node *all; } r;
  toy t = with(flags);
  const char *hp;
  int i;
  BARROW_ENTER(t.m, r);
  r.from = delayed(t.m);
  r.value = delayed(t.m);
  for (i = 0; i < SELECTORS; i++) {
    r.all = toy_node(t.m, r.all, NULL, 1);
    r.all->right = (node *)toy_selector(t.m, &taker_info, r.from);
  }
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_update(t.m, r.from, toy_node(t.m, (node *)(void *)r.value, NULL, 2)));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(".hp");
  *next = bytes_of_sample(hp, 2);
  return bytes_of_sample(hp, 1);
}

static void selectors_that_stay_are_new(void) {
  static const char *const flags[4] = {"-hb", "-hb --marks=off", "-hb -c", "-hb -hr"};
  char line[60];
  long next, next_shared, bytes;
  int f;
  for (f = 0; f < 4; f++) {
    sprintf(line, "%s --mutators=2", flags[f]);
    bytes = selectors_before_thunks(flags[f], &next);
    CHECK_EQ(bytes, 1000 * (NODE + 24) + 2 * 24);
    CHECK_EQ(selectors_before_thunks(line, &next_shared), bytes);
    CHECK_EQ(next_shared, 1000 * (NODE + 16) + NODE + 24);
    if (f < 3) CHECK_EQ(next, next_shared - 1000 * 16);
  }
}

static void each_phase(void) {
  static const char *const flags[6] = {"-hb", "-hL -G1", "-hb --source=chunks -DS", "-hb -G4 -T1", "-hb --marks=off", "-hb --workers=2!"};
  int f;
  for (f = 0; f < 6; f++) each_phase_with(flags[f]);
}

/* Marks want terabytes of address space. A process that may not have them has its biography without, and no worse. */
static void without_marks(void) {
  static const char *const flags[3] = {"-hb -DS", "-hL -G1", "-hb --source=chunks"};
  struct rlimit before, limit;
  unsigned long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  toy t;
  int f;
  CHECK(statm && fscanf(statm, "%lu", &pages) == 1 && fclose(statm) == 0);
  getrlimit(RLIMIT_AS, &before);
  limit = before;
  limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)1 << 41);
  if (setrlimit(RLIMIT_AS, &limit) != 0) return;
  t = with("-hb");
  CHECK(barrow_window_of(t.m)->era == 1 && barrow_window_of(t.m)->marks == NULL);
  toy_free(t);
  for (f = 0; f < 3; f++) each_phase_with(flags[f]);
  setrlimit(RLIMIT_AS, &before);
}

/* Several files at once: -hb itself, and others restricted to waste. */
static void restricted(void) {
  toy t = with("-hy -hb -hm -hbdrag,void");
  const char *hp;
  leaks(t, 3);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(".hy.hp");
  CHECK(strstr(hp, "-hbdrag,void\"\nDATE") != NULL);
  CHECK_EQ(line_of(hp, 1, "node_info"), 100 * NODE);
  CHECK_EQ(line_of(hp, 2, "node_info"), 100 * NODE);
  CHECK_EQ(line_of(hp, 3, "node_info"), 110 * NODE);
  CHECK_EQ(line_of(hp, 3, "bytes_info"), -2);
  CHECK_EQ(line_of(last_of(".hm.hp"), 3, "c-tests"), 110 * NODE);
  hp = last_of(".hb.hp");
  CHECK_EQ(line_of(hp, 3, "DRAG"), 10 * NODE);
  CHECK_EQ(line_of(hp, 3, "VOID"), 100 * NODE);
  CHECK_EQ(line_of(hp, 3, "LAG"), -2);
  t = with("-hb -hy -hdcell_info");
  leaks(t, 2);
  CHECK_OK(barrow_heap_free(t.heap));
  PHASES(last_of(".hb.hp"), 1, 0, 0, 0, 0, 0);
  CHECK_EQ(line_of(last_of(".hy.hp"), 1, "node_info"), -2);
}

/* What was used and died leaves nothing to those that come to its memory. */
static void memory_of_the_used_with(const char *flags) {
  toy t = with(flags);
  struct { barrow_frame frame; node *kept; } r;
  int round, i;
  BARROW_ENTER(t.m, r);
  for (round = 0; round < 50; round++) {
    for (i = 0; i < 200; i++) {
      node *n = (node *)barrow_allocate(t.m, sizeof(node) / 8);
      n->header = (barrow_word)&node_info, n->left = n->right = NULL, n->value = 0;
      barrow_use(t.m, n);
    }
    for (i = 0; i < 50; i++) r.kept = toy_node(t.m, r.kept, NULL, 1);
    CHECK_OK(barrow_collect(t.m, false));
  }
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  for (i = 1; i <= 2; i++) PHASES(last_of(".hp"), i, 2500 * NODE, 0, 0, 0, 0);
}
static void memory_of_the_used(void) {
  memory_of_the_used_with("-hb");
  memory_of_the_used_with("-hb --workers=2!");
}

INFO(odd_info, BARROW_CONSTR, 0, 0, 0, 2, 0, NULL, NULL);
enum { ODD = 24, MANY = 2400, OF = 8 };

/* A gap of 21 words from an even one on ends amidst 16 bytes. Whether the object behind it was used is not forgotten when a collection
 * fills the gap. */
static void used_behind_a_gap_with(const char *flags) {
  toy t = with(flags);
  struct { barrow_frame frame; void *all; node *lists; } r;
  uint64_t before;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.all = toy_array(t.m, MANY);
  for (i = 0; i < MANY; i++) {
    barrow_word *odd = barrow_alloc(t.m, 3);
    odd[0] = (barrow_word)&odd_info, odd[1] = odd[2] = i;
    toy_put(t.m, &r.all, i, odd);
  }
  CHECK_OK(barrow_census(t.m));
  for (i = 0; i < MANY; i++)
    if (i % OF != 1) toy_put(t.m, &r.all, i, NULL);
  /* Lists that live let the old generation grow, and a major collection comes that leaves objects where they are. */
  for (before = toy_stats(t).major_collections; before == toy_stats(t).major_collections;) {
    node *list = toy_list(t.m, 1000);
    r.lists = toy_node(t.m, r.lists, list, 0);
    CHECK_OK(barrow_collect(t.m, false));
  }
  for (i = 1; i < MANY; i += OF) barrow_use(t.m, barrow_array_elements(r.all)[i]);
  r.lists = toy_list(t.m, 1000);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  PHASES(last_of(".hp"), 1, (MANY - MANY / OF) * ODD, MANY / OF * ODD, 0, 0, 0);
}
static void used_behind_a_gap(void) {
  used_behind_a_gap_with("-hb -hyodd_info -T1 -A256k -O64k");
  used_behind_a_gap_with("-hb -hyodd_info -T1 -A256k -O64k --workers=2!");
}

INFO(waiting_info, BARROW_THUNK, 0, 0, 1, 0, 0, NULL, NULL);
INFO(of_it_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);

/* An object that was used, and that a collection replaces by what it stands for, was used before it went. */
static void used_and_replaced(void) {
  static const char *const flags[3] = {"", "-DS --source=chunks", "-c -G1"};
  int f;
  for (f = 0; f < 3; f++) {
    char line[100];
    toy t;
    struct { barrow_frame frame; barrow_word *thunk, *selector; node *pair; } r;
    sprintf(line, "-hb -hyof_it_info %s", flags[f]);
    t = with(line);
    BARROW_ENTER(t.m, r);
    r.thunk = barrow_alloc(t.m, 3);
    r.thunk[0] = (barrow_word)&waiting_info, r.thunk[2] = 0;
    r.selector = barrow_alloc(t.m, 3);
    r.selector[0] = (barrow_word)&of_it_info, r.selector[2] = (barrow_word)r.thunk;
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(barrow_info_of(r.selector)->kind, BARROW_SELECTOR);
    barrow_use(t.m, r.selector);
    r.pair = toy_node(t.m, NULL, NULL, 30);
    r.pair = toy_node(t.m, r.pair, NULL, 31);
    CHECK_OK(barrow_update(t.m, r.thunk, r.pair));
    CHECK_OK(barrow_census(t.m));
    CHECK_EQ(((node *)r.selector)->value, 30);
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    PHASES(last_of(".hp"), 1, 0, 24, 0, 0, 0);
  }
}

/* What was there before the profile is of unknown use until it is used. */
static void in_mid_run(void) {
  toy t = with("");
  struct { barrow_frame frame; node *old, *young; } r;
  const char *hp;
  BARROW_ENTER(t.m, r);
  r.old = toy_list(t.m, 50);
  CHECK_OK(barrow_profile_start(t.m, "-hb -i0"));
  r.young = toy_list(t.m, 5);
  CHECK_OK(barrow_census(t.m));
  use_list(t.m, r.old);
  CHECK_OK(barrow_profile_mark(t.m));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_EQ(barrow_window_of(t.m)->era, 0);
  CHECK_EQ(barrow_window_of(t.m)->side[0], 0);
  barrow_use(t.m, r.old);
  BARROW_LEAVE(t.m, r);
  hp = last_of(".hp");
  PHASES(hp, 1, 5 * NODE, 0, 0, 0, 0);
  CHECK_EQ(line_of(hp, 1, "UNKNOWN_USE"), 50 * NODE);
  PHASES(hp, 2, 5 * NODE, 0, 50 * NODE, 0, 0);
  CHECK_EQ(line_of(hp, 2, "UNKNOWN_USE"), -2);
  PHASES(hp, 3, 5 * NODE, 0, 0, 0, 50 * NODE);
  samples_then_the_rest(hp, "MARK ");
  toy_free(t);
}

/* The old object dies where the new one begins. */
static void in_place(void) {
  toy t = with("-hd -hbvoid,lag");
  struct { barrow_frame frame; node *n, *cleared; void *array; } r;
  const char *hp;
  long whole = 8 * (long)barrow_array_words(20), half = 8 * (long)barrow_array_words(10);
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 1);
  r.cleared = toy_node(t.m, NULL, NULL, 2);
  r.array = toy_array(t.m, 20);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_become(t.m, r.n, &cell_info));
  CHECK_OK(barrow_shrink(t.m, r.array, 10));
  REFUSED(BARROW_E_ARG, barrow_record_dead(t.m, r.cleared, 3));
  CHECK_OK(barrow_record_dead(t.m, r.cleared, 4));
  barrow_record_create(t.m, r.cleared);
  barrow_record_create(t.m, NULL);
  CHECK_OK(barrow_census(t.m));
  barrow_use(t.m, r.n);
  CHECK_OK(barrow_record_dead_fill_slop(t.m, r.cleared));
  CHECK_EQ(r.cleared->value, 0);
  CHECK(r.cleared->right == NULL);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(".hp");
  CHECK_EQ(line_of(hp, 1, "node_info"), 2 * NODE);
  CHECK_EQ(line_of(hp, 1, "cell_info"), -2);
  CHECK_EQ(line_of(hp, 2, "node_info"), NODE);
  CHECK_EQ(line_of(hp, 2, "cell_info"), NODE);
  CHECK(whole != half && line_of(hp, 1, "array_info") == -2);
}

#define STATE(object) (*barrow_biography_slow(t.m, object) & (BARROW_BIOGRAPHY_STATE_MASK | BARROW_BIOGRAPHY_LAST_MASK))

/* Uses are noted first and booked later: more of them than the log has places, on both sides of a change in place, of a
 * minor collection, and of the death of what was used. */
static void noted(void) {
  toy t = with("-hb");
  struct { barrow_frame frame; node *dying, *changed, *kept, *young; } r;
  barrow_word used = BARROW_BIOGRAPHY_USED | 2;
  const char *hp;
  BARROW_ENTER(t.m, r);
  r.dying = toy_list(t.m, 2000);
  r.changed = toy_list(t.m, 1);
  r.kept = toy_list(t.m, 600);
  CHECK_OK(barrow_census(t.m));
  CHECK_EQ(STATE(r.dying), 0);
  use_list(t.m, r.dying);
  CHECK_EQ(STATE(r.dying), used);
  use_list(t.m, r.dying);
  CHECK_EQ(STATE(r.dying->left), used);
  r.dying = NULL;
  barrow_use(t.m, r.changed);
  CHECK_OK(barrow_become(t.m, r.changed, &cell_info));
  CHECK_EQ(STATE(r.changed), 0);
  use_list(t.m, r.kept);
  CHECK_OK(barrow_collect(t.m, false));
  use_list(t.m, r.kept);
  CHECK_EQ(STATE(r.kept), used);
  r.young = toy_list(t.m, 3);
  use_list(t.m, r.young);
  CHECK_EQ(STATE(r.young), used);
  CHECK_OK(barrow_census(t.m));
  use_list(t.m, r.kept);
  use_list(t.m, r.kept->left);
  CHECK_EQ(STATE(r.young), used);
  CHECK_EQ(STATE(r.kept), used + 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  hp = last_of(".hp");
  PHASES(hp, 1, 0, 2601 * NODE, 0, 0, 0);
  PHASES(hp, 2, NODE, 0, 603 * NODE, 0, 0);
}

/* The program dies without a word: the journal is there, and the file says so far as much as it can. */
static void killed(void) {
  const char *hp;
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    toy t = with("-hb");
    leaks(t, 3);
    kill(getpid(), SIGKILL);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  CHECK(strncmp(last_of(".biography"), "barrowB1", 8) == 0);
  hp = last_of(".hp");
  CHECK(strncmp(hp, "JOB ", 4) == 0 && strstr(hp, "END_SAMPLE 0.000000\n") != NULL);
  CHECK_EQ(line_of(hp, 1, "VOID"), -1);
}

/* The two leaks of the examples, each found by the command that they tell. */
#define main accumulator_main
#include "../examples-c/lazy-accumulator.c"
#undef main
#define main table_main
#include "../examples-c/table-read-once.c"
#undef main

static const char *leak(int (*program)(int, char **), const char *argument, const char *phases) {
  char words[6][40];
  char *line[7];
  int i;
  strcpy(words[0], "leak");
  strcpy(words[1], argument);
  strcpy(words[2], "+RTS");
  strcpy(words[3], "-pobiography-test");
  strcpy(words[4], phases);
  strcpy(words[5], "-ib8m -hd");
  for (i = 0; i < 6; i++) line[i] = words[i];
  line[6] = NULL;
  CHECK_EQ(program(6, line), 0);
  return last_of(".hp");
}

static void leaks_of_the_examples(void) {
  CHECK(line_of(leak(accumulator_main, "lazy", "-hbvoid"), 2, "sum") > 8000000);
  CHECK_EQ(line_of(leak(accumulator_main, "strict", "-hbvoid"), 2, "sum"), -2);
  CHECK_EQ(line_of(leak(table_main, "hold", "-hbdrag"), 3, "Row"), 6400000);
  CHECK_EQ(line_of(leak(table_main, "drop", "-hbdrag"), 3, "Row"), -2);
}

static long as_data(toy t, char by, size_t sample, const char *name) {
  barrow_census_band_t one;
  size_t bands = 0, i;
  double seconds = -1;
  char own[60];
  memset(&one, 0, sizeof one);
  one.size = sizeof one;
  CHECK_OK(barrow_biography_sample(t.heap, by, sample, &seconds, &bands));
  CHECK(seconds >= 0);
  for (i = 0; i < bands; i++) {
    CHECK_OK(barrow_biography_band(t.heap, by, sample, i, &one, own, sizeof own));
    CHECK_EQ(one.name_length, strlen(own));
    if (strcmp(own, name) == 0) return (long)one.bytes;
  }
  return -2;
}

/* The bands of the files as data: while the profile runs, as if everything died now, and when it has ended. */
static void data(void) {
  toy t = toy_new("-pobiography-test");
  barrow_census_band_t one;
  size_t count = 0, bands = 0;
  double seconds;
  char name[20];
  memset(&one, 0, sizeof one);
  REFUSED(BARROW_E_STATE, barrow_biography_samples(t.heap, 'b', &count));
  CHECK_OK(barrow_profile_start(t.m, "-hb -hy -hbdrag,void -i0"));
  CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
  CHECK_EQ(count, 0);
  leaks(t, 3);
  CHECK_OK(barrow_biography_samples(t.heap, 'y', &count));
  CHECK_EQ(count, 3);
  CHECK_EQ(as_data(t, 'b', 0, "VOID"), 100 * NODE);
  CHECK_EQ(as_data(t, 'y', 2, "node_info"), 110 * NODE);
  CHECK_EQ(as_data(t, 'y', 0, "node_info"), 100 * NODE);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
  CHECK_EQ(count, 4);
  CHECK_EQ(as_data(t, 'b', 1, "VOID"), 100 * NODE);
  CHECK_EQ(as_data(t, 'b', 3, "VOID"), -2);
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_EQ(as_data(t, 'b', 2, "DRAG"), 10 * NODE);
  CHECK_EQ(as_data(t, 'y', 1, "node_info"), 100 * NODE);
  one.size = sizeof one;
  REFUSED(BARROW_E_STATE, barrow_biography_samples(t.heap, 'd', &count));
  REFUSED(BARROW_E_ARG, barrow_biography_samples(NULL, 'b', &count));
  REFUSED(BARROW_E_ARG, barrow_biography_samples(t.heap, 'b', NULL));
  REFUSED(BARROW_E_ARG, barrow_biography_sample(t.heap, 'b', 4, &seconds, &bands));
  REFUSED(BARROW_E_ARG, barrow_biography_sample(t.heap, 'b', 0, NULL, &bands));
  REFUSED(BARROW_E_ARG, barrow_biography_band(t.heap, 'b', 0, 99, &one, name, sizeof name));
  REFUSED(BARROW_E_ARG, barrow_biography_band(t.heap, 'b', 9, 0, &one, name, sizeof name));
  REFUSED(BARROW_E_ARG, barrow_biography_band(t.heap, 'b', 0, 0, NULL, name, sizeof name));
  REFUSED(BARROW_E_ARG, barrow_biography_band(t.heap, 'b', 0, 0, &one, NULL, 3));
  last_of(".hb.hp"), last_of(".hy.hp");
  toy_free(t);
}

static barrow_cc parse = BARROW_CC("parse", "Parser", "Main.src:3:1-20");

/* Uses after the last census are known beside a profile of who made what, whatever asks for that one. */
static void used_at_the_end(void) {
  static const char *const wishes[] = {"-hb -hc", "-hb -ha", "-hb -hm", "-hb -h", "-hb -hr"};
  size_t i;
  for (i = 0; i < sizeof wishes / sizeof *wishes; i++) {
    toy t = with(wishes[i]);
    struct { barrow_frame frame; node *used, *unused, *late; } r;
    barrow_ccs *before = barrow_ccs_enter(t.m, &parse);
    int k;
    BARROW_ENTER(t.m, r);
    r.used = toy_list(t.m, 20);
    r.unused = toy_list(t.m, 3);
    r.late = toy_list(t.m, 5);
    barrow_ccs_leave(t.m, before);
    use_list(t.m, r.late);
    CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_census(t.m));
    use_list(t.m, r.used);
    use_list(t.m, r.late);
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    for (k = 1; k <= 2; k++) PHASES(k == 1 ? last_of(".hb.hp") : text, k, 3 * NODE, 20 * NODE, 5 * NODE, 0, 0);
    removed(".hc.hp"), removed(".ha.hp"), removed(".hm.hp"), removed(".h.hp"), removed(".hr.hp"), removed(".prof");
  }
}

/* In mid-run, too, what was used since the last census is known to be: and asking changes nothing. */
static void used_since_the_last_census(const char *flags) {
  toy t = with(flags);
  struct { barrow_frame frame; node *used, *unused, *young; void *bytes; } r;
  const char *hp;
  size_t count = 0;
  int i;
  BARROW_ENTER(t.m, r);
  r.used = toy_list(t.m, 20);
  r.unused = toy_list(t.m, 3);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
  CHECK_EQ(as_data(t, 'b', 0, "VOID"), 23 * NODE);
  r.young = toy_list(t.m, 5);
  CHECK_OK(barrow_collect(t.m, false));
  for (i = 0; i < 3; i++) {
    use_list(t.m, r.used);
    use_list(t.m, r.young);
    CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
    CHECK_EQ(count, 1);
    CHECK_EQ(as_data(t, 'b', 0, "LAG"), 20 * NODE);
    CHECK_EQ(as_data(t, 'b', 0, "VOID"), 3 * NODE);
  }
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census(t.m));
  use_list(t.m, r.young);
  CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
  CHECK_EQ(as_data(t, 'b', 2, "USE"), 5 * NODE);
  CHECK_EQ(as_data(t, 'b', 2, "DRAG"), 20 * NODE);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(strstr(flags, "-hc") ? ".hb.hp" : ".hp");
  PHASES(hp, 1, 3 * NODE, 20 * NODE, 0, 0, 0);
  PHASES(hp, 2, 3 * NODE, 0, 25 * NODE, 0, 0);
  PHASES(hp, 3, 3 * NODE, 0, 5 * NODE, 0, 20 * NODE);
  if (strstr(flags, "-hc")) last_of(".hc.hp");
}

static void used_lately(void) {
  static const char *const wishes[] = {"-hb", "-hb -hc", "-hb --marks=off", "-hb -G1", "-hb -c -DS", "-hb --source=chunks",
                                       "-hb --huge-pages=on", "-hb --source=chunks --huge-pages=on", "-hb --workers=3!", "-hb -c --workers=3!"};
  size_t i;
  for (i = 0; i < sizeof wishes / sizeof *wishes; i++) used_since_the_last_census(wishes[i]);
}

/* The same for large objects. */
static void a_large_object_used_lately(void) {
  static barrow_info wide_info;
  toy t = with("-hb");
  struct { barrow_frame frame; void *all[4]; } r;
  size_t count = 0;
  int i;
  BARROW_ENTER(t.m, r);
  wide_info = node_info;
  wide_info.ptrs = 0, wide_info.words = 1999;
  for (i = 0; i < 4; i++) {
    void *made = memset(barrow_alloc(t.m, 2000), 0, 16000);
    ((barrow_word *)made)[0] = (barrow_word)&wide_info;
    r.all[i] = made;
  }
  CHECK_OK(barrow_census(t.m));
  barrow_use(t.m, r.all[2]);
  CHECK_OK(barrow_biography_samples(t.heap, 'b', &count));
  CHECK_EQ(as_data(t, 'b', 0, "LAG"), 16000);
  CHECK_EQ(as_data(t, 'b', 0, "VOID"), 3 * 16000);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  last_of(".hp");
}

/* Six heaps of a process have marks, and the next one notes uses by calls. */
static void a_seventh_heap(void) {
  toy all[7];
  int i;
  for (i = 0; i < 7; i++) all[i] = with("-hb");
  CHECK(barrow_window_of(all[6].m)->marks == NULL);
  for (i = 0; i < 7; i++) {
    char name[20];
    CHECK_OK(barrow_census(all[i].m));
    toy_free(all[i]);
    sprintf(name, ".%d.hp", i + 1);
    last_of(i == 0 ? ".hp" : name);
  }
}

/* Each object is in one phase, so two restrictions to phases mean both. */
static void phases_given_one_by_one(void) {
  const char *hp;
  toy t = with("-hb -hy -hbdrag -hbvoid");
  leaks(t, 3);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(".hb.hp");
  CHECK_EQ(line_of(hp, 3, "DRAG"), 10 * NODE);
  CHECK_EQ(line_of(hp, 3, "VOID"), 100 * NODE);
  CHECK_EQ(line_of(hp, 3, "LAG"), -2);
  CHECK_EQ(line_of(hp, 3, "INHERENT_USE"), -2);
  CHECK_EQ(line_of(last_of(".hy.hp"), 3, "node_info"), 110 * NODE);
}

static void flags(void) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_config_init(&config);
  config.flags = "-hy -hbdrag,vain";
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, NULL));
  CHECK(strstr(barrow_last_error(), "vain is none of lag, drag, void and use") != NULL);
  config.flags = "-pobiography-test -hb -i0";
  CHECK_OK(barrow_heap_new(&config, &heap, NULL));
  CHECK_OK(barrow_heap_free(heap));
  CHECK_EQ(line_of(last_of(".hp"), 1, "VOID"), -2);
}

int main(void) {
  RUN(off);
  RUN(misuse);
  RUN(use_of_no_object);
  RUN(flags);
  RUN(data);
  RUN(used_lately);
  RUN(a_large_object_used_lately);
  RUN(a_seventh_heap);
  RUN(phases_given_one_by_one);
  RUN(each_phase);
  RUN(selectors_that_stay_are_new);
  RUN(without_marks);
  RUN(restricted);
  RUN(memory_of_the_used);
  RUN(used_behind_a_gap);
  RUN(used_and_replaced);
  RUN(in_mid_run);
  RUN(in_place);
  RUN(noted);
  RUN(killed);
  RUN(leaks_of_the_examples);
  RUN(used_at_the_end); /* registers a cost centre */
  return DONE;
}
