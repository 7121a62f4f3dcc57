"""Where the engine is: the package `tocsin` that the add-on's zip holds, or one that Python finds anyhow."""

import importlib
import os
import sys

#: What Debian 12 has the shared libraries in that the engine is linked with.
PACKAGES = "libassimp5 libfmt9 libhwy1 libpng16-16 libtbb12 liburdfdom-model3.0 python3-numpy"


def find():
    """Puts the package that lies beside this file where Python finds it."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    if os.path.isdir(os.path.join(folder, "tocsin")) and folder not in sys.path:
        sys.path.insert(0, folder)


def need():
    """Raises RuntimeError, which says what is missing, where the engine cannot be loaded."""
    try:
        importlib.import_module("tocsin")
    except ImportError as error:
        why = error.__cause__ or error
        python = ".".join(map(str, sys.version_info[:2]))
        raise RuntimeError(
            f"Tocsin's engine cannot be loaded: {why}. The zip is for Debian 12's Blender (Python 3.11; this is {python}), "
            f"with these packages: {PACKAGES}"
        ) from error
