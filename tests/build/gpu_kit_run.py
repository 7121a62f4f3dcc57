#!/usr/bin/env python3
"""scripts/gpu_kit/go.sh on a kit of stand-ins: what a device says is heard, nothing outlasts its time, nothing is needed that a
bare machine lacks.

Usage: gpu_kit_run.py ROOT
"""

import fnmatch
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

# A test runner in the background leaves it ignored, and what is started here would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
ROOT = pathlib.Path(sys.argv[1])
GO = ROOT / "scripts/gpu_kit/go.sh"

# A command whose devices are as the test says, by files beside it: cuda, gl (exit status of the first case), hang.
TOCSIN = """#!/bin/sh
here=${0%/*}
echo "$@" >>"$here/calls"
case $1 in make-room | check | view) echo "$@" ;; esac
case "$*" in
  *--emulate*) exit 0 ;;
  *"--backend cuda --case 0"*) exit "$(cat "$here/cuda")" ;;
  *"--backend gl --case 0"*) exit "$(cat "$here/gl")" ;;
  *"--backend cuda --case 3"*) [ "$(cat "$here/cuda")" != 4 ] || exit 4 ;;
  *"--backend cuda --case"*) ;;
  "selftest --backend cuda"*)
    [ "$(cat "$here/cuda")" != 4 ] || exit 4
    if [ -e "$here/hang" ]; then trap '' TERM; while :; do sleep 1; done; fi
    while [ $# -gt 0 ]; do [ "$1" != --json ] || echo '{}' >"$2"; [ "$1" != --failed ] || failed=$2; shift; done
    if [ "$(cat "$here/cuda")" = 1 ]; then
      mkdir -p "$failed/1"
      echo 'echo "asked alone: $TOCSIN_COMMAND"; exit 1' >"$failed/1/run.sh"
      exit 1
    fi ;;
esac
"""
# A bench: its parser takes no option twice. Says what it was asked, and where its libraries are from.
BENCH = """#!/bin/sh
seen=' '
for word; do
  case $word in
    --*)
      case $seen in *" $word "*) echo "$word: At Most 1 required but received 2"; exit 109 ;; esac
      seen="$seen$word " ;;
  esac
done
echo "libraries: $LD_LIBRARY_PATH"
echo "asked: $*"
"""
# A test program opens the device when it starts, whatever it is asked.
TEST = """#!/bin/sh
if [ -e "${0%/*}/../../package/bin/hang" ]; then trap '' TERM; while :; do sleep 1; done; fi
echo ran
case $0 in *several_test) echo '[  SKIPPED ] 2 tests, listed below:' ;; esac
"""
# As `xz -dc FILE`, which the machine of this test may lack.
XZ = f"""#!{sys.executable}
import lzma, shutil, sys
shutil.copyfileobj(lzma.open(sys.argv[2]), sys.stdout.buffer)
"""
# What a memory checker says of a kernel.
FINDS = """#!/bin/sh
echo '========= COMPUTE-SANITIZER'
echo '========= Invalid __global__ read of size 8 bytes'
exit 9
"""
# NVIDIA's tools: a run of what they are given, or a refusal.
TOOL = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in */bin/*) break ;; esac; shift; done
"$@"
"""
REFUSES = """#!/bin/sh
echo '==PROF== Connected to process 12'
echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters'
exit 1
"""
# What go.sh says it needs, and what the stand-ins do.
BARE = "bash sh env tar gzip rm mkdir mv cp cat chmod sleep".split()
TESTS = [f"cuda_{t}_test" for t in "device tree motion broadphase certify batch detector several".split()]
TESTS += [f"gl_{t}_test" for t in "context raster visibility detector answers adversarial".split()]


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


class Kit:
    def __init__(self, folder):
        self.folder = folder
        self.inside = folder / "inside"
        self.here = folder / "a kit"
        self.here.mkdir(parents=True)
        shutil.copy(GO, self.here / "go.sh")
        (self.here / "unpack").mkdir()
        (self.here / "unpack/xz").write_text(XZ)  # not executable, as some ways of carrying leave it
        for name in ("package/bin", "package/lib", "programs/bin", "variants/block-64", "glvnd"):
            (self.inside / name).mkdir(parents=True)
        self.program("package/bin/tocsin", TOCSIN)
        for name in TESTS:
            self.program(f"programs/bin/{name}", TEST)
        self.program("programs/bin/bench_cuda", BENCH)
        (self.inside / "revision").write_text("abc\n")
        # Nothing but these.
        self.path = folder / "path"
        self.path.mkdir()
        for name in BARE:
            (self.path / name).symlink_to(shutil.which(name))

    def path_with(self, name, **tools):
        """A folder of what a bare machine has, and tools of this text."""
        folder = self.folder / name
        shutil.copytree(self.path, folder, symlinks=True)
        for tool, text in tools.items():
            (folder / tool.replace("_", "-")).write_text(text)
            (folder / tool.replace("_", "-")).chmod(0o755)
        return folder

    def program(self, name, text):
        (self.inside / name).write_text(text)
        (self.inside / name).chmod(0o755)

    def start(self, out, *more, cuda=2, gl=2, hang=False, path=None, libraries=None):
        binary = self.inside / "package/bin"
        (binary / "cuda").write_text(f"{cuda}\n")
        (binary / "gl").write_text(f"{gl}\n")
        (binary / "hang").unlink(missing_ok=True)
        if hang:
            (binary / "hang").touch()
        with tarfile.open(self.here / "kit.tar.xz", "w:xz") as tar:
            tar.add(self.inside, ".")
        environment = {"PATH": str(path or self.path)}
        if libraries:
            environment["LD_LIBRARY_PATH"] = libraries
        return subprocess.Popen([self.path / "bash", "go.sh", out, *more], env=environment, cwd=self.here,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, name, *more, **how):
        """Exit status, the summary's lines by their part, and the folder."""
        out = self.folder / name
        running = self.start(out, *more, **how)
        said, complaint = running.communicate(timeout=120)
        summary = (out / "summary.txt").read_text() if (out / "summary.txt").is_file() else ""
        return running.returncode, {line[:28].strip(): line[28:].split() for line in summary.splitlines()}, out, said + complaint


def check_no_device(kit):
    status, parts, out, said = kit.run("none")
    expect(status == 0, f"a bare machine is enough: {status} {said}")
    expect(parts["cuda-first-case"][:2] == ["status", "2"] and "no CUDA device: kernels run" in parts, f"no device is seen: {parts}")
    expect(parts["selftest-cuda"][0] == "ok" and parts["ncu"][0] == "left" and parts["window"][0] == "left", f"emulated instead: {parts}")
    expect(all(ended[0] != "status" or name.endswith("first-case") or name == "machine" for name, ended in parts.items()),
           f"everything else runs: {parts}")
    expect((out / "results.tar.gz").is_file(), "all is packed")
    ran = {p for p, ended in parts.items() if p.startswith("test-") and ended[0] == "ok"}
    expect(ran == {f"test-{t.removesuffix('_test').replace('_', '-')}" for t in TESTS if t.startswith("cuda_")}, f"the tests run: {parts}")
    check_programs()


def check_programs():
    """The kit holds every program that go.sh starts, and every test of CUDA's fast tier is one of them."""
    listed = re.search(r"^programs=\(([^)]*)\)", (ROOT / "scripts/gpu_kit.sh").read_text(), re.MULTILINE)[1].split()
    expect(sorted(listed) == sorted(TESTS + ["bench_cuda"]), f"what is built is what is started: {listed}")
    tests = (ROOT / "tests/gpu/cuda/CMakeLists.txt").read_text()
    fast = re.findall(r"^tocsin_test\((\w+) TIER fast", tests, re.MULTILINE)
    expect(fast and set(fast) <= set(listed), f"no fast test of CUDA is left out: {fast}")
    # And what its tests load.
    copied = re.findall(r'"\$data"?/([^"\s]+)', (ROOT / "scripts/gpu_kit.sh").read_text())
    sources = [file.read_text() for file in (ROOT / "tests/gpu").rglob("*.cpp")]
    wanted = {name for text in sources for name in re.findall(r'"((?:motions/cmu|environments/)[^"]*)"', text)}
    missing = {name for name in wanted if not any(fnmatch.fnmatch(name, pattern) for pattern in copied)}
    expect(len(wanted) > 10 and not missing, f"no take or room of the tests is left out: {missing}")


def check_wrong_device(kit):
    """A device that answers wrong is no missing device."""
    status, parts, out, said = kit.run("wrong", cuda=1, gl=1)
    expect(status == 0, said)
    expect("no CUDA device: kernels run" not in parts, f"it is there: {parts}")
    expect(parts["selftest-cuda"][:2] == ["status", "1"] and parts["selftest-gl"][0] == "ok", f"and is asked: {parts}")
    expect(parts["again-cuda-1"][:2] == ["status", "1"], f"what differs is asked about alone, at once: {parts}")
    alone = next(out.glob("*-again-cuda-1.txt")).read_text()
    expect("/package/bin/tocsin" in alone, f"by the kit's command: {alone}")
    expect({"variant-block-64", "variant-traversals-1", "variant-lanes-8", "bench-cuda-large"} <= parts.keys(), f"and is measured: {parts}")
    expect(parts["window"][0] == "ok", f"so is the window: {parts}")
    calls = [line.split()[0] for line in next(out.glob("*-window.txt")).read_text().splitlines()]
    expect(calls == ["make-room", "check", "view"], f"in a room, with a report: {calls}")


def check_tools(kit):
    """What only a device runs: options that the programs know, the driver that the caller named, tools that refuse."""
    status, parts, out, said = kit.run("tools", cuda=0, gl=0, libraries="/the driver/lib",
                                       path=kit.path_with("with tools", ncu=TOOL, compute_sanitizer=TOOL, xz=XZ))
    expect(status == 0, said)
    failed = {name: ended for name, ended in parts.items() if ended and ended[0] == "status"}
    expect(not failed, f"everything runs: {failed}")
    asked = {}
    for file in out.glob("*.txt"):
        for line in file.read_text().splitlines():
            if line.startswith("asked: "):
                asked[file.stem.split("-", 1)[1]] = line.split()[1:]
            if line.startswith("libraries: "):
                expect(line.endswith(":/the driver/lib"), f"{file.name}: the caller's libraries come after the kit's: {line}")
    expect({"bench-cuda", "bench-cuda-few", "bench-cuda-large", "variant-as-built", "variant-block-64", "ncu"} <= asked.keys(), f"{asked}")
    for name, words in asked.items():
        expect(words[words.index("--device") + 1] == "0", f"{name}: on the device, or not at all: {words}")
    parsers = "".join((ROOT / "bench" / file).read_text() for file in ("cuda/cuda.cpp", "shared/options.cpp"))
    unknown = {word for words in asked.values() for word in words if word.startswith("--") and f'{word}"' not in parsers}
    expect(not unknown, f"bench_cuda knows its options: {unknown}")
    once = [w for w in asked["variant-as-built"] if "variant" not in w]
    expect(once == [w for w in asked["variant-block-64"] if "variant" not in w], "a variant is asked what the build as it is is asked")
    expect(parts["memcheck"][0] == "ok" and parts["racecheck"][0] == "ok", f"{parts}")
    expect("SKIPPED" in parts["test-cuda-several:"], f"what did not run is told: {parts}")
    expect(not any(name.startswith("case-") for name in parts), f"a sound device is asked once: {parts}")


def check_failing_device(kit):
    """What a device that fails takes along is asked again, each case by itself."""
    path = kit.path_with("checking", compute_sanitizer=FINDS, ncu=REFUSES, xz="#!/bin/sh\nexit 1\n")
    status, parts, _, said = kit.run("failing", cuda=4, path=path)
    expect(status == 0 and parts["selftest-cuda"][:2] == ["status", "4"], f"{parts} {said}")
    expect(parts["case-2"][0] == "ok" and parts["case-3"][:2] == ["status", "4"] and parts["case-7"][0] == "ok", f"{parts}")
    expect([name for name in parts if name.startswith("memcheck-case")] == ["memcheck-case-0", "memcheck-case-0:"], f"the first one is checked: {parts}")
    expect("Invalid" in parts["memcheck-case-0:"], f"and what was found is told: {parts}")
    expect(parts["ncu"][:2] == ["status", "1"] and "ERR_NVGPUCTRPERM" in parts["ncu:"], f"why a tool saw nothing: {parts}")


def check_hanging_device(kit):
    """Its part ends with its time, although it does not hear; so does everything."""
    for seconds in ("14", "40", "80"):  # what comes before it takes one or two, or more where the machine stops
        status, parts, out, said = kit.run(f"hanging {seconds}", seconds, cuda=0, gl=0, hang=True)
        if parts["selftest-cuda"][:2] != ["no", "time"]:
            break
    expect(status == 0, f"it ends: status {status} {said}")
    expect(parts["selftest-cuda"][:2] == ["time", "up"], f"the part is ended: {parts}")
    expect(parts["ncu"][0] == "left" and parts["bench-cuda"][:2] == ["no", "time"], f"what does not fit is told: {parts}")
    expect((out / "results.tar.gz").is_file(), "all is packed")


def check_interrupt(kit):
    out = kit.folder / "interrupted"
    running = kit.start(out, cuda=0, hang=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and not list(out.glob("*-selftest-cuda.txt")):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)
    expect(running.returncode == 130, f"it ends: {running.returncode} {said}")
    expect("interrupted" in (out / "summary.txt").read_text() and (out / "results.tar.gz").is_file(), "what is there is packed")
    left = [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if str(out) in command_of(pid)]
    expect(not left, f"nothing runs on: {[command_of(pid) for pid in left]}")


def command_of(process):
    try:
        return (process / "cmdline").read_text()
    except OSError:  # it has ended
        return ""


def check_refusals(kit):
    for more in (["x"], ["0"], ["10", "10"]):
        status, _, _, said = kit.run("refused", *more)
        expect(status == 2, f"{more}: {status} {said}")
    status, _, _, said = kit.run("none")
    expect(status == 2 and "has results already" in said, f"results are not mixed: {said}")
    for tool in "tar gzip rm mkdir mv cp cat chmod".split():
        less = kit.path_with(f"without {tool}")
        (less / tool).unlink()
        status, _, out, said = kit.run("lacking", path=less)
        expect(status == 2 and f"{tool} is not installed" in said and not out.exists(), f"what is missing is named: {said}")
    whole = (kit.here / "kit.tar.xz").read_bytes()
    (kit.here / "kit.tar.xz").write_bytes(whole[:len(whole) // 2])
    cut = subprocess.run([kit.path / "bash", "go.sh", kit.folder / "half"], env={"PATH": str(kit.path)}, cwd=kit.here, capture_output=True, text=True,
                         check=False)
    expect(cut.returncode == 3 and "cannot be unpacked" in cut.stderr, f"half a kit is refused: {cut}")


with tempfile.TemporaryDirectory() as name:
    kit = Kit(pathlib.Path(name))
    check_no_device(kit)
    check_wrong_device(kit)
    check_tools(kit)
    check_failing_device(kit)
    check_hanging_device(kit)
    check_interrupt(kit)
    check_refusals(kit)
print("devices that are missing, wrong and hanging; tools that are missing; refusals: as they must be")
