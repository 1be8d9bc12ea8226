//! A sentence cut at its commas, semicolons and conjunctions.

use std::ops::Range;

use mostrador_language::{Turn, Turned, Value};

use super::cases::role;
use super::reading::names;

/// How a piece follows the one before; the stronger the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Join {
    /// Behind a comma, a bracket or a dash.
    Soft,
    /// Behind a word that adds.
    Joiner,
    /// It begins the sentence, or stands behind a semicolon or in another cell of a table.
    Hard,
    /// Behind a word that sets it against what is before.
    Contrast,
}

/// A part of a sentence between two cuts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) join: Join,
    /// In bytes of the sentence.
    pub(super) span: Range<usize>,
}

/// Cuts a sentence, never inside a value; pieces without a letter or a digit are left out.
pub(super) fn cut(text: &str, values: &[Value], turns: &[Turned]) -> Vec<Piece> {
    let mut cuts: Vec<(Range<usize>, Join)> = turns
        .iter()
        .filter_map(|turned| match turned.turn {
            Turn::Joiner => Some((turned.span.clone(), Join::Joiner)),
            Turn::Contrast => Some((turned.span.clone(), Join::Contrast)),
            _ => None,
        })
        .collect();
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        if let Some(join) = divides(before, c, next) {
            cuts.push((at..at + c.len_utf8(), join));
        }
        before = c;
    }
    cuts.retain(|(cut, _)| !values.iter().any(|value| overlap(&value.span, cut)));
    cuts.sort_by_key(|(cut, _)| cut.start);
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut from, mut join) = (0, Join::Hard);
    let end = (text.len()..text.len(), Join::Hard);
    for (cut, next) in cuts.into_iter().chain([end]) {
        let says = text.get(from..cut.start).is_some_and(|part| part.contains(char::is_alphanumeric));
        if says {
            pieces.push(Piece { join, span: from..cut.start });
            join = next;
        } else {
            join = join.max(next);
        }
        from = cut.end.max(from);
    }
    gapped(text, pieces, values, turns)
}

/// Puts the halves of a gapped statement together: in "the small one costs 5 €, the large one, 9 €" the verb is left
/// out, and a comma or a dash stands for it.
fn gapped(text: &str, pieces: Vec<Piece>, values: &[Value], turns: &[Turned]) -> Vec<Piece> {
    let first_in = |span: &Range<usize>| values.iter().find(|value| span.contains(&value.span.start));
    let mut together: Vec<Piece> = Vec::new();
    for piece in pieces {
        let Some((half, before)) = together.split_last_mut() else {
            together.push(piece);
            continue;
        };
        let value = first_in(&piece.span).filter(|value| {
            let between = text.get(piece.span.start..value.span.start).unwrap_or_default();
            mostrador_language::words(between).nth(1).is_none()
        });
        let sibling = value.is_some_and(|value| {
            let from = half.span.start;
            values.iter().any(|other| other.span.end <= from && other.is_comparable(value))
        });
        let own = |other: &&Value| half.span.contains(&other.span.start);
        let has_own = value.is_some_and(|value| {
            let limits = |other: &Value| other.is_comparable(value) || other.bound.is_some();
            values.iter().filter(own).any(|other| limits(other) || names(value))
        });
        let no_value = first_in(&half.span).is_none();
        let turned =
            turns.iter().any(|turned| role(turned.turn).is_some() && overlap(&turned.span, &half.span));
        // "…, nets and posts excepted" leaves both out.
        let listed = piece.join == Join::Joiner
            && half.join == Join::Soft
            && turns.iter().any(|turned| {
                turned.behind && role(turned.turn).is_some() && overlap(&turned.span, &piece.span)
            });
        // "… is on for the large bags and off for the small", "letters are on, parcels — off".
        let dash = text
            .get(half.span.end..)
            .unwrap_or_default()
            .trim_start()
            .starts_with(['\u{2014}', '\u{2013}', '-']);
        let turned_round =
            (piece.join == Join::Joiner && half.join == Join::Joiner) || (piece.join == Join::Soft && dash);
        let turned_round = turned_round && turns_round(&piece.span, half, turns);
        let shares = piece.join == Join::Soft && sibling && !has_own;
        let gapped = shares || ((turned_round || listed) && no_value);
        if gapped && !before.is_empty() && !turned {
            half.span.end = piece.span.end;
        } else {
            together.push(piece);
        }
    }
    together
}

/// Whether a piece has the other side of what stands before the half, which has none.
fn turns_round(piece: &Range<usize>, half: &Piece, turns: &[Turned]) -> bool {
    let pairs = |within: &Range<usize>| {
        let inside = turns.iter().filter(|turned| overlap(&turned.span, within));
        let pair = |turned: &Turned| match turned.turn {
            Turn::Opposite { pair, .. } => Some(pair),
            _ => None,
        };
        inside.filter_map(pair).collect::<Vec<u16>>()
    };
    let earlier = pairs(&(0..half.span.start));
    pairs(&half.span).is_empty() && pairs(piece).iter().any(|pair| earlier.contains(pair))
}

fn divides(before: char, c: char, next: char) -> Option<Join> {
    match c {
        ',' | '\u{60C}' | '\u{FF0C}' | '\u{3001}' | '(' | ')' | '\u{FF08}' | '\u{FF09}' | '\u{2014}'
        | '\u{2013}' | '\n' => Some(Join::Soft),
        '-' if before.is_whitespace() && next.is_whitespace() => Some(Join::Soft),
        ';' | '\u{61B}' | '\u{FF1B}' | '|' | '\u{3002}' | '\u{964}' | '!' | '?' | '\u{61F}' | '\u{FF01}'
        | '\u{FF1F}' => Some(Join::Hard),
        _ => None,
    }
}

/// Whether two spans share a byte.
pub(super) fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
