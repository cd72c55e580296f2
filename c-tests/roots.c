/* Roots: callbacks, ranges, frames, LLVM's chain, handles; restored over longjmp; malformed ones are refused. */
#include "toy.h"
#include <setjmp.h>
#include <time.h>

static node *table[3];
static barrow_word words[4];
static int called;

static void roots(void *client, barrow_visitor *visitor) {
  CHECK(client == (void *)&called);
  called++;
  barrow_visit(visitor, (void **)&table[0]);
  barrow_visit_named(visitor, "the table", (void **)&table[1], 2);
}

static void a_callback(void) {
  barrow_config config;
  toy t;
  node *before;
  barrow_config_init(&config);
  config.roots = roots;
  config.client = &called;
  t = toy_new_with(&config, "");
  table[0] = toy_list(t.m, 10);
  table[1] = toy_list(t.m, 20);
  table[2] = NULL;
  called = 0;
  before = table[0];
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(called >= 1);
  CHECK(table[0] != before); /* the root was rewritten */
  CHECK_EQ(toy_sum(table[0]), 55);
  CHECK_EQ(toy_sum(table[1]), 210);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(table[1]), 210);
  toy_free(t);
}

static void more_roots(void *client, barrow_visitor *visitor) { barrow_visit(visitor, (void **)client); }

static void for_one_collection(void) {
  toy t = toy_new("");
  node *list = toy_list(t.m, 100);
  CHECK_OK(barrow_collect_with(t.m, false, more_roots, &list));
  CHECK_EQ(toy_sum(list), 5050);
  CHECK_OK(barrow_collect_with(t.m, true, more_roots, &list));
  CHECK_EQ(toy_sum(list), 5050);
  CHECK_EQ(toy_stats(t).live_bytes, 100 * sizeof(node));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

/* Fixnums end in 0, pointers in 1: a stack of a virtual machine. */
static barrow_config tagged(void) {
  barrow_config config;
  barrow_config_init(&config);
  config.tagged_pointers = 0x0202; /* low bits 1 and 9 */
  config.address_mask = ~(size_t)7;
  return config;
}

static void word_roots(void *client, barrow_visitor *visitor) {
  (void)client;
  barrow_visit_word(visitor, &words[0]);
  barrow_visit_words(visitor, "stack", &words[1], 3);
}

static void a_stack_of_tagged_words(void) {
  barrow_config config = tagged();
  toy t;
  int i;
  config.roots = word_roots;
  t = toy_new_with(&config, "");
  words[0] = words[1] = words[2] = words[3] = 0;
  words[0] = (barrow_word)toy_list(t.m, 4) + 1;
  words[1] = 84;
  words[2] = (barrow_word)toy_list(t.m, 5) + 1;
  for (i = 0; i < 4; i++) {
    CHECK_OK(barrow_collect(t.m, i == 3));
    CHECK_EQ(words[0] & 7, 1);
    CHECK_EQ(toy_sum((node *)(words[0] - 1)), 10);
    CHECK_EQ(words[1], 84);
    CHECK_EQ(toy_sum((node *)(words[2] - 1)), 15);
  }
  toy_free(t);
}

static void registered(void) {
  barrow_config config = tagged();
  toy t = toy_new_with(&config, "");
  static node *list;
  static barrow_word word;
  list = NULL;
  word = 0;
  CHECK_OK(barrow_root_add(t.heap, "list", &list, 1, false));
  CHECK_OK(barrow_root_add(t.heap, NULL, &word, 1, true));
  list = toy_list(t.m, 10);
  word = (barrow_word)toy_list(t.m, 20) + 1;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(list), 55);
  CHECK_EQ(toy_sum((node *)(word - 1)), 210);
  CHECK_EQ(toy_stats(t).live_bytes, 30 * sizeof(node));
  CHECK_OK(barrow_root_remove(t.heap, &list));
  CHECK_OK(barrow_root_remove(t.heap, &word));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

/* A root for each of very many objects: to take one back takes no longer than with few. */

/* A client's table may be empty for now: wherever it says that it is, nothing is read there. */
static void an_empty_range(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *n; } r;
  void *nowhere = (void *)(4096 * sizeof(void *));
  const barrow_held *steps = NULL;
  size_t count = 0;
  BARROW_ENTER(t.m, r);
  r.n = toy_list(t.m, 10);
  CHECK_OK(barrow_root_add(t.heap, "none", NULL, 0, false));
  CHECK_OK(barrow_root_add(t.heap, "none", nowhere, 0, true));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_why(t.m, r.n, &steps, &count));
  CHECK_EQ(toy_sum(r.n), 55);
  CHECK_OK(barrow_root_remove(t.heap, NULL));
  CHECK_OK(barrow_root_remove(t.heap, nowhere));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void very_many_registered(void) {
  int i, count = toy_is_slow() ? 3000 : 300000;
  node **slots = (node **)calloc((size_t)count, sizeof *slots);
  toy t = toy_new("");
  clock_t begun;
  for (i = 0; i < count; i++) {
    CHECK_OK(barrow_root_add(t.heap, NULL, &slots[i], 1, false));
    if (i % 100 == 0) slots[i] = toy_node(t.m, NULL, NULL, (barrow_word)i);
  }
  begun = clock();
  for (i = count - 1; i > 0; i -= 2) CHECK_OK(barrow_root_remove(t.heap, &slots[i]));
  CHECK((double)(clock() - begun) / CLOCKS_PER_SEC < 3);
  CHECK_OK(barrow_collect(t.m, true));
  for (i = 0; i < count; i += 100) CHECK_EQ(slots[i]->value, i);
  for (i = 0; i < count; i += 2) CHECK_OK(barrow_root_remove(t.heap, &slots[i]));
  REFUSED(BARROW_E_ARG, barrow_root_remove(t.heap, &slots[0]));
  toy_free(t);
  free(slots);
}

static void nested_frames(void) {
  toy t = toy_new("-A64k -DS");
  struct { barrow_frame frame; node *tree; } r;
  BARROW_ENTER(t.m, r);
  CHECK(r.tree == NULL);
  r.tree = toy_tree(t.m, 12);
  CHECK_EQ(toy_count(r.tree), 8191);
  CHECK(barrow_frames_save(t.m) == &r.frame);
  CHECK_OK(barrow_check_frames(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK(barrow_frames_save(t.m) == NULL);
  toy_free(t);
}

static void a_frame_of_tagged_words(void) {
  barrow_config config = tagged();
  toy t = toy_new_with(&config, "");
  struct { barrow_frame frame; barrow_word a, b; } r;
  BARROW_ENTER_TAGGED(t.m, r);
  CHECK_EQ(r.a + r.b, 0);
  r.a = (barrow_word)toy_list(t.m, 10) + 1;
  r.b = 42;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)(r.a - 1)), 55);
  CHECK_EQ(r.b, 42);
  BARROW_LEAVE(t.m, r);
  /* The same with values that are there already. */
  r.a = (barrow_word)toy_list(t.m, 20) + 1;
  r.b = 43;
  BARROW_PUSH_TAGGED(t.m, r);
  CHECK_EQ(r.frame.count, 2 + BARROW_FRAME_TAGGED);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)(r.a - 1)), 210);
  CHECK_EQ(r.b, 43);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void tags_survive_moves(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *tagged; } r;
  BARROW_ENTER(t.m, r);
  r.tagged = (node *)((char *)toy_list(t.m, 3) + 5);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ((size_t)r.tagged & 7, 5);
  CHECK_EQ(toy_sum((node *)((char *)r.tagged - 5)), 6);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static jmp_buf out;
static volatile bool jumps = true;

static void dive(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *a, *b; } r;
  BARROW_ENTER(m, r);
  r.a = toy_node(m, NULL, NULL, (barrow_word)depth);
  if (depth > 0) dive(m, depth - 1);
  else if (jumps) longjmp(out, 1);
  BARROW_LEAVE(m, r);
}

static void a_jump_over_frames(void) {
  toy t = toy_new("-A64k");
  struct { barrow_frame frame; node *list; } r;
  barrow_frame *saved;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 10);
  saved = barrow_frames_save(t.m);
  if (setjmp(out) == 0) dive(t.m, 50);
  barrow_frames_restore(t.m, saved);
  CHECK(barrow_frames_save(t.m) == &r.frame);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), 55);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* What LLVM's shadow-stack strategy emits for a function with two roots. */
struct frame_map { int32_t roots, metas; };
struct stack_entry { struct stack_entry *next; const struct frame_map *map; void *roots[2]; };
static struct stack_entry *llvm_gc_root_chain_of_ours;

static void llvms_chain(void) {
  static const struct frame_map map = {2, 0};
  toy t = toy_new("-DS");
  struct stack_entry lower = {NULL, &map, {NULL, NULL}}, upper = {NULL, &map, {NULL, NULL}};
  upper.next = &lower;
  llvm_gc_root_chain_of_ours = &upper;
  CHECK_OK(barrow_attach_llvm_frames(t.m, &llvm_gc_root_chain_of_ours));
  lower.roots[1] = toy_list(t.m, 4);
  upper.roots[0] = toy_list(t.m, 5);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)lower.roots[1]), 10);
  CHECK_EQ(toy_sum((node *)upper.roots[0]), 15);
  llvm_gc_root_chain_of_ours = NULL;
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  toy_free(t);
}

static void malformed_frames(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *list; } r;
  barrow_frame above;
  node *before;
  BARROW_ENTER(t.m, r);
  before = r.list = toy_list(t.m, 10);
  above.up = &r.frame;
  above.count = (size_t)1 << 40; /* a wild count */
  barrow_frames_restore(t.m, &above);
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, true));
  REFUSED(BARROW_E_ARG, barrow_check_frames(t.m));
  above.count = 0;
  above.up = &above; /* a circle */
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, true));
  REFUSED(BARROW_E_ARG, barrow_check_frames(t.m));
  above.up = (barrow_frame *)((char *)&r.frame + 1); /* not at a word */
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, true));
  barrow_frames_restore(t.m, &r.frame);
  CHECK(r.list == before); /* nothing moved */
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), 55);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void malformed_chain(void) {
  static const struct frame_map map = {-1, 0};
  toy t = toy_new("");
  struct stack_entry entry = {NULL, NULL, {NULL, NULL}};
  llvm_gc_root_chain_of_ours = &entry;
  CHECK_OK(barrow_attach_llvm_frames(t.m, &llvm_gc_root_chain_of_ours));
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, false));
  entry.map = &map;
  REFUSED(BARROW_E_ARG, barrow_collect(t.m, false));
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  toy_free(t);
}

static void foreign_addresses_are_left_alone(void) {
  static barrow_word outside[4] = {1, 2, 3, 4};
  toy t = toy_new("");
  struct { barrow_frame frame; void *p; } r;
  BARROW_ENTER(t.m, r);
  r.p = outside;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.p == outside && outside[0] == 1);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* So many roots to objects that slide that they are rewritten in several parts. */
static void roots_in_parts(void) {
  enum { most = 400000 };
  static node *all[most];
  toy t = toy_new("-c -A1m");
  struct { barrow_frame frame; node *first, *second; } r;
  size_t i, round, wrong = 0;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_root_add(t.heap, "all", all, most, false));
  for (round = 0; round < 3; round++) {
    toy_list(t.m, 1000); /* what dies leaves room to slide to */
    r.first = toy_node(t.m, NULL, NULL, 1);
    r.second = toy_node(t.m, r.first, NULL, 2);
    for (i = 0; i < most; i++) all[i] = i % 3 ? r.second : r.first;
    CHECK_OK(barrow_collect(t.m, true));
    for (i = 0; i < most; i++) wrong += all[i] != (i % 3 ? r.second : r.first);
  }
  CHECK_EQ(wrong, 0);
  CHECK(r.second->left == r.first && r.second->value == 2);
  CHECK_OK(barrow_root_remove(t.heap, all));
  memset(all, 0, sizeof all);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(a_callback);
  RUN(for_one_collection);
  RUN(a_stack_of_tagged_words);
  RUN(registered);
  RUN(an_empty_range);
  RUN(very_many_registered);
  RUN(nested_frames);
  RUN(a_frame_of_tagged_words);
  RUN(tags_survive_moves);
  RUN(a_jump_over_frames);
  RUN(llvms_chain);
  RUN(malformed_frames);
  RUN(malformed_chain);
  RUN(foreign_addresses_are_left_alone);
  RUN(roots_in_parts);
  return DONE;
}
