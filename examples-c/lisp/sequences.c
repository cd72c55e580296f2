/* sequences.c: what strings, vectors and bytevectors have in common. Ranges of vectors are copied and filled with one barrier
   for all of them. */
#include "scheme.h"

enum { ANY = 1 << 20 };
#define MOST ((size_t)1 << 40)

/* One of the three. */
typedef struct sequence {
  barrow_info *info;
  const char *wanted;
  size_t width; /* bytes of an element; 0: elements are values */
} sequence;

static const sequence strings = {&string_info, "a string", 4};
static const sequence vectors = {&vector_info, "a vector", 0};
static const sequence bytevectors = {&bytevector_info, "a bytevector", 1};

unsigned char byte_of(scheme *s, const char *who, value v) {
  if (!is_fix(v) || fix_of(v) < 0 || fix_of(v) > 255) wrong_type(s, who, "a number from 0 to 255", v);
  return (unsigned char)fix_of(v);
}

/* How long `v` is, which has to be such a sequence. */
static size_t length(scheme *s, const sequence *q, const char *who, value v) {
  if (!is_a(v, q->info)) wrong_type(s, who, q->wanted, v);
  return q->width ? bytes_of(v) / q->width : length_of(v);
}
static value make(scheme *s, const sequence *q, size_t count) {
  return q->width ? new_bytes(s, q->info, count * q->width) : new_array(s, q->info, count, FALSE_VALUE);
}
static value get(const sequence *q, value v, size_t i) {
  return q->width == 4 ? CHARACTER(string_at(v)[i]) : q->width == 1 ? FIX(bytes_at(v)[i]) : elements(v)[i];
}
/* Whether `v` may be an element. */
static void check(scheme *s, const sequence *q, const char *who, value v) {
  if (q->width == 4 && !is_char(v)) wrong_type(s, who, "a character", v);
  if (q->width == 1) byte_of(s, who, v);
}
/* One that may. */
static void put(scheme *s, const sequence *q, value v, size_t i, value element) {
  if (q->width == 4) string_at(v)[i] = char_of(element);
  else if (q->width == 1) bytes_at(v)[i] = (unsigned char)fix_of(element);
  else set_field(s, v, &elements(v)[i], element);
}
static void fill(scheme *s, const sequence *q, value v, size_t from, size_t to, value element) {
  if (!q->width) barrow_array_fill(s->m, object_at(v), from, to - from, (void *)element);
  else if (q->width == 1) memset(bytes_at(v) + from, (int)fix_of(element), to - from);
  else for (; from < to; from++) string_at(v)[from] = char_of(element);
}
static void copy(scheme *s, const sequence *q, value to, size_t at, value from, size_t first, size_t count) {
  if (q->width) memmove(bytes_at(to) + at * q->width, bytes_at(from) + first * q->width, count * q->width);
  else barrow_array_copy(s->m, object_at(to), at, object_at(from), first, count);
}
static size_t place(scheme *s, const sequence *q, const char *who, value v, value index) {
  size_t count = length(s, q, who, v);
  if (count == 0) to_index(s, who, FIX(-1), 0);
  return (size_t)to_index(s, who, index, count - 1);
}

static value make_filled(scheme *s, const sequence *q, const char *who, value *a, size_t n, value otherwise) {
  size_t count = (size_t)to_index(s, who, a[0], MOST);
  value v;
  if (n == 2) check(s, q, who, a[1]);
  v = make(s, q, count);
  fill(s, q, v, 0, count, n == 2 ? a[1] : otherwise);
  return v;
}
static value set(scheme *s, const sequence *q, const char *who, value *a) {
  size_t i = place(s, q, who, a[0], a[1]);
  check(s, q, who, a[2]);
  put(s, q, a[0], i, a[2]);
  return UNSPECIFIED;
}
static value copied(scheme *s, const sequence *q, const char *who, value *a, size_t n) {
  size_t from, to;
  value v;
  range_of(s, who, a + 1, n - 1, length(s, q, who, a[0]), &from, &to);
  v = make(s, q, to - from);
  copy(s, q, v, 0, a[0], from, to - from);
  return v;
}
static value copy_to(scheme *s, const sequence *q, const char *who, value *a, size_t n) {
  size_t count = length(s, q, who, a[0]), at = (size_t)to_index(s, who, a[1], count), from, to;
  char message[80];
  range_of(s, who, a + 3, n - 3, length(s, q, who, a[2]), &from, &to);
  if (to - from > count - at) {
    snprintf(message, sizeof message, "%s: there is no room", who);
    fail(s, message);
  }
  copy(s, q, a[0], at, a[2], from, to - from);
  return UNSPECIFIED;
}
static value filled(scheme *s, const sequence *q, const char *who, value *a, size_t n) {
  size_t from, to;
  check(s, q, who, a[1]);
  range_of(s, who, a + 2, n - 2, length(s, q, who, a[0]), &from, &to);
  fill(s, q, a[0], from, to, a[1]);
  return UNSPECIFIED;
}
static value appended(scheme *s, const sequence *q, const char *who, value *a, size_t n) {
  size_t count = 0, i;
  value v;
  for (i = 0; i < n; i++) count += length(s, q, who, a[i]);
  v = make(s, q, count);
  for (i = 0, count = 0; i < n; i++) {
    size_t more = length(s, q, who, a[i]);
    copy(s, q, v, count, a[i], 0, more);
    count += more;
  }
  return v;
}
static value to_list(scheme *s, const sequence *q, const char *who, value *a, size_t n) {
  size_t from, to;
  value list = NIL;
  range_of(s, who, a + 1, n - 1, length(s, q, who, a[0]), &from, &to);
  while (to > from) {
    to--;
    list = cons(s, get(q, a[0], to), list);
  }
  return list;
}
static value p_list_to_string(scheme *s, value *a, size_t n) {
  int64_t count = list_length(a[0]);
  value v, at;
  size_t i = 0;
  (void)n;
  if (count < 0) wrong_type(s, "list->string", "a list", a[0]);
  for (at = a[0]; at != NIL; at = cdr(at)) check(s, &strings, "list->string", car(at));
  v = make(s, &strings, (size_t)count);
  for (at = a[0]; at != NIL; at = cdr(at)) put(s, &strings, v, i++, car(at));
  return v;
}

/* The primitives of one sort; `name` is the sort's in theirs, `one` what stands before ref and set!. */
#define SEQUENCE(sort, name, one, otherwise)                                                                                  \
  static value p_##sort##_make(scheme *s, value *a, size_t n) { return make_filled(s, &sort, "make-" name, a, n, otherwise); } \
  static value p_##sort##_length(scheme *s, value *a, size_t n) { (void)n; return FIX(length(s, &sort, name "-length", a[0])); } \
  static value p_##sort##_ref(scheme *s, value *a, size_t n) {                                                                 \
    (void)n;                                                                                                                   \
    return get(&sort, a[0], place(s, &sort, one "ref", a[0], a[1]));                                                           \
  }                                                                                                                            \
  static value p_##sort##_set(scheme *s, value *a, size_t n) { (void)n; return set(s, &sort, one "set!", a); }                 \
  static value p_##sort##_copy(scheme *s, value *a, size_t n) { return copied(s, &sort, name "-copy", a, n); }                 \
  static value p_##sort##_copy_to(scheme *s, value *a, size_t n) { return copy_to(s, &sort, name "-copy!", a, n); }            \
  static value p_##sort##_append(scheme *s, value *a, size_t n) { return appended(s, &sort, name "-append", a, n); }
#define LISTED(sort, name)                                                                                                    \
  static value p_##sort##_fill(scheme *s, value *a, size_t n) { return filled(s, &sort, name "-fill!", a, n); }                \
  static value p_##sort##_to_list(scheme *s, value *a, size_t n) { return to_list(s, &sort, name "->list", a, n); }
SEQUENCE(strings, "string", "string-", CHARACTER(' '))
SEQUENCE(vectors, "vector", "vector-", FALSE_VALUE)
SEQUENCE(bytevectors, "bytevector", "bytevector-u8-", FIX(0))
LISTED(strings, "string")
LISTED(vectors, "vector")

#define NAMES(sort, name, one)                                                                                       \
  {"make-" name, p_##sort##_make, 1, 2}, {name "-length", p_##sort##_length, 1, 1}, {one "ref", p_##sort##_ref, 2, 2}, \
  {one "set!", p_##sort##_set, 3, 3}, {name "-copy", p_##sort##_copy, 1, 3}, {name "-copy!", p_##sort##_copy_to, 3, 5}, \
  {name "-append", p_##sort##_append, 0, ANY}

void define_sequences(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      NAMES(strings, "string", "string-"), NAMES(vectors, "vector", "vector-"),
      NAMES(bytevectors, "bytevector", "bytevector-u8-"), {"substring", p_strings_copy, 2, 3},
      {"string-fill!", p_strings_fill, 2, 4}, {"vector-fill!", p_vectors_fill, 2, 4},
      {"string->list", p_strings_to_list, 1, 3}, {"vector->list", p_vectors_to_list, 1, 3},
      {"list->string", p_list_to_string, 1, 1}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
