//! What goes wrong in systems like this one, by the number that the list of hard cases gives it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use mostrador_answer::event::{Closing, Event};
use mostrador_answer::gate::OnFailure;
use mostrador_answer::message::{Delta, Outcome, StopReason};
use mostrador_answer::question::{Asked, CustomerId, Previous};
use mostrador_answer::refusal::RefusalSettings;
use mostrador_answer::rules::{Action, Rule, Rules};
use mostrador_answer::stop::Ending;
use mostrador_language::{Category, Lang, Packs};
use mostrador_testkit::{Line, LinesModel, NumberLookup, World, call, end};

fn world(texts: &[&str], said: &str) -> World {
    let mut world = World::new(texts, LinesModel::saying(&[said]));
    world.settings.gate.on_failure = OnFailure::Withhold;
    world.settings.retrieval.top_k = 4;
    world
}

struct Seen {
    sentences: Vec<String>,
    cited: Vec<String>,
    closing: Closing,
}

async fn ask(world: &World, asked: Asked) -> Seen {
    let mut turn = world.engine().start(asked);
    let (mut sentences, mut cited) = (Vec::new(), Vec::new());
    while let Some(event) = turn.next().await {
        match event {
            Event::Sentence(sentence) => sentences.push(sentence.text().to_owned()),
            Event::Citation(citation) => cited.push(citation.source.to_string()),
            Event::Done(closing) => return Seen { sentences, cited, closing: *closing },
            _ => {}
        }
    }
    panic!("no end")
}

fn rule(seen: &Seen) -> &str {
    seen.closing.rule.as_ref().map_or("-", |rule| rule.0.as_str())
}

fn after(previous: &str, question: &str) -> Asked {
    Asked { previous: Some(Previous::question(previous)), ..Asked::new(question) }
}

/// 5. A follow-up loses its subject.
#[tokio::test]
async fn hard_case_5_a_follow_up_is_joined_to_the_question_before_for_search_and_refusal() {
    let texts = ["A tyre change for a Model 3 takes an hour.", "A service for a Model 3 costs ninety euros."];
    let mut world = world(&texts, "A service for a Model 3 costs ninety euros. [shelf#2]");
    let alone = ask(&world, Asked::new("And a service?")).await;
    assert_eq!((alone.closing.ending, alone.closing.calls), (Ending::NoEvidence, 0));
    let joined = ask(&world, after("Tyre change for a Model 3?", "And a service?")).await;
    assert_eq!((joined.closing.ending, joined.cited), (Ending::Answered, vec!["shelf#2".to_owned()]));

    world.settings.refusal =
        RefusalSettings::new(&Packs::default(), &Category::ALL, &[], Vec::new(), Lang::EN).unwrap();
    let refused = ask(&world, after("Can you give me a better", "price for a service?")).await;
    assert_eq!(rule(&refused), "refusal.terms");
}

/// 7. A citation to a source that was not given, or the wrong one.
#[tokio::test]
async fn hard_case_7_a_citation_is_one_of_those_given_and_the_right_one() {
    let texts = [
        "Delivery takes 3 days.",
        "Delivery to Malta takes 5 days.",
        "Delivery of bicycles takes 9 days.",
        "Delivery takes 3 days in winter too.",
    ];
    for (said, failed) in [
        ("Delivery takes 3 days. [7]", Some("gate.marker-out-of-range")),
        ("Delivery takes 3 days. [shelf#7]", Some("gate.marker-out-of-range")),
        ("Delivery takes 3 days. [shelf#1][shelf#7]", Some("gate.marker-out-of-range")),
        ("Delivery takes 3 days. [shelf#3]", Some("gate.value-not-in-source")),
        ("Delivery takes 3 days.", Some("gate.no-marker")),
        ("Delivery takes 3 days. [shelf#4][shelf#1][shelf#4]", None),
    ] {
        let seen = ask(&world(&texts, said), Asked::new("How many days does delivery take in winter?")).await;
        assert_eq!(seen.closing.rule.map(|rule| rule.0).as_deref(), failed, "{said}");
        match failed {
            // Each once, in the order of the sentence.
            None => assert_eq!(seen.cited, ["shelf#4", "shelf#1"]),
            Some(_) => assert_eq!((seen.sentences, seen.cited), (Vec::new(), Vec::new()), "{said}"),
        }
    }
}

/// 8. Links are cut, mis-parsed or invented.
#[tokio::test]
async fn hard_case_8_only_whole_links_of_sources_or_look_ups_are_shown() {
    let texts = ["The returns form is at https://shop.example/r, for all returns."];
    for (said, passes) in [
        ("The returns form: see (https://shop.example/r). [shelf#1]", true),
        ("The returns form is at https://shop.example/r. [shelf#1]", true),
        ("The returns form is at https://shop.example. [shelf#1]", false),
        ("The returns form is at https://shop.example/returns. [shelf#1]", false),
        ("The returns form is at http://evil.example/r. [shelf#1]", false),
        ("The [returns form](https://evil.example/r) is for all returns. [shelf#1]", false),
    ] {
        let seen = ask(&world(&texts, said), Asked::new("Where is the returns form?")).await;
        assert_eq!(seen.sentences.concat(), if passes { said } else { "" }, "{said}: {}", rule(&seen));
    }
    let told = "Number 42 is yours, at https://shop.example/n/42.";
    for (said, passes) in [(told, true), ("Number 42 is yours, at https://shop.example/n/43.", false)] {
        let mut world = world(&texts, "");
        world.model =
            Arc::new(LinesModel::new(vec![call(&[("number", "42")]), mostrador_testkit::say(said)]));
        let mut lookup = NumberLookup::new(Duration::ZERO, Duration::from_secs(1));
        lookup.found = "42 is yours, at https://shop.example/n/42".to_owned();
        world.lookups = vec![Arc::new(lookup)];
        let asked = Asked::new("Is number 42 mine?").signed(CustomerId("ana".to_owned()));
        let seen = ask(&world, asked).await;
        assert_eq!(seen.closing.trace.steps[0].calls[0].outcome, Outcome::Found);
        assert_eq!(seen.sentences.concat(), if passes { said } else { "" }, "{said}: {}", rule(&seen));
    }
}

fn pieces(pieces: &[&str], behind: Vec<Line>) -> LinesModel {
    let sent = pieces.iter().map(|piece| Line::Send(Delta::Text((*piece).to_owned())));
    LinesModel::new(vec![sent.chain(behind).collect()])
}

/// 22. The guard runs after bytes are sent.
#[tokio::test]
async fn hard_case_22_nothing_leaves_before_its_sentence_is_closed_and_checked() {
    let texts = ["The door opens with a code. Write to user@example.com about the door."];
    let question = "What is the code of the door?";
    let finished = || end(StopReason::EndTurn).map(Line::Send).collect::<Vec<_>>();
    let secret = Rule {
        name: "secret".to_owned(),
        reason: "secret".to_owned(),
        words: vec!["SECRET-1".to_owned()],
        pattern: None,
        action: Action::Stop,
    };
    // The forbidden word comes in two halves, and last.
    let mut guarded = world(&texts, "");
    guarded.settings.rules = Rules::new(vec![secret]).unwrap();
    let said = ["The door opens with a code. [shelf#1] ", "It opens with a code SEC", "RET-1."];
    guarded.model = Arc::new(pieces(&said, finished()));
    let seen = ask(&guarded, Asked::new(question)).await;
    assert_eq!(seen.sentences, ["The door opens with a code. [shelf#1] "]);
    assert_eq!((rule(&seen), seen.closing.ending), ("secret", Ending::Withheld));

    // An address in two pieces is one value of one sentence.
    let mut whole = world(&texts, "");
    whole.model = Arc::new(pieces(&["Write to user@exa", "mple.com about the door. [shelf#1]"], finished()));
    let seen = ask(&whole, Asked::new(question)).await;
    assert_eq!(seen.sentences, ["Write to user@example.com about the door. [shelf#1]"]);
    let mut other = world(&texts, "");
    other.model = Arc::new(pieces(&["Write to user@exa", "mple.org about the door. [shelf#1]"], finished()));
    let seen = ask(&other, Asked::new(question)).await;
    assert_eq!((seen.sentences.len(), rule(&seen)), (0, "gate.value-not-in-source"));
}

/// 22, seen from the customer's side: what has not ended is not there, however long it takes.
#[tokio::test(start_paused = true)]
async fn hard_case_22_an_open_sentence_is_not_sent_while_the_model_is_silent() {
    let texts = ["The door opens with a code. Write to user@example.com about the door."];
    let mut silent = world(&texts, "");
    let said = ["The door opens with a code. [shelf#1] ", "Write to user@exa"];
    silent.model = Arc::new(pieces(&said, vec![Line::Stall]));
    let seen = ask(&silent, Asked::new("What is the code of the door?")).await;
    assert_eq!(seen.sentences, ["The door opens with a code. [shelf#1] "]);
    assert_eq!(seen.closing.ending, Ending::HandedOver, "the time of the turn was up");
}
