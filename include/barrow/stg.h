/* barrow/stg.h: the storage manager as the Glasgow documents spell it, on one default heap.
 *
 * What a name cannot mean here as it did there is said beside it. The heap is made by the first call, by initStorage()
 * at the latest; barrow_default_flags("-A4m -G3") before it sets its flags. One thread at a time uses it. A request
 * that always succeeds there ends the process here when there is no memory, with a sentence.
 *
 * Some names are macros, since they stand for variables: include this header after those of other libraries.
 * The last client word of the default mutator's window belongs to this header. Compiles as C99, C11 and C++17.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_H
#define BARROW_STG_H

#include "inline.h"
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
#define SET_HDR(c, info_) ((c)->header.info = (info_))

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

/* What is remembered lies in blocks of entries, not in links through objects: the lists are always NULL, and
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

/* Makes the default heap. Again it does nothing. */
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

/* ---- closures of lazy languages --------------------------------------------------------------------------------------- */

/* Kinds, by the documents' names. */
enum {
  CONSTR = BARROW_CONSTR,
  MUT_VAR = BARROW_MUT_VAR,
  MUT_ARR_PTRS = BARROW_ARRAY,
  MUT_ARR_PTRS_FROZEN = BARROW_ARRAY_FROZEN,
  ARR_WORDS = BARROW_BYTES,
  THUNK = BARROW_THUNK,
  THUNK_SELECTOR = BARROW_SELECTOR,
  IND = BARROW_IND,
  IND_PERM = BARROW_IND_PERM,
  IND_OLDGEN = BARROW_IND_OLDGEN,
  IND_OLDGEN_PERM = BARROW_IND_OLDGEN_PERM,
  BLACKHOLE = BARROW_BLACKHOLE,
  /* One blackhole serves for all: here it always has room for those who wait. */
  BLACKHOLE_BQ = BARROW_BLACKHOLE,
  SE_BLACKHOLE = BARROW_BLACKHOLE,
  CAF_BLACKHOLE = BARROW_CAF_BLACKHOLE,
  FUN = BARROW_FUN,
  PAP = BARROW_PAP,
  AP_UPD = BARROW_AP,
  CONSTR_STATIC = BARROW_CONSTR_STATIC,
  CONSTR_NOCAF_STATIC = BARROW_CONSTR_NOCAF_STATIC,
  FUN_STATIC = BARROW_FUN_STATIC,
  THUNK_STATIC = BARROW_THUNK_STATIC,
  IND_STATIC = BARROW_IND_STATIC
};

typedef struct { StgHeader header; StgClosure *indirectee; } StgInd;
typedef struct {
  StgHeader header;
  StgClosure *indirectee;
  StgClosure *static_link;
  const StgInfoTable *saved_info;
} StgIndStatic;

#define sizeofW(type) (sizeof(type) / sizeof(StgWord))
#define SET_INFO(c, info_) ((c)->header.info = (info_))
#define get_itbl(c) ((StgInfoTable *)(size_t)barrow_info_of(c))

static inline const StgInfoTable *barrow_stg_table_(unsigned kind) {
  initStorage();
  return barrow_table(barrow_default_heap(), kind);
}

/* The runtime's own tables. */
#define stg_IND_info (*barrow_stg_table_(BARROW_IND))
#define stg_IND_PERM_info (*barrow_stg_table_(BARROW_IND_PERM))
#define stg_IND_OLDGEN_info (*barrow_stg_table_(BARROW_IND_OLDGEN))
#define stg_IND_OLDGEN_PERM_info (*barrow_stg_table_(BARROW_IND_OLDGEN_PERM))
#define stg_IND_STATIC_info (*barrow_stg_table_(BARROW_IND_STATIC))
#define stg_BLACKHOLE_info (*barrow_stg_table_(BARROW_BLACKHOLE))
#define stg_BLACKHOLE_BQ_info stg_BLACKHOLE_info
#define stg_CAF_BLACKHOLE_info (*barrow_stg_table_(BARROW_CAF_BLACKHOLE))

/* p1 becomes an indirection to p2, remembered when p1 is old. */
static inline void updateWithIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update(barrow_stg_m_(), p1, p2));
}

/* One that collections keep. */
static inline void updateWithPermIndirection(StgClosure *p1, StgClosure *p2) {
  barrow_stg_must_(barrow_update_permanent(barrow_stg_m_(), p1, p2));
}

#define UPD_IND(updclosure, heapptr) updateWithIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))
#define UPD_PERM_IND(updclosure, heapptr) updateWithPermIndirection((StgClosure *)(updclosure), (StgClosure *)(heapptr))

/* The thunk is under evaluation. Read what it refers to before. */
#define UPD_BH_UPDATABLE(thunk) barrow_stg_must_(barrow_blackhole(barrow_stg_m_(), (thunk)))
#define UPD_BH_SINGLE_ENTRY(thunk) UPD_BH_UPDATABLE(thunk)

/* A CAF that the heap was not told of by barrow_statics_add is told here. */
static inline void barrow_stg_caf_(void *caf, void *value) {
  barrow_mutator *m = barrow_stg_m_();
  if (barrow_new_caf(m, caf, value) == BARROW_OK) return;
  barrow_stg_must_(barrow_statics_add(barrow_default_heap(), &caf, 1, false));
  barrow_stg_must_(barrow_new_caf(m, caf, value));
}

/* The CAF becomes a static indirection to a blackhole in the heap: newCAF and both stores. */
#define UPD_CAF(cafptr, bhptr) barrow_stg_caf_((cafptr), (bhptr))

/* Lists the CAF, and makes it a static indirection to nothing: its indirectee is stored before the next collection. */
static inline void newCAF(StgClosure *caf) { barrow_stg_caf_(caf, NULL); }

/* The first CAF that is kept until it is reverted; barrow_kept_caf gives them all. */
#define caf_list ((StgClosure *)barrow_kept_caf(barrow_default_heap(), 0))

/* ---- biography ------------------------------------------------------------------------------------------------------- */

#ifndef PROF_HDR_SIZE
/* What a profile knows of an object lies beside the heap. */
#define PROF_HDR_SIZE 0
#endif
#define LDV_SHIFT BARROW_BIOGRAPHY_SHIFT
#define LDV_STATE_MASK BARROW_BIOGRAPHY_STATE_MASK
#define LDV_CREATE_MASK BARROW_BIOGRAPHY_CREATE_MASK
#define LDV_LAST_MASK BARROW_BIOGRAPHY_LAST_MASK
#define LDV_STATE_CREATE BARROW_BIOGRAPHY_CREATED
#define LDV_STATE_USE BARROW_BIOGRAPHY_USED
/* Was there when the profile began, and was not used since: the documents' profiles always begin with the program. */
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

/* May be read. Uses are booked, so only LDV_recordCreate may write it. */
#define LDVW(c) (*barrow_stg_ldvw_(c))
#define LDV_recordCreate(c) ((void)(LDVW(c) = ((StgWord)ldvTime << LDV_SHIFT) | LDV_STATE_CREATE))
#define LDV_recordUse(c) barrow_use(barrow_stg_m_(), (c))
#define LDV_ENTER(c) LDV_recordUse(c)
/* The object is about to be overwritten. `size` is what it has in words, its header included. barrow_become,
 * barrow_shrink and barrow_update tell by themselves. */
#define LDV_recordDead(c, size) barrow_stg_dead_((c), (size))
/* The same, for one that becomes an object of two words; clears what lies behind those. */
#define LDV_recordDead_FILL_SLOP_DYNAMIC(c) barrow_stg_dead_fill_(c)

/* ---- weak pointers, stacks, threads ---------------------------------------------------------------------------------- */

enum {
  WEAK = BARROW_WEAK,
  STACK = BARROW_STACK,
  TSO = BARROW_THREAD,
  STABLE_NAME = BARROW_STABLE_NAME,
  RET_SMALL = BARROW_RETURN_FRAME,
  RET_BIG = BARROW_RETURN_FRAME,
  UPDATE_FRAME = BARROW_UPDATE_FRAME,
  CATCH_FRAME = BARROW_CATCH_FRAME,
  STOP_FRAME = BARROW_STOP_FRAME
};

/* Only to be read. A dead one has another table and as many words, which are zero. */
typedef struct StgWeak_ {
  StgHeader header;
  StgClosure *key;
  StgClosure *value;
  StgClosure *finalizer;
  struct StgWeak_ *link;
  StgWord function[2];
} StgWeak;

/* A stop frame leads to the chunk of the stack that its own continues. Frames are pushed where the window's sp is. */
typedef struct { StgHeader header; StgClosure *updatee; } StgUpdateFrame;
typedef struct { StgHeader header; StgClosure *handler; } StgCatchFrame;
typedef struct { StgHeader header; StgClosure *next; } StgStopFrame;
typedef struct { StgHeader header; StgClosure *stackobj; } StgTSO;

/* The top of the stack that the default mutator runs on: an lvalue. */
#define Sp (barrow_window_of(barrow_stg_m_())->sp)
#define SpLim (barrow_window_of(barrow_stg_m_())->sp_lim)

/* Pushes an update frame with a table of the client's; there is room, or the process ends. */
static inline void barrow_stg_push_upd_(const StgInfoTable *info, StgClosure *target) {
  StgUpdateFrame *frame;
  if (!barrow_stack_need(barrow_stg_m_(), sizeof *frame / sizeof(StgWord))) barrow_stg_fatal_();
  frame = (StgUpdateFrame *)(void *)barrow_stack_push(barrow_stg_m_(), info, sizeof *frame / sizeof(StgWord));
  frame->updatee = target;
}
#define PUSH_UPD_FRAME(info, target) barrow_stg_push_upd_((info), (target))

/* Never collect. */
static inline StgWeak *mkWeakzh(StgClosure *key, StgClosure *value, StgClosure *finalizer) {
  void *weak = barrow_weak_new(barrow_stg_m_(), key, value, finalizer);
  if (!weak) barrow_stg_fatal_();
  return (StgWeak *)weak;
}

static inline StgWeak *mkWeakNoFinalizzerzh(StgClosure *key, StgClosure *value) { return mkWeakzh(key, value, NULL); }

/* The value, or NULL when the weak pointer is dead. */
static inline StgClosure *deRefWeakzh(StgWeak *w) {
  void *value;
  barrow_weak_deref(w, &value);
  return (StgClosure *)value;
}

/* Ends a weak pointer by hand; the finalizer, if any, is the caller's to run. */
static inline StgClosure *finalizzeWeakzh(StgWeak *w) {
  void *finalizer = NULL;
  barrow_stg_must_(barrow_weak_finalize(barrow_stg_m_(), w, &finalizer));
  return (StgClosure *)finalizer;
}

/* There it makes threads of finalizers that are objects. Here the function that it is given runs them, one after the other;
 * it gives how many were run. */
static inline nat scheduleFinalizers(void (*run)(void *client, barrow_mutator *m, void *finalizer, void *key, void *value),
                                     void *client) {
  return (nat)barrow_run_finalizers(barrow_stg_m_(), run, client, 0);
}

/* Runs the functions that are due, up to the first finalizer that is an object. */
static inline void finalizeWeakPointersNow(void) { (void)barrow_run_finalizers(barrow_stg_m_(), NULL, NULL, 0); }

/* The same number for the same object, wherever it is. */
static inline StgWord lookupStableName(StgClosure *p) {
  void *name = barrow_stable_name(barrow_stg_m_(), p);
  if (!name) barrow_stg_fatal_();
  return barrow_stable_name_number(name);
}

#define dirty_STACK(stack) barrow_stack_dirty(barrow_stg_m_(), (stack))

/* ---- the state: to be read, not written, and not inside get_roots ---------------------------------------------------- */

static inline barrow_heap_state_t barrow_stg_state_(void) {
  barrow_heap_state_t state;
  memset(&state, 0, sizeof state);
  state.size = (uint32_t)sizeof state;
  initStorage();
  barrow_stg_must_(barrow_heap_state(barrow_default_heap(), &state));
  return state;
}

enum { barrow_stg_most_ = 8 };
static step barrow_stg_steps_[barrow_stg_most_][barrow_stg_most_];
static generation barrow_stg_each_[barrow_stg_most_];

/* These two have one name, so that `generations` may be the variable and the field of RtsFlags at once. */
static generation *barrow_stg_generations_[1];
struct barrow_stg_gc_flags { nat barrow_stg_generations_[1]; };
static struct barrow_stg_rts_flags { struct barrow_stg_gc_flags GcFlags; } barrow_stg_flags_;

/* Brings the copies up to date; gives 0. */
static inline int barrow_stg_refresh_(void) {
  barrow_heap_state_t state = barrow_stg_state_();
  barrow_heap *heap = barrow_default_heap();
  uint32_t g, s;
  barrow_stg_generations_[0] = barrow_stg_each_;
  barrow_stg_flags_.GcFlags.barrow_stg_generations_[0] = state.n_generations;
  for (g = 0; g < state.n_generations; g++) {
    barrow_generation_state_t from;
    generation *to = &barrow_stg_each_[g];
    barrow_stg_must_(barrow_generation_state(heap, g, &from));
    to->no = from.no;
    to->steps = barrow_stg_steps_[g];
    to->n_steps = from.n_steps;
    to->max_blocks = (unsigned)from.max_blocks;
    to->n_remembered = from.n_remembered;
    for (s = 0; s < from.n_steps; s++) {
      barrow_step_state_t part;
      step *into = &barrow_stg_steps_[g][s];
      barrow_stg_must_(barrow_step_state(heap, g, s, &part));
      into->no = part.no;
      into->blocks = (bdescr *)(void *)part.blocks;
      into->n_blocks = (unsigned)part.n_blocks;
      into->large_objects = (bdescr *)(void *)part.large_objects;
    }
  }
  /* Step 0 of generation 0 is the nursery. */
  barrow_stg_steps_[0][0].blocks = (bdescr *)(void *)state.nursery;
  barrow_stg_steps_[0][0].n_blocks = (unsigned)state.nursery_blocks;
  return 0;
}

#define RtsFlags barrow_stg_flags_
#define generations barrow_stg_generations_[barrow_stg_refresh_()]
#define g0 (&generations[0])
#define g0s0 (&generations[0].steps[0])
#define oldest_gen (&generations[RtsFlags.GcFlags.generations - 1])
#define mblocks_allocated (barrow_stg_state_().mblocks_allocated)
#define nursery_blocks ((nat)barrow_stg_state_().nursery_blocks)
#define alloc_blocks ((nat)barrow_stg_state_().alloc_blocks)
#define alloc_blocks_lim ((nat)barrow_stg_state_().alloc_blocks_lim)
#define small_alloc_list ((bdescr *)(void *)barrow_stg_state_().small_alloc_list)
#define alloc_Hp ((StgPtr)barrow_stg_state_().alloc_hp)
#define alloc_HpLim ((StgPtr)barrow_stg_state_().alloc_hp_lim)

#ifdef __cplusplus
}
#endif

#endif
