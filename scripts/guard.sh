#!/usr/bin/env bash
# Counts the instructions of fixed workloads (bench/guard) and compares them with bench/guard/baseline.json: a
# slowdown shows, however noisy the machine. Options and exit status: bench/guard/guard.py --help.
#   scripts/guard.sh                   compares; fails beyond 2 %
#   scripts/guard.sh --update "WHY"    ... and makes the counts that are off the new baseline
#   scripts/guard.sh --repeat 3        shows that counts repeat
#   scripts/guard.sh --steps           instructions per step of bench_step's cases instead (a minute or two)
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

need build test
if [ "${1:-}" = --steps ]; then
  build release bench_step $measured
  exec python3 -B bench/guard/steps.py build/bin/bench_step
fi
build release bench_guard $measured
exec python3 -B bench/guard/guard.py build/bin/bench_guard "$@"
