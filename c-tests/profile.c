/* Heap profiles: their files, when samples are taken, restrictions, starting and stopping in mid-run, misuse. */
#define _DEFAULT_SOURCE
#define STEM "profile-test"
#include "files.h"
#include "toy.h"
#include <signal.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static toy with(const char *flags) {
  char line[300];
  sprintf(line, "-poprofile-test %.200s", flags);
  return toy_new(line);
}

static void by_call(void) {
  toy t = with("-hy -i0");
  struct { barrow_frame frame; node *list; void *bytes; } r;
  const char *hp;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_census(t.m));
  r.bytes = toy_bytes(t.m, 80);
  CHECK_OK(barrow_profile_mark(t.m));
  r.list = NULL;
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = file(".hp");
  CHECK(strncmp(hp, "JOB \"", 5) == 0 && strstr(hp, " +RTS ") && strstr(hp, "-hy -i0\"\nDATE \""));
  CHECK(strstr(hp, "SAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 0.000000\nEND_SAMPLE 0.000000\n") != NULL);
  CHECK_EQ(times(hp, "BEGIN_SAMPLE"), 4);
  CHECK_EQ(times(hp, "END_SAMPLE"), 4);
  CHECK_EQ(times(hp, "\nMARK "), 1);
  samples_then_the_rest(hp, "MARK ");
  CHECK_EQ(band(hp, 1, "node_info"), 100 * sizeof(node));
  CHECK_EQ(band(hp, 2, "node_info"), 0);
  CHECK_EQ(band(hp, 2, "bytes_info"), 8 * barrow_bytes_words(80));
  CHECK_EQ(band(hp, 3, "bytes_info"), 0);
  unlink("profile-test.hp");
}

/* A sample falls due at an exact word: nodes of 32 bytes, of which all live. */
static void by_bytes(void) {
  toy t = with("-hd -ib10016");
  struct { barrow_frame frame; node *list; } r;
  const char *hp;
  int i;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 10000; i++) r.list = toy_node(t.m, r.list, NULL, 1);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = file(".hp");
  CHECK_EQ(times(hp, "BEGIN_SAMPLE"), 2 + (10000 * 32 - 1) / 10016);
  for (i = 1; i <= (10000 * 32 - 1) / 10016; i++) CHECK_EQ(band(hp, i, "node_info"), 10016 * i / 32 * 32);
  unlink("profile-test.hp");
}

/* Large and pinned objects and those of barrow_allocate count as well. */
static void by_bytes_of_all_kinds(void) {
  toy t = with("-hT -ib1m");
  struct { barrow_frame frame; void *bytes; } r;
  const char *hp;
  int i;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 40; i++) {
    barrow_word *made = barrow_allocate(t.m, 32002);
    made[0] = (barrow_word)&bytes_info, made[1] = 256000;
    made = barrow_allocate_pinned(t.m, 32002, 8, 0);
    made[0] = (barrow_word)&bytes_info, made[1] = 256000;
    r.bytes = toy_bytes(t.m, 500000);
    CHECK_OK(barrow_safepoint(t.m));
  }
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = file(".hp");
  CHECK(times(hp, "BEGIN_SAMPLE") >= 36 && times(hp, "BEGIN_SAMPLE") <= 42);
  unlink("profile-test.hp");
}

static void by_time(void) {
  toy t = with("-hm -i0.002");
  struct { barrow_frame frame; node *list; } r;
  const char *hp;
  size_t samples;
  int i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000);
  /* However fast the machine: until there are samples. */
  for (i = 0; i < 20000 && times(file(".hp"), "END_SAMPLE") < 7; i++) toy_list(t.m, 100000);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  hp = file(".hp");
  samples = times(hp, "BEGIN_SAMPLE");
  CHECK(samples > 5);
  CHECK_EQ(band(hp, 1, "c-tests") % (long)sizeof(node), 0);
  CHECK(band(hp, 1, "c-tests") >= 1000 * (long)sizeof(node));
  unlink("profile-test.hp");
}

/* Four lines of head, then samples: that samples cost too much for their interval is said behind the last one. */
static void one_head(void) {
  toy t = with("-hT -i0.0001 -ix5");
  struct { barrow_frame frame; node *list; } r;
  const char *hp;
  int i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100000);
  for (i = 0; i < 200000 && times(file(".hp"), "END_SAMPLE") < 4; i++) toy_list(t.m, 10000);
  BARROW_LEAVE(t.m, r);
  fprintf(stderr, "(A sentence on how far apart samples were is to be expected here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  hp = last_of(".hp");
  CHECK(times(hp, "END_SAMPLE") >= 4);
  CHECK_EQ(times(hp, "JOB \""), 2);
  samples_then_the_rest(hp, "JOB \"");
  CHECK(times(strstr(hp + 1, "\nJOB"), " (samples up to ") == 1);
}

static void at_natural_majors(void) {
  toy t = with("-hy -in -A64k");
  struct { barrow_frame frame; node *list; } r;
  barrow_stats_t stats;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 200000);
  CHECK_OK(barrow_collect(t.m, true));
  stats = toy_stats(t);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK(stats.major_collections > 1);
  CHECK_EQ(times(file(".hp"), "BEGIN_SAMPLE"), 2 + stats.major_collections);
  CHECK_EQ(band(text, (int)stats.major_collections, "node_info"), 200000 * (long)sizeof(node));
  unlink("profile-test.hp");
}

/* CPU time of this thread, in seconds. */
static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Nothing is allocated, so that no sample comes by itself. What is collected shortly before one is due is the sample. */
static void collected_before_it_is_due(void) {
  toy t = with("-hy -i0.2");
  double until;
  int i, samples;
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < 8; i++) {
    for (until = cpu() + (i % 2 ? 0.17 : 0.02); cpu() < until;) continue;
    CHECK_OK(barrow_collect(t.m, i != 3));
  }
  CHECK_OK(barrow_heap_free(t.heap));
  samples = times(file(".hp"), "BEGIN_SAMPLE") - 2;
  /* Those 0.17 s and more behind a sample, or the beginning; the minor one is none, and the next major one is instead. */
  CHECK_EQ(samples, 4);
  unlink("profile-test.hp");
}

static void several_and_restricted(void) {
  toy t = with("-hT -hy -hd -hi -hm -hdnode_info,nobody -hmc-tests -i0");
  struct { barrow_frame frame; node *list; void *array; } r;
  const char *endings[] = {".hT.hp", ".hy.hp", ".hd.hp", ".hi.hp", ".hm.hp"};
  size_t i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 10);
  r.array = toy_array(t.m, 1000);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  fprintf(stderr, "(A word on -hdnobody is to be expected here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  for (i = 0; i < 5; i++) {
    char name[100], total[40];
    sprintf(total, "\t%lu\nEND", (unsigned long)(10 * sizeof(node)));
    CHECK(strstr(file(endings[i]), total) != NULL);
    CHECK_EQ(times(text, "\t"), 1);
    sprintf(name, "profile-test%s", endings[i]);
    unlink(name);
  }
}

static void started_and_stopped(void) {
  toy t = with("");
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_profile_stop(t.m));
  REFUSED(BARROW_E_STATE, barrow_profile_mark(t.m));
  CHECK_OK(barrow_profile_start(t.m, "-hy -i0"));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_profile_start(t.m, "-hd -hT -ib1m"));
  CHECK_OK(barrow_census(t.m));
  /* Changed while it runs: the files so far are complete. */
  CHECK_OK(barrow_profile_start(t.m, "-hy -in"));
  CHECK_EQ(times(file(".hp"), "BEGIN_SAMPLE"), 3);
  CHECK_EQ(band(text, 1, "node_info"), 100 * sizeof(node));
  CHECK_EQ(times(file(".2.hd.hp"), "BEGIN_SAMPLE"), 3);
  CHECK_EQ(times(file(".2.hT.hp"), "BEGIN_SAMPLE"), 3);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(times(file(".3.hp"), "END_SAMPLE"), 2);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK_EQ(times(file(".3.hp"), "END_SAMPLE"), 3);
  unlink("profile-test.hp"), unlink("profile-test.2.hd.hp"), unlink("profile-test.2.hT.hp"), unlink("profile-test.3.hp");
}

static barrow_cc parse = BARROW_CC("parse", "Parser", "Main.src:3:1-20");
static barrow_cc eval = BARROW_CC("eval", "Eval", "Main.src:4:1-20");
static barrow_cc caf = BARROW_CC_OF_CAF("CAF", "Main", "<entire-module>");

/* Who made it, through collections, changes of the stack and every way of making objects. */
static void by_producer(void) {
  toy t = with("-A64k");
  struct { barrow_frame frame; node *before, *main, *parsed, *evaluated, *both; void *array, *pinned, *pool; } r;
  barrow_ccs *main_ccs, *outer;
  const char *hp;
  size_t count = 0;
  long size = (long)sizeof(node);
  BARROW_ENTER(t.m, r);
  barrow_ccs_leave(t.m, barrow_ccs_enter(t.m, &caf));
  r.before = toy_list(t.m, 5000);
  REFUSED(BARROW_E_STATE, (barrow_census(t.m), barrow_census_count(t.heap, 'c', &count)));
  CHECK_OK(barrow_profile_start(t.m, "-hc -hm -hy -i0 -L60"));
  main_ccs = barrow_ccs_current(t.m);
  r.main = toy_list(t.m, 3);
  barrow_ccs_enter(t.m, &parse);
  outer = barrow_ccs_current(t.m);
  r.parsed = toy_list(t.m, 7000);
  r.array = toy_array(t.m, 5000);
  barrow_ccs_enter(t.m, &eval);
  r.both = toy_list(t.m, 11);
  r.pinned = barrow_allocate_pinned(t.m, 10, 8, 0);
  ((barrow_word *)r.pinned)[0] = (barrow_word)&bytes_info, ((barrow_word *)r.pinned)[1] = 64;
  r.pool = barrow_allocate(t.m, 20);
  ((barrow_word *)r.pool)[0] = (barrow_word)&bytes_info, ((barrow_word *)r.pool)[1] = 144;
  barrow_ccs_leave(t.m, outer);
  toy_list(t.m, 20000);
  barrow_ccs_leave(t.m, main_ccs);
  barrow_ccs_enter(t.m, &eval);
  r.evaluated = toy_list(t.m, 13);
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_collect(t.m, false));
  r.before = NULL;
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census_count(t.heap, 'c', &count));
  CHECK_EQ(count, 4);
  CHECK_OK(barrow_profile_stop(t.m));
  hp = file(".hc.hp");
  CHECK_EQ(band(hp, 1, "(before_profiling)"), 5000 * size);
  CHECK_EQ(band(hp, 2, "(before_profiling)"), 0);
  CHECK_EQ(band(hp, 1, "MAIN"), 3 * size);
  CHECK_EQ(band(hp, 2, "MAIN"), 3 * size);
  CHECK_EQ(labelled(hp, 2, "parse"), 7000 * size + 8 * (long)barrow_array_words(5000));
  CHECK_EQ(labelled(hp, 2, "eval/parse"), 11 * size + 80 + 160);
  CHECK_EQ(labelled(hp, 2, "eval"), 13 * size);
  CHECK_EQ(labelled(hp, 1, "eval"), 13 * size);
  CHECK_EQ(band(file(".hm.hp"), 2, "Parser"), 7000 * size + 8 * (long)barrow_array_words(5000));
  CHECK_EQ(band(text, 2, "Eval"), 24 * size + 240);
  CHECK_EQ(band(file(".hy.hp"), 2, "node_info"), 7027 * size);
  unlink("profile-test.hc.hp"), unlink("profile-test.hm.hp"), unlink("profile-test.hy.hp");
  /* What was made before is all that lives now; then restricted. */
  CHECK_OK(barrow_profile_start(t.m, "-hy -hd -hcparse,eval -hdnode_info -i0"));
  barrow_ccs_enter(t.m, &parse);
  r.parsed = toy_list(t.m, 17);
  r.array = toy_array(t.m, 100);
  barrow_ccs_leave(t.m, main_ccs);
  r.main = toy_list(t.m, 19);
  fprintf(stderr, "(A word on -hceval is to be expected here.)\n");
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_profile_start(t.m, "-hc -hCparse -i0"));
  CHECK_EQ(band(file(".2.hy.hp"), 1, "node_info"), 17 * size);
  CHECK_EQ(times(text, "\t"), 1);
  CHECK_EQ(times(file(".2.hd.hp"), "\t"), 1);
  barrow_ccs_enter(t.m, &parse);
  barrow_ccs_enter(t.m, &eval);
  r.both = toy_list(t.m, 23);
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_OK(barrow_census(t.m));
  CHECK_EQ(labelled(file(".3.hp"), 1, "eval/parse"), 23 * size);
  CHECK_EQ(times(text, "\t"), 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  unlink("profile-test.2.hy.hp"), unlink("profile-test.2.hd.hp"), unlink("profile-test.3.hp");
}

static barrow_cc late = BARROW_CC("late", "Late", "Main.src:9:1-20");

/* -h alone and -hm: whether the program has cost centres is seen at the first census, not at the start. This case comes
 * before all that register centres. */
static void by_what_the_program_has(void) {
  long size = (long)sizeof(node);
  int with_centres;
  for (with_centres = 0; with_centres < 2; with_centres++) {
    toy t = with(with_centres ? "-h -hm -hy -hmLate -i0" : "-h -hm -hy -hmc-tests -i0");
    struct { barrow_frame frame; node *list, *late; } r;
    barrow_ccs *before;
    barrow_census_band_t one;
    char name[40];
    size_t count = 0;
    BARROW_ENTER(t.m, r);
    r.list = toy_list(t.m, 10);
    if (with_centres) {
      before = barrow_ccs_enter(t.m, &late);
      r.late = toy_list(t.m, 7);
      barrow_ccs_leave(t.m, before);
    }
    CHECK_OK(barrow_census(t.m));
    memset(&one, 0, sizeof one);
    one.size = sizeof one;
    CHECK_OK(barrow_census_count(t.heap, 'm', &count));
    CHECK_EQ(count, with_centres ? 2 : 1);
    while (count-- > 0) {
      CHECK_OK(barrow_census_band(t.heap, 'm', count, &one, name, sizeof name));
      CHECK(strcmp(name, with_centres ? "Late" : "c-tests") == 0 || (with_centres && !strcmp(name, "MAIN")));
      CHECK_EQ(one.bytes, (strcmp(name, "Late") ? 10 : 7) * size);
    }
    /* Nothing is noted any more when there is nothing to note. */
    CHECK_EQ(barrow_window_of(t.m)->side[1] != 0, with_centres);
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    if (with_centres) {
      CHECK_EQ(labelled(last_of(".h.hp"), 1, "late"), 7 * size);
      CHECK_EQ(band(last_of(".hm.hp"), 1, "Late"), 7 * size);
      CHECK_EQ(times(text, "\t"), 1);
      CHECK_EQ(band(last_of(".hy.hp"), 1, "node_info"), 7 * size);
    } else {
      CHECK_EQ(band(last_of(".h.hp"), 1, "c-tests.node_info"), 10 * size);
      CHECK_EQ(band(last_of(".hm.hp"), 1, "c-tests"), 10 * size);
      CHECK_EQ(band(last_of(".hy.hp"), 1, "node_info"), 10 * size);
    }
  }
}

INFO(stop_info, BARROW_STOP_FRAME, 0, 0, 2, 1, 0, NULL, NULL);
INFO(thread_info, BARROW_THREAD, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, NULL, NULL);

/* The bytes of all bands of a sample. */
static long sum_of(const char *whole, int index) {
  const char *at = whole, *end;
  long sum = 0;
  for (; index >= 0 && at; index--) at = strstr(at + 1, "BEGIN_SAMPLE");
  if (!at) return -1;
  end = strstr(at, "END_SAMPLE");
  while ((at = strchr(at + 1, '\t')) != NULL && at < end) sum += atol(at + 1);
  return sum;
}

/* One program has the same total under each break-down, with threads and stacks and without. */
static void threads_in_each_break_down(void) {
  static const char *const endings[] = {".hT.hp", ".hd.hp", ".hy.hp", ".hm.hp", ".hi.hp", ".hc.hp", ".hr.hp", ".h.hp", ".ha.hp"};
  long totals[2] = {0, 0};
  int with_threads, with_centres, i;
  for (with_centres = 0; with_centres < 2; with_centres++)
    for (with_threads = 0; with_threads < 2; with_threads++) {
      toy t = with(with_threads ? "-hT -hd -hy -hm -hi -hc -hr -h -ha -i0 -xt" : "-hT -hd -hy -hm -hi -hc -hr -h -ha -i0");
      struct { barrow_frame frame; node *list; void *stack, *thread; } r;
      barrow_ccs *before = NULL;
      BARROW_ENTER(t.m, r);
      r.list = toy_list(t.m, 10);
      if (with_centres) before = barrow_ccs_enter(t.m, &late);
      r.stack = barrow_stack_new(t.m, &stop_info, 100);
      CHECK(r.stack != NULL);
      r.thread = barrow_alloc(t.m, 4);
      ((barrow_word *)r.thread)[0] = (barrow_word)&thread_info;
      ((barrow_word *)r.thread)[1] = (barrow_word)r.list;
      ((barrow_word *)r.thread)[2] = ((barrow_word *)r.thread)[3] = 0;
      if (with_centres) barrow_ccs_leave(t.m, before);
      CHECK_OK(barrow_census(t.m));
      BARROW_LEAVE(t.m, r);
      CHECK_OK(barrow_heap_free(t.heap));
      totals[with_threads] = sum_of(file(".hT.hp"), 1);
      for (i = 0; i < 9; i++) check_equal(__FILE__, __LINE__, endings[i], sum_of(last_of(endings[i]), 1), totals[with_threads]);
      removed(".hr.prof"), removed(".prof");
      if (with_threads) CHECK(totals[1] > totals[0] + 100 * 8);
      CHECK_EQ(totals[0], 10 * (long)sizeof(node));
    }
}

/* Whatever is killed leaves whole samples. */
static void killed(void) {
  pid_t child = fork();
  int status;
  if (child == 0) {
    toy t = with("-hy -ib64k");
    struct { barrow_frame frame; node *list; } r;
    BARROW_ENTER(t.m, r);
    for (;;) {
      r.list = toy_list(t.m, 20000);
      if (times(file(".hp"), "END_SAMPLE") > 20) kill(getpid(), SIGKILL);
    }
  }
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  CHECK(times(file(".hp"), "BEGIN_SAMPLE") > 20);
  CHECK_EQ(times(text, "BEGIN_SAMPLE"), times(text, "END_SAMPLE"));
  CHECK(strlen(text) > 0 && text[strlen(text) - 1] == '\n');
  if (!getenv("BARROW_KEEP_HP")) unlink("profile-test.hp");
}

/* No room for more in the file: the profile ends with whole samples, and nothing else does. */
static void full_disk(void) {
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    struct rlimit most;
    toy t;
    struct { barrow_frame frame; node *list; } r;
    int i;
    signal(SIGXFSZ, SIG_IGN);
    most.rlim_cur = most.rlim_max = 1000;
    setrlimit(RLIMIT_FSIZE, &most);
    t = with("-hy -hT -i0");
    BARROW_ENTER(t.m, r);
    r.list = toy_list(t.m, 100);
    for (i = 0; i < 100; i++) CHECK_OK(barrow_census(t.m));
    CHECK_EQ(toy_sum(r.list), 5050);
    REFUSED(BARROW_E_STATE, barrow_profile_mark(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    _exit(DONE);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  /* Kinds have longer names than types, so the second file is full first; both end with a whole sample. */
  for (status = 0; status < 2; status++) {
    CHECK(times(last_of(status ? ".hT.hp" : ".hy.hp"), "BEGIN_SAMPLE") > 5);
    CHECK_EQ(times(text, "BEGIN_SAMPLE"), times(text, "END_SAMPLE"));
    CHECK(strlen(text) > 0 && text[strlen(text) - 1] == '\n');
  }
}

/* The program closes what it did not open, and opens something else. */
static void closed_descriptor(void) {
  toy t = with("-hy -i0");
  struct { barrow_frame frame; node *list; } r;
  int number, own;
  long length;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_census(t.m));
  for (number = 3; number < 64; number++) close(number);
  own = open("profile-own", O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (number = 3; number < 64; number++)
    if (number != own) dup2(own, number);
  CHECK_OK(barrow_census(t.m));
  REFUSED(BARROW_E_STATE, barrow_profile_mark(t.m));
  length = (long)lseek(own, 0, SEEK_END);
  CHECK_EQ(length, 0);
  for (number = 3; number < 64; number++) close(number);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(times(file(".hp"), "END_SAMPLE"), 2);
  unlink("profile-own"), unlink("profile-test.hp");
}

/* Side tables, all three of them, are no larger than the memory that they are about, and none are there when off. */
static void tables_are_no_larger_than_the_heap(void) {
  toy t = with("-A256k");
  struct { barrow_frame frame; node *list; } r;
  barrow_stats_t stats;
  size_t before = toy_resident();
  BARROW_ENTER(t.m, r);
  CHECK_EQ(toy_stats(t).side_table_bytes, 0);
  CHECK_OK(barrow_profile_start(t.m, "-hc -hy -hr -hbdrag,void -i0"));
  r.list = toy_list(t.m, 1000000);
  CHECK_OK(barrow_census(t.m));
  stats = toy_stats(t);
  CHECK(stats.live_bytes >= 1000000 * sizeof(node));
  CHECK(toy_stats(t).side_table_bytes > 0);
  /* What a mapping has too much of is address space, not memory. */
  if (!toy_is_slow())
    CHECK(toy_resident() - before <= 2 * (stats.resident_bytes - stats.side_table_bytes) + (16u << 20));
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_EQ(toy_stats(t).side_table_bytes, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  removed(".hc.hp"), removed(".hy.hp"), removed(".hr.hp"), removed(".prof");
}

static void misuse(void) {
  toy t = with("");
  barrow_config config;
  barrow_heap *heap = NULL;
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  REFUSED(BARROW_E_ARG, barrow_profile_start(NULL, "-hy"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, ""));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hdNode"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hx"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hy -A1m"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hy -i-1"));
  REFUSED(BARROW_E_ARG, barrow_profile_stop(NULL));
  REFUSED(BARROW_E_ARG, barrow_profile_mark(NULL));
  /* A link is not followed, and a folder is no file. */
  CHECK_EQ(symlink("profile-target", "profile-test.hp"), 0);
  REFUSED(BARROW_E_IO, barrow_profile_start(t.m, "-hy"));
  CHECK(access("profile-target", F_OK) != 0);
  unlink("profile-test.hp");
  barrow_config_init(&config);
  config.flags = "-hy -ponowhere/at/all";
  REFUSED(BARROW_E_IO, barrow_heap_new(&config, &heap, NULL));
  CHECK(heap == NULL);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(by_call);
  RUN(by_bytes);
  RUN(by_bytes_of_all_kinds);
  RUN(by_time);
  RUN(one_head);
  RUN(at_natural_majors);
  RUN(collected_before_it_is_due);
  RUN(several_and_restricted);
  RUN(started_and_stopped);
  RUN(by_what_the_program_has);
  RUN(threads_in_each_break_down);
  RUN(by_producer);
  RUN(killed);
  RUN(full_disk);
  RUN(closed_descriptor);
  RUN(tables_are_no_larger_than_the_heap);
  RUN(misuse);
  return DONE;
}
