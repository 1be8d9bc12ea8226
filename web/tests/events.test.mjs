// The widget's own pieces without a browser: server-sent events cut anywhere, and citation markers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

let element;
vm.runInNewContext(readFileSync(new URL("../widget.js", import.meta.url), "utf8"), {
  HTMLElement: class {},
  URL,
  customElements: { get: () => undefined, define: (_, made) => { element = made; } },
  document: { readyState: "complete", currentScript: null, querySelector: () => true },
});
const { EventText, pieces, fill } = element.parts;

function read(...chunks) {
  const events = [];
  const text = new EventText((type, data, id) => events.push([type, data, id]));
  for (const chunk of chunks) text.push(chunk);
  return events;
}

const plain = (value) => JSON.parse(JSON.stringify(value));

test("an event has a type, its data and an id", () => {
  assert.deepEqual(read("id: 7\nevent: sentence\ndata: {\"text\":\"a\"}\n\n"), [["sentence", "{\"text\":\"a\"}", "7"]]);
});

test("any cut of a stream gives the same events", () => {
  const ends = ["\n", "\r\n", "\r"];
  for (const end of ends) {
    const lines = [": here", "", "id: 1", "event: sentence", "data: uno", "data:dos", "", "data: más: ñ", "retry: 5", "", "event: done", "data: 3", "", ""];
    const stream = lines.join(end);
    const whole = read(stream);
    assert.deepEqual(whole, [["sentence", "uno\ndos", "1"], ["message", "más: ñ", "1"], ["done", "3", "1"]]);
    for (let at = 0; at <= stream.length; at += 1) {
      for (let next = at; next <= stream.length; next += 3) {
        assert.deepEqual(read(stream.slice(0, at), stream.slice(at, next), stream.slice(next)), whole);
      }
    }
    assert.deepEqual(read(...stream), whole);
  }
});

test("a return and a line feed in two chunks end one line, and two returns end two", () => {
  assert.equal(read("data: a\r", "\n", "data: b\r\n", "\r\n").length, 1);
  assert.equal(read("data: a\r", "\r", "data: b\r\r").length, 2);
});

test("comments, fields without a value and events without data are no events", () => {
  assert.deepEqual(read(": one\n\nevent: done\n\ndata\n\n"), [["message", "", undefined]]);
});

test("what has not ended is not told", () => {
  assert.deepEqual(read("event: done\ndata: 1\n"), []);
});

test("markers are cut out of a text, and other brackets are not", () => {
  assert.deepEqual(plain(pieces("A [faq#2]. B [1][x/y#3, 4] [no] [] [a b#1]")), [
    "A ", { names: ["faq#2"], raw: "[faq#2]" }, ". B ", { names: ["1"], raw: "[1]" },
    { names: ["x/y#3", "4"], raw: "[x/y#3, 4]" }, " [no] [] [a b#1]",
  ]);
  assert.deepEqual(plain(pieces("‏[ارسال#1، 2]")), ["‏", { names: ["ارسال#1", "2"], raw: "[ارسال#1، 2]" }]);
});

test("a value that is missing leaves its place as it is", () => {
  assert.equal(fill("{a} of {b}", { a: 1 }), "1 of {b}");
});
