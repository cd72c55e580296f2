/* vectors.c: vectors and bytevectors. Whole ranges are copied and filled with one barrier for all of them. */
#include "scheme.h"

enum { ANY = 1 << 20 };
#define MOST ((size_t)1 << 40)

static value the_vector(scheme *s, const char *who, value v) {
  if (!is_vector(v)) wrong_type(s, who, "a vector", v);
  return v;
}
static value the_bytes(scheme *s, const char *who, value v) {
  if (!is_a(v, &bytevector_info)) wrong_type(s, who, "a bytevector", v);
  return v;
}
static unsigned char the_byte(scheme *s, const char *who, value v) {
  if (!is_fix(v) || fix_of(v) < 0 || fix_of(v) > 255) wrong_type(s, who, "a number from 0 to 255", v);
  return (unsigned char)fix_of(v);
}
static size_t place(scheme *s, const char *who, value index, size_t length) {
  if (length == 0) to_index(s, who, FIX(-1), 0);
  return (size_t)to_index(s, who, index, length - 1);
}

/* ---- vectors ---------------------------------------------------------------------------------------------------- */

static value p_is_vector(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_vector(a[0])); }
static value p_make_vector(scheme *s, value *a, size_t n) {
  size_t length = (size_t)to_index(s, "make-vector", a[0], MOST);
  return new_array(s, &vector_info, length, n == 2 ? a[1] : FALSE_VALUE);
}
static value p_vector(scheme *s, value *a, size_t n) {
  value v = new_array(s, &vector_info, n, FALSE_VALUE);
  size_t i;
  for (i = 0; i < n; i++) set_field(s, v, &elements(v)[i], a[i]);
  return v;
}
static value p_vector_length(scheme *s, value *a, size_t n) { (void)n; return FIX(length_of(the_vector(s, "vector-length", a[0]))); }
static value p_vector_ref(scheme *s, value *a, size_t n) {
  (void)n;
  return elements(the_vector(s, "vector-ref", a[0]))[place(s, "vector-ref", a[1], length_of(a[0]))];
}
static value p_vector_set(scheme *s, value *a, size_t n) {
  size_t i = place(s, "vector-set!", a[1], length_of(the_vector(s, "vector-set!", a[0])));
  (void)n;
  set_field(s, a[0], &elements(a[0])[i], a[2]);
  return UNSPECIFIED;
}
static value p_vector_to_list(scheme *s, value *a, size_t n) {
  size_t from, to;
  value list = NIL;
  range_of(s, "vector->list", a + 1, n - 1, length_of(the_vector(s, "vector->list", a[0])), &from, &to);
  while (to > from) {
    to--;
    list = cons(s, elements(a[0])[to], list);
  }
  return list;
}
static value p_list_to_vector(scheme *s, value *a, size_t n) {
  (void)n;
  if (list_length(a[0]) < 0) wrong_type(s, "list->vector", "a list", a[0]);
  return list_to_vector(s, a[0]);
}
static value p_vector_fill(scheme *s, value *a, size_t n) {
  size_t from, to;
  range_of(s, "vector-fill!", a + 2, n - 2, length_of(the_vector(s, "vector-fill!", a[0])), &from, &to);
  barrow_array_fill(s->m, object_at(a[0]), from, to - from, (void *)a[1]);
  return UNSPECIFIED;
}
static value p_vector_copy(scheme *s, value *a, size_t n) {
  size_t from, to;
  value v;
  range_of(s, "vector-copy", a + 1, n - 1, length_of(the_vector(s, "vector-copy", a[0])), &from, &to);
  v = new_array(s, &vector_info, to - from, FALSE_VALUE);
  barrow_array_copy(s->m, object_at(v), 0, object_at(a[0]), from, to - from);
  return v;
}
static value p_vector_copy_to(scheme *s, value *a, size_t n) {
  size_t at = (size_t)to_index(s, "vector-copy!", a[1], length_of(the_vector(s, "vector-copy!", a[0]))), from, to;
  range_of(s, "vector-copy!", a + 3, n - 3, length_of(the_vector(s, "vector-copy!", a[2])), &from, &to);
  if (to - from > length_of(a[0]) - at) fail(s, "vector-copy!: there is no room");
  barrow_array_copy(s->m, object_at(a[0]), at, object_at(a[2]), from, to - from);
  return UNSPECIFIED;
}
static value p_vector_append(scheme *s, value *a, size_t n) {
  size_t length = 0, i;
  value v;
  for (i = 0; i < n; i++) length += length_of(the_vector(s, "vector-append", a[i]));
  v = new_array(s, &vector_info, length, FALSE_VALUE);
  for (i = 0, length = 0; i < n; length += length_of(a[i]), i++)
    barrow_array_copy(s->m, object_at(v), length, object_at(a[i]), 0, length_of(a[i]));
  return v;
}
static value p_string_to_vector(scheme *s, value *a, size_t n) {
  size_t from, to, i;
  value v;
  if (!is_string(a[0])) wrong_type(s, "string->vector", "a string", a[0]);
  range_of(s, "string->vector", a + 1, n - 1, string_length(a[0]), &from, &to);
  v = new_array(s, &vector_info, to - from, FALSE_VALUE);
  for (i = 0; i < to - from; i++) elements(v)[i] = CHARACTER(string_at(a[0])[from + i]);
  return v;
}
static value p_vector_to_string(scheme *s, value *a, size_t n) {
  size_t from, to, i;
  value v;
  range_of(s, "vector->string", a + 1, n - 1, length_of(the_vector(s, "vector->string", a[0])), &from, &to);
  for (i = from; i < to; i++)
    if (!is_char(elements(a[0])[i])) wrong_type(s, "vector->string", "a character", elements(a[0])[i]);
  v = new_bytes(s, &string_info, 4 * (to - from));
  for (i = from; i < to; i++) string_at(v)[i - from] = char_of(elements(a[0])[i]);
  return v;
}

/* ---- bytevectors ------------------------------------------------------------------------------------------------ */

static value p_is_bytes(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_a(a[0], &bytevector_info)); }
static value p_make_bytes(scheme *s, value *a, size_t n) {
  size_t length = (size_t)to_index(s, "make-bytevector", a[0], MOST);
  unsigned char byte = n == 2 ? the_byte(s, "make-bytevector", a[1]) : 0;
  value v = new_bytes(s, &bytevector_info, length);
  memset(bytes_at(v), byte, length);
  return v;
}
static value p_bytes(scheme *s, value *a, size_t n) {
  value v = new_bytes(s, &bytevector_info, n);
  size_t i;
  for (i = 0; i < n; i++) bytes_at(v)[i] = the_byte(s, "bytevector", a[i]);
  return v;
}
static value p_bytes_length(scheme *s, value *a, size_t n) { (void)n; return FIX(bytes_of(the_bytes(s, "bytevector-length", a[0]))); }
static value p_bytes_ref(scheme *s, value *a, size_t n) {
  (void)n;
  return FIX(bytes_at(the_bytes(s, "bytevector-u8-ref", a[0]))[place(s, "bytevector-u8-ref", a[1], bytes_of(a[0]))]);
}
static value p_bytes_set(scheme *s, value *a, size_t n) {
  size_t i = place(s, "bytevector-u8-set!", a[1], bytes_of(the_bytes(s, "bytevector-u8-set!", a[0])));
  (void)n;
  bytes_at(a[0])[i] = the_byte(s, "bytevector-u8-set!", a[2]);
  return UNSPECIFIED;
}
static value p_bytes_copy(scheme *s, value *a, size_t n) {
  size_t from, to;
  value v;
  range_of(s, "bytevector-copy", a + 1, n - 1, bytes_of(the_bytes(s, "bytevector-copy", a[0])), &from, &to);
  v = new_bytes(s, &bytevector_info, to - from);
  memcpy(bytes_at(v), bytes_at(a[0]) + from, to - from);
  return v;
}
static value p_bytes_copy_to(scheme *s, value *a, size_t n) {
  size_t at = (size_t)to_index(s, "bytevector-copy!", a[1], bytes_of(the_bytes(s, "bytevector-copy!", a[0]))), from, to;
  range_of(s, "bytevector-copy!", a + 3, n - 3, bytes_of(the_bytes(s, "bytevector-copy!", a[2])), &from, &to);
  if (to - from > bytes_of(a[0]) - at) fail(s, "bytevector-copy!: there is no room");
  memmove(bytes_at(a[0]) + at, bytes_at(a[2]) + from, to - from);
  return UNSPECIFIED;
}
static value p_bytes_append(scheme *s, value *a, size_t n) {
  size_t length = 0, i;
  value v;
  for (i = 0; i < n; i++) length += bytes_of(the_bytes(s, "bytevector-append", a[i]));
  v = new_bytes(s, &bytevector_info, length);
  for (i = 0, length = 0; i < n; length += bytes_of(a[i]), i++) memcpy(bytes_at(v) + length, bytes_at(a[i]), bytes_of(a[i]));
  return v;
}

void define_vectors(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"vector?", p_is_vector, 1, 1}, {"make-vector", p_make_vector, 1, 2}, {"vector", p_vector, 0, ANY},
      {"vector-length", p_vector_length, 1, 1}, {"vector-ref", p_vector_ref, 2, 2}, {"vector-set!", p_vector_set, 3, 3},
      {"vector->list", p_vector_to_list, 1, 3}, {"list->vector", p_list_to_vector, 1, 1},
      {"%list->vector", p_list_to_vector, 1, 1}, {"vector-fill!", p_vector_fill, 2, 4},
      {"vector-copy", p_vector_copy, 1, 3}, {"vector-copy!", p_vector_copy_to, 3, 5},
      {"vector-append", p_vector_append, 0, ANY}, {"string->vector", p_string_to_vector, 1, 3},
      {"vector->string", p_vector_to_string, 1, 3}, {"bytevector?", p_is_bytes, 1, 1},
      {"make-bytevector", p_make_bytes, 1, 2}, {"bytevector", p_bytes, 0, ANY},
      {"bytevector-length", p_bytes_length, 1, 1}, {"bytevector-u8-ref", p_bytes_ref, 2, 2},
      {"bytevector-u8-set!", p_bytes_set, 3, 3}, {"bytevector-copy", p_bytes_copy, 1, 3},
      {"bytevector-copy!", p_bytes_copy_to, 3, 5}, {"bytevector-append", p_bytes_append, 0, ANY}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
