/* bind.c: the code of forms that bind or change variables: let and its like, set!, define. */
#include "scheme.h"

/* ---- let and its like ---------------------------------------------------------------------------------------- */

static void check_bindings(scheme *s, value form, value bindings) {
  if (list_length(bindings) < 0) syntax_error(s, "no list of bindings:", form);
  for (; bindings != NIL; bindings = cdr(bindings))
    if (list_length(car(bindings)) != 2 || !is_identifier(car(car(bindings))))
      syntax_error(s, "a binding is a name and a value:", form);
}

/* The names that are bound, as a list of their own. */
static value bound_names(scheme *s, value bindings) {
  size_t base = (size_t)(s->top - s->stack);
  value list;
  for (; bindings != NIL; bindings = cdr(bindings)) push(s, car(car(bindings)));
  list = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, NIL);
  s->top = s->stack + base;
  return list;
}

/* A new frame with `count` values from the stack; gives where its size is to be written. */
static size_t emit_let(scheme *s, size_t count) {
  emit(s, FIX(OP_LET));
  emit(s, FIX(count));
  emit(s, FIX(0));
  return (size_t)(s->top - s->stack) - 1;
}

static size_t compile_inits(scheme *s, value bindings, value scope) {
  struct { barrow_frame frame; value bindings, scope; } r;
  size_t n = 0;
  ENTER(s, r);
  r.scope = scope;
  for (r.bindings = bindings; r.bindings != NIL; r.bindings = cdr(r.bindings), n++) {
    compile(s, car(cdr(car(r.bindings))), r.scope, false);
    emit(s, FIX(OP_PUSH));
  }
  LEAVE(s, r);
  return n;
}

/* (let name bindings body ...): the values, a frame for the name, the procedure, a call. */
static void compile_loop(scheme *s, value name, value bindings, value body, value scope, bool tail) {
  struct { barrow_frame frame; value name, names, body, scope; } r;
  size_t n, size;
  ENTER(s, r);
  r.name = name;
  r.body = body;
  r.scope = scope;
  push(s, bindings);
  r.names = bound_names(s, bindings);
  bindings = pop(s);
  n = compile_inits(s, bindings, r.scope);
  size = emit_let(s, 0);
  s->stack[size] = FIX(1);
  body = cons(s, r.name, NIL);
  r.scope = scope_with(s, body, r.scope);
  compile_lambda(s, r.name, r.names, r.body, r.scope);
  emit_set(s, r.name, r.scope);
  emit(s, FIX(OP_LOCAL0));
  emit(s, FIX(1));
  emit_line(s);
  emit(s, FIX(tail ? OP_TAIL_CALL : OP_CALL));
  emit(s, FIX(n));
  emit_line(s);
  LEAVE(s, r);
}

static void compile_let(scheme *s, enum keyword k, value form, value scope, bool tail) {
  struct { barrow_frame frame; value bindings, body, scope, name, names; } r;
  size_t size = 0;
  ENTER(s, r);
  r.scope = scope;
  r.name = UNDEFINED;
  r.body = cdr(form);
  if (k == K_LET && is_pair(r.body) && is_identifier(car(r.body))) {
    r.name = car(r.body);
    r.body = cdr(r.body);
  }
  if (list_length(r.body) < 2) syntax_error(s, "bindings and a body are wanted:", form);
  r.bindings = car(r.body);
  r.body = cdr(r.body);
  check_bindings(s, form, r.bindings);
  if (!tail) emit(s, FIX(OP_SAVE));
  if (r.name != UNDEFINED) {
    compile_loop(s, r.name, r.bindings, r.body, r.scope, tail);
  } else {
    if (k == K_LET) {
      size_t count;
      r.names = bound_names(s, r.bindings);
      count = compile_inits(s, r.bindings, r.scope);
      size = emit_let(s, count);
      r.scope = scope_with(s, r.names, r.scope);
    } else if (k == K_LETREC) {
      size = emit_let(s, 0);
      r.names = bound_names(s, r.bindings);
      r.scope = scope_with(s, r.names, r.scope);
      for (; r.bindings != NIL; r.bindings = cdr(r.bindings)) {
        compile_named(s, car(car(r.bindings)), car(cdr(car(r.bindings))), r.scope);
        emit_set(s, car(car(r.bindings)), r.scope);
      }
    } else { /* let*: a frame for each, and one for what the body defines */
      for (; r.bindings != NIL; r.bindings = cdr(r.bindings)) {
        compile(s, car(cdr(car(r.bindings))), r.scope, false);
        emit(s, FIX(OP_PUSH));
        s->stack[emit_let(s, 1)] = FIX(1);
        r.names = cons(s, car(car(r.bindings)), NIL);
        r.scope = scope_with(s, r.names, r.scope);
      }
      size = emit_let(s, 0);
      r.scope = scope_with(s, NIL, r.scope);
    }
    {
      size_t frame_size = compile_body(s, r.body, car(r.scope), r.scope, tail);
      s->stack[size] = FIX(frame_size);
    }
  }
  if (!tail) emit(s, FIX(OP_RESTORE));
  LEAVE(s, r);
}

/* ---- the keywords that bind ---------------------------------------------------------------------------------- */

static void compile_set(scheme *s, value form, value scope) {
  struct { barrow_frame frame; value name, scope; } r;
  if (list_length(form) != 3 || !is_identifier(car(cdr(form)))) syntax_error(s, "set! wants a name and a value:", form);
  ENTER(s, r);
  r.name = car(cdr(form));
  r.scope = scope;
  compile(s, car(cdr(cdr(form))), scope, false);
  emit_set(s, r.name, r.scope);
  LEAVE(s, r);
}

static void compile_define(scheme *s, value form, value scope) {
  struct { barrow_frame frame; value name; } r;
  if (scope != NIL) syntax_error(s, "define is only for a body or the top level:", form);
  ENTER(s, r);
  r.name = lookup(defined_name(s, form), NIL).symbol;
  set_field(s, r.name, &AS(symbol, r.name)->syntax, UNDEFINED);
  compile_defined(s, form, scope);
  emit(s, FIX(OP_DEFINE));
  emit(s, r.name);
  LEAVE(s, r);
}

static void compile_define_syntax(scheme *s, value form, value scope) {
  struct { barrow_frame frame; value name; } r;
  value macro;
  if (scope != NIL) syntax_error(s, "define-syntax is only for a body or the top level:", form);
  if (list_length(form) != 3 || !is_identifier(car(cdr(form))))
    syntax_error(s, "define-syntax wants a name and a macro:", form);
  ENTER(s, r);
  r.name = lookup(car(cdr(form)), NIL).symbol;
  macro = new_macro(s, car(cdr(cdr(form))), NIL);
  set_field(s, r.name, &AS(symbol, r.name)->syntax, macro);
  emit(s, FIX(OP_CONST));
  emit(s, UNSPECIFIED);
  LEAVE(s, r);
}

/* True when what was emitted needs no OP_RETURN any more. */
bool compile_binder(scheme *s, enum keyword k, value form, value scope, bool tail) {
  switch (k) {
    case K_LAMBDA:
      if (list_length(form) < 3) syntax_error(s, "lambda wants parameters and a body:", form);
      compile_lambda(s, FALSE_VALUE, car(cdr(form)), cdr(cdr(form)), scope);
      return false;
    case K_SET: compile_set(s, form, scope); return false;
    case K_DEFINE: compile_define(s, form, scope); return false;
    case K_DEFINE_SYNTAX: compile_define_syntax(s, form, scope); return false;
    default: compile_let(s, k, form, scope, tail); return tail;
  }
}
