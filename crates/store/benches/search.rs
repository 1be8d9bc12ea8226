//! How long dense, lexical and evidence take over 100,000 and 1,000,000 passages, and how much memory is held.
//!
//! `cargo bench -p mostrador-store --bench search [-- PASSAGES…]`: prints p50, p99 and the memory of the process.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]

use std::time::{Duration, Instant};

use mostrador_answer::evidence::coverage;
use mostrador_answer::passage::{Passage, SourceId};
use mostrador_answer::ports::{Filter, Search};
use mostrador_language::{Lang, Pack};
use mostrador_store::{About, Snapshot, SnapshotWriter};

const DIMENSION: usize = 384;
const CANDIDATES: usize = 50;
const QUESTIONS: usize = 300;
/// Texts of a shop crowd together; so do these.
const CLUSTERS: u64 = 500;

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// Nearly normal: the sum of four.
    fn around(&mut self) -> f32 {
        self.unit() + self.unit() + self.unit() + self.unit() - 2.0
    }

    /// A word: the first ones are the most frequent, as words are.
    fn word(&mut self) -> String {
        let rank = (20_000_f32.powf(self.unit())) as u64;
        let letters = "bcdfghklmnprstvz".as_bytes();
        let letter = |at: u64| char::from(letters[(at % 16) as usize]);
        [letter(rank), 'a', letter(rank / 16), 'o', letter(rank / 256), 'u', letter(rank / 4096)]
            .iter()
            .collect()
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn vector(&mut self) -> Vec<f32> {
        let mut center = Numbers(self.next() % CLUSTERS);
        (0..DIMENSION).map(|_| center.around() + 0.6 * self.around()).collect()
    }
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|size| size.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![100_000, 1_000_000] } else { sizes };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let mut before: Option<(usize, Duration)> = None;
    for size in sizes {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("gen-1");
        let begun = Instant::now();
        write(&place, size);
        let wrote = begun.elapsed();
        let begun = Instant::now();
        let snapshot = Snapshot::open(&place, false).unwrap();
        let opened = begun.elapsed();
        let mut times = runtime.block_on(ask(&snapshot));
        for (name, times) in &mut times {
            times.sort_unstable();
            let (p50, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
            println!("{size} passages, {name}: p50 {p50:.2?}, p99 {p99:.2?} ({} questions)", times.len());
        }
        let p50 = times[2].1[times[2].1.len() / 2];
        println!(
            "{size} passages × {DIMENSION}: written in {wrote:.1?} ({:.0} a second), opened in {opened:.1?}, {} MB resident",
            size as f64 / wrote.as_secs_f64(),
            resident()
        );
        if let Some((smaller, faster)) = before {
            let (more, slower) = (size as f64 / smaller as f64, p50.as_secs_f64() / faster.as_secs_f64());
            println!("{more:.1} times the passages take {slower:.1} times as long");
        }
        before = Some((size, p50));
    }
}

fn write(place: &std::path::Path, size: usize) {
    let mut numbers = Numbers(1);
    let mut writer = SnapshotWriter::new(Some(place)).unwrap();
    let pack = Pack::of(Lang::EN);
    for number in 0..size {
        let source = SourceId::new(format!("page{}#{}", number / 20, number % 20)).unwrap();
        let passage = Passage {
            headings: vec![numbers.words(3)],
            file: format!("documents/page{}.md", number / 20),
            ..Passage::new(source, numbers.words(60), Lang::EN)
        };
        writer.add(&passage, &numbers.vector(), pack).unwrap();
    }
    writer.finish(About { embedder: "bench".to_owned(), corpus: String::new() }).unwrap();
}

async fn ask(snapshot: &Snapshot) -> [(&'static str, Vec<Duration>); 3] {
    let mut numbers = Numbers(2);
    let pack = Pack::of(Lang::EN);
    let filter = Filter::default();
    let mut times =
        [("dense", Vec::new()), ("lexical", Vec::new()), ("dense + lexical + evidence", Vec::new())];
    // The first ones read the vectors and fill the page cache.
    for asked in 0..QUESTIONS + 20 {
        let (vector, question) = (numbers.vector(), numbers.words(6));
        let (terms, words) = (pack.index_terms(&question), pack.content_words(&question));
        let begun = Instant::now();
        let near = snapshot.dense(&vector, &filter, CANDIDATES).await.unwrap();
        let dense = begun.elapsed();
        let by_word = snapshot.lexical(&terms, &filter, CANDIDATES).await.unwrap();
        let lexical = begun.elapsed() - dense;
        let strongest = near.iter().map(|(found, near)| (*near).max(coverage(&words, &found.stems)));
        let strongest = strongest.chain(by_word.iter().map(|found| coverage(&words, &found.stems))).max();
        assert!(strongest.is_some());
        if asked >= 20 {
            times[0].1.push(dense);
            times[1].1.push(lexical);
            times[2].1.push(begun.elapsed());
        }
    }
    times
}
