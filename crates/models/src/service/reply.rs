//! A reply of the service: checked until it holds one vector a text.

use serde::Deserialize;

#[derive(Deserialize)]
struct Reply {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<Option<f32>>,
}

/// The vectors of `count` texts in the order of their `index`, each of `size` numbers where that is known, all of one
/// size where it is not. Numbers that are none, missing texts and texts given twice are errors.
pub(super) fn vectors(reply: &[u8], count: usize, size: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
    let reply: Reply = serde_json::from_slice(reply).map_err(|error| {
        format!("the embedding service sent no embeddings ({error}); check that `base_url` is such a service")
    })?;
    if reply.data.len() != count {
        return Err(format!(
            "the embedding service sent {} vectors for {count} texts; lower `batch`, or use another service",
            reply.data.len()
        ));
    }
    let mut places: Vec<Option<Vec<f32>>> = vec![None; count];
    let mut known = size;
    for (at, item) in reply.data.into_iter().enumerate() {
        let index = item.index.unwrap_or(at);
        let numbers: Option<Vec<f32>> =
            item.embedding.into_iter().map(|number| number.filter(|number| number.is_finite())).collect();
        let numbers = numbers.ok_or_else(|| {
            format!("the embedding service sent a number that is none in vector {index}; look at the service's model")
        })?;
        let size = *known.get_or_insert(numbers.len());
        if numbers.is_empty() || numbers.len() != size {
            return Err(format!(
                "the embedding service sent a vector of {} numbers where {size} are expected; correct `dimensions` or `model`",
                numbers.len()
            ));
        }
        match places.get_mut(index) {
            Some(place @ None) => *place = Some(numbers),
            _ => {
                return Err(format!(
                    "the embedding service sent index {index} twice or out of range; use another service"
                ));
            }
        }
    }
    Ok(places.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_order_is_that_of_the_index() {
        let reply = br#"{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}]}"#;
        assert_eq!(vectors(reply, 2, None).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (reply, says) in [
            (r#"{"data":[{"index":0,"embedding":[1]}]}"#, "1 vectors for 2 texts"),
            (r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, "index 0 twice"),
            (r#"{"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[1]}]}"#, "index 9"),
            (r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#, "2 numbers where 1"),
            (r#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#, "0 numbers"),
            (
                r#"{"data":[{"index":0,"embedding":[null]},{"index":1,"embedding":[1]}]}"#,
                "number that is none",
            ),
            (
                r#"{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}"#,
                "embedding service",
            ),
            (r#"{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}"#, "no embeddings"),
            ("<html>", "no embeddings"),
        ] {
            let error = vectors(reply.as_bytes(), 2, None).unwrap_err();
            assert!(error.contains(says), "{reply}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_give_an_answer_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0_usize..4) {
            if let Ok(found) = vectors(&bytes, count, None) {
                prop_assert_eq!(found.len(), count);
            }
        }
    }
}
