//! The name of the person whose site it is, read as the words that patterns have for that person.

use crate::normal::{Normal, normalize};
use crate::pack::{Pack, Packs};
use crate::plain::Plain;

/// A person's names, and what each language reads them as.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Each in words, those of more words first.
    names: Vec<Vec<String>>,
    readings: Vec<Reading>,
}

#[derive(Debug, Clone)]
struct Reading {
    stands: Vec<Part>,
    read_as: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Name,
    Any,
    Word(String),
}

impl Names {
    /// The names a person goes by, read as the packs say; none for a shop, where nothing is read as anything.
    #[must_use]
    pub fn new(packs: &Packs, names: &[String]) -> Self {
        let mut names: Vec<Vec<String>> =
            names.iter().map(|name| plain_words(name)).filter(|name| !name.is_empty()).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let pairs = |lang| packs.patterns(lang).names.read_as.iter();
        let reading =
            |[stands, read_as]: &[String; 2]| Reading { stands: parts(stands), read_as: parts(read_as) };
        let readings = if names.is_empty() {
            Vec::new()
        } else {
            // What says nothing of a name would be read at every place.
            let named = |reading: &Reading| reading.stands.contains(&Part::Name);
            Pack::languages().flat_map(pairs).map(reading).filter(named).collect()
        };
        Self { names, readings }
    }

    /// A text in every way that its names can be read; nothing where there is none of them in it.
    #[must_use]
    pub fn readings(&self, text: &Normal) -> Vec<String> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let plain = Plain::of(text.as_str());
        let words: Vec<&str> =
            plain.words.iter().filter_map(|word| plain.text.get(word.start..word.end)).collect();
        if words.len() != plain.words.len() || !(0..words.len()).any(|at| self.name_at(&words, at).is_some())
        {
            return Vec::new();
        }
        let mut all: Vec<String> = self
            .readings
            .iter()
            .filter_map(|reading| self.read(text.as_str(), &plain, &words, reading))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The text with every place that a reading fits read so; `None` where there is no such place.
    fn read(&self, text: &str, plain: &Plain, words: &[&str], reading: &Reading) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let (mut at, mut written) = (0, 0);
        let mut any = false;
        while at < words.len() {
            let Some((end, between)) = self.fits(words, at, &reading.stands) else {
                at += 1;
                continue;
            };
            let (first, last) = (plain.words.get(at)?, plain.words.get(end.checked_sub(1)?)?);
            out.push_str(text.get(written..first.from)?);
            let mut between = between.into_iter();
            for part in &reading.read_as {
                out.push(' ');
                match part {
                    Part::Word(word) => out.push_str(word),
                    Part::Any => out.push_str(between.next().unwrap_or_default()),
                    Part::Name => {}
                }
            }
            out.push(' ');
            (at, written, any) = (end, last.to, true);
        }
        out.push_str(text.get(written..)?);
        any.then_some(out)
    }

    /// Where the parts end that stand from a word on, and the words that stand for any.
    fn fits<'w>(&self, words: &[&'w str], mut at: usize, parts: &[Part]) -> Option<(usize, Vec<&'w str>)> {
        let mut between = Vec::new();
        for part in parts {
            at += match part {
                Part::Name => self.name_at(words, at)?,
                Part::Any => {
                    between.push(*words.get(at)?);
                    1
                }
                Part::Word(word) => {
                    words.get(at).filter(|said| *said == word)?;
                    1
                }
            };
        }
        Some((at, between))
    }

    /// How many words the name has that stands at a word.
    fn name_at(&self, words: &[&str], at: usize) -> Option<usize> {
        let rest = words.get(at..)?;
        let stands =
            |name: &&Vec<String>| rest.len() >= name.len() && name.iter().zip(rest).all(|(a, b)| a == b);
        self.names.iter().find(stands).map(Vec::len)
    }
}

fn plain_words(text: &str) -> Vec<String> {
    let plain = Plain::of(&normalize(text));
    plain.words.iter().filter_map(|word| plain.text.get(word.start..word.end)).map(str::to_owned).collect()
}

fn parts(written: &str) -> Vec<Part> {
    let part = |piece: &str| match piece {
        "~" => vec![Part::Name],
        "#" => vec![Part::Any],
        words => plain_words(words).into_iter().map(Part::Word).collect(),
    };
    written.split_whitespace().flat_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&str], text: &str) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let read = Names::new(&Packs::default(), &names).readings(&Normal::of(text));
        read.iter().map(|text| plain_words(text).join(" ")).collect()
    }

    #[test]
    fn a_name_is_read_as_a_pronoun() {
        let read = read(&["Vera", "Vera Moss"], "What are Vera Moss's rates?");
        assert!(read.contains(&"what are his rates".to_owned()), "{read:?}");
        assert!(read.iter().all(|text| !text.contains("vera")), "{read:?}");
    }

    #[test]
    fn a_word_before_the_name_moves_behind_the_pronoun() {
        let read = read(&["Vera Moss"], "¿Cuáles son los honorarios de Vera Moss?");
        assert!(read.contains(&"cuales son sus honorarios".to_owned()), "{read:?}");
    }

    #[test]
    fn nothing_is_read_where_no_name_stands() {
        assert!(read(&["Vera"], "What are the rates of Veranda?").is_empty());
        assert!(read(&[], "What are Vera's rates?").is_empty());
        assert!(read(&["…"], "What are Vera's rates?").is_empty());
    }
}
