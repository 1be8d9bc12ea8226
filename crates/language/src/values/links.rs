//! Addresses of pages and mailboxes.

use super::fold::Sort;
use super::reader::Reader;

/// The longest name of a mailbox before its `@` (RFC 5321, 4.5.3.1.1), and a scheme of the web.
const LONGEST_MAILBOX: usize = 64;
const LONGEST_SCHEME: usize = 12;

impl Reader<'_> {
    /// The address of a page whose `://` begins here: where it begins and ends.
    pub(super) fn url_around(&self, colon: usize, after: usize) -> Option<(usize, usize)> {
        if !self.text.get(colon..)?.starts_with("://") {
            return None;
        }
        let before = self.text.get(after..colon)?;
        let scheme = before.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
        if scheme == 0 || scheme > LONGEST_SCHEME {
            return None;
        }
        let end = self.url_end(colon + 3)?;
        Some((colon - scheme, end))
    }

    /// The address of a page that begins with the name of its host here: where it ends.
    pub(super) fn host_at(&self, at: usize) -> Option<usize> {
        let start = self.text.get(at..at + 4)?;
        if !start.eq_ignore_ascii_case("www.") {
            return None;
        }
        self.url_end(at + 4)
    }

    /// Up to white space, quotation marks and Chinese text, without the punctuation of the sentence around it.
    fn url_end(&self, start: usize) -> Option<usize> {
        let rest = self.text.get(start..)?;
        let mut open = 0_i32;
        let mut end = start;
        for (at, c) in rest.char_indices() {
            let stops = match c {
                '(' => {
                    open += 1;
                    false
                }
                ')' => {
                    open -= 1;
                    open < 0
                }
                '<' | '>' | '"' | '`' | '{' | '}' | '|' | '\\' | '^' | '[' | ']' | '*' => true,
                _ if c.is_ascii() => c.is_ascii_whitespace() || c.is_ascii_control(),
                _ => match self.folding.sort(c) {
                    Sort::Letter | Sort::Digit => false,
                    Sort::Mark => c == '\u{200C}' || self.folding.fold(c).is_some(),
                    Sort::Han | Sort::Space | Sort::Sign => true,
                },
            };
            if stops {
                break;
            }
            if !matches!(
                c,
                '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '_' | '~' | '\u{61F}' | '\u{60C}' | '\u{61B}'
            ) {
                end = start + at + c.len_utf8();
            }
        }
        (end > start).then_some(end)
    }

    /// The address of a mailbox around an `@`: where it begins and ends. Nothing before `after` is part of it.
    pub(super) fn email_around(&self, at: usize, after: usize) -> Option<(usize, usize)> {
        let before = self.text.get(after..at)?;
        let mut start = at;
        for (place, c) in before.char_indices().rev().take(LONGEST_MAILBOX) {
            match self.folding.sort(c) {
                Sort::Letter | Sort::Digit => start = after + place,
                _ if matches!(c, '.' | '_' | '%' | '+' | '-') => {}
                _ => break,
            }
        }
        if start == at {
            return None;
        }
        let mut end = at + 1;
        let mut label = 0;
        let mut dots = 0;
        let mut last = at + 1;
        for c in self.text.get(at + 1..)?.chars() {
            end += c.len_utf8();
            match self.folding.sort(c) {
                Sort::Letter | Sort::Digit => {
                    label += 1;
                    last = end;
                }
                _ if c == '-' && label > 0 => {}
                _ if c == '.' && label > 0 => {
                    label = 0;
                    dots += 1;
                }
                _ => break,
            }
        }
        let domain = self.text.get(at + 1..last)?;
        (dots > 0 && domain.contains('.')).then_some((start, last))
    }
}
