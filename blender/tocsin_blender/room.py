"""Meshes as objects of a scene of tocsin: what stands, what moves, what deforms. No bpy."""

from __future__ import annotations

import numpy as np
import tocsin

from . import rigid
from .samples import Names, Refused

#: A mesh whose stretch differs from sample to sample by more than this share is checked as one that deforms: its
#: corners are then where Blender has them at every sample. Below, it is rigid: its corners are off by at most this
#: share of their distance from its origin. Blender's 24 bits leave some 5e-7.
RIGID_TOLERANCE = 4e-6

STANDS, MOVES, DEFORMS = "stands", "moves", "deforms"


class Room:
    """All meshes but those that bones carry, as a tocsin.Scene that is led from sample to sample."""

    def __init__(self, samples, options):
        self._samples = samples
        self._in_between = options.in_between
        self.things = [thing for thing in samples.things if not thing.holder]
        self.scene = tocsin.Scene(margin=options.margin, surfaces=[_of_object(p) for p in options.surfaces])
        names = [thing.name for thing in self.things]
        self.names = Names(names).of(names, samples.notes, options.ignore + options.surfaces)
        self.kinds, self._ids, self._ways = [], [], []
        for thing, name in zip(self.things, self.names):
            self._add(thing, name)
        for pattern in options.ignore:
            self.scene.deactivate_pairs(pattern)
        self._index = {}

    def _add(self, thing, name):
        kind, way = _way_of(thing, self._samples)
        self.kinds.append(kind)
        self._ways.append(way)
        place = None
        if kind == MOVES:
            poses, stretch = way
            corners, place = thing.vertices[0] @ stretch.T, poses[0]
        else:
            corners = rigid.apply(thing.matrices[0], thing.vertices[0])
        try:
            self._ids.append(self.scene.add(name, tocsin.Mesh(corners, self._samples.faces_of(thing)), place))
        except tocsin.Error as error:
            raise Refused(f"'{thing.name}': {error}") from error

    @property
    def moving(self):
        """How many objects move or deform."""
        return sum(kind != STANDS for kind in self.kinds)

    def snapshot(self, k):
        """The room during the step from sample k to the next: a tocsin.Detector. To be called for k = 0, 1, ..."""
        for i, (thing, kind, way) in enumerate(zip(self.things, self.kinds, self._ways)):
            try:
                self._lead(i, thing, kind, way, k)
            except tocsin.Error as error:
                raise Refused(f"'{thing.name}' at {self._samples.when(k + 1)}: {error}") from error
        detector = self.scene.snapshot()
        if not self._index:
            self._index = {self.scene.index_of(one): i for i, one in enumerate(self._ids)}
        return detector

    def _lead(self, i, thing, kind, way, k):
        if kind == MOVES:
            poses, _ = way
            if not np.array_equal(poses[k], poses[k + 1]):
                self.scene.move(self._ids[i], poses[k + 1], self._in_between)
        elif kind == DEFORMS:
            rests = thing.vertices[k] is thing.vertices[k + 1] and np.array_equal(thing.matrices[k], thing.matrices[k + 1])
            if not rests:
                self.scene.deform(self._ids[i], rigid.apply(thing.matrices[k + 1], thing.vertices[k + 1]))

    def thing_of(self, index):
        """Which of `things` a contact's object is."""
        return self._index[int(index)]

    def corners_at(self, i, k, t):
        """(n, 3): where the corners of thing i are at local time t of step k. For pictures."""
        thing, kind, way = self.things[i], self.kinds[i], self._ways[i]
        if kind == STANDS:
            return rigid.apply(thing.matrices[0], thing.vertices[0])
        if kind == DEFORMS:
            ends = [rigid.apply(thing.matrices[j], thing.vertices[j]) for j in (k, k + 1)]
            return ends[0] + t * (ends[1] - ends[0])
        poses, stretch = way
        two = tocsin.Motion(tocsin.Skeleton(["body"], [-1]), poses[k : k + 2, None, :], frame_time=1.0)
        pose = two.steps(in_between=self._in_between)[0].pose(t)[0]
        return rigid.apply(rigid.matrices(pose), thing.vertices[0] @ stretch.T)


def _of_object(pattern):
    return pattern.replace(":", "_")


def _way_of(thing, samples):
    """(kind, (poses, stretch) of what moves, else None)."""
    same_mesh = all(one is thing.vertices[0] for one in thing.vertices)
    if same_mesh and all(np.array_equal(one, thing.matrices[0]) for one in thing.matrices):
        return STANDS, None
    if same_mesh:
        poses, stretches = rigid.parts(thing.matrices)
        size = np.abs(stretches[0]).max()
        if np.abs(stretches - stretches[0]).max() <= RIGID_TOLERANCE * size:
            _note_large_turns(thing, samples, poses)
            return MOVES, (poses, stretches.mean(axis=0))
    return DEFORMS, None


def _note_large_turns(thing, samples, poses):
    degrees = rigid.turns_in_degrees(poses)
    if degrees.max() > 90.0:
        k = int(np.argmax(degrees))
        samples.notes.append(
            f"'{thing.name}' turns by {degrees[k]:.0f} degrees from {samples.when(k)} to {samples.when(k + 1)}: "
            "turns are read the short way. More samples per frame show whether that is right"
        )
