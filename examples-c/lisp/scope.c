/* scope.c: what identifiers mean, and aliases, which make macros hygienic.
 *
 * A scope is a list of ribs, innermost first; each rib is a frame at run time. A rib is a pair whose car lists its
 * identifiers in the order of their places in the frame; an entry (identifier . macro) has no place.
 *
 * Hygiene: a symbol that a template inserts becomes an alias, new in each expansion. Where the expansion binds it, it
 * is a variable of its own; where nothing does, it means what its symbol meant where the macro was defined. */
#include "scheme.h"

binding lookup(value identifier, value scope) {
  binding b = {NIL, 0, UNDEFINED, UNDEFINED};
  for (;;) {
    value ribs, entry;
    for (ribs = scope; ribs != NIL; ribs = cdr(ribs)) {
      size_t index = 1; /* element 0 of a frame is the one outside it */
      for (entry = car(car(ribs)); entry != NIL; entry = cdr(entry)) {
        value e = car(entry);
        if (e == identifier) {
          b.rib = car(ribs);
          b.index = index;
          return b;
        }
        if (!is_pair(e)) index++;
        else if (car(e) == identifier) {
          b.macro = cdr(e);
          return b;
        }
      }
    }
    if (is_symbol(identifier)) {
      b.symbol = identifier;
      return b;
    }
    scope = AS(alias, identifier)->scope;
    identifier = AS(alias, identifier)->symbol;
  }
}

bool same_binding(value a, value scope_a, value b, value scope_b) {
  binding x = lookup(a, scope_a), y = lookup(b, scope_b);
  return x.rib == y.rib && x.index == y.index && x.macro == y.macro && x.symbol == y.symbol;
}

/* ---- aliases in quoted data ---------------------------------------------------------------------------------- */

static bool has_alias(scheme *s, value datum) {
  size_t base = (size_t)(s->top - s->stack), i;
  push(s, datum);
  while ((size_t)(s->top - s->stack) > base) {
    for (datum = pop(s); is_pair(datum); datum = cdr(datum)) push(s, car(datum));
    if (is_vector(datum))
      for (i = 0; i < length_of(datum); i++) push(s, elements(datum)[i]);
    if (is_a(datum, &alias_info)) {
      s->top = s->stack + base;
      return true;
    }
  }
  return false;
}

value vector_to_list(scheme *s, value vector) {
  struct { barrow_frame frame; value vector, list; } r;
  size_t i;
  ENTER(s, r);
  r.vector = vector;
  r.list = NIL;
  for (i = length_of(vector); i-- > 0;) r.list = cons(s, elements(r.vector)[i], r.list);
  LEAVE(s, r);
  return r.list;
}

value list_to_vector(scheme *s, value list) {
  struct { barrow_frame frame; value list; } r;
  value v, at;
  size_t i = 0;
  ENTER(s, r);
  r.list = list;
  v = new_array(s, &vector_info, (size_t)list_length(list), FALSE_VALUE);
  for (at = r.list; at != NIL; at = cdr(at)) set_field(s, v, &elements(v)[i++], car(at));
  LEAVE(s, r);
  return v;
}

static value stripped(scheme *s, value datum) {
  struct { barrow_frame frame; value datum; } r;
  size_t base = (size_t)(s->top - s->stack);
  while (is_a(datum, &alias_info)) datum = AS(alias, datum)->symbol;
  if (!is_pair(datum) && !is_vector(datum)) return datum;
  deeper(s);
  ENTER(s, r);
  r.datum = datum;
  if (is_vector(r.datum)) {
    r.datum = vector_to_list(s, r.datum);
    r.datum = stripped(s, r.datum);
    r.datum = list_to_vector(s, r.datum);
  } else {
    for (; is_pair(r.datum); r.datum = cdr(r.datum)) push(s, stripped(s, car(r.datum)));
    r.datum = stripped(s, r.datum);
    r.datum = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, r.datum);
    s->top = s->stack + base;
  }
  LEAVE(s, r);
  s->depth--;
  return r.datum;
}

/* What quote gives: the datum with symbols for aliases; itself when it has none. */
value strip_aliases(scheme *s, value datum) {
  struct { barrow_frame frame; value datum; } r;
  if (!has_alias(s, datum)) return datum;
  ENTER(s, r);
  r.datum = datum;
  r.datum = stripped(s, r.datum);
  LEAVE(s, r);
  return r.datum;
}
