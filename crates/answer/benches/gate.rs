//! How fast a sentence is judged by eight passages of a thousand characters, how fast those are read once a turn, and
//! what refusal, rules and gate take together for an answer of sixty words.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a benchmark"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use mostrador_answer::gate::{Prepared, Strictness, judge};
use mostrador_answer::passage::{Passage, SourceId};
use mostrador_answer::rules::{Action, Rule, Rules};
use mostrador_language::{Category, Family, Lang, Normal, Packs, Promises, Refusals};

/// What pages of a shop say; each passage begins elsewhere in it.
const SENTENCES: [&str; 12] = [
    "Home delivery costs 5 € and delivery to a pickup point 3 €.",
    "Orders over 50 € are delivered for free, except for furniture.",
    "Parcels are sent the same day if the order is placed before 14:00.",
    "You can return an article within 30 days, unless it has been used.",
    "The money is returned within five working days by the same means of payment.",
    "All lamps have a warranty of two years, but bulbs are not covered.",
    "The Basic plan costs 9 € a month; the Pro plan costs 29 € a month.",
    "Cheques are not accepted, and cash only in the shop.",
    "The workshop opens from Monday to Friday, from 9:00 to 18:00.",
    "A tyre change takes 40 minutes and costs 12 € a wheel.",
    "Gift cards do not expire and can be used in the shop or on the website.",
    "For questions write to help@shop.example or call 900 123 456.",
];

fn passages() -> Vec<Arc<Passage>> {
    let mut passages = Vec::new();
    for number in 0..8 {
        let mut text = String::new();
        for sentence in SENTENCES.iter().cycle().skip(number * 5) {
            if text.chars().count() + sentence.chars().count() > 1_000 {
                break;
            }
            text.push_str(sentence);
            text.push(' ');
        }
        let source = SourceId::new(format!("page#{}", number + 1)).unwrap();
        passages.push(Arc::new(Passage::new(source, text, Lang::EN)));
    }
    passages
}

fn gate(c: &mut Criterion) {
    let (packs, passages) = (Packs::default(), passages());
    c.bench_function("gate/prepare", |b| b.iter(|| Prepared::new(black_box(&passages), &packs)));
    let prepared = Prepared::new(&passages, &packs);
    let strictness = Strictness::default();
    for (name, sentence) in [
        ("gate/judge/value", "Home delivery costs five euros. [page#1][page#2][page#3][page#8]"),
        ("gate/judge/sibling", "The Basic plan costs 29 € a month. [page#1][page#2][page#3][page#8]"),
        ("gate/judge/words", "Cheques are not accepted in the shop. [page#1][page#2][page#3][page#8]"),
    ] {
        c.bench_function(name, |b| {
            b.iter(|| judge(black_box(sentence), Lang::EN, &prepared, &strictness));
        });
    }
}

/// An answer of sixty words, each sentence of which passes.
const ANSWER: [&str; 5] = [
    "Home delivery costs 5 € and delivery to a pickup point 3 €. [page#1]",
    "Orders over 50 € are delivered for free, except for furniture. [page#1]",
    "You can return an article within 30 days, unless it has been used. [page#1]",
    "The money is returned within five working days by the same means of payment. [page#1]",
    "All lamps have a warranty of two years, but bulbs are not covered. [page#1]",
];

const QUESTION: &str = "What does delivery cost, and how long may an article be returned?";

/// So many verdicts stand under the percentiles.
const TRIES: usize = 20_000;

/// Prints the median and the ninety-ninth percentile of single verdicts, which the means above do not show.
fn percentiles(_: &mut Criterion) {
    let (packs, passages) = (Packs::default(), passages());
    let prepared = Prepared::new(&passages, &packs);
    let strictness = Strictness::default();
    let all = ANSWER.map(|sentence| sentence.replace("[page#1]", "[page#1][page#2][page#3][page#8]"));
    let mut times: Vec<Duration> = Vec::with_capacity(TRIES);
    for sentence in all.iter().cycle().take(TRIES) {
        let begun = Instant::now();
        black_box(judge(black_box(sentence), Lang::EN, &prepared, &strictness));
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!("gate/judge, {TRIES} verdicts: median {:?}, 99 % {:?}, most {:?}", at(50), at(99), at(100));
}

fn answer(c: &mut Criterion) {
    let (packs, passages) = (Packs::default(), passages());
    let refusals = Refusals::new(&packs, &Category::ALL, &std::collections::BTreeMap::new()).unwrap();
    let promises = Promises::new(&packs);
    promises.prepare();
    let rule = Rule {
        name: "no-refunds".to_owned(),
        reason: "a person decides".to_owned(),
        words: vec!["we will refund you".to_owned()],
        pattern: None,
        action: Action::Stop,
    };
    let rules = Rules::new(vec![rule]).unwrap();
    let strictness = Strictness::default();
    let checked = |prepared: &Prepared| {
        assert!(refusals.check(&Normal::of(black_box(QUESTION))).is_none());
        let (mut whole, mut last) = (String::new(), "");
        for sentence in ANSWER {
            whole.push_str(sentence);
            assert!(rules.judge(&whole).is_none());
            let both = format!("{last} {sentence}");
            assert!(promises.find(&Normal::of(&both), &Family::ALL).is_none());
            assert_eq!(judge(sentence, Lang::EN, prepared, &strictness).why(), None);
            last = sentence;
        }
    };
    let prepared = Prepared::new(&passages, &packs);
    c.bench_function("answer of sixty words", |b| b.iter(|| checked(&prepared)));
    c.bench_function("answer of sixty words, and its passages read", |b| {
        b.iter(|| checked(&Prepared::new(black_box(&passages), &packs)));
    });
}

criterion_group!(benches, gate, answer, percentiles);
criterion_main!(benches);
