/* Four programs that make objects and walk them, to see what collections do to the order in which they lie.
 *
 *   walks PROGRAM OBJECTS ROUNDS     PROGRAM is tables, records, syntax or updates
 *
 * Each walk is timed, and counted: of the steps from one object to the next, the share that goes at most 128 bytes up or down. The
 * count is the same in each run. Flags are taken from BARROW_FLAGS; with -A4g, -xr8g and no rounds nothing is collected, and objects
 * lie as they were made. */
#include "../peers/c/ours/heap.h"

#define ADJACENT_BYTES 128

typedef struct Node Node;
struct Node { barrow_word h; Node *a, *b; int64_t value; };
OBJECT(table_info, BARROW_CONSTR, 4, 0, 0);
OBJECT(node_info, BARROW_CONSTR, 2, 1, 0);
OBJECT(leaf_info, BARROW_CONSTR, 0, 1, 0);
OBJECT(unary_info, BARROW_CONSTR, 1, 1, 0);
OBJECT(array_info, BARROW_ARRAY, 0, 0, 0);

typedef struct { barrow_word h; Node *field[4]; } Table;
typedef struct { barrow_word h; int64_t value; } Leaf;
typedef struct { barrow_word h; Node *under; int64_t value; } Unary;

static int64_t sum, steps, near_steps;
static char *last;

static inline void visit(void *object) {
    char *at = object;
    near_steps += at - last <= ADJACENT_BYTES && last - at <= ADJACENT_BYTES;
    last = at;
    steps++;
}

static int64_t state = 42;
static int64_t draw(int64_t below) { state = lcg(state); return (state >> 8) % below; }

/* Objects with a table of their fields each, which is allocated first: a tree of four. */
static Node *tables(int64_t objects) {
    struct { barrow_frame frame; Table *table; Node *child; } f = {{0}, 0, 0};
    Node *made;
    int i;
    BARROW_PUSH(m, f);
    f.table = NEW(Table, table_info);
    for (i = 0; i < 4; i++) f.table->field[i] = 0;
    for (i = 0; i < 4 && objects > 1; i++) {
        f.child = tables((objects - 1) / 4);
        f.table->field[i] = f.child;
        barrow_barrier(m, f.table, &f.table->field[i], f.child);
    }
    made = NEW(Node, node_info);
    made->a = (Node *)f.table, made->b = 0, made->value = objects;
    BARROW_LEAVE(m, f);
    return made;
}
static void walk_tables(Node *node) {
    Table *table = (Table *)node->a;
    int i;
    visit(node), visit(table);
    sum += node->value;
    for (i = 0; i < 4; i++) if (table->field[i]) walk_tables(table->field[i]);
}

/* A hash table of records: buckets are lists of nodes, each with a record. It is walked as the records were made. */
static void *records(int64_t count) {
    struct { barrow_frame frame; void *array; Leaf *leaf; } f = {{0}, 0, 0};
    int64_t i;
    f.array = barrow_array_init(barrow_alloc(m, barrow_array_words(count)), &array_info, count);
    BARROW_PUSH(m, f);
    for (i = 0; i < count; i++) {
        Node **at, *node;
        f.leaf = NEW(Leaf, leaf_info);
        f.leaf->value = i;
        node = NEW(Node, node_info);
        at = (Node **)barrow_array_elements(f.array) + i * 7 % count;
        node->a = *at, node->b = (Node *)f.leaf, node->value = i;
        *at = node;
        barrow_barrier(m, f.array, at, node);
    }
    BARROW_LEAVE(m, f);
    return f.array;
}
static void walk_records(void *array, int64_t count) {
    int64_t i;
    for (i = 0; i < count; i++) {
        Node *node = ((Node **)barrow_array_elements(array))[i * 7 % count];
        for (; node; node = node->a) visit(node), visit(node->b), sum += ((Leaf *)node->b)->value;
    }
}

/* A syntax tree of mixed kinds, made from its leaves upwards as a parser does. */
static Node *syntax(int depth) {
    struct { barrow_frame frame; Node *left, *right; } f = {{0}, 0, 0};
    int64_t kind = draw(8);
    Node *made;
    if (depth == 0 || kind == 0) {
        Leaf *leaf = NEW(Leaf, leaf_info);
        leaf->value = depth;
        return (Node *)leaf;
    }
    BARROW_PUSH(m, f);
    f.left = syntax(depth - 1);
    if (kind == 1) {
        Unary *unary = NEW(Unary, unary_info);
        unary->under = f.left, unary->value = depth;
        made = (Node *)unary;
    } else {
        f.right = syntax(depth - 1);
        made = NEW(Node, node_info);
        made->a = f.left, made->b = f.right, made->value = depth;
    }
    BARROW_LEAVE(m, f);
    return made;
}
static void walk_syntax(Node *node) {
    visit(node);
    if (node->h == (barrow_word)&node_info) {
        walk_syntax(node->a), walk_syntax(node->b), sum += node->value;
    } else if (node->h == (barrow_word)&unary_info) {
        walk_syntax(((Unary *)node)->under);
    } else {
        sum += ((Leaf *)node)->value;
    }
}

/* A tree of which parts are made anew. */
static Node *tree(int depth) {
    struct { barrow_frame frame; Node *left, *right; } f = {{0}, 0, 0};
    Node *made;
    if (depth == 0) return 0;
    BARROW_PUSH(m, f);
    f.left = tree(depth - 1);
    f.right = tree(depth - 1);
    made = NEW(Node, node_info);
    made->a = f.left, made->b = f.right, made->value = depth;
    BARROW_LEAVE(m, f);
    return made;
}
static void update(Node *root, int depth) { /* makes a subtree of 63 nodes anew */
    struct { barrow_frame frame; Node *at; } f = {{0}, root};
    Node **slot, *fresh;
    BARROW_PUSH(m, f);
    for (; depth > 7; depth--) f.at = draw(2) ? f.at->a : f.at->b;
    fresh = tree(6);
    slot = draw(2) ? &f.at->a : &f.at->b;
    *slot = fresh;
    barrow_barrier(m, f.at, slot, fresh);
    BARROW_LEAVE(m, f);
}
static void walk_tree(Node *node) {
    if (!node) return;
    visit(node), sum += node->value;
    walk_tree(node->a), walk_tree(node->b);
}

static void garbage(void) {
    Node *node = NEW(Node, node_info);
    node->a = node->b = 0, node->value = 0;
}

static void walk(const char *what, const char *program, void *root, int64_t count) {
    double best = 1e9;
    int turn;
    for (turn = 0; turn < 5; turn++) {
        double begun = now();
        steps = near_steps = 0, last = 0;
        if (!strcmp(program, "tables")) walk_tables(root);
        else if (!strcmp(program, "records")) walk_records(root, count);
        else if (!strcmp(program, "syntax")) walk_syntax(root);
        else walk_tree(root);
        if (now() - begun < best) best = now() - begun;
    }
    printf("%s %s: %.1f ns a step, %.1f %% near, %lld steps\n", program, what, best / steps * 1e9,
           100.0 * near_steps / steps, (long long)steps);
}

int main(int argc, char **argv) {
    const char *program = argc > 1 ? argv[1] : "tables";
    int64_t count = arg(argc, argv, 2, 1000000), rounds = arg(argc, argv, 3, 10), i, round;
    int depth = 1;
    struct { barrow_frame frame; void *root; } f = {{0}, 0};
    heap_init();
    while ((int64_t)1 << depth < count) depth++;
    BARROW_PUSH(m, f);
    if (!strcmp(program, "tables")) f.root = tables(count);
    else if (!strcmp(program, "records")) f.root = records(count);
    else if (!strcmp(program, "syntax")) f.root = syntax(depth + 2);
    else f.root = tree(depth);
    walk("as made", program, f.root, count);
    for (round = 0; round < rounds; round++) {
        if (!strcmp(program, "updates")) {
            for (i = 0; i < count / 63 / 3; i++) update(f.root, depth);
        } else {
            for (i = 0; i < count * 8; i++) garbage();
        }
    }
    walk("after", program, f.root, count);
    gc_report();
    checksum(sum);
    return 0;
}
