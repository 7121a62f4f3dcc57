"""The work of scripts/mutants.sh: reads tests/mutants/*.txt, compiles each mutant, runs the tests that shall find it.

A mutant is a block of lines, ended by an empty line; a line that begins with # is a comment:

    mutant: what is wrong, in plain words
    file: src/core/query/query.h
    from: a piece of one line that occurs exactly once in the file
    to: what stands there instead; may be empty
    through: src/cpu/kernels/kernels.cpp     (headers only, if the library's own code is to see the mutant)
    killed by: core_test Certify.RestingExactlyInTouchIsAGrazeAndEnds LinkPair.NonsenseProvesNothing

`killed by` names a program of the fast tier and cases of it; Suite.* is all of a suite. Of a mutant in a source file, that
file is compiled again. Of one in a header, the files of `through` are, or, where none are named, those of the cases. The new
objects are linked in front of the old ones.
"""

import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRATCH = os.path.join(ROOT, "build/mutants/work")
FIELDS = ("mutant", "file", "from", "to", "through", "killed by")
LEAST = 80  # mutants in the whole list
TIME_LIMIT = 20  # seconds for a mutant's tests, and ten times what they take when nothing is wrong: more is a hang
MEMORY = 4 << 30  # bytes that a program of tests may have: a mutant must not fill the machine's memory


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Mutant:
    def __init__(self, where, fields):
        self.where = where
        self.name = fields.get("mutant", "")
        self.file = fields.get("file", "")
        self.original = fields.get("from", "")
        self.replacement = fields.get("to", "")
        self.through = fields.get("through", "").split()
        words = fields.get("killed by", "").split()
        self.target = words[0] if words else ""
        self.cases = words[1:]

    def changed_text(self):
        return text_of(self.file).replace(self.original, self.replacement)

    def filter(self):
        """As --gtest_filter wants it: also a case of TEST_P, and one of TYPED_TEST."""
        return ":".join("{0}.{1}:*/{0}.{1}/*:{0}/*.{1}".format(*case.split(".")) for case in self.cases)


def read_list():
    """All mutants, and what is wrong with the lists' form."""
    mutants, wrong = [], []
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/mutants/*.txt"))):
        fields, begin = {}, 0
        short = os.path.relpath(path, ROOT)
        for number, line in enumerate(text_of(path).splitlines() + [""], 1):
            if line.startswith("#"):
                continue
            if not line.strip():
                if fields:
                    mutants.append(Mutant("%s:%d" % (short, begin), fields))
                fields = {}
                continue
            key, colon, value = line.partition(":")
            if not colon or key not in FIELDS or key in fields:
                wrong.append("%s:%d: expected one of %s, each once" % (short, number, ", ".join(FIELDS)))
            begin = begin if fields else number
            fields[key] = value.strip()
    return mutants, wrong


def fast_programs():
    found = set()
    for path in glob.glob(os.path.join(ROOT, "tests/**/CMakeLists.txt"), recursive=True):
        found.update(re.findall(r"^\s*tocsin_test\((\w+)\s+TIER fast\b", text_of(path), re.M))
    return found


def cases_in_files():
    """Which test files hold a case: "Suite.Case" or "Suite.*" -> paths."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "tests/**/*.cpp"), recursive=True):
        for suite, case in re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", text_of(path), re.M):
            for name in (suite + "." + case, suite + ".*"):
                found.setdefault(name, []).append(os.path.relpath(path, ROOT))
    return found


def faults_of(mutant, programs, cases):
    if not all((mutant.name, mutant.file, mutant.original, mutant.target)):
        yield "needs mutant, file, from and killed by"
        return
    if not os.path.isfile(os.path.join(ROOT, mutant.file)) or not mutant.file.startswith(("src/", "include/")):
        yield "no such source: " + mutant.file
        return
    count = text_of(mutant.file).count(mutant.original)
    if count != 1:
        yield "occurs %d times in %s, not once: %s" % (count, mutant.file, mutant.original)
    if mutant.original == mutant.replacement:
        yield "`to` is the same as `from`"
    if mutant.target not in programs:
        yield "no test program of the fast tier: " + mutant.target
    if not mutant.cases:
        yield "names no case of " + mutant.target
    for case in mutant.cases:
        if case not in cases:
            yield "no such case: " + case
    for path in mutant.through:
        if not os.path.isfile(os.path.join(ROOT, path)):
            yield "no such source: " + path


def check(mutants, wrong):
    """What is wrong with the whole list, one sentence each."""
    programs, cases, names = fast_programs(), cases_in_files(), set()
    for mutant in mutants:
        wrong.extend("%s: %s" % (mutant.where, fault) for fault in faults_of(mutant, programs, cases))
        if mutant.name in names:
            wrong.append("%s: a second mutant of this name: %s" % (mutant.where, mutant.name))
        names.add(mutant.name)
    if len(mutants) < LEAST:
        wrong.append("tests/mutants: %d mutants; there shall be at least %d" % (len(mutants), LEAST))
    return wrong


class Tree:
    """A build folder: how its files are compiled and its programs linked."""

    def __init__(self, folder):
        self.folder = os.path.join(ROOT, folder)
        with open(os.path.join(self.folder, "compile_commands.json"), encoding="utf-8") as file:
            entries = json.load(file)
        self.commands = {}  # source -> its compile commands: a file of two programs has two
        for entry in entries:
            self.commands.setdefault(os.path.relpath(entry["file"], ROOT), []).append(shlex.split(entry["command"]))
        self.links = {}
        # Not in its direct mode, which does not see that a header now lies in front of the one that it knows.
        self.launcher = ["env", "CCACHE_NODIRECT=1", "ccache"] if shutil.which("ccache") else []

    def build(self, targets, jobs):
        subprocess.run(["cmake", "--build", self.folder, "--parallel", str(jobs), "--target", *targets], check=True)
        for target in targets:
            commands = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", target], check=True, text=True,
                                      stdout=subprocess.PIPE).stdout
            self.links[target] = next(shlex.split(line.replace(": && ", "").replace(" && :", ""))
                                      for line in reversed(commands.splitlines()) if " -o bin/%s " % target in line)

    def compile(self, source, target, scratch):
        """Compiles `source` as it stands with the files of scratch/tree in front. Returns its object of the build and the new one."""
        commands = self.commands[source]
        command = next((c for c in commands if "/%s.dir/" % target in c[c.index("-o") + 1]), commands[0])
        old = command[command.index("-o") + 1]
        new = os.path.join(scratch, old.replace("/", "_"))
        changed = os.path.join(scratch, "tree", source)
        front = ["-I" + os.path.join(scratch, "tree", top) for top in ("include", "src", "tests")]
        command = [new if word == old else changed if word == os.path.join(ROOT, source) and os.path.exists(changed) else word
                   for word in command if word != "-Werror"]
        # Readers, reports and the service compute little: not to optimise takes half the time. Arithmetic would take longer.
        flags = ["-w", "-O0"] if os.path.exists(changed) and source.endswith(".cpp") else ["-w"]
        run = subprocess.run(self.launcher + command[:1] + front + command[1:] + flags, cwd=self.folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return old, new, run

    def link(self, target, objects, program):
        words = [program if word == "bin/" + target else word for word in self.links[target]]
        # In front of all: of an inline function that several files hold, the linker takes the first.
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        words = words[:first] + list(objects.values()) + [word for word in words[first:] if word not in objects]
        return subprocess.run(words, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def sources_of(mutant, tree, cases):
    """The files that are compiled again."""
    if mutant.through or mutant.file.endswith(".cpp"):
        return mutant.through or [mutant.file]
    inside = "/%s.dir/" % mutant.target
    return sorted({path for case in mutant.cases for path in cases[case]
                   if any(inside in word for command in tree.commands.get(path, []) for word in command)})


def run_tests(program, mutant, folder, limit):
    """Passed or not, and what failed."""
    try:
        run = subprocess.run(["prlimit", "--data=%d" % MEMORY, program, "--gtest_fail_fast", "--gtest_filter=" + mutant.filter()], cwd=folder,
                             timeout=limit, text=True, errors="replace", stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        begun = re.findall(r"\[ RUN      \] (\S+)", (late.stdout or b"").decode(errors="replace"))
        return False, "%s hangs" % (begun[-1] if begun else os.path.basename(program))
    failed = re.findall(r"\[  FAILED  \] (\w+(?:/\w+)*\.[\w/]+)", run.stdout)
    begun = re.findall(r"\[ RUN      \] (\S+)", run.stdout)
    if run.returncode == 0:
        return True, "" if begun else "no test has run"
    return False, failed[0] if failed else "%s crashes" % (begun[-1] if begun else os.path.basename(program))


def verdict_of(mutant, tree, cases, limit):
    """killed, SURVIVED or DOES NOT COMPILE; and by what, or why."""
    scratch = os.path.join(SCRATCH, re.sub(r"\W+", "-", mutant.where))
    shutil.rmtree(scratch, ignore_errors=True)
    changed = os.path.join(scratch, "tree", mutant.file)
    os.makedirs(os.path.dirname(changed))
    with open(changed, "w", encoding="utf-8") as file:
        file.write(mutant.changed_text())
    objects = {}
    for source in sources_of(mutant, tree, cases):
        old, new, run = tree.compile(source, mutant.target, scratch)
        if run.returncode != 0:
            return "DOES NOT COMPILE", "\n" + run.stdout[-2000:]
        objects[old] = new
    program = os.path.join(scratch, mutant.target)
    run = tree.link(mutant.target, objects, program)
    if run.returncode != 0:
        return "DOES NOT COMPILE", "\n" + run.stdout[-2000:]
    passed, why = run_tests(program, mutant, scratch, limit)
    shutil.rmtree(scratch, ignore_errors=True)
    return ("SURVIVED", why) if passed else ("killed", why)


def limits_of(mutants, tree):
    """How long the tests of each program may take. They must pass as things stand; else everything would seem to be killed."""
    limits = {}
    for target in sorted({mutant.target for mutant in mutants}):
        cases = sorted({case for mutant in mutants if mutant.target == target for case in mutant.cases})
        together = Mutant("", {"killed by": " ".join([target] + cases)})
        began = time.monotonic()
        passed, why = run_tests(os.path.join(tree.folder, "bin", target), together, SCRATCH, 600)
        if not passed or why:
            sys.exit("error: fails without any mutant: %s: %s" % (target, why))
        limits[target] = TIME_LIMIT + 10 * (time.monotonic() - began)
    return limits


def run_all(mutants, tree, limits, jobs):
    """Runs all of them and prints a line each. Returns how many had which verdict."""
    cases, counts = cases_in_files(), {"killed": 0, "SURVIVED": 0, "DOES NOT COMPILE": 0}

    def timed(mutant):
        began = time.monotonic()
        return mutant, verdict_of(mutant, tree, cases, limits[mutant.target]), time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(timed, mutant) for mutant in mutants]):
            mutant, (verdict, by), seconds = done.result()
            counts[verdict] += 1
            print("%3d of %d  %5.1f s  %-8s  %s: %s  (%s)" % (sum(counts.values()), len(mutants), seconds, verdict, mutant.file,
                                                       mutant.name, by or mutant.where), flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants.sh", description="Shows that the fast tests find each mutant of "
                                     "tests/mutants/*.txt.")
    parser.add_argument("patterns", metavar="PATTERN", nargs="*", help="mutants whose name, file or list contains it; * and ? match")
    parser.add_argument("--list", action="store_true", help="only prints which mutants there are")
    parser.add_argument("--check", action="store_true", help="only checks that the list fits the sources")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (one a core)")
    parser.add_argument("--build", default="build", help=argparse.SUPPRESS)
    options = parser.parse_args()

    mutants, wrong = read_list()
    wrong = check(mutants, wrong)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    chosen = [m for m in mutants if not options.patterns or any(
        fnmatch.fnmatch(text, "*%s*" % pattern) for pattern in options.patterns for text in (m.name, m.file, m.where))]
    if options.check or options.list:
        for mutant in chosen if options.list else []:
            print("%-40s %s: %s" % (mutant.where, mutant.file, mutant.name))
        print("%d mutants" % len(chosen))
        return 0
    if not chosen:
        print("error: no mutant matches", file=sys.stderr)
        return 2

    began = time.monotonic()
    tree = Tree(options.build)
    tree.build(sorted({mutant.target for mutant in chosen}), options.jobs)
    os.makedirs(SCRATCH, exist_ok=True)
    counts = run_all(chosen, tree, limits_of(chosen, tree), options.jobs)
    print("%d mutants: %d killed, %d survived, %d do not compile; %d s" % (
        len(chosen), *counts.values(), time.monotonic() - began))
    return 0 if counts["killed"] == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
