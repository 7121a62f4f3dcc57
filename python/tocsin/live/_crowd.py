"""Many sessions on one stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from .._tocsin import Error, Motion, Skeleton
from ._driver import Attempt, Driver
from ._slot import Frame, Hole, Slot
from ._wire import Codec, Ended, Opened, Report, Stamp, open_message, pb, refuse

if TYPE_CHECKING:
    from ._connection import Connection

MOST_SLOTS = 16_384
FRAMES_AT_ONCE = 256  #: in one message
# gRPC's statuses, as SlotRefusal.code has them: a session that the next server has, and one that nobody has any more.
UNAVAILABLE, CANCELLED = 14, 1
LOST = (5, 11)  # NOT_FOUND, OUT_OF_RANGE


class CrowdSession:
    """A session of a Crowd. Made by Crowd.track()."""

    def __init__(self, crowd: Crowd, number: int, slot: Slot, label: str) -> None:
        self._crowd, self._number, self._slot = crowd, number, slot
        self.label = label
        self._opening = True  #: it is to be opened on the present stream
        self._asked = False  #: an opening is under way
        self._end_sent = False
        self._error: Optional[Error] = None

    def send(
        self, pose: ArrayLike, frame: Optional[int] = None, time: Optional[float] = None, *, ahead: Optional[ArrayLike] = None
    ) -> None:
        """As Session.send()."""
        self._crowd.send({self: pose}, frame, time, ahead=None if ahead is None else {self: ahead})

    def finish(self) -> None:
        """No more frames: the server reports what is pending and ends the session."""
        with self._crowd._lock:
            self._slot.finishing = True
            self._crowd._lock.notify_all()

    @property
    def opened(self) -> Optional[Opened]:
        """What the server said when the session began, or last went on; None: nothing yet."""
        return self._slot.opened

    @property
    def ended(self) -> Optional[Ended]:
        """The session's end; None: it goes on, or did not end well."""
        return self._slot.ended

    @property
    def error(self) -> Optional[Error]:
        """Why the server has ended it; None: it did not."""
        return self._error

    @property
    def holes(self) -> list[Hole]:
        """As Session.holes."""
        return list(self._slot.holes)

    @property
    def _is_over(self) -> bool:
        return self._slot.ended is not None or self._error is not None

    def _begin_stream(self) -> None:
        self._opening, self._asked, self._end_sent = True, False, False


class Crowd(Driver):
    """Sessions that share one stream, of a program that has the avatars of many. Made by Connection.crowd().

    It costs both ends a fraction of a stream each, and says the same: each session has its own id,
    limits and record, and goes on when the stream breaks. Iterating gives (session, report) until all
    sessions are over. An error of one session ends that session (CrowdSession.error), and no other.
    """

    def __init__(self, connection: Connection, *, patience: float) -> None:
        super().__init__(connection, patience)
        self._sessions: list[CrowdSession] = []
        self._by_slot: dict[int, CrowdSession] = {}
        self._next = 0

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def track(self, skeleton: Union[Skeleton, Motion], *, floats: bool = False, **options: Any) -> CrowdSession:
        """A further session; floats and options as those of Connection.track()."""
        bones = skeleton.skeleton if isinstance(skeleton, Motion) else skeleton
        slot = Slot(open_message(bones, **options), Codec(bones, floats))
        with self._lock:
            self._raise_if_over()
            if self._next >= MOST_SLOTS:
                refuse("resource", f"{MOST_SLOTS} sessions have shared the stream already")
            out = CrowdSession(self, self._next, slot, str(options.get("label", "")))
            self._next += 1
            self._sessions.append(out)
            self._by_slot[out._number] = out
            if not self._thread.is_alive():
                self._thread.start()
            self._lock.notify_all()
        return out

    def send(
        self,
        poses: Mapping[CrowdSession, ArrayLike],
        frame: Optional[int] = None,
        time: Optional[float] = None,
        *,
        ahead: Optional[Mapping[CrowdSession, ArrayLike]] = None,
    ) -> None:
        """Queues a pose for each of these sessions, so that they go in one message. frame, time: of all, as Session.send().
        ahead: of those whose own prediction is known."""
        with self._lock:
            self._raise_if_over()
            for session, pose in poses.items():
                if session._crowd is not self:
                    refuse("usage", "a session of another crowd")
                if not session._is_over:
                    session._slot.offer(pose, frame, time, ahead.get(session) if ahead else None)
            self._lock.notify_all()

    def finish(self) -> None:
        """No more frames of any session."""
        with self._lock:
            for session in self._sessions:
                session._slot.finishing = True
            self._lock.notify_all()

    @property
    def sessions(self) -> list[CrowdSession]:
        """All sessions, those that are over, too."""
        with self._lock:
            return list(self._sessions)

    def __iter__(self) -> Iterator[tuple[CrowdSession, Report]]:
        """(session, report) until all sessions are over. Raises tocsin.Error if the stream did not end well."""
        return self._take_events()

    def close(self) -> None:
        """As Session.close()."""
        if self._thread.ident is None:
            self._closed = True
            return
        super().close()

    def _raise_if_over(self) -> None:
        if self._error is not None:
            refuse(getattr(self._error, "code", "resource"), str(self._error))
        if self._closed or (self._thread.ident is not None and not self._thread.is_alive()):
            refuse("usage", "the crowd is over")

    # ---- Driver ----

    def _done(self) -> bool:
        return all(session._is_over for session in self._sessions)

    def _is_lost(self) -> bool:
        return False  # a stream without an opened session was refused as a whole

    def _begin(self, attempt: Attempt) -> Any:
        with self._lock:
            for session in self._sessions:
                session._begin_stream()
                session._slot.is_open = False
        return self._connection._stream("TrackMany", self._requests(attempt), pb.TrackManyRequest, pb.TrackManyResponse)

    def _requests(self, attempt: Attempt) -> Iterator[Any]:
        while True:
            message = pb.TrackManyRequest()
            with self._lock:
                self._lock.wait_for(lambda: attempt.dead or self._done() or self._has_work())
                if attempt.dead or self._done():
                    return
                frames: list[tuple[CrowdSession, Frame]] = []
                for session in self._sessions:
                    self._put_session(session, message, frames)
                self._put_frames(frames, message)
            yield message

    def _has_work(self) -> bool:
        return any(
            not session._is_over
            and (
                (session._opening and not session._asked)
                or (session._slot.is_open and (session._slot.unsent > 0 or (session._slot.finishing and not session._end_sent)))
            )
            for session in self._sessions
        )

    @staticmethod
    def _put_session(session: CrowdSession, message: Any, frames: list[tuple[CrowdSession, Frame]]) -> None:
        slot = session._slot
        if session._is_over:
            return
        if session._opening and not session._asked:
            session._asked = True
            message.openings.add(slot=session._number, **slot.first_message())
        if not slot.is_open:
            return
        for frame in slot.take_unsent(max(0, FRAMES_AT_ONCE - len(frames))):
            frames.append((session, frame))
        if slot.drained and not session._end_sent:
            session._end_sent = True
            message.ends.append(session._number)

    @staticmethod
    def _put_frames(frames: list[tuple[CrowdSession, Frame]], message: Any) -> None:
        """In columns: a set for each way in which poses are sent, and more where a session changes it, so that its frames stay in order."""
        sets: list[tuple[tuple[bool, bool], list[tuple[CrowdSession, Frame]]]] = []
        least: dict[CrowdSession, int] = {}  # the set of the session's frame before
        for session, frame in frames:
            way = (session._slot.codec.floats, frame.ahead is not None)
            at = next((i for i in range(least.get(session, 0), len(sets)) if sets[i][0] == way), len(sets))
            if at == len(sets):
                sets.append((way, []))
            sets[at][1].append((session, frame))
            least[session] = at
        for (floats, _), part in sets:
            Crowd._put_columns(part, message.frames_f.add() if floats else message.frames.add())

    @staticmethod
    def _put_columns(frames: list[tuple[CrowdSession, Frame]], out: Any) -> None:
        out.slots.extend(session._number for session, _ in frames)
        out.ids.extend(frame.id for _, frame in frames)
        out.capture_times.extend(frame.time for _, frame in frames)
        out.rotations.extend(np.concatenate([frame.pose[:, :4].ravel() for _, frame in frames]).tolist())
        out.translations.extend(np.concatenate([frame.pose[:, 4:].ravel() for _, frame in frames]).tolist())
        predicted = [frame.ahead for _, frame in frames if frame.ahead is not None]  # of all, or of none
        if predicted:
            out.ahead_rotations.extend(np.concatenate([pose[:, :4].ravel() for pose in predicted]).tolist())
            out.ahead_translations.extend(np.concatenate([pose[:, 4:].ravel() for pose in predicted]).tolist())

    def _take(self, response: Any, attempt: Attempt) -> None:
        told: list[tuple[CrowdSession, Optional[Report]]] = []
        with self._lock:
            for one in response.opened:
                session = self._by_slot[one.slot]
                session._opening = False
                session._slot.take_opened(one.opened)
                attempt.opened = True
            for number, report, row in self._in_order(response):
                session = self._by_slot[number]
                if report is not None:
                    told.append((session, session._slot.take_report(report)))
                else:
                    step, to = response.free.steps[row], Stamp(response.free.to_ids[row], response.free.to_times[row])
                    told.append((session, session._slot.take_free(step, to)))
            for one in response.ends:
                self._take_end(self._by_slot[one.slot], one)
            self._lock.notify_all()
        for session, report in told:
            if report is not None:
                self._put((session, report))

    @staticmethod
    def _in_order(response: Any) -> list[tuple[int, Any, int]]:
        """(slot, report, -1) or (slot, None, row of free) of all steps: those of one slot may be in both lists of a message."""
        free = response.free
        steps = [(one.report.step, one.slot, one.report, -1) for one in response.reports]
        steps += [(step, slot, None, row) for row, (step, slot) in enumerate(zip(free.steps, free.slots))]
        steps.sort(key=lambda one: int(one[0]))
        return [one[1:] for one in steps]

    @staticmethod
    def _take_end(session: CrowdSession, end: Any) -> None:
        if end.HasField("ended"):
            session._slot.take_ended(end.ended)
            return
        code, text = end.refused.code, end.refused.message
        if code in (UNAVAILABLE, CANCELLED):  # the next stream resumes it
            session._slot.is_open = session._opening = False
            return
        if code in LOST and not session._slot.is_open and session._slot.lost():
            session._begin_stream()  # a new session, where the reports end
            return
        error = Error(text or "the server ended the session without saying why")
        error.code = "input"
        session._error = error
