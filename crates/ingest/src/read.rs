//! Reads the texts of a shop folder, passage by passage.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::passage::{Passage, SourceId};

use crate::decode::{self, Clean, Coding};
use crate::document::{About, Document, Documents};
use crate::error::{IngestError, Note, SkipReason, Skipped};
use crate::folder::{self, DOCUMENTS, Kind, Listed};
use crate::jsonl::Lines;
use crate::options::Options;
use crate::piece::Piece;
use crate::rows::Rows;
use crate::same::Seen;
use crate::split::split;
use crate::{docx, front_matter, markdown, page, pdf, plain};

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The passages, file after file, in the order of the text: `documents/` before `reviews/`,
    /// each sorted by path.
    pub passages: Vec<Passage>,
    /// How many files gave passages.
    pub files: usize,
    /// The files left out, wholly or in part, in the same order.
    pub skipped: Vec<Skipped>,
    /// Files that were read as something their owner may not know of, in the same order.
    pub notes: Vec<Note>,
}

/// What was read, but for the passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// How many files gave passages.
    pub files: usize,
    /// How many passages there were, those that said the same left out.
    pub passages: usize,
    /// The files left out, wholly or in part, sorted by path.
    pub skipped: Vec<Skipped>,
    /// Files that were read as something their owner may not know of, sorted by path.
    pub notes: Vec<Note>,
}

/// What a [`Reader`] hands out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A file is about to be read: its path below the shop folder, with `/` between.
    File(String),
    /// The next passage.
    Passage(Box<Passage>),
    /// A passage that says what an earlier one said, under the same headings.
    Same {
        /// The earlier one.
        first: SourceId,
        /// The name of this one.
        also: SourceId,
    },
}

/// Reads `documents/`, `records/` and, where asked, `reviews/` below `root`, and collects all passages; `on_file` gets
/// each file's path below the root, just before it is read. Passages that say the same are one, which names
/// the others. See [`Reader`] for what is read, and for folders that do not fit the memory.
///
/// # Errors
/// As [`Reader::open`] and [`Reader::finish`].
pub fn read_folder(
    root: &Path,
    options: &Options,
    on_file: &mut dyn FnMut(&Path),
) -> Result<Reading, IngestError> {
    let mut reader = Reader::open(root, options)?;
    let mut passages: Vec<Passage> = Vec::new();
    let mut others: HashMap<SourceId, Vec<SourceId>> = HashMap::new();
    for event in &mut reader {
        match event {
            Event::File(file) => on_file(Path::new(&file)),
            Event::Passage(passage) => passages.push(*passage),
            Event::Same { first, also } => others.entry(first).or_default().push(also),
        }
    }
    for passage in &mut passages {
        passage.also = others.remove(&passage.source).unwrap_or_default();
    }
    let Summary { files, skipped, notes, .. } = reader.finish()?;
    Ok(Reading { passages, files, skipped, notes })
}

/// Reads a shop folder and hands out its passages one by one, in order: `documents/`, `records/`, `reviews/`, each
/// sorted by path. No more than one document is held at a time; of files of rows and of JSON lines, one row.
///
/// Passages are named `path#n`: the path below `documents/` or `reviews/` without its extension, of records
/// with their folder (in JSON lines, the document's id), and the count from 1. A file that cannot be used is left out and named, and so
/// is a row or line of one that can; a link that leads out of its folder is not followed.
pub struct Reader {
    options: Options,
    root: PathBuf,
    files: std::vec::IntoIter<Listed>,
    /// The file being read.
    open: Option<Open>,
    ready: VecDeque<Event>,
    /// `None` where passages that say the same are all handed out.
    seen: Option<Seen>,
    /// What the names of passages of each file begin with.
    taken: Arc<HashSet<String>>,
    /// What those of documents with ids of their own begin with, so far.
    names: HashSet<String>,
    summary: Summary,
}

struct Open {
    listed: Listed,
    documents: Documents,
    /// Passages so far, of the documents named for the file.
    count: usize,
    gave: bool,
    /// The first thing wrong with it, and how many others.
    fault: Option<(SkipReason, usize)>,
}

impl Reader {
    /// Lists the folder; nothing in it is read yet.
    ///
    /// # Errors
    /// A folder that is missing or cannot be read, and two files whose passages would have the same names.
    pub fn open(root: &Path, options: &Options) -> Result<Self, IngestError> {
        let listing = folder::list(root, options.reviews)?;
        let taken = listing.files.iter().map(|listed| listed.id.clone()).collect();
        let summary = Summary { files: 0, passages: 0, skipped: listing.skipped, notes: Vec::new() };
        Ok(Self {
            options: options.clone(),
            root: root.to_owned(),
            files: listing.files.into_iter(),
            open: None,
            ready: VecDeque::new(),
            seen: Some(Seen::default()),
            taken: Arc::new(taken),
            names: HashSet::new(),
            summary,
        })
    }

    /// Reads one file of a listed folder, and hands out passages that say the same as well.
    pub(crate) fn of_file(
        root: &Path,
        options: &Options,
        listed: Listed,
        taken: Arc<HashSet<String>>,
    ) -> Self {
        let summary = Summary { files: 0, passages: 0, skipped: Vec::new(), notes: Vec::new() };
        Self {
            options: options.clone(),
            root: root.to_owned(),
            files: vec![listed].into_iter(),
            open: None,
            ready: VecDeque::new(),
            seen: None,
            taken,
            names: HashSet::new(),
            summary,
        }
    }

    /// Reads on to the end, and says what was left out and what is to be told.
    pub(crate) fn rest(mut self) -> Summary {
        self.by_ref().for_each(drop);
        self.summary
    }

    /// Reads on to the end, and says what was read.
    ///
    /// # Errors
    /// [`IngestError::NothingToRead`] where there was no passage in any file.
    pub fn finish(mut self) -> Result<Summary, IngestError> {
        self.by_ref().for_each(drop);
        // By path, and `documents/` sorts before `reviews/`.
        self.summary.skipped.sort_by(|a, b| a.file.cmp(&b.file));
        if self.summary.passages == 0 {
            let folder = self.root.join(DOCUMENTS);
            return Err(IngestError::NothingToRead { folder, skipped: self.summary.skipped });
        }
        Ok(self.summary)
    }

    /// Opens the next file, or says that it cannot be.
    fn begin(&mut self, listed: Listed) {
        self.ready.push_back(Event::File(listed.file.clone()));
        match documents(&listed, &self.options, &mut self.summary.notes) {
            Ok(documents) => {
                self.open = Some(Open { listed, documents, count: 0, gave: false, fault: None });
            }
            Err(reason) => self.summary.skipped.push(Skipped { file: listed.file, reason }),
        }
    }

    /// Takes the next document of the open file, or closes it.
    fn go_on(&mut self, mut open: Open) {
        match open.documents.next() {
            Some(Ok(document)) => self.passages(&mut open, document),
            Some(Err(reason)) => open.faults(reason),
            None => return self.close(open),
        }
        self.open = Some(open);
    }

    fn passages(&mut self, open: &mut Open, document: Document) {
        let Document { id, about, pieces } = document;
        let mut count = if id.is_some() { 0 } else { open.count };
        let name = match id {
            Some(id) if self.taken.contains(&id) || !self.names.insert(id.clone()) => {
                return open.faults(SkipReason::TwiceNamed { id });
            }
            Some(id) => id,
            None => open.listed.id.clone(),
        };
        let pack = self.options.packs.get(about.language);
        for piece in pieces.into_iter().flat_map(|piece| split(piece, self.options.target, pack)) {
            count += 1;
            // The name holds only what a name may hold.
            let Ok(source) = SourceId::new(format!("{name}#{count}")) else {
                continue;
            };
            open.gave = true;
            let passage = passage(source, piece, &about, &open.listed.file, self.options.read_at);
            if let Some(first) = self.seen.as_mut().and_then(|seen| seen.earlier(&passage)) {
                self.ready.push_back(Event::Same { first, also: passage.source });
            } else {
                self.summary.passages += 1;
                self.ready.push_back(Event::Passage(Box::new(passage)));
            }
        }
        open.count = count;
    }

    fn close(&mut self, open: Open) {
        self.summary.files += usize::from(open.gave);
        let reason = match open.fault {
            Some((first, 0)) => first,
            Some((first, more)) => SkipReason::Several { first: Box::new(first), more },
            None if open.gave => return,
            None => SkipReason::NoPassage,
        };
        self.summary.skipped.push(Skipped { file: open.listed.file, reason });
    }
}

impl Iterator for Reader {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.open.take() {
                Some(open) => self.go_on(open),
                None => {
                    let listed = self.files.next()?;
                    self.begin(listed);
                }
            }
        }
    }
}

impl Open {
    fn faults(&mut self, reason: SkipReason) {
        match &mut self.fault {
            Some((_, more)) => *more += 1,
            None => self.fault = Some((reason, 0)),
        }
    }
}

fn passage(source: SourceId, piece: Piece, about: &About, file: &str, read_at: Option<i64>) -> Passage {
    Passage {
        headings: piece.headings,
        file: file.to_owned(),
        trust: about.trust,
        date: about.date.clone(),
        valid_until: about.valid_until.clone(),
        read_at,
        bytes: piece.bytes,
        ..Passage::new(source, piece.text, about.language)
    }
}

/// Opens a file as its kind has it.
fn documents(listed: &Listed, options: &Options, notes: &mut Vec<Note>) -> Result<Documents, SkipReason> {
    let mut file = File::open(&listed.path).map_err(|error| folder::unreadable(&error))?;
    let bytes = file.metadata().map_err(|error| folder::unreadable(&error))?.len();
    let most = listed.kind.largest();
    if bytes > most {
        return Err(SkipReason::TooLarge { bytes, most });
    }
    if bytes == 0 {
        return Err(SkipReason::Empty);
    }
    let mut about = About { language: options.language, trust: listed.trust, date: None, valid_until: None };
    let mut coding = || -> Result<Coding, SkipReason> {
        let coding = decode::coding(&mut file)?;
        let encoding = coding.named();
        notes.extend(encoding.map(|encoding| Note { file: listed.file.clone(), encoding }));
        Ok(coding)
    };
    let pieces = match listed.kind {
        Kind::Rows => {
            let coding = coding()?;
            return Ok(Box::new(Rows::new(file, coding, about)?));
        }
        Kind::JsonLines => {
            let coding = coding()?;
            return Ok(Box::new(Lines::new(file, coding, about)));
        }
        Kind::Docx => docx::pieces(file)?,
        Kind::Pdf => pdf::pieces(file, options.program.as_deref().ok_or(SkipReason::NoReader)?)?,
        Kind::Markdown | Kind::Plain | Kind::Html => {
            let coding = coding()?;
            let clean = decode::text(file, coding)?;
            if clean.text.trim().is_empty() {
                return Err(SkipReason::Empty);
            }
            whole(listed, &clean, &mut about)?
        }
    };
    Ok(Box::new(std::iter::once(Ok(Document { id: None, about, pieces }))))
}

/// The pieces of a text that is in memory as a whole; what it says of itself goes into `about`.
fn whole(listed: &Listed, clean: &Clean, about: &mut About) -> Result<Vec<Piece>, SkipReason> {
    match listed.kind {
        Kind::Markdown => {
            let (front, body) = front_matter::take_off(&clean.text, listed.trust)?;
            about.language = front.language.unwrap_or(about.language);
            about.trust = front.trust.unwrap_or(about.trust);
            about.date = front.date;
            about.valid_until = front.valid_until;
            let skipped = clean.text.len() - body.len();
            let place = |part: std::ops::Range<usize>| clean.place(skipped + part.start..skipped + part.end);
            Ok(markdown::pieces(body, front.title.as_deref(), &place))
        }
        Kind::Html => Ok(page::pieces(&clean.text, about)),
        _ => Ok(plain::pieces(clean)),
    }
}
