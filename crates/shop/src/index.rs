//! From the shop's files to what is searched: read, kept, embedded, and read again only when changed.

use std::path::{Path, PathBuf};

use mostrador_answer::passage::Trust;
use mostrador_answer::ports::{Clock, Embed};
use mostrador_ingest::{Note, Options, SkipReason, Skipped, Text, Texts, fingerprint, same_key};
use mostrador_store::{
    Assembled, Assembly, BATCH, FileId, Generation, IndexLock, Snapshot, Store, StoreError, StoredIndex,
};
use sha2::{Digest, Sha256};

use crate::adapters::SystemClock;
use crate::embedder::embedder;
use crate::error::ShopError;
use crate::folder::Shop;

/// The id of no embedder.
pub const NO_EMBEDDER: &str = "none";

/// What is searched, and how it came about.
#[derive(Debug, Default, Clone)]
pub struct Index {
    /// Files looked at; `None` where the kept generation was still good.
    pub files: Option<usize>,
    /// Of them, those that had not changed and were not read again.
    pub unchanged: usize,
    /// Passages that are searched.
    pub passages: u64,
    /// Passages that said what an earlier one says.
    pub duplicates: u64,
    /// Texts embedded.
    pub embedded: u64,
    /// Texts whose vectors were known.
    pub cached: u64,
    /// Files passed over, with the reason; empty where nothing was read.
    pub skipped: Vec<Skipped>,
    /// Files read as something their owner may not know of; empty where nothing was read.
    pub notes: Vec<Note>,
    /// What else the operator should know, such as that a damaged index was made anew.
    pub warnings: Vec<String>,
    /// A hash of what the passages say.
    pub content: String,
}

impl Index {
    /// Whether a file that may have held text for customers was passed over; a picture does not count.
    #[must_use]
    pub fn loses_text(&self) -> bool {
        self.skipped.iter().any(|skipped| skipped.reason.loses_text())
    }

    fn kept(generation: &Generation) -> Self {
        let (passages, content) = (generation.passages, generation.corpus.clone());
        Self { passages, content, ..Self::default() }
    }
}

/// What happens while an index is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// A file is looked at.
    File(&'a Path),
    /// So many passages of so many are in the new index.
    Passages(u64, u64),
}

/// Told of each step.
pub type OnStep<'a> = dyn FnMut(Step<'_>) + Send + 'a;

/// The folder of the generations.
#[must_use]
pub fn index_folder(root: &Path) -> PathBuf {
    root.join("state").join("index")
}

/// The name of an embedder in an index.
#[must_use]
pub fn embedder_id(embed: Option<&dyn Embed>) -> String {
    embed.map_or_else(|| NO_EMBEDDER.to_owned(), Embed::id)
}

/// Whether an index by this embedder is made by the way, when a question is asked: only where it takes neither
/// a model nor a service.
fn by_the_way(embedder: &str) -> bool {
    embedder == NO_EMBEDDER || embedder.starts_with("axes:")
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

/// Reads and embeds all documents into memory. Passages do not say when they were read, so that the same files
/// give the same index.
///
/// # Errors
/// [`ShopError`] where there are no documents, two have one name, or they cannot be embedded.
pub async fn read(
    shop: &Shop,
    store: &Store,
    embed: Option<&dyn Embed>,
    on_step: &mut OnStep<'_>,
) -> Result<(Index, Snapshot), ShopError> {
    build(shop, store, embed, None, None, on_step).await
}

/// Brings the index of the store up to date: reads files that changed, embeds texts that are new, and makes the
/// whole the current generation. `wait`: whether to wait for another process that does the same.
///
/// # Errors
/// As [`read`], where the store cannot be written, and [`StoreError::Indexing`]; the generation before then
/// stays.
pub async fn rebuild(
    shop: &Shop,
    store: &Store,
    embed: Option<&dyn Embed>,
    on_step: &mut OnStep<'_>,
) -> Result<Index, ShopError> {
    let folder = index_folder(shop.root());
    let Some(lock) = IndexLock::take(&folder)? else {
        return Err(StoreError::Indexing.into());
    };
    locked(shop, store, embed, &lock, on_step).await
}

async fn locked(
    shop: &Shop,
    store: &Store,
    embed: Option<&dyn Embed>,
    _: &IndexLock,
    on_step: &mut OnStep<'_>,
) -> Result<Index, ShopError> {
    let folder = index_folder(shop.root());
    store.tidy(Some(&folder)).await?;
    let now = SystemClock.now().0;
    let (index, _) = build(shop, store, embed, Some(&folder), Some(now), on_step).await?;
    store.tidy(Some(&folder)).await?;
    Ok(index)
}

/// The current generation, brought up to date first where files or settings have changed since and that takes
/// no more than reading.
///
/// # Errors
/// As [`rebuild`]; [`StoreError::OtherEmbedder`] and [`StoreError::NotIndexed`] where a model would have to
/// embed the texts, which is done by `mostrador index` alone.
pub async fn current(
    shop: &Shop,
    store: &Store,
    stored: &StoredIndex,
    embed: Option<&dyn Embed>,
    on_step: &mut OnStep<'_>,
) -> Result<Index, ShopError> {
    let now = embedder_id(embed);
    let kept = store.current_generation().await?;
    let stamped = stamped(shop, &now);
    let changed = |kept: &Generation| stamped.as_ref().map_or(true, |stamp| *stamp != kept.fingerprint);
    let folder = index_folder(shop.root());
    let Some(kept) = kept else {
        if !by_the_way(&now) {
            return Err(StoreError::NotIndexed { now }.into());
        }
        let lock = IndexLock::wait(&folder).await?;
        // Whoever held the lock may have made it.
        if let Some(kept) = store.current_generation().await?.filter(|kept| !changed(kept)) {
            return Ok(Index::kept(&kept));
        }
        return locked(shop, store, embed, &lock, on_step).await;
    };
    if !by_the_way(&now) {
        if kept.embedder != now {
            return Err(StoreError::OtherEmbedder { had: kept.embedder, now }.into());
        }
        let mut index = match stored.snapshot().await {
            Ok(_) => Index::kept(&kept),
            Err(damage) => mended(shop, store, embed, &damage.detail, on_step).await?,
        };
        if changed(&kept) {
            let root = shop.root().display();
            index.warnings.push(format!(
                "documents or settings have changed since they were indexed; run `mostrador index {root}`"
            ));
        }
        return Ok(index);
    }
    if changed(&kept) {
        return match IndexLock::take(&folder)? {
            Some(lock) => locked(shop, store, embed, &lock, on_step).await,
            // Another process is at it: what is there is good until it is done, unless it is by another embedder.
            None if kept.embedder == now => Ok(Index::kept(&kept)),
            None => {
                let lock = IndexLock::wait(&folder).await?;
                locked(shop, store, embed, &lock, on_step).await
            }
        };
    }
    match stored.snapshot().await {
        Ok(_) => Ok(Index::kept(&kept)),
        Err(damage) => mended(shop, store, embed, &damage.detail, on_step).await,
    }
}

/// The index made anew from the passages that are kept, without reading a file.
async fn mended(
    shop: &Shop,
    store: &Store,
    embed: Option<&dyn Embed>,
    damage: &str,
    on_step: &mut OnStep<'_>,
) -> Result<Index, ShopError> {
    let folder = index_folder(shop.root());
    let _lock = IndexLock::wait(&folder).await?;
    let Some(kept) = store.current_generation().await? else {
        return Err(StoreError::NotIndexed { now: embedder_id(embed) }.into());
    };
    let files = store.generation_files(kept.id).await?;
    let assembly = Assembly {
        fingerprint: &kept.fingerprint,
        files: &files,
        embedder: &kept.embedder,
        embed,
        packs: shop.packs(),
        folder: Some(&folder),
    };
    let assembled = store.assemble(&assembly, &mut |done, all| on_step(Step::Passages(done, all))).await?;
    store.tidy(Some(&folder)).await?;
    let mut index = Index::kept(&assembled.generation);
    index
        .warnings
        .push(format!("the index was damaged ({damage}); it was made anew from the texts that are kept"));
    Ok(index)
}

/// What the kept passages depend on, as far as it can be seen without reading contents: it changes when they do.
///
/// # Errors
/// [`ShopError`] where the folder cannot be listed or the embedder cannot be built.
pub fn stamp(shop: &Shop) -> Result<String, ShopError> {
    stamped(shop, &embedder_id(embedder(shop)?.as_deref()))
}

/// What the kept passages depend on: the files, how they are read, and what embeds them.
fn stamped(shop: &Shop, embedder: &str) -> Result<String, ShopError> {
    let options = options(shop);
    let files = fingerprint(shop.root(), &options)?;
    let version = env!("CARGO_PKG_VERSION");
    let packs = wording(shop);
    Ok(format!("{version} {} {} {embedder} {packs} {files}", options.language, options.reviews))
}

/// A hash of the shop's own packs: they say where sentences end and what a word is.
fn wording(shop: &Shop) -> String {
    let mut hash = Sha256::new();
    // The configuration is in the other parts of the stamp, as far as texts depend on it.
    for text in shop.written().skip(1) {
        add(&mut hash, text);
    }
    hex(&hash.finalize())
}

async fn build(
    shop: &Shop,
    store: &Store,
    embed: Option<&dyn Embed>,
    folder: Option<&Path>,
    read_at: Option<i64>,
    on_step: &mut OnStep<'_>,
) -> Result<(Index, Snapshot), ShopError> {
    let embedder = embedder_id(embed);
    // Taken first: a file that changes while it is read makes the generation stale, never wrong for good.
    let fingerprint = stamped(shop, &embedder)?;
    let texts = Texts::list(shop.root(), &Options { read_at, ..options(shop) })?;
    let mut index = Index { files: Some(0), skipped: texts.skipped().to_vec(), ..Index::default() };
    let settings = format!("{} {} {}", env!("CARGO_PKG_VERSION"), texts.settings(), wording(shop));
    let mut files: Vec<(FileId, String)> = Vec::new();
    for text in texts.files() {
        on_step(Step::File(Path::new(text.file())));
        if let Some(id) = keep(shop, store, &texts, text, &settings, &mut index).await? {
            files.push((id, text.file().to_owned()));
        }
    }
    index.files = Some(files.len());
    index.skipped.sort_by(|a, b| a.file.cmp(&b.file));
    let ids: Vec<FileId> = files.iter().map(|(id, _)| *id).collect();
    if ids.is_empty() {
        return Err(texts.nothing(index.skipped).into());
    }
    let assembly = Assembly {
        fingerprint: &fingerprint,
        files: &ids,
        embedder: &embedder,
        embed,
        packs: shop.packs(),
        folder,
    };
    let assembled = store.assemble(&assembly, &mut |done, all| on_step(Step::Passages(done, all))).await?;
    let Assembled { generation, snapshot, duplicates, embedded, cached, twice } = assembled;
    for (place, id) in twice {
        if let Some((_, file)) = files.get(place) {
            index.skipped.push(Skipped { file: file.clone(), reason: SkipReason::TwiceNamed { id } });
        }
    }
    (index.passages, index.duplicates) = (generation.passages, duplicates);
    (index.embedded, index.cached) = (embedded, cached);
    index.content = generation.corpus;
    Ok((index, snapshot))
}

/// Sees that the store has the passages of a file. `None`: it has none.
async fn keep(
    shop: &Shop,
    store: &Store,
    texts: &Texts,
    text: Text<'_>,
    settings: &str,
    index: &mut Index,
) -> Result<Option<FileId>, ShopError> {
    let content = match text.content() {
        Ok(content) => content,
        Err(reason) => {
            index.skipped.push(Skipped { file: text.file().to_owned(), reason });
            return Ok(None);
        }
    };
    if let Some(kept) = store.kept_file(text.file(), &content, settings).await? {
        index.unchanged += 1;
        return Ok(Some(kept));
    }
    let id = store.begin_file(text.file(), &content, settings).await?;
    let mut reader = texts.read(text);
    let mut batch = Vec::new();
    let mut count = 0;
    loop {
        let passage = reader.next();
        let ended = passage.is_none();
        // A page among the documents may be marked as an outsider's too.
        let wanted =
            passage.filter(|passage| shop.config().retrieval.reviews || passage.trust == Trust::Shop);
        if let Some(passage) = wanted {
            let same = same_key(&passage);
            batch.push((passage, same));
        }
        if batch.len() >= BATCH || (ended && !batch.is_empty()) {
            store.add_passages(id, count, &batch).await?;
            count += batch.len() as u64;
            batch.clear();
        }
        if ended {
            break;
        }
    }
    let summary = reader.finish();
    // Read again next time, so that what is wrong with it is said again.
    store.finish_file(id, !summary.skipped.is_empty() || !summary.notes.is_empty()).await?;
    index.notes.extend(summary.notes);
    index.skipped.extend(summary.skipped);
    Ok((count > 0).then_some(id))
}

/// Adds a part with its length before it, so that two parts never read as two others.
pub(crate) fn add(hash: &mut Sha256, part: &str) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part.as_bytes());
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
