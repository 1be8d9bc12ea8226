//! The forward pass of a BERT encoder: token ids in, one vector a text out.
//!
//! Devlin et al. 2019; the layout of the weights is the one that `transformers` writes. The texts of a batch stand
//! one below the other in one matrix, so nothing is padded; only attention looks at each text by itself.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::config::BertConfig;
use super::numbers::{add_rows, gelu, normalise_rows, softmax_rows};
use super::weights::{Table, Weights};

/// The encoder with its weights.
pub(super) struct Encoder {
    words: Table,
    /// What stands at each place, the kind of text added.
    places: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    heads: usize,
}

struct Layer {
    /// Query, key and value in one product.
    qkv: Dense,
    out: Dense,
    attention_norm: Norm,
    up: Dense,
    down: Dense,
    norm: Norm,
}

/// A matrix, its rows the outputs, and what is added to them.
struct Dense {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    eps: f32,
}

impl Encoder {
    /// Takes the weights out of the bytes of a `model.safetensors`.
    pub(super) fn load(bytes: &[u8], config: &BertConfig) -> Result<Self, String> {
        let weights = Weights::read(bytes)?;
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let positions =
            weights.matrix("embeddings.position_embeddings", config.max_position_embeddings, hidden)?;
        let kinds = weights.matrix("embeddings.token_type_embeddings", config.type_vocab_size, hidden)?;
        let used = positions.slice(s![config.first_position().., ..]);
        let first_kind = kinds.index_axis(Axis(0), 0);
        let dense = |name: &str, size: usize, from: usize| -> Result<Dense, String> {
            Ok(Dense {
                weight: weights.matrix(name, size, from)?,
                bias: weights.vector(&format!("{name}.bias"), size)?,
            })
        };
        let norm = |name: &str| -> Result<Norm, String> {
            let weight = weights.vector(&format!("{name}.weight"), hidden)?;
            Ok(Norm {
                weight,
                bias: weights.vector(&format!("{name}.bias"), hidden)?,
                eps: config.layer_norm_eps,
            })
        };
        let layer = |at: usize| -> Result<Layer, String> {
            let name = format!("encoder.layer.{at}");
            let part = |part: &str| dense(&format!("{name}.attention.self.{part}"), hidden, hidden);
            Ok(Layer {
                qkv: together(&[part("query")?, part("key")?, part("value")?])?,
                out: dense(&format!("{name}.attention.output.dense"), hidden, hidden)?,
                attention_norm: norm(&format!("{name}.attention.output.LayerNorm"))?,
                up: dense(&format!("{name}.intermediate.dense"), inner, hidden)?,
                down: dense(&format!("{name}.output.dense"), hidden, inner)?,
                norm: norm(&format!("{name}.output.LayerNorm"))?,
            })
        };
        Ok(Self {
            words: weights.table("embeddings.word_embeddings", config.vocab_size, hidden)?,
            places: &used + &first_kind,
            norm: norm("embeddings.LayerNorm")?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_, _>>()?,
            heads: config.num_attention_heads,
        })
    }

    /// One vector a text, of length 1: the mean of its tokens in the last layer. A text of no token gives zeros.
    ///
    /// # Errors
    /// Where a token is not in the table, or a text is longer than the places there are.
    pub(super) fn vectors(&self, texts: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, String> {
        let mut hidden = self.embedded(texts)?;
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        for layer in &self.layers {
            hidden = layer.forward(hidden, &lengths, self.heads);
        }
        let mut start = 0;
        let vectors = lengths.iter().map(|length| {
            let own = hidden.slice(s![start..start + length, ..]);
            start += length;
            // The sum and the mean point the same way, and only the direction is kept.
            let summed = own.sum_axis(Axis(0));
            let size = summed.dot(&summed).sqrt().max(1e-12);
            (summed / size).to_vec()
        });
        Ok(vectors.collect())
    }

    fn embedded(&self, texts: &[Vec<u32>]) -> Result<Array2<f32>, String> {
        let (most, width) = self.places.dim();
        let mut rows = Vec::with_capacity(texts.iter().map(Vec::len).sum::<usize>() * width);
        for text in texts {
            if text.len() > most {
                return Err(format!("a text has {} tokens, the model takes {most}", text.len()));
            }
            for (token, place) in text.iter().zip(self.places.rows()) {
                self.words.add_row(*token, &mut rows)?;
                let from = rows.len() - width;
                for (number, place) in rows.iter_mut().skip(from).zip(place) {
                    *number += place;
                }
            }
        }
        let mut rows =
            Array2::from_shape_vec((rows.len() / width, width), rows).map_err(|error| error.to_string())?;
        self.norm.apply(&mut rows);
        Ok(rows)
    }
}

impl Norm {
    fn apply(&self, rows: &mut Array2<f32>) {
        normalise_rows(rows, &self.weight, &self.bias, self.eps);
    }
}

impl Dense {
    fn forward(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut out = rows.dot(&self.weight.t());
        add_rows(&mut out, &self.bias);
        out
    }
}

impl Layer {
    fn forward(&self, hidden: Array2<f32>, lengths: &[usize], heads: usize) -> Array2<f32> {
        let seen = self.attention(&hidden, lengths, heads);
        let mut hidden = self.out.forward(seen.view()) + hidden;
        self.attention_norm.apply(&mut hidden);
        let mut wide = self.up.forward(hidden.view());
        gelu(&mut wide);
        let mut out = self.down.forward(wide.view()) + hidden;
        self.norm.apply(&mut out);
        out
    }

    fn attention(&self, hidden: &Array2<f32>, lengths: &[usize], heads: usize) -> Array2<f32> {
        let all = self.qkv.forward(hidden.view());
        let size = hidden.ncols();
        let width = size / heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut seen = Array2::zeros(hidden.dim());
        let mut start = 0;
        for length in lengths {
            let rows = start..start + length;
            for head in 0..heads {
                let part = |of: usize| {
                    let from = of * size + head * width;
                    all.slice(s![rows.clone(), from..from + width])
                };
                let mut shares = part(0).dot(&part(1).t());
                softmax_rows(&mut shares, scale);
                let columns = head * width..(head + 1) * width;
                seen.slice_mut(s![rows.clone(), columns]).assign(&shares.dot(&part(2)));
            }
            start += length;
        }
        seen
    }
}

/// Layers of the same input as one.
fn together(parts: &[Dense]) -> Result<Dense, String> {
    let weights: Vec<_> = parts.iter().map(|part| part.weight.view()).collect();
    let biases: Vec<_> = parts.iter().map(|part| part.bias.view()).collect();
    Ok(Dense {
        weight: ndarray::concatenate(Axis(0), &weights).map_err(|error| error.to_string())?,
        bias: ndarray::concatenate(Axis(0), &biases).map_err(|error| error.to_string())?,
    })
}
