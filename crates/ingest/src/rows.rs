//! Files of rows: CSV and its kin, a passage a row, read one by one.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use csv::{ReaderBuilder, StringRecord};

use crate::decode::{Clean, Coding, legible};
use crate::document::{About, Document};
use crate::error::{LARGEST, SkipReason};
use crate::piece::{Piece, Shape, says_something};

/// Bytes in which the first line is looked for.
const BEGIN: u64 = 64 * 1024;

/// The rows of a file behind its first, which is the header. A row is "header: cell · header: cell";
/// empty cells are left out, and so is a row without any. Columns are parted by the sign among
/// `,` `;` tab and `|` that the first line has most of.
///
/// No more than a row is held at a time; one of more than 10 MB ends the file with an error.
pub(crate) struct Rows {
    reader: csv::Reader<Bounded<Box<dyn Read + Send>>>,
    left: Arc<AtomicU64>,
    header: Vec<String>,
    record: StringRecord,
    about: About,
    /// Where the text begins in its file, where places in it are known.
    first: Option<u64>,
    ended: bool,
}

impl Rows {
    pub(crate) fn new(
        file: impl Read + Send + 'static,
        coding: Coding,
        about: About,
    ) -> Result<Self, SkipReason> {
        let mut text = coding.reader(file);
        let mut begin = Vec::new();
        let read = (&mut text).take(BEGIN).read_to_end(&mut begin);
        read.map_err(|error| crate::folder::unreadable(&error))?;
        let delimiter = delimiter(&begin);
        let left = Arc::new(AtomicU64::new(LARGEST));
        let inner: Box<dyn Read + Send> = Box::new(io::Cursor::new(begin).chain(text));
        let bounded = Bounded { inner, left: Arc::clone(&left) };
        let mut reader =
            ReaderBuilder::new().flexible(true).has_headers(true).delimiter(delimiter).from_reader(bounded);
        let header = reader.headers().map_err(|error| broken(&error))?;
        let header: Vec<String> = header.iter().map(on_one_line).collect();
        legible(&header.join(" "))?;
        let first = coding.first_byte();
        Ok(Self { reader, left, header, record: StringRecord::new(), about, first, ended: false })
    }

    fn row(&self) -> String {
        let mut text = String::new();
        for (number, cell) in self.record.iter().enumerate() {
            let cell = on_one_line(cell);
            if cell.is_empty() {
                continue;
            }
            if !text.is_empty() {
                text.push_str(" · ");
            }
            if let Some(header) = self.header.get(number).filter(|header| !header.is_empty()) {
                text.push_str(header);
                text.push_str(": ");
            }
            text.push_str(&cell);
        }
        text
    }
}

impl Iterator for Rows {
    type Item = Result<Document, SkipReason>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.left.store(LARGEST, Ordering::Relaxed);
            match self.reader.read_record(&mut self.record) {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(broken(&error)));
                }
            }
            let begin = self.record.position().map_or(0, csv::Position::byte);
            let says = self.record.iter().any(says_something);
            if self.ended || !says {
                continue;
            }
            let end = self.reader.position().byte();
            let bytes = self.first.map_or(0..0, |first| first + begin..first + end);
            let piece = Piece { headings: Vec::new(), shape: Shape::Prose, text: self.row(), bytes };
            return Some(Ok(Document { id: None, about: self.about.clone(), pieces: vec![piece] }));
        }
        None
    }
}

fn broken(error: &csv::Error) -> SkipReason {
    match error.position() {
        Some(position) => SkipReason::BadLine {
            line: usize::try_from(position.line()).unwrap_or(usize::MAX),
            detail: format!("{error}; write it as the rows before it"),
        },
        None => SkipReason::Unreadable { detail: error.to_string() },
    }
}

/// A cell's text without control characters, its lines joined.
fn on_one_line(cell: &str) -> String {
    Clean::new(cell, None).text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sign that parts columns: the one the first line has most of outside quotation marks; a comma where
/// there is none. Ties go to the first of `,` `;` tab `|`.
fn delimiter(begin: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
    for byte in begin {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            byte if !quoted => {
                for (sign, count) in &mut counts {
                    *count += usize::from(sign == byte);
                }
            }
            _ => {}
        }
    }
    // The last of equal ones would win, so the order is turned.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(sign, _)| *sign)
}

/// Ends with an error where more is read than a row may have: a quotation mark that is never closed
/// would else make one row of the whole file.
struct Bounded<R> {
    inner: R,
    left: Arc<AtomicU64>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.left.load(Ordering::Relaxed).checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!(
                "a row has more than {LARGEST} bytes; close its quotation marks or split it"
            ))
        })?;
        self.left.store(left, Ordering::Relaxed);
        Ok(read)
    }
}
