/* What a compiler's run-time part would do once: make the heap, and report at the end. */
#include "../common.h"
#include <barrow/inline.h>

static barrow_heap *heap;
static barrow_mutator *m;

#define OBJECT(name, kind_, ptrs_, words_, flags_)                                                    \
    static const barrow_names name##_names = {#name, #name, "bench", 0};                              \
    static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, (kind_), (flags_), 0,  \
                               (ptrs_), (words_), 0, 0, 0, 0, 0, &name##_names}

static inline void heap_init(void) {
    barrow_config config;
    barrow_config_init(&config);
    config.flags = getenv("BARROW_FLAGS");
    if (barrow_heap_new(&config, &heap, &m)) {
        fprintf(stderr, "%s\n", barrow_last_error());
        exit(1);
    }
}

/* T's first field is its header. */
#define NEW(T, info) ((T *)new_(sizeof(T) / sizeof(barrow_word), &(info)))
static inline void *new_(size_t words, barrow_info *info) {
    barrow_word *p = barrow_alloc(m, words);
    *p = (barrow_word)info;
    return p;
}

static inline void gc_report(void) {
    barrow_stats_t s;
    s.size = sizeof s;
    barrow_stats(heap, &s);
    metric("minor_gcs", s.collections - s.major_collections);
    metric("major_gcs", s.major_collections);
    metric("gc_s", s.gc_wall_ns * 1e-9);
    metric("gc_cpu_s", s.gc_cpu_ns * 1e-9);
    metric("max_pause_ms", s.max_pause_ns * 1e-6);
    metric("copied_bytes", s.copied_bytes);
    metric("alloc_bytes", s.allocated_bytes);
    metric("max_live_bytes", s.max_live_bytes);
}
