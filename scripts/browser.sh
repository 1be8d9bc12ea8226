#!/usr/bin/env bash
# The pages in a real browser over the real program: scripts/browser.sh
# Needs node with npm and Chromium; on Debian, as root, it installs what is missing. Screenshots are left in
# web/screenshots/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[[ -n ${CHROMIUM:-} ]] || command -v chromium >/dev/null || missing+=(chromium)
if ((${#missing[@]})); then
    command -v apt-get >/dev/null || { echo "install ${missing[*]} first" >&2; exit 2; }
    apt-get update -qq
    apt-get install --yes --no-install-recommends -qq "${missing[@]}" fonts-noto-core fonts-noto-cjk >/dev/null
fi
cargo build --workspace --bin mostrador
program=${CARGO_TARGET_DIR:-target}/debug/mostrador
cd web
npm ci --no-audit --no-fund --silent
case $program in /*) ;; *) program=../$program ;; esac
npm test --silent
MOSTRADOR_BIN=$(realpath "$program") npm test --silent
