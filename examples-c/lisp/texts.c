/* texts.c: characters, and what is of strings alone (see sequences.c). Letters are those of ASCII as far as case and kind
   go. */
#include "scheme.h"

enum { ANY = 1 << 20 };

static uint32_t the_char(scheme *s, const char *who, value v) {
  if (!is_char(v)) wrong_type(s, who, "a character", v);
  return char_of(v);
}
static value the_string(scheme *s, const char *who, value v) {
  if (!is_string(v)) wrong_type(s, who, "a string", v);
  return v;
}

static uint32_t upcase(uint32_t c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
static uint32_t downcase(uint32_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(uint32_t c) { return downcase(c) >= 'a' && downcase(c) <= 'z'; }
static bool is_blank(uint32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* ---- characters ------------------------------------------------------------------------------------------------- */

static value p_is_char(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_char(a[0])); }
static value p_char_to_integer(scheme *s, value *a, size_t n) { (void)n; return FIX(the_char(s, "char->integer", a[0])); }
static value p_integer_to_char(scheme *s, value *a, size_t n) {
  int64_t c = to_index(s, "integer->char", a[0], 0x10ffff);
  (void)n;
  if (c >= 0xd800 && c < 0xe000) fail_with(s, "integer->char: no character has the number", a[0]);
  return CHARACTER(c);
}
static value p_char_upcase(scheme *s, value *a, size_t n) { (void)n; return CHARACTER(upcase(the_char(s, "char-upcase", a[0]))); }
static value p_char_downcase(scheme *s, value *a, size_t n) { (void)n; return CHARACTER(downcase(the_char(s, "char-downcase", a[0]))); }
static value p_digit_value(scheme *s, value *a, size_t n) {
  uint32_t c = the_char(s, "digit-value", a[0]);
  (void)n;
  return is_digit(c) ? FIX(c - '0') : FALSE_VALUE;
}
#define KIND(name, c_name, test) \
  static value name(scheme *s, value *a, size_t n) { uint32_t c = the_char(s, c_name, a[0]); (void)n; return boolean(test); }
KIND(p_is_alphabetic, "char-alphabetic?", is_letter(c))
KIND(p_is_numeric, "char-numeric?", is_digit(c))
KIND(p_is_whitespace, "char-whitespace?", is_blank(c))
KIND(p_is_upper, "char-upper-case?", c >= 'A' && c <= 'Z')
KIND(p_is_lower, "char-lower-case?", c >= 'a' && c <= 'z')

/* ---- comparisons ------------------------------------------------------------------------------------------------ */

static int compare_chars(scheme *s, value a, value b, bool fold) {
  uint32_t x = the_char(s, "a comparison", a), y = the_char(s, "a comparison", b);
  if (fold) x = downcase(x), y = downcase(y);
  return x < y ? -1 : x > y;
}
static int compare_strings(scheme *s, value a, value b, bool fold) {
  size_t i, m = string_length(the_string(s, "a comparison", a)), n = string_length(the_string(s, "a comparison", b));
  for (i = 0; i < m && i < n; i++) {
    uint32_t x = string_at(a)[i], y = string_at(b)[i];
    if (fold) x = downcase(x), y = downcase(y);
    if (x != y) return x < y ? -1 : 1;
  }
  return m < n ? -1 : m > n;
}
/* `wanted`: bit 0 less, bit 1 equal, bit 2 greater. */
static value compare_all(scheme *s, value *a, size_t n, int (*compare)(scheme *, value, value, bool), bool fold, unsigned wanted) {
  bool holds = true;
  size_t i;
  if (n == 1) compare(s, a[0], a[0], fold);
  for (i = 1; i < n; i++) holds = (wanted >> (compare(s, a[i - 1], a[i], fold) + 1) & 1u) && holds;
  return boolean(holds);
}
#define COMPARISONS(kind, fold, suffix)                                                                                         \
  static value p_##kind##suffix##_lt(scheme *s, value *a, size_t n) { return compare_all(s, a, n, compare_##kind##s, fold, 1); } \
  static value p_##kind##suffix##_le(scheme *s, value *a, size_t n) { return compare_all(s, a, n, compare_##kind##s, fold, 3); } \
  static value p_##kind##suffix##_eq(scheme *s, value *a, size_t n) { return compare_all(s, a, n, compare_##kind##s, fold, 2); } \
  static value p_##kind##suffix##_ge(scheme *s, value *a, size_t n) { return compare_all(s, a, n, compare_##kind##s, fold, 6); } \
  static value p_##kind##suffix##_gt(scheme *s, value *a, size_t n) { return compare_all(s, a, n, compare_##kind##s, fold, 4); }
COMPARISONS(char, false, )
COMPARISONS(char, true, _ci)
COMPARISONS(string, false, )
COMPARISONS(string, true, _ci)

/* ---- strings ---------------------------------------------------------------------------------------------------- */

static value p_is_string(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_string(a[0])); }
static value p_string(scheme *s, value *a, size_t n) {
  size_t i;
  value v;
  for (i = 0; i < n; i++) the_char(s, "string", a[i]);
  v = new_bytes(s, &string_info, 4 * n);
  for (i = 0; i < n; i++) string_at(v)[i] = char_of(a[i]);
  return v;
}
static value map_string(scheme *s, const char *who, value *a, uint32_t (*f)(uint32_t)) {
  value v;
  size_t i;
  the_string(s, who, a[0]);
  v = new_bytes(s, &string_info, bytes_of(a[0]));
  for (i = 0; i < string_length(v); i++) string_at(v)[i] = f(string_at(a[0])[i]);
  return v;
}
static value p_string_upcase(scheme *s, value *a, size_t n) { (void)n; return map_string(s, "string-upcase", a, upcase); }
static value p_string_downcase(scheme *s, value *a, size_t n) { (void)n; return map_string(s, "string-downcase", a, downcase); }

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------ */

static value p_string_to_utf8(scheme *s, value *a, size_t n) {
  size_t from, to, i, bytes = 0;
  unsigned char one[4];
  value v;
  range_of(s, "string->utf8", a + 1, n - 1, string_length(the_string(s, "string->utf8", a[0])), &from, &to);
  for (i = from; i < to; i++) bytes += utf8_encode(string_at(a[0])[i], one);
  v = new_bytes(s, &bytevector_info, bytes);
  for (i = from, bytes = 0; i < to; i++) {
    size_t k = utf8_encode(string_at(a[0])[i], one);
    memcpy(bytes_at(v) + bytes, one, k);
    bytes += k;
  }
  return v;
}
static value p_utf8_to_string(scheme *s, value *a, size_t n) {
  size_t from, to, at, length = 0;
  uint32_t c;
  value v;
  if (!is_a(a[0], &bytevector_info)) wrong_type(s, "utf8->string", "a bytevector", a[0]);
  range_of(s, "utf8->string", a + 1, n - 1, bytes_of(a[0]), &from, &to);
  for (at = from; at < to; at += utf8_decode(bytes_at(a[0]) + at, to - at, &c)) length++;
  v = new_bytes(s, &string_info, 4 * length);
  for (at = from, length = 0; at < to; length++) {
    at += utf8_decode(bytes_at(a[0]) + at, to - at, &c);
    string_at(v)[length] = c;
  }
  return v;
}

void define_texts(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"char?", p_is_char, 1, 1}, {"char->integer", p_char_to_integer, 1, 1},
      {"integer->char", p_integer_to_char, 1, 1}, {"char-upcase", p_char_upcase, 1, 1},
      {"char-downcase", p_char_downcase, 1, 1}, {"char-foldcase", p_char_downcase, 1, 1},
      {"digit-value", p_digit_value, 1, 1}, {"char-alphabetic?", p_is_alphabetic, 1, 1},
      {"char-numeric?", p_is_numeric, 1, 1}, {"char-whitespace?", p_is_whitespace, 1, 1},
      {"char-upper-case?", p_is_upper, 1, 1}, {"char-lower-case?", p_is_lower, 1, 1}, {"char=?", p_char_eq, 1, ANY},
      {"char<?", p_char_lt, 1, ANY}, {"char>?", p_char_gt, 1, ANY}, {"char<=?", p_char_le, 1, ANY},
      {"char>=?", p_char_ge, 1, ANY}, {"char-ci=?", p_char_ci_eq, 1, ANY}, {"char-ci<?", p_char_ci_lt, 1, ANY},
      {"char-ci>?", p_char_ci_gt, 1, ANY}, {"char-ci<=?", p_char_ci_le, 1, ANY}, {"char-ci>=?", p_char_ci_ge, 1, ANY},
      {"string=?", p_string_eq, 1, ANY}, {"string<?", p_string_lt, 1, ANY}, {"string>?", p_string_gt, 1, ANY},
      {"string<=?", p_string_le, 1, ANY}, {"string>=?", p_string_ge, 1, ANY}, {"string-ci=?", p_string_ci_eq, 1, ANY},
      {"string-ci<?", p_string_ci_lt, 1, ANY}, {"string-ci>?", p_string_ci_gt, 1, ANY},
      {"string-ci<=?", p_string_ci_le, 1, ANY}, {"string-ci>=?", p_string_ci_ge, 1, ANY},
      {"string?", p_is_string, 1, 1}, {"string", p_string, 0, ANY}, {"string-upcase", p_string_upcase, 1, 1},
      {"string-downcase", p_string_downcase, 1, 1}, {"string-foldcase", p_string_downcase, 1, 1},
      {"string->utf8", p_string_to_utf8, 1, 3}, {"utf8->string", p_utf8_to_string, 1, 3}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
