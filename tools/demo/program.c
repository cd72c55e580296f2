/* The demo's program: what a compiler's own run-time part and its main function would be. The three parts that it
 * runs are as a simple compiler would emit them, each in a file of its own. */
/* clock_gettime, which C alone does not have. */
#define _POSIX_C_SOURCE 200809L
#include "emit.h"
#include <stdio.h>
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

static void run_part(world *w, demo_result *out, const char *name, void (*run)(world *, demo_part *)) {
  demo_part *part = &out->parts[out->parts_done];
  w->part = out->parts_done;
  part->name = name;
  figures(w, &part->before);
  double begun = now();
  run(w, part);
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
  if (barrow_heap_new(&config, &w.heap, &w.m) != BARROW_OK) {
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
    return;
  }
  w.frames = barrow_frames_save(w.m);
  if (setjmp(w.out_of_memory) == 0) {
    run_part(&w, out, "words", count_words);
    run_part(&w, out, "queens", place_queens);
    run_part(&w, out, "queue", pass_messages);
  } else {
    /* The functions that were running are gone, and so must their frames be. */
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
    barrow_frames_restore(w.m, w.frames);
  }
  if (barrow_heap_free(w.heap) != BARROW_OK && !out->failure[0])
    snprintf(out->failure, sizeof out->failure, "%s", barrow_last_error());
}
