/* 08: coverage. Two modules of a toy language, as its compiler would have translated them to C.
 *
 * "08-coverage mix" is the compiler's part: it writes .hpc/Main.mix and .hpc/Gcd.mix, which say what the counters
 * stand for. Without arguments it is the program: it counts while it runs and adds its counts to 08-coverage.tix, or
 * to the file that HPCTIXFILE names. Then, where the sources (08-coverage/main.toy and gcd.toy) are below:
 *
 *   barrow hpc report 08-coverage
 *   barrow hpc markup 08-coverage
 *
 * No heap is needed for any of this. */
#include <barrow/inline.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A compiler has barrow_mix_end make the hash and emits it; here it was chosen by hand. */
#define MAIN_HASH 0x6d61696eu
#define GCD_HASH 0x676364u

static uint64_t main_counters[6], gcd_counters[8];

static const barrow_coverage_module modules[] = {
    BARROW_COVERAGE_MODULE("Main", MAIN_HASH, main_counters),
    BARROW_COVERAGE_MODULE("Gcd", GCD_HASH, gcd_counters),
};

/* ---- the program: what the compiler made of the sources -------------------------------------------------------- */

static unsigned long toy_gcd(unsigned long a, unsigned long b) {
  BARROW_TICK(gcd_counters, 0);
  if (barrow_tick_decision(gcd_counters, 1, b == 0)) {
    BARROW_TICK(gcd_counters, 3);
    return a;
  }
  BARROW_TICK(gcd_counters, 4);
  BARROW_TICK(gcd_counters, 5);
  return toy_gcd(b, a % b);
}

/* lcm (boxes 6 and 7) is never called, and its code was dropped: its boxes stay at 0. */

static void toy_line(const char *line) {
  unsigned long a, b;
  BARROW_TICK(main_counters, 1);
  if (barrow_tick_decision(main_counters, 2, sscanf(line, "%lu %lu", &a, &b) == 2)) {
    BARROW_TICK(main_counters, 4);
    printf("%lu\n", toy_gcd(a, b));
  } else {
    BARROW_TICK(main_counters, 5);
    puts("two numbers, please");
  }
  fflush(stdout);
}

static int run(void) {
  barrow_coverage_options options = {0};
  barrow_coverage *coverage;
  char line[100];
  options.size = (uint32_t)sizeof options;
  options.environment = 1;
  if (barrow_coverage_new(&options, &coverage) != BARROW_OK ||
      barrow_coverage_register(coverage, modules, 2) != BARROW_OK) {
    fprintf(stderr, "08-coverage: %s\n", barrow_last_error());
    return 1;
  }
  BARROW_TICK(main_counters, 0);
  while (fgets(line, sizeof line, stdin)) {
    toy_line(line);
    /* Not needed by programs that come to their end: this one may be killed, and loses one line at most. */
    if (barrow_coverage_write(coverage) != BARROW_OK) fprintf(stderr, "08-coverage: %s\n", barrow_last_error());
  }
  if (barrow_coverage_free(coverage) != BARROW_OK) {
    fprintf(stderr, "08-coverage: %s\n", barrow_last_error());
    return 1;
  }
  return 0;
}

/* ---- the compiler's part --------------------------------------------------------------------------------------- */

/* Adds a box of one or more lines; gives the number of its counter. */
static size_t box(barrow_mix *mix, barrow_box_kind kind, const char *name, uint32_t l1, uint32_t c1, uint32_t l2,
                  uint32_t c2) {
  barrow_box b = {0};
  size_t number = (size_t)-1;
  b.size = (uint32_t)sizeof b;
  b.kind = kind;
  b.first_line = l1, b.first_column = c1, b.last_line = l2, b.last_column = c2;
  b.names = &name, b.name_count = name ? 1 : 0;
  if (barrow_mix_add(mix, &b, &number) != BARROW_OK) fprintf(stderr, "08-coverage: %s\n", barrow_last_error());
  return number;
}

static barrow_mix *begin(const char *file, const char *source, uint32_t hash) {
  barrow_mix_options options = {0};
  barrow_mix *mix = NULL;
  struct stat seen;
  options.size = (uint32_t)sizeof options;
  options.file = file;
  options.source = source;
  options.seconds = stat(source, &seen) == 0 ? (int64_t)seen.st_mtime : 0;
  options.hash = hash;
  if (barrow_mix_begin(&options, &mix) != BARROW_OK) fprintf(stderr, "08-coverage: %s\n", barrow_last_error());
  return mix;
}

static int write_mix(void) {
  barrow_mix *mix;
  mkdir(".hpc", 0777);

  mix = begin(".hpc/Main.mix", "08-coverage/main.toy", MAIN_HASH);
  box(mix, BARROW_BOX_TOP_LEVEL, "main", 2, 1, 6, 38);    /* 0 */
  box(mix, BARROW_BOX_EXPRESSION, NULL, 4, 5, 6, 38);     /* 1 */
  box(mix, BARROW_BOX_CONDITION, NULL, 4, 8, 4, 29);      /* 2: true, 3: false */
  box(mix, BARROW_BOX_ALTERNATIVE, NULL, 5, 12, 5, 48);   /* 4 */
  box(mix, BARROW_BOX_ALTERNATIVE, NULL, 6, 12, 6, 38);   /* 5 */
  if (barrow_mix_end(mix, NULL, NULL) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;

  mix = begin(".hpc/Gcd.mix", "08-coverage/gcd.toy", GCD_HASH);
  box(mix, BARROW_BOX_TOP_LEVEL, "gcd", 1, 1, 2, 40);     /* 0 */
  box(mix, BARROW_BOX_CONDITION, NULL, 2, 6, 2, 11);      /* 1: true, 2: false */
  box(mix, BARROW_BOX_ALTERNATIVE, NULL, 2, 18, 2, 18);   /* 3 */
  box(mix, BARROW_BOX_ALTERNATIVE, NULL, 2, 25, 2, 40);   /* 4 */
  box(mix, BARROW_BOX_EXPRESSION, NULL, 2, 33, 2, 39);    /* 5 */
  box(mix, BARROW_BOX_TOP_LEVEL, "lcm", 4, 1, 5, 20);     /* 6 */
  box(mix, BARROW_BOX_EXPRESSION, NULL, 5, 3, 5, 20);     /* 7 */
  if (barrow_mix_end(mix, NULL, NULL) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  return 0;
}

int main(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "mix") == 0 ? write_mix() : run(); }
