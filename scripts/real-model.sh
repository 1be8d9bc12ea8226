#!/bin/sh
# Runs the suites of the examples against a real language model and prints what share of the cases passed, in Markdown.
#   scripts/real-model.sh [--runs N] [SHOP…]     three runs, examples/tienda, examples/magazin and examples/shop
# The model: LLM_BASE_URL, LLM_MODEL and LLM_API_KEY where they are set; else a small one is started on loopback by
# MODELS/start-llm.sh (MODELS: ../shared/models; MODEL: qwen2.5-coder-1.5b) and ended again.
# MOSTRADOR names the program, else it is built. Nothing is released by it, and CI does not run it.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${MOSTRADOR:-}" ]; then
  cargo build --release --quiet -p mostrador
  MOSTRADOR=${CARGO_TARGET_DIR:-target}/release/mostrador
  export MOSTRADOR
fi
if [ -z "${LLM_BASE_URL:-}" ]; then
  starter=${MODELS:-../shared/models}/start-llm.sh
  if [ ! -f "$starter" ]; then
    echo "nothing was run: no LLM_BASE_URL is set and $starter is absent; set one of LLM_BASE_URL and MODELS" >&2
    exit 2
  fi
  mkdir -p "${CARGO_TARGET_DIR:-target}/models"
  MODELS_HOME=${MODELS_HOME:-$(cd "${CARGO_TARGET_DIR:-target}/models" && pwd)}
  MODEL=${MODEL:-qwen2.5-coder-1.5b}
  export MODELS_HOME MODEL
  port=${LLM_PORT:-18082}
  if ! bash "$starter" status "$port" >/dev/null 2>&1; then
    trap 'bash "$starter" stop "$port" >&2' EXIT
    trap 'exit 1' INT TERM
  fi
  started=$(bash "$starter" start "$port")
  LLM_BASE_URL=$(echo "$started" | sed -n 's/^BASE_URL=//p')
  LLM_MODEL=$(echo "$started" | sed -n 's/^MODEL=//p')
  export LLM_BASE_URL LLM_MODEL
fi
python3 scripts/real_model.py "$@"
