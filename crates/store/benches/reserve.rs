//! How long reserving and settling take, in a month without entries and in one with a million.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot be set up has to fail")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mostrador_answer::money::{Micros, Usage};
use mostrador_answer::ports::{Caps, Claim, CustomerCap, Ledger, UnixMillis};
use mostrador_answer::question::{CustomerId, TurnId};
use mostrador_store::{Store, StoreOptions};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// A month of half a million turns, each reserved and settled, in one go.
const MILLION: &str = "
    BEGIN;
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
    INSERT INTO ledger_reservations (day, turn, amount, at)
    SELECT '1970-01-01', 'turn-' || i, 10, i FROM n;
    INSERT INTO ledger_entries (kind, day, reservation, amount, input_tokens, output_tokens, at)
    SELECT 'settle', day, id, 5, 100, 20, at FROM ledger_reservations;
    COMMIT;";

fn reserve(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (name, entries) in [("no entries", ""), ("a million entries", MILLION)] {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("mostrador.db");
        let store = runtime.block_on(async {
            let store = Store::open(&path, StoreOptions::default()).await.unwrap();
            let mut connection = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
            sqlx::raw_sql(entries).execute(&mut connection).await.unwrap();
            assert_eq!(store.verify().await.unwrap(), []);
            store
        });
        let most = Some(Micros(u64::MAX));
        let customer = CustomerCap { customer: CustomerId("c-101".to_owned()), cap: Micros(u64::MAX) };
        let claim = |turn: u64| Claim {
            turn: TurnId(format!("bench-{turn}")),
            bound: Micros(10),
            caps: Caps { month: most, day: most, customer: Some(customer.clone()) },
            at: UnixMillis(0),
        };
        let mut turn = 0;
        criterion.bench_function(&format!("reserve/{name}"), |bench| {
            bench.iter(|| {
                turn += 1;
                runtime.block_on(store.reserve(black_box(&claim(turn)))).unwrap()
            });
        });
        criterion.bench_function(&format!("the day's balance at opening/{name}"), |bench| {
            bench.iter(|| runtime.block_on(store.verify_day(black_box(UnixMillis(0)))).unwrap());
        });
        criterion.bench_function(&format!("reserve and settle/{name}"), |bench| {
            bench.iter(|| {
                turn += 1;
                runtime.block_on(async {
                    let reserved = store.reserve(black_box(&claim(turn))).await.unwrap();
                    store.settle(&reserved, Micros(5), Usage::default(), UnixMillis(0)).await.unwrap();
                });
            });
        });
    }
}

criterion_group!(benches, reserve);
criterion_main!(benches);
