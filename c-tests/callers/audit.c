/* For the dynamic linker of x86-64 (LD_AUDIT, `man 7 rtld-audit`): the threads that call each function of the library, of those that
 * live at the same time. At the end of each process, lines "THREADS FUNCTION" are added to the file BARROW_CALLERS. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FUNCTIONS = 1024, THREADS = 64 };

/* By the number of the symbol. */
static const char *names[FUNCTIONS];
static uint64_t callers[FUNCTIONS];
/* Threads that have called something have a place each, which a later one has again when its thread has ended. */
static int lock, threads[THREADS];
static __thread int place = -1;

unsigned int la_version(unsigned int version) { (void)version; return LAV_CURRENT; }

unsigned int la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  (void)map, (void)space, (void)cookie;
  return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, unsigned int *flags,
                       const char *name) {
  (void)from, (void)to;
  *flags |= LA_SYMB_NOPLTEXIT;
  if (strncmp(name, "barrow_", 7) == 0 && index < FUNCTIONS) names[index] = name;
  else *flags |= LA_SYMB_NOPLTENTER;
  return symbol->st_value;
}

static int take_place(void) {
  int own = (int)syscall(SYS_gettid), i;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
  for (i = 0; i < THREADS - 1; i++)
    if (threads[i] == 0 || syscall(SYS_tgkill, getpid(), threads[i], 0) != 0) break;
  threads[i] = own;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return i;
}

Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, La_x86_64_regs *registers,
                                  unsigned int *flags, const char *name, long int *frame) {
  (void)from, (void)to, (void)registers, (void)flags, (void)name, (void)frame;
  if (place < 0) place = take_place();
  __atomic_fetch_or(&callers[index], (uint64_t)1 << place, __ATOMIC_RELAXED);
  return symbol->st_value;
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("BARROW_CALLERS");
  FILE *out = path ? fopen(path, "a") : NULL;
  size_t i;
  if (!out) return;
  for (i = 0; i < FUNCTIONS; i++)
    if (callers[i]) fprintf(out, "%d %s\n", __builtin_popcountll(callers[i]), names[i]);
  fclose(out);
}
