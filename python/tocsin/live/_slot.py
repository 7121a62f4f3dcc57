"""One session as its client keeps it: what is not covered yet, and where its reports end."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._wire import Codec, Ended, Opened, Report, Stamp, ended_from, free_report, opened_from, pb, refuse, report_from

#: Frames that no report covers yet are kept, to be sent again: so many, the newest.
KEPT_FRAMES = 512


class Frame(NamedTuple):
    id: int
    time: float
    pose: NDArray[np.float64]  #: (joints, 7)
    ahead: Optional[NDArray[np.float64]]  #: the client's own prediction


@dataclass(frozen=True)
class Hole:
    """A time that no report covers."""

    after: Optional[int]  #: the frame where the reports before end; None: there is no report
    before: Optional[int]  #: the frame where the next one begins; None: none follows


class Slot:
    """The rules of a session that goes on over several streams. Its owner holds a lock around every call."""

    def __init__(self, opening: Any, codec: Codec) -> None:
        self.opening, self.codec = opening, codec
        self.session_id = ""  #: empty: there is none to be resumed
        self.steps = 0  #: reports of it
        self.last: Optional[Report] = None  #: of all sessions so far
        self.covered: Optional[int] = None  #: the frame at which the reports end
        self.kept: deque[Frame] = deque()  #: from the covered one on
        self.unsent = 0  #: of the kept frames, the last ones
        self.is_open = False
        self.finishing = False
        self.opened: Optional[Opened] = None
        self.ended: Optional[Ended] = None
        self.holes: list[Hole] = []
        self.next_id = 0

    # ---- Out ----

    def offer(self, pose: ArrayLike, frame_id: Optional[int], time: Optional[float], ahead: Optional[ArrayLike]) -> None:
        if self.finishing:
            refuse("usage", "the session was finished")
        number = self.next_id if frame_id is None else frame_id
        if number < self.next_id:
            refuse("usage", f"frame {number} is not after frame {self.next_id - 1}")
        if time is None and not self.opening.frame_seconds:
            refuse("usage", "a frame needs its time, or the session frame_seconds")
        if ahead is not None and not self.opening.lookahead:
            refuse("usage", "a pose ahead, in a session without lookahead")
        predicted = None if ahead is None else self.codec.pose(ahead)
        self.kept.append(Frame(number, 0.0 if time is None else time, self.codec.pose(pose), predicted))
        self.next_id = number + 1
        self.unsent += 1
        while len(self.kept) > KEPT_FRAMES:
            self.kept.popleft()
            self.unsent = min(self.unsent, len(self.kept))

    def first_message(self) -> Any:
        """An Open or a Resume, as the fields of TrackRequest and SlotOpening are called."""
        self.is_open = False
        if self.session_id:
            return {"resume": pb.Resume(session_id=self.session_id, received_steps=self.steps)}
        return {"open": self.opening}

    def take_unsent(self, most: int) -> list[Frame]:
        """The next frames that are to be sent."""
        count = min(most, self.unsent)
        begin = len(self.kept) - self.unsent
        self.unsent -= count
        return [self.kept[i] for i in range(begin, begin + count)]

    @property
    def drained(self) -> bool:
        """All was sent, and no more comes."""
        return self.finishing and self.unsent == 0

    # ---- In ----

    def take_opened(self, message: Any) -> None:
        self.opened = opened_from(message)
        if not self.session_id:
            self.session_id, self.steps = message.session_id, 0
        self.is_open = True
        have = self.opened.covered
        while have and self.kept and self.kept[0].id < have.id:
            self.kept.popleft()
        # The covered one stays, for a session that begins there; the server has it.
        self.unsent = len(self.kept) - (1 if have and self.kept and self.kept[0].id == have.id else 0)

    def lost(self) -> bool:
        """Nobody has the session any more. True: a new one begins where the reports end."""
        was, self.session_id, self.is_open = self.session_id, "", False
        self.unsent = len(self.kept)
        return bool(was)

    def take_report(self, message: Any) -> Optional[Report]:
        """None: it was sent again."""
        return self._take(report_from(message, self.codec)) if message.step >= self.steps else None

    def take_free(self, step: int, to: Stamp) -> Optional[Report]:
        if step < self.steps:
            return None
        assert self.last is not None  # the first step of a slot is never free
        return self._take(free_report(step, to, self.last))

    def _take(self, report: Report) -> Report:
        if report.step > self.steps or (self.covered is not None and report.start.id != self.covered):
            self.holes.append(Hole(self.covered, report.start.id))
        self.steps, self.covered, self.last = report.step + 1, report.to.id, report
        while self.kept and self.kept[0].id < report.to.id:
            self.kept.popleft()
        self.unsent = min(self.unsent, len(self.kept))
        return report

    def take_partial(self, message: Any) -> Optional[Report]:
        return report_from(message, self.codec) if message.step == self.steps else None

    def take_ended(self, message: Any) -> Ended:
        self.ended = ended_from(message)
        # The first pose has no report. A bad frame at the end is in none either, but it is counted.
        uncovered = len(self.kept) - 1
        bad = self.ended.bad_frames - (self.last.bad_frames if self.last else 0)
        if self.ended.steps != self.steps or uncovered > max(bad, 0):
            self.holes.append(Hole(self.covered, None))
        return self.ended
