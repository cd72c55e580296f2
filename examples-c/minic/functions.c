/* Functions and info tables, as C and as IR. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

FILE *made; /* where the result goes */

void say(const char *what, ...) {
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

/* A constant of IR. */
static void llvm_text(const char *name, int number, const char *text) {
  say("@%s_text%d = private constant [%d x i8] c\"", name, number, (int)strlen(text) + 1);
  print_string(text, made);
  say("\\00\"\n");
}

/* The info table of a kind of object: `entry` is the code of a closure. */
void info(const char *table, const char *shown, int fields, int at_line, const char *entry) {
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
    for (i = 0; i < 4; i++) llvm_text(table, i, texts[i]);
    say("@%s_names = private constant [4 x ptr] [ptr @%s_text0, ptr @%s_text1, ptr @%s_text2, ptr @%s_text3]\n", table, table, table, table, table);
    say("@%s = internal global %%info { i16 %d, i16 %d, i32 0, ptr %s%s, i8 %d, i8 0, i16 0, i32 %d, i32 0, i32 0, i64 0, ptr null, ptr null, ptr null, ptr @%s_names }, align 8\n",
           table, (int)sizeof(barrow_info), BARROW_INFO_VERSION, entry ? "@" : "null", entry ? entry : "", BARROW_TAGGED, fields ? fields : 1, table);
  }
}

/* The cost centre of a function. */
static void centre(const function *f) {
  char name[40], source[300];
  sprintf(name, "cc_%d", f->number);
  sprintf(source, "%.250s:%d", source_name, f->line);
  if (to_c) {
    say("static barrow_cc %s = BARROW_CC(\"%s\", \"Main\", \"", name, f->name);
    print_string(source, made);
    say("\");\n");
  } else {
    llvm_text(name, 0, f->name);
    llvm_text(name, 1, "Main");
    llvm_text(name, 2, source);
    say("@%s = internal global { i16, i16, i32, ptr, ptr, ptr } { i16 %d, i16 0, i32 0, ptr @%s_text0, ptr @%s_text1, ptr @%s_text2 }\n", name,
        (int)sizeof(barrow_cc), name, name, name);
  }
}

void c_head(const function *f) {
  int i;
  say("static W %s%d(barrow_mutator *m", f->is_lambda ? "code" : "f", f->number);
  if (f->is_lambda) say(", W self, W count");
  for (i = 0; i < f->arguments; i++) say(", W a%d", i);
  say(")");
}

void compile_function(function *f) {
  scope names[256], *where = NULL;
  char *text = NULL;
  size_t length = 0;
  int i, result, all = f->arguments + f->closed, self;
  current = f;
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
  if (covered) op_count(count_here(f->is_lambda ? BARROW_BOX_LOCAL : BARROW_BOX_TOP_LEVEL, f->body, f));
  result = new_slot();
  if (f->is_lambda) compile_body(f->body->items + 2, f->body->count - 2, where, result, true);
  else compile(f->body, where, result, true);
  op_return(result);
  fclose(out);
  if (profiled) centre(f);
  if (to_c) {
    say("\n/* %s, line %d */\n", f->name, f->line);
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
    if (profiled) say("  %%before = call ptr @barrow_%sccs_enter(ptr %%m, ptr @cc_%d)\n", statepoints ? "gc_" : "", f->number);
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
void compile_wrapper(const function *f) {
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

void llvm_declarations(void) {
  const char *gc = statepoints ? "gc_" : "", *o = statepoints ? word : "ptr", *leaf = statepoints ? " #1" : "";
  if (profiled) say("declare ptr @barrow_%sccs_enter(ptr, ptr)\ndeclare void @barrow_%sccs_leave(ptr, ptr)\n", gc, gc);
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
