/* binary-trees: the program of the benchmarks game, as a compiler would emit it. binary-trees [DEPTH] */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
  barrow_word header;
  struct node *left, *right;
} node;

static const barrow_names node_names = {"Node", "Tree", "Main", "binary-trees.c:6"};
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 0, &node_names);

static void die(void) {
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(1);
}

/* Out of room: what was in registers goes into a frame for as long as the collection takes. */
static node *node_slow(barrow_mutator *m, node *left, node *right) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  r.left = left;
  r.right = right;
  BARROW_PUSH(m, r);
  n = (node *)barrow_alloc_slow(m, 3);
  BARROW_LEAVE(m, r);
  if (!n) die();
  n->header = (barrow_word)&node_info;
  n->left = r.left;
  n->right = r.right;
  return n;
}

static inline node *new_node(barrow_mutator *m, node *left, node *right) {
  node *n = (node *)barrow_try_alloc(m, 3);
  if (!n) return node_slow(m, left, right);
  n->header = (barrow_word)&node_info;
  n->left = left;
  n->right = right;
  return n;
}

static node *make(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *left; } r;
  node *right;
  if (depth == 0) return new_node(m, NULL, NULL);
  r.left = make(m, depth - 1);
  BARROW_PUSH(m, r); /* the left tree has to survive the making of the right one */
  right = make(m, depth - 1);
  BARROW_LEAVE(m, r);
  return new_node(m, r.left, right);
}

/* Allocates nothing, so it needs no frame. */
static long check(const node *n) { return n->left ? 1 + check(n->left) + check(n->right) : 1; }

int main(int argc, char **argv) {
  int least = 4, most = argc > 1 ? atoi(argv[1]) : 10, depth;
  struct { barrow_frame frame; node *longlived; } r;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  if (most < least + 2) most = least + 2;
  barrow_config_init(&config);
  config.environment = 1; /* flags in BARROW_FLAGS, as `barrow run` gives them */
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) die();

  printf("stretch tree of depth %d\t check: %ld\n", most + 1, check(make(m, most + 1)));
  r.longlived = make(m, most);
  BARROW_PUSH(m, r);
  for (depth = least; depth <= most; depth += 2) {
    long trees = 1L << (most - depth + least), i, sum = 0;
    for (i = 0; i < trees; i++) sum += check(make(m, depth));
    printf("%ld\t trees of depth %d\t check: %ld\n", trees, depth, sum);
  }
  printf("long lived tree of depth %d\t check: %ld\n", most, check(r.longlived));
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
