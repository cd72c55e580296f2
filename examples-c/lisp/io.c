/* io.c: reading and writing as programs see it. */
#include "scheme.h"

/* The port is an argument, or the default, which is a register: in both cases its place is a root. */
static value *the_port(scheme *s, const char *who, value *port, unsigned direction) {
  if (!is_a(*port, &port_info)) wrong_type(s, who, "a port", *port);
  if (!(AS(port, *port)->flags & direction))
    wrong_type(s, who, direction == PORT_INPUT ? "an input port" : "an output port", *port);
  if (AS(port, *port)->flags & PORT_CLOSED) fail_with(s, "the port is closed:", *port);
  return port;
}
static value *output(scheme *s, const char *who, value *a, size_t n, size_t at) {
  return the_port(s, who, n > at ? a + at : &s->r.output, PORT_OUTPUT);
}
static value *input(scheme *s, const char *who, value *a, size_t n, size_t at) {
  return the_port(s, who, n > at ? a + at : &s->r.console, PORT_INPUT);
}

/* ---- output ------------------------------------------------------------------------------------------------------- */

static value p_write(scheme *s, value *a, size_t n) { print(s, output(s, "write", a, n, 1), a[0], true); return UNSPECIFIED; }
static value p_display(scheme *s, value *a, size_t n) { print(s, output(s, "display", a, n, 1), a[0], false); return UNSPECIFIED; }
static value p_newline(scheme *s, value *a, size_t n) { port_put(s, output(s, "newline", a, n, 0), "\n", 1); return UNSPECIFIED; }
static value p_write_char(scheme *s, value *a, size_t n) {
  if (!is_char(a[0])) wrong_type(s, "write-char", "a character", a[0]);
  port_put_char(s, output(s, "write-char", a, n, 1), char_of(a[0]));
  return UNSPECIFIED;
}
static value p_write_string(scheme *s, value *a, size_t n) {
  value *port = output(s, "write-string", a, n, 1);
  size_t from, to;
  if (!is_string(a[0])) wrong_type(s, "write-string", "a string", a[0]);
  range_of(s, "write-string", a + 2, n > 2 ? n - 2 : 0, string_length(a[0]), &from, &to);
  for (; from < to; from++) port_put_char(s, port, string_at(a[0])[from]);
  return UNSPECIFIED;
}
static value p_flush(scheme *s, value *a, size_t n) {
  value *port = output(s, "flush-output-port", a, n, 0);
  if (AS(port, *port)->file != NO_FILE) flush_out(s, s->shared->files[AS(port, *port)->file]);
  return UNSPECIFIED;
}

/* ---- input -------------------------------------------------------------------------------------------------------- */

static value p_read(scheme *s, value *a, size_t n) {
  value *port = input(s, "read", a, n, 0);
  return read_datum(s, port);
}
static value p_read_char(scheme *s, value *a, size_t n) {
  int c = port_next(s, input(s, "read-char", a, n, 0));
  return c < 0 ? END_OF_FILE : CHARACTER(c);
}
static value p_peek_char(scheme *s, value *a, size_t n) {
  int c = port_peek(s, input(s, "peek-char", a, n, 0));
  return c < 0 ? END_OF_FILE : CHARACTER(c);
}

/* Characters are gathered on the stack, until `end` or `most` of them are there. */
static value read_some(scheme *s, value *port, int end, int64_t most) {
  size_t base = (size_t)(s->top - s->stack), n, i;
  int c = 0;
  value v;
  while (most-- > 0 && (c = port_next(s, port)) >= 0 && c != end) push(s, CHARACTER(c));
  n = (size_t)(s->top - s->stack) - base;
  if (n == 0 && c < 0) return END_OF_FILE;
  v = new_bytes(s, &string_info, 4 * n);
  for (i = 0; i < n; i++) string_at(v)[i] = char_of(s->stack[base + i]);
  s->top = s->stack + base;
  return v;
}
static value p_read_line(scheme *s, value *a, size_t n) { return read_some(s, input(s, "read-line", a, n, 0), '\n', FIX_MAX); }
static value p_read_string(scheme *s, value *a, size_t n) {
  int64_t most = to_index(s, "read-string", a[0], (size_t)FIX_MAX);
  return read_some(s, input(s, "read-string", a, n, 1), -1, most);
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static const char *file_name(scheme *s, value v, char *name, size_t bytes) {
  size_t i, n = 0;
  if (!is_string(v)) wrong_type(s, "a file name", "a string", v);
  for (i = 0; i < string_length(v) && n + 5 < bytes; i++) n += utf8_encode(string_at(v)[i], (unsigned char *)name + n);
  name[n] = 0;
  if (i < string_length(v) || strlen(name) != n) fail_kind(s, s->r.file_kind, "no possible name of a file:", v, UNDEFINED, 0);
  return name;
}

static value p_open_input_file(scheme *s, value *a, size_t n) {
  char name[4096];
  (void)n;
  return read_file(s, file_name(s, a[0], name, sizeof name));
}
/* The number of a place for an open file, where stdin stands until it is open; FILES when none is left. */
static size_t free_place(scheme *s) {
  size_t i = STANDARD_OUTPUT + 1;
  share_lock(s);
  while (i < FILES && s->shared->files[i]) i++;
  if (i < FILES) s->shared->files[i] = stdin;
  share_unlock(s);
  return i;
}
static value p_open_output_file(scheme *s, value *a, size_t n) {
  char name[4096];
  size_t i;
  FILE *file;
  value v;
  (void)n;
  file_name(s, a[0], name, sizeof name);
  v = new_port(s, NIL, 0, a[0], NO_FILE, PORT_OUTPUT); /* before the file is opened, so that it cannot be forgotten */
  push(s, v);
  if ((i = free_place(s)) == FILES) fail_kind(s, s->r.file_kind, "too many files are open:", a[0], UNDEFINED, 0);
  barrow_enter_foreign(s->m);
  file = fopen(name, "wb"); /* outside the lock, for which others would wait as long */
  barrow_leave_foreign(s->m);
  share_lock(s);
  s->shared->files[i] = file;
  share_unlock(s);
  v = pop(s);
  if (file) AS(port, v)->file = i;
  else fail_kind(s, s->r.file_kind, "the file cannot be written:", a[0], UNDEFINED, 0);
  return v;
}
static value p_open_input_string(scheme *s, value *a, size_t n) {
  size_t i, bytes = 0;
  unsigned char one[4];
  value buffer;
  (void)n;
  if (!is_string(a[0])) wrong_type(s, "open-input-string", "a string", a[0]);
  for (i = 0; i < string_length(a[0]); i++) bytes += utf8_encode(string_at(a[0])[i], one);
  buffer = new_bytes(s, &bytevector_info, bytes);
  for (i = 0, bytes = 0; i < string_length(a[0]); i++) {
    size_t k = utf8_encode(string_at(a[0])[i], one);
    memcpy(bytes_at(buffer) + bytes, one, k);
    bytes += k;
  }
  return new_port(s, buffer, bytes, s->r.file, NO_FILE, PORT_INPUT);
}
static value p_open_output_string(scheme *s, value *a, size_t n) {
  value buffer = new_bytes(s, &bytevector_info, 64);
  (void)a, (void)n;
  return new_port(s, buffer, 0, FALSE_VALUE, NO_FILE, PORT_OUTPUT);
}
static value p_get_output_string(scheme *s, value *a, size_t n) {
  (void)n;
  if (!is_a(a[0], &port_info) || !(AS(port, a[0])->flags & PORT_OUTPUT) || AS(port, a[0])->file != NO_FILE)
    wrong_type(s, "get-output-string", "a port that open-output-string made", a[0]);
  return port_string(s, a[0]);
}
static value p_close(scheme *s, value *a, size_t n) {
  port_object *p;
  (void)n;
  if (!is_a(a[0], &port_info)) wrong_type(s, "close-port", "a port", a[0]);
  p = AS(port, a[0]);
  if (!(p->flags & PORT_CLOSED) && p->file > STANDARD_OUTPUT) {
    FILE *file;
    bool written = true;
    share_lock(s);
    p = AS(port, a[0]);
    file = p->flags & PORT_CLOSED ? NULL : s->shared->files[p->file];
    if (file) s->shared->files[p->file] = NULL;
    p->flags |= PORT_CLOSED;
    share_unlock(s);
    barrow_enter_foreign(s->m);
    if (file) written = fclose(file) == 0;
    barrow_leave_foreign(s->m);
    p = AS(port, a[0]);
    if (!written) fail_kind(s, s->r.file_kind, "the file could not be written:", p->name, UNDEFINED, 0);
  }
  p->flags |= PORT_CLOSED;
  return UNSPECIFIED;
}
static value p_is_port(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(is_a(a[0], &port_info)); }
static value has_flag(value v, unsigned flag, unsigned without) {
  return boolean(is_a(v, &port_info) && (AS(port, v)->flags & flag) && !(AS(port, v)->flags & without));
}
static value p_is_input(scheme *s, value *a, size_t n) { (void)s, (void)n; return has_flag(a[0], PORT_INPUT, 0); }
static value p_is_output(scheme *s, value *a, size_t n) { (void)s, (void)n; return has_flag(a[0], PORT_OUTPUT, 0); }
static value p_input_open(scheme *s, value *a, size_t n) { (void)s, (void)n; return has_flag(a[0], PORT_INPUT, PORT_CLOSED); }
static value p_output_open(scheme *s, value *a, size_t n) { (void)s, (void)n; return has_flag(a[0], PORT_OUTPUT, PORT_CLOSED); }
static value p_console(scheme *s, value *a, size_t n) { (void)a, (void)n; return s->r.console; }
static value p_eof(scheme *s, value *a, size_t n) { (void)s, (void)a, (void)n; return END_OF_FILE; }
static value p_is_eof(scheme *s, value *a, size_t n) { (void)s, (void)n; return boolean(a[0] == END_OF_FILE); }
static value p_exists(scheme *s, value *a, size_t n) {
  char name[4096];
  FILE *file;
  (void)n;
  file_name(s, a[0], name, sizeof name);
  barrow_enter_foreign(s->m);
  if ((file = fopen(name, "rb"))) fclose(file);
  barrow_leave_foreign(s->m);
  return boolean(file != NULL);
}
static value p_delete(scheme *s, value *a, size_t n) {
  char name[4096];
  bool removed;
  (void)n;
  file_name(s, a[0], name, sizeof name);
  barrow_enter_foreign(s->m);
  removed = remove(name) == 0;
  barrow_leave_foreign(s->m);
  if (!removed) fail_kind(s, s->r.file_kind, "the file cannot be deleted:", a[0], UNDEFINED, 0);
  return UNSPECIFIED;
}

void define_ports(scheme *s) {
  static const struct { const char *name; primitive_function function; unsigned least, most; } table[] = {
      {"write", p_write, 1, 2}, {"write-simple", p_write, 1, 2}, {"display", p_display, 1, 2}, {"newline", p_newline, 0, 1},
      {"write-char", p_write_char, 1, 2}, {"write-string", p_write_string, 1, 4}, {"flush-output-port", p_flush, 0, 1},
      {"read", p_read, 0, 1}, {"read-char", p_read_char, 0, 1}, {"peek-char", p_peek_char, 0, 1},
      {"read-line", p_read_line, 0, 1}, {"read-string", p_read_string, 1, 2}, {"open-input-file", p_open_input_file, 1, 1},
      {"open-output-file", p_open_output_file, 1, 1}, {"open-input-string", p_open_input_string, 1, 1},
      {"open-output-string", p_open_output_string, 0, 0}, {"get-output-string", p_get_output_string, 1, 1},
      {"close-port", p_close, 1, 1}, {"close-input-port", p_close, 1, 1}, {"close-output-port", p_close, 1, 1},
      {"port?", p_is_port, 1, 1}, {"textual-port?", p_is_port, 1, 1}, {"input-port?", p_is_input, 1, 1},
      {"output-port?", p_is_output, 1, 1}, {"input-port-open?", p_input_open, 1, 1},
      {"output-port-open?", p_output_open, 1, 1}, {"current-input-port", p_console, 0, 0}, {"eof-object", p_eof, 0, 0},
      {"eof-object?", p_is_eof, 1, 1}, {"file-exists?", p_exists, 1, 1}, {"delete-file", p_delete, 1, 1}};
  size_t i;
  for (i = 0; i < sizeof table / sizeof *table; i++)
    define_primitive(s, table[i].name, table[i].function, table[i].least, table[i].most, false);
}
