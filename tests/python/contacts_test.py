"""Contacts against numpy's own geometry."""

import numpy as np
import pytest
import tocsin
from conftest import ball, poses_at, wall
from oracle import path_of_point, to_triangle, unit_quaternions


def test_a_ball_meets_a_wall_when_arithmetic_says(one_joint):
    radius, end = 0.25, 2.0
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [end, 0, 0]]), frame_time=0.5)
    result = tocsin.check(motion, {"wall": wall(1.0)}, avatar=ball(one_joint, radius))
    (row,) = result.contacts
    expected = (1.0 - radius) / end
    assert row["toc"][0] <= expected <= row["toc"][1]
    assert row["toc"][1] - row["toc"][0] <= 1e-9
    np.testing.assert_allclose(row["seconds"], row["toc"] * 0.5, rtol=1e-15)
    np.testing.assert_allclose(row["point"], [1, 0, 0], atol=1e-8)
    np.testing.assert_allclose(row["normal"], [-1, 0, 0], atol=1e-8)
    assert row["status"] == tocsin.Status.HIT
    assert (row["object"], row["link"], row["other_link"]) == (0, 0, -1)
    assert np.isnan(row["depth"]) and not row["inside"] and not row["limited"]
    assert result.contacts.link_names() == ["ball"]
    assert result.contacts.touched_names() == ["wall"]


@pytest.mark.parametrize("seed", range(3))
def test_random_steps_agree_with_dense_samples(one_joint, seed):
    random = np.random.default_rng(seed)
    n, radius, offset = 80, 0.2, np.array([0.3, 0.0, 0.1])
    poses = np.concatenate([unit_quaternions(random, n), random.uniform(-1, 1, (n, 3))], axis=1)
    triangle = random.uniform(-1, 1, (3, 3)).astype(np.float32)
    motion = tocsin.Motion(one_joint, poses[:, None, :], frame_time=1.0)
    result = tocsin.check(
        motion, {"t": (triangle, [[0, 1, 2]])}, avatar=ball(one_joint, radius, offset), in_between="translate_rotate"
    )
    rows = {int(row["step"]): row for row in result.contacts}
    assert n / 8 < len(rows) < n - n / 8  # both kinds are there
    t = np.linspace(0.0, 1.0, 2001)
    for k, (p, q) in enumerate(zip(motion.poses[:-1, 0], motion.poses[1:, 0])):
        away = to_triangle(path_of_point(p, q, offset, t), triangle) - radius
        row = rows.get(k)
        if row is None:
            assert away.min() > -1e-9, k  # free is proved
        elif row["status"] == tocsin.Status.OVERLAP:
            assert away[0] < 1e-9, k
        else:
            lo, hi = row["toc"]
            assert away[t < lo].min(initial=np.inf) > -1e-9, k
            at = to_triangle(path_of_point(p, q, offset, np.array([hi])), triangle)[0]
            assert row["status"] == tocsin.Status.GRAZE or abs(at - radius) < 1e-7, k
            assert to_triangle(row["point"][None], triangle)[0] < 1e-6, k


def test_avatars_that_meet_and_themselves(one_joint):
    left = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [1, 0, 0]]), frame_time=1.0)
    right = tocsin.Motion(one_joint, poses_at([[3, 0, 0], [2, 0, 0]]), frame_time=1.0)
    takes = [tocsin.Take(left, ball(one_joint, 0.5)), tocsin.Take(right, ball(one_joint, 0.7))]
    result = tocsin.check(takes, {"far": wall(100.0)})
    (row,) = result.contacts  # 3 - 2 t = 1.2
    assert row["toc"][0] <= 0.9 <= row["toc"][1]
    assert (row["avatar"], row["other_avatar"], row["other_link"], row["object"]) == (0, 1, 0, -1)
    assert result.instants == [0.0, 1.0]
    assert result.contacts.touched_names() == ["ball"]


def test_a_body_from_arrays_meets_one_that_stands():
    box = tocsin.Shape.box([0.5, 0.5, 0.5])
    flies = tocsin.Body.from_poses("flies", box, poses_at([[-3, 0.1, 0.1], [0, 0.1, 0.1]])[:, 0], [2.0, 5.0])
    stands = tocsin.Body("stands", box)
    skeleton = tocsin.Skeleton(["far"], [-1])
    far = tocsin.Motion(skeleton, poses_at([[50, 0, 0], [50, 0, 0]]), times=[0.0, 6.0])
    result = tocsin.check(far, {"w": wall(100.0)}, avatar=ball(skeleton, 0.1), bodies=[flies, stands])
    assert len(result.episodes) == 1
    # Faces meet at x = -1: two thirds of the way, 4 s.
    assert result.episodes["first_touch"][0][0] <= 4.0 <= result.episodes["first_touch"][0][1] + 1e-6


def test_inside_a_solid_has_a_depth(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0.1, 0, 0], [0.1, 0, 0]]), frame_time=1.0)
    box = tocsin.Shape.box([1.0, 1.0, 1.0])
    solid = {"box": (box.corners, box.features)}
    (row,) = tocsin.check(motion, solid, avatar=ball(one_joint, 0.2)).contacts
    assert row["inside"] and row["status"] == tocsin.Status.OVERLAP
    assert row["depth"] == pytest.approx(0.2 + 0.9, abs=1e-9)
    assert not tocsin.check(motion, solid, avatar=ball(one_joint, 0.2), surfaces=["*"])
    room = tocsin.Environment({**solid, "wall": wall(9.0)})
    assert tocsin.Detector(room).solid.tolist() == [True, False]
    assert tocsin.Detector(room, surfaces=["b*"]).solid.tolist() == [False, False]


def test_clearances_are_lower_bounds(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [0.5, 0, 0], [0, 0, 0]]), frame_time=1.0)
    result = tocsin.check(motion, {"wall": wall(1.0)}, avatar=ball(one_joint, 0.25), clearance=True)
    assert result.clearances().shape == (2, 1)
    assert (result.clearances() <= 0.25).all() and (result.clearances() > 0.2).all()
    with pytest.raises(tocsin.Error, match="clearance=True"):
        tocsin.check(motion, {"wall": wall(1.0)}, avatar=ball(one_joint, 0.25)).clearances()
