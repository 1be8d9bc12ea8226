//! Every link of the documents to a file of the repository leads somewhere.

use std::path::{Component, Path};

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::house::{File, Finding, markdown_files};

/// Links and pictures in the root's Markdown files and in `docs/` whose target is not there
/// or lies outside the repository. Links to the web and within a page are not looked at.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let files = markdown_files(root)?;
    Ok(files.iter().flat_map(|file| in_file(root, file)).collect())
}

fn in_file(root: &Path, file: &File) -> Vec<Finding> {
    let links = Parser::new_ext(&file.text, Options::ENABLE_TABLES).into_offset_iter();
    links
        .filter_map(|(event, range)| {
            let target = match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => dest_url,
                _ => return None,
            };
            let wrong = fault(root, &file.name, &target)?;
            let line = 1 + file.text.bytes().take(range.start).filter(|byte| *byte == b'\n').count();
            Some(file.finding(line, format!("the link to \"{target}\" {wrong}")))
        })
        .collect()
}

/// What is wrong with a link from the file called `from`, if anything.
fn fault(root: &Path, from: &str, target: &str) -> Option<&'static str> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || has_scheme(target) {
        return None;
    }
    let Some(path) = decoded(path) else {
        return Some("has a broken % escape; write it again");
    };
    let mut inside: Vec<&std::ffi::OsStr> = Vec::new();
    let home = Path::new(from).parent().unwrap_or(Path::new(""));
    // A link that begins with a slash starts at the root of the repository.
    let home = if path.starts_with('/') { Path::new("") } else { home };
    for part in home.components().chain(Path::new(&path).components()) {
        let stays = match part {
            Component::Normal(name) => {
                inside.push(name);
                true
            }
            Component::ParentDir => inside.pop().is_some(),
            _ => true,
        };
        if !stays {
            return Some("leads out of the repository; link to what is in it");
        }
    }
    let found = root.join(inside.iter().collect::<std::path::PathBuf>()).exists();
    (!found).then_some("leads to no file; correct it or add the file")
}

/// Whether the target names a protocol, such as `https:` or `mailto:`, or another host.
fn has_scheme(target: &str) -> bool {
    let named = target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    named || target.starts_with("//")
}

/// The path with `%20` and the like undone; `None` where they give no text.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;

    fn found(house: &tempfile::TempDir) -> Vec<String> {
        check(house.path()).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_that_lead_nowhere_are_found_with_their_line() {
        let house = built(&[
            ("README.md", "# A\n\nSee [the guide](docs/guide.md).\n\n![picture](docs/flow.png)\n"),
            (
                "docs/inner/page.md",
                "| a |\n|---|\n| [up](../../CHANGELOG.md) |\n\n[far]: /nowhere.md\n[far]\n",
            ),
        ]);
        let found = found(&house);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(
            found[0].starts_with("README.md:3: the link to \"docs/guide.md\" leads to no file"),
            "{}",
            found[0]
        );
        assert!(found[1].starts_with("README.md:5: "), "{}", found[1]);
        assert!(found[2].starts_with("docs/inner/page.md:3: "), "{}", found[2]);
        assert!(found[3].starts_with("docs/inner/page.md:6: "), "{}", found[3]);
    }

    #[test]
    fn links_out_of_the_repository_and_broken_escapes_are_found() {
        let house = built(&[("README.md", "[a](../secret.md) [b](docs/%zz.md)\n")]);
        let found = found(&house);
        assert!(found[0].contains("leads out of the repository"), "{found:?}");
        assert!(found[1].contains("broken % escape"), "{found:?}");
    }

    #[test]
    fn links_that_resolve_and_links_elsewhere_are_clean() {
        let house = built(&[
            (
                "README.md",
                "[a](docs/a%20b.md#part) [b](docs) [c](#here) [d](https://example.org/x.md) <mailto:a@example.org>\n\
                 `[e](nowhere.md)`\n\n```\n[f](nowhere.md)\n```\n",
            ),
            ("docs/a b.md", "[root](../README.md?plain=1) [root](/README.md) [host](//example.org/x)\n"),
        ]);
        assert_eq!(found(&house), [] as [&str; 0]);
    }
}
