"""Instruction counts by valgrind's callgrind, of one function's calls only."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NoReturn

# The function around the work that counts: bench/counted.h.
COUNTED = "tocsin_counted"


def fail(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def under_valgrind(tool: list[str], command: list[str]) -> str:
    """What the command prints."""
    if shutil.which("valgrind") is None:
        fail("there is no valgrind; on Debian: apt install valgrind")
    # No other variable of this shell reaches the program: libraries, locale and threads cost instructions too.
    kept = {name: os.environ[name] for name in ("PATH", "TOCSIN_DATA") if name in os.environ}
    done = subprocess.run(
        ["valgrind", "-q", *tool, *command], capture_output=True, text=True, env={**kept, "LC_ALL": "C"}, check=False
    )
    if done.returncode != 0:
        fail(f"{' '.join(command)} under valgrind: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def count(command: list[str]) -> tuple[str, list[int]]:
    """What the command prints, and the instructions of every call of COUNTED in turn."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "counts")
        tool = ["--tool=callgrind", f"--toggle-collect={COUNTED}", f"--dump-after={COUNTED}"]
        printed = under_valgrind([*tool, f"--callgrind-out-file={out}"], command)
        dumps = [name for name in glob.glob(out + ".*") if re.search(r"\.\d+$", name)]
        return printed, [_total(name) for name in sorted(dumps, key=lambda name: int(name.rsplit(".", 1)[1]))]


def _total(dump: str) -> int:
    with open(dump, encoding="utf-8") as file:
        for line in file:
            if line.startswith("totals:"):
                return int(line.split()[1])
    return 0
