/* Every flag has the effect that its name promises, in the stated direction. */
#define _DEFAULT_SOURCE
#include "toy.h"
#include <unistd.h>

/* Allocates `count` dead nodes. */
static void churn(toy t, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) toy_node(t.m, NULL, NULL, i);
}

/* Collections while `count` nodes are made, of which a list of `live` stays. */
static barrow_stats_t run(const char *flags, size_t count, size_t live) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list; } r;
  barrow_stats_t stats;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, live);
  churn(t, count);
  stats = toy_stats(t);
  CHECK_EQ(toy_sum(r.list), live * (live + 1) / 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return stats;
}

static void value(toy t, const char *flag, const char *expected) {
  char text[64] = "";
  CHECK_OK(barrow_flag_value(t.heap, flag, text, sizeof text));
  if (strcmp(text, expected) != 0) check_failed(__FILE__, __LINE__, flag, text);
}

static void A_size_of_the_nursery(void) {
  toy small = toy_new("-A64k"), large = toy_new("-A8m");
  CHECK_EQ(toy_state(small).nursery_blocks, 16);
  CHECK_EQ(toy_state(large).nursery_blocks, 2048);
  churn(small, 50000);
  churn(large, 50000);
  CHECK(toy_stats(small).collections > 20);
  CHECK_EQ(toy_stats(large).collections, 0);
  CHECK_EQ(toy_state(small).nursery_blocks, 16); /* and it stays so */
  value(small, "-A", "65536");
  toy_free(small);
  toy_free(large);
}

static void A_left_out_is_adaptive(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *list; } r;
  size_t before = toy_state(t).nursery_blocks;
  value(t, "-A", "adaptive");
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, toy_is_slow() ? 300000 : 2000000); /* everything survives */
  CHECK(toy_state(t).nursery_blocks >= before);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void n_size_of_its_chunks(void) {
  toy fine = toy_new("-A1m -n32k"), coarse = toy_new("-A1m -n512k");
  CHECK_EQ(toy_state(fine).nursery->blocks, 8);
  CHECK_EQ(toy_state(coarse).nursery->blocks, 128);
  value(fine, "-n", "32768");
  toy_free(fine);
  toy_free(coarse);
}

static void F_growth_of_the_oldest_generation(void) {
  struct { barrow_frame frame; node *list; } r;
  const char *flags[2] = {"-A256k -O64k -F1.2", "-A256k -O64k -F8"};
  uint64_t majors[2];
  int i, j;
  for (i = 0; i < 2; i++) {
    toy t = toy_new(flags[i]);
    BARROW_ENTER(t.m, r);
    for (j = 0; j < 40; j++) {
      node *list = toy_list(t.m, 5000);
      if (j % 4 == 0) r.list = list; /* some of it dies old */
      else r.list = toy_node(t.m, r.list, list, 0);
    }
    majors[i] = toy_stats(t).major_collections;
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
  CHECK(majors[0] > majors[1]);
}

static void O_least_size_of_an_old_generation(void) {
  toy small = toy_new("-O64k"), large = toy_new("-O32m");
  barrow_generation_state_t a, b;
  CHECK_OK(barrow_generation_state(small.heap, 1, &a));
  CHECK_OK(barrow_generation_state(large.heap, 1, &b));
  CHECK_EQ(a.max_blocks, 16);
  CHECK_EQ(b.max_blocks, 8192);
  toy_free(small);
  toy_free(large);
  CHECK(run("-A256k -T1 -O64k", 1000, 100000).major_collections >
        run("-A256k -T1 -O32m", 1000, 100000).major_collections);
  CHECK_EQ(run("-A256k -T1 -O32m", 1000, 100000).major_collections, 0);
}

static void G_number_of_generations(void) {
  char flag[32];
  int g;
  for (g = 1; g <= 8; g++) {
    toy t;
    struct { barrow_frame frame; node *n; } r;
    int i;
    sprintf(flag, "-G%d", g);
    t = toy_new(flag);
    CHECK_EQ(toy_state(t).n_generations, g);
    CHECK_EQ(toy_stats(t).generations, g);
    BARROW_ENTER(t.m, r);
    r.n = toy_list(t.m, 100);
    churn(t, 30000);
    for (i = 0; i < 20; i++) CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_generation_of(t.heap, r.n), g - 1);
    CHECK_EQ(toy_sum(r.n), 5050);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void T_collections_before_promotion(void) {
  char flag[32];
  int steps, i;
  for (steps = 1; steps <= 7; steps++) {
    toy t;
    struct { barrow_frame frame; node *n; } r;
    barrow_generation_state_t state;
    sprintf(flag, "-G2 -T%d", steps);
    t = toy_new(flag);
    CHECK_OK(barrow_generation_state(t.heap, 0, &state));
    CHECK_EQ(state.n_steps, steps);
    BARROW_ENTER(t.m, r);
    r.n = toy_node(t.m, NULL, NULL, 1);
    for (i = 0; barrow_generation_of(t.heap, r.n) == 0 && i < 20; i++) CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(i, steps);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void H_use_this_much_anyway(void) {
  CHECK(run("-A256k -H64m", 300000, 10).collections < run("-A256k", 300000, 10).collections);
  {
    toy t = toy_new("-A256k -H64m");
    churn(t, 20000);
    CHECK(toy_state(t).nursery_blocks > 64);
    value(t, "-H", "67108864");
    toy_free(t);
  }
  /* The nursery fills it without a size of its own too, from the beginning and between collections. */
  {
    toy t = toy_new("-H64m");
    CHECK(toy_state(t).nursery_blocks > 4096);
    churn(t, 20000);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(toy_state(t).nursery_blocks > 4096);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(toy_state(t).nursery_blocks > 4096);
    toy_free(t);
  }
}

static void M_limits_the_heap(void) {
  toy t = toy_new("-M16m");
  struct { barrow_frame frame; node *list, *n; } r;
  BARROW_ENTER(t.m, r);
  do r.n = toy_node(t.m, r.list, NULL, 1), r.list = r.n ? r.n : r.list;
  while (r.n);
  CHECK(strstr(barrow_last_error(), "limit 16 MiB") != NULL);
  CHECK(toy_sum(r.list) > 100000);
  r.list = NULL;
  BARROW_LEAVE(t.m, r);
  value(t, "-M", "16777216");
  CHECK_OK(barrow_heap_free(t.heap));
}

/* How many nodes fit before the heap says no. */
static size_t nodes_until_full(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *list, *n; } r;
  size_t count = 0;
  BARROW_ENTER(t.m, r);
  for (;;) {
    r.n = toy_node(t.m, r.list, NULL, 1);
    if (!r.n) break;
    r.list = r.n;
    count++;
  }
  r.list = NULL;
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  return count;
}

static void m_share_of_the_limit_that_stays_free(void) {
  size_t nearly_all = nodes_until_full("-M32m -m1"), half = nodes_until_full("-M32m -m50");
  CHECK(half < nearly_all);
  CHECK(strstr(barrow_last_error(), "-m") != NULL);
}

static void DS_finds_damage_by_itself(void) {
  toy plain = toy_new(""), checked = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  toy t[2];
  const char *all = getenv("BARROW_TEST_FLAGS");
  int i, j;
  t[0] = plain;
  t[1] = checked;
  for (i = 0; i < 2; i++) {
    BARROW_ENTER(t[i].m, r);
    r.n = toy_cell(t[i].m, NULL, NULL, 1);
    for (j = 0; j < 3; j++) CHECK_OK(barrow_collect(t[i].m, true));
    r.n->left = toy_node(t[i].m, NULL, NULL, 1); /* without a barrier */
    if (i == 1 || (all && strstr(all, "-DS"))) REFUSED(BARROW_E_DAMAGED, barrow_collect(t[i].m, true));
    else CHECK_OK(barrow_collect(t[i].m, true)); /* a major collection needs no barrier */
    r.n->left = NULL;
    BARROW_LEAVE(t[i].m, r);
    toy_free(t[i]);
  }
}

static void DZ_poisons_what_is_free(void) {
  toy t = toy_new("-A1m -DZ");
  node *dead = toy_node(t.m, NULL, NULL, 5);
  CHECK_EQ(dead->value, 5);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(dead->value == (barrow_word)0xdeadbeefdeadbeef && (dead->header & 7) != 0);
  toy_free(t);
}

static void stress_collects_all_the_time(void) {
  barrow_stats_t often = run("-A1m --stress=1", 1000, 100), seldom = run("-A1m --stress=100", 1000, 100);
  CHECK(often.collections > 1000);
  CHECK(often.major_collections > 100 && often.major_collections < often.collections - 100);
  CHECK(seldom.collections >= 9 && seldom.collections < 30);
  CHECK_EQ(run("-A1m", 1000, 100).collections, 0);
}

static void seed_changes_the_mixture(void) {
  uint64_t a = run("-A1m --stress=1 --seed=1", 500, 10).major_collections;
  uint64_t b = run("-A1m --stress=1 --seed=2", 500, 10).major_collections;
  uint64_t c = run("-A1m --stress=1 --seed=3", 500, 10).major_collections;
  CHECK_EQ(run("-A1m --stress=1 --seed=1", 500, 10).major_collections, a); /* repeatable */
  CHECK(a != b || b != c);
}

static void source_of_memory(void) {
  toy range = toy_new("--source=range -xr64m"), chunks = toy_new("--source=chunks"), either = toy_new("--source=auto");
  CHECK_EQ(toy_state(range).in_chunks, 0);
  CHECK_EQ(toy_state(chunks).in_chunks, 1);
  CHECK_EQ(toy_state(chunks).reserved_bytes, 0);
  value(range, "--source", "range");
  toy_free(range);
  toy_free(chunks);
  toy_free(either);
}

static void xr_reserves(void) {
  toy small = toy_new("--source=range -xr64m"), large = toy_new("--source=range -xr128m");
  struct { barrow_frame frame; void *bytes; } r;
  CHECK_EQ(toy_state(small).reserved_bytes, 64 << 20);
  CHECK_EQ(toy_state(large).reserved_bytes, 128 << 20);
  BARROW_ENTER(small.m, r);
  check_forget();
  CHECK(toy_bytes(small.m, 100 << 20) == NULL); /* used up, with a sentence */
  CHECK(strstr(barrow_last_error(), "-xr") != NULL);
  CHECK(toy_bytes(large.m, 100 << 20) != NULL);
  BARROW_LEAVE(small.m, r);
  toy_free(small);
  toy_free(large);
}

static size_t kept(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *live, *dies; } r;
  size_t held;
  BARROW_ENTER(t.m, r);
  r.live = toy_list(t.m, 100000);
  r.dies = toy_list(t.m, 300000);
  CHECK_OK(barrow_collect(t.m, true));
  r.dies = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  held = toy_stats(t).free_bytes;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return held;
}

static void Fd_free_memory_that_is_kept(void) {
  CHECK(kept("-A1m -Fd0") < kept("-A1m -Fd400"));
}

/* The kernel's word for "huge pages are advised", on the mapping that the heap begins in. */
static int advised(const char *flags) {
  toy t = toy_new(flags);
  size_t base = barrow_window_of(t.m)->heap_base, from, to;
  char line[512];
  int inside = 0, found = -1;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%zx-%zx ", &from, &to) == 2) inside = base >= from && base < to;
    if (inside && strncmp(line, "VmFlags:", 8) == 0) found = strstr(line, " hg") != NULL;
  }
  if (maps) fclose(maps);
  toy_free(t);
  return found;
}

static void huge_pages(void) {
  int on = advised("--source=range -xr64m --huge-pages=on"), off = advised("--source=range -xr64m --huge-pages=off");
  if (on < 0 || off < 0) return; /* the kernel does not tell, or memcheck answers for it */
  CHECK_EQ(off, 0);
  if (on == 0) printf("this kernel has no huge pages\n");
}

/* Makes a heap with a report in a file; gives its lines, and whether it has a text. */
static int report(const char *flags, const char *file, const char *text) {
  char line[512];
  int lines = 0, found = 0;
  FILE *written;
  toy t;
  remove(file);
  t = toy_new(flags);
  churn(t, 40000);
  CHECK_OK(barrow_collect(t.m, true));
  toy_free(t);
  written = fopen(file, "r");
  while (written && fgets(line, sizeof line, written)) {
    lines++;
    if (strstr(line, text)) found++;
  }
  if (!written) check_failed(__FILE__, __LINE__, flags, "no report");
  else fclose(written);
  remove(file);
  CHECK(found > 0);
  return lines;
}

static void reports(void) {
  int summary = report("-A64k -sflags.s", "flags.s", "allocated in the heap");
  int each = report("-A64k -Sflags.S", "flags.S", "allocated in the heap");
  int one = report("-A64k -tflags.t", "flags.t", "bytes");
  int pairs = report("-A64k -tflags.m --machine-readable", "flags.m", "(\"");
  CHECK(each > summary + 10); /* a line for each collection besides */
  CHECK(summary > 8);
  CHECK_EQ(one, 2); /* the command, and the line */
  CHECK(pairs > 5);
}

static void the_flags_read_back(void) {
  toy t = toy_new("-A128k -n64k -F1.5 -O2m -H1m -M1g -m5 -G3 -T4 -DS -DZ --stress=1000000 --seed=7 -xr512m -Fd10 "
                  "--huge-pages=off --marks=off --source=range -K1m -kc8k");
  value(t, "-A", "131072");
  value(t, "-F", "1.5");
  value(t, "-O", "2097152");
  value(t, "-m", "5");
  value(t, "-G", "3");
  value(t, "-T", "4");
  value(t, "-DS", "on");
  value(t, "-DZ", "on");
  value(t, "--stress", "1000000");
  value(t, "--seed", "7");
  value(t, "-xr", "536870912");
  value(t, "-K", "1048576");
  value(t, "-kc", "8192");
  value(t, "-Fd", "10");
  value(t, "--huge-pages", "off");
  value(t, "--marks", "off");
  value(t, "-s", "off");
  value(t, "-S", "off");
  value(t, "-t", "off");
  value(t, "--machine-readable", "off");
  value(t, "-c", "30");
  value(t, "--square-root-above", "off");
  toy_free(t);
  t = toy_new("-c45.5% --square-root-above=64m");
  value(t, "-c", "45.5");
  value(t, "--square-root-above", "67108864");
  toy_free(t);
  t = toy_new("-c");
  value(t, "-c", "always");
  toy_free(t);
}

/* What nobody gave reads as the help says, but for what the library has chosen: that is told as it is. */
static void what_is_not_given(void) {
  toy t = toy_new("--source=range");
  char text[64] = "";
  value(t, "--stress", "off");
  value(t, "--stop-at", "off");
  value(t, "--tick-bytes", "off");
  CHECK_OK(barrow_flag_value(t.heap, "-xr", text, sizeof text));
  CHECK(strtoull(text, NULL, 10) >= 16 << 20);
  toy_free(t);
  t = toy_new("--source=chunks");
  value(t, "-xr", "off");
  toy_free(t);
  t = toy_new("--seed=9007199254740993 -ib9007199254740993 --tick-bytes=9007199254742017 -sflags.s -Sflags.S -tflags.t -rflags.r");
  value(t, "--seed", "9007199254740993");
  value(t, "-ib", "9007199254740993");
  value(t, "--tick-bytes", "9007199254742017");
  value(t, "-s", "flags.s");
  value(t, "-S", "flags.S");
  value(t, "-t", "flags.t");
  value(t, "-r", "flags.r");
  toy_free(t);
  CHECK(remove("flags.s") == 0 && remove("flags.S") == 0 && remove("flags.t") == 0 && remove("flags.r") == 0);
}

static void flags_of_profiles_read_back(void) {
  toy t = toy_new("-V0.5 -poflags-stem --tick-bytes=4k -xc");
  value(t, "-V", "0.5");
  value(t, "-po", "flags-stem");
  value(t, "--tick-bytes", "4096");
  value(t, "-xc", "on");
  value(t, "-p", "off");
  value(t, "-P", "off");
  value(t, "-pa", "off");
  value(t, "-pj", "off");
  toy_free(t);
}

static void every_flag_has_help(void) {
  static const char *const flags[] = {
    "--machine-readable", "--stress=<n>", "--seed=<n>", "--mutators=<n>", "--slow-stop=<n>", "--workers=<n>[!]", "--sample-every=<size>", "--samples=[<file>]", "--space=[<file>]", "--stops=[<file>]", "--source=<word>", "--squeeze", "-K<size>", "-kc<size>", "--huge-pages=<word>", "--marks=<word>",
    "--selectors=<word>", "-xr<size>", "--tick-bytes=<size>", "-xc", "-DS", "-DZ", "-Fd<percent>", "-A<size>",
    "-n<size>", "-F<n>", "-O<size>", "--square-root-above=<size>", "-c[<percent>]", "--old=<word>", "-H[<size>]", "-M<size>",
    "-m<percent>", "-G<n>", "-T<n>", "-po<name>", "-pa", "-Pa", "-pj", "-p", "-P", "-V<n>", "-S[<file>]",
    "-s[<file>]", "-h[<letter>[<names>]]", "-ib<size>", "-in", "-iw<n>", "-ix<percent>", "-i<n>", "-xt", "-L<n>",
    "-t[<file>]", "-Z", "-DL", "-DB", "--faults", "--stop-at=<n>", "-r[<file>]", "-R<n>", "-?"};
  const char *help = barrow_flags_help();
  size_t i, lines = 0;
  for (i = 0; i < sizeof flags / sizeof *flags; i++)
    if (!strstr(help, flags[i])) check_failed(__FILE__, __LINE__, "no help", flags[i]);
  for (i = 0; help[i]; i++) lines += help[i] == '\n';
  CHECK_EQ(lines, sizeof flags / sizeof *flags); /* a flag that is new is tested here too */
}

/* `prog +RTS -?`: the list is for a terminal, and the program has a sentence instead of a heap. */
static void listed_for_a_person(void) {
  static char listed[20000];
  char program[] = "prog", on[] = "+RTS", question[] = "-?", flags[32];
  char *argv[] = {program, on, question, NULL};
  int32_t argc = 3;
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  size_t length, i, column = 0;
  int before = dup(2);
  FILE *file = fopen("flags.listed", "w+");
  CHECK_OK(barrow_take_flags(&argc, argv, flags, sizeof flags));
  barrow_config_init(&config);
  config.flags = flags;
  fflush(stderr);
  dup2(fileno(file), 2);
  check_forget();
  CHECK_EQ(barrow_heap_new(&config, &heap, &m), BARROW_E_ARG);
  CHECK_EQ(barrow_default_flags("-?"), BARROW_E_ARG);
  dup2(before, 2);
  close(before);
  CHECK(heap == NULL && m == NULL);
  CHECK(strstr(barrow_last_error(), "-?") != NULL);
  rewind(file);
  length = fread(listed, 1, sizeof listed - 1, file);
  fclose(file);
  remove("flags.listed");
  for (i = 0; i < length; i++) {
    column = listed[i] == '\n' ? 0 : column + 1;
    CHECK(column < 80);
  }
  CHECK(strstr(listed, "\n  -A<size> ") && strstr(listed, "\n  -h[<letter>[<names>]] ") && strstr(listed, "\n  -? "));
  {
    toy t = toy_new(""); /* and the flags of the default heap were not taken */
    value(t, "-?", "off");
    toy_free(t);
  }
}

static void from_the_command_line(void) {
  char program[] = "prog", a[] = "a", on[] = "+RTS", A[] = "-A1m", G[] = "-G3", off[] = "-RTS", b[] = "b";
  char *argv[] = {program, a, on, A, G, off, b, NULL};
  int32_t argc = 7;
  char flags[32];
  CHECK_OK(barrow_take_flags(&argc, argv, flags, sizeof flags));
  CHECK(strcmp(flags, "-A1m -G3") == 0);
  CHECK_EQ(argc, 3);
  CHECK(argv[1] == a && argv[2] == b && argv[3] == NULL);
}

static void the_end_of_flags(void) {
  char program[] = "prog", end[] = "--RTS", on[] = "+RTS", A[] = "-A1m";
  char *argv[] = {program, end, on, A, NULL};
  int32_t argc = 4;
  char flags[32];
  CHECK_OK(barrow_take_flags(&argc, argv, flags, sizeof flags));
  CHECK(strcmp(flags, "") == 0);
  CHECK_EQ(argc, 3);
  CHECK(argv[1] == on && argv[2] == A);
  argv[1] = on, argv[2] = A, argc = 3;
  REFUSED(BARROW_E_ARG, barrow_take_flags(&argc, argv, flags, 4));
  CHECK_EQ(argc, 3); /* nothing is changed when it fails */
}

int main(void) {
  RUN(A_size_of_the_nursery);
  RUN(A_left_out_is_adaptive);
  RUN(n_size_of_its_chunks);
  RUN(F_growth_of_the_oldest_generation);
  RUN(O_least_size_of_an_old_generation);
  RUN(G_number_of_generations);
  RUN(T_collections_before_promotion);
  RUN(H_use_this_much_anyway);
  RUN(M_limits_the_heap);
  RUN(m_share_of_the_limit_that_stays_free);
  RUN(DS_finds_damage_by_itself);
  RUN(DZ_poisons_what_is_free);
  RUN(stress_collects_all_the_time);
  RUN(seed_changes_the_mixture);
  RUN(source_of_memory);
  RUN(xr_reserves);
  RUN(Fd_free_memory_that_is_kept);
  RUN(huge_pages);
  RUN(reports);
  RUN(the_flags_read_back);
  RUN(flags_of_profiles_read_back);
  RUN(what_is_not_given);
  RUN(every_flag_has_help);
  RUN(listed_for_a_person);
  RUN(from_the_command_line);
  RUN(the_end_of_flags);
  return DONE;
}
