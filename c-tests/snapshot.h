/* snapshot.h: what is in a snapshot, read by the words of docs/formats-snapshot.md. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H
#include "check.h"

typedef unsigned char byte;

/* A file as a whole, and the records of its blocks one behind the other. */
typedef struct reader {
  byte *records;
  size_t length, at;
} reader;

static inline reader open_records(const char *path) {
  reader r = {NULL, 0, 0};
  byte head[8];
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  if (!file) exit(99);
  CHECK(fread(head, 1, 8, file) == 8 && memcmp(head, "barrowS1", 8) == 0);
  while (fread(head, 1, 8, file) == 8) {
    size_t length = head[0] | head[1] << 8 | (size_t)head[2] << 16;
    CHECK(length > 0 && length <= 65536 && head[3] == 0);
    r.records = (byte *)realloc(r.records, r.length + length);
    CHECK_EQ(fread(r.records + r.length, 1, length, file), length);
    r.length += length;
  }
  fclose(file);
  return r;
}

static inline uint64_t take_number(reader *r) {
  uint64_t n = 0;
  int shift = 0;
  while (r->at < r->length) {
    byte b = r->records[r->at++];
    n |= (uint64_t)(b & 127) << shift;
    if (b < 128) return n;
    shift += 7;
  }
  check_failed(__FILE__, __LINE__, "a number", "it ends with the file");
  exit(99);
}

static inline uint64_t difference(uint64_t n) { return (n >> 1) ^ (0 - (n & 1)); }

static inline void take_text(reader *r, char *place, size_t room) {
  size_t length = (size_t)take_number(r), i;
  for (i = 0; i < length; i++, r->at++)
    if (i + 1 < room) place[i] = (char)r->records[r->at];
  place[length < room ? length : room - 1] = 0;
}

typedef struct found {
  uint64_t objects, words, edges, weak, code, roots, nodes, big, statics;
  char root_names[2000];
} found;

/* Everything that is in a snapshot. In `nodes` the objects named c-tests.node_info; in `big` the words of the greatest. */
static inline found look(const char *path) {
  reader r = open_records(path);
  found f;
  char names[64][80];
  uint64_t after = 0, hold;
  memset(&f, 0, sizeof f);
  memset(names, 0, sizeof names);
  for (;;) {
    uint64_t first = take_number(&r), n;
    int is_roots = 0;
    if (first) {
      uint64_t at = after + difference(take_number(&r)), words = take_number(&r);
      f.objects++;
      f.words += words;
      if (words > f.big) f.big = words;
      after = at + words;
      if (strcmp(names[first % 64], "node_info") == 0) f.nodes++;
      if (strcmp(names[first % 64], "static_info") == 0) f.statics++;
    } else {
      char rest[500];
      byte kind = r.records[r.at++];
      if (kind == 1) {
        n = take_number(&r);
        r.at++;
        take_text(&r, rest, sizeof rest);
        take_text(&r, rest, sizeof rest);
        take_text(&r, rest, sizeof rest);
        take_text(&r, names[n % 64], sizeof names[0]);
        take_text(&r, rest, sizeof rest);
        continue;
      }
      if (kind == 3) break;
      CHECK_EQ(kind, 2);
      is_roots = 1;
      take_text(&r, rest, sizeof rest);
      strcat(strcat(f.root_names, rest), ";");
    }
    hold = 4;
    while ((n = take_number(&r)) != 0) {
      if (n == 1) take_number(&r);
      else if (n < 5) hold = n;
      else if (is_roots) f.roots++;
      else {
        f.edges++;
        f.weak += hold == 2;
        f.code += hold == 3;
      }
    }
  }
  CHECK_EQ(take_number(&r), f.objects);
  CHECK_EQ(take_number(&r), f.words);
  CHECK_EQ(take_number(&r), f.edges);
  CHECK_EQ(take_number(&r), f.roots);
  CHECK_EQ(r.at, r.length);
  free(r.records);
  return f;
}

#endif
