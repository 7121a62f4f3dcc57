"""Matrices and poses, against numpy's own algebra."""

import numpy as np
import pytest
from conftest import turned
from tocsin_blender import rigid, segments


@pytest.fixture
def numbers():
    return np.random.default_rng(5)


def random_turn(numbers, most=np.pi):
    return turned(numbers.uniform(-most, most), numbers.normal(size=3))


def test_parts_put_together_are_the_matrix(numbers):
    for mirror in (1, -1):
        for _ in range(100):
            turn, size = random_turn(numbers), numbers.uniform(0.2, 3, size=3)
            own = random_turn(numbers)
            matrix = np.eye(4)
            stretch = own.T @ np.diag(size * mirror) @ own
            matrix[:3, :3], matrix[:3, 3] = turn @ stretch, numbers.normal(size=3)
            pose, found = rigid.parts(matrix)
            assert np.allclose(rigid.rotations(pose), turn, atol=1e-12)
            assert np.allclose(found, stretch, atol=1e-12)
            assert np.allclose(pose[4:], matrix[:3, 3], atol=0) and abs(np.linalg.norm(pose[:4]) - 1) < 1e-15


def test_quaternions_near_half_turns(numbers):
    for axis in (*np.eye(3), *numbers.normal(size=(20, 3))):
        for angle in (0, 1e-9, np.pi - 1e-9, np.pi, 2.0):
            turn = turned(angle, axis)
            assert np.allclose(rigid.rotations(np.append(rigid.quaternions(turn), [0, 0, 0])), turn, atol=1e-12)


def test_relative_undoes_the_parent(numbers):
    for _ in range(50):
        parent, child = (np.append(rigid.quaternions(random_turn(numbers)), numbers.normal(size=3)) for _ in range(2))
        own = rigid.relative(parent, child)
        assert np.allclose(rigid.matrices(parent) @ rigid.matrices(own), rigid.matrices(child), atol=1e-12)


def test_turns_in_degrees():
    poses = np.array([np.append(rigid.quaternions(turned(np.radians(a), (1, 2, 3))), [0, 0, 0]) for a in (0, 50, 170, -40)])
    assert np.allclose(rigid.turns_in_degrees(poses), [50, 120, 150], atol=1e-9)
    assert np.allclose(rigid.turns_in_degrees(-poses), [50, 120, 150], atol=1e-9)


def test_apply(numbers):
    matrix, points = np.eye(4), numbers.normal(size=(7, 3))
    matrix[:3] = numbers.normal(size=(3, 4))
    assert np.allclose(rigid.apply(matrix, points), [(matrix @ [*p, 1])[:3] for p in points])


def test_segments_lie_between_their_points(numbers):
    for _ in range(50):
        bone, points = np.eye(4), numbers.normal(size=(5, 3))
        bone[:3, :3] = 2.0 * random_turn(numbers)
        found, lengths = segments.places(bone, points)
        ends = (found @ np.stack([np.zeros(4), lengths, np.zeros(4), np.ones(4)], axis=-1)[..., None])[:, :3, 0]
        assert np.allclose(found[:, :3, 3], points[:-1]) and np.allclose(ends, points[1:], atol=1e-12)
        _, stretch = rigid.parts(found)
        assert np.allclose(stretch, 2.0 * np.eye(3), atol=1e-12)


def test_segments_that_turn_back_or_have_no_length():
    points = np.array([[0, 0, 0], [0, -1, 0], [0, -1, 0]], dtype=float)
    found, lengths = segments.places(np.eye(4), points)
    assert np.allclose(found[0, :3, 1], [0, -1, 0]) and np.allclose(np.linalg.det(found[:, :3, :3]), 1)
    assert lengths.tolist() == [1, 0]
