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

/* The sums of all samples in a profile, and whether it has this text. */
static inline sums sums_of(const char *name, const char *has, int *found) {
  sums all = {0, 0, 0, 0, 0};
  FILE *file = fopen(name, "rb");
  size_t at = 0, length = 0;
  CHECK(file != NULL);
  if (file) {
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  *found = 0;
  while (at < length) {
    uint64_t key = varint(&at), size = varint(&at);
    size_t end = at + (size_t)size;
    if ((key & 7) == 0) continue;
    CHECK_EQ(key & 7, 2);
    if (key >> 3 == 6) *found |= size == strlen(has) && memcmp(bytes + at, has, (size_t)size) == 0;
    if (key >> 3 == 2) {
      double *place[4];
      int which = 0;
      place[0] = &all.allocated, place[1] = &all.allocated_bytes, place[2] = &all.live, place[3] = &all.live_bytes;
      all.rows++;
      while (at < end) {
        uint64_t inner = varint(&at), value = varint(&at);
        if (inner == (2 << 3) && which < 4) *place[which++] += (double)value;
        if ((inner & 7) == 2) at += (size_t)value;
      }
      CHECK_EQ(which, 4);
    }
    at = end;
  }
  CHECK_EQ(at, length);
  return all;
}

#endif
