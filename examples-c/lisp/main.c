/* main.c: the program: options, files, the prompt. */
#define _POSIX_C_SOURCE 200809L
#include "scheme.h"
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "scheme [options] [FILE ...]    without a file, at a prompt\n"
    "  -e EXPRESSION    evaluate it and print its value\n"
    "  -i               the prompt, after the files\n"
    "  --stack=WORDS    words of the stack, at least 65536 (default 16777216)\n"
    "  --threads=N      how many system threads may run at a time: the first one, and N - 1 of (system-thread ...)\n"
    "  --suite=FILE     evaluate the expressions in FILE and compare with the results there\n"
    "  +RTS FLAGS -RTS  the heap's flags, such as -M64m\n"
    "It ends with 0; 1 after an error; 2 when it cannot begin; or what (exit) is given.\n";

/* Reads a form and evaluates it: 1 when there was one, 0 at the end, -1 after an error. The value is in the
 * accumulator. All that may fail happens inside execute, which catches it. */
int run_form(scheme *s, value *port) {
  make_reserve(s);
  push(s, *port);
  if (!execute(s, s->r.reader)) return -1;
  if (s->r.accumulator == END_OF_FILE) return 0;
  if (is_pair(s->r.accumulator) && barrow_info_of(object_at(s->r.accumulator)) == &located_info)
    s->form_line = ((located_pair *)object_at(s->r.accumulator))->line;
  else s->form_line = AS(port, *port)->line;
  push(s, s->r.accumulator);
  return execute(s, s->r.evaluator) ? 1 : -1;
}

bool run_port(scheme *s, value *port) {
  int ran;
  s->r.file = AS(port, *port)->name;
  while ((ran = run_form(s, port)) > 0) {}
  return ran == 0;
}

static bool push_text(scheme *s, const char *utf8) {
  value v;
  if (setjmp(s->trap) != 0) return false;
  v = text(s, utf8);
  push(s, v);
  return true;
}

/* A port in *port, made by a procedure from a file's name or from a text. */
bool open_port(scheme *s, value *port, value opener, const char *argument) {
  struct { barrow_frame frame; value opener; } r;
  bool opened;
  ENTER(s, r);
  r.opener = opener;
  opened = push_text(s, argument) && execute(s, r.opener);
  LEAVE(s, r);
  if (opened) *port = s->r.accumulator;
  return opened;
}

/* The names that the C code looks for, and code that it returns to. */
static void define_names(scheme *s) {
  static const unsigned stubs[2] = {OP_HALT, OP_VALUES};
  int i, k;
  s->shared->symbols = new_array(s, &vector_info, 1 + 1024, NIL);
  elements(s->shared->symbols)[0] = FIX(0);
  s->r.quote = symbol(s, "quote");
  s->r.quasiquote = symbol(s, "quasiquote");
  s->r.unquote = symbol(s, "unquote");
  s->r.unquote_splicing = symbol(s, "unquote-splicing");
  s->r.ellipsis = symbol(s, "...");
  s->r.underscore = symbol(s, "_");
  s->r.arrow = symbol(s, "=>");
  s->r.else_symbol = symbol(s, "else");
  s->r.syntax_rules = symbol(s, "syntax-rules");
  s->r.generic = symbol(s, "error");
  s->r.read_kind = symbol(s, "read");
  s->r.file_kind = symbol(s, "file");
  for (k = 0; k < 2; k++) {
    for (i = 0; i < CODE_START; i++) push(s, i == CODE_FILE ? FALSE_VALUE : FIX(0));
    push(s, FIX(stubs[k]));
    if (k == 0) s->r.halt = finish_code(s, s->stack, FALSE_VALUE);
    else s->r.values_code = finish_code(s, s->stack, FALSE_VALUE);
  }
}

static value global(scheme *s, const char *name) {
  value v = symbol(s, name);
  return global_of(v);
}

/* All that a program finds. False when there is not even memory for that. */
static bool furnish(scheme *s) {
  value *register_;
  for (register_ = (value *)(void *)&s->r; register_ < (value *)(void *)(&s->r + 1); register_++) *register_ = NIL;
  s->r.file = FALSE_VALUE;
  s->frames_outside = barrow_frames_save(s->m);
  if (setjmp(s->trap) != 0) { /* the frames that were left on C's stack are gone */
    barrow_frames_restore(s->m, s->frames_outside);
    return false;
  }
  define_names(s);
  define_keywords(s);
  define_numbers(s);
  define_lists(s);
  define_sequences(s);
  define_texts(s);
  define_vectors(s);
  define_tables(s);
  define_control(s);
  define_ports(s);
  define_parallel(s);
  s->r.reader = global(s, "read");
  s->r.evaluator = global(s, "eval");
  s->r.file_opener = global(s, "open-input-file");
  s->r.string_opener = global(s, "open-input-string");
  s->r.program = text(s, "scheme");
  s->r.output = new_port(s, NIL, 0, FALSE_VALUE, STANDARD_OUTPUT, PORT_OUTPUT);
  s->r.scratch = text(s, "stdin");
  s->r.console = new_bytes(s, &bytevector_info, 0);
  s->r.console = new_port(s, s->r.console, 0, s->r.scratch, NO_FILE, PORT_INPUT | PORT_CONSOLE);
  define_prelude(s);
  return s->r.condition == NIL;
}

static void report(scheme *s) {
  if (s->exiting) return;
  flush_out(s, stdout);
  report_condition(s, s->r.condition, stderr);
  s->exit_code = 1;
}

/* Enough for a person, and an end where the value has none. */
enum { MOST_SHOWN = 100000 };

static void print_value(scheme *s) {
  if (s->r.accumulator == UNSPECIFIED) return;
  print_some(s, s->r.accumulator, true, stdout, MOST_SHOWN);
  write_out(s, stdout, "\n", 1);
}

/* Errors are told, and the next form is read from a new line. */
static void prompt(scheme *s) {
  bool shown = isatty(0) != 0;
  int ran = 1;
  s->r.file = AS(port, s->r.console)->name;
  while (ran != 0 && !s->exiting) {
    if (shown) printf("> ");
    ran = run_form(s, &s->r.console);
    if (ran > 0) print_value(s);
    if (ran < 0) {
      report(s);
      if (!s->exiting) s->exit_code = 0;
      if (shown) AS(port, s->r.console)->position = AS(port, s->r.console)->fill;
    }
  }
  if (shown && !s->exiting) putchar('\n');
}

/* -e: each value is printed. */
static bool run_expressions(scheme *s, value *port) {
  int ran;
  while ((ran = run_form(s, port)) > 0) print_value(s);
  return ran == 0;
}

static void run_files(scheme *s, int count, char **files) {
  struct { barrow_frame frame; value port; } r;
  int i;
  bool ran;
  ENTER(s, r);
  for (i = 0; i < count && s->exit_code == 0 && !s->exiting; i++) {
    s->form_line = 0;
    s->r.file = s->r.program;
    if (strcmp(files[i], "-e") == 0)
      ran = open_port(s, &r.port, s->r.string_opener, files[++i]) && run_expressions(s, &r.port);
    else ran = open_port(s, &r.port, s->r.file_opener, files[i]) && run_port(s, &r.port);
    if (!ran) report(s);
  }
  LEAVE(s, r);
}

int main(int argc, char **argv) {
  char flags[1024];
  size_t stack_words = (size_t)1 << 24, threads = 1;
  const char *suite = NULL;
  bool interactive = false, ready;
  int32_t count = argc;
  int i, files = 1, code;
  scheme *s;
  if (barrow_take_flags(&count, argv, flags, sizeof flags) != BARROW_OK) {
    fprintf(stderr, "scheme: %s\n", barrow_last_error());
    return 2;
  }
  for (i = 1; i < count; i++) {
    if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout), 0;
    if (strcmp(argv[i], "-i") == 0) interactive = true;
    else if (strncmp(argv[i], "--suite=", 8) == 0) suite = argv[i] + 8;
    else if (strncmp(argv[i], "--stack=", 8) == 0) stack_words = strtoull(argv[i] + 8, NULL, 10);
    else if (strncmp(argv[i], "--threads=", 10) == 0) threads = strtoull(argv[i] + 10, NULL, 10);
    else if (argv[i][0] == '-' && (strcmp(argv[i], "-e") != 0 || i + 1 == count)) return fputs(usage, stderr), 2;
    else if (argv[i][0] == '-') argv[files++] = argv[i], argv[files++] = argv[i + 1], i++;
    else argv[files++] = argv[i];
  }
  if (stack_words < 65536 || stack_words > (size_t)1 << 32) return fputs(usage, stderr), 2;
  if (threads < 1 || threads > 1024) return fputs(usage, stderr), 2;
  if (!(s = scheme_new(flags, stack_words, threads))) return 2;
  ready = furnish(s);
  if (!ready) {
    fprintf(stderr, "scheme: there is not enough memory to begin\n");
    code = 2;
  } else {
    if (suite) s->exit_code = run_suite(s, suite);
    run_files(s, files - 1, argv + 1);
    if (!s->exiting && s->exit_code == 0 && (interactive || (files == 1 && !suite))) prompt(s);
    if (!s->exiting && s->exit_code == 0 && !await_threads(s)) {
      fprintf(stderr, "scheme: the program has ended, and system threads wait for each other\n");
      s->exit_code = 1;
    }
    code = s->exit_code;
  }
  fflush(stdout);
  if (has_threads(s)) return code; /* after (exit) or an error the program ends, whatever they do */
  scheme_free(s);
  return code;
}
