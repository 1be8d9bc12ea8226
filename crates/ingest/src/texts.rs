//! The texts of a shop folder one file at a time, for who keeps them and reads again only what changed.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::passage::Passage;
use sha2::{Digest, Sha256};

use crate::error::{IngestError, SkipReason, Skipped};
use crate::fingerprint::READER;
use crate::folder::{self, DOCUMENTS, Listed};
use crate::options::Options;
use crate::read::{Event, Reader, Summary};

/// The files of a shop folder that hold texts, in order: `documents/`, `records/`, `reviews/`, each sorted by
/// path. What was left out while listing is in [`Texts::skipped`].
pub struct Texts {
    root: PathBuf,
    options: Options,
    files: Vec<Listed>,
    taken: Arc<HashSet<String>>,
    skipped: Vec<Skipped>,
}

/// A file with its place in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a>(&'a Listed);

impl Texts {
    /// Lists the folder; nothing in it is read yet.
    ///
    /// # Errors
    /// A folder that is missing or cannot be read, and two files whose passages would have the same names.
    pub fn list(root: &Path, options: &Options) -> Result<Self, IngestError> {
        let listing = folder::list(root, options.reviews)?;
        let taken = listing.files.iter().map(|listed| listed.id.clone()).collect();
        let (root, options) = (root.to_owned(), options.clone());
        Ok(Self { root, options, files: listing.files, taken: Arc::new(taken), skipped: listing.skipped })
    }

    /// What was left out, sorted by path.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The files in order.
    pub fn files(&self) -> impl ExactSizeIterator<Item = Text<'_>> {
        self.files.iter().map(Text)
    }

    /// What the passages of a file depend on beside its bytes: when this changes it is read again. A shop's
    /// own packs and the time of reading are not in it.
    #[must_use]
    pub fn settings(&self) -> String {
        let Options { language, reviews, target, program, .. } = &self.options;
        format!("{READER} {language} {reviews} {target} {}", program.is_some())
    }

    /// Begins to read a file.
    #[must_use]
    pub fn read(&self, text: Text<'_>) -> TextReader {
        let reader = Reader::of_file(&self.root, &self.options, text.0.clone(), Arc::clone(&self.taken));
        TextReader(reader)
    }

    /// That no file gave a passage.
    #[must_use]
    pub fn nothing(&self, skipped: Vec<Skipped>) -> IngestError {
        IngestError::NothingToRead { folder: self.root.join(DOCUMENTS), skipped }
    }
}

impl Text<'_> {
    /// Its path below the shop folder, with `/` between.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The SHA-256 of its bytes.
    ///
    /// # Errors
    /// Why it cannot be read; nothing is read of one that is too large.
    pub fn content(&self) -> Result<String, SkipReason> {
        let hashed = || -> io::Result<Option<String>> {
            let mut file = File::open(&self.0.path)?;
            if file.metadata()?.len() > self.0.kind.largest() {
                return Ok(None);
            }
            let mut hash = Sha256::new();
            io::copy(&mut file, &mut hash)?;
            Ok(Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
        };
        // Reading it gives the reason in full.
        hashed().map(Option::unwrap_or_default).map_err(|error| folder::unreadable(&error))
    }
}

/// The passages of one file, in order, those that say the same as an earlier one included.
pub struct TextReader(Reader);

impl Iterator for TextReader {
    type Item = Passage;

    fn next(&mut self) -> Option<Passage> {
        loop {
            match self.0.next()? {
                Event::Passage(passage) => return Some(*passage),
                Event::File(_) | Event::Same { .. } => {}
            }
        }
    }
}

impl TextReader {
    /// Reads on to the end: what was left out of the file, and what is to be told of it.
    #[must_use]
    pub fn finish(self) -> Summary {
        self.0.rest()
    }
}
