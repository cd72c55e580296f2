/* --faults in several threads: a fault that is none of a heap's waits for nobody, and heaps go while the handler of another thread looks. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#include "tasks.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- faults ----------------------------------------------------------------------------------------------------------- */

static sigjmp_buf back;

static void go_on(int number) {
  (void)number;
  siglongjmp(back, 1);
}

#if defined(__GNUC__) || defined(__clang__)
__attribute__((no_sanitize_address))
#endif
static bool faults_at(const volatile char *at) {
  if (sigsetjmp(back, 1) != 0) return true;
  return *at != 0 && false;
}

static const volatile char *nobodys;

/* The client's handler comes after the library's. */
static void expect_faults(void) {
  struct sigaction action;
  void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  nobodys = (const volatile char *)page;
  memset(&action, 0, sizeof action);
  action.sa_handler = go_on;
  CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
}

static void expect_no_faults(void) { signal(SIGSEGV, SIG_DFL); }

/* ---- a heap in which somebody is --------------------------------------------------------------------------------------- */

static size_t stage; /* 1: a thread collects; 2: it may go on */

static void come(size_t to) { __atomic_store_n(&stage, to, __ATOMIC_SEQ_CST); }

/* Whether it has come so far in ten seconds. */
static bool has_come(size_t to) {
  const struct timespec pause = {0, 1000000};
  size_t turns = 0;
  while (__atomic_load_n(&stage, __ATOMIC_SEQ_CST) < to && turns++ < 10000) nanosleep(&pause, NULL);
  return __atomic_load_n(&stage, __ATOMIC_SEQ_CST) >= to;
}

static void on_event(void *client, const barrow_event *event) {
  (void)client;
  if (event->kind != BARROW_EVENT_COLLECTION_BEGINS || __atomic_load_n(&stage, __ATOMIC_SEQ_CST) != 0) return;
  come(1);
  has_come(2);
}

static void collect(task *w, barrow_mutator *m) { MUST(w, barrow_collect(m, true) == BARROW_OK); }

static uint64_t wall_ms(void) {
  struct timespec now;
  CHECK_EQ(clock_gettime(CLOCK_MONOTONIC, &now), 0);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void *fault_elsewhere(void *given) {
  uint64_t begun;
  (void)given;
  CHECK(has_come(1));
  begun = wall_ms();
  CHECK(faults_at(nobodys));
  CHECK(wall_ms() - begun < 1500);
  come(2);
  return NULL;
}

static void a_fault_elsewhere_waits_for_nobody(void) {
  barrow_config config;
  pthread_t thread;
  toy t;
  expect_faults();
  barrow_config_init(&config);
  config.event = on_event;
  t = toy_new_with(&config, "--mutators=2 --faults -A1m");
  CHECK_EQ(pthread_create(&thread, NULL, fault_elsewhere, NULL), 0);
  in_threads(t, 1, task_of(0), collect);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  toy_free(t);
  expect_no_faults();
}

/* ---- heaps that go ------------------------------------------------------------------------------------------------------ */

static void *make_heaps(void *given) {
  size_t i;
  for (i = 0; i < slow_share(400); i++) {
    toy t = toy_new("--mutators=2 --faults -A64k");
    CHECK(toy_list(t.m, 100) != NULL);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_heap_free(t.heap));
  }
  come(3);
  return given;
}

/* A word of freed memory is no address: the handler goes into the first heap that it finds, to say so. */
static void heaps_go_while_a_handler_looks(void) {
  const char *freed = (const char *)(uintptr_t)0xdeadbeefdeadbeef;
  toy first, stays;
  pthread_t thread;
  int words = dup(2), nowhere = open("/dev/null", O_WRONLY);
  size_t faults = 0;
  expect_faults();
  first = toy_new("--faults");
  stays = toy_new("--mutators=2 --faults");
  /* Others have its place from now on, before the one that stays. */
  toy_free(first);
  dup2(nowhere, 2);
  come(0);
  CHECK_EQ(pthread_create(&thread, NULL, make_heaps, NULL), 0);
  while (__atomic_load_n(&stage, __ATOMIC_SEQ_CST) < 3) faults += (size_t)faults_at(nobodys) + (size_t)faults_at(freed);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  dup2(words, 2);
  close(words);
  close(nowhere);
  CHECK(faults > 0 && faults % 2 == 0);
  toy_free(stays);
  expect_no_faults();
}

int main(void) {
  if (toy_under_valgrind()) return DONE;
  RUN(a_fault_elsewhere_waits_for_nobody);
  RUN(heaps_go_while_a_handler_looks);
  return DONE;
}
