/* Major collections that come by themselves, of one heap: processor time for each living object, and what is wasted.
 *
 *     ways list|tree|graph OBJECTS DIES FLAGS
 *
 * list: cells of four words in the order in which they were made. tree: complete binary trees of 2^12 - 1 nodes of four words.
 * graph: nodes of four words, each with two references to anywhere. Before each of five collections DIES objects of a hundred,
 * drawn at random, die and are made anew (list: whole cells are taken out of it; tree: subtrees of one, two or four nodes).
 * The collections are major since the client tells of much memory outside the heap: nobody has asked for a thorough one. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node { barrow_word header; struct node *left, *right; barrow_word value; } node;
static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 1, 0, 0, NULL, NULL, NULL, NULL};
static barrow_info array_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_ARRAY, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static barrow_heap *heap;
static barrow_mutator *m;
static struct { barrow_frame frame; void **all; node *one, *two; } r;

#define DEPTH 12
#define AT(i) (((node **)barrow_array_elements(r.all))[i])

static barrow_stats_t stats(void) {
  barrow_stats_t s;
  memset(&s, 0, sizeof s);
  s.size = sizeof s;
  barrow_stats(heap, &s);
  return s;
}

static node *make(node **left, node **right) {
  node *n = (node *)barrow_alloc(m, 4);
  n->header = (barrow_word)&node_info, n->left = left ? *left : NULL, n->right = right ? *right : NULL, n->value = 1;
  return n;
}

static void put(size_t i, node *n) { barrow_write(m, r.all, &barrow_array_elements(r.all)[i], n); }

static node *tree(int depth) {
  struct { barrow_frame frame; node *left, *right; } f;
  node *made;
  if (depth == 0) return NULL;
  BARROW_ENTER(m, f);
  f.left = tree(depth - 1);
  f.right = tree(depth - 1);
  made = make(&f.left, &f.right);
  BARROW_LEAVE(m, f);
  return made;
}

/* Makes subtrees anew, of which the nodes are `dies` in a hundred of all. */
static void renew(size_t trees, size_t dies) {
  size_t rounds = trees * ((1u << DEPTH) - 1) * dies / 100 * 3 / 7, i;
  for (i = 0; i < rounds; i++) {
    int down = DEPTH - 1 - (int)(next() % 3), level;
    uint64_t way = next();
    r.one = tree(DEPTH - down);
    r.two = AT(way % trees);
    for (level = 1; level < down; level++) r.two = (way >> level) & 1u << 8 ? r.two->left : r.two->right;
    barrow_write(m, r.two, way & 1u << 7 ? &r.two->left : &r.two->right, r.one);
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "list";
  size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000, dies = argc > 3 ? strtoul(argv[3], NULL, 10) : 30, i, round;
  size_t slots = what[0] == 't' ? count / ((1u << DEPTH) - 1) : what[0] == 'l' ? 1 : count;
  barrow_config config;
  barrow_config_init(&config);
  config.flags = argc > 4 ? argv[4] : "";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, r);
  r.all = (void **)barrow_array_init(barrow_alloc(m, barrow_array_words(slots)), &array_info, slots);
  if (what[0] == 't')
    for (i = 0; i < slots; i++) put(i, tree(DEPTH));
  else
    for (i = 0; i < count; i++) {
      if (what[0] == 'l') r.one = AT(0);
      put(what[0] == 'l' ? 0 : i, make(what[0] == 'l' ? &r.one : NULL, NULL));
    }
  if (what[0] == 'g')
    for (i = 0; i < count; i++) {
      barrow_write(m, AT(i), &AT(i)->left, AT(next() % count));
      barrow_write(m, AT(i), &AT(i)->right, AT(next() % count));
    }
  for (round = 0; round < 5; round++) {
    barrow_stats_t before, after;
    size_t left = count;
    if (what[0] == 't') renew(slots, dies);
    if (what[0] == 'g')
      for (i = 0; i < count; i++)
        if (next() % 100 < dies) {
          node *old = AT(i);
          r.one = old->left, r.two = old->right;
          put(i, make(&r.one, &r.two));
        }
    if (what[0] == 'l')
      for (r.one = AT(0), left = 1; r.one->left; r.one = r.one->left) {
        if (next() % 100 < dies && r.one->left->left) barrow_write(m, r.one, &r.one->left, r.one->left->left);
        left++;
      }
    if (what[0] == 'g')
      /* References to what is to die lead to what is in its place. */
      for (i = 0; i < count; i++) {
        barrow_write(m, AT(i), &AT(i)->left, AT(next() % count));
        barrow_write(m, AT(i), &AT(i)->right, AT(next() % count));
      }
    barrow_collect(m, false);
    before = stats();
    barrow_external_bytes(m, (int64_t)1 << 40);
    barrow_collect(m, false);
    barrow_external_bytes(m, -((int64_t)1 << 40));
    after = stats();
    if (after.major_collections == before.major_collections) return fprintf(stderr, "no major collection came\n"), 1;
    printf("%s %s: %.1f ns CPU for each of %.2f million, %.1f MiB live, %.1f MiB fragmented, %s\n", what, config.flags,
           (double)(after.gc_cpu_ns - before.gc_cpu_ns) / ((double)after.live_bytes / 32), (double)after.live_bytes / 32e6, (double)after.live_bytes / 1048576,
           (double)after.fragmentation_bytes / 1048576, after.compactions > before.compactions ? "slid" : "left or copied");
    (void)left;
  }
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) != BARROW_OK;
}
