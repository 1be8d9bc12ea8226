# Sourced by the scripts that measure: goes to the project's root, ends where the data ($1) is absent, and leaves the
# program in MOSTRADOR, built where none is named (with `--embed` among the arguments, by the feature local-embed).
cd "$(dirname "$0")/.."
data=${MOSTRADOR_DATA:-../shared/data}
if [ ! -f "$data/$1" ]; then
  echo "skipped: $data/$1 is absent; set MOSTRADOR_DATA to the folder that holds it"
  exit 0
fi
shift
if [ -z "${MOSTRADOR:-}" ]; then
  case " $* " in *" --embed "*) features="--features local-embed" ;; *) features="" ;; esac
  # shellcheck disable=SC2086 # Empty, it is no word.
  cargo build --release --quiet -p mostrador $features
  MOSTRADOR=${CARGO_TARGET_DIR:-target}/release/mostrador
  export MOSTRADOR
fi
