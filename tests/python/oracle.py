"""Distances and motions by numpy alone: what the tests hold the library against."""

import numpy as np


def to_triangle(points, triangle):
    """Distances of points, (n, 3), from a triangle, (3, 3): the plane's foot if it is inside, else the edges."""
    a, b, c = np.asarray(triangle, dtype=float)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal)
    height = (points - a) @ normal
    foot = points - height[:, None] * normal
    inside = np.ones(len(points), dtype=bool)
    best = np.full(len(points), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= np.cross(q - p, foot - p) @ normal >= 0.0
        along = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(points - p - along[:, None] * (q - p), axis=1))
    return np.where(inside, np.abs(height), best)


def rotated(quaternions, vector):
    """R(q) v of unit quaternions, (n, 4), scalar first."""
    w, u = quaternions[:, :1], quaternions[:, 1:]
    cross = np.cross(u, vector)
    return vector + 2.0 * (w * cross + np.cross(u, cross))


def slerp(p, q, t):
    """The shorter arc from p to q at times t, (n,): (n, 4)."""
    p, q = np.asarray(p), np.asarray(q)
    if p @ q < 0.0:
        q = -q
    angle = np.arccos(np.clip(p @ q, -1.0, 1.0))
    if angle < 1e-9:
        return np.repeat(p[None], len(t), axis=0)
    return (np.sin((1.0 - t) * angle)[:, None] * p + np.sin(t * angle)[:, None] * q) / np.sin(angle)


def unit_quaternions(random, n):
    q = random.standard_normal((n, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def path_of_point(pose0, pose1, offset, t):
    """Where a point of a joint is at times t, with constant velocities of rotation and translation."""
    turned = rotated(slerp(pose0[:4], pose1[:4], t), np.asarray(offset, dtype=float))
    return turned + (1.0 - t)[:, None] * pose0[4:] + t[:, None] * pose1[4:]
