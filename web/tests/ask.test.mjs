// A customer asks, in three languages: answer, citation, refusal, "I don't know".
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { picture, quit, visit } from "./browser.mjs";
import { SHOPS } from "./shops.mjs";

after(quit);

for (const language of Object.keys(SHOPS)) {
  test(`a question in ${language} is answered, and its citation opens with its page and its date`, async (t) => {
    const { page, chat, shop, problems } = await visit(t, language);
    await chat.open();
    await chat.ask(shop.known.question);
    const answer = chat.answer(shop.known.says);
    await answer.waitFor();
    await answer.locator(".cite").first().click();
    const passage = answer.locator("details[open]");
    await passage.locator("blockquote", { hasText: shop.known.says }).waitFor();
    const { file, headings } = shop.known.citations[0];
    assert.match(await passage.locator(".about").innerText(), new RegExp(file.split("/").at(-1)));
    assert.match(await passage.locator("summary").innerText(), new RegExp(headings.at(-1)));
    const dates = await passage.locator("time").evaluateAll((all) => all.map((time) => time.dateTime));
    assert.ok(dates.length > 0);
    for (const date of dates) assert.match(date, /^\d{4}-\d\d-\d\d/);
    // Names of passages are for machines: the reader sees numbers to press.
    assert.doesNotMatch(await answer.locator(".text").first().innerText(), /#/);
    await picture(page, `answer-${language}`);
    assert.deepEqual(problems, []);
  });
}

test("in Persian the page, the dialog and the answer run from right to left", async (t) => {
  const { page, chat, shop } = await visit(t, "fa");
  const launcher = await chat.launcher.boundingBox();
  assert.ok(launcher.x < 200, `the launcher stands at ${launcher.x}`);
  await chat.open();
  await chat.ask(shop.known.question);
  const answer = chat.answer(shop.known.says);
  await answer.waitFor();
  const direction = (element) => getComputedStyle(element).direction;
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).direction), "rtl");
  assert.equal(await chat.dialog.evaluate(direction), "rtl");
  assert.equal(await answer.locator(".text").first().evaluate(direction), "rtl");
  assert.equal(await chat.input.evaluate(direction), "rtl");
  await chat.input.fill("hello");
  assert.equal(await chat.input.evaluate(direction), "ltr");
  const [log, own] = [await chat.log.boundingBox(), await chat.log.locator(".customer .text").boundingBox()];
  assert.ok(own.x - log.x < 40, "one's own words stand on the left");
});

test("a date is written as its reader writes it", async (t) => {
  const { chat, shop } = await visit(t, "fa");
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.log.locator(".cite").first().click();
  assert.match(await chat.log.locator("time").first().innerText(), /۲۰ مهر ۱۴۰۵/);
});

test("what the assistant must not answer is refused in the shop's words", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await chat.open();
  await chat.ask(shop.refused.question);
  await chat.answer(shop.refused.says).waitFor();
  assert.equal(await chat.log.locator(".cite").count(), 0);
  await picture(page, "refused");
});

test("what no page says is not known, and a person is offered", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await chat.open();
  await chat.ask(shop.unknown.question);
  const answer = chat.answer(shop.unknown.says);
  await answer.waitFor();
  await answer.getByRole("button", { name: chat.words.person }).waitFor();
  await picture(page, "unknown");
});

test("thumbs are counted, once pressed they say so", async (t) => {
  const { chat, shop, double } = await visit(t, "es");
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").click();
  await chat.status("thanks").waitFor();
  assert.equal(await chat.button("helpful").getAttribute("aria-pressed"), "true");
  await chat.button("unhelpful").click();
  const comment = chat.dialog.getByRole("textbox", { name: chat.words.comment });
  await comment.fill("faltaba el coste");
  await comment.press("Enter");
  await comment.waitFor({ state: "detached" });
  assert.equal(await chat.button("helpful").getAttribute("aria-pressed"), "false");
  assert.equal(await chat.button("unhelpful").getAttribute("aria-pressed"), "true");
  if (double) {
    assert.deepEqual(double.feedback.map(({ helpful, comment: words }) => [helpful, words]),
      [[true, undefined], [false, undefined], [false, "faltaba el coste"]]);
  }
});

test("a reload in the same tab shows the conversation again", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").waitFor();
  await chat.input.fill("y otra cosa");
  await page.reload();
  await chat.dialog.waitFor();
  await chat.answer(shop.known.says).waitFor();
  assert.equal(await chat.log.locator(".customer").count(), 1);
  assert.equal(await chat.input.inputValue(), "y otra cosa");
  assert.equal(await page.evaluate(() => document.activeElement.localName), "body", "the focus is the page's");
  await chat.log.locator(".cite").first().click();
  await chat.log.locator("details[open]").waitFor();
});

test("a conversation is deleted for good when its customer says so", async (t) => {
  const { page, chat, shop } = await visit(t, "es");
  await chat.open();
  await chat.ask(shop.known.question);
  await chat.button("helpful").waitFor();
  await chat.button("erase").click();
  await chat.button("erase_yes").click();
  await chat.status("erased").waitFor();
  assert.equal(await chat.log.locator(".customer").count(), 0);
  await page.reload();
  await chat.dialog.waitFor();
  assert.equal(await chat.log.locator(".customer").count(), 0);
});
