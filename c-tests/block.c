/* Blocks, groups and megablocks for clients. */
#include "toy.h"

static void descriptors(void) {
  toy t = toy_new("");
  barrow_bdescr *group = NULL;
  size_t i;
  CHECK_OK(barrow_alloc_group(t.heap, 10, &group));
  CHECK_EQ(group->blocks, 10);
  CHECK_EQ(group->start % BARROW_BLOCK_BYTES, 0);
  CHECK(group->free != 0);
  CHECK(barrow_bdescr_of((void *)group->start) == group);
  memset((void *)group->start, 0x55, 10 * BARROW_BLOCK_BYTES);
  for (i = 1; i < 10; i++) { /* those of non-heads lead to the head */
    barrow_bdescr *other = barrow_bdescr_of((char *)group->start + i * BARROW_BLOCK_BYTES + 17);
    CHECK(other == (barrow_bdescr *)((char *)group + i * BARROW_DESCRIPTOR_BYTES));
    CHECK_EQ(other->free, 0);
    CHECK(other->link == group);
  }
  CHECK_OK(barrow_collect(t.m, true)); /* the collector leaves it alone */
  CHECK_EQ(*(unsigned char *)(group->start + 12345), 0x55);
  CHECK_OK(barrow_free_group(t.heap, group));
  toy_free(t);
}

/* New objects lie in blocks of generation 0, which may have been of another one before. */
static void new_objects_are_young(void) {
  static const char *flags[] = {"-A256k --stress=499", "-A128k -G3 --old=copy", "-A128k -c"};
  size_t which, i;
  for (which = 0; which < 3; which++) {
    toy t = toy_new(flags[which]);
    struct { barrow_frame frame; node *kept; } r;
    BARROW_ENTER(t.m, r);
    r.kept = NULL;
    for (i = 0; i < 40000; i++) {
      const barrow_bdescr *block;
      node *made;
      if (i % 2000 == 0) r.kept = NULL;
      if (i % 7) made = toy_node(t.m, r.kept, NULL, i);
      else {
        made = (node *)barrow_allocate(t.m, sizeof *made / sizeof(barrow_word));
        made->header = (barrow_word)&node_info;
        made->left = r.kept;
        made->right = NULL;
        made->value = i;
      }
      r.kept = made;
      block = barrow_bdescr_of(made);
      if (!block->free) block = block->link;
      CHECK_EQ(barrow_generation_of(t.heap, made), 0);
      CHECK(block->generation == 0 && block->step == 0);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void they_add_up_at_random(void) {
  enum { MOST = 200 };
  toy t = toy_new("");
  barrow_bdescr *held[MOST] = {NULL};
  size_t free_before, used_before = toy_state(t).used_blocks, i;
  unsigned seed = 1;
  free_before = toy_state(t).free_blocks + toy_state(t).mblocks_allocated * 0;
  for (i = 0; i < 20000; i++) {
    unsigned at = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff, size;
    barrow_bdescr **slot = &held[at % MOST];
    size = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff;
    if (*slot) {
      CHECK_OK(barrow_free_group(t.heap, *slot));
      *slot = NULL;
    } else {
      CHECK_OK(barrow_alloc_group(t.heap, size % 100 == 0 ? 1 + size % 900 : 1 + size % 40, slot));
      memset((void *)(*slot)->start, (int)at, BARROW_BLOCK_BYTES);
    }
    if (i % 1000 == 0) CHECK_OK(barrow_audit(t.heap));
  }
  for (i = 0; i < MOST; i++)
    if (held[i]) CHECK_OK(barrow_free_group(t.heap, held[i]));
  CHECK_EQ(toy_state(t).used_blocks, used_before);
  (void)free_before;
  CHECK_OK(barrow_audit(t.heap));
  toy_free(t);
}

static void larger_than_a_megablock(void) {
  toy t = toy_new("");
  barrow_bdescr *group = NULL;
  size_t before = toy_state(t).mblocks_allocated;
  CHECK_OK(barrow_alloc_group(t.heap, 1000, &group));
  CHECK(group->blocks >= 1000);
  memset((void *)group->start, 1, 1000 * BARROW_BLOCK_BYTES);
  CHECK(toy_state(t).mblocks_allocated >= before + 4);
  CHECK_OK(barrow_free_group(t.heap, group));
  CHECK_EQ(toy_state(t).mblocks_allocated, before);
  toy_free(t);
}

static void megablocks(void) {
  toy t = toy_new("");
  char *two = (char *)barrow_get_megablocks(t.heap, 2), *one = (char *)barrow_get_megablocks(t.heap, 1);
  CHECK(two && one);
  CHECK_EQ((size_t)two % BARROW_MEGABLOCK_BYTES, 0);
  CHECK_EQ((size_t)one % BARROW_MEGABLOCK_BYTES, 0);
  memset(two, 7, 2 * BARROW_MEGABLOCK_BYTES);
  memset(one, 8, BARROW_MEGABLOCK_BYTES);
  toy_list(t.m, 100000);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(two[0] == 7 && two[2 * BARROW_MEGABLOCK_BYTES - 1] == 7 && one[0] == 8);
  toy_free(t);
}

/* A group has fewer than 2^32 blocks. */
static void more_megablocks_than_a_group_has(void) {
  toy t = toy_new("--source=chunks");
  CHECK(barrow_get_megablocks(t.heap, (size_t)1 << 24) == NULL);
  CHECK(strstr(barrow_last_error(), "cannot be had") != NULL);
  toy_free(t);
}

int main(void) {
  RUN(descriptors);
  RUN(new_objects_are_young);
  RUN(they_add_up_at_random);
  RUN(larger_than_a_megablock);
  RUN(megablocks);
  RUN(more_megablocks_than_a_group_has);
  return DONE;
}
