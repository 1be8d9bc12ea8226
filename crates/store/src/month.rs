//! The calendar month and the day that a budget is kept for, in UTC.

use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use mostrador_answer::ports::UnixMillis;
use serde::Serialize;

use crate::StoreError;

fn date(moment: UnixMillis) -> Result<Date, StoreError> {
    let timestamp = Timestamp::from_millisecond(moment.0).map_err(|_| StoreError::BadTime(moment.0))?;
    let date = TimeZone::UTC.to_datetime(timestamp).date();
    if date.year() < 0 { Err(StoreError::BadTime(moment.0)) } else { Ok(date) }
}

/// A day in UTC, written `2026-07-03`; ordered by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Day(String);

impl Day {
    /// The day a moment lies in.
    ///
    /// # Errors
    /// [`StoreError::BadTime`] outside the years 0 to 9999.
    pub fn of(moment: UnixMillis) -> Result<Self, StoreError> {
        Ok(Self(date(moment)?.to_string()))
    }

    /// The day as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The month it lies in.
    #[must_use]
    pub fn month(&self) -> Month {
        Month(self.0.chars().take(7).collect())
    }

    /// The day so many days before it; the first there is, where there are not so many.
    #[must_use]
    pub fn before(&self, days: u8) -> Self {
        let date = self.0.parse::<Date>().unwrap_or_default();
        let earlier = date.saturating_sub(Span::new().days(days)).max(Date::ZERO);
        Self(earlier.to_string())
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A calendar month in UTC, written `2026-07`; ordered by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Month(String);

impl Month {
    /// The month a moment lies in.
    ///
    /// # Errors
    /// [`StoreError::BadTime`] outside the years 0 to 9999.
    pub fn of(moment: UnixMillis) -> Result<Self, StoreError> {
        Ok(Day::of(moment)?.month())
    }

    /// The month as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Month {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let bad = || StoreError::BadMonth(text.to_owned());
        let (year, month) = text.split_once('-').ok_or_else(bad)?;
        let digits = |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(year, 4) || !digits(month, 2) || !matches!(month.parse(), Ok(1..=12)) {
            return Err(bad());
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_month_ends_with_its_last_millisecond_in_utc() {
        // 2026-02-01T00:00:00Z
        let february = 1_769_904_000_000;
        assert_eq!(Month::of(UnixMillis(february - 1)).unwrap().as_str(), "2026-01");
        assert_eq!(Month::of(UnixMillis(february)).unwrap().as_str(), "2026-02");
        assert_eq!(Month::of(UnixMillis(0)).unwrap().as_str(), "1970-01");
        assert_eq!(Month::of(UnixMillis(-1)).unwrap().as_str(), "1969-12");
    }

    #[test]
    fn a_day_knows_its_month_and_the_days_before() {
        // 2026-03-01T00:00:00Z
        let march = Day::of(UnixMillis(1_772_323_200_000)).unwrap();
        assert_eq!((march.as_str(), march.month().as_str()), ("2026-03-01", "2026-03"));
        assert_eq!(march.before(1).as_str(), "2026-02-28");
        assert_eq!(march.before(7).as_str(), "2026-02-22");
        assert_eq!(Day("0000-01-03".to_owned()).before(7).as_str(), "0000-01-01");
    }

    #[test]
    fn only_year_and_month_are_a_month() {
        assert_eq!("2026-07".parse::<Month>().unwrap().as_str(), "2026-07");
        for bad in ["", "2026", "2026-7", "2026-13", "2026-00", "26-07", "2026-07-01", "+026-07", "٢٠٢٦-07"]
        {
            assert!(bad.parse::<Month>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_moment_has_a_month_that_reads_back_or_an_error(moment in any::<i64>(), near in 0..253_402_300_800_000_i64) {
            if let Ok(month) = Month::of(UnixMillis(moment)) {
                prop_assert_eq!(month.as_str().parse::<Month>().unwrap(), month);
            }
            let month = Month::of(UnixMillis(near)).unwrap();
            prop_assert_eq!(month.as_str().parse::<Month>().unwrap(), month);
        }
    }
}
