//! The interval of a share, to be shown beside its counts; nothing is decided by it.

use serde::Serialize;

/// The ends of an interval, each in 0..1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The 95 % score interval of `part` in `whole` (Wilson 1927), good for few questions and for shares near 0 and 1;
/// nothing of nothing may be anything.
#[must_use]
pub fn wilson(part: usize, whole: usize) -> Interval {
    /// The 97.5 % point of the normal distribution.
    const Z: f64 = 1.959_964;
    if whole == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (part, whole) = (part as f64, whole as f64);
    let share = part / whole;
    let spread = Z * Z / whole;
    let middle = share + spread / 2.0;
    let reach = Z * (share * (1.0 - share) / whole + spread / (4.0 * whole)).sqrt();
    let end = |end: f64| (end / (1.0 + spread)).clamp(0.0, 1.0);
    Interval { low: end(middle - reach), high: end(middle + reach) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn it_is_the_one_of_the_books() {
        // Newcombe 1998, table I, method 3: 81 of 263 and 0 of 20.
        let interval = wilson(81, 263);
        assert!((interval.low - 0.2553).abs() < 0.00005 && (interval.high - 0.3662).abs() < 0.00005);
        let interval = wilson(0, 20);
        assert!(interval.low == 0.0 && (interval.high - 0.1611).abs() < 0.00005);
    }

    proptest! {
        #[test]
        fn the_share_lies_in_it(whole in 0_usize..10_000, part in 0_usize..10_000) {
            let part = part.min(whole);
            let Interval { low, high } = wilson(part, whole);
            prop_assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0);
            if whole > 0 {
                let share = part as f64 / whole as f64;
                prop_assert!(low <= share + 1e-12 && share <= high + 1e-12);
            }
        }
    }
}
