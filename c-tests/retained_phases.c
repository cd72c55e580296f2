/* Who retains what is dragged: in a program at random, each set's bytes in the four phases of a biography add up to what the
 * set retains, in each sample; and each phase's bytes over all sets to what the biography itself says. */
#define _DEFAULT_SOURCE
#define STEM "retained-phases"
#include "files.h"
#include "toy.h"

typedef struct variable { barrow_word header; void *content; } variable;
static const barrow_names a_names = {"A", "Var", "Main", NULL}, b_names = {"B", "Var", "Main", NULL},
                          c_names = {"C", "Var", "Main", NULL}, cell_names = {"Cell", "Cell", "Main", NULL};
#define VARIABLE(names) \
  {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_MUT_VAR, BARROW_FLAG_MUTABLE, 0, 1, 0, 0, 0, NULL, NULL, NULL, names}
static barrow_info variables[3] = {VARIABLE(&a_names), VARIABLE(&b_names), VARIABLE(&c_names)};
static barrow_info one_cell = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, NULL, NULL,
                               NULL, &cell_names};

static uint64_t seed;
static size_t any(size_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(seed >> 33) % below;
}

static node *cell(barrow_mutator *m, node *rest) {
  node *n = toy_node(m, rest, NULL, 1);
  if (n) barrow_set_header(n, &one_cell);
  return n;
}

enum { SLOTS = 12, STEPS = 400, EVERY = 40, SAMPLES = STEPS / EVERY };

/* The same for the same seed, whatever is profiled. */
static void program(uint64_t from, const char *wish) {
  char flags[200];
  toy t;
  struct { barrow_frame frame; variable *v[SLOTS]; node *list; } r;
  int step, i;
  seed = from;
  sprintf(flags, "-po" STEM " -i1000 -L300 -R8 -hyCell %s", wish);
  t = toy_new(flags);
  BARROW_ENTER(t.m, r);
  for (i = 0; i < SLOTS; i++) {
    r.v[i] = (variable *)barrow_alloc(t.m, 2);
    r.v[i]->header = (barrow_word)&variables[any(3)];
    r.v[i]->content = NULL;
  }
  for (step = 1; step <= STEPS; step++) {
    size_t slot = any(SLOTS), other = any(SLOTS), count = any(30);
    switch (any(6)) {
      case 0: /* anew */
        r.list = NULL;
        while (count--) r.list = cell(t.m, r.list);
        barrow_write(t.m, r.v[slot], &r.v[slot]->content, r.list);
        break;
      case 1: /* longer, so that what another has is a part of it */
        r.list = (node *)r.v[other]->content;
        while (count--) r.list = cell(t.m, r.list);
        barrow_write(t.m, r.v[slot], &r.v[slot]->content, r.list);
        break;
      case 2:
        barrow_write(t.m, r.v[slot], &r.v[slot]->content, NULL);
        break;
      case 3:
        CHECK_OK(barrow_collect(t.m, any(4) == 0));
        break;
      default: /* looked at from the front */
        for (r.list = (node *)r.v[slot]->content; r.list && count--; r.list = r.list->left) barrow_use(t.m, r.list);
        break;
    }
    r.list = NULL;
    if (step % EVERY == 0) CHECK_OK(barrow_census(t.m));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

typedef struct row { char name[120]; long bytes; } row;
typedef struct sample { row rows[400]; int count; long sum; } sample;
static sample whole[SAMPLES + 2], parts[SAMPLES + 2];

static void add(sample *s, const char *name, size_t length, long bytes) {
  int i;
  for (i = 0; i < s->count; i++)
    if (strlen(s->rows[i].name) == length && !memcmp(s->rows[i].name, name, length)) break;
  if (i == s->count) {
    CHECK(i < 400 && length < 120);
    if (i >= 400 || length >= 120) return;
    memcpy(s->rows[i].name, name, length);
    s->rows[i].name[length] = 0;
    s->rows[i].bytes = 0;
    s->count++;
  }
  s->rows[i].bytes += bytes;
  s->sum += bytes;
}

/* Adds what the samples of a file have; how many there are. */
static int read_into(sample *samples, const char *ending) {
  const char *at = strstr(last_of(ending), "BEGIN_SAMPLE");
  int count = 0;
  for (; at && count < SAMPLES + 2; at = strstr(at, "BEGIN_SAMPLE"), count++) {
    for (at = strchr(at, '\n') + 1; strncmp(at, "END_SAMPLE", 10) != 0; at = strchr(at, '\n') + 1) {
      const char *tab = strchr(at, '\t');
      add(&samples[count], at, (size_t)(tab - at), atol(tab + 1));
    }
  }
  return count;
}

static void phases_add_up(void) {
  static const char *const phases[] = {"lag", "use", "drag", "void"}, *const shown[] = {"LAG", "USE", "DRAG", "VOID"};
  static sample lives[SAMPLES + 2];
  int round, rounds = toy_is_slow() ? 2 : 12, i, k, p, met = 0;
  for (round = 0; round < rounds; round++) {
    uint64_t from = 77 + (uint64_t)round;
    int samples;
    memset(whole, 0, sizeof whole);
    memset(parts, 0, sizeof parts);
    memset(lives, 0, sizeof lives);
    program(from, "-hr");
    samples = read_into(whole, ".hp");
    removed(".prof");
    program(from, "-hb");
    CHECK_EQ(read_into(lives, ".hp"), samples);
    for (p = 0; p < 4; p++) {
      static sample before[SAMPLES + 2];
      char wish[40];
      memcpy(before, parts, sizeof parts);
      sprintf(wish, "-hr -hb%s", phases[p]);
      program(from, wish);
      CHECK_EQ(read_into(parts, ".hp"), samples);
      removed(".prof");
      for (i = 0; i < samples; i++) {
        long alone = 0;
        for (k = 0; k < lives[i].count; k++)
          if (!strcmp(lives[i].rows[k].name, shown[p])) alone = lives[i].rows[k].bytes;
        CHECK_EQ(parts[i].sum - before[i].sum, alone);
        met += alone > 0;
      }
    }
    for (i = 0; i < samples; i++) {
      CHECK_EQ(parts[i].count, whole[i].count);
      for (k = 0; k < whole[i].count; k++) {
        int other;
        for (other = 0; other < parts[i].count && strcmp(parts[i].rows[other].name, whole[i].rows[k].name); other++) continue;
        CHECK(other < parts[i].count);
        if (other < parts[i].count) CHECK_EQ(parts[i].rows[other].bytes, whole[i].rows[k].bytes);
      }
    }
    if (check_failures) {
      fprintf(stderr, "with seed %lu\n", (unsigned long)from);
      return;
    }
  }
  CHECK(met > 20 * rounds);
}

int main(void) {
  RUN(phases_add_up);
  return DONE;
}
