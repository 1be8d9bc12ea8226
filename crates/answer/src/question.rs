//! The types of the journey that every room shares: who asks, what, in which conversation.

use std::net::IpAddr;

use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

use crate::ports::Filter;
use crate::redaction::Hidden;

/// A customer as the shop knows them. It comes from a signed session, never from a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CustomerId(pub String);

/// The name of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ConversationId(pub String);

/// The name of one turn: one question and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TurnId(pub String);

/// Who is asking, as far as the program has verified it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    /// The verified customer; `None` for somebody unsigned.
    pub customer: Option<CustomerId>,
    /// The language the customer declared, if any.
    pub locale: Option<Lang>,
    /// The conversation this question belongs to, if there is one.
    pub conversation: Option<ConversationId>,
    /// Where the customer wants to be answered by a colleague, if they said so. No model is told.
    pub reply_to: Option<String>,
    /// The address the question came from, where it came over a network: for the limits and nothing else.
    pub address: Option<IpAddr>,
    /// Whether its address and conversation were counted when it came in, so that no limit counts them again.
    pub counted: bool,
    /// What was taken out of the customer's words, where the shop wants that: known in this turn alone.
    pub hidden: Hidden,
}

/// A question as it arrived, before any room has looked at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The customer's words, untouched.
    pub text: String,
    /// Who asks.
    pub session: Session,
    /// The turn before this one in the conversation, if any.
    pub previous: Option<Previous>,
    /// What its passages are searched in; the empty filter leaves everything in.
    pub filter: Filter,
}

/// The turn before: what was asked, and what the customer read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Previous {
    /// The customer's question.
    pub question: String,
    /// The answer as it was shown; `None` where it is not known.
    pub answer: Option<String>,
}

impl Previous {
    /// A previous question whose answer is not known.
    #[must_use]
    pub fn question(text: impl Into<String>) -> Self {
        Self { question: text.into(), answer: None }
    }
}

impl Asked {
    /// A question from somebody unsigned, outside any conversation.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same question, asked by a customer whose session was verified.
    #[must_use]
    pub fn signed(mut self, customer: CustomerId) -> Self {
        self.session.customer = Some(customer);
        self
    }
}
