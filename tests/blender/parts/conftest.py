"""Samples as the add-on reads them from Blender, made of numbers."""

import pathlib

import numpy as np
import pytest
from tocsin_blender.samples import Bone, Rig, Samples, Thing


@pytest.fixture(scope="session")
def root():
    return pathlib.Path(__file__).resolve().parents[3]


def at(*places, linear=None):
    """(n, 4, 4): matrices with these translations, and one upper 3 x 3."""
    out = np.tile(np.eye(4), (len(places), 1, 1))
    out[:, :3, 3] = places
    if linear is not None:
        out[:, :3, :3] = linear
    return out


def turned(angle, axis):
    """(3, 3): Rodrigues' formula."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def wall(x=0.0, name="Wall", count=2):
    """A square in the plane of this x that stands."""
    corners = np.array([[x, -5, -5], [x, 5, -5], [x, 5, 5], [x, -5, 5]])
    return Thing(name, [corners] * count, at(*[(0, 0, 0)] * count), np.array([[0, 1, 2], [0, 2, 3]]), np.array([0, 0]))


def ball_bone(places, things, radius=0.1):
    """A bone of almost no length that goes through these places, one a frame."""
    count = len(places)
    rig = Rig("Rig", [Bone("dot", -1, 1e-3, radius, radius)], at(*[(0, 0, 0)] * count), at(*places)[:, None])
    return Samples(np.arange(1.0, count + 1), 10.0, rig=rig, things=things)
