/* Preloaded: refuses one call of the library to the system, as a system does that is short of something.
 *
 * REFUSE_CALL names it (madvise, mmap, munmap, mprotect, mincore), REFUSE_AT which one it is, from 1 on; REFUSE_REST refuses all
 * behind it too. What the C library and the program call for themselves is let through. At the end the counts of the calls are
 * written to REFUSE_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"madvise", "mmap", "munmap", "mprotect", "mincore"};
enum { MADVISE, MMAP, MUNMAP, MPROTECT, MINCORE, CALLS };
static unsigned long counts[CALLS];

/* Whether the library calls: nobody else is refused anything. */
static int is_library(const void *caller) {
  Dl_info info;
  const char *name;
  if (!dladdr(caller, &info) || !info.dli_fname) return 0;
  name = strrchr(info.dli_fname, '/');
  return strncmp(name ? name + 1 : info.dli_fname, "libbarrow.so", 12) == 0;
}

static int refused(int call, const void *caller) {
  static int chosen = -1, rest;
  static unsigned long at;
  if (!is_library(caller)) return 0;
  if (chosen == -1) {
    const char *name = getenv("REFUSE_CALL"), *number = getenv("REFUSE_AT");
    chosen = CALLS;
    for (int i = 0; name && i < CALLS; i++)
      if (strcmp(names[i], name) == 0) chosen = i;
    at = number ? strtoul(number, NULL, 10) : 0;
    rest = getenv("REFUSE_REST") != NULL;
  }
  counts[call]++;
  return call == chosen && at && (rest ? counts[call] >= at : counts[call] == at);
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))
#define CALLER __builtin_return_address(0)

int madvise(void *at, size_t bytes, int advice) {
  static int (*real)(void *, size_t, int);
  if (refused(MADVISE, CALLER)) return errno = EINVAL, -1;
  if (!real) real = REAL(int (*)(void *, size_t, int), "madvise");
  return real(at, bytes, advice);
}

void *mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (refused(MMAP, CALLER)) return errno = ENOMEM, MAP_FAILED;
  if (!real) real = REAL(void *(*)(void *, size_t, int, int, int, off_t), "mmap");
  return real(at, bytes, rights, flags, file, offset);
}

int munmap(void *at, size_t bytes) {
  static int (*real)(void *, size_t);
  if (refused(MUNMAP, CALLER)) return errno = ENOMEM, -1;
  if (!real) real = REAL(int (*)(void *, size_t), "munmap");
  return real(at, bytes);
}

int mprotect(void *at, size_t bytes, int rights) {
  static int (*real)(void *, size_t, int);
  if (refused(MPROTECT, CALLER)) return errno = ENOMEM, -1;
  if (!real) real = REAL(int (*)(void *, size_t, int), "mprotect");
  return real(at, bytes, rights);
}

int mincore(void *at, size_t bytes, unsigned char *pages) {
  static int (*real)(void *, size_t, unsigned char *);
  if (refused(MINCORE, CALLER)) return errno = EAGAIN, -1;
  if (!real) real = REAL(int (*)(void *, size_t, unsigned char *), "mincore");
  return real(at, bytes, pages);
}

__attribute__((destructor)) static void tell(void) {
  const char *name = getenv("REFUSE_COUNT");
  FILE *out = name ? fopen(name, "w") : NULL;
  for (int i = 0; out && i < CALLS; i++) fprintf(out, "%s %lu\n", names[i], counts[i]);
  if (out) fclose(out);
}
