#!/usr/bin/env bash
# scripts/check_wheel.sh [BUILD]: pip makes a wheel without a network, with BUILD as its build folder (build/wheel), installs it in a fresh
# virtual environment, and there the tests of the Python package pass.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

place=$PWD/build/wheel-check
rm -rf "$place"
/usr/bin/python3 -m venv --system-site-packages "$place/env"
unset PYTHONPATH
export PIP_NO_INDEX=1 # nothing is asked for
[ $# -eq 0 ] || export TOCSIN_BUILD_DIR=$1
"$place/env/bin/pip" wheel --no-deps --wheel-dir "$place" .
"$place/env/bin/pip" install "$place"/tocsin-*.whl
"$place/env/bin/tocsin" --version
"$place/env/bin/python" -B -m pytest -q -p no:cacheprovider tests/python
say "the wheel works: $(ls "$place"/tocsin-*.whl)"
