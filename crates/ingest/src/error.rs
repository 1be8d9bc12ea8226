//! What goes wrong with a file, which is then left out, or with the whole folder.

use std::fmt;
use std::path::PathBuf;

/// The largest text that is held in memory at once, in bytes: 10 MB.
pub(crate) const LARGEST: u64 = 10 * 1024 * 1024;

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path below the shop folder, with `/` between.
    pub file: String,
    /// Why.
    pub reason: SkipReason,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

/// How a file was read, where its owner may want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its path below the shop folder, with `/` between.
    pub file: String,
    /// The encoding it was taken to be in.
    pub encoding: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: read as {}; save it as UTF-8 if its letters come out wrong", self.file, self.encoding)
    }
}

/// Why a file, or a part of one, was left out; as text, with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Its name begins with a full stop.
    #[error("hidden; rename it without the leading full stop if customers should get answers from it")]
    Hidden,
    /// It is of a kind that holds no text.
    #[error("a .{extension} file holds no text; nothing to do")]
    NoText {
        /// Its extension, lower case.
        extension: String,
    },
    /// It is of a kind that is not read.
    #[error("{} is not read; save it as Markdown (.md), plain text (.txt), PDF or DOCX", FileOf(extension))]
    Unsupported {
        /// Its extension, lower case; empty where it has none.
        extension: String,
    },
    /// It could not be read.
    #[error("it cannot be read: {detail}; check that it exists and who may read it")]
    Unreadable {
        /// What the system said.
        detail: String,
    },
    /// It is neither a file nor a folder.
    #[error("it is neither a file nor a folder; take it out")]
    NotAFile,
    /// It is a link that leads out of the folder being read.
    #[error("a link that leads out of {folder}/; put the file itself there")]
    LeadsOut {
        /// The folder being read.
        folder: String,
    },
    /// It is a link to a folder beside it.
    #[error("a link to a folder whose files are read where they lie; nothing to do")]
    LinkToFolder,
    /// It is larger than what is read.
    #[error("{bytes} bytes are too many; split it into files of at most {most}")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The largest size of its kind.
        most: u64,
    },
    /// It is not encoded in UTF-8, nor surely in another encoding.
    #[error("not UTF-8 (line {line}), nor surely text in another encoding; save it as UTF-8")]
    NotUtf8 {
        /// The line of the first byte that is not, from 1.
        line: usize,
    },
    /// Much of it cannot be read.
    #[error(
        "{lost} characters in it are lost (shown as U+FFFD); save it again from where they were whole, as UTF-8"
    )]
    Garbled {
        /// How many.
        lost: usize,
    },
    /// It is no file of the kind its name says, or a damaged one.
    #[error("it cannot be read as {kind}: {detail}; open it, save it anew, or save it as Markdown")]
    Broken {
        /// What it should be.
        kind: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// It took longer than a file may.
    #[error("reading it took more than {seconds} seconds; split it, or save it as Markdown")]
    TooSlow {
        /// The limit.
        seconds: u64,
    },
    /// It is a PDF of pictures.
    #[error(
        "there is no text in it, only pictures of some perhaps; run text recognition over it or save its text as Markdown"
    )]
    NoTextLayer,
    /// No program was named that reads a PDF.
    #[error("a PDF is read by the program itself, which was not found; save it as Markdown")]
    NoReader,
    /// A line of it is not understood; the others were read.
    #[error("line {line}: {detail}")]
    BadLine {
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        detail: String,
    },
    /// Two documents have one name; the first was read.
    #[error("the document {id} is there twice; give each an id of its own")]
    TwiceNamed {
        /// What the names of its passages would begin with.
        id: String,
    },
    /// Several things are wrong with it; what could be read was.
    #[error("{first} (and {more} more like it)")]
    Several {
        /// The first of them.
        first: Box<SkipReason>,
        /// How many others.
        more: usize,
    },
    /// There is nothing in it.
    #[error("empty; write something in it or take it out")]
    Empty,
    /// There is something in it, but no passage.
    #[error("no passage in it, only headings or marks; write a paragraph below the heading or take it out")]
    NoPassage,
    /// Its front matter says something that is not understood.
    #[error("line {line}: {detail}")]
    FrontMatter {
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        detail: String,
    },
}

impl SkipReason {
    /// Whether text that someone may count on was left out: everything but hidden files, pictures,
    /// and links to what is read anyway.
    #[must_use]
    pub fn loses_text(&self) -> bool {
        !matches!(self, SkipReason::Hidden | SkipReason::NoText { .. } | SkipReason::LinkToFolder)
    }
}

struct FileOf<'a>(&'a str);

impl fmt::Display for FileOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("a file without an extension"),
            extension => write!(f, "a .{extension} file"),
        }
    }
}

/// Why a shop folder gives no passages.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// A folder that must be there is not.
    #[error("there is no folder {}; make it and put the shop's {what} there as .md or .txt files", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// What belongs in it.
        what: &'static str,
    },
    /// A folder cannot be read.
    #[error("the folder {} cannot be read; check who may read it", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// `documents/` or `reviews/` is a link that leads out of the shop folder.
    #[error("{} is a link that leads out of the shop folder; put the files themselves there", folder.display())]
    LeadsOut {
        /// The link.
        folder: PathBuf,
    },
    /// There is no passage in any file.
    #[error("there is nothing to answer from in {}; put .md, .txt, .html, .docx or .pdf files with text there{}", folder.display(), AndSkipped(skipped))]
    NothingToRead {
        /// The folder of the documents.
        folder: PathBuf,
        /// The files there were, each with why it was left out.
        skipped: Vec<Skipped>,
    },
    /// Two files would give their passages the same names.
    #[error("{first} and {second} would both name their passages {id}#1, {id}#2, …; rename one of them")]
    DuplicateSource {
        /// What the names begin with.
        id: String,
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
}

struct AndSkipped<'a>(&'a [Skipped]);

impl fmt::Display for AndSkipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, skipped) in self.0.iter().take(3).enumerate() {
            f.write_str(if at == 0 { " (left out: " } else { "; " })?;
            skipped.fmt(f)?;
        }
        match self.0.len() {
            0 => Ok(()),
            1..=3 => f.write_str(")"),
            more => write!(f, "; and {} more)", more - 3),
        }
    }
}
