#!/usr/bin/env python3
"""Compares the instruction counts of bench_guard's workloads with a baseline.

    guard.py BENCH_GUARD [WORKLOAD...]           all workloads, or some
    guard.py BENCH_GUARD --update "REASON"       also writes what is off, or new, into the baseline
    guard.py BENCH_GUARD --repeat 3              counts several times: do the counts repeat?

Counted by valgrind's callgrind: cachegrind's instruction counts, but of one function's calls only. Starting a
program costs some 100,000 instructions more or less from run to run (seen in libraries' own start), which
would drown small workloads. What is counted does not depend on what else the machine does. Exit status: 0 all
within the tolerance, or not comparable here (says why); 1 not; 2 cannot run.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import sys

import callgrind

# Counts of the same program repeat to 0.03 %: what is beyond 2 % was changed by someone. Smaller, and every
# change of an unrelated line has to be explained.
TOLERANCE = 0.02
# What a count may differ by from run to run (--repeat).
REPEATABLE = 0.001
BASELINE = pathlib.Path(__file__).with_name("baseline.json")
UPDATE = 'scripts/guard.sh --update "why"'


def count(program: str, name: str) -> dict:
    """Instructions of the workload's work, and its outcome."""
    printed, counts = callgrind.count([program, name])
    if len(counts) != 1 or counts[0] == 0:
        callgrind.fail(f"nothing was counted of {name}")
    return {"instructions": counts[0], "outcome": int(printed.split()[1])}


def count_all(program: str, names: list[str]) -> dict:
    # A process a core: counts do not know of each other.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(lambda name: count(program, name), names)))


def verdict(found: dict, known: dict | None) -> tuple[str, bool]:
    if known is None:
        return "not in the baseline", False
    change = found["instructions"] / known["instructions"] - 1.0
    if abs(change) <= TOLERANCE:
        return f"{100 * change:+.2f} %", True
    word = "more" if change > 0 else "less: better; keep it by a new baseline"
    note = "" if found["outcome"] == known["outcome"] else f"; outcome was {known['outcome']}"
    return f"{100 * change:+.1f} %  {word}{note}", False


def compare(found: dict, about: dict, baseline: dict) -> list[str]:
    """Prints the table; the workloads that are off."""
    off = []
    what = {w["name"]: w for w in about["workloads"]}
    print(f"{'workload':<14} {'baseline':>13} {'now':>13}  {'outcome':<22} change")
    for name, counted in found.items():
        known = baseline.get("workloads", {}).get(name)
        text, fine = verdict(counted, known)
        if not fine:
            off.append(name)
        outcome = f"{counted['outcome']} {what[name]['outcome']}"
        before = f"{known['instructions']:,}" if known else ""
        print(f"{name:<14} {before:>13} {counted['instructions']:>13,}  {outcome:<22} {text}")
    return off


def update(found: dict, off: list[str], about: dict, baseline: dict, reason: str) -> None:
    """Writes what is off. The others keep their counts, so that small changes cannot add up unseen."""
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    workloads = dict(baseline.get("workloads", {}))
    for name in off:
        workloads[name] = {**found[name], "date": today, "reason": reason}
    known = {w["name"] for w in about["workloads"]}
    workloads = {name: workloads[name] for name in sorted(workloads) if name in known}
    out = {"format": "tocsin.guard.v1", **conditions(about), "workloads": workloads}
    BASELINE.write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nwrote {len(off)} counts to {BASELINE.name}: {', '.join(off) or 'none was off'}")


def conditions(about: dict) -> dict:
    return {key: about[key] for key in ("compiler", "flags", "simd")}


def repeats(program: str, names: list[str], times: int) -> int:
    worst = 0.0
    runs = [count_all(program, names) for _ in range(times)]
    for name in names:
        counts = [run[name]["instructions"] for run in runs]
        spread = (max(counts) - min(counts)) / min(counts)
        worst = max(worst, spread)
        print(f"{name:<14} {counts}  spread {100 * spread:.4f} %")
    print(f"\nworst spread of {times} counts: {100 * worst:.4f} %")
    return 0 if worst <= REPEATABLE else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Instruction counts against a baseline.")
    parser.add_argument("program", help="bench_guard")
    parser.add_argument("workloads", nargs="*", help="some of them (all)")
    parser.add_argument("--update", metavar="REASON", help="write what is off into the baseline, with a reason")
    parser.add_argument("--repeat", type=int, default=0, metavar="N", help="count N times, compare with each other")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    about = json.loads(callgrind.under_valgrind(["--tool=none"], [program, "--about"]))
    if not about["simd"]:
        print("skipped: this processor has no AVX2; counts of other instructions cannot be compared")
        return 0
    names = args.workloads or [w["name"] for w in about["workloads"]]
    if args.repeat > 1:
        return repeats(program, names, args.repeat)

    baseline = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    here = conditions(about)
    other = [f"{key} {baseline[key]!r}, here {here[key]!r}" for key in here if baseline and baseline.get(key) != here[key]]
    if other and args.update is None:
        print(f"skipped: the baseline is of another build, so counts cannot be compared: {'; '.join(other)}")
        return 0
    if other:
        if args.workloads:
            callgrind.fail("the baseline is of another build: all workloads must be counted anew, not some")
        baseline = {}  # counts of another compiler say nothing about this one
    found = count_all(program, names)
    off = compare(found, about, baseline)
    if args.update is not None:
        update(found, off, about, baseline, args.update)
        return 0
    if not off:
        print(f"\nall {len(found)} counts are within {100 * TOLERANCE:.0f} % of the baseline")
        return 0
    print(
        f"\n{len(off)} of {len(found)} counts are off by more than {100 * TOLERANCE:.0f} %: {', '.join(off)}.\n"
        f"If that is meant, write down why; the new counts then become the baseline:\n  {UPDATE}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
