"""abi.py LIBRARY COMPILER [--update]: the C interface is what abi.txt says.

Functions with their arguments, structs with their fields' places, numbers of enums: nothing in abi.txt may change, as
programs were compiled with it. What is new is written there with --update, which refuses to change or drop a line.
Besides: the library exports exactly the headers' functions (nm), and structs lie in memory as COMPILER lays them out.
"""

import ctypes
import os
import subprocess
import sys
import tempfile

import header

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "abi.txt")


def lines_of(read):
    """A line for everything that a program was compiled with: (what, how)."""
    out = {}
    for name, (result, arguments) in read.functions.items():
        out[f"function {name}"] = f"{result} ({', '.join(kind for kind, _ in arguments)})"
    for name in read.structs:
        struct = read.struct(name)
        out[f"struct {name}"] = f"{ctypes.sizeof(struct)} bytes"
        for kind, field, length in read.structs[name]:
            array = f"[{length}]" if length else ""
            out[f"field {name}.{field}"] = f"{kind}{array} at {getattr(struct, field).offset}"
    for name, value in read.enums.items():
        out[f"number {name}"] = str(value)
    return out


def exported(library):
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = [line.split()[-1].split("@")[0] for line in shown.splitlines() if " A " not in line]
    return set(names)


def as_compiled(read, compiler):
    """What a C99 compiler thinks of the structs' places: an array of -1 elements where it differs."""
    source = '#include <stddef.h>\n#include "tocsin/tocsin_c.h"\n'
    for name in read.structs:
        struct = read.struct(name)
        source += f"typedef char size_of_{name}[sizeof({name}) == {ctypes.sizeof(struct)} ? 1 : -1];\n"
        for _, field, _ in read.structs[name]:
            place = getattr(struct, field).offset
            source += f"typedef char place_of_{name}_{field}[offsetof({name}, {field}) == {place} ? 1 : -1];\n"
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "abi.c")
        with open(file, "w", encoding="utf-8") as out:
            out.write(source)
        flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        return subprocess.run([compiler, *flags, "-I", os.path.join(header.ROOT, "include"), file], check=False).returncode


def main():
    library, compiler = sys.argv[1:3]
    read = header.Header()
    now = lines_of(read)
    kept = {}
    if os.path.exists(LIST):
        with open(LIST, encoding="utf-8") as opened:
            kept = dict(line.rstrip("\n").split(": ", 1) for line in opened)
    problems = [f"{what}: was {kept[what]}, is {now.get(what, 'gone')}" for what in kept if kept[what] != now.get(what)]
    if "--update" in sys.argv and not problems:
        with open(LIST, "w", encoding="utf-8") as out:
            out.writelines(f"{what}: {now[what]}\n" for what in sorted(now))
        kept = now
    problems += [f"{what} is new: tests/c/abi.py LIBRARY COMPILER --update" for what in now if what not in kept]
    names = exported(library)
    problems += [f"{name} is exported and in no header" for name in names - set(read.functions)]
    problems += [f"{name} is in a header and not exported" for name in set(read.functions) - names]
    if as_compiled(read, compiler) != 0:
        problems.append("structs lie elsewhere than abi.txt says")
    print("\n".join(problems) or f"{len(now)} lines as in abi.txt; {len(names)} functions exported, nothing else")
    return 1 if problems or len(names) < 100 else 0


sys.exit(main())
