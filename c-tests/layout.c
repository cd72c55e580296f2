/* The ABI: every offset and size of every public struct, and every number that compiled code contains. */
#include "toy.h"

#define AT(type, field, offset) CHECK_EQ(offsetof(type, field), offset)

static void windows(void) {
  static const struct { const char *name; int offset; } fields[] = {
    {"hp", 0}, {"hp_lim", 8}, {"frames", 16}, {"heap_base", 24}, {"heap_length", 32}, {"codes", 40},
    {"remember", 48}, {"remember_lim", 56}, {"ccs", 64}, {"hp_at_ccs", 72}, {"era", 80}, {"poll", 84},
    {"side", 88}, {"tagged_pointers", 112}, {"address_mask", 120}, {"address_offset", 128}, {"function", 136},
    {"watch", 144}, {"entries", 152}, {"ticky", 160}, {"client", 168}, {"costs", 200}, {"ind", 208}, {"blackhole", 216},
    {"stack", 224}, {"sp", 232}, {"sp_lim", 240}, {"counted", 248}, {"marks", 256}, {"claimed", 264}, {"owner", 272},
    {"shared_ind", 280}, {"reserved", 288},
  };
  size_t i;
  for (i = 0; i < sizeof fields / sizeof *fields; i++) CHECK_EQ(barrow_window_offset(fields[i].name), fields[i].offset);
  AT(barrow_window, hp, 0);
  AT(barrow_window, hp_lim, 8);
  AT(barrow_window, frames, 16);
  AT(barrow_window, heap_base, 24);
  AT(barrow_window, heap_length, 32);
  AT(barrow_window, codes, 40);
  AT(barrow_window, remember, 48);
  AT(barrow_window, remember_lim, 56);
  AT(barrow_window, ccs, 64);
  AT(barrow_window, hp_at_ccs, 72);
  AT(barrow_window, era, 80);
  AT(barrow_window, poll, 84);
  AT(barrow_window, side, 88);
  AT(barrow_window, tagged_pointers, 112);
  AT(barrow_window, reserved16, 114);
  AT(barrow_window, address_mask, 120);
  AT(barrow_window, address_offset, 128);
  AT(barrow_window, function, 136);
  AT(barrow_window, watch, 144);
  AT(barrow_window, entries, 152);
  AT(barrow_window, ticky, 160);
  AT(barrow_window, client, 168);
  AT(barrow_window, costs, 200);
  AT(barrow_window, ind, 208);
  AT(barrow_window, blackhole, 216);
  AT(barrow_window, stack, 224);
  AT(barrow_window, sp, 232);
  AT(barrow_window, sp_lim, 240);
  AT(barrow_window, counted, 248);
  AT(barrow_window, marks, 256);
  AT(barrow_window, claimed, 264);
  AT(barrow_window, owner, 272);
  AT(barrow_window, shared_ind, 280);
  AT(barrow_window, reserved, 288);
  CHECK_EQ(sizeof(barrow_window), 312);
  AT(barrow_frame, up, 0);
  AT(barrow_frame, count, 8);
  CHECK_EQ(sizeof(barrow_frame), 16);
  AT(barrow_stack, words, 8);
  AT(barrow_stack, top, 16);
  AT(barrow_stack, dirty, 24);
  AT(barrow_stack, stop, 32);
  AT(barrow_stack, below, 40);
  CHECK_EQ(sizeof(barrow_stack), 48);
  AT(barrow_weak, key, 8);
  AT(barrow_weak, value, 16);
  AT(barrow_weak, finalizer, 24);
  AT(barrow_weak, function, 40);
  AT(barrow_weak, data, 48);
  CHECK_EQ(sizeof(barrow_weak), 56);
  AT(barrow_ccs, number, 32);
  AT(barrow_ccs, centre, 36);
  AT(barrow_ccs, depth, 40);
  AT(barrow_ccs, root, 44);
  AT(barrow_ccs, parent, 48);
  AT(barrow_ccs, memo, 0);
  AT(barrow_ccs, reserved, 56);
  CHECK_EQ(sizeof(barrow_ccs), 64);
  AT(barrow_cc, size, 0);
  AT(barrow_cc, flags, 2);
  AT(barrow_cc, id, 4);
  AT(barrow_cc, label, 8);
  AT(barrow_cc, module, 16);
  AT(barrow_cc, source, 24);
  CHECK_EQ(sizeof(barrow_cc), 32);
  AT(barrow_cost, bytes, 0);
  AT(barrow_cost, entries, 8);
  AT(barrow_cost, ticks, 16);
  CHECK_EQ(sizeof(barrow_cost), 64);
}

static void info_tables(void) {
  AT(barrow_info, size, 0);
  AT(barrow_info, version, 2);
  AT(barrow_info, id, 4);
  AT(barrow_info, entry, 8);
  AT(barrow_info, kind, 16);
  AT(barrow_info, flags, 17);
  AT(barrow_info, field, 18);
  AT(barrow_info, ptrs, 20);
  AT(barrow_info, words, 24);
  AT(barrow_info, reserved, 28);
  AT(barrow_info, bitmap, 32);
  AT(barrow_info, large, 40);
  AT(barrow_info, custom, 48);
  AT(barrow_info, srt, 56);
  AT(barrow_info, names, 64);
  CHECK_EQ(sizeof(barrow_info), 72);
  AT(barrow_bitmap, size, 0);
  AT(barrow_bitmap, words, 4);
  AT(barrow_bitmap, bits, 8);
  CHECK_EQ(sizeof(barrow_bitmap), 16);
  AT(barrow_custom, size, 0);
  AT(barrow_custom, object_words, 8);
  AT(barrow_custom, visit, 16);
  AT(barrow_custom, moved, 24);
  AT(barrow_custom, shortcut, 32);
  CHECK_EQ(sizeof(barrow_custom), 40);
  AT(barrow_srt, size, 0);
  AT(barrow_srt, count, 4);
  AT(barrow_srt, statics, 8);
  CHECK_EQ(sizeof(barrow_srt), 16);
  AT(barrow_names, description, 0);
  AT(barrow_names, type_name, 8);
  AT(barrow_names, module, 16);
  AT(barrow_names, source, 24);
  CHECK_EQ(sizeof(barrow_names), 32);
}

static void configuration(void) {
  AT(barrow_geometry, block_bytes, 0);
  AT(barrow_geometry, megablock_bytes, 4);
  AT(barrow_geometry, descriptor_bytes, 8);
  AT(barrow_geometry, max_inline_words, 12);
  AT(barrow_geometry, max_reserve_words, 16);
  AT(barrow_geometry, card_elements, 20);
  CHECK_EQ(sizeof(barrow_geometry), 24);
  AT(barrow_config, size, 0);
  AT(barrow_config, abi_major, 4);
  AT(barrow_config, geometry, 8);
  AT(barrow_config, flags, 32);
  AT(barrow_config, tagged_pointers, 40);
  AT(barrow_config, object_alignment, 42);
  AT(barrow_config, environment, 44);
  AT(barrow_config, address_mask, 48);
  AT(barrow_config, address_offset, 56);
  AT(barrow_config, roots, 64);
  AT(barrow_config, overflow, 72);
  AT(barrow_config, finalizers_ready, 80);
  AT(barrow_config, fatal, 88);
  AT(barrow_config, event, 96);
  AT(barrow_config, client, 104);
  AT(barrow_config, retainers, 112);
  CHECK_EQ(sizeof(barrow_config), 120);
  AT(barrow_event, size, 0);
  AT(barrow_event, kind, 4);
  AT(barrow_event, collection, 8);
  AT(barrow_event, generation, 16);
  AT(barrow_event, major, 20);
  AT(barrow_event, copied_bytes, 24);
  AT(barrow_event, live_bytes, 32);
  AT(barrow_event, pause_ns, 40);
  AT(barrow_event, stop_ns, 48);
  AT(barrow_event, mutators, 56);
  AT(barrow_event, thread, 64);
  CHECK_EQ(sizeof(barrow_event), 72);
}

static void blocks_and_handles(void) {
  AT(barrow_bdescr, start, 0);
  AT(barrow_bdescr, free, 8);
  AT(barrow_bdescr, blocks, 16);
  AT(barrow_bdescr, generation, 20);
  AT(barrow_bdescr, step, 21);
  AT(barrow_bdescr, flags, 22);
  AT(barrow_bdescr, link, 24);
  AT(barrow_bdescr, back, 32);
  AT(barrow_bdescr, scanned, 40);
  AT(barrow_bdescr, slot_words, 48);
  AT(barrow_bdescr, aux, 56);
  CHECK_EQ(sizeof(barrow_bdescr), BARROW_DESCRIPTOR_BYTES);
  AT(barrow_handle, object, 0);
  AT(barrow_handle, signature, 8);
  AT(barrow_handle, index, 12);
  CHECK_EQ(sizeof(barrow_handle), 16);
}

static void states(void) {
  AT(barrow_heap_state_t, size, 0);
  AT(barrow_heap_state_t, n_generations, 4);
  AT(barrow_heap_state_t, nursery, 8);
  AT(barrow_heap_state_t, current_nursery, 16);
  AT(barrow_heap_state_t, nursery_blocks, 24);
  AT(barrow_heap_state_t, small_alloc_list, 32);
  AT(barrow_heap_state_t, alloc_hp, 40);
  AT(barrow_heap_state_t, alloc_hp_lim, 48);
  AT(barrow_heap_state_t, alloc_blocks, 56);
  AT(barrow_heap_state_t, alloc_blocks_lim, 64);
  AT(barrow_heap_state_t, mblocks_allocated, 72);
  AT(barrow_heap_state_t, most_mblocks_allocated, 80);
  AT(barrow_heap_state_t, free_blocks, 88);
  AT(barrow_heap_state_t, used_blocks, 96);
  AT(barrow_heap_state_t, in_chunks, 104);
  AT(barrow_heap_state_t, reservations_halved, 108);
  AT(barrow_heap_state_t, reserved_bytes, 112);
  CHECK_EQ(sizeof(barrow_heap_state_t), 120);
  AT(barrow_generation_state_t, no, 0);
  AT(barrow_generation_state_t, n_steps, 4);
  AT(barrow_generation_state_t, max_blocks, 8);
  AT(barrow_generation_state_t, n_remembered, 16);
  AT(barrow_generation_state_t, n_remembered_blocks, 24);
  AT(barrow_generation_state_t, collections, 32);
  CHECK_EQ(sizeof(barrow_generation_state_t), 40);
  AT(barrow_step_state_t, no, 0);
  AT(barrow_step_state_t, blocks, 8);
  AT(barrow_step_state_t, n_blocks, 16);
  AT(barrow_step_state_t, large_objects, 24);
  AT(barrow_step_state_t, n_large_blocks, 32);
  AT(barrow_step_state_t, live_words, 40);
  AT(barrow_step_state_t, large_words, 48);
  CHECK_EQ(sizeof(barrow_step_state_t), 56);
}

static void statistics(void) {
  AT(barrow_stats_t, size, 0);
  AT(barrow_stats_t, generations, 4);
  AT(barrow_stats_t, collections, 8);
  AT(barrow_stats_t, major_collections, 16);
  AT(barrow_stats_t, allocated_bytes, 24);
  AT(barrow_stats_t, copied_bytes, 32);
  AT(barrow_stats_t, max_live_bytes, 40);
  AT(barrow_stats_t, live_bytes, 48);
  AT(barrow_stats_t, nursery_bytes, 56);
  AT(barrow_stats_t, large_bytes, 64);
  AT(barrow_stats_t, fragmentation_bytes, 72);
  AT(barrow_stats_t, overhead_bytes, 80);
  AT(barrow_stats_t, side_table_bytes, 88);
  AT(barrow_stats_t, free_bytes, 96);
  AT(barrow_stats_t, resident_bytes, 104);
  AT(barrow_stats_t, peak_resident_bytes, 112);
  AT(barrow_stats_t, returned_bytes, 120);
  AT(barrow_stats_t, external_bytes, 128);
  AT(barrow_stats_t, gc_wall_ns, 136);
  AT(barrow_stats_t, gc_cpu_ns, 144);
  AT(barrow_stats_t, mutator_wall_ns, 152);
  AT(barrow_stats_t, mutator_cpu_ns, 160);
  AT(barrow_stats_t, max_pause_ns, 168);
  AT(barrow_stats_t, pauses, 176);
  AT(barrow_stats_t, stops, 464);
  AT(barrow_stats_t, max_stop_thread, 488);
  AT(barrow_stats_t, stop_waits, 496);
  CHECK_EQ(sizeof(barrow_stats_t), 752);
}

static void numbers(void) {
  CHECK_EQ(BARROW_OK, 0);
  CHECK_EQ(BARROW_E_NOMEM, 1);
  CHECK_EQ(BARROW_E_LIMIT, 2);
  CHECK_EQ(BARROW_E_ARG, 3);
  CHECK_EQ(BARROW_E_STATE, 4);
  CHECK_EQ(BARROW_E_ABI, 5);
  CHECK_EQ(BARROW_E_IO, 6);
  CHECK_EQ(BARROW_E_DAMAGED, 7);
  CHECK_EQ(BARROW_E_STACK, 8);
  CHECK_EQ(BARROW_E_LOOP, 9);
  CHECK_EQ(BARROW_CONSTR, 1);
  CHECK_EQ(BARROW_MUT_VAR, 2);
  CHECK_EQ(BARROW_BITMAP, 3);
  CHECK_EQ(BARROW_BITMAP_LARGE, 4);
  CHECK_EQ(BARROW_TAGGED, 5);
  CHECK_EQ(BARROW_SIZED, 8);
  CHECK_EQ(BARROW_ARRAY, 9);
  CHECK_EQ(BARROW_ARRAY_FROZEN, 10);
  CHECK_EQ(BARROW_STRUCTS, 11);
  CHECK_EQ(BARROW_BYTES, 12);
  CHECK_EQ(BARROW_CUSTOM, 13);
  CHECK_EQ(BARROW_WEAK_ARRAY, 14);
  CHECK_EQ(BARROW_THUNK, 32);
  CHECK_EQ(BARROW_SELECTOR, 33);
  CHECK_EQ(BARROW_IND, 34);
  CHECK_EQ(BARROW_IND_PERM, 35);
  CHECK_EQ(BARROW_IND_OLDGEN, 36);
  CHECK_EQ(BARROW_IND_OLDGEN_PERM, 37);
  CHECK_EQ(BARROW_BLACKHOLE, 38);
  CHECK_EQ(BARROW_CAF_BLACKHOLE, 39);
  CHECK_EQ(BARROW_FUN, 40);
  CHECK_EQ(BARROW_PAP, 41);
  CHECK_EQ(BARROW_AP, 42);
  CHECK_EQ(BARROW_CONSTR_STATIC, 43);
  CHECK_EQ(BARROW_FUN_STATIC, 44);
  CHECK_EQ(BARROW_THUNK_STATIC, 45);
  CHECK_EQ(BARROW_IND_STATIC, 46);
  CHECK_EQ(BARROW_CONSTR_NOCAF_STATIC, 47);
  CHECK_EQ(BARROW_FLAG_SHORTCUT, 16);
  CHECK_EQ(BARROW_FLAG_MUTABLE, 1);
  CHECK_EQ(BARROW_FLAG_NOTIFY_MOVED, 2);
  CHECK_EQ(BARROW_FLAG_TAIL_POINTERS, 4);
  CHECK_EQ(BARROW_FLAG_TAIL_TAGGED, 8);
  CHECK_EQ(BARROW_EVENT_COLLECTION_BEGINS, 1);
  CHECK_EQ(BARROW_EVENT_COLLECTION_ENDS, 2);
  CHECK_EQ(BARROW_INFO_VERSION, 1);
  CHECK_EQ(BARROW_PAUSE_BUCKETS, 32);
  CHECK_EQ(BARROW_BLOCK_BYTES, 1 << BARROW_LOG_BLOCK_BYTES);
  CHECK_EQ(BARROW_DESCRIPTOR_BYTES, 1 << BARROW_LOG_DESCRIPTOR_BYTES);
  CHECK_EQ(BARROW_BLOCK_BYTES, 4096);
  CHECK_EQ(BARROW_MEGABLOCK_BYTES, 1048576);
  CHECK_EQ(BARROW_MAX_INLINE_WORDS, 256);
  CHECK_EQ(BARROW_MAX_RESERVE_WORDS, 4096);
  CHECK_EQ(BARROW_CARD_ELEMENTS, 128);
  CHECK_EQ(BARROW_MIN_OBJECT_WORDS, 2);
  CHECK(BARROW_FRAME_TAGGED == (size_t)1 << 63);
  CHECK_EQ(sizeof(barrow_status), 4);
  CHECK_EQ(sizeof(barrow_event_kind), 4);
}

static void versions_and_names(void) {
  static const char *const names[] = {"BARROW_OK", "BARROW_E_NOMEM", "BARROW_E_LIMIT", "BARROW_E_ARG",
                                      "BARROW_E_STATE", "BARROW_E_ABI", "BARROW_E_IO", "BARROW_E_DAMAGED",
                                      "BARROW_E_STACK", "BARROW_E_LOOP"};
  uint32_t minor = 99, i;
  CHECK_EQ(barrow_abi_version(&minor), BARROW_ABI_MAJOR);
  CHECK_EQ(minor, BARROW_ABI_MINOR);
  CHECK_EQ(barrow_abi_version(NULL), BARROW_ABI_MAJOR);
  CHECK(strchr(barrow_version(), '.') != NULL);
  for (i = 0; i < 10; i++) CHECK(strcmp(barrow_status_name(i), names[i]) == 0);
}

/* The codes that inline barriers read say what the calls say. */
static void codes(void) {
  toy t = toy_new("--source=range -xr64m -G8 -T1");
  barrow_window *w = barrow_window_of(t.m);
  struct { barrow_frame frame; node *n; } r;
  int i;
  BARROW_ENTER(t.m, r);
  r.n = toy_node(t.m, NULL, NULL, 1);
  for (i = 0; i < 9; i++) {
    uint8_t code = w->codes[((size_t)r.n - w->heap_base) >> BARROW_LOG_BLOCK_BYTES];
    CHECK_EQ(BARROW_CODE_GENERATION(code), barrow_generation_of(t.heap, r.n));
    CHECK_EQ(BARROW_CODE_AGE(code), 8 * barrow_generation_of(t.heap, r.n));
    CHECK_OK(barrow_collect(t.m, true));
  }
  CHECK_EQ(barrow_generation_of(t.heap, r.n), 7);
  CHECK(w->ccs != NULL && w->ccs->number == 0);
  CHECK(w->era == 0 && w->watch == 1 && w->costs != 0 && w->side[0] == 0 && w->entries == NULL && w->ticky != NULL && w->ticky->size == sizeof(barrow_ticky));
  BARROW_LEAVE(t.m, r);
  toy_free(t);
}

int main(void) {
  RUN(windows);
  RUN(info_tables);
  RUN(configuration);
  RUN(blocks_and_handles);
  RUN(states);
  RUN(statistics);
  RUN(numbers);
  RUN(versions_and_names);
  RUN(codes);
  return DONE;
}
