"""Inside of Blender with a window: the check as a modal operator, its progress, Esc, Cancel, undo. And pictures.

Blender draws and handles events between the steps of a generator: each `yield` gives it a moment.
"""

import faulthandler
import json
import os
import sys
import traceback

import bpy
import build
from tocsin_blender import operators

TASK = json.loads(os.environ["TOCSIN_BLENDER_TEST"])
#: Seconds: between two looks, and for all.
LOOK, LIMIT = 0.05, 240


def begin(tell):
    """Runs steps() from a timer, and ends Blender, without a question about what was not saved."""
    going = steps()
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    bpy.context.preferences.view.use_save_prompt = False
    bpy.context.preferences.view.show_splash = False

    def go_on():
        status = 1
        try:
            next(going)
            return LOOK
        except StopIteration:
            status = 0
        except Exception:
            traceback.print_exc()
        sys.stderr.flush()
        tell(status)
        faulthandler.cancel_dump_traceback_later()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(go_on, first_interval=1.0, persistent=True)


def view():
    """Where the operators work as if a user had pressed a button there."""
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    region = next(one for one in area.regions if one.type == "WINDOW")
    return {"window": window, "area": area, "region": region, "screen": window.screen}


def press(operator, how="INVOKE_DEFAULT"):
    with bpy.context.temp_override(**view()):
        return operator(how, True)


def long_swing(frames):
    scene = build.fresh(1, frames)
    rig, wall = build.armature(), build.sheet()
    build.swing(rig, degrees=(-40, -40, 40), frames=(1, frames - 1, frames))
    build.select(rig, wall)
    return scene, rig


def finished():
    while operators.running is not None:
        yield


def steps():
    if "TOCSIN_PICTURE" in os.environ:
        import picture

        yield from picture.draw(os.environ["TOCSIN_PICTURE"])
        return
    for step in (a_check_runs_to_its_end, cancel_while_frames_are_read, cancel_while_it_proves, esc_cancels, a_refusal_ends_it, another_file_ends_it):
        print(step.__name__, file=sys.stderr, flush=True)
        yield from step()


def a_check_runs_to_its_end():
    scene, _ = long_swing(60)
    bpy.ops.ed.undo_push(message="before")
    scene.frame_set(7)
    assert press(bpy.ops.tocsin.check) == {"RUNNING_MODAL"}
    assert not bpy.ops.tocsin.check.poll()  # one at a time
    seen = []
    while operators.running is not None:
        seen.append(operators.running.progress)
        yield
    assert seen == sorted(seen) and len(seen) >= 2
    settings = bpy.context.scene.tocsin
    assert len(settings.contacts) == 1, settings.summary
    expected = build.swing_touches(frames=(59, 60))
    assert abs(settings.contacts[0].frame - expected) < 1e-4, settings.contacts[0].frame
    assert bpy.context.scene.frame_current == 7
    yield
    with bpy.context.temp_override(**view()):
        bpy.ops.ed.undo()
    assert len(bpy.context.scene.tocsin.contacts) == 0 and "Tocsin faces" not in bpy.data.objects
    assert not bpy.context.scene.timeline_markers


def cancel_while_frames_are_read():
    scene, _ = long_swing(100_000)
    scene.frame_set(7)
    press(bpy.ops.tocsin.check)
    while operators.running.progress == 0.0:
        yield
    assert operators.running.job is None
    assert press(bpy.ops.tocsin.cancel, "EXEC_DEFAULT") == {"FINISHED"}
    yield from finished()
    assert scene.frame_current == 7 and scene.tocsin.summary == "" and not scene.timeline_markers


def cancel_while_it_proves():
    scene, _ = long_swing(120)
    scene.tocsin.samples = 64
    press(bpy.ops.tocsin.check)
    while operators.running is not None and operators.running.job is None:
        yield
    job = operators.running.job
    assert not job.done
    press(bpy.ops.tocsin.cancel, "EXEC_DEFAULT")
    yield from finished()
    assert job.done and job.result is None and scene.tocsin.summary == ""
    assert scene.frame_current == 1


def esc_cancels():
    """In both halves; while frames are read, other keys do nothing."""
    for half in ("reads", "proves"):
        # So long that it is not over before the keys come.
        scene, _ = long_swing(100_000 if half == "reads" else 120)
        scene.tocsin.samples = 1 if half == "reads" else 64
        press(bpy.ops.tocsin.check)
        while operators.running.job is None if half == "proves" else operators.running.progress == 0.0:
            yield
        window = view()["window"]
        if half == "reads":
            count = len(bpy.data.objects)
            for kind in ("A", "X", "RET"):  # would select and delete all
                window.event_simulate(type=kind, value="PRESS", x=500, y=400)
                window.event_simulate(type=kind, value="RELEASE", x=500, y=400)
                yield
            assert len(bpy.data.objects) == count and operators.running is not None
            assert operators.running.job is None
        window.event_simulate(type="ESC", value="PRESS", x=500, y=400)
        yield from finished()
        assert scene.tocsin.summary == "" and scene.frame_current == 1 and not scene.timeline_markers


def a_refusal_ends_it():
    scene, rig = long_swing(30)
    rig.scale = (1, 1, 2)
    press(bpy.ops.tocsin.check)
    yield from finished()
    assert scene.tocsin.summary == "" and scene.frame_current == 1


def another_file_ends_it():
    long_swing(100_000)
    press(bpy.ops.tocsin.check)
    yield
    assert operators.running is not None
    with bpy.context.temp_override(**view()):
        bpy.ops.wm.read_homefile(use_empty=True)
    yield
    assert operators.running is None
