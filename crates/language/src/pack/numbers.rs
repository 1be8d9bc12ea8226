//! `numbers.toml` of a pack: how a language writes numbers, money, measures, dates and bounds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer};

use crate::values::{Bound, DayNames, Decimal, Lexicon, Period, TimeUnit, Unit};

/// Words and phrases, in any case, with or without accents; one that begins with `=` stands exactly so.
/// A space stands for white space, a hyphen or a zero-width non-joiner.
pub(crate) type Phrases = Vec<String>;

/// Phrases by the number they stand for.
pub(crate) type Numerals<K> = BTreeMap<K, Phrases>;

/// What a language pack's `numbers.toml` holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Numbers {
    /// The mark before the decimals, and the mark between thousands.
    #[serde(default)]
    pub(crate) marks: Marks,
    /// Number words.
    pub(crate) numerals: NumberWords,
    /// Ordinal words by their place.
    #[serde(default)]
    pub(crate) ordinals: Numerals<Decimal>,
    /// What makes an ordinal of the digits before it.
    #[serde(default)]
    pub(crate) ordinal_marks: Phrases,
    /// Words for fractions, and for those that are one only before a unit, written as `1/2`.
    #[serde(default)]
    pub(crate) fractions: Numerals<Fraction>,
    #[serde(default)]
    pub(crate) unit_fractions: Numerals<Fraction>,
    /// Words for a share of a hundred behind the number, and before it.
    #[serde(default)]
    pub(crate) percent: Phrases,
    #[serde(default)]
    pub(crate) percent_before: Phrases,
    /// Signs and words of currencies by code; each code itself and the signs of all languages are known.
    #[serde(default)]
    pub(crate) currencies: Numerals<String>,
    /// Words for a hundredth of a currency.
    #[serde(default)]
    pub(crate) cents: Numerals<String>,
    /// Words for units of measure; the symbols of all languages are known.
    #[serde(default)]
    pub(crate) units: Numerals<Unit>,
    /// Words for units of time.
    #[serde(default)]
    pub(crate) durations: Numerals<TimeUnit>,
    /// Words that are a number and a unit of time at once, by those, such as `2 day`.
    #[serde(default)]
    pub(crate) spans: Numerals<TimeSpan>,
    /// Words for what is counted, where only they make a number of a number word.
    #[serde(default)]
    pub(crate) counters: Phrases,
    /// What stands behind a price in tenths of the full one.
    #[serde(default)]
    pub(crate) tenths: Phrases,
    /// What an amount is counted for each of.
    #[serde(default)]
    pub(crate) periods: Numerals<Period>,
    /// Who it may be counted for each of, as they are named elsewhere: "children" beside "per child".
    #[serde(default)]
    pub(crate) payers: Numerals<Period>,
    /// Bounds before the value, and behind it.
    #[serde(default)]
    pub(crate) bounds: Numerals<Bound>,
    #[serde(default)]
    pub(crate) bounds_after: Numerals<Bound>,
    /// Words that may stand between a bound and its value, or between a number and its currency.
    #[serde(default)]
    pub(crate) fillers: Phrases,
    /// Ranges: between their ends, before them, and between the ends of one that has something before it.
    #[serde(default)]
    pub(crate) ranges: Ranges,
    /// Dates.
    #[serde(default)]
    pub(crate) dates: Dates,
    /// Days of the week.
    #[serde(default)]
    pub(crate) weekdays: Weekdays,
    /// Times of day.
    #[serde(default)]
    pub(crate) times: Times,
    /// What is said before a number that is a name.
    #[serde(default)]
    pub(crate) labels: Labels,
    #[serde(skip)]
    lexicon: OnceLock<Arc<Lexicon>>,
}

impl Numbers {
    /// What the values of a text are found with; made when first asked for.
    pub(crate) fn lexicon(&self) -> &Lexicon {
        self.lexicon.get_or_init(|| Arc::new(Lexicon::new(self)))
    }
}

/// The marks in numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marks {
    /// Before the decimals.
    pub(crate) decimal: char,
    /// Between thousands.
    #[cfg_attr(not(test), expect(dead_code, reason = "how the language writes; any mark is read"))]
    pub(crate) group: char,
    /// A number of fewer digits is written without marks (CLDR, minimumGroupingDigits and three).
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "how the language writes; read by the table of locales")
    )]
    pub(crate) fewest_grouped: usize,
    /// Whether a plain space may stand between thousands.
    #[serde(default)]
    pub(crate) spaced: bool,
    /// Whether the second group and those before it have two digits, in writing; read they are everywhere.
    #[serde(default)]
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "how the language writes; read by the table of locales")
    )]
    pub(crate) lakhs: bool,
}

impl Default for Marks {
    fn default() -> Self {
        Self { decimal: '.', group: ',', fewest_grouped: 4, spaced: false, lakhs: false }
    }
}

/// Number words.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NumberWords {
    /// Words that are added to what stands before them.
    pub(crate) words: Numerals<Decimal>,
    /// Words that are a number only in a longer one, or before a unit, a currency or a counter.
    pub(crate) weak: Numerals<Decimal>,
    /// Words that multiply what stands before them: ten or a power of it.
    pub(crate) scales: Numerals<Decimal>,
    /// Words between the parts of a number.
    pub(crate) joiners: Phrases,
    /// Words that add a half to the number behind them.
    pub(crate) plus_half: Phrases,
    /// Words that add a quarter to the number behind them, and that take one off.
    pub(crate) plus_quarter: Phrases,
    pub(crate) less_quarter: Phrases,
    /// Whether the parts of a number are written as one word.
    pub(crate) compounds: bool,
    /// Whether units come before tens.
    pub(crate) units_first: bool,
    /// Letters that may be written in one with the word behind them; those that are joiners too join numbers.
    pub(crate) prefixes: Vec<String>,
    /// Whether single digits may be named one after another.
    pub(crate) by_digits: bool,
}

/// Words of ranges.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Ranges {
    pub(crate) to: Phrases,
    pub(crate) between: Phrases,
    pub(crate) and: Phrases,
    /// Behind the last end, saying nothing more.
    pub(crate) close: Phrases,
}

/// The order of a numeric date.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DateOrder {
    /// Day, month, year.
    #[default]
    Dmy,
    /// Month, day, year.
    Mdy,
    /// Year, month, day.
    Ymd,
}

/// Words and order of dates.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Dates {
    pub(crate) order: DateOrder,
    /// Whether `24.12.` is a date.
    pub(crate) dotted: bool,
    /// Names of the months, January first; each list is of one month.
    pub(crate) months: Vec<Phrases>,
    /// Names that are a month only beside a day or a year.
    pub(crate) doubtful_months: Vec<Phrases>,
    /// Names of the months of the Solar Hijri calendar, only beside a day or a year.
    pub(crate) solar_months: Vec<Phrases>,
    /// Whether a month may stand before its day.
    pub(crate) month_first: bool,
    /// Between day, month and year.
    pub(crate) joiners: Phrases,
    /// Behind a year, saying nothing more.
    pub(crate) year_marks: Phrases,
    /// Behind the number of a year, a month and a day where months have no names.
    pub(crate) counted: Vec<Phrases>,
}

/// Names of the days of the week, each list of one day, Monday first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Weekdays {
    pub(crate) names: Vec<Phrases>,
    /// Names that are a day only beside another.
    pub(crate) doubtful: Vec<Phrases>,
    /// Names that are a day only at the end of a range.
    pub(crate) behind: Vec<Phrases>,
    /// Words for several days.
    pub(crate) sets: Numerals<DayNames>,
    /// Between the days of a list.
    pub(crate) joiners: Phrases,
    /// Words that may stand before a day, saying nothing more.
    pub(crate) fillers: Phrases,
}

impl Weekdays {
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Words of times of day.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Times {
    /// Before an hour, which needs nothing behind it; and before one that has a mark behind it.
    pub(crate) before: Phrases,
    pub(crate) before_mark: Phrases,
    /// Behind an hour: a time of day by themselves, or only between digits or after one of `before`.
    pub(crate) marks: Phrases,
    pub(crate) doubtful_marks: Phrases,
    /// Behind the minutes.
    pub(crate) minute_marks: Phrases,
    /// Parts of the day, before or behind the hour.
    pub(crate) morning: Phrases,
    pub(crate) afternoon: Phrases,
    /// Half past, behind the hour.
    pub(crate) half_past: Phrases,
    /// By minutes: what stands before the hour that they are counted from, and behind it; before an hour, less than 0.
    pub(crate) before_hour: Numerals<Minutes>,
    pub(crate) after_hour: Numerals<Minutes>,
    /// Words that name the hours of the clock, one o'clock first, where those are not the numbers.
    pub(crate) hours: Vec<Phrases>,
}

/// Minutes from an hour, written as `15` or `-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Minutes(pub(crate) i8);

impl<'de> Deserialize<'de> for Minutes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let minutes = text.parse().ok().filter(|minutes| (-59..60).contains(minutes));
        let wrong = || serde::de::Error::custom(format!("{text:?} are no minutes of an hour"));
        minutes.map(Self).ok_or_else(wrong)
    }
}

/// What is said before a number that is a name.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Labels {
    pub(crate) telephone: Phrases,
    pub(crate) number: Phrases,
}

/// A fraction, written as `1/2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fraction {
    pub(crate) over: u64,
    pub(crate) under: u64,
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split_once('/').and_then(|(over, under)| {
            Some(Self { over: over.parse().ok()?, under: under.parse().ok().filter(|under| *under > 0)? })
        });
        parts.ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no fraction; write it as \"1/2\"")))
    }
}

/// A number and a unit of time, written as `2 day`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeSpan {
    pub(crate) number: Decimal,
    pub(crate) unit: TimeUnit,
}

impl<'de> Deserialize<'de> for TimeSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Some((number, unit)) = text.split_once(' ') else {
            let wrong = format!("{text:?} is no length of time; write it as \"2 day\"");
            return Err(serde::de::Error::custom(wrong));
        };
        let number = number.parse().map_err(serde::de::Error::custom)?;
        let unit: Result<TimeUnit, serde::de::value::Error> =
            TimeUnit::deserialize(serde::de::value::StrDeserializer::new(unit));
        Ok(Self { number, unit: unit.map_err(serde::de::Error::custom)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pack;

    /// Marks of decimals and thousands, the fewest digits that are grouped, and groups of two, after CLDR 46;
    /// for `ar` those of Egypt, for `pt` the mark of Brazil and the digits of Portugal.
    const CLDR: [(&str, char, char, usize, bool); 11] = [
        ("en", '.', ',', 4, false),
        ("es", ',', '.', 5, false),
        ("bg", ',', '\u{A0}', 5, false),
        ("pt", ',', '.', 5, false),
        ("fr", ',', '\u{202F}', 4, false),
        ("de", ',', '.', 4, false),
        ("ru", ',', '\u{A0}', 4, false),
        ("ar", '٫', '٬', 4, false),
        ("fa", '٫', '٬', 4, false),
        ("hi", '.', ',', 4, true),
        ("zh", '.', ',', 4, false),
    ];

    fn numbers(lang: &str) -> &'static Numbers {
        &Pack::builtin(lang.parse().unwrap()).unwrap().numbers
    }

    #[test]
    fn marks_are_those_of_the_language() {
        for (lang, decimal, group, fewest, lakhs) in CLDR {
            let marks = &numbers(lang).marks;
            assert_eq!((marks.decimal, marks.group), (decimal, group), "{lang}");
            assert_eq!((marks.fewest_grouped, marks.lakhs), (fewest, lakhs), "{lang}");
        }
    }

    #[test]
    fn every_pack_has_what_values_are_made_of() {
        for lang in Pack::languages() {
            let numbers = &Pack::builtin(lang).unwrap().numbers;
            let file = format!("packs/{lang}/numbers.toml");
            let rules = &numbers.numerals;
            let known = |value: u64| {
                let lists = [&rules.words, &rules.weak];
                lists.iter().any(|list| list.contains_key(&Decimal::from(value)))
            };
            assert!((0..10).all(known), "{file}: a number below ten has no word");
            assert!(rules.by_digits || (10..20).all(known), "{file}: a number below twenty has no word");
            assert!(
                rules.scales.keys().chain(numbers.ordinals.keys()).all(|key| key.whole().is_some()),
                "{file}"
            );
            let mut shown = std::collections::BTreeSet::new();
            for unit in
                [TimeUnit::Minute, TimeUnit::Hour, TimeUnit::Day, TimeUnit::WorkingDay, TimeUnit::Week]
            {
                assert!(numbers.durations.contains_key(&unit), "{file}: {unit:?}");
            }
            for unit in [TimeUnit::Month, TimeUnit::Year] {
                assert!(numbers.durations.contains_key(&unit), "{file}: {unit:?}");
            }
            for code in ["EUR", "USD"] {
                assert!(numbers.currencies.contains_key(code), "{file}: {code}");
            }
            for period in [Period::Hour, Period::Day, Period::Week, Period::Month, Period::Year] {
                assert!(numbers.periods.contains_key(&period), "{file}: {period:?}");
            }
            for period in [Period::Piece, Period::Person, Period::Order] {
                assert!(numbers.periods.contains_key(&period), "{file}: {period:?}");
            }
            let dates = &numbers.dates;
            if dates.counted.is_empty() {
                let named = |at: usize| {
                    let lists = [&dates.months, &dates.doubtful_months];
                    lists.iter().any(|months| months.get(at).is_some_and(|names| !names.is_empty()))
                };
                assert!((0..12).all(named), "{file}: a month has no name");
            }
            for months in [&dates.months, &dates.doubtful_months, &dates.solar_months] {
                assert!(months.is_empty() || months.len() == 12, "{file}: there are twelve months");
            }
            let weekdays = &numbers.weekdays;
            assert!(
                weekdays.names.len() == 7 && weekdays.names.iter().all(|names| !names.is_empty()),
                "{file}"
            );
            for names in [&weekdays.doubtful, &weekdays.behind] {
                assert!(names.is_empty() || names.len() == 7, "{file}: there are seven days");
            }
            for phrases in
                [&numbers.percent, &numbers.labels.telephone, &numbers.labels.number, &numbers.ranges.to]
            {
                assert!(!phrases.is_empty(), "{file}");
            }
            for phrase in numbers.durations.values().flatten() {
                // One phrase is one length of time.
                assert!(shown.insert(phrase.as_str()), "{file}: {phrase:?} stands twice");
            }
        }
    }

    #[test]
    fn what_is_no_fraction_and_no_length_of_time_is_refused() {
        let read = |text: &str| toml::from_str::<Numbers>(&format!("[numerals]\n{text}")).map(|_| ());
        assert!(read("[fractions]\n\"1/2\" = []\n[spans]\n\"2 day\" = []\n").is_ok());
        for (wrong, named) in [
            ("[fractions]\n\"1/0\" = []\n", "1/0"),
            ("[fractions]\nhalf = []\n", "half"),
            ("[spans]\n\"2 dya\" = []\n", "dya"),
            ("[units]\nkgg = []\n", "kgg"),
            ("[wrods]\n", "wrods"),
        ] {
            assert!(read(wrong).unwrap_err().to_string().contains(named), "{wrong}");
        }
    }
}
