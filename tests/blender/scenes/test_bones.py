"""Which bones there are, how thick, and what moves them. In closed form, as in test_times."""

import math

import bpy
import mathutils
import pytest
from build import armature, check, cube, key, linear, mesh, only, post, select, sheet, swing, swing_touches
from tocsin_blender import operators


def test_radii():
    rig, wall = armature(radius=0.07), sheet()
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.07))
    only(check(rig, wall, radius_from="FIXED", radius=0.2), "arm", "Sheet", swing_touches(0.2))
    only(check(rig, wall, radius_from="LENGTH"), "arm", "Sheet", swing_touches(0.12))  # 0.18 of 1 m, at most 0.12 m


@pytest.mark.parametrize("head, tail", [(0.15, 0.02), (0.02, 0.15)])
def test_the_larger_envelope_radius_counts(head, tail):
    rig, wall = armature(), sheet()
    rig.data.bones["arm"].head_radius, rig.data.bones["arm"].tail_radius = head, tail
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.15))


def test_constraints_and_drivers_count():
    rig, box = post(), cube(at=(0, 0, 0.5))
    guide = bpy.data.objects.new("Guide", None)
    bpy.context.scene.collection.objects.link(guide)
    key(guide, "location", {1: (4, 0, 0), 2: (0.2, 0, 0)})
    follow = rig.pose.bones["post"].constraints.new("COPY_LOCATION")
    follow.target = guide
    only(check(rig, box), "post", "Cube", 1 + 3.4 / 3.8)
    follow.mute = True
    driver = rig.driver_add("location", 0).driver
    driver.expression = "4 - 3.8 * (frame - 1)"
    bpy.context.view_layer.update()
    only(check(rig, box), "post", "Cube", 1 + 3.4 / 3.8)


def test_what_a_bone_carries_is_checked_with_it():
    rig, wall = armature(), sheet(near=1.55, far=3.0)
    stick = cube("Stick")  # from x = 1 to 2 of the arm's own, 0.1 to both sides
    stick.scale = (1, 0.2, 0.2)
    stick.parent, stick.parent_type, stick.parent_bone = rig, "BONE", "arm"
    bpy.context.view_layer.update()
    stick.matrix_world = mathutils.Matrix.Translation((1.5, 0, 0)) @ mathutils.Matrix.Diagonal((1, 0.2, 0.2, 1))
    swing(rig)
    # The sheet's edge is 1.55 * sin(angle) from the arm's axis, and 0.1 of that is the stick.
    frame = 1 + (40 - math.degrees(math.asin(0.1 / 1.55))) / 80
    only(check(rig, wall, stick), "Stick", "Sheet", frame)


def test_bones_against_bones():
    bones = (("left", None, (-2, 0, 0), (-1, 0, 0)), ("right", None, (1, 0, 0), (2, 0, 0)))
    rig = armature(bones=bones)
    pose = rig.pose.bones["left"]
    for frame, y in {1: 0.0, 2: 3.0}.items():  # along itself
        pose.location = (0, y, 0)
        pose.keyframe_insert("location", frame=frame)
    linear(rig)
    only(check(rig, itself=True), "left", "right", 1 + 1.8 / 3)
    assert len(check(rig, itself=True, ignore="left:right").contacts) == 0


def test_a_bendy_bone_that_is_straight():
    rig, wall = armature(), sheet()
    rig.data.bones["arm"].bbone_segments = 5
    swing(rig)
    settings = check(rig, wall)
    only(settings, "arm", "Sheet", swing_touches())
    assert settings.summary == "1 contact in 1 step of 1 bone and 1 mesh"
    assert "tocsin" in rig.pose.bones["arm"]
    only(check(rig, wall, radius_from="LENGTH"), "arm", "Sheet", swing_touches(0.12))  # of the whole bone's length
    settings = check(rig, wall, ignore="arm:Sheet")
    assert not settings.contacts and not settings.notes


def test_a_bendy_bone_that_bends():
    """A ceiling comes down on an arch. Its highest segment's end, as Blender has it, plus the radius is what it meets."""
    rig = armature(bones=(("arch", None, (0, 0, 0), (1, 0, 0)),))
    bone = rig.data.bones["arch"]
    bone.bbone_segments = 6
    rig.pose.bones["arch"].bbone_curveinz = rig.pose.bones["arch"].bbone_curveoutz = 0.4
    plane = mesh("Ceiling", [(-3, -3, 3), (3, -3, 3), (3, 3, 3), (-3, 3, 3)], [(0, 1, 2, 3)])
    key(plane, "location", {1: (0, 0, 0), 2: (0, 0, -3)})
    bpy.context.scene.frame_set(1)
    pose = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["arch"]
    top = max((pose.matrix @ pose.bbone_segment_matrix(i).translation).z for i in range(7))
    assert top > 0.2
    only(check(rig, plane), "arch", "Ceiling", 1 + (3 - top - 0.1) / 3)


def test_a_segment_is_as_long_as_it_ever_gets():
    rig, wall = armature(), sheet(near=9, far=10)
    rig.data.bones["arm"].bbone_segments = 4
    pose = rig.pose.bones["arm"]
    for frame, curve in {1: 0.5, 2: 0.0}.items():
        pose.bbone_curveinz = pose.bbone_curveoutz = curve
        pose.keyframe_insert("bbone_curveinz", frame=frame)
        pose.keyframe_insert("bbone_curveoutz", frame=frame)
    bpy.context.scene.frame_set(1)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["arm"]
    ends = [shown.bbone_segment_matrix(i).translation for i in range(5)]
    bent = [(b - a).length for a, b in zip(ends, ends[1:])]
    select(rig, wall)
    one = operators.Check(bpy.context)
    assert one.read(float("inf"))
    one.job.join()
    lengths = [link.b[1] for link in one.job.result.who.avatar.links]
    assert sum(bent) > 1.1 and lengths == pytest.approx([max(0.25, one) for one in bent], rel=1e-5)


def test_a_bendy_bone_does_not_touch_itself_or_its_neighbours():
    bones = (("one", None, (0, 0, 0), (1, 0, 0)), ("two", "one", (1, 0, 0), (2, 0, 0)), ("far", None, (0, 3, 0), (0.7, 3, 0)))
    rig = armature(bones=bones)
    rig.data.bones["one"].bbone_segments = 8
    for frame, y in {1: 0.0, 2: 3.0}.items():  # across: the own x of a bone along +x is -y
        rig.pose.bones["far"].location = (y, 0, 0)
        rig.pose.bones["far"].keyframe_insert("location", frame=frame)
    linear(rig)
    only(check(rig, itself=True), "one", "far", 1 + 2.8 / 3)


def test_bones_that_nothing_hangs_on_are_not_read():
    row = [("a", None), ("b", "a"), ("c", "b"), ("side", "b"), ("other", None), ("hook", "other"), ("tip", "hook")]
    bones = [(name, parent, (i, 0, 0), (i + 1, 0, 0)) for i, (name, parent) in enumerate(row)]
    rig, wall, stick = armature(bones=bones), sheet(near=50, far=51), cube("Stick", half=0.1)
    stick.parent, stick.parent_type, stick.parent_bone = rig, "BONE", "hook"
    for bone in rig.data.bones:
        bone.select = bone.name == "c"
    bpy.context.scene.tocsin.bones = "SELECTED"
    select(rig, wall, stick)
    one = operators.Check(bpy.context)
    one.read(float("inf"))
    one.job.join()
    skeleton = one.job.result.who.motion.skeleton
    assert skeleton.names == ["Rig", "a", "b", "c", "other", "hook", "Stick"]
    assert list(skeleton.parents) == [-1, 0, 1, 2, 0, 4, 5]


def test_selected_bones_alone():
    bones = (("arm", None, (0, 0, 0), (1, 0, 0)), ("other", None, (0, 0, 3), (1, 0, 3)))
    rig, wall = armature(bones=bones), sheet(height=9)
    swing(rig)
    swing(rig, "other")
    assert len(check(rig, wall).contacts) == 2
    for bone in rig.data.bones:
        bone.select = bone.name == "other"
    only(check(rig, wall, bones="SELECTED"), "other", "Sheet", swing_touches())
    rig.data.bones["other"].use_deform = False
    only(check(rig, wall, bones="DEFORM"), "arm", "Sheet", swing_touches())
