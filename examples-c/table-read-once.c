/* table-read-once.c: a leak of programs of all kinds. A table is read once, at the start, and held to the end.
 *
 *   cc -I include examples-c/table-read-once.c -L target/release -lbarrow -o table-read-once
 *   ./table-read-once +RTS -hd -hbdrag -ib4m
 *   barrow top table-read-once.hp
 *
 * The profile shows the `Row`s as drag: used, and held long after their last use. With `drop` as first argument the
 * root is cleared behind the last use, and the band is gone. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row { barrow_word header; struct row *next; barrow_word key, value; } row;

static const barrow_names row_names = {"Row", "Table", "Main", "table-read-once.c:14"};
static barrow_info row_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 1, 2, &row_names);
static const barrow_names work_names = {"Work", "Work", "Main", "table-read-once.c:60"};
static barrow_info work_info = BARROW_INFO_NAMED(BARROW_CONSTR, 0, 1, 2, &work_names);

static row *made(barrow_mutator *m, const barrow_info *info, row *next, barrow_word key) {
  struct { barrow_frame frame; row *next; } r;
  row *at;
  r.next = next;
  BARROW_PUSH(m, r);
  at = (row *)barrow_alloc(m, 4);
  if (!at) {
    fprintf(stderr, "%s\n", barrow_last_error());
    exit(251);
  }
  at->header = (barrow_word)info;
  at->next = r.next;
  at->key = key;
  at->value = key * 3 % 1000;
  BARROW_LEAVE(m, r);
  return at;
}

int main(int argc, char **argv) {
  char flags[300];
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; row *table, *work; } r;
  barrow_word i, total = 0;
  const row *at;
  barrow_config_init(&config);
  if (barrow_take_flags(&argc, argv, flags, sizeof flags) != BARROW_OK) flags[0] = 0;
  config.flags = flags;
  config.environment = 1;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 251;
  }
  BARROW_ENTER(m, r);
  for (i = 0; i < 200000; i++) r.table = made(m, &row_info, r.table, i);
  for (at = r.table; at; at = at->next) {
    barrow_use(m, at);
    total += at->value;
  }
  if (argc > 1 && strcmp(argv[1], "drop") == 0) r.table = NULL;
  /* The rest of the program has no need for the table. */
  for (i = 0; i < 1000000; i++) {
    r.work = made(m, &work_info, NULL, i);
    barrow_use(m, r.work);
    total += r.work->value;
  }
  printf("%lu\n", (unsigned long)total);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
