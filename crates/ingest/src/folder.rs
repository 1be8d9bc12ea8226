//! The files of a shop folder that hold its texts.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mostrador_answer::passage::Trust;
use unicode_normalization::UnicodeNormalization;

use crate::error::{IngestError, LARGEST, SkipReason, Skipped};

/// How a file is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Markdown,
    Plain,
    Html,
    Rows,
    JsonLines,
    Docx,
    Pdf,
}

impl Kind {
    /// The largest file of the kind that is read, in bytes: what is read bit by bit or by itself may be larger
    /// than what is held in memory as text.
    pub(crate) fn largest(self) -> u64 {
        match self {
            Kind::Markdown | Kind::Plain | Kind::Html => LARGEST,
            Kind::Docx | Kind::Pdf => 10 * LARGEST,
            Kind::Rows | Kind::JsonLines => 100 * LARGEST,
        }
    }
}

/// A file to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its path below the shop folder, with `/` between.
    pub(crate) file: String,
    /// What the names of its passages begin with.
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) trust: Trust,
}

/// What a shop folder holds: files to be read and files left out, each sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<Listed>,
    pub(crate) skipped: Vec<Skipped>,
}

/// The folder of the shop's own pages.
pub(crate) const DOCUMENTS: &str = "documents";

/// The folder of what outsiders wrote.
const REVIEWS: &str = "reviews";

/// The folder of the shop's dated facts.
const RECORDS: &str = "records";

/// Lists `documents/`, then `records/` where there is one, then, where asked, `reviews/`.
pub(crate) fn list(root: &Path, reviews: bool) -> Result<Listing, IngestError> {
    let mut listing = Listing::default();
    Walk::new(root, DOCUMENTS, "pages", Trust::Shop)?.whole(&mut listing)?;
    if root.join(RECORDS).exists() {
        Walk::new(root, RECORDS, "records", Trust::Shop)?.whole(&mut listing)?;
    }
    if reviews {
        Walk::new(root, REVIEWS, "reviews", Trust::Customer)?.whole(&mut listing)?;
    }
    unique(&listing.files)?;
    Ok(listing)
}

fn unique(files: &[Listed]) -> Result<(), IngestError> {
    let mut seen: BTreeMap<&str, &Listed> = BTreeMap::new();
    for listed in files {
        if let Some(first) = seen.insert(&listed.id, listed) {
            return Err(IngestError::DuplicateSource {
                id: listed.id.clone(),
                first: first.file.clone(),
                second: listed.file.clone(),
            });
        }
    }
    Ok(())
}

struct Walk<'a> {
    /// `documents`, `records` or `reviews`.
    top: &'a str,
    /// That folder.
    folder: PathBuf,
    /// The same without any links in its path: what a link may not lead out of.
    real: PathBuf,
    trust: Trust,
}

impl<'a> Walk<'a> {
    fn new(root: &Path, top: &'a str, what: &'static str, trust: Trust) -> Result<Self, IngestError> {
        let folder = root.join(top);
        let unreadable = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => IngestError::NoFolder { folder: folder.clone(), what },
            _ => IngestError::Unreadable { folder: folder.clone(), source },
        };
        let real = fs::canonicalize(&folder).map_err(unreadable)?;
        let real_root = fs::canonicalize(root).map_err(unreadable)?;
        if !real.starts_with(&real_root) {
            return Err(IngestError::LeadsOut { folder });
        }
        if !real.is_dir() {
            return Err(IngestError::NoFolder { folder, what });
        }
        Ok(Self { top, folder, real, trust })
    }

    fn whole(&self, listing: &mut Listing) -> Result<(), IngestError> {
        let mut found = Listing::default();
        let entries = fs::read_dir(&self.folder)
            .map_err(|source| IngestError::Unreadable { folder: self.folder.clone(), source })?;
        let top = Place { file: self.top.to_owned(), path: self.folder.clone() };
        // Folders wait in a list of their own, so that deep ones do not use up the stack.
        let mut folders = vec![(top, entries)];
        while let Some((place, entries)) = folders.pop() {
            for entry in entries {
                match entry {
                    Ok(entry) => self.entry(&place.below(&entry), &mut found, &mut folders),
                    Err(error) => found.skip(&place.file, unreadable(&error)),
                }
            }
        }
        found.files.sort_by(|a, b| a.file.cmp(&b.file));
        found.skipped.sort_by(|a, b| a.file.cmp(&b.file));
        listing.files.append(&mut found.files);
        listing.skipped.append(&mut found.skipped);
        Ok(())
    }

    fn entry(&self, place: &Place, found: &mut Listing, folders: &mut Vec<(Place, fs::ReadDir)>) {
        if place.name().starts_with('.') {
            return found.skip(&place.file, SkipReason::Hidden);
        }
        // Follows links: what matters is what they lead to.
        let data = match fs::metadata(&place.path) {
            Ok(data) => data,
            Err(error) => return found.skip(&place.file, unreadable(&error)),
        };
        if place.path.is_symlink()
            && let Err(reason) = self.link(place, data.is_dir())
        {
            return found.skip(&place.file, reason);
        }
        if data.is_dir() {
            match fs::read_dir(&place.path) {
                Ok(entries) => folders.push((place.clone(), entries)),
                Err(error) => found.skip(&place.file, unreadable(&error)),
            }
        } else if data.is_file() {
            match kind(place) {
                Ok(kind) => found.files.push(self.listed(place, kind)),
                Err(reason) => found.skip(&place.file, reason),
            }
        } else {
            found.skip(&place.file, SkipReason::NotAFile);
        }
    }

    /// Whether a link is read: one to a file that lies below the folder too.
    fn link(&self, place: &Place, to_folder: bool) -> Result<(), SkipReason> {
        let target = fs::canonicalize(&place.path).map_err(|error| unreadable(&error))?;
        if !target.starts_with(&self.real) {
            return Err(SkipReason::LeadsOut { folder: self.top.to_owned() });
        }
        // Following it would read files twice, and in a circle for ever.
        if to_folder { Err(SkipReason::LinkToFolder) } else { Ok(()) }
    }

    fn listed(&self, place: &Place, kind: Kind) -> Listed {
        let below = place.file.strip_prefix(self.top).and_then(|rest| rest.strip_prefix('/'));
        // Facts keep the name of their folder, so that no page is called as they are by chance.
        let below = if self.top == RECORDS { &place.file } else { below.unwrap_or(&place.file) };
        let stem = below.rsplit_once('.').map_or(below, |(stem, _)| stem);
        Listed {
            path: place.path.clone(),
            file: place.file.clone(),
            id: source_stem(stem),
            kind,
            trust: self.trust,
        }
    }
}

/// A path, and how it is named to people.
#[derive(Debug, Clone)]
struct Place {
    file: String,
    path: PathBuf,
}

impl Place {
    fn below(&self, entry: &fs::DirEntry) -> Self {
        let name = entry.file_name();
        Self { file: format!("{}/{}", self.file, name.to_string_lossy()), path: entry.path() }
    }

    fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

impl Listing {
    fn skip(&mut self, file: &str, reason: SkipReason) {
        self.skipped.push(Skipped { file: file.to_owned(), reason });
    }
}

pub(crate) fn unreadable(error: &io::Error) -> SkipReason {
    SkipReason::Unreadable { detail: error.to_string() }
}

fn kind(place: &Place) -> Result<Kind, SkipReason> {
    let extension = place.name().rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    match extension.as_str() {
        "md" | "markdown" => Ok(Kind::Markdown),
        "txt" => Ok(Kind::Plain),
        "html" | "htm" | "xhtml" => Ok(Kind::Html),
        "csv" | "tsv" => Ok(Kind::Rows),
        "jsonl" | "ndjson" => Ok(Kind::JsonLines),
        "docx" => Ok(Kind::Docx),
        "pdf" => Ok(Kind::Pdf),
        "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "avif" | "ico" | "css" | "js" => {
            Err(SkipReason::NoText { extension })
        }
        _ => Err(SkipReason::Unsupported { extension }),
    }
}

/// The name of a file as it may stand in the name of a passage: composed, so that it is the same
/// on every file system, and with `-` for what may not stand there.
pub(crate) fn source_stem(stem: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    stem.nfc().map(|c| if fits(c) { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_answer::passage::SourceId;

    #[test]
    fn any_file_name_gives_a_name_for_passages() {
        for (stem, id) in [
            ("returns", "returns"),
            ("guías/envío a casa", "guías/envío-a-casa"),
            ("envi\u{301}o", "envío"),
            ("a#1]\"<b>", "a-1---b-"),
            ("v1.2", "v1.2"),
        ] {
            assert_eq!(source_stem(stem), id);
            assert!(SourceId::new(format!("{id}#1")).is_ok());
        }
    }
}
