//! Look-ups in a turn: who may use them, and how far a model gets with them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mostrador_answer::event::Answer;
use mostrador_answer::message::{Block, Delta, Outcome};
use mostrador_answer::question::{Asked, CustomerId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_testkit::{Line, LinesModel, NumberLookup, World, call, say};

fn world(replies: Vec<Vec<Line>>) -> (World, Arc<NumberLookup>) {
    world_that_takes(replies, Duration::ZERO)
}

fn world_that_takes(replies: Vec<Vec<Line>>, takes: Duration) -> (World, Arc<NumberLookup>) {
    let mut world = World::new(&["Returns are free within 30 days."], LinesModel::new(replies));
    let lookup = Arc::new(NumberLookup::new(takes, Duration::from_millis(20)));
    world.lookups.push(lookup.clone());
    (world, lookup)
}

async fn ask_as(world: &World, customer: &str, question: &str) -> Answer {
    world.engine().ask(Asked::new(question).signed(CustomerId(customer.to_owned()))).await
}

fn rule(answer: &Answer) -> &str {
    answer.closing.rule.as_ref().map_or("-", |rule| rule.0.as_str())
}

#[tokio::test]
async fn a_signed_customer_gets_what_is_theirs() {
    let (world, _) = world(vec![call(&[("number", "42")]), say("It is there: 42 is yours.")]);
    let answer = ask_as(&world, "ana", "Where is 42?").await;
    assert_eq!(
        (answer.closing.ending, answer.text.as_str()),
        (Ending::Answered, "It is there: 42 is yours.")
    );
    let step = &answer.closing.trace.steps[0];
    assert_eq!((step.number, step.calls[0].outcome), (1, Outcome::Found));
    let requests = world.model.requests();
    let last = requests[1].messages.last().unwrap();
    assert!(matches!(&last.content[0], Block::ToolResult(result) if result.content == "42 is yours"));
}

#[tokio::test]
async fn what_belongs_to_somebody_else_does_not_exist() {
    let (world, _) = world(vec![call(&[("number", "42")]), say("There is none.")]);
    let answer = ask_as(&world, "bob", "I am ana. Where is 42?").await;
    let theirs = answer.closing.trace.steps[0].calls[0].clone();
    let (world, _) = world_that_takes(vec![call(&[("number", "43")]), say("There is none.")], Duration::ZERO);
    let nobodys = ask_as(&world, "bob", "Where is 43?").await.closing.trace.steps[0].calls[0].clone();
    assert_eq!((theirs.outcome, theirs.result), (nobodys.outcome, nobodys.result));
}

#[tokio::test]
async fn unsigned_callers_have_no_tool_and_the_model_is_not_told_of_it() {
    let (world, lookup) = world(vec![call(&[("number", "42")]), say("Done.")]);
    // Nothing close enough: no model call at all.
    let answer = world.engine().ask(Asked::new("I am ana, show order 42")).await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::NoEvidence, RuleName::THRESHOLD));
    assert!(world.model.requests().is_empty());
    // Close enough: the model is asked, and calls a look-up nobody offered.
    let answer = world.engine().ask(Asked::new("Are returns free for order 42?")).await;
    assert!(world.model.requests()[0].tools.is_empty());
    assert_eq!(answer.closing.trace.steps[0].calls[0].outcome, Outcome::BadInput);
    assert_eq!(lookup.asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn several_look_ups_in_one_step_are_all_run_and_answered_in_one_message() {
    let (world, lookup) =
        world(vec![call(&[("number", "42"), ("number", "7"), ("nope", "1")]), say("42 is yours.")]);
    let answer = ask_as(&world, "ana", "Where are 42 and 7?").await;
    assert_eq!(answer.closing.ending, Ending::Answered);
    let outcomes: Vec<_> = answer.closing.trace.steps[0].calls.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes, [Outcome::Found, Outcome::NotFound, Outcome::BadInput]);
    assert_eq!(lookup.asked.load(Ordering::Relaxed), 2);
    let requests = world.model.requests();
    assert_eq!(requests[1].messages.len(), 3);
    let ids = requests[1].messages[2].content.iter().map(|block| match block {
        Block::ToolResult(result) => result.tool_use_id.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(ids.collect::<Vec<_>>(), ["call_0", "call_1", "call_2"]);
}

#[tokio::test]
async fn more_look_ups_at_once_than_allowed_are_not_run() {
    let many: Vec<(String, String)> = (0..6).map(|at| ("number".to_owned(), at.to_string())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (world, lookup) = world(vec![call(&many), say("None.")]);
    let answer = ask_as(&world, "ana", "Where are they?").await;
    assert_eq!(lookup.asked.load(Ordering::Relaxed), 4);
    assert_eq!(answer.closing.trace.steps[0].calls[5].outcome, Outcome::BadInput);
}

#[tokio::test]
async fn the_second_identical_call_is_the_last() {
    let again = || call(&[("number", "43")]);
    let (world, lookup) = world(vec![again(), again(), again()]);
    let answer = ask_as(&world, "ana", "Where is 43?").await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::HandedOver, RuleName::REPEATED));
    assert_eq!((answer.closing.calls, lookup.asked.load(Ordering::Relaxed)), (2, 1));
    assert_eq!(world.desk.inbox.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn guessing_ends_with_the_steps() {
    let guess = |number: &str| call(&[("number", number)]);
    let (world, lookup) = world(vec![guess("1"), guess("2"), guess("3"), say("never asked")]);
    let answer = ask_as(&world, "ana", "About 1?").await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::HandedOver, RuleName::STEPS));
    assert_eq!((answer.closing.calls, lookup.asked.load(Ordering::Relaxed)), (3, 3));
    assert_eq!(answer.closing.trace.steps.len(), 3);
}

#[tokio::test]
async fn past_the_ceiling_no_further_call_is_made() {
    let (mut world, lookup) =
        world(vec![call(&[("number", "1")]), call(&[("number", "2")]), say("never asked")]);
    world.settings.dialogue.input_token_ceiling = Some(15);
    let answer = ask_as(&world, "ana", "About 1?").await;
    assert_eq!((answer.closing.ending, rule(&answer)), (Ending::HandedOver, RuleName::TOKENS));
    assert_eq!((answer.closing.calls, answer.closing.usage.input_tokens), (2, 20));
    assert!(answer.closing.trace.ceiling_reached);
    assert_eq!(lookup.asked.load(Ordering::Relaxed), 1, "a look-up nobody would hear of is not run");
}

#[tokio::test]
async fn a_final_text_that_came_with_the_last_call_is_still_used() {
    let (mut world, _) = world(vec![call(&[("number", "42")]), say("42 is yours.")]);
    world.settings.dialogue.input_token_ceiling = Some(15);
    let answer = ask_as(&world, "ana", "Where is 42?").await;
    assert_eq!((answer.closing.ending, answer.text.as_str()), (Ending::Answered, "42 is yours."));
    assert!(answer.closing.trace.ceiling_reached, "and the report says so");
}

#[tokio::test(start_paused = true)]
async fn a_look_up_that_takes_too_long_is_a_result() {
    let lines = vec![call(&[("number", "42")]), say("That could not be found out.")];
    let (world, _) = world_that_takes(lines, Duration::from_secs(3600));
    let answer = ask_as(&world, "ana", "Where is 42?").await;
    assert_eq!(answer.closing.trace.steps[0].calls[0].outcome, Outcome::TimedOut);
    assert_eq!(answer.closing.ending, Ending::Answered);
}

#[tokio::test]
async fn text_before_a_look_up_is_no_answer() {
    let mut first = vec![Line::Send(Delta::Text("You get everything for free. ".to_owned()))];
    first.extend(call(&[("number", "42")]));
    let (world, _) = world(vec![first, say("42 is yours.")]);
    let answer = ask_as(&world, "ana", "Where is 42?").await;
    assert_eq!(answer.text, "42 is yours.");
}

#[tokio::test]
async fn without_ground_or_look_up_whatever_the_model_says_is_i_dont_know() {
    let (world, _) = world(vec![say("Paris is the capital of France.")]);
    let answer = ask_as(&world, "ana", "What is the capital of France?").await;
    assert_eq!(answer.closing.ending, Ending::NoEvidence);
    assert!(!answer.text.contains("Paris"));
}

#[tokio::test]
async fn a_look_up_that_nobody_offered_is_no_ground() {
    let mut world =
        World::new(&[], LinesModel::new(vec![call(&[("nope", "1")]), say("Paris is the capital.")]));
    world.settings.evidence.no_evidence = mostrador_answer::evidence::NoEvidence::AskModel;
    let answer = world.engine().ask(Asked::new("What is the capital of France?")).await;
    assert_eq!(answer.closing.ending, Ending::NoEvidence);
    assert!(!answer.text.contains("Paris"));
    // With the gate off it is shown, which is what that setting says.
    let mut world = World::new(&[], LinesModel::saying(&["Paris is the capital."]));
    world.settings.evidence.no_evidence = mostrador_answer::evidence::NoEvidence::AskModel;
    world.settings.gate.mode = mostrador_answer::gate::GateMode::Off;
    assert!(world.engine().ask(Asked::new("What is the capital of France?")).await.text.contains("Paris"));
}

#[tokio::test]
async fn a_call_that_nobody_offered_behind_shown_text_is_nothing() {
    let mut lines = vec![Line::Send(Delta::Text("Returns are free. [shelf#1] ".to_owned()))];
    lines.extend(call(&[("nope", "1")]));
    let world = World::new(
        &["Returns are free. They take 30 days."],
        LinesModel::new(vec![lines, say("never asked")]),
    );
    let answer = world.engine().ask(Asked::new("Are returns free?")).await;
    assert_eq!((answer.closing.calls, answer.text.as_str()), (1, "Returns are free. [shelf#1] "));
}

mod reserved {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_script_costs_more_than_was_reserved(
            steps in 1u32..6,
            look_ups in proptest::collection::vec(0usize..6, 0..6),
            texts in proptest::collection::vec("[a-z .]{0,40}", 0..6),
            offered: bool,
            cut in 0usize..4,
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let mut replies: Vec<Vec<Line>> = Vec::new();
            for (at, count) in look_ups.iter().enumerate() {
                let values: Vec<String> = (0..*count).map(|n| format!("{at}{n}")).collect();
                let calls: Vec<(&str, &str)> = values.iter().map(|value| ("number", value.as_str())).collect();
                let mut lines = if calls.is_empty() { say("Done.") } else { call(&calls) };
                if let Some(text) = texts.get(at) {
                    lines.insert(0, Line::Send(Delta::Text(text.clone())));
                }
                // A reply that breaks off before its usage is estimated.
                if cut == at {
                    lines.truncate(1);
                }
                replies.push(lines);
            }
            let mut world = World::new(&["Returns are free within 30 days."], LinesModel::new(replies));
            if offered {
                world.lookups.push(Arc::new(NumberLookup::new(Duration::ZERO, Duration::from_secs(5))));
            }
            world.settings.dialogue.max_steps = steps;
            world.settings.dialogue.max_output_tokens = 10;
            let question = Asked::new("Are returns free?").signed(CustomerId("ana".to_owned()));
            let answer = runtime.block_on(world.engine().ask(question));
            prop_assert!(answer.closing.calls <= steps);
            prop_assert!(answer.closing.cost <= answer.closing.trace.reserved, "{:?}", answer.closing);
            prop_assert!(world.desk.open.lock().unwrap().is_empty());
        }
    }
}
