/* A mistake in a child process, whose words the test reads. */
#ifndef CHILD_H
#define CHILD_H

#include "check.h"
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
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

/* Makes the child's standard error stream a pipe that is full, with a reader who comes late: another process, which hands on
 * what is not the filling. */
static inline void clog_stderr(bool waits) {
  const struct timespec late = {0, 300000000};
  char filling[4096], c;
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  memset(filling, '\1', sizeof filling);
  CHECK_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  while (write(ends[1], filling, sizeof filling) > 0) continue;
  while (write(ends[1], filling, 1) > 0) continue;
  if (waits) CHECK_EQ(fcntl(ends[1], F_SETFL, 0), 0);
  if (fork() == 0) {
    close(ends[1]);
    nanosleep(&late, NULL);
    while (read(ends[0], &c, 1) == 1)
      if (c != '\1' && write(2, &c, 1) != 1) break;
    _exit(0);
  }
  dup2(ends[1], 2);
  close(ends[0]);
  close(ends[1]);
}

#endif
