"""demo.py LIBRARY PROGRAM...: the demo's take in its room by ctypes alone. The report's contact lines, written here from the
structs, have the hash of `tocsin check`; and each PROGRAM (C99, Rust), which checks the same, prints the hash of the same
bytes as this one computes.
"""

import ctypes
import json
import math
import os
import re
import subprocess
import sys

import header

TAKE = os.path.join(header.ROOT, "motions/walk_and_reach.bvh")
ROOM = os.path.join(header.ROOT, "environments/music_room.obj")
HASH = "48358337da900ae9"  # of README.md; tests/demo shows that it is the command's
STATUS = ["overlap", "hit", "graze"]


def fnv1a(data, value=0xCBF29CE484222325):
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


class Demo:
    def __init__(self, file):
        self.read = header.Header()
        self.library = self.read.bind(file)
        self.contact = self.read.struct("tocsin_contact")

    def call(self, name, *arguments):
        status = getattr(self.library, "tocsin_" + name)(*arguments)
        assert status == 0, (name, status, self.library.tocsin_last_error())

    def make(self, name, *arguments):
        out = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(out))
        return out

    def text(self, name, *arguments):
        length = ctypes.c_size_t()
        self.call(name, *arguments, None, 0, ctypes.byref(length))
        buffer = ctypes.create_string_buffer(length.value + 1)
        self.call(name, *arguments, buffer, len(buffer), None)
        return buffer.value.decode()

    def contacts(self, reports, report=0):
        count = ctypes.c_size_t()
        self.call("reports_contacts", reports, report, None, 0, ctypes.byref(count))
        out = (self.contact * max(1, count.value))()
        out[0].size = ctypes.sizeof(self.contact)
        self.call("reports_contacts", reports, report, out, count.value or 1, None)
        return list(out[: count.value])

    def run(self):
        """All contacts as (report, contact, seconds)."""
        motion = self.make("motion_load", TAKE.encode(), None)
        room = self.make("environment_load", ROOM.encode(), None)
        avatar = self.make("avatar_load_for", b"auto", motion)
        member = self.make("member_create", avatar, None, None)
        detector = self.make("detector_create", room, None)
        found, failures = [], []

        @ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
        def sink(_, reports):
            try:
                report = self.read.struct("tocsin_report")(size=80)
                self.call("reports_get", reports, 0, ctypes.byref(report))
                found.extend((report, contact) for contact in self.contacts(reports))
                sink.steps += 1
            except AssertionError as error:
                failures.append(error)
            return 1

        sink.steps = 0
        self.call("detector_run", detector, member, motion, None, None, sink, None)
        assert not failures and sink.steps == 129, (failures, sink.steps)
        lines = [self.line(motion, avatar, room, *one) for one in found]
        for handle in (motion, room, avatar, member, detector):
            self.call("destroy", handle)
        assert self.library.tocsin_handle_count() == 0
        return found, lines

    def line(self, motion, avatar, room, report, contact):
        assert contact.kind == 0 and contact.flags == self.read.enums["TOCSIN_HAS_NORMAL"]
        step = self.make("motion_step", motion, *report.frames, 0)
        seconds = []
        for t in contact.toc:
            out = ctypes.c_double()
            self.call("step_seconds", step, t, ctypes.byref(out))
            seconds.append(out.value)
        self.call("destroy", step)
        line = {
            "type": "contact", "step": report.step, "frames": list(report.frames), "seconds": seconds,
            "toc": list(contact.toc), "avatar": report.avatar, "link": self.text("avatar_link_name", avatar, contact.link),
            "object": self.text("environment_object_name", room, contact.object), "triangle": contact.triangle,
            "status": STATUS[contact.status], "point": [contact.point.x, contact.point.y, contact.point.z],
            "normal": [contact.normal.x, contact.normal.y, contact.normal.z],
        }  # fmt: skip
        assert math.isclose(math.hypot(*line["normal"]), 1.0)
        # A report writes whole numbers without a point.
        return re.sub(r"(\d)\.0(?=[,\]])", r"\1", json.dumps(line, separators=(",", ":"))) + "\n"


def main():
    demo = Demo(sys.argv[1])
    found, lines = demo.run()
    hashed = f"{fnv1a(''.join(lines).encode()):016x}"
    print("".join(lines), end="")
    assert len(lines) == 1 and hashed == HASH, hashed
    expected = f"{len(found)} contacts {fnv1a(b''.join(bytes(contact) for _, contact in found)):016x}"
    for program in sys.argv[2:]:
        said = subprocess.run([program, TAKE, ROOM], check=True, capture_output=True, text=True).stdout.splitlines()
        assert said[-1] == expected, (program, said, expected)
        print(f"{os.path.basename(program)}: {said[-1]}")
    return 0


sys.exit(main())
