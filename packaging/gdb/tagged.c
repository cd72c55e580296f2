/* A program to stop in, for ci/debug-check.sh: tagged words in a frame and in an object, by the rule that its argument names. No
 * variable of a function that runs is a mutator, so that commands have to be told which it is. */
#include <barrow/nanbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const barrow_names node_names = {"Node", "Node", "Tagged", 0};
static barrow_info node_info = BARROW_INFO_NAMED(BARROW_TAGGED, 0, 4, 1, &node_names);
static barrow_heap *heap;
static barrow_mutator *own;
static volatile barrow_word seed = 41;

/* A rule of docs/values.md, and how its words are made. */
typedef struct rule { const char *name; uint16_t tags; size_t mask, offset, tag; barrow_word number; } rule;
static const rule rules[] = {
  {"even", 0x5555, ~(size_t)0, 0, 0, 0x30d41},
  {"behind", 0x0202, ~(size_t)0, (size_t)-1, 1, 0x30d40},
  {"high", 0x0101, 0x0000fffffffffff8, 0, (size_t)0xabcd << 48, 0x30d41},
  {"nan", BARROW_NAN_TAGGED_POINTERS, ~(size_t)0, 0, 0, 0},
};

static void make_heap(const rule *by, const char *flags) {
  barrow_config config;
  barrow_config_init(&config);
  config.flags = flags;
  config.tagged_pointers = by->tags;
  config.address_mask = by->mask;
  config.address_offset = by->offset;
  if (barrow_heap_new(&config, &heap, &own)) {
    printf("%s\n", barrow_last_error());
    exit(1);
  }
}

static barrow_word node(barrow_word reference, barrow_word number, barrow_word tag) {
  barrow_word *p = barrow_alloc(own, 6);
  if (!p) exit(1);
  p[0] = (barrow_word)&node_info;
  p[1] = reference;
  p[2] = number;
  p[3] = 0;
  p[4] = number;
  p[5] = 17;
  return (barrow_word)p + tag;
}

static barrow_word changed(void) { return seed += 1; }

static void here(barrow_word *untagged, barrow_word tagged) {
  if (!untagged || !tagged) puts("nothing to see");
}

int main(int count, char **words) {
  struct { barrow_frame frame; barrow_word reference, number, nothing; } r;
  struct { barrow_frame frame; void *reference; } plain;
  const rule *by = rules;
  barrow_word number, gone;
  while (count > 1 && strcmp(by->name, words[1])) by++;
  make_heap(by, count > 2 ? words[2] : "-A1m");
  number = strcmp(by->name, "nan") ? by->number : barrow_nan_of_double(0.5);
  memset(&plain, 0, sizeof plain);
  BARROW_ENTER_TAGGED(own, r);
  BARROW_PUSH(own, plain);
  r.reference = node(0, number, by->tag);
  r.reference = node(r.reference, number, by->tag);
  r.number = number;
  plain.reference = (void *)(r.reference - by->tag);
  gone = changed();
  printf("%lu\n", (unsigned long)gone);
  here((barrow_word *)plain.reference, r.reference);
  if (count > 3) abort();
  BARROW_LEAVE(own, plain);
  BARROW_LEAVE(own, r);
  return barrow_heap_free(heap);
}
