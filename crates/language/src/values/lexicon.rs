//! The words and signs of a pack in one tree, so that a text is looked through once.

use std::collections::BTreeMap;

use super::decimal::Decimal;
use super::fold::{Folding, is_han};
use super::types::{Bound, Calendar, Currency, Period};
use super::units::{TimeUnit, Unit};
use crate::pack::{Numbers, Phrases};

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
    /// Half more than the number behind it.
    PlusHalf,
    Ordinal(u64),
    OrdinalMark,
    Fraction(u64, u64),
    /// A fraction only before a unit.
    UnitFraction(u64, u64),
    Percent,
    PercentBefore,
    /// A currency by its place in the lexicon; whether it may stand before the amount.
    Currency(usize, bool),
    Cents(usize),
    Unit(Unit),
    Time(TimeUnit),
    /// A number and a unit in one word.
    Span(Decimal, TimeUnit),
    Counter,
    Period(Period),
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
    Telephone,
    Label,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) mean: Mean,
    /// The only way it may be written.
    pub(super) exactly: Option<Box<str>>,
}

#[derive(Debug, Default)]
struct Branch {
    next: BTreeMap<char, usize>,
    entries: Vec<Entry>,
}

/// A point of the tree: where its edges and its entries are.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    edges: (u32, u32),
    entries: (u32, u32),
}

/// Everything a pack knows about values, ready to be looked up.
#[derive(Debug)]
pub(crate) struct Lexicon {
    nodes: Vec<Node>,
    edges: Vec<(char, u32)>,
    entries: Vec<Entry>,
    /// The edges from the root for the letters most texts begin words with; 0: none.
    roots: Vec<u32>,
    currencies: Vec<Currency>,
    /// Letters that may be written in one with the word behind them; whether they join numbers.
    pub(super) prefixes: Vec<(Vec<char>, bool)>,
}

const ROOTS: u32 = 0xA00;

/// Signs of currencies that are the same in every language.
const SIGNS: [(&str, &str); 22] = [
    ("EUR", "€"),
    ("USD", "$"),
    ("USD", "US$"),
    ("GBP", "£"),
    ("JPY", "¥"),
    ("JPY", "￥"),
    ("INR", "₹"),
    ("RUB", "₽"),
    ("TRY", "₺"),
    ("UAH", "₴"),
    ("KRW", "₩"),
    ("ILS", "₪"),
    ("VND", "₫"),
    ("BRL", "R$"),
    ("CAD", "C$"),
    ("CAD", "CA$"),
    ("AUD", "A$"),
    ("MXN", "MX$"),
    ("IRR", "﷼"),
    ("THB", "฿"),
    ("PHP", "₱"),
    ("KZT", "₸"),
];

/// Codes of ISO 4217 that are met in shops and are no word in capitals.
const CODES: [&str; 46] = [
    "EUR", "USD", "GBP", "CHF", "BGN", "RON", "PLN", "CZK", "HUF", "SEK", "NOK", "DKK", "ISK", "RSD", "MKD",
    "TRY", "RUB", "UAH", "BYN", "KZT", "GEL", "AMD", "ILS", "AED", "SAR", "QAR", "KWD", "EGP", "MAD", "TND",
    "IRR", "IRT", "INR", "PKR", "CNY", "RMB", "JPY", "KRW", "HKD", "TWD", "SGD", "AUD", "CAD", "BRL", "MXN",
    "ARS",
];

impl Lexicon {
    pub(crate) fn new(numbers: &Numbers) -> Self {
        let mut build = Build::default();
        build.pack(numbers);
        build.signs();
        let folding = build.folding;
        let joins = |prefix: &String| numbers.numerals.joiners.contains(prefix);
        let prefixes = numbers.numerals.prefixes.iter();
        let prefixes = prefixes.map(|prefix| (folding.phrase(prefix), joins(prefix))).collect();
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

struct Build {
    folding: Folding,
    branches: Vec<Branch>,
    currencies: Vec<Currency>,
}

impl Default for Build {
    fn default() -> Self {
        Self { folding: Folding::new(), branches: vec![Branch::default()], currencies: Vec::new() }
    }
}

impl Build {
    fn pack(&mut self, numbers: &Numbers) {
        let numerals = &numbers.numerals;
        self.each(&numerals.words, |value| Some(Mean::Add(*value)));
        self.each(&numerals.weak, |value| Some(Mean::Weak(*value)));
        self.each(&numerals.scales, |value| value.whole().map(Mean::Times));
        self.all(&numerals.joiners, Mean::Join);
        self.all(&numerals.plus_half, Mean::PlusHalf);
        self.each(&numbers.ordinals, |place| place.whole().map(Mean::Ordinal));
        self.all(&numbers.ordinal_marks, Mean::OrdinalMark);
        self.each(&numbers.fractions, |part| Some(Mean::Fraction(part.over, part.under)));
        self.each(&numbers.unit_fractions, |part| Some(Mean::UnitFraction(part.over, part.under)));
        self.all(&numbers.percent, Mean::Percent);
        self.all(&numbers.percent_before, Mean::PercentBefore);
        for (code, phrases) in &numbers.currencies {
            let at = self.currency(code);
            for phrase in phrases {
                // A whole word before a number would take the number of what follows.
                let before =
                    phrase.trim_start_matches('=').chars().filter(|c| c.is_alphabetic()).count() <= 3;
                self.add(phrase, Mean::Currency(at, before));
            }
        }
        for (code, phrases) in &numbers.cents {
            let at = self.currency(code);
            self.all(phrases, Mean::Cents(at));
        }
        self.each(&numbers.units, |unit| Some(Mean::Unit(*unit)));
        self.each(&numbers.durations, |unit| Some(Mean::Time(*unit)));
        self.each(&numbers.spans, |span| Some(Mean::Span(span.number, span.unit)));
        self.all(&numbers.counters, Mean::Counter);
        self.each(&numbers.periods, |period| Some(Mean::Period(*period)));
        self.each(&numbers.bounds, |bound| Some(Mean::Before(*bound)));
        self.each(&numbers.bounds_after, |bound| Some(Mean::After(*bound)));
        self.all(&numbers.fillers, Mean::Filler);
        self.all(&numbers.ranges.to, Mean::To);
        self.all(&numbers.ranges.between, Mean::Between);
        self.all(&numbers.ranges.and, Mean::And);
        self.all(&numbers.ranges.close, Mean::Close);
        let dates = &numbers.dates;
        for (lists, calendar, alone) in [
            (&dates.months, Calendar::Gregorian, true),
            (&dates.doubtful_months, Calendar::Gregorian, false),
            (&dates.solar_months, Calendar::SolarHijri, false),
        ] {
            for (month, phrases) in (1_u8..).zip(lists) {
                self.all(phrases, Mean::Month(month, calendar, alone));
            }
        }
        self.all(&dates.joiners, Mean::DateJoin);
        self.all(&dates.year_marks, Mean::YearMark);
        for (part, phrases) in (0_u8..).zip(&dates.counted) {
            self.all(phrases, Mean::Counted(part));
        }
        let times = &numbers.times;
        self.all(&times.before, Mean::ClockBefore(true));
        self.all(&times.before_mark, Mean::ClockBefore(false));
        self.all(&times.marks, Mean::ClockMark(true));
        self.all(&times.doubtful_marks, Mean::ClockMark(false));
        self.all(&times.minute_marks, Mean::MinuteMark);
        self.all(&times.morning, Mean::DayPart(false));
        self.all(&times.afternoon, Mean::DayPart(true));
        self.all(&times.half_past, Mean::HalfPast);
        self.all(&numbers.labels.telephone, Mean::Telephone);
        self.all(&numbers.labels.number, Mean::Label);
    }

    /// What every language writes alike; behind the pack's own, which therefore goes before it.
    fn signs(&mut self) {
        for (code, sign) in SIGNS {
            let at = self.currency(code);
            self.add(sign, Mean::Currency(at, true));
        }
        for code in CODES {
            let at = self.currency(code);
            // Not in small letters, where some are words.
            self.add(&format!("={code}"), Mean::Currency(at, true));
        }
        for unit in Unit::ALL {
            for symbol in unit.symbols() {
                self.add(symbol, Mean::Unit(*unit));
            }
        }
        for sign in ["%", "٪", "﹪"] {
            self.add(sign, Mean::Percent);
        }
        for (sign, bound) in [
            ("<", Bound::LessThan),
            (">", Bound::MoreThan),
            ("≤", Bound::AtMost),
            ("≥", Bound::AtLeast),
            ("~", Bound::About),
            ("≈", Bound::About),
            ("±", Bound::About),
        ] {
            self.add(sign, Mean::Before(bound));
        }
        self.add("+", Mean::After(Bound::AtLeast));
        for sign in ["#", "№"] {
            self.add(sign, Mean::Label);
        }
        for sign in ["\u{2013}", "\u{2014}", "\u{2212}", "~", "～", "…"] {
            self.add(sign, Mean::To);
        }
        self.add("°", Mean::OrdinalMark);
        self.add("ª", Mean::OrdinalMark);
    }

    fn each<K>(&mut self, lists: &BTreeMap<K, Phrases>, mean: impl Fn(&K) -> Option<Mean>) {
        for (key, phrases) in lists {
            if let Some(mean) = mean(key) {
                self.all(phrases, mean);
            }
        }
    }

    fn all(&mut self, phrases: &Phrases, mean: Mean) {
        for phrase in phrases {
            self.add(phrase, mean);
        }
    }

    fn add(&mut self, phrase: &str, mean: Mean) {
        let exactly = phrase.strip_prefix('=').filter(|rest| !rest.is_empty());
        let folded = self.folding.phrase(exactly.unwrap_or(phrase));
        if folded.is_empty() {
            return;
        }
        let mut at = 0;
        for c in folded {
            let new = self.branches.len();
            let next = self.branches.get_mut(at).map(|branch| *branch.next.entry(c).or_insert(new));
            if next == Some(new) {
                self.branches.push(Branch::default());
            }
            at = next.unwrap_or_default();
        }
        if let Some(branch) = self.branches.get_mut(at) {
            branch.entries.push(Entry { mean, exactly: exactly.map(Into::into) });
        }
    }

    fn currency(&mut self, code: &str) -> usize {
        // The yuan has a code and an abbreviation.
        let code = if code == "RMB" { "CNY" } else { code };
        let known = self.currencies.iter().position(|currency| currency.code() == code);
        known.unwrap_or_else(|| {
            self.currencies.push(Currency(code.into()));
            self.currencies.len() - 1
        })
    }

    fn flatten(self, prefixes: Vec<(Vec<char>, bool)>) -> Lexicon {
        let mut lexicon = Lexicon {
            nodes: Vec::with_capacity(self.branches.len()),
            edges: Vec::new(),
            entries: Vec::new(),
            roots: vec![0; ROOTS as usize],
            currencies: self.currencies,
            prefixes,
        };
        let index = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        for (at, branch) in self.branches.into_iter().enumerate() {
            let (edges, entries) = (index(lexicon.edges.len()), index(lexicon.entries.len()));
            for (c, next) in branch.next {
                lexicon.edges.push((c, index(next)));
                if let Some(root) = lexicon.roots.get_mut(c as usize).filter(|_| at == 0) {
                    *root = index(next);
                }
            }
            lexicon.entries.extend(branch.entries);
            lexicon.nodes.push(Node {
                edges: (edges, index(lexicon.edges.len())),
                entries: (entries, index(lexicon.entries.len())),
            });
        }
        lexicon
    }
}

/// Whether a phrase that ends in this character ends a word before any other.
pub(super) fn ends_anywhere(folding: Folding, last: char) -> bool {
    is_han(last) || !matches!(folding.sort(last), super::fold::Sort::Letter)
}
