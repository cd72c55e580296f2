/* gcbench: the benchmark of Ellis, Kovac and Boehm, as a compiler would emit it. gcbench [DEPTH] */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
  barrow_word header;
  struct node *left, *right;
  barrow_word i, j;
} node;

static const barrow_names node_names = {"Node", "Tree", "Main", "gcbench.c:6"};
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, BARROW_FLAG_MUTABLE, 2, 2, &node_names);
static const barrow_names doubles_names = {"Doubles", "Array Double", "Main", "gcbench.c"};
static barrow_info doubles_info = BARROW_INFO_NAMED(BARROW_BYTES, 0, 0, 0, &doubles_names);

enum { NODE_WORDS = sizeof(node) / sizeof(barrow_word), LEAST = 4 };

static void die(void) {
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(1);
}

/* The caller has left nothing in registers. */
static node *new_node(barrow_mutator *m) {
  node *n = (node *)barrow_alloc(m, NODE_WORDS);
  if (!n) die();
  n->header = (barrow_word)&node_info;
  n->left = n->right = NULL;
  n->i = n->j = 0;
  return n;
}

/* Top down: older nodes are written to. */
static void populate(barrow_mutator *m, int depth, node *n) {
  struct { barrow_frame frame; node *n; } r;
  node *child;
  if (depth <= 0) return;
  r.n = n;
  BARROW_PUSH(m, r);
  child = new_node(m);
  BARROW_WRITE(m, r.n, left, child);
  child = new_node(m);
  BARROW_WRITE(m, r.n, right, child);
  populate(m, depth - 1, r.n->left);
  populate(m, depth - 1, r.n->right);
  BARROW_LEAVE(m, r);
}

/* Bottom up: nodes are filled once. */
static node *make(barrow_mutator *m, int depth) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n;
  if (depth <= 0) return new_node(m);
  r.left = make(m, depth - 1);
  r.right = NULL;
  BARROW_PUSH(m, r);
  r.right = make(m, depth - 1);
  n = new_node(m);
  BARROW_LEAVE(m, r);
  n->left = r.left; /* it is new, so there is nothing to remember */
  n->right = r.right;
  return n;
}

static long count(const node *n) { return n ? 1 + count(n->left) + count(n->right) : 0; }
static long tree_size(int depth) { return (1L << (depth + 1)) - 1; }

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 10, depth;
  size_t length = (size_t)500000, i;
  struct { barrow_frame frame; node *longlived, *tree; barrow_word *doubles; } r;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  double *values;
  barrow_config_init(&config);
  config.environment = 1; /* flags in BARROW_FLAGS, as `barrow run` gives them */
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) die();
  BARROW_ENTER(m, r);

  printf("stretch tree of depth %d: %ld nodes\n", most + 2, count(make(m, most + 2)));
  r.longlived = new_node(m);
  populate(m, most, r.longlived);
  r.doubles = barrow_alloc(m, barrow_bytes_words(length * sizeof(double)));
  if (!r.doubles) die();
  r.doubles[0] = (barrow_word)&doubles_info;
  r.doubles[1] = length * sizeof(double);
  values = (double *)barrow_bytes_start(r.doubles);
  for (i = 0; i < length; i++) values[i] = 1.0 / (double)(i + 1);

  for (depth = LEAST; depth <= most; depth += 2) {
    long trees = 2 * tree_size(most + 2) / tree_size(depth), k, down = 0, up = 0;
    for (k = 0; k < trees; k++) {
      r.tree = new_node(m);
      populate(m, depth, r.tree);
      down += count(r.tree);
    }
    for (k = 0; k < trees; k++) {
      r.tree = make(m, depth);
      up += count(r.tree);
    }
    printf("%ld trees of depth %d: %ld nodes top down, %ld bottom up\n", trees, depth, down, up);
  }
  values = (double *)barrow_bytes_start(r.doubles);
  printf("long lived tree of depth %d: %ld nodes; 1/1000 is %.3f\n", most, count(r.longlived), values[999]);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
