//! What a value is.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

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

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Clock {
    /// 0 to 24.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
}
