//! The way back into the console: an operator is made, or gets another password, on the command line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;

use mostrador_answer::ports::UnixMillis;
use mostrador_shop::counter::database;
use mostrador_store::{Role, Store, StoreOptions};
use mostrador_testkit::copy_folder;

const PASSWORD: &str = "correct horse battery";

fn tienda() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tienda"), dir.path());
    dir
}

/// Runs `mostrador operator` with a password on its standard input; gives the exit code and what it said.
fn operator(dir: &Path, args: &[&str], input: &str) -> (i32, String) {
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("mostrador");
    let out = program.arg("operator").arg(dir).args(args).write_stdin(input).output().unwrap();
    let said = [out.stdout, out.stderr].concat();
    (out.status.code().unwrap(), String::from_utf8(said).unwrap())
}

async fn store(dir: &Path) -> Store {
    Store::open(&database(dir), StoreOptions::default()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_is_made_and_comes_back_with_another_password() {
    let dir = tienda();
    let line = format!("{PASSWORD}\n");
    let (code, said) = operator(dir.path(), &["olga"], &line);
    assert!(code == 2 && said.contains("there is no operator") && said.contains("--role"), "{said}");
    for input in ["elevenchars\n", "\n", ""] {
        let (code, said) = operator(dir.path(), &["olga", "--role", "owner"], input);
        assert!(code == 2 && said.contains("12 to 256"), "{input:?}: {said}");
    }
    for name in ["", " olga", "ol\nga"] {
        let (code, said) = operator(dir.path(), &[name, "--role", "owner"], &line);
        assert!(code == 2 && said.contains("no name to sign in with"), "{name:?}: {said}");
    }
    assert!(!store(dir.path()).await.any_operator().await.unwrap(), "nobody was made");
    let (code, said) = operator(dir.path(), &["olga", "--role", "owner"], &line);
    assert_eq!((code, said.as_str()), (0, "made: olga (owner)\n"));

    let store = store(dir.path()).await;
    let (olga, first) = store.operator("olga").await.unwrap().unwrap();
    assert!(olga.role == Role::Owner && first.starts_with("$argon2id$"));
    store.note_failure("olga", "192.0.2.1", UnixMillis(i64::MAX)).await.unwrap();
    store.open_session(&[1; 32], olga.id, UnixMillis(1), UnixMillis(9)).await.unwrap();
    let (code, said) = operator(dir.path(), &["OLGA"], "another good passphrase\r\n");
    assert_eq!(code, 0, "{said}");
    let (again, second) = store.operator("olga").await.unwrap().unwrap();
    assert!(again == olga && second != first && second.starts_with("$argon2id$"));
    assert_eq!(store.failures_since("olga", "192.0.2.1", UnixMillis(0)).await.unwrap().anywhere, 0);
    assert_eq!(store.session(&[1; 32], UnixMillis(2)).await.unwrap(), None);
    // The last owner stays one, and keeps the password then.
    let (code, said) = operator(dir.path(), &["olga", "--role", "viewer"], &line);
    assert!(code == 2 && store.operator("olga").await.unwrap().unwrap().1 == second, "{said}");
    let log = store.actions(10, None).await.unwrap();
    let done = log.iter().map(|(_, action)| (action.operator.as_str(), action.action.as_str()));
    assert_eq!(
        done.collect::<Vec<_>>(),
        [("command line", "operator.password"), ("command line", "operator.added")]
    );
}
