/* Weak pointers as nodes of a graph: fields, keys and values of cells and of each other, hundreds of them, with finalizers
   that allocate, collect, resurrect, make weak pointers and end others. A plain model says after each collection which of
   them live; a walk from every root and from what finalizers are given compares. */
#include "toy.h"

enum { MOST = 6000, ROOTS = 24, NONE = -1 };
enum kind { FREE, CELL, WEAK };
enum state { LIVE, PENDING, DEAD };

/* A cell's fields, or a weak pointer's key and value. */
typedef struct {
  enum kind kind;
  enum state state;
  bool acts; /* has a function */
  int a, b;
  void *at;     /* when last met */
  int met, in;  /* number of the walk that met it, of the reckoning that reached it */
} model_node;

static model_node nodes[MOST];
static void *root_memory[ROOTS];
static int roots[ROOTS];
/* What finalizers that run now hold. */
static struct { int node; void **slot; } parts[64];
static int part_count, walk_number, reckoning, depth;
static bool quiet;
static size_t finalized, found_late, ended_late;
static unsigned long long seed;
static toy t;

static unsigned below(unsigned limit) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % limit;
}

static int free_node(void) {
  int i;
  for (i = 0; i < MOST; i++)
    if (nodes[i].kind == FREE) return i;
  fprintf(stderr, "no node is free\n");
  exit(99);
}

/* --- what the model says lives --- */

static void reach(int first) {
  static int waiting[2 * MOST + 2];
  int count = 0;
  waiting[count++] = first;
  while (count > 0) {
    int n = waiting[--count];
    if (n == NONE || nodes[n].in == reckoning) continue;
    nodes[n].in = reckoning;
    /* A live weak pointer is followed by nobody. */
    if (nodes[n].kind == CELL || nodes[n].state == PENDING) {
      waiting[count++] = nodes[n].a;
      waiting[count++] = nodes[n].b;
    }
  }
}

static bool lives(int n) { return n == NONE || nodes[n].in == reckoning; }

/* Everything that is reachable, with the values of weak pointers whose keys are. */
static void reckon(void) {
  int i;
  bool any = true;
  static bool settled[MOST];
  memset(settled, 0, sizeof settled);
  reckoning++;
  for (i = 0; i < ROOTS; i++) reach(roots[i]);
  for (i = 0; i < part_count; i++) reach(parts[i].node);
  for (i = 0; i < MOST; i++)
    if (nodes[i].kind == WEAK && nodes[i].state == PENDING) reach(i);
  while (any) {
    any = false;
    for (i = 0; i < MOST; i++) {
      model_node *n = &nodes[i];
      if (n->kind != WEAK || n->state != LIVE || settled[i] || !lives(n->a) || !(n->acts || lives(i))) continue;
      settled[i] = any = true;
      reach(i);
      reach(n->b);
    }
  }
}

/* A full collection: what dies, and what finalizers lead to. */
static void reckon_death(void) {
  static bool dies[MOST], waits[MOST], ends[MOST];
  int i;
  bool any = true;
  reckon();
  for (i = 0; i < MOST; i++) {
    bool weak = nodes[i].kind == WEAK && nodes[i].state == LIVE, dead = weak && !lives(nodes[i].a);
    dies[i] = dead && nodes[i].acts;
    ends[i] = dead && !nodes[i].acts;
    waits[i] = weak && !dead && !lives(i);
  }
  for (i = 0; i < MOST; i++)
    if (dies[i]) nodes[i].state = PENDING;
  for (i = 0; i < MOST; i++)
    if (dies[i]) {
      bool before = lives(i);
      nodes[i].in = before ? reckoning - 1 : nodes[i].in;
      reach(i);
    }
  while (any) {
    any = false;
    for (i = 0; i < MOST; i++)
      if (waits[i] && lives(i)) {
        waits[i] = false;
        any = true;
        found_late++;
        reach(nodes[i].b);
      }
  }
  for (i = 0; i < MOST; i++) {
    if (ends[i]) {
      ended_late += lives(i);
      nodes[i].state = DEAD;
      nodes[i].a = nodes[i].b = NONE;
    }
    if (nodes[i].kind != FREE && !lives(i)) nodes[i].kind = FREE;
  }
}

/* --- what the heap has --- */

static void walk(int first, void *at) {
  static struct { int node; void *at; } waiting[2 * MOST + 2];
  int count = 0;
  waiting[count].node = first;
  waiting[count++].at = at;
  while (count > 0) {
    int n = waiting[--count].node;
    void *there = waiting[count].at;
    model_node *m;
    if (n == NONE) {
      CHECK(there == NULL);
      continue;
    }
    m = &nodes[n];
    if (m->met == walk_number) {
      CHECK(m->at == there);
      continue;
    }
    m->met = walk_number;
    m->at = there;
    CHECK(there != NULL);
    if (!there) continue;
    if (m->kind == CELL) {
      node *cell = (node *)there;
      CHECK_EQ(cell->header & ~(barrow_word)7, (barrow_word)&cell_info);
      CHECK_EQ(cell->value, n);
      if (cell->value != (barrow_word)n) continue;
      waiting[count].node = m->a, waiting[count++].at = cell->left;
      waiting[count].node = m->b, waiting[count++].at = cell->right;
    } else {
      void *value;
      bool alive = barrow_weak_deref(there, &value);
      CHECK_EQ(alive, m->state == LIVE);
      if (m->state == LIVE && alive) {
        waiting[count].node = m->a, waiting[count++].at = barrow_weak_key(there);
        waiting[count].node = m->b, waiting[count++].at = value;
      }
    }
  }
}

static void compare(void) {
  int i;
  walk_number++;
  for (i = 0; i < ROOTS; i++) walk(roots[i], root_memory[i]);
  for (i = 0; i < part_count; i++) walk(parts[i].node, *parts[i].slot);
}

static void collect(bool major) {
  if (major) {
    reckon_death();
    CHECK_OK(barrow_collect(t.m, true));
    compare();
    return;
  }
  /* A minor collection may leave alive what only a major one finds dead. What is due is asked for. */
  reckon();
  CHECK_OK(barrow_collect(t.m, false));
  quiet = true;
  barrow_run_finalizers(t.m, NULL, NULL, 0);
  quiet = false;
  /* The others are looked at after the next major one: until then, nothing is known of where anything is. */
  walk_number++;
}

/* --- what programs do --- */

static int any_met(void) {
  int start = (int)below(MOST), i;
  for (i = 0; i < MOST; i++) {
    int n = (start + i) % MOST;
    if (nodes[n].kind != FREE && nodes[n].met == walk_number) return n;
  }
  return NONE;
}

static void *address(int n) { return n == NONE ? NULL : nodes[n].at; }

static void hold(int n) {
  unsigned i = below(ROOTS);
  roots[i] = n;
  root_memory[i] = address(n);
}

/* The nursery is so large that nothing is collected but by `collect`. */
static int new_cell(int a, int b) {
  int n = free_node();
  node *cell = toy_cell(t.m, (node *)address(a), (node *)address(b), (barrow_word)n);
  CHECK(cell != NULL);
  nodes[n].kind = CELL;
  nodes[n].state = LIVE;
  nodes[n].a = a;
  nodes[n].b = b;
  nodes[n].at = cell;
  nodes[n].met = walk_number;
  return n;
}

static void act(int key, int value);

static void run(barrow_mutator *m, void *data, void *key, void *value) {
  struct { barrow_frame frame; void *key, *value; } r;
  int n = (int)(size_t)data, k, v;
  if (!m) return;
  finalized++;
  k = nodes[n].a;
  v = nodes[n].b;
  CHECK(nodes[n].kind == WEAK && nodes[n].acts);
  if (quiet && nodes[n].state == LIVE) CHECK(!lives(k));
  nodes[n].state = DEAD;
  nodes[n].acts = false;
  nodes[n].a = nodes[n].b = NONE;
  if (quiet) return;
  r.key = key;
  r.value = value;
  BARROW_PUSH(m, r);
  parts[part_count].node = k;
  parts[part_count++].slot = &r.key;
  parts[part_count].node = v;
  parts[part_count++].slot = &r.value;
  walk(k, r.key);
  walk(v, r.value);
  depth++;
  if (depth < 4) act(k, v);
  depth--;
  part_count -= 2;
  BARROW_LEAVE(m, r);
}

static int new_weak(int key, int value, bool acts) {
  int n = free_node();
  void *weak = barrow_weak_new(t.m, address(key), address(value), NULL);
  CHECK(weak != NULL);
  nodes[n].kind = WEAK;
  nodes[n].state = LIVE;
  nodes[n].acts = acts;
  nodes[n].a = key;
  nodes[n].b = value;
  nodes[n].at = weak;
  nodes[n].met = walk_number;
  if (acts) CHECK_OK(barrow_weak_set_function(t.m, weak, run, (void *)(size_t)n, NULL));
  return n;
}

static void store(int owner, int value) {
  node *cell;
  if (owner == NONE || nodes[owner].kind != CELL) return;
  cell = (node *)nodes[owner].at;
  if (below(2)) {
    nodes[owner].a = value;
    barrow_write(t.m, cell, &cell->left, address(value));
  } else {
    nodes[owner].b = value;
    barrow_write(t.m, cell, &cell->right, address(value));
  }
}

/* A weak pointer that is ended while it waits stays in the queue until its turn comes, and so alive as the key of others. Where
   in the queue it stands is the heap's choice: all others are taken at once, or it is left as it is. */
static void end_one(int n) {
  bool waits = n != NONE && nodes[n].state == PENDING;
  if (n == NONE || nodes[n].kind != WEAK || (waits && depth > 0)) return;
  CHECK_OK(barrow_weak_finalize(t.m, nodes[n].at, NULL));
  if (nodes[n].state == LIVE) nodes[n].state = DEAD;
  nodes[n].acts = false;
  nodes[n].a = nodes[n].b = NONE;
  if (waits) {
    nodes[n].state = DEAD;
    barrow_run_finalizers(t.m, NULL, NULL, 0);
  }
}

/* A finalizer does something with what it was given. */
static void act(int key, int value) {
  switch (below(7)) {
    case 0: hold(key); break;
    case 1: hold(value); break;
    case 2: hold(new_weak(key, value, below(2))); break;
    case 3: end_one(any_met()); break;
    case 4: collect(true); break;
    case 5: store(any_met(), key); break;
    default: new_weak(any_met() == NONE ? key : any_met(), key, true); break;
  }
}

static void cluster(void) {
  int made[60], count = 5 + (int)below(55), i;
  for (i = 0; i < count; i++) {
    int a = i ? made[below((unsigned)i)] : any_met(), b = below(3) ? any_met() : i ? made[below((unsigned)i)] : NONE;
    made[i] = a == NONE || below(3) == 0 ? new_cell(a, b) : new_weak(a, b, below(3) == 0);
  }
  for (i = 0; i < 6; i++) store(made[below((unsigned)count)], made[below((unsigned)count)]);
  hold(made[below((unsigned)count)]);
  if (below(2)) hold(made[below((unsigned)count)]);
}

static void graphs(const char *flags, unsigned from, unsigned programs) {
  unsigned program, step;
  for (program = from; program < from + programs; program++) {
    int i;
    seed = program * 2654435761u + 1;
    t = toy_new(flags);
    memset(nodes, 0, sizeof nodes);
    walk_number = reckoning = 1;
    part_count = depth = 0;
    for (i = 0; i < ROOTS; i++) roots[i] = NONE;
    memset(root_memory, 0, sizeof root_memory);
    CHECK_OK(barrow_root_add(t.heap, "graph", root_memory, ROOTS, false));
    for (step = 0; step < 60; step++) {
      switch (below(11)) {
        case 0: case 1: case 2: cluster(); break;
        case 3: store(any_met(), any_met()); break;
        case 4: for (i = 0; i < ROOTS; i++) if (below(3) == 0) roots[i] = NONE, root_memory[i] = NULL; break;
        case 5: end_one(any_met()); break;
        case 6: barrow_run_finalizers(t.m, NULL, NULL, 1 + below(8)); break;
        case 7: collect(false); break;
        default: collect(true); break;
      }
      if (check_failures) {
        fprintf(stderr, "%s: program %u, step %u\n", flags, program, step);
        exit(1);
      }
    }
    CHECK_OK(barrow_root_remove(t.heap, root_memory));
    toy_free(t);
  }
}

static void random_graphs(void) {
  unsigned programs = toy_is_slow() ? 4 : 25;
  finalized = found_late = ended_late = 0;
  graphs("-A32m -DS", 0, programs);
  graphs("-A32m -DZ -c", 1000, programs);
  graphs("-A32m -G1", 2000, programs);
  graphs("-A32m -G4 -T3 -DZ", 3000, programs);
  /* Enough of everything happens. */
  CHECK(finalized > 10 * programs && found_late > programs && ended_late > programs);
}

int main(void) {
  RUN(random_graphs);
  return DONE;
}
