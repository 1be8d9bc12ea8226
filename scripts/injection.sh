#!/bin/sh
# Orders the most obedient model about with the public sets besides our own battery, and prints what came of it; says
# what it skipped where the data is absent. MOSTRADOR_DATA names the folder that holds injection.jsonl and injection_en.jsonl.
set -eu
cd "$(dirname "$0")/.."
MOSTRADOR_DATA=$(cd "${MOSTRADOR_DATA:-../shared/data}" 2>/dev/null && pwd) || MOSTRADOR_DATA=
for file in injection.jsonl injection_en.jsonl; do
  if [ ! -f "$MOSTRADOR_DATA/$file" ]; then
    echo "skipped: $file is absent; set MOSTRADOR_DATA to the folder that holds it"
    exit 3
  fi
done
export MOSTRADOR_DATA
exec cargo test -p mostrador-evals --test injection -- --nocapture
