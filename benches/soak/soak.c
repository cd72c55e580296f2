/* A heap at 1.5 times what lives, for as long as one likes, with sizes that shift: lists, then objects of 300 words, then a
 * mixture; a server's requests; and a cache from which something random goes.
 *
 *   soak SECONDS     the limit is -M24m, of which 16 MiB live
 *
 * A line for each tenth of the time: operations, nanoseconds for each, resident memory, collections. The program fails when an
 * allocation fails, when an object of the cache is not what was put there, or when the resident memory of the last line
 * exceeds that of the third by a tenth. */
#include "../peers/c/ours/heap.h"
#include "soak.h"

typedef struct Bytes { barrow_word h; int64_t bytes; int64_t at[]; } Bytes;
typedef struct Cell { barrow_word h; struct Cell *next; int64_t value; } Cell;
OBJECT(bytes_info, BARROW_BYTES, 0, 0, 0);
OBJECT(cell_info, BARROW_CONSTR, 1, 1, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

static struct { barrow_frame frame; void *array; } cache;

static void *checked(void *object) {
    if (object) return object;
    fprintf(stderr, "soak: %s\n", barrow_last_error());
    exit(1);
}

/* A request: some hundred objects that die together, and a list that is added up. */
static void request(void) {
    struct { barrow_frame frame; Cell *list; } f = {{0}, 0};
    Cell *cell;
    int64_t i, count = 20 + draw(100);
    BARROW_PUSH(m, f);
    for (i = 0; i < count; i++) {
        cell = checked(barrow_alloc(m, sizeof *cell / sizeof(barrow_word)));
        cell->h = (barrow_word)&cell_info, cell->next = f.list, cell->value = i;
        f.list = cell;
    }
    for (cell = f.list; cell; cell = cell->next) sum += cell->value;
    if (sum < count) exit(2);
    BARROW_LEAVE(m, f);
}

static int64_t words(const Bytes *object) { return 2 + object->bytes / (int64_t)sizeof(barrow_word); }

/* Puts an object into a random slot, and takes others out until not too much lives. */
static void put(int64_t turn) {
    Bytes **at = (Bytes **)barrow_array_elements(cache.array), *object; /* a large object does not move */
    int64_t slot = draw(SLOTS), size = words_of(turn);
    while (live + size > LIVE_WORDS || at[slot]) {
        int64_t other = at[slot] ? slot : draw(SLOTS);
        if (!at[other]) continue;
        if (at[other]->at[0] != other) {
            fprintf(stderr, "soak: slot %lld holds another's object\n", (long long)other);
            exit(1);
        }
        live -= words(at[other]);
        at[other] = 0;
    }
    object = checked(barrow_alloc(m, size));
    object->h = (barrow_word)&bytes_info, object->bytes = (size - 2) * (int64_t)sizeof(barrow_word);
    object->at[0] = slot;
    at[slot] = object;
    live += size;
    barrow_barrier(m, cache.array, &at[slot], object);
}

static long majors(void) {
    barrow_stats_t stats;
    stats.size = sizeof stats;
    barrow_stats(heap, &stats);
    return (long)stats.major_collections;
}

int main(int argc, char **argv) {
    if (!getenv("BARROW_FLAGS")) setenv("BARROW_FLAGS", "-M24m", 1);
    heap_init();
    cache.array = barrow_array_init(checked(barrow_alloc(m, barrow_array_words(SLOTS))), &array_info, SLOTS);
    live = barrow_array_words(SLOTS);
    BARROW_PUSH(m, cache);
    return soak(arg(argc, argv, 1, 60));
}
