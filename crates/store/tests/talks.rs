//! Conversations and turns: what is acknowledged is there, and of the assistant and the colleagues one has the word.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_language::Lang;
use mostrador_store::{
    Conversation, Feedback, Line, Speaker, Store, StoreError, StoreOptions, Taken, TurnRecord,
};
use serde_json::json;

fn id(name: &str) -> ConversationId {
    ConversationId(name.to_owned())
}

fn customer(name: &str) -> Option<CustomerId> {
    Some(CustomerId(name.to_owned()))
}

fn conversation(name: &str) -> Conversation {
    Conversation {
        id: id(name),
        customer: None,
        language: Lang::ES,
        address: None,
        started: UnixMillis(1),
        last: UnixMillis(1),
        taken: None,
    }
}

fn turn(number: u32, conversation: Option<&str>) -> TurnRecord {
    TurnRecord {
        turn: TurnId(format!("turn-{number}")),
        conversation: conversation.map(id),
        customer: None,
        question: format!("Question {number}?"),
        answer: json!({ "text": format!("Answer {number}.") }),
        text: format!("Answer {number}."),
        citations: json!([{ "source": "returns#1", "file": "returns.md", "headings": [], "text": "30 days" }]),
        record: json!({ "raw": "for operators" }),
        ending: "answered".to_owned(),
        rule: Some("promise.money".to_owned()),
        language: Lang::BG,
        cost: Micros(12),
        input_tokens: 100,
        output_tokens: 20,
        took_ms: 250,
        at: UnixMillis(i64::from(number)),
    }
}

fn said(lines: &[Line]) -> Vec<(Speaker, &str)> {
    lines.iter().map(|line| (line.speaker, line.text.as_str())).collect()
}

async fn opened() -> Store {
    let store = Store::in_memory().await.unwrap();
    store.open_conversation(&conversation("talk-1")).await.unwrap();
    store
}

#[tokio::test]
async fn a_conversation_reads_back_as_it_was_opened() {
    let store = Store::in_memory().await.unwrap();
    let signed = Conversation {
        customer: customer("ana"),
        address: Some("ana@shop.example".to_owned()),
        taken: Some(Taken { person: "eva".to_owned(), at: UnixMillis(3) }),
        ..conversation("talk-1")
    };
    store.open_conversation(&signed).await.unwrap();
    assert_eq!(store.conversation(&id("talk-1")).await.unwrap(), Some(signed));
    assert_eq!(store.conversation(&id("talk-2")).await.unwrap(), None);
    let again = store.open_conversation(&conversation("talk-1")).await.unwrap_err();
    assert!(matches!(again, StoreError::OpenBefore(_)), "{again}");
    store.set_address(&id("talk-1"), "a@b.example").await.unwrap();
    let now = store.conversation(&id("talk-1")).await.unwrap().unwrap();
    assert_eq!((now.address.as_deref(), now.customer), (Some("a@b.example"), customer("ana")));
    let unknown = store.set_address(&id("talk-2"), "a@b.example").await.unwrap_err();
    assert!(matches!(unknown, StoreError::NoConversation(_)), "{unknown}");
}

#[tokio::test]
async fn a_turn_reads_back_and_is_two_lines_of_its_conversation() {
    let store = opened().await;
    store.keep_turn(&turn(7, Some("talk-1"))).await.unwrap();
    assert_eq!(store.turn(&TurnId("turn-7".to_owned())).await.unwrap(), Some(turn(7, Some("talk-1"))));
    let lines = store.lines(&id("talk-1"), 0, 10).await.unwrap();
    assert_eq!(said(&lines), [(Speaker::Customer, "Question 7?"), (Speaker::Assistant, "Answer 7.")]);
    assert_eq!((&lines[0].citations, &lines[0].ending), (&json!([]), &None));
    assert_eq!(lines[1].citations, turn(7, None).citations);
    assert_eq!((lines[1].ending.as_deref(), &lines[1].turn), (Some("answered"), &Some(turn(7, None).turn)));
    assert_eq!(store.conversation(&id("talk-1")).await.unwrap().unwrap().last, UnixMillis(7));

    let again = store.keep_turn(&turn(7, Some("talk-1"))).await.unwrap_err();
    assert!(matches!(again, StoreError::KeptBefore(_)), "{again}");
    assert_eq!(store.lines(&id("talk-1"), 0, 10).await.unwrap(), lines, "nothing was changed");
}

#[tokio::test]
async fn a_turn_outside_conversations_has_no_lines_and_is_listed() {
    let store = opened().await;
    for number in 1..=3 {
        store.keep_turn(&turn(number, None)).await.unwrap();
    }
    let newest = store.list_turns(2, None).await.unwrap();
    let names = newest.iter().map(|(_, turn)| turn.turn.0.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["turn-3", "turn-2"]);
    let older = store.list_turns(2, Some(newest[1].0)).await.unwrap();
    assert_eq!(older.iter().map(|(_, turn)| turn).collect::<Vec<_>>(), [&turn(1, None)]);
    assert_eq!(store.lines(&id("talk-1"), 0, 10).await.unwrap(), []);
}

#[tokio::test]
async fn a_turn_of_a_conversation_that_is_not_there_or_is_anothers_is_not_kept() {
    let store = opened().await;
    store
        .open_conversation(&Conversation { customer: customer("ana"), ..conversation("talk-2") })
        .await
        .unwrap();
    let signed = |number, customer| TurnRecord { customer, ..turn(number, Some("talk-2")) };
    for foreign in [turn(1, Some("talk-3")), signed(1, None), signed(1, customer("max"))] {
        let error = store.keep_turn(&foreign).await.unwrap_err();
        assert!(matches!(error, StoreError::NoConversation(_)), "{error}");
    }
    assert_eq!(store.list_turns(10, None).await.unwrap(), []);
    store.keep_turn(&signed(1, customer("ana"))).await.unwrap();
    // Who signs in half-way goes on where they were.
    let later = TurnRecord { customer: customer("ana"), ..turn(2, Some("talk-1")) };
    store.keep_turn(&later).await.unwrap();
    let lines = store.lines(&id("talk-1"), 0, 10).await.unwrap();
    assert_eq!(said(&lines), [(Speaker::Customer, "Question 2?"), (Speaker::Assistant, "Answer 2.")]);
}

#[tokio::test]
async fn lines_come_by_number_and_from_the_end() {
    let store = opened().await;
    store.open_conversation(&conversation("talk-2")).await.unwrap();
    for number in 1..=3 {
        store.keep_turn(&turn(number, Some("talk-1"))).await.unwrap();
        store.keep_turn(&turn(10 + number, Some("talk-2"))).await.unwrap();
    }
    let all = store.lines(&id("talk-1"), 0, 10).await.unwrap();
    assert_eq!(all.len(), 6);
    assert!(all.is_sorted_by_key(|line| line.id));
    assert_eq!(store.lines(&id("talk-1"), all[1].id, 2).await.unwrap(), all[2..4]);
    assert_eq!(store.last_lines(&id("talk-1"), 3).await.unwrap(), all[3..]);
    assert_eq!(store.lines(&id("talk-1"), all[5].id, 2).await.unwrap(), []);
}

#[tokio::test]
async fn conversations_are_listed_by_their_last_word() {
    let store = Store::in_memory().await.unwrap();
    for name in ["talk-1", "talk-2", "talk-3"] {
        store.open_conversation(&conversation(name)).await.unwrap();
    }
    store.keep_turn(&turn(9, Some("talk-1"))).await.unwrap();
    store.keep_turn(&turn(5, Some("talk-3"))).await.unwrap();
    let heads = store.list_conversations(2, None).await.unwrap();
    let listed = heads.iter().map(|head| {
        (head.conversation.id.0.as_str(), head.last_line.as_ref().map(|line| line.text.as_str()))
    });
    assert_eq!(listed.collect::<Vec<_>>(), [("talk-1", Some("Answer 9.")), ("talk-3", Some("Answer 5."))]);
    let older = store.list_conversations(2, Some(heads[1].conversation.last)).await.unwrap();
    assert_eq!((older.len(), older[0].conversation.id.0.as_str(), &older[0].last_line), (1, "talk-2", &None));
}

#[tokio::test]
async fn while_a_colleague_has_the_word_the_assistant_says_nothing() {
    let store = opened().await;
    let talk = id("talk-1");
    let early = store.customer_line(&talk, "hello?", UnixMillis(2)).await.unwrap_err();
    assert!(matches!(early, StoreError::NotTaken(_)), "{early}");
    let taken = store.take_over(&talk, "eva", UnixMillis(3)).await.unwrap();
    assert_eq!(store.take_over(&talk, "eva", UnixMillis(9)).await.unwrap(), taken, "once more is the same");
    let other = store.take_over(&talk, "max", UnixMillis(9)).await.unwrap_err();
    assert!(matches!(&other, StoreError::TakenBefore { taken } if taken.person == "eva"), "{other}");

    store.keep_turn(&turn(4, Some("talk-1"))).await.unwrap();
    store.customer_line(&talk, "Are you there?", UnixMillis(5)).await.unwrap();
    let line = store.say(&talk, "eva", "I am.", UnixMillis(6)).await.unwrap();
    assert_eq!((line.speaker, line.person.as_deref(), &line.turn), (Speaker::Colleague, Some("eva"), &None));
    let foreign = store.say(&talk, "max", "So am I.", UnixMillis(6)).await.unwrap_err();
    assert!(matches!(foreign, StoreError::NotTaken(_)), "{foreign}");
    let lines = store.lines(&talk, 0, 10).await.unwrap();
    assert_eq!(
        said(&lines),
        [
            (Speaker::Customer, "Question 4?"),
            (Speaker::Customer, "Are you there?"),
            (Speaker::Colleague, "I am."),
        ]
    );
    assert_eq!(lines[2], line);
    assert_eq!(store.conversation(&talk).await.unwrap().unwrap().last, UnixMillis(6));

    for (person, force, given) in [("max", false, false), ("max", true, true), ("eva", false, false)] {
        assert_eq!(store.give_back(&talk, person, UnixMillis(7), force).await.is_ok(), given, "{person}");
    }
    store.keep_turn(&turn(8, Some("talk-1"))).await.unwrap();
    let last = store.last_lines(&talk, 1).await.unwrap();
    assert_eq!(said(&last), [(Speaker::Assistant, "Answer 8.")]);
    let nowhere = store.take_over(&id("talk-2"), "eva", UnixMillis(3)).await.unwrap_err();
    assert!(matches!(nowhere, StoreError::NoConversation(_)), "{nowhere}");
}

/// Two programs on one file: whatever the moment, what is said by the assistant stands before the colleague's hand.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_line_of_the_assistant_comes_after_a_colleague_took_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let bot = Store::open(&path, StoreOptions::default()).await.unwrap();
    let console = Store::open(&path, StoreOptions::default()).await.unwrap();
    let mut silent = 0;
    for round in 0..25_u32 {
        let name = format!("talk-{round}");
        bot.open_conversation(&conversation(&name)).await.unwrap();
        let turns = (0..8).map(|number| {
            let (bot, name) = (bot.clone(), name.clone());
            tokio::spawn(async move { bot.keep_turn(&turn(100 * round + number, Some(&name))).await })
        });
        let turns = turns.collect::<Vec<_>>();
        console.take_over(&id(&name), "eva", UnixMillis(1)).await.unwrap();
        let mark = console.say(&id(&name), "eva", "Good day.", UnixMillis(1)).await.unwrap().id;
        for kept in turns {
            kept.await.unwrap().unwrap();
        }
        let lines = console.lines(&id(&name), 0, 100).await.unwrap();
        silent += 8 - lines.iter().filter(|line| line.speaker == Speaker::Assistant).count();
        assert_eq!(lines.iter().filter(|line| line.speaker == Speaker::Customer).count(), 8);
        let after = lines.iter().filter(|line| line.id > mark && line.speaker == Speaker::Assistant);
        assert_eq!(after.count(), 0);
    }
    println!("of 200 turns {silent} were silent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_take_over_at_once_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let stores = [
        Store::open(&path, StoreOptions::default()).await.unwrap(),
        Store::open(&path, StoreOptions::default()).await.unwrap(),
    ];
    stores[0].open_conversation(&conversation("talk-1")).await.unwrap();
    let taking = (0..6).map(|person: usize| {
        let store = stores[person % 2].clone();
        tokio::spawn(
            async move { store.take_over(&id("talk-1"), &format!("p{person}"), UnixMillis(1)).await },
        )
    });
    let mut made = Vec::new();
    for taken in taking.collect::<Vec<_>>() {
        match taken.await.unwrap() {
            Ok(taken) => made.push(taken),
            Err(StoreError::TakenBefore { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(made.len(), 1);
    assert_eq!(stores[1].conversation(&id("talk-1")).await.unwrap().unwrap().taken, made.pop());
}

#[tokio::test]
async fn the_last_word_of_feedback_counts() {
    let store = opened().await;
    store.keep_turn(&turn(1, None)).await.unwrap();
    let name = TurnId("turn-1".to_owned());
    assert_eq!(store.feedback(&name).await.unwrap(), None);
    assert!(store.keep_feedback(&name, true, Some("thanks"), UnixMillis(2)).await.unwrap());
    assert!(store.keep_feedback(&name, false, None, UnixMillis(3)).await.unwrap());
    let last = Feedback { helpful: false, comment: None, at: UnixMillis(3) };
    assert_eq!(store.feedback(&name).await.unwrap(), Some(last));
    let unknown = TurnId("turn-2".to_owned());
    assert!(!store.keep_feedback(&unknown, true, None, UnixMillis(2)).await.unwrap());
}
