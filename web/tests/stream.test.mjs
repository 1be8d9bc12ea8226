// How an answer arrives: sentence by sentence, broken off, asked again, several at once, and without a connection.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { picture, quit, visit } from "./browser.mjs";
import { answered, event } from "./double.mjs";
import { scripted } from "./server.mjs";

after(quit);

const QUESTION = "¿Y el esmalte?";
const ONE = "El esmalte no lleva plomo.";
const TWO = " Se cuece a 1240 °C.";

test("an answer appears sentence by sentence, and each is added whole", { skip: scripted }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  double.script(QUESTION, { gate: "before" }, event("sentence", { text: ONE }), { gate: "between" }, event("sentence", { text: TWO }),
    { gate: "after" }, event("done", { ending: "answered" }));
  await chat.open();
  await chat.log.evaluate((log) => {
    window.added = [];
    new MutationObserver((changes) => {
      for (const change of changes) {
        if (change.type === "characterData") window.added.push("letters");
        for (const node of change.addedNodes) if (node.nodeName === "SPAN") window.added.push(node.textContent);
      }
    }).observe(log, { subtree: true, childList: true, characterData: true });
  });
  await chat.ask(QUESTION);
  await chat.log.getByText(chat.words.thinking).waitFor();
  await double.gate("before").reached;
  await picture(page, "waiting");
  double.gate("before").open();
  await chat.answer(ONE).waitFor();
  assert.equal(await chat.answer(TWO.trim()).count(), 0);
  assert.equal(await chat.log.getByText(chat.words.thinking).count(), 0);
  assert.equal(await chat.log.locator(".pending .dots").count(), 1, "more may come");
  assert.equal(await chat.button("helpful").count(), 0);
  double.gate("between").open();
  await chat.answer(`${ONE}${TWO}`).waitFor();
  double.gate("after").open();
  await chat.button("helpful").waitFor();
  assert.equal(await chat.log.locator(".pending").count(), 0);
  assert.deepEqual(await page.evaluate(() => window.added.filter((text) => text !== "")), [ONE, TWO]);
  assert.equal(await chat.log.getAttribute("aria-live"), "polite");
});

test("events cut in the middle of a letter, with returns and comments, are read as one", { skip: scripted }, async (t) => {
  const { chat, double } = await visit(t, "es");
  const bytes = Buffer.from(`: latido\r\n\r\nid: 1\r\nevent: sentence\r\ndata: {"text":\r\ndata: "Sí, mañana."}\r\n\r\n`);
  const cut = bytes.indexOf(Buffer.from("ñ")) + 1;
  double.script(QUESTION, { raw: bytes.subarray(0, cut) }, { gate: "cut" }, { raw: bytes.subarray(cut) }, event("done", { ending: "answered" }));
  await chat.open();
  await chat.ask(QUESTION);
  await double.gate("cut").reached;
  double.gate("cut").open();
  await chat.answer("Sí, mañana.").waitFor();
});

test("a marker becomes a button whether its citation comes before or after it", { skip: scripted }, async (t) => {
  const { chat, double, shop } = await visit(t, "es");
  const [first] = shop.known.citations;
  const second = { ...first, source: "pago#1", file: "documents/pago.md", headings: ["Pago"], text: "Bizum también." };
  double.script(QUESTION, event("citation", first), event("sentence", { text: "Uno [devoluciones#1], dos [2] y [nada#9]." }),
    event("citation", second), event("done", { ending: "answered" }));
  await chat.open();
  await chat.ask(QUESTION);
  await chat.button("helpful").waitFor();
  assert.equal(await chat.answer("Uno").locator(".text").innerText(), "Uno 1, dos 2 y [nada#9].");
  await chat.log.locator(".cite").nth(1).click();
  assert.equal(await chat.log.locator("details[open] blockquote").innerText(), "Bizum también.");
  assert.equal(await chat.log.locator(".cite").nth(1).getAttribute("aria-expanded"), "true");
});

test("an answer is said to be in its language, and runs as that does", { skip: scripted }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  double.script(QUESTION, event("sentence", { text: "Darjeeling چای خوبی است." }), event("notice", { key: "x", text: "Nuria می‌آید." }),
    event("done", { ending: "answered", language: "fa" }));
  double.script("y?", ...answered({ sentences: ["فارسی no."] }));
  await chat.open();
  const look = (text) => chat.answer(text).locator(".text").evaluateAll((all) => all.filter((one) => one.textContent)
    .map((one) => `${one.lang} ${getComputedStyle(one).direction}`));
  await chat.ask(QUESTION);
  await chat.button("helpful").waitFor();
  assert.deepEqual(await look("Darjeeling"), ["fa rtl", "fa rtl"]);
  await chat.ask("y?");
  await chat.button("helpful").nth(1).waitFor();
  assert.deepEqual(await look("فارسی"), ["es ltr"]);
  await page.reload();
  await chat.button("helpful").nth(1).waitFor();
  assert.deepEqual(await look("Darjeeling"), ["fa rtl"]);
});

test("a stream that breaks is said to be broken, and can be asked again", { skip: scripted }, async (t) => {
  const { page, chat, double } = await visit(t, "es", { faults: true });
  double.script(QUESTION, event("sentence", { text: ONE }), { gate: "drop" }, { drop: true });
  double.script(QUESTION, ...answered({ sentences: [ONE, TWO] }));
  await chat.open();
  await chat.ask(QUESTION);
  await chat.answer(ONE).waitFor();
  double.gate("drop").open();
  await chat.log.getByText(chat.words.dropped).waitFor();
  await picture(page, "dropped");
  await chat.button("retry").click();
  await chat.answer(`${ONE}${TWO}`).waitFor();
  assert.equal(await chat.log.getByText(chat.words.dropped).count(), 0);
  assert.equal(await chat.log.locator(".customer").count(), 1);
});

test("a line that is silent past its heartbeats is a broken one", { skip: scripted }, async (t) => {
  const { page, chat, double } = await visit(t, "es", { faults: true });
  await page.clock.install();
  await page.reload();
  double.script(QUESTION, event("sentence", { text: ONE }), { gate: "never" });
  await chat.open();
  await chat.ask(QUESTION);
  await chat.answer(ONE).waitFor();
  await page.clock.runFor(40_000);
  assert.equal(await chat.button("retry").count(), 0);
  await page.clock.runFor(10_000);
  await chat.button("retry").waitFor();
  double.gate("never").open();
});

test("an answer that a restart has interrupted offers another try", { skip: scripted }, async (t) => {
  const { chat, double } = await visit(t, "es");
  double.script(QUESTION, event("notice", { key: "interrupted", text: "Me han interrumpido." }), event("done", { ending: "interrupted" }));
  double.script(QUESTION, ...answered({ sentences: [ONE] }));
  await chat.open();
  await chat.ask(QUESTION);
  await chat.answer("Me han interrumpido.").waitFor();
  await chat.button("retry").click();
  await chat.answer(ONE).waitFor();
});

for (const [status, name] of [[429, "too_many"], [503, "busy"], [413, "too_large"], [401, "signed_out"], [500, "failed"]]) {
  test(`status ${status} is told in the customer's language`, { skip: scripted }, async (t) => {
    const { chat, double } = await visit(t, "es", { faults: true });
    double.script(QUESTION, { status });
    await chat.open();
    await chat.ask(QUESTION);
    await chat.log.getByText(chat.words[name]).waitFor();
    assert.equal(await chat.button("retry").count(), status === 413 ? 0 : 1);
  });
}

test("three messages in a row make one conversation and get one answer", { skip: scripted }, async (t) => {
  const { chat, double } = await visit(t, "es");
  for (const [question, gate] of [["uno", "first"], ["dos", "second"]]) {
    double.script(question, event("sentence", { text: `A ${question}: ` }), { gate }, event("done", { ending: "superseded" }));
  }
  double.script("tres", { gate: "third" }, ...answered({ sentences: ["A las tres cosas: sí."] }));
  await chat.open();
  // At once, before the first has a conversation.
  await chat.page.evaluate(() => {
    const widget = document.querySelector("mostrador-chat");
    for (const words of ["uno", "dos", "tres"]) widget.ask(words);
  });
  for (const gate of ["first", "second", "third"]) {
    await double.gate(gate).reached;
    double.gate(gate).open();
  }
  await chat.answer("A las tres cosas").waitFor();
  await chat.button("helpful").waitFor();
  await chat.log.locator(".assistant").nth(2).waitFor({ state: "detached" });
  const said = await chat.log.locator(".turn .text").allInnerTexts();
  assert.deepEqual(said.slice(1), ["uno", "dos", "tres", "A las tres cosas: sí."]);
  assert.equal(new Set(double.requests.filter(({ path }) => path === "/v1/answers").map(({ body }) => body.conversation)).size, 1);
});

test("whoever has scrolled up to read is left there, until they write", { skip: scripted }, async (t) => {
  const { chat, double } = await visit(t, "es");
  const long = Array.from({ length: 40 }, (_, number) => event("sentence", { text: `Línea ${number}.\n` }));
  double.script(QUESTION, ...long, { gate: "reading" }, event("sentence", { text: ONE }), event("done", { ending: "answered" }));
  await chat.open();
  await chat.ask(QUESTION);
  await chat.answer("Línea 39.").waitFor();
  const fromEnd = () => chat.log.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  assert.ok((await fromEnd()) < 5);
  await chat.log.evaluate((log) => new Promise((resolve) => {
    log.addEventListener("scroll", () => requestAnimationFrame(resolve), { once: true });
    log.scrollTop = 0;
  }));
  double.gate("reading").open();
  await chat.button("helpful").waitFor();
  assert.equal(await chat.log.evaluate((log) => log.scrollTop), 0);
  await chat.ask("otra");
  await chat.log.locator(".customer", { hasText: "otra" }).waitFor();
  assert.ok((await fromEnd()) < 5);
});

test("without a connection the words stay where they were written", async (t) => {
  const { page, chat, shop } = await visit(t, "es", { faults: true });
  await chat.open();
  await page.context().setOffline(true);
  await chat.status("offline").waitFor();
  await chat.ask(shop.known.question);
  assert.equal(await chat.input.inputValue(), shop.known.question);
  assert.equal(await chat.log.locator(".customer").count(), 0);
  await picture(page, "offline");
  await page.context().setOffline(false);
  await chat.status("offline").waitFor({ state: "detached" });
  await chat.input.press("Enter");
  await chat.answer(shop.known.says).waitFor();
});

test("a server that cannot be reached gives the words back too", async (t) => {
  const { page, chat, shop } = await visit(t, "es", { faults: true });
  await chat.open();
  await page.route("**/v1/**", (route) => route.abort());
  await chat.ask(shop.known.question);
  await chat.status("offline").waitFor();
  await chat.log.locator(".customer").waitFor({ state: "detached" });
  assert.equal(await chat.input.inputValue(), shop.known.question);
  await page.unroute("**/v1/**");
  await chat.input.press("Enter");
  await chat.answer(shop.known.says).waitFor();
  assert.equal(await chat.status("offline").count(), 0);
});

test("a conversation that is gone at the server is begun anew", { skip: scripted }, async (t) => {
  const { chat, shop, double } = await visit(t, "es", { faults: true });
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").waitFor();
  await fetch(`${chat.page.url()}v1/conversations/${double.conversation()}`, { method: "DELETE" });
  double.script(QUESTION, ...answered({ sentences: [ONE] }));
  await chat.ask(QUESTION);
  await chat.answer(ONE).waitFor();
});
