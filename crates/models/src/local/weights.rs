//! The weights of a `model.safetensors`, found by name, their shapes checked, widened to f32.

use half::{bf16, f16};
use ndarray::{Array1, Array2};
use safetensors::{Dtype, SafeTensors};

/// What stands before every name in some models.
const PREFIXES: [&str; 4] = ["", "bert.", "roberta.", "model."];

/// The tensors of a file.
pub(super) struct Weights<'a> {
    tensors: SafeTensors<'a>,
    prefix: &'static str,
}

/// A table that stays as it is in the file: it is most of the file, and few of its rows are used at once.
pub(super) struct Table {
    bytes: Vec<u8>,
    dtype: Dtype,
    row: usize,
}

impl<'a> Weights<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let name = "embeddings.word_embeddings.weight";
        let there = |prefix: &&str| tensors.tensor(&format!("{prefix}{name}")).is_ok();
        let prefix = PREFIXES.into_iter().find(there).ok_or_else(|| format!("it has no {name}"))?;
        Ok(Self { tensors, prefix })
    }

    /// `name.weight`, of this shape.
    pub(super) fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, String> {
        let (bytes, dtype) = self.find(&format!("{name}.weight"), &[rows, columns])?;
        Array2::from_shape_vec((rows, columns), widened(bytes, dtype)?).map_err(|error| error.to_string())
    }

    /// The vector of this name and length.
    pub(super) fn vector(&self, name: &str, size: usize) -> Result<Array1<f32>, String> {
        let (bytes, dtype) = self.find(name, &[size])?;
        Ok(Array1::from_vec(widened(bytes, dtype)?))
    }

    /// `name.weight`, of this shape, as it is.
    pub(super) fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Table, String> {
        let (bytes, dtype) = self.find(&format!("{name}.weight"), &[rows, columns])?;
        Ok(Table { bytes: bytes.to_vec(), dtype, row: columns * size(dtype)? })
    }

    fn find(&self, name: &str, shape: &[usize]) -> Result<(&[u8], Dtype), String> {
        let name = format!("{}{name}", self.prefix);
        let tensor = self.tensors.tensor(&name).map_err(|_| format!("it has no {name}"))?;
        if tensor.shape() != shape {
            return Err(format!("{name} has the shape {:?}, config.json says {shape:?}", tensor.shape()));
        }
        Ok((tensor.data(), tensor.dtype()))
    }
}

impl Table {
    /// Adds the numbers of a row to the end of `out`.
    pub(super) fn add_row(&self, row: u32, out: &mut Vec<f32>) -> Result<(), String> {
        let start = usize::try_from(row).ok().and_then(|row| row.checked_mul(self.row));
        let bytes = start.and_then(|start| self.bytes.get(start..start.checked_add(self.row)?));
        let bytes = bytes.ok_or_else(|| format!("token {row} is not in the table of words"))?;
        out.extend(widened(bytes, self.dtype)?);
        Ok(())
    }
}

fn size(dtype: Dtype) -> Result<usize, String> {
    match dtype {
        Dtype::F32 => Ok(4),
        Dtype::F16 | Dtype::BF16 => Ok(2),
        other => Err(format!("the weights are {other:?}; f16, bf16 and f32 can be used")),
    }
}

fn widened(bytes: &[u8], dtype: Dtype) -> Result<Vec<f32>, String> {
    size(dtype)?;
    let (pairs, _) = bytes.as_chunks::<2>();
    let (fours, _) = bytes.as_chunks::<4>();
    Ok(match dtype {
        Dtype::F16 => pairs.iter().map(|pair| f16::from_le_bytes(*pair).to_f32()).collect(),
        Dtype::BF16 => pairs.iter().map(|pair| bf16::from_le_bytes(*pair).to_f32()).collect(),
        _ => fours.iter().map(|four| f32::from_le_bytes(*four)).collect(),
    })
}
