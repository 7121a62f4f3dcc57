"""Streams that begin one after the other, on a thread of their own, until all is done."""

from __future__ import annotations

import importlib
import queue
import threading
import time
from typing import TYPE_CHECKING, Any, Iterator, Optional

from .._tocsin import Error
from ._wire import refuse

if TYPE_CHECKING:
    from ._connection import Connection

grpc: Any = importlib.import_module("grpc")

MOST_WAITING = 1024  #: reports that nobody has taken: beyond it the stream waits, and the server skips frames
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  #: seconds between two streams


class Attempt:
    """One stream."""

    def __init__(self) -> None:
        self.dead = False  #: under the driver's lock
        self.opened = False  #: a session of it


class Driver:
    """What Session and Crowd have in common. Its thread is the only one that takes what comes in."""

    def __init__(self, connection: Connection, patience: float) -> None:
        self._connection, self._patience = connection, patience
        self._lock = threading.Condition()
        self._events: queue.Queue[Any] = queue.Queue(MOST_WAITING)
        self._closed = False
        self._error: Optional[BaseException] = None
        self._call: Any = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    # ---- What differs ----

    def _done(self) -> bool:
        """Under the lock: nothing more is to be streamed."""
        raise NotImplementedError

    def _begin(self, attempt: Attempt) -> Any:
        """The call of a new stream."""
        raise NotImplementedError

    def _take(self, response: Any, attempt: Attempt) -> None:
        raise NotImplementedError

    def _is_lost(self) -> bool:
        """Under the lock, after the server refused a stream on which nothing was opened: it may go on with a new session."""
        raise NotImplementedError

    # ---- The thread ----

    def _run(self) -> None:
        error: Optional[BaseException] = None
        try:
            self._stream_all()
        except BaseException as caught:  # the thread that reads raises it
            error = caught
        with self._lock:
            self._error = error
            self._lock.notify_all()
        self._put(None)

    def _put(self, event: Any) -> None:
        while not self._closed:
            try:
                return self._events.put(event, timeout=0.1)
            except queue.Full:
                continue

    def _over(self) -> bool:
        with self._lock:
            return self._closed or self._done()

    def _stream_all(self) -> None:
        from ._connection import is_broken

        latest, pause = 0.0, FIRST_PAUSE
        while not self._over():
            attempt, channel = Attempt(), self._connection.channel
            broken, why = True, "the server ended the stream too early"
            try:
                self._stream(attempt)
            except grpc.RpcError as error:
                broken, why = is_broken(error), error.details() or error.code().name
            except ValueError as error:  # the channel was closed
                why = str(error)
            if self._over():
                return
            if not broken and attempt.opened:
                refuse("input", why)
            if not broken:
                with self._lock:
                    if not self._is_lost():
                        refuse("input", why)
            if broken and not attempt.opened:
                self._connection._renew(channel)
            if attempt.opened or latest == 0.0:
                latest, pause = time.monotonic() + self._patience, FIRST_PAUSE
            if time.monotonic() >= latest:
                refuse("resource", f"{self._connection.target}: {why}")
            with self._lock:
                self._lock.wait_for(lambda: self._closed, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _stream(self, attempt: Attempt) -> None:
        self._call = self._begin(attempt)
        if self._closed:  # meanwhile
            self._call.cancel()
        try:
            for response in self._call:
                self._take(response, attempt)
        finally:
            with self._lock:
                attempt.dead = True
                self._lock.notify_all()

    # ---- The user's side ----

    def _take_events(self) -> Iterator[Any]:
        while True:
            event = self._events.get()
            if event is None:
                self._events.put(None)  # for the next who asks
                if isinstance(self._error, Error):
                    raise _again(self._error)
                if self._error is not None:
                    raise self._error
                return
            yield event

    def close(self) -> None:
        """Breaks the stream at once, as a lost connection would. The server keeps sessions for a while."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._lock.notify_all()
        if self._call is not None:
            self._call.cancel()
        self._thread.join()
        try:
            self._events.put_nowait(None)
        except queue.Full:
            pass


def _again(error: Error) -> Error:
    out = Error(str(error))
    out.code = error.code
    return out
