//! The reply of a service: JSON of a bounded size, and what of it may be seen.

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;

/// The most bytes of a reply.
const MOST_BYTES: usize = 1024 * 1024;

/// The body as JSON.
///
/// # Errors
/// Why it is none, to stand behind the name of the service.
pub(super) async fn json(mut response: Response) -> Result<Value, String> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind != "application/json" && !(kind.starts_with("application/") && kind.ends_with("+json")) {
        return Err("answers with something else than JSON".to_owned());
    }
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|_| "broke off its answer".to_owned())? {
        if body.len() + part.len() > MOST_BYTES {
            return Err(format!("answers with more than {MOST_BYTES} bytes"));
        }
        body.extend_from_slice(&part);
    }
    serde_json::from_slice(&body).map_err(|_| "answers with broken JSON".to_owned())
}

/// The values of these paths, in order; `None` where the reply says that there is nothing.
///
/// # Errors
/// Where there is something, and none of the paths is in it.
pub(super) fn values(body: &Value, paths: &[String]) -> Result<Option<Vec<Option<String>>>, String> {
    let nothing = match body {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    if nothing {
        return Ok(None);
    }
    let values: Vec<Option<String>> =
        paths.iter().map(|path| body.pointer(&pointer(path)).and_then(told)).collect();
    if values.iter().all(Option::is_none) {
        return Err("answers with nothing that `fields` or `result` names".to_owned());
    }
    Ok(Some(values))
}

/// A path with dots as a JSON pointer.
fn pointer(path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    path.split('.').map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect()
}

fn told(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let told: Vec<String> = list.iter().filter_map(told).collect();
            (!told.is_empty()).then(|| told.join(", "))
        }
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(body: &Value, paths: &[&str]) -> Result<Option<Vec<Option<String>>>, String> {
        values(body, &paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_are_found_by_dots_or_by_pointer() {
        let body =
            json!({"order": {"state": "sent", "lines": [{"sku": "a"}], "a.b": 1.50, "tags": ["x", null, 2]}});
        let paths = ["order.state", "order.lines.0.sku", "/order/a.b", "order.tags", "order.owner"];
        let found = seen(&body, &paths).unwrap().unwrap();
        let found: Vec<_> = found.iter().map(|value| value.as_deref().unwrap_or("-")).collect();
        assert_eq!(found, ["sent", "a", "1.5", "x, 2", "-"]);
    }

    #[test]
    fn an_empty_reply_is_nothing_and_another_shape_an_error() {
        for body in [json!(null), json!([]), json!({})] {
            assert_eq!(seen(&body, &["state"]), Ok(None));
        }
        assert!(seen(&json!({"error": "no"}), &["state"]).is_err());
        assert!(seen(&json!("sent"), &["state"]).is_err());
    }
}
