#!/usr/bin/env python3
"""What the tests that failed said last, from ctest's JUnit files: what a log that is cut at its end must still show.

Usage: failed_tests.py FILE...
"""

import sys
import xml.etree.ElementTree

TESTS, LINES, WIDTH = 3, 6, 160

failed = []
for name in sys.argv[1:]:
    try:
        cases = xml.etree.ElementTree.parse(name).getroot().iter("testcase")
    except (OSError, xml.etree.ElementTree.ParseError):
        continue  # a run that was cut short has none
    failed += [case for case in cases if case.get("status") == "fail"]
for case in failed[:TESTS]:
    lines = [line.rstrip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    print(f"\n{case.get('name')} said last:")
    print("\n".join("  " + line[:WIDTH] for line in lines[-LINES:]))
if len(failed) > TESTS:
    print(f"\n{len(failed) - TESTS} more tests failed")
