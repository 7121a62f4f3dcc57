#!/usr/bin/env bash
# scripts/check_package.sh BUILD: installs a finished build into a fresh prefix, then builds and runs the consumer
# project (tests/consumer) against what was installed and nothing else.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

prefix=$PWD/$1/package/prefix consumer=$PWD/$1/package/consumer
rm -rf "$prefix" "$consumer"
cmake --install "$1" --prefix "$prefix"

"$prefix/bin/tocsin" --version
for file in share/tocsin/avatar_models/humanoid16.json share/tocsin/avatar_models/humanoid_hands.json share/doc/tocsin/LICENSE include/tocsin/tocsin.h \
  include/tocsin/client.h share/tocsin/proto/tocsin/v1/collision.proto; do
  [ -s "$prefix/$file" ] || die "not installed: $file"
done

cmake -S tests/consumer -B "$consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$consumer" --parallel "$jobs"
ctest --test-dir "$consumer" --output-on-failure --no-tests=error
say "the installed package works: $prefix"
