//! Voice: how a sentence that passed is shown. Markers are shown, numbered or left out; no other word is touched.

use serde::{Deserialize, Serialize};

use crate::gate::Gated;
use crate::marker::markers;
use crate::passage::SourceId;

/// How the passages that a sentence cites are shown in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Citations {
    /// By name: `[returns#3]`.
    #[default]
    Shown,
    /// By number, in order of first mention: `[1]`.
    Footnoted,
    /// Not at all; the citations stand beside the answer.
    Hidden,
}

/// How the assistant speaks.
#[derive(Debug, Clone, Default)]
pub struct VoiceSettings {
    /// How citations are shown.
    pub citations: Citations,
}

/// A sentence as the customer will read it, and what it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voiced {
    text: String,
    cited: Vec<SourceId>,
}

impl Voiced {
    /// The sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The passages it cites, in order of first mention.
    #[must_use]
    pub fn cited(&self) -> &[SourceId] {
        &self.cited
    }
}

/// The numbers of the passages cited so far, from 1 in order of first mention.
#[derive(Debug, Default)]
pub struct Footnotes(Vec<SourceId>);

impl Footnotes {
    fn number(&mut self, source: &SourceId) -> usize {
        let known = self.0.iter().position(|known| known == source);
        known.unwrap_or_else(|| {
            self.0.push(source.clone());
            self.0.len() - 1
        }) + 1
    }
}

/// Puts a sentence in the shop's voice. `footnotes` are those of the answer so far.
#[must_use]
pub fn voice(gated: &Gated, settings: &VoiceSettings, footnotes: &mut Footnotes) -> Voiced {
    let (text, cited) = spoken(gated.text(), settings, footnotes);
    Voiced { text, cited }
}

/// A text in the shop's voice, and what it cites.
pub(crate) fn spoken(
    said: &str,
    settings: &VoiceSettings,
    footnotes: &mut Footnotes,
) -> (String, Vec<SourceId>) {
    let mut cited: Vec<SourceId> = Vec::new();
    let mut text = String::with_capacity(said.len());
    let (mut from, mut bracket) = (0, 0..0);
    for marker in markers(said) {
        let Ok(source) = SourceId::new(marker.name) else { continue };
        if !cited.contains(&source) {
            cited.push(source.clone());
        }
        // The second name of a bracket stands where its first did.
        let again = marker.at == bracket;
        let before = if again { "" } else { said.get(from..marker.at.start).unwrap_or_default() };
        match settings.citations {
            Citations::Shown => {}
            Citations::Footnoted => {
                let number = footnotes.number(&source);
                text.push_str(&format!("{before}[{number}]"));
            }
            // The space before a marker goes with it.
            Citations::Hidden => text.push_str(before.trim_end_matches(' ')),
        }
        (from, bracket) = (marker.at.end, marker.at);
    }
    match settings.citations {
        Citations::Shown => text.push_str(said),
        Citations::Footnoted | Citations::Hidden => {
            text.push_str(said.get(from..).unwrap_or_default());
        }
    }
    (text, cited)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn voiced(citations: Citations, sentences: &[&str]) -> (String, Vec<String>) {
        let mut footnotes = Footnotes::default();
        let settings = VoiceSettings { citations };
        let voiced: Vec<Voiced> = sentences
            .iter()
            .map(|text| voice(&Gated::for_test((*text).to_owned()), &settings, &mut footnotes))
            .collect();
        let cited = voiced.iter().flat_map(|voiced| voiced.cited.iter().map(ToString::to_string)).collect();
        (voiced.iter().map(Voiced::text).collect(), cited)
    }

    #[test]
    fn markers_are_shown_numbered_or_left_out_and_cited_all_the_same() {
        let sentences = ["Free. [a#1]\n", "Within 30 days [b#2, a#1], it says [b] too."];
        let (shown, cited) = voiced(Citations::Shown, &sentences);
        assert_eq!(shown, sentences.concat());
        assert_eq!(cited, ["a#1", "b#2", "a#1"]);
        let (footnoted, same) = voiced(Citations::Footnoted, &sentences);
        assert_eq!(footnoted, "Free. [1]\nWithin 30 days [2][1], it says [b] too.");
        assert_eq!(same, cited);
        let (hidden, same) = voiced(Citations::Hidden, &sentences);
        assert_eq!(hidden, "Free.\nWithin 30 days, it says [b] too.");
        assert_eq!(same, cited);
    }

    proptest! {
        #[test]
        fn no_other_word_is_touched(text in "[a-z .,\\[\\]#0-9]{0,60}") {
            let (shown, _) = voiced(Citations::Shown, &[&text]);
            prop_assert_eq!(&shown, &text);
            let (hidden, _) = voiced(Citations::Hidden, &[&text]);
            let mut rest = text.as_str();
            for c in hidden.chars() {
                let at = rest.find(c);
                prop_assert!(at.is_some(), "{hidden:?} of {text:?}");
                rest = &rest[at.unwrap() + c.len_utf8()..];
            }
        }
    }
}
