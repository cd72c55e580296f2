/* A process has these once, and eight threads ask for them at the same time: the default heap, which is made for the first of them, its
 * one mutator, and the standard error stream, to which all write their stacks of cost centres. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tasks.h"
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 20 };
static size_t come, flagged, refused, owners;
static barrow_heap *heaps[THREADS];
static const char *helps[THREADS];

static void await(const size_t *word, size_t many) {
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < many) sched_yield();
}
static void add(size_t *word, size_t n) { __atomic_add_fetch(word, n, __ATOMIC_SEQ_CST); }
/* All come so many times. */
static void meet(size_t times) {
  add(&come, 1);
  await(&come, times * THREADS);
}

static void *asks(void *given) {
  size_t number = (size_t)given, round;
  barrow_mutator *m;
  meet(1);
  helps[number] = barrow_flags_help();
  if (barrow_default_flags("-A1m") == BARROW_OK) add(&flagged, 1); else add(&refused, 1);
  heaps[number] = barrow_default_heap();
  for (round = 1; round <= ROUNDS; round++) {
    meet(2 * round);
    m = NULL;
    if ((number + round) % 2 == 0) m = barrow_default_mutator();
    else if (barrow_attach(heaps[number], &m) != BARROW_OK) m = NULL;
    add(&owners, m != NULL);
    meet(2 * round + 1); /* the owner keeps it until all have asked */
    if (m) {
      CHECK(toy_sum(toy_list(m, 100)) == 5050);
      CHECK_OK(barrow_collect(m, true));
      CHECK(barrow_default_mutator() == m);
      CHECK_OK(barrow_detach(m));
    }
  }
  return NULL;
}

/* Flags are not lost when no heap can be made with them yet. */
static void flags_stay_for_another_attempt(void) {
  pid_t child;
  int status = -1;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    char value[32];
    check_failures = 0;
    CHECK_OK(barrow_default_flags("-A512k --stops=threads_default.d/stops"));
    check_forget();
    CHECK(barrow_default_heap() == NULL && barrow_default_mutator() == NULL);
    check_sentence(__FILE__, __LINE__, "barrow_default_heap");
    CHECK_EQ(mkdir("threads_default.d", 0700), 0);
    CHECK_OK(barrow_flag_value(barrow_default_heap(), "-A", value, sizeof value));
    CHECK(strcmp(value, "524288") == 0);
    CHECK_OK(barrow_flag_value(barrow_default_heap(), "--stops", value, sizeof value));
    CHECK(strcmp(value, "threads_default.d/stops") == 0);
    CHECK_OK(barrow_collect(barrow_default_mutator(), true));
    CHECK_OK(barrow_detach(barrow_default_mutator()));
    remove("threads_default.d/stops");
    CHECK_EQ(rmdir("threads_default.d"), 0);
    _exit(check_failures != 0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(status, 0);
}

static void one_default_heap_for_eight(void) {
  pthread_t threads[THREADS];
  char value[16];
  size_t i;
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, asks, (void *)i), 0);
  for (i = 0; i < THREADS; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(flagged + refused, THREADS);
  CHECK(flagged >= 1); /* flags come before the heap in each thread */
  CHECK_EQ(owners, ROUNDS);
  CHECK(heaps[0] != NULL && strlen(helps[0]) > 1000);
  for (i = 1; i < THREADS; i++) CHECK(heaps[i] == heaps[0] && helps[i] == helps[0]);
  CHECK_OK(barrow_flag_value(heaps[0], "-A", value, sizeof value));
  CHECK(strcmp(value, "1048576") == 0);
  REFUSED(BARROW_E_STATE, barrow_default_flags("-A2m"));
  /* Another thread may have its mutator now. */
  CHECK(barrow_default_mutator() != NULL);
}

static barrow_cc outer = BARROW_CC("outer", "Main", "main.src:1:1-9"), inner = BARROW_CC("inner", "Main", "main.src:2:3-7");

static void prints(task *w, barrow_mutator *m) {
  size_t i;
  all_come(w, m, (size_t *)w->shared);
  for (i = 0; i < w->rounds; i++) {
    barrow_ccs *before = barrow_ccs_enter(m, &outer);
    barrow_ccs *within = barrow_ccs_enter(m, &inner);
    MUST(w, barrow_ccs_print(m, NULL) == BARROW_OK);
    barrow_ccs_leave(m, within);
    MUST(w, barrow_ccs_print(m, NULL) == BARROW_OK);
    barrow_ccs_leave(m, before);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
  }
}

/* Each stack is written as a whole, in whatever order. */
static void stacks_of_eight_are_printed(void) {
  const size_t rounds = 10;
  toy t = shared_heap("-p -A1m -po./threads_default");
  task like = task_of(rounds);
  int before = dup(2);
  size_t inners = 0, outers = 0, others = 0, waiting = 0;
  char line[200];
  bool follows = false;
  FILE *words;
  fflush(stderr);
  CHECK(freopen("threads_default.words", "w", stderr) != NULL);
  like.shared = &waiting;
  in_threads(t, THREADS, like, prints);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  words = fopen("threads_default.words", "r");
  CHECK(words != NULL);
  while (words && fgets(line, sizeof line, words)) {
    if (strstr(line, "inner")) inners++;
    else if (strstr(line, "outer")) outers++;
    else others++, fprintf(stdout, "%s", line);
    CHECK(!follows || strstr(line, "outer") != NULL);
    follows = strstr(line, "inner") != NULL;
  }
  if (words) fclose(words);
  CHECK_EQ(inners, THREADS * rounds);
  CHECK_EQ(outers, 2 * THREADS * rounds);
  CHECK_EQ(others, 0);
  toy_free(t);
  remove("threads_default.words");
  remove("threads_default.prof");
}

int main(void) {
  RUN(flags_stay_for_another_attempt);
  RUN(one_default_heap_for_eight);
  RUN(stacks_of_eight_are_printed);
  return DONE;
}
