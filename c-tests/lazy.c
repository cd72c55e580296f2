/* Thunks, updates, indirections, applications, selectors. */
#include "toy.h"

INFO(thunk_info, BARROW_THUNK, 0, 0, 2, 1, 0, NULL, NULL);
INFO(big_thunk_info, BARROW_THUNK, 0, 0, 500, 0, 0, NULL, NULL);
INFO(first_info, BARROW_SELECTOR, 0, 0, 1, 0, 0, NULL, NULL);
INFO(second_info, BARROW_SELECTOR, 0, 1, 1, 0, 0, NULL, NULL);
INFO(third_info, BARROW_SELECTOR, 0, 2, 1, 0, 0, NULL, NULL);
/* Of three arguments, the first and the third are pointers. */
INFO(fun_info, BARROW_FUN, 0, 3, 1, 1, 5, NULL, NULL);
INFO(pap_info, BARROW_PAP, 0, 0, 0, 0, 0, NULL, NULL);
INFO(ap_info, BARROW_AP, 0, 0, 0, 0, 0, NULL, NULL);
static const size_t many_bits[2] = {1, 1u << 5};
static const barrow_bitmap many_bitmap = {sizeof(barrow_bitmap), 70, many_bits};
INFO(many_info, BARROW_FUN, 0, 70, 0, 0, 0, &many_bitmap, NULL);

typedef struct thunk {
  barrow_word header, result;
  struct node *a, *b;
  barrow_word n;
} thunk;

static thunk *make_thunk(barrow_mutator *m, void *a) {
  struct { barrow_frame frame; void *a; } r;
  thunk *t;
  r.a = a;
  BARROW_PUSH(m, r);
  t = (thunk *)barrow_alloc(m, barrow_thunk_words(3));
  t->header = (barrow_word)&thunk_info;
  t->a = (node *)r.a;
  t->b = NULL;
  t->n = 77;
  BARROW_LEAVE(m, r);
  return t;
}

static unsigned kind_of(const void *object) { return barrow_info_of(object)->kind; }
static void age(toy t, int times) {
  while (times-- > 0) CHECK_OK(barrow_collect(t.m, true));
}

static void a_thunk_is_updated(void) {
  int sanity, old;
  for (sanity = 0; sanity < 2; sanity++)
    for (old = 0; old < 2; old++) {
      toy t = toy_new(sanity ? "-DS" : "");
      struct { barrow_frame frame; thunk *x; node *other; } r;
      BARROW_ENTER(t.m, r);
      r.other = toy_node(t.m, NULL, NULL, 1);
      r.x = make_thunk(t.m, r.other);
      age(t, old * 3);
      CHECK_EQ(barrow_object_words(t.heap, r.x), 5);
      CHECK_EQ(r.x->n, 77);
      CHECK_OK(barrow_blackhole(t.m, r.x));
      CHECK_EQ(kind_of(r.x), BARROW_BLACKHOLE);
      CHECK_EQ(barrow_object_words(t.heap, r.x), 2);
      CHECK(barrow_indirectee(r.x) == NULL);
      CHECK_OK(barrow_collect(t.m, false));
      CHECK_EQ(kind_of(r.x), BARROW_BLACKHOLE);
      r.other = toy_node(t.m, NULL, NULL, 42);
      CHECK_OK(barrow_update(t.m, r.x, r.other));
      CHECK_EQ(kind_of(r.x), barrow_generation_of(t.heap, r.x) > 0 ? BARROW_IND_OLDGEN : BARROW_IND);
      CHECK_EQ(((node *)barrow_indirectee(r.x))->value, 42);
      r.other = NULL;
      CHECK_OK(barrow_collect(t.m, false));
      if (old) CHECK_EQ(((node *)barrow_indirectee(r.x))->value, 42);
      age(t, 1);
      CHECK_EQ(kind_of(r.x), BARROW_CONSTR); /* the indirection is gone */
      CHECK_EQ(((node *)r.x)->value, 42);
      CHECK_EQ(toy_stats(t).live_bytes, sizeof(node));
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

/* Pointers take the tag of the value, and null and foreign values are values too. */
static void tags_and_ends(void) {
  static barrow_word foreign[2];
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *a, *b, *c, *d; } r;
  BARROW_ENTER(t.m, r);
  r.a = make_thunk(t.m, NULL);
  r.b = make_thunk(t.m, NULL);
  r.c = make_thunk(t.m, NULL);
  r.d = r.a;
  CHECK_OK(barrow_update(t.m, r.a, (char *)toy_node(t.m, NULL, NULL, 9) + 3));
  CHECK_OK(barrow_update(t.m, r.b, NULL));
  CHECK_OK(barrow_update(t.m, r.c, foreign));
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_EQ((size_t)r.a & 7, 3);
  CHECK(r.d == r.a && ((node *)((char *)r.a - 3))->value == 9);
  CHECK(r.b == NULL && r.c == (void *)foreign);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The bytes of a band of the last census; 0 when there is none. */
static uint64_t named(toy t, char by, const char *wanted) {
  size_t count = 0;
  char name[60];
  CHECK_OK(barrow_census_count(t.heap, by, &count));
  while (count-- > 0) {
    barrow_census_band_t band;
    memset(&band, 0, sizeof band);
    band.size = sizeof band;
    CHECK_OK(barrow_census_band(t.heap, by, count, &band, name, sizeof name));
    if (!strcmp(name, wanted)) return band.bytes;
  }
  return 0;
}

static void permanent_ones_stay(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *a, *b; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.a = make_thunk(t.m, NULL);
  CHECK_OK(barrow_update_permanent(t.m, r.a, toy_node(t.m, NULL, NULL, 9)));
  CHECK_EQ(kind_of(r.a), BARROW_IND_PERM);
  r.b = make_thunk(t.m, NULL);
  age(t, 3);
  CHECK_EQ(kind_of(r.a), BARROW_IND_OLDGEN_PERM);
  CHECK_OK(barrow_update_permanent(t.m, r.b, toy_node(t.m, NULL, NULL, 8)));
  CHECK_EQ(kind_of(r.b), BARROW_IND_OLDGEN_PERM);
  CHECK_OK(barrow_collect(t.m, false));
  age(t, 1);
  CHECK_EQ(((node *)barrow_indirectee(r.a))->value, 9);
  CHECK_EQ(((node *)barrow_indirectee(r.b))->value, 8);
  /* One name at any age, in each break-down. */
  CHECK_OK(barrow_census(t.m));
  for (i = 0; i < 3; i++) CHECK_EQ(named(t, "Tdy"[i], "IND_PERM"), 2 * 16);
  CHECK_EQ(toy_stats(t).live_bytes, 2 * (sizeof(node) + 16));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A chain of a million, each also referred to from elsewhere, and a ring. */
static void long_chains_and_rings(void) {
  enum { most = 1000000 };
  toy t = toy_new("");
  struct { barrow_frame frame; void *chain, *all, *ring; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.all = toy_array(t.m, most);
  r.chain = toy_node(t.m, NULL, NULL, 5);
  for (i = 0; i < most; i++) {
    struct { barrow_frame frame; void *x; } s;
    BARROW_ENTER(t.m, s);
    s.x = make_thunk(t.m, NULL);
    CHECK_OK(barrow_update(t.m, s.x, r.chain));
    r.chain = s.x;
    barrow_write(t.m, r.all, &barrow_array_elements(r.all)[most - 1 - i], s.x);
    BARROW_LEAVE(t.m, s);
  }
  r.ring = make_thunk(t.m, NULL);
  r.chain = make_thunk(t.m, NULL);
  CHECK_OK(barrow_update(t.m, r.ring, r.chain));
  CHECK_OK(barrow_update(t.m, r.chain, r.ring));
  age(t, 1);
  for (i = 0; i < most; i += 1000) CHECK_EQ(((node *)barrow_array_elements(r.all)[i])->value, 5);
  /* All that is left of the ring is one indirection to itself. */
  CHECK(barrow_indirectee(r.ring) == r.ring);
  age(t, 2);
  CHECK(barrow_indirectee(r.ring) == r.ring);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void large_and_pinned_thunks(void) {
  int pinned, major;
  for (pinned = 0; pinned < 2; pinned++)
    for (major = 0; major < 2; major++) {
      toy t = toy_new("-DS -T1");
      struct { barrow_frame frame; barrow_word *x, *y; } r;
      size_t words = pinned ? barrow_thunk_words(3) : barrow_thunk_words(500);
      BARROW_ENTER(t.m, r);
      r.x = pinned ? barrow_allocate_pinned(t.m, words, 8, 0) : barrow_alloc(t.m, words);
      memset(r.x, 0, words * 8);
      r.x[0] = pinned ? (barrow_word)&thunk_info : (barrow_word)&big_thunk_info;
      r.y = r.x;
      CHECK_OK(barrow_update(t.m, r.x, toy_node(t.m, NULL, NULL, 3)));
      CHECK_OK(barrow_collect(t.m, major));
      CHECK(r.x == r.y);
      CHECK_EQ(((node *)r.x)->value, 3);
      age(t, 1);
      CHECK_EQ(toy_stats(t).live_bytes, sizeof(node));
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

/* Neighbours in a pinned block: whichever of them is reached first, the thunk that was updated goes. */
static void updated_neighbours_go(void) {
  static const char *const flags[] = {"-DS -T1", "-DS -G1", "-DS -G3 -T2", "-DS -c"};
  size_t f;
  int first;
  for (f = 0; f < sizeof flags / sizeof *flags; f++)
    for (first = 0; first < 2; first++) {
      toy t = toy_new(flags[f]);
      struct { barrow_frame frame; barrow_word *one, *two, *three; } r;
      barrow_word *object;
      int i;
      BARROW_ENTER(t.m, r);
      r.one = r.two = r.three = NULL;
      for (i = 0; i < 3; i++) {
        object = barrow_allocate_pinned(t.m, barrow_thunk_words(3), 8, 0);
        memset(object, 0, barrow_thunk_words(3) * 8);
        object[0] = (barrow_word)&thunk_info;
        if (i == 0) r.one = object; else if (i == 1) r.two = object; else r.three = object;
      }
      object = r.two;
      CHECK_OK(barrow_update(t.m, r.two, toy_node(t.m, NULL, NULL, 3)));
      /* An indirection to an indirection beside it, and roots that are looked at in another order. */
      CHECK_OK(barrow_update(t.m, r.three, r.two));
      if (first) {
        barrow_word *swap = r.one;
        r.one = r.three;
        r.three = swap;
      }
      CHECK_OK(barrow_collect(t.m, true));
      CHECK_OK(barrow_collect(t.m, true));
      CHECK(r.two != object);
      CHECK_EQ(((node *)r.two)->value, 3);
      CHECK((first ? r.one : r.three) == r.two);
      CHECK_EQ(kind_of(first ? r.three : r.one), BARROW_THUNK);
      CHECK_EQ(toy_stats(t).live_bytes, sizeof(node) + barrow_thunk_words(3) * 8);
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

static void applications(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; barrow_word *f, *pap, *ap, *wide; } r;
  int i, round;
  BARROW_ENTER(t.m, r);
  r.f = barrow_alloc(t.m, 3);
  r.f[0] = (barrow_word)&fun_info, r.f[1] = 0, r.f[2] = 5;
  r.pap = barrow_alloc(t.m, barrow_pap_words(2));
  r.pap[0] = (barrow_word)&pap_info, r.pap[1] = 2, r.pap[2] = (barrow_word)r.f + 3, r.pap[3] = 0, r.pap[4] = 12345;
  r.pap[3] = (barrow_word)toy_node(t.m, NULL, NULL, 1);
  r.ap = barrow_alloc(t.m, barrow_ap_words(3));
  memset(r.ap, 0, barrow_ap_words(3) * 8);
  r.ap[0] = (barrow_word)&ap_info, r.ap[2] = 3, r.ap[3] = (barrow_word)r.f, r.ap[5] = 99;
  r.ap[4] = (barrow_word)toy_node(t.m, NULL, NULL, 2);
  r.ap[6] = (barrow_word)toy_node(t.m, NULL, NULL, 3);
  r.wide = barrow_alloc(t.m, barrow_pap_words(70));
  memset(r.wide, 0, barrow_pap_words(70) * 8);
  r.wide[0] = (barrow_word)&pap_info, r.wide[1] = 70;
  r.wide[2] = (barrow_word)barrow_alloc(t.m, 2);
  ((barrow_word *)r.wide[2])[0] = (barrow_word)&many_info, ((barrow_word *)r.wide[2])[1] = 0;
  for (i = 1; i < 70; i++) r.wide[3 + i] = (barrow_word)i;
  r.wide[3] = (barrow_word)toy_node(t.m, NULL, NULL, 4);
  r.wide[3 + 69] = (barrow_word)toy_node(t.m, NULL, NULL, 5);
  for (round = 0; round < 4; round++) {
    CHECK_OK(barrow_collect(t.m, round & 1));
    CHECK(r.pap[2] == (barrow_word)r.f + 3 && r.ap[3] == (barrow_word)r.f && r.f[2] == 5);
    CHECK_EQ(((node *)r.pap[3])->value, 1);
    CHECK_EQ(r.pap[4], 12345);
    CHECK_EQ(((node *)r.ap[4])->value, 2);
    CHECK_EQ(r.ap[5], 99);
    CHECK_EQ(((node *)r.ap[6])->value, 3);
    CHECK_EQ(((node *)r.wide[3])->value, 4);
    for (i = 1; i < 69; i++) CHECK_EQ(r.wide[3 + i], i);
    CHECK_EQ(((node *)r.wide[3 + 69])->value, 5);
  }
  CHECK_EQ(barrow_object_words(t.heap, r.wide), 73);
  CHECK_OK(barrow_update(t.m, r.ap, (void *)r.ap[6]));
  age(t, 1);
  CHECK_EQ(((node *)r.ap)->value, 3);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A selector takes its field out of a constructor that is anywhere, and lets go of the rest. */
static void selectors_are_evaluated(void) {
  int old, chunks;
  for (chunks = 0; chunks < 2; chunks++)
    for (old = 0; old < 2; old++) {
      toy t = toy_new(chunks ? "-DS --source=chunks" : "-DS");
      struct { barrow_frame frame; node *pair; void *x, *y; } r;
      BARROW_ENTER(t.m, r);
      r.pair = toy_node(t.m, NULL, NULL, 0);
      r.pair->left = toy_node(t.m, NULL, NULL, 10);
      r.pair->right = toy_node(t.m, NULL, NULL, 20);
      age(t, old * 3);
      r.x = toy_selector(t.m, &first_info, r.pair);
      r.y = toy_selector(t.m, &second_info, r.pair);
      r.pair = NULL;
      CHECK_OK(barrow_collect(t.m, false));
      CHECK_EQ(((node *)r.x)->value, 10);
      CHECK_EQ(((node *)r.y)->value, 20);
      age(t, 1);
      CHECK_EQ(toy_stats(t).live_bytes, 2 * sizeof(node));
      BARROW_LEAVE(t.m, r);
      toy_free(t);
    }
}

/* What waits for a thunk or a blackhole stays a selector until that has a value. */
static void selectors_wait(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *thunk, *x, *y, *z; } r;
  int round;
  BARROW_ENTER(t.m, r);
  r.thunk = make_thunk(t.m, NULL);
  r.x = toy_selector(t.m, &first_info, r.thunk);
  r.y = toy_selector(t.m, &second_info, r.x);
  r.z = toy_selector(t.m, &first_info, r.y);
  for (round = 0; round < 4; round++) {
    CHECK_OK(barrow_collect(t.m, round & 1));
    CHECK_EQ(kind_of(r.x), BARROW_SELECTOR);
    CHECK_EQ(kind_of(r.z), BARROW_SELECTOR);
    CHECK(((void **)r.y)[2] == r.x && ((void **)r.x)[2] == r.thunk);
    if (round == 1) CHECK_OK(barrow_blackhole(t.m, r.thunk));
  }
  {
    struct { barrow_frame frame; node *a, *b; } s;
    BARROW_ENTER(t.m, s);
    s.a = toy_node(t.m, NULL, NULL, 30);
    s.b = toy_node(t.m, s.a, NULL, 31);
    s.b = toy_node(t.m, NULL, s.b, 32);
    s.b = toy_node(t.m, s.b, NULL, 33);
    CHECK_OK(barrow_update(t.m, r.thunk, s.b));
    BARROW_LEAVE(t.m, s);
  }
  r.thunk = NULL;
  age(t, 1);
  CHECK_EQ(((node *)r.x)->value, 32);
  CHECK_EQ(((node *)r.y)->value, 31);
  CHECK_EQ(((node *)r.z)->value, 30);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* One that needs itself, by its selectee or by the field; two that need each other; and one beside them. */
static void selectors_in_circles(void) {
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *self, *a, *b, *beside; node *pair, *other; } r;
  int round;
  BARROW_ENTER(t.m, r);
  r.self = toy_selector(t.m, &first_info, NULL);
  ((void **)r.self)[2] = r.self;
  r.pair = toy_node(t.m, NULL, NULL, 0);
  r.a = toy_selector(t.m, &first_info, r.pair);
  r.other = toy_node(t.m, NULL, NULL, 0);
  r.b = toy_selector(t.m, &first_info, r.other);
  r.pair->left = (node *)r.b;
  r.other->left = (node *)r.a;
  r.beside = toy_node(t.m, NULL, (node *)r.a, 0);
  r.beside = toy_selector(t.m, &second_info, r.beside);
  for (round = 0; round < 4; round++) {
    CHECK_OK(barrow_collect(t.m, round & 1));
    CHECK_EQ(kind_of(r.self), BARROW_SELECTOR);
    CHECK(((void **)r.self)[2] == r.self);
    CHECK_EQ(kind_of(r.a), BARROW_SELECTOR);
    CHECK_EQ(kind_of(r.b), BARROW_SELECTOR);
    CHECK(r.beside == r.a);
    CHECK(((void **)r.a)[2] == (void *)r.pair && r.pair->left == (node *)r.b);
  }
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* One takes the other out of a field, and that one selects from the first: nothing gives the second a value, and the
 * first is another name for it. */
static void a_selector_in_a_circle_with_a_way_out(void) {
  int from;
  for (from = 0; from < 2; from++) {
    toy t = toy_new("-DS");
    struct { barrow_frame frame; void *first, *needs; node *pair; } r;
    BARROW_ENTER(t.m, r);
    r.pair = toy_node(t.m, NULL, NULL, 0);
    r.needs = toy_selector(t.m, &second_info, NULL);
    r.first = toy_selector(t.m, &first_info, r.pair);
    r.pair->left = (node *)r.needs;
    ((void **)r.needs)[2] = r.first;
    /* Both orders in which the roots may be looked at. */
    if (from) {
      void *swap = r.first;
      r.first = r.needs;
      r.needs = swap;
    }
    CHECK_OK(barrow_collect(t.m, false));
    CHECK(r.first == r.needs);
    CHECK_EQ(kind_of(r.first), BARROW_SELECTOR);
    CHECK(((void **)r.first)[2] == r.first);
    CHECK(r.pair->left == (node *)r.first);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

/* Handles of old thunks that a full collection lets lead to young values: more of them than were young before. */
static void handles_of_old_thunks_with_young_values(void) {
  enum { most = 200 };
  toy t = toy_new("-G2 -T2 -DS");
  barrow_handle *handles[most], *other;
  int i;
  for (i = 0; i < most; i++) {
    struct { barrow_frame frame; thunk *x; } r;
    CHECK_OK(barrow_handle_new(t.m, make_thunk(t.m, NULL), &handles[i]));
    BARROW_ENTER(t.m, r);
    r.x = (thunk *)barrow_handle_get(handles[i]);
    age(t, i % 50 == 49 ? 3 : 0);
    BARROW_LEAVE(t.m, r);
  }
  age(t, 3);
  for (i = 0; i < most; i++) {
    node *value = toy_node(t.m, NULL, NULL, (unsigned)i);
    CHECK_OK(barrow_update(t.m, barrow_handle_get(handles[i]), value));
  }
  CHECK_OK(barrow_handle_new(t.m, NULL, &other));
  age(t, 1);
  CHECK_OK(barrow_collect(t.m, false));
  CHECK_OK(barrow_collect(t.m, false));
  for (i = 0; i < most; i++) CHECK_EQ(((node *)barrow_handle_get(handles[i]))->value, (unsigned)i);
  toy_free(t);
}

/* A million selectors of selectors: with a constructor at the end, and with a thunk. */
static void chains_of_selectors(void) {
  enum { most = 1000000 };
  int fails;
  for (fails = 0; fails < 2; fails++) {
    toy t = toy_new("");
    struct { barrow_frame frame; void *x, *all; node *knot; } r;
    int i;
    BARROW_ENTER(t.m, r);
    r.knot = toy_node(t.m, NULL, NULL, 8);
    r.knot->left = r.knot;
    r.x = fails ? (void *)make_thunk(t.m, r.knot) : (void *)r.knot;
    r.all = toy_array(t.m, most);
    for (i = 0; i < most; i++) {
      r.x = toy_selector(t.m, &first_info, r.x);
      barrow_write(t.m, r.all, &barrow_array_elements(r.all)[most - 1 - i], r.x);
    }
    age(t, 2);
    for (i = 0; i < most; i += 1000) {
      void *x = barrow_array_elements(r.all)[i];
      CHECK(fails ? kind_of(x) == BARROW_SELECTOR : x == (void *)r.knot);
    }
    /* The same when the value of each is the next. */
    r.x = fails ? (void *)make_thunk(t.m, r.knot) : (void *)r.knot;
    for (i = 0; i < most; i++) {
      r.knot = toy_node(t.m, (node *)r.x, NULL, 9);
      r.x = toy_selector(t.m, &first_info, r.knot);
    }
    r.all = NULL;
    age(t, 2);
    CHECK_EQ(kind_of(r.x), fails ? BARROW_THUNK : BARROW_CONSTR);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void selectors_can_be_turned_off(void) {
  toy t = toy_new("-DS --selectors=off");
  struct { barrow_frame frame; void *x; } r;
  char value[8];
  BARROW_ENTER(t.m, r);
  r.x = toy_selector(t.m, &first_info, toy_node(t.m, NULL, NULL, 1));
  age(t, 2);
  CHECK_EQ(kind_of(r.x), BARROW_SELECTOR);
  CHECK_OK(barrow_flag_value(t.heap, "--selectors", value, sizeof value));
  CHECK(strcmp(value, "off") == 0);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* A combinator reducer's own rule: I x is x. */
static void *skip_i(const void *object, barrow_resolver *resolver);
static const barrow_custom app_custom = {sizeof(barrow_custom), 0, NULL, NULL, NULL, skip_i};
INFO(app_info, BARROW_CONSTR, BARROW_FLAG_SHORTCUT, 0, 2, 0, 0, NULL, &app_custom);
INFO(i_info, BARROW_CONSTR, 0, 0, 0, 1, 0, NULL, NULL);
static void *skip_i(const void *object, barrow_resolver *resolver) {
  const void *const *app = (const void *const *)object;
  const void *head = barrow_resolve(resolver, app[1]);
  return barrow_info_of(head) == &i_info ? (void *)app[2] : NULL;
}

static void clients_shortcut_redexes(void) {
  enum { most = 100000 };
  toy t = toy_new("-DS");
  struct { barrow_frame frame; void *i, *x, *loop, **app; } r;
  int k;
  BARROW_ENTER(t.m, r);
  r.i = barrow_alloc(t.m, 2);
  ((barrow_word *)r.i)[0] = (barrow_word)&i_info, ((barrow_word *)r.i)[1] = 0;
  r.x = toy_node(t.m, NULL, NULL, 6);
  for (k = 0; k < most; k++) {
    r.app = (void **)barrow_alloc(t.m, 3);
    r.app[0] = &app_info, r.app[1] = r.i, r.app[2] = r.x;
    r.x = r.app;
  }
  r.loop = barrow_alloc(t.m, 3);
  ((void **)r.loop)[0] = &app_info, ((void **)r.loop)[1] = r.i, ((void **)r.loop)[2] = r.loop;
  r.app = (void **)barrow_alloc(t.m, 3);
  r.app[0] = &app_info, r.app[1] = r.x, r.app[2] = r.x;
  age(t, 1);
  CHECK_EQ(((node *)r.x)->value, 6);
  CHECK(barrow_info_of(r.app) == &app_info && r.app[1] == r.x && r.app[2] == r.x);
  CHECK(barrow_info_of(r.loop) == &app_info && ((void **)r.loop)[2] == r.loop);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* Where several mutators may be, no reference comes to be one to a thunk: the redex waits for its value, and keeps its tag. */
static void shortcuts_to_thunks_wait(void) {
  toy t = toy_new("-DS --mutators=2");
  struct { barrow_frame frame; void *i, *x, **app; } r;
  int wave;
  BARROW_ENTER(t.m, r);
  r.i = barrow_alloc(t.m, 2);
  ((barrow_word *)r.i)[0] = (barrow_word)&i_info, ((barrow_word *)r.i)[1] = 0;
  r.x = make_thunk(t.m, NULL);
  r.app = (void **)barrow_alloc(t.m, 3);
  r.app[0] = &app_info, r.app[1] = r.i, r.app[2] = (char *)r.x + 2;
  r.app = (void **)(void *)((char *)r.app + 1);
  for (wave = 0; wave < 3; wave++) {
    void **app;
    age(t, 1);
    CHECK_EQ((size_t)r.app & 7, 1);
    app = (void **)(void *)((char *)r.app - 1);
    CHECK(barrow_info_of(app) == &app_info && app[1] == r.i && app[2] == (void *)((char *)r.x + 2));
  }
  CHECK_OK(barrow_update(t.m, r.x, (char *)toy_node(t.m, NULL, NULL, 6) + 3));
  age(t, 1);
  CHECK_EQ((size_t)r.app & 7, 3);
  CHECK(r.app == r.x && ((node *)(void *)((char *)r.app - 3))->value == 6);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static barrow_info own_ind = {sizeof(barrow_info), BARROW_INFO_VERSION, 0, NULL, BARROW_IND, 0, 0, 1, 0, 0, 0, NULL, NULL, NULL, NULL};

static void tables_of_the_client(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; void *x; } r;
  unsigned kind, found = 0;
  BARROW_ENTER(t.m, r);
  for (kind = BARROW_IND; kind <= BARROW_CAF_BLACKHOLE; kind++) CHECK_EQ(barrow_table(t.heap, kind)->kind, kind);
  CHECK_EQ(barrow_table(t.heap, BARROW_IND_STATIC)->kind, BARROW_IND_STATIC);
  CHECK_OK(barrow_use_table(t.heap, &own_ind));
  CHECK(barrow_table(t.heap, BARROW_IND) == &own_ind);
  r.x = make_thunk(t.m, NULL);
  CHECK_OK(barrow_update(t.m, r.x, toy_node(t.m, NULL, NULL, 1)));
  CHECK(barrow_info_of(r.x) == &own_ind);
  age(t, 1);
  CHECK_EQ(((node *)r.x)->value, 1);
  ANSWERS(NULL, barrow_table(t.heap, BARROW_CONSTR));
  ANSWERS(NULL, barrow_table(t.heap, 4000));
  for (kind = 0; kind < 64; kind++) {
    const barrow_info *info = barrow_table(t.heap, kind);
    CHECK(!info || info->kind == kind);
    found += info != NULL;
  }
  CHECK_EQ(found, 7);
  REFUSED(BARROW_E_ARG, barrow_use_table(t.heap, &thunk_info));
  REFUSED(BARROW_E_ARG, barrow_use_table(t.heap, NULL));
  REFUSED(BARROW_E_ARG, barrow_use_table(NULL, &own_ind));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void impossible_tables(void) {
  barrow_info info = thunk_info;
#define WRONG(change) (info = thunk_info, change, CHECK_EQ(0, 0), REFUSED(BARROW_E_ARG, barrow_info_check(&info)))
  CHECK_OK(barrow_info_check(&thunk_info));
  CHECK_OK(barrow_info_check(&many_info));
  WRONG((info.kind = BARROW_SELECTOR));
  WRONG((info.kind = BARROW_IND));
  WRONG((info.kind = BARROW_IND_OLDGEN_PERM));
  WRONG((info.kind = BARROW_BLACKHOLE));
  WRONG((info.kind = BARROW_PAP));
  WRONG((info.kind = BARROW_AP));
  WRONG((info.kind = BARROW_THUNK_STATIC));
  WRONG((info.kind = BARROW_FUN, info.field = 2, info.bitmap = 4));
  WRONG((info.kind = BARROW_FUN, info.field = 65));
  WRONG((info.kind = BARROW_FUN, info.field = 71, info.large = &many_bitmap));
  WRONG((info.flags = BARROW_FLAG_SHORTCUT));
#undef WRONG
}

static void misuse(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; thunk *x; node *n; void *s; } r;
  BARROW_ENTER(t.m, r);
  r.x = make_thunk(t.m, NULL);
  r.n = toy_node(t.m, NULL, NULL, 1);
  REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, r.x));
  REFUSED(BARROW_E_ARG, barrow_update(t.m, r.x, (char *)r.x + 7)); /* with a tag */
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, r.n, r.x));
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, &t, r.x));
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, NULL, r.x));
  REFUSED(BARROW_E_ARG, barrow_update_slow(NULL, r.x, r.n));
  REFUSED(BARROW_E_ARG, barrow_update_permanent(t.m, r.n, r.x));
  REFUSED(BARROW_E_ARG, barrow_update_permanent(NULL, r.x, r.n));
  REFUSED(BARROW_E_ARG, barrow_blackhole_slow(t.m, r.n));
  REFUSED(BARROW_E_ARG, barrow_blackhole_slow(NULL, r.x));
  CHECK_OK(barrow_blackhole_slow(t.m, r.x));
  REFUSED(BARROW_E_STATE, barrow_blackhole_slow(t.m, r.x));
  CHECK_OK(barrow_update_slow(t.m, r.x, r.n));
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, r.x, r.n));
  CHECK(barrow_resolve(NULL, r.n) == r.n);
  /* A selector of a field that is not there, and an application of something that is no function. */
  r.s = toy_selector(t.m, &third_info, r.n);
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK_EQ(kind_of(r.s), BARROW_SELECTOR);
  barrow_set_header(r.s, &first_info); /* what is dead must be well-formed too, in checking mode */
  r.s = barrow_alloc(t.m, 3);
  ((barrow_word *)r.s)[0] = (barrow_word)&pap_info, ((barrow_word *)r.s)[1] = 0, ((void **)r.s)[2] = r.n;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  barrow_set_header(r.s, &first_info);
  r.s = NULL;
  /* Memory that holds no object yet. */
  r.s = barrow_allocate_pinned(t.m, 4, 8, 0);
  REFUSED(BARROW_E_ARG, barrow_update_slow(t.m, r.s, r.n));
  CHECK(strstr(barrow_last_error(), "is no object") != NULL);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* The function of an application may be behind indirections, and takes the arguments. */
static void applications_that_cannot_be(void) {
  toy t = toy_new("-DS"); /* its walk comes before indirections go */
  struct { barrow_frame frame; barrow_word *pap, *ind, *f; void *selector; } r;
  BARROW_ENTER(t.m, r);
  r.f = barrow_alloc(t.m, 3);
  r.f[0] = (barrow_word)&fun_info, r.f[1] = 0, r.f[2] = 5;
  r.ind = barrow_alloc(t.m, 2);
  r.ind[0] = (barrow_word)barrow_table(t.heap, BARROW_IND), r.ind[1] = (barrow_word)r.f;
  r.pap = barrow_alloc(t.m, barrow_pap_words(9));
  memset(r.pap, 0, barrow_pap_words(9) * 8);
  r.pap[0] = (barrow_word)&pap_info, r.pap[1] = 9, r.pap[2] = (barrow_word)r.ind;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "more arguments") != NULL);
  r.ind[1] = 0;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "no function") != NULL);
  /* In a circle; a selector there waits for ever, which is no mistake of the heap. */
  r.ind[1] = (barrow_word)r.ind;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "no function") != NULL);
  r.pap[2] = 0;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "applies 0x0") != NULL);
  r.pap[2] = (barrow_word)r.f;
  REFUSED(BARROW_E_DAMAGED, barrow_check(t.m));
  CHECK(strstr(barrow_last_error(), "more arguments") != NULL);
  r.pap[0] = (barrow_word)&bytes_info, r.pap[1] = 80;
  r.selector = toy_selector(t.m, &first_info, (node *)(void *)r.ind);
  CHECK_OK(barrow_check(t.m));
  r.ind[1] = (barrow_word)r.f;
  r.selector = NULL;
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(a_thunk_is_updated);
  RUN(tags_and_ends);
  RUN(permanent_ones_stay);
  RUN(long_chains_and_rings);
  RUN(large_and_pinned_thunks);
  RUN(updated_neighbours_go);
  RUN(applications);
  RUN(selectors_are_evaluated);
  RUN(selectors_wait);
  RUN(selectors_in_circles);
  RUN(a_selector_in_a_circle_with_a_way_out);
  RUN(handles_of_old_thunks_with_young_values);
  RUN(chains_of_selectors);
  RUN(selectors_can_be_turned_off);
  RUN(clients_shortcut_redexes);
  RUN(shortcuts_to_thunks_wait);
  RUN(tables_of_the_client);
  RUN(impossible_tables);
  RUN(misuse);
  RUN(applications_that_cannot_be);
  return DONE;
}
