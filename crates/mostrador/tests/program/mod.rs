//! The program, run on a shop folder.

use std::path::Path;

use serde_json::Value;

/// The first of `args` is the command, the others stand behind the folder. Gives the exit code and what was printed.
pub(crate) fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let (command, rest) = args.split_first().unwrap();
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
    let out = program.arg(command).arg(dir).args(rest).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

/// The same with `--format json`, read.
pub(crate) fn json(dir: &Path, args: &[&str]) -> Value {
    let (_, stdout, stderr) = run(dir, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
}
