#!/usr/bin/env python3
"""Draws bodies.svg, the graphs of the broadphases, from what bench_bodies found.

    ./run bench bodies --save
    python3 docs/img/make_bodies_picture.py bench/results/MACHINE/bodies.json [FILE]   (bodies.svg beside this)
"""

import json
import math
import pathlib
import sys

INK, SOFT, GRID, GROUND = "#1f2933", "#616e7c", "#e4e7eb", "#f5f7fa"
DYNAMIC, CUBES = "sweep and prune, dynamic", "sweep and prune, cubes"
SWEEP, TREE, BRUTE = "interval sweep, dynamic", "interval tree, dynamic", "brute force, dynamic"
COLOURS = {DYNAMIC: "#2f6fb5", CUBES: "#e8912d", SWEEP: "#3a9d6e", TREE: "#8a63b8", BRUTE: "#9aa5b1"}
WIDTH, HEIGHT, LEFT, TOP = 372, 250, 76, 62


def number(value):
    """A tick's label: 0.1, 20, 1,000."""
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


class Axis:
    """Values to a unit length; ticks at 1, 2 and 5 times powers of ten, or at even steps."""

    def __init__(self, low, high, logarithmic, step=None):
        self.low, self.high, self.logarithmic = low, high, logarithmic
        if logarithmic:
            powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            self.ticks = [m * 10.0**p for p in powers for m in (1, 2, 5)]
            if high / low > 300:
                self.ticks = [10.0**p for p in powers]
            self.ticks = [t for t in self.ticks if low * 0.999 <= t <= high * 1.001]
        else:
            self.ticks = [low + step * i for i in range(int((high - low) / step + 1.5))]

    def __call__(self, value):
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


class Panel:
    """One graph at its place in the picture."""

    def __init__(self, out, column, row, title, x_name, x, y_name, y):
        self.out, self.x, self.y = out, x, y
        self.left, self.top = LEFT + column * (WIDTH + 100), TOP + 34 + row * (HEIGHT + 96)
        out.append(f'<rect x="{self.left}" y="{self.top}" width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>')
        self.text(self.left, self.top - 14, title, INK, "start", 15, "bold")
        self.text(self.left + WIDTH / 2, self.top + HEIGHT + 38, x_name, SOFT, "middle")
        out.append(f'<text transform="translate({self.left - 54} {self.top + HEIGHT / 2}) rotate(-90)" '
                   f'font-size="13" fill="{SOFT}" text-anchor="middle">{y_name}</text>')
        for tick in x.ticks:
            at = self.left + WIDTH * x(tick)
            out.append(f'<path fill="none" d="M{at:.1f} {self.top}v{HEIGHT}" stroke="{GRID}"/>')
            self.text(at, self.top + HEIGHT + 18, number(tick), SOFT, "middle")
        for tick in y.ticks:
            at = self.top + HEIGHT * (1 - y(tick))
            out.append(f'<path fill="none" d="M{self.left} {at:.1f}h{WIDTH}" stroke="{GRID}"/>')
            self.text(self.left - 8, at + 4, number(tick), SOFT, "end")

    def text(self, x, y, text, colour, anchor, size=13, weight="normal"):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
                        f'font-weight="{weight}" text-anchor="{anchor}">{text}</text>')

    def line(self, points, colour, dashes="none"):
        at = [(self.left + WIDTH * self.x(x), self.top + HEIGHT * (1 - self.y(y))) for x, y in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        self.out.append(f'<path fill="none" d="M{path}" stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dashes}"/>')
        if dashes == "none":
            self.out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]


def points(cases, key, row, value, factor=1.0):
    return [(factor * c[key], c["rows"][row][value]) for c in cases if row in c["rows"]]


def legend(out, y, entries):
    x = LEFT
    for name, colour, dashes in entries:
        out.append(f'<path fill="none" d="M{x} {y - 4}h26" stroke="{colour}" stroke-width="2.6" stroke-dasharray="{dashes}"/>')
        out.append(f'<text x="{x + 33}" y="{y}" font-size="13" fill="{INK}">{name}</text>')
        x += 52 + 7.1 * len(name)


def draw(report):
    graphs = report["graphs"]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 950 790" width="950" height="790" '
           'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" fill="none" stroke-linecap="round" '
           'stroke-linejoin="round">', '<rect width="100%" height="100%" fill="#ffffff"/>']
    out.append(f'<text x="{LEFT}" y="28" font-size="17" font-weight="bold" fill="{INK}">Which boxes overlap: '
               'microseconds a frame, one thread</text>')
    legend(out, 56, [(row if row in (DYNAMIC, CUBES) else row.split(",")[0], COLOURS[row], "none")
                     for row in (DYNAMIC, CUBES, SWEEP, TREE, BRUTE)])

    first = Panel(out, 0, 0, "Graph 1: number of bodies", "bodies, at a density of 1 %", Axis(10, 10000, True),
                  "microseconds", Axis(1, 10000, True))
    for row in (BRUTE, TREE, SWEEP, DYNAMIC, CUBES):
        first.line(points(graphs["bodies"], "bodies", row, "total_us"), COLOURS[row])
    third = Panel(out, 1, 0, "Graph 3: density", "% of the volume, 1,000 bodies", Axis(0.1, 10, True),
                  "microseconds", Axis(0, 350, False, 50))
    for row in (TREE, SWEEP, DYNAMIC, CUBES):
        third.line(points(graphs["density"], "density", row, "total_us", 100.0), COLOURS[row])
    turning = graphs["turning"]
    fifth = Panel(out, 0, 1, "Graph 5: turning", "degrees a frame, 1,000 bodies", Axis(0, 90, False, 15),
                  "microseconds", Axis(0, 350, False, 50))
    for row in (TREE, SWEEP, DYNAMIC, CUBES):
        fifth.line(points(turning, "degrees", row, "total_us"), COLOURS[row])
    sixth = Panel(out, 1, 1, "Graph 6: its parts", "degrees a frame: boxes (dashed), sort and pairs (solid)",
                  Axis(0, 90, False, 15), "microseconds", Axis(0, 350, False, 50))
    for row in (DYNAMIC, CUBES):
        sixth.line(points(turning, "degrees", row, "sort_us"), COLOURS[row])
        sixth.line(points(turning, "degrees", row, "boxes_us"), COLOURS[row], "2 6")
    machine = report["machine"]
    what = f'{machine["cpu"]}, {report["build"]["compiler"]}, {report["date"][:10]}; bench/results'
    out.append(f'<text x="{LEFT}" y="776" font-size="12" fill="{SOFT}">{what}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    here = pathlib.Path(__file__).resolve().parent
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else here / "bodies.svg"
    target.write_text(draw(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
