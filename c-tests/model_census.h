/* model_census.h: what a census has to count, by the model (model.h): objects and bytes of each type. Of selectors, which the
 * collector replaces by what they select, of indirections, of which it leaves those before thunks, of what is under evaluation, which
 * may be a selector, of names, and of chunks of stacks the model knows nothing. */
#ifndef MODEL_CENSUS_H
#define MODEL_CENSUS_H
#include "crowd.h"
#include "programs_cafs.h"

/* The library's weak pointers have types of their own, alive and dead. */
enum { OF_CELL, OF_LARGE, OF_NODE, OF_THUNK, OF_ARRAY, OF_WEAK_ARRAY, OF_WEAK, OF_DEAD_WEAK,
       OF_BYTES, OF_SHORT, OF_LINK, OF_LEAF, OF_WORTH, OF_TAGGED, OF_GREEN,
       OF_TAGGED_WEAK, OF_FEW, OF_MANY, OF_PARTIAL, OF_APPLY, OF_ODD, TYPES = OF_ODD + ODD_SORTS };
static const char *const type_names[TYPES] = {"cell_info", "large_info", "node_info", "thunk_info", "array_info", "weak_array_info",
                                              "WEAK", "DEAD_WEAK", "bytes_info", "short_info", "link_info", "leaf_info",
                                              "worth_info", "tagged_info", "green_info",
                                              "tagged_weak_info", "few_info", "many_info", "partial_info", "apply_info",
                                              "variable_info", "bitmap_info", "structs_info", "frozen_info", "strange_info",
                                              "vector_info", "tagged_array_info"};
enum { WEAK_WORDS = 7 };

typedef struct counts {
  uint64_t objects[TYPES], words[TYPES];
} counts;

static inline void count_many(counts *c, int type, size_t objects, size_t words) {
  c->objects[type] += objects;
  c->words[type] += objects * words;
}

static inline void count(counts *c, int type, size_t words) { count_many(c, type, 1, words); }

/* The objects of one world but the fixed ones. A weak pointer with a finalizer stays while its key does, and so does the object
 * that is its finalizer. */
static inline void count_world(world *w, counts *c) {
  unsigned i;
  reach_all(w);
  for (i = FIXED + 1; i <= w->count; i++) {
    unsigned key = w->left[i];
    bool alive = w->kind[i] == WEAK && is_reached(w, key) && !w->ended[i];
    bool guards = alive && w->kind[key] == GUARDED;
    if (guards && key % 2 == 0) count(c, OF_CELL, 4);
    if (!is_reached(w, i) && !guards) continue;
    switch (w->kind[i]) {
      case LARGE: count(c, OF_LARGE, 3 + LARGE_WORDS); break;
      case THUNK:
        if (w->black[i] || w->lazily[i]) break;
        if (w->sort[i] == APPLIED) count(c, OF_APPLY, barrow_ap_words(w->length[i]));
        else count(c, OF_THUNK, barrow_thunk_words(3));
        break;
      case WEAK: count(c, alive ? OF_WEAK : OF_DEAD_WEAK, WEAK_WORDS); break;
      case WEAK_ARRAY: count(c, w->sort[i] ? OF_TAGGED_WEAK : OF_WEAK_ARRAY, barrow_weak_array_words(w->length[i])); break;
      case BYTES: count(c, OF_BYTES, barrow_bytes_words(w->length[i])); break;
      case SHORT: count(c, OF_SHORT, 3); break;
      case TAGGED: count(c, OF_TAGGED, 4); break;
      case ARRAY: count(c, OF_ARRAY, barrow_array_words(w->length[i])); break;
      case CAPTURED: break;
      case FUNCTION: count(c, w->sort[i] ? OF_MANY : OF_FEW, 4); break;
      case PARTIAL: count(c, OF_PARTIAL, barrow_pap_words(w->length[i])); break;
      case GREEN: count(c, OF_GREEN, 4); break;
      case ODD: count(c, OF_ODD + w->sort[i], odd_words_of(w->sort[i], w->length[i])); break;
      default: count(c, OF_CELL, 4);
    }
  }
}

/* What all worlds share, while nobody evaluates or writes. */
static inline void count_fixed(counts *c) {
  unsigned i;
  count_many(c, OF_LEAF, match_crowd(), 4);
  count_many(c, OF_LINK, links, 4);
  count_many(c, OF_WORTH, cafs_done, 4);
  count(c, OF_ARRAY, barrow_array_words(TOPS));
  count(c, OF_ARRAY, barrow_array_words(LEAVES));
  for (i = 1; i <= FIXED; i++)
    if (black_fixed[i - 1]) continue;
    else if (i % 2 || evaluations[i - 1]) count(c, OF_NODE, 4);
    else if (is_applied(i)) count(c, OF_APPLY, barrow_ap_words(3));
    else count(c, OF_THUNK, barrow_thunk_words(3));
  count(c, OF_ARRAY, barrow_array_words(THREADS * PART));
  count(c, OF_ARRAY, barrow_array_words(FIXED));
}

static inline bool is_unknown(const char *name) {
  return strcmp(name, "left_info") != 0 && strcmp(name, "right_info") != 0 && strcmp(name, "STACK") != 0 && strcmp(name, "STABLE_NAME") != 0 &&
         strncmp(name, "IND", 3) != 0 && !strstr(name, "BLACKHOLE");
}

/* The last census has just these, and selectors. With `least`, it has these and perhaps more: others go on. */
static inline void match_census(barrow_heap *in, const counts *due, bool least) {
  barrow_census_totals_t totals;
  barrow_census_band_t band;
  counts found;
  size_t bands = 0, i;
  uint64_t objects = 0, bytes = 0;
  int type;
  memset(&found, 0, sizeof found);
  CHECK_OK(barrow_census_count(in, 'y', &bands));
  for (i = 0; i < bands; i++) {
    char name[40];
    band.size = (uint32_t)sizeof band;
    CHECK_OK(barrow_census_band(in, 'y', i, &band, name, sizeof name));
    objects += band.objects, bytes += band.bytes;
    for (type = 0; type < TYPES && strcmp(name, type_names[type]) != 0; type++) continue;
    if (least && strcmp(name, "WEAK (finalizer waits)") == 0) type = OF_DEAD_WEAK;
    if (type < TYPES) found.objects[type] += band.objects, found.words[type] += band.bytes / sizeof(barrow_word);
    else if (!least && is_unknown(name))
      check_failed(__FILE__, __LINE__, name, "is in a census, and not in the model");
  }
  totals.size = (uint32_t)sizeof totals;
  CHECK_OK(barrow_census_totals(in, &totals));
  CHECK(totals.live_objects == objects && totals.live_bytes == bytes);
  for (type = 0; type < TYPES; type++) {
    bool is_right = least ? found.objects[type] >= due->objects[type] && found.words[type] >= due->words[type]
                          : found.objects[type] == due->objects[type] && found.words[type] == due->words[type];
    char why[120];
    if (is_right) continue;
    sprintf(why, "%llu of %llu words, by the model %llu of %llu", (unsigned long long)found.objects[type],
            (unsigned long long)found.words[type], (unsigned long long)due->objects[type], (unsigned long long)due->words[type]);
    check_failed(__FILE__, __LINE__, type_names[type], why);
  }
}

#endif
