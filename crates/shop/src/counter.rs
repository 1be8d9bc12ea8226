//! An open counter: a shop's engine over its store, ready for questions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::ports::{self, Clock, Fixed, Ids, Records, Unavailable, UnixMillis};
use mostrador_store::{Snapshot, Store, StoreOptions, StoredIndex};

use crate::adapters::{CountedIds, RandomIds, SystemClock, Tokio};
use crate::config::ModelKind;
use crate::embedder::embedder;
use crate::error::ShopError;
use crate::folder::Shop;
use crate::index::{Index, OnStep, current, embedder_id, index_folder, read};
use crate::models::{model, temperature};
use crate::recording::{Recording, recorder};
use crate::records::records;
use crate::trifecta::Trifecta;

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
}

/// What a counter searches.
enum Searched {
    Stored(Arc<StoredIndex>),
    InMemory(Snapshot),
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

impl Counter {
    /// Opens a counter; must be called on a Tokio runtime, which then runs its turns.
    ///
    /// # Errors
    /// [`ShopError`] where the store, the documents, the tables or the model cannot be had, and where private
    /// data, outsiders' text and a way out are together without a reason given.
    pub async fn open(shop: Arc<Shop>, keep: Keep, on_step: &mut OnStep<'_>) -> Result<Self, ShopError> {
        Trifecta::of(&shop)?;
        let embed = embedder(&shop)?;
        let (store, index, searched) = match keep {
            Keep::OnDisk => {
                let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
                let id = embedder_id(embed.as_deref());
                let stored = StoredIndex::new(store.clone(), &index_folder(shop.root()), &id);
                let index = current(&shop, &store, &stored, embed.as_deref(), on_step).await?;
                (store, index, Searched::Stored(Arc::new(stored)))
            }
            Keep::InMemory => {
                let store = Store::in_memory().await?;
                let file = database(shop.root());
                if let Some(embed) = embed.as_deref().filter(|_| file.exists()) {
                    // A model takes its time over every passage: what was embedded before is taken from there.
                    let kept = Store::open(&file, StoreOptions::default()).await?;
                    store.borrow_vectors(&kept, &embed.id()).await?;
                }
                let (index, snapshot) = read(&shop, &store, embed.as_deref(), on_step).await?;
                (store, index, Searched::InMemory(snapshot))
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
        let shared = Arc::new(store.clone());
        let ports = Ports {
            index: current,
            embed,
            records,
            model: model(&shop, shop.config().model.kind)?,
            lookups: shop.lookups()?,
            ledger: shared.clone(),
            inbox: shared.clone(),
            stops: shared,
            clock: Arc::new(SystemClock),
            ids,
            runtime: Arc::new(Tokio(tokio::runtime::Handle::current())),
        };
        Ok(Self { shop, store, index: Arc::new(index), searched, ports })
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
        let ports = Ports { model: Arc::new(recorder), ..self.ports.clone() };
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
