/* A part of barrow/stg.h: weak pointers, stable names, stacks, threads. Programs include that header.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
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
  RET_VEC_SMALL = BARROW_RETURN_FRAME,
  RET_VEC_BIG = BARROW_RETURN_FRAME,
  UPDATE_FRAME = BARROW_UPDATE_FRAME,
  CATCH_FRAME = BARROW_CATCH_FRAME,
  STOP_FRAME = BARROW_STOP_FRAME
};

/* Only to be read. A dead weak pointer has another table and as many words, which are zero. */
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

/* There this call makes threads of finalizers that are objects. Here the function that it is given runs them, one after
 * the other; it gives how many were run. */
static inline nat scheduleFinalizers(void (*run)(void *client, barrow_mutator *m, void *finalizer, void *key, void *value),
                                     void *client) {
  return (nat)barrow_run_finalizers(barrow_stg_m_(), run, client, 0);
}

/* Runs the functions that are due, up to the first finalizer that is an object. */
static inline void finalizeWeakPointersNow(void) { (void)barrow_run_finalizers(barrow_stg_m_(), NULL, NULL, 0); }

/* There the collector calls this before it returns; here only the program does. */
static inline void scheduleFinalizer(void) { finalizeWeakPointersNow(); }

/* The number of an object, which stays when the object moves. */
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
