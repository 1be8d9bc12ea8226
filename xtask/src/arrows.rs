//! Crates point downwards only: the arrows of the layout, read from `cargo metadata`.

use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::house::{Finding, name_below};

/// The layers, lowest first. A crate may use any crate of a lower layer, none of its own or a higher one.
const LAYERS: [&[&str]; 6] = [
    &["mostrador-language"],
    &["mostrador-answer"],
    &["mostrador-ingest", "mostrador-store", "mostrador-models", "mostrador-lookups"],
    &["mostrador-shop"],
    &["mostrador-server", "mostrador-evals"],
    &["mostrador"],
];

/// For tests only: used as a dev-dependency alone; itself it may use what is listed.
const TESTKIT: &str = "mostrador-testkit";
const TESTKIT_USES: [&str; 2] = ["mostrador-answer", "mostrador-language"];

/// Stands apart: uses no crate of the house, and none uses it.
const XTASK: &str = "xtask";

/// Dependencies between the crates of the house that do not point downwards, and crates without a layer.
/// `metadata` is the JSON of `cargo metadata --no-deps`; each finding is at the line of the crate's
/// `Cargo.toml` that names the dependency.
///
/// # Errors
/// When the JSON is not of that shape.
pub(crate) fn check(metadata: &Value) -> anyhow::Result<Vec<Finding>> {
    let root = text(metadata, "workspace_root")?;
    let packages = list(metadata, "packages")?;
    let names = packages.iter().map(|package| text(package, "name")).collect::<anyhow::Result<Vec<_>>>()?;
    let mut findings = Vec::new();
    for package in packages {
        let name = text(package, "name")?;
        let manifest = Manifest::read(root, text(package, "manifest_path")?);
        if ![TESTKIT, XTASK].contains(&name) && layer(name).is_none() {
            let message = format!("the crate {name} has no layer; give it one in xtask/src/arrows.rs");
            findings.push(Finding { file: manifest.name.clone(), line: 1, message });
            continue;
        }
        for dependency in list(package, "dependencies")? {
            let on = text(dependency, "name")?;
            if !names.contains(&on) {
                continue;
            }
            let kind = dependency.get("kind").and_then(Value::as_str).unwrap_or("normal");
            if let Some(message) = fault(name, on, kind) {
                let line = manifest.line_of(on, kind);
                findings.push(Finding { file: manifest.name.clone(), line, message });
            }
        }
    }
    Ok(findings)
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// What is wrong with one arrow, if anything.
fn fault(from: &str, on: &str, kind: &str) -> Option<String> {
    if on == TESTKIT && from != XTASK {
        return (kind != "dev").then(|| {
            format!("{from} uses {TESTKIT} outside its tests; it is for tests only, make it a dev-dependency")
        });
    }
    if from == TESTKIT {
        let allowed = TESTKIT_USES.contains(&on);
        return (!allowed)
            .then(|| format!("{TESTKIT} uses {on}; it may use {} alone", TESTKIT_USES.join(" and ")));
    }
    if from == XTASK || on == XTASK {
        return Some(format!("{from} uses {on}; {XTASK} stands apart from the other crates"));
    }
    // A crate without a layer has a finding of its own.
    let (own, other) = (layer(from)?, layer(on)?);
    let what = match other.cmp(&own) {
        std::cmp::Ordering::Less => return None,
        std::cmp::Ordering::Equal => "of its own layer",
        std::cmp::Ordering::Greater => "of a layer above",
    };
    Some(format!("{from} uses {on}, {what}; crates point downwards only, move what both need further down"))
}

/// A crate's `Cargo.toml`, for the lines of findings.
struct Manifest {
    name: String,
    text: String,
}

impl Manifest {
    fn read(root: &str, path: &str) -> Self {
        // Without the file the finding is still true; only its line is not known.
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Self { name: name_below(Path::new(root), Path::new(path)), text }
    }

    /// The line that names the dependency in a table of its kind; else any that names it; else the first.
    fn line_of(&self, dependency: &str, kind: &str) -> usize {
        let wanted =
            if kind == "normal" { "dependencies".to_owned() } else { format!("{kind}-dependencies") };
        let mut table = "";
        let mut named = Vec::new();
        for (line, text) in (1..).zip(self.text.lines()) {
            let text = text.trim();
            if let Some(header) = text.strip_prefix('[') {
                table = header.trim_end_matches(']');
            }
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
            if words.into_iter().any(|word| word == dependency) {
                named.push((line, table.split('.').any(|part| part == wanted)));
            }
        }
        let best = named.iter().find(|(_, fits)| *fits).or(named.first());
        best.map_or(1, |(line, _)| *line)
    }
}

fn text<'a>(value: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    value.get(key).and_then(Value::as_str).with_context(|| format!("cargo metadata has no text {key:?}"))
}

fn list<'a>(value: &'a Value, key: &str) -> anyhow::Result<&'a Vec<Value>> {
    value.get(key).and_then(Value::as_array).with_context(|| format!("cargo metadata has no list {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::built;
    use serde_json::json;

    /// A crate, and what it uses with the kind of dependency.
    type Crate<'a> = (&'a str, &'a [(&'a str, Option<&'a str>)]);

    fn metadata(crates: &[Crate<'_>]) -> Value {
        let packages: Vec<Value> = crates
            .iter()
            .map(|(name, uses)| {
                let uses: Vec<Value> =
                    uses.iter().map(|(on, kind)| json!({"name": on, "kind": kind})).collect();
                let manifest = format!("/house/crates/{name}/Cargo.toml");
                json!({"name": name, "manifest_path": manifest, "dependencies": uses})
            })
            .collect();
        json!({"workspace_root": "/house", "packages": packages})
    }

    fn found(crates: &[Crate<'_>]) -> Vec<String> {
        check(&metadata(crates)).unwrap().into_iter().map(|finding| finding.message).collect()
    }

    const LANGUAGE: Crate<'_> = ("mostrador-language", &[]);
    const ANSWER: Crate<'_> = (
        "mostrador-answer",
        &[("mostrador-language", None), ("serde", None), ("mostrador-testkit", Some("dev"))],
    );
    const KIT: Crate<'_> =
        ("mostrador-testkit", &[("mostrador-answer", None), ("mostrador-language", Some("dev"))]);
    const STORE: Crate<'_> = ("mostrador-store", &[("mostrador-language", None), ("mostrador-answer", None)]);

    #[test]
    fn arrows_that_point_down_are_clean() {
        let shop = ("mostrador-shop", &[("mostrador-store", None), ("mostrador-language", None)] as &[_]);
        let evals = ("mostrador-evals", &[("mostrador-shop", None), ("mostrador-answer", None)] as &[_]);
        let program =
            ("mostrador", &[("mostrador-evals", None), ("mostrador-language", Some("dev"))] as &[_]);
        let crates = [LANGUAGE, ANSWER, KIT, STORE, shop, evals, program, ("xtask", &[("anyhow", None)])];
        assert_eq!(found(&crates), [] as [&str; 0]);
    }

    #[test]
    fn an_arrow_up_or_sideways_is_found_in_every_kind_of_dependency() {
        for kind in [None, Some("dev"), Some("build")] {
            let up = ("mostrador-language", &[("mostrador-answer", kind)] as &[_]);
            assert!(found(&[up, ANSWER, KIT])[0].contains("of a layer above"), "{kind:?}");
            let sideways = ("mostrador-models", &[("mostrador-store", kind)] as &[_]);
            assert!(
                found(&[LANGUAGE, ANSWER, KIT, STORE, sideways])[0].contains("of its own layer"),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn testkit_is_for_tests_and_stays_low() {
        let outside = ("mostrador-store", &[("mostrador-testkit", None)] as &[_]);
        assert!(found(&[LANGUAGE, ANSWER, KIT, outside])[0].contains("make it a dev-dependency"));
        let high = ("mostrador-testkit", &[("mostrador-store", Some("dev"))] as &[_]);
        assert!(
            found(&[LANGUAGE, ANSWER, STORE, high])[0].contains("mostrador-testkit uses mostrador-store")
        );
    }

    #[test]
    fn xtask_stands_apart_and_every_other_crate_has_a_layer() {
        let apart = ("xtask", &[("mostrador-language", None)] as &[_]);
        assert!(found(&[LANGUAGE, apart])[0].contains("stands apart"));
        let tests_of_the_house = ("xtask", &[("mostrador-testkit", Some("dev"))] as &[_]);
        assert!(found(&[LANGUAGE, ANSWER, KIT, tests_of_the_house])[0].contains("stands apart"));
        assert!(found(&[("mostrador-loose", &[])])[0].contains("has no layer"));
    }

    #[test]
    fn a_finding_is_at_the_line_of_the_table_of_its_kind() {
        let manifest = "[package]\nname = \"mostrador-models\"\n\n[dependencies]\nmostrador-store.workspace = true\n\n\
                        [dev-dependencies]\nmostrador-store = { workspace = true }\n";
        let house = built(&[("crates/models/Cargo.toml", manifest)]);
        let root = house.path().to_string_lossy().into_owned();
        let metadata = json!({"workspace_root": root, "packages": [
            {"name": "mostrador-store", "manifest_path": "", "dependencies": []},
            {"name": "mostrador-models", "manifest_path": format!("{root}/crates/models/Cargo.toml"), "dependencies": [
                {"name": "mostrador-store", "kind": null}, {"name": "mostrador-store", "kind": "dev"}]},
        ]});
        let places: Vec<(String, usize)> =
            check(&metadata).unwrap().into_iter().map(|finding| (finding.file, finding.line)).collect();
        let file = "crates/models/Cargo.toml".to_owned();
        assert_eq!(places, [(file.clone(), 5), (file, 8)]);
    }

    #[test]
    fn metadata_of_another_shape_is_an_error() {
        assert!(check(&json!({})).is_err());
        assert!(check(&json!({"workspace_root": "/", "packages": [{"name": 1}]})).is_err());
    }
}
