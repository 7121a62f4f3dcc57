#!/usr/bin/env python3
"""Checks the demo's second story by sampling, without Tocsin: a swung tool cuts a wire between frames.

    python3 tests/demo/brute_force_swing.py TAKE.bvh TOOL.obj

Exit 0 and one line of JSON: {"step", "toc": [free, touching], "sampled_clearance"}, metres and step
time. Exit 1 and a sentence if the story does not hold:

- in every frame the tool keeps SAMPLED_CLEARANCE from the wire;
- in exactly one step the in-between motion (screw) touches it.

The wire is a prism of six sides. A line with its outer radius is around it, one with its inner radius
inside it: what is free of the first is free, and what touches the second touches.
"""

import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True

import reference
from reference import add, conjugate, rotate, scaled, sub

SAMPLED_CLEARANCE = 0.09  # m
SUBSTEPS = 2000  # in the step of the hit
SUBSTEPS_ELSEWHERE = 40  # 0.8 ms apart: the tool's head moves 1 cm, and it is 7 cm wide
HAND = "RightHand"


def wire():
    """The wire's middle line and its outer radius."""
    room = reference.Room(reference.ROOT / "environments/wire.obj")
    box, _ = room.objects["Wire"]
    middle = scaled(add(box[0], box[1]), 0.5)
    return (
        (middle[0], box[0][1], middle[2]),
        (middle[0], box[1][1], middle[2]),
        max(box[1][0] - box[0][0], box[1][2] - box[0][2]) / 2,
    )


class Swing:
    def __init__(self, take, tool):
        self.take = reference.Take(pathlib.Path(take), unit=1.0)
        self.tool = reference.Room(pathlib.Path(tool))
        self.hand = self.take.index(HAND)
        self.low, self.high, self.radius = wire()

    def gap(self, world, radius):
        """From the tool's surface to a line along the wire, in the hand's frame."""
        q, t = world[self.hand]
        ends = [rotate(conjugate(q), sub(p, t)) for p in (self.low, self.high)]
        return self.tool.clearance("Tool", (ends[0], ends[1], radius), 0.3)

    def touches_in(self, step):
        instants = range(1, SUBSTEPS_ELSEWHERE)
        return any(
            self.gap(self.take.in_between(step, i / SUBSTEPS_ELSEWHERE), self.radius) <= 0.0
            for i in instants
        )


def main():
    swing = Swing(sys.argv[1], sys.argv[2])
    frames = swing.take.frames
    sampled = min(swing.gap(swing.take.world(f), swing.radius) for f in frames)
    if sampled < SAMPLED_CLEARANCE:
        sys.exit("a frame comes as near as %.4f m" % sampled)
    hits = [step for step in range(len(frames) - 1) if swing.touches_in(step)]
    if len(hits) != 1:
        sys.exit("expected one step with a contact: %r" % hits)

    worlds = [swing.take.in_between(hits[0], i / SUBSTEPS) for i in range(SUBSTEPS + 1)]
    inner = swing.radius * math.cos(math.pi / 6)
    free = next(i for i, w in enumerate(worlds) if swing.gap(w, swing.radius) <= 0.0) - 1
    touching = next(i for i, w in enumerate(worlds) if swing.gap(w, inner) <= 0.0)
    print(
        json.dumps(
            {
                "step": hits[0],
                "toc": [free / SUBSTEPS, touching / SUBSTEPS],
                "sampled_clearance": round(sampled, 4),
            }
        )
    )


if __name__ == "__main__":
    main()
