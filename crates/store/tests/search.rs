//! The index in memory keeps the contract of a search, from passages that were stored and loaded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use mostrador_language::{Lang, Pack, Packs};
use std::sync::Arc;

use mostrador_answer::ports::{Filter, Search};
use mostrador_store::{MemoryIndex, Store, StoredPassage};

async fn index(passages: Vec<StoredPassage>) -> Arc<dyn Search> {
    let store = Store::in_memory().await.unwrap();
    store.replace_passages("fingerprint", "embedder", &passages).await.unwrap();
    Arc::new(MemoryIndex::new(store.load_passages().await.unwrap(), &Packs::default()))
}

mostrador_testkit::search_contract!(index);

mod long_passages {
    use super::*;
    use mostrador_testkit::contract::search::passage;

    /// The same stem says more about a short passage.
    #[tokio::test]
    async fn count_less() {
        let stored = vec![
            (passage("shop#1", "", "parcel window garden river stone mountain"), None),
            (passage("shop#2", "", "parcel window"), None),
        ];
        let index = MemoryIndex::new(stored, &Packs::default());
        assert_eq!((index.len(), index.is_empty()), (2, false));
        let stems = Pack::of(Lang::EN).index_terms("parcel");
        let found = index.lexical(&stems, &Filter::default(), 10).await.unwrap();
        let names: Vec<&str> = found.iter().map(|found| found.passage.source.as_str()).collect();
        assert_eq!(names, ["shop#2", "shop#1"]);
    }
}
