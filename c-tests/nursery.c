/* The nursery as the reference has it: open an area, fill it, close it, extend it. */
#include "toy.h"

/* Fills the area with cells of two words; gives how many. */
static size_t fill(barrow_word **hp, barrow_word *hp_lim) {
  INFO(pair_info, BARROW_CONSTR, 0, 0, 0, 1, 0, NULL, NULL);
  size_t cells = 0;
  for (; *hp + 2 <= hp_lim; *hp += 2, cells++) {
    (*hp)[0] = (barrow_word)&pair_info;
    (*hp)[1] = cells;
  }
  return cells;
}

static void open_fill_close(void) {
  toy t = toy_new("-A1m -DS");
  barrow_word *hp = NULL, *hp_lim = NULL, *start;
  CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
  CHECK(hp && hp_lim > hp && barrow_in_heap(t.heap, hp));
  start = hp;
  CHECK(fill(&hp, hp_lim) > 100);
  CHECK_OK(barrow_close_nursery(t.m, hp));
  CHECK(barrow_window_of(t.m)->hp == hp);
  CHECK(barrow_bdescr_of(start)->free == (size_t)hp);
  toy_free(t);
}

static void extend_until_exhausted(void) {
  toy t = toy_new("-A1m -n64k");
  barrow_word *hp = NULL, *hp_lim = NULL;
  size_t cells = 0, areas = 1;
  uint64_t before = toy_stats(t).collections;
  CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
  do {
    cells += fill(&hp, hp_lim);
    areas++;
  } while (barrow_extend_nursery(t.m, &hp, &hp_lim));
  CHECK_EQ(areas - 1, 16);
  CHECK_EQ(cells, (1 << 20) / 16);
  CHECK_EQ(toy_stats(t).collections, before);
  CHECK(barrow_wants_gc(t.m)); /* exhausted: a collection is due */
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
  CHECK(fill(&hp, hp_lim) > 100);
  CHECK_OK(barrow_close_nursery(t.m, hp));
  toy_free(t);
}

static void mixed_with_calls(void) {
  toy t = toy_new("-A256k -DS");
  struct { barrow_frame frame; node *list; } r;
  barrow_word *hp, *hp_lim;
  int i;
  BARROW_ENTER(t.m, r);
  for (i = 0; i < 50; i++) {
    r.list = toy_node(t.m, r.list, NULL, 1);
    CHECK_OK(barrow_open_nursery(t.m, &hp, &hp_lim));
    fill(&hp, hp_lim < hp + 300 ? hp_lim : hp + 300);
    CHECK_OK(barrow_close_nursery(t.m, hp));
    if (i % 20 == 0) CHECK_OK(barrow_collect(t.m, i % 40 == 0));
  }
  CHECK_EQ(toy_sum(r.list), 50);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void contiguous_inside_megablocks(void) {
  toy t = toy_new("-A4m");
  barrow_heap_state_t state = toy_state(t);
  barrow_bdescr *chunk;
  size_t blocks = 0;
  for (chunk = state.nursery; chunk; chunk = chunk->link) {
    size_t last = chunk->start + (size_t)chunk->blocks * BARROW_BLOCK_BYTES - 1;
    CHECK_EQ(chunk->start / BARROW_MEGABLOCK_BYTES, last / BARROW_MEGABLOCK_BYTES);
    CHECK(barrow_bdescr_of((void *)chunk->start) == chunk);
    blocks += chunk->blocks;
  }
  CHECK_EQ(blocks, state.nursery_blocks);
  CHECK_EQ(blocks, (4 << 20) / BARROW_BLOCK_BYTES);
  toy_free(t);
}

/* A major collection copies into the part of the nursery that nothing was put into. */
static void idle_chunks_receive_copies(void) {
  toy t = toy_new("-G2 -T1 -A8m -n1m");
  struct { barrow_frame frame; node *list; } r;
  size_t cells = (6 << 20) / sizeof(node);
  int i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, cells);
  for (i = 0; i < 4; i++) {
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_state(t).nursery_blocks, (8 << 20) / BARROW_BLOCK_BYTES);
  }
  /* What lives, and either the nursery or its copy. */
  CHECK(toy_state(t).most_mblocks_allocated <= 6 + 8 + 4);
  CHECK_EQ(toy_sum(r.list), cells * (cells + 1) / 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Words of an open area belong to the client, and nobody else gets them. */
static void open_is_the_clients(const char *flags) {
  toy t = toy_new(flags);
  barrow_mutator *m = t.m;
  barrow_word *hp = NULL, *hp_lim = NULL, *again = NULL, *again_lim = NULL, *beside;
  struct { barrow_frame frame; node *list; } r;
  uint64_t before;
  BARROW_ENTER(m, r);
  r.list = toy_list(m, 100);
  before = toy_stats(t).collections;
  CHECK_OK(barrow_open_nursery(m, &hp, &hp_lim));
  REFUSED(BARROW_E_STATE, barrow_open_nursery(m, &again, &again_lim));
  CHECK(strstr(barrow_last_error(), "barrow_close_nursery") != NULL);
  ANSWERS((size_t)0, (size_t)barrow_alloc(m, 4));
  CHECK(barrow_try_alloc(m, 4) == NULL);
  ANSWERS(false, barrow_reserve(m, 40));
  ANSWERS((size_t)0, (size_t)barrow_alloc(m, 4000)); /* it may collect */
  REFUSED(BARROW_E_STATE, barrow_collect(m, true));
  REFUSED(BARROW_E_STATE, barrow_safepoint(m));
  REFUSED(BARROW_E_STATE, barrow_check(m));
  REFUSED(BARROW_E_STATE, barrow_detach(m));
  beside = barrow_allocate(m, 4); /* never collects */
  CHECK(beside != NULL);
  beside[0] = (barrow_word)&node_info;
  beside[1] = beside[2] = beside[3] = 0;
  hp[0] = (barrow_word)&node_info;
  hp[1] = (barrow_word)r.list;
  hp[2] = 0;
  hp[3] = 7;
  r.list = (node *)hp;
  CHECK_OK(barrow_close_nursery(m, hp + 4));
  REFUSED(BARROW_E_STATE, barrow_close_nursery(m, hp + 4));
  CHECK_EQ(toy_stats(t).collections, before);
  r.list = toy_node(m, r.list, NULL, 1);
  CHECK_EQ(toy_sum(r.list), 5058);
  CHECK_OK(barrow_collect(m, true));
  CHECK_EQ(toy_sum(r.list), 5058);
  BARROW_LEAVE(m, r);
  toy_free(t);
}

static void only_the_client_fills_an_open_area(void) {
  open_is_the_clients("-A1m");
  open_is_the_clients("-A1m -hd -hy -i0 -ponursery-test"); /* places in the code are noted */
  remove("nursery-test.hd.hp");
  remove("nursery-test.hy.hp");
  open_is_the_clients("-A1m --stress=3");
}

/* The window of a mutator that is gone gives no memory of another heap, takes no barrier's entries and counts nothing. */
static void a_dead_window(bool detached) {
  toy t = toy_new("-A1m"), next;
  barrow_mutator *dead = t.m;
  barrow_word *at;
  node *old;
  struct { barrow_frame frame; node *list; } r;
  int i;
  old = toy_node(t.m, NULL, NULL, 1);
  if (detached) CHECK_OK(barrow_detach(t.m));
  CHECK_OK(barrow_heap_free(t.heap));
  next = toy_new("-A1m -DS");
  BARROW_ENTER(next.m, r);
  r.list = toy_list(next.m, 1000);
  for (i = 0; i < 3; i++) {
    ANSWERS((size_t)0, (size_t)barrow_alloc(dead, 4));
    at = barrow_try_alloc(dead, 4);
    CHECK(at == NULL);
    ANSWERS(false, barrow_reserve(dead, 4));
    ANSWERS(false, barrow_stack_need(dead, 4));
  }
  /* Into old objects of the live heap, which the dead window knew when both had the same addresses. */
  CHECK_OK(barrow_collect(next.m, true));
  CHECK_OK(barrow_collect(next.m, true));
  for (i = 0; i < 3; i++) {
    check_forget();
    barrow_barrier(dead, r.list, &r.list->right, r.list->left);
    check_sentence(__FILE__, __LINE__, "barrow_barrier with a dead window");
  }
  barrow_use(dead, old);
  barrow_window_of(dead)->ticky->alloc_fun_ctr++;
  CHECK_EQ(toy_sum(r.list), 500500);
  BARROW_LEAVE(next.m, r);
  toy_free(next);
}

static void dead_windows(void) {
  a_dead_window(false);
  a_dead_window(true);
}

int main(void) {
  RUN(only_the_client_fills_an_open_area);
  RUN(dead_windows);
  RUN(open_fill_close);
  RUN(extend_until_exhausted);
  RUN(mixed_with_calls);
  RUN(contiguous_inside_megablocks);
  RUN(idle_chunks_receive_copies);
  return DONE;
}
