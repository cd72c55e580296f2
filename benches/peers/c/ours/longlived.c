#include "heap.h"
typedef struct Map { barrow_word h; struct Map *l, *r; int64_t key, val; } Map;
typedef struct List { barrow_word h; struct List *next; int64_t v; } List;
OBJECT(map_info, BARROW_CONSTR, 2, 2, 0);
OBJECT(list_info, BARROW_CONSTR, 1, 1, 0);

/* Out of room: the children go into a frame for the time of the collection. */
static __attribute__((noinline)) Map *bin_slow(int64_t k, int64_t v, Map *l, Map *r) {
    struct { barrow_frame frame; Map *l, *r; } f;
    f.l = l; f.r = r;
    BARROW_PUSH(m, f);
    Map *n = NEW(Map, map_info);
    n->key = k; n->val = v; n->l = f.l; n->r = f.r;
    BARROW_LEAVE(m, f);
    return n;
}
static inline Map *bin(int64_t k, int64_t v, Map *l, Map *r) {
    Map *n = (Map *)barrow_try_alloc(m, 5);
    if (!n) return bin_slow(k, v, l, r);
    n->h = (barrow_word)&map_info;
    n->key = k; n->val = v; n->l = l; n->r = r;
    return n;
}
static Map *build(int64_t lo, int64_t hi) {
    if (lo >= hi) return 0;
    int64_t mid = (lo + hi) / 2;
    struct { barrow_frame frame; Map *l; } f;
    f.l = build(lo, mid);
    BARROW_PUSH(m, f);
    Map *r = build(mid + 1, hi);
    BARROW_LEAVE(m, f);
    return bin(mid, (mid * 7) & 0xffff, f.l, r);
}
static int64_t lookup(Map *n, int64_t k) {
    while (n) {
        if (k == n->key) return n->val;
        n = k < n->key ? n->l : n->r;
    }
    return 0;
}
static Map *update(Map *n, int64_t k, int64_t v) { /* copies the path */
    if (!n) return 0;
    if (k == n->key) return bin(k, v, n->l, n->r);
    struct { barrow_frame frame; Map *n; } f;
    f.n = n;
    BARROW_PUSH(m, f);
    Map *t = k < n->key ? update(n->l, k, v) : update(n->r, k, v);
    BARROW_LEAVE(m, f);
    n = f.n;
    return k < n->key ? bin(n->key, n->val, t, n->r) : bin(n->key, n->val, n->l, t);
}
static int64_t total(Map *n) { return n ? n->val + total(n->l) + total(n->r) : 0; }
static List *mklist(int64_t v) {
    struct { barrow_frame frame; List *l; } f;
    f.l = 0;
    BARROW_PUSH(m, f);
    for (int64_t j = 15; j >= 0; j--) {
        List *c = NEW(List, list_info);
        c->v = v + j; c->next = f.l;
        f.l = c;
    }
    BARROW_LEAVE(m, f);
    return f.l;
}
static int64_t sumlist(List *l) { int64_t s = 0; for (; l; l = l->next) s += l->v; return s; }

int main(int argc, char **argv) {
    heap_init();
    int64_t n = arg(argc, argv, 1, 1000000), steps = arg(argc, argv, 2, 1000000);
    double t0 = now();
    struct { barrow_frame frame; Map *map; } f;
    f.map = build(0, n);
    BARROW_PUSH(m, f);
    double t1 = now();
    int64_t x = 42, acc = 0;
    for (int64_t s = 0; s < steps; s++) {
        x = lcg(x);
        int64_t k = (x >> 8) % n;
        acc = (acc + sumlist(mklist(k))) & MASK;
        if (s % 8 == 0) f.map = update(f.map, k, (lookup(f.map, k) + 1) & 0xffff);
    }
    double t2 = now();
    metric("build_s", t1 - t0);
    metric("churn_s", t2 - t1);
    gc_report();
    checksum(acc + total(f.map));
    return 0;
}
