//! JSON lines: a document a line, `{"id": …, "title": …, "text": …}`, read one by one.

use std::io::{BufRead, BufReader, Read};

use mostrador_language::Lang;
use serde::Deserialize;

use crate::decode::{Clean, Coding};
use crate::document::{About, Document};
use crate::error::{LARGEST, SkipReason};
use crate::folder::source_stem;
use crate::{front_matter, markdown};

/// What a line holds. Other keys are not read.
#[derive(Deserialize)]
struct Line {
    id: Id,
    #[serde(default)]
    title: Option<String>,
    #[serde(alias = "content")]
    text: String,
    #[serde(default)]
    language: Option<Lang>,
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    valid_until: Option<String>,
    #[serde(default)]
    trust: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(u64),
}

/// The documents of a file. `text` (or `content`) is read as Markdown; `title` is its outermost heading.
/// `language`, `date`, `valid_until` and `trust` mean what they mean in front matter. Blank lines are passed over.
pub(crate) struct Lines {
    reader: Box<dyn BufRead + Send>,
    about: About,
    number: usize,
    /// Where the next line begins, where places in the file are known.
    byte: Option<u64>,
    ended: bool,
}

impl Lines {
    pub(crate) fn new(file: impl Read + Send + 'static, coding: Coding, about: About) -> Self {
        let reader = Box::new(BufReader::with_capacity(64 * 1024, coding.reader(file)));
        Self { reader, about, number: 0, byte: coding.first_byte(), ended: false }
    }

    fn document(&self, line: &[u8], begin: Option<u64>) -> Result<Document, SkipReason> {
        let bad = |detail: String| SkipReason::BadLine { line: self.number, detail };
        let line_text: Line = serde_json::from_slice(line).map_err(|error| {
            bad(format!("{error}; write {{\"id\": \"…\", \"title\": \"…\", \"text\": \"…\"}} on each line"))
        })?;
        let id = match line_text.id {
            Id::Text(id) => source_stem(&id),
            Id::Number(id) => id.to_string(),
        };
        if id.is_empty() {
            return Err(bad("the id is empty; write one".to_owned()));
        }
        let mut about = self.about.clone();
        about.language = line_text.language.unwrap_or(about.language);
        let day = |key, value: Option<String>| value.map(|value| front_matter::day(key, &value)).transpose();
        about.date = day("date", line_text.date).map_err(bad)?;
        about.valid_until = day("valid_until", line_text.valid_until).map_err(bad)?;
        if let Some(trust) = line_text.trust {
            about.trust = front_matter::trust(&trust, about.trust).map_err(bad)?;
        }
        let place = begin.map_or(0..0, |begin| begin..begin + line.trim_ascii_end().len() as u64);
        let clean = Clean::new(&line_text.text, None);
        let title = line_text.title.as_deref().map(str::trim);
        let pieces = markdown::pieces(&clean.text, title, &|_| place.clone());
        Ok(Document { id: Some(id), about, pieces })
    }
}

impl Iterator for Lines {
    type Item = Result<Document, SkipReason>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let mut line = Vec::new();
            // A line without an end would fill the memory.
            match (&mut self.reader).take(LARGEST + 1).read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(read) => {
                    self.number += 1;
                    let begin = self.byte;
                    self.byte = begin.map(|begin| begin + read as u64);
                    if line.len() as u64 > LARGEST {
                        self.ended = true;
                        let detail = format!("more than {LARGEST} bytes; split the document");
                        return Some(Err(SkipReason::BadLine { line: self.number, detail }));
                    }
                    if !line.trim_ascii().is_empty() {
                        return Some(self.document(&line, begin));
                    }
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(crate::folder::unreadable(&error)));
                }
            }
        }
        self.ended = true;
        None
    }
}
