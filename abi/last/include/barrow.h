#ifndef BARROW_H
#define BARROW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define BARROW_ABI_MAJOR 0
#define BARROW_ABI_MINOR 1
typedef struct barrow_mutator barrow_mutator;
typedef struct barrow_visitor barrow_visitor;
typedef struct barrow_resolver barrow_resolver;
typedef struct barrow_functions barrow_functions;
#define BARROW_HELD_BY_FIELD 0
#define BARROW_HELD_BY_CODE 1
#define BARROW_HELD_BY_KEY 2
#define BARROW_RETAINERS_STRICT 2013218675360260
#define BARROW_RETAINERS_LAZY 2009920140476932
#define BARROW_INFO_VERSION 1
#define BARROW_FLAG_MUTABLE 1
#define BARROW_FLAG_NOTIFY_MOVED 2
#define BARROW_FLAG_TAIL_POINTERS 4
#define BARROW_FLAG_TAIL_TAGGED 8
#define BARROW_FLAG_SHORTCUT 16
#define BARROW_FLAG_RETAINER 64
#define BARROW_FLAG_INHERENTLY_USED 32
#define BARROW_CCS_MEMO 4
#define BARROW_CC_CAF 1
#define BARROW_TICKY_EXPORTED 1
#define BARROW_MANNER_SPACE 1
#define BARROW_MANNER_KINDS 2
#define BARROW_MANNER_TIME 8
#define BARROW_COST_HIDDEN 1
#define BARROW_COST_CAF 2
#define BARROW_PAUSE_BUCKETS 32
typedef enum barrow_status {
  BARROW_OK = 0,
  BARROW_E_NOMEM = 1,
  BARROW_E_LIMIT = 2,
  BARROW_E_ARG = 3,
  BARROW_E_STATE = 4,
  BARROW_E_ABI = 5,
  BARROW_E_IO = 6,
  BARROW_E_DAMAGED = 7,
} barrow_status;
typedef enum barrow_event_kind {
  BARROW_EVENT_COLLECTION_BEGINS = 1,
  BARROW_EVENT_COLLECTION_ENDS = 2,
} barrow_event_kind;
typedef enum barrow_cost_detail {
  BARROW_COST_NOTHING = 0,
  BARROW_COST_STANDARD = 1,
  BARROW_COST_DETAILED = 2,
  BARROW_COST_ALL = 3,
  BARROW_COST_JSON = 4,
} barrow_cost_detail;
typedef enum barrow_kind {
  BARROW_CONSTR = 1,
  BARROW_MUT_VAR = 2,
  BARROW_BITMAP = 3,
  BARROW_BITMAP_LARGE = 4,
  BARROW_TAGGED = 5,
  BARROW_SIZED = 8,
  BARROW_ARRAY = 9,
  BARROW_ARRAY_FROZEN = 10,
  BARROW_STRUCTS = 11,
  BARROW_BYTES = 12,
  BARROW_CUSTOM = 13,
  BARROW_THUNK = 32,
  BARROW_SELECTOR = 33,
  BARROW_IND = 34,
  BARROW_IND_PERM = 35,
  BARROW_IND_OLDGEN = 36,
  BARROW_IND_OLDGEN_PERM = 37,
  BARROW_BLACKHOLE = 38,
  BARROW_CAF_BLACKHOLE = 39,
  BARROW_FUN = 40,
  BARROW_PAP = 41,
  BARROW_AP = 42,
  BARROW_CONSTR_STATIC = 43,
  BARROW_FUN_STATIC = 44,
  BARROW_THUNK_STATIC = 45,
  BARROW_IND_STATIC = 46,
  BARROW_CONSTR_NOCAF_STATIC = 47,
  BARROW_WEAK = 48,
  BARROW_STACK = 49,
  BARROW_THREAD = 50,
  BARROW_STABLE_NAME = 51,
  BARROW_RETURN_FRAME = 52,
  BARROW_UPDATE_FRAME = 53,
  BARROW_CATCH_FRAME = 54,
  BARROW_STOP_FRAME = 55,
} barrow_kind;
typedef enum barrow_box_kind {
  BARROW_BOX_EXPRESSION = 0,
  BARROW_BOX_ALTERNATIVE = 1,
  BARROW_BOX_TOP_LEVEL = 2,
  BARROW_BOX_LOCAL = 3,
  BARROW_BOX_GUARD = 4,
  BARROW_BOX_CONDITION = 5,
  BARROW_BOX_QUALIFIER = 6,
} barrow_box_kind;
typedef enum barrow_ccs_which {
  BARROW_CCS_MAIN = 0,
  BARROW_CCS_SYSTEM = 1,
  BARROW_CCS_GC = 2,
  BARROW_CCS_OVERHEAD = 3,
  BARROW_CCS_DONT_CARE = 4,
  BARROW_CCS_PINNED = 5,
  BARROW_CCS_IDLE = 6,
} barrow_ccs_which;
typedef enum barrow_space_column {
  BARROW_SPACE_COLUMN_RECORDS = 0,
  BARROW_SPACE_COLUMN_PAIRS = 1,
  BARROW_SPACE_COLUMN_CLOSURES = 2,
  BARROW_SPACE_COLUMN_STRINGS = 3,
  BARROW_SPACE_COLUMN_ARRAYS = 4,
  BARROW_SPACE_COLUMN_BYTE_ARRAYS = 5,
  BARROW_SPACE_COLUMN_CODE = 6,
  BARROW_SPACE_COLUMN_WEAK_ARRAYS = 7,
} barrow_space_column;
typedef struct CostFlags CostFlags;
typedef struct barrow_coverage barrow_coverage;
typedef struct Maker Maker;
typedef struct barrow_mix barrow_mix;
typedef struct Name Name;
typedef struct barrow_heap barrow_heap;
typedef struct Sentence Sentence;
typedef struct SetId SetId;
typedef struct Word Word;
typedef struct barrow_census_band_t {
  uint32_t size;
  uint32_t name_length;
  uint64_t bytes;
  uint64_t objects;
} barrow_census_band_t;
typedef size_t barrow_address;
typedef struct barrow_bdescr *barrow_block;
typedef struct barrow_bdescr {
  barrow_address start;
  barrow_address free;
  uint32_t blocks;
  uint8_t generation;
  uint8_t step;
  uint16_t flags;
  barrow_block link;
  barrow_block back;
  barrow_address scanned;
  uint32_t slot_words;
  uint32_t was;
  size_t aux;
} barrow_bdescr;
typedef struct barrow_census_totals_t {
  uint32_t size;
  uint32_t reserved;
  uint64_t number;
  uint64_t live_bytes;
  uint64_t live_objects;
} barrow_census_totals_t;
typedef struct barrow_saved_stack {
  void *part;
  size_t left[3];
} barrow_saved_stack;
typedef struct barrow_cc {
  uint16_t size;
  uint16_t flags;
  uint32_t id;
  const char *label;
  const char *module;
  const char *source;
} barrow_cc;
typedef struct barrow_ccs {
  struct barrow_ccs *memo[BARROW_CCS_MEMO];
  uint32_t number;
  uint32_t centre;
  uint32_t depth;
  uint32_t root;
  const struct barrow_ccs *parent;
  size_t reserved;
} barrow_ccs;
typedef struct barrow_cost_row {
  uint32_t size;
  uint32_t number;
  uint32_t parent;
  uint32_t first_child;
  uint32_t next_sibling;
  uint32_t depth;
  uint32_t centre;
  uint32_t flags;
  uint64_t entries;
  uint64_t ticks;
  uint64_t bytes;
  uint64_t inherited_ticks;
  uint64_t inherited_bytes;
  const char *label;
  const char *module;
  const char *source;
} barrow_cost_row;
typedef struct barrow_coverage_options {
  uint32_t size;
  uint32_t environment;
  const char *file;
} barrow_coverage_options;
typedef struct barrow_coverage_module {
  uint32_t size;
  uint32_t hash;
  const char *name;
  uint64_t *counters;
  size_t count;
} barrow_coverage_module;
typedef struct barrow_held {
  const void *object;
  const void *slot;
  const char *name;
  size_t words;
  uint32_t hold;
  int32_t generation;
} barrow_held;
typedef struct barrow_moved {
  uint32_t size;
  uint32_t generation;
  uint64_t collection;
  const void *from;
  const void *to;
  const char *reason;
} barrow_moved;
typedef struct barrow_geometry {
  uint32_t block_bytes;
  uint32_t megablock_bytes;
  uint32_t descriptor_bytes;
  uint32_t max_inline_words;
  uint32_t max_reserve_words;
  uint32_t card_elements;
} barrow_geometry;
typedef struct barrow_event {
  uint32_t size;
  enum barrow_event_kind kind;
  uint64_t collection;
  uint32_t generation;
  uint32_t major;
  uint64_t copied_bytes;
  uint64_t live_bytes;
  uint64_t pause_ns;
} barrow_event;
typedef struct barrow_config {
  uint32_t size;
  uint32_t abi_major;
  struct barrow_geometry geometry;
  const char *flags;
  uint16_t tagged_pointers;
  uint16_t object_alignment;
  uint32_t reserved;
  size_t address_mask;
  size_t address_offset;
  void (*roots)(void *client, barrow_visitor *visitor);
  bool (*overflow)(void *client, barrow_mutator *mutator, size_t bytes);
  void (*finalizers_ready)(void *client);
  void (*fatal)(void *client, const char *sentence);
  void (*event)(void *client, const struct barrow_event *event);
  void *client;
} barrow_config;
typedef struct barrow_bitmap {
  uint32_t size;
  uint32_t words;
  const size_t *bits;
} barrow_bitmap;
typedef struct barrow_custom {
  uint32_t size;
  uint32_t reserved;
  size_t (*object_words)(const void *object);
  void (*visit)(void *object, barrow_visitor *visitor);
  void (*moved)(const void *from, void *to);
  void *(*shortcut)(const void *object, barrow_resolver *resolver);
} barrow_custom;
typedef struct barrow_srt {
  uint32_t size;
  uint32_t count;
  void *const *statics;
} barrow_srt;
typedef struct barrow_names {
  const char *description;
  const char *type_name;
  const char *module;
  const char *source;
} barrow_names;
typedef struct barrow_info {
  uint16_t size;
  uint16_t version;
  uint32_t id;
  void (*entry)(void);
  uint8_t kind;
  uint8_t flags;
  uint16_t field;
  uint32_t ptrs;
  uint32_t words;
  uint32_t reserved;
  size_t bitmap;
  const struct barrow_bitmap *large;
  const struct barrow_custom *custom;
  const struct barrow_srt *srt;
  const struct barrow_names *names;
} barrow_info;
typedef struct barrow_mix_options {
  uint32_t size;
  uint32_t tab_width;
  const char *file;
  const char *source;
  int64_t seconds;
  uint32_t nanoseconds;
  uint32_t hash;
} barrow_mix_options;
typedef struct barrow_box {
  uint32_t size;
  uint32_t kind;
  uint32_t first_line;
  uint32_t first_column;
  uint32_t last_line;
  uint32_t last_column;
  const char *const *names;
  size_t name_count;
} barrow_box;
typedef struct barrow_retainer_scheme {
  uint32_t size;
  uint32_t reserved;
  uint64_t kinds;
  int32_t (*is_retainer)(void *client, const void *object);
  uint32_t (*identity)(void *client, const void *object);
  size_t (*name)(void *client, uint32_t number, char *buffer, size_t bytes);
  size_t (*cost)(void *client, const void *object, size_t bytes);
  uint32_t (*hash)(void *client, uint32_t number);
  void *client;
} barrow_retainer_scheme;
typedef struct barrow_retainer_set_t {
  uint32_t size;
  uint32_t members;
  uint64_t cost;
  uint64_t objects;
  uint32_t charged;
  uint32_t hash;
} barrow_retainer_set_t;
typedef struct barrow_space_options {
  uint32_t size;
  uint32_t manner;
  uint32_t (*manner_of)(void *client, void *function, void *site);
  uint32_t (*column_of)(void *client, const struct barrow_info *info);
  const char *(*name_of)(void *client, void *function);
  void *client;
  uint32_t live;
  uint32_t reserved;
  size_t limit_bytes;
  size_t points_bytes;
  uint32_t tick_us;
  uint32_t depth;
  size_t (*walk)(void *client, barrow_mutator *mutator, void **functions, size_t room);
  uint32_t walk_tells_code;
  uint32_t reserved2;
} barrow_space_options;
typedef struct barrow_space_totals_t {
  uint32_t size;
  uint32_t generations;
  uint64_t functions;
  uint64_t collections;
  uint64_t allocated_bytes;
  uint64_t allocated_objects;
  uint64_t copied_bytes;
  uint64_t copied_objects;
  uint64_t unprofiled_bytes;
  uint64_t unprofiled_objects;
  uint64_t used_bytes;
  uint64_t side_table_bytes;
  uint64_t profiler_ns;
  uint64_t points;
  uint64_t maxima;
  uint32_t complete;
  uint32_t tick_us;
  uint64_t ticks;
  uint64_t ticks_collecting;
  uint64_t ticks_profiling;
  uint64_t ticks_lost;
  uint64_t callers;
} barrow_space_totals_t;
typedef struct barrow_space_function_t {
  uint32_t size;
  uint32_t name_length;
  size_t word;
  size_t offset;
  uint32_t sites;
  uint32_t has_kinds;
  uint64_t allocated_bytes;
  uint64_t allocated_objects;
  uint64_t copied_bytes;
  uint64_t copied_objects;
  uint64_t copied_bytes_from[8];
  uint64_t copied_objects_from[8];
  uint64_t live_bytes;
  uint64_t ticks_top;
  uint64_t ticks_elsewhere;
} barrow_space_function_t;
typedef struct barrow_space_kind_t {
  uint32_t size;
  uint32_t reserved;
  uint64_t objects;
  uint64_t bytes;
  uint64_t overhead;
} barrow_space_kind_t;
typedef struct barrow_handle {
  size_t object;
  uint32_t signature;
  uint32_t index;
} barrow_handle;
typedef struct barrow_heap_state_t {
  uint32_t size;
  uint32_t n_generations;
  struct barrow_bdescr *nursery;
  struct barrow_bdescr *current_nursery;
  size_t nursery_blocks;
  struct barrow_bdescr *small_alloc_list;
  size_t *alloc_hp;
  size_t *alloc_hp_lim;
  size_t alloc_blocks;
  size_t alloc_blocks_lim;
  size_t mblocks_allocated;
  size_t most_mblocks_allocated;
  size_t free_blocks;
  size_t used_blocks;
  uint32_t in_chunks;
  uint32_t reservations_halved;
  size_t reserved_bytes;
} barrow_heap_state_t;
typedef struct barrow_generation_state_t {
  uint32_t no;
  uint32_t n_steps;
  size_t max_blocks;
  size_t n_remembered;
  size_t n_remembered_blocks;
  uint64_t collections;
} barrow_generation_state_t;
typedef struct barrow_step_state_t {
  uint32_t no;
  uint32_t reserved;
  struct barrow_bdescr *blocks;
  size_t n_blocks;
  struct barrow_bdescr *large_objects;
  size_t n_large_blocks;
  size_t live_words;
  size_t large_words;
} barrow_step_state_t;
typedef struct barrow_stats_t {
  uint32_t size;
  uint32_t generations;
  uint64_t collections;
  uint64_t major_collections;
  uint64_t allocated_bytes;
  uint64_t copied_bytes;
  uint64_t max_live_bytes;
  uint64_t live_bytes;
  uint64_t nursery_bytes;
  uint64_t large_bytes;
  uint64_t fragmentation_bytes;
  uint64_t overhead_bytes;
  uint64_t side_table_bytes;
  uint64_t free_bytes;
  uint64_t resident_bytes;
  uint64_t peak_resident_bytes;
  uint64_t returned_bytes;
  uint64_t external_bytes;
  uint64_t gc_wall_ns;
  uint64_t gc_cpu_ns;
  uint64_t mutator_wall_ns;
  uint64_t mutator_cpu_ns;
  uint64_t max_pause_ns;
  uint64_t pauses[BARROW_PAUSE_BUCKETS];
  uint64_t compactions;
  uint64_t compaction_held_bytes;
  uint64_t compaction_peak_bytes;
  uint64_t compaction_bitmap_bytes;
} barrow_stats_t;
typedef struct barrow_ticky_function {
  uint16_t size;
  uint16_t flags;
  uint32_t id;
  uint32_t arity;
  uint32_t reserved;
  const char *name;
  const char *module;
  const char *arguments;
  const char *what;
  const char *parent;
} barrow_ticky_function;
typedef struct barrow_entry_count {
  uint64_t entries;
  uint64_t allocated_by;
  uint64_t allocated_of;
} barrow_entry_count;
typedef struct barrow_ticky {
  uint32_t size;
  uint32_t reserved;
  uint64_t alloc_heap_ctr;
  uint64_t alloc_heap_tot;
  uint64_t heap_chk_ctr;
  uint64_t stk_chk_ctr;
  uint64_t alloc_rts_ctr;
  uint64_t alloc_rts_tot;
  uint64_t alloc_fun_ctr;
  uint64_t alloc_fun_gds;
  uint64_t alloc_pap_ctr;
  uint64_t alloc_pap_adm;
  uint64_t alloc_pap_gds;
  uint64_t alloc_up_thk_ctr;
  uint64_t alloc_se_thk_ctr;
  uint64_t alloc_thk_gds;
  uint64_t alloc_con_ctr;
  uint64_t alloc_con_gds;
  uint64_t alloc_prim_ctr;
  uint64_t alloc_prim_gds;
  uint64_t alloc_prim_slp;
  uint64_t ent_via_node_ctr;
  uint64_t ent_static_con_ctr;
  uint64_t ent_dyn_con_ctr;
  uint64_t ent_static_fun_direct_ctr;
  uint64_t ent_dyn_fun_direct_ctr;
  uint64_t ent_lne_ctr;
  uint64_t ent_static_ind_ctr;
  uint64_t ent_dyn_ind_ctr;
  uint64_t ent_perm_ind_ctr;
  uint64_t ent_ap_ctr;
  uint64_t ent_pap_ctr;
  uint64_t ent_ap_stack_ctr;
  uint64_t ent_bh_ctr;
  uint64_t ent_static_thk_single_ctr;
  uint64_t ent_static_thk_many_ctr;
  uint64_t ent_dyn_thk_single_ctr;
  uint64_t ent_dyn_thk_many_ctr;
  uint64_t upd_caf_bh_updatable_ctr;
  uint64_t upd_caf_bh_single_entry_ctr;
  uint64_t slow_call_fast_v16_ctr;
  uint64_t slow_call_fast_v_ctr;
  uint64_t slow_call_fast_f_ctr;
  uint64_t slow_call_fast_d_ctr;
  uint64_t slow_call_fast_l_ctr;
  uint64_t slow_call_fast_n_ctr;
  uint64_t slow_call_fast_p_ctr;
  uint64_t slow_call_fast_pv_ctr;
  uint64_t slow_call_fast_pp_ctr;
  uint64_t slow_call_fast_ppv_ctr;
  uint64_t slow_call_fast_ppp_ctr;
  uint64_t slow_call_fast_pppv_ctr;
  uint64_t slow_call_fast_pppp_ctr;
  uint64_t slow_call_fast_ppppp_ctr;
  uint64_t slow_call_fast_pppppp_ctr;
  uint64_t very_slow_call_ctr;
  uint64_t unknown_call_ctr;
  uint64_t known_call_ctr;
  uint64_t known_call_too_few_args_ctr;
  uint64_t known_call_extra_args_ctr;
  uint64_t multi_chunk_slow_call_ctr;
  uint64_t multi_chunk_slow_call_chunks_ctr;
  uint64_t slow_call_ctr;
  uint64_t slow_call_fun_too_few_ctr;
  uint64_t slow_call_fun_correct_ctr;
  uint64_t slow_call_fun_too_many_ctr;
  uint64_t slow_call_pap_too_few_ctr;
  uint64_t slow_call_pap_correct_ctr;
  uint64_t slow_call_pap_too_many_ctr;
  uint64_t slow_call_unevald_ctr;
  uint64_t ret_new_ctr;
  uint64_t ret_old_ctr;
  uint64_t ret_unboxed_tup_ctr;
  uint64_t ret_new_hst[9];
  uint64_t ret_old_hst[9];
  uint64_t ret_unboxed_tup_hst[9];
  uint64_t updf_omitted_ctr;
  uint64_t updf_pushed_ctr;
  uint64_t catchf_pushed_ctr;
  uint64_t updf_rcc_pushed_ctr;
  uint64_t updf_rcc_omitted_ctr;
  uint64_t upd_squeezed_ctr;
  uint64_t upd_con_in_new_ctr;
  uint64_t upd_con_in_place_ctr;
  uint64_t upd_pap_in_new_ctr;
  uint64_t upd_pap_in_place_ctr;
  uint64_t upd_new_ind_ctr;
  uint64_t upd_new_perm_ind_ctr;
  uint64_t upd_old_ind_ctr;
  uint64_t upd_old_perm_ind_ctr;
  uint64_t gc_sel_abandoned_ctr;
  uint64_t gc_sel_minor_ctr;
  uint64_t gc_sel_major_ctr;
  uint64_t gc_failed_promotion_ctr;
  uint64_t alloc_fun_adm;
  uint64_t alloc_fun_slp;
  uint64_t alloc_fun_hst[5];
  uint64_t alloc_thk_adm;
  uint64_t alloc_thk_slp;
  uint64_t alloc_thk_hst[5];
  uint64_t alloc_con_adm;
  uint64_t alloc_con_slp;
  uint64_t alloc_con_hst[5];
  uint64_t alloc_tup_ctr;
  uint64_t alloc_tup_adm;
  uint64_t alloc_tup_gds;
  uint64_t alloc_tup_slp;
  uint64_t alloc_bh_ctr;
  uint64_t alloc_bh_adm;
  uint64_t alloc_bh_gds;
  uint64_t alloc_bh_slp;
  uint64_t alloc_bh_hst[5];
  uint64_t alloc_tso_ctr;
  uint64_t alloc_tso_adm;
  uint64_t alloc_tso_gds;
  uint64_t alloc_tso_slp;
  uint64_t alloc_tso_hst[5];
  uint64_t alloc_prim_adm;
  uint64_t alloc_prim_hst[5];
  uint64_t alloc_pap_slp;
  uint64_t alloc_pap_hst[5];
  uint64_t ret_vec_return_ctr;
  uint64_t ret_vec_return_hst[9];
  uint64_t seqf_pushed_ctr;
  uint64_t upd_con_in_new_hst[9];
  uint64_t upd_pap_in_new_hst[9];
  uint64_t alloc_large_tot;
  uint64_t alloc_all_tot;
  uint64_t heap_chk_slow_ctr;
  uint64_t gc_minor_ctr;
  uint64_t gc_major_ctr;
  uint64_t gc_words_copied_ctr;
} barrow_ticky;
typedef struct barrow_ticky_row_t {
  uint32_t size;
  uint32_t number;
  uint64_t entries;
  uint64_t allocated_by;
  uint64_t allocated_of;
  const char *name;
  const char *module;
  const char *arguments;
  const char *what;
  const char *parent;
  uint32_t arity;
  uint32_t flags;
} barrow_ticky_row_t;
typedef struct barrow_frame {
  struct barrow_frame *up;
  size_t count;
} barrow_frame;
typedef struct barrow_window {
  size_t *hp;
  size_t *hp_lim;
  struct barrow_frame *frames;
  size_t heap_base;
  size_t heap_length;
  const uint8_t *codes;
  size_t *remember;
  size_t *remember_lim;
  struct barrow_ccs *ccs;
  size_t *hp_at_ccs;
  uint32_t era;
  uint32_t poll;
  size_t side[3];
  uint16_t tagged_pointers;
  uint16_t reserved16[3];
  size_t address_mask;
  size_t address_offset;
  void *function;
  size_t watch;
  struct barrow_entry_count *entries;
  struct barrow_ticky *ticky;
  void *client[4];
  size_t costs;
  const struct barrow_info *ind;
  const struct barrow_info *blackhole;
  void *stack;
  size_t *sp;
  size_t *sp_lim;
  size_t reserved[2];
} barrow_window;
typedef struct barrow_cost {
  uint64_t bytes;
  uint64_t entries;
  uint64_t ticks;
  uint64_t reserved[5];
} barrow_cost;
typedef struct barrow_weak {
  size_t header;
  void *key;
  void *value;
  void *finalizer;
  void *link;
  void (*function)(barrow_mutator *mutator, void *data, void *key, void *value);
  void *data;
} barrow_weak;
typedef struct barrow_stack {
  size_t header;
  size_t words;
  size_t top;
  size_t dirty;
  const struct barrow_info *stop;
} barrow_stack;
#ifdef __cplusplus
extern "C" {
#endif
size_t *barrow_alloc_slow(barrow_mutator *mutator,
                          size_t words);
bool barrow_reserve_slow(barrow_mutator *mutator, size_t words);
size_t *barrow_allocate(barrow_mutator *mutator,
                        size_t words);
size_t *barrow_allocate_pinned(barrow_mutator *mutator, size_t words, size_t align, size_t offset);
bool barrow_wants_gc(barrow_mutator *mutator);
enum barrow_status barrow_open_nursery(barrow_mutator *mutator, size_t **hp, size_t **hp_lim);
enum barrow_status barrow_close_nursery(barrow_mutator *mutator, size_t *hp);
bool barrow_extend_nursery(barrow_mutator *mutator,
                           size_t **hp,
                           size_t **hp_lim);
void barrow_remember_slow(barrow_mutator *mutator,
                          size_t entry);
void barrow_wrote(barrow_mutator *mutator, void *owner, void *field);
void barrow_wrote_word(barrow_mutator *mutator, void *owner, size_t *field);
enum barrow_status barrow_record_slot(barrow_mutator *mutator, void *slot);
enum barrow_status barrow_record_word_slot(barrow_mutator *mutator, size_t *slot);
enum barrow_status barrow_record_mutable(barrow_mutator *mutator, void *object);
enum barrow_status barrow_record_old_to_new(barrow_mutator *mutator, void *object);
enum barrow_status barrow_become(barrow_mutator *mutator,
                                 void *object,
                                 const void *info);
enum barrow_status barrow_shrink(barrow_mutator *mutator, void *object, size_t length);
enum barrow_status barrow_array_copy(barrow_mutator *mutator,
                                     void *to,
                                     size_t to_index,
                                     const void *from,
                                     size_t from_index,
                                     size_t count);
enum barrow_status barrow_array_fill(barrow_mutator *mutator,
                                     void *array,
                                     size_t index,
                                     size_t count,
                                     void *value);
void barrow_used(barrow_mutator *mutator,
                 const void *object);
size_t *barrow_biography_slow(barrow_mutator *mutator,
                              const void *object);
enum barrow_status barrow_record_dead(barrow_mutator *mutator,
                                      const void *object,
                                      size_t words);
enum barrow_status barrow_record_dead_fill_slop(barrow_mutator *mutator,
                                                void *object);
enum barrow_status barrow_biography_samples(struct barrow_heap *heap,
                                            char by,
                                            size_t *out_count);
enum barrow_status barrow_biography_sample(struct barrow_heap *heap,
                                           char by,
                                           size_t sample,
                                           double *out_seconds,
                                           size_t *out_bands);
enum barrow_status barrow_biography_band(struct barrow_heap *heap,
                                         char by,
                                         size_t sample,
                                         size_t index,
                                         struct barrow_census_band_t *out,
                                         char *name,
                                         size_t room);
enum barrow_status barrow_alloc_group(struct barrow_heap *heap,
                                      size_t blocks,
                                      struct barrow_bdescr **out_group);
enum barrow_status barrow_free_group(struct barrow_heap *heap, struct barrow_bdescr *group);
void *barrow_get_megablocks(struct barrow_heap *heap, size_t count);
enum barrow_status barrow_audit(struct barrow_heap *heap);
enum barrow_status barrow_census(barrow_mutator *mutator);
enum barrow_status barrow_census_totals(struct barrow_heap *heap, struct barrow_census_totals_t *out);
enum barrow_status barrow_census_count(struct barrow_heap *heap,
                                       char by,
                                       size_t *out_count);
enum barrow_status barrow_census_band(struct barrow_heap *heap,
                                      char by,
                                      size_t index,
                                      struct barrow_census_band_t *out,
                                      char *name,
                                      size_t room);
enum barrow_status barrow_collect(barrow_mutator *mutator, bool major);
enum barrow_status barrow_collect_with(barrow_mutator *mutator,
                                       bool major,
                                       void (*roots)(void *client, barrow_visitor *visitor),
                                       void *client);
enum barrow_status barrow_check(barrow_mutator *mutator);
enum barrow_status barrow_external_bytes(barrow_mutator *mutator,
                                         int64_t delta);
enum barrow_status barrow_stack_maps_register(struct barrow_heap *heap,
                                              const void *section,
                                              size_t bytes,
                                              bool tagged);
enum barrow_status barrow_stack_maps_unregister(barrow_mutator *mutator,
                                                const void *section);
enum barrow_status barrow_stack_call(barrow_mutator *mutator,
                                     size_t (*function)(barrow_mutator *mutator, size_t a, size_t b, size_t c),
                                     size_t a,
                                     size_t b,
                                     size_t c,
                                     size_t *result);
enum barrow_status barrow_stack_save(barrow_mutator *mutator, struct barrow_saved_stack *saved);
enum barrow_status barrow_stack_restore(barrow_mutator *mutator, const struct barrow_saved_stack *saved);
size_t *barrow_gc_alloc_slow(barrow_mutator *mutator, size_t words);
bool barrow_gc_reserve_slow(barrow_mutator *mutator, size_t words);
void barrow_gc_collect(barrow_mutator *mutator, bool major);
void barrow_gc_safepoint(barrow_mutator *mutator);
size_t barrow_gc_call(barrow_mutator *mutator,
                      size_t (*function)(barrow_mutator *mutator, size_t a, size_t b),
                      size_t a,
                      size_t b);
enum barrow_status barrow_cc_register(struct barrow_cc *centres,
                                      size_t count);
struct barrow_ccs *barrow_ccs_enter_slow(barrow_mutator *mutator,
                                         struct barrow_cc *centre);
struct barrow_ccs *barrow_ccs_enter_caf(barrow_mutator *mutator,
                                        struct barrow_cc *centre);
struct barrow_ccs *barrow_ccs_enter_function_slow(barrow_mutator *mutator, const struct barrow_ccs *function);
enum barrow_status barrow_ccs_leave_slow(barrow_mutator *mutator, const struct barrow_ccs *to);
struct barrow_ccs *barrow_ccs_special(uint32_t which);
struct barrow_ccs *barrow_ccs_of_number(uint32_t number);
uint32_t barrow_ccs_count(void);
struct barrow_ccs *barrow_ccs_push(const struct barrow_ccs *on, struct barrow_cc *centre);
enum barrow_status barrow_cost_report(barrow_mutator *mutator,
                                      const char *file,
                                      uint32_t detail);
enum barrow_status barrow_cost_ticks(barrow_mutator *mutator,
                                     double seconds);
enum barrow_status barrow_cost_tick(barrow_mutator *mutator, uint64_t ticks);
enum barrow_status barrow_costs(barrow_mutator *mutator,
                                struct barrow_cost_row *rows,
                                size_t count,
                                size_t *out_count);
enum barrow_status barrow_ccs_print(barrow_mutator *mutator, const struct barrow_ccs *stack);
enum barrow_status barrow_exception(barrow_mutator *mutator,
                                    const char *kind,
                                    const struct barrow_ccs *const *enclosing,
                                    size_t count);
enum barrow_status barrow_cc_names(uint32_t number,
                                   const char **label,
                                   const char **module,
                                   const char **source);
enum barrow_status barrow_coverage_new(const struct barrow_coverage_options *options,
                                       struct barrow_coverage **out_coverage);
enum barrow_status barrow_coverage_register(struct barrow_coverage *coverage,
                                            const struct barrow_coverage_module *modules,
                                            size_t count);
enum barrow_status barrow_coverage_unregister(struct barrow_coverage *coverage,
                                              const struct barrow_coverage_module *modules,
                                              size_t count);
enum barrow_status barrow_coverage_check(struct barrow_coverage *coverage);
enum barrow_status barrow_coverage_write(struct barrow_coverage *coverage);
enum barrow_status barrow_coverage_forget(struct barrow_coverage *coverage);
const char *barrow_coverage_file(struct barrow_coverage *coverage);
enum barrow_status barrow_coverage_free(struct barrow_coverage *coverage);
enum barrow_status barrow_why(barrow_mutator *mutator,
                              const void *address,
                              const struct barrow_held **out_steps,
                              size_t *out_count);
enum barrow_status barrow_moved_here(barrow_mutator *mutator,
                                     const void *address,
                                     struct barrow_moved *out);
enum barrow_status barrow_moved_away(barrow_mutator *mutator,
                                     const void *address,
                                     struct barrow_moved *out);
enum barrow_status barrow_default_flags(const char *flags);
struct barrow_heap *barrow_default_heap(void);
barrow_mutator *barrow_default_mutator(void);
void barrow_fork_prepare(void);
void barrow_fork_parent(void);
void barrow_fork_child(void);
enum barrow_status barrow_heap_new(const struct barrow_config *config,
                                   struct barrow_heap **out_heap,
                                   barrow_mutator **out_mutator);
enum barrow_status barrow_heap_free(struct barrow_heap *heap);
enum barrow_status barrow_attach(struct barrow_heap *heap, barrow_mutator **out_mutator);
enum barrow_status barrow_detach(barrow_mutator *mutator);
struct barrow_heap *barrow_heap_of(barrow_mutator *mutator);
enum barrow_status barrow_safepoint(barrow_mutator *mutator);
enum barrow_status barrow_enter_foreign(barrow_mutator *mutator);
enum barrow_status barrow_leave_foreign(barrow_mutator *mutator);
enum barrow_status barrow_flag_value(struct barrow_heap *heap, const char *flag, char *buffer, size_t bytes);
const char *barrow_flags_help(void);
enum barrow_status barrow_take_flags(int32_t *argc, char **argv, char *flags, size_t bytes);
enum barrow_status barrow_info_check(const struct barrow_info *info);
size_t barrow_object_words(struct barrow_heap *heap, const void *object);
int32_t barrow_generation_of(struct barrow_heap *heap, const void *address);
bool barrow_in_heap(struct barrow_heap *heap, const void *address);
enum barrow_status barrow_module_unregister(barrow_mutator *mutator,
                                            const void *base,
                                            size_t bytes);
enum barrow_status barrow_update_slow(barrow_mutator *mutator,
                                      void *thunk,
                                      void *value);
enum barrow_status barrow_update_permanent(barrow_mutator *mutator,
                                           void *thunk,
                                           void *value);
enum barrow_status barrow_blackhole_slow(barrow_mutator *mutator,
                                         void *thunk);
enum barrow_status barrow_use_table(struct barrow_heap *heap,
                                    const struct barrow_info *info);
const struct barrow_info *barrow_table(struct barrow_heap *heap, uint32_t kind);
void *barrow_resolve(barrow_resolver *resolver,
                     const void *pointer);
enum barrow_status barrow_mix_begin(const struct barrow_mix_options *options, struct barrow_mix **out_mix);
enum barrow_status barrow_mix_add(struct barrow_mix *mix,
                                  const struct barrow_box *a_box,
                                  size_t *out_number);
enum barrow_status barrow_mix_end(struct barrow_mix *mix,
                                  uint32_t *out_hash,
                                  size_t *out_boxes);
enum barrow_status barrow_mix_cancel(struct barrow_mix *mix);
uint64_t barrow_identity_hash(barrow_mutator *mutator,
                              const void *object);
void *barrow_stable_name(barrow_mutator *mutator,
                         const void *object);
enum barrow_status barrow_profile_start(barrow_mutator *mutator,
                                        const char *flags);
enum barrow_status barrow_profile_stop(barrow_mutator *mutator);
enum barrow_status barrow_profile_mark(barrow_mutator *mutator);
enum barrow_status barrow_retainers_by(struct barrow_heap *heap,
                                       const struct barrow_retainer_scheme *scheme);
enum barrow_status barrow_retainer_sets(struct barrow_heap *heap, size_t *out_count);
enum barrow_status barrow_retainer_set(struct barrow_heap *heap,
                                       uint32_t number,
                                       struct barrow_retainer_set_t *out);
enum barrow_status barrow_retainer_name(struct barrow_heap *heap,
                                        uint32_t number,
                                        uint32_t member,
                                        char *buffer,
                                        size_t bytes,
                                        size_t *out_length);
enum barrow_status barrow_retainer_of(barrow_mutator *mutator,
                                      const void *object,
                                      bool *out_is_retainer,
                                      uint32_t *out_retainer,
                                      uint64_t *out_cost);
uint32_t barrow_retainer_of_ccs(const struct barrow_ccs *stack);
enum barrow_status barrow_retainer_set_add(struct barrow_heap *heap,
                                           uint32_t set,
                                           uint32_t retainer,
                                           uint32_t *out_set);
bool barrow_retainer_set_has(struct barrow_heap *heap, uint32_t set, uint32_t retainer);
enum barrow_status barrow_retainer_set_member(struct barrow_heap *heap,
                                              uint32_t set,
                                              uint32_t index,
                                              uint32_t *out_retainer);
enum barrow_status barrow_retainer_text(struct barrow_heap *heap,
                                        uint32_t retainer,
                                        bool whole,
                                        char *buffer,
                                        size_t bytes,
                                        size_t *out_length);
enum barrow_status barrow_retainer_sets_refresh(struct barrow_heap *heap);
enum barrow_status barrow_retainer_sets_free(struct barrow_heap *heap);
void barrow_visit(barrow_visitor *visitor, void **root);
void barrow_visit_word(barrow_visitor *visitor, size_t *root);
void barrow_visit_named(barrow_visitor *visitor, const char *name, void **roots, size_t count);
void barrow_visit_words(barrow_visitor *visitor, const char *name, size_t *words, size_t count);
enum barrow_status barrow_root_add(struct barrow_heap *heap,
                                   const char *name,
                                   void *roots,
                                   size_t count,
                                   bool tagged);
enum barrow_status barrow_root_remove(struct barrow_heap *heap, void *roots);
enum barrow_status barrow_attach_llvm_frames(barrow_mutator *mutator, void *chain);
enum barrow_status barrow_check_frames(barrow_mutator *mutator);
enum barrow_status barrow_snapshot(barrow_mutator *mutator,
                                   const char *path);
enum barrow_status barrow_space_begin(barrow_mutator *mutator,
                                      const struct barrow_space_options *options,
                                      uint32_t *out_profile);
enum barrow_status barrow_space_end(barrow_mutator *mutator,
                                    uint32_t profile);
enum barrow_status barrow_space_suspend(barrow_mutator *mutator);
enum barrow_status barrow_space_resume(barrow_mutator *mutator);
enum barrow_status barrow_space_point(barrow_mutator *mutator);
enum barrow_status barrow_space_forget(struct barrow_heap *heap);
enum barrow_status barrow_space_totals(struct barrow_heap *heap, struct barrow_space_totals_t *out);
enum barrow_status barrow_space_function(struct barrow_heap *heap,
                                         size_t index,
                                         struct barrow_space_function_t *out,
                                         char *name,
                                         size_t room);
enum barrow_status barrow_space_kind(struct barrow_heap *heap,
                                     size_t index,
                                     size_t line,
                                     size_t column,
                                     struct barrow_space_kind_t *out);
enum barrow_status barrow_space_caller(struct barrow_heap *heap,
                                       size_t index,
                                       size_t *out_parent,
                                       size_t *out_function,
                                       uint64_t *out_ticks);
enum barrow_status barrow_space_report(struct barrow_heap *heap,
                                       const char *path,
                                       char format);
enum barrow_status barrow_handle_new(barrow_mutator *mutator,
                                     void *object,
                                     struct barrow_handle **out_handle);
enum barrow_status barrow_handle_set(barrow_mutator *mutator, struct barrow_handle *handle, void *object);
enum barrow_status barrow_handle_free(barrow_mutator *mutator, struct barrow_handle *handle);
size_t barrow_stable_new(barrow_mutator *mutator,
                         void *object);
void *barrow_stable_get(barrow_mutator *mutator, size_t stable);
enum barrow_status barrow_stable_free(barrow_mutator *mutator, size_t stable);
void *barrow_stack_new(barrow_mutator *mutator,
                       const struct barrow_info *stop,
                       size_t words);
enum barrow_status barrow_stack_enter(barrow_mutator *mutator,
                                      void *stack);
bool barrow_stack_grow(barrow_mutator *mutator,
                       size_t words);
bool barrow_stack_underflow(barrow_mutator *mutator);
enum barrow_status barrow_stack_check(barrow_mutator *mutator,
                                      void *stack);
enum barrow_status barrow_thread_enter(barrow_mutator *mutator, void *thread);
enum barrow_status barrow_thread_leave(barrow_mutator *mutator, void *thread);
enum barrow_status barrow_heap_state(struct barrow_heap *heap, struct barrow_heap_state_t *out);
enum barrow_status barrow_generation_state(struct barrow_heap *heap,
                                           uint32_t generation,
                                           struct barrow_generation_state_t *out);
enum barrow_status barrow_step_state(struct barrow_heap *heap,
                                     uint32_t generation,
                                     uint32_t step,
                                     struct barrow_step_state_t *out);
enum barrow_status barrow_statics_add(struct barrow_heap *heap,
                                      void *const *objects,
                                      size_t count,
                                      bool keep);
enum barrow_status barrow_statics_add_section(struct barrow_heap *heap,
                                              void *base,
                                              size_t bytes,
                                              bool keep);
enum barrow_status barrow_new_caf(barrow_mutator *mutator,
                                  void *caf,
                                  void *value);
enum barrow_status barrow_revert_cafs(barrow_mutator *mutator);
void *barrow_kept_caf(struct barrow_heap *heap, size_t number);
size_t barrow_cafs(struct barrow_heap *heap);
enum barrow_status barrow_stats(struct barrow_heap *heap, struct barrow_stats_t *out);
const barrow_functions *barrow_function_table(uint32_t abi_major,
                                              uint32_t size);
enum barrow_status barrow_ticky_register(struct barrow_ticky_function *functions,
                                         size_t count);
struct barrow_entry_count *barrow_ticky_row(barrow_mutator *mutator,
                                            struct barrow_ticky_function *of);
enum barrow_status barrow_ticky_counters(barrow_mutator *mutator,
                                         struct barrow_ticky *out);
int64_t barrow_ticky_offset(const char *name);
enum barrow_status barrow_ticky_functions(barrow_mutator *mutator,
                                          struct barrow_ticky_row_t *rows,
                                          size_t count,
                                          size_t *out_count);
enum barrow_status barrow_ticky_report(barrow_mutator *mutator,
                                       const char *file);
uint32_t barrow_abi_version(uint32_t *minor);
const char *barrow_version(void);
const char *barrow_last_error(void);
const char *barrow_status_name(uint32_t status);
int64_t barrow_window_offset(const char *field);
void *barrow_weak_new(barrow_mutator *mutator,
                      void *key,
                      void *value,
                      void *finalizer);
enum barrow_status barrow_weak_set_function(barrow_mutator *mutator,
                                            void *weak,
                                            void (*function)(barrow_mutator *mutator,
                                                             void *data,
                                                             void *key,
                                                             void *value),
                                            void *data,
                                            bool *out_added);
enum barrow_status barrow_weak_finalize(barrow_mutator *mutator,
                                        void *weak,
                                        void **out_finalizer);
size_t barrow_run_finalizers(barrow_mutator *mutator,
                             void (*run)(void *client,
                                         barrow_mutator *mutator,
                                         void *finalizer,
                                         void *key,
                                         void *value),
                             void *client,
                             size_t most);
bool barrow_finalizers_due(barrow_mutator *mutator);
size_t barrow_weak_count(barrow_mutator *mutator);
#ifdef __cplusplus
}
#endif
#endif
