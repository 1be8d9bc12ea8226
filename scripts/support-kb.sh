#!/bin/sh
# Measures search on a support knowledge base and prints a Markdown table; says what it skipped where the data is absent.
#   scripts/support-kb.sh [--embed FOLDER]     FOLDER: config.json, model.safetensors, tokenizer.json of a local embedder
# MOSTRADOR names the program (else it is built: with --embed by the feature local-embed), MOSTRADOR_DATA the data.
set -eu
program() { . "$(dirname "$0")/program.sh"; }
program support_kb_documents.jsonl "$@"
exec python3 scripts/support_kb.py "$@"
