/* The state of allocator and collector that the reference lists. */
#include "toy.h"

static size_t chain_blocks(barrow_bdescr *group) {
  size_t blocks = 0;
  for (; group; group = group->link) blocks += group->blocks;
  return blocks;
}

static barrow_step_state_t step_of(toy t, uint32_t generation, uint32_t step) {
  barrow_step_state_t state;
  memset(&state, 0, sizeof state);
  CHECK_OK(barrow_step_state(t.heap, generation, step, &state));
  return state;
}

static barrow_generation_state_t generation_of(toy t, uint32_t number) {
  barrow_generation_state_t state;
  memset(&state, 0, sizeof state);
  CHECK_OK(barrow_generation_state(t.heap, number, &state));
  return state;
}

static void generations_and_steps(void) {
  toy t = toy_new("-G4 -T3 -A256k");
  struct { barrow_frame frame; node *list; void *large; } r;
  uint32_t g;
  int i;
  CHECK_EQ(toy_state(t).n_generations, 4);
  for (g = 0; g < 4; g++) {
    CHECK_EQ(generation_of(t, g).no, g);
    CHECK_EQ(generation_of(t, g).n_steps, g < 3 ? 3 : 1);
    CHECK(generation_of(t, g).max_blocks > 0);
  }
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000);
  r.large = toy_bytes(t.m, 100000);
  CHECK(step_of(t, 0, 0).large_objects != NULL);
  for (i = 0; i < 20; i++) CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(step_of(t, 3, 0).live_words, 1000 * sizeof(node) / 8);
  CHECK_EQ(step_of(t, 3, 0).large_words, barrow_bytes_words(100000));
  CHECK_EQ(step_of(t, 3, 0).n_blocks, chain_blocks(step_of(t, 3, 0).blocks));
  CHECK_EQ(step_of(t, 3, 0).n_large_blocks, chain_blocks(step_of(t, 3, 0).large_objects));
  CHECK(step_of(t, 0, 0).large_objects == NULL);
  CHECK(generation_of(t, 3).collections >= 20);
  REFUSED(BARROW_E_ARG, barrow_generation_state(t.heap, 4, (barrow_generation_state_t *)&r));
  REFUSED(BARROW_E_ARG, barrow_step_state(t.heap, 3, 1, (barrow_step_state_t *)&r));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void remembered_entries(void) {
  toy t = toy_new("-G2 -T1");
  static node *cells[100];
  int i;
  memset(cells, 0, sizeof cells);
  CHECK_OK(barrow_root_add(t.heap, NULL, cells, 100, false));
  for (i = 0; i < 100; i++) cells[i] = toy_cell(t.m, NULL, NULL, 1);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(generation_of(t, 1).n_remembered, 0);
  for (i = 0; i < 100; i++) barrow_record_mutable(t.m, cells[i]);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(generation_of(t, 1).n_remembered, 100); /* they are mutable, so they stay */
  CHECK(generation_of(t, 1).n_remembered_blocks > 0);
  toy_free(t);
}

static void pools(void) {
  toy t = toy_new("-A256k");
  barrow_heap_state_t state = toy_state(t);
  barrow_word *at;
  CHECK_EQ(state.alloc_blocks, 0);
  CHECK(state.small_alloc_list == NULL);
  CHECK(state.alloc_blocks_lim > 0 && state.alloc_blocks_lim <= state.nursery_blocks);
  at = barrow_allocate(t.m, 4);
  memset(at, 0, 32);
  state = toy_state(t);
  CHECK_EQ(state.alloc_blocks, 1);
  CHECK(state.small_alloc_list == barrow_bdescr_of(at));
  CHECK(state.alloc_hp == at + 4);
  CHECK((size_t)state.alloc_hp_lim == state.small_alloc_list->start + BARROW_BLOCK_BYTES);
  CHECK_OK(barrow_collect(t.m, false));
  state = toy_state(t);
  CHECK_EQ(state.alloc_blocks, 0);
  CHECK(state.small_alloc_list == NULL);
  toy_free(t);
}

static void nursery_and_megablocks(void) {
  toy t = toy_new("-A3m -n512k");
  barrow_heap_state_t state = toy_state(t);
  CHECK_EQ(state.nursery_blocks, chain_blocks(state.nursery));
  CHECK(state.current_nursery == state.nursery);
  CHECK(state.mblocks_allocated >= 3 && state.mblocks_allocated <= state.most_mblocks_allocated);
  CHECK(state.used_blocks >= 3 * 256);
  toy_list(t.m, 40000);
  CHECK(toy_state(t).current_nursery != state.nursery);
  toy_free(t);
}

/* The nursery's blocks are those that `barrow_stats` counts, whoever holds them: a mutator shares its chunks with those that come. */
static void a_nursery_of_several(void) {
  toy t = toy_new("--mutators=2 -A4m");
  barrow_stats_t stats = toy_stats(t);
  CHECK_EQ(toy_state(t).nursery_blocks, stats.nursery_bytes / BARROW_BLOCK_BYTES);
  CHECK(toy_state(t).nursery_blocks >= (4 << 20) / BARROW_BLOCK_BYTES);
  toy_list(t.m, 5000);
  CHECK_EQ(toy_state(t).nursery_blocks, stats.nursery_bytes / BARROW_BLOCK_BYTES);
  toy_free(t);
}

static void sources(void) {
  toy range = toy_new("--source=range -xr256m"), chunks = toy_new("--source=chunks");
  CHECK_EQ(toy_state(range).in_chunks, 0);
  CHECK_EQ(toy_state(range).reserved_bytes, 256 << 20);
  CHECK_EQ(barrow_window_of(range.m)->heap_length, 256 << 20);
  CHECK_EQ(toy_state(chunks).in_chunks, 1);
  CHECK_EQ(barrow_window_of(chunks.m)->heap_length, 0);
  toy_free(range);
  toy_free(chunks);
}

int main(void) {
  RUN(generations_and_steps);
  RUN(remembered_entries);
  RUN(pools);
  RUN(nursery_and_megablocks);
  RUN(a_nursery_of_several);
  RUN(sources);
  return DONE;
}
