//! A model folder: looked at when the shop is opened, loaded when the first text is embedded.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tokenizers::{Tokenizer, TruncationParams};

use super::config::BertConfig;
use super::encoder::Encoder;
use crate::embedder::EmbedderError;
use crate::local_settings::LocalSettings;

const CONFIG: &str = "config.json";
const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";

/// The most bytes of weights that are loaded.
const MOST_BYTES: u64 = 4_000_000_000;

/// How much of each end of a file goes into its hash.
const SAMPLE: u64 = 65_536;

/// Where the files are, and a hash that changes with them.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
    shown: String,
    hash: String,
}

/// The model in memory.
pub(super) struct Loaded {
    tokenizer: Tokenizer,
    encoder: Encoder,
}

impl Folder {
    /// Finds the three files and hashes their sizes, their beginnings and their ends.
    pub(super) fn look(settings: &LocalSettings) -> Result<Self, EmbedderError> {
        let mut hash = Sha256::new();
        for file in [CONFIG, WEIGHTS, TOKENIZER] {
            sample(&settings.folder.join(file), &mut hash).map_err(|error| EmbedderError::Folder {
                folder: settings.shown.clone(),
                file,
                detail: error.to_string(),
            })?;
        }
        let hash = short(hash);
        Ok(Self { root: settings.folder.clone(), shown: settings.shown.clone(), hash })
    }

    pub(super) fn id(&self, settings: &LocalSettings) -> String {
        let mut prefixes = Sha256::new();
        prefixes.update((settings.query_prefix.len() as u64).to_le_bytes());
        prefixes.update(&settings.query_prefix);
        prefixes.update(&settings.passage_prefix);
        format!("local:{}:{}", self.hash, short(prefixes))
    }

    /// Reads all of it: takes a second or so, and about as much memory as the weights twice while it lasts.
    pub(super) fn load(&self) -> Result<Loaded, String> {
        let read = |file: &str| {
            std::fs::read(self.root.join(file))
                .map_err(|error| format!("{}: {file} cannot be read ({error}); check the folder", self.shown))
        };
        let wrong = |file: &str, error: &dyn std::fmt::Display| {
            format!("{}: {file} does not fit: {error}; fetch the model's files again", self.shown)
        };
        let size = std::fs::metadata(self.root.join(WEIGHTS)).map_or(0, |found| found.len());
        if size > MOST_BYTES {
            return Err(format!(
                "{}: {WEIGHTS} has {size} bytes, more than {MOST_BYTES}; use a smaller model or a service",
                self.shown
            ));
        }
        let config =
            BertConfig::read(&read(CONFIG)?).map_err(|detail| format!("{}: {detail}", self.shown))?;
        let weights = read(WEIGHTS)?;
        let encoder = Encoder::load(&weights, &config).map_err(|error| wrong(WEIGHTS, &error))?;
        let mut tokenizer =
            Tokenizer::from_bytes(read(TOKENIZER)?).map_err(|error| wrong(TOKENIZER, &error))?;
        let cut = TruncationParams { max_length: config.max_tokens(), ..TruncationParams::default() };
        tokenizer.with_truncation(Some(cut)).map_err(|error| wrong(TOKENIZER, &error))?;
        tokenizer.with_padding(None);
        Ok(Loaded { tokenizer, encoder })
    }
}

impl Loaded {
    /// The ids of each text's tokens, marks at both ends included; at most 512.
    pub(super) fn tokens(&self, texts: Vec<String>) -> Result<Vec<Vec<u32>>, String> {
        let found = self.tokenizer.encode_batch_fast(texts, true);
        let found = found.map_err(|error| format!("the tokenizer refuses a text: {error}"))?;
        Ok(found.iter().map(|tokens| tokens.get_ids().to_vec()).collect())
    }

    /// One vector a text of the batch.
    pub(super) fn vectors(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, String> {
        let found = self.encoder.vectors(batch).map_err(|error| format!("the encoder failed: {error}"))?;
        if found.iter().flatten().any(|number| !number.is_finite()) {
            return Err(
                "the encoder gave a number that is none; the weights are broken, fetch them again".to_owned()
            );
        }
        Ok(found)
    }
}

fn sample(file: &Path, hash: &mut Sha256) -> std::io::Result<()> {
    let mut file = File::open(file)?;
    let size = file.metadata()?.len();
    hash.update(size.to_le_bytes());
    for start in [0, size / 2, size.saturating_sub(SAMPLE)] {
        file.seek(SeekFrom::Start(start))?;
        let mut part = Vec::new();
        (&mut file).take(SAMPLE).read_to_end(&mut part)?;
        hash.update(&part);
    }
    Ok(())
}

fn short(hash: Sha256) -> String {
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
