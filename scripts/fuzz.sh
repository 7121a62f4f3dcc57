#!/usr/bin/env bash
# scripts/fuzz.sh BUILD SECONDS: runs every fuzz target in BUILD/bin for SECONDS, as many at a time as there are
# cores, starting from the seeds in tests/fuzz/corpus/<target>/ (fuzz_NAME_steps: from those of NAME). A finding fails; the input that caused it lies
# in BUILD/findings/ and belongs into a test. tests/fuzz/<target>.options, if there is one, holds more of
# libFuzzer's options for that target, one a line.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

build=$1 seconds=$2
findings=$build/findings
mkdir -p "$findings"

fuzz_one() {
  local target=$1 name seeds grown log
  name=$(basename "$target")
  seeds=tests/fuzz/corpus/${name#fuzz_}
  [ -d "$seeds" ] || seeds=${seeds%_steps}
  grown=$build/corpus/$name log=$build/$name.log
  [ -n "$(ls -A "$seeds" 2>/dev/null)" ] || die "$name has no seeds in $seeds"
  mkdir -p "$grown"
  local own=tests/fuzz/$name.options more=()
  [ ! -f "$own" ] || mapfile -t more < <(grep '^-' "$own")
  stat_of() { sed -n "s/^stat::$1: *//p" "$log"; }
  if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    "${more[@]}" -artifact_prefix="$findings/$name-" "$grown" "$seeds" >"$log" 2>&1; then
    printf '%-24s %s executions in %s s, %s a second, no finding\n' "$name" \
      "$(stat_of number_of_executed_units)" "$seconds" "$(stat_of average_exec_per_sec)"
  else
    tail -n 60 "$log" >&2
    die "$name found something: see above, $log and $findings/"
  fi
}
export -f fuzz_one die
export build seconds findings

targets=("$build"/bin/fuzz_*)
[ -x "${targets[0]}" ] || die "no fuzz targets in $build/bin"
# shellcheck disable=SC2016  # $0 is for the inner shell
printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'set -euo pipefail; fuzz_one "$0"' ||
  die "fuzzing failed"
say "fuzzing: ${#targets[@]} targets, ${seconds} s each, nothing found"
