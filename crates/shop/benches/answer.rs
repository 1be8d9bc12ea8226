//! The whole answer path on the example shop: extractive model, SQLite on file.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use mostrador_answer::engine::{Engine, Ports};
use mostrador_answer::question::{Asked, CustomerId};
use mostrador_answer::stop::Ending;
use mostrador_shop::{Counter, Keep, Shop};
use mostrador_testkit::{Desk, copy_folder};

fn answer(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tienda"), folder.path());
    let shop = Arc::new(Shop::read(folder.path()).unwrap());
    let counter = runtime.block_on(Counter::open(shop, Keep::OnDisk, &mut |_| {})).unwrap();
    let engine = counter.engine();
    let mut group = criterion.benchmark_group("answer");
    let questions = [
        ("documents", Asked::new("¿Cuánto cuesta el envío a un punto de recogida?"), Ending::Answered),
        ("dont_know", Asked::new("¿Cuál es la capital de Francia?"), Ending::NoEvidence),
        (
            "order",
            Asked::new("¿Dónde está el pedido 31188?").signed(CustomerId("c-101".to_owned())),
            Ending::Answered,
        ),
    ];
    for (name, asked, ending) in questions {
        let answer = runtime.block_on(engine.ask(asked.clone()));
        assert_eq!(answer.closing.ending, ending, "{name}: {}", answer.text);
        group.bench_function(name, |bench| {
            bench.iter(|| runtime.block_on(engine.ask(asked.clone())));
        });
    }
    // What the rooms take by themselves: nothing waits for a database.
    let desk = Arc::new(Desk::default());
    let (ledger, inbox, stops) = (desk.clone(), desk.clone(), desk);
    let ports = Ports { ledger, inbox, stops, ..engine.ports().clone() };
    let rooms = Arc::new(Engine::new(engine.settings().clone(), ports));
    let asked = Asked::new("¿Cuánto cuesta el envío a un punto de recogida?");
    assert_eq!(runtime.block_on(rooms.ask(asked.clone())).closing.ending, Ending::Answered);
    group.bench_function("documents, nothing written", |bench| {
        bench.iter(|| runtime.block_on(rooms.ask(asked.clone())));
    });
    group.finish();
}

criterion_group!(benches, answer);
criterion_main!(benches);
