// What the browser tests share: one Chromium, a page with the widget, and what went wrong in it.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { texts } from "./double.mjs";
import { serve } from "./server.mjs";
import { SHOPS } from "./shops.mjs";

const pictures = fileURLToPath(new URL("../screenshots/", import.meta.url));
let browser;

/** Starts the browser once; a test file closes it with `after(quit)`. */
async function running() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  return browser;
}

export async function quit() {
  await browser?.close();
  browser = undefined;
}

/** A new page, closed after the test; it must break no rule of its policy, and log no error unless `faults` are meant. */
export async function newPage(t, { faults = false, init, ...options } = {}) {
  const context = await (await running()).newContext({ viewport: { width: 1100, height: 760 }, ...options });
  t.after(() => context.close());
  if (init) await context.addInitScript(init);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    const broken = /Content Security Policy|Refused to/.test(text);
    if (broken || (message.type() === "error" && !faults)) problems.push(text);
  });
  await page.exposeFunction("reportViolation", (what) => problems.push(`violation: ${what}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return { page, problems };
}

/** The shop's own page with the widget on it, from a server that runs for this test. */
export async function visit(t, language, options = {}) {
  const server = await serve(language);
  t.after(() => server.stop());
  return { ...await customer(t, server, language, options), server, double: server.double, shop: SHOPS[language] };
}

/** A customer on that page; the server may have others. */
export async function customer(t, server, language, options = {}) {
  const { page, problems } = await newPage(t, options);
  await page.goto(`${server.url}/`);
  const words = texts(language, "widget.toml");
  return { page, problems, words, chat: new Chat(page, words) };
}

/** The widget, as a person uses it. */
export class Chat {
  constructor(page, words) {
    this.page = page;
    this.words = words;
    this.launcher = page.getByRole("button", { name: words.launcher });
    this.dialog = page.getByRole("dialog");
    this.log = page.getByRole("log");
    this.input = page.getByRole("textbox", { name: words.question });
  }

  async open() {
    await this.launcher.click();
    await this.dialog.waitFor();
  }

  async ask(question) {
    await this.input.fill(question);
    await this.input.press("Enter");
  }

  answer(text) {
    return this.log.locator(".assistant", { hasText: text });
  }

  /** A text of the assistant's own, not of a passage it cites. */
  said(text) {
    return this.log.locator(".assistant .text", { hasText: text });
  }

  status(name) {
    return this.dialog.getByText(this.words[name], { exact: true });
  }

  button(name) {
    return this.dialog.getByRole("button", { name: this.words[name], exact: true });
  }
}

/** A screenshot of a page or of a part of it, kept as build output. */
export async function picture(what, name) {
  mkdirSync(pictures, { recursive: true });
  await what.screenshot({ path: `${pictures}${name}.png`, animations: "disabled" });
}
