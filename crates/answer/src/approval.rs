//! Approval: an answer that was held becomes a person's word. It is sent in the shop's voice, once, and moves nothing else.

use async_trait::async_trait;
use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

use crate::passage::SourceId;
use crate::ports::{InboxEntry, Unavailable, UnixMillis};
use crate::question::{ConversationId, CustomerId};
use crate::stop::Ending;
use crate::voice::{Footnotes, VoiceSettings, spoken};

/// What a person decides about an answer that was held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// It is sent.
    Approved,
    /// It is not.
    Rejected,
}

impl Decision {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Approved, Self::Rejected];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// A decision, which is made once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// By whom.
    pub person: String,
    /// When.
    pub at: UnixMillis,
}

/// Why an entry of the inbox cannot be approved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApproved {
    /// It does not wait.
    #[error("it is {}, and only a held answer waits for approval; answer the customer yourself", .0.name())]
    NotHeld(Ending),
    /// There is nothing to send.
    #[error("it has no text; answer the customer yourself")]
    NoText,
    /// Nobody would read it.
    #[error("it came from no conversation and with no address, so that nobody would read it; reject it")]
    Nowhere,
}

/// A held answer that a person approved, as the customer will read it. Only this is sent behind an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Approved {
    text: String,
    cited: Vec<SourceId>,
}

impl Approved {
    /// Puts a held answer in the shop's voice. Rules and gate are not asked again: the person has read it.
    ///
    /// # Errors
    /// [`NotApproved`] where the entry is none that waits, or its text could reach nobody.
    pub fn new(entry: &InboxEntry, voice: &VoiceSettings) -> Result<Self, NotApproved> {
        if entry.ending != Ending::Held {
            return Err(NotApproved::NotHeld(entry.ending));
        }
        if entry.conversation.is_none() && entry.address.is_none() {
            return Err(NotApproved::Nowhere);
        }
        let (text, cited) = spoken(entry.answer.trim(), voice, &mut Footnotes::default());
        if text.trim().is_empty() {
            return Err(NotApproved::NoText);
        }
        Ok(Self { text, cited })
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The passages it cites, each once, in order of first mention.
    #[must_use]
    pub fn cited(&self) -> &[SourceId] {
        &self.cited
    }
}

/// Something sent to a customer behind an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// Its number; later ones have higher ones.
    pub id: i64,
    /// The conversation it went to, if there was one.
    pub conversation: Option<ConversationId>,
    /// The customer it is for, if signed: nobody else reads it.
    pub customer: Option<CustomerId>,
    /// Where the customer wants to be answered, if they said so.
    pub address: Option<String>,
    /// What was asked.
    pub question: String,
    /// What the customer reads.
    pub text: String,
    /// The passages it cites.
    pub cited: Vec<SourceId>,
    /// The language of the question.
    pub language: Lang,
    /// When it was sent.
    pub at: UnixMillis,
}

/// Where a conversation keeps what was sent to it.
#[async_trait]
pub trait Conversations: Send + Sync {
    /// What this customer has not been shown of a conversation, oldest first. What was sent to a signed customer
    /// does not exist for anybody else, whoever knows the conversation's name.
    async fn unread(
        &self,
        conversation: &ConversationId,
        customer: Option<&CustomerId>,
    ) -> Result<Vec<Sent>, Unavailable>;

    /// Keeps that a message was shown; once more changes nothing.
    async fn shown(&self, message: &Sent, at: UnixMillis) -> Result<(), Unavailable>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::TurnId;
    use crate::stop::RuleName;
    use crate::voice::Citations;

    fn held(answer: &str) -> InboxEntry {
        InboxEntry {
            turn: TurnId("turn-1".to_owned()),
            conversation: Some(ConversationId("talk-1".to_owned())),
            customer: None,
            address: None,
            ending: Ending::Held,
            rule: RuleName::own(RuleName::PROMISE_MONEY),
            question: "My lamp broke.".to_owned(),
            answer: answer.to_owned(),
            evidence: String::new(),
            language: Lang::EN,
            at: UnixMillis(0),
        }
    }

    #[test]
    fn what_is_approved_is_read_in_the_shops_voice() {
        let entry = held(" We will refund you. [returns#1] Within 8 days. [returns#2][returns#1]\n");
        for (citations, text) in [
            (Citations::Shown, "We will refund you. [returns#1] Within 8 days. [returns#2][returns#1]"),
            (Citations::Footnoted, "We will refund you. [1] Within 8 days. [2][1]"),
            (Citations::Hidden, "We will refund you. Within 8 days."),
        ] {
            let approved = Approved::new(&entry, &VoiceSettings { citations }).unwrap();
            assert_eq!(approved.text(), text);
            let cited: Vec<&str> = approved.cited().iter().map(SourceId::as_str).collect();
            assert_eq!(cited, ["returns#1", "returns#2"]);
        }
    }

    #[test]
    fn what_does_not_wait_or_reaches_nobody_is_not_approved() {
        let voice = VoiceSettings::default();
        let withheld = InboxEntry { ending: Ending::Withheld, ..held("Done.") };
        assert_eq!(Approved::new(&withheld, &voice), Err(NotApproved::NotHeld(Ending::Withheld)));
        let nowhere = InboxEntry { conversation: None, ..held("Done.") };
        assert_eq!(Approved::new(&nowhere, &voice), Err(NotApproved::Nowhere));
        let addressed = InboxEntry { address: Some("ana@shop.example".to_owned()), ..nowhere };
        assert!(Approved::new(&addressed, &voice).is_ok());
        let hidden = VoiceSettings { citations: Citations::Hidden };
        assert_eq!(Approved::new(&held("[returns#1]"), &hidden), Err(NotApproved::NoText));
    }
}
