//! From the shop's files to what is searched: read, embedded, kept, and read again only when changed.

use std::path::Path;

use mostrador_answer::passage::{Passage, Trust};
use mostrador_answer::ports::{Clock, EmbedAs};
use mostrador_ingest::{Note, Options, Skipped, fingerprint, read_folder};
use mostrador_store::Store;
use sha2::{Digest, Sha256};

use crate::adapters::SystemClock;
use crate::embedder::embedder;
use crate::error::ShopError;
use crate::folder::Shop;

/// A passage with its vector, where there is an embedder.
pub type Entry = (Passage, Option<Vec<f32>>);

/// What is searched, and how it came about.
#[derive(Debug)]
pub struct Index {
    /// The passages, in the order of the documents.
    pub entries: Vec<Entry>,
    /// Files read; `None` where the kept passages were still good.
    pub files: Option<usize>,
    /// Files passed over, with the reason; empty where nothing was read.
    pub skipped: Vec<Skipped>,
    /// Files read as something their owner may not know of; empty where nothing was read.
    pub notes: Vec<Note>,
    /// A hash of what the passages say.
    pub content: String,
}

impl Index {
    fn new(entries: Vec<Entry>) -> Self {
        let content = content_hash(&entries);
        Self { entries, files: None, skipped: Vec::new(), notes: Vec::new(), content }
    }

    /// Whether a file that may have held text for customers was passed over; a picture does not count.
    #[must_use]
    pub fn loses_text(&self) -> bool {
        self.skipped.iter().any(|skipped| skipped.reason.loses_text())
    }
}

fn options(shop: &Shop) -> Options {
    Options {
        reviews: shop.config().retrieval.reviews,
        packs: shop.packs().clone(),
        // The program reads a PDF in a process of its own.
        program: std::env::current_exe().ok(),
        ..Options::new(shop.language())
    }
}

/// Reads and embeds all documents. `on_file` is told of each file before it is read. Passages do not say when
/// they were read, so that the same files give the same index.
///
/// # Errors
/// [`ShopError`] where there are no documents, two have one name, or they cannot be embedded.
pub async fn read(shop: &Shop, on_file: &mut dyn FnMut(&Path)) -> Result<Index, ShopError> {
    read_as(shop, &options(shop), on_file).await
}

async fn read_as(shop: &Shop, options: &Options, on_file: &mut dyn FnMut(&Path)) -> Result<Index, ShopError> {
    let mut reading = read_folder(shop.root(), options, on_file)?;
    if !shop.config().retrieval.reviews {
        // A page among the documents may be marked as an outsider's too.
        reading.passages.retain(|passage| passage.trust == Trust::Shop);
    }
    let vectors: Vec<Option<Vec<f32>>> = match embedder(shop)? {
        None => vec![None; reading.passages.len()],
        Some(embedder) => {
            let texts: Vec<&str> = reading.passages.iter().map(|passage| passage.text.as_str()).collect();
            embedder.embed(&texts, EmbedAs::Passage).await?.into_iter().map(Some).collect()
        }
    };
    let entries = reading.passages.into_iter().zip(vectors).collect();
    let (files, skipped, notes) = (Some(reading.files), reading.skipped, reading.notes);
    Ok(Index { files, skipped, notes, ..Index::new(entries) })
}

/// Reads all documents and makes them the current generation of the store.
///
/// # Errors
/// As [`read`], and where the store cannot be written; the generation before then stays.
pub async fn rebuild(shop: &Shop, store: &Store, on_file: &mut dyn FnMut(&Path)) -> Result<Index, ShopError> {
    // Taken first: a file that changes while it is read makes the generation stale, never wrong for good.
    let now = stamp(shop)?;
    let options = Options { read_at: Some(SystemClock.now().0), ..options(shop) };
    let index = read_as(shop, &options, on_file).await?;
    store.replace_passages(&now, &embedder_id(shop)?, &index.entries).await?;
    Ok(index)
}

/// The current generation, rebuilt first where files or settings have changed since.
///
/// # Errors
/// As [`rebuild`].
pub async fn current(shop: &Shop, store: &Store, on_file: &mut dyn FnMut(&Path)) -> Result<Index, ShopError> {
    let kept = store.current_generation().await?;
    if kept.is_some_and(|kept| stamp(shop).is_ok_and(|now| now == kept.fingerprint)) {
        return Ok(Index::new(store.load_passages().await?));
    }
    rebuild(shop, store, on_file).await
}

fn embedder_id(shop: &Shop) -> Result<String, ShopError> {
    Ok(embedder(shop)?.map_or_else(|| "none".to_owned(), |embedder| embedder.id()))
}

/// What the kept passages depend on: the files, how they are read, and what embeds them.
fn stamp(shop: &Shop) -> Result<String, ShopError> {
    let options = options(shop);
    let files = fingerprint(shop.root(), &options)?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(format!("{version} {} {} {} {files}", options.language, options.reviews, embedder_id(shop)?))
}

fn content_hash(entries: &[Entry]) -> String {
    let mut hash = Sha256::new();
    for (passage, _) in entries {
        let trust = match passage.trust {
            Trust::Shop => "shop",
            Trust::Customer => "customer",
        };
        let day = |day: &Option<String>| day.clone().unwrap_or_default();
        let (date, valid_until) = (day(&passage.date), day(&passage.valid_until));
        let what =
            [passage.source.as_str(), trust, passage.language.code(), &passage.text, &date, &valid_until];
        for part in what {
            add(&mut hash, part);
        }
        add(&mut hash, &passage.headings.join("\n"));
    }
    hex(&hash.finalize())
}

/// Adds a part with its length before it, so that two parts never read as two others.
pub(crate) fn add(hash: &mut Sha256, part: &str) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part.as_bytes());
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
