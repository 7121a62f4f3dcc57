#!/usr/bin/env bash
# scripts/check_package.sh BUILD [COMPONENT...]: installs a finished build into a fresh prefix, then builds and runs the
# consumer project (tests/consumer) against what was installed and nothing else. The package must have these components
# and no other of io, gl, cuda, client, service, view and c.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

build=$1 prefix=$PWD/$1/package/prefix consumer=$PWD/$1/package/consumer
shift
rm -rf "$prefix" "$consumer" "$consumer-c"
cmake --install "$build" --prefix "$prefix"

files="share/doc/tocsin/LICENSE include/tocsin/tocsin.h share/tocsin/proto/tocsin/v1/collision.proto"
if [[ " $* " = *" service "* ]]; then
  "$prefix/bin/tocsin" --version
  files="$files share/tocsin/avatar_models/humanoid16.json share/tocsin/avatar_models/humanoid_hands.json include/tocsin/client.h"
fi
for file in $files; do
  [ -s "$prefix/$file" ] || die "not installed: $file"
done

components=$(
  IFS=';'
  echo "$*"
)
cmake -S tests/consumer -B "$consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DCOMPONENTS="$components"
cmake --build "$consumer" --parallel "$jobs"
ctest --test-dir "$consumer" --output-on-failure --no-tests=error
if [[ " $* " = *" c "* ]]; then
  cmake -S tests/consumer/c -B "$consumer-c" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$consumer-c" --parallel "$jobs"
  ctest --test-dir "$consumer-c" --output-on-failure --no-tests=error
fi
say "the installed package works: $prefix (components: ${components:-none})"
