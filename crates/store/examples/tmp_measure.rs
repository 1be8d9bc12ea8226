//! scratch
#![allow(clippy::unwrap_used)]
use mostrador_answer::money::Micros;
use mostrador_answer::ports::*;
use mostrador_answer::question::TurnId;
use mostrador_store::*;
use sqlx::sqlite::*;
use std::time::Instant;

const RESERVE: &str = "
    INSERT INTO ledger_entries (kind, month, turn, amount, at)
    SELECT 'reserve', ?1, ?2, ?3, ?4
    WHERE ?3 <= ?5 - coalesce((SELECT spent + reserved FROM ledger_months WHERE month = ?1), 0)";

#[tokio::main]
async fn main() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("m.db");
    let store = Store::open(&path, StoreOptions::default()).await.unwrap();
    let n = 20000u32;
    for round in 0..2 {
        let t = Instant::now();
        for i in 0..n {
            let c = Claim {
                turn: TurnId(format!("a{round}-{i}")),
                bound: Micros(1),
                monthly_cap: None,
                at: UnixMillis(0),
            };
            store.reserve(&c).await.unwrap();
        }
        println!("single {:?}", t.elapsed() / n);
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .test_before_acquire(false)
            .connect_with(
                SqliteConnectOptions::new()
                    .filename(&path)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Normal),
            )
            .await
            .unwrap();
        let t = Instant::now();
        for i in 0..n {
            let mut tx = pool.begin_with("BEGIN IMMEDIATE").await.unwrap();
            sqlx::query(RESERVE)
                .bind("1970-01")
                .bind(format!("b{round}-{i}"))
                .bind(1i64)
                .bind(0i64)
                .bind(i64::MAX)
                .execute(&mut *tx)
                .await
                .unwrap();
            tx.commit().await.unwrap();
        }
        println!("tx {:?}", t.elapsed() / n);
    }
    // passages
    for (n, dims) in [(10_000usize, 384usize), (50_000, 384)] {
        let p: Vec<StoredPassage> = (0..n)
            .map(|i| {
                (
                    mostrador_testkit::contract::search::passage(
                        &format!("a#{i}"),
                        "h",
                        &"text ".repeat(120),
                    ),
                    Some(
                        (0..dims)
                            .map(|d| ((i * 31 + d * 7) % 101) as f32 - 50.0)
                            .collect(),
                    ),
                )
            })
            .collect();
        let t = Instant::now();
        store.replace_passages("f", "e", &p).await.unwrap();
        println!("replace {n} {:?}", t.elapsed());
        let t = Instant::now();
        let l = store.load_passages().await.unwrap();
        println!("load {n} {:?}", t.elapsed());
        let t = Instant::now();
        let ix = MemoryIndex::new(l);
        println!("index {n} {:?}", t.elapsed());
        let q: Vec<f32> = (0..dims).map(|d| d as f32 - 100.0).collect();
        let t = Instant::now();
        for _ in 0..10 {
            ix.dense(&q, 8).await.unwrap();
        }
        println!("dense {n} {:?}", t.elapsed() / 10);
        let t = Instant::now();
        for _ in 0..10 {
            ix.lexical(&["text".to_owned()], 8).await.unwrap();
        }
        println!("lexical {n} {:?}", t.elapsed() / 10);
    }
    let p2 = folder.path().join("n.db");
    let t = Instant::now();
    let s = Store::open(&p2, StoreOptions::default()).await.unwrap();
    println!("open new {:?}", t.elapsed());
    s.close().await;
    let t = Instant::now();
    let _s = Store::open(&p2, StoreOptions::default()).await.unwrap();
    println!("open again {:?}", t.elapsed());
    let t = Instant::now();
    let _s = Store::in_memory().await.unwrap();
    println!("in memory {:?}", t.elapsed());
}
