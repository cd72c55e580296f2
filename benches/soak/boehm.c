/* The soak with Boehm's collector: `GC_MAXIMUM_HEAP_SIZE=24m boehm SECONDS`. An object has no header here, and a length in
 * front as in soak.c; what is counted as living has the same words. */
#include "../peers/c/bdwgc/gcbase.h"
#include "soak.h"

typedef struct Bytes { int64_t bytes; int64_t at[]; } Bytes;
typedef struct Cell { struct Cell *next; int64_t value; } Cell;
static Bytes **cache;

static void *checked(void *object) {
    if (object) return object;
    fprintf(stderr, "soak: no memory, %ld KiB are resident\n", resident_kib());
    exit(1);
}

static void request(void) {
    Cell *list = 0, *cell;
    int64_t i, count = 20 + draw(100);
    for (i = 0; i < count; i++) {
        cell = checked(NEW(Cell));
        cell->next = list, cell->value = i;
        list = cell;
    }
    for (cell = list; cell; cell = cell->next) sum += cell->value;
    if (sum < count) exit(2);
}

static int64_t words(const Bytes *object) { return 2 + object->bytes / 8; }

static void put(int64_t turn) {
    int64_t slot = draw(SLOTS), size = words_of(turn);
    Bytes *object;
    while (live + size > LIVE_WORDS || cache[slot]) {
        int64_t other = cache[slot] ? slot : draw(SLOTS);
        if (!cache[other]) continue;
        if (cache[other]->at[0] != other) exit(1);
        live -= words(cache[other]);
        cache[other] = 0;
    }
    object = checked(NEWB((size - 1) * 8));
    object->bytes = (size - 2) * 8, object->at[0] = slot;
    cache[slot] = object;
    live += size;
}

static long majors(void) { return (long)GC_get_gc_no(); }

int main(int argc, char **argv) {
    gc_init();
    cache = checked(GC_MALLOC(SLOTS * sizeof *cache));
    live = SLOTS;
    return soak(arg(argc, argv, 1, 60));
}
