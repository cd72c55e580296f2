/* Functions for each line of the memory model in docs/threads.md but the last, whose calls are the library's; for ci/order.sh. */
#include <barrow/inline.h>

typedef struct pair {
  barrow_word header;
  struct pair *next;
} pair;

void fill(pair *made, const barrow_info *info, pair *next) {
  barrow_set_header(made, info);
  made->next = next;
}
void store_plainly(barrow_mutator *m, pair *owner, pair *value) {
  owner->next = value;
  barrow_barrier(m, owner, &owner->next, value);
}
void write_field(barrow_mutator *m, pair *owner, pair *value) { BARROW_WRITE(m, owner, next, value); }
void write(barrow_mutator *m, void *owner, void *field, void *value) { barrow_write(m, owner, field, value); }
void write_word(barrow_mutator *m, pair *owner, barrow_word *field, barrow_word word) { barrow_write_word(m, owner, field, word); }
bool cas(barrow_mutator *m, pair *owner, pair *expected, pair *value) { return barrow_cas(m, owner, &owner->next, expected, value); }
bool cas_word(barrow_mutator *m, pair *owner, barrow_word *field, barrow_word expected, barrow_word word) {
  return barrow_cas_word(m, owner, field, expected, word);
}
void store_word_plainly(barrow_mutator *m, pair *owner, barrow_word *field, barrow_word word) {
  *field = word;
  barrow_barrier_word(m, owner, field, word);
}
barrow_status update(barrow_mutator *m, pair *thunk, pair *value) { return barrow_update(m, thunk, value); }
barrow_status blackhole(barrow_mutator *m, pair *thunk) { return barrow_blackhole(m, thunk); }
barrow_status update_shared(barrow_mutator *m, pair *thunk, pair *value) { return barrow_update_shared_(m, thunk, value); }
bool claim(barrow_mutator *m, pair *thunk) { return barrow_claim(m, thunk); }
const barrow_info *info_now(pair *object) { return barrow_info_now(object); }
void *indirectee(pair *thunk) { return barrow_indirectee(thunk); }
uint32_t poll(barrow_mutator *m) { return BARROW_LOAD_RELAXED(&barrow_window_of(m)->poll); }
void publish_global(pair **global, pair *value) { BARROW_STORE_RELEASE(global, value); }
pair *read_acquire(pair *owner) { return BARROW_LOAD_ACQUIRE(&owner->next); }
bool weak_deref(pair *weak, void **value) { return barrow_weak_deref(weak, value); }
void *weak_key(pair *weak) { return barrow_weak_key(weak); }
void *weak_element(pair *array) { return barrow_weak_array_get(array, 3); }
void weak_write(barrow_mutator *m, pair *array, pair *value) { barrow_weak_array_write(m, array, 3, value); }
void weak_write_word(barrow_mutator *m, pair *array, barrow_word word) { barrow_weak_array_write_word(m, array, 3, word); }

/* ---- cost centres ------------------------------------------------------------------------------------------------------ */

barrow_ccs *ccs_enter(barrow_mutator *m, barrow_cc *centre) { return barrow_ccs_enter(m, centre); }
