//! What a BERT does with numbers besides products of matrices, written so that the compiler makes it wide.

use ndarray::{Array1, Array2};

/// Adds the same numbers to every row.
pub(super) fn add_rows(rows: &mut Array2<f32>, numbers: &Array1<f32>) {
    for mut row in rows.rows_mut() {
        row += numbers;
    }
}

/// Layer normalisation (Ba, Kiros and Hinton 2016) of every row.
pub(super) fn normalise_rows(rows: &mut Array2<f32>, weight: &Array1<f32>, bias: &Array1<f32>, eps: f32) {
    let size = rows.ncols().max(1) as f32;
    for mut row in rows.rows_mut() {
        let mean = row.sum() / size;
        row -= mean;
        let spread = row.dot(&row) / size;
        row *= 1.0 / (spread + eps).sqrt();
        row *= weight;
        row += bias;
    }
}

/// Softmax of every row, its numbers multiplied by `scale` first.
pub(super) fn softmax_rows(rows: &mut Array2<f32>, scale: f32) {
    for mut row in rows.rows_mut() {
        let most = row.fold(f32::NEG_INFINITY, |most, number| most.max(*number));
        row.mapv_inplace(|number| exp((number - most) * scale));
        let sum = row.sum();
        row *= 1.0 / sum;
    }
}

/// The Gaussian error linear unit, x · Φ(x), exact to 2e-7 (`gelu` of `transformers`; its approximations by tanh
/// differ from it by less than 1e-3, and are computed the same way).
pub(super) fn gelu(rows: &mut Array2<f32>) {
    rows.mapv_inplace(|x| 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2)));
}

/// The error function: Abramowitz and Stegun 7.1.26.
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let steps =
        ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_8) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - steps * exp(-size * size)).copysign(x)
}

/// e to the power of x, to about 2 units of the last place: Moshier's Cephes, without branches. Below -87 it gives
/// e to the power of -87, above 88 that of 88.
fn exp(x: f32) -> f32 {
    // Adding and taking off 1.5 · 2^23 rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let n = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let p = 1.987_569_1e-4_f32;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 5.000_000_1e-1;
    let power = f32::from_bits(((n as i32 + 127) << 23) as u32);
    (p * r * r + r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn exp_is_that_of_the_standard_library(x in -87.0_f32..88.0) {
            prop_assert!((exp(x) / x.exp() - 1.0).abs() < 1e-6, "{x}");
        }

        #[test]
        fn softmax_gives_shares(numbers in proptest::collection::vec(-50.0_f32..50.0, 1..9)) {
            let mut rows = Array2::from_shape_vec((1, numbers.len()), numbers).unwrap();
            softmax_rows(&mut rows, 0.5);
            prop_assert!((rows.sum() - 1.0).abs() < 1e-5);
            prop_assert!(rows.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }

    #[test]
    fn known_values() {
        for (x, erf_of) in
            [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (-2.0, -0.995_322_3), (9.0, 1.0)]
        {
            assert!((erf(x) - erf_of).abs() < 5e-7, "{x}: {}", erf(x));
        }
        let mut rows = array![[1.0, 2.0, 3.0]];
        normalise_rows(&mut rows, &array![1.0, 1.0, 2.0], &array![0.0, 0.0, 1.0], 0.0);
        let expected = [-1.224_745, 0.0, 3.449_490];
        assert!(rows.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{rows}");
        let mut rows = array![[-1.0, 0.0, 1.0]];
        gelu(&mut rows);
        let expected = [-0.158_655, 0.0, 0.841_345];
        assert!(rows.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{rows}");
    }
}
