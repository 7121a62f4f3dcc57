#!/usr/bin/env python3
"""Instructions per step, of every case of bench_step: steps.py BENCH_STEP

The whole step by Detector::check, by Stream::check, and by the frozen reference; and the part that every step
pays, forward kinematics and coarse bounds. Counted like guard.py's, at the SIMD target that valgrind knows (AVX2).
"""

import os
import sys

import callgrind

ROWS = ("coarse bounds", "check", "stream", "reference")


def main() -> None:
    printed, counts = callgrind.count([os.path.abspath(sys.argv[1]), "--count", *sys.argv[2:]])
    lines = [line.split("\t") for line in printed.splitlines()]
    if len(lines) != len(counts):
        callgrind.fail(f"{len(lines)} rows but {len(counts)} counts")
    table: dict[str, dict[str, float]] = {}
    for (case, row, steps), counted in zip(lines, counts):
        table.setdefault(case, {})[row] = counted / int(steps)
    print(f"{'instructions per step':<22}" + "".join(f"{row:>14}" for row in ROWS) + f"{'ref/check':>11}{'ref/stream':>11}")
    for case, row in table.items():
        cells = "".join(f"{row[name]:>14,.0f}" for name in ROWS)
        print(f"{case:<22}{cells}{row['reference'] / row['check']:>11.2f}{row['reference'] / row['stream']:>11.2f}")


if __name__ == "__main__":
    main()
