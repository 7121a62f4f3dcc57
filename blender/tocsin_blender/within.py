"""What is wholly inside of a closed mesh that a bone carries. No bpy.

To the engine a link's mesh is a surface: who is inside of it touches nothing. What is free of the surface during a step
stays on its side of it, so the step's begin is enough. There the engine is asked about points of the others, in the frame
of the carried mesh, where that is an object, and so solid.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

import numpy as np
import tocsin

from . import rigid
from .contacts import Side, Touch

#: Metres: the radius of what stands for a point.
POINT = 1e-6


class Within:
    """touches(k): what is inside of a carried mesh when step k begins."""

    def __init__(self, samples, options, who, room):
        self._samples, self._options = samples, options
        held = [thing for thing in samples.things if thing.holder]
        self._hosts = [one for i in range(len(held)) if (one := _host(samples, options, who, held, i)) is not None]
        self._others = [*_objects(room), *_links(samples, who, held)] if self._hosts else []
        self._pairs = [self._pairs_of(host, who) for host in self._hosts]
        self._probe = tocsin.Avatar.body("point", tocsin.Shape.sphere(POINT))

    def touches(self, k):
        points = {}
        for host, others in zip(self._hosts, self._pairs):
            for other in others:
                if id(other) not in points:
                    points[id(other)] = other.points(k)
            yield from self._inside(host, others, [points[id(other)] for other in others], k)

    def _pairs_of(self, host, who):
        left_out = [pattern.partition(":")[::2] for pattern in self._options.ignore]
        out = []
        for other in self._others:
            if other.link < 0:
                known = any(_fit(host.name, other.name, pair) for pair in left_out)
            else:
                both = ((host.name, other.name), (other.name, host.name))
                known = not self._options.itself or other.link in host.neighbours
                known = known or any(_fit(*names, pair) for pair in left_out for names in both)
            if not known:
                out.append(other)
        return out

    def _inside(self, host, others, points, k):
        if not others:
            return
        of = np.repeat(np.arange(len(others)), [len(one) for one in points])
        world = np.concatenate(points)
        pose = host.poses[k]
        own = (world - pose[4:]) @ rigid.rotations(pose)
        near = np.flatnonzero(((own >= host.low - POINT) & (own <= host.high + POINT)).all(axis=1))
        if not len(near):
            return
        places = np.zeros((len(near), 1, 7))
        places[:, 0, 0] = 1.0
        places[:, 0, 4:] = own[near]
        steps = tocsin.Motion(self._probe.skeleton, places, frame_time=1.0).steps(still=True)
        told = set()
        for i, report in zip(near, host.detector.check_batch([self._probe] * len(steps), steps)):
            if of[i] not in told and report.contacts["inside"].any():
                told.add(of[i])
                when = float(self._samples.frames[k])
                yield Touch(k, (0.0, 0.0), (when, when), host.side, others[of[i]].side, world[i], None, "inside")


@dataclass
class _Host:
    """A carried solid. name: of its link. poses: (samples, 7). low, high: of its box, in its own frame. neighbours: links that it
    is not checked against."""

    name: str
    side: Side
    poses: np.ndarray
    detector: tocsin.Detector
    low: np.ndarray
    high: np.ndarray
    neighbours: set[int]


def _host(samples, options, who, held, index):
    """Of the index-th thing that a bone carries; None if it is no solid."""
    thing, link = held[index], who.is_bone.index(False) + index
    corners = thing.vertices[0] @ who.stretches[index].T
    name = who.avatar.links[link].name
    mesh = tocsin.Mesh(corners, samples.faces_of(thing))
    if not mesh.closed:
        return None
    scene = tocsin.Scene(surfaces=[pattern.replace(":", "_") for pattern in options.surfaces])
    scene.add(name, mesh)
    detector = scene.snapshot()
    if not detector.solid.any():
        return None
    return _Host(
        name=name,
        side=Side("held", who.owner[link]),
        poses=rigid.parts(thing.matrices)[0],
        detector=detector,
        low=corners.min(axis=0),
        high=corners.max(axis=0),
        neighbours=_neighbours(who, link) | {i for i, one in enumerate(who.names) if who.is_bone[i] and one == thing.holder},
    )


def _neighbours(who, link):
    """The link itself, and those of the nearest joint above that has any: as the engine leaves them out."""
    joints = [one.joint for one in who.avatar.links]
    parents = who.motion.skeleton.parents
    above = parents[joints[link]]
    while above >= 0 and above not in joints:
        above = parents[above]
    return {link} | {i for i, joint in enumerate(joints) if joint == above}


@dataclass
class _Other:
    """What may be inside. link: its index, -1: an object. points(k): (n, 3) world, two of each of its parts."""

    name: str
    side: Side
    link: int
    points: object


def _objects(room):
    for i, (thing, name) in enumerate(zip(room.things, room.names)):
        yield _Other(name, Side("object", i), -1, _points_of_mesh(thing))


def _links(samples, who, held):
    names = [link.name for link in who.avatar.links]
    bones = [i for i, bone in enumerate(samples.rig.bones) if bone.checked]
    for link, bone in enumerate(bones):
        ends = np.array([[0.0, 0.0, 0.0], [0.0, samples.rig.bones[bone].length, 0.0]])
        yield _Other(names[link], Side("bone", who.owner[link]), link, _points_of_bone(samples.rig.matrices, bone, ends))
    for link, thing in enumerate(held, len(bones)):
        yield _Other(names[link], Side("held", who.owner[link]), link, _points_of_mesh(thing))


def _points_of_bone(matrices, bone, ends):
    return lambda k: rigid.apply(matrices[k, bone], ends)


def _points_of_mesh(thing):
    chosen = corners_of_parts(thing)
    return lambda k: rigid.apply(thing.matrices[k], thing.vertices[k][chosen])


def _fit(one, other, pair):
    return fnmatch.fnmatchcase(one, pair[0]) and fnmatch.fnmatchcase(other, pair[1])


def corners_of_parts(thing):
    """Indices of corners: of each part, the faces that hang together, two that are far from each other."""
    corners, same = thing.vertices[0], np.arange(len(thing.vertices[0]))
    if all(one is corners for one in thing.vertices):
        same = np.unique(corners, axis=0, return_inverse=True)[1].ravel()
    used = np.unique(thing.faces)
    part = _parts(same[thing.faces])[same[used]]
    _, first, which = np.unique(part, return_index=True, return_inverse=True)
    away = np.linalg.norm(corners[used] - corners[used[first]][which], axis=1)
    order = np.lexsort((away, which))
    last = order[np.flatnonzero(np.diff(which[order], append=len(first)))]
    return used[np.concatenate([first, last])]


def _parts(faces):
    """Of each corner the least one that it hangs together with."""
    flat = faces.ravel()
    out = np.arange(flat.max() + 1)
    while True:
        # A corner's root, and with it all that hang on it, goes to the least root of its faces.
        roots = out[faces]
        least = np.repeat(roots.min(axis=1), 3)
        order = np.argsort(roots.ravel(), kind="stable")
        which, starts = np.unique(roots.ravel()[order], return_index=True)
        new = out.copy()
        new[which] = np.minimum.reduceat(least[order], starts)
        while not np.array_equal(new, new[new]):
            new = new[new]
        if np.array_equal(new, out):
            return out
        out = new
