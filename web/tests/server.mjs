// Starts what the browser tests talk to: the real program where MOSTRADOR_BIN names it, else the double.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Double } from "./double.mjs";
import { SHOPS } from "./shops.mjs";

const PROGRAM = process.env.MOSTRADOR_BIN;

/** The reason to skip a test whose faults only the double can script; false where it can run. */
export const scripted = PROGRAM ? "scripts what the server says, which only the double can" : false;

/** The reason to skip a test of what only the program has, such as its console; false where it can run. */
export const real = PROGRAM ? false : "needs the program itself (MOSTRADOR_BIN)";

/** A server for the shop of a language: `url`, `stop()`, and `double` where it is one. */
export async function serve(language) {
  return PROGRAM ? program(SHOPS[language].folder) : double(language);
}

async function double(language) {
  const server = new Double(language);
  return { url: await server.start(), double: server, stop: () => server.stop() };
}

/**
 * The program over a copy of a shop's folder, since it writes its state there: `url`, `setup` (the link that makes the
 * first owner), `folder`, `end()`, and `stop()`, which also takes the copy away. `config` stands in for the shop's own `shop.toml`; its cases, which are about that, are
 * then left behind.
 */
export async function program(shop, config) {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-shop-"));
  cpSync(fileURLToPath(new URL(shop, import.meta.url)), folder, {
    recursive: true,
    filter: (source) => !source.endsWith("/state") && !(config && source.endsWith("/cases")),
  });
  // No suite was run over the copy, and one browser asks for many.
  const file = join(folder, "shop.toml");
  writeFileSync(file, `release_gate = "warn"\n${unlimited(config ?? readFileSync(file, "utf8"))}`);
  const child = spawn(PROGRAM, ["serve", folder, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let complaints = "";
  const died = new Promise((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${complaints}`)));
  });
  died.catch(() => {});
  const said = (stream, pattern) => Promise.race([died, new Promise((resolve) => {
    stream.on("line", (line) => {
      const found = pattern.exec(line);
      if (found) resolve(found[1]);
    });
  })]);
  const errors = createInterface({ input: child.stderr });
  errors.on("line", (line) => { complaints += `${line}\n`; });
  const [url, setup] = await Promise.all([
    said(createInterface({ input: child.stdout }), /^listening on (http:\/\/\S+)/),
    said(errors, /make the first owner within the hour: (http:\/\/\S+)/),
  ]);
  const end = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return {
    url,
    setup,
    folder,
    end,
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unlimited(config) {
  const limits = "address_minute = 0\naddress_hour = 0\naddress_day = 0\nsession_minute = 0\n";
  return config.includes("[limits]\n") ? config.replace("[limits]\n", `[limits]\n${limits}`) : `${config}\n[limits]\n${limits}`;
}
