"""Robots: plans from arrays and files, against planar geometry; pairs that are left out."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tocsin


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("robot")
    subprocess.run([sys.executable, "-m", "tocsin", "make-robot", str(out)], check=True, stdout=subprocess.DEVNULL)
    return out


@pytest.fixture(scope="module")
def robot(folder):
    try:
        return tocsin.Robot(folder / "arm.urdf")
    except tocsin.Error as error:
        if "liburdfdom" not in str(error):
            raise
        pytest.skip(str(error))


def world(skeleton, pose):
    """(joints, 4, 4) of a pose (joints, 7)."""
    out = np.tile(np.eye(4), (len(pose), 1, 1))
    for i, ((w, x, y, z, *place), parent) in enumerate(zip(pose, skeleton.parents)):
        out[i, :3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        out[i, :3, 3] = place
        if parent >= 0:
            out[i] = out[parent] @ out[i]
    return out


def test_the_tool_is_where_the_arms_geometry_puts_it(robot):
    random = np.random.default_rng(5)
    times = np.arange(20.0)
    pan, lift, elbow, pitch = random.uniform(-1.2, 1.2, (4, 20))
    values = {"shoulder_pan": pan, "shoulder_lift": lift, "elbow": elbow, "wrist_pitch": pitch}
    with pytest.warns(tocsin.InputWarning, match="3 joints have no column and stay at 0: wrist_roll, tool_roll, finger_left"):
        motion = robot.motion(times, values)
    finger = motion.skeleton.find("left_finger")
    # In the arm's own plane: out by the sines, up by the cosines of the summed angles.
    reach = 0.42 * np.sin(lift) + 0.4 * np.sin(lift + elbow) + 0.21 * np.sin(lift + elbow + pitch)
    height = 0.28 + 0.42 * np.cos(lift) + 0.4 * np.cos(lift + elbow) + 0.21 * np.cos(lift + elbow + pitch)
    # The finger is 0.01 m to the left of the plane.
    x = reach * np.cos(pan) - 0.01 * np.sin(pan)
    y = reach * np.sin(pan) + 0.01 * np.cos(pan)
    for frame in range(20):
        place = world(motion.skeleton, motion.poses[frame])[finger, :3, 3]
        np.testing.assert_allclose(place, [x[frame], y[frame], height[frame]], atol=1e-12)


def test_a_mimic_follows(robot):
    motion = robot.motion([0, 1], {name: [0, 0.03] if name == "finger_left" else [0, 0] for name in robot.values})
    places = world(motion.skeleton, motion.poses[1])[:, :3, 3]
    left, right = motion.skeleton.find("left_finger"), motion.skeleton.find("right_finger")
    np.testing.assert_allclose(places[left] - places[right], [0, 0.08, 0], atol=1e-15)
    assert "finger_right" not in robot.values


def test_a_plans_file_gives_the_commands_contacts(folder, robot):
    cell = folder / "cell.obj"
    result = tocsin.check(folder / "hits.csv", cell, avatar=folder / "arm.urdf", itself=True)
    command = subprocess.run(
        [sys.executable, "-m", "tocsin", "check", "hits.csv", "--avatar", "arm.urdf", "--env", "cell.obj", "--self"],
        cwd=folder, check=True, capture_output=True, text=True,
    )
    assert result.hash in command.stdout
    assert result.verify(0.5).confirmed
    assert not tocsin.check(folder / "free.csv", cell, avatar=str(folder / "arm.urdf"), itself=True)


def test_pairs_are_left_out(folder, robot):
    with pytest.warns(tocsin.InputWarning):
        motion = robot.motion([0, 1], {"elbow": [0, 1]})
    avatar = tocsin.Avatar.bind(robot.model, motion)
    assert robot.ignored_pairs(avatar) == ["shoulder.1:shoulder.2", "flange:gripper"]
    assert robot.ignored_pairs(avatar, robot.srdf)[2:] == [
        "base:upper_arm", "flange:left_finger", "flange:right_finger",
    ]
    other = folder / "other.srdf"
    other.write_text('<robot><disable_collisions link1="tail" link2="hand"/></robot>')
    with pytest.warns(tocsin.InputWarning, match='names 1 link that .* does not have: "tail"'):
        robot.ignored_pairs(avatar, other)


def test_errors_name_the_row(robot, folder):
    still = {name: [0, 0] for name in robot.values}
    with pytest.raises(tocsin.Error, match="row 1: elbow turns by 3.2 rad"):
        robot.motion([0, 1], {**still, "elbow": [0, 3.2]})
    with pytest.raises(tocsin.Error, match="has no joint \"elbw\""):
        robot.motion([0, 1], {"elbw": [0, 1]})
    with pytest.raises(tocsin.Error, match="row 1: times must increase"):
        robot.motion([0, 0], still)
    with pytest.raises(tocsin.Error, match=r"\(rows,\)"):
        robot.motion([0, 1], {"elbow": [0, 1, 2]})
    with pytest.raises(tocsin.Error, match="a .csv is a plan"):
        tocsin.check(folder / "free.csv", folder / "cell.obj")


def test_the_example_names_a_link_that_is_touched(robot, monkeypatch):
    """A contact of two links has no object."""
    monkeypatch.syspath_prepend(pathlib.Path(__file__).resolve().parents[2] / "examples")
    import robot_cell

    with pytest.warns(tocsin.InputWarning):
        motion = robot.motion([0.0, 1.0], {"elbow": [1.4, 2.8]})  # beyond its limit
    far = {"far": ([[50, 50, 50], [51, 50, 50], [50, 51, 50]], [[0, 1, 2]])}
    result = tocsin.check(motion, far, avatar=robot.file, itself=True)
    assert len(result.contacts) == 1 and robot_cell.first_contact(result).startswith("upper_arm meets wrist at 0.9")
