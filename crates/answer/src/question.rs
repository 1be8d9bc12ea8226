//! The types of the journey that every room shares: who asks, what, in which conversation.

use mostrador_language::Lang;
use serde::{Deserialize, Serialize};

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
}

/// A question as it arrived, before any room has looked at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The customer's words, untouched.
    pub text: String,
    /// Who asks.
    pub session: Session,
    /// The customer's previous question in this conversation, if any.
    pub previous: Option<String>,
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
