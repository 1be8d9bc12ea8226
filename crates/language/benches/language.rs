//! How fast a text is read, and what checking a question costs with every language loaded.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot be set up has to fail")]

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mostrador_language::{Category, Lang, Normal, Pack, Packs, Refusals, detect, normalize};

const SPANISH: &str = "El envío a domicilio cuesta 4,95 € y tarda entre dos y tres días laborables. Si tu pedido \
    supera los 60 €, el envío es gratuito. Puedes devolver cualquier artículo en un plazo de 30 días desde la entrega, \
    siempre que conserve su etiqueta; el reembolso llega a tu tarjeta antes de 14 días. ¿Necesitas ayuda? Escríbenos a \
    hola@tienda.example o llama al 912 345 678, de lunes a viernes de 9:00 a 18:30. La garantía es de tres años.\n";

const BULGARIAN: &str = "Доставката до офис струва 5 лв. и отнема до два работни дни. Можете да върнете всяка стока \
    в срок от 30 дни, а сумата се възстановява по картата Ви. Имате въпроси? Пишете ни по всяко време, всеки ден.";

/// Two hundred characters that nothing refuses.
const QUESTION: &str = "Hola, compré unos auriculares la semana pasada y todavía no me han llegado. ¿Me podéis decir \
    cuándo los entregáis y si puedo cambiar la dirección de entrega, o es mejor que los recoja en tienda? Gracias.";

fn texts(criterion: &mut Criterion) {
    let text = SPANISH.repeat(1_000_000 / SPANISH.len());
    let pack = Pack::of(Lang::ES);
    let mut group = criterion.benchmark_group("spanish");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("normal form", |bencher| bencher.iter(|| normalize(black_box(&text))));
    group.bench_function("normal form with its map", |bencher| bencher.iter(|| Normal::of(black_box(&text))));
    group.bench_function("sentences", |bencher| bencher.iter(|| pack.sentences(black_box(&text))));
    group.bench_function("values", |bencher| bencher.iter(|| pack.values(black_box(&text))));
    group.bench_function("sentences, values and normal form", |bencher| {
        bencher.iter(|| (pack.sentences(black_box(&text)), pack.values(&text), normalize(&text)));
    });
    group.finish();
    let short = BULGARIAN.chars().take(220).collect::<String>();
    criterion.bench_function("normal form of 220 Bulgarian characters", |b| {
        b.iter(|| normalize(black_box(&short)))
    });
}

fn questions(criterion: &mut Criterion) {
    let new = || Refusals::new(&Packs::default(), &Category::ALL, &BTreeMap::new()).unwrap();
    let refusals = new();
    assert!(refusals.check(&Normal::of(QUESTION)).is_none());
    criterion
        .bench_function("refusal check", |b| b.iter(|| refusals.check(&Normal::of(black_box(QUESTION)))));
    let normal = Normal::of("x");
    criterion.bench_function("refusals compiled, packs read before", |b| {
        b.iter_batched(new, |refusals| refusals.check(&normal), BatchSize::SmallInput);
    });
    criterion.bench_function("language of a question", |b| {
        b.iter(|| detect(black_box(QUESTION), None, None, &[]))
    });
}

criterion_group!(benches, texts, questions);
criterion_main!(benches);
