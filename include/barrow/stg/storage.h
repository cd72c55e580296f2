/* A part of barrow/stg.h: types, the default heap, blocks, allocation and collection. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_STORAGE_H
#define BARROW_STG_STORAGE_H

#include "../inline.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types -------------------------------------------------------------------------------------------------------- */

typedef barrow_word StgWord;
typedef StgWord *StgPtr;
typedef uint32_t StgWord32;
typedef uint16_t StgWord16;
typedef uint8_t StgWord8;
typedef unsigned int nat;
typedef bool rtsBool;
enum { rtsFalse = 0, rtsTrue = 1 };

typedef barrow_info StgInfoTable;
typedef struct StgHeader_ { const StgInfoTable *info; } StgHeader;
typedef struct StgClosure_ {
  StgHeader header;
  struct StgClosure_ *payload[1];
} StgClosure;
typedef StgClosure StgMutClosure;

#define BLOCK_SIZE BARROW_BLOCK_BYTES
#define BLOCK_SIZE_W (BARROW_BLOCK_BYTES / sizeof(StgWord))
#define MBLOCK_SIZE BARROW_MEGABLOCK_BYTES
#define LARGE_OBJECT_THRESHOLD ((nat)(BLOCK_SIZE * 8 / 10))

/* A barrow_bdescr, with the documents' types. */
typedef struct _bdescr {
  StgPtr start;
  StgPtr free;
  StgWord32 blocks;
  StgWord8 gen_no;
  StgWord8 step_no;
  StgWord16 flags;
  struct _bdescr *link;
  struct _bdescr *back;
  StgPtr scanned;
  StgWord32 slot_words;
  StgWord32 spare;
  StgWord aux;
} bdescr;

typedef struct _step {
  unsigned int no;
  bdescr *blocks;
  unsigned int n_blocks;
  bdescr *large_objects;
} step;

/* Remembered objects lie in blocks of entries, not in links through objects: the lists are always NULL, and
 * n_remembered counts the entries. */
typedef struct _generation {
  unsigned int no;
  step *steps;
  unsigned int n_steps;
  unsigned int max_blocks;
  StgMutClosure *mut_list;
  StgMutClosure *mut_once_list;
  size_t n_remembered;
} generation;

/* The end of both lists. */
#define END_MUT_LIST ((StgMutClosure *)NULL)

/* ---- the default heap ------------------------------------------------------------------------------------------------ */

static inline void barrow_stg_fatal_(void) {
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(251);
}

static inline barrow_mutator *barrow_stg_m_(void) {
  barrow_mutator *m = barrow_default_mutator();
  if (!m) barrow_stg_fatal_();
  return m;
}

static inline void barrow_stg_must_(barrow_status status) {
  if (status != BARROW_OK) barrow_stg_fatal_();
}

/* Makes the default heap. A second call does nothing. */
static inline void initStorage(void) { (void)barrow_stg_m_(); }
static inline void initBlockAllocator(void) { initStorage(); }
/* The nursery comes with the heap. */
static inline void allocNurseries(void) { initStorage(); }
/* Every collection has emptied the nursery when it returns, so there is nothing left to do. */
static inline void resetNurseries(void) { initStorage(); }

/* ---- megablocks and blocks ----------------------------------------------------------------------------------------- */

static inline void *getMBlocks(nat n) {
  void *at;
  initStorage();
  at = barrow_get_megablocks(barrow_default_heap(), n);
  if (!at) barrow_stg_fatal_();
  return at;
}

static inline void *getMBlock(void) { return getMBlocks(1); }

static inline bdescr *allocGroup(nat n) {
  barrow_bdescr *group = NULL;
  initStorage();
  barrow_stg_must_(barrow_alloc_group(barrow_default_heap(), n, &group));
  return (bdescr *)(void *)group;
}

static inline bdescr *allocBlock(void) { return allocGroup(1); }

static inline void freeGroup(bdescr *p) {
  barrow_stg_must_(barrow_free_group(barrow_default_heap(), (barrow_bdescr *)(void *)p));
}

static inline bdescr *Bdescr(StgPtr p) { return (bdescr *)(void *)barrow_bdescr_of(p); }

/* ---- allocation -------------------------------------------------------------------------------------------------------- */

/* Here n counts words, as there; the object is filled before the next collection. */
static inline StgPtr allocate(nat n) {
  StgPtr at = barrow_allocate(barrow_stg_m_(), n);
  if (!at) barrow_stg_fatal_();
  return at;
}

/* As in the documents, hp points to the word before the first free one, and hplim to the last free one: after
 * `hp += n`, if hp <= hplim, the object of n words is at hp - n + 1. */
static inline void barrow_stg_open_(StgPtr *hp, StgPtr *hplim) {
  barrow_stg_must_(barrow_open_nursery(barrow_stg_m_(), hp, hplim));
  (*hp)--;
  (*hplim)--;
}

static inline rtsBool barrow_stg_extend_(StgPtr *hp, StgPtr *hplim) {
  StgPtr next = *hp + 1, limit = *hplim + 1;
  if (!barrow_extend_nursery(barrow_stg_m_(), &next, &limit)) return rtsFalse;
  *hp = next - 1;
  *hplim = limit - 1;
  return rtsTrue;
}

#define OpenNursery(hp, hplim) barrow_stg_open_(&(hp), &(hplim))
#define CloseNursery(hp) barrow_stg_must_(barrow_close_nursery(barrow_stg_m_(), (hp) + 1))
/* When it gives rtsFalse the area is closed, and the nursery stays exhausted until a collection. */
#define ExtendNursery(hp, hplim) barrow_stg_extend_(&(hp), &(hplim))

/* ---- collection --------------------------------------------------------------------------------------------------------- */

typedef void (*evac_fn)(StgClosure **);
typedef struct { void (*get_roots)(evac_fn); } barrow_stg_roots;

/* Only inside get_roots. */
static inline void mark_root(StgClosure **root) {
  barrow_visitor *visitor = (barrow_visitor *)barrow_window_of(barrow_stg_m_())->client[3];
  barrow_visit(visitor, (void **)(void *)root);
}

static inline void barrow_stg_visit_(void *client, barrow_visitor *visitor) {
  barrow_window *w = barrow_window_of(barrow_stg_m_());
  w->client[3] = visitor;
  ((barrow_stg_roots *)client)->get_roots(mark_root);
  w->client[3] = NULL;
}

static inline void GarbageCollect(void (*get_roots)(evac_fn), rtsBool force_major_gc) {
  barrow_stg_roots roots;
  roots.get_roots = get_roots;
  barrow_stg_must_(barrow_collect_with(barrow_stg_m_(), force_major_gc, barrow_stg_visit_, &roots));
}

static inline rtsBool doYouWantToGC(void) { return barrow_wants_gc(barrow_stg_m_()); }

static inline void recordMutable(StgMutClosure *p) { barrow_stg_must_(barrow_record_mutable(barrow_stg_m_(), p)); }

static inline void recordOldToNewPtrs(StgMutClosure *p) {
  barrow_stg_must_(barrow_record_old_to_new(barrow_stg_m_(), p));
}

#ifdef __cplusplus
}
#endif

#endif
