/* The library by name: every symbol of abi/symbols.txt is there, and a program runs through pointers to functions.
 * dlopen LIBRARY SYMBOLS */
#include <barrow/inline.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *find(const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return symbol;
}

/* C has no cast from an object's address to a function's; the bits are the same. */
#define LOAD(pointer, name)              \
  do {                                   \
    void *symbol_ = find(name);          \
    memcpy(&pointer, &symbol_, sizeof pointer); \
  } while (0)

static barrow_status (*heap_new)(const barrow_config *, barrow_heap **, barrow_mutator **);
static barrow_status (*config_default)(barrow_config *, size_t);
static barrow_status (*heap_free)(barrow_heap *);
static barrow_word *(*alloc_slow)(barrow_mutator *, size_t);
static barrow_status (*collect)(barrow_mutator *, bool);
static const char *(*last_error)(void);
static int64_t (*window_offset)(const char *);

static barrow_info pair_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 1, 1, 0, 0, NULL,
                                NULL, NULL, NULL};

/* What a code generator emits that knows offsets only. */
static barrow_word *pair(char *m, barrow_word tail, barrow_word value) {
  barrow_word **hp = (barrow_word **)(void *)(m + window_offset("hp"));
  barrow_word **lim = (barrow_word **)(void *)(m + window_offset("hp_lim"));
  barrow_word *at = *hp;
  if (at + 3 > *lim) at = alloc_slow((barrow_mutator *)(void *)m, 3);
  else *hp = at + 3;
  at[0] = (barrow_word)&pair_info;
  at[1] = tail;
  at[2] = value;
  return at;
}

int main(int argc, char **argv) {
  char line[256];
  int count = 0;
  size_t i, sum = 0;
  FILE *symbols;
  barrow_config config, compiled;
  barrow_heap *heap;
  barrow_mutator *m;
  struct { barrow_frame frame; barrow_word *list; } r;
  if (argc != 3) return 2;
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  symbols = fopen(argv[2], "r");
  if (!library || !symbols) {
    fprintf(stderr, "%s\n", library ? argv[2] : dlerror());
    return 1;
  }
  while (fgets(line, sizeof line, symbols)) {
    line[strcspn(line, "\n")] = 0;
    if (*line) find(line), count++;
  }
  fclose(symbols);
  LOAD(heap_new, "barrow_heap_new");
  LOAD(config_default, "barrow_config_default");
  LOAD(heap_free, "barrow_heap_free");
  LOAD(alloc_slow, "barrow_alloc_slow");
  LOAD(collect, "barrow_collect");
  LOAD(last_error, "barrow_last_error");
  LOAD(window_offset, "barrow_window_offset");
  /* The same as in line, whatever was there before. */
  barrow_config_init(&compiled);
  memset(&config, 7, sizeof config);
  if (config_default(&config, sizeof config) != BARROW_OK || memcmp(&config, &compiled, sizeof config)) return 1;
  config.flags = "-A256k -xr64m -DS";
  if (heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", last_error());
    return 1;
  }
  BARROW_ENTER(m, r);
  for (i = 1; i <= 50000; i++) {
    barrow_word *p = pair((char *)m, 0, i);
    p[1] = i % 100 == 0 ? 0 : (barrow_word)r.list; /* pieces of a hundred live */
    r.list = p;
  }
  if (collect(m, true) != BARROW_OK) return 1;
  for (; r.list; r.list = (barrow_word *)r.list[1]) sum += r.list[2];
  BARROW_LEAVE(m, r);
  if (heap_free(heap) != BARROW_OK || sum != 50000) return 1;
  dlclose(library); /* it stays: -z nodelete */
  if (last_error()[0] != 0) return 1;
  printf("%d symbols\n", count);
  return 0;
}
