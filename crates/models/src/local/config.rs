//! `config.json` of a model folder: the shape of the encoder, and whether we can run it.

use serde::Deserialize;

/// What the encoder looks like. Keys that are not needed here are passed over.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct BertConfig {
    pub(super) model_type: String,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) hidden_act: String,
    pub(super) max_position_embeddings: usize,
    pub(super) type_vocab_size: usize,
    pub(super) vocab_size: usize,
    pub(super) layer_norm_eps: f32,
    #[serde(default)]
    pub(super) pad_token_id: usize,
    #[serde(default = "absolute")]
    pub(super) position_embedding_type: String,
}

fn absolute() -> String {
    "absolute".to_owned()
}

/// The most of each size that is accepted: a broken file must not ask for all of the memory.
const MOST: usize = 4_000_000;

impl BertConfig {
    /// Reads it and checks that it is a kind of model we run.
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        let config: Self = serde_json::from_slice(json).map_err(|error| {
            format!("config.json does not describe a BERT encoder ({error}); use such a model")
        })?;
        if !matches!(config.model_type.as_str(), "bert" | "xlm-roberta" | "roberta") {
            return Err(format!(
                "config.json says model_type {:?}; the local embedder runs bert, roberta and xlm-roberta",
                config.model_type
            ));
        }
        if !matches!(config.hidden_act.as_str(), "gelu" | "gelu_new" | "gelu_pytorch_tanh") {
            return Err(format!(
                "config.json says hidden_act {:?}; the local embedder runs gelu",
                config.hidden_act
            ));
        }
        if config.position_embedding_type != "absolute" {
            return Err(
                "config.json asks for relative positions; the local embedder runs absolute ones".to_owned()
            );
        }
        let sizes = [
            config.hidden_size,
            config.num_hidden_layers,
            config.num_attention_heads,
            config.intermediate_size,
            config.max_position_embeddings,
            config.type_vocab_size,
            config.vocab_size,
        ];
        let odd = config.hidden_size.checked_rem(config.num_attention_heads) != Some(0);
        if odd || sizes.iter().any(|size| !(1..=MOST).contains(size)) || config.max_tokens() < 2 {
            return Err(format!("config.json has sizes that no encoder can have ({sizes:?}); correct it"));
        }
        Ok(config)
    }

    /// The position of a text's first token: RoBERTa counts from behind the padding.
    pub(super) fn first_position(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id.saturating_add(1) }
    }

    /// The most tokens of a text that are read: 512, or fewer where the model has fewer positions.
    pub(super) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position()).min(512)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const E5: &str = r#"{"model_type":"bert","hidden_size":384,"num_hidden_layers":12,"num_attention_heads":12,
        "intermediate_size":1536,"hidden_act":"gelu","max_position_embeddings":512,"type_vocab_size":2,
        "vocab_size":250037,"layer_norm_eps":1e-12,"pad_token_id":0,"use_cache":true}"#;

    #[test]
    fn a_bert_fits() {
        let config = BertConfig::read(E5.as_bytes()).unwrap();
        assert_eq!((config.first_position(), config.max_tokens()), (0, 512));
        let roberta =
            E5.replace("\"bert\"", "\"xlm-roberta\"").replace("\"pad_token_id\":0", "\"pad_token_id\":1");
        let config = BertConfig::read(roberta.as_bytes()).unwrap();
        assert_eq!((config.first_position(), config.max_tokens()), (2, 510));
    }

    #[test]
    fn what_cannot_be_run_says_so() {
        for (from, to, says) in [
            ("\"bert\"", "\"llama\"", "llama"),
            ("\"gelu\"", "\"relu\"", "relu"),
            ("384", "385", "sizes"),
            ("384", "0", "sizes"),
            ("\"num_attention_heads\":12", "\"num_attention_heads\":0", "sizes"),
            ("250037", "99999999999", "sizes"),
            ("}", ",\"position_embedding_type\":\"relative_key\"}", "relative"),
            ("{", "[", "BERT"),
        ] {
            let error = BertConfig::read(E5.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(error.contains(says), "{from} → {to}: {error}");
        }
    }
}
