/* Trees, lists and maps of nodes with two references and a number, for majors.c and minors.c. */
#include "../peers/c/ours/heap.h"
#include <string.h>

typedef struct Node Node;
struct Node { barrow_word h; Node *a, *b; int64_t value; };
OBJECT(node_info, BARROW_CONSTR, 2, 1, BARROW_FLAG_MUTABLE);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

static int64_t state = 42;
static int64_t draw(int64_t below) { return (int64_t)((uint64_t)(state = lcg(state)) >> 8) % below; }

static Node *node(Node **a, Node **b, int64_t value) {
    Node *made = NEW(Node, node_info);
    made->a = a ? *a : NULL, made->b = b ? *b : NULL, made->value = value;
    return made;
}
static Node *tree(int64_t objects) {
    struct { barrow_frame frame; Node *a, *b; } f = {{0}, 0, 0};
    Node *made;
    if (objects <= 0) return NULL;
    BARROW_PUSH(m, f);
    f.a = tree((objects - 1) / 2);
    f.b = tree(objects - 1 - (objects - 1) / 2);
    made = node(&f.a, &f.b, objects);
    BARROW_LEAVE(m, f);
    return made;
}
static Node *list(int64_t objects) {
    struct { barrow_frame frame; Node *all; } f = {{0}, 0};
    BARROW_PUSH(m, f);
    for (int64_t i = 0; i < objects; i++) f.all = node(&f.all, NULL, i);
    BARROW_LEAVE(m, f);
    return f.all;
}
static void set(Node *object, Node **field, Node *value) {
    *field = value;
    barrow_barrier(m, object, field, value);
}
static Node *map(int64_t objects) {
    struct { barrow_frame frame; Node *root, *fresh; } f = {{0}, 0, 0};
    BARROW_PUSH(m, f);
    for (int64_t i = 0; i < objects; i++) {
        int64_t key = draw(INT64_C(1) << 40);
        Node *at, **field;
        f.fresh = node(NULL, NULL, key);
        if (!f.root) { f.root = f.fresh; continue; }
        for (at = f.root; *(field = key < at->value ? &at->a : &at->b); at = *field) {}
        set(at, field, f.fresh);
    }
    BARROW_LEAVE(m, f);
    return f.root;
}
