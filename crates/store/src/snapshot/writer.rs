//! Makes a snapshot, passage by passage; on disk it outlives a power cut once it is finished.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::passage::Passage;
use mostrador_language::Pack;

use super::bytes::Sum;
use super::records::RecordsWriter;
use super::vectors::VectorsWriter;
use super::words::WordsWriter;
use super::{About, FORMAT, Inner, MANIFEST, Manifest, Snapshot, WORDS, words_error};

/// Takes passages in the order of the documents.
pub struct SnapshotWriter {
    folder: Option<PathBuf>,
    words: WordsWriter,
    vectors: VectorsWriter,
    records: RecordsWriter,
    count: usize,
}

impl SnapshotWriter {
    /// In a new folder, or in memory where none is named.
    ///
    /// # Errors
    /// A folder that is there already or cannot be made.
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let words = folder.map(|folder| folder.join(WORDS));
        if let (Some(folder), Some(words)) = (folder, &words) {
            fs::create_dir(folder)?;
            fs::create_dir(words)?;
        }
        Ok(Self {
            folder: folder.map(Path::to_owned),
            words: WordsWriter::new(words.as_deref()).map_err(words_error)?,
            vectors: VectorsWriter::new(folder)?,
            records: RecordsWriter::new(folder)?,
            count: 0,
        })
    }

    /// Adds a passage, analysed by the pack of its language: headings and text. `vector`: empty where it has
    /// none, and then it is found by its words alone.
    ///
    /// # Errors
    /// A vector of another length than those before, and what the disk says.
    pub fn add(&mut self, passage: &Passage, vector: &[f32], pack: &Pack) -> io::Result<()> {
        let there = self.vectors.dimension();
        if there > 0 && !vector.is_empty() && vector.len() != there {
            let (source, length) = (&passage.source, vector.len());
            let what = format!("the vector of {source} has {length} numbers, those before it have {there}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let text = searched(passage);
        self.words.add(pack.index_terms(&text)).map_err(words_error)?;
        self.records.add(passage, &pack.content_stems(&text))?;
        self.vectors.add(vector)?;
        self.count += 1;
        Ok(())
    }

    /// The length of the vectors so far; 0 where there are none.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.vectors.dimension()
    }

    /// Finishes it: every file is on the disk before the manifest is, and the manifest before this returns.
    ///
    /// # Errors
    /// What the disk says.
    pub fn finish(self, about: About) -> io::Result<Snapshot> {
        let words = self.words.finish().map_err(words_error)?;
        let (records, of_records) = self.records.finish()?;
        let (vectors, of_vectors) = self.vectors.finish()?;
        if let Some(folder) = &self.folder {
            let mut files: Vec<Sum> = of_records.into_iter().chain(of_vectors).collect();
            files.extend(word_files(folder)?);
            let dimension = vectors.dimension();
            let manifest =
                Manifest { format: FORMAT, about: about.clone(), dimension, passages: self.count, files };
            let file = folder.join(MANIFEST);
            fs::write(&file, serde_json::to_vec_pretty(&manifest)?)?;
            File::open(&file)?.sync_all()?;
            sync_folder(&folder.join(WORDS))?;
            sync_folder(folder)?;
            if let Some(parent) = folder.parent() {
                sync_folder(parent)?;
            }
        }
        let words = (self.count > 0).then_some(words);
        Ok(Snapshot(Arc::new(Inner { about, records, words, vectors })))
    }
}

/// The files tantivy needs; its locks are none of them.
fn word_files(folder: &Path) -> io::Result<Vec<Sum>> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder.join(WORDS))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".lock") {
            names.push(format!("{WORDS}/{name}"));
        }
    }
    names.sort();
    names.into_iter().map(|name| Sum::of(folder, name)).collect()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere a folder cannot be opened, and its entries are written with the files.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The headings and the text of a passage.
fn searched(passage: &Passage) -> String {
    let mut text = passage.headings.join("\n");
    text.push('\n');
    text.push_str(&passage.text);
    text
}
