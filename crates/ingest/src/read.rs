//! Reads the texts of a shop folder, file by file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_language::Lang;

use crate::error::{IngestError, LARGEST, SkipReason, Skipped};
use crate::folder::{self, DOCUMENTS, Kind, Listed};
use crate::{front_matter, markdown, plain};

/// What is read, and how. `documents/` always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The language of files that do not say theirs.
    pub language: Lang,
    /// Whether `reviews/` is read too; its passages are marked as customers' words.
    pub reviews: bool,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The passages, file after file, in the order of the text: `documents/` before `reviews/`,
    /// each sorted by path.
    pub passages: Vec<Passage>,
    /// How many files gave passages.
    pub files: usize,
    /// The files left out, in the same order.
    pub skipped: Vec<Skipped>,
}

/// A piece of a file, before it has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The headings above it, outermost first.
    pub(crate) headings: Vec<String>,
    pub(crate) text: String,
}

/// Reads `documents/` and, where asked, `reviews/` below `root`: `.md`, `.markdown` and `.txt` files.
///
/// `on_file` gets each file's path below the root, just before it is read. Passages are named
/// `path#n`: the path below `documents/` or `reviews/` without its extension, and the count from 1.
/// A file that cannot be used is left out and named; a link that leads out of its folder is not followed.
///
/// # Errors
/// A folder that is missing or cannot be read, two files whose passages would have the same names,
/// and a folder without any passage.
pub fn read_folder(
    root: &Path,
    options: &Options,
    on_file: &mut dyn FnMut(&Path),
) -> Result<Reading, IngestError> {
    let listing = folder::list(root, options.reviews)?;
    let mut reading = Reading { passages: Vec::new(), files: 0, skipped: listing.skipped };
    for listed in &listing.files {
        on_file(Path::new(&listed.file));
        match read_file(listed, options.language) {
            Ok(passages) => {
                reading.files += 1;
                reading.passages.extend(passages);
            }
            Err(reason) => reading.skipped.push(Skipped { file: listed.file.clone(), reason }),
        }
    }
    // By path, and `documents/` sorts before `reviews/`.
    reading.skipped.sort_by(|a, b| a.file.cmp(&b.file));
    if reading.passages.is_empty() {
        let folder = root.join(DOCUMENTS);
        return Err(IngestError::NothingToRead { folder, skipped: reading.skipped });
    }
    Ok(reading)
}

fn read_file(listed: &Listed, language: Lang) -> Result<Vec<Passage>, SkipReason> {
    let text = clean(&load(&listed.path)?);
    if text.trim().is_empty() {
        return Err(SkipReason::Empty);
    }
    let mut language = language;
    let mut trust = listed.trust;
    let pieces = match listed.kind {
        Kind::Plain => plain::pieces(&text),
        Kind::Markdown => {
            let (front, body) = front_matter::take_off(&text, listed.trust)?;
            language = front.language.unwrap_or(language);
            trust = front.trust.unwrap_or(trust);
            markdown::pieces(body, front.title.as_deref())
        }
    };
    let passages: Vec<Passage> = pieces
        .into_iter()
        .zip(1..)
        .filter_map(|(piece, n)| named(piece, n, listed, language, trust))
        .collect();
    if passages.is_empty() { Err(SkipReason::NoPassage) } else { Ok(passages) }
}

fn named(piece: Piece, n: usize, listed: &Listed, language: Lang, trust: Trust) -> Option<Passage> {
    Some(Passage {
        // The stem holds only what a name may hold.
        source: SourceId::new(format!("{}#{n}", listed.id)).ok()?,
        headings: piece.headings,
        text: piece.text,
        file: listed.file.clone(),
        language,
        trust,
    })
}

fn load(path: &Path) -> Result<String, SkipReason> {
    let failed = |error: std::io::Error| folder::unreadable(&error);
    let file = File::open(path).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    let mut data = Vec::new();
    // One byte more than allowed shows that the file has grown since.
    file.take(LARGEST + 1).read_to_end(&mut data).map_err(failed)?;
    if data.len() as u64 > LARGEST {
        return Err(SkipReason::TooLarge { bytes: bytes.max(data.len() as u64) });
    }
    String::from_utf8(data).map_err(|error| {
        let good = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        SkipReason::NotUtf8 { line: good.filter(|byte| **byte == b'\n').count() + 1 }
    })
}

/// The text without byte order mark and control characters; every line break is `\n`.
fn clean(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).replace("\r\n", "\n");
    let line = |c| {
        if matches!(c, '\r' | '\u{B}' | '\u{C}' | '\u{85}') { '\n' } else { c }
    };
    text.chars().map(line).filter(|c| !c.is_control() || matches!(c, '\t' | '\n')).collect()
}

/// Whether a text says anything: it has a letter or a digit.
pub(crate) fn says_something(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_line_breaks_are_one_kind() {
        assert_eq!(clean("\u{FEFF}a\u{0}b\r\nc\rd\u{C}e\tf\u{7F}\u{9B}"), "ab\nc\nd\ne\tf");
    }
}
