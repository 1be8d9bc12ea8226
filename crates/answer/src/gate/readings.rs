//! The readings of the last questions: many are about the same passages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use mostrador_language::Packs;

use super::prepared::Prepared;
use crate::passage::Passage;

/// The most text, in bytes, whose reading is kept; a reading takes about fifty times its text.
const MOST: usize = 128 * 1024;

/// What was read lately, the newest first. Each is of passages in their order, whose text has to be the same.
#[derive(Debug)]
pub(crate) struct Readings {
    kept: Mutex<VecDeque<Kept>>,
    /// In bytes of text.
    most: usize,
}

impl Default for Readings {
    fn default() -> Self {
        Self { kept: Mutex::default(), most: MOST }
    }
}

#[derive(Debug)]
struct Kept {
    passages: Vec<Arc<Passage>>,
    prepared: Arc<Prepared>,
}

impl Kept {
    fn bytes(&self) -> usize {
        self.passages.iter().map(|passage| passage.text.len()).sum()
    }
}

impl Readings {
    /// What passages say: as it was read before, or read now. `packs`: always the same ones.
    pub(crate) fn of(&self, passages: &[Arc<Passage>], packs: &Packs) -> Arc<Prepared> {
        if let Some(prepared) = self.find(passages) {
            return prepared;
        }
        // Nobody waits while these are read.
        let prepared = Arc::new(Prepared::new(passages, packs));
        self.keep(Kept { passages: passages.to_vec(), prepared: Arc::clone(&prepared) });
        prepared
    }

    fn find(&self, passages: &[Arc<Passage>]) -> Option<Arc<Prepared>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|kept| kept.passages == passages)?;
        let found = kept.remove(at)?;
        let prepared = Arc::clone(&found.prepared);
        kept.push_front(found);
        Some(prepared)
    }

    fn keep(&self, new: Kept) {
        if new.bytes() > self.most {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|old| old.passages != new.passages);
        kept.push_front(new);
        let mut bytes = 0_usize;
        kept.retain(|kept| {
            bytes = bytes.saturating_add(kept.bytes());
            bytes <= self.most
        });
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::Lang;

    use super::*;
    use crate::passage::SourceId;

    fn passage(name: &str, text: &str) -> Arc<Passage> {
        Arc::new(Passage::new(SourceId::new(name).unwrap(), text, Lang::EN))
    }

    #[test]
    fn the_same_passages_are_read_once_and_others_are_others() {
        let (readings, packs) = (Readings::default(), Packs::default());
        let first = readings.of(&[passage("a#1", "It costs 5 €.")], &packs);
        assert!(Arc::ptr_eq(&first, &readings.of(&[passage("a#1", "It costs 5 €.")], &packs)));
        for other in [
            vec![passage("a#1", "It costs 6 €.")],
            vec![passage("a#1", "It costs 5 €."), passage("a#2", "Parcels are sent daily.")],
            vec![passage("a#2", "It costs 5 €.")],
        ] {
            assert!(!Arc::ptr_eq(&first, &readings.of(&other, &packs)), "{other:?}");
        }
    }

    #[test]
    fn what_was_long_not_asked_for_goes() {
        let (readings, packs) = (Readings { most: 40, ..Readings::default() }, Packs::default());
        let texts =
            ["Ten bytes.", "Ten bytes!", "Ten bytes?", "Ten byte ."].map(|text| [passage("a#1", text)]);
        let read = texts.each_ref().map(|text| readings.of(text, &packs));
        let is_kept = |at: usize| Arc::ptr_eq(&read[at], &readings.of(&texts[at], &packs));
        assert!(is_kept(0));
        readings.of(&[passage("b#1", "One more.")], &packs);
        assert!(is_kept(0) && is_kept(2) && is_kept(3));
        assert!(!is_kept(1), "nobody asked for it for the longest time");
        // What is too long by itself is read and not kept, and nothing goes for it.
        let endless = [passage("c#1", &"Ten bytes. ".repeat(4))];
        let once = readings.of(&endless, &packs);
        assert!(!Arc::ptr_eq(&once, &readings.of(&endless, &packs)));
        assert!(is_kept(0));
    }
}
