/* lists.h: calls that may be refused for want of memory, and objects with known contents. The program
 * says how many elements large arrays have: LARGE. */
#ifndef LISTS_H
#define LISTS_H
#include "../toy.h"

static int refusals;

/* What was asked for was not given: for want of memory, and in a sentence. */
static bool was_refused(barrow_status status) {
  __atomic_add_fetch(&refusals, 1, __ATOMIC_RELAXED);
  CHECK(status == BARROW_E_NOMEM || status == BARROW_E_LIMIT);
  CHECK(strlen(barrow_last_error()) > 20);
  return false;
}

static bool may(barrow_status status) { return status == BARROW_OK || was_refused(status); }

/* A list and arrays, large ones among them, with known contents; most of what is made dies. */
typedef struct roots {
  barrow_frame frame;
  node *list;
  void *arrays[8], *rest;
} roots;

/* One of so many nodes is in the list. */
enum { KEPT = 8 };

static bool make(barrow_mutator *m, roots *r, size_t length) {
  size_t i, k;
  r->list = NULL;
  for (i = 1; i <= length; i++) {
    node *n = (node *)barrow_alloc(m, sizeof *n / sizeof(barrow_word));
    if (!n) return was_refused(barrow_last_status());
    n->header = (barrow_word)&node_info;
    n->left = r->list;
    n->right = NULL;
    n->value = i;
    if (i % KEPT == 0) r->list = n;
    else r->rest = n;
  }
  for (k = 0; k < 8; k++) {
    const size_t elements = k % 2 ? 300 : LARGE;
    barrow_word *at = barrow_alloc(m, barrow_array_words(elements));
    if (!at) return was_refused(barrow_last_status());
    r->arrays[k] = barrow_array_init(at, &array_info, elements);
    toy_put(m, &r->arrays[k], elements - 1, r->list);
  }
  return true;
}

static void forget(roots *r) {
  r->list = NULL;
  r->rest = NULL;
  memset(r->arrays, 0, sizeof r->arrays);
}

static void look(const roots *r) {
  const node *n;
  size_t k;
  for (n = r->list; n; n = n->left) CHECK(n->value == (n->left ? n->left->value : 0) + KEPT);
  for (k = 0; k < 8; k++) {
    const size_t elements = k % 2 ? 300 : LARGE;
    if (!r->arrays[k]) continue;
    CHECK(barrow_array_length(r->arrays[k]) == elements && barrow_array_elements(r->arrays[k])[0] == NULL);
    CHECK(barrow_array_elements(r->arrays[k])[elements - 1] == r->list);
  }
}

#endif
