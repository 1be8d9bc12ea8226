//! The words and signs of a pack in one tree, so that a text is looked through once.

use super::build::Build;
use super::days::Sure;
use super::decimal::Decimal;
use super::fold::{Folding, is_han};
use super::types::{Bound, Calendar, Currency, Days, Period};
use super::units::{TimeUnit, Unit};
use crate::pack::Numbers;

/// What a phrase may mean; many mean several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mean {
    /// A number word.
    Add(Decimal),
    /// A number word only in company.
    Weak(Decimal),
    /// A number word that multiplies.
    Times(u64),
    /// Between the parts of a number.
    Join,
    /// So many quarters more than the number behind it, or fewer.
    Quarters(i8),
    Ordinal(u64),
    OrdinalMark,
    Fraction(u64, u64),
    /// A fraction only before a unit.
    UnitFraction(u64, u64),
    Percent,
    PercentBefore,
    /// Behind tenths of a price.
    Tenths,
    /// A currency by its place in the lexicon; whether it may stand before the amount.
    Currency(usize, bool),
    Cents(usize),
    Unit(Unit),
    Time(TimeUnit),
    /// A number and a unit in one word.
    Span(Decimal, TimeUnit),
    Counter,
    Period(Period),
    /// Who something is counted for each of, without a word for "each".
    Payer(Period),
    Before(Bound),
    After(Bound),
    Filler,
    To,
    Between,
    And,
    Close,
    /// A month; whether it is one by itself.
    Month(u8, Calendar, bool),
    DateJoin,
    /// Days of the week; how much it says so by itself.
    Weekdays(Days, Sure),
    DayJoin,
    DayFiller,
    YearMark,
    /// Year, month, day: 0, 1, 2.
    Counted(u8),
    /// Before an hour; whether the hour needs nothing behind it.
    ClockBefore(bool),
    /// Behind an hour; whether it makes a time of day by itself.
    ClockMark(bool),
    MinuteMark,
    /// A part of the day; whether it is after noon.
    DayPart(bool),
    HalfPast,
    /// Minutes before the hour that they are counted from, and behind it.
    BeforeHour(i8),
    AfterHour(i8),
    /// A word that names an hour of the clock.
    Hour(u8),
    Telephone,
    Label,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) mean: Mean,
    /// The only way it may be written.
    pub(super) exactly: Option<Box<str>>,
}

/// A point of the tree: where its edges and its entries are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node {
    pub(super) edges: (u32, u32),
    pub(super) entries: (u32, u32),
}

/// Everything a pack knows about values, ready to be looked up.
#[derive(Debug)]
pub(crate) struct Lexicon {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<(char, u32)>,
    pub(super) entries: Vec<Entry>,
    /// The edges from the root for the letters most texts begin words with; 0: none.
    pub(super) roots: Vec<u32>,
    pub(super) currencies: Vec<Currency>,
    /// Letters that may be written in one with the word behind them; whether they join numbers.
    pub(super) prefixes: Vec<(Vec<char>, bool)>,
}

pub(super) const ROOTS: u32 = 0xA00;

impl Lexicon {
    pub(crate) fn new(numbers: &Numbers) -> Self {
        let mut build = Build::default();
        build.pack(numbers);
        build.signs();
        let joins = |prefix: &String| numbers.numerals.joiners.contains(prefix);
        let prefixes = numbers.numerals.prefixes.iter();
        let prefixes = prefixes.map(|prefix| (Folding::new().phrase(prefix), joins(prefix))).collect();
        build.flatten(prefixes)
    }

    pub(super) fn currency(&self, at: usize) -> Option<Currency> {
        self.currencies.get(at).cloned()
    }

    #[inline]
    pub(super) fn root(&self) -> u32 {
        0
    }

    /// The node behind an edge.
    #[inline]
    pub(super) fn step(&self, node: u32, c: char) -> Option<u32> {
        if node == 0 && (c as u32) < ROOTS {
            return self.roots.get(c as usize).copied().filter(|next| *next != 0);
        }
        let (start, end) = self.nodes.get(node as usize)?.edges;
        let edges = self.edges.get(start as usize..end as usize)?;
        if edges.len() <= 8 {
            return edges.iter().find(|(edge, _)| *edge == c).map(|(_, next)| *next);
        }
        edges
            .binary_search_by_key(&c, |(edge, _)| *edge)
            .ok()
            .and_then(|at| edges.get(at))
            .map(|(_, next)| *next)
    }

    #[inline]
    pub(super) fn entries(&self, node: u32) -> &[Entry] {
        let entries = self.nodes.get(node as usize).map(|node| node.entries);
        entries.and_then(|(start, end)| self.entries.get(start as usize..end as usize)).unwrap_or_default()
    }
}

/// Whether a phrase that ends in this character ends a word before any other.
pub(super) fn ends_anywhere(folding: Folding, last: char) -> bool {
    is_han(last) || !matches!(folding.sort(last), super::fold::Sort::Letter)
}
