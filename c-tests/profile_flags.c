/* Flags of profiles as a person gives them: names as the files print them, names without end, capitals, and a sentence for a
 * profile that shows nothing. */
#define _DEFAULT_SOURCE
#define STEM "profile-flags"
#include "files.h"
#include "toy.h"

/* Names with blanks, one with a quotation mark, and one that is a keyword of the files. */
static const barrow_names blank_names = {"Pair of Ints", "Maybe a b", "My Module", __FILE__};
static const barrow_names odd_names = {"\"x\"", "DATE", "Other", __FILE__};
static barrow_info blank_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, NULL, NULL, NULL, &blank_names};
static barrow_info odd_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, NULL, NULL, NULL, &odd_names};
static barrow_cc outer = BARROW_CC("read all", "Main Part", "Main.src:1:1-20");
static barrow_cc inner = BARROW_CC("parse one", "Parser Part", "Parser.src:2:1-20");

static toy with(const char *flags) {
  char line[300];
  sprintf(line, "-po" STEM " %.200s", flags);
  return toy_new(line);
}

/* What the library says on the standard error stream between these two. */
static int before;
static FILE *said_to;
static void listen(void) {
  fflush(stderr);
  before = dup(2);
  said_to = fopen(STEM ".said", "w");
  dup2(fileno(said_to), 2);
}

static const char *said(void) {
  fflush(stderr);
  dup2(before, 2);
  close(before);
  fclose(said_to);
  return last_of(".said");
}

static int sentences(const char *whole, const char *part) {
  return times(whole, "\n") == 1 && strstr(whole, part) && strstr(whole, "; try ");
}

static node *list_of(toy t, barrow_info *info, int length) {
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  while (length-- > 0) {
    r.list = toy_node(t.m, r.list, NULL, 1);
    if (r.list) barrow_set_header(r.list, info);
  }
  BARROW_LEAVE(t.m, r);
  return r.list;
}

static long all_bytes(const char *hp) {
  const char *at;
  long sum = 0;
  for (at = strchr(hp, '\t'); at; at = strchr(at + 1, '\t')) sum += atol(at + 1);
  return sum;
}

/* One profile with these flags: bytes of all bands of its only sample, and nothing is said. */
static long shown(const char *flags) {
  toy t = with(flags);
  struct { barrow_frame frame; node *blank, *odd; } r;
  barrow_ccs *main_ccs = barrow_ccs_current(t.m);
  long sum;
  char name[100];
  BARROW_ENTER(t.m, r);
  barrow_ccs_enter(t.m, &outer);
  r.odd = list_of(t, &odd_info, 7);
  barrow_ccs_enter(t.m, &inner);
  r.blank = list_of(t, &blank_info, 11);
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  listen();
  CHECK_OK(barrow_heap_free(t.heap));
  CHECK_EQ(strlen(said()), 0);
  sum = all_bytes(file(".hp"));
  sprintf(name, STEM ".hp"), unlink(name);
  sprintf(name, STEM ".prof"), unlink(name);
  return sum;
}

static void names_as_they_are_printed(void) {
  long blank = 11 * (long)sizeof(node), odd = 7 * (long)sizeof(node);
  CHECK_EQ(shown("-hT -i0 -hdPair_of_Ints"), blank);
  CHECK_EQ(shown("-hT -i0 -hyMaybe_a_b"), blank);
  CHECK_EQ(shown("-hc -i0 -hyMaybe_a_b"), blank);
  CHECK_EQ(shown("-hy -i0 -hmMain_Part"), odd);
  CHECK_EQ(shown("-hy -i0 -hcread_all"), odd);
  CHECK_EQ(shown("-hy -i0 -hCread_all"), odd + blank);
  CHECK_EQ(shown("-hb -i0 -hdPair_of_Ints -hcparse_one"), blank);
  CHECK_EQ(shown("-hr -i0 -hdPair_of_Ints"), blank);
  CHECK_EQ(shown("-hT -i0 -hd'x\""), odd);
  CHECK_EQ(shown("-hT -i0 -hy<DATE>"), odd);
  CHECK_EQ(shown("-hT -i0 -hyDATE,Maybe_a_b"), odd + blank);
}

/* What was printed is what is asked for: the names of one profile restrict the next. */
static void from_one_profile_to_the_next(void) {
  static const char *const letters[] = {"d", "y", "m"};
  size_t i;
  for (i = 0; i < 3; i++) {
    toy t = with("");
    struct { barrow_frame frame; node *blank, *odd; } r;
    char flags[200], name[100] = "";
    const char *at;
    long bytes;
    BARROW_ENTER(t.m, r);
    r.blank = list_of(t, &blank_info, 11);
    r.odd = list_of(t, &odd_info, 7);
    sprintf(flags, "-h%s -i0", letters[i]);
    CHECK_OK(barrow_profile_start(t.m, flags));
    CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_profile_stop(t.m));
    at = strchr(file(".hp"), '\t');
    CHECK(at != NULL);
    if (at) {
      const char *begin = at;
      while (begin[-1] != '\n') begin--;
      sprintf(name, "%.*s", (int)(at - begin), begin);
      bytes = atol(at + 1);
      sprintf(flags, "-hT -h%s%.90s -i0", letters[i], name);
      CHECK_OK(barrow_profile_start(t.m, flags));
      CHECK_OK(barrow_census(t.m));
      CHECK_OK(barrow_profile_stop(t.m));
      CHECK_EQ(all_bytes(file(".2.hp")), bytes);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    removed(".hp"), removed(".2.hp");
  }
}

/* Capitals are what they are in GHC: the same break-down or restriction, but for -hC with names. */
static void capitals(void) {
  long blank = 11 * (long)sizeof(node), odd = 7 * (long)sizeof(node);
  CHECK_EQ(shown("-hC -i0"), odd + blank);
  CHECK_EQ(shown("-hM -i0 -hMMain_Part"), odd);
  CHECK_EQ(shown("-hD -i0 -hDPair_of_Ints"), blank);
  CHECK_EQ(shown("-hY -i0 -hYDATE"), odd);
  CHECK_EQ(shown("-hB -i0 -hBlag"), 0);
  CHECK_EQ(shown("-hR -i0 -hDPair_of_Ints"), blank);
}

/* Thousands of names, of which the last is the one that is there; and a name of files that is long. */
static void without_a_limit(void) {
  static char line[60000], back[60000];
  static const char *const by[] = {"-hT", "-hb", "-hr"};
  size_t i, length, kind;
  barrow_config config;
  toy t;
  for (kind = 0; kind < 3; kind++) {
    struct { barrow_frame frame; node *blank; } r;
    const char *at;
    barrow_config_init(&config);
    length = (size_t)sprintf(line, "-po");
    for (i = 0; i < 500; i++) length += (size_t)sprintf(line + length, "./");
    length += (size_t)sprintf(line + length, STEM " %s -i0 -hd", by[kind]);
    for (i = 0; i < 3000; i++) length += (size_t)sprintf(line + length, "nobody%d,", (int)i);
    sprintf(line + length, "Pair_of_Ints -hyMaybe_a_b");
    config.flags = line;
    CHECK_OK(barrow_heap_new(&config, &t.heap, &t.m));
    CHECK_OK(barrow_flag_value(t.heap, "-po", back, sizeof back));
    CHECK_EQ(strlen(back), 1000 + strlen(STEM));
    CHECK_OK(barrow_flag_value(t.heap, "-h", back, sizeof back));
    CHECK(strlen(back) > 30000 && strstr(back, "nobody2999,Pair_of_Ints -hyMaybe_a_b") != NULL);
    BARROW_ENTER(t.m, r);
    r.blank = list_of(t, &blank_info, 11);
    CHECK_OK(barrow_census(t.m));
    BARROW_LEAVE(t.m, r);
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    CHECK_EQ(times(said(), "nothing has that name"), 3000);
    at = strchr(file(".hp"), '\t');
    CHECK(at != NULL && atol(at + 1) == 11 * (long)sizeof(node));
    CHECK(strstr(text, "nobody2999,Pair_of_Ints -hyMaybe_a_b\"\nDATE") != NULL);
    removed(".hp"), removed(".prof");
  }
}

/* Names with commas, and lists in braces, in every restriction. */
static void commas_and_braces(void) {
  static const barrow_names comma_names = {"(,)", "(a,b)", "M,N", __FILE__};
  static const barrow_info comma_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_MUT_VAR, BARROW_FLAG_MUTABLE, 0,
                                         1, 0, 0, 0, NULL, NULL, NULL, &comma_names};
  static barrow_cc comma_cc = BARROW_CC("f,g", "M,N", "x");
  static const char *const rows[] = {"-hT -hd{(\\,),Other}", "-hT -hy(a\\,b)", "-hy -hmM\\,N", "-hd -hcnobody,f\\,g",
                                     "-hd -hC{f\\,g}",       "-hr -hd(\\,)",   "-hb -hd(\\,)"};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[200];
    toy t;
    struct { barrow_frame frame; barrow_word *one, *two; } r;
    barrow_ccs *before;
    const char *at;
    sprintf(line, "%.150s -i0", rows[i]);
    t = with(line);
    BARROW_ENTER(t.m, r);
    before = barrow_ccs_enter(t.m, &comma_cc);
    r.one = barrow_alloc(t.m, 2);
    r.one[0] = (barrow_word)&comma_info, r.one[1] = 0;
    barrow_ccs_leave(t.m, before);
    r.two = (barrow_word *)toy_node(t.m, NULL, NULL, 1);
    CHECK_OK(barrow_census(t.m));
    BARROW_LEAVE(t.m, r);
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    said();
    at = strchr(file(".hp"), '\t');
    if (!strncmp(rows[i], "-hb", 3)) CHECK_EQ(band(text, 1, "INHERENT_USE"), 16);
    else CHECK(at != NULL && atol(at + 1) == 16 && strchr(at + 1, '\t') == NULL);
    removed(".hp"), removed(".prof");
  }
}

/* A run that was too short, samples that nobody takes, and so on: one sentence, and the files are whole. */
static void without_a_sample(void) {
  static const struct { const char *flags, *why; } rows[] = {
    {"-hy -i1000", "no sample: the program ran for 0."},
    {"-hy -i0", "barrow_census"},
    {"-hy -hdnobody -i0", "barrow_census"},
    {"-hb -ib1g", "the first was due after 1073741824"},
    {"-hr -in", "no major collection"},
  };
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    toy t = with(rows[i].flags);
    const char *words;
    toy_node(t.m, NULL, NULL, 1);
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    words = said();
    if (!sentences(words, rows[i].why)) check_failed(__FILE__, __LINE__, rows[i].flags, words);
    CHECK_EQ(times(file(".hp"), "BEGIN_SAMPLE"), 2);
    removed(".hp"), removed(".prof");
  }
}

/* The advice can be followed. */
static void what_to_try_helps(void) {
  char flags[100] = "-hy -ib1g";
  int round;
  for (round = 0; round < 2; round++) {
    toy t = with(flags);
    const char *words, *at;
    int i;
    for (i = 0; i < 10000; i++) toy_node(t.m, NULL, NULL, 1);
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    words = said();
    at = strstr(words, "try -ib");
    CHECK((at != NULL) == (round == 0));
    if (at) sprintf(flags, "-hy %.20s", strtok((char *)(size_t)(at + 4), " ,;\n"));
    CHECK(times(file(".hp"), "BEGIN_SAMPLE") > 2 || round == 0);
    removed(".hp");
  }
}

/* The same for times: none of them is more than 0. */
static void without_a_tick(void) {
  static const struct { const char *flags, *why; } rows[] = {
    {"-p -V1000", "the time profile has no tick: the program ran for "},
    {"-P --tick-bytes=1g", "a tick falls due after 1073741824"},
  };
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = with(rows[i].flags);
    const char *words;
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    words = said();
    if (!sentences(words, rows[i].why)) check_failed(__FILE__, __LINE__, rows[i].flags, words);
    removed(".prof");
  }
  {
    toy t = with("-p -V0"); /* none were wanted */
    listen();
    CHECK_OK(barrow_heap_free(t.heap));
    CHECK_EQ(strlen(said()), 0);
    removed(".prof");
  }
}

static void new_is_refused(const char *flags, const char *why) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  barrow_config_init(&config);
  config.flags = flags;
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, &m));
  CHECK(heap == NULL && m == NULL);
  if (!strstr(barrow_last_error(), why)) check_failed(__FILE__, __LINE__, flags, barrow_last_error());
}

static void refused(void) {
  toy t = toy_new("");
  new_is_refused("-hdNode", "try -hT -hdNode");
  new_is_refused("-hbdrag -p", "try -hT -hbdrag");
  new_is_refused("-V0.00001", "0, or 0.0001 to 3600");
  new_is_refused("-V4000", "0, or 0.0001 to 3600");
  new_is_refused("-hy -i0.0000001", "0, or 0.000001 to 1000000000");
  new_is_refused("-hy -i-1", "out of range");
  REFUSED(BARROW_E_ARG, barrow_cost_ticks(t.m, 0.00001));
  REFUSED(BARROW_E_ARG, barrow_cost_ticks(t.m, 3601));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hdNode"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hy -?"));
  REFUSED(BARROW_E_ARG, barrow_profile_start(t.m, "-hy -i0.0000001"));
  toy_free(t);
}

int main(void) {
  RUN(names_as_they_are_printed);
  RUN(from_one_profile_to_the_next);
  RUN(capitals);
  RUN(without_a_limit);
  RUN(without_a_sample);
  RUN(what_to_try_helps);
  RUN(without_a_tick);
  RUN(refused);
  RUN(commas_and_braces); /* registers a cost centre */
  return DONE;
}
