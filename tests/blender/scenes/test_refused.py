"""What cannot be checked is refused by name, and what is left out is said."""

import bpy
import pytest
from build import armature, check, cube, found, key, linear, mesh, select, sheet, swing


def notes(settings):
    return [note.name for note in settings.notes]


def test_nothing_to_check(refused):
    rig = armature()
    assert "there is no mesh to check against: select the meshes" in refused(rig)
    assert "there is no mesh" in refused()
    assert "choose one" in refused(rig, room="COLLECTION")


def test_nothing_to_check_but_what_is_left_out(refused):
    rig, skin = armature(), cube("Skin")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    assert "select the meshes, and the armature ('Skin' is left out: armature 'Rig' deforms it)" in refused(rig, skin)


def test_two_armatures(refused):
    assert "several armatures are selected ('Rig', 'Other')" in refused(armature(), armature("Other"), sheet())


def test_an_armature_of_unequal_scale(refused):
    rig, wall = armature(), sheet()
    rig.scale = (1, 1, 2)
    said = refused(rig, wall)
    assert "armature 'Rig' is scaled by 1, 1, 2 at frame 1" in said and "Apply the scale" in said


def test_a_unit_is_no_scale(refused):
    rig, wall = armature(), sheet()
    rig.scale = (1, 1, 2)
    bpy.context.scene.unit_settings.scale_length = 0.01
    assert "scaled by 1, 1, 2" in refused(rig, wall)


def test_a_mirrored_armature(refused):
    rig, wall = armature(), sheet()
    rig.scale = (-1, -1, -1)
    assert "armature 'Rig' is mirrored at frame 1" in refused(rig, wall)


def test_an_armature_that_grows(refused):
    rig, wall = armature(), sheet()
    key(rig, "scale", {1: (1, 1, 1), 2: (1.5, 1.5, 1.5)})
    assert "armature 'Rig' changes its scale from 1 to 1.5 at frame 2" in refused(rig, wall)


def test_a_bone_of_unequal_scale(refused):
    rig, wall = armature(), sheet()
    rig.pose.bones["arm"].scale = (1, 3, 1)
    assert "bone 'arm' is scaled by 1, 3, 1 at frame 1" in refused(rig, wall)


def test_a_bone_that_stretches_on_the_way(refused):
    rig, wall = armature(), sheet()
    pose = rig.pose.bones["arm"]
    for frame, size in {1: 1.0, 2: 1.2}.items():
        pose.scale = (size, size, size)
        pose.keyframe_insert("scale", frame=frame)
    linear(rig)
    assert "bone 'arm' changes its scale from 1 to 1.2 at frame 2" in refused(rig, wall)


def test_a_child_that_a_turned_and_scaled_parent_shears(refused):
    bones = (("one", None, (0, 0, 0), (1, 0, 0)), ("two", "one", (1, 0, 0), (2, 0, 0)))
    rig, wall = armature(bones=bones), sheet(near=9, far=10)
    rig.pose.bones["one"].scale = (1, 2, 1)
    rig.pose.bones["two"].rotation_euler = (0, 0, 0.7)
    for bone in rig.data.bones:
        bone.select = bone.name == "two"
    assert "bone 'two' is scaled by" in refused(rig, wall, bones="SELECTED")
    # Alone, what is above it is no matter: it is a joint of nothing.
    rig.pose.bones["two"].bone.use_inherit_rotation = True
    rig.data.bones["two"].inherit_scale = "NONE"
    assert found(check(rig, wall, bones="SELECTED")) == []


def test_a_bendy_bone_of_unequal_scale(refused):
    rig, wall = armature(), sheet()
    rig.data.bones["arm"].bbone_segments = 4
    rig.pose.bones["arm"].scale = (2, 1, 1)
    assert "bone 'arm, segment 1' is scaled by 2, 1, 1 at frame 1" in refused(rig, wall)


def test_a_bone_without_a_radius(refused):
    rig, wall = armature(radius=0.0), sheet()
    assert "bone 'arm' has no radius" in refused(rig, wall)


def test_no_bone(refused):
    rig, wall = armature(), sheet()
    rig.data.bones["arm"].use_deform = False
    assert "armature 'Rig' has no deform bone to check" in refused(rig, wall)


def test_a_rest_position_and_a_hidden_armature(refused):
    rig, wall = armature(), sheet()
    rig.data.pose_position = "REST"
    assert "armature 'Rig' shows its rest position" in refused(rig, wall)
    rig.data.pose_position = "POSE"
    rig.hide_set(True)
    assert "armature 'Rig' is hidden" in refused(wall, armature=rig)


def test_a_range_without_motion(refused, scene):
    scene.frame_end = 1
    assert "the range of frames, 1 to 1, holds no motion" in refused(armature(), sheet())


def test_a_mesh_that_vanishes(refused):
    rig, wall = armature(), sheet()
    key(wall, "hide_viewport", {1: False, 2: True})
    assert "'Sheet' is not there at frame 2" in refused(rig, wall)


def test_an_armature_that_vanishes(refused):
    rig, wall = armature(), sheet()
    key(rig, "hide_viewport", {1: False, 2: True})
    bpy.context.scene.frame_set(1)
    assert "armature 'Rig' is hidden at frame 2" in refused(rig, wall)


def test_a_selected_mesh_that_is_never_seen():
    rig, wall, other = armature(), sheet(), cube("Ghost", at=(9, 9, 9))
    select(rig, wall, other)
    other.hide_viewport = True
    chosen = [rig, wall, other]
    with bpy.context.temp_override(selected_objects=chosen):
        assert bpy.ops.tocsin.check() == {"FINISHED"}
    assert notes(bpy.context.scene.tocsin) == ["'Ghost' is left out: it is not visible"]


def test_nothing_moves():
    assert notes(check(cube(), sheet())) == ["no armature is selected, and no mesh moves: there was nothing to find"]


def test_a_mesh_that_appears(refused):
    rig, wall = armature(), sheet()
    collection = bpy.data.collections.new("Set")
    bpy.context.scene.collection.children.link(collection)
    inner = cube("Late", at=(5, 5, 5), collection=collection)
    empty = bpy.data.objects.new("Place", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    key(inner, "hide_viewport", {1: True, 2: False})
    bpy.context.scene.frame_set(1)
    assert "Late' was not there, or had no faces, before frame 2" in refused(rig, wall, empty)


def test_a_mesh_whose_faces_change(refused):
    rig, box = armature(), cube(at=(5, 5, 5))
    array = box.modifiers.new("Array", "ARRAY")
    for frame, count in {1: 1, 2: 2}.items():
        array.count = count
        array.keyframe_insert("count", frame=frame)
    assert "'Cube' has other faces at frame 2 than at frame 1" in refused(rig, box)


def test_a_mesh_whose_corners_stay_and_whose_faces_change(refused):
    rig, box = armature(), cube(at=(5, 5, 5))
    cut = box.modifiers.new("Triangulate", "TRIANGULATE")
    for frame, shown in {1: False, 2: True}.items():
        cut.show_viewport = shown
        cut.keyframe_insert("show_viewport", frame=frame)
    bpy.context.scene.frame_set(1)
    assert "'Cube' has other faces at frame 2 than at frame 1" in refused(rig, box)


def test_what_a_bone_carries_and_bends(refused):
    rig, wall, stick = armature(), sheet(), cube("Stick", half=0.1)
    stick.parent, stick.parent_type, stick.parent_bone = rig, "BONE", "arm"
    key(stick, "scale", {1: (1, 1, 1), 2: (2, 1, 1)})
    assert "'Stick', which bone 'arm' carries, changes its shape or scale at frame 2" in refused(rig, wall, stick)


def test_a_mesh_that_turns_inside_out(refused):
    rig, box = armature(), cube("Box", at=(5, 5, 5))
    key(box, "scale", {1: (1, 1, 1), 2: (-1, 1, 1)})
    assert "'Box' is mirrored at one of frame 1 and frame 2 and not at the other" in refused(rig, box)


def test_a_hidden_part_of_a_collection(refused):
    rig = armature()
    collection = bpy.data.collections.new("Walls")
    bpy.context.scene.collection.children.link(collection)
    sheet(collection=collection).hide_set(True)
    assert "'Sheet' of collection 'Walls' is hidden" in refused(rig, room="COLLECTION", collection=collection)


def test_a_bad_pattern(refused):
    assert "pattern 'hand' has no ':'; expected LINK:OBJECT" in refused(armature(), sheet(), ignore="hand")


def test_a_place_that_is_too_far(refused):
    rig, wall = armature(), sheet()
    wall.location = (3e6, 0, 0)
    assert "'Sheet'" in refused(rig, wall)


def test_the_armatures_own_skin_is_left_out():
    rig, wall = armature(), sheet()
    swing(rig)
    skin = cube("Skin", half=0.3)
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    settings = check(rig, wall, skin)
    assert [one[:2] for one in found(settings)] == [("arm", "Sheet")]
    assert notes(settings) == ["'Skin' is left out: armature 'Rig' deforms it"]


@pytest.mark.parametrize("shown", [True, False])
def test_a_modifier_that_is_switched_off_deforms_nothing(shown):
    rig, wall = armature(), sheet()
    swing(rig)
    modifier = wall.modifiers.new("Armature", "ARMATURE")
    modifier.object, modifier.show_viewport = rig, shown
    settings = check(rig, wall, cube(at=(9, 9, 9)))
    assert [one[:2] for one in found(settings)] == ([] if shown else [("arm", "Sheet")])
    assert notes(settings) == (["'Sheet' is left out: armature 'Rig' deforms it"] if shown else [])


def test_a_modifier_that_is_switched_off_on_the_way(refused):
    rig, wall, other = armature(), sheet(), cube(at=(9, 9, 9))
    modifier = wall.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig
    for frame, shown in {1: True, 2: False}.items():
        modifier.show_viewport = shown
        modifier.keyframe_insert("show_viewport", frame=frame)
    bpy.context.scene.frame_set(1)
    assert "'Sheet' was not there, or had no faces, before frame 2" in refused(rig, wall, other)


def test_metaballs_are_left_out():
    rig, wall = armature(), sheet()
    swing(rig)
    ball = bpy.data.objects.new("Ball", bpy.data.metaballs.new("Ball"))
    ball.data.elements.new()
    bpy.context.scene.collection.objects.link(ball)
    assert notes(check(rig, wall, ball)) == ["'Ball' is left out: it is a metaball; convert it to a mesh"]


def test_meshes_without_faces_are_left_out():
    rig, wall, wire = armature(), sheet(), mesh("Wire", [(0, 0, 0), (1, 0, 0)], [])
    line = bpy.data.objects.new("Line", bpy.data.curves.new("Line", "CURVE"))
    bpy.context.scene.collection.objects.link(line)
    settings = check(rig, wall, wire, line)
    assert sorted(notes(settings)) == ["'Line' is left out: it has no faces", "'Wire' is left out: it has no faces"]


def test_half_a_turn_is_told():
    rig, wall = armature(), sheet(near=5, far=6)
    swing(rig, degrees=(0, 130))
    assert any("'arm' turns by 130 degrees from frame 1 to frame 2" in note for note in notes(check(rig, wall)))
    box = cube(at=(9, 9, 9))
    key(box, "rotation_euler", {1: (0, 0, 0), 2: (0, 0, 2.0)})
    assert any("'Cube' turns by 115 degrees" in note for note in notes(check(rig, box)))


def test_a_refusal_leaves_the_last_result(scene):
    rig, wall = armature(), sheet()
    swing(rig)
    check(rig, wall)
    rig.scale = (1, 1, 2)
    select(rig, wall)
    with pytest.raises(RuntimeError):
        bpy.ops.tocsin.check()
    assert len(scene.tocsin.contacts) == 1


def test_edit_mode_is_refused():
    rig = armature()
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not bpy.ops.tocsin.check.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.tocsin.check.poll()
