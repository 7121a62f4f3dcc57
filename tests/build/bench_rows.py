#!/usr/bin/env python3
"""bench_cuda whose device fails on the way: the rows before that are in its JSON.

Usage: bench_rows.py BENCH
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def run(file, fail_at):
    """Exit status, and rows by case; none: there is no file."""
    environment = dict(os.environ, TOCSIN_CUDA_FAIL_AT=str(fail_at), TOCSIN_DATA="/nonexistent")
    done = subprocess.run([sys.argv[1], "--emulate", "--quick", "--json", file], env=environment, capture_output=True, check=False)
    cases = json.loads(file.read_text())["cases"] if file.is_file() else []
    return done.returncode, [[row["avatars"] for row in case["rows"]] for case in cases]


with tempfile.TemporaryDirectory() as name:
    file = pathlib.Path(name) / "bench.json"
    whole = run(file, 10**9)
    expect(whole == (0, [[1, 16], [16]]), f"a device that works: {whole}")
    found = []
    fail_at = 200
    while (fail_at := fail_at * 5 // 4) < 100_000:
        file.unlink(missing_ok=True)
        status, rows = run(file, fail_at)
        if status == 0:
            break
        expect(status == 3, f"call {fail_at} fails: {status}")
        if rows not in found:
            found.append(rows)
    expect([] in found and [[1]] in found and [[1, 16]] in found, f"each row is kept once it is there: {found}")
    expect([p.name for p in pathlib.Path(name).iterdir()] in ([], ["bench.json"]), "nothing else is left")
print("rows before a failure: as they must be")
