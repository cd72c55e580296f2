/* lists.c: pairs, lists, symbols, booleans and what is the same as what. */
#include "scheme.h"

enum { ANY = 1 << 20 };

static value the_pair(scheme *s, const char *who, value v) {
  if (!is_pair(v)) wrong_type(s, who, "a pair", v);
  return v;
}

static value p_cons(scheme *s, value *a, size_t n) { (void)n; return cons(s, a[0], a[1]); }
static value p_car(scheme *s, value *a, size_t n) { (void)n; return car(the_pair(s, "car", a[0])); }
static value p_cdr(scheme *s, value *a, size_t n) { (void)n; return cdr(the_pair(s, "cdr", a[0])); }
static value p_set_car(scheme *s, value *a, size_t n) {
  (void)n;
  set_field(s, a[0], &AS(pair, the_pair(s, "set-car!", a[0]))->car, a[1]);
  return UNSPECIFIED;
}
static value p_set_cdr(scheme *s, value *a, size_t n) {
  (void)n;
  set_field(s, a[0], &AS(pair, the_pair(s, "set-cdr!", a[0]))->cdr, a[1]);
  return UNSPECIFIED;
}

/* Compositions are read from the right: "ad" is the car of the cdr. */
static value path(scheme *s, const char *letters, value v) {
  size_t i = strlen(letters);
  while (i-- > 0) v = letters[i] == 'a' ? car(the_pair(s, "c...r", v)) : cdr(the_pair(s, "c...r", v));
  return v;
}
#define PATH(letters) \
  static value p_c##letters##r(scheme *s, value *a, size_t n) { (void)n; return path(s, #letters, a[0]); }
PATH(aa) PATH(ad) PATH(da) PATH(dd) PATH(aad) PATH(add) PATH(dda) PATH(ddd) PATH(dad) PATH(ada) PATH(addd) PATH(dddd)

static value p_list(scheme *s, value *a, size_t n) { return list_from(s, a, n, NIL); }
static value p_list_star(scheme *s, value *a, size_t n) { return list_from(s, a, n - 1, a[n - 1]); }

static value p_length(scheme *s, value *a, size_t n) {
  int64_t length = list_length(a[0]);
  (void)n;
  if (length < 0) wrong_type(s, "length", "a list", a[0]);
  return FIX(length);
}

/* All but the last are copied: their elements go onto the stack first. */
static value p_append(scheme *s, value *a, size_t n) {
  size_t base = (size_t)(s->top - s->stack), i;
  value list = n > 0 ? a[n - 1] : NIL;
  for (i = 0; i + 1 < n; i++) {
    value at = a[i];
    if (list_length(at) < 0) wrong_type(s, "append", "a list", at);
    for (; at != NIL; at = cdr(at)) push(s, car(at));
  }
  list = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, list);
  s->top = s->stack + base;
  return list;
}

static value p_reverse(scheme *s, value *a, size_t n) {
  value list = NIL;
  (void)n;
  if (list_length(a[0]) < 0) wrong_type(s, "reverse", "a list", a[0]);
  for (; a[0] != NIL; a[0] = cdr(a[0])) list = cons(s, car(a[0]), list);
  return list;
}

static value p_list_tail(scheme *s, value *a, size_t n) {
  int64_t k = to_index(s, "list-tail", a[1], (size_t)FIX_MAX);
  (void)n;
  for (; k > 0; k--) a[0] = cdr(the_pair(s, "list-tail", a[0]));
  return a[0];
}
static value p_list_ref(scheme *s, value *a, size_t n) {
  a[0] = p_list_tail(s, a, n);
  return car(the_pair(s, "list-ref", a[0]));
}
static value p_list_set(scheme *s, value *a, size_t n) {
  a[0] = p_list_tail(s, a, n);
  set_field(s, a[0], &AS(pair, the_pair(s, "list-set!", a[0]))->car, a[2]);
  return UNSPECIFIED;
}
static value p_list_copy(scheme *s, value *a, size_t n) {
  size_t base = (size_t)(s->top - s->stack);
  value at = a[0];
  (void)n;
  for (; is_pair(at); at = cdr(at)) push(s, car(at));
  at = list_from(s, s->stack + base, (size_t)(s->top - s->stack) - base, at);
  s->top = s->stack + base;
  return at;
}

enum { BY_EQ, BY_EQV, BY_EQUAL };
static bool same(scheme *s, int how, value a, value b) {
  return how == BY_EQ ? a == b : how == BY_EQV ? is_eqv(a, b) : is_equal(s, a, b);
}

static value member(scheme *s, const char *who, int how, value key, value list) {
  for (; is_pair(list); list = cdr(list))
    if (same(s, how, key, car(list))) return list;
  if (list != NIL) wrong_type(s, who, "a list", list);
  return FALSE_VALUE;
}
static value assoc(scheme *s, const char *who, int how, value key, value list) {
  for (; is_pair(list); list = cdr(list))
    if (same(s, how, key, car(the_pair(s, who, car(list))))) return car(list);
  if (list != NIL) wrong_type(s, who, "a list", list);
  return FALSE_VALUE;
}
static value p_memq(scheme *s, value *a, size_t n) { (void)n; return member(s, "memq", BY_EQ, a[0], a[1]); }
static value p_memv(scheme *s, value *a, size_t n) { (void)n; return member(s, "memv", BY_EQV, a[0], a[1]); }
static value p_member(scheme *s, value *a, size_t n) { (void)n; return member(s, "member", BY_EQUAL, a[0], a[1]); }
static value p_assq(scheme *s, value *a, size_t n) { (void)n; return assoc(s, "assq", BY_EQ, a[0], a[1]); }
static value p_assv(scheme *s, value *a, size_t n) { (void)n; return assoc(s, "assv", BY_EQV, a[0], a[1]); }
static value p_assoc(scheme *s, value *a, size_t n) { (void)n; return assoc(s, "assoc", BY_EQUAL, a[0], a[1]); }

static value p_eq(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(a[0] == a[1]); }
static value p_eqv(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_eqv(a[0], a[1])); }
static value p_is_equal(scheme *s, value *a, size_t n) { (void)n; return boolean(is_equal(s, a[0], a[1])); }
static value p_not(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(!truth(a[0])); }

#define PREDICATE(name, test) \
  static value name(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(test); }
PREDICATE(p_is_pair, is_pair(a[0]))
PREDICATE(p_is_null, a[0] == NIL)
PREDICATE(p_is_list, list_length(a[0]) >= 0)
PREDICATE(p_is_symbol, is_symbol(a[0]))
PREDICATE(p_is_boolean, a[0] == TRUE_VALUE || a[0] == FALSE_VALUE)

static value all_same(scheme *s, const char *who, const char *what, value *a, size_t n, bool symbols) {
  size_t i;
  bool holds = true;
  for (i = 0; i < n; i++) {
    if (symbols ? !is_symbol(a[i]) : a[i] != TRUE_VALUE && a[i] != FALSE_VALUE) wrong_type(s, who, what, a[i]);
    holds = holds && a[i] == a[0];
  }
  return boolean(holds);
}
static value p_same_symbol(scheme *s, value *a, size_t n) { return all_same(s, "symbol=?", "a symbol", a, n, true); }
static value p_same_boolean(scheme *s, value *a, size_t n) { return all_same(s, "boolean=?", "a boolean", a, n, false); }

static value p_symbol_to_string(scheme *s, value *a, size_t n) {
  value copy;
  (void)n;
  if (!is_symbol(a[0])) wrong_type(s, "symbol->string", "a symbol", a[0]);
  copy = new_bytes(s, &string_info, bytes_of(AS(symbol, a[0])->name));
  memcpy(bytes_at(copy), bytes_at(AS(symbol, a[0])->name), bytes_of(copy));
  return copy;
}
static value p_string_to_symbol(scheme *s, value *a, size_t n) {
  (void)n;
  if (!is_string(a[0])) wrong_type(s, "string->symbol", "a string", a[0]);
  return symbol_of_string(s, a[0]);
}

void define_lists(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"cons", p_cons, 2, 2}, {"car", p_car, 1, 1}, {"cdr", p_cdr, 1, 1}, {"set-car!", p_set_car, 2, 2},
      {"set-cdr!", p_set_cdr, 2, 2}, {"caar", p_caar, 1, 1}, {"cadr", p_cadr, 1, 1}, {"cdar", p_cdar, 1, 1},
      {"cddr", p_cddr, 1, 1}, {"caadr", p_caadr, 1, 1}, {"caddr", p_caddr, 1, 1}, {"cddar", p_cddar, 1, 1},
      {"cdddr", p_cdddr, 1, 1}, {"cdadr", p_cdadr, 1, 1}, {"cadar", p_cadar, 1, 1}, {"cadddr", p_cadddr, 1, 1},
      {"cddddr", p_cddddr, 1, 1}, {"list", p_list, 0, ANY}, {"%list*", p_list_star, 1, ANY}, {"cons*", p_list_star, 1, ANY},
      {"length", p_length, 1, 1}, {"append", p_append, 0, ANY}, {"%append", p_append, 2, 2}, {"reverse", p_reverse, 1, 1},
      {"list-tail", p_list_tail, 2, 2}, {"list-ref", p_list_ref, 2, 2}, {"list-set!", p_list_set, 3, 3},
      {"list-copy", p_list_copy, 1, 1}, {"memq", p_memq, 2, 2}, {"memv", p_memv, 2, 2}, {"%member", p_member, 2, 2},
      {"assq", p_assq, 2, 2}, {"assv", p_assv, 2, 2}, {"%assoc", p_assoc, 2, 2}, {"eq?", p_eq, 2, 2}, {"eqv?", p_eqv, 2, 2},
      {"equal?", p_is_equal, 2, 2}, {"not", p_not, 1, 1}, {"pair?", p_is_pair, 1, 1}, {"null?", p_is_null, 1, 1},
      {"list?", p_is_list, 1, 1}, {"symbol?", p_is_symbol, 1, 1}, {"boolean?", p_is_boolean, 1, 1},
      {"symbol=?", p_same_symbol, 1, ANY}, {"boolean=?", p_same_boolean, 1, ANY},
      {"symbol->string", p_symbol_to_string, 1, 1}, {"string->symbol", p_string_to_symbol, 1, 1}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
