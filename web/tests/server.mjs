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

/** A server for the shop of a language: `url`, `stop()`, and `double` where it is one. */
export async function serve(language) {
  return PROGRAM ? program(SHOPS[language]) : double(language);
}

async function double(language) {
  const server = new Double(language);
  return { url: await server.start(), double: server, stop: () => server.stop() };
}

// On a copy: the program writes its state into the folder.
async function program(shop) {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-shop-"));
  cpSync(fileURLToPath(new URL(shop.folder, import.meta.url)), folder, {
    recursive: true,
    filter: (source) => !source.endsWith("/state"),
  });
  // No suite was run over the copy, and one browser asks for many.
  const config = join(folder, "shop.toml");
  writeFileSync(config, `release_gate = "warn"\n${unlimited(readFileSync(config, "utf8"))}`);
  const child = spawn(PROGRAM, ["serve", folder, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let complaints = "";
  child.stderr.on("data", (data) => { complaints += data; });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^listening on (http:\/\/\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${complaints}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unlimited(config) {
  const limits = "address_minute = 0\naddress_hour = 0\naddress_day = 0\nsession_minute = 0\n";
  return config.includes("[limits]\n") ? config.replace("[limits]\n", `[limits]\n${limits}`) : `${config}\n[limits]\n${limits}`;
}
