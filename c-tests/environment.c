/* Flags in the environment: read where the client allows it, and never in a program that has another's rights. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "toy.h"
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static barrow_heap *heap;

static barrow_status made(const char *flags, int environment) {
  barrow_config config;
  barrow_config_init(&config);
  config.flags = flags;
  config.environment = (uint32_t)environment;
  heap = NULL;
  return barrow_heap_new(&config, &heap, NULL);
}

static const char *value(const char *flag) {
  static char text[100];
  CHECK_OK(barrow_flag_value(heap, flag, text, sizeof text));
  return text;
}

static void read_where_it_is_allowed(void) {
  setenv("BARROW_FLAGS", "-A2m -G3", 1);
  CHECK_OK(made("-A1m -M64m", 1));
  CHECK(strcmp(value("-A"), "2097152") == 0);
  CHECK(strcmp(value("-G"), "3") == 0);
  CHECK(strcmp(value("-M"), "67108864") == 0);
  CHECK_OK(barrow_heap_free(heap));
  CHECK_OK(made(NULL, 1));
  CHECK(strcmp(value("-G"), "3") == 0);
  CHECK_OK(barrow_heap_free(heap));
  CHECK_OK(made("-A1m", 0));
  CHECK(strcmp(value("-A"), "1048576") == 0);
  CHECK(strcmp(value("-G"), "2") == 0);
  CHECK_OK(barrow_heap_free(heap));
  unsetenv("BARROW_FLAGS");
  CHECK_OK(made("-A1m", 1));
  CHECK(strcmp(value("-G"), "2") == 0);
  CHECK_OK(barrow_heap_free(heap));
}

static void mistakes_are_told_where_they_are(void) {
  setenv("BARROW_FLAGS", "-Q", 1);
  REFUSED(BARROW_E_ARG, made("-A1m", 1));
  CHECK(strstr(barrow_last_error(), "BARROW_FLAGS in the environment: the flag -Q is not known") != NULL);
  REFUSED(BARROW_E_ARG, made("-W", 1));
  CHECK(strstr(barrow_last_error(), "BARROW_FLAGS") == NULL);
  setenv("BARROW_FLAGS", "-po\377", 1);
  REFUSED(BARROW_E_ARG, made("", 1));
  CHECK(strstr(barrow_last_error(), "not valid UTF-8") != NULL);
  CHECK_OK(made("", 0));
  CHECK_OK(barrow_heap_free(heap));
  unsetenv("BARROW_FLAGS");
}

/* The address sanitizer asks for it: it cannot look for leaks in a process with another's rights. */
#ifdef __cplusplus
extern "C"
#endif
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return getauxval(AT_SECURE) != 0; }

/* This program as another user's, with that user's rights; only the superuser can make it. */
static void never_with_anothers_rights(const char *self) {
  char command[4200];
  int status;
  if (geteuid() != 0 || strlen(self) > 2000) return;
  snprintf(command, sizeof command, "cp '%s' environment-setuid && chown 65534 environment-setuid && chmod 4755 environment-setuid", self);
  if (system(command) != 0) return;
  setenv("BARROW_FLAGS", "-Q", 1);
  status = system("./environment-setuid child");
  unsetenv("BARROW_FLAGS");
  unlink("environment-setuid");
  /* 77: the system gives this file no rights of others, or nobody may come here. */
  if (WIFEXITED(status) && WEXITSTATUS(status) >= 77) {
    check_skipped("programs with another's rights cannot be run here");
    return;
  }
  CHECK_EQ(status, 0);
}

static int child(void) {
  if (getauxval(AT_SECURE) == 0) return 77;
  if (made("-A1m", 1) != BARROW_OK) return 1;
  return strcmp(value("-A"), "1048576") != 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "child") == 0) return child();
  RUN(read_where_it_is_allowed);
  RUN(mistakes_are_told_where_they_are);
  never_with_anothers_rights(argv[0]);
  return DONE;
}
