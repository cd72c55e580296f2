// barrow/barrow.hpp: C++17 over the C API. Header only; all other functions are called as in C.
//
//   barrow::heap heap("-A4m");
//   barrow::local<node> tree(heap);            // a root for as long as the variable lives
//   tree = make(heap.mutator(), 18);           // rewritten when the object moves
//   barrow::handle<node> kept(heap, tree);     // a root that may be moved about and outlive the scope
//   barrow::write(heap, tree, &node::left, make(heap.mutator(), 2));
//
// Failures are barrow::error, with the status and the library's sentence. Destructors end what they own and say
// nothing; heap.close() throws the errors at the end of a heap. Locals end in the reverse order of their making, as C++
// does by itself, exceptions included. Nothing here may be shared between threads.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef BARROW_BARROW_HPP
#define BARROW_BARROW_HPP

#include "inline.h"

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace barrow {

/// A status that is not BARROW_OK, with the library's sentence.
class error : public std::runtime_error {
public:
  error(barrow_status status, const char *sentence) : std::runtime_error(sentence), status_(status) {}
  barrow_status status() const noexcept { return status_; }

private:
  barrow_status status_;
};

inline void check(barrow_status status) {
  if (status != BARROW_OK) throw error(status, barrow_last_error());
}

/// An info table for objects of type T that begin with a header word, then `pointers` pointers, then plain words.
/// To be kept as long as any heap: `static barrow_info info = barrow::info_of<node>(2, &names);`. A constexpr one works too;
/// profiles are quicker with one that they can write a number into.
template <class T>
constexpr barrow_info info_of(std::uint32_t pointers, const barrow_names *names = nullptr, std::uint8_t kind = BARROW_CONSTR,
                              std::uint8_t flags = 0) {
  static_assert(sizeof(T) % sizeof(barrow_word) == 0 && sizeof(T) >= BARROW_MIN_OBJECT_WORDS * sizeof(barrow_word),
                "an object is at least two whole words");
  if (pointers >= sizeof(T) / sizeof(barrow_word)) throw std::invalid_argument("barrow: the type has no room for so many pointers");
  barrow_info info{};
  info.size = sizeof(barrow_info);
  info.version = BARROW_INFO_VERSION;
  info.kind = kind;
  info.flags = flags;
  info.ptrs = pointers;
  info.words = static_cast<std::uint32_t>(sizeof(T) / sizeof(barrow_word)) - 1 - pointers;
  info.names = names;
  return info;
}

/// A heap and the mutator that came with it.
class heap {
public:
  /// Names roots in each collection; must not throw.
  using roots_function = std::function<void(barrow_visitor *)>;

  explicit heap(const std::string &flags = "", roots_function roots = nullptr) {
    barrow_config config;
    barrow_config_init(&config);
    config.flags = flags.c_str();
    open(config, std::move(roots));
  }
  /// With a configuration of one's own; its `roots` and `client` stay as they are unless `roots` is given here.
  explicit heap(barrow_config config, roots_function roots = nullptr) { open(config, std::move(roots)); }
  heap(const heap &) = delete;
  heap &operator=(const heap &) = delete;
  heap(heap &&other) noexcept
      : heap_(std::exchange(other.heap_, nullptr)), mutator_(std::exchange(other.mutator_, nullptr)), roots_(other.roots_) {
    other.roots_ = nullptr;
  }
  /// A heap whose freeing is refused lives on, with its roots.
  ~heap() {
    if (!heap_ || frees(barrow_heap_free(heap_))) delete roots_;
  }

  /// Frees the heap now, and throws its error, if any. A refusal, BARROW_E_STATE, leaves the heap as it was.
  void close() {
    if (!heap_) return;
    const barrow_status status = barrow_heap_free(heap_);
    if (frees(status)) {
      heap_ = nullptr;
      mutator_ = nullptr;
    }
    check(status);
  }

  barrow_heap *get() const noexcept { return heap_; }
  barrow_mutator *mutator() const noexcept { return mutator_; }
  operator barrow_mutator *() const noexcept { return mutator_; }

  void collect(bool major = true) { check(barrow_collect(mutator_, major)); }
  barrow_stats_t stats() const {
    barrow_stats_t out{};
    out.size = sizeof out;
    check(barrow_stats(heap_, &out));
    return out;
  }

private:
  /// Whether a heap is gone for which barrow_heap_free has given this.
  static bool frees(barrow_status status) noexcept { return status != BARROW_E_STATE && status != BARROW_E_ARG; }

  static void call_roots(void *client, barrow_visitor *visitor) { (*static_cast<roots_function *>(client))(visitor); }

  void open(barrow_config &config, roots_function roots) {
    if (roots) {
      roots_ = new roots_function(std::move(roots)); // its address stays when the heap is moved
      config.roots = call_roots;
      config.client = roots_;
    }
    const barrow_status status = barrow_heap_new(&config, &heap_, &mutator_);
    if (status != BARROW_OK) {
      delete std::exchange(roots_, nullptr);
      throw error(status, barrow_last_error());
    }
  }

  barrow_heap *heap_ = nullptr;
  barrow_mutator *mutator_ = nullptr;
  roots_function *roots_ = nullptr;
};

/// A root on the shadow stack for as long as the variable lives. Not to be made with new.
template <class T> class local {
public:
  explicit local(barrow_mutator *m, T *object = nullptr) : mutator_(m) {
    roots_.object = object;
    BARROW_PUSH(m, roots_);
  }
  ~local() { BARROW_LEAVE(mutator_, roots_); }
  local(const local &) = delete;
  void *operator new(std::size_t) = delete;
  local &operator=(const local &other) noexcept { return *this = other.get(); }
  local &operator=(T *object) noexcept {
    roots_.object = object;
    return *this;
  }
  T *get() const noexcept { return roots_.object; }
  operator T *() const noexcept { return roots_.object; }
  T *operator->() const noexcept { return roots_.object; }
  T &operator*() const noexcept { return *roots_.object; }

private:
  barrow_mutator *mutator_;
  struct {
    barrow_frame frame;
    T *object;
  } roots_;
};

/// A root that may be moved about and kept anywhere while its heap lives.
template <class T> class handle {
public:
  handle() noexcept = default;
  explicit handle(barrow_mutator *m, T *object) : mutator_(m) { check(barrow_handle_new(m, object, &handle_)); }
  handle(handle &&other) noexcept : mutator_(other.mutator_), handle_(std::exchange(other.handle_, nullptr)) {}
  handle &operator=(handle &&other) noexcept {
    std::swap(mutator_, other.mutator_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~handle() {
    if (handle_) barrow_handle_free(mutator_, handle_);
  }
  void set(T *object) { check(barrow_handle_set(mutator_, handle_, object)); }
  T *get() const noexcept { return handle_ ? static_cast<T *>(barrow_handle_get(handle_)) : nullptr; }
  T *operator->() const noexcept { return get(); }
  explicit operator bool() const noexcept { return get() != nullptr; }

private:
  barrow_mutator *mutator_ = nullptr;
  barrow_handle *handle_ = nullptr;
};

/// Room for a T with its header set; the other words have to be filled before the next allocation. May collect.
template <class T> T *alloc(barrow_mutator *m, const barrow_info &info) {
  barrow_word *at = barrow_alloc(m, sizeof(T) / sizeof(barrow_word));
  if (!at) throw error(barrow_last_status(), barrow_last_error());
  barrow_set_header(at, &info);
  return reinterpret_cast<T *>(at);
}

/// Stores a pointer into a field of an object that may be old.
template <class Owner, class T> void write(barrow_mutator *m, Owner *owner, T *&field, T *value) noexcept {
  field = value;
  barrow_barrier(m, owner, &field, value);
}
template <class Owner, class T> void write(barrow_mutator *m, const local<Owner> &owner, T *&field, T *value) noexcept {
  write(m, owner.get(), field, value);
}

/// Stores with the field as a member, `&node::left`. The owner is looked up after all arguments are there, so the value
/// may be made in the call: with `tree->left` for the field, which a compiler may look up first, it may not.
template <class Owner, class T>
void write(barrow_mutator *m, const local<Owner> &owner, T *Owner::*field, T *value) noexcept {
  write(m, owner.get(), owner.get()->*field, value);
}

} // namespace barrow

#endif
