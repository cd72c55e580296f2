/* What the library asks the system for, in a short time: program FLAGS. It ends with 0 when all went on, with 3 when a call was
 * refused and said so in a sentence, and with 1 when anything is wrong. The heap's contents are right in each case. */
#include "../toy.h"

static int refusals;

/* The call may be refused for want of memory, in a sentence. */
static bool may(barrow_status status) {
  if (status == BARROW_OK) return true;
  refusals++;
  CHECK(status == BARROW_E_NOMEM || status == BARROW_E_LIMIT);
  CHECK(strlen(barrow_last_error()) > 20);
  return false;
}

/* A list and arrays, large ones among them, with known contents; most of what is made dies. */
typedef struct roots {
  barrow_frame frame;
  node *list;
  void *arrays[8], *rest;
} roots;

static bool make(barrow_mutator *m, roots *r, size_t length) {
  size_t i, k;
  r->list = NULL;
  for (i = 1; i <= length; i++) {
    node *n = (node *)barrow_alloc(m, sizeof *n / sizeof(barrow_word));
    if (!n) return refusals++, false;
    n->header = (barrow_word)&node_info;
    n->left = i % 8 ? r->list : NULL;
    n->right = NULL;
    n->value = i;
    if (i % 8 == 0) r->rest = n;
    r->list = i % 8 ? n : (node *)r->rest;
  }
  for (k = 0; k < 8; k++) {
    const size_t elements = k % 2 ? 300 : 60000;
    barrow_word *at = barrow_alloc(m, barrow_array_words(elements));
    if (!at) return refusals++, false;
    r->arrays[k] = barrow_array_init(at, &array_info, elements);
    toy_put(m, &r->arrays[k], elements - 1, r->list);
  }
  return true;
}

static void look(const roots *r) {
  const node *n;
  size_t k;
  for (n = r->list; n; n = n->left) CHECK(n->value > 0 && (!n->left || n->left->value + 1 == n->value));
  for (k = 0; k < 8; k++) {
    const size_t elements = k % 2 ? 300 : 60000;
    if (r->arrays[k]) CHECK(barrow_array_elements(r->arrays[k])[0] == NULL && barrow_array_length(r->arrays[k]) == elements);
  }
}

int main(int argc, char **argv) {
  barrow_config config;
  barrow_heap *heap = NULL;
  barrow_mutator *m = NULL;
  roots r;
  int round;
  CHECK(argc == 2);
  barrow_config_init(&config);
  config.flags = argv[1];
  if (!may(barrow_heap_new(&config, &heap, &m))) return check_failures ? 1 : 3;
  BARROW_ENTER(m, r);
  for (round = 0; round < 6; round++) {
    if (!make(m, &r, 30000)) memset(r.arrays, 0, sizeof r.arrays), r.list = NULL;
    look(&r);
    if (round % 2) memset(r.arrays, 0, sizeof r.arrays); /* memory goes back */
    may(barrow_collect(m, round % 3 != 0));
    look(&r);
    if (round == 2) may(barrow_census(m));
  }
  r.list = NULL;
  r.rest = NULL;
  memset(r.arrays, 0, sizeof r.arrays);
  for (round = 0; round < 4; round++) may(barrow_collect(m, true));
  may(barrow_check(m));
  CHECK_OK(barrow_audit(heap));
  BARROW_LEAVE(m, r);
  may(barrow_heap_free(heap));
  return check_failures ? 1 : refusals ? 3 : 0;
}
