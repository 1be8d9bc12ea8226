//! A passage cut into what can be quoted from it: sentences, list items and table rows.

use mostrador_answer::passage::SourceId;
use mostrador_language::Pack;

use crate::terms::Words;

/// Signs that may stand behind the sign that closes a sentence.
const CLOSERS: [char; 9] = [')', ']', '}', '»', '”', '’', '"', '\'', '“'];

/// The longest lead-in that is repeated before what it leads to, in characters.
const LEAD_IN: usize = 120;

/// Something that can be quoted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Its words as they stand in the passage, spaces evened.
    pub(crate) text: String,
    /// The words it holds. Those of a question that the passage puts right before it count as its own.
    pub(crate) own: Words,
    /// The words of what stands above it: a lead-in, a table's header, a question answered at length.
    pub(crate) above: Words,
    /// What leads to it, to be quoted before it; empty where there is nothing, or too much.
    pub(crate) lead_in: String,
    /// The list or table it is one of, numbered within the passage.
    pub(crate) list: Option<usize>,
}

/// Cuts a passage, in order.
///
/// A sentence that asks is never a unit: what follows answers it. One that ends in a colon leads to the
/// next sentence, as one unit with it, or to the list below. A run of lines with ` | ` is a table whose
/// first line is the header; a row is shown as `header: cell, header: cell`. Text that holds a citation
/// marker of its own is left out: quoted, it would cite what nobody gave.
pub(crate) fn cut(text: &str, pack: &Pack) -> Vec<Unit> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut cutter = Cutter {
        pack,
        units: Vec::new(),
        lead: String::new(),
        asked: Words::default(),
        fresh: Words::default(),
        lists: 0,
    };
    for run in lines.chunk_by(|a, b| Line::of(a) == Line::of(b)) {
        match run.first().map(|line| Line::of(line)) {
            Some(Line::Item) => cutter.items(run),
            // One line alone is no list and no table: "3. is a number, too", "a | b".
            Some(Line::Numbered) if run.len() > 1 => cutter.items(run),
            Some(Line::Row) if run.len() > 1 => cutter.table(run),
            _ => run.iter().for_each(|line| cutter.prose(line)),
        }
    }
    cutter.units.retain(|unit| !cites(&unit.text) && !cites(&unit.lead_in));
    cutter.units
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Line {
    Item,
    Numbered,
    Row,
    Prose,
}

impl Line {
    fn of(line: &str) -> Self {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        if item(line) != line {
            Line::Item
        } else if digits.len() < line.len() && (digits.starts_with(". ") || digits.starts_with(") ")) {
            Line::Numbered
        } else if line.contains(" | ") {
            Line::Row
        } else {
            Line::Prose
        }
    }
}

fn item(line: &str) -> &str {
    ["- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim()
}

struct Cutter<'p> {
    pack: &'p Pack,
    units: Vec<Unit>,
    /// A sentence that ends in a colon and waits for what it leads to.
    lead: String,
    /// Words of the passage's last question.
    asked: Words,
    /// The same until something has answered it.
    fresh: Words,
    lists: usize,
}

impl Cutter<'_> {
    fn words(&self, text: &str) -> Words {
        Words::of(text, self.pack)
    }

    fn prose(&mut self, line: &str) {
        for sentence in self.pack.sentences(line) {
            let sentence = even(&sentence);
            let end = sentence.trim_end_matches(CLOSERS).chars().next_back();
            match end {
                None => {}
                Some('?' | '？' | '؟') => {
                    self.asked = self.words(&sentence);
                    self.fresh = self.asked.clone();
                    self.lead.clear();
                }
                Some(':' | '：') => self.lead = join(&self.lead, &sentence),
                Some(_) => {
                    let text = join(&std::mem::take(&mut self.lead), &sentence);
                    let own = self.words(&text).and(&std::mem::take(&mut self.fresh));
                    self.units.push(Unit {
                        text,
                        own,
                        above: self.asked.clone(),
                        lead_in: String::new(),
                        list: None,
                    });
                }
            }
        }
    }

    fn items(&mut self, run: &[&str]) {
        let lead = std::mem::take(&mut self.lead);
        let above = self.words(&lead).and(&self.asked);
        let pack = self.pack;
        let items = run.iter().map(|line| even(item(line)));
        self.members(items.map(|text| (Words::of(&text, pack), text)), above, &lead);
    }

    fn table(&mut self, run: &[&str]) {
        let lead = std::mem::take(&mut self.lead);
        let Some((header, rows)) = run.split_first() else {
            return;
        };
        let above = self.words(header).and(&self.words(&lead)).and(&self.asked);
        let header: Vec<&str> = cells(header).collect();
        let pack = self.pack;
        let rows = rows.iter().map(|row| {
            let pair = |(n, cell): (usize, &str)| match header.get(n) {
                Some(name) if !name.is_empty() => format!("{}: {}", even(name), even(cell)),
                _ => even(cell),
            };
            let filled = cells(row).enumerate().filter(|(_, cell)| !cell.is_empty());
            // What the header says is the same for every row and tells none of them apart.
            (Words::of(row, pack), filled.map(pair).collect::<Vec<_>>().join(", "))
        });
        self.members(rows, above, &lead);
    }

    fn members(&mut self, members: impl Iterator<Item = (Words, String)>, above: Words, lead: &str) {
        let lead_in = if lead.chars().nth(LEAD_IN).is_none() { lead } else { "" };
        for (own, text) in members.filter(|(_, text)| !text.is_empty()) {
            let lead_in = lead_in.to_owned();
            self.units.push(Unit { text, own, above: above.clone(), lead_in, list: Some(self.lists) });
        }
        self.fresh = Words::default();
        self.lists += 1;
    }
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim_matches('|').split('|').map(str::trim)
}

fn even(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn join(lead: &str, text: &str) -> String {
    if lead.is_empty() { text.to_owned() } else { format!("{lead} {text}") }
}

fn cites(text: &str) -> bool {
    let inside = text.split('[').skip(1).filter_map(|part| part.split_once(']'));
    inside.into_iter().any(|(name, _)| SourceId::new(name.trim()).is_ok())
}

/// A text that ends as a sentence does: one without a closing sign gets a full stop.
pub(crate) fn closed(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';']);
    let end = text.trim_end_matches(CLOSERS).chars().next_back();
    if matches!(end, Some('.' | '!' | '?' | '…' | '。' | '！' | '？' | '؟' | '۔' | '।' | '॥')) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

#[cfg(test)]
mod tests {
    use mostrador_language::words;
    use proptest::prelude::*;

    use mostrador_language::Lang;

    use super::*;
    use crate::terms::Terms;

    fn units(question: &str, text: &str) -> Vec<(String, u32, u32)> {
        let terms = Terms::of(question, Pack::of(Lang::EN));
        let count = |words: &Words| terms.found_in(words).count_ones();
        let counts = |unit: Unit| (count(&unit.own), count(&unit.above), unit.text);
        let cut = cut(text, Pack::of(Lang::EN)).into_iter().map(counts);
        cut.map(|(own, above, text)| (text, own, above)).collect()
    }

    fn unit(text: &str, own: u32, above: u32) -> (String, u32, u32) {
        (text.to_owned(), own, above)
    }

    #[test]
    fn a_question_in_a_passage_belongs_to_its_answer() {
        let text = "Can I collect parcels? Yes, at the counter. Bring a card. Is parking free? No.";
        let expected = [unit("Yes, at the counter.", 2, 2), unit("Bring a card.", 0, 2), unit("No.", 0, 0)];
        assert_eq!(units("collect a parcel", text), expected);
    }

    #[test]
    fn a_lead_in_goes_with_what_it_leads_to() {
        let text = "Opening times: Monday to Friday.\nParcels:\n- Lisbon: 4 €\n- Porto: 7 €\nThank you.";
        let cut = cut(text, Pack::of(Lang::EN));
        let shown: Vec<_> =
            cut.iter().map(|unit| (unit.lead_in.as_str(), unit.text.as_str(), unit.list)).collect();
        let expected = [
            ("", "Opening times: Monday to Friday.", None),
            ("Parcels:", "Lisbon: 4 €", Some(0)),
            ("Parcels:", "Porto: 7 €", Some(0)),
            ("", "Thank you.", None),
        ];
        assert_eq!(shown, expected);
        assert_eq!(units("parcel to Porto", text)[2], unit("Porto: 7 €", 1, 1));
        assert_eq!(units("x", "It leads to nothing:"), []);
    }

    #[test]
    fn a_row_says_what_its_cells_are() {
        let text = "Size | Chest | Note\nM | 90 cm | \nXL | 110 cm | few left | extra";
        let expected = [
            unit("Size: M, Chest: 90 cm", 0, 1),
            unit("Size: XL, Chest: 110 cm, Note: few left, extra", 1, 1),
        ];
        assert_eq!(units("the chest of XL", text), expected);
        assert_eq!(units("x", "alone | here"), [unit("alone | here", 0, 0)]);
        assert_eq!(units("x", "3. one alone"), [unit("3. one alone", 0, 0)]);
    }

    #[test]
    fn a_text_that_cites_for_itself_is_not_quoted() {
        assert_eq!(units("x", "All is free [prices#1]. Ask us [here]."), [unit("Ask us [here].", 0, 0)]);
    }

    #[test]
    fn a_sentence_is_closed_once() {
        let closed_texts = [
            ("4 €", "4 €."),
            ("Yes!", "Yes!"),
            ("(It is.)", "(It is.)"),
            ("4 € (with tax)", "4 € (with tax)."),
            ("«No…»", "«No…»"),
            ("first;", "first."),
            ("好。", "好。"),
        ];
        for (text, expected) in closed_texts {
            assert_eq!(closed(text), expected);
        }
    }

    proptest! {
        #[test]
        fn any_passage_is_cut_into_its_own_words(text in "[-|:?.\\[\\]# a-zñ0-9\n]{0,80}", ) {
            for unit in cut(&text, Pack::of(Lang::ES)) {
                prop_assert!(!unit.text.is_empty());
                for word in words(&unit.text) {
                    prop_assert!(text.contains(word), "{word:?}");
                }
            }
        }
    }
}
