/* Calls that go into the library, each made N times: what callgrind counts for one, calls.sh tells. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static barrow_info node_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_CONSTR, 0, 0, 2, 1, 0, 0,
                                NULL, NULL, NULL, NULL};
static barrow_mutator *m;
static barrow_word *kept;

static void fill(barrow_word *object) {
  object[0] = (barrow_word)&node_info;
  object[1] = object[2] = object[3] = 0;
}

static void allocate(void) { fill(barrow_allocate(m, 4)); }
static void allocate_pinned(void) {
  barrow_word *object = barrow_allocate_pinned(m, 4, 16, 0);
  fill(object);
}
static void handle(void) {
  barrow_handle *made;
  if (barrow_handle_new(m, kept, &made) == BARROW_OK) barrow_handle_free(m, made);
}
static void safepoint(void) { (void)barrow_safepoint(m); }
static void stable(void) {
  static size_t name;
  if (!name) name = barrow_stable_new(m, kept);
  (void)barrow_stable_get(m, name);
}
static void weak(void) { (void)barrow_weak_new(m, kept, NULL, NULL); }

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*call)(void);
  } all[] = {{"allocate", allocate}, {"allocate_pinned", allocate_pinned}, {"handle", handle},
             {"safepoint", safepoint}, {"stable_get", stable}, {"weak_new", weak}};
  const char *wanted = argc > 1 ? argv[1] : "";
  unsigned long calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000, i;
  size_t k;
  barrow_config config;
  barrow_heap *heap;
  barrow_config_init(&config);
  config.flags = "-A16m";
  if (barrow_heap_new(&config, &heap, &m) != BARROW_OK) {
    fprintf(stderr, "%s\n", barrow_last_error());
    return 1;
  }
  fill(kept = barrow_allocate(m, 4));
  for (k = 0; k < sizeof all / sizeof *all; k++)
    if (strcmp(all[k].name, wanted) == 0) {
      all[k].call();
      for (i = 0; i < calls; i++) all[k].call();
      return 0;
    }
  fprintf(stderr, "calls: no such call: %s\n", wanted);
  return 2;
}
