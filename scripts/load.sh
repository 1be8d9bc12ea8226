#!/usr/bin/env bash
# The whole way of a question over HTTP under load, beside a bare axum server on the same machine in the same run:
#   scripts/load.sh [SECONDS]
# Needs wrk (Debian's package). Everything stays on 127.0.0.1 and ends by itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-10}
command -v wrk >/dev/null || { echo "wrk is not installed; apt-get install wrk" >&2; exit 2; }
cargo build --release --workspace --bin mostrador --example load --example keep
out=${CARGO_TARGET_DIR:-target}/release
work=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -Hn)"

cp -r examples/tienda "$work/shop"
rm -rf "$work/shop/state"
{
    printf 'release_gate = "warn"\n'
    sed -e '/^\[limits\]/a address_minute = 0\naddress_hour = 0\naddress_day = 0\nsession_minute = 0' \
        -e '/^\(monthly\|daily\)_cap/d' examples/tienda/shop.toml
} >"$work/shop/shop.toml"
cat >"$work/ask.lua" <<'LUA'
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
-- Ten questions in turn: what is remembered of one is not all there is.
local asked = {
    "¿Cuánto cuesta el envío a un punto de recogida?", "¿A partir de cuánto es gratis el envío a domicilio?",
    "¿Cuánto cuesta el envío a Baleares?", "¿Cuántos días tengo para devolver una pieza?",
    "¿Se pueden devolver las piezas con un nombre grabado?", "¿En qué plazo devolvéis el importe?",
    "¿El lino de los manteles es natural?", "¿Puedo pagar con Bizum?", "¿Qué garantía tiene la vajilla?",
    "¿Dais cursos de torno para niños?",
}
local requests = {}
local at = 0
init = function()
    for number, question in ipairs(asked) do
        requests[number] = wrk.format(nil, nil, nil, string.format('{"question": "%s"}', question))
    end
end
request = function()
    at = at % #requests + 1
    return requests[at]
end
local bad = 0
response = function(status) if status ~= 200 then bad = bad + 1 end end
done = function(summary, latency)
    io.write(string.format("%8.0f requests/s, p50 %.3f ms, p99 %.3f ms, %d requests, %d failed, %d without 200\n",
        summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        summary.requests, summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.timeout, summary.errors.status))
end
LUA

"$out/examples/load" hello 127.0.0.1:18181 &
pids+=($!)
"$out/mostrador" serve "$work/shop" --listen 127.0.0.1:18182 --log-level error >"$work/log" 2>&1 &
server=$!
pids+=("$server")
for _ in $(seq 100); do grep -q listening "$work/log" && break; sleep 0.05; done
echo "resident after the start: $(awk '/VmRSS/ {print int($2 / 1024)}' /proc/$server/status) MB"

for connections in 1 16 128; do
    for name in hello mostrador; do
        port=$([[ $name == hello ]] && echo 18181 || echo 18182)
        printf '%-10s %4d connections: ' "$name" "$connections"
        wrk -t1 -c"$connections" -d"${seconds}s" -s "$work/ask.lua" "http://127.0.0.1:$port/v1/answers" |
            grep 'requests/s,' || echo "no figure"
    done
done
kill "$server"
wait "$server" || true
echo "the store alone, without HTTP and without a question being answered:"
"$out/examples/keep"
"$out/mostrador" serve "$work/shop" --listen 127.0.0.1:18182 --log-level error >"$work/log" 2>&1 &
server=$!
pids+=("$server")
for _ in $(seq 100); do grep -q listening "$work/log" && break; sleep 0.05; done
echo "streaming, one connection:"
"$out/examples/load" first-byte 127.0.0.1:18182 2000
echo "slow readers:"
"$out/examples/load" slow 127.0.0.1:18182
echo "idle streams:"
"$out/examples/load" idle 127.0.0.1:18182 10000 "$server"
