"""A robot cell: a plan from the crate to the bin, lifted until every moment of it is proved free.

python3 examples/robot_cell.py: the robot is made by `tocsin make-robot`; use your own URDF and cell in its place.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import tocsin


def plan(lift, rows=41):
    """Joint values over 4 s: the tool points down and goes from side to side, `lift` radians higher in the middle."""
    times = np.linspace(0.0, 4.0, rows)
    s = times / times[-1]
    eased = s**3 * (10 - 15 * s + 6 * s**2)
    bump = lift * np.minimum(1.0, 3 * np.minimum(s, 1 - s)) ** 2
    shoulder = 0.5 - bump
    elbow = np.full(rows, 1.2)
    return times, {
        "shoulder_pan": -0.53 + 1.06 * eased,
        "shoulder_lift": shoulder,
        "elbow": elbow,
        "wrist_pitch": np.pi - shoulder - elbow,
        "wrist_roll": np.zeros(rows),
        "tool_roll": np.zeros(rows),
        "finger_left": np.full(rows, 0.005),
    }


def check(robot, cell, lift):
    times, values = plan(lift)
    return tocsin.check(robot.motion(times, values), cell, avatar=robot.file, itself=True)


def first_contact(result):
    """Who meets whom first, an object or another link."""
    ends = result.contacts["seconds"][:, 1]
    first = int(np.argmin(ends))
    link, touched = result.contacts.link_names()[first], result.contacts.touched_names()[first]
    return f"{link} meets {touched} at {ends[first]:.3f} s"


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "tocsin", "make-robot", folder], check=True, stdout=subprocess.DEVNULL)
        robot = tocsin.Robot(Path(folder) / "arm.urdf")
        cell = tocsin.load_environment(Path(folder) / "cell.obj")
        for lift in np.arange(0.0, 0.6, 0.1):
            result = check(robot, cell, lift)
            if not result:
                proof = result.verify()
                print(f"lifted by {lift:.1f} rad: proved free in {result.step_count} steps; a second proof agrees: {proof.confirmed}")
                return 0
            print(f"lifted by {lift:.1f} rad: {first_contact(result)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
