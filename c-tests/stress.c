/* stress.c: random programs over lists, trees, arrays, handles and pinned objects, under -DS and --stress.
 * stress SEED...; without arguments, a few seeds. */
#include "toy.h"

enum { ROOTS = 40 };

static unsigned long long state;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % n;
}

/* Every object is a node or an array of nodes; a node's value says how many nodes its list has. */
static size_t depth_of(const node *n) { return n ? n->value : 0; }
static void check_list(const node *n) {
  size_t expected = depth_of(n);
  for (; n; n = n->left, expected--) CHECK_EQ(n->value, expected);
  CHECK_EQ(expected, 0);
}

static void program(unsigned long long seed, const char *flags) {
  char line[128];
  static node *roots[ROOTS];
  static void *array;
  barrow_handle *handles[ROOTS];
  barrow_config config;
  toy t;
  int step, i;
  sprintf(line, "-A64k --seed=%llu %s", seed, flags);
  barrow_config_init(&config);
  t = toy_new_with(&config, line);
  state = seed * 2 + 1;
  memset(roots, 0, sizeof roots);
  array = NULL;
  CHECK_OK(barrow_root_add(t.heap, "roots", roots, ROOTS, false));
  CHECK_OK(barrow_root_add(t.heap, "array", &array, 1, false));
  array = toy_array(t.m, 50 + below(400));
  for (i = 0; i < ROOTS; i++) CHECK_OK(barrow_handle_new(t.m, NULL, &handles[i]));
  for (step = 0; step < 1500; step++) {
    unsigned a = below(ROOTS), b = below(ROOTS);
    size_t slot = below((unsigned)barrow_array_length(array));
    node *n;
    switch (below(12)) {
      case 0: case 1: case 2: /* longer */
        roots[a] = toy_cell(t.m, roots[b], NULL, depth_of(roots[b]) + 1);
        break;
      case 3: roots[a] = NULL; break;
      case 4: barrow_write(t.m, array, &barrow_array_elements(array)[slot], roots[a]); break;
      case 5: roots[a] = (node *)barrow_array_elements(array)[slot]; break;
      case 6: CHECK_OK(barrow_handle_set(t.m, handles[a], roots[b])); break;
      case 7: roots[b] = (node *)barrow_handle_get(handles[a]); break;
      case 8: /* a pinned node on top */
        n = (node *)barrow_allocate_pinned(t.m, 4, 8u << below(4), 0);
        n->header = (barrow_word)&cell_info;
        n->left = roots[b];
        n->right = NULL;
        n->value = depth_of(roots[b]) + 1;
        barrow_barrier(t.m, n, &n->left, n->left);
        roots[a] = n;
        break;
      case 9: /* the same with allocate */
        n = (node *)barrow_allocate(t.m, 4);
        n->header = (barrow_word)&cell_info;
        n->left = roots[b];
        n->right = NULL;
        n->value = depth_of(roots[b]) + 1;
        roots[a] = n;
        break;
      case 10: /* another tail of the same length, written into an old node */
        if (roots[a] && depth_of(roots[b]) + 1 == depth_of(roots[a])) BARROW_WRITE(t.m, roots[a], left, roots[b]);
        if (roots[a]) BARROW_WRITE(t.m, roots[a], right, roots[b]);
        break;
      default:
        if (below(10) == 0) CHECK_OK(barrow_collect(t.m, below(4) == 0));
        if (below(40) == 0) array = toy_array(t.m, 50 + below(5000));
        if (below(5) == 0) CHECK(toy_bytes(t.m, below(9000)) != NULL);
        break;
    }
    if (step % 100 == 0)
      for (i = 0; i < ROOTS; i++) check_list(roots[i]);
  }
  for (i = 0; i < ROOTS; i++) check_list(roots[i]), check_list((node *)barrow_handle_get(handles[i]));
  toy_free(t);
}

static void one(unsigned long long seed) {
  static const char *const mixtures[] = {"-DS --stress=7", "-DS --stress=50 --source=chunks", "-G3 -T2 -DS --stress=20",
                                         "-G1 -DS --stress=30", "-G8 -T1 -DZ --stress=5", "-T7 -DS --stress=20",
                                         "-G4 -T3 --stress=2"};
  int before = check_failures;
  check_case = mixtures[seed % 7];
  program(seed, mixtures[seed % 7]);
  if (check_failures > before) fprintf(stderr, "seed %llu\n", seed);
}

int main(int argc, char **argv) {
  unsigned long long seed;
  int i;
  for (i = 1; i < argc; i++) one(strtoull(argv[i], NULL, 10));
  if (argc == 1)
    for (seed = 1; seed <= (toy_is_slow() ? 2 : 14); seed++) one(seed);
  return DONE;
}
