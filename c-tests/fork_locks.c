/* A thread forks while another one is in the middle of what the library does for the whole process: makes the first heap, makes and
 * frees heaps with --faults, writes a message, numbers places in the code. The child does the same, and waits for nobody.
 *
 * The middle is where the library calls the system: this program has functions of its own for that, which let another thread fork. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "toy.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A sanitizer has functions of its own in their place. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

static char folder[] = "fork-locks-XXXXXX";

/* ---- children ------------------------------------------------------------------------------------------------------- */

/* Memory of threads that a child does not have would count as lost there: another program takes the child's place. */
static void child_ends(int failures) {
  execl("/bin/sh", "sh", "-c", failures ? "exit 1" : "exit 0", (char *)NULL);
  _exit(99);
}

/* A child that waits for ever is ended. */
static bool works_in_a_child(void (*work)(void)) {
  int status = -1;
  pid_t child;
  barrow_fork_prepare();
  child = fork();
  if (child == 0) {
    alarm(20);
    check_failures = 0;
    barrow_fork_child();
    work();
    child_ends(check_failures);
  }
  barrow_fork_parent();
  return waitpid(child, &status, 0) == child && status == 0;
}

/* A heap that counts objects by place. The sample that it wants has none. */
static toy new_with_places(void) {
  char flags[100];
  toy t;
  sprintf(flags, "-A256k -ha -i0 -po%s/out", folder);
  t = toy_new(flags);
  CHECK_OK(barrow_census(t.m));
  return t;
}

#ifndef IS_SANITIZED

/* ---- calls of the system -------------------------------------------------------------------------------------------- */

enum { NONE, MMAP, SIGACTION, WRITE, FILES, DATE };
static int wanted;
static pthread_t watched;
static size_t reached, passed;

/* Waits, in the thread that is watched, until another one has forked; or for a while, when the fork itself waits for this thread. */
static void step(int call) {
  const struct timespec pause = {0, 1000000};
  const int before = errno;
  int pauses;
  size_t own;
  if (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST) != call || !pthread_equal(pthread_self(), watched)) return;
  own = __atomic_add_fetch(&reached, 1, __ATOMIC_SEQ_CST);
  for (pauses = 0; pauses < 200 && __atomic_load_n(&passed, __ATOMIC_SEQ_CST) < own; pauses++) nanosleep(&pause, NULL);
  errno = before;
}

#ifdef __cplusplus
#define NO_THROW noexcept
extern "C" int __sigaction(int signal, const struct sigaction *now, struct sigaction *before);
#else
#define NO_THROW
extern int __sigaction(int signal, const struct sigaction *now, struct sigaction *before);
#endif

void *mmap(void *at, size_t bytes, int rights, int flags, int file, off_t offset) NO_THROW {
  if (bytes >= 1 << 20) step(MMAP);
  return (void *)syscall(SYS_mmap, at, bytes, rights, flags, file, offset);
}

int sigaction(int signal, const struct sigaction *now, struct sigaction *before) NO_THROW {
  step(SIGACTION);
  return __sigaction(signal, now, before);
}

ssize_t write(int file, const void *text, size_t bytes) {
  step(WRITE);
  return (ssize_t)syscall(SYS_write, file, text, bytes);
}

typedef int (*file_visitor)(struct dl_phdr_info *, size_t, void *);
typedef struct visit {
  file_visitor look;
  void *data;
} visit;

static int step_and_look(struct dl_phdr_info *info, size_t bytes, void *data) {
  visit *v = (visit *)data;
  step(FILES);
  return v->look(info, bytes, v->data);
}

/* The step is where the linker holds its own lock, which glibc does not make new in a child. */
int dl_iterate_phdr(file_visitor look, void *data) {
  int (*own)(file_visitor, void *);
  void *found = dlsym(RTLD_NEXT, "dl_iterate_phdr");
  visit v;
  memcpy(&own, &found, sizeof own);
  v.look = look, v.data = data;
  return own(step_and_look, &v);
}

/* glibc asks for the time zone under a lock that it does not make new in a child. No call of the system that this program could step
 * in comes there each time, so a lock of its own takes that one's place. */
struct tm *localtime_r(const time_t *seconds, struct tm *date) NO_THROW {
  static pthread_mutex_t zone = PTHREAD_MUTEX_INITIALIZER;
  struct tm *(*own)(const time_t *, struct tm *);
  void *found = dlsym(RTLD_NEXT, "localtime_r");
  struct tm *told;
  memcpy(&own, &found, sizeof own);
  pthread_mutex_lock(&zone);
  step(DATE);
  told = own(seconds, date);
  pthread_mutex_unlock(&zone);
  return told;
}

typedef struct other {
  void (*work)(void);
  int call, is_over;
} other;

static void *work_watched(void *given) {
  other *o = (other *)given;
  watched = pthread_self();
  __atomic_store_n(&wanted, o->call, __ATOMIC_SEQ_CST);
  o->work();
  __atomic_store_n(&wanted, NONE, __ATOMIC_SEQ_CST);
  __atomic_store_n(&o->is_over, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

/* Another thread works; this one forks at each of its calls of the system, and the work is done in each child. */
static void fork_at_each(int call, void (*work)(void)) {
  pthread_t thread;
  other o;
  size_t seen = 0;
  o.work = work, o.call = call, o.is_over = 0;
  reached = passed = 0;
  CHECK_EQ(pthread_create(&thread, NULL, work_watched, &o), 0);
  while (!__atomic_load_n(&o.is_over, __ATOMIC_SEQ_CST)) {
    const size_t now = __atomic_load_n(&reached, __ATOMIC_SEQ_CST);
    bool did_well = true;
    sched_yield();
    if (now == seen) continue;
    seen = now;
    did_well = works_in_a_child(work);
    CHECK(did_well);
    /* One that has failed is enough: others would take their time too. */
    __atomic_store_n(&passed, did_well ? seen : (size_t)-1, __ATOMIC_SEQ_CST);
    if (!did_well) break;
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(seen > 0);
}

/* ---- the middle of a call ------------------------------------------------------------------------------------------- */

static void make_a_heap(void) { toy_free(toy_new("-A256k")); }

/* Comes first: afterwards there has been a heap. */
static void the_first_heap_is_being_made(void) { fork_at_each(MMAP, make_a_heap); }

static void make_one_with_faults(void) { toy_free(toy_new("--faults -A256k")); }
static void a_handler_is_being_installed(void) { fork_at_each(SIGACTION, make_one_with_faults); }

static void tell_the_stack(void) {
  toy t = toy_new("-A256k");
  CHECK_OK(barrow_ccs_print(t.m, NULL));
  toy_free(t);
}

/* A place that has no name yet in this process, nor in the child. */
static void name_a_place(void) {
  static char places[2];
  static int serial;
  struct { barrow_frame frame; barrow_word *made; } r;
  toy t = new_with_places();
  BARROW_ENTER(t.m, r);
  r.made = barrow_alloc_slow_for(t.m, 4, places + serial++);
  memset(r.made, 0, sizeof(node));
  barrow_set_header(r.made, &node_info);
  CHECK_OK(barrow_census(t.m));
  BARROW_LEAVE(t.m, r);
  CHECK_OK(barrow_heap_free(t.heap));
}
static void loaded_files_are_being_looked_at(void) { fork_at_each(FILES, name_a_place); }

/* A profile begins with its date. */
static void profile(void) {
  toy t = new_with_places();
  CHECK_OK(barrow_heap_free(t.heap));
}
static void a_profile_is_being_dated(void) { fork_at_each(DATE, profile); }

/* As where nobody reads from the pipe. */
static void a_message_is_being_written(void) {
  const int kept = dup(2), nowhere = open("/dev/null", O_WRONLY);
  const int failures = check_failures;
  CHECK(kept >= 0 && nowhere >= 0 && dup2(nowhere, 2) == 2);
  fork_at_each(WRITE, tell_the_stack);
  CHECK_EQ(dup2(kept, 2), 2);
  CHECK_EQ(check_failures, failures);
  CHECK(close(kept) == 0 && close(nowhere) == 0);
}

#endif

/* ---- places in the code --------------------------------------------------------------------------------------------- */

enum { PLACES = 4000 };
static char code[PLACES];
static size_t numberers;
static int is_over;

/* More places than a mutator remembers. */
static void number_places(toy t) {
  size_t i;
  for (i = 0; i < PLACES; i++) {
    barrow_word *made = barrow_alloc_slow_for(t.m, 4, code + i);
    CHECK(made != NULL);
    memset(made, 0, sizeof(node));
    barrow_set_header(made, &node_info);
  }
}


static void number_places_once(void) {
  toy t = new_with_places();
  number_places(t);
  CHECK_OK(barrow_heap_free(t.heap));
}

static void *number_all_the_time(void *unused) {
  toy t = new_with_places();
  __atomic_add_fetch(&numberers, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) number_places(t);
  CHECK_OK(barrow_heap_free(t.heap));
  return unused;
}

static void places_are_being_numbered(void) {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; i++) CHECK_EQ(pthread_create(&threads[i], NULL, number_all_the_time, NULL), 0);
  while (__atomic_load_n(&numberers, __ATOMIC_SEQ_CST) < 2) sched_yield();
  for (i = 0; i < (toy_under_valgrind() ? 3 : 40); i++) {
    const bool did_well = works_in_a_child(number_places_once);
    CHECK(did_well);
    if (!did_well) break;
  }
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
  for (i = 0; i < 2; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

int main(void) {
  char command[100];
  CHECK(mkdtemp(folder) != NULL);
#ifndef IS_SANITIZED
  RUN(the_first_heap_is_being_made);
  RUN(a_handler_is_being_installed);
  RUN(a_message_is_being_written);
  RUN(loaded_files_are_being_looked_at);
  RUN(a_profile_is_being_dated);
#endif
  RUN(places_are_being_numbered);
  sprintf(command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
  return DONE;
}
