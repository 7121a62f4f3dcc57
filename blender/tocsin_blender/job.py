"""The check itself: it runs on a thread of its own, can be followed and cancelled. No bpy."""

from __future__ import annotations

import fnmatch
import threading
from dataclasses import dataclass
from typing import Optional

import tocsin

from . import avatar, difference
from .contacts import Episode, Side, Touch, episodes, touch_of, without_doubles
from .room import Room
from .samples import Options, Refused, Samples
from .within import Within


@dataclass
class Result:
    """touches: the first contact of every pair in every step. steps: how many were checked."""

    samples: Samples
    touches: list[Touch]
    episodes: list[Episode]
    steps: int
    room: Room
    who: Optional[avatar.Who]

    def name(self, side):
        """What a side is called in Blender."""
        return self.room.things[side.index].name if side.what == "object" else self.who.names[side.index]


class Job:
    """Checks samples. start(), then look at `done`; `result`, or `error`, a text, or neither: cancelled."""

    def __init__(self, samples: Samples, options: Options) -> None:
        self._samples, self._options = samples, options
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="tocsin", daemon=True)
        self.progress = 0.0
        self.result: Optional[Result] = None
        self.error = ""

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """It ends soon, after the step at hand, without a result."""
        self._stop.set()

    def join(self) -> None:
        self._thread.join()

    @property
    def done(self) -> bool:
        return self._thread.ident is not None and not self._thread.is_alive()

    def _work(self) -> None:
        try:
            self.result = self._check()
        except (Refused, tocsin.Error) as error:
            self.error = str(error)
        except Exception as error:  # a fault of ours must reach the user, not die with the thread
            self.error = f"internal error: {type(error).__name__}: {error}"

    def _check(self) -> Optional[Result]:
        samples, options = self._samples, self._options
        who = avatar.build(samples, options) if samples.rig else None
        room = Room(samples, options)
        if who is None and room.moving == 0:
            samples.notes.append("no armature is selected, and no mesh moves: there was nothing to find")
        _note_idle_patterns(samples, options, who, room)
        if samples.middles is not None:
            samples.notes.append(difference.note(samples, who, room))
        within = Within(samples, options, who, room) if who else None
        count = len(samples.frames) - 1
        touches: list[Touch] = []
        for k in range(count):
            if self._stop.is_set():
                return None
            inside = within.touches(k) if within else ()
            touches += without_doubles([*self._step(room.snapshot(k), k, who, room), *inside])
            self.progress = (k + 1) / count
        return Result(samples, touches, episodes(touches, samples), count, room, who)

    def _step(self, detector, k, who, room):
        members, steps = ([who.member], [who.steps[k]]) if who else ([], [])
        if self._options.objects and room.moving:
            reports, moved = tocsin.check_scene(detector, members, steps)
        else:
            reports, moved = detector.check_batch(members, steps) if members else [], []
        for report in reports:
            for row in report.contacts:
                if _hang_together(who, row):
                    continue
                yield touch_of(row, k, self._samples, _link_side(who, row["link"], row["link_feature"]), _other(who, room, row))
        for index, report in moved:
            for row in report.contacts:
                if row["object"] < 0:
                    continue  # an avatar's link, which its own report tells
                own = Side("object", room.thing_of(index), int(row["link_feature"]))
                yield touch_of(row, k, self._samples, own, _other(who, room, row))


def _link_side(who, link, feature):
    return Side("bone" if who.is_bone[link] else "held", who.owner[link], int(feature))


def _hang_together(who, row):
    """Two links of one bendy bone, or of it and its neighbour: they always touch, as neighbours do."""
    one, other = int(row["link"]), int(row["other_link"])
    if other < 0 or not (who.is_bone[one] and who.is_bone[other]):
        return False
    return frozenset([who.names[one], who.names[other]]) in who.joined


def _other(who, room, row):
    if row["object"] >= 0:
        return Side("object", room.thing_of(row["object"]), int(row["triangle"]))
    return _link_side(who, row["other_link"], row["other_feature"])


def _note_idle_patterns(samples, options, who, room):
    """A pattern that matches nothing is a typing error, most likely."""
    links = [link.name for link in who.avatar.links] if who else []
    everything = links + room.names
    for pattern in options.ignore:
        left, _, right = pattern.partition(":")
        if not all(any(fnmatch.fnmatchcase(name, half) for name in everything) for half in (left, right)):
            samples.notes.append(f"ignore '{pattern}' matches no pair")
    closed = room.names + ([name for name, bone in zip(links, who.is_bone) if not bone] if who else [])
    for pattern in options.surfaces:
        if not any(fnmatch.fnmatchcase(name, pattern.replace(":", "_")) for name in closed):
            samples.notes.append(f"surface '{pattern}' matches no object")
