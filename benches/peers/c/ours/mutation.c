#include "heap.h"
typedef struct Cell { barrow_word h; int64_t a, b; } Cell;
OBJECT(cell_info, BARROW_CONSTR, 0, 2, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

static Cell *cell(int64_t a, int64_t b) {
    Cell *c = NEW(Cell, cell_info);
    c->a = a; c->b = b;
    return c;
}
static int64_t work(int argc, char **argv) {
    int64_t slots = arg(argc, argv, 1, 1000000), writes = arg(argc, argv, 2, 1000000);
    double t0 = now();
    struct { barrow_frame frame; void *arr; } f;
    f.arr = barrow_array_init(barrow_alloc(m, barrow_array_words(slots)), &array_info, slots);
    BARROW_PUSH(m, f);
    Cell **at = (Cell **)barrow_array_elements(f.arr); /* a large object does not move */
    for (int64_t i = 0; i < slots; i++) {
        Cell *c = cell(i & 0xffff, i);
        at[i] = c;
        barrow_barrier(m, f.arr, &at[i], c);
    }
    double t1 = now();
    int64_t x = 42, acc = 0;
    for (int64_t w = 0; w < writes; w++) {
        x = lcg(x);
        int64_t i = (x >> 8) % slots;
        acc = (acc + at[i]->a) & MASK;
        Cell *c = cell(w & 0xffff, w);
        at[i] = c;
        barrow_barrier(m, f.arr, &at[i], c);
    }
    double t2 = now();
    metric("build_s", t1 - t0);
    metric("write_ns", (t2 - t1) / writes * 1e9);
    for (int64_t i = 0; i < slots; i++) acc += at[i]->a;
    BARROW_LEAVE(m, f);
    return acc;
}
#include "../main.h"
