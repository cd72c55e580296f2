/* Expressions become operations. Nothing here knows which back end writes them. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <string.h>

function *current;
int slots, most_slots, start;

int new_slot(void) {
  if (++slots > most_slots) most_slots = slots;
  return slots - 1;
}


/* An expression that is reached is counted, and so is an alternative, whatever it is. Names and numbers alone are not. */
static void reached(barrow_box_kind kind, const sexp *s) {
  if (covered && (s->kind == LIST || kind != BARROW_BOX_EXPRESSION)) op_count(count_here(kind, s, NULL));
}
static void compile_counted(barrow_box_kind kind, sexp *s, scope *where, int to, bool tail) {
  reached(kind, s);
  compile(s, where, to, tail);
}

/* Where the value is: a variable's own slot, or a new one. */
static int compile_uncounted(sexp *s, scope *where) {
  scope *variable = s->kind == NAME ? find(where, s->name) : NULL;
  int slot;
  if (variable) return variable->slot;
  slot = new_slot();
  compile(s, where, slot, false);
  return slot;
}
static int compile_somewhere(sexp *s, scope *where) {
  reached(BARROW_BOX_EXPRESSION, s);
  return compile_uncounted(s, where);
}

void compile_body(sexp **items, int length, scope *where, int to, bool tail) {
  int i;
  for (i = 0; i + 1 < length; i++) compile_counted(BARROW_BOX_EXPRESSION, items[i], where, to, false);
  compile_counted(BARROW_BOX_EXPRESSION, items[length - 1], where, to, tail);
}

static void compile_lambda(sexp *s, scope *where, int to) {
  function *f;
  char info[40];
  int i, from[256];
  scope names[MOST_ARGUMENTS + 1], *inner = NULL;
  if (s->count < 3 || s->items[1]->kind != LIST) wrong(s->line, "this should look like (lambda (argument...) body)");
  f = add_function("lambda", s->line, s->items[1]->count);
  f->is_lambda = true;
  f->outer = current;
  for (i = 0; i < f->arguments; i++) {
    names[i].name = f->names[i] = name_of(s->items[1]->items[i]);
    names[i].up = inner;
    inner = &names[i];
  }
  f->body = s;
  for (i = 2; i < s->count; i++) free_names(s->items[i], inner, where, f);
  for (i = 0; i < f->closed; i++) from[i] = find(where, f->names[f->arguments + i])->slot;
  sprintf(info, "code_%d", f->number);
  op_new(to, info, f->closed, from);
}

static void compile_match(sexp *s, scope *where, int to, bool tail) {
  int value, end = ++labels, i, k;
  if (s->count < 3) wrong(s->line, "this should look like (match value ((Constructor field...) result)...)");
  value = compile_somewhere(s->items[1], where);
  for (i = 2; i < s->count; i++) {
    sexp *arm = s->items[i], *pattern = arm->kind == LIST && arm->count == 2 ? arm->items[0] : NULL;
    int next = ++labels, kept = slots;
    scope fields[256], *inner = where;
    if (!pattern) wrong(arm->line, "this should look like ((Constructor field...) result)");
    if (pattern->kind == NAME) { /* everything else, by this name */
      fields[0].name = pattern->name;
      fields[0].slot = value;
      fields[0].up = where;
      inner = fields;
    } else {
      constructor *c = pattern->count ? find_constructor(name_of(pattern->items[0])) : NULL;
      if (!c) wrong(pattern->line, "no data type has such a constructor");
      want(pattern, c->fields + 1, "the constructor's definition");
      op_unless_made_by(value, c, next);
      for (k = 0; k < c->fields; k++) {
        fields[k].name = name_of(pattern->items[k + 1]);
        fields[k].slot = new_slot();
        fields[k].up = inner;
        inner = &fields[k];
        op_field(fields[k].slot, value, k);
      }
    }
    compile_counted(BARROW_BOX_ALTERNATIVE, arm->items[1], inner, to, tail);
    op_jump(end);
    op_label(next);
    slots = kept;
  }
  op_fail("2");
  op_jump(end);
  op_label(end);
}

static void compile_call(sexp *s, scope *where, int to, bool tail) {
  const char *name = s->items[0]->kind == NAME ? s->items[0]->name : "";
  function *f = find(where, name) ? NULL : find_function(name);
  constructor *c = find(where, name) || f ? NULL : find_constructor(name);
  int i, count = s->count - 1, from[256], closure = 0;
  char info[300];
  if (count > (c ? 200 : MOST_ARGUMENTS)) wrong(s->line, "too many arguments");
  if (!f && !c) closure = compile_somewhere(s->items[0], where);
  for (i = 0; i < count; i++) from[i] = compile_somewhere(s->items[i + 1], where);
  if (c) {
    if (count != c->fields) wrong(s->line, "%s has %d fields", name, c->fields);
    sprintf(info, "data_%.200s", c->name);
    if (c->fields) op_new(to, info, count, from);
    else op_number(to, c->tag);
  } else if (!f) {
    op_apply(to, closure, count, from);
  } else {
    if (count != f->arguments) wrong(s->line, "%s has %d arguments", name, f->arguments);
    if (tail && f == current) { /* a loop; no argument is overwritten before all are there */
      int moved[MOST_ARGUMENTS];
      for (i = 0; i < count; i++) op_move(moved[i] = new_slot(), from[i]);
      for (i = 0; i < count; i++) op_move(i, moved[i]);
      op_jump(start);
    } else {
      op_call(to, f, from);
    }
  }
}

static bool compile_primitive(sexp *s, scope *where, int to) {
  static const struct { const char *name, *leaf; int arguments; } leaves[] = {{"get", "get", 2}, {"set", "set", 3},
    {"length", "length", 1}, {"print", "print", 1}, {"put", "put", 1}, {"read", "read", 0}};
  const char *name = s->items[0]->kind == NAME ? s->items[0]->name : "";
  int i, from[MOST_ARGUMENTS];
  size_t k;
  if (find(where, name) || find_function(name)) return false;
  if (strlen(name) == 1 && strchr("+-*/%<=", *name)) {
    want(s, 3, "(operation number number)");
    for (i = 0; i < 2; i++) from[i] = compile_somewhere(s->items[i + 1], where);
    op_arithmetic(to, name, from[0], from[1]);
    return true;
  }
  if (strcmp(name, "array") == 0) {
    want(s, 3, "(array length value)");
    for (i = 0; i < 2; i++) from[i] = compile_somewhere(s->items[i + 1], where);
    op_array(to, from[0], from[1]);
    return true;
  }
  for (k = 0; k < sizeof leaves / sizeof *leaves; k++) {
    if (strcmp(name, leaves[k].name) != 0) continue;
    if (s->count != leaves[k].arguments + 1) wrong(s->line, "%s has %d arguments", name, leaves[k].arguments);
    for (i = 1; i < s->count; i++) from[i - 1] = compile_somewhere(s->items[i], where);
    op_leaf(to, leaves[k].leaf, s->count - 1, from);
    return true;
  }
  return false;
}

void compile(sexp *s, scope *where, int to, bool tail) {
  int kept = slots;
  if (s->kind == NUMBER) {
    op_number(to, s->number);
  } else if (s->kind == NAME) {
    scope *variable = find(where, s->name);
    function *f = variable ? NULL : find_function(s->name);
    char info[40];
    if (variable) op_move(to, variable->slot);
    else if (f) {
      f->is_value = true;
      sprintf(info, "code_%d", f->number);
      op_new(to, info, 0, NULL);
    } else wrong(s->line, "%s is not known", s->name);
  } else if (!s->count) {
    wrong(s->line, "nothing stands in these parentheses");
  } else if (heads(s, "let")) {
    scope here;
    want(s, 4, "(let name value result)");
    here.name = name_of(s->items[1]);
    here.slot = new_slot();
    here.up = where;
    compile_counted(BARROW_BOX_EXPRESSION, s->items[2], where, here.slot, false);
    compile_counted(BARROW_BOX_EXPRESSION, s->items[3], &here, to, tail);
  } else if (heads(s, "if")) {
    int otherwise = ++labels, end = ++labels, slot;
    size_t decision = 0;
    want(s, 4, "(if condition then else)");
    slot = compile_uncounted(s->items[1], where);
    if (covered) decision = count_here(BARROW_BOX_CONDITION, s->items[1], NULL);
    op_unless(slot, otherwise);
    if (covered) op_count(decision);
    compile_counted(BARROW_BOX_ALTERNATIVE, s->items[2], where, to, tail);
    op_jump(end);
    op_label(otherwise);
    if (covered) op_count(decision + 1);
    compile_counted(BARROW_BOX_ALTERNATIVE, s->items[3], where, to, tail);
    op_jump(end);
    op_label(end);
  } else if (heads(s, "begin")) {
    if (s->count < 2) wrong(s->line, "nothing follows");
    compile_body(s->items + 1, s->count - 1, where, to, tail);
  } else if (heads(s, "lambda")) {
    compile_lambda(s, where, to);
  } else if (heads(s, "match")) {
    compile_match(s, where, to, tail);
  } else if (!compile_primitive(s, where, to)) {
    compile_call(s, where, to, tail);
  }
  slots = kept;
}
