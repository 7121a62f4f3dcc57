"""How far Blender's own motion is, half-way between samples, from the one that is checked. No bpy."""

from __future__ import annotations

import numpy as np

from . import rigid


def note(samples, who, room):
    """A note with the largest difference, of samples that were also read half-way (samples.middles)."""
    largest = (0.0, "", 0)
    for found in (_of_bones(samples, who) if who else (), _of_things(samples, room)):
        for one in found:
            largest = max(largest, one)
    distance, name, k = largest
    if not name:
        return "half-way between samples Blender's own motion is the checked one"
    half = 0.5 * (samples.frames[k] + samples.frames[k + 1])
    return (
        f"half-way between samples Blender's own motion is up to {distance / samples.unit:.2g} units from the checked one "
        f"('{name}' at frame {half:g})"
    )


def _of_bones(samples, who):
    """(metres, bone, step) of each link and step: both ends of bones, all corners of what they carry."""
    middles = samples.middles
    bones = [i for i, bone in enumerate(samples.rig.bones) if bone.checked]
    lengths = np.array([samples.rig.bones[i].length for i in bones])
    ends = np.zeros((len(bones), 4, 2))
    ends[:, 1, 1], ends[:, 3] = lengths, 1.0
    joints = [link.joint for link in who.avatar.links]
    parents = who.motion.skeleton.parents
    for k in range(len(middles.frames)):
        world = _world(parents, who.steps[k].pose(0.5))
        own = world[joints[: len(bones)]]
        true = middles.rig.matrices[k][bones]
        reach = ends.copy()
        reach[:, 1, 1] *= np.linalg.norm(true[:, :3, 1], axis=-1)
        off = np.linalg.norm((own @ reach - true @ ends)[:, :3], axis=1).max(axis=-1)
        most = int(np.argmax(off)) if len(off) else 0
        if len(off):
            yield float(off[most]), who.names[most], k
        held = [thing for thing in middles.things if thing.holder]
        for joint, name, thing, stretch in zip(joints[len(bones) :], who.names[len(bones) :], held, who.stretches):
            ours = rigid.apply(world[joint], thing.vertices[k] @ stretch.T)
            yield _apart(ours, rigid.apply(thing.matrices[k], thing.vertices[k])), name, k


def _world(parents, pose):
    out = rigid.matrices(pose)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            out[joint] = out[parent] @ out[joint]
    return out


def _of_things(samples, room):
    middles = [thing for thing in samples.middles.things if not thing.holder]
    for i, middle in enumerate(middles):
        for k in range(len(samples.middles.frames)):
            ours = room.corners_at(i, k, 0.5)
            yield _apart(ours, rigid.apply(middle.matrices[k], middle.vertices[k])), middle.name, k


def _apart(ours, true):
    return float(np.linalg.norm(ours - true, axis=-1).max())
