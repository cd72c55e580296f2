/* lookup-unforced.c: a leak of lazy programs. A map is held by a look-up that nobody has evaluated yet.
 *
 *   cc -I include examples-c/lookup-unforced.c -L target/release -lbarrow -o lookup-unforced
 *   ./lookup-unforced +RTS -hr -hdBin -ib4m
 *   barrow top lookup-unforced.hp
 *
 * The profile shows who holds the map's nodes: `lookup`, a thunk in the list of settings, although only one value of the
 * map is needed; the end of lookup-unforced.prof tells who holds the thunk. With `force` as first argument the look-up is
 * evaluated at once, and the band is gone. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bin { barrow_word header; struct bin *less, *greater; barrow_word key, value; } bin;
/* A look-up that waits: thunks keep word 1 for the result. */
typedef struct lookup { barrow_word header, result; bin *map; barrow_word key; } lookup;
typedef struct setting { barrow_word header; struct setting *next; void *value; } setting;
typedef struct boxed { barrow_word header, value; } boxed;

static const barrow_names bin_names = {"Bin", "Map", "Data.Map", "lookup-unforced.c:15"},
                          lookup_names = {"lookup", "Thunk", "Main", "lookup-unforced.c:17"},
                          setting_names = {"Setting", "Setting", "Main", "lookup-unforced.c:18"},
                          boxed_names = {"I", "Int", "Main", "lookup-unforced.c:19"};
#define TABLE(kind, ptrs, words, names) \
  BARROW_INFO_NAMED(kind, 0, ptrs, words, names)
static barrow_info bin_info = TABLE(BARROW_CONSTR, 2, 2, &bin_names), lookup_info = TABLE(BARROW_THUNK, 1, 1, &lookup_names),
                   setting_info = TABLE(BARROW_CONSTR, 2, 0, &setting_names),
                   boxed_info = TABLE(BARROW_CONSTR, 0, 1, &boxed_names);

static void *got(void *at) {
  if (!at) {
    fprintf(stderr, "%s\n", barrow_last_error());
    exit(251);
  }
  return at;
}

/* A balanced map of the keys from `from` up to `to`. */
static bin *range(barrow_mutator *m, barrow_word from, barrow_word to) {
  struct { barrow_frame frame; bin *less, *greater; } r;
  barrow_word middle = from + (to - from) / 2;
  bin *b;
  if (from >= to) return NULL;
  BARROW_ENTER(m, r);
  r.less = range(m, from, middle);
  r.greater = range(m, middle + 1, to);
  b = (bin *)got(barrow_alloc(m, 5));
  b->header = (barrow_word)&bin_info;
  b->less = r.less;
  b->greater = r.greater;
  b->key = middle;
  b->value = middle * middle % 1009;
  BARROW_LEAVE(m, r);
  return b;
}

static barrow_word find(const bin *b, barrow_word key) {
  while (b->key != key) b = key < b->key ? b->less : b->greater;
  return b->value;
}

int main(int argc, char **argv) {
  char flags[300];
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; bin *map; lookup *size; setting *settings; } r;
  barrow_word i, total = 0;
  barrow_config_init(&config);
  if (barrow_take_flags(&argc, argv, flags, sizeof flags) != BARROW_OK) flags[0] = 0;
  config.flags = flags;
  config.environment = 1;
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 251;
  }
  BARROW_ENTER(m, r);
  r.map = range(m, 0, 100000);
  r.size = (lookup *)got(barrow_alloc(m, 4));
  r.size->header = (barrow_word)&lookup_info;
  r.size->result = 0;
  r.size->map = r.map;
  r.size->key = 77777;
  r.map = NULL;
  r.settings = (setting *)got(barrow_alloc(m, 3));
  r.settings->header = (barrow_word)&setting_info;
  r.settings->next = NULL;
  r.settings->value = r.size;
  r.size = NULL;
  if (argc > 1 && strcmp(argv[1], "force") == 0) {
    boxed *value = (boxed *)got(barrow_alloc(m, 2));
    value->header = (barrow_word)&boxed_info;
    value->value = find(((lookup *)r.settings->value)->map, 77777);
    barrow_update(m, r.settings->value, value);
  }
  /* The rest of the program, which comes to the setting only at the end. */
  for (i = 0; i < 3000000; i++) {
    boxed *work = (boxed *)got(barrow_alloc(m, 2));
    work->header = (barrow_word)&boxed_info;
    work->value = i;
    total += work->value % 3;
  }
  if (barrow_info_of(r.settings->value) == &lookup_info) {
    const lookup *waiting = (const lookup *)r.settings->value;
    total += find(waiting->map, waiting->key);
  } else {
    const boxed *value = (const boxed *)r.settings->value;
    if (barrow_info_of(value) != &boxed_info) value = (const boxed *)((const barrow_word *)value)[1];
    total += value->value;
  }
  printf("%lu\n", (unsigned long)total);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
