/* Twenty small programs, ten of which leak: what `make.sh` beside it makes profiles of. Each goes through 60 steps, and a census
 * is taken after each. All of them read a configuration that stays, and work through requests whose memory comes and goes.
 *
 *   programs NAME FLAGS [SNAPSHOT]   runs one, and takes SNAPSHOT.half and SNAPSHOT.end; without NAME it lists them, a leaking one with the centre that makes what leaks */
#include <barrow/inline.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, SLOTS = 64 };

typedef struct node { barrow_word header; struct node *next; void *body; } node;

#define INFO(id, kind, flags, ptrs, words, type) \
  static const barrow_names id##_names = {type, type, "Shop", 0}; \
  static barrow_info id = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, (kind), (flags), 0, (ptrs), (words), 0, 0, 0, 0, 0, &id##_names}
INFO(entry_info, BARROW_CONSTR, 0, 2, 0, "Entry");
INFO(text_info, BARROW_BYTES, 0, 0, 0, "Text");
INFO(array_info, BARROW_ARRAY, 0, 0, 0, "Array");
#define CENTRE(id) static barrow_cc id##_cc = BARROW_CC(#id, "Shop", "shop.c:" #id)
CENTRE(config); CENTRE(request); CENTRE(table); CENTRE(spare); CENTRE(insert); CENTRE(open); CENTRE(append); CENTRE(load); CENTRE(render);
CENTRE(serve); CENTRE(work);

static barrow_heap *heap;
static barrow_mutator *m;
static uint64_t seed = 1;
/* `table` is held for ever; `spare` by the work of the moment. Each slot is a list. */
static struct { barrow_frame frame; void *table, *spare, *config; } root;

static size_t below(size_t most) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return most ? (size_t)(seed >> 33) % most : 0;
}

static void *need(void *at) {
  if (!at) { fprintf(stderr, "%s\n", barrow_last_error()); exit(1); }
  return at;
}

static void *array(void) { return barrow_array_init(need(barrow_alloc(m, barrow_array_words(SLOTS))), &array_info, SLOTS); }
#define SLOT(array, slot) (((node **)barrow_array_elements(array))[slot])

/* A new entry with `bytes` of text, in a slot of a table; made under a centre. */
static void put(void **array, size_t slot, size_t bytes, barrow_cc *centre) {
  barrow_ccs *before = barrow_ccs_enter(m, centre);
  struct { barrow_frame frame; void *text; } f;
  f.text = NULL;
  BARROW_PUSH(m, f);
  barrow_word *text = need(barrow_alloc(m, barrow_bytes_words(bytes)));
  text[0] = (barrow_word)&text_info;
  text[1] = bytes;
  memset(text + 2, 'x', bytes);
  f.text = text;
  node *new = need(barrow_alloc(m, 3));
  BARROW_LEAVE(m, f);
  new->header = (barrow_word)&entry_info;
  new->body = f.text;
  new->next = SLOT(*array, slot);
  barrow_write(m, *array, &SLOT(*array, slot), new);
  barrow_ccs_leave(m, before);
}

static void drop(void *array, size_t slot) { barrow_write(m, array, &SLOT(array, slot), NULL); }
/* So many bytes, as entries of a kilobyte or less, all in one slot. */
static void put_all(void **array, size_t slot, size_t bytes, barrow_cc *centre) {
  for (; bytes; bytes -= bytes < 1000 ? bytes : 1000) put(array, slot, bytes < 1000 ? bytes : 1000, centre);
}
/* Makes what a slot holds this large. */
static void level(void **array, size_t slot, size_t bytes, barrow_cc *centre) { drop(*array, slot); put_all(array, slot, bytes, centre); }

/* Requests: waves of seven steps, whose memory goes at the end of each. */
static void wave(size_t step, size_t bytes, barrow_cc *centre) {
  if (step % 7 == 0) drop(root.spare, 1);
  put_all(&root.spare, 1, bytes, centre);
}

#define STEP(name) static void name(size_t step)
/* These leak. */
STEP(forgotten) { (void)step; put_all(&root.table, 3, 6000, &insert_cc); }
STEP(listeners) { wave(step, 9000, &render_cc); put(&root.table, 4, 700, &open_cc); put(&root.table, 4, 700, &open_cc); }
STEP(cache) { (void)step; for (size_t i = 0; i < 9; i++) { size_t key = below(4000); if (key % 3) put(&root.table, key % SLOTS, 100 + below(900), &insert_cc); } }
STEP(under_waves) { wave(step, 60000, &render_cc); put_all(&root.table, 5, 3500, &append_cc); }
STEP(stairs) { if (step % 5 == 0) put_all(&root.table, 6, 40000, &load_cc); wave(step, 4000, &render_cc); }
STEP(late) { if (step > STEPS / 2) put_all(&root.table, 7, 9000, &insert_cc); wave(step, 3000, &render_cc); }
STEP(two) { (void)step; put_all(&root.table, 8, 8000, &open_cc); put_all(&root.table, 9, 1500, &append_cc); }
STEP(noisy) { put_all(&root.table, 10, below(12000), &append_cc); level(&root.spare, 2, below(90000), &render_cc); (void)step; }
STEP(after_load) { if (step < 6) put_all(&root.table, 11, 120000, &load_cc); put_all(&root.table, 12, 3000, &insert_cc); }
STEP(half_freed) { if (step % 6 == 0) drop(root.spare, 3); put_all(&root.spare, 3, 7000, &insert_cc); put_all(&root.table, 13, 2500, &insert_cc); }
/* These do not. */
STEP(steady) { level(&root.table, 3, 200000 + below(20000), &insert_cc); (void)step; }
STEP(saw) { wave(step + 3, 70000, &render_cc); }
STEP(ramp) { if (step < 42) put_all(&root.table, 4, 9000, &load_cc); else drop(root.table, 4); }
STEP(filled) { if (step < 26) put_all(&root.table, 5, 9000, &load_cc); wave(step, 4000, &render_cc); }
STEP(tide) { level(&root.table, 6, (size_t)(150000 + 120000 * sin(step * 9.4 / STEPS - 1.6)), &load_cc); }
STEP(random) { level(&root.table, 7, below(300000), &append_cc); level(&root.table, 8, below(80000), &insert_cc); (void)step; }
STEP(burst) { if (step < STEPS - 4) level(&root.table, 9, 90000, &insert_cc); else put_all(&root.table, 10, 90000, &load_cc); }
STEP(queue) { level(&root.table, step % 20 + 11, 9000, &open_cc); }
STEP(bound) { level(&root.table, 6, (size_t)(400000 * (1 - exp(-(double)step / 10))), &insert_cc); }
STEP(handed_over) { level(&root.table, 7, (STEPS - step) * 5000, &load_cc); level(&root.table, 8, step * 5000, &insert_cc); }

static const struct { const char *name; void (*step)(size_t step); const char *leaks; } programs[] = {
  {"forgotten", forgotten, "insert"}, {"listeners", listeners, "open"}, {"cache", cache, "insert"}, {"under-waves", under_waves, "append"},
  {"stairs", stairs, "load"}, {"late", late, "insert"}, {"two", two, "open"}, {"noisy", noisy, "append"}, {"after-load", after_load, "insert"},
  {"half-freed", half_freed, "insert"}, {"steady", steady, 0}, {"saw", saw, 0}, {"ramp", ramp, 0}, {"filled", filled, 0}, {"tide", tide, 0},
  {"random", random, 0}, {"burst", burst, 0}, {"queue", queue, 0}, {"bound", bound, 0}, {"handed-over", handed_over, 0}};

static void snapshot(const char *name, const char *when) {
  char file[400];
  snprintf(file, sizeof file, "%s.%s", name, when);
  if (barrow_snapshot(m, file) != BARROW_OK) { fprintf(stderr, "%s\n", barrow_last_error()); exit(1); }
}

static void *table_by(barrow_cc *centre) {
  barrow_ccs *before = barrow_ccs_enter(m, centre);
  void *made = array();
  barrow_ccs_leave(m, before);
  return made;
}

int main(int count, char **words) {
  size_t i, step;
  for (i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (count < 2) printf("%s %s\n", programs[i].name, programs[i].leaks ? programs[i].leaks : "-");
    else if (!strcmp(programs[i].name, words[1])) break;
  }
  if (count < 2) return 0;
  if (i == sizeof programs / sizeof *programs || count < 3) return fprintf(stderr, "programs [NAME FLAGS]\n"), 2;
  barrow_config wanted;
  barrow_config_init(&wanted);
  wanted.flags = words[2];
  if (barrow_heap_new(&wanted, &heap, &m) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  BARROW_ENTER(m, root);
  root.config = table_by(&config_cc);
  root.table = table_by(&table_cc);
  root.spare = table_by(&spare_cc);
  put_all(&root.config, 0, 60000, &config_cc);
  for (step = 0; step < STEPS; step++) {
    barrow_ccs *outer = barrow_ccs_enter(m, &serve_cc), *before = barrow_ccs_enter(m, &request_cc);
    programs[i].step(step);
    barrow_ccs_leave(m, before);
    barrow_ccs_leave(m, outer);
    before = barrow_ccs_enter(m, &work_cc);
    /* Rubbish, so that time goes by between two samples. */
    for (size_t n = 0; n < 4000 + below(3000); n++) level(&root.spare, 5, 1000, &work_cc);
    barrow_ccs_leave(m, before);
    if (count > 3 && (step == STEPS / 2 || step == STEPS - 1)) snapshot(words[3], step == STEPS - 1 ? "end" : "half");
    if (barrow_census(m) != BARROW_OK) return fprintf(stderr, "%s\n", barrow_last_error()), 1;
  }
  BARROW_LEAVE(m, root);
  return barrow_heap_free(heap) == BARROW_OK ? 0 : 1;
}
