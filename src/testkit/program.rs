//! A program: settings and a list of operations. Every byte string is a program, and every operation makes sense in
//! every state, so that operations can be removed at will and a fuzzer can write them.

use super::random::Random;
use super::settings::Settings;
use std::fmt;

/// One step of a program. Objects, fields, roots and values are chosen by `object` and `seed` from those that
/// there are at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// An object of any kind, made in any way, and put into a root.
    Make {
        kind: u8,
        way: u8,
        size: u16,
        seed: u32,
    },
    /// A list of several objects from one reservation.
    MakeList {
        count: u8,
        seed: u32,
    },
    /// Objects that nobody refers to.
    Garbage {
        words: u16,
        seed: u32,
    },
    Store {
        object: u16,
        how: u8,
        seed: u32,
    },
    /// A store without any barrier, into an object that was recorded as mutable.
    StoreRecorded {
        object: u16,
        seed: u32,
    },
    Copy {
        object: u16,
        seed: u32,
    },
    Fill {
        object: u16,
        seed: u32,
    },
    Become {
        object: u16,
        seed: u32,
    },
    Shrink {
        object: u16,
        seed: u32,
    },
    /// More stores into one old array than are remembered one by one. Rarely, since it takes long.
    Storm {
        seed: u32,
    },
    SetRoot {
        seed: u32,
    },
    ClearRoots {
        share: u8,
        seed: u32,
    },
    PushFrame {
        count: u8,
        tagged: bool,
    },
    PopFrames {
        count: u8,
    },
    AddRange {
        count: u8,
        tagged: bool,
    },
    RemoveRange {
        which: u8,
    },
    NewHandle {
        object: u16,
    },
    SetHandle {
        which: u8,
        object: u16,
    },
    FreeHandle {
        which: u8,
    },
    NewStable {
        object: u16,
    },
    FreeStable {
        which: u8,
    },
    PushLlvm {
        count: u8,
    },
    PopLlvm,
    AttachLlvm {
        on: bool,
    },
    Collect {
        major: bool,
    },
    CollectWith {
        major: bool,
        seed: u32,
    },
    Safepoint,
    External {
        bytes: u32,
    },
    Check,
    Census,
    Look,
    /// Some objects get identity hashes.
    Number {
        object: u16,
    },
    Name {
        object: u16,
    },
    Stack {
        how: u8,
        seed: u32,
    },
    Static {
        which: u8,
        seed: u32,
    },
    Detach,
    /// A weak pointer that a root holds, or many that refer to each other.
    NewWeak {
        object: u16,
        how: u8,
        seed: u32,
    },
    /// A weak pointer that no root refers to any more.
    DropWeak {
        which: u8,
    },
    FinalizeWeak {
        which: u8,
        acts: bool,
        seed: u32,
    },
    /// Finalizers run; `acts`: they act as clients do.
    RunFinalizers {
        most: u8,
        acts: bool,
        seed: u32,
    },
    /// A thunk is blackholed, or gets a value.
    Evaluate {
        object: u16,
        how: u8,
        seed: u32,
    },
}

pub type RawOp = [u8; 8];

impl Op {
    pub fn decode(raw: &RawOp) -> Op {
        let [what, small, ..] = *raw;
        let middle = u16::from_le_bytes([raw[2], raw[3]]);
        let seed = u32::from_le_bytes([raw[4], raw[5], raw[6], raw[7]]);
        let odd = small & 1 != 0;
        match what {
            0..=7 => Op::NewWeak { object: middle, how: small, seed },
            8..=9 => Op::DropWeak { which: small },
            10 => Op::FinalizeWeak { which: small, acts: middle & 1 != 0, seed },
            11..=12 => Op::RunFinalizers { most: small % 4, acts: small & 4 != 0, seed },
            13..=24 => Op::Evaluate { object: middle, how: small, seed },
            25..=32 => Op::Stack { how: small, seed },
            33..=36 => Op::Static { which: small, seed },
            37 => Op::Name { object: middle },
            38..=80 => Op::Make { kind: small, way: raw[7], size: middle, seed },
            81..=86 => Op::MakeList { count: small, seed },
            87..=94 => Op::Garbage { words: middle % 3000, seed },
            95..=143 => Op::Store { object: middle, how: small, seed },
            144..=149 => Op::StoreRecorded { object: middle, seed },
            150..=155 => Op::Copy { object: middle, seed },
            156..=161 => Op::Fill { object: middle, seed },
            162..=168 => Op::Become { object: middle, seed },
            169..=174 => Op::Shrink { object: middle, seed },
            175..=186 => Op::SetRoot { seed },
            187..=190 => Op::ClearRoots { share: small, seed },
            191..=196 => Op::PushFrame { count: small >> 4, tagged: odd },
            197..=201 => Op::PopFrames { count: small % 4 },
            202..=203 => Op::AddRange { count: small >> 5, tagged: odd },
            204..=205 => Op::RemoveRange { which: small },
            206..=209 => Op::NewHandle { object: middle },
            210..=212 => Op::SetHandle { which: small, object: middle },
            213..=215 => Op::FreeHandle { which: small },
            216..=219 => Op::NewStable { object: middle },
            220..=222 => Op::FreeStable { which: small },
            223..=224 => Op::PushLlvm { count: small >> 5 },
            225..=226 => Op::PopLlvm,
            227..=228 => Op::AttachLlvm { on: small % 4 != 0 },
            229..=239 => Op::Collect { major: small.is_multiple_of(4) },
            240..=242 => Op::CollectWith { major: small.is_multiple_of(4), seed },
            243..=247 => Op::Safepoint,
            248..=249 => Op::External { bytes: seed >> 14 },
            250 => Op::Check,
            251 => Op::Census,
            252 => Op::Look,
            253 => Op::Number { object: middle },
            254 => Op::Storm { seed },
            255 => Op::Detach,
        }
    }
}

/// A program as bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    pub header: [u8; 16],
    pub ops: Vec<RawOp>,
}

impl Program {
    pub fn random(seed: u64, steps: usize) -> Program {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x6261_7272_6f77);
        let mut header = [0; 16];
        for part in header.chunks_mut(8) {
            part.copy_from_slice(&random.bits().to_le_bytes());
        }
        Program { header, ops: (0..steps).map(|_| random.bits().to_le_bytes()).collect() }
    }

    /// Any bytes; missing bytes of the settings are zero, and an incomplete last operation is dropped.
    pub fn from_bytes(bytes: &[u8]) -> Program {
        let mut header = [0; 16];
        let settings = bytes.len().min(16);
        header[..settings].copy_from_slice(&bytes[..settings]);
        let ops = bytes[settings..].chunks_exact(8).map(|raw| raw.try_into().unwrap_or([0; 8])).collect();
        Program { header, ops }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header.to_vec();
        bytes.extend(self.ops.iter().flatten());
        bytes
    }

    pub fn to_hex(&self) -> String {
        self.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// `None` when the text is not of hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Program> {
        let text = text.trim();
        let bytes: Option<Vec<u8>> = (0..text.len() / 2)
            .map(|i| text.get(2 * i..2 * i + 2).and_then(|two| u8::from_str_radix(two, 16).ok()))
            .collect();
        bytes.map(|bytes| Program::from_bytes(&bytes))
    }

    pub fn settings(&self) -> Settings {
        Settings::decode(&self.header)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings();
        writeln!(f, "flags: {}", settings.flags)?;
        writeln!(f, "words: {}", settings.rule.name)?;
        for (number, raw) in self.ops.iter().enumerate() {
            writeln!(f, "{number:4}  {:?}", Op::decode(raw))?;
        }
        Ok(())
    }
}
