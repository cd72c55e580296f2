/* numbers.c: fixnums of 62 bits and flonums. A result that is exact and too large for a fixnum is an error. */
#include "scheme.h"
#include <math.h>
#include <stdlib.h>

static bool is_number(value v) { return is_fix(v) || is_flonum(v); }

static double to_double(scheme *s, const char *who, value v) {
  if (is_fix(v)) return (double)fix_of(v);
  if (!is_flonum(v)) wrong_type(s, who, "a number", v);
  return AS(flonum, v)->number;
}

static value exact(scheme *s, int64_t n) {
  if (n < FIX_MIN || n > FIX_MAX) fail(s, "an exact number is too large");
  return FIX(n);
}

static value multiply(scheme *s, int64_t a, int64_t b) {
  int64_t x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  if (x != 0 && y > FIX_MAX / x) fail(s, "an exact number is too large");
  return exact(s, a * b);
}

static bool is_integral(value v) { return is_fix(v) || (is_flonum(v) && floor(AS(flonum, v)->number) == AS(flonum, v)->number && fabs(AS(flonum, v)->number) <= 1.7976931348623157e308); }

static value arithmetic(scheme *s, const char *who, char operation, value a, value b) {
  double x, y;
  if (is_fix(a) && is_fix(b)) {
    int64_t m = fix_of(a), n = fix_of(b);
    switch (operation) {
      case '+': return exact(s, m + n);
      case '-': return exact(s, m - n);
      case '*': return multiply(s, m, n);
      default:
        if (n == 0) fail(s, "/: division by zero");
        if (m % n == 0) return exact(s, m / n);
    }
  }
  x = to_double(s, who, a);
  y = to_double(s, who, b);
  switch (operation) {
    case '+': return new_flonum(s, x + y);
    case '-': return new_flonum(s, x - y);
    case '*': return new_flonum(s, x * y);
    default: return new_flonum(s, x / y);
  }
}

static value fold(scheme *s, const char *who, char operation, int unit, value *a, size_t n) {
  size_t i;
  if (n == 0) return FIX(unit);
  if (n == 1) {
    if (operation == '-' || operation == '/') return arithmetic(s, who, operation, FIX(unit), a[0]);
    return arithmetic(s, who, operation, a[0], FIX(unit));
  }
  for (i = 1; i < n; i++) a[0] = arithmetic(s, who, operation, a[0], a[i]);
  return a[0];
}

static value p_add(scheme *s, value *a, size_t n) { return fold(s, "+", '+', 0, a, n); }
static value p_subtract(scheme *s, value *a, size_t n) { return fold(s, "-", '-', 0, a, n); }
static value p_multiply(scheme *s, value *a, size_t n) { return fold(s, "*", '*', 1, a, n); }
static value p_divide(scheme *s, value *a, size_t n) { return fold(s, "/", '/', 1, a, n); }

static value compare(scheme *s, const char *who, value *a, size_t n, bool less, bool equal, bool greater) {
  bool holds = true;
  size_t i;
  for (i = 0; i < n; i++)
    if (!is_number(a[i])) wrong_type(s, who, "a number", a[i]);
  for (i = 1; i < n && holds; i++) {
    if (is_fix(a[i - 1]) && is_fix(a[i])) {
      int64_t x = fix_of(a[i - 1]), y = fix_of(a[i]);
      holds = (less && x < y) || (equal && x == y) || (greater && x > y);
    } else {
      double x = to_double(s, who, a[i - 1]), y = to_double(s, who, a[i]);
      holds = (less && x < y) || (equal && x == y) || (greater && x > y);
    }
  }
  return boolean(holds);
}

static value p_equal(scheme *s, value *a, size_t n) { return compare(s, "=", a, n, false, true, false); }
static value p_less(scheme *s, value *a, size_t n) { return compare(s, "<", a, n, true, false, false); }
static value p_greater(scheme *s, value *a, size_t n) { return compare(s, ">", a, n, false, false, true); }
static value p_at_most(scheme *s, value *a, size_t n) { return compare(s, "<=", a, n, true, true, false); }
static value p_at_least(scheme *s, value *a, size_t n) { return compare(s, ">=", a, n, false, true, true); }

static value p_is_number(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_number(a[0])); }
static value p_is_integer(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_integral(a[0])); }
static value p_is_fixnum(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_fix(a[0])); }
static value p_is_flonum(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_flonum(a[0])); }
static value p_is_rational(scheme *s, value *a, size_t n) {
  (void)s, (void)n;
  return boolean(is_fix(a[0]) || (is_flonum(a[0]) && fabs(AS(flonum, a[0])->number) <= 1.7976931348623157e308));
}
static value p_is_nan(scheme *s, value *a, size_t n) {
  double d = to_double(s, "nan?", a[0]);
  (void)n;
  return boolean(d != d);
}
static value p_is_exact(scheme *s, value *a, size_t n) {
  (void)n;
  to_double(s, "exact?", a[0]);
  return boolean(is_fix(a[0]));
}

/* Integer division, by C's rules (towards zero) or by those of mathematics. */
static value divide(scheme *s, const char *who, value a, value b, bool floored, bool quotient) {
  if (is_fix(a) && is_fix(b)) {
    int64_t m = fix_of(a), n = fix_of(b), q, r;
    if (n == 0) fail_with(s, "division by zero:", a);
    q = m / n;
    r = m % n;
    if (floored && r != 0 && (r < 0) != (n < 0)) q--, r += n;
    return exact(s, quotient ? q : r);
  } else {
    double x, y, q;
    if (!is_integral(a)) wrong_type(s, who, "an integer", a);
    if (!is_integral(b)) wrong_type(s, who, "an integer", b);
    x = to_double(s, who, a);
    y = to_double(s, who, b);
    if (y == 0) fail_with(s, "division by zero:", a);
    q = floored ? floor(x / y) : trunc(x / y);
    return new_flonum(s, quotient ? q : floored ? x - y * q : fmod(x, y));
  }
}

static value p_quotient(scheme *s, value *a, size_t n) { (void)n; return divide(s, "quotient", a[0], a[1], false, true); }
static value p_remainder(scheme *s, value *a, size_t n) { (void)n; return divide(s, "remainder", a[0], a[1], false, false); }
static value p_floor_quotient(scheme *s, value *a, size_t n) { (void)n; return divide(s, "floor-quotient", a[0], a[1], true, true); }
static value p_modulo(scheme *s, value *a, size_t n) { (void)n; return divide(s, "modulo", a[0], a[1], true, false); }

/* Half to even, whatever the processor's mode. */
static double to_even(double d) {
  double down = floor(d), rest = d - down;
  if (rest < 0.5 || (rest == 0.5 && fmod(down, 2) == 0)) return down;
  return down + 1;
}

#define ROUNDING(name, c_name, function)                      \
  static value name(scheme *s, value *a, size_t n) {          \
    (void)n;                                                  \
    if (is_fix(a[0])) return a[0];                            \
    return new_flonum(s, function(to_double(s, c_name, a[0]))); \
  }
ROUNDING(p_floor, "floor", floor)
ROUNDING(p_ceiling, "ceiling", ceil)
ROUNDING(p_truncate, "truncate", trunc)
ROUNDING(p_round, "round", to_even)

static value p_exact(scheme *s, value *a, size_t n) {
  double d = to_double(s, "exact", a[0]);
  (void)n;
  if (is_fix(a[0])) return a[0];
  if (!is_integral(a[0]) || fabs(d) > (double)FIX_MAX) fail_with(s, "exact: no exact number for", a[0]);
  return exact(s, (int64_t)d);
}
static value p_inexact(scheme *s, value *a, size_t n) { (void)n; return new_flonum(s, to_double(s, "inexact", a[0])); }

#define REAL(name, c_name, function) \
  static value name(scheme *s, value *a, size_t n) { (void)n; return new_flonum(s, function(to_double(s, c_name, a[0]))); }
REAL(p_exp, "exp", exp)
REAL(p_sin, "sin", sin)
REAL(p_cos, "cos", cos)
REAL(p_tan, "tan", tan)
REAL(p_asin, "asin", asin)
REAL(p_acos, "acos", acos)

static value p_log(scheme *s, value *a, size_t n) {
  double d = log(to_double(s, "log", a[0]));
  return new_flonum(s, n == 2 ? d / log(to_double(s, "log", a[1])) : d);
}
static value p_atan(scheme *s, value *a, size_t n) {
  double d = to_double(s, "atan", a[0]);
  return new_flonum(s, n == 2 ? atan2(d, to_double(s, "atan", a[1])) : atan(d));
}
static value p_sqrt(scheme *s, value *a, size_t n) {
  double d = to_double(s, "sqrt", a[0]), root = sqrt(d);
  (void)n;
  /* An exact square has an exact root. Above 2^53 the double may be one beside it. */
  if (is_fix(a[0]) && fix_of(a[0]) >= 0) {
    int64_t r = (int64_t)root, i;
    for (i = r > 0 ? r - 1 : 0; i <= r + 1; i++)
      if (i * i == fix_of(a[0])) return FIX(i);
  }
  return new_flonum(s, root);
}
static value p_expt(scheme *s, value *a, size_t n) {
  (void)n;
  if (is_fix(a[0]) && is_fix(a[1]) && fix_of(a[1]) >= 0) {
    value result = FIX(1), base = a[0];
    uint64_t e = (uint64_t)fix_of(a[1]);
    while (e > 0) {
      if (e & 1) result = multiply(s, fix_of(result), fix_of(base));
      if ((e >>= 1) > 0) base = multiply(s, fix_of(base), fix_of(base));
    }
    return result;
  }
  return new_flonum(s, pow(to_double(s, "expt", a[0]), to_double(s, "expt", a[1])));
}

static unsigned to_radix(scheme *s, value v) {
  if (v != FIX(2) && v != FIX(8) && v != FIX(10) && v != FIX(16)) wrong_type(s, "a conversion", "radix 2, 8, 10 or 16", v);
  return (unsigned)fix_of(v);
}

static value p_number_to_string(scheme *s, value *a, size_t n) {
  char buffer[80];
  to_double(s, "number->string", a[0]);
  number_text(a[0], n == 2 ? to_radix(s, a[1]) : 10, buffer, sizeof buffer);
  return text(s, buffer);
}
static value p_string_to_number(scheme *s, value *a, size_t n) {
  char buffer[400];
  size_t i, length;
  value v;
  if (!is_string(a[0])) wrong_type(s, "string->number", "a string", a[0]);
  length = string_length(a[0]);
  if (length >= sizeof buffer) return FALSE_VALUE;
  for (i = 0; i < length; i++) {
    if (string_at(a[0])[i] == 0 || string_at(a[0])[i] > 127) return FALSE_VALUE;
    buffer[i] = (char)string_at(a[0])[i];
  }
  buffer[length] = 0;
  v = parse_number(s, buffer, n == 2 ? to_radix(s, a[1]) : 10);
  return v == UNDEFINED ? FALSE_VALUE : v;
}

void define_numbers(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"+", p_add, 0, 4096}, {"-", p_subtract, 1, 4096}, {"*", p_multiply, 0, 4096}, {"/", p_divide, 1, 4096},
      {"=", p_equal, 1, 4096}, {"<", p_less, 1, 4096}, {">", p_greater, 1, 4096}, {"<=", p_at_most, 1, 4096},
      {">=", p_at_least, 1, 4096}, {"number?", p_is_number, 1, 1}, {"complex?", p_is_number, 1, 1},
      {"real?", p_is_number, 1, 1}, {"rational?", p_is_rational, 1, 1}, {"integer?", p_is_integer, 1, 1},
      {"exact-integer?", p_is_fixnum, 1, 1}, {"exact?", p_is_exact, 1, 1}, {"%flonum?", p_is_flonum, 1, 1},
      {"nan?", p_is_nan, 1, 1}, {"quotient", p_quotient, 2, 2}, {"remainder", p_remainder, 2, 2},
      {"modulo", p_modulo, 2, 2}, {"truncate-quotient", p_quotient, 2, 2}, {"truncate-remainder", p_remainder, 2, 2},
      {"floor-quotient", p_floor_quotient, 2, 2}, {"floor-remainder", p_modulo, 2, 2}, {"floor", p_floor, 1, 1},
      {"ceiling", p_ceiling, 1, 1}, {"truncate", p_truncate, 1, 1}, {"round", p_round, 1, 1}, {"exact", p_exact, 1, 1},
      {"inexact", p_inexact, 1, 1}, {"exp", p_exp, 1, 1}, {"log", p_log, 1, 2}, {"sin", p_sin, 1, 1},
      {"cos", p_cos, 1, 1}, {"tan", p_tan, 1, 1}, {"asin", p_asin, 1, 1}, {"acos", p_acos, 1, 1}, {"atan", p_atan, 1, 2},
      {"sqrt", p_sqrt, 1, 1}, {"expt", p_expt, 2, 2}, {"number->string", p_number_to_string, 1, 2},
      {"string->number", p_string_to_number, 1, 2}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
