//! An embedder without a model: counts words along axes, each the beginning of a word.

use async_trait::async_trait;
use mostrador_answer::ports::{Embed, EmbedAs, Unavailable};
use mostrador_language::words;
use sha2::{Digest as _, Sha256};

/// Counts, for each axis, the words of the lower-cased text that begin with it.
///
/// A vector has one number an axis, in the order of the axes; a text that shares none gives all zeros.
#[derive(Debug, Clone)]
pub struct AxesEmbedder {
    axes: Vec<String>,
    id: String,
}

impl AxesEmbedder {
    /// An embedder along these beginnings of words. They are compared in lower case;
    /// an empty one would begin every word and is left out.
    #[must_use]
    pub fn new(axes: Vec<String>) -> Self {
        let axes: Vec<String> =
            axes.iter().map(|axis| axis.trim().to_lowercase()).filter(|axis| !axis.is_empty()).collect();
        let digest = Sha256::digest(axes.join("\n").as_bytes());
        let short: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Self { axes, id: format!("axes:{short}") }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let text = text.to_lowercase();
        let mut vector = vec![0.0; self.axes.len()];
        for word in words(&text) {
            for (count, axis) in vector.iter_mut().zip(&self.axes) {
                if word.starts_with(axis.as_str()) {
                    *count += 1.0;
                }
            }
        }
        vector
    }
}

#[async_trait]
impl Embed for AxesEmbedder {
    /// `axes:` and a hash of the axes in their order: other axes are another embedder.
    fn id(&self) -> String {
        self.id.clone()
    }

    async fn embed(&self, texts: &[&str], _: EmbedAs) -> Result<Vec<Vec<f32>>, Unavailable> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(axes: &[&str]) -> AxesEmbedder {
        AxesEmbedder::new(axes.iter().map(ToString::to_string).collect())
    }

    #[tokio::test]
    async fn words_count_for_the_axes_they_begin_with() {
        let embedder = axes(&["lámp", "bomb", "env"]);
        let texts = ["LÁMPARA y lámparas: bombilla", "¿Envío?", "tulámpara", ""];
        let vectors = embedder.embed(&texts, EmbedAs::Query).await.unwrap();
        assert_eq!(vectors, [[2.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]]);
    }

    #[test]
    fn the_name_changes_with_the_axes_and_with_nothing_else() {
        assert_eq!(axes(&["a", "b"]).id(), axes(&[" A ", "", "b"]).id());
        assert_ne!(axes(&["a", "b"]).id(), axes(&["b", "a"]).id());
        assert_ne!(axes(&["a", "b"]).id(), axes(&["ab"]).id());
        // Kept with every index: a change here would have all of them built anew.
        assert_eq!(axes(&["a", "b"]).id(), "axes:7e18f737311b");
    }
}
