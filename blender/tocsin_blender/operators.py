"""What the panel's buttons do."""

import time

import bpy

from . import present
from .collect import Collector
from .job import Job
from .samples import Refused

#: Seconds: between two looks at a job, and how long frames are read before Blender draws again.
LOOK, READ = 0.05, 0.1

#: The check that runs, one at a time: a Check.
running = None


class Check:
    """A check from the first frame that is read to its result. Both ways of the operator lead it."""

    def __init__(self, context):
        self._scene = present.key(context.scene)  # a user may undo while the job runs: then it is another object
        self._options = context.scene.tocsin.options(context.scene.unit_settings.scale_length)
        self.collector = Collector(context)
        self._armature = present.key(self.collector.armature)
        self._next = 0
        self.job = None
        self.cancelled = False

    def read(self, seconds):
        """Reads frames for about so long. True: all are read, and the job runs."""
        end = time.monotonic() + seconds
        while self._next < self.collector.count:
            self.collector.read(self._next)
            self._next += 1
            if time.monotonic() >= end:
                break
        if self._next < self.collector.count:
            return False
        self.collector.restore()
        self.job = Job(self.collector.samples(), self._options)
        self.job.start()
        return True

    @property
    def progress(self):
        """0 to 1: half for the frames, half for the proof."""
        if self.job is None:
            return 0.5 * self._next / self.collector.count
        return 0.5 + 0.5 * self.job.progress

    def cancel(self):
        self.cancelled = True
        if self.job is not None:
            self.job.cancel()

    def abandon(self):
        """Ends it, whatever it is at: the scene is as it was."""
        self.cancel()
        if self.job is not None:
            self.job.join()
        else:
            self.collector.restore()

    def show(self):
        """Writes the result. Raises Refused with what went wrong."""
        if self.job.error:
            raise Refused(self.job.error)
        scene = present.find(bpy.data.scenes, self._scene)
        if scene is None:
            raise Refused(f"scene '{self._scene[0]}' was removed or renamed while it was checked")
        present.show(scene, self.job.result, self._armature)
        return scene.tocsin.summary


class TOCSIN_OT_check(bpy.types.Operator):
    """Finds what the armature's bones touch in the scene's range, between the frames too"""

    bl_idname = "tocsin.check"
    bl_label = "Check"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode in {"OBJECT", "POSE"} and running is None

    def execute(self, context):
        """Without a window: reads, checks, and returns when all is done."""
        try:
            check = Check(context)
        except Refused as refused:
            return self._refuse(refused)
        try:
            check.read(float("inf"))
            check.job.join()
            self.report({"INFO"}, check.show())
        except Refused as refused:
            return self._refuse(refused)
        finally:
            if check.job is None:
                check.abandon()
        return {"FINISHED"}

    def invoke(self, context, _event):
        global running
        if bpy.app.background:
            return self.execute(context)
        try:
            running = Check(context)
        except Refused as refused:
            return self._refuse(refused)
        self._window = context.window_manager
        self._timer = self._window.event_timer_add(LOOK, window=context.window)
        self._window.modal_handler_add(self)
        self._window.progress_begin(0, 100)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        check = running
        if event.type == "ESC":
            check.cancel()
        if event.type != "TIMER":
            # While frames are read nobody may change the scene, nor move its playhead.
            return {"PASS_THROUGH"} if check.job is not None else {"RUNNING_MODAL"}
        try:
            if check.cancelled:
                self._end(context)
                self.report({"WARNING"}, "Cancelled: nothing is said about contacts")
                return {"CANCELLED"}
            if check.job is None:
                check.read(READ)
            elif check.job.done:
                summary = check.show()
                self._end(context)
                self.report({"INFO"}, summary)
                return {"FINISHED"}
        except Refused as refused:
            self._end(context)
            return self._refuse(refused)
        except Exception:
            self._end(context)
            raise
        self._tell(context)
        return {"PASS_THROUGH"}

    def cancel(self, context):
        """Blender ends the operator: another file, or the end."""
        self._end(context)

    def _tell(self, context):
        share = running.progress
        what = "reads frames" if running.job is None else "checks"
        self._window.progress_update(int(100 * share))
        context.workspace.status_text_set(f"Tocsin {what}: {100 * share:.0f} %   (Esc: cancel)")
        _redraw(context)

    def _end(self, context):
        global running
        if running is None:
            return
        running.abandon()
        running = None
        self._window.event_timer_remove(self._timer)
        self._window.progress_end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        _redraw(context)

    def _refuse(self, refused):
        self.report({"ERROR"}, str(refused))
        return {"CANCELLED"}


class TOCSIN_OT_cancel(bpy.types.Operator):
    """Ends the check that runs"""

    bl_idname = "tocsin.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        return running is not None

    def execute(self, _context):
        running.cancel()
        return {"FINISHED"}


class TOCSIN_OT_clear(bpy.types.Operator):
    """Removes markers, arrows, marked faces and the marks of bones"""

    bl_idname = "tocsin.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return running is None and bool(context.scene.tocsin.summary)

    def execute(self, context):
        present.clear(context.scene)
        return {"FINISHED"}


class TOCSIN_OT_next(bpy.types.Operator):
    """Goes to the next contact"""

    bl_idname = "tocsin.next"
    bl_label = "Next contact"
    bl_options = {"REGISTER", "UNDO"}

    back: bpy.props.BoolProperty(name="Back", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context):
        return running is None and len(context.scene.tocsin.contacts) > 0

    def execute(self, context):
        scene = context.scene
        settings = scene.tocsin
        now = scene.frame_current_final
        frames = [one.frame for one in settings.contacts]
        # A playhead keeps 32 bits of a frame.
        near = 1e-5 * max(1.0, abs(now))
        here = 0 <= settings.active < len(frames) and abs(frames[settings.active] - now) <= near
        if here:
            index = (settings.active + (-1 if self.back else 1)) % len(frames)
        elif self.back:
            index = max((i for i, frame in enumerate(frames) if frame < now), default=len(frames) - 1)
        else:
            index = min((i for i, frame in enumerate(frames) if frame > now), default=0)
        go_to(context, index)
        return {"FINISHED"}


class TOCSIN_OT_go(bpy.types.Operator):
    """Goes to this contact"""

    bl_idname = "tocsin.go"
    bl_label = "Go to contact"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty()

    @classmethod
    def poll(cls, context):
        return TOCSIN_OT_next.poll(context)

    def execute(self, context):
        if not 0 <= self.index < len(context.scene.tocsin.contacts):
            self.report({"ERROR"}, f"there is no contact {self.index}")
            return {"CANCELLED"}
        go_to(context, self.index)
        return {"FINISHED"}


def go_to(context, index):
    """The playhead to a contact; its bone becomes the active one."""
    scene = context.scene
    settings = scene.tocsin
    settings.active = index
    contact = settings.contacts[index]
    scene.show_subframe = True  # this goes to a whole frame
    whole = int(contact.frame // 1)
    scene.frame_set(whole, subframe=contact.frame - whole)
    armature = settings.marked
    if armature is not None and contact.is_bone and contact.who in armature.data.bones:
        for bone in armature.data.bones:
            bone.select = bone.name == contact.who
        armature.data.bones.active = armature.data.bones[contact.who]


def _redraw(context):
    screen = context.screen
    for area in screen.areas if screen is not None else ():
        if area.type in {"VIEW_3D", "DOPESHEET_EDITOR", "TIMELINE"}:
            area.tag_redraw()


CLASSES = (TOCSIN_OT_check, TOCSIN_OT_cancel, TOCSIN_OT_clear, TOCSIN_OT_next, TOCSIN_OT_go)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    if running is not None:
        running.abandon()
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
