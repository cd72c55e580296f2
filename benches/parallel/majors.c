/* How long major collections take: majors SHAPE OBJECTS HOW. SHAPE is tree, gcbench (what lives long in GCBench: a tree, beside numbers
 * without pointers), deep (many short trees in a list), map (a binary
 * search tree in random order, with a box for each key), graph (objects in an array, each with two references to any others), holes
 * (objects in an array, of which a third, by lot, is replaced before each slide: give -F100, so that nothing else slides) or list. HOW is leave (collections of the heap's own, while garbage is promoted) or slide (asked for). Prints the least wall time of
 * a major collection and the least CPU time, in milliseconds. Flags are taken from BARROW_FLAGS. */
#include "shapes.h"

enum { ROUNDS = 7 };

static double wall = 1e9, cpu = 1e9;
static int majors;
static void *graph(int64_t objects) {
    struct { barrow_frame frame; void *all; Node *fresh; } f = {{0}, 0, 0};
    BARROW_PUSH(m, f);
    f.all = barrow_array_init(barrow_alloc(m, barrow_array_words(objects)), &array_info, objects);
    for (int64_t i = 0; i < objects; i++) {
        f.fresh = node(NULL, NULL, i);
        void **element = &barrow_array_elements(f.all)[i];
        *element = f.fresh;
        barrow_barrier(m, f.all, element, f.fresh);
    }
    for (int64_t i = 0; i < objects; i++) {
        Node **all = (Node **)barrow_array_elements(f.all), *object = all[i];
        set(object, &object->a, all[draw(objects)]);
        set(object, &object->b, all[draw(objects)]);
    }
    BARROW_LEAVE(m, f);
    return f.all;
}
/* Many trees of some hundred objects each, in a list. */
static Node *deep(int64_t objects) {
    struct { barrow_frame frame; Node *all, *one; } f = {{0}, 0, 0};
    BARROW_PUSH(m, f);
    for (int64_t i = 0; i < objects; i += 512) {
        f.one = tree(511);
        f.all = node(&f.all, &f.one, i);
    }
    BARROW_LEAVE(m, f);
    return f.all;
}

OBJECT(bytes_info, BARROW_BYTES, 0, 0, 0);

/* GCBench keeps half a million numbers of eight bytes beside a tree of as many nodes. */
static void *gcbench(int64_t objects) {
    struct { barrow_frame frame; void *all, *one; } f = {{0}, 0, 0};
    barrow_word *numbers;
    void **elements;
    BARROW_PUSH(m, f);
    f.all = barrow_array_init(barrow_alloc(m, barrow_array_words(2)), &array_info, 2);
    f.one = tree(objects);
    elements = barrow_array_elements(f.all);
    elements[0] = f.one;
    barrow_barrier(m, f.all, &elements[0], f.one);
    numbers = barrow_alloc(m, 2 + (size_t)objects);
    numbers[0] = (barrow_word)&bytes_info, numbers[1] = 8 * (barrow_word)objects;
    memset(numbers + 2, 0, 8 * (size_t)objects);
    elements = barrow_array_elements(f.all);
    elements[1] = numbers;
    barrow_barrier(m, f.all, &elements[1], numbers);
    BARROW_LEAVE(m, f);
    return f.all;
}

static void fill(void *all, int64_t at) {
    struct { barrow_frame frame; void *all; Node *fresh; } f = {{0}, all, 0};
    BARROW_PUSH(m, f);
    f.fresh = node(NULL, NULL, at);
    void **element = &barrow_array_elements(f.all)[at];
    *element = f.fresh;
    barrow_barrier(m, f.all, element, f.fresh);
    BARROW_LEAVE(m, f);
}
static void *holes(int64_t objects) {
    struct { barrow_frame frame; void *all; } f = {{0}, 0};
    BARROW_PUSH(m, f);
    f.all = barrow_array_init(barrow_alloc(m, barrow_array_words(objects)), &array_info, objects);
    for (int64_t i = 0; i < objects; i++) fill(f.all, i);
    BARROW_LEAVE(m, f);
    return f.all;
}

static void timed(double *least, double ms) { if (ms < *least) *least = ms; }
static void event(void *client, const barrow_event *event) {
    static double began;
    struct timespec now;
    (void)client;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    if (event->kind == BARROW_EVENT_COLLECTION_BEGINS) { began = now.tv_sec * 1e3 + now.tv_nsec / 1e6; return; }
    if (!event->major) return;
    majors++;
    timed(&wall, event->pause_ns / 1e6);
    timed(&cpu, now.tv_sec * 1e3 + now.tv_nsec / 1e6 - began);
}

int main(int argc, char **argv) {
    const char *shape = argc > 1 ? argv[1] : "tree", *how = argc > 3 ? argv[3] : "leave";
    int64_t objects = arg(argc, argv, 2, 1000000);
    struct { barrow_frame frame; void *kept; Node *dropped, *one; } f = {{0}, 0, 0, 0};
    int64_t made = 0;
    barrow_config config;
    barrow_config_init(&config);
    config.flags = getenv("BARROW_FLAGS");
    config.event = event;
    if (barrow_heap_new(&config, &heap, &m)) { fprintf(stderr, "%s\n", barrow_last_error()); return 1; }
    BARROW_PUSH(m, f);
    f.kept = !strcmp(shape, "tree") ? (void *)tree(objects) : !strcmp(shape, "gcbench") ? gcbench(objects) : !strcmp(shape, "deep") ? (void *)deep(objects)
        : !strcmp(shape, "map") ? (void *)map(objects) : !strcmp(shape, "graph") ? graph(objects) : !strcmp(shape, "holes") ? holes(objects) : (void *)list(objects);
    if (barrow_collect(m, 1)) return 1;
    majors = 0, wall = cpu = 1e9;
    while (majors < ROUNDS)
        if (*how == 's') {
            for (int64_t i = 0; !strcmp(shape, "holes") && i < objects / 3; i++) fill(f.kept, draw(objects));
            if (barrow_collect(m, 1)) return 1;
        }
        else { /* promoted, and dead before long */
            f.one = tree(20000);
            f.dropped = ++made % 64 ? node(&f.dropped, &f.one, made) : NULL;
        }
    printf("%.2f %.2f\n", wall, cpu);
    BARROW_LEAVE(m, f);
    return 0;
}
