"""Poses as trackers have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

from ._wire import pb, refuse

AXES = ("x", "y", "z", "-x", "-y", "-z")  #: as the message's enum counts them
NAMED = {"unity": (("-x", "y", "z"), 1.0), "unreal": (("z", "-x", "y"), 0.01), "z-up": (("x", "-z", "y"), 1.0)}


@dataclass(frozen=True)
class Tracker:
    """How a session's poses are meant, where they are not Tocsin's own: local, right-handed, Y up, in metres.

    world: each joint's pose is its place in the world, as OpenXR has it. axes: of the skeleton's rest
    poses and of all poses: "unity", "unreal", "z-up", or along which of Tocsin's axes x, y and z point,
    ("-x", "y", "z"). unit: metres in a unit; None: that of the axes' name, or 1. hold_missing: a joint
    whose quaternion is all zeros keeps its last place in its parent's frame, and Report.held names it;
    False: its frame is bad.
    """

    world: bool = False
    axes: Union[str, Sequence[str]] = ("x", "y", "z")
    unit: Optional[float] = None
    hold_missing: bool = False

    def message(self) -> Any:
        """A tocsin.v1.collision_pb2.Tracker. Raises tocsin.Error."""
        if isinstance(self.axes, str) and self.axes not in NAMED:
            refuse("usage", f"axes: expected one of {', '.join(NAMED)}, or three of {', '.join(AXES)}, found {self.axes!r}")
        along, unit = NAMED[self.axes] if isinstance(self.axes, str) else (tuple(self.axes), 1.0)
        if len(along) != 3 or any(one not in AXES for one in along) or len({one[-1] for one in along}) != 3:
            refuse("usage", f"axes: expected three of {', '.join(AXES)}, each along another axis, found {tuple(along)!r}")
        x, y, z = (AXES.index(one) for one in along)
        return pb.Tracker(
            world=self.world,
            axes=pb.Axes(x=x, y=y, z=z),
            unit=unit if self.unit is None else self.unit,
            missing=1 if self.hold_missing else 0,
        )
