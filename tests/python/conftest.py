"""What several tests use."""

import os
import pathlib
import signal
import sys

import numpy as np
import pytest
import tocsin

# A test runner in the background leaves it ignored, and what is started here would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def walk():
    return tocsin.load_motion(ROOT / "motions" / "walk_and_reach.bvh")


@pytest.fixture(scope="session")
def room():
    return tocsin.load_environment(ROOT / "environments" / "music_room.obj")


@pytest.fixture(scope="session")
def checked(walk, room):
    return tocsin.check(walk, room)


@pytest.fixture(scope="session")
def one_joint():
    return tocsin.Skeleton(["ball"], [-1])


def poses_at(places):
    """(n, 1, 7): a joint that does not turn, at each of these places, (n, 3)."""
    places = np.asarray(places, dtype=float)
    poses = np.zeros((len(places), 1, 7))
    poses[:, 0, 0] = 1.0
    poses[:, 0, 4:] = places
    return poses


def wall(x=1.0, half=5.0):
    """A square in the plane of this x: vertices and faces."""
    vertices = [[x, -half, -half], [x, half, -half], [x, half, half], [x, -half, half]]
    return np.array(vertices), np.array([[0, 1, 2], [0, 2, 3]])


def ball(skeleton, radius, centre=(0.0, 0.0, 0.0)):
    return tocsin.Avatar("ball", skeleton, [tocsin.Link("ball", 0, a=centre, b=centre, radius=radius)])


def needs_gl(error):
    """Skips where there is no OpenGL, unless it must be there."""
    if error.code != "unavailable" or os.environ.get("TOCSIN_NEEDS_GL") == "1":
        raise error
    pytest.skip(str(error))
