//! How many passages a second come out of Markdown files.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mostrador_ingest::{Event, Options, Reader};
use mostrador_language::Lang;
use tempfile::TempDir;

const FILES: u64 = 50;
const PARAGRAPHS: u64 = 40;

fn shop() -> TempDir {
    let root = TempDir::new().unwrap();
    fs::create_dir(root.path().join("documents")).unwrap();
    for file in 0..FILES {
        let mut text = format!("# Page {file}\n\n");
        for number in 0..PARAGRAPHS {
            text.push_str(&format!(
                "## Part {number}\n\nThe lamp {number} of page {file} is **delivered** within {number} days, by post. \
                 It may be sent back for free within 30 days, in its box; see [the form](https://shop.example/{number}). \
                 What was used is not taken back, except where it was broken when it came.\n\n"
            ));
        }
        fs::write(root.path().join(format!("documents/page-{file}.md")), text).unwrap();
    }
    root
}

fn markdown(criterion: &mut Criterion) {
    let root = shop();
    let options = Options::new(Lang::EN);
    let mut group = criterion.benchmark_group("ingest");
    group.throughput(Throughput::Elements(FILES * PARAGRAPHS));
    group.bench_function("markdown", |bencher| {
        bencher.iter(|| {
            let reader = Reader::open(root.path(), &options).unwrap();
            let passages = reader.filter(|event| matches!(event, Event::Passage(_))).count();
            assert_eq!(passages as u64, FILES * PARAGRAPHS);
        });
    });
    group.finish();
}

criterion_group!(benches, markdown);
criterion_main!(benches);
