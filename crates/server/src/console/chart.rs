//! Bars for a page: whole numbers in a fixed frame, so that equal figures give equal pictures.

use mostrador_answer::money::Micros;

/// The height of the frame, in the units of the picture.
pub(super) const HEIGHT: u64 = 160;

/// What a bar takes of the width, its gap included.
const STEP: u64 = 20;

/// A bar of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    /// The day it stands for.
    pub(super) day: String,
    /// The amount.
    pub(super) amount: Micros,
    /// Its left edge.
    pub(super) x: u64,
    /// Its upper edge.
    pub(super) y: u64,
    /// Its height; 1 at least where there is an amount.
    pub(super) height: u64,
    /// Whether the amount passes the cap.
    pub(super) over: bool,
}

/// The bars of some days, and where the line of the cap stands from the top, where there is a cap. The frame holds the
/// largest amount and the cap.
pub(super) fn bars(days: &[(String, Micros)], cap: Option<Micros>) -> (Vec<Bar>, Option<u64>) {
    let amounts = days.iter().map(|(_, amount)| *amount);
    let most = amounts.chain(cap).max().unwrap_or_default().0.max(1);
    let scaled = |amount: Micros| {
        let height = u128::from(amount.0) * u128::from(HEIGHT) / u128::from(most);
        u64::try_from(height).unwrap_or(HEIGHT).max(u64::from(amount.0 > 0))
    };
    let bar = |(place, (day, amount)): (u64, &(String, Micros))| {
        let height = scaled(*amount);
        let over = cap.is_some_and(|cap| *amount > cap);
        Bar { day: day.clone(), amount: *amount, x: place * STEP, y: HEIGHT - height, height, over }
    };
    ((0..).zip(days).map(bar).collect(), cap.map(|cap| HEIGHT - scaled(cap)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_the_ground_and_fit_the_frame() {
        let day = |day: &str, amount| (day.to_owned(), Micros(amount));
        let (drawn, line) =
            bars(&[day("1", 0), day("2", 1), day("3", 400), day("4", 200)], Some(Micros(300)));
        let heights: Vec<_> = drawn.iter().map(|bar| (bar.height, bar.over)).collect();
        assert_eq!(heights, [(0, false), (1, false), (160, true), (80, false)]);
        assert!(drawn.iter().all(|bar| bar.y + bar.height == HEIGHT));
        assert_eq!(line, Some(40));
    }

    #[test]
    fn the_largest_amounts_and_none_at_all_are_drawn() {
        assert_eq!(bars(&[], None), (vec![], None));
        let (drawn, line) = bars(&[("1".to_owned(), Micros(u64::MAX))], Some(Micros(0)));
        assert_eq!((drawn[0].height, line), (HEIGHT, Some(HEIGHT)));
    }
}
