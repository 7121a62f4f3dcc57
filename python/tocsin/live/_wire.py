"""The service's messages, from and to what the rest of the package has."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._contacts import CONTACT, Contacts
from .._tocsin import Avatar, Error, Motion, Shape, Skeleton

try:
    pb: Any = importlib.import_module("tocsin.v1.collision_pb2")
except ModuleNotFoundError as missing:
    if missing.name != "tocsin.v1.collision_pb2":
        raise
    raise ImportError("tocsin.v1.collision_pb2 is not there: protoc was missing when the package was built") from missing

IN_BETWEEN = {"screw": 0, "translate_rotate": 1}
CONTACTS = {"pairs": 0, "first": 1}
MOST_TRIANGLES = 16_384  #: of all shapes in one message


def refuse(code: str, text: str) -> NoReturn:
    """Raises a tocsin.Error."""
    error = Error(text)
    error.code = code
    raise error


class Stamp(NamedTuple):
    """A frame as reports name it."""

    id: int
    capture_time: float  #: seconds on the client's clock


@dataclass(frozen=True)
class Opened:
    """What the server says when a session begins or goes on."""

    session_id: str  #: a secret: it resumes the session
    room: str
    avatar: str
    links: list[str]
    backend: str
    max_pending_frames: int
    covered: Optional[Stamp]
    warnings: list[str]
    message: Any = field(repr=False)  #: a tocsin.v1.collision_pb2.Opened: all of it


@dataclass(frozen=True)
class Ended:
    """The end of a session that its client finished."""

    steps: int
    contacts: int
    skipped_frames: int
    stale_frames: int
    duplicate_frames: int
    bad_frames: int
    first_bad_frame: str
    record: str


@dataclass(frozen=True)
class Foreseen:
    """A contact that is predicted, with lookahead: never one that has happened."""

    link: str
    object: str  #: empty: it is one of two links
    other_link: str  #: else empty
    time_to_go: float  #: seconds from Report.to: free until then, in the predicted motion
    point: tuple[float, float, float]
    message: Any = field(repr=False)  #: a tocsin.v1.collision_pb2.Foreseen: all of it


@dataclass(frozen=True)
class Report:
    """The motion from one covered pose to the next. `start` is the `to` of the report before."""

    step: int
    start: Stamp
    to: Stamp
    safe_until: float  #: local time, 0 to 1: nothing is touched before, proved
    safe_until_time: float  #: the same as capture time
    contacts: Contacts  #: seconds: capture times; avatar is 0, other_avatar the other's number in a meeting
    skipped: list[tuple[int, int]]  #: frames that the step goes across, as ranges of ids, both ends included
    bad: list[tuple[int, int]]
    stale_frames: int  #: of the session so far
    duplicate_frames: int
    bad_frames: int
    clearances: NDArray[np.float64]
    stop_pose: Optional[NDArray[np.float64]]  #: (joints, 7)
    complete: bool  #: False: a part of a report that follows
    checked_until: float
    held: list[int]  #: joints that the frame `to` lacked (Tracker.hold_missing)
    ahead: list[Foreseen]  #: what would be touched if the motion went on (lookahead), the earliest first
    message: Any = field(repr=False)  #: a tocsin.v1.collision_pb2.StepReport: all of it; None: a free step of a crowd


class Codec:
    """Poses of one skeleton. floats: they are sent as 32-bit floats."""

    def __init__(self, skeleton: Skeleton, floats: bool = False) -> None:
        self.joints, self.floats = len(skeleton), floats
        self.rest: NDArray[np.float64] = np.asarray(skeleton.rest, dtype=np.float64)
        self.roots = np.flatnonzero(np.asarray(skeleton.parents) < 0)

    def pose(self, pose: ArrayLike) -> NDArray[np.float64]:
        """(joints, 7), float64, a copy."""
        out = np.array(pose, dtype=np.float64)
        if out.shape != (self.joints, 7):
            refuse("usage", f"the pose has the shape {out.shape}; it must be ({self.joints}, 7)")
        return out

    def put(self, pose: NDArray[np.float64], out: Any) -> None:
        out.rotations.extend(pose[:, :4].ravel().tolist())
        out.translations.extend(pose[:, 4:].ravel().tolist())

    def take(self, message: Any) -> NDArray[np.float64]:
        out = np.empty((self.joints, 7))
        out[:, :4] = np.asarray(message.rotations).reshape(self.joints, 4)
        places = np.asarray(message.translations)
        if len(places) == 3 * self.joints:
            out[:, 4:] = places.reshape(self.joints, 3)
        else:
            out[:, 4:] = self.rest[:, 4:]
            out[self.roots, 4:] = places.reshape(len(self.roots), 3)
        return out


def put_skeleton(skeleton: Skeleton, out: Any) -> None:
    for name, parent, (w, x, y, z, tx, ty, tz) in zip(skeleton.names, skeleton.parents, skeleton.rest.tolist()):
        out.joints.append(
            pb.Joint(
                name=name,
                parent=int(parent),
                rest_rotation=pb.Quaternion(w=w, x=x, y=y, z=z),
                rest_translation=pb.Vec3(x=tx, y=ty, z=tz),
            )
        )


def vector(v: Any) -> Any:
    return pb.Vec3(x=float(v[0]), y=float(v[1]), z=float(v[2]))


def shape_message(shape: Shape) -> Any:
    """Spheres and capsules as such, anything else with its triangles."""
    corners, features = shape.corners, shape.features
    if len(features) == 1 and len(set(features[0].tolist())) < 3:
        a, b = corners[features[0].min()], corners[features[0].max()]
        if len(set(features[0].tolist())) == 1:
            return pb.Shape(sphere=pb.Shape.Sphere(radius=shape.radius, center=vector(a)))
        return pb.Shape(capsule=pb.Shape.Capsule(a=vector(a), b=vector(b), radius=shape.radius))
    mesh = pb.Mesh(corners=corners.ravel().tolist(), triangles=features.ravel().tolist())
    return pb.Shape(mesh=mesh, radius=shape.radius)


def put_avatar(avatar: Avatar, out: Any) -> None:
    """The avatar's links as a model of its own."""
    names = avatar.skeleton.names
    out.name = avatar.name
    triangles = 0
    for link in avatar.links:
        joint = names[link.joint]
        if names.index(joint) != link.joint:
            refuse("input", f'link "{link.name}": several joints are called "{joint}"')
        made = out.links.add(name=link.name, joint=joint)
        if link.shape is None:
            made.a.offset.CopyFrom(vector(link.a))
            made.b.offset.CopyFrom(vector(link.b))
            made.radius = link.radius
            continue
        triangles += len(link.shape.features)
        made.shape.CopyFrom(shape_message(link.shape))
    if triangles > MOST_TRIANGLES:
        refuse("usage", f"the avatar's shapes have {triangles} triangles, and {MOST_TRIANGLES} can be sent with it")


def open_message(
    skeleton: Union[Skeleton, Motion],
    *,
    environment: str = "",
    model: Any = "auto",
    radii: Union[float, str] = 1.0,
    place: Sequence[float] = (0.0, 0.0, 0.0),
    yaw: float = 0.0,
    in_between: str = "screw",
    contacts: str = "pairs",
    margin: float = 0.0,
    tolerance: Optional[float] = None,
    clearance: bool = False,
    ignore: Sequence[str] = (),
    itself: bool = False,
    ignore_rest: bool = False,
    surfaces: Sequence[str] = (),
    coalesce: bool = True,
    stop_pose: bool = False,
    frame_seconds: Optional[float] = None,
    label: str = "",
    meet: bool = False,
    nearest: float = 0.0,
    most_distances: int = 0,
    lookahead: float = 0.0,
    tracker: Any = None,
) -> Any:
    """A session's options as they are sent: those of `tocsin check`, by the names of tocsin.check().

    skeleton: not placed; a Motion gives its skeleton. environment: a room of the server; "": its only
    one. model: a model that the server has, "auto", an Avatar, or an
    AvatarModel message, whose links may have shapes that the server has loaded. radii: a factor, or "auto". place,
    yaw: where the avatar stands, metres and degrees. frame_seconds: frame `id` is at id times that;
    None: every frame has a time. coalesce: frames may be skipped under overload. stop_pose: reports
    with contacts have the pose at safe_until. meet: it is checked against others who meet. nearest:
    metres within which reports tell distances (Report.message). lookahead: seconds, at most 1, for which
    reports tell what would be touched if the motion went on (Report.ahead). tracker: a Tracker, if poses
    are in the world, on other axes or with joints that are lost.
    """
    bones = skeleton.skeleton if isinstance(skeleton, Motion) else skeleton
    for name, value, known in (("in_between", in_between, IN_BETWEEN), ("contacts", contacts, CONTACTS)):
        if value not in known:
            refuse("usage", f"{name}: expected one of {', '.join(known)}, found {value!r}")
    out = pb.Open(
        environment=environment,
        place=vector(place),
        place_yaw_degrees=yaw,
        in_between=IN_BETWEEN[in_between],
        contacts=CONTACTS[contacts],
        margin=margin,
        clearance=clearance,
        ignore=list(ignore),
        coalesce=coalesce,
        stop_pose=stop_pose,
        frame_seconds=frame_seconds or 0.0,
        label=label,
        meet=meet,
        self=itself,
        surface=list(surfaces),
        ignore_rest=ignore_rest,
        nearest=nearest,
        most_distances=most_distances,
        lookahead=lookahead,
        tracker=tracker.message() if hasattr(tracker, "message") else tracker,
    )
    put_skeleton(bones, out.skeleton)
    if tolerance is not None:
        out.tolerance = tolerance
    if isinstance(model, Avatar):
        put_avatar(model, out.inline_model)
    elif isinstance(model, pb.AvatarModel):
        out.inline_model.CopyFrom(model)
    else:
        out.model = model
    if isinstance(radii, str):
        if radii != "auto":
            refuse("usage", f'radii: expected a number or "auto", found {radii!r}')
        out.radius_auto = True
    else:
        out.radius_factor = radii
    return out


def opened_from(message: Any) -> Opened:
    return Opened(
        session_id=message.session_id,
        room=message.environment.name,
        avatar=message.avatar,
        links=list(message.links),
        backend=message.backend,
        max_pending_frames=message.max_pending_frames,
        covered=stamp_from(message.covered) if message.HasField("covered") else None,
        warnings=list(message.warnings),
        message=message,
    )


def ended_from(message: Any) -> Ended:
    return Ended(
        steps=message.steps,
        contacts=message.contacts,
        skipped_frames=message.skipped_frames,
        stale_frames=message.stale_frames,
        duplicate_frames=message.duplicate_frames,
        bad_frames=message.bad_frames,
        first_bad_frame=message.first_bad_frame,
        record=message.record,
    )


def stamp_from(message: Any) -> Stamp:
    return Stamp(message.id, message.capture_time)


def seconds_at(start: Stamp, to: Stamp, t: float) -> float:
    return to.capture_time if t >= 1.0 else start.capture_time + t * (to.capture_time - start.capture_time)


def contacts_from(message: Any, start: Stamp, to: Stamp) -> Contacts:
    """The rows of a report's contacts, and the names that it has."""
    rows = np.zeros(len(message.contacts), dtype=CONTACT)
    links: dict[int, dict[int, str]] = {}
    objects: dict[int, str] = {}
    for row, contact in zip(rows, message.contacts):
        row["step"] = message.step
        row["frames"] = (message.step, message.step + 1)
        row["toc"] = (contact.toc_low, contact.toc_high)
        row["seconds"] = (seconds_at(start, to, contact.toc_low), seconds_at(start, to, contact.toc_high))
        row["touching"] = (contact.touching_low, contact.toc_high) if contact.HasField("touching_low") else np.nan
        row["point"] = (contact.point.x, contact.point.y, contact.point.z)
        normal = contact.normal
        row["normal"] = (normal.x, normal.y, normal.z) if contact.HasField("normal") else np.nan
        row["depth"] = contact.depth if contact.inside else np.nan
        row["link"] = contact.link
        row["link_feature"] = contact.link_triangle if contact.HasField("link_triangle") else -1
        row["status"] = contact.status
        row["inside"] = contact.inside
        row["limited"] = contact.limited
        links.setdefault(0, {})[contact.link] = contact.link_name
        row["object"] = row["triangle"] = row["other_avatar"] = row["other_link"] = row["other_feature"] = -1
        if contact.HasField("other"):
            other = contact.other
            row["other_avatar"], row["other_link"] = other.member, other.link
            if other.HasField("triangle"):
                row["other_feature"] = other.triangle
            links.setdefault(other.member, {})[other.link] = other.link_name
        else:
            row["object"], row["triangle"] = contact.object, contact.triangle
            objects[contact.object] = contact.object_name
    return Contacts(rows, links, objects)  # type: ignore[arg-type]  # looked up by number, as sequences are


def ranges_from(messages: Any) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in messages]


def foreseen_from(message: Any) -> Foreseen:
    contact, point = message.contact, message.contact.point
    return Foreseen(
        link=contact.link_name,
        object=contact.object_name,
        other_link=contact.other.link_name,
        time_to_go=message.time_to_go,
        point=(point.x, point.y, point.z),
        message=message,
    )


def report_from(message: Any, codec: Codec) -> Report:
    start, to = stamp_from(getattr(message, "from")), stamp_from(message.to)
    return Report(
        step=message.step,
        start=start,
        to=to,
        safe_until=message.safe_until,
        safe_until_time=message.safe_until_time,
        contacts=contacts_from(message, start, to),
        skipped=ranges_from(message.skipped),
        bad=ranges_from(message.bad),
        stale_frames=message.stale_frames,
        duplicate_frames=message.duplicate_frames,
        bad_frames=message.bad_frames,
        clearances=np.asarray(message.clearances, dtype=np.float64),
        stop_pose=codec.take(message.stop_pose) if message.HasField("stop_pose") else None,
        complete=not message.incomplete,
        checked_until=message.checked_until if message.incomplete else 1.0,
        held=list(message.held),
        ahead=[foreseen_from(one) for one in message.ahead.contacts],
        message=message,
    )


def free_report(step: int, to: Stamp, before: Report) -> Report:
    """A step with nothing to say, after the report before it."""
    return Report(
        step=step,
        start=before.to,
        to=to,
        safe_until=1.0,
        safe_until_time=to.capture_time,
        contacts=Contacts(np.zeros(0, dtype=CONTACT)),
        skipped=[],
        bad=[],
        stale_frames=before.stale_frames,
        duplicate_frames=before.duplicate_frames,
        bad_frames=before.bad_frames,
        clearances=np.empty(0),
        stop_pose=None,
        complete=True,
        checked_until=1.0,
        held=[],
        ahead=[],
        message=None,
    )
