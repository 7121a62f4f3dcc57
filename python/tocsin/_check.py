"""check: takes in a room, in one line."""

from __future__ import annotations

import fnmatch
import operator
import os
import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._body import Body
from ._result import Result
from ._tocsin import (
    Avatar,
    AvatarModel,
    Detector,
    Environment,
    Error,
    InputWarning,
    Member,
    Motion,
    Robot,
    Steps,
    load_environment,
    load_motion,
    run,
    time_line,
)

File = Union[str, "os.PathLike[str]"]
Rooms = Union[File, Environment, Mapping[str, Any], Sequence[Any]]


@dataclass(frozen=True)
class Take:
    """One of several takes of a check, and its avatar.

    motion: a Motion or a file. avatar: 'auto', a shipped model's name, a model's file, a robot's .urdf
    (then the motion may be a plan, .csv), an AvatarModel or an Avatar. radii: what a model's radii are multiplied by, or 'auto'. place: (3,) metres, and
    yaw, degrees: where the avatar stands. frames: (first, last), -1 is the last. stride: frames of a
    step. start: seconds on the common time line at which its frame 0 is.
    """

    motion: Union[Motion, File]
    avatar: Union[File, AvatarModel, Avatar] = "auto"
    radii: Union[float, str] = 1.0
    place: Sequence[float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    frames: tuple[int, int] = (0, -1)
    stride: int = 1
    start: float = 0.0


def check(
    motion: Union[Motion, File, Take, Iterable[Union[Motion, File, Take]]],
    env: Rooms,
    *,
    avatar: Union[File, AvatarModel, Avatar] = "auto",
    radii: Union[float, str] = 1.0,
    place: Sequence[float] = (0.0, 0.0, 0.0),
    yaw: float = 0.0,
    frames: tuple[int, int] = (0, -1),
    stride: int = 1,
    bodies: Sequence[Body] = (),
    itself: bool = False,
    ignore: Sequence[str] = (),
    srdf: Optional[File] = "auto",
    in_between: str = "screw",
    sampled: bool = False,
    absent: str = "gone",
    contacts: str = "pairs",
    margin: float = 0.0,
    tolerance: float = 1e-9,
    clearance: bool = False,
    surfaces: Sequence[str] = (),
    backend: str = "auto",
    threads: int = 0,
    tree_cache: str = "",
    emulate: bool = False,
) -> Result:
    """Checks a take, or several that meet, in a room: what is touched, when and where, with proof.

    motion: a Motion, a file, a Take, or a list of these (then avatars are checked against each other).
    avatar, radii, place, yaw, frames, stride: of what is no Take (see Take).
    env: an Environment, a file, {name: mesh}, or a list of these.
    bodies: what else moves or stands. itself: avatars are checked against themselves, too.
    ignore: patterns 'LINK:OBJECT' (with itself also 'LINK:LINK'), shell globs.
    srdf: with itself, of a robot (avatar is a .urdf): the SRDF whose disabled pairs are left out, None, or
    'auto': the one beside the .urdf.
    sampled: only the frames are looked at, not what is between them.
    absent: 'gone' or 'stays', of several takes outside their own time.
    The others: see Detector and Motion.steps.

    Raises Error; Ctrl-C ends it.
    """
    shared = {"avatar": avatar, "radii": radii, "place": place, "yaw": yaw, "frames": frames, "stride": stride}
    takes = _takes(motion, shared)
    room = _room(env)
    parts = [_part(take) for take in takes]
    who = [part.avatar for part in parts] + [body.avatar() for body in bodies]
    if len(who) == 1:
        instants = None
        steps = [parts[0].steps(in_between, sampled)]
    elif sampled:
        raise _usage("sampled: several takes are on one time line, which has no steps that stand still")
    else:
        instants, steps = _on_time_line(parts, bodies, in_between, absent)
    robots = [_robot_pairs(part, srdf) if itself else [] for part in parts] + [[] for _ in bodies]
    members = _members(who, room, ignore, itself, robots)
    detector = Detector(
        room,
        backend=backend,
        contacts=contacts,
        margin=margin,
        tolerance=tolerance,
        clearance=clearance,
        surfaces=list(surfaces),
        tree_cache=tree_cache,
        threads=threads,
        expected_steps=sum(len(one) for one in steps),
        emulate=emulate,
    )
    _warn_of_nothing(takes, steps, room, surfaces)
    return Result(run(detector, members, steps, threads), instants)


@dataclass(frozen=True)
class _Part:
    motion: Motion
    avatar: Avatar
    take: Take

    def steps(self, in_between: str, still: bool) -> Steps:
        first, last = _frames(self.take)
        return self.motion.steps(first, last, self.take.stride, in_between=in_between, still=still)

    def span(self) -> tuple[float, float]:
        """Seconds on the time line at which it begins and ends."""
        first, last = _frames(self.take)
        times = self.motion.times
        try:
            return self.take.start + times[first], self.take.start + times[last]
        except IndexError:
            self.motion.steps(first, last)  # says what is wrong
            raise


def _usage(text: str) -> Error:
    error = Error(text)
    error.code = "usage"
    return error


def _frames(take: Take) -> tuple[int, int]:
    try:
        first, last = (operator.index(one) for one in take.frames)
    except (TypeError, ValueError):
        raise _usage(f"check: frames must be two whole numbers, the first and the last, not {take.frames!r}") from None
    return first, last


def _takes(motion: Any, shared: Mapping[str, Any]) -> list[Take]:
    if isinstance(motion, (Motion, Take, str, os.PathLike)):
        motion = [motion]
    takes = [one if isinstance(one, Take) else Take(one, **shared) for one in motion]
    if not takes:
        raise _usage("check: no motion")
    return takes


def _room(env: Any) -> Environment:
    if isinstance(env, Environment):
        return env
    if isinstance(env, (str, os.PathLike)):
        return load_environment(env)
    if isinstance(env, Mapping):
        return Environment(dict(env))
    return Environment.merge([_room(part) for part in env])


def _is_urdf(avatar: Any) -> bool:
    return isinstance(avatar, (str, os.PathLike)) and os.fspath(avatar).lower().endswith(".urdf")


def _robot_pairs(part: _Part, srdf: Optional[File]) -> list[str]:
    """Patterns of the pairs of a robot's own links that are left out; none for what is no robot."""
    if not _is_urdf(part.take.avatar):
        return []
    robot = Robot(part.take.avatar)  # type: ignore[arg-type]
    if robot.skeleton().names != part.motion.skeleton.names:
        return []
    return robot.ignored_pairs(part.avatar, (robot.srdf if srdf == "auto" else srdf) or None)


def _load(take: Take) -> Motion:
    if isinstance(take.motion, Motion):
        return take.motion
    if os.fspath(take.motion).lower().endswith(".csv") and _is_urdf(take.avatar):
        return load_motion(take.motion, skeleton=take.avatar)  # type: ignore[arg-type]
    return load_motion(take.motion)


def _part(take: Take) -> _Part:
    motion = _load(take)
    rest = motion.rest_frame if take.frames[0] == 0 else None
    if rest:
        _warn(
            f"{motion.file or 'the motion'}: frame 0 is the skeleton's rest pose, from which a joint turns by {rest[0]:.0f} "
            f"degrees to frame 1 (then by {rest[1]:.1f} at most); frames=(1, -1) leaves it out"
        )
    motion = motion.placed(take.place, take.yaw)
    if isinstance(take.avatar, Avatar):
        return _Part(motion, take.avatar, take)
    if isinstance(take.avatar, str) and take.avatar == "auto":
        return _Part(motion, Avatar.auto(motion, take.radii), take)
    model = os.fspath(take.avatar) if isinstance(take.avatar, os.PathLike) else take.avatar
    return _Part(motion, Avatar.bind(model, motion, take.radii), take)


def _members(
    who: Sequence[Avatar], room: Environment, ignore: Sequence[str], itself: bool, robots: Sequence[Sequence[str]]
) -> list[Member]:
    patterns = list(ignore)
    of_links = patterns if itself else []
    members = [Member(one, room, patterns, itself, [*of_links, *own]) for one, own in zip(who, robots)]
    for i, pattern in enumerate(patterns):
        hits = sum(m.ignored[i] for m in members) + (sum(m.ignored_itself[i] for m in members) if itself else 0)
        if hits == 0:
            other = ", and none of two links" if itself else ""
            _warn(f"ignore '{pattern}' matches no pair of a link and an object{other}")
    return members


def _warn(text: str) -> None:
    warnings.warn(text, InputWarning, stacklevel=4)  # at the call of check


def _warn_of_nothing(takes: Sequence[Take], steps: Sequence[Steps], room: Environment, surfaces: Sequence[str]) -> None:
    """Of what was asked for and is about nothing."""
    for take, own in zip(takes, steps):
        if len(own) == 0:
            _warn("a single frame holds no step: nothing was checked (sampled=True checks poses)")
        elif any(len(other) and (own[-1].index < other[0].index or other[-1].index < own[0].index) for other in steps):
            _warn(f"{take.motion}: is not there at the same time as another")
    for pattern in surfaces:
        if pattern != "*" and not any(fnmatch.fnmatchcase(name, pattern) for name in room.objects):
            _warn(f"surfaces '{pattern}' matches no object")


def _on_time_line(
    parts: Sequence[_Part], bodies: Sequence[Body], in_between: str, absent: str
) -> tuple[Optional[list[float]], list[Steps]]:
    lines = [(p.motion, *p.take.frames, p.take.stride, p.take.start) for p in parts]
    spans = [p.span() for p in parts]
    spans += [(b.start + b.motion.times[0], b.start + b.motion.times[-1]) for b in bodies if b.motion]
    begin, end = min(a for a, _ in spans), max(b for _, b in spans)
    for body in bodies:
        motion, start = body._moving(begin, end)
        lines.append((motion, 0, -1, 1, start))
    return time_line(lines, in_between=in_between, absent=absent)
