/* Profiles by cost centres: files, figures, ticks by hand, by bytes and by the clock, the stack at an error, misuse. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "toy.h"
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static barrow_cc caf = BARROW_CC_OF_CAF("CAF", "Main", "<entire-module>");
static barrow_cc work = BARROW_CC("work", "Main", "Main.src:3:1-20");
static barrow_cc play = BARROW_CC("play\\", "Main", "Main.src:(5,1)-(9,30)");
static barrow_cc odd = BARROW_CC("gr\xc3\xb6\xc3\x9f" "er \"quoted\"\nline", "M\xc3\xb6"    "dul", NULL);

static const char *slurp(const char *name) {
  static char text[1 << 20];
  FILE *file = fopen(name, "r");
  size_t length = 0;
  if (file) {
    length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
  }
  text[length] = 0;
  return text;
}

static void allocate_kib(barrow_mutator *m, size_t kib) {
  size_t i;
  for (i = 0; i < kib; i++) {
    barrow_word *at = barrow_alloc(m, 128);
    at[0] = (barrow_word)&bytes_info;
    at[1] = 126 * 8;
  }
}

/* A program of three centres with known costs. */
static void program(barrow_mutator *m) {
  barrow_ccs *before = barrow_ccs_enter_caf(m, &caf), *inner;
  inner = barrow_ccs_enter(m, &work);
  allocate_kib(m, 60);
  CHECK_OK(barrow_cost_tick(m, 70));
  barrow_ccs_leave(m, barrow_ccs_enter(m, &odd));
  barrow_ccs_enter(m, &play);
  allocate_kib(m, 40);
  CHECK_OK(barrow_cost_tick(m, 30));
  barrow_ccs_leave(m, inner);
  barrow_ccs_leave(m, before);
}

static const char *line_with(const char *text, const char *what) {
  static char line[1000];
  const char *at = strstr(text, what);
  size_t length = 0;
  while (at && at > text && at[-1] != '\n') at--;
  while (at && at[length] && at[length] != '\n' && length < sizeof line - 1) {
    line[length] = at[length];
    length++;
  }
  line[length] = 0;
  return line;
}

static void at_the_end(void) {
  toy t;
  struct stat seen;
  const char *text;
  unlink("cost-end.prof");
  t = toy_new("-P -V0 -pocost-end");
  program(t.m);
  CHECK(access("cost-end.prof", F_OK) != 0);
  toy_free(t);
  text = slurp("cost-end.prof");
  CHECK(strstr(text, "Time and Allocation Profiling Report  (Final)\n\n\t   cost_report") != NULL);
  CHECK(strstr(text, " +RTS ") != NULL && strstr(text, "-P -V0 -pocost-end -RTS") != NULL);
  CHECK(strstr(text, "(100 ticks @ 0 us, 1 processor)") != NULL);
  CHECK(strstr(text, "total alloc =     102,400 bytes  (excludes profiling overheads)") != NULL);
  CHECK(strstr(line_with(text, "work "), "70.0   60.0     70     61440") != NULL);
  CHECK(strstr(line_with(text, "\n  work "), " 1   70.0   60.0   100.0  100.0     70     61440") != NULL ||
        strstr(text, "  work ") != NULL);
  CHECK(strstr(line_with(text, "play\\ "), "30.0   40.0     30     40960") != NULL);
  CHECK(strstr(text, "gr\xc3\xb6\xc3\x9f" "er \"quoted\"\\u{a}line") != NULL);
  CHECK(stat("cost-end.prof", &seen) == 0 && (seen.st_mode & 077) == 0);
}

static void in_mid_run(void) {
  toy t = toy_new("");
  const char *text;
  program(t.m);
  CHECK_OK(barrow_cost_report(t.m, "cost-mid.prof", BARROW_COST_STANDARD));
  text = slurp("cost-mid.prof");
  CHECK(strstr(text, "work ") != NULL && strstr(text, "OVERHEAD") == NULL && strstr(text, "  ticks") == NULL);
  program(t.m);
  CHECK_OK(barrow_cost_report(t.m, "cost-mid.prof", BARROW_COST_ALL));
  text = slurp("cost-mid.prof");
  CHECK(strstr(text, "OVERHEAD_of") != NULL && strstr(line_with(text, "work "), " 122880") != NULL);
  CHECK_OK(barrow_cost_report(t.m, "cost-mid.json", BARROW_COST_JSON));
  text = slurp("cost-mid.json");
  CHECK(strstr(text, "\"label\": \"gr\xc3\xb6\xc3\x9f" "er \\\"quoted\\\"\\u000aline\"") != NULL);
  CHECK(strstr(text, "\"label\": \"play\\\\\"") != NULL && strstr(text, "\"is_caf\": true") != NULL);
  toy_free(t);
}

/* Counts that have no number stay at the greatest: of one stack, of a centre's, of what a parent inherits and of the whole. */
static void more_ticks_than_can_be_counted(void) {
  toy t = toy_new("");
  barrow_cost_row *rows;
  size_t count = 0, i;
  int met = 0;
  CHECK_OK(barrow_cost_tick(t.m, UINT64_MAX));
  barrow_ccs_enter_caf(t.m, &caf);
  barrow_ccs_enter(t.m, &work);
  CHECK_OK(barrow_cost_tick(t.m, UINT64_MAX));
  CHECK_OK(barrow_cost_tick(t.m, 7));
  barrow_ccs_enter(t.m, &play);
  CHECK_OK(barrow_cost_tick(t.m, UINT64_MAX));
  barrow_ccs_enter(t.m, &work);
  CHECK_OK(barrow_cost_tick(t.m, UINT64_MAX));
  CHECK_OK(barrow_costs(t.m, NULL, 0, &count));
  rows = (barrow_cost_row *)calloc(count, sizeof *rows);
  rows[0].size = (uint32_t)sizeof *rows;
  CHECK_OK(barrow_costs(t.m, rows, count, NULL));
  for (i = 0; i < count; i++) {
    if (rows[i].ticks == 0) continue;
    CHECK(rows[i].ticks == UINT64_MAX && rows[i].inherited_ticks == UINT64_MAX);
    met++;
  }
  CHECK(met >= 3);
  free(rows);
  CHECK_OK(barrow_cost_report(t.m, "cost-much.prof", BARROW_COST_ALL));
  CHECK(strstr(line_with(slurp("cost-much.prof"), "work "), "18446744073709551615") != NULL);
  CHECK_OK(barrow_cost_report(t.m, "cost-much.json", BARROW_COST_JSON));
  unlink("cost-much.prof");
  unlink("cost-much.json");
  toy_free(t);
}

static void as_data(void) {
  toy t = toy_new("");
  barrow_cost_row *rows;
  size_t count = 0, i, children = 0;
  uint64_t bytes = 0;
  uint32_t child;
  const char *label = NULL, *module = NULL, *source = NULL;
  program(t.m);
  CHECK_OK(barrow_costs(t.m, NULL, 0, &count));
  CHECK_EQ(count, barrow_ccs_count());
  rows = (barrow_cost_row *)calloc(count, sizeof *rows);
  rows[0].size = (uint32_t)sizeof *rows;
  CHECK_OK(barrow_costs(t.m, rows, count, NULL));
  for (i = 0; i < count; i++) {
    CHECK_EQ(rows[i].number, i);
    CHECK(i == 0 || rows[i].parent < i);
    bytes += rows[i].bytes;
    for (child = rows[i].first_child; child; child = rows[child].next_sibling) {
      CHECK_EQ(rows[child].parent, i);
      CHECK_EQ(rows[child].depth, rows[i].depth + 1);
      children++;
    }
    if (strcmp(rows[i].label, "work") == 0 && rows[i].depth == 2) {
      CHECK(rows[i].bytes == 61440 && rows[i].inherited_bytes == 102400 && rows[i].entries == 1);
      CHECK(rows[i].ticks == 70 && rows[i].inherited_ticks == 100);
      CHECK(rows[rows[i].parent].flags == BARROW_COST_CAF);
      CHECK(strcmp(rows[i].source, "Main.src:3:1-20") == 0 && strcmp(rows[i].module, "Main") == 0);
      CHECK_OK(barrow_cc_names(rows[i].centre, &label, &module, &source));
      CHECK(label == rows[i].label && module == rows[i].module && source == rows[i].source);
    }
  }
  CHECK_EQ(children, count - 1);
  CHECK_EQ(bytes, toy_stats(t).allocated_bytes);
  CHECK_EQ(rows[0].inherited_bytes, bytes);
  CHECK_EQ(rows[BARROW_CCS_GC].flags, BARROW_COST_HIDDEN);
  free(rows);
  toy_free(t);
}

static uint64_t ticks_of(toy t, const barrow_ccs *stack) {
  size_t count = barrow_ccs_count();
  barrow_cost_row *rows = (barrow_cost_row *)calloc(count, sizeof *rows);
  uint64_t ticks;
  rows[0].size = (uint32_t)sizeof *rows;
  CHECK_OK(barrow_costs(t.m, rows, count, NULL));
  ticks = rows[stack->number].ticks;
  free(rows);
  return ticks;
}

/* The same run gives the same ticks, and they fall on the stack that allocates at the byte. */
static void ticks_by_bytes(void) {
  int round;
  for (round = 0; round < 2; round++) {
    toy t = toy_new(round ? "--tick-bytes=10k -A64k" : "--tick-bytes=10k -A1m");
    barrow_ccs *main_ccs = barrow_ccs_current(t.m), *before, *in_work, *in_play;
    allocate_kib(t.m, 9);
    before = barrow_ccs_enter(t.m, &work);
    in_work = barrow_ccs_current(t.m);
    allocate_kib(t.m, 1);
    memset(barrow_allocate(t.m, 3200), 0, 25600);
    barrow_ccs_enter(t.m, &play);
    in_play = barrow_ccs_current(t.m);
    allocate_kib(t.m, 100);
    barrow_ccs_leave(t.m, before);
    CHECK_EQ(ticks_of(t, main_ccs), 0);
    CHECK_EQ(ticks_of(t, in_work), 3);
    CHECK_EQ(ticks_of(t, in_play), 10);
    CHECK_EQ(barrow_cost_ticks(t.m, 0.01), BARROW_E_STATE);
    /* They are no time, and the report does not say that they are. */
    CHECK_OK(barrow_cost_report(t.m, "cost-bytes.prof", BARROW_COST_ALL));
    CHECK(strstr(slurp("cost-bytes.prof"), "total time  =        0.00 secs   (13 ticks @ 0 us, 1 processor)") != NULL);
    CHECK_OK(barrow_cost_report(t.m, "cost-bytes.prof", BARROW_COST_JSON));
    CHECK(strstr(slurp("cost-bytes.prof"), "\"tick_interval\": 0,") != NULL);
    unlink("cost-bytes.prof");
    toy_free(t);
  }
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static volatile unsigned long sink;

static void spin(double seconds) {
  double until = cpu_seconds() + seconds;
  while (cpu_seconds() < until) {
    int i;
    for (i = 0; i < 2000; i++) sink += (unsigned long)i;
  }
}

static volatile int stop_noise;
static void *noise(void *unused) {
  (void)unused;
  while (!stop_noise) sink++;
  return NULL;
}

/* Shares of time on a machine where four other threads want it all. */
static void ticks_by_the_clock(void) {
  enum { NOISES = 4, ROUNDS = 80 };
  pthread_t noises[NOISES];
  toy t;
  barrow_ccs *main_ccs, *in_work, *in_play, *before;
  uint64_t all, working, playing;
  int i;
  if (toy_is_slow()) return;
  stop_noise = 0;
  for (i = 0; i < NOISES; i++) CHECK(pthread_create(&noises[i], NULL, noise, NULL) == 0);
  t = toy_new("-P -V0.001 -pocost-time");
  main_ccs = barrow_ccs_current(t.m);
  for (i = 0; i < ROUNDS; i++) {
    before = barrow_ccs_enter(t.m, &work);
    in_work = barrow_ccs_current(t.m);
    spin(0.014);
    barrow_ccs_enter(t.m, &play);
    in_play = barrow_ccs_current(t.m);
    spin(0.006);
    barrow_ccs_leave(t.m, before);
  }
  /* Time asleep is nobody's. */
  usleep(300000);
  stop_noise = 1;
  for (i = 0; i < NOISES; i++) pthread_join(noises[i], NULL);
  working = ticks_of(t, in_work);
  playing = ticks_of(t, in_play);
  all = working + playing + ticks_of(t, main_ccs);
  CHECK(all > 1400 && all < 1800);
  CHECK(100 * working > 67 * all && 100 * working < 73 * all);
  CHECK(100 * playing > 27 * all && 100 * playing < 33 * all);
  if (check_failures) fprintf(stderr, "%lu of %lu, %lu\n", (unsigned long)working, (unsigned long)all, (unsigned long)playing);
  toy_free(t);
  CHECK(strstr(slurp("cost-time.prof"), "ticks @ 1000 us, 1 processor)") != NULL);
}

/* Collections have their own ticks, waiting in foreign code too, and both are hidden. */
static void collections_and_waiting(void) {
  toy t;
  struct { barrow_frame frame; node *list; } r;
  barrow_ccs *before;
  int i;
  if (toy_is_slow()) return;
  t = toy_new("-A64k");
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 20000);
  CHECK_OK(barrow_cost_ticks(t.m, 0.0005));
  before = barrow_ccs_enter(t.m, &work);
  for (i = 0; i < 4000 && ticks_of(t, barrow_ccs_special(BARROW_CCS_GC)) < 20; i++) CHECK_OK(barrow_collect(t.m, true));
  CHECK(ticks_of(t, barrow_ccs_special(BARROW_CCS_GC)) >= 20);
  CHECK_OK(barrow_enter_foreign(t.m));
  usleep(100000);
  spin(0.05);
  CHECK_OK(barrow_leave_foreign(t.m));
  /* Foreign code's time is its caller's. */
  CHECK(ticks_of(t, barrow_ccs_current(t.m)) > 50);
  CHECK(ticks_of(t, barrow_ccs_special(BARROW_CCS_IDLE)) > 50);
  CHECK_OK(barrow_cost_ticks(t.m, 0));
  barrow_ccs_leave(t.m, before);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The clock has a shortest tick, and reports tell the one that was kept. */
static void the_shortest_tick(void) {
  toy t = toy_new("-p -V0.0001 -pocost-short");
  toy_free(t);
  CHECK(strstr(slurp("cost-short.prof"), " ticks @ 100 us, 1 processor)") != NULL);
}

/* The seconds that a report has in all. */
static double seconds_in(const char *name) {
  double seconds = -1;
  sscanf(line_with(slurp(name), "total time"), " total time = %lf secs", &seconds);
  return seconds;
}

/* A report has one length of ticks: those of another one are as much time as before, and those of a clock that has ended too. */
static void ticks_of_another_length(void) {
  const char *name = "cost-lengths.prof";
  barrow_ccs *before;
  toy t;
  if (toy_is_slow()) return;
  t = toy_new("");
  CHECK_OK(barrow_cost_ticks(t.m, 0.001));
  CHECK_OK(barrow_cost_tick(t.m, 10000));
  CHECK_OK(barrow_cost_ticks(t.m, 0));
  CHECK_OK(barrow_cost_report(t.m, name, BARROW_COST_ALL));
  CHECK(seconds_in(name) >= 10 && seconds_in(name) < 11);
  CHECK_OK(barrow_cost_ticks(t.m, 0.02));
  CHECK_OK(barrow_cost_report(t.m, name, BARROW_COST_ALL));
  CHECK(seconds_in(name) >= 10 && seconds_in(name) < 11);
  toy_free(t);
  /* Less than half a tick of the new length each, and more than one together. */
  t = toy_new("");
  CHECK_OK(barrow_cost_ticks(t.m, 0.001));
  CHECK_OK(barrow_cost_tick(t.m, 9));
  before = barrow_ccs_enter(t.m, &work);
  CHECK_OK(barrow_cost_tick(t.m, 9));
  barrow_ccs_leave(t.m, before);
  before = barrow_ccs_enter(t.m, &play);
  CHECK_OK(barrow_cost_tick(t.m, 9));
  barrow_ccs_leave(t.m, before);
  CHECK_OK(barrow_cost_ticks(t.m, 0));
  CHECK_OK(barrow_cost_ticks(t.m, 0.02));
  CHECK_OK(barrow_cost_report(t.m, name, BARROW_COST_ALL));
  CHECK(seconds_in(name) >= 0.02);
  toy_free(t);
}

/* Ticks of the client's own clock stay where the library's begins, which has a length. */
static void ticks_before_a_clock(void) {
  toy t = toy_new("-V0");
  CHECK_OK(barrow_cost_tick(t.m, 100));
  CHECK_OK(barrow_cost_ticks(t.m, 0.01));
  CHECK(ticks_of(t, barrow_ccs_current(t.m)) >= 100);
  toy_free(t);
}

/* Time since the clock's last look is in a report, and in the figures. */
static void time_since_the_last_look(void) {
  int at_the_end;
  if (toy_is_slow()) return;
  for (at_the_end = 0; at_the_end < 2; at_the_end++) {
    /* The next look is most of a tick away. */
    toy t = toy_new("-p -V0.4 -pocost-look");
    spin(0.405);
    if (!at_the_end) CHECK(ticks_of(t, barrow_ccs_current(t.m)) == 1);
    toy_free(t);
    CHECK(seconds_in("cost-look.prof") >= 0.4);
  }
}

/* A mutator whose detach is refused is charged on. */
static void ticks_after_a_refusal(void) {
  toy t = toy_new("-pocost-refused");
  uint64_t before;
  size_t i;
  CHECK_OK(barrow_cost_ticks(t.m, 0.0005));
  toy_detach_is_refused(t.m);
  before = ticks_of(t, barrow_ccs_current(t.m));
  for (i = 0; i < 1000 && ticks_of(t, barrow_ccs_current(t.m)) < before + 20; i++) spin(0.001);
  CHECK(ticks_of(t, barrow_ccs_current(t.m)) >= before + 20);
  CHECK_OK(barrow_cost_ticks(t.m, 0));
  toy_free(t);
}

/* What profilers do has ticks of its own: writing a report, who retains what, the graph of the heap. */
static void profilers_have_their_own_time(void) {
  enum { ENOUGH = 5, MOST = 4000 };
  toy t;
  struct { barrow_frame frame; node *list; } r;
  const barrow_ccs *overhead = barrow_ccs_special(BARROW_CCS_OVERHEAD);
  barrow_ccs *before;
  uint64_t ticks = 0;
  int i, what;
  if (toy_is_slow()) return;
  t = toy_new("-hr -i1000 -pocost-overhead");
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 20000);
  CHECK_OK(barrow_cost_ticks(t.m, 0.0005));
  before = barrow_ccs_enter(t.m, &work);
  for (what = 0; what < 3; what++) {
    uint64_t begun = ticks;
    for (i = 0; i < MOST && ticks < begun + ENOUGH; i++) {
      if (what == 0) CHECK_OK(barrow_cost_report(t.m, "cost-overhead.prof", BARROW_COST_ALL));
      else if (what == 1) CHECK_OK(barrow_census(t.m));
      else CHECK_OK(barrow_snapshot(t.m, "cost-overhead.snapshot"));
      ticks = ticks_of(t, overhead);
    }
    CHECK(ticks >= begun + ENOUGH);
  }
  /* Nobody's work: they are no part of the program's time. */
  CHECK(strstr(line_with(slurp("cost-overhead.prof"), "OVERHEAD_of"), "  0.0 ") != NULL);
  CHECK_OK(barrow_cost_ticks(t.m, 0));
  barrow_ccs_leave(t.m, before);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void to_stderr(toy t, const char *name, void (*what)(toy)) {
  int before = dup(2);
  FILE *file = fopen(name, "w");
  fflush(stderr);
  dup2(fileno(file), 2);
  what(t);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  fclose(file);
}

static void raise_error(toy t) {
  barrow_ccs *before = barrow_ccs_enter_caf(t.m, &caf);
  const barrow_ccs *enclosing[3];
  barrow_ccs_enter(t.m, &work);
  enclosing[0] = enclosing[1] = barrow_ccs_current(t.m);
  barrow_ccs_enter(t.m, &play);
  enclosing[2] = barrow_ccs_push(before, &work);
  CHECK_OK(barrow_exception(t.m, "THUNK_2_0", enclosing, 3));
  barrow_ccs_leave(t.m, before);
}

static void print_current(toy t) {
  barrow_ccs *before = barrow_ccs_enter(t.m, &work);
  CHECK_OK(barrow_ccs_print(t.m, NULL));
  CHECK_OK(barrow_ccs_print(t.m, before));
  barrow_ccs_leave(t.m, before);
}

static void errors(void) {
  toy t = toy_new("-xc"), quiet = toy_new("");
  to_stderr(t, "cost-xc.err", raise_error);
  CHECK(strcmp(slurp("cost-xc.err"),
               "*** Exception (reporting due to +RTS -xc): (THUNK_2_0), stack trace: \n"
               "  Main.play\\,\n"
               "  called from Main.work,\n"
               "  called from Main.CAF\n"
               "  --> evaluated by: Main.work,\n"
               "  called from Main.CAF\n"
               "  --> evaluated by: Main.work\n") == 0);
  to_stderr(quiet, "cost-xc.err", raise_error);
  CHECK(slurp("cost-xc.err")[0] == 0);
  to_stderr(quiet, "cost-xc.err", print_current);
  CHECK(strcmp(slurp("cost-xc.err"), "Main.work\nMAIN.MAIN\n") == 0);
  toy_free(t);
  toy_free(quiet);
}

/* 100,000 stacks: a wide tree and a deep one, and their report. */
static void many_stacks(void) {
  enum { WIDE = 99000, DEEP = 1500 };
  static barrow_cc all[WIDE + DEEP];
  static char names[WIDE + DEEP][16];
  toy t = toy_new("");
  barrow_ccs *before = barrow_ccs_current(t.m);
  struct stat seen;
  int i, wide = toy_is_slow() ? 1000 : WIDE;
  for (i = 0; i < WIDE + DEEP; i++) {
    static const barrow_cc empty = BARROW_CC(NULL, "Many", "Many.src:1:1");
    sprintf(names[i], "f%d", i);
    all[i] = empty;
    all[i].label = names[i];
  }
  for (i = 0; i < wide; i++) {
    barrow_ccs_enter(t.m, &all[i]);
    toy_bytes(t.m, 0);
    barrow_ccs_leave(t.m, before);
  }
  for (i = 0; i < DEEP; i++) {
    barrow_ccs_enter(t.m, &all[WIDE + i]);
    toy_bytes(t.m, 0);
  }
  CHECK_EQ(barrow_ccs_current(t.m)->depth, DEEP);
  CHECK_OK(barrow_cost_report(t.m, "cost-many.prof", BARROW_COST_DETAILED));
  CHECK(stat("cost-many.prof", &seen) == 0 && seen.st_size > wide * 50);
  CHECK_OK(barrow_cost_report(t.m, "cost-many.json", BARROW_COST_JSON));
  barrow_ccs_leave(t.m, before);
  toy_free(t);
  unlink("cost-many.prof");
}

static void two_heaps(void) {
  toy one = toy_new("-P -V0 -pocost-one"), two = toy_new("-P -V0 -pocost-two");
  int i;
  program(one.m);
  for (i = 0; i < 3; i++) program(two.m);
  toy_free(one);
  toy_free(two);
  CHECK(strstr(slurp("cost-one.prof"), "total alloc =     102,400 bytes") != NULL);
  CHECK(strstr(slurp("cost-two.prof"), "total alloc =     307,200 bytes") != NULL);
}

static void misuse(void) {
  barrow_config config;
  barrow_heap *heap = NULL;
  toy t = toy_new("");
  static barrow_ccs none;
  const barrow_ccs *list[1];
  barrow_cost_row row;
  list[0] = &none;
  barrow_config_init(&config);
  config.flags = "-p -po/no-such-folder/x";
  CHECK_EQ(barrow_heap_new(&config, &heap, NULL), BARROW_E_IO);
  config.flags = "-po";
  CHECK_EQ(barrow_heap_new(&config, &heap, NULL), BARROW_E_ARG);
  config.flags = "-V-1";
  CHECK_EQ(barrow_heap_new(&config, &heap, NULL), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_report(NULL, NULL, BARROW_COST_STANDARD), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_report(t.m, "x", 9), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_report(t.m, "x", BARROW_COST_NOTHING), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_report(t.m, "", BARROW_COST_ALL), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_report(t.m, "/no-such-folder/x", BARROW_COST_ALL), BARROW_E_IO);
  CHECK(access("/dev/full", W_OK) != 0 || barrow_cost_report(t.m, "/dev/full", BARROW_COST_ALL) == BARROW_E_IO);
  CHECK_EQ(barrow_cost_ticks(t.m, -1), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_ticks(NULL, 1), BARROW_E_ARG);
  CHECK_EQ(barrow_cost_tick(NULL, 1), BARROW_E_ARG);
  CHECK_EQ(barrow_costs(NULL, NULL, 0, NULL), BARROW_E_ARG);
  CHECK_EQ(barrow_costs(t.m, NULL, 1, NULL), BARROW_E_ARG);
  row.size = 8;
  CHECK_EQ(barrow_costs(t.m, &row, 1, NULL), BARROW_E_ABI);
  CHECK_EQ(barrow_ccs_print(t.m, &none), BARROW_E_ARG);
  CHECK_EQ(barrow_ccs_print(NULL, NULL), BARROW_E_ARG);
  CHECK_EQ(barrow_exception(t.m, NULL, NULL, 0), BARROW_E_ARG);
  CHECK_EQ(barrow_exception(t.m, "x", NULL, 1), BARROW_E_ARG);
  CHECK_EQ(barrow_exception(t.m, "x", list, 1), BARROW_E_ARG);
  CHECK_EQ(barrow_exception(NULL, "x", NULL, 0), BARROW_E_ARG);
  CHECK_EQ(barrow_cc_names(0, NULL, NULL, NULL), BARROW_E_ARG);
  CHECK_OK(barrow_cc_names(1, NULL, NULL, NULL));
  toy_free(t);
}

int main(void) {
  RUN(at_the_end);
  RUN(in_mid_run);
  RUN(more_ticks_than_can_be_counted);
  RUN(as_data);
  RUN(ticks_by_bytes);
  RUN(ticks_by_the_clock);
  RUN(ticks_after_a_refusal);
  RUN(collections_and_waiting);
  RUN(the_shortest_tick);
  RUN(ticks_of_another_length);
  RUN(ticks_before_a_clock);
  RUN(time_since_the_last_look);
  RUN(profilers_have_their_own_time);
  RUN(errors);
  RUN(many_stacks);
  RUN(two_heaps);
  RUN(misuse);
  return DONE;
}
