//! A sentence passes the gate where the passages it cites say it, and only there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::sync::Arc;

use mostrador_answer::gate::{Person, Prepared, Quoted, Strictness, Verdict, Why, judge, quote};
use mostrador_answer::message::Outcome;
use mostrador_answer::passage::{Passage, SourceId, Trust};
use mostrador_answer::ports::LookupResult;
use mostrador_language::{Lang, Pack, Packs};
use proptest::prelude::*;
use serde::Deserialize;

/// A source, what is claimed of it, and whether that passes.
#[derive(Deserialize)]
struct Case {
    lang: Lang,
    source: String,
    claim: String,
    verdict: String,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("inputs/gate.jsonl").lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn source(name: &str) -> SourceId {
    SourceId::new(name).unwrap()
}

fn prepared(passages: &[Passage]) -> Prepared {
    let passages: Vec<Arc<Passage>> = passages.iter().cloned().map(Arc::new).collect();
    Prepared::new(&passages, &Packs::default())
}

fn one(text: &str, lang: Lang) -> Prepared {
    prepared(&[Passage::new(source("page#1"), text, lang)])
}

fn judged(sentence: &str, lang: Lang, prepared: &Prepared) -> Verdict {
    judge(sentence, lang, prepared, &Strictness::default())
}

/// The name of the check that a sentence fails.
fn check(sentence: &str, prepared: &Prepared) -> Option<&'static str> {
    judged(sentence, Lang::EN, prepared).why().map(Why::name)
}

#[test]
fn claims_pass_where_the_source_says_them_in_every_language() {
    let mut wrong = Vec::new();
    for case in cases() {
        let verdict = judged(&format!("{} [page#1]", case.claim), case.lang, &one(&case.source, case.lang));
        if verdict.why().is_none() != (case.verdict == "pass") {
            wrong.push(format!("{} {} / {}: {:?}", case.lang, case.source, case.claim, verdict.why()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_sentence_of_a_source_passes_by_itself() {
    for case in cases() {
        let prepared = one(&case.source, case.lang);
        // A row without the head of its columns may leave out what that limits.
        let sentences = Pack::of(case.lang).sentences(&case.source);
        for sentence in sentences.iter().filter(|sentence| !sentence.contains('|')) {
            let verdict = judged(&format!("{sentence} [page#1]"), case.lang, &prepared);
            assert_eq!(verdict.why(), None, "{} {sentence}", case.lang);
        }
    }
}

#[test]
fn another_digit_in_a_value_never_passes() {
    let mut tried = 0;
    for case in cases().into_iter().filter(|case| case.verdict == "pass") {
        let prepared = one(&case.source, case.lang);
        for value in Pack::of(case.lang).values(&case.claim) {
            let mut claim = case.claim.clone();
            let written = claim[value.span.clone()].to_owned();
            let Some(digit) = written.chars().find(char::is_ascii_digit) else { continue };
            // Seven more, so that no number becomes its neighbour in the source.
            let other = char::from_digit((digit.to_digit(10).unwrap() + 7) % 10, 10).unwrap();
            claim.replace_range(value.span.clone(), &written.replacen(digit, &other.to_string(), 1));
            let verdict = judged(&format!("{claim} [page#1]"), case.lang, &prepared);
            assert!(verdict.why().is_some(), "{} {claim}", case.lang);
            tried += 1;
        }
    }
    assert!(tried >= 30, "{tried}");
}

#[test]
fn a_claim_that_cites_nothing_or_something_else_does_not_pass() {
    for case in cases().into_iter().filter(|case| case.verdict == "pass") {
        let prepared = one(&case.source, case.lang);
        let why = |claim: String| judged(&claim, case.lang, &prepared).why().map(Why::name);
        assert_eq!(why(case.claim.clone()), Some("gate.no-marker"), "{}", case.claim);
        assert_eq!(why(format!("{} [page#2]", case.claim)), Some("gate.marker-out-of-range"));
        assert_eq!(why(format!("{} [page#1][7]", case.claim)), Some("gate.marker-out-of-range"));
    }
}

#[test]
fn the_check_that_fails_is_named() {
    let text = "The Pro plan costs 29 € a month. Orders up to 20 kg are delivered. Delivery is free, except on \
                islands. Tyres are fitted if you book a day before. Cheques are not accepted.";
    let prepared = one(text, Lang::EN);
    for (claim, expected) in [
        ("The Pro plan costs 39 € a month.", "gate.value-not-in-source"),
        ("The Pro plan costs 29 € a year.", "gate.period-changed"),
        ("Orders over 20 kg are delivered.", "gate.bound-changed"),
        ("Delivery is free.", "gate.exception-dropped"),
        ("Tyres are fitted.", "gate.condition-dropped"),
        ("Cheques are accepted.", "gate.contradicted"),
        ("The plan Pro and Zenith costs 29 € a month.", "gate.name-not-in-source"),
        ("We wash windows in Wales.", "gate.name-not-in-source"),
        ("We wash windows on Sundays.", "gate.value-not-in-source"),
        ("Our staff wash windows gladly.", "gate.unsupported"),
        ("I deliver orders up to 20 kg.", "gate.first-person"),
        ("The Pro plan costs 29 € a month, except in winter.", "gate.exception-added"),
    ] {
        let found = check(&format!("{claim} [page#1]"), &prepared);
        assert_eq!(found, Some(expected), "{claim}");
    }
}

#[test]
fn a_value_of_another_subject_shows_the_sentence_that_speaks_of_the_same() {
    let prepared = one("The Basic plan costs 9 €. The Pro plan costs 29 €.", Lang::EN);
    let verdict = judged("The Basic plan costs 29 €. [page#1]", Lang::EN, &prepared);
    let Some(Why::OtherSubject { value, window }) = verdict.why() else { panic!("{verdict:?}") };
    assert_eq!((value.as_str(), window.as_str()), ("29 €", "The Basic plan costs 9 €."));
}

#[test]
fn headings_say_of_what_a_passage_speaks() {
    let page = |name: &str, heading: &str, text: &str| Passage {
        headings: vec![heading.to_owned()],
        ..Passage::new(source(name), text, Lang::EN)
    };
    let prepared = prepared(&[
        page("orla#1", "Lamp Orla", "The price is 35 €. It is 30 cm high."),
        page("nube#1", "Lamp Nube", "The price is 28 €. It is 40 cm high."),
    ]);
    assert_eq!(check("Orla: the price is 35 €. [orla#1]", &prepared), None);
    assert_eq!(check("The price of Nube is 28 €. [nube#1]", &prepared), None);
    assert_eq!(check("The price of Orla is 28 €. [nube#1]", &prepared), Some("gate.other-subject"));
    assert_eq!(check("The price of Orla is 28 €. [orla#1][nube#1]", &prepared), Some("gate.other-subject"));
    assert_eq!(check("Nube is 30 cm high. [orla#1][nube#1]", &prepared), Some("gate.other-subject"));
}

#[test]
fn what_is_cited_is_given_once_in_the_order_of_the_sentence() {
    let passages =
        ["a#1", "b#1"].map(|name| Passage::new(source(name), "Lamps cost 5 € with bulbs.", Lang::EN));
    let verdict = judged("Lamps cost 5 € with bulbs. [b#1][a#1][b#1]", Lang::EN, &prepared(&passages));
    assert_eq!(verdict, Verdict::Passed { cited: vec![source("b#1"), source("a#1")] });
}

#[test]
fn short_sentences_that_only_connect_need_no_source() {
    let prepared = one("Delivery is free.", Lang::EN);
    for sentence in ["Of course!", "Yes.", "Here is what I found:", "These are the options:"] {
        let strictness = Strictness { person: Person::Any, ..Strictness::default() };
        assert_eq!(judge(sentence, Lang::EN, &prepared, &strictness).why(), None, "{sentence}");
    }
    for sentence in ["Delivery is free.", "It takes 3 days:", "Yes, delivery is free."] {
        assert_eq!(check(sentence, &prepared), Some("gate.no-marker"), "{sentence}");
    }
    assert_eq!(judged("好的。", Lang::ZH, &one("运费为5欧元。", Lang::ZH)).why(), None);
}

#[test]
fn outsiders_prove_nothing() {
    let review = Passage {
        trust: Trust::Customer,
        ..Passage::new(source("reviews#1"), "The shop gives 50 % off to everybody.", Lang::EN)
    };
    let page = Passage::new(source("page#1"), "The shop gives gift cards.", Lang::EN);
    let prepared = prepared(&[review, page]);
    let claim = "The shop gives 50 % off to everybody.";
    assert_eq!(check(&format!("{claim} [reviews#1]"), &prepared), Some("gate.outsiders-only"));
    let both = format!("{claim} [reviews#1][page#1]");
    assert_eq!(check(&both, &prepared), Some("gate.value-not-in-source"));
}

#[test]
fn look_ups_are_evidence_without_a_marker() {
    let mut prepared = one("Delivery takes 3 days.", Lang::EN);
    assert_eq!(check("Order 1042 arrives on 4 March 2026.", &prepared), Some("gate.no-marker"));
    let found = LookupResult {
        outcome: Outcome::Found,
        content: "order 1042: on its way, eta 2026-03-04".to_owned(),
    };
    prepared.add_look_up(&found, Trust::Shop, Lang::EN);
    assert_eq!(check("Order 1042 arrives on 4 March 2026.", &prepared), None);
    assert_eq!(check("Your order is on its way.", &prepared), None);
    assert_eq!(check("Order 1042 arrives on 5 March 2026.", &prepared), Some("gate.value-not-in-source"));
    // What the pages say still needs its marker, and may stand beside what was looked up.
    assert_eq!(check("Delivery takes 3 days.", &prepared), Some("gate.value-not-in-source"));
    assert_eq!(check("Delivery takes 3 days, so order 1042 is on its way. [page#1]", &prepared), None);
}

#[test]
fn results_by_outsiders_prove_nothing_either() {
    let mut prepared = one("Delivery takes 3 days.", Lang::EN);
    let result = LookupResult { outcome: Outcome::Found, content: "everything at 50 % off".to_owned() };
    prepared.add_look_up(&result, Trust::Customer, Lang::EN);
    assert_eq!(check("Everything is at 50 % off.", &prepared), Some("gate.value-not-in-source"));
}

#[test]
fn the_voice_decides_who_may_speak() {
    let prepared = one("The shop delivers lamps to Malta.", Lang::EN);
    let passes = |sentence: &str, person| {
        let strictness = Strictness { person, ..Strictness::default() };
        judge(sentence, Lang::EN, &prepared, &strictness).why().is_none()
    };
    let (one, several) = ("I deliver lamps to Malta. [page#1]", "We deliver lamps to Malta. [page#1]");
    assert!(passes(one, Person::Any) && passes(several, Person::Any));
    assert!(!passes(one, Person::We) && passes(several, Person::We));
    assert!(!passes(one, Person::None) && !passes(several, Person::None));
}

#[test]
fn across_languages_values_decide_and_names() {
    let german = one(
        "Der Versand der Lampe Orla kostet 4,90 €. Ab 50 € ist er kostenlos. Rückgabe innerhalb von 30 Tagen, \
         außer bei Sonderanfertigungen.",
        Lang::DE,
    );
    let passes = |sentence: &str| judged(sentence, Lang::ES, &german).why().is_none();
    assert!(passes("El envío de la lámpara Orla cuesta 4,90 euros. [page#1]"));
    assert!(!passes("El envío de la lámpara Orla cuesta 5,90 euros. [page#1]"));
    assert!(!passes("El envío de la lámpara Orla no cuesta 4,90 euros. [page#1]"));
    assert!(!passes("Devoluciones en un plazo máximo de 30 días. [page#1]"));
    assert!(passes("Devoluciones en un plazo máximo de 30 días, salvo encargos. [page#1]"));
}

#[test]
fn a_sentence_that_does_not_pass_is_replaced_by_the_one_that_says_most_of_it() {
    let text = "The Basic plan costs 9 € a month. The Pro plan costs 29 € a month. Delivery is free.";
    let prepared = one(text, Lang::EN);
    let quoted = quote("The Pro plan costs 39 € a month. [page#1]", Lang::EN, &prepared);
    let expected = Quoted { text: "The Pro plan costs 29 € a month.".to_owned(), source: source("page#1") };
    assert_eq!(quoted, Some(expected));
    // Both plans say as much of it.
    assert_eq!(quote("The plan costs 39 €.", Lang::EN, &prepared), None);
    assert_eq!(quote("We sing.", Lang::EN, &prepared), None);
}

/// Texts made of what the gate looks for.
fn texts() -> impl Strategy<Value = String> {
    let bits = [
        "5 €",
        "50 €",
        "[page#1]",
        "[",
        "]",
        ",",
        ";",
        ".",
        "\n",
        "|",
        "not",
        "except",
        "only",
        "if",
        "and",
        "but",
        "without",
        "free",
        "closed",
        "Basic",
        "plan",
        "costs",
        "a month",
        "within 14 days",
        "é",
        "不",
        "除外",
        "满50欧元",
        "का",
        "می\u{200C}کنم",
        "\u{301}",
        "\u{FE70}",
        "help@shop.example",
        "1.",
        "(",
        ")",
    ];
    let bit = prop_oneof![
        9 => prop::sample::select(bits.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(bit, 0..24).prop_map(|bits| bits.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_is_judged(passage in texts(), sentence in texts(), marked in any::<bool>()) {
        let sentence = if marked { format!("{sentence} [page#1]") } else { sentence };
        for lang in [Lang::EN, Lang::DE, Lang::FA, Lang::HI, Lang::ZH] {
            let mut prepared = one(&passage, lang);
            let first = judged(&sentence, lang, &prepared);
            prop_assert_eq!(&first, &judged(&sentence, lang, &prepared));
            if let Some(why) = first.why() {
                prop_assert!(!why.to_string().is_empty());
            }
            let _ = quote(&sentence, lang, &prepared);
            let result = LookupResult { outcome: Outcome::Failed, content: sentence.clone() };
            prepared.add_look_up(&result, Trust::Shop, lang);
            let _ = judged(&passage, Lang::ES, &prepared);
        }
    }
}
