/* A host for compiled code with stack maps that is asked to make a mistake, or to load and unload code:
 *
 *   host CASE [NUMBER]
 *
 * A mistake that is noticed by a call prints its code and its sentence and ends with 0; one that is noticed in a
 * collection ends the process, as it should. */
#define _GNU_SOURCE
#include <barrow/inline.h>
#ifdef LOADER
#include <dlfcn.h>
#include <link.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, BARROW_CONSTR, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0};

typedef size_t compiled(barrow_mutator *m, size_t a, size_t b, size_t c);

static barrow_heap *heap;
static barrow_mutator *m;

static void tell(barrow_status status) {
  printf("%s: %s\n", barrow_status_name(status), status ? barrow_last_error() : "");
}

static void must(barrow_status status) {
  if (status == BARROW_OK) return;
  fprintf(stderr, "%s\n", barrow_last_error());
  exit(9);
}

void fill(size_t *words, size_t n);
void fill(size_t *words, size_t n) { memset(words, 0, n * sizeof *words); }
void ask_for_a_collection(void);
void ask_for_a_collection(void) { must(barrow_external_bytes(m, 1 << 22)); }
barrow_mutator *the_mutator(void);
barrow_mutator *the_mutator(void) { return m; }

/* C in the middle: it has a root of its own, collects, and calls compiled code again. */
size_t (*outside)(barrow_mutator *m, size_t a, size_t b);
static compiled *back;
static size_t depth_and_roots(barrow_mutator *mutator, size_t depth, size_t rounds) {
  struct { barrow_frame frame; barrow_word *mine; } r;
  size_t result = 0, i;
  BARROW_ENTER(mutator, r);
  r.mine = barrow_alloc(mutator, 4);
  r.mine[0] = (barrow_word)&node_info;
  r.mine[1] = r.mine[2] = 0;
  r.mine[3] = depth;
  for (i = 0; i < rounds; i++) must(barrow_stack_call(mutator, back, depth, rounds, 0, &result));
  must(barrow_collect(mutator, depth & 1));
  if (r.mine[3] != depth) exit(8);
  BARROW_LEAVE(mutator, r);
  return result;
}

#ifdef LOADER
static struct { const char *name; size_t base, bytes; } found;
static int look(struct dl_phdr_info *info, size_t size, void *data) {
  int i;
  (void)size;
  (void)data;
  if (!strstr(info->dlpi_name, found.name)) return 0;
  found.base = info->dlpi_addr;
  for (i = 0; i < info->dlpi_phnum; i++) {
    size_t end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && end > found.bytes) found.bytes = end;
  }
  return 1;
}

static size_t unregister_now(barrow_mutator *mutator, size_t a, size_t b) {
  (void)a;
  (void)b;
  tell(barrow_module_unregister(mutator, (void *)found.base, found.bytes));
  return 0;
}

/* The library has `program`, `outside`, and its maps by `maps`. */
static void load(const char *path, int times, bool late) {
  while (times--) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const void *(*maps)(size_t *);
    compiled *program;
    size_t bytes = 0, result = 0;
    const void *start;
    if (!library) exit((fprintf(stderr, "%s\n", dlerror()), 9));
    *(void **)&maps = dlsym(library, "maps");
    *(void **)&program = dlsym(library, "program");
    start = maps(&bytes);
    found.name = strrchr(path, '/') + 1;
    found.bytes = 0;
    dl_iterate_phdr(look, NULL);
    must(barrow_stack_maps_register(heap, start, bytes, false));
    back = program;
    outside = depth_and_roots;
    must(barrow_stack_call(m, program, 4, 2, 0, &result));
    printf("%lu\n", (unsigned long)result);
    outside = unregister_now; /* refused: the library's code is on the stack */
    must(barrow_stack_call(m, program, 1, 1, 0, &result));
    must(barrow_module_unregister(m, (void *)found.base, found.bytes));
    outside = depth_and_roots;
    if (late) barrow_stack_call(m, program, 4, 2, 0, &result); /* ends the process: its maps are gone */
    dlclose(library);
  }
}
#else
extern const char __start_llvm_stackmaps[], __stop_llvm_stackmaps[];
extern size_t program(barrow_mutator *m, size_t a, size_t b, size_t c);
#endif

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  const char *flags = getenv("HOST_FLAGS");
  barrow_config config;
  barrow_config_init(&config);
  config.flags = flags ? flags : "-A64k";
  must(barrow_heap_new(&config, &heap, &m));
#ifdef LOADER
  load(argv[2], 5, strcmp(name, "late") == 0);
#else
  {
    size_t number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    size_t bytes = (size_t)(__stop_llvm_stackmaps - __start_llvm_stackmaps), i, result = 0;
    char *copy = malloc(bytes);
    memcpy(copy, __start_llvm_stackmaps, bytes);
    back = program;
    outside = depth_and_roots;
    if (strcmp(name, "run") == 0) {
      barrow_stats_t stats;
      memset(&stats, 0, sizeof stats);
      stats.size = (uint32_t)sizeof stats;
      must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, bytes, false));
      must(barrow_stack_call(m, program, number, 2, 0, &result));
      must(barrow_stats(heap, &stats));
      printf("%lu\n", (unsigned long)result);
      fprintf(stderr, "%lu collections\n", (unsigned long)stats.collections);
    } else if (strcmp(name, "unregistered") == 0) {
      must(barrow_stack_call(m, program, 3, 1000000, 0, &result));
    } else if (strcmp(name, "part") == 0) { /* of the section of two object files, the first `number` bytes */
      must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, number, false));
      must(barrow_stack_call(m, program, 3, 2, 0, &result));
    } else if (strcmp(name, "version") == 0) {
      copy[0] = 4;
      tell(barrow_stack_maps_register(heap, copy, bytes, false));
    } else if (strcmp(name, "cut") == 0) {
      size_t taken = 0;
      for (i = 0; i < bytes; i++) {
        if (barrow_stack_maps_register(heap, copy, i, false) != BARROW_OK) continue;
        taken++;
        must(barrow_stack_maps_unregister(m, copy));
      }
      printf("%lu of %lu cuts are taken\n", (unsigned long)taken, (unsigned long)bytes);
    } else if (strcmp(name, "uncalled") == 0) { /* not through barrow_stack_call */
      must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, bytes, false));
      program(m, 3, 1000000, 0);
    } else if (strcmp(name, "register") == 0) {
      tell(barrow_stack_maps_register(heap, __start_llvm_stackmaps, bytes, false));
    } else {
      must(barrow_stack_maps_register(heap, __start_llvm_stackmaps, bytes, false));
      must(barrow_stack_call(m, program, 3, 1000000, 0, &result));
    }
    free(copy);
  }
#endif
  must(barrow_heap_free(heap));
  return 0;
}
