#!/bin/sh
# Measures search on public data and prints Markdown tables; says what it skipped where the data is absent.
#   scripts/xquad.sh [--embed FOLDER]     FOLDER: config.json, model.safetensors, tokenizer.json of a local embedder
# MOSTRADOR names the program (else it is built: with --embed by the feature local-embed), MOSTRADOR_DATA the data.
set -eu
program() { . "$(dirname "$0")/program.sh"; }
program xquad_passages.jsonl "$@"
venv=${CARGO_TARGET_DIR:-target}/venv-measure
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
fi
if ! "$venv/bin/python" -c "import bm25s" 2>/dev/null; then
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check bm25s==0.3.16 || {
    echo "skipped: the package bm25s cannot be installed"
    exit 0
  }
fi
exec "$venv/bin/python" scripts/xquad.py "$@"
