/* Races that the thread sanitizer has to report, so that its silence about others means something; ci/sanitize.sh runs it.
 *   race program    two threads store into one word of the program
 *   race library    two threads have the library store into one word
 * The threads wait for each other by a word without an order, which the sanitizer does not take for one: so the stores are never at
 * the same time, and a race all the same. */
#include "../check.h"
#include <pthread.h>
#include <sched.h>

int race_word;
static uint32_t minor;
static int in_library, has_stored;

static void store(void) {
  if (in_library) CHECK_EQ(barrow_abi_version(&minor), BARROW_ABI_MAJOR);
  else race_word++;
}

static void *stores(void *none) {
  store();
  __atomic_store_n(&has_stored, 1, __ATOMIC_RELAXED);
  return none;
}

int main(int count, char **words) {
  pthread_t other;
  in_library = count > 1 && strcmp(words[1], "library") == 0;
  CHECK_EQ(pthread_create(&other, NULL, stores, NULL), 0);
  while (!__atomic_load_n(&has_stored, __ATOMIC_RELAXED)) sched_yield();
  store();
  pthread_join(other, NULL);
  fprintf(stderr, "nobody has seen the race\n");
  return DONE;
}
