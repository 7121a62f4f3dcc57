"""Tocsin in Blender: what an armature touches, when and where, with proof, between the frames too.

Modules without bpy, which tests read without Blender: rigid, samples, avatar, room, contacts, job. With bpy:
collect reads the scene, present writes results into it, settings, operators and panel are what a user sees.
"""

from . import engine

bl_info = {
    "name": "Tocsin",
    "description": "Finds what an armature touches between the frames, with proof",
    "author": "The Tocsin authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > Tocsin",
    "category": "Animation",
}

engine.find()


def register():
    """Called by Blender."""
    engine.need()
    from . import operators, panel, settings

    for module in (settings, operators, panel):
        module.register()


def unregister():
    """Called by Blender."""
    from . import operators, panel, settings

    for module in (panel, operators, settings):
        module.unregister()
