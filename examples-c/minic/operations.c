/* The two back ends side by side: a handful of operations on slots, each as C and as LLVM's IR. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <stdarg.h>
#include <string.h>

bool to_c, statepoints, profiled;
const char *source_name;
FILE *out;          /* the body of the function that is compiled */
int temporaries, labels;
const char *word;   /* LLVM's type of a value */

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

/* One more at this box. */
void op_count(size_t box) {
  if (to_c) emit("  BARROW_TICK(counters, %zu);\n", box);
  else {
    emit("  %%t%d = load i64, ptr getelementptr (i64, ptr @counters, i64 %zu)\n", temporaries + 1, box);
    emit("  %%t%d = add i64 %%t%d, 1\n", temporaries + 2, temporaries + 1);
    emit("  store i64 %%t%d, ptr getelementptr (i64, ptr @counters, i64 %zu)\n", temporaries += 2, box);
  }
}
void op_label(int label) {
  if (to_c) emit("L%d:;\n", label);
  else emit("  br label %%L%d\nL%d:\n", label, label);
}
void op_jump(int label) {
  if (to_c) emit("  goto L%d;\n", label);
  else emit("  br label %%L%d\nD%d:\n", label, ++labels); /* nothing comes here */
}
void op_number(int to, long number) {
  if (to_c) emit("  V(%d) = NUMBER(%ldL);\n", to, number);
  else if (statepoints) emit("  store %s inttoptr (i64 %ld to %s), ptr %%s%d\n", word, number * 2 + 1, word, to);
  else emit("  store i64 %ld, ptr %%s%d\n", number * 2 + 1, to);
}
void op_move(int to, int from) {
  if (to == from) return;
  if (to_c) emit("  V(%d) = V(%d);\n", to, from);
  else store(to, load(from));
}
void op_unless(int slot, int label) { /* jumps when the number is 0 */
  if (to_c) emit("  if (V(%d) == NUMBER(0)) goto L%d;\n", slot, label);
  else {
    int value = bits(slot), next = ++labels;
    emit("  %%t%d = icmp eq i64 %%t%d, 1\n", ++temporaries, value);
    emit("  br i1 %%t%d, label %%L%d, label %%L%d\nL%d:\n", temporaries, label, next, next);
  }
}
void op_fail(const char *why) {
  if (to_c) emit("  minic_fail(%s);\n", why);
  else emit("  call void @minic_fail(i64 %s)\n", why);
}
void op_arithmetic(int to, const char *op, int a, int b) {
  static const struct { const char *name, *c, *llvm; } known[] = {{"+", "+", "add"}, {"-", "-", "sub"}, {"*", "*", "mul"},
    {"/", "/", "sdiv"}, {"%", "%", "srem"}, {"<", "<", "icmp slt"}, {"=", "==", "icmp eq"}};
  size_t i = 0;
  while (strcmp(known[i].name, op) != 0) i++;
  if (to_c) {
    emit("  CHECK_NUMBERS(V(%d), V(%d)%s);\n", a, b, i == 3 || i == 4 ? ", 1" : ", 0");
    /* Sums and products that do not fit wrap, as LLVM's do: C says so of unsigned words alone. */
    if (i < 3) emit("  V(%d) = NUMBER((W)VALUE(V(%d)) %s (W)VALUE(V(%d)));\n", to, a, known[i].c, b);
    else emit("  V(%d) = NUMBER(VALUE(V(%d)) %s VALUE(V(%d)));\n", to, a, known[i].c, b);
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
void op_new(int to, const char *info, int fields, const int *from) {
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
void op_field(int to, int from, int field) {
  if (to_c) emit("  V(%d) = ((W *)V(%d))[%d];\n", to, from, field + 1);
  else {
    int o = object(from);
    if (statepoints) emit("  %%t%d = call %s @barrow_gc_get(%s %%t%d, i64 %d)\n", ++temporaries, word, word, o, field + 1);
    else emit("  %%t%d = call i64 @barrow_get_word(ptr %%t%d, i64 %d)\n", ++temporaries, o, field + 1);
    store(to, temporaries);
  }
}
/* Jumps when the value was not made by this constructor. */
void op_unless_made_by(int slot, const constructor *c, int label) {
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
void op_call(int to, const function *f, const int *from) {
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
void op_apply(int to, int closure, int arguments, const int *from) {
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
void op_leaf(int to, const char *name, int arguments, const int *from) {
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
void op_array(int to, int length, int value) {
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
void op_return(int slot) {
  if (to_c) emit("  LEAVE(V(%d));\n", slot);
  else {
    int value = load(slot);
    if (profiled) emit("  call void @barrow_%sccs_leave(ptr %%m, ptr %%before)\n", statepoints ? "gc_" : "");
    if (!statepoints) emit("  call void @barrow_frame_pop(ptr %%m, ptr %%frame)\n");
    emit("  ret %s %%t%d\nD%d:\n", word, value, ++labels);
  }
}
