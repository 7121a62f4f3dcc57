"""Bodies: meshes that move by themselves, or stand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Union

from ._tocsin import Avatar, Motion, Shape, Skeleton, _load_body


@dataclass(frozen=True)
class Body:
    """A rigid body of a check: it meets the avatars, the other bodies and the room.

    shape: in the body's frame. motion: of one joint, body's frame to world; None: it stands at the
    origin. start: seconds at which its frame 0 is.
    """

    name: str
    shape: Shape
    motion: Optional[Motion] = None
    start: float = 0.0

    @staticmethod
    def from_poses(name: str, shape: Shape, poses: object, times: object) -> Body:
        """A body from arrays. poses: (frames, 7), qw qx qy qz x y z, metres. times: (frames,) seconds."""
        import numpy as np

        at = np.asarray(times, dtype=float)
        # A wrong shape is refused with the others, by Motion.
        whole = np.asarray(poses)
        motion = Motion(_one_joint(name), whole[:, None, :] if whole.ndim == 2 else whole, times=at)
        return Body(name, shape, motion, float(at[0]))

    @staticmethod
    def load(
        name: str, mesh: Union[str, os.PathLike[str]], motion: Union[str, os.PathLike[str], None] = None
    ) -> Body:
        """A body from files: a mesh of any room format, and a .csv or .poses of where it is.

        A mesh file whose nodes are animated is refused without `motion`: `tocsin check --body` reads
        such files.
        """
        shape, moved, start = _load_body(mesh, motion)
        return Body(name, shape, moved, start)

    def avatar(self) -> Avatar:
        """The body as an avatar of one joint and one link."""
        return Avatar.body(self.name, self.shape)

    def _moving(self, start: float, end: float) -> tuple[Motion, float]:
        """Its motion and when that begins; where it stands, from `start` to `end` seconds."""
        if self.motion is not None:
            return self.motion, self.start
        span = end - start
        still = [[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]] * (2 if span > 0.0 else 1)
        return Motion(_one_joint(self.name), still, frame_time=span if span > 0.0 else 1.0), start


def _one_joint(name: str) -> Skeleton:
    return Skeleton([name], [-1])
