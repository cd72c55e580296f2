/* How long minor collections take of which so many objects survive: minors SHAPE OBJECTS GARBAGE. SHAPE is tree, map (a binary search tree in
 * random order), array (objects with a box each, in an array) or list. Each round makes such a thing anew and collects twice, so that it is
 * copied in the young generation and then promoted, or promoted at once. Before each time so many objects more are made that nobody holds
 * (none). Prints the least wall time of a minor collection and the least CPU time, in
 * milliseconds, and the megabytes that it copied. Flags are taken from BARROW_FLAGS. */
#include "shapes.h"

enum { ROUNDS = 25 };

static double wall = 1e9, cpu = 1e9;
static double copied;
static int counts;
/* Bytes that a collection has copied to be counted: two words for each object that survives. */
static uint64_t least;
static void *array(int64_t objects) {
    struct { barrow_frame frame; void *all; Node *box; } f = {{0}, 0, 0};
    int64_t count = objects / 2;
    BARROW_PUSH(m, f);
    f.all = barrow_array_init(barrow_alloc(m, barrow_array_words(count)), &array_info, count);
    for (int64_t i = 0; i < count; i++) {
        void **element;
        f.box = node(NULL, NULL, i);
        f.box = node(&f.box, NULL, i);
        element = &barrow_array_elements(f.all)[i];
        *element = f.box;
        barrow_barrier(m, f.all, element, f.box);
    }
    BARROW_LEAVE(m, f);
    return f.all;
}

static void event(void *client, const barrow_event *event) {
    static double began;
    struct timespec now;
    double ms;
    (void)client;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    ms = now.tv_sec * 1e3 + now.tv_nsec / 1e6;
    if (event->kind == BARROW_EVENT_COLLECTION_BEGINS) { began = ms; return; }
    if (event->major || !counts || event->copied_bytes < least) return;
    if (event->pause_ns / 1e6 < wall) wall = event->pause_ns / 1e6, copied = event->copied_bytes / 1e6;
    if (ms - began < cpu) cpu = ms - began;
}

int main(int argc, char **argv) {
    const char *shape = argc > 1 ? argv[1] : "tree";
    int64_t objects = arg(argc, argv, 2, 100000), garbage = arg(argc, argv, 3, 0);
    struct { barrow_frame frame; void *kept; } f = {{0}, 0};
    barrow_config config;
    barrow_config_init(&config);
    config.flags = getenv("BARROW_FLAGS");
    config.event = event;
    if (barrow_heap_new(&config, &heap, &m)) { fprintf(stderr, "%s\n", barrow_last_error()); return 1; }
    least = objects * 2 * sizeof(void *);
    BARROW_PUSH(m, f);
    for (int round = 0; round < ROUNDS; round++) {
        f.kept = !strcmp(shape, "tree") ? (void *)tree(objects) : !strcmp(shape, "map") ? (void *)map(objects)
            : !strcmp(shape, "array") ? array(objects) : (void *)list(objects);
        counts = round > 0;
        for (int collection = 0; collection < 2; collection++) {
            for (int64_t i = 0; i < garbage; i++) node(NULL, NULL, i);
            if (barrow_collect(m, 0)) return 1;
        }
        counts = 0;
        f.kept = NULL;
    }
    printf("%.2f %.2f %.2f\n", wall, cpu, copied);
    BARROW_LEAVE(m, f);
    return 0;
}
