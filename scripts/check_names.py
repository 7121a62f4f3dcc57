#!/usr/bin/env python3
"""Checks that no class is defined twice: of two with one name in one namespace the linker keeps one's inline functions
for both, and says nothing.

Usage: scripts/check_names.py [FOLDER...] (src and include). Exit status: 1 if a name is there twice.
"""

import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"(?:inline )?namespace\s*([\w:]*)\s*\{(?!.*\})")
CLOSED = re.compile(r"\}\s*// namespace")
DEFINED = re.compile(r"(?:template <.*> ?)?(?:class|struct|union|enum class) (?:alignas\([^)]*\)+ )?(\w+)(?! *::|\w|<)")
DECLARED = re.compile(r"[^{]*;\s*(//.*)?$")
UNNAMED = ""


def classes(path):
    """Fully qualified names of the classes that a file defines, without those of unnamed namespaces."""
    inside, begin = [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        opened, defined = NAMESPACE.match(line), DEFINED.match(line)
        if opened:
            inside.append(opened[1])
            begin = number
        elif inside and (CLOSED.match(line) or line == "}" and number <= begin + 2):  # short: without a comment
            inside.pop()
        elif defined and not DECLARED.match(line) and UNNAMED not in inside:
            yield "::".join([*inside, defined[1]])


def main(folders):
    places = collections.defaultdict(set)
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu"):
                for name in classes(path):
                    places[name].add(str(path))
    twice = {name: files for name, files in places.items() if len(files) > 1}
    for name, files in sorted(twice.items()):
        print(f"{name} is defined in {' and in '.join(sorted(files))}", file=sys.stderr)
    return 1 if twice or not places else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["src", "include"]))
