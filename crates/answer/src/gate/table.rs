//! Rows of a table: what stands in a cell is said of what stands at the head of its row and of its column.

use mostrador_language::{Bound, Kind, Pack, Period, Value};

use super::cases::{Case, Sentence};
use super::known::{Ids, Word, ids_of};
use super::slots::value_word;

/// What the head of a column says of each of its cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    words: Vec<Word>,
    /// As it is written.
    pub(super) text: String,
    /// What its values are counted for each of.
    pub(super) periods: Vec<Period>,
    /// The values of the head itself: `Up to 12 years`.
    pub(super) values: Vec<Value>,
    /// The limits it names.
    pub(super) bounds: Vec<Bound>,
    pub(super) opposites: Vec<(u16, bool)>,
}

/// The head of a table.
#[derive(Debug, Clone)]
pub(super) struct Table {
    columns: Vec<Column>,
    /// The words over the first column: what all the rows are.
    pub(super) kind: Ids,
}

/// Whether a line is a row.
pub(super) fn is_row(line: &str) -> bool {
    let line = line.trim_end_matches(['\r', '\n']);
    line.contains(" | ") || line.starts_with("| ") || line.ends_with(" |") || is_rule(line)
}

/// Whether a line only draws one, between the head of a table and its rows.
pub(super) fn is_rule(line: &str) -> bool {
    let draws = |c: char| matches!(c, '|' | '-' | ':') || c.is_whitespace();
    line.contains('|') && line.contains('-') && line.chars().all(draws)
}

/// The cell that a place of a row lies in; a line before the first cell parts nothing.
fn cell(sentence: &Sentence, at: usize) -> usize {
    let before = sentence.text.get(..at).unwrap_or_default().trim_start();
    before.strip_prefix('|').unwrap_or(before).matches('|').count()
}

fn cell_of(sentence: &Sentence, case: &Case) -> usize {
    cell(sentence, case.cuts.first().copied().unwrap_or_default())
}

impl Table {
    /// Of its first row.
    pub(super) fn of(head: &Sentence, pack: &Pack) -> Self {
        let count = head.text.matches('|').count() + 1;
        let mut columns = vec![Column::default(); count];
        for case in &head.cases {
            let Some(column) = columns.get_mut(cell_of(head, case)) else { continue };
            column.words.extend(case.words.iter().cloned());
            column.opposites.extend(&case.opposites);
            for (value, id) in case.values.iter().filter_map(|place| head.values.get(*place)) {
                column.words.push(value_word(*id, value.span.start));
                column.values.push(value.clone());
            }
        }
        for (span, period) in &head.periods {
            if let Some(column) = columns.get_mut(cell(head, span.start)) {
                column.periods.push(*period);
            }
        }
        let text = head.text.trim_start();
        let cells = text.strip_prefix('|').unwrap_or(text).split('|');
        for (column, text) in columns.iter_mut().zip(cells) {
            text.trim().clone_into(&mut column.text);
            if column.values.is_empty() {
                column.bounds = pack.bounds(text);
            }
        }
        let kind = columns.first().map(|column| ids_of(&column.words)).unwrap_or_default();
        Self { columns, kind }
    }

    /// Of a table that begins with a row: a head has no sums under it.
    pub(super) fn without_head(row: &Sentence) -> Option<Self> {
        let sum = |(value, _): &(Value, _)| {
            matches!(value.kind, Kind::Money { .. }) && cell(row, value.span.start) > 0
        };
        let count = row.text.matches('|').count() + 1;
        let table = || Self { columns: vec![Column::default(); count], kind: Ids::default() };
        row.values.iter().any(sum).then(table)
    }

    /// Gives the cells of a row what stands at their heads.
    pub(super) fn complete(&self, row: &mut Sentence) {
        row.row = true;
        let cells: Vec<usize> = row.cases.iter().map(|case| cell_of(row, case)).collect();
        let first = row.cases.iter().zip(&cells).filter(|(_, cell)| **cell == 0);
        let mut head: Vec<Word> = first.clone().flat_map(|(case, _)| case.words.clone()).collect();
        let sides: Vec<(u16, bool)> = first.clone().flat_map(|(case, _)| case.opposites.clone()).collect();
        let values = first.flat_map(|(case, _)| &case.values).filter_map(|place| row.values.get(*place));
        head.extend(values.map(|(value, id)| value_word(*id, value.span.start)));
        for (case, cell) in row.cases.iter_mut().zip(cells).filter(|(_, cell)| *cell > 0) {
            let Some(column) = self.columns.get(cell) else { continue };
            let at = case.cuts.first().copied().unwrap_or_default();
            let heads = head.iter().chain(&column.words).map(|word| Word { at, head: true, ..word.clone() });
            case.words.splice(0..0, heads);
            case.ids = ids_of(&case.words);
            case.opposites.extend(column.opposites.iter().chain(&sides));
            case.column = column.clone();
            case.column.opposites.extend(&sides);
        }
    }
}
