//! `talk.toml` of a pack: small words that turn a sentence round, and who speaks in it.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, de};

use crate::normal::Normal;
use crate::words::words;

/// Words and phrases in their normal form, each once, in the order of their letters.
///
/// Packs are written in ordinary spelling. An entry with a zero-width non-joiner stands for both of its
/// normal forms, parted and joined, so that a text written without one is met as well; one with an
/// apostrophe, for the straight and the curved one.
pub type Forms = BTreeSet<String>;

const STRAIGHT: &str = "'";
const CURVED: &str = "\u{2019}";

/// What a language pack's `talk.toml` holds. Every list must be there; it may be empty.
///
/// An entry is met where it stands in a text's normal form and no letter or digit goes on at either end:
/// the French `j'` before an apostrophe only, not in `14 j`. In Chinese, which writes no spaces, it is met
/// wherever its characters stand. Where entries overlap, also those of different lists, the longest is
/// the one that is meant: `not only` takes the `not` out of the negators.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talk {
    /// What denies: no, not, never, without.
    #[serde(deserialize_with = "forms")]
    pub negators: Forms,
    /// What, set before the whole of another word, denies it: `un` in `unused`. For comparing a word with
    /// the one behind its beginning; never looked for by itself, since `under` denies nothing.
    #[serde(deserialize_with = "forms")]
    pub negating_prefixes: Forms,
    /// What takes something out of a rule: except, other than, unless.
    #[serde(deserialize_with = "forms")]
    pub exceptions: Forms,
    /// What makes a rule depend on something: if, provided that, when.
    #[serde(deserialize_with = "forms")]
    pub conditions: Forms,
    /// What leaves nothing else: only, solely.
    #[serde(deserialize_with = "forms")]
    pub only: Forms,
    /// Phrases in which a word of the four lists above means nothing of the kind: `not only`, `no later than`
    /// (a bound, read with its value), `at once`.
    #[serde(deserialize_with = "forms")]
    pub ordinary: Forms,
    /// Those of the negators that deny what stands beside them, and not what is done: without.
    #[serde(deserialize_with = "forms")]
    pub lacking: Forms,
    /// Those of the conditions that say when and not whether: once. In a clause of their own they may be left out.
    #[serde(deserialize_with = "forms")]
    pub moments: Forms,
    /// Those of the exceptions, conditions, `only` and `lacking` that stand behind what they speak of.
    #[serde(deserialize_with = "forms")]
    pub behind: Forms,
    /// What adds a clause to the one before: and, or.
    #[serde(deserialize_with = "forms")]
    pub joiners: Forms,
    /// What sets a clause against the one before: but, whereas.
    #[serde(deserialize_with = "forms")]
    pub contrasts: Forms,
    /// What a sentence begins with that speaks of what the one before spoke of: it, this.
    #[serde(deserialize_with = "forms")]
    pub back: Forms,
    /// Words that exclude each other, common in shops.
    pub antonyms: Vec<Antonyms>,
    /// A single person speaking: pronouns, possessives and, where the verb alone says who, those verbs
    /// that bind the speaker.
    #[serde(deserialize_with = "forms")]
    pub first_person: Forms,
    /// The same, met anywhere in a text: for scripts without spaces between words.
    #[serde(deserialize_with = "forms")]
    pub first_person_inside: Forms,
    /// Phrases in which the two above mean nobody who speaks: `type I`, the name of a page.
    #[serde(deserialize_with = "forms")]
    pub first_person_except: Forms,
    /// Several speaking, which a shop may do.
    #[serde(deserialize_with = "forms")]
    pub we: Forms,
    /// Whole sentences that connect and state nothing, so that they need no source.
    #[serde(deserialize_with = "forms")]
    pub connectives: Forms,
}

/// Two lists of forms that exclude each other; written `[["open", "opens"], ["closed", "closes"]]`.
///
/// Neither is empty, and no form is on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Vec<String>>")]
pub struct Antonyms {
    /// One side, with its inflected forms.
    pub one: Forms,
    /// The other side.
    pub other: Forms,
}

impl TryFrom<Vec<Vec<String>>> for Antonyms {
    type Error = String;

    fn try_from(sides: Vec<Vec<String>>) -> Result<Self, String> {
        let [one, other]: [Vec<String>; 2] = sides.try_into().map_err(|sides: Vec<_>| {
            format!("a pair of antonyms has two lists of forms, and this has {}", sides.len())
        })?;
        let (one, other) = (normal_forms(one)?, normal_forms(other)?);
        if one.is_empty() || other.is_empty() {
            return Err("a side of a pair of antonyms is empty; write a form there".to_owned());
        }
        match one.intersection(&other).next() {
            Some(form) => {
                Err(format!("{form:?} is on both sides of a pair of antonyms; take it off one of them"))
            }
            None => Ok(Self { one, other }),
        }
    }
}

fn forms<'de, D: Deserializer<'de>>(input: D) -> Result<Forms, D::Error> {
    normal_forms(Vec::deserialize(input)?).map_err(de::Error::custom)
}

fn normal_forms(written: Vec<String>) -> Result<Forms, String> {
    let mut forms = Forms::new();
    for entry in written {
        let normal = Normal::of(&entry);
        if words(normal.as_str()).next().is_none() {
            return Err(format!("{entry:?} holds no letter or digit; write a word, or take it out"));
        }
        let joined = normal.joined().map(Normal::as_str);
        for form in joined.into_iter().chain([normal.as_str()]) {
            forms.insert(form.replace(STRAIGHT, CURVED));
            forms.insert(form.replace(CURVED, STRAIGHT));
        }
    }
    Ok(forms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "negators = []\nnegating_prefixes = []\nexceptions = []\nconditions = []\nonly = []\n\
                         ordinary = []\nantonyms = []\nfirst_person = []\nfirst_person_inside = []\n\
                         first_person_except = []\nwe = []\nconnectives = []\nlacking = []\nmoments = []\nbehind = []\n\
                         joiners = []\ncontrasts = []\nback = []\n";

    fn read(list: &str, entries: &str) -> Result<Talk, toml::de::Error> {
        toml::from_str(&EMPTY.replace(&format!("\n{list} = []"), &format!("\n{list} = {entries}")))
    }

    #[test]
    fn entries_are_put_into_their_normal_form() {
        let talk = read("first_person", "[\"  MÍO \", \"mío\", \"می\u{200C}کنم\"]").unwrap();
        assert_eq!(talk.first_person.iter().collect::<Vec<_>>(), ["mío", "می کنم", "میکنم"]);
    }

    #[test]
    fn an_apostrophe_is_met_in_either_shape() {
        let talk = read("only", "[\"J'\", \"l\u{2019}un\"]").unwrap();
        assert_eq!(talk.only.iter().collect::<Vec<_>>(), ["j'", "j\u{2019}", "l'un", "l\u{2019}un"]);
    }

    #[test]
    fn a_list_that_is_missing_or_unknown_is_an_error_that_names_it() {
        toml::from_str::<Talk>(EMPTY).unwrap();
        for line in EMPTY.lines() {
            let name = line.split_once(' ').unwrap().0;
            let without = EMPTY.replacen(&format!("{line}\n"), "", 1);
            let error = toml::from_str::<Talk>(&without).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{name}: {error}");
        }
        let error = toml::from_str::<Talk>(&format!("{EMPTY}hedges = []\n")).unwrap_err().to_string();
        assert!(error.contains("hedges"), "{error}");
    }

    #[test]
    fn an_entry_without_a_word_is_an_error() {
        for entry in ["", " ", "…", "\u{200B}"] {
            let error = read("only", &format!("[\"one\", \"{entry}\"]")).unwrap_err().to_string();
            assert!(error.contains("holds no letter or digit"), "{entry:?}: {error}");
        }
    }

    #[test]
    fn antonyms_have_two_sides_that_share_nothing() {
        let pair = &read("antonyms", "[[[\"Open\", \"opens\"], [\"closed\"]]]").unwrap().antonyms[0];
        assert!(pair.one.contains("open") && pair.one.len() == 2 && pair.other.contains("closed"));
        for (wrong, said) in [
            ("[[[\"open\"], [\"OPEN\"]]]", "both sides"),
            ("[[[\"open\"], []]]", "empty"),
            ("[[[\"open\"]]]", "this has 1"),
            ("[[[\"open\"], [\"closed\"], [\"ajar\"]]]", "this has 3"),
        ] {
            let error = read("antonyms", wrong).unwrap_err().to_string();
            assert!(error.contains(said), "{wrong}: {error}");
        }
    }
}
