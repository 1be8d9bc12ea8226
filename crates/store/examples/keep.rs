//! How many turns a second are reserved, settled and kept by so many tasks at once, on a file in a temporary folder.
#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made has to fail")]

use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Caps, Claim, Ledger, UnixMillis};
use mostrador_answer::question::{ConversationId, TurnId};
use mostrador_language::Lang;
use mostrador_store::{Conversation, Store, StoreOptions, TurnRecord};
use serde_json::json;
use tokio::time::Instant;

const TURNS: usize = 4_096;

fn turn(name: String, conversation: ConversationId) -> TurnRecord {
    TurnRecord {
        turn: TurnId(name),
        conversation: Some(conversation),
        customer: None,
        question: "Until when can I send a lamp back?".to_owned(),
        answer: json!({ "text": "You have 30 days to send it back.", "ending": "answered" }),
        text: "You have 30 days to send it back.".to_owned(),
        citations: json!([{ "source": "returns#1", "file": "returns.md", "headings": [], "text": "30 days" }]),
        record: json!({ "raw": "You have 30 days to send it back. [returns#1]", "trace": "room ".repeat(200) }),
        ending: "answered".to_owned(),
        rule: None,
        language: Lang::EN,
        cost: Micros(5),
        input_tokens: 100,
        output_tokens: 20,
        took_ms: 3,
        at: UnixMillis(0),
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    for (what, money) in [("kept", false), ("reserved, settled and kept", true)] {
        for tasks in [1, 16, 128] {
            let folder = tempfile::tempdir().unwrap();
            let store =
                Store::open(&folder.path().join("mostrador.db"), StoreOptions::default()).await.unwrap();
            let begun = Instant::now();
            let running = (0..tasks).map(|task| tokio::spawn(run(store.clone(), task, TURNS / tasks, money)));
            for task in running.collect::<Vec<_>>() {
                task.await.unwrap();
            }
            let seconds = begun.elapsed().as_secs_f64();
            let kept = store.list_turns(TURNS + 1, None).await.unwrap().len();
            println!(
                "{tasks:>3} tasks: {:.0} turns a second {what} ({kept} in {seconds:.2} s)",
                TURNS as f64 / seconds
            );
        }
    }
}

async fn run(store: Store, task: usize, turns: usize, money: bool) {
    let id = ConversationId(format!("talk-{task}"));
    let (started, last) = (UnixMillis(0), UnixMillis(0));
    let conversation = Conversation {
        id: id.clone(),
        customer: None,
        language: Lang::EN,
        address: None,
        started,
        last,
        taken: None,
    };
    store.open_conversation(&conversation).await.unwrap();
    for number in 0..turns {
        let name = format!("turn-{task}-{number}");
        let cap = Some(Micros(1_000_000_000));
        let caps = Caps { month: cap, day: cap, customer: None };
        let claim = Claim { turn: TurnId(name.clone()), bound: Micros(10), caps, at: UnixMillis(0) };
        let reserved = if money { Some(store.reserve(&claim).await.unwrap()) } else { None };
        if let Some(reserved) = reserved {
            store.settle(&reserved, Micros(5), Usage::default(), UnixMillis(0)).await.unwrap();
        }
        store.keep_turn(&turn(name, id.clone())).await.unwrap();
    }
}
