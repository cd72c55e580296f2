/* vectors.c: what is of vectors and bytevectors alone (see sequences.c). */
#include "scheme.h"

enum { ANY = 1 << 20 };

static value the_vector(scheme *s, const char *who, value v) {
  if (!is_vector(v)) wrong_type(s, who, "a vector", v);
  return v;
}
/* ---- vectors ---------------------------------------------------------------------------------------------------- */

static value p_is_vector(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_vector(a[0])); }
static value p_vector(scheme *s, value *a, size_t n) {
  value v = new_array(s, &vector_info, n, FALSE_VALUE);
  size_t i;
  for (i = 0; i < n; i++) set_field(s, v, &elements(v)[i], a[i]);
  return v;
}
static value p_list_to_vector(scheme *s, value *a, size_t n) {
  (void)n;
  if (list_length(a[0]) < 0) wrong_type(s, "list->vector", "a list", a[0]);
  return list_to_vector(s, a[0]);
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
static value p_bytes(scheme *s, value *a, size_t n) {
  value v = new_bytes(s, &bytevector_info, n);
  size_t i;
  for (i = 0; i < n; i++) bytes_at(v)[i] = byte_of(s, "bytevector", a[i]);
  return v;
}
void define_vectors(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"vector?", p_is_vector, 1, 1}, {"vector", p_vector, 0, ANY}, {"list->vector", p_list_to_vector, 1, 1},
      {"%list->vector", p_list_to_vector, 1, 1}, {"string->vector", p_string_to_vector, 1, 3},
      {"vector->string", p_vector_to_string, 1, 3}, {"bytevector?", p_is_bytes, 1, 1}, {"bytevector", p_bytes, 0, ANY}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
