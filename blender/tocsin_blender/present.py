"""Writes contacts into the scene: markers, arrows, marked bones and faces, the list; and takes them away again."""

import bpy
import numpy as np
from mathutils import Vector

from .collect import RESULT, RESULTS

#: The property of a bone that is marked.
MARK = "tocsin"
FACES = "Tocsin faces"
GROUP = "Tocsin"
#: Bytes of a marker's name.
MARKER = 63
#: Metres.
ARROW = 0.3


def clear(scene):
    """Takes away all that show() made in this scene."""
    settings = scene.tocsin
    names = {one.marker for one in settings.contacts if one.marker}
    for marker in [one for one in scene.timeline_markers if one.name in names]:
        scene.timeline_markers.remove(marker)
    _unmark(settings.marked)
    settings.marked = None
    _remove_objects(scene)
    settings.contacts.clear()
    settings.notes.clear()
    settings.active = 0
    settings.summary = ""


def _remove_objects(scene):
    """The arrows and faces, wherever a user put them; also those whose collection was deleted, and which no scene has."""
    own = set(scene.objects)
    for one in [one for one in bpy.data.objects if RESULT in one and one.library is None and (one in own or not one.users_collection)]:
        data = one.data
        bpy.data.objects.remove(one)
        if isinstance(data, bpy.types.Mesh) and data.users == 0:
            bpy.data.meshes.remove(data)
    for one in [one for one in scene.collection.children_recursive if RESULT in one and not one.all_objects]:
        bpy.data.collections.remove(one)


def key(one):
    """What find() finds it by: a local and a linked one may have one name."""
    return (one.name, one.library.filepath if one.library else "") if one is not None else None


def find(every, wanted):
    """Of bpy.data's the one with this key, or None."""
    return next((one for one in every if key(one) == wanted), None)


def show(scene, result, armature_key):
    """Shows a Result in place of what was shown before. armature_key: key() of the armature, or None."""
    clear(scene)
    settings = scene.tocsin
    settings.summary = summary(result)  # first: Clear is there whatever fails below
    unit = result.samples.unit
    collection = bpy.data.collections.new(RESULTS)
    collection[RESULT] = True
    scene.collection.children.link(collection)
    for episode in result.episodes:
        _add(scene, settings, collection, result, episode, unit)
    faces = _faces(result)
    if len(faces):
        _overlay(collection, faces / unit)
    if not result.episodes:
        bpy.data.collections.remove(collection)
    armature = find(bpy.data.objects, armature_key)
    notes = list(result.samples.notes)
    if armature is not None:
        notes += _mark(scene, settings, armature, result)
    for note in notes:
        settings.notes.add().name = note


def summary(result):
    """One line: how many contacts, in how many steps, of what."""
    count, steps = len(result.episodes), result.steps
    bones = len({i for i in result.who.owner if result.who.is_bone[i]}) if result.who else 0
    what = []
    if bones:
        what.append(f"{bones} bone{'' if bones == 1 else 's'}")
    things = len(result.samples.things)
    if things or not bones:
        what.append(f"{things} mesh{'' if things == 1 else 'es'}")
    found = "No contact" if count == 0 else f"{count} contact{'' if count == 1 else 's'}"
    return f"{found} in {steps} step{'' if steps == 1 else 's'} of {' and '.join(what)}"


def _add(scene, settings, collection, result, episode, unit):
    touch = episode.first
    one = settings.contacts.add()
    one.frame = touch.frame
    one.until = episode.until
    one.seconds = (touch.frame - result.samples.frames[0]) / result.samples.rate
    one.who, one.is_bone = result.name(touch.who), touch.who.what == "bone"
    one.touched, one.touched_is_bone = result.name(touch.touched), touch.touched.what == "bone"
    one.kind = touch.kind
    one.point = touch.point / unit
    one.normal = touch.normal if touch.normal is not None else (0.0, 0.0, 0.0)
    one.steps = episode.steps
    one.name = f"{one.who} > {one.touched}"
    if touch.touched.what == "object":
        one.face = _face(result.room.things[touch.touched.index], touch.touched.triangle)
    marker = scene.timeline_markers.new(_short(f"Tocsin {one.name}", f" {one.frame:.3f}"), frame=int(round(one.frame)))
    one.marker = marker.name
    one.empty = _arrow(collection, one, touch.frames, touch.normal, ARROW / unit)


def _short(name, end):
    """A marker's name: Blender keeps so many bytes of UTF-8, and may cut within a letter."""
    room = MARKER - len(end.encode())
    return (name if len(name.encode()) <= room else name.encode()[: room - 3].decode(errors="ignore") + "...") + end


def _face(thing, triangle):
    return int(thing.polygons[triangle]) if triangle >= 0 else -1


def _arrow(collection, contact, frames, normal, size):
    """An empty at the contact's point; an arrow along its normal, where there is one."""
    empty = bpy.data.objects.new(f"Tocsin {contact.name}", None)
    empty[RESULT] = True
    # All 64 bits of the time, which the list has not: free before the first, touching at the second.
    empty["frames"] = frames
    empty["bone"] = contact.who
    empty["object"] = contact.touched
    empty["kind"] = contact.kind
    empty.location = contact.point
    empty.empty_display_size = size
    empty.show_in_front = True
    if normal is None:
        empty.empty_display_type = "PLAIN_AXES"
    else:
        empty.empty_display_type = "SINGLE_ARROW"
        empty.rotation_mode = "QUATERNION"
        empty.rotation_quaternion = Vector(normal).to_track_quat("Z", "Y")
    collection.objects.link(empty)
    return empty


def _faces(result):
    """(triangles, 3, 3) metres: of each contact with a mesh the face that is touched, where it is then."""
    out = []
    for episode in result.episodes:
        touch = episode.first
        for side in (touch.who, touch.touched):
            if side.what != "object" or side.triangle < 0:
                continue
            thing = result.room.things[side.index]
            corners = result.room.corners_at(side.index, touch.step, touch.time)
            out.append(corners[thing.faces[thing.polygons == thing.polygons[side.triangle]]])
    return np.concatenate(out) if out else np.empty((0, 3, 3))


def _overlay(collection, triangles):
    """A red mesh of these triangles, drawn in front of everything, and in no render."""
    mesh = bpy.data.meshes.new(FACES)
    mesh.from_pydata(triangles.reshape(-1, 3).tolist(), [], np.arange(len(triangles) * 3).reshape(-1, 3).tolist())
    material = bpy.data.materials.get(FACES) or bpy.data.materials.new(FACES)
    material.diffuse_color = (0.9, 0.05, 0.02, 1.0)
    mesh.materials.append(material)
    shown = bpy.data.objects.new(FACES, mesh)
    shown[RESULT] = True
    shown.color = material.diffuse_color
    shown.show_in_front = True
    shown.hide_render = True
    collection.objects.link(shown)


def _mark(scene, settings, armature, result):
    """Gives touched bones a property and a red group. Returns notes."""
    first = {}
    for episode in result.episodes:
        for side in (episode.first.who, episode.first.touched):
            if side.what == "bone":
                first.setdefault(result.name(side), episode)
    if not first:
        return []
    if armature.library is not None:
        return [f"touched bones of '{armature.name}' are not marked: it is linked from another file"]
    if armature.override_library is not None:
        return [f"touched bones of '{armature.name}' are not marked: it is a library override, which has no bone groups of its own"]
    group = armature.pose.bone_groups.get(GROUP) or armature.pose.bone_groups.new(name=GROUP)
    group.color_set = "THEME01"
    settings.marked = armature
    for name, episode in first.items():
        bone = armature.pose.bones.get(name)
        if bone is None:
            continue  # it was removed while the check ran
        bone["tocsin_group"] = bone.bone_group.name if bone.bone_group else ""
        bone[MARK] = f"frame {episode.first.frame:.3f}: {result.name(episode.first.touched)}"
        bone.bone_group = group
    return []


def _unmark(armature):
    if armature is None or armature.pose is None:
        return
    groups = armature.pose.bone_groups
    for bone in armature.pose.bones:
        if MARK in bone:
            bone.bone_group = groups.get(bone.get("tocsin_group", ""))
            del bone[MARK]
            bone.pop("tocsin_group", None)
    if GROUP in groups:
        groups.remove(groups[GROUP])
