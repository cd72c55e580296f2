/* centres: cost centres of a lazy language, as a compiler emits them. One program, compiled under three policies:
 *
 *   table   = map square (upto 1 20)              -- a CAF
 *   scale k = \x -> k * x                         -- its closure is called elsewhere
 *   square x = x * x
 *   total n = sum (map (scale n) (upto 1 n)) + sum table      -- exported
 *   main    = print (total 30)
 *
 * upto, map and sum are of a library without centres. A thunk carries the stack under which it was made, and goes back to
 * it while it is evaluated; so does the closure of scale; a CAF has a stack of its own. docs/cost-centres.md explains each.
 * The bytes are those of each stack: who asked for a value does not matter, who wanted it made does. */
#include "lazy.h"

/* The policy: a compiler would leave out what is not asked for. */
enum { NONE, EXPORTED, ALL };
static int policy;

static barrow_cc main_centre = BARROW_CC("main", "Main", "Main.src:5:1-23");
static barrow_cc total_centre = BARROW_CC("total", "Main", "Main.src:4:1-58");
static barrow_cc square_centre = BARROW_CC("square", "Main", "Main.src:3:1-16");
static barrow_cc scale_centre = BARROW_CC("scale", "Main", "Main.src:2:1-20");
static barrow_cc table_centre = BARROW_CC_OF_CAF("table", "Main", "Main.src:1:1-35");
static barrow_cc module_centre = BARROW_CC_OF_CAF("CAF", "Main", "<entire-module>");

/* At the beginning of a top-level function, when the policy gives it a centre. The other way is barrow_ccs_leave. */
static barrow_ccs *enter(barrow_mutator *m, int least, barrow_cc *centre) {
  return policy >= least ? barrow_ccs_enter(m, centre) : barrow_ccs_current(m);
}

static ref upto_entry(barrow_mutator *m, ref self);
static ref map_entry(barrow_mutator *m, ref self);
static ref apply_entry(barrow_mutator *m, ref self);
static ref scaled_entry(barrow_mutator *m, ref self, ref x);
static ref square_entry(barrow_mutator *m, ref self, ref x);
static ref table_entry(barrow_mutator *m, ref self);

/* Each thunk and closure has a plain word for its stack. It is there in profiled code alone. */
INFO(cons_info, BARROW_CONSTR, 0, 2, 0, 0, NULL, NULL);
INFO(upto_info, BARROW_THUNK, 0, 0, 3, 0, NULL, upto_entry);
INFO(map_info, BARROW_THUNK, 0, 2, 1, 0, NULL, map_entry);
INFO(apply_info, BARROW_THUNK, 0, 2, 1, 0, NULL, apply_entry);
INFO(scaled_info, BARROW_FUN, 1, 0, 2, 1, NULL, scaled_entry);
INFO(square_info, BARROW_FUN_STATIC, 1, 0, 0, 1, NULL, square_entry);
INFO(table_info, BARROW_THUNK_STATIC, 0, 0, 0, 0, NULL, table_entry);
static fun square = {&square_info, 0};
static caf table = {&table_info, 0, 0, 0};

static barrow_word stack_now(barrow_mutator *m) { return (barrow_word)barrow_ccs_current(m); }

/* The beginning of a thunk's code: the stack that it was made under. Gives that of whoever asks, for barrow_ccs_leave. */
static barrow_ccs *enter_thunk(barrow_mutator *m, barrow_word stack) {
  barrow_ccs *asking = barrow_ccs_current(m);
  barrow_ccs_leave(m, (barrow_ccs *)stack);
  return asking;
}

/* upto a b, unevaluated: a thunk that carries the current stack. */
static ref new_upto(barrow_mutator *m, barrow_word a, barrow_word b) {
  ref made = bump(m, &upto_info, 5);
  made[2] = stack_now(m);
  made[3] = a;
  made[4] = b;
  return made;
}

static ref upto_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref self; } r;
  barrow_ccs *asking = enter_thunk(m, self[2]);
  ref list = nil, number;
  r.self = self;
  BARROW_PUSH(m, r);
  reserve(m, 2 + 5 + 3);
  BARROW_LEAVE(m, r);
  if (r.self[3] <= r.self[4]) {
    ref rest = new_upto(m, r.self[3] + 1, r.self[4]);
    number = bump(m, &int_info, 2);
    number[1] = r.self[3];
    list = bump(m, &cons_info, 3);
    list[1] = (barrow_word)number;
    list[2] = (barrow_word)rest;
  }
  barrow_ccs_leave(m, asking);
  return list;
}

/* map f list, unevaluated; there is room for it. */
static ref new_map(barrow_mutator *m, ref f, ref list) {
  ref made = bump(m, &map_info, 5);
  made[2] = (barrow_word)f;
  made[3] = (barrow_word)list;
  made[4] = stack_now(m);
  return made;
}

static ref map_entry(barrow_mutator *m, ref self) {
  struct { barrow_frame frame; ref f, list; } r;
  barrow_ccs *asking = enter_thunk(m, self[4]);
  ref made = nil, head;
  r.f = (ref)self[2];
  r.list = (ref)self[3];
  BARROW_PUSH(m, r);
  r.list = eval(m, r.list);
  reserve(m, 5 + 5 + 3);
  BARROW_LEAVE(m, r);
  if (!is_nil(r.list)) {
    ref rest = new_map(m, r.f, (ref)r.list[2]);
    head = bump(m, &apply_info, 5);
    head[2] = (barrow_word)r.f;
    head[3] = r.list[1];
    head[4] = stack_now(m);
    made = bump(m, &cons_info, 3);
    made[1] = (barrow_word)head;
    made[2] = (barrow_word)rest;
  }
  barrow_ccs_leave(m, asking);
  return made;
}

/* f x, unevaluated. */
static ref apply_entry(barrow_mutator *m, ref self) {
  barrow_ccs *asking = enter_thunk(m, self[4]);
  ref f = (ref)self[2];
  ref made = ((ref(*)(barrow_mutator *, ref, ref))barrow_info_of(f)->entry)(m, f, (ref)self[3]);
  barrow_ccs_leave(m, asking);
  return made;
}

static ref new_number(barrow_mutator *m, barrow_word number) {
  ref made;
  reserve(m, 2);
  made = bump(m, &int_info, 2);
  made[1] = number;
  return made;
}

/* The closure that scale gives: its lexical stack on top of the caller's. */
static ref scaled_entry(barrow_mutator *m, ref self, ref x) {
  barrow_ccs *caller = barrow_ccs_enter_function(m, (barrow_ccs *)self[1]);
  barrow_word k = self[2];
  ref made;
  x = eval(m, x);
  made = new_number(m, k * x[1]);
  barrow_ccs_leave(m, caller);
  return made;
}

/* Top-level functions are made nowhere: their stack is the caller's, and their centre is pushed on it. */
static ref square_entry(barrow_mutator *m, ref self, ref x) {
  barrow_ccs *caller = enter(m, ALL, &square_centre);
  ref made;
  (void)self;
  x = eval(m, x);
  made = new_number(m, x[1] * x[1]);
  barrow_ccs_leave(m, caller);
  return made;
}

static ref scale(barrow_mutator *m, barrow_word k) {
  barrow_ccs *caller = enter(m, ALL, &scale_centre);
  ref made;
  reserve(m, 3);
  made = bump(m, &scaled_info, 3);
  made[1] = stack_now(m);
  made[2] = k;
  barrow_ccs_leave(m, caller);
  return made;
}

/* A CAF belongs to no caller: MAIN, and its own centre or its module's. */
static ref table_entry(barrow_mutator *m, ref self) {
  barrow_ccs *asking = barrow_ccs_enter_caf(m, policy == ALL ? &table_centre : &module_centre);
  ref list;
  (void)self;
  reserve(m, 5 + 5);
  list = new_upto(m, 1, 20);
  list = new_map(m, (ref)&square, list);
  list = eval(m, list);
  barrow_ccs_leave(m, asking);
  return list;
}

static barrow_word sum(barrow_mutator *m, ref list) {
  struct { barrow_frame frame; ref list; } r;
  barrow_word so_far = 0;
  r.list = list;
  BARROW_PUSH(m, r);
  for (r.list = eval(m, r.list); !is_nil(r.list); r.list = eval(m, (ref)r.list[2])) {
    ref head = eval(m, (ref)r.list[1]);
    so_far += head[1];
  }
  BARROW_LEAVE(m, r);
  return so_far;
}

static barrow_word total(barrow_mutator *m, barrow_word n) {
  struct { barrow_frame frame; ref f; } r;
  barrow_ccs *caller = enter(m, EXPORTED, &total_centre);
  barrow_word result;
  BARROW_ENTER(m, r);
  r.f = scale(m, n);
  reserve(m, 5 + 5);
  result = sum(m, new_map(m, r.f, new_upto(m, 1, n)));
  result += sum(m, (ref)&table);
  BARROW_LEAVE(m, r);
  barrow_ccs_leave(m, caller);
  return result;
}

/* main/total: the centres of a stack, outermost first. */
static void path(const barrow_cost_row *rows, const barrow_cost_row *row, char *to) {
  if (row->depth > 1) path(rows, &rows[row->parent], to);
  sprintf(to + strlen(to), "%s%s", row->depth > 1 ? "/" : "", row->label);
}

static int run(int argc, char **argv, const char *name) {
  barrow_mutator *m;
  barrow_heap *heap = begin(&argc, argv, "", &m);
  void *statics[] = {&square, &table};
  barrow_cost_row rows[40];
  barrow_ccs *caller;
  barrow_word result;
  size_t count, i;
  must(barrow_statics_add(heap, statics, 2, true));
  caller = enter(m, EXPORTED, &main_centre);
  result = total(m, 30);
  barrow_ccs_leave(m, caller);
  printf("%s: %lu\n", name, (unsigned long)result);
  /* No cost of the program's. The second knows from the first how much lives, and may compact. */
  must(barrow_collect(m, true));
  must(barrow_collect(m, true));
  rows[0].size = sizeof rows[0];
  must(barrow_costs(m, rows, 40, &count));
  for (i = 0; i < count; i++) {
    char at[200] = "";
    if (rows[i].flags & BARROW_COST_HIDDEN || (rows[i].bytes == 0 && rows[i].entries == 0)) continue;
    if (rows[i].depth > 0) path(rows, &rows[i], at);
    printf("  %-20s %5lu bytes, entered %lu\n", rows[i].depth > 0 ? at : "MAIN", (unsigned long)rows[i].bytes,
           (unsigned long)rows[i].entries);
  }
  must(barrow_revert_cafs(m));
  must(barrow_heap_free(heap));
  return 0;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"none", "exported", "all"};
  char *arguments[64];
  int i;
  /* A run takes the flags out, so each has arguments of its own. */
  for (policy = NONE; policy <= ALL; policy++) {
    for (i = 0; i < argc && i < 63; i++) arguments[i] = argv[i];
    arguments[i] = NULL;
    run(argc, arguments, names[policy]);
  }
  return 0;
}
