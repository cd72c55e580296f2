/* barrow.h: the C interface of Barrow, a generational heap with profilers.
 *
 * This is enough for a collected heap (with 17 lines of C; barrow/inline.h includes this file):
 *
 *   #include <barrow/inline.h>
 *   static barrow_info pair = BARROW_INFO(BARROW_CONSTR, 0, 1, 1, "Pair");
 *   int main(void) {
 *     barrow_config config;
 *     barrow_heap *heap;
 *     barrow_mutator *m;
 *     struct { barrow_frame frame; barrow_word *list; } r;
 *     barrow_config_init(&config);
 *     if (barrow_heap_new(&config, &heap, &m)) return 1;
 *     BARROW_ENTER(m, r);
 *     for (int i = 0; i < 10000000; i++) {
 *       barrow_word *p = barrow_alloc(m, 3);
 *       p[0] = (barrow_word)&pair, p[1] = i % 1000 ? (barrow_word)r.list : 0, p[2] = (barrow_word)i, r.list = p;
 *     }
 *     BARROW_LEAVE(m, r);
 *     return barrow_heap_free(heap);
 *   }
 *
 * In the order in which one meets things:
 *
 *    1. Versions, statuses and sentences
 *    2. Heaps
 *    3. Flags
 *    4. Objects
 *    5. Allocation
 *    6. Roots
 *    7. Roots of compiled code, by LLVM's stack maps
 *    8. Stores into old objects
 *    9. Collecting
 *   10. Weak pointers, weak arrays, stable names
 *   11. Lazy evaluation
 *   12. Static objects and CAFs
 *   13. Stacks and threads in the heap
 *   14. Statistics
 *   15. Finding mistakes
 *   16. The heap's own parts
 *   17. Heap profiles
 *   18. Retainers
 *   19. Biographies
 *   20. Cost centres
 *   21. Time and allocation by cost centre
 *   22. Space and time by function
 *   23. Ticky counters
 *   24. Coverage
 *
 * Everything that begins with barrow_ or BARROW_ is ours. Functions return a barrow_status unless they say otherwise, and
 * barrow_last_error() has a sentence for the last one that was not BARROW_OK. Objects are addresses of their first word, and
 * sizes of objects are in words of 8 bytes, with the header. A thread calls with its own mutator. A struct that begins with its
 * size tells the library which fields the caller knows; one whose name ends with _t is filled by the function of that name
 * without it. The client's structs are plain data, which its threads share as they do their other data, unless their words say
 * otherwise. The library is loaded once and never unloaded.
 *
 * The fast paths that compiled code contains are in barrow/inline.h, a C++ interface in barrow/barrow.hpp, the names of the Glasgow
 * runtime in barrow/stg.h, the declarations for readers without a preprocessor in barrow/barrow.cdef. docs/embedding.md goes
 * from the first program to a compiler's runtime.
 *
 * Generated from the library's own declarations; do not edit.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef BARROW_H
#define BARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compilers that can warn when a result is dropped that has to be looked at. */
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_MUST_USE_ __attribute__((warn_unused_result))
#else
#define BARROW_MUST_USE_
#endif

/* Compilers that can warn when a heap or mutator, the first argument, is NULL. The library refuses that with a sentence; a compiler
 * that optimises would take from these words that it cannot be, and leave out the caller's own tests: so without that alone. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE__)
#define BARROW_NOT_NULL_ __attribute__((nonnull(1)))
#else
#define BARROW_NOT_NULL_
#endif

/* Each is described in its section. */
struct barrow_bdescr;
struct barrow_bitmap;
struct barrow_box;
struct barrow_cc;
struct barrow_ccs;
struct barrow_census_band_t;
struct barrow_census_totals_t;
struct barrow_config;
struct barrow_cost;
struct barrow_cost_row;
struct barrow_coverage_module;
struct barrow_coverage_options;
struct barrow_custom;
struct barrow_entry_count;
struct barrow_event;
struct barrow_frame;
struct barrow_generation_state_t;
struct barrow_geometry;
struct barrow_handle;
struct barrow_heap_state_t;
struct barrow_held;
struct barrow_info;
struct barrow_mix_options;
struct barrow_moved;
struct barrow_names;
struct barrow_retainer_scheme;
struct barrow_retainer_set_t;
struct barrow_saved_stack;
struct barrow_space_function_t;
struct barrow_space_kind_t;
struct barrow_space_options;
struct barrow_space_totals_t;
struct barrow_srt;
struct barrow_stack;
struct barrow_stats_t;
struct barrow_step_state_t;
struct barrow_ticky;
struct barrow_ticky_function;
struct barrow_ticky_row_t;
struct barrow_weak;
struct barrow_window;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Versions, statuses and sentences -------------------------------------------------------------------- */

/* Everything that can fail gives a status, or NULL; the sentence for it is the thread's last error. */

/**
 * The major version of the ABI that this header is of; a library of another one is refused.
 */
#define BARROW_ABI_MAJOR 0

/**
 * Counts additions to the ABI.
 */
#define BARROW_ABI_MINOR 1

/**
 * The outcome of a call. `barrow_last_error()` has the sentence for one that is not `BARROW_OK`, for the thread
 * that called.
 */
typedef enum barrow_status {
  /** The call has succeeded. */
  BARROW_OK = 0,
  /** The system refused memory. The heap is as it was. */
  BARROW_E_NOMEM = 1,
  /** The heap would exceed its own limit (`-M`). The heap is as it was. */
  BARROW_E_LIMIT = 2,
  /** An argument is wrong: null, out of range, a bad flag, an info table with an impossible layout. */
  BARROW_E_ARG = 3,
  /**
   * The call is not possible now: the heap is dead, the thread is the wrong one, a collection is
   * running.
   */
  BARROW_E_STATE = 4,
  /** The client was compiled for another version of the library. */
  BARROW_E_ABI = 5,
  /** A file could not be read or written. */
  BARROW_E_IO = 6,
  /** The heap is damaged: `barrow_check` says where. */
  BARROW_E_DAMAGED = 7,
  /** A stack would exceed its limit (`-K`): the recursion is too deep. The stack is as it was, and the heap has room. */
  BARROW_E_STACK = 8,
  /**
   * A blackhole would be waited for by the mutator that evaluates it, itself or through others that wait: a
   * computation needs its own result. The heap is as it was.
   */
  BARROW_E_LOOP = 9,
} barrow_status;

/**
 * The last failure on this thread, as a sentence; empty when there was none. The library owns it; it stays until the next failure on
 * this thread.
 *
 * Threads: any, several at the same time.
 */
const char *barrow_last_error(void);

/**
 * The code of the failure that `barrow_last_error` tells of, for calls that return something else: BARROW_OK when there was
 * none.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_last_status(void);

/**
 * The name of a status, such as "BARROW_E_LIMIT": a constant.
 *
 * Threads: any, several at the same time.
 */
const char *barrow_status_name(uint32_t status);

/**
 * The library's version as text, such as "0.1.0".
 *
 * Threads: any, several at the same time.
 */
const char *barrow_version(void);

/**
 * The major version of the ABI that this library has; the minor one through `minor`, unless that is NULL.
 *
 * The caller guarantees:
 * `minor` is NULL or writable.
 *
 * Threads: any, several at the same time.
 */
uint32_t barrow_abi_version(uint32_t *minor);

/**
 * Every function by its name, for programs that load the library: barrow/table.h has its members. The library's
 * own, for as long as it is loaded; all threads may read it.
 */
typedef struct barrow_functions barrow_functions;

/**
 * The function table, for a caller that was compiled for this major version and knows a table of `size` bytes; NULL,
 * and a sentence in `barrow_last_error`, when the library has another major version or fewer functions. The one name
 * that a program which loads the library has to look up; barrow/table.h has the struct.
 *
 * Threads: any, several at the same time.
 */
const struct barrow_functions *barrow_function_table(uint32_t abi_major,
                                                     uint32_t size);

/* ---- 2. Heaps ----------------------------------------------------------------------------------------------- */

/* A heap is made from a configuration and has one mutator for the thread that works in it, or with the flag --mutators one for
 * each of several threads (docs/threads.md). Several heaps may live in a process:
 * an object of one means nothing to another. */

/**
 * A heap with its profilers. The client owns it, from `barrow_heap_new` to `barrow_heap_free`; threads share it
 * through mutators of their own. It outlives its mutators and everything in it.
 */
typedef struct barrow_heap barrow_heap;

/**
 * A thread of the client in a heap; its first part is a `barrow_window`. The heap owns it, `barrow_detach` or
 * `barrow_heap_free` ends it, and only the thread that it was made for uses it.
 */
typedef struct barrow_mutator barrow_mutator;

/**
 * Receives roots and fields. The library owns it; it is good inside the callback that it was given to, on that
 * thread.
 */
typedef struct barrow_visitor barrow_visitor;

/**
 * Tells a `shortcut` function where objects are. The library owns it; it is good inside that function, on that
 * thread.
 */
typedef struct barrow_resolver barrow_resolver;

/**
 * Sizes that are compiled into clients, with the inline functions. `barrow_config_init` fills in those of the client,
 * `barrow_config_default` those of the library; a heap is refused to a client that was compiled for others. The client's, as a
 * part of its configuration.
 */
typedef struct barrow_geometry {
  /** Bytes in a block, the unit in which the heap gives memory to its parts: `BARROW_BLOCK_BYTES`. */
  uint32_t block_bytes;
  /** Bytes in a megablock, which is aligned to its size: `BARROW_MEGABLOCK_BYTES`. */
  uint32_t megablock_bytes;
  /** Bytes of the description of a block, `barrow_bdescr`: `BARROW_DESCRIPTOR_BYTES`. */
  uint32_t descriptor_bytes;
  /** Words of the largest object that is allocated in line: `BARROW_MAX_INLINE_WORDS`. */
  uint32_t max_inline_words;
  /** Words that one reservation may have: `BARROW_MAX_RESERVE_WORDS`. */
  uint32_t max_reserve_words;
  /** Elements of an array that share one mark of the write barrier: `BARROW_CARD_ELEMENTS`. */
  uint32_t card_elements;
} barrow_geometry;

/**
 * The two moments that the event hook is told of.
 */
typedef enum barrow_event_kind {
  /** A collection is about to run. */
  BARROW_EVENT_COLLECTION_BEGINS = 1,
  /** A collection has run. */
  BARROW_EVENT_COLLECTION_ENDS = 2,
} barrow_event_kind;

/**
 * An event, for the event hook, which must not call into the heap. The library's; it is good until the hook
 * returns.
 */
typedef struct barrow_event {
  /** `sizeof(barrow_event)` of the library. */
  uint32_t size;
  /** A `barrow_event_kind`. */
  enum barrow_event_kind kind;
  /** Number of collections so far, this one included. */
  uint64_t collection;
  /** The oldest generation that is collected. */
  uint32_t generation;
  /** 1 when all generations are collected. */
  uint32_t major;
  /** End of a collection: bytes that it copied. */
  uint64_t copied_bytes;
  /** End of a collection: live bytes in all generations afterwards. */
  uint64_t live_bytes;
  /** At the end of a collection: time for which the mutator was stopped, in nanoseconds. */
  uint64_t pause_ns;
  /** The time for which this collection waited until the other mutators stood, in nanoseconds; 0 with one mutator. */
  uint64_t stop_ns;
  /** Mutators that are attached, this one included. */
  uint64_t mutators;
  /** The number of the thread that collects, as `--slow-stop` tells it. It calls the hook. */
  uint64_t thread;
} barrow_event;

/**
 * The properties of a heap. `barrow_config_init` (barrow/inline.h) fills in the sizes and versions of the caller,
 * and `barrow_config_default` does so for callers that do not compile C; everything else may stay zero.
 *
 * The client's: `barrow_heap_new` reads it, copies what it needs, and keeps no address of it or of its flags. The
 * callbacks and the data behind `client` outlive the heap.
 */
typedef struct barrow_config {
  /** `sizeof(barrow_config)` as the caller knows it. */
  uint32_t size;
  /** `BARROW_ABI_MAJOR` as the caller knows it. */
  uint32_t abi_major;
  /** The sizes that the caller was compiled for. */
  struct barrow_geometry geometry;
  /** Flags such as "-A4m -G3 -M2g"; NULL for none. `barrow_flags_help` lists them. */
  const char *flags;
  /** The tag rule: a word w is a pointer when bit w & 15 of this table is set. 0: no tagged words. */
  uint16_t tagged_pointers;
  /** Objects lie at multiples of 8 or 16; 0 is 8. */
  uint16_t object_alignment;
  /**
   * Not 0: the flags in the environment's `BARROW_FLAGS` come behind `flags`, as `barrow run` sets them. They are not read in a
   * program that has more rights than whoever started it (setuid, setgid, capabilities of its file).
   */
  uint32_t environment;
  /** The address in a tagged pointer w is (w & address_mask) + address_offset. 0 without tagged words. */
  size_t address_mask;
  /** The offset in the same sum. */
  size_t address_offset;
  /**
   * Called in each collection, in some several times, and by checks, snapshots and samples of retainers: calls `barrow_visit`
   * and its like for the client's roots, the same each time, and returns: a jump out of it leaves a heap that cannot be used
   * any more. Called by the thread that collects, while others stand. A place that is no local variable of the function stays
   * until the collection has ended.
   */
  void (*roots)(void *client, struct barrow_visitor *visitor);
  /**
   * Called with the bytes that are needed when there is no memory for them: true to try again. It may leave by longjmp or throw.
   * The hook may collect, or wait in foreign code: objects move then in every call that allocates, also in one that never collects
   * itself. Every live reference is in a root then; the call finds its own arguments.
   * Called by the thread that allocates; several threads may be in it at the same time.
   */
  bool (*overflow)(void *client, struct barrow_mutator *mutator, size_t bytes);
  /**
   * Called at the end of a collection that has queued finalizers, by the thread that collects. It takes note, and calls nothing of
   * this heap.
   */
  void (*finalizers_ready)(void *client);
  /** Called with a sentence before the process is aborted, when the heap was found to be inconsistent, by the thread that found it. */
  void (*fatal)(void *client, const char *sentence);
  /** Called when a collection begins and ends, by the thread that collects. */
  void (*event)(void *client, const struct barrow_event *event);
  /** Handed to every callback. */
  void *client;
  /** NULL, or the client's word on retainers, as `barrow_retainers_by` takes it: for `-hr` among the flags. Copied. */
  const struct barrow_retainer_scheme *retainers;
} barrow_config;

/**
 * Fills `size` bytes of a configuration with this library's version and sizes, and zero for everything else: for programs
 * that load the library and contain none of its inline functions. C programs call `barrow_config_init`, which has the
 * versions and sizes that they were compiled for.
 *
 * The caller guarantees:
 * `config` is NULL or has `size` writable bytes, `sizeof(barrow_config)` as the caller knows it.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_config_default(struct barrow_config *config,
                                         size_t size);

/**
 * Makes a heap, and a mutator for the calling thread.
 *
 * A heap is freed with `barrow_heap_free`. With the flag `--mutators=<n>` threads share it, through mutators of their own
 * (docs/threads.md). The info tables of its
 * objects outlive it. `out_mutator` may be NULL; `barrow_attach` makes one then.
 *
 * The caller guarantees:
 * `config` is NULL or points to a configuration; the out-pointers are NULL or writable.
 *
 * Threads: any, several at the same time.
 */
BARROW_MUST_USE_ enum barrow_status barrow_heap_new(const struct barrow_config *config,
                                   struct barrow_heap **out_heap,
                                   struct barrow_mutator **out_mutator);

/**
 * Frees a heap, its mutators and all its memory. The functions of all weak pointers that are left are called first,
 * with `mutator` NULL: they may read key and value, and not use the heap; finalizers that are objects are not run.
 * Reports that its flags asked for are written; a report that cannot be written is told of on the standard error
 * stream, and the first of these gives the code and the sentence; the heap is gone then as well. `BARROW_E_STATE` and `BARROW_E_ARG`
 * are refusals, as while other threads have mutators in a heap that takes several, and leave it as it was. In a heap that takes
 * one nothing is asked: the thread of its mutator calls this, or has ended, or leaves the heap to the caller.
 *
 * The caller guarantees:
 * `heap` was given by `barrow_heap_new`. Nothing in it is used afterwards.
 *
 * Threads: any, outside callbacks, while no other thread has a mutator of the heap.
 */
enum barrow_status barrow_heap_free(struct barrow_heap *heap);

/**
 * Makes a mutator for the calling thread, from any thread and at any time but in a callback: one to a thread, and as many
 * to a heap as `--mutators=<n>` says, which is one without it; one more is refused. It waits for a collection that runs, so a thread
 * with a mutator in another such heap leaves that for foreign code before.
 * A thread that ends without `barrow_detach` is detached then, in a heap that takes several mutators.
 *
 * The caller guarantees:
 * `heap` was given by `barrow_heap_new` or `barrow_default_heap`; `out_mutator` is NULL or writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_MUST_USE_ enum barrow_status barrow_attach(struct barrow_heap *heap,
                                 struct barrow_mutator **out_mutator);

/**
 * Ends a mutator. Objects that it made and others hold stay: a heap with one mutator collects, one that takes several
 * does not. The stack that it runs on has its top written to it; `BARROW_E_ARG` when the window's `sp` is not in that. `BARROW_E_IO` tells
 * that the report of `--space`, which the last mutator leaves, could not be written: the mutator has gone. With any other code it stays,
 * and a collection may have run.
 *
 * The caller guarantees:
 * `mutator` was given by `barrow_heap_new`, `barrow_attach` or `barrow_default_mutator`, and is not used afterwards. A reference that
 * is needed when it stays is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
enum barrow_status barrow_detach(struct barrow_mutator *mutator);

/**
 * The heap of a mutator, or NULL.
 *
 * The caller guarantees:
 * `mutator` is NULL, or was given by `barrow_heap_new`, `barrow_attach` or `barrow_default_mutator` and has not ended.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
struct barrow_heap *barrow_heap_of(struct barrow_mutator *mutator);

/**
 * Says that the thread leaves for foreign code, which touches no object. Others may collect meanwhile. In a heap that takes
 * several mutators, whoever may wait for long, for another thread above all, leaves first: a collection waits for all who
 * have not. Calls nest; in between, the mutator is not used.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_enter_foreign(struct barrow_mutator *mutator);

/**
 * Says that the thread is back. A collection that runs is waited for. BARROW_E_STATE when it was not away.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_leave_foreign(struct barrow_mutator *mutator);

/**
 * Sets the flags of the default heap, which takes one mutator: `--mutators` is refused. Refused when that heap exists already.
 *
 * The caller guarantees:
 * `flags` is NULL or a string.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_default_flags(const char *flags);

/**
 * The default heap, made now if it was not asked for before. NULL when it cannot be made. It is never freed.
 *
 * Threads: any, several at the same time.
 */
BARROW_MUST_USE_ struct barrow_heap *barrow_default_heap(void);

/**
 * The mutator of the default heap, made now if it has none: the calling thread's until `barrow_detach`. NULL when another
 * thread has it. May be asked for inside callbacks.
 *
 * Threads: any, several at the same time.
 */
BARROW_MUST_USE_ struct barrow_mutator *barrow_default_mutator(void);

/**
 * Before `fork`: waits until no other thread is in the middle of what the heaps of a process have in common, and keeps others
 * from that until `barrow_fork_parent` or `barrow_fork_child` is called by the same thread, which calls nothing else of the
 * library in between. Other threads go on in heaps that are there, until a call makes or frees a heap, attaches or detaches, gets more
 * memory with `--source=chunks`, checks with `-DS`, or names something for a profile.
 * `pthread_atfork(barrow_fork_prepare, barrow_fork_parent, barrow_fork_child)` does all three.
 *
 * Threads: the one that forks. Several that fork at the same time take turns.
 */
void barrow_fork_prepare(void);

/**
 * After `fork`, in the parent, and when it failed.
 *
 * Threads: the one that forks. Several that fork at the same time take turns.
 */
void barrow_fork_parent(void);

/**
 * After `fork`, in the child. A heap goes on as before, with all that is in it, when no other thread had a mutator in it or was in
 * a call of it. Any other heap is dead, also where the thread that forked has a mutator in it: its calls are refused, and
 * allocations give NULL. Output into files is the parent's: profiles have ended without a further word, and statistics, reports
 * and coverage that were not written yet are not written here. Profiles that the child starts have the number of its process in
 * their names. Ticks of the time profile go on.
 *
 * A child that calls `exec`, `_exit` or `exit` and nothing of the library in between needs none of the three.
 *
 * Threads: the one that forks. Several that fork at the same time take turns.
 */
void barrow_fork_child(void);

/* ---- 3. Flags ----------------------------------------------------------------------------------------------- */

/* Written as `+RTS -A4m -hc` on a command line, or as one line in the configuration; docs/flags.md has them all. */

/**
 * Takes the flags between `+RTS` and `-RTS` (or the end) out of a program's arguments, and writes them into
 * `flags` as one line. `--RTS` ends the search. Nothing is changed when it fails.
 *
 * The caller guarantees:
 * `argc` and `argv` are those of `main`; `flags` has `bytes` bytes.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_take_flags(int32_t *argc, char **argv, char *flags, size_t bytes);

/**
 * Writes the value in force of a flag, such as "-A", as text that ends with NUL. Text that does not fit is cut.
 *
 * The caller guarantees:
 * `heap` is live; `flag` is a string; `buffer` has `bytes` bytes.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_flag_value(struct barrow_heap *heap,
                                     const char *flag,
                                     char *buffer,
                                     size_t bytes);

/**
 * All flags, one to a line, with their defaults and effects.
 *
 * Threads: any, several at the same time.
 */
const char *barrow_flags_help(void);

/* ---- 4. Objects --------------------------------------------------------------------------------------------- */

/* An object begins with a header, the address of its info table, which is the client's static data and says which of the words
 * are pointers. `BARROW_INFO` in barrow/inline.h fills a table. */

/**
 * The version of the info table's layout that this library reads.
 */
#define BARROW_INFO_VERSION 1

/**
 * The kind of an object, which says how it is laid out: word 0 of every object is its header, and words are
 * counted after it here. Numbers are part of the ABI.
 */
typedef enum barrow_kind {
  /**
   * `ptrs` pointers, then `words` plain words. An object has 2 words at least: one without fields has a word more. The pointers may
   * change, by the write barrier; where they often do, `BARROW_FLAG_MUTABLE` says so.
   */
  BARROW_CONSTR = 1,
  /** `ptrs` pointers, then `words` plain words; its pointers change. */
  BARROW_MUT_VAR = 2,
  /** `ptrs + words` words; bit i of `bitmap` is set when word i after the header is a pointer. At most 64. */
  BARROW_BITMAP = 3,
  /** `ptrs + words` words, of any number; the bits of `large` say which are pointers. */
  BARROW_BITMAP_LARGE = 4,
  /** `ptrs` tagged words, then `words` plain words. The heap's tag table says which are pointers. */
  BARROW_TAGGED = 5,
  /**
   * `ptrs` pointers, then `words` plain words, of which word `field` (0 is the first after the header) is a
   * length, then that many words: plain, or pointers or tagged words as the flags say.
   */
  BARROW_SIZED = 8,
  /** A length, that many pointers, and cards (`barrow_array_words`). */
  BARROW_ARRAY = 9,
  /** An array whose elements do not change any more. */
  BARROW_ARRAY_FROZEN = 10,
  /** A length, then that many structs of `words` words; bit i of `bitmap` says that word i of each is a pointer. */
  BARROW_STRUCTS = 11,
  /** A length in bytes, then the bytes. */
  BARROW_BYTES = 12,
  /** An object whose size and pointers are told by functions of the client. */
  BARROW_CUSTOM = 13,
  /**
   * A weak array: a length, a word for the collector, which is 0 when the array is made, then that many pointers, or
   * tagged words with `BARROW_FLAG_TAIL_TAGGED`. Elements keep nothing in the heap alive: when the object of one has
   * died, it becomes NULL. Never changes its kind (barrow/inline.h: `barrow_weak_array_words` and its like).
   */
  BARROW_WEAK_ARRAY = 14,
  /**
   * A suspended computation: a word that the collector does not read, kept for the result, then `ptrs` pointers
   * and `words` plain words. `barrow_update` makes it an indirection.
   */
  BARROW_THUNK = 32,
  /**
   * A thunk that takes a field out of a constructor: a word kept for the result, then the one pointer, to the future
   * constructor. `field` says which word after the constructor's header it is; that must be a pointer. `ptrs` is 1.
   * A collection that finds the constructor evaluated replaces the selector by the field. Of a constructor that has
   * no such field nothing is read: `BARROW_E_DAMAGED` with `-DS`, otherwise the selector stays.
   */
  BARROW_SELECTOR = 33,
  /**
   * An indirection: the value is its one pointer. Collections replace pointers to it by the value; with several mutators not by
   * one that is a thunk, which an update that comes late would overwrite.
   */
  BARROW_IND = 34,
  /** An indirection that collections keep. */
  BARROW_IND_PERM = 35,
  /** An indirection that was made of an object in an old generation. */
  BARROW_IND_OLDGEN = 36,
  /** An indirection in an old generation that collections keep. */
  BARROW_IND_OLDGEN_PERM = 37,
  /**
   * A thunk under evaluation. Its one pointer is the client's own, such as a queue of waiters; null at first. Where `barrow_claim`
   * made it, the word is no pointer: it says whose claim it is, and is the library's.
   */
  BARROW_BLACKHOLE = 38,
  /**
   * The target of an entered CAF while it is evaluated. Its one pointer is the client's own; null at first.
   */
  BARROW_CAF_BLACKHOLE = 39,
  /**
   * A function: `ptrs` pointers, then `words` plain words. `field` is its arity; bit i of `bitmap` is set when
   * argument i is a pointer. With more than 64 arguments the bits are in `large`.
   */
  BARROW_FUN = 40,
  /**
   * A partial application: its number of arguments, a pointer to the function, and the arguments, of which the
   * function's table says which are pointers.
   */
  BARROW_PAP = 41,
  /**
   * A suspended application: a word kept for the result, how many arguments it has, a pointer to the function, and
   * the arguments, of which the function's table says which are pointers.
   */
  BARROW_AP = 42,
  /** A constructor in the client's data: `ptrs` pointers, `words` plain words, and a word for the collector. */
  BARROW_CONSTR_STATIC = 43,
  /**
   * A function in the client's data: `ptrs` pointers, `words` plain words, and a word for the collector. `field`
   * is its arity; bit i of `bitmap` (or of `large`, for more than 64) is set when argument i is a pointer.
   */
  BARROW_FUN_STATIC = 44,
  /**
   * A CAF: a top-level value that was not asked for yet. A word for the value, one for the collector, and one that
   * saves its table; all are 0. `barrow_new_caf` makes it a `BARROW_IND_STATIC`.
   */
  BARROW_THUNK_STATIC = 45,
  /** A CAF that was entered: its value, a word for the collector, and the table that it had. */
  BARROW_IND_STATIC = 46,
  /**
   * A constructor in the client's data from which no object in the heap can ever be reached: nothing in it is
   * followed, and it has no word for the collector.
   */
  BARROW_CONSTR_NOCAF_STATIC = 47,
  /** A weak pointer: key, value and finalizer. Only `barrow_weak_new` makes them. */
  BARROW_WEAK = 48,
  /** A stack, or a chunk of one, with frames. Only `barrow_stack_new` and `barrow_stack_grow` make them. */
  BARROW_STACK = 49,
  /** A thread: `ptrs` pointers, of which the first is its stack, then `words` plain words. It is mutable. */
  BARROW_THREAD = 50,
  /** A number that stands for an object, which `barrow_stable_name` gives. */
  BARROW_STABLE_NAME = 51,
  /**
   * A frame in a stack: `ptrs + words` words; bit i of `bitmap` (or of `large`, for more than 64) is set when word i
   * after the header is a pointer. A bit beyond the words is an error of `barrow_info_check`, of `barrow_stack_check` and,
   * with `-DS`, of every collection; otherwise it is undefined behaviour.
   */
  BARROW_RETURN_FRAME = 52,
  /** A frame in a stack: the object to be updated, `ptrs - 1` more pointers, `words` plain words. */
  BARROW_UPDATE_FRAME = 53,
  /** A frame in a stack: the handler, `ptrs - 1` more pointers, `words` plain words. */
  BARROW_CATCH_FRAME = 54,
  /** The last frame of a stack, or of a chunk: the next chunk or NULL, `ptrs - 1` more pointers, `words` plain words. */
  BARROW_STOP_FRAME = 55,
} barrow_kind;

/**
 * Stores into such an object are expected after it was made. They need the write barrier with this flag and
 * without it; the flag makes the collector keep what the object points to from early promotion.
 * `BARROW_MUT_VAR`, `BARROW_ARRAY` and `BARROW_WEAK_ARRAY` are so without it.
 */
#define BARROW_FLAG_MUTABLE 1

/**
 * `custom->moved` is called after a copy of the object was made.
 */
#define BARROW_FLAG_NOTIFY_MOVED 2

/**
 * `BARROW_SIZED`: the words behind the fixed part are pointers.
 */
#define BARROW_FLAG_TAIL_POINTERS 4

/**
 * `BARROW_SIZED`, `BARROW_ARRAY`, `BARROW_WEAK_ARRAY`: the words behind the fixed part, or the elements, are tagged
 * words.
 */
#define BARROW_FLAG_TAIL_TAGGED 8

/**
 * `custom->shortcut` is asked for an equivalent of the object before it is copied.
 */
#define BARROW_FLAG_SHORTCUT 16

/**
 * Nobody records uses of such objects, so a biography counts them as inherently used. Variables, arrays of pointers and
 * bytes are so without it.
 */
#define BARROW_FLAG_INHERENTLY_USED 32

/**
 * Such objects are retainers, whatever their kind.
 */
#define BARROW_FLAG_RETAINER 64

/**
 * The bits of a layout of more than 64 words. The client's constant data, which lives as long as the info table
 * that names it.
 */
typedef struct barrow_bitmap {
  /** `sizeof(barrow_bitmap)`, as the caller knows it. */
  uint32_t size;
  /** Words described; the bits follow in `bits`, 64 to a word, lowest first. */
  uint32_t words;
  /** The bits: bit i is set when word i is a pointer. */
  const size_t *bits;
} barrow_bitmap;

/**
 * The functions of a `BARROW_CUSTOM` kind, which must not allocate, collect or change the heap. The client's
 * constant data, which lives as long as the info table that names it. The thread that collects calls them, while
 * others stand; `object_words` is called outside of collections too, by any thread in a call that asks how large
 * an object is (`barrow_object_words`, `barrow_become`, `barrow_shrink`, `barrow_retainer_of`, samples,
 * biographies), while others run.
 */
typedef struct barrow_custom {
  /** `sizeof(barrow_custom)`, as the caller knows it. */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /** Words of the object, its header included; at least 2, and the same until the object changes. */
  size_t (*object_words)(const void *object);
  /** Calls `barrow_visit` or `barrow_visit_word` for each field that may hold a pointer, always the same ones. */
  void (*visit)(void *object, struct barrow_visitor *visitor);
  /**
   * Called after a copy was made, with `BARROW_FLAG_NOTIFY_MOVED`. `from` is where it was; only its address means
   * anything.
   */
  void (*moved)(const void *from, void *to);
  /**
   * Gives, with `BARROW_FLAG_SHORTCUT`, an object that this one may be replaced by in all pointers to it, or NULL
   * for none. Pointers in the object may lead to where things were: `barrow_resolve` tells where one leads now.
   */
  void *(*shortcut)(const void *object, struct barrow_resolver *resolver);
} barrow_custom;

/**
 * A static reference table: the statics that some code can reach. The client's constant data, which lives as
 * long as the info table that names it.
 */
typedef struct barrow_srt {
  /** `sizeof(barrow_srt)`, as the caller knows it. */
  uint32_t size;
  /** How many statics there are. */
  uint32_t count;
  /** The addresses of the static objects. */
  void *const *statics;
} barrow_srt;

/**
 * The names by which profiles and messages call an object. Any may be NULL. Files and messages cut a name of
 * more than 1000 bytes, and show as escapes the characters that a terminal would obey (docs/formats-files.md).
 * The client's constant data, which lives as long as the info table that names it.
 */
typedef struct barrow_names {
  /** The constructor, as "Cons": heap profiles by description (`-hd`). */
  const char *description;
  /** The type, as "List": heap profiles by type (`-hy`). */
  const char *type_name;
  /** The module that defines it: heap profiles by module (`-hm`). */
  const char *module;
  /** Where it is defined, as "Main.src:3". */
  const char *source;
} barrow_names;

/**
 * An info table: the layout and the names of the objects of one kind. The client's static data at a multiple of
 * 8; it outlives every heap with such objects, and heaps and threads share it. In read-only memory it works too,
 * and profiles look its number up each time. `BARROW_INFO` and its like (barrow/inline.h) fill it.
 */
typedef struct barrow_info {
  /** `sizeof(barrow_info)`, as the caller knows it. */
  uint16_t size;
  /** `BARROW_INFO_VERSION`. */
  uint16_t version;
  /** 0 in the client's data; the library writes its number here, unless the memory is read-only. */
  uint32_t id;
  /** The client's own; the library never calls it. */
  void (*entry)(void);
  /** A `barrow_kind`. */
  uint8_t kind;
  /** The or of `BARROW_FLAG_MUTABLE` and its like. */
  uint8_t flags;
  /**
   * `BARROW_SIZED`: which word is the length, where 0 is the first word after the header; it is one of the plain
   * words. `BARROW_SELECTOR`: which word is selected, counted in the same way. `BARROW_FUN`: the arity.
   */
  uint16_t field;
  /** How many words of the object are pointers; they follow the header unless `kind` says otherwise. */
  uint32_t ptrs;
  /** How many plain words follow the pointers. */
  uint32_t words;
  /** 0. */
  uint32_t reserved;
  /** The pointer bits of the kinds that have them, bit 0 for the first word that they describe. */
  size_t bitmap;
  /** The bits of a layout of more than 64 words, else NULL. */
  const struct barrow_bitmap *large;
  /** `BARROW_CUSTOM`, and the flags that name a function: the functions. Else NULL. */
  const struct barrow_custom *custom;
  /** The statics that the code of such an object can reach, or NULL. */
  const struct barrow_srt *srt;
  /** The names of such objects, or NULL. */
  const struct barrow_names *names;
} barrow_info;

/**
 * Refuses an info table that describes no possible object, with a sentence. For a compiler's tests, and for a
 * client that checks its tables once when it starts.
 *
 * The caller guarantees:
 * `info` is NULL or points to an info table.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_info_check(const struct barrow_info *info);

/**
 * The size of an object in words, its header included. 0 for an address that lies in no block of the heap, such as a static object's.
 *
 * The caller guarantees:
 * `heap` is live; `object` is a live object of it, or lies outside.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ size_t barrow_object_words(struct barrow_heap *heap,
                           const void *object);

/**
 * The generation of an address; -1 when it is not in the heap.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ int32_t barrow_generation_of(struct barrow_heap *heap, const void *address);

/**
 * Whether an address is in a block of the heap that holds objects.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ bool barrow_in_heap(struct barrow_heap *heap, const void *address);

/**
 * The address that a pointer out of the object leads to now, inside a `shortcut` function. The object there can be
 * read.
 *
 * The caller guarantees:
 * `resolver` is the one that the function was given; `pointer` is a field of the object, or of one resolved before.
 *
 * Threads: the callback's, until it returns.
 */
void *barrow_resolve(struct barrow_resolver *resolver,
                     const void *pointer);

/**
 * Says that code and data from `base` on, `bytes` long, will be unloaded. Collects everything; refuses, naming the
 * first that it finds, while an object's info table, a frame of any thread or a callback lies there; else drops the roots that were
 * registered there. Machine code that a thread runs, or will return to, is not seen but by its stack maps: the client knows of it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_module_unregister(struct barrow_mutator *mutator,
                                            const void *base,
                                            size_t bytes);

/* ---- 5. Allocation ------------------------------------------------------------------------------------------ */

/* `barrow_alloc` of barrow/inline.h is the usual way: it takes words from the window, and calls `barrow_alloc_slow` when there are
 * none. It may collect; `barrow_allocate` never does. */

/**
 * A frame of the shadow stack; `count` values follow it. The client's, on its stack: it is pushed with
 * `BARROW_PUSH`, taken off with `BARROW_LEAVE` before the function returns, and belongs to one mutator.
 */
typedef struct barrow_frame {
  /** The next older frame; NULL in the oldest. */
  struct barrow_frame *up;
  /** Number of values; with `BARROW_FRAME_TAGGED` added, they are tagged words. */
  size_t count;
} barrow_frame;

/**
 * The part of a mutator that compiled code may touch. The library owns it, with the mutator; the mutator's
 * thread writes it. Other threads may zero `hp_lim` and set `poll` at any time, so that compiled code loads both
 * atomically, and change other fields while the mutator stands at a safepoint or is in foreign code. Fields of
 * profilers stay zero while those are off.
 */
typedef struct barrow_window {
  /** Next free word of the allocation area. */
  size_t *hp;
  /** End of the allocation area. Zero asks the mutator to come to the slow path: the test is `hp + n > hp_lim`. */
  size_t *hp_lim;
  /** Newest frame of the shadow stack. */
  struct barrow_frame *frames;
  /** Where the heap's range begins: an address p is in this heap when `p - heap_base < heap_length`. */
  size_t heap_base;
  /** Bytes of that range; 0 when the heap lies in chunks. */
  size_t heap_length;
  /** One byte for each block from `heap_base` on: see `BARROW_CODE_GENERATION` in barrow/inline.h. */
  const uint8_t *codes;
  /** Where the write barrier puts its next entry. */
  size_t *remember;
  /** The end of the barrier's buffer. */
  size_t *remember_lim;
  /** The current cost-centre stack. */
  struct barrow_ccs *ccs;
  /** Where `hp` was when `ccs` became current; above every `hp` while `watch` is not 0. */
  size_t *hp_at_ccs;
  /** Number of the era; not 0 while a biography is taken. */
  uint32_t era;
  /** Not 0 while somebody wants the mutator's attention. Other threads set it, so compiled code loads it atomically. */
  uint32_t poll;
  /** Offsets of side tables in a megablock's header; 0 while off: biography, producer, cell. */
  size_t side[3];
  /** The heap's tag rule: bit t set, words with low four bits t are pointers. */
  uint16_t tagged_pointers;
  /** 0. */
  uint16_t reserved16[3];
  /** The mask of the tag rule: the address in a tagged pointer w is (w & address_mask) + address_offset. */
  size_t address_mask;
  /** The offset of the tag rule. */
  size_t address_offset;
  /** The client's function that runs, for the per-function profiler. */
  void *function;
  /** Not 0 while changes of cost-centre stack go out of line; compiled code knows it by `hp_at_ccs`. */
  size_t watch;
  /** The mutator's counts of each function, by its number; null until the first is counted. */
  struct barrow_entry_count *entries;
  /** The mutator's ticky counters; reports add up those of all. */
  struct barrow_ticky *ticky;
  /** Words of the client's own, 0 at first. No collection looks at them: a reference there is in no root. */
  void *client[4];
  /**
   * The distance in bytes from a cost-centre stack to its row of costs, a `barrow_cost`. For compiled code, while
   * `watch` is 0.
   */
  size_t costs;
  /** The table that `barrow_update` gives to young thunks; NULL while that has to go out of line. */
  const struct barrow_info *ind;
  /**
   * The table that `barrow_blackhole` gives to thunks under evaluation; NULL while that has to go out of line.
   */
  const struct barrow_info *blackhole;
  /** The stack object that the mutator runs on; NULL while on none. */
  void *stack;
  /** The newest frame of that stack. */
  size_t *sp;
  /** Where the words of that stack begin. */
  size_t *sp_lim;
  /**
   * The code that `barrow_try_alloc` calls on x86-64 while space is counted by function; null else. It is no
   * function of C: barrow/inline.h shows the call.
   */
  const void *counted;
  /**
   * The mark of the first 16 bytes of all addresses, for `barrow_use`; the marks of the others follow. Null while no
   * biography is taken, and while one is taken without marks.
   */
  uint8_t *marks;
  /** The table that `barrow_claim` gives to thunks; null while it has to go out of line. */
  const struct barrow_info *claimed;
  /**
   * The word that says in a claimed thunk whose it is: the mutator's number, and no address. In a heap with several mutators it is another
   * one whenever the mutator has entered a stack object, or left one.
   */
  size_t owner;
  /**
   * The table that `barrow_update` gives to young thunks in a heap with several mutators, where it looks first whether
   * they still are thunks; null while it has to go out of line, and in other heaps.
   */
  const struct barrow_info *shared_ind;
  /** The library's. */
  size_t reserved[3];
} barrow_window;

/**
 * The offset of a field of the window, by its name, in bytes from the mutator; -1 when there is no such
 * field. For code generators; C has `barrow_window`.
 *
 * The caller guarantees:
 * `field` is NULL or a string.
 *
 * Threads: any, several at the same time.
 */
int64_t barrow_window_offset(const char *field);

/**
 * Out of line part of `barrow_alloc`: `words` words, at least 2, perhaps after a collection. NULL when there is no memory and no overflow hook, or the hook refused, or the size is impossible.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t *barrow_alloc_slow(struct barrow_mutator *mutator,
                          size_t words);

/**
 * `barrow_alloc_slow` for code that stands between it and the program: profiles show `caller`, an address in the
 * program's code, as the place that allocates.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t *barrow_alloc_slow_for(struct barrow_mutator *mutator,
                              size_t words,
                              const void *caller);

/**
 * Makes sure that `words` words, at most `BARROW_MAX_RESERVE_WORDS`, can be taken with `barrow_bump`, with no
 * collection in between. May collect. False when there is no memory and no overflow hook, or the hook refused, or more are asked for.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_reserve_slow(struct barrow_mutator *mutator,
                         size_t words);

/**
 * `words` words for one object, without a collection, except in the overflow hook. It may exceed the heap's limit by a sixteenth or 4 MiB, whichever is
 * more; when a collection is due it asks for one at the next `barrow_alloc`. NULL when there is no memory and no overflow hook, or the hook refused, or the size is impossible. The object must be filled before the next safepoint.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t *barrow_allocate(struct barrow_mutator *mutator,
                        size_t words);

/**
 * `words` words for one object that never moves, without a collection, as `barrow_allocate` gives them. The address `offset` bytes
 * into it, a multiple of 8, is a multiple of `align` bytes, a power of two up to the size of a block. It may hold pointers. NULL as
 * from `barrow_allocate`, and when no object can lie so.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t *barrow_allocate_pinned(struct barrow_mutator *mutator,
                               size_t words,
                               size_t align,
                               size_t offset);

/**
 * Opens the allocation area: memory from `*hp` up to `*hp_lim` is the caller's to fill. Until it is closed, calls
 * that would take words of it or collect are refused, so that `barrow_alloc` gives NULL; `barrow_allocate` is not. An area
 * that is open is not opened again, and no profile of space begins or goes on.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; the out-pointers are writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ enum barrow_status barrow_open_nursery(struct barrow_mutator *mutator,
                                       size_t **hp,
                                       size_t **hp_lim);

/**
 * Closes the allocation area, which was opened: everything below `hp` is filled.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `hp` lies in the area that was opened.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_close_nursery(struct barrow_mutator *mutator, size_t *hp);

/**
 * Closes the allocation area and opens the next. False when the nursery is exhausted; the area stays closed then,
 * and a collection is due.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `*hp` lies in the area that was opened.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_extend_nursery(struct barrow_mutator *mutator,
                           size_t **hp,
                           size_t **hp_lim);

/* ---- 6. Roots ----------------------------------------------------------------------------------------------- */

/* A reference that is needed after a call which may collect is in a root then, and is read from there again, since objects move.
 * Roots are frames of the shadow stack (`barrow_frame`, with `BARROW_PUSH` of barrow/inline.h), ranges that are registered,
 * handles, stable pointers, or words that the callback `roots` of the configuration visits. NULL, and an address that is in no
 * heap, may be in every root and in every pointer field: neither is followed. The low three bits of a pointer are the client's in each of
 * them: they are not looked at, and stay when the object moves. Words of which only some are pointers are tagged words, by the rule in
 * `barrow_config.tagged_pointers`, and their frames are pushed by `BARROW_PUSH_TAGGED` or `BARROW_ENTER_TAGGED`. */

/**
 * Names one root: a place outside of the heap's objects that holds a pointer to one, or NULL. It is
 * rewritten when the object moves. Only in a callback that was given the visitor.
 * A local variable of the callback is rewritten before this function returns. Each other place (a static, of a thread, from malloc)
 * may be rewritten after the callback has returned, and stays until the collection has ended. A root that the client keeps in another
 * form, packed for example, is handed in with `barrow_visit_value`.
 *
 * The caller guarantees:
 * `visitor` is the callback's; `root` is readable and writable.
 *
 * Threads: the callback's, until it returns.
 */
void barrow_visit(struct barrow_visitor *visitor,
                  void **root);

/**
 * Names one root that holds a tagged word. Its place is as for `barrow_visit`.
 *
 * The caller guarantees:
 * `visitor` is the callback's; `root` is readable and writable.
 *
 * Threads: the callback's, until it returns.
 */
void barrow_visit_word(struct barrow_visitor *visitor, size_t *root);

/**
 * Names one root by its value: gives the pointer that the client has to keep instead of it, the same one where the object has not moved.
 * For roots that are kept in another form than as a pointer, packed in a word with other things for example: the client
 * takes the pointer out, hands it in, and packs the one that it gets. Such a root is named once in each call of its callback. Only in
 * a callback that was given the visitor; the `visit` of a `BARROW_CUSTOM` object may hand in packed fields so.
 *
 * The caller guarantees:
 * `visitor` is the callback's; `object` is a pointer to an object of the heap, or to nothing that the heap knows, or NULL.
 *
 * Threads: the callback's, until it returns.
 */
void *barrow_visit_value(struct barrow_visitor *visitor,
                         void *object);

/**
 * Names one root that is a tagged word by its value, as `barrow_visit_value` does for pointers, and gives the word to keep instead of it.
 *
 * The caller guarantees:
 * `visitor` is the callback's; `word` is a word that a root with tags may hold.
 *
 * Threads: the callback's, until it returns.
 */
size_t barrow_visit_value_word(struct barrow_visitor *visitor,
                               size_t word);

/**
 * Names a whole range of tagged words, such as the stack of a virtual machine, in one call.
 *
 * The caller guarantees:
 * `visitor` is the callback's; the `count` words at `words` are readable and writable; `name` is NULL or a string that
 * lives as long as the heap.
 *
 * Threads: the callback's, until it returns.
 */
void barrow_visit_words(struct barrow_visitor *visitor,
                        const char *name,
                        size_t *words,
                        size_t count);

/**
 * Names `count` roots that lie side by side, under a name that profiles show; `name` may be NULL.
 *
 * The caller guarantees:
 * `visitor` is the callback's; the `count` words at `roots` are readable and writable; `name` is NULL or a string that
 * lives as long as the heap.
 *
 * Threads: the callback's, until it returns.
 */
void barrow_visit_named(struct barrow_visitor *visitor,
                        const char *name,
                        void **roots,
                        size_t count);

/**
 * Registers `count` roots side by side, until `barrow_root_remove` or the end of the heap. With `tagged` they are
 * tagged words. Where `count` is 0, nothing need be there, and `roots` may be NULL. Roots among the heap's objects
 * are refused: it knows their fields itself.
 *
 * The caller guarantees:
 * `heap` is live; the roots stay readable and writable; `name` is NULL or a string that lives as long as the heap.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_root_add(struct barrow_heap *heap,
                                   const char *name,
                                   void *roots,
                                   size_t count,
                                   bool tagged);

/**
 * Takes back the roots that were registered at this address, in the same time however many there are. Roots that were registered
 * there twice are taken back twice.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_root_remove(struct barrow_heap *heap,
                                      void *roots);

/**
 * Attaches the chain of frames that code with LLVM's `shadow-stack` strategy maintains: the address of the
 * program's `llvm_gc_root_chain`. NULL detaches it. LLVM has one chain for the whole process, on which
 * two threads must not push: a chain that another mutator of the heap has is refused with
 * `BARROW_E_STATE`, until it is detached there.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `chain` stays valid until it is detached.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_attach_llvm_frames(struct barrow_mutator *mutator, void *chain);

/**
 * Looks at the shadow stack without collecting: an error says which frame is malformed, or lies where nothing can be read.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_check_frames(struct barrow_mutator *mutator);

/**
 * The target of a handle, which does not move. `object` is its first word, so that compiled code can read it.
 * The heap owns it, from `barrow_handle_new` to `barrow_handle_free`; only threads with a mutator in that heap
 * use it. Several may read it at the same time; `barrow_handle_set` and `barrow_handle_free` are changes that
 * the program orders against their reads.
 */
typedef struct barrow_handle {
  /** The object, which a collection writes anew when it moves. */
  size_t object;
  /** The library's: it tells a handle that is alive from one that is free, and both from a wild pointer. */
  uint32_t signature;
  /** The library's. */
  uint32_t index;
} barrow_handle;

/**
 * Makes a handle: a place that does not move and keeps its object alive. `barrow_handle_get` (barrow/inline.h) reads
 * it; `barrow_handle_free` ends it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is NULL or a live object; `out_handle` is writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ enum barrow_status barrow_handle_new(struct barrow_mutator *mutator,
                                     void *object,
                                     struct barrow_handle **out_handle);

/**
 * Lets a handle hold another object.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `handle` was given by `barrow_handle_new` and is not freed; `object` is
 * NULL or a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the handle.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_handle_set(struct barrow_mutator *mutator,
                                     struct barrow_handle *handle,
                                     void *object);

/**
 * Ends a handle. Its object lives on only if something else refers to it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the handle.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_handle_free(struct barrow_mutator *mutator, struct barrow_handle *handle);

/**
 * Makes a stable pointer: a number, not 0, that stands for an object until `barrow_stable_free`. 0 when there is no
 * memory.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is NULL or a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t barrow_stable_new(struct barrow_mutator *mutator,
                         void *object);

/**
 * The object of a stable pointer; NULL when there is no such stable pointer.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void *barrow_stable_get(struct barrow_mutator *mutator, size_t stable);

/**
 * Ends a stable pointer.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stable_free(struct barrow_mutator *mutator, size_t stable);

/* ---- 7. Roots of compiled code, by LLVM's stack maps -------------------------------------------------------- */

/* docs/llvm.md says how compiled code gets here. */

/**
 * Takes over the stack maps in a section `.llvm_stackmaps`, which the linker may have put together from many object
 * files. With `tagged`, references in its frames are tagged words. The section is not needed afterwards. A section
 * that is not understood in every detail is refused as a whole: `BARROW_E_ABI` for an unknown version,
 * `BARROW_E_ARG` for a map that is cut or makes no sense.
 *
 * The caller guarantees:
 * `heap` is live; `section` has `bytes` readable bytes, and is relocated.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_maps_register(struct barrow_heap *heap,
                                              const void *section,
                                              size_t bytes,
                                              bool tagged);

/**
 * Forgets the maps that were registered from this address, when their code goes. Refused while one of its functions is
 * on a stack of compiled code, of any thread. `barrow_module_unregister` does it by the addresses of the code.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_maps_unregister(struct barrow_mutator *mutator,
                                                const void *section);

/**
 * The state of a mutator's compiled stack, for `barrow_stack_restore`. The client's, usually a local variable of
 * the function that saved it; it is good until that function returns.
 */
typedef struct barrow_saved_stack {
  /** The newest part of the stack. */
  void *part;
  /** Where that part was left: the library's. */
  size_t left[3];
} barrow_saved_stack;

/**
 * Calls a compiled function, which takes the mutator and three words and gives a word; unused ones are 0. Words that
 * are references are the callee's to keep from then on. The walk over compiled frames ends here.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `function` is such a function.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_call(struct barrow_mutator *mutator,
                                     size_t (*function)(struct barrow_mutator *mutator,
                                                        size_t a,
                                                        size_t b,
                                                        size_t c),
                                     size_t a,
                                     size_t b,
                                     size_t c,
                                     size_t *result);

/**
 * Keeps the state of the compiled stack before `setjmp` or `try`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `saved` is writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_save(struct barrow_mutator *mutator, struct barrow_saved_stack *saved);

/**
 * Puts the state back after `longjmp` or an exception has left compiled code.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `barrow_stack_save` filled `saved`, in a function that has not returned.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_restore(struct barrow_mutator *mutator,
                                        const struct barrow_saved_stack *saved);

/**
 * The `barrow_alloc_slow` of compiled code with stack maps.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. The call is a statepoint.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ size_t *barrow_gc_alloc_slow(struct barrow_mutator *mutator, size_t words);

/**
 * The `barrow_reserve_slow` of compiled code with stack maps.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. The call is a statepoint.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_gc_reserve_slow(struct barrow_mutator *mutator, size_t words);

/**
 * The `barrow_collect` of compiled code with stack maps. Frames that cannot be found end the process.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. The call is a statepoint.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_gc_collect(struct barrow_mutator *mutator, bool major);

/**
 * The `barrow_safepoint` of compiled code with stack maps, which a poll calls. Frames that cannot be found end the
 * process.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. The call is a statepoint.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_gc_safepoint(struct barrow_mutator *mutator);

/**
 * Calls a function of C from compiled code with stack maps, with the mutator and two words. The function may allocate
 * and collect, with roots of its own, and may call compiled code again.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. The call is a statepoint; `function` is such a function.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ size_t barrow_gc_call(struct barrow_mutator *mutator,
                      size_t (*function)(struct barrow_mutator *mutator, size_t a, size_t b),
                      size_t a,
                      size_t b);

/* ---- 8. Stores into old objects ----------------------------------------------------------------------------- */

/* The write barrier is `barrow_write` of barrow/inline.h; a store into an object that was made since the last call that may collect
 * needs none. These are what it calls, and what other stores need. */

/**
 * Out of line part of `barrow_write` for heaps in chunks: a pointer was stored into `field` of `owner`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `owner` is an object and `field` one of its fields.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_wrote(struct barrow_mutator *mutator, void *owner, void *field);

/**
 * Out of line part of `barrow_write_word` for heaps in chunks, and for tagged words.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `owner` is an object and `field` one of its fields.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_wrote_word(struct barrow_mutator *mutator, void *owner, size_t *field);

/**
 * Out of line part of the barrier: the buffer of remembered slots is full, and `entry` goes into the next one.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `entry` was made by barrow/inline.h.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_remember_slow(struct barrow_mutator *mutator,
                          size_t entry);

/**
 * Remembers a pointer field that was written without a barrier, without naming the object that it is in.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `slot` is a field of a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_slot(struct barrow_mutator *mutator, void *slot);

/**
 * Remembers a field with a tagged word that was written without a barrier, without naming the object that it is in.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `slot` is a field of a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_word_slot(struct barrow_mutator *mutator,
                                           size_t *slot);

/**
 * Says that an object has become mutable (`recordMutable`): every collection looks at it from now on. Once is
 * enough for an object; it is dropped when its kind is not mutable and nothing in it is younger.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_mutable(struct barrow_mutator *mutator, void *object);

/**
 * Says that an object may now point to younger ones (`recordOldToNewPtrs`), and will not change again.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_old_to_new(struct barrow_mutator *mutator, void *object);

/**
 * Copies `count` elements of an array into another, or within one, with the barrier for all of them at once. `BARROW_E_ARG`
 * when one of them has fewer elements; then nothing is copied.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `to` and `from` are live arrays.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_array_copy(struct barrow_mutator *mutator,
                                     void *to,
                                     size_t to_index,
                                     const void *from,
                                     size_t from_index,
                                     size_t count);

/**
 * Stores the same value into `count` elements of an array, with the barrier for all of them at once. `BARROW_E_ARG` when it has fewer
 * elements; then nothing is stored.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `array` is a live array, `value` a live object, null, or a word that
 * the array may hold.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_array_fill(struct barrow_mutator *mutator,
                                     void *array,
                                     size_t index,
                                     size_t count,
                                     void *value);

/**
 * Shortens an object to a smaller length, in the unit of its length field. The only way to change that field.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_shrink(struct barrow_mutator *mutator, void *object, size_t length);

/**
 * Changes the kind of an object in place. The new kind's fields are written before; it may be smaller. Where the old
 * kind has a length field, that word stays as it is until then: it says how large the object was.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object; `info` is an info table; NULL is refused.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_become(struct barrow_mutator *mutator,
                                 void *object,
                                 const void *info);

/* ---- 9. Collecting ------------------------------------------------------------------------------------------ */

/* Collections happen where memory is taken; these ask for one, or for an opportunity. */

/**
 * Gives the collector an opportunity: it may collect here when it was asked to, and only then.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_safepoint(struct barrow_mutator *mutator);

/**
 * Whether a collection is due (`doYouWantToGC`): pools and large objects count as well as the nursery.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_wants_gc(struct barrow_mutator *mutator);

/**
 * Collects garbage: everything with `major`, which moves old objects together, so that no gap is left, whatever `--old` says for
 * collections that come by themselves; else the generations that are due. A damaged heap, which `-DS` finds, is told on standard
 * error too.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_collect(struct barrow_mutator *mutator,
                                  bool major);

/**
 * Collects like `barrow_collect`, with roots from `roots(client, visitor)` besides those that the heap knows. In a heap with
 * several mutators, another thread that collects first asks it too, while this one waits.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root, or among those that `roots` names to
 * the visitor; `roots` does nothing else with the heap.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_collect_with(struct barrow_mutator *mutator,
                                       bool major,
                                       void (*roots)(void *client, struct barrow_visitor *visitor),
                                       void *client);

/**
 * Tells the heap that objects keep `delta` more bytes (or fewer) of memory alive outside it. A collection comes
 * sooner for it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_external_bytes(struct barrow_mutator *mutator,
                                         int64_t delta);

/* ---- 10. Weak pointers, weak arrays, stable names ------------------------------------------------------------ */

/* Fields are read in line: `barrow_weak_deref` and `barrow_weak_array_get` in barrow/inline.h. */

/**
 * A weak pointer in the heap, which owns it and moves it as any object; whoever refers to it keeps it.
 * `barrow_weak_deref` (barrow/inline.h) reads it, on any thread with a mutator there, and only the library
 * writes it.
 */
typedef struct barrow_weak {
  /** The header of the object. */
  size_t header;
  /** The key, not kept alive by this. */
  void *key;
  /** The value, kept alive as long as the key is. */
  void *value;
  /** An object that the client runs when the key has died, or NULL. */
  void *finalizer;
  /** The collector's. */
  void *link;
  /** The function that is called with `data` when the key has died, or NULL. */
  void (*function)(struct barrow_mutator *mutator, void *data, void *key, void *value);
  /** The second argument of the function. */
  void *data;
} barrow_weak;

/**
 * Makes a weak pointer: an object that does not keep `key` alive, and keeps `value` and `finalizer` alive as long as
 * the key is, even when they refer to the key. `barrow_weak_deref` (barrow/inline.h) reads it. When the key has
 * died, the weak pointer is dead, and `finalizer`, unless NULL, waits to be run: `barrow_run_finalizers`. Until it
 * has run, key and value are held for it. A weak pointer with a finalizer stays without any reference to it. Never
 * collects, but the overflow hook may. NULL when something is wrong, an object of another heap included, or when that hook has refused.
 *
 * A finalizer that runs by `barrow_run_finalizers` or `barrow_weak_finalize` may make weak pointers as anybody may,
 * to its key too, which lives on then. None is made, with a sentence (`BARROW_E_STATE`), where the heap is not to be
 * touched: in callbacks of a collection, `finalizers_ready` included, and in functions that `barrow_heap_free`
 * calls.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `key` is a live object, `value` and `finalizer` are live objects or NULL.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void *barrow_weak_new(struct barrow_mutator *mutator,
                      void *key,
                      void *value,
                      void *finalizer);

/**
 * Has a C function called when the key of a live weak pointer has died: by `barrow_run_finalizers`,
 * `barrow_weak_finalize`, or at the latest by `barrow_heap_free`, which calls those of all weak pointers that are
 * left, with `mutator` NULL: then they read key and value, and call nothing of the heap. `key` and `value` are alive
 * during the call; a function that allocates puts them into roots. `*out_added`, unless NULL, says whether the weak
 * pointer was alive. A weak pointer can have one function.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `weak` is a weak pointer; `out_added` is NULL or writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_weak_set_function(struct barrow_mutator *mutator,
                                            void *weak,
                                            void (*function)(struct barrow_mutator *mutator,
                                                             void *data,
                                                             void *key,
                                                             void *value),
                                            void *data,
                                            bool *out_added);

/**
 * Ends a weak pointer by hand, whether its key has died or not. Its function is called before this returns; its
 * finalizer is given to the caller, who runs it: NULL when there is none, or when it was ended before.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `weak` is a weak pointer; `out_finalizer` is NULL or writable. The
 * function may collect, and another thread when it has run.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_weak_finalize(struct barrow_mutator *mutator,
                                        void *weak,
                                        void **out_finalizer);

/**
 * Whether any finalizer is due.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_finalizers_due(struct barrow_mutator *mutator);

/**
 * Runs finalizers that are due, at most `most` of them (0: all, those included that become due meanwhile): calls
 * their functions, and `run(client, mutator, finalizer, key, value)` for those that are objects. Gives how many were
 * run. They run here, outside of any collection, and may do whatever the client may: allocate, collect, make weak
 * pointers, or leave by a jump: a finalizer that was begun counts as run. The arguments of `run` are alive when it
 * is called; it puts into roots what it needs after an allocation. With `run` NULL it stops at the first finalizer
 * that is an object.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ size_t barrow_run_finalizers(struct barrow_mutator *mutator,
                             void (*run)(void *client,
                                         struct barrow_mutator *mutator,
                                         void *finalizer,
                                         void *key,
                                         void *value),
                             void *client,
                             size_t most);

/**
 * How many weak pointers are listed: alive, or ended by hand since their generation was last collected.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ size_t barrow_weak_count(struct barrow_mutator *mutator);

/**
 * Stores a pointer, NULL, or a word that the array may hold, into an element of a weak array, as
 * `barrow_weak_array_write` of barrow/inline.h does, with the arguments checked, for any kind of heap.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `array` is a live object, `value` a live object, NULL, or a word that the
 * array may hold.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_weak_array_set(struct barrow_mutator *mutator,
                                         void *array,
                                         size_t index,
                                         void *value);

/**
 * A hash of an object's identity: it stays the same when the object moves, for hash tables that compare by address.
 * Not 0; 0 when something is wrong. It costs a few words in a table as long as the object lives. `object` may have a tag in
 * its low three bits, which does not matter.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object, or lies outside of the heap.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ uint64_t barrow_identity_hash(struct barrow_mutator *mutator,
                              const void *object);

/**
 * The stable name of an object: an object of kind `BARROW_STABLE_NAME`, the same one as long as it lives, which does not
 * keep the other alive. Its number (`barrow_stable_name_number` in barrow/inline.h) is never another object's. Never
 * collects, but the overflow hook may. NULL when something is wrong, or when that hook has refused.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a live object, or lies outside of the heap.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ void *barrow_stable_name(struct barrow_mutator *mutator,
                         const void *object);

/* ---- 11. Lazy evaluation ------------------------------------------------------------------------------------- */

/* Thunks become indirections to their values: `barrow_update`, `barrow_blackhole` and `barrow_claim` in barrow/inline.h. */

/**
 * Out of line part of `barrow_update`: replaces a thunk, a selector, a suspended application or a blackhole by an
 * indirection to its value, which is not the object itself: `BARROW_E_ARG`. In a heap with several mutators an object that is none of
 * these, any more perhaps, stays as it is, and the value is not NULL: `BARROW_E_ARG`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or, in a heap with one mutator, NULL,
 * perhaps with a tag in its low three bits.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_update_slow(struct barrow_mutator *mutator,
                                      void *thunk,
                                      void *value);

/**
 * Updates like `barrow_update`, with an indirection that collections keep: for thunks of which each entry is counted. In a heap
 * with several mutators the value is not NULL: `BARROW_E_ARG`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or, in a heap with one mutator, NULL,
 * perhaps with a tag in its low three bits.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_update_permanent(struct barrow_mutator *mutator,
                                           void *thunk,
                                           void *value);

/**
 * Out of line part of `barrow_blackhole`: marks a thunk as under evaluation, so that it keeps nothing alive. In a heap with
 * several mutators, one that another has marked or updated stays as it is.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thunk` is a live object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_blackhole_slow(struct barrow_mutator *mutator,
                                         void *thunk);

/**
 * Out of line part of `barrow_claim`: makes a thunk a blackhole of this mutator's. False when it is no thunk, any more
 * perhaps.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thunk` is a live object, whose word 1 was 0 when it was made.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_claim_slow(struct barrow_mutator *mutator,
                       void *thunk);

/**
 * Waits until an object is no blackhole any more, as code does that needs the value of a thunk which another mutator has
 * claimed. A safepoint: afterwards the caller looks at the object again, in its root. `BARROW_E_LOOP` tells that
 * this mutator has claimed it, or that the one which has waits for this one, perhaps through others: then the computation
 * needs its own result, and nothing else ends the wait. Of the mutators that wait in a ring one is told, who updates
 * what it has claimed, with an exception for example, so that the others go on. `BARROW_E_STATE` tells that the mutator
 * which has claimed it was detached. The owner is not known of an object that was blackholed without a claim, nor of one that
 * was claimed on a stack object which its mutator has left since: it is waited for while the heap has another mutator.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is NULL or a live object, perhaps with a tag in its low three
 * bits. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ enum barrow_status barrow_wait_for(struct barrow_mutator *mutator,
                                   void *object);

/**
 * Gives the heap a table of the client's, with its own entry code, for objects that the library makes of
 * thunks: indirections, blackholes, static indirections. The table's kind says for which. To be called
 * before any update, and in a heap that takes several mutators before other threads attach: BARROW_E_STATE.
 *
 * The caller guarantees:
 * `heap` is live and no other thread uses it; `info` is NULL or an info table.
 *
 * Threads: any, outside callbacks, while no other thread has a mutator of the heap.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_use_table(struct barrow_heap *heap, const struct barrow_info *info);

/**
 * The table that the heap gives to objects that it makes of thunks, by kind: the library's own, or the
 * one that `barrow_use_table` gave. NULL for other kinds.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ const struct barrow_info *barrow_table(struct barrow_heap *heap, uint32_t kind);

/* ---- 12. Static objects and CAFs ----------------------------------------------------------------------------- */

/* Objects in the client's data, of which code tells by its reference tables (`barrow_srt`) which ones it can reach. */

/**
 * Tells the heap of static objects in the client's data: constructors, functions and CAFs that it may come to. Each is
 * looked at; when one cannot be, such as one with pointers and of a kind that has no link word, the sentence names it and
 * none is taken. `keep`: CAFs among them, once entered, keep their values until `barrow_revert_cafs`, as an interactive
 * session wants; otherwise a CAF lives as long as code that lives mentions it in a reference table.
 *
 * The caller guarantees:
 * `heap` is live, and where it takes one mutator, no other thread uses it. `objects` has `count` addresses of static
 * objects, which stay where they are until their module is unregistered or the heap is freed.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_statics_add(struct barrow_heap *heap,
                                      void *const *objects,
                                      size_t count,
                                      bool keep);

/**
 * Tells the heap, as `barrow_statics_add` does, of a section of the client's data with nothing but static objects.
 * They are not looked at one by one: `barrow_info_check` and checking mode find what is wrong with them.
 *
 * The caller guarantees:
 * `heap` is live, and where it takes one mutator, no other thread uses it. Every pointer in the `bytes` from `base` on
 * is the address of a static object, which stays where it is until its module is unregistered or the heap is freed.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_statics_add_section(struct barrow_heap *heap,
                                              void *base,
                                              size_t bytes,
                                              bool keep);

/**
 * Enters a CAF (`newCAF` and `UPD_CAF`): the `BARROW_THUNK_STATIC` at `caf` becomes a `BARROW_IND_STATIC` to `value`, most
 * often a `BARROW_CAF_BLACKHOLE` in the heap, which is updated with the result. Its own table is saved in its last word.
 * Of two threads that enter it at the same time the second is refused with `BARROW_E_ARG`, and looks at the CAF again.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `caf` is a static that the heap was told of; `value` is NULL or a live
 * object.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_new_caf(struct barrow_mutator *mutator,
                                  void *caf,
                                  void *value);

/**
 * The CAF of this number, from 0, among those that are entered and kept; NULL when there are no more.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ void *barrow_kept_caf(struct barrow_heap *heap, size_t number);

/**
 * Makes every entered CAF that is kept what it was before: it is computed again when it is entered again.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; no code runs that has entered such a CAF.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_revert_cafs(struct barrow_mutator *mutator);

/**
 * How many CAFs are entered now: those that collections found dead, or that were reverted, do not count.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ size_t barrow_cafs(struct barrow_heap *heap);

/* ---- 13. Stacks and threads in the heap ---------------------------------------------------------------------- */

/* Growable stacks of frames, each described by an info table, for languages with threads or continuations of their own. */

/**
 * The beginning of a stack in the heap, which owns it and moves it as any object; its words follow. Whoever
 * refers to it keeps it, and one mutator at a time runs on it.
 */
typedef struct barrow_stack {
  /** The header of the object. */
  size_t header;
  /** Words for frames. */
  size_t words;
  /** Number of the first word of the newest frame. While a mutator runs on the stack, its window has the top. */
  size_t top;
  /**
   * Not 0: the stack was changed since a collection has read it, or refers to younger objects. Another number than
   * 1 is the library's.
   */
  size_t dirty;
  /** The info table of its stop frame. */
  const struct barrow_info *stop;
  /**
   * Words of the chunks that this one continues, as they were when it was made: the library's, for `-K`.
   */
  size_t below;
} barrow_stack;

/**
 * Makes a stack of `words` words with nothing but a stop frame, of which `stop` is the info table; NULL for the
 * library's, a frame of two words. Never collects, but the overflow hook may. NULL when something is wrong, or when that hook has refused.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `stop` is NULL or an info table that lives for ever.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ void *barrow_stack_new(struct barrow_mutator *mutator,
                       const struct barrow_info *stop,
                       size_t words);

/**
 * Lets the mutator run on a stack, or with NULL on none: its window has the stack, `sp` at its newest frame, and
 * `sp_lim`. Code pushes frames by moving `sp` down, and has it in the window at every call that may collect; words
 * that it writes there need no barrier. A small stack may move at any such call, so nothing but the window has
 * addresses in it. The stack that it ran on before keeps its top, and can be entered again. In a heap with
 * several mutators the library no longer knows then who evaluates what was claimed on that: `barrow_wait_for` waits for it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `stack` is NULL or a stack; the window's `sp` is that of the stack that
 * it runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_enter(struct barrow_mutator *mutator,
                                      void *stack);

/**
 * Gives the stack that the mutator runs on room for `words` more words: a new chunk, of which the stop frame leads to
 * the full one. Code asks with `barrow_stack_need` (barrow/inline.h). Never collects: `barrow_stack_reserve` does, and the overflow hook may. False when that
 * has refused, or something is wrong.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_stack_grow(struct barrow_mutator *mutator,
                       size_t words);

/**
 * Gives room like `barrow_stack_grow`, and may collect: for programs that need stack and allocate nothing, whose
 * chunks nobody would look through otherwise. Nothing happens when there is room. A collection comes first when one
 * is due, and when there is no memory for a chunk without it.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any. Every
 * live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ bool barrow_stack_reserve(struct barrow_mutator *mutator,
                          size_t words);

/**
 * Goes back to the chunk that the empty one continues: for the code of a stop frame, when something returns to it.
 * False when there is none: the stack is at its end. The empty chunk is used again where a stack with the same stop
 * frame grows, so it is not entered any more.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; the window's `sp` is that of the stack that it runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_stack_underflow(struct barrow_mutator *mutator);

/**
 * Looks at every frame of a stack and of the chunks that it continues: the sentence names one that cannot be. In
 * checking mode (`-DS`) this happens around each collection; else a malformed frame is undefined behaviour.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `stack` is NULL or a stack; the window's `sp` is that of the stack that
 * it runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_check(struct barrow_mutator *mutator,
                                      void *stack);

/**
 * The newest frame with this table on the stack that the mutator runs on, in whichever chunk; when `after` is a frame, the
 * newest of those that are older. NULL when there is none. The address is good until the next call that may collect.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `after` is NULL or a frame of the stack that it runs on, and the window's
 * `sp` is that stack's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ size_t *barrow_stack_find(struct barrow_mutator *mutator,
                          const struct barrow_info *table,
                          const size_t *after);

/**
 * Takes all frames off that are newer than `frame`, in whichever chunk that lies; with NULL, all frames of the stack. `frame`
 * is the newest one afterwards: where an exception is caught, or control goes to a continuation. Objects under
 * update frames that go stay as they are, perhaps blackholes: who needs them updates them before. Never collects.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `frame` is NULL or a frame of the stack that it runs on, and the window's
 * `sp` is that stack's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stack_cut(struct barrow_mutator *mutator,
                                    const size_t *frame);

/**
 * Makes an object of copies of the frames that are newer than `until`, or with NULL of all frames: a continuation, for
 * `barrow_stack_reinstate`, as often as one likes. The stack stays as it is. The object is a stack, with the same stop frame
 * and no words beside; it may be entered too, and is used up then. Never collects, but the overflow hook may. NULL when something is
 * wrong, when that hook has refused, or when it has collected with `--squeeze` and frames have become one: `until` is looked for again then.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `until` is NULL or a frame of the stack that it runs on, and the window's
 * `sp` is that stack's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ void *barrow_stack_capture(struct barrow_mutator *mutator,
                           const size_t *until);

/**
 * Puts copies of the frames of `part` on the stack that the mutator runs on, in the same order. Makes room as
 * `barrow_stack_grow` does, and never collects, but the overflow hook may. False when something is wrong, or when that hook has refused.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `part` was given by `barrow_stack_capture`, and the window's `sp` is that of
 * the stack that the mutator runs on.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ bool barrow_stack_reinstate(struct barrow_mutator *mutator,
                            void *part);

/**
 * Lets the mutator run on the stack of a thread, an object of kind `BARROW_THREAD`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thread` is a thread; the window's `sp` is that of the stack that it
 * runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_thread_enter(struct barrow_mutator *mutator,
                                       void *thread);

/**
 * Puts the stack that the mutator runs on into a thread; the mutator runs on none afterwards.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `thread` is a thread; the window's `sp` is that of the stack that it
 * runs on, if any.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_thread_leave(struct barrow_mutator *mutator,
                                       void *thread);

/* ---- 14. Statistics ------------------------------------------------------------------------------------------ */

/* Each struct begins with its size, which the caller sets, so that an older program gets the fields that it knows. */

/**
 * The number of buckets for pauses by their length.
 */
#define BARROW_PAUSE_BUCKETS 32

/**
 * Figures of a heap since it was made, in bytes unless a name says otherwise. The client's, filled by the call.
 *
 * The resident memory has these parts: `live_bytes` (everything in old steps, dead or alive, that no
 * collection has freed yet, `large_bytes` included), `nursery_bytes` (the memory in which objects are made:
 * the nursery and the pools of `barrow_allocate`), `fragmentation_bytes`, `overhead_bytes`,
 * `side_table_bytes`, `free_bytes`. They add up to `resident_bytes`, the memory that the heap holds; the
 * system has not given the pages yet that were never written.
 */
typedef struct barrow_stats_t {
  /** In: `sizeof(barrow_stats_t)`. */
  uint32_t size;
  /** How many generations there are. */
  uint32_t generations;
  /** Collections so far, major ones included. */
  uint64_t collections;
  /** Collections of all generations so far. */
  uint64_t major_collections;
  /** Bytes of objects that were made so far. */
  uint64_t allocated_bytes;
  /** Bytes that collections copied so far. */
  uint64_t copied_bytes;
  /** The most bytes that were alive after a collection. */
  uint64_t max_live_bytes;
  /** Bytes of objects in old steps that no collection has freed yet. */
  uint64_t live_bytes;
  /** Bytes of the nursery and of the pools of `barrow_allocate`. */
  uint64_t nursery_bytes;
  /** Bytes of large objects, which `live_bytes` includes. */
  uint64_t large_bytes;
  /** Bytes of blocks in use that are no object's. */
  uint64_t fragmentation_bytes;
  /** Bytes of descriptors, remembered entries and the library's tables. */
  uint64_t overhead_bytes;
  /** Bytes of the side tables of profilers. */
  uint64_t side_table_bytes;
  /** Bytes that the heap holds and has no use for at present. */
  uint64_t free_bytes;
  /** Bytes of the system's memory that the heap holds. */
  uint64_t resident_bytes;
  /** The most bytes that the heap held, with the tables as they are now. */
  uint64_t peak_resident_bytes;
  /** Bytes that were given back to the system so far. */
  uint64_t returned_bytes;
  /** Bytes outside the heap that the client has told of (`barrow_external_bytes`). */
  uint64_t external_bytes;
  /** Nanoseconds of collections, by the clock. */
  uint64_t gc_wall_ns;
  /** Nanoseconds of processor time of collections: of threads that collect, and of those that take part. */
  uint64_t gc_cpu_ns;
  /** Nanoseconds since the heap was made that were neither collections nor profiling. */
  uint64_t mutator_wall_ns;
  /**
   * Nanoseconds of processor time of the program, without collections and profiling; in a heap that takes several
   * mutators of all its threads, also of those in foreign code while others collect.
   */
  uint64_t mutator_cpu_ns;
  /** Nanoseconds of the longest pause. */
  uint64_t max_pause_ns;
  /**
   * Number of pauses by their length: bucket i counts those below 2^i microseconds and not below half
   * of that.
   */
  uint64_t pauses[BARROW_PAUSE_BUCKETS];
  /** Number of major collections that compacted in place. */
  uint64_t compactions;
  /** The last compaction: bytes that the heap held when it began. */
  uint64_t compaction_held_bytes;
  /** The last compaction: the most bytes that the heap held meanwhile, without the bitmap of what lives. */
  uint64_t compaction_peak_bytes;
  /** The last compaction: bytes of that bitmap. */
  uint64_t compaction_bitmap_bytes;
  /** Times that the other mutators of the heap were stopped, for a collection most often. */
  uint64_t stops;
  /** Nanoseconds for which all these stops waited until the others stood. */
  uint64_t stop_ns;
  /** Nanoseconds for which the longest of them waited. */
  uint64_t max_stop_ns;
  /**
   * The number of the thread that was the last to stand in the longest stop, as `--slow-stop` tells it; 0 for
   * none.
   */
  uint64_t max_stop_thread;
  /** Number of stops by that time, in buckets as those of `pauses`. */
  uint64_t stop_waits[BARROW_PAUSE_BUCKETS];
} barrow_stats_t;

/**
 * Reads the statistics of a heap. With the `size` of a former version, those that it had.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to statistics with their `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_stats(struct barrow_heap *heap, struct barrow_stats_t *out);

/* ---- 15. Finding mistakes ------------------------------------------------------------------------------------ */

/* docs/debugging.md goes from a symptom to the call or the flag. */

/**
 * The sanity walk: every object, pointer, remembered slot and block. A safepoint: outside checking mode (`-DS`,
 * `-DZ`) it collects first. `BARROW_E_DAMAGED` says in its sentence what is wrong where.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ enum barrow_status barrow_check(struct barrow_mutator *mutator);

/**
 * `barrow_held.hold`: a root or a field refers to the next object.
 */
#define BARROW_HELD_BY_FIELD 0

/**
 * `barrow_held.hold`: the code of the object, or a frame of the stack, mentions the next object, which
 * is a static.
 */
#define BARROW_HELD_BY_CODE 1

/**
 * `barrow_held.hold`: the object is the key of a weak pointer, and the next object is its value, its
 * finalizer, or the weak pointer.
 */
#define BARROW_HELD_BY_KEY 2

/**
 * A step of the way from a root to an object: a root or an object, and the place where it refers to the next
 * one. The client's array, filled by the call; addresses are good until the next collection.
 */
typedef struct barrow_held {
  /** The object; NULL for a root, which is the first step. */
  const void *object;
  /**
   * Address of the word that refers to the next object; in the last step, the address that was asked
   * for. NULL when there is no such word, or none that stays. For a frame on the stack, it is a local
   * variable.
   */
  const void *slot;
  /** The name of the object in its table, or the name of the roots; NULL for neither. */
  const char *name;
  /** Words of the object; 0 for a root. */
  size_t words;
  /** The way in which it holds the next object: `BARROW_HELD_BY_FIELD` and its like. */
  uint32_t hold;
  /** Generation of the object; -1 for a root and for a static. */
  int32_t generation;
} barrow_held;

/**
 * Why is this address alive? Gives a shortest way from a root of any mutator to the object that it lies in: `*out_count`
 * steps, the root first, which stay until the mutator asks again or is detached. The call itself moves and collects nothing, so a debugger may make it
 * where the client stands. `BARROW_E_ARG` when no root leads there. `BARROW_E_STATE` when another thread has collected while
 * the call waited for it, and objects have moved: the caller asks again, with the address as it is then.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Objects are well-formed. Every live reference is in a root. The out-pointers are writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_why(struct barrow_mutator *mutator,
                              const void *address,
                              const struct barrow_held **out_steps,
                              size_t *out_count);

/**
 * A move of an object, in checking mode. The client's, filled by the call; its `reason` lives as long as the
 * process.
 */
typedef struct barrow_moved {
  /** In: `sizeof(barrow_moved)`. */
  uint32_t size;
  /** Out: the oldest generation that the collection collected. */
  uint32_t generation;
  /**
   * Out: the number of the collection since the heap was made, from 1; 0 when none is known. `--stop-at` stops
   * before it in a further run.
   */
  uint64_t collection;
  /** Out: where the object was. */
  const void *from;
  /** Out: where the object is after the collection; NULL when it was freed. */
  const void *to;
  /** Out: why the collection ran. */
  const char *reason;
} barrow_moved;

/**
 * In checking mode (`-DS`, `-DZ`, `-DL`): the last collection that moved an object to this address. Only recent
 * collections are remembered; `collection` is 0 when none of them did.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. `out` is writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_moved_here(struct barrow_mutator *mutator,
                                     const void *address,
                                     struct barrow_moved *out);

/**
 * In checking mode: the last collection that moved an object away from this address, which a stale reference still
 * holds. `out` is filled as by `barrow_moved_here`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. `out` is writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_moved_away(struct barrow_mutator *mutator,
                                     const void *address,
                                     struct barrow_moved *out);

/* ---- 16. The heap's own parts -------------------------------------------------------------------------------- */

/* Blocks, steps and generations as they lie in memory, for runtimes that look at them as the Glasgow documents do. */

/**
 * An address. It may be NULL, tagged or foreign; nothing is promised about what lies there.
 */
typedef size_t barrow_address;

/**
 * The address of a descriptor; may be NULL.
 */
typedef struct barrow_bdescr *barrow_block;

/**
 * A block of the heap, described: at the offset that `barrow_bdescr_of` (barrow/inline.h) computes. The library
 * owns it and changes it in every call that takes memory; the heap's own thread may read it. All twelve fields
 * have their offsets in the ABI.
 */
typedef struct barrow_bdescr {
  /** First byte of the block. */
  barrow_address start;
  /** First free byte of the group, in its head; null in other blocks. */
  barrow_address free;
  /** Number of blocks of the group, in its head. */
  uint32_t blocks;
  /** The generation that the block belongs to, in the head of its group. */
  uint8_t generation;
  /** The step of that generation. */
  uint8_t step;
  /** The collector's. */
  uint16_t flags;
  /** The next group of its list, in a head; the head of the group, in other blocks. */
  barrow_block link;
  /** The group before, in the head of a group in a doubly linked list. */
  barrow_block back;
  /** End of the part that a compaction will fill; null when nothing goes there. */
  barrow_address scanned;
  /** Words of a slot, in a pinned block. */
  uint32_t slot_words;
  /** The old generation of a group of objects that do not move, while a collection keeps it. */
  uint32_t was;
  /** Bytes before the object, in a large group; in a chunk of the nursery that several mutators share, the shelf that it lies on. */
  size_t aux;
} barrow_bdescr;

/**
 * Gives a group of `blocks` adjacent blocks (`allocGroup`). The collector leaves it alone.
 *
 * The caller guarantees:
 * `heap` is live; `out_group` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ enum barrow_status barrow_alloc_group(struct barrow_heap *heap,
                                      size_t blocks,
                                      struct barrow_bdescr **out_group);

/**
 * Takes back a group that `barrow_alloc_group` gave (`freeGroup`).
 *
 * The caller guarantees:
 * `heap` is live; `group` was given by `barrow_alloc_group` of this heap.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_free_group(struct barrow_heap *heap, struct barrow_bdescr *group);

/**
 * Gives `count` adjacent megablocks (`getMBlocks`), without descriptors. They are freed with the heap.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_MUST_USE_ BARROW_NOT_NULL_ void *barrow_get_megablocks(struct barrow_heap *heap, size_t count);

/**
 * Recomputes free, used and overhead from the descriptors and compares them with the allocator's figures; and adds up the
 * parts of what is held.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_audit(struct barrow_heap *heap);

/**
 * The state of a heap as a whole. The client's, filled by the call; addresses in it are good until the next call
 * that takes memory.
 */
typedef struct barrow_heap_state_t {
  /** In: `sizeof(barrow_heap_state_t)`. */
  uint32_t size;
  /** How many generations there are. */
  uint32_t n_generations;
  /**
   * The first chunk of the nursery (`g0s0->blocks`); where there are several mutators, of the part that the first
   * of them holds, as in the next field and in those of the pool.
   */
  struct barrow_bdescr *nursery;
  /** The chunk that is in use. */
  struct barrow_bdescr *current_nursery;
  /** How many blocks the nursery has, with the parts of all mutators and chunks that none of them holds. */
  size_t nursery_blocks;
  /** The pool of `barrow_allocate` (`small_alloc_list`). */
  struct barrow_bdescr *small_alloc_list;
  /** Where the free part of the pool begins. */
  size_t *alloc_hp;
  /** The end of the free part. */
  size_t *alloc_hp_lim;
  /** Blocks that `barrow_allocate` took since the last collection. */
  size_t alloc_blocks;
  /** How many of them make a collection due. */
  size_t alloc_blocks_lim;
  /** Megablocks that are taken now. */
  size_t mblocks_allocated;
  /** The most that were taken at once. */
  size_t most_mblocks_allocated;
  /** Blocks of taken megablocks that are free. */
  size_t free_blocks;
  /** Blocks that are in use. */
  size_t used_blocks;
  /** Not 0: memory comes in chunks instead of one range. */
  uint32_t in_chunks;
  /** How often the reservation was refused, and halved. */
  uint32_t reservations_halved;
  /** Bytes of address space that are reserved. */
  size_t reserved_bytes;
} barrow_heap_state_t;

/**
 * Reads the state of a heap.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a state with its `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_heap_state(struct barrow_heap *heap, struct barrow_heap_state_t *out);

/**
 * The state of a generation. The client's, filled by the call.
 */
typedef struct barrow_generation_state_t {
  /** The number of the generation; 0 is the youngest. */
  uint32_t no;
  /** How many steps it has. */
  uint32_t n_steps;
  /** The generation is collected next time when step 0 has more blocks than this. */
  size_t max_blocks;
  /** Entries that remember pointers from here to younger generations. */
  size_t n_remembered;
  /** Blocks that hold these entries. */
  size_t n_remembered_blocks;
  /** Collections that had it as their oldest generation. */
  uint64_t collections;
} barrow_generation_state_t;

/**
 * Reads the state of a generation.
 *
 * The caller guarantees:
 * `heap` is live; `out` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_generation_state(struct barrow_heap *heap,
                                           uint32_t generation,
                                           struct barrow_generation_state_t *out);

/**
 * The state of a step, which has objects that survived the same number of collections. The client's, filled by
 * the call; addresses in it are good until the next collection.
 */
typedef struct barrow_step_state_t {
  /** The number of the step: its age within its generation. */
  uint32_t no;
  /** 0. */
  uint32_t reserved;
  /** Groups that hold small objects, linked by `link`. */
  struct barrow_bdescr *blocks;
  /** How many blocks the groups of small objects have. */
  size_t n_blocks;
  /** Groups of one large object each, and blocks of pinned ones, linked by `link`. */
  struct barrow_bdescr *large_objects;
  /** How many blocks the groups of large and pinned objects have. */
  size_t n_large_blocks;
  /** Words of objects, dead or alive, that no collection has freed yet. */
  size_t live_words;
  /** Words of these that are in large objects. */
  size_t large_words;
} barrow_step_state_t;

/**
 * Reads the state of a step.
 *
 * The caller guarantees:
 * `heap` is live; `out` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_step_state(struct barrow_heap *heap,
                                     uint32_t generation,
                                     uint32_t step,
                                     struct barrow_step_state_t *out);

/* ---- 17. Heap profiles --------------------------------------------------------------------------------------- */

/* By type, maker, holder or use, over time: docs/profiling.md. A flag such as `-hy` starts one without a call. */

/**
 * Starts a heap profile, as flags of the heap would have done: "-hy -hdBranch,Leaf -i0.5". It takes -h, -i, -ib, -in,
 * -iw, -ix, -xt, -L and -R. A profile that runs is stopped first, with its files complete; the second one of a heap, or of a second
 * heap that lives beside it, writes `PROGRAM.2.hp`, and so on. BARROW_E_IO when a file cannot be written.
 * In a heap with several mutators, the call waits for the others as a collection does.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root. `flags` is NULL or ends with NUL.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_profile_start(struct barrow_mutator *mutator,
                                        const char *flags);

/**
 * Marks this moment in the heap profile that runs: `hp2ps` draws the mark at the time axis. BARROW_E_STATE when none runs.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_profile_mark(struct barrow_mutator *mutator);

/**
 * Stops the heap profile: its files are complete. Without one nothing happens.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_profile_stop(struct barrow_mutator *mutator);

/**
 * The sums of a census, in bytes of objects as they are laid out. The client's, filled by the call.
 */
typedef struct barrow_census_totals_t {
  /** In: `sizeof(barrow_census_totals_t)`. */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /** Censuses so far; 0 before the first. */
  uint64_t number;
  /** Bytes of all objects that were alive. */
  uint64_t live_bytes;
  /** How many objects were alive. */
  uint64_t live_objects;
} barrow_census_totals_t;

/**
 * A band of a census. The client's, filled by the call.
 */
typedef struct barrow_census_band_t {
  /** In: `sizeof(barrow_census_band_t)`. */
  uint32_t size;
  /** Bytes of the whole name, without the NUL, however much of it was asked for. */
  uint32_t name_length;
  /** Bytes of the objects in the band. */
  uint64_t bytes;
  /** How many objects are in the band. */
  uint64_t objects;
} barrow_census_band_t;

/**
 * Takes a census: collects everything, and counts the live objects.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_census(struct barrow_mutator *mutator);

/**
 * The sums of the last census.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to totals with their `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_census_totals(struct barrow_heap *heap, struct barrow_census_totals_t *out);

/**
 * How many bands the last census has, grouped `by` kind ('T'), type ('y'), description ('d'), module ('m'), info
 * table ('i') or, while a profile notes them, producer ('c') and allocation site ('a').
 *
 * The caller guarantees:
 * `heap` is live; `out_count` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_census_count(struct barrow_heap *heap,
                                       char by,
                                       size_t *out_count);

/**
 * Band number `index` of the last census, and as much of its name as `name`, of `room` bytes, can hold with a NUL.
 * The bands of one census add up to its live bytes. `name` may be NULL when `room` is 0.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a band with its `size` set; `name` has `room` writable bytes.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_census_band(struct barrow_heap *heap,
                                      char by,
                                      size_t index,
                                      struct barrow_census_band_t *out,
                                      char *name,
                                      size_t room);

/**
 * Collects everything, and writes the graph of what lives into the file `path`: every object with its address, size,
 * name and what it refers to, and every root with its name. `barrow convert FILE --to heapsnapshot` makes a file of it
 * that Chrome's developer tools open; docs/formats-snapshot.md says what is in it. The file is there as a whole or not
 * at all: BARROW_E_IO when it cannot be written, and a file that was there before stays.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root. `path` ends with NUL.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_snapshot(struct barrow_mutator *mutator,
                                   const char *path);

/**
 * Writes the samples that were taken so far (`--sample-every`) into the file `path`, as pprof's heap profile: objects and bytes
 * that were allocated, and that were alive when they were last collected, scaled by the sampling; `go tool pprof` shows it, and with
 * `-base` the difference of two. Nothing is collected. BARROW_E_STATE when no samples are taken, BARROW_E_NOMEM when
 * they have ended for want of memory, BARROW_E_IO when the file cannot be written; a file that was there before stays then.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every object that was allocated is filled. `path` ends with NUL.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_samples_write(struct barrow_mutator *mutator,
                                        const char *path);

/* ---- 18. Retainers ------------------------------------------------------------------------------------------- */

/* Who keeps an object alive, for `-hr`. */

/**
 * The kinds that are retainers in lazy languages, which hold when `kinds` of `barrow_retainer_scheme` is 0:
 * thunks, mutable objects, stacks, threads and weak pointers.
 */
#define BARROW_RETAINERS_LAZY (\
  (uint64_t)1 << BARROW_MUT_VAR | \
  (uint64_t)1 << BARROW_ARRAY | \
  (uint64_t)1 << BARROW_THUNK | \
  (uint64_t)1 << BARROW_SELECTOR | \
  (uint64_t)1 << BARROW_AP | \
  (uint64_t)1 << BARROW_THUNK_STATIC | \
  (uint64_t)1 << BARROW_WEAK | \
  (uint64_t)1 << BARROW_STACK | \
  (uint64_t)1 << BARROW_THREAD)

/**
 * The kinds that are retainers in strict languages, for `kinds` of `barrow_retainer_scheme`: those of
 * `BARROW_RETAINERS_LAZY`, and functions with their captured values.
 */
#define BARROW_RETAINERS_STRICT (\
  (uint64_t)1 << BARROW_MUT_VAR | \
  (uint64_t)1 << BARROW_ARRAY | \
  (uint64_t)1 << BARROW_THUNK | \
  (uint64_t)1 << BARROW_SELECTOR | \
  (uint64_t)1 << BARROW_FUN | \
  (uint64_t)1 << BARROW_PAP | \
  (uint64_t)1 << BARROW_AP | \
  (uint64_t)1 << BARROW_THUNK_STATIC | \
  (uint64_t)1 << BARROW_WEAK | \
  (uint64_t)1 << BARROW_STACK | \
  (uint64_t)1 << BARROW_THREAD)

/**
 * The client's word on retainers. All of it may be left out. The client's struct, which the call copies; its
 * functions and the data behind `client` outlive the heap. The thread that collects calls them, or one that asks
 * (`barrow_retainer_of`, `barrow_retainer_text`, `barrow_retainer_name`, `barrow_retainers_by`), while others
 * run: one thread at a time.
 */
typedef struct barrow_retainer_scheme {
  /** `sizeof(barrow_retainer_scheme)`, as the caller knows it. */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /**
   * Bit k: objects of kind k are retainers; 0 for the library's choice (`BARROW_RETAINERS_LAZY`).
   * Objects that are mutable, or flagged in their info table, are retainers anyway.
   */
  uint64_t kinds;
  /**
   * Returns 1 for a retainer, 0 for any other object, -1 to leave it to flags and kinds. The answer
   * for an object must stay the same throughout a census.
   */
  int32_t (*is_retainer)(void *client, const void *object);
  /**
   * Returns the client's number for a retainer, below 2^30, the same throughout the run (so not its
   * address: objects move); 0 for the library's own name.
   */
  uint32_t (*identity)(void *client, const void *object);
  /** Writes the name that reports give to such a number, and returns its length. */
  size_t (*name)(void *client, uint32_t number, char *buffer, size_t bytes);
  /**
   * Returns the cost of an object of `bytes` bytes; without the function, the cost is its bytes. A sum
   * above 2^64 - 1 is shown as 2^64 - 1.
   */
  size_t (*cost)(void *client, const void *object, size_t bytes);
  /**
   * Returns the hash of such a number; the hash of a set is the sum of its members'. Without the
   * function, the library's hash is used.
   */
  uint32_t (*hash)(void *client, uint32_t number);
  /** Handed to every function of the scheme. */
  void *client;
} barrow_retainer_scheme;

/**
 * A set of retainers. The client's, filled by the call.
 */
typedef struct barrow_retainer_set_t {
  /** In: `sizeof(barrow_retainer_set_t)`. */
  uint32_t size;
  /** Retainers in the set; 0 for MANY, whose number is 1. */
  uint32_t members;
  /**
   * The cost of its objects at the last census. Where phases restrict the profile (`-hr -hbdrag`), the cost that
   * its file shows: until the profile ends, as if everything died now.
   */
  uint64_t cost;
  /** Objects of the set at that census, in whatever phase. */
  uint64_t objects;
  /** 1 when something was ever charged to the set: such sets are listed in the `.prof` file. */
  uint32_t charged;
  /** The sum of the members' hashes. */
  uint32_t hash;
} barrow_retainer_set_t;

/**
 * Sets the rules for retainers, their names and the costs of objects, from the next census on. NULL for the
 * library's own. Sets that are there get the hash of the new scheme at once; no function of the old one is called any more.
 *
 * The caller guarantees:
 * `heap` is live. The functions of the scheme stay callable until it gives way to another one, and touch the heap in no way.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainers_by(struct barrow_heap *heap,
                                       const struct barrow_retainer_scheme *scheme);

/**
 * How many numbers of sets there are: all are below this. Number 0 is no set, and 1 is MANY.
 *
 * The caller guarantees:
 * `heap` is live; `out_count` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_sets(struct barrow_heap *heap, size_t *out_count);

/**
 * One set of the last census.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a set with its `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_set(struct barrow_heap *heap,
                                       uint32_t number,
                                       struct barrow_retainer_set_t *out);

/**
 * The whole name of a member of a set, as the list in a `.prof` file has it: at most `bytes` with the NUL that ends it.
 * Gives the length of the whole name.
 *
 * The caller guarantees:
 * `heap` is live; `buffer` has room for `bytes`, or is NULL when that is 0; `out_length` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_name(struct barrow_heap *heap,
                                        uint32_t number,
                                        uint32_t member,
                                        char *buffer,
                                        size_t bytes,
                                        size_t *out_length);

/**
 * The name of a retainer in reports: at most `bytes` with the NUL that ends it, whole, or short as in bands. Gives
 * the length of all of it.
 *
 * The caller guarantees:
 * `heap` is live; `buffer` has room for `bytes`, or is NULL when that is 0; `out_length` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_text(struct barrow_heap *heap,
                                        uint32_t retainer,
                                        bool whole,
                                        char *buffer,
                                        size_t bytes,
                                        size_t *out_length);

/**
 * Asks the scheme in force about an object: whether it is a retainer, its identity (`R()` of the references: a
 * number that stays the same for the run), and its cost. Each out-pointer may be NULL.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is a whole object of its heap. The out-pointers are NULL or
 * writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_of(struct barrow_mutator *mutator,
                                      const void *object,
                                      bool *out_is_retainer,
                                      uint32_t *out_retainer,
                                      uint64_t *out_cost);

/**
 * The set of one object: who holds it now. Collects everything and walks over the whole heap, so it is for a debugger or a
 * question at a time. `*object` is a root for the collection, and where the object is afterwards, refused or not; 0 is the set of what
 * nothing else holds. The figures of all sets are those of this walk then, and with a profile by retainers still those of its last census. Refused while a
 * biography by retainers runs.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root. `object` points to the address of a whole object
 * of its heap; `out_set` is writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_set_of(struct barrow_mutator *mutator,
                                          void **object,
                                          uint32_t *out_set);

/**
 * The identity of objects that a cost-centre stack made. 0 for a pointer to no stack.
 *
 * The caller guarantees:
 * `stack` was given by this library, or is NULL.
 *
 * Threads: any, several at the same time.
 */
uint32_t barrow_retainer_of_ccs(const struct barrow_ccs *stack);

/**
 * The set with one member more than another: the same number for the same members in any order. Set 0 has none;
 * MANY stays MANY. Sets are those of the profiles of the heap, and stay until `barrow_retainer_sets_free`, or until
 * a profile by retainers begins.
 *
 * The caller guarantees:
 * `heap` is live; `out_set` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_set_add(struct barrow_heap *heap,
                                           uint32_t set,
                                           uint32_t retainer,
                                           uint32_t *out_set);

/**
 * Whether a retainer is a member of a set; every one is of MANY.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ bool barrow_retainer_set_has(struct barrow_heap *heap, uint32_t set, uint32_t retainer);

/**
 * Member number `index` of a set.
 *
 * The caller guarantees:
 * `heap` is live; `out_retainer` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_set_member(struct barrow_heap *heap,
                                              uint32_t set,
                                              uint32_t index,
                                              uint32_t *out_retainer);

/**
 * Makes the costs of all sets 0, and the store of sets when there is none.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_sets_refresh(struct barrow_heap *heap);

/**
 * Frees all sets. Refused while a profile by retainers runs.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_retainer_sets_free(struct barrow_heap *heap);

/* ---- 19. Biographies ----------------------------------------------------------------------------------------- */

/* When an object was made, used first and last, and dropped, for `-hb`; `barrow_use` of barrow/inline.h records uses. */

/**
 * Out of line part of `barrow_use`: the first use of an object in this era.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ void barrow_used(struct barrow_mutator *mutator,
                 const void *object);

/**
 * The address of an object's biography word, with its mark booked; NULL when there is none. Valid until the next
 * safepoint.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ size_t *barrow_biography_slow(struct barrow_mutator *mutator,
                              const void *object);

/**
 * Says that an object of `words` words, its header included, ends here, because it is about to be overwritten
 * (`LDV_recordDead`). An object that lies there afterwards counts as made now. `barrow_become`, `barrow_shrink` and
 * their like say so themselves. Does nothing for statics.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere. The
 * object is whole.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_dead(struct barrow_mutator *mutator,
                                      const void *object,
                                      size_t words);

/**
 * Says what `barrow_record_dead` says of an object that becomes one of two words: clears the words behind those, so that
 * nothing in them looks like an object (`LDV_recordDead_FILL_SLOP_DYNAMIC`).
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere. The
 * object is whole; the object may be written.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. The program orders it against other threads' uses of the object.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_record_dead_fill_slop(struct barrow_mutator *mutator,
                                                void *object);

/**
 * The number of censuses that the biography of the running profile has seen, or when none runs, that of the last
 * one. `by` is 'b' for the phases of -hb, or the letter of a break-down that -hb with phases restricts. While it
 * runs, its samples are as if everything died at this call; the calls for samples and bands that follow show them.
 *
 * The caller guarantees:
 * `heap` is live; `out_count` is writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_biography_samples(struct barrow_heap *heap,
                                            char by,
                                            size_t *out_count);

/**
 * The time of census number `sample` of a biography, in seconds of the mutator's CPU time, and the number of its
 * bands.
 *
 * The caller guarantees:
 * `heap` is live; `out_seconds` and `out_bands` are writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_biography_sample(struct barrow_heap *heap,
                                           char by,
                                           size_t sample,
                                           double *out_seconds,
                                           size_t *out_bands);

/**
 * Band number `index` of such a sample, and as much of its name as `name`, of `room` bytes, can hold with a NUL. Numbers
 * of objects are not kept: they are 0.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a band with its `size` set; `name` has `room` writable bytes.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_biography_band(struct barrow_heap *heap,
                                         char by,
                                         size_t sample,
                                         size_t index,
                                         struct barrow_census_band_t *out,
                                         char *name,
                                         size_t room);

/* ---- 20. Cost centres ---------------------------------------------------------------------------------------- */

/* Parts of a program that costs are booked to: docs/cost-centres.md. `barrow_ccs_enter` of barrow/inline.h enters one. */

/**
 * The costs that a definition has once, when it is evaluated: a module's, or one definition's.
 */
#define BARROW_CC_CAF 1

/**
 * A cost centre, as a compiler emits it. The client's static data, writable where it is to be entered quickly,
 * which all threads and heaps share; it lives as long as the process. `BARROW_CC` (barrow/inline.h) fills it in
 * C.
 */
typedef struct barrow_cc {
  /** `sizeof(barrow_cc)` as the caller knows it. */
  uint16_t size;
  /** `BARROW_CC_CAF`, or 0. */
  uint16_t flags;
  /** 0 in the client's data; the library writes the centre's number here, unless the memory is read-only. */
  uint32_t id;
  /** The name in reports; not NULL and not empty. */
  const char *label;
  /** NULL is the same as "". */
  const char *module;
  /** The place in the source: "File.src:3:1-20", "File.src:(3,1)-(5,20)"; NULL is "<no location info>". */
  const char *source;
} barrow_cc;

/**
 * Pushes that a stack remembers by itself: `memo[centre % 4]`.
 */
#define BARROW_CCS_MEMO 4

/**
 * A cost-centre stack. The library makes and owns it; it lives as long as the process, all threads and heaps
 * share it, and nothing in it changes but `memo`.
 */
typedef struct barrow_ccs {
  /** The results of the last pushes, by the low bits of the centre's number. */
  struct barrow_ccs *memo[BARROW_CCS_MEMO];
  /** The stack's number; 0 is MAIN. */
  uint32_t number;
  /** The number of its innermost centre. */
  uint32_t centre;
  /** Centres in it, MAIN left out. */
  uint32_t depth;
  /** The number of its outermost stack, MAIN left out. */
  uint32_t root;
  /** The stack without the innermost centre; NULL in MAIN. */
  const struct barrow_ccs *parent;
  /** The library's. */
  size_t reserved;
} barrow_ccs;

/**
 * The numbers of the stacks that the library has itself.
 */
typedef enum barrow_ccs_which {
  /** The bottom of every other stack. */
  BARROW_CCS_MAIN = 0,
  /** The runtime of the client's language. */
  BARROW_CCS_SYSTEM = 1,
  /** Collections. */
  BARROW_CCS_GC = 2,
  /** The costs of profiling. */
  BARROW_CCS_OVERHEAD = 3,
  /** Costs that are of no interest. */
  BARROW_CCS_DONT_CARE = 4,
  /** Memory of pinned objects that has no producer. */
  BARROW_CCS_PINNED = 5,
  /** Time in which nothing runs. */
  BARROW_CCS_IDLE = 6,
} barrow_ccs_which;

/**
 * The costs of one cost-centre stack in one heap, as long as a stack; `barrow_cost_of` (barrow/inline.h) finds
 * them. The heap owns them, or with `--mutators` each mutator its own, with which they go; its own thread writes
 * them, and the time profile's ticker adds to `ticks`.
 */
typedef struct barrow_cost {
  /** Bytes allocated while the stack was current. */
  uint64_t bytes;
  /** Entries of its innermost centre, from elsewhere or from itself. */
  uint64_t entries;
  /** Ticks of the time profile, to which the ticker's thread adds. */
  uint64_t ticks;
  /** 0. */
  uint64_t reserved[5];
} barrow_cost;

/**
 * Gives numbers to cost centres that lie side by side, in their order. A centre that has a number keeps it; without
 * this call, it gets one when it is first entered. Numbers belong to no heap.
 *
 * The caller guarantees:
 * `centres` points to `count` cost centres; they stay until `barrow_module_unregister` is told of
 * them, or for ever.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_cc_register(struct barrow_cc *centres,
                                      size_t count);

/**
 * Out of line part of `barrow_ccs_enter`. Gives the stack that was current, which stays so when something is wrong.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `centre` is a cost centre in static data.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ struct barrow_ccs *barrow_ccs_enter_slow(struct barrow_mutator *mutator,
                                         struct barrow_cc *centre);

/**
 * Begins to evaluate a definition that is evaluated once: the stack is MAIN and the definition's (or its module's)
 * cost centre, whoever has asked for it. Gives the stack that was current.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `centre` is a cost centre in static data.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ struct barrow_ccs *barrow_ccs_enter_caf(struct barrow_mutator *mutator,
                                        struct barrow_cc *centre);

/**
 * Out of line part of `barrow_ccs_enter_function`. Gives the stack that was current.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `function` is a stack.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ struct barrow_ccs *barrow_ccs_enter_function_slow(struct barrow_mutator *mutator,
                                                  const struct barrow_ccs *function);

/**
 * Out of line part of `barrow_ccs_leave`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `to` is a stack.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_ccs_leave_slow(struct barrow_mutator *mutator, const struct barrow_ccs *to);

/**
 * The stack that comes of pushing a centre on a stack; nothing is entered. NULL when something is wrong.
 *
 * The caller guarantees:
 * `on` is a stack; `centre` is a cost centre, as for `barrow_cc_register`.
 *
 * Threads: any, several at the same time.
 */
struct barrow_ccs *barrow_ccs_push(const struct barrow_ccs *on, struct barrow_cc *centre);

/**
 * A stack that the library has itself: a `barrow_ccs_which`.
 *
 * Threads: any, several at the same time.
 */
struct barrow_ccs *barrow_ccs_special(uint32_t which);

/**
 * The stack of a number; NULL when no stack has it.
 *
 * Threads: any, several at the same time.
 */
struct barrow_ccs *barrow_ccs_of_number(uint32_t number);

/**
 * How many stacks there are in this process. Their numbers are 0 to one less.
 *
 * Threads: any, several at the same time.
 */
uint32_t barrow_ccs_count(void);

/**
 * The names of a cost centre, by its number. Any of the out-pointers may be NULL. The strings live as long as the process.
 *
 * The caller guarantees:
 * The out-pointers are NULL or writable.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_cc_names(uint32_t number,
                                   const char **label,
                                   const char **module,
                                   const char **source);

/**
 * Writes a stack to standard error, from the innermost centre out. NULL is the current one.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `stack` is NULL or a stack.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_ccs_print(struct barrow_mutator *mutator, const struct barrow_ccs *stack);

/**
 * An error is raised: with the flag `-xc`, its kind and the current stack are written to standard error, and when that
 * begins in a CAF, also those of `count` evaluations that wait for its value, innermost first. Without, nothing.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `kind` is a string; `enclosing` has `count` stacks.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_exception(struct barrow_mutator *mutator,
                                    const char *kind,
                                    const struct barrow_ccs *const *enclosing,
                                    size_t count);

/* ---- 21. Time and allocation by cost centre ------------------------------------------------------------------ */

/* What `-p` reports, as a file and as rows. */

/**
 * How much a time and allocation profile tells.
 */
typedef enum barrow_cost_detail {
  /** No profile. */
  BARROW_COST_NOTHING = 0,
  /** Stacks that cost something, in percent: `-p`. */
  BARROW_COST_STANDARD = 1,
  /** Percentages with ticks and bytes: `-P`. */
  BARROW_COST_DETAILED = 2,
  /** All stacks, with the library's own centres: `-pa`. */
  BARROW_COST_ALL = 3,
  /** All stacks in JSON: `-pj`. */
  BARROW_COST_JSON = 4,
} barrow_cost_detail;

/**
 * Flag of stacks whose costs are not the program's: collections, profiling and the like. Reports hide
 * them without `-pa`.
 */
#define BARROW_COST_HIDDEN 1

/**
 * Flag of stacks whose innermost centre is a CAF's.
 */
#define BARROW_COST_CAF 2

/**
 * A cost-centre stack with its costs. The client's array, filled by the call; names in it live as long as the
 * process.
 */
typedef struct barrow_cost_row {
  /** In: `sizeof(barrow_cost_row)`, in the first row. */
  uint32_t size;
  /** The number of the stack. */
  uint32_t number;
  /** The number of the parent; MAIN is its own parent. */
  uint32_t parent;
  /** The number of its newest child; 0 when there is none. */
  uint32_t first_child;
  /** The number of its parent's next older child; 0 when there is none. */
  uint32_t next_sibling;
  /** Number of centres in the stack, without MAIN. */
  uint32_t depth;
  /** The number of the innermost centre. */
  uint32_t centre;
  /** Sum of `BARROW_COST_HIDDEN` and `BARROW_COST_CAF`. */
  uint32_t flags;
  /** How often its innermost centre was entered. */
  uint64_t entries;
  /** Ticks of the clock while it was current. */
  uint64_t ticks;
  /** Bytes allocated while it was current. */
  uint64_t bytes;
  /** Its ticks with those that its children inherit, hidden ones left out. */
  uint64_t inherited_ticks;
  /** Its bytes with those that its children inherit, hidden ones left out. */
  uint64_t inherited_bytes;
  /** The label of the innermost centre. */
  const char *label;
  /** The module of the innermost centre. */
  const char *module;
  /** Where the innermost centre is in the source. */
  const char *source;
} barrow_cost_row;

/**
 * Writes the time and allocation profile as it is now. `file` is its name; NULL is the name that the flags give it;
 * BARROW_E_STATE if that is the file of a profile by retainers (`-hr` without `-p`).
 * `detail` is a `barrow_cost_detail`. A file appears under its name when it is whole.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `file` is NULL or a string.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_cost_report(struct barrow_mutator *mutator,
                                      const char *file,
                                      uint32_t detail);

/**
 * Fills rows with the first `count` stacks by number, and their costs as they are now. `out_count` is how many
 * stacks there are: ask with `count` 0 first. Inherited costs count all stacks.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `rows` has `count` rows, with its size in the first; `out_count` is NULL
 * or writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_costs(struct barrow_mutator *mutator,
                                struct barrow_cost_row *rows,
                                size_t count,
                                size_t *out_count);

/**
 * Counts a tick for each so many seconds of the mutator's CPU time from now on (`-V`), whatever was counted before; 0
 * ends it. Less than 0.0001 seconds is refused, and more than 3600; BARROW_E_STATE with `--tick-bytes`. The heaps of `-p` and its like begin by themselves.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_cost_ticks(struct barrow_mutator *mutator,
                                     double seconds);

/**
 * Books ticks to the current stack: for a client with a clock of its own, and for tests.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_cost_tick(struct barrow_mutator *mutator, uint64_t ticks);

/* ---- 22. Space and time by function -------------------------------------------------------------------------- */

/* What each function of a program allocates and keeps, without compiling it again: docs/function-space.md. */

/**
 * Bytes and objects allocated, and copied in total and out of each generation.
 */
#define BARROW_MANNER_SPACE 1

/**
 * Bytes and objects by kind of object.
 */
#define BARROW_MANNER_KINDS 2

/**
 * Number of calls, where compiled code counts them.
 */
#define BARROW_MANNER_CALLS 4

/**
 * Ticks of the clock at which it is at the top of the stack, and elsewhere.
 */
#define BARROW_MANNER_TIME 8

/**
 * The columns of the report by kind of object.
 */
typedef enum barrow_space_column {
  /** Constructors and everything that has no column of its own, weak pointers too. */
  BARROW_SPACE_COLUMN_RECORDS = 0,
  /** Constructors of two fields. */
  BARROW_SPACE_COLUMN_PAIRS = 1,
  /** Functions, partial applications and thunks. */
  BARROW_SPACE_COLUMN_CLOSURES = 2,
  /** Texts, which only `column_of` can tell from bytes. */
  BARROW_SPACE_COLUMN_STRINGS = 3,
  /** Arrays of pointers and of structs, and variables. */
  BARROW_SPACE_COLUMN_ARRAYS = 4,
  /** Arrays of bytes. */
  BARROW_SPACE_COLUMN_BYTE_ARRAYS = 5,
  /** Code that lies in the heap, which only `column_of` can tell. */
  BARROW_SPACE_COLUMN_CODE = 6,
  /** Weak arrays. */
  BARROW_SPACE_COLUMN_WEAK_ARRAYS = 7,
} barrow_space_column;

/**
 * The wishes for a space profile. All zero but the size: allocation and copies of every function, up to 64 MiB.
 * The client's struct, which the call copies; its functions and the data behind `client` outlive the profile.
 */
typedef struct barrow_space_options {
  /** In: `sizeof(barrow_space_options)`. */
  uint32_t size;
  /**
   * The figures to record of each function for which `manner_of` does not choose: bits
   * BARROW_MANNER_SPACE, BARROW_MANNER_KINDS, BARROW_MANNER_CALLS and BARROW_MANNER_TIME; 0 for the
   * first alone.
   */
  uint32_t manner;
  /**
   * The figures to record of one function, asked for when it comes up: by its word in the window, or when that is
   * NULL, by the return address of an allocation. 0 leaves the function out. It is called in the middle of an
   * allocation and must not use the heap. May be NULL.
   */
  uint32_t (*manner_of)(void *client, void *function, void *site);
  /**
   * The column of a kind of object; a number of no column leaves it to the library. Called in collections too.
   * May be NULL. The outermost profile's function counts.
   */
  uint32_t (*column_of)(void *client, const struct barrow_info *info);
  /**
   * The name of a word in the window, asked for when the profile ends; NULL for none. May be NULL. A word without
   * has the name of the counted function whose word it is (`BARROW_COUNTED_FUNCTION`), or is taken for an address of code.
   */
  const char *(*name_of)(void *client, void *function);
  /** Handed to the callbacks. */
  void *client;
  /** Not 0: live data is recorded by function, after collections. */
  uint32_t live;
  /** 0. */
  uint32_t reserved;
  /**
   * The most bytes that the profiler holds, besides side tables, results, and the clock's notes; new functions
   * count together when more would be needed. 0 for 64 MiB. Fewer than it begins with are refused, with a
   * sentence that says how many these are.
   */
  size_t limit_bytes;
  /**
   * Bytes of these for live data at points of time, which are thinned when they fill them. 0 for a
   * quarter.
   */
  size_t points_bytes;
  /**
   * Microseconds of CPU time between ticks of the clock, for BARROW_MANNER_TIME; 0 for no clock. Of nested profiles,
   * the first that asks has it.
   */
  uint32_t tick_us;
  /** The depth to which callers of running functions are kept. */
  uint32_t depth;
  /**
   * After a tick, at the next allocation: writes the functions on the stack into `functions`, the running one
   * first, at most `room`, and gives how many: with none, the time is that of "(unknown)". It must not use the
   * heap. NULL: the word in the window is the function that runs, and nothing else is known.
   */
  size_t (*walk)(void *client, struct barrow_mutator *mutator, void **functions, size_t room);
  /** Not 0: `walk` gives return addresses, and not words of the client's. */
  uint32_t walk_tells_code;
  /** 0. */
  uint32_t reserved2;
} barrow_space_options;

/**
 * The sums of a space profile. Sizes are bytes. The client's, filled by the call.
 */
typedef struct barrow_space_totals_t {
  /** In: `sizeof(barrow_space_totals_t)`. */
  uint32_t size;
  /** Generations that objects were copied out of. */
  uint32_t generations;
  /** How many functions were met. */
  uint64_t functions;
  /** How many collections ran meanwhile. */
  uint64_t collections;
  /** Bytes that functions allocated. */
  uint64_t allocated_bytes;
  /** Objects that functions allocated. */
  uint64_t allocated_objects;
  /** Bytes that collections copied, each time. */
  uint64_t copied_bytes;
  /** Objects that collections copied, each time. */
  uint64_t copied_objects;
  /** Bytes allocated by functions that were left out. */
  uint64_t unprofiled_bytes;
  /** Objects allocated by functions that were left out. */
  uint64_t unprofiled_objects;
  /** The most that the profiler held. */
  uint64_t used_bytes;
  /** The bytes of its side table. */
  uint64_t side_table_bytes;
  /** CPU time of the profiler's own work before and after collections. */
  uint64_t profiler_ns;
  /** Points of time at which live data was recorded. */
  uint64_t points;
  /** Local maxima of the heap at which live data was recorded. */
  uint64_t maxima;
  /** 0 when memory was short: some functions count together, or some copies were not counted. */
  uint32_t complete;
  /** Microseconds of a tick; 0 when time was not sampled. */
  uint32_t tick_us;
  /** Ticks of the clock that found functions running. */
  uint64_t ticks;
  /** Ticks during collections. */
  uint64_t ticks_collecting;
  /** Ticks during the profiler's own work. */
  uint64_t ticks_profiling;
  /**
   * Ticks for which memory was short, or which waited for `walk` when the mutator went or a profile began, was
   * suspended or ended.
   */
  uint64_t ticks_lost;
  /** Nodes in the tree of callers. */
  uint64_t callers;
} barrow_space_totals_t;

/**
 * The figures of one function in a space profile. Sizes are bytes. The client's, filled by the call.
 */
typedef struct barrow_space_function_t {
  /** In: `sizeof(barrow_space_function_t)`. */
  uint32_t size;
  /** Bytes of the whole name, without the NUL, however much of it was asked for. */
  uint32_t name_length;
  /** The client's word, or 0. */
  size_t word;
  /** The offset in the file of its module of the first place that allocates; 0 when that is not known. */
  size_t offset;
  /** Places in the function that allocate. */
  uint32_t sites;
  /** Not 0 when the function was recorded by kind. */
  uint32_t has_kinds;
  /** Bytes that it allocated. */
  uint64_t allocated_bytes;
  /** How many objects it allocated. */
  uint64_t allocated_objects;
  /** Bytes of its objects that collections copied, each time. */
  uint64_t copied_bytes;
  /** How many of its objects were copied, each time. */
  uint64_t copied_objects;
  /** Copied bytes by the generation that they were copied out of. */
  uint64_t copied_bytes_from[8];
  /** Copied objects by the generation that they were copied out of. */
  uint64_t copied_objects_from[8];
  /** Bytes of its objects that were in the heap after the last collection of each generation. */
  uint64_t live_bytes;
  /** Ticks of the clock that found it running. */
  uint64_t ticks_top;
  /** Ticks that found it elsewhere on the stack, once each. */
  uint64_t ticks_elsewhere;
  /** Calls, with BARROW_MANNER_CALLS, where compiled code counts them. */
  uint64_t calls;
} barrow_space_function_t;

/**
 * The figures of one function and one kind of object. The client's, filled by the call.
 */
typedef struct barrow_space_kind_t {
  /** In: `sizeof(barrow_space_kind_t)`. */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /** How many objects of the kind it allocated. */
  uint64_t objects;
  /** Bytes of these objects. */
  uint64_t bytes;
  /** Bytes of these that are headers, lengths, words kept for results, cards, padding. */
  uint64_t overhead;
} barrow_space_kind_t;

/**
 * Begins to count the allocation of each function and its copies, in any program, as it was compiled. A function is
 * told by `function` in the window, or else by the code that the allocation returns to. Profiles nest:
 * `out_profile` is the number by which this one ends.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root. `options` is as described; its
 * callbacks and `client` stay until the profile ends.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_begin(struct barrow_mutator *mutator,
                                      const struct barrow_space_options *options,
                                      uint32_t *out_profile);

/**
 * Ends the profile that began last and has not ended. Its results are there until another one begins in a heap
 * without any, or ends, or `barrow_space_forget`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_end(struct barrow_mutator *mutator,
                                    uint32_t profile);

/**
 * Suspends all space profiles of the heap, until they are resumed as often: nothing is counted meanwhile.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_suspend(struct barrow_mutator *mutator);

/**
 * Goes on after `barrow_space_suspend`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_resume(struct barrow_mutator *mutator);

/**
 * Collects everything, and records the live objects of each function as a point of time of the profiles that run. While they are
 * suspended it is refused with `BARROW_E_STATE`.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's. Every live reference is in a root.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_point(struct barrow_mutator *mutator);

/**
 * Frees the results of the last profile.
 *
 * The caller guarantees:
 * `heap` is live.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_forget(struct barrow_heap *heap);

/**
 * The sums of the profile that ended last.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to totals with their `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_totals(struct barrow_heap *heap, struct barrow_space_totals_t *out);

/**
 * Function number `index` of the profile that ended last, and as much of its name as `name`, of `room` bytes, can
 * hold with a NUL. Functions that allocate most come first. `name` may be NULL when `room` is 0.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a function with its `size` set; `name` has `room` writable bytes.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_function(struct barrow_heap *heap,
                                         size_t index,
                                         struct barrow_space_function_t *out,
                                         char *name,
                                         size_t room);

/**
 * The objects that function number `index` has made of the kinds in `column` (line 0), or the share of these that
 * was copied out of generation `line - 1`.
 *
 * The caller guarantees:
 * `heap` is live; `out` points to a kind with its `size` set.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_kind(struct barrow_heap *heap,
                                     size_t index,
                                     size_t line,
                                     size_t column,
                                     struct barrow_space_kind_t *out);

/**
 * Node number `index` in the tree of callers: how many ticks found function number `*out_function` as the caller of node
 * `*out_parent - 1`, or running, when that is 0. A parent comes before its children.
 *
 * The caller guarantees:
 * `heap` is live; the out-pointers are writable.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_caller(struct barrow_heap *heap,
                                       size_t index,
                                       size_t *out_parent,
                                       size_t *out_function,
                                       uint64_t *out_ticks);

/**
 * Writes the results of the last profile into a file: 's' simple, 'c' with copies by generation, 'f' full, with
 * kinds, 'j' everything as JSON, 'h' live data at points of time as a heap profile (.hp).
 *
 * The caller guarantees:
 * `heap` is live; `path` ends with NUL.
 *
 * Threads: any, outside callbacks; in a heap that takes one mutator, that one's when there is one, else one at a time.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_space_report(struct barrow_heap *heap,
                                       const char *path,
                                       char format);

/**
 * For `walk` of `barrow_space_options`, with `walk_tells_code`: the functions on the machine's own stack, by the unwind
 * tables that compilers write anyway. Nothing has to be compiled for it. Calls from a function without such a table, and
 * what is below them, are not seen.
 *
 * The caller guarantees:
 * The profiler calls it, or a `walk` of the client's with its own arguments.
 *
 * Threads: the callback's, until it returns.
 */
size_t barrow_walk_code(void *client,
                        struct barrow_mutator *mutator,
                        void **functions,
                        size_t room);

/**
 * Gives the functions of `barrow_walk_code` that have a frame of the shadow stack, ours or LLVM's: the ones that a
 * compiler made, without the C around them. A frame of the shadow stack belongs to the function in whose own frame
 * it lies.
 *
 * The caller guarantees:
 * The profiler calls it, or a `walk` of the client's with its own arguments; the frames are on the machine's stack.
 *
 * Threads: the callback's, until it returns.
 */
size_t barrow_walk_frames(void *client,
                          struct barrow_mutator *mutator,
                          void **functions,
                          size_t room);

/**
 * For `walk` of `barrow_space_options`: the frames of the stack object that the mutator runs on, and of the chunks that
 * it continues. Each is told by its info table, whose name it has in reports when `name_of` gives it none. None at all
 * while the mutator runs on no stack, or when the window's `sp` is not in it.
 *
 * The caller guarantees:
 * The profiler calls it, or a `walk` of the client's with its own arguments.
 *
 * Threads: the callback's, until it returns.
 */
size_t barrow_walk_stack(void *client,
                         struct barrow_mutator *mutator,
                         void **functions,
                         size_t room);

/* ---- 23. Ticky counters -------------------------------------------------------------------------------------- */

/* Events of compiled code, for those who write compilers: docs/ticky.md; barrow/ticky.h has the macros that count. */

/**
 * Other modules use it: reports write Module.name, not name (Module).
 */
#define BARROW_TICKY_EXPORTED 1

/**
 * A function, thunk or constructor of which entries and allocation are counted, as a compiler emits it. The
 * client's static data, writable where it is to be counted quickly, which threads and heaps share; it lives
 * until `barrow_module_unregister`. `BARROW_TICKY_FUNCTION` (barrow/ticky.h) fills it in C.
 */
typedef struct barrow_ticky_function {
  /** `sizeof(barrow_ticky_function)` as the caller knows it. */
  uint16_t size;
  /** `BARROW_TICKY_EXPORTED`, or 0. */
  uint16_t flags;
  /** 0 in the client's data; the library writes the function's number here, unless the memory is read-only. */
  uint32_t id;
  /** Arguments that the function takes. */
  uint32_t arity;
  /** 0. */
  uint32_t reserved;
  /** The name in reports; not NULL and not empty. */
  const char *name;
  /** NULL is the same as "". */
  const char *module;
  /** A letter for each argument (docs/ticky.md); NULL is the same as "". */
  const char *arguments;
  /** "fun", "fun,se", "thk", "con: Just", ...; NULL is "fun". */
  const char *what;
  /** The function that it is local to; NULL for none, or when it is not known. */
  const char *parent;
  /**
   * Address of its code, or the word that stands for it in `barrow_window.function`, by which a space
   * profile finds its calls; NULL for no space profiles. Not read when `size` leaves it out.
   */
  const void *code;
} barrow_ticky_function;

/**
 * The counts of one function of the client in one heap. The heap owns it, or with `--mutators` each mutator its
 * own, with which it goes; only its own thread counts.
 */
typedef struct barrow_entry_count {
  /** Entries of the function. */
  uint64_t entries;
  /** Bytes that its code allocated. */
  uint64_t allocated_by;
  /** Bytes of its own closures. */
  uint64_t allocated_of;
} barrow_entry_count;

/**
 * The counters of one heap, to which `barrow_window.ticky` leads. The heap owns them for its whole life, or with
 * `--mutators` each mutator its own, until it is detached; only its own thread counts.
 */
typedef struct barrow_ticky {
  /** `sizeof(barrow_ticky)` as the library knows it, when the library fills the struct. */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /** Heap checks that took memory. */
  uint64_t alloc_heap_ctr;
  /** Bytes that heap checks took. */
  uint64_t alloc_heap_tot;
  /** Heap checks, whether they took anything or not. */
  uint64_t heap_chk_ctr;
  /** Stack checks. */
  uint64_t stk_chk_ctr;
  /** Objects made by calls of the library, which counts them. */
  uint64_t alloc_rts_ctr;
  /** Bytes of objects made by calls of the library. */
  uint64_t alloc_rts_tot;
  /** Functions allocated. */
  uint64_t alloc_fun_ctr;
  /** Bytes of allocated functions. */
  uint64_t alloc_fun_gds;
  /** Partial applications allocated. */
  uint64_t alloc_pap_ctr;
  /** Bytes of headers in partial applications. */
  uint64_t alloc_pap_adm;
  /** Bytes of partial applications. */
  uint64_t alloc_pap_gds;
  /** Thunks allocated that are updated. */
  uint64_t alloc_up_thk_ctr;
  /** Thunks allocated that are entered at most once. */
  uint64_t alloc_se_thk_ctr;
  /** Bytes of thunks. */
  uint64_t alloc_thk_gds;
  /** Constructors allocated. */
  uint64_t alloc_con_ctr;
  /** Bytes of constructors. */
  uint64_t alloc_con_gds;
  /** Primitive objects allocated: arrays, variables and the like. */
  uint64_t alloc_prim_ctr;
  /** Bytes of primitive objects. */
  uint64_t alloc_prim_gds;
  /** Bytes that primitive objects waste. */
  uint64_t alloc_prim_slp;
  /** Entries by way of a closure's info pointer. */
  uint64_t ent_via_node_ctr;
  /** Entries of static constructors. */
  uint64_t ent_static_con_ctr;
  /** Entries of constructors in the heap. */
  uint64_t ent_dyn_con_ctr;
  /** Direct entries of static functions. */
  uint64_t ent_static_fun_direct_ctr;
  /** Direct entries of functions in the heap. */
  uint64_t ent_dyn_fun_direct_ctr;
  /** Entries of let-no-escapes, which are code without a closure. */
  uint64_t ent_lne_ctr;
  /** Entries of static indirections. */
  uint64_t ent_static_ind_ctr;
  /** Entries of indirections in the heap. */
  uint64_t ent_dyn_ind_ctr;
  /** Entries of indirections that collections keep. */
  uint64_t ent_perm_ind_ctr;
  /** Entries of suspended applications. */
  uint64_t ent_ap_ctr;
  /** Entries of partial applications. */
  uint64_t ent_pap_ctr;
  /** Entries of suspended stacks. */
  uint64_t ent_ap_stack_ctr;
  /** Entries of blackholes. */
  uint64_t ent_bh_ctr;
  /** Entries of static thunks that are entered at most once. */
  uint64_t ent_static_thk_single_ctr;
  /** Entries of static thunks that are updated. */
  uint64_t ent_static_thk_many_ctr;
  /** Entries of thunks in the heap that are entered at most once. */
  uint64_t ent_dyn_thk_single_ctr;
  /** Entries of thunks in the heap that are updated. */
  uint64_t ent_dyn_thk_many_ctr;
  /** CAFs that became blackholes and are updated. */
  uint64_t upd_caf_bh_updatable_ctr;
  /** CAFs that became blackholes and are entered once. */
  uint64_t upd_caf_bh_single_entry_ctr;
  /** Calls of unknown functions with one vector of 16 bytes. */
  uint64_t slow_call_fast_v16_ctr;
  /** Calls of unknown functions with no value. */
  uint64_t slow_call_fast_v_ctr;
  /** Calls of unknown functions with a float. */
  uint64_t slow_call_fast_f_ctr;
  /** Calls of unknown functions with a double. */
  uint64_t slow_call_fast_d_ctr;
  /** Calls of unknown functions with a 64-bit number. */
  uint64_t slow_call_fast_l_ctr;
  /** Calls of unknown functions with a number. */
  uint64_t slow_call_fast_n_ctr;
  /** Calls of unknown functions with a pointer. */
  uint64_t slow_call_fast_p_ctr;
  /** Calls of unknown functions with one pointer and no value. */
  uint64_t slow_call_fast_pv_ctr;
  /** Calls of unknown functions with two pointers. */
  uint64_t slow_call_fast_pp_ctr;
  /** Calls of unknown functions with two pointers and no value. */
  uint64_t slow_call_fast_ppv_ctr;
  /** Calls of unknown functions with three pointers. */
  uint64_t slow_call_fast_ppp_ctr;
  /** Calls of unknown functions with three pointers and no value. */
  uint64_t slow_call_fast_pppv_ctr;
  /** Calls of unknown functions with four pointers. */
  uint64_t slow_call_fast_pppp_ctr;
  /** Calls of unknown functions with five pointers. */
  uint64_t slow_call_fast_ppppp_ctr;
  /** Calls of unknown functions with six pointers. */
  uint64_t slow_call_fast_pppppp_ctr;
  /** Calls of unknown functions with a pattern that has no counter. */
  uint64_t very_slow_call_ctr;
  /** Calls of functions that nothing is known of. */
  uint64_t unknown_call_ctr;
  /** Calls of known functions with as many arguments as they take. */
  uint64_t known_call_ctr;
  /** Calls of known functions with fewer arguments than they take. */
  uint64_t known_call_too_few_args_ctr;
  /** Calls of known functions with more arguments than they take. */
  uint64_t known_call_extra_args_ctr;
  /** Calls whose arguments were passed in several chunks. */
  uint64_t multi_chunk_slow_call_ctr;
  /** The chunks of such calls. */
  uint64_t multi_chunk_slow_call_chunks_ctr;
  /** Calls that went the slow way. */
  uint64_t slow_call_ctr;
  /** Slow calls that found a function and had too few arguments. */
  uint64_t slow_call_fun_too_few_ctr;
  /** Slow calls that found a function and had as many as it takes. */
  uint64_t slow_call_fun_correct_ctr;
  /** Slow calls that found a function and had too many. */
  uint64_t slow_call_fun_too_many_ctr;
  /** Slow calls that found a partial application and had too few arguments. */
  uint64_t slow_call_pap_too_few_ctr;
  /** Slow calls that found a partial application and had as many as it lacks. */
  uint64_t slow_call_pap_correct_ctr;
  /** Slow calls that found a partial application and had too many. */
  uint64_t slow_call_pap_too_many_ctr;
  /** Slow calls that found a thunk. */
  uint64_t slow_call_unevald_ctr;
  /** Returns of a constructor that was just made. */
  uint64_t ret_new_ctr;
  /** Returns of a constructor that was there. */
  uint64_t ret_old_ctr;
  /** Returns of an unboxed tuple. */
  uint64_t ret_unboxed_tup_ctr;
  /** Returns of new constructors by the number of fields, from 0 to "8 and more". */
  uint64_t ret_new_hst[9];
  /** Returns of old constructors by the number of fields. */
  uint64_t ret_old_hst[9];
  /** Returns of unboxed tuples by the number of fields. */
  uint64_t ret_unboxed_tup_hst[9];
  /** Update frames that were not needed. */
  uint64_t updf_omitted_ctr;
  /** Update frames pushed. */
  uint64_t updf_pushed_ctr;
  /** Catch frames pushed. */
  uint64_t catchf_pushed_ctr;
  /** Update frames that restore a cost centre, pushed. */
  uint64_t updf_rcc_pushed_ctr;
  /** Update frames that restore a cost centre, not needed. */
  uint64_t updf_rcc_omitted_ctr;
  /** Updates saved by squeezing frames, which the library counts. */
  uint64_t upd_squeezed_ctr;
  /** Updates with a constructor, by an indirection to it. */
  uint64_t upd_con_in_new_ctr;
  /** Updates with a constructor, in place. */
  uint64_t upd_con_in_place_ctr;
  /** Updates with a partial application, by an indirection to it. */
  uint64_t upd_pap_in_new_ctr;
  /** Updates with a partial application, in place. */
  uint64_t upd_pap_in_place_ctr;
  /**
   * Young thunks that became indirections: counted by the library and its inline code, as the next three.
   */
  uint64_t upd_new_ind_ctr;
  /** Young thunks that became indirections which collections keep. */
  uint64_t upd_new_perm_ind_ctr;
  /** Old thunks that became indirections. */
  uint64_t upd_old_ind_ctr;
  /** Old thunks that became indirections which collections keep. */
  uint64_t upd_old_perm_ind_ctr;
  /** Selectors that collections could not evaluate: counted by the library, as the next two. */
  uint64_t gc_sel_abandoned_ctr;
  /** Selectors that minor collections evaluated. */
  uint64_t gc_sel_minor_ctr;
  /** Selectors that major collections evaluated. */
  uint64_t gc_sel_major_ctr;
  /**
   * References from an object that is not mutable to one that was copied into a younger generation before it was met:
   * counted by the library.
   */
  uint64_t gc_failed_promotion_ctr;
  /** Bytes of headers in functions. */
  uint64_t alloc_fun_adm;
  /** Bytes that functions waste. */
  uint64_t alloc_fun_slp;
  /** Sizes of functions in words, from 2 to "6 and more". */
  uint64_t alloc_fun_hst[5];
  /** Bytes of headers in thunks. */
  uint64_t alloc_thk_adm;
  /** Bytes that thunks waste. */
  uint64_t alloc_thk_slp;
  /** Sizes of thunks in words, from 2 to "6 and more". */
  uint64_t alloc_thk_hst[5];
  /** Bytes of headers in constructors. */
  uint64_t alloc_con_adm;
  /** Bytes that constructors waste. */
  uint64_t alloc_con_slp;
  /** Sizes of constructors in words, from 2 to "6 and more". */
  uint64_t alloc_con_hst[5];
  /** Big tuples allocated. */
  uint64_t alloc_tup_ctr;
  /** Bytes of headers in big tuples. */
  uint64_t alloc_tup_adm;
  /** Bytes of big tuples. */
  uint64_t alloc_tup_gds;
  /** Bytes that big tuples waste. */
  uint64_t alloc_tup_slp;
  /** Blackholes allocated. */
  uint64_t alloc_bh_ctr;
  /** Bytes of headers in blackholes. */
  uint64_t alloc_bh_adm;
  /** Bytes of blackholes. */
  uint64_t alloc_bh_gds;
  /** Bytes that blackholes waste. */
  uint64_t alloc_bh_slp;
  /** Sizes of blackholes in words, from 2 to "6 and more". */
  uint64_t alloc_bh_hst[5];
  /** Thread states allocated. */
  uint64_t alloc_tso_ctr;
  /** Bytes of headers in thread states. */
  uint64_t alloc_tso_adm;
  /** Bytes of thread states. */
  uint64_t alloc_tso_gds;
  /** Bytes that thread states waste. */
  uint64_t alloc_tso_slp;
  /** Sizes of thread states in words, from 2 to "6 and more". */
  uint64_t alloc_tso_hst[5];
  /** Bytes of headers in primitive objects. */
  uint64_t alloc_prim_adm;
  /** Sizes of primitive objects in words, from 2 to "6 and more". */
  uint64_t alloc_prim_hst[5];
  /** Bytes that partial applications waste. */
  uint64_t alloc_pap_slp;
  /** Sizes of partial applications in words, from 2 to "6 and more". */
  uint64_t alloc_pap_hst[5];
  /** Vectored returns. */
  uint64_t ret_vec_return_ctr;
  /** Vectored returns by the number of their alternatives, from 0 to "8 and more". */
  uint64_t ret_vec_return_hst[9];
  /** Frames that force a value. */
  uint64_t seqf_pushed_ctr;
  /** Updates with a new constructor, by its fields. */
  uint64_t upd_con_in_new_hst[9];
  /** Updates with a new partial application, by its words. */
  uint64_t upd_pap_in_new_hst[9];
  /** Bytes of large objects: counted by the library, as all that follow. */
  uint64_t alloc_large_tot;
  /** All bytes allocated. */
  uint64_t alloc_all_tot;
  /** Trips to the slow path of allocation. */
  uint64_t heap_chk_slow_ctr;
  /** Minor collections. */
  uint64_t gc_minor_ctr;
  /** Major collections. */
  uint64_t gc_major_ctr;
  /** Words that collections copied. */
  uint64_t gc_words_copied_ctr;
} barrow_ticky;

/**
 * The counts of one function, with its names. The client's array, filled by the call; the names live as long as
 * the process.
 */
typedef struct barrow_ticky_row_t {
  /** `sizeof(barrow_ticky_row_t)` as the caller knows it. */
  uint32_t size;
  /** The number of the function. */
  uint32_t number;
  /** Entries of the function. */
  uint64_t entries;
  /** Bytes that its code allocated. */
  uint64_t allocated_by;
  /** Bytes of its own closures. */
  uint64_t allocated_of;
  /** The name of the function. */
  const char *name;
  /** The module of the function. */
  const char *module;
  /** A letter for each argument (docs/ticky.md). */
  const char *arguments;
  /** "fun", "thk" and the like. */
  const char *what;
  /** The function that it is local to, or "". */
  const char *parent;
  /** Arguments that the function takes. */
  uint32_t arity;
  /** `BARROW_TICKY_EXPORTED`, or 0. */
  uint32_t flags;
} barrow_ticky_row_t;

/**
 * Gives numbers to functions that lie side by side, in their order. A function that has a number keeps it; without
 * this call, it gets one when it is first counted. Numbers belong to no heap.
 *
 * The caller guarantees:
 * `functions` points to `count` functions; they stay until `barrow_module_unregister` is told of them,
 * or for ever.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_ticky_register(struct barrow_ticky_function *functions,
                                         size_t count);

/**
 * The place where entries of a function are counted: out of line part of `BARROW_TICKY_ENTER` and its like. When
 * something is wrong, one whose counts are lost. The place stays as long as the heap, or with `--mutators` until the mutator is detached.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `of` is a function, as for `barrow_ticky_register`.
 *
 * Threads: the mutator's own, outside callbacks and foreign code.
 */
BARROW_NOT_NULL_ struct barrow_entry_count *barrow_ticky_row(struct barrow_mutator *mutator,
                                            struct barrow_ticky_function *of);

/**
 * Copies the counters as they are now, as many bytes as `out->size` says, and sets `out->size` to how many were copied.
 * Counters that the caller knows and the library does not are 0.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `out` points to a struct of `out->size` bytes.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_ticky_counters(struct barrow_mutator *mutator,
                                         struct barrow_ticky *out);

/**
 * The offset of a counter in `barrow_ticky`, in bytes, by its name in reports ("ALLOC_CON_ctr", "RET_NEW_hst"); -1
 * when there is none of that name.
 *
 * The caller guarantees:
 * `name` is NULL or a string.
 *
 * Threads: any, several at the same time.
 */
int64_t barrow_ticky_offset(const char *name);

/**
 * Fills rows with the first `count` functions that were entered or have allocated in this heap, newest first.
 * `out_count` is how many there are: ask with `count` 0 first.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `rows` has `count` rows, with its size in the first; `out_count` is NULL
 * or writable.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_ticky_functions(struct barrow_mutator *mutator,
                                          struct barrow_ticky_row_t *rows,
                                          size_t count,
                                          size_t *out_count);

/**
 * Writes the ticky counters as they are now. `file` is the report's name; NULL is the name that the flags give it. A file
 * appears under its name when it is whole.
 * In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
 *
 * The caller guarantees:
 * `mutator` is live and the calling thread's; `file` is NULL or a string.
 *
 * Threads: the mutator's own, outside callbacks and foreign code. Those of other mutators stand until it returns.
 */
BARROW_NOT_NULL_ enum barrow_status barrow_ticky_report(struct barrow_mutator *mutator,
                                       const char *file);

/* ---- 24. Coverage -------------------------------------------------------------------------------------------- */

/* Which parts of a program ran: docs/coverage.md. No heap is needed. */

/**
 * The file for counts. With `size` set, everything else may stay zero. The client's; the call copies what it
 * needs.
 */
typedef struct barrow_coverage_options {
  /** `sizeof(barrow_coverage_options)` as the caller knows it. */
  uint32_t size;
  /** Not 0: the variable HPCTIXFILE names the file, when it is set. */
  uint32_t environment;
  /** The `.tix` file; NULL is PROGRAM.tix in the current directory. */
  const char *file;
} barrow_coverage_options;

/**
 * A module that counts, as a compiler emits it. The client's static data; it lives until it is unregistered.
 * `BARROW_COVERAGE_MODULE` (barrow/inline.h) fills it in C.
 */
typedef struct barrow_coverage_module {
  /** `sizeof(barrow_coverage_module)` as the caller knows it. */
  uint32_t size;
  /** The hash of the module's `.mix` file. */
  uint32_t hash;
  /** "Main", "Data.List", or "package/Data.List" outside the main package. */
  const char *name;
  /** One for each box of the `.mix` file. The module's code increments them: `BARROW_TICK`. */
  uint64_t *counters;
  /** How many counters there are. */
  size_t count;
} barrow_coverage_module;

/**
 * A `.tix` file and the modules that are counted for it.
 *
 * The client frees it, with `barrow_coverage_free`. Threads may share it. It needs no heap. The registered counters
 * outlive it, or are unregistered.
 */
typedef struct barrow_coverage barrow_coverage;

/**
 * Begins to count for a `.tix` file. Counts in the file are kept and added to; a file that can not be read,
 * understood or written is told of now, with the line, and left as it is. `options` may be NULL.
 *
 * Code counts without this call: ticks from before its module is registered count too.
 *
 * The caller guarantees:
 * `options` is NULL or points to options; `out_coverage` is NULL or writable; with `environment`, no other thread
 * changes the environment meanwhile.
 *
 * Threads: any, several at the same time.
 */
BARROW_MUST_USE_ enum barrow_status barrow_coverage_new(const struct barrow_coverage_options *options,
                                       struct barrow_coverage **out_coverage);

/**
 * Registers modules that lie side by side, all or none. Their names are copied; their counters stay until they are
 * unregistered or the coverage is freed.
 *
 * The caller guarantees:
 * `modules` points to `count` modules; the counters of each are readable and writable.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_register(struct barrow_coverage *coverage,
                                            const struct barrow_coverage_module *modules,
                                            size_t count);

/**
 * Takes modules back whose code is about to go. Their counts are kept, and written with the others; their counters
 * are zero afterwards. The same modules may be registered again. Modules before one that is not registered are
 * taken back.
 *
 * The caller guarantees:
 * `modules` points to `count` modules that are registered.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_unregister(struct barrow_coverage *coverage,
                                              const struct barrow_coverage_module *modules,
                                              size_t count);

/**
 * Whether the file has counts for another version of a registered module: BARROW_E_STATE, and which. Such counts
 * are never added; a program that would rather not begin can ask first.
 *
 * The caller guarantees:
 * `coverage` was given by `barrow_coverage_new`.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_check(struct barrow_coverage *coverage);

/**
 * Adds what was counted since the last time to the file. Other processes that do the same wait for each other, and
 * no count is lost. After a failure the counts are kept for the next time.
 *
 * BARROW_E_STATE: the file is written, but had counts for another version of a module. They were not added; the
 * old file is kept beside it, with ".old" at the end of its name.
 *
 * The caller guarantees:
 * `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_write(struct barrow_coverage *coverage);

/**
 * Drops the counts since the last time, unwritten: for the child after a fork, so that only the parent writes
 * them.
 *
 * The caller guarantees:
 * `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_forget(struct barrow_coverage *coverage);

/**
 * The name of the file, from the root on; NULL when the coverage is none. The string lives as long as the coverage.
 *
 * The caller guarantees:
 * `coverage` was given by `barrow_coverage_new`.
 *
 * Threads: any, several at the same time.
 */
const char *barrow_coverage_file(struct barrow_coverage *coverage);

/**
 * Writes, as `barrow_coverage_write` does, and frees the coverage, even if it could not be written.
 *
 * The caller guarantees:
 * `coverage` was given by `barrow_coverage_new`; the counters of its modules are readable. The coverage is not used
 * afterwards.
 *
 * Threads: any, several at the same time.
 */
enum barrow_status barrow_coverage_free(struct barrow_coverage *coverage);

/**
 * The kinds of boxes; a number that `barrow_box` and the `.mix` file share.
 */
typedef enum barrow_box_kind {
  /** How often an expression was reached. */
  BARROW_BOX_EXPRESSION = 0,
  /** How often an alternative was reached: right-hand side of a guard or case, branch of an `if`. */
  BARROW_BOX_ALTERNATIVE = 1,
  /** How often a top-level declaration was entered; it has one name. */
  BARROW_BOX_TOP_LEVEL = 2,
  /** How often a local declaration was entered; its names are those of what encloses it, outermost first, and its own. */
  BARROW_BOX_LOCAL = 3,
  /** Two boxes: how often a guard came out true, then how often false. */
  BARROW_BOX_GUARD = 4,
  /** Two boxes: how often the condition of an `if` or a loop came out true, then false. */
  BARROW_BOX_CONDITION = 5,
  /** Two boxes: how often a condition in a comprehension came out true, then false. */
  BARROW_BOX_QUALIFIER = 6,
} barrow_box_kind;

/**
 * The head of a `.mix` file. With `size`, `file` and `source` set, everything else may stay zero. The client's;
 * the call copies what it needs.
 */
typedef struct barrow_mix_options {
  /** `sizeof(barrow_mix_options)` as the caller knows it. */
  uint32_t size;
  /** Tab stops are this far apart, 1 to 64; 0 is 8. */
  uint32_t tab_width;
  /** The file to write; tools look for ".hpc/MODULE.mix". The directory exists. */
  const char *file;
  /** The source as tools will look for it, below the directory that they are started in. */
  const char *source;
  /** When the source was last changed: seconds since 1970. */
  int64_t seconds;
  /** The nanoseconds of the same time. */
  uint32_t nanoseconds;
  /** Tells versions of the module apart, in its counts too; 0 has it made from everything else in the file. */
  uint32_t hash;
} barrow_mix_options;

/**
 * A box: a place in the source and what is counted there. Lines and columns count from 1, tabs reach to the next
 * tab stop, and both ends are inside. The client's; the call copies what it needs.
 */
typedef struct barrow_box {
  /** `sizeof(barrow_box)` as the caller knows it. */
  uint32_t size;
  /** A `barrow_box_kind`. */
  uint32_t kind;
  /** The line in which the place begins. */
  uint32_t first_line;
  /** The column in which the place begins. */
  uint32_t first_column;
  /** The line in which the place ends. */
  uint32_t last_line;
  /** The column in which the place ends. */
  uint32_t last_column;
  /** The names of a declaration; other boxes have none. */
  const char *const *names;
  /** How many names there are. */
  size_t name_count;
} barrow_box;

/**
 * A `.mix` file that is being written: where the boxes of one module stand in its source.
 *
 * The client's; `barrow_mix_end` or `barrow_mix_cancel` frees it. It belongs to one thread at a time; each module has its own.
 */
typedef struct barrow_mix barrow_mix;

/**
 * Begins a `.mix` file. Nothing is written before `barrow_mix_end`.
 *
 * The caller guarantees:
 * `options` is NULL or points to options; `out_mix` is NULL or writable.
 *
 * Threads: any, several at the same time.
 */
BARROW_MUST_USE_ enum barrow_status barrow_mix_begin(const struct barrow_mix_options *options, struct barrow_mix **out_mix);

/**
 * Adds a box, and gives its number: the index of its counter. A decision has two; that for false is the next one.
 * `out_number` may be NULL.
 *
 * The caller guarantees:
 * `mix` was given by `barrow_mix_begin`; `a_box` points to a box with `name_count` names.
 *
 * Threads: any, one at a time for the same object.
 */
enum barrow_status barrow_mix_add(struct barrow_mix *mix,
                                  const struct barrow_box *a_box,
                                  size_t *out_number);

/**
 * Writes the file, under a temporary name first, and frees `mix`, even if it could not be written. The hash and the
 * number of boxes go into the module's code (barrow_coverage_module). The out-pointers may be NULL.
 *
 * The caller guarantees:
 * `mix` was given by `barrow_mix_begin` and is not used afterwards; the out-pointers are NULL or writable.
 *
 * Threads: any, one at a time for the same object.
 */
enum barrow_status barrow_mix_end(struct barrow_mix *mix,
                                  uint32_t *out_hash,
                                  size_t *out_boxes);

/**
 * Frees `mix`; nothing is written.
 *
 * The caller guarantees:
 * `mix` was given by `barrow_mix_begin` and is not used afterwards.
 *
 * Threads: any, one at a time for the same object.
 */
enum barrow_status barrow_mix_cancel(struct barrow_mix *mix);

#ifdef __cplusplus
}
#endif

#endif
