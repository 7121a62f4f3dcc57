#!/usr/bin/env bash
# Rewrites the C++ sources with clang-format 14; with --check only says which are off, and fails then.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

options=(-i)
[ "${1:-}" != --check ] || options=(--dry-run -Werror)
mapfile -t files < <(find include src tests bench cmake examples -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | sort)
clang-format-14 "${options[@]}" "${files[@]}" || {
  echo "error: not formatted as .clang-format says (see above); ./run format does it" >&2
  exit 1
}
echo "${#files[@]} files are formatted"
