//! The index of a running program: always the generation that is current now, opened once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use mostrador_answer::passage::Passage;
use mostrador_answer::ports::{Index, Records, Search, Unavailable};
use mostrador_language::Lang;
use tokio::sync::Mutex;

use crate::generations::{GenerationId, generation_folder};
use crate::{Snapshot, Store, StoreError};

/// How often another generation may become current while one is being opened.
const TRIES: usize = 5;

/// The generations of a store in their folder.
pub struct StoredIndex {
    store: Store,
    folder: PathBuf,
    /// The embedder of this program: what was made by another is not searched.
    embedder: String,
    held: RwLock<Option<(GenerationId, Snapshot)>>,
    opening: Mutex<()>,
}

impl StoredIndex {
    /// Over the generations in `folder`, searched with vectors by `embedder`; nothing is opened yet.
    #[must_use]
    pub fn new(store: Store, folder: &Path, embedder: &str) -> Self {
        Self {
            store,
            folder: folder.to_owned(),
            embedder: embedder.to_owned(),
            held: RwLock::new(None),
            opening: Mutex::new(()),
        }
    }

    /// The snapshot that is current now.
    ///
    /// # Errors
    /// [`Unavailable`] where there is none, it is damaged, or it was made with another embedder.
    pub async fn snapshot(&self) -> Result<Snapshot, Unavailable> {
        // Asked of the database each time: a search that begins after a swap never shows what was before.
        let current = self.id().await?;
        if let Some(snapshot) = self.held(current) {
            return Ok(snapshot);
        }
        let _one = self.opening.lock().await;
        let mut current = current;
        let mut tried = 0;
        loop {
            if let Some(snapshot) = self.held(current) {
                return Ok(snapshot);
            }
            let opened = self.open(current).await;
            let now = self.id().await?;
            match opened {
                Ok(snapshot) if now == current => return self.hold(current, snapshot),
                Err(error) if now == current => return Err(error),
                // Replaced meanwhile, and its folder may be gone.
                _ if tried < TRIES => (current, tried) = (now, tried + 1),
                Ok(_) | Err(_) => return Err(Unavailable::new("index", "it is replaced again and again")),
            }
        }
    }

    async fn id(&self) -> Result<GenerationId, Unavailable> {
        let id = self.store.current_id().await.map_err(away)?;
        id.ok_or_else(|| {
            Unavailable::new("index", "there is none yet; run `mostrador index` on the shop folder")
        })
    }

    fn held(&self, current: GenerationId) -> Option<Snapshot> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(id, _)| *id == current).map(|(_, snapshot)| snapshot.clone())
    }

    async fn open(&self, id: GenerationId) -> Result<Snapshot, Unavailable> {
        let folder = generation_folder(&self.folder, id);
        let opened = tokio::task::spawn_blocking(move || Snapshot::open(&folder, false)).await;
        let opened = opened.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        opened.map_err(|error| {
            Unavailable::new("index", format!("{error}; run `mostrador index` on the shop folder"))
        })
    }

    fn hold(&self, id: GenerationId, snapshot: Snapshot) -> Result<Snapshot, Unavailable> {
        let had = &snapshot.about().embedder;
        if *had != self.embedder {
            let error = StoreError::OtherEmbedder { had: had.clone(), now: self.embedder.clone() };
            return Err(away(error));
        }
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some((id, snapshot.clone()));
        Ok(snapshot)
    }
}

fn away(error: StoreError) -> Unavailable {
    Unavailable::new("index", error)
}

#[async_trait]
impl Index for StoredIndex {
    async fn current(&self) -> Result<Arc<dyn Search>, Unavailable> {
        Ok(Arc::new(self.snapshot().await?))
    }
}

#[async_trait]
impl Records for StoredIndex {
    async fn newest(
        &self,
        languages: &[Lang],
        today: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Passage>>, Unavailable> {
        self.snapshot().await?.newest(languages, today, limit).await
    }
}
