//! What every inbox and every stop log must keep.
//!
//! The ports only write; how a back end is read is its own, so the reader is handed in.

use mostrador_answer::ports::{Inbox, InboxEntry, StopLog, StopNote, UnixMillis};
use mostrador_answer::question::{ConversationId, CustomerId, TurnId};
use mostrador_answer::stop::{Ending, RuleName};
use mostrador_language::Lang;

/// Texts that a store may not read as anything but text.
const HARD_TEXT: &str = "'); DROP TABLE inbox; -- \"%_\\ ¿Пращате? \u{202e}返品\n";

fn entry(number: i64, ending: Ending, signed: bool) -> InboxEntry {
    InboxEntry {
        turn: TurnId(format!("turn-{number}")),
        conversation: signed.then(|| ConversationId(format!("talk-{number}"))),
        customer: signed.then(|| CustomerId(HARD_TEXT.to_owned())),
        address: signed.then(|| HARD_TEXT.to_owned()),
        ending,
        rule: RuleName::own(RuleName::THRESHOLD),
        question: HARD_TEXT.to_owned(),
        answer: String::new(),
        evidence: HARD_TEXT.repeat(2),
        language: Lang::BG,
        // Later entries are not always of a later moment: clocks are set back.
        at: UnixMillis(-number),
    }
}

/// Every entry comes back as it was put, the last one first, at most as many as were asked for.
///
/// `read`: the newest entries, at most so many, newest first.
pub async fn an_inbox_gives_back_what_was_put(
    inbox: &dyn Inbox,
    read: impl AsyncFn(usize) -> Vec<InboxEntry>,
) {
    assert_eq!(read(10).await, []);
    let entries: Vec<InboxEntry> =
        (0..).zip(Ending::ALL).map(|(number, ending)| entry(number, ending, number % 2 == 0)).collect();
    for entry in &entries {
        inbox.put(entry).await.unwrap();
    }
    let newest_first: Vec<InboxEntry> = entries.into_iter().rev().collect();
    assert_eq!(read(usize::MAX).await, newest_first);
    assert_eq!(read(3).await, newest_first[..3]);
    assert_eq!(read(0).await, []);
}

/// Every note comes back as it was made, in that order; of more than were asked for, the newest.
///
/// `read`: the newest notes, at most so many, oldest of them first.
pub async fn a_stop_log_gives_back_what_was_noted(
    log: &dyn StopLog,
    read: impl AsyncFn(usize) -> Vec<StopNote>,
) {
    assert_eq!(read(10).await, []);
    let note = |(number, ending): (i64, Ending)| StopNote {
        turn: TurnId(format!("turn-{number}")),
        conversation: None,
        customer: None,
        ending,
        rule: RuleName(HARD_TEXT.to_owned()),
        evidence: HARD_TEXT.to_owned(),
        question: String::new(),
        at: UnixMillis(-number),
    };
    let notes: Vec<StopNote> = (0..).zip(Ending::ALL).map(note).collect();
    for note in &notes {
        log.note(note).await.unwrap();
    }
    assert_eq!(read(usize::MAX).await, notes);
    assert_eq!(read(3).await, notes[notes.len() - 3..]);
    assert_eq!(read(0).await, []);
}
