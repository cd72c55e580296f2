/* Ticky counters: exact against what a program did, in two heaps at once; functions, the report, misuse. */
#define BARROW_TICKY
#include "toy.h"
#include <barrow/ticky.h>
#include <sys/stat.h>
#include <unistd.h>

INFO(int_thunk, BARROW_THUNK, 0, 0, 0, 1, 0, NULL, NULL);
INFO(field_thunk, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);

enum { BUILD, SUM, THUNK, NEVER, FUNCTIONS };
static barrow_ticky_function functions[FUNCTIONS] = {
  BARROW_TICKY_FUNCTION("build", "Main", 1, "i", NULL, NULL, BARROW_TICKY_EXPORTED),
  BARROW_TICKY_FUNCTION("sum", "Main", 2, "Li", "fun,se", NULL, 0),
  BARROW_TICKY_FUNCTION("sat_1", "Main", 0, NULL, "thk", "build", 0),
  BARROW_TICKY_FUNCTION("never", "Main", 0, NULL, NULL, NULL, 0),
};
static barrow_ticky_function late = BARROW_TICKY_FUNCTION("gr\xc3\xb6\xc3\x9f" "er\n", NULL, 3, ">M.", NULL, NULL, 0);

static const char *slurp(const char *name) {
  static char text[1 << 16];
  FILE *file = fopen(name, "r");
  size_t length = 0;
  if (file) {
    length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
  }
  text[length] = 0;
  return text;
}

static barrow_ticky counters(toy t) {
  barrow_ticky c;
  memset(&c, 0xa5, sizeof c);
  c.size = (uint32_t)sizeof c;
  CHECK_OK(barrow_ticky_counters(t.m, &c));
  CHECK_EQ(c.size, sizeof c);
  return c;
}

/* A list of `length` nodes of 4 words, each under a thunk of 3 words that is updated with it. */
static void program(barrow_mutator *m, size_t length) {
  struct { barrow_frame frame; void *list, *thunk; } r;
  size_t i;
  BARROW_ENTER(m, r);
  BARROW_TICKY_ENTER(m, &functions[BUILD]);
  for (i = 0; i < length; i++) {
    barrow_word *thunk = barrow_alloc(m, 3);
    node *n;
    BARROW_TICKY_COUNT(m, heap_chk_ctr);
    BARROW_TICKY_ALLOC_HEAP(m, 3);
    BARROW_TICKY_ALLOC_UP_THK(m, 3, 0);
    BARROW_TICKY_ALLOC_BY(m, &functions[BUILD], 3);
    BARROW_TICKY_ALLOC_OF(m, &functions[THUNK], 3);
    thunk[0] = (barrow_word)&int_thunk;
    thunk[1] = 0;
    thunk[2] = i;
    r.thunk = thunk;
    BARROW_TICKY_ENTER(m, &functions[THUNK]);
    BARROW_TICKY_COUNT(m, ent_dyn_thk_many_ctr);
    BARROW_TICKY_COUNT(m, updf_pushed_ctr);
    n = (node *)barrow_alloc(m, 4);
    BARROW_TICKY_COUNT(m, heap_chk_ctr);
    BARROW_TICKY_ALLOC_HEAP(m, 4);
    BARROW_TICKY_ALLOC_CON(m, 4, 0);
    BARROW_TICKY_ALLOC_BY(m, &functions[THUNK], 4);
    n->header = (barrow_word)&node_info;
    n->left = (node *)r.list;
    n->right = NULL;
    n->value = i;
    r.list = n;
    BARROW_TICKY_COUNT_N(m, ret_new, 3);
    BARROW_TICKY_COUNT_N(m, upd_con_in_new, 3);
    CHECK_OK(barrow_update(m, r.thunk, r.list));
  }
  BARROW_TICKY_ENTER(m, &functions[SUM]);
  BARROW_LEAVE(m, r);
}

static void check_counts(toy t, size_t length, const char *what) {
  barrow_ticky c = counters(t);
  barrow_stats_t stats = toy_stats(t);
  if (check_failures) fprintf(stderr, "%s\n", what);
  CHECK_EQ(c.heap_chk_ctr, 2 * length);
  CHECK_EQ(c.alloc_heap_ctr, 2 * length);
  CHECK_EQ(c.alloc_heap_tot, 56 * length);
  CHECK_EQ(c.alloc_up_thk_ctr, length);
  CHECK_EQ(c.alloc_thk_gds, 24 * length);
  CHECK_EQ(c.alloc_thk_adm, 16 * length);
  CHECK_EQ(c.alloc_thk_hst[1], length);
  CHECK_EQ(c.alloc_con_ctr, length);
  CHECK_EQ(c.alloc_con_gds, 32 * length);
  CHECK_EQ(c.alloc_con_hst[2], length);
  CHECK_EQ(c.ent_dyn_thk_many_ctr, length);
  CHECK_EQ(c.ret_new_hst[3], length);
  /* The library's own. Nothing was updated that was old, since no collection came between. */
  CHECK_EQ(c.upd_new_ind_ctr + c.upd_old_ind_ctr, length);
  CHECK_EQ(c.alloc_all_tot, 56 * length + c.alloc_rts_tot);
  CHECK_EQ(c.alloc_all_tot, stats.allocated_bytes);
  CHECK_EQ(c.gc_major_ctr, stats.major_collections);
  CHECK_EQ(c.gc_minor_ctr + c.gc_major_ctr, stats.collections);
  CHECK_EQ(c.gc_words_copied_ctr * 8, stats.copied_bytes);
}

static barrow_ticky_row_t row_of(toy t, const char *name) {
  size_t count = 0, i;
  barrow_ticky_row_t *rows, found;
  memset(&found, 0, sizeof found);
  CHECK_OK(barrow_ticky_functions(t.m, NULL, 0, &count));
  if (count == 0) return found;
  rows = (barrow_ticky_row_t *)calloc(count, sizeof *rows);
  rows[0].size = (uint32_t)sizeof *rows;
  CHECK_OK(barrow_ticky_functions(t.m, rows, count, NULL));
  for (i = 0; i < count; i++) {
    CHECK(i == 0 || rows[i].number < rows[i - 1].number);
    if (strcmp(rows[i].name, name) == 0) found = rows[i];
  }
  free(rows);
  return found;
}

static void check_functions(toy t, size_t length) {
  barrow_ticky_row_t build = row_of(t, "build"), thunk = row_of(t, "sat_1"), sum = row_of(t, "sum");
  CHECK(build.entries == 1 && build.allocated_by == 24 * length && build.allocated_of == 0);
  CHECK(thunk.entries == length && thunk.allocated_by == 32 * length && thunk.allocated_of == 24 * length);
  CHECK(sum.entries == 1 && sum.allocated_by == 0);
  CHECK(strcmp(build.module, "Main") == 0 && strcmp(build.arguments, "i") == 0 && strcmp(build.what, "fun") == 0);
  CHECK(strcmp(thunk.parent, "build") == 0 && strcmp(sum.what, "fun,se") == 0);
  CHECK(build.arity == 1 && build.flags == BARROW_TICKY_EXPORTED && sum.flags == 0 && sum.arity == 2);
  CHECK(row_of(t, "never").name == NULL);
}

static void two_heaps(void) {
  toy one = toy_new("-A64k"), two = toy_new("-A64k -G3");
  CHECK(barrow_window_of(one.m)->ticky != barrow_window_of(two.m)->ticky);
  CHECK_OK(barrow_ticky_register(functions, FUNCTIONS));
  CHECK(functions[NEVER].id == functions[BUILD].id + 3);
  CHECK_OK(barrow_ticky_register(functions, FUNCTIONS));
  CHECK(row_of(one, "build").name == NULL);
  program(one.m, 5000);
  program(two.m, 70);
  check_counts(one, 5000, "one");
  check_counts(two, 70, "two");
  check_functions(one, 5000);
  check_functions(two, 70);
  /* One function is first counted after the others' rows were there. */
  CHECK_EQ(late.id, 0);
  BARROW_TICKY_ENTER(two.m, &late);
  BARROW_TICKY_ENTER(two.m, &late);
  BARROW_TICKY_ALLOC_OF(one.m, &late, 2);
  CHECK_EQ(row_of(two, "gr\xc3\xb6\xc3\x9f" "er\n").entries, 2);
  CHECK_EQ(row_of(one, "gr\xc3\xb6\xc3\x9f" "er\n").allocated_of, 16);
  toy_free(two);
  check_functions(one, 5000);
  toy_free(one);
}

/* What the library counts by itself: objects made by calls, large ones, updates of old thunks, selectors. */
static void the_library_counts(void) {
  toy t = toy_new("-A64k -T1");
  struct { barrow_frame frame; barrow_word *thunk, *selector, *permanent; } r;
  barrow_ticky before, after;
  node *n;
  int i;
  BARROW_ENTER(t.m, r);
  before = counters(t);
  r.thunk = barrow_allocate(t.m, 3);
  r.thunk[0] = (barrow_word)&int_thunk;
  r.thunk[1] = r.thunk[2] = 0;
  r.permanent = barrow_alloc(t.m, 3);
  memcpy(r.permanent, r.thunk, 24);
  memset(barrow_allocate(t.m, 4000), 0, 32000);
  after = counters(t);
  CHECK_EQ(after.alloc_rts_ctr - before.alloc_rts_ctr, 2);
  CHECK(after.alloc_rts_tot - before.alloc_rts_tot >= 32024 && after.alloc_large_tot - before.alloc_large_tot >= 32000);
  n = toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_update_permanent(t.m, r.permanent, n));
  after = counters(t);
  CHECK_EQ(after.upd_new_perm_ind_ctr + after.upd_old_perm_ind_ctr, 1);
  for (i = 0; i < 3; i++) CHECK_OK(barrow_collect(t.m, true));
  n = toy_node(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_update(t.m, r.thunk, n));
  after = counters(t);
  CHECK(after.upd_old_ind_ctr == 1 && after.upd_new_ind_ctr == 0 && after.gc_major_ctr == 3 + before.gc_major_ctr);
  r.selector = barrow_alloc(t.m, 3);
  r.selector[0] = (barrow_word)&field_thunk;
  r.selector[1] = 0;
  r.selector[2] = 0;
  n = toy_node(t.m, (node *)r.permanent, NULL, 2);
  r.selector[2] = (barrow_word)n;
  before = counters(t);
  CHECK_OK(barrow_collect(t.m, true));
  after = counters(t);
  CHECK_EQ(after.gc_sel_major_ctr - before.gc_sel_major_ctr, 1);
  CHECK_EQ(after.gc_sel_abandoned_ctr, before.gc_sel_abandoned_ctr);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An object that is promoted refers to one that a root has led to before: it is in the younger generation by then. */
static void failed_promotions(void) {
  static barrow_info pair = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 0, 0, 0,
                             NULL, NULL, NULL, NULL};
  struct { barrow_frame frame; barrow_word *young, *old; } r;
  toy t = toy_new("-A64k -G2 -T2");
  int k;
  BARROW_ENTER(t.m, r);
  for (k = 0; k < 2; k++) {
    r.old = barrow_alloc(t.m, 3);
    r.old[0] = (barrow_word)&pair;
    r.old[1] = r.old[2] = 0;
    CHECK_OK(barrow_collect(t.m, false));
    r.young = barrow_alloc(t.m, 3);
    r.young[0] = (barrow_word)&pair;
    r.young[1] = r.young[2] = 0;
    /* Once with such a reference, and once without. */
    if (k == 0) barrow_write(t.m, r.old, &r.old[2], r.young);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(counters(t).gc_failed_promotion_ctr, 1);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static bool has(const char *text, const char *line) {
  bool found = strstr(text, line) != NULL;
  if (!found) fprintf(stderr, "not there: %s\n", line);
  return found;
}

static void reports(void) {
  toy t;
  struct stat seen;
  const char *text;
  unlink("ticky-end.ticky");
  t = toy_new("-A64k -rticky-end.ticky");
  program(t.m, 1000);
  CHECK(access("ticky-end.ticky", F_OK) != 0);
  CHECK_OK(barrow_ticky_report(t.m, "ticky-mid.ticky"));
  CHECK(has(slurp("ticky-mid.ticky"), "    1000 ENT_DYN_THK_MANY_ctr\n"));
  BARROW_TICKY_ENTER(t.m, &late);
  toy_free(t);
  CHECK(stat("ticky-end.ticky", &seen) == 0 && (seen.st_mode & 077) == 0);
  text = slurp("ticky-end.ticky");
  CHECK(strstr(text, "ticky") < strstr(text, " +RTS ") && has(text, "'-rticky-end.ticky' \n\nALLOCATIONS: 2000 (7000 words total: 3000 admin, 4000 goods, 0 slop)\n"));
  CHECK(has(text, "                total words:        2     3     4     5    6+\n"));
  CHECK(has(text, "       1000 ( 50.0%) thunks                           0.0 100.0   0.0   0.0   0.0\n"));
  CHECK(has(text, "       1000 ( 50.0%) data values                      0.0   0.0 100.0   0.0   0.0\n"));
  CHECK(has(text, "          0 (  0.0%) big tuples\n"));
  CHECK(has(text, "\nENTERS: 1000  of which 1000 (100.0%) direct to the entry code\n"));
  CHECK(has(text, "\nRET_NEW:                1000:   0.0%  0.0%  0.0%100.0%  0.0%"));
  CHECK(has(text, "\nUPDATE FRAMES: 1000 (0 omitted from thunks)\n"));
  CHECK(has(text, "\nUPDATES: 1000\n       1000 (100.0%) data values\n"));
  CHECK(has(text, "\nNEW GEN UPDATES: "));
  CHECK(has(text, "\n          1          0          0   3 >M.                  gr\xc3\xb6\xc3\x9f" "er\\u{a} (fun)\n"
                  "       1000      32000      24000   0                      sat_1 (Main) (thk) in build\n"
                  "          1          0          0   2 Li                   sum (Main) (fun,se)\n"
                  "          1      24000          0   1 i                    Main.build (fun)\n"));
  CHECK(strstr(text, "never") == NULL);
  CHECK(has(text, "\n       1000 RET_NEW_hst_3\n") && has(text, "\n          0 ENT_PERM_IND_ctr\n"));
  CHECK(has(text, "\n          0 GC_FAILED_PROMOTION_ctr\n") && has(text, " GC_WORDS_COPIED_ctr\n"));
  /* What flags make invalid is told. */
  t = toy_new("--squeeze --selectors=off -G1 -rticky-flags.ticky");
  toy_free(t);
  text = slurp("ticky-flags.ticky");
  CHECK(has(text, "          0 E!NT_PERM_IND_ctr requires +RTS -Z\n") && has(text, " U!PD_OLD_PERM_IND_ctr requires +RTS -Z\n"));
  CHECK(has(text, " G!C_SEL_MINOR_ctr requires +RTS --selectors=on\n") && has(text, " U!PD_OLD_IND_ctr requires +RTS -G2\n"));
  t = toy_new("--squeeze -Z -poticky-named -r");
  toy_free(t);
  CHECK(has(slurp("ticky-named.ticky"), "          0 ENT_PERM_IND_ctr\n"));
}

/* Counters are words that the client writes: whatever they hold, the library counts on, and there is a report. */
static void any_counts(void) {
  toy t = toy_new("");
  uint64_t *counters = (uint64_t *)(void *)barrow_window_of(t.m)->ticky;
  node *n;
  size_t i;
  for (i = 1; i < sizeof(barrow_ticky) / 8; i++) counters[i] = UINT64_MAX;
  barrow_ticky_row(t.m, &late)->entries = UINT64_MAX;
  n = (node *)barrow_allocate_pinned(t.m, 4, 8, 0);
  CHECK(n != NULL && barrow_window_of(t.m)->ticky->alloc_rts_ctr == 0);
  if (n) n->header = (barrow_word)&node_info, n->left = n->right = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_ticky_report(t.m, "ticky-any.ticky"));
  CHECK(has(slurp("ticky-any.ticky"), " ENT_DYN_THK_MANY_ctr\n"));
  unlink("ticky-any.ticky");
  memset(counters + 1, 0, sizeof(barrow_ticky) - 8);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  barrow_ticky c;
  barrow_ticky_row_t row;
  barrow_ticky_function wrong = BARROW_TICKY_FUNCTION("", NULL, 0, NULL, NULL, NULL, 0);
  struct { uint32_t size, reserved; uint64_t first, second; } small = {24, 0, 77, 77};
  struct { barrow_ticky known; uint64_t unknown[3]; } large;
  uint64_t lost;
  memset(&row, 0, sizeof row);
  memset(&c, 0, sizeof c);
  REFUSED(BARROW_E_ARG, barrow_ticky_register(NULL, 1));
  CHECK_OK(barrow_ticky_register(NULL, 0));
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&wrong, 1));
  wrong.name = "w\xff";
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&wrong, 1));
  wrong.name = "w";
  wrong.flags = 8;
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&wrong, 1));
  wrong.flags = 0;
  wrong.id = 12345;
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&wrong, 1));
  wrong.id = 0;
  wrong.size = 8;
  REFUSED(BARROW_E_ARG, barrow_ticky_register(&wrong, 1));
  /* Counts that cannot be counted go somewhere. */
  barrow_ticky_row(t.m, &wrong)->entries++;
  barrow_ticky_row(t.m, NULL)->entries++;
  barrow_ticky_row(NULL, &late)->entries++;
  lost = barrow_ticky_row(NULL, NULL)->entries;
  CHECK(lost >= 3);
  REFUSED(BARROW_E_ARG, barrow_ticky_counters(NULL, &c));
  REFUSED(BARROW_E_ARG, barrow_ticky_counters(t.m, NULL));
  REFUSED(BARROW_E_ABI, barrow_ticky_counters(t.m, &c));
  BARROW_TICKY_ADD(t.m, alloc_heap_ctr, 5);
  CHECK_OK(barrow_ticky_counters(t.m, (barrow_ticky *)(void *)&small));
  CHECK(small.size == 16 || small.size == 24);
  CHECK_EQ(small.first, 5);
  memset(&large, 0xa5, sizeof large);
  large.known.size = (uint32_t)sizeof large;
  CHECK_OK(barrow_ticky_counters(t.m, &large.known));
  CHECK(large.known.size == sizeof large.known && large.unknown[2] == 0);
  CHECK_EQ(barrow_ticky_offset("ALLOC_HEAP_ctr"), offsetof(barrow_ticky, alloc_heap_ctr));
  CHECK_EQ(barrow_ticky_offset("RET_NEW_hst"), offsetof(barrow_ticky, ret_new_hst));
  CHECK_EQ(barrow_ticky_offset("GC_WORDS_COPIED_ctr"), sizeof(barrow_ticky) - 8);
  CHECK(barrow_ticky_offset("size") == -1 && barrow_ticky_offset(NULL) == -1);
  REFUSED(BARROW_E_ARG, barrow_ticky_functions(NULL, NULL, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_ticky_functions(t.m, NULL, 1, NULL));
  REFUSED(BARROW_E_ABI, barrow_ticky_functions(t.m, &row, 1, NULL));
  CHECK_OK(barrow_ticky_functions(t.m, NULL, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_ticky_report(NULL, "ticky-none.ticky"));
  REFUSED(BARROW_E_IO, barrow_ticky_report(t.m, "no-such-folder/x.ticky"));
  REFUSED(BARROW_E_ARG, barrow_ticky_report(t.m, ""));
  toy_free(t);
  /* A file that cannot be written is known before the run. */
  barrow_config_init(&config);
  config.flags = "-rno-such-folder/x.ticky";
  REFUSED(BARROW_E_IO, barrow_heap_new(&config, &heap, &m));
  CHECK(heap == NULL && m == NULL);
}

int main(void) {
  RUN(two_heaps);
  RUN(the_library_counts);
  RUN(failed_promotions);
  RUN(reports);
  RUN(any_counts);
  RUN(misuse);
  return DONE;
}
