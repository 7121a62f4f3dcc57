#!/usr/bin/env python3
"""Writes walk_and_reach.bvh, the take of the demo (`./run demo`).

    python3 motions/make_walk_and_reach.py [FILE]    (walk_and_reach.bvh beside this)

A synthetic take of 4.3 s at 30 Hz: the avatar walks along +z through a door frame, stops in front
of a music stand, winds up and swings its right arm across. At the swing's fastest the arm is on one
side of the stand's mast in one frame and on the other side in the next; no frame touches anything
(tests/demo).

Joints are named, ordered and given channels (Zrotation Yrotation Xrotation) as in the cgspeed
conversion of the CMU motion-capture data. Centimetres, degrees, Y up, facing +z, left is +x. The
output is the same, byte for byte, wherever it is generated: numbers are rounded to 1e-4.
"""

import math
import pathlib
import sys

sys.dont_write_bytecode = True
from algebra import add, apply, cross, dot, euler_zyx, mul, normalized, rot_x, rot_y, rot_z
from algebra import scaled, sub, transposed

RATE = 30.0  # Hz
FRAMES = 130

# Body, cm.
HIP = (9.0, -6.0, 0.0)  # left hip joint in the pelvis
THIGH, SHIN = 41.0, 40.0
TOE = (0.0, -3.4, 12.0)  # toe base in the foot
TOE_TIP = (0.0, -3.4, 17.0)  # end of the toes, in the foot, which is as stiff as a shoe
# Height of the toes' axis over the floor when the foot is flat: the radius of humanoid16's foot,
# 3.5 cm, plus a sole of 1 cm, so that the walk itself touches nothing and the stand is the only
# thing to report.
TOE_HEIGHT = 4.5
ANKLE_HEIGHT = TOE_HEIGHT - TOE[1]
MAX_REACH = 0.985 * (THIGH + SHIN)  # a leg is never quite straight

# The walk: (foot, start s, end s, new place of the foot along z in cm). An adult's easy pace:
# 58 cm a step, two steps a second.
START_Z = -210.0
STEP_WIDTH = 9.0  # of each foot from the middle line, cm
STEPS = [
    ("L", 0.25, 0.65, -160.0),
    ("R", 0.74, 1.12, -102.0),
    ("L", 1.22, 1.60, -44.0),
    ("R", 1.71, 2.09, 14.0),
    ("L", 2.20, 2.58, 60.0),
    ("R", 2.68, 3.04, 40.0),
]

# The swing: seconds. Its middle lies half-way between frames 104 and 105.
WIND_UP, SWING, FOLLOW = 2.55, 99 / RATE, 110 / RATE


# --- curves in time ---


def ease(t, start, end):
    """0 before start, 1 after end, least jerk between (a person's unhurried reach follows it)."""
    x = max(0.0, min(1.0, (t - start) / (end - start)))
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


def keyed(t, *keys):
    """A curve through (time, value) keys, at rest in each of them."""
    value = keys[0][1]
    for (t0, v0), (t1, v1) in zip(keys, keys[1:]):
        value += (v1 - v0) * ease(t, t0, t1)
    return value


def smoothed(curve, t, width):
    """The mean of a curve over [t - width/2, t + width/2]."""
    n = 24
    return sum(curve(t + width * ((i + 0.5) / n - 0.5)) for i in range(n)) / n


# --- feet, pelvis, legs ---


def foot_z(foot, t):
    z = START_Z
    for which, start, end, place in STEPS:
        if which == foot:
            z += (place - z) * ease(t, start, end)
    return z


def foot_pitch(foot, t):
    """Degrees: heel up (positive) before the foot leaves the floor, toes up a little on landing."""
    pitch = 0.0
    for i, (which, start, end, _) in enumerate(STEPS):
        if which == foot:
            up = 20.0 if i in (0, len(STEPS) - 1) else 38.0  # less for the first and the last step
            pitch += keyed(
                t, (start - 0.26, 0.0), (start + 0.04, up), (end - 0.06, -9.0), (end + 0.1, 0.0)
            )
    return pitch


def foot_lift(foot, t):
    lift = 0.0
    for which, start, end, _ in STEPS:
        if which == foot and start < t < end:
            lift += 5.0 * math.sin(math.pi * (t - start) / (end - start)) ** 2
    return lift


def ankle(foot, t):
    """The ankle: it turns about the tip of the toes while the heel is up, else they about it."""
    pitch = foot_pitch(foot, t)
    flat = (
        STEP_WIDTH if foot == "L" else -STEP_WIDTH,
        ANKLE_HEIGHT + foot_lift(foot, t),
        foot_z(foot, t),
    )
    if pitch <= 0.0:
        return flat
    return sub(add(flat, TOE_TIP), apply(rot_x(pitch), TOE_TIP))


def stride(t):
    """How far the left foot is ahead of the right one, cm, without the jerks."""
    return smoothed(lambda s: foot_z("L", s) - foot_z("R", s), t, 0.2)


def pelvis_ground(t):
    """x and z of the pelvis: between the feet, at an even pace, over to the foot that carries."""
    z = smoothed(
        lambda s: 0.5 * (foot_z("L", s) + foot_z("R", s)), t + 0.1, 0.52
    )  # ahead: it falls forward
    x = smoothed(lambda s: 0.35 * (foot_lift("R", s) - foot_lift("L", s)), t, 0.2)
    return x, z + keyed(t, (2.4, 0.0), (3.2, 4.0))


def pelvis_limit(t):
    """The greatest height of the pelvis that both legs can bear."""
    x, z = pelvis_ground(t)
    limit = ANKLE_HEIGHT + MAX_REACH
    for foot, side in (("L", 1.0), ("R", -1.0)):
        a = ankle(foot, t)
        dx, dz = a[0] - (x + side * HIP[0]), a[2] - (z + HIP[2])
        limit = min(limit, a[1] + math.sqrt(MAX_REACH**2 - dx * dx - dz * dz))
    return limit - HIP[1] - 0.6  # the pelvis also tilts


def pelvis_height(t):
    """The limit's moving minimum, smoothed over the same window: within it, without jerks."""
    width, n = 0.22, 8

    def minimum(s):
        return min(pelvis_limit(s + width * (i / n - 0.5)) for i in range(n + 1))

    return smoothed(minimum, t, width) - keyed(t, (2.6, 0.0), (3.3, 2.5), (4.2, 1.5))


def leg(hips, hips_rotation, foot, t):
    """Two-bone inverse kinematics: local rotations of upper leg, lower leg and foot."""
    side = 1.0 if foot == "L" else -1.0
    hip = add(hips, apply(hips_rotation, (side * HIP[0], HIP[1], HIP[2])))
    reach = sub(ankle(foot, t), hip)
    d = math.sqrt(dot(reach, reach))
    if d > THIGH + SHIN:
        raise ValueError(
            "t = %.2f s: the %s leg is %.1f cm too short" % (t, foot, d - THIGH - SHIN)
        )
    n = scaled(reach, 1.0 / d)
    x_axis = normalized(sub((1.0, 0.0, 0.0), scaled(n, n[0])))
    y_axis = scaled(n, -1.0)
    z_axis = cross(x_axis, y_axis)
    hip_angle = math.degrees(math.acos((THIGH**2 + d * d - SHIN**2) / (2.0 * THIGH * d)))
    knee_angle = 180.0 - math.degrees(
        math.acos((THIGH**2 + SHIN**2 - d * d) / (2.0 * THIGH * SHIN))
    )
    thigh = mul(transposed((x_axis, y_axis, z_axis)), rot_x(-hip_angle))
    shin = mul(thigh, rot_x(knee_angle))
    return (
        mul(transposed(hips_rotation), thigh),
        rot_x(knee_angle),
        mul(transposed(shin), rot_x(foot_pitch(foot, t))),
    )


# --- the pose ---


def upper_body(t):
    """Local rotations of back, neck, head and arms."""
    walk = stride(t)
    swing = lambda before, wound, after: keyed(
        t, (WIND_UP, before), (SWING, wound), (FOLLOW, after)
    )
    turn = 0.16 * walk + swing(
        0.0, -33.0, 33.0
    )  # of the chest against the pelvis, + is to the left
    lean = 2.0 + swing(0.0, 6.0, 16.0)  # forward
    third = mul(rot_y(turn / 3.0), rot_x(lean / 3.0))
    look = mul(rot_x(-0.3 * lean), rot_y(-0.28 * turn))  # the face stays ahead
    pose = {
        "LowerBack": third,
        "Spine": third,
        "Spine1": third,
        "Neck": look,
        "Neck1": look,
        "Head": look,
    }

    # Arms. R_x swings in the walk, R_y carries the arm forward and across, R_z lets it hang.
    away = 1.0 - ease(t, WIND_UP, WIND_UP + 0.4)
    pose["RightArm"] = mul(
        rot_x(-0.36 * walk * away), rot_y(swing(4.0, -6.0, 126.0)), rot_z(swing(80.0, 34.0, 34.0))
    )
    pose["RightForeArm"] = rot_y(
        keyed(
            t,
            (WIND_UP, 16.0 + 0.12 * walk * away),
            (SWING, 30.0),
            (FOLLOW - 0.1, 8.0),
            (FOLLOW + 0.35, 40.0),
        )
    )
    pose["LeftArm"] = mul(
        rot_x(0.36 * walk * away),
        rot_y(swing(-4.0, -12.0, 22.0)),
        rot_z(swing(-80.0, -68.0, -58.0)),
    )
    pose["LeftForeArm"] = rot_y(-16.0 + 0.12 * walk * away + swing(0.0, -10.0, -22.0))
    pose["RightHand"] = rot_z(swing(0.0, 4.0, -4.0))
    return pose


def pose_at(t):
    """Root position and the local rotations that are not the identity."""
    x, z = pelvis_ground(t)
    hips = (x, pelvis_height(t), z)
    yaw = -0.10 * stride(t) + keyed(t, (WIND_UP, 0.0), (SWING, -12.0), (FOLLOW, 14.0))
    roll = 0.5 * smoothed(lambda s: foot_lift("R", s) - foot_lift("L", s), t, 0.2)
    rotation = mul(rot_y(yaw), rot_z(roll))
    pose = upper_body(t)
    pose["Hips"] = rotation
    for foot, name in (("L", "Left"), ("R", "Right")):
        for joint, local in zip(("UpLeg", "Leg", "Foot"), leg(hips, rotation, foot, t)):
            pose[name + joint] = local
    return hips, pose


# --- the file ---


def side_of(name, mirror):
    """Leg and arm of one side as (name, offset, children); mirror = -1 for the right."""
    letter = name[0]
    leg_chain = (
        letter + "HipJoint",
        (0, 0, 0),
        [
            (
                name + "UpLeg",
                (mirror * HIP[0], HIP[1], HIP[2]),
                [
                    (
                        name + "Leg",
                        (0, -THIGH, 0),
                        [
                            (
                                name + "Foot",
                                (0, -SHIN, 0),
                                [(name + "ToeBase", TOE, sub(TOE_TIP, TOE))],
                            )
                        ],
                    )
                ],
            )
        ],
    )
    arm_chain = (
        name + "Shoulder",
        (0, 12.0, 0),
        [
            (
                name + "Arm",
                (mirror * 17.0, 5.0, -1.0),
                [
                    (
                        name + "ForeArm",
                        (mirror * 28.5, 0, 0),
                        [
                            (
                                name + "Hand",
                                (mirror * 25.5, 0, 0),
                                [
                                    (
                                        name + "FingerBase",
                                        (0, 0, 0),
                                        [
                                            (
                                                letter + "Fingers",
                                                (mirror * 8.0, 0, 0),
                                                (mirror * 8.0, 0, 0),
                                            )
                                        ],
                                    ),
                                    (letter + "Thumb", (0, 0, 0), (mirror * 5.0, 0, 5.0)),
                                ],
                            )
                        ],
                    )
                ],
            )
        ],
    )
    return leg_chain, arm_chain


def skeleton():
    left_leg, left_arm = side_of("Left", 1)
    right_leg, right_arm = side_of("Right", -1)
    neck = (
        "Neck",
        (0, 12.0, 0),
        [("Neck1", (0, 8.0, 1.0), [("Head", (0, 8.0, 1.0), (0, 17.0, 0))])],
    )
    back = (
        "LowerBack",
        (0, 0, 0),
        [("Spine", (0, 11.5, -1.0), [("Spine1", (0, 11.5, 0), [neck, left_arm, right_arm])])],
    )
    return ("Hips", (0, 0, 0), [left_leg, right_leg, back])


def write_joint(joint, depth, lines, order):
    name, offset, children = joint
    tab = "\t" * depth
    lines += [
        tab + ("JOINT " if depth else "ROOT ") + name,
        tab + "{",
        tab + "\tOFFSET %.4f %.4f %.4f" % tuple(offset),
        tab
        + ("\tCHANNELS 3" if depth else "\tCHANNELS 6 Xposition Yposition Zposition")
        + " Zrotation Yrotation Xrotation",
    ]
    order.append(name)
    if isinstance(children, list):
        for child in children:
            write_joint(child, depth + 1, lines, order)
    else:
        lines += [
            tab + "\tEnd Site",
            tab + "\t{",
            tab + "\t\tOFFSET %.4f %.4f %.4f" % tuple(children),
            tab + "\t}",
        ]
    lines.append(tab + "}")


def text():
    lines, order = ["HIERARCHY"], []
    write_joint(skeleton(), 0, lines, order)
    lines += ["MOTION", "Frames: %d" % FRAMES, "Frame Time: %.7f" % (1.0 / RATE)]
    identity = rot_x(0.0)
    for frame in range(FRAMES):
        hips, pose = pose_at(frame / RATE)
        numbers = list(hips)
        for name in order:
            numbers += euler_zyx(pose.get(name, identity))
        # Adding zero turns a rounded -0.0 into 0.0.
        lines.append(" ".join("%.4f" % (round(x, 4) + 0.0) for x in numbers))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    out = (
        pathlib.Path(sys.argv[1])
        if len(sys.argv) > 1
        else pathlib.Path(__file__).with_name("walk_and_reach.bvh")
    )
    out.write_bytes(text().encode("ascii"))
