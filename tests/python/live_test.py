"""tocsin.live against a server of its own: contacts are those of a check, sessions go on, tokens and TLS hold."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import tocsin
from ports import free_port
from tocsin import _command

grpc = pytest.importorskip("grpc")
pytest.importorskip("google.protobuf")
from tocsin import live  # noqa: E402
from tocsin.live import _download  # noqa: E402
from tocsin.v1 import collision_pb2 as pb  # noqa: E402

EXACT = ("step", "frames", "toc", "touching", "point", "normal", "depth", "link", "object", "triangle", "status", "inside", "limited")


class Server:
    """A `tocsin serve`; on the same port again after restart()."""

    def __init__(self, root, *more):
        self.command = [_command.path(), "serve", "--env", str(root / "environments" / "music_room.obj"), *map(str, more)]
        self.process, self.address = None, f"127.0.0.1:{free_port()}"
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, "--listen", self.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.match(r"listening on ([^,\s]+)", line)
        assert found, line + (self.process.stderr.read() if self.process.poll() is not None else "")
        self.address = found[1]

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.communicate(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def server(root):
    with Server(root, "--max-pending", 200) as out:
        yield out


def options(walk, **more):
    return {"frame_seconds": walk.frame_time, "environment": "music_room", **more}


def send_all(session, walk, frames=None):
    """Each frame after the report of the one before, so that none is skipped; the reports."""
    out, reports = [], iter(session)
    for k in range(len(walk)) if frames is None else frames:
        session.send(walk.poses[k])
        if k > 0:
            out.append(next(reports))
    return out, reports


def rows_of(reports):
    return np.concatenate([np.asarray(report.contacts) for report in reports])


def expect_joined(reports):
    for before, after in zip(reports, reports[1:]):
        assert before.to == after.start


def test_contacts_are_those_of_a_check(server, walk, checked):
    with live.connect(server.address) as connection:
        (room,) = connection.rooms()
        assert (room.name, room.triangles, room.changeable) == ("music_room", 4656, False)
        assert "humanoid16" in connection.avatar_models()
        with connection.track(walk, label="from python", **options(walk, stop_pose=True, clearance=True)) as session:
            reports, rest = send_all(session, walk)
            session.finish()
            assert list(rest) == []
            assert session.ended == live.Ended(len(walk) - 1, 1, 0, 0, 0, 0, "", "")
            assert session.holes == []
            assert session.opened.room == "music_room" and len(session.opened.links) == 16
    assert len(reports) == len(walk) - 1
    expect_joined(reports)
    rows = rows_of(reports)
    assert len(rows) == len(checked.contacts) == 1
    for field in EXACT:
        assert np.array_equal(rows[field], np.asarray(checked.contacts)[field], equal_nan=rows[field].dtype.kind == "f"), field
    assert np.allclose(rows["seconds"], checked.contacts["seconds"], atol=1e-12)
    touched = next(report for report in reports if len(report.contacts))
    assert touched.contacts.link_names() == checked.contacts.link_names()
    assert touched.contacts.touched_names() == checked.contacts.touched_names()
    assert touched.safe_until == touched.contacts["toc"][0, 0]
    assert touched.stop_pose.shape == (len(walk.skeleton), 7)
    step = walk.steps(touched.step, touched.step + 1)[0]
    assert np.allclose(touched.stop_pose, step.pose(touched.safe_until), atol=1e-9)
    assert len(touched.clearances) == 16
    assert touched.message.step == touched.step


def test_an_avatar_of_ones_own_with_shapes(server, root):
    room = tocsin.load_environment(root / "environments" / "music_room.obj")
    skeleton = tocsin.Skeleton(["base", "tip"], parents=[-1, 0])
    links = [
        tocsin.Link("ball", 0, shape=tocsin.Shape.sphere(0.3)),
        tocsin.Link("box", 1, shape=tocsin.Shape.box([0.1, 0.2, 0.1])),
        tocsin.Link("rod", 1, a=[0, 0, 0], b=[0, 0.5, 0], radius=0.05),
    ]
    avatar = tocsin.Avatar("thing", skeleton, links)
    poses = np.zeros((40, 2, 7))
    poses[:, :, 0] = 1.0
    poses[:, 0, 4] = np.linspace(-2.0, 2.0, 40)
    poses[:, 0, 5] = 0.25
    poses[:, 1, 4] = np.linspace(0.9, 0.1, 40)
    motion = tocsin.Motion(skeleton, poses, frame_time=1 / 30)
    wanted = tocsin.check(motion, room, avatar=avatar, itself=True, margin=0.01)
    assert len(wanted.contacts) > 20
    with live.connect(server.address) as connection:
        with connection.track(motion, model=avatar, itself=True, margin=0.01, frame_seconds=1 / 30) as session:
            reports, _ = send_all(session, motion)
    rows = rows_of(reports)
    for field in (*EXACT, "other_link", "link_feature", "other_feature"):
        assert np.array_equal(rows[field], np.asarray(wanted.contacts)[field], equal_nan=rows[field].dtype.kind == "f"), field


def test_a_crowd_says_what_its_sessions_would(server, walk, checked):
    with live.connect(server.address) as connection, connection.crowd() as crowd:
        members = [crowd.track(walk, label=f"one of {k}", **options(walk)) for k in range(4)]
        wrong = crowd.track(walk, **options(walk, environment="cellar"))
        got = {member: [] for member in members}
        reports = iter(crowd)
        for k in range(len(walk)):
            crowd.send({member: walk.poses[k] for member in members})
            for _ in members if k > 0 else ():
                member, report = next(reports)
                got[member].append(report)
        crowd.finish()
        assert list(reports) == []
        assert "cellar" in str(wrong.error) and wrong.error.code == "input" and wrong.ended is None
        for member in members:
            assert member.error is None and member.holes == []
            assert member.ended.steps == len(got[member]) == len(walk) - 1
            expect_joined(got[member])
            rows = rows_of(got[member])
            for field in EXACT:
                assert np.array_equal(rows[field], np.asarray(checked.contacts)[field], equal_nan=rows[field].dtype.kind == "f")
        free = [report for report in got[members[0]] if report.message is None]
        assert len(free) > 50 and all(report.safe_until == 1.0 for report in free)


@pytest.mark.parametrize("how", ["killed", "stopped"])
@pytest.mark.parametrize("crowd", [False, True])
def test_sessions_go_on_with_the_next_server(root, tmp_path, walk, checked, how, crowd):
    with Server(root, "--record", tmp_path / "records", "--max-pending", 200) as server, live.connect(server.address) as connection:
        many = connection.crowd(patience=60) if crowd else None
        session = many.track(walk, **options(walk)) if crowd else connection.track(walk, patience=60, **options(walk))
        reports = []

        def read():
            reports.extend((one[1] if crowd else one) for one in (many if crowd else session))

        reader = threading.Thread(target=read)
        reader.start()
        for k in range(len(walk)):
            session.send(walk.poses[k])
            end = time.monotonic() + 60
            while len(reports) < k and not 60 <= k < 70 and time.monotonic() < end:
                time.sleep(0.001)
            if k == 65:
                server.end(signal.SIGKILL if how == "killed" else signal.SIGTERM)
                server.start()
        session.finish()
        reader.join(60)
        assert not reader.is_alive()
        assert session.holes == []
        assert session.ended is not None and session.ended.steps == len(reports)
        (many or session).close()
    expect_joined(reports)
    assert (reports[0].start.id, reports[-1].to.id) == (0, len(walk) - 1)
    skipped = {k for report in reports for first, last in report.skipped for k in range(first, last + 1)}
    covered = {reports[0].start.id} | {report.to.id for report in reports}
    if how == "stopped" and not skipped and covered == set(range(len(walk))):
        assert np.array_equal(rows_of(reports)["toc"], np.asarray(checked.contacts)["toc"])
    assert len(rows_of(reports)) >= 1


def test_a_session_that_nobody_has_begins_again_where_the_reports_end(root, walk):
    with Server(root, "--max-pending", 200) as server, live.connect(server.address) as connection:
        with connection.track(walk, patience=60, **options(walk)) as session:
            before, reports = send_all(session, walk, range(0, 30))
            first = session.opened.session_id
            server.end(signal.SIGKILL)
            server.start()
            session.send(walk.poses[30])
            after = [next(reports)]
            assert session.opened.session_id != first
            assert after[0].step == 0 and after[0].start == before[-1].to and after[0].to.id == 30
            assert session.holes == []


def test_what_is_refused_says_why(server, walk):
    with live.connect(server.address) as connection:
        for more, text in (
            ({"environment": "cellar"}, "there is no room"),
            ({"model": "nobody"}, "there is no avatar model"),
            ({"margin": 11.0}, "margin is 11"),
        ):
            with connection.track(walk, **options(walk, **more)) as session:
                with pytest.raises(tocsin.Error, match=text) as error:
                    list(session)
                assert error.value.code == "input"
                with pytest.raises(tocsin.Error, match=text):
                    session.send(walk.poses[0])
        with pytest.raises(tocsin.Error, match="in_between"):
            connection.track(walk, in_between="no")
        with connection.track(walk, environment="music_room") as session:
            with pytest.raises(tocsin.Error, match="shape"):
                session.send(walk.poses[0][1:], time=0.0)
            with pytest.raises(tocsin.Error, match="time"):
                session.send(walk.poses[0])
            session.send(walk.poses[0], frame=7, time=1.0)
            with pytest.raises(tocsin.Error, match="frame 7 is not after frame 7"):
                session.send(walk.poses[0], frame=7, time=1.0)
            assert session.wait_until_open().max_pending_frames == 200
            session.finish()
            with pytest.raises(tocsin.Error, match="finished"):
                session.send(walk.poses[0], time=2.0)
        with pytest.raises(tocsin.Error, match="you have no room"):
            connection.unload("nothing")
    with pytest.raises(tocsin.Error) as error:
        live.connect("127.0.0.1:1", timeout=2.0)
    assert error.value.code == "resource" and "127.0.0.1:1" in str(error.value)


def expect_same(mine, other):
    for name in ("step", "start", "to", "safe_until", "skipped", "stale_frames", "complete"):
        assert getattr(mine, name) == getattr(other, name), name
    assert np.asarray(mine.contacts).tobytes() == np.asarray(other.contacts).tobytes()
    assert mine.contacts.touched_names() == other.contacts.touched_names()


@pytest.fixture
def own_server(root):
    with Server(root, "--max-pending", 200, "--log", "json") as out:
        yield out


def test_a_watcher_sees_what_the_session_is_told(own_server, walk):
    server, place, yaw = own_server, (0.5, 0.0, -0.25), 30.0
    placed = walk.placed(place, yaw)
    with live.connect(server.address) as connection, connection.watch("music_room") as watch:
        # Before the session, which comes over another connection.
        assert any(json.loads(line)["event"] == "watch_began" for line in server.process.stderr)
        with live.connect(server.address) as other, other.track(
            walk, label="seen", place=place, yaw=yaw, **options(walk)
        ) as session:
            reports, rest = send_all(session, walk, range(40))
            session.finish()
            assert list(rest) == []
        seen = []
        while not seen or not isinstance(seen[-1], live.Left):
            seen.append(next(watch))
        first, last = seen[0], seen[-1]
        assert isinstance(first, live.Watched)
        assert (first.label, first.room, first.principal, first.attached) == ("seen", "music_room", "anyone", True)
        assert first.avatar.skeleton.names == walk.skeleton.names
        assert [link.name for link in first.avatar.links] == session.opened.links
        wanted = tocsin.Avatar.auto(placed)
        for mine, want in zip(first.avatar.links, wanted.links):
            assert (mine.joint, mine.radius, mine.a.tolist()) == (want.joint, want.radius, want.a.tolist())
        steps = [one for one in seen if isinstance(one, live.Stepped)]
        assert len(seen) == len(steps) + 2 and len(steps) == len(reports) == 39
        for k, (step, report) in enumerate(zip(steps, reports)):
            expect_same(step.report, report)
            assert np.array_equal(step.from_pose, placed.poses[k]) and np.array_equal(step.to_pose, placed.poses[k + 1])
        assert last.reported and last.totals.steps == 39 and last.session == first.session
        threading.Timer(0.2, watch.close).start()
        assert list(watch) == []
    with live.connect(server.address) as connection:
        with pytest.raises(tocsin.Error, match="there is no room"):
            next(connection.watch("cellar"))
        sphere = tocsin.Avatar("thing", tocsin.Skeleton(["base"], [-1]), [tocsin.Link("ball", 0, shape=tocsin.Shape.sphere(0.3))])
        with connection.watch() as watch, connection.track(sphere.skeleton, model=sphere, frame_seconds=0.1) as session:
            (link,) = next(watch).avatar.links
            assert link.shape.radius == 0.3 and len(link.shape.features) == 1


def test_a_downloaded_room_is_the_servers(server, walk, room, checked):
    with live.connect(server.address) as connection, connection.watch("music_room") as watch:
        by_name = connection.download_room("music_room")
        with connection.track(walk, **options(walk)) as session:
            watched = next(watch)
            assert isinstance(watched, live.Watched)
            by_session = connection.download_room(session=watched.session)
            assert by_session.sha256 == by_name.sha256 and by_session.numbers.tolist() == by_name.numbers.tolist()
            session.send(walk.poses[0])
        assert by_name.environment.objects == room.objects and by_name.numbers.tolist() == list(range(len(room.objects)))
        assert (by_name.room.name, by_name.room.triangles) == ("music_room", len(room.faces))
        corners, wanted = (one.vertices[one.faces] for one in (by_name.environment, room))
        assert corners.tobytes() == wanted.tobytes()
        again = tocsin.check(walk, by_name.environment)
        assert np.asarray(again.contacts).tobytes() == np.asarray(checked.contacts).tobytes() and len(again.contacts) > 0
        with pytest.raises(tocsin.Error, match="there is no room"):
            connection.download_room("cellar")
        with pytest.raises(tocsin.Error, match="bytes, more than the 1000 that were asked for"):
            connection.download_room("music_room", most_bytes=1000)


def downloaded(*objects, **head):
    """What a server sends of these: each a name, vertices and triangles."""
    parts, chunks = [], []
    for k, (name, vertices, triangles) in enumerate(objects):
        data = struct.pack("<II", len(vertices), len(triangles))
        data += np.asarray(vertices, "<f4").tobytes() + np.asarray(triangles, "<u4").tobytes()
        parts.append(pb.DownloadPart(name=name, number=2 * k, bytes=len(data), sha256=hashlib.sha256(data).digest()))
        chunks += [pb.DownloadResponse(chunk=pb.DownloadChunk(part=k, data=data[at : at + 50])) for at in range(0, len(data), 50)]
    made = pb.DownloadHead(environment=pb.Environment(name="made"), parts=parts, sha256=_download._hash_of(parts))
    for name, value in head.items():
        setattr(made, name, value)
    return [pb.DownloadResponse(head=made), *chunks]


CORNERS, FACES = [[0, 0, 0], [1, 0, 0], [0, 1, 0.5], [0, 0, 2]], [[0, 1, 2], [2, 1, 3]]


class Sent:
    """A connection on which this comes."""

    def __init__(self, responses):
        self.responses, self.cancelled = responses, 0

    def _begin(self, *_):
        return self

    def __iter__(self):
        return iter(self.responses)

    def cancel(self):
        self.cancelled += 1


def test_objects_of_one_name_and_equal_ones_are_all_there():
    # The second has the bytes of the first: a server sends them once.
    other = [[0, 0, 9], [1, 0, 9], [0, 1, 9]]
    first, *chunks = downloaded(("a", CORNERS, FACES), ("b", CORNERS, FACES), ("a", other, [[0, 1, 2]]))
    once = [one for one in chunks if one.chunk.part != 1]
    room = _download.download_room(Sent([first, *once]), "made", None, 10_000)
    assert room.environment.objects == ["a", "b", "a@2"] and room.numbers.tolist() == [0, 2, 4]
    assert room.environment.vertices[room.environment.faces[-1]].tolist() == other
    assert len(room.environment.faces) == 5


@pytest.mark.parametrize(
    "change, why",
    [
        (lambda m: m[1:], "a chunk of no part"),
        (lambda m: [], "it has no head"),
        (lambda m: [m[0], *m], "a second head"),
        (lambda m: m[:-1], "the bytes of \"b\" are not those of its hash"),
        (lambda m: [*m, m[-1]], "\"b\" is longer than was said"),
        (lambda m: [*m, m[1]], "a chunk of no part, or of one that was over"),
        (lambda m: [m[0], m[2], m[1], *m[3:]], "the bytes of \"a\" are not those of its hash"),
        (lambda m: downloaded(("a", CORNERS, FACES), sha256=bytes(32)), "its parts are not those of its hash"),
    ],
)
def test_a_download_that_is_not_what_it_says_is_refused(change, why):
    messages = downloaded(("a", CORNERS, FACES), ("b", [[5, 0, 0], *CORNERS[1:]], FACES))
    assert len(messages) == 5
    sent = Sent(change(messages))
    with pytest.raises(tocsin.Error, match=re.escape(f"the server's download: {why}")):
        _download.download_room(sent, "made", None, 10_000)
    assert sent.cancelled == 1


def test_bad_frames_are_named_and_no_hole(server, walk):
    bad = walk.poses[3].copy()
    bad[0, 0] = np.nan
    with live.connect(server.address) as connection, connection.track(walk, **options(walk)) as session:
        reports = iter(session)
        session.send(walk.poses[0])
        session.send(bad)
        session.send(walk.poses[2])
        assert next(reports).bad == [(1, 1)]
        session.send(bad)
        session.finish()
        assert list(reports) == []
        assert session.ended.bad_frames == 2 and "frame 1" in session.ended.first_bad_frame
        assert session.holes == []


def test_a_call_begins_on_the_channel_that_took_the_place_of_its_own(server):
    class Closed:
        """A channel that a session replaces while a call begins."""

        def __init__(self, connection):
            self.connection, self.next = connection, connection.channel

        def unary_unary(self, *_, **__):
            self.connection.channel = self.next
            raise ValueError("Cannot invoke RPC: Channel closed!")

    with live.connect(server.address) as connection:
        connection.channel = Closed(connection)
        assert [room.name for room in connection.rooms()] == ["music_room"]
    with pytest.raises(tocsin.Error, match="is closed") as refused:
        connection.rooms()
    assert refused.value.code == "usage"


def test_rooms_are_uploaded(server, root, walk, tmp_path):
    file = tmp_path / "wall.obj"
    file.write_text("o wall\nv -9 -9 0\nv 9 -9 0\nv 0 9 0\nf 1 2 3\n")
    with live.connect(server.address) as connection:
        assert connection.upload_room("own", file, changeable=True).changeable
        assert [room.name for room in connection.rooms()] == ["music_room", "own"]
        with connection.track(walk, **options(walk, environment="own")) as session:
            reports, _ = send_all(session, walk, range(10))
            assert reports[0].message.HasField("room")
            assert connection.unload("own") == 1
        with pytest.raises(tocsin.Error, match="No such file"):
            connection.upload_room("own", tmp_path / "nothing.obj")


def test_tokens_and_tls(root, walk, tmp_path):
    key, certificate, tokens = tmp_path / "key.pem", tmp_path / "certificate.pem", tmp_path / "tokens.json"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
    made += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    if subprocess.run(list(map(str, made)), capture_output=True).returncode != 0:
        pytest.skip("openssl makes no certificate")
    token = "a-token-of-studio-a"
    tokens.write_text(json.dumps({"format": "tocsin.tokens.v1", "tokens": [{"name": "studio-a", "token": token}]}))
    os.chmod(tokens, 0o600)
    with Server(root, "--tls-cert", certificate, "--tls-key", key, "--tokens", tokens) as server:
        port = server.address.rpartition(":")[2]
        with live.connect(f"127.0.0.1:{port}", ca=certificate, token=token) as connection:
            with connection.track(walk, **options(walk)) as session:
                reports, _ = send_all(session, walk, range(5))
                assert len(reports) == 4
        # Whom nobody vouches for is tried for as long as is said.
        unknown = {"ca": None, "timeout": 3.0}
        for wrong, code in (({"token": ""}, "input"), ({"token": "another-token-of-it"}, "input"), (unknown, "resource")):
            with pytest.raises(tocsin.Error) as error:
                live.connect(f"127.0.0.1:{port}", **{"ca": certificate, "token": token, "timeout": 60.0, "tls": True, **wrong})
            assert error.value.code == code
            assert token not in str(error.value)
    with pytest.raises(tocsin.Error, match="in the clear"):
        live.connect("192.0.2.1:1", token=token)
    with pytest.raises(tocsin.Error, match="not a PEM file"):
        live.connect("localhost:1", ca=tokens)
    with pytest.raises(tocsin.Error, match="go together"):
        live.connect("localhost:1", certificate=certificate)


class Losing(grpc.GenericRpcHandler):
    """A server that loses frames: what it says of them does not join."""

    def __init__(self, reports, ended):
        self.reports, self.ended = reports, ended

    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: pb.ListAvatarModelsResponse(),
            request_deserializer=pb.ListAvatarModelsRequest.FromString,
            response_serializer=pb.ListAvatarModelsResponse.SerializeToString,
        ) if details.method.endswith("ListAvatarModels") else grpc.stream_stream_rpc_method_handler(
            self.track,
            request_deserializer=pb.TrackRequest.FromString,
            response_serializer=pb.TrackResponse.SerializeToString,
        )

    def track(self, requests, context):
        next(requests)
        yield pb.TrackResponse(opened=pb.Opened(session_id="s"))
        for _ in requests:
            pass
        for step, begin, end in self.reports:
            report = pb.StepReport(step=step, to=pb.FrameStamp(id=end))
            getattr(report, "from").id = begin
            yield pb.TrackResponse(reports=pb.Reports(reports=[report]))
        yield pb.TrackResponse(ended=pb.Ended(steps=self.ended))


@pytest.mark.parametrize(
    "reports, ended, holes",
    [
        ([(0, 0, 4), (1, 4, 9)], 2, []),
        ([(0, 0, 4), (0, 0, 4), (1, 4, 9)], 2, []),  # one is sent again
        ([(0, 0, 4), (1, 7, 9)], 2, [live.Hole(4, 7)]),
        ([(0, 0, 4), (2, 4, 9)], 3, [live.Hole(4, 4)]),
        ([(0, 0, 4), (1, 4, 8)], 2, [live.Hole(8, None)]),
        ([(0, 0, 4), (1, 4, 9)], 3, [live.Hole(9, None)]),
        ([], 0, [live.Hole(None, None)]),
    ],
)
def test_what_no_report_covers_is_said(one_joint, reports, ended, holes):
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(4), handlers=[Losing(reports, ended)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with live.connect(f"127.0.0.1:{port}") as connection:
            with connection.track(one_joint, frame_seconds=0.1) as session:
                for _ in range(10):
                    session.send([[1, 0, 0, 0, 0, 0, 0]])
                session.finish()
                assert [report.to.id for report in session] == [end for _, end in dict.fromkeys((s, e) for s, _, e in reports)]
                assert session.holes == holes
    finally:
        server.stop(None)


class Mixed(grpc.GenericRpcHandler):
    """A server whose messages have reports and free steps of the same slots."""

    def service(self, details):
        if details.method.endswith("ListAvatarModels"):
            return Losing([], 0).service(details)
        return grpc.stream_stream_rpc_method_handler(
            self.track_many, request_deserializer=pb.TrackManyRequest.FromString, response_serializer=pb.TrackManyResponse.SerializeToString
        )

    def track_many(self, requests, context):
        ends = 0
        for request in requests:
            slots = [one.slot for one in request.openings]
            yield pb.TrackManyResponse(opened=[pb.SlotOpened(slot=slot, opened=pb.Opened(session_id="s")) for slot in slots])
            ends += len(request.ends)
            if ends == 2:
                break
        yield pb.TrackManyResponse(
            reports=[self.report(0, 0), self.report(0, 2), self.report(1, 0), self.report(0, 4)],
            free=pb.FreeSteps(slots=[0, 1, 0, 1], steps=[1, 1, 3, 2], to_ids=[2, 2, 4, 3], to_times=[0.0, 0.0, 0.0, 0.0]),
        )
        yield pb.TrackManyResponse(ends=[pb.SlotEnd(slot=slot, ended=pb.Ended(steps=steps)) for slot, steps in ((0, 5), (1, 3))])

    def report(self, slot, step):
        report = pb.StepReport(step=step, to=pb.FrameStamp(id=step + 1))
        getattr(report, "from").id = step
        return pb.SlotReport(slot=slot, report=report)


def test_reports_and_free_steps_of_one_message_are_told_in_order(one_joint):
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(4), handlers=[Mixed()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with live.connect(f"127.0.0.1:{port}") as connection, connection.crowd() as crowd:
            members = [crowd.track(one_joint, frame_seconds=0.1) for _ in range(2)]
            for k in range(6):
                crowd.send({members[0]: [[1, 0, 0, 0, 0, 0, 0]], **({members[1]: [[1, 0, 0, 0, 0, 0, 0]]} if k < 4 else {})})
            crowd.finish()
            told = list(crowd)
            for member, steps in zip(members, (5, 3)):
                assert [report.step for one, report in told if one is member] == list(range(steps))
                assert member.holes == [] and member.error is None
    finally:
        server.stop(None)


def test_the_guides_programs_run(server, root, tmp_path, monkeypatch, capsys):
    shutil.copy(root / "motions" / "walk_and_reach.bvh", tmp_path / "take.bvh")
    monkeypatch.chdir(tmp_path)
    page = (root / "docs" / "guides" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    names = {}
    for block in blocks:
        exec(compile(block.replace("localhost:50051", server.address), "docs/guides/python.md", "exec"), names)
    said = capsys.readouterr().out
    assert "106 ['MusicStand'] 0.238" in said and "129 []" in said and "actor 2 9 0" in said
    program = [sys.executable, "-B", root / "docs" / "python" / "live_take.py", server.address, "take.bvh", "--speed", "20"]
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(tocsin.__file__).resolve().parents[1])}
    done = subprocess.run(list(map(str, program)), env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "in music_room: 16 links\nframe 106: right_forearm and MusicStand, hit, at 3.5079 s\n129 steps, 1 contacts, " in done.stdout
    done = subprocess.run([*map(str, program), "--env", "cellar"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "live_take.py: there is no room" in done.stderr


@pytest.mark.parametrize("missing", ["grpc", "google.protobuf", "tocsin.v1.collision_pb2"])
def test_without_what_it_needs_only_the_client_is_missing(missing):
    code = f"import sys; sys.modules['{missing}'] = None; import tocsin; print('there'); import tocsin.live"
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(tocsin.__file__).resolve().parents[1])}
    done = subprocess.run([sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "there\n"
    wanted = "when the package was built" if missing.startswith("tocsin") else "pip install tocsin[live]"
    assert "ImportError" in done.stderr and wanted in done.stderr


def test_everything_public_has_a_docstring():
    import inspect

    for name in live.__all__:
        thing = getattr(live, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{member}"
