/* Static objects, reference tables, CAFs, and code that goes. */
#include "toy.h"

#define SRT(name, ...)                                    \
  static void *const name##_list[] = {__VA_ARGS__};       \
  static const barrow_srt name = {sizeof(barrow_srt), (uint32_t)(sizeof name##_list / sizeof(void *)), name##_list}
#define CODE(name, kind, ptrs, words, srt)                                                                        \
  static const barrow_names name##_names = {#name, #name, "c-tests", __FILE__};                                    \
  static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, 0, 0, ptrs, words, 0, 0, NULL, \
                             NULL, srt, &name##_names}

typedef struct caf { const barrow_info *info; void *value; barrow_word link; const barrow_info *saved; } caf;
typedef struct fun { const barrow_info *info; barrow_word link; } fun;
typedef struct con { const barrow_info *info; void *a, *b; barrow_word link; } con;

CODE(caf_info, BARROW_THUNK_STATIC, 0, 0, NULL);
CODE(con_info, BARROW_CONSTR_STATIC, 2, 0, NULL);
CODE(nil_info, BARROW_CONSTR, 0, 1, NULL);
CODE(nocaf_info, BARROW_CONSTR_NOCAF_STATIC, 1, 0, NULL);
CODE(plain_fun_info, BARROW_FUN_STATIC, 0, 0, NULL);
CODE(bad_info, BARROW_CONSTR, 1, 0, NULL);
CODE(selector_info, BARROW_SELECTOR, 1, 0, NULL);
CODE(tagged_info, BARROW_TAGGED, 2, 0, NULL);

static caf primes = {&caf_info, NULL, 0, NULL}, lonely = {&caf_info, NULL, 0, NULL}, deep = {&caf_info, NULL, 0, NULL};
static barrow_word nil[2];
SRT(deep_srt, &deep);
CODE(inner_info, BARROW_FUN_STATIC, 0, 0, &deep_srt);
static fun inner = {&inner_info, 0}, plain = {&plain_fun_info, 0};
static con pair = {&con_info, &inner, &plain, 0};
/* A function that mentions itself, a CAF, and a constructor. */
extern fun outer;
SRT(outer_srt, &outer, &primes, &pair, (char *)nil + 1);
CODE(outer_info, BARROW_FUN_STATIC, 0, 0, &outer_srt);
fun outer = {&outer_info, 0};
SRT(thunk_srt, &outer);
CODE(thunk_info, BARROW_THUNK, 1, 0, &thunk_srt);
CODE(fun_info, BARROW_FUN, 1, 0, &thunk_srt);

static void *all[] = {&primes, &lonely, &deep, &inner, &plain, &pair, &outer, nil};
enum { all_count = sizeof all / sizeof *all };

static void links_are_reset(void) {
  CHECK_EQ(primes.link, 0);
  CHECK_EQ(lonely.link, 0);
  CHECK_EQ(deep.link, 0);
  CHECK_EQ(inner.link, 0);
  CHECK_EQ(plain.link, 0);
  CHECK_EQ(pair.link, 0);
  CHECK_EQ(outer.link, 0);
}

static toy new_with_statics(const char *flags, bool keep) {
  toy t = toy_new(flags);
  nil[0] = (barrow_word)&nil_info;
  CHECK_OK(barrow_statics_add(t.heap, all, all_count, keep));
  return t;
}

static void *make(barrow_mutator *m, const barrow_info *info, size_t words) {
  barrow_word *at = barrow_alloc(m, words);
  memset(at, 0, words * 8);
  at[0] = (barrow_word)info;
  return at;
}

/* Enters a CAF as code does: a blackhole in the heap, which becomes the value. */
static void enter(toy t, caf *c, barrow_word value) {
  struct { barrow_frame frame; void *hole; } r;
  BARROW_ENTER(t.m, r);
  r.hole = make(t.m, barrow_table(t.heap, BARROW_CAF_BLACKHOLE), 2);
  CHECK_OK(barrow_new_caf(t.m, c, r.hole));
  CHECK(c->value == r.hole && c->saved == &caf_info && c->info->kind == BARROW_IND_STATIC);
  CHECK_OK(barrow_update(t.m, r.hole, toy_node(t.m, NULL, NULL, value)));
  BARROW_LEAVE(t.m, r);
}

static barrow_word value_of(const caf *c) {
  const void *at = c->value;
  while (barrow_info_of(at)->kind != BARROW_CONSTR) at = barrow_indirectee(at);
  return ((const node *)at)->value;
}

/* A thunk in the heap keeps what its code mentions, however deep; what no code mentions goes. */
static void cafs_live_with_their_code(void) {
  static const char *flags[] = {"-DS", "-DS -G1", "-DS -G4 -T1", "-DS --source=chunks", ""};
  size_t i;
  int round;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = new_with_statics(flags[i], false);
    struct { barrow_frame frame; void *code; } r;
    BARROW_ENTER(t.m, r);
    r.code = make(t.m, i & 1 ? &fun_info : &thunk_info, 3);
    enter(t, &primes, 10);
    enter(t, &deep, 20);
    enter(t, &lonely, 30);
    CHECK_EQ(barrow_cafs(t.heap), 3);
    for (round = 0; round < 6; round++) {
      CHECK_OK(barrow_collect(t.m, round >= 3));
      links_are_reset();
      CHECK_EQ(value_of(&primes), 10);
      CHECK_EQ(value_of(&deep), 20);
    }
    /* The collection found nobody who could ask for it, and made it what it was. */
    CHECK(lonely.info == &caf_info && lonely.value == NULL && lonely.saved == NULL);
    CHECK_EQ(barrow_cafs(t.heap), 2);
    CHECK_EQ(toy_stats(t).live_bytes, 2 * sizeof(node) + (i & 1 ? 16 : 24));
    r.code = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_cafs(t.heap), 0);
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    CHECK(primes.info == &caf_info && deep.info == &caf_info);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

enum { MANY = 400 };
static caf many[MANY];
static void *many_lists[MANY];
static barrow_srt many_srts[MANY];
static barrow_info many_infos[MANY];

/* A collection remembers in a few places which tables it has seen: of more tables, several share a place. */
static void tables_that_share_a_place(void) {
  static const caf fresh = {&caf_info, NULL, 0, NULL};
  toy t = toy_new("-DS");
  struct { barrow_frame frame; barrow_word *code, *last; } r;
  void *statics[MANY];
  int i, round, wrong = 0;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < MANY; i++) {
    barrow_srt table = {sizeof(barrow_srt), 1, NULL};
    many[i] = fresh;
    statics[i] = many_lists[i] = &many[i];
    table.statics = &many_lists[i];
    many_srts[i] = table;
    many_infos[i] = fun_info;
    many_infos[i].srt = &many_srts[i];
  }
  CHECK_OK(barrow_statics_add(t.heap, statics, MANY, false));
  for (i = 0; i < MANY; i++) {
    r.code = (barrow_word *)make(t.m, &many_infos[i], 2);
    r.code[1] = (barrow_word)r.last;
    r.last = r.code;
    enter(t, &many[i], (barrow_word)i);
  }
  for (round = 0; round < 2; round++) {
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(barrow_cafs(t.heap), MANY);
    for (i = 0; i < MANY; i++) wrong += many[i].info == &caf_info || value_of(&many[i]) != (barrow_word)i;
    CHECK_EQ(wrong, 0);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A root that holds a static, with a tag; a field that holds one; a selector out of one. */
static void pointers_to_statics(void) {
  toy t = new_with_statics("-DS", false);
  struct { barrow_frame frame; void *static_root; node *holder; void *selector; } r;
  BARROW_ENTER(t.m, r);
  enter(t, &deep, 7);
  r.static_root = (char *)&inner + 2;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(value_of(&deep), 7);
  CHECK(r.static_root == (char *)&inner + 2);
  r.static_root = NULL;
  r.holder = toy_node(t.m, (node *)(void *)&pair, NULL, 1);
  r.selector = make(t.m, &selector_info, 3);
  ((void **)r.selector)[2] = &pair;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(value_of(&deep), 7);
  CHECK(r.selector == &inner);
  CHECK(r.holder->left == (node *)(void *)&pair);
  r.holder = NULL;
  r.selector = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(deep.info == &caf_info);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The value stays remembered as long as it is younger than the oldest generation. */
static void values_grow_old(void) {
  toy t = new_with_statics("-DS -G3 -T3", false);
  struct { barrow_frame frame; void *code; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.code = &outer;
  enter(t, &primes, 1);
  for (i = 0; i < 10; i++) {
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(value_of(&primes), 1);
  }
  CHECK_EQ(barrow_generation_of(t.heap, primes.value), 2);
  /* Written once more, by hand. */
  primes.value = toy_node(t.m, NULL, NULL, 2);
  CHECK_OK(barrow_record_old_to_new(t.m, &primes));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(value_of(&primes), 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void kept_cafs_and_reverting(void) {
  static const char *flags[] = {"-DS", "-DS -G1"};
  int i;
  for (i = 0; i < 2; i++) {
    toy t = new_with_statics(flags[i], true);
    int round;
    enter(t, &lonely, 30);
    for (round = 0; round < 4; round++) {
      CHECK_OK(barrow_collect(t.m, round & 1));
      CHECK_EQ(value_of(&lonely), 30);
    }
    CHECK(barrow_kept_caf(t.heap, 0) == &lonely && barrow_kept_caf(t.heap, 1) == NULL);
    CHECK_OK(barrow_revert_cafs(t.m));
    CHECK(lonely.info == &caf_info && lonely.value == NULL && lonely.saved == NULL);
    CHECK_EQ(barrow_cafs(t.heap), 0);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_stats(t).live_bytes, 0);
    enter(t, &lonely, 31);
    CHECK_EQ(value_of(&lonely), 31);
    toy_free(t);
    /* With the heap, CAFs go back to what they were. */
    CHECK(lonely.info == &caf_info && lonely.value == NULL && lonely.saved == NULL);
  }
}

static void a_module_goes(void) {
  int keep;
  for (keep = 0; keep < 2; keep++) {
    static struct { caf top; fun code; } module;
    static con user;
    static void *module_list[1], *user_list[1];
    static const struct { int32_t roots, metas; } map = {1, 0};
    struct { void *next; const void *map; void *root; } entry = {NULL, &map, NULL};
    void *chain = &entry;
    barrow_config config;
    toy t;
    struct { barrow_frame frame; void *root; node *holder; } r;
    barrow_config_init(&config);
    config.tagged_pointers = 0x0202;
    config.address_mask = ~(size_t)7;
    t = toy_new_with(&config, "-DS");
    BARROW_ENTER(t.m, r);
    module.top.info = &caf_info;
    module_list[0] = &module.top;
    user.info = &con_info;
    user.a = &module.top, user.b = NULL;
    user_list[0] = &user;
    CHECK_OK(barrow_statics_add(t.heap, module_list, 1, keep));
    CHECK_OK(barrow_statics_add(t.heap, user_list, 1, false));
    enter(t, &module.top, 5);
    r.root = &module.top;
    REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &module, sizeof module));
    r.root = &user; /* by way of another static */
    REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &module, sizeof module));
    CHECK(strstr(barrow_last_error(), "con_info") != NULL);
    r.root = NULL;
    r.holder = toy_node(t.m, (node *)(void *)&module.top, NULL, 1);
    REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &module, sizeof module));
    CHECK(strstr(barrow_last_error(), "node_info") != NULL);
    CHECK_EQ(value_of(&module.top), 5);
    CHECK_EQ(module.top.link, 0);
    CHECK_EQ(user.link, 0);
    r.holder = (node *)make(t.m, &tagged_info, 3);
    ((void **)r.holder)[1] = (char *)&module.top + 1;
    REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &module, sizeof module));
    CHECK(strstr(barrow_last_error(), "tagged_info") != NULL);
    r.holder = NULL;
    entry.root = &module.top;
    CHECK_OK(barrow_attach_llvm_frames(t.m, &chain));
    REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &module, sizeof module));
    CHECK(strstr(barrow_last_error(), "in the module") != NULL);
    CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_OK(barrow_module_unregister(t.m, &module, sizeof module));
    CHECK(module.top.info == &caf_info);
    CHECK_EQ(barrow_cafs(t.heap), 0);
    memset(&module, 0xff, sizeof module);
    CHECK_OK(barrow_collect(t.m, true));
    memset(&module, 0, sizeof module);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Code that waits on a stack mentions statics too. */
CODE(stop_info, BARROW_STOP_FRAME, 2, 1, NULL);
CODE(frame_info, BARROW_RETURN_FRAME, 0, 1, &thunk_srt);

static void frames_mention_statics(void) {
  toy t = new_with_statics("-DS", false);
  barrow_window *w = barrow_window_of(t.m);
  CHECK_OK(barrow_stack_enter(t.m, barrow_stack_new(t.m, &stop_info, 100)));
  barrow_stack_push(t.m, &frame_info, 2)[1] = 6;
  enter(t, &primes, 3);
  enter(t, &deep, 4);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(value_of(&primes), 3);
  CHECK_EQ(value_of(&deep), 4);
  REFUSED(BARROW_E_STATE, barrow_module_unregister(t.m, &primes, sizeof primes));
  w->sp += 2;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(primes.info == &caf_info && deep.info == &caf_info);
  toy_free(t);
}

static void sections(void) {
  static struct { caf a, b; } section;
  toy t = toy_new("-DS"), other = toy_new("");
  section.a.info = section.b.info = &caf_info;
  CHECK_OK(barrow_statics_add_section(t.heap, &section, sizeof section, false));
  enter(t, &section.b, 4);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(value_of(&section.b), 4);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(section.b.info == &caf_info);
  REFUSED(BARROW_E_STATE, barrow_statics_add_section(t.heap, &section.b, sizeof(caf), false));
  REFUSED(BARROW_E_STATE, barrow_statics_add_section(other.heap, &section.b, sizeof(caf), false));
  toy_free(t);
  CHECK_OK(barrow_statics_add_section(other.heap, &section, sizeof section, true));
  toy_free(other);
}

static void misuse(void) {
  toy t = new_with_statics("", false), other = toy_new("");
  static con wrong = {&bad_info, NULL, NULL, 0}, linked = {&con_info, NULL, NULL, 9}, fine = {&con_info, NULL, NULL, 0};
  static con nocaf = {&nocaf_info, NULL, NULL, 0};
  static caf stale = {&caf_info, &wrong, 0, NULL};
  void *one[2];
  /* A static that refers to others and has no link word. */
  one[0] = &wrong;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 1, false));
  CHECK(strstr(barrow_last_error(), "no link word") != NULL);
  one[0] = &linked;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 1, false));
  one[0] = &stale;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 1, false));
  one[0] = (char *)&fine + 1;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 1, false));
  one[0] = NULL;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 1, false));
  one[0] = &fine, one[1] = &fine;
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, one, 2, false));
  one[0] = &nocaf, one[1] = &fine;
  CHECK_OK(barrow_statics_add(t.heap, one, 2, false));
  REFUSED(BARROW_E_STATE, barrow_statics_add(t.heap, one, 2, false));
  REFUSED(BARROW_E_STATE, barrow_statics_add(other.heap, all, all_count, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add(t.heap, NULL, 2, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add(NULL, one, 1, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add_section(t.heap, NULL, 8, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add_section(t.heap, &fine, 0, false));
  REFUSED(BARROW_E_ARG, barrow_statics_add_section(NULL, &fine, 8, false));
  REFUSED(BARROW_E_ARG, barrow_new_caf(t.m, &stale, NULL));
  REFUSED(BARROW_E_ARG, barrow_new_caf(t.m, &pair, NULL));
  REFUSED(BARROW_E_ARG, barrow_new_caf(NULL, &primes, NULL));
  CHECK_OK(barrow_new_caf(t.m, &primes, NULL));
  REFUSED(BARROW_E_ARG, barrow_new_caf(t.m, &primes, NULL));
  REFUSED(BARROW_E_ARG, barrow_revert_cafs(NULL));
  ANSWERS(0, barrow_cafs(NULL));
  ANSWERS(NULL, barrow_kept_caf(NULL, 0));
  toy_free(other);
  toy_free(t);
}

/* Words of CAFs that the client has changed by itself. */
static void damaged_cafs(void) {
  toy t = new_with_statics("-DS", true);
  struct { barrow_frame frame; node *young; } r;
  void *value;
  BARROW_ENTER(t.m, r);
  enter(t, &primes, 3);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  primes.link = 16;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "was entered, and has kind") != NULL);
  primes.link = 0;
  toy_free(t);
  t = new_with_statics("-DS", false);
  BARROW_ENTER(t.m, r);
  enter(t, &primes, 3);
  r.young = (node *)make(t.m, &thunk_info, 3); /* mentions it */
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_collect(t.m, true));
  value = primes.value;
  primes.value = toy_node(t.m, NULL, NULL, 4); /* no barrier */
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "a write barrier is missing") != NULL);
  primes.value = value;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  /* With several mutators a hole has an owner, and a value outside of the heap has none. */
  t = new_with_statics("--mutators=2", false);
  CHECK_OK(barrow_new_caf(t.m, &primes, nil));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(primes.info == &caf_info);
  toy_free(t);
}

int main(void) {
  RUN(cafs_live_with_their_code);
  RUN(tables_that_share_a_place);
  RUN(pointers_to_statics);
  RUN(values_grow_old);
  RUN(kept_cafs_and_reverting);
  RUN(a_module_goes);
  RUN(frames_mention_statics);
  RUN(sections);
  RUN(misuse);
  RUN(damaged_cafs);
  return DONE;
}
