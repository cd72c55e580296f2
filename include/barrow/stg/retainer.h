/* A part of barrow/stg.h: retainers and sets of them. Programs include that header.
 *
 * The sets are those of the heap's profiles by retainers (-hr): equal sets are one set, numbers stay the same for the
 * run. The rules for retainers, their hashes, names and costs can be the client's: barrow_retainers_by.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_STG_RETAINER_H
#define BARROW_STG_RETAINER_H

#include "biography.h"
#include "cost_centres.h"
#include "storage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A retainer's identity: a number that stays the same for the run, since a stack of cost centres is not the only name that
 * one can have. 0 is none. */
typedef StgWord32 retainer;

/* A picture of a set, which is the same for the same set within one source file. Costs are those of the last census when the
 * picture was given out. `element` has `num` members; MANY, whose number is 1, has none there. */
typedef struct retainerSet_ {
  nat num;
  StgWord cost;
  StgWord hashKey;
  int id;
  const retainer *element;
} retainerSet;

static retainerSet **barrow_stg_sets_;
static size_t barrow_stg_set_count_;

/* The picture of a set, with its costs of today. */
static inline retainerSet *barrow_stg_set_(StgWord32 id) {
  barrow_retainer_set_t told;
  retainerSet *rs;
  retainer *element;
  nat i;
  memset(&told, 0, sizeof told);
  told.size = (uint32_t)sizeof told;
  barrow_stg_must_(barrow_retainer_set(barrow_default_heap(), id, &told));
  if (id >= barrow_stg_set_count_) {
    size_t wanted = 2 * (size_t)id + 16;
    retainerSet **grown = (retainerSet **)realloc(barrow_stg_sets_, wanted * sizeof *grown);
    if (!grown) barrow_stg_fatal_();
    memset(grown + barrow_stg_set_count_, 0, (wanted - barrow_stg_set_count_) * sizeof *grown);
    barrow_stg_sets_ = grown, barrow_stg_set_count_ = wanted;
  }
  rs = barrow_stg_sets_[id];
  if (!rs) {
    rs = (retainerSet *)malloc(sizeof *rs + told.members * sizeof *element);
    if (!rs) barrow_stg_fatal_();
    element = (retainer *)(void *)(rs + 1);
    for (i = 0; i < told.members; i++) barrow_stg_must_(barrow_retainer_set_member(barrow_default_heap(), id, i, &element[i]));
    rs->num = told.members, rs->id = (int)id, rs->element = element;
    barrow_stg_sets_[id] = rs;
  }
  rs->cost = (StgWord)told.cost, rs->hashKey = told.hash;
  return rs;
}

static inline void initializeAllRetainerSet(void) {
  initStorage();
  barrow_stg_must_(barrow_retainer_sets_refresh(barrow_default_heap()));
}
/* Costs of 0; no set goes. */
static inline void refreshAllRetainerSet(void) { barrow_stg_must_(barrow_retainer_sets_refresh(barrow_default_heap())); }
/* Not while a profile by retainers runs. */
static inline void closeAllRetainerSet(void) {
  size_t i;
  barrow_stg_must_(barrow_retainer_sets_free(barrow_default_heap()));
  for (i = 0; i < barrow_stg_set_count_; i++) free(barrow_stg_sets_[i]);
  free(barrow_stg_sets_);
  barrow_stg_sets_ = NULL, barrow_stg_set_count_ = 0;
}

/* R(c), whether c is a retainer, and its cost. */
static inline retainer getRetainerFrom(StgClosure *c) {
  retainer r = 0;
  barrow_stg_must_(barrow_retainer_of(barrow_stg_m_(), c, NULL, &r, NULL));
  return r;
}
static inline rtsBool isRetainer(StgClosure *c) {
  bool is_one = false;
  barrow_stg_must_(barrow_retainer_of(barrow_stg_m_(), c, &is_one, NULL, NULL));
  return is_one;
}
static inline StgWord cost(StgClosure *c) {
  uint64_t bytes = 0;
  barrow_stg_must_(barrow_retainer_of(barrow_stg_m_(), c, NULL, NULL, &bytes));
  return (StgWord)bytes;
}
/* The size without the part that profiling adds to an object, which is nothing. */
static inline StgWord costPure(StgClosure *c) { return cost(c) - PROF_HDR_SIZE * sizeof(StgWord); }
/* The identity of objects that a stack of cost centres makes. */
static inline retainer retainerOfStack(const CostCentreStack *ccs) { return barrow_retainer_of_ccs(ccs); }

static inline retainerSet *addElement(retainer r, retainerSet *rs) {
  StgWord32 larger = 0;
  barrow_stg_must_(barrow_retainer_set_add(barrow_default_heap(), rs ? (StgWord32)rs->id : 0, r, &larger));
  return barrow_stg_set_(larger);
}
static inline retainerSet *singleton(retainer r) {
  initStorage();
  return addElement(r, NULL);
}
static inline rtsBool isMember(retainer r, retainerSet *rs) {
  return rs && barrow_retainer_set_has(barrow_default_heap(), (StgWord32)rs->id, r);
}
/* The hash of a set of one, and of a set with one more: sums, so the order does not matter. */
static inline StgWord hashKeySingleton(retainer r) { return singleton(r)->hashKey; }
static inline StgWord hashKeyAddElement(retainer r, retainerSet *rs) {
  return (StgWord32)(hashKeySingleton(r) + (rs ? rs->hashKey : 0));
}

/* Every set created, those that only led to others included. */
static inline void traverseAllRetainerSet(void (*f)(retainerSet *)) {
  size_t count = 0, id;
  barrow_stg_must_(barrow_retainer_sets(barrow_default_heap(), &count));
  for (id = 2; id < count; id++) f(barrow_stg_set_((StgWord32)id));
}

static inline void barrow_stg_print_(FILE *to, retainer r, bool whole) {
  char name[1024];
  size_t length = 0;
  barrow_stg_must_(barrow_retainer_text(barrow_default_heap(), r, whole, name, sizeof name, &length));
  fputs(name, to);
}
static inline void printRetainer(FILE *to, retainer r) { barrow_stg_print_(to, r, true); }
/* (71)doFile,synth_2 */
static inline void printRetainerSetShort(FILE *to, retainerSet *rs) {
  nat i;
  fprintf(to, rs->id == 1 ? "MANY" : "(%d)", rs->id);
  for (i = 0; i < rs->num; i++) {
    if (i) fputc(',', to);
    barrow_stg_print_(to, rs->element[i], false);
  }
}
/* A line for each set that has a cost; the sum of costs, which is a whole word, and how many sets there are. */
static inline void outputRetainerSet(FILE *to, StgWord *allCost, nat *numSet) {
  size_t count = 0, id;
  *allCost = *numSet = 0;
  barrow_stg_must_(barrow_retainer_sets(barrow_default_heap(), &count));
  for (id = 1; id < count; id++) {
    retainerSet *rs = barrow_stg_set_((StgWord32)id);
    *numSet += id > 1;
    if (!rs->cost) continue;
    *allCost += rs->cost;
    printRetainerSetShort(to, rs);
    fprintf(to, "\t%llu\n", (unsigned long long)rs->cost);
  }
}
/* SET 71 = {<...>, <...>}: sets that something was ever charged to. */
static inline void outputAllRetainerSet(FILE *to) {
  size_t count = 0, id;
  nat i;
  barrow_stg_must_(barrow_retainer_sets(barrow_default_heap(), &count));
  for (id = 2; id < count; id++) {
    barrow_retainer_set_t told;
    retainerSet *rs = barrow_stg_set_((StgWord32)id);
    memset(&told, 0, sizeof told);
    told.size = (uint32_t)sizeof told;
    barrow_stg_must_(barrow_retainer_set(barrow_default_heap(), (StgWord32)id, &told));
    if (!told.charged) continue;
    fprintf(to, "SET %d = {", rs->id);
    for (i = 0; i < rs->num; i++) {
      fputs(i ? ", <" : "<", to);
      printRetainer(to, rs->element[i]);
      fputc('>', to);
    }
    fputs("}\n", to);
  }
}

/* Sets of objects are known while they are looked for, between no two instructions of the client's: a dummy of 0. */
static inline StgWord32 *barrow_stg_rset_(const void *c) {
  static StgWord32 dummy;
  (void)c;
  dummy = 0;
  return &dummy;
}
#define RSET(c) (*barrow_stg_rset_(c))

#ifdef __cplusplus
}
#endif

#endif
