//! An open counter: a shop's engine over its store, ready for questions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::ports::{
    self, Clock, Expired, Fixed, Ids, Ledger, LedgerError, Limits, Records, Timing, Unavailable, UnixMillis,
};
use mostrador_store::{Snapshot, Store, StoreOptions, StoredIndex};

use crate::adapters::{CountedIds, RandomIds, SystemClock, Tokio};
use crate::budget_config::reservation_time;
use crate::config::ModelKind;
use crate::embedder::embedder;
use crate::error::ShopError;
use crate::folder::Shop;
use crate::index::{Index, OnStep, current, embedder_id, index_folder, read};
use crate::limits::Governed;
use crate::models::{cheap, model, temperature};
use crate::recording::{Recording, recorder};
use crate::records::records;
use crate::trifecta::Trifecta;
use crate::watch::{OnWarning, Watch};

/// Where a counter keeps what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// In `state/` of the shop folder.
    OnDisk,
    /// In memory: gone at the end. Documents are read afresh, and names are counted from 1.
    InMemory,
}

/// A shop's engine over its store.
pub struct Counter {
    shop: Arc<Shop>,
    store: Store,
    index: Arc<Index>,
    searched: Searched,
    ports: Ports,
    watch: Option<Watch>,
}

/// What a counter searches.
enum Searched {
    Stored(Arc<StoredIndex>),
    InMemory(Snapshot),
}

/// A counter's engine over one generation, whatever becomes current later.
pub struct Pinned {
    /// The engine.
    pub engine: Arc<Engine>,
    /// What it searches.
    pub snapshot: Snapshot,
}

/// The folder of a shop's dated facts.
pub const RECORDS: &str = "records";

/// The database of a shop folder.
#[must_use]
pub fn database(root: &Path) -> PathBuf {
    root.join("state").join("mostrador.db")
}

/// The moment it is, by the machine's clock.
#[must_use]
pub fn now() -> UnixMillis {
    SystemClock.now()
}

/// The machine's clock.
#[must_use]
pub fn system_clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock)
}

impl Counter {
    /// Opens a counter; must be called on a Tokio runtime, which then runs its turns.
    ///
    /// # Errors
    /// [`ShopError`] where the store, the documents, the tables or the model cannot be had, and where private
    /// data, outsiders' text and a way out are together without a reason given.
    pub async fn open(shop: Arc<Shop>, keep: Keep, on_step: &mut OnStep<'_>) -> Result<Self, ShopError> {
        let store = match keep {
            Keep::OnDisk => Store::open(&database(shop.root()), StoreOptions::default()).await?,
            Keep::InMemory => Store::in_memory().await?,
        };
        Self::open_over(shop, store, keep, on_step).await
    }

    /// Opens a counter over a store that is open: a program that reads its shop anew keeps its store.
    ///
    /// # Errors
    /// As [`Counter::open`].
    pub async fn open_over(
        shop: Arc<Shop>,
        store: Store,
        keep: Keep,
        on_step: &mut OnStep<'_>,
    ) -> Result<Self, ShopError> {
        Trifecta::of(&shop)?;
        let embed = embedder(&shop)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let (index, searched) = match keep {
            Keep::OnDisk => {
                // Before anything is spent by its totals.
                store.verify_day(clock.now()).await?;
                let id = embedder_id(embed.as_deref());
                let stored = StoredIndex::new(store.clone(), &index_folder(shop.root()), &id);
                let index = current(&shop, &store, &stored, embed.as_deref(), on_step).await?;
                (index, Searched::Stored(Arc::new(stored)))
            }
            Keep::InMemory => {
                let file = database(shop.root());
                if let Some(embed) = embed.as_deref().filter(|_| file.exists()) {
                    // A model takes its time over every passage: what was embedded before is taken from there.
                    let kept = Store::open(&file, StoreOptions::default()).await?;
                    store.borrow_vectors(&kept, &embed.id()).await?;
                }
                let (index, snapshot) = read(&shop, &store, embed.as_deref(), on_step).await?;
                (index, Searched::InMemory(snapshot))
            }
        };
        let current: Arc<dyn ports::Index> = match &searched {
            Searched::Stored(stored) => stored.clone(),
            Searched::InMemory(snapshot) => Arc::new(Fixed(Arc::new(snapshot.clone()))),
        };
        let filed: Arc<dyn Records> = match &searched {
            Searched::Stored(stored) => stored.clone(),
            Searched::InMemory(snapshot) => Arc::new(snapshot.clone()),
        };
        let queried = records(&shop)?.map(|records| records as Arc<dyn Records>);
        let records = queried.or_else(|| shop.root().join(RECORDS).is_dir().then_some(filed));
        let ids: Arc<dyn Ids> = match keep {
            Keep::OnDisk => Arc::new(RandomIds),
            Keep::InMemory => Arc::new(CountedIds::default()),
        };
        // What a suite asks in memory is nobody's money, and nobody's visit.
        let (watch, limits) = match keep {
            Keep::OnDisk => {
                let limits: Arc<dyn Limits> = Arc::new(Governed::new(&shop.config().limits));
                (Watch::new(shop.config(), &store, Arc::clone(&clock)), Some(limits))
            }
            Keep::InMemory => (None, None),
        };
        let shared = Arc::new(store.clone());
        let ledger: Arc<dyn Ledger> = match &watch {
            Some(watch) => Arc::new(watch.clone()),
            None => shared.clone(),
        };
        let ports = Ports {
            index: current,
            embed,
            records,
            model: model(&shop, shop.config().model.kind)?,
            cheap: cheap(&shop),
            lookups: shop.lookups()?,
            ledger,
            limits,
            inbox: shared.clone(),
            stops: shared,
            clock,
            ids,
            runtime: Arc::new(Tokio(tokio::runtime::Handle::current())),
            timing: None,
        };
        let counter = Self { shop, store, index: Arc::new(index), searched, ports, watch };
        if keep == Keep::OnDisk {
            // A ledger that is away is so for the turns too, and they say it.
            let _ = counter.sweep().await;
        }
        Ok(counter)
    }

    /// Charges what was reserved and not settled in the time that `[budget] reservation_minutes` gives, and posts the
    /// warnings that the shop's webhook did not take before. Done when a counter on disk is opened, and to be done every
    /// few minutes as long as it is open.
    ///
    /// # Errors
    /// [`LedgerError`] where the ledger cannot be reached; turns then end with the notice too.
    pub async fn sweep(&self) -> Result<Expired, LedgerError> {
        let now = self.ports.clock.now();
        let time = i64::try_from(reservation_time(self.shop.config()).as_millis()).unwrap_or(i64::MAX);
        let expired = self.ports.ledger.expire(UnixMillis(now.0.saturating_sub(time)), now).await;
        if let Some(watch) = &self.watch {
            watch.post_soon();
        }
        expired
    }

    /// Who is told what the owner is warned of, also of what was said since the counter was opened.
    pub fn on_warning(&self, told: OnWarning) {
        if let Some(watch) = &self.watch {
            watch.on_warning(told);
        }
    }

    /// Waits until the webhook has taken what is on its way to it, or has failed to: a few seconds at most.
    pub async fn finish(&self) {
        if let Some(watch) = &self.watch {
            watch.finish().await;
        }
    }

    /// The shop.
    #[must_use]
    pub fn shop(&self) -> &Arc<Shop> {
        &self.shop
    }

    /// What it keeps.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What it searches now.
    ///
    /// # Errors
    /// [`Unavailable`] where the index cannot be opened.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        match &self.searched {
            Searched::Stored(stored) => stored.snapshot().await,
            Searched::InMemory(snapshot) => Ok(snapshot.clone()),
        }
    }

    /// How what it searches came about, when it was opened.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The engine with the shop's own model over the generation that is current now, for as long as it is kept: what
    /// is indexed later is for a later version to show.
    ///
    /// # Errors
    /// [`Unavailable`] where the index cannot be opened.
    pub async fn pinned(&self, timing: Option<Arc<dyn Timing>>) -> Result<Pinned, Unavailable> {
        let snapshot = self.snapshot().await?;
        let mut ports = Ports { timing, ..self.ports.clone() };
        ports.index = Arc::new(Fixed(Arc::new(snapshot.clone())));
        if self.shop.config().records.query.is_none() && ports.records.is_some() {
            ports.records = Some(Arc::new(snapshot.clone()));
        }
        let engine = Arc::new(Engine::new(self.shop.settings(), ports));
        Ok(Pinned { engine, snapshot })
    }

    /// The engine with the shop's own model.
    #[must_use]
    pub fn engine(&self) -> Arc<Engine> {
        Arc::new(Engine::new(self.shop.settings(), self.ports.clone()))
    }

    /// The same engine with its model recorded into `file`, over the same store and index.
    ///
    /// # Errors
    /// [`ShopError`] where the recording's folder cannot be written to.
    pub fn record(&self, file: &Path) -> Result<Recording, ShopError> {
        let Ports { model, clock, .. } = &self.ports;
        let temperature = temperature(&self.shop)?;
        let (recorder, part) = recorder(model.clone(), temperature.as_deref(), file, clock.clone())?;
        // Another model in its place would be no recording.
        let ports = Ports { model: Arc::new(recorder), cheap: None, ..self.ports.clone() };
        let engine = Arc::new(Engine::new(self.shop.settings(), ports));
        Ok(Recording::new(engine, part, file.to_owned()))
    }

    /// The same engine with a model of another kind, over the same store and index.
    ///
    /// # Errors
    /// [`ShopError`] where that model cannot be built.
    pub fn engine_with(&self, kind: ModelKind) -> Result<Arc<Engine>, ShopError> {
        let ports = Ports { model: model(&self.shop, kind)?, ..self.ports.clone() };
        Ok(Arc::new(Engine::new(self.shop.settings_with(kind), ports)))
    }
}
