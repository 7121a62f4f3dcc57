"""Inside of Blender: installs the zip, runs pytest, writes its status into a file (run.py)."""

import json
import os
import pathlib
import sys

import bpy

HERE = pathlib.Path(__file__).resolve().parent
TASK = json.loads(os.environ["TOCSIN_BLENDER_TEST"])


def tell(status):
    pathlib.Path(TASK["told"]).write_text(json.dumps({"status": int(status)}))


def pytest_status(folder):
    import pytest

    return pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", str(HERE / folder), *TASK["arguments"]])


def install():
    bpy.ops.preferences.addon_install(filepath=TASK["zip"])
    bpy.ops.preferences.addon_enable(module="tocsin_blender")
    import tocsin

    # The engine is the zip's own.
    assert "tocsin_blender/lib" in pathlib.Path(tocsin.__file__).as_posix(), tocsin.__file__


sys.path.insert(0, str(HERE))
install()
if TASK["kind"] == "scenes":
    tell(pytest_status("scenes"))
else:
    import window

    window.begin(tell)
