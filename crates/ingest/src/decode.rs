//! Bytes to text: which encoding a file is in, and what of it is text.

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use crate::error::SkipReason;
use crate::folder::unreadable;

/// Bytes that a guess of the encoding is checked on.
const SAMPLE: u64 = 1024 * 1024;

/// An encoding, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    encoding: &'static Encoding,
    /// Bytes of the mark at the beginning that names it.
    mark: usize,
}

impl Coding {
    /// The name of an encoding that the owner may not know of; `None` for UTF-8.
    pub(crate) fn named(self) -> Option<&'static str> {
        (self.encoding != UTF_8).then(|| self.encoding.name())
    }

    /// Where the first byte of text stands, where places in the text are places in the file: in UTF-8.
    pub(crate) fn first_byte(self) -> Option<u64> {
        (self.encoding == UTF_8).then_some(self.mark as u64)
    }

    /// The text of a file from its beginning, as UTF-8, without the mark.
    pub(crate) fn reader<R: Read>(self, file: R) -> DecodeReaderBytes<R, Vec<u8>> {
        DecodeReaderBytesBuilder::new().encoding(Some(self.encoding)).bom_override(true).build(file)
    }
}

/// The encoding of a file: what its mark says, UTF-8 where every byte fits, else a guess that is sure.
/// The file is at its beginning before and after.
///
/// # Errors
/// [`SkipReason::NotUtf8`] where no guess is sure.
pub(crate) fn coding(file: &mut File) -> Result<Coding, SkipReason> {
    let found = detect(file)?;
    file.rewind().map_err(|error| unreadable(&error))?;
    Ok(found)
}

fn detect(file: &mut File) -> Result<Coding, SkipReason> {
    let mut begin = Vec::new();
    file.take(4).read_to_end(&mut begin).map_err(|error| unreadable(&error))?;
    let marked = Encoding::for_bom(&begin);
    if let Some((encoding, mark)) = marked.filter(|(encoding, _)| [UTF_16LE, UTF_16BE].contains(encoding)) {
        return Ok(Coding { encoding, mark });
    }
    let mark = marked.map_or(0, |(_, mark)| mark);
    file.rewind().map_err(|error| unreadable(&error))?;
    let Some(line) = first_line_not_utf8(file)? else {
        return Ok(Coding { encoding: UTF_8, mark });
    };
    file.rewind().map_err(|error| unreadable(&error))?;
    let mut sample = Vec::new();
    file.take(SAMPLE).read_to_end(&mut sample).map_err(|error| unreadable(&error))?;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&sample, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let (text, _) = encoding.decode_without_bom_handling(&sample);
    if mark == 0 && is_surely_text(&text) {
        return Ok(Coding { encoding, mark: 0 });
    }
    Err(SkipReason::NotUtf8 { line })
}

/// The line, from 1, of the first byte that is not UTF-8.
fn first_line_not_utf8(file: &mut File) -> Result<Option<usize>, SkipReason> {
    let mut buffer = vec![0; 64 * 1024];
    // Bytes at the front of the buffer that begin a character.
    let mut kept = 0;
    let mut lines = 1;
    loop {
        let free = buffer.get_mut(kept..).unwrap_or_default();
        let read = file.read(free).map_err(|error| unreadable(&error))?;
        let filled = buffer.get(..kept + read).unwrap_or_default();
        let good = match std::str::from_utf8(filled) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() && read > 0 => error.valid_up_to(),
            Err(error) => {
                return Ok(Some(lines + line_breaks(filled.iter().take(error.valid_up_to()))));
            }
        };
        if read == 0 {
            return Ok(None);
        }
        lines += line_breaks(filled.iter().take(good));
        let end = kept + read;
        buffer.copy_within(good..end, 0);
        kept = end - good;
    }
}

fn line_breaks<'a>(bytes: impl Iterator<Item = &'a u8>) -> usize {
    bytes.filter(|byte| **byte == b'\n').count()
}

/// Whether a guessed encoding gives text without doubt: nothing that could not be read, no control
/// characters, and most of what is beyond ASCII are letters. Bytes that are no text fail at least one.
fn is_surely_text(text: &str) -> bool {
    let breaks = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{C}');
    if text.chars().any(|c| c == char::REPLACEMENT_CHARACTER || (c.is_control() && !breaks(c))) {
        return false;
    }
    let (letters, others): (Vec<char>, Vec<char>) =
        text.chars().filter(|c| !c.is_ascii()).partition(|c| c.is_alphabetic());
    let marks = others.iter().filter(|c| !"«»“”‘’–—…€£°¿¡\u{A0}。、，！？：；（）「」".contains(**c)).count();
    letters.len() >= 4 * marks
}

/// The whole text of a file, cleaned.
///
/// # Errors
/// [`SkipReason::Garbled`] where much of it could not be read.
pub(crate) fn text(file: File, coding: Coding) -> Result<Clean, SkipReason> {
    let mut text = String::new();
    coding.reader(file).read_to_string(&mut text).map_err(|error| unreadable(&error))?;
    legible(&text)?;
    Ok(Clean::new(&text, coding.first_byte()))
}

/// Refuses a text in which more than one character in fifty is the sign for what could not be read.
pub(crate) fn legible(text: &str) -> Result<(), SkipReason> {
    let lost = text.matches(char::REPLACEMENT_CHARACTER).count();
    if lost > 0 && lost * 50 > text.chars().count() { Err(SkipReason::Garbled { lost }) } else { Ok(()) }
}

/// A text without control characters, every line break `\n`; it still knows where it stood in its file.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    pub(crate) text: String,
    /// Places of the text, each with its place in the file, wherever the distance between them changes.
    shifts: Vec<(usize, u64)>,
}

impl Clean {
    /// `first`: where the text begins in its file; `None` where its bytes are not those of the file.
    pub(crate) fn new(text: &str, first: Option<u64>) -> Self {
        let mut clean = Clean { text: String::with_capacity(text.len()), shifts: Vec::new() };
        let mut distance = None;
        for (at, c) in text.char_indices() {
            let kept = match c {
                '\r' if text.get(at + 1..).is_some_and(|rest| rest.starts_with('\n')) => continue,
                '\r' | '\u{B}' | '\u{C}' | '\u{85}' => '\n',
                c if c.is_control() && !matches!(c, '\t' | '\n') => continue,
                c => c,
            };
            if first.is_some() && distance != Some(at - clean.text.len()) {
                distance = Some(at - clean.text.len());
                clean.shifts.push((clean.text.len(), first.unwrap_or_default() + at as u64));
            }
            clean.text.push(kept);
        }
        clean
    }

    /// Where a part of the text stood in the file; `0..0` where that is not known.
    pub(crate) fn place(&self, part: Range<usize>) -> Range<u64> {
        if self.shifts.is_empty() || part.is_empty() {
            return 0..0;
        }
        self.byte(part.start)..self.byte(part.end - 1) + 1
    }

    fn byte(&self, at: usize) -> u64 {
        let before = self.shifts.partition_point(|(place, _)| *place <= at);
        let shift = before.checked_sub(1).and_then(|index| self.shifts.get(index));
        shift.map_or(0, |(place, byte)| byte + (at - place) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    fn read(bytes: &[u8]) -> Result<(String, Option<&'static str>), SkipReason> {
        let mut file = file(bytes);
        let coding = coding(&mut file)?;
        Ok((text(file, coding)?.text, coding.named()))
    }

    #[test]
    fn control_characters_go_and_line_breaks_are_one_kind() {
        let text = "a\u{0}b\r\nc\rd\u{C}e\tf\u{7F}\u{9B}g";
        let clean = Clean::new(text, Some(3));
        assert_eq!(clean.text, "ab\nc\nd\ne\tfg");
        for (part, original) in [("ab", "a\0b"), ("c\nd", "c\rd"), ("g", "g")] {
            let at = clean.text.find(part).unwrap();
            let place = clean.place(at..at + part.len());
            let start = usize::try_from(place.start - 3).unwrap();
            let end = usize::try_from(place.end - 3).unwrap();
            assert_eq!(&text[start..end], original);
        }
        assert_eq!(Clean::new("abc", None).place(0..2), 0..0);
    }

    #[test]
    fn encodings_are_told_by_mark_by_bytes_or_by_a_sure_guess() {
        let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        assert_eq!(read("\u{FEFF}Señor".as_bytes()).unwrap(), ("Señor".to_owned(), None));
        assert_eq!(read(&utf16("\u{FEFF}Señor")).unwrap(), ("Señor".to_owned(), Some("UTF-16LE")));
        let (text, name) = read(b"Devoluci\xF3n en 30 d\xEDas, se\xF1or").unwrap();
        assert_eq!((text.as_str(), name), ("Devolución en 30 días, señor", Some("windows-1252")));
        let bulgarian = encoding_rs::WINDOWS_1251.encode("Връщане до 14 дни от покупката на стоката").0;
        let (text, name) = read(&bulgarian).unwrap();
        assert_eq!(
            (text.as_str(), name),
            ("Връщане до 14 дни от покупката на стоката", Some("windows-1251"))
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_line() {
        for bytes in [&b"ok\n\x00\x01\x81\xFE\xFF\x90\x02"[..], b"ok\n\x93\x81\xB1\xB2\xD7\xF7\xBD\xBE\xA6"] {
            assert_eq!(read(bytes), Err(SkipReason::NotUtf8 { line: 2 }), "{bytes:?}");
        }
        let long = [vec![b'\n'; 200_000], "é".repeat(70_000).into_bytes(), vec![0xFF, 0]].concat();
        assert_eq!(read(&long), Err(SkipReason::NotUtf8 { line: 200_001 }));
        let damaged = "Devoluci\u{FFFD}n en 30 d\u{FFFD}as";
        assert_eq!(read(damaged.as_bytes()), Err(SkipReason::Garbled { lost: 2 }));
    }
}
