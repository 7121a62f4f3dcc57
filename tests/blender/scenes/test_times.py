"""Contacts whose time is known in closed form. Blender keeps 32 bits, so frames are compared to 1e-5."""

import math
import re

import bpy
import mathutils
import pytest
from build import armature, check, cube, found, key, linear, mesh, post, sheet, swing, swing_touches

NEAR = 1e-5


def only(settings, who, touched, frame, kind="touch"):
    assert [one[:3] for one in found(settings)] == [(who, touched, kind)]
    assert settings.contacts[0].frame == pytest.approx(frame, abs=NEAR)
    return settings.contacts[0]


def test_an_arm_that_swings_through_a_sheet_between_two_frames():
    rig, wall = armature(), sheet()
    swing(rig)
    contact = only(check(rig, wall), "arm", "Sheet", swing_touches())
    assert contact.seconds == pytest.approx((swing_touches() - 1) / 10, abs=1e-6)
    assert contact.until == 2 and contact.steps == 1 and contact.face == 0
    assert contact.point[:2] == pytest.approx((0.5, 0.0), abs=1e-5)
    # The normal leads from the sheet's edge to the bone, square to it.
    angle = math.asin(0.2)
    assert contact.normal[:2] == pytest.approx((-math.sin(angle), -math.cos(angle)), abs=1e-4)


def test_no_contact_is_said_only_where_there_is_none():
    rig, wall = armature(), sheet(near=1.2)
    swing(rig)
    settings = check(rig, wall)
    assert len(settings.contacts) == 0 and settings.summary == "No contact in 1 step of 1 bone and 1 mesh"


def test_a_margin_makes_it_earlier():
    rig, wall = armature(), sheet()
    swing(rig)
    only(check(rig, wall, margin=0.05), "arm", "Sheet", swing_touches(0.15))


def test_radii():
    rig, wall = armature(radius=0.07), sheet()
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.07))
    only(check(rig, wall, radius_from="FIXED", radius=0.2), "arm", "Sheet", swing_touches(0.2))
    only(check(rig, wall, radius_from="LENGTH"), "arm", "Sheet", swing_touches(0.12))  # 0.18 of 1 m, at most 0.12 m


def test_the_larger_envelope_radius_counts():
    rig, wall = armature(), sheet()
    rig.data.bones["arm"].tail_radius = 0.02
    rig.data.bones["arm"].head_radius = 0.15
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.15))


def test_a_uniform_scale_of_the_armature():
    rig, wall = armature(), sheet(near=1.0, far=3.0)
    rig.scale = (2, 2, 2)
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.2, 1.0))


def test_a_unit_of_the_scene_changes_no_place_and_no_time():
    rig, wall = armature(), sheet()
    swing(rig)
    bpy.context.scene.unit_settings.scale_length = 0.01
    contact = only(check(rig, wall, margin=0.05), "arm", "Sheet", swing_touches(0.15))
    assert contact.point[:2] == pytest.approx((0.5, 0.0), abs=1e-5)
    # Lengths in metres count where they are asked for: the bone is 1 cm long, so the least radius, 1 cm, is 1 unit.
    assert found(check(rig, wall, margin=0.0, radius_from="LENGTH"))[0][2] == "overlap"


def test_the_armature_itself_moves():
    rig, wall = post(), cube(at=(0, 0, 0))
    key(rig, "location", {1: (4, 0, 0), 2: (0.2, 0, 0)})
    only(check(rig, wall), "post", "Cube", 1 + (4 - 0.6) / 3.8)


def test_a_screw_or_a_straight_way():
    """A quarter turn about the world's z: as a screw on a circle, else on its chord. On the circle it comes to y = 0.65, 0.1 from the cube's face."""
    rig, box = post(), cube(half=0.1, at=(0.85, 0.85, 0.5))
    key(rig, "location", {1: (1, 0, 0), 2: (0, 1, 0)})
    key(rig, "rotation_euler", {1: (0, 0, 0), 2: (0, 0, math.pi / 2)})
    assert not check(rig, box).contacts
    only(check(rig, box, in_between="screw"), "post", "Cube", 1 + math.degrees(math.asin(0.65)) / 90)


def test_a_cube_that_moves_through():
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.5), 2: (-3, 0, 0.5)})
    contact = only(check(rig, box), "post", "Cube", 1.4)
    assert contact.point[0] == pytest.approx(0.1, abs=1e-5)


def test_a_cube_with_unequal_scales_that_moves():
    rig, box = post(), cube()
    box.scale = (2, 1, 3)
    key(box, "location", {1: (3, 0, 0.5), 2: (-3, 0, 0.5)})
    only(check(rig, box), "post", "Cube", 1 + (3 - 1.1) / 6)


def test_a_mirrored_cube_that_moves_and_turns():
    rig, box = post(), cube()
    box.scale = (-1, 1, 1)
    key(box, "location", {1: (3, 0, 0.5), 2: (-3, 0, 0.5)})
    key(box, "rotation_euler", {1: (0, 0, 0), 2: (0, 0, 2.5)})
    # Its edge leads. It turns at constant speed, so the angle when it is 0.1 + its reach away is found by bisection.
    def gap(t):
        x, turn = 3 - 6 * t, 2.5 * t
        c, s = math.cos(turn), math.sin(turn)
        ox, oy = -x * c, x * s  # the post in the cube's frame
        return math.hypot(max(abs(ox) - 0.5, 0), max(abs(oy) - 0.5, 0)) - 0.1
    lo, hi = 0.0, 0.4
    for _ in range(60):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if gap(mid) > 0 else (lo, mid)
    only(check(rig, box), "post", "Cube", 1 + hi)


def test_a_mesh_that_grows():
    rig, box = post(), cube(at=(3, 0, 0.5))
    key(box, "scale", {1: (1, 1, 1), 2: (7, 7, 7)})
    only(check(rig, box), "post", "Cube", 1 + (5.8 - 1) / 6)


def test_shape_keys():
    rig = post()
    plane = mesh("Ceiling", [(-1, -1, 3), (1, -1, 3), (1, 1, 3), (-1, 1, 3)], [(0, 1, 2, 3)])
    plane.shape_key_add(name="Basis")
    low = plane.shape_key_add(name="Low")
    for point in low.data:
        point.co.z = 0.0
    key(low, "value", {1: 0.0, 2: 1.0})
    linear(plane.data.shape_keys)
    only(check(rig, plane), "post", "Ceiling", 1 + 1.9 / 3)


def test_a_mesh_that_another_armature_deforms():
    rig, other = post(), armature("Other", (("lift", None, (0, 0, 0), (0, 0, 1)),))
    plane = mesh("Ceiling", [(-1, -1, 3), (1, -1, 3), (1, 1, 3), (-1, 1, 3)], [(0, 1, 2, 3)])
    plane.vertex_groups.new(name="lift").add([0, 1, 2, 3], 1.0, "REPLACE")
    plane.modifiers.new("Armature", "ARMATURE").object = other
    bone = other.pose.bones["lift"]
    for frame, y in {1: 0.0, 2: -3.0}.items():  # its own y is up
        bone.location = (0, y, 0)
        bone.keyframe_insert("location", frame=frame)
    linear(other)
    only(check(rig, plane, armature=rig), "post", "Ceiling", 1 + 1.9 / 3)


def test_modifiers_are_applied():
    rig, wall = armature(), sheet(near=5.5, far=6.5)
    swing(rig)
    array = wall.modifiers.new("Array", "ARRAY")
    array.use_relative_offset, array.use_constant_offset, array.count = False, True, 2
    array.constant_offset_displace = (-5, 0, 0)
    contact = only(check(rig, wall), "arm", "Sheet", swing_touches())
    assert contact.face == 1  # of the mesh with its modifiers


@pytest.mark.parametrize("linked", [False, True])
def test_an_instanced_collection(tmp_path, linked):
    rig = armature()
    swing(rig)
    collection = bpy.data.collections.new("Set")
    inner = sheet("Wall", collection=collection)
    inner.location = (-10, 0, 0)
    if linked:
        file = str(tmp_path / "set.blend")
        bpy.data.libraries.write(file, {collection})
        bpy.data.objects.remove(inner)
        bpy.data.collections.remove(collection)
        with bpy.data.libraries.load(file, link=True) as (_, wanted):
            wanted.collections = ["Set"]
        collection = wanted.collections[0]
        assert collection.library is not None
    empty = bpy.data.objects.new("Place", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(empty)
    empty.location = (10, 0, 0)
    only(check(rig, empty), "arm", "Place/Wall", swing_touches())
    # It is of the scene: what is visible has it, too.
    only(check(rig, room="VISIBLE"), "arm", "Place/Wall", swing_touches())


def test_an_instance_that_moves():
    rig = post()
    collection = bpy.data.collections.new("Set")
    cube("Box", collection=collection)
    empty = bpy.data.objects.new("Cart", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(empty)
    key(empty, "location", {1: (3, 0, 0.5), 2: (-3, 0, 0.5)})
    only(check(rig, empty), "post", "Cart/Box", 1.4)


def test_instances_of_geometry_nodes():
    rig = armature()
    swing(rig)
    wall = sheet("Wall")
    wall.hide_set(True)
    scatter = mesh("Scatter", [(0, 0, 0), (0, 50, 0)], [])
    nodes = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    nodes.inputs.new("NodeSocketGeometry", "Geometry")
    nodes.outputs.new("NodeSocketGeometry", "Geometry")
    begin, end = nodes.nodes.new("NodeGroupInput"), nodes.nodes.new("NodeGroupOutput")
    points, info = nodes.nodes.new("GeometryNodeInstanceOnPoints"), nodes.nodes.new("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value, info.inputs["As Instance"].default_value = wall, True
    nodes.links.new(begin.outputs[0], points.inputs["Points"])
    nodes.links.new(info.outputs["Geometry"], points.inputs["Instance"])
    nodes.links.new(points.outputs["Instances"], end.inputs[0])
    scatter.modifiers.new("Nodes", "NODES").node_group = nodes
    settings = check(rig, scatter)
    only(settings, "arm", "Scatter/Wall", swing_touches())
    assert settings.summary.endswith("1 bone and 2 meshes") and not settings.notes


def test_a_scene_that_is_linked_as_background(tmp_path, scene):
    """What a Background Set shows is visible, and so can be checked; also from another file."""
    other = bpy.data.scenes.new("Backdrop")
    wall = sheet("Wall")
    scene.collection.objects.unlink(wall)
    other.collection.objects.link(wall)
    file = str(tmp_path / "set.blend")
    bpy.data.libraries.write(file, {other})
    rig = armature()
    swing(rig)
    scene.background_set = other
    only(check(rig, room="VISIBLE"), "arm", "Wall", swing_touches())
    scene.background_set = None
    assert "No contact" in check(rig, cube(at=(9, 9, 9))).summary
    bpy.data.scenes.remove(other)
    bpy.data.objects.remove(wall)
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.scenes = ["Backdrop"]
    scene.background_set = wanted.scenes[0]
    only(check(rig, room="VISIBLE"), "arm", "Wall", swing_touches())


def test_curves_and_texts_have_surfaces():
    rig = post()
    data = bpy.data.curves.new("Tube", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution = "3D", 0.25, 0
    line = data.splines.new("POLY")
    line.points.add(1)
    line.points[0].co, line.points[1].co = (0, -2, 3, 1), (0, 2, 3, 1)
    tube = bpy.data.objects.new("Tube", data)
    bpy.context.scene.collection.objects.link(tube)
    key(tube, "location", {1: (0, 0, 0), 2: (0, 0, -3)})
    contact = check(rig, tube)
    assert [one[:3] for one in found(contact)] == [("post", "Tube", "touch")]
    # The tube's lowest point is 0.25 below its axis, or less by the flats of its section.
    assert 1 + 1.65 / 3 - NEAR <= contact.contacts[0].frame <= 1 + 1.9 / 3


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


def test_more_samples_see_what_happens_within_a_frame():
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.5), 1.5: (0, 0, 0.5), 2: (3, 0, 0.5)})
    assert len(check(rig, box).contacts) == 0
    settings = check(rig, box, samples=2)
    only(settings, "post", "Cube", 1.4)
    assert settings.contacts[0].steps == 2 and settings.contacts[0].until == 2


def difference(settings):
    (text,) = [note.name for note in settings.notes if note.name.startswith("half-way")]
    found = re.search(r"up to (\S+) units from the checked one \('(.*)' at frame (\S+)\)", text)
    return (float(found[1]), found[2], float(found[3])) if found else (0.0, "", 0.0)


def test_how_far_blenders_motion_is_from_the_checked_one(scene):
    """Of a parabola between whole frames: acceleration times the square of a frame, over 8."""
    scene.frame_end = 9
    rig, box = post(), cube(at=(9, 0, 0.5))
    driver = box.driver_add("location", 1).driver
    driver.expression = "0.16 * frame * frame"
    bpy.context.view_layer.update()
    off, name, _ = difference(check(rig, box, measure=True))
    assert (name, off) == ("Cube", pytest.approx(0.32 / 8, rel=0.02))
    off, name, frame = difference(check(rig, box, measure=True, samples=2))
    assert off == pytest.approx(0.32 / 32, rel=0.02) and frame % 0.5 == 0.25
    # Bones: the end of an arm that turns back in the midst of a frame.
    box.driver_remove("location", 1)
    box.location = (9, 0, 0.5)
    swung = armature("Swung")
    swing(swung, degrees=(0, 20, 0), frames=(1, 4.5, 8))
    off, name, frame = difference(check(swung, box, measure=True, samples=1))
    # At 4 and 5 it is at 20 * 6 / 7 degrees, at 4.5 at 20.
    assert (name, frame) == ("arm", 4.5) and off == pytest.approx(2 * math.sin(math.radians(20 / 7) / 2), rel=0.02)


def test_linear_keys_are_the_checked_motion(scene):
    scene.frame_end = 3
    rig, wall, box = armature(), sheet(), cube(at=(9, 9, 9))
    stick = cube("Stick", half=0.1, at=(0.1, 0.2, 0))
    stick.parent, stick.parent_type, stick.parent_bone = rig, "BONE", "arm"
    swing(rig, degrees=(-40, 40, 10), frames=(1, 2, 3))
    key(box, "location", {1: (9, 9, 9), 3: (20, 30, 9)})
    key(box, "scale", {1: (1, 1, 1), 3: (3, 1, 1)})
    settings = check(rig, wall, box, stick, measure=True)
    assert difference(settings)[0] < 1e-5 and found(settings)


def test_an_episode_is_one_contact(scene):
    scene.frame_end = 9
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.5), 4: (0, 0, 0.5), 6: (3, 0, 0.5), 9: (0, 0, 0.5)})
    settings = check(rig, box)
    assert [one[:3] for one in found(settings)] == [("post", "Cube", "touch")] * 2
    frames = [one.frame for one in settings.contacts]
    assert frames == pytest.approx([1 + 2.4, 6 + 2.4], abs=NEAR)
    assert [one.until for one in settings.contacts] == [5, 9]


def test_moving_meshes_meet_others_too():
    rig, box, ball = post(), cube("Box"), cube("Other", at=(2.3, 5, 0.7))
    key(box, "location", {1: (2, -5, 0.5), 2: (2, 5, 0.5)})
    only(check(rig, box, ball), "Box", "Other", 1.9)
    assert len(check(rig, box, ball, objects=False).contacts) == 0


def test_two_meshes_that_move_tell_once():
    rig, box, ball = post(), cube("Box"), cube("Other")
    key(box, "location", {1: (2, -5, 0.5), 2: (2, 5, 0.5)})
    key(ball, "location", {1: (2.3, 5, 0.7), 2: (2.3, -5, 0.7)})
    settings = check(rig, box, ball)
    assert len(settings.contacts) == 1 and settings.contacts[0].frame == pytest.approx(1.45, abs=NEAR)
    assert len(check(box, ball).contacts) == 1  # no armature is needed


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


def test_patterns():
    rig, wall = armature(), sheet()
    swing(rig)
    assert len(check(rig, wall, ignore="a*:Sheet").contacts) == 0
    settings = check(rig, wall, ignore="leg*:Sheet; arm:Door")
    only(settings, "arm", "Sheet", swing_touches())
    assert [note.name for note in settings.notes] == ["ignore 'leg*:Sheet' matches no pair", "ignore 'arm:Door' matches no pair"]


def test_inside_of_a_closed_mesh():
    rig, hall = post(), cube("Hall", half=5)
    key(rig, "location", {1: (0, 0, 0), 2: (0.1, 0, 0)})
    only(check(rig, hall), "post", "Hall", 1.0, kind="inside")
    assert len(check(rig, hall, surfaces="Ha*").contacts) == 0


def test_the_preview_range_counts(scene):
    scene.frame_end = 20
    rig, wall = armature(), sheet()
    swing(rig, frames=(11, 12))
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 5, 15
    settings = check(rig, wall)
    only(settings, "arm", "Sheet", swing_touches(frames=(11, 12)))
    assert settings.contacts[0].seconds == pytest.approx((swing_touches(frames=(11, 12)) - 5) / 10, abs=1e-6)
    assert "10 steps" in settings.summary


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


def test_a_bendy_bone_does_not_touch_itself_or_its_neighbours():
    bones = (("one", None, (0, 0, 0), (1, 0, 0)), ("two", "one", (1, 0, 0), (2, 0, 0)), ("far", None, (0, 3, 0), (0.7, 3, 0)))
    rig = armature(bones=bones)
    rig.data.bones["one"].bbone_segments = 8
    for frame, y in {1: 0.0, 2: 3.0}.items():  # across: the own x of a bone along +x is -y
        rig.pose.bones["far"].location = (y, 0, 0)
        rig.pose.bones["far"].keyframe_insert("location", frame=frame)
    linear(rig)
    only(check(rig, itself=True), "one", "far", 1 + 2.8 / 3)


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


def test_a_collection_as_the_room():
    rig, wall = armature(), sheet()
    swing(rig)
    collection = bpy.data.collections.new("Walls")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(wall)
    only(check(rig, room="COLLECTION", collection=collection), "arm", "Sheet", swing_touches())
