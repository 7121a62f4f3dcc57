#!/usr/bin/env python3
"""kernels.py COMMAND [ARCHITECTURE...]: which devices an ELF file has kernels for, read from the file itself.

Prints what all of its modules have: "sm_80 sm_90 compute_90" (code, code, PTX). Of the ARCHITECTURES, written so, each must
be there. Exit status: 0: all are; 1: one is missing, or the file is not what this reads.
"""

import struct
import sys

FATBIN = struct.Struct("<IHHQ")  # magic, version, bytes of this header, bytes of what follows
MAGIC = 0xBA55ED50
ENTRY = struct.Struct("<HHIQ12xI")  # kind, version, bytes of this header, bytes of what follows; the architecture at 28
KINDS = {1: "compute", 2: "sm"}  # PTX, code


def section(elf, name):
    """The bytes of an ELF64 file's section; none if it has none of this name."""
    if elf[:6] != b"\x7fELF\x02\x01":
        raise ValueError("it is no ELF file of 64 bits")
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    for header in headers:
        begin = headers[names][4] + header[0]
        if elf[begin : elf.index(b"\0", begin)] == name:
            return elf[header[4] : header[4] + header[5]]
    return b""


def modules(data):
    """For each fatbin of the section the architectures in it."""
    place = 0
    while place + FATBIN.size <= len(data):
        magic, _, header, body = FATBIN.unpack_from(data, place)
        if magic != MAGIC:
            place += 8  # padding
            continue
        place += header
        end, found = place + body, set()
        while place < end:
            kind, _, entry_header, entry_body, architecture = ENTRY.unpack_from(data, place)
            if kind in KINDS:
                found.add(f"{KINDS[kind]}_{architecture}")
            place += entry_header + entry_body
        yield found
        place = end


def main(file, wanted):
    with open(file, "rb") as stream:
        found = [m for m in modules(section(stream.read(), b".nv_fatbin")) if m]
    common = set.intersection(*found) if found else set()
    print(" ".join(sorted(common, key=lambda a: (a.startswith("compute"), int(a.split("_")[1])))) or "none")
    missing = [a for a in wanted if a not in common]
    if missing:
        print(f"error: {file} has no kernels for {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except (OSError, ValueError, IndexError, struct.error) as error:
        sys.exit(f"error: {error}")
