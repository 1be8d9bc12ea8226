#!/bin/sh
# Measures search on public data and prints Markdown tables; says what it skipped where the data is absent.
#   scripts/xquad.sh [--embed FOLDER]     FOLDER: config.json, model.safetensors, tokenizer.json of a local embedder
# MOSTRADOR names the program (else it is built: with --embed by the feature local-embed), MOSTRADOR_DATA the data.
set -eu
cd "$(dirname "$0")/.."
data=${MOSTRADOR_DATA:-../shared/data}
if [ ! -f "$data/xquad_passages.jsonl" ]; then
  echo "skipped: $data/xquad_passages.jsonl is absent; set MOSTRADOR_DATA to the folder that holds it"
  exit 0
fi
if [ -z "${MOSTRADOR:-}" ]; then
  case " $* " in *" --embed "*) features="--features local-embed" ;; *) features="" ;; esac
  # shellcheck disable=SC2086 # Empty, it is no word.
  cargo build --release --quiet -p mostrador $features
  MOSTRADOR=${CARGO_TARGET_DIR:-target}/release/mostrador
  export MOSTRADOR
fi
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
