/* Calls of profilers, of coverage and of what belongs to no heap, from eight threads at once; threads_calls.c has the others. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#define _DEFAULT_SOURCE
#include "from_eight.h"
#include <barrow/ticky.h>
#include <unistd.h>

/* ---- profiles that threads share ---------------------------------------------------------------------------------------- */

/* Others may have ended the profile, forgotten its results, or begun another one meanwhile. */
static void maybe(task *w, barrow_status status, const char *call, size_t line) {
  if (!is_noted(status, call, __FILE__, line)) task_failed(w, call);
}
#define MAYBE(call) maybe(w, (call), #call, __LINE__)

/* How many marks found a profile to mark. */
static size_t marked;

/* One profile runs in a heap: a thread that starts one ends that of another, and any thread marks it or stops it. */
static void profiles(task *w, barrow_mutator *m) {
  static barrow_cc centre = BARROW_CC("profiles", "Calls", NULL);
  static barrow_cost_row costs[THREADS][100];
  struct { barrow_frame frame; node *kept; } r;
  char file[60];
  size_t i, count = 0;
  sprintf(file, "threads_reports.%lu.profile", (unsigned long)w->number);
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 5, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_ccs *before = barrow_ccs_enter(m, &centre);
    barrow_ticky counters;
    barrow_ticky_row_t functions[4];
    barrow_status mark;
    tree(w, m, 3, 1);
    barrow_ccs_leave(m, before);
    DID(barrow_profile_start(m, "-hd -i0.01"));
    tree(w, m, 4, 1);
    mark = barrow_profile_mark(m);
    MUST(w, mark == BARROW_OK || mark == BARROW_E_STATE); /* another has stopped it */
    if (mark == BARROW_OK) __atomic_add_fetch(&marked, 1, __ATOMIC_SEQ_CST);
    DID(barrow_profile_stop(m));
    costs[w->number][0].size = (uint32_t)sizeof costs[0][0];
    DID(barrow_costs(m, costs[w->number], 100, &count));
    MUST(w, count > 0);
    DID(barrow_cost_report(m, file, BARROW_COST_ALL));
    memset(&counters, 0, sizeof counters), counters.size = (uint32_t)sizeof counters;
    DID(barrow_ticky_counters(m, &counters));
    memset(functions, 0, sizeof functions), functions[0].size = (uint32_t)sizeof functions[0];
    DID(barrow_ticky_functions(m, functions, 4, &count));
    DID(barrow_samples_write(m, file));
    DID(barrow_cost_ticks(m, 0.01));
    DID(barrow_revert_cafs(m));
    remove(file);
    MUST(w, nodes_of(w, r.kept, 1) == 31);
  }
  BARROW_LEAVE(m, r);
}

static size_t callers_told;

/* A function of its own and a caller, at each tick. */
static size_t walk_two(void *client, barrow_mutator *m, void **functions, size_t room) {
  (void)m;
  if (room < 2) return 0;
  functions[0] = client;
  functions[1] = &callers_told;
  return 2;
}

static const char *name_of_walked(void *client, void *function) { return function == client ? "running" : "caller"; }

/* Each thread begins profiles, one inside those of the others, and ends its own when those inside it have ended. */
static void spaces(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 0; i < w->rounds; i++) {
    barrow_space_options options;
    barrow_space_totals_t totals;
    barrow_space_function_t function;
    barrow_space_kind_t kind;
    size_t parent = 0, who = 0, tries = 0;
    uint64_t ticks = 0;
    uint32_t profile = 0;
    barrow_status caller;
    char file[60], name[40];
    memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options;
    options.manner = i % 2 ? BARROW_MANNER_SPACE : BARROW_MANNER_SPACE | BARROW_MANNER_KINDS;
    if (i % 2 == 0) options.manner |= BARROW_MANNER_TIME, options.tick_us = 200, options.depth = 1;
    options.walk = walk_two, options.name_of = name_of_walked, options.client = &marked;
    DID(barrow_space_begin(m, &options, &profile));
    r.kept = tree(w, m, 5, 1);
    DID(barrow_space_suspend(m));
    tree(w, m, 3, 1);
    DID(barrow_space_resume(m));
    if (i % 3 == w->number % 3) MAYBE(barrow_space_point(m));
    while (barrow_space_end(m, profile) != BARROW_OK && tries++ < 100000) {
      DID(barrow_enter_foreign(m));
      usleep(100);
      DID(barrow_leave_foreign(m));
    }
    memset(&totals, 0, sizeof totals), totals.size = (uint32_t)sizeof totals;
    memset(&function, 0, sizeof function), function.size = (uint32_t)sizeof function;
    memset(&kind, 0, sizeof kind), kind.size = (uint32_t)sizeof kind;
    MAYBE(barrow_space_totals(w->heap, &totals));
    MAYBE(barrow_space_function(w->heap, 0, &function, name, sizeof name));
    MAYBE(barrow_space_kind(w->heap, 0, 0, 0, &kind));
    caller = barrow_space_caller(w->heap, 0, &parent, &who, &ticks);
    MAYBE(caller);
    if (caller == BARROW_OK) __atomic_add_fetch(&callers_told, 1, __ATOMIC_SEQ_CST);
    sprintf(file, "threads_reports.%lu.space", (unsigned long)w->number);
    MAYBE(barrow_space_report(w->heap, file, 'f'));
    remove(file);
    if (i % 8 == 7 || i == w->rounds - 1) DID(barrow_space_forget(w->heap));
    MUST(w, nodes_of(w, r.kept, 1) == 31);
  }
  BARROW_LEAVE(m, r);
}

static void biographies(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept, *dies, *fills; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 4, 1);
  for (i = 0; i < w->rounds; i++) {
    size_t count = 0, bands = 0;
    double seconds = 0;
    barrow_census_band_t band;
    char name[40];
    r.dies = tree(w, m, 1, 1);
    r.fills = tree(w, m, 1, 1);
    barrow_used(m, r.kept);
    MUST(w, barrow_biography_slow(m, r.kept) != NULL);
    DID(barrow_record_dead(m, r.dies, 4));
    DID(barrow_record_dead_fill_slop(m, r.fills));
    r.dies = r.fills = NULL;
    if (i % 8 == w->number || i == 0) DID(barrow_census(m));
    DID(barrow_biography_samples(w->heap, 'b', &count));
    memset(&band, 0, sizeof band), band.size = (uint32_t)sizeof band;
    if (count) DID(barrow_biography_sample(w->heap, 'b', count - 1, &seconds, &bands));
    if (bands) DID(barrow_biography_band(w->heap, 'b', count - 1, 0, &band, name, sizeof name));
    tree(w, m, 5, 1);
  }
  MUST(w, nodes_of(w, r.kept, 1) == 15);
  BARROW_LEAVE(m, r);
}

/* The store of sets is the heap's: any thread empties it while others ask. */
static void retainers(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  size_t i;
  BARROW_ENTER(m, r);
  r.kept = tree(w, m, 4, 1);
  for (i = 0; i < w->rounds; i++) {
    barrow_retainer_set_t set;
    bool retains = false;
    uint32_t retainer = 0, number = 0, member = 0;
    uint64_t cost = 0;
    size_t count = 0, length = 0;
    char name[60];
    memset(&set, 0, sizeof set), set.size = (uint32_t)sizeof set;
    MAYBE(barrow_retainers_by(w->heap, NULL));
    MAYBE(barrow_retainer_sets_refresh(w->heap));
    MAYBE(barrow_retainer_of(m, r.kept, &retains, &retainer, &cost));
    MAYBE(barrow_retainer_set_add(w->heap, 0, retainer, &number));
    (void)barrow_retainer_set_has(w->heap, number, retainer);
    MAYBE(barrow_retainer_set_member(w->heap, number, 0, &member));
    MAYBE(barrow_retainer_sets(w->heap, &count));
    MAYBE(barrow_retainer_set(w->heap, number, &set));
    MAYBE(barrow_retainer_name(w->heap, number, 0, name, sizeof name, &length));
    MAYBE(barrow_retainer_text(w->heap, retainer, false, name, sizeof name, &length));
    MAYBE(barrow_retainer_set_of(m, (void **)&r.kept, &number));
    if (i % 16 == 15) MAYBE(barrow_retainer_sets_free(w->heap));
    tree(w, m, 4, 1);
    DID(barrow_safepoint(m));
  }
  MUST(w, nodes_of(w, r.kept, 1) == 15);
  BARROW_LEAVE(m, r);
}

/* ---- what belongs to no heap -------------------------------------------------------------------------------------------- */

static barrow_cc centres[3] = {BARROW_CC("one", "Calls", NULL), BARROW_CC("two", "Calls", NULL), BARROW_CC_OF_CAF("caf", "Calls", NULL)};
static barrow_ticky_function entered = BARROW_TICKY_FUNCTION("entered", "Calls", 0, "", "fun", "", 0);

static void names(task *w, barrow_mutator *m) {
  static uint64_t counters[THREADS][2];
  char file[60];
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    const char *label = NULL, *module = NULL, *source = NULL;
    barrow_config config;
    barrow_coverage *coverage = NULL;
    barrow_coverage_options options;
    barrow_coverage_module own = BARROW_COVERAGE_MODULE("Calls", 5, counters[w->number]);
    barrow_mix_options mix_options;
    barrow_mix *mix = NULL;
    barrow_box box;
    barrow_ccs *pushed;
    uint32_t minor = 99, hash = 0;
    size_t boxes = 0;
    int32_t argc = 3;
    char program[] = "p", rts[] = "+RTS", flag[] = "-A1m", line[40], *argv[4];
    argv[0] = program, argv[1] = rts, argv[2] = flag, argv[3] = NULL;
    DID(barrow_cc_register(centres, 3));
    pushed = barrow_ccs_push(barrow_ccs_special(BARROW_CCS_MAIN), &centres[i % 2]);
    MUST(w, pushed != NULL && barrow_ccs_of_number(pushed->number) == pushed && barrow_ccs_count() > pushed->number);
    DID(barrow_cc_names(centres[0].id, &label, &module, &source));
    MUST(w, strcmp(label, "one") == 0 && strcmp(module, "Calls") == 0);
    (void)barrow_retainer_of_ccs(pushed);
    barrow_ccs_enter_slow(m, &centres[0]);
    DID(barrow_ccs_leave_slow(m, barrow_ccs_special(BARROW_CCS_MAIN)));
    barrow_ccs_enter_caf(m, &centres[2]);
    barrow_ccs_enter_function_slow(m, pushed);
    DID(barrow_ccs_leave_slow(m, barrow_ccs_special(BARROW_CCS_MAIN)));
    DID(barrow_cost_tick(m, 1));
    DID(barrow_exception(m, "none", NULL, 0));
    DID(barrow_ticky_register(&entered, 1));
    MUST(w, barrow_ticky_row(m, &entered) != NULL && barrow_ticky_offset("ent_fun") != 0);
    MUST(w, barrow_window_offset("hp") == 0 && barrow_version() != NULL);
    MUST(w, barrow_abi_version(&minor) == BARROW_ABI_MAJOR && barrow_function_table(BARROW_ABI_MAJOR, 0) != NULL);
    DID(barrow_config_default(&config, sizeof config));
    NOT(barrow_info_check((const barrow_info *)1));
    MUST(w, barrow_last_status() == BARROW_E_ARG && strstr(barrow_last_error(), "info table") != NULL);
    MUST(w, strcmp(barrow_status_name(9), "BARROW_E_LOOP") == 0);
    DID(barrow_take_flags(&argc, argv, line, sizeof line));
    MUST(w, argc == 1 && strcmp(line, "-A1m") == 0);
    sprintf(file, "threads_reports.%lu.tix", (unsigned long)w->number);
    memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options, options.file = file;
    DID(barrow_coverage_new(&options, &coverage));
    DID(barrow_coverage_register(coverage, &own, 1));
    counters[w->number][1]++;
    DID(barrow_coverage_check(coverage));
    DID(barrow_coverage_write(coverage));
    MUST(w, strstr(barrow_coverage_file(coverage), file) != NULL);
    DID(barrow_coverage_unregister(coverage, &own, 1));
    barrow_coverage_forget(coverage);
    DID(barrow_coverage_free(coverage));
    remove(file);
    sprintf(file, "threads_reports.%lu.mix", (unsigned long)w->number);
    memset(&mix_options, 0, sizeof mix_options), mix_options.size = (uint32_t)sizeof mix_options;
    mix_options.file = file, mix_options.source = "a.toy", mix_options.tab_width = 4;
    DID(barrow_mix_begin(&mix_options, &mix));
    memset(&box, 0, sizeof box), box.size = (uint32_t)sizeof box, box.kind = BARROW_BOX_EXPRESSION;
    box.first_line = box.first_column = box.last_line = box.last_column = 1;
    DID(barrow_mix_add(mix, &box, &boxes));
    if (i % 2) {
      DID(barrow_mix_cancel(mix));
    } else {
      DID(barrow_mix_end(mix, &hash, &boxes));
    }
    remove(file);
    DID(barrow_safepoint(m));
  }
}

/* One coverage for all threads, and one module that all count in. */
static barrow_coverage *covered;
static uint64_t all_counted[2];

/* Each thread tells and takes back a module of its own, counts in both, and writes the file of all. */
static void covers(task *w, barrow_mutator *m) {
  static const char *const modules[THREADS] = {"A", "B", "C", "D", "E", "F", "G", "H"};
  static uint64_t counters[THREADS][2];
  barrow_coverage_module own = BARROW_COVERAGE_MODULE("", 7, counters[w->number]);
  size_t i;
  own.name = modules[w->number];
  for (i = 0; i < w->rounds; i++) {
    DID(barrow_coverage_register(covered, &own, 1));
    BARROW_TICK_SHARED(counters[w->number], 1);
    BARROW_TICK_SHARED(all_counted, 0);
    DID(barrow_coverage_check(covered));
    if (i % 4 == w->number % 4) DID(barrow_coverage_write(covered));
    MUST(w, strstr(barrow_coverage_file(covered), "threads_reports.tix") != NULL);
    DID(barrow_coverage_unregister(covered, &own, 1));
    DID(barrow_safepoint(m));
  }
}

static void names_from_eight(void) { from_eight("-A1m", slow_share(50), names); }

/* What was written to the standard error stream, but for words on profiles that were too short for a sample. */
static void pass_words_on(const char *path) {
  char line[300];
  FILE *words = fopen(path, "r");
  CHECK(words != NULL);
  while (words && fgets(line, sizeof line, words))
    if (!strstr(line, "profile has no")) fputs(line, stderr);
  if (words) fclose(words);
  remove(path);
}

static void remove_profiles(void) {
  char file[60] = "threads_reports.hp";
  unsigned long number;
  for (number = 2; remove(file) == 0; number++) sprintf(file, "threads_reports.%lu.hp", number);
  remove("threads_reports.prof");
  remove("threads_reports.ticky");
  remove("threads_reports.pprof");
}

static void profiles_with(const char *flags, size_t rounds) {
  int before = dup(2);
  marked = 0;
  fflush(stderr);
  CHECK(freopen("threads_reports.words", "w", stderr) != NULL);
  from_eight(flags, rounds, profiles);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  pass_words_on("threads_reports.words");
  CHECK(marked > 0);
  remove_profiles();
}

static void profiles_from_eight(void) {
  profiles_with("-A256k -p -r -po./threads_reports --sample-every=4k", slow_share(40));
  profiles_with("-A256k -DS -p -r -po./threads_reports --sample-every=4k", slow_share(10));
}

/* No tick is lost, whoever writes it. */
static void one_coverage_for_eight(void) {
  static char written[2000];
  barrow_coverage_module all = BARROW_COVERAGE_MODULE("All", 5, all_counted);
  barrow_coverage_options options;
  size_t rounds = slow_share(40), length;
  char wanted[60], name;
  FILE *file;
  memset(&options, 0, sizeof options), options.size = (uint32_t)sizeof options, options.file = "threads_reports.tix";
  remove("threads_reports.tix");
  CHECK_OK(barrow_coverage_new(&options, &covered));
  CHECK_OK(barrow_coverage_register(covered, &all, 1));
  from_eight("-A1m", rounds, covers);
  CHECK_OK(barrow_coverage_free(covered));
  file = fopen("threads_reports.tix", "r");
  length = file ? fread(written, 1, sizeof written - 1, file) : 0;
  if (file) fclose(file);
  written[length] = 0;
  sprintf(wanted, "\"All\" 5 2 [%lu,0]", (unsigned long)(THREADS * rounds));
  CHECK(strstr(written, wanted) != NULL);
  for (name = 'A'; name < 'A' + THREADS; name++) {
    sprintf(wanted, "\"%c\" 7 2 [0,%lu]", name, (unsigned long)rounds);
    CHECK(strstr(written, wanted) != NULL);
  }
  remove("threads_reports.tix");
}

static void spaces_from_eight(void) {
  size_t more;
  callers_told = 0;
  in_each_heap(20, spaces);
  /* The clock is a thread, which a busy machine may keep from running. */
  for (more = 0; more < 50 && callers_told == 0; more++) from_eight("-A256k", 20, spaces);
  CHECK(callers_told > 0);
}
static void biographies_from_eight(void) {
  from_eight("-A256k -hb -i0 -po./threads_reports", slow_share(60), biographies);
  from_eight("-A256k -hb -i0 -DS -po./threads_reports", slow_share(20), biographies);
  remove("threads_reports.hp");
}
static void retainers_from_eight(void) { from_eight("-A256k", slow_share(200), retainers); }

int main(void) {
  RUN(names_from_eight);
  RUN(one_coverage_for_eight);
  RUN(profiles_from_eight);
  RUN(spaces_from_eight);
  RUN(biographies_from_eight);
  RUN(retainers_from_eight);
  RUN(each_call_succeeds);
  return DONE;
}
