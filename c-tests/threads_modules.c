/* Code that goes while other threads have the heap: each thing of theirs that leads into a module keeps it, eight threads load and
 * unload modules of their own at the same time, and stack maps come and go. misuse.c and statics.c have one mutator. */
#define _POSIX_C_SOURCE 200809L
#include "from_eight.h"
#include "stack_map.h"

/* Data of a module: tables of its objects and frames, a place for frames of its code, and a static. */
typedef struct con { const barrow_info *info; void *a, *b; barrow_word link; } con;
typedef struct module {
  barrow_info info, frame;
  struct { barrow_frame frame; node *n; } shadow;
  con one;
} module;

static const barrow_names con_names = {"con", "con", "c-tests", __FILE__};
static barrow_info con_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR_STATIC, 0, 0, 2, 0, 0, 0, NULL,
                               NULL, NULL, &con_names};

static void load(barrow_heap *heap, module *code) {
  void *list[1];
  memset(code, 0, sizeof *code);
  code->info = node_info;
  code->frame = node_info;
  code->frame.kind = BARROW_RETURN_FRAME;
  code->frame.ptrs = 0;
  code->one.info = &con_info;
  list[0] = &code->one;
  CHECK_OK(barrow_statics_add(heap, list, 1, false));
}

/* ---- what another thread has of a module ----------------------------------------------------------------------------- */

enum { AN_OBJECT, A_STATIC, BY_A_STATIC, A_SHADOW_FRAME, A_STACK, A_FUNCTION, NOTHING, CASES };
static const char *const words_of[CASES] = {"info table lies in the module", "a root", "needs the static",
                                            "shadow-stack frame", "has a frame", "waits to collect", NULL};
static module shared_module;
static con user;
static size_t holds, may_go;

/* The code of a module is this function. */
static void tells_nothing(void *client, barrow_visitor *visitor) { (void)client, (void)visitor; }

/* Has one thing after the other, and waits with each of them in foreign code or at safepoints. */
static void holder(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < CASES; i++) {
    struct { barrow_frame frame; void *root; } r;
    BARROW_ENTER(m, r);
    if (i == AN_OBJECT) r.root = task_list(w, m, 1, &shared_module.info);
    if (i == A_STATIC) r.root = &shared_module.one;
    if (i == BY_A_STATIC) r.root = &user;
    if (i == A_SHADOW_FRAME) BARROW_ENTER(m, shared_module.shadow);
    if (i == A_STACK) {
      MUST(w, barrow_stack_enter(m, barrow_stack_new(m, NULL, 100)) == BARROW_OK);
      barrow_stack_push(m, &shared_module.frame, 2)[1] = 5;
    }
    __atomic_store_n(&holds, i + 1, __ATOMIC_SEQ_CST);
    if (i == A_FUNCTION) {
      /* Asked to stop, it waits for its own collection. */
      while (!__atomic_load_n(&barrow_window_of(m)->poll, __ATOMIC_RELAXED)) sched_yield();
      MUST(w, barrow_collect_with(m, false, tells_nothing, NULL) == BARROW_OK);
    }
    await_all(w, m, &may_go, i + 1);
    if (i == A_SHADOW_FRAME) BARROW_LEAVE(m, shared_module.shadow);
    if (i == A_STACK) {
      barrow_stack_pop(m, 2);
      MUST(w, barrow_stack_enter(m, NULL) == BARROW_OK);
    }
    BARROW_LEAVE(m, r);
  }
}

static void unloader(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < CASES; i++) {
    await_all(w, m, &holds, i + 1);
    if (words_of[i]) {
      barrow_status status = i == A_FUNCTION ? barrow_module_unregister(m, (void *)(size_t)tells_nothing, 1)
                                             : barrow_module_unregister(m, &shared_module, sizeof shared_module);
      if (status != BARROW_E_STATE || !strstr(barrow_last_error(), words_of[i])) task_failed(w, words_of[i]);
      check_forget();
    } else {
      MUST(w, barrow_module_unregister(m, &shared_module, sizeof shared_module) == BARROW_OK);
    }
    __atomic_store_n(&may_go, i + 1, __ATOMIC_SEQ_CST);
  }
}

static void one_or_the_other(task *w, barrow_mutator *m) {
  if (w->number == 0) holder(w, m);
  else unloader(w, m);
}

static void anothers_things_keep_a_module(void) {
  size_t i;
  for (i = 0; i < sizeof few_flags / sizeof *few_flags; i++) {
    static void *list[] = {&user};
    char flags[200];
    toy t;
    sprintf(flags, "--mutators=3 %s", few_flags[i]);
    t = toy_new(flags);
    holds = may_go = 0;
    load(t.heap, &shared_module);
    memset(&user, 0, sizeof user);
    user.info = &con_info;
    user.a = &shared_module.one;
    CHECK_OK(barrow_statics_add(t.heap, list, 1, false));
    in_threads(t, 2, task_of(1), one_or_the_other);
    memset(&shared_module, 0xff, sizeof shared_module);
    user.a = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_OK(barrow_audit(t.heap));
    toy_free(t);
  }
}

/* ---- modules of eight threads ---------------------------------------------------------------------------------------- */

/* Objects of a module's code live while it is there; then its memory is something else. */
static void loads_and_unloads(task *w, barrow_mutator *m) {
  module *own = (module *)malloc(sizeof *own);
  struct { barrow_frame frame; node *list, *tree; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    load(w->heap, own);
    r.tree = tree(w, m, 6, 1);
    r.list = task_list(w, m, 50, &own->info);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    MUST(w, barrow_module_unregister(m, own, sizeof *own) == BARROW_E_STATE);
    MUST(w, r.list->value == 1 && barrow_info_of(r.list) == &own->info);
    r.list = NULL;
    DID(barrow_module_unregister(m, own, sizeof *own));
    memset(own, 0xff, sizeof *own);
    MUST(w, nodes_of(w, r.tree, 1) == 63);
  }
  BARROW_LEAVE(m, r);
  free(own);
  check_forget();
}

/* Maps of functions that nobody runs. */
static void maps_come_and_go(task *w, barrow_mutator *m) {
  static barrow_word code[THREADS][2];
  static map maps[THREADS];
  map *own = &maps[w->number];
  size_t i;
  *own = map_of(code[w->number], 24, 5);
  for (i = 0; i < w->rounds; i++) {
    DID(barrow_stack_maps_register(w->heap, own, sizeof *own, false));
    tree(w, m, 5, 1);
    DID(barrow_stack_maps_unregister(m, own));
    NOT(barrow_stack_maps_unregister(m, own));
  }
  check_forget();
}

static void modules_of_eight(void) { in_each_heap(slow_share(20), loads_and_unloads); }
static void maps_of_eight(void) { from_eight("-A256k", slow_share(100), maps_come_and_go); }

int main(void) {
  RUN(anothers_things_keep_a_module);
  RUN(modules_of_eight);
  RUN(maps_of_eight);
  return DONE;
}
