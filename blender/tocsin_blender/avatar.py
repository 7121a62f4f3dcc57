"""An armature as an avatar of tocsin: joints, links, poses. No bpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tocsin

from . import rigid
from .samples import Names, Refused

#: How far the axes of a scale may differ from each other, and from sample to sample, as a share. Of an armature: what
#: Blender's 24 bits leave. Of a bone: what stretching rigs leave in the usual, some 4 % with Rigify's legs. A link is as
#: long and as thick as its bone ever gets, and holds it, so nothing is missed; a larger share would make contacts that are none.
ARMATURE_TOLERANCE, BONE_TOLERANCE = 1e-3, 0.1
#: Shares that are told.
STRETCH_TO_TELL = 1e-3
#: A turn from sample to sample, degrees, from which on a user should look at the sampling.
LARGE_TURN = 90.0
#: radius_from LENGTH: a share of the bone's length, and limits in metres: as tocsin's one link per bone.
SHARE, LEAST, MOST = 0.18, 0.01, 0.12


@dataclass
class Who:
    """What moves with the armature. names: of each link what it is in Blender: a bone's name, or a held
    object's. is_bone: of each link. owner: of each link the first of the same bone, for a bendy bone has several.
    joined: pairs of names of bones of which one is bendy and that hang together, so that they always touch. stretches:
    of what bones hold, (3, 3) that its corners were multiplied with. grown: metres by which links are thicker than
    their bones, at most."""

    member: tocsin.Member
    steps: tocsin.Steps
    names: list[str]
    is_bone: list[bool]
    owner: list[int]
    joined: set[frozenset[str]]
    stretches: list[np.ndarray]
    grown: float
    motion: tocsin.Motion
    avatar: tocsin.Avatar


def build(samples, options):
    """The avatar of samples.rig, with the things that its bones hold. Raises Refused."""
    rig = samples.rig
    poses, stretches = rigid.parts(rig.matrices)
    place, size = rigid.parts(rig.places)
    _refuse_sizes(f"armature '{rig.name}'", size, samples, ARMATURE_TOLERANCE)
    for i, bone in enumerate(rig.bones):
        if bone.checked:
            _refuse_sizes(f"bone '{bone.name}'", stretches[:, i], samples, BONE_TOLERANCE)
    tree = _Tree(rig.name, place)
    joints = {-1: 0}
    for i, bone in enumerate(rig.bones):
        if bone.checked or _is_steady(stretches[:, i]):
            joints[i] = tree.add(bone.name, joints[_ancestor(rig, i, joints)], poses[:, i])
    held = [thing for thing in samples.things if thing.holder]
    # Patterns speak of bones: all segments of a bendy one have its name.
    owners = list(dict.fromkeys(bone.owner for bone in rig.bones if bone.checked))
    called = [*owners, *(thing.name for thing in held)]
    labels = Names(called).of(called, samples.notes, options.ignore + options.surfaces)
    links, names, grown = _links_of_bones(dict(zip(owners, labels)), joints, samples, poses, stretches, options)
    _note_stretches(samples, stretches)
    carried = [_held(label, tree, rig, joints, thing, samples) for label, thing in zip(labels[len(owners) :], held)]
    is_bone = [True] * len(links) + [False] * len(held)
    links += [link for link, _ in carried]
    names += [thing.name for thing in held]
    if not links:
        raise Refused(f"armature '{rig.name}' has no bone to check: see Bones in the panel")
    motion = tree.motion(samples)
    avatar = tocsin.Avatar(rig.name, motion.skeleton, links)
    first = {}
    return Who(
        member=tocsin.Member(avatar, itself=options.itself, ignore_itself=list(options.ignore) if options.itself else []),
        steps=motion.steps(in_between=options.in_between),
        names=names,
        is_bone=is_bone,
        owner=[first.setdefault(name if kind else i, i) for i, (kind, name) in enumerate(zip(is_bone, names))],
        joined=_joined(rig),
        stretches=[stretch for _, stretch in carried],
        grown=grown,
        motion=motion,
        avatar=avatar,
    )


def _links_of_bones(labels, joints, samples, poses, stretches, options):
    """Links of all bones that are checked (labels: of each its name for the engine), the bones' names, and by how many metres a link is thicker than its bone, at most."""
    links, names, grown = [], [], 0.0
    for i, bone in enumerate(samples.rig.bones):
        if not bone.checked:
            continue
        own = samples.rig.matrices[:, i]
        link, more = _link(labels[bone.owner], joints[i], bone, own, poses[:, i], stretches[:, i], options)
        links.append(link)
        names.append(bone.owner)
        grown = max(grown, more)
    return links, names, grown


def _joined(rig):
    """Pairs of the names of bones that hang together and of which one, at least, is bendy; and of each bendy one with itself."""
    bendy = {bone.whole for bone in rig.bones if bone.whole}
    out = {frozenset([name]) for name in bendy}
    for bone in rig.bones:
        if bone.parent >= 0:
            pair = frozenset([bone.owner, rig.bones[bone.parent].owner])
            if pair & bendy:
                out.add(pair)
    return out


class _Tree:
    """A skeleton that grows joint by joint; the armature's own motion is its root."""

    def __init__(self, name, place):
        self._unique = Names()
        self.names = [self._unique.make(name)]
        self._parents = [-1]
        self._world = [place]

    def add(self, name, parent, world):
        """The new joint's index. world: (samples, 7)."""
        self.names.append(self._unique.make(name))
        self._parents.append(parent)
        self._world.append(world)
        return len(self.names) - 1

    def motion(self, samples):
        local = [self._world[0]] + [
            rigid.relative(self._world[p], own) for p, own in zip(self._parents[1:], self._world[1:])
        ]
        poses = np.stack(local, axis=1)
        _note_large_turns(samples, self.names, poses)
        times = (samples.frames - samples.frames[0]) / samples.rate
        skeleton = tocsin.Skeleton(self.names, self._parents, rest=poses[0])
        return tocsin.Motion(skeleton, poses, times=times)


def _ancestor(rig, index, joints):
    """The nearest bone above that is a joint; -1, the armature itself, where there is none."""
    above = rig.bones[index].parent
    while above >= 0 and above not in joints:
        above = rig.bones[above].parent
    return above


def _axes(stretch):
    return np.linalg.norm(stretch, axis=-2)


def _is_uniform(stretch, tolerance):
    """(samples,) bool: is the stretch (samples, 3, 3) the same in all directions, and no mirror."""
    mean = np.trace(stretch, axis1=-2, axis2=-1) / 3.0
    off = np.abs(stretch - mean[:, None, None] * np.eye(3)).max(axis=(-2, -1))
    return (mean > 0.0) & (off <= tolerance * mean)


def _is_steady(stretch):
    mean = _axes(stretch).mean(axis=-1)
    return bool(_is_uniform(stretch, BONE_TOLERANCE).all() and np.ptp(mean) <= BONE_TOLERANCE * mean[0])


def _refuse_sizes(who, stretch, samples, tolerance):
    """Refuses a scale that is not the same along all axes, or changes. The scene's unit does not count."""
    uniform = _is_uniform(stretch, tolerance)
    if not uniform.all():
        k = int(np.argmin(uniform))
        if np.linalg.det(stretch[k]) < 0.0:
            raise Refused(f"{who} is mirrored at {samples.when(k)}: a negative scale cannot be checked; apply it")
        x, y, z = _axes(stretch[k]) / samples.unit
        raise Refused(
            f"{who} is scaled by {x:.4g}, {y:.4g}, {z:.4g} at {samples.when(k)}: "
            "a scale must be the same along all axes. Apply the scale, or remove what stretches it"
        )
    mean = _axes(stretch).mean(axis=-1)
    off = np.abs(mean - mean[0])
    k = int(np.argmax(off))
    if off[k] > tolerance * mean[0]:
        raise Refused(
            f"{who} changes its scale from {mean[0] / samples.unit:.4g} to {mean[k] / samples.unit:.4g} at "
            f"{samples.when(k)}: bones must keep their size while they are checked"
        )


def _link(name, joint, bone, matrices, poses, stretch, options):
    """A bone's link, and by how many metres it is thicker than the bone."""
    sizes = _axes(stretch)
    reach = bone.length * np.linalg.norm(matrices[:, :3, 1], axis=-1)
    length = reach.max()
    grown = _farthest(matrices, poses, bone.length, length)
    if options.radius_from == "ENVELOPE":
        radius = max(bone.head_radius, bone.tail_radius) * sizes.max()
    elif options.radius_from == "LENGTH":
        whole = bone.whole_length * sizes.max() if bone.whole else length
        radius = min(max(SHARE * whole, LEAST), MOST)
    else:
        radius = options.radius
    if not radius > 0.0:
        raise Refused(f"bone '{bone.name}' has no radius: give it an envelope radius in edit mode, or choose another Radius")
    return tocsin.Link(name, joint, a=[0, 0, 0], b=[0, length, 0], radius=radius + grown), grown


def _note_stretches(samples, stretches):
    """One note for all bones that change their size a little. stretches: (samples, bones, 3, 3)."""
    sizes = np.moveaxis(_axes(stretches), 1, 0).reshape(stretches.shape[1], -1)
    shares = {}
    for bone, own in zip(samples.rig.bones, sizes):
        if bone.checked:
            shares[bone.owner] = max(shares.get(bone.owner, 0.0), own.max() / own.min() - 1.0)
    shares = {name: share for name, share in shares.items() if share > STRETCH_TO_TELL}
    if shares:
        most = max(shares, key=shares.get)
        count = f"{len(shares)} bones stretch" if len(shares) > 1 else "a bone stretches"
        samples.notes.append(f"{count} a little, '{most}' most, by {100 * shares[most]:.2g} %: checked as large as they get")


def _farthest(matrices, poses, rest_length, length):
    """How far the bone's end is from the link's axis, in any sample, metres."""
    true = (matrices @ np.array([0.0, rest_length, 0.0, 1.0]))[:, :3]
    turn = np.swapaxes(rigid.rotations(poses), -1, -2)
    own = (turn @ (true - poses[:, 4:])[..., None])[..., 0]
    own[:, 1] -= np.clip(own[:, 1], 0.0, length)
    return float(np.linalg.norm(own, axis=-1).max())


def _held(name, tree, rig, joints, thing, samples):
    """A mesh that a bone carries: a link with a joint of its own, and the stretch that its corners have."""
    poses, stretch = rigid.parts(thing.matrices)
    changed = [k for k, v in enumerate(thing.vertices) if v is not thing.vertices[0]]
    off = np.abs(stretch - stretch[0]).max(axis=(-2, -1))
    changed += [int(k) for k in np.flatnonzero(off > ARMATURE_TOLERANCE * np.abs(stretch[0]).max())]
    if changed:
        raise Refused(
            f"'{thing.name}', which bone '{thing.holder}' carries, changes its shape or scale at "
            f"{samples.when(min(changed))}: what a bone carries must be rigid"
        )
    index = next((i for i, bone in enumerate(rig.bones) if bone.name == thing.holder), -1)
    if index not in joints:
        index = _ancestor(rig, index, joints)
    joint = tree.add(thing.name, joints[index], poses)
    corners = thing.vertices[0] @ stretch[0].T
    return tocsin.Link(name, joint, shape=tocsin.Shape.mesh(corners, samples.faces_of(thing))), stretch[0]


def _note_large_turns(samples, names, poses):
    degrees = rigid.turns_in_degrees(poses)
    if degrees.size and degrees.max() > LARGE_TURN:
        k, joint = np.unravel_index(int(np.argmax(degrees)), degrees.shape)
        samples.notes.append(
            f"'{names[joint]}' turns by {degrees[k, joint]:.0f} degrees from {samples.when(k)} to {samples.when(k + 1)}: "
            "turns are read the short way. More samples per frame show whether that is right"
        )
