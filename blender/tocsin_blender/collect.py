"""Reads the scene, frame by frame: bones and meshes as Blender evaluates them. On the main thread only."""

import collections
from dataclasses import replace

import bpy
import numpy as np

from . import segments
from .samples import Bone, Refused, Rig, Samples, Thing

#: Types of objects that have a surface.
SURFACES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
#: The collection that results are put in (present.py), and the property of all objects that are: never checked.
RESULTS, RESULT = "Tocsin contacts", "tocsin_result"


class Collector:
    """read(0) to read(count - 1), then samples(). restore() at the end, whatever happened."""

    def __init__(self, context):
        self._scene, self._layer = context.scene, context.view_layer
        self._settings = settings = self._scene.tocsin
        self._frame = (self._scene.frame_current, self._scene.frame_subframe)
        self._unit = self._scene.unit_settings.scale_length
        self.armature = _armature(context, settings)
        self._wanted = _wanted(context, settings, self.armature)
        self._measure = settings.measure
        self.times = _times(self._scene, settings.samples * (2 if settings.measure else 1))
        self._left_out, self._empty = {}, {}
        self._bones = _bones(self.armature, settings.bones) if self.armature else []
        self._segments = collections.Counter(bone.whole for bone in self._bones if bone.whole)
        self._places, self._poses, self._lengths = [], [], {}
        self._things, self._sides, self._bare = {}, {}, {}

    @property
    def count(self):
        """How many samples there are."""
        return len(self.times)

    def read(self, index):
        """Reads one sample: moves the scene to its frame."""
        frame, part = self.times[index]
        self._scene.frame_set(frame, subframe=part)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        if self.armature:
            if not self.armature.visible_get(view_layer=self._layer):
                raise Refused(f"armature '{self.armature.name}' is hidden at {self._when(index)}: Blender does not evaluate it")
            rig = self.armature.evaluated_get(depsgraph)
            place = self._metres(rig.matrix_world)
            self._places.append(place)
            self._poses.append(self._read_bones(rig.pose.bones, place))
        seen = set()
        for key, name, origin, matrix, mesh in self._surfaces(depsgraph):
            seen.add(key)
            self._read_mesh(index, key, name, origin, matrix, mesh)
        for key, thing in self._things.items():
            if key not in seen:
                raise Refused(
                    f"'{thing.name}' is not there at {self._when(index)}: what appears or vanishes while it is checked is not supported"
                )

    def _read_bones(self, bones, place):
        """(bones, 4, 4); of segments also notes the greatest length."""
        out = []
        for bone in self._bones:
            if bone.whole:
                continue  # its whole stands before it
            pose = bones[bone.name]
            matrix = place @ np.array(pose.matrix)
            out.append(matrix)
            count = self._segments.get(bone.name, 0)
            if count:
                points = np.array([pose.bbone_segment_matrix(i).translation for i in range(count + 1)])
                parts, lengths = segments.places(matrix, points @ matrix[:3, :3].T + matrix[:3, 3])
                out += list(parts)
                self._lengths[bone.name] = np.maximum(self._lengths.get(bone.name, 0.0), lengths)
        return np.stack(out)

    def _with_lengths(self):
        """The bones; a segment is as long as it ever gets."""
        parts = {name: iter(lengths) for name, lengths in self._lengths.items()}
        return [replace(bone, length=float(next(parts[bone.whole]))) if bone.whole else bone for bone in self._bones]

    def samples(self):
        """All that was read."""
        frames = np.array([frame + part for frame, part in self.times], dtype=float)
        render = self._scene.render
        out = Samples(frames, render.fps / render.fps_base, self._unit, notes=list(self._left_out.values()))
        with_faces = {source for source, _, _ in self._things}
        bare = dict.fromkeys(name for source, name in [*self._bare.items(), *self._empty.values()] if source not in with_faces)
        out.notes += [f"'{name}' is left out: it has no faces" for name in bare]
        seen = with_faces.union(self._bare, (key[0] for key in [*self._left_out, *self._empty]))
        out.notes += [f"'{name}' is left out: it is not visible" for key, name in self._wanted.items() if key not in seen]
        for thing in self._things.values():
            thing.matrices = np.stack(thing.matrices)
            out.things.append(thing)
        if self.armature:
            out.rig = Rig(self.armature.name, self._with_lengths(), np.stack(self._places), np.stack(self._poses))
        if not out.things and not self._settings.itself:
            why = f" ({out.notes[0]})" if out.notes else ""
            raise Refused(f"there is no mesh to check against: {_HELP[self._settings.room]}{why}")
        return out.split() if self._measure else out

    def restore(self):
        """The scene is at the frame again at which it was."""
        self._scene.frame_set(self._frame[0], subframe=self._frame[1])

    def _when(self, index):
        frame, part = self.times[index]
        return f"frame {frame + part:g}"

    def _metres(self, matrix):
        out = np.array(matrix)
        out[:3] *= self._unit
        return out

    def _surfaces(self, depsgraph):
        """(key, name, object as it is in the file, matrix, mesh) of each that is wanted."""
        for instance in depsgraph.object_instances:
            shown = instance.object
            source = instance.parent.original if instance.is_instance else shown.original
            if source.name_full not in self._wanted:
                continue
            if not isinstance(shown.data, bpy.types.Mesh):
                # Curves, texts and the like come a second time, as an instance that has their mesh.
                if shown.type == "META":
                    self._left_out[(source.name_full,)] = f"'{source.name}' is left out: it is a metaball; convert it to a mesh"
                elif not instance.is_instance and shown.type not in _WITHOUT_SURFACE:
                    self._bare[source.name_full] = source.name
                continue
            own = not instance.is_instance or shown.original == source
            name = source.name if own else f"{source.name}/{shown.original.name}"
            key = (source.name_full, shown.original.name_full, tuple(instance.persistent_id) if instance.is_instance else ())
            if self.armature and any(_is_skin(one, self.armature) for one in (shown.original, source)):
                self._left_out[key] = f"'{name}' is left out: armature '{self.armature.name}' deforms it"
                continue
            yield key, name, source, self._metres(instance.matrix_world), shown.data

    def _read_mesh(self, index, key, name, origin, matrix, mesh):
        corners = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", corners)
        sides = np.empty(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("vertex_index", sides)
        corners = corners.reshape(-1, 3)
        thing = self._things.get(key)
        if thing is None:
            if index > 0:
                if key in self._empty and len(mesh.polygons) == 0:
                    return
                raise Refused(
                    f"'{name}' was not there, or had no faces, before {self._when(index)}: what appears or vanishes while it is "
                    "checked is not supported"
                )
            thing = self._new(key, name, origin, mesh, sides)
            if thing is None:
                return
        elif len(corners) != len(thing.vertices[0]) or not np.array_equal(sides, self._sides[key]):
            raise Refused(f"'{name}' has other faces at {self._when(index)} than at {self._when(0)}: its motion cannot be followed")
        known = [thing.vertices[-1], thing.vertices[0]] if thing.vertices else []
        thing.vertices.append(next((one for one in known if np.array_equal(one, corners)), corners))
        thing.matrices.append(matrix)

    def _new(self, key, name, origin, mesh, sides):
        mesh.calc_loop_triangles()
        count = len(mesh.loop_triangles)
        if count == 0:
            self._empty[key] = (key[0], name)
            return None
        faces, polygons = np.empty(count * 3, dtype=np.int32), np.empty(count, dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", faces)
        mesh.loop_triangles.foreach_get("polygon_index", polygons)
        thing = Thing(name, [], [], faces.reshape(-1, 3), polygons, _holder(origin, self.armature))
        self._things[key], self._sides[key] = thing, sides
        return thing


_WITHOUT_SURFACE = {"EMPTY", "ARMATURE", "CAMERA", "LIGHT", "LIGHT_PROBE", "SPEAKER", "LATTICE"}
_HELP = {
    "SELECTED": "select the meshes, and the armature",
    "VISIBLE": "no other mesh is visible",
    "COLLECTION": "choose a collection with meshes",
}


def _armature(context, settings):
    """The armature that is meant, or None. Raises Refused."""
    armature = settings.armature
    if armature is None:
        chosen = [one for one in context.selected_objects if one.type == "ARMATURE"]
        active = context.view_layer.objects.active
        if active is not None and active.type == "ARMATURE" and active.mode == "POSE" and active not in chosen:
            chosen.append(active)
        if len(chosen) > 1:
            names = ", ".join(f"'{one.name}'" for one in chosen)
            raise Refused(f"several armatures are selected ({names}): name one in the panel")
        armature = chosen[0] if chosen else None
    if armature is None:
        return None
    if not any(one == armature for one in context.scene.objects) or not armature.visible_get(view_layer=context.view_layer):
        raise Refused(f"armature '{armature.name}' is hidden or not in this scene: Blender does not evaluate it")
    if armature.data.pose_position == "REST":
        raise Refused(f"armature '{armature.name}' shows its rest position: choose Pose Position")
    return armature


def _wanted(context, settings, armature):
    """The objects that are checked, or that instance what is: {full name: name}."""
    if settings.room == "SELECTED":
        chosen = context.selected_objects
    elif settings.room == "VISIBLE":
        chosen = [one.original for one in _all_of(context)]
    elif settings.collection is None:
        raise Refused("there is no collection to check against: choose one")
    else:
        chosen = settings.collection.all_objects
        hidden = [one.name for one in chosen if _shows_something(one) and not one.visible_get(view_layer=context.view_layer)]
        if hidden:
            raise Refused(f"'{hidden[0]}' of collection '{settings.collection.name}' is hidden: Blender does not evaluate it")
    return {one.name_full: one.name for one in chosen if one != armature and _shows_something(one) and not _is_result(one)}


def _shows_something(one):
    return one.type not in _WITHOUT_SURFACE or one.instance_type != "NONE"


def _all_of(context):
    for instance in context.evaluated_depsgraph_get().object_instances:
        yield instance.parent if instance.is_instance else instance.object


def _is_result(one):
    return RESULT in one


def _is_skin(one, armature):
    if one.parent == armature and one.parent_type == "ARMATURE":
        return True
    return any(modifier.type == "ARMATURE" and modifier.object == armature and modifier.show_viewport for modifier in one.modifiers)


def _holder(one, armature):
    """The bone of the armature that carries an object, or "" ."""
    while armature is not None and one is not None:
        if one.parent == armature and one.parent_type == "BONE":
            return one.parent_bone
        one = one.parent
    return ""


def _times(scene, per_frame):
    """(frame, part of a frame) of each sample."""
    preview = scene.use_preview_range
    first = scene.frame_preview_start if preview else scene.frame_start
    last = scene.frame_preview_end if preview else scene.frame_end
    if first >= last:
        raise Refused(f"the range of frames, {first} to {last}, holds no motion")
    return [(frame, i / per_frame) for frame in range(first, last) for i in range(per_frame)] + [(last, 0.0)]


def _bones(armature, which):
    """Bones of the armature, parents first."""
    out, index = [], {}
    rest = [bone for bone in reversed(armature.data.bones) if bone.parent is None]
    while rest:
        bone = rest.pop()
        checked = which == "ALL" or (bone.use_deform if which == "DEFORM" else bone.select)
        bends = checked and bone.bbone_segments > 1
        index[bone.name] = len(out)
        above = index[bone.parent.name] if bone.parent else -1
        own = Bone(bone.name, above, bone.length, bone.head_radius, bone.tail_radius, checked and not bends)
        out.append(own)
        for i in range(bone.bbone_segments if bends else 0):
            above = len(out) - 1
            name = f"{bone.name}, segment {i + 1}"
            out.append(replace(own, name=name, parent=above, checked=True, whole=bone.name, whole_length=bone.length))
        rest += reversed(bone.children)
    if not any(bone.checked for bone in out):
        raise Refused(f"armature '{armature.name}' has no {which.lower()} bone to check: see Bones in the panel")
    return _needed(out, {one.parent_bone for one in bpy.data.objects if one.parent == armature and one.parent_type == "BONE"})


def _needed(bones, holders):
    """Without bones that are not checked, carry nothing, and have no such bone below: rigs have hundreds."""
    keep = [bone.checked or bone.name in holders for bone in bones]
    for i in reversed(range(len(bones))):
        if keep[i] and bones[i].parent >= 0:
            keep[bones[i].parent] = True
    index = {old: new for new, old in enumerate(i for i, kept in enumerate(keep) if kept)}
    index[-1] = -1
    return [replace(bone, parent=index[bone.parent]) for bone, kept in zip(bones, keep) if kept]
