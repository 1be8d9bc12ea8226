//! The ledger of an open counter, watched: what is spent goes on to the store, and the owner hears when it is much.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Claim, Clock, Expired, Ledger, LedgerError, ReservationId, UnixMillis};
use mostrador_models::Http;
use mostrador_store::{Day, Store, StoreError, Warning, WarningAbout};
use secrecy::SecretString;
use tokio::task::JoinSet;

use crate::config::{BudgetConfig, Config};
use crate::warn::{DAYS_BEFORE, Spent, Watched, due, full, in_words, posted};

/// How long the webhook may take.
const POSTING: Duration = Duration::from_secs(5);

/// The most warnings that are posted again, and for how long: older ones are no news.
const MOST_AGAIN: usize = 20;
const AGAIN_FOR: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Told of each warning, and of what went wrong with one.
pub type OnWarning = Box<dyn Fn(&str) + Send + Sync>;

/// The store's ledger with an eye on it. What it sees never keeps a turn from its money or its end.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Inner>);

struct Inner {
    store: Store,
    shop: String,
    currency: String,
    watched: Watched,
    webhook: Option<Webhook>,
    clock: Arc<dyn Clock>,
    listener: Mutex<Listener>,
    /// What was said by this process, so that a full cap costs the store no second thought.
    said: Mutex<HashSet<(WarningAbout, String, u32)>>,
    /// One task at a time posts what is left to post, so that nothing is posted twice.
    posting: tokio::sync::Mutex<()>,
    under_way: Mutex<JoinSet<()>>,
}

/// Who is told.
enum Listener {
    /// Nobody yet: what was said while the shop was opened waits here.
    Awaited(Vec<String>),
    There(OnWarning),
}

/// Where warnings are posted.
struct Webhook {
    http: Http,
    variable: String,
    /// The address, which is often a secret; `None`: the variable is not set.
    address: Option<SecretString>,
}

impl Watch {
    /// A watch over a shop's store; `None` where nothing is said of money.
    pub(crate) fn new(config: &Config, store: &Store, clock: Arc<dyn Clock>) -> Option<Self> {
        let budget = config.budget.as_ref()?;
        Some(Self(Arc::new(Inner {
            store: store.clone(),
            shop: config.name.0.clone(),
            currency: budget.currency.0.clone(),
            watched: Watched {
                monthly_cap: budget.monthly_cap.map(|cap| cap.0),
                daily_cap: budget.daily_cap.map(|cap| cap.0),
                spike_times: budget.spike_times.get(),
            },
            webhook: webhook(budget),
            clock,
            listener: Mutex::new(Listener::Awaited(Vec::new())),
            said: Mutex::default(),
            posting: tokio::sync::Mutex::default(),
            under_way: Mutex::default(),
        })))
    }

    /// Who is told from now on, and of what was said before.
    pub(crate) fn on_warning(&self, told: OnWarning) {
        let mut listener = self.0.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Listener::Awaited(said) = &*listener {
            said.iter().for_each(|words| told(words));
        }
        *listener = Listener::There(told);
    }

    /// Posts what was not taken before, in a task of its own.
    pub(crate) fn post_soon(&self) {
        if self.0.webhook.is_none() {
            return;
        }
        let inner = Arc::clone(&self.0);
        let mut under_way = self.0.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.spawn(async move { inner.post().await });
    }

    /// Waits until what is being posted is posted, or has failed.
    pub(crate) async fn finish(&self) {
        let under_way = std::mem::take(&mut *self.0.under_way.lock().unwrap_or_else(PoisonError::into_inner));
        under_way.join_all().await;
    }

    async fn say(&self, warning: Warning) {
        let name = (warning.about, format!("{} {}", warning.period, warning.most.0), warning.percent);
        if !self.0.said.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
            return;
        }
        match self.0.store.warn(&warning).await {
            Ok(Some(_)) => {
                self.0.tell(&in_words(&warning, &self.0.currency));
                self.post_soon();
            }
            Ok(None) => {}
            Err(error) => self.0.tell(&format!("a warning could not be kept: {error}")),
        }
    }

    async fn look_or_tell(&self, at: UnixMillis) {
        if let Err(error) = self.look(at).await {
            self.0.tell(&format!("what is spent could not be looked at: {error}"));
        }
    }

    /// Looks at what is spent.
    async fn look(&self, at: UnixMillis) -> Result<(), StoreError> {
        let day = Day::of(at)?;
        let report = self.0.store.ledger_report(&day.month()).await?;
        let today = report.days.iter().find(|one| one.day == day.as_str());
        let spent = Spent {
            this_month: report.sums.spent,
            today: today.map(|today| today.sums.spent).unwrap_or_default(),
            before: self.0.store.spent_before(&day, DAYS_BEFORE).await?,
            day,
            at,
        };
        for warning in due(&self.0.watched, &spent) {
            self.say(warning).await;
        }
        Ok(())
    }
}

#[async_trait]
impl Ledger for Watch {
    async fn reserve(&self, claim: &Claim) -> Result<ReservationId, LedgerError> {
        let reserved = self.0.store.reserve(claim).await;
        if let Err(LedgerError::OverCap { span, committed, cap, .. }) = &reserved
            && let Ok(day) = Day::of(claim.at)
        {
            self.say(full(*span, *committed, *cap, &day, claim.at)).await;
        }
        reserved
    }

    async fn settle(
        &self,
        reservation: &ReservationId,
        spent: Micros,
        usage: Usage,
        at: UnixMillis,
    ) -> Result<(), LedgerError> {
        self.0.store.settle(reservation, spent, usage, at).await?;
        self.look_or_tell(at).await;
        Ok(())
    }

    async fn expire(&self, before: UnixMillis, at: UnixMillis) -> Result<Expired, LedgerError> {
        let expired = self.0.store.expire(before, at).await?;
        if expired.reservations > 0 {
            let Expired { reservations, charged } = expired;
            let currency = &self.0.currency;
            self.0.tell(&format!(
                "{reservations} reservations were never settled and are charged at their bound, {charged} {currency}"
            ));
            self.look_or_tell(at).await;
        }
        Ok(expired)
    }
}

impl Inner {
    fn tell(&self, words: &str) {
        match &mut *self.listener.lock().unwrap_or_else(PoisonError::into_inner) {
            Listener::There(told) => told(words),
            Listener::Awaited(said) => said.push(words.to_owned()),
        }
    }

    async fn post(&self) {
        let Some(webhook) = &self.webhook else { return };
        let _alone = self.posting.lock().await;
        let kept = match self.store.list_warnings(MOST_AGAIN).await {
            Ok(kept) => kept,
            Err(error) => return self.tell(&format!("warnings could not be read: {error}")),
        };
        let now = self.clock.now();
        let fresh = |at: UnixMillis| now.0.saturating_sub(at.0) <= AGAIN_FOR;
        let waiting = kept.into_iter().rev().filter(|one| one.sent.is_none() && fresh(one.warning.at));
        for one in waiting {
            let body = posted(&one.warning, &self.shop, &self.currency);
            let sent = match &webhook.address {
                Some(address) => webhook.http.post_json(address, body, POSTING).await,
                None => {
                    return self.tell(&format!("{} is not set, and no webhook is told", webhook.variable));
                }
            };
            let noted = match sent {
                Ok(()) => self.store.warning_sent(one.id, now).await,
                // What fails is tried again with the next warning, or when the shop is opened again.
                Err(error) => return self.tell(&format!("the webhook of {}: {error}", webhook.variable)),
            };
            if let Err(error) = noted {
                return self.tell(&format!("a posted warning could not be noted: {error}"));
            }
        }
    }
}

fn webhook(budget: &BudgetConfig) -> Option<Webhook> {
    let variable = budget.webhook_env.as_ref()?.0.clone();
    let address = std::env::var(&variable).ok().map(|address| address.trim().to_owned());
    let address = address.filter(|address| !address.is_empty()).map(SecretString::from);
    Some(Webhook { http: Http::new(), variable, address })
}
