//! How often, and how much at once, somebody may ask: GCRA by `governor`, in the memory of this process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use mostrador_answer::ports::{Limit, Limits, Place, Unavailable};
use mostrador_answer::question::{ConversationId, CustomerId, Session};

use crate::config::LimitsConfig;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// After so many questions, what is known of callers who have been quiet is dropped.
const TIDY_EVERY: u32 = 1_024;

/// The limits of a shop, by `[limits]`.
///
/// They are counted by a clock that only goes forward, and not by that of the turns: a machine whose clock is set
/// back would shut callers out.
pub(crate) struct Governed<C: Clock = MonotonicClock> {
    addresses: Vec<(Limit, Counts<IpAddr, C>)>,
    session: Option<Counts<ConversationId, C>>,
    at_once: u32,
    busy: Arc<Mutex<HashMap<CustomerId, u32>>>,
    asked: AtomicU32,
}

/// So many in a time, by key.
struct Counts<K: Eq + std::hash::Hash + Clone, C: Clock>(
    RateLimiter<K, DefaultKeyedStateStore<K>, C, NoOpMiddleware<C::Instant>>,
);

impl<K: Eq + std::hash::Hash + Clone, C: Clock> Counts<K, C> {
    /// At most `most` at once, then one more each time that `most` of them fill `time`. `None`: no limit.
    fn new(most: u32, time: Duration, clock: C) -> Option<Self> {
        let most = NonZeroU32::new(most)?;
        let quota = Quota::with_period(time / most.get())?.allow_burst(most);
        Some(Self(RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock)))
    }

    fn lets_in(&self, key: &K) -> bool {
        self.0.check_key(key).is_ok()
    }

    fn tidy(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

impl Governed {
    pub(crate) fn new(config: &LimitsConfig) -> Self {
        Self::with_clock(config, &MonotonicClock)
    }
}

impl<C: Clock + Clone> Governed<C> {
    fn with_clock(config: &LimitsConfig, clock: &C) -> Self {
        // The shortest first: what a minute stops does not count towards the day.
        let addresses = [
            (Limit::AddressMinute, config.address_minute.count(), MINUTE),
            (Limit::AddressHour, config.address_hour.count(), HOUR),
            (Limit::AddressDay, config.address_day.count(), DAY),
        ];
        let counts = addresses.into_iter().filter_map(|(limit, most, time)| {
            Counts::new(most, time, clock.clone()).map(|counts| (limit, counts))
        });
        Self {
            addresses: counts.collect(),
            session: Counts::new(config.session_minute.count(), MINUTE, clock.clone()),
            at_once: config.customer_at_once.count(),
            busy: Arc::default(),
            asked: AtomicU32::new(0),
        }
    }
}

impl<C: Clock> Governed<C> {
    fn ask(&self, session: &Session) -> Result<Place, Limit> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            self.addresses.iter().for_each(|(_, counts)| counts.tidy());
            self.session.iter().for_each(Counts::tidy);
        }
        // Taken first and given back if another limit stops the question: it alone can be given back.
        let place = self.take(session.customer.as_ref())?;
        if session.counted {
            return Ok(Box::new(place));
        }
        if let Some(address) = session.address.map(household) {
            let full = self.addresses.iter().find(|(_, counts)| !counts.lets_in(&address));
            if let Some((limit, _)) = full {
                return Err(*limit);
            }
        }
        match session.conversation.as_ref().zip(self.session.as_ref()) {
            Some((conversation, counts)) if !counts.lets_in(conversation) => Err(Limit::SessionMinute),
            _ => Ok(Box::new(place)),
        }
    }

    /// One of a customer's places; whoever is not signed in has none to take.
    fn take(&self, customer: Option<&CustomerId>) -> Result<Option<Busy>, Limit> {
        let Some(customer) = customer.filter(|_| self.at_once > 0) else {
            return Ok(None);
        };
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let count = busy.entry(customer.clone()).or_default();
        if *count >= self.at_once {
            return Err(Limit::CustomerAtOnce);
        }
        *count += 1;
        Ok(Some(Busy { all: Arc::clone(&self.busy), customer: customer.clone() }))
    }
}

#[async_trait]
impl<C: Clock + Send + Sync> Limits for Governed<C>
where
    C::Instant: Send + Sync,
{
    async fn enter(&self, session: &Session) -> Result<Result<Place, Limit>, Unavailable> {
        Ok(self.ask(session))
    }
}

/// A question of a customer that is being answered.
struct Busy {
    all: Arc<Mutex<HashMap<CustomerId, u32>>>,
    customer: CustomerId,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = all.entry(self.customer.clone()) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// What counts as one address: of IPv6 the network that a household gets, which has more addresses than anybody
/// could count.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(inside) => IpAddr::V4(inside),
            None => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;
    use crate::fields::Within;

    fn from(address: &str) -> Session {
        Session { address: Some(address.parse().unwrap()), ..Session::default() }
    }

    fn governed(config: &LimitsConfig) -> (Governed<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (Governed::with_clock(config, &clock), clock)
    }

    fn let_in(governed: &Governed<FakeRelativeClock>, session: &Session, times: u32) -> u32 {
        (0..times).map(|_| u32::from(governed.ask(session).is_ok())).sum()
    }

    #[test]
    fn an_address_may_ask_so_often_in_a_minute_an_hour_and_a_day() {
        let config = LimitsConfig {
            address_minute: Within::new(3),
            address_hour: Within::new(5),
            address_day: Within::new(7),
            ..LimitsConfig::default()
        };
        let (governed, clock) = governed(&config);
        let (ana, ben) = (from("192.0.2.1"), from("192.0.2.2"));
        assert_eq!(let_in(&governed, &ana, 9), 3);
        assert_eq!(governed.ask(&ana).err(), Some(Limit::AddressMinute));
        assert_eq!(let_in(&governed, &ben, 9), 3, "somebody else is somebody else");
        clock.advance(MINUTE);
        assert_eq!(let_in(&governed, &ana, 2), 2);
        assert_eq!(governed.ask(&ana).err(), Some(Limit::AddressHour));
        // Five hours later the hours are free again; the day has had five of its seven, and one came back.
        clock.advance(5 * HOUR);
        assert_eq!(let_in(&governed, &ana, 3), 3);
        clock.advance(MINUTE);
        assert_eq!(governed.ask(&ana).err(), Some(Limit::AddressDay));
    }

    #[test]
    fn a_conversation_has_its_own_pace_and_a_limit_of_nothing_is_none() {
        let config = LimitsConfig {
            session_minute: Within::new(2),
            address_minute: Within::new(0),
            address_hour: Within::new(0),
            address_day: Within::new(0),
            ..LimitsConfig::default()
        };
        let (governed, clock) = governed(&config);
        let talk =
            |name: &str| Session { conversation: Some(ConversationId(name.to_owned())), ..from("192.0.2.1") };
        assert_eq!(let_in(&governed, &talk("a"), 5), 2);
        assert_eq!(governed.ask(&talk("a")).err(), Some(Limit::SessionMinute));
        assert_eq!(let_in(&governed, &talk("b"), 5), 2);
        assert_eq!(let_in(&governed, &from("192.0.2.1"), 500), 500);
        clock.advance(MINUTE / 2);
        assert_eq!(let_in(&governed, &talk("a"), 5), 1);
    }

    #[test]
    fn a_customer_has_so_many_questions_answered_at_once_and_the_next_when_one_is() {
        let config = LimitsConfig { customer_at_once: Within::new(2), ..LimitsConfig::default() };
        let (governed, _) = governed(&config);
        let signed =
            |name: &str| Session { customer: Some(CustomerId(name.to_owned())), ..Session::default() };
        let first = governed.ask(&signed("ana")).unwrap();
        let _second = governed.ask(&signed("ana")).unwrap();
        assert_eq!(governed.ask(&signed("ana")).err(), Some(Limit::CustomerAtOnce));
        let _other = governed.ask(&signed("ben")).unwrap();
        drop(first);
        drop(governed.ask(&signed("ana")).unwrap());
        let _third = governed.ask(&signed("ana")).unwrap();
        assert!(governed.ask(&signed("ana")).is_err());
    }

    #[test]
    fn a_question_that_another_limit_stops_gives_its_place_back() {
        let config = LimitsConfig {
            customer_at_once: Within::new(1),
            address_minute: Within::new(1),
            ..LimitsConfig::default()
        };
        let (governed, _) = governed(&config);
        let ana = Session { customer: Some(CustomerId("ana".to_owned())), ..from("192.0.2.1") };
        drop(governed.ask(&ana).unwrap());
        for _ in 0..3 {
            assert_eq!(governed.ask(&ana).err(), Some(Limit::AddressMinute));
        }
        assert!(governed.busy.lock().unwrap().is_empty());
    }

    #[test]
    fn a_household_is_one_address_however_it_is_written() {
        assert_eq!(
            household("2001:db8:1:2::1".parse().unwrap()),
            household("2001:db8:1:2:ffff::9".parse().unwrap())
        );
        assert_ne!(
            household("2001:db8:1:2::1".parse().unwrap()),
            household("2001:db8:1:3::1".parse().unwrap())
        );
        assert_eq!(household("::ffff:192.0.2.1".parse().unwrap()), "192.0.2.1".parse::<IpAddr>().unwrap());
    }

    #[test]
    fn callers_who_are_quiet_again_are_forgotten() {
        let (governed, clock) = governed(&LimitsConfig::default());
        for last in 0..200 {
            drop(governed.ask(&from(&format!("192.0.2.{last}"))).unwrap());
        }
        clock.advance(2 * DAY);
        (0..TIDY_EVERY).for_each(|_| drop(governed.ask(&Session::default())));
        assert!(governed.addresses.iter().all(|(_, counts)| counts.0.is_empty()));
    }

    /// Hard case 19, for a limit: many at once, and exactly what fits gets in.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_two_hundred_at_once_from_one_address_ten_get_in() {
        let config = LimitsConfig { address_minute: Within::new(10), ..LimitsConfig::default() };
        let governed = Arc::new(governed(&config).0);
        let mut asked = tokio::task::JoinSet::new();
        for _ in 0..200 {
            let governed = Arc::clone(&governed);
            asked.spawn(async move { governed.enter(&from("192.0.2.1")).await.unwrap().is_ok() });
        }
        assert_eq!(asked.join_all().await.into_iter().filter(|is_in| *is_in).count(), 10);
    }
}
