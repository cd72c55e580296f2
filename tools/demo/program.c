/* The demo's program: what a compiler's own run-time part and its main function would be. The three parts that it
 * runs are as a simple compiler would emit them, each in a file of its own. */
/* clock_gettime, which C alone does not have. */
#define _POSIX_C_SOURCE 200809L
#include "emit.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

INFO(text_info, BARROW_BYTES, 0, 0, 0, "Text", "text");
INFO(array_info, BARROW_ARRAY, 0, 0, 0, "Array", "array");

text *new_text(world *w, const char *bytes, size_t length) {
  size_t words = barrow_bytes_words(length);
  text *t = new_object(w, words, &text_info);
  t->length = length;
  memcpy(text_bytes(t), bytes, length);
  return t;
}

void *new_array(world *w, size_t length) {
  barrow_word *at = barrow_alloc(w->m, barrow_array_words(length));
  if (!at) longjmp(w->out_of_memory, 1);
  return barrow_array_init(at, &array_info, length);
}

void **elements(void *array) { return barrow_array_elements(array); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void figures(world *w, barrow_stats_t *out) {
  memset(out, 0, sizeof *out);
  out->size = (uint32_t)sizeof *out;
  barrow_stats(w->heap, out);
}

COST_CENTRE(words_cc, "words", "tools/demo/words.c");
COST_CENTRE(queens_cc, "queens", "tools/demo/queens.c");
COST_CENTRE(queue_cc, "queue", "tools/demo/queue.c");

static bool costs_more(const demo_centre *a, const demo_centre *b) {
  return a->ticks != b->ticks ? a->ticks > b->ticks : a->bytes > b->bytes;
}

/* Puts a centre into the list of the most costly ones, where it belongs. */
static void rank(demo_result *out, demo_centre centre) {
  size_t at = out->tops;
  while (at > 0 && costs_more(&centre, &out->top[at - 1])) at--;
  if (at == DEMO_TOP) return;
  if (out->tops < DEMO_TOP) out->tops++;
  memmove(&out->top[at + 1], &out->top[at], (out->tops - 1 - at) * sizeof *out->top);
  out->top[at] = centre;
}

/* Adds up the stacks of each centre, and finds the most costly ones. */
static void find_top(world *w, demo_result *out) {
  size_t count = 0, i;
  uint32_t centre, centres = 0;
  barrow_cost_row *rows;
  if (barrow_costs(w->m, NULL, 0, &count) != BARROW_OK || !(rows = calloc(count, sizeof *rows))) return;
  rows[0].size = sizeof *rows;
  if (barrow_costs(w->m, rows, count, NULL) == BARROW_OK) {
    for (i = 0; i < count; i++)
      if (rows[i].centre > centres) centres = rows[i].centre;
    for (centre = 1; centre <= centres; centre++) {
      demo_centre sum = {0};
      for (i = 0; i < count; i++) {
        if (rows[i].centre != centre || rows[i].flags & BARROW_COST_HIDDEN) continue;
        sum.label = rows[i].label;
        sum.ticks += rows[i].ticks;
        sum.bytes += rows[i].bytes;
        sum.entries += rows[i].entries;
      }
      out->ticks += sum.ticks;
      out->bytes += sum.bytes;
      if (sum.ticks || sum.bytes) rank(out, sum);
    }
  }
  free(rows);
}

static void run_part(world *w, demo_result *out, const char *name, barrow_cc *centre,
                     void (*run)(world *, demo_part *)) {
  demo_part *part = &out->parts[out->parts_done];
  w->part = out->parts_done;
  part->name = name;
  figures(w, &part->before);
  double begun = now();
  barrow_ccs *before = enter(w, centre);
  run(w, part);
  leave(w, before);
  part->seconds = now() - begun;
  figures(w, &part->after);
  out->parts_done++;
}

void demo_run(const char *flags, double scale, void (*progress)(size_t part, double done), demo_result *out) {
  world w = {.scale = scale, .progress = progress};
  barrow_config config;
  memset(out, 0, sizeof *out);
  barrow_config_init(&config);
  config.flags = flags;
  config.environment = 1;
  if (barrow_heap_new(&config, &w.heap, &w.m) != BARROW_OK) {
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
    return;
  }
  w.frames = barrow_frames_save(w.m);
  w.ccs = barrow_ccs_current(w.m);
  if (setjmp(w.out_of_memory) == 0) {
    run_part(&w, out, "words", &words_cc, count_words);
    run_part(&w, out, "queens", &queens_cc, place_queens);
    run_part(&w, out, "queue", &queue_cc, pass_messages);
  } else {
    /* The functions that were running are gone, and so must their frames and cost centres be. */
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
    barrow_frames_restore(w.m, w.frames);
    leave(&w, w.ccs);
  }
  find_top(&w, out);
  if (barrow_heap_free(w.heap) != BARROW_OK && !out->failure[0])
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
}
