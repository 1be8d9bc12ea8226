//! An embedder that runs a model folder in the program itself: no service, no network.
//!
//! The folder is the usual one: `config.json`, `model.safetensors` (f16 or f32) and `tokenizer.json` of a
//! BERT encoder. A text's vector is the mean of its tokens in the last layer, of length 1.

mod config;

mod weights;

mod numbers;

mod encoder;

mod folder;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mostrador_answer::ports::{Embed, EmbedAs, Unavailable};
use tokio::sync::OnceCell;

use self::folder::{Folder, Loaded};
use crate::embedder::EmbedderError;
use crate::local_settings::LocalSettings;

const PART: &str = "embedder";

/// The most tokens that go through the encoder at once, where they are of more than one text: more gains nothing,
/// and takes memory.
const BATCH_TOKENS: usize = 512;

/// Embeds with the model of a folder. Loaded at the first text, then kept.
pub struct LocalEmbedder {
    settings: LocalSettings,
    folder: Folder,
    loaded: OnceCell<Arc<Loaded>>,
}

impl LocalEmbedder {
    /// Looks at the folder without loading it.
    ///
    /// # Errors
    /// [`EmbedderError::Folder`] where one of its three files is not there.
    pub fn new(settings: LocalSettings) -> Result<Self, EmbedderError> {
        let folder = Folder::look(&settings)?;
        Ok(Self { settings, folder, loaded: OnceCell::new() })
    }

    async fn loaded(&self) -> Result<&Arc<Loaded>, Unavailable> {
        self.loaded
            .get_or_try_init(|| async {
                let folder = self.folder.clone();
                blocking(move || folder.load()).await.map(Arc::new)
            })
            .await
    }
}

/// Runs what keeps a core busy where it does not hold up the answers of others.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, Unavailable> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Unavailable::new(PART, format!("the local embedder broke off: {error}")))?
        .map_err(|detail| Unavailable::new(PART, detail))
}

#[async_trait]
impl Embed for LocalEmbedder {
    /// `local:`, a hash of the folder's files (their sizes and parts of them), and a hash of the prefixes.
    fn id(&self) -> String {
        self.folder.id(&self.settings)
    }

    async fn embed(&self, texts: &[&str], role: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let loaded = self.loaded().await?;
        let prefix = match role {
            EmbedAs::Query => &self.settings.query_prefix,
            EmbedAs::Passage => &self.settings.passage_prefix,
        };
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let (count, reader) = (texts.len(), Arc::clone(loaded));
        let tokens = blocking(move || reader.tokens(texts)).await?;
        // A batch a task: a turn that is left stops at the next one, and the cores share the batches.
        let tasks = batches(tokens).into_iter().map(|(places, batch)| {
            let encoder = Arc::clone(loaded);
            async move { Ok::<_, Unavailable>((places, blocking(move || encoder.vectors(&batch)).await?)) }
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut done = stream::iter(tasks).buffer_unordered(cores);
        let mut vectors = vec![Vec::new(); count];
        while let Some((places, found)) = done.try_next().await? {
            for (place, vector) in places.into_iter().zip(found) {
                if let Some(slot) = vectors.get_mut(place) {
                    *slot = vector;
                }
            }
        }
        Ok(vectors)
    }
}

/// Puts texts together until a batch is full. Each batch comes with the places of its texts; every text is in one.
fn batches(tokens: Vec<Vec<u32>>) -> Vec<(Vec<usize>, Vec<Vec<u32>>)> {
    let mut made: Vec<(Vec<usize>, Vec<Vec<u32>>)> = Vec::new();
    let mut filled = 0;
    for (place, text) in tokens.into_iter().enumerate() {
        filled += text.len();
        match made.last_mut() {
            Some((places, texts)) if filled <= BATCH_TOKENS => {
                places.push(place);
                texts.push(text);
            }
            _ => {
                filled = text.len();
                made.push((vec![place], vec![text]));
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_text_is_in_one_batch_and_no_batch_is_too_large(
            lengths in proptest::collection::vec(0_usize..520, 0..80)
        ) {
            let texts: Vec<Vec<u32>> = lengths.iter().map(|length| vec![7; *length]).collect();
            let made = batches(texts.clone());
            let places: Vec<usize> = made.iter().flat_map(|(places, _)| places.clone()).collect();
            prop_assert_eq!(places, (0..lengths.len()).collect::<Vec<_>>());
            let again: Vec<Vec<u32>> = made.iter().flat_map(|(_, batch)| batch.clone()).collect();
            prop_assert_eq!(again, texts);
            for (places, batch) in made {
                let size: usize = batch.iter().map(Vec::len).sum();
                prop_assert!(places.len() == 1 || size <= BATCH_TOKENS);
            }
        }
    }
}
