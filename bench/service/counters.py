#!/usr/bin/env python3
"""What the service's counters cost a step: instructions, by callgrind, and nanoseconds.

Usage: bench/service/counters.py BUILD/bin/bench_counters
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "guard"))
import callgrind  # noqa: E402


def main() -> int:
    program = sys.argv[1]
    nanoseconds = min(float(subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()[1]) for _ in range(9))
    printed, (without, counted) = callgrind.count([program])
    steps = int(printed.split()[0])
    print(f"counters of a step: {(counted - without) / steps:.0f} instructions, {nanoseconds:.0f} ns (least of 9 runs)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
