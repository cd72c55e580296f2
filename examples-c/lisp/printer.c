/* printer.c: from data to text. What is still to be printed waits on the interpreter's stack, not on C's, so lists may
 * be as deep and as long as the heap allows. Printing to a file allocates nothing. */
#include "scheme.h"
#include <math.h>
#include <stdlib.h>

/* Where text goes: a file, or a port at a root; and how many bytes it may still have. */
typedef struct sink {
  value *port;
  FILE *file;
  size_t room;
} sink;

/* What waits on the stack, above its value: a datum, the rest of a list, a closing parenthesis, or a vector from its
 * n-th element on (VECTOR + n). */
enum { DATUM, REST, CLOSE, VECTOR };

static void put_bytes(scheme *s, sink *to, const char *bytes, size_t n) {
  if (n > to->room) n = 0, to->room = 0; /* print_to says that something is left out */
  to->room -= n;
  if (to->file) write_out(s, to->file, bytes, n);
  else port_put(s, to->port, bytes, n);
}

static void put(scheme *s, sink *to, const char *bytes) { put_bytes(s, to, bytes, strlen(bytes)); }

static void put_char(scheme *s, sink *to, uint32_t c) {
  unsigned char bytes[4];
  size_t n = utf8_encode(c, bytes);
  put_bytes(s, to, (const char *)bytes, n);
}

static void later(scheme *s, value v, size_t what) {
  push(s, v);
  push(s, FIX(what));
}

void number_text(value v, unsigned radix, char *buffer, size_t bytes) {
  if (is_fix(v)) {
    char digits[72];
    int64_t n = fix_of(v);
    uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = "0123456789abcdef"[u % radix];
    while ((u /= radix) != 0);
    if (n < 0) digits[--at] = '-';
    snprintf(buffer, bytes, "%s", digits + at);
  } else {
    double d = AS(flonum, v)->number;
    int precision;
    if (d != d) {
      snprintf(buffer, bytes, "+nan.0");
    } else if (d - d != 0) {
      snprintf(buffer, bytes, d > 0 ? "+inf.0" : "-inf.0");
    } else {
      for (precision = 15; precision <= 17; precision++) { /* the shortest that reads as the same number */
        snprintf(buffer, bytes, "%.*g", precision, d);
        if (strtod(buffer, NULL) == d) break;
      }
      if (!strpbrk(buffer, ".e")) snprintf(buffer + strlen(buffer), bytes - strlen(buffer), ".0");
    }
  }
}

static void put_escaped(scheme *s, sink *to, uint32_t c, uint32_t mark) {
  char number[16];
  if (c == mark || c == '\\') put_char(s, to, '\\'), put_char(s, to, c);
  else if (c == '\n') put(s, to, "\\n");
  else if (c == '\t') put(s, to, "\\t");
  else if (c == '\r') put(s, to, "\\r");
  else if (c < 32 || c == 127) snprintf(number, sizeof number, "\\x%x;", (unsigned)c), put(s, to, number);
  else put_char(s, to, c);
}

static void put_string(scheme *s, sink *to, value string, bool readable, uint32_t mark) {
  struct { barrow_frame frame; value string; } r;
  size_t i;
  ENTER(s, r);
  r.string = string;
  if (readable) put_char(s, to, mark);
  for (i = 0; i < string_length(r.string) && to->room > 0; i++) {
    if (readable) put_escaped(s, to, string_at(r.string)[i], mark);
    else put_char(s, to, string_at(r.string)[i]);
  }
  if (readable) put_char(s, to, mark);
  LEAVE(s, r);
}

/* Whether a symbol would be read back as something else. It errs on the side of bars. */
static bool wants_bars(value name) {
  size_t n = string_length(name), i;
  const uint32_t *c = string_at(name);
  if (n == 0 || c[0] == '#' || (n == 1 && c[0] == '.') || (c[0] >= '0' && c[0] <= '9')) return true;
  if (n > 1 && (c[0] == '+' || c[0] == '-' || c[0] == '.') && ((c[1] >= '0' && c[1] <= '9') || c[1] == 'i' || c[1] == 'n'))
    return true;
  for (i = 0; i < n; i++)
    if (c[i] <= ' ' || c[i] == 127 || (c[i] < 127 && strchr("()\";'`,|\\", (int)c[i]))) return true;
  return false;
}

static void put_named(scheme *s, sink *to, const char *what, value name) {
  struct { barrow_frame frame; value name; } r;
  ENTER(s, r);
  r.name = name;
  put(s, to, what);
  if (is_a(r.name, &alias_info)) r.name = AS(alias, r.name)->symbol;
  if (is_symbol(r.name)) {
    put(s, to, " ");
    put_string(s, to, AS(symbol, r.name)->name, false, '|');
  }
  put(s, to, ">");
  LEAVE(s, r);
}

static void put_character(scheme *s, sink *to, uint32_t c, bool readable) {
  static const struct { uint32_t character; const char *name; } names[] = {
      {' ', "space"}, {'\n', "newline"}, {'\t', "tab"}, {'\r', "return"}, {0, "null"}, {7, "alarm"}, {8, "backspace"},
      {127, "delete"}, {27, "escape"}};
  char number[16];
  size_t i;
  if (!readable) {
    put_char(s, to, c);
    return;
  }
  put(s, to, "#\\");
  for (i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].character == c) {
      put(s, to, names[i].name);
      return;
    }
  if (c >= 32) put_char(s, to, c);
  else snprintf(number, sizeof number, "x%x", (unsigned)c), put(s, to, number);
}

static void put_constant(scheme *s, sink *to, value v) {
  switch (v) {
    case NIL: put(s, to, "()"); break;
    case FALSE_VALUE: put(s, to, "#f"); break;
    case TRUE_VALUE: put(s, to, "#t"); break;
    case UNSPECIFIED: put(s, to, "#<unspecified>"); break;
    case END_OF_FILE: put(s, to, "#<end of file>"); break;
    case ENVIRONMENT: put(s, to, "#<environment>"); break;
    default: put(s, to, "#<keyword>"); break;
  }
}

static void put_object(scheme *s, sink *to, value v, bool readable) {
  const barrow_info *info = barrow_info_of(object_at(v));
  char number[64];
  if (info == &string_info) {
    put_string(s, to, v, readable, '"');
  } else if (info == &symbol_info) {
    put_string(s, to, AS(symbol, v)->name, readable && wants_bars(AS(symbol, v)->name), '|');
  } else if (info == &flonum_info) {
    number_text(v, 10, number, sizeof number);
    put(s, to, number);
  } else if (info == &vector_info || info == &bytevector_info) {
    later(s, v, VECTOR);
    put(s, to, info == &vector_info ? "#(" : "#u8(");
  } else if (info == &values_info) {
    later(s, v, VECTOR);
    put(s, to, "#<values ");
  } else if (info == &closure_info) {
    put_named(s, to, "#<procedure", elements(AS(closure, v)->code)[CODE_NAME]);
  } else if (info == &primitive_info) {
    put_named(s, to, "#<procedure", AS(primitive, v)->name);
  } else if (info == &record_info) {
    value type = elements(v)[0];
    put_named(s, to, "#<record", is_a(type, &record_info) ? elements(type)[1] : FALSE_VALUE);
  } else if (info == &alias_info) {
    put_string(s, to, AS(symbol, AS(alias, v)->symbol)->name, false, '|');
  } else if (info == &condition_info) {
    put(s, to, "#<condition>");
  } else {
    snprintf(number, sizeof number, "#<%s>", info->names->description);
    put(s, to, number);
  }
}

static void put_element(scheme *s, sink *to, value v, size_t i) {
  bool bytes = is_a(v, &bytevector_info);
  char number[32];
  if (i == (bytes ? bytes_of(v) : length_of(v))) {
    put(s, to, is_a(v, &values_info) ? ">" : ")");
    return;
  }
  later(s, v, VECTOR + i + 1);
  if (bytes) {
    snprintf(number, sizeof number, i ? " %u" : "%u", (unsigned)bytes_at(v)[i]);
    put(s, to, number);
  } else {
    later(s, elements(v)[i], DATUM);
    if (i > 0) put(s, to, " ");
  }
}

static void print_to(scheme *s, sink *to, value v, bool readable) {
  size_t base = (size_t)(s->top - s->stack);
  char number[64];
  later(s, v, DATUM);
  while (to->room > 0 && (size_t)(s->top - s->stack) > base) {
    size_t what = (size_t)fix_of(pop(s));
    v = pop(s);
    if (what >= VECTOR) {
      put_element(s, to, v, what - VECTOR);
    } else if (what == CLOSE || (what == REST && v == NIL)) {
      put(s, to, ")");
    } else if (is_pair(v)) { /* what it still has to say is pushed first: writing may move it */
      later(s, cdr(v), REST);
      later(s, car(v), DATUM);
      put(s, to, what == REST ? " " : "(");
    } else if (what == REST) {
      later(s, NIL, CLOSE);
      later(s, v, DATUM);
      put(s, to, " . ");
    } else if (is_object(v)) {
      put_object(s, to, v, readable);
    } else if (is_fix(v)) {
      number_text(v, 10, number, sizeof number);
      put(s, to, number);
    } else if (is_char(v)) {
      put_character(s, to, char_of(v), readable);
    } else {
      put_constant(s, to, v);
    }
  }
  if (to->room == 0) { /* what waits is left out, however long or deep it is, or if it is a circle */
    to->room = 4;
    s->top = s->stack + base;
    put(s, to, " ...");
  }
}

void print(scheme *s, value *port, value v, bool readable) {
  sink to = {port, NULL, ~(size_t)0};
  if (AS(port, *port)->file != NO_FILE) to.file = s->shared->files[AS(port, *port)->file];
  print_to(s, &to, v, readable);
}

void print_to_file(scheme *s, value v, bool readable, FILE *file) {
  print_some(s, v, readable, file, ~(size_t)0);
}

/* At most so many bytes, and " ..." for the rest. */
void print_some(scheme *s, value v, bool readable, FILE *file, size_t bytes) {
  sink to = {NULL, NULL, 0};
  to.file = file;
  to.room = bytes;
  print_to(s, &to, v, readable);
}
