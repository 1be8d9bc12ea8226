//! Writes the patterns of every pack as JSON: they are read before the first question, in every language,
//! and TOML takes ten times as long to read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a pack that cannot be read has to stop the build"
)]

use std::path::Path;
use std::{env, fs};

fn main() {
    let packs = Path::new("../../packs");
    let out = env::var_os("OUT_DIR").expect("cargo names the folder");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", packs.display());
    for pack in fs::read_dir(packs).expect("the packs are beside the crates") {
        let pack = pack.unwrap().path();
        let file = pack.join("patterns.toml");
        let Some(lang) = pack.file_name().and_then(|name| name.to_str()) else { continue };
        if !file.is_file() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(&file).unwrap();
        let table: toml::Table =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let json = serde_json::to_string(&table).unwrap();
        fs::write(Path::new(&out).join(format!("{lang}.patterns.json")), json).unwrap();
    }
}
