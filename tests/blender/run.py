"""Packs the add-on as ./run blender does, and runs the tests inside of Blender, which installs the zip as a user does.

    run.py scenes|window BUILD [pytest's arguments]

scenes: without a window. window: with one, of Xvfb. Exit status 77: skipped, and why is said.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def main():
    kind, build, arguments = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    blender = shutil.which("blender")
    if blender is None:
        skip("Blender is not installed; apt-get install --no-install-recommends blender")
    words = [blender, "--factory-startup"]
    if kind == "scenes":
        words += ["--background"]
    else:
        if shutil.which("xvfb-run") is None:
            skip("there is no Xvfb; apt-get install xvfb xauth")
        words = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", *words]
        words += ["--window-geometry", "0", "0", "1280", "800", "--enable-event-simulate"]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        pack = [sys.executable, "-B", ROOT / "scripts" / "blender.py", "--package", build / "python" / "tocsin", "--level", "1"]
        packed = subprocess.run([*pack, "--out", work], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        told = work / "told.json"
        task = {"zip": packed, "kind": kind, "told": str(told), "arguments": arguments, "command": str(build / "bin" / "tocsin")}
        environment = {
            **os.environ,
            "TOCSIN_BLENDER_TEST": json.dumps(task),
            "BLENDER_USER_SCRIPTS": str(work / "scripts"),
            "BLENDER_USER_CONFIG": str(work / "config"),
            # Blender takes the Python that it finds first for its home; its own is Debian's.
            "PATH": f"/usr/bin:{os.environ['PATH']}",
            "TMPDIR": str(work),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        environment.pop("PYTHONPATH", None)  # the zip alone must be enough
        (work / "scripts" / "addons").mkdir(parents=True)
        done = subprocess.run([*words, "--python-exit-code", "3", "--python", HERE / "inside.py"], env=environment, check=False)
        # Blender's own status says little: what the tests told counts.
        if not told.exists():
            for crash in work.glob("*.crash.txt"):
                print(crash.read_text())
            sys.exit(f"error: Blender ended with status {done.returncode}, and the tests told nothing")
        status = json.loads(told.read_text())["status"]
        print(f"pytest: status {status}; Blender: status {done.returncode}")
        sys.exit(1 if status != 0 or done.returncode != 0 else 0)


if __name__ == "__main__":
    main()
