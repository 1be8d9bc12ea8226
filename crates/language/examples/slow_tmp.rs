//! tmp
fn main() {
    let size = 200_000;
    for unit in [
        "x",
        "(",
        "1",
        "1,",
        "1.",
        "1 ",
        "1-",
        "1/",
        "a1",
        "@",
        "a@",
        "a.b@",
        "://",
        "a://",
        "www.",
        "-",
        "€",
        "€ 1",
        "dos ",
        "mil ",
        "y ",
        "dos y ",
        "hasta ",
        "\u{301}",
        "a\u{301}",
        "1\u{301}",
        " ",
        "\n",
        "二",
        "十",
        "二十",
        "1年",
        "ein",
        "und",
        "zweiund",
        "zwei",
        "و",
        "وخمسة ",
        "1:",
        "1:1",
        "01/",
        "1 de ",
        "1 a ",
        "+1",
        "n.º ",
        "½",
        "1½",
        "A-",
        "A-1",
        "1x",
    ] {
        let text = unit.repeat(size / unit.len());
        for lang in ["es", "de", "zh", "ar"] {
            let t = std::time::Instant::now();
            let values = mostrador_language::Pack::builtin(lang.parse().unwrap()).unwrap().values(&text);
            let ms = t.elapsed().as_millis();
            if ms > 40 {
                println!("{unit:?} {lang} {ms} ms {}", values.len());
            }
        }
    }
}
