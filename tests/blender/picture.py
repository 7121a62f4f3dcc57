"""The picture of docs/blender.md: a person of bones that reaches through a shelf. Inside of Blender with a window.

    TOCSIN_PICTURE=docs/img/blender.png /usr/bin/python3 -B tests/blender/run.py window build
"""

import math
import struct
import zlib

import bpy
import build
import numpy as np

HIP = 0.95
BONES = (
    ("pelvis", None, (0, 0, HIP), (0, 0, 1.12)),
    ("torso", "pelvis", (0, 0, 1.12), (0, 0, 1.48)),
    ("neck", "torso", (0, 0, 1.48), (0, 0, 1.58)),
    ("head", "neck", (0, 0, 1.58), (0, 0, 1.76)),
    ("upper_arm.R", "torso", (-0.2, 0, 1.44), (-0.22, 0.02, 1.14)),
    ("forearm.R", "upper_arm.R", (-0.22, 0.02, 1.14), (-0.22, -0.04, 0.88)),
    ("hand.R", "forearm.R", (-0.22, -0.04, 0.88), (-0.22, -0.06, 0.74)),
    ("upper_arm.L", "torso", (0.2, 0, 1.44), (0.22, 0.02, 1.14)),
    ("forearm.L", "upper_arm.L", (0.22, 0.02, 1.14), (0.22, -0.04, 0.88)),
    ("hand.L", "forearm.L", (0.22, -0.04, 0.88), (0.22, -0.06, 0.74)),
    ("thigh.R", "pelvis", (-0.1, 0, HIP), (-0.1, -0.02, 0.5)),
    ("shin.R", "thigh.R", (-0.1, -0.02, 0.5), (-0.1, 0.02, 0.1)),
    ("foot.R", "shin.R", (-0.1, 0.02, 0.1), (-0.1, -0.14, 0.05)),
    ("thigh.L", "pelvis", (0.1, 0, HIP), (0.1, -0.02, 0.5)),
    ("shin.L", "thigh.L", (0.1, -0.02, 0.5), (0.1, 0.02, 0.1)),
    ("foot.L", "shin.L", (0.1, 0.02, 0.1), (0.1, -0.14, 0.05)),
)
RADII = {"torso": 0.12, "pelvis": 0.11, "head": 0.09, "neck": 0.06, "thigh": 0.08, "shin": 0.055, "upper_arm": 0.055}


#: Where the tab Tocsin is in a window of 1280 x 800, from the lower left.
TAB = (1267, 478)


def person():
    rig = build.armature("Ada", BONES, 0.04)
    rig.data.display_type = "ENVELOPE"
    for bone in rig.data.bones:
        bone.head_radius = bone.tail_radius = RADII.get(bone.name.split(".")[0], 0.04)
        bone.envelope_distance = 0.0
    keys = {
        "upper_arm.R": {1: (0, 0), 9: (-70, 0), 12: (-80, 25), 20: (-20, 0)},
        "upper_arm.L": {1: (0, 0), 8: (-30, 0), 20: (0, 0)},
        "thigh.R": {1: (-20, 0), 10: (22, 0), 20: (-20, 0)},
        "thigh.L": {1: (20, 0), 10: (-22, 0), 20: (20, 0)},
        "forearm.R": {1: (-15, 0), 9: (-25, 0), 12: (-5, 0), 20: (-20, 0)},
    }
    for name, poses in keys.items():
        for frame, (x, z) in poses.items():
            bone = rig.pose.bones[name]
            bone.rotation_euler = (math.radians(x), 0, math.radians(z))
            bone.keyframe_insert("rotation_euler", frame=frame)
    return rig


def board(name, at, size):
    out = build.cube(name, 0.5, at)
    out.scale = size
    return out


def draw(file):
    """Checks, goes to a contact, and saves a screenshot."""
    scene = build.fresh(1, 20)
    rig = person()
    room = [
        board("Floor", (0, 0, -0.13), (5, 5, 0.1)),
        board("Shelf", (-0.35, -0.62, 1.25), (0.9, 0.3, 0.03)),
        board("Upright", (-0.82, -0.62, 0.9), (0.03, 0.3, 1.9)),
        board("Lower shelf", (-0.35, -0.62, 0.75), (0.9, 0.3, 0.03)),
    ]
    build.select(rig, *room)
    scene.tocsin.margin = 0.005
    bpy.ops.object.mode_set(mode="POSE")
    yield from widened()
    with bpy.context.temp_override(**window_view()):
        bpy.ops.tocsin.check("EXEC_DEFAULT", True)
        bpy.ops.tocsin.next("EXEC_DEFAULT", True)
    area = window_view()["area"]
    space = area.spaces.active
    space.show_region_ui = True
    space.shading.type, space.shading.color_type = "SOLID", "OBJECT"
    space.overlay.show_relationship_lines = False
    space.region_3d.view_perspective = "PERSP"
    eye = build.vector((-2.2, -2.6, 2.0))
    aim = build.vector((0.1, -0.3, 1.0))
    space.region_3d.view_rotation = (aim - eye).to_track_quat("-Z", "Y")
    space.region_3d.view_location = aim
    space.region_3d.view_distance = 3.3
    for one in room:
        one.color = (0.55, 0.6, 0.7, 1.0)
        one.select_set(False)
    yield from drawn(area)
    yield from clicked(*TAB)
    yield from drawn(area)
    with bpy.context.temp_override(**window_view()):
        bpy.ops.screen.screenshot(filepath=file)
    make_smaller(file)
    print(*((one.frame, one.name, one.kind) for one in scene.tocsin.contacts), sep="\n")


def widened():
    """Closes what the picture is not about, and shows the whole range in the timeline."""
    window = bpy.context.window_manager.windows[0]
    for kind in ("OUTLINER", "PROPERTIES", "DOPESHEET_EDITOR"):
        area = next(one for one in window.screen.areas if one.type == kind)
        with bpy.context.temp_override(window=window, screen=window.screen, area=area):
            bpy.ops.screen.area_close()
        yield
    # A timeline in which names of markers have room.
    with bpy.context.temp_override(**window_view()):
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.2)
    area = min((one for one in window.screen.areas if one.type == "VIEW_3D"), key=lambda one: one.height)
    area.ui_type = "TIMELINE"
    yield
    region = next(one for one in area.regions if one.type == "WINDOW")
    with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
        bpy.ops.action.view_all()
    yield


def clicked(x, y):
    """Blender 3.4 has no call that opens a tab."""
    window = bpy.context.window_manager.windows[0]
    for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("LEFTMOUSE", "RELEASE")):
        window.event_simulate(type=kind, value=value, x=x, y=y)
        yield


def drawn(area):
    for _ in range(10):
        area.tag_redraw()
        yield


def make_smaller(file):
    """Blender's shading has noise in its last bits, which costs a picture half of its bytes."""
    image = bpy.data.images.load(file)
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    eight = np.rint(pixels.reshape(height, width, 4)[::-1, :, :3] * 255).astype(np.uint8)
    eight = np.minimum((eight.astype(int) + 2) // 4 * 4, 255).astype(np.uint8)
    rows = eight.reshape(height, -1)
    up = np.diff(rows, axis=0, prepend=np.zeros((1, rows.shape[1]), np.uint8))  # PNG's filter 2
    packed = zlib.compress(np.insert(up, 0, 2, axis=1).astype(np.uint8).tobytes(), 9)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", packed), (b"IEND", b"")]
    with open(file, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        for name, data in parts:
            out.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))


def window_view():
    import window

    return window.view()
