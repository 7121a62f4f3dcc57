#!/usr/bin/env python3
"""Shows what no emulation can, in the PTX of a build's .cu files (made by the build's own commands): kernels
round once per operation, as the CPU does, fence what they hand to each other, and obey the bounds of variants.
Usage: check_ptx.py BUILD FILE.cu...|all"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# A fused multiply-add, a flush to zero, or anything else that is not rounded to nearest. What is not spelled
# ".rn" in PTX, ptxas may still fuse.
FORBIDDEN = {
    "fused multiply-add": r"\bfma\.\S*\.f(?:32|64)",
    "flush to zero": r"\b\w+\S*\.ftz\S*",
    "approximation": r"\b\w+\.approx\S*|\bdiv\.full\S*",
    "operation that may be fused": r"\b(?:mul|add|sub)\.f(?:32|64)",
}
# What the body Arithmetic of device_test_bodies.h comes to: without it the test would see nothing.
EXPECTED = ["mul.rn.f64", "add.rn.f64", "sub.rn.f64", "div.rn.f64", "sqrt.rn.f64"]

# Kernels in which a thread goes on with what another has left: before the atomic that says who comes second,
# its own writes are fenced; behind it, its reads. By file, with how many there are (FitTree: one a k).
HANDING = {"kernels_tree.cu": ("FitTree", 4), "device_test_bodies.cu": ("MeetInPairs", 1)}
ENTRY = r"\.entry\s+(\w+)\("
STEPS = {
    "fence": r"(?:membar|fence\.(?:sc|acq_rel))\.(?:gl|gpu|sys)\b",
    "atomic": r"(?:atom|red)\.\S+",
    "store": r"st\.(?:global|volatile|relaxed|v\d|[usbf]\d)\S*",
    "load": r"ld\.(?:global|volatile|relaxed|v\d|[usbf]\d)\S*",
}
STEP = re.compile(r"^\s*(?:@\S+\s+)?(?:" + "|".join(f"(?P<{k}>{v})" for k, v in STEPS.items()) + ")", re.MULTILINE)


def unfenced(kernel):
    """What is wrong with the memory operations of such a kernel, in the order of its text."""
    steps = [match.lastgroup for match in STEP.finditer(kernel)]
    if steps.count("atomic") != 1:
        return f"has {steps.count('atomic')} atomics instead of 1"
    at = steps.index("atomic")
    if "store" not in steps[:at] or "load" not in steps[at:]:
        return "hands nothing over"
    if steps[at - 1] != "fence":
        return f"has a {steps[at - 1]} and no fence before its atomic"
    if steps[at + 1] != "fence":
        return f"has a {steps[at + 1]} and no fence behind its atomic"
    return None


def fence_problems(name, code):
    """Per kernel of HANDING that fails, why."""
    if name not in HANDING:
        return []
    wanted, count = HANDING[name]
    parts = re.split(ENTRY, code)  # what comes first, then name and text of each kernel
    kernels = [(kernel, text) for kernel, text in zip(parts[1::2], parts[2::2]) if wanted in kernel]
    found = [f"{kernel} {unfenced(text)}" for kernel, text in kernels if unfenced(text)]
    if len(kernels) != count:
        found.append(f"has {len(kernels)} kernels {wanted} instead of {count}")
    return found


# What the variants of the GPU kit are compiled with, and what a kernel then says.
VARIANTS = {"-DTOCSIN_CUDA_REGISTERS=96": r"\.maxnreg\s+96\b", "-DTOCSIN_CUDA_BLOCK=64": r"\.maxntid\s+64\b"}


def variant_problems(entry):
    """Per option of VARIANTS that has no effect on every kernel, why."""
    found = []
    for option, bound in VARIANTS.items():
        code = ptx_of(entry, [option])
        kernels = len(re.findall(ENTRY, code))
        bounds = len(re.findall(bound, code))
        if kernels == 0 or bounds < kernels:
            found.append(f"{option}: {bounds} of {kernels} kernels are bounded by it")
    return found


def ptx_of(entry, more=()):
    """The PTX of one compile command, for the first of its architectures."""
    words, out, skip = shlex.split(entry["command"]), [], False
    first = None
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-c"):
            skip = word != "-c"
        elif word == "-MD" or os.path.basename(word) == "ccache":
            pass
        elif word.startswith("--generate-code="):
            first = first or "-arch=" + re.search(r"compute_\w+", word).group()
        else:
            out.append(word)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "kernels.ptx")
        subprocess.run(out + [*more, first, "-ptx", "-o", file], cwd=entry["directory"], check=True)
        with open(file, encoding="utf-8") as ptx:
            return ptx.read()


def main():
    build, wanted = sys.argv[1], sys.argv[2:]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as commands:
        entries = [e for e in json.load(commands) if e["file"].endswith(".cu")]
    if wanted == ["all"]:  # the library's
        entries = [e for e in entries if "/src/gpu/cuda/" in e["file"]]
    else:
        entries = [e for e in entries if os.path.basename(e["file"]) in wanted]
    if not entries:
        sys.exit(f"error: {build}/compile_commands.json compiles none of {' '.join(wanted)}")
    problems = 0
    for entry in entries:
        ptx = ptx_of(entry)
        code = re.sub(r"//.*", "", ptx)
        for what, pattern in FORBIDDEN.items():
            found = re.findall(pattern, code)
            if found:
                print(f"{entry['file']}: {what}: {len(found)} times, as in {found[0]}")
                problems += 1
        for found in fence_problems(os.path.basename(entry["file"]), code):
            print(f"{entry['file']}: {found}")
            problems += 1
        if os.path.basename(entry["file"]) == "device_test_bodies.cu":
            for instruction in EXPECTED:
                if instruction not in code:
                    print(f"{entry['file']}: {instruction} is missing")
                    problems += 1
            for found in variant_problems(entry):
                print(f"{entry['file']}: {found}")
                problems += 1
        print(f"{os.path.basename(entry['file'])}: {len(re.findall('[.]f64', code))} operations on doubles")
    sys.exit(1 if problems else 0)


main()
