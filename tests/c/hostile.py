"""hostile.py LIBRARY: every function, called wrongly in every way that ctypes can, returns an error and does not crash.

For each function: all arguments NULL or 0; then with a right first handle; then, for each argument that is a handle,
NULL, numbers that are no handle, a handle that was destroyed, and handles of all other kinds. A crash ends the process,
and so the test. No object is made or lost by it.
"""

import ctypes
import sys

import header

# Without an argument, or without one that may be wrong.
HARMLESS = {"tocsin_c_version", "tocsin_version", "tocsin_status_name", "tocsin_last_error", "tocsin_handle_count"}
GARBAGE = [1, 2, 8, 0xDEADBEEF, 0x7FFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x100000000, 0x1FFFFFFFF, 0x100000FFFFFFFF]


class Objects:
    """One object of each kind."""

    def __init__(self, read, library):
        self.read, self.library, self.of = read, library, {}
        transform = read.struct("tocsin_transform")
        still = (transform * 2)()
        for one in still:
            one.rotation.w = 1.0
        names = (ctypes.c_char_p * 1)(b"root")
        self.make("tocsin_skeleton", "skeleton_create", 1, names, (ctypes.c_int32 * 1)(-1), still)
        self.make("tocsin_motion", "motion_create", self.of["tocsin_skeleton"], 0.1, still, 2)
        self.make("tocsin_step", "motion_step", self.of["tocsin_motion"], 0, 1, 0)
        half = read.struct("tocsin_vec3")(1, 1, 1)
        self.make("tocsin_shape", "shape_box", ctypes.byref(half), 0.0)
        self.make("tocsin_mesh", "mesh_of_shape", self.of["tocsin_shape"])
        link = read.struct("tocsin_link")(size=80, name=b"ball", radius=0.1)
        self.make("tocsin_avatar", "avatar_create", b"ball", self.of["tocsin_skeleton"], ctypes.byref(link), 1)
        self.make("tocsin_member", "member_create", self.of["tocsin_avatar"], None, None)
        self.make("tocsin_environment", "environment_create", None, 0)
        self.make("tocsin_detector", "detector_create", self.of["tocsin_environment"], None)
        self.make("tocsin_stream", "stream_create", self.of["tocsin_detector"], self.of["tocsin_member"], None)
        members = (ctypes.c_void_p * 1)(self.of["tocsin_member"])
        self.make("tocsin_crowd", "crowd_create", self.of["tocsin_detector"], members, 1, None)
        self.make("tocsin_pair", "pair_create", self.of["tocsin_shape"], self.of["tocsin_shape"])
        for kind in ("reports", "cancel"):
            self.make(f"tocsin_{kind}", f"{kind}_create")
        self.make("tocsin_scene", "scene_create", None)

    def make(self, kind, function, *arguments):
        out = ctypes.c_void_p()
        status = getattr(self.library, "tocsin_" + function)(*arguments, ctypes.byref(out))
        assert status == 0, (function, self.library.tocsin_last_error())
        self.of[kind] = out.value


def main():
    read = header.Header()
    library = read.bind(sys.argv[1])
    objects = Objects(read, library)
    assert sorted(objects.of) == sorted(read.handles), "an object of each kind"
    gone = ctypes.c_void_p()
    assert library.tocsin_reports_create(ctypes.byref(gone)) == 0 and library.tocsin_destroy(gone) == 0
    there, calls, problems = library.tocsin_handle_count(), 0, []
    handle_error = read.enums["TOCSIN_ERROR_HANDLE"]

    def call(name, arguments, wanted=None):
        nonlocal calls
        calls += 1
        status = getattr(library, name)(*arguments)
        text = library.tocsin_last_error()
        if status == 0 or (wanted is not None and status != wanted) or not text:
            problems.append(f"{name}{arguments}: status {status}, {text}")

    def nothing(arguments):
        return [None if read.type_of(kind) is ctypes.c_void_p or kind.endswith("*") else 0 for kind, _ in arguments]

    for name, (_, arguments) in read.functions.items():
        if name in HARMLESS or name == "tocsin_destroy":
            continue
        call(name, nothing(arguments))
        right = [objects.of.get(kind, empty) for (kind, _), empty in zip(arguments, nothing(arguments))]
        if right != nothing(arguments) and len(arguments) > 1:
            # The right handles, and nothing else: what needs no more than that is not called wrongly.
            status = getattr(library, name)(*right)
            calls += 1
            needs_more = any(kind.endswith("*") for kind, _ in arguments if not kind.startswith("const"))
            if needs_more and status == 0 and name not in ("tocsin_scene_add_environment",):
                problems.append(f"{name}: OK without a place for its answer")
        for i, (kind, argument) in enumerate(arguments):
            if kind not in read.handles:
                continue
            optional = name == "tocsin_member_create" and argument == "environment"
            wrong = [*GARBAGE, gone.value, *(objects.of[other] for other in read.handles if other != kind)]
            for handle in wrong if optional else [None, *wrong]:
                out = [ctypes.byref(ctypes.create_string_buffer(256)) if one.endswith("*") and not one.startswith("const")
                       else value for (one, _), value in zip(arguments, right)]  # fmt: skip
                out[i] = handle
                call(name, out, handle_error)
    for handle in [*GARBAGE, gone.value]:
        call("tocsin_destroy", [handle], handle_error)
    if library.tocsin_handle_count() != there:
        problems.append(f"{library.tocsin_handle_count() - there} objects were made by calls that failed")
    for handle in objects.of.values():
        assert library.tocsin_destroy(handle) == 0
    if library.tocsin_handle_count() != 0:
        problems.append("an object is left")
    print("\n".join(problems[:20]) or f"{calls} wrong calls of {len(read.functions)} functions, {calls} errors")
    return 1 if problems or calls < 2500 else 0


sys.exit(main())
