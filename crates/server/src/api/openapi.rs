//! The description of the API, from the code itself.

use axum::Json;
use utoipa::OpenApi;

use crate::api::{answers, completions, conversations, site};
use crate::record;

#[derive(OpenApi)]
#[openapi(
    info(title = "Mostrador", description = "Answers a shop's customers from the shop's own documents."),
    paths(
        site::site,
        answers::answer,
        answers::again,
        answers::feedback,
        conversations::open,
        conversations::read,
        conversations::events,
        conversations::hand_off,
        conversations::erase,
        completions::complete,
        completions::models,
    ),
    components(schemas(
        answers::Question,
        answers::Opinion,
        conversations::Beginning,
        conversations::HandOff,
        conversations::LineView,
        completions::Wanted,
        completions::Message,
        record::Whole,
        record::Notice,
        record::UsageView,
    ))
)]
struct Document;

/// The description of the API.
pub(crate) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever changes the API changes this file with it: `UPDATE_SNAPSHOTS=1 cargo test -p mostrador-server openapi`.
    #[test]
    fn the_description_is_the_one_that_was_read() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let now = format!("{}\n", Document::openapi().to_pretty_json().unwrap());
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(file, &now).unwrap();
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), now);
    }
}
