//! How fast Spanish shop text is read: its values alone, and with its sentences and its normal form; and how
//! fast it is known whether a question is refused.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mostrador_language::{Category, Lang, Normal, Pack, Packs, Refusals, normalize};

/// Sentences of a shop's pages, as many with values as pages have.
const SENTENCES: [&str; 24] = [
    "El envío a domicilio cuesta 5 € y a un punto de recogida 3 €.",
    "Los pedidos superiores a 50 € tienen el envío gratuito a toda la península.",
    "Preparamos tu pedido el mismo día si lo haces antes de las 14:00.",
    "Dispones de 30 días naturales para devolver cualquier artículo que no te convenza.",
    "El producto debe estar sin usar y en su embalaje original.",
    "Te devolvemos el importe por el mismo medio de pago en un plazo de cinco días laborables.",
    "Todas nuestras lámparas tienen una garantía de dos años desde la fecha de compra.",
    "Si tu lámpara llega rota, escríbenos a ayuda@tienda.example con una foto del paquete.",
    "Puedes pagar con tarjeta, transferencia o contra reembolso, con un recargo de 2,50 €.",
    "No aceptamos cheques ni pagos en metálico fuera de la tienda.",
    "La tienda abre de lunes a viernes, de 10:00 a 20:00, y los sábados hasta las 14:00.",
    "Nuestro taller está en la calle Mayor, a dos minutos de la estación.",
    "La pantalla Orla mide 30 cm de diámetro y pesa poco más de un kilo.",
    "Encontrarás las instrucciones de montaje en https://tienda.example/montaje.",
    "El casquillo admite bombillas E27 de hasta 60 W.",
    "Limpia la pantalla con un paño seco y nunca con productos abrasivos.",
    "¿Necesitas factura? Indícalo al hacer el pedido y te la enviaremos por correo.",
    "Las tarjetas regalo no caducan y se pueden canjear en la web o en la tienda.",
    "En rebajas hacemos un 20 % de descuento en los artículos señalados.",
    "Los muebles a medida no admiten cambios ni devoluciones, salvo defecto de fabricación.",
    "Un transportista te llamará para acordar la entrega de los artículos grandes.",
    "Si no estás en casa, dejaremos un aviso y lo intentaremos de nuevo al día siguiente.",
    "Pasados quince días, el paquete vuelve a nuestro almacén de Zaragoza.",
    "Para cualquier duda, llámanos al 900 123 456 o pregunta en el mostrador.",
];

/// As many sentences as fit, in an order that repeats late, five to a paragraph.
fn shop_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 128);
    let mut at = 0_usize;
    while text.len() < bytes {
        text.push_str(SENTENCES[(at * 7 + at / SENTENCES.len()) % SENTENCES.len()]);
        at += 1;
        text.push_str(if at.is_multiple_of(5) { "\n\n" } else { " " });
    }
    text
}

fn reading(c: &mut Criterion) {
    let pack = Pack::builtin(Lang::ES).unwrap();
    let text = shop_text(1_000_000);
    let mut group = c.benchmark_group("spanish");
    group.sample_size(20).throughput(Throughput::Bytes(text.len() as u64));
    let input = |name: &str| BenchmarkId::new(name, "1 MB");
    group.bench_with_input(input("values"), &text, |b, text| b.iter(|| pack.values(black_box(text)).len()));
    group.bench_with_input(input("sentences"), &text, |b, text| {
        b.iter(|| pack.sentences(black_box(text)).len())
    });
    group
        .bench_with_input(input("normal form"), &text, |b, text| b.iter(|| normalize(black_box(text)).len()));
    group.bench_with_input(input("sentences, values and normal form"), &text, |b, text| {
        b.iter(|| {
            let text = black_box(text.as_str());
            let sentences = pack.sentences(text);
            let values: usize = sentences.iter().map(|sentence| pack.values(sentence).len()).sum();
            let normal: usize = sentences.iter().map(|sentence| normalize(sentence).len()).sum();
            (sentences.len(), values, normal)
        });
    });
    group.finish();
}

/// Two hundred characters that nothing refuses: every phrase has to be looked for.
const QUESTION: &str = "Hola, compré la lámpara Orla hace dos semanas y la pantalla llegó con una raya; ¿puedo \
    cambiarla por otra en la tienda de la calle Mayor, sin volver a pagar el envío, o me devolvéis los 30 €? Gracias.";

fn refusing(c: &mut Criterion) {
    let refusals =
        Refusals::new(&Packs::default(), &Category::ALL, &std::collections::BTreeMap::new()).unwrap();
    assert!((195..=205).contains(&QUESTION.chars().count()), "{}", QUESTION.chars().count());
    assert_eq!(refusals.check(&Normal::of(QUESTION)), None);
    let mut group = c.benchmark_group("refusal");
    group.bench_function("200 characters, normal form included", |b| {
        b.iter(|| refusals.check(&Normal::of(black_box(QUESTION))));
    });
    let normal = Normal::of(QUESTION);
    group.bench_function("200 characters", |b| b.iter(|| refusals.check(black_box(&normal))));
    group.finish();
}

criterion_group!(benches, reading, refusing);
criterion_main!(benches);
