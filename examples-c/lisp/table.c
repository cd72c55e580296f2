/* table.c: what is the same as what, and hash tables.
 *
 * A table by eq? or eqv? hashes a key that is an object by the identity hash that the heap keeps for it wherever it
 * moves, so no table is hashed anew because of a collection. Symbols carry a hash of their own; fixnums, characters
 * and flonums are hashed by what they are; tables by equal? by what is in the key. */
#include "scheme.h"

bool is_eqv(value a, value b) {
  return a == b || (is_flonum(a) && is_flonum(b) && memcmp(&AS(flonum, a)->number, &AS(flonum, b)->number, sizeof(double)) == 0);
}

/* What is still to be compared waits on the interpreter's stack. Allocates nothing. */
bool is_equal(scheme *s, value a, value b) {
  size_t base = (size_t)(s->top - s->stack), i;
  bool equal = true;
  push(s, a);
  push(s, b);
  while (equal && (size_t)(s->top - s->stack) > base) {
    b = pop(s);
    a = pop(s);
    for (; is_pair(a) && is_pair(b) && a != b; a = cdr(a), b = cdr(b)) {
      if (is_eqv(car(a), car(b))) continue;
      push(s, car(a));
      push(s, car(b));
    }
    if (is_eqv(a, b)) continue;
    equal = is_object(a) && is_object(b) && barrow_info_of(object_at(a)) == barrow_info_of(object_at(b));
    if (!equal) break;
    if (is_vector(a)) {
      equal = length_of(a) == length_of(b);
      for (i = 0; equal && i < length_of(a); i++) {
        push(s, elements(a)[i]);
        push(s, elements(b)[i]);
      }
    } else {
      equal = (is_string(a) || is_a(a, &bytevector_info)) && bytes_of(a) == bytes_of(b) &&
              memcmp(bytes_at(a), bytes_at(b), bytes_of(a)) == 0;
    }
  }
  s->top = s->stack + base;
  return equal;
}

static barrow_word mix(barrow_word h) {
  h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

/* Of the first elements of what is nested, as far as `depth` goes. */
static barrow_word hash_equal(value v, unsigned depth) {
  barrow_word h = 17;
  size_t i;
  if (is_pair(v)) {
    for (i = 0; is_pair(v) && i < 16; v = cdr(v), i++)
      if (depth > 0) h = mix(h + hash_equal(car(v), depth - 1));
    return h + i;
  }
  if (!is_object(v)) return mix(v);
  if (is_symbol(v)) return AS(symbol, v)->hash;
  if (is_flonum(v)) {
    memcpy(&h, &AS(flonum, v)->number, sizeof h);
  } else if (is_vector(v)) {
    h = length_of(v);
    for (i = 0; depth > 0 && i < length_of(v) && i < 16; i++) h = mix(h + hash_equal(elements(v)[i], depth - 1));
  } else if (is_string(v) || is_a(v, &bytevector_info)) {
    for (i = 0; i < bytes_of(v); i++) h = (h ^ bytes_at(v)[i]) * 1099511628211u;
  } /* others are equal only to themselves: all in one chain, which is short in what programs do */
  return mix(h);
}

static barrow_word hash_of(scheme *s, barrow_word kind, value key) {
  barrow_word h;
  if (kind == TABLE_EQUAL) return hash_equal(key, 4);
  if (!is_pair(key) && !is_object(key)) return mix(key);
  if (is_symbol(key)) return AS(symbol, key)->hash;
  if (kind == TABLE_EQV && is_flonum(key)) return hash_equal(key, 0);
  if (!(h = barrow_identity_hash(s->m, object_at(key)))) out_of_memory(s, s->m, 0);
  return h;
}

/* Puts all entries where they belong among the elements of `owner`. */
static void rehash(scheme *s, value table, value owner) {
  size_t places = length_of(owner), i;
  value chain = NIL, buckets = AS(table, table)->buckets;
  for (i = 0; i < length_of(buckets); i++) {
    value e = elements(buckets)[i], next;
    for (; e != NIL; e = next) {
      next = AS(entry, e)->next;
      set_field(s, e, &AS(entry, e)->next, chain);
      chain = e;
    }
    elements(buckets)[i] = NIL;
  }
  while (chain != NIL) {
    value e = chain, *place;
    chain = AS(entry, e)->next;
    place = &elements(owner)[AS(entry, e)->hash % places];
    set_field(s, e, &AS(entry, e)->next, *place);
    set_field(s, owner, place, e);
  }
}

static value the_table(scheme *s, const char *who, value v) {
  if (!is_a(v, &table_info)) wrong_type(s, who, "a hash table", v);
  return v;
}

/* The entry of a key, or UNDEFINED. The key's hash goes to *hash. */
static value find(scheme *s, value table, value key, barrow_word *hash) {
  table_object *t = AS(table, table);
  value e;
  *hash = hash_of(s, t->kind, key);
  for (e = elements(t->buckets)[*hash % length_of(t->buckets)]; e != NIL; e = AS(entry, e)->next) {
    if (AS(entry, e)->hash != *hash) continue;
    if (t->kind == TABLE_EQ ? AS(entry, e)->key == key
        : t->kind == TABLE_EQV ? is_eqv(AS(entry, e)->key, key) : is_equal(s, AS(entry, e)->key, key))
      return e;
  }
  return UNDEFINED;
}

static value make_table(scheme *s, unsigned kind) {
  value v = new_array(s, &vector_info, 8, NIL);
  v = new_object(s, &table_info, 4, v, kind);
  AS(table, v)->kind = kind;
  return v;
}
static value p_make_eq_table(scheme *s, value *a, size_t n) { (void)a, (void)n; return make_table(s, TABLE_EQ); }
static value p_make_eqv_table(scheme *s, value *a, size_t n) { (void)a, (void)n; return make_table(s, TABLE_EQV); }
static value p_make_table(scheme *s, value *a, size_t n) { (void)a, (void)n; return make_table(s, TABLE_EQUAL); }
static value p_is_table(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_a(a[0], &table_info)); }

static value p_ref(scheme *s, value *a, size_t n) {
  barrow_word hash;
  value e = find(s, the_table(s, "hash-table-ref/default", a[0]), a[1], &hash);
  (void)n;
  return e == UNDEFINED ? a[2] : AS(entry, e)->content;
}
static value p_contains(scheme *s, value *a, size_t n) {
  barrow_word hash;
  (void)n;
  return boolean(find(s, the_table(s, "hash-table-contains?", a[0]), a[1], &hash) != UNDEFINED);
}

static value p_set(scheme *s, value *a, size_t n) {
  struct { barrow_frame frame; value entry; } r;
  barrow_word hash;
  value e = find(s, the_table(s, "hash-table-set!", a[0]), a[1], &hash), *place;
  table_object *t;
  (void)n;
  if (e != UNDEFINED) {
    set_field(s, e, &AS(entry, e)->content, a[2]);
    return UNSPECIFIED;
  }
  ENTER(s, r);
  if (AS(table, a[0])->count >= 2 * length_of(AS(table, a[0])->buckets)) {
    r.entry = new_array(s, &vector_info, 4 * length_of(AS(table, a[0])->buckets), NIL);
    rehash(s, a[0], r.entry);
    set_field(s, a[0], &AS(table, a[0])->buckets, r.entry);
  }
  r.entry = new_object(s, &entry_info, 5, a[1], a[2]);
  AS(entry, r.entry)->next = NIL;
  t = AS(table, a[0]);
  AS(entry, r.entry)->hash = hash;
  place = &elements(t->buckets)[hash % length_of(t->buckets)];
  set_field(s, r.entry, &AS(entry, r.entry)->next, *place);
  set_field(s, t->buckets, place, r.entry);
  t->count++;
  LEAVE(s, r);
  return UNSPECIFIED;
}

static value p_delete(scheme *s, value *a, size_t n) {
  barrow_word hash;
  value e = find(s, the_table(s, "hash-table-delete!", a[0]), a[1], &hash), owner, *place;
  table_object *t = AS(table, a[0]);
  (void)n;
  if (e == UNDEFINED) return UNSPECIFIED;
  owner = t->buckets;
  place = &elements(owner)[hash % length_of(owner)];
  while (*place != e) {
    owner = *place;
    place = &AS(entry, owner)->next;
  }
  set_field(s, owner, place, AS(entry, e)->next);
  t->count--;
  return UNSPECIFIED;
}

static value p_count(scheme *s, value *a, size_t n) { (void)n; return FIX(AS(table, the_table(s, "hash-table-size", a[0]))->count); }

static value p_clear(scheme *s, value *a, size_t n) {
  value buckets = AS(table, the_table(s, "hash-table-clear!", a[0]))->buckets;
  size_t i;
  (void)n;
  for (i = 0; i < length_of(buckets); i++) elements(buckets)[i] = NIL;
  AS(table, a[0])->count = 0;
  return UNSPECIFIED;
}

/* The entries are pushed first: making pairs may make the table be hashed anew. */
static value p_to_alist(scheme *s, value *a, size_t n) {
  struct { barrow_frame frame; value list; } r;
  value buckets = AS(table, the_table(s, "hash-table->alist", a[0]))->buckets;
  size_t base = (size_t)(s->top - s->stack), i;
  (void)n;
  for (i = 0; i < length_of(buckets); i++) {
    value e = elements(buckets)[i];
    for (; e != NIL; e = AS(entry, e)->next) push(s, e);
  }
  ENTER(s, r);
  r.list = NIL;
  while ((size_t)(s->top - s->stack) > base) {
    value e = pop(s);
    e = cons(s, AS(entry, e)->key, AS(entry, e)->content);
    r.list = cons(s, e, r.list);
  }
  LEAVE(s, r);
  return r.list;
}

void define_tables(scheme *s) {
  define_primitive(s, "make-eq-hash-table", p_make_eq_table, 0, 0, false);
  define_primitive(s, "make-eqv-hash-table", p_make_eqv_table, 0, 0, false);
  define_primitive(s, "make-hash-table", p_make_table, 0, 0, false);
  define_primitive(s, "hash-table?", p_is_table, 1, 1, false);
  define_primitive(s, "hash-table-ref/default", p_ref, 3, 3, false);
  define_primitive(s, "hash-table-contains?", p_contains, 2, 2, false);
  define_primitive(s, "hash-table-set!", p_set, 3, 3, false);
  define_primitive(s, "hash-table-delete!", p_delete, 2, 2, false);
  define_primitive(s, "hash-table-size", p_count, 1, 1, false);
  define_primitive(s, "hash-table-clear!", p_clear, 1, 1, false);
  define_primitive(s, "hash-table->alist", p_to_alist, 1, 1, false);
}
