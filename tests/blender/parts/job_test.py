"""The check on its thread, and what it makes of contacts."""

import threading
import time

import numpy as np
import pytest
import tocsin
from conftest import at, ball_bone, turned, wall
from tocsin_blender import rigid
from tocsin_blender.avatar import build
from tocsin_blender.contacts import Side, Touch, episodes, without_doubles
from tocsin_blender.job import Job
from tocsin_blender.room import DEFORMS, MOVES, RIGID_TOLERANCE, STANDS, Room
from tocsin_blender.samples import Bone, Names, Options, Refused, Rig, Samples, Thing
from tocsin_blender.within import corners_of_parts


def done(samples, **options):
    job = Job(samples, Options(**options))
    job.start()
    job.join()
    assert job.done and job.error == "", job.error
    assert job.progress == 1.0
    return job.result


def test_a_ball_and_a_wall():
    result = done(ball_bone([(-1, 0, 0), (1, 0, 0), (1, 0, 0)], [wall(count=3)]))
    (touch,) = result.touches
    assert touch.kind == "touch" and touch.step == 0 and touch.frame == pytest.approx(1 + 0.9 / 2, abs=1e-8)
    assert result.name(touch.who) == "dot" and result.name(touch.touched) == "Wall" and result.steps == 2


def test_undecided_begins_where_freedom_ends():
    touch = Touch(0, (0.25, 0.5), (1.25, 1.5), Side("bone", 0), Side("object", 0), np.zeros(3), None, "undecided")
    assert touch.frame == 1.25 and touch.time == 0.25
    touch.kind = "touch"
    assert touch.frame == 1.5 and touch.time == 0.5


def test_cancel_ends_it_without_a_result():
    count = 30_000
    places = np.zeros((count, 3))
    places[:, 0] = np.where(np.arange(count) % 2, 1.0, -1.0)
    thing = wall(count=1)
    thing.vertices, thing.matrices = [thing.vertices[0]] * count, np.broadcast_to(np.eye(4), (count, 4, 4))
    job = Job(ball_bone(places, [thing]), Options())
    assert not job.done
    job.start()
    limit = time.monotonic() + 60
    while job.progress == 0.0 and not job.done and time.monotonic() < limit:
        time.sleep(0.001)
    assert 0.0 < job.progress < 1.0 and not job.done
    job.cancel()
    job.join()
    assert job.done and job.result is None and job.error == "" and job.progress < 1.0


def test_others_work_while_it_runs():
    """The interpreter's lock is free: this thread counts on."""
    places = np.random.default_rng(1).normal(size=(2000, 3))
    job = Job(ball_bone(places, [wall(count=2000)]), Options())
    job.start()
    turns = 0
    while not job.done:
        turns += 1
        time.sleep(0)
    assert turns > 10 and job.result and threading.active_count() >= 1


def test_errors_reach_the_user():
    job = Job(ball_bone([(0, 0, 0), (2e6, 0, 0)], [wall()]), Options())
    job.start()
    job.join()
    assert job.result is None and "dot" in job.error
    broken = ball_bone([(0, 0, 0), (1, 0, 0)], [wall()])
    broken.rig.matrices = "no array"
    job = Job(broken, Options())
    job.start()
    job.join()
    assert job.error.startswith("internal error: ")


def test_what_stands_moves_and_deforms():
    small, large = wall(name="small", count=3), wall(name="large", count=3)
    for thing, off in ((small, 0.5 * RIGID_TOLERANCE), (large, 3 * RIGID_TOLERANCE)):
        thing.matrices = at((0, 0, 0), (1, 0, 0), (2, 0, 0), linear=np.eye(3))
        thing.matrices[1, 0, 0] += off
    bent = wall(name="bent", count=3)
    bent.vertices = [bent.vertices[0], bent.vertices[0] + 1.0, bent.vertices[0]]
    room = Room(Samples(np.arange(3.0), 10.0, things=[wall(count=3), small, large, bent]), Options())
    assert room.kinds == [STANDS, MOVES, DEFORMS, DEFORMS] and room.moving == 3
    assert np.allclose(room.corners_at(3, 0, 0.25), bent.vertices[0] + 0.25)
    assert np.allclose(room.corners_at(1, 1, 0.5), small.vertices[0] + [1.5, 0, 0], atol=1e-4)


def test_a_thing_that_comes_to_rest_is_where_it_rests():
    """A cube that moves for one step of three, and is met later."""
    box = tocsin.Shape.box([0.5, 0.5, 0.5])
    thing = wall(count=4)
    thing.vertices, thing.faces, thing.polygons = [np.array(box.corners)] * 4, np.array(box.features), np.zeros(12, int)
    thing.matrices = at((9, 0, 0), (3, 0, 0), (3, 0, 0), (3, 0, 0))
    result = done(ball_bone([(0, 0, 0), (0, 0, 0), (0, 0, 0), (3, 0, 0)], [thing]))
    (touch,) = result.touches
    assert touch.step == 2 and touch.frame == pytest.approx(3 + (2.5 - 0.1) / 3, abs=1e-6)


def touch(step, who=0, touched=0, kind="touch", toc=(0.1, 0.2)):
    frames = tuple(step + t for t in toc)
    return Touch(step, toc, frames, Side("bone", who), Side("object", touched), np.zeros(3), None, kind)


def test_episodes():
    samples = Samples(np.arange(10.0), 10.0)
    touches = [touch(1, kind="undecided"), touch(2), touch(2, 1), touch(4), touch(3, 1, kind="undecided"), touch(5)]
    found = episodes(touches, samples)
    assert [(e.first.step, e.first.who.index, e.steps, e.until, e.proved) for e in found] == [
        (1, 0, 2, 3.0, True),
        (2, 1, 2, 4.0, True),
        (4, 0, 2, 6.0, True),
    ]
    assert not episodes([touch(0, kind="undecided")], samples)[0].proved


def test_a_pair_that_both_tell_of_counts_once():
    one = Touch(0, (0.3, 0.4), (0.3, 0.4), Side("object", 1), Side("object", 0), np.zeros(3), None, "touch")
    other = Touch(0, (0.1, 0.2), (0.1, 0.2), Side("object", 0), Side("object", 1), np.zeros(3), None, "touch")
    third = touch(0)
    assert without_doubles([one, other, third]) == [other, third] == without_doubles([other, one, third])


def rig_of(bones, matrices, places=None):
    count = len(matrices)
    rig = Rig("Rig", bones, np.tile(np.eye(4), (count, 1, 1)) if places is None else places, np.asarray(matrices))
    return Samples(np.arange(1.0, count + 1), 10.0, rig=rig)


def test_a_link_holds_its_bone_whatever_stretches_it():
    """A bone that gets longer and sheared, within the tolerance: the link holds its end in every sample."""
    own = np.tile(np.eye(4), (3, 1, 1, 1))
    own[1, 0, :3, :3] *= 1.01
    own[2, 0, 0, 1] = 0.015  # its end aside, by 0.03
    samples = rig_of([Bone("b", -1, 2.0, 0.1, 0.05)], own)
    who = build(samples, Options())
    link = who.avatar.links[0]
    assert link.b[1] == pytest.approx(2.02, abs=1e-12) and 0.0 < who.grown < 0.03
    assert link.radius == pytest.approx(0.1 * 1.01 + who.grown, abs=1e-3)
    for k in range(3):
        end = (own[k, 0] @ [0, 2.0, 0, 1])[:3]
        pose = rigid.matrices(who.motion.poses[k])[1]
        axis = [(pose @ [*p, 1])[:3] for p in (link.a, link.b)]
        way = axis[1] - axis[0]
        t = np.clip((end - axis[0]) @ way / (way @ way), 0, 1)
        assert np.linalg.norm(end - axis[0] - t * way) <= who.grown + 1e-12
    assert len(samples.notes) == 1 and "a bone stretches a little, 'b' most, by 1 %" in samples.notes[0]
    own[1, 0, :3, :3] *= 1.1
    with pytest.raises(Refused, match="bone 'b' changes its scale from 1 to 1.111 at frame 2"):
        build(rig_of([Bone("b", -1, 2.0, 0.1, 0.05)], own), Options())


def test_a_joint_that_is_not_rigid_is_passed_over():
    """An unchecked bone that is scaled unequally is no joint; its child hangs on what is above."""
    matrices = np.tile(np.eye(4), (2, 3, 1, 1))
    matrices[:, 1, 0, 0] = 2.0
    matrices[1, 2, :3, :3] = turned(0.5, (0, 0, 1))
    bones = [Bone("a", -1, 1, 0.1, 0.1), Bone("odd", 0, 1, 0.1, 0.1, checked=False), Bone("c", 1, 1, 0.1, 0.1)]
    who = build(rig_of(bones, matrices), Options())
    assert who.motion.skeleton.names == ["Rig", "a", "c"] and list(who.motion.skeleton.parents) == [-1, 0, 1]
    assert [link.name for link in who.avatar.links] == ["a", "c"] == who.names


def test_in_between_a_chain_turns_about_its_joints():
    """Half-way, each bone has half of its turn in its parent's frame."""
    def world(angle):
        one, two = np.eye(4), np.eye(4)
        one[:3, :3] = turned(angle, (0, 0, 1))
        two[:3, :3], two[:3, 3] = turned(-2 * angle, (0, 0, 1)), [0, 1, 0]
        return [one, one @ two]

    bones = [Bone("a", -1, 1, 0.1, 0.1), Bone("b", 0, 1, 0.1, 0.1)]
    who = build(rig_of(bones, [world(0.0), world(1.2)]), Options())
    middle = who.steps[0].pose(0.5)
    assert np.allclose(middle[1][:4], [np.cos(0.3), 0, 0, np.sin(0.3)], atol=1e-12)
    assert np.allclose(middle[2][:4], [np.cos(0.6), 0, 0, -np.sin(0.6)], atol=1e-12)
    assert np.allclose(middle[2][4:], [0, 1, 0], atol=1e-12)


def test_names_are_distinct_and_have_no_colon():
    names = Names()
    assert [names.make(one) for one in ("a:b", "a_b", "c", "c")] == ["a_b", "a_b@2", "c", "c@2"]
    # What is called so keeps its name, whoever comes first.
    every, notes = ["a:b", "c", "a_b", "c@2", "c", "d:e"], []
    assert Names(every).of(every, notes, ()) == ["a_b@2", "c", "a_b", "c@2", "c@3", "d_e"] and not notes
    Names(every).of(every, notes, ("*:*",))
    assert notes == ["patterns know 'a:b' as 'a_b@2', and 1 more likewise: 'a_b' is another one"]


def test_two_corners_of_each_part():
    """Corners at one place are one, unless they may part on the way."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [3, 0, 0], [9, 9, 9], [8, 0, 0], [8, 1, 0], [8, 0, 5]], dtype=float)
    faces = np.array([[0, 1, 2], [3, 5, 4], [7, 8, 9]])
    still = Thing("Two", [corners] * 2, at((0, 0, 0), (1, 0, 0)), faces, np.arange(3))
    assert sorted(corners_of_parts(still)) == [0, 5, 7, 9]
    bends = Thing("Three", [corners, corners + 1.0], still.matrices, faces, np.arange(3))
    assert sorted(corners_of_parts(bends)) == [0, 2, 3, 5, 7, 9]


def test_parts_of_a_long_strip():
    count = 2000
    corners = np.array([[i, i % 2, 0] for i in range(count)], dtype=float)
    order = np.random.default_rng(1).permutation(count)
    faces = np.array([[order[i], order[i + 1], order[i + 2]] for i in range(count - 2)])
    chosen = corners_of_parts(Thing("Strip", [corners[np.argsort(order)]], at((0, 0, 0)), faces, np.arange(count - 2)))
    assert len(chosen) == 2


def box(name, half, place, holder="", mirror=1.0):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([one for a, b, c, d in sides for one in ((a, b, c), (a, c, d))])
    linear = np.diag([mirror, 1.0, 1.0])
    return Thing(name, [corners] * 2, at(place, place, linear=linear), faces, np.repeat(np.arange(6), 2), holder)


@pytest.mark.parametrize("mirror", [1.0, -1.0])
@pytest.mark.parametrize("place, is_in", [(0.5, True), (0.85, True), (1.2, False), (-0.5, True)])
def test_inside_of_what_a_bone_carries(mirror, place, is_in):
    """The bone is far away: only the carried box and the small one are near."""
    samples = ball_bone([(50, 0, 0)] * 2, [box("Big", 1.0, (0, 0, 0), "dot", mirror), box("Small", 0.1, (place, 0, 0))])
    result = done(samples)
    assert [(result.name(one.who), result.name(one.touched), one.kind, one.frame) for one in result.touches] == (
        [("Big", "Small", "inside", 1.0)] if is_in else []
    )
    assert not done(samples, ignore=("Big:Small",)).touches and not done(samples, surfaces=("B*",)).touches


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_a_bone_in_a_mirrored_box(mirror):
    (touch,) = done(ball_bone([(0, 0, 0)] * 2, [box("Room", 1.0, (0.2, 0, 0), mirror=mirror)])).touches
    assert touch.kind == "inside"


def test_a_mirror_on_the_way_is_refused():
    thing = box("Room", 1.0, (5, 0, 0))
    thing.matrices[1, 0, 0] = -1.0
    job = Job(ball_bone([(0, 0, 0)] * 2, [thing]), Options())
    job.start()
    job.join()
    assert job.error.startswith("'Room' is mirrored at one of frame 1 and frame 2")


def test_signs_of_what_is_flat_are_rounding():
    flat = at(*[(0, 0, 0)] * 3)
    flat[:, 0, 0] = [1e-9, -1e-10, 0.0]
    assert rigid.mirrored(flat).tolist() == [1, 1, 1]
    flat[1, 0, 0] = -0.5
    assert rigid.mirrored(flat).tolist() == [0, -1, 0]
