#include "heap.h"
/* W words including the header. */
typedef struct { barrow_word h; int64_t f[1]; } Obj2;
typedef struct { barrow_word h; int64_t f[2]; } Obj3;
typedef struct { barrow_word h; int64_t f[7]; } Obj8;
OBJECT(obj2_info, BARROW_CONSTR, 0, 1, 0);
OBJECT(obj3_info, BARROW_CONSTR, 0, 2, 0);
OBJECT(obj8_info, BARROW_CONSTR, 0, 7, 0);

/* One object is live at a time: the loop reads the previous one, then drops it. */
#define RUN(T, W, info)                                             \
    static int64_t run##W(int64_t n) {                              \
        int64_t acc = 0;                                            \
        struct { barrow_frame frame; T *prev; } r;                  \
        r.prev = NEW(T, info);                                      \
        BARROW_PUSH(m, r);                                          \
        for (int k = 0; k < W - 1; k++) r.prev->f[k] = 0;           \
        for (int64_t i = 0; i < n; i++) {                           \
            T *o = NEW(T, info);                                    \
            for (int k = 0; k < W - 1; k++) o->f[k] = i;            \
            acc = (acc + r.prev->f[W - 2]) & MASK;                  \
            r.prev = o;                                             \
        }                                                           \
        BARROW_LEAVE(m, r);                                         \
        return acc + r.prev->f[0];                                  \
    }
RUN(Obj2, 2, obj2_info)
RUN(Obj3, 3, obj3_info)
RUN(Obj8, 8, obj8_info)

static int64_t work(int argc, char **argv) {
    int64_t n = arg(argc, argv, 1, 10000000), acc = 0;
    double t0 = now();
    acc += run2(n);
    double t1 = now();
    acc += run3(n);
    double t2 = now();
    acc += run8(n);
    double t3 = now();
    metric("ns_obj2", (t1 - t0) / n * 1e9);
    metric("ns_obj3", (t2 - t1) / n * 1e9);
    metric("ns_obj8", (t3 - t2) / n * 1e9);
    return acc;
}
#include "../main.h"
