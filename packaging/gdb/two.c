/* A program that ci/debug-check.sh stops while another thread has a mutator, and holds an object. */
#include <barrow/inline.h>
#include <pthread.h>
#include <stdio.h>

typedef struct cell { barrow_word header; struct cell *next; barrow_word value; } cell;
static barrow_info cell_info = BARROW_INFO(BARROW_CONSTR, 0, 1, 1, "Cell");
static barrow_heap *heap;
static cell *shown; /* what the other thread holds; no root, and nothing moves meanwhile */
static int over;

static cell *cell_of(barrow_mutator *m, cell *next) {
  struct { barrow_frame frame; cell *next; } r;
  cell *c;
  BARROW_ENTER(m, r);
  r.next = next;
  c = (cell *)barrow_alloc(m, 3);
  barrow_set_header(c, &cell_info);
  c->next = r.next;
  c->value = 1;
  BARROW_LEAVE(m, r);
  return c;
}

static void *hold(void *unused) {
  barrow_mutator *own;
  struct { barrow_frame frame; cell *kept; } r;
  if (barrow_attach(heap, &own)) return unused;
  BARROW_ENTER(own, r);
  r.kept = cell_of(own, NULL);
  r.kept = cell_of(own, r.kept);
  __atomic_store_n(&shown, r.kept, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) barrow_safepoint(own);
  BARROW_LEAVE(own, r);
  barrow_detach(own);
  return NULL;
}

static void here(barrow_mutator *m, cell *held) {
  if (!m || !held) puts("nothing to see");
}

int main(void) {
  barrow_config config;
  barrow_mutator *m;
  pthread_t other;
  barrow_config_init(&config);
  config.flags = "-A1m --mutators=2";
  if (barrow_heap_new(&config, &heap, &m)) return puts(barrow_last_error()), 1;
  if (pthread_create(&other, NULL, hold, NULL)) return 1;
  while (!__atomic_load_n(&shown, __ATOMIC_ACQUIRE)) continue;
  here(m, shown);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  barrow_enter_foreign(m);
  pthread_join(other, NULL);
  barrow_leave_foreign(m);
  return barrow_heap_free(heap) != BARROW_OK;
}
