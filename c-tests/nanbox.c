/* barrow/nanbox.h: each kind of value at each of its boundaries is itself and nothing else, before and after collections, and
 * the configuration refuses rules that cannot work. */
#include "toy.h"
#include <barrow/nanbox.h>
#include <float.h>

INFO(values_info, BARROW_ARRAY, BARROW_FLAG_TAIL_TAGGED | BARROW_FLAG_MUTABLE, 0, 0, 0, 0, NULL, NULL);

static double of_bits(barrow_word bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}
static barrow_word bits_of(double number) {
  barrow_word bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* The sets that a value is in: double, whole number, object, constant. */
static int kinds(barrow_word value) {
  return barrow_nan_is_double(value) | barrow_nan_is_int(value) << 1 | barrow_nan_is_object(value) << 2 |
         barrow_nan_is_constant(value) << 3;
}

static const barrow_word doubles[] = {
    0,                     /* 0.0 */
    1,                     /* the least number above it */
    0x000fffffffffffff,    /* the greatest subnormal number */
    0x0010000000000000,    /* the least normal one */
    0x3ff0000000000000,    0x7fefffffffffffff, /* 1.0; DBL_MAX */
    0x7ff0000000000000,    0x7ff8000000000000, /* infinity; the one NaN */
    0x8000000000000000,    0x8000000000000001, /* -0.0; the least number below it */
    0x800fffffffffffff,    0xffefffffffffffff, /* the greatest subnormal one, negative; -DBL_MAX */
    0xfff0000000000000,                        /* minus infinity */
    0x00007fffffffffff,    0x0000800000000000, 0x0001ffffffffffff, 0x0002000000000000, 0x0003ffffffffffff,
};
enum { DOUBLES = sizeof doubles / sizeof *doubles };

static void doubles_are_doubles(void) {
  size_t i;
  for (i = 0; i < DOUBLES; i++) {
    barrow_word value = barrow_nan_of_double(of_bits(doubles[i]));
    CHECK_EQ(kinds(value), 1);
    CHECK_EQ(bits_of(barrow_nan_to_double(value)), doubles[i]);
  }
}

static void each_nan_is_the_same(void) {
  static const barrow_word nans[] = {0x7ff0000000000001, 0x7ff7ffffffffffff, 0x7fffffffffffffff, 0xfff0000000000001,
                                     0xfff8000000000000, 0xfffdffffffffffff, 0xfffe000000000000, 0xfffe00007fff0000,
                                     0xffffffffffffffff};
  size_t i;
  for (i = 0; i < sizeof nans / sizeof *nans; i++) {
    barrow_word value = barrow_nan_of_double(of_bits(nans[i]));
    CHECK_EQ(kinds(value), 1);
    CHECK_EQ(bits_of(barrow_nan_to_double(value)), BARROW_NAN_BITS);
  }
}

static void ints_are_ints(void) {
  static const int32_t numbers[] = {0, 1, -1, 7, 8, 0x7fffffff, -0x7fffffff, -0x7fffffff - 1};
  size_t i;
  for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    barrow_word value = barrow_nan_of_int(numbers[i]);
    CHECK_EQ(kinds(value), 2);
    CHECK_EQ(barrow_nan_to_int(value), numbers[i]);
  }
}

static void constants_and_objects_are_apart(void) {
  static const barrow_word greatest = ((barrow_word)1 << 44) - 1;
  CHECK_EQ(kinds(BARROW_NAN_CONSTANT(0)), 8);
  CHECK_EQ(kinds(BARROW_NAN_CONSTANT(greatest)), 8);
  CHECK_EQ(barrow_nan_to_constant(BARROW_NAN_CONSTANT(greatest)), greatest);
  CHECK_EQ(kinds(0), 0);
  CHECK_EQ(kinds(8), 4);
  CHECK_EQ(kinds(0x00007ffffffffff8), 4);
  CHECK_EQ(barrow_nan_of_object(NULL), 0);
}

/* Doubles whose bits are the addresses of objects, or would be if 2^49 were added, stay what they are when objects move. */
static void collections_leave_numbers_alone(const char *flags) {
  struct { barrow_frame frame; barrow_word values, object, was; } r;
  barrow_config config;
  barrow_word *values;
  size_t i, count = DOUBLES + 6, round;
  barrow_word wanted[DOUBLES + 6];
  toy t;
  barrow_config_init(&config);
  barrow_nan_config(&config);
  t = toy_new_with(&config, flags);
  memset(&r, 0, sizeof r);
  BARROW_PUSH_TAGGED(t.m, r);
  CHECK(toy_node(t.m, NULL, NULL, 0) != NULL); /* dead, so that the next one moves */
  r.object = barrow_nan_of_object(toy_node(t.m, NULL, NULL, 4711));
  r.values = barrow_nan_of_object(barrow_array_init(barrow_alloc(t.m, barrow_array_words(count)), &values_info, count));
  for (i = 0; i < DOUBLES; i++) wanted[i] = barrow_nan_of_double(of_bits(doubles[i]));
  wanted[i++] = barrow_nan_of_double(of_bits(r.object));
  wanted[i++] = barrow_nan_of_double(of_bits(r.object | BARROW_NAN_DOUBLES));
  wanted[i++] = barrow_nan_of_double(of_bits(r.object | (barrow_word)0x8000 << 48));
  wanted[i++] = barrow_nan_of_double(of_bits(r.object - BARROW_NAN_DOUBLES));
  wanted[i++] = barrow_nan_of_int(-8);
  wanted[i++] = BARROW_NAN_CONSTANT(3);
  values = (barrow_word *)barrow_array_elements(barrow_nan_to_object(r.values));
  for (i = 0; i < count; i++) barrow_write_word(t.m, barrow_nan_to_object(r.values), &values[i], wanted[i]);
  r.was = barrow_nan_of_double(of_bits(r.object));
  wanted[0] = r.was; /* the frame's */
  for (round = 0; round < 3; round++) {
    barrow_word before = r.object;
    CHECK_OK(barrow_collect(t.m, true));
    CHECK(round > 0 || r.object != before || strstr(flags, "-c"));
    CHECK_EQ(((node *)barrow_nan_to_object(r.object))->value, 4711);
    CHECK_EQ(r.was, wanted[0]);
    values = (barrow_word *)barrow_array_elements(barrow_nan_to_object(r.values));
    for (i = 1; i < count; i++) CHECK_EQ(values[i], wanted[i]);
  }
  /* References in the same array are followed. */
  barrow_write_word(t.m, barrow_nan_to_object(r.values), &values[2], r.object);
  r.object = 0;
  CHECK_OK(barrow_collect(t.m, true));
  values = (barrow_word *)barrow_array_elements(barrow_nan_to_object(r.values));
  CHECK(barrow_nan_is_object(values[2]));
  CHECK_EQ(((node *)barrow_nan_to_object(values[2]))->value, 4711);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

static void numbers_stay_what_they_are(void) {
  collections_leave_numbers_alone("-DS --source=range");
  collections_leave_numbers_alone("-DS --source=chunks");
  collections_leave_numbers_alone("-DS -c");
  collections_leave_numbers_alone("-DS -DB --faults -G1");
}

static void refused(unsigned pointers, size_t mask, size_t offset, const char *words) {
  barrow_config config;
  barrow_heap *heap;
  barrow_mutator *m;
  barrow_config_init(&config);
  config.tagged_pointers = (uint16_t)pointers;
  config.address_mask = mask;
  config.address_offset = offset;
  REFUSED(BARROW_E_ARG, barrow_heap_new(&config, &heap, &m));
  if (!strstr(barrow_last_error(), words)) check_failed(__FILE__, __LINE__, words, barrow_last_error());
}

/* Each sentence says what would work. */
static void rules_that_cannot_work_are_refused(void) {
  refused(0x0101, 0xfffffff8, 0, "compressed references are not offered");
  refused(0x0101, 0xfffffff8, (size_t)1 << 32, "compressed references are not offered");
  refused(0xffff, (size_t)-1 >> 16, 0, "barrow/nanbox.h");
  refused(0x0202, ~(size_t)0, 0, "no object lies");
  refused(0x0101, ~(size_t)7, 4, "no object lies");
}

int main(void) {
  RUN(doubles_are_doubles);
  RUN(each_nan_is_the_same);
  RUN(ints_are_ints);
  RUN(constants_and_objects_are_apart);
  RUN(numbers_stay_what_they_are);
  RUN(rules_that_cannot_work_are_refused);
  return DONE;
}
