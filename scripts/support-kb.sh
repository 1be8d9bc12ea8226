#!/bin/sh
# Measures search on a support knowledge base and prints a Markdown table; says what it skipped where the data is absent.
#   scripts/support-kb.sh [--embed FOLDER]     FOLDER: config.json, model.safetensors, tokenizer.json of a local embedder
# MOSTRADOR names the program (else it is built: with --embed by the feature local-embed), MOSTRADOR_DATA the data.
set -eu
cd "$(dirname "$0")/.."
data=${MOSTRADOR_DATA:-../shared/data}
if [ ! -f "$data/support_kb_documents.jsonl" ]; then
  echo "skipped: $data/support_kb_documents.jsonl is absent; set MOSTRADOR_DATA to the folder that holds it"
  exit 0
fi
if [ -z "${MOSTRADOR:-}" ]; then
  case " $* " in *" --embed "*) features="--features local-embed" ;; *) features="" ;; esac
  # shellcheck disable=SC2086 # Empty, it is no word.
  cargo build --release --quiet -p mostrador $features
  MOSTRADOR=${CARGO_TARGET_DIR:-target}/release/mostrador
  export MOSTRADOR
fi
exec python3 scripts/support_kb.py "$@"
