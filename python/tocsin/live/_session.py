"""A session on a stream of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional

from numpy.typing import ArrayLike

from ._driver import Attempt, Driver
from ._slot import Hole, Slot
from ._wire import Codec, Ended, Opened, Report, pb

if TYPE_CHECKING:
    from ._connection import Connection

FRAMES_AT_ONCE = 64  #: in one message


class Session(Driver):
    """A session that goes on when its stream breaks. Made by Connection.track(); `with` closes it.

    send() never waits for the network; iterating gives the reports, each once, in order, until the
    session is over. Each begins where the one before ended, unless `holes` says otherwise. One thread
    may send while another reads.
    """

    def __init__(self, connection: Connection, opening: Any, codec: Codec, *, patience: float, partials: bool) -> None:
        super().__init__(connection, patience)
        self._slot, self._partials = Slot(opening, codec), partials
        self._thread.start()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(
        self, pose: ArrayLike, frame: Optional[int] = None, time: Optional[float] = None, *, ahead: Optional[ArrayLike] = None
    ) -> None:
        """Queues a pose, (joints, 7). frame: its number, which counts up; None: the next. time: seconds.

        ahead: with lookahead, the client's own prediction: the pose so many seconds later, such as a headset's; None: every
        joint goes on as in the last step.

        Frames that no report covers are kept, to be sent again: the newest 512.
        """
        with self._lock:
            self._raise_if_over()
            self._slot.offer(pose, frame, time, ahead)
            self._lock.notify_all()

    def finish(self) -> None:
        """No more frames: the server reports what is pending and ends the session."""
        with self._lock:
            self._slot.finishing = True
            self._lock.notify_all()

    def __iter__(self) -> Iterator[Report]:
        """The reports, until the session is over. Raises tocsin.Error if it did not end well."""
        return self._take_events()

    def wait_until_open(self, timeout: float = 10.0) -> Opened:
        """What the server said when the session began, or last went on."""
        with self._lock:
            self._lock.wait_for(lambda: self._slot.opened is not None or self._error is not None or self._closed, timeout)
            self._raise_if_over()
            if self._slot.opened is None:
                from ._wire import refuse

                refuse("resource", f"{self._connection.target}: the session did not open in {timeout:g} s")
            return self._slot.opened

    @property
    def opened(self) -> Optional[Opened]:
        """What the server said when the session began, or last went on; None: nothing yet."""
        return self._slot.opened

    @property
    def ended(self) -> Optional[Ended]:
        """The session's end; None: it goes on, or did not end well."""
        return self._slot.ended

    @property
    def holes(self) -> list[Hole]:
        """Times that no report covers: more frames were under way than are kept when a session was lost."""
        with self._lock:
            return list(self._slot.holes)

    def _raise_if_over(self) -> None:
        from ._wire import refuse

        if self._error is not None:
            refuse(getattr(self._error, "code", "resource"), str(self._error))
        if self._closed:
            refuse("usage", "the session was closed")

    # ---- Driver ----

    def _done(self) -> bool:
        return self._slot.ended is not None

    def _is_lost(self) -> bool:
        return self._slot.lost()

    def _begin(self, attempt: Attempt) -> Any:
        with self._lock:
            first = pb.TrackRequest(**self._slot.first_message())
        return self._connection._stream("Track", self._requests(attempt, first), pb.TrackRequest, pb.TrackResponse)

    def _requests(self, attempt: Attempt, first: Any) -> Iterator[Any]:
        yield first
        slot = self._slot
        while True:
            with self._lock:
                self._lock.wait_for(lambda: attempt.dead or (slot.is_open and (slot.unsent or slot.finishing)))
                if attempt.dead:
                    return
                frames = slot.take_unsent(FRAMES_AT_ONCE)
            if not frames:
                return  # which closes our side
            message = pb.TrackRequest()
            for frame in frames:
                out = message.frames_f if slot.codec.floats else message.frames
                made = out.frames.add(id=frame.id, capture_time=frame.time)
                slot.codec.put(frame.pose, made.pose)
                if frame.ahead is not None:
                    slot.codec.put(frame.ahead, made.ahead)
            yield message

    def _take(self, response: Any, attempt: Attempt) -> None:
        kind = response.WhichOneof("message")
        told: list[Optional[Report]] = []
        with self._lock:
            if kind == "opened":
                self._slot.take_opened(response.opened)
                attempt.opened = True
            elif kind == "reports":
                told = [self._slot.take_report(one) for one in response.reports.reports]
            elif kind == "partial" and self._partials:
                told = [self._slot.take_partial(response.partial)]
            elif kind == "ended":
                self._slot.take_ended(response.ended)
            self._lock.notify_all()
        for report in told:
            if report is not None:
                self._put(report)
