#!/usr/bin/env python3
"""Packs the add-on for Blender: blender/tocsin_blender with the engine beside it, as one zip that Blender installs.

    scripts/blender.py [--package build/python/tocsin] [--out dist]

The engine is the built Python package, without the command. Equal contents make equal zips.
"""

import argparse
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADDON = ROOT / "blender" / "tocsin_blender"


def version():
    return re.search(r'kVersion = "([0-9.]+)"', (ROOT / "include" / "tocsin" / "version.h").read_text())[1]


def files_of(package):
    """(name in the zip, file), the engine's without its command."""
    for file in sorted(ADDON.rglob("*.py")):
        yield f"{ADDON.name}/{file.relative_to(ADDON).as_posix()}", file
    for file in sorted(package.rglob("*")):
        at = file.relative_to(package)
        if file.is_file() and at.parts[0] not in ("bin", "__pycache__"):
            yield f"{ADDON.name}/lib/tocsin/{at.as_posix()}", file
    yield f"{ADDON.name}/LICENSE", ROOT / "LICENSE"


def main():
    parser = argparse.ArgumentParser(description="Packs the add-on for Blender.")
    parser.add_argument("--package", type=pathlib.Path, default=ROOT / "build" / "python" / "tocsin")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "dist")
    parser.add_argument("--level", type=int, default=9, help="of compression, 0 to 9")
    options = parser.parse_args()
    if not list(options.package.glob("_tocsin*.so")):
        sys.exit(f"error: there is no engine in {options.package}: ./run build makes it")
    options.out.mkdir(parents=True, exist_ok=True)
    out = options.out / f"tocsin-blender-{version()}.zip"
    half = out.with_suffix(".part")
    with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED, compresslevel=options.level) as packed:
        for at, file in files_of(options.package):
            info = zipfile.ZipInfo(at, (2000, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, file.read_bytes(), compresslevel=options.level)
    half.replace(out)
    print(out)


if __name__ == "__main__":
    main()
