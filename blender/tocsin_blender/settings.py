"""What the panel asks for, and the contacts that were found: kept in the scene."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .samples import Options


class TocsinNote(bpy.types.PropertyGroup):
    """A line for the user; `name` is its text."""


class TocsinContact(bpy.types.PropertyGroup):
    """One episode of contact. frame: of the first touch. point, normal: world, Blender's units."""

    frame: FloatProperty(name="Frame", precision=4)
    until: FloatProperty(name="Until")
    seconds: FloatProperty(name="Seconds")
    who: StringProperty(name="Bone")
    is_bone: BoolProperty()
    touched: StringProperty(name="Touched")
    touched_is_bone: BoolProperty()
    kind: StringProperty(name="Kind")
    point: FloatVectorProperty(size=3, subtype="TRANSLATION")
    normal: FloatVectorProperty(size=3)
    face: IntProperty(name="Face", default=-1)
    steps: IntProperty(name="Steps")
    empty: PointerProperty(type=bpy.types.Object)
    marker: StringProperty()


def _is_armature(_, candidate):
    return candidate.type == "ARMATURE"


class TocsinSettings(bpy.types.PropertyGroup):
    """Settings and results of a scene."""

    armature: PointerProperty(
        name="Armature", type=bpy.types.Object, poll=_is_armature, description="Empty: the selected armature, if any"
    )
    room: EnumProperty(
        name="Against",
        items=[
            ("SELECTED", "Selected", "Selected meshes, and what selected empties instance"),
            ("VISIBLE", "Visible", "All visible meshes and instances"),
            ("COLLECTION", "Collection", "All meshes and instances of a collection"),
        ],
    )
    collection: PointerProperty(name="Collection", type=bpy.types.Collection)
    bones: EnumProperty(
        name="Bones",
        items=[
            ("DEFORM", "Deforming", "Bones that deform a mesh"),
            ("SELECTED", "Selected", "Selected bones"),
            ("ALL", "All", "All bones"),
        ],
    )
    radius_from: EnumProperty(
        name="Radius",
        items=[
            ("ENVELOPE", "Envelope", "The larger of the bone's two envelope radii"),
            ("LENGTH", "Length", "0.18 of the bone's length, between 1 and 12 cm"),
            ("FIXED", "Fixed", "One radius for all bones"),
        ],
    )
    radius: FloatProperty(name="Radius", default=0.05, min=1e-6, unit="LENGTH", subtype="DISTANCE")
    margin: FloatProperty(
        name="Margin", default=0.0, min=0.0, unit="LENGTH", subtype="DISTANCE", description="How near counts as touching"
    )
    samples: IntProperty(
        name="Samples per frame",
        default=1,
        min=1,
        max=64,
        description="Poses that are read from Blender per frame. Between them motion is interpolated, and proved",
    )
    in_between: EnumProperty(
        name="In between",
        items=[
            ("translate_rotate", "Move and turn", "Position and rotation at constant speed, as linear keys are"),
            ("screw", "Screw", "About one axis and along it: the usual motion of tocsin check"),
        ],
    )
    measure: BoolProperty(
        name="Measure in between",
        description="Also reads poses half-way between samples, and says how far Blender's motion is there from the checked one",
    )
    itself: BoolProperty(name="Bones against bones", description="Bones are checked against each other, too; neighbours are not")
    objects: BoolProperty(
        name="Moving meshes against meshes", default=True, description="Meshes that move are checked against the other meshes, too"
    )
    ignore: StringProperty(name="Ignore", description="Pairs BONE:OBJECT, with * and ?, separated by ; such as foot*:Floor")
    surfaces: StringProperty(
        name="Surfaces", description="Closed meshes that are not solid, with * and ?, separated by ; Others count as full inside"
    )

    contacts: CollectionProperty(type=TocsinContact)
    active: IntProperty(name="Contact")
    notes: CollectionProperty(type=TocsinNote)
    summary: StringProperty()
    marked: PointerProperty(type=bpy.types.Object, description="The armature whose bones are marked")

    def options(self, unit):
        """Options of a check; unit: metres of one unit of Blender."""
        return Options(
            margin=self.margin * unit,
            radius_from=self.radius_from,
            radius=self.radius * unit,
            in_between=self.in_between,
            ignore=_patterns(self.ignore),
            surfaces=_patterns(self.surfaces),
            itself=self.itself,
            objects=self.objects,
        )


def _patterns(text):
    return tuple(one.strip() for one in text.split(";") if one.strip())


CLASSES = (TocsinNote, TocsinContact, TocsinSettings)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.tocsin = PointerProperty(type=TocsinSettings)


def unregister():
    del bpy.types.Scene.tocsin
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
