/* Censuses by hand, their bands, and their misuse. */
#include "toy.h"

static barrow_census_totals_t totals(toy t) {
  barrow_census_totals_t out;
  memset(&out, 0, sizeof out);
  out.size = (uint32_t)sizeof out;
  CHECK_OK(barrow_census_totals(t.heap, &out));
  return out;
}

/* The bytes of the band of this name; all bands are added up in *sum. */
static uint64_t bytes_of(toy t, char by, const char *name, uint64_t *sum) {
  size_t count = 0, i;
  uint64_t found = 0;
  CHECK_OK(barrow_census_count(t.heap, by, &count));
  *sum = 0;
  for (i = 0; i < count; i++) {
    barrow_census_band_t band;
    char text[500];
    band.size = (uint32_t)sizeof band;
    CHECK_OK(barrow_census_band(t.heap, by, i, &band, text, sizeof text));
    CHECK_EQ(band.name_length, strlen(text));
    CHECK(band.bytes > 0 && band.objects > 0);
    *sum += band.bytes;
    if (strcmp(text, name) == 0) found = band.bytes;
  }
  return found;
}

static void bands_add_up(void) {
  toy t = toy_new("");
  struct { barrow_frame frame; node *list, *cell; void *bytes, *array; } r;
  uint64_t sum, lists = 1000 * sizeof(node);
  char whole[500];
  BARROW_ENTER(t.m, r);
  r.list = toy_list(t.m, 1000);
  r.cell = toy_cell(t.m, NULL, NULL, 1);
  r.bytes = toy_bytes(t.m, 800);
  r.array = toy_array(t.m, 50000);
  CHECK_EQ(totals(t).number, 0);
  CHECK_OK(barrow_census(t.m));
  CHECK_EQ(totals(t).number, 1);
  CHECK_EQ(totals(t).live_objects, 1003);
  CHECK_EQ(bytes_of(t, 'y', "node_info", &sum), lists);
  CHECK_EQ(sum, totals(t).live_bytes);
  CHECK_EQ(bytes_of(t, 'y', "bytes_info", &sum), 8 * barrow_bytes_words(800));
  CHECK_EQ(bytes_of(t, 'd', "array_info", &sum), 8 * barrow_array_words(50000));
  CHECK_EQ(bytes_of(t, 'T', "c-tests.node_info", &sum), lists);
  CHECK_EQ(bytes_of(t, 'T', "MUT_ARR_PTRS", &sum), 8 * barrow_array_words(50000));
  CHECK_EQ(bytes_of(t, 'm', "c-tests", &sum), totals(t).live_bytes);
  CHECK_EQ(sum, totals(t).live_bytes);
  sprintf(whole, "c-tests.cell_info<%.400s>", cell_info_names.source);
  CHECK_EQ(bytes_of(t, 'i', whole, &sum), sizeof(node));
  /* Half of it dies. */
  r.list = NULL;
  CHECK_OK(barrow_census(t.m));
  CHECK_EQ(totals(t).live_objects, 3);
  CHECK_EQ(bytes_of(t, 'y', "node_info", &sum), 0);
  CHECK_EQ(sum, totals(t).live_bytes);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

/* What two heaps count is never mixed, though they share the numbers. */
static void two_heaps(void) {
  toy a = toy_new("-A64k"), b = toy_new("-A64k");
  struct { barrow_frame frame; node *list; } r, s;
  uint64_t sum;
  BARROW_ENTER(a.m, r);
  BARROW_ENTER(b.m, s);
  r.list = toy_list(a.m, 10);
  s.list = toy_list(b.m, 20);
  CHECK_OK(barrow_census(a.m));
  CHECK_OK(barrow_census(b.m));
  CHECK_EQ(bytes_of(a, 'y', "node_info", &sum), 10 * sizeof(node));
  CHECK_EQ(bytes_of(b, 'y', "node_info", &sum), 20 * sizeof(node));
  BARROW_LEAVE(b.m, s);
  BARROW_LEAVE(a.m, r);
  toy_free(a);
  toy_free(b);
}

static void misuse(void) {
  toy t = toy_new("-pocensus-late");
  barrow_census_totals_t all;
  barrow_census_band_t band;
  size_t count = 0;
  char text[8];
  struct { barrow_frame frame; node *list; } r;
  BARROW_ENTER(t.m, r);
  all.size = (uint32_t)sizeof all;
  band.size = (uint32_t)sizeof band;
  REFUSED(BARROW_E_STATE, barrow_census_count(t.heap, 'y', &count));
  REFUSED(BARROW_E_STATE, barrow_census_band(t.heap, 'y', 0, &band, text, 8));
  REFUSED(BARROW_E_ARG, barrow_census(NULL));
  r.list = toy_list(t.m, 3);
  CHECK_OK(barrow_census(t.m));
  /* Producers were not counted by a census before the profile that notes them. */
  CHECK_OK(barrow_profile_start(t.m, "-hc -hm -i0"));
  REFUSED(BARROW_E_STATE, barrow_census_count(t.heap, 'c', &count));
  CHECK_OK(barrow_census_count(t.heap, 'm', &count));
  CHECK(count > 0);
  CHECK_OK(barrow_profile_stop(t.m));
  REFUSED(BARROW_E_ARG, barrow_census_totals(t.heap, NULL));
  all.size = 4;
  REFUSED(BARROW_E_ARG, barrow_census_totals(t.heap, &all));
  REFUSED(BARROW_E_ARG, barrow_census_totals(NULL, &all));
  REFUSED(BARROW_E_ARG, barrow_census_count(t.heap, '?', &count));
  REFUSED(BARROW_E_ARG, barrow_census_count(t.heap, 'y', NULL));
  REFUSED(BARROW_E_ARG, barrow_census_count(NULL, 'y', &count));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'y', 1, &band, text, 8));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'x', 0, &band, text, 8));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'y', 0, NULL, text, 8));
  REFUSED(BARROW_E_ARG, barrow_census_band(t.heap, 'y', 0, &band, NULL, 8));
  /* A name is cut to the room that there is. */
  CHECK_OK(barrow_census_band(t.heap, 'y', 0, &band, text, 5));
  CHECK(strcmp(text, "node") == 0 && band.name_length == 9);
  CHECK_OK(barrow_census_band(t.heap, 'y', 0, &band, NULL, 0));
  CHECK_EQ(band.objects, 3);
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(bands_add_up);
  RUN(two_heaps);
  RUN(misuse);
  return DONE;
}
