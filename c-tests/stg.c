/* The documents' spelling: every name, in the shape of their own snippets. */
#define BARROW_TICKY
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2", "strict-aliasing") /* as programs are compiled */
#endif
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

/* Two names for an object, of which one form writes by the one, and another reads by the other. */
BARROW_COLD_ static unsigned changes_of(StgClosure *one, StgClosure *other) {
  unsigned seen;
  SET_INFO(one, &pair_info);
  seen = get_itbl(one) == &pair_info;
  SET_INFO(other, &int_info);
  return seen + 2 * (get_itbl(one) == &int_info);
}
BARROW_COLD_ static unsigned headers_of(StgClosure *one, StgClosure *other) {
  const StgInfoTable *before, *after;
  SET_INFO(one, &pair_info);
  before = one->header.info;
  barrow_set_header(other, &int_info);
  after = one->header.info;
  return (before == &pair_info) + 2 * (after == &int_info);
}

/* The newest frame, which the client's code writes and reads by a type of its own. */
BARROW_COLD_ static unsigned frames_of(StgClosure *frame, StgClosure *window) {
  barrow_mutator *m = (barrow_mutator *)window;
  const StgInfoTable *before, *after;
  SET_INFO(frame, &pair_info);
  before = frame->header.info;
  barrow_stack_push(m, &int_info, 0);
  after = frame->header.info;
  frame->header.info = &pair_info;
  return (before == &pair_info) + 2 * (after == &int_info) + 4 * (barrow_stack_top(m) == &pair_info);
}

static void names_of_one_object(void) {
  unsigned (*volatile const ways[3])(StgClosure *, StgClosure *) = {changes_of, headers_of, frames_of};
  barrow_window window;
  StgInd object;
  StgClosure *one = (StgClosure *)&object;
  CHECK_EQ(ways[0](one, one), 3);
  CHECK_EQ(ways[1](one, one), 3);
  memset(&window, 0, sizeof window);
  window.sp = (size_t *)one;
  CHECK_EQ(ways[2](one, (StgClosure *)&window), 7);
}

static void flags_come_first(void) {
  const char *all = getenv("BARROW_TEST_FLAGS");
  char flags[300];
  snprintf(flags, sizeof flags, "%.200s -A512k -G3 -T2 -xr256m -DS", all ? all : "");
  REFUSED(BARROW_E_ARG, barrow_default_flags(NULL));
  REFUSED(BARROW_E_ARG, barrow_default_flags("-Q"));
  CHECK_OK(barrow_default_flags(flags));
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

/* What the registers of the documents' mutator hold. */
static void registers(void) {
  StgRegTable before = MainRegTable;
  StgMutClosure *remembered;
  StgPtr hp, hplim, limit;
  nat n = 0;
  CHECK(MainRegTable.rNursery == g0s0->blocks && before.rCurrentNursery != NULL);
  CHECK(Hp == before.rHp && HpLim == before.rHpLim && Hp <= HpLim);
  OpenNursery(hp, hplim);
  CHECK(hp <= hplim && MainRegTable.rCurrentNursery == Bdescr(hp + 1));
  limit = hplim;
  hp += 2;
  hp[-1] = (StgWord)&int_info;
  hp[0] = 1;
  CloseNursery(hp);
  CHECK(Hp == hp && (HpLim == limit || HpLim == Hp)); /* its n-th word is at Hp + n */
  for (remembered = generations[1].mut_list; remembered != END_MUT_LIST; n++) remembered = END_MUT_LIST;
  CHECK(n == 0 && generations[1].mut_once_list == END_MUT_LIST);
  CHECK(large_alloc_list == g0s0->large_objects && g0s0->large_blocks == large_alloc_list);
  CHECK(LOOKS_LIKE_GHC_INFO(&int_info) && !LOOKS_LIKE_GHC_INFO((StgInfoTable *)(void *)stable_roots));
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

static void count_finalizer(barrow_mutator *m, void *data, void *key, void *value) {
  CHECK(m == barrow_default_mutator() && data == NULL && ((StgPtr)key)[1] == 5 && value == NULL);
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

  /* One that is a function waits for the program, too. */
  w = mkWeakNoFinalizzerzh(number(5), NULL);
  CHECK_OK(barrow_weak_set_function(barrow_default_mutator(), w, count_finalizer, NULL, NULL));
  stable_roots[0] = NULL;
  GarbageCollect(get_roots, rtsTrue);
  CHECK(finalizers_run == 1);
  scheduleFinalizer();
  CHECK(finalizers_run == 2);

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
  CHECK(STABLE_NAME != CATCH_FRAME && RET_SMALL == RET_BIG && RET_VEC_SMALL == RET_VEC_BIG);
  CHECK_EQ(sizeof(StgCatchFrame), sizeof(StgUpdateFrame));
  stable_roots[0] = stable_roots[1] = NULL;
  GarbageCollect(get_roots, rtsTrue);
}

static CostCentre one_centre = BARROW_CC("one", "Stg", "stg.c"), two_centre = BARROW_CC("two", "Stg", "stg.c");

static void cost_centres(void) {
  CostCentreStack *before = CCCS, *one, *two;
  StgClosure *c;
  CHECK(before == CCS_MAIN && CCS_SYSTEM != CCS_GC && CCS_OVERHEAD != CCS_DONT_CARE);
  SET_CCC(&one_centre);
  one = CCCS;
  CHECK(one == PushCostCentre(before, &one_centre) && one != before);
  two = PushCostCentre(one, &two_centre);
  CHECK(CCCS == one);
  ENTER_CCS(two);
  CHECK(CCCS == two);
  ENTER_CCS(before);
  ENTER_CCS_F(one);
  CHECK(CCCS == one);
  ENTER_CCS_CAF(&two_centre);
  CHECK(CCCS == PushCostCentre(before, &two_centre));
  c = number(1);
  PUSH_STD_CCCS(c);
  CHECK_EQ(CCS(c), 0);
  SET_PROF_HDR(c, one); /* forgotten: no profile */
  CHECK_EQ(CCS(c), 0);
  ENTER_CCS_T(c, before);
  stable_roots[0] = number(1);
  CHECK_OK(barrow_profile_start(barrow_default_mutator(), "-hc -i0"));
  CHECK_EQ(CCS(stable_roots[0]), 0);
  stable_roots[1] = number(2);
  CHECK_EQ(CCS(stable_roots[1]), before->number + 1);
  SET_HDR(stable_roots[1], &int_info, two);
  CHECK_EQ(CCS(stable_roots[1]), two->number + 1);
  GarbageCollect(get_roots, rtsTrue);
  CHECK_EQ(CCS(stable_roots[1]), two->number + 1);
  CHECK(get_itbl(stable_roots[1]) == &int_info);
  CHECK_OK(barrow_profile_stop(barrow_default_mutator()));
  SET_HDR(stable_roots[1], &int_info, CCCS);
  CHECK_EQ(value(stable_roots[1]), 2);
  stable_roots[0] = stable_roots[1] = NULL;
}

static barrow_ticky ticked(void) {
  barrow_ticky t;
  t.size = (uint32_t)sizeof t;
  CHECK_OK(barrow_ticky_counters(barrow_default_mutator(), &t));
  return t;
}

static barrow_ticky_function counted = BARROW_TICKY_FUNCTION("counted", "Stg", 0, NULL, NULL, NULL, 0);

/* Each name adds to its own counter, and to nothing else that is looked at here. */
static void ticky_counters(void) {
  barrow_ticky b = ticked(), a;
  TICK_ENT_VIA_NODE();
  TICK_ENT_STATIC_CON(); TICK_ENT_STATIC_CON();
  TICK_ENT_DYN_CON(); TICK_ENT_DYN_CON(); TICK_ENT_DYN_CON();
  TICK_ENT_STATIC_FUN_DIRECT();
  TICK_ENT_DYN_FUN_DIRECT(); TICK_ENT_DYN_FUN_DIRECT();
  TICK_ENT_LNE(); TICK_ENT_LNE(); TICK_ENT_LNE();
  TICK_ENT_STATIC_IND();
  TICK_ENT_DYN_IND(); TICK_ENT_DYN_IND();
  TICK_ENT_PERM_IND(); TICK_ENT_PERM_IND(); TICK_ENT_PERM_IND();
  TICK_ENT_AP();
  TICK_ENT_PAP(); TICK_ENT_PAP();
  TICK_ENT_AP_STACK(); TICK_ENT_AP_STACK(); TICK_ENT_AP_STACK();
  TICK_ENT_BH();
  TICK_ENT_STATIC_THK_SINGLE(); TICK_ENT_STATIC_THK_SINGLE();
  TICK_ENT_STATIC_THK_MANY(); TICK_ENT_STATIC_THK_MANY(); TICK_ENT_STATIC_THK_MANY();
  TICK_ENT_DYN_THK_SINGLE();
  TICK_ENT_DYN_THK_MANY(); TICK_ENT_DYN_THK_MANY();
  TICK_UPD_CAF_BH_UPDATABLE(); TICK_UPD_CAF_BH_UPDATABLE(); TICK_UPD_CAF_BH_UPDATABLE();
  TICK_UPD_CAF_BH_SINGLE_ENTRY();
  TICK_VERY_SLOW_CALL(); TICK_VERY_SLOW_CALL();
  TICK_UNKNOWN_CALL(); TICK_UNKNOWN_CALL(); TICK_UNKNOWN_CALL();
  TICK_KNOWN_CALL();
  TICK_KNOWN_CALL_TOO_FEW_ARGS(); TICK_KNOWN_CALL_TOO_FEW_ARGS();
  TICK_KNOWN_CALL_EXTRA_ARGS(); TICK_KNOWN_CALL_EXTRA_ARGS(); TICK_KNOWN_CALL_EXTRA_ARGS();
  TICK_SLOW_CALL();
  TICK_SLOW_CALL_FUN_TOO_FEW(); TICK_SLOW_CALL_FUN_TOO_FEW();
  TICK_SLOW_CALL_FUN_CORRECT(); TICK_SLOW_CALL_FUN_CORRECT(); TICK_SLOW_CALL_FUN_CORRECT();
  TICK_SLOW_CALL_FUN_TOO_MANY();
  TICK_SLOW_CALL_PAP_TOO_FEW(); TICK_SLOW_CALL_PAP_TOO_FEW();
  TICK_SLOW_CALL_PAP_CORRECT(); TICK_SLOW_CALL_PAP_CORRECT(); TICK_SLOW_CALL_PAP_CORRECT();
  TICK_SLOW_CALL_PAP_TOO_MANY();
  TICK_SLOW_CALL_UNEVALD(); TICK_SLOW_CALL_UNEVALD();
  TICK_UPDF_OMITTED(); TICK_UPDF_OMITTED(); TICK_UPDF_OMITTED();
  TICK_UPDF_PUSHED();
  TICK_SEQF_PUSHED(); TICK_SEQF_PUSHED();
  TICK_CATCHF_PUSHED(); TICK_CATCHF_PUSHED(); TICK_CATCHF_PUSHED();
  TICK_UPDF_RCC_PUSHED();
  TICK_UPDF_RCC_OMITTED(); TICK_UPDF_RCC_OMITTED();
  TICK_UPD_SQUEEZED(); TICK_UPD_SQUEEZED(); TICK_UPD_SQUEEZED();
  TICK_UPD_CON_IN_PLACE();
  TICK_UPD_PAP_IN_PLACE(); TICK_UPD_PAP_IN_PLACE();
  TICK_SLOW_CALL_fast_v16(); TICK_SLOW_CALL_fast_v16(); TICK_SLOW_CALL_fast_v16();
  TICK_SLOW_CALL_fast_v();
  TICK_SLOW_CALL_fast_f(); TICK_SLOW_CALL_fast_f();
  TICK_SLOW_CALL_fast_d(); TICK_SLOW_CALL_fast_d(); TICK_SLOW_CALL_fast_d();
  TICK_SLOW_CALL_fast_l();
  TICK_SLOW_CALL_fast_n(); TICK_SLOW_CALL_fast_n();
  TICK_SLOW_CALL_fast_p(); TICK_SLOW_CALL_fast_p(); TICK_SLOW_CALL_fast_p();
  TICK_SLOW_CALL_fast_pv();
  TICK_SLOW_CALL_fast_pp(); TICK_SLOW_CALL_fast_pp();
  TICK_SLOW_CALL_fast_ppv(); TICK_SLOW_CALL_fast_ppv(); TICK_SLOW_CALL_fast_ppv();
  TICK_SLOW_CALL_fast_ppp();
  TICK_SLOW_CALL_fast_pppv(); TICK_SLOW_CALL_fast_pppv();
  TICK_SLOW_CALL_fast_pppp(); TICK_SLOW_CALL_fast_pppp(); TICK_SLOW_CALL_fast_pppp();
  TICK_SLOW_CALL_fast_ppppp();
  TICK_SLOW_CALL_fast_pppppp(); TICK_SLOW_CALL_fast_pppppp();
  TICK_MULTI_CHUNK_SLOW_CALL(3);
  TICK_HEAP_CHK();
  TICK_STK_CHK();
  TICK_ALLOC_HEAP(10);
  TICK_RET_NEW(0);
  TICK_RET_NEW(99);
  TICK_RET_OLD(1);
  TICK_RET_OLD(99);
  TICK_RET_UNBOXED_TUP(2);
  TICK_RET_UNBOXED_TUP(99);
  TICK_RET_VEC_RETURN(3);
  TICK_RET_VEC_RETURN(99);
  TICK_UPD_CON_IN_NEW(4);
  TICK_UPD_CON_IN_NEW(99);
  TICK_UPD_PAP_IN_NEW(5);
  TICK_UPD_PAP_IN_NEW(99);
  TICK_ALLOC_FUN(3, 1);
  TICK_ALLOC_UP_THK(3, 1);
  TICK_ALLOC_SE_THK(3, 1);
  TICK_ALLOC_CON(3, 1);
  TICK_ALLOC_TUP(3, 1);
  TICK_ALLOC_BH(3, 1);
  TICK_ALLOC_PAP(3, 1);
  TICK_ALLOC_TSO(3, 1);
  TICK_ALLOC_PRIM(2, 1, 0);
  TICK_ENTER_FUN(&counted);
  CHECK(counted.id != 0);
  a = ticked();
  CHECK_EQ(a.ent_via_node_ctr - b.ent_via_node_ctr, 1);
  CHECK_EQ(a.ent_static_con_ctr - b.ent_static_con_ctr, 2);
  CHECK_EQ(a.ent_dyn_con_ctr - b.ent_dyn_con_ctr, 3);
  CHECK_EQ(a.ent_static_fun_direct_ctr - b.ent_static_fun_direct_ctr, 1);
  CHECK_EQ(a.ent_dyn_fun_direct_ctr - b.ent_dyn_fun_direct_ctr, 2);
  CHECK_EQ(a.ent_lne_ctr - b.ent_lne_ctr, 3);
  CHECK_EQ(a.ent_static_ind_ctr - b.ent_static_ind_ctr, 1);
  CHECK_EQ(a.ent_dyn_ind_ctr - b.ent_dyn_ind_ctr, 2);
  CHECK_EQ(a.ent_perm_ind_ctr - b.ent_perm_ind_ctr, 3);
  CHECK_EQ(a.ent_ap_ctr - b.ent_ap_ctr, 1);
  CHECK_EQ(a.ent_pap_ctr - b.ent_pap_ctr, 2);
  CHECK_EQ(a.ent_ap_stack_ctr - b.ent_ap_stack_ctr, 3);
  CHECK_EQ(a.ent_bh_ctr - b.ent_bh_ctr, 1);
  CHECK_EQ(a.ent_static_thk_single_ctr - b.ent_static_thk_single_ctr, 2);
  CHECK_EQ(a.ent_static_thk_many_ctr - b.ent_static_thk_many_ctr, 3);
  CHECK_EQ(a.ent_dyn_thk_single_ctr - b.ent_dyn_thk_single_ctr, 1);
  CHECK_EQ(a.ent_dyn_thk_many_ctr - b.ent_dyn_thk_many_ctr, 2);
  CHECK_EQ(a.upd_caf_bh_updatable_ctr - b.upd_caf_bh_updatable_ctr, 3);
  CHECK_EQ(a.upd_caf_bh_single_entry_ctr - b.upd_caf_bh_single_entry_ctr, 1);
  CHECK_EQ(a.very_slow_call_ctr - b.very_slow_call_ctr, 2);
  CHECK_EQ(a.unknown_call_ctr - b.unknown_call_ctr, 3);
  CHECK_EQ(a.known_call_ctr - b.known_call_ctr, 1);
  CHECK_EQ(a.known_call_too_few_args_ctr - b.known_call_too_few_args_ctr, 2);
  CHECK_EQ(a.known_call_extra_args_ctr - b.known_call_extra_args_ctr, 3);
  CHECK_EQ(a.slow_call_ctr - b.slow_call_ctr, 1);
  CHECK_EQ(a.slow_call_fun_too_few_ctr - b.slow_call_fun_too_few_ctr, 2);
  CHECK_EQ(a.slow_call_fun_correct_ctr - b.slow_call_fun_correct_ctr, 3);
  CHECK_EQ(a.slow_call_fun_too_many_ctr - b.slow_call_fun_too_many_ctr, 1);
  CHECK_EQ(a.slow_call_pap_too_few_ctr - b.slow_call_pap_too_few_ctr, 2);
  CHECK_EQ(a.slow_call_pap_correct_ctr - b.slow_call_pap_correct_ctr, 3);
  CHECK_EQ(a.slow_call_pap_too_many_ctr - b.slow_call_pap_too_many_ctr, 1);
  CHECK_EQ(a.slow_call_unevald_ctr - b.slow_call_unevald_ctr, 2);
  CHECK_EQ(a.updf_omitted_ctr - b.updf_omitted_ctr, 3);
  CHECK_EQ(a.updf_pushed_ctr - b.updf_pushed_ctr, 1);
  CHECK_EQ(a.seqf_pushed_ctr - b.seqf_pushed_ctr, 2);
  CHECK_EQ(a.catchf_pushed_ctr - b.catchf_pushed_ctr, 3);
  CHECK_EQ(a.updf_rcc_pushed_ctr - b.updf_rcc_pushed_ctr, 1);
  CHECK_EQ(a.updf_rcc_omitted_ctr - b.updf_rcc_omitted_ctr, 2);
  CHECK_EQ(a.upd_squeezed_ctr - b.upd_squeezed_ctr, 3);
  CHECK_EQ(a.upd_con_in_place_ctr - b.upd_con_in_place_ctr, 1);
  CHECK_EQ(a.upd_pap_in_place_ctr - b.upd_pap_in_place_ctr, 2);
  CHECK_EQ(a.slow_call_fast_v16_ctr - b.slow_call_fast_v16_ctr, 3);
  CHECK_EQ(a.slow_call_fast_v_ctr - b.slow_call_fast_v_ctr, 1);
  CHECK_EQ(a.slow_call_fast_f_ctr - b.slow_call_fast_f_ctr, 2);
  CHECK_EQ(a.slow_call_fast_d_ctr - b.slow_call_fast_d_ctr, 3);
  CHECK_EQ(a.slow_call_fast_l_ctr - b.slow_call_fast_l_ctr, 1);
  CHECK_EQ(a.slow_call_fast_n_ctr - b.slow_call_fast_n_ctr, 2);
  CHECK_EQ(a.slow_call_fast_p_ctr - b.slow_call_fast_p_ctr, 3);
  CHECK_EQ(a.slow_call_fast_pv_ctr - b.slow_call_fast_pv_ctr, 1);
  CHECK_EQ(a.slow_call_fast_pp_ctr - b.slow_call_fast_pp_ctr, 2);
  CHECK_EQ(a.slow_call_fast_ppv_ctr - b.slow_call_fast_ppv_ctr, 3);
  CHECK_EQ(a.slow_call_fast_ppp_ctr - b.slow_call_fast_ppp_ctr, 1);
  CHECK_EQ(a.slow_call_fast_pppv_ctr - b.slow_call_fast_pppv_ctr, 2);
  CHECK_EQ(a.slow_call_fast_pppp_ctr - b.slow_call_fast_pppp_ctr, 3);
  CHECK_EQ(a.slow_call_fast_ppppp_ctr - b.slow_call_fast_ppppp_ctr, 1);
  CHECK_EQ(a.slow_call_fast_pppppp_ctr - b.slow_call_fast_pppppp_ctr, 2);
  CHECK_EQ(a.multi_chunk_slow_call_ctr - b.multi_chunk_slow_call_ctr, 1);
  CHECK_EQ(a.multi_chunk_slow_call_chunks_ctr - b.multi_chunk_slow_call_chunks_ctr, 3);
  CHECK(a.heap_chk_ctr - b.heap_chk_ctr == 1 && a.stk_chk_ctr - b.stk_chk_ctr == 1);
  CHECK(a.alloc_heap_ctr - b.alloc_heap_ctr == 1 && a.alloc_heap_tot - b.alloc_heap_tot == 80);
  CHECK(a.ret_new_ctr - b.ret_new_ctr == 2 && a.ret_new_hst[0] - b.ret_new_hst[0] == 1 && a.ret_new_hst[8] - b.ret_new_hst[8] == 1);
  CHECK(a.ret_old_ctr - b.ret_old_ctr == 2 && a.ret_old_hst[1] - b.ret_old_hst[1] == 1 && a.ret_old_hst[8] - b.ret_old_hst[8] == 1);
  CHECK(a.ret_unboxed_tup_ctr - b.ret_unboxed_tup_ctr == 2 && a.ret_unboxed_tup_hst[2] - b.ret_unboxed_tup_hst[2] == 1 && a.ret_unboxed_tup_hst[8] - b.ret_unboxed_tup_hst[8] == 1);
  CHECK(a.ret_vec_return_ctr - b.ret_vec_return_ctr == 2 && a.ret_vec_return_hst[3] - b.ret_vec_return_hst[3] == 1 && a.ret_vec_return_hst[8] - b.ret_vec_return_hst[8] == 1);
  CHECK(a.upd_con_in_new_ctr - b.upd_con_in_new_ctr == 2 && a.upd_con_in_new_hst[4] - b.upd_con_in_new_hst[4] == 1 && a.upd_con_in_new_hst[8] - b.upd_con_in_new_hst[8] == 1);
  CHECK(a.upd_pap_in_new_ctr - b.upd_pap_in_new_ctr == 2 && a.upd_pap_in_new_hst[5] - b.upd_pap_in_new_hst[5] == 1 && a.upd_pap_in_new_hst[8] - b.upd_pap_in_new_hst[8] == 1);
  CHECK_EQ(a.alloc_fun_ctr - b.alloc_fun_ctr, 1);
  CHECK(a.alloc_fun_gds - b.alloc_fun_gds == 32 && a.alloc_fun_adm - b.alloc_fun_adm == 8 && a.alloc_fun_slp - b.alloc_fun_slp == 8);
  CHECK_EQ(a.alloc_up_thk_ctr - b.alloc_up_thk_ctr, 1);
  CHECK_EQ(a.alloc_se_thk_ctr - b.alloc_se_thk_ctr, 1);
  CHECK_EQ(a.alloc_con_ctr - b.alloc_con_ctr, 1);
  CHECK(a.alloc_con_gds - b.alloc_con_gds == 32 && a.alloc_con_adm - b.alloc_con_adm == 8 && a.alloc_con_slp - b.alloc_con_slp == 8);
  CHECK_EQ(a.alloc_tup_ctr - b.alloc_tup_ctr, 1);
  CHECK(a.alloc_tup_gds - b.alloc_tup_gds == 32 && a.alloc_tup_adm - b.alloc_tup_adm == 8 && a.alloc_tup_slp - b.alloc_tup_slp == 8);
  CHECK_EQ(a.alloc_bh_ctr - b.alloc_bh_ctr, 1);
  CHECK(a.alloc_bh_gds - b.alloc_bh_gds == 40 && a.alloc_bh_adm - b.alloc_bh_adm == 16 && a.alloc_bh_slp - b.alloc_bh_slp == 8);
  CHECK_EQ(a.alloc_pap_ctr - b.alloc_pap_ctr, 1);
  CHECK(a.alloc_pap_gds - b.alloc_pap_gds == 40 && a.alloc_pap_adm - b.alloc_pap_adm == 16 && a.alloc_pap_slp - b.alloc_pap_slp == 8);
  CHECK_EQ(a.alloc_tso_ctr - b.alloc_tso_ctr, 1);
  CHECK(a.alloc_tso_gds - b.alloc_tso_gds == 32 && a.alloc_tso_adm - b.alloc_tso_adm == 8 && a.alloc_tso_slp - b.alloc_tso_slp == 8);
  CHECK(a.alloc_thk_gds - b.alloc_thk_gds == 80 && a.alloc_thk_adm - b.alloc_thk_adm == 32 && a.alloc_thk_hst[4] - b.alloc_thk_hst[4] == 2);
  CHECK(a.alloc_prim_ctr - b.alloc_prim_ctr == 1 && a.alloc_prim_gds - b.alloc_prim_gds == 24 && a.alloc_prim_hst[1] - b.alloc_prim_hst[1] == 1);
}

int main(void) {
  RUN(flags_come_first);
  RUN(names_of_one_object);
  RUN(block_allocator);
  RUN(allocate_from_both_pools);
  RUN(the_nursery);
  RUN(registers);
  RUN(growing_old);
  RUN(old_to_new);
  CHECK_OK(barrow_check(barrow_default_mutator()));
  CHECK_OK(barrow_audit(barrow_default_heap()));
  RUN(lazy_closures);
  RUN(weak_pointers_and_stacks);
  RUN(cost_centres);
  RUN(ticky_counters);
  RUN(biographies);
  return DONE;
}
