/* Snapshots of the object graph: their bytes, read by the words of docs/formats-snapshot.md, and their misuse. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "snapshot.h"
#include "toy.h"
#include <sys/stat.h>
#include <unistd.h>

static const char *PATH = "snapshot.test";

static void known_shape(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *tree, *cell; void *array; } r;
  static void *registered;
  found f;
  struct stat s;
  BARROW_ENTER(t.m, r);
  CHECK_OK(barrow_root_add(t.heap, "a registered root", &registered, 1, false));
  r.tree = toy_tree(t.m, 9);
  r.cell = toy_cell(t.m, r.tree, NULL, 1);
  /* 50,000 elements that refer to nothing, but for two. */
  r.array = toy_array(t.m, 50000);
  barrow_array_elements(r.array)[7] = r.cell;
  barrow_array_elements(r.array)[49999] = r.tree;
  toy_list(t.m, 1000);
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 1023 + 2);
  CHECK_EQ(f.nodes, 1023);
  CHECK_EQ(f.edges, 1022 + 1 + 2);
  CHECK_EQ(f.words, 1024 * 4 + barrow_array_words(50000));
  CHECK_EQ(f.big, barrow_array_words(50000));
  CHECK_EQ(f.roots, 3);
  CHECK(strcmp(f.root_names, "shadow stack;") == 0);
  CHECK(stat(PATH, &s) == 0 && (s.st_mode & 0777) == 0600);
  /* A second one, with less and with another root, takes the place of the first. */
  registered = r.cell;
  r.tree = NULL;
  r.array = NULL;
  r.cell = NULL;
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 1024);
  CHECK_EQ(f.roots, 1);
  CHECK(strcmp(f.root_names, "a registered root;") == 0);
  registered = NULL;
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects + f.roots + f.edges, 0);
  CHECK_OK(barrow_root_remove(t.heap, &registered));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A weak pointer holds its value and not its key; it is there although nobody refers to it. */
static void weak_pointers(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *key; void *weak; } r;
  found f;
  BARROW_ENTER(t.m, r);
  r.key = toy_cell(t.m, NULL, NULL, 1);
  r.weak = barrow_weak_new(t.m, r.key, r.key, NULL);
  CHECK(r.weak != NULL);
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 2);
  CHECK_EQ(f.edges, 2);
  CHECK_EQ(f.weak, 1);
  CHECK_EQ(f.roots, 3);
  CHECK(strstr(f.root_names, "weak pointers;") != NULL);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Elements of a weak array are weak edges. */
static void weak_arrays(void) {
  INFO(weak_info, BARROW_WEAK_ARRAY, 0, 0, 0, 0, 0, NULL, NULL);
  toy t = toy_new("");
  struct { barrow_frame frame; void *array; node *held; } r;
  found f;
  BARROW_ENTER(t.m, r);
  r.array = barrow_weak_array_init(barrow_alloc(t.m, barrow_weak_array_words(3)), &weak_info, 3);
  r.held = toy_cell(t.m, NULL, NULL, 1);
  barrow_weak_array_write(t.m, r.array, 0, r.held);
  barrow_weak_array_write(t.m, r.array, 2, r.held);
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 2);
  CHECK_EQ(f.edges, 2);
  CHECK_EQ(f.weak, 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

typedef struct fixed {
  barrow_word header;
  void *field;
  barrow_word link;
} fixed;

/* Statics are nodes where something refers to them, and only there. */
static void statics(void) {
  toy t = toy_new("");
  INFO(static_info, BARROW_CONSTR_STATIC, 0, 0, 1, 0, 0, NULL, NULL);
  static fixed held, chained, unknown;
  static void *const mentioned[] = {&held, &unknown};
  static const barrow_srt table = {sizeof(barrow_srt), 2, mentioned};
  static const barrow_names names = {"fun", "fun", "c-tests", __FILE__};
  static barrow_info fun_info = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_FUN, 0, 1, 0, 1, 0, 0, NULL,
                                 NULL, &table, &names};
  void *list[3];
  struct { barrow_frame frame; node *a, *b; void *fun; } r;
  found f;
  fixed *all[3];
  int i;
  all[0] = &held;
  all[1] = &chained;
  all[2] = &unknown;
  for (i = 0; i < 3; i++) {
    memset(all[i], 0, sizeof(fixed));
    all[i]->header = (barrow_word)&static_info;
    list[i] = all[i];
  }
  held.field = &chained;
  CHECK_OK(barrow_statics_add(t.heap, list, 3, false));
  BARROW_ENTER(t.m, r);
  r.a = toy_cell(t.m, (node *)&held, NULL, 1);
  r.b = toy_cell(t.m, (node *)&held, (node *)&chained, 1);
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 4);
  CHECK_EQ(f.statics, 2);
  CHECK_EQ(f.edges, 4);
  /* A function's code mentions two. */
  r.fun = barrow_alloc(t.m, 2);
  ((barrow_word *)r.fun)[0] = (barrow_word)&fun_info;
  ((barrow_word *)r.fun)[1] = 1;
  CHECK_OK(barrow_snapshot(t.m, PATH));
  f = look(PATH);
  CHECK_EQ(f.objects, 6);
  CHECK_EQ(f.statics, 3);
  CHECK_EQ(f.code, 2);
  CHECK_EQ(f.edges, 6);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void misuse(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *list; } r;
  struct stat s;
  long i;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100000);
  REFUSED(BARROW_E_ARG, barrow_snapshot(NULL, PATH));
  REFUSED(BARROW_E_ARG, barrow_snapshot(t.m, NULL));
  REFUSED(BARROW_E_ARG, barrow_snapshot(t.m, ""));
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, "no/such/directory/x"));
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, "/dev/full"));
  CHECK(strstr(barrow_last_error(), "No space left") != NULL);
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, "/"));
  unlink("snapshot.link");
  CHECK(symlink(PATH, "snapshot.link") == 0);
  REFUSED(BARROW_E_IO, barrow_snapshot(t.m, "snapshot.link"));
  unlink("snapshot.link");
  CHECK(stat("snapshot.link", &s) != 0);
  /* The program goes on, and a snapshot can be taken. */
  for (i = 0; i < 2; i++) {
    CHECK_OK(barrow_snapshot(t.m, PATH));
    CHECK_EQ(look(PATH).objects, 100000);
    CHECK_EQ(toy_sum(r.list), 100000L * 100001 / 2);
  }
  unlink(PATH);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(known_shape);
  RUN(weak_pointers);
  RUN(weak_arrays);
  RUN(statics);
  RUN(misuse);
  return DONE;
}
