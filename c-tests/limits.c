/* Out of memory: -M, and a hook that refuses, grants, frees, or jumps out; afterwards the heap is sane. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "toy.h"
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
  int calls, grants;
  size_t bytes;
  node **drop;
  jmp_buf *out;
  barrow_handle *reserve;
} hook;

static bool overflow(void *client, barrow_mutator *m, size_t bytes) {
  CHECK(client == &hook && m != NULL);
  hook.calls++;
  hook.bytes = bytes;
  if (hook.out) longjmp(*hook.out, 1);
  if (hook.drop) {
    *hook.drop = NULL;
    CHECK_OK(barrow_collect(m, true)); /* the hook may use the heap */
    hook.drop = NULL;
    return true;
  }
  return hook.grants-- > 0;
}

static toy limited(const char *flags) {
  barrow_config config;
  barrow_config_init(&config);
  memset(&hook, 0, sizeof hook);
  config.overflow = overflow;
  config.client = &hook;
  return toy_new_with(&config, flags);
}

static void still_sane(toy t) {
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000);
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_EQ(toy_sum(r.list), 500500);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static const char *const sources[2] = {"-M8m --source=range", "-M8m --source=chunks"};

static void refused(void) {
  int s;
  for (s = 0; s < 2; s++) {
    toy t = limited(sources[s]);
    struct { barrow_frame frame; node *list; } r;
    size_t length = 0;
    node *n;
    BARROW_ENTER(t.m, r);
    check_forget();
    while ((n = toy_node(t.m, r.list, NULL, 1)) != NULL && length < 1000000) r.list = n, length++;
    CHECK(n == NULL);
    CHECK_EQ(hook.calls, 1);
    CHECK_EQ(hook.bytes, sizeof(node));
    CHECK(strstr(barrow_last_error(), "heap overflow: 32 bytes asked") != NULL);
    CHECK(strstr(barrow_last_error(), "limit 8 MiB") != NULL);
    printf("%s: %zu KiB of live objects: %s\n", sources[s], length * sizeof(node) >> 10, barrow_last_error());
    CHECK(length * sizeof(node) > (2 << 20)); /* a copying heap uses a good part of its limit */
    CHECK_EQ(toy_sum(r.list), length);
    CHECK(toy_node(t.m, NULL, NULL, 1) == NULL); /* and it stays so */
    CHECK(toy_state(t).most_mblocks_allocated <= 8 + 5);
    r.list = NULL;
    CHECK_OK(barrow_collect(t.m, true));
    BARROW_LEAVE(t.m, r);
    still_sane(t);
  }
}

static void the_hook_frees(void) {
  int s;
  for (s = 0; s < 2; s++) {
    toy t = limited(sources[s]);
    struct { barrow_frame frame; node *list; } r;
    BARROW_ENTER(t.m, r);
    hook.drop = &r.list;
    do {
      node *n = toy_cell(t.m, NULL, NULL, 1);
      CHECK(n != NULL);
      if (!n) break;
      BARROW_WRITE(t.m, n, left, r.list);
      r.list = n;
    } while (!hook.calls);
    BARROW_LEAVE(t.m, r);
    still_sane(t);
  }
}

static void the_hook_promises_in_vain(void) {
  toy t = limited("-M8m");
  hook.grants = 3;
  check_forget();
  CHECK(barrow_alloc(t.m, 64 << 17) == NULL); /* 64 MiB */
  CHECK_EQ(hook.calls, 4);
  CHECK_EQ(hook.bytes, 64 << 20);
  check_sentence(__FILE__, __LINE__, "barrow_alloc");
  still_sane(t);
}

static void the_hook_jumps_out_of(int how) {
  toy t = limited("-M8m");
  static struct { barrow_frame frame; node *list; } r;
  static jmp_buf out;
  static volatile size_t length;
  barrow_frame *saved;
  BARROW_ENTER(t.m, r);
  saved = barrow_frames_save(t.m);
  length = 0;
  hook.out = &out;
  if (setjmp(out) == 0) {
    for (;;) {
      barrow_word *at = NULL;
      if (how == 0) at = barrow_alloc(t.m, 32);
      if (how == 1) at = barrow_allocate(t.m, 32);
      if (how == 2) at = barrow_allocate_pinned(t.m, 32, 8, 0);
      if (how == 3) at = barrow_reserve(t.m, 32) ? barrow_bump(t.m, 32) : NULL;
      if (!at) break;
      memset(at, 0, 32 * 8);
      at[0] = (barrow_word)&node_info; /* the rest is slop of zero words */
      at[1] = (barrow_word)r.list;
      r.list = (node *)at;
      length = length + 1;
    }
    CHECK(!"reached");
  }
  barrow_frames_restore(t.m, saved);
  CHECK_EQ(hook.calls, 1);
  CHECK(length > 1000);
  hook.out = NULL;
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  still_sane(t);
}
static void the_hook_jumps_out_of_alloc(void) { the_hook_jumps_out_of(0); }
static void the_hook_jumps_out_of_allocate(void) { the_hook_jumps_out_of(1); }
static void the_hook_jumps_out_of_allocate_pinned(void) { the_hook_jumps_out_of(2); }
static void the_hook_jumps_out_of_reserve(void) { the_hook_jumps_out_of(3); }

/* allocate may exceed the limit by a stated slack: a sixteenth, and at least 4 MiB. */
static void the_slack_of_allocate(void) {
  toy t = limited("-M8m");
  size_t words = 0;
  barrow_word *at;
  while ((at = barrow_allocate(t.m, 1000)) != NULL && words < (1 << 26)) {
    at[0] = (barrow_word)&bytes_info, at[1] = 998 * 8;
    words += 1000;
  }
  CHECK(at == NULL);
  CHECK_EQ(hook.calls, 1);
  printf("allocate: %zu KiB with -M8m\n", words * 8 >> 10);
  CHECK(words * 8 > (5 << 20)); /* a copying reserve is kept, so not all of it */
  CHECK(words * 8 < (12 << 20));
  CHECK_OK(barrow_collect(t.m, true));
  still_sane(t);
}

static void what_is_dead_does_not_count(void) {
  toy t = limited("-M4m");
  int i;
  for (i = 0; i < 400; i++) {
    CHECK(toy_list(t.m, 1000) != NULL);
    CHECK(toy_bytes(t.m, 200000) != NULL);
  }
  CHECK_EQ(hook.calls, 0);
  still_sane(t);
}

/* What is promised to the next collection leaves room for what is large, however often everything is collected. */
static void large_arrays_in_a_heap_that_is_nearly_empty(void) {
  static const char *const flags[] = {"-A4m -n64k -M16m", "-A4m -n64k -M16m --source=chunks", "-A4m -M16m -c", "-A1m -M12m -G4"};
  size_t i, round;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = limited(flags[i]);
    struct {
      barrow_frame frame;
      node *list;
    } r;
    BARROW_ENTER(t.m, r);
    for (round = 0; round < 3276; round++) r.list = toy_node(t.m, r.list, NULL, round);
    for (round = 0; round < 40; round++) {
      if (round >= 20) CHECK_OK(barrow_collect(t.m, true));
      CHECK(toy_bytes(t.m, 300 * 1024) != NULL);
    }
    BARROW_LEAVE(t.m, r);
    still_sane(t);
  }
}

/* Byte arrays of all sizes, each replaced at random: 8 to 11 MiB live, and what is free lies in pieces between large ones. The next
 * large one has a place before the nursery and what is promised to the next collection. */
static void large_arrays_among_others(void) {
  static const char *const limits[] = {"-M20m", "-M20m -c", "-M20m --old=copy", "-M24m", "-M20m --source=chunks"};
  size_t way;
  for (way = 0; way < (toy_is_slow() ? 2 : 5); way++) {
    toy t = toy_new(limits[way]);
    struct { barrow_frame frame; void *window; } r;
    uint64_t state = 42, i, last = toy_is_slow() ? 150000 : 400000;
    BARROW_ENTER(t.m, r);
    r.window = toy_array(t.m, 12500);
    for (i = 0; i < last; i++) {
      size_t size = 100, slot;
      void *bytes;
      state = state * 6364136223846793005u + 1442695040888963407u;
      slot = (size_t)(state >> 33) % 12500;
      for (; size < 400000 && (state >> 20 & 1); state = state >> 1 | state << 63) size *= 2;
      bytes = toy_bytes(t.m, size + (size_t)(state >> 40) % 64);
      CHECK(bytes != NULL);
      if (!bytes) break;
      toy_put(t.m, &r.window, slot, bytes);
    }
    BARROW_LEAVE(t.m, r);
    toy_free(t);
  }
}

static void no_hook(void) {
  toy t = toy_new("-M4m");
  check_forget();
  CHECK(barrow_alloc(t.m, 1 << 20) == NULL);
  check_sentence(__FILE__, __LINE__, "barrow_alloc");
  CHECK(barrow_allocate(t.m, 1 << 21) == NULL);
  CHECK(barrow_allocate_pinned(t.m, 1 << 21, 64, 0) == NULL);
  CHECK(barrow_get_megablocks(t.heap, 64) == NULL);
  {
    barrow_bdescr *group = NULL;
    REFUSED(BARROW_E_LIMIT, barrow_alloc_group(t.heap, 64 * 256, &group));
    CHECK(group == NULL);
  }
  still_sane(t);
}

/* How far old generations may grow, as a share of what lives, in 1/100. */
static size_t growth_of(toy t) {
  barrow_generation_state_t state;
  CHECK_OK(barrow_collect(t.m, true));
  CHECK_OK(barrow_generation_state(t.heap, 1, &state));
  return (size_t)((double)state.max_blocks * 4096 * 100 / (double)toy_stats(t).live_bytes);
}

/* `-F4`: four times what lives, and less and less of it as what lives comes near the limit. */
static void the_factor_falls_near_the_limit(void) {
  struct { barrow_frame frame; void *list; } r;
  toy free, tight;
  size_t last = 1000, rises = 0;
  int part;
  /* Its sizes are what it is about, and a check of the whole heap at each of its collections takes minutes. */
  if (toy_is_slow()) return;
  free = toy_new("-F4 -O16k -A64k");
  tight = toy_new("-F4 -O16k -A64k -M24m -c90");
  {
    BARROW_ENTER(free.m, r);
    r.list = toy_list(free.m, 200000);
    CHECK(growth_of(free) > 350 && growth_of(free) < 450);
    BARROW_LEAVE(free.m, r);
    toy_free(free);
  }
  BARROW_ENTER(tight.m, r);
  for (part = 1; part <= 8; part++) {
    size_t now;
    r.list = NULL;
    r.list = toy_list(tight.m, (size_t)part * 80000);
    now = growth_of(tight);
    CHECK(now > 100);
    CHECK(part > 1 || now > 350);
    rises += now > last;
    last = now;
  }
  CHECK(last < 140);
  CHECK(rises <= 1); /* where it begins to compact, which needs no room for copies */
  BARROW_LEAVE(tight.m, r);
  toy_free(tight);
}

static void the_smallest_heaps(void) {
  static const char *const flags[] = {"-M2m", "-M3m -A64k", "-M2m --source=chunks", "-M2m -G1", "-M4m -G8"};
  size_t i;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    toy t = limited(flags[i]);
    int j;
    for (j = 0; j < 20; j++) CHECK(toy_list(t.m, 1000) != NULL);
    still_sane(t);
  }
}

/* A reserved range that is full is named as the reason, with what to do. */
static void the_range_is_full(void) {
  toy t = limited("-xr16m --source=range");
  struct { barrow_frame frame; node *list; } r;
  size_t length = 0;
  node *n;
  BARROW_ENTER(t.m, r);
  check_forget();
  while ((n = toy_node(t.m, r.list, NULL, 1)) != NULL && length < 1000000) r.list = n, length++;
  CHECK(n == NULL && length > 10000);
  CHECK(strstr(barrow_last_error(), "range of 16 MiB of addresses is full") != NULL);
  CHECK(strstr(barrow_last_error(), "-xr<size> reserves more") != NULL);
  printf("%s\n", barrow_last_error());
  r.list = NULL;
  CHECK_OK(barrow_collect(t.m, true));
  BARROW_LEAVE(t.m, r);
  still_sane(t);
}

enum { ADDRESSES_MIB = 600 };

/* In a process of its own that has little address space: a list that grows until there is no more room. */
static int with_few_addresses(const char *flags, const char *live_mib) {
  struct { barrow_frame frame; node *list; } r;
  toy t = toy_new(flags);
  size_t cells = 0;
  BARROW_ENTER(t.m, r);
  for (;;) {
    node *n = (node *)barrow_alloc(t.m, sizeof *n / sizeof(barrow_word));
    if (!n) break;
    n->header = (barrow_word)&node_info;
    n->left = r.list;
    n->right = NULL;
    n->value = ++cells;
    r.list = n;
  }
  CHECK(cells * sizeof(node) > strtoul(live_mib, NULL, 10) << 20);
  fprintf(stderr, "%lu MiB of live objects in %d MiB of addresses with \"%s\"\n", (unsigned long)(cells * sizeof(node) >> 20), ADDRESSES_MIB, flags);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
  return DONE;
}

/* What the library sets aside for itself (the stacks of cost centres, their costs) goes by what there is. */
static void few_addresses(void) {
  /* The last has side tables as large as the objects. */
  static const char *const flags[] = {"", "-p -polimits-few", "-hy -hc -hb -i1000 -polimits-few"};
  static const char *const live_mib[] = {"200", "200", "70"};
  size_t i;
  /* The address sanitizer and valgrind need more for themselves. */
  if (getenv("BARROW_TEST_SLOW")) return;
  for (i = 0; i < sizeof flags / sizeof *flags; i++) {
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
      struct rlimit limit;
      limit.rlim_cur = limit.rlim_max = (rlim_t)ADDRESSES_MIB << 20;
      if (setrlimit(RLIMIT_AS, &limit) == 0) execl("/proc/self/exe", "limits", flags[i], live_mib[i], (char *)NULL);
      _exit(3);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (status) fprintf(stderr, "with \"%s\": %x\n", flags[i], (unsigned)status);
  }
}

int main(int argc, char **argv) {
  if (argc > 2) return with_few_addresses(argv[1], argv[2]);
  RUN(few_addresses);
  RUN(refused);
  RUN(the_hook_frees);
  RUN(the_hook_promises_in_vain);
  RUN(the_hook_jumps_out_of_alloc);
  RUN(the_hook_jumps_out_of_allocate);
  RUN(the_hook_jumps_out_of_allocate_pinned);
  RUN(the_hook_jumps_out_of_reserve);
  RUN(the_slack_of_allocate);
  RUN(what_is_dead_does_not_count);
  RUN(large_arrays_in_a_heap_that_is_nearly_empty);
  RUN(large_arrays_among_others);
  RUN(no_hook);
  RUN(the_factor_falls_near_the_limit);
  RUN(the_smallest_heaps);
  RUN(the_range_is_full);
  return DONE;
}
