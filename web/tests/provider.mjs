// A model on loopback that says what a test tells it, piece by piece, and waits where the test wants it to.
import { createServer } from "node:http";

/** Speaks the wire of `kind = "openai-compatible"`. Each question takes the next script; the last one serves over and over. */
export class Provider {
  #server;
  #scripts = [];
  #gates = new Map();
  /** The bodies of what it was asked, oldest first. */
  heard = [];
  /** The pieces it has written, whether or not anybody still read them. */
  written = [];

  /** Scripts an answer: texts are sent as they stand, and `{ gate }` waits until the test opens it. */
  script(...pieces) {
    this.#scripts.push(pieces);
  }

  /** A place where an answer waits: `reached` is a promise, `open()` lets it go on. */
  gate(name) {
    if (!this.#gates.has(name)) {
      const gate = {};
      gate.reached = new Promise((resolve) => { gate.arrive = resolve; });
      gate.opened = new Promise((resolve) => { gate.open = resolve; });
      this.#gates.set(name, gate);
    }
    return this.#gates.get(name);
  }

  async start() {
    this.#server = createServer((request, response) => this.#answer(request, response).catch(() => response.destroy()));
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    for (const gate of this.#gates.values()) gate.open();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    let body = "";
    for await (const chunk of request) body += chunk;
    const script = this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0];
    if (request.method !== "POST" || !request.url.endsWith("/chat/completions") || !script) {
      return response.writeHead(404).end();
    }
    this.heard.push(JSON.parse(body));
    response.on("error", () => {});
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const send = (choices, more = {}) => response.write(`data: ${JSON.stringify({ id: "c", choices, ...more })}\n\n`);
    for (const piece of script) {
      if (typeof piece === "string") {
        send([{ index: 0, delta: { content: piece }, finish_reason: null }]);
        this.written.push(piece);
      } else {
        const gate = this.gate(piece.gate);
        gate.arrive();
        await gate.opened;
      }
    }
    send([{ index: 0, delta: {}, finish_reason: "stop" }]);
    send([], { usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 } });
    response.end("data: [DONE]\n\n");
  }
}
