//! `mostrador new`: makes a shop folder that answers at once.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use mostrador_language::Lang;

use crate::commands::check::SEMANTIC;
use crate::exit::Exit;
use crate::output::print;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to make.
    folder: PathBuf,
    /// The shop's language.
    #[arg(long, default_value = "es")]
    language: Lang,
}

/// A file of a scaffold: where it goes, and what it holds.
type File = (&'static str, &'static str);

macro_rules! scaffold {
    ($code:literal) => {
        scaffold!($code, "shop.toml", "texts.toml", "model.toml", "orders.csv", "README.md",
            "documents/delivery.md", "documents/returns.md", "cases/first.yaml")
    };
    ($code:literal, $($file:literal),*) => {
        &[
            (".gitignore", include_str!(concat!("../../../../packs/", $code, "/scaffold/gitignore"))),
            $(($file, include_str!(concat!("../../../../packs/", $code, "/scaffold/", $file))),)*
        ]
    };
}

const SCAFFOLDS: [(Lang, &[File]); 3] =
    [(Lang::ES, scaffold!("es")), (Lang::BG, scaffold!("bg")), (Lang::EN, scaffold!("en"))];

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let known = SCAFFOLDS.iter().find(|(lang, _)| *lang == args.language);
    let Some((_, files)) = known else {
        let known: Vec<String> = SCAFFOLDS.iter().map(|(lang, _)| lang.to_string()).collect();
        bail!("there is no scaffold in {}; there are: {}", args.language, known.join(", "));
    };
    let folder = &args.folder;
    if folder.exists() && !folder.is_dir() {
        bail!("{} is a file; name a new folder", folder.display());
    }
    // A new repository is a good place for a shop.
    let mut others =
        folder.read_dir().into_iter().flatten().flatten().filter(|entry| entry.file_name() != ".git");
    if others.next().is_some() {
        bail!("{} is there already and not empty; name a new folder", folder.display());
    }
    for (file, text) in *files {
        write(&folder.join(file), text)?;
    }
    let shown = quoted(folder);
    print(&format!(
        "made {shown}; try:\n  mostrador eval {shown}\n  mostrador ask {shown} \"…\"\n  mostrador serve {shown}\nsearch: words alone; {SEMANTIC}\n"
    ))?;
    Ok(Exit::Met)
}

/// The folder as it can be typed after a command.
fn quoted(folder: &Path) -> String {
    let shown = folder.display().to_string();
    let shown = if shown.starts_with('-') { format!("./{shown}") } else { shown };
    let plain = shown.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    if plain { shown } else { format!("'{}'", shown.replace('\'', "'\\''")) }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
