//! The desk: entries end once, operators keep an owner, what is forgotten is gone from the file, and a copy is whole.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::time::Duration;

use mostrador_answer::approval::Approved;
use mostrador_answer::money::Micros;
use mostrador_answer::ports::{Inbox, InboxEntry, StopLog, StopNote, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_answer::voice::VoiceSettings;
use mostrador_language::Lang;
use mostrador_store::{
    Beside, Conversation, Forgotten, How, Role, Speaker, Store, StoreError, StoreOptions, TurnRecord,
};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

const SECRET: &str = "the-lamp-of-my-aunt";

fn talk(name: &str) -> ConversationId {
    ConversationId(name.to_owned())
}

async fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions::default()).await.unwrap()
}

async fn begin(store: &Store, name: &str, customer: Option<&str>, at: i64) {
    let conversation = Conversation {
        id: talk(name),
        customer: customer.map(|name| CustomerId(name.to_owned())),
        language: Lang::EN,
        address: None,
        started: UnixMillis(at),
        last: UnixMillis(at),
        taken: None,
    };
    store.open_conversation(&conversation).await.unwrap();
}

fn turn(number: i64, conversation: Option<&str>, customer: Option<&str>) -> TurnRecord {
    TurnRecord {
        turn: TurnId(format!("turn-{number}")),
        conversation: conversation.map(talk),
        customer: customer.map(|name| CustomerId(name.to_owned())),
        question: format!("{SECRET} {number}?"),
        answer: json!({ "text": SECRET }),
        text: format!("{SECRET}."),
        citations: json!([]),
        record: json!({ "raw": SECRET.repeat(500) }),
        ending: "held".to_owned(),
        rule: None,
        language: Lang::EN,
        cost: Micros(1),
        input_tokens: 1,
        output_tokens: 1,
        took_ms: 1,
        at: UnixMillis(number),
    }
}

fn entry(number: i64, ending: Ending, conversation: Option<&str>, customer: Option<&str>) -> InboxEntry {
    InboxEntry {
        turn: TurnId(format!("turn-{number}")),
        conversation: conversation.map(talk),
        customer: customer.map(|name| CustomerId(name.to_owned())),
        address: Some(format!("{SECRET}@shop.example")),
        ending,
        rule: RuleName::own(RuleName::PROMISE_MONEY),
        question: format!("{SECRET} {number}?"),
        answer: "We will refund you.".to_owned(),
        evidence: SECRET.to_owned(),
        language: Lang::EN,
        at: UnixMillis(number),
    }
}

async fn stop(store: &Store, number: i64, conversation: Option<&str>) {
    let note = StopNote {
        turn: TurnId(format!("turn-{number}")),
        conversation: conversation.map(talk),
        customer: None,
        ending: Ending::Held,
        rule: RuleName::own(RuleName::PROMISE_MONEY),
        evidence: SECRET.to_owned(),
        question: SECRET.to_owned(),
        at: UnixMillis(number),
    };
    store.note(&note).await.unwrap();
}

#[tokio::test]
async fn an_entry_ends_once_whichever_way() {
    let store = Store::in_memory().await.unwrap();
    begin(&store, "talk-1", None, 0).await;
    for number in 1..=3 {
        store.put(&entry(number, Ending::Held, Some("talk-1"), None)).await.unwrap();
    }
    store.put(&entry(4, Ending::NoEvidence, Some("elsewhere"), None)).await.unwrap();
    let open = async |endings: &[Ending]| {
        let items = store.open_inbox(endings, Beside::After(0), 10).await.unwrap();
        items.iter().map(|item| item.id).collect::<Vec<_>>()
    };
    assert_eq!(open(&Ending::ALL).await, [1, 2, 3, 4]);
    assert_eq!(open(&[Ending::NoEvidence]).await, [4]);

    let held = entry(1, Ending::Held, Some("talk-1"), None);
    let approved = Approved::new(&held, &VoiceSettings::default()).unwrap();
    store.decide(1, Some(&approved), "eva", UnixMillis(5)).await.unwrap();
    let line = store.answer_entry(2, "max", "I will look.", UnixMillis(6)).await.unwrap().unwrap();
    store.close_entry(3, "eva", UnixMillis(7)).await.unwrap();
    assert_eq!(store.answer_entry(4, "eva", "By mail.", UnixMillis(8)).await.unwrap(), None);
    assert_eq!(open(&Ending::ALL).await, [0_i64; 0]);
    let lines = store.lines(&talk("talk-1"), 0, 10).await.unwrap();
    let said = lines.iter().map(|line| (line.speaker, line.person.as_deref(), line.text.as_str()));
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            (Speaker::Colleague, Some("eva"), "We will refund you."),
            (Speaker::Colleague, Some("max"), "I will look."),
        ]
    );
    assert_eq!(lines[1], line);
    let closed = store.inbox_entry(2).await.unwrap().unwrap().closed.unwrap();
    assert_eq!((closed.how, closed.person.as_str()), (How::Answered, "max"));

    for (number, decided) in [(1, true), (2, false), (3, false), (4, false)] {
        let again = [
            store.answer_entry(number, "zoe", "Again.", UnixMillis(9)).await.err(),
            store.close_entry(number, "zoe", UnixMillis(9)).await.err(),
        ];
        for error in again.into_iter().flatten() {
            let fits = match error {
                StoreError::DecidedBefore { .. } => decided,
                StoreError::ClosedBefore { .. } => !decided,
                _ => false,
            };
            assert!(fits, "{error}");
        }
    }
    let late = store.decide(2, Some(&approved), "zoe", UnixMillis(9)).await.unwrap_err();
    assert!(matches!(late, StoreError::ClosedBefore { entry: 2, .. }), "{late}");
    let unknown = store.close_entry(9, "zoe", UnixMillis(9)).await.unwrap_err();
    assert!(matches!(unknown, StoreError::NoEntry(9)), "{unknown}");
    assert_eq!(store.lines(&talk("talk-1"), 0, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_reply_to_another_customers_entry_is_no_line_here() {
    let store = Store::in_memory().await.unwrap();
    begin(&store, "talk-1", Some("ana"), 0).await;
    store.put(&entry(1, Ending::NoEvidence, Some("talk-1"), Some("max"))).await.unwrap();
    assert_eq!(store.answer_entry(1, "eva", "For max.", UnixMillis(2)).await.unwrap(), None);
    assert_eq!(store.lines(&talk("talk-1"), 0, 10).await.unwrap(), []);
}

#[tokio::test]
async fn the_last_owner_stays_one() {
    let store = Store::in_memory().await.unwrap();
    assert!(!store.any_operator().await.unwrap());
    let eva = store.add_first_operator("Eva", "hash", UnixMillis(1)).await.unwrap().unwrap();
    assert_eq!(store.add_first_operator("max", "hash", UnixMillis(1)).await.unwrap(), None);
    let twin = store.add_operator("eVA", "hash", Role::Owner, UnixMillis(1)).await.unwrap_err();
    assert!(matches!(twin, StoreError::NameTaken(_)), "{twin}");
    let max = store.add_operator("max", "hash", Role::Agent, UnixMillis(1)).await.unwrap();
    for refused in [store.set_role(eva.id, Role::Agent).await, store.set_disabled(eva.id, true).await] {
        assert!(matches!(refused, Err(StoreError::LastOwner)), "{refused:?}");
    }
    assert_eq!(store.operator("eva").await.unwrap(), Some((eva.clone(), "hash".to_owned())));
    store.set_role(max.id, Role::Owner).await.unwrap();
    store.set_disabled(eva.id, true).await.unwrap();
    assert!(matches!(store.set_role(max.id, Role::Viewer).await, Err(StoreError::LastOwner)));
    assert!(matches!(store.set_role(99, Role::Viewer).await, Err(StoreError::NoOperator(99))));
    let all = store.operators().await.unwrap();
    let roles = all.iter().map(|one| (one.name.as_str(), one.role, one.disabled)).collect::<Vec<_>>();
    assert_eq!(roles, [("Eva", Role::Owner, true), ("max", Role::Owner, false)]);
    assert!(Role::Viewer < Role::Agent && Role::Agent < Role::Owner);
    assert_eq!(Role::parse("agent"), Some(Role::Agent));
}

#[tokio::test]
async fn a_session_ends_by_time_by_hand_and_with_its_operator() {
    let store = Store::in_memory().await.unwrap();
    let eva = store.add_operator("eva", "hash", Role::Owner, UnixMillis(0)).await.unwrap();
    let max = store.add_operator("max", "hash", Role::Agent, UnixMillis(0)).await.unwrap();
    let (one, two, three) = ([1; 32], [2; 32], [3; 32]);
    let there = async |token, now| store.session(token, UnixMillis(now)).await.unwrap().is_some();
    store.open_session(&one, eva.id, UnixMillis(0), UnixMillis(10)).await.unwrap();
    assert_eq!(store.session(&one, UnixMillis(9)).await.unwrap().unwrap().operator, eva);
    assert!(!there(&one, 10).await && !there(&two, 0).await);
    assert!(store.touch_session(&one, UnixMillis(9), UnixMillis(20)).await.unwrap());
    assert!(there(&one, 19).await);
    assert!(!store.touch_session(&one, UnixMillis(20), UnixMillis(30)).await.unwrap());
    for token in [&two, &three] {
        store.open_session(token, max.id, UnixMillis(1), UnixMillis(10)).await.unwrap();
    }
    store.close_session(&two).await.unwrap();
    assert!(!there(&two, 2).await && there(&three, 2).await);
    store.set_disabled(max.id, true).await.unwrap();
    store.set_disabled(max.id, false).await.unwrap();
    assert!(!there(&three, 2).await, "whoever was kept out signs in anew");
    store.set_password(eva.id, "new").await.unwrap();
    assert!(!there(&one, 9).await);
}

#[tokio::test]
async fn failures_are_counted_by_name_in_whatever_case_and_by_address() {
    let store = Store::in_memory().await.unwrap();
    for (name, address, at) in [("eva", "a", 1), ("EVA", "a", 2), ("max", "a", 3), ("eva", "b", 4)] {
        store.note_failure(name, address, UnixMillis(at)).await.unwrap();
    }
    let failures = async |name: &str, address: &str, since| {
        let failures = store.failures_since(name, address, UnixMillis(since)).await.unwrap();
        (failures.here, failures.anywhere)
    };
    assert_eq!(failures("Eva", "a", 0).await, (2, 3));
    assert_eq!(failures("eva", "a", 2).await, (1, 2));
    assert_eq!(failures("eva", "c", 0).await, (0, 3));
    store.clear_failures("EVA", Some("a")).await.unwrap();
    assert_eq!(failures("eva", "a", 0).await, (0, 1));
    store.clear_failures("eva", None).await.unwrap();
    assert_eq!(failures("eva", "b", 0).await, (0, 0));
    assert_eq!(failures("max", "a", 0).await, (1, 1));
}

#[tokio::test]
async fn the_open_entries_are_read_in_pages_and_counted_by_ending() {
    let store = Store::in_memory().await.unwrap();
    for number in 1..=9 {
        let ending = if number % 3 == 0 { Ending::HandedOver } else { Ending::NoEvidence };
        store.put(&entry(number, ending, None, None)).await.unwrap();
    }
    store.close_entry(4, "eva", UnixMillis(9)).await.unwrap();
    let page = async |endings: &[Ending], beside| {
        let items = store.open_inbox(endings, beside, 2).await.unwrap();
        items.iter().map(|item| item.id).collect::<Vec<_>>()
    };
    let unanswered = [Ending::NoEvidence];
    assert_eq!(page(&unanswered, Beside::After(0)).await, [1, 2]);
    assert_eq!(page(&unanswered, Beside::After(2)).await, [5, 7]);
    assert_eq!(page(&unanswered, Beside::Before(8)).await, [5, 7]);
    assert_eq!(page(&[Ending::HandedOver, Ending::Held], Beside::After(3)).await, [6, 9]);
    assert_eq!(page(&[], Beside::After(0)).await, [0_i64; 0]);
    let counts = store.count_open().await.unwrap();
    assert_eq!(counts, [(Ending::HandedOver, 3), (Ending::NoEvidence, 5)]);
}

fn bytes_hold(path: &Path, what: &str) -> bool {
    ["", "-wal"].iter().any(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        let bytes = std::fs::read(&name).unwrap_or_default();
        bytes.windows(what.len()).any(|window| window == what.as_bytes())
    })
}

#[tokio::test]
async fn what_is_erased_is_not_in_the_file_and_decisions_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let store = open(&path).await;
    begin(&store, "talk-1", Some("ana"), 0).await;
    begin(&store, "talk-2", None, 0).await;
    for number in 1..=40 {
        store.keep_turn(&turn(number, Some("talk-1"), Some("ana"))).await.unwrap();
        store.keep_feedback(&turn(number, None, None).turn, true, Some(SECRET), UnixMillis(1)).await.unwrap();
        stop(&store, number, None).await;
        let mut other = turn(1_000 + number, Some("talk-2"), None);
        other.question = "Where are you?".to_owned();
        (other.text, other.answer, other.record) = ("Here.".to_owned(), json!({}), json!({}));
        store.keep_turn(&other).await.unwrap();
    }
    store.keep_turn(&turn(50, None, Some("ana"))).await.unwrap();
    // Of a turn that was not kept itself.
    stop(&store, 70, Some("talk-1")).await;
    let held = entry(1, Ending::Held, Some("talk-1"), Some("ana"));
    store.put(&held).await.unwrap();
    store.put(&entry(60, Ending::NoEvidence, None, Some("ana"))).await.unwrap();
    let approved = Approved::new(&held, &VoiceSettings::default()).unwrap();
    store.decide(1, Some(&approved), "eva", UnixMillis(5)).await.unwrap();
    store.answer_entry(2, "eva", SECRET, UnixMillis(5)).await.unwrap();
    assert!(bytes_hold(&path, SECRET));

    let forgotten = store.erase_customer(&CustomerId("ana".to_owned())).await.unwrap();
    let erased = vec![talk("talk-1")];
    let expected = Forgotten { conversations: 1, turns: 41, entries: 2, stops: 41, erased, lingers: false };
    assert_eq!(forgotten, expected);
    assert!(!bytes_hold(&path, SECRET));
    assert_eq!(store.conversation(&talk("talk-1")).await.unwrap(), None);
    assert_eq!(store.lines(&talk("talk-2"), 0, 100).await.unwrap().len(), 80);
    let item = store.inbox_entry(1).await.unwrap().unwrap();
    assert_eq!((item.entry.question.as_str(), item.decided.unwrap().person.as_str()), ("", "eva"));
    assert_eq!(store.list_stops(100).await.unwrap().len(), 41);
    assert_eq!(store.erase_customer(&CustomerId("ana".to_owned())).await.unwrap(), Forgotten::default());
    let other = store.erase_conversation(&talk("talk-2")).await.unwrap();
    assert_eq!((other.erased, other.turns), (vec![talk("talk-2")], 40));
    assert!(store.erase_conversation(&talk("talk-2")).await.unwrap().is_nothing());
    // A turn that was under way does not bring back what was erased.
    let late = store.keep_turn(&turn(99, Some("talk-1"), Some("ana"))).await.unwrap_err();
    assert!(matches!(late, StoreError::NoConversation(_)), "{late}");
}

#[tokio::test]
async fn what_a_reader_holds_is_forgotten_and_its_bytes_go_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mostrador.db");
    let store = Store::open(&path, StoreOptions { busy_timeout: Duration::from_millis(1) }).await.unwrap();
    begin(&store, "talk-1", Some("ana"), 0).await;
    store.keep_turn(&turn(1, Some("talk-1"), Some("ana"))).await.unwrap();
    let mut reader = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT count(*) FROM turns;").execute(&mut reader).await.unwrap();
    let ana = CustomerId("ana".to_owned());
    let forgotten = store.erase_customer(&ana).await.unwrap();
    assert_eq!((forgotten.erased, forgotten.lingers), (vec![talk("talk-1")], true));
    assert_eq!(store.turn(&turn(1, None, None).turn).await.unwrap(), None);
    assert!(bytes_hold(&path, SECRET));
    reader.close().await.unwrap();
    // Nothing is left to forget, and what lingers is not forgotten over it.
    let again = store.erase_customer(&ana).await.unwrap();
    assert!(again.is_nothing() && !again.lingers);
    assert!(!bytes_hold(&path, SECRET));
}

#[tokio::test]
async fn age_forgets_what_nobody_goes_on_with() {
    let store = Store::in_memory().await.unwrap();
    for name in ["old", "live"] {
        begin(&store, name, None, 0).await;
    }
    for (number, name) in [(1, Some("old")), (2, Some("live")), (3, None), (12, Some("live")), (13, None)] {
        store.keep_turn(&turn(number, name, None)).await.unwrap();
        store.put(&entry(number, Ending::NoEvidence, name, None)).await.unwrap();
        stop(&store, number, name).await;
    }
    let forgotten = store.forget_before(UnixMillis(10)).await.unwrap();
    let erased = vec![talk("old")];
    let expected = Forgotten { conversations: 1, turns: 2, entries: 2, stops: 2, erased, lingers: false };
    assert_eq!(forgotten, expected);
    assert_eq!(store.lines(&talk("live"), 0, 10).await.unwrap().len(), 4);
    let open = store.open_inbox(&Ending::ALL, Beside::After(0), 10).await.unwrap();
    assert_eq!(open.iter().map(|item| item.id).collect::<Vec<_>>(), [2, 4, 5]);
    let gone = store.answer_entry(1, "eva", "Hello.", UnixMillis(20)).await.unwrap_err();
    assert!(matches!(gone, StoreError::NoEntry(1)), "{gone}");
    assert_eq!(store.forget_before(UnixMillis(10)).await.unwrap(), Forgotten::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_made_while_others_write_holds_what_was_committed_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("mostrador.db")).await;
    for number in 0..50 {
        store.keep_turn(&turn(number, None, None)).await.unwrap();
    }
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for number in 50..150 {
                store.keep_turn(&turn(number, None, None)).await.unwrap();
            }
        }
    });
    let to = folder.path().join("copy.db");
    store.backup(&to).await.unwrap();
    writing.await.unwrap();
    let again = store.backup(&to).await.unwrap_err();
    assert!(matches!(again, StoreError::BackupThere(_)), "{again}");
    let copy = open(&to).await;
    let turns = copy.list_turns(1_000, None).await.unwrap();
    assert!(turns.len() >= 50);
    let first = turns.iter().rev().map(|(_, turn)| turn.at.0).collect::<Vec<_>>();
    assert_eq!(first, (0..i64::try_from(turns.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(copy.verify().await.unwrap(), []);
    assert!(!folder.path().join("copy.db.part").exists());
}

#[tokio::test]
async fn a_copy_is_for_its_owner_alone_and_one_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("mostrador.db")).await;
    let to = folder.path().join("copy.db");
    let part = folder.path().join("copy.db.part");
    // Left by a backup that was killed.
    std::fs::write(&part, "half of it").unwrap();
    store.backup(&to).await.unwrap();
    assert!(!part.exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
    std::fs::remove_file(&to).unwrap();
    store.close().await;
    // The database is gone when it would be read: no copy then, and no piece of one.
    std::fs::remove_file(folder.path().join("mostrador.db")).unwrap();
    assert!(store.backup(&to).await.is_err());
    assert!(!to.exists() && !part.exists());
}
