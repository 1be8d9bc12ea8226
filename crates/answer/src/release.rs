//! Release: when text is shown, decided before its first word; and the only door it goes through.

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::event::{Citation, Closing, Event};
use crate::evidence::Grounded;
use crate::passage::Trust;
use crate::reply::FixedText;
use crate::voice::Voiced;

/// What the shop wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseMode {
    /// Sentence by sentence where everything under the answer is the shop's own text.
    #[default]
    Auto,
    /// Sentence by sentence.
    Sentence,
    /// The whole at once, after all checks.
    Whole,
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

/// Decides for a turn. `holds`: whether anything may make an answer wait for approval; the whole is then judged
/// first, whatever the shop wants: a person must never be asked about a text that was half shown.
#[must_use]
pub fn policy(mode: ReleaseMode, grounded: &Grounded, holds: bool) -> Policy {
    let outsider = grounded.passages().iter().any(|passage| passage.trust == Trust::Customer)
        || grounded.open().iter().any(|lookup| lookup.spec().trust == Trust::Customer);
    match mode {
        _ if holds => Policy::Whole,
        ReleaseMode::Whole => Policy::Whole,
        ReleaseMode::Auto if outsider => Policy::Whole,
        ReleaseMode::Auto | ReleaseMode::Sentence => Policy::Sentence,
    }
}

/// A sentence that passed every room. Nothing else a model wrote becomes an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Released(String);

impl Released {
    /// The sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
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
}

impl Outlet {
    pub(crate) fn new(events: mpsc::Sender<Event>) -> Self {
        Self { events, cited: Vec::new() }
    }

    /// Completes when the customer has left.
    pub(crate) async fn left(&self) {
        self.events.closed().await;
    }

    /// Shows a sentence, and the passages it cites for the first time.
    pub(crate) async fn sentence(&mut self, voiced: &Voiced, grounded: &Grounded) -> Result<(), Left> {
        self.send(Event::Sentence(Released(voiced.text().to_owned()))).await?;
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

    /// Ends the turn.
    pub(crate) async fn done(self, closing: Closing) -> Result<(), Left> {
        self.send(Event::Done(Box::new(closing))).await
    }

    async fn send(&self, event: Event) -> Result<(), Left> {
        self.events.send(event).await.map_err(|_| Left)
    }
}
