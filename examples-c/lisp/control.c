/* control.c: procedures, continuations, conditions, records, promises, and the interpreter itself as programs see it.
 *
 * A "control" primitive does not return a value: it leaves a procedure in the accumulator and its arguments on the
 * stack, and the interpreter calls that next (vm.c). */
#include "scheme.h"
#include <time.h>

enum { ANY = 1 << 20 };

/* ---- procedures and continuations --------------------------------------------------------------------------------- */

static value p_is_procedure(scheme *s, value *a, size_t n) {
  (void)s, (void)n;
  return boolean(is_a(a[0], &closure_info) || is_a(a[0], &primitive_info) || is_a(a[0], &continuation_info));
}

static value p_accepts(scheme *s, value *a, size_t n) {
  (void)n;
  return boolean(accepts(a[0], (size_t)to_index(s, "case-lambda", a[1], ANY)));
}

/* (apply f x ... list) */
static value p_apply(scheme *s, value *a, size_t n) {
  value list = pop(s), *at;
  if (list_length(list) < 0) wrong_type(s, "apply", "a list", list);
  s->r.accumulator = a[0];
  for (at = a; at + 1 < s->top; at++) at[0] = at[1];
  s->top--;
  for (n -= 2; list != NIL; list = cdr(list), n++) push(s, car(list));
  s->argument_count = n;
  return UNSPECIFIED;
}

static value p_call_cc(scheme *s, value *a, size_t n) {
  void *frames;
  (void)a, (void)n;
  s->r.accumulator = pop(s);
  frames = barrow_stack_capture(s->m, NULL);
  if (!frames) fail(s, barrow_last_error());
  push(s, new_object(s, &continuation_info, 3, s->r.handlers, (value)frames | TAG_OBJECT));
  s->argument_count = 1;
  return UNSPECIFIED;
}

static value p_values(scheme *s, value *a, size_t n) {
  value v;
  size_t i;
  if (n == 1) return a[0];
  v = new_array(s, &values_info, n, NIL);
  for (i = 0; i < n; i++) set_field(s, v, &elements(v)[i], a[i]);
  return v;
}

/* The consumer waits below the producer, where OP_VALUES finds it. */
static value p_call_with_values(scheme *s, value *a, size_t n) {
  value producer = a[0], consumer = a[1];
  (void)n;
  s->top = a;
  s->r.accumulator = producer;
  push_return(s, s->r.values_code, CODE_START, consumer, 0);
  s->argument_count = 0;
  return UNSPECIFIED;
}

static value p_eval(scheme *s, value *a, size_t n) {
  value code;
  if (n == 2 && a[1] != ENVIRONMENT) wrong_type(s, "eval", "(interaction-environment)", a[1]);
  code = compile_form(s, a[0]);
  s->r.accumulator = new_object(s, &closure_info, 3, code, NIL);
  s->top = a;
  s->argument_count = 0;
  return UNSPECIFIED;
}

static value p_environment(scheme *s, value *a, size_t n) { (void)s, (void)a, (void)n; return ENVIRONMENT; }

static value p_exit(scheme *s, value *a, size_t n) {
  s->exiting = true;
  s->exit_code = n == 0 || a[0] == TRUE_VALUE ? 0 : is_fix(a[0]) ? (int)(fix_of(a[0]) & 255) : 1;
  give_up(s, UNSPECIFIED);
}

/* Registers that the prelude reads, and writes with an argument. */
#define REGISTER(name, field)                               \
  static value name(scheme *s, value *a, size_t n) {        \
    value before = s->r.field;                              \
    if (n == 1) s->r.field = a[0];                          \
    return before;                                          \
  }
REGISTER(p_handlers, handlers)
REGISTER(p_winders, winders)
REGISTER(p_output, output)
REGISTER(p_raiser, raiser)
REGISTER(p_file, file)

/* ---- conditions ------------------------------------------------------------------------------------------------------ */

static value p_error(scheme *s, value *a, size_t n) {
  value irritants = list_from(s, a + 1, n - 1, NIL);
  raise_condition(s, new_condition(s, s->r.generic, a[0], irritants));
}
static value p_uncaught(scheme *s, value *a, size_t n) { (void)n; give_up(s, a[0]); }

static value p_is_condition(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_a(a[0], &condition_info)); }
static value p_is_read_error(scheme *s, value *a, size_t n) {
  (void)n;
  return boolean(is_a(a[0], &condition_info) && AS(condition, a[0])->kind == s->r.read_kind);
}
static value p_is_file_error(scheme *s, value *a, size_t n) {
  (void)n;
  return boolean(is_a(a[0], &condition_info) && AS(condition, a[0])->kind == s->r.file_kind);
}
static value p_message(scheme *s, value *a, size_t n) {
  (void)n;
  if (!is_a(a[0], &condition_info)) wrong_type(s, "error-object-message", "an error object", a[0]);
  return AS(condition, a[0])->message;
}
static value p_irritants(scheme *s, value *a, size_t n) {
  (void)n;
  if (!is_a(a[0], &condition_info)) wrong_type(s, "error-object-irritants", "an error object", a[0]);
  return AS(condition, a[0])->irritants;
}

/* ---- records: element 0 is the type, which is a record itself, of type #f ----------------------------------------- */

static value p_record(scheme *s, value *a, size_t n) {
  value v = new_array(s, &record_info, n, FALSE_VALUE);
  size_t i;
  for (i = 0; i < n; i++) set_field(s, v, &elements(v)[i], a[i]);
  return v;
}
static bool is_record(value v, value type) { return is_a(v, &record_info) && elements(v)[0] == type; }
static value p_is_record(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_record(a[0], a[1])); }
/* (%record-ref record type index), (%record-set! record type index value) */
static value *record_field(scheme *s, value *a) {
  if (!is_record(a[0], a[1])) fail_with(s, "a record of another type is wanted, not", a[0]);
  return &elements(a[0])[to_index(s, "a record", a[2], length_of(a[0]) - 1)];
}
static value p_record_ref(scheme *s, value *a, size_t n) { (void)n; return *record_field(s, a); }
static value p_record_set(scheme *s, value *a, size_t n) {
  (void)n;
  set_field(s, a[0], record_field(s, a), a[3]);
  return UNSPECIFIED;
}

/* ---- promises -------------------------------------------------------------------------------------------------------- */

static value the_promise(scheme *s, value v) {
  if (!is_a(v, &promise_info)) wrong_type(s, "force", "a promise", v);
  return v;
}
static value p_make_promise(scheme *s, value *a, size_t n) { (void)n; return new_object(s, &promise_info, 3, a[0], a[1]); }
static value p_is_promise(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_a(a[0], &promise_info)); }
static value p_is_done(scheme *s, value *a, size_t n) { (void)n; return AS(promise, the_promise(s, a[0]))->done; }
static value p_content(scheme *s, value *a, size_t n) { (void)n; return AS(promise, the_promise(s, a[0]))->content; }
static value p_set_promise(scheme *s, value *a, size_t n) {
  (void)n;
  AS(promise, the_promise(s, a[0]))->done = a[1]; /* a boolean */
  set_field(s, a[0], &AS(promise, a[0])->content, a[2]);
  return UNSPECIFIED;
}

/* ---- time, and the heap ------------------------------------------------------------------------------------------------ */

static value p_second(scheme *s, value *a, size_t n) { (void)a, (void)n; return new_flonum(s, (double)time(NULL)); }
static value p_jiffy(scheme *s, value *a, size_t n) { (void)s, (void)a, (void)n; return FIX(clock()); }
static value p_jiffies(scheme *s, value *a, size_t n) { (void)s, (void)a, (void)n; return FIX(CLOCKS_PER_SEC); }
static value p_collect(scheme *s, value *a, size_t n) {
  (void)a, (void)n;
  if (barrow_collect(s->m, true) != BARROW_OK) fail(s, barrow_last_error());
  return UNSPECIFIED;
}
static value p_collections(scheme *s, value *a, size_t n) { (void)a, (void)n; return FIX(s->shared->collections); }

void define_control(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; bool control; } table[] = {
      {"procedure?", p_is_procedure, 1, 1, false}, {"%accepts?", p_accepts, 2, 2, false},
      {"apply", p_apply, 2, ANY, true}, {"%call/cc", p_call_cc, 1, 1, true}, {"values", p_values, 0, ANY, false},
      {"call-with-values", p_call_with_values, 2, 2, true}, {"eval", p_eval, 1, 2, true},
      {"interaction-environment", p_environment, 0, 0, false}, {"%exit", p_exit, 0, 1, false},
      {"%handlers", p_handlers, 0, 1, false}, {"%winders", p_winders, 0, 1, false}, {"%output", p_output, 0, 1, false},
      {"%raiser", p_raiser, 0, 1, false}, {"%file", p_file, 0, 1, false}, {"error", p_error, 1, ANY, false},
      {"%uncaught", p_uncaught, 1, 1, false}, {"error-object?", p_is_condition, 1, 1, false},
      {"read-error?", p_is_read_error, 1, 1, false}, {"file-error?", p_is_file_error, 1, 1, false},
      {"error-object-message", p_message, 1, 1, false}, {"error-object-irritants", p_irritants, 1, 1, false},
      {"%record", p_record, 1, ANY, false}, {"%record?", p_is_record, 2, 2, false},
      {"%record-ref", p_record_ref, 3, 3, false}, {"%record-set!", p_record_set, 4, 4, false},
      {"%make-promise", p_make_promise, 2, 2, false}, {"promise?", p_is_promise, 1, 1, false},
      {"%promise-done?", p_is_done, 1, 1, false}, {"%promise-content", p_content, 1, 1, false},
      {"%promise-set!", p_set_promise, 3, 3, false}, {"current-second", p_second, 0, 0, false},
      {"current-jiffy", p_jiffy, 0, 0, false}, {"jiffies-per-second", p_jiffies, 0, 0, false},
      {"collect-garbage", p_collect, 0, 0, false}, {"collections", p_collections, 0, 0, false}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, table[i].control);
}
