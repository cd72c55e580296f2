/* What a major collection costs: major LIVE_MIB DEAD_MIB [flags]. Of an old generation of both sizes together, LIVE_MIB
 * of cells in a binary tree stay and DEAD_MIB die; the collection after that is timed, with its CPU time, five times over. */
#include "../peers/c/ours/heap.h"
#include <string.h>
typedef struct Cell { barrow_word h; struct Cell *left, *right; int64_t v; } Cell;
OBJECT(cell_info, BARROW_CONSTR, 2, 1, BARROW_FLAG_MUTABLE);
enum { ROUNDS = 5 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static Cell *tree(int64_t cells) {
    struct { barrow_frame frame; Cell *left, *right; } f;
    if (cells <= 0) return NULL;
    BARROW_ENTER(m, f);
    f.left = tree((cells - 1) / 2);
    f.right = tree(cells - 1 - (cells - 1) / 2);
    Cell *c = NEW(Cell, cell_info);
    c->left = f.left; c->right = f.right; c->v = cells;
    BARROW_LEAVE(m, f);
    return c;
}

int main(int argc, char **argv) {
    heap_init();
    int64_t live = (arg(argc, argv, 1, 100) << 20) / 32, dead = (arg(argc, argv, 2, 0) << 20) / 32;
    struct { barrow_frame frame; Cell *kept, *dropped; } f;
    double wall[ROUNDS], cpu[ROUNDS];
    BARROW_ENTER(m, f);
    f.kept = tree(live);
    for (int r = 0; r < ROUNDS; r++) {
        barrow_stats_t before, after;
        f.dropped = tree(dead);
        if (barrow_collect(m, false)) return 1;
        if (barrow_collect(m, false)) return 1;
        f.dropped = NULL;
        memset(&before, 0, sizeof before);
        before.size = sizeof before;
        after = before;
        barrow_stats(heap, &before);
        double t = now();
        if (barrow_collect(m, true)) return 1;
        wall[r] = now() - t;
        barrow_stats(heap, &after);
        cpu[r] = (after.gc_cpu_ns - before.gc_cpu_ns) / 1e9;
    }
    qsort(wall, ROUNDS, sizeof *wall, by_size);
    qsort(cpu, ROUNDS, sizeof *cpu, by_size);
    printf("live %5lld MiB, dead %5lld MiB: median %8.2f ms, CPU %8.2f ms (least %8.2f), %5.1f ns of CPU for each live object\n",
           (long long)(live * 32 >> 20), (long long)(dead * 32 >> 20), wall[ROUNDS / 2] * 1e3, cpu[ROUNDS / 2] * 1e3,
           cpu[0] * 1e3, cpu[0] * 1e9 / (double)live);
    return 0;
}
