"""The contacts of the add-on and those of `tocsin check`, of the same scene that other writers exported."""

import json
import os
import random
import subprocess

import bpy
import numpy as np
import pytest
import tocsin
from build import armature, cube, select, sheet
from tocsin_blender import operators

COMMAND = json.loads(os.environ["TOCSIN_BLENDER_TEST"])["command"]
FRAMES = 72
CHAIN = (
    ("upper", None, (0, 0, 1), (0.5, 0, 1)),
    ("lower", "upper", (0.5, 0, 1), (0.9, 0, 1.1)),
    ("hand", "lower", (0.9, 0, 1.1), (1.1, 0.1, 1.1)),
)


def flailing(seed):
    """An arm of three bones that turns at random, by Blender's own curves, and rides on an armature that moves; among things."""
    numbers = random.Random(seed)
    bpy.context.scene.frame_end = FRAMES
    rig = armature(bones=CHAIN, radius=0.06)
    for bone in rig.pose.bones:
        for frame in range(1, FRAMES + 1, 4):
            bone.rotation_euler = [numbers.uniform(-1.2, 1.2) for _ in range(3)]
            bone.keyframe_insert("rotation_euler", frame=frame)
    for frame in range(1, FRAMES + 1, 6):
        rig.location = [numbers.uniform(-0.3, 0.3) for _ in range(3)]
        rig.keyframe_insert("location", frame=frame)
    things = [sheet("Wall", 0.7, 2.0, 3.0), cube("Box", 0.15, (0.5, 0.7, 1.3)), cube("Lamp", 0.1, (0.9, -0.5, 0.9))]
    for thing in things:
        thing.rotation_euler = [numbers.uniform(-0.4, 0.4) for _ in range(3)]
    return rig, things


def result_of(*objects):
    select(*objects)
    check = operators.Check(bpy.context)
    check.read(float("inf"))
    check.job.join()
    assert check.job.error == ""
    return check.job.result


def ours(result):
    """{(step, link, object): touch}."""
    return {(one.step, result.name(one.who), result.name(one.touched)): one for one in result.touches}


def command(folder, motion, links, *options):
    """The contacts of `tocsin check`, {(step, link, object): contact}."""
    (folder / "arm.json").write_text(json.dumps({"format": "tocsin.avatar.v1", "name": "arm", "description": "", "links": links}))
    words = [COMMAND, "check", motion, "--avatar", "arm.json", "--env", "room.obj", "--in-between", "translate_rotate", "--out", "out.jsonl"]
    told = subprocess.run([*words, *options], cwd=folder, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    contacts = [line for line in lines if line["type"] == "contact"]
    return {(one["step"], one["link"], one["object"]): one for one in contacts}


def write_room(file, room):
    """Our own .obj: where Blender's meshes stand, all digits of their 32 bits."""
    lines, base = [], 1
    for thing, name in zip(room.things, room.names):
        lines.append(f"o {name}")
        matrix = np.array(bpy.data.objects[name].matrix_world)
        corners = np.array([matrix @ [*one.co, 1.0] for one in bpy.data.objects[name].data.vertices])[:, :3].astype(np.float32)
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in corners.astype(float).tolist()]
        lines += [f"f {a + base} {b + base} {c + base}" for a, b, c in thing.faces.tolist()]
        base += len(corners)
    file.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_commands_contacts_bit_for_bit(tmp_path, seed):
    rig, things = flailing(seed)
    result = result_of(rig, *things)
    tocsin.save_motion(result.who.motion, tmp_path / "take.poses")
    write_room(tmp_path / "room.obj", result.room)
    links = [
        {"name": one.name, "joint": one.name, "a": one.a.tolist(), "b": one.b.tolist(), "radius": one.radius} for one in result.who.avatar.links
    ]
    theirs, mine = command(tmp_path, "take.poses", links), ours(result)
    assert set(theirs) == set(mine) and len(mine) >= 8
    kinds = set()
    for key, contact in theirs.items():
        touch = mine[key]
        assert contact["toc"] == list(touch.toc)
        assert contact["triangle"] == touch.touched.triangle
        assert contact["point"] == touch.point.tolist()
        assert contact["normal"] == (None if touch.normal is None else touch.normal.tolist())
        kinds.add(touch.kind)
    assert {"touch", "overlap"} <= kinds


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_blenders_own_exporters_say_the_same(tmp_path, seed):
    """Sampling, matrices and units: of a .bvh and an .obj that Blender wrote, with six decimals."""
    rig, things = flailing(seed)
    rig.animation_data_clear()  # a .bvh knows no armature, only bones; its own motion goes into the first bone
    rig.location = (0, 0, 0)
    numbers = random.Random(seed)
    for bone in rig.pose.bones:
        for frame in range(1, FRAMES + 1, 4):
            bone.rotation_euler = [numbers.uniform(-1.2, 1.2) for _ in range(3)]
            bone.keyframe_insert("rotation_euler", frame=frame)
    result = result_of(rig, *things)
    select(rig)
    bpy.ops.export_anim.bvh(filepath=str(tmp_path / "take.bvh"), frame_start=1, frame_end=FRAMES, rotate_mode="NATIVE")
    bpy.context.scene.frame_set(1)
    select(*things)
    bpy.ops.wm.obj_export(
        filepath=str(tmp_path / "room.obj"), export_selected_objects=True, export_materials=False, forward_axis="Y", up_axis="Z"
    )
    ends = {"upper": "lower", "lower": "hand", "hand": "hand_end"}
    links = [{"name": own, "joint": own, "b": {"joint": end}, "radius": 0.06} for own, end in ends.items()]
    theirs, mine = command(tmp_path, "take.bvh", links, "--motion-unit", "m"), ours(result)
    assert set(theirs) == set(mine) and len(mine) >= 8
    for key, contact in theirs.items():
        assert contact["toc"] == pytest.approx(list(mine[key].toc), abs=2e-4)
        assert contact["point"] == pytest.approx(mine[key].point.tolist(), abs=1e-4)


def test_the_second_implementation_confirms(tmp_path):
    rig, things = flailing(4)
    result = result_of(rig, *things)
    room = tocsin.Environment(
        {name: (result.room.corners_at(i, 0, 0.0), result.room.things[i].faces) for i, name in enumerate(result.room.names)}
    )
    again = tocsin.check(result.who.motion, room, avatar=result.who.avatar, in_between="translate_rotate")
    assert len(again.contacts) == len(result.touches) > 0
    assert again.verify().confirmed
