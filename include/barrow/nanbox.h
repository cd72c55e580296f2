/* barrow/nanbox.h: values of one word that are doubles, whole numbers of 32 bits, constants or references (NaN boxing).
 *
 * A reference is the object's address as it is. A double is its bits plus 2^49, so that no double looks like an address:
 *
 *   0x0000000000000000 to 0x0000ffffffffffff   references, at multiples of 8; constants, at other numbers; 0 is no value
 *   0x0002000000000000 to 0xfff2000000000000   doubles, from 0.0 up to minus infinity
 *   0xfffe000000000000 to 0xfffe0000ffffffff   whole numbers of 32 bits
 *
 * The other way round, with doubles as they are and marks above addresses, the collector would have to mask the marks off, and
 * a double whose other bits happen to be an address would be taken for a reference and rewritten. docs/values.md has more.
 *
 * The heap is told by barrow_nan_config. Frames of such words are pushed by BARROW_PUSH_TAGGED, fields are stored by
 * barrow_write_word, and kinds are the ones for tagged words. Forms look at values alone.
 * Threads: any, several at the same time. */
#ifndef BARROW_NANBOX_H
#define BARROW_NANBOX_H
#include <barrow/inline.h>

/* Added to the bits of a double. */
#define BARROW_NAN_DOUBLES ((barrow_word)1 << 49)
/* Added to a whole number of 32 bits. */
#define BARROW_NAN_INTS ((barrow_word)0xfffe << 48)
/* The bits of the one NaN: a value that is any other NaN becomes this one. */
#define BARROW_NAN_BITS ((barrow_word)0x7ff8 << 48)
/* The constant of a number below 2^44: 0 for null, 1 for false and so on, as the client likes. */
#define BARROW_NAN_CONSTANT(k) ((barrow_word)(k) << 3 | 2)
/* Bits 0 and 8: words with low three bits 0 are references, if an object of the heap is there. */
#define BARROW_NAN_TAGGED_POINTERS 0x0101

/* Tells a configuration that words are such values. Called after barrow_config_init.
 * Threads: any, one at a time for the same object. */
static inline void barrow_nan_config(barrow_config *config) {
  config->tagged_pointers = BARROW_NAN_TAGGED_POINTERS;
  config->address_mask = ~(size_t)0;
  config->address_offset = 0;
}

/* Whether a value is a double. */
static inline bool barrow_nan_is_double(barrow_word value) {
  return value - BARROW_NAN_DOUBLES < BARROW_NAN_INTS - BARROW_NAN_DOUBLES;
}
/* Whether a value is a whole number of 32 bits. */
static inline bool barrow_nan_is_int(barrow_word value) { return value >= BARROW_NAN_INTS; }
/* Whether a value is a reference to an object. */
static inline bool barrow_nan_is_object(barrow_word value) {
  return value != 0 && (value & 7) == 0 && value < BARROW_NAN_DOUBLES;
}
/* Whether a value is a constant. */
static inline bool barrow_nan_is_constant(barrow_word value) { return (value & 7) == 2 && value < BARROW_NAN_DOUBLES; }

/* The value of a double. */
static inline barrow_word barrow_nan_of_double(double number) {
  barrow_word bits;
  memcpy(&bits, &number, sizeof bits);
  if (number != number) bits = BARROW_NAN_BITS;
  return bits + BARROW_NAN_DOUBLES;
}
/* The double of a value that is one. */
static inline double barrow_nan_to_double(barrow_word value) {
  double number;
  value -= BARROW_NAN_DOUBLES;
  memcpy(&number, &value, sizeof number);
  return number;
}

/* The value of a whole number. */
static inline barrow_word barrow_nan_of_int(int32_t number) { return BARROW_NAN_INTS | (uint32_t)number; }
/* The whole number of a value that is one. */
static inline int32_t barrow_nan_to_int(barrow_word value) {
  uint32_t bits = (uint32_t)value;
  int32_t number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* The value of an object, or of NULL. */
static inline barrow_word barrow_nan_of_object(const void *object) { return (barrow_word)object; }
/* The object of a value that is one. */
static inline void *barrow_nan_to_object(barrow_word value) { return (void *)value; }

/* The number of a value that is a constant. */
static inline barrow_word barrow_nan_to_constant(barrow_word value) { return value >> 3; }

#endif
