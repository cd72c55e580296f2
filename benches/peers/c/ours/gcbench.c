#include "heap.h"
typedef struct Node { barrow_word h; struct Node *l, *r; int64_t i, j; } Node;
typedef struct { barrow_word h; int64_t len; double d[]; } Doubles;
OBJECT(node_info, BARROW_CONSTR, 2, 2, 0);
OBJECT(doubles_info, BARROW_BYTES, 0, 0, 0);
enum { MIN_DEPTH = 4 };

/* Out of room: the children go into a frame for the time of the collection. */
static __attribute__((noinline)) Node *node_slow(Node *l, Node *r) {
    struct { barrow_frame frame; Node *l, *r; } f;
    f.l = l; f.r = r;
    BARROW_PUSH(m, f);
    Node *n = NEW(Node, node_info);
    n->l = f.l; n->r = f.r; n->i = n->j = 0;
    BARROW_LEAVE(m, f);
    return n;
}
static inline Node *new_node(Node *l, Node *r) {
    Node *n = (Node *)barrow_try_alloc(m, 5);
    if (!n) return node_slow(l, r);
    n->h = (barrow_word)&node_info;
    n->l = l; n->r = r; n->i = n->j = 0;
    return n;
}
static void populate(int d, Node *n) { /* top down: mutates older nodes */
    if (d <= 0) return;
    struct { barrow_frame frame; Node *n; } f;
    f.n = n;
    BARROW_PUSH(m, f);
    Node *t = new_node(0, 0);
    BARROW_WRITE(m, f.n, l, t);
    t = new_node(0, 0);
    BARROW_WRITE(m, f.n, r, t);
    populate(d - 1, f.n->l);
    populate(d - 1, f.n->r);
    BARROW_LEAVE(m, f);
}
static Node *make(int d) { /* bottom up */
    if (d <= 0) return new_node(0, 0);
    struct { barrow_frame frame; Node *l; } f;
    f.l = make(d - 1);
    BARROW_PUSH(m, f);
    Node *r = make(d - 1);
    BARROW_LEAVE(m, f);
    return new_node(f.l, r);
}
static int64_t count(Node *n) { return n ? 1 + count(n->l) + count(n->r) : 0; }
static int64_t spine(Node *n) { int64_t c = 0; for (; n; n = n->l) c++; return c; }
static int64_t tree_size(int d) { return (1LL << (d + 1)) - 1; }

static int64_t work(int argc, char **argv) {
    int depth = arg(argc, argv, 1, 16);
    int64_t array_size = arg(argc, argv, 2, 500000);
    int stretch = depth + 2;
    int64_t sum = spine(make(stretch));

    struct { barrow_frame frame; Node *longlived, *t; Doubles *array; } f;
    BARROW_ENTER(m, f);
    f.longlived = new_node(0, 0);
    populate(depth, f.longlived);
    f.array = (Doubles *)barrow_alloc(m, barrow_bytes_words(array_size * sizeof(double)));
    f.array->h = (barrow_word)&doubles_info;
    f.array->len = array_size * sizeof(double);
    for (int64_t i = 0; i < array_size / 2; i++) f.array->d[i] = 1.0 / (i + 1);

    for (int d = MIN_DEPTH; d <= depth; d += 2) {
        int64_t iters = 2 * tree_size(stretch) / tree_size(d);
        for (int64_t i = 0; i < iters; i++) {
            f.t = new_node(0, 0);
            populate(d, f.t);
            sum += spine(f.t);
        }
        for (int64_t i = 0; i < iters; i++) {
            f.t = make(d);
            sum += spine(f.t);
        }
    }
    sum += count(f.longlived) + (int64_t)(1.0 / f.array->d[1000] + 0.5);
    BARROW_LEAVE(m, f);
    return sum;
}
#include "../main.h"
