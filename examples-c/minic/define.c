/* What a program defines: data types and functions; and what a lambda closes over. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <string.h>

constructor *constructors;
function *functions, **last_function = &functions;
static int function_count;

constructor *find_constructor(const char *name) {
  constructor *c;
  for (c = constructors; c; c = c->next) if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

function *find_function(const char *name) {
  function *f;
  for (f = functions; f; f = f->next) if (!f->is_lambda && strcmp(f->name, name) == 0) return f;
  return NULL;
}

function *add_function(const char *name, int at_line, int arguments) {
  function *f = fresh(sizeof *f);
  f->name = name;
  f->line = at_line;
  f->number = function_count++;
  f->arguments = arguments;
  if (arguments > MOST_ARGUMENTS) wrong(at_line, "%s has more than %d arguments", name, MOST_ARGUMENTS);
  f->names = fresh(sizeof *f->names * 256);
  *last_function = f;
  last_function = &f->next;
  return f;
}

/* (data (Nil) (Cons head tail)) */
void read_data(sexp *s) {
  int i;
  for (i = 1; i < s->count; i++) {
    constructor *c = fresh(sizeof *c);
    if (s->items[i]->kind != LIST || !s->items[i]->count) wrong(s->items[i]->line, "a constructor stands in parentheses");
    c->name = name_of(s->items[i]->items[0]);
    c->fields = s->items[i]->count - 1;
    c->tag = i - 1;
    if (c->fields > 200) wrong(s->line, "%s has too many fields", c->name);
    if (find_constructor(c->name)) wrong(s->line, "%s is defined twice", c->name);
    c->next = constructors;
    constructors = c;
  }
}

/* (define (f x y) body...) */
void read_define(sexp *s) {
  sexp *head = s->count > 2 ? s->items[1] : NULL;
  function *f;
  int i;
  if (!head || head->kind != LIST || !head->count) wrong(s->line, "this should look like (define (name argument...) body)");
  if (find_function(name_of(head->items[0]))) wrong(s->line, "%s is defined twice", head->items[0]->name);
  f = add_function(name_of(head->items[0]), s->line, head->count - 1);
  for (i = 1; i < head->count; i++) f->names[i - 1] = name_of(head->items[i]);
  s->items[1] = s->items[0];
  s->items++;
  s->count--;
  s->items[0] = fresh(sizeof *s);
  s->items[0]->kind = NAME;
  s->items[0]->name = "begin";
  f->body = s;
}

scope *find(scope *where, const char *name) {
  for (; where; where = where->up) if (strcmp(where->name, name) == 0) return where;
  return NULL;
}

/* Adds the names in `s` that `outer` has and `inner` has not. */
void free_names(sexp *s, scope *inner, scope *outer, function *into) {
  int i, from = 0;
  if (s->kind == NAME) {
    if (find(inner, s->name) || !find(outer, s->name)) return;
    for (i = 0; i < into->closed; i++) if (strcmp(into->names[into->arguments + i], s->name) == 0) return;
    if (into->closed == 200) wrong(s->line, "this function closes over too much");
    into->names[into->arguments + into->closed++] = s->name;
  } else if (heads(s, "let") && s->count == 4) {
    scope here = {name_of(s->items[1]), 0, inner};
    free_names(s->items[2], inner, outer, into);
    free_names(s->items[3], &here, outer, into);
  } else if (heads(s, "lambda") && s->count >= 3 && s->items[1]->kind == LIST) {
    scope here[MOST_ARGUMENTS + 1];
    if (s->items[1]->count > MOST_ARGUMENTS) wrong(s->line, "too many arguments");
    for (i = 0; i < s->items[1]->count; i++) {
      here[i].name = name_of(s->items[1]->items[i]);
      here[i].up = inner;
      inner = &here[i];
    }
    for (i = 2; i < s->count; i++) free_names(s->items[i], inner, outer, into);
  } else if (heads(s, "match") && s->count >= 3) {
    free_names(s->items[1], inner, outer, into);
    for (i = 2; i < s->count; i++) {
      sexp *arm = s->items[i];
      if (arm->kind == LIST && arm->count == 2) {
        scope here[256], *in = inner;
        int k, count = arm->items[0]->kind == LIST ? arm->items[0]->count : 0;
        for (k = 1; k < count && k < 256; k++) {
          here[k].name = name_of(arm->items[0]->items[k]);
          here[k].up = in;
          in = &here[k];
        }
        free_names(arm->items[1], in, outer, into);
      }
    }
  } else if (s->kind == LIST) {
    for (i = from; i < s->count; i++) free_names(s->items[i], inner, outer, into);
  }
}
