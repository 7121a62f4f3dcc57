"""tocsin.live with poses as headsets have them, and with what they predict, against a server of its own."""

import numpy as np
import pytest
import tocsin

pytest.importorskip("grpc")
pytest.importorskip("google.protobuf")
from live_test import Server, expect_joined, options, rows_of  # noqa: E402
from tocsin import live  # noqa: E402


@pytest.fixture(scope="module")
def server(root):
    with Server(root, "--max-pending", 200) as out:
        yield out


def in_the_world(walk, pose):
    """Each joint's place, by matrices; a quaternion is made of each again."""
    turns, places = [], []
    for (w, x, y, z, *at), parent in zip(pose, walk.skeleton.parents):
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        above, origin = (np.eye(3), np.zeros(3)) if parent < 0 else (turns[parent], places[parent])
        turns.append(above @ turn)
        places.append(above @ np.array(at) + origin)
    out = np.empty((len(pose), 7))
    for row, turn, at in zip(out, turns, places):
        values, vectors = np.linalg.eigh(  # Bar-Itzhack: the eigenvector of the greatest eigenvalue
            np.array(
                [
                    [turn[0, 0] - turn[1, 1] - turn[2, 2], turn[0, 1] + turn[1, 0], turn[0, 2] + turn[2, 0], turn[2, 1] - turn[1, 2]],
                    [turn[0, 1] + turn[1, 0], turn[1, 1] - turn[0, 0] - turn[2, 2], turn[1, 2] + turn[2, 1], turn[0, 2] - turn[2, 0]],
                    [turn[0, 2] + turn[2, 0], turn[1, 2] + turn[2, 1], turn[2, 2] - turn[0, 0] - turn[1, 1], turn[1, 0] - turn[0, 1]],
                    [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1], np.trace(turn)],
                ]
            )
        )
        x, y, z, w = vectors[:, np.argmax(values)]
        row[:] = (w, x, y, z, *at)
    return out


def in_unity(poses):
    return np.asarray(poses) * (1, 1, -1, -1, -1, 1, 1)


@pytest.mark.parametrize("crowd", [False, True])
def test_poses_as_a_headset_has_them(server, walk, checked, crowd):
    """World places on Unity's axes in single precision, a joint lost now and then: the contact is that of the take."""
    skeleton = tocsin.Skeleton(walk.skeleton.names, parents=walk.skeleton.parents, rest=in_unity(walk.skeleton.rest))
    toe = walk.skeleton.names.index("LeftToeBase_end")
    more = options(walk, model="humanoid16", tracker=live.Tracker(world=True, axes="unity", hold_missing=True), floats=True)
    with live.connect(server.address) as connection:
        with connection.crowd() if crowd else connection.track(skeleton, **more) as stream:
            session = stream.track(skeleton, **more) if crowd else stream
            reports, events = [], iter(stream)
            for k in range(len(walk)):
                pose = in_unity(in_the_world(walk, walk.poses[k]))
                if k % 10 == 5:
                    pose[toe] = 0
                session.send(pose)
                if k > 0:
                    told = next(events)
                    reports.append(told[1] if crowd else told)
            session.finish()
            assert list(events) == []
    expect_joined(reports)
    assert [report.held for report in reports] == [[toe] if report.to.id % 10 == 5 else [] for report in reports]
    rows = rows_of(reports)
    assert len(rows) == 1 and rows["link"] == checked.contacts["link"] and rows["object"] == checked.contacts["object"]
    assert np.allclose(rows["seconds"], checked.contacts["seconds"], atol=1e-6)
    assert not np.array_equal(rows["toc"], checked.contacts["toc"])  # floats


@pytest.mark.parametrize("crowd", [False, True])
def test_what_comes_is_told_ahead_of_time(server, walk, crowd):
    """By the last step, or by the client's own prediction: here what the take then does."""
    ahead = 3
    with live.connect(server.address) as connection:
        for own in (False, True):
            more = options(walk, lookahead=ahead * walk.frame_time)
            with connection.crowd() if crowd else connection.track(walk, **more) as stream:
                session = stream.track(walk, **more) if crowd else stream
                for k in range(len(walk) - ahead):
                    # Every other frame has one, so that both ways alternate in one message.
                    session.send(walk.poses[k], ahead=walk.poses[k + ahead] if own and k % 2 else None)
                session.finish()
                reports = [told[1] if crowd else told for told in stream]
            expect_joined(reports)
            assert reports[-1].stale_frames == 0 and reports[-1].to.id == len(walk) - ahead - 1
            touched = next(report for report in reports if len(report.contacts))
            (link,), (thing,) = touched.contacts.link_names(), touched.contacts.touched_names()
            warned = [one for report in reports for one in report.ahead if (one.link, one.object) == (link, thing) and report.to.id <= touched.start.id]
            assert warned and all(0 <= one.time_to_go <= ahead * walk.frame_time for one in warned)
            assert any(report.message and report.message.ahead.own_pose for report in reports) == own
        with connection.track(walk, **options(walk)) as session:
            with pytest.raises(tocsin.Error, match="a pose ahead, in a session without lookahead"):
                session.send(walk.poses[0], ahead=walk.poses[1])


def test_axes_that_are_none_are_refused():
    for axes in ("unity3d", ("x", "-x", "y"), ("x", "y"), ("x", "y", "up")):
        with pytest.raises(tocsin.Error, match="axes: expected"):
            live.Tracker(axes=axes).message()
    assert live.Tracker(axes="unreal").message().unit == 0.01
    assert live.Tracker(axes="unreal", unit=1.0).message().unit == 1.0
