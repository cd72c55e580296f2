//! Random histories: objects are made, used, changed in place and dropped, collections and censuses come between.

use super::naive::{Life, Naive};
use super::shown::{PROFILES, shown};
use crate::base::Outcome;
use crate::profile::biography::journal::{Batch, Profile};
use crate::profile::biography::{Biography, Word};
use crate::testkit::lives::same;
use crate::testkit::random::Random;

/// Numbers are taken modulo the count of objects or kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Create {
        bytes: u64,
        kind: usize,
    },
    Use(usize),
    /// An object becomes another of at most its size, in place.
    Become {
        object: usize,
        bytes: u64,
        kind: usize,
    },
    Drop(usize),
    /// Every living object gets its creation stamp.
    Minor,
    Census,
}

#[derive(Clone, Debug)]
pub struct History {
    /// Whether the groups of objects change between censuses.
    pub changing: bool,
    /// The number of first objects that were there before the profile.
    pub before: usize,
    pub kinds: usize,
    pub steps: Vec<Step>,
}

/// An object as the side tables know it, and as the reference does.
#[derive(Clone, Debug)]
struct Object {
    kind: usize,
    word: Word,
    holder: u32,
    life: Life,
}

/// One kind in four has uses that nobody sees.
fn inherent(kind: usize) -> bool {
    kind % 4 == 3
}

impl History {
    pub fn random(seed: u64) -> History {
        let mut random = Random::new(seed);
        let kinds = 1 + random.below(6);
        let length = 1 + random.below(120);
        // Some histories are short of censuses, some of everything else.
        let (uses, drops, censuses) = (1 + random.below(8), 1 + random.below(6), 1 + random.below(6));
        let steps = (0..length).map(|_| {
            let mut at = random.below(6 + uses + drops + censuses);
            let (bytes, kind, object) =
                (16 + 8 * random.below(9) as u64, random.below(kinds), random.below(1000));
            let mut next = |share: usize| {
                let hit = at < share;
                at = at.wrapping_sub(share);
                hit
            };
            if next(4) {
                Step::Create { bytes, kind }
            } else if next(uses) {
                Step::Use(object)
            } else if next(drops) {
                Step::Drop(object)
            } else if next(censuses) {
                Step::Census
            } else if random.one_in(2) {
                Step::Become { object, bytes, kind }
            } else {
                Step::Minor
            }
        });
        let steps: Vec<Step> = steps.collect();
        History { changing: random.one_in(2), before: random.below(4), kinds, steps }
    }

    /// Plays both ways, and compares what they show at the end, and when cut short after each census.
    pub fn run(&self) -> Result<(), String> {
        let mut player = Player::new(self).map_err(|failure| format!("{failure:?}"))?;
        for (at, &step) in self.steps.iter().enumerate() {
            player.step(step).map_err(|failure| format!("step {at}: {failure:?}"))?;
            if step == Step::Census {
                player.compare(false).map_err(|wrong| format!("cut after step {at}: {wrong}"))?;
            }
        }
        player.end().map_err(|failure| format!("{failure:?}"))?;
        player.compare(true).map_err(|wrong| format!("at the end: {wrong}"))
    }

    /// The journal of this history.
    pub fn journal(&self) -> Outcome<Vec<u8>> {
        let mut player = Player::new(self)?;
        self.steps.iter().try_for_each(|&step| player.step(step))?;
        player.end()?;
        Ok(player.journal)
    }

    /// A smaller history that fails too.
    pub fn shrunk(&self) -> History {
        let mut best = self.clone();
        let mut part = best.steps.len().div_ceil(2).max(1);
        loop {
            let mut at = best.steps.len();
            while at > 0 {
                let from = at.saturating_sub(part);
                let mut candidate = best.clone();
                candidate.steps.drain(from..at);
                if candidate.run().is_err() {
                    best = candidate;
                }
                at = from.min(best.steps.len());
            }
            if part == 1 {
                return best;
            }
            part /= 2;
        }
    }
}

struct Player<'h> {
    history: &'h History,
    objects: Vec<Object>,
    made: usize,
    naive: Naive,
    biography: Biography,
    batch: Batch,
    journal: Vec<u8>,
}

impl<'h> Player<'h> {
    fn new(history: &'h History) -> Outcome<Player<'h>> {
        let mut batch = Batch::new();
        batch.begin_file(b"Sat Jan  1 00:00 2000", [b"seconds", b"bytes"], history.changing)?;
        for phases in PROFILES {
            batch.profile(Profile { name: b"p.hp", job: b"p", phases })?;
        }
        for kind in 0..history.kinds {
            for profile in 0..PROFILES.len() {
                batch.band(profile, kind.to_string().as_bytes())?;
            }
            batch.atom(PROFILES.iter().map(|_| kind as u32 + 1))?;
        }
        let journal = batch.sealed().to_vec();
        let biography = Biography::new(history.changing);
        Ok(Player { history, objects: Vec::new(), made: 0, naive: Naive::new(), biography, batch, journal })
    }

    fn step(&mut self, step: Step) -> Outcome<()> {
        let (count, era) = (self.objects.len(), self.biography.era());
        match step {
            Step::Create { bytes, kind } => {
                let before = self.made < self.history.before && era == 1;
                self.made += 1;
                let life = self.naive.create(bytes, inherent(kind), before);
                let word = if before { Word::before(era) } else { Word::NONE };
                self.objects.push(Object { kind, word, holder: 0, life });
            }
            Step::Use(at) if count > 0 => {
                let object = &mut self.objects[at % count];
                if !inherent(object.kind) {
                    self.naive.used(&mut object.life);
                    let used = object.word.used(era);
                    if used != object.word {
                        self.biography.used(object.holder, object.word, object.life.bytes);
                        object.word = used;
                    }
                }
            }
            Step::Become { object: at, bytes, kind } if count > 0 => {
                let object = &mut self.objects[at % count];
                self.naive.dead(&object.life);
                if !inherent(object.kind) {
                    self.biography.dead(object.holder, object.word, object.life.bytes);
                }
                let life = self.naive.create(bytes.min(object.life.bytes), inherent(kind), false);
                *object = Object { kind, word: Word::created(era), holder: 0, life };
            }
            Step::Drop(at) if count > 0 => {
                let gone = self.objects.swap_remove(at % count);
                self.naive.dead(&gone.life);
            }
            Step::Minor => self.stamp(),
            Step::Census => self.census()?,
            _ => {}
        }
        Ok(())
    }

    fn stamp(&mut self) {
        let era = self.biography.era();
        for object in self.objects.iter_mut().filter(|object| object.word == Word::NONE) {
            object.word = Word::created(era);
        }
    }

    fn census(&mut self) -> Outcome<()> {
        self.stamp();
        let era = self.biography.era();
        for (at, object) in self.objects.iter_mut().enumerate() {
            let mut turn = Random::new(at as u64 * 1000 + era as u64);
            if self.history.changing && turn.one_in(3) {
                // Retainers change, kinds do not: whether uses are seen stays.
                let other = turn.below(self.history.kinds);
                if inherent(other) == inherent(object.kind) {
                    object.kind = other;
                }
            }
            let (identity, bytes) = (object.kind as u32 + 1, object.life.bytes);
            object.holder = if inherent(object.kind) {
                self.biography.seen_inherent(identity, bytes)
            } else {
                self.biography.seen(object.holder, identity, object.word, bytes)
            };
        }
        for object in &mut self.objects {
            self.naive.count(&mut object.life, object.kind as u32);
        }
        self.naive.next_era();
        self.batch.begin()?;
        self.biography.end_census(&mut self.batch)?;
        self.batch.census(era as f64 * 0.1)?;
        self.journal.extend_from_slice(self.batch.sealed());
        Ok(())
    }

    fn end(&mut self) -> Outcome<()> {
        self.batch.begin()?;
        self.biography.end(&mut self.batch)?;
        self.batch.end(1e3)?;
        self.journal.extend_from_slice(self.batch.sealed());
        Ok(())
    }

    fn compare(&self, ended: bool) -> Result<(), String> {
        let (found, sums, finished) = shown(&self.journal)?;
        if finished.ended != ended {
            return Err(format!("the journal ended: {}", finished.ended));
        }
        let expected =
            self.naive.shown(self.objects.iter().map(|object| &object.life), |kind| kind.to_string());
        same(&found, &sums, &expected, true)
    }
}
