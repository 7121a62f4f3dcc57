"""Following the sessions of others."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from .._tocsin import Avatar, Link, Shape, Skeleton
from ._wire import Codec, Ended, Report, ended_from, pb, refuse, report_from

if TYPE_CHECKING:
    from ._connection import Connection

grpc: Any = importlib.import_module("grpc")


@dataclass(frozen=True)
class Watched:
    """A session that is there, or begins: before anything else of it."""

    session: str  #: a name for people, as the server's log has it; it resumes nothing
    principal: str
    label: str
    room: str
    avatar: Avatar  #: as it is checked, its skeleton placed in the room; radii are without the margin
    attached: bool  #: a stream is attached; else it waits to be resumed
    message: Any = field(repr=False)  #: a tocsin.v1.collision_pb2.WatchedSession: all of it


@dataclass(frozen=True)
class Stepped:
    """A step that was checked: what the session's own client is told, and its poses, placed in the room."""

    session: str
    report: Report
    from_pose: Optional[NDArray[np.float64]]  #: (joints, 7); None: poses were not asked for, or a part of a report
    to_pose: Optional[NDArray[np.float64]]


@dataclass(frozen=True)
class Attached:
    """A session has lost its stream, or is resumed."""

    session: str
    attached: bool


@dataclass(frozen=True)
class Left:
    """The end of a session."""

    session: str
    totals: Optional[Ended]  #: None: the end was among what was missed
    reported: bool  #: its client has closed it, and got all reports
    cause: str  #: why else it has ended, for people


@dataclass(frozen=True)
class Missed:
    """This watcher was too slow for so many events."""

    events: int


Event = Union[Watched, Stepped, Attached, Left, Missed]


def _v(v: Any) -> tuple[float, float, float]:
    return (v.x, v.y, v.z)


def _shape(message: Any) -> Shape:
    """As a server sends the shapes of links that are bound."""
    kind = message.WhichOneof("of")
    if kind == "sphere":
        return Shape.sphere(message.sphere.radius, _v(message.sphere.center))
    if kind == "capsule":
        return Shape.capsule(_v(message.capsule.a), _v(message.capsule.b), message.capsule.radius)
    corners = np.asarray(message.mesh.corners).reshape(-1, 3)
    return Shape.mesh(corners, np.asarray(message.mesh.triangles, dtype=np.uint32).reshape(-1, 3), message.radius)


def _link(message: Any) -> Link:
    if message.HasField("shape"):
        return Link(message.name, message.joint, shape=_shape(message.shape))
    return Link(message.name, message.joint, a=_v(message.a), b=_v(message.b), radius=message.radius)


def _watched(message: Any) -> Watched:
    rest = np.zeros((len(message.skeleton.joints), 7))
    for row, joint in zip(rest, message.skeleton.joints):
        turn = joint.rest_rotation
        row[:4] = (turn.w, turn.x, turn.y, turn.z) if joint.HasField("rest_rotation") else (1.0, 0.0, 0.0, 0.0)
        row[4:] = _v(joint.rest_translation)
    joints = message.skeleton.joints
    skeleton = Skeleton([joint.name for joint in joints], [joint.parent for joint in joints], rest)
    return Watched(
        session=message.session,
        principal=message.principal,
        label=message.label,
        room=message.environment.name,
        avatar=Avatar(message.avatar, skeleton, [_link(link) for link in message.links]),
        attached=message.attached,
        message=message,
    )


class Watch:
    """An iterator of what happens to sessions. Made by Connection.watch(); `with` ends it.

    Gives Watched, Stepped, Attached, Left and Missed, in order, until the server shuts down. A loop that
    is too slow misses whole events, and is told how many. Raises tocsin.Error if the server refuses it,
    or is lost.
    """

    def __init__(self, connection: Connection, environment: str, sessions: Sequence[str], poses: bool) -> None:
        self._connection, self._closed = connection, False
        request = pb.WatchRequest(environment=environment, sessions=list(sessions), without_poses=not poses)
        self._call = connection._watch_call(request)
        self._known: dict[str, tuple[Codec, Optional[NDArray[np.float64]]]] = {}
        self._events = self._all()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it. Another thread may do so."""
        self._closed = True
        self._call.cancel()

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def _all(self) -> Iterator[Event]:
        try:
            for response in self._call:
                for event in response.events:
                    told = self._told(event)
                    if told is not None:
                        yield told
        except grpc.RpcError as error:
            closing = error.code() == grpc.StatusCode.UNAVAILABLE and error.details() == "the server is shutting down"
            if not self._closed and not closing:
                self._connection._refuse_with(error)

    def _told(self, event: Any) -> Optional[Event]:
        kind = event.WhichOneof("what")
        if kind == "session":
            watched = _watched(event.session)
            self._known[watched.session] = (Codec(watched.avatar.skeleton), None)
            return watched
        if kind == "step":
            return self._stepped(event.step)
        if kind == "stream":
            return Attached(event.stream.session, event.stream.attached)
        if kind == "ended":
            ended = event.ended
            self._known.pop(ended.session, None)
            totals = ended_from(ended.totals) if ended.HasField("totals") else None
            return Left(ended.session, totals, ended.reported, ended.cause)
        return Missed(event.skipped.events) if kind == "skipped" else None

    def _stepped(self, step: Any) -> Stepped:
        if step.session not in self._known:
            refuse("input", "the server sent a step of a session that it did not tell")
        codec, last = self._known[step.session]
        begin = codec.take(step.from_pose) if step.HasField("from_pose") else last
        end = codec.take(step.to_pose) if step.HasField("to_pose") else None
        if end is None:
            return Stepped(step.session, report_from(step.report, codec), None, None)
        self._known[step.session] = (codec, end)
        return Stepped(step.session, report_from(step.report, codec), begin, end)
