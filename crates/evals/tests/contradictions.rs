//! The fixture shops and the examples do not contradict themselves, and are not said to.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use mostrador_answer::gate::contradictions;
use mostrador_answer::passage::Passage;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::copy_folder;

#[tokio::test]
async fn shops_that_agree_with_themselves_get_no_warning() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut said = Vec::new();
    let mut shops = 0;
    for root in [here.join("tests/fixtures"), here.join("../../examples")] {
        let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
        // Beside the shops stand other things that tests read.
        for shop in folders.filter(|folder| folder.join("shop.toml").is_file()) {
            let folder = tempfile::tempdir().unwrap();
            copy_folder(&shop, folder.path());
            let shop = Arc::new(Shop::read(folder.path()).unwrap());
            let counter = Counter::open(Arc::clone(&shop), Keep::InMemory, &mut |_| {}).await.unwrap();
            let passages: Vec<Arc<Passage>> =
                counter.snapshot().await.unwrap().passages().map(Result::unwrap).collect();
            let found = contradictions(&passages, shop.packs());
            said.extend(found.iter().map(|pair| format!("{}: {pair:?}", shop.config().name.0)));
            shops += 1;
        }
    }
    assert!(shops >= 14, "{shops}");
    assert!(said.is_empty(), "{}:\n{}", said.len(), said.join("\n"));
}
