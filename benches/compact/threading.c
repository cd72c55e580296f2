/* Two ways to compact in place, on the same objects in memory of our own: pointer threading, and the bitmap with one
 * address for each line of 64 words that the library uses. CPU time of all that follows marking; marking is the same
 * for both, and timed as well.
 *
 *     threading list|graph MIB PERCENT-THAT-DIES ROUNDS
 *
 * Nodes of four words: header, two pointers without tags, a number. Threading as collectors have it: going upwards, the
 * slots that refer to a live object are a list through its header, the last of which holds the header; the list is
 * undone when the walk reaches the object, and a second walk undoes the rest and moves. It needs the lowest bit of a
 * header to tell it from a slot, and gets it; nothing of what the library has to do besides is done by either. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uintptr_t word;
typedef struct node { word header; struct node *left, *right; word value; } node;
enum { WORDS = 4, LINE_WORDS = 64, AHEAD = 24, RING = 8 };
typedef struct line { uint64_t live; word to; } line;

static node *heap;
static line *lines;
static size_t count;
static node **stack, **roots;
static size_t root_count;

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static size_t word_of(const void *p) { return (size_t)((const word *)p - (const word *)heap); }
static line *line_of(const void *p) { return &lines[word_of(p) / LINE_WORDS]; }
static int is_live(const node *p) { return (int)(line_of(p)->live >> (word_of(p) % LINE_WORDS) & 1); }

/* Every node once, with the rings of the library. */
static void mark(void) {
  node *wait[RING] = {NULL}, *come[RING] = {NULL};
  size_t top = 0, held = 0, turn = 0, root = 0;
  memset(lines, 0, (count * WORDS / LINE_WORDS + 1) * sizeof *lines);
  for (;;) {
    node *fresh = NULL, *at;
    if (top > 0) fresh = stack[--top];
    else if (root < root_count) fresh = roots[root++];
    else if (held == 0) return;
    if (fresh) __builtin_prefetch(line_of(fresh)), held++;
    at = wait[turn], wait[turn] = fresh;
    if (at && is_live(at)) at = NULL, held--;
    if (at) __builtin_prefetch(at);
    fresh = come[turn], come[turn] = at, at = fresh;
    turn = (turn + 1) % RING;
    if (!at) continue;
    held--;
    if (is_live(at)) continue;
    line_of(at)->live |= (uint64_t)15 << (word_of(at) % LINE_WORDS);
    if (at->left) stack[top++] = at->left;
    if (at->right) stack[top++] = at->right;
  }
}

static node *next_live(node *p) {
  node *end = heap + count;
  while (p < end) {
    uint64_t live = line_of(p)->live >> (word_of(p) % LINE_WORDS);
    if (live) return p + __builtin_ctzll(live) / WORDS;
    p = heap + (word_of(p) / LINE_WORDS + 1) * (LINE_WORDS / WORDS);
  }
  return end;
}

/* Threading: a header has its lowest bit set, a slot in a list does not. */
static void thread(node **slot) {
  node *to = *slot;
  if (!to) return;
  *(word *)slot = to->header;
  to->header = (word)slot;
}
static void unthread(node *p, node *goes) {
  word at = p->header;
  while (!(at & 1)) {
    word after = *(word *)at;
    *(node **)at = goes;
    at = after;
  }
  p->header = at;
}
static size_t compact_by_threading(void) {
  node *at, *to = heap, *end = heap + count;
  size_t i;
  for (i = 0; i < root_count; i++) thread(&roots[i]);
  for (at = next_live(heap); at < end; at = next_live(at + 1)) {
    unthread(at, to++);
    __builtin_prefetch((at + 6)->left);
    __builtin_prefetch((at + 6)->right);
    thread(&at->left);
    thread(&at->right);
  }
  to = heap;
  for (at = next_live(heap); at < end; at = next_live(at + 1)) {
    unthread(at, to);
    if (at != to) *to = *at;
    to++;
  }
  return (size_t)(to - heap);
}

/* The bitmap scheme: an address for each line, then every slot, then the words. */
static node *goes_to(node *p) {
  line *l;
  if (!p) return p;
  l = line_of(p);
  return (node *)(l->to + 8 * (word)__builtin_popcountll(l->live & (((uint64_t)1 << (word_of(p) % LINE_WORDS)) - 1)));
}
static size_t compact_by_lines(void) {
  size_t i, all = (count * WORDS + LINE_WORDS - 1) / LINE_WORDS;
  node *at, *to = heap, *end = heap + count;
  word where = (word)heap;
  for (i = 0; i < all; i++) lines[i].to = where, where += 8 * (word)__builtin_popcountll(lines[i].live);
  for (i = 0; i < root_count; i++) roots[i] = goes_to(roots[i]);
  for (at = next_live(heap); at < end; at = next_live(at + 1)) {
    __builtin_prefetch(line_of((at + 6)->left ? (at + 6)->left : heap));
    __builtin_prefetch(line_of((at + 6)->right ? (at + 6)->right : heap));
    at->left = goes_to(at->left);
    at->right = goes_to(at->right);
  }
  for (at = next_live(heap); at < end; at = next_live(at + 1), to++)
    if (at != to) *to = *at;
  return (size_t)(to - heap);
}

static void make(const char *what, unsigned dies) {
  size_t i;
  root_count = 0;
  for (i = 0; i < count; i++) {
    heap[i].header = 1, heap[i].value = i;
    heap[i].left = what[0] == 'l' ? (i ? &heap[i - 1] : NULL) : &heap[next() % count];
    heap[i].right = what[0] == 'l' ? NULL : &heap[next() % count];
    if (next() % 100 >= dies) roots[root_count++] = &heap[i];
  }
  if (what[0] != 'l') /* What died is not reached from what lives. */
    for (i = 0; i < root_count; i++) roots[i]->left = roots[next() % root_count], roots[i]->right = roots[next() % root_count];
  else /* A chain through those that live. */
    for (i = 0; i < root_count; i++) roots[i]->left = i ? roots[i - 1] : NULL;
}

static uint64_t sum_of(size_t live) {
  uint64_t sum = 0;
  size_t i;
  for (i = 0; i < live; i++) {
    sum = sum * 31 + heap[i].value;
    if (heap[i].left) sum += 7 * heap[i].left->value;
    if (heap[i].right) sum += 11 * heap[i].right->value;
  }
  return sum;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "graph";
  size_t mib = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, live[2];
  unsigned dies = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 10, rounds = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 5, round;
  count = mib * 1048576 / sizeof(node);
  /* Eight nodes more, since the walks look ahead. */
  heap = aligned_alloc(512, (count + 16) / 16 * 512 + 512);
  lines = calloc(count * WORDS / LINE_WORDS + 2, sizeof *lines);
  stack = malloc((2 * count + 64) * sizeof *stack), roots = malloc(count * sizeof *roots);
  if (!heap || !lines || !stack || !roots) return 1;
  memset(heap, 0, (count + 16) / 16 * 512);
  for (round = 0; round < rounds; round++) {
    double begun, marked[2], took[2];
    uint64_t sums[2], seed = state;
    int way;
    for (way = 0; way < 2; way++) {
      state = seed;
      make(what, dies);
      begun = now();
      mark();
      marked[way] = now() - begun;
      begun = now();
      live[way] = way ? compact_by_lines() : compact_by_threading();
      took[way] = now() - begun;
      sums[way] = sum_of(live[way]);
    }
    if (live[0] != live[1] || sums[0] != sums[1]) return fprintf(stderr, "the two do not agree\n"), 1;
    printf("%s: marking %.0f and %.0f ms, threading %.0f ms, bitmap %.0f ms, %zu of %zu live\n", what, marked[0], marked[1], took[0],
           took[1], live[0], count);
  }
  return 0;
}
