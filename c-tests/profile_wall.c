/* Heap profiles by wall time (-iw): of programs that wait, that mostly collect, and that do neither. */
#define _DEFAULT_SOURCE
#define STEM "profile-wall"
#include "files.h"
#include "toy.h"
#include <pthread.h>
#include <time.h>

static toy with(const char *flags) {
  char line[300];
  sprintf(line, "-po" STEM " %.200s", flags);
  return toy_new(line);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void rest(double seconds) {
  struct timespec t;
  t.tv_sec = (time_t)seconds;
  t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
  nanosleep(&t, NULL);
}

/* The samples that came, those asked for, and the number before `reason`, as the last JOB of a file has them; all came where it
 * has none. */
static void counted(const char *hp, long *came, long *asked, const char *reason, long *number) {
  const char *job = hp, *next, *at;
  while ((next = strstr(job + 1, "JOB \"")) != NULL) job = next;
  *came = (long)times(hp, "BEGIN_SAMPLE") - 2;
  *asked = *came, *number = 0;
  if (job == hp) return;
  at = strrchr(job, '(');
  CHECK(at && sscanf(at, "(%ld of %ld samples:", came, asked) == 2);
  if ((at = strstr(job, reason)) != NULL) {
    for (at--; at > job && at[-1] >= '0' && at[-1] <= '9'; at--) continue;
    *number = atol(at);
  }
}

static double time_of(const char *hp, size_t sample) {
  const char *at = strstr(hp, "BEGIN_SAMPLE ");
  for (; at && sample; sample--) at = strstr(at + 1, "BEGIN_SAMPLE ");
  return at ? atof(at + strlen("BEGIN_SAMPLE ")) : -1;
}

/* ---- another thread with a mutator, which goes at once or stays in foreign code -------------------------------------------- */

typedef struct visitor {
  barrow_heap *heap;
  pthread_t thread;
  bool stays;
  int is_there, may_go;
} visitor;

static void *run_visitor(void *given) {
  visitor *one = (visitor *)given;
  barrow_mutator *m = NULL;
  CHECK_OK(barrow_attach(one->heap, &m));
  if (one->stays) CHECK_OK(barrow_enter_foreign(m));
  __atomic_store_n(&one->is_there, 1, __ATOMIC_RELEASE);
  while (one->stays && !__atomic_load_n(&one->may_go, __ATOMIC_ACQUIRE)) rest(0.002);
  if (one->stays) CHECK_OK(barrow_leave_foreign(m));
  CHECK_OK(barrow_detach(m));
  return NULL;
}

static void visitor_goes(visitor *one, toy t) {
  __atomic_store_n(&one->may_go, 1, __ATOMIC_RELEASE);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_EQ(pthread_join(one->thread, NULL), 0);
  CHECK_OK(barrow_leave_foreign(t.m));
}

static void visitor_comes(visitor *one, toy t) {
  one->heap = t.heap;
  one->is_there = one->may_go = 0;
  CHECK_EQ(pthread_create(&one->thread, NULL, run_visitor, one), 0);
  CHECK_OK(barrow_enter_foreign(t.m));
  while (!__atomic_load_n(&one->is_there, __ATOMIC_ACQUIRE)) rest(0.002);
  CHECK_OK(barrow_leave_foreign(t.m));
  if (!one->stays) visitor_goes(one, t);
}

/* ---- samples ------------------------------------------------------------------------------------------------------------ */

/* A program that mostly waits makes a few words now and then: its CPU time and its nursery would bring no sample at all. */
static void waits(const char *flags, visitor *other) {
  double born = now(), begun, lived; /* of the heap, whose profile begins while it is made */
  toy t = with(flags);
  struct { barrow_frame frame; node *list; } r;
  long came, asked, idle;
  BARROW_ENTER(t.m, r);
  if (other) visitor_comes(other, t);
  begun = now();
  while (now() < begun + 1) {
    rest(0.002);
    r.list = toy_node(t.m, r.list, NULL, 1);
  }
  BARROW_LEAVE(t.m, r);
  if (other && other->stays) visitor_goes(other, t);
  fprintf(stderr, "(A sentence on samples that did not come may stand here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  lived = now() - born;
  counted(last_of(".hp"), &came, &asked, "due while", &idle);
  CHECK(came >= 5); /* on a busy machine too; on an idle one all 50 */
  /* One more may be due between the two readings of the clock. */
  CHECK(asked <= (long)(lived / 0.02) + 1);
  CHECK(asked == came || asked >= 48);
}

static void a_program_that_waits(void) { waits("-hT -iw0.02 -ix100000", NULL); }

/* The first mutator that comes to a safepoint takes the sample, whichever came out of line last. */
static void a_program_that_waits_beside_others(void) {
  visitor other;
  memset(&other, 0, sizeof other);
  waits("-hT -iw0.02 -ix100000 --mutators=2", &other);
  other.stays = true;
  waits("-hT -iw0.02 -ix100000 --mutators=2", &other);
}

/* The times are those of a clock on the wall, and every sample is where it was asked for, or said not to be. */
static void a_long_rest_is_said(void) {
  toy t = with("-hT -hb -iw0.05 -ix100000");
  struct { barrow_frame frame; node *list; } r;
  long came, asked, idle;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  rest(0.8);
  CHECK_OK(barrow_safepoint(t.m));
  rest(0.13);
  CHECK_OK(barrow_safepoint(t.m));
  BARROW_LEAVE(t.m, r);
  fprintf(stderr, "(A sentence on samples that did not come is to be expected here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  counted(file(".hT.hp"), &came, &asked, "due while", &idle);
  CHECK_EQ(came, 2);
  CHECK(asked >= 18 && idle >= 16 && idle <= asked - came);
  CHECK(time_of(text, 1) >= 0.8 && time_of(text, 2) >= time_of(text, 1) + 0.1);
  samples_then_the_rest(text, "JOB \"");
  /* A biography has the same times. */
  CHECK(times(last_of(".hb.hp"), "BEGIN_SAMPLE") == 4);
  CHECK(time_of(text, 1) >= 0.8);
  removed(".hT.hp");
}

/* Samples that take too long are fewer, and the file says that it is for -ix. */
static void samples_that_cost_too_much(void) {
  toy t = with("-hT -iw0.001 -ix10");
  struct { barrow_frame frame; node *list; } r;
  long came, asked, put_off;
  double begun;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 20000);
  for (begun = now(); now() < begun + 0.5;) toy_list(t.m, 1000);
  BARROW_LEAVE(t.m, r);
  fprintf(stderr, "(A sentence on samples that did not come is to be expected here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  counted(last_of(".hp"), &came, &asked, "put off for -ix", &put_off);
  /* On an idle machine most are put off; on a busy one the program itself is late. */
  CHECK(came >= 1 && asked >= 450 && put_off >= 1 && put_off <= asked - came);
}

/* A program that does little but collect: its major collections are the samples, and CPU time of its own hardly passes. */
static void a_program_that_collects(void) {
  toy t = with("-hT -iw0.01");
  struct { barrow_frame frame; node *list; } r;
  long came, asked, number, collections = 0;
  double begun;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 20000);
  for (begun = now(); now() < begun + 0.5; collections++) CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  fprintf(stderr, "(A sentence on samples that did not come may stand here.)\n");
  CHECK_OK(barrow_heap_free(t.heap));
  counted(last_of(".hp"), &came, &asked, "due", &number);
  /* On a busy machine a collection takes longer than the time between two samples, and is one of them at most. */
  CHECK(came >= 25 || came >= collections / 2);
}

int main(void) {
  RUN(a_program_that_waits);
  RUN(a_program_that_waits_beside_others);
  RUN(a_long_rest_is_said);
  RUN(samples_that_cost_too_much);
  RUN(a_program_that_collects);
  return DONE;
}
