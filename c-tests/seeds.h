/* seeds.h: which seeds a test of random programs runs, and what it says of the one that fails. A seed decides everything: the flags,
 * the number of threads, and the program.
 *
 *   BARROW_TEST_SEEDS=1000   so many, from 1 on; without it, as many as the test says
 *   BARROW_TEST_SEED=17      this one alone, or with BARROW_TEST_SEEDS the first of so many
 *
 * A run that fails, crashes, or is ended by the clock of c-tests/run.sh says which BARROW_TEST_SEED repeats it. */
#ifndef SEEDS_H
#define SEEDS_H
#include "check.h"
#include <signal.h>
#include <unistd.h>

typedef struct seeds { uint64_t first, end; } seeds;

static inline uint64_t seed_number(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* So many seeds; of those that the environment asks for, one in `every`, and one at least. */
static inline seeds seeds_to_run(uint64_t usual, uint64_t every) {
  uint64_t asked = seed_number("BARROW_TEST_SEEDS", getenv("BARROW_TEST_SEED") ? 1 : 0);
  seeds s;
  s.first = seed_number("BARROW_TEST_SEED", 1);
  s.end = s.first + (asked ? (asked + every - 1) / every : usual);
  return s;
}

/* What repeats the run that is under way. */
static char seed_told[400];
static const int seed_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM};
enum { SEED_SIGNALS = sizeof seed_signals / sizeof *seed_signals };
static struct sigaction seed_before[SEED_SIGNALS];

/* Says the seed, and leaves the rest to who had the signal before: a sanitizer, which wants the address, or the system. */
static void seed_ended(int signal) {
  int i;
  if (write(2, seed_told, strlen(seed_told)) < 0) _exit(97);
  for (i = 0; i < SEED_SIGNALS; i++)
    if (seed_signals[i] == signal) sigaction(signal, &seed_before[i], NULL);
  if (signal == SIGABRT || signal == SIGTERM) raise(signal);
}

static inline void seed_begins(const char *program, uint64_t seed, int mutators, const char *flags) {
  static bool caught;
  int i;
  sprintf(seed_told, "%s: %sBARROW_TEST_SEED=%llu repeats this: %d mutators, %.200s\n", program,
          getenv("BARROW_TEST_SLOW") ? "BARROW_TEST_SLOW=1 " : "", (unsigned long long)seed, mutators, flags);
  if (caught) return;
  caught = true;
  for (i = 0; i < SEED_SIGNALS; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = seed_ended;
    sigaction(seed_signals[i], &action, &seed_before[i]);
  }
}

static inline void seed_ends(void) {
  if (check_failures) fputs(seed_told, stderr);
}
#endif
