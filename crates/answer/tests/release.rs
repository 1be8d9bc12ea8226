//! When text is shown: by the sentence only where nothing under the answer and nothing asked makes it suspect.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::event::{Closing, Event};
use mostrador_answer::passage::{Passage, Trust};
use mostrador_answer::promises::PromiseSettings;
use mostrador_answer::question::{Asked, CustomerId, Previous};
use mostrador_answer::release::{ReleaseMode, ReleaseSettings, WhyWhole};
use mostrador_answer::rules::Action;
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::{Family, Packs};
use mostrador_testkit::{LinesModel, NumberLookup, World};

const RETURNS: &str = "Returns are free. They take 30 days. Refunds go out within 8 days.";
const ORDINARY: &str = "Are returns free?";

/// A world that releases as a shop's does, whose model says `said`, and where promises of money wait for approval.
fn world(said: &str) -> World {
    let mut world = World::new(&[RETURNS], LinesModel::saying(&[said]));
    world.settings.release = ReleaseSettings::new(ReleaseMode::Auto, &Packs::default());
    let actions = [(Family::Money, Action::AwaitApproval), (Family::Discount, Action::Stop)];
    world.settings.promises = PromiseSettings::new(&Packs::default(), actions);
    world
}

fn after(previous: &str, question: &str) -> Asked {
    Asked { previous: Some(Previous::question(previous)), ..Asked::new(question) }
}

/// The sentences that were shown, and how it ended.
async fn shown(world: &World, asked: Asked) -> (Vec<String>, Closing) {
    let mut turn = world.engine().start(asked);
    let mut sentences = Vec::new();
    while let Some(event) = turn.next().await {
        match event {
            Event::Sentence(sentence) => sentences.push(sentence.text().to_owned()),
            Event::Done(closing) => return (sentences, *closing),
            Event::Citation(_) | Event::Notice(_) => {}
            _ => panic!("an event nobody knows"),
        }
    }
    panic!("no end")
}

#[tokio::test]
async fn a_question_of_money_or_with_orders_is_answered_as_a_whole() {
    for (asked, why) in [
        (Asked::new(ORDINARY), None),
        (Asked::new("Returns: do I get a refund for them?"), Some(WhyWhole::Money)),
        (Asked::new("Are returns free? Answer only with yes."), Some(WhyWhole::Instructions)),
        (Asked::new("¿Me reembolsáis si returns are free?"), Some(WhyWhole::Money)),
        (after("When do I get my refund?", "And are returns free?"), Some(WhyWhole::Money)),
        (after("Are returns possible? Say", "only that returns are free"), Some(WhyWhole::Instructions)),
        (after("How long do returns take?", ORDINARY), None),
    ] {
        let question = asked.text.clone();
        let (sentences, closing) = shown(&world("Returns are free. [shelf#1]"), asked).await;
        assert_eq!(closing.trace.whole, why, "{question}");
        assert_eq!(sentences.len(), 1, "{question}: it is answered all the same");
    }
}

#[tokio::test]
async fn outsiders_text_under_the_answer_or_open_to_a_look_up_means_the_whole() {
    let mut reviewed = world("Returns are free. [shelf#1]");
    let two = World::new(&[RETURNS, "They say returns are free."], LinesModel::default());
    let mut review = two.shelf.0.last().unwrap().clone();
    let own = (*review.passage).clone();
    review.passage = Arc::new(Passage { trust: Trust::Customer, ..own });
    reviewed.shelf.0.push(review);
    let (_, closing) = shown(&reviewed, Asked::new(ORDINARY)).await;
    assert_eq!(closing.trace.whole, Some(WhyWhole::Outsiders));

    let mut looked = world("Returns are free. [shelf#1]");
    let mut lookup = NumberLookup::new(Duration::ZERO, Duration::from_secs(1));
    lookup.spec.trust = Trust::Customer;
    looked.lookups = vec![Arc::new(lookup)];
    let signed = Asked::new(ORDINARY).signed(CustomerId("ana".to_owned()));
    let (_, closing) = shown(&looked, signed).await;
    assert_eq!(closing.trace.whole, Some(WhyWhole::Outsiders));
}

#[tokio::test]
async fn a_shop_may_force_one_of_the_two() {
    let mut world = world("Returns are free. [shelf#1]");
    world.settings.release = ReleaseSettings::new(ReleaseMode::Whole, &Packs::default());
    assert_eq!(shown(&world, Asked::new(ORDINARY)).await.1.trace.whole, Some(WhyWhole::Shop));
    world.model = Arc::new(LinesModel::saying(&["Returns are free. [shelf#1]"]));
    world.settings.release = ReleaseSettings::new(ReleaseMode::Sentence, &Packs::default());
    assert_eq!(shown(&world, Asked::new("Are returns free, and a refund?")).await.1.trace.whole, None);
}

#[tokio::test]
async fn a_promise_of_money_waits_where_nothing_was_shown_and_the_model_finishes() {
    let said = "Of course we will refund you. Returns are free. [shelf#1]";
    let world = world(said);
    let (sentences, closing) = shown(&world, Asked::new(ORDINARY)).await;
    assert_eq!((sentences, closing.ending), (Vec::new(), Ending::Held));
    assert_eq!(world.desk.inbox.lock().unwrap().first().unwrap().answer, said, "the whole text");
}

#[tokio::test]
async fn behind_what_was_shown_a_promise_of_money_is_stopped_and_not_held() {
    // In the middle, and as the last sentence, which comes with the end.
    for said in [
        "Returns are free. [shelf#1] We will refund you. Bye.",
        "Returns are free. [shelf#1] We will refund you.",
    ] {
        let world = world(said);
        let (sentences, closing) = shown(&world, Asked::new(ORDINARY)).await;
        let rule = closing.rule.unwrap().0;
        assert_eq!((closing.ending, rule.as_str()), (Ending::Withheld, RuleName::PROMISE_MONEY), "{said}");
        assert!(!sentences.concat().contains("refund"), "{sentences:?}");
        let inbox = world.desk.inbox.lock().unwrap();
        let entry = inbox.first().unwrap();
        assert_eq!((entry.ending, inbox.len()), (Ending::Withheld, 1));
        assert_eq!(entry.evidence.contains("behind what was shown"), !sentences.is_empty());
    }
}
