#include "heap.h"
typedef struct Node { barrow_word h; struct Node *l, *r; } Node;
OBJECT(node_info, BARROW_CONSTR, 2, 0, 0);

/* Out of room: the children go into a frame for the time of the collection. */
static __attribute__((noinline)) Node *node_slow(Node *l, Node *r) {
    struct { barrow_frame frame; Node *l, *r; } f;
    f.l = l; f.r = r;
    BARROW_PUSH(m, f);
    Node *n = NEW(Node, node_info);
    n->l = f.l; n->r = f.r;
    BARROW_LEAVE(m, f);
    return n;
}
static inline Node *node(Node *l, Node *r) {
    Node *n = (Node *)barrow_try_alloc(m, 3);
    if (!n) return node_slow(l, r);
    n->h = (barrow_word)&node_info;
    n->l = l; n->r = r;
    return n;
}
static Node *make(int d) {
    if (d <= 0) return node(0, 0);
    struct { barrow_frame frame; Node *l; } f;
    f.l = make(d - 1);
    BARROW_PUSH(m, f);
    Node *r = make(d - 1);
    BARROW_LEAVE(m, f);
    return node(f.l, r);
}
static int64_t check(Node *n) { return n ? 1 + check(n->l) + check(n->r) : 0; }

static int64_t work(int argc, char **argv) {
    int max = arg(argc, argv, 1, 16), min = 4;
    int64_t sum = check(make(max + 1));
    struct { barrow_frame frame; Node *longlived; } f;
    f.longlived = make(max);
    BARROW_PUSH(m, f);
    for (int d = min; d <= max; d += 2) {
        int64_t iters = 1LL << (max - d + min), c = 0;
        for (int64_t i = 0; i < iters; i++) c += check(make(d));
        sum += c;
    }
    sum += check(f.longlived);
    BARROW_LEAVE(m, f);
    return sum;
}
#include "../main.h"
