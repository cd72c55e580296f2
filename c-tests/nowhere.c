/* References, frames, roots and tables that lead nowhere, or into another heap: sentences, and no crash. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "toy.h"
#include <sys/mman.h>

INFO(frame_info, BARROW_RETURN_FRAME, 0, 0, 0, 1, 0, NULL, NULL);

/* Memory of 64 KiB that nothing is mapped behind; then nothing at all. */
static char *page(void) {
  char *at = (char *)mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK((void *)at != MAP_FAILED && mprotect(at + (1 << 16), 1 << 16, PROT_NONE) == 0);
  return at;
}

#define SAYS(part, call)                                                                              \
  do {                                                                                                \
    check_forget();                                                                                   \
    CHECK((call) != BARROW_OK);                                                                       \
    if (!strstr(barrow_last_error(), part)) CHECK_EQ(fprintf(stderr, "%s\n", barrow_last_error()), 0); \
  } while (0)

static void *large_array(barrow_mutator *m) { return toy_array(m, 1 << 20); }

/* A root and a field that lead to a large object that has died; its memory is kept, reused in part, or given back. */
static void dead_large_objects(const char *flags) {
  toy t = toy_new(flags);
  struct { barrow_frame frame; node *holder, *stale; } r;
  int back, i;
  BARROW_ENTER(t.m, r);
  for (back = 0; back < 3; back++) {
    r.holder = toy_cell(t.m, NULL, NULL, 1);
    r.stale = (node *)large_array(t.m);
    {
      node *stale = r.stale;
      r.stale = NULL;
      CHECK_OK(barrow_collect(t.m, true));
      for (i = 0; i < 10 * back; i++) CHECK_OK(barrow_collect(t.m, true));
      r.stale = stale;
      SAYS("the root shadow stack", barrow_collect(t.m, true));
      SAYS("the root shadow stack", barrow_check(t.m));
      r.stale = NULL;
      r.holder->left = stale;
      SAYS("field 1 of the object", barrow_collect(t.m, false));
      r.holder->left = (node *)((char *)stale + (3 << 20)); /* inside of what it was */
      SAYS("field 1 of the object", barrow_collect(t.m, true));
      r.holder->left = NULL;
    }
    CHECK_OK(barrow_collect(t.m, true));
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* An address far up in the range that the heap has reserved, and never used. */
static void the_range_beyond(void) {
  toy t = toy_new("-DS --source=range -xr4g");
  struct { barrow_frame frame; node *one; } r;
  BARROW_ENTER(t.m, r);
  r.one = toy_node(t.m, NULL, NULL, 1);
  {
    node *kept = r.one;
    r.one = (node *)((char *)kept + ((size_t)1 << 31));
    SAYS("where this heap has nothing", barrow_collect(t.m, true));
    r.one = kept;
    /* The first words of a megablock are the library's. */
    r.one = (node *)(((size_t)kept & ~(size_t)0xfffff) + 64);
    SAYS("free memory of this heap", barrow_collect(t.m, true));
    ANSWERS((size_t)0, (size_t)barrow_weak_new(t.m, r.one, NULL, NULL));
    CHECK(strstr(barrow_last_error(), "free memory of this heap") != NULL);
    r.one = kept;
  }
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void another_heap(const char *flags, const char *others) {
  toy a = toy_new(flags), b = toy_new(others);
  struct { barrow_frame frame; node *holder; } r;
  struct { barrow_frame frame; node *one; void *array; } s;
  node *was;
  BARROW_ENTER(a.m, r);
  BARROW_ENTER(b.m, s);
  r.holder = toy_cell(a.m, NULL, NULL, 1);
  s.one = toy_node(b.m, NULL, NULL, 2);
  s.array = large_array(b.m);
  r.holder->left = s.one;
  SAYS("another heap", barrow_collect(a.m, false));
  r.holder->left = (node *)s.array;
  SAYS("another heap", barrow_check(a.m));
  was = r.holder;
  r.holder = s.one;
  SAYS("another heap", barrow_collect(a.m, true));
  r.holder = was;
  r.holder->left = NULL;
  CHECK_OK(barrow_collect(a.m, true));
  s.array = NULL;
  BARROW_LEAVE(b.m, s);
  /* Its memory is nobody's when it is gone; the client may have it again. */
  toy_free(b);
  r.holder->left = (node *)&a;
  CHECK_OK(barrow_collect(a.m, true));
  BARROW_LEAVE(a.m, r);
  toy_free(a);
}

struct frame_map { int32_t roots, metas; };
struct entry { struct entry *next; const struct frame_map *map; void *roots[2]; };

static void frames(void) {
  static const struct frame_map map = {1 << 20, 0};
  toy t = toy_new("-DS"), plain = toy_new("");
  struct { barrow_frame frame; node *one; } r;
  char *edge = page() + (1 << 16);
  barrow_frame *wrong[4];
  struct entry entry, *head = &entry;
  size_t i;
  BARROW_ENTER(t.m, r);
  r.one = toy_node(t.m, NULL, NULL, 1);
  wrong[0] = (barrow_frame *)edge;
  wrong[1] = (barrow_frame *)(edge - sizeof(barrow_word)); /* of which the first word can be read */
  wrong[2] = (barrow_frame *)(edge - sizeof(barrow_frame)); /* whose roots cannot */
  wrong[3] = (barrow_frame *)(size_t)0x5b5b5b5b5b5b5b58;
  wrong[2]->count = 1;
  for (i = 0; i < 4; i++) {
    struct { barrow_frame frame; node *one; } above;
    barrow_frames_restore(t.m, wrong[i]);
    SAYS("shadow-stack frame 0", barrow_check_frames(t.m));
    SAYS("shadow-stack frame 0", barrow_collect(t.m, true));
    above.frame.up = wrong[i];
    above.frame.count = 1;
    above.one = NULL;
    barrow_frames_restore(t.m, &above.frame);
    SAYS("shadow-stack frame 1", barrow_check_frames(t.m));
    SAYS("shadow-stack frame 1", barrow_collect(t.m, true));
    SAYS("shadow-stack frame 1", barrow_check(t.m));
    barrow_frames_restore(t.m, &r.frame);
    /* Without checking mode the calls for it look, and collections do not. */
    barrow_frames_restore(plain.m, wrong[i]);
    SAYS("shadow-stack frame 0", barrow_check_frames(plain.m));
    SAYS("shadow-stack frame 0", barrow_check(plain.m));
    barrow_frames_restore(plain.m, NULL);
  }
  CHECK_OK(barrow_collect(t.m, true));
  entry.map = &map; /* more roots than can be there */
  entry.next = NULL;
  entry.roots[0] = entry.roots[1] = NULL;
  CHECK_OK(barrow_attach_llvm_frames(t.m, &head));
  entry.map = (const struct frame_map *)edge;
  SAYS("LLVM's chain", barrow_collect(t.m, true));
  head = (struct entry *)edge;
  SAYS("LLVM's chain", barrow_collect(t.m, true));
  head = (struct entry *)(edge - sizeof entry);
  head->next = NULL;
  head->map = &map;
  SAYS("LLVM's chain", barrow_collect(t.m, true));
  CHECK_OK(barrow_attach_llvm_frames(t.m, edge));
  SAYS("LLVM's chain", barrow_collect(t.m, true));
  CHECK_OK(barrow_attach_llvm_frames(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  toy_free(plain);
  munmap(edge - (1 << 16), 1 << 17);
}

static void registered(void) {
  toy t = toy_new("-DS");
  char *at = page();
  memset(at, 0, 1 << 16);
  CHECK_OK(barrow_root_add(t.heap, "lost", at + (1 << 15), 1 << 12, false));
  CHECK_OK(barrow_collect(t.m, true));
  munmap(at, 1 << 17);
  SAYS("can be read", barrow_collect(t.m, true));
  CHECK_OK(barrow_root_remove(t.heap, at + (1 << 15)));
  toy_free(t);
}

static void stacks(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *stack; } r;
  barrow_window *w = barrow_window_of(t.m);
  char *at = page();
  size_t i;
  BARROW_ENTER(t.m, r);
  r.stack = barrow_stack_new(t.m, NULL, 100);
  CHECK_OK(barrow_stack_enter(t.m, r.stack));
  barrow_stack_push(t.m, &frame_info, 2)[1] = 7;
  CHECK_OK(barrow_stack_check(t.m, r.stack));
  for (i = 0; i < 3; i++) {
    const size_t tables[3] = {(size_t)at + (1 << 16), (size_t)at + (1 << 16) - 8, 0x5b5b5b5b5b5b5b58};
    *w->sp = tables[i];
    SAYS("without a good info table", barrow_stack_check(t.m, r.stack));
    SAYS("without a good info table", barrow_collect(t.m, true));
    *w->sp = (barrow_word)&frame_info;
  }
  CHECK_OK(barrow_stack_check(t.m, r.stack));
  CHECK_OK(barrow_stack_enter(t.m, NULL));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  munmap(at, 1 << 17);
}

/* With --faults the end of an object is known that a stale reference leads to, unless objects move within their blocks. */
static void the_dead_are_known(void) {
  const char *all = getenv("BARROW_TEST_FLAGS");
  toy t = toy_new("-DS --faults");
  struct { barrow_frame frame; node *one; } r;
  node *kept;
  BARROW_ENTER(t.m, r);
  r.one = toy_node(t.m, NULL, NULL, 1);
  kept = toy_node(t.m, NULL, NULL, 2);
  CHECK_OK(barrow_collect(t.m, true));
  r.one = kept;
  SAYS(all && strstr(all, "-c") ? "where no object begins" : "found an object there that nothing known referred to (node_info)",
       barrow_collect(t.m, true));
  r.one = NULL;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(the_range_beyond);
  check_case = "dead_large_objects";
  dead_large_objects("-DS");
  dead_large_objects("-DS --source=chunks");
  dead_large_objects("-DS -c -Fd0");
  check_case = "another_heap";
  another_heap("-DS", "");
  another_heap("-DS --source=chunks", "--source=chunks");
  another_heap("-DS", "--source=chunks -DS");
  RUN(frames);
  RUN(registered);
  RUN(stacks);
  RUN(the_dead_are_known);
  return DONE;
}
