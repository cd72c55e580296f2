/* suite.c: runs a file of expressions and results. After each expression comes => and, up to the end of the line, its
 * value as write prints it; or "error" and the message with its irritants. What is printed meanwhile is no part. */
#include "scheme.h"
#include <stdlib.h>

/* The rest of the line, without blanks around it; false when it is longer than the buffer. */
static bool rest_of_line(scheme *s, value *port, char *to, size_t bytes) {
  size_t n = 0;
  int c;
  while ((c = port_next(s, port)) == ' ') {}
  for (; c >= 0 && c != '\n'; c = port_next(s, port)) {
    if (n + 5 > bytes) return false;
    n += utf8_encode((uint32_t)c, (unsigned char *)to + n);
  }
  while (n > 0 && to[n - 1] == ' ') n--;
  to[n] = 0;
  return true;
}

/* What came out, in the form of the file. */
static void outcome(scheme *s, bool ran, FILE *to) {
  struct { barrow_frame frame; value irritants; } r;
  if (ran) {
    print_to_file(s, s->r.accumulator, true, to);
    return;
  }
  fputs("error ", to);
  if (s->r.condition == UNDEFINED) {
    fputs("out of memory", to);
  } else if (is_a(s->r.condition, &condition_info)) {
    ENTER(s, r);
    print_to_file(s, AS(condition, s->r.condition)->message, false, to);
    for (r.irritants = AS(condition, s->r.condition)->irritants; r.irritants != NIL; r.irritants = cdr(r.irritants)) {
      fputc(' ', to);
      print_to_file(s, car(r.irritants), true, to);
    }
    LEAVE(s, r);
  } else {
    print_to_file(s, s->r.condition, true, to);
  }
}

/* One pair; `got` is a file that is used again and again. False at the end of the suite. */
static bool run_pair(scheme *s, value *port, const char *name, FILE *got, unsigned *pairs, unsigned *failures) {
  /* A port made for the suite is a root of its caller; everything that may fail happens inside execute. */
  char wanted[2000], text_got[2000];
  size_t line, length;
  bool ran;
  push(s, *port);
  if (!execute(s, s->r.reader)) {
    report_condition(s, s->r.condition, stderr);
    ++*failures;
    return false;
  }
  if (s->r.accumulator == END_OF_FILE) return false;
  line = AS(port, *port)->line;
  s->form_line = line;
  push(s, s->r.accumulator);
  ran = execute(s, s->r.evaluator);
  rewind(got);
  outcome(s, ran, got);
  fflush(got);
  length = (size_t)ftell(got);
  rewind(got);
  if (length > sizeof text_got - 1) length = sizeof text_got - 1;
  length = fread(text_got, 1, length, got);
  text_got[length] = 0;
  push(s, *port);
  if (!execute(s, s->r.reader) || s->r.accumulator != s->r.arrow || !rest_of_line(s, port, wanted, sizeof wanted)) {
    fprintf(stderr, "%s:%zu: => and a result are wanted\n", name, line);
    ++*failures;
    return false;
  }
  ++*pairs;
  if (strcmp(wanted, text_got) != 0) {
    fprintf(stderr, "%s:%zu: wanted %s\n%s:%zu: got    %s\n", name, line, wanted, name, line, text_got);
    ++*failures;
  }
  return true;
}

int run_suite(scheme *s, const char *name) {
  struct { barrow_frame frame; value port; } r;
  unsigned pairs = 0, failures = 0;
  FILE *got = tmpfile();
  if (!got) return perror("scheme: a temporary file"), 2;
  ENTER(s, r);
  s->r.file = s->r.program;
  if (!open_port(s, &r.port, s->r.file_opener, name)) {
    report_condition(s, s->r.condition, stderr);
    LEAVE(s, r);
    fclose(got);
    return 2;
  }
  s->r.file = AS(port, r.port)->name;
  while (!s->exiting && run_pair(s, &r.port, name, got, &pairs, &failures)) {}
  LEAVE(s, r);
  fclose(got);
  printf("%u pairs, %u failed\n", pairs, failures);
  return failures || pairs == 0 ? 1 : 0;
}
