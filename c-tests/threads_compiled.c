/* Compiled code with stack maps in eight threads: collections of any of them find and update the references in the frames of
 * all. The compiled code is one function of assembler, which calls an entry of the library and keeps a reference meanwhile. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "stack_map.h"
#include "tasks.h"
#include <setjmp.h>

enum { THREADS = 8 };

#ifdef __cplusplus
extern "C" {
#endif
/* Calls entry(mutator, word), and gives the reference when that has returned, through compiled_ends. */
size_t compiled(barrow_mutator *m, size_t reference, size_t entry, size_t word);
extern const char compiled_returns[];
/* The rest of the compiled code, which has the result of an entry. It collects nothing. */
size_t compiled_ends(size_t result, size_t reference, size_t entry);
#ifdef __cplusplus
}
#endif

#if defined(__x86_64__)
enum { FRAME_BYTES = 24 };
__asm__(".text\n"
        ".globl compiled\n"
        ".type compiled, @function\n"
        "compiled:\n"
        "  pushq %rbp\n"
        "  movq %rsp, %rbp\n"
        "  subq $16, %rsp\n"
        "  movq %rsi, 8(%rsp)\n"
        "  movq %rdx, (%rsp)\n"
        "  movq %rcx, %rsi\n"
        "  callq *%rdx\n"
        ".globl compiled_returns\n"
        "compiled_returns:\n"
        "  movq %rax, %rdi\n"
        "  movq 8(%rsp), %rsi\n"
        "  movq (%rsp), %rdx\n"
        "  callq compiled_ends\n"
        "  leave\n"
        "  ret\n"
        ".size compiled, . - compiled\n");
#elif defined(__aarch64__)
enum { FRAME_BYTES = 32 };
__asm__(".text\n"
        ".globl compiled\n"
        ".type compiled, %function\n"
        "compiled:\n"
        "  sub sp, sp, #32\n"
        "  stp x29, x30, [sp, #16]\n"
        "  add x29, sp, #16\n"
        "  stp x2, x1, [sp]\n"
        "  mov x1, x3\n"
        "  blr x2\n"
        ".globl compiled_returns\n"
        "compiled_returns:\n"
        "  ldp x2, x1, [sp]\n"
        "  bl compiled_ends\n"
        "  ldp x29, x30, [sp, #16]\n"
        "  add sp, sp, #32\n"
        "  ret\n"
        ".size compiled, . - compiled\n");
#else
#error "the entries for compiled code are there for x86-64 and aarch64"
#endif

size_t compiled_ends(size_t result, size_t reference, size_t entry) {
  if (entry == (size_t)barrow_gc_alloc_slow) {
    barrow_word *made = (barrow_word *)result;
    CHECK(made != NULL);
    if (made) made[0] = (barrow_word)&bytes_info, made[1] = 8;
  }
  if (entry == (size_t)barrow_gc_reserve_slow) CHECK((result & 0xff) != 0); /* a bool is one byte */
  return reference;
}

static void check_compiled(task *w, barrow_mutator *m, void *entry, size_t word, barrow_word value) {
  size_t result = 0;
  node *kept = toy_node(m, NULL, NULL, value);
  MUST(w, barrow_stack_call(m, compiled, (size_t)kept, (size_t)entry, word, &result) == BARROW_OK);
  kept = (node *)result;
  MUST(w, kept && barrow_info_of(kept) == &node_info && kept->value == value);
}

/* C between two parts of compiled code, which collects, and calls compiled code with a reference of its own. Its words are what
 * compiled code has in its registers then: the entry and its word. */
static size_t between(barrow_mutator *m, size_t entry, size_t word) {
  struct { barrow_frame frame; node *kept; } r;
  task silent = task_of(0);
  (void)word;
  BARROW_ENTER(m, r);
  r.kept = toy_list(m, 20);
  check_compiled(&silent, m, (void *)(size_t)barrow_gc_safepoint, 0, entry & 0xffff);
  CHECK_OK(barrow_collect(m, false));
  check_compiled(&silent, m, (void *)(size_t)barrow_gc_collect, 0, entry & 0xffff);
  CHECK_EQ(toy_sum(r.kept), 210);
  BARROW_LEAVE(m, r);
  if (silent.failures > 0) check_failures++;
  return 0;
}

static void calls_in_and_out(task *w, barrow_mutator *m) {
  size_t i;
  for (i = 0; i < w->rounds; i++) {
    barrow_word value = w->number * 100000 + i;
    check_compiled(w, m, (void *)(size_t)barrow_gc_safepoint, 0, value);
    check_compiled(w, m, (void *)(size_t)barrow_gc_alloc_slow, barrow_bytes_words(8), value);
    check_compiled(w, m, (void *)(size_t)barrow_gc_reserve_slow, 1000, value);
    if (i % THREADS == w->number) check_compiled(w, m, (void *)(size_t)barrow_gc_collect, i % 3 == 0, value);
    check_compiled(w, m, (void *)(size_t)barrow_gc_call, (size_t)between, value);
  }
}

/* Compiled code that a jump leaves, and whose stack is put back. */
typedef struct jump {
  jmp_buf out;
  barrow_saved_stack saved;
} jump;

static size_t jumps_out(barrow_mutator *m, size_t at, size_t word) {
  (void)m, (void)word;
  longjmp(((jump *)at)->out, 1);
}

static size_t jumps_from_below(barrow_mutator *m, size_t at, size_t b, size_t c) {
  (void)b, (void)c;
  return jumps_out(m, at, 0);
}

static void jumps(task *w, barrow_mutator *m) {
  struct { barrow_frame frame; node *kept; } r;
  volatile size_t i;
  jump j;
  BARROW_ENTER(m, r);
  r.kept = toy_list(m, 20);
  for (i = 0; i < w->rounds; i++) {
    MUST(w, barrow_stack_save(m, &j.saved) == BARROW_OK);
    if (setjmp(j.out) == 0) MUST(w, barrow_stack_call(m, jumps_from_below, (size_t)&j, 0, 0, NULL) != BARROW_OK);
    MUST(w, barrow_stack_restore(m, &j.saved) == BARROW_OK);
    MUST(w, barrow_safepoint(m) == BARROW_OK);
    if (i % THREADS == w->number) MUST(w, barrow_collect(m, i % 2) == BARROW_OK);
    MUST(w, toy_sum(r.kept) == 210);
  }
  BARROW_LEAVE(m, r);
}

static void from_eight(void (*body)(task *, barrow_mutator *), size_t rounds) {
  static const char *const flags[] = {"-A256k", "-DS -A256k", "-c -A256k", "--old=copy -A256k", "-A256k --workers=3!"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = shared_heap(flags[i]);
    map calls = map_of((const void *)(size_t)compiled, FRAME_BYTES, (uint32_t)(compiled_returns - (const char *)(size_t)compiled));
    CHECK_OK(barrow_stack_maps_register(t.heap, &calls, sizeof calls, false));
    in_threads(t, THREADS, task_of(strstr(flags[i], "-DS") ? rounds / 10 + 1 : slow_share(rounds)), body);
    CHECK_OK(barrow_collect(t.m, true));
    toy_free(t);
  }
}

static void calls_from_eight(void) { from_eight(calls_in_and_out, 100); }
static void jumps_in_eight(void) { from_eight(jumps, 200); }

int main(void) {
  RUN(calls_from_eight);
  RUN(jumps_in_eight);
  return DONE;
}
