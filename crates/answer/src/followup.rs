//! Follow-ups: what a question means besides its own words: the thing asked about before, or one of several named.

use std::ops::Range;

use mostrador_language::{ContentWord, Cues, Normal, Pack};

use crate::intake::Admitted;

/// From this many content words on a question stands by itself: joined to the one before, a few words found by
/// chance beside the old subject would carry it past the threshold.
const MOST_OWN_WORDS: usize = 3;

/// How much of the previous answer says what it is about, in characters.
const BEGINNING: usize = 200;

/// What is meant besides the question's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// Nothing that can be told.
    Itself,
    /// What the turn before was about.
    Subject {
        /// The previous question, or the beginning of the previous answer.
        text: String,
        /// The content words of that and the question's own, sorted by stem.
        words: Vec<ContentWord>,
        /// The question's own, each of which a passage has to hold as well. Without this a turn after a good one
        /// would never be refused.
        own: Vec<ContentWord>,
    },
    /// One of the things that the previous answer listed.
    Item {
        /// Its title, as it was written there.
        title: String,
        /// The content words of the title, sorted by stem.
        words: Vec<ContentWord>,
    },
}

/// Reads what a question means from the turn before it. `own`: the question's content words.
///
/// - "The second one" is an item of the previous answer's list, where that is written as one line an item and
///   has so many; else the question, without the words that point, is joined to the beginning of that answer.
/// - Another question of few words of its own is joined to the one before.
#[must_use]
pub fn meant(question: &Admitted, own: &[ContentWord], pack: &Pack, cues: &Cues) -> Meant {
    let Some(previous) = question.previous() else {
        return Meant::Itself;
    };
    if let Some(answer) = &previous.answer
        && let Some(pointed) = cues.ordinal(&Normal::of(question.original()))
    {
        if let Some(title) = item(answer, pointed.place) {
            let words = pack.content_words(&title);
            return Meant::Item { title, words };
        }
        let own = pack.content_words(&without(question.original(), pointed.span));
        return subject(answer.chars().take(BEGINNING).collect(), &own, pack);
    }
    subject(previous.question.clone(), own, pack)
}

fn subject(text: String, own: &[ContentWord], pack: &Pack) -> Meant {
    if own.len() > MOST_OWN_WORDS {
        return Meant::Itself;
    }
    let mut words = pack.content_words(&text);
    words.extend_from_slice(own);
    words.sort();
    words.dedup();
    Meant::Subject { text, words, own: own.to_vec() }
}

fn without(text: &str, span: Range<usize>) -> String {
    let before = text.get(..span.start).unwrap_or_default();
    format!("{before} {}", text.get(span.end..).unwrap_or_default())
}

/// The most characters of a thing's name; of a longer line the beginning names it.
const MOST_OF_A_NAME: usize = 80;

/// What stands at a place of the list in an answer, where list and place can be read without doubt.
///
/// Lines that begin with a bullet, or with numbers that count from 1, are a list if there is exactly one such run
/// of two lines or more. Otherwise what stands behind the only colon of the answer, parted by commas: its last part
/// may be two things joined by a word, so that only what comes before it has a place, counted from the first.
fn item(answer: &str, place: i32) -> Option<String> {
    let lines = listed_lines(answer);
    let found = match lines {
        Some(lines) => at(&lines, place)?,
        None => {
            let parts = enumerated(answer)?;
            let (_, sure) = parts.split_last()?;
            if place < 1 {
                return None;
            }
            at(sure, place)?
        }
    };
    let name = name_of(found);
    (!name.is_empty()).then_some(name)
}

fn at<'a>(items: &[&'a str], place: i32) -> Option<&'a str> {
    let back = usize::try_from(place.unsigned_abs()).ok()?;
    let index = if place > 0 { back.checked_sub(1)? } else { items.len().checked_sub(back)? };
    items.get(index).copied()
}

/// The items of the only list in lines; `None` where there is none, or more than one.
fn listed_lines(answer: &str) -> Option<Vec<&str>> {
    let mut lists: Vec<Vec<&str>> = Vec::new();
    let mut open: Option<(Mark, Vec<&str>)> = None;
    for line in answer.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let marked = mark(line);
        open = match (open.take(), marked) {
            (Some((last, mut items)), Some((this, text))) if this.follows(last) => {
                items.push(text);
                Some((this, items))
            }
            (before, marked) => {
                lists.extend(before.map(|(_, items)| items));
                marked.filter(|(mark, _)| mark.begins()).map(|(mark, text)| (mark, vec![text]))
            }
        };
    }
    lists.extend(open.map(|(_, items)| items));
    lists.retain(|items| items.len() > 1);
    let only = lists.pop()?;
    lists.is_empty().then_some(only)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Bullet(char),
    Number(u32),
}

impl Mark {
    fn begins(self) -> bool {
        !matches!(self, Mark::Number(number) if number != 1)
    }

    fn follows(self, last: Mark) -> bool {
        match (self, last) {
            (Mark::Bullet(this), Mark::Bullet(last)) => this == last,
            (Mark::Number(this), Mark::Number(last)) => last.checked_add(1) == Some(this),
            _ => false,
        }
    }
}

/// The mark at the beginning of a line, and the line behind it.
fn mark(line: &str) -> Option<(Mark, &str)> {
    let first = line.chars().next()?;
    if matches!(first, '-' | '*' | '•' | '–' | '·') {
        let rest = line.strip_prefix(first)?;
        return rest.starts_with(char::is_whitespace).then(|| (Mark::Bullet(first), rest.trim()));
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line.strip_suffix(rest)?.parse().ok()?;
    let text = rest.strip_prefix(['.', ')', '、', '．'])?;
    // A number that goes on, as in 1.5 kg, is no mark.
    (!text.starts_with(|c: char| c.is_ascii_digit())).then(|| (Mark::Number(number), text.trim()))
}

/// What is parted by commas behind the only colon of a text, up to the end of its sentence.
fn enumerated(answer: &str) -> Option<Vec<&str>> {
    let (_, behind) = answer.split_once([':', '：'])?;
    if behind.contains([':', '：']) || !behind.starts_with(char::is_whitespace) && answer.contains(':') {
        return None;
    }
    let sentence = behind.split(['.', '。', '!', '?', '\n', '[']).next()?;
    let parts: Vec<&str> = sentence.split([',', '،', '、', ';', '，']).map(str::trim).collect();
    let named = |part: &&str| !part.is_empty() && part.chars().count() <= MOST_OF_A_NAME;
    (parts.len() > 1 && parts.iter().all(named)).then_some(parts)
}

/// What names an item: its line without signs of emphasis and citation markers, up to the first sign that parts.
fn name_of(line: &str) -> String {
    let plain = line.replace(['*', '_', '`', '"'], "");
    let end = plain.find([':', '：', ',', '，', '،', ';', '(', '（', '[', '—', '–']);
    let spaced = [" - ", ". "].iter().filter_map(|sign| plain.find(sign)).min();
    let end = end.into_iter().chain(spaced).min().unwrap_or(plain.len());
    let name = plain.get(..end).unwrap_or_default().trim().trim_end_matches(['.', '。', '।']);
    name.chars().take(MOST_OF_A_NAME).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_in_lines_is_read_by_place() {
        let numbered =
            "We have three lamps:\n\n1. **Orla**, 35 €. [lamps#1]\n2. Nube: white [lamps#2]\n3) Sol";
        for (place, name) in [(1, "Orla"), (2, "Nube"), (3, "Sol"), (-1, "Sol"), (-3, "Orla")] {
            assert_eq!(item(numbered, place).as_deref(), Some(name), "{place}");
        }
        assert_eq!(item(numbered, 4), None);
        assert_eq!(item(numbered, 0), None);
        assert_eq!(item("- Lámpara Orla - 35 €\n- Lámpara Nube", 2).as_deref(), Some("Lámpara Nube"));
    }

    #[test]
    fn a_list_that_cannot_be_read_without_doubt_is_not_read() {
        for answer in [
            "Orla and Nube are lamps.",
            "- Orla\n- Nube\nAnd chairs:\n- Silla\n- Banco",
            "2. Orla\n3. Nube",
            "1.5 kg\n2.5 kg",
            "Open from 9:00, closed at 17:00.",
            "",
        ] {
            assert_eq!(item(answer, 1), None, "{answer}");
        }
    }

    #[test]
    fn a_list_in_a_sentence_is_read_up_to_its_last_part() {
        let answer = "We have three lamps: Orla, Nube and Sol. [lamps#1]";
        assert_eq!(item(answer, 1).as_deref(), Some("Orla"));
        // The last part may be two things.
        assert_eq!(item(answer, 2), None);
        assert_eq!(item(answer, -1), None);
        assert_eq!(item("我们有：灯、椅子、桌子。", 2).as_deref(), Some("椅子"));
    }

    proptest! {
        #[test]
        fn any_answer_can_be_read(answer in "(([0-9]{1,3}[.)]|[-*•]|.{0,8}:) ?.{0,12}\n?){0,6}", place in -4i32..5) {
            prop_assert!(item(&answer, place).unwrap_or_default().chars().count() <= MOST_OF_A_NAME);
        }
    }
}
