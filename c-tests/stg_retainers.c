/* Retainers in the documents' spelling: every name of their interface, beside a profile and without one. */
#define STEM "stg-retainers-test"
#include "files.h"
#include <barrow/stg.h>

#define TABLE(name, kind, flags, ptrs, words) \
  static const barrow_names name##_names = {#name, #name, "Test", NULL}; \
  static StgInfoTable name = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, kind, flags, 0, ptrs, words, 0, 0, NULL, NULL, NULL, &name##_names}
TABLE(variable, BARROW_MUT_VAR, BARROW_FLAG_MUTABLE, 1, 0);
TABLE(other, BARROW_MUT_VAR, BARROW_FLAG_MUTABLE, 1, 0);
TABLE(pair, BARROW_CONSTR, 0, 2, 0);

static StgClosure *roots[3];
static void get_roots(evac_fn evac) {
  int i;
  for (i = 0; i < 3; i++) evac(&roots[i]);
}

static StgClosure *made(const StgInfoTable *info, nat words, StgClosure *first) {
  StgPtr p = allocate(words);
  barrow_set_header(p, info);
  p[1] = (StgWord)first;
  if (words > 2) p[2] = 0;
  return (StgClosure *)p;
}

/* The store by itself: sets of numbers, each there once, with hashes that do not depend on the order. */
static nat seen, members;
static void look(retainerSet *rs) { seen++, members += rs->num; }

static void sets(void) {
  retainer a, b;
  retainerSet *one, *two, *both;
  StgWord all = 7;
  nat number = 7;
  FILE *out = tmpfile();
  initializeAllRetainerSet();
  roots[0] = made(&variable, 2, NULL);
  roots[1] = made(&other, 2, NULL);
  a = getRetainerFrom(roots[0]), b = getRetainerFrom(roots[1]);
  CHECK(a != b && a == getRetainerFrom(roots[0]));
  CHECK(isRetainer(roots[0]));
  CHECK(!isRetainer(roots[2] = made(&pair, 3, NULL)));
  CHECK_EQ(cost(roots[2]), 24);
  CHECK_EQ(costPure(roots[2]), cost(roots[2]));
  one = singleton(a), two = singleton(b);
  CHECK(one == singleton(a) && one != two && one->num == 1 && one->element[0] == a);
  both = addElement(b, one);
  CHECK(both == addElement(a, two) && both == addElement(a, both) && both->num == 2 && both->id != one->id);
  CHECK(isMember(a, both) && isMember(b, both) && isMember(a, one) && !isMember(b, one) && !isMember(a, NULL));
  CHECK_EQ(hashKeySingleton(a), one->hashKey);
  CHECK_EQ(hashKeyAddElement(b, one), both->hashKey);
  CHECK_EQ(hashKeyAddElement(a, two), both->hashKey);
  CHECK_EQ(hashKeyAddElement(a, NULL), one->hashKey);
  traverseAllRetainerSet(look);
  CHECK_EQ(seen, 3);
  CHECK_EQ(members, 4);
  outputRetainerSet(out, &all, &number);
  CHECK(all == 0 && number == 3);
  outputAllRetainerSet(out);
  CHECK_EQ(ftell(out), 0); /* nothing was ever charged */
  printRetainer(out, a);
  CHECK_EQ(ftell(out), (long)strlen("Test.variable"));
  fclose(out);
  CHECK(retainerOfStack(CCS_MAIN) != 0 && retainerOfStack(NULL) == 0 && retainerOfStack(CCS_MAIN) != retainerOfStack(CCS_SYSTEM));
  CHECK_EQ(RSET(roots[0]), 0);
  closeAllRetainerSet();
  seen = 0;
  CHECK_EQ(singleton(b)->id, 2); /* begins anew */
  closeAllRetainerSet();
  (void)get_roots;
}

static StgWord sum_of_costs;
static void add_cost(retainerSet *rs) { sum_of_costs += rs->cost; }

/* The sets of a profile are the same ones. */
static void of_a_profile(void) {
  StgWord all;
  nat number;
  char text_of[200];
  FILE *out = tmpfile();
  size_t length;
  retainerSet *rs;
  int id;
  roots[0] = made(&pair, 3, NULL);
  roots[0] = made(&variable, 2, roots[0]);
  roots[1] = roots[2] = NULL;
  CHECK_OK(barrow_root_add(barrow_default_heap(), "my roots", roots, 3, false));
  CHECK_OK(barrow_profile_start(barrow_default_mutator(), "-hr -i0 -L100"));
  CHECK_OK(barrow_census(barrow_default_mutator()));
  rs = singleton(getRetainerFrom(roots[0]));
  id = rs->id;
  CHECK_EQ(rs->cost, 24);
  traverseAllRetainerSet(add_cost);
  CHECK(sum_of_costs >= 24 + 16);
  outputRetainerSet(out, &all, &number);
  CHECK_EQ(all, sum_of_costs);
  printRetainerSetShort(out, rs);
  outputAllRetainerSet(out);
  rewind(out);
  length = fread(text_of, 1, sizeof text_of - 1, out);
  text_of[length] = 0;
  CHECK(strstr(text_of, ")variable\t24\n") && strstr(text_of, ")my roots\t16\n"));
  CHECK(strstr(text_of, "= {<Test.variable>}\n") && strstr(text_of, "= {<my roots>}\n"));
  refreshAllRetainerSet();
  CHECK_EQ(singleton(getRetainerFrom(roots[0]))->cost, 0);
  CHECK_OK(barrow_census(barrow_default_mutator()));
  CHECK_EQ(singleton(getRetainerFrom(roots[0]))->cost, 24);
  CHECK_EQ(singleton(getRetainerFrom(roots[0]))->id, id);
  CHECK_EQ(barrow_retainer_sets_free(barrow_default_heap()), BARROW_E_STATE);
  CHECK_OK(barrow_profile_stop(barrow_default_mutator()));
  CHECK(strstr(file(".hp"), ")variable\t24\n") != NULL);
  removed(".hp"), removed(".prof");
  fclose(out);
  CHECK_OK(barrow_root_remove(barrow_default_heap(), roots));
}

/* Identity, hash, name and cost of the client's. */
static uint32_t forty_two(void *client, const void *object) { return client == roots && object ? 42 : 0; }
static uint32_t hash(void *client, uint32_t number) { return client == roots ? number * 1000 : 0; }
static size_t name(void *client, uint32_t number, char *buffer, size_t bytes) {
  return client == roots ? (size_t)snprintf(buffer, bytes, "mine, %u", (unsigned)number) : 0;
}
static void of_the_client(void) {
  barrow_retainer_scheme scheme;
  FILE *out = tmpfile();
  retainer r;
  memset(&scheme, 0, sizeof scheme);
  scheme.size = sizeof scheme;
  scheme.identity = forty_two, scheme.hash = hash, scheme.name = name, scheme.client = roots;
  closeAllRetainerSet();
  CHECK_OK(barrow_retainers_by(barrow_default_heap(), &scheme));
  roots[0] = made(&variable, 2, NULL);
  r = getRetainerFrom(roots[0]);
  CHECK_EQ(hashKeySingleton(r), 42000);
  printRetainerSetShort(out, singleton(r));
  CHECK_EQ(ftell(out), (long)strlen("(2)mine, 42"));
  fclose(out);
  closeAllRetainerSet();
  CHECK_OK(barrow_retainers_by(barrow_default_heap(), NULL));
}

static void misuse(void) {
  barrow_heap *heap = barrow_default_heap();
  barrow_mutator *m = barrow_default_mutator();
  uint32_t out = 0;
  size_t length = 0;
  REFUSED(BARROW_E_ARG, barrow_retainer_of(NULL, roots[0], NULL, NULL, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_of(m, &heap, NULL, NULL, NULL));
  CHECK_OK(barrow_retainer_of(m, roots[0], NULL, NULL, NULL));
  REFUSED(BARROW_E_STATE, barrow_retainer_set_member(heap, 2, 0, &out));
  REFUSED(BARROW_E_ARG, barrow_retainer_sets_refresh(NULL));
  CHECK_OK(barrow_retainer_sets_refresh(heap));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_add(heap, 9, 5, &out));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_add(NULL, 0, 5, &out));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_add(heap, 0, 5, NULL));
  CHECK_OK(barrow_retainer_set_add(heap, 0, 5, &out));
  REFUSED(BARROW_E_ARG, barrow_retainer_set_member(heap, out, 1, &out));
  CHECK(barrow_retainer_set_has(heap, 1, 5));
  ANSWERS(0, barrow_retainer_set_has(heap, 0, 5));
  ANSWERS(0, barrow_retainer_set_has(NULL, 1, 5));
  REFUSED(BARROW_E_ARG, barrow_retainer_text(heap, 5, true, NULL, 8, &length));
  REFUSED(BARROW_E_ARG, barrow_retainer_text(heap, 5, true, NULL, 0, NULL));
  REFUSED(BARROW_E_ARG, barrow_retainer_sets_free(NULL));
  CHECK_OK(barrow_retainer_sets_free(heap));
  CHECK_EQ(barrow_retainer_of_ccs(NULL), 0);
}

int main(void) {
  CHECK_OK(barrow_default_flags("-A512k -xr256m -DS -po" STEM));
  RUN(sets);
  RUN(of_a_profile);
  RUN(of_the_client);
  RUN(misuse);
  return DONE;
}
