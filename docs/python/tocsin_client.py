#!/usr/bin/env python3
"""A client of `tocsin serve` in Python: sends a motion live and prints what it touches.

    python3 tocsin_client.py localhost:50051 take.poses
    python3 tocsin_client.py localhost:50051 take.poses --avatar humanoid16 --hold RightHand=sword.obj
    python3 tocsin_client.py localhost:50051 --demo

Needs grpcio and protobuf, and protoc or grpcio-tools (Debian: python3-grpcio python3-protobuf
protobuf-compiler). The messages are made from collision.proto when this starts; a program that is
installed would keep what protoc makes.
A motion is a .poses file (`tocsin convert take.bvh take.poses`), or --demo: a ball that flies along x.
"""
import argparse
import contextlib
import importlib
import json
import pathlib
import queue
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import grpc
except ImportError:
    sys.exit("grpcio is not there (Debian: python3-grpcio python3-protobuf protobuf-compiler)")

HERE = pathlib.Path(__file__).resolve().parent
PROTOS = [HERE.parents[1] / "proto", HERE.parent / "proto", HERE]  # in the sources; installed; beside this


def load_messages(proto_dir=None):
    """The module that protoc makes of collision.proto: the service's messages."""
    places = [pathlib.Path(proto_dir)] if proto_dir else PROTOS
    root = next((p for p in places if (p / "tocsin/v1/collision.proto").exists()), None)
    if root is None:
        fail("collision.proto is not there; --proto names the folder that tocsin/v1 is in", 2)
    protoc = ["protoc"] if shutil.which("protoc") else [sys.executable, "-m", "grpc_tools.protoc"]
    with tempfile.TemporaryDirectory() as made:
        if subprocess.call([*protoc, f"-I{root}", f"--python_out={made}", "tocsin/v1/collision.proto"]) != 0:
            fail("protoc failed: it must be of version 3.15 or later, or grpcio-tools of 1.37", 4)
        sys.path.insert(0, made)
        try:
            return importlib.import_module("tocsin.v1.collision_pb2")
        finally:
            sys.path.remove(made)


def fail(message, status):
    """Ends the program as the command tocsin does: 2 wrong usage, 3 an input was refused, 4 could not finish."""
    print(message, file=sys.stderr)
    sys.exit(status)


def read_line(line):
    """The object that a line of a .poses file holds, or None."""
    try:
        out = json.loads(line)
    except (ValueError, RecursionError):  # not JSON, or not UTF-8
        return None
    return out if isinstance(out, dict) else None


def read_poses(file):
    """A .poses file: joints as (name, parent, rest), and (seconds, local transforms) of every pose.

    A file that was cut off while it was written is read as far as it is whole."""
    try:
        data = pathlib.Path(file).read_bytes()
    except OSError as error:
        fail(f"{file}: {error.strerror}", 3)
    lines = data.removesuffix(b"\n").split(b"\n")
    head = read_line(lines[0])
    if head is None or head.get("format") != "tocsin.poses.v1":
        fail(f"{file}: not a .poses file (tocsin convert TAKE OUT.poses makes one)", 3)
    number, poses, ended = 1, [], False
    try:
        joints = [(str(j["name"]), int(j["parent"]), [float(x) for x in j["rest"]]) for j in head["joints"]]
        if any(len(rest) != 7 for _, _, rest in joints):
            raise ValueError
        for number, line in enumerate(lines[1:], start=2):
            record = read_line(line)
            if record is None and number == len(lines) and not data.endswith(b"\n"):
                break  # cut off
            if record is None or ended:
                raise ValueError
            if record["type"] == "record" and number == 2:
                continue  # how the session was checked
            if record["type"] == "end":
                ended = record["poses"] == len(poses)
                if not ended:
                    raise ValueError
                continue
            local = [float(x) for x in record["local"]]
            if len(local) != 7 * len(joints):
                raise ValueError
            poses.append((float(record["tick"]) * float(head["frame_time"]), local))
    except (ArithmeticError, KeyError, TypeError, ValueError):
        fail(f"{file}:{number}: not as docs/poses.md says", 3)
    if not poses:
        fail(f"{file}: no whole pose in it", 3)
    if not ended:
        print(f"{file}: cut off; the {len(poses)} poses that are whole are sent", file=sys.stderr)
    return joints, poses


def positive(text):
    """A factor above 0, for argparse."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise ValueError
    return value


def demo(frames=60, rate=60.0, speed=2.0):
    """One joint, which flies along x, 1 m above the floor."""
    rest = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    return [("ball", -1, rest)], [(k / rate, rest[:4] + [speed * k / rate, 1.0, 0.0]) for k in range(frames)]


CHUNK = 512 * 1024  # bytes of an upload in one message


def upload(pb, channel, metadata, name, file):
    """Uploads a mesh, a file of any room format, as a shape for links."""
    try:
        data = pathlib.Path(file).read_bytes()
    except OSError as error:
        fail(f"{file}: {error.strerror}", 3)
    begin = pb.LoadEnvironmentRequest.Begin(name=name, file_name=pathlib.Path(file).name, shape=True)
    messages = [pb.LoadEnvironmentRequest(begin=begin)]
    messages += [pb.LoadEnvironmentRequest(chunk=data[at:at + CHUNK]) for at in range(0, len(data), CHUNK)]
    load = channel.stream_unary("/tocsin.v1.CollisionService/LoadEnvironment",
                                request_serializer=pb.LoadEnvironmentRequest.SerializeToString,
                                response_deserializer=pb.LoadEnvironmentResponse.FromString)
    load(iter(messages), metadata=metadata)


def unload(pb, channel, metadata, name):
    call = channel.unary_unary("/tocsin.v1.CollisionService/UnloadEnvironment",
                               request_serializer=pb.UnloadEnvironmentRequest.SerializeToString,
                               response_deserializer=pb.UnloadEnvironmentResponse.FromString)
    call(pb.UnloadEnvironmentRequest(name=name), metadata=metadata)


def model_named(pb, channel, metadata, name):
    """The server's model of that name: a model that gets more links is sent as a whole."""
    call = channel.unary_unary("/tocsin.v1.CollisionService/ListAvatarModels",
                               request_serializer=pb.ListAvatarModelsRequest.SerializeToString,
                               response_deserializer=pb.ListAvatarModelsResponse.FromString)
    models = {model.name: model for model in call(pb.ListAvatarModelsRequest(), metadata=metadata).models}
    if name not in models:
        fail(f"--hold needs --avatar with one of {', '.join(sorted(models))}", 2)
    return models[name]


def hold(pb, arguments, opening, channel, metadata):
    """Gives the avatar a link with the mesh. Its name on the server, or None: nothing is held."""
    if not arguments.hold:
        return None
    joint, _, file = arguments.hold.partition("=")
    if not arguments.demo:
        opening.inline_model.CopyFrom(model_named(pb, channel, metadata, arguments.avatar))
    name = "held-" + secrets.token_hex(8)
    upload(pb, channel, metadata, name, file)
    link = opening.inline_model.links.add(name=pathlib.Path(file).stem, joint=joint)
    link.shape.loaded_mesh = name
    return name


def open_message(pb, arguments, joints):
    opening = pb.Open(environment=arguments.env, label="tocsin_client.py")
    for name, parent, (w, x, y, z, tx, ty, tz) in joints:
        opening.skeleton.joints.append(pb.Joint(
            name=name, parent=parent, rest_rotation=pb.Quaternion(w=w, x=x, y=y, z=z),
            rest_translation=pb.Vec3(x=tx, y=ty, z=tz)))
    if arguments.demo:  # a model of our own: a ball of 10 cm
        opening.inline_model.name = "ball"
        opening.inline_model.links.append(pb.Link(
            name="ball", joint="ball", a=pb.EndPoint(offset=pb.Vec3()), b=pb.EndPoint(offset=pb.Vec3()), radius=0.1))
    else:
        opening.model = arguments.avatar
    return opening


def frame_message(pb, number, seconds, local):
    pose = pb.Pose()
    for at in range(0, len(local), 7):  # w, x, y, z, then the translation, of every joint
        pose.rotations.extend(local[at:at + 4])
        pose.translations.extend(local[at + 4:at + 7])
    frame = pb.Frame(id=number, capture_time=seconds, pose=pose)
    return pb.TrackRequest(frames=pb.Frames(frames=[frame]))


class LiveTrack:
    """A motion that is sent live. When its stream breaks, or the server is started again, it goes on.

    The server resumes the session from what it has, or from its record. If it has neither, a new session begins at
    the frame at which the reports end. So reports join; where they do not, that is said and counted as a hole."""

    FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # seconds between two streams
    KEEPALIVE = [("grpc.keepalive_time_ms", 30_000), ("grpc.keepalive_timeout_ms", 10_000)]

    def __init__(self, pb, arguments, joints, poses):
        self.pb, self.arguments, self.joints, self.poses = pb, arguments, joints, poses
        self.session = ""  # its id, which is a secret; empty: there is none to be resumed
        self.session_steps = 0  # reports of it
        self.covered = 0  # all reports so far end at this frame
        self.steps = self.contacts = self.skipped = self.holes = 0
        self.begin = None  # when the first frame was sent
        self.is_open = self.ended = False
        self.held = None  # the name on the server of the mesh that is held, until a session has it

    # ---- Out ----

    def first_message(self, channel, metadata):
        if not self.session:
            opening = open_message(self.pb, self.arguments, self.joints)
            self.held = hold(self.pb, self.arguments, opening, channel, metadata)
            return self.pb.TrackRequest(open=opening)
        return self.pb.TrackRequest(resume=self.pb.Resume(session_id=self.session, received_steps=self.session_steps))

    def messages(self, first_message, first_frame):
        """The client's side of a stream: a generator that gRPC draws messages from. Frames that are due go at once."""
        yield first_message
        first = first_frame.get()
        if first is None:
            return
        if self.begin is None:
            self.begin = time.monotonic()
        origin = self.poses[0][0]
        for number in range(first, len(self.poses)):
            seconds, local = self.poses[number]
            time.sleep(max(0.0, self.begin + (seconds - origin) / self.arguments.speed - time.monotonic()))
            yield frame_message(self.pb, number, seconds, local)
        # Returning closes our side: the server reports what is pending, then says `ended`.

    # ---- In ----

    def take_opened(self, opened):
        """The frame to be sent next."""
        if not self.session:
            room = opened.environment
            print(f"in {room.name}: {room.triangles} triangles; {len(opened.links)} links")
            self.session, self.session_steps = opened.session_id, 0
            return self.covered
        return opened.covered.id + 1 if opened.HasField("covered") else 0

    def hole(self, begin, end):
        self.holes += 1
        until = "" if end is None else f" and before frame {end}"
        print(f"a gap: no report covers what came after frame {begin}{until}", file=sys.stderr)

    def take_report(self, report):
        if report.step < self.session_steps:
            return  # sent again
        begin = getattr(report, "from").id
        if report.step > self.session_steps or begin != self.covered:
            self.hole(self.covered, begin)
        self.session_steps, self.covered = report.step + 1, report.to.id
        self.steps += 1
        self.contacts += len(report.contacts)
        self.skipped += sum(r.last - r.first + 1 for r in report.skipped)
        for contact in report.contacts:
            status = self.pb.ContactStatus.Name(contact.status)[len("CONTACT_STATUS_"):].lower()
            print(f"step {report.step}: {contact.link_name} and {contact.object_name}, {status}, "
                  f"at {contact.toc_low:.6f} of the step")

    def take_partial(self, report):
        # The step goes on, and its report has these contacts again.
        print(f"step {report.step}: checked until {report.checked_until:.6f} of the step so far, "
              f"{len(report.contacts)} contacts")

    def take_closing(self, closing):
        if not closing.HasField("covered"):
            return  # the first of two: more reports follow
        now = closing.covered
        last = f"up to frame {now.to.id}" if now.HasField("to") else "no frame"
        print(f"{closing.reason}: it had covered {now.steps} steps, {last}; {now.unchecked_frames} frames unchecked",
              flush=True)

    def take_ended(self, ended):
        if ended.steps != self.session_steps or self.covered + 1 != len(self.poses):
            self.hole(self.covered, None)
        self.ended = True
        print(f"{self.steps} steps, {self.contacts} contacts, {self.skipped} frames skipped")
        if ended.bad_frames:
            print(f"{ended.bad_frames} frames bad, and passed over; the first: {ended.first_bad_frame}")

    # ---- Streams ----

    def stream(self):
        """One stream, to its end. Raises grpc.RpcError."""
        self.is_open, first_frame = False, queue.Queue()
        metadata = [("authorization", f"Bearer {self.arguments.token}")] if self.arguments.token else []
        with grpc.insecure_channel(self.arguments.target, options=self.KEEPALIVE) as channel:
            track = channel.stream_stream("/tocsin.v1.CollisionService/Track",
                                          request_serializer=self.pb.TrackRequest.SerializeToString,
                                          response_deserializer=self.pb.TrackResponse.FromString)
            try:
                first_message = self.first_message(channel, metadata)
                for response in track(self.messages(first_message, first_frame), metadata=metadata):
                    kind = response.WhichOneof("message")
                    if kind == "opened":
                        self.is_open = True
                        self.let_go(channel, metadata)
                        first_frame.put(self.take_opened(response.opened))
                    elif kind == "reports":
                        for report in response.reports.reports:
                            self.take_report(report)
                    elif kind == "partial":
                        self.take_partial(response.partial)
                    elif kind == "closing":
                        self.take_closing(response.closing)
                    elif kind == "ended":
                        self.take_ended(response.ended)
            finally:
                first_frame.put(None)
                self.let_go(channel, metadata)

    def let_go(self, channel, metadata):
        """Unloads the mesh: a session that is open has it, and keeps it."""
        name, self.held = self.held, None
        if name:
            with contextlib.suppress(grpc.RpcError):
                unload(self.pb, channel, metadata, name)

    @staticmethod
    def is_broken(error):
        """True if the connection was lost or the server ended; else the server refused."""
        code, details = error.code(), error.details() or ""
        if code == grpc.StatusCode.RESOURCE_EXHAUSTED:  # gRPC's own limits cut the stream off
            return details.startswith("Received RST_STREAM")
        return code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED,
                        grpc.StatusCode.UNKNOWN)

    def run(self):
        """Streams until the session has ended. Ends the program if nobody goes on for --patience seconds."""
        latest, pause = None, self.FIRST_PAUSE
        while not self.ended:
            broken, why = True, "the server ended the stream too early"
            try:
                self.stream()
            except grpc.RpcError as error:
                broken, why = self.is_broken(error), f"{error.code().name}: {error.details()}"
            if self.ended:
                return
            if not broken and self.session and not self.is_open:
                self.session = ""  # nobody has it any more: a new one begins where the reports end
                print(f"the session is lost ({why}): a new one goes on at frame {self.covered}", flush=True)
            elif not broken or self.begin is None:
                fail(f"{self.arguments.target}: {why}", 4 if broken else 3)
            if self.is_open or latest is None:
                latest, pause = time.monotonic() + self.arguments.patience, self.FIRST_PAUSE
            if time.monotonic() >= latest:
                fail(f"{self.arguments.target}: {why}\nno report covers what came after frame {self.covered}", 4)
            time.sleep(pause)
            pause = min(2 * pause, self.LONGEST_PAUSE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="HOST:PORT")
    parser.add_argument("motion", nargs="?", help="a .poses file")
    parser.add_argument("--demo", action="store_true", help="a ball that flies along x, in place of a file")
    parser.add_argument("--env", default="", help="the room's name (the only one)")
    parser.add_argument("--avatar", default="auto", help="a model that the server has (auto)")
    parser.add_argument("--hold", metavar="JOINT=MESH", help="a mesh that the avatar holds, a file of any room format")
    parser.add_argument("--speed", type=positive, default=1.0, help="times as fast as recorded (1)")
    parser.add_argument("--patience", type=positive, default=10.0, metavar="SECONDS",
                        help="for so long a lost server is tried again (10)")
    parser.add_argument("--token", default="", help="sent in the clear here: for this machine only")
    parser.add_argument("--proto", help="the folder that tocsin/v1/collision.proto is in")
    arguments = parser.parse_args()
    if bool(arguments.motion) == arguments.demo:
        parser.error("a .poses file, or --demo")

    if arguments.hold and not all(arguments.hold.partition("=")[::2]):
        parser.error("--hold JOINT=MESH")

    joints, poses = demo() if arguments.demo else read_poses(arguments.motion)
    track = LiveTrack(load_messages(arguments.proto), arguments, joints, poses)
    track.run()
    if track.holes:
        fail(f"{track.holes} times no report covers what was sent", 1)


if __name__ == "__main__":
    main()
