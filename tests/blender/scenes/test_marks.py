"""What a check leaves in the scene, and what takes it away."""

import math
import pathlib
import re

import bpy
import pytest
from build import armature, check, cube, key, post, select, sheet, swing, swing_touches, vector


def counts():
    """Of everything that a check could leave how many there are."""
    data = bpy.data
    markers = sum(len(one.timeline_markers) for one in data.scenes)
    groups = sum(len(one.pose.bone_groups) for one in data.objects if one.pose)
    return len(data.objects), len(data.collections), len(data.meshes), markers, groups


def two_swings(scene):
    """An arm that swings to and fro through a sheet: contacts near frames 1.36 and 5.64."""
    scene.frame_end = 9
    rig, wall = armature(), sheet()
    swing(rig, degrees=(-40, -40, 40, 40, -40), frames=(1, 2, 3, 6, 7))
    rig["note"] = "a user's own"
    scene.timeline_markers.new("A user's own", frame=4)
    return rig, wall


def contact_frames():
    return swing_touches(frames=(2, 3)), 6 + (40 - math.degrees(math.asin(0.2))) / 80


def test_markers_arrows_bones_faces(scene):
    rig, wall = two_swings(scene)
    scene.frame_set(5)
    settings = check(rig, wall)
    assert scene.frame_current == 5
    first, second = contact_frames()
    assert [one.frame for one in settings.contacts] == pytest.approx([first, second], abs=1e-5)
    ours = [one for one in scene.timeline_markers if one.name.startswith("Tocsin")]
    assert [one.frame for one in ours] == [round(first), round(second)]
    assert ours[0].name == f"Tocsin arm > Sheet {first:.3f}"
    collection = bpy.data.collections["Tocsin contacts"]
    for contact in settings.contacts:
        empty = contact.empty
        assert empty.type == "EMPTY" and empty.empty_display_type == "SINGLE_ARROW" and empty.name in collection.objects
        assert empty.location == vector(contact.point)
        # An arrow points along its own z.
        along = empty.rotation_quaternion @ vector((0, 0, 1))
        assert along.dot(vector(contact.normal)) == pytest.approx(1, abs=1e-5)
        lo, hi = empty["frames"]
        assert 0 <= hi - lo < 1e-8 and hi == pytest.approx(contact.frame, abs=1e-6)
        assert empty["bone"] == "arm" and empty["object"] == "Sheet" and empty["kind"] == "touch"
    bone = rig.pose.bones["arm"]
    assert bone["tocsin"] == f"frame {first:.3f}: Sheet" and bone.bone_group.name == "Tocsin"
    faces = bpy.data.objects["Tocsin faces"]
    assert faces.show_in_front and faces.hide_render and len(faces.data.polygons) == 4  # a quad, twice
    assert {tuple(round(x, 6) for x in one.co) for one in faces.data.vertices} == {tuple(one.co) for one in wall.data.vertices}


def test_the_face_of_a_moving_mesh_is_where_it_is_then():
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.3), 2: (-3, 0, 0.3)})
    key(box, "rotation_euler", {1: (0, 0, 0.3), 2: (0, 0, -0.3)})
    contact = check(rig, box).contacts[0]
    faces = bpy.data.objects["Tocsin faces"].data
    assert len(faces.polygons) == 2
    corners = [one.co for one in faces.vertices]
    assert len({tuple(round(x, 4) for x in one) for one in corners}) == 4
    # The contact's point lies in the plane of the face.
    normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized()
    assert abs(normal.dot(vector(contact.point) - corners[0])) < 1e-5
    assert abs(abs(normal.dot(vector(contact.normal))) - 1) < 1e-4 or contact.kind == "touch"


def test_clear_takes_away_all_and_nothing_else(scene):
    rig, wall = two_swings(scene)
    own = rig.pose.bone_groups.new(name="Own")
    rig.pose.bones["arm"].bone_group = own
    before = counts()
    check(rig, wall)
    assert counts() != before and rig.pose.bones["arm"].bone_group.name == "Tocsin"
    assert bpy.ops.tocsin.clear() == {"FINISHED"}
    assert counts() == before
    assert [one.name for one in scene.timeline_markers] == ["A user's own"]
    assert rig.pose.bones["arm"].bone_group.name == "Own" and "tocsin" not in rig.pose.bones["arm"]
    assert len(scene.tocsin.contacts) == 0 and scene.tocsin.summary == "" and rig["note"] == "a user's own"
    assert not bpy.ops.tocsin.clear.poll() and not bpy.ops.tocsin.next.poll()


def test_a_second_check_replaces_the_first(scene):
    rig, wall = two_swings(scene)
    check(rig, wall)
    once = counts()
    names = [one.name for one in bpy.data.objects]
    check(rig, wall)
    assert counts() == once and sorted(one.name for one in bpy.data.objects) == sorted(names)
    check(rig, wall, room="VISIBLE")  # what was made here is not checked
    assert counts() == once


def test_undo_takes_a_check_back(scene):
    rig, wall = two_swings(scene)
    select(rig, wall)
    bpy.ops.ed.undo_push(message="before")
    before = counts()
    assert bpy.ops.tocsin.check("EXEC_DEFAULT", True) == {"FINISHED"}
    assert counts() != before
    bpy.ops.ed.undo()
    scene, rig = bpy.context.scene, bpy.data.objects["Rig"]
    assert counts() == before and len(scene.tocsin.contacts) == 0 and "tocsin" not in rig.pose.bones["arm"]
    bpy.ops.ed.redo()
    assert counts() != before and len(bpy.context.scene.tocsin.contacts) == 2
    assert bpy.ops.tocsin.clear("EXEC_DEFAULT", True) == {"FINISHED"}
    assert counts() == before
    bpy.ops.ed.undo()
    assert len(bpy.context.scene.tocsin.contacts) == 2 and "Tocsin faces" in bpy.data.objects


def test_next_and_previous(scene):
    rig, wall = two_swings(scene)
    settings = check(rig, wall)
    first, second = contact_frames()
    scene.frame_set(1)
    seen = []
    for back in (False, False, False, True, True):
        assert bpy.ops.tocsin.next(back=back) == {"FINISHED"}
        seen.append(scene.frame_current_final)
    assert seen == pytest.approx([first, second, first, second, first], abs=1e-4)
    scene.frame_set(4)
    bpy.ops.tocsin.next(back=True)
    assert scene.frame_current_final == pytest.approx(first, abs=1e-4) and settings.active == 0
    assert rig.data.bones.active.name == "arm" and rig.data.bones["arm"].select
    bpy.ops.tocsin.go(index=1)
    assert scene.frame_current_final == pytest.approx(second, abs=1e-4) and settings.active == 1
    with pytest.raises(RuntimeError):
        bpy.ops.tocsin.go(index=7)


def test_contacts_of_one_moment_are_all_visited(scene):
    bones = (("arm", None, (0, 0, 0), (1, 0, 0)), ("twin", None, (0, 0, 0), (1, 0, 0)))
    rig, wall = armature(bones=bones), sheet()
    swing(rig)
    swing(rig, "twin")
    settings = check(rig, wall)
    assert len(settings.contacts) == 2
    scene.frame_set(1)
    seen = set()
    for _ in range(2):
        bpy.ops.tocsin.next()
        seen.add(settings.contacts[settings.active].who)
    assert seen == {"arm", "twin"}


def test_results_are_kept_in_the_file(scene, tmp_path):
    rig, wall = two_swings(scene)
    check(rig, wall)
    file = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file, copy=True)
    with bpy.data.libraries.load(file) as (_, wanted):
        wanted.scenes = ["Test"]
    assert len(wanted.scenes[0].tocsin.contacts) == 2


def test_the_docs_script(scene, capsys):
    page = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "blender.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    rig, wall = two_swings(scene)
    select(rig, wall)
    exec(compile(code, "docs/blender.md", "exec"), {})
    lines = [line for line in capsys.readouterr().out.splitlines() if "arm Sheet touch" in line]
    assert [float(line.split()[0]) for line in lines] == pytest.approx(contact_frames(), abs=1e-5)


def test_a_scene_that_changes_while_it_is_checked(scene):
    """The check has what it read; what it would write to may be gone."""
    from tocsin_blender import operators
    from tocsin_blender.samples import Refused

    rig, wall = two_swings(scene)
    select(rig, wall)
    one = operators.Check(bpy.context)
    assert one.read(float("inf"))
    bpy.data.objects.remove(rig)
    one.job.join()
    assert one.show().startswith("2 contacts") and len(scene.tocsin.contacts) == 2
    scene.name = "Another"
    with pytest.raises(Refused, match="scene 'Test' was removed or renamed"):
        one.show()


def test_bones_of_a_linked_armature_are_not_marked(scene, tmp_path):
    rig, wall = armature(), sheet()
    swing(rig)
    file = str(tmp_path / "rig.blend")
    bpy.data.libraries.write(file, {rig})
    bpy.data.objects.remove(rig)
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.objects = ["Rig"]
    linked = wanted.objects[0]
    scene.collection.objects.link(linked)
    settings = check(linked, wall)
    assert len(settings.contacts) == 1
    assert [note.name for note in settings.notes] == ["touched bones of 'Rig' are not marked: it is linked from another file"]
    assert bpy.ops.tocsin.clear() == {"FINISHED"}


def linked_rig(scene, tmp_path):
    """An armature that swings, linked from another file."""
    rig = armature()
    swing(rig)
    file = str(tmp_path / "rig.blend")
    bpy.data.libraries.write(file, {rig})
    bpy.data.objects.remove(rig)
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.objects = ["Rig"]
    scene.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def test_bones_of_a_library_override_are_not_marked(scene, tmp_path):
    """Blender lets nobody edit its bone groups."""
    rig, wall = linked_rig(scene, tmp_path).override_create(remap_local_usages=True), sheet()
    if rig.name not in scene.collection.objects:
        scene.collection.objects.link(rig)
    for _ in range(2):
        settings = check(rig, wall)
        assert len(settings.contacts) == 1 and len(scene.timeline_markers) == 1
        (note,) = settings.notes
        assert note.name.startswith("touched bones of 'Rig' are not marked: it is a library override")
    assert bpy.ops.tocsin.clear() == {"FINISHED"}
    assert not scene.timeline_markers and "Tocsin faces" not in bpy.data.objects


def test_a_linked_and_a_local_armature_of_one_name(scene, tmp_path):
    linked, local, wall = linked_rig(scene, tmp_path), armature(radius=0.3), sheet()
    swing(local)
    assert linked.name == local.name == "Rig"
    settings = check(linked, wall)
    assert [note.name for note in settings.notes] == ["touched bones of 'Rig' are not marked: it is linked from another file"]
    assert settings.marked is None and "tocsin" not in local.pose.bones["arm"]
    assert not check(local, wall).notes and scene.tocsin.marked == local and "tocsin" in local.pose.bones["arm"]


def test_clear_works_when_showing_failed(scene, monkeypatch):
    from tocsin_blender import present

    rig, wall = two_swings(scene)
    before = counts()

    def fail(*_):
        raise RuntimeError("no more")

    monkeypatch.setattr(present, "_mark", fail)
    with pytest.raises(RuntimeError, match="no more"):
        check(rig, wall)
    assert len(scene.timeline_markers) == 3
    assert bpy.ops.tocsin.clear() == {"FINISHED"}
    assert counts() == before


@pytest.mark.parametrize("letter", ["x", "\u00e4", "\u9aa8", "\U0001f9b4"])
def test_markers_of_long_names(scene, letter):
    """Blender keeps 63 bytes of a name."""
    for extra in range(3):
        name = "b" * extra + letter * (60 // len(letter.encode()))
        rig = armature(f"Rig{extra}", ((name, None, (0, 0, 0), (1, 0, 0)),))
        swing(rig, name)
        wall = sheet(f"Wall{extra}")
        for _ in range(2):
            contact = check(rig, wall).contacts[0]
            (marker,) = scene.timeline_markers
            assert len(marker.name.encode()) <= 63 and marker.name.startswith("Tocsin " + name[:10]) and marker.name.endswith(f" {contact.frame:.3f}")
        assert bpy.ops.tocsin.clear() == {"FINISHED"} and not scene.timeline_markers


@pytest.mark.parametrize("how", ["deleted", "moved"])
def test_clear_finds_what_is_no_longer_in_its_collection(scene, how):
    rig, wall = two_swings(scene)
    before = counts()
    check(rig, wall)
    collection = bpy.data.collections["Tocsin contacts"]
    if how == "moved":
        for one in list(collection.objects):
            scene.collection.objects.link(one)
    bpy.data.collections.remove(collection)
    assert bpy.ops.tocsin.clear() == {"FINISHED"}
    assert counts() == before


def test_clear_leaves_another_scenes_results(scene):
    rig, wall = two_swings(scene)
    check(rig, wall)
    once = counts()
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    other.collection.objects.link(rig)
    other.collection.objects.link(wall)
    other.frame_end = 9
    check(rig, wall)
    assert counts() != once
    assert bpy.ops.tocsin.clear() == {"FINISHED"}
    bpy.context.window.scene = scene
    assert len(scene.tocsin.contacts) == 2 and all(one.empty for one in scene.tocsin.contacts) and counts()[:3] == once[:3]


def test_a_users_own_property_is_no_mark(scene):
    """An object, and a collection, with a property `tocsin` is the user's."""
    rig, wall = two_swings(scene)
    own = bpy.data.collections.new("Own")
    scene.collection.children.link(own)
    own["tocsin"] = wall["tocsin"] = True
    settings = check(rig, wall)
    assert len(settings.contacts) == 2 and not settings.notes
    bpy.ops.tocsin.clear()
    assert wall.name in scene.objects and own.name in bpy.data.collections


def test_what_was_made_here_is_not_checked_and_not_noted(scene):
    rig, wall = two_swings(scene)
    check(rig, wall)
    settings = check(rig, wall, bpy.data.objects["Tocsin faces"])
    assert len(settings.contacts) == 2 and not settings.notes


def test_cancel_puts_the_scene_back(scene):
    from tocsin_blender import operators

    rig, wall = two_swings(scene)
    select(rig, wall)
    scene.frame_set(4, subframe=0.25)
    for reads in (1, None):
        one = operators.Check(bpy.context)
        if reads:
            one.read(0.0)  # a single frame
            assert scene.frame_current_final != 4.25 and one.job is None and 0 < one.progress < 0.5
        else:
            assert one.read(float("inf"))
        one.abandon()
        assert scene.frame_current_final == 4.25 and one.cancelled
        assert not bpy.data.collections and len(scene.tocsin.contacts) == 0
