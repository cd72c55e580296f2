// barrow.hpp: heaps, locals, handles, failures, with collections all the time.
#include "check.h"
#include <atomic>
#include <barrow/barrow.hpp>
#include <cstdio>
#include <cstring>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

struct node {
  barrow_word header;
  node *left, *right;
  barrow_word value;
};
static const barrow_names node_names = {"Node", "Tree", "Raii", "raii.cc"};
static barrow_info node_info = barrow::info_of<node>(2, &node_names);

static node *make(barrow_mutator *m, int depth) {
  barrow::local<node> left(m), right(m);
  if (depth > 0) {
    left = make(m, depth - 1);
    right = make(m, depth - 1);
  }
  node *n = barrow::alloc<node>(m, node_info);
  n->left = left;
  n->right = right;
  n->value = static_cast<barrow_word>(depth);
  return n;
}

static size_t count(const node *n) { return n ? 1 + count(n->left) + count(n->right) : 0; }

static void trees_survive() {
  size_t seen = 0;
  node *known = nullptr;
  barrow::heap heap("--stress=3 -DS", [&](barrow_visitor *visitor) {
    seen++;
    barrow_visit(visitor, reinterpret_cast<void **>(&known));
  });
  barrow::local<node> tree(heap, make(heap, 7));
  known = make(heap, 5);
  barrow::handle<node> kept(heap, make(heap, 6));
  barrow::handle<node> moved(std::move(kept));
  CHECK(!kept && moved);
  heap.collect();
  CHECK(count(tree) == 255 && count(known) == 63 && count(moved.get()) == 127);
  barrow::write(heap, tree, &node::left, make(heap, 2));
  node *right = tree->right;
  barrow::write(heap, tree, tree->right, right);
  heap.collect(false);
  CHECK(count(tree) == 1 + 7 + 127);
  moved.set(tree);
  CHECK(moved->value == 7);
  CHECK(seen > 10 && heap.stats().collections > 10);

  // Moved heaps keep their roots.
  barrow::heap other(std::move(heap));
  CHECK(!heap.get());
  other.collect();
  CHECK(count(known) == 63);
}

static void locals_end_with_exceptions() {
  barrow::heap heap;
  barrow::local<node> outer(heap, make(heap, 3));
  barrow_frame *top = barrow_frames_save(heap);
  try {
    barrow::local<node> inner(heap, make(heap, 3));
    throw 1;
  } catch (int) {
  }
  CHECK(barrow_frames_save(heap) == top);
  heap.collect();
  CHECK(count(outer) == 15);
}

static void failures_are_told() {
  try {
    barrow::heap heap("-Q");
    CHECK(false);
  } catch (const barrow::error &e) {
    CHECK(e.status() == BARROW_E_ARG && std::strstr(e.what(), "-Q"));
  }
  barrow::heap small("-M4m");
  try {
    barrow::local<node> list(small);
    for (;;) {
      node *n = barrow::alloc<node>(small, node_info);
      n->left = list;
      n->right = nullptr;
      n->value = 0;
      list = n;
    }
  } catch (const barrow::error &e) {
    CHECK(e.status() == BARROW_E_LIMIT && std::strlen(e.what()) > 10);
  }
  small.collect();
  small.close();
  CHECK(!small.get());
}

static void allocations_say_why() {
  barrow::heap heap;
  barrow_word *hp = nullptr, *limit = nullptr;
  barrow::check(barrow_open_nursery(heap, &hp, &limit));
  try {
    barrow::alloc<node>(heap, node_info);
    CHECK(false);
  } catch (const barrow::error &e) {
    CHECK(e.status() == BARROW_E_STATE && std::strstr(e.what(), "open"));
  }
  barrow::check(barrow_close_nursery(heap, hp));
  CHECK(barrow::alloc<node>(heap, node_info) != nullptr);
}

/* A heap that is not freed stays, with all that it needs. */
static void a_refused_close_changes_nothing() {
  size_t refused = 0;
  barrow::heap *self = nullptr;
  barrow::heap heap("", [&](barrow_visitor *) {
    try {
      self->close();
    } catch (const barrow::error &e) {
      CHECK(e.status() == BARROW_E_STATE);
      refused++;
    }
  });
  self = &heap;
  heap.collect();
  CHECK(refused > 0 && heap.get() && heap.mutator());
  if (!heap.get()) return;
  CHECK(count(make(heap, 3)) == 15);
  heap.close();
  CHECK(!heap.get() && !heap.mutator());
  heap.close();
}

static size_t calls_of_roots;
static const void *roots_of_the_heap_that_stays; /* which nobody deletes */
struct counts_calls {
  void operator()(barrow_visitor *) const {
    roots_of_the_heap_that_stays = this;
    calls_of_roots++;
  }
};

static void a_refused_end_keeps_the_roots() {
  barrow_heap *kept = nullptr;
  std::atomic<bool> is_there(false), may_go_on(false);
  std::thread other;
  {
    barrow::heap heap("--mutators=2", counts_calls());
    kept = heap.get();
    other = std::thread([&] {
      barrow_mutator *m = nullptr;
      CHECK_OK(barrow_attach(kept, &m));
      CHECK_OK(barrow_enter_foreign(m));
      is_there = true;
      while (!may_go_on) std::this_thread::yield();
      CHECK_OK(barrow_leave_foreign(m));
      CHECK_OK(barrow_collect(m, true));
      CHECK_OK(barrow_detach(m));
    });
    while (!is_there) std::this_thread::yield();
    barrow::check(barrow_enter_foreign(heap));
  }
  calls_of_roots = 0;
  may_go_on = true;
  other.join();
  CHECK(calls_of_roots > 0);
  CHECK_OK(barrow_heap_free(kept));
}

static_assert(!std::is_copy_constructible<barrow::heap>::value, "heaps are not copied");
static_assert(!std::is_copy_constructible<barrow::local<node>>::value, "locals are not copied");
static_assert(std::is_nothrow_move_constructible<barrow::handle<node>>::value, "handles move");

// A constant table lies in read-only memory, and profiles number it nevertheless.
static constexpr barrow_info constant_info = barrow::info_of<node>(2, &node_names);

static void constant_tables_work() {
  barrow::heap heap("-hd -poraii-constant");
  barrow::local<node> made(heap);
  made = barrow::alloc<node>(heap, constant_info);
  made->left = made->right = nullptr;
  made->value = 1;
  barrow::check(barrow_census(heap));
  size_t bands = 0;
  barrow::check(barrow_census_count(heap.get(), 'd', &bands));
  CHECK(bands == 1 && constant_info.id == 0);
  made = nullptr;
  std::remove("raii-constant.hp");
}

int main() {
  RUN(trees_survive);
  RUN(locals_end_with_exceptions);
  RUN(failures_are_told);
  RUN(allocations_say_why);
  RUN(a_refused_close_changes_nothing);
  RUN(a_refused_end_keeps_the_roots);
  RUN(constant_tables_work);
  return DONE;
}
