/* A list of many cells, built, collected and dropped: list CELLS. No recursion, whatever its length. */
#include "../peers/c/ours/heap.h"
typedef struct Cell { barrow_word h; struct Cell *next; int64_t v; } Cell;
OBJECT(cell_info, BARROW_CONSTR, 1, 1, 0);

int main(int argc, char **argv) {
    heap_init();
    int64_t n = arg(argc, argv, 1, 100000000);
    struct { barrow_frame frame; Cell *list; } f;
    BARROW_ENTER(m, f);
    double t0 = now();
    for (int64_t i = 0; i < n; i++) {
        Cell *c = NEW(Cell, cell_info);
        c->v = i; c->next = f.list;
        f.list = c;
    }
    double t1 = now();
    if (barrow_collect(m, true)) { fprintf(stderr, "%s\n", barrow_last_error()); return 1; }
    double t2 = now();
    int64_t sum = 0, count = 0;
    for (Cell *c = f.list; c; c = c->next) { sum += c->v; count++; }
    f.list = 0;
    double t3 = now();
    if (barrow_collect(m, true)) { fprintf(stderr, "%s\n", barrow_last_error()); return 1; }
    double t4 = now();
    barrow_stats_t s;
    s.size = sizeof s;
    barrow_stats(heap, &s);
    metric("build_s", t1 - t0);
    metric("collect_live_s", t2 - t1);
    metric("collect_dead_s", t4 - t3);
    metric("peak_mib", s.peak_resident_bytes >> 20);
    metric("held_mib_afterwards", s.resident_bytes >> 20);
    gc_report();
    checksum(sum + count);
    return count == n && s.live_bytes < (1 << 20) ? 0 : 1;
}
