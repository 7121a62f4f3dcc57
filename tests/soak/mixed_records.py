"""What a server has recorded, against what clients and watchers were told of it."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Part:
    """A record: of a session that has had several servers, one of each."""

    stem: str
    number: int
    first: int  # the step of the session that its first one is
    poses: list  # (frame, tick, hash of the pose)


@dataclass
class Recorded:
    """A session: its parts, and what they say together."""

    name: str  # as logs and watchers have it
    label: str
    meets: bool
    parts: list = field(default_factory=list)
    poses: list = field(default_factory=list)  # ids of frames; step k goes from k to k + 1
    contacts: Optional[dict] = None  # of a step: (link, what it touches, triangle, low, high); None: not looked at


def read_part(path, faults):
    """Its session and what it holds; None where a server was killed before it had written the head whole."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # A killed server may have left half a line.
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    head = next((line["session"] for line in lines if line["type"] == "record"), None)
    if head is None:
        if lines:
            faults.append(f"{path}: no head before {len(lines)} other lines")
        return None
    poses = [(line["id"], line["tick"], hash(tuple(line["local"]))) for line in lines if line["type"] == "pose"]
    return head, Part(path.removesuffix(".poses"), head["part"], head["step"], poses)


def touched(line):
    return line["object"] if "object" in line else line["other"]["link"]


def contacts_of(tocsin, part, faults):
    """Those of the report, or, where a server was killed before, of a check of the poses."""
    if os.path.exists(part.stem + ".jsonl"):
        with open(part.stem + ".jsonl", encoding="utf-8") as file:
            text = file.read()
    elif len(part.poses) < 2:
        return
    else:
        done = subprocess.run([tocsin, "check", "--like", part.stem + ".poses", "--out", "-"], capture_output=True, text=True)
        if done.returncode != 0:
            faults.append(f"{part.stem}: check: {done.stderr}")
        text = done.stdout
    for line in map(json.loads, text.splitlines()):
        if line["type"] == "contact":
            yield part.first + line["step"], (line["link"], touched(line), line.get("triangle", -1), *line["toc"])


def read_all(tocsin, folder, chance, share, faults):
    """The sessions of all records, put together from their parts; the contacts of so large a share of them."""
    out = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".poses"):
            continue
        found = read_part(os.path.join(folder, name), faults)
        if found is None:
            continue
        head, part = found
        session = out.setdefault(head["id_sha256"], Recorded(head["id_sha256"][:12], head["label"], head["meets"]))
        session.parts.append(part)
    for session in out.values():
        session.parts = without_begun(session, faults)
        put_together(session, faults)
    with ThreadPoolExecutor(2) as threads:
        chosen = [session for session in out.values() if chance.random() < share]
        list(threads.map(lambda session: put_contacts(tocsin, session, faults), chosen))
    return list(out.values())


def without_begun(session, faults):
    """Its parts in order. A server that is killed while it takes a session over leaves the beginning of a part; the next server takes the part
    before over again. So of several with one number the longest counts, and the others are beginnings of it."""
    out = []
    for part in sorted(session.parts, key=lambda part: (part.number, len(part.poses))):
        if out and out[-1].number == part.number:
            begun = out.pop()
            # Another client's reports may have ended elsewhere: what both have is the same.
            both = dict(enumerate(begun.poses, begun.first))
            if any(both.get(step, pose) != pose for step, pose in enumerate(part.poses, part.first)) and not session.meets:
                faults.append(f"{begun.stem}: no beginning of {part.stem}")
        out.append(part)
    return out


def put_together(session, faults):
    poses = {}
    for k, part in enumerate(session.parts):
        if part.number != k + 1 or (part.first not in poses and k > 0):
            faults.append(f"{part.stem}: part {part.number} of {session.label} begins at step {part.first}: a hole before it")
        if session.meets:  # what was not told before is covered again, with the others
            poses = {step: pose for step, pose in poses.items() if step <= part.first}
        for step, pose in enumerate(part.poses, part.first):
            if poses.setdefault(step, pose) != pose:
                faults.append(f"{part.stem}: the pose of step {step} is another one than that of the part before")
    if sorted(poses) != list(range(len(poses))):
        faults.append(f"{session.label}: steps are missing in its records")
    ticks = [poses[step][1] for step in sorted(poses)]
    if any(a >= b for a, b in zip(ticks, ticks[1:])):
        faults.append(f"{session.label}: times do not increase in its records")
    session.poses = [poses[step][0] for step in sorted(poses)]


def put_contacts(tocsin, session, faults):
    found = {}
    for part in session.parts:
        if session.meets:
            found = {step: contacts for step, contacts in found.items() if step < part.first}
        own = {}
        for step, contact in contacts_of(tocsin, part, faults):
            own.setdefault(step, []).append(contact)
        for step, contacts in own.items():
            contacts.sort()
            if found.setdefault(step, contacts) != contacts:
                faults.append(f"{part.stem}: the contacts of step {step} are others than those of the part before")
    session.contacts = found


def compare_life(life, recorded, faults):
    """Each session of the life has a record that begins with the steps that were told, and has their contacts."""
    if not life.steps:
        return
    begins = [k for k, told in enumerate(life.steps) if told.step == 0] + [len(life.steps)]
    for begin, end in zip(begins, begins[1:]):
        steps = life.steps[begin:end]
        frames = [steps[0].begin] + [told.end for told in steps]
        same = [one for one in recorded if one.label == life.label and one.poses[: len(frames)] == frames]
        if not same:
            faults.append(f"{life.label}: no record has its steps from frame {frames[0]} to {frames[-1]}")
            continue
        told = {k: sorted(one.contacts) for k, one in enumerate(steps) if one.contacts}
        if all(one.contacts is not None for one in same) and not any(told == {k: found for k, found in one.contacts.items() if k < len(steps)} for one in same):
            faults.append(f"{life.label}: its contacts are not those of its record from frame {frames[0]} to {frames[-1]}")


def compare_watched(told, recorded, faults):
    """What watchers were told is what is recorded. How many steps were compared."""
    by_name, compared = {one.name: one for one in recorded}, 0
    for (name, step), (begin, end, contacts) in told.items():
        one = by_name.get(name)
        if one is None:
            faults.append(f"a watcher was told of {name}, which has no record")
        elif not one.meets and one.contacts is not None:
            compared += 1
            if one.poses[step : step + 2] != [begin, end] or one.contacts.get(step, []) != contacts:
                faults.append(f"{one.label}: a watcher was told another step {step} than is recorded")
    return compared


def verify(tocsin, recorded, fraction, faults):
    """`tocsin verify` of the records of sessions whose contacts were read: the same motion gives the same hash, and a second implementation
    agrees. How many were verified."""
    files = []
    for part in (part for one in recorded if one.contacts is not None for part in one.parts if len(part.poses) > 1):
        files.append(part.stem + (".jsonl" if os.path.exists(part.stem + ".jsonl") else ".poses"))
    for begin in range(0, len(files), 100):
        command = [tocsin, "verify", "--fraction", str(fraction), *files[begin : begin + 100]]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            faults.append(f"verify: {done.stdout[-4000:]} {done.stderr}")
    return len(files)
