/* minic: a compiler for a small strict functional language, with two back ends.
 *
 *   minic c PROGRAM            C, with Barrow's frames
 *   minic frames PROGRAM       LLVM's IR, with Barrow's frames
 *   minic statepoint PROGRAM   LLVM's IR, with statepoints
 *
 * Before that, -p makes every function a cost centre, and --coverage counts which expressions are reached (coverage.c).
 *
 * The language is in README.md. Every value is one tagged word: 2n + 1 is the number n, also a constructor without fields;
 * all else is the address of an object. Each function keeps its values in numbered slots. With frames, the slots are roots;
 * with statepoints, they are LLVM's variables, and LLVM finds out which of them matter at which call. */
#define _POSIX_C_SOURCE 200809L
#include "compiler.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  FILE *file;
  char *text;
  size_t length;
  function *f, *first;
  constructor *c;
  char *body = NULL;
  for (; argc > 3; argc--, argv++) {
    if (strcmp(argv[1], "-p") == 0) profiled = true;
    else if (strcmp(argv[1], "--coverage") == 0) covered = true;
    else break;
  }
  if (argc != 3) return fprintf(stderr, "minic [-p] [--coverage] c|frames|statepoint PROGRAM\n"), 2;
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
  if (covered) begin_coverage();
  made = open_memstream(&body, &length);
  for (f = functions; f; f = f->next) compile_function(f);
  for (f = functions; f; f = f->next) if (f->is_value) compile_wrapper(f);
  fclose(made);
  if (covered) end_coverage();
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
  describe_coverage();
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
