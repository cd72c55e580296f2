//! Ticky counters: the events that compiled code counts as it runs, one counter for each kind of event.
//!
//! The struct is part of the ABI: compiled code adds to it through the window (barrow/ticky.h), and new counters come at
//! its end. `ROWS` gives each its name in reports.

use std::cell::UnsafeCell;
use std::mem::offset_of;

/// The counters of one heap, or with `--mutators` of one mutator, with which they go. `barrow_window.ticky` leads to them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Ticky {
    /// `sizeof(barrow_ticky)` as the library knows it, when the library fills the struct.
    pub size: u32,
    pub reserved: u32,
    /// Heap checks that took memory, and their bytes. All `_tot`, `_adm`, `_gds` and `_slp` count bytes.
    pub alloc_heap_ctr: u64,
    pub alloc_heap_tot: u64,
    /// Heap checks and stack checks, whether they took anything or not.
    pub heap_chk_ctr: u64,
    pub stk_chk_ctr: u64,
    /// Objects made by calls of the library, and their bytes: counted by the library.
    pub alloc_rts_ctr: u64,
    pub alloc_rts_tot: u64,
    /// Objects by kind: how many, and their bytes (`_gds`), of which `_adm` are headers; `_slp` is waste.
    pub alloc_fun_ctr: u64,
    pub alloc_fun_gds: u64,
    pub alloc_pap_ctr: u64,
    pub alloc_pap_adm: u64,
    pub alloc_pap_gds: u64,
    pub alloc_up_thk_ctr: u64,
    pub alloc_se_thk_ctr: u64,
    pub alloc_thk_gds: u64,
    pub alloc_con_ctr: u64,
    pub alloc_con_gds: u64,
    pub alloc_prim_ctr: u64,
    pub alloc_prim_gds: u64,
    pub alloc_prim_slp: u64,
    /// Entries: by way of a closure's info pointer, and by the entered object.
    pub ent_via_node_ctr: u64,
    pub ent_static_con_ctr: u64,
    pub ent_dyn_con_ctr: u64,
    pub ent_static_fun_direct_ctr: u64,
    pub ent_dyn_fun_direct_ctr: u64,
    pub ent_lne_ctr: u64,
    pub ent_static_ind_ctr: u64,
    pub ent_dyn_ind_ctr: u64,
    pub ent_perm_ind_ctr: u64,
    pub ent_ap_ctr: u64,
    pub ent_pap_ctr: u64,
    pub ent_ap_stack_ctr: u64,
    pub ent_bh_ctr: u64,
    pub ent_static_thk_single_ctr: u64,
    pub ent_static_thk_many_ctr: u64,
    pub ent_dyn_thk_single_ctr: u64,
    pub ent_dyn_thk_many_ctr: u64,
    /// CAFs that became blackholes.
    pub upd_caf_bh_updatable_ctr: u64,
    pub upd_caf_bh_single_entry_ctr: u64,
    /// Calls of unknown functions by the pattern of their arguments.
    pub slow_call_fast_v16_ctr: u64,
    pub slow_call_fast_v_ctr: u64,
    pub slow_call_fast_f_ctr: u64,
    pub slow_call_fast_d_ctr: u64,
    pub slow_call_fast_l_ctr: u64,
    pub slow_call_fast_n_ctr: u64,
    pub slow_call_fast_p_ctr: u64,
    pub slow_call_fast_pv_ctr: u64,
    pub slow_call_fast_pp_ctr: u64,
    pub slow_call_fast_ppv_ctr: u64,
    pub slow_call_fast_ppp_ctr: u64,
    pub slow_call_fast_pppv_ctr: u64,
    pub slow_call_fast_pppp_ctr: u64,
    pub slow_call_fast_ppppp_ctr: u64,
    pub slow_call_fast_pppppp_ctr: u64,
    pub very_slow_call_ctr: u64,
    /// Calls by the known facts of the function.
    pub unknown_call_ctr: u64,
    pub known_call_ctr: u64,
    pub known_call_too_few_args_ctr: u64,
    pub known_call_extra_args_ctr: u64,
    pub multi_chunk_slow_call_ctr: u64,
    pub multi_chunk_slow_call_chunks_ctr: u64,
    /// Calls that went the slow way, by the object found there.
    pub slow_call_ctr: u64,
    pub slow_call_fun_too_few_ctr: u64,
    pub slow_call_fun_correct_ctr: u64,
    pub slow_call_fun_too_many_ctr: u64,
    pub slow_call_pap_too_few_ctr: u64,
    pub slow_call_pap_correct_ctr: u64,
    pub slow_call_pap_too_many_ctr: u64,
    pub slow_call_unevald_ctr: u64,
    /// Returns: of a constructor just made, of one that was there, of an unboxed tuple; by their fields in the histograms.
    pub ret_new_ctr: u64,
    pub ret_old_ctr: u64,
    pub ret_unboxed_tup_ctr: u64,
    pub ret_new_hst: [u64; 9],
    pub ret_old_hst: [u64; 9],
    pub ret_unboxed_tup_hst: [u64; 9],
    /// Update frames that were not needed, and those pushed; catch frames.
    pub updf_omitted_ctr: u64,
    pub updf_pushed_ctr: u64,
    pub catchf_pushed_ctr: u64,
    pub updf_rcc_pushed_ctr: u64,
    pub updf_rcc_omitted_ctr: u64,
    /// Updates: by squeezing, which the library counts, and by the value.
    pub upd_squeezed_ctr: u64,
    pub upd_con_in_new_ctr: u64,
    pub upd_con_in_place_ctr: u64,
    pub upd_pap_in_new_ctr: u64,
    pub upd_pap_in_place_ctr: u64,
    /// Thunks that became indirections, in the young generation and in old ones: counted by the library and its inline code.
    pub upd_new_ind_ctr: u64,
    pub upd_new_perm_ind_ctr: u64,
    pub upd_old_ind_ctr: u64,
    pub upd_old_perm_ind_ctr: u64,
    /// Selectors that collections could not evaluate, and those that they did: counted by the library.
    pub gc_sel_abandoned_ctr: u64,
    pub gc_sel_minor_ctr: u64,
    pub gc_sel_major_ctr: u64,
    /// References from an object that is not mutable to one that was copied into a younger generation before it was met:
    /// counted by the library.
    pub gc_failed_promotion_ctr: u64,
    /// Counts that the counters above leave out: headers, waste, and sizes in words from 2 to "6 and more".
    pub alloc_fun_adm: u64,
    pub alloc_fun_slp: u64,
    pub alloc_fun_hst: [u64; 5],
    pub alloc_thk_adm: u64,
    pub alloc_thk_slp: u64,
    pub alloc_thk_hst: [u64; 5],
    pub alloc_con_adm: u64,
    pub alloc_con_slp: u64,
    pub alloc_con_hst: [u64; 5],
    /// Big tuples, blackholes and thread states.
    pub alloc_tup_ctr: u64,
    pub alloc_tup_adm: u64,
    pub alloc_tup_gds: u64,
    pub alloc_tup_slp: u64,
    pub alloc_bh_ctr: u64,
    pub alloc_bh_adm: u64,
    pub alloc_bh_gds: u64,
    pub alloc_bh_slp: u64,
    pub alloc_bh_hst: [u64; 5],
    pub alloc_tso_ctr: u64,
    pub alloc_tso_adm: u64,
    pub alloc_tso_gds: u64,
    pub alloc_tso_slp: u64,
    pub alloc_tso_hst: [u64; 5],
    pub alloc_prim_adm: u64,
    pub alloc_prim_hst: [u64; 5],
    pub alloc_pap_slp: u64,
    pub alloc_pap_hst: [u64; 5],
    /// Vectored returns, by the number of their alternatives.
    pub ret_vec_return_ctr: u64,
    pub ret_vec_return_hst: [u64; 9],
    /// Frames that force a value.
    pub seqf_pushed_ctr: u64,
    /// Updates with a new object, by its fields.
    pub upd_con_in_new_hst: [u64; 9],
    pub upd_pap_in_new_hst: [u64; 9],
    /// Counted by the library: bytes of large objects, all bytes allocated, trips to the slow path.
    pub alloc_large_tot: u64,
    pub alloc_all_tot: u64,
    pub heap_chk_slow_ctr: u64,
    /// Counted by the library: collections, and words that they copied.
    pub gc_minor_ctr: u64,
    pub gc_major_ctr: u64,
    pub gc_words_copied_ctr: u64,
}

/// The condition under which a counter means anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Everything,
    /// Update frames stay as they were pushed: `-Z`.
    NoSqueezing,
    /// Collections evaluate selectors.
    Selectors,
    /// There is an old generation.
    OldGeneration,
}

/// A counter in reports, or a histogram of several.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// Place of the counter, in words from the beginning of the struct.
    pub at: usize,
    /// Number of columns of a histogram, or 1.
    pub columns: usize,
    pub needs: Needs,
}

impl Row {
    /// A histogram's counters are named by its name and a number.
    pub fn is_histogram(&self) -> bool {
        self.columns > 1
    }
}

macro_rules! row {
    ($name:literal, $field:ident, $columns:literal, $needs:ident) => {
        Row { name: $name, at: offset_of!(Ticky, $field) / 8, columns: $columns, needs: Needs::$needs }
    };
}

/// All counters in the order of reports. Counters of the references' runtime come first, in its order.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row!("ALLOC_HEAP_ctr", alloc_heap_ctr, 1, Everything),
    row!("ALLOC_HEAP_tot", alloc_heap_tot, 1, Everything),
    row!("HEAP_CHK_ctr", heap_chk_ctr, 1, Everything),
    row!("STK_CHK_ctr", stk_chk_ctr, 1, Everything),
    row!("ALLOC_RTS_ctr", alloc_rts_ctr, 1, Everything),
    row!("ALLOC_RTS_tot", alloc_rts_tot, 1, Everything),
    row!("ALLOC_FUN_ctr", alloc_fun_ctr, 1, Everything),
    row!("ALLOC_FUN_gds", alloc_fun_gds, 1, Everything),
    row!("ALLOC_PAP_ctr", alloc_pap_ctr, 1, Everything),
    row!("ALLOC_PAP_adm", alloc_pap_adm, 1, Everything),
    row!("ALLOC_PAP_gds", alloc_pap_gds, 1, Everything),
    row!("ALLOC_UP_THK_ctr", alloc_up_thk_ctr, 1, Everything),
    row!("ALLOC_SE_THK_ctr", alloc_se_thk_ctr, 1, Everything),
    row!("ALLOC_THK_gds", alloc_thk_gds, 1, Everything),
    row!("ALLOC_CON_ctr", alloc_con_ctr, 1, Everything),
    row!("ALLOC_CON_gds", alloc_con_gds, 1, Everything),
    row!("ALLOC_PRIM_ctr", alloc_prim_ctr, 1, Everything),
    row!("ALLOC_PRIM_gds", alloc_prim_gds, 1, Everything),
    row!("ALLOC_PRIM_slp", alloc_prim_slp, 1, Everything),
    row!("ENT_VIA_NODE_ctr", ent_via_node_ctr, 1, Everything),
    row!("ENT_STATIC_CON_ctr", ent_static_con_ctr, 1, Everything),
    row!("ENT_DYN_CON_ctr", ent_dyn_con_ctr, 1, Everything),
    row!("ENT_STATIC_FUN_DIRECT_ctr", ent_static_fun_direct_ctr, 1, Everything),
    row!("ENT_DYN_FUN_DIRECT_ctr", ent_dyn_fun_direct_ctr, 1, Everything),
    row!("ENT_LNE_ctr", ent_lne_ctr, 1, Everything),
    row!("ENT_STATIC_IND_ctr", ent_static_ind_ctr, 1, Everything),
    row!("ENT_DYN_IND_ctr", ent_dyn_ind_ctr, 1, Everything),
    row!("ENT_PERM_IND_ctr", ent_perm_ind_ctr, 1, NoSqueezing),
    row!("ENT_AP_ctr", ent_ap_ctr, 1, Everything),
    row!("ENT_PAP_ctr", ent_pap_ctr, 1, Everything),
    row!("ENT_AP_STACK_ctr", ent_ap_stack_ctr, 1, Everything),
    row!("ENT_BH_ctr", ent_bh_ctr, 1, Everything),
    row!("ENT_STATIC_THK_SINGLE_ctr", ent_static_thk_single_ctr, 1, Everything),
    row!("ENT_STATIC_THK_MANY_ctr", ent_static_thk_many_ctr, 1, Everything),
    row!("ENT_DYN_THK_SINGLE_ctr", ent_dyn_thk_single_ctr, 1, Everything),
    row!("ENT_DYN_THK_MANY_ctr", ent_dyn_thk_many_ctr, 1, Everything),
    row!("UPD_CAF_BH_UPDATABLE_ctr", upd_caf_bh_updatable_ctr, 1, Everything),
    row!("UPD_CAF_BH_SINGLE_ENTRY_ctr", upd_caf_bh_single_entry_ctr, 1, Everything),
    row!("SLOW_CALL_fast_v16_ctr", slow_call_fast_v16_ctr, 1, Everything),
    row!("SLOW_CALL_fast_v_ctr", slow_call_fast_v_ctr, 1, Everything),
    row!("SLOW_CALL_fast_f_ctr", slow_call_fast_f_ctr, 1, Everything),
    row!("SLOW_CALL_fast_d_ctr", slow_call_fast_d_ctr, 1, Everything),
    row!("SLOW_CALL_fast_l_ctr", slow_call_fast_l_ctr, 1, Everything),
    row!("SLOW_CALL_fast_n_ctr", slow_call_fast_n_ctr, 1, Everything),
    row!("SLOW_CALL_fast_p_ctr", slow_call_fast_p_ctr, 1, Everything),
    row!("SLOW_CALL_fast_pv_ctr", slow_call_fast_pv_ctr, 1, Everything),
    row!("SLOW_CALL_fast_pp_ctr", slow_call_fast_pp_ctr, 1, Everything),
    row!("SLOW_CALL_fast_ppv_ctr", slow_call_fast_ppv_ctr, 1, Everything),
    row!("SLOW_CALL_fast_ppp_ctr", slow_call_fast_ppp_ctr, 1, Everything),
    row!("SLOW_CALL_fast_pppv_ctr", slow_call_fast_pppv_ctr, 1, Everything),
    row!("SLOW_CALL_fast_pppp_ctr", slow_call_fast_pppp_ctr, 1, Everything),
    row!("SLOW_CALL_fast_ppppp_ctr", slow_call_fast_ppppp_ctr, 1, Everything),
    row!("SLOW_CALL_fast_pppppp_ctr", slow_call_fast_pppppp_ctr, 1, Everything),
    row!("VERY_SLOW_CALL_ctr", very_slow_call_ctr, 1, Everything),
    row!("UNKNOWN_CALL_ctr", unknown_call_ctr, 1, Everything),
    row!("KNOWN_CALL_ctr", known_call_ctr, 1, Everything),
    row!("KNOWN_CALL_TOO_FEW_ARGS_ctr", known_call_too_few_args_ctr, 1, Everything),
    row!("KNOWN_CALL_EXTRA_ARGS_ctr", known_call_extra_args_ctr, 1, Everything),
    row!("MULTI_CHUNK_SLOW_CALL_ctr", multi_chunk_slow_call_ctr, 1, Everything),
    row!("MULTI_CHUNK_SLOW_CALL_CHUNKS_ctr", multi_chunk_slow_call_chunks_ctr, 1, Everything),
    row!("SLOW_CALL_ctr", slow_call_ctr, 1, Everything),
    row!("SLOW_CALL_FUN_TOO_FEW_ctr", slow_call_fun_too_few_ctr, 1, Everything),
    row!("SLOW_CALL_FUN_CORRECT_ctr", slow_call_fun_correct_ctr, 1, Everything),
    row!("SLOW_CALL_FUN_TOO_MANY_ctr", slow_call_fun_too_many_ctr, 1, Everything),
    row!("SLOW_CALL_PAP_TOO_FEW_ctr", slow_call_pap_too_few_ctr, 1, Everything),
    row!("SLOW_CALL_PAP_CORRECT_ctr", slow_call_pap_correct_ctr, 1, Everything),
    row!("SLOW_CALL_PAP_TOO_MANY_ctr", slow_call_pap_too_many_ctr, 1, Everything),
    row!("SLOW_CALL_UNEVALD_ctr", slow_call_unevald_ctr, 1, Everything),
    row!("RET_NEW_ctr", ret_new_ctr, 1, Everything),
    row!("RET_OLD_ctr", ret_old_ctr, 1, Everything),
    row!("RET_UNBOXED_TUP_ctr", ret_unboxed_tup_ctr, 1, Everything),
    row!("RET_NEW_hst", ret_new_hst, 9, Everything),
    row!("RET_OLD_hst", ret_old_hst, 9, Everything),
    row!("RET_UNBOXED_TUP_hst", ret_unboxed_tup_hst, 9, Everything),
    row!("UPDF_OMITTED_ctr", updf_omitted_ctr, 1, Everything),
    row!("UPDF_PUSHED_ctr", updf_pushed_ctr, 1, Everything),
    row!("CATCHF_PUSHED_ctr", catchf_pushed_ctr, 1, Everything),
    row!("UPDF_RCC_PUSHED_ctr", updf_rcc_pushed_ctr, 1, Everything),
    row!("UPDF_RCC_OMITTED_ctr", updf_rcc_omitted_ctr, 1, Everything),
    row!("UPD_SQUEEZED_ctr", upd_squeezed_ctr, 1, Everything),
    row!("UPD_CON_IN_NEW_ctr", upd_con_in_new_ctr, 1, Everything),
    row!("UPD_CON_IN_PLACE_ctr", upd_con_in_place_ctr, 1, Everything),
    row!("UPD_PAP_IN_NEW_ctr", upd_pap_in_new_ctr, 1, Everything),
    row!("UPD_PAP_IN_PLACE_ctr", upd_pap_in_place_ctr, 1, Everything),
    row!("UPD_NEW_IND_ctr", upd_new_ind_ctr, 1, Everything),
    row!("UPD_NEW_PERM_IND_ctr", upd_new_perm_ind_ctr, 1, NoSqueezing),
    row!("UPD_OLD_IND_ctr", upd_old_ind_ctr, 1, OldGeneration),
    row!("UPD_OLD_PERM_IND_ctr", upd_old_perm_ind_ctr, 1, NoSqueezing),
    row!("GC_SEL_ABANDONED_ctr", gc_sel_abandoned_ctr, 1, Selectors),
    row!("GC_SEL_MINOR_ctr", gc_sel_minor_ctr, 1, Selectors),
    row!("GC_SEL_MAJOR_ctr", gc_sel_major_ctr, 1, Selectors),
    row!("GC_FAILED_PROMOTION_ctr", gc_failed_promotion_ctr, 1, Everything),
    row!("ALLOC_FUN_adm", alloc_fun_adm, 1, Everything),
    row!("ALLOC_FUN_slp", alloc_fun_slp, 1, Everything),
    row!("ALLOC_FUN_hst", alloc_fun_hst, 5, Everything),
    row!("ALLOC_THK_adm", alloc_thk_adm, 1, Everything),
    row!("ALLOC_THK_slp", alloc_thk_slp, 1, Everything),
    row!("ALLOC_THK_hst", alloc_thk_hst, 5, Everything),
    row!("ALLOC_CON_adm", alloc_con_adm, 1, Everything),
    row!("ALLOC_CON_slp", alloc_con_slp, 1, Everything),
    row!("ALLOC_CON_hst", alloc_con_hst, 5, Everything),
    row!("ALLOC_TUP_ctr", alloc_tup_ctr, 1, Everything),
    row!("ALLOC_TUP_adm", alloc_tup_adm, 1, Everything),
    row!("ALLOC_TUP_gds", alloc_tup_gds, 1, Everything),
    row!("ALLOC_TUP_slp", alloc_tup_slp, 1, Everything),
    row!("ALLOC_BH_ctr", alloc_bh_ctr, 1, Everything),
    row!("ALLOC_BH_adm", alloc_bh_adm, 1, Everything),
    row!("ALLOC_BH_gds", alloc_bh_gds, 1, Everything),
    row!("ALLOC_BH_slp", alloc_bh_slp, 1, Everything),
    row!("ALLOC_BH_hst", alloc_bh_hst, 5, Everything),
    row!("ALLOC_TSO_ctr", alloc_tso_ctr, 1, Everything),
    row!("ALLOC_TSO_adm", alloc_tso_adm, 1, Everything),
    row!("ALLOC_TSO_gds", alloc_tso_gds, 1, Everything),
    row!("ALLOC_TSO_slp", alloc_tso_slp, 1, Everything),
    row!("ALLOC_TSO_hst", alloc_tso_hst, 5, Everything),
    row!("ALLOC_PRIM_adm", alloc_prim_adm, 1, Everything),
    row!("ALLOC_PRIM_hst", alloc_prim_hst, 5, Everything),
    row!("ALLOC_PAP_slp", alloc_pap_slp, 1, Everything),
    row!("ALLOC_PAP_hst", alloc_pap_hst, 5, Everything),
    row!("RET_VEC_RETURN_ctr", ret_vec_return_ctr, 1, Everything),
    row!("RET_VEC_RETURN_hst", ret_vec_return_hst, 9, Everything),
    row!("SEQF_PUSHED_ctr", seqf_pushed_ctr, 1, Everything),
    row!("UPD_CON_IN_NEW_hst", upd_con_in_new_hst, 9, Everything),
    row!("UPD_PAP_IN_NEW_hst", upd_pap_in_new_hst, 9, Everything),
    row!("ALLOC_LARGE_tot", alloc_large_tot, 1, Everything),
    row!("ALLOC_ALL_tot", alloc_all_tot, 1, Everything),
    row!("HEAP_CHK_SLOW_ctr", heap_chk_slow_ctr, 1, Everything),
    row!("GC_MINOR_ctr", gc_minor_ctr, 1, Everything),
    row!("GC_MAJOR_ctr", gc_major_ctr, 1, Everything),
    row!("GC_WORDS_COPIED_ctr", gc_words_copied_ctr, 1, Everything),
];

/// Words of the struct.
impl Ticky {
    /// Copies as many counters as a place of `room` bytes has; what it has beyond these is 0 afterwards.
    ///
    /// Adds the counters of others, which are all words behind the first.
    pub(crate) fn add(&mut self, others: &Ticky) {
        // SAFETY: both structs are words without padding.
        let (all, more) = unsafe {
            let words = |of: *const Ticky| std::slice::from_raw_parts(of.cast::<u64>(), WORDS);
            (std::slice::from_raw_parts_mut((&raw mut *self).cast::<u64>(), WORDS), words(others))
        };
        all.iter_mut().zip(more).skip(1).for_each(|(sum, &more)| *sum = sum.wrapping_add(more));
    }

    /// # Safety
    /// `out` has `room` writable bytes, a multiple of 8.
    pub(crate) unsafe fn copy_to(mut self, out: *mut Ticky, room: usize) {
        let words = (room / 8).min(WORDS);
        self.size = (words * 8) as u32;
        // SAFETY: the caller's promise.
        unsafe {
            out.cast::<u8>().write_bytes(0, room);
            out.cast::<u64>().copy_from((&raw const self).cast::<u64>(), words);
        }
    }
}

pub const WORDS: usize = size_of::<Ticky>() / 8;
/// Words that a heap keeps for the struct: code that was compiled for a later library finds room for its counters.
pub const ROOM_WORDS: usize = 512;
const _: () = assert!(WORDS <= ROOM_WORDS);

/// The counters in the window of a mutator that is gone. Nobody reads them.
pub struct Nobodys(UnsafeCell<[u64; ROOM_WORDS]>);

// SAFETY: compiled code alone adds to it, nobody reads the sums, and numbers may be torn.
unsafe impl Sync for Nobodys {}

impl Nobodys {
    pub fn get(&'static self) -> *mut Ticky {
        self.0.get().cast()
    }
}

pub static NOBODYS: Nobodys = Nobodys(UnsafeCell::new([0; ROOM_WORDS]));

impl Ticky {
    pub fn zero() -> Ticky {
        // SAFETY: counters are numbers, for which all bits zero is 0.
        let mut ticky: Ticky = unsafe { std::mem::zeroed() };
        ticky.size = size_of::<Ticky>() as u32;
        ticky
    }

    /// One counter, by its place among the words.
    pub fn word(&self, at: usize) -> u64 {
        assert!(at < WORDS);
        // SAFETY: the struct is this many words, and each is initialised.
        unsafe { *(&raw const *self).cast::<u64>().add(at) }
    }

    pub fn set_word(&mut self, at: usize, value: u64) {
        assert!((1..WORDS).contains(&at));
        // SAFETY: as above.
        unsafe { *(&raw mut *self).cast::<u64>().add(at) = value }
    }
}

/// The counts of one function of the client.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryCount {
    pub entries: u64,
    /// Bytes that its code allocated.
    pub allocated_by: u64,
    /// Bytes of its own closures.
    pub allocated_of: u64,
}

impl EntryCount {
    /// The sum of both counts.
    pub(crate) fn plus(self, more: EntryCount) -> EntryCount {
        EntryCount {
            entries: self.entries.wrapping_add(more.entries),
            allocated_by: self.allocated_by.wrapping_add(more.allocated_by),
            allocated_of: self.allocated_of.wrapping_add(more.allocated_of),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counter_has_its_row() {
        let mut at = 1;
        for row in ROWS {
            assert_eq!(row.at, at, "{}", row.name);
            at += row.columns;
        }
        assert_eq!(at, WORDS);
    }
}
