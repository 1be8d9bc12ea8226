//! Tells passages that say the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_language::normalize;
use sha2::{Digest, Sha256};

/// What was read so far, by what it says.
#[derive(Debug, Default)]
pub(crate) struct Seen(HashMap<[u8; 16], SourceId>);

impl Seen {
    /// The name of an earlier passage that says the same; else this one is remembered as the first.
    pub(crate) fn earlier(&mut self, passage: &Passage) -> Option<SourceId> {
        match self.0.entry(same_key(passage)) {
            Entry::Occupied(first) => Some(first.get().clone()),
            Entry::Vacant(free) => {
                free.insert(passage.source.clone());
                None
            }
        }
    }
}

/// Equal for two passages that say the same: half of a SHA-256, so that no outsider can write a text that is
/// taken for another.
///
/// The same is: text and headings in their normal form, and the same language, trust and last day.
/// A line under another heading can mean another thing, and another's words are not the shop's.
#[must_use]
pub fn same_key(passage: &Passage) -> [u8; 16] {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(passage.language.code());
    add(if passage.trust == Trust::Shop { "shop" } else { "customer" });
    add(passage.valid_until.as_deref().unwrap_or_default());
    add(&normalize(&passage.text));
    for heading in &passage.headings {
        add(&normalize(heading));
    }
    hash.finalize().first_chunk().copied().unwrap_or_default()
}
