/* What a compiler's run-time part would do once: make the heap, and report at the end. */
#include "../common.h"
#include <barrow/inline.h>

static barrow_heap *heap;
static PER_THREAD barrow_mutator *m;

#define OBJECT(name, kind_, ptrs_, words_, flags_)                                                    \
    static const barrow_names name##_names = {#name, #name, "bench", 0};                              \
    static barrow_info name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, 0, (kind_), (flags_), 0,  \
                               (ptrs_), (words_), 0, 0, 0, 0, 0, &name##_names}

static inline void must(barrow_status status) {
    if (status == BARROW_OK) return;
    fprintf(stderr, "%s\n", barrow_last_error());
    exit(1);
}

static inline void heap_init(void) {
    barrow_config config;
    const char *flags = getenv("BARROW_FLAGS");
    barrow_config_init(&config);
    config.flags = flags;
#if THREADS > 1
    char line[300];
    snprintf(line, sizeof line, "--mutators=%d %s", THREADS, flags ? flags : "");
    config.flags = line;
#endif
    must(barrow_heap_new(&config, &heap, &m));
}

/* For main.h. */
#define runtime_init heap_init
#define THREAD_CREATE pthread_create
#define THREAD_JOIN pthread_join
#define thread_begin() must(barrow_attach(heap, &m))
#define thread_end() must(barrow_detach(m))
#define waiting() must(barrow_enter_foreign(m))
#define awake() must(barrow_leave_foreign(m))

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
