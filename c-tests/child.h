/* A mistake in a child process, whose words the test reads. */
#ifndef CHILD_H
#define CHILD_H

#include "check.h"
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[4000];

/* Runs a mistake in a child, which leaves no core behind. Its words are in `said`; returns its status. */
static int status_of(void (*mistake)(void)) {
  int ends[2], status = 0;
  size_t length = 0;
  ssize_t part;
  pid_t child;
  CHECK_EQ(pipe(ends), 0);
  fflush(NULL);
  child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(ends[1], 2);
    mistake();
    _exit(0);
  }
  close(ends[1]);
  while ((part = read(ends[0], said + length, sizeof said - 1 - length)) > 0) length += (size_t)part;
  said[length] = 0;
  close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child);
  return status;
}

#endif
