#!/usr/bin/env python3
"""scripts/count_tests.py on what ctest writes of suites and of other tests.

Usage: counted_tests.py ROOT
"""

import pathlib
import subprocess
import sys
import tempfile

RAN = "[==========] %d test%s from 1 test suite ran. (3 ms total)\n[  PASSED  ] %d tests.\n"
SKIPPED = "[  SKIPPED ] 2 tests, listed below:\n[  SKIPPED ] A.B\n[  SKIPPED ] A.C\n"
FAILED = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.D\n"
# What a test of ctest said, its status, and what it counts as.
CASES = [
    ("run", RAN % (12, "s", 12), (12, 0, 0)),
    ("run", RAN % (1, "", 1), (1, 0, 0)),
    ("run", RAN % (12, "s", 10) + SKIPPED, (10, 0, 2)),
    ("fail", RAN % (12, "s", 9) + SKIPPED + FAILED, (9, 1, 2)),
    ("fail", "[ RUN      ] A.B\nSegmentation fault", (0, 1, 0)),
    ("fail", RAN % (3, "s", 3) + "LeakSanitizer: detected memory leaks", (2, 1, 0)),
    ("run", "no suite: a script that says what it likes", (1, 0, 0)),
    ("fail", "a script", (0, 1, 0)),
    ("notrun", "skipped: there is no Xvfb", (0, 0, 1)),
]


def count(root, text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "ctest.xml"
        file.write_text(text)
        command = [sys.executable, "-B", root / "scripts/count_tests.py", file, pathlib.Path(folder) / "none.xml"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return tuple(int(word) for word in done.stdout.split())


def element(status, said):
    inside = {"fail": '<failure message=""/>', "notrun": '<skipped message="SKIP_RETURN_CODE=77"/>'}.get(status, "")
    return f'<testcase name="x" classname="x" time="1" status="{status}">{inside}<system-out>{said}</system-out></testcase>'


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: counted {found}, not {wanted}")


def main():
    root = pathlib.Path(sys.argv[1])
    head = '<?xml version="1.0" encoding="UTF-8"?><testsuite name="x" tests="1">'
    for status, said, wanted in CASES:
        expect(count(root, head + element(status, said) + "</testsuite>"), wanted, said)
    whole = head + "".join(element(status, said) for status, said, _ in CASES) + "</testsuite>"
    expect(count(root, whole), tuple(map(sum, zip(*(wanted for *_, wanted in CASES)))), "all of them")
    expect(count(root, head + element("run", "half of a file")), (0, 1, 0), "a file that ends early")


main()
