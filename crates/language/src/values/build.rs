//! Builds the lexicon of a pack: its own phrases, and the signs that all languages write alike.

use std::collections::BTreeMap;

use super::days::Sure;
use super::fold::Folding;
use super::lexicon::{Entry, Lexicon, Mean, Node, ROOTS};
use super::types::{Bound, Calendar, Currency, Days};
use super::units::Unit;
use crate::pack::{Numbers, Phrases, Weekdays};

#[derive(Debug, Default)]
struct Branch {
    next: BTreeMap<char, usize>,
    entries: Vec<Entry>,
}

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

pub(super) struct Build {
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
    pub(super) fn pack(&mut self, numbers: &Numbers) {
        let numerals = &numbers.numerals;
        self.each(&numerals.words, |value| Some(Mean::Add(*value)));
        self.each(&numerals.weak, |value| Some(Mean::Weak(*value)));
        self.each(&numerals.scales, |value| value.whole().map(Mean::Times));
        self.all(&numerals.joiners, Mean::Join);
        self.all(&numerals.plus_half, Mean::Quarters(2));
        self.all(&numerals.plus_quarter, Mean::Quarters(1));
        self.all(&numerals.less_quarter, Mean::Quarters(-1));
        self.each(&numbers.ordinals, |place| place.whole().map(Mean::Ordinal));
        self.all(&numbers.ordinal_marks, Mean::OrdinalMark);
        self.each(&numbers.fractions, |part| Some(Mean::Fraction(part.over, part.under)));
        self.each(&numbers.unit_fractions, |part| Some(Mean::UnitFraction(part.over, part.under)));
        self.all(&numbers.percent, Mean::Percent);
        self.all(&numbers.percent_before, Mean::PercentBefore);
        self.all(&numbers.tenths, Mean::Tenths);
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
        self.each(&numbers.payers, |payer| Some(Mean::Payer(*payer)));
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
        self.weekdays(&numbers.weekdays);
        let times = &numbers.times;
        self.all(&times.before, Mean::ClockBefore(true));
        self.all(&times.before_mark, Mean::ClockBefore(false));
        self.all(&times.marks, Mean::ClockMark(true));
        self.all(&times.doubtful_marks, Mean::ClockMark(false));
        self.all(&times.minute_marks, Mean::MinuteMark);
        self.all(&times.morning, Mean::DayPart(false));
        self.all(&times.afternoon, Mean::DayPart(true));
        self.all(&times.half_past, Mean::HalfPast);
        self.each(&times.before_hour, |minutes| Some(Mean::BeforeHour(minutes.0)));
        self.each(&times.after_hour, |minutes| Some(Mean::AfterHour(minutes.0)));
        for (hour, phrases) in (1_u8..).zip(&times.hours) {
            self.all(phrases, Mean::Hour(hour));
        }
        self.all(&numbers.labels.telephone, Mean::Telephone);
        self.all(&numbers.labels.number, Mean::Label);
    }

    fn weekdays(&mut self, weekdays: &Weekdays) {
        for (lists, sure) in [
            (&weekdays.names, Sure::Alone),
            (&weekdays.doubtful, Sure::InCompany),
            (&weekdays.behind, Sure::Behind),
        ] {
            for (day, phrases) in (0_u8..).zip(lists) {
                self.all(phrases, Mean::Weekdays(Days::one(day), sure));
            }
        }
        self.each(&weekdays.sets, |days| Some(Mean::Weekdays(days.0, Sure::Alone)));
        self.all(&weekdays.joiners, Mean::DayJoin);
        self.all(&weekdays.fillers, Mean::DayFiller);
    }

    /// What every language writes alike; behind the pack's own, which therefore goes before it.
    pub(super) fn signs(&mut self) {
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
        for sign in ["#", "№"] {
            self.add(sign, Mean::Label);
        }
        for sign in ["\u{2013}", "\u{2014}", "\u{2212}", "~", "～", "…"] {
            self.add(sign, Mean::To);
        }
        self.add("°", Mean::OrdinalMark);
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

    pub(super) fn flatten(self, prefixes: Vec<(Vec<char>, bool)>) -> Lexicon {
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
