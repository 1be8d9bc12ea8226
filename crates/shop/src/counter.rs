//! An open counter: a shop's engine over its store, ready for questions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::ports::{Fixed, Ids, Lookup};
use mostrador_store::{MemoryIndex, Store, StoreOptions};

use crate::adapters::{CountedIds, RandomIds, SystemClock, Tokio};
use crate::config::ModelKind;
use crate::embedder::embedder;
use crate::error::ShopError;
use crate::folder::Shop;
use crate::index::{Index, current, read};
use crate::models::model;

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
    ports: Ports,
}

/// The database of a shop folder.
#[must_use]
pub fn database(root: &Path) -> PathBuf {
    root.join("state").join("mostrador.db")
}

impl Counter {
    /// Opens a counter; must be called on a Tokio runtime, which then runs its turns.
    ///
    /// # Errors
    /// [`ShopError`] where the store, the documents, the tables or the model cannot be had.
    pub async fn open(
        shop: Arc<Shop>,
        keep: Keep,
        on_file: &mut dyn FnMut(&Path),
    ) -> Result<Self, ShopError> {
        let (store, index) = match keep {
            Keep::OnDisk => {
                let store = Store::open(&database(shop.root()), StoreOptions::default()).await?;
                let index = current(&shop, &store, on_file).await?;
                (store, index)
            }
            Keep::InMemory => (Store::in_memory().await?, read(&shop, on_file).await?),
        };
        let ids: Arc<dyn Ids> = match keep {
            Keep::OnDisk => Arc::new(RandomIds),
            Keep::InMemory => Arc::new(CountedIds::default()),
        };
        let lookups = shop.lookups()?.into_iter().map(|lookup| Arc::new(lookup) as Arc<dyn Lookup>);
        let shared = Arc::new(store.clone());
        let ports = Ports {
            index: Arc::new(Fixed(Arc::new(MemoryIndex::new(index.entries.clone(), shop.packs())))),
            embed: embedder(&shop)?,
            model: model(&shop, shop.config().model.kind)?,
            lookups: lookups.collect(),
            ledger: shared.clone(),
            inbox: shared.clone(),
            stops: shared,
            clock: Arc::new(SystemClock),
            ids,
            runtime: Arc::new(Tokio(tokio::runtime::Handle::current())),
        };
        Ok(Self { shop, store, index: Arc::new(index), ports })
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

    /// What it searches.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The engine with the shop's own model.
    #[must_use]
    pub fn engine(&self) -> Arc<Engine> {
        Arc::new(Engine::new(self.shop.settings(), self.ports.clone()))
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
