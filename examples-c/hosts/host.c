/* host.c: a program that loads Barrow with dlopen: nothing of it is left for the linker, and the inline forms work too.
 *
 *   cc -I include examples-c/hosts/host.c -ldl -o host && ./host target/release/libbarrow.so */
#define BARROW_THROUGH_TABLE
#include <barrow/table.h>
#include <barrow/inline.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* What the names of barrow.h stand for in this file. */
const barrow_functions *barrow_loaded;

typedef struct cell {
  barrow_word header;
  struct cell *tail;
  barrow_word value;
} cell;

/* A search tree that is never changed: an insertion makes the way to it anew. */
typedef struct node {
  barrow_word header;
  struct node *less, *greater;
  barrow_word key, count;
} node;

static const barrow_names cell_names = {"Cons", "List", "Host", "host.c:17"};
static const barrow_names node_names = {"Node", "Map", "Host", "host.c:24"};
static barrow_info cell_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 1, 1, &cell_names);
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 2, 2, &node_names);

/* The roots: what the callback names. */
typedef struct {
  cell *list;
  node *map;
  barrow_word collections;
} host;

static void roots(void *client, barrow_visitor *visitor) {
  host *h = (host *)client;
  barrow_visit_named(visitor, "list", (void **)&h->list, 1);
  barrow_visit_named(visitor, "map", (void **)&h->map, 1);
  h->collections++;
}

/* False: there is no memory. */
static bool push(barrow_mutator *m, host *h, barrow_word value) {
  cell *c = (cell *)barrow_alloc(m, 3);
  if (!c) return false;
  c->header = (barrow_word)&cell_info;
  c->tail = h->list;
  c->value = value;
  h->list = c;
  return true;
}

/* How many nodes an insertion makes: those on the way down to the key, and perhaps a new one. */
static size_t nodes_to(const node *at, barrow_word key) {
  size_t n = 1;
  for (; at && key != at->key; at = key < at->key ? at->less : at->greater) n++;
  return n;
}

/* Takes from what was reserved, so nothing moves in between. */
static node *insert(barrow_mutator *m, const node *at, barrow_word key) {
  node *n = (node *)barrow_bump(m, 5);
  n->header = (barrow_word)&node_info;
  n->less = at ? at->less : NULL;
  n->greater = at ? at->greater : NULL;
  n->key = at ? at->key : key;
  n->count = at ? at->count : 0;
  if (!at || key == at->key) n->count++;
  else if (key < at->key) n->less = insert(m, at->less, key);
  else n->greater = insert(m, at->greater, key);
  return n;
}

static void sums(const node *at, barrow_word *keys, barrow_word *total) {
  if (!at) return;
  ++*keys;
  *total += at->count;
  sums(at->less, keys, total);
  sums(at->greater, keys, total);
}

static int give_up(const char *what) {
  fprintf(stderr, "host: %s\n", what);
  return 1;
}

int main(int argc, char **argv) {
  barrow_function_table_fn get;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  host h = {NULL, NULL, 0};
  barrow_word i, sum = 0, keys = 0, total = 0;
  const cell *before;
  const char *(*last_error)(void);
  void *symbol, *library = dlopen(argc > 1 ? argv[1] : "libbarrow.so.0.1", RTLD_NOW | RTLD_LOCAL);

  if (!library) return give_up(dlerror());
  /* C has no cast from an object's address to a function's; the bits are the same. */
  if (!(symbol = dlsym(library, "barrow_last_error"))) return give_up(dlerror());
  memcpy(&last_error, &symbol, sizeof symbol);
  if (!(symbol = dlsym(library, "barrow_function_table"))) return give_up(dlerror());
  memcpy(&get, &symbol, sizeof symbol);

  if (!get(99, sizeof(barrow_functions))) printf("version 99 is refused: %s\n", last_error()[0] ? "yes" : "no");
  barrow_loaded = get(BARROW_ABI_MAJOR, sizeof(barrow_functions));
  if (!barrow_loaded) return give_up(last_error());

  barrow_config_init(&config);
  config.flags = argc > 2 ? argv[2] : "";
  config.roots = roots;
  config.client = &h;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) return give_up(last_error());

  for (i = 1; i <= 100000; i++)
    if (!push(m, &h, i)) return give_up(last_error());
  before = h.list;
  for (i = 0; i < 20000; i++) {
    barrow_word key = i * 7919 % 1009 * 617 % 1009;
    /* It is refused where the way is longer than BARROW_MAX_RESERVE_WORDS allow, as in a tree of many keys that came in order. */
    if (!barrow_reserve(m, 5 * nodes_to(h.map, key))) return give_up(last_error());
    h.map = insert(m, h.map, key);
  }
  if (barrow_collect(m, true) != BARROW_OK) return give_up(last_error());

  for (const cell *c = h.list; c; c = c->tail) sum += c->value;
  sums(h.map, &keys, &total);
  printf("list: %zu, moved: %s\n", (size_t)sum, before != h.list ? "yes" : "no");
  printf("map: %zu keys, %zu in all\n", (size_t)keys, (size_t)total);
  printf("collections: %s\n", h.collections > 1 ? "several" : "one");
  return barrow_heap_free(heap) == BARROW_OK ? 0 : give_up(last_error());
}
