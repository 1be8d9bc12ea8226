//! What the first model cannot answer, the next one does: told, paid for, and only before anything was said.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wires;

use std::sync::Arc;

use mostrador_answer::message::{Delta, Handover};
use mostrador_answer::money::{Micros, Prices};
use mostrador_answer::ports::{Fault, Model};
use mostrador_answer::question::Asked;
use mostrador_answer::stop::Ending;
use mostrador_models::{Behind, FallbackModel, RecordedModel, Wire};
use mostrador_testkit::{FakeProvider, FakeReply, FakeUsage, Line, LinesModel, Step, World, say};

use wires::{WIRES, hear, model, question, settings, text};

const CHEAP: Prices = Prices {
    input_per_million: Micros(1_000_000),
    output_per_million: Micros(1_000_000),
    cached_input_per_million: None,
    long: None,
};

fn behind(model: LinesModel, prices: Option<Prices>) -> (Arc<LinesModel>, Behind) {
    let model = Arc::new(model);
    (model.clone(), Behind { model, prices })
}

async fn provider(wire: Wire, reply: FakeReply) -> (FakeProvider, Arc<dyn Model>) {
    let provider = FakeProvider::start(vec![reply]).await;
    let model = model(settings(wire, provider.address()));
    (provider, Arc::new(model))
}

#[tokio::test]
async fn the_next_model_goes_on_and_it_is_told_why() {
    for wire in WIRES {
        for (reply, fault, charged) in [
            (FakeReply::status(503, "busy"), Fault::ServerError, false),
            (FakeReply::status(401, ""), Fault::Unauthorised, false),
            (FakeReply::events(vec![Step::Begin(FakeUsage::new(9, 1)), Step::Close]), Fault::BrokeOff, true),
        ] {
            let (_provider, first) = provider(wire, reply).await;
            let (_, second) = behind(LinesModel::saying(&["Yes, free."]), Some(CHEAP));
            let both = FallbackModel::new(first, vec![second]);
            assert_eq!(both.id(), "m");
            let (deltas, error) = hear(&both, question("Where?")).await;
            assert_eq!((text(&deltas).as_str(), error), ("Yes, free.", None));
            let handovers: Vec<&Handover> = deltas
                .iter()
                .filter_map(|delta| match delta {
                    Delta::Handover(handover) => Some(handover.as_ref()),
                    _ => None,
                })
                .collect();
            let [handover] = handovers[..] else { panic!("{handovers:?}") };
            assert_eq!(
                (handover.model.as_str(), handover.prices, handover.charged),
                ("lines", Some(CHEAP), charged)
            );
            assert!(handover.counts_tokens && handover.because.contains(fault.name()), "{handover:?}");
        }
    }
}

#[tokio::test]
async fn models_take_turns_until_one_answers_and_the_last_error_is_told() {
    let failing = || LinesModel::new(vec![vec![Line::Fail]]);
    let (first, second) = (Arc::new(failing()), behind(failing(), None).1);
    let third = behind(LinesModel::saying(&["Yes."]), None).1;
    let three = FallbackModel::new(first, vec![second.clone(), third]);
    let (deltas, error) = hear(&three, question("Where?")).await;
    assert_eq!((deltas.iter().filter(|delta| matches!(delta, Delta::Handover(_))).count(), error), (2, None));
    let two = FallbackModel::new(Arc::new(failing()), vec![second]);
    let (deltas, error) = hear(&two, question("Where?")).await;
    assert_eq!((deltas.len(), error.unwrap().fault), (1, Fault::BrokeOff));
}

#[tokio::test]
async fn what_was_said_cannot_be_taken_back() {
    for wire in WIRES {
        let reply = FakeReply::events(vec![Step::Text("So".to_owned()), Step::Close]);
        let (_provider, first) = provider(wire, reply).await;
        let (second, stands) = behind(LinesModel::saying(&["never said"]), None);
        let (deltas, error) = hear(&FallbackModel::new(first, vec![stands]), question("Where?")).await;
        assert_eq!((text(&deltas).as_str(), error.unwrap().fault), ("So", Fault::BrokeOff));
        assert!(second.requests().is_empty());
    }
}

#[tokio::test]
async fn a_missing_recording_is_never_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let first = RecordedModel::load(folder.path(), "m", None).unwrap();
    let (second, stands) = behind(LinesModel::saying(&["never said"]), None);
    let (deltas, error) = hear(&FallbackModel::new(Arc::new(first), vec![stands]), question("Where?")).await;
    assert_eq!((deltas.len(), error.unwrap().fault), (0, Fault::NotRecorded));
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn a_turn_is_paid_at_the_prices_of_who_answered() {
    for (reply, cost) in [
        // 10 in, 5 out at one micro-unit each.
        (FakeReply::status(503, ""), 15),
        // And the 9 in at three that the first had begun to work on, with nothing heard.
        (FakeReply::events(vec![Step::Begin(FakeUsage::new(9, 1)), Step::Close]), 15 + 27),
    ] {
        let (_provider, first) = provider(Wire::Messages, reply).await;
        let (_, second) = behind(LinesModel::new(vec![say("Returns are free. [shelf#1]")]), Some(CHEAP));
        let world = World::new(&["Returns are free. They take 30 days."], LinesModel::default());
        let both = Arc::new(FallbackModel::new(first, vec![second]));
        let answer = world.engine_with(both).ask(Asked::new("Are returns free?")).await;
        assert_eq!(
            (answer.closing.ending, answer.text.as_str()),
            (Ending::Answered, "Returns are free. [shelf#1]")
        );
        assert_eq!((answer.closing.cost, answer.closing.trace.handovers.len()), (Micros(cost), 1));
        assert!(world.desk.open.lock().unwrap().is_empty());
    }
}
