//! Server-sent events: bytes in any pieces become the data of whole events.

/// Why a stream of events cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadStream {
    /// The data of an event is no UTF-8.
    NotUtf8,
    /// A line or an event is longer than it may be.
    TooLong,
}

/// Reads events. Names, numbers and pauses of events are left out: both wires say in the data what it is.
#[derive(Debug)]
pub(super) struct Parser {
    most: usize,
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
    begun: bool,
}

impl Parser {
    /// A parser for a stream whose lines and events have at most `most` bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, line: Vec::new(), data: Vec::new(), has_data: false, after_return: false, begun: false }
    }

    /// Takes in more bytes, and gives the data of each event that they end to `found`; the first error ends it.
    pub(super) fn push<E: From<BadStream>>(
        &mut self,
        mut bytes: &[u8],
        mut found: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = bytes.split_at_checked(end.unwrap_or(bytes.len())).unwrap_or((bytes, &[]));
            if self.line.len() + self.data.len() + part.len() > self.most {
                return Err(BadStream::TooLong.into());
            }
            self.line.extend_from_slice(part);
            let Some((ending, rest)) = rest.split_first() else { return Ok(()) };
            self.after_return = *ending == b'\r';
            bytes = rest;
            if self.end_of_line() {
                self.has_data = false;
                let data = std::mem::take(&mut self.data);
                found(std::str::from_utf8(&data).map_err(|_| BadStream::NotUtf8)?)?;
                self.data = data;
                self.data.clear();
            }
        }
        Ok(())
    }

    /// Whether an event has begun and not ended: what a stream that ends here has lost.
    pub(super) fn is_inside(&self) -> bool {
        self.has_data || !self.line.is_empty()
    }

    /// Enters a whole line; `true` where it ends an event that has data.
    fn end_of_line(&mut self) -> bool {
        let mut line = self.line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            self.line.clear();
            return self.has_data;
        }
        let field = line.strip_prefix(b"data");
        if let Some(value) =
            field.and_then(|rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix(b":") })
        {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        self.line.clear();
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The events of a stream that comes in pieces of these sizes, over and over, and how it ended.
    fn events(bytes: &[u8], sizes: &[usize], most: usize) -> (Vec<String>, Result<(), BadStream>, bool) {
        let mut parser = Parser::new(most);
        let mut found = Vec::new();
        let mut rest = bytes;
        let mut sizes = sizes.iter().cycle();
        while !rest.is_empty() {
            let size = (*sizes.next().unwrap()).clamp(1, rest.len());
            let read = parser.push::<BadStream>(&rest[..size], |data| {
                found.push(data.to_owned());
                Ok(())
            });
            if read.is_err() {
                return (found, read, false);
            }
            rest = &rest[size..];
        }
        (found, Ok(()), parser.is_inside())
    }

    fn whole(text: &str) -> Vec<String> {
        events(text.as_bytes(), &[usize::MAX], 1000).0
    }

    #[test]
    fn lines_end_in_each_of_three_ways_and_events_in_an_empty_line() {
        for end in ["\n", "\r", "\r\n"] {
            let text =
                ["data: a", "", ": a comment", "event: x", "data:b", "data:  c", "id: 1", "", ""].join(end);
            assert_eq!(whole(&text), ["a", "b\n c"], "{end:?}");
        }
        assert_eq!(whole("\u{FEFF}data: a\n\ndata\n\n"), ["a", ""]);
        assert_eq!(whole("\n\nevent: x\n\ndatax: a\n\n"), [""; 0]);
    }

    #[test]
    fn an_event_that_is_cut_is_dropped_and_seen() {
        for text in ["data: a\n\ndata: b\n", "data: a\n\ndata: b", "data: a\n\nd"] {
            assert_eq!(events(text.as_bytes(), &[1], 1000), (vec!["a".to_owned()], Ok(()), true));
        }
        assert!(!events(b"data: a\n\n: x\n", &[1], 1000).2);
    }

    #[test]
    fn what_is_no_utf8_or_too_long_is_refused() {
        assert_eq!(events(b"data: a\n\ndata: \xFF\n\n", &[3], 1000).1, Err(BadStream::NotUtf8));
        let long = "x".repeat(50);
        for text in [format!("data: {long}\n\n"), long.clone(), "data: 12345\n".repeat(9)] {
            assert_eq!(events(text.as_bytes(), &[7], 40).1, Err(BadStream::TooLong));
        }
        assert_eq!(events("data: 12345\n\n".repeat(9).as_bytes(), &[7], 40).0.len(), 9);
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"data: ".to_vec()),
            Just(b"data".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"\r".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b":".to_vec()),
            Just(b"\xEF\xBB\xBF".to_vec()),
            Just("\u{1F600}".as_bytes().to_vec()),
            proptest::collection::vec(any::<u8>(), 0..6),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(bytes in stream(), sizes in proptest::collection::vec(1_usize..9, 1..6), most in 4_usize..200) {
            let (found, read, inside) = events(&bytes, &sizes, most);
            let (once, at_once, inside_once) = events(&bytes, &[1], most);
            // A part that goes past the limit may hold whole lines in front of it, or not: only what is read counts.
            prop_assert_eq!(&found, &once);
            prop_assert_eq!(read, at_once);
            prop_assert_eq!(inside, inside_once);
        }
    }
}
