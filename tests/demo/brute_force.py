#!/usr/bin/env python3
"""Checks the demo's story by sampling, without Tocsin, and says where the in-between motion hits.

    python3 tests/demo/brute_force.py

Exit 0 and one line of JSON: {"step", "link", "object", "toc": [free, touching],
"sampled_clearance", "penetration", ...}, metres and step time. Exit 1 and a sentence if the story
does not hold:

- in every frame, every link keeps SAMPLED_CLEARANCE from everything but the floor, and is off it;
- in exactly one step the in-between motion (screw) touches something, and there the forearm gets
  PENETRATION deep into the stand;
- in all other steps every link keeps off everything at SUBSTEPS_ELSEWHERE instants.
"""

import json
import sys

sys.dont_write_bytecode = True

import reference

SAMPLED_CLEARANCE = 0.02  # m
PENETRATION = 0.01  # m
SUBSTEPS = 2000  # in the step of the hit
SUBSTEPS_ELSEWHERE = 10  # in every other step: 3.3 ms apart, the hand moves at most 3 cm
WITH = ("right_forearm", "MusicStand")


def least(room, segments, names, limit):
    """(clearance, link, object) of the least clearance; the floor counts as other objects do."""
    return min(
        (room.clearance(o, s, limit), n, o) for s, n in zip(segments, names) for o in room.objects
    )


def main():
    take, room = reference.Take(), reference.Room()
    links = reference.Links(take)
    names = links.names

    sampled = {"Floor": (1.0, "", 0), "": (1.0, "", 0)}
    for frame, locals_ in enumerate(take.frames):
        for segment, name in zip(links.segments(take.world(locals_)), names):
            for o in room.objects:
                kind = "Floor" if o == "Floor" else ""
                sampled[kind] = min(
                    sampled[kind], (room.clearance(o, segment, 0.1), name + ":" + o, frame)
                )
    if sampled["Floor"][0] <= 0.0 or sampled[""][0] <= SAMPLED_CLEARANCE:
        sys.exit("a frame comes too near: %r" % sampled)

    hits, elsewhere = set(), (1.0, "", "")
    for step in range(len(take.frames) - 1):
        for i in range(1, SUBSTEPS_ELSEWHERE):
            world = take.in_between(step, i / SUBSTEPS_ELSEWHERE)
            found = least(room, links.segments(world), names, 0.1)
            if found[0] <= 0.0:
                hits.add((step,) + found[1:])
            else:
                elsewhere = min(elsewhere, found)
    if len({h[0] for h in hits}) != 1 or {h[1:] for h in hits} != {WITH}:
        sys.exit(
            "expected one step with contacts, and these of %s with %s only: %r"
            % (WITH + (sorted(hits),))
        )
    step = hits.pop()[0]

    link = names.index(WITH[0])
    gaps = []
    for i in range(SUBSTEPS + 1):
        segments = links.segments(take.in_between(step, i / SUBSTEPS))
        gaps.append(room.clearance(WITH[1], segments[link], 0.3))
        others = [(s, n) for s, n in zip(segments, names) if n != WITH[0]] if i % 20 == 0 else []
        for segment, name in others:
            if min(room.clearance(o, segment, 0.01) for o in room.objects) <= 0.0:
                sys.exit("%s touches something too, at %g of step %d" % (name, i / SUBSTEPS, step))
    first = next(i for i, gap in enumerate(gaps) if gap <= 0.0)
    if min(gaps) > -PENETRATION:
        sys.exit("%s only gets %.4f m into %s" % (WITH[0], -min(gaps), WITH[1]))
    print(
        json.dumps(
            {
                "step": step,
                "link": WITH[0],
                "object": WITH[1],
                "toc": [(first - 1) / SUBSTEPS, first / SUBSTEPS],
                "sampled_clearance": round(sampled[""][0], 4),
                "sampled_floor": round(sampled["Floor"][0], 4),
                "nearest": sampled[""][1],
                "nearest_frame": sampled[""][2],
                "penetration": round(-min(gaps), 4),
                "elsewhere": round(elsewhere[0], 4),
            }
        )
    )


if __name__ == "__main__":
    main()
