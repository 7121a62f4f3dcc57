"""Scenes that are built for tests, with closed-form contacts. Inside of Blender."""

import math

import bpy
import mathutils
import pytest


def fresh(first=1, last=2):
    """An empty scene; nothing else is in the file."""
    scene = bpy.data.scenes.new("Test")
    bpy.context.window.scene = scene
    for old in [one for one in bpy.data.scenes if one != scene]:
        bpy.data.scenes.remove(old)
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    for one in list(bpy.data.collections):
        bpy.data.collections.remove(one)
    bpy.data.orphans_purge(do_recursive=True)
    scene.name = "Test"
    scene.frame_start, scene.frame_end = first, last
    scene.frame_set(first)
    scene.render.fps, scene.render.fps_base = 10, 1.0
    return scene


def linear(animated):
    """All keys are joined by straight lines."""
    data = animated.animation_data
    for curve in data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def key(owner, path, values):
    """Linear keys of a property: {frame: value}."""
    name = path.split(".")[-1]
    for frame, value in values.items():
        setattr(owner, name, value)
        owner.keyframe_insert(path, frame=frame)
    linear(owner if isinstance(owner, bpy.types.ID) else owner.id_data)


def armature(name="Rig", bones=(("arm", None, (0, 0, 0), (1, 0, 0)),), radius=0.1):
    """An armature of bones (name, parent's name, head, tail), of one envelope radius. A bone along +x turns about +z by its own z."""
    data = bpy.data.armatures.new(name)
    rig = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for own, parent, head, tail in bones:
        bone = data.edit_bones.new(own)
        bone.head, bone.tail = head, tail
        bone.head_radius = bone.tail_radius = radius
        bone.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
    return rig


def swing(rig, bone="arm", degrees=(-40.0, 40.0), frames=(1, 2)):
    """The bone turns about its z at constant speed."""
    pose = rig.pose.bones[bone]
    for frame, angle in zip(frames, degrees):
        pose.rotation_euler = (0, 0, math.radians(angle))
        pose.keyframe_insert("rotation_euler", frame=frame)
    linear(rig)


def mesh(name, vertices, faces, collection=None):
    data = bpy.data.meshes.new(name)
    data.from_pydata(vertices, [], faces)
    data.update()
    out = bpy.data.objects.new(name, data)
    (collection or bpy.context.scene.collection).objects.link(out)
    return out


def sheet(name="Sheet", near=0.5, far=1.5, height=1.0, collection=None):
    """A thin wall in the plane y = 0, from x = near to far."""
    corners = [(near, 0, -height), (far, 0, -height), (far, 0, height), (near, 0, height)]
    return mesh(name, corners, [(0, 1, 2, 3)], collection)


def cube(name="Cube", half=0.5, at=(0, 0, 0), collection=None):
    c = [(x * half, y * half, z * half) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    out = mesh(name, c, sides, collection)
    out.location = at
    return out


def post(radius=0.1, name="Rig"):
    """An armature of one bone that stands at the origin, 1 high."""
    return armature(name, (("post", None, (0, 0, 0), (0, 0, 1)),), radius)


def swing_touches(radius=0.1, near=0.5, degrees=(-40.0, 40.0), frames=(1, 2)):
    """When swing() first touches sheet(): the line of the bone is near * sin(angle) from the sheet's edge."""
    angle = -math.degrees(math.asin(radius / near))
    return frames[0] + (frames[1] - frames[0]) * (angle - degrees[0]) / (degrees[1] - degrees[0])


def select(*objects):
    bpy.context.view_layer.update()
    for one in bpy.context.view_layer.objects:
        one.select_set(one in objects)
    bpy.context.view_layer.objects.active = objects[0] if objects else None


def check(*objects, **settings):
    """Selects, sets, checks; the scene's settings, which have the contacts."""
    scene = bpy.context.scene
    for name, value in settings.items():
        setattr(scene.tocsin, name, value)
    select(*objects)
    assert bpy.ops.tocsin.check() == {"FINISHED"}
    return scene.tocsin


def found(settings):
    """(who, touched, kind, frame) of each contact."""
    return [(one.who, one.touched, one.kind, one.frame) for one in settings.contacts]


#: Frames: what 32 bits of Blender's matrices leave.
NEAR = 1e-5


def only(settings, who, touched, frame, kind="touch"):
    """There is this one contact; it is returned."""
    assert [one[:3] for one in found(settings)] == [(who, touched, kind)]
    assert settings.contacts[0].frame == pytest.approx(frame, abs=NEAR)
    return settings.contacts[0]


def vector(values):
    return mathutils.Vector(values)
