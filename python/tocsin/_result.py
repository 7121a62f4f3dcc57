"""The result of a check."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Optional, Sequence

import numpy as np

from ._contacts import Contacts
from ._tocsin import Run, Verification, _render, _verify


class Result:
    """What a check found. str() gives its episodes for people.

    run: the Run. instants: seconds of the common time line of several takes, else None.
    """

    def __init__(self, run: Run, instants: Optional[list[float]] = None) -> None:
        self.run = run
        self.instants = instants

    @cached_property
    def contacts(self) -> Contacts:
        """The first contact of every pair in every step: a Contacts array."""
        return Contacts(self.run.contacts, self.links, self.objects)

    @cached_property
    def episodes(self) -> np.ndarray[Any, Any]:
        """A structured array, a row an episode: consecutive steps in which one pair stays in contact.

        frames (2,), steps: which, how many. first_touch (2,): bracket, until: end of the last step in
        contact, seconds since frame 0. avatar, link, object or other_avatar, other_link (-1: there is
        none). proved: some contact of it is more than a graze.
        """
        return self.run.episodes

    @property
    def hash(self) -> str:
        """The hash that `tocsin check` prints: equal on every machine, backend and thread count."""
        return self.run.hash

    @property
    def step_count(self) -> int:
        """How many steps were checked, of all avatars."""
        return self.run.step_count

    @cached_property
    def links(self) -> list[list[str]]:
        """Of every avatar the names of its links."""
        return [[link.name for link in member.avatar.links] for member in self.run.members]

    @cached_property
    def objects(self) -> list[str]:
        """Names of the room's objects."""
        return self.run.detector.environment.objects

    def clearances(self, avatar: int = 0) -> np.ndarray[Any, Any]:
        """(steps, links): a proved lower bound of the least distance over the step, metres.

        0 of a link in contact. Needs check(clearance=True).
        """
        return self.run.clearances(avatar)

    def verify(self, fraction: float = 1.0, threads: int = 0) -> Verification:
        """Proves the check again by a second implementation, which is slow and simple.

        fraction: share of the steps, evenly spread. Nothing is run again by the first one.
        """
        return _verify(self.run, fraction, threads)

    def render(
        self,
        contact: Optional[int] = None,
        *,
        frame: Optional[int] = None,
        size: tuple[int, int] = (960, 600),
        camera: Optional[Sequence[float]] = None,
        look_at: Optional[Sequence[float]] = None,
        fov: float = 36.0,
        zoom: float = 1.0,
        cut: bool = True,
        show: Sequence[str] = ("poses", "sweep", "stop", "contacts"),
    ) -> np.ndarray[Any, Any]:
        """A picture: (height, width, 3) uint8, sRGB. Needs OpenGL; a graphics card it does not need.

        contact: which row of contacts; None: the first, or the first step if there is none. frame: the
        step that begins there. size: width and height, pixels. camera, look_at: (3,) metres; None: they
        are chosen. fov: degrees. cut: what stands in front is opened. show: parts of the picture.
        """
        return _render(self.run, frame, contact, (size[0], size[1]), camera, look_at, fov, zoom, cut, list(show))

    def __bool__(self) -> bool:
        """True if anything was touched."""
        return len(self.contacts) > 0

    def __str__(self) -> str:
        lines = [self._line(episode) for episode in self.episodes]
        steps = f"{self.step_count:,} step{'' if self.step_count == 1 else 's'}"
        count = len(lines)
        what = "No contact" if count == 0 else f"{count:,} episode{'' if count == 1 else 's'} of contact"
        return "\n".join([*lines, f"{what} in {steps}. Hash of the contacts: {self.hash}"])

    def __repr__(self) -> str:
        return f"<tocsin.Result: {len(self.contacts)} contacts in {self.step_count} steps, hash {self.hash}>"

    def _line(self, episode: Any) -> str:
        first, last = episode["frames"]
        who = self.links[episode["avatar"]][episode["link"]]
        if episode["object"] >= 0:
            what = self.objects[episode["object"]]
        else:
            what = self.links[episode["other_avatar"]][episode["other_link"]]
        if len(self.links) > 1:
            who = f"{self.run.members[episode['avatar']].avatar.name}: {who}"
        status = "" if episode["proved"] else " (graze: neither touch nor freedom is proved)"
        return f"frames {first}-{last}: {who} and {what}, first touch at {episode['first_touch'][1]:.4f} s{status}"
