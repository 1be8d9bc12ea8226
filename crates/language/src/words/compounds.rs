//! Compounds, taken apart: a word written as one whose parts are words.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Deserialize;

use crate::normal::normalize;

/// Shorter words, in letters, are not taken apart.
const SHORTEST_WORD: usize = 8;

/// Longer ones neither.
const LONGEST_WORD: usize = 60;

/// A part that the list does not know has this many letters, and is the first or the last.
const SHORTEST_UNKNOWN: usize = 4;

/// Beside an unknown part the known ones have this many letters together.
const FEWEST_KNOWN: usize = 5;

/// What compounds of a language are made of; without parts nothing is taken apart.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, from = "Listed")]
pub(crate) struct Compounds {
    parts: BTreeSet<String>,
    links: Vec<String>,
    /// The longest part in letters.
    longest: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Listed {
    /// Words as they stand in compounds.
    parts: Vec<String>,
    /// What may stand between two of them, or behind the last as an ending.
    links: Vec<String>,
}

impl From<Listed> for Compounds {
    fn from(listed: Listed) -> Self {
        let parts: BTreeSet<String> = listed.parts.iter().map(|part| normalize(part)).collect();
        let longest = parts.iter().map(|part| part.chars().count()).max().unwrap_or_default();
        Self { parts, longest, links: listed.links }
    }
}

/// A way to a place in a word.
#[derive(Debug, Clone, Copy)]
struct Way {
    unknown: usize,
    pieces: usize,
    /// Where its last part stands, in places of letters.
    from: usize,
    to: usize,
    /// Letters of known parts.
    known: usize,
}

impl Way {
    /// The lowest is the best.
    fn rank(self) -> (usize, usize, Reverse<usize>, Reverse<usize>) {
        (self.unknown, self.pieces, Reverse(self.known), Reverse(self.to - self.from))
    }
}

impl Compounds {
    /// The parts of a word in normal form, in order, two or more; none where it is no compound.
    ///
    /// After Koehn and Knight, "Empirical Methods for Compound Splitting" (EACL 2003): every way to cover the word
    /// with known parts and linking letters, the one with the fewest parts wins; their corpus frequencies are
    /// replaced by the pack's list. One part, the first or the last, may be unknown.
    /// Ties: more known letters, then the longer last part.
    pub(crate) fn split<'w>(&self, word: &'w str) -> Vec<&'w str> {
        let places: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
        let letters = places.len() - 1;
        if self.parts.is_empty() || !(SHORTEST_WORD..=LONGEST_WORD).contains(&letters) {
            return Vec::new();
        }
        let piece = |from: usize, to: usize| {
            places
                .get(from)
                .zip(places.get(to))
                .and_then(|(from, to)| word.get(*from..*to))
                .unwrap_or_default()
        };
        let mut best: Vec<Option<Way>> = vec![None; letters + 1];
        let start = Way { unknown: 0, pieces: 0, from: 0, to: 0, known: 0 };
        for from in 0..letters {
            let before = if from == 0 { Some(start) } else { best.get(from).copied().flatten() };
            let Some(before) = before else { continue };
            for to in from + 3..=letters {
                let text = piece(from, to);
                let known = to - from <= self.longest && self.parts.contains(text);
                let outer = (from == 0) != (to == letters);
                let fits = known || (outer && to - from >= SHORTEST_UNKNOWN && before.unknown == 0);
                if !fits {
                    continue;
                }
                let way = Way {
                    unknown: before.unknown + usize::from(!known),
                    pieces: before.pieces + 1,
                    from,
                    to,
                    known: before.known + if known { to - from } else { 0 },
                };
                improve(&mut best, to, way);
                for link in &self.links {
                    let end = to + link.chars().count();
                    let between = end < letters || (known && end == letters);
                    if between && piece(to, end) == link {
                        improve(&mut best, end, way);
                    }
                }
            }
        }
        let mut parts = Vec::new();
        let mut at = letters;
        while at > 0
            && let Some(way) = best.get(at).copied().flatten()
        {
            if at == letters && (way.pieces < 2 || (way.unknown > 0 && way.known < FEWEST_KNOWN)) {
                return Vec::new();
            }
            parts.push(piece(way.from, way.to));
            at = way.from;
        }
        parts.reverse();
        parts
    }
}

fn improve(best: &mut [Option<Way>], at: usize, way: Way) {
    if let Some(place) = best.get_mut(at)
        && place.is_none_or(|there| way.rank() < there.rank())
    {
        *place = Some(way);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Lang, Pack};

    #[test]
    fn german_compounds_are_found_by_their_parts() {
        let split = |word: &str| Pack::of(Lang::DE).words.compounds.split(word).join(" ");
        for (word, parts) in [
            ("rückgaberecht", "rückgabe recht"),
            ("rückgaberechts", "rückgabe recht"),
            ("versandkosten", "versand kosten"),
            ("lieferzeiten", "liefer zeiten"),
            ("zahlungsarten", "zahlungs arten"),
            ("bestellnummer", "bestell nummer"),
            ("garantiezeit", "garantie zeit"),
            ("widerrufsfrist", "widerrufs frist"),
            ("mindestbestellwert", "mindest bestell wert"),
            ("lampenschirm", "lampen schirm"),
            ("kundenkonto", "kunden konto"),
            ("gutscheincode", "gutschein code"),
            ("rucksackversand", "rucksack versand"),
        ] {
            assert_eq!(split(word), parts, "{word}");
        }
        for word in
            ["versand", "bestellung", "bestellungen", "umtauschen", "kostenlos", "zeitungen", "verfügbar", ""]
        {
            assert_eq!(split(word), "", "{word}");
        }
    }

    #[test]
    fn other_languages_take_nothing_apart() {
        assert_eq!(Pack::of(Lang::EN).words.compounds.split("notwithstanding"), Vec::<&str>::new());
    }
}
