/* What the space profiler costs: binary trees and a long-lived table of nodes, without it, with allocation and copies by
 * function, with kinds and live data too, and with time alone. space [ROUNDS]; prints the CPU time of each and its ratio to none. space ROUNDS PROGRAM HOW runs one of
 * the ten once, for a profiler: program 0 or 1, how from 0 (none) to 4. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct node {
  barrow_word header;
  struct node *left, *right;
} node;

static const barrow_names node_names = {"Node", "Tree", "Main", "space.c"};
static barrow_info node_info = {
    sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 0, 0, 0, NULL, NULL,
    NULL, &node_names};

static node *new_node(barrow_mutator *m, node *left, node *right) {
  struct { barrow_frame frame; node *left, *right; } r;
  node *n = (node *)barrow_try_alloc(m, 3);
  if (!n) {
    r.left = left;
    r.right = right;
    BARROW_PUSH(m, r);
    n = (node *)barrow_alloc_slow(m, 3);
    BARROW_LEAVE(m, r);
    left = r.left;
    right = r.right;
    if (!n) exit(1);
  }
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
  BARROW_PUSH(m, r);
  right = make(m, depth - 1);
  BARROW_LEAVE(m, r);
  return new_node(m, r.left, right);
}

static long count(const node *n) { return n->left ? 1 + count(n->left) + count(n->right) : 1; }

/* Trees of all depths that are dropped at once, beside one that stays. */
static long trees(barrow_mutator *m, int rounds) {
  struct { barrow_frame frame; node *longest; } r;
  long sum = 0;
  int round, i;
  BARROW_ENTER(m, r);
  r.longest = make(m, 18);
  for (round = 0; round < rounds; round++)
    for (i = 0; i < 64; i++) sum += count(make(m, 4 + i % 12));
  sum += count(r.longest);
  BARROW_LEAVE(m, r);
  return sum;
}

/* A search tree of random keys that grows and is searched: everything lives long. */
typedef struct entry {
  barrow_word header;
  struct entry *left, *right;
  barrow_word key, value;
} entry;
static barrow_info entry_info = {
    sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 2, 2, 0, 0, NULL, NULL,
    NULL, &node_names};

static long map(barrow_mutator *m, int rounds) {
  struct { barrow_frame frame; entry *root; } r;
  barrow_word key = 1;
  long found = 0;
  int i;
  BARROW_ENTER(m, r);
  for (i = 0; i < rounds * 100000; i++) {
    entry *n = (entry *)barrow_alloc(m, 5), *at = r.root;
    key = key * 6364136223846793005u + 1442695040888963407u;
    n->header = (barrow_word)&entry_info;
    n->left = n->right = NULL;
    n->key = key >> 20;
    n->value = (barrow_word)i;
    while (at) {
      entry **next = n->key < at->key ? &at->left : &at->right;
      found++;
      if (!*next) {
        *next = n;
        barrow_write(m, at, (void **)next, n);
        break;
      }
      at = *next;
    }
    if (!r.root) r.root = n;
  }
  BARROW_LEAVE(m, r);
  return found;
}

static double run(long (*work)(barrow_mutator *, int), int rounds, int how) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_space_options options;
  uint32_t profile = 0;
  clock_t begun;
  double seconds;
  barrow_config_init(&config);
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) exit(2);
  memset(&options, 0, sizeof options);
  options.size = (uint32_t)sizeof options;
  options.manner = how == 2 ? BARROW_MANNER_SPACE | BARROW_MANNER_KINDS : BARROW_MANNER_SPACE;
  options.live = how == 2;
  if (how >= 3) {
    options.manner = BARROW_MANNER_TIME;
    options.tick_us = how == 3 ? 10000 : 1000;
  }
  begun = clock();
  if (how && barrow_space_begin(m, &options, &profile) != BARROW_OK) exit(3);
  if (work(m, rounds) == 0) exit(4);
  if (how && barrow_space_end(m, profile) != BARROW_OK) exit(5);
  seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  barrow_heap_free(heap);
  return seconds;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"binary trees", "long-lived map"};
  long (*const works[])(barrow_mutator *, int) = {trees, map};
  int rounds = argc > 1 ? atoi(argv[1]) : 10, work, how, again;
  if (argc == 4) {
    printf("%.3f s\n", run(works[atoi(argv[2]) & 1], rounds, atoi(argv[3])));
    return 0;
  }
  for (work = 0; work < 2; work++) {
    double best[5] = {1e9, 1e9, 1e9, 1e9, 1e9};
    for (again = 0; again < 5; again++)
      for (how = 0; how < 5; how++) {
        double seconds = run(works[work], rounds, how);
        if (seconds < best[how]) best[how] = seconds;
      }
    printf("%-16s none %.3f s, space %.2f x, space, kinds and live data %.2f x, time alone %.2f x, and %.2f x with ticks of 1 ms\n",
           names[work], best[0], best[1] / best[0], best[2] / best[0], best[3] / best[0], best[4] / best[0]);
  }
  return 0;
}
