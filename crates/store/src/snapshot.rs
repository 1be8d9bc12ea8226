//! What is searched: passages, words and vectors of one state of the documents, in a folder or in memory.

mod bytes;

mod words;

mod vectors;

mod records;

mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use mostrador_answer::passage::{Passage, Similarity};
use mostrador_answer::ports::{self, Filter, Found, Search, Unavailable};
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};
use tantivy::TantivyError;

use bytes::Sum;
use records::Records;
use vectors::Vectors;
use words::Words;

pub(crate) use bytes::hex;
pub use writer::SnapshotWriter;

/// Goes up when the files of a folder mean something else; an older folder is made anew.
const FORMAT: u32 = 1;

const MANIFEST: &str = "manifest.json";
const WORDS: &str = "words";

/// Folders up to this size are compared with their checksums whenever they are opened.
const SMALL: u64 = 4 * 1024 * 1024;

/// Up to this many passages a search is over sooner than another thread would have begun it.
const AT_ONCE: usize = 2_000;

/// The folder of a shop's dated facts.
const RECORDS: &str = "records";

/// What a snapshot is a snapshot of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The embedder its vectors are by; `none` where there is none.
    pub embedder: String,
    /// A hash of what its passages say.
    pub corpus: String,
}

/// Written last: a folder without it is unfinished.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    about: About,
    dimension: usize,
    passages: usize,
    files: Vec<Sum>,
}

/// Passages that can be searched, and never change. Clones share them.
#[derive(Clone)]
pub struct Snapshot(Arc<Inner>);

struct Inner {
    about: About,
    records: Records,
    /// `None` where there is no passage.
    words: Option<Words>,
    vectors: Vectors,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("about", &self.0.about).field("passages", &self.len()).finish()
    }
}

impl Snapshot {
    /// Opens a folder. `whole`: whether all checksums are compared, whatever the size; sizes always are.
    ///
    /// # Errors
    /// What is missing or does not fit. Nothing in the folder can cause a panic.
    pub fn open(folder: &Path, whole: bool) -> io::Result<Self> {
        let manifest: Manifest = serde_json::from_slice(&std::fs::read(folder.join(MANIFEST))?)?;
        let bad = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        if manifest.format != FORMAT {
            return Err(bad(format!("its format is {}, this program's is {FORMAT}", manifest.format)));
        }
        let whole =
            whole || manifest.files.iter().map(|file| file.bytes).fold(0, u64::saturating_add) <= SMALL;
        for file in &manifest.files {
            if !file.holds(folder, whole)? {
                return Err(bad(format!("{} is not as it was written", file.name)));
            }
        }
        let words = match manifest.passages {
            0 => None,
            _ => Some(Words::open(&folder.join(WORDS)).map_err(words_error)?),
        };
        let records = Records::open(folder)?;
        let vectors = Vectors::open(folder, manifest.dimension)?;
        let count = manifest.passages as u64;
        let fit = records.len() == manifest.passages
            && records.fit()
            && vectors.fit(count)
            && words.as_ref().map_or(0, Words::len) == count;
        if !fit {
            return Err(bad("its files do not fit each other".to_owned()));
        }
        Ok(Self(Arc::new(Inner { about: manifest.about, records, words, vectors })))
    }

    /// What it is a snapshot of.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.0.about
    }

    /// The length of its vectors; 0 where it has none.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.0.vectors.dimension()
    }

    /// How many passages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many passages fit.
    #[must_use]
    pub fn count(&self, filter: &Filter) -> usize {
        let fitting = self.0.records.fitting(filter);
        fitting.map_or(self.len(), |fits| fits.iter().filter(|fits| **fits).count())
    }

    /// The passages in the order of the documents, each read when it is asked for.
    ///
    /// # Errors
    /// Each where it cannot be read.
    pub fn passages(&self) -> impl Iterator<Item = Result<Arc<Passage>, Unavailable>> + '_ {
        (0..self.len()).map(|number| {
            let number = u32::try_from(number).map_err(away)?;
            Ok(self.0.records.found(number).map_err(away)?.passage)
        })
    }

    /// Runs a search where it holds up nobody.
    async fn run<T: Send + 'static>(
        &self,
        search: impl FnOnce(&Inner) -> Result<T, Unavailable> + Send + 'static,
    ) -> Result<T, Unavailable> {
        if self.len() <= AT_ONCE {
            return search(&self.0);
        }
        let inner = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || search(&inner)).await.map_err(away)?
    }
}

impl Inner {
    fn dense(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        let fits = self.records.fitting(filter);
        let near = self.vectors.find(vector, fits.as_deref(), limit).map_err(away)?;
        near.into_iter().map(|(number, near)| Ok((self.found(number)?, near))).collect()
    }

    fn lexical(&self, terms: &[String], filter: &Filter, limit: usize) -> Result<Vec<Found>, Unavailable> {
        let Some(words) = &self.words else {
            return Ok(Vec::new());
        };
        let fits = self.records.fitting(filter);
        let found = words.find(terms, fits.as_deref(), limit).map_err(away)?;
        found.into_iter().map(|number| self.found(number)).collect()
    }

    fn found(&self, number: u32) -> Result<Found, Unavailable> {
        self.records.found(number).map_err(away)
    }
}

fn away(error: impl std::fmt::Display) -> Unavailable {
    Unavailable::new("index", format!("{error}; index the shop again"))
}

fn words_error(error: TantivyError) -> io::Error {
    io::Error::other(error)
}

#[async_trait]
impl Search for Snapshot {
    async fn dense(
        &self,
        vector: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Found, Similarity)>, Unavailable> {
        let (asked, there) = (vector.len(), self.dimension());
        if asked > 0 && there > 0 && asked != there {
            return Err(Unavailable::new(
                "index",
                format!(
                    "the vector of the question has {asked} numbers, those of the passages have {there}; \
                     index again with the embedder in use"
                ),
            ));
        }
        let (vector, filter) = (vector.to_vec(), filter.clone());
        self.run(move |inner| inner.dense(&vector, &filter, limit)).await
    }

    async fn lexical(
        &self,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Found>, Unavailable> {
        let (terms, filter) = (terms.to_vec(), filter.clone());
        self.run(move |inner| inner.lexical(&terms, &filter, limit)).await
    }
}

#[async_trait]
impl ports::Records for Snapshot {
    async fn newest(
        &self,
        languages: &[Lang],
        today: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Passage>>, Unavailable> {
        let filter =
            Filter { languages: languages.to_vec(), today: Some(today.to_owned()), ..Filter::default() };
        self.run(move |inner| {
            let newest = inner.records.newest(RECORDS, &filter, limit);
            newest.into_iter().map(|number| Ok(inner.found(number)?.passage)).collect()
        })
        .await
    }
}
