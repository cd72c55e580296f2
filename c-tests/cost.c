/* Cost centres: stacks as they are entered and left, entries, allocation to the byte, exceptions, misuse. */
#include "toy.h"
#include <setjmp.h>

static barrow_cc caf = BARROW_CC_OF_CAF("CAF", "Main", "<entire-module>");
static barrow_cc parse = BARROW_CC("parse", "Main", "Main.src:3:1-20");
static barrow_cc eval = BARROW_CC("eval", "Main", "Main.src:(5,1)-(9,30)");
static barrow_cc print_cc = BARROW_CC("print", "Main", NULL);

static barrow_cost cost(toy t, const barrow_ccs *stack) {
  barrow_cost row = *barrow_cost_of(t.m, stack);
  return row;
}

/* What was allocated while a stack was current, booked. */
static uint64_t bytes(toy t, const barrow_ccs *stack) {
  barrow_ccs *now = barrow_ccs_current(t.m);
  barrow_ccs_leave(t.m, now);
  return cost(t, stack).bytes;
}

static void enter_and_leave(void) {
  toy t = toy_new("-A256k");
  barrow_ccs *main_ccs = barrow_ccs_current(t.m), *outer, *before, *inner;
  CHECK_EQ(main_ccs->number, BARROW_CCS_MAIN);
  CHECK(barrow_ccs_special(BARROW_CCS_MAIN) == main_ccs);
  toy_node(t.m, NULL, NULL, 1);
  CHECK(barrow_ccs_enter(t.m, &parse) == main_ccs);
  outer = barrow_ccs_current(t.m);
  CHECK(parse.id != 0 && outer->centre == parse.id && outer->parent == main_ccs);
  toy_node(t.m, NULL, NULL, 2);
  toy_node(t.m, NULL, NULL, 3);
  before = barrow_ccs_enter(t.m, &eval);
  CHECK(before == outer);
  inner = barrow_ccs_current(t.m);
  CHECK(inner->parent == outer && inner->depth == 2 && inner->root == outer->number);
  /* Recursion: parse inside eval inside parse is parse. */
  CHECK(barrow_ccs_enter(t.m, &parse) == inner);
  CHECK(barrow_ccs_current(t.m) == outer);
  toy_node(t.m, NULL, NULL, 4);
  barrow_ccs_leave(t.m, inner);
  barrow_ccs_leave(t.m, before);
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_EQ(bytes(t, main_ccs), sizeof(node));
  CHECK_EQ(bytes(t, outer), 3 * sizeof(node));
  CHECK_EQ(bytes(t, inner), 0);
  CHECK_EQ(cost(t, outer).entries, 2);
  CHECK_EQ(cost(t, inner).entries, 1);
  CHECK_EQ(cost(t, main_ccs).entries, 0);
  CHECK(barrow_ccs_push(main_ccs, &parse) == outer);
  CHECK(barrow_ccs_of_number(inner->number) == inner);
  CHECK(barrow_ccs_count() > inner->number);
  toy_free(t);
}

/* A stack that was pushed without entering its centre has costs of its own, also when no centre was entered ever. */
static void pushed_and_not_entered(void) {
  toy t = toy_new("");
  barrow_ccs *main_ccs = barrow_ccs_current(t.m), *pushed = barrow_ccs_push(main_ccs, &print_cc);
  toy_node(t.m, NULL, NULL, 1);
  barrow_ccs_leave(t.m, pushed);
  CHECK(barrow_ccs_current(t.m) == pushed);
  toy_node(t.m, NULL, NULL, 2);
  toy_node(t.m, NULL, NULL, 3);
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_EQ(cost(t, main_ccs).bytes, sizeof(node));
  CHECK_EQ(cost(t, pushed).bytes, 2 * sizeof(node));
  CHECK_EQ(cost(t, pushed).entries, 0);
  toy_free(t);
}

static void functions_and_cafs(void) {
  toy t = toy_new("");
  barrow_ccs *main_ccs = barrow_ccs_current(t.m), *lexical, *called, *before;
  barrow_ccs_enter_caf(t.m, &caf);
  CHECK(barrow_ccs_current(t.m)->parent == main_ccs);
  barrow_ccs_enter(t.m, &eval);
  lexical = barrow_ccs_current(t.m);
  barrow_ccs_leave(t.m, main_ccs);
  barrow_ccs_enter(t.m, &parse);
  called = barrow_ccs_current(t.m);
  /* The function was made in CAF, eval: its eval is appended, its CAF is not. */
  before = barrow_ccs_enter_function(t.m, lexical);
  CHECK(before == called);
  CHECK(barrow_ccs_current(t.m)->centre == eval.id && barrow_ccs_current(t.m)->parent == called);
  CHECK(barrow_ccs_enter_function(t.m, barrow_ccs_current(t.m)) == barrow_ccs_current(t.m));
  barrow_ccs_leave(t.m, main_ccs);
  CHECK_EQ(cost(t, called).entries, 1);
  toy_free(t);
}

static unsigned long long state = 88172645463325252ull;
static size_t any(size_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (size_t)((state >> 11) % below);
}

/* Deep calls left by a jump: only values are restored. */
static jmp_buf landing;

static void deep(barrow_mutator *m, int depth) {
  static barrow_cc *const all[] = {&parse, &eval, &print_cc};
  barrow_ccs *before = barrow_ccs_enter(m, all[depth % 3]);
  toy_node(m, NULL, NULL, (barrow_word)depth);
  if (depth == 0) {
    if (any(2)) longjmp(landing, 1);
    barrow_ccs_leave(m, before);
    return;
  }
  deep(m, depth - 1);
  barrow_ccs_leave(m, before);
}

static void exceptions(void) {
  toy t = toy_new("-A64k");
  barrow_ccs *const handler = barrow_ccs_current(t.m);
  barrow_frame *const frames = barrow_frames_save(t.m);
  uint64_t at_handler;
  volatile int round;
  for (round = 0; round < 50; round++) {
    if (setjmp(landing) == 0) {
      deep(t.m, 100 + round);
      CHECK(barrow_ccs_current(t.m) == handler);
    } else {
      barrow_ccs_leave(t.m, handler);
      barrow_frames_restore(t.m, frames);
    }
  }
  at_handler = bytes(t, handler);
  toy_node(t.m, NULL, NULL, 0);
  CHECK(barrow_ccs_current(t.m) == handler);
  CHECK_EQ(bytes(t, handler) - at_handler, sizeof(node));
  toy_free(t);
}

/* Programs at random, in two heaps by turns: what is booked is what was counted, to the byte. */
enum { CENTRES = 12, MOST = 20000 };
static barrow_cc many[CENTRES] = {
  BARROW_CC("m0", "Many", NULL), BARROW_CC("m1", "Many", NULL), BARROW_CC("m2", "Many", NULL),
  BARROW_CC("m3", "Many", NULL), BARROW_CC("m4", "Many", NULL), BARROW_CC("m5", "Many", NULL),
  BARROW_CC("m6", "Many", NULL), BARROW_CC("m7", "Many", NULL), BARROW_CC("m8", "Many", NULL),
  BARROW_CC("m9", "Many", NULL), BARROW_CC("m10", "Many", NULL), BARROW_CC_OF_CAF("m11", "Many", NULL)};

typedef struct side {
  toy t;
  uint64_t wanted[MOST], entries[MOST];
  barrow_ccs *saved[64];
  int depth;
} side;

/* Allocates in one of the ways there are, and counts it. */
static void some_memory(side *s) {
  barrow_mutator *m = s->t.m;
  uint64_t *wanted = &s->wanted[barrow_ccs_current(m)->number];
  size_t words;
  barrow_word *hp, *hp_lim;
  switch (any(8)) {
    case 0:
      words = 2 + any(60);
      memset(barrow_allocate(m, words), 0, words * 8);
      break;
    case 1:
      words = 600 + any(3000);
      memset(barrow_allocate(m, words), 0, words * 8);
      break;
    case 2:
      words = 2 + any(20);
      memset(barrow_allocate_pinned(m, words, 16, 0), 0, words * 8);
      break;
    case 3:
      words = 500 + any(300);
      memset(barrow_alloc(m, words), 0, words * 8);
      break;
    case 4:
      words = any(400);
      if (barrow_reserve(m, 512))
        memset(barrow_bump(m, words), 0, words * 8);
      else
        words = 0;
      break;
    case 5:
      CHECK_OK(barrow_open_nursery(m, &hp, &hp_lim));
      words = (size_t)(hp_lim - hp) < 64 ? 0 : any(64);
      memset(hp, 0, words * 8);
      hp += words;
      if (any(4) == 0) {
        if (barrow_extend_nursery(m, &hp, &hp_lim)) CHECK_OK(barrow_close_nursery(m, hp));
      } else {
        CHECK_OK(barrow_close_nursery(m, hp));
      }
      break;
    default:
      words = 2 + any(30);
      memset(barrow_alloc(m, words), 0, words * 8);
      break;
  }
  *wanted += words * 8;
}

static void step(side *s) {
  barrow_mutator *m = s->t.m;
  switch (any(6)) {
    case 0:
    case 1:
      if (s->depth < 64) {
        s->saved[s->depth++] = barrow_ccs_enter(m, &many[any(CENTRES)]);
        s->entries[barrow_ccs_current(m)->number]++;
      }
      break;
    case 2:
      if (s->depth > 0) barrow_ccs_leave(m, s->saved[--s->depth]);
      break;
    case 3:
      if (s->depth > 0 && any(10) == 0) {
        s->depth = (int)any((size_t)s->depth);
        barrow_ccs_leave(m, s->saved[s->depth]);
      } else if (s->depth < 64 && any(4) == 0) {
        s->saved[s->depth++] = any(2) ? barrow_ccs_enter_caf(m, &many[CENTRES - 1])
                                      : barrow_ccs_enter_function(m, barrow_ccs_of_number((uint32_t)any(barrow_ccs_count())));
      }
      break;
    case 4:
      if (any(200) == 0) CHECK_OK(barrow_collect(m, any(3) == 0));
      break;
    default: some_memory(s);
  }
}

static void at_random(void) {
  static side sides[2];
  /* Also where something watches the changes of stacks, which go out of line then. */
  static const char *const first[] = {"-A64k -n32k", "-A64k -n32k --tick-bytes=1k", "-A64k -hc -i1000 -pocost-random"};
  static const char *const second[] = {"-A256k --stress=50", "-A256k --stress=50 --tick-bytes=10k", "-A256k -G1 --tick-bytes=3k"};
  int round, i, rounds = toy_is_slow() ? 3 : 30;
  for (round = 0; round < rounds; round++) {
    memset(sides, 0, sizeof sides);
    sides[0].t = toy_new(first[round % 3]);
    sides[1].t = toy_new(second[round % 3]);
    /* Before the first centre is entered, too. */
    for (i = 0; i < 20; i++) some_memory(&sides[i % 2]);
    for (i = 0; i < 4000 && barrow_ccs_count() < MOST - 1; i++) step(&sides[i % 2]);
    for (i = 0; i < 2; i++) {
      side *s = &sides[i];
      uint64_t sum = 0;
      uint32_t number;
      bytes(s->t, barrow_ccs_current(s->t.m));
      for (number = 0; number < barrow_ccs_count(); number++) {
        barrow_cost row = *barrow_cost_of(s->t.m, barrow_ccs_of_number(number));
        CHECK_EQ(row.bytes, s->wanted[number]);
        CHECK_EQ(row.entries, s->entries[number]);
        sum += row.bytes;
      }
      CHECK_EQ(sum, toy_stats(s->t).allocated_bytes);
      toy_free(s->t);
    }
  }
}

/* A mutator goes and another comes: the heap keeps its costs. */
static void detached(void) {
  toy t = toy_new("");
  barrow_mutator *second;
  barrow_ccs *outer;
  toy_node(t.m, NULL, NULL, 1);
  barrow_ccs_enter(t.m, &parse);
  outer = barrow_ccs_current(t.m);
  toy_node(t.m, NULL, NULL, 2);
  CHECK_OK(barrow_detach(t.m));
  CHECK_OK(barrow_attach(t.heap, &second));
  t.m = second;
  CHECK_EQ(barrow_ccs_current(t.m)->number, BARROW_CCS_MAIN);
  CHECK_EQ(bytes(t, outer), sizeof(node));
  barrow_ccs_enter(t.m, &parse);
  toy_node(t.m, NULL, NULL, 3);
  CHECK_EQ(bytes(t, outer), 2 * sizeof(node));
  CHECK_EQ(cost(t, outer).entries, 2);
  toy_free(t);
}

static void modules(void) {
  static barrow_cc plugin[2] = {BARROW_CC("load", "Plugin", NULL), BARROW_CC("run", "Plugin", NULL)};
  toy t = toy_new("");
  barrow_ccs *before, *stack;
  uint32_t number;
  CHECK_OK(barrow_cc_register(plugin, 2));
  CHECK_EQ(plugin[1].id, plugin[0].id + 1);
  CHECK_OK(barrow_cc_register(plugin, 2));
  number = plugin[1].id;
  before = barrow_ccs_enter(t.m, &plugin[1]);
  stack = barrow_ccs_current(t.m);
  barrow_ccs_enter(t.m, &parse);
  CHECK_EQ(barrow_module_unregister(t.m, plugin, sizeof plugin), BARROW_E_STATE);
  CHECK(strstr(barrow_last_error(), "run") != NULL);
  barrow_ccs_leave(t.m, before);
  CHECK_OK(barrow_module_unregister(t.m, plugin, sizeof plugin));
  CHECK_EQ(plugin[1].id, 0);
  /* It is loaded again: its costs are where they were. */
  barrow_ccs_enter(t.m, &plugin[1]);
  CHECK(plugin[1].id == number && barrow_ccs_current(t.m) == stack);
  CHECK_EQ(cost(t, stack).entries, 2);
  toy_free(t);
}

static void misuse(void) {
  static barrow_cc bad = BARROW_CC("", "Main", NULL);
  static barrow_cc used = {(uint16_t)sizeof(barrow_cc), 0, 77777777, "used", NULL, NULL};
  static barrow_ccs stack;
  toy t = toy_new("");
  barrow_ccs *main_ccs = barrow_ccs_current(t.m);
  CHECK(barrow_ccs_enter(t.m, &bad) == main_ccs && barrow_ccs_current(t.m) == main_ccs);
  CHECK(strstr(barrow_last_error(), "label") != NULL);
  CHECK(barrow_ccs_enter(t.m, &used) == main_ccs && barrow_ccs_current(t.m) == main_ccs);
  CHECK(barrow_ccs_enter_slow(t.m, NULL) == main_ccs && barrow_ccs_current(t.m) == main_ccs);
  CHECK(barrow_ccs_enter_slow(NULL, &parse) == main_ccs);
  CHECK(barrow_ccs_enter_caf(NULL, &parse) == main_ccs);
  CHECK(barrow_ccs_enter_caf(t.m, NULL) == main_ccs);
  CHECK(barrow_ccs_enter_function_slow(t.m, NULL) == main_ccs);
  CHECK(barrow_ccs_enter_function_slow(t.m, &stack) == main_ccs);
  CHECK(barrow_ccs_enter_function_slow(NULL, main_ccs) == main_ccs);
  CHECK_EQ(barrow_ccs_leave_slow(t.m, NULL), BARROW_E_ARG);
  CHECK_EQ(barrow_ccs_leave_slow(t.m, &stack), BARROW_E_ARG);
  CHECK_EQ(barrow_ccs_leave_slow(NULL, main_ccs), BARROW_E_ARG);
  CHECK(barrow_ccs_current(t.m) == main_ccs);
  CHECK_EQ(barrow_cc_register(NULL, 1), BARROW_E_ARG);
  CHECK_OK(barrow_cc_register(NULL, 0));
  CHECK_EQ(barrow_cc_register(&bad, 1), BARROW_E_ARG);
  CHECK(barrow_ccs_push(NULL, &parse) == NULL);
  CHECK(barrow_ccs_push(main_ccs, NULL) == NULL);
  CHECK(barrow_ccs_special(7) == NULL);
  CHECK(barrow_ccs_of_number(barrow_ccs_count()) == NULL);
  toy_free(t);
}

int main(void) {
  RUN(enter_and_leave);
  RUN(pushed_and_not_entered);
  RUN(functions_and_cafs);
  RUN(exceptions);
  RUN(at_random);
  RUN(detached);
  RUN(modules);
  RUN(misuse);
  return DONE;
}
