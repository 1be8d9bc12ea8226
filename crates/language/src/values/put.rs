//! Puts a value down, with what stands around it.

use super::around::Behind;
use super::scan::Scan;
use super::types::{Amount, Bound, Kind, Value};

impl Scan<'_> {
    pub(super) fn identifier(&self, start: usize, end: usize, dialled: bool) -> Kind {
        Kind::Identifier { text: self.reader.name(start, end, dialled) }
    }

    pub(super) fn name(&mut self, start: usize, end: usize, dialled: bool) {
        let kind = self.identifier(start, end, dialled);
        self.push(start, end, kind);
    }

    pub(super) fn url(&mut self, start: usize, end: usize) {
        let address = self.reader.text.get(start..end).unwrap_or_default().to_owned();
        self.whole(start, end, Kind::Url { address });
    }

    pub(super) fn email(&mut self, start: usize, end: usize) {
        let address = self.reader.text.get(start..end).unwrap_or_default().to_owned();
        self.whole(start, end, Kind::Email { address });
    }

    /// A value that was recognised in its middle: what was found in its beginning is part of it.
    fn whole(&mut self, start: usize, end: usize, kind: Kind) {
        while self.values.last().is_some_and(|value| value.span.end > start) {
            self.values.pop();
        }
        self.context.clear();
        self.values.push(Value { span: start..end, kind, bound: None, period: None, also: None });
        (self.at, self.after) = (end, end);
    }

    /// Puts a value down with what stands around it, and goes on behind that.
    pub(super) fn push(&mut self, start: usize, end: usize, kind: Kind) {
        let span = start..end;
        let in_time = matches!(kind, Kind::Date { .. } | Kind::Time { .. });
        let named = matches!(kind, Kind::Identifier { .. });
        let range = matches!(&kind, Kind::Date { to: Some(_), .. } | Kind::Time { to: Some(_), .. })
            || amount_of(&kind).is_some_and(|amount| amount.to.is_some());
        let mut next = end;
        let mut bound =
            if in_time { self.context.in_time.or(self.context.bound) } else { self.context.bound };
        let (mut period, mut also) = (None, None);
        let money = matches!(kind, Kind::Money { .. });
        // A bound and a period may stand behind a value in either order.
        for _ in 0..2 {
            if named {
                break;
            }
            let (more, behind) = self.reader.behind(next, period.is_none(), in_time);
            match more {
                // "A room of 9 metres, a day 50 €": what a digit follows is said of the next value.
                Some(Behind::Period(_))
                    if !money && self.reader.digit_at(self.reader.gap(behind)).is_some() =>
                {
                    break;
                }
                Some(Behind::Period(found)) => period = Some(found),
                Some(Behind::Bound(found)) => bound = bound.or(Some(found)),
                None => break,
            }
            next = behind;
            let second =
                period.filter(|_| also.is_none()).and_then(|first| self.reader.second_period(next, first));
            if let Some((found, behind)) = second {
                (also, next) = (Some(found), behind);
            }
        }
        // "From" before a range opens it.
        let opens = range && matches!(bound, Some(Bound::AtLeast | Bound::Since)) && next == end;
        let bound = bound.filter(|_| !opens && !named);
        let bound = if in_time { bound.map(Bound::in_time) } else { bound };
        // "In the year 1973" is not 1973 a year: a number of nothing takes only what stands behind it.
        let number = matches!(kind, Kind::Number { .. });
        let announced = self.context.period.filter(|_| !number);
        let period = period.or(announced).filter(|_| !named);
        self.context.clear();
        self.join_product(start, &kind);
        self.values.push(Value { span, kind, bound, period, also });
        self.at = if self.is_product(next) { next + 1 } else { next };
    }

    /// Gives the unit of `90 x 200 cm` to its first number too.
    fn join_product(&mut self, start: usize, kind: &Kind) {
        let Kind::Measure { unit, .. } = kind else {
            return;
        };
        let mut before = start;
        for value in self.values.iter_mut().rev().take(2) {
            let between = self.reader.text.get(value.span.end..before).unwrap_or_default();
            let Kind::Number { amount } = value.kind else {
                return;
            };
            if between.len() > 8 || !matches!(between.trim(), "x" | "X" | "×" | "*") {
                return;
            }
            before = value.span.start;
            value.kind = Kind::Measure { amount, unit: *unit };
        }
    }
}

fn amount_of(kind: &Kind) -> Option<Amount> {
    match kind {
        Kind::Number { amount }
        | Kind::Percent { amount }
        | Kind::Money { amount, .. }
        | Kind::Measure { amount, .. }
        | Kind::Duration { amount, .. } => Some(*amount),
        _ => None,
    }
}
