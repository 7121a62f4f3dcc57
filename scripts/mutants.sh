#!/usr/bin/env bash
# Puts one small fault after another into the sources, the mutants of tests/mutants/*.txt, and shows that a fast test finds
# each. A mutant that survives is a missing test. Exit status: 0 all are found, 1 not so, 2 the list or the call is wrong.
#   scripts/mutants.sh                    all mutants
#   scripts/mutants.sh bounds/box graze   those whose name, file or list contains one of the patterns (* and ? match)
#   scripts/mutants.sh --list             their names and files, nothing is built
#   scripts/mutants.sh --check            only whether the list fits the sources (a fast test)
#   scripts/mutants.sh --jobs N           N mutants at a time (as many as there are cores)
# No source is touched: a mutant is a changed copy of one file in build/mutants, compiled and linked before the original.
# The originals are those of build/ if it has tests and no batches, else of build/mutants/tree, which is built first.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

for argument; do
  case $argument in
    --list | --check | --help | -h) exec python3 -B scripts/mutants.py "$@" ;;
  esac
done

need build test
# A setting that a cache keeps: is_on FOLDER NAME
is_on() { grep -qsE "^$2:BOOL=(ON|TRUE|1)" "$1/CMakeCache.txt"; }
folder=build
if ! is_on build TOCSIN_BUILD_TESTS || is_on build TOCSIN_UNITY_BUILD; then
  folder=build/mutants/tree
  configure release -B "$folder" -DTOCSIN_BUILD_TESTS=ON -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_CUDA=OFF
fi
exec python3 -B scripts/mutants.py --build "$folder" --jobs "$jobs" "$@"
