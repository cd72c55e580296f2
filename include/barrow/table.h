/* barrow/table.h: every function of the library as a member of one struct, for programs that load it with dlopen.
 *
 *   void *library = dlopen("libbarrow.so.0.1", RTLD_NOW | RTLD_LOCAL);
 *   barrow_function_table_fn get = (barrow_function_table_fn)dlsym(library, "barrow_function_table");
 *   const barrow_functions *b = get(BARROW_ABI_MAJOR, sizeof(barrow_functions));    NULL: b is for another version
 *   b->heap_new(&config, &heap, &mutator);
 *
 * The getter takes what the caller was compiled for: it refuses another major version, and a library that has fewer
 * functions than the caller knows. New functions are only ever added at the end.
 *
 * With BARROW_THROUGH_TABLE defined before this file, all names of barrow.h and the inline forms of barrow/inline.h go
 * through `barrow_loaded`, which the program defines and sets, so that nothing is left for the linker.
 *
 * Load the library once and keep it: it marks itself as not to be unloaded.
 *
 * Generated from the library's own declarations; do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_TABLE_H
#define BARROW_TABLE_H

#include "../barrow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the name barrow_function_table stands for. */
typedef const barrow_functions *(*barrow_function_table_fn)(uint32_t abi_major, uint32_t size);

struct barrow_functions {
  /* Of this struct, as the library has it. */
  uint32_t size;
  uint32_t abi_major, abi_minor;
  uint32_t count;
  size_t *(*alloc_slow)(struct barrow_mutator *mutator, size_t words);
  bool (*reserve_slow)(struct barrow_mutator *mutator, size_t words);
  size_t *(*allocate)(struct barrow_mutator *mutator, size_t words);
  size_t *(*allocate_pinned)(struct barrow_mutator *mutator, size_t words, size_t align, size_t offset);
  bool (*wants_gc)(struct barrow_mutator *mutator);
  enum barrow_status (*open_nursery)(struct barrow_mutator *mutator, size_t **hp, size_t **hp_lim);
  enum barrow_status (*close_nursery)(struct barrow_mutator *mutator, size_t *hp);
  bool (*extend_nursery)(struct barrow_mutator *mutator, size_t **hp, size_t **hp_lim);
  void (*remember_slow)(struct barrow_mutator *mutator, size_t entry);
  void (*wrote)(struct barrow_mutator *mutator, void *owner, void *field);
  void (*wrote_word)(struct barrow_mutator *mutator, void *owner, size_t *field);
  enum barrow_status (*record_slot)(struct barrow_mutator *mutator, void *slot);
  enum barrow_status (*record_word_slot)(struct barrow_mutator *mutator, size_t *slot);
  enum barrow_status (*record_mutable)(struct barrow_mutator *mutator, void *object);
  enum barrow_status (*record_old_to_new)(struct barrow_mutator *mutator, void *object);
  enum barrow_status (*become)(struct barrow_mutator *mutator, void *object, const void *info);
  enum barrow_status (*shrink)(struct barrow_mutator *mutator, void *object, size_t length);
  enum barrow_status (*array_copy)(struct barrow_mutator *mutator, void *to, size_t to_index, const void *from, size_t from_index, size_t count);
  enum barrow_status (*array_fill)(struct barrow_mutator *mutator, void *array, size_t index, size_t count, void *value);
  enum barrow_status (*alloc_group)(struct barrow_heap *heap, size_t blocks, struct barrow_bdescr **out_group);
  enum barrow_status (*free_group)(struct barrow_heap *heap, struct barrow_bdescr *group);
  void *(*get_megablocks)(struct barrow_heap *heap, size_t count);
  enum barrow_status (*audit)(struct barrow_heap *heap);
  enum barrow_status (*collect)(struct barrow_mutator *mutator, bool major);
  enum barrow_status (*collect_with)(struct barrow_mutator *mutator, bool major, void (*roots)(void *client, struct barrow_visitor *visitor), void *client);
  enum barrow_status (*check)(struct barrow_mutator *mutator);
  enum barrow_status (*external_bytes)(struct barrow_mutator *mutator, int64_t delta);
  enum barrow_status (*coverage_new)(const struct barrow_coverage_options *options, struct barrow_coverage **out_coverage);
  enum barrow_status (*coverage_register)(struct barrow_coverage *coverage, const struct barrow_coverage_module *modules, size_t count);
  enum barrow_status (*coverage_unregister)(struct barrow_coverage *coverage, const struct barrow_coverage_module *modules, size_t count);
  enum barrow_status (*coverage_check)(struct barrow_coverage *coverage);
  enum barrow_status (*coverage_write)(struct barrow_coverage *coverage);
  enum barrow_status (*coverage_forget)(struct barrow_coverage *coverage);
  const char *(*coverage_file)(struct barrow_coverage *coverage);
  enum barrow_status (*coverage_free)(struct barrow_coverage *coverage);
  enum barrow_status (*default_flags)(const char *flags);
  struct barrow_heap *(*default_heap)(void);
  struct barrow_mutator *(*default_mutator)(void);
  enum barrow_status (*heap_new)(const struct barrow_config *config, struct barrow_heap **out_heap, struct barrow_mutator **out_mutator);
  enum barrow_status (*heap_free)(struct barrow_heap *heap);
  enum barrow_status (*attach)(struct barrow_heap *heap, struct barrow_mutator **out_mutator);
  enum barrow_status (*detach)(struct barrow_mutator *mutator);
  struct barrow_heap *(*heap_of)(struct barrow_mutator *mutator);
  enum barrow_status (*safepoint)(struct barrow_mutator *mutator);
  enum barrow_status (*enter_foreign)(struct barrow_mutator *mutator);
  enum barrow_status (*leave_foreign)(struct barrow_mutator *mutator);
  enum barrow_status (*flag_value)(struct barrow_heap *heap, const char *flag, char *buffer, size_t bytes);
  const char *(*flags_help)(void);
  enum barrow_status (*take_flags)(int32_t *argc, char **argv, char *flags, size_t bytes);
  enum barrow_status (*info_check)(const struct barrow_info *info);
  size_t (*object_words)(struct barrow_heap *heap, const void *object);
  int32_t (*generation_of)(struct barrow_heap *heap, const void *address);
  bool (*in_heap)(struct barrow_heap *heap, const void *address);
  enum barrow_status (*module_unregister)(struct barrow_mutator *mutator, const void *base, size_t bytes);
  enum barrow_status (*mix_begin)(const struct barrow_mix_options *options, struct barrow_mix **out_mix);
  enum barrow_status (*mix_add)(struct barrow_mix *mix, const struct barrow_box *a_box, size_t *out_number);
  enum barrow_status (*mix_end)(struct barrow_mix *mix, uint32_t *out_hash, size_t *out_boxes);
  enum barrow_status (*mix_cancel)(struct barrow_mix *mix);
  void (*visit)(struct barrow_visitor *visitor, void **root);
  void (*visit_word)(struct barrow_visitor *visitor, size_t *root);
  void (*visit_named)(struct barrow_visitor *visitor, const char *name, void **roots, size_t count);
  void (*visit_words)(struct barrow_visitor *visitor, const char *name, size_t *words, size_t count);
  enum barrow_status (*root_add)(struct barrow_heap *heap, const char *name, void *roots, size_t count, bool tagged);
  enum barrow_status (*root_remove)(struct barrow_heap *heap, void *roots);
  enum barrow_status (*attach_llvm_frames)(struct barrow_mutator *mutator, void *chain);
  enum barrow_status (*check_frames)(struct barrow_mutator *mutator);
  enum barrow_status (*handle_new)(struct barrow_mutator *mutator, void *object, struct barrow_handle **out_handle);
  enum barrow_status (*handle_set)(struct barrow_mutator *mutator, struct barrow_handle *handle, void *object);
  enum barrow_status (*handle_free)(struct barrow_mutator *mutator, struct barrow_handle *handle);
  size_t (*stable_new)(struct barrow_mutator *mutator, void *object);
  void *(*stable_get)(struct barrow_mutator *mutator, size_t stable);
  enum barrow_status (*stable_free)(struct barrow_mutator *mutator, size_t stable);
  enum barrow_status (*heap_state)(struct barrow_heap *heap, struct barrow_heap_state_t *out);
  enum barrow_status (*generation_state)(struct barrow_heap *heap, uint32_t generation, struct barrow_generation_state_t *out);
  enum barrow_status (*step_state)(struct barrow_heap *heap, uint32_t generation, uint32_t step, struct barrow_step_state_t *out);
  enum barrow_status (*stats)(struct barrow_heap *heap, struct barrow_stats_t *out);
  uint32_t (*abi_version)(uint32_t *minor);
  const char *(*version)(void);
  const char *(*last_error)(void);
  const char *(*status_name)(uint32_t status);
  int64_t (*window_offset)(const char *field);
  enum barrow_status (*cc_register)(struct barrow_cc *centres, size_t count);
  struct barrow_ccs *(*ccs_enter_slow)(struct barrow_mutator *mutator, struct barrow_cc *centre);
  struct barrow_ccs *(*ccs_enter_caf)(struct barrow_mutator *mutator, struct barrow_cc *centre);
  struct barrow_ccs *(*ccs_enter_function_slow)(struct barrow_mutator *mutator, const struct barrow_ccs *function);
  enum barrow_status (*ccs_leave_slow)(struct barrow_mutator *mutator, const struct barrow_ccs *to);
  struct barrow_ccs *(*ccs_special)(uint32_t which);
  struct barrow_ccs *(*ccs_of_number)(uint32_t number);
  uint32_t (*ccs_count)(void);
  struct barrow_ccs *(*ccs_push)(const struct barrow_ccs *on, struct barrow_cc *centre);
  void *(*weak_new)(struct barrow_mutator *mutator, void *key, void *value, void *finalizer);
  enum barrow_status (*weak_set_function)(struct barrow_mutator *mutator, void *weak, void (*function)(struct barrow_mutator *mutator, void *data, void *key, void *value), void *data, bool *out_added);
  enum barrow_status (*weak_finalize)(struct barrow_mutator *mutator, void *weak, void **out_finalizer);
  size_t (*run_finalizers)(struct barrow_mutator *mutator, void (*run)(void *client, struct barrow_mutator *mutator, void *finalizer, void *key, void *value), void *client, size_t most);
  bool (*finalizers_due)(struct barrow_mutator *mutator);
  size_t (*weak_count)(struct barrow_mutator *mutator);
  enum barrow_status (*census)(struct barrow_mutator *mutator);
  enum barrow_status (*census_totals)(struct barrow_heap *heap, struct barrow_census_totals_t *out);
  enum barrow_status (*census_count)(struct barrow_heap *heap, char by, size_t *out_count);
  enum barrow_status (*census_band)(struct barrow_heap *heap, char by, size_t index, struct barrow_census_band_t *out, char *name, size_t room);
  enum barrow_status (*update_slow)(struct barrow_mutator *mutator, void *thunk, void *value);
  enum barrow_status (*update_permanent)(struct barrow_mutator *mutator, void *thunk, void *value);
  enum barrow_status (*blackhole_slow)(struct barrow_mutator *mutator, void *thunk);
  enum barrow_status (*use_table)(struct barrow_heap *heap, const struct barrow_info *info);
  const struct barrow_info *(*table)(struct barrow_heap *heap, uint32_t kind);
  void *(*resolve)(struct barrow_resolver *resolver, const void *pointer);
  enum barrow_status (*stack_maps_register)(struct barrow_heap *heap, const void *section, size_t bytes, bool tagged);
  enum barrow_status (*stack_maps_unregister)(struct barrow_mutator *mutator, const void *section);
  enum barrow_status (*stack_call)(struct barrow_mutator *mutator, size_t (*function)(struct barrow_mutator *mutator, size_t a, size_t b, size_t c), size_t a, size_t b, size_t c, size_t *result);
  enum barrow_status (*stack_save)(struct barrow_mutator *mutator, struct barrow_saved_stack *saved);
  enum barrow_status (*stack_restore)(struct barrow_mutator *mutator, const struct barrow_saved_stack *saved);
  size_t *(*gc_alloc_slow)(struct barrow_mutator *mutator, size_t words);
  bool (*gc_reserve_slow)(struct barrow_mutator *mutator, size_t words);
  void (*gc_collect)(struct barrow_mutator *mutator, bool major);
  void (*gc_safepoint)(struct barrow_mutator *mutator);
  size_t (*gc_call)(struct barrow_mutator *mutator, size_t (*function)(struct barrow_mutator *mutator, size_t a, size_t b), size_t a, size_t b);
  void *(*stack_new)(struct barrow_mutator *mutator, const struct barrow_info *stop, size_t words);
  enum barrow_status (*stack_enter)(struct barrow_mutator *mutator, void *stack);
  bool (*stack_grow)(struct barrow_mutator *mutator, size_t words);
  bool (*stack_underflow)(struct barrow_mutator *mutator);
  enum barrow_status (*stack_check)(struct barrow_mutator *mutator, void *stack);
  enum barrow_status (*thread_enter)(struct barrow_mutator *mutator, void *thread);
  enum barrow_status (*thread_leave)(struct barrow_mutator *mutator, void *thread);
  void (*used)(struct barrow_mutator *mutator, const void *object);
  size_t *(*biography_slow)(struct barrow_mutator *mutator, const void *object);
  enum barrow_status (*record_dead)(struct barrow_mutator *mutator, const void *object, size_t words);
  enum barrow_status (*record_dead_fill_slop)(struct barrow_mutator *mutator, void *object);
  enum barrow_status (*statics_add)(struct barrow_heap *heap, void *const *objects, size_t count, bool keep);
  enum barrow_status (*statics_add_section)(struct barrow_heap *heap, void *base, size_t bytes, bool keep);
  enum barrow_status (*new_caf)(struct barrow_mutator *mutator, void *caf, void *value);
  enum barrow_status (*revert_cafs)(struct barrow_mutator *mutator);
  void *(*kept_caf)(struct barrow_heap *heap, size_t number);
  size_t (*cafs)(struct barrow_heap *heap);
  uint64_t (*identity_hash)(struct barrow_mutator *mutator, const void *object);
  void *(*stable_name)(struct barrow_mutator *mutator, const void *object);
  enum barrow_status (*profile_start)(struct barrow_mutator *mutator, const char *flags);
  enum barrow_status (*profile_stop)(struct barrow_mutator *mutator);
  enum barrow_status (*profile_mark)(struct barrow_mutator *mutator);
  enum barrow_status (*retainers_by)(struct barrow_heap *heap, const struct barrow_retainer_scheme *scheme);
  enum barrow_status (*retainer_sets)(struct barrow_heap *heap, size_t *out_count);
  enum barrow_status (*retainer_set)(struct barrow_heap *heap, uint32_t number, struct barrow_retainer_set_t *out);
  enum barrow_status (*retainer_name)(struct barrow_heap *heap, uint32_t number, uint32_t member, char *buffer, size_t bytes, size_t *out_length);
  enum barrow_status (*cost_report)(struct barrow_mutator *mutator, const char *file, uint32_t detail);
  enum barrow_status (*cost_ticks)(struct barrow_mutator *mutator, double seconds);
  enum barrow_status (*cost_tick)(struct barrow_mutator *mutator, uint64_t ticks);
  enum barrow_status (*costs)(struct barrow_mutator *mutator, struct barrow_cost_row *rows, size_t count, size_t *out_count);
  enum barrow_status (*ccs_print)(struct barrow_mutator *mutator, const struct barrow_ccs *stack);
  enum barrow_status (*exception)(struct barrow_mutator *mutator, const char *kind, const struct barrow_ccs *const *enclosing, size_t count);
  enum barrow_status (*cc_names)(uint32_t number, const char **label, const char **module, const char **source);
  enum barrow_status (*ticky_register)(struct barrow_ticky_function *functions, size_t count);
  struct barrow_entry_count *(*ticky_row)(struct barrow_mutator *mutator, struct barrow_ticky_function *of);
  enum barrow_status (*ticky_counters)(struct barrow_mutator *mutator, struct barrow_ticky *out);
  int64_t (*ticky_offset)(const char *name);
  enum barrow_status (*ticky_functions)(struct barrow_mutator *mutator, struct barrow_ticky_row_t *rows, size_t count, size_t *out_count);
  enum barrow_status (*ticky_report)(struct barrow_mutator *mutator, const char *file);
  enum barrow_status (*snapshot)(struct barrow_mutator *mutator, const char *path);
  enum barrow_status (*space_begin)(struct barrow_mutator *mutator, const struct barrow_space_options *options, uint32_t *out_profile);
  enum barrow_status (*space_end)(struct barrow_mutator *mutator, uint32_t profile);
  enum barrow_status (*space_suspend)(struct barrow_mutator *mutator);
  enum barrow_status (*space_resume)(struct barrow_mutator *mutator);
  enum barrow_status (*space_point)(struct barrow_mutator *mutator);
  enum barrow_status (*space_forget)(struct barrow_heap *heap);
  enum barrow_status (*space_totals)(struct barrow_heap *heap, struct barrow_space_totals_t *out);
  enum barrow_status (*space_function)(struct barrow_heap *heap, size_t index, struct barrow_space_function_t *out, char *name, size_t room);
  enum barrow_status (*space_kind)(struct barrow_heap *heap, size_t index, size_t line, size_t column, struct barrow_space_kind_t *out);
  enum barrow_status (*space_caller)(struct barrow_heap *heap, size_t index, size_t *out_parent, size_t *out_function, uint64_t *out_ticks);
  enum barrow_status (*space_report)(struct barrow_heap *heap, const char *path, char format);
  enum barrow_status (*biography_samples)(struct barrow_heap *heap, char by, size_t *out_count);
  enum barrow_status (*biography_sample)(struct barrow_heap *heap, char by, size_t sample, double *out_seconds, size_t *out_bands);
  enum barrow_status (*biography_band)(struct barrow_heap *heap, char by, size_t sample, size_t index, struct barrow_census_band_t *out, char *name, size_t room);
  enum barrow_status (*retainer_of)(struct barrow_mutator *mutator, const void *object, bool *out_is_retainer, uint32_t *out_retainer, uint64_t *out_cost);
  uint32_t (*retainer_of_ccs)(const struct barrow_ccs *stack);
  enum barrow_status (*retainer_set_add)(struct barrow_heap *heap, uint32_t set, uint32_t retainer, uint32_t *out_set);
  bool (*retainer_set_has)(struct barrow_heap *heap, uint32_t set, uint32_t retainer);
  enum barrow_status (*retainer_set_member)(struct barrow_heap *heap, uint32_t set, uint32_t index, uint32_t *out_retainer);
  enum barrow_status (*retainer_text)(struct barrow_heap *heap, uint32_t retainer, bool whole, char *buffer, size_t bytes, size_t *out_length);
  enum barrow_status (*retainer_sets_refresh)(struct barrow_heap *heap);
  enum barrow_status (*retainer_sets_free)(struct barrow_heap *heap);
  enum barrow_status (*why)(struct barrow_mutator *mutator, const void *address, const struct barrow_held **out_steps, size_t *out_count);
  enum barrow_status (*moved_here)(struct barrow_mutator *mutator, const void *address, struct barrow_moved *out);
  enum barrow_status (*moved_away)(struct barrow_mutator *mutator, const void *address, struct barrow_moved *out);
  void (*fork_prepare)(void);
  void (*fork_parent)(void);
  void (*fork_child)(void);
  size_t *(*alloc_slow_for)(struct barrow_mutator *mutator, size_t words, const void *caller);
  size_t (*walk_code)(void *client, struct barrow_mutator *mutator, void **functions, size_t room);
  size_t (*walk_frames)(void *client, struct barrow_mutator *mutator, void **functions, size_t room);
  size_t (*walk_stack)(void *client, struct barrow_mutator *mutator, void **functions, size_t room);
  enum barrow_status (*weak_array_set)(struct barrow_mutator *mutator, void *array, size_t index, void *value);
  bool (*stack_reserve)(struct barrow_mutator *mutator, size_t words);
  enum barrow_status (*config_default)(struct barrow_config *config, size_t size);
  enum barrow_status (*samples_write)(struct barrow_mutator *mutator, const char *path);
  enum barrow_status (*last_status)(void);
  size_t *(*stack_find)(struct barrow_mutator *mutator, const struct barrow_info *table, const size_t *after);
  enum barrow_status (*stack_cut)(struct barrow_mutator *mutator, const size_t *frame);
  void *(*stack_capture)(struct barrow_mutator *mutator, const size_t *until);
  bool (*stack_reinstate)(struct barrow_mutator *mutator, void *part);
  enum barrow_status (*retainer_set_of)(struct barrow_mutator *mutator, void **object, uint32_t *out_set);
  bool (*claim_slow)(struct barrow_mutator *mutator, void *thunk);
  enum barrow_status (*wait_for)(struct barrow_mutator *mutator, void *object);
  void *(*visit_value)(struct barrow_visitor *visitor, void *object);
  size_t (*visit_value_word)(struct barrow_visitor *visitor, size_t word);
};

#ifdef BARROW_THROUGH_TABLE
extern const barrow_functions *barrow_loaded;
#define barrow_alloc_slow (barrow_loaded->alloc_slow)
#define barrow_reserve_slow (barrow_loaded->reserve_slow)
#define barrow_allocate (barrow_loaded->allocate)
#define barrow_allocate_pinned (barrow_loaded->allocate_pinned)
#define barrow_wants_gc (barrow_loaded->wants_gc)
#define barrow_open_nursery (barrow_loaded->open_nursery)
#define barrow_close_nursery (barrow_loaded->close_nursery)
#define barrow_extend_nursery (barrow_loaded->extend_nursery)
#define barrow_remember_slow (barrow_loaded->remember_slow)
#define barrow_wrote (barrow_loaded->wrote)
#define barrow_wrote_word (barrow_loaded->wrote_word)
#define barrow_record_slot (barrow_loaded->record_slot)
#define barrow_record_word_slot (barrow_loaded->record_word_slot)
#define barrow_record_mutable (barrow_loaded->record_mutable)
#define barrow_record_old_to_new (barrow_loaded->record_old_to_new)
#define barrow_become (barrow_loaded->become)
#define barrow_shrink (barrow_loaded->shrink)
#define barrow_array_copy (barrow_loaded->array_copy)
#define barrow_array_fill (barrow_loaded->array_fill)
#define barrow_alloc_group (barrow_loaded->alloc_group)
#define barrow_free_group (barrow_loaded->free_group)
#define barrow_get_megablocks (barrow_loaded->get_megablocks)
#define barrow_audit (barrow_loaded->audit)
#define barrow_collect (barrow_loaded->collect)
#define barrow_collect_with (barrow_loaded->collect_with)
#define barrow_check (barrow_loaded->check)
#define barrow_external_bytes (barrow_loaded->external_bytes)
#define barrow_coverage_new (barrow_loaded->coverage_new)
#define barrow_coverage_register (barrow_loaded->coverage_register)
#define barrow_coverage_unregister (barrow_loaded->coverage_unregister)
#define barrow_coverage_check (barrow_loaded->coverage_check)
#define barrow_coverage_write (barrow_loaded->coverage_write)
#define barrow_coverage_forget (barrow_loaded->coverage_forget)
#define barrow_coverage_file (barrow_loaded->coverage_file)
#define barrow_coverage_free (barrow_loaded->coverage_free)
#define barrow_default_flags (barrow_loaded->default_flags)
#define barrow_default_heap (barrow_loaded->default_heap)
#define barrow_default_mutator (barrow_loaded->default_mutator)
#define barrow_heap_new (barrow_loaded->heap_new)
#define barrow_heap_free (barrow_loaded->heap_free)
#define barrow_attach (barrow_loaded->attach)
#define barrow_detach (barrow_loaded->detach)
#define barrow_heap_of (barrow_loaded->heap_of)
#define barrow_safepoint (barrow_loaded->safepoint)
#define barrow_enter_foreign (barrow_loaded->enter_foreign)
#define barrow_leave_foreign (barrow_loaded->leave_foreign)
#define barrow_flag_value (barrow_loaded->flag_value)
#define barrow_flags_help (barrow_loaded->flags_help)
#define barrow_take_flags (barrow_loaded->take_flags)
#define barrow_info_check (barrow_loaded->info_check)
#define barrow_object_words (barrow_loaded->object_words)
#define barrow_generation_of (barrow_loaded->generation_of)
#define barrow_in_heap (barrow_loaded->in_heap)
#define barrow_module_unregister (barrow_loaded->module_unregister)
#define barrow_mix_begin (barrow_loaded->mix_begin)
#define barrow_mix_add (barrow_loaded->mix_add)
#define barrow_mix_end (barrow_loaded->mix_end)
#define barrow_mix_cancel (barrow_loaded->mix_cancel)
#define barrow_visit (barrow_loaded->visit)
#define barrow_visit_word (barrow_loaded->visit_word)
#define barrow_visit_named (barrow_loaded->visit_named)
#define barrow_visit_words (barrow_loaded->visit_words)
#define barrow_root_add (barrow_loaded->root_add)
#define barrow_root_remove (barrow_loaded->root_remove)
#define barrow_attach_llvm_frames (barrow_loaded->attach_llvm_frames)
#define barrow_check_frames (barrow_loaded->check_frames)
#define barrow_handle_new (barrow_loaded->handle_new)
#define barrow_handle_set (barrow_loaded->handle_set)
#define barrow_handle_free (barrow_loaded->handle_free)
#define barrow_stable_new (barrow_loaded->stable_new)
#define barrow_stable_get (barrow_loaded->stable_get)
#define barrow_stable_free (barrow_loaded->stable_free)
#define barrow_heap_state (barrow_loaded->heap_state)
#define barrow_generation_state (barrow_loaded->generation_state)
#define barrow_step_state (barrow_loaded->step_state)
#define barrow_stats (barrow_loaded->stats)
#define barrow_abi_version (barrow_loaded->abi_version)
#define barrow_version (barrow_loaded->version)
#define barrow_last_error (barrow_loaded->last_error)
#define barrow_status_name (barrow_loaded->status_name)
#define barrow_window_offset (barrow_loaded->window_offset)
#define barrow_cc_register (barrow_loaded->cc_register)
#define barrow_ccs_enter_slow (barrow_loaded->ccs_enter_slow)
#define barrow_ccs_enter_caf (barrow_loaded->ccs_enter_caf)
#define barrow_ccs_enter_function_slow (barrow_loaded->ccs_enter_function_slow)
#define barrow_ccs_leave_slow (barrow_loaded->ccs_leave_slow)
#define barrow_ccs_special (barrow_loaded->ccs_special)
#define barrow_ccs_of_number (barrow_loaded->ccs_of_number)
#define barrow_ccs_count (barrow_loaded->ccs_count)
#define barrow_ccs_push (barrow_loaded->ccs_push)
#define barrow_weak_new (barrow_loaded->weak_new)
#define barrow_weak_set_function (barrow_loaded->weak_set_function)
#define barrow_weak_finalize (barrow_loaded->weak_finalize)
#define barrow_run_finalizers (barrow_loaded->run_finalizers)
#define barrow_finalizers_due (barrow_loaded->finalizers_due)
#define barrow_weak_count (barrow_loaded->weak_count)
#define barrow_census (barrow_loaded->census)
#define barrow_census_totals (barrow_loaded->census_totals)
#define barrow_census_count (barrow_loaded->census_count)
#define barrow_census_band (barrow_loaded->census_band)
#define barrow_update_slow (barrow_loaded->update_slow)
#define barrow_update_permanent (barrow_loaded->update_permanent)
#define barrow_blackhole_slow (barrow_loaded->blackhole_slow)
#define barrow_use_table (barrow_loaded->use_table)
#define barrow_table (barrow_loaded->table)
#define barrow_resolve (barrow_loaded->resolve)
#define barrow_stack_maps_register (barrow_loaded->stack_maps_register)
#define barrow_stack_maps_unregister (barrow_loaded->stack_maps_unregister)
#define barrow_stack_call (barrow_loaded->stack_call)
#define barrow_stack_save (barrow_loaded->stack_save)
#define barrow_stack_restore (barrow_loaded->stack_restore)
#define barrow_gc_alloc_slow (barrow_loaded->gc_alloc_slow)
#define barrow_gc_reserve_slow (barrow_loaded->gc_reserve_slow)
#define barrow_gc_collect (barrow_loaded->gc_collect)
#define barrow_gc_safepoint (barrow_loaded->gc_safepoint)
#define barrow_gc_call (barrow_loaded->gc_call)
#define barrow_stack_new (barrow_loaded->stack_new)
#define barrow_stack_enter (barrow_loaded->stack_enter)
#define barrow_stack_grow (barrow_loaded->stack_grow)
#define barrow_stack_underflow (barrow_loaded->stack_underflow)
#define barrow_stack_check (barrow_loaded->stack_check)
#define barrow_thread_enter (barrow_loaded->thread_enter)
#define barrow_thread_leave (barrow_loaded->thread_leave)
#define barrow_used (barrow_loaded->used)
#define barrow_biography_slow (barrow_loaded->biography_slow)
#define barrow_record_dead (barrow_loaded->record_dead)
#define barrow_record_dead_fill_slop (barrow_loaded->record_dead_fill_slop)
#define barrow_statics_add (barrow_loaded->statics_add)
#define barrow_statics_add_section (barrow_loaded->statics_add_section)
#define barrow_new_caf (barrow_loaded->new_caf)
#define barrow_revert_cafs (barrow_loaded->revert_cafs)
#define barrow_kept_caf (barrow_loaded->kept_caf)
#define barrow_cafs (barrow_loaded->cafs)
#define barrow_identity_hash (barrow_loaded->identity_hash)
#define barrow_stable_name (barrow_loaded->stable_name)
#define barrow_profile_start (barrow_loaded->profile_start)
#define barrow_profile_stop (barrow_loaded->profile_stop)
#define barrow_profile_mark (barrow_loaded->profile_mark)
#define barrow_retainers_by (barrow_loaded->retainers_by)
#define barrow_retainer_sets (barrow_loaded->retainer_sets)
#define barrow_retainer_set (barrow_loaded->retainer_set)
#define barrow_retainer_name (barrow_loaded->retainer_name)
#define barrow_cost_report (barrow_loaded->cost_report)
#define barrow_cost_ticks (barrow_loaded->cost_ticks)
#define barrow_cost_tick (barrow_loaded->cost_tick)
#define barrow_costs (barrow_loaded->costs)
#define barrow_ccs_print (barrow_loaded->ccs_print)
#define barrow_exception (barrow_loaded->exception)
#define barrow_cc_names (barrow_loaded->cc_names)
#define barrow_ticky_register (barrow_loaded->ticky_register)
#define barrow_ticky_row (barrow_loaded->ticky_row)
#define barrow_ticky_counters (barrow_loaded->ticky_counters)
#define barrow_ticky_offset (barrow_loaded->ticky_offset)
#define barrow_ticky_functions (barrow_loaded->ticky_functions)
#define barrow_ticky_report (barrow_loaded->ticky_report)
#define barrow_snapshot (barrow_loaded->snapshot)
#define barrow_space_begin (barrow_loaded->space_begin)
#define barrow_space_end (barrow_loaded->space_end)
#define barrow_space_suspend (barrow_loaded->space_suspend)
#define barrow_space_resume (barrow_loaded->space_resume)
#define barrow_space_point (barrow_loaded->space_point)
#define barrow_space_forget (barrow_loaded->space_forget)
#define barrow_space_totals (barrow_loaded->space_totals)
#define barrow_space_function (barrow_loaded->space_function)
#define barrow_space_kind (barrow_loaded->space_kind)
#define barrow_space_caller (barrow_loaded->space_caller)
#define barrow_space_report (barrow_loaded->space_report)
#define barrow_biography_samples (barrow_loaded->biography_samples)
#define barrow_biography_sample (barrow_loaded->biography_sample)
#define barrow_biography_band (barrow_loaded->biography_band)
#define barrow_retainer_of (barrow_loaded->retainer_of)
#define barrow_retainer_of_ccs (barrow_loaded->retainer_of_ccs)
#define barrow_retainer_set_add (barrow_loaded->retainer_set_add)
#define barrow_retainer_set_has (barrow_loaded->retainer_set_has)
#define barrow_retainer_set_member (barrow_loaded->retainer_set_member)
#define barrow_retainer_text (barrow_loaded->retainer_text)
#define barrow_retainer_sets_refresh (barrow_loaded->retainer_sets_refresh)
#define barrow_retainer_sets_free (barrow_loaded->retainer_sets_free)
#define barrow_why (barrow_loaded->why)
#define barrow_moved_here (barrow_loaded->moved_here)
#define barrow_moved_away (barrow_loaded->moved_away)
#define barrow_fork_prepare (barrow_loaded->fork_prepare)
#define barrow_fork_parent (barrow_loaded->fork_parent)
#define barrow_fork_child (barrow_loaded->fork_child)
#define barrow_alloc_slow_for (barrow_loaded->alloc_slow_for)
#define barrow_walk_code (barrow_loaded->walk_code)
#define barrow_walk_frames (barrow_loaded->walk_frames)
#define barrow_walk_stack (barrow_loaded->walk_stack)
#define barrow_weak_array_set (barrow_loaded->weak_array_set)
#define barrow_stack_reserve (barrow_loaded->stack_reserve)
#define barrow_config_default (barrow_loaded->config_default)
#define barrow_samples_write (barrow_loaded->samples_write)
#define barrow_last_status (barrow_loaded->last_status)
#define barrow_stack_find (barrow_loaded->stack_find)
#define barrow_stack_cut (barrow_loaded->stack_cut)
#define barrow_stack_capture (barrow_loaded->stack_capture)
#define barrow_stack_reinstate (barrow_loaded->stack_reinstate)
#define barrow_retainer_set_of (barrow_loaded->retainer_set_of)
#define barrow_claim_slow (barrow_loaded->claim_slow)
#define barrow_wait_for (barrow_loaded->wait_for)
#define barrow_visit_value (barrow_loaded->visit_value)
#define barrow_visit_value_word (barrow_loaded->visit_value_word)
#endif

#ifdef __cplusplus
}
#endif

#endif
