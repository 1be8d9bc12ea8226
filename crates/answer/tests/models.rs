//! What a model can do to a turn besides answering: fail, refuse, hand over, run out of window, speak in notation.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::event::Answer;
use mostrador_answer::message::{Delta, Handover, StopReason};
use mostrador_answer::money::{Micros, Prices, Reported, Usage};
use mostrador_answer::ports::Fault;
use mostrador_answer::question::{Asked, CustomerId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_testkit::{Line, LinesModel, NumberLookup, World, call, end, say};

const RETURNS: &str = "Returns are free. They take 30 days.";

async fn ask(world: &World) -> Answer {
    world.engine().ask(Asked::new("Are returns free?").signed(CustomerId("ana".to_owned()))).await
}

fn rule(answer: &Answer) -> &str {
    answer.closing.rule.as_ref().map_or("-", |rule| rule.0.as_str())
}

fn handover(charged: bool) -> Line {
    let prices = Prices { input_per_million: Micros(1_000_000), ..Prices::default() };
    Line::Send(Delta::Handover(Box::new(Handover {
        model: "second".to_owned(),
        prices: Some(prices),
        counts_tokens: true,
        because: "first is away".to_owned(),
        charged,
    })))
}

#[tokio::test]
async fn another_model_goes_on_at_its_own_price_and_the_trace_says_why() {
    for charged in [false, true] {
        let mut lines = vec![handover(charged)];
        lines.extend(say("Returns are free. [shelf#1]"));
        let mut world = World::new(&[RETURNS], LinesModel::new(vec![lines]));
        let second = Prices { input_per_million: Micros(1_000_000), ..Prices::default() };
        world.settings.budget.most = world.settings.budget.prices.and(&second);
        let answer = ask(&world).await;
        assert_eq!(answer.closing.ending, Ending::Answered);
        assert_eq!(answer.closing.trace.handovers, ["first is away"]);
        // The second one counted 10 tokens in; the first may charge for what it was sent, byte for byte.
        let usage = answer.closing.usage;
        assert_eq!(usage.input_tokens > 10, charged, "{usage:?}");
        let sent = usage.input_tokens - 10;
        assert_eq!(answer.closing.cost, Micros(10 + 3 * sent));
        assert_eq!(answer.closing.usage_counted, !charged);
        assert!(answer.closing.cost <= answer.closing.trace.reserved);
    }
}

#[tokio::test]
async fn a_model_that_will_not_answer_hands_the_question_to_a_colleague() {
    let mut lines = vec![Line::Send(Delta::Text("I ".to_owned()))];
    lines.extend(end(StopReason::Refusal).map(Line::Send));
    let mut world = World::new(&[RETURNS], LinesModel::new(vec![lines]));
    world.lookups.push(Arc::new(NumberLookup::new(Duration::ZERO, Duration::from_secs(5))));
    let answer = ask(&world).await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::HandedOver, RuleName::REFUSED));
    assert!(!answer.text.starts_with("I "));
    assert_eq!(world.desk.inbox.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_fault_has_its_kind_in_the_trace_and_a_settled_reservation() {
    let world = World::new(&[RETURNS], LinesModel::new(vec![vec![Line::Fail]]));
    let answer = ask(&world).await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::Failed, RuleName::MODEL));
    assert_eq!(answer.closing.trace.fault, Some(Fault::BrokeOff));
    assert!(answer.closing.evidence.contains("broke-off"), "{}", answer.closing.evidence);
    // The provider had begun, and may charge for what it was sent.
    assert!(answer.closing.cost > Micros(0) && answer.closing.trace.usage_estimated);
    assert!(world.desk.open.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_was_reported_before_a_reply_broke_off_is_used_and_the_rest_is_estimated() {
    let reported = Reported { input_tokens: Some(7), ..Reported::default() };
    let lines = vec![
        Line::Send(Delta::Usage(reported)),
        Line::Send(Delta::Text("They are free. ".to_owned())),
        Line::Fail,
    ];
    let world = World::new(&[RETURNS], LinesModel::new(vec![lines]));
    let answer = ask(&world).await;
    assert_eq!(answer.closing.usage, Usage::new(7, "They are free. ".len() as u64));
    assert_eq!(world.desk.settled.lock().unwrap()[0], (Micros(7 * 3 + 15 * 15), answer.closing.usage));
}

#[tokio::test]
async fn notation_is_refused_and_not_repaired() {
    for text in ["{\"name\": \"number\", \"arguments\": {}}", "Sure! <tool_call>", "```json\n{}\n```"] {
        let world = World::new(&[RETURNS], LinesModel::saying(&[text]));
        let answer = ask(&world).await;
        assert_eq!((answer.closing.ending, rule(&answer)), (Ending::Withheld, RuleName::SHAPE), "{text}");
        assert!(!answer.text.contains(text), "{text}");
    }
}

#[tokio::test]
async fn a_full_window_loses_its_oldest_round_with_a_mark_and_never_the_newest() {
    let rounds = ["1", "2", "3"].map(|number| call(&[("number", number)]));
    let mut world =
        World::new(&[RETURNS], LinesModel::new(rounds.into_iter().chain([say("None of them.")]).collect()));
    world.lookups.push(Arc::new(NumberLookup::new(Duration::ZERO, Duration::from_secs(5))));
    world.settings.dialogue.max_steps = 5;
    // A call counts 15 tokens here, a result of 14 bytes 30, and 100 are left for the reply.
    world.settings.dialogue.context_tokens = Some(100 + 40);
    let answer = ask(&world).await;
    assert_eq!((answer.closing.ending, answer.closing.trace.omitted_rounds), (Ending::Answered, 2));
    let requests = world.model.requests();
    let last = requests.last().unwrap();
    assert_eq!(last.messages.len(), 3);
    let first: Vec<String> = last.messages[0].content.iter().map(|block| block.text()).collect();
    assert_eq!(first[first.len() - 2..], ["<omitted rounds=\"2\"/>", "Are returns free?"]);
    assert!(last.messages[1].content[0].text().contains('3'));
}
