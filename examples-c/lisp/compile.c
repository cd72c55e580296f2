/* compile.c: from forms to code, in one pass.
 *
 * Code is an array of words: CODE_START words about the procedure, then instructions, whose operands are fixnums,
 * symbols and constants. While it is being made it lies on the interpreter's stack: there it can grow, it is a root,
 * and the code of an inner procedure is finished and gone before the outer one goes on. Jumps are relative to their
 * operand.
 *
 * An instruction computes into the accumulator. `tail` says that the value of the form is that of the procedure: the
 * code ends with a tail call or OP_RETURN then. */
#include "scheme.h"

void emit(scheme *s, value word) { push(s, word); }

size_t emit_jump(scheme *s, unsigned op) {
  emit(s, FIX(op));
  emit(s, FIX(0));
  return (size_t)(s->top - s->stack) - 1;
}

/* Lets a jump come here. */
void patch(scheme *s, size_t at) { s->stack[at] = FIX((size_t)(s->top - s->stack) - at); }

void emit_line(scheme *s) { emit(s, FIX(s->line)); }

value finish_code(scheme *s, value *from, value name) {
  size_t n = (size_t)(s->top - from), i;
  value code;
  from[CODE_NAME] = name;
  code = new_array(s, &code_info, n, FALSE_VALUE);
  for (i = 0; i < n; i++) set_field(s, code, &elements(code)[i], from[i]);
  s->top = from;
  return code;
}

void syntax_error(scheme *s, const char *message, value form) {
  struct { barrow_frame frame; value form; } r;
  ENTER(s, r);
  r.form = form;
  note_line(s, form);
  r.form = strip_aliases(s, r.form);
  fail_with(s, message, r.form);
}

/* Where in the file we are: what the reader made knows its line, and what macros made does not. */
void note_line(scheme *s, value form) {
  if (is_pair(form) && barrow_info_of(object_at(form)) == &located_info) s->line = ((located_pair *)object_at(form))->line;
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

bool is_syntax(value form, value scope, value *syntax) {
  binding b;
  if (!is_identifier(form)) return false;
  b = lookup(form, scope);
  *syntax = b.macro != UNDEFINED ? b.macro : b.symbol != UNDEFINED ? syntax_of(b.symbol) : UNDEFINED;
  return *syntax != UNDEFINED;
}

static size_t depth_of(scheme *s, value rib, value scope, value identifier) {
  size_t depth = 0;
  for (; scope != NIL && car(scope) != rib; scope = cdr(scope)) depth++;
  if (scope == NIL) syntax_error(s, "a macro uses a variable outside its scope:", identifier);
  return depth;
}

static void compile_reference(scheme *s, value identifier, value scope) {
  binding b = lookup(identifier, scope);
  value syntax;
  if (is_syntax(identifier, scope, &syntax)) syntax_error(s, "a keyword is no variable:", identifier);
  if (b.rib == NIL) {
    emit(s, FIX(OP_GLOBAL));
    emit(s, b.symbol);
  } else {
    size_t depth = depth_of(s, b.rib, scope, identifier);
    emit(s, FIX(depth == 0 ? OP_LOCAL0 : depth == 1 ? OP_LOCAL1 : OP_LOCAL));
    if (depth > 1) emit(s, FIX(depth));
    emit(s, FIX(b.index));
  }
  emit_line(s);
}

void emit_set(scheme *s, value identifier, value scope) {
  binding b = lookup(identifier, scope);
  value syntax;
  if (is_syntax(identifier, scope, &syntax)) syntax_error(s, "a keyword is no variable:", identifier);
  if (b.rib == NIL) {
    emit(s, FIX(OP_SET_GLOBAL));
    emit(s, b.symbol);
  } else {
    size_t depth = depth_of(s, b.rib, scope, identifier);
    emit(s, FIX(OP_SET_LOCAL));
    emit(s, FIX(depth));
    emit(s, FIX(b.index));
  }
  emit_line(s);
}

static size_t places(value rib) {
  size_t n = 0;
  value e = car(rib);
  for (; e != NIL; e = cdr(e)) n += !is_pair(car(e));
  return n;
}

value scope_with(scheme *s, value identifiers, value scope) {
  struct { barrow_frame frame; value scope; } r;
  value rib;
  ENTER(s, r);
  r.scope = scope;
  rib = cons(s, identifiers, NIL);
  r.scope = cons(s, rib, r.scope);
  LEAVE(s, r);
  return r.scope;
}

/* ---- procedures and bodies ----------------------------------------------------------------------------------- */

void compile_lambda(scheme *s, value name, value formals, value body, value scope) {
  struct { barrow_frame frame; value name, formals, body, scope, list; } r;
  size_t from = (size_t)(s->top - s->stack), required = 0, size;
  value at;
  ENTER(s, r);
  r.name = name;
  r.formals = formals;
  r.body = body;
  for (at = formals; is_pair(at); at = cdr(at), required++) {
    value other = cdr(at);
    if (!is_identifier(car(at))) syntax_error(s, "a parameter is a name:", formals);
    for (; is_pair(other); other = cdr(other))
      if (car(other) == car(at)) syntax_error(s, "two parameters have the same name:", formals);
  }
  if (at != NIL && !is_identifier(at)) syntax_error(s, "a parameter is a name:", formals);
  emit(s, FALSE_VALUE); /* CODE_NAME and its like */
  emit(s, FIX(required));
  emit(s, FIX(at != NIL));
  emit(s, FIX(0));
  emit(s, s->r.file);
  /* A list of all parameters, which grows at its end when the body defines more. */
  r.scope = scope;
  r.list = at == NIL ? NIL : cons(s, at, NIL);
  {
    size_t base = (size_t)(s->top - s->stack);
    for (at = r.formals; is_pair(at); at = cdr(at)) push(s, car(at));
    r.list = list_from(s, s->stack + base, required, r.list);
    s->top = s->stack + base;
  }
  r.scope = scope_with(s, r.list, r.scope);
  size = compile_body(s, r.body, car(r.scope), r.scope, true);
  s->stack[from + CODE_SIZE] = FIX(size);
  r.body = finish_code(s, s->stack + from, r.name);
  emit(s, FIX(OP_CLOSURE));
  emit(s, r.body);
  LEAVE(s, r);
}

void compile_named(scheme *s, value name, value form, value scope) {
  value syntax;
  if (is_pair(form) && is_syntax(car(form), scope, &syntax) && syntax == KEYWORD(K_LAMBDA) && list_length(form) > 2) {
    note_line(s, form);
    compile_lambda(s, name, car(cdr(form)), cdr(cdr(form)), scope);
  } else {
    compile(s, form, scope, false);
  }
}

/* The name that a define form defines; the form is checked. */
value defined_name(scheme *s, value form) {
  value name = list_length(form) >= 2 ? car(cdr(form)) : NIL;
  if (is_pair(name) && is_identifier(car(name)) && list_length(form) >= 3) return car(name);
  if (!is_identifier(name) || list_length(form) > 3) syntax_error(s, "define wants a name and a value:", form);
  return name;
}

void compile_defined(scheme *s, value form, value scope) {
  value name = car(cdr(form));
  if (is_pair(name)) compile_lambda(s, car(name), cdr(name), cdr(cdr(form)), scope);
  else if (cdr(cdr(form)) != NIL) compile_named(s, name, car(cdr(cdr(form))), scope);
  else emit(s, FIX(OP_CONST)), emit(s, UNSPECIFIED);
}

static void add_to_rib(scheme *s, value rib, value entry) {
  struct { barrow_frame frame; value rib; } r;
  value last;
  ENTER(s, r);
  r.rib = rib;
  entry = cons(s, entry, NIL);
  last = car(r.rib);
  while (last != NIL && cdr(last) != NIL) last = cdr(last);
  if (last == NIL) set_field(s, r.rib, &AS(pair, r.rib)->car, entry);
  else set_field(s, last, &AS(pair, last)->cdr, entry);
  LEAVE(s, r);
}

static bool in_rib(value rib, value identifier) {
  value e = car(rib);
  for (; e != NIL; e = cdr(e))
    if (car(e) == identifier) return true;
  return false;
}

/* A body: macros are expanded as far as its own forms go, which finds all definitions and gives them places in the
 * rib; then the forms are compiled in order. Gives the size of the frame. */
size_t compile_body(scheme *s, value body, value rib, value scope, bool tail) {
  struct { barrow_frame frame; value todo, rib, scope, form, forms, syntax, name; } r;
  size_t base = (size_t)(s->top - s->stack);
  ENTER(s, r);
  r.todo = body;
  r.rib = rib;
  r.scope = scope;
  if (list_length(body) < 1) syntax_error(s, "a body has no expression:", body);
  while (r.todo != NIL) {
    r.form = car(r.todo);
    r.todo = cdr(r.todo);
    note_line(s, r.form);
    while (is_pair(r.form) && is_syntax(car(r.form), r.scope, &r.syntax) && !is_keyword(r.syntax))
      r.form = expand_macro(s, r.syntax, r.form, r.scope);
    if (!is_pair(r.form) || !is_syntax(car(r.form), r.scope, &r.syntax)) r.syntax = UNDEFINED;
    if (r.syntax == KEYWORD(K_BEGIN)) {
      size_t here = (size_t)(s->top - s->stack);
      int64_t n = list_length(r.form);
      value at;
      if (n < 0) syntax_error(s, "begin is no list:", r.form);
      for (at = cdr(r.form); at != NIL; at = cdr(at)) push(s, car(at));
      r.todo = list_from(s, s->stack + here, (size_t)n - 1, r.todo);
      s->top = s->stack + here;
    } else if (r.syntax == KEYWORD(K_DEFINE_SYNTAX)) {
      if (list_length(r.form) != 3 || !is_identifier(car(cdr(r.form))))
        syntax_error(s, "define-syntax wants a name and a macro:", r.form);
      r.name = new_macro(s, car(cdr(cdr(r.form))), r.scope);
      r.name = cons(s, car(cdr(r.form)), r.name);
      add_to_rib(s, r.rib, r.name);
    } else {
      if (r.syntax == KEYWORD(K_DEFINE)) {
        r.name = defined_name(s, r.form);
        if (!in_rib(r.rib, r.name)) add_to_rib(s, r.rib, r.name);
        r.form = cons(s, KEYWORD(K_DEFINE), r.form); /* so that it is known again */
      }
      push(s, r.form);
    }
  }
  r.forms = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, NIL);
  s->top = s->stack + base;
  if (r.forms == NIL) r.forms = cons(s, UNSPECIFIED, NIL);
  for (; r.forms != NIL; r.forms = cdr(r.forms)) {
    bool last = cdr(r.forms) == NIL;
    r.form = car(r.forms);
    if (is_pair(r.form) && car(r.form) == KEYWORD(K_DEFINE)) {
      note_line(s, cdr(r.form));
      compile_defined(s, cdr(r.form), r.scope);
      emit_set(s, defined_name(s, cdr(r.form)), r.scope);
      if (last && tail) emit(s, FIX(OP_RETURN));
    } else {
      compile(s, r.form, r.scope, last && tail);
    }
  }
  LEAVE(s, r);
  return places(r.rib);
}

/* ---- forms --------------------------------------------------------------------------------------------------- */

static void compile_call(scheme *s, value form, value scope, bool tail) {
  struct { barrow_frame frame; value form, scope, arguments; } r;
  size_t line = s->line;
  int64_t n = list_length(form);
  if (n < 0) syntax_error(s, "a call is no list:", form);
  ENTER(s, r);
  r.form = form;
  r.scope = scope;
  for (r.arguments = cdr(form); r.arguments != NIL; r.arguments = cdr(r.arguments)) {
    compile(s, car(r.arguments), r.scope, false);
    emit(s, FIX(OP_PUSH));
  }
  s->line = line;
  compile(s, car(r.form), r.scope, false);
  emit(s, FIX(tail ? OP_TAIL_CALL : OP_CALL));
  emit(s, FIX(n - 1));
  emit(s, FIX(line));
  LEAVE(s, r);
}

void compile(scheme *s, value form, value scope, bool tail) {
  struct { barrow_frame frame; value form, scope, syntax; } r;
  bool returned = false;
  deeper(s);
  ENTER(s, r);
  r.form = form;
  r.scope = scope;
  note_line(s, form);
  while (is_pair(r.form) && is_syntax(car(r.form), r.scope, &r.syntax) && !is_keyword(r.syntax))
    r.form = expand_macro(s, r.syntax, r.form, r.scope);
  if (is_identifier(r.form)) {
    compile_reference(s, r.form, r.scope);
  } else if (is_pair(r.form) && is_syntax(car(r.form), r.scope, &r.syntax)) {
    enum keyword k = (enum keyword)(r.syntax >> 8);
    switch (k) {
      case K_LAMBDA: case K_SET: case K_DEFINE: case K_DEFINE_SYNTAX: case K_LET: case K_LETSTAR: case K_LETREC:
        returned = compile_binder(s, k, r.form, r.scope, tail);
        break;
      default:
        compile_special(s, k, r.form, r.scope, tail);
        returned = tail;
    }
  } else if (is_pair(r.form)) {
    compile_call(s, r.form, r.scope, tail);
    returned = tail;
  } else {
    if (r.form == NIL) syntax_error(s, "() is no expression; '() is:", r.form);
    emit(s, FIX(OP_CONST));
    r.form = strip_aliases(s, r.form);
    emit(s, r.form);
  }
  if (tail && !returned) emit(s, FIX(OP_RETURN));
  LEAVE(s, r);
  s->depth--;
}

/* Code of a procedure without parameters that does what a form at top level says. */
value compile_form(scheme *s, value form) {
  struct { barrow_frame frame; value form; } r;
  size_t from = (size_t)(s->top - s->stack);
  value code;
  ENTER(s, r);
  r.form = form;
  s->compiling = true;
  s->line = s->form_line;
  emit(s, FALSE_VALUE);
  emit(s, FIX(0));
  emit(s, FIX(0));
  emit(s, FIX(0));
  emit(s, s->r.file);
  compile(s, r.form, NIL, true);
  code = finish_code(s, s->stack + from, FALSE_VALUE);
  s->compiling = false;
  LEAVE(s, r);
  return code;
}
