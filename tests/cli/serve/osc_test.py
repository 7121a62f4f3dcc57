"""liblo, which is not Tocsin's, on both ends: its `oscsend` and python3-liblo send VMC's messages to a real server, and a server of
python3-liblo gets what --osc-out sends, what is predicted (lookahead=) before what touches.

Usage: osc_test.py TOCSIN SOURCES. Exit status: 0: all holds; 77: liblo-tools or python3-liblo is not there.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from live_places import TIME_LIMIT, Server, poses_of

DEBIANS = "/usr/bin/python3"
failures = []

# Bones, in Unity's axes: x to the right. A person of 1.7 m, arms out.
BONES = {
    "Hips": (0, 0.93, 0), "Spine": (0, 0.1, 0), "Neck": (0, 0.4, 0), "Head": (0, 0.1, 0),
    "LeftUpperArm": (-0.17, 0.33, 0), "LeftLowerArm": (-0.28, 0, 0), "LeftHand": (-0.27, 0, 0),
    "RightUpperArm": (0.17, 0.33, 0), "RightLowerArm": (0.28, 0, 0), "RightHand": (0.27, 0, 0),
    "LeftUpperLeg": (-0.09, 0, 0), "LeftLowerLeg": (0, -0.43, 0), "LeftFoot": (0, -0.44, 0), "LeftToes": (0, -0.03, 0.13),
    "RightUpperLeg": (0.09, 0, 0), "RightLowerLeg": (0, -0.43, 0), "RightFoot": (0, -0.44, 0), "RightToes": (0, -0.03, 0.13),
}


def check(holds, what):
    if not holds:
        failures.append(what)


def send_by_liblo(liblo, port):
    """Two frames in bundles, then one message by message, the floor touched in the third."""
    to = liblo.Address("127.0.0.1", port, liblo.UDP)
    numbers = lambda at: [("f", float(x)) for x in (*at, 0, 0, 0, 1)]
    bones = lambda down: [
        liblo.Message("/VMC/Ext/Bone/Pos", name, *numbers((at[0], at[1] - (down if name == "Hips" else 0), at[2])))
        for name, at in BONES.items()
    ]
    for i, down in enumerate((-0.5, -0.4)):
        root = liblo.Message("/VMC/Ext/Root/Pos", "root", *numbers((0.25, 0, 0)))
        messages = [liblo.Message("/VMC/Ext/OK", 1), root, *bones(down), liblo.Message("/VMC/Ext/Blend/Apply")]
        liblo.send(to, liblo.Bundle(*messages))
        liblo.send(to, liblo.Message("/VMC/Ext/T", ("f", 0.5 + 0.25 * i)))
    for message in bones(0.1):
        liblo.send(to, message)
    liblo.send(to, liblo.Message("/VMC/Ext/Tracking", 1))  # unknown here
    liblo.send(to, liblo.Message("/VMC/Ext/T", ("f", 1.0)))


def send_by_oscsend(oscsend, port):
    def say(*words):
        subprocess.run([oscsend, "127.0.0.1", str(port), *words], check=True, timeout=TIME_LIMIT)

    say("/VMC/Ext/Bone/Pos", "sfffffff", "Hips", "0", "1.5", "0", "0", "0", "0", "1")
    say("/VMC/Ext/T", "f", "1.25")


def main():
    tocsin, sources = sys.argv[1:3]
    oscsend = shutil.which("oscsend")
    try:
        import liblo
    except ImportError:
        liblo = None
        # Debian's package is for Debian's interpreter.
        if os.path.exists(DEBIANS) and not os.path.samefile(sys.executable, DEBIANS):
            os.execv(DEBIANS, [DEBIANS, *sys.argv])
    if oscsend is None or liblo is None:
        print("skipped: liblo-tools and python3-liblo are not both installed")
        return 77
    all_heard = []
    receiver = liblo.Server(proto=liblo.UDP)
    for address, types in (("/tocsin/contact", "ssssfffff"), ("/tocsin/ahead", "ssssffff")):
        receiver.add_method(address, types, lambda path, args: all_heard.append((path, args)))
    heard = lambda address: [args for path, args in all_heard if path == address]
    with tempfile.TemporaryDirectory() as folder:
        room = os.path.join(folder, "floor.obj")
        with open(room, "w", encoding="utf-8") as out:
            out.write("o Floor\nv -5 0 -5\nv -5 0 5\nv 5 0 5\nv 5 0 -5\nf 1 2 3 4\n")
        options = ["--vmc", "0=floor,avatar=humanoid16,lookahead=1,idle=3600", "--osc-out", f"127.0.0.1:{receiver.port}"]
        server = Server(tocsin, room, folder, options)
        try:
            send_by_liblo(liblo, server.ports["vmc"])
            send_by_oscsend(oscsend, server.ports["vmc"])
            numbers = server.wait_for("vmc", 2 * 2 + len(BONES) + 2 + 2)
            until = time.monotonic() + TIME_LIMIT
            while not any(args[0] == "end" for args in heard("/tocsin/contact")) and time.monotonic() < until:
                receiver.recv(50)
        finally:
            check(server.end() == 0, server.log())
        while receiver.recv(50):  # what it has sent is there now
            pass
        (lines, stem), = server.reports("vmc")
        check_session(lines, stem, numbers)
        check_contacts(heard("/tocsin/contact"), lines)
    check_warnings(all_heard)
    check_the_end(liblo, receiver, all_heard, tocsin)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def check_session(lines, stem, numbers):
    head, poses = poses_of(stem)
    check([joint["name"] for joint in head["joints"]][:3] == ["root", "Hips", "Spine"], f"{head['joints'][:3]}")
    check(len(head["joints"]) == 1 + len(BONES), f"{len(head['joints'])} joints")
    check([pose["tick"] for pose in poses] == [0.5, 0.75, 1.0, 1.25], f"{[pose['tick'] for pose in poses]}")
    check(poses[0]["local"][:7] == [1, 0, 0, 0, -0.25, 0, 0] or poses[0]["local"][4] == -0.25, f"{poses[0]['local'][:7]}")
    left = [joint["name"] for joint in head["joints"]].index("LeftUpperArm")
    check(abs(poses[0]["local"][7 * left + 4] - 0.17) < 1e-7, "the left arm is at +x")
    check(poses[3]["local"][12] == 1.5, f"oscsend's hips: {poses[3]['local'][7:14]}")
    check(numbers['tocsin_capture_unknown_total{protocol="vmc"}'] == 1, "one message is unknown")
    # The root does not come again, and every bone but the hips is missing in the last frame.
    check(numbers['tocsin_capture_held_joints_total{protocol="vmc"}'] == len(BONES) - 1, f"{numbers}")


def check_contacts(heard, lines):
    """The feet go down by 0.5 m in 0.25 s, through the floor, and up again."""
    touched = {line["link"] for line in lines if line["type"] == "contact"}
    begun = {args[2]: args for args in heard if args[0] == "begin"}
    ended = {args[2] for args in heard if args[0] == "end"}
    check("left_foot" in touched and set(begun) == touched == ended, f"{touched}, {set(begun)} begun, {ended} ended")
    for link, args in begun.items():
        check(args[3] == "Floor" and abs(args[4] - 2.0) < 1e-3, f"{link} comes at {args[4]} m/s")
        check(abs(args[6]) < 1e-6, f"{link} touches at a height of {args[6]} m")
        check(args[8] >= 0.0, f"{link} is {args[8]} m deep")


def check_the_end(liblo, receiver, all_heard, tocsin):
    """A server that ends while the feet are in the floor says so: a suit would go on for ever."""
    all_heard.clear()
    with tempfile.TemporaryDirectory() as folder:
        room = os.path.join(folder, "floor.obj")
        with open(room, "w", encoding="utf-8") as out:
            out.write("o Floor\nv -5 0 -5\nv -5 0 5\nv 5 0 5\nv 5 0 -5\nf 1 2 3 4\n")
        server = Server(tocsin, room, folder, ["--vmc", "0=floor,avatar=humanoid16,idle=3600", "--osc-out", f"127.0.0.1:{receiver.port}"])
        try:
            to = liblo.Address("127.0.0.1", server.ports["vmc"], liblo.UDP)
            for i, height in enumerate((1.5, 0.9)):
                bones = [liblo.Message("/VMC/Ext/Bone/Pos", name, *[("f", float(x)) for x in (at[0], height if name == "Hips" else at[1], at[2], 0, 0, 0, 1)])
                         for name, at in BONES.items()]  # fmt: skip
                liblo.send(to, liblo.Bundle(*bones, liblo.Message("/VMC/Ext/T", ("f", 0.5 + 0.25 * i))))
            until = time.monotonic() + TIME_LIMIT
            while len(all_heard) < 2 and time.monotonic() < until:
                receiver.recv(50)
        finally:
            check(server.end() == 0, server.log())
    while receiver.recv(50):
        pass
    links = {state: {args[2] for _, args in all_heard if args[0] == state} for state in ("begin", "end")}
    check("left_foot" in links["begin"] and links["begin"] == links["end"], f"{links}")


def check_warnings(all_heard):
    """In the first step the body comes down at 0.4 m/s: its feet are predicted to touch within a second, and do in the next step."""
    said = [(path.rpartition("/")[2], args[0], args[2]) for path, args in all_heard]
    for link in ("left_foot", "right_foot"):
        warnings = [args for path, args in all_heard if path == "/tocsin/ahead" and args[0] == "begin" and args[2] == link]
        places = [said.index(one) if one in said else -1 for one in (("ahead", "begin", link), ("contact", "begin", link), ("ahead", "end", link))]
        check(len(warnings) == 1 and 0 <= places[0] < places[1] < places[2], f"{link}: {said}")
        for args in warnings:
            check(args[3] == "Floor" and 0.9 < args[4] < 1.0 and abs(args[6]) < 1e-6, f"{link} is foreseen so: {args}")


if __name__ == "__main__":
    sys.exit(main())
