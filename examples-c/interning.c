/* An interning table with open addressing over a weak array: equal names are one object, and names that nobody uses die.
 *
 * An element whose object died is NULL, and NULL is what ends a probe in such a table: names behind it would be lost, and made a
 * second time. So each place has a mark of its own, outside the heap, which stays when the object goes: 0 for a place that was
 * never used, else the hash of the name that was there. A probe ends at a place that was never used. A used place whose element is
 * NULL is a tombstone, which the next new name on that way takes. */
#include <barrow/inline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64 };

static barrow_info name_info = BARROW_INFO_BYTES(0, "Name");
static barrow_info table_info = BARROW_INFO_ARRAY(BARROW_WEAK_ARRAY, 0, "Names");

/* The table: a weak array, and the marks of its places. Both grow together in a real one: when half of the marks are used,
 * all names that live go into a new array, with marks for them alone. */
static void *table;
static barrow_word marks[PLACES];

static barrow_word hash_of(const char *text) {
  barrow_word hash = 5381;
  /* Few values, so that names share their ways. */
  while (*text) hash = (hash * 33 + (unsigned char)*text++) % 7;
  return hash + 1;
}

static const char *text_of(const void *name) { return (const char *)barrow_bytes_start((void *)name); }

static void *make_name(barrow_mutator *m, const char *text) {
  size_t bytes = strlen(text) + 1;
  barrow_word *name = barrow_alloc(m, barrow_bytes_words(bytes));
  if (!name) exit(1);
  name[0] = (barrow_word)&name_info;
  name[1] = bytes;
  memcpy(barrow_bytes_start(name), text, bytes);
  return name;
}

/* The one object of a name. */
static void *intern(barrow_mutator *m, const char *text) {
  barrow_word hash = hash_of(text);
  size_t at = hash % PLACES, place = PLACES, probes;
  void *name;
  for (probes = 0; probes < PLACES && marks[at] != 0; probes++, at = (at + 1) % PLACES) {
    name = barrow_weak_array_get(table, at);
    if (!name && place == PLACES) place = at; /* a tombstone: the way goes on behind it */
    if (name && marks[at] == hash && strcmp(text_of(name), text) == 0) return name;
  }
  if (place == PLACES) {
    if (probes == PLACES) exit(1);
    place = at;
  }
  name = make_name(m, text); /* may collect: elements may die, places stay */
  marks[place] = hash;
  barrow_weak_array_write(m, table, place, name);
  return name;
}

int main(void) {
  static const char *const texts[] = {"car", "cdr", "cons", "map", "fold", "filter", "length", "append"};
  struct { barrow_frame frame; void *kept[4]; } r;
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  size_t i, dead = 0, same = 0;
  barrow_config_init(&config);
  if (barrow_heap_new(&config, &heap, &m)) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, r);
  table = barrow_weak_array_init(barrow_alloc(m, barrow_weak_array_words(PLACES)), &table_info, PLACES);
  if (!table || barrow_root_add(heap, "names", &table, 1, false)) return 1;
  for (i = 0; i < 8; i++) {
    void *name = intern(m, texts[i]);
    if (i % 2) r.kept[i / 2] = name; /* every other name is used somewhere */
  }
  if (barrow_collect(m, true)) return 1;
  for (i = 0; i < PLACES; i++) dead += marks[i] != 0 && !barrow_weak_array_get(table, i);
  for (i = 1; i < 8; i += 2) same += intern(m, texts[i]) == r.kept[i / 2];
  printf("%d names died, %d of 4 are found behind them\n", (int)dead, (int)same);
  for (i = 0; i < 8; i += 2) intern(m, texts[i]);
  for (i = dead = 0; i < PLACES; i++) dead += marks[i] != 0 && !barrow_weak_array_get(table, i);
  printf("%d places are tombstones after the others came back\n", (int)dead);
  BARROW_LEAVE(m, r);
  return barrow_heap_free(heap);
}
