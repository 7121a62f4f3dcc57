"""Runs the commands that README.md and docs/ show, each block of a page in turn, and parses their JSON.

A page is a session in a folder of its own, with the files that the docs speak of under their names (inputs.py), and one
bash script: the blocks that have a command of Tocsin, one after the other. A server that a page starts is there until the
page ends it, starts another, or is over. A new block is run without a word here; what cannot run, or takes too long as it stands, is named in DIFFERENT or NOT_RUN with its reason. An entry of these
that matches nothing fails: the page that needed it has changed.

Exit status: 0: all commands end as they should.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import inputs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import ports  # noqa: E402

PAGES = ["README.md", "docs/*.md", "docs/guides/*.md", "docs/reference/*.md"]
COMMAND = re.compile(r"^(\$ )?(\w+=\S+ )?(build/bin/)?tocsin (?![a-z-]+: )")
TIME_LIMIT = 300  # seconds for a page: some 30 times what it takes
# Ports of the docs. Each page has others for them: pages run side by side, and beside other tests.
PORT = re.compile(r"(?<=[ :])(50051|39539|9763|9764|9000)\b")

# What a line shows -> what is run in its place, and why.
DIFFERENT = [
    (r"--triangles 10M", "--triangles 20k", "a minute and a gigabyte"),
    (r"--triangles 100k", "--triangles 10k", "seconds"),
    (r"--avatars 100 --rate 90 --seconds 60", "--avatars 5 --rate 90 --seconds 1", "a minute"),
    (r"--rate 90 --seconds 20 ", "--rate 90 --seconds 1 ", "20 seconds"),
    (r"TOCSIN_CUDA_FAIL_AT=2000 ", "TOCSIN_CUDA_FAIL_AT=1000000 ", "a device that fails while no session is there"),
    (r"--http 9464", "--http 0", "a port that others may have"),
    (r"DNS:capture\.example", "IP:127.0.0.1", "a host that there is not"),
    (r"capture\.example:50051", "localhost:50051", "a host that there is not"),
    (r"\bDIR/NAME\.poses", "records/*.poses", "names of the reader's"),
    (r"\bDIR/", "records/", "names of the reader's"),
    (r"check (take.bvh .*--avatar humanoid_hands)", "info humanoid_hands # \\1", "a take with fingers"),
    (r"selftest$", "selftest --backend cpu --seconds 1", "a minute"),
    (r"--seconds 20$", "--seconds 1", "20 seconds"),
    (r"--frame 338", "--frame 38", "a longer take"),
    (r"--trail 0:310:62", "--trail 0:31:6", "a longer take"),
    (r"sofa.jsonl --episode 1", "sofa.jsonl", "a take that touches something"),
    (r"--frames 100:400", "--frames 100:120", "a longer take"),
    (r"\bFILE --json", "take.bvh --json", "a name of the reader's"),
    (r"--size \d+x\d+", "--size 240x240", "pictures without a graphics card"),
]
# Lines that are not run, and why.
NOT_RUN = [
    (r"^\./run build", "the test has a build"),
    (r"^apt-get ", "the test has its packages"),
    (r"^curl ", "its port is another one here"),
    (r"^python3 docs/python/", "tests/python/live_test.py runs it"),
    (r"MOTION\.\.\. --env FILE", "a synopsis"),
    (r"tocsin view (?!.*--script)", "needs a screen"),
    (r"verify records/NAME\.poses", "needs a session's record; service_records_test makes one"),
    (r"--backend cuda +#", "needs a CUDA device"),
    (r"--backend cuda --cuda-device 0,1", "needs two CUDA devices"),
]
# Lines that may end otherwise than with 0.
STATUS = [(r"--fail-on-contact(?!.*\|\|)", (0, 1))]

used = set()


def is_indented(line):
    return line.startswith("    ") or not line.strip()


def blocks_of(text):
    """The indented blocks of a page: (number of the first line, lines without their four spaces)."""
    lines, i = text.split("\n"), 0
    while i < len(lines):
        begins = lines[i].startswith("    ") and lines[i].strip() and (i == 0 or not lines[i - 1].strip())
        if not begins:
            i += 1
            continue
        end = i
        while end < len(lines) and is_indented(lines[end]):
            end += 1
        yield i + 1, [line[4:] for line in lines[i:end]]
        i = end


def commands_of(block):
    """The commands of a block, a string each; none if it shows none of Tocsin's."""
    if not any(COMMAND.match(line) for line in block):
        return []
    if any(line.startswith("$ ") for line in block):
        block = [line[2:] for line in block if line.startswith("$ ")]
    elif "..." in block:  # what it prints
        block = block[: block.index("...")]
    text = "\n".join(line for line in block if line.strip()).replace("\\\n", " ")
    return [re.sub(r"(\S)\s{3,}(?![#\s'\"-]).*$", r"\1", line) for line in text.split("\n")]


def changed(line):
    """The line as it is run; None: it is not. Notes which entries were of use."""
    for pattern, _ in NOT_RUN:
        if re.search(pattern, line):
            used.add(pattern)
            return None
    for pattern, instead, _ in DIFFERENT:
        if re.search(pattern, line):
            used.add(pattern)
            line = re.sub(pattern, instead, line)
    return line


def allowed(line):
    for pattern, statuses in STATUS:
        if re.search(pattern, line):
            used.add(pattern)
            return statuses
    return (0,)


PRELUDE = """
set -u
server=
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null' EXIT  # a page that fails leaves no server behind
stop() {  # ends the server as an operator does
  [ -n "$server" ] || return 0
  kill -TERM "$server" 2>/dev/null
  wait "$server" || { echo "the server ended with status $?"; cat serve.log; exit 1; }
  server=
}
listening() {
  for _ in $(seq 600); do grep -q 'listening on' serve.log && return 0; kill -0 "$server" || break; sleep 0.1; done
  echo "the server does not listen"; cat serve.log; exit 1
}
"""


def script_of(commands, ports_of_page):
    """A block's commands as lines of bash."""
    out = []
    for shown in commands:
        line = changed(shown)
        if line is None:
            continue
        # By its number: a machine without /etc/hosts cannot look localhost up.
        line = line.replace("localhost:50051", "127.0.0.1:50051").replace("0.0.0.0:50051", "127.0.0.1:50051")
        line = PORT.sub(lambda match: str(ports_of_page[match[0]]), line)
        out.append(f"echo + {json.dumps(line).replace('$', chr(92) + '$')}")
        if re.match(r"(\w+=\S+ )?tocsin serve(?!.*--print-config)", line):
            line = re.sub(r"\s*(&|#.*)?$", "", line)
            listen = "" if "--listen" in line else f" --listen 127.0.0.1:{ports_of_page['50051']}"
            out.append(f"stop; {line}{listen} > serve.log 2>&1 & server=$!; listening")
        elif line.startswith("kill %"):
            out.append("stop")
        else:
            fine = "|".join(str(status) for status in allowed(line))
            out.append(f"{line}\ncase $? in {fine}) ;; *) echo \"ended with status $?\"; exit 1 ;; esac")
    return out


def check_json(page, number, block, folder):
    """JSON that a page shows must parse; a page's avatar model is the one that its commands name."""
    text = "\n".join(block).strip()
    if not text.startswith("{") or "..." in text:
        return None
    try:
        for value in [json.loads(text)] if "\n" in text else [json.loads(line) for line in block if line.strip()]:
            if value.get("format") == "tocsin.avatar.v1":
                with open(os.path.join(folder, value["name"] + ".json"), "w", encoding="utf-8") as file:
                    json.dump(value, file)
    except ValueError as error:
        return f"{page}:{number}: no JSON: {error}"
    return None


def run_page(page, command):
    """Returns how many commands were run, and what is wrong."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        blocks = list(blocks_of(file.read()))
    if not any(commands_of(block) for _, block in blocks):
        return 0, []
    problems, script = [], [PRELUDE]
    ports_of_page = collections.defaultdict(ports.free_port)
    with tempfile.TemporaryDirectory(prefix="tocsin-docs-") as folder:
        inputs.make(ROOT, folder, command)
        environment = dict(os.environ, PATH=os.path.join(folder, "build/bin") + ":" + os.environ["PATH"], TERM="dumb")
        for number, block in blocks:
            if problem := check_json(page, number, block, folder):
                problems.append(problem)
            lines = script_of(commands_of(block), ports_of_page)
            if lines:
                script += [f"echo {page}:{number}"] + lines
        done = subprocess.run(["bash", "-c", "\n".join(script + ["stop"])], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIME_LIMIT, check=False)
        if done.returncode != 0:
            problems.append(done.stdout[-4000:])
    return sum(line.startswith("echo +") for line in script), problems


def unused():
    patterns = [entry[0] for entry in DIFFERENT + NOT_RUN + STATUS]
    return [f"no line of the docs is like {pattern!r} any more" for pattern in patterns if pattern not in used]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command", help="build/bin/tocsin")
    parser.add_argument("pages", nargs="*", help="only these")
    options = parser.parse_args()
    pages = options.pages or sorted(page for pattern in PAGES for page in glob.glob(pattern, root_dir=ROOT))
    total, problems = 0, []
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for count, found in pool.map(lambda page: run_page(page, os.path.abspath(options.command)), pages):
            total += count
            problems += found
    if not options.pages:
        problems += unused()
    print("\n".join(problems + [f"{total} commands of {len(pages)} pages, {len(problems)} problems"]))
    return 1 if problems or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
