/* macro.c: syntax-rules. A form is matched with the patterns of a macro, and the template of the first that fits is
 * filled in. */
#include "scheme.h"

/* One use of a macro. bindings: a list of (variable depth . value); the value of depth n is a list of those of depth
 * n - 1. renames: a list of (symbol . alias). */
typedef struct expansion {
  barrow_frame frame;
  value literals, ellipsis, macro_scope, scope, bindings, renames;
} expansion;

value new_macro(scheme *s, value spec, value scope) {
  struct { barrow_frame frame; value spec, scope, ellipsis, rule; } r;
  value v;
  ENTER(s, r);
  r.spec = spec;
  r.scope = scope;
  r.ellipsis = s->r.ellipsis;
  if (!is_pair(spec) || !is_pair(cdr(spec)) || list_length(spec) < 0 || !is_identifier(car(spec)) ||
      strip_aliases(s, car(r.spec)) != s->r.syntax_rules)
    syntax_error(s, "a macro is made by syntax-rules:", r.spec);
  r.spec = cdr(r.spec);
  if (is_identifier(car(r.spec))) { /* an ellipsis of its own */
    r.ellipsis = car(r.spec);
    r.spec = cdr(r.spec);
  }
  if (!is_pair(r.spec) || list_length(car(r.spec)) < 0) syntax_error(s, "syntax-rules has no list of literals:", r.spec);
  for (r.rule = cdr(r.spec); r.rule != NIL; r.rule = cdr(r.rule))
    if (list_length(car(r.rule)) != 2 || !is_pair(car(car(r.rule))))
      syntax_error(s, "a rule is a pattern and a template:", car(r.rule));
  v = new_object(s, &macro_info, 5, car(r.spec), cdr(r.spec));
  AS(macro, v)->scope = r.scope;
  AS(macro, v)->ellipsis = r.ellipsis;
  LEAVE(s, r);
  return v;
}

static bool is_member(value v, value list) {
  for (; is_pair(list); list = cdr(list))
    if (car(list) == v) return true;
  return false;
}

static value entry_of(value identifier, value bindings) {
  for (; bindings != NIL; bindings = cdr(bindings))
    if (car(car(bindings)) == identifier) return car(bindings);
  return UNDEFINED;
}

/* Macros that define macros insert ellipses, which are aliases then. */
static bool is_ellipsis(const expansion *x, value v) {
  while (v != x->ellipsis && is_a(v, &alias_info)) v = AS(alias, v)->symbol;
  return v == x->ellipsis && is_identifier(v);
}

static bool before_ellipsis(const expansion *x, value list) { return is_pair(cdr(list)) && is_ellipsis(x, car(cdr(list))); }

static size_t pairs_in(value list) {
  size_t n = 0;
  for (; is_pair(list); list = cdr(list)) n++;
  return n;
}

static void bind(scheme *s, expansion *x, value variable, size_t depth, value v) {
  struct { barrow_frame frame; value variable; } r;
  ENTER(s, r);
  r.variable = variable;
  v = cons(s, FIX(depth), v);
  v = cons(s, r.variable, v);
  x->bindings = cons(s, v, x->bindings);
  LEAVE(s, r);
}

static bool match(scheme *s, expansion *x, value pattern, value form);

/* `count` forms for the pattern before an ellipsis; `form` is moved behind them. Each is matched by itself; then the
 * variables are bound to lists of what they were bound to. */
static bool match_many(scheme *s, expansion *x, value pattern, value *form, size_t count) {
  struct { barrow_frame frame; value pattern, outside, rows, row, variables, list, empty; } r;
  size_t i, depth;
  bool matched = true;
  ENTER(s, r);
  r.pattern = pattern;
  r.outside = x->bindings;
  r.rows = NIL;
  for (i = 0; i < count && matched; i++, *form = cdr(*form)) {
    x->bindings = NIL;
    matched = match(s, x, r.pattern, car(*form));
    r.rows = cons(s, x->bindings, r.rows);
  }
  /* The variables of the pattern; they are bound even when there is no form. */
  x->bindings = NIL;
  push(s, r.pattern);
  for (i = (size_t)(s->top - s->stack) - 1; matched && (size_t)(s->top - s->stack) > i;) {
    value p = pop(s);
    size_t k;
    if (is_vector(p))
      for (k = 0; k < length_of(p); k++) push(s, elements(p)[k]);
    for (; is_pair(p); p = cdr(p)) push(s, car(p));
    if (is_identifier(p) && !is_ellipsis(x, p) && p != s->r.underscore && !is_member(p, x->literals)) bind(s, x, p, 0, NIL);
  }
  s->top = s->stack + i;
  r.variables = x->bindings;
  x->bindings = r.outside;
  for (; matched && r.variables != NIL; r.variables = cdr(r.variables)) {
    value variable;
    r.list = NIL;
    depth = 0;
    for (r.row = r.rows; r.row != NIL; r.row = cdr(r.row)) {
      value e = entry_of(car(car(r.variables)), car(r.row));
      depth = (size_t)fix_of(car(cdr(e)));
      r.list = cons(s, cdr(cdr(e)), r.list);
    }
    variable = car(car(r.variables));
    bind(s, x, variable, depth + 1, r.list);
  }
  LEAVE(s, r);
  return matched;
}

static bool match(scheme *s, expansion *x, value pattern, value form) {
  struct { barrow_frame frame; value pattern, form; } r;
  bool matched = true;
  deeper(s);
  ENTER(s, r);
  r.pattern = pattern;
  r.form = form;
  while (matched && is_pair(r.pattern)) {
    if (before_ellipsis(x, r.pattern)) {
      size_t have = pairs_in(r.form), want = pairs_in(cdr(cdr(r.pattern)));
      matched = have >= want && match_many(s, x, car(r.pattern), &r.form, have - want);
      r.pattern = cdr(cdr(r.pattern));
    } else {
      matched = is_pair(r.form) && match(s, x, car(r.pattern), car(r.form));
      r.pattern = cdr(r.pattern);
      if (matched) r.form = cdr(r.form);
    }
  }
  if (!matched) {
    matched = false;
  } else if (is_identifier(r.pattern)) {
    if (is_member(r.pattern, x->literals))
      matched = is_identifier(r.form) && same_binding(r.form, x->scope, r.pattern, x->macro_scope);
    else if (r.pattern != s->r.underscore) bind(s, x, r.pattern, 0, r.form);
  } else if (is_vector(r.pattern)) {
    matched = is_vector(r.form);
    if (matched) {
      r.pattern = vector_to_list(s, r.pattern);
      r.form = vector_to_list(s, r.form);
      matched = match(s, x, r.pattern, r.form);
    }
  } else {
    matched = is_equal(s, r.pattern, r.form);
  }
  LEAVE(s, r);
  s->depth--;
  return matched;
}

static value instantiate(scheme *s, expansion *x, value template_);

/* Adds the variables of a template that are bound to lists here to *cursors, as copies of their entries. */
static void find_cursors(scheme *s, expansion *x, value template_, value *cursors) {
  size_t base = (size_t)(s->top - s->stack), i;
  push(s, template_);
  while ((size_t)(s->top - s->stack) > base) {
    value t = pop(s), e;
    if (is_vector(t))
      for (i = 0; i < length_of(t); i++) push(s, elements(t)[i]);
    for (; is_pair(t); t = cdr(t)) push(s, car(t));
    if (!is_identifier(t)) continue;
    e = entry_of(t, x->bindings);
    if (e == UNDEFINED || car(cdr(e)) == FIX(0)) continue;
    *cursors = cons(s, e, *cursors);
    e = cons(s, car(cdr(car(*cursors))), cdr(cdr(car(*cursors))));
    e = cons(s, car(car(*cursors)), e);
    set_field(s, *cursors, &AS(pair, *cursors)->car, e);
  }
}

/* Pushes what a template followed by `ellipses` ellipses stands for. */
static void instantiate_many(scheme *s, expansion *x, value template_, size_t ellipses) {
  struct { barrow_frame frame; value template_, outside, cursors, at; } r;
  deeper(s);
  ENTER(s, r);
  r.template_ = template_;
  r.outside = x->bindings;
  r.cursors = NIL;
  find_cursors(s, x, r.template_, &r.cursors);
  if (r.cursors == NIL) syntax_error(s, "nothing to repeat before an ellipsis:", r.template_);
  for (;;) {
    x->bindings = r.outside;
    for (r.at = r.cursors; r.at != NIL; r.at = cdr(r.at)) {
      value e = car(r.at), list = cdr(cdr(e));
      if (list == NIL) break;
      set_field(s, cdr(e), &AS(pair, cdr(e))->cdr, cdr(list));
      bind(s, x, car(e), (size_t)fix_of(car(cdr(e))) - 1, car(list));
    }
    if (r.at != NIL) break;
    if (ellipses > 1) {
      instantiate_many(s, x, r.template_, ellipses - 1);
    } else {
      value v = instantiate(s, x, r.template_);
      push(s, v);
    }
  }
  x->bindings = r.outside;
  LEAVE(s, r);
  s->depth--;
}

static value rename_symbol(scheme *s, expansion *x, value identifier) {
  struct { barrow_frame frame; value identifier, alias; } r;
  value e = x->renames;
  for (; e != NIL; e = cdr(e))
    if (car(car(e)) == identifier) return cdr(car(e));
  ENTER(s, r);
  r.identifier = identifier;
  r.alias = new_object(s, &alias_info, 3, r.identifier, x->macro_scope);
  e = cons(s, r.identifier, r.alias);
  x->renames = cons(s, e, x->renames);
  LEAVE(s, r);
  return r.alias;
}

static value instantiate(scheme *s, expansion *x, value template_) {
  struct { barrow_frame frame; value t, result; } r;
  size_t base = (size_t)(s->top - s->stack);
  if (is_identifier(template_)) {
    value e = entry_of(template_, x->bindings);
    return e == UNDEFINED ? rename_symbol(s, x, template_) : cdr(cdr(e));
  }
  if (!is_pair(template_) && !is_vector(template_)) return template_;
  deeper(s);
  ENTER(s, r);
  r.t = template_;
  if (is_vector(r.t)) {
    r.t = vector_to_list(s, r.t);
    r.t = instantiate(s, x, r.t);
    r.result = list_to_vector(s, r.t);
  } else if (is_ellipsis(x, car(r.t)) && is_pair(cdr(r.t))) { /* (... template): ellipses are symbols in it */
    r.result = x->ellipsis;
    x->ellipsis = FALSE_VALUE;
    r.t = instantiate(s, x, car(cdr(r.t)));
    x->ellipsis = r.result;
    r.result = r.t;
  } else {
    while (is_pair(r.t)) {
      if (before_ellipsis(x, r.t)) {
        value repeated = car(r.t);
        size_t ellipses = 0;
        for (; before_ellipsis(x, r.t); ellipses++) r.t = cdr(r.t);
        r.t = cdr(r.t);
        instantiate_many(s, x, repeated, ellipses);
      } else {
        value v = instantiate(s, x, car(r.t));
        push(s, v);
        r.t = cdr(r.t);
      }
    }
    r.result = instantiate(s, x, r.t);
    r.result = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, r.result);
    s->top = s->stack + base;
  }
  LEAVE(s, r);
  s->depth--;
  return r.result;
}

value expand_macro(scheme *s, value macro, value form, value scope) {
  struct { barrow_frame frame; value rules, form, result; } r;
  expansion x;
  ENTER(s, r);
  r.rules = AS(macro, macro)->rules;
  r.form = form;
  ENTER(s, x);
  x.literals = AS(macro, macro)->literals;
  x.ellipsis = AS(macro, macro)->ellipsis;
  x.macro_scope = AS(macro, macro)->scope;
  x.scope = scope;
  x.renames = NIL;
  for (;; r.rules = cdr(r.rules)) {
    if (r.rules == NIL) syntax_error(s, "no rule of the macro fits:", r.form);
    x.bindings = NIL;
    /* The first element of both is the macro's name. */
    if (match(s, &x, cdr(car(car(r.rules))), cdr(r.form))) break;
  }
  r.result = instantiate(s, &x, car(cdr(car(r.rules))));
  LEAVE(s, x);
  LEAVE(s, r);
  return r.result;
}
