"""What a bone may touch: meshes that stand, move, deform, are instanced; and each other. In closed form, as in test_times."""

import math

import bpy
import pytest
from build import NEAR, armature, check, cube, found, key, linear, mesh, only, post, sheet, swing, swing_touches
from mathutils import Matrix


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


def test_an_instancer_that_is_not_shown():
    """It stands in the arm's way, but is only there to place others."""
    rig, wall, box = armature(), sheet("Places"), cube("Box", half=0.01)
    swing(rig)
    box.parent = wall
    wall.instance_type, wall.show_instancer_for_viewport = "VERTS", False
    settings = check(rig, wall)
    assert not settings.contacts and settings.summary.endswith("4 meshes")
    wall.show_instancer_for_viewport = True
    only(check(rig, wall), "arm", "Places", swing_touches())


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


def test_moving_meshes_meet_others_too():
    rig, box, ball = post(), cube("Box"), cube("Other", at=(2.3, 5, 0.7))
    key(box, "location", {1: (2, -5, 0.5), 2: (2, 5, 0.5)})
    only(check(rig, box, ball), "Box", "Other", 1.9)
    assert len(check(rig, box, ball, objects=False).contacts) == 0


def test_names_that_fall_together():
    """A pattern for one never drops the other."""
    bones = (("a:b", None, (0, 0, 0), (1, 0, 0)), ("a_b", None, (0, 0, 0), (1, 0, 0)))
    rig, one, other = armature(bones=bones), sheet("W:1"), sheet("W_1")
    for bone, _, _, _ in bones:
        swing(rig, bone)
    every = {(bone, wall) for bone in ("a:b", "a_b") for wall in ("W:1", "W_1")}
    left = [("a_b:W_1", ("a_b", "W_1")), ("a_b@2:W_1", ("a:b", "W_1")), ("a_b:W_1@2", ("a_b", "W:1"))]
    for pattern, pair in left:
        settings = check(rig, one, other, ignore=pattern)
        assert {row[:2] for row in found(settings)} == every - {pair}
        assert sorted(note.name for note in settings.notes) == [
            "patterns know 'W:1' as 'W_1@2': 'W_1' is another one",
            "patterns know 'a:b' as 'a_b@2': 'a_b' is another one",
        ]
    assert {row[:2] for row in found(check(rig, one, other, ignore=""))} == every


def test_two_meshes_that_move_tell_once():
    rig, box, ball = post(), cube("Box"), cube("Other")
    key(box, "location", {1: (2, -5, 0.5), 2: (2, 5, 0.5)})
    key(ball, "location", {1: (2.3, 5, 0.7), 2: (2.3, -5, 0.7)})
    settings = check(rig, box, ball)
    assert len(settings.contacts) == 1 and settings.contacts[0].frame == pytest.approx(1.45, abs=NEAR)
    assert len(check(box, ball).contacts) == 1  # no armature is needed


def test_inside_of_a_closed_mesh():
    rig, hall = post(), cube("Hall", half=5)
    key(rig, "location", {1: (0, 0, 0), 2: (0.1, 0, 0)})
    only(check(rig, hall), "post", "Hall", 1.0, kind="inside")
    assert len(check(rig, hall, surfaces="Ha*").contacts) == 0


MIRRORS = [(-1, 1, 1), (-1, -1, 1), (-1, -1, -1), (1, 1, 1)]


def a_little(rig):
    key(rig, "location", {1: (0, 0, 0), 2: (0.1, 0, 0)})
    return rig


@pytest.mark.parametrize("scale", MIRRORS)
@pytest.mark.parametrize("way", ["stands", "moves", "deforms", "is placed"])
def test_inside_of_a_mirrored_mesh(way, scale):
    """A mirror turns faces inside out, and yet what is closed is solid."""
    rig = a_little(post())
    collection = bpy.data.collections.new("Set")
    hall = cube("Hall", half=5, collection=collection if way == "is placed" else None)
    if way == "is placed":
        hall = bpy.data.objects.new("Place", None)
        hall.instance_type, hall.instance_collection = "COLLECTION", collection
        bpy.context.scene.collection.objects.link(hall)
    hall.scale = scale
    if way == "moves":
        key(hall, "location", {1: (0, 0, 0), 2: (0, 0.3, 0)})
    if way == "deforms":
        key(hall, "scale", {1: scale, 2: [1.1 * one for one in scale]})
    only(check(rig, hall), "post", "Place/Hall" if way == "is placed" else "Hall", 1.0, kind="inside")


@pytest.mark.parametrize("scale", MIRRORS)
def test_a_mirrored_room_stays_hollow(scale):
    rig, room = a_little(post()), cube("Room", half=5)
    room.data.flip_normals()
    room.scale = scale
    assert found(check(rig, room)) == []


def test_a_mesh_that_is_flat_is_not_mirrored():
    rig, wall = armature(), cube("Wall", half=1)
    swing(rig)
    key(wall, "scale", {1: (1, 0, 1), 2: (1, 0, 1.5)})
    wall.location = (1.5, 0, 0)
    only(check(rig, wall), "arm", "Wall", swing_touches())


def carried(rig, bone, name, half, at=(0, 0, 0)):
    out = cube(name, half)
    out.parent, out.parent_type, out.parent_bone = rig, "BONE", bone
    bpy.context.view_layer.update()
    out.matrix_world = Matrix.Translation(at)
    return out


@pytest.mark.parametrize("scale", [(1, 1, 1), (-1, 1, 1)])
def test_inside_of_a_carried_mesh(scale):
    """What stands, moves or deforms."""
    rig = a_little(post())
    box = carried(rig, "post", "Box", 1)
    box.scale = scale
    small = cube("Small", 0.1, at=(0.5, 0, 0))
    contact = only(check(rig, box, small), "Box", "Small", 1.0, kind="inside")
    assert contact.steps == 1 and contact.until == 2.0 and max(abs(x) for x in contact.point) < 0.7
    assert not check(rig, box, small, ignore="Box:Sm*").contacts
    settings = check(rig, box, small, ignore="", surfaces="Bo*")
    assert not settings.contacts and not settings.notes
    key(small, "location", {1: (0.5, 0, 0), 2: (0.4, 0, 0)})
    only(check(rig, box, small, surfaces=""), "Box", "Small", 1.0, kind="inside")
    key(small, "scale", {1: (1, 1, 1), 2: (1, 1, 2)})
    only(check(rig, box, small), "Box", "Small", 1.0, kind="inside")
    small.animation_data_clear()
    small.location, small.scale = (3, 0, 0), (1, 1, 1)
    assert not check(rig, box, small).contacts


def test_a_part_inside_of_a_carried_mesh():
    """Only one of two parts is inside; a hollow has nothing inside."""
    rig = a_little(post())
    box = carried(rig, "post", "Box", 1)
    two = cube("Two", 0.1, at=(5.5, 0, 0))
    array = two.modifiers.new("Array", "ARRAY")
    array.use_relative_offset, array.use_constant_offset, array.count = False, True, 2
    array.constant_offset_displace = (-5, 0, 0)
    only(check(rig, box, two), "Box", "Two", 1.0, kind="inside")
    box.data.flip_normals()
    assert not check(rig, box, two).contacts


def test_what_enters_a_carried_mesh_touches_it_first(scene):
    scene.frame_end = 4
    rig = post()
    box, small = carried(rig, "post", "Box", 1), cube("Small", 0.1)
    key(rig, "location", {1: (0, 0, 0), 2: (0.0, 0, 0)})
    key(small, "location", {1: (3.1, 0, 0), 2: (1.1, 0, 0), 3: (0.5, 0, 0), 4: (0.5, 0, 0.1)})
    settings = check(rig, box, small, objects=False)
    assert [one[:3] for one in found(settings)] == [("Box", "Small", "touch")] or settings.contacts[0].kind == "undecided"
    assert settings.contacts[0].until == 4.0


@pytest.mark.parametrize("itself", [True, False])
def test_carried_inside_of_carried_and_bones_inside(itself):
    bones = (("a", None, (0, 0, 0), (0, 0, 0.1)), ("c", None, (5, 0, 0), (5, 0, 0.1)), ("d", None, (0.5, 0, 0), (0.5, 0, 0.1)))
    rig = a_little(armature(bones=bones, radius=0.01))
    big, small = carried(rig, "a", "Big", 1), carried(rig, "c", "Small", 0.1, at=(0.3, 0.3, 0.3))
    settings = check(rig, big, small, itself=itself)
    expected = {("Big", "Small", "inside", 1.0), ("Big", "d", "inside", 1.0)} if itself else set()
    assert set(found(settings)) == expected
    if itself:  # either way round, as for other links
        assert not check(rig, big, small, ignore="Small:Big; Big:d").contacts


def test_a_collection_as_the_room():
    rig, wall = armature(), sheet()
    swing(rig)
    collection = bpy.data.collections.new("Walls")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(wall)
    only(check(rig, room="COLLECTION", collection=collection), "arm", "Sheet", swing_touches())
