//! Prints how many passages and questions a second the local embedder takes: `embed_speed FOLDER TEXTS [COUNT]`.
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::path::PathBuf;
use std::time::Instant;

use mostrador_answer::ports::{Embed, EmbedAs};
use mostrador_models::{LocalEmbedder, LocalSettings};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("name the model folder")?);
    let file = args.next().ok_or("name a text file: a line is a text")?;
    let count: usize = args.next().map_or(Ok(200), |count| count.parse())?;
    let written = std::fs::read_to_string(file)?;
    let texts: Vec<&str> = written.lines().filter(|line| !line.trim().is_empty()).take(count).collect();
    let embedder = LocalEmbedder::new(LocalSettings {
        shown: folder.display().to_string(),
        folder,
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
    })?;
    let start = Instant::now();
    embedder.embed(&["warm"], EmbedAs::Query).await?;
    println!("load and first text: {} ms", start.elapsed().as_millis());
    let start = Instant::now();
    let made = embedder.embed(&texts, EmbedAs::Passage).await?.len();
    let took = start.elapsed().as_secs_f64();
    let mean = texts.iter().map(|text| text.chars().count()).sum::<usize>() / made.max(1);
    println!("{made} passages of {mean} characters on average: {:.1} a second", made as f64 / took);
    let mut times = Vec::new();
    for text in texts.iter().take(40) {
        let question: String = text.chars().take(60).collect();
        let start = Instant::now();
        embedder.embed(&[&question], EmbedAs::Query).await?;
        times.push(start.elapsed().as_micros());
    }
    times.sort_unstable();
    println!("a question of 60 characters: median {} µs", times.get(times.len() / 2).copied().unwrap_or(0));
    Ok(())
}
