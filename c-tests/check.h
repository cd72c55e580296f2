/* check.h: the harness. A case is a function; main runs them with RUN and returns DONE, the number of failures. */
#ifndef CHECK_H
#define CHECK_H
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;
static const char *check_case = "";
static char check_stale[512];

static inline void check_failed(const char *file, int line, const char *what, const char *why) {
  fprintf(stderr, "%s:%d: %s: %s%s%s\n", file, line, check_case, what, *why ? ": " : "", why);
  check_failures++;
}
static inline void check_equal(const char *file, int line, const char *what, long long a, long long b) {
  char why[64];
  sprintf(why, "%lld and %lld", a, b);
  if (a != b) check_failed(file, line, what, why);
}
/* Leaves a sentence that no other call could leave, so that a fresh one is told from an old one. */
static inline void check_forget(void) {
  static size_t serial;
  barrow_info_check((const barrow_info *)(8 * ++serial + 1));
  strcpy(check_stale, barrow_last_error());
}
static inline void check_sentence(const char *file, int line, const char *what) {
  const char *sentence = barrow_last_error();
  if (strcmp(sentence, check_stale) == 0 || strlen(sentence) < 12) check_failed(file, line, what, "no sentence");
}
/* Says that something could not be tried here, which is no failure; run.sh passes it on. */
static inline void check_skipped(const char *why) { fprintf(stderr, "%s: %s: skipped\n", check_case, why); }

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, ""))
#define CHECK_EQ(a, b) check_equal(__FILE__, __LINE__, #a " == " #b, (long long)(a), (long long)(b))
#define CHECK_OK(call) \
  ((call) == BARROW_OK ? (void)0 : check_failed(__FILE__, __LINE__, #call, barrow_last_error()))
/* The call gives this code, and this value, and says why in a new sentence. */
#define REFUSED(code, call) ANSWERS(code, call)
#define ANSWERS(value, call) \
  (check_forget(), CHECK_EQ(call, value), check_sentence(__FILE__, __LINE__, #call))
#define RUN(name) (check_case = #name, (name)())
#define DONE (fflush(stdout), check_failures > 100 ? 100 : check_failures)

#endif
