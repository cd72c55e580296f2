/* stack_map.h: a stack map of one function with one call, as LLVM would write it. */
#ifndef STACK_MAP_H
#define STACK_MAP_H
#include "check.h"

typedef struct map {
  uint8_t version, zero;
  uint16_t zeros;
  uint32_t functions, constants, records;
  uint64_t function, frame, calls;
  uint64_t id;
  uint32_t offset;
  uint16_t reserved, locations;
  struct { uint8_t kind, zero; uint16_t size, reg, zeros; int32_t value; } location[5];
  uint32_t padding, live_outs;
  uint32_t end;
} map;

/* The call returns so many bytes into the function, and keeps one reference, 8 bytes above the end of the stack. */
static inline map map_of(const void *function, uint64_t frame, uint32_t offset) {
  map m;
  int i;
  memset(&m, 0, sizeof m);
  m.version = 3;
  m.functions = m.records = 1;
  m.function = (uint64_t)(size_t)function;
  m.frame = frame;
  m.calls = 1;
  m.offset = offset;
  m.locations = 5;
  for (i = 0; i < 5; i++) {
    m.location[i].kind = i < 3 ? 4 : 3;
    m.location[i].size = 8;
#if defined(__aarch64__)
    m.location[i].reg = i < 3 ? 0 : 31;
#else
    m.location[i].reg = i < 3 ? 0 : 7;
#endif
    m.location[i].value = i < 3 ? 0 : 8;
  }
  return m;
}

#endif
