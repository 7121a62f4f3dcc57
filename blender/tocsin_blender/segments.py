"""Bones that bend: a bendy bone is a row of straight segments, each a link of its own. No bpy."""

from __future__ import annotations

import numpy as np


def places(bone, points):
    """Matrices (n, 4, 4) of the segments between points (n + 1, 3) of the world, and their lengths (n,) before any
    scale. bone: (4, 4), the matrix of the whole. Each segment lies along its y axis; its stretch is that of the bone."""
    along = np.diff(points, axis=0)
    own = bone[:3, 1]
    lengths = np.linalg.norm(along, axis=1)
    out = np.tile(bone, (len(along), 1, 1))
    out[:, :3, 3] = points[:-1]
    for segment, way, length in zip(out, along, lengths):
        if length > 0.0:
            segment[:3, :3] = _between(own / np.linalg.norm(own), way / length) @ bone[:3, :3]
    return out, lengths / np.linalg.norm(own)


def _between(one, other):
    """The least rotation that takes one unit vector to another."""
    axis, cosine = np.cross(one, other), float(one @ other)
    if cosine < -1.0 + 1e-12:  # any axis across does
        across = np.cross(one, np.eye(3)[np.argmin(np.abs(one))])
        across /= np.linalg.norm(across)
        return 2.0 * np.outer(across, across) - np.eye(3)
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + k + k @ k / (1.0 + cosine)
