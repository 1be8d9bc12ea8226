//! What each piece of a sentence holds.

use std::ops::Range;

use mostrador_language::{Kind, Pack, Token, Turn, Turned, Value};

use super::cases::{Dependent, Namer, Role, role};
use super::known::{Id, Word};
use super::pieces::{Piece, overlap};

/// What a piece holds.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) words: Vec<Word>,
    /// By their places among the sentence's values.
    pub(super) values: Vec<usize>,
    /// Those outside exceptions and conditions.
    pub(super) stated: Vec<usize>,
    pub(super) denied: bool,
    /// Whether the denial is the first thing in it.
    pub(super) begins_denied: bool,
    pub(super) opposites: Vec<(u16, bool)>,
    pub(super) dependents: Vec<Dependent>,
    /// What it is to the rest, where it is that as a whole.
    pub(super) leads: Option<Role>,
    /// Whether it states something: a value, a denial, one of two opposites.
    pub(super) marked: bool,
}

/// Reads the pieces of a sentence. `left_out`: what is no word of it.
pub(super) fn parts(
    text: &str,
    pack: &Pack,
    pieces: &[Piece],
    values: &[(Value, Option<Id>)],
    turns: &[Turned],
    left_out: &[Range<usize>],
    namer: &mut Namer<'_>,
) -> Vec<Part> {
    let mut words = words(text, pack, values, turns, namer);
    words.retain(|word| !left_out.iter().any(|span| span.contains(&word.at)));
    for turned in turns {
        if let Turn::Opposite { pair, other } = turned.turn {
            let id = namer.word(&format!("{}:{pair}:{other}", pack.lang));
            words.push(Word {
                id,
                parts: vec![],
                text: String::new(),
                at: turned.span.start,
                name: false,
                pair: Some(pair),
                head: false,
            });
        }
    }
    words.sort_by_key(|word| word.at);
    pieces.iter().map(|piece| part(&piece.span, &words, values, turns)).collect()
}

fn part(span: &Range<usize>, words: &[Word], values: &[(Value, Option<Id>)], turns: &[Turned]) -> Part {
    let words_in = |span: &Range<usize>| {
        let inside = words.iter().filter(|word| span.contains(&word.at));
        inside.cloned().collect::<Vec<Word>>()
    };
    let values_in = |span: &Range<usize>| {
        let places = values.iter().enumerate().filter(|(_, (value, _))| span.contains(&value.span.start));
        places.map(|(place, _)| place).collect::<Vec<usize>>()
    };
    let says = |span: &Range<usize>| {
        words.iter().any(|word| word.is_plain() && span.contains(&word.at)) || !values_in(span).is_empty()
    };
    let turns: Vec<&Turned> = turns.iter().filter(|turned| overlap(&turned.span, span)).collect();
    let mut cues: Vec<Turned> = Vec::new();
    for cue in turns.iter().filter(|turned| role(turned.turn).is_some()) {
        match cues.last_mut() {
            // "Except where …" takes out what must hold.
            Some(before)
                if before.turn == Turn::Exception
                    && matches!(cue.turn, Turn::Condition | Turn::Moment)
                    && !says(&(before.span.end..cue.span.start)) =>
            {
                before.span.end = cue.span.end;
            }
            _ => cues.push((*cue).clone()),
        }
    }
    let mut part = Part { words: words_in(span), values: values_in(span), ..Part::default() };
    let mut from = span.start;
    for (place, cue) in cues.iter().enumerate() {
        let Some(role) = role(cue.turn) else { continue };
        let until = cues.get(place + 1).map_or(span.end, |next| next.span.start).max(cue.span.end);
        let (before, after) = (from..cue.span.start, cue.span.end..until);
        let behind = if cue.behind { says(&before) } else { !says(&after) };
        let about = if behind { before } else { after };
        let whole = about.start.min(cue.span.start)..about.end.max(cue.span.end);
        from = whole.end;
        if role == Role::Only && is_before_value(&about, words, values) {
            // "Only 5 €" leaves out nothing.
            continue;
        }
        let rest_before = span.start..whole.start;
        let rest_behind = whole.end..span.end;
        if !says(&rest_before) && (!behind || !says(&rest_behind)) {
            part.leads = part.leads.or(Some(role));
        }
        part.dependents.push(Dependent {
            role,
            words: words_in(&about),
            values: values_in(&about),
            denied: turns.iter().any(|turned| {
                matches!(turned.turn, Turn::Denial | Turn::Lacking) && overlap(&turned.span, &about)
            }),
            span: whole,
            behind,
            apart: false,
        });
    }
    let apart = |at: usize| {
        let takes_out = |dependent: &&Dependent| {
            matches!(dependent.role, Role::Exception | Role::Condition | Role::Moment)
        };
        part.dependents.iter().filter(takes_out).any(|dependent| dependent.span.contains(&at))
    };
    let denials = turns.iter().filter(|turned| turned.turn == Turn::Denial && !apart(turned.span.start));
    let denial = denials.map(|turned| turned.span.start).next();
    // "No, …" answers a question and denies nothing of what follows.
    let denied = denial.is_some() && says(span);
    let begins_denied = denied && denial.is_some_and(|at| !says(&(span.start..at)));
    let stated: Vec<usize> = part
        .values
        .iter()
        .copied()
        .filter(|place| values.get(*place).is_some_and(|(value, _)| !apart(value.span.start)))
        .collect();
    let opposites: Vec<(u16, bool)> = turns
        .iter()
        .filter(|turned| !apart(turned.span.start))
        .filter_map(|turned| match turned.turn {
            Turn::Opposite { pair, other } => Some((pair, other)),
            _ => None,
        })
        .collect();
    // The number of a court or a model is part of a name, and "on Sundays" says when something holds.
    let states =
        |place: &usize| values.get(*place).is_some_and(|(value, _)| !names(value) && !value.is_weekdays());
    part.marked = denied || stated.iter().any(states) || !opposites.is_empty();
    Part { stated, denied, begins_denied, opposites, ..part }
}

/// Whether a value may be part of a name: a bare number, a place in an order, an identifier.
pub(super) fn names(value: &Value) -> bool {
    let named = matches!(value.kind, Kind::Number { .. } | Kind::Ordinal { .. } | Kind::Identifier { .. });
    named && value.bound.is_none() && value.period.is_none()
}

/// Whether the first thing in a part is a value.
fn is_before_value(about: &Range<usize>, words: &[Word], values: &[(Value, Option<Id>)]) -> bool {
    let word =
        words.iter().filter(|word| word.is_plain() && about.contains(&word.at)).map(|word| word.at).min();
    let value = values.iter().map(|(value, _)| value.span.start).filter(|at| about.contains(at)).min();
    value.is_some_and(|value| word.is_none_or(|word| value < word))
}

/// The words that carry content, without those that values are made of. One letter is a word where it is written
/// as a size is; what turns a statement round is none, though what it denies may be part of a listed denial.
fn words(
    text: &str,
    pack: &Pack,
    values: &[(Value, Option<Id>)],
    turns: &[Turned],
    namer: &mut Namer<'_>,
) -> Vec<Word> {
    let mut words = Vec::new();
    for token in pack.analyse(text) {
        let in_value = values.iter().any(|(value, _)| overlap(&value.span, &token.span));
        let first = words.is_empty()
            && text.get(..token.span.start).is_none_or(|before| !before.contains(char::is_alphanumeric));
        let written = text.get(token.span.clone()).unwrap_or_default();
        let turning = turns.iter().any(|turned| {
            let within = turned.span.start <= token.span.start && token.span.end <= turned.span.end;
            // A phrase says more than that it turns: "is not part of".
            let phrase = || text.get(turned.span.clone()).is_some_and(|phrase| phrase.trim().contains(' '));
            let kept = match turned.turn {
                Turn::Opposite { .. } => true,
                Turn::Denial | Turn::Lacking => within,
                _ => within && phrase(),
            };
            !kept && overlap(&turned.span, &token.span)
        });
        let rest = text.get(token.span.end..).unwrap_or_default().trim_start();
        // A letter that has a cell of a table to itself is no word that only begins a sentence.
        let begins = first && !rest.starts_with('|');
        if in_value || turning || (token.stop && (begins || !is_size(written))) {
            continue;
        }
        let name = !pack.capital_nouns() && is_name(text, &token);
        words.push(Word {
            id: namer.word(&token.stem),
            parts: token.parts.iter().map(|part| namer.word(part)).collect(),
            text: token.word,
            at: token.span.start,
            name,
            pair: None,
            head: false,
        });
    }
    words
}

/// Whether a word that the pack lists as empty is written as a size: one capital letter.
fn is_size(written: &str) -> bool {
    let mut chars = written.chars();
    matches!((chars.next(), chars.next()), (Some(c), None) if c.is_uppercase() && c != 'I')
}

/// Whether a word is written with a capital where its language writes names so.
fn is_name(text: &str, token: &Token) -> bool {
    let mut written = text.get(token.span.clone()).unwrap_or_default().chars();
    let capital = written.next().is_some_and(char::is_uppercase) && written.next().is_some();
    let before = text.get(..token.span.start).unwrap_or_default().trim_end();
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, ',' | '/' | '&');
    capital && !token.stop && before.chars().next_back().is_some_and(goes_on)
}
