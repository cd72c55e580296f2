/* Collections: what lives stays, what is dead goes; ages; every kind of object; the event hook; deep structures, lists. */
#include "toy.h"

static void dead_objects_go(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000);
  toy_list(t.m, 5000);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 1000 * sizeof(node));
  CHECK_EQ(toy_sum(r.list), 500500);
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_stats(t).live_bytes, 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void sharing_and_circles_stay(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; node *a, *b; } r;
  BARROW_ENTER(t.m, r);
  r.a = toy_cell(t.m, NULL, NULL, 1);
  r.b = toy_cell(t.m, r.a, r.a, 2);
  BARROW_WRITE(t.m, r.a, left, r.b);
  BARROW_WRITE(t.m, r.a, right, r.a);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.b->left == r.a && r.b->right == r.a && r.a->left == r.b && r.a->right == r.a);
  CHECK_EQ(r.a->value + 10 * r.b->value, 21);
  CHECK_EQ(toy_stats(t).live_bytes, 2 * sizeof(node));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void objects_grow_old(void) {
  toy t = toy_new("-G3 -T2 -A1m --old=copy");
  struct { barrow_frame frame; node *n; } r;
  int seen[8], i;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 1);
  for (i = 0; i < 8; i++) {
    seen[i] = barrow_generation_of(t.heap, r.n);
    CHECK_OK(barrow_collect(t.m, true));
  }
  CHECK_EQ(seen[0], 0);
  CHECK_EQ(seen[1], 0); /* it has to survive two collections in each generation */
  CHECK_EQ(seen[2], 1);
  CHECK_EQ(seen[3], 1);
  CHECK_EQ(seen[4], 2);
  CHECK_EQ(seen[7], 2);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* What an object refers to is promoted with it, however young, unless the object is one that is written to. */
static void objects_take_their_fields_along(void) {
  static barrow_info *const holders[] = {&node_info, &cell_info};
  int i;
  for (i = 0; i < 2; i++) {
    toy t = toy_new("-G2 -T2 -A1m");
    struct { barrow_frame frame; node *holder; } r;
    BARROW_ENTER(t.m, r);
    r.holder = toy_node(t.m, NULL, NULL, 1);
    barrow_set_header(r.holder, holders[i]);
    CHECK_OK(barrow_collect(t.m, false));
    barrow_write(t.m, r.holder, &r.holder->left, toy_node(t.m, NULL, NULL, 2));
    CHECK_OK(barrow_collect(t.m, false));
    CHECK_EQ(barrow_generation_of(t.heap, r.holder), 1);
    CHECK_EQ(barrow_generation_of(t.heap, r.holder->left), i == 0 ? 1 : 0);
    CHECK_EQ(r.holder->left->value, 2);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void a_minor_collection_leaves_the_old_alone(void) {
  toy t = toy_new("-T1 --old=copy");
  struct { barrow_frame frame; node *list; } r;
  node *place;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_collect(t.m, true));
  place = r.list;
  CHECK_OK(barrow_collect(t.m, false));
  CHECK(r.list == place);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK(r.list != place);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static struct { int begins, ends, majors; uint64_t last, live, copied; barrow_heap *heap; bool refused; } told;

static void on_event(void *client, const barrow_event *event) {
  CHECK(client == &told);
  CHECK(event->size >= sizeof *event);
  if (event->kind == BARROW_EVENT_COLLECTION_BEGINS) {
    told.begins++;
    CHECK_EQ(event->collection, told.last + 1);
  } else {
    CHECK_EQ(event->kind, BARROW_EVENT_COLLECTION_ENDS);
    told.ends++;
    told.last = event->collection;
    told.live = event->live_bytes;
    told.copied = event->copied_bytes;
    told.majors += event->major != 0;
  }
}

static void events(void) {
  barrow_config config;
  struct { barrow_frame frame; node *list; } r;
  toy t;
  memset(&told, 0, sizeof told);
  barrow_config_init(&config);
  config.event = on_event;
  config.client = &told;
  t = toy_new_with(&config, "--old=copy");
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 100);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(told.begins, 2);
  CHECK_EQ(told.ends, 2);
  CHECK_EQ(told.majors, 1);
  CHECK_EQ(told.live, 100 * sizeof(node));
  CHECK_EQ(told.copied, 100 * sizeof(node));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void a_long_list_needs_no_stack(void) {
  size_t length = toy_is_slow() ? 100000 : 3000000;
  toy t = toy_new("");
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, length);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), length * (length + 1) / 2);
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

/* Cells of all sizes with one tagged pointer each, and now and then something else that a list goes on through. */
INFO(link_info, BARROW_CONSTR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(pair_info, BARROW_CONSTR, 0, 0, 1, 1, 0, NULL, NULL);
INFO(wide_info, BARROW_CONSTR, 0, 0, 1, 6, 0, NULL, NULL);
INFO(wider_info, BARROW_CONSTR, 0, 0, 1, 12, 0, NULL, NULL);
INFO(mutable_info, BARROW_CONSTR, BARROW_FLAG_MUTABLE, 0, 1, 1, 0, NULL, NULL);
static barrow_info *const link_infos[] = {&pair_info, &link_info, &pair_info, &wide_info, &pair_info, &wider_info,
                                          &pair_info, &pair_info, &pair_info, &mutable_info};

static barrow_info *link_of(size_t number) { return link_infos[number * number / 7 % 10]; }

static barrow_word *longer(barrow_mutator *m, barrow_word *list, size_t from, size_t upto) {
  struct { barrow_frame frame; barrow_word *list; } r;
  size_t i, j;
  BARROW_ENTER(m, r);
  for (r.list = list, i = from; i < upto; i++) {
    barrow_word *link = (barrow_word *)barrow_alloc(m, 2 + link_of(i)->words);
    link[0] = (barrow_word)link_of(i);
    link[1] = (barrow_word)r.list + (r.list ? i % 8 : 0);
    for (j = 0; j < link_of(i)->words; j++) link[2 + j] = 1000 * i + j;
    r.list = link;
  }
  BARROW_LEAVE(m, r);
  return r.list;
}

static bool is_list(const barrow_word *list, size_t length) {
  size_t i, j;
  for (i = length; i-- > 0; list = (const barrow_word *)(list[1] & ~(barrow_word)7)) {
    if ((list[0] & ~(barrow_word)7) != (barrow_word)link_of(i) || (list[1] & 7) != (i > 0 ? i % 8 : 0)) return false;
    for (j = 0; j < link_of(i)->words; j++)
      if (list[2 + j] != 1000 * i + j) return false;
  }
  return list == NULL;
}

static void lists_keep_tags_and_order(void) {
  const char *flags[] = {"", "-DS", "-A128k -T3 -G3"};
  size_t length = toy_is_slow() ? 3000 : 40000, way, round;
  for (way = 0; way < 3; way++) {
    toy t = toy_new(flags[way]);
    struct { barrow_frame frame; barrow_word *list, *middle, *other; } r;
    BARROW_ENTER(t.m, r);
    r.middle = longer(t.m, NULL, 0, length / 2);
    CHECK_OK(barrow_collect(t.m, way == 1));
    r.list = longer(t.m, r.middle, length / 2, length);
    r.other = longer(t.m, r.middle, length / 2, length / 2 + 100);
    for (round = 0; round < 4; round++) {
      CHECK(is_list(r.list, length) && is_list(r.middle, length / 2) && is_list(r.other, length / 2 + 100));
      CHECK_OK(barrow_collect(t.m, round % 2 == 1));
    }
    r.list = r.other;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(is_list(r.list, length / 2 + 100) && r.list == r.other);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* ---- every kind ----------------------------------------------------------------------------------------------- */

#define WORDS 130
static const size_t large_bits[3] = {1, 2, 1}; /* words 0, 65 and 128 */
static const barrow_bitmap large_bitmap = {sizeof(barrow_bitmap), WORDS, large_bits};

/* A custom object: header, length, then pointers that are stored with all bits inverted. */
static size_t odd_words(const void *object) { return 2 + ((const barrow_word *)object)[1]; }
static void odd_visit(void *object, barrow_visitor *visitor) {
  barrow_word *word = (barrow_word *)object, i;
  for (i = 0; i < word[1]; i++) {
    void *p = (void *)~word[2 + i];
    /* By a variable and by its value, by turns. */
    if (i % 2 == 0) barrow_visit(visitor, &p);
    else p = barrow_visit_value(visitor, p);
    word[2 + i] = ~(barrow_word)p;
  }
}
static size_t moves;
static void odd_moved(const void *from, void *to) {
  CHECK(from != to);
  moves++;
}
static const barrow_custom odd = {sizeof(barrow_custom), 0, odd_words, odd_visit, odd_moved, NULL};

INFO(var_info, BARROW_MUT_VAR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(bitmap_info, BARROW_BITMAP, 0, 0, 0, 4, 10, NULL, NULL); /* words 1 and 3 */
INFO(large_info, BARROW_BITMAP_LARGE, 0, 0, 0, WORDS, 0, &large_bitmap, NULL);
INFO(tagged_info, BARROW_TAGGED, 0, 0, 2, 1, 0, NULL, NULL);
INFO(sized_info, BARROW_SIZED, 0, 1, 1, 1, 0, NULL, NULL);
INFO(vector_info, BARROW_SIZED, BARROW_FLAG_TAIL_POINTERS, 1, 1, 2, 0, NULL, NULL);
INFO(env_info, BARROW_SIZED, BARROW_FLAG_TAIL_TAGGED, 0, 0, 1, 0, NULL, NULL);
INFO(structs_info, BARROW_STRUCTS, 0, 0, 0, 3, 4, NULL, NULL); /* the third word of each */
INFO(frozen_info, BARROW_ARRAY_FROZEN, 0, 0, 0, 0, 0, NULL, NULL);
INFO(tagged_array_info, BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED, 0, 0, 0, 0, NULL, NULL);
INFO(odd_info, BARROW_CUSTOM, BARROW_FLAG_NOTIFY_MOVED, 0, 0, 0, 0, NULL, &odd);

/* One object of each kind, all of whose pointers lead to nodes with value 9; other words look like addresses. */
static barrow_word *make(barrow_mutator *m, int kind) {
  struct { barrow_frame frame; node *nine; } r;
  barrow_word *at = NULL, nine, junk;
  size_t i;
  BARROW_ENTER(m, r);
  r.nine = toy_node(m, NULL, NULL, 9);
  CHECK(barrow_reserve(m, 200));
  nine = (barrow_word)r.nine;
  junk = nine - 8;
#define TAKE(words, info) (at = barrow_bump(m, words), at[0] = (barrow_word)&(info))
  switch (kind) {
    case 0: TAKE(2, var_info), at[1] = nine; break;
    case 1: TAKE(5, bitmap_info), at[1] = at[3] = junk, at[2] = at[4] = nine; break;
    case 2:
      TAKE(1 + WORDS, large_info);
      for (i = 0; i < WORDS; i++) at[1 + i] = i == 0 || i == 65 || i == 128 ? nine : junk;
      break;
    case 3: TAKE(4, tagged_info), at[1] = nine + 2, at[2] = 400, at[3] = junk; break;
    case 4: TAKE(3 + 5, sized_info), at[1] = nine, at[2] = 5, at[3] = at[4] = at[5] = at[6] = at[7] = junk; break;
    case 5: TAKE(4 + 2, vector_info), at[1] = nine, at[2] = 2, at[3] = junk, at[4] = nine, at[5] = 0; break;
    case 6: TAKE(2 + 2, env_info), at[1] = 2, at[2] = nine + 2, at[3] = 4; break;
    case 7: TAKE(2 + 6, structs_info), at[1] = 2, at[2] = at[3] = at[5] = at[6] = junk, at[4] = at[7] = nine; break;
    case 8: TAKE(2 + 1, frozen_info), at[1] = 1, at[2] = nine; break;
    case 9: TAKE(2 + 2, tagged_array_info), at[1] = 2, at[2] = nine + 2, at[3] = 8; break;
    default: TAKE(2 + 2, odd_info), at[1] = 2, at[2] = ~nine, at[3] = ~nine; break;
  }
  BARROW_LEAVE(m, r);
  return at;
}
enum { KINDS = 11 };

static bool is_nine(barrow_word word) { return ((node *)word)->value == 9; }

static void look(const barrow_word *at, int kind) {
  switch (kind) {
    case 0: CHECK(is_nine(at[1])); break;
    case 1: CHECK(is_nine(at[2]) && is_nine(at[4])); break;
    case 2: CHECK(is_nine(at[1]) && is_nine(at[66]) && is_nine(at[129])); break;
    case 3: CHECK(is_nine(at[1] - 2) && at[2] == 400); break;
    case 4: CHECK(is_nine(at[1]) && at[2] == 5); break;
    case 5: CHECK(is_nine(at[1]) && is_nine(at[4]) && at[5] == 0); break;
    case 6: CHECK(at[1] == 2 && is_nine(at[2] - 2) && at[3] == 4); break;
    case 7: CHECK(is_nine(at[4]) && is_nine(at[7])); break;
    case 8: CHECK(is_nine(at[2])); break;
    case 9: CHECK(is_nine(at[2] - 2) && at[3] == 8); break;
    default: CHECK(is_nine(~at[2]) && is_nine(~at[3])); break;
  }
}

static void every_kind(void) {
  static barrow_word *kept[KINDS * 20];
  barrow_config config;
  toy t;
  int i, round;
  barrow_config_init(&config);
  config.tagged_pointers = 0x0404; /* pointers end in 2 */
  config.address_mask = ~(size_t)7;
  t = toy_new_with(&config, "-A128k -DS");
  memset(kept, 0, sizeof kept);
  moves = 0;
  CHECK_OK(barrow_root_add(t.heap, "kept", kept, KINDS * 20, false));
  for (i = 0; i < KINDS * 20; i++) kept[i] = make(t.m, i % KINDS);
  for (round = 0; round < 6; round++) {
    CHECK_OK(barrow_collect(t.m, round % 3 == 2));
    for (i = 0; i < KINDS * 20; i++) look(kept[i], i % KINDS);
  }
  CHECK(moves >= 40);
  toy_free(t);
}

static void info_tables_are_numbered_or_not_touched(void) {
  CHECK_OK(barrow_info_check(&node_info));
  CHECK_OK(barrow_info_check(&odd_info));
  CHECK_OK(barrow_info_check(&large_info));
  CHECK(barrow_info_of(&large_info) != NULL); /* reads a header word, whatever it is */
}

static void detached_and_attached(void) {
  toy t = toy_new("");
  barrow_handle *handle = NULL;
  CHECK_OK(barrow_handle_new(t.m, toy_list(t.m, 10), &handle));
  CHECK(barrow_heap_of(t.m) == t.heap);
  CHECK_OK(barrow_detach(t.m));
  CHECK_OK(barrow_attach(t.heap, &t.m));
  CHECK_EQ(toy_sum((node *)barrow_handle_get(handle)), 55);
  CHECK_OK(barrow_enter_foreign(t.m));
  CHECK_OK(barrow_leave_foreign(t.m));
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum((node *)barrow_handle_get(handle)), 55);
  toy_free(t);
}

/* An object whose pointers have a form of its own is remembered as a whole: its function hands in words on its stack, or values. It comes to the
 * next generation while the other object, which is younger and in a root, stays. */
static void an_odd_object_is_remembered(void) {
  static const char *const flags[] = {"-DS -T2", "-DS -T3", "-DS -G3 -T2 --old=copy", "-T3 --workers=2!", "-DS -T3 --source=chunks"};
  size_t f;
  for (f = 0; f < sizeof flags / sizeof *flags; f++) {
    int each;
    for (each = 0; each < 10; each++) {
      const int age = each / 2, field = 2 + each % 2;
      toy t = toy_new(flags[f]);
      struct { barrow_frame frame; node *young; barrow_word *odd; } r;
      int i;
      BARROW_ENTER(t.m, r);
      r.odd = (barrow_word *)barrow_alloc(t.m, 4);
      r.odd[0] = (barrow_word)&odd_info;
      r.odd[1] = 2;
      r.odd[2] = r.odd[3] = ~(barrow_word)0;
      for (i = 0; i < age; i++) CHECK_OK(barrow_collect(t.m, false));
      r.young = toy_node(t.m, NULL, NULL, 17);
      r.odd[field] = ~(barrow_word)r.young;
      CHECK_OK(barrow_record_old_to_new(t.m, r.odd));
      CHECK_OK(barrow_collect(t.m, false));
      CHECK(~r.odd[field] == (barrow_word)r.young);
      r.young = NULL;
      for (i = 0; i < 4; i++) {
        toy_list(t.m, 100);
        CHECK_OK(barrow_collect(t.m, false));
        CHECK_EQ(((node *)~r.odd[field])->value, 17);
      }
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
  }
}

int main(void) {
  RUN(dead_objects_go);
  RUN(sharing_and_circles_stay);
  RUN(objects_grow_old);
  RUN(objects_take_their_fields_along);
  RUN(a_minor_collection_leaves_the_old_alone);
  RUN(events);
  RUN(a_long_list_needs_no_stack);
  RUN(lists_keep_tags_and_order);
  RUN(every_kind);
  RUN(info_tables_are_numbered_or_not_touched);
  RUN(detached_and_attached);
  RUN(an_odd_object_is_remembered);
  return DONE;
}
