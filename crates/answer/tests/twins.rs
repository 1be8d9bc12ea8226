//! Every instruction that a model gets has a line in `docs/twins.md` with the check that enforces it, or why there is none.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mostrador_answer::gate::Why;
use mostrador_answer::stop::RuleName;
use mostrador_language::{Instruction, Pack, TextKey};

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/twins.md")).unwrap()
}

/// The rows of the page's tables, headers and rulers left out.
fn rows(page: &str) -> Vec<Vec<String>> {
    let rows = page.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).filter(|cells: &Vec<String>| !["key", "what"].contains(&cells[0].as_str())).collect()
}

/// The texts between backticks.
fn named(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn name<T: serde::Serialize>(of: T) -> String {
    serde_json::to_value(of).unwrap().as_str().unwrap().to_owned()
}

/// The checks that there are, by the names that stops and traces have for them.
fn checks() -> BTreeSet<&'static str> {
    let text = String::new;
    let gate = [
        Why::MarkerOutOfRange { marker: text() },
        Why::NoMarker,
        Why::OutsidersOnly { marker: text() },
        Why::FirstPerson { word: text() },
        Why::ValueNotInSource { value: text() },
        Why::BoundChanged { value: text(), window: text() },
        Why::PeriodChanged { value: text(), window: text() },
        Why::OtherSubject { value: text(), window: text() },
        Why::SaidOfAnother { word: text(), window: text() },
        Why::NameNotInSource { name: text() },
        Why::Unsupported { shared: 0, words: 0 },
        Why::Contradicted { window: text() },
        Why::ExceptionDropped { part: text(), window: text() },
        Why::ConditionDropped { part: text(), window: text() },
        Why::ExceptionAdded { part: text(), window: text() },
    ];
    let rules = [
        RuleName::THRESHOLD,
        RuleName::NOT_COVERED,
        RuleName::SHAPE,
        RuleName::STEPS,
        RuleName::REPEATED,
        RuleName::PROMISE_MONEY,
        RuleName::PROMISE_DISCOUNT,
        RuleName::PROMISE_DONE,
        RuleName::PROMISE_HANDOFF,
        RuleName::ACTION,
        RuleName::ACTION_HANDOFF,
    ];
    gate.iter().map(Why::name).chain(rules).collect()
}

#[test]
fn every_instruction_has_a_line_with_its_check() {
    let page = page();
    let checks = checks();
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for row in rows(&page).into_iter().filter(|row| row.len() == 3) {
        let key = named(&row[0]).first().map(|key| (*key).to_owned()).unwrap();
        assert!(lines.insert(key, row[2].clone()).is_none(), "{} twice", row[0]);
    }
    let keys: BTreeSet<String> = Instruction::ALL.into_iter().map(name).collect();
    assert_eq!(lines.keys().cloned().collect::<BTreeSet<_>>(), keys);
    for (key, check) in &lines {
        let known: Vec<&str> = named(check).into_iter().filter(|name| name.contains('.')).collect();
        let none = check.starts_with("none: ") && check.len() > "none: ".len() + 20;
        assert!(none || !known.is_empty(), "{key}: no check, and no reason");
        assert!(
            known.iter().all(|name| checks.contains(name)),
            "{key} names a check that there is not: {known:?}"
        );
    }
}

#[test]
fn what_a_model_reads_of_a_look_up_that_went_wrong_has_a_line() {
    let page = page();
    for key in [
        TextKey::UnknownTool,
        TextKey::MissingField,
        TextKey::BadField,
        TextKey::UnknownRecord,
        TextKey::LookupTimedOut,
        TextKey::LookupFailed,
        TextKey::TooManyCalls,
    ] {
        assert!(page.contains(&format!("`{}`", name(key))), "{key:?}");
    }
}

#[test]
fn an_instruction_is_one_sentence_so_that_none_stands_behind_another() {
    for lang in Pack::languages() {
        let pack = Pack::of(lang);
        // The example of a citation is a text by itself.
        for instruction in Instruction::ALL.into_iter().filter(|one| *one != Instruction::Cite) {
            let sentences = pack.sentences(pack.prompt.instruction(instruction));
            assert_eq!(sentences.len(), 1, "packs/{lang}/prompt.toml {instruction:?}: {sentences:?}");
        }
        let cite = pack.prompt.instruction(Instruction::Cite);
        assert!(cite.contains("[ ]") && cite.contains("<document source="), "packs/{lang}/prompt.toml");
    }
}
