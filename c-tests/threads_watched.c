/* Biographies, space by function and the checks that look for mistakes, in heaps with several mutators: 1, 2, 8 and 64 of them
 * do the same things at the same time, so that each count is so many times that of one. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define BARROW_TICKY
#define STEM "threads-watched"
#include "child.h"
#include "files.h"
#include "tasks.h"
#include "space.h"
#include "barrow/ticky.h"
#include <signal.h>

enum { NODE = sizeof(node), UNUSED = 50, USED = 10, DIES = 5 };

static const size_t counts[4] = {1, 2, 8, MOST};

/* A heap for so many threads, and for this one. */
static toy heap_for(size_t threads, const char *flags) {
  char line[200];
  sprintf(line, "--mutators=%lu -po" STEM " %.150s", (unsigned long)threads + 1, flags);
  return toy_new(line);
}

/* The numbers of threads that are tried with flags: under valgrind one thread runs at a time. */
static size_t tried(const char *flags) {
  if (toy_is_slow()) return 2;
  return strstr(flags, "-DS") || strstr(flags, "-DB") || strstr(flags, "-DL") || strstr(flags, "--faults") ? 3 : 4;
}

/* Threads go on together: each comes to the end of a stage, and one does what is to be done once. */
typedef struct stages {
  size_t come, done;
} stages;

static void together(task *w, barrow_mutator *m, size_t stage, barrow_status (*once)(barrow_mutator *)) {
  stages *s = (stages *)w->shared;
  __atomic_add_fetch(&s->come, 1, __ATOMIC_SEQ_CST);
  if (w->number == stage % w->count) {
    await_all(w, m, &s->come, w->count * stage);
    if (once) MUST(w, once(m) == BARROW_OK);
    __atomic_add_fetch(&s->done, 1, __ATOMIC_SEQ_CST);
  }
  await_all(w, m, &s->done, stage);
}

static barrow_word in_stages(toy t, size_t threads, task like, void (*body)(task *, barrow_mutator *)) {
  stages s = {0, 0};
  like.shared = &s;
  return in_threads(t, threads, like, body);
}

/* ---- biographies ---------------------------------------------------------------------------------------------------- */

static void use_all(barrow_mutator *m, const node *list) {
  for (; list; list = list->left) barrow_use(m, list);
}

/* Each thread has nodes that it never uses, nodes that all threads use at the same time in the second era, nodes that die in
 * the third, and one that becomes another kind. Rubbish is made all the time. */
static void live(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *unused, *used, *dies, *changes; } r;
  size_t stage, i;
  BARROW_ENTER(m, r);
  r.unused = task_list(w, m, UNUSED, &node_info);
  r.used = task_list(w, m, USED, &node_info);
  r.dies = task_list(w, m, DIES, &node_info);
  r.changes = task_list(w, m, 1, &node_info);
  barrow_write(m, *w->table, &barrow_array_elements(*w->table)[w->number], r.used);
  for (stage = 1; stage <= 4; stage++) {
    if (stage == 2) {
      for (i = 0; i < w->count; i++)
        use_all(m, (const node *)barrow_array_elements(*w->table)[(w->number + i) % w->count]);
      use_all(m, r.dies);
    }
    if (stage == 3) {
      r.dies = NULL;
      MUST(w, barrow_become(m, r.changes, &cell_info) == BARROW_OK);
    }
    if (stage == 4) barrow_use(m, r.changes);
    tree(w, m, 4 + (w->number + stage) % 5, 1);
    if ((w->number + stage) % 3 == 0) MUST(w, barrow_collect(m, false) == BARROW_OK);
    together(w, m, stage, barrow_census);
    tree(w, m, 6, 1);
  }
  BARROW_LEAVE(m, r);
}

static void phases(int line, const char *hp, int index, size_t threads, long v, long l, long u, long d) {
  static const char *const names[4] = {"VOID", "LAG", "USE", "DRAG"};
  long wanted[4];
  int n;
  wanted[0] = v, wanted[1] = l, wanted[2] = u, wanted[3] = d;
  for (n = 0; n < 4; n++) check_equal(__FILE__, line, names[n], line_of(hp, index, names[n]), wanted[n] * NODE * (long)threads);
}

static void biography_of(size_t threads, const char *flags) {
  toy t = heap_for(threads, flags);
  struct { barrow_frame frame; node *array; } r;
  task like = task_of(0);
  const char *hp;
  BARROW_ENTER(t.m, r);
  r.array = (node *)toy_array(t.m, threads);
  like.table = &r.array;
  in_stages(t, threads, like, live);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(strlen(last_of(".biography")), 0);
  hp = last_of(".hp");
  phases(__LINE__, hp, 1, threads, UNUSED + 1, USED + DIES, 0, 0);
  phases(__LINE__, hp, 2, threads, UNUSED + 1, 0, USED + DIES, 0);
  phases(__LINE__, hp, 3, threads, UNUSED, 1, 0, USED);
  phases(__LINE__, hp, 4, threads, UNUSED, 0, 1, USED);
  CHECK_EQ(line_of(hp, 6, "VOID"), -1);
}

static void biographies_count_all_mutators(void) {
  static const char *const flags[] = {"-hb -i0 -A256k", "-hb -i0 -A256k -DS", "-hb -i0 -A1m -c", "-hb -i0 -A256k --marks=off",
                                      "-hL -i0 -A256k --source=chunks", "-hb -i0 -A256k -G1"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(flags[f]); n++) biography_of(counts[n], flags[f]);
}

/* A biography begins and ends in the middle, by one of the threads, while all make, use and drop trees. */
static void used_and_dropped(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 9, 1);
  for (i = 0; i < w->rounds; i++) {
    node *made;
    if (w->number == 0 && i == w->rounds / 4) MUST(w, barrow_profile_start(m, "-hb -hd -hc -ib200k") == BARROW_OK);
    made = tree(w, m, 3 + i % 7, 1);
    barrow_use(m, made);
    barrow_use(m, r.kept);
    barrow_use(m, r.kept->left);
    if (w->number == 0 && i == w->rounds / 4 * 3) MUST(w, barrow_profile_stop(m) == BARROW_OK);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 511);
  BARROW_LEAVE(m, r);
}

static void biographies_of_running_threads(void) {
  static const char *const flags[] = {"-A256k", "-A256k -DS", "-A256k -c"};
  size_t f;
  for (f = 0; f < sizeof flags / sizeof *flags; f++) {
    toy t = heap_for(8, flags[f]);
    long void_bytes;
    int i;
    const char *hp;
    in_threads(t, 5, task_of(slow_share(f == 1 ? 300 : 2000)), used_and_dropped);
    toy_free(t);
    hp = last_of(".hb.hp");
    for (i = 1; line_of(hp, i + 2, "VOID") != -1; i++) {
      static const char *const names[5] = {"VOID", "LAG", "USE", "DRAG", "UNKNOWN_USE"};
      long sum = 0;
      size_t n;
      for (n = 0; n < 5; n++) sum += line_of(hp, i, names[n]) < 0 ? 0 : line_of(hp, i, names[n]);
      void_bytes = line_of(hp, i, "VOID");
      /* The first thread keeps its tree all the time; what else there is at a sample is chance. */
      CHECK(sum >= 511 * NODE && void_bytes >= 0);
    }
    CHECK(i > 1 || toy_is_slow());
    removed(".hd.hp");
    removed(".hc.hp");
  }
}

/* ---- space by function ---------------------------------------------------------------------------------------------- */

enum { ROUNDS = 60 };
/* Each is as large as a table of a frame: the profiler looks whether it is one. */
static char words[MOST][sizeof(barrow_info)], shared_word[sizeof(barrow_info)];
static barrow_ticky_function calls_of_shared = BARROW_COUNTED_FUNCTION("shared", "Main", &shared_word);

/* Words in a step, of which two objects are made. */
static void reserved(task *w, barrow_mutator *m) {
  int i;
  MUST(w, barrow_reserve(m, 8));
  for (i = 0; i < 2; i++) {
    node *n = (node *)barrow_bump(m, 4);
    barrow_set_header(n, &node_info);
    n->left = n->right = NULL;
    n->value = 1;
  }
  w->made += 2 * NODE;
}

/* Each thread makes objects in every way, by a function of its own and one of all; it keeps a list. */
static void make(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  barrow_word *bytes = (barrow_word *)w->table;
  size_t i;
  barrow_word before;
  BARROW_ENTER(m, r);
  barrow_window_of(m)->function = &words[w->number];
  r.kept = task_list(w, m, UNUSED, &node_info);
  for (i = 0; i < w->rounds; i++) {
    barrow_word *b;
    task_list(w, m, 20, &cell_info);
    reserved(w, m);
    b = (barrow_word *)barrow_allocate(m, barrow_bytes_words(100));
    MUST(w, b != NULL);
    b[0] = (barrow_word)&bytes_info;
    b[1] = 100;
    w->made += 8 * barrow_bytes_words(100);
    before = w->made;
    barrow_window_of(m)->function = &shared_word;
    BARROW_TICKY_ENTER(m, &calls_of_shared);
    tree(w, m, 3 + i % 4, 1);
    barrow_window_of(m)->function = &words[w->number];
    __atomic_add_fetch(&bytes[MOST], w->made - before, __ATOMIC_SEQ_CST);
    bytes[w->number] -= w->made - before;
    if (i % 10 == w->number % 10) MUST(w, barrow_collect(m, i % 20 == 3) == BARROW_OK);
  }
  bytes[w->number] += w->made;
  together(w, m, 1, barrow_space_point);
  barrow_window_of(m)->function = NULL;
  BARROW_LEAVE(m, r);
}

static void space_of(size_t threads, const char *flags) {
  toy t = heap_for(threads, flags);
  barrow_word bytes[MOST + 1], made = 0, before;
  barrow_space_options options = wish();
  barrow_space_totals_t all;
  barrow_space_kind_t kind;
  task like = task_of(slow_share(ROUNDS));
  uint32_t outer = 0, inner = 0;
  size_t i, run;
  memset(bytes, 0, sizeof bytes);
  options.manner = BARROW_MANNER_SPACE | BARROW_MANNER_KINDS | BARROW_MANNER_CALLS;
  options.live = 1;
  CHECK_OK(barrow_space_begin(t.m, &options, &outer));
  CHECK_OK(barrow_space_begin(t.m, &options, &inner));
  before = toy_stats(t).allocated_bytes;
  like.table = (node **)bytes;
  made += in_stages(t, threads, like, make);
  CHECK_EQ(toy_stats(t).allocated_bytes - before, made);
  for (run = 0; run < 2; run++) {
    /* The second time what threads have made after the first profile had ended. */
    CHECK_OK(barrow_space_end(t.m, run ? outer : inner));
    all = totals_of(t);
    CHECK_EQ(all.allocated_bytes + all.unprofiled_bytes, made);
    CHECK_EQ(all.complete, 1);
    for (i = 0; i < threads; i++) {
      barrow_space_function_t own = function_of(t, &words[i]);
      CHECK_EQ(own.allocated_bytes, bytes[i]);
      /* What was kept at the point has died since, but is told as of the last collection of each generation. */
      CHECK_EQ(own.has_kinds, 1);
      CHECK(own.copied_bytes >= UNUSED * NODE);
    }
    CHECK_EQ(function_of(t, &shared_word).allocated_bytes, bytes[MOST]);
    CHECK_EQ(function_of(t, &shared_word).calls, (run + 1) * threads * like.rounds);
    memset(&kind, 0, sizeof kind);
    kind.size = (uint32_t)sizeof kind;
    for (i = 0; i < (size_t)totals_of(t).functions; i++) {
      barrow_space_function_t f;
      memset(&f, 0, sizeof f);
      f.size = (uint32_t)sizeof f;
      CHECK_OK(barrow_space_function(t.heap, i, &f, NULL, 0));
      if (f.word != (size_t)&words[0]) continue;
      CHECK_OK(barrow_space_kind(t.heap, i, 0, BARROW_SPACE_COLUMN_BYTE_ARRAYS, &kind));
      CHECK_EQ(kind.objects, (run + 1) * like.rounds);
    }
    if (run == 0) made += in_stages(t, threads, like, make);
  }
  toy_free(t);
}

static void space_adds_up(void) {
  static const char *const flags[] = {"-r -A256k", "-r -A4m", "-r -A256k -c -DS", "-r -A256k --source=chunks", "-r -A256k -G1",
                                      "-r -A256k -G3 -T3 --old=copy"};
  /* With eight threads a mutator's words are in use when another one collects. */
  const size_t least = toy_under_valgrind() ? 2 : 3;
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < least || n < tried(flags[f]); n++) space_of(counts[n], flags[f]);
}

/* The report of the whole run, written with the last mutator. */
static void the_flag_writes_a_report(void) {
  size_t n;
  for (n = 0; n < tried(""); n++) {
    toy t = heap_for(counts[n], "-A256k --space=" STEM ".space.json");
    in_threads(t, counts[n], task_of(slow_share(40)), trees);
    toy_free(t);
    CHECK(strstr(last_of(".space.json"), "tree") != NULL);
  }
}

/* ---- mistakes ------------------------------------------------------------------------------------------------------- */

/* Programs without a mistake pass all checks together. */
static void checked_programs_pass(void) {
  static const char *const flags[] = {"-DB -A256k", "-DL -A256k", "--faults -A256k", "-DB -DL --faults -DS -A256k", "-DB -A64k -c",
                                      "-hb -ib100k -DB -A256k"};
  size_t f, n;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (n = 0; n < tried(flags[f]); n++) {
      toy t = heap_for(counts[n], flags[f]);
      barrow_word made = in_threads(t, counts[n], task_of(slow_share(strstr(flags[f], "-DS") ? 4 : 20)), trees);
      CHECK_EQ(toy_stats(t).allocated_bytes, made);
      toy_free(t);
    }
  removed(".hp");
}

static barrow_status collect_all(barrow_mutator *m) { return barrow_collect(m, true); }

/* One of many threads stores without a barrier into an object that has been through a collection. */
static void stores_without_a_barrier(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *holder, *held; } r;
  BARROW_ENTER(m, r);
  r.held = task_list(w, m, 1, &node_info);
  r.holder = task_list(w, m, 1, &node_info);
  together(w, m, 1, collect_all);
  if (w->number == 0) {
    r.holder->right = r.held; /* no barrier */
  } else {
    BARROW_WRITE(m, r.holder, right, r.held);
  }
  together(w, m, 2, NULL);
  if (w->number == w->count - 1) {
    MUST(w, barrow_check(m) == BARROW_E_DAMAGED);
    MUST(w, strstr(barrow_last_error(), "field 2 of the object at") != NULL);
    MUST(w, strstr(barrow_last_error(), "a write barrier is missing") != NULL);
  }
  together(w, m, 3, NULL);
  if (w->number == 0) BARROW_WRITE(m, r.holder, right, r.held);
  together(w, m, 4, barrow_check);
  BARROW_LEAVE(m, r);
}

static void a_missing_barrier_is_found(void) {
  size_t n;
  for (n = 0; n < tried(""); n++) {
    toy t = heap_for(counts[n], "-DB -A256k");
    in_stages(t, counts[n], task_of(0), stores_without_a_barrier);
    toy_free(t);
  }
}

/* A word of one thread's object that its table does not tell of holds an address. */
static void hides_an_address(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *goes, *leaf, *hides, *hidden; } r;
  BARROW_ENTER(m, r);
  r.goes = task_list(w, m, 10, &node_info);
  r.leaf = task_list(w, m, 1, &node_info);
  r.hidden = task_list(w, m, 1, &node_info);
  r.hides = task_list(w, m, 1, &node_info);
  together(w, m, 1, NULL);
  /* From here on nobody allocates. Objects move when those before them have gone: among the leaves too, if these were copied. */
  r.goes = r.leaf = NULL;
  if (w->number == 0) r.hides->value = (barrow_word)r.hidden;
  together(w, m, 2, NULL);
  if (w->number == w->count - 1) {
    MUST(w, barrow_collect(m, true) == BARROW_E_DAMAGED);
    MUST(w, strstr(barrow_last_error(), "is no pointer by its table") != NULL);
  }
  together(w, m, 3, NULL);
  r.hides->value = 0;
  together(w, m, 4, NULL);
  BARROW_LEAVE(m, r);
}

static void a_hidden_address_is_found(void) {
  size_t n;
  for (n = 0; n < tried(""); n++) {
    toy t = heap_for(counts[n], "-DL -A256k");
    in_stages(t, counts[n], task_of(0), hides_an_address);
    toy_free(t);
  }
}

/* One thread uses an object at its old address, while others build trees; another one may have collected. */
static volatile barrow_word seen;

static void uses_an_old_address(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept, *old; } r;
  node *stale;
  BARROW_ENTER(m, r);
  r.kept = stale = task_list(w, m, 1, &node_info);
  together(w, m, 1, NULL);
  if (w->number == w->count - 1) barrow_collect(m, true);
  together(w, m, 2, NULL);
  if (w->number != 0) {
    trees(w, m);
  } else {
    r.old = stale;
    seen = r.old->value;
  }
  BARROW_LEAVE(m, r);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* Memory that objects have left is taken away where they are copied, and a checker of memory speaks first. */
static bool faults_are_told(void) {
  const char *flags = getenv("BARROW_TEST_FLAGS");
  return !SANITIZED && !toy_under_valgrind() && !(flags && strstr(flags, "-c"));
}

static size_t stage;
static void use_an_old_address(void) {
  signal(SIGSEGV, SIG_DFL); /* a sanitizer has another one */
  in_stages(heap_for(counts[stage], "--faults -A256k"), counts[stage], task_of(100), uses_an_old_address);
}

static void a_fault_is_told(void) {
  for (stage = 0; stage < tried(""); stage++) {
    int status = status_of(use_an_old_address);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    if (!strstr(said, "moved it to 0x") || !strstr(said, "a node_info made by ")
        || !strstr(said, "of the shadow stack (0 is the newest), slot 1"))
      check_failed(__FILE__, __LINE__, "the words about a fault", said);
  }
}

int main(void) {
  RUN(biographies_count_all_mutators);
  RUN(biographies_of_running_threads);
  RUN(space_adds_up);
  RUN(the_flag_writes_a_report);
  RUN(checked_programs_pass);
  RUN(a_missing_barrier_is_found);
  RUN(a_hidden_address_is_found);
  if (faults_are_told()) RUN(a_fault_is_told);
  return DONE;
}
