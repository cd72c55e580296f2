/* A heap at 1.5 times what lives, for as long as one likes, with sizes that shift: lists, then objects of 300 words, then a
 * mixture; a server's requests; and a cache from which something random goes.
 *
 *   soak SECONDS     the limit is -M24m, of which 16 MiB live
 *
 * A line for each tenth of the time: operations, nanoseconds for each, resident memory, collections. The program fails when an
 * allocation fails, when an object of the cache is not what was put there, or when the resident memory of the last line
 * exceeds that of the third by a tenth. */
#include "../peers/c/ours/heap.h"
#include <sys/resource.h>
#include <unistd.h>

#define LIVE_WORDS (2 << 20)
#define SLOTS 65536
#define TURN 20000 /* operations with one distribution of sizes */

typedef struct Bytes { barrow_word h; int64_t bytes; int64_t at[]; } Bytes;
typedef struct Cell { barrow_word h; struct Cell *next; int64_t value; } Cell;
OBJECT(bytes_info, BARROW_BYTES, 0, 0, 0);
OBJECT(cell_info, BARROW_CONSTR, 1, 1, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

static int64_t state = 42, live, sum;
static int64_t draw(int64_t below) { state = lcg(state); return (state >> 8) % below; }

static void *checked(void *object) {
    if (object) return object;
    fprintf(stderr, "soak: %s\n", barrow_last_error());
    exit(1);
}

/* Words of an object of the distribution whose turn it is. */
static int64_t words_of(int64_t turn) {
    switch (turn % 4) {
    case 0: return 3;
    case 1: return 300;
    case 2: return draw(8) ? 2 + draw(20) : draw(16) ? 30 + draw(400) : 1000 + draw(3000);
    default: return 2 + draw(120);
    }
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
static void put(void *array, int64_t turn) {
    Bytes **at = (Bytes **)barrow_array_elements(array), *object; /* a large object does not move */
    int64_t slot = draw(SLOTS), size = words_of(turn);
    if (size < 3) size = 3;
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
    barrow_barrier(m, array, &at[slot], object);
}

static long resident_kib(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    double seconds = arg(argc, argv, 1, 60), begun, last;
    struct { barrow_frame frame; void *array; } f = {{0}, 0};
    int64_t operations = 0, before = 0, tenth = 0, turn;
    long third = 0, now_kib = 0;
    if (!getenv("BARROW_FLAGS")) setenv("BARROW_FLAGS", "-M24m", 1);
    heap_init();
    f.array = barrow_array_init(checked(barrow_alloc(m, barrow_array_words(SLOTS))), &array_info, SLOTS);
    live = barrow_array_words(SLOTS);
    BARROW_PUSH(m, f);
    last = begun = now();
    printf("| operations | ns each | resident KiB | majors |\n|---|---|---|---|\n");
    for (turn = 0; tenth < 10; turn++) {
        int i;
        for (i = 0; i < TURN; i++, operations++) {
            if (i % 4 == 0) request();
            else put(f.array, turn);
        }
        if (now() - begun > seconds * (tenth + 1) / 10) {
            barrow_stats_t stats;
            stats.size = sizeof stats;
            barrow_stats(heap, &stats);
            now_kib = resident_kib();
            printf("| %lld | %.0f | %ld | %llu |\n", (long long)operations, (now() - last) * 1e9 / (operations - before),
                   now_kib, (unsigned long long)stats.major_collections);
            fflush(stdout);
            last = now(), before = operations;
            if (++tenth == 3) third = now_kib;
        }
    }
    if (now_kib > third + third / 10) {
        fprintf(stderr, "soak: %ld KiB are resident, %ld after three tenths of the time\n", now_kib, third);
        return 1;
    }
    return 0;
}
