//! What the gate says of a sentence, and on which evidence.

use crate::passage::SourceId;

/// Whether a sentence may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may.
    Passed {
        /// The passages it cites, each once, in the order they are named in it.
        cited: Vec<SourceId>,
    },
    /// It may not.
    Failed(Why),
}

impl Verdict {
    /// Why it may not be shown; `None` where it may.
    #[must_use]
    pub fn why(&self) -> Option<&Why> {
        match self {
            Verdict::Passed { .. } => None,
            Verdict::Failed(why) => Some(why),
        }
    }
}

/// Why a sentence may not be shown: which check, which part of it, which part of the source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It cites what was not given.
    #[error("cites {marker:?}, which is none of the passages given")]
    MarkerOutOfRange {
        /// What stands between the brackets.
        marker: String,
    },
    /// It states something and cites nothing.
    #[error("states something and cites no passage")]
    NoMarker,
    /// It cites outsiders' text and nothing of the shop's.
    #[error("stands on text by outsiders alone: {marker:?}")]
    OutsidersOnly {
        /// The passage.
        marker: String,
    },
    /// Somebody speaks in it whom the voice forbids.
    #[error("speaks in the first person: {word:?}")]
    FirstPerson {
        /// The word that says so.
        word: String,
    },
    /// A value that is not in what it cites.
    #[error("says {value:?}, which is not in what it cites")]
    ValueNotInSource {
        /// The value as the sentence writes it.
        value: String,
    },
    /// A value that the source limits in another way.
    #[error("says {value:?}, which the source limits in another way: {window:?}")]
    BoundChanged {
        /// The value as the sentence writes it.
        value: String,
        /// The sentence of the source.
        window: String,
    },
    /// A value that the source counts for each of something else.
    #[error("says {value:?}, which the source counts for each of something else: {window:?}")]
    PeriodChanged {
        /// The value as the sentence writes it.
        value: String,
        /// The sentence of the source.
        window: String,
    },
    /// A value that the source states of something else.
    #[error("says {value:?}, which the source states of something else; of this it says: {window:?}")]
    OtherSubject {
        /// The value as the sentence writes it.
        value: String,
        /// The sentence of the source that speaks of the same.
        window: String,
    },
    /// A statement that the source makes of something else.
    #[error("says of {word:?} what the source says of something else: {window:?}")]
    SaidOfAnother {
        /// What it says it of.
        word: String,
        /// The sentence of the source.
        window: String,
    },
    /// A name that is not in what it cites.
    #[error("names {name:?}, which is not in what it cites")]
    NameNotInSource {
        /// The name.
        name: String,
    },
    /// Too few of its words are in what it cites.
    #[error("shares {shared} of its {words} words with what it cites")]
    Unsupported {
        /// The words it shares.
        shared: usize,
        /// The words that carry content.
        words: usize,
    },
    /// The source denies what it says, or says what it denies.
    #[error("the source says the contrary: {window:?}")]
    Contradicted {
        /// The sentence of the source.
        window: String,
    },
    /// It leaves out what the source takes out of the rule.
    #[error("leaves out the exception {part:?} of {window:?}")]
    ExceptionDropped {
        /// The exception.
        part: String,
        /// The sentence of the source.
        window: String,
    },
    /// It leaves out what the source makes it depend on.
    #[error("leaves out the condition {part:?} of {window:?}")]
    ConditionDropped {
        /// The condition.
        part: String,
        /// The sentence of the source.
        window: String,
    },
    /// It takes something out, or leaves nothing else, where the source does not.
    #[error("adds {part:?}, which is not in {window:?}")]
    ExceptionAdded {
        /// What it adds.
        part: String,
        /// The sentence of the source.
        window: String,
    },
}

impl Why {
    /// The check's name, for traces and counters.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Why::MarkerOutOfRange { .. } => "gate.marker-out-of-range",
            Why::NoMarker => "gate.no-marker",
            Why::OutsidersOnly { .. } => "gate.outsiders-only",
            Why::FirstPerson { .. } => "gate.first-person",
            Why::ValueNotInSource { .. } => "gate.value-not-in-source",
            Why::BoundChanged { .. } => "gate.bound-changed",
            Why::PeriodChanged { .. } => "gate.period-changed",
            Why::OtherSubject { .. } => "gate.other-subject",
            Why::SaidOfAnother { .. } => "gate.said-of-another",
            Why::NameNotInSource { .. } => "gate.name-not-in-source",
            Why::Unsupported { .. } => "gate.unsupported",
            Why::Contradicted { .. } => "gate.contradicted",
            Why::ExceptionDropped { .. } => "gate.exception-dropped",
            Why::ConditionDropped { .. } => "gate.condition-dropped",
            Why::ExceptionAdded { .. } => "gate.exception-added",
        }
    }
}
