/* special.c: the code of forms that choose and of those that quote, and the table of keywords. */
#include "scheme.h"

void define_keywords(scheme *s) {
  static const struct { const char *name; enum keyword keyword; } keywords[] = {
      {"quote", K_QUOTE}, {"if", K_IF}, {"define", K_DEFINE}, {"set!", K_SET}, {"lambda", K_LAMBDA}, {"begin", K_BEGIN},
      {"let", K_LET}, {"let*", K_LETSTAR}, {"letrec", K_LETREC}, {"letrec*", K_LETREC}, {"and", K_AND}, {"or", K_OR},
      {"cond", K_COND}, {"when", K_WHEN}, {"unless", K_UNLESS}, {"quasiquote", K_QUASIQUOTE},
      {"define-syntax", K_DEFINE_SYNTAX}};
  size_t i;
  for (i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    value name = symbol(s, keywords[i].name);
    AS(symbol, name)->syntax = KEYWORD(keywords[i].keyword);
  }
}

static bool means(value form, value scope, value name) {
  return is_identifier(form) && lookup(form, scope).symbol == name;
}

static void emit_constant(scheme *s, value v) {
  emit(s, FIX(OP_CONST));
  emit(s, v);
}

/* Forms in order; the value is that of the last. */
static void compile_sequence(scheme *s, value forms, value scope, bool tail) {
  struct { barrow_frame frame; value forms, scope; } r;
  ENTER(s, r);
  r.scope = scope;
  for (r.forms = forms; r.forms != NIL; r.forms = cdr(r.forms))
    compile(s, car(r.forms), r.scope, tail && cdr(r.forms) == NIL);
  if (forms == NIL) {
    emit_constant(s, UNSPECIFIED);
    if (tail) emit(s, FIX(OP_RETURN));
  }
  LEAVE(s, r);
}

/* Jumps to the same place that is not known yet: each operand holds where the one before it is. */
static void chain_jump(scheme *s, unsigned op, size_t *chain) {
  size_t at = emit_jump(s, op);
  s->stack[at] = FIX(*chain);
  *chain = at;
}

static void patch_chain(scheme *s, size_t chain) {
  while (chain != 0) {
    size_t before = (size_t)fix_of(s->stack[chain]);
    patch(s, chain);
    chain = before;
  }
}

static void compile_if(scheme *s, value test, value yes, value no, value scope, bool tail) {
  struct { barrow_frame frame; value yes, no, scope; } r;
  size_t to_no, to_end = 0;
  ENTER(s, r);
  r.yes = yes;
  r.no = no;
  r.scope = scope;
  compile(s, test, scope, false);
  to_no = emit_jump(s, OP_IF_FALSE);
  compile_sequence(s, r.yes, r.scope, tail);
  if (!tail) to_end = emit_jump(s, OP_JUMP);
  patch(s, to_no);
  compile_sequence(s, r.no, r.scope, tail);
  if (!tail) patch(s, to_end);
  LEAVE(s, r);
}

static void compile_unless(scheme *s, value test, value body, value scope, bool tail) {
  compile_if(s, test, NIL, body, scope, tail);
}

static void compile_junction(scheme *s, enum keyword k, value forms, value scope, bool tail) {
  struct { barrow_frame frame; value forms, scope; } r;
  size_t chain = 0;
  if (forms == NIL) {
    emit_constant(s, boolean(k == K_AND));
    if (tail) emit(s, FIX(OP_RETURN));
    return;
  }
  ENTER(s, r);
  r.scope = scope;
  for (r.forms = forms; cdr(r.forms) != NIL; r.forms = cdr(r.forms)) {
    compile(s, car(r.forms), r.scope, false);
    chain_jump(s, k == K_AND ? OP_IF_FALSE : OP_IF_TRUE, &chain);
  }
  compile(s, car(r.forms), r.scope, tail);
  patch_chain(s, chain);
  if (tail && chain != 0) emit(s, FIX(OP_RETURN));
  LEAVE(s, r);
}

static void compile_cond(scheme *s, value clauses, value scope, bool tail) {
  struct { barrow_frame frame; value clauses, clause, scope; } r;
  size_t chain = 0, next;
  bool otherwise = false;
  ENTER(s, r);
  r.scope = scope;
  for (r.clauses = clauses; r.clauses != NIL && !otherwise; r.clauses = cdr(r.clauses)) {
    r.clause = car(r.clauses);
    if (list_length(r.clause) < 1) syntax_error(s, "a clause is a list of a test and what follows:", r.clause);
    note_line(s, r.clause);
    otherwise = means(car(r.clause), r.scope, s->r.else_symbol);
    if (otherwise) {
      compile_sequence(s, cdr(r.clause), r.scope, tail);
      continue;
    }
    compile(s, car(r.clause), r.scope, false);
    if (cdr(r.clause) == NIL) {
      chain_jump(s, OP_IF_TRUE, &chain);
      continue;
    }
    next = emit_jump(s, OP_IF_FALSE);
    if (means(car(cdr(r.clause)), r.scope, s->r.arrow)) {
      if (list_length(r.clause) != 3) syntax_error(s, "=> is followed by one procedure:", r.clause);
      emit(s, FIX(OP_PUSH));
      compile(s, car(cdr(cdr(r.clause))), r.scope, false);
      emit(s, FIX(tail ? OP_TAIL_CALL : OP_CALL));
      emit(s, FIX(1));
      emit_line(s);
    } else {
      compile_sequence(s, cdr(r.clause), r.scope, tail);
    }
    if (!tail) chain_jump(s, OP_JUMP, &chain);
    patch(s, next);
  }
  if (!otherwise) {
    emit_constant(s, UNSPECIFIED);
    if (tail) emit(s, FIX(OP_RETURN));
  }
  patch_chain(s, chain);
  if (tail && chain != 0) emit(s, FIX(OP_RETURN));
  LEAVE(s, r);
}

/* ---- quasiquote ---------------------------------------------------------------------------------------------- */

/* A call of a primitive by its own name, which programs cannot redefine. */
static void emit_primitive(scheme *s, const char *name, size_t count) {
  value primitive = symbol(s, name);
  emit_constant(s, global_of(primitive));
  emit(s, FIX(OP_CALL));
  emit(s, FIX(count));
  emit_line(s);
}

static bool is_form(value form, value scope, value name) {
  return list_length(form) == 2 && means(car(form), scope, name);
}

/* Emits code for a template: the elements up to a splice are pushed, then what follows, and put together. */
static void compile_quasiquote(scheme *s, value template_, unsigned level, value scope) {
  struct { barrow_frame frame; value t, scope; } r;
  size_t count = 0;
  deeper(s);
  ENTER(s, r);
  r.t = template_;
  r.scope = scope;
  for (;;) {
    unsigned inner = level;
    if (is_vector(r.t)) {
      r.t = vector_to_list(s, r.t);
      compile_quasiquote(s, r.t, level, r.scope);
      emit(s, FIX(OP_PUSH));
      emit_primitive(s, "%list->vector", 1);
      break;
    }
    if (!is_pair(r.t)) {
      r.t = strip_aliases(s, r.t);
      emit_constant(s, r.t);
      break;
    }
    if (is_form(r.t, r.scope, s->r.unquote) && level == 1) {
      compile(s, car(cdr(r.t)), r.scope, false);
      break;
    }
    if (is_form(r.t, r.scope, s->r.unquote) || is_form(r.t, r.scope, s->r.unquote_splicing)) inner = level - 1;
    if (is_form(r.t, r.scope, s->r.quasiquote)) inner = level + 1;
    if (inner != level) { /* the name, and the rest at another level */
      r.t = cons(s, strip_aliases(s, car(r.t)), cdr(r.t));
      emit_constant(s, car(r.t));
      emit(s, FIX(OP_PUSH));
      compile_quasiquote(s, cdr(r.t), inner, r.scope);
      emit(s, FIX(OP_PUSH));
      emit_primitive(s, "%list*", 2);
      break;
    }
    if (is_form(car(r.t), r.scope, s->r.unquote_splicing) && level == 1) {
      compile(s, car(cdr(car(r.t))), r.scope, false);
      emit(s, FIX(OP_PUSH));
      compile_quasiquote(s, cdr(r.t), level, r.scope);
      emit(s, FIX(OP_PUSH));
      emit_primitive(s, "%append", 2);
      break;
    }
    compile_quasiquote(s, car(r.t), level, r.scope);
    emit(s, FIX(OP_PUSH));
    count++;
    r.t = cdr(r.t);
  }
  if (count > 0) {
    emit(s, FIX(OP_PUSH));
    emit_primitive(s, "%list*", count + 1);
  }
  LEAVE(s, r);
  s->depth--;
}

void compile_special(scheme *s, enum keyword k, value form, value scope, bool tail) {
  int64_t n = list_length(form);
  value quoted;
  if (n < 0) syntax_error(s, "a form is no list:", form);
  switch (k) {
    case K_IF:
      if (n != 3 && n != 4) syntax_error(s, "if wants a test, a consequence and perhaps an alternative:", form);
      {
        struct { barrow_frame frame; value form, scope, yes; } r;
        ENTER(s, r);
        r.form = form;
        r.scope = scope;
        r.yes = cons(s, car(cdr(cdr(r.form))), NIL);
        compile_if(s, car(cdr(r.form)), r.yes, cdr(cdr(cdr(r.form))), r.scope, tail);
        LEAVE(s, r);
      }
      break;
    case K_WHEN:
    case K_UNLESS:
      if (n < 3) syntax_error(s, "a test and a body are wanted:", form);
      if (k == K_WHEN) compile_if(s, car(cdr(form)), cdr(cdr(form)), NIL, scope, tail);
      else compile_unless(s, car(cdr(form)), cdr(cdr(form)), scope, tail);
      break;
    case K_AND:
    case K_OR: compile_junction(s, k, cdr(form), scope, tail); break;
    case K_COND: compile_cond(s, cdr(form), scope, tail); break;
    case K_BEGIN: compile_sequence(s, cdr(form), scope, tail); break;
    default:
      if (n != 2) syntax_error(s, "one datum is quoted:", form);
      if (k == K_QUOTE) {
        quoted = strip_aliases(s, car(cdr(form)));
        emit_constant(s, quoted);
      } else {
        compile_quasiquote(s, car(cdr(form)), 1, scope);
      }
      if (tail) emit(s, FIX(OP_RETURN));
  }
}
