//! Where a request asks for an object, the models that write no JSON of their own reply with one, and recordings keep it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::sync::Arc;

use futures_util::StreamExt as _;
use mostrador_answer::actions::{ActionSettings, ReplyAction, reply};
use mostrador_answer::message::Request;
use mostrador_answer::ports::{Fault, Model, UnixMillis};
use mostrador_language::Lang;
use mostrador_models::{ExtractiveModel, RecordedModel, Recorder, ScriptError, ScriptedModel};
use mostrador_testkit::FixedClock;

use common::{ask, document, request};

const TEXT: &str = "Returns are free. They take \"30\" days.";

fn asked() -> Request {
    request(Lang::EN, &[document("returns#1", "", TEXT)], "Are returns free?")
}

fn shaped() -> Request {
    Request { output_schema: ActionSettings::new(ReplyAction::ALL).schema(), ..asked() }
}

fn script(rule: &str) -> ScriptedModel {
    ScriptedModel::from_toml(&format!("[[rules]]\n{rule}\n[[additions]]\nsay = \" \\\"Bye\\\".\"\n")).unwrap()
}

#[tokio::test]
async fn the_scripted_model_names_an_action_and_speaks_as_before_where_nobody_asks() {
    let refund = script("say = \"Done.\"\naction = \"refund\"");
    assert_eq!(ask(&refund, &shaped()).await.unwrap().text(), reply("refund", "Done. \"Bye\"."));
    assert_eq!(ask(&refund, &asked()).await.unwrap().text(), "Done. \"Bye\".");
    let answer = script("say = \"Free. [returns#1]\"");
    assert_eq!(ask(&answer, &shaped()).await.unwrap().text(), reply("answer", "Free. [returns#1] \"Bye\"."));
    let error =
        ScriptedModel::from_toml("[[rules]]\naction = \"refund\"\ncall = { tool = \"x\" }\n").unwrap_err();
    assert_eq!(error, ScriptError::ActionWithoutText(1));
}

#[tokio::test]
async fn what_quotes_the_pages_can_stand_behind_a_model_that_replies_with_an_object() {
    let model = ExtractiveModel::default();
    let text = ask(&model, &asked()).await.unwrap().text();
    assert!(!text.is_empty());
    assert_eq!(ask(&model, &shaped()).await.unwrap().text(), reply("answer", &text));
}

#[tokio::test]
async fn a_recording_is_found_again_only_where_an_object_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock(UnixMillis(0)));
    let live = Arc::new(script("say = \"Free.\""));
    let recorder = Recorder::new(live, None, folder.path().join("a.jsonl"), clock);
    let said = ask(&recorder, &shaped()).await.unwrap().text();
    let again = RecordedModel::load(folder.path(), "scripted", None).unwrap();
    assert_eq!(ask(&again, &shaped()).await.unwrap().text(), said);
    let missing = again.stream(Arc::new(asked())).next().await.unwrap().unwrap_err();
    assert_eq!(missing.fault, Fault::NotRecorded);
}
