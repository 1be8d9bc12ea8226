//! Claims and their sources, as far as their values go; what the sentences say of them is the gate's.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use mostrador_language::{Lang, Pack, Value};

/// The reasons that values alone decide, and whether the claim's are then said by the source.
const DECIDED: [(&str, bool); 30] = [
    ("currency word for sign", true),
    ("number word for digit", true),
    ("exact unit conversion", true),
    ("unit changed", false),
    ("grouping dropped", true),
    ("other locale, same value", true),
    ("digits inside a longer number", false),
    ("same slot", true),
    ("period changed", false),
    ("currency changed", false),
    ("format changed", true),
    ("14 days is two weeks", true),
    ("same digits, other thing", false),
    ("number word that is another number", false),
    ("date format", true),
    ("day and month swapped", false),
    ("other address", false),
    ("same address, full stop outside it", true),
    ("currency word", true),
    ("narrow space grouping", true),
    ("number word", true),
    ("working days are not days", false),
    ("other value", false),
    ("Persian digits", true),
    ("Arabic digits and decimal mark", true),
    ("decimal mark lost", false),
    ("Devanagari digits", true),
    ("same condition", true),
    ("bound reversed", false),
    ("exception kept in other words", true),
];

fn said(claim: &Value, source: &[Value]) -> bool {
    source.iter().any(|value| claim.said_by(value) && claim.same_bound(value) && claim.same_period(value))
}

#[test]
fn values_decide_what_they_can() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/cases/values.jsonl");
    let Ok(cases) = std::fs::read_to_string(path) else {
        eprintln!("skipped: there is no {path}");
        return;
    };
    let mut decided = 0;
    for line in cases.lines().filter(|line| !line.trim().is_empty()) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap().to_owned();
        let pack = Pack::builtin(text("lang").parse::<Lang>().unwrap()).unwrap();
        let (source, claim) = (pack.values(&text("source")), pack.values(&text("claim")));
        println!("{}\n  {source:?}\n  {claim:?}", text("why"));
        let Some((_, pass)) = DECIDED.iter().find(|(why, _)| *why == text("why")) else {
            continue;
        };
        decided += 1;
        let passes = claim.iter().all(|value| said(value, &source));
        assert_eq!(passes, *pass, "{line}\n{source:#?}\n{claim:#?}");
        assert_eq!(*pass, text("verdict") == "pass", "{line}");
    }
    eprintln!("{decided} of {} decided by values alone", cases.lines().count());
    assert!(decided >= 30, "{decided}");
}
