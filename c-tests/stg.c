/* The documents' spelling: every name, in the shape of their own snippets. */
#include "check.h"
#include <barrow/stg.h>

static StgInfoTable pair_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0,
                                 2, 0, 0, 0, NULL, NULL, NULL, NULL};
static StgInfoTable int_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 0, 1, 0, 0, NULL,
                                NULL, NULL, NULL};
static StgInfoTable bytes_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_BYTES, 0, 0, 0, 0, 0, 0, NULL,
                                  NULL, NULL, NULL};

static StgClosure *stable_roots[4];

static void get_roots(evac_fn evac) {
  int i;
  for (i = 0; i < 2; i++) evac(&stable_roots[i]);
  mark_root(&stable_roots[2]);
  mark_root(&stable_roots[3]);
}

static StgClosure *number(StgWord n) {
  StgPtr p = allocate(2);
  SET_HDR((StgClosure *)p, &int_info);
  p[1] = n;
  return (StgClosure *)p;
}

static StgClosure *pair(StgClosure *a, StgClosure *b) {
  StgPtr p = allocate(3);
  SET_HDR((StgClosure *)p, &pair_info);
  p[1] = (StgWord)a;
  p[2] = (StgWord)b;
  return (StgClosure *)p;
}

static StgClosure *fst(StgClosure *c) { return (StgClosure *)((StgPtr)c)[1]; }
static StgWord value(StgClosure *c) { return ((StgPtr)c)[1]; }

static void flags_come_first(void) {
  REFUSED(BARROW_E_ARG, barrow_default_flags(NULL));
  REFUSED(BARROW_E_ARG, barrow_default_flags("-Q"));
  CHECK_OK(barrow_default_flags("-A512k -G3 -T2 -xr256m -DS"));
  initStorage();
  allocNurseries();
  initBlockAllocator();
  REFUSED(BARROW_E_STATE, barrow_default_flags("-A1m"));
  REFUSED(BARROW_E_STATE, barrow_heap_free(barrow_default_heap()));
  CHECK(barrow_default_heap() == barrow_heap_of(barrow_default_mutator()));
}

static void block_allocator(void) {
  bdescr *one = allocBlock(), *ten = allocGroup(10), *bd;
  nat i;
  char *mblock;
  CHECK_EQ(one->blocks, 1);
  CHECK_EQ(ten->blocks, 10);
  CHECK_EQ((StgWord)ten->start % BLOCK_SIZE, 0);
  CHECK(ten->free != 0);
  CHECK(Bdescr(ten->start) == ten);
  for (i = 1; i < 10; i++) {
    bd = Bdescr(ten->start + i * BLOCK_SIZE_W);
    CHECK(bd->free == 0 && bd->link == ten); /* a non-head points to its head */
  }
  one->link = ten;
  for (bd = one, i = 0; bd != NULL && i < 2; bd = bd->link) i++;
  CHECK_EQ(i, 2);
  one->link = NULL;
  freeGroup(one);
  freeGroup(ten);
  CHECK_EQ(sizeof(bdescr), BARROW_DESCRIPTOR_BYTES);
  mblock = (char *)getMBlock();
  CHECK_EQ((StgWord)mblock % MBLOCK_SIZE, 0);
  memset(mblock, 1, MBLOCK_SIZE);
  mblock = (char *)getMBlocks(2);
  CHECK_EQ((StgWord)mblock % MBLOCK_SIZE, 0);
  memset(mblock, 1, 2 * MBLOCK_SIZE);
  CHECK(mblocks_allocated >= 3);
}

static void allocate_from_both_pools(void) {
  StgPtr p, large;
  bdescr *before = g0s0->large_objects;
  CHECK(before == NULL);
  p = allocate(4);
  memset(p, 0, 4 * sizeof(StgWord));
  CHECK(alloc_Hp == p + 4);
  CHECK(alloc_HpLim == small_alloc_list->start + BLOCK_SIZE_W);
  CHECK(Bdescr(p) == small_alloc_list);
  CHECK_EQ(alloc_blocks, 1);
  CHECK(alloc_blocks < alloc_blocks_lim);
  large = allocate(LARGE_OBJECT_THRESHOLD);
  large[0] = (StgWord)&bytes_info;
  large[1] = (LARGE_OBJECT_THRESHOLD - 2) * sizeof(StgWord);
  CHECK(g0s0->large_objects == Bdescr(large));
  CHECK(alloc_blocks > 1);
}

static void the_nursery(void) {
  StgPtr hp, hplim;
  StgWord cells = 0;
  nat n = 2;
  CHECK(g0s0->blocks != NULL);
  CHECK_EQ(g0s0->n_blocks, nursery_blocks);
  OpenNursery(hp, hplim);
  for (;;) {
    hp += n;
    if (hp > hplim) {
      hp -= n;
      if (!ExtendNursery(hp, hplim)) break;
      continue;
    }
    hp[-1] = (StgWord)&int_info; /* the object is at hp - n + 1 */
    hp[0] = cells++;
  }
  CHECK_EQ(cells, (512 << 10) / 16);
  CHECK(doYouWantToGC());
  GarbageCollect(get_roots, rtsFalse);
  resetNurseries();
  CHECK(!doYouWantToGC());
  OpenNursery(hp, hplim);
  hp += 2;
  CHECK(hp <= hplim);
  hp[-1] = (StgWord)&int_info;
  hp[0] = 77;
  stable_roots[0] = (StgClosure *)(hp - 1);
  CloseNursery(hp);
  GarbageCollect(get_roots, rtsFalse);
  CHECK_EQ(value(stable_roots[0]), 77);
}

static void growing_old(void) {
  nat g;
  int i;
  CHECK_EQ(RtsFlags.GcFlags.generations, 3);
  for (g = 0; g < RtsFlags.GcFlags.generations; g++) {
    CHECK_EQ(generations[g].no, g);
    CHECK_EQ(generations[g].n_steps, g == RtsFlags.GcFlags.generations - 1 ? 1 : 2);
    CHECK_EQ(generations[g].steps[0].no, 0);
    CHECK(generations[g].max_blocks > 0);
    CHECK(generations[g].mut_list == NULL && generations[g].mut_once_list == NULL);
  }
  CHECK(g0 == &generations[0]);
  CHECK(oldest_gen == &generations[2]);
  CHECK(g0s0 == &generations[0].steps[0]);
  stable_roots[1] = pair(number(1), NULL);
  for (i = 0; i < 6; i++) GarbageCollect(get_roots, rtsTrue);
  CHECK_EQ(Bdescr((StgPtr)stable_roots[1])->blocks > 0, 1);
  CHECK(oldest_gen->steps[0].n_blocks > 0);
  CHECK_EQ(value(fst(stable_roots[1])), 1);
}

static void old_to_new(void) {
  int i;
  stable_roots[2] = pair(NULL, NULL);
  for (i = 0; i < 6; i++) GarbageCollect(get_roots, rtsTrue);
  stable_roots[2]->payload[0] = number(5);
  recordOldToNewPtrs((StgMutClosure *)stable_roots[2]);
  GarbageCollect(get_roots, rtsFalse);
  CHECK_EQ(value(stable_roots[2]->payload[0]), 5);
  recordMutable((StgMutClosure *)stable_roots[2]);
  for (i = 0; i < 5; i++) {
    stable_roots[2]->payload[1] = number((StgWord)i);
    GarbageCollect(get_roots, rtsFalse);
    CHECK_EQ(value(fst(stable_roots[2])), 5);
    CHECK_EQ(((StgPtr)((StgPtr)stable_roots[2])[2])[1], i);
  }
  CHECK(generations[2].n_remembered > 0);
}

#define TABLE(name, kind, field, ptrs, words)                                                                       \
  static StgInfoTable name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, 0, field, ptrs, words, 0, 0, \
                              NULL, NULL, NULL, NULL}
TABLE(thunk_info, THUNK, 0, 1, 0);
TABLE(fst_info, THUNK_SELECTOR, 0, 1, 0);
TABLE(record_info, CONSTR, 0, 2, 0);
TABLE(caf_info, THUNK_STATIC, 0, 0, 0);
TABLE(con_info, CONSTR_STATIC, 0, 1, 0);
static struct { StgHeader header; StgClosure *payload, *static_link; } top = {{&con_info}, NULL, NULL};
static StgIndStatic one_caf = {{&caf_info}, NULL, NULL, NULL}, two_caf = {{&caf_info}, NULL, NULL, NULL};

static StgClosure *thunk(const StgInfoTable *info, StgClosure *of) {
  StgPtr p = allocate(3);
  SET_HDR((StgClosure *)p, info);
  p[1] = 0;
  p[2] = (StgWord)of;
  return (StgClosure *)p;
}

static StgWord evaluated(StgClosure *c) {
  while (get_itbl(c)->kind != CONSTR) c = ((StgInd *)c)->indirectee;
  return value(c);
}

static void lazy_closures(void) {
  StgClosure *p;
  StgClosure *hole;
  void *statics[1];
  int i;
  initStorage();
  CHECK_EQ(MUT_VAR, BARROW_MUT_VAR);
  CHECK_EQ(MUT_ARR_PTRS, BARROW_ARRAY);
  CHECK_EQ(MUT_ARR_PTRS_FROZEN, BARROW_ARRAY_FROZEN);
  CHECK_EQ(ARR_WORDS, BARROW_BYTES);
  CHECK_EQ(FUN, BARROW_FUN);
  CHECK_EQ(PAP, BARROW_PAP);
  CHECK_EQ(AP_UPD, BARROW_AP);
  CHECK_EQ(FUN_STATIC, BARROW_FUN_STATIC);
  CHECK_EQ(CONSTR_NOCAF_STATIC, BARROW_CONSTR_NOCAF_STATIC);
  CHECK_EQ(BLACKHOLE_BQ, SE_BLACKHOLE);
  CHECK_EQ(sizeofW(StgInd), 2);
  CHECK_EQ(sizeofW(StgIndStatic), 4);
  CHECK(stg_IND_info.kind == IND && stg_IND_PERM_info.kind == IND_PERM && stg_IND_OLDGEN_info.kind == IND_OLDGEN);
  CHECK(stg_IND_OLDGEN_PERM_info.kind == IND_OLDGEN_PERM && stg_IND_STATIC_info.kind == IND_STATIC);
  CHECK(&stg_BLACKHOLE_BQ_info == &stg_BLACKHOLE_info && stg_CAF_BLACKHOLE_info.kind == CAF_BLACKHOLE);
  /* Blackholed, updated, shorted out. */
  stable_roots[0] = thunk(&thunk_info, number(4));
  UPD_BH_UPDATABLE(stable_roots[0]);
  CHECK_EQ(get_itbl(stable_roots[0])->kind, BLACKHOLE);
  UPD_IND(stable_roots[0], number(5));
  CHECK_EQ(get_itbl(stable_roots[0])->kind, IND);
  stable_roots[1] = thunk(&thunk_info, NULL);
  UPD_BH_SINGLE_ENTRY(stable_roots[1]);
  UPD_PERM_IND(stable_roots[1], number(6));
  CHECK_EQ(get_itbl(stable_roots[1])->kind, IND_PERM);
  p = pair(number(7), number(8));
  SET_INFO(p, &record_info);
  stable_roots[2] = thunk(&fst_info, p);
  GarbageCollect(get_roots, rtsTrue);
  CHECK_EQ(value(stable_roots[0]), 5);
  CHECK_EQ(value(((StgInd *)stable_roots[1])->indirectee), 6);
  CHECK_EQ(value(stable_roots[2]), 7);
  /* CAFs: both ways. A constructor in the data mentions them. */
  hole = (StgClosure *)allocate(2);
  SET_HDR(hole, &stg_CAF_BLACKHOLE_info);
  ((StgInd *)hole)->indirectee = NULL;
  UPD_CAF(&one_caf, hole);
  CHECK(one_caf.header.info == &stg_IND_STATIC_info && one_caf.saved_info == &caf_info);
  updateWithIndirection(hole, number(9));
  newCAF((StgClosure *)&two_caf);
  two_caf.indirectee = number(10);
  CHECK(caf_list == NULL);
  statics[0] = &top;
  top.payload = (StgClosure *)&one_caf;
  barrow_stg_must_(barrow_statics_add(barrow_default_heap(), statics, 1, false));
  stable_roots[3] = (StgClosure *)&top;
  for (i = 0; i < 3; i++) {
    GarbageCollect(get_roots, rtsFalse);
    CHECK_EQ(evaluated(one_caf.indirectee), 9);
    CHECK_EQ(evaluated(two_caf.indirectee), 10);
  }
  GarbageCollect(get_roots, rtsTrue);
  CHECK_EQ(evaluated(one_caf.indirectee), 9);
  CHECK(two_caf.header.info == &caf_info);
  updateWithPermIndirection(stable_roots[0] = thunk(&thunk_info, NULL), number(11));
  GarbageCollect(get_roots, rtsTrue);
  CHECK_EQ(evaluated(stable_roots[0]), 11);
  for (i = 0; i < 4; i++) stable_roots[i] = NULL;
}

/* The documents' words for biographies, on objects and on statics, while one is taken and while none is. */
static void biographies(void) {
  static StgClosure outside;
  StgClosure *c;
  CHECK_EQ(PROF_HDR_SIZE, 0);
  CHECK_EQ(ldvTime, 0);
  stable_roots[0] = pair(number(1), NULL);
  LDV_recordCreate(stable_roots[0]);
  LDV_recordUse(stable_roots[0]);
  CHECK_EQ(LDVW(stable_roots[0]), 0);
  LDV_recordDead(stable_roots[0], 3);
  LDV_recordDead_FILL_SLOP_DYNAMIC(stable_roots[0]);
  CHECK_EQ(value(fst(stable_roots[0])), 1);
  CHECK_OK(barrow_profile_start(barrow_default_mutator(), "-hb -i0"));
  CHECK_EQ(ldvTime, 1);
  c = number(7);
  CHECK_EQ(LDVW(c), 0);
  LDV_recordCreate(c);
  CHECK_EQ((LDVW(c) & LDV_CREATE_MASK) >> LDV_SHIFT, 1);
  CHECK_EQ(LDVW(c) & LDV_STATE_MASK, LDV_STATE_CREATE);
  LDV_ENTER(c);
  CHECK_EQ(LDVW(c) & LDV_STATE_MASK, LDV_STATE_USE);
  CHECK_EQ(LDVW(c) & LDV_LAST_MASK, 1);
  LDV_recordUse(&outside);
  LDV_recordCreate(&outside);
  CHECK_EQ(LDVW(&outside), 0);
  LDV_recordDead(&outside, 2);
  LDV_recordDead(c, 2);
  CHECK_EQ(LDVW(c) & LDV_STATE_MASK, LDV_STATE_CREATE);
  c = pair(c, c);
  LDV_recordUse(c);
  LDV_recordDead_FILL_SLOP_DYNAMIC(c);
  SET_HDR(c, &int_info);
  LDV_recordCreate(c);
  CHECK_EQ(((StgPtr)c)[2], 0);
  CHECK_OK(barrow_profile_stop(barrow_default_mutator()));
  CHECK_EQ(ldvTime, 0);
  CHECK_EQ(LDVW(c), 0);
  stable_roots[0] = NULL;
}

static StgInfoTable upd_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, UPDATE_FRAME, 0, 0, 1, 0, 0, 0, NULL,
                                NULL, NULL, NULL};
static StgInfoTable tso_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, TSO, BARROW_FLAG_MUTABLE, 0, 1, 0, 0, 0,
                                NULL, NULL, NULL, NULL};
static int finalizers_run;

static void run_finalizer(void *client, barrow_mutator *m, void *finalizer, void *key, void *value) {
  (void)client;
  (void)m;
  CHECK(((StgPtr)finalizer)[1] == 3 && ((StgPtr)key)[1] == 1 && ((StgPtr)value)[1] == 2);
  finalizers_run++;
}

static void weak_pointers_and_stacks(void) {
  StgWeak *w;
  StgTSO *tso;
  StgPtr before;
  StgWord name;
  void *stack;
  stable_roots[0] = number(1);
  w = mkWeakzh(stable_roots[0], number(2), number(3));
  CHECK(w->key == stable_roots[0] && w->link == NULL);
  stable_roots[1] = (StgClosure *)w;
  name = lookupStableName(stable_roots[0]);
  GarbageCollect(get_roots, rtsFalse);
  CHECK(lookupStableName(stable_roots[0]) == name);
  w = (StgWeak *)stable_roots[1];
  CHECK(w->header.info->kind == WEAK && ((StgPtr)deRefWeakzh(w))[1] == 2);
  stable_roots[0] = NULL;
  GarbageCollect(get_roots, rtsTrue);
  CHECK(deRefWeakzh((StgWeak *)stable_roots[1]) == NULL);
  finalizeWeakPointersNow(); /* an object is due, and nobody says how to run it */
  CHECK(finalizers_run == 0);
  CHECK_EQ(scheduleFinalizers(run_finalizer, NULL), 1);
  CHECK(finalizers_run == 1);
  stable_roots[0] = number(4);
  w = mkWeakNoFinalizzerzh(stable_roots[0], NULL);
  CHECK(finalizzeWeakzh(w) == NULL && deRefWeakzh(w) == NULL && w->header.info->kind != WEAK);

  stack = barrow_stack_new(barrow_default_mutator(), NULL, 60);
  tso = (StgTSO *)allocate(2);
  SET_HDR(tso, &tso_info);
  tso->stackobj = (StgClosure *)stack;
  stable_roots[1] = (StgClosure *)tso;
  CHECK_OK(barrow_thread_enter(barrow_default_mutator(), tso));
  CHECK(((StgStopFrame *)Sp)->header.info->kind == STOP_FRAME && ((StgStopFrame *)Sp)->next == NULL);
  before = Sp;
  PUSH_UPD_FRAME(&upd_info, stable_roots[0]);
  CHECK(before - Sp == sizeof(StgUpdateFrame) / sizeof(StgWord) && Sp > SpLim);
  GarbageCollect(get_roots, rtsTrue);
  CHECK(((StgUpdateFrame *)Sp)->updatee == stable_roots[0]);
  CHECK_OK(barrow_thread_leave(barrow_default_mutator(), stable_roots[1]));
  stack = ((StgTSO *)stable_roots[1])->stackobj;
  CHECK_EQ(((StgClosure *)stack)->header.info->kind, STACK);
  dirty_STACK(stack);
  CHECK(STABLE_NAME != CATCH_FRAME && RET_SMALL == RET_BIG && sizeof(StgCatchFrame) == sizeof(StgUpdateFrame));
  stable_roots[0] = stable_roots[1] = NULL;
  GarbageCollect(get_roots, rtsTrue);
}

int main(void) {
  RUN(flags_come_first);
  RUN(block_allocator);
  RUN(allocate_from_both_pools);
  RUN(the_nursery);
  RUN(growing_old);
  RUN(old_to_new);
  CHECK_OK(barrow_check(barrow_default_mutator()));
  CHECK_OK(barrow_audit(barrow_default_heap()));
  RUN(lazy_closures);
  RUN(weak_pointers_and_stacks);
  RUN(biographies);
  return DONE;
}
