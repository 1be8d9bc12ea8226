// What the widget says: every language says the same things, and nothing is said that no language has.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { texts } from "./double.mjs";

const packs = new URL("../../packs/", import.meta.url);
const languages = readdirSync(packs);
const widget = readFileSync(new URL("../widget.js", import.meta.url), "utf8");
const holes = (text) => (text.match(/\{\w+\}/g) ?? []).sort();

test("every language has the same texts with the same places to fill", () => {
  assert.equal(languages.length, 11);
  const english = texts("en", "widget.toml");
  for (const language of languages) {
    const here = texts(language, "widget.toml");
    assert.deepEqual(Object.keys(here).sort(), Object.keys(english).sort(), language);
    for (const [name, text] of Object.entries(here)) {
      assert.deepEqual(holes(text), holes(english[name]), `${language} ${name}`);
      assert.equal(text.trim(), text, `${language} ${name}`);
    }
  }
});

test("every text of the packs is used by the widget", () => {
  for (const name of Object.keys(texts("en", "widget.toml"))) {
    assert.match(widget, new RegExp(`"${name}"`), name);
  }
});

test("every text that the widget asks for is in the packs", () => {
  const known = texts("en", "widget.toml");
  const asked = [...widget.matchAll(/(?:\.text|#notice)\(([^()]*)\)/g)].flatMap(([, inside]) => inside.match(/"\w+"/g) ?? []);
  assert.ok(asked.length > 20);
  for (const name of asked) assert.ok(JSON.parse(name) in known, name);
});
