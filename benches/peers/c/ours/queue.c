#include "heap.h"
typedef struct Node { barrow_word h; struct Node *next; int64_t v; } Node;
OBJECT(node_info, BARROW_CONSTR, 1, 1, 0);
typedef struct { barrow_frame frame; Node *head, *tail; } Queue;

static Node *node(int64_t v) {
    Node *n = NEW(Node, node_info);
    n->v = v; n->next = 0;
    return n;
}
static void push(Queue *q, int64_t v) { /* head and tail are roots */
    Node *n = node(v);
    if (q->head) BARROW_WRITE(m, q->tail, next, n); else q->head = n;
    q->tail = n;
}
static int64_t pop(Queue *q) {
    Node *n = q->head;
    int64_t v = n->v;
    q->head = n->next;
    return v;
}

int main(int argc, char **argv) {
    heap_init();
    int64_t list_n = arg(argc, argv, 1, 1000000);
    int64_t queue_n = arg(argc, argv, 2, 500000), steady = arg(argc, argv, 3, 1000000);
    int64_t acc = 0;
    double t0 = now();
    for (int round = 0; round < 2; round++) {
        struct { barrow_frame frame; Node *l; } f;
        f.l = 0;
        BARROW_PUSH(m, f);
        for (int64_t i = 0; i < list_n; i++) {
            Node *n = node(i & 0xffff);
            n->next = f.l;
            f.l = n;
        }
        BARROW_LEAVE(m, f);
        for (Node *p = f.l; p; p = p->next) acc = (acc + p->v) & MASK;
    }
    double t1 = now();
    Queue q;
    BARROW_ENTER(m, q);
    for (int64_t i = 0; i < queue_n; i++) push(&q, i & 0xffff);
    for (int64_t i = 0; i < steady; i++) { acc = (acc + pop(&q)) & MASK; push(&q, i & 0xffff); }
    while (q.head) acc = (acc + pop(&q)) & MASK;
    double t2 = now();
    metric("list_s", t1 - t0);
    metric("fifo_s", t2 - t1);
    gc_report();
    checksum(acc);
    return 0;
}
