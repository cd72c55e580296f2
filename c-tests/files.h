/* files.h: looks into the files that profiles write. Their names begin with STEM. */
#ifndef FILES_H
#define FILES_H
#include "check.h"
#include <unistd.h>

/* The whole file of this ending; empty when there is none. It stays until the next one is read. */
static char text[16 << 20];
static inline const char *file(const char *ending) {
  char name[300];
  FILE *in;
  size_t length = 0;
  sprintf(name, STEM "%.200s", ending);
  in = fopen(name, "r");
  if (in) {
    length = fread(text, 1, sizeof text - 1, in);
    CHECK(length < sizeof text - 1);
    fclose(in);
  }
  text[length] = 0;
  return text;
}

static inline void removed(const char *ending) {
  char name[300];
  sprintf(name, STEM "%.200s", ending);
  unlink(name);
}

/* The whole file, which is then removed. */
static inline const char *last_of(const char *ending) {
  file(ending);
  removed(ending);
  return text;
}

static inline size_t times(const char *whole, const char *part) {
  size_t count = 0;
  for (; (whole = strstr(whole, part)) != NULL; whole++) count++;
  return count;
}

/* Behind the last sample, and nowhere between two, is a line that begins with these words: readers end there. */
static inline void samples_then_the_rest(const char *whole, const char *words) {
  const char *at = strstr(whole, "BEGIN_SAMPLE"), *last = at, *other = at ? strstr(at, words) : NULL;
  for (; at; at = strstr(at + 1, "BEGIN_SAMPLE")) last = at;
  if (!other || other < last) check_failed(__FILE__, __LINE__, words, "not behind the samples");
}

/* The value of a line in sample number `index`, the empty one at the beginning being 0; -1 without such a sample, -2
 * without such a line. The name may be the beginning of a line's, up to a tab. */
static inline long line_of(const char *whole, int index, const char *name) {
  char line[200];
  const char *at = whole, *end;
  for (; index >= 0 && at; index--) at = strstr(at + 1, "BEGIN_SAMPLE");
  if (!at) return -1;
  end = strstr(at, "END_SAMPLE");
  sprintf(line, "\n%.150s\t", name);
  at = strstr(at, line);
  return at && at < end ? atol(at + strlen(line)) : -2;
}

/* The bytes of a band in a sample; 0 when it is not there, -1 without the sample. */
static inline long band(const char *whole, int index, const char *name) {
  long bytes = line_of(whole, index, name);
  return bytes == -2 ? 0 : bytes;
}

/* The bytes of all bands with these labels behind their numbers: `(12)parse`. */
static inline long labelled(const char *whole, int sample, const char *labels) {
  char name[100];
  int number;
  long sum = 0, bytes;
  for (number = 0; number < 200; number++) {
    sprintf(name, "(%d)%.60s", number, labels);
    bytes = band(whole, sample, name);
    if (bytes > 0) sum += bytes;
  }
  return sum;
}
#endif
