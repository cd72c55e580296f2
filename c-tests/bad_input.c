/* What a compiler or its run-time code may get wrong: what is said about it in checking mode, and what happens otherwise. */
#include "toy.h"

/* Refused with this code, in a sentence that has these words. */
#define SENTENCE(code, words, call) (REFUSED(code, call), says(__LINE__, words))
static void says(int line, const char *words) {
  if (!strstr(barrow_last_error(), words)) check_failed(__FILE__, line, words, barrow_last_error());
}

typedef struct { const barrow_info *info; void *a, *b; barrow_word link; } constructor;
INFO(unlinked_info, BARROW_CONSTR, 0, 0, 2, 0, 0, NULL, NULL);
INFO(linked_info, BARROW_CONSTR_STATIC, 0, 0, 2, 0, 0, NULL, NULL);

/* A kind for the heap has no link word: refused in either mode, and the heap knows nothing of it. */
static void a_static_without_a_link_word(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; void *to_it; node *young; } r;
  static constructor unlinked, linked;
  void *both[2];
  both[0] = &linked, both[1] = &unlinked;
  linked.info = &linked_info, unlinked.info = &unlinked_info;
  BARROW_ENTER(t.m, r);
  r.young = toy_node(t.m, NULL, NULL, 1);
  linked.a = unlinked.a = r.young;
  SENTENCE(BARROW_E_ARG, "no link word", barrow_statics_add(t.heap, both, 2, false));
  CHECK_EQ(linked.link, 0);
  /* All or nothing: neither is known, so neither is followed. */
  linked.a = unlinked.a = NULL;
  r.to_it = &unlinked;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.to_it == &unlinked && linked.link == 0 && r.young->value == 1);
  CHECK_OK(barrow_statics_add(t.heap, both, 1, false));
  linked.a = r.young;
  r.to_it = &linked, r.young = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(((node *)linked.a)->value, 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

INFO(plain_selector_info, BARROW_SELECTOR, 0, 2, 1, 0, 0, NULL, NULL);
INFO(far_selector_info, BARROW_SELECTOR, 0, 70, 1, 0, 0, NULL, NULL);
INFO(good_selector_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);

/* The collector reads no field that is not a pointer of the constructor: the selector stays what it is. */
static void a_selector_of_no_field(const char *flags, const barrow_info *selector) {
  toy t = toy_new(flags);
  bool checks = strstr(flags, "-DS") != NULL;
  struct { barrow_frame frame; void *from; barrow_word *selector; } r;
  barrow_word *s;
  BARROW_ENTER(t.m, r);
  r.from = toy_node(t.m, NULL, NULL, 0xdead); /* two pointers and a word that is none */
  s = barrow_alloc(t.m, 3);
  s[0] = (barrow_word)selector, s[1] = 0, s[2] = (barrow_word)r.from;
  r.selector = s;
  SENTENCE(BARROW_E_DAMAGED, "which has no pointer there", barrow_check(t.m));
  if (checks) {
    SENTENCE(BARROW_E_DAMAGED, "selects field", barrow_collect(t.m, false));
  } else {
    int round;
    for (round = 0; round < 4; round++) {
      CHECK_OK(barrow_collect(t.m, round & 1));
      CHECK_EQ(barrow_info_of(r.selector)->kind, BARROW_SELECTOR);
      CHECK(r.selector[2] == (barrow_word)r.from && ((node *)r.from)->value == 0xdead);
    }
  }
  barrow_set_header(r.selector, &good_selector_info);
  CHECK_OK(barrow_collect(t.m, false));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The bits from the third on are of words that the frame does not have. */
static barrow_info frame_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_RETURN_FRAME, 0, 0, 1, 1, 0, 1,
                                 NULL, NULL, NULL, NULL};

static void a_frame_with_an_impossible_bitmap(const char *flags) {
  toy t = toy_new(flags);
  bool checks = strstr(flags, "-DS") != NULL;
  void *stack = barrow_stack_new(t.m, NULL, 60);
  barrow_word kept, *sp;
  CHECK_OK(barrow_stack_enter(t.m, stack));
  frame_info.bitmap = 1;
  CHECK_OK(barrow_info_check(&frame_info));
  sp = barrow_stack_push(t.m, &frame_info, 3);
  sp[1] = 0;
  sp[2] = kept = 0x7777;
  CHECK_OK(barrow_collect(t.m, false));
  frame_info.bitmap = 1 | 4;
  SENTENCE(BARROW_E_ARG, "bitmap", barrow_info_check(&frame_info));
  SENTENCE(BARROW_E_ARG, "bitmap", barrow_stack_check(t.m, barrow_window_of(t.m)->stack));
  if (checks) {
    SENTENCE(BARROW_E_DAMAGED, "bitmap", barrow_collect(t.m, false));
    SENTENCE(BARROW_E_DAMAGED, "bitmap", barrow_check(t.m));
  }
  /* Undefined without checks, so not tried. */
  frame_info.bitmap = 1;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(barrow_window_of(t.m)->sp[2], kept);
  toy_free(t);
}

/* ---- weak pointers made in finalizers ------------------------------------------------------------------------------- */

static int runs, lives;
static toy running;

/* A second life for the key, and then a third: each weak pointer is made while the finalizer of the one before runs. */
static void makes_another(barrow_mutator *m, void *data, void *key, void *value) {
  struct { barrow_frame frame; void *key, *weak; } r;
  bool added = false;
  (void)value;
  runs++;
  CHECK(m == running.m);
  if (lives-- == 0) return;
  r.key = key;
  r.weak = NULL;
  BARROW_PUSH(m, r);
  r.weak = barrow_weak_new(m, r.key, NULL, NULL);
  CHECK(r.weak != NULL);
  CHECK_OK(barrow_weak_set_function(m, r.weak, makes_another, data, &added));
  CHECK(added);
  CHECK_OK(barrow_collect(m, true));
  CHECK(barrow_weak_alive(r.weak) && barrow_weak_key(r.weak) == r.key && ((node *)r.key)->value == 5);
  BARROW_LEAVE(m, r);
}

static void a_weak_pointer_made_in_a_finalizer(const char *flags) {
  bool by_hand;
  int round;
  for (round = 0; round < 2; round++) {
    running = toy_new(flags);
    by_hand = round == 1;
    runs = 0, lives = 3;
    {
      struct { barrow_frame frame; node *key; void *weak; } r;
      BARROW_ENTER(running.m, r);
      r.key = toy_node(running.m, NULL, NULL, 5);
      r.weak = barrow_weak_new(running.m, r.key, NULL, NULL);
      CHECK_OK(barrow_weak_set_function(running.m, r.weak, makes_another, NULL, NULL));
      r.key = NULL;
      if (by_hand) CHECK_OK(barrow_weak_finalize(running.m, r.weak, NULL));
      BARROW_LEAVE(running.m, r);
    }
    CHECK_EQ(runs, by_hand);
    while (runs < 4) { /* it dies as often as it lives */
      int before = runs;
      CHECK_OK(barrow_collect(running.m, true));
      CHECK_EQ(barrow_run_finalizers(running.m, NULL, NULL, 1), 1);
      if (runs != before + 1) break;
    }
    CHECK_EQ(runs, 4);
    CHECK_OK(barrow_collect(running.m, true));
    CHECK(!barrow_finalizers_due(running.m));
    CHECK_EQ(barrow_weak_count(running.m), 0);
    toy_free(running);
  }
}

static const char *expected;
/* Where none can be made: it is NULL, and the sentence says why. */
static void tries_to_make_one(void *key) {
  void *weak;
  runs++;
  check_forget();
  weak = barrow_weak_new(running.m, key, NULL, NULL);
  CHECK(weak == NULL);
  says(__LINE__, expected);
  SENTENCE(BARROW_E_STATE, expected, barrow_collect(running.m, false));
}

static void tries_at_the_end(barrow_mutator *m, void *data, void *key, void *value) {
  (void)data;
  (void)value;
  CHECK(m == NULL && ((node *)key)->value == 6);
  SENTENCE(0, "mutator", (int)(barrow_weak_new(m, key, NULL, NULL) != NULL));
  tries_to_make_one(key);
}

static void tries_when_told(void *client) {
  (void)client;
  tries_to_make_one(NULL);
}

/* Not in a pause, and not while the heap goes: in either mode. */
static void where_no_weak_pointer_can_be_made(const char *flags) {
  barrow_config config;
  barrow_config_init(&config);
  config.finalizers_ready = tries_when_told;
  running = toy_new_with(&config, flags);
  runs = 0;
  {
    struct { barrow_frame frame; node *key; void *weak; } r;
    BARROW_ENTER(running.m, r);
    r.key = toy_node(running.m, NULL, NULL, 6);
    r.weak = barrow_weak_new(running.m, r.key, NULL, NULL);
    CHECK_OK(barrow_weak_set_function(running.m, r.weak, tries_at_the_end, NULL, NULL));
    r.weak = barrow_weak_new(running.m, r.key, NULL, NULL);
    CHECK_OK(barrow_weak_set_function(running.m, r.weak, tries_at_the_end, NULL, NULL));
    expected = "a collection is running";
    r.key = NULL;
    CHECK_OK(barrow_collect(running.m, true));
    CHECK_EQ(runs, 1);
    expected = "the heap is being freed";
    BARROW_LEAVE(running.m, r);
  }
  toy_free(running);
  CHECK_EQ(runs, 3);
}

int main(void) {
  const char *modes[] = {"", "-DS", "-G1", "-DS -G3"};
  size_t i;
  for (i = 0; i < sizeof modes / sizeof *modes; i++) {
    /* The flags of the whole run may have turned the checks on. */
    const char *all = getenv("BARROW_TEST_FLAGS");
    const char *mode = all && strstr(all, "-DS") && !strstr(modes[i], "-DS") ? "-DS" : modes[i];
    check_case = mode;
    a_static_without_a_link_word(mode);
    a_selector_of_no_field(mode, &plain_selector_info);
    a_selector_of_no_field(mode, &far_selector_info);
    a_frame_with_an_impossible_bitmap(mode);
    a_weak_pointer_made_in_a_finalizer(mode);
    where_no_weak_pointer_can_be_made(mode);
  }
  return DONE;
}
