"""Detector, Stream, Crowd, Scene, distances, verify, render."""

import numpy as np
import pytest
import tocsin
from conftest import ball, needs_gl, poses_at, wall
from oracle import rotated, to_triangle, unit_quaternions

HERE = [1, 0, 0, 0, 0, 0, 0]


def at(x, y, z, q=(1, 0, 0, 0)):
    return [*q, x, y, z]


@pytest.fixture(scope="module")
def reach(walk):
    return walk.steps(95, 115)


def same_rows(a, b):
    assert a.dtype.names == b.dtype.names
    for field in a.dtype.names:
        np.testing.assert_array_equal(a[field], b[field])


def same(a, b):
    assert (a.step, a.safe_until, a.complete) == (b.step, b.safe_until, b.complete)
    same_rows(a.contacts, b.contacts)


def test_streams_and_runs_give_the_detectors_reports(walk, room, reach):
    avatar = tocsin.Avatar.auto(walk)
    detector = tocsin.Detector(room, clearance=True)
    stream = tocsin.Stream(detector, avatar)
    whole = tocsin.run(detector, [avatar], [reach])
    rows = []
    for k, step in enumerate(reach):
        report = detector.check(avatar, step)
        same(stream.check(step), report)
        rows.append(report.contacts)
        np.testing.assert_array_equal(whole.clearances(0)[k], report.clearances)
        assert (report.safe_until < 1) == (len(report.contacts) > 0)
    same_rows(np.concatenate(rows), whole.contacts)
    assert len(whole.contacts) == 1 and whole.step_count == len(reach) == 20


def test_a_step_in_parts_ends_with_the_whole_report(walk, room, reach):
    avatar = tocsin.Avatar.auto(walk)
    stream = tocsin.Stream(tocsin.Detector(room), avatar)
    step = reach[10]
    parts = [stream.check_within(step, work=1)]
    while stream.has_rest:
        parts.append(stream.go_on(work=1))
    assert len(parts) > 3 and not parts[0].complete
    until = [part.checked_until for part in parts]
    assert until == sorted(until)
    same(parts[-1], tocsin.Detector(room).check(avatar, step))
    with pytest.raises(tocsin.Error, match="no step whose check could go on"):
        stream.go_on(work=1)


def test_a_live_motion_has_the_recordings_steps(walk, room):
    avatar = tocsin.Avatar.auto(walk)
    detector = tocsin.Detector(room)
    live = tocsin.LiveMotion(walk.skeleton, frame_time=walk.frame_time)
    for frame in range(104, 108):
        step = live.next(walk.poses[frame], tick=frame)
        if frame == 104:
            continue
        (whole,) = walk.steps(frame - 1, frame)
        ours = detector.check(avatar, step).contacts
        assert ours["toc"].tobytes() == detector.check(avatar, whole).contacts["toc"].tobytes()
    with pytest.raises(tocsin.Error):
        live.next(walk.poses[0], tick=1)


def test_crowds_give_the_batches_reports(one_joint):
    random = np.random.default_rng(5)
    motions = [tocsin.Motion(one_joint, poses_at(random.uniform(-1, 1, (6, 3))), frame_time=1.0) for _ in range(8)]
    members = [ball(one_joint, 0.2)] * 8
    detector = tocsin.Detector(tocsin.Environment({"wall": wall(0.6)}))
    crowd = tocsin.Crowd(detector, members)
    kinds = set()
    for k in range(5):
        steps = [motion.steps()[k] for motion in motions]
        batch = detector.check_batch(members, steps, meet=True)
        for a, b in zip(crowd.check(steps, meet=True), batch):
            same(a, b)
            kinds |= set((b.contacts["object"] >= 0).tolist())
    assert kinds == {True, False}
    with pytest.raises(tocsin.Error) as caught:
        crowd.check(steps[:3])
    assert caught.value.code == "usage"


def test_a_scenes_crate_meets_the_other_at_four_fifths(one_joint):
    scene = tocsin.Scene()
    crate = tocsin.Mesh.of(tocsin.Shape.box([0.5, 0.5, 0.5]))
    assert crate.closed and crate.triangle_count == 12
    one = scene.add("one", crate, at(0, 0.5, 2))
    two = scene.add("two", crate, at(3, 0.6, 2.1))
    scene.move(one, at(2.5, 0.5, 2))
    now = scene.snapshot()
    ((index, report),) = now.check_objects()
    assert index == scene.index_of(one) and now.environment.objects[index] == "one"
    (row,) = report.contacts
    assert row["status"] == tocsin.Status.HIT and abs(row["toc"] - 0.8).max() < 1e-6
    assert row["object"] == scene.index_of(two)
    motion = tocsin.Motion(one_joint, poses_at([[1.25, 0.5, 2], [1.25, 0.5, 2]]), frame_time=1.0)
    reports, objects = tocsin.check_scene(now, [ball(one_joint, 0.1)], list(motion.steps()))
    assert len(objects) == 1
    # The crate's face, at 0.5 + 2.5 t, meets the ball's, at 1.15.
    assert abs(reports[0].contacts["toc"][0, 1] - 0.26) < 1e-6
    scene.deactivate_pair(one, two)
    scene.place(one, HERE)
    scene.move(one, at(3, 0, 0))
    assert not len(scene.snapshot().check_objects()[0][1].contacts)
    # It grows to where the other one is, and its corners may be others then.
    scene.place(one, HERE)
    scene.activate_pair(one, two)
    scene.deform(one, None, at(2.5, 0.5, 2), scale=(2, 2, 2))
    ((_, report),) = scene.snapshot().check_objects()
    assert len(report.contacts) == 1
    corners = [[x, y, z] for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
    scene.deform(one, np.array(corners), HERE)
    assert len(scene.snapshot().check_objects()[0][1].contacts) == 1
    with pytest.raises(tocsin.Error, match="vertices, or a place, or both"):
        scene.deform(one, None)
    with pytest.raises(tocsin.Error, match="inside out"):
        scene.deform(one, None, HERE, scale=(-1, 1, 1))
    with pytest.raises(tocsin.Error, match="needs a name"):
        scene.add("", crate)
    scene.remove(two)
    assert len(scene) == 1 and scene.find("one") == one
    with pytest.raises(tocsin.Error):
        scene.find("two")
    with pytest.raises(tocsin.Error, match="place|finite"):
        scene.place(one, at(np.nan, 0, 0))


def test_switches_show_one_of_their_objects(one_joint):
    scene = tocsin.Scene()
    mesh = tocsin.Mesh(*wall(1.0))
    ids = [scene.add(name, mesh) for name in ("a", "b")]
    switch = scene.add_switch()
    for one in ids:
        scene.set_switch(one, switch)
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1.0)

    def touched():
        report = scene.snapshot().check(ball(one_joint, 0.1), motion.steps()[0])
        return report.contacts["object"].tolist()

    assert touched() == []
    scene.choose(switch, ids[1])
    assert touched() == [scene.index_of(ids[1])]
    scene.choose_none(switch)
    scene.clear_switch(ids[0])
    assert touched() == [scene.index_of(ids[0])]
    scene.deactivate(ids[0])
    assert touched() == []


def test_spheres_are_as_far_apart_as_their_centres_say():
    random = np.random.default_rng(11)
    for _ in range(50):
        r, s = random.uniform(0.1, 1.0, 2)
        p, q = random.uniform(-3, 3, (2, 3))
        found = tocsin.nearest(tocsin.Shape.sphere(r), at(*p), tocsin.Shape.sphere(s), at(*q))
        assert found["distance"] == pytest.approx(np.linalg.norm(p - q) - r - s, abs=1e-10)
        assert np.linalg.norm(found["first"] - p) == pytest.approx(r, abs=1e-9)


def test_turned_boxes_are_apart_as_their_supports_say():
    random = np.random.default_rng(12)
    half = np.array([0.5, 0.3, 0.2])
    body = tocsin.ConvexBody(tocsin.Shape.box(half))
    assert body.corners.shape == (8, 3) and body.faces.shape == (12, 3)
    pair = tocsin.ConvexPair(body, body)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    apart = 0
    for p, q in zip(unit_quaternions(random, 40), unit_quaternions(random, 40)):
        place = random.uniform(-1.2, 1.2, 3)
        found = pair.nearest(at(*place, p), at(0, 0, 0, q))
        one = np.array([rotated(p[None], c)[0] for c in corners]) + place
        two = np.array([rotated(q[None], c)[0] for c in corners])
        # The normal separates both by just this distance; overlap is at most the true depth.
        gap = (one @ found["normal"]).min() - (two @ found["normal"]).max()
        assert gap == pytest.approx(found["distance"], abs=1e-9)
        if found["status"] == "apart":
            apart += 1
            assert np.linalg.norm(found["first"] - found["second"]) == pytest.approx(found["distance"], abs=1e-9)
    assert 5 < apart < 38


def test_depth_is_the_distance_in_a_box(one_joint):
    box = tocsin.Shape.box([1.0, 1.0, 1.0])
    detector = tocsin.Detector(tocsin.Environment({"box": (box.corners, box.features)}))
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [0.8, 0, 0]]), frame_time=1.0)
    depth = detector.depth(ball(one_joint, 0.1), motion.steps()[0], 0.5, 0, 0)
    assert depth["inside"] and depth["depth"] == pytest.approx(0.1 + 0.6, abs=1e-9)


def test_what_is_near_is_as_near_as_numpy_says(one_joint):
    random = np.random.default_rng(21)
    corners = random.uniform(-2, 2, (30, 3, 3)).astype(np.float32)
    room = tocsin.Environment({f"t{k}": (corner, [[0, 1, 2]]) for k, corner in enumerate(corners)})
    (step,) = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [0.4, 0.2, 0]]), frame_time=1.0).steps()
    near = tocsin.Detector(room).nearest(ball(one_joint, 0.05), step, 0.5, 0.9)
    centre = np.array([[0.2, 0.1, 0.0]])
    away = np.array([to_triangle(centre, corner)[0] - 0.05 for corner in corners])
    assert 5 < len(near) < 28 and (away > 0).all()
    assert set(near["object"]) == set(np.flatnonzero(away <= 0.9))
    np.testing.assert_allclose(near["distance"], np.sort(away)[: len(near)], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(near["own"] - near["point"], axis=1), near["distance"], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(near["own"] - centre, axis=1), 0.05, atol=1e-12)
    assert not near["inside"].any() and (near["link_feature"] == -1).all()
    with pytest.raises(tocsin.Error) as caught:
        tocsin.Detector(room).nearest(ball(one_joint, 0.05), step, 2.0, 0.9)
    assert caught.value.code == "usage"


def test_a_deformed_room_is_another_version(one_joint):
    room = tocsin.Environment({"wall": wall(1.0)})
    detector = tocsin.Detector(room)
    moved = detector.with_environment(room.with_vertices(room.vertices + np.float32([1, 0, 0])))
    (step,) = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [1, 0, 0]]), frame_time=1.0).steps()
    who = ball(one_joint, 0.1)
    assert len(detector.check(who, step).contacts) == 1 and len(moved.check(who, step).contacts) == 0
    assert len(moved.with_options(margin=0.95).check(who, step).contacts) == 1


def test_the_second_implementation_confirms(walk, room):
    result = tocsin.check(walk, room, frames=(95, 115), clearance=True)
    found = tocsin.verify(result)
    assert found.confirmed and not found.refutations
    assert (found.moments, found.contacts, found.clearances) == (20, 1, 20 * 16)
    assert found.free_pairs == 20 * 16 * len(room.objects) - 1
    assert result.verify(fraction=0.25).moments == 5
    with pytest.raises(tocsin.Error, match="fraction"):
        result.verify(fraction=0.0)


def test_pictures_show_the_contact(walk, room):
    result = tocsin.check(walk, room, frames=(100, 110))
    try:
        picture = tocsin.render(result, size=(96, 64))
    except tocsin.Error as error:
        needs_gl(error)
    assert picture.shape == (64, 96, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    without = result.render(size=(96, 64), show=["poses"])
    assert (without != picture).any()
    for wrong, text in (({"contact": 5}, "contact"), ({"frame": 7}, "frame"), ({"show": ["x"]}, "show")):
        with pytest.raises(tocsin.Error, match=text):
            result.render(size=(96, 64), **wrong)


def test_models_bind_and_files_come_back(walk, tmp_path):
    assert "humanoid16" in tocsin.shipped_avatar_models()
    model = tocsin.load_avatar_model("humanoid16")
    assert len(model.links) == 16
    avatar = tocsin.Avatar.bind(model, walk, radii=1.5)
    assert avatar.radius_factor == 1.5 and [link.name for link in avatar.links] == model.links
    assert len(tocsin.Avatar.bones(walk.skeleton).links) > 16
    tocsin.save_motion(walk, tmp_path / "take.poses")
    np.testing.assert_array_equal(tocsin.load_motion(tmp_path / "take.poses").poses, walk.poses)
    room = tocsin.Environment({"a": wall(1.0), "b": wall(2.0)})
    tocsin.save_environment(room, tmp_path / "room.ply")
    again = tocsin.load_environment(tmp_path / "room.ply")
    assert again.objects == ["a", "b"] and (again.vertices == room.vertices).all()


def test_a_body_from_files(tmp_path):
    tocsin.save_environment(tocsin.Environment({"w": wall(0.0, 0.5)}), tmp_path / "plate.obj")
    (tmp_path / "way.csv").write_text("time,x,y,z,qw,qx,qy,qz\n1,0,0,0,1,0,0,0\n2,4,0,0,1,0,0,0\n")
    plate = tocsin.Body.load("plate", tmp_path / "plate.obj", tmp_path / "way.csv")
    assert plate.start == 1.0 and len(plate.motion) == 2 and len(plate.shape.features) == 2
    still = tocsin.Motion(tocsin.Skeleton(["j"], [-1]), poses_at([[3, 0, 0], [3, 0, 0]]), times=[0.0, 3.0])
    avatar = ball(still.skeleton, 0.5)
    result = tocsin.check(still, {"far": wall(50.0)}, avatar=avatar, bodies=[plate])
    # The plate, at 4 (s - 1), meets the ball's near side at 2.5.
    assert result.episodes["first_touch"][0].tolist() == pytest.approx([1.625, 1.625], abs=1e-6)
