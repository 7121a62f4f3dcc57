#!/usr/bin/env bash
# scripts/tidy.sh BUILD [FILE...]: clang-tidy 14 with the checks of .clang-tidy, on every source of src/ or on
# FILEs. BUILD is a configured build folder, for its compile_commands.json.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

build=$1
shift
if [ $# -gt 0 ]; then
  files=("$@")
else
  # Those that the build compiles: without CUDA, not what includes its headers.
  mapfile -t files < <(find src -name '*.cpp' | sort | while IFS= read -r file; do
    ! grep -qF "$PWD/$file\"" "$build/compile_commands.json" || echo "$file"
  done)
fi
# clang-tidy counts the warnings it hides; that noise is dropped.
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$jobs" clang-tidy-14 -p "$build" --quiet --warnings-as-errors='*' 2> \
    >(grep -v ' warnings\? generated\.$' >&2) || die "clang-tidy is not content (see above)"
say "clang-tidy: ${#files[@]} files, nothing found"
