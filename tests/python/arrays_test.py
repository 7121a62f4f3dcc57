"""Arrays in and out: strides, types, shapes, what is refused."""

import pickle

import numpy as np
import pytest
import tocsin
from conftest import ball, poses_at, wall


class Trimesh:
    def __init__(self, vertices, faces):
        self.vertices, self.faces = vertices, faces


def test_rooms_of_any_arrays_are_one(one_joint):
    vertices, faces = wall(1.0)
    forms = [
        (vertices, faces),
        (vertices.astype(np.float32), faces.astype(np.uint32)),
        (np.asfortranarray(vertices), np.asfortranarray(faces)),
        (np.repeat(vertices, 2, axis=0)[::2], np.repeat(faces, 3, axis=1)[:, ::3]),
        (vertices.tolist(), faces.tolist()),
        (vertices.astype(int), faces.astype(np.int8)),
        Trimesh(vertices, faces),
    ]
    rooms = [tocsin.Environment({"wall": form}) for form in forms]
    for room in rooms:
        np.testing.assert_array_equal(room.vertices, vertices)
        np.testing.assert_array_equal(room.faces, faces)
        assert room.objects == ["wall"] and room.starts.tolist() == [0, 2]
    assert not rooms[0].vertices.flags.writeable
    np.testing.assert_array_equal(rooms[0].bounds, [[1, -5, -5], [1, 5, 5]])


def test_floats_keep_their_bits_and_doubles_are_rounded_once():
    random = np.random.default_rng(7)
    exact = random.uniform(-3, 3, (50, 3)).astype(np.float32)
    faces = random.integers(0, 50, (40, 3))
    assert (tocsin.Environment({"a": (exact, faces)}).vertices == exact).all()
    doubles = random.uniform(-3, 3, (50, 3))
    assert (tocsin.Environment({"a": (doubles, faces)}).vertices == doubles.astype(np.float32)).all()


def test_poses_come_back(one_joint):
    random = np.random.default_rng(3)
    poses = poses_at(random.uniform(-2, 2, (20, 3)))
    wide = np.zeros((20, 2, 14))
    wide[:, 1:, ::2] = poses
    for form in (poses, wide[:, 1:, ::2], np.asfortranarray(poses), poses.tolist()):
        motion = tocsin.Motion(one_joint, form, frame_time=0.1)
        np.testing.assert_array_equal(motion.poses, poses)
    assert len(motion) == 20 and motion.poses.base is not None and not motion.poses.flags.writeable
    np.testing.assert_allclose(motion.times, np.arange(20) * 0.1, rtol=1e-15)
    step = motion.steps(3, 9, 4)[1]
    assert step.frames == [7, 9] and step.index == 7
    np.testing.assert_array_equal(step.pose1, poses[9])
    np.testing.assert_allclose(step.pose(0.5)[0, 4:], (poses[7] + poses[9])[0, 4:] / 2, atol=1e-12)


def test_an_array_outlives_its_motion(walk):
    poses = tocsin.load_motion(walk.file).poses
    np.testing.assert_array_equal(poses, walk.poses)


REFUSED = [
    (lambda s: tocsin.Motion(s, np.zeros((3, 7)), frame_time=1), r"poses: .*shape \(frames, joints, 7\), got \(3, 7\)"),
    (lambda s: tocsin.Motion(s, np.zeros((3, 2, 7)), frame_time=1), r"poses: .*\(frames, 1, 7\).* got \(3, 2, 7\)"),
    (lambda s: tocsin.Motion(s, "abc", frame_time=1), "poses: expected an array of shape"),
    (lambda s: tocsin.Motion(s, poses_at([[0, 0, 0]]) * 1j, frame_time=1), "real numbers, got dtype complex128"),
    (lambda s: tocsin.Motion(s, poses_at([[0, 0, 0]]), times=[1.0, 2.0]), r"times: .*got \(2,\)"),
    (lambda s: tocsin.Motion(s, poses_at([[0, 0, 0], [0, np.nan, 0]]), frame_time=1), 'frame 1, joint "ball": '),
    (lambda s: tocsin.Motion(s, 2 * poses_at([[0, 0, 0]]), frame_time=1), 'frame 0, joint "ball": '),
    (lambda s: tocsin.Motion(s, poses_at([[0, 0, 0]]), frame_time=-1), "frame time"),
    (lambda s: tocsin.Environment({"w": (np.zeros((4, 2)), [[0, 1, 2]])}), r"w: vertices: .*\(n, 3\), got \(4, 2\)"),
    (lambda s: tocsin.Environment({"w": (np.zeros((4, 3)), [[0.0, 1, 2]])}), "w: faces: expected whole numbers, got dtype float64"),
    (lambda s: tocsin.Environment({"w": (np.zeros((4, 3)), [[0, 1, -2]])}), "w: faces: triangle 0 has the index -2"),
    (lambda s: tocsin.Environment({"w": (np.zeros((4, 3)), [[0, 1, 4]])}), "w.*triangle 0"),
    (lambda s: tocsin.Environment({"w": ([[0, 0, 0], [1, 0, 0], [0, np.inf, 0]], [[0, 1, 2]])}), "w.*finite"),
    (lambda s: tocsin.Environment({"w": 3}), "w: expected"),
    (lambda s: tocsin.Skeleton(["a", "b"], [-1, 1]), "parents: joint 1"),
    (lambda s: tocsin.Skeleton(["a"], [-1], rest=np.zeros((1, 6))), r"rest: .*\(joints, 7\), got \(1, 6\)"),
    (lambda s: tocsin.Shape.box([1, 2]), r"half: .*\(3,\), got \(2,\)"),
    (lambda s: tocsin.Shape.mesh(np.zeros((3, 3)), [[0, 1, 3]]), "triangle 0"),
]


@pytest.mark.parametrize("make, text", REFUSED)
def test_what_is_refused_is_said(one_joint, make, text):
    with pytest.raises(tocsin.Error, match=text) as caught:
        make(one_joint)
    assert caught.value.code == "input"


def test_calls_that_make_no_sense(one_joint, room):
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [1, 0, 0]]), frame_time=1)
    calls = [
        (lambda: tocsin.Motion(one_joint, motion.poses), "frame_time or times"),
        (lambda: motion.steps(in_between="slide"), 'expected one of screw, translate_rotate, found "slide"'),
        (lambda: motion.steps(0, 7), "7"),
        (lambda: tocsin.Detector(room, margin=-1.0), "margin"),
        (lambda: tocsin.Detector(room, backend="abacus"), "auto, cpu, gl, cuda"),
        (lambda: tocsin.Member(ball(one_joint, 1.0), room, ["no colon"]), "no colon"),
        (lambda: tocsin.Link("l", 0, a=[0, 0, 0]), "a, b and radius, or a shape"),
        (lambda: tocsin.check([], room), "no motion"),
        (lambda: tocsin.check(motion, room, avatar=ball(one_joint, 1.0), frames=(0, 1, 2)), "two whole numbers"),
        (lambda: tocsin.check(motion, room, avatar=ball(one_joint, 1.0), frames=(0.5, 1)), "two whole numbers"),
        (lambda: tocsin.check(motion, room, avatar=ball(one_joint, 1.0), threads=-1), "threads"),
    ]
    for call, text in calls:
        with pytest.raises(tocsin.Error, match=text) as caught:
            call()
        assert caught.value.code == "usage", text


def test_masked_arrays_are_refused(one_joint):
    poses = np.ma.masked_invalid(poses_at([[0, 0, 0], [1, 0, 0]]))
    with pytest.raises(tocsin.Error, match="masked"):
        tocsin.Motion(one_joint, poses, frame_time=1)


def test_contacts_keep_their_names_when_pickled(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1)
    contacts = tocsin.check(motion, {"wall": wall(1.0)}, avatar=ball(one_joint, 0.25)).contacts
    back = pickle.loads(pickle.dumps(contacts))
    assert len(back) == 1 and (back["toc"] == contacts["toc"]).all() and (back["point"] == contacts["point"]).all()
    assert back.link_names() == ["ball"] and back.touched_names() == ["wall"]


def test_a_pattern_that_matches_nothing_is_told(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1)
    with pytest.warns(tocsin.InputWarning, match="'x:y' matches no pair"):
        assert tocsin.check(motion, {"wall": wall()}, avatar=ball(one_joint, 0.1), ignore=["x:y"])
    assert not tocsin.check(motion, {"wall": wall()}, avatar=ball(one_joint, 0.1), ignore=["*:wall"])


def test_what_is_about_nothing_is_told(one_joint):
    still = tocsin.Motion(one_joint, poses_at([[0, 0, 0]]), frame_time=1)
    moves = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1)
    room, who = {"wall": wall()}, ball(one_joint, 0.1)
    with pytest.warns(tocsin.InputWarning, match="a single frame holds no step") as caught:
        assert tocsin.check(still, room, avatar=who).step_count == 0
    assert caught[0].filename == __file__
    with pytest.warns(tocsin.InputWarning, match="surfaces 'x\\*' matches no object"):
        tocsin.check(moves, room, avatar=who, surfaces=["x*"])
    with pytest.warns(tocsin.InputWarning, match="not there at the same time"):
        tocsin.check([tocsin.Take(moves, who), tocsin.Take(moves, who, start=5.0)], room)


def test_a_first_frame_that_is_the_rest_pose_is_told():
    skeleton = tocsin.Skeleton([f"j{k}" for k in range(5)], [-1, 0, 1, 2, 3], rest=[[1, 0, 0, 0, 0, 0.3, 0]] * 5)
    poses = np.tile(skeleton.rest, (20, 1, 1))
    for frame in range(1, 20):  # all joints turn by 60 degrees at once, then hardly
        half = np.radians(30.0 + 0.01 * frame)
        poses[frame, 1:, :4] = [np.cos(half), np.sin(half), 0, 0]
    motion = tocsin.Motion(skeleton, poses, frame_time=0.1)
    turned, usual = motion.rest_frame
    assert turned == pytest.approx(60.02, abs=1e-6) and usual == pytest.approx(0.02, abs=1e-6)
    avatar = tocsin.Avatar.bones(skeleton)
    with pytest.warns(tocsin.InputWarning, match="frame 0 is the skeleton's rest pose, .* by 60 degrees"):
        tocsin.check(motion, {"wall": wall(9.0)}, avatar=avatar)
    assert tocsin.Motion(skeleton, poses[1:], frame_time=0.1).rest_frame is None


def test_to_pandas_has_a_column_a_number(one_joint, monkeypatch):
    import sys
    import types

    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1)
    contacts = tocsin.check(motion, {"wall": wall()}, avatar=ball(one_joint, 0.1)).contacts
    if "pandas" not in sys.modules:  # a stand-in: that a dict of columns comes
        monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=dict))
    frame = contacts.to_pandas()
    assert list(frame["link"]) == ["ball"] and list(frame["touched"]) == ["wall"]
    assert list(frame["status"]) == ["hit"] and abs(frame["point_x"][0] - 1.0) < 1e-8
    assert contacts.dtype == tocsin.CONTACT
