//! What the owner is warned of: so much of a cap is used, or a day costs far more than those before. Integers only.

use mostrador_answer::money::Micros;
use mostrador_answer::ports::{Span, UnixMillis};
use mostrador_store::{Day, Warning, WarningAbout};
use serde_json::json;

/// The shares of a cap that are warned of, in percent.
const SHARES: [u32; 3] = [50, 80, 100];

/// The days before that a day is compared with.
pub(crate) const DAYS_BEFORE: u8 = 7;

/// On so many of them something must have been spent: the first days of a shop have nothing to be compared with.
const LEAST_DAYS: usize = 3;

/// What a shop wants to be warned of.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) monthly_cap: Option<Micros>,
    pub(crate) daily_cap: Option<Micros>,
    pub(crate) spike_times: u64,
}

/// What was spent, where and when.
#[derive(Debug, Clone)]
pub(crate) struct Spent {
    pub(crate) day: Day,
    pub(crate) this_month: Micros,
    pub(crate) today: Micros,
    /// On each of the seven days before on which anything was reserved.
    pub(crate) before: Vec<Micros>,
    pub(crate) at: UnixMillis,
}

/// The largest share of each cap that is spent, and a spike. A day is one where it has cost more than `spike_times`
/// the mean of the seven days before, those without a question counted as nothing, and something was spent on three
/// of these at least.
pub(crate) fn due(watched: &Watched, spent: &Spent) -> Vec<Warning> {
    let month = share(WarningAbout::Month, watched.monthly_cap, spent.this_month, spent);
    let day = share(WarningAbout::Day, watched.daily_cap, spent.today, spent);
    month.into_iter().chain(day).chain(spike(watched.spike_times, spent)).collect()
}

/// A cap that a question has met.
pub(crate) fn full(span: Span, committed: Micros, cap: Micros, day: &Day, at: UnixMillis) -> Warning {
    let about = WarningAbout::from(span);
    Warning { about, period: period(about, day), percent: 100, spent: committed, most: cap, at }
}

fn period(about: WarningAbout, day: &Day) -> String {
    match about {
        WarningAbout::Month => day.month().to_string(),
        WarningAbout::Day | WarningAbout::CustomerDay | WarningAbout::Spike => day.to_string(),
    }
}

fn share(about: WarningAbout, cap: Option<Micros>, sum: Micros, spent: &Spent) -> Option<Warning> {
    let cap = cap.filter(|cap| cap.0 > 0)?;
    let reached = |percent: &u32| u128::from(sum.0) * 100 >= u128::from(cap.0) * u128::from(*percent);
    let percent = SHARES.into_iter().rfind(reached)?;
    let period = period(about, &spent.day);
    Some(Warning { about, period, percent, spent: sum, most: cap, at: spent.at })
}

fn spike(times: u64, spent: &Spent) -> Option<Warning> {
    let sum: u128 = spent.before.iter().map(|day| u128::from(day.0)).sum();
    let days = u128::from(DAYS_BEFORE);
    let known = spent.before.iter().filter(|day| day.0 > 0).count() >= LEAST_DAYS;
    // The mean is not rounded before it is compared.
    let spikes = known && u128::from(spent.today.0) * days > sum * u128::from(times);
    spikes.then(|| Warning {
        about: WarningAbout::Spike,
        period: period(WarningAbout::Spike, &spent.day),
        percent: u32::try_from(times.saturating_mul(100)).unwrap_or(u32::MAX),
        spent: spent.today,
        most: Micros(u64::try_from(sum / days).unwrap_or(u64::MAX)),
        at: spent.at,
    })
}

/// The warning in words, for the log.
#[must_use]
pub fn in_words(warning: &Warning, currency: &str) -> String {
    let Warning { about, period, percent, spent, most, .. } = warning;
    match about {
        WarningAbout::Month | WarningAbout::Day if *percent >= 100 => {
            format!("the cap of {most} {currency} for {period} is reached: {spent} spent and reserved")
        }
        WarningAbout::Month | WarningAbout::Day => {
            format!("{percent} % of the cap of {most} {currency} for {period} is spent: {spent}")
        }
        WarningAbout::CustomerDay => {
            format!("a customer has reached the cap of {most} {currency} a customer for {period}")
        }
        WarningAbout::Spike => format!(
            "{period} has cost {spent} {currency}, more than {} times the mean of the {DAYS_BEFORE} days before, {most}",
            percent / 100
        ),
    }
}

/// The warning as it is posted: `text` for people, the rest for programs; amounts in micro-units.
pub(crate) fn posted(warning: &Warning, shop: &str, currency: &str) -> String {
    json!({
        "text": format!("{shop}: {}", in_words(warning, currency)),
        "shop": shop,
        "about": warning.about,
        "period": warning.period,
        "percent": warning.percent,
        "spent": warning.spent,
        "most": warning.most,
        "currency": currency,
        "at": warning.at,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(this_month: u64, today: u64, before: &[u64]) -> Spent {
        Spent {
            // 2026-07-03
            day: Day::of(UnixMillis(1_783_036_800_000)).unwrap(),
            this_month: Micros(this_month),
            today: Micros(today),
            before: before.iter().map(|spent| Micros(*spent)).collect(),
            at: UnixMillis(1_783_036_800_000),
        }
    }

    fn watched() -> Watched {
        Watched { monthly_cap: Some(Micros(1_000)), daily_cap: Some(Micros(100)), spike_times: 3 }
    }

    fn told(spent: &Spent) -> Vec<(WarningAbout, String, u32)> {
        due(&watched(), spent).into_iter().map(|one| (one.about, one.period, one.percent)).collect()
    }

    #[test]
    fn the_largest_share_that_is_reached_is_told_of_each_cap() {
        let month = |percent| (WarningAbout::Month, "2026-07".to_owned(), percent);
        let day = |percent| (WarningAbout::Day, "2026-07-03".to_owned(), percent);
        assert_eq!(told(&spent(499, 49, &[])), []);
        assert_eq!(told(&spent(500, 50, &[])), [month(50), day(50)]);
        assert_eq!(told(&spent(799, 80, &[])), [month(50), day(80)]);
        assert_eq!(told(&spent(1_200, 100, &[])), [month(100), day(100)]);
        let uncapped = Watched { monthly_cap: None, daily_cap: Some(Micros(0)), spike_times: 3 };
        assert_eq!(due(&uncapped, &spent(u64::MAX, u64::MAX, &[])), []);
    }

    #[test]
    fn a_spike_is_a_day_of_more_than_three_times_the_mean_of_seven_days() {
        let spikes = |today, before: &[u64]| told(&spent(0, today, before)).len() == 1;
        // Seven days of 7: the mean is 7, and 21 is not more than three times that.
        assert!(!spikes(21, &[7; 7]) && spikes(22, &[7; 7]));
        // Three days of 7 and four of nothing: the mean is 3.
        assert!(!spikes(9, &[7, 7, 7]) && spikes(10, &[7, 7, 7]));
        // The mean of 10 over seven days is 1.42…: 4.28… is the limit, and nothing is rounded on the way.
        assert!(!spikes(4, &[4, 3, 3]) && spikes(5, &[4, 3, 3]));
        assert!(!spikes(40, &[9, 9, 0]), "two days are no past to compare with");
    }

    #[test]
    fn a_warning_says_what_and_how_much() {
        let [month, day] = [spent(850_000_000, 0, &[]), spent(0, 5_000_000, &[7_000_000; 3])].map(|spent| {
            let watched =
                Watched { monthly_cap: Some(Micros(1_000_000_000)), daily_cap: None, spike_times: 3 };
            let all = due(&watched, &spent);
            all.first().map(|warning| in_words(warning, "EUR")).unwrap_or_default()
        });
        assert_eq!(month, "80 % of the cap of 1000.00 EUR for 2026-07 is spent: 850.00");
        assert_eq!(day, "");
        let warning =
            full(Span::CustomerDay, Micros(9), Micros(500_000), &spent(0, 0, &[]).day, UnixMillis(0));
        assert_eq!(
            in_words(&warning, "EUR"),
            "a customer has reached the cap of 0.50 EUR a customer for 2026-07-03"
        );
        let posted: serde_json::Value = serde_json::from_str(&posted(&warning, "Fern", "EUR")).unwrap();
        assert_eq!(
            (posted["about"].as_str(), posted["most"].as_u64()),
            (Some("customer-day"), Some(500_000))
        );
    }
}
