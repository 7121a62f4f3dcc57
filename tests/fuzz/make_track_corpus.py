"""Makes the seeds of fuzz_track, tests/fuzz/corpus/track/, from the service's messages.

    make_track_corpus.py        writes them anew; the same bytes each time

Needs protoc and protobuf for Python (apt: protobuf-compiler python3-protobuf). track_conversation.h says what a seed is made of.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"

MESSAGE, WORK, BREAK, READ, WAIT, FINISH = 0, 3, 4, 5, 6, 7


def load_messages(folder: str):
    subprocess.run(
        ["protoc", f"-I{PROTO}", f"--python_out={folder}", "tocsin/v1/collision.proto"], check=True
    )
    sys.path.insert(0, folder)
    from tocsin.v1 import collision_pb2

    return collision_pb2


def message(request) -> bytes:
    data = request.SerializeToString(deterministic=True)
    return bytes([MESSAGE]) + len(data).to_bytes(2, "little") + data


def commands(*codes: int) -> bytes:
    return bytes(codes)


def opening(pb, **options) -> bytes:
    request = pb.TrackRequest()
    request.open.SetInParent()
    joints = request.open.skeleton.joints
    for name, parent, y in (("root", -1, 1.0), ("middle", 0, 0.4), ("end", 1, 0.4)):
        joint = joints.add(name=name, parent=parent)
        joint.rest_translation.y = y
    for name, value in options.items():
        field = getattr(request.open, name)
        if isinstance(value, list):
            field.extend(value)
        elif isinstance(value, dict):
            for part, number in value.items():
                setattr(field, part, number)
        else:
            setattr(request.open, name, value)
    return message(request)


def with_model(pb) -> bytes:
    request = pb.TrackRequest()
    joint = request.open.skeleton.joints.add(name="root", parent=-1)
    joint.rest_rotation.w = 1.0
    link = request.open.inline_model.links.add(name="rod", joint="root", radius=0.05)
    link.a.offset.y = 0.5
    link.b.offset.y = -0.5
    request.open.inline_model.name = "rod"
    request.open.radius_factor = 1.5
    return message(request)


def with_shapes(pb, spoil=None) -> bytes:
    request = pb.TrackRequest()
    request.open.skeleton.joints.add(name="root", parent=-1).rest_rotation.w = 1.0
    model = request.open.inline_model
    model.name = "shapes"
    mesh = model.links.add(name="mesh", joint="root").shape
    mesh.mesh.corners.extend([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    mesh.mesh.triangles.extend([0, 1, 2, 0, 1, 3])
    mesh.radius = 0.01
    mesh.scale.x, mesh.scale.y, mesh.scale.z = 1.0, -2.0, 1.0
    mesh.rotation.w, mesh.rotation.x = 0.6, 0.8
    mesh.translation.y = 0.5
    model.links.add(name="convex", joint="root").shape.convex.corners.extend(mesh.mesh.corners)
    box = model.links.add(name="box", joint="root").shape.box
    box.x, box.y, box.z = 0.1, 0.2, 0.3
    model.links.add(name="sphere", joint="root").shape.sphere.radius = 0.2
    capsule = model.links.add(name="capsule", joint="root").shape.capsule
    capsule.radius, capsule.b.y = 0.1, 1.0
    for kind in ("cylinder", "cone"):
        around = getattr(model.links.add(name=kind, joint="root").shape, kind)
        around.radius, around.height, around.tolerance = 0.2, 0.5, 0.05
    if spoil:
        spoil(model)
    return message(request)


def frames(pb, *ids: int, joints: int = 3, spoil=None) -> bytes:
    request = pb.TrackRequest()
    for frame_id in ids:
        frame = request.frames.frames.add(id=frame_id, capture_time=0.25 * frame_id)
        for _ in range(joints):
            frame.pose.rotations.extend([1.0, 0.0, 0.0, 0.0])
        frame.pose.translations.extend([0.1 * (frame_id % 20), 1.0, 0.2])
        if spoil:
            spoil(frame)
    return message(request)


def resume(pb, received: int) -> bytes:
    request = pb.TrackRequest()
    request.resume.session_id = "x"
    request.resume.received_steps = received
    return message(request)


def seeds(pb) -> dict:
    def not_unit(frame):
        frame.pose.rotations[0] = 2.0

    def not_a_number(frame):
        frame.pose.translations[1] = float("nan")

    def no_such_corner(model):
        model.links[0].shape.mesh.triangles[2] = 4

    def loaded(model):
        model.links[0].shape.loaded_mesh = "sword"

    def many_sides(model):
        model.links[6].shape.cone.tolerance = 1e-12

    walk = opening(pb) + frames(pb, *range(4)) + commands(WAIT, READ) + frames(pb, *range(4, 8))
    return {
        "walk": walk + commands(WAIT, READ, FINISH),
        "overload": opening(pb) + frames(pb, *range(40)) + commands(READ) + frames(pb, *range(40, 80)),
        "interleaved": opening(pb)
        + b"".join(frames(pb, k) + commands(WORK) for k in range(6))
        + commands(READ, WORK, READ),
        "meeting": opening(pb, meet=True, self=True) + frames(pb, *range(3)) + commands(WAIT, READ),
        "no_coalesce": opening(pb, coalesce=False) + frames(pb, *range(12)),
        "reordered": opening(pb) + frames(pb, 3, 1, 2, 2, 9, 5, 4, 9) + commands(WAIT, READ),
        "resumed": walk + commands(BREAK) + resume(pb, 2) + frames(pb, 8, 9) + commands(WAIT, READ),
        "too_far": walk + commands(BREAK) + resume(pb, 2**60) + resume(pb, 0),
        "finished_when_broken": walk
        + commands(BREAK, FINISH)
        + resume(pb, 2)
        + frames(pb, 8, 9)
        + commands(WAIT, READ),
        "taken_over": walk + resume(pb, 3) + frames(pb, 9),
        "model": with_model(pb) + frames(pb, *range(5), joints=1) + commands(WAIT, READ),
        "shapes": with_shapes(pb) + frames(pb, *range(5), joints=1) + commands(WAIT, READ),
        "shapes_bad": with_shapes(pb, no_such_corner) + with_shapes(pb, many_sides),
        "shapes_loaded": with_shapes(pb, loaded) + with_shapes(pb),
        "even": opening(pb, frame_seconds=0.01, stop_pose=True, clearance=True)
        + frames(pb, *range(0, 10, 3))
        + commands(WAIT, READ),
        "placed": opening(
            pb, place={"x": 0.5, "z": -0.25}, place_yaw_degrees=90.0, margin=0.1, contacts=1
        )
        + frames(pb, *range(5))
        + commands(WAIT, READ),
        "ignoring": opening(pb, ignore=["*:box", "nothing:*"], in_between=1) + frames(pb, *range(5)),
        "not_unit": opening(pb) + frames(pb, 1) + frames(pb, 2, spoil=not_unit) + frames(pb, 3, 4),
        "not_a_number": opening(pb) + frames(pb, 1, 2, spoil=not_a_number) + frames(pb, 3, 4),
        "few_joints": opening(pb) + frames(pb, 1, 2, joints=2),
        "no_model": opening(pb, model="../../etc/passwd") + opening(pb, model="humanoid16"),
        "no_room": opening(pb, environment="cellar") + frames(pb, 1),
    }


def main() -> None:
    corpus = HERE / "corpus" / "track"
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, data in seeds(load_messages(folder)).items():
            (corpus / f"{name}.track").write_bytes(data)


if __name__ == "__main__":
    main()
