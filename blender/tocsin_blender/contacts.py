"""Contacts of steps, and the episodes that they form. No bpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
import tocsin

KINDS = {
    tocsin.Status.OVERLAP: "overlap",
    tocsin.Status.HIT: "touch",
    tocsin.Status.GRAZE: "undecided",
}


@dataclass(frozen=True)
class Side:
    """One of the two that touch. what: 'bone', 'held' or 'object'. index: in Who.names or Room.things.
    triangle: of a mesh, else -1."""

    what: str
    index: int
    triangle: int = -1


@dataclass
class Touch:
    """The first contact of a pair in a step. toc: bracket, local time of the step. frames: the same on the
    scene's time line. point (3,): world, metres. normal (3,): from it to the one that touches, or None.
    kind: 'touch' (free before, touching at frames[1]), 'overlap' (it touches when the step begins), 'inside'
    (it begins inside a closed mesh) or 'undecided'."""

    step: int
    toc: tuple[float, float]
    frames: tuple[float, float]
    who: Side
    touched: Side
    point: np.ndarray
    normal: Optional[np.ndarray]
    kind: str

    @property
    def frame(self):
        """When: where it touches for sure, or, undecided, where it is free no longer."""
        return self.frames[0] if self.kind == "undecided" else self.frames[1]

    @property
    def time(self):
        """The same, in local time of the step."""
        return self.toc[0] if self.kind == "undecided" else self.toc[1]

    @property
    def pair(self):
        one, other = (self.who.what, self.who.index), (self.touched.what, self.touched.index)
        return (one, other) if one <= other else (other, one)


@dataclass
class Episode:
    """Successive steps in which one pair touches. first: its first contact. until: frame at which its last
    step ends. steps: how many. proved: some contact of it is more than undecided."""

    first: Touch
    until: float
    steps: int
    proved: bool


def touch_of(row, k, samples, who, touched):
    """A Touch of a row of contacts of step k."""
    lo, hi = (float(t) for t in row["toc"])
    begin, end = samples.frames[k], samples.frames[k + 1]
    normal = np.array(row["normal"])
    kind = "inside" if row["inside"] else KINDS[tocsin.Status(int(row["status"]))]
    return Touch(
        step=k,
        toc=(lo, hi),
        frames=(begin + lo * (end - begin), begin + hi * (end - begin)),
        who=who,
        touched=touched,
        point=np.array(row["point"]),
        normal=normal if np.isfinite(normal).all() else None,
        kind=kind,
    )


def without_doubles(touches):
    """Of touches of one step: each pair once, the earliest; two objects that move may both tell."""
    best = {}
    for touch in touches:
        old = best.get(touch.pair)
        if old is None or (touch.toc[1], touch.kind == "inside") < (old.toc[1], old.kind == "inside"):
            best[touch.pair] = touch
    return list(best.values())


def episodes(touches, samples):
    """Episodes of touches, by the time of the first touch."""
    open_, closed = {}, []
    for touch in sorted(touches, key=lambda one: one.step):
        until = float(samples.frames[touch.step + 1])
        last = open_.get(touch.pair)
        if last is not None and last[1] == touch.step - 1:
            last[0].until, last[0].steps, last[1] = until, last[0].steps + 1, touch.step
            last[0].proved = last[0].proved or touch.kind != "undecided"
            continue
        episode = Episode(touch, until, 1, touch.kind != "undecided")
        open_[touch.pair] = [episode, touch.step]
        closed.append(episode)
    return sorted(closed, key=lambda one: (one.first.frame, one.first.pair))
