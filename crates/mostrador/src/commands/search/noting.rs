//! An index that narrows what is searched for a batch's question, and notes what was found.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use mostrador_answer::passage::{Passage, Similarity, SourceId};
use mostrador_answer::ports::{Filter, Found, Index, Search, Unavailable};

/// What was found since the last question began, and what is searched for this one.
#[derive(Default)]
struct Notes {
    filter: Filter,
    found: BTreeMap<SourceId, Arc<Passage>>,
}

/// An index over another one. Questions come one after the other.
pub(super) struct Noting {
    inner: Arc<dyn Index>,
    notes: Arc<Mutex<Notes>>,
}

impl Noting {
    pub(super) fn over(inner: Arc<dyn Index>) -> Self {
        Self { inner, notes: Arc::default() }
    }

    /// From here on only what fits `filter` is found.
    pub(super) fn begin(&self, filter: Filter) {
        *lock(&self.notes) = Notes { filter, found: BTreeMap::new() };
    }

    /// A passage found since.
    pub(super) fn passage(&self, source: &SourceId) -> Option<Arc<Passage>> {
        lock(&self.notes).found.get(source).cloned()
    }
}

#[async_trait]
impl Index for Noting {
    async fn current(&self) -> Result<Arc<dyn Search>, Unavailable> {
        let inner = self.inner.current().await?;
        Ok(Arc::new(Generation { inner, notes: Arc::clone(&self.notes) }))
    }
}

struct Generation {
    inner: Arc<dyn Search>,
    notes: Arc<Mutex<Notes>>,
}

impl Generation {
    /// Both filters as one; `None` where nothing fits both.
    fn narrowed(&self, outer: &Filter) -> Option<Filter> {
        let own = lock(&self.notes).filter.clone();
        let mut both = outer.clone();
        if both.languages.is_empty() {
            both.languages = own.languages;
        } else if !own.languages.is_empty() {
            both.languages.retain(|language| own.languages.contains(language));
            if both.languages.is_empty() {
                return None;
            }
        }
        if both.trust.is_some() && own.trust.is_some() && both.trust != own.trust {
            return None;
        }
        both.trust = both.trust.or(own.trust);
        if !own.files.is_empty() {
            // No room before the search names files; the batch's own count.
            both.files = own.files;
        }
        both.from = both.from.max(own.from);
        both.to = match (both.to, own.to) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Some(both)
    }

    fn note<'a>(&self, found: impl Iterator<Item = &'a Found>) {
        let mut notes = lock(&self.notes);
        for found in found {
            notes.found.insert(found.passage.source.clone(), Arc::clone(&found.passage));
        }
    }
}

#[async_trait]
impl Search for Generation {
    async fn dense(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        let Some(filter) = self.narrowed(filter) else { return Ok(Vec::new()) };
        let found = self.inner.dense(vector, &filter, limit).await?;
        self.note(found.iter().map(|(found, _)| found));
        Ok(found)
    }

    async fn lexical(
        &self,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Found>, Unavailable> {
        let Some(filter) = self.narrowed(filter) else { return Ok(Vec::new()) };
        let found = self.inner.lexical(terms, &filter, limit).await?;
        self.note(found.iter());
        Ok(found)
    }
}

/// A thread that panicked while it held the notes left them whole: each change is one step.
fn lock(notes: &Mutex<Notes>) -> std::sync::MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}
