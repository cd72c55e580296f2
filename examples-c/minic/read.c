/* Reading: a program's text becomes numbers, names, and lists in parentheses. And how the compiler complains. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void wrong(int line, const char *what, ...) {
  va_list rest;
  va_start(rest, what);
  fprintf(stderr, "minic: line %d: ", line);
  vfprintf(stderr, what, rest);
  fprintf(stderr, "\n");
  exit(1);
}

void *fresh(size_t bytes) {
  void *at = calloc(1, bytes);
  if (!at) wrong(0, "no memory");
  return at;
}

const char *at;
int line = 1;
static const char *line_start;

/* The column of a place in the current line, as editors count: in characters of UTF-8, with tab stops every 8. */
static int column_of(const char *place) {
  int column = 1;
  const char *p;
  for (p = line_start; p < place; p++) {
    if (*p == '\t') column += 8 - (column - 1) % 8;
    else if (((unsigned char)*p & 0xc0) != 0x80) column++;
  }
  return column;
}

void skip(void) {
  if (!line_start) line_start = at;
  for (;; at++) {
    if (*at == '\n') line++, line_start = at + 1;
    if (*at == ';') while (at[1] && at[1] != '\n') at++;
    else if (!isspace((unsigned char)*at)) return;
  }
}

sexp *read_one(void) {
  sexp *s = fresh(sizeof *s);
  skip();
  s->line = line;
  s->column = column_of(at);
  if (*at == '(') {
    sexp *items[MOST_ITEMS];
    s->kind = LIST;
    for (at++, skip(); *at != ')'; skip()) {
      if (!*at) wrong(s->line, "this parenthesis is never closed");
      if (s->count == MOST_ITEMS) wrong(s->line, "too long a list");
      items[s->count++] = read_one();
    }
    at++;
    s->items = fresh(sizeof *items * (size_t)(s->count + 1));
    memcpy(s->items, items, sizeof *items * (size_t)s->count);
  } else {
    const char *from = at;
    char *end;
    while (*at && !isspace((unsigned char)*at) && *at != '(' && *at != ')' && *at != ';') at++;
    if (at == from) wrong(line, "a parenthesis is closed that was not opened");
    s->name = fresh((size_t)(at - from) + 1);
    memcpy(s->name, from, (size_t)(at - from));
    s->number = strtol(s->name, &end, 10);
    s->kind = *end ? NAME : NUMBER;
  }
  s->last_line = line;
  s->last_column = column_of(at) - 1;
  return s;
}

static bool is(const sexp *s, const char *name) { return s->kind == NAME && strcmp(s->name, name) == 0; }
bool heads(const sexp *s, const char *name) { return s->kind == LIST && s->count && is(s->items[0], name); }
const char *name_of(const sexp *s) {
  if (s->kind != NAME) wrong(s->line, "a name should stand here");
  return s->name;
}
void want(const sexp *s, int count, const char *shape) {
  if (s->count != count) wrong(s->line, "this should look like %s", shape);
}
