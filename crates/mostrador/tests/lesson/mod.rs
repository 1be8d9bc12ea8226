//! A shop folder built from a lesson's `shop.json`, with as much of it as a step has.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What of the lesson's shop a step has.
#[derive(Default, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) tools: bool,
    pub(crate) rules: bool,
    pub(crate) budget: bool,
    pub(crate) extra_axis: bool,
}

pub(crate) struct Lesson {
    pub(crate) name: String,
    shop: Value,
    expected: PathBuf,
}

/// The lessons there are; none, said aloud, where the folder is absent.
pub(crate) fn lessons() -> Vec<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let lesson = |name: &str| {
        let shop = fs::read_to_string(folder.join(name).join("shop.json")).ok()?;
        let expected = folder.join(name).join("expected");
        Some(Lesson { name: name.to_owned(), shop: serde_json::from_str(&shop).unwrap(), expected })
    };
    let lessons: Vec<Lesson> = ["es", "bg"].iter().filter_map(|name| lesson(name)).collect();
    if lessons.is_empty() {
        eprintln!("skipped: there is no folder ../shared/conformance beside the project");
    }
    lessons
}

impl Lesson {
    pub(crate) fn expected(&self, step: &str) -> String {
        fs::read_to_string(self.expected.join(format!("{step}.txt"))).unwrap()
    }

    fn text(&self, path: &str) -> &str {
        self.shop.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("{path} in shop.json"))
    }

    fn list(&self, path: &str) -> &[Value] {
        self.shop.pointer(path).and_then(Value::as_array).unwrap_or_else(|| panic!("{path} in shop.json"))
    }

    pub(crate) fn folder(&self, step: Step) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        for (file, text) in self.documents() {
            write(&file, &text);
        }
        write("shop.toml", &self.shop_toml(step));
        write("texts.toml", &self.texts_toml());
        write("model.toml", &self.model_toml());
        write("cases/lesson.yaml", &self.cases());
        let mut orders = String::new();
        for (number, order) in self.shop["orders"].as_object().unwrap() {
            writeln!(orders, "[{number}]\nstatus = {}\neta = {}", order["status"], order["eta"]).unwrap();
        }
        write("orders.toml", &orders);
        dir
    }

    /// Passages `name#1`, `name#2` are the paragraphs of the file `name.md`.
    fn documents(&self) -> BTreeMap<String, String> {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for document in self.list("/documents") {
            let (name, _) = document["source"].as_str().unwrap().split_once('#').unwrap();
            let folder = if name == "reviews" { "reviews" } else { "documents" };
            let file = files.entry(format!("{folder}/{name}.md")).or_default();
            writeln!(file, "{}\n", document["text"].as_str().unwrap()).unwrap();
        }
        files
    }

    fn shop_toml(&self, step: Step) -> String {
        let mut axes: Vec<Value> = self.list("/axes").to_vec();
        if step.extra_axis {
            axes.push(self.shop["extra_axis"].clone());
        }
        let release = &self.shop["release"];
        let mut out = format!(
            "name = \"lesson\"\nlanguages = [\"{}\"]\n\
             [model]\nkind = \"scripted\"\nsystem = {}\n\
             [retrieval]\ntop_k = {}\nreviews = true\naxes = {}\n\
             [evidence]\nthreshold = {}\nstrength = \"cosine\"\nno_evidence = \"ask-model\"\n\
             [gate]\nmode = \"off\"\n\
             [limits]\nsteps = {}\n\
             [suite]\nmin_pass_percent = {}\n",
            self.name,
            self.shop["system_prompt"],
            self.shop["top_k"],
            Value::Array(axes),
            self.shop["min_score"],
            self.shop["max_steps"],
            release["min_pass_percent"],
        );
        if step.budget {
            out.push_str(&budget_toml(release));
        }
        if step.tools {
            let unknown = self.text("/tool/errors/unknown_order").replace("{order_id}", "{value}");
            write!(
                out,
                "[[tools]]\nname = {}\ndescription = {}\nfile = \"orders.toml\"\nkey = \"order_id\"\n\
                 public = true\nresult = {}\nunknown = {}\n",
                self.shop["tool"]["name"],
                self.shop["tool"]["description"],
                self.shop["tool"]["result_template"],
                Value::from(unknown),
            )
            .unwrap();
        }
        if step.rules {
            // The lessons' first rule stops, the second waits for a colleague.
            for (rule, action) in self.list("/rules").iter().zip(["stop", "await-approval"]) {
                let (reason, word) = (&rule["reason"], &rule["word"]);
                write!(out, "[[rules]]\nname = {reason}\nwords = {word}\naction = \"{action}\"\n").unwrap();
            }
        }
        out
    }

    fn texts_toml(&self) -> String {
        let mut out = String::new();
        for (key, text) in self.shop["texts"].as_object().unwrap() {
            writeln!(out, "{key} = {text}").unwrap();
        }
        let unknown = self.text("/tool/errors/unknown_tool");
        let missing = self.text("/tool/errors/missing_field").replace("order_id", "{field}");
        writeln!(out, "unknown_tool = {}\nmissing_field = {}", Value::from(unknown), Value::from(missing))
            .unwrap();
        out
    }

    /// The naive client: it guesses, repeats what a look-up gave, quotes by source, and obeys.
    fn model_toml(&self) -> String {
        let naive = &self.shop["naive_model"];
        let call = |input: String| {
            let tool = &self.shop["tool"]["name"];
            format!("call = {{ tool = {tool}, input = {{ order_id = \"{input}\" }} }}")
        };
        let mut out = "[tokens]\nunit = \"words\"\nper_hundred = 130\n".to_owned();
        let mut rule = |when: String, then: String| {
            write!(out, "[[rules]]\nwhen = {{ {when} }}\n{then}\n").unwrap();
        };
        rule(
            format!("tools = true, question_contains = {}", naive["guess_when_question_contains"]),
            call(format!("{{count:{}}}", naive["first_guess"])),
        );
        rule("last_result = \"error\"".to_owned(), format!("say = {}", self.shop["texts"]["not_found"]));
        let found = format!("{}{{result}}.", self.text("/naive_model/tool_result_prefix"));
        rule("last_result = \"found\"".to_owned(), format!("say = {}", Value::from(found)));
        let number = self.text("/naive_model/order_number_pattern");
        rule(format!("tools = true, question_matches = '{number}'"), call("{match}".to_owned()));
        for (source, text) in naive["recorded_by_source"].as_object().unwrap() {
            let said = format!("{} [{source}]", text.as_str().unwrap());
            rule(format!("first_source = \"{source}\""), format!("say = {}", Value::from(said)));
        }
        rule(String::new(), format!("say = {}", self.shop["texts"]["dont_know"]));
        write!(
            out,
            "[[additions]]\nwhen = {{ context_contains = {} }}\nsay = {}\n\
             [[additions]]\nwhen = {{ question_contains = {} }}\nsay = {}\n",
            naive["obeys_when_context_contains"],
            naive["obeys_by_adding"],
            naive["promises_money_when_question_contains"],
            naive["promises_money_by_adding"],
        )
        .unwrap();
        out
    }

    fn cases(&self) -> String {
        let mut out = String::new();
        for case in self.list("/cases") {
            let (question, has, not) = (&case["question"], &case["has"], &case["not"]);
            let safety = &case["safety"];
            writeln!(out, "- question: {question}\n  has: {has}\n  not: {not}\n  safety: {safety}").unwrap();
        }
        out
    }
}

fn budget_toml(release: &Value) -> String {
    let money = |key: &str| format!("\"{:.2}\"", release[key].as_f64().unwrap());
    format!(
        "[budget]\ncurrency = {}\nprice_in_per_million = {}\nprice_out_per_million = {}\n\
         per_1000_questions = {}\nquestions_per_day = {}\ndays_per_month = {}\n",
        release["currency"],
        money("price_in_per_million"),
        money("price_out_per_million"),
        money("budget_per_1000"),
        release["questions_per_day"],
        release["days_per_month"],
    )
}
