#!/usr/bin/env python3
"""How fast `tocsin view` draws: frames a second, and milliseconds a frame, in a made room of many triangles.

  bench/view/window.py [--command build/bin/tocsin] [--triangles 2000000] [--size 1920x1080] [--seconds S] [--device N] [--json FILE] [--quick]

The demo's walk through the hall of a made house, played slowly so that every frame differs from the one before; without a screen, so that no
screen's rate bounds it but the window's own of 60 a second. First picture: from the start of the command, with reading and checking, until a
picture was saved. Prints a table; --json writes the same as JSON. Exit status 77: there is no OpenGL, or no Dear ImGui.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VIEWS = (("the contact", ""), ("overview", "key o\n"), ("swept surfaces", "key v\nkey x\n"), ("overview, no room", "key x\nkey o\nkey r\n"))


def run(arguments, folder):
    done = subprocess.run([str(a) for a in arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 2 and ("Dear ImGui" in done.stderr or "OpenGL" in done.stderr or "EGL" in done.stderr):
        print("skipped:", done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{arguments[1]}: status {done.returncode}: {done.stderr}")
    return done.stdout


def measured(options, folder):
    view = [options.command, "view", "report.jsonl", "--offscreen", "--size", options.size, "--script", "s.txt"]
    if options.device is not None:
        view += ["--gl-device", options.device]
    script = pathlib.Path(folder) / "s.txt"
    script.write_text("screenshot first.png\n", encoding="ascii")
    begin = time.monotonic()
    run(view, folder)
    first = time.monotonic() - begin
    # At 1/100 the take outlasts every measurement.
    lines = ["key home", "key [", "key [", "key [", "key space", "live 0.2"]
    for _, keys in VIEWS:
        lines += [*keys.splitlines(), f"live {options.seconds}", "tell"]
    script.write_text("\n".join(lines) + "\n", encoding="ascii")
    states = [json.loads(line) for line in run(view, folder).splitlines()]
    return first, states


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build/bin/tocsin")
    parser.add_argument("--triangles", type=int, default=2_000_000)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--device", type=int)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="small and short: that it runs, not how fast")
    options = parser.parse_args()
    options.command = options.command.resolve()
    if options.quick:
        options.triangles, options.size, options.seconds = 20_000, "640x400", 0.2
    with tempfile.TemporaryDirectory() as folder:
        run([options.command, "make-room", "house.ply", "--triangles", options.triangles, "--seed", "1"], folder)
        walk = os.path.relpath(ROOT / "motions/walk_and_reach.bvh", folder)
        run([options.command, "check", walk, "--env", "house.ply", "--place", "0.17,0,-4.91,90", "--ignore", "*foot*:*", "--out", "report.jsonl"], folder)
        first, states = measured(options, folder)
    out = {"device": states[0]["device"], "triangles": options.triangles, "size": options.size, "first_picture_seconds": round(first, 2), "views": []}
    print(f"{out['device']}, {options.triangles} triangles, {options.size} pixels; first picture after {first:.1f} s")
    print(f"{'view':<20}{'frames a second':>16}{'ms a frame':>12}{'slowest, ms':>13}{'new pictures':>14}")
    for (name, _), state in zip(VIEWS, states, strict=True):
        pace = state["pace"]
        if pace["pictures"] == 0 or not state["playing"]:
            sys.exit(f"{name}: nothing moved: {pace}")
        print(f"{name:<20}{pace['frames_a_second']:>16.1f}{pace['milliseconds_a_frame']:>12.2f}{pace['slowest_milliseconds']:>13.1f}"
              f"{pace['pictures']:>6} of {pace['frames']}")
        out["views"].append({"view": name, **pace})
    if options.json:
        options.json.write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")
    return 0


sys.exit(main())
