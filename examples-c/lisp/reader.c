/* reader.c: from text to data. Characters of a token are gathered on the interpreter's stack, which has room for any
 * length and moves with nothing. */
#include "scheme.h"
#include <math.h>
#include <stdlib.h>

/* What is no datum, but ends or divides a list. */
#define CLOSE KEYWORD(200)
#define DOT KEYWORD(201)

static value read_any(scheme *s, value *port);

static void bad_syntax(scheme *s, value *port, const char *message, value irritant) NORETURN;
static void bad_syntax(scheme *s, value *port, const char *message, value irritant) {
  fail_kind(s, s->r.read_kind, message, irritant, AS(port, *port)->name, AS(port, *port)->line);
}

static bool is_delimiter(int c) {
  return c < 0 || c == ' ' || (c >= '\t' && c <= '\r') || c == '(' || c == ')' || c == '"' || c == ';' || c == '\'';
}

static void skip_block_comment(scheme *s, value *port) {
  int level = 1, before = 0, c;
  while (level > 0) {
    if ((c = port_next(s, port)) < 0) bad_syntax(s, port, "a comment #| has no end", UNDEFINED);
    if (before == '|' && c == '#') level--, c = 0;
    else if (before == '#' && c == '|') level++, c = 0;
    before = c;
  }
}

/* The characters gathered since `from`, as a string; they leave the stack. */
static value gathered(scheme *s, size_t from) {
  size_t n = (size_t)(s->top - s->stack) - from, i;
  value v = new_bytes(s, &string_info, 4 * n);
  for (i = 0; i < n; i++) string_at(v)[i] = char_of(s->stack[from + i]);
  s->top = s->stack + from;
  return v;
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

/* UNDEFINED: it is no number. Exact integers that are too large for a fixnum are read as inexact. */
value parse_number(scheme *s, const char *from, unsigned radix) {
  const char *at = from;
  bool negative = false, digits = false, large = false, inexact = false;
  double whole = 0;
  int64_t n = 0;
  while (at[0] == '#') {
    switch (at[1] | 0x20) {
      case 'x': radix = 16; break;
      case 'b': radix = 2; break;
      case 'o': radix = 8; break;
      case 'd': radix = 10; break;
      case 'i': inexact = true; break;
      default: return UNDEFINED;
    }
    at += 2;
  }
  if (strcmp(at, "+inf.0") == 0) return new_flonum(s, HUGE_VAL);
  if (strcmp(at, "-inf.0") == 0) return new_flonum(s, -HUGE_VAL);
  if (strcmp(at, "+nan.0") == 0 || strcmp(at, "-nan.0") == 0) return new_flonum(s, HUGE_VAL - HUGE_VAL);
  from = at;
  if (*at == '+' || *at == '-') negative = *at++ == '-';
  for (; *at; at++, digits = true) {
    unsigned d = *at >= '0' && *at <= '9' ? (unsigned)(*at - '0') : (*at | 0x20) >= 'a' && (*at | 0x20) <= 'f'
                     ? (unsigned)((*at | 0x20) - 'a') + 10 : 99;
    if (d >= radix) break;
    whole = whole * radix + d;
    if (n > (FIX_MAX - (int64_t)d) / (int64_t)radix) large = true;
    else n = n * (int64_t)radix + (int64_t)d;
  }
  if (*at == 0 && digits && !large && !inexact) return FIX(negative ? -n : n);
  if (*at == 0 && digits) return new_flonum(s, negative ? -whole : whole);
  if (radix != 10) return UNDEFINED;
  /* strtod takes more than Scheme does: names of infinities, hexadecimal. */
  if (!digits && !(at[0] == '.' && at[1] >= '0' && at[1] <= '9')) return UNDEFINED;
  if (at[strspn(at, "0123456789.eE+-")] == 0) {
    char *end;
    double d = strtod(from, &end);
    if (*end == 0) return new_flonum(s, d);
  }
  return UNDEFINED;
}

/* A number or a symbol. */
static value read_word(scheme *s, value *port, int c) {
  size_t from = (size_t)(s->top - s->stack), n, i;
  bool quoted = false;
  char ascii[400];
  value v;
  for (;; c = port_next(s, port)) {
    if (c == '|') {
      quoted = true;
      while ((c = port_next(s, port)) != '|') {
        if (c < 0) bad_syntax(s, port, "a symbol |...| has no end", UNDEFINED);
        push(s, CHARACTER(c));
      }
    } else {
      push(s, CHARACTER(c));
    }
    if (is_delimiter(port_peek(s, port))) break;
  }
  n = (size_t)(s->top - s->stack) - from;
  if (!quoted && n == 1 && s->stack[from] == CHARACTER('.')) return s->top = s->stack + from, DOT;
  if (!quoted && n < sizeof ascii) {
    for (i = 0; i < n; i++) ascii[i] = char_of(s->stack[from + i]) < 128 ? (char)char_of(s->stack[from + i]) : '?';
    ascii[n] = 0;
    if ((v = parse_number(s, ascii, 10)) != UNDEFINED) {
      s->top = s->stack + from;
      return v;
    }
    if (ascii[0] == '#') bad_syntax(s, port, "not understood:", gathered(s, from));
  }
  v = gathered(s, from);
  return symbol_of_string(s, v);
}

/* ---- strings and characters --------------------------------------------------------------------------------- */

static uint32_t read_hex(scheme *s, value *port) {
  uint32_t n = 0;
  int c;
  while ((c = port_next(s, port)) != ';') {
    uint32_t d = c >= '0' && c <= '9' ? (uint32_t)c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (uint32_t)(c | 0x20) - 'a' + 10 : 99;
    if (d > 15 || n > 0x10ffff) bad_syntax(s, port, "\\x is followed by a number of a character and ;", UNDEFINED);
    n = 16 * n + d;
  }
  return n;
}

static value read_string(scheme *s, value *port) {
  size_t from = (size_t)(s->top - s->stack);
  int c;
  while ((c = port_next(s, port)) != '"') {
    if (c < 0) bad_syntax(s, port, "a string has no end", UNDEFINED);
    if (c == '\\') {
      c = port_next(s, port);
      switch (c) {
        case 'n': c = '\n'; break;
        case 't': c = '\t'; break;
        case 'r': c = '\r'; break;
        case 'a': c = 7; break;
        case 'b': c = 8; break;
        case 'x': c = (int)read_hex(s, port); break;
        case '"': case '\\': case '|': break;
        case ' ': case '\t': case '\n': /* blanks around the end of a line are no part of it */
          while (c == ' ' || c == '\t') c = port_next(s, port);
          if (c != '\n') bad_syntax(s, port, "a string has \\ before a blank", UNDEFINED);
          while ((c = port_peek(s, port)) == ' ' || c == '\t') port_next(s, port);
          continue;
        default: bad_syntax(s, port, "a string has \\ before", c < 0 ? END_OF_FILE : CHARACTER(c));
      }
    }
    push(s, CHARACTER(c));
  }
  return gathered(s, from);
}

static value read_character(scheme *s, value *port) {
  static const struct { const char *name; uint32_t character; } names[] = {
      {"space", ' '}, {"newline", '\n'}, {"tab", '\t'}, {"return", '\r'}, {"null", 0}, {"nul", 0}, {"alarm", 7},
      {"backspace", 8}, {"delete", 127}, {"escape", 27}, {NULL, 0}};
  size_t from = (size_t)(s->top - s->stack), n, i;
  char name[16];
  int c = port_next(s, port);
  if (c < 0) bad_syntax(s, port, "a character is missing", UNDEFINED);
  push(s, CHARACTER(c));
  while (!is_delimiter(port_peek(s, port))) {
    c = port_next(s, port);
    push(s, CHARACTER(c));
  }
  n = (size_t)(s->top - s->stack) - from;
  if (n == 1) return pop(s);
  for (i = 0; i < n && i < sizeof name - 1; i++) name[i] = (char)(char_of(s->stack[from + i]) & 127);
  name[i] = 0;
  for (i = 0; names[i].name; i++)
    if (strcmp(names[i].name, name) == 0) {
      s->top = s->stack + from;
      return CHARACTER(names[i].character);
    }
  if (name[0] == 'x' && n < 8 && name[1 + strspn(name + 1, "0123456789abcdefABCDEF")] == 0) {
    s->top = s->stack + from;
    return CHARACTER(strtoul(name + 1, NULL, 16) & 0x1fffff);
  }
  bad_syntax(s, port, "no such character:", gathered(s, from));
}

/* ---- lists and vectors -------------------------------------------------------------------------------------- */

static value read_list(scheme *s, value *port, size_t line) {
  struct { barrow_frame frame; value first, last, next; } r;
  deeper(s);
  ENTER(s, r);
  r.first = NIL;
  for (;;) {
    r.next = read_any(s, port);
    if (r.next == CLOSE) break;
    if (r.next == END_OF_FILE) {
      value name = AS(port, *port)->name;
      fail_kind(s, s->r.read_kind, "a list has no end", UNDEFINED, name, line);
    }
    if (r.next == DOT) {
      if (r.first == NIL) bad_syntax(s, port, "a list begins with a dot", UNDEFINED);
      r.next = read_any(s, port);
      if (r.next == CLOSE || r.next == DOT) bad_syntax(s, port, "nothing follows a dot", UNDEFINED);
      set_field(s, r.last, &AS(pair, r.last)->cdr, r.next);
      if (read_any(s, port) != CLOSE) bad_syntax(s, port, "a dot is followed by more than one datum", UNDEFINED);
      break;
    }
    if (r.first == NIL) {
      r.first = r.last = located_cons(s, r.next, NIL, line);
    } else {
      r.next = cons(s, r.next, NIL);
      set_field(s, r.last, &AS(pair, r.last)->cdr, r.next);
      r.last = r.next;
    }
  }
  LEAVE(s, r);
  s->depth--;
  return r.first;
}

static value read_vector(scheme *s, value *port, bool bytes) {
  struct { barrow_frame frame; value list, vector; } r;
  int64_t n, i;
  size_t line = AS(port, *port)->line;
  ENTER(s, r);
  r.list = read_list(s, port, line);
  n = list_length(r.list);
  if (n < 0) bad_syntax(s, port, "a vector has a dot", UNDEFINED);
  r.vector = bytes ? new_bytes(s, &bytevector_info, (size_t)n) : new_array(s, &vector_info, (size_t)n, FALSE_VALUE);
  for (i = 0; i < n; i++, r.list = cdr(r.list)) {
    value element = car(r.list);
    if (!bytes) set_field(s, r.vector, &elements(r.vector)[i], element);
    else if (is_fix(element) && fix_of(element) >= 0 && fix_of(element) < 256)
      bytes_at(r.vector)[i] = (unsigned char)fix_of(element);
    else bad_syntax(s, port, "a bytevector holds numbers from 0 to 255, not", element);
  }
  LEAVE(s, r);
  return r.vector;
}

static value read_quoted(scheme *s, value *port, value *name) {
  value v;
  size_t line = AS(port, *port)->line;
  deeper(s);
  v = read_any(s, port);
  s->depth--;
  if (v == CLOSE || v == DOT || v == END_OF_FILE) bad_syntax(s, port, "nothing follows a quotation mark", UNDEFINED);
  v = cons(s, v, NIL);
  return located_cons(s, *name, v, line);
}

static value read_hash(scheme *s, value *port) {
  int c = port_peek(s, port);
  size_t from;
  value v;
  switch (c) {
    case '(': port_next(s, port); return read_vector(s, port, false);
    case '\\': port_next(s, port); return read_character(s, port);
    case '|': port_next(s, port); skip_block_comment(s, port); return UNDEFINED;
    case ';':
      port_next(s, port);
      deeper(s);
      v = read_any(s, port);
      s->depth--;
      if (v == CLOSE || v == DOT || v == END_OF_FILE) bad_syntax(s, port, "nothing follows #;", UNDEFINED);
      return UNDEFINED;
    case 't': case 'f': case 'u': break;
    default: return read_word(s, port, '#');
  }
  from = (size_t)(s->top - s->stack);
  while (!is_delimiter(port_peek(s, port))) {
    c = port_next(s, port);
    push(s, CHARACTER(c));
  }
  {
    size_t n = (size_t)(s->top - s->stack) - from, i;
    char name[8];
    for (i = 0; i < n && i < 7; i++) name[i] = (char)(char_of(s->stack[from + i]) & 127);
    name[i] = 0;
    v = strcmp(name, "t") == 0 || strcmp(name, "true") == 0 ? TRUE_VALUE
        : strcmp(name, "f") == 0 || strcmp(name, "false") == 0 ? FALSE_VALUE : UNDEFINED;
    if (strcmp(name, "u8") == 0 && port_peek(s, port) == '(') {
      s->top = s->stack + from;
      port_next(s, port);
      return read_vector(s, port, true);
    }
    if (v == UNDEFINED) bad_syntax(s, port, "not understood after #:", gathered(s, from));
    s->top = s->stack + from;
    return v;
  }
}

/* A datum, CLOSE, DOT or END_OF_FILE. */
static value read_any(scheme *s, value *port) {
  for (;;) {
    int c = port_next(s, port);
    size_t line = AS(port, *port)->line;
    value v;
    if (c < 0) return END_OF_FILE;
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    switch (c) {
      case ';':
        while ((c = port_peek(s, port)) >= 0 && c != '\n') port_next(s, port);
        continue;
      case '(': return read_list(s, port, line);
      case ')': return CLOSE;
      case '"': return read_string(s, port);
      case '\'': return read_quoted(s, port, &s->r.quote);
      case '`': return read_quoted(s, port, &s->r.quasiquote);
      case ',':
        if (port_peek(s, port) != '@') return read_quoted(s, port, &s->r.unquote);
        port_next(s, port);
        return read_quoted(s, port, &s->r.unquote_splicing);
      case '#':
        if ((v = read_hash(s, port)) != UNDEFINED) return v;
        continue;
      default: return read_word(s, port, c);
    }
  }
}

/* A datum or END_OF_FILE. */
value read_datum(scheme *s, value *port) {
  value v = read_any(s, port);
  if (v == CLOSE) bad_syntax(s, port, "a ) too many", UNDEFINED);
  if (v == DOT) bad_syntax(s, port, "a dot outside a list", UNDEFINED);
  return v;
}
