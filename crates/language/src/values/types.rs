//! What a value is.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::decimal::Decimal;
use super::units::{TimeUnit, Unit};

/// A value that a text states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Value {
    /// Where it stands in the text, in bytes: the amount, its unit and both ends of a range, without the
    /// words of its bound and of its period.
    pub span: Range<usize>,
    /// What it is.
    #[serde(flatten)]
    pub kind: Kind,
    /// Whether it is a limit; none: exactly so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// What it is counted for each of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// What else it is counted for each of: "per person and night".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<Period>,
}

/// What sort of value, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// A number of things, or of nothing said.
    Number {
        /// How many.
        amount: Amount,
    },
    /// A place in an order.
    Ordinal {
        /// The first is 1.
        place: u64,
    },
    /// A fraction that is no decimal number, such as a third; in lowest terms.
    Fraction {
        /// The numerator.
        over: u64,
        /// The denominator.
        under: u64,
    },
    /// A share of a hundred.
    Percent {
        /// How many hundredths.
        amount: Amount,
    },
    /// A sum of money.
    Money {
        /// How much.
        amount: Amount,
        /// Of which currency.
        currency: Currency,
    },
    /// A quantity with a unit of measure.
    Measure {
        /// How much.
        amount: Amount,
        /// Of what.
        unit: Unit,
    },
    /// A length of time.
    Duration {
        /// How much.
        amount: Amount,
        /// Of what.
        unit: TimeUnit,
        /// Its unit is written as hours of the clock are, so that it may be a time of day.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        clock: bool,
    },
    /// A day, a month or a year, or from one to another.
    Date {
        /// The date, or the first one.
        from: Date,
        /// The last one.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Date>,
    },
    /// A time of day, or from one to another.
    Time {
        /// The time, or the first one.
        from: Clock,
        /// The last one.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Clock>,
    },
    /// Days of the week; only [`crate::Pack::values_and_days`] finds them.
    Weekdays {
        /// Which ones.
        days: Days,
        /// Whether only all of them together are meant: "only from Monday to Friday".
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        whole: bool,
    },
    /// The address of a page, as it is written.
    Url {
        /// With its scheme where it is written with one.
        address: String,
    },
    /// The address of a mailbox, as it is written.
    Email {
        /// The whole of it.
        address: String,
    },
    /// The number of a telephone, an order, an article, a version: a name, not a quantity.
    Identifier {
        /// Its letters in upper case and its digits as 0 to 9; hyphens and spaces are left out.
        text: String,
    },
}

/// How much: one amount, or everything from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// The amount, or the lower end.
    pub from: Reading,
    /// The upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Reading>,
}

/// A number as it is written, which may be readable in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// What a reader of the text's language takes it for.
    pub value: Decimal,
    /// What it is where the marks of decimals and of thousands change places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Decimal>,
}

impl Reading {
    /// A number that is read in one way only.
    pub(crate) fn sure(value: Decimal) -> Self {
        Self { value, other: None }
    }

    /// Both readings changed in one way; the second is dropped where that cannot be done to it.
    pub(crate) fn map(self, change: impl Fn(Decimal) -> Option<Decimal>) -> Option<Self> {
        Some(Self { value: change(self.value)?, other: self.other.and_then(change) })
    }

    /// Whether one reading of ours is one of theirs.
    pub(crate) fn agrees(self, other: Self) -> bool {
        let theirs = [Some(other.value), other.other];
        theirs.contains(&Some(self.value)) || (self.other.is_some() && theirs.contains(&self.other))
    }
}

impl Amount {
    /// One amount.
    pub(crate) fn one(from: Reading) -> Self {
        Self { from, to: None }
    }

    /// Whether it is one, and no range.
    pub(crate) fn is_one(self) -> bool {
        self.to.is_none() && self.from.value.whole() == Some(1)
    }
}

/// A currency by its ISO 4217 code, or by its sign or word where several currencies share that.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(pub(crate) Arc<str>);

impl Currency {
    /// The code, the sign or the word.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.0
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// How a value limits what it speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// This much or less.
    AtMost,
    /// This much or more.
    AtLeast,
    /// Less than this.
    LessThan,
    /// More than this.
    MoreThan,
    /// About this much.
    About,
    /// Up to this date or time of day.
    Until,
    /// From this date or time of day on.
    Since,
}

impl Bound {
    /// The bound as one of a date or a time of day.
    pub(crate) fn in_time(self) -> Self {
        match self {
            Bound::AtMost | Bound::LessThan => Bound::Until,
            Bound::AtLeast | Bound::MoreThan => Bound::Since,
            other => other,
        }
    }
}

/// What a value is counted for each of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A night of a stay.
    Night,
    /// A week.
    Week,
    /// A month.
    Month,
    /// Three months.
    Quarter,
    /// A year.
    Year,
    /// A piece of what is sold.
    Piece,
    /// A person.
    Person,
    /// A pupil or a student.
    Student,
    /// A child.
    Child,
    /// A family.
    Family,
    /// A group of people.
    Group,
    /// A member.
    Member,
    /// A room.
    Room,
    /// A car or another vehicle.
    Vehicle,
    /// A dog or another animal.
    Animal,
    /// A lesson or a session.
    Lesson,
    /// An order.
    Order,
    /// A kilogram.
    Kilogram,
    /// A litre.
    Litre,
    /// A metre.
    Metre,
    /// A square metre.
    SquareMetre,
    /// A kilometre.
    Kilometre,
}

impl Period {
    /// Whether it is a length of time.
    pub(crate) fn is_of_time(self) -> bool {
        use Period as P;
        matches!(self, P::Minute | P::Hour | P::Day | P::Night | P::Week | P::Month | P::Quarter | P::Year)
    }
}

/// A date; what is not said is none. One of the three is always said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Date {
    /// The year of the calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// The month, 1 to 12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u8>,
    /// The day of the month, 1 to 31.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<u8>,
    /// Which calendar.
    #[serde(skip_serializing_if = "Calendar::is_gregorian")]
    pub calendar: Calendar,
}

/// A calendar. Dates of two calendars are never the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Calendar {
    /// The Gregorian calendar.
    #[default]
    Gregorian,
    /// The Solar Hijri calendar of Iran.
    SolarHijri,
}

impl Calendar {
    fn is_gregorian(&self) -> bool {
        *self == Calendar::Gregorian
    }
}

/// Days of the week, and what is said in the place of some: the days of work, the weekend, public holidays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Days(u16);

/// Each day of the week is a bit, Monday the first; behind them those that have no day of their own.
const WEEK: u16 = 7;
const NAMED: [&str; 3] = ["weekdays", "weekend", "holidays"];

impl Days {
    /// One day of the week; Monday is 0.
    pub(crate) fn one(day: u8) -> Self {
        Self(1 << (u16::from(day) % WEEK))
    }

    /// Whether it is one day of the week.
    #[must_use]
    pub fn is_one(self) -> bool {
        self.count() == 1 && self.0 < 1 << WEEK
    }

    /// How many they are.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether all of them are among others.
    #[must_use]
    pub fn are_among(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// These and others.
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// From one day to another, over the end of the week where that is on the way; both must be single days.
    pub(crate) fn up_to(self, last: Self) -> Option<Self> {
        if !self.is_one() || !last.is_one() || self == last {
            return None;
        }
        let mut days = self;
        let mut day = self;
        while day != last {
            day = Self(if day.0 == 1 << (WEEK - 1) { 1 } else { day.0 << 1 });
            days = days.and(day);
        }
        Some(days)
    }
}

/// Days by the digits of their places, Monday first, or by their name: `12345`, `7 holidays`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DayNames(pub(crate) Days);

impl<'de> Deserialize<'de> for DayNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |c: char| c.to_digit(8).filter(|day| *day > 0).map(|day| 1_u16 << (day - 1));
        let named = |part: &str| (WEEK..).zip(NAMED).find(|(_, name)| *name == part).map(|(bit, _)| 1 << bit);
        let digits = |part: &str| part.chars().map(digit).try_fold(0, |days, day| day.map(|day| days | day));
        let parts = text.split(' ').map(|part| named(part).or_else(|| digits(part)).filter(|days| *days > 0));
        let days = parts.reduce(|one, other| one.zip(other).map(|(one, other)| one | other)).flatten();
        let wrong = || serde::de::Error::custom(format!("{text:?} are no days; write them as \"12345\""));
        days.map(|days| Self(Days(days))).ok_or_else(wrong)
    }
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Clock {
    /// 0 to 24.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
}
