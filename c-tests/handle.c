/* Handles and stable pointers. */
#include "toy.h"

static void a_handle_follows_its_object(void) {
  toy t = toy_new("-DS");
  barrow_handle *handle = NULL;
  node *before = toy_list(t.m, 10);
  int i;
  CHECK_OK(barrow_handle_new(t.m, before, &handle));
  CHECK(barrow_handle_get(handle) == before);
  for (i = 0; i < 4; i++) CHECK_OK(barrow_collect(t.m, i == 3));
  CHECK(barrow_handle_get(handle) != before);
  CHECK_EQ(toy_sum((node *)barrow_handle_get(handle)), 55);
  CHECK_OK(barrow_handle_set(t.m, handle, toy_list(t.m, 4))); /* an old entry holds a young object */
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ(toy_sum((node *)barrow_handle_get(handle)), 10);
  CHECK_OK(barrow_handle_set(t.m, handle, NULL));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(barrow_handle_get(handle) == NULL);
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  CHECK_OK(barrow_handle_free(t.m, handle));
  toy_free(t);
}

static void thousands(void) {
  enum { COUNT = 10000 };
  toy t = toy_new("-A256k");
  static barrow_handle *handles[COUNT];
  int i, round;
  for (i = 0; i < COUNT; i++) CHECK_OK(barrow_handle_new(t.m, toy_node(t.m, NULL, NULL, (barrow_word)i), &handles[i]));
  for (round = 0; round < 5; round++) {
    for (i = round; i < COUNT; i += 3) {
      CHECK_OK(barrow_handle_free(t.m, handles[i]));
      CHECK_OK(barrow_handle_new(t.m, toy_node(t.m, NULL, NULL, (barrow_word)i), &handles[i]));
    }
    CHECK_OK(barrow_collect(t.m, round == 3));
    for (i = 0; i < COUNT; i++) CHECK_EQ(((node *)barrow_handle_get(handles[i]))->value, i);
  }
  for (i = 0; i < COUNT; i++) CHECK_OK(barrow_handle_free(t.m, handles[i]));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

static void stable_pointers(void) {
  toy t = toy_new("-DS");
  size_t a = barrow_stable_new(t.m, toy_list(t.m, 3)), b = barrow_stable_new(t.m, NULL);
  CHECK(a != 0 && b != 0 && a != b);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)barrow_stable_get(t.m, a)), 6);
  CHECK(barrow_stable_get(t.m, b) == NULL);
  CHECK_OK(barrow_stable_free(t.m, a));
  REFUSED(BARROW_E_ARG, barrow_stable_free(t.m, a));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  toy_free(t);
}

static void handles_end_with_their_heap(void) {
  toy t = toy_new("");
  barrow_handle *handle = NULL;
  CHECK_OK(barrow_handle_new(t.m, toy_list(t.m, 3), &handle));
  toy_free(t);
}

int main(void) {
  RUN(a_handle_follows_its_object);
  RUN(thousands);
  RUN(stable_pointers);
  RUN(handles_end_with_their_heap);
  return DONE;
}
