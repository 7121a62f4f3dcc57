"""The panel Tocsin in the 3D viewport's sidebar."""

import textwrap

import bpy

from . import operators


class TOCSIN_UL_contacts(bpy.types.UIList):
    """A row a contact: frame, who touches what; a sign where it is no plain touch."""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _property, index):
        row = layout.split(factor=0.36)
        left = row.row(align=True)
        left.operator("tocsin.go", text="", icon="PLAY", emboss=False).index = index
        left.label(text=f"{item.frame:.2f}")
        row.label(text=f"{item.who} > {item.touched}", icon="NONE" if item.kind == "touch" else "ERROR")


def wrapped(context, layout, text, icon):
    """A text in as many lines as the sidebar's width needs."""
    letters = int(context.region.width / (7 * context.preferences.system.ui_scale))
    for i, line in enumerate(textwrap.wrap(text, max(16, letters - 6))):
        layout.label(text=line, icon=icon if i == 0 else "BLANK1")


class TOCSIN_PT_panel(bpy.types.Panel):
    """Settings, buttons, contacts"""

    bl_idname = "TOCSIN_PT_panel"
    bl_label = "Tocsin"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tocsin"

    def draw(self, context):
        settings = context.scene.tocsin
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("armature", "bones", "radius_from"):
            layout.prop(settings, name)
        if settings.radius_from == "FIXED":
            layout.prop(settings, "radius")
        layout.prop(settings, "room")
        if settings.room == "COLLECTION":
            layout.prop(settings, "collection")
        layout.prop(settings, "margin")
        if operators.running is None:
            layout.operator("tocsin.check", icon="PLAY")
        else:
            layout.label(text=f"{100 * operators.running.progress:.0f} %", icon="TIME")
            layout.operator("tocsin.cancel", icon="X")
        if settings.summary:
            self._contacts(context, layout, settings)

    def _contacts(self, context, layout, settings):
        box = layout.column()
        wrapped(context, box, settings.summary, "INFO")
        for note in settings.notes:
            wrapped(context, box, note.name, "ERROR")
        if len(settings.contacts):
            box.template_list("TOCSIN_UL_contacts", "", settings, "contacts", settings, "active", rows=5)
            row = box.row(align=True)
            row.operator("tocsin.next", text="Previous", icon="PREV_KEYFRAME").back = True
            row.operator("tocsin.next", text="Next", icon="NEXT_KEYFRAME")
            if 0 <= settings.active < len(settings.contacts):
                self._details(box, settings.contacts[settings.active])
        box.operator("tocsin.clear", icon="TRASH")

    def _details(self, box, contact):
        column = box.column(align=True)
        column.enabled = False
        column.prop(contact, "kind")
        column.prop(contact, "frame")
        column.prop(contact, "seconds")
        column.prop(contact, "until")
        column.prop(contact, "point", text="Point")
        if contact.face >= 0:
            column.prop(contact, "face")


class TOCSIN_PT_more(bpy.types.Panel):
    """Settings that most checks leave as they are"""

    bl_label = "More"
    bl_parent_id = "TOCSIN_PT_panel"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tocsin"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        settings = context.scene.tocsin
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("samples", "in_between", "measure", "itself", "objects", "ignore", "surfaces"):
            layout.prop(settings, name)


CLASSES = (TOCSIN_UL_contacts, TOCSIN_PT_panel, TOCSIN_PT_more)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
