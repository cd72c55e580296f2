/* shortage.h: a heap of random programs (programs.h) whose limit is met: blocks that the client has taken (programs_limits.h), and the hook
 * that gives them back. */
#ifndef SHORTAGE_H
#define SHORTAGE_H
#include "sights.h"
#include <pthread.h>

/* Without a limit, so many groups are taken; a tenth in the small range of addresses that a heap has under valgrind (c-tests/run.sh). */
enum { MOST_GROUPS = 400, MOST_BLOCKS = 600, MOST_TRIES = 1000 };
static inline unsigned groups_at_most(void) { return getenv("BARROW_TEST_VALGRIND") ? MOST_GROUPS / 10 : MOST_GROUPS; }

static pthread_mutex_t at_groups = PTHREAD_MUTEX_INITIALIZER;
static barrow_bdescr *groups[MOST_GROUPS];
static bool has_limit;
static unsigned taken, tries; /* tries: that found no group to give back */

static inline bool give_groups_back(barrow_heap *to) {
  bool any;
  pthread_mutex_lock(&at_groups);
  any = taken > 0;
  while (taken > 0) CHECK_OK(barrow_free_group(to, groups[--taken]));
  tries = any ? 0 : tries + 1;
  any = tries < MOST_TRIES;
  pthread_mutex_unlock(&at_groups);
  return any;
}

/* Goes on in the hook, where this mutator's roots have all that is live. */
static void (*in_hook)(void);

/* The hook. Another thread may have given all of it back just now, so that there is room. */
static bool make_room(void *client, barrow_mutator *m, size_t bytes) {
  bool any = give_groups_back(barrow_heap_of(m));
  CHECK(client == NULL && bytes > 0);
  saw(SAW_LIMITS);
  in_hook();
  return any;
}

/* A call that may collect, and has no hook: it can be made again when there is room. */
#define WITHIN_LIMIT(heap, call)                                            \
  do {                                                                      \
    barrow_status status_ = (call);                                         \
    while (status_ == BARROW_E_LIMIT && give_groups_back(heap)) {           \
      saw(SAW_REFUSALS);                                                    \
      status_ = (call);                                                     \
    }                                                                       \
    if (status_ != BARROW_OK) check_failed(__FILE__, __LINE__, #call, barrow_last_error()); \
  } while (0)

#endif
