/* programs_told.h: steps of random programs (programs.h) that ask the heap to tell of itself: snapshots, samples and reports of costs
 * and of space, each into a file of the player's own, and figures. Others play, or run, meanwhile. */
#ifndef PROGRAMS_TOLD_H
#define PROGRAMS_TOLD_H
#include "programs_cafs.h"
#include "programs_calls.h"
#include "programs_weak.h"
#include "snapshot.h"

static inline const char *own_file(const player *p, const char *kind) {
  static char names[THREADS][80];
  sprintf(names[p->me], "programs-%ld-%d.%s", (long)getpid(), p->me, kind);
  return names[p->me];
}

/* With nobody beside it, the census that follows finds the same objects, without CAFs, which are the program's. */
static inline void tell_snapshot(player *p) {
  const char *name = own_file(p, "snapshot");
  barrow_census_totals_t totals;
  found f;
  WITHIN_LIMIT(heap, barrow_snapshot(p->m, name));
  saw(SAW_SNAPSHOTS);
  if (runs_alone) {
    f = look(name);
    totals.size = (uint32_t)sizeof totals;
    WITHIN_LIMIT(heap, barrow_census(p->m));
    CHECK_OK(barrow_census_totals(heap, &totals));
    CHECK(f.objects >= totals.live_objects && f.objects <= totals.live_objects + CAFS);
    CHECK_EQ(f.words * sizeof(barrow_word), totals.live_bytes + (f.objects - totals.live_objects) * sizeof *cafs);
  }
  unlink(name);
  compare(p, true);
}

static inline void tell_samples(player *p) {
  const char *name = own_file(p, "pprof");
  barrow_status status = barrow_samples_write(p->m, name);
  CHECK(status == BARROW_OK || status == BARROW_E_STATE); /* none are taken */
  saw_many(SAW_SAMPLES, status == BARROW_OK);
  unlink(name);
}

/* Of a profile that has ended, whoever ended it. */
static inline void tell_reports(player *p) {
  const char *name = own_file(p, "report");
  barrow_status status = barrow_space_report(heap, name, "scfj"[draw(p->w, 4)]);
  CHECK(status == BARROW_OK || status == BARROW_E_STATE); /* none has */
  saw_many(SAW_REPORTS, status == BARROW_OK);
  CHECK_OK(barrow_cost_report(p->m, name, 1 + draw(p->w, 4)));
  unlink(name);
}

static inline void tell_figures(void) {
  barrow_heap_state_t state;
  barrow_stats_t stats;
  state.size = (uint32_t)sizeof state;
  stats.size = (uint32_t)sizeof stats;
  CHECK_OK(barrow_heap_state(heap, &state));
  CHECK_OK(barrow_stats(heap, &stats));
  CHECK(state.mblocks_allocated > 0 && stats.allocated_bytes > 0);
  CHECK_OK(barrow_audit(heap));
}

static inline void tell(player *p) {
  switch (draw(p->w, 10)) {
    case 0: tell_snapshot(p); break;
    case 1: case 2: tell_samples(p); break;
    case 3: case 4: tell_reports(p); break;
    default: tell_figures();
  }
}

#endif
