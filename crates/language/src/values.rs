//! The values a text states: numbers, money, measures, durations, dates, times, addresses, names in digits.

mod decimal;

mod units;

mod types;

mod compare;

mod fold;

mod lexicon;

mod build;

mod here;

mod reader;

mod digits;

mod spelled;

mod fractions;

mod amounts;

mod sums;

mod dates;

mod times;

mod spoken;

mod days;

mod ranges;

mod links;

mod names;

mod context;

mod around;

mod scan;

mod tenths;

mod put;

mod named;

use fold::Folding;
use here::Memory;
use reader::Reader;
use scan::Scan;

pub use decimal::{BadDecimal, Decimal};
pub use types::{Amount, Bound, Calendar, Clock, Currency, Date, Days, Kind, Period, Reading, Value};
pub use units::{TimeUnit, Unit};

pub(crate) use lexicon::Lexicon;
pub(crate) use types::DayNames;

use crate::Pack;

impl Pack {
    /// The values that a text states, in the order they stand in it; no two overlap.
    ///
    /// The text is read once, in time that grows with its length alone. Spans are bytes of the text as it is.
    /// A minus sign is kept, except before a percent sign, where shops write a discount so.
    #[must_use]
    pub fn values(&self, text: &str) -> Vec<Value> {
        let numbers = &self.numbers;
        let memory = Memory::default();
        let folding = Folding::new();
        let reader = Reader { text, numbers, lexicon: numbers.lexicon(), folding, memory: &memory };
        Scan::new(reader).all()
    }
}
