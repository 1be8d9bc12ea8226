//! A model that says what another one said, from its recordings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use mostrador_answer::message::{Delta, Request};
use mostrador_answer::ports::{Fault, Model, ModelError};

use crate::cassette::{CassetteError, Piece, Recording, Speaker, name, question};

/// The most characters of a question in an error.
const MOST_QUESTION: usize = 200;

/// Replays recordings of one model at one temperature; no network, no cost, the same every time.
///
/// A request recorded several times gets its replies in the order of the recordings (files by name, lines in order),
/// and the last one over and over. A request that was not recorded is an error.
#[derive(Debug)]
pub struct RecordedModel {
    speaker: Speaker,
    folder: PathBuf,
    replies: BTreeMap<String, Replies>,
    /// Whose recordings there are besides.
    others: BTreeSet<Speaker>,
    counts_tokens: bool,
}

#[derive(Debug, Default)]
struct Replies {
    said: Vec<Vec<Piece>>,
    next: AtomicUsize,
}

impl RecordedModel {
    /// Reads every `*.jsonl` of a folder. Recordings of other models or temperatures are left out: a shop that
    /// changes one of them records anew.
    ///
    /// # Errors
    /// [`CassetteError`] where a file cannot be read, with the line that is no recording.
    pub fn load(folder: &Path, model: &str, temperature: Option<&str>) -> Result<Self, CassetteError> {
        let speaker = Speaker { model: model.to_owned(), temperature: temperature.map(str::to_owned) };
        let mut recorded = Self {
            speaker,
            folder: folder.to_owned(),
            replies: BTreeMap::new(),
            others: BTreeSet::new(),
            counts_tokens: true,
        };
        for file in files(folder)? {
            let text = std::fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
            for (at, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
                let recording = Recording::read(line).map_err(|detail| CassetteError::Line {
                    file: file.display().to_string(),
                    line: at,
                    detail,
                })?;
                recorded.enter(recording);
            }
        }
        Ok(recorded)
    }

    /// How many different requests it can answer.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.replies.len()
    }

    fn enter(&mut self, recording: Recording) {
        let speaker = recording.speaker();
        if speaker != self.speaker {
            self.others.insert(speaker);
            return;
        }
        self.counts_tokens &= recording.counts_tokens;
        self.replies.entry(recording.hash).or_default().said.push(recording.deltas);
    }

    fn reply(&self, request: &Request) -> Result<Vec<Piece>, ModelError> {
        let found = name(request, &self.speaker).ok().and_then(|name| self.replies.get(&name));
        let reply = found.and_then(|replies| {
            let at = replies.next.fetch_add(1, Ordering::Relaxed);
            replies.said.get(at).or(replies.said.last())
        });
        reply.cloned().ok_or_else(|| self.missing(request))
    }

    fn missing(&self, request: &Request) -> ModelError {
        let question: String = question(request).chars().take(MOST_QUESTION).collect();
        let mut detail = format!(
            "no reply of {} to {question:?} is recorded in {} with this prompt, these documents and look-ups; record \
             it with `mostrador record`",
            self.speaker,
            self.folder.display()
        );
        if !self.others.is_empty() {
            let others: Vec<String> = self.others.iter().map(ToString::to_string).collect();
            detail.push_str(&format!("; there are recordings of {}", others.join(", ")));
        }
        ModelError { model: self.id(), fault: Fault::NotRecorded, detail, charged: false }
    }
}

impl Model for RecordedModel {
    /// The recorded model's.
    fn id(&self) -> String {
        self.speaker.model.clone()
    }

    /// Whether each recorded count is the model's own.
    fn counts_tokens(&self) -> bool {
        self.counts_tokens
    }

    fn stream(&self, request: Arc<Request>) -> BoxStream<'static, Result<Delta, ModelError>> {
        match self.reply(&request) {
            Ok(pieces) => stream::iter(pieces.into_iter().map(|piece| Ok(Delta::from(piece)))).boxed(),
            Err(error) => stream::iter([Err(error)]).boxed(),
        }
    }
}

/// The recordings of a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, CassetteError> {
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> CassetteError {
    CassetteError::Unreadable { path: path.display().to_string(), detail: error.to_string() }
}
