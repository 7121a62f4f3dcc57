"""What was read from Blender, as plain arrays. World: that of the scene (Z up), in metres."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional

import numpy as np

from . import rigid


class Refused(Exception):
    """What cannot be checked; the text names it, says why, and what helps."""


@dataclass(frozen=True)
class Options:
    """What the panel asks for. Lengths in metres.

    margin: how near counts as touching. radius_from: 'ENVELOPE' (the larger of both ends'), 'LENGTH'
    (a share of the bone's length) or 'FIXED' (radius). in_between: 'translate_rotate' or 'screw'. ignore,
    surfaces: patterns. itself: bones against bones. objects: moving objects against all others.
    """

    margin: float = 0.0
    radius_from: str = "ENVELOPE"
    radius: float = 0.05
    in_between: str = "translate_rotate"
    ignore: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    itself: bool = False
    objects: bool = True


@dataclass(frozen=True)
class Bone:
    """parent: index in Rig.bones, -1: none. length, head_radius, tail_radius: as in edit mode,
    before any scale, in Blender's units. checked: it is a link, and no mere joint. whole, whole_length: of
    a segment of a bendy bone that bone's name and length, else "" and 0."""

    name: str
    parent: int
    length: float
    head_radius: float
    tail_radius: float
    checked: bool = True
    whole: str = ""
    whole_length: float = 0.0

    @property
    def owner(self):
        """The bone in Blender that it is, or is a part of."""
        return self.whole or self.name


@dataclass
class Rig:
    """An armature. places: (samples, 4, 4), its own matrix. matrices: (samples, bones, 4, 4), bones in
    the world; a bone lies along its y axis, from 0 to its length. Parents come before children."""

    name: str
    bones: list[Bone]
    places: np.ndarray
    matrices: np.ndarray


@dataclass
class Thing:
    """A mesh. vertices: for every sample (n, 3) in its own frame; one array where nothing changes.
    matrices: (samples, 4, 4) to the world. faces: (m, 3). polygons: (m,), each triangle's face in Blender.
    holder: name of the bone that carries it, or ""."""

    name: str
    vertices: list[np.ndarray]
    matrices: np.ndarray
    faces: np.ndarray
    polygons: np.ndarray
    holder: str = ""


@dataclass
class Samples:
    """frames: (samples,) of the scene's time line. rate: frames a second. unit: metres of one unit of
    Blender. notes: what a user should know, e.g. what was left out. middles: what was read half-way between the
    samples, or None."""

    frames: np.ndarray
    rate: float
    unit: float = 1.0
    rig: Optional[Rig] = None
    things: list[Thing] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    middles: Optional[Samples] = None

    def split(self):
        """Of samples every other of which is a middle: those between which there is a middle, which have the middles."""
        out, middles = self._every_second(0), self._every_second(1)
        out.middles = middles
        return out

    def _every_second(self, first):
        rig = self.rig and replace(self.rig, places=self.rig.places[first::2], matrices=self.rig.matrices[first::2])
        things = [replace(one, vertices=one.vertices[first::2], matrices=one.matrices[first::2]) for one in self.things]
        return replace(self, frames=self.frames[first::2], rig=rig, things=things)

    def faces_of(self, thing):
        """The thing's faces as they wind in the world: a mirror turns a mesh inside out, and its faces are turned over again.
        Raises Refused where it is mirrored at some samples only."""
        signs = rigid.mirrored(thing.matrices)
        if signs.min() < 0 < signs.max():
            first = np.flatnonzero(signs)[0]
            k = int(np.flatnonzero(signs == -signs[first])[0])
            raise Refused(
                f"'{thing.name}' is mirrored at one of {self.when(first)} and {self.when(k)} and not at the other: on the way it turns "
                "inside out, which cannot be checked. Keep the sign of its scale"
            )
        return thing.faces[:, ::-1] if signs.min() < 0 else thing.faces

    def when(self, index):
        """The frame of a sample, for people."""
        return f"frame {self.frames[index]:g}"


class Names:
    """Names for the engine: distinct, and without ':', which patterns use. What is called a name in Blender has it here, before
    those in which it would take the place of another sign. literal: all names that will be asked for."""

    def __init__(self, literal=()):
        self._literal = set(literal)
        self._used = set()

    def make(self, name):
        base = name.replace(":", "_")
        out, count = base, 1
        while out in self._used or (out != name and out in self._literal):
            count += 1
            out = f"{base}@{count}"
        self._used.add(out)
        return out

    def of(self, names, notes, patterns):
        """make() of all names. Where there are patterns, a note tells of those that are called otherwise than a user would think."""
        out = [self.make(name) for name in names]
        other = [(name, own) for name, own in zip(names, out) if own != name.replace(":", "_")]
        if other and patterns:
            name, own = other[0]
            more = f", and {len(other) - 1} more likewise" if len(other) > 1 else ""
            notes.append(f"patterns know '{name}' as '{own}'{more}: '{name.replace(':', '_')}' is another one")
        return out
