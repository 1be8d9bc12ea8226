//! A snapshot keeps the contract of a search, in memory and from its folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;

use mostrador_answer::ports::Search;
use mostrador_language::Pack;
use mostrador_store::{About, Snapshot, SnapshotWriter};
use mostrador_testkit::contract::search::Stored;

fn written(folder: Option<&Path>, passages: Vec<Stored>) -> Snapshot {
    let mut writer = SnapshotWriter::new(folder).unwrap();
    for (passage, vector) in passages {
        let pack = Pack::of(passage.language);
        writer.add(&passage, &vector.unwrap_or_default(), pack).unwrap();
    }
    writer.finish(About { embedder: "e".to_owned(), corpus: "c".to_owned() }).unwrap()
}

mod in_memory {
    use super::*;

    async fn index(passages: Vec<Stored>) -> Arc<dyn Search> {
        Arc::new(written(None, passages))
    }

    mostrador_testkit::search_contract!(index);
}

mod on_disk {
    use super::*;

    async fn index(passages: Vec<Stored>) -> Arc<dyn Search> {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("gen-1");
        written(Some(&place), passages);
        // What is open stays readable when its folder is deleted.
        Arc::new(Snapshot::open(&place, true).unwrap())
    }

    mostrador_testkit::search_contract!(index);
}
