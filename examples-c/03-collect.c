/* 03-collect: old objects change through the barrier; collections are asked for, watched, and fail in good order. */
#include <barrow/inline.h>
#include <stdio.h>

typedef struct cell {
  barrow_word header;
  struct cell *next;
  barrow_word value;
} cell;

static const barrow_names cell_names = {"Ref", "Ref", "Main", "03-collect.c:5"};
static barrow_info cell_info = BARROW_INFO_NAMED(BARROW_CONSTR, BARROW_FLAG_MUTABLE, 1, 1, &cell_names);

static unsigned minor, major, refused;

static void on_event(void *client, const barrow_event *event) {
  (void)client;
  if (event->kind != BARROW_EVENT_COLLECTION_ENDS) return;
  if (event->major) major++;
  else minor++;
}

/* There is no memory: a client may free something and try again, leave by longjmp, or give up, as here. */
static bool on_overflow(void *client, barrow_mutator *m, size_t bytes) {
  (void)client, (void)m, (void)bytes;
  refused++;
  return false;
}

static cell *new_cell(barrow_mutator *m, barrow_word value) {
  cell *c = (cell *)barrow_alloc(m, sizeof(cell) / sizeof(barrow_word));
  if (!c) return NULL;
  c->header = (barrow_word)&cell_info;
  c->next = NULL;
  c->value = value;
  return c;
}

int main(void) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; cell *old; } r;
  cell *young;
  size_t i;

  barrow_config_init(&config);
  config.flags = "-A1m -G2 -T2 -M16m";
  config.event = on_event;
  config.overflow = on_overflow;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  BARROW_ENTER(m, r);
  r.old = new_cell(m, 1);
  for (i = 0; i < 3; i++) {
    printf("after %zu collections it is in generation %d\n", i, (int)barrow_generation_of(heap, r.old));
    barrow_collect(m, false);
  }
  young = new_cell(m, 2);
  /* A minor collection does not look at old objects; the barrier remembers that this one points to a young one. */
  BARROW_WRITE(m, r.old, next, young);
  barrow_collect(m, false);
  printf("%zu %zu\n", (size_t)r.old->value, (size_t)r.old->next->value);
  barrow_collect(m, true);
  printf("%u minor and %u major\n", minor, major);

  /* Everything stays reachable, until the limit. */
  while ((young = new_cell(m, 3)) != NULL) {
    BARROW_WRITE(m, young, next, r.old);
    r.old = young;
  }
  printf("refused: %u; the heap is sound: %s\n", refused, barrow_check_frames(m) == BARROW_OK ? "yes" : "no");
  r.old = NULL;
  barrow_collect(m, true);
  printf("and works again: %s\n", new_cell(m, 4) ? "yes" : "no");
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
