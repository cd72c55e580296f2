/* Where files go: heaps of one process have files of their own; pipes are opened once, need a reader, and end no program. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "toy.h"
#include "child.h"
#define STEM "outputs-stem"
#include "files.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static bool there(const char *name) { return access(name, F_OK) == 0; }

/* ---- several heaps ---- */

/* A heap of this many megabytes of garbage: its figures tell it from others. */
static toy worked(const char *flags, int megabytes) {
  toy t = toy_new(flags);
  int i;
  for (i = 0; i < megabytes * 8; i++) memset(barrow_allocate(t.m, 16384), 0, 131072);
  return t;
}

/* What the summary in a file says was allocated, in whole megabytes; -1 without one. */
static long allocated(const char *name) {
  static char whole[65536];
  FILE *in = fopen(name, "r");
  char *at;
  size_t length;
  if (!in) return -1;
  length = fread(whole, 1, sizeof whole - 1, in);
  fclose(in);
  whole[length] = 0;
  at = strstr(whole, "(\"allocated_bytes\", \"");
  return at ? atol(at + strlen("(\"allocated_bytes\", \"")) >> 20 : -1;
}

static void heaps_have_files_of_their_own(void) {
  static const char *const endings[] = {".hp", ".2.hp", ".3.hp", ".4.hp", ".prof", ".2.prof", ".3.prof", ".ticky", ".2.ticky"};
  const char *flags = "-po" STEM " -hT -i1000 -P -r -s" STEM ".figures.txt -t" STEM " --machine-readable";
  toy a = worked(flags, 3), b = worked(flags, 5), c;
  size_t i;
  /* A later profile has a number that no heap has yet. */
  CHECK_OK(barrow_profile_start(a.m, "-hd -i1000"));
  CHECK(there(STEM ".hp") && there(STEM ".2.hp") && there(STEM ".3.hp"));
  toy_free(a);
  toy_free(b);
  CHECK_EQ(allocated(STEM ".figures.txt"), 3);
  CHECK_EQ(allocated(STEM ".figures.2.txt"), 5);
  CHECK_EQ(allocated(STEM), 3);
  CHECK_EQ(allocated(STEM ".2"), 5);
  for (i = 0; i < sizeof endings / sizeof *endings; i++) {
    bool wanted = strcmp(endings[i], ".4.hp") && strcmp(endings[i], ".3.prof");
    if (wanted != (strlen(file(endings[i])) > 100)) check_failed(__FILE__, __LINE__, endings[i], "there, or not");
    removed(endings[i]);
  }
  /* Nobody has the names any more. */
  c = worked(flags, 7);
  toy_free(c);
  CHECK_EQ(allocated(STEM ".figures.txt"), 7);
  CHECK(there(STEM ".hp") && !there(STEM ".2.hp"));
  for (i = 0; i < sizeof endings / sizeof *endings; i++) removed(endings[i]);
  removed(".figures.txt"), removed(".figures.2.txt"), removed(""), removed(".2");
}

static void sampled(toy t) {
  int i;
  for (i = 0; i < 3; i++) {
    memset(barrow_allocate(t.m, 16384), 0, 131072);
    CHECK_OK(barrow_collect(t.m, true));
  }
  toy_free(t);
}

/* A stem with a dot before it, and a name with the number of another heap: each file is whole. */
static void one_file_by_two_names_is_apart(void) {
  static const char *const flags[] = {"-po" STEM " -hT -ib1", "-po./" STEM " -hT -ib1", "-s" STEM ".figures.2.txt", "-s" STEM ".figures.txt",
                                      "-s" STEM ".figures.txt"};
  static const char *const names[] = {".hp", ".2.hp", ".figures.2.txt", ".figures.txt", ".figures.3.txt"};
  toy heaps[5];
  size_t i;
  for (i = 0; i < 5; i++) heaps[i] = toy_new(flags[i]);
  for (i = 0; i < 5; i++) sampled(heaps[i]);
  for (i = 0; i < 5; i++) {
    if (strlen(file(names[i])) < 100) check_failed(__FILE__, __LINE__, names[i], "whole");
    removed(names[i]);
  }
}

/* Reports of costs and profiles by retainers want one name. */
static void costs_and_retainers_have_files_of_their_own(void) {
  toy t = toy_new("-po" STEM " -hr -i1000");
  REFUSED(BARROW_E_STATE, barrow_cost_report(t.m, NULL, BARROW_COST_ALL));
  CHECK(strstr(barrow_last_error(), "is the file of this heap's profile by retainers") != NULL);
  CHECK_OK(barrow_cost_report(t.m, STEM ".costs", BARROW_COST_ALL));
  toy_free(t);
  CHECK(strstr(file(".prof"), "etainer") != NULL);
  CHECK(!there(STEM ".hr.prof"));
  removed(".prof"), removed(".hp"), removed(".costs");
  t = toy_new("-po" STEM);
  CHECK_OK(barrow_cost_report(t.m, NULL, BARROW_COST_ALL));
  CHECK_OK(barrow_profile_start(t.m, "-hr -i1000"));
  toy_free(t);
  CHECK(strstr(file(".prof"), "COST CENTRE") != NULL);
  CHECK(there(STEM ".hr.prof"));
  removed(".prof"), removed(".hr.prof"), removed(".hp");
}

/* ---- pipes ---- */

static const char *const pipe_name = STEM ".pipe";

/* A child that reads a pipe to its end, or leaves after so many bytes; its status is whether it has found some. */
static pid_t reader(long most) {
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    char part[4096];
    int in = open(pipe_name, O_RDONLY);
    long got = 0, length;
    while (got < most && (length = read(in, part, sizeof part)) > 0) got += length;
    close(in);
    _exit(got > 100 ? 0 : 1);
  }
  return child;
}

static int ended(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/* The reader opens its end when it comes to it; a heap before that is refused, and none waits. */
static toy toy_new_when_read(const char *flags) {
  toy t = {NULL, NULL};
  barrow_config config;
  int tries;
  barrow_config_init(&config);
  config.flags = flags;
  for (tries = 0; tries < 1000; tries++) {
    struct timespec pause = {0, 10000000};
    if (barrow_heap_new(&config, &t.heap, &t.m) == BARROW_OK) return t;
    CHECK(strstr(barrow_last_error(), "nobody reads this pipe") != NULL);
    nanosleep(&pause, NULL);
  }
  CHECK(!"the reader came");
  exit(99);
}

static void a_pipe_is_opened_once_and_read_to_its_end(void) {
  static const char *const flags[] = {"-s" STEM ".pipe", "-t" STEM ".pipe", "-S" STEM ".pipe", "-r" STEM ".pipe"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    pid_t child = reader(1L << 30);
    toy t = toy_new_when_read(flags[i]);
    CHECK_OK(barrow_collect(t.m, true));
    toy_free(t);
    CHECK_EQ(ended(child), 0);
  }
}

static void a_pipe_without_a_reader_is_refused(void) {
  static const char *const flags[] = {"-s" STEM ".pipe", "-t" STEM ".pipe", "-S" STEM ".pipe", "-r" STEM ".pipe"};
  barrow_config config;
  toy t;
  size_t i;
  barrow_config_init(&config);
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    config.flags = flags[i];
    REFUSED(BARROW_E_IO, barrow_heap_new(&config, &t.heap, &t.m));
  }
  t = toy_new("");
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, pipe_name));
  REFUSED(BARROW_E_IO, barrow_cost_report(t.m, pipe_name, BARROW_COST_ALL));
  CHECK(strstr(barrow_last_error(), "nobody reads this pipe") != NULL);
  toy_free(t);
}

/* The readers of a heap profile and of the lines of -S leave; the program goes on. */
static void a_reader_that_leaves_ends_no_program(void) {
  pid_t child = reader(1);
  toy t = toy_new_when_read("-S" STEM ".pipe");
  int i;
  CHECK(WIFEXITED(ended(child)));
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_heap_free(t.heap), BARROW_E_IO);
  CHECK(signal(SIGPIPE, SIG_DFL) == SIG_DFL);
}

/* And the reader of --stops: one sentence when a piece of lines goes nowhere, and no more lines. */
static void a_reader_of_stops_leaves(void) {
  pid_t child = reader(1);
  toy t = toy_new_when_read("--stops=" STEM ".pipe");
  int i;
  CHECK(WIFEXITED(ended(child)));
  for (i = 0; i < 400; i++) CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(barrow_heap_free(t.heap), BARROW_E_IO);
  CHECK(strstr(barrow_last_error(), ".pipe") != NULL);
}

/* The same of the standard error stream, where the sentences go. */
static void a_closed_error_stream_ends_no_program(void) {
  int ends[2], kept = dup(2);
  toy t = toy_new("-s -S");
  CHECK_EQ(pipe(ends), 0);
  dup2(ends[1], 2);
  close(ends[0]);
  close(ends[1]);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_heap_free(t.heap));
  dup2(kept, 2);
  close(kept);
}

/* ---- a pipe whose reader is slow ---- */

enum { TYPES = 1000, NAME = 600 };
static barrow_info types[TYPES];
static barrow_names type_names[TYPES];
static char long_names[TYPES][NAME];

/* Writes names, more than a pipe holds, into the pipe. */
static void *writes_names(void *samples) {
  toy t = toy_new(samples ? "--sample-every=8" : "");
  barrow_status status;
  struct { barrow_frame frame; node *list; } r;
  int i;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < TYPES; i++) {
    node *made = (node *)barrow_alloc(t.m, sizeof(node) / 8);
    made->header = (barrow_word)&types[i];
    made->left = r.list, made->right = NULL, made->value = 0;
    r.list = made;
  }
  status = samples ? barrow_samples_write(t.m, pipe_name) : barrow_snapshot(t.m, pipe_name);
  CHECK_OK(status);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return NULL;
}

/* Waits until the writer stands. */
static void await_full(int in) {
  struct timespec pause = {0, 10000000};
  int held = 0, before;
  do {
    before = held;
    nanosleep(&pause, NULL);
    CHECK_EQ(ioctl(in, FIONREAD, &held), 0);
  } while (held < 40000 || held != before);
}

/* A heap whose file stands in a pipe does not keep another one from a census. Not all that it writes is names, so it is made
 * to stand in several places. */
static void others_go_on_while_names_wait(void *samples) {
  int in = open(pipe_name, O_RDONLY | O_NONBLOCK), round;
  static char part[4096];
  pthread_t writer;
  toy t;
  CHECK(in >= 0);
  CHECK_EQ(pthread_create(&writer, NULL, writes_names, samples), 0);
  alarm(60);
  for (round = 0; round < 12; round++) {
    await_full(in);
    t = toy_new("-hd -i1000 -po" STEM);
    CHECK_OK(barrow_census(t.m));
    toy_free(t);
    CHECK(read(in, part, sizeof part) == (ssize_t)sizeof part);
  }
  alarm(300);
  fcntl(in, F_SETFL, 0);
  while (read(in, part, sizeof part) > 0) {}
  close(in);
  CHECK_EQ(pthread_join(writer, NULL), 0);
  removed(".hp");
}

static void names_in_a_slow_pipe(void) {
  int i;
  for (i = 0; i < TYPES; i++) {
    memset(long_names[i], 'n', NAME - 1);
    sprintf(long_names[i], "%d", i);
    long_names[i][strlen(long_names[i])] = 'n';
    type_names[i] = node_info_names;
    type_names[i].description = type_names[i].type_name = long_names[i];
    types[i] = node_info;
    types[i].id = 0;
    types[i].names = &type_names[i];
  }
  others_go_on_while_names_wait(NULL);
  others_go_on_while_names_wait(types);
}

/* ---- names that somebody has planted ---- */

static void another_name_of_a_file_keeps_it(void) {
  static const char *const flags[] = {"-hT -i1000 -po" STEM, "-S" STEM ".hp", "-s" STEM ".hp", "-r" STEM ".hp"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    FILE *precious = fopen(STEM ".precious", "w");
    fputs("precious", precious);
    fclose(precious);
    removed(".hp");
    CHECK_EQ(link(STEM ".precious", STEM ".hp"), 0);
    toy_free(toy_new(flags[i]));
    CHECK(strcmp(file(".precious"), "precious") == 0);
    CHECK(strlen(file(".hp")) > 100);
  }
  removed(".hp"), removed(".precious");
}

/* A stream that does not wait, such as a terminal that another program has made so, is waited for. */
static void report_without_waiting(void) {
  clog_stderr(false);
  toy_free(worked("-s", 1));
}

static void a_full_error_stream_is_waited_for(void) {
  int status = status_of(report_without_waiting);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(strstr(said, "bytes allocated in the heap") != NULL);
}

/* ---- streams of the process that are files ---- */

/* The file of a stream: what the program writes before and behind its reports stays, and so do they. */
static void report_between(int stream, const char *name, int which) {
  static const char *const flags[] = {"-s", "-S", "-t", "-r", "--space=", "--samples=", "--stops="};
  char line[200], whole[200];
  size_t length, place = 7;
  FILE *in;
  barrow_space_options options;
  uint32_t run;
  toy t;
  int kept = dup(stream), to = open(STEM ".stream", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK_EQ(dup2(to, stream), stream);
  close(to);
  CHECK_EQ(write(stream, "before\n", 7), 7);
  sprintf(line, "-A64k -po" STEM " %s%s", which < 7 ? flags[which] : "--samples=/dev/nu", which < 7 ? name : "ll");
  t = toy_new(line);
  CHECK_EQ(write(stream, "amid\n", 5), 5);
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  if (which == 7) CHECK_OK(barrow_cost_report(t.m, name, BARROW_COST_ALL));
  if (which == 8) CHECK_OK(barrow_ticky_report(t.m, name));
  if (which == 9) CHECK_OK(barrow_samples_write(t.m, name));
  if (which == 10) CHECK_OK(barrow_snapshot(t.m, name));
  if (which == 11) {
    CHECK_OK(barrow_space_begin(t.m, &options, &run));
    CHECK_OK(barrow_space_end(t.m, run));
    CHECK_OK(barrow_space_report(t.heap, name, 's'));
  }
  toy_free(t);
  CHECK_EQ(write(stream, "behind\n", 7), 7);
  CHECK_EQ(dup2(kept, stream), stream);
  close(kept);
  /* Some reports have bytes of zero. */
  in = fopen(STEM ".stream", "r");
  length = in ? fread(text, 1, sizeof text, in) : 0;
  if (in) fclose(in);
  removed(".stream");
  while (place + 12 < length && memcmp(text + place, "amid\n", 5) != 0) place++;
  sprintf(whole, "%s, report %d", name, which);
  if (length < 40 || place + 12 >= length || memcmp(text, "before\n", 7) != 0 || memcmp(text + length - 7, "behind\n", 7) != 0)
    check_failed(__FILE__, __LINE__, whole, "whole, with what the program wrote around it");
}

static void streams_that_are_files_are_written_on(void) {
  int which;
  if (access("/dev/stdout", F_OK) != 0 || access("/dev/fd/2", F_OK) != 0) return;
  fflush(stdout);
  for (which = 0; which < 12; which++) {
    report_between(1, "/dev/stdout", which);
    report_between(2, "/dev/stderr", which);
    report_between(1, "/dev/fd/1", which);
    report_between(2, "/proc/self/fd/2", which);
  }
}

int main(void) {
  signal(SIGPIPE, SIG_DFL);
  alarm(300);
  unlink(pipe_name);
  CHECK_EQ(mkfifo(pipe_name, 0600), 0);
  RUN(heaps_have_files_of_their_own);
  RUN(one_file_by_two_names_is_apart);
  RUN(costs_and_retainers_have_files_of_their_own);
  RUN(a_pipe_without_a_reader_is_refused);
  RUN(a_pipe_is_opened_once_and_read_to_its_end);
  RUN(a_reader_that_leaves_ends_no_program);
  RUN(a_reader_of_stops_leaves);
  RUN(a_closed_error_stream_ends_no_program);
  RUN(a_full_error_stream_is_waited_for);
  RUN(names_in_a_slow_pipe);
  RUN(another_name_of_a_file_keeps_it);
  RUN(streams_that_are_files_are_written_on);
  unlink(pipe_name);
  return DONE;
}
