#!/usr/bin/env bash
# Files what go.sh of the GPU kit has found: bench/results/<gpu>/, and the tables of docs/cuda.md and docs/gl.md.
#   scripts/keep_gpu_results.sh DIR     the folder that go.sh was given, or its results.tar.gz
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,3s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
exec python3 "$here/scripts/gpu_kit/keep.py" "$1" --root "$here"
