//! Release: when text is shown, decided before its first word; and the only door it goes through.

use std::sync::Arc;

use mostrador_language::{Delicate, DelicateQuestions, Normal, Packs};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::SendError;

use crate::event::{Citation, Closing, Event};
use crate::evidence::Grounded;
use crate::intake::Admitted;
use crate::passage::Trust;
use crate::redaction::Hidden;
use crate::reply::FixedText;
use crate::voice::Voiced;

/// What the shop wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseMode {
    /// Sentence by sentence where everything under the answer is the shop's own text and the question is not
    /// delicate.
    #[default]
    Auto,
    /// Sentence by sentence.
    Sentence,
    /// The whole at once, after all checks.
    Whole,
}

/// When text is shown.
#[derive(Debug, Clone, Default)]
pub struct ReleaseSettings {
    /// What the shop wants.
    pub mode: ReleaseMode,
    delicate: Option<Arc<DelicateQuestions>>,
}

impl ReleaseSettings {
    /// What the shop wants, with the questions that `auto` answers as a whole.
    #[must_use]
    pub fn new(mode: ReleaseMode, packs: &Packs) -> Self {
        let delicate = (mode == ReleaseMode::Auto).then(|| Arc::new(DelicateQuestions::new(packs)));
        Self { mode, delicate }
    }

    /// For a model that says nothing but what stands on the pages: no question makes it say more.
    #[must_use]
    pub fn of_quotes(mode: ReleaseMode) -> Self {
        Self { mode, delicate: None }
    }

    /// Compiles the phrases now, so that no question waits for it.
    pub fn prepare(&self) {
        if let Some(delicate) = &self.delicate {
            delicate.prepare();
        }
    }

    /// What makes a question delicate: by itself, then joined to the one before.
    fn delicate(&self, question: &Admitted) -> Option<Delicate> {
        let questions = self.delicate.as_deref()?;
        questions.find(&Normal::of(question.original())).or_else(|| {
            let previous = question.previous()?.question.trim_end();
            questions.find(&Normal::of(&format!("{previous} {}", question.original())))
        })
    }
}

/// What is done in this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// A sentence is shown as soon as it passes.
    Sentence,
    /// Nothing is shown before all of it has passed.
    Whole,
}

/// Why nothing is shown before all of it has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyWhole {
    /// The shop wants it so.
    Shop,
    /// A rule of the shop's may hold the answer, whatever it was asked.
    RuleHolds,
    /// Outsiders' text is under the answer, or may be looked up.
    Outsiders,
    /// The question touches money.
    Money,
    /// The question gives the assistant orders.
    Instructions,
}

/// Decides for a turn, before its first word; `None`: by the sentence.
///
/// `holds`: whether a rule of the shop's own may make an answer wait for approval. The whole is then judged first,
/// whatever the shop wants: a person must never be asked about a text that was half shown. Promises of money may be
/// held too, but their questions are known, so that those alone are answered as a whole; one that comes all the same,
/// behind what was shown, is stopped and not held.
#[must_use]
pub fn whole(settings: &ReleaseSettings, grounded: &Grounded, holds: bool) -> Option<WhyWhole> {
    let outsiders = || {
        grounded.passages().iter().any(|passage| passage.trust == Trust::Customer)
            || grounded.open().iter().any(|lookup| lookup.spec().trust == Trust::Customer)
    };
    match settings.mode {
        ReleaseMode::Whole => Some(WhyWhole::Shop),
        _ if holds => Some(WhyWhole::RuleHolds),
        ReleaseMode::Sentence => None,
        ReleaseMode::Auto if outsiders() => Some(WhyWhole::Outsiders),
        ReleaseMode::Auto => settings.delicate(grounded.question()).map(|delicate| match delicate {
            Delicate::Money => WhyWhole::Money,
            Delicate::Instructions => WhyWhole::Instructions,
        }),
    }
}

/// A sentence that passed every room. Nothing else a model wrote becomes an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Released {
    text: String,
    #[serde(skip)]
    kept: Option<String>,
}

impl Released {
    fn new(text: &str, hidden: &Hidden) -> Self {
        if hidden.is_empty() {
            return Self { text: text.to_owned(), kept: None };
        }
        Self { text: hidden.restored(text), kept: Some(text.to_owned()) }
    }

    /// The sentence, as the customer reads it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The sentence as it may be written down.
    #[must_use]
    pub fn kept(&self) -> &str {
        self.kept.as_deref().unwrap_or(&self.text)
    }
}

/// The customer is no longer there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left;

/// The way to the customer: events go in, and it knows when nobody is left to read them.
#[derive(Debug)]
pub(crate) struct Outlet {
    events: mpsc::Sender<Event>,
    cited: Vec<Citation>,
    hidden: Hidden,
}

impl Outlet {
    pub(crate) fn new(events: mpsc::Sender<Event>, hidden: Hidden) -> Self {
        Self { events, cited: Vec::new(), hidden }
    }

    /// Completes when the customer has left.
    pub(crate) async fn left(&self) {
        self.events.closed().await;
    }

    /// Shows a sentence, and the passages it cites for the first time.
    pub(crate) async fn sentence(&mut self, voiced: &Voiced, grounded: &Grounded) -> Result<(), Left> {
        self.send(Event::Sentence(Released::new(voiced.text(), &self.hidden))).await?;
        for source in voiced.cited() {
            let known = self.cited.iter().any(|citation| citation.source == *source);
            let passage = grounded.passages().iter().find(|passage| passage.source == *source);
            if let Some(passage) = passage.filter(|_| !known) {
                let citation = Citation::from(passage.as_ref());
                self.cited.push(citation.clone());
                self.send(Event::Citation(citation)).await?;
            }
        }
        Ok(())
    }

    /// Shows a fixed text.
    pub(crate) async fn notice(&self, text: FixedText) -> Result<(), Left> {
        self.send(Event::Notice(text)).await
    }

    /// Ends the turn; gives its end back where the customer has left.
    pub(crate) async fn done(self, closing: Closing) -> Option<Closing> {
        match self.events.send(Event::Done(Box::new(closing))).await {
            Err(SendError(Event::Done(unheard))) => Some(*unheard),
            _ => None,
        }
    }

    async fn send(&self, event: Event) -> Result<(), Left> {
        self.events.send(event).await.map_err(|_| Left)
    }
}
