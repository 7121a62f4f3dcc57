#!/usr/bin/env python3
"""What is in deploy/ fits the command: manual pages, the service's unit and configuration, the container's packages.

Usage: deployment.py COMMAND ROOT
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMMAND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def told(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def manual_pages(folder):
    """A page for each command, with each of its options, that the formatter has nothing to say against."""
    told(sys.executable, ROOT / "scripts/man_pages.py", COMMAND, folder)
    pages = {page.stem: page.read_text() for page in folder.glob("*.1")}
    for name in ("check", "info", "verify", "validate", "render", "report", "export", "serve", "send", "devices", "selftest", "convert", "make-room",
                 "make-motion", "update"):
        page = pages.get(f"tocsin-{name}")
        expect(page, f"there is a page of {name}")
        for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", told(COMMAND, name, "--help"), re.MULTILINE):
            expect(option.replace("-", "\\-") in page, f"the page of {name} has {option}")
        expect(".SH EXAMPLES" in page and ".SH EXIT STATUS" in page, f"the page of {name} has examples and exit statuses")
    expect(len(pages) == 21, f"21 pages, not {len(pages)}")
    if not shutil.which("groff"):
        return
    for page in folder.glob("*.1"):
        run = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
        expect(run.returncode == 0 and not run.stderr, f"{page.name}: {run.stderr}")


def unit():
    """The service's command line is one of the command's, and the configuration is read."""
    text = (ROOT / "deploy/tocsin.service").read_text()
    start = re.search(r"^ExecStart=/usr/bin/tocsin (.*)$", text, re.MULTILINE)[1].split()
    expect(start == ["serve", "--config", "/etc/tocsin/serve.json"], f"the unit starts {start}")
    settings = json.loads(told(COMMAND, "serve", "--config", ROOT / "deploy/serve.json", "--print-config"))
    expect(settings["listen"] == "127.0.0.1:50051", "the package's service is for this machine")
    grace = re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[1]
    expect(int(grace) >= settings["grace"] + 10, "the unit leaves the server its time to end")


def container():
    """The container has the packages that ./run would install."""
    shown = re.search(r"--no-install-recommends((?: \\\n    \S+)+)", (ROOT / "deploy/Dockerfile").read_text())[1].split()
    wanted = told("bash", "-c", f"cd '{ROOT}' && . scripts/lib.sh && packages_for build && packages_for package").split()
    expect(sorted(set(shown) - {"\\"}) == sorted(set(wanted)), "deploy/Dockerfile has the packages of scripts/lib.sh")


with tempfile.TemporaryDirectory() as temporary:
    manual_pages(pathlib.Path(temporary))
unit()
container()
