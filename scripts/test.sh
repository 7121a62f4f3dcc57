#!/usr/bin/env bash
# ./run test: the tiers as a row of named stages. Stops at the first stage that fails; always closes with a
# table of the stages and the number of tests that passed and failed.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

tier=${1:-fast}
case $tier in
  fast | full | soak) ;;
  *) die "unknown tier: $tier (fast, full or soak)" ;;
esac

# llvmpipe is among the packages: a test that finds no OpenGL fails instead of being skipped.
export TOCSIN_NEEDS_GL=1

results=build/test-results
rm -rf "$results"
mkdir -p "$results"

# stage NAME COMMAND...: runs one stage; its output is shown, and kept in build/test-results/NAME.log.
names=() verdicts=() durations=()
failed_stage=
stage() {
  local name=$1 began=$SECONDS status=0
  shift
  printf '\n== %s ==\n' "$name"
  # A subshell with -e of its own: inside `if` or `||` bash would ignore a failing command in a function.
  set +e
  (
    set -e
    "$@"
  ) 2>&1 | tee "$results/${name// /-}.log"
  status=${PIPESTATUS[0]}
  set -e
  names+=("$name")
  durations+=($((SECONDS - began)))
  if [ "$status" -eq 0 ]; then
    verdicts+=(ok)
  else
    verdicts+=(FAILED)
    failed_stage=$name
    exit 1
  fi
}

summary() {
  local status=$? i passed failed skipped
  trap - EXIT
  printf '\n== summary: %s tier, %d cores ==\n' "$tier" "$cores"
  for i in "${!names[@]}"; do
    printf '  %-34s %-7s %4d min %02d s\n' "${names[$i]}" "${verdicts[$i]}" \
      $((durations[i] / 60)) $((durations[i] % 60))
  done
  printf '  %-34s %-7s %4d min %02d s\n' total '' $((SECONDS / 60)) $((SECONDS % 60))
  read -r passed failed skipped < <(python3 scripts/count_tests.py "$results"/*.xml) || passed=0 failed=1 skipped=0
  if [ "$status" -ne 0 ]; then
    [ -z "$failed_stage" ] || printf '\nThe stage "%s" failed; its output is in %s\n' "$failed_stage" \
      "$results/${failed_stage// /-}.log"
    python3 scripts/failed_tests.py "$results"/*.xml || true
    [ "$failed" -gt 0 ] || failed=1 # a stage that is no test run counts as one
  fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  exit "$status"
}
trap summary EXIT

# counted PRESET: runs a ctest preset, its outcome kept for the summary. The end of what a suite says has how many cases it ran.
counted() { tests "$1" --output-junit "$PWD/$results/ctest-$1.xml" --test-output-size-passed 4000000 --test-output-size-failed 4000000; }

# batches FOLDER: files are compiled in batches, unless the folder has tests or fuzz targets already: then it stays as
# it is.
batches() { is_kept "$1" || echo -DTOCSIN_UNITY_BUILD=ON; }
is_kept() { grep -qsE '^TOCSIN_BUILD_(TESTS|FUZZ):BOOL=ON' "$1/CMakeCache.txt"; }
# one_kernel FOLDER: the fast tier compiles kernels once, for the driver to translate to any device; the full tier for
# every architecture.
one_kernel() {
  echo -DTOCSIN_CUDA_LATER=OFF
  if [ "$tier" != fast ]; then echo -DTOCSIN_CUDA_ONCE=OFF; elif ! is_kept "$1"; then echo -DTOCSIN_CUDA_ONCE=ON; fi
}
build_everything() {
  build release all -DTOCSIN_BUILD_TESTS=ON -DTOCSIN_BUILD_BENCH=ON $(batches build) $(one_kernel build)
  [ "$tier" != full ] || build release tests_full
}
everything="io gl cuda client service view c"
# package FOLDER OPTION...: a build without tests in a folder of its own.
package() {
  cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_PYTHON=OFF "${@:2}"
  cmake --build "$1" --parallel "$jobs"
}
# In the fast tier what the release build has made anyhow is staged, neither compiled for every device nor packed.
portable() {
  local folders
  rm -rf build/package/portable
  scripts/package.sh build
  folders=(build/package/portable/*)
  scripts/check_portable.sh "${folders[0]}"
}
packed() {
  local version
  scripts/package.sh
  version=$(sed -n 's/.*kVersion = "\([0-9.]*\)".*/\1/p' include/tocsin/version.h)
  scripts/check_portable.sh "dist/tocsin-$version-linux-x86_64.tar.xz"
}
smallest="-DTOCSIN_IO=OFF -DTOCSIN_GL=OFF -DTOCSIN_CUDA=NONE -DTOCSIN_CLIENT=OFF -DTOCSIN_SERVICE=OFF -DTOCSIN_VIEW=OFF"
# The fast tier tests what the release build has made anyhow: the engine alone, and with every component.
other_packages() {
  package build/smallest $smallest -DTOCSIN_C=OFF
  scripts/check_package.sh build/smallest
  package build/smallest-shared $smallest -DBUILD_SHARED_LIBS=ON
  scripts/check_package.sh build/smallest-shared c
  package build/shared -DBUILD_SHARED_LIBS=ON
  scripts/check_package.sh build/shared $everything
}
# Optimised by g++ and clang, with sanitizers (little optimised), and in the full tier not optimised at all.
same_bits() {
  local target=tocsin_command program=tocsin
  # The fast tier compiles what a check needs; the sanitized build has shown that clang compiles the rest. The full tier
  # compiles the command, file by file, so that a file that needs another's includes does not compile.
  if [ "$tier" = fast ]; then target=tocsin_check_alone program=tocsin_check_alone; fi
  build clang "$target" "-DTOCSIN_UNITY_BUILD=$([ "$tier" = fast ] && echo ON || echo OFF)" \
    "-DTOCSIN_FAST_LEVEL=$([ "$tier" = fast ] && echo -O0 || echo -O1)"
  scripts/hash_everywhere.sh build/bin/tocsin "build/clang/bin/$program" build/asan/bin/tocsin "$@"
}
same_bits_and_debug() {
  build debug tocsin_command
  same_bits build/debug/bin/tocsin
}
# Where a wrong access may be. What only computes, and pictures, wait for the full tier. So do the checks of every
# pointer that is followed: they take a fifth of the time to compile, and AddressSanitizer finds most of what they find.
# Fuzz targets are of the same build: the floors are compiled with sanitizers once.
fewer_checks() { is_kept "$1" || echo -DTOCSIN_SANITIZE_NOT=null,alignment,object-size,vptr; }
memory_tests() {
  build asan tests_memory $(batches build/asan) $(fewer_checks build/asan)
  counted asan
}
asan_tests() {
  build asan all $(batches build/asan)
  counted asan-full
}
tsan_tests() {
  build tsan "$1" $(batches build/tsan)
  counted "$2"
}
fuzzing() {
  build asan fuzz_targets
  scripts/fuzz.sh build/asan "$1"
}
tidy() {
  configure clang -DTOCSIN_UNITY_BUILD=OFF # clang-tidy reads which files there are
  scripts/tidy.sh build/clang
}

stage "packages" need build python test package
stage "format" scripts/format.sh --check
stage "release build" build_everything
case $tier in
  fast)
    stage "tests" counted fast
    stage "installed package" scripts/check_package.sh build $everything
    stage "portable package" portable
    stage "tests under ASan and UBSan" memory_tests
    stage "same bits everywhere" same_bits
    stage "tests under TSan" tsan_tests tests_threads tsan
    stage "fuzzing" fuzzing 6
    ;;
  full)
    stage "tests" counted full
    stage "mutants" scripts/mutants.sh
    stage "installed package" scripts/check_package.sh build $everything
    stage "installed packages, smallest and shared" other_packages
    stage "portable package" packed
    stage "wheel" scripts/check_wheel.sh
    stage "Debian packages" scripts/deb.sh
    stage "tests under ASan and UBSan" asan_tests
    stage "same bits everywhere" same_bits_and_debug
    stage "tests under TSan" tsan_tests tests_threads_full tsan-full
    stage "clang-tidy" tidy
    stage "instruction counts" scripts/guard.sh
    stage "fuzzing" fuzzing 600
    ;;
  soak)
    stage "tests" counted soak
    ;;
esac
