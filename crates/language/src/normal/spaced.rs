//! Words whose letters stand apart, put together again.

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};

use super::Unit;

/// The fewest single letters that are taken for a word.
const FEWEST: usize = 3;

/// Joins single letters that white space keeps apart: three or more in a row, of alphabetic scripts.
///
/// The narrowest gap of a row stands between letters, wider ones between words; where all gaps
/// are alike, the row is one word. Signs may stand before the first letter and behind the last.
/// Unless `wide`, every row is one word. True where gaps differ, so that this makes a difference.
pub(super) fn rejoin(units: &mut Vec<Unit>, wide: bool) -> bool {
    let pieces = pieces(units);
    let mut joined = Vec::new();
    let mut from = 0;
    let mut uneven = false;
    while let Some(rest) = pieces.get(from..).filter(|rest| !rest.is_empty()) {
        let row = row(rest);
        if row >= FEWEST {
            uneven |= join(rest.get(..row).unwrap_or_default(), wide, &mut joined);
        }
        from += row.max(1);
    }
    if joined.is_empty() {
        return false;
    }
    // Both are in order of place, so one walk through the units is enough.
    let mut gaps = joined.into_iter().peekable();
    let mut at = 0;
    units.retain(|_| {
        while gaps.next_if(|(_, end)| *end <= at).is_some() {}
        let inside = gaps.peek().is_some_and(|(start, _)| *start <= at);
        at += 1;
        !inside
    });
    uneven && wide
}

/// What stands between white space.
struct Piece {
    start: usize,
    end: usize,
    /// One letter and nothing else that belongs to words.
    single: bool,
    /// Signs stand before the letter.
    opens: bool,
    /// Signs stand behind it.
    closes: bool,
}

fn pieces(units: &[Unit]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for part in units.split(|unit| unit.c == ' ') {
        if !part.is_empty() {
            pieces.push(piece(part, at));
        }
        at += part.len() + 1;
    }
    pieces
}

fn piece(part: &[Unit], start: usize) -> Piece {
    let belongs = |unit: &Unit| unit.c.is_alphanumeric() || is_combining_mark(unit.c);
    let mut found = Piece { start, end: start + part.len(), single: false, opens: false, closes: false };
    let Some(first) = part.iter().position(belongs) else { return found };
    let last = part.iter().rposition(belongs).unwrap_or(first);
    let word = part.get(first..=last).unwrap_or_default();
    if let Some((letter, marks)) = word.split_first() {
        found.single = is_alphabetic(letter.c) && marks.iter().all(|unit| is_combining_mark(unit.c));
        found.opens = first > 0;
        found.closes = last + 1 < part.len();
    }
    found
}

fn is_alphabetic(c: char) -> bool {
    c.is_alphabetic()
        && matches!(
            c.script(),
            Script::Latin
                | Script::Cyrillic
                | Script::Greek
                | Script::Arabic
                | Script::Hebrew
                | Script::Armenian
                | Script::Georgian
        )
}

/// How many pieces from the first are single letters in a row.
fn row(pieces: &[Piece]) -> usize {
    let mut count = 0;
    for piece in pieces {
        if !piece.single || (piece.opens && count > 0) {
            break;
        }
        count += 1;
        if piece.closes {
            break;
        }
    }
    count
}

/// Adds the gaps of a row that stand between letters, in order; true where there are others.
fn join(row: &[Piece], wide: bool, joined: &mut Vec<(usize, usize)>) -> bool {
    let gaps = || row.windows(2).filter_map(|pair| Some((pair.first()?.end, pair.last()?.start)));
    let narrowest = gaps().map(|(start, end)| end - start).min().unwrap_or_default();
    if !wide {
        joined.extend(gaps());
        return false;
    }
    let is_narrow = |(start, end): (usize, usize)| end - start == narrowest;
    // Letters that stay alone are a row of their own where there are enough of them.
    let narrow: Vec<bool> = gaps().map(is_narrow).collect();
    let alone: Vec<bool> = (0..row.len())
        .map(|i| {
            let near = |at: Option<usize>| at.and_then(|at| narrow.get(at)).copied().unwrap_or(false);
            !near(i.checked_sub(1)) && !near(Some(i))
        })
        .collect();
    let mut lonely = vec![0_usize; row.len()];
    let mut from = 0;
    for run in alone.chunk_by(|a, b| a == b) {
        let length = if run.first() == Some(&true) { run.len() } else { 0 };
        lonely.iter_mut().skip(from).take(run.len()).for_each(|count| *count = length);
        from += run.len();
    }
    let both_lonely = |i: usize| {
        let long = |i: usize| lonely.get(i).is_some_and(|count| *count >= FEWEST);
        long(i) && long(i + 1)
    };
    joined
        .extend(gaps().enumerate().filter(|(i, gap)| is_narrow(*gap) || both_lonely(*i)).map(|(_, gap)| gap));
    narrow.contains(&false)
}
