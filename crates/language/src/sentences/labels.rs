//! Labels of list items: `1.`, `b)`, `3.)`.

/// What an item of a list is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    name: Name,
    style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Number(u32),
    Letter(char),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Stop,
    Bracket,
    StopBracket,
}

impl Label {
    /// The label that `text` ends in, and the byte where it begins; white space or nothing, or a bullet,
    /// stands before it.
    pub(super) fn at_end(text: &str) -> Option<(usize, Label)> {
        let (rest, style) = if let Some(rest) = text.strip_suffix(".)") {
            (rest, Style::StopBracket)
        } else if let Some(rest) = text.strip_suffix('.') {
            (rest, Style::Stop)
        } else {
            (text.strip_suffix(')')?, Style::Bracket)
        };
        let word = rest.char_indices().rev().take_while(|(_, c)| c.is_ascii_alphanumeric()).take(4);
        let start = word.last()?.0;
        let name = rest.get(start..)?;
        let before = rest.get(..start)?.chars().next_back();
        if before
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '.' | ',' | '-' | '/' | '\'' | '’'))
        {
            return None;
        }
        let name = match name.parse::<u32>() {
            Ok(number) if name.len() <= 3 => Name::Number(number),
            _ => Name::Letter(name.chars().next().filter(|c| name.len() == 1 && c.is_ascii_lowercase())?),
        };
        Some((start, Label { name, style }))
    }

    /// Whether an item of this name may follow one of that name in a list: the next of the same kind,
    /// or the first of another list.
    pub(super) fn follows(self, before: Label) -> bool {
        let next = match (before.name, self.name) {
            (Name::Number(one), Name::Number(other)) => one.checked_add(1) == Some(other),
            (Name::Letter(one), Name::Letter(other)) => u32::from(one) + 1 == u32::from(other),
            _ => false,
        };
        let first = |name| matches!(name, Name::Number(1) | Name::Letter('a'));
        (next && self.style == before.style) || (first(self.name) && !first(before.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_follow_one_another() {
        let label = |text| Label::at_end(text).map(|(start, label): (usize, Label)| (start, label)).unwrap();
        for (one, other) in
            [("1.", "item 2."), ("(x) a)", "b)"), ("• 9.", "• 10."), ("2.)", "1)"), ("10.", "a.")]
        {
            assert!(label(other).1.follows(label(one).1), "{one} {other}");
        }
        for (one, other) in [("1.", "3."), ("1.", "2)"), ("a.", "c."), ("1.", "1."), ("z)", "{)")] {
            let follows = Label::at_end(other).is_some_and(|(_, next)| next.follows(label(one).1));
            assert!(!follows, "{one} {other}");
        }
        for text in ["ab.", "2024.", "1.5.", "A.", "", ".", "x-1.", "it's."] {
            assert_eq!(Label::at_end(text), None, "{text}");
        }
        assert_eq!(label("item 2.)").0, 5);
    }
}
