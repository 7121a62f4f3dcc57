#!/usr/bin/env python3
"""A client of `tocsin serve` in Python: sends a motion live and prints what it touches.

    python3 tocsin_client.py localhost:50051 take.poses
    python3 tocsin_client.py localhost:50051 --demo

Needs grpcio and protobuf, and protoc or grpcio-tools (Debian: python3-grpcio python3-protobuf
protobuf-compiler). The messages are made from collision.proto when this starts; a program that is
installed would keep what protoc makes.
A motion is a .poses file (`tocsin convert take.bvh take.poses`), or --demo: a ball that flies along x.
"""
import argparse
import importlib
import json
import pathlib
import queue
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
    return pb.TrackRequest(open=opening)


def frame_message(pb, number, seconds, local):
    pose = pb.Pose()
    for at in range(0, len(local), 7):  # w, x, y, z, then the translation, of every joint
        pose.rotations.extend(local[at:at + 4])
        pose.translations.extend(local[at + 4:at + 7])
    frame = pb.Frame(id=number, capture_time=seconds, pose=pose)
    return pb.TrackRequest(frames=pb.Frames(frames=[frame]))


def send(pb, arguments, joints, poses, opened):
    """The client's side of the stream: a generator that gRPC draws messages from."""
    yield open_message(pb, arguments, joints)
    if not opened.get():
        return
    begin = time.monotonic()
    for number, (seconds, local) in enumerate(poses):
        time.sleep(max(0.0, begin + (seconds - poses[0][0]) / arguments.speed - time.monotonic()))
        yield frame_message(pb, number, seconds, local)
    # Returning closes our side: the server reports what is pending, then says `ended`.


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="HOST:PORT")
    parser.add_argument("motion", nargs="?", help="a .poses file")
    parser.add_argument("--demo", action="store_true", help="a ball that flies along x, in place of a file")
    parser.add_argument("--env", default="", help="the room's name (the only one)")
    parser.add_argument("--avatar", default="auto", help="a model that the server has (auto)")
    parser.add_argument("--speed", type=positive, default=1.0, help="times as fast as recorded (1)")
    parser.add_argument("--token", default="", help="sent in the clear here: for this machine only")
    parser.add_argument("--proto", help="the folder that tocsin/v1/collision.proto is in")
    arguments = parser.parse_args()
    if bool(arguments.motion) == arguments.demo:
        parser.error("a .poses file, or --demo")

    joints, poses = demo() if arguments.demo else read_poses(arguments.motion)
    pb = load_messages(arguments.proto)
    metadata = [("authorization", f"Bearer {arguments.token}")] if arguments.token else []
    opened = queue.Queue()
    covered = None
    with grpc.insecure_channel(arguments.target) as channel:
        track = channel.stream_stream("/tocsin.v1.CollisionService/Track",
                                      request_serializer=pb.TrackRequest.SerializeToString,
                                      response_deserializer=pb.TrackResponse.FromString)
        try:
            for response in track(send(pb, arguments, joints, poses, opened), metadata=metadata):
                kind = response.WhichOneof("message")
                if kind == "opened":
                    room = response.opened.environment
                    print(f"in {room.name}: {room.triangles} triangles; {len(response.opened.links)} links")
                    opened.put(True)
                elif kind == "reports":
                    for report in response.reports.reports:
                        if covered not in (None, getattr(report, "from").id):
                            fail(f"a gap: step {report.step} does not begin at frame {covered}", 1)
                        covered = report.to.id
                        for contact in report.contacts:
                            status = pb.ContactStatus.Name(contact.status)[len("CONTACT_STATUS_"):].lower()
                            print(f"step {report.step}: {contact.link_name} and {contact.object_name}, {status}, "
                                  f"at {contact.toc_low:.6f} of the step")
                elif kind == "ended":
                    ended = response.ended
                    print(f"{ended.steps} steps, {ended.contacts} contacts, {ended.skipped_frames} frames skipped")
                    if ended.bad_frames:
                        print(f"{ended.bad_frames} frames bad, and passed over; the first: {ended.first_bad_frame}")
        except grpc.RpcError as error:
            opened.put(False)
            unreachable = error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
            fail(f"{arguments.target}: {error.code().name}: {error.details()}", 4 if unreachable else 3)


if __name__ == "__main__":
    main()
