/* The end of a program whose heap is damaged: the fatal hook gets a sentence, and the process aborts. */
#define _POSIX_C_SOURCE 200809L
#include "toy.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int told;

static void fatal(void *client, const char *sentence) {
  bool right = client == &told && strstr(sentence, "a write barrier is missing") != NULL;
  if (right && write(told, "right", 5) != 5) _exit(1);
}

/* An old object points to a young one that nothing remembers; the next allocation that collects finds it. */
static void be_damaged(const char *flags, bool with_hook) {
  barrow_config config;
  struct { barrow_frame frame; node *cell; } r;
  toy t;
  int i;
  barrow_config_init(&config);
  config.client = &told;
  if (with_hook) config.fatal = fatal;
  t = toy_new_with(&config, flags);
  BARROW_ENTER(t.m, r);
  r.cell = toy_cell(t.m, NULL, NULL, 1);
  for (i = 0; i < 4; i++) barrow_collect(t.m, true);
  r.cell->left = toy_node(t.m, NULL, NULL, 2);
  for (i = 0; i < 100000; i++) toy_node(t.m, NULL, NULL, 3);
  BARROW_LEAVE(t.m, r);
  _exit(0);
}

static void a_damaged_heap_ends_the_process(bool with_hook) {
  int ends[2], status = 0;
  char text[400] = "";
  ssize_t length;
  pid_t child;
  CHECK_EQ(pipe(ends), 0);
  fflush(stdout);
  child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    told = ends[1];
    if (!with_hook) dup2(ends[1], 2); /* without a hook it says so on the standard error stream */
    be_damaged("-A64k -DS", with_hook);
  }
  close(ends[1]);
  length = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  CHECK(length > 0);
  CHECK(strstr(text, with_hook ? "right" : "barrow: ") != NULL);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == 6);
}

static void the_hook_is_told(void) { a_damaged_heap_ends_the_process(true); }
static void without_a_hook_it_is_printed(void) { a_damaged_heap_ends_the_process(false); }

int main(void) {
  RUN(the_hook_is_told);
  RUN(without_a_hook_it_is_printed);
  return DONE;
}
