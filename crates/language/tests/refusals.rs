//! What is refused stays refused however it is written, and ordinary questions are answered.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::Path;

use mostrador_language::{Category, Normal, Packs, Refusals};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    lang: String,
    question: String,
    verdict: String,
    category: String,
}

fn refusals() -> Refusals {
    Refusals::new(&Packs::default(), &Category::ALL, &BTreeMap::new()).unwrap()
}

/// The category a question is refused for, in the words of the files.
fn verdict(refusals: &Refusals, question: &str) -> String {
    let normal = Normal::of(question);
    let Some(refused) = refusals.check(&normal) else { return "ok".to_owned() };
    assert!(question.get(refused.found.clone()).is_some_and(|found| !found.is_empty()), "{question:?}");
    serde_json::to_value(refused.category).unwrap().as_str().unwrap().to_owned()
}

/// Lines of the shared cases, with ours; none and a notice where the shared ones are absent.
fn lines() -> Vec<Line> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = std::fs::read_to_string(here.join("tests/refusals.jsonl")).unwrap();
    let shared = here.join("../../../shared/cases/refusals.jsonl");
    let shared = std::fs::read_to_string(&shared).unwrap_or_else(|_| {
        eprintln!("skipped: {} is not here", shared.display());
        String::new()
    });
    own.lines().chain(shared.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_line_gets_its_verdict() {
    let refusals = refusals();
    let mut wrong = Vec::new();
    let lines = lines();
    for line in &lines {
        let found = verdict(&refusals, &line.question);
        if found != line.category || (found == "ok") != (line.verdict == "answer") {
            wrong.push(format!("{}: {} is {found}, not {}", line.lang, line.question, line.category));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn a_disguise_changes_no_verdict() {
    let refusals = refusals();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines().iter().filter(|line| line.verdict == "refuse") {
        for variant in 0..100 {
            let mut disguise = Disguise { chance: Chance(variant * 7919 + 1), lang: &line.lang };
            let disguised = disguise.of(&line.question, variant);
            count += 1;
            if verdict(&refusals, &disguised) != line.category {
                wrong.push(format!("{} {variant}: {disguised:?} of {:?}", line.lang, line.question));
            }
        }
    }
    assert!(count >= 1_000, "{count} variants");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn invisible_characters_block_nothing() {
    let refusals = refusals();
    for line in lines().iter().filter(|line| line.verdict == "answer") {
        for variant in [0, 1, 2, 3, 4].into_iter().flat_map(|kind| (0..10).map(move |n| n * 5 + kind)) {
            let mut disguise = Disguise { chance: Chance(variant + 1), lang: &line.lang };
            let disguised = disguise.of(&line.question, variant);
            assert_eq!(verdict(&refusals, &disguised), "ok", "{disguised:?}");
        }
    }
    for text in [
        "👨\u{200D}👩\u{200D}👧 ❤\u{FE0F} danke!",
        "نمی\u{200C}دانم کی می\u{200C}رسد",
        "🏴\u{E0067}\u{E0062}\u{E007F}",
    ] {
        assert_eq!(verdict(&refusals, text), "ok", "{text}");
    }
}

/// Numbers that look random and are the same each time (xorshift, Marsaglia 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Writes a text so that people still read it and a search for its words does not find them.
struct Disguise<'a> {
    chance: Chance,
    lang: &'a str,
}

const INVISIBLE: [char; 8] =
    ['\u{200B}', '\u{200D}', '\u{2060}', '\u{2063}', '\u{AD}', '\u{FEFF}', '\u{180E}', '\u{200E}'];

const LIKES: [(&str, &str); 21] = [
    ("a", "а"),
    ("c", "с"),
    ("e", "е"),
    ("i", "і"),
    ("j", "ј"),
    ("o", "оο"),
    ("p", "рρ"),
    ("s", "ѕ"),
    ("x", "х"),
    ("y", "у"),
    ("A", "АΑ"),
    ("B", "ВΒ"),
    ("E", "ЕΕ"),
    ("H", "НΗ"),
    ("K", "КΚ"),
    ("M", "МΜ"),
    ("N", "Ν"),
    ("O", "ОΟ"),
    ("P", "РΡ"),
    ("T", "ТΤ"),
    ("X", "ХΧ"),
];

impl Disguise<'_> {
    fn of(&mut self, text: &str, variant: u64) -> String {
        match variant % 10 {
            0 => self.invisible(text, &INVISIBLE),
            1 => text.to_uppercase(),
            2 => self.spaces(text),
            3 => self.case(text),
            4 => {
                let text = self.case(text);
                let text = self.spaces(&text);
                self.invisible(&text, &INVISIBLE)
            }
            5 => self.likes(text),
            6 => {
                let text = self.likes(text);
                let text = self.case(&text);
                self.spaces(&text)
            }
            7 => self.apart(text),
            8 => {
                let text = self.likes(text);
                let text = self.apart(&text);
                self.invisible(&text, &INVISIBLE)
            }
            _ => self.invisible(text, &['\u{200C}']),
        }
    }

    fn each(&mut self, text: &str, mut write: impl FnMut(&mut Chance, char, &mut String)) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| write(&mut self.chance, c, &mut out));
        out
    }

    fn invisible(&mut self, text: &str, which: &[char]) -> String {
        self.each(text, |chance, c, out| {
            out.push(c);
            if chance.one_in(3) {
                out.push(which[chance.below(which.len())]);
            }
        })
    }

    fn spaces(&mut self, text: &str) -> String {
        self.each(text, |chance, c, out| match c {
            ' ' => (0..=chance.below(3))
                .for_each(|_| out.push([' ', '\u{A0}', '\t', '\n', '\u{3000}'][chance.below(5)])),
            _ => out.push(c),
        })
    }

    fn case(&mut self, text: &str) -> String {
        self.each(
            text,
            |chance, c, out| if chance.one_in(2) { out.extend(c.to_uppercase()) } else { out.push(c) },
        )
    }

    fn likes(&mut self, text: &str) -> String {
        let cyrillic = matches!(self.lang, "bg" | "ru");
        self.each(text, |chance, c, out| {
            let like = LIKES.iter().find_map(|(latin, others)| {
                let latin = latin.chars().next()?;
                let others: Vec<char> = others.chars().collect();
                if cyrillic {
                    // The Ukrainian letters in the table are strangers in a Russian word as well.
                    return (others[0] == c).then_some(latin);
                }
                (latin == c).then(|| others[chance.below(others.len())])
            });
            out.push(like.filter(|_| chance.one_in(3)).unwrap_or(c));
        })
    }

    /// Letters one space apart, words three, in alphabets.
    fn apart(&mut self, text: &str) -> String {
        if matches!(self.lang, "hi" | "zh") {
            return text.to_owned();
        }
        let words: Vec<String> = text
            .split_whitespace()
            .map(|word| {
                let mut spaced = String::new();
                for c in word.chars() {
                    if !spaced.is_empty() {
                        spaced.push(' ');
                    }
                    spaced.push(c);
                }
                spaced
            })
            .collect();
        words.join("   ")
    }
}
