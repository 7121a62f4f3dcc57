"""Matrices of Blender as rigid motions and what is left of them. numpy alone: no bpy, no tocsin."""

from __future__ import annotations

import numpy as np

#: A volume of a matrix, as a share of its size to the third, that Blender's 24 bits may have made of none.
FLAT = 1e-7

def parts(matrices):
    """Splits affine matrices into a rotation with a translation, and a stretch.

    matrices: (..., 4, 4), which map column vectors. Returns poses (..., 7), qw qx qy qz x y z, and
    stretches (..., 3, 3): matrix = rotation @ stretch on the upper 3 x 3. The rotation is the nearest
    one; a stretch is symmetric, and has negative eigenvalues where the matrix mirrors.
    """
    matrices = np.asarray(matrices, dtype=float)
    linear = matrices[..., :3, :3]
    u, s, vt = np.linalg.svd(linear)
    turns = u @ vt
    mirrored = np.linalg.det(turns) < 0.0
    turns = np.where(mirrored[..., None, None], -turns, turns)
    stretches = np.swapaxes(vt, -1, -2) * s[..., None, :] @ vt
    stretches = np.where(mirrored[..., None, None], -stretches, stretches)
    poses = np.concatenate([quaternions(turns), matrices[..., :3, 3]], axis=-1)
    return poses, stretches


def quaternions(rotations):
    """(..., 4), qw qx qy qz of unit length, of rotations (..., 3, 3)."""
    r = np.asarray(rotations, dtype=float)
    # Four times the product of any two components; the row with the largest diagonal divides well.
    k = np.empty(r.shape[:-2] + (4, 4))
    trace = r[..., 0, 0] + r[..., 1, 1] + r[..., 2, 2]
    k[..., 0, 0] = 1.0 + trace
    for i in range(3):
        j, h = (i + 1) % 3, (i + 2) % 3
        k[..., i + 1, i + 1] = 1.0 + 2.0 * r[..., i, i] - trace
        k[..., 0, i + 1] = k[..., i + 1, 0] = r[..., h, j] - r[..., j, h]
        k[..., i + 1, j + 1] = k[..., j + 1, i + 1] = r[..., i, j] + r[..., j, i]
    best = np.argmax(np.diagonal(k, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(k, best[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def rotations(poses):
    """(..., 3, 3) of poses (..., 7)."""
    w, x, y, z = np.moveaxis(np.asarray(poses, dtype=float)[..., :4], -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def matrices(poses):
    """(..., 4, 4) of poses (..., 7)."""
    poses = np.asarray(poses, dtype=float)
    out = np.zeros(poses.shape[:-1] + (4, 4))
    out[..., :3, :3] = rotations(poses)
    out[..., :3, 3] = poses[..., 4:]
    out[..., 3, 3] = 1.0
    return out


def relative(parents, children):
    """Poses of children in their parents' frames; both (..., 7) in one frame."""
    turn = np.swapaxes(rotations(parents), -1, -2)
    way = (turn @ (children[..., 4:] - parents[..., 4:])[..., None])[..., 0]
    return np.concatenate([quaternions(turn @ rotations(children)), way], axis=-1)


def apply(matrix, points):
    """Points (n, 3) under a matrix (4, 4)."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def mirrored(matrices):
    """(n,): -1 where a matrix (n, 4, 4) mirrors, 1 where it does not. 0 where it makes things so flat that the sign may be
    mere rounding; where all do, the sign of the least flat one is all theirs."""
    linear = np.asarray(matrices, dtype=float)[:, :3, :3]
    volumes = np.linalg.det(linear)
    flat = np.abs(volumes) <= FLAT * np.linalg.norm(linear, axis=(1, 2)) ** 3
    if flat.all():
        return np.full(len(volumes), np.sign(volumes[np.argmax(np.abs(volumes))]))
    return np.sign(np.where(flat, 0.0, volumes))


def turns_in_degrees(poses):
    """(frames - 1, ...): by how much poses (frames, ..., 7) turn from frame to frame, the short way."""
    q = np.asarray(poses)[..., :4]
    cosine = np.abs(np.sum(q[1:] * q[:-1], axis=-1))
    return np.degrees(2.0 * np.arccos(np.clip(cosine, 0.0, 1.0)))
