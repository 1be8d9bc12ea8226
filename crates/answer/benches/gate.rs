//! How fast a sentence is judged by four passages of a thousand characters, and how fast those are read once a turn.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use mostrador_answer::gate::{Prepared, Strictness, judge};
use mostrador_answer::passage::{Passage, SourceId};
use mostrador_language::{Lang, Packs};

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
    for number in 0..4 {
        let mut text = String::new();
        for sentence in SENTENCES.iter().cycle().skip(number * 3) {
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
        ("gate/judge/value", "Home delivery costs five euros. [page#1][page#2][page#3][page#4]"),
        ("gate/judge/sibling", "The Basic plan costs 29 € a month. [page#1][page#2][page#3][page#4]"),
        ("gate/judge/words", "Cheques are not accepted in the shop. [page#1][page#2][page#3][page#4]"),
    ] {
        c.bench_function(name, |b| {
            b.iter(|| judge(black_box(sentence), Lang::EN, &prepared, &strictness));
        });
    }
}

criterion_group!(benches, gate);
criterion_main!(benches);
