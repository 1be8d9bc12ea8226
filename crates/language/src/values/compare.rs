//! Whether two values mean the same.

use super::decimal::Decimal;
use super::types::{Amount, Date, Kind, Period, Reading, Value};
use super::units::TimeUnit;

impl Value {
    /// Whether both are of one kind and one amount, however they are written; symmetric. A fraction, and a decimal
    /// below one, are the same as their hundredths.
    ///
    /// Units are converted where that is exact, currencies never. A number that can be read in two ways is
    /// the same as either. A range is the same as a range with the same ends. A bare number is the same as an
    /// identifier of its digits and as the year of that number. Dates must say the same fields, see
    /// [`Value::said_by`]. Bounds and periods are not looked at, see [`Value::same_bound`] and
    /// [`Value::same_period`].
    #[must_use]
    pub fn same(&self, other: &Value) -> bool {
        same_kind(&self.kind, &other.kind) || same_kind(&other.kind, &self.kind)
    }

    /// Whether both are of one sort, so that one may be said in the place of the other: two sums of money, two
    /// lengths, two durations. Addresses of pages and mailboxes are each of a sort.
    #[must_use]
    pub fn is_comparable(&self, other: &Value) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Measure { unit: ours, .. }, Kind::Measure { unit: theirs, .. }) => {
                ours.measure().0 == theirs.measure().0
            }
            (Kind::Percent { .. }, share) | (share, Kind::Percent { .. }) => is_share(share),
            (ours, theirs) => std::mem::discriminant(ours) == std::mem::discriminant(theirs),
        }
    }

    /// Whether both are limits of one sort, or neither is one.
    #[must_use]
    pub fn same_bound(&self, other: &Value) -> bool {
        self.bound == other.bound
    }

    /// Whether both are counted for each of one thing, or neither is.
    #[must_use]
    pub fn same_period(&self, other: &Value) -> bool {
        let all = |one: &Value, other: &Value| one.periods().all(|period| other.is_counted_for(period));
        all(self, other) && all(other, self)
    }

    /// What it is counted for each of.
    pub fn periods(&self) -> impl Iterator<Item = Period> {
        self.period.into_iter().chain(self.also)
    }

    /// Whether it is counted for each of something.
    #[must_use]
    pub fn is_counted_for(&self, period: Period) -> bool {
        self.periods().any(|own| own == period)
    }

    /// Whether a source with this value says what this one claims: [`Value::same`], a date that leaves
    /// out the year of the source's, or days of the week that are among the source's.
    #[must_use]
    pub fn said_by(&self, source: &Value) -> bool {
        let without = |claim: Date, source: Date| {
            claim == source || (claim.month.is_some() && claim == Date { year: None, ..source })
        };
        let dates = match (&self.kind, &source.kind) {
            (Kind::Date { from, to }, Kind::Date { from: first, to: last }) => {
                without(*from, *first)
                    && match (to, last) {
                        (None, None) => true,
                        (Some(to), Some(last)) => without(*to, *last),
                        _ => false,
                    }
            }
            _ => false,
        };
        dates || self.is_among(source) || self.same(source)
    }

    /// Whether its days of the week are among those of a source; all of them, where it stands for them as a whole.
    fn is_among(&self, source: &Value) -> bool {
        match (&self.kind, &source.kind) {
            (Kind::Weekdays { days, whole: false }, Kind::Weekdays { days: theirs, .. }) => {
                days.are_among(*theirs)
            }
            _ => false,
        }
    }

    /// Takes days of the week for all that are meant: none of them then says the same of fewer.
    pub fn take_whole(&mut self) {
        if let Kind::Weekdays { whole, .. } = &mut self.kind {
            *whole = true;
        }
    }

    /// Whether it names days of the week.
    #[must_use]
    pub fn is_weekdays(&self) -> bool {
        matches!(self.kind, Kind::Weekdays { .. })
    }
}

/// Whether a value can stand for a share of a hundred.
fn is_share(kind: &Kind) -> bool {
    match kind {
        Kind::Percent { .. } | Kind::Fraction { .. } => true,
        Kind::Number { amount } => amount.to.is_none() && is_part(amount.from.value),
        _ => false,
    }
}

/// Whether a number is a part of one: a half, and no version 4.5.
fn is_part(number: Decimal) -> bool {
    !number.is_integer() && number.is_below_one()
}

/// Either order of two kinds that differ is tried by the caller.
fn same_kind(ours: &Kind, theirs: &Kind) -> bool {
    match (ours, theirs) {
        (Kind::Number { amount: a }, Kind::Number { amount: b })
        | (Kind::Percent { amount: a }, Kind::Percent { amount: b }) => agree(*a, 1, *b, 1),
        (Kind::Money { amount: a, currency: c }, Kind::Money { amount: b, currency: d }) => {
            c == d && agree(*a, 1, *b, 1)
        }
        (Kind::Measure { amount: a, unit: u }, Kind::Measure { amount: b, unit: v }) => {
            let ((ours, m), (theirs, n)) = (u.measure(), v.measure());
            ours == theirs && agree(*a, m, *b, n)
        }
        (Kind::Duration { amount: a, unit: u, .. }, Kind::Duration { amount: b, unit: v, .. }) => {
            let ((ours, m), (theirs, n)) = (u.measure(), v.measure());
            ours == theirs && agree(*a, m, *b, n)
        }
        (Kind::Duration { amount, unit: TimeUnit::Hour, clock: true }, Kind::Time { from, to }) => {
            let at =
                |hour: u8, minute: u8| (minute == 0).then(|| Reading::sure(Decimal::from(u64::from(hour))));
            at(from.hour, from.minute).is_some_and(|from| amount.from.agrees(from))
                && match (amount.to, to) {
                    (None, None) => true,
                    (Some(ours), Some(to)) => at(to.hour, to.minute).is_some_and(|to| ours.agrees(to)),
                    _ => false,
                }
        }
        (Kind::Number { amount: Amount { from, to: None } }, Kind::Identifier { text }) => text
            .parse::<Decimal>()
            .is_ok_and(|number| number.is_integer() && from.agrees(Reading::sure(number))),
        (Kind::Number { amount: Amount { from, to: None } }, Kind::Date { from: date, to: None }) => {
            let only = date.month.is_none() && date.day.is_none();
            only && date.year.is_some_and(|year| from.value.whole() == Some(u64::from(year)))
        }
        (Kind::Fraction { over, under }, Kind::Percent { amount: Amount { from, to: None } }) => {
            let hundredths = from.value.times(i128::from(*under));
            hundredths == Decimal::from(*over).times(100)
        }
        // "Half of the price".
        (
            Kind::Number { amount: Amount { from, to: None } },
            Kind::Percent { amount: Amount { from: share, to: None } },
        ) => is_part(from.value) && from.value.times(100) == Some(share.value),
        (Kind::Weekdays { days: a, .. }, Kind::Weekdays { days: b, .. }) => a == b,
        (Kind::Url { address: a }, Kind::Url { address: b }) => canonical(a) == canonical(b),
        (Kind::Email { address: a }, Kind::Email { address: b }) => a.eq_ignore_ascii_case(b),
        (ours, theirs) => ours == theirs,
    }
}

fn agree(ours: Amount, m: i128, theirs: Amount, n: i128) -> bool {
    let agrees = |ours: Reading, theirs: Reading| {
        let ours = ours.map(|number| number.times(m));
        let theirs = theirs.map(|number| number.times(n));
        ours.zip(theirs).is_some_and(|(ours, theirs)| ours.agrees(theirs))
    };
    agrees(ours.from, theirs.from)
        && match (ours.to, theirs.to) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => agrees(ours, theirs),
            _ => false,
        }
}

/// Scheme and host, then the rest: the former without regard to case, and a scheme of the web like none at
/// all where the host tells that it is one; the path of the root may be left out.
fn canonical(address: &str) -> (String, &str) {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(at).unwrap_or((rest, ""));
    let host = host.to_lowercase();
    let path = if path == "/" { "" } else { path };
    let scheme = scheme.to_lowercase();
    if host.starts_with("www.") && matches!(scheme.as_str(), "http" | "https" | "") {
        return (host, path);
    }
    (format!("{scheme}://{host}"), path)
}
