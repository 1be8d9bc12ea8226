//! The extractive model: which sentences it quotes, and when it calls a look-up instead.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::BTreeMap;

use mostrador_answer::message::{MarkedDocument, NOT_COVERED, Outcome, Request, StopReason};
use mostrador_answer::money::Usage;
use mostrador_answer::passage::{SourceId, Trust};
use mostrador_answer::ports::Model as _;
use mostrador_language::{Lang, Pack, Packs, TextKey, Texts};
use mostrador_models::ExtractiveModel;
use proptest::prelude::*;

use common::{Reply, answered, ask, document, lookup, request, values};

async fn reply(request: &Request) -> Reply {
    let got = ask(&ExtractiveModel::default(), request).await.unwrap();
    assert_eq!(got.usage, Usage::default());
    got
}

async fn quoted(documents: &[MarkedDocument], question: &str) -> String {
    let got = reply(&request(Lang::ES, documents, question)).await;
    assert_eq!((got.calls.len(), got.reason), (0, StopReason::EndTurn));
    got.text()
}

fn shop() -> Vec<MarkedDocument> {
    vec![
        document(
            "envios#1",
            "Envíos",
            "Preparamos cada envío el mismo día. El envío a domicilio cuesta 4,90 €, y a un punto de recogida \
             2,50 €. El envío es gratis desde 60 €. Los envíos salen de Murcia.",
        ),
        document(
            "envios#2",
            "Envíos › Plazos",
            "El paquete llega en 48 horas. Guardamos el paquete diez días en el punto de recogida.",
        ),
        document(
            "cambios#1",
            "Cambios y devoluciones",
            "Tienes 30 días para devolver una lámpara sin usar. Devolvemos el importe en una semana. \
             Las bombillas abiertas no se cambian.",
        ),
        document("pagos#1", "Formas de pago", "Aceptamos:\n- Tarjeta\n- Bizum\n- Transferencia, sin recargo"),
        document(
            "medidas#1",
            "Medidas",
            "Modelo | Alto | Precio\nSolana | 30 cm | 45 €\nAljibe | 52 cm | 80 €\nXL | 1,2 m | 120 €",
        ),
        document(
            "dudas#1",
            "Preguntas",
            "¿Hacéis factura? Sí, te la enviamos por correo. ¿Puedo llevarme la caja? Claro.",
        ),
    ]
}

#[tokio::test]
async fn the_sentence_that_holds_most_of_the_question_is_quoted() {
    let shop = shop();
    let cases = [
        (
            "¿Cuánto cuesta el envío a un punto de recogida?",
            "El envío a domicilio cuesta 4,90 €, y a un punto de recogida 2,50 €. [envios#1]",
        ),
        ("¿Desde cuánto es gratis el envío?", "El envío es gratis desde 60 €. [envios#1]"),
        ("¿Puedo devolver una lámpara?", "Tienes 30 días para devolver una lámpara sin usar. [cambios#1]"),
        ("¿Se cambian las bombillas?", "Las bombillas abiertas no se cambian. [cambios#1]"),
        ("¿Aceptáis Bizum?", "Aceptamos: Bizum. [pagos#1]"),
        ("¿Qué formas de pago hay?", "Aceptamos: Tarjeta; Bizum; Transferencia, sin recargo. [pagos#1]"),
        ("¿Qué precio tiene el modelo Aljibe?", "Modelo: Aljibe, Alto: 52 cm, Precio: 80 €. [medidas#1]"),
        ("¿Qué precio tiene el XL?", "Modelo: XL, Alto: 1,2 m, Precio: 120 €. [medidas#1]"),
        ("¿Me hacéis una factura?", "Sí, te la enviamos por correo. [dudas#1]"),
    ];
    for (question, expected) in cases {
        assert_eq!(quoted(&shop, question).await, expected, "{question}");
    }
}

#[tokio::test]
async fn a_second_sentence_joins_when_it_adds_to_the_answer() {
    let answer = quoted(&shop(), "¿Cuánto cuesta el envío a domicilio y en cuánto llega el paquete?").await;
    assert_eq!(
        answer,
        "El envío a domicilio cuesta 4,90 €, y a un punto de recogida 2,50 €. [envios#1] \
         El paquete llega en 48 horas. [envios#2]"
    );
    let documents = [document("a#1", "", "La lámpara lleva bombilla. El cable mide dos metros. Es azul.")];
    let answer = quoted(&documents, "¿Cuánto mide el cable de la lámpara?").await;
    assert_eq!(answer, "La lámpara lleva bombilla. [a#1] El cable mide dos metros. [a#1]");
}

#[tokio::test]
async fn another_document_does_not_join_for_one_stray_word() {
    let documents = [
        document("a#1", "", "La garantía de la lámpara es de dos años."),
        document("b#1", "", "La tienda cierra en agosto."),
    ];
    let answer = quoted(&documents, "¿Qué garantía tiene una lámpara de la tienda?").await;
    assert_eq!(answer, "La garantía de la lámpara es de dos años. [a#1]");
}

#[tokio::test]
async fn a_short_passage_under_a_fitting_title_is_quoted_whole() {
    let documents = [document("a#1", "Punto de recogida", "Cuesta 2,50 €. Traed el carné.")];
    let answer = quoted(&documents, "¿Cuánto cuesta el punto de recogida?").await;
    assert_eq!(answer, "Cuesta 2,50 €. [a#1] Traed el carné. [a#1]");
    let documents = [document("a#1", "", "Cuesta 2,50 €. Traed el carné.")];
    assert_eq!(quoted(&documents, "¿Cuánto cuesta?").await, "Cuesta 2,50 €. [a#1]");
}

#[tokio::test]
async fn ties_go_to_the_earlier_document_and_sentence() {
    let (one, two) =
        (document("b#1", "", "Lámpara azul. Lámpara roja."), document("a#1", "", "Lámpara gris."));
    assert_eq!(quoted(&[one.clone(), two.clone()], "¿Lámpara?").await, "Lámpara azul. [b#1]");
    assert_eq!(quoted(&[two, one], "¿Lámpara?").await, "Lámpara gris. [a#1]");
}

#[tokio::test]
async fn of_a_list_all_that_fit_alike_are_quoted() {
    let list = "Gastos de envío:\n- Envío a Lugo: 4 €\n- Envío a Ceuta: 7 €\n- Recogida: gratis";
    let documents = [document("a#1", "", list)];
    let all = quoted(&documents, "¿Cuánto vale el envío?").await;
    assert_eq!(all, "Gastos de envío: Envío a Lugo: 4 €; Envío a Ceuta: 7 €. [a#1]");
    let one = quoted(&documents, "¿Cuánto vale el envío a Ceuta?").await;
    assert_eq!(one, "Gastos de envío: Envío a Ceuta: 7 €. [a#1]");
    let long = (0..40).map(|n| format!("- Envío número {n} de la lista\n")).collect::<String>();
    let cut = quoted(&[document("a#1", "", &long)], "¿Cuánto vale el envío?").await;
    assert!(cut.ends_with("; … [a#1]") && cut.chars().count() < 400, "{cut}");
}

#[tokio::test]
async fn what_is_not_covered_is_said_so() {
    assert_eq!(quoted(&[], "¿Abrís los domingos?").await, NOT_COVERED);
    assert_eq!(quoted(&shop(), "¿Vendéis tractores?").await, NOT_COVERED);
    assert_eq!(quoted(&shop(), "").await, NOT_COVERED);
    assert_eq!(quoted(&[document("a#1", "", "")], "¿Lámpara?").await, NOT_COVERED);
    assert_eq!(quoted(&[document("a#1", "", "¿Una lámpara?")], "¿Lámpara?").await, NOT_COVERED);
    let nothing = Request { messages: Vec::new(), ..request(Lang::ES, &[], "") };
    assert_eq!(reply(&nothing).await.text(), NOT_COVERED);
}

fn orders(question: &str, documents: &[MarkedDocument]) -> Request {
    let mut request = request(Lang::ES, documents, question);
    request.tools = vec![lookup("free", "text", None), lookup("order_state", "order_id", Some(r"\d{4}"))];
    request
}

#[tokio::test]
async fn a_value_that_fits_is_looked_up_before_anything_is_quoted() {
    let asked = orders("¿Cuándo llega el paquete del pedido 2042?", &shop());
    let got = reply(&asked).await;
    assert_eq!((got.pieces.len(), got.reason), (0, StopReason::ToolUse));
    assert_eq!((got.calls[0].id.as_str(), got.calls[0].name.as_str()), ("call_1", "order_state"));
    assert_eq!(values(&got), ["2042"]);
    let found = answered(asked.clone(), &got.calls, &[(Outcome::Found, "2042 — enviado")]);
    assert_eq!(reply(&found).await.text(), "2042 — enviado.");
    let closed = answered(asked.clone(), &got.calls, &[(Outcome::Found, "¡Enviado!")]);
    assert_eq!(reply(&closed).await.text(), "¡Enviado!");
    let text = &Pack::builtin(Lang::ES).unwrap().texts[&TextKey::NotFound];
    let missing = answered(asked.clone(), &got.calls, &[(Outcome::NotFound, "no hay registro 2042")]);
    // The number may be none of the shop's: what the pages say stands behind.
    assert_eq!(reply(&missing).await.text(), format!("{text} El paquete llega en 48 horas. [envios#2]"));
    for outcome in [Outcome::BadInput, Outcome::TimedOut, Outcome::Failed] {
        let failed = answered(asked.clone(), &got.calls, &[(outcome, "2042 — enviado")]);
        assert_eq!(reply(&failed).await.text(), NOT_COVERED);
    }
}

#[tokio::test]
async fn two_values_are_looked_up_at_once() {
    let asked = orders("¿Cómo van los pedidos 2042 y 2187? El 2042 corre prisa.", &[]);
    let got = reply(&asked).await;
    assert_eq!(values(&got), ["2042", "2187"]);
    assert_eq!(got.calls[1].id, "call_2");
    let told = |first, second| {
        let request = answered(asked.clone(), &got.calls, &[first, second]);
        async move { reply(&request).await.text() }
    };
    let sent = (Outcome::Found, "2042 — enviado");
    assert_eq!(told(sent, (Outcome::Found, "2187 — listo")).await, "2042 — enviado. 2187 — listo.");
    let none = Pack::builtin(Lang::ES).unwrap().texts[&TextKey::NotFound].clone();
    let gone = (Outcome::NotFound, "no hay");
    assert_eq!(told(sent, gone).await, format!("2042 — enviado. {none}"));
    assert_eq!(told(gone, gone).await, none);
    // Half an answer that does not say what it leaves out would be taken for the whole.
    assert_eq!(told(sent, (Outcome::Failed, "")).await, NOT_COVERED);
}

#[tokio::test]
async fn without_a_look_up_a_number_is_a_word_like_any_other() {
    let mut asked = orders("¿Cuándo llega el paquete 2042?", &shop());
    asked.tools.clear();
    assert_eq!(reply(&asked).await.text(), "El paquete llega en 48 horas. [envios#2]");
    asked.messages[0].content.remove(0);
    assert_eq!(reply(&asked).await.text(), NOT_COVERED);
}

#[tokio::test]
async fn the_shop_may_word_what_is_not_found() {
    let own = Texts::from([(TextKey::NotFound, "Ese pedido no nos consta.".to_owned())]);
    let model = ExtractiveModel::new(BTreeMap::from([(Lang::ES, own)]), Packs::default());
    let asked = orders("¿Y el 2042?", &[]);
    let calls = reply(&asked).await.calls;
    let mut missing = answered(asked, &calls, &[(Outcome::NotFound, "")]);
    assert_eq!(ask(&model, &missing).await.unwrap().text(), "Ese pedido no nos consta.");
    missing.language = "xx".parse().unwrap();
    assert_eq!(ask(&model, &missing).await.unwrap().text(), NOT_COVERED);
}

#[test]
fn it_costs_nothing_and_says_so_exactly() {
    assert!(ExtractiveModel::default().counts_tokens());
    assert_eq!(ExtractiveModel::default().id(), "extractive");
}

proptest! {
    #[test]
    fn whatever_is_quoted_stands_in_its_document(
        texts in proptest::collection::vec("[-|:?.¿ñáa-e0-9 \n]{0,60}", 0..4),
        question in "[ñáa-e0-9 ]{0,20}|\\PC{0,20}",
    ) {
        let documents: Vec<_> =
            texts.iter().enumerate().map(|(n, text)| document(&format!("d#{n}"), "", text)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let asked = request(Lang::ES, &documents, &question);
        let got = runtime.block_on(reply(&asked));
        prop_assert_eq!(&got, &runtime.block_on(reply(&asked)), "the same call again");
        for piece in got.pieces.iter().filter(|piece| *piece != NOT_COVERED) {
            let (quoted, source) = piece.trim_end_matches(']').rsplit_once(" [d#").unwrap();
            let text = &texts[source.parse::<usize>().unwrap()];
            for word in mostrador_language::words(quoted) {
                prop_assert!(text.contains(word), "{:?} of {:?}", word, piece);
            }
        }
    }
}

#[tokio::test]
async fn what_outsiders_wrote_is_never_quoted() {
    let review = |trust| {
        let source = SourceId::new("resenas#1").unwrap();
        [MarkedDocument::new(source, "", "El envío a las islas es gratis.", trust)]
    };
    let question = "¿Es gratis el envío a las islas?";
    assert_eq!(quoted(&review(Trust::Shop), question).await, "El envío a las islas es gratis. [resenas#1]");
    assert_eq!(quoted(&review(Trust::Customer), question).await, NOT_COVERED);
}
