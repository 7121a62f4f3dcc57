#!/usr/bin/env python3
"""How many tests passed, failed and were skipped, from ctest's JUnit files: three numbers.

A test of ctest that is a suite of GoogleTest counts as the cases that it says it ran; any other as one.

Usage: count_tests.py FILE...
"""

import re
import sys
import xml.etree.ElementTree

RAN = re.compile(r"^\[==========\] (\d+) tests? from \d+ test suites? ran\.", re.MULTILINE)
SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below:", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below:", re.MULTILINE)


def last(pattern, text):
    found = pattern.findall(text)
    return int(found[-1]) if found else 0


def count(case):
    """(passed, failed, skipped) of a test of ctest."""
    status, said = case.get("status"), case.findtext("system-out") or ""
    if status == "notrun" or case.find("skipped") is not None and not RAN.search(said):
        return 0, 0, 1
    ran, skipped, failed = last(RAN, said), last(SKIPPED, said), last(FAILED, said)
    if status == "fail":
        # It may have failed otherwise than by a case, or before it could say how many it ran.
        failed = max(1, failed)
        return max(0, ran - skipped - failed), failed, skipped
    if ran == 0:
        return 1, 0, 0
    return ran - skipped - failed, failed, skipped


def main():
    total = [0, 0, 0]
    for name in sys.argv[1:]:
        try:
            cases = xml.etree.ElementTree.parse(name).getroot().iter("testcase")
        except OSError:
            continue  # a run that was cut short has none
        except xml.etree.ElementTree.ParseError as error:
            print(f"{name}: {error}", file=sys.stderr)
            total[1] += 1
            continue
        for case in cases:
            total = [a + b for a, b in zip(total, count(case))]
    print(*total)


main()
