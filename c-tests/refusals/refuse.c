/* Preloaded: refuses one call of the library to the system, as a system does that is short of something.
 *
 * REFUSE_CALL names it (madvise, mmap, munmap, mprotect, mincore, pthread_create, or malloc with all of its family), REFUSE_AT
 * which one it is, from 1 on; REFUSE_REST refuses all behind it too. What the C library and the program call for themselves is let
 * through. At the end the counts of the calls are written to REFUSE_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"madvise", "mmap", "munmap", "mprotect", "mincore", "pthread_create", "malloc"};
enum { MADVISE, MMAP, MUNMAP, MPROTECT, MINCORE, PTHREAD_CREATE, MALLOC, CALLS };
static unsigned long counts[CALLS];

/* Where the library's code lies. */
static struct { uintptr_t from, to; } code;

static int find_code(struct dl_phdr_info *object, size_t size, void *unused) {
  const char *name = strrchr(object->dlpi_name, '/');
  (void)size, (void)unused;
  if (strncmp(name ? name + 1 : object->dlpi_name, "libbarrow.so", 12) != 0) return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    code.from = object->dlpi_addr + part->p_vaddr;
    code.to = code.from + part->p_memsz;
  }
  return 1;
}

/* The library is there before the program begins, and so before anything of it calls. */
__attribute__((constructor)) static void begin(void) { dl_iterate_phdr(find_code, NULL); }

/* Whether the library calls: nobody else is refused anything. */
static int is_library(const void *caller) { return (uintptr_t)caller >= code.from && (uintptr_t)caller < code.to; }

/* The first call of the library comes while there is one thread, and reads what is to be refused. */
static int refused(int call, const void *caller) {
  static int chosen = -1, rest;
  static unsigned long at;
  unsigned long number;
  if (!is_library(caller)) return 0;
  if (chosen == -1) {
    const char *name = getenv("REFUSE_CALL"), *which = getenv("REFUSE_AT");
    chosen = CALLS;
    for (int i = 0; name && i < CALLS; i++)
      if (strcmp(names[i], name) == 0) chosen = i;
    at = which ? strtoul(which, NULL, 10) : 0;
    rest = getenv("REFUSE_REST") != NULL;
  }
  number = __atomic_add_fetch(&counts[call], 1, __ATOMIC_SEQ_CST);
  return call == chosen && at && (rest ? number >= at : number == at);
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

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *with) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (refused(PTHREAD_CREATE, CALLER)) return EAGAIN;
  if (!real) real = REAL(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), "pthread_create");
  return real(thread, attributes, body, with);
}

/* The C library's own names for these, since looking a function up may allocate. */
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
  if (refused(MALLOC, CALLER)) return errno = ENOMEM, NULL;
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  if (refused(MALLOC, CALLER)) return errno = ENOMEM, NULL;
  return __libc_calloc(count, bytes);
}

void *realloc(void *at, size_t bytes) {
  if (refused(MALLOC, CALLER)) return errno = ENOMEM, NULL;
  return __libc_realloc(at, bytes);
}

int posix_memalign(void **at, size_t alignment, size_t bytes) {
  if (refused(MALLOC, CALLER)) return ENOMEM;
  return (*at = __libc_memalign(alignment, bytes)) ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void) {
  const char *name = getenv("REFUSE_COUNT");
  FILE *out = name ? fopen(name, "w") : NULL;
  for (int i = 0; out && i < CALLS; i++) fprintf(out, "%s %lu\n", names[i], counts[i]);
  if (out) fclose(out);
}
