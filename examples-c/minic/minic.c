/* minic: a compiler for a small strict functional language, with two back ends.
 *
 *   minic c PROGRAM            C, with Barrow's frames
 *   minic frames PROGRAM       LLVM's IR, with Barrow's frames
 *   minic statepoint PROGRAM   LLVM's IR, with statepoints
 *
 * With -p before the program, every function is a cost centre (C only).
 *
 * The language is in README.md. Every value is one tagged word: 2n + 1 is the number n, also a constructor without fields;
 * all else is the address of an object. Each function keeps its values in numbered slots. With frames, the slots are roots;
 * with statepoints, they are LLVM's variables, and LLVM finds out which of them matter at which call. */
#define _POSIX_C_SOURCE 200809L
#include <barrow.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 5, MOST_ITEMS = 4096 };

static void wrong(int line, const char *what, ...) {
  va_list rest;
  va_start(rest, what);
  fprintf(stderr, "minic: line %d: ", line);
  vfprintf(stderr, what, rest);
  fprintf(stderr, "\n");
  exit(1);
}

static void *fresh(size_t bytes) {
  void *at = calloc(1, bytes);
  if (!at) wrong(0, "no memory");
  return at;
}

/* ---- reading: everything is a number, a name, or a list in parentheses -------------------------------------------- */

typedef struct sexp {
  enum { NUMBER, NAME, LIST } kind;
  int line;
  long number;
  char *name;
  int count;
  struct sexp **items;
} sexp;

static const char *at;
static int line = 1;

static void skip(void) {
  for (;; at++) {
    if (*at == '\n') line++;
    if (*at == ';') while (at[1] && at[1] != '\n') at++;
    else if (!isspace((unsigned char)*at)) return;
  }
}

static sexp *read_one(void) {
  sexp *s = fresh(sizeof *s);
  skip();
  s->line = line;
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
  return s;
}

static bool is(const sexp *s, const char *name) { return s->kind == NAME && strcmp(s->name, name) == 0; }
static bool heads(const sexp *s, const char *name) { return s->kind == LIST && s->count && is(s->items[0], name); }
static const char *name_of(const sexp *s) {
  if (s->kind != NAME) wrong(s->line, "a name should stand here");
  return s->name;
}
static void want(const sexp *s, int count, const char *shape) {
  if (s->count != count) wrong(s->line, "this should look like %s", shape);
}

/* ---- what a program defines ------------------------------------------------------------------------------------------ */

typedef struct constructor {
  const char *name;
  int fields, tag; /* the tag is its number in its data type */
  struct constructor *next;
} constructor;

/* A function of the program, or the code of a lambda. */
typedef struct function {
  const char *name; /* as the program says */
  int number, line;
  int arguments; /* names[0..] are the arguments, then, for a lambda, what it closes over */
  int closed;
  const char **names;
  sexp *body;
  bool is_lambda, is_value; /* used as a value, so it needs a closure */
  struct function *next;
} function;

static constructor *constructors;
static function *functions, **last_function = &functions;
static int function_count;

static constructor *find_constructor(const char *name) {
  constructor *c;
  for (c = constructors; c; c = c->next) if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static function *find_function(const char *name) {
  function *f;
  for (f = functions; f; f = f->next) if (!f->is_lambda && strcmp(f->name, name) == 0) return f;
  return NULL;
}

static function *add_function(const char *name, int at_line, int arguments) {
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
static void read_data(sexp *s) {
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
static void read_define(sexp *s) {
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

/* ---- what a lambda closes over ------------------------------------------------------------------------------------------- */

typedef struct scope { const char *name; int slot; struct scope *up; } scope;

static scope *find(scope *where, const char *name) {
  for (; where; where = where->up) if (strcmp(where->name, name) == 0) return where;
  return NULL;
}

/* Adds the names in `s` that `outer` has and `inner` has not. */
static void free_names(sexp *s, scope *inner, scope *outer, function *into) {
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

/* ---- the two back ends: a handful of operations on slots ------------------------------------------------------------- */

static bool to_c, statepoints, profiled;
static const char *source_name;
static FILE *out;          /* the body of the function that is compiled */
static int temporaries, labels;
static const char *word;   /* LLVM's type of a value */

static void emit(const char *what, ...) {
  va_list rest;
  va_start(rest, what);
  vfprintf(out, what, rest);
  va_end(rest);
}

/* LLVM: the value of a slot, in a new temporary; and its bits. */
static int load(int slot) {
  emit("  %%t%d = load %s, ptr %%s%d\n", ++temporaries, word, slot);
  return temporaries;
}
static int bits(int slot) {
  int value = load(slot);
  if (statepoints) emit("  %%t%d = ptrtoint %s %%t%d to i64\n", ++temporaries, word, value);
  return temporaries;
}
static void store(int slot, int value) { emit("  store %s %%t%d, ptr %%s%d\n", word, value, slot); }
static void store_bits(int slot, int value) {
  if (statepoints) {
    emit("  %%t%d = inttoptr i64 %%t%d to %s\n", temporaries + 1, value, word);
    value = ++temporaries;
  }
  store(slot, value);
}

static void op_label(int label) {
  if (to_c) emit("L%d:;\n", label);
  else emit("  br label %%L%d\nL%d:\n", label, label);
}
static void op_jump(int label) {
  if (to_c) emit("  goto L%d;\n", label);
  else emit("  br label %%L%d\nD%d:\n", label, ++labels); /* nothing comes here */
}
static void op_number(int to, long number) {
  if (to_c) emit("  V(%d) = NUMBER(%ldL);\n", to, number);
  else if (statepoints) emit("  store %s inttoptr (i64 %ld to %s), ptr %%s%d\n", word, number * 2 + 1, word, to);
  else emit("  store i64 %ld, ptr %%s%d\n", number * 2 + 1, to);
}
static void op_move(int to, int from) {
  if (to == from) return;
  if (to_c) emit("  V(%d) = V(%d);\n", to, from);
  else store(to, load(from));
}
static void op_unless(int slot, int label) { /* jumps when the number is 0 */
  if (to_c) emit("  if (V(%d) == NUMBER(0)) goto L%d;\n", slot, label);
  else {
    int value = bits(slot), next = ++labels;
    emit("  %%t%d = icmp eq i64 %%t%d, 1\n", ++temporaries, value);
    emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, label, next, next);
  }
}
static void op_fail(const char *why) {
  if (to_c) emit("  minic_fail(%s);\n", why);
  else emit("  call void @minic_fail(i64 %s)\n", why);
}
static void op_arithmetic(int to, const char *op, int a, int b) {
  static const struct { const char *name, *c, *llvm; } known[] = {{"+", "+", "add"}, {"-", "-", "sub"}, {"*", "*", "mul"},
    {"/", "/", "sdiv"}, {"%", "%", "srem"}, {"<", "<", "icmp slt"}, {"=", "==", "icmp eq"}};
  size_t i = 0;
  while (strcmp(known[i].name, op) != 0) i++;
  if (to_c) {
    emit("  CHECK_NUMBERS(V(%d), V(%d)%s);\n", a, b, i == 3 || i == 4 ? ", 1" : ", 0");
    emit("  V(%d) = NUMBER(VALUE(V(%d)) %s VALUE(V(%d)));\n", to, a, known[i].c, b);
  } else {
    int x = bits(a), y = bits(b), fine = ++labels, bad = ++labels, p, q;
    emit("  %%t%d = and i64 %%t%d, %%t%d\n  %%t%d = and i64 %%t%d, 1\n", temporaries + 1, x, y, temporaries + 2, temporaries + 1);
    temporaries += 3;
    emit("  %%t%d = icmp eq i64 %%t%d, 1\n", temporaries, temporaries - 1);
    emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, fine, bad, bad);
    op_fail("0");
    emit("  unreachable\nL%d:\n", fine);
    emit("  %%t%d = ashr i64 %%t%d, 1\n", p = ++temporaries, x);
    emit("  %%t%d = ashr i64 %%t%d, 1\n", q = ++temporaries, y);
    if (i == 3 || i == 4) {
      int divides = ++labels, zero = ++labels;
      emit("  %%t%d = icmp eq i64 %%t%d, 0\n", ++temporaries, q);
      emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, zero, divides, zero);
      op_fail("1");
      emit("  unreachable\nL%d:\n", divides);
    }
    emit("  %%t%d = %s i64 %%t%d, %%t%d\n", ++temporaries, known[i].llvm, p, q);
    if (i >= 5) emit("  %%t%d = zext i1 %%t%d to i64\n", temporaries + 1, temporaries), temporaries++;
    emit("  %%t%d = shl i64 %%t%d, 1\n  %%t%d = or i64 %%t%d, 1\n", temporaries + 1, temporaries, temporaries + 2, temporaries + 1);
    temporaries += 2;
    store_bits(to, temporaries);
  }
}

/* A new object with this info table, and fields from slots. No slot is read before the allocation is over. */
static void op_new(int to, const char *info, int fields, const int *from) {
  int i, words = fields ? fields + 1 : 2;
  if (to_c) {
    emit("  { W *o = barrow_alloc(m, %d); o[0] = (W)&%s;", words, info);
    if (!fields) emit(" o[1] = 1;");
    for (i = 0; i < fields; i++) emit(" o[%d] = V(%d);", i + 1, from[i]);
    emit(" V(%d) = (W)o; }\n", to);
  } else {
    const char *gc = statepoints ? "gc_" : "", *object = statepoints ? word : "ptr";
    int o = ++temporaries;
    emit("  %%t%d = call %s @barrow_%salloc(ptr %%m, i64 %d)\n", o, object, gc, words);
    emit("  call void @barrow_%sset_header(%s %%t%d, ptr @%s)\n", gc, object, o, info);
    if (!fields) emit("  call void @barrow_%sset_word(%s %%t%d, i64 1, i64 1)\n", gc, object, o);
    for (i = 0; i < fields; i++) {
      int value = load(from[i]);
      if (statepoints) emit("  call void @barrow_gc_set(%s %%t%d, i64 %d, %s %%t%d)\n", object, o, i + 1, word, value);
      else emit("  call void @barrow_set_word(ptr %%t%d, i64 %d, i64 %%t%d)\n", o, i + 1, value);
    }
    if (!statepoints) {
      emit("  %%t%d = ptrtoint ptr %%t%d to i64\n", ++temporaries, o);
      o = temporaries;
    }
    store(to, o);
  }
}
/* LLVM: the address of an object, as its forms want it. */
static int object(int slot) {
  int value = load(slot);
  if (!statepoints) emit("  %%t%d = inttoptr i64 %%t%d to ptr\n", ++temporaries, value);
  return temporaries;
}
static void op_field(int to, int from, int field) {
  if (to_c) emit("  V(%d) = ((W *)V(%d))[%d];\n", to, from, field + 1);
  else {
    int o = object(from);
    if (statepoints) emit("  %%t%d = call %s @barrow_gc_get(%s %%t%d, i64 %d)\n", ++temporaries, word, word, o, field + 1);
    else emit("  %%t%d = call i64 @barrow_get_word(ptr %%t%d, i64 %d)\n", ++temporaries, o, field + 1);
    store(to, temporaries);
  }
}
/* Jumps when the value was not made by this constructor. */
static void op_unless_made_by(int slot, const constructor *c, int label) {
  int next = ++labels, value;
  if (to_c) {
    if (!c->fields) emit("  if (V(%d) != NUMBER(%d)) goto L%d;\n", slot, c->tag, label);
    else emit("  if ((V(%d) & 1) || barrow_info_of((void *)V(%d)) != &data_%s) goto L%d;\n", slot, slot, c->name, label);
    return;
  }
  value = bits(slot);
  if (!c->fields) {
    emit("  %%t%d = icmp ne i64 %%t%d, %d\n", ++temporaries, value, c->tag * 2 + 1);
  } else {
    int o, inside = ++labels;
    emit("  %%t%d = trunc i64 %%t%d to i1\n", ++temporaries, value);
    emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, label, inside, inside);
    o = object(slot);
    emit("  %%t%d = call i64 @barrow_%sget_word(%s %%t%d, i64 0)\n", ++temporaries, statepoints ? "gc_" : "", statepoints ? word : "ptr", o);
    emit("  %%t%d = and i64 %%t%d, -8\n", temporaries + 1, temporaries);
    temporaries += 2;
    emit("  %%t%d = icmp ne i64 %%t%d, ptrtoint (ptr @data_%s to i64)\n", temporaries, temporaries - 1, c->name);
  }
  emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, label, next, next);
}
static void op_call(int to, const function *f, const int *from) {
  int i, value[MOST_ARGUMENTS];
  if (to_c) {
    emit("  V(%d) = f%d(m", to, f->number);
    for (i = 0; i < f->arguments; i++) emit(", V(%d)", from[i]);
    emit(");\n");
    return;
  }
  for (i = 0; i < f->arguments; i++) value[i] = load(from[i]);
  emit("  %%t%d = call %s @f%d(ptr %%m", ++temporaries, word, f->number);
  for (i = 0; i < f->arguments; i++) emit(", %s %%t%d", word, value[i]);
  emit(")\n");
  store(to, temporaries);
}
/* Calls what a closure's info table names, with the closure, the number of arguments, and them. */
static void op_apply(int to, int closure, int arguments, const int *from) {
  int i, o, entry, value[MOST_ARGUMENTS];
  if (to_c) {
    emit("  V(%d) = ((W (*)(barrow_mutator *, W, W", to);
    for (i = 0; i < arguments; i++) emit(", W");
    emit("))minic_entry(V(%d)))(m, V(%d), %d", closure, closure, arguments);
    for (i = 0; i < arguments; i++) emit(", V(%d)", from[i]);
    emit(");\n");
    return;
  }
  o = load(closure);
  emit("  %%t%d = call ptr @minic_entry(%s %%t%d)\n", entry = ++temporaries, word, o);
  for (i = 0; i < arguments; i++) value[i] = load(from[i]);
  emit("  %%t%d = call %s %%t%d(ptr %%m, %s %%t%d, i64 %d", ++temporaries, word, entry, word, o, arguments);
  for (i = 0; i < arguments; i++) emit(", %s %%t%d", word, value[i]);
  emit(")\n");
  store(to, temporaries);
}
/* A function of the runtime that never collects. */
static void op_leaf(int to, const char *name, int arguments, const int *from) {
  int i, value[MOST_ARGUMENTS];
  if (to_c) {
    emit("  V(%d) = minic_%s(m", to, name);
    for (i = 0; i < arguments; i++) emit(", V(%d)", from[i]);
    emit(");\n");
    return;
  }
  for (i = 0; i < arguments; i++) value[i] = load(from[i]);
  emit("  %%t%d = call %s @minic_%s(ptr %%m", ++temporaries, word, name);
  for (i = 0; i < arguments; i++) emit(", %s %%t%d", word, value[i]);
  emit(")\n");
  store(to, temporaries);
}
/* A new array: C allocates it, so compiled code with stack maps leaves by the gate. */
static void op_array(int to, int length, int value) {
  int n, v;
  if (to_c) {
    emit("  V(%d) = minic_array(m, V(%d), V(%d));\n", to, length, value);
    return;
  }
  n = bits(length);
  v = bits(value);
  if (statepoints) emit("  %%t%d = call i64 @barrow_gc_call(ptr %%m, ptr @minic_array, i64 %%t%d, i64 %%t%d)\n", ++temporaries, n, v);
  else emit("  %%t%d = call i64 @minic_array(ptr %%m, i64 %%t%d, i64 %%t%d)\n", ++temporaries, n, v);
  store_bits(to, temporaries);
}
static void op_return(int slot) {
  if (to_c) emit("  LEAVE(V(%d));\n", slot);
  else {
    int value = load(slot);
    if (!statepoints) emit("  call void @barrow_frame_pop(ptr %%m, ptr %%frame)\n");
    emit("  ret %s %%t%d\nD%d:\n", word, value, ++labels);
  }
}

/* ---- expressions --------------------------------------------------------------------------------------------------------- */

static function *current;
static int slots, most_slots, start;

static int new_slot(void) {
  if (++slots > most_slots) most_slots = slots;
  return slots - 1;
}

static void compile(sexp *s, scope *where, int to, bool tail);

/* Where the value is: a variable's own slot, or a new one. */
static int compile_somewhere(sexp *s, scope *where) {
  scope *variable = s->kind == NAME ? find(where, s->name) : NULL;
  int slot;
  if (variable) return variable->slot;
  slot = new_slot();
  compile(s, where, slot, false);
  return slot;
}

static void compile_body(sexp **items, int count, scope *where, int to, bool tail) {
  int i;
  for (i = 0; i + 1 < count; i++) compile(items[i], where, to, false);
  compile(items[count - 1], where, to, tail);
}

static void compile_lambda(sexp *s, scope *where, int to) {
  function *f;
  char info[40];
  int i, from[256];
  scope names[MOST_ARGUMENTS + 1], *inner = NULL;
  if (s->count < 3 || s->items[1]->kind != LIST) wrong(s->line, "this should look like (lambda (argument...) body)");
  f = add_function("lambda", s->line, s->items[1]->count);
  f->is_lambda = true;
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
    compile(arm->items[1], inner, to, tail);
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

static void compile(sexp *s, scope *where, int to, bool tail) {
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
    compile(s->items[2], where, here.slot, false);
    compile(s->items[3], &here, to, tail);
  } else if (heads(s, "if")) {
    int otherwise = ++labels, end = ++labels, slot;
    want(s, 4, "(if condition then else)");
    slot = compile_somewhere(s->items[1], where);
    op_unless(slot, otherwise);
    compile(s->items[2], where, to, tail);
    op_jump(end);
    op_label(otherwise);
    compile(s->items[3], where, to, tail);
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

/* ---- functions and programs ------------------------------------------------------------------------------------------------ */

static FILE *made; /* where the result goes */

static void say(const char *what, ...) {
  va_list rest;
  va_start(rest, what);
  vfprintf(made, what, rest);
  va_end(rest);
}

static void print_string(const char *text, FILE *to) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ') fprintf(to, to_c ? "\\%03o" : "\\%02X", (unsigned char)*text);
    else fputc(*text, to);
  }
}

/* The info table of a kind of object: `entry` is the code of a closure. */
static void info(const char *table, const char *shown, int fields, int at_line, const char *entry) {
  char source[300];
  sprintf(source, "%.250s:%d", source_name, at_line);
  if (to_c) {
    say("static const barrow_names %s_names = {\"", table);
    print_string(shown, made);
    say("\", \"%s\", \"Main\", \"", entry ? "closure" : "data");
    print_string(source, made);
    say("\"};\nstatic barrow_info %s = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, (void (*)(void))%s, BARROW_TAGGED, 0, 0, %d, 0, 0, 0, 0, 0, 0, &%s_names};\n",
           table, entry ? entry : "0", fields ? fields : 1, table);
  } else {
    const char *texts[4];
    int i;
    texts[0] = shown;
    texts[1] = entry ? "closure" : "data";
    texts[2] = "Main";
    texts[3] = source;
    for (i = 0; i < 4; i++) {
      say("@%s_text%d = private constant [%d x i8] c\"", table, i, (int)strlen(texts[i]) + 1);
      print_string(texts[i], made);
      say("\\00\"\n");
    }
    say("@%s_names = private constant [4 x ptr] [ptr @%s_text0, ptr @%s_text1, ptr @%s_text2, ptr @%s_text3]\n", table, table, table, table, table);
    say("@%s = internal global %%info { i16 %d, i16 %d, i32 0, ptr %s%s, i8 %d, i8 0, i16 0, i32 %d, i32 0, i32 0, i64 0, ptr null, ptr null, ptr null, ptr @%s_names }, align 8\n",
           table, (int)sizeof(barrow_info), BARROW_INFO_VERSION, entry ? "@" : "null", entry ? entry : "", BARROW_TAGGED, fields ? fields : 1, table);
  }
}

static void c_head(const function *f) {
  int i;
  say("static W %s%d(barrow_mutator *m", f->is_lambda ? "code" : "f", f->number);
  if (f->is_lambda) say(", W self, W count");
  for (i = 0; i < f->arguments; i++) say(", W a%d", i);
  say(")");
}

static void compile_function(function *f) {
  scope names[256], *where = NULL;
  char *text = NULL;
  size_t length = 0;
  int i, result, all = f->arguments + f->closed, self;
  current = f->is_lambda ? NULL : f;
  slots = most_slots = temporaries = labels = 0;
  out = open_memstream(&text, &length);
  for (i = 0; i < all; i++) {
    names[i].name = f->names[i];
    names[i].slot = new_slot();
    names[i].up = where;
    where = &names[i];
  }
  self = f->is_lambda ? new_slot() : 0;
  for (i = 0; i < f->closed; i++) op_field(f->arguments + i, self, i);
  start = ++labels;
  op_label(start);
  result = new_slot();
  if (f->is_lambda) compile_body(f->body->items + 2, f->body->count - 2, where, result, true);
  else compile(f->body, where, result, true);
  op_return(result);
  fclose(out);
  if (to_c) {
    say("\n/* %s, line %d */\n", f->name, f->line);
    if (profiled) say("static barrow_cc cc_%d = BARROW_CC(\"%s\", \"Main\", \"%s:%d\");\n", f->number, f->name, source_name, f->line);
    c_head(f);
    say(" {\n  ENTER(%d);\n", most_slots);
    if (profiled) say("  CENTRE(cc_%d);\n", f->number);
    if (f->is_lambda) say("  if (count != %d) minic_fail(3);\n  V(%d) = self;\n", f->arguments, self);
    for (i = 0; i < f->arguments; i++) say("  V(%d) = a%d;\n", i, i);
    say("%s}\n", text);
  } else {
    say("\n; %s, line %d\ndefine internal %s @%s%d(ptr %%m", f->name, f->line, word, f->is_lambda ? "code" : "f", f->number);
    if (f->is_lambda) say(", %s %%self, i64 %%count", word);
    for (i = 0; i < f->arguments; i++) say(", %s %%a%d", word, i);
    say(") %s{\n", statepoints ? "#0 gc \"statepoint-example\" " : "");
    if (!statepoints) say("  %%frame = alloca [%d x i64], align 8\n", most_slots + 2);
    for (i = 0; i < most_slots; i++) {
      if (statepoints) say("  %%s%d = alloca %s\n  store %s inttoptr (i64 1 to %s), ptr %%s%d\n", i, word, word, word, i);
      else say("  %%s%d = getelementptr i64, ptr %%frame, i64 %d\n  store i64 1, ptr %%s%d\n", i, i + 2, i);
    }
    if (!statepoints) say("  call void @barrow_frame_push(ptr %%m, ptr %%frame, i64 %lld)\n", (long long)most_slots | (long long)((unsigned long long)1 << 63));
    if (f->is_lambda) {
      say("  %%right = icmp eq i64 %%count, %d\n  br i1 %%right, label %%fine, label %%bad\nbad:\n  call void @minic_fail(i64 3)\n  unreachable\nfine:\n", f->arguments);
      say("  store %s %%self, ptr %%s%d\n", word, self);
    }
    for (i = 0; i < f->arguments; i++) say("  store %s %%a%d, ptr %%s%d\n", word, i, i);
    say("%s  unreachable\n}\n", text);
  }
  free(text);
}

/* The code of a closure for a function of the program. */
static void compile_wrapper(const function *f) {
  int i;
  if (to_c) {
    say("\nstatic W code%d(barrow_mutator *m, W self, W count", f->number);
    for (i = 0; i < f->arguments; i++) say(", W a%d", i);
    say(") {\n  (void)self;\n  if (count != %d) minic_fail(3);\n  return f%d(m", f->arguments, f->number);
    for (i = 0; i < f->arguments; i++) say(", a%d", i);
    say(");\n}\n");
  } else {
    say("\ndefine internal %s @code%d(ptr %%m, %s %%self, i64 %%count", word, f->number, word);
    for (i = 0; i < f->arguments; i++) say(", %s %%a%d", word, i);
    say(") %s{\n  %%right = icmp eq i64 %%count, %d\n", statepoints ? "#0 gc \"statepoint-example\" " : "", f->arguments);
    say("  br i1 %%right, label %%fine, label %%bad\nbad:\n  call void @minic_fail(i64 3)\n  unreachable\nfine:\n");
    say("  %%result = call %s @f%d(ptr %%m", word, f->number);
    for (i = 0; i < f->arguments; i++) say(", %s %%a%d", word, i);
    say(")\n  ret %s %%result\n}\n", word);
  }
}

static void llvm_declarations(void) {
  const char *gc = statepoints ? "gc_" : "", *o = statepoints ? word : "ptr", *leaf = statepoints ? " #1" : "";
  say("%%info = type { i16, i16, i32, ptr, i8, i8, i16, i32, i32, i32, i64, ptr, ptr, ptr, ptr }\n\n");
  say("declare %s @barrow_%salloc(ptr, i64)\ndeclare void @barrow_%sset_header(%s, ptr)\n", o, gc, gc, o);
  say("declare void @barrow_%sset_word(%s, i64, i64)\ndeclare i64 @barrow_%sget_word(%s, i64)\n", gc, o, gc, o);
  if (statepoints) say("declare void @barrow_gc_set(%s, i64, %s)\ndeclare %s @barrow_gc_get(%s, i64)\ndeclare i64 @barrow_gc_call(ptr, ptr, i64, i64)\n", o, o, o, o);
  else say("declare void @barrow_frame_push(ptr, ptr, i64)\ndeclare void @barrow_frame_pop(ptr, ptr)\n");
  say("declare void @minic_fail(i64) noreturn%s\ndeclare i64 @minic_array(ptr, i64, i64)\n", leaf);
  say("declare ptr @minic_entry(%s)%s\n", word, leaf);
  say("declare %s @minic_get(ptr, %s, %s)%s\ndeclare %s @minic_set(ptr, %s, %s, %s)%s\n", word, word, word, leaf, word, word, word, word, leaf);
  say("declare %s @minic_length(ptr, %s)%s\ndeclare %s @minic_print(ptr, %s)%s\n", word, word, leaf, word, word, leaf);
  say("declare %s @minic_put(ptr, %s)%s\ndeclare %s @minic_read(ptr)%s\n\n", word, word, leaf, word, leaf);
}

int main(int argc, char **argv) {
  FILE *file;
  char *text;
  size_t length;
  function *f, *first;
  constructor *c;
  char *body = NULL;
  if (argc > 2 && strcmp(argv[1], "-p") == 0) profiled = true, argc--, argv++;
  if (argc != 3) return fprintf(stderr, "minic [-p] c|frames|statepoint PROGRAM\n"), 2;
  to_c = strcmp(argv[1], "c") == 0;
  statepoints = strcmp(argv[1], "statepoint") == 0;
  if (!to_c && !statepoints && strcmp(argv[1], "frames") != 0) return fprintf(stderr, "minic: no such output: %s\n", argv[1]), 2;
  word = statepoints ? "ptr addrspace(1)" : "i64";
  source_name = argv[2];
  file = fopen(argv[2], "rb");
  if (!file) return perror(argv[2]), 1;
  text = fresh(1 << 20);
  length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  text[length] = 0;
  at = text;
  for (skip(); *at; skip()) {
    sexp *s = read_one();
    if (heads(s, "data")) read_data(s);
    else if (heads(s, "define")) read_define(s);
    else wrong(s->line, "a program has (data ...) and (define ...)");
  }
  f = find_function("main");
  if (!f || f->arguments) wrong(line, "a program has a function (main)");

  /* Lambdas are added while functions are compiled; what describes them all comes before the code. */
  made = open_memstream(&body, &length);
  for (f = functions; f; f = f->next) compile_function(f);
  for (f = functions; f; f = f->next) if (f->is_value) compile_wrapper(f);
  fclose(made);
  made = stdout;
  first = functions;
  if (to_c) {
    say("/* Made by minic from %s. */\n#include \"minic.h\"\n\n", source_name);
    for (f = first; f; f = f->next) {
      c_head(f);
      say(";\n");
      if (f->is_value) {
        int i;
        say("static W code%d(barrow_mutator *m, W self, W count", f->number);
        for (i = 0; i < f->arguments; i++) say(", W a%d", i);
        say(");\n");
      }
    }
  } else {
    say("; Made by minic from %s.\n\n", source_name);
    llvm_declarations();
  }
  for (c = constructors; c; c = c->next) {
    char table[300];
    sprintf(table, "data_%.200s", c->name);
    if (c->fields) info(table, c->name, c->fields, 1, NULL);
  }
  for (f = first; f; f = f->next) {
    char table[40], code[40];
    sprintf(table, "code_%d", f->number);
    sprintf(code, "code%d", f->number);
    if (f->is_lambda || f->is_value) info(table, f->name, f->closed, f->line, code);
  }
  fputs(body, made);
  f = find_function("main");
  if (to_c) {
    say("\nsize_t minic_main(barrow_mutator *m, size_t a, size_t b, size_t c) {\n  (void)a, (void)b, (void)c;\n  return f%d(m);\n}\n", f->number);
  } else {
    say("\ndefine i64 @minic_main(ptr %%m, i64 %%a, i64 %%b, i64 %%c) %s{\n  %%result = call %s @f%d(ptr %%m)\n", statepoints ? "#0 gc \"statepoint-example\" " : "", word, f->number);
    if (statepoints) say("  %%bits = ptrtoint %s %%result to i64\n  ret i64 %%bits\n}\n", word);
    else say("  ret i64 %%result\n}\n");
    if (statepoints) say("\nattributes #0 = { \"frame-pointer\"=\"all\" }\nattributes #1 = { \"gc-leaf-function\" }\n");
  }
  return fflush(stdout) != 0;
}
