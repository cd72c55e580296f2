/* errors.c: conditions, where they happened, and the ways out of C code: raise, and give up.
 *
 * Both are a longjmp into execute (vm.c), which gives the condition to the program's handlers, or to whoever called
 * execute. Frames of the shadow stack that are jumped over are dropped there. */
#include "scheme.h"
#include <stdlib.h>

value new_condition(scheme *s, value kind, value message, value irritants) {
  struct { barrow_frame frame; value kind, message, irritants; } r;
  value v, file = FALSE_VALUE;
  size_t line = 0;
  condition_object *c;
  ENTER(s, r);
  r.kind = kind;
  r.message = message;
  r.irritants = irritants;
  v = new_object(s, &condition_info, 6, r.kind, r.message);
  /* An instruction that can fail has its line as its last operand. */
  if (s->compiling) {
    file = s->r.file;
    line = s->line;
  } else if (is_a(s->r.code, &code_info) && s->pc > CODE_START) {
    file = elements(s->r.code)[CODE_FILE];
    line = (size_t)fix_of(elements(s->r.code)[s->pc - 1]);
  }
  if (file == FALSE_VALUE) { /* in the prelude: the form that is being run is better */
    file = s->r.file;
    line = s->form_line;
  }
  c = AS(condition, v);
  c->irritants = r.irritants;
  c->file = file;
  c->line = FIX(line);
  LEAVE(s, r);
  return v;
}

void raise_condition(scheme *s, value condition) {
  s->r.condition = condition;
  longjmp(s->trap, 1);
}

void give_up(scheme *s, value condition) {
  s->r.condition = condition;
  longjmp(s->trap, 2);
}

static value condition_of(scheme *s, value kind, const char *message, value irritants) {
  struct { barrow_frame frame; value kind, irritants; } r;
  value v;
  ENTER(s, r);
  r.kind = kind;
  r.irritants = irritants;
  v = text(s, message);
  v = new_condition(s, r.kind, v, r.irritants);
  LEAVE(s, r);
  return v;
}

void fail(scheme *s, const char *message) { raise_condition(s, condition_of(s, s->r.generic, message, NIL)); }

void fail_with(scheme *s, const char *message, value irritant) {
  value irritants = cons(s, irritant, NIL);
  raise_condition(s, condition_of(s, s->r.generic, message, irritants));
}

/* As fail_with, at a place that is not the current one. */
void fail_kind(scheme *s, value kind, const char *message, value irritant, value file, size_t line) {
  struct { barrow_frame frame; value kind, irritants, file; } r;
  value v;
  ENTER(s, r);
  r.kind = kind;
  r.file = file;
  r.irritants = NIL;
  if (irritant != UNDEFINED) r.irritants = cons(s, irritant, NIL);
  v = condition_of(s, r.kind, message, r.irritants);
  if (r.file != UNDEFINED) {
    set_field(s, v, &AS(condition, v)->file, r.file);
    AS(condition, v)->line = FIX(line);
  }
  LEAVE(s, r);
  raise_condition(s, v);
}

void wrong_type(scheme *s, const char *who, const char *wanted, value got) {
  char message[160];
  snprintf(message, sizeof message, "%s: %s is wanted, not", who, wanted);
  fail_with(s, message, got);
}

/* The C functions that call themselves come here first; execute sets the depth back. */
void deeper(scheme *s) {
  if (++s->depth > 1000) {
    s->depth = 0;
    fail(s, "nested too deeply");
  }
}

/* The heap calls this when it has no memory even after a collection. Nothing is allocated here: UNDEFINED stands for
 * the condition. The reserve is let go, so that what the user says next has room to be read and run. */
bool out_of_memory(void *client, barrow_mutator *m, size_t bytes) {
  scheme *s = (scheme *)barrow_window_of(m)->client[0];
  (void)client, (void)bytes;
  s->r.reserve = NIL;
  give_up(s, UNDEFINED);
  return false;
}

/* Called between forms: makes a reserve again when there is much more room than that. It is a share of the heap's
 * limit, since the heap keeps a share free itself (-m) and refuses before it is quite full. */
void make_reserve(scheme *s) {
  char limit[64] = "";
  size_t bytes;
  if (s->r.reserve != NIL) return;
  barrow_flag_value(s->heap, "-M", limit, sizeof limit);
  bytes = (size_t)strtoull(limit, NULL, 10) / 8;
  if (bytes == 0) bytes = (size_t)1 << 20; /* no limit but the system's */
  if (setjmp(s->trap) == 0) {
    new_bytes(s, &bytevector_info, 2 * bytes);
    s->r.reserve = new_bytes(s, &bytevector_info, bytes);
  }
}

/* What is said of a value is bounded: it may be a circle. */
enum { MOST_OF_A_VALUE = 500, MOST_IRRITANTS = 20 };

/* "file:line: message irritant ...", on one line. */
void report_condition(scheme *s, value condition, FILE *to) {
  struct { barrow_frame frame; value c, list; } r;
  int said = 0;
  ENTER(s, r);
  r.c = condition;
  if (r.c == UNDEFINED) {
    if (is_string(s->r.file)) print_to_file(s, s->r.file, false, to);
    fprintf(to, ":%zu: out of memory\n", s->form_line);
  } else if (is_a(r.c, &condition_info)) {
    if (is_string(AS(condition, r.c)->file)) print_to_file(s, AS(condition, r.c)->file, false, to);
    if (AS(condition, r.c)->line != FIX(0)) fprintf(to, ":%lld", (long long)fix_of(AS(condition, r.c)->line));
    fputs(": ", to);
    print_to_file(s, AS(condition, r.c)->message, false, to);
    for (r.list = AS(condition, r.c)->irritants; is_pair(r.list) && said < MOST_IRRITANTS; r.list = cdr(r.list), said++) {
      fputc(' ', to);
      print_some(s, car(r.list), true, to, MOST_OF_A_VALUE);
    }
    if (is_pair(r.list)) fputs(" ...", to);
    fputc('\n', to);
  } else {
    if (is_string(s->r.file)) print_to_file(s, s->r.file, false, to);
    fprintf(to, ":%zu: raised: ", s->form_line);
    print_some(s, r.c, true, to, MOST_OF_A_VALUE);
    fputc('\n', to);
  }
  LEAVE(s, r);
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

/* An index from 0 to `limit`, inclusive. */
int64_t to_index(scheme *s, const char *who, value v, size_t limit) {
  char message[160];
  if (is_fix(v) && fix_of(v) >= 0 && (uint64_t)fix_of(v) <= limit) return fix_of(v);
  snprintf(message, sizeof message, "%s: no such index:", who);
  fail_with(s, message, v);
}

/* Optional [start [end]] arguments. */
void range_of(scheme *s, const char *who, value *arguments, size_t count, size_t length, size_t *from, size_t *to) {
  *from = 0;
  *to = length;
  if (count > 1) *to = (size_t)to_index(s, who, arguments[1], length);
  if (count > 0) *from = (size_t)to_index(s, who, arguments[0], *to);
}
