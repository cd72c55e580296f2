/* 02-roots: what is in a root lives, and the root is rewritten when the object moves. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct cell {
  barrow_word header;
  struct cell *tail;
  barrow_word value;
} cell;

static const barrow_names cell_names = {"Cons", "List", "Main", "02-roots.c:5"};
static barrow_info cell_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 1, 1, &cell_names);

static cell *global; /* registered with the heap */
static cell *known;  /* named by the callback */

/* Called in each collection. */
static void my_roots(void *client, barrow_visitor *visitor) {
  (void)client;
  barrow_visit(visitor, (void **)&known);
}

/* Any allocation may collect, so `tail` is in a root while it happens. */
static cell *cons(barrow_mutator *m, barrow_word value, cell *tail) {
  struct { barrow_frame frame; cell *tail; } r;
  cell *c;
  r.tail = tail;
  BARROW_PUSH(m, r);
  c = (cell *)barrow_alloc(m, sizeof(cell) / sizeof(barrow_word));
  BARROW_LEAVE(m, r);
  if (!c) { /* there is no memory */
    fprintf(stderr, "%s\n", barrow_last_error());
    exit(1);
  }
  c->header = (barrow_word)&cell_info;
  c->tail = r.tail; /* where it is now */
  c->value = value;
  return c;
}

static cell *range(barrow_mutator *m, barrow_word n) {
  cell *list = NULL;
  for (; n > 0; n--) list = cons(m, n, list);
  return list;
}

static barrow_word sum(const cell *c) {
  barrow_word s = 0;
  for (; c; c = c->tail) s += c->value;
  return s;
}

int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_handle *handle;
  struct { barrow_frame frame; cell *a, *b; } r;
  const cell *before;
  int i;

  barrow_config_init(&config);
  config.roots = my_roots;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  BARROW_ENTER(m, r); /* both null */
  r.a = range(m, 10);
  r.b = range(m, 100);
  if (barrow_root_add(heap, "global", &global, 1, false)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  global = range(m, 1000);
  known = range(m, 10000);
  if (barrow_handle_new(m, range(m, 100000), &handle)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;

  before = r.a;
  for (i = 0; i < 3; i++) range(m, 1000000); /* garbage: minor collections happen on the way */
  barrow_collect(m, true);
  printf("the first list has moved: %s\n", r.a != before ? "yes" : "no");
  printf("%zu %zu %zu %zu %zu\n", (size_t)sum(r.a), (size_t)sum(r.b), (size_t)sum(global), (size_t)sum(known),
         (size_t)sum((const cell *)barrow_handle_get(handle)));

  barrow_handle_free(m, handle);
  barrow_root_remove(heap, &global);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
