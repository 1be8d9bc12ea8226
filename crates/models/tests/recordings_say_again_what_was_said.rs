//! Recordings: what was said is said again, piece by piece; what was not is an error; and no key is ever in them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wires;

use std::path::Path;
use std::sync::Arc;

use mostrador_answer::message::{Delta, StopReason};
use mostrador_answer::ports::{Fault, Model, UnixMillis};
use mostrador_models::{Behind, CassetteError, FallbackModel, RecordedModel, Recorder};
use mostrador_testkit::{
    FakeProvider, FakeReply, FakeUsage, FixedClock, Line, LinesModel, Step, call, say, tool,
};

use wires::{KEY, WIRES, hear, model, question, settings, text};

const DAY: UnixMillis = UnixMillis(951_782_400_000);

fn recorder(model: Arc<dyn Model>, file: &Path) -> Recorder {
    Recorder::new(model, Some("0"), file.to_owned(), Arc::new(FixedClock(DAY)))
}

fn lines(replies: Vec<Vec<Line>>, file: &Path) -> Recorder {
    recorder(Arc::new(LinesModel::new(replies)), file)
}

fn load(folder: &Path) -> RecordedModel {
    RecordedModel::load(folder, "lines", Some("0")).unwrap()
}

/// A folder with one recording each of these replies, all to the same question.
async fn recorded(texts: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let recorder = lines(texts.iter().map(|text| say(text)).collect(), &folder.path().join("a.jsonl"));
    for _ in texts {
        hear(&recorder, question("Where is it?")).await;
    }
    folder
}

#[tokio::test]
async fn a_reply_comes_again_piece_by_piece_from_both_wires_and_without_the_key() {
    for wire in WIRES {
        let usage = FakeUsage { cached: 3, reasoning: 2, ..FakeUsage::new(10, 5) };
        let begin = vec![Step::Begin(usage), Step::Text("I ".to_owned()), Step::Text("look.".to_owned())];
        let end = vec![Step::End(StopReason::ToolUse, Some(usage))];
        let steps = [begin, tool(0, "a", "number", &["{\"value\":\"42\"}"]), end].concat();
        let provider = FakeProvider::start(vec![FakeReply::events(steps)]).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new").join("a.jsonl");
        let live = recorder(Arc::new(model(settings(wire, provider.address()))), &file);
        let (said, error) = hear(&live, question("Where is 42?")).await;
        assert_eq!(error, None);
        let written = std::fs::read_to_string(&file).unwrap();
        assert!(!written.contains(KEY) && !written.contains("very-secret"), "{written}");
        for part in ["Where is 42?", "2000-02-29", "\"model\":\"m\"", "\"temperature\":\"0\""] {
            assert!(written.contains(part), "{part}: {written}");
        }
        let again = RecordedModel::load(&folder.path().join("new"), "m", Some("0")).unwrap();
        assert_eq!((again.id(), again.counts_tokens(), again.requests()), (live.id(), true, 1));
        for _ in 0..2 {
            assert_eq!(hear(&again, question("Where is 42?")).await, (said.clone(), None));
        }
        assert_eq!(provider.heard().len(), 1);
    }
}

#[tokio::test]
async fn several_recordings_of_a_request_come_in_order_and_the_last_one_stays() {
    let folder = recorded(&["One.", "Two."]).await;
    let model = load(folder.path());
    assert_eq!(model.requests(), 1);
    for expected in ["One.", "Two.", "Two."] {
        assert_eq!(text(&hear(&model, question("Where is it?")).await.0), expected);
    }
}

#[tokio::test]
async fn what_was_not_recorded_is_an_error_that_says_how_to_record_it() {
    let folder = recorded(&["One."]).await;
    let mut other_prompt = question("Where is it?");
    other_prompt.system.push_str(" Be short.");
    let cases = [(question("Who are you?"), "Who are you?"), (other_prompt, "Where is it?")];
    for (request, asked) in cases {
        let error = hear(&load(folder.path()), request).await.1.unwrap();
        assert_eq!((error.fault, error.charged), (Fault::NotRecorded, false));
        let said = error.detail;
        assert!(said.contains(asked) && said.contains("mostrador record"), "{said}");
        assert!(said.contains(&folder.path().display().to_string()), "{said}");
    }
    for (name, temperature) in [("other", Some("0")), ("lines", Some("1")), ("lines", None)] {
        let model = RecordedModel::load(folder.path(), name, temperature).unwrap();
        let error = hear(&model, question("Where is it?")).await.1.unwrap();
        assert!(error.detail.contains("recordings of lines (temperature 0)"), "{error}");
    }
}

#[tokio::test]
async fn replies_without_an_end_are_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let piece = || Line::Send(Delta::Text("So".to_owned()));
    let cut = lines(vec![vec![piece(), Line::Fail]], &file);
    assert_eq!(hear(&cut, question("Where?")).await.1.unwrap().fault, Fault::BrokeOff);
    let left = lines(vec![vec![piece(), Line::Stall]], &file);
    let mut stream = left.stream(Arc::new(question("Where?")));
    assert!(futures_util::StreamExt::next(&mut stream).await.is_some());
    drop(stream);
    assert!(!file.exists());
}

#[tokio::test]
async fn a_recording_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = lines(vec![say("One.")], folder.path());
    let error = hear(&recorder, question("Where?")).await.1.unwrap();
    assert_eq!((error.fault, error.charged), (Fault::NotRecorded, true));
}

#[tokio::test]
async fn a_handover_is_part_of_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let second = Arc::new(LinesModel::new(vec![call(&[("number", "42")])]));
    let first = Arc::new(LinesModel::new(vec![vec![Line::Fail]]));
    let both = FallbackModel::new(first, vec![Behind { model: second, prices: None }]);
    let live = recorder(Arc::new(both), &folder.path().join("a.jsonl"));
    let said = hear(&live, question("Where?")).await;
    assert!(matches!(said.0[0], Delta::Handover(_)));
    assert_eq!(hear(&load(folder.path()), question("Where?")).await, said);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn recordings_at_the_same_time_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let long = "word ".repeat(3000);
    let tasks: Vec<_> = (0..16)
        .map(|at| {
            let recorder = lines(vec![say(&long)], &folder.path().join("a.jsonl"));
            tokio::spawn(async move { hear(&recorder, question(&format!("Question {at}?"))).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().1, None);
    }
    assert_eq!(load(folder.path()).requests(), 16);
}

#[tokio::test]
async fn what_is_no_recording_is_named_with_file_and_line() {
    let folder = recorded(&["One.", "Two."]).await;
    let file = folder.path().join("a.jsonl");
    let whole = std::fs::read_to_string(&file).unwrap();
    let (cut, _) = whole.split_at(whole.len() - 20);
    let cases = [
        (cut.to_owned(), 2, "column"),
        (whole.replacen("\"format\":1", "\"format\":2", 1), 1, "format 2"),
        (whole.replace("Where is it?", "Where am I?"), 1, "hash"),
        (format!("{whole}\nnonsense\n"), 4, "column"),
    ];
    for (text, at, says) in cases {
        std::fs::write(&file, text).unwrap();
        let error = RecordedModel::load(folder.path(), "lines", Some("0")).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, CassetteError::Line { line, .. } if line == at), "{said}");
        assert!(
            said.contains("a.jsonl") && said.contains(says) && said.contains("mostrador record"),
            "{said}"
        );
    }
    // A line that was cut takes the next one not with it.
    std::fs::write(&file, cut).unwrap();
    hear(&lines(vec![say("Three.")], &file), question("Where is it?")).await;
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept.lines().count(), 3);
    let third = kept.lines().last().unwrap();
    std::fs::write(&file, format!("{third}\n")).unwrap();
    assert_eq!(text(&hear(&load(folder.path()), question("Where is it?")).await.0), "Three.");
    let nowhere = RecordedModel::load(&folder.path().join("nowhere"), "m", None).unwrap_err();
    assert!(nowhere.to_string().contains("nowhere"), "{nowhere}");
}
