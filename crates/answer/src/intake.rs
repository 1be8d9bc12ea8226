//! Intake: is this a question at all, and short enough to read?

use mostrador_language::{Lang, TextKey, normalize};

use crate::ports::{Filter, Limits, Place, UnixMillis};
use crate::question::{Asked, Previous, Session, TurnId};
use crate::stop::{Ending, RuleName, Stop};
use crate::trace::Trace;

/// What a question may be.
#[derive(Debug, Clone)]
pub struct IntakeSettings {
    /// The most characters (Unicode scalar values) a question may have.
    pub max_characters: usize,
}

/// One turn's own facts, fixed before the first room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFacts {
    /// Its name.
    pub turn: TurnId,
    /// When it began.
    pub at: UnixMillis,
    /// The customer's language: fixed texts and the answer are in it.
    pub language: Lang,
    /// The language its words are read in for the search: the customer's where the shop has it, else the
    /// shop's first.
    pub reading: Lang,
}

/// A question that was let in: its original words beside their normal form, and who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    facts: TurnFacts,
    original: String,
    normal: String,
    previous: Option<Previous>,
    filter: Filter,
    session: Session,
}

impl Admitted {
    /// The turn's own facts.
    #[must_use]
    pub fn facts(&self) -> &TurnFacts {
        &self.facts
    }

    /// The customer's words, as written.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The words in the normal form that patterns are matched on.
    #[must_use]
    pub fn normal(&self) -> &str {
        &self.normal
    }

    /// The turn before this one, if there is one.
    #[must_use]
    pub fn previous(&self) -> Option<&Previous> {
        self.previous.as_ref()
    }

    /// What its passages are searched in: what came with the question, on the day it is (UTC).
    #[must_use]
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Who asks.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// Asks for a place for a question, before anything else is done for it. Whoever guards the places is away: the
/// question is let through, and the trace says so. It guards the service; money has its own guard.
///
/// # Errors
/// A stop with a fixed text where this caller asks too often, or too much at once.
pub(crate) async fn enter(
    limits: Option<&dyn Limits>,
    session: &Session,
    trace: &mut Trace,
) -> Result<Option<Place>, Stop> {
    let Some(limits) = limits else {
        return Ok(None);
    };
    match limits.enter(session).await {
        Ok(Ok(place)) => Ok(Some(place)),
        Ok(Err(limit)) => {
            let rule = format!("{}{}", RuleName::LIMIT, limit.name());
            Err(Stop::new(Ending::Refused, &rule, "asked too often", TextKey::TooManyQuestions))
        }
        Err(away) => {
            trace.limits_away = Some(away.to_string());
            Ok(None)
        }
    }
}

/// The most characters of a previous answer that are read; a list stands at its beginning or not at all.
const MOST_OF_AN_ANSWER: usize = 20_000;

/// Lets a question in.
///
/// # Errors
/// A stop with a fixed text where the question is too long, or holds nothing but white space and
/// invisible characters.
pub fn admit(asked: Asked, facts: TurnFacts, settings: &IntakeSettings) -> Result<Admitted, Stop> {
    // Counted before anything is copied or normalised: the cost of a refusal does not grow with the text.
    if asked.text.chars().nth(settings.max_characters).is_some() {
        let evidence = format!("more than {} characters", settings.max_characters);
        return Err(Stop::new(Ending::Refused, RuleName::TOO_LONG, evidence, TextKey::TooLong));
    }
    let normal = normalize(&asked.text);
    if normal.is_empty() {
        return Err(Stop::new(Ending::Refused, RuleName::EMPTY, "no visible character", TextKey::Empty));
    }
    let beginning = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let previous = asked.previous.map(|before| Previous {
        question: beginning(&before.question, settings.max_characters),
        answer: before.answer.map(|answer| beginning(&answer, MOST_OF_AN_ANSWER)),
    });
    let filter = Filter { today: Some(facts.at.day()), ..asked.filter };
    Ok(Admitted { facts, original: asked.text, normal, previous, filter, session: asked.session })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn facts() -> TurnFacts {
        TurnFacts {
            turn: TurnId("turn-1".to_owned()),
            at: UnixMillis(0),
            language: Lang::ES,
            reading: Lang::ES,
        }
    }

    #[test]
    fn a_question_at_the_limit_is_read_and_one_past_it_is_not() {
        let settings = IntakeSettings { max_characters: 4 };
        assert!(admit(Asked::new("ñandú".chars().take(4).collect::<String>()), facts(), &settings).is_ok());
        let stop = admit(Asked::new("ñandú"), facts(), &settings).unwrap_err();
        assert_eq!((stop.ending, stop.rule.0.as_str()), (Ending::Refused, RuleName::TOO_LONG));
    }

    #[test]
    fn white_and_invisible_characters_are_no_question() {
        let settings = IntakeSettings { max_characters: 100 };
        for text in ["", "  \n\t", "\u{200b}\u{feff}"] {
            let stop = admit(Asked::new(text), facts(), &settings).unwrap_err();
            assert_eq!(stop.rule.0, RuleName::EMPTY, "{text:?}");
        }
    }
}
