//! How many passages a second become an index, without an embedder: read, kept, analysed, written.
//!
//! `cargo bench -p mostrador-shop --bench index`: prints passages a second and the most memory held.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fmt::Write;
use std::time::Instant;

use mostrador_shop::Shop;
use mostrador_shop::counter::database;
use mostrador_shop::index::rebuild;
use mostrador_store::{Store, StoreOptions};

fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let rows: usize = std::env::args().find_map(|rows| rows.parse().ok()).unwrap_or(350_000);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shop.toml"), "name = \"Shop\"\nlanguages = [\"en\"]\n").unwrap();
    std::fs::create_dir(folder.path().join("documents")).unwrap();
    let mut table = "number,name,size,text\n".to_owned();
    for row in 0..rows {
        let (size, shelf) = (row % 97, row % 1_013);
        writeln!(
            table,
            "{row},Lamp {},{size} cm,Stands on shelf {shelf} and ships within {} days",
            row / 7,
            row % 30
        )
        .unwrap();
    }
    std::fs::write(folder.path().join("documents/table.csv"), table).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let shop = Shop::read(folder.path()).unwrap();
        let store = Store::open(&database(shop.root()), StoreOptions::default()).await.unwrap();
        for run in ["first", "unchanged"] {
            let begun = Instant::now();
            let index = rebuild(&shop, &store, None, &mut |_| {}).await.unwrap();
            let took = begun.elapsed().as_secs_f64();
            let passages = index.passages;
            println!(
                "{run}: {passages} passages in {took:.1} s, {:.0} a second; at most {} MB held",
                passages as f64 / took,
                most_memory()
            );
        }
    });
}
