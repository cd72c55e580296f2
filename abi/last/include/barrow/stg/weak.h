#ifndef BARROW_STG_WEAK_H
#define BARROW_STG_WEAK_H
#include "closures.h"
#ifdef __cplusplus
extern "C" {
#endif
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
typedef struct StgWeak_ {
  StgHeader header;
  StgClosure *key;
  StgClosure *value;
  StgClosure *finalizer;
  struct StgWeak_ *link;
  StgWord function[2];
} StgWeak;
typedef struct { StgHeader header; StgClosure *updatee; } StgUpdateFrame;
typedef struct { StgHeader header; StgClosure *handler; } StgCatchFrame;
typedef struct { StgHeader header; StgClosure *next; } StgStopFrame;
typedef struct { StgHeader header; StgClosure *stackobj; } StgTSO;
#define Sp (barrow_window_of(barrow_stg_m_())->sp)
#define SpLim (barrow_window_of(barrow_stg_m_())->sp_lim)
static inline void barrow_stg_push_upd_(const StgInfoTable *info, StgClosure *target) {
  StgUpdateFrame *frame;
  if (!barrow_stack_need(barrow_stg_m_(), sizeof *frame / sizeof(StgWord))) barrow_stg_fatal_();
  frame = (StgUpdateFrame *)(void *)barrow_stack_push(barrow_stg_m_(), info, sizeof *frame / sizeof(StgWord));
  frame->updatee = target;
}
#define PUSH_UPD_FRAME(info, target) barrow_stg_push_upd_((info), (target))
static inline StgWeak *mkWeakzh(StgClosure *key, StgClosure *value, StgClosure *finalizer) {
  void *weak = barrow_weak_new(barrow_stg_m_(), key, value, finalizer);
  if (!weak) barrow_stg_fatal_();
  return (StgWeak *)weak;
}
static inline StgWeak *mkWeakNoFinalizzerzh(StgClosure *key, StgClosure *value) { return mkWeakzh(key, value, NULL); }
static inline StgClosure *deRefWeakzh(StgWeak *w) {
  void *value;
  barrow_weak_deref(w, &value);
  return (StgClosure *)value;
}
static inline StgClosure *finalizzeWeakzh(StgWeak *w) {
  void *finalizer = NULL;
  barrow_stg_must_(barrow_weak_finalize(barrow_stg_m_(), w, &finalizer));
  return (StgClosure *)finalizer;
}
static inline nat scheduleFinalizers(void (*run)(void *client, barrow_mutator *m, void *finalizer, void *key, void *value),
                                     void *client) {
  return (nat)barrow_run_finalizers(barrow_stg_m_(), run, client, 0);
}
static inline void finalizeWeakPointersNow(void) { (void)barrow_run_finalizers(barrow_stg_m_(), NULL, NULL, 0); }
static inline StgWord lookupStableName(StgClosure *p) {
  void *name = barrow_stable_name(barrow_stg_m_(), p);
  if (!name) barrow_stg_fatal_();
  return barrow_stable_name_number(name);
}
#define dirty_STACK(stack) barrow_stack_dirty(barrow_stg_m_(), (stack))
#ifdef __cplusplus
}
#endif
#endif
