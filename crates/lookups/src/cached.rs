//! A look-up whose answers are used again for a while: for the same caller and the same arguments only.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use mostrador_answer::message::{Input, LookupSpec, Outcome};
use mostrador_answer::ports::{Lookup, LookupResult};
use mostrador_answer::question::CustomerId;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The most answers that are kept; the one asked for first goes first.
const MOST: usize = 512;

/// The most bytes of arguments and caller, or of an answer, that is kept.
const MOST_BYTES: usize = 16 * 1024;

/// Keeps what was found, and that nothing was found, for a while. Nothing else is kept: what failed is asked again.
///
/// Who asks for the same at the same time waits for one answer, whatever it is.
pub struct Cached {
    inner: Arc<dyn Lookup>,
    keep: Duration,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    by_key: HashMap<String, Arc<Entry>>,
    /// The keys, the oldest first.
    order: VecDeque<String>,
}

#[derive(Default)]
struct Entry {
    /// How often it was answered.
    answered: AtomicU64,
    last: Mutex<Option<(Instant, LookupResult)>>,
}

impl Cached {
    /// Keeps the answers of `inner` for as long as `keep`.
    #[must_use]
    pub fn new(inner: Arc<dyn Lookup>, keep: Duration) -> Self {
        Self { inner, keep, entries: Mutex::default() }
    }

    async fn entry(&self, key: String) -> Arc<Entry> {
        let mut entries = self.entries.lock().await;
        if let Some(entry) = entries.by_key.get(&key) {
            return Arc::clone(entry);
        }
        while entries.order.len() >= MOST {
            if let Some(oldest) = entries.order.pop_front() {
                entries.by_key.remove(&oldest);
            }
        }
        let entry = Arc::new(Entry::default());
        entries.order.push_back(key.clone());
        entries.by_key.insert(key, Arc::clone(&entry));
        entry
    }
}

#[async_trait]
impl Lookup for Cached {
    fn spec(&self) -> &LookupSpec {
        self.inner.spec()
    }

    async fn look(&self, input: &Input, caller: Option<&CustomerId>) -> LookupResult {
        // As JSON, so that no caller and no argument can be written to look like two of them.
        let key = json!([caller.map(|caller| &caller.0), input]).to_string();
        if key.len() > MOST_BYTES {
            return self.inner.look(input, caller).await;
        }
        let entry = self.entry(key).await;
        let before = entry.answered.load(Ordering::Acquire);
        // Held while the answer is looked for: those who come meanwhile wait for it. Who gives up lets go of it.
        let mut last = entry.last.lock().await;
        if let Some((at, result)) = last.as_ref() {
            let waited = entry.answered.load(Ordering::Acquire) != before;
            let kept = matches!(result.outcome, Outcome::Found | Outcome::NotFound);
            if waited || kept && at.elapsed() < self.keep {
                return result.clone();
            }
        }
        let result = self.inner.look(input, caller).await;
        *last = (result.content.len() <= MOST_BYTES).then(|| (Instant::now(), result.clone()));
        entry.answered.fetch_add(1, Ordering::Release);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use mostrador_answer::passage::Trust;
    use tokio::sync::Semaphore;

    use super::*;

    /// Answers with the number of the call, when it is let to.
    struct Counted {
        spec: LookupSpec,
        outcome: Outcome,
        calls: AtomicUsize,
        open: Semaphore,
    }

    impl Counted {
        fn new(outcome: Outcome) -> Arc<Self> {
            let spec = LookupSpec {
                name: "orders".to_owned(),
                description: String::new(),
                parameters: Vec::new(),
                schema: None,
                needs_customer: false,
                trust: Trust::Shop,
                timeout: Duration::from_secs(1),
            };
            Arc::new(Self { spec, outcome, calls: AtomicUsize::new(0), open: Semaphore::new(10_000) })
        }

        fn calls(&self) -> usize {
            self.calls.load(Ordering::SeqCst)
        }
    }

    #[async_trait]
    impl Lookup for Counted {
        fn spec(&self) -> &LookupSpec {
            &self.spec
        }

        async fn look(&self, _: &Input, caller: Option<&CustomerId>) -> LookupResult {
            let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
            self.open.acquire().await.unwrap().forget();
            let content = format!("{call} for {}", caller.map_or("nobody", |caller| &caller.0));
            LookupResult { outcome: self.outcome, content }
        }
    }

    fn input(order: &str) -> Input {
        json!({"order": order}).as_object().unwrap().clone()
    }

    async fn asked(cached: &Cached, order: &str, caller: Option<&str>) -> String {
        let caller = caller.map(|caller| CustomerId(caller.to_owned()));
        cached.look(&input(order), caller.as_ref()).await.content
    }

    fn cached(inner: &Arc<Counted>) -> Cached {
        Cached::new(inner.clone(), Duration::from_secs(60))
    }

    #[tokio::test]
    async fn an_answer_is_used_again_until_its_time_is_over() {
        for outcome in [Outcome::Found, Outcome::NotFound] {
            let inner = Counted::new(outcome);
            let kept = cached(&inner);
            assert_eq!(asked(&kept, "1", Some("ana")).await, "1 for ana");
            assert_eq!(asked(&kept, "1", Some("ana")).await, "1 for ana");
            assert_eq!(asked(&kept, "2", Some("ana")).await, "2 for ana");
            // Over as soon as it is there.
            let over = Cached::new(inner.clone(), Duration::ZERO);
            assert_eq!(asked(&over, "1", Some("ana")).await, "3 for ana");
            assert_eq!(asked(&over, "1", Some("ana")).await, "4 for ana");
        }
    }

    #[tokio::test]
    async fn an_answer_is_never_given_to_another_caller() {
        let inner = Counted::new(Outcome::Found);
        let cached = cached(&inner);
        assert_eq!(asked(&cached, "1", Some("ana")).await, "1 for ana");
        assert_eq!(asked(&cached, "1", Some("luis")).await, "2 for luis");
        assert_eq!(asked(&cached, "1", None).await, "3 for nobody");
        assert_eq!(asked(&cached, "1", Some("")).await, "4 for ");
        assert_eq!(asked(&cached, "1", Some("null")).await, "5 for null");
        assert_eq!(asked(&cached, "1", Some("ana")).await, "1 for ana");
    }

    #[tokio::test]
    async fn what_failed_is_asked_again() {
        for outcome in [Outcome::Failed, Outcome::TimedOut, Outcome::BadInput] {
            let inner = Counted::new(outcome);
            let cached = cached(&inner);
            assert_eq!(asked(&cached, "1", None).await, "1 for nobody");
            assert_eq!(asked(&cached, "1", None).await, "2 for nobody");
        }
    }

    #[tokio::test]
    async fn those_who_ask_the_same_at_once_wait_for_one_answer() {
        for outcome in [Outcome::Found, Outcome::Failed] {
            let inner = Counted::new(outcome);
            inner.open.forget_permits(10_000);
            let cached = cached(&inner);
            let open = async { inner.open.add_permits(2) };
            let (one, two, three, other, ()) = tokio::join!(
                asked(&cached, "1", Some("ana")),
                asked(&cached, "1", Some("ana")),
                asked(&cached, "1", Some("ana")),
                asked(&cached, "1", Some("luis")),
                open,
            );
            assert_eq!([one, two, three], ["1 for ana"; 3].map(str::to_owned));
            assert_eq!((other.as_str(), inner.calls()), ("2 for luis", 2));
        }
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_others_to_ask_themselves() {
        let inner = Counted::new(Outcome::Found);
        inner.open.forget_permits(10_000);
        let cached = cached(&inner);
        {
            let first = std::pin::pin!(asked(&cached, "1", None));
            assert!(futures_poll(first).is_pending());
        }
        inner.open.add_permits(1);
        assert_eq!(asked(&cached, "1", None).await, "2 for nobody");
    }

    fn futures_poll<F: Future>(future: std::pin::Pin<&mut F>) -> std::task::Poll<F::Output> {
        future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
    }

    #[tokio::test]
    async fn no_more_than_a_number_of_answers_is_kept() {
        let inner = Counted::new(Outcome::Found);
        let cached = cached(&inner);
        for order in 0..MOST + 10 {
            asked(&cached, &order.to_string(), None).await;
        }
        let entries = cached.entries.lock().await;
        assert_eq!((entries.by_key.len(), entries.order.len()), (MOST, MOST));
        drop(entries);
        assert_eq!(asked(&cached, &(MOST + 9).to_string(), None).await, format!("{} for nobody", MOST + 10));
        assert_eq!(asked(&cached, "0", None).await, format!("{} for nobody", MOST + 11));
        let long = "9".repeat(MOST_BYTES);
        asked(&cached, &long, None).await;
        assert!(!cached.entries.lock().await.order.iter().any(|key| key.contains(&long)));
    }
}
