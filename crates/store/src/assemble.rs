//! Makes a generation from files that are kept: duplicates found, texts embedded, the folder written, then current.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_answer::ports::{Embed, EmbedAs};
use mostrador_language::Packs;
use sha2::{Digest, Sha256};

use crate::files::{FileId, Kept};
use crate::generations::{Generation, GenerationId, generation_folder};
use crate::snapshot::{About, Snapshot, SnapshotWriter, hex};
use crate::{Store, StoreError};

/// Passages read and written at a time: what is held in memory.
const PAGE: i64 = 256;

/// Texts given to the embedder at a time.
const TEXTS: usize = 64;

/// What a generation is made of.
pub struct Assembly<'a> {
    /// The fingerprint of the documents.
    pub fingerprint: &'a str,
    /// Its files, in order, each finished.
    pub files: &'a [FileId],
    /// The embedder's id; `none` where there is none.
    pub embedder: &'a str,
    /// The embedder.
    pub embed: Option<&'a dyn Embed>,
    /// The packs that analyse the texts.
    pub packs: &'a Packs,
    /// The folder of generations; `None`: in memory.
    pub folder: Option<&'a Path>,
}

/// A generation that is current now.
#[derive(Debug)]
pub struct Assembled {
    /// Its record.
    pub generation: Generation,
    /// What is searched.
    pub snapshot: Snapshot,
    /// Passages that said what an earlier one says, and are named there.
    pub duplicates: u64,
    /// Texts embedded.
    pub embedded: u64,
    /// Texts whose vectors were known.
    pub cached: u64,
    /// Documents left out, since one of another file has their name: the file's number in order, and the name.
    pub twice: Vec<(usize, String)>,
}

/// What the texts say to each other.
#[derive(Default)]
struct Outlined {
    /// Passages that are left out.
    out: HashSet<i64>,
    /// The names of those that say what a passage says.
    also: HashMap<i64, Vec<SourceId>>,
    duplicates: u64,
    kept: u64,
    twice: Vec<(usize, String)>,
}

impl Store {
    /// Makes a generation and makes it current. Readers of the one before are not disturbed; a process that
    /// dies on the way leaves it whole. Only the holder of the lock may; `on_passages` is told how many
    /// passages of how many are done.
    ///
    /// # Errors
    /// [`StoreError`] where the database or the folder cannot be written or the texts cannot be embedded. The
    /// generation before then stays current; vectors made until then are kept.
    pub async fn assemble(
        &self,
        assembly: &Assembly<'_>,
        on_passages: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Assembled, StoreError> {
        let outlined = self.outline(assembly.files).await?;
        let id = self.begin_generation(assembly.files).await?;
        let folder = assembly.folder.map(|folder| generation_folder(folder, id));
        let fault = |source| StoreError::index(folder.as_deref().unwrap_or(Path::new("memory")), source);
        if let Some(parent) = assembly.folder {
            std::fs::create_dir_all(parent).map_err(fault)?;
        }
        let mut building = Building {
            store: self,
            assembly,
            id,
            writer: Some(SnapshotWriter::new(folder.as_deref()).map_err(fault)?),
            packs: Arc::new(assembly.packs.clone()),
            corpus: Sha256::new(),
            embedded: 0,
            cached: 0,
            done: 0,
        };
        let Outlined { out, mut also, duplicates, kept, twice } = outlined;
        for file in assembly.files {
            let mut after = -1;
            loop {
                let page = self.kept(*file, after, PAGE).await?;
                let Some(last) = page.last() else { break };
                after = last.n;
                let passages = page.into_iter().filter(|kept| !out.contains(&kept.id));
                let named = passages.map(|Kept { id, mut passage, .. }| {
                    passage.also = also.remove(&id).unwrap_or_default();
                    passage
                });
                building.add(named.collect()).await?;
                on_passages(building.done, kept);
            }
        }
        let Building { writer, corpus, embedded, cached, done, .. } = building;
        let writer = writer.ok_or_else(|| fault(io::ErrorKind::BrokenPipe.into()))?;
        let about = About { embedder: assembly.embedder.to_owned(), corpus: hex(&corpus.finalize()) };
        let generation = Generation {
            id,
            fingerprint: assembly.fingerprint.to_owned(),
            embedder: about.embedder.clone(),
            dimension: writer.dimension(),
            corpus: about.corpus.clone(),
            files: assembly.files.len() as u64,
            passages: done,
        };
        let finished = tokio::task::spawn_blocking(move || writer.finish(about)).await;
        let snapshot = finished.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(fault)?;
        self.make_current(&generation).await?;
        Ok(Assembled { generation, snapshot, duplicates, embedded, cached, twice })
    }

    /// Finds what is said twice and what is named twice, by keys alone.
    async fn outline(&self, files: &[FileId]) -> Result<Outlined, StoreError> {
        let mut found = Outlined::default();
        let mut first: HashMap<Vec<u8>, i64> = HashMap::new();
        let mut owners: HashMap<[u8; 16], usize> = HashMap::new();
        for (place, file) in files.iter().enumerate() {
            let mut after = -1;
            loop {
                let page = self.outlines(*file, after, 8 * PAGE).await?;
                let Some(last) = page.last() else { break };
                after = last.n;
                for outline in page {
                    let document = outline.source.split('#').next().unwrap_or_default();
                    let owner = owners.entry(half(document)).or_insert(place);
                    if *owner != place {
                        found.out.insert(outline.id);
                        if found.twice.last().is_none_or(|(_, name)| name != document) {
                            found.twice.push((place, document.to_owned()));
                        }
                        continue;
                    }
                    match first.entry(outline.same) {
                        Entry::Vacant(free) => {
                            free.insert(outline.id);
                            found.kept += 1;
                        }
                        Entry::Occupied(earlier) => {
                            let name = SourceId::new(outline.source)
                                .map_err(|error| self.damaged(error.to_string()))?;
                            found.also.entry(*earlier.get()).or_default().push(name);
                            found.out.insert(outline.id);
                            found.duplicates += 1;
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

/// Half of a SHA-256.
fn half(text: &str) -> [u8; 16] {
    Sha256::digest(text).first_chunk().copied().unwrap_or_default()
}

struct Building<'a> {
    store: &'a Store,
    assembly: &'a Assembly<'a>,
    id: GenerationId,
    /// Away while passages are being added.
    writer: Option<SnapshotWriter>,
    packs: Arc<Packs>,
    corpus: Sha256,
    embedded: u64,
    cached: u64,
    done: u64,
}

impl Building<'_> {
    async fn add(&mut self, passages: Vec<Passage>) -> Result<(), StoreError> {
        for passage in &passages {
            say(&mut self.corpus, passage);
        }
        self.done += passages.len() as u64;
        let vectors = match self.assembly.embed {
            Some(embed) => self.vectors(embed, &passages).await?,
            None => Vec::new(),
        };
        let fault = |source| StoreError::index(self.assembly.folder.unwrap_or(Path::new("memory")), source);
        let mut writer = self.writer.take().ok_or_else(|| fault(io::ErrorKind::BrokenPipe.into()))?;
        let packs = Arc::clone(&self.packs);
        // Analysing a page takes some milliseconds, which no other task should wait for.
        let added = tokio::task::spawn_blocking(move || {
            let mut vectors = vectors.into_iter();
            for passage in &passages {
                let vector = vectors.next().unwrap_or_default();
                writer.add(passage, &vector, packs.get(passage.language))?;
            }
            Ok(writer)
        });
        let added = added.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        self.writer = Some(added.map_err(fault)?);
        Ok(())
    }

    /// The vectors of passages, those of new texts made and kept.
    async fn vectors(
        &mut self,
        embed: &dyn Embed,
        passages: &[Passage],
    ) -> Result<Vec<Vec<f32>>, StoreError> {
        let embedder = self.assembly.embedder;
        let texts: Vec<String> = passages.iter().map(embedded_text).collect();
        let hashes: Vec<[u8; 32]> = texts.iter().map(|text| Sha256::digest(text).into()).collect();
        let mut known = self.store.cached_vectors(embedder, &hashes).await?;
        let mut missing: Vec<([u8; 32], &str)> = Vec::new();
        let mut asked = HashSet::new();
        for (hash, text) in hashes.iter().zip(&texts) {
            if !known.contains_key(hash) && asked.insert(hash) {
                missing.push((*hash, text));
            }
        }
        self.cached += known.len() as u64;
        for missing in missing.chunks(TEXTS) {
            let texts: Vec<&str> = missing.iter().map(|(_, text)| *text).collect();
            let vectors = embed.embed(&texts, EmbedAs::Passage).await?;
            let new: Vec<_> = missing.iter().map(|(hash, _)| *hash).zip(vectors).collect();
            self.store.cache_vectors(embedder, self.id, &new, &[]).await?;
            self.embedded += new.len() as u64;
            known.extend(new);
        }
        self.store.cache_vectors(embedder, self.id, &[], &hashes).await?;
        Ok(hashes.iter().map(|hash| known.get(hash).cloned().unwrap_or_default()).collect())
    }
}

/// What of a passage is embedded: its headings, then its text.
fn embedded_text(passage: &Passage) -> String {
    let mut text = passage.headings.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&passage.text);
    text
}

fn say(hash: &mut Sha256, passage: &Passage) {
    let trust = match passage.trust {
        Trust::Shop => "shop",
        Trust::Customer => "customer",
    };
    let day = |day: &Option<String>| day.clone().unwrap_or_default();
    let (date, valid_until) = (day(&passage.date), day(&passage.valid_until));
    let headings = passage.headings.join("\n");
    let (source, language) = (passage.source.as_str(), passage.language.code());
    // Each with its length before it, so that two parts never read as two others.
    for part in [source, trust, language, &passage.text, &date, &valid_until, &headings] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
}
