/* pprof.h: adds up the samples of a profile in pprof's form. */
#ifndef PPROF_H
#define PPROF_H
#include "check.h"

typedef struct sums {
  double allocated, allocated_bytes, live, live_bytes;
  long rows;
} sums;

static unsigned char bytes[1 << 21];

static inline uint64_t varint(size_t *at) {
  uint64_t value = 0;
  int shift = 0;
  for (;; shift += 7) {
    unsigned char byte = bytes[(*at)++];
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
}

static inline size_t profile_read(const char *name) {
  FILE *file = fopen(name, "rb");
  size_t length = 0;
  CHECK(file != NULL);
  if (file) {
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  return length;
}

/* The number of a text in the profile that was read; 0, which is that of the empty text, without it. */
static inline uint64_t text_number(size_t length, const char *text) {
  size_t at = 0;
  uint64_t number = 0;
  while (at < length) {
    uint64_t key = varint(&at), size = varint(&at);
    if ((key & 7) == 0) continue;
    if (key >> 3 == 6) {
      if (size == strlen(text) && memcmp(bytes + at, text, (size_t)size) == 0) return number;
      number++;
    }
    at += (size_t)size;
  }
  return 0;
}

/* Whether the label between these places has this text. */
static inline bool label_is(size_t at, size_t end, uint64_t text) {
  while (at < end) {
    uint64_t key = varint(&at), value = varint(&at);
    if (key == (2 << 3)) return value == text;
  }
  return false;
}

/* The sums of all samples of the profile that was read; of those with a label of this text alone, unless it is 0. */
static inline sums sums_labelled(size_t length, uint64_t label) {
  sums all = {0, 0, 0, 0, 0};
  size_t at = 0;
  while (at < length) {
    uint64_t key = varint(&at), size = varint(&at);
    size_t end = at + (size_t)size;
    if ((key & 7) == 0) continue;
    CHECK_EQ(key & 7, 2);
    if (key >> 3 == 2) {
      double values[4] = {0, 0, 0, 0};
      int which = 0;
      bool wanted = label == 0;
      while (at < end) {
        uint64_t inner = varint(&at), value = varint(&at);
        if (inner == (2 << 3) && which < 4) values[which++] = (double)value;
        if (inner == (3 << 3 | 2)) wanted |= label_is(at, at + (size_t)value, label);
        if ((inner & 7) == 2) at += (size_t)value;
      }
      CHECK_EQ(which, 4);
      if (wanted) {
        all.rows++;
        all.allocated += values[0], all.allocated_bytes += values[1], all.live += values[2], all.live_bytes += values[3];
      }
    }
    at = end;
  }
  CHECK_EQ(at, length);
  return all;
}

/* The sums of all samples in a profile, and whether it has this text. */
static inline sums sums_of(const char *name, const char *has, int *found) {
  size_t length = profile_read(name);
  *found = length > 0 && (*has == 0 || text_number(length, has) != 0);
  return sums_labelled(length, 0);
}

#endif
