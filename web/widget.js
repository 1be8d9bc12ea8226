// The chat widget: one custom element that asks the counter over HTTP and shows what it answers.
(() => {
  "use strict";

  const TAG = "mostrador-chat";
  if (customElements.get(TAG)) return;

  const script = document.currentScript;
  const home = script?.src ? new URL(".", script.src).href : "/";

  // Longer than two heartbeats of the server: past it the line is dead, whatever the socket says.
  const SILENCE = 45_000;
  const FIRST_WAIT = 1_000;
  const LONGEST_WAIT = 30_000;

  // Endings after which a colleague may still write something.
  const AWAITED = new Set(["held", "handed-over", "no-evidence", "withheld", "colleague"]);
  const AGAIN = new Set(["failed", "interrupted", "cancelled"]);
  const RATED = new Set(["answered", "records", "refused", "no-evidence", "withheld"]);
  const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

  // The API gives so many lines at once.
  const PAGE = 200;

  /** Reads server-sent events from text cut anywhere; calls `emit(type, data, id)` for each whole one. */
  class EventText {
    #emit;
    #rest = "";
    #afterReturn = false;
    #type = "";
    #data = [];
    #id;

    constructor(emit) {
      this.#emit = emit;
    }

    push(chunk) {
      if (!chunk) return;
      // A return at the end of the last chunk has ended its line; its line feed may come only now.
      if (this.#afterReturn && chunk[0] === "\n") chunk = chunk.slice(1);
      this.#rest += chunk;
      let from = 0;
      for (const end of this.#rest.matchAll(/\r\n?|\n/g)) {
        this.#line(this.#rest.slice(from, end.index));
        from = end.index + end[0].length;
      }
      this.#afterReturn = from > 0 && from === this.#rest.length && this.#rest.endsWith("\r");
      this.#rest = this.#rest.slice(from);
    }

    #line(line) {
      if (!line) return this.#dispatch();
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") this.#data.push(value);
      else if (field === "event") this.#type = value;
      else if (field === "id") this.#id = value;
    }

    #dispatch() {
      const [type, data] = [this.#type || "message", this.#data];
      this.#type = "";
      this.#data = [];
      if (data.length) this.#emit(type, data.join("\n"), this.#id);
    }
  }

  /** Reads a response's events until it ends; what is no JSON is left out. */
  async function readEvents(response, stop, emit) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const events = new EventText((type, data) => {
      let value;
      try {
        value = JSON.parse(data);
      } catch {
        return;
      }
      emit(type, value);
    });
    let timer;
    try {
      for (;;) {
        timer = setTimeout(() => stop.abort(), SILENCE);
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) return;
        events.push(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cuts a text at its citation markers: strings, and lists of names with the text they stood for. */
  function pieces(text) {
    const found = [];
    let from = 0;
    for (const mark of text.matchAll(/\[([^[\]]{1,300})\]/g)) {
      const names = mark[1].split(/[,;\s\u060C\u3001\uFF0C]+/).filter(Boolean);
      if (!names.length || !names.every((name) => /^(\d+|[\p{L}\p{N}\p{M}._/-]*#[\p{L}\p{N}\p{M}._/-]*)$/u.test(name))) continue;
      found.push(text.slice(from, mark.index), { names, raw: mark[0] });
      from = mark.index + mark[0].length;
    }
    found.push(text.slice(from));
    return found.filter((piece) => piece !== "");
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }

  /** Builds an element; `on…` are listeners, the rest attributes, and texts become text nodes. */
  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value != null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child != null));
    return element;
  }

  const ICONS = {
    chat: "M4 5.5A2.5 2.5 0 0 1 6.5 3h11A2.5 2.5 0 0 1 20 5.5v8a2.5 2.5 0 0 1-2.5 2.5H11l-4.6 4v-4A2.4 2.4 0 0 1 4 13.5z",
    close: "M6 6l12 12M18 6L6 18",
    send: "M12 19V5M6 11l6-6 6 6",
    up: "M7 11v9H4v-9zm0 0 4-8a2.4 2.4 0 0 1 2.4 2.9L13 9h5.3a2 2 0 0 1 2 2.4l-1.4 7a2 2 0 0 1-2 1.6H7",
    person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7.5 8.5c.6-4 3.6-6 7.5-6s6.900 2 7.500 6",
    bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  };

  function icon(name, turned) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    if (turned) svg.setAttribute("class", "turned");
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
  }

  const LIGHT = `
    --bg: var(--mostrador-background, #fff); --text: var(--mostrador-text, #1d2523);
    --soft: #f1f4f2; --line: #d5dcd8; --edge: #77837e; --muted: #545f5a; --warm: #fdf3dc; --warm-line: #e6cf98;
    --accent: var(--mostrador-accent, #17695a); --on-accent: var(--mostrador-accent-text, #fff);
    --shadow: 0 1px 2px #10201a1a, 0 12px 36px #10201a2e; color-scheme: light;`;
  const DARK = `
    --bg: var(--mostrador-dark-background, #171c1a); --text: var(--mostrador-dark-text, #e8edea);
    --soft: #232a27; --line: #36403c; --edge: #84918b; --muted: #a7b2ad; --warm: #332b18; --warm-line: #5c4d27;
    --accent: var(--mostrador-dark-accent, var(--mostrador-accent, #23806d));
    --on-accent: var(--mostrador-dark-accent-text, var(--mostrador-accent-text, #fff));
    --shadow: 0 1px 2px #0006, 0 12px 36px #0009; color-scheme: dark;`;

  const STYLE = `
    :host { all: initial; display: contents; }
    :host([hidden]) { display: none; }
    .root { ${LIGHT} font: 400 var(--mostrador-font-size, 16px)/1.5 var(--mostrador-font, system-ui, sans-serif);
      color: var(--text); --radius: var(--mostrador-radius, 16px); }
    @media (prefers-color-scheme: dark) { .root { ${DARK} } }
    :host([theme="light"]) .root { ${LIGHT} }
    :host([theme="dark"]) .root { ${DARK} }
    *, ::before, ::after { box-sizing: border-box; }
    [hidden] { display: none !important; }
    button, textarea, input { font: inherit; color: inherit; letter-spacing: inherit; }
    button { cursor: pointer; background: none; border: 0; padding: 0; }
    button:disabled { cursor: default; opacity: .55; }
    :focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
    svg { width: 1.35em; height: 1.35em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8;
      stroke-linecap: round; stroke-linejoin: round; display: block; }
    .turned { transform: rotate(180deg); }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

    .launcher { position: fixed; z-index: var(--mostrador-z-index, 2147483000);
      inset-block-end: var(--mostrador-offset-block, 20px); inset-inline-end: var(--mostrador-offset-inline, 20px);
      display: flex; align-items: center; gap: .55em; min-height: 52px; padding: 0 1.15em; border-radius: 26px;
      background: var(--accent); color: var(--on-accent); font-weight: 600; box-shadow: var(--shadow);
      max-width: calc(100vw - 40px); }
    .launcher:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; box-shadow: 0 0 0 3px var(--bg); }
    .launcher .dot { width: .65em; height: .65em; border-radius: 50%; background: currentColor; }

    dialog { position: fixed; z-index: var(--mostrador-z-index, 2147483000); margin: 0; padding: 0; border: 1px solid var(--line);
      inset: auto; inset-block-end: calc(var(--mostrador-offset-block, 20px) + 66px);
      inset-inline-end: var(--mostrador-offset-inline, 20px);
      width: min(var(--mostrador-width, 400px), calc(100vw - 40px));
      height: min(var(--mostrador-height, 640px), calc(100dvh - var(--mostrador-offset-block, 20px) - 86px));
      max-width: none; max-height: none; border-radius: var(--radius); background: var(--bg); color: var(--text);
      box-shadow: var(--shadow); overflow: hidden; }
    dialog[open] { display: flex; flex-direction: column; animation: rise .18s ease-out; }
    dialog::backdrop { background: #0006; }
    @keyframes rise { from { opacity: 0; transform: translateY(10px); } }
    .full dialog { inset: 0; width: 100%; height: 100%; height: 100dvh; border: 0; border-radius: 0; }
    .opened .launcher { width: 52px; padding: 0; justify-content: center; }
    .full.opened .launcher { display: none; }

    header { display: flex; align-items: center; gap: .15em; padding: .8em .8em .75em 1.1em; border-block-end: 1px solid var(--line); }
    [dir="rtl"] header { padding: .8em 1.1em .75em .8em; }
    header > div { flex: 1; min-width: 0; }
    h2 { margin: 0; font-size: 1.06em; font-weight: 650; line-height: 1.3; overflow-wrap: anywhere; }
    header p { margin: 0; color: var(--muted); font-size: .83em; line-height: 1.35; }
    .round { width: 44px; height: 44px; border-radius: 50%; display: grid; place-items: center; flex: none; }
    .round:hover { background: var(--soft); }

    .log { flex: 1 1 0; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 1.1em; display: flex;
      flex-direction: column; gap: .9em; scrollbar-width: thin; }
    .log:focus-visible { outline-offset: -3px; }
    .turn { max-width: 92%; align-self: flex-start; min-width: 0; }
    .customer { align-self: flex-end; max-width: 85%; }
    .who { font-size: .8em; color: var(--muted); margin: 0 .2em .2em; }
    .text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; padding: .6em .9em; border-radius: 14px;
      background: var(--soft); }
    .text:empty { display: none; }
    .customer .text { background: var(--accent); color: var(--on-accent); border-end-end-radius: 4px; }
    .assistant .text, .colleague .text { border-end-start-radius: 4px; }
    .colleague .text { background: var(--bg); border: 1px solid var(--edge); }
    .fixed, .fault { margin-block-start: .4em; }
    .assistant .fault { background: var(--warm); border: 1px solid var(--warm-line); border-radius: 10px; font-size: .92em; }
    .cites { white-space: nowrap; }
    .cite { min-width: 24px; height: 24px; padding: 0 .4em; margin-inline: .12em; border-radius: 12px; font-size: .78em;
      font-weight: 650; line-height: 1; background: var(--accent); color: var(--on-accent); vertical-align: .08em; }
    .text:empty + .fixed, .text:empty + .fault { margin-block-start: 0; }
    .pending { display: flex; align-items: center; gap: .6em; color: var(--muted); font-size: .9em; padding: .3em .2em; }
    .pending i { width: .42em; height: .42em; border-radius: 50%; background: currentColor; animation: breathe 1.2s infinite; }
    .pending i + i { animation-delay: .15s; }
    .pending i + i + i { animation-delay: .3s; }
    .dots { display: flex; gap: .25em; }
    @keyframes breathe { 50% { opacity: .25; } }

    .sources { margin-block-start: .45em; }
    .sources h3 { margin: 0 .2em .25em; font-size: .8em; font-weight: 500; color: var(--muted); }
    details { scroll-margin: 14px; border: 1px solid var(--line); border-radius: 10px; margin-block-start: .3em; font-size: .9em; }
    summary { display: flex; gap: .55em; align-items: baseline; padding: .5em .7em; cursor: pointer; list-style: none; border-radius: 10px;
      overflow-wrap: anywhere; }
    summary::-webkit-details-marker { display: none; }
    summary b { font-size: .85em; font-weight: 650; color: var(--muted); }
    summary span { flex: 1; min-width: 0; }
    summary::after { content: ""; width: .45em; height: .45em; border: solid currentColor; border-width: 0 1.5px 1.5px 0;
      transform: translateY(-.2em) rotate(45deg); flex: none; }
    [open] > summary::after { transform: translateY(.1em) rotate(225deg); }
    .passage { padding: 0 .8em .7em; }
    blockquote { margin: 0; padding-inline-start: .7em; border-inline-start: 3px solid var(--line); white-space: pre-wrap;
      overflow-wrap: anywhere; }
    .about { margin: .5em 0 0; color: var(--muted); font-size: .9em; display: flex; flex-wrap: wrap; gap: .1em .9em; overflow-wrap: anywhere; }

    .rate { display: flex; flex-wrap: wrap; align-items: center; gap: .2em; color: var(--muted); font-size: .85em; margin-block-start: .25em; }
    .rate .round { width: 36px; height: 36px; }
    .rate [aria-pressed="true"] { background: var(--accent); color: var(--on-accent); }
    .rate form { display: flex; flex-wrap: wrap; gap: .4em; flex-basis: 100%; margin-block-start: .3em; }
    .plain { display: inline-flex; align-items: center; gap: .4em; min-height: 36px; padding: .25em .8em; border: 1px solid var(--edge); border-radius: 18px;
      font-size: .9em; font-weight: 550; color: var(--text); }
    .plain:hover { background: var(--soft); }
    .main { background: var(--accent); color: var(--on-accent); border-color: transparent; }
    .main:hover { background: var(--accent); text-decoration: underline; }
    .actions { display: flex; flex-wrap: wrap; gap: .5em; margin-block-start: .5em; }

    .status { padding: 0 1.1em; }
    .status:not(:empty) { padding-block-start: .5em; }
    .status p { margin: 0 0 .6em; padding: .5em .8em; border-radius: 10px; background: var(--warm); border: 1px solid var(--warm-line); font-size: .9em; }
    .status .here { background: var(--soft); border-color: var(--line); }
    .aside { overflow-y: auto; flex: 0 1 auto; min-height: 0; border-block-start: 1px solid var(--line); padding: .9em 1.1em; }
    .aside p { margin: 0 0 .7em; font-size: .92em; }
    .aside label { display: block; font-size: .85em; color: var(--muted); margin-block-end: .6em; }
    input, .aside textarea { display: block; width: 100%; min-height: 44px; padding: .5em .7em; margin-block-start: .2em;
      background: var(--bg); border: 1px solid var(--edge); border-radius: 10px; color: var(--text); font-size: max(1rem, 16px); }
    .rate input { min-height: 36px; margin: 0; flex: 1 1 15em; min-width: 0; }

    footer { border-block-start: 1px solid var(--line); padding: .7em .8em .5em; flex: none; }
    .composer { display: flex; align-items: flex-end; gap: .5em; border: 1px solid var(--edge); border-radius: 14px; padding: .3em; }
    .composer:focus-within { outline: 2px solid var(--text); outline-offset: -1px; }
    .composer textarea { flex: 1; min-width: 0; border: 0; background: none; resize: none; padding: .55em .5em; field-sizing: content;
      min-height: 2.6em; max-height: 8em; outline: none; line-height: 1.4; font-size: max(1em, 16px); }
    ::placeholder { color: var(--muted); opacity: 1; }
    .composer .round { background: var(--accent); color: var(--on-accent); border-radius: 11px; width: 42px; height: 42px; }
    header .round { color: var(--muted); }
    header .round:hover { color: var(--text); }
    .more { display: flex; margin-block-start: .2em; font-size: .87em; color: var(--muted); }
    .more button { display: flex; align-items: center; gap: .4em; min-height: 36px; padding: .2em .4em; border-radius: 8px; }
    .more button:hover { color: var(--text); }
    @media (max-height: 420px) { header p { display: none; } header { padding-block: .2em; } footer { padding-block: .3em 0; } .more button { min-height: 28px; } }
    @media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }
    @media (forced-colors: active) { .cite, .launcher, .text, .plain, .composer .round { border: 1px solid ButtonText; } }
  `;

  let sheet;
  function styles() {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    return [sheet];
  }

  /** What somebody said, as it stands in the log; sentences and citations may still be added. */
  class Turn {
    #chat;
    #text = h("div", { class: "text", dir: "auto" });
    #pending;
    #slots = [];
    #list;
    #plain;
    citations = [];

    constructor(chat, speaker) {
      this.#chat = chat;
      this.#plain = speaker === "customer";
      const who = h("div", { class: speaker === "colleague" ? "who" : "unseen" }, chat.text(speaker));
      this.element = h("div", { class: `turn ${speaker}` }, who, this.#text);
    }

    wait() {
      const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
      this.#pending = h("div", { class: "pending" }, dots, this.#chat.text("thinking"));
      this.element.append(this.#pending);
      return this;
    }

    rest() {
      this.#pending?.remove();
    }

    get empty() {
      return !this.#text.hasChildNodes() && !this.element.querySelector(".fixed");
    }

    /** Adds a text; a screen reader hears it as one piece. */
    say(text) {
      // More may come: three dots say so to the eye, and nothing to the ear.
      if (this.#pending?.isConnected) {
        this.#pending.replaceChildren(this.#pending.firstChild);
        this.#text.after(this.#pending);
      }
      const sentence = h("span");
      for (const piece of this.#plain ? [text] : pieces(text)) {
        if (typeof piece === "string") sentence.append(piece);
        else {
          const slot = { names: piece.names, raw: piece.raw, node: h("span", { class: "cites" }) };
          this.#slots.push(slot);
          sentence.append(slot.node);
          this.#resolve(slot);
        }
      }
      this.#text.append(sentence);
    }

    /** Adds a text that is the shop's own wording, not an answer. */
    note(text, kind = "fixed") {
      this.rest();
      this.element.append(h("p", { class: `text ${kind}`, dir: "auto" }, text));
    }

    /** Says in which language the answer is, where that is known. */
    speak(language) {
      if (!language) return;
      const dir = RIGHT_TO_LEFT.has(language.split("-")[0]) ? "rtl" : "ltr";
      for (const text of this.element.querySelectorAll(".text:not(.fault)")) {
        text.lang = language;
        text.dir = dir;
      }
    }

    cite(citation) {
      if (this.citations.some((known) => known.source === citation.source)) return;
      this.citations.push(citation);
      if (!this.#list) {
        this.#list = h("div", { class: "sources", "aria-live": "off" }, h("h3", {}, this.#chat.text("sources")));
        this.element.append(this.#list);
      }
      const number = this.citations.length;
      citation.view = this.#chat.passage(citation, number);
      this.#list.append(citation.view);
      for (const slot of this.#slots) this.#resolve(slot);
    }

    /** Nothing more will come: a marker that names nothing known stays as it was written. */
    finish() {
      this.rest();
      for (const slot of this.#slots) this.#resolve(slot, true);
    }

    #resolve(slot, last = false) {
      if (slot.done) return;
      const found = slot.names.map((name) =>
        /^\d+$/.test(name) ? Number(name) - 1 : this.citations.findIndex(({ source }) => source === name));
      if (found.every((at) => this.citations[at])) {
        slot.done = true;
        slot.node.replaceChildren(...found.map((at) => this.#button(this.citations[at], at + 1)));
      } else if (last) {
        slot.done = true;
        slot.node.replaceChildren(slot.raw);
      }
    }

    #button(citation, number) {
      const shown = this.#chat.number(number);
      const label = fill(this.#chat.text("source"), { number: shown, title: this.#chat.title(citation) });
      const open = () => {
        citation.view.open = true;
        const summary = citation.view.querySelector("summary");
        summary.focus({ preventScroll: true });
        citation.view.scrollIntoView({ block: "nearest" });
      };
      const button = h("button", { type: "button", class: "cite", "aria-label": label, "aria-expanded": "false", onclick: open }, shown);
      citation.view.addEventListener("toggle", () => button.setAttribute("aria-expanded", citation.view.open));
      return button;
    }

    /** Buttons under the answer. */
    offer(...actions) {
      const row = h("div", { class: "actions" });
      for (const [text, act] of actions) {
        row.append(h("button", { type: "button", class: "plain", onclick: () => act(row) }, text));
      }
      this.element.append(row);
    }
  }

  class MostradorChat extends HTMLElement {
    static observedAttributes = ["locale"];

    #root = this.attachShadow({ mode: "open" });
    #site;
    #parts;
    #token;
    #conversation;
    #opening;
    #refused;
    #undecided = false;
    #deciding;
    #last;
    #seen = new Set();
    #listening;
    #streams = new Map();
    // Questions whose answer broke off here, the newest first: the server may know how it went on.
    #broken = [];
    #following = true;
    #unread = false;
    #alive;

    connectedCallback() {
      // A page may have set the property before this script ran.
      if (Object.hasOwn(this, "token")) {
        const token = this.token;
        delete this.token;
        this.token = token;
      }
      this.#root.adoptedStyleSheets = styles();
      this.#alive = new AbortController();
      const { signal } = this.#alive;
      addEventListener("online", () => this.#online(), { signal });
      addEventListener("offline", () => this.#parts && this.#notice("offline"), { signal });
      this.#start();
    }

    disconnectedCallback() {
      this.#alive.abort();
      this.#drop();
      this.#parts = undefined;
      this.#root.replaceChildren();
    }

    attributeChangedCallback() {
      if (!this.#parts) return;
      this.#save();
      this.disconnectedCallback();
      this.connectedCallback();
    }

    /** The signed token of the customer who is signed in, or nothing. Kept in memory only. */
    get token() {
      return undefined;
    }

    set token(value) {
      const before = this.#token;
      this.#token = value || undefined;
      if (before && !this.#token) this.#forget();
      else if (this.#token && this.#refused && this.#parts && !this.#opening) {
        this.#conversation = this.#refused;
        this.#restore();
      }
    }

    open() {
      if (!this.#parts || this.#parts.dialog.open) return;
      const { aside, dialog, input } = this.#parts;
      // Over the whole window the page behind must be out of reach; beside it, it stays usable.
      const full = narrow();
      this.#parts.root.classList.toggle("full", full);
      if (full) dialog.showModal();
      else dialog.show();
      this.#opened();
      (aside.hidden ? input : aside.querySelector("textarea, button")).focus();
    }

    // As it was before the page was loaded anew: the focus stays with the page.
    #reopen() {
      if (narrow()) return;
      this.#parts.dialog.setAttribute("open", "");
      this.#opened();
    }

    #opened() {
      const { root, launcher, badge } = this.#parts;
      root.classList.add("opened");
      launcher.replaceChildren(icon("close"), h("span", { class: "unseen" }, this.text("close")));
      launcher.setAttribute("aria-expanded", "true");
      this.#unread = false;
      badge.textContent = "";
      this.#scroll(true);
      this.#save();
      this.#tell("open");
    }

    close() {
      if (!this.#parts?.dialog.open) return;
      this.#parts.dialog.close();
      this.#parts.root.classList.remove("opened", "full");
      this.#dress();
      this.#parts.launcher.focus();
      this.#save();
      this.#tell("close");
    }

    /** Opens the dialog and asks, as if the customer had written it. */
    ask(text) {
      this.open();
      return this.#send(String(text));
    }

    text(name) {
      return this.#site.texts[name] ?? "";
    }

    number(value) {
      return new Intl.NumberFormat(this.#site.locale).format(value);
    }

    title(citation) {
      return citation.headings?.length ? citation.headings.join(" \u203A ") : citation.file;
    }

    /** The passage behind a citation, closed, with where and of when it is. */
    passage(citation, number) {
      const about = h("p", { class: "about" }, h("bdi", {}, citation.file));
      for (const [name, value] of [["dated", citation.date], ["read", citation.read_at]]) {
        if (value != null) about.append(h("time", { datetime: iso(value) }, fill(this.text(name), { date: this.#date(value) })));
      }
      return h("details", {},
        h("summary", {}, h("b", {}, this.number(number)), h("span", { dir: "auto" }, this.title(citation))),
        h("div", { class: "passage" }, h("blockquote", { dir: "auto" }, citation.text), about));
    }

    #date(value) {
      const date = new Date(value);
      if (Number.isNaN(date.getTime())) return String(value);
      // A day without an hour is the same day everywhere.
      const day = typeof value === "string" && value.length === 10;
      return new Intl.DateTimeFormat(this.#site.locale, { dateStyle: "long", timeZone: day ? "UTC" : undefined }).format(date);
    }

    async #start(wait = FIRST_WAIT) {
      const { signal } = this.#alive;
      const locale = this.getAttribute("locale") ?? document.documentElement.lang;
      let site;
      try {
        const response = await this.#fetch(`v1/site?locale=${encodeURIComponent(locale)}`, { signal });
        if (response.ok) site = await response.json();
      } catch {
        // Tried again below: without its texts there is nothing that the widget could show.
      }
      if (signal.aborted) return;
      if (!site) {
        setTimeout(() => signal.aborted || this.#start(Math.min(wait * 4, 120_000)), wait);
        return;
      }
      this.#site = site;
      this.#build();
      const kept = this.#load();
      this.#parts.input.value = kept.draft ?? "";
      this.#direct();
      this.#conversation = kept.conversation ?? this.#conversation;
      if (this.#conversation) this.#restore();
      if (kept.open) this.#reopen();
      if (!navigator.onLine) this.#notice("offline");
      this.#tell("ready");
    }

    #build() {
      const id = "mostrador-title";
      const input = h("textarea", { rows: 1, id: "mostrador-question", enterkeyhint: "send", autocomplete: "off",
        placeholder: this.text("placeholder"), onkeydown: (event) => this.#key(event),
        oninput: () => { this.#direct(); this.#save(); } });
      const log = h("div", { class: "log", role: "log", "aria-live": "polite", "aria-label": this.text("log"), tabindex: 0,
        onscroll: () => { this.#following = log.scrollHeight - log.scrollTop - log.clientHeight < 80; } });
      const status = h("div", { class: "status", role: "status" });
      const aside = h("div", { class: "aside", hidden: true });
      const submit = (event) => { event.preventDefault(); this.#submit(); };
      const person = this.#site.handoff && h("button", { type: "button", onclick: () => this.#person() },
        icon("person"), this.text("person"));
      const erase = h("button", { type: "button", class: "round", title: this.text("erase"), "aria-label": this.text("erase"),
        onclick: () => this.#erase() }, icon("bin"));
      const footer = h("footer", {},
        h("form", { class: "composer", onsubmit: submit },
          h("label", { class: "unseen", for: "mostrador-question" }, this.text("question")), input,
          h("button", { class: "round", "aria-label": this.text("send") }, icon("send"))),
        person ? h("div", { class: "more" }, person) : null);
      const dialog = h("dialog", { "aria-labelledby": id, onkeydown: (event) => this.#escape(event),
        oncancel: (event) => { event.preventDefault(); this.close(); } },
        h("header", {},
          h("div", {}, h("h2", { id }, h("bdi", {}, this.#site.name)), h("p", {}, this.text("subtitle"))), erase,
          h("button", { type: "button", class: "round", "aria-label": this.text("close"), onclick: () => this.close() }, icon("close"))),
        log, status, aside, footer);
      const launcher = h("button", { type: "button", class: "launcher", "aria-expanded": "false",
        onclick: () => (dialog.open ? this.close() : this.open()) });
      const badge = h("div", { class: "unseen", role: "status" });
      const root = h("div", { class: "root", dir: this.#site.direction, lang: this.#site.locale }, launcher, badge, dialog);
      this.#parts = { root, dialog, log, status, aside, footer, input, launcher, badge };
      this.#dress();
      this.#greet();
      this.#root.replaceChildren(root);
    }

    #dress() {
      const { launcher } = this.#parts;
      launcher.setAttribute("aria-expanded", "false");
      launcher.replaceChildren(icon("chat"), this.text("launcher"));
      if (this.#unread) launcher.append(h("span", { class: "dot" }), h("span", { class: "unseen" }, this.text("unread")));
    }

    #greet() {
      const turn = new Turn(this, "assistant");
      turn.say(this.text("greeting"));
      turn.finish();
      this.#parts.greeting = turn.element;
      this.#parts.log.replaceChildren(turn.element);
    }

    // An empty field has no direction of its own: it takes that of the site.
    #direct(field = this.#parts.input) {
      field.setAttribute("dir", field.value ? "auto" : this.#site.direction);
    }

    #key(event) {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    }

    #escape(event) {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (this.#parts.aside.hidden) this.close();
      else this.#dismiss();
    }

    #submit() {
      const { input } = this.#parts;
      const question = input.value.trim();
      if (!question) return input.focus();
      if (!navigator.onLine) return this.#notice("offline");
      input.value = "";
      this.#direct();
      this.#save();
      this.#send(question);
    }

    async #send(question) {
      if (!question.trim() || !this.#parts) return;
      const asked = new Turn(this, "customer");
      asked.say(question);
      this.#parts.log.append(asked.element);
      await this.#answer(question, asked);
    }

    async #answer(question, asked) {
      const turn = new Turn(this, "assistant").wait();
      this.#parts.log.append(turn.element);
      this.#scroll(true);
      const stop = new AbortController();
      const heard = { done: undefined, response: undefined };
      const reading = this.#read(question, turn, stop, heard);
      this.#streams.set(stop, reading);
      await reading;
      // Erased or taken out of the page meanwhile: nobody waits for it.
      if (!this.#streams.delete(stop)) return;
      turn.finish();
      const { done, response } = heard;
      if (done) this.#done(done, turn, question, asked);
      else if (response && !response.ok) this.#wrong(response, turn, question, asked);
      else {
        this.#broken.unshift({ question, asked, turn, arrived: Boolean(response) });
        if (response) this.#again(turn, this.text("dropped"), question, asked);
        else this.#unreachable(turn, question, asked);
      }
      this.#scroll();
    }

    /** Asks and shows what comes; what was heard at the end tells how it went. */
    async #read(question, turn, stop, heard) {
      const timer = setTimeout(() => stop.abort(), SILENCE);
      try {
        heard.response = await this.#post(question, stop.signal);
        clearTimeout(timer);
        this.#calm();
        if (!heard.response.ok) return;
        // The last event ends the answer, also where a proxy holds the line open.
        const last = later();
        const ended = readEvents(heard.response, stop, (type, value) => {
          if (!this.#parts) return;
          if (type === "sentence") turn.say(value.text);
          else if (type === "citation") turn.cite(value);
          else if (type === "notice") turn.note(value.text);
          else if (type === "done") last.resolve(heard.done = value);
          this.#scroll();
        });
        await Promise.race([ended, last.promise]);
      } catch ({ response }) {
        // Otherwise judged by what arrived before it broke.
        heard.response ??= response;
      } finally {
        clearTimeout(timer);
      }
    }

    #done(done, turn, question, asked) {
      const { ending } = done;
      if (done.turn) this.#seen.add(done.turn).add(`${done.turn} ${ending}`);
      turn.speak(done.language);
      // That a colleague is there is said once.
      if (ending === "superseded" || (ending === "colleague" && (turn.empty || this.#parts.present))) turn.element.remove();
      else if (AGAIN.has(ending)) this.#again(turn, turn.empty ? this.text("failed") : "", question, asked);
      else if (done.turn && RATED.has(ending)) this.#rate(turn, done.turn);
      if (ending === "no-evidence" && this.#site.handoff) turn.offer([this.text("person"), () => this.#person(question)]);
      if (ending === "colleague") this.#presence(true);
      // A colleague may take over whatever the answer was.
      if (AWAITED.has(ending) || this.#parts.dialog.open) this.#listen();
      this.#tell("answer", { conversation: done.conversation, turn: done.turn, ending });
    }

    #again(turn, text, question, asked) {
      if (text) turn.note(text, "fault");
      turn.offer([this.text("retry"), () => {
        if (!navigator.onLine) return this.#notice("offline");
        turn.element.remove();
        this.#parts.input.focus();
        this.#answer(question, asked);
      }]);
    }

    // Nothing arrived at the server: the words go back to where they were written, unless others stand there now.
    #unreachable(turn, question, asked) {
      const { input } = this.#parts;
      this.#notice("offline");
      if (input.value) return this.#again(turn, this.text("offline"), question, asked);
      turn.element.remove();
      asked.element.remove();
      input.value = question;
      this.#direct();
      this.#save();
      input.focus();
    }

    #wrong(response, turn, question, asked) {
      const known = { 401: "signed_out", 413: "too_large", 429: "too_many", 503: "busy" };
      const text = this.text(known[response.status] ?? "failed");
      if (response.status === 413) turn.note(text, "fault");
      else this.#again(turn, text, question, asked);
    }

    /** Asks; what comes is read by the caller. */
    #post(question, signal) {
      return this.#within(async () => this.#fetch("v1/answers", {
        method: "POST",
        signal,
        headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
        body: JSON.stringify({ question, conversation: await this.#ready(), locale: this.#site.locale }),
      }));
    }

    /** Sends something into the conversation; once more into a new one where the old one is gone. */
    async #within(send) {
      const conversation = await this.#ready();
      const response = await send();
      if (response.status !== 404) return response;
      if (this.#conversation === conversation) await this.#renew();
      return send();
    }

    /** Begins a new conversation in place of one that is gone; whoever listened to that one listens to this. */
    async #renew() {
      const listened = this.#listening;
      this.#hush();
      this.#lose();
      this.#conversation = undefined;
      await this.#ready();
      if (listened) this.#listen();
    }

    /** The conversation, made on the first question. Questions in one burst wait for the same one. */
    async #ready() {
      while (this.#undecided) await this.#decide();
      if (this.#conversation) return this.#conversation;
      this.#opening ??= this.#json("v1/conversations", { locale: this.#site.locale })
        .then(async (response) => {
          if (!response.ok) throw Object.assign(new Error(String(response.status)), { response });
          this.#conversation = (await response.json()).conversation;
          this.#last = this.#refused = undefined;
          this.#save();
          return this.#conversation;
        })
        .finally(() => { this.#opening = undefined; });
      return this.#opening;
    }

    #json(path, body) {
      return this.#fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    }

    /** Asks the server; once more with a new token where the old one has run out. */
    async #fetch(path, options = {}) {
      const go = () => {
        const headers = { ...options.headers };
        if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
        return fetch(new URL(path, this.getAttribute("base") ?? home), { ...options, headers, credentials: "omit", cache: "no-store" });
      };
      if (!this.#token) await this.#askToken();
      const response = await go();
      if (response.status !== 401) return response;
      const refused = this.#token;
      this.#token = undefined;
      await this.#askToken();
      return this.#token && this.#token !== refused ? go() : response;
    }

    /** Asks the page for a token by the event it named in `token-from`, if it named one. */
    async #askToken() {
      const name = this.getAttribute("token-from");
      if (!name) return;
      let answer;
      const detail = { respond: (token) => { answer = token; } };
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
      try {
        this.#token = (await answer) || undefined;
      } catch {
        this.#token = undefined;
      }
    }

    #conversationPath(rest = "") {
      return `v1/conversations/${encodeURIComponent(this.#conversation)}${rest}`;
    }

    /** The lines behind `after`, or all of them, and whether a colleague is there. */
    async #lines(after) {
      const lines = [];
      for (;;) {
        const path = this.#conversationPath(after == null ? "" : `?after=${encodeURIComponent(after)}`);
        const response = await this.#fetch(path, { signal: AbortSignal.timeout(SILENCE) });
        if (!response.ok) throw Object.assign(new Error(String(response.status)), { status: response.status, response });
        const page = await response.json();
        lines.push(...page.lines);
        if (page.lines.length < PAGE) return { lines, colleague: page.colleague };
        after = lines.at(-1).id;
      }
    }

    /** Shows the conversation of this tab again, after a reload; tries until it is read or known to be gone. */
    async #restore() {
      const { signal } = this.#alive;
      this.#undecided = true;
      for (let wait = FIRST_WAIT; this.#undecided && !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
        try {
          await this.#decide();
        } catch {
          await pause(wait * (0.75 + Math.random() / 2), signal);
        }
      }
    }

    /** Reads the old conversation once for all who wait for it; throws where it cannot be read at the moment. */
    #decide() {
      this.#deciding ??= this.#recall().finally(() => { this.#deciding = undefined; });
      return this.#deciding;
    }

    async #recall() {
      const [parts, conversation, token] = [this.#parts, this.#conversation, this.#token];
      const other = () => parts !== this.#parts || conversation !== this.#conversation;
      try {
        const { lines, colleague } = await this.#lines();
        if (other()) return;
        this.#undecided = false;
        this.#refused = undefined;
        // What was written meanwhile stands below, and is sent only now.
        parts.greeting.after(...this.#tellAgain(lines, colleague));
        const awaited = colleague || lines.some((line) => line.speaker === "colleague" || AWAITED.has(line.ending));
        if (awaited || parts.dialog.open) this.#listen();
        this.#presence(colleague);
        this.#scroll();
      } catch (error) {
        if (other()) return;
        const { status } = error;
        if (!status || status === 429 || status >= 500) throw error;
        // The customer was signed in meanwhile, and it may be theirs.
        if (status === 404 && token !== this.#token) return;
        // It may be that of a customer whose token comes later.
        this.#refused = conversation;
        this.#conversation = undefined;
        this.#undecided = false;
      }
    }

    /** The elements of lines; what has no whole answer can be asked again, unless a colleague is there. */
    #tellAgain(lines, colleague) {
      const turns = [];
      let open;
      for (const line of lines) {
        this.#note(line);
        if (!line.text) continue;
        // Asked once more: it stands there once, as it did before the page was loaded anew.
        if (line.speaker === "customer" && open?.question === line.text) turns.length = open.at;
        const turn = this.#written(line, open);
        // What a colleague was asked has no turn, and no answer of the assistant.
        if (line.speaker === "customer") open = line.turn && { question: line.text, asked: turn, at: turns.length };
        else if (!AGAIN.has(line.ending)) open = undefined;
        turns.push(turn.element);
      }
      if (open && open.at === turns.length - 1 && !colleague) {
        const turn = new Turn(this, "assistant");
        this.#again(turn, this.text("dropped"), open.question, open.asked);
        turns.push(turn.element);
      }
      return turns;
    }

    #note(line) {
      this.#seen.add(line.id);
      this.#last = line.id;
    }

    /** A line as it stands in the log, with what belongs under it; `open` is the question that it answers. */
    #written(line, open) {
      const turn = new Turn(this, line.speaker);
      turn.say(line.text);
      for (const citation of line.citations ?? []) turn.cite(citation);
      turn.finish();
      turn.speak(line.language);
      if (line.speaker !== "assistant") return turn;
      if (line.turn && RATED.has(line.ending)) this.#rate(turn, line.turn);
      else if (AGAIN.has(line.ending) && open) {
        // One that failed says so itself.
        this.#again(turn, line.ending === "failed" ? "" : this.text("dropped"), open.question, open.asked);
      }
      return turn;
    }

    #presence(present) {
      const before = Boolean(this.#parts.present);
      if (before === Boolean(present)) return;
      this.#parts.present = present;
      this.#notice(before ? "colleague_left" : undefined);
    }

    /** Listens for colleagues until the conversation is gone; goes on by itself after a break. */
    async #listen() {
      if (this.#listening || !this.#conversation) return;
      const stop = new AbortController();
      this.#listening = stop;
      let wait = FIRST_WAIT;
      while (!stop.signal.aborted) {
        try {
          await this.#catchUp(stop.signal);
          if (stop.signal.aborted) return;
          const after = this.#last == null ? "" : `?after=${encodeURIComponent(this.#last)}`;
          // Its own switch: a dead line is opened anew while the listening goes on.
          const line = new AbortController();
          stop.signal.addEventListener("abort", () => line.abort(), { once: true });
          const response = await this.#fetch(this.#conversationPath(`/events${after}`),
            { signal: line.signal, headers: { Accept: "text/event-stream" } });
          if (response.status === 404 || response.status === 401) break;
          if (response.ok) {
            wait = FIRST_WAIT;
            await readEvents(response, line, (type, value) => stop.signal.aborted || this.#heard(type, value));
          }
        } catch ({ status }) {
          if (status === 404 || status === 401) break;
        }
        if (stop.signal.aborted) break;
        await pause(wait * (0.75 + Math.random() / 2), stop.signal);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
      if (this.#listening === stop) this.#hush();
    }

    // Between the last answer and the first event a colleague may have written already.
    async #catchUp(signal) {
      const { lines, colleague } = await this.#lines(this.#last);
      // An answer that is being written here must not come a second time as a line.
      await Promise.allSettled([...this.#streams.values()]);
      if (signal.aborted || !this.#parts) return;
      const mended = this.#mended(lines);
      const fresh = lines.filter((line) => {
        if (this.#seen.has(line.id) || mended.has(line.turn)) return false;
        if (line.speaker === "customer") return line.turn && !this.#seen.has(line.turn);
        return line.speaker === "colleague" || !this.#seen.has(`${line.turn} ${line.ending}`);
      });
      for (const line of lines) if (line.speaker === "assistant" && mended.has(line.turn)) this.#mend(mended.get(line.turn), line);
      this.#arrived(fresh, colleague);
      for (const line of lines) this.#note(line);
      this.#presence(colleague);
    }

    /** The answers that broke off here, by the names of their turns, which only their end would have told. */
    #mended(lines) {
      const found = new Map();
      // The newest first: of a question that was sent twice the server may have only the second.
      for (const { speaker, turn, text } of [...lines].reverse()) {
        if (speaker !== "customer" || !turn || this.#seen.has(turn)) continue;
        let at = this.#broken.findIndex(({ question }) => text === question || text.endsWith(`\n${question}`));
        // What is personal in a question may be kept in other words.
        if (at < 0) at = this.#broken.findIndex(({ arrived }) => arrived);
        if (at >= 0) found.set(turn, this.#broken.splice(at, 1)[0]);
      }
      return found;
    }

    /** Puts an answer as the server has it in the place of what was read of it; not where it was asked again. */
    #mend(broken, line) {
      const { element } = broken.turn;
      if (!element.isConnected || !line.text) return;
      if (element.contains(this.#root.activeElement)) this.#parts.input.focus();
      broken.turn = this.#written(line, broken);
      element.replaceWith(broken.turn.element);
      this.#scroll();
    }

    #heard(type, value) {
      if (!this.#parts) return;
      if (type === "colleague") this.#presence(value.present);
      if (type === "line" && value.speaker !== "customer" && !this.#seen.has(value.id)) this.#arrived([value]);
    }

    #arrived(lines, colleague) {
      this.#parts.log.append(...this.#tellAgain(lines, colleague));
      this.#scroll();
      for (const { speaker, text } of lines) {
        if (!text || speaker === "customer") continue;
        if (!this.#parts.dialog.open) {
          this.#unread = true;
          this.#dress();
          this.#parts.badge.textContent = this.text("unread");
        }
        this.#tell("line", { speaker });
      }
    }

    /** Ends every stream; what they still bring is not looked at. */
    #drop() {
      this.#hush();
      this.#lose();
      this.#undecided = false;
      for (const stop of this.#streams.keys()) stop.abort();
      this.#streams.clear();
    }

    /** Listens no longer, so that nobody is known to be there. */
    #hush() {
      this.#listening?.abort();
      this.#listening = undefined;
      if (!this.#parts) return;
      this.#parts.present = false;
      this.#state();
    }

    /** Forgets what is known of the conversation; what was read of it stays to be read. */
    #lose() {
      this.#last = undefined;
      this.#seen.clear();
      this.#broken = [];
    }

    #rate(turn, id) {
      const row = h("div", { class: "rate", role: "group", "aria-label": this.text("feedback"), "aria-live": "off" });
      const thanks = h("span", { role: "status" });
      const path = `v1/answers/${encodeURIComponent(id)}/feedback`;
      const buttons = [true, false].map((helpful) => h("button", { type: "button", class: "round", "aria-pressed": "false",
        "aria-label": this.text(helpful ? "helpful" : "unhelpful"), onclick: () => choose(helpful) }, icon("up", !helpful)));
      const press = (which) => buttons.forEach((button, at) => button.setAttribute("aria-pressed", which === at));
      const post = async (body) => {
        try {
          return (await this.#json(path, body)).ok;
        } catch {
          return false;
        }
      };
      const choose = async (helpful) => {
        press(helpful ? 0 : 1);
        row.querySelector("form")?.remove();
        const taken = await post({ helpful });
        if (!taken) press(-1);
        thanks.textContent = this.text(taken ? "thanks" : "failed");
        if (!taken || helpful) return;
        const comment = h("input", { "aria-label": this.text("comment"), placeholder: this.text("comment"), maxlength: 1000 });
        const form = h("form", { onsubmit: async (event) => {
          event.preventDefault();
          if (comment.value.trim() && !(await post({ helpful, comment: comment.value.trim() }))) return;
          form.remove();
          buttons[1].focus();
        } }, comment, h("button", { class: "plain" }, this.text("send")));
        row.append(form);
        this.#scroll();
      };
      row.append(...buttons, thanks);
      turn.element.append(row);
    }

    /** The small form for asking a colleague. */
    #person(about) {
      const { input } = this.#parts;
      const direct = ({ target }) => this.#direct(target);
      const message = h("textarea", { rows: 2, oninput: direct });
      message.value = input.value.trim() || about || "";
      const address = h("input", { autocomplete: "email", maxlength: 200, oninput: direct });
      const send = h("button", { class: "plain main" }, this.text("person_send"));
      const form = h("form", { onsubmit: async (event) => {
        event.preventDefault();
        send.disabled = true;
        const words = message.value.trim();
        const body = { message: words || undefined, reply_to: address.value.trim() || undefined };
        try {
          const response = await this.#within(async () => {
            await this.#ready();
            return this.#json(this.#conversationPath("/handoff"), body);
          });
          if (!response.ok) throw new Error(String(response.status));
          const { notice } = await response.json();
          if (words && words === input.value.trim()) {
            input.value = "";
            this.#direct();
            this.#save();
          }
          this.#calm();
          if (words && words !== about) {
            const asked = new Turn(this, "customer");
            asked.say(words);
            this.#parts.log.append(asked.element);
          }
          const turn = new Turn(this, "assistant");
          turn.note(notice.text);
          this.#parts.log.append(turn.element);
          this.#dismiss();
          this.#scroll();
          this.#listen();
          this.#tell("handoff", { conversation: this.#conversation });
        } catch {
          send.disabled = false;
          this.#notice(navigator.onLine ? "failed" : "offline");
        }
      } },
      h("p", {}, this.text("person_intro")),
      h("label", {}, this.text("person_message"), message),
      h("label", {}, this.text("person_address"), address),
      h("div", { class: "actions" }, send, this.#cancel()));
      [message, address].forEach((field) => this.#direct(field));
      this.#aside(form, message);
    }

    #erase() {
      const yes = h("button", { type: "button", class: "plain main", onclick: async () => {
        yes.disabled = true;
        try {
          const response = this.#conversation && await this.#fetch(this.#conversationPath(), { method: "DELETE" });
          if (response && !response.ok && response.status !== 404) throw new Error(String(response.status));
          this.#dismiss();
          this.#forget();
          this.#notice("erased");
        } catch {
          yes.disabled = false;
          this.#notice(navigator.onLine ? "failed" : "offline");
        }
      } }, this.text("erase_yes"));
      const cancel = this.#cancel();
      this.#aside(h("div", {}, h("p", {}, this.text("erase_question")), h("div", { class: "actions" }, yes, cancel)), cancel);
    }

    #cancel() {
      return h("button", { type: "button", class: "plain", onclick: () => this.#dismiss() }, this.text("cancel"));
    }

    // In the place of the field for questions: two fields at once would leave no room on a telephone.
    #aside(content, focus) {
      const { aside, footer } = this.#parts;
      aside.replaceChildren(content);
      aside.hidden = false;
      footer.hidden = true;
      focus.focus();
    }

    #dismiss() {
      const { aside, footer, input } = this.#parts;
      aside.hidden = true;
      footer.hidden = false;
      aside.replaceChildren();
      input.focus();
    }

    /** Begins anew: nothing of the conversation stays in the page. */
    #forget() {
      this.#drop();
      this.#conversation = this.#refused = undefined;
      if (this.#parts) {
        this.#calm();
        this.#greet();
      }
      this.#save();
    }

    #notice(name) {
      this.#parts.notice = name;
      this.#state();
    }

    #calm() {
      if (!this.#parts?.notice) return;
      this.#parts.notice = undefined;
      this.#state();
    }

    #state() {
      const { status, present, notice } = this.#parts;
      const names = [present && "colleague_here", notice].filter(Boolean);
      status.replaceChildren(...names.map((name) => h("p", { class: name === "colleague_here" ? "here" : null }, this.text(name))));
    }

    #online() {
      if (this.#parts) this.#calm();
    }

    // Whoever has scrolled up to read is left there, until they write.
    #scroll(always = false) {
      if (!this.#parts) return;
      const { log } = this.#parts;
      if (always) this.#following = true;
      if (this.#following) log.scrollTop = log.scrollHeight;
    }

    #tell(name, detail) {
      this.dispatchEvent(new CustomEvent(`mostrador-${name}`, { bubbles: true, composed: true, detail }));
    }

    // Storage may be blocked: then a reload begins a new conversation, and nothing else changes.
    #load() {
      try {
        return JSON.parse(sessionStorage.getItem(`mostrador ${home}`)) ?? {};
      } catch {
        return {};
      }
    }

    #save() {
      const kept = { conversation: this.#conversation ?? this.#refused, open: this.#parts?.dialog.open, draft: this.#parts?.input.value };
      try {
        sessionStorage.setItem(`mostrador ${home}`, JSON.stringify(kept));
      } catch {
        // The conversation goes on in memory.
      }
    }
  }

  function narrow() {
    return matchMedia("(max-width: 480px), (max-height: 520px)").matches;
  }

  function iso(value) {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? null : typeof value === "string" ? value : date.toISOString();
  }

  function pause(milliseconds, signal) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
    });
  }

  function later() {
    const made = {};
    made.promise = new Promise((resolve) => { made.resolve = resolve; });
    return made;
  }

  MostradorChat.parts = { EventText, pieces, fill };
  customElements.define(TAG, MostradorChat);

  function place() {
    if (!document.querySelector(TAG)) document.body.append(document.createElement(TAG));
  }
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", place);
  else place();
})();
