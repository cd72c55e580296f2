/* What a minor collection costs: minor OLD_MIB SURVIVORS [slots]. An old generation of OLD_MIB lives all the time;
 * each of a thousand rounds makes SURVIVORS cells that survive one collection, held by a frame, or with `slots` by
 * that many slots of an old array, rewritten each round. */
#include "../peers/c/ours/heap.h"
typedef struct Cell { barrow_word h; struct Cell *next; int64_t v; } Cell;
OBJECT(cell_info, BARROW_CONSTR, 1, 1, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);
enum { ROUNDS = 1000 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static Cell *cell(Cell **next) {
    Cell *c = NEW(Cell, cell_info);
    c->next = *next; c->v = 0;
    return c;
}

int main(int argc, char **argv) {
    heap_init();
    int64_t old_mib = arg(argc, argv, 1, 0), survivors = arg(argc, argv, 2, 0), slots = arg(argc, argv, 3, 0);
    struct { barrow_frame frame; Cell *old, *young; void *array; } f;
    BARROW_ENTER(m, f);
    for (int64_t i = 0; i < (old_mib << 20) / 24; i++) f.old = cell(&f.old);
    if (slots) f.array = barrow_array_init(barrow_alloc(m, barrow_array_words(slots)), &array_info, slots);
    if (barrow_collect(m, true)) return 1;
    static double took[ROUNDS];
    int64_t x = 42;
    for (int r = 0; r < ROUNDS; r++) {
        f.young = 0;
        for (int64_t i = 0; i < survivors; i++) {
            f.young = cell(&f.young);
            if (slots) {
                void **at = barrow_array_elements(f.array);
                x = lcg(x);
                barrow_write(m, f.array, &at[(x >> 8) % slots], f.young);
            }
        }
        if (slots) f.young = 0;
        double t = now();
        if (barrow_collect(m, false)) return 1;
        took[r] = now() - t;
    }
    barrow_stats_t s;
    s.size = sizeof s;
    barrow_stats(heap, &s);
    qsort(took, ROUNDS, sizeof *took, by_size);
    printf("old %5lld MiB, survivors %7lld, slots %8lld: median %9.1f us, 99%% %9.1f us, majors %llu\n",
           (long long)old_mib, (long long)survivors, (long long)slots, took[ROUNDS / 2] * 1e6, took[ROUNDS * 99 / 100] * 1e6,
           (unsigned long long)s.major_collections);
    return 0;
}
