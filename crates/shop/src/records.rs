//! The dated facts of a shop's database, by its configuration. Nothing is connected here.

use std::sync::Arc;
use std::time::Duration;

use mostrador_lookups::{RecordsSettings, SqlRecords};
use secrecy::SecretString;

use crate::error::ShopError;
use crate::folder::Shop;

/// Makes the records of a shop; `None` where it has no `[records.query]`.
///
/// # Errors
/// [`ShopError`] where `sql` is no query.
pub fn records(shop: &Shop) -> Result<Option<Arc<SqlRecords>>, ShopError> {
    let Some(config) = &shop.config().records.query else { return Ok(None) };
    let settings = RecordsSettings {
        database_env: config.database_env.0.clone(),
        database: std::env::var(&config.database_env.0).ok().map(SecretString::from),
        sql: config.sql.0.clone(),
        language: shop.language(),
        cache: Duration::from_secs(config.cache_seconds.get()),
    };
    Ok(Some(Arc::new(SqlRecords::new(settings)?)))
}
