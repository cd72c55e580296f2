/* Odd sizes in heaps of even ones, and keys of weak pointers that are no objects of the heap: sentences. */
#define _DEFAULT_SOURCE 1
#include "toy.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

INFO(odd_info, BARROW_CONSTR, 0, 0, 1, 1, 0, NULL, NULL); /* three words */
INFO(five_info, BARROW_CONSTR, 0, 0, 1, 3, 0, NULL, NULL);

#define SAYS(part, call)                                                                              \
  do {                                                                                                \
    check_forget();                                                                                   \
    CHECK((call) != BARROW_OK);                                                                       \
    if (!strstr(barrow_last_error(), part)) CHECK_EQ(fprintf(stderr, "%s\n", barrow_last_error()), 0); \
  } while (0)

static toy of_sixteen(const char *flags, void (*fatal)(void *, const char *)) {
  barrow_config config;
  barrow_config_init(&config);
  config.object_alignment = 16;
  config.fatal = fatal;
  return toy_new_with(&config, flags);
}

/* A list whose cells were taken with an odd number of words, all alive. */
static barrow_word *cells(barrow_mutator *m, const barrow_info *info, size_t words, size_t count) {
  struct { barrow_frame frame; barrow_word *list; } r;
  size_t i;
  BARROW_ENTER(m, r);
  for (i = 0; i < count; i++) {
    barrow_word *at = barrow_alloc(m, words);
    at[0] = (barrow_word)info;
    at[1] = (barrow_word)r.list;
    at[2] = i;
    r.list = at;
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

/* A word alone is no object: the collector needs the second one. */
static void one_word_is_refused(void) {
  toy t = toy_new("--stress=1");
  check_forget();
  CHECK(barrow_alloc(t.m, 1) == NULL);
  CHECK(strstr(barrow_last_error(), "an object has 2 words at least") != NULL);
  CHECK(barrow_allocate(t.m, 1) != NULL); /* not in line, so it is rounded up */
  toy_free(t);
}

static void checking_mode_names_the_object(void) {
  const barrow_info *infos[] = {&odd_info, &five_info};
  size_t i;
  for (i = 0; i < 2; i++) {
    toy t = of_sixteen("-DS -A1m", NULL);
    struct { barrow_frame frame; barrow_word *list; } r;
    BARROW_ENTER(t.m, r);
    r.list = cells(t.m, infos[i], 3 + 2 * i, 10);
    SAYS("an odd number of words", barrow_collect(t.m, true));
    CHECK(strstr(barrow_last_error(), infos[i]->names->description) != NULL);
    r.list = NULL; /* the nursery stays as it is, so the heap is of no use any more */
    SAYS("an odd number of words", barrow_check(t.m));
    BARROW_LEAVE(t.m, r);
    CHECK_OK(barrow_heap_free(t.heap));
    /* With even sizes of odd objects all is well. */
    t = of_sixteen("-DS -A1m", NULL);
    BARROW_ENTER(t.m, r);
    r.list = cells(t.m, infos[i], 4 + 2 * i, 1000);
    CHECK_OK(barrow_collect(t.m, true));
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Copies of a nursery full of them need more than it had. */
static void copies_have_room(const char *flags) {
  const char *all = getenv("BARROW_TEST_FLAGS");
  toy t = of_sixteen(flags, NULL);
  struct { barrow_frame frame; barrow_word *list, *at; } r;
  size_t count = 100000;
  if (all && *all) { /* flags that compact or check */
    toy_free(t);
    return;
  }
  BARROW_ENTER(t.m, r);
  r.list = cells(t.m, &odd_info, 3, count);
  CHECK_OK(barrow_collect(t.m, true));
  for (r.at = r.list; r.at; r.at = (barrow_word *)r.at[1]) {
    CHECK(r.at[2] == --count && (size_t)r.at % 16 == 0);
    if (check_failures) break;
  }
  CHECK_EQ(count, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void fatal(void *client, const char *sentence) {
  (void)client;
  _exit(strstr(sentence, "multiple of 16") && !strstr(sentence, "inconsistency") ? 42 : 43);
}

/* Nothing can be slid together where objects lie in each other: the fatal hook is told why. */
static void a_compaction_ends_with_a_sentence(void) {
  int status = 0;
  pid_t child;
  fflush(stdout);
  child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    toy t = of_sixteen("-c -A1m", fatal);
    struct { barrow_frame frame; barrow_word *list; } r;
    setrlimit(RLIMIT_CORE, &none);
    BARROW_ENTER(t.m, r);
    r.list = cells(t.m, &odd_info, 3, 20);
    barrow_collect(t.m, true);
    barrow_collect(t.m, true);
    BARROW_LEAVE(t.m, r);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  if (!getenv("BARROW_TEST_FLAGS") || !strstr(getenv("BARROW_TEST_FLAGS"), "-DS")) CHECK_EQ(WEXITSTATUS(status), 42);
}

static bool refuses(toy t, void *key, void *value, const char *why) {
  void *weak;
  check_forget();
  weak = barrow_weak_new(t.m, key, value, NULL);
  if (!weak && strstr(barrow_last_error(), why)) return true;
  fprintf(stderr, "%s: %s\n", weak ? "made" : "refused", barrow_last_error());
  return false;
}

static void keys_of_weak_pointers(const char *flags, const char *others) {
  toy t = toy_new(flags), other = toy_new(others);
  struct { barrow_frame frame; node *one; void *large, *pinned; } r;
  struct { barrow_frame frame; node *one; } s;
  static node own = {0, NULL, NULL, 0};
  bool checks = strstr(flags, "-DS") != NULL;
  int round;
  BARROW_ENTER(t.m, r);
  BARROW_ENTER(other.m, s);
  s.one = toy_node(other.m, NULL, NULL, 1);
  r.large = toy_array(t.m, 100000);
  r.pinned = barrow_allocate_pinned(t.m, 4, 8, 0);
  memset(r.pinned, 0, 4 * sizeof(barrow_word));
  *(barrow_word *)r.pinned = (barrow_word)&node_info;
  for (round = 0; round < 3; round++) {
    toy_node(t.m, NULL, NULL, 3);
    r.one = toy_node(t.m, NULL, NULL, 2);
    CHECK(refuses(t, s.one, NULL, "another heap"));
    CHECK(refuses(t, r.one, s.one, "another heap"));
    if (checks) {
      CHECK(refuses(t, &r.one->right, NULL, "in the middle"));
      CHECK(refuses(t, r.one, &r.one->right, "in the middle"));
      CHECK(refuses(t, (char *)r.large + 64, NULL, "in the middle"));
      CHECK(refuses(t, (char *)r.pinned + 16, NULL, "in the middle"));
    }
    CHECK(barrow_weak_new(t.m, r.one, r.large, r.pinned) != NULL);
    CHECK(barrow_weak_new(t.m, r.large, r.one, NULL) != NULL);
    CHECK(barrow_weak_new(t.m, r.pinned, NULL, NULL) != NULL);
    CHECK(barrow_weak_new(t.m, (char *)r.one + 1, NULL, NULL) != NULL); /* a tag */
    CHECK(barrow_weak_new(t.m, &own, r.one, NULL) != NULL);
    CHECK_OK(barrow_collect(t.m, round == 1));
  }
  BARROW_LEAVE(other.m, s);
  BARROW_LEAVE(t.m, r);
  toy_free(other);
  toy_free(t);
}

/* Behind an object of an even size, damage is damage. */
static void damage_behind_an_even_size(void) {
  static barrow_info bad;
  toy t = of_sixteen("-DS -A1m", NULL);
  struct { barrow_frame frame; node *one; } r;
  BARROW_ENTER(t.m, r);
  bad = node_info;
  bad.kind = 255;
  r.one = toy_node(t.m, NULL, NULL, 1);
  r.one = toy_node(t.m, NULL, NULL, 2);
  barrow_set_header(r.one, &bad);
  check_forget();
  CHECK_EQ(barrow_check(t.m), BARROW_E_DAMAGED);
  CHECK(strstr(barrow_last_error(), "kind") && !strstr(barrow_last_error(), "odd number"));
  barrow_set_header(r.one, &node_info);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(one_word_is_refused);
  RUN(checking_mode_names_the_object);
  check_case = "copies_have_room";
  copies_have_room("--old=copy");
  copies_have_room("-A16m --old=copy");
  copies_have_room("-A64k --source=chunks -G3 --old=copy");
  RUN(a_compaction_ends_with_a_sentence);
  check_case = "keys_of_weak_pointers";
  keys_of_weak_pointers("", "");
  keys_of_weak_pointers("-DS", "");
  keys_of_weak_pointers("-DS --source=chunks", "--source=chunks");
  RUN(damage_behind_an_even_size);
  return DONE;
}
