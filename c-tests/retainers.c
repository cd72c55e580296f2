/* Profiles by retainers: bands, sets, chains, schemes of the client's, statics, misuse. */
#define _DEFAULT_SOURCE
#define STEM "retainer-test"
#include "files.h"
#include "toy.h"

/* Variables A, B and C hold one another; C holds data. */
typedef struct variable { barrow_word header; void *content; } variable;
static const barrow_names a_names = {"A", "Var", "Chain", NULL}, b_names = {"B", "Var", "Chain", NULL},
                          c_names = {"C", "Var", "Chain", NULL};
#define VARIABLE(names) \
  {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_MUT_VAR, BARROW_FLAG_MUTABLE, 0, 1, 0, 0, 0, NULL, NULL, NULL, names}
static barrow_info a_info = VARIABLE(&a_names), b_info = VARIABLE(&b_names), c_info = VARIABLE(&c_names);

static void *hold(toy t, barrow_info *info, void *content) {
  struct { barrow_frame frame; void *content; } r;
  variable *v;
  r.content = content;
  BARROW_PUSH(t.m, r);
  v = (variable *)barrow_alloc(t.m, 2);
  v->header = (barrow_word)info;
  v->content = r.content;
  BARROW_LEAVE(t.m, r);
  return v;
}

static void chain(void) {
  toy t = toy_new("-poretainer-test -hr -i0 -L200 -sretainer-test.stats");
  struct { barrow_frame frame; void *a; node *free_list; } r;
  size_t count = 0, length = 0, charged = 0;
  uint32_t i;
  char name[100];
  const char *at;
  BARROW_ENTER(t.m, r);
  r.a = toy_list(t.m, 1000);
  r.a = hold(t, &c_info, r.a);
  r.a = hold(t, &b_info, r.a);
  r.a = hold(t, &a_info, r.a);
  r.free_list = toy_list(t.m, 10);
  CHECK_OK(barrow_census(t.m));

  CHECK_OK(barrow_retainer_sets(t.heap, &count));
  for (i = 1; i < count; i++) {
    barrow_retainer_set_t set;
    memset(&set, 0, sizeof set);
    set.size = sizeof set;
    CHECK_OK(barrow_retainer_set(t.heap, i, &set));
    if (!set.objects) continue;
    charged++;
    CHECK_EQ(set.members, 1);
    CHECK_OK(barrow_retainer_name(t.heap, i, 0, name, sizeof name, &length));
    CHECK_EQ(length, strlen(name));
    if (!strcmp(name, "Chain.C")) CHECK_EQ(set.objects, 1000);
    else if (!strcmp(name, "shadow stack")) CHECK_EQ(set.objects, 11); /* A, and the free list */
    else CHECK_EQ(set.objects, 1);
  }
  CHECK_EQ(charged, 4);
  CHECK_OK(barrow_retainer_name(t.heap, 2, 0, NULL, 0, &length));
  CHECK(length > 0);

  ANSWERS(BARROW_E_ARG, barrow_retainer_name(t.heap, 2, 7, name, sizeof name, &length));
  {
    barrow_retainer_set_t set;
    memset(&set, 0, sizeof set);
    REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, 2, &set));
    REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, 99, NULL));
    REFUSED(BARROW_E_ARG, barrow_retainer_set(t.heap, 0, NULL));
  }
  REFUSED(BARROW_E_STATE, barrow_retainers_by(t.heap, NULL)); /* while it runs */
  BARROW_LEAVE(t.m, r);
  toy_free(t);

  at = file(".stats");
  CHECK(strstr(at, "\n  RP      time ") && strstr(at, "\n  PROF    time "));
  removed(".stats");
  at = strstr(file(".prof"), "Retainer Profiling: 0, at ");
  CHECK(at && strstr(at, "visits per object = 1.0") && strstr(at, "Retainer sets created during profiling:\n"));
  CHECK(strstr(at, " = {<Chain.C>}") && strstr(at, " = {<shadow stack>}"));
  at = strstr(at, "<Chain.C>} ") ? NULL : strstr(at, "\n<Chain.C> ");
  CHECK(at && strstr(at, "  held by <Chain.B> ") && strstr(at, "    held by <Chain.A> ") &&
        strstr(at, "      held by <shadow stack> "));
  at = file(".hp");
  CHECK(strstr(at, ")C\t") && strstr(at, ")shadow_stack\t"));
  unlink("retainer-test.hp");
  unlink("retainer-test.prof");
}

/* Restrictions, and MANY. */
static void restricted(void) {
  toy t = toy_new("-poretainer-test -hr -R1 -hdC -i0 -L200");
  struct { barrow_frame frame; void *a, *b; } r;
  const char *hp;
  BARROW_ENTER(t.m, r);
  r.a = toy_list(t.m, 100);
  r.b = hold(t, &b_info, hold(t, &c_info, r.a));
  r.a = hold(t, &a_info, ((variable *)r.b)->content);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  hp = file(".hp");
  CHECK(strstr(hp, "\nMANY\t16\n")); /* C itself, held by A and B; nothing else counts */
  CHECK(!strstr(hp, ")shadow_stack"));
  unlink("retainer-test.hp");
  unlink("retainer-test.prof");
}

/* Who asks for the holders of one object between samples does not change the profile. */
static void asked_between_samples(void) {
  char *reports[2];
  int asks;
  for (asks = 0; asks < 2; asks++) {
    toy t = toy_new("-poretainer-test -hr -hdC -i0");
    struct { barrow_frame frame; void *a, *b; } r;
    void *cell;
    uint32_t set;
    BARROW_ENTER(t.m, r);
    r.a = hold(t, &a_info, toy_list(t.m, 100));
    r.b = hold(t, &b_info, hold(t, &c_info, NULL));
    CHECK_OK(barrow_census(t.m));
    cell = ((variable *)r.a)->content;
    r.a = hold(t, &b_info, r.b);
    if (asks) CHECK_OK(barrow_retainer_set_of(t.m, &cell, &set));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    reports[asks] = strdup(file(".prof"));
    removed(".hp"), removed(".prof");
  }
  for (asks = 0; asks < 2; asks++) CHECK(strstr(reports[asks], "\nRetainer sets created") != NULL);
  if (!check_failures) CHECK(!strcmp(strstr(reports[0], "\nRetainer sets"), strstr(reports[1], "\nRetainer sets")));
  free(reports[0]), free(reports[1]);
}

/* A name that a profile is restricted to, and that no census of it meets, is told of, though a question between them does. */
static void names_that_only_a_question_meets(void) {
  int asks;
  for (asks = 0; asks < 2; asks++) {
    toy t = toy_new("-poretainer-test -hr -hdC -i0");
    struct { barrow_frame frame; void *c; } r;
    uint32_t set = 0;
    int before;
    BARROW_ENTER(t.m, r);
    CHECK_OK(barrow_census(t.m));
    r.c = hold(t, &c_info, NULL);
    if (asks) CHECK_OK(barrow_retainer_set_of(t.m, &r.c, &set));
    CHECK_EQ(set != 0, asks);
    BARROW_LEAVE(t.m, r);
    fflush(stderr);
    before = dup(2);
    CHECK(freopen("retainer-test.words", "w", stderr) != NULL);
    CHECK_OK(barrow_profile_stop(t.m));
    fflush(stderr);
    dup2(before, 2);
    close(before);
    CHECK(strstr(last_of(".words"), "-hdC") != NULL);
    toy_free(t);
    removed(".hp"), removed(".prof");
  }
}

static void use_list(barrow_mutator *m, const node *list) {
  for (; list; list = list->left) barrow_use(m, list);
}

/* Who holds what is dragged: sets and phases at once, while what holds the data changes. */
/* The call keeps its object in a frame, of which a sample at its collection knows nothing. */
static void asked_at_a_sample(void) {
  toy t = toy_new("-poretainer-test -hr -in -A256k");
  static void *list;
  void *asked;
  uint32_t set;
  CHECK_OK(barrow_root_add(t.heap, "list", &list, 1, false));
  list = toy_list(t.m, 100);
  asked = list;
  CHECK_OK(barrow_retainer_set_of(t.m, &asked, &set));
  CHECK(asked == list);
  CHECK_OK(barrow_root_remove(t.heap, &list));
  toy_free(t);
  last_of(".hp");
  CHECK(strstr(text, "list") != NULL);
  CHECK(strstr(text, "shadow_stack") == NULL);
  removed(".prof");
}

static void of_what_is_dragged(void) {
  static const char *const flags[3] = {"", "-G1 --source=chunks -DS", "-A64k -c"};
  long size = (long)sizeof(node);
  int f;
  for (f = 0; f < 3; f++) {
    char line[200];
    toy t;
    struct { barrow_frame frame; node *kept, *unused; void *a, *b; } r;
    const char *hp;
    sprintf(line, "-poretainer-test -hr -hb -hy -hbdrag,void -hdnode_info -i0 -L200 %s", flags[f]);
    t = toy_new(line);
    BARROW_ENTER(t.m, r);
    r.a = hold(t, &a_info, toy_list(t.m, 100));
    r.b = hold(t, &b_info, NULL);
    r.kept = toy_list(t.m, 7);
    r.unused = toy_list(t.m, 3);
    CHECK_OK(barrow_census(t.m)); /* 1: held by A, to be used: lag */
    use_list(t.m, (node *)((variable *)r.a)->content);
    use_list(t.m, r.kept);
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_census(t.m)); /* 2: in use */
    CHECK_OK(barrow_census(t.m)); /* 3: dragged by A */
    barrow_write_word(t.m, r.b, (barrow_word *)&((variable *)r.b)->content, (barrow_word)((variable *)r.a)->content);
    CHECK_OK(barrow_census(t.m)); /* 4: by both */
    barrow_write_word(t.m, r.a, (barrow_word *)&((variable *)r.a)->content, 0);
    use_list(t.m, r.kept);
    CHECK_OK(barrow_census(t.m)); /* 5: by B alone; what is kept was used */
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    hp = file(".hr.hp");
    CHECK_EQ(labelled(hp, 1, "A"), 0);
    CHECK_EQ(labelled(hp, 2, "A"), 0);
    CHECK_EQ(labelled(hp, 3, "A"), 100 * size);
    CHECK_EQ(labelled(hp, 4, "A,B") + labelled(hp, 4, "B,A"), 100 * size);
    CHECK_EQ(labelled(hp, 5, "B"), 100 * size);
    CHECK_EQ(labelled(hp, 5, "A"), 0);
    CHECK_EQ(labelled(hp, 1, "shadow_stack"), 3 * size);
    CHECK_EQ(labelled(hp, 3, "shadow_stack"), 3 * size);
    CHECK_EQ(labelled(hp, 5, "shadow_stack"), 3 * size);
    CHECK_EQ(band(file(".hy.hp"), 3, "node_info"), 103 * size);
    CHECK_EQ(band(file(".hb.hp"), 3, "DRAG"), 100 * size);
    CHECK_EQ(band(text, 3, "VOID"), 3 * size);
    CHECK(strstr(file(".prof"), " = {<Chain.A>, <Chain.B>}") || strstr(text, " = {<Chain.B>, <Chain.A>}"));
    CHECK_EQ(strlen(file(".biography")), 0);
    removed(".hr.hp"), removed(".hy.hp"), removed(".hb.hp"), removed(".prof");
  }
}

/* The cost that the report tells of each census, in the order of the censuses; -1 behind the last. */
static long told_cost(const char *report, int census) {
  for (; census >= 0 && report; census--) report = strstr(report + 1, "Current total costs = ");
  return report ? atol(report + strlen("Current total costs = ")) : -1;
}

/* Phases restrict the report and the sets as they do the heap profile's file. */
static void phases_in_the_report(void) {
  toy t = toy_new("-poretainer-test -hr -hbdrag -hdnode_info -i0 -L200");
  struct { barrow_frame frame; node *kept; void *a, *b; } r;
  long size = (long)sizeof(node);
  size_t count = 0;
  uint32_t i;
  uint64_t cost = 0;
  BARROW_ENTER(t.m, r);
  r.a = hold(t, &a_info, toy_list(t.m, 100));
  r.kept = toy_list(t.m, 7);
  CHECK_OK(barrow_census(t.m)); /* not used yet: no drag */
  use_list(t.m, (node *)((variable *)r.a)->content);
  CHECK_OK(barrow_census(t.m)); /* in use */
  use_list(t.m, r.kept);
  CHECK_OK(barrow_census(t.m)); /* dragged by A, and the rest in use */
  CHECK_OK(barrow_retainer_sets(t.heap, &count));
  for (i = 1; i < count; i++) {
    barrow_retainer_set_t set;
    memset(&set, 0, sizeof set);
    set.size = sizeof set;
    CHECK_OK(barrow_retainer_set(t.heap, i, &set));
    cost += set.cost;
  }
  CHECK_EQ(cost, 100 * size);
  CHECK_EQ(strlen(file(".prof")), 0);
  use_list(t.m, r.kept);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_profile_stop(t.m));
  for (i = 1; i < count; i++) {
    barrow_retainer_set_t set;
    char name[100];
    size_t length;
    memset(&set, 0, sizeof set);
    set.size = sizeof set;
    CHECK_OK(barrow_retainer_set(t.heap, i, &set));
    if (!set.members) continue;
    CHECK_OK(barrow_retainer_name(t.heap, i, 0, name, sizeof name, &length));
    CHECK_EQ(set.cost, strcmp(name, "Chain.A") ? 0 : 100 * size);
    CHECK_EQ(set.charged, !strcmp(name, "Chain.A"));
  }
  toy_free(t);
  file(".prof");
  CHECK_EQ(told_cost(text, 0), 0);
  CHECK_EQ(told_cost(text, 1), 0);
  CHECK_EQ(told_cost(text, 2), 100 * size);
  CHECK_EQ(told_cost(text, 3), -1);
  CHECK(strstr(text, "{<Chain.A>}") != NULL && strstr(text, "{<shadow stack>}") == NULL);
  CHECK_EQ(labelled(file(".hp"), 3, "A"), 100 * size);
  removed(".hp"), removed(".prof");
}

/* Names of retainers restrict the other break-downs, biographical ones too; and that by retainers itself. */
static void by_names_of_retainers(void) {
  toy t = toy_new("-poretainer-test -hr -hy -hd -hrC,Nobody -i0 -L200");
  struct { barrow_frame frame; void *c; node *free_list; } r;
  long size = (long)sizeof(node);
  BARROW_ENTER(t.m, r);
  r.c = hold(t, &a_info, hold(t, &c_info, toy_list(t.m, 100)));
  r.free_list = toy_list(t.m, 10);
  CHECK_OK(barrow_census(t.m));
  fprintf(stderr, "(A word on -hrNobody is to be expected here.)\n");
  CHECK_OK(barrow_profile_start(t.m, "-hy -hbvoid -hrshadow_stack -hdnode_info -i0"));
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK_EQ(labelled(file(".hr.hp"), 1, "C"), 100 * size);
  CHECK_EQ(times(text, "\t"), 1);
  CHECK_EQ(band(file(".hy.hp"), 1, "node_info"), 100 * size);
  CHECK_EQ(times(text, "\t"), 1);
  CHECK_EQ(band(file(".hd.hp"), 1, "node_info"), 100 * size);
  CHECK_EQ(band(file(".2.hp"), 1, "node_info"), 0); /* of unknown use */
  CHECK_EQ(times(text, "BEGIN_SAMPLE"), 4);
  removed(".hr.hp"), removed(".hy.hp"), removed(".hd.hp"), removed(".prof"), removed(".2.hp"), removed(".2.prof");
}

/* What a frame's code mentions is held by the stack that the frame is on. */
static void frames_mention_statics(void) {
  static const barrow_info caf_table = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_THUNK_STATIC, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};
  static struct { const barrow_info *info; void *value; barrow_word link, saved; } caf;
  static void *const list[] = {&caf};
  static const barrow_srt mentioned = {sizeof(barrow_srt), 1, list};
  static barrow_info code = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_RETURN_FRAME, 0, 0, 0, 1, 0, 0, NULL, NULL, &mentioned, NULL};
  toy t = toy_new("-DS -poretainer-test -hr -i0 -L200");
  struct { barrow_frame frame; void *content; } r;
  size_t count = 0, found = 0;
  barrow_word *sp;
  void *stack;
  uint32_t i;
  caf.info = &caf_table;
  CHECK_OK(barrow_statics_add(t.heap, (void *const *)list, 1, false));
  BARROW_ENTER(t.m, r);
  stack = barrow_stack_new(t.m, NULL, 40);
  CHECK_OK(barrow_stack_enter(t.m, stack));
  sp = (barrow_word *)barrow_window_of(t.m)->sp - 2;
  sp[0] = (barrow_word)&code, sp[1] = 0;
  barrow_window_of(t.m)->sp = sp;
  r.content = toy_list(t.m, 100);
  CHECK_OK(barrow_new_caf(t.m, &caf, r.content));
  r.content = NULL;
  CHECK_OK(barrow_census(t.m));
  CHECK_OK(barrow_retainer_sets(t.heap, &count));
  for (i = 1; i < count; i++) {
    barrow_retainer_set_t set;
    memset(&set, 0, sizeof set);
    set.size = sizeof set;
    CHECK_OK(barrow_retainer_set(t.heap, i, &set));
    found += set.objects == 100;
  }
  CHECK_EQ(found, 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  removed(".hp"), removed(".prof");
}

/* Without a limit there is no MANY. */
static void without_limit(void) {
  toy t = toy_new("-poretainer-test -hr -R0 -hdnode_info -i0 -L200");
  struct { barrow_frame frame; void *a, *b; node *data; } r;
  BARROW_ENTER(t.m, r);
  r.data = toy_list(t.m, 5);
  r.a = hold(t, &a_info, r.data);
  r.b = hold(t, &b_info, r.data);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK(!strstr(file(".hp"), "MANY") && times(text, ",") == 2 && strstr(text, "\t160\n"));
  removed(".hp"), removed(".prof");
}

static int asked;
static int32_t only_b(void *client, const void *object) {
  CHECK(client == &asked);
  asked++;
  return barrow_info_of(object) == &b_info;
}
static uint32_t number(void *client, const void *object) {
  (void)client;
  return barrow_info_of(object) == &b_info ? 42 : 0;
}
static size_t name_of(void *client, uint32_t number, char *buffer, size_t bytes) {
  (void)client;
  return (size_t)snprintf(buffer, bytes, "the b of %u", number);
}
static size_t one(void *client, const void *object, size_t bytes) {
  (void)client, (void)object;
  CHECK(bytes >= 16);
  return 1;
}

static void of_the_client(void) {
  toy t = toy_new("");
  barrow_retainer_scheme scheme;
  struct { barrow_frame frame; void *a; } r;
  size_t count = 0;
  REFUSED(BARROW_E_STATE, barrow_retainer_sets(t.heap, &count));
  memset(&scheme, 0, sizeof scheme);
  REFUSED(BARROW_E_ARG, barrow_retainers_by(t.heap, &scheme));
  scheme.size = sizeof scheme;
  scheme.kinds = BARROW_RETAINERS_STRICT;
  CHECK((scheme.kinds & BARROW_RETAINERS_LAZY) == BARROW_RETAINERS_LAZY && (scheme.kinds >> BARROW_FUN & 1) == 1);
  CHECK_OK(barrow_retainers_by(t.heap, &scheme));
  scheme.kinds = 0;
  scheme.is_retainer = only_b;
  scheme.identity = number;
  scheme.name = name_of;
  scheme.cost = one;
  scheme.client = &asked;
  CHECK_OK(barrow_retainers_by(t.heap, &scheme));
  BARROW_ENTER(t.m, r);
  r.a = hold(t, &a_info, hold(t, &b_info, hold(t, &c_info, toy_list(t.m, 500))));
  CHECK_OK(barrow_profile_start(t.m, "-hr -i0 -L200"));
  CHECK_OK(barrow_census(t.m));
  CHECK(asked > 500);
  CHECK_OK(barrow_profile_stop(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_retainers_by(t.heap, NULL));
  toy_free(t);
}

/* A million cells: the walk has a stack of its own. */
static void deep(void) {
  toy t = toy_new("-poretainer-test -hr -i0");
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, getenv("BARROW_TEST_SLOW") ? 20000 : 1000000);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  CHECK(strstr(file(".hp"), ")shadow_stack\t"));
  unlink("retainer-test.hp");
  unlink("retainer-test.prof");
}

static barrow_cc late = BARROW_CC("late", "Late", "Main.src:9:1-20");

/* A space profile has numbers of its own for objects, which name no retainers: not when the program has cost centres either. */
static void beside_a_space_profile(void) {
  toy t = toy_new("-poretainer-test");
  barrow_space_options options;
  struct { barrow_frame frame; void *a; } r;
  barrow_ccs *before;
  uint32_t profile = 0;
  int i;
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.manner = BARROW_MANNER_SPACE;
  CHECK_OK(barrow_space_begin(t.m, &options, &profile));
  CHECK_OK(barrow_profile_start(t.m, "-hr -i0 -L200"));
  BARROW_ENTER(t.m, r);
  barrow_window_of(t.m)->function = &late;
  r.a = hold(t, &a_info, toy_list(t.m, 10));
  barrow_window_of(t.m)->function = NULL;
  for (i = 0; i < 2; i++) {
    CHECK_OK(barrow_census(t.m));
    before = barrow_ccs_enter(t.m, &late);
    barrow_ccs_leave(t.m, before);
  }
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_profile_stop(t.m));
  CHECK_OK(barrow_space_end(t.m, profile));
  for (i = 1; i <= 2; i++) CHECK_EQ(labelled(file(".hp"), i, "A"), 10 * (long)sizeof(node));
  removed(".hp"), removed(".prof");
  toy_free(t);
}

/* The names of a set's members, in one text. */
static const char *members_of(toy t, uint32_t number) {
  static char all[300];
  barrow_retainer_set_t set;
  size_t length = 0, used = 0;
  uint32_t i;
  memset(&set, 0, sizeof set);
  set.size = sizeof set;
  all[0] = 0;
  if (number == 0) return "nobody";
  CHECK_OK(barrow_retainer_set(t.heap, number, &set));
  for (i = 0; i < set.members; i++) {
    CHECK_OK(barrow_retainer_name(t.heap, number, i, all + used, sizeof all - used - 1, &length));
    used += length;
    all[used++] = ' ';
    all[used] = 0;
  }
  return all;
}

/* The holders of one object, asked for at any time, with a profile or without. */
static void of_one_object(void) {
  static const char *const flags[] = {"", "-DS -G1", "--source=chunks -c -A64k", "-poretainer-test -hr -i0",
                                       "-poretainer-test -hr -i0 --source=chunks"};
  int f;
  for (f = 0; f < 5; f++) {
    toy t = toy_new(flags[f]);
    struct { barrow_frame frame; void *a, *b; } r;
    void *cell;
    uint32_t set;
    const char *names;
    BARROW_ENTER(t.m, r);
    r.a = toy_list(t.m, 100);
    r.b = hold(t, &b_info, r.a);
    r.a = hold(t, &a_info, ((variable *)r.b)->content);
    cell = ((node *)((variable *)r.a)->content)->left;
    CHECK_OK(barrow_retainer_set_of(t.m, &cell, &set));
    CHECK(cell == ((node *)((variable *)r.a)->content)->left);
    names = members_of(t, set);
    CHECK_EQ(strlen(names), strlen("Chain.A Chain.B "));
    CHECK(strstr(names, "Chain.A ") && strstr(names, "Chain.B "));
    barrow_write_word(t.m, r.a, (barrow_word *)&((variable *)r.a)->content, 0);
    CHECK_OK(barrow_retainer_set_of(t.m, &cell, &set));
    CHECK(!strcmp(members_of(t, set), "Chain.B "));
    cell = r.b;
    CHECK_OK(barrow_retainer_set_of(t.m, &cell, &set));
    CHECK(cell == r.b && !strcmp(members_of(t, set), "shadow stack "));
    cell = toy_node(t.m, NULL, NULL, 7);
    CHECK_OK(barrow_retainer_set_of(t.m, &cell, &set));
    CHECK(set == 0 && ((node *)cell)->value == 7);
    CHECK_OK(barrow_collect(t.m, false));
    if (f >= 3) CHECK_OK(barrow_census(t.m));
    CHECK_OK(barrow_check(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    removed(".hp"), removed(".prof");
  }
}

/* Closures of a strict language hold, under flags alone: the scheme is in the configuration. */
static void of_the_configuration(void) {
  static const barrow_names closure_names = {"Closure", "Fun", "Main", NULL};
  static barrow_info closure_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_FUN, 0, 1, 1, 0, 0, 0, NULL, NULL, NULL, &closure_names};
  barrow_retainer_scheme scheme;
  barrow_config config;
  int strict;
  for (strict = 0; strict < 2; strict++) {
    toy t;
    struct { barrow_frame frame; void *f; } r;
    memset(&scheme, 0, sizeof scheme);
    scheme.size = sizeof scheme;
    scheme.kinds = BARROW_RETAINERS_STRICT;
    barrow_config_init(&config);
    config.retainers = strict ? &scheme : NULL;
    t = toy_new_with(&config, "-poretainer-test -hr -i0");
    scheme.kinds = 0; /* it was copied */
    BARROW_ENTER(t.m, r);
    r.f = hold(t, &closure_info, toy_list(t.m, 50));
    CHECK_OK(barrow_census(t.m));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
    CHECK_EQ(strstr(file(".prof"), "<Main.Closure>") != NULL, strict);
    CHECK_EQ(labelled(file(".hp"), 1, "Closure"), strict ? 50 * (long)sizeof(node) : 0);
    removed(".hp"), removed(".prof");
  }
  scheme.size = 8;
  barrow_config_init(&config);
  config.retainers = &scheme;
  {
    barrow_heap *heap;
    REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, NULL));
  }
}

int main(void) {
  RUN(of_one_object);
  RUN(of_the_configuration);
  RUN(chain);
  RUN(restricted);
  RUN(asked_between_samples);
  RUN(asked_at_a_sample);
  RUN(names_that_only_a_question_meets);
  RUN(of_what_is_dragged);
  RUN(phases_in_the_report);
  RUN(by_names_of_retainers);
  RUN(frames_mention_statics);
  RUN(without_limit);
  RUN(of_the_client);
  RUN(deep);
  RUN(beside_a_space_profile); /* registers a cost centre */
  return DONE;
}
