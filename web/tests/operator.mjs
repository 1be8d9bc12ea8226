// Somebody at the console, as they use it, and the shop they work for.
import { newPage, customer } from "./browser.mjs";
import { texts } from "./double.mjs";
import { Provider } from "./provider.mjs";
import { program } from "./server.mjs";

export const PASSWORD = "three blue tents by the lake";

const SHOP = "../../examples/shop";

/** What the shop's pages say, as a model puts it. */
export const SAID = {
  question: "How do parcel shops work?",
  one: "Delivery to a parcel shop near you costs £2.40.",
  // A sentence is over when the next has begun.
  begun: " Parcels wait",
  two: "Parcels wait there for seven days and then come back to us.",
  source: "delivery#2",
};

/** A rule that holds an answer, and words that break it. */
export const HELD = {
  rule: `[[rules]]\nname = "no-gifts"\nreason = "a gift was promised"\nwords = ["as a gift"]\naction = "await-approval"\n`,
  words: `${SAID.one} [${SAID.source}] We send it as a gift. [${SAID.source}]`,
};

/** A shop whose model is the test's. */
export async function asking(t, more = "", name = "Fernhill Outdoor") {
  const provider = new Provider();
  const address = await provider.start();
  t.after(() => provider.stop());
  const model = `[model]\nkind = "openai-compatible"\nbase_url = "${address}"\nmodel = "m"\n`;
  const budget = `[budget]\ncurrency = "GBP"\nprice_in_per_million = "2.00"\nprice_out_per_million = "8.00"\n`
    + `per_1000_questions = "9.00"\nmonthly_cap = "40.00"\ndaily_cap = "4.00"\n`;
  const server = await program(SHOP, `name = "${name}"\nlanguages = ["en"]\n${model}${budget}${more}`);
  t.after(() => server.stop());
  return { provider, server };
}

/** The shop as it is in the examples. */
export async function quoting(t) {
  const server = await program(SHOP);
  t.after(() => server.stop());
  return server;
}

/** A customer of it with an open dialog. */
export async function asks(t, server, options) {
  const visited = await customer(t, server, "en", options);
  await visited.chat.open();
  return visited;
}

/** Becomes the first owner by the link in the terminal. */
export async function owner(t, server, options) {
  const operator = await arrive(t, server, options);
  await operator.become(server.setup, "olga");
  return operator;
}

/** Somebody with a browser, not signed in. */
export async function arrive(t, server, { language = "en", ...options } = {}) {
  const { page, problems } = await newPage(t, options);
  return new Operator(page, problems, server, texts(language, "console.toml"));
}

export class Operator {
  constructor(page, problems, server, words) {
    Object.assign(this, { page, problems, server, words });
  }

  async go(path) {
    return this.page.goto(`${this.server.url}/console${path}`);
  }

  field(name) {
    return this.page.getByLabel(this.words[name], { exact: true });
  }

  button(name) {
    return this.page.getByRole("button", { name: this.words[name], exact: true });
  }

  link(name) {
    return this.page.getByRole("link", { name: this.words[name], exact: true });
  }

  heading(name) {
    return this.page.getByRole("heading", { name: this.words[name] });
  }

  text(name) {
    return this.page.getByText(this.words[name], { exact: true });
  }

  async become(link, name) {
    await this.page.goto(link);
    await this.field("name").fill(name);
    await this.field("new_password").fill(PASSWORD);
    await this.field("password_again").fill(PASSWORD);
    await this.button("arrive").click();
    await this.link("nav_inbox").waitFor();
  }

  async signIn(name, password = PASSWORD) {
    await this.go("/sign-in");
    await this.field("name").fill(name);
    await this.field("password").fill(password);
    await this.button("sign_in").click();
  }

  /** Opens the conversation that was last heard from. */
  async conversation() {
    await this.link("nav_conversations").click();
    await this.page.locator(".cards .question").first().click();
    await this.heading("write_title").waitFor();
  }

  /** Opens why the newest question was answered as it was. */
  async why() {
    await this.link("nav_turns").click();
    await this.page.locator("tbody a").first().click();
    await this.heading("why_title").waitFor();
  }
}
