/* What the system refuses: locked memory is not given back to it, and each of its calls may fail. The heap goes on, or says
 * in a sentence why not; what it takes for zero is zero. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "toy.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls of the library come here first, since a program's own functions are found before the system's. */
static long calls, refused_first = -1, refused_last = -1;
static int allowed(void) {
  long call = calls++;
  return call < refused_first || call > refused_last;
}
#ifdef __cplusplus
#define NOEXCEPT throw()
extern "C" {
#else
#define NOEXCEPT
#endif
int madvise(void *at, size_t bytes, int advice) NOEXCEPT {
  if (allowed()) return (int)syscall(SYS_madvise, at, bytes, advice);
  errno = EINVAL;
  return -1;
}
int mprotect(void *at, size_t bytes, int rights) NOEXCEPT {
  if (allowed()) return (int)syscall(SYS_mprotect, at, bytes, rights);
  errno = ENOMEM;
  return -1;
}
void *mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset) NOEXCEPT {
  if (allowed()) return (void *)syscall(SYS_mmap, at, bytes, rights, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}
#ifdef __cplusplus
}
#endif

/* Lists that come and go under compactions, with a biography, so that memory is given back and used again. False when memory
 * was refused, which there is a sentence for. */
static bool program(const char *flags, const char *profile) {
  struct { barrow_frame frame; node *list, *other; } r;
  barrow_config config;
  toy t = {NULL, NULL};
  bool whole = true;
  size_t cells = 40000, round;
  barrow_config_init(&config);
  config.flags = flags;
  if (barrow_heap_new(&config, &t.heap, &t.m) != BARROW_OK) {
    CHECK(strlen(barrow_last_error()) > 12);
    return false;
  }
  BARROW_ENTER(t.m, r);
  if (profile && barrow_profile_start(t.m, profile) != BARROW_OK) {
    CHECK(strlen(barrow_last_error()) > 12);
    whole = false;
  }
  for (round = 0; round < 4 && whole; round++) {
    size_t made;
    r.list = r.other = NULL;
    for (made = 1; made <= cells && whole; made++) {
      node *n = toy_node(t.m, NULL, NULL, made);
      if (!n) whole = false;
      else n->left = r.list, r.list = n;
      if (made % 4 == 0 && whole) whole = (r.other = (node *)toy_bytes(t.m, 4000)) != NULL;
    }
    if (whole) CHECK_EQ(toy_sum(r.list), cells * (cells + 1) / 2);
    if (barrow_collect(t.m, true) != BARROW_OK) whole = false;
    if (whole) CHECK_EQ(toy_sum(r.list), cells * (cells + 1) / 2);
    if (round % 2) {
      r.list = r.other = NULL;
      if (barrow_collect(t.m, true) != BARROW_OK) whole = false;
    }
  }
  if (!whole) CHECK(strlen(barrow_last_error()) > 12);
  BARROW_LEAVE(t.m, r);
  refused_first = refused_last = -1;
  CHECK_OK(barrow_check(t.m));
  CHECK_OK(barrow_audit(t.heap));
  if (profile) barrow_profile_stop(t.m);
  CHECK_OK(barrow_heap_free(t.heap));
  return whole;
}

static const char *const programs[][2] = {
    {"-M16m -xr64m -c", NULL},
    {"-M16m -xr64m -A256k", NULL},
    {"-M16m --source=chunks -c -A256k", NULL},
    {"-M16m -xr64m -c -porefused-test", "-hb -i0"},
};

/* One call, and all from one on. */
static void each_call_in_turn(void) {
  size_t which;
  long number, last, step;
  for (which = 0; which < sizeof programs / sizeof *programs; which++) {
    calls = 0;
    CHECK(program(programs[which][0], programs[which][1]));
    last = calls;
    CHECK(last > 3);
    /* A few dozen positions of each program. */
    step = 1 + last / (toy_is_slow() ? 8 : 30);
    for (number = 0; number < last; number += step) {
      calls = 0;
      refused_first = refused_last = number;
      program(programs[which][0], programs[which][1]);
      calls = 0;
      refused_first = number;
      refused_last = 1L << 40;
      program(programs[which][0], programs[which][1]);
    }
  }
  refused_first = refused_last = -1;
  remove("refused-test.hp");
}

/* Of a process that locks what it has and will have, as programs of audio do. */
static void locked(int what) {
  size_t before, which;
  if (mlockall(what) != 0) {
    printf("mlockall is not allowed here: left out\n");
    return;
  }
  before = toy_resident();
  for (which = 0; which < sizeof programs / sizeof *programs; which++)
    CHECK(program(programs[which][0], programs[which][1]));
  /* The tables of a profile are not taken as a whole. */
  CHECK(toy_resident() < before + ((size_t)512 << 20));
  munlockall();
  remove("refused-test.hp");
}

static void locked_memory(void) {
  if (toy_under_valgrind()) return;
  locked(MCL_CURRENT);
  locked(MCL_CURRENT | MCL_FUTURE);
}

int main(void) {
  RUN(locked_memory);
  RUN(each_call_in_turn);
  return DONE;
}
