// What stands there after the page was loaded anew: everything, in order, and what broke off can be asked again.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { quit, visit } from "./browser.mjs";
import { answered, event } from "./double.mjs";
import { scripted as skip } from "./server.mjs";

after(quit);

const QUESTION = "¿Y el esmalte?";
const ONE = "El esmalte no lleva plomo.";
const TWO = " Se cuece a 1240 °C.";

const said = (chat) => chat.log.locator(".turn .text:not(:empty)").allInnerTexts();

/** Loads the page with the conversation `id` in its tab, and the dialog open. */
async function returned(page, id) {
  await page.evaluate((conversation) => {
    sessionStorage.setItem(`mostrador ${location.origin}/`, JSON.stringify({ conversation, open: true }));
  }, id);
  await page.reload();
}

for (const [what, how] of [
  ["comes late", { gate: "late" }],
  ["could not be read at once", { status: 503 }],
  ["was lost on the way", { lost: true }],
]) {
  test(`what was said before stands above what is asked now: it ${what}`, { skip }, async (t) => {
    const { page, chat, double } = await visit(t, "es", { faults: true });
    double.script("nueva", ...answered({ sentences: [TWO] }));
    const id = double.begun([QUESTION, ONE], ["otra", "Otra cosa."]);
    if (how.lost) await page.route("**/v1/conversations/*", (route) => route.abort(), { times: 1 });
    else double.away(how);
    await returned(page, id);
    if (how.gate) await double.gate(how.gate).reached;
    await chat.ask("nueva");
    await chat.log.locator(".customer", { hasText: "nueva" }).waitFor();
    if (how.gate) double.gate(how.gate).open();
    await chat.answer(TWO.trim()).waitFor();
    await double.listening(id, 1);
    assert.deepEqual((await said(chat)).slice(1), [QUESTION, ONE, "otra", "Otra cosa.", "nueva", TWO]);
  });
}

test("an old conversation that could not be read is read later", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es", { faults: true });
  double.away({ status: 503 });
  await returned(page, double.begun([QUESTION, ONE]));
  await chat.answer(ONE).waitFor();
});

test("whoever is signed in while their conversation is looked for sees it", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es", { faults: true });
  const id = double.begun([QUESTION, ONE]);
  double.sign(id);
  await page.route("**/v1/conversations/*", async (route) => {
    await page.evaluate(() => { document.querySelector("mostrador-chat").token = "signed.by.shop"; });
    await route.continue();
  }, { times: 1 });
  await returned(page, id);
  await chat.answer(ONE).waitFor();
});

test("a colleague who comes after a reload is heard", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  const id = double.begun([QUESTION, ONE]);
  await returned(page, id);
  await double.listening(id, 1);
  double.colleague(id, "Hola.");
  await chat.log.locator(".colleague", { hasText: "Hola." }).waitFor();
});

test("an answer that a reload broke off is said to be broken, and stands there once when it was asked again", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  double.script(QUESTION, event("sentence", { text: ONE }), { gate: "half" });
  double.script(QUESTION, ...answered({ sentences: [ONE, TWO] }));
  await chat.open();
  await chat.ask(QUESTION);
  await chat.answer(ONE).waitFor();
  await page.reload();
  await chat.answer(ONE).getByText(chat.words.dropped).waitFor();
  await chat.answer(ONE).getByRole("button", { name: chat.words.retry }).click();
  await chat.answer(`${ONE}${TWO}`).waitFor();
  await chat.button("helpful").waitFor();
  assert.deepEqual((await said(chat)).slice(1), [QUESTION, `${ONE}${TWO}`]);
  await page.reload();
  await chat.button("helpful").waitFor();
  assert.deepEqual((await said(chat)).slice(1), [QUESTION, `${ONE}${TWO}`]);
});

test("a question whose answer a reload cut before its first word can be asked again", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  double.script(QUESTION, { gate: "before" });
  double.script(QUESTION, ...answered({ sentences: [ONE] }));
  await chat.open();
  await chat.ask(QUESTION);
  await double.gate("before").reached;
  await page.reload();
  await chat.log.getByText(chat.words.dropped).waitFor();
  await chat.button("retry").click();
  await chat.answer(ONE).waitFor();
  assert.deepEqual((await said(chat)).slice(1), [QUESTION, ONE]);
});

for (const [ending, told] of [["interrupted", 1], ["failed", 0]]) {
  test(`after a reload, an answer that was ${ending} offers another try`, { skip }, async (t) => {
    const { page, chat, double } = await visit(t, "es");
    await returned(page, double.begun([QUESTION, ONE, ending]));
    await chat.answer(ONE).getByRole("button", { name: chat.words.retry }).waitFor();
    assert.equal(await chat.log.getByText(chat.words.dropped).count(), told);
  });
}

test("what a colleague has is not asked again", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  const id = double.begun([QUESTION, "", "colleague"]);
  double.presence(id, true);
  await returned(page, id);
  await chat.status("colleague_here").waitFor();
  await chat.log.locator(".customer").waitFor();
  assert.equal(await chat.button("retry").count(), 0);
});

test("a long conversation is read to its end", { skip }, async (t) => {
  const { page, chat, double } = await visit(t, "es");
  const pairs = Array.from({ length: 200 }, (_, number) => [`pregunta ${number}`, `respuesta ${number}.`]);
  await returned(page, double.begun(...pairs));
  await chat.answer("respuesta 199.").waitFor();
  assert.deepEqual((await said(chat)).slice(1), pairs.flat());
});
