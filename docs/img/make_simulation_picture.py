#!/usr/bin/env python3
"""Draws simulation.svg, paper 000's graphs of its multi-body simulation, from what bench_simulation found.

    ./run bench simulation --save
    python3 docs/img/make_simulation_picture.py bench/results/MACHINE/simulation.json [FILE]   (simulation.svg beside this)
"""

import json
import pathlib
import sys

from make_bodies_picture import INK, LEFT, SOFT, Axis, Panel, legend

ALL, CHECK, PLACES = "all", "check", "places and snapshot"
COLOURS = {ALL: "#2f6fb5", CHECK: "#3a9d6e", PLACES: "#e8912d"}
DASHES = {ALL: "none", CHECK: "9 5", PLACES: "2 6"}
# Title, what is varied, and the axis of it.
GRAPHS = [("Graph 1: number of bodies", "bodies", "bodies, 36 faces, at a density of 1 %", Axis(10, 2000, True)),
          ("Graph 2: number of faces", "faces", "faces, 1,000 bodies", Axis(10, 500, True)),
          ("Graph 3: density", "density, %", "% of the volume, 1,000 bodies", Axis(0, 8, False, 2)),
          ("Graphs 4 to 6: turning", "turning, degrees", "degrees a frame, 1,000 bodies", Axis(0, 60, False, 15)),
          ("Travel", "travel, % of the radius", "% of the radius a frame, 1,000 bodies", Axis(0, 100, False, 20))]


def top_of(points):
    most = max(p["places_ms"] + p["check_ms"] for p in points)
    return next(step * 5 for step in (0.2, 0.5, 1, 2, 4, 5, 10, 20, 40, 100, 1000) if most <= step * 5)


def draw(report):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 950 1130" width="950" height="1130" '
           'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" fill="none" stroke-linecap="round" '
           'stroke-linejoin="round">', '<rect width="100%" height="100%" fill="#ffffff"/>']
    out.append(f'<text x="{LEFT}" y="28" font-size="17" font-weight="bold" fill="{INK}">The multi-body simulation: '
               'milliseconds a frame, one core</text>')
    legend(out, 56, [(name, COLOURS[name], DASHES[name]) for name in COLOURS])
    by_name = {graph["varied"]: graph["points"] for graph in report["graphs"]}
    for i, (title, name, below, axis) in enumerate(GRAPHS):
        points = by_name[name]
        top = top_of(points)
        panel = Panel(out, i % 2, i // 2, title, below, axis, "milliseconds", Axis(0, top, False, top / 5))
        parts = {PLACES: lambda p: p["places_ms"], CHECK: lambda p: p["check_ms"],
                 ALL: lambda p: p["places_ms"] + p["check_ms"]}
        for part, value in parts.items():
            panel.line([(p["value"], value(p)) for p in points], COLOURS[part], DASHES[part])
    machine = report["machine"]
    what = f'{machine["cpu"]}, {report["build"]["compiler"]}, {report["date"][:10]}; bench/results'
    out.append(f'<text x="{LEFT}" y="1116" font-size="12" fill="{SOFT}">{what}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    here = pathlib.Path(__file__).resolve().parent
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else here / "simulation.svg"
    target.write_text(draw(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
