/* port.c: ports. An input port has all its text in a bytevector (the console: the last line); an output port writes
 * to a file, or gathers text in a bytevector that grows.
 *
 * Ports are handed on by the address of a root, since they may move whenever a buffer is made. So they may whenever something
 * outside is waited for: a keyboard, a pipe, a disk. That is done in foreign code, on texts of C, so that no other thread's
 * collection waits for it too. */
#include "scheme.h"
#include <errno.h>
#include <stdlib.h>

value new_port(scheme *s, value buffer, size_t fill, value name, size_t file, size_t flags) {
  value v = new_object(s, &port_info, 8, buffer, name);
  port_object *p = AS(port, v);
  p->position = 0;
  p->fill = fill;
  p->line = 1;
  p->file = file;
  p->flags = flags;
  return v;
}

/* All that is in a file, in memory of C's; NULL when it cannot be read. Its length goes to *got. */
static char *file_text(const char *name, size_t *got) {
  FILE *file = fopen(name, "rb");
  char *all = NULL;
  long size = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  /* A directory says that it is very long. */
  if (size >= 0 && size < 0x7fffffffffffffff) all = (char *)malloc((size_t)size + 1);
  if (all) {
    rewind(file);
    *got = fread(all, 1, (size_t)size, file);
    if (ferror(file)) free(all), all = NULL;
  }
  if (file) fclose(file);
  return all;
}

/* A whole file as an input port; there is no open file to forget. */
value read_file(scheme *s, const char *name) {
  struct { barrow_frame frame; value buffer, name; } r;
  size_t got = 0;
  ENTER(s, r);
  r.name = text(s, name);
  barrow_enter_foreign(s->m);
  s->reading = file_text(name, &got); /* freed by execute, should the heap have no memory */
  barrow_leave_foreign(s->m);
  if (!s->reading) fail_kind(s, s->r.file_kind, "the file cannot be read:", r.name, UNDEFINED, 0);
  r.buffer = new_bytes(s, &bytevector_info, got);
  memcpy(bytes_at(r.buffer), s->reading, got);
  free(s->reading);
  s->reading = NULL;
  LEAVE(s, r);
  return new_port(s, r.buffer, got, r.name, NO_FILE, PORT_INPUT);
}

static bool refill(scheme *s, value *port) {
  char line[4096];
  value buffer;
  size_t n;
  bool there;
  barrow_enter_foreign(s->m);
  fflush(stdout);
  there = fgets(line, sizeof line, stdin) != NULL;
  barrow_leave_foreign(s->m);
  if (!there) return false;
  n = strlen(line);
  buffer = new_bytes(s, &bytevector_info, n);
  memcpy(bytes_at(buffer), line, n);
  set_field(s, *port, &AS(port, *port)->buffer, buffer);
  AS(port, *port)->position = 0;
  AS(port, *port)->fill = n;
  return true;
}

/* The next byte that is there, as a character; -1 at the end. */
static int look(scheme *s, value *port, size_t *takes) {
  port_object *p = AS(port, *port);
  uint32_t c;
  if (p->position == p->fill) {
    if (!(p->flags & PORT_CONSOLE) || !refill(s, port)) return -1;
    p = AS(port, *port);
  }
  *takes = utf8_decode(bytes_at(p->buffer) + p->position, p->fill - p->position, &c);
  return (int)c;
}

int port_peek(scheme *s, value *port) {
  size_t takes;
  return look(s, port, &takes);
}

int port_next(scheme *s, value *port) {
  size_t takes;
  int c = look(s, port, &takes);
  if (c >= 0) AS(port, *port)->position += takes;
  if (c == '\n') AS(port, *port)->line++;
  return c;
}

/* Objects may move here. The bytes are no object's. A program of one thread, where nobody else collects, saves the way: it writes
 * character by character. */
void write_out(scheme *s, FILE *file, const char *bytes, size_t count) {
  bool alone = s->shared->most < 2;
  if (!alone) barrow_enter_foreign(s->m);
  fwrite(bytes, 1, count, file);
  if (!alone) barrow_leave_foreign(s->m);
}

/* Objects may move here. True: all that was written is there. */
bool flush_out(scheme *s, FILE *file) {
  bool flushed;
  barrow_enter_foreign(s->m);
  flushed = fflush(file) == 0;
  barrow_leave_foreign(s->m);
  return flushed;
}

/* The bytes are no object's. */
void port_put(scheme *s, value *port, const char *bytes, size_t count) {
  port_object *p = AS(port, *port);
  if (p->file != NO_FILE) {
    write_out(s, s->shared->files[p->file], bytes, count);
    return;
  }
  if (p->fill + count > bytes_of(p->buffer)) {
    value bigger = new_bytes(s, &bytevector_info, 2 * (p->fill + count));
    p = AS(port, *port);
    memcpy(bytes_at(bigger), bytes_at(p->buffer), p->fill);
    set_field(s, *port, &p->buffer, bigger);
  }
  memcpy(bytes_at(p->buffer) + p->fill, bytes, count);
  p->fill += count;
}

void port_put_char(scheme *s, value *port, uint32_t character) {
  unsigned char bytes[4];
  size_t n = utf8_encode(character, bytes);
  port_put(s, port, (const char *)bytes, n);
}

/* What was written to a port in memory. */
value port_string(scheme *s, value port) {
  struct { barrow_frame frame; value port; } r;
  value string;
  const unsigned char *from;
  size_t at, fill, n = 0;
  uint32_t c;
  ENTER(s, r);
  r.port = port;
  from = bytes_at(AS(port, port)->buffer);
  fill = AS(port, port)->fill;
  for (at = 0; at < fill; at += utf8_decode(from + at, fill - at, &c)) n++;
  string = new_bytes(s, &string_info, 4 * n);
  from = bytes_at(AS(port, r.port)->buffer);
  for (at = 0, n = 0; at < fill; n++) {
    at += utf8_decode(from + at, fill - at, &c);
    string_at(string)[n] = c;
  }
  LEAVE(s, r);
  return string;
}
