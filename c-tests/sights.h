/* sights.h: how often random programs (programs.h) have seen the library do what they are about: a program that never waits tests no
 * waiting. */
#ifndef SIGHTS_H
#define SIGHTS_H
#include "toy.h"
#include <unistd.h>

/* How often each of these was seen, in all programs of a run of the test. A rare thing is asked for in full sizes alone. */
enum { SAW_WEAK_DEATHS, SAW_FINALIZERS, SAW_TEAMS, SAW_WAITS, SAW_RINGS, SAW_GONE, SAW_TURNS, SAW_TURNS_IN_THE_MIDDLE, SAW_COLLECTIONS_MEANWHILE,
       SAW_COMPARED_TWICE, SAW_MOVES, SAW_NAMES_AGAIN, SAW_RESERVED, SAW_EXTENDED, SAW_SNAPSHOTS, SAW_SAMPLES, SAW_REPORTS, SAW_CAPTURED, SAW_RESUMED, SAW_GROUPS, SAW_LIMITS, SAW_REFUSALS, SAW_HOOKS, SAW_APPLIED, SAW_CENTRES, SIGHTS };
static const char *const sight_names[SIGHTS] = {"weak deaths", "finalizers", "collections by several workers", "waits for a value", "rings",
                                                "thunks of mutators that are gone", "turns", "turns in the middle of a step",
                                                "major collections while a thunk is claimed", "second references", "moves that were told", "names asked for again",
                                                "reserved words", "open areas that were extended", "snapshots", "files of samples", "reports of space", "captured frames", "captured frames that were reinstated",
                                                "groups of blocks", "limits that were met", "collections that had no room", "collections in the hook", "applications that were evaluated", "cost centres that were entered"};
static size_t sights[SIGHTS];

static inline void saw_many(int what, size_t times) { __atomic_add_fetch(&sights[what], times, __ATOMIC_RELAXED); }
static inline void saw(int what) { saw_many(what, 1); }

/* What small sizes may miss. */
enum { SAW_RARELY = 1u << SAW_RINGS | 1u << SAW_GONE | 1u << SAW_REPORTS | 1u << SAW_SAMPLES | 1u << SAW_REFUSALS | 1u << SAW_HOOKS };

/* At the end of a test that has run all of its seeds; `rare` and `never` are sights, as bits. */
static inline void match_sights(unsigned rare, unsigned never) {
  int i;
  if (check_failures || getenv("BARROW_TEST_SEED")) return;
  for (i = 0; i < SIGHTS; i++) {
    if (getenv("BARROW_TEST_SIGHTS")) fprintf(stderr, "%s: %lu\n", sight_names[i], (unsigned long)sights[i]);
    if (never >> i & 1) CHECK_EQ(sights[i], 0);
    else if (sights[i] == 0 && !(rare >> i & 1 && toy_is_slow())) check_failed(__FILE__, __LINE__, sight_names[i], "never seen");
  }
}

/* ---- what the library tells at the end of a heap ----------------------------------------------------------------------- */

static inline const char *report_of_heap(void) {
  static char name[60];
  sprintf(name, "programs-%ld.pairs", (long)getpid());
  return name;
}

/* Collections in which several workers took part, from the report, which goes away. It says nothing of none. */
static inline void read_report(void) {
  char line[200];
  const char *at;
  FILE *file = fopen(report_of_heap(), "r");
  CHECK(file != NULL);
  while (file && fgets(line, sizeof line, file)) {
    at = strstr(line, "\"parallel_collections\", \"");
    if (at) saw_many(SAW_TEAMS, strtoul(strchr(at, ',') + 3, NULL, 10));
  }
  if (file) fclose(file);
  unlink(report_of_heap());
}

#endif
