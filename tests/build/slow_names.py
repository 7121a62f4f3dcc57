"""Fails where a name that is left out of a run stands for no test: usage: slow_names.py TESTS SUITE.CASE|SUITE.*..."""

import pathlib
import re
import sys

sources = "".join(file.read_text() for file in pathlib.Path(sys.argv[1]).rglob("*.cpp"))
unknown = []
for name in sys.argv[2:]:
    suite, case = name.split(".", 1)
    if not re.search(rf"TEST(_F|_P)?\(\s*{suite},\s*{'' if case == '*' else case + chr(92) + ')'}", sources):
        unknown.append(name)
if not sys.argv[2:] or unknown:
    sys.exit("no such test: " + (" ".join(unknown) or "no name at all"))
