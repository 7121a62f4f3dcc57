"""verify and render, as functions."""

from __future__ import annotations

import os
import subprocess
from typing import Any, Union

import numpy as np

from . import _command
from ._result import Result
from ._tocsin import Error, Verification

_CODES = {2: "usage", 3: "input", 4: "resource"}


def verify(what: Union[Result, str, os.PathLike[str]], fraction: float = 1.0, threads: int = 0) -> Any:
    """Proves a check again by a second implementation.

    what: a Result; then this is Result.verify, a Verification. Or a report's file, as `tocsin check
    --out` writes it: then its check is also run again and compared, by the command `tocsin verify`, and
    the answer is (confirmed, its text). fraction: share of the steps. Raises Error for what is refused.
    """
    if isinstance(what, Result):
        return what.verify(fraction, threads)
    name = os.fspath(what)
    words = [_command.path(), "verify", "--fraction", repr(float(fraction))]
    words += ["--threads", str(threads)] if threads > 0 else []
    done = subprocess.run([*words, "--", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    text = done.stdout.decode()
    if done.returncode in (0, 1):
        return done.returncode == 0, text
    said = done.stderr.decode().strip()
    error = Error(said.removeprefix("tocsin verify: "))
    error.code = _CODES.get(done.returncode, "resource")
    raise error


def render(result: Result, *args: Any, **options: Any) -> np.ndarray[Any, Any]:
    """A picture of a contact or a step, (height, width, 3) uint8, sRGB: see Result.render."""
    return result.render(*args, **options)


__all__ = ["Verification", "render", "verify"]
