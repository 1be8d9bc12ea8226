// Prints how large the widget is as it is sent, and fails past the limit.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT = 20_000;
const text = readFileSync(new URL("widget.js", import.meta.url));
const size = gzipSync(text, { level: 9 }).length;
console.log(`widget.js: ${text.length} bytes, ${size} gzipped, ${LIMIT} allowed`);
process.exitCode = size < LIMIT ? 0 : 1;
