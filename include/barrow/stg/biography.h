/* A part of barrow/stg.h: biography: LDV words and records. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_BIOGRAPHY_H
#define BARROW_STG_BIOGRAPHY_H

#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PROF_HDR_SIZE
/* Profiles keep their words of an object beside the heap. */
#define PROF_HDR_SIZE 0
#endif
#define LDV_SHIFT BARROW_BIOGRAPHY_SHIFT
#define LDV_STATE_MASK BARROW_BIOGRAPHY_STATE_MASK
#define LDV_CREATE_MASK BARROW_BIOGRAPHY_CREATE_MASK
#define LDV_LAST_MASK BARROW_BIOGRAPHY_LAST_MASK
#define LDV_STATE_CREATE BARROW_BIOGRAPHY_CREATED
#define LDV_STATE_USE BARROW_BIOGRAPHY_USED
/* The state of an object that was there when the profile began, and was not used since: the documents' profiles always
 * begin with the program. */
#define LDV_STATE_BEFORE BARROW_BIOGRAPHY_BEFORE

/* The era; 0 while no biography is taken. To be read. */
#define ldvTime ((nat)barrow_window_of(barrow_stg_m_())->era)

/* The word of a static object, and of any while no biography is taken, is a dummy that reads as 0. */
static inline StgWord *barrow_stg_ldvw_(const void *c) {
  static StgWord dummy;
  barrow_mutator *m = barrow_stg_m_();
  StgWord *word = barrow_window_of(m)->era ? barrow_biography_at_(m, c) : NULL;
  if (word) return word;
  dummy = 0;
  return &dummy;
}

static inline void barrow_stg_dead_(const void *c, size_t size) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_window_of(m)->era) barrow_stg_must_(barrow_record_dead(m, c, size));
}

static inline void barrow_stg_dead_fill_(void *c) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_window_of(m)->era) barrow_stg_must_(barrow_record_dead_fill_slop(m, c));
}

/* May be read with the masks of LDV_; the two highest bits are the library's. Uses are booked, so only LDV_recordCreate may
 * write it. */
#define LDVW(c) (*barrow_stg_ldvw_(c))
#define LDV_recordCreate(c) ((void)(LDVW(c) = ((StgWord)ldvTime << LDV_SHIFT) | LDV_STATE_CREATE))
#define LDV_recordUse(c) barrow_use(barrow_stg_m_(), (c))
#define LDV_ENTER(c) LDV_recordUse(c)
/* The object is about to be overwritten. `size` is its size in words, with the header. barrow_become,
 * barrow_shrink and barrow_update tell by themselves. */
#define LDV_recordDead(c, size) barrow_stg_dead_((c), (size))
/* The object is about to become one of two words: clears the words behind those. */
#define LDV_recordDead_FILL_SLOP_DYNAMIC(c) barrow_stg_dead_fill_(c)

#ifdef __cplusplus
}
#endif

#endif
