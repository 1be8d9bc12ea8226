//! What a month cost, day by day beside the cap, and why questions stopped.

use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use mostrador_answer::money::Micros;
use mostrador_answer::ports::UnixMillis;
use mostrador_store::DaySpend;

use super::chart::{Bar, bars};
use super::fault::Fault;
use super::shell::{Here, Shell, page};
use super::visit::{Reads, Signed};

/// Why questions stopped, and how often.
struct Stop {
    ending: String,
    rule: String,
    count: u64,
    /// In thousandths of the most frequent.
    width: u64,
}

/// A day in the table.
struct Row {
    day: String,
    spent: Micros,
    reserved: Micros,
    questions: u64,
}

#[derive(Template)]
#[template(path = "spend.html")]
struct SpendPage {
    page: Shell,
    month: String,
    before: String,
    after: Option<String>,
    currency: String,
    rows: Vec<Row>,
    bars: Vec<Bar>,
    /// Where the line of the cap stands, from the top.
    line: Option<u64>,
    total: Micros,
    questions: u64,
    monthly_cap: Option<Micros>,
    daily_cap: Option<Micros>,
    stops: Vec<Stop>,
    stopped: u64,
}

/// The month `?month=2026-07`, or this one.
pub(super) async fn show(visit: Signed<Reads>) -> Result<Response, Fault> {
    let today: Date = visit.now().day().parse().map_err(Fault::broken)?;
    let first = visit.asked("month").and_then(first_of).unwrap_or(today.first_of_month());
    let last = first.last_of_month();
    let store = visit.app.store();
    let days = store.days(&first.to_string(), &last.to_string()).await?;
    let next = next(first)?;
    let stops = store.stops_by_rule(start_of(first)?, start_of(next)?).await?;
    let version = visit.app.version();
    let budget = version.shop.config().budget.as_ref();
    let daily_cap = budget.and_then(|budget| budget.daily_cap).map(|amount| amount.0);
    let (bars, line) = bars(&every_day(first, last, &days), daily_cap);
    let shown = SpendPage {
        page: visit.shell(Here::Spend),
        month: month(first),
        before: month(before(first)?),
        after: (first < today.first_of_month()).then(|| month(next)),
        currency: budget.map(|budget| budget.currency.0.clone()).unwrap_or_default(),
        total: Micros(days.iter().fold(0, |sum, day| day.spent.0.saturating_add(sum))),
        questions: days.iter().fold(0, |sum, day| day.questions.saturating_add(sum)),
        monthly_cap: budget.and_then(|budget| budget.monthly_cap).map(|amount| amount.0),
        daily_cap,
        bars,
        line,
        rows: days.into_iter().map(Row::from).collect(),
        stopped: stops.iter().fold(0, |sum, (.., count)| count.saturating_add(sum)),
        stops: shares(stops),
    };
    page(&visit, &shown)
}

impl From<DaySpend> for Row {
    fn from(day: DaySpend) -> Self {
        Self { day: day.day, spent: day.spent, reserved: day.reserved, questions: day.questions }
    }
}

/// In their order, each beside the most frequent.
fn shares(stops: Vec<(String, String, u64)>) -> Vec<Stop> {
    let most = stops.iter().map(|(.., count)| *count).max().unwrap_or_default();
    let stop = |(ending, rule, count): (String, String, u64)| {
        let width = count.saturating_mul(1_000).checked_div(most).unwrap_or_default();
        Stop { ending, rule, count, width }
    };
    stops.into_iter().map(stop).collect()
}

/// What every day of the month cost, the days without a question among them.
fn every_day(first: Date, last: Date, days: &[DaySpend]) -> Vec<(String, Micros)> {
    let mut all = Vec::new();
    let mut date = first;
    while date <= last {
        let day = date.to_string();
        let spent = days.iter().find(|spend| spend.day == day).map(|spend| spend.spent);
        all.push((day, spent.unwrap_or_default()));
        let Ok(tomorrow) = date.tomorrow() else { break };
        date = tomorrow;
    }
    all
}

fn first_of(month: &str) -> Option<Date> {
    let (year, month) = month.split_once('-')?;
    let year = year.parse().ok().filter(|year| (1970..=9998).contains(year))?;
    Date::new(year, month.parse().ok()?, 1).ok()
}

fn before(first: Date) -> Result<Date, Fault> {
    Ok(first.yesterday().map_err(Fault::broken)?.first_of_month())
}

fn next(first: Date) -> Result<Date, Fault> {
    first.last_of_month().tomorrow().map_err(Fault::broken)
}

fn month(first: Date) -> String {
    first.strftime("%Y-%m").to_string()
}

fn start_of(date: Date) -> Result<UnixMillis, Fault> {
    let start = jiff::tz::Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).map_err(Fault::broken)?;
    Ok(UnixMillis(start.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_asked_for_by_its_name() {
        let first = first_of("2026-02").unwrap();
        assert_eq!(
            (month(before(first).unwrap()), month(next(first).unwrap())),
            ("2026-01".into(), "2026-03".into())
        );
        assert_eq!(every_day(first, first.last_of_month(), &[]).len(), 28);
        assert_eq!(start_of(first_of("1970-02").unwrap()).unwrap(), UnixMillis(31 * 86_400_000));
        for bad in ["", "2026", "2026-13", "0001-01", "9999-12", "2026-1-1", "../2026-01"] {
            assert!(first_of(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn stops_are_measured_by_the_most_frequent() {
        let stop = |ending: &str, rule: &str, count| (ending.to_owned(), rule.to_owned(), count);
        let shares = shares(vec![stop("held", "a", 4), stop("failed", "c", 1), stop("refused", "b", 0)]);
        let order: Vec<_> = shares.iter().map(|stop| (stop.ending.as_str(), stop.width)).collect();
        assert_eq!(order, [("held", 1_000), ("failed", 250), ("refused", 0)]);
    }
}
