#!/usr/bin/env bash
# scripts/deb.sh: Debian packages of a build with shared libraries: dist/tocsin_*.deb (command, models, manual, service),
# libtocsin0.2 and libtocsin-dev, of what Debian has: without CUDA's kernels, as shared libraries would need NVIDIA's runtime,
# which is no part of Debian. scripts/package.sh has them. scripts/check_deb.sh tries them in a root of their own.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

need build deb
folder=build/deb
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_INSTALL_RPATH=ON \
  -DBUILD_SHARED_LIBS=ON -DTOCSIN_CUDA=OFF -DTOCSIN_DEBIAN=ON -DTOCSIN_UNITY_BUILD=ON -DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_PYTHON=OFF
cmake --build "$folder" --parallel "$jobs"
rm -rf "$folder/man" "$folder/packages"
python3 scripts/man_pages.py "$folder/bin/tocsin" "$folder/man"
gzip -9n "$folder"/man/*.1
(cd "$folder" && cpack >cpack.log 2>&1) || { tail -n 20 "$folder/cpack.log" >&2; die "cpack failed"; }
mkdir -p dist
cp "$folder"/packages/*.deb dist/
(cd dist && ls -l -- *.deb)
