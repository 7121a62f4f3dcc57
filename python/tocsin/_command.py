"""The command `tocsin` of this package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def path() -> str:
    """Where the command is."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tocsin")


def main() -> NoReturn:
    """Becomes the command, with this program's arguments."""
    command = path()
    if not os.access(command, os.X_OK):
        sys.exit(f"tocsin: this package was built without the command: there is no {command}")
    os.execv(command, ["tocsin", *sys.argv[1:]])
