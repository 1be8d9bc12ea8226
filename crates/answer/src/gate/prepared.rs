//! What a turn's answer may stand on, read once.

use std::sync::Arc;

use mostrador_language::{Lang, Pack, Packs, Period};

use super::cases::{Namer, Sentence};
use super::known::{Ids, Known, ids_of};
use super::slots::{Slot, slots};
use super::table::{Table, is_row, is_rule};
use crate::passage::{Passage, SourceId, Trust};
use crate::ports::LookupResult;

/// A sentence of the evidence.
#[derive(Debug, Clone)]
pub(super) struct Stated {
    pub(super) sentence: Sentence,
    pub(super) slots: Vec<Slot>,
    /// Headings, and the sentence before where it speaks of that.
    pub(super) above: Ids,
    /// The periods that headings name.
    pub(super) periods: Vec<Period>,
    /// Whether it stands above the text.
    pub(super) heading: bool,
}

/// A text of the evidence.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// None: the result of a look-up.
    pub(super) source: Option<SourceId>,
    pub(super) trust: Trust,
    pub(super) language: Lang,
    pub(super) stated: Vec<Stated>,
    /// All its words, headings too.
    pub(super) ids: Ids,
}

impl Text {
    /// Whether it may support a sentence.
    pub(super) fn proves(&self) -> bool {
        self.trust == Trust::Shop
    }
}

/// What a turn's answer may stand on: its passages and the results of its look-ups, read once for all sentences.
#[derive(Debug, Clone)]
pub struct Prepared {
    packs: Packs,
    pub(super) known: Known,
    pub(super) texts: Vec<Text>,
}

impl Prepared {
    /// Reads the passages that were given to the model, each in its own language.
    #[must_use]
    pub fn new(passages: &[Arc<Passage>], packs: &Packs) -> Self {
        let mut prepared = Self { packs: packs.clone(), known: Known::default(), texts: Vec::new() };
        for passage in passages {
            let mut above: Vec<&str> = passage.headings.iter().map(String::as_str).collect();
            above.extend(passage.date.as_deref());
            above.extend(passage.valid_until.as_deref());
            let source = Some(passage.source.clone());
            prepared.add(source, passage.trust, passage.language, &above, &passage.text);
        }
        prepared
    }

    /// Adds what a look-up gave, errors included; sentences draw on it without a marker.
    ///
    /// `language`: the one its text is read in; that of the answer where nobody knows. Text by outsiders proves
    /// nothing here either.
    pub fn add_look_up(&mut self, result: &LookupResult, trust: Trust, language: Lang) {
        self.add(None, trust, language, &[], &result.content);
    }

    pub(super) fn pack(&self, lang: Lang) -> &Pack {
        self.packs.get(lang)
    }

    pub(super) fn has_look_ups(&self) -> bool {
        self.texts.iter().any(|text| text.source.is_none())
    }

    fn add(&mut self, source: Option<SourceId>, trust: Trust, language: Lang, above: &[&str], text: &str) {
        let pack = self.packs.get(language);
        let mut namer = Namer::Learn(&mut self.known);
        let headings: Vec<Sentence> =
            above.iter().map(|heading| Sentence::read(heading, pack, &mut namer)).collect();
        let mut head: Ids = ids_of(headings.iter().flat_map(Sentence::words));
        // What stands under the name of a day is said of that day.
        let days =
            headings.iter().flat_map(|heading| &heading.values).filter(|(value, _)| value.is_weekdays());
        head.extend(days.filter_map(|(_, id)| *id));
        let periods: Vec<Period> =
            headings.iter().flat_map(|heading| &heading.periods).map(|(_, period)| *period).collect();
        let mut stated: Vec<Stated> = headings
            .into_iter()
            .map(|sentence| Stated {
                slots: slots(&sentence, &head),
                sentence,
                above: head.clone(),
                periods: periods.clone(),
                heading: true,
            })
            .collect();
        let mut before = Ids::default();
        let mut table: Option<Table> = None;
        for text in parts(text, pack).into_iter().filter(|part| !is_rule(part)) {
            let mut sentence = Sentence::read(&text, pack, &mut namer);
            let mut kind = Ids::default();
            match &table {
                _ if !is_row(&text) => table = None,
                None => {
                    let headless = Table::without_head(&sentence);
                    headless.iter().for_each(|table| table.complete(&mut sentence));
                    table = Some(headless.unwrap_or_else(|| Table::of(&sentence, pack)));
                }
                Some(table) => {
                    table.complete(&mut sentence);
                    kind = table.kind.clone();
                }
            }
            let words = ids_of(sentence.words());
            let mut above = head.clone();
            above.extend(&kind);
            if sentence.back || words.is_empty() {
                above.extend(&before);
                before.extend(&words);
            } else {
                before = words;
            }
            let mut slots = slots(&sentence, &above);
            slots.iter_mut().for_each(|slot| slot.named.extend(&periods));
            stated.push(Stated { slots, sentence, above, periods: periods.clone(), heading: false });
        }
        let ids = ids_of(stated.iter().flat_map(|stated| stated.sentence.words()));
        self.texts.push(Text { source, trust, language, stated, ids });
    }
}

/// The sentences of a text; a row of a table is one, whatever stands in its cells.
fn parts(text: &str, pack: &Pack) -> Vec<String> {
    let mut parts = Vec::new();
    let mut prose = 0..0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_row(line) {
            parts.extend(pack.sentences(text.get(prose.clone()).unwrap_or_default()));
            parts.push(line.to_owned());
            prose.start = at + line.len();
        }
        at += line.len();
        prose.end = at;
    }
    parts.extend(pack.sentences(text.get(prose).unwrap_or_default()));
    parts
}
