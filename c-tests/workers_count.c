/* The number of workers: as many threads take part in a collection as the process may use; they are there when a collection wants
 * them, and gone with the heap. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "toy.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where the C library puts the variables of a thread into its stack, these would leave a worker too little of it. */
__extension__ static __thread volatile char of_each_thread[248 << 10];

static int threads_now(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  CHECK(tasks != NULL);
  while (readdir(tasks)) count++;
  CHECK(closedir(tasks) == 0);
  return count - 2;
}

/* Threads of this process. The system lists a thread for a while after it was joined, so the number has to stay for 20 ms. */
static int threads(void) {
  const struct timespec pause = {0, 1000 * 1000};
  int count = threads_now(), same = 0;
  while (same < 20) {
    int now;
    nanosleep(&pause, NULL);
    now = threads_now();
    same = now == count ? same + 1 : 0;
    count = now;
  }
  return count;
}

/* A heap with these flags has so many threads in a collection. */
static void so_many_collect(const char *flags, int expected) {
  int before = threads();
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *tree; } r;
  BARROW_ENTER(t.m, r);
  r.tree = toy_tree(t.m, 17);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(threads(), before - 1 + expected);
  CHECK_EQ(toy_count(r.tree), ((size_t)1 << 18) - 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(threads(), before);
}

/* One processor is one worker, unless more are asked for in any case. */
static void the_affinity_is_a_bound(void) {
  cpu_set_t all, one;
  size_t cpu = 0;
  CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  while (!CPU_ISSET(cpu, &all)) cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  so_many_collect("--workers=8", 1);
  so_many_collect("--workers=3!", 3);
  CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

static int asked_to_stay_away, is_there, may_end;

/* A second mutator, which comes to a safepoint time and again or is in foreign code. */
static void *second(void *heap) {
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach((barrow_heap *)heap, &m));
  if (asked_to_stay_away) CHECK_OK(barrow_enter_foreign(m));
  __atomic_store_n(&is_there, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&may_end, __ATOMIC_ACQUIRE))
    if (asked_to_stay_away) sched_yield();
    else CHECK_OK(barrow_safepoint(m));
  if (asked_to_stay_away) CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

/* Processors that this process may use, 2 at most: as many as take part where two are asked for. A container can have a quota. */
static int usable(void) {
  int before = threads(), count;
  toy t = toy_new("--workers=2");
  struct { barrow_frame frame; node *tree; } r;
  BARROW_ENTER(t.m, r);
  r.tree = toy_tree(t.m, 17);
  CHECK_OK(barrow_collect(t.m, true));
  count = threads() - before + 1;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return count;
}

/* Unless it is said, as many take part as were stopped. A thread in foreign code may go on there, and is none of them. */
static void as_many_as_were_stopped(void) {
  const int most = usable();
  for (asked_to_stay_away = 0; asked_to_stay_away < 2; asked_to_stay_away++) {
    toy t = toy_new("--mutators=2");
    struct { barrow_frame frame; node *tree; } r;
    pthread_t other;
    int more = asked_to_stay_away || most < 2 ? 0 : 1, before;
    BARROW_ENTER(t.m, r);
    r.tree = toy_tree(t.m, 17);
    is_there = may_end = 0;
    CHECK_OK(barrow_enter_foreign(t.m));
    CHECK_EQ(pthread_create(&other, NULL, second, t.heap), 0);
    while (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE)) sched_yield();
    CHECK_OK(barrow_leave_foreign(t.m));
    before = threads();
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(threads(), before + more);
    CHECK_EQ(toy_count(r.tree), ((size_t)1 << 18) - 1);
    __atomic_store_n(&may_end, 1, __ATOMIC_RELEASE);
    CHECK_OK(barrow_enter_foreign(t.m));
    pthread_join(other, NULL);
    CHECK_OK(barrow_leave_foreign(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* What workers take is the collections' CPU time: of all threads' time together, the heap has as much as the process. */
static void their_time_counts(void) {
  toy t = toy_new("--workers=2!");
  struct { barrow_frame frame; node *tree; } r;
  struct timespec before, after, mine_before, mine_after;
  uint64_t all, mine, booked;
  int i;
  BARROW_ENTER(t.m, r);
  r.tree = toy_tree(t.m, 16);
  CHECK_OK(barrow_collect(t.m, true));
  booked = toy_stats(t).gc_cpu_ns;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine_before);
  for (i = 0; i < 10; i++) CHECK_OK(barrow_collect(t.m, true));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine_after);
  booked = toy_stats(t).gc_cpu_ns - booked;
  all = (uint64_t)(after.tv_sec - before.tv_sec) * 1000000000u + (uint64_t)(after.tv_nsec - before.tv_nsec);
  mine = (uint64_t)(mine_after.tv_sec - mine_before.tv_sec) * 1000000000u + (uint64_t)(mine_after.tv_nsec - mine_before.tv_nsec);
  CHECK(booked <= all);
  /* Neither sleeping and waking nor what checking mode walks through is booked. */
  CHECK(toy_is_checked() || booked + (all - mine) / 4 + mine / 10 > mine);
  CHECK(toy_is_checked() || all - mine < mine / 10 || booked > mine);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The CPU time of this thread, in nanoseconds. */
static uint64_t mine_so_far(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The CPU time of a thread that goes on in foreign code beside collections is not theirs; of one that stands, that is what it does
 * for them. */
static void the_time_of_others_counts_when_they_take_part(void) {
  const int most = usable();
  for (asked_to_stay_away = 0; asked_to_stay_away < 2; asked_to_stay_away++) {
    toy t = toy_new("--mutators=2");
    struct { barrow_frame frame; node *tree; } r;
    pthread_t other;
    bool more = false;
    int i;
    BARROW_ENTER(t.m, r);
    r.tree = toy_tree(t.m, 16);
    is_there = may_end = 0;
    CHECK_OK(barrow_enter_foreign(t.m));
    CHECK_EQ(pthread_create(&other, NULL, second, t.heap), 0);
    while (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE)) sched_yield();
    CHECK_OK(barrow_leave_foreign(t.m));
    for (i = 0; i < (asked_to_stay_away ? 10 : 500) && !more; i++) {
      uint64_t booked = toy_stats(t).gc_cpu_ns, mine = mine_so_far();
      CHECK_OK(barrow_collect(t.m, true));
      mine = mine_so_far() - mine;
      more = toy_stats(t).gc_cpu_ns - booked > mine;
    }
    CHECK(asked_to_stay_away ? !more : more || most < 2 || toy_is_checked());
    __atomic_store_n(&may_end, 1, __ATOMIC_RELEASE);
    CHECK_OK(barrow_enter_foreign(t.m));
    pthread_join(other, NULL);
    CHECK_OK(barrow_leave_foreign(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

#ifndef __SANITIZE_THREAD__ /* which lets no such child start threads */
static bool put_in_file(const char *folder, const char *file, const char *text) {
  char path[200];
  int to;
  bool done;
  sprintf(path, "%.120s/%.60s", folder, file);
  to = open(path, O_WRONLY);
  if (to < 0) return false;
  done = write(to, text, strlen(text)) == (ssize_t)strlen(text);
  return close(to) == 0 && done;
}

/* A child in a control group that may use one processor, of version 2 or 1, where this process may make such a group. */
static void the_quota_is_a_bound(void) {
  static const char *const kinds[][3] = {{"/sys/fs/cgroup", "cpu.max", "100000 100000"},
                                         {"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000"}};
  enum { CANNOT_ENTER = 77 };
  char group[100];
  size_t i, tried = 0;
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    int status = 0;
    pid_t child;
    sprintf(group, "%s/barrow-test-%ld", kinds[i][0], (long)getpid());
    if (mkdir(group, 0700) != 0) continue;
    if (put_in_file(group, kinds[i][1], kinds[i][2])) {
      child = fork();
      if (child == 0) {
        if (!put_in_file(group, "cgroup.procs", "0")) _exit(CANNOT_ENTER);
        so_many_collect("--workers=8", 1);
        so_many_collect("--workers=3!", 3);
        _exit(check_failures != 0);
      }
      CHECK(child > 0 && waitpid(child, &status, 0) == child);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != CANNOT_ENTER) {
        CHECK_EQ(status, 0);
        tried++;
      }
    }
    rmdir(group);
  }
  if (tried == 0) check_skipped("no control group can be made here");
}

/* The child has none of the threads, and starts its own. */
static void a_child_has_its_own(void) {
  toy t = toy_new("--workers=4!");
  struct { barrow_frame frame; node *tree; } r;
  int before = threads(), status = -1;
  pid_t child;
  BARROW_ENTER(t.m, r);
  r.tree = toy_tree(t.m, 12);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(threads(), before + 3);
  fflush(NULL);
  barrow_fork_prepare();
  child = fork();
  if (child == 0) {
    barrow_fork_child();
    check_failures = 0;
    before = threads();
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(threads(), before + 3);
    CHECK_EQ(toy_count(r.tree), ((size_t)1 << 13) - 1);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    CHECK_EQ(threads(), before);
    _exit(check_failures != 0);
  }
  barrow_fork_parent();
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_count(r.tree), ((size_t)1 << 13) - 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(threads(), before);
}
#endif

static void numbers_are_read(void) {
  static const char *refused[] = {"--workers=0", "--workers=65", "--workers=", "--workers=!", "--workers=2!!"};
  size_t i;
  toy t = toy_new("--workers=7!");
  char value[32];
  CHECK_OK(barrow_flag_value(t.heap, "--workers", value, sizeof value));
  CHECK(strcmp(value, "7!") == 0);
  toy_free(t);
  for (i = 0; i < sizeof refused / sizeof *refused; i++) {
    barrow_config config;
    barrow_heap *heap = NULL;
    barrow_mutator *m = NULL;
    barrow_config_init(&config);
    config.flags = refused[i];
    CHECK(barrow_heap_new(&config, &heap, &m) != BARROW_OK);
  }
}

int main(void) {
  of_each_thread[0] = 1;
  RUN(numbers_are_read);
  RUN(as_many_as_were_stopped);
  RUN(the_affinity_is_a_bound);
  RUN(their_time_counts);
  RUN(the_time_of_others_counts_when_they_take_part);
#ifndef __SANITIZE_THREAD__
  if (!toy_is_emulated()) RUN(a_child_has_its_own);
  if (!toy_is_emulated()) RUN(the_quota_is_a_bound);
#endif
  return DONE;
}
