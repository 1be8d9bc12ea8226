//! A structured reply: only what the shop allows is done with it, and nothing is shown before that is known.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use mostrador_answer::actions::{ActionSettings, ReplyAction, reply};
use mostrador_answer::budget::input_bound;
use mostrador_answer::event::{Closing, Event};
use mostrador_answer::message::{Delta, StopReason};
use mostrador_answer::question::Asked;
use mostrador_answer::rules::{Action, Rule, Rules};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::{Lang, Pack, TextKey};
use mostrador_testkit::{Line, LinesModel, World, end};

const RETURNS: &str = "Returns are free. They take 30 days.";
const ANSWER: &str = "Returns are free. [shelf#1] They take 30 days. [shelf#1]";

fn world(model: LinesModel) -> World {
    let mut world = World::new(&[RETURNS], model);
    world.settings.dialogue.actions = ActionSettings::new(ReplyAction::ALL);
    world
}

async fn events(world: &World) -> (Vec<String>, Closing) {
    let mut turn = world.engine().start(Asked::new("Are returns free?"));
    let mut seen = Vec::new();
    while let Some(event) = turn.next().await {
        match event {
            Event::Sentence(sentence) => seen.push(sentence.text().to_owned()),
            Event::Notice(notice) => seen.push(format!("notice: {}", notice.text())),
            Event::Done(closing) => return (seen, *closing),
            _ => {}
        }
    }
    panic!("no end")
}

fn notice(key: TextKey) -> String {
    format!("notice: {}", Pack::of(Lang::EN).texts[&key])
}

fn rule(closing: &Closing) -> &str {
    closing.rule.as_ref().map_or("-", |rule| rule.0.as_str())
}

#[tokio::test]
async fn an_allowed_answer_comes_by_the_sentence_and_the_model_is_told_the_shape() {
    let world = world(LinesModel::saying(&[&reply("answer", ANSWER)]));
    let (seen, closing) = events(&world).await;
    assert_eq!(seen, ["Returns are free. [shelf#1] ", "They take 30 days. [shelf#1]"]);
    assert_eq!((closing.ending, closing.raw.as_str()), (Ending::Answered, ANSWER));
    let request = &world.model.requests()[0];
    let schema = request.output_schema.as_ref().unwrap();
    assert_eq!(schema["properties"]["action"]["enum"], serde_json::json!(["answer", "handoff"]));
    let text = mostrador_answer::message::Request { output_schema: None, ..(**request).clone() };
    assert!(input_bound(request) > input_bound(&text), "the shape is paid for too");
}

#[tokio::test]
async fn an_action_that_is_not_allowed_stops_before_its_first_sentence() {
    // Whichever of the two the model writes first.
    let late = format!("{{\"answer\": {:?}, \"action\": \"refund\"}}", ANSWER);
    for said in [reply("refund", ANSWER), late] {
        let world = world(LinesModel::saying(&[&said]));
        let (seen, closing) = events(&world).await;
        assert_eq!(seen, [notice(TextKey::Hold)]);
        assert_eq!((closing.ending, rule(&closing)), (Ending::Withheld, RuleName::ACTION));
        assert_eq!(closing.evidence, "the action \"refund\"; allowed: answer, handoff");
        let inbox = world.desk.inbox.lock().unwrap();
        assert_eq!((inbox.len(), inbox[0].rule.0.as_str()), (1, RuleName::ACTION));
        assert!(inbox[0].answer.contains("refund"), "{}", inbox[0].answer);
        assert_eq!(world.desk.stops.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_hand_off_is_a_fixed_text_and_an_inbox_entry() {
    let world = world(LinesModel::saying(&[&reply("handoff", "A colleague will call you at once.")]));
    let (seen, closing) = events(&world).await;
    assert_eq!(seen, [notice(TextKey::Handoff)]);
    assert_eq!((closing.ending, rule(&closing)), (Ending::HandedOver, RuleName::ACTION_HANDOFF));
    assert_eq!(world.desk.inbox.lock().unwrap().len(), 1);
    assert_eq!(world.model.dropped(), 1, "nobody waits for what is not shown");
}

#[tokio::test]
async fn text_where_an_object_was_asked_for_is_not_shown() {
    for said in [ANSWER, "```json\n{}\n```", "{\"action\": \"answer\", \"answer\": \"Fr", ""] {
        let (seen, closing) = events(&world(LinesModel::saying(&[said]))).await;
        assert_eq!((seen, rule(&closing)), (vec![notice(TextKey::Hold)], RuleName::SHAPE), "{said}");
    }
}

#[tokio::test]
async fn rules_and_gate_judge_what_the_object_says() {
    let mut held = world(LinesModel::saying(&[&reply(
        "answer",
        "Returns are free. [shelf#1] A \u{201c}discount\u{201d}.",
    )]));
    held.settings.rules = Rules::new(vec![Rule {
        name: "no-discounts".to_owned(),
        reason: "discount".to_owned(),
        words: vec!["discount".to_owned()],
        pattern: None,
        action: Action::AwaitApproval,
    }])
    .unwrap();
    let (seen, closing) = events(&held).await;
    assert_eq!((seen, closing.ending), (vec![notice(TextKey::Hold)], Ending::Held));
    assert_eq!(
        held.desk.inbox.lock().unwrap()[0].answer,
        "Returns are free. [shelf#1] A \u{201c}discount\u{201d}."
    );
    let mut gated = world(LinesModel::saying(&[&reply("answer", "Returns take 90 days. [shelf#1]")]));
    gated.settings.gate.on_failure = mostrador_answer::gate::OnFailure::Withhold;
    assert_eq!(rule(&events(&gated).await.1), "gate.value-not-in-source");
    let nothing = world(LinesModel::saying(&[&reply("answer", "NOT_COVERED")]));
    assert_eq!(rule(&events(&nothing).await.1), RuleName::NOT_COVERED);
}

#[tokio::test]
async fn an_object_cut_by_its_limit_keeps_its_whole_sentences() {
    let text = "{\"action\": \"answer\", \"answer\": \"Returns are free. [shelf#1] They ta";
    let lines = std::iter::once(Line::Send(Delta::Text(text.to_owned())))
        .chain(end(StopReason::MaxTokens).map(Line::Send))
        .collect();
    let (seen, closing) = events(&world(LinesModel::new(vec![lines]))).await;
    assert_eq!(seen, ["Returns are free. [shelf#1] ".to_owned(), notice(TextKey::Truncated)]);
    assert_eq!(rule(&closing), RuleName::TRUNCATED);
}
