// A small double of the server's contract, in this process: what it says and when it breaks is scripted by the tests.
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { SHOPS } from "./shops.mjs";

const web = new URL("../", import.meta.url);
const packs = new URL("../../packs/", import.meta.url);

export const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
  + "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The texts of a pack's file: flat `name = "text"` lines. */
export function texts(language, file) {
  const lines = readFileSync(new URL(`${language}/${file}`, packs), "utf8").split("\n");
  return Object.fromEntries(lines.flatMap((line) => {
    const pair = /^(\w+) = (".*")$/.exec(line);
    return pair ? [[pair[1], JSON.parse(pair[2])]] : [];
  }));
}

export class Double {
  #language;
  #shop;
  #wording;
  #server;
  #scripts = new Map();
  #gates = new Map();
  #conversations = new Map();
  #answers = new Map();
  #numbers = 0;
  #changes = new EventEmitter();
  #away;
  /** What was asked of it: method, path, headers and body, oldest first. */
  requests = [];
  feedback = [];
  handoffs = [];
  /** A site of another origin that may ask it. */
  origin = undefined;
  /** Whether an operator is signed in to its console. */
  session = true;

  constructor(language) {
    this.#language = language;
    this.#shop = SHOPS[language];
    this.#wording = { ...texts(language, "texts.toml"), ...this.#shop.texts };
  }

  async start() {
    this.#server = createServer((request, response) => this.#serve(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    }));
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * The next time `question` is asked, `steps` happen: `{ event, data }`, `{ raw }`, `{ gate }`, `{ drop }`, `{ status }`.
   * What stands behind a `drop` is written down and read by nobody.
   */
  script(question, ...steps) {
    const waiting = this.#scripts.get(question) ?? [];
    this.#scripts.set(question, [...waiting, steps]);
  }

  /** A point that a script waits at until `open` is called; `reached` resolves when it stands there. */
  gate(name) {
    const gate = this.#gates.get(name) ?? {};
    if (!gate.passed) {
      gate.passed = new Promise((resolve) => { gate.open = resolve; });
      gate.reached = new Promise((resolve) => { gate.arrive = resolve; });
      this.#gates.set(name, gate);
    }
    return gate;
  }

  /** The next time a conversation is read, the answer is this status, or waits at a gate first. */
  away(how) {
    this.#away = how;
  }

  /** Begins a conversation in which something was said before: questions with their answers. */
  begun(...pairs) {
    const id = this.#open();
    for (const [question, text, ending = "answered"] of pairs) this.#turn(id, { question, text, turn: this.#next("turn"), citations: [] }, ending);
    return id;
  }

  /** From now on a conversation is that of a customer who is signed in. */
  sign(id) {
    this.#conversations.get(id).signed = true;
  }

  /** A conversation that retention or an owner has erased; whoever listens is sent away. */
  erase(id) {
    const { listeners } = this.#conversations.get(id);
    this.#conversations.delete(id);
    for (const listener of listeners) listener.end();
  }

  /** A colleague's line in a conversation, sent to whoever listens. */
  colleague(id, text) {
    const line = this.#line(id, { speaker: "colleague", text, citations: [] });
    this.#send(id, "line", line);
    return line;
  }

  /** A held answer that somebody has approved. */
  approve(id, text) {
    const { turn } = this.#conversations.get(id).lines.findLast(({ ending }) => ending === "held");
    this.#send(id, "line", this.#line(id, { speaker: "assistant", text, citations: [], turn, ending: "answered" }));
  }

  /** Sends the last line of a conversation once more. */
  repeat(id) {
    this.#send(id, "line", this.#conversations.get(id).lines.at(-1));
  }

  presence(id, present) {
    this.#conversations.get(id).colleague = present;
    this.#send(id, "colleague", { present });
  }

  /** Breaks every line that listens to a conversation. */
  hangUp(id) {
    for (const listener of this.#conversations.get(id).listeners) listener.destroy();
  }

  conversation() {
    return [...this.#conversations.keys()].at(-1);
  }

  /** Resolves when `count` lines listen to a conversation. */
  async listening(id, count) {
    while (this.#conversations.get(id).listeners.size !== count) await once(this.#changes, "listeners");
  }

  #next(kind) {
    this.#numbers += 1;
    return `${kind}-${this.#numbers}`;
  }

  #line(id, line) {
    this.#numbers += 1;
    const whole = { id: this.#numbers, at: Date.UTC(2026, 10, 30), ...line };
    this.#conversations.get(id)?.lines.push(whole);
    return whole;
  }

  /** A question and what was read of its answer are written down together, at its end. */
  #turn(id, { question, turn, ...said }, ending) {
    this.#line(id, { speaker: "customer", text: question, citations: [], turn });
    if (said.text) this.#line(id, { speaker: "assistant", turn, ending, ...said });
  }

  #send(id, event, data) {
    for (const listener of this.#conversations.get(id).listeners) listener.write(frame(event, data));
  }

  async #serve(request, response) {
    const url = new URL(request.url, "http://127.0.0.1");
    const body = await read(request);
    this.requests.push({ method: request.method, path: url.pathname, headers: request.headers, body });
    response.setHeader("Content-Security-Policy", POLICY);
    if (this.origin && request.headers.origin === this.origin) response.setHeader("Access-Control-Allow-Origin", this.origin);
    if (request.method === "OPTIONS") {
      response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
      response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
      return response.writeHead(204).end();
    }
    const path = url.pathname.split("/").slice(1).map(decodeURIComponent);
    const signed = Boolean(request.headers.authorization);
    if (path[0] === "v1" && path[1] === "conversations" && path[2] && this.#conversations.get(path[2])?.signed !== signed) return missing(response);
    const route = `${request.method} ${path[0]}${path[1] ? `/${path[1]}` : ""}`;
    switch (route) {
      case "GET ": return this.#page(response);
      case "GET demo.css": return file(response, "demo.css", "text/css");
      case "GET widget.js": return file(response, "widget.js", "text/javascript");
      case "GET v1/site": return json(response, 200, this.#site());
      case "POST v1/answers": return path[3] === "feedback" ? this.#feedback(path[2], body, response) : this.#answer(body, response, signed);
      case "POST v1/conversations": return path[3] === "handoff" ? this.#handoff(path[2], body, response) : json(response, 201, { conversation: this.#open(signed) });
      case "GET v1/conversations": return path[3] === "events" ? this.#listen(path[2], response) : this.#lines(path[2], url, response);
      case "DELETE v1/conversations":
        this.erase(path[2]);
        return response.writeHead(204).end();
      case "GET console/console.js": return file(response, "console.js", "text/javascript");
      case "GET console/sign-in": return html(response, "<h1>sign in</h1>");
      case "GET console/inbox": return this.#console(response, `<div id="inbox" data-refresh="50"></div>`);
      case "GET console/conversations":
        return this.#console(response, `<ol id="lines" data-refresh="50" data-page="/console/conversations/one"></ol>`);
      default: return json(response, 404, { error: { code: "not_found", message: "nothing is here" } });
    }
  }

  #page(response) {
    const values = { name: this.#shop.name, locale: this.#language, direction: this.#shop.direction };
    const page = readFileSync(new URL("demo.html", web), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  }

  #console(response, main) {
    if (!this.session) return response.writeHead(303, { Location: "/console/sign-in" }).end();
    html(response, `<h1>console</h1>${main}<script src="/console/console.js"></script>`);
  }

  #site() {
    const { name, direction } = this.#shop;
    const language = this.#language;
    return { name, locale: language, direction, languages: [language], texts: texts(language, "widget.toml"), handoff: true };
  }

  #open(signed = false) {
    const id = this.#next("conversation");
    this.#conversations.set(id, { signed, lines: [], listeners: new Set(), colleague: false });
    return id;
  }

  async #lines(id, url, response) {
    const away = this.#away;
    this.#away = undefined;
    if (away?.status) return json(response, away.status, { error: { code: "scripted", message: "scripted" } });
    if (away) await this.#at(away.gate);
    const conversation = this.#conversations.get(id);
    const after = Number(url.searchParams.get("after") ?? 0);
    const lines = conversation.lines.filter((line) => line.id > after).slice(0, 200);
    return json(response, 200, { conversation: id, colleague: conversation.colleague, lines });
  }

  #listen(id, response) {
    const conversation = this.#conversations.get(id);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": here\n\n");
    conversation.listeners.add(response);
    this.#changes.emit("listeners");
    response.on("close", () => {
      conversation.listeners.delete(response);
      this.#changes.emit("listeners");
    });
  }

  #feedback(turn, body, response) {
    this.feedback.push({ turn, ...body });
    response.writeHead(this.#answers.has(turn) ? 204 : 404).end();
  }

  #handoff(id, body, response) {
    this.handoffs.push({ conversation: id, ...body });
    if (body.message) this.#line(id, { speaker: "customer", text: body.message, citations: [] });
    json(response, 202, { notice: { key: "handoff", text: this.#wording.handoff } });
  }

  async #answer({ question, conversation }, response, signed) {
    if (conversation && this.#conversations.get(conversation)?.signed !== signed) return missing(response);
    const id = conversation ?? this.#open(signed);
    const turn = this.#next("turn");
    const steps = this.#scripts.get(question)?.shift() ?? this.#usual(question);
    const said = { question, turn, text: "", citations: [] };
    if (steps[0]?.status) return json(response, steps[0].status, { error: { code: "scripted", message: "scripted" } });
    response.writeHead(200, { "Content-Type": "text/event-stream", "Mostrador-Conversation": id });
    response.flushHeaders();
    const left = once(response, "close");
    let ending = "cancelled";
    let dropped = false;
    for (const step of steps) {
      if (step.gate) await Promise.race([this.#at(step.gate), ...(dropped ? [] : [left])]);
      // Whoever leaves cancels the answer; of a connection that was dropped the server does not know.
      if (response.destroyed && !dropped) break;
      if (step.drop) {
        dropped = true;
        response.destroy();
      } else if (step.raw) response.write(step.raw);
      else if (step.event) {
        if (step.event === "sentence" || step.event === "notice") said.text += step.data.text;
        if (step.event === "citation") said.citations.push(step.data);
        if (step.event === "done") {
          step.data = { turn, conversation: id, language: this.#language, usage: { input_tokens: 40, output_tokens: 12 }, ...step.data };
          ending = step.data.ending;
          said.language = step.data.language;
          if (ending !== "superseded") this.#turn(id, said, ending);
          this.#answers.set(turn, said);
        }
        if (!dropped) response.write(frame(step.event, step.data));
      }
    }
    if (ending === "cancelled") this.#turn(id, said, ending);
    response.end();
  }

  async #at(name) {
    const gate = this.gate(name);
    gate.arrive();
    await gate.passed;
  }

  #usual(question) {
    const { known, refused, unknown } = this.#shop;
    if (question === known.question) return answered(known);
    const [wanted, ending] = question === refused?.question ? [refused, "refused"] : [unknown, "no-evidence"];
    const key = wanted?.notice ?? "dont_know";
    return [event("notice", { key, text: this.#wording[key] }), event("done", { ending })];
  }
}

export function event(type, data) {
  return { event: type, data };
}

/** The steps of an answer with citations. */
export function answered({ sentences, citations = [] }) {
  return [
    ...sentences.map((text) => event("sentence", { text })),
    ...citations.map((citation) => event("citation", citation)),
    event("done", { ending: "answered" }),
  ];
}

function frame(type, data) {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function file(response, name, type) {
  response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(readFileSync(new URL(name, web)));
}

function html(response, text) {
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(`<!doctype html><title>console</title>${text}`);
}

function missing(response) {
  json(response, 404, { error: { code: "not_found", message: "no such conversation" } });
}

function json(response, status, value) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

async function read(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : undefined;
}
