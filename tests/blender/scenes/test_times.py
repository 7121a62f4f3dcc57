"""Contacts whose time is known in closed form. Blender keeps 32 bits, so frames are compared to 1e-5."""

import math
import re

import bpy
import pytest
from build import NEAR, armature, check, cube, found, key, mesh, only, post, sheet, swing, swing_touches


def test_an_arm_that_swings_through_a_sheet_between_two_frames():
    rig, wall = armature(), sheet()
    swing(rig)
    contact = only(check(rig, wall), "arm", "Sheet", swing_touches())
    assert contact.seconds == pytest.approx((swing_touches() - 1) / 10, abs=1e-6)
    assert contact.until == 2 and contact.steps == 1 and contact.face == 0
    assert contact.point[:2] == pytest.approx((0.5, 0.0), abs=1e-5)
    # The normal leads from the sheet's edge to the bone, square to it.
    angle = math.asin(0.2)
    assert contact.normal[:2] == pytest.approx((-math.sin(angle), -math.cos(angle)), abs=1e-4)


def test_no_contact_is_said_only_where_there_is_none():
    rig, wall = armature(), sheet(near=1.2)
    swing(rig)
    settings = check(rig, wall)
    assert len(settings.contacts) == 0 and settings.summary == "No contact in 1 step of 1 bone and 1 mesh"


def test_a_margin_makes_it_earlier():
    rig, wall = armature(), sheet()
    swing(rig)
    only(check(rig, wall, margin=0.05), "arm", "Sheet", swing_touches(0.15))


def test_a_uniform_scale_of_the_armature():
    rig, wall = armature(), sheet(near=1.0, far=3.0)
    rig.scale = (2, 2, 2)
    swing(rig)
    only(check(rig, wall), "arm", "Sheet", swing_touches(0.2, 1.0))


def test_a_unit_of_the_scene_changes_no_place_and_no_time():
    rig, wall = armature(), sheet()
    swing(rig)
    bpy.context.scene.unit_settings.scale_length = 0.01
    contact = only(check(rig, wall, margin=0.05), "arm", "Sheet", swing_touches(0.15))
    assert contact.point[:2] == pytest.approx((0.5, 0.0), abs=1e-5)
    only(check(rig, wall, margin=0.0, radius_from="FIXED", radius=0.2), "arm", "Sheet", swing_touches(0.2))
    # Lengths in metres count where they are asked for: the bone is 1 cm long, so the least radius, 1 cm, is 1 unit.
    assert found(check(rig, wall, margin=0.0, radius_from="LENGTH"))[0][2] == "overlap"


def test_the_armature_itself_moves():
    rig, wall = post(), cube(at=(0, 0, 0))
    key(rig, "location", {1: (4, 0, 0), 2: (0.2, 0, 0)})
    only(check(rig, wall), "post", "Cube", 1 + (4 - 0.6) / 3.8)


def test_a_screw_or_a_straight_way():
    """A quarter turn about the world's z: as a screw on a circle, else on its chord. On the circle it comes to y = 0.65, 0.1 from the cube's face."""
    rig, box = post(), cube(half=0.1, at=(0.85, 0.85, 0.5))
    key(rig, "location", {1: (1, 0, 0), 2: (0, 1, 0)})
    key(rig, "rotation_euler", {1: (0, 0, 0), 2: (0, 0, math.pi / 2)})
    assert not check(rig, box).contacts
    only(check(rig, box, in_between="screw"), "post", "Cube", 1 + math.degrees(math.asin(0.65)) / 90)


def test_more_samples_see_what_happens_within_a_frame():
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.5), 1.5: (0, 0, 0.5), 2: (3, 0, 0.5)})
    assert len(check(rig, box).contacts) == 0
    settings = check(rig, box, samples=2)
    only(settings, "post", "Cube", 1.4)
    assert settings.contacts[0].steps == 2 and settings.contacts[0].until == 2


def difference(settings):
    (text,) = [note.name for note in settings.notes if note.name.startswith("half-way")]
    found = re.search(r"up to (\S+) units from the checked one \('(.*)' at frame (\S+)\)", text)
    return (float(found[1]), found[2], float(found[3])) if found else (0.0, "", 0.0)


def test_how_far_blenders_motion_is_from_the_checked_one(scene):
    """Of a parabola between whole frames: acceleration times the square of a frame, over 8."""
    scene.frame_end = 9
    rig, box = post(), cube(at=(9, 0, 0.5))
    driver = box.driver_add("location", 1).driver
    driver.expression = "0.16 * frame * frame"
    bpy.context.view_layer.update()
    off, name, _ = difference(check(rig, box, measure=True))
    assert (name, off) == ("Cube", pytest.approx(0.32 / 8, rel=0.02))
    off, name, frame = difference(check(rig, box, measure=True, samples=2))
    assert off == pytest.approx(0.32 / 32, rel=0.02) and frame % 0.5 == 0.25
    # Bones: the end of an arm that turns back in the midst of a frame.
    box.driver_remove("location", 1)
    box.location = (9, 0, 0.5)
    swung = armature("Swung")
    swing(swung, degrees=(0, 20, 0), frames=(1, 4.5, 8))
    off, name, frame = difference(check(swung, box, measure=True, samples=1))
    # At 4 and 5 it is at 20 * 6 / 7 degrees, at 4.5 at 20.
    assert (name, frame) == ("arm", 4.5) and off == pytest.approx(2 * math.sin(math.radians(20 / 7) / 2), rel=0.02)


def test_linear_keys_are_the_checked_motion(scene):
    scene.frame_end = 3
    rig, wall, box = armature(), sheet(), cube(at=(9, 9, 9))
    stick = cube("Stick", half=0.1, at=(0.1, 0.2, 0))
    stick.parent, stick.parent_type, stick.parent_bone = rig, "BONE", "arm"
    swing(rig, degrees=(-40, 40, 10), frames=(1, 2, 3))
    key(box, "location", {1: (9, 9, 9), 3: (20, 30, 9)})
    key(box, "scale", {1: (1, 1, 1), 3: (3, 1, 1)})
    rig.scale = (2, 2, 2)
    settings = check(rig, wall, box, stick, measure=True)
    assert difference(settings)[0] < 1e-5 and found(settings)


def test_an_episode_is_one_contact(scene):
    scene.frame_end = 9
    rig, box = post(), cube()
    key(box, "location", {1: (3, 0, 0.5), 4: (0, 0, 0.5), 6: (3, 0, 0.5), 9: (0, 0, 0.5)})
    settings = check(rig, box)
    assert [one[:3] for one in found(settings)] == [("post", "Cube", "touch")] * 2
    frames = [one.frame for one in settings.contacts]
    assert frames == pytest.approx([1 + 2.4, 6 + 2.4], abs=NEAR)
    assert [one.until for one in settings.contacts] == [5, 9]


def test_patterns():
    rig, wall = armature(), sheet()
    swing(rig)
    assert len(check(rig, wall, ignore="a*:Sheet").contacts) == 0
    settings = check(rig, wall, ignore="leg*:Sheet; arm:Door")
    only(settings, "arm", "Sheet", swing_touches())
    assert [note.name for note in settings.notes] == ["ignore 'leg*:Sheet' matches no pair", "ignore 'arm:Door' matches no pair"]


def test_the_preview_range_counts(scene):
    scene.frame_end = 20
    rig, wall = armature(), sheet()
    swing(rig, frames=(11, 12))
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 5, 15
    settings = check(rig, wall)
    only(settings, "arm", "Sheet", swing_touches(frames=(11, 12)))
    assert settings.contacts[0].seconds == pytest.approx((swing_touches(frames=(11, 12)) - 5) / 10, abs=1e-6)
    assert "10 steps" in settings.summary
