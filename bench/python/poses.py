#!/usr/bin/env python3
"""What Python costs over C++: a take of many poses in an array becomes a motion and is checked.

    bench/python/poses.py [--frames 1000000] [--rounds 5] [--threads 0] [--build build]

Both programs do the same in turn, in processes of their own; of each the best round counts. `work` is what all threads of a
process took of processors, which other programs on the machine disturb less.
"""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAKE, ROOM = ROOT / "motions" / "walk_and_reach.bvh", ROOT / "environments" / "music_room.obj"


def in_python(frames, threads):
    """As bench/python/poses.cpp."""
    import time

    import numpy as np
    import tocsin

    take = tocsin.load_motion(TAKE)
    avatar = tocsin.Avatar.auto(take)
    detector = tocsin.Detector(tocsin.load_environment(ROOM), backend="cpu", threads=threads)
    turn = 2 * (len(take) - 1)
    at = np.arange(frames) % turn
    array = take.poses[np.where(at < len(take), at, turn - at)]
    worked = time.process_time()  # all threads
    begin = time.perf_counter()
    motion = tocsin.Motion(take.skeleton, array, frame_time=take.frame_time)
    steps = motion.steps()
    made = time.perf_counter() - begin
    begin = time.perf_counter()
    contacts = tocsin.run(detector, [avatar], [steps], threads).contacts
    print(made, time.perf_counter() - begin, time.process_time() - worked, len(contacts))


def asked(words, environment):
    out = subprocess.run(words, check=True, env=environment, stdout=subprocess.PIPE).stdout.split()
    made, checked, worked = map(float, out[:3])
    return {"motion": made, "check": checked, "both": made + checked, "work": worked}, int(out[3])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return in_python(options.frames, options.threads)
    environment = {**os.environ, "PYTHONPATH": os.path.join(options.build, "python")}
    count, threads = str(options.frames), str(options.threads)
    programs = {
        "C++": [os.path.join(options.build, "bin", "bench_python"), str(TAKE), str(ROOM), count, threads],
        "Python": [sys.executable, __file__, "--inside", "--frames", count, "--threads", threads],
    }
    rounds = {name: [] for name in programs}
    for _ in range(options.rounds):
        for name, words in programs.items():
            rounds[name].append(asked(words, environment))
    if len({contacts for every in rounds.values() for _, contacts in every}) != 1:
        sys.exit("the programs differ in contacts")
    print(f"{options.frames:,} poses, {rounds['C++'][0][1]:,} contacts, best of {options.rounds}, seconds")
    parts = ("motion", "check", "both", "work")
    print(f"{'':8}" + "".join(f"{part:>9}" for part in parts))
    best = {}
    for name, every in rounds.items():
        best[name] = {part: min(seconds[part] for seconds, _ in every) for part in parts}
        print(f"{name:8}" + "".join(f"{best[name][part]:9.3f}" for part in parts))
    for part, what in (("both", "by the clock"), ("work", "in work of the processors")):
        print(f"Python over C++, {what}: {100 * (best['Python'][part] / best['C++'][part] - 1):+.1f} %")
    return None


if __name__ == "__main__":
    main()
