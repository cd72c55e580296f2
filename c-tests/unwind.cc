// An overflow hook of C++ that throws: through barrow_alloc and the other allocating calls, and out.
#include "toy.h"
#include <new>

static int unwound;
struct guard_of_a_frame {
  ~guard_of_a_frame() { unwound++; }
};

static bool overflow(void *, barrow_mutator *, size_t) { throw std::bad_alloc(); }

static node *fill(barrow_mutator *m, int how, node **list) {
  guard_of_a_frame guard;
  for (;;) {
    barrow_word *at = nullptr;
    switch (how) {
      case 0: at = barrow_alloc(m, 40); break;
      case 1: at = barrow_allocate(m, 40); break;
      case 2: at = barrow_allocate_pinned(m, 40, 8, 0); break;
      case 3: at = barrow_alloc(m, 1000); break;
      default: at = barrow_reserve(m, 40) ? barrow_bump(m, 40) : nullptr; break;
    }
    if (!at) return nullptr;
    memset(at, 0, 40 * 8);
    at[0] = (barrow_word)&bytes_info;
    at[1] = (how == 3 ? 998 : 38) * 8;
    node *n = toy_node(m, *list, (node *)at, 1);
    *list = n;
  }
}

static void thrown_through(void) {
  for (int how = 0; how < 5; how++) {
    barrow_config config;
    barrow_config_init(&config);
    config.overflow = overflow;
    toy t = toy_new_with(&config, "-M8m");
    struct { barrow_frame frame; node *list; } r;
    BARROW_ENTER(t.m, r);
    barrow_frame *saved = barrow_frames_save(t.m);
    bool caught = false;
    unwound = 0;
    try {
      fill(t.m, how, &r.list);
    } catch (const std::bad_alloc &) {
      caught = true;
    }
    barrow_frames_restore(t.m, saved);
    CHECK(caught);
    CHECK_EQ(unwound, 1);
    size_t length = toy_sum(r.list);
    CHECK(length > 100);
    r.list = nullptr;
    CHECK_OK(barrow_collect(t.m, true));
    r.list = toy_list(t.m, 1000);
    CHECK_OK(barrow_collect(t.m, true));
    CHECK_EQ(toy_sum(r.list), 500500);
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

// Stacks of cost centres are restored by value where an exception lands, whatever it has passed.
static barrow_cc outer = BARROW_CC("outer", "Unwind", nullptr), inner = BARROW_CC("inner", "Unwind", nullptr);

static void throw_deep(barrow_mutator *m, int depth) {
  barrow_ccs *before = barrow_ccs_enter(m, depth % 2 ? &outer : &inner);
  toy_node(m, nullptr, nullptr, 1);
  if (depth == 0) throw depth;
  throw_deep(m, depth - 1);
  barrow_ccs_leave(m, before);
}

static void cost_centres(void) {
  toy t = toy_new("-A64k");
  barrow_ccs *const handler = barrow_ccs_current(t.m);
  uint64_t sum = 0, made = 0;
  for (int round = 0; round < 60; round++) {
    bool caught = false;
    try {
      throw_deep(t.m, round);
    } catch (int) {
      caught = true;
      barrow_ccs_leave(t.m, handler);
    }
    CHECK(caught && barrow_ccs_current(t.m) == handler);
    uint64_t before = barrow_cost_of(t.m, handler)->bytes;
    toy_node(t.m, nullptr, nullptr, 1);
    barrow_ccs_leave(t.m, handler);
    CHECK_EQ(barrow_cost_of(t.m, handler)->bytes - before, sizeof(node));
    made += (uint64_t)(round + 2) * sizeof(node);
  }
  for (uint32_t n = 0; n < barrow_ccs_count(); n++) sum += barrow_cost_of(t.m, barrow_ccs_of_number(n))->bytes;
  CHECK_EQ(sum, made);
  toy_free(t);
}

int main() {
  RUN(thrown_through);
  RUN(cost_centres);
  return DONE;
}
