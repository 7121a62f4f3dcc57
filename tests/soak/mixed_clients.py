"""Those who use the server: sessions on streams of their own and in crowds, watchers, senders of motion capture, and one who changes a room.

Each ends its sessions and begins others until the plan is over, and keeps what it was told."""

import json
import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass, field

import grpc
import numpy as np
import tocsin
from mixed_server import PROTOCOLS, TIME_LIMIT, paced, seeded
from tocsin import live
from tocsin.v1 import collision_pb2 as pb

HALL = "hall"  # the room that changes


@dataclass
class Plan:
    """What all of them share."""

    tocsin: str
    sources: str
    folder: str
    seed: int
    rate: float  # frames a second
    life: tuple  # frames of a session: from, to
    over: threading.Event = field(default_factory=threading.Event)
    faults: list = field(default_factory=list)
    counts: dict = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def count(self, what, more=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + more


@dataclass
class Told:
    """A step as a client was told it."""

    step: int
    begin: int  # ids of frames
    end: int
    contacts: list  # (link, what it touches, triangle, low, high): those with the room and with itself
    ahead: bool


@dataclass
class Life:
    """A session of a client, over all servers; `label` is its own."""

    label: str
    meets: bool
    sent: set
    steps: list = field(default_factory=list)


def told_of(report):
    rows, contacts = np.asarray(report.contacts), report.contacts
    names = zip(contacts.link_names(), contacts.touched_names(), rows) if len(rows) else ()
    own = [
        (link, touched, int(row["triangle"]), float(row["toc"][0]), float(row["toc"][1]))
        for link, touched, row in names
        if row["other_avatar"] <= 0
    ]
    ahead = report.message is not None and report.message.HasField("ahead") and len(report.message.ahead.contacts) > 0
    return Told(report.step, report.start.id, report.to.id, own, ahead)


def world_poses(take):
    """The same poses, every joint in the world."""
    out, parents = take.poses.copy(), take.skeleton.parents
    for j, parent in enumerate(parents):
        if parent < 0:
            continue
        q, p, (w, x, y, z), at = out[:, parent, :4], out[:, parent, 4:], take.poses[:, j, :4].T, take.poses[:, j, 4:]
        turned = at + 2.0 * np.cross(q[:, 1:], np.cross(q[:, 1:], at) + q[:, :1] * at)
        a, b, c, d = q.T
        product = [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w]
        out[:, j, :4], out[:, j, 4:] = np.stack(product, axis=1), p + turned
    return out


class Client(threading.Thread):
    """A thread of the plan, whose faults are the plan's."""

    def __init__(self, plan, name):
        super().__init__(name=name, daemon=True)
        self.plan, self.chance = plan, seeded(plan.seed, name)

    def run(self):
        try:
            while not self.plan.over.is_set():
                self.turn()
        except Exception as error:  # all of them: the plan says it
            self.plan.fault(f"{self.name}: {type(error).__name__}: {error}")


class Walker(Client):
    """Sessions that follow one another. Frames go to and fro through the take; some are not sent, and some have lost joints."""

    def __init__(self, plan, name, connection, take, crowd=0, choices=({},)):
        super().__init__(plan, name)
        self.connection, self.take, self.crowd, self.choices = connection, take, crowd, choices
        self.world, self.lives, self.number = world_poses(take), [], 0

    def options(self):
        self.number += 1
        more = dict(self.choices[self.number % len(self.choices)])
        place = (self.chance.uniform(-0.3, 0.3), 0.0, self.chance.uniform(-0.3, 0.3))
        label = f"{self.name} {self.number}"
        return {"environment": "music_room", "model": "humanoid16", "frame_seconds": 1 / 30, "label": label, "place": place, **more}

    def pose(self, options, k):
        k %= 2 * len(self.take) - 2
        k = min(k, 2 * len(self.take) - 2 - k)
        if not options.get("tracker"):
            return self.take.poses[k]
        out = self.world[k].copy()
        if self.chance.random() < 0.2:
            out[self.chance.randrange(1, len(out)), :4] = 0.0
        return out

    def turn(self):
        self.plan.count("crowds" if self.crowd else "streams")
        self.many() if self.crowd else self.one()

    def one(self):
        options = self.options()
        life = Life(options["label"], bool(options.get("meet")), set())
        with self.connection.track(self.take, patience=TIME_LIMIT, **options) as session:
            for k, _ in zip(range(self.chance.randint(*self.plan.life)), paced(self.plan.rate, self.chance)):
                if self.plan.over.is_set() and k > 1:
                    break
                if k > 0 and self.chance.random() < 0.03:
                    continue  # it is lost on its way
                session.send(self.pose(options, k), frame=k)
                life.sent.add(k)
            session.finish()
            for report in session:
                life.steps.append(told_of(report))
            self.take_end(life, session)

    def many(self):
        with self.connection.crowd(patience=TIME_LIMIT) as crowd:
            members = {}  # session -> (options, life, frames)
            for _ in range(self.crowd):
                options = self.options()
                life = Life(options["label"], bool(options.get("meet")), set())
                members[crowd.track(self.take, **options)] = (options, life, self.chance.randint(*self.plan.life))
            reader = threading.Thread(target=self.read, args=(crowd, members), daemon=True)
            reader.start()
            going, k = dict(members), 0
            for _ in paced(self.plan.rate, self.chance):
                going = {one: what for one, what in going.items() if k < what[2]}
                if not going or (self.plan.over.is_set() and k > 1):
                    break
                now = {one: self.pose(what[0], k) for one, what in going.items() if k == 0 or self.chance.random() > 0.03}
                crowd.send(now, frame=k)
                for one in now:
                    members[one][1].sent.add(k)
                k += 1
                for one in [one for one, what in going.items() if k >= what[2]]:
                    one.finish()
            crowd.finish()
            reader.join(2 * TIME_LIMIT)
            if reader.is_alive():
                self.plan.fault(f"{self.name}: its sessions do not end: {[one.label for one in members if one.ended is None]}")
            for one, (_, life, _) in members.items():
                if one.error is not None:
                    self.plan.fault(f"{life.label}: {one.error}")
                self.take_end(life, one)

    def read(self, crowd, members):
        try:
            for session, report in crowd:
                members[session][1].steps.append(told_of(report))
        except Exception as error:
            self.plan.fault(f"{self.name}: {type(error).__name__}: {error}")

    def take_end(self, life, session):
        """Reports tile, from the first frame that was sent to the last."""
        for hole in session.holes:
            self.plan.fault(f"{life.label}: no report from frame {hole.after} to {hole.before}")
        for before, after in zip(life.steps, life.steps[1:]):
            if before.end != after.begin or after.step not in (before.step + 1, 0):
                self.plan.fault(f"{life.label}: step {after.step} from frame {after.begin} comes after step {before.step} to {before.end}")
        if session.ended is None:
            return self.plan.fault(f"{life.label}: it has no end")
        ends = (life.steps[0].begin, life.steps[-1].end) if life.steps else None
        wanted = (min(life.sent), max(life.sent)) if life.sent else None
        # One frame alone makes no step, but in a meeting, whose ticks cover those who stand still.
        none = ends is None and len(life.sent) < 2
        if not none and (ends != wanted or (len(life.sent) < 2 and not life.meets)):
            self.plan.fault(f"{life.label}: reports cover frames {ends}, {wanted} were sent")
        begins = sum(told.step == 0 for told in life.steps)
        self.plan.count("sessions")
        self.plan.count("begun anew", begins - 1)
        self.plan.count("steps", len(life.steps))
        self.plan.count("contacts", sum(len(told.contacts) for told in life.steps))
        self.plan.count("foreseen", sum(told.ahead for told in life.steps))
        self.lives.append(life)


class Watcher(Client):
    """Follows all sessions. What it is told joins, where nothing was missed."""

    def __init__(self, plan, name, address, poses):
        super().__init__(plan, name)
        self.address, self.poses, self.told = address, poses, {}  # (session, step) -> ids and contacts

    def turn(self):
        try:
            with live.connect(self.address, timeout=2.0) as connection, connection.watch(poses=self.poses) as watch:
                self.plan.count("watches")
                threading.Thread(target=lambda: (self.plan.over.wait(), watch.close()), daemon=True).start()
                self.follow(watch)
        except (tocsin.Error, grpc.RpcError) as error:
            if getattr(error, "code", "") not in ("resource", "input"):
                raise
            time.sleep(0.05)

    def follow(self, watch):
        last = {}
        for event in watch:
            if isinstance(event, live.Missed):
                last = {}
                self.plan.count("missed by watchers", event.events)
            if not isinstance(event, live.Stepped) or not event.report.complete:
                continue
            report, name = event.report, event.session
            before = last.get(name)
            if before is not None and (before.step + 1, before.to) != (report.step, report.start):
                self.plan.fault(f"{self.name}: {name}: step {report.step} from {report.start} comes after step {before.step} to {before.to}")
            last[name] = report
            told = told_of(report)
            self.told[(name, told.step)] = (told.begin, told.end, sorted(told.contacts))
            self.plan.count("watched steps")


class Changer(Client):
    """Has a room that changes, and loads it again where a new server has lost it."""

    def __init__(self, plan, connection):
        super().__init__(plan, "changer")
        self.connection, self.at = connection, 0.0
        self.file = os.path.join(plan.folder, "hall.obj")
        with open(self.file, "w", encoding="utf-8") as out:
            out.write("o wall\nv -9 -9 0.4\nv 9 -9 0.4\nv 0 9 0.4\nf 1 2 3\n")
            out.write("o pole\nv -0.05 0 -1\nv 0.05 0 -1\nv 0 2 -1\nv 0 2 -0.9\nf 4 5 6\nf 4 5 7\n")

    def load(self, address):
        """Loads the room into a server that does not have it; nobody else reaches the server yet."""
        with live.connect(address, timeout=TIME_LIMIT) as connection:
            connection.upload_room(HALL, self.file, changeable=True)

    def turn(self):
        self.plan.over.wait(self.chance.uniform(0.05, 0.3))
        self.at = self.chance.uniform(-0.5, 0.5)
        place = pb.Placement(translation=pb.Vec3(x=self.at, y=0.0, z=self.chance.uniform(-0.5, 0.5)))
        move = pb.SceneEdit(move=pb.SceneEdit.Move(object="pole", to=place))
        jump = pb.SceneEdit(place=pb.SceneEdit.Place(object="pole", at=place))
        edits = [move if self.chance.random() < 0.8 else jump]
        edits.append(pb.SceneEdit(set_active=pb.SceneEdit.SetActive(object="wall", active=self.chance.random() < 0.7)))
        request = pb.UpdateEnvironmentRequest(name=HALL, edits=edits)
        try:
            self.connection._unary("UpdateEnvironment", request, pb.UpdateEnvironmentResponse)
            self.plan.count("changes of a room")
        except tocsin.Error as error:  # there is no server now, or it does not have the room yet
            if error.code != "resource" and "no room" not in str(error):
                raise


class Capture(Client):
    """Sends motion capture over UDP: takes with losses and pauses, after which a session is over."""

    def __init__(self, plan, protocol, port):
        super().__init__(plan, protocol)
        self.port = port

    def turn(self):
        take = os.path.join(self.plan.sources, "motions", "walk_and_reach.bvh")
        seconds = self.chance.uniform(*self.plan.life) / self.plan.rate / 2
        command = [self.plan.tocsin, "send", take, "--protocol", self.name, "--to", f"127.0.0.1:{self.port}", "--rate", str(self.plan.rate)]
        command += ["--seconds", f"{seconds:.2f}", "--loss", "0.05", "--jitter", "20", "--duplicate", "0.02"]
        command += ["--seed", str(self.chance.randrange(1000))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * TIME_LIMIT)
        said = re.match(r"sent (\d+) frames in (\d+) datagrams", done.stdout)
        if done.returncode == 4 and "nobody listens there" in done.stderr:
            self.plan.count("senders that lost the server")
        elif done.returncode != 0 or not said:
            self.plan.fault(f"send {self.name}: {done.stdout} {done.stderr}")
        else:
            self.plan.count("captured frames", int(said[1]))
        self.plan.over.wait(self.chance.choice((0.1, 1.5)))


class Sender(Client):
    """`tocsin send`, the client in C++, for the whole time."""

    def __init__(self, plan, name, address, seconds, *more):
        super().__init__(plan, name)
        self.out = os.path.join(plan.folder, f"{name}.json")
        take = os.path.join(plan.sources, "motions", "walk_and_reach.bvh")
        self.command = [plan.tocsin, "send", take, "--to", address, "--seconds", str(seconds), "--env", "music_room", "--avatar", "humanoid16"]
        self.command += ["--loss", "0.02", "--jitter", "10", "--seed", "7", "--out", self.out, *more]

    def run(self):
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, timeout=3600)
            if done.returncode != 0:
                return self.plan.fault(f"{self.name}: status {done.returncode}: {done.stderr}")
            with open(self.out, encoding="utf-8") as file:
                sent = json.load(file)
            if sent["gaps"] or sent["sessions"]["ended"] != sent["options"]["avatars"]:
                self.plan.fault(f"{self.name}: gaps {sent['gaps']}, {sent['first_gap']}, {sent['sessions']}")
            self.plan.count("sessions", sent["sessions"]["ended"])
            self.plan.count("resumed by send", sent["sessions"]["resumed"])
            self.plan.count("steps", sent["steps"])
            self.plan.count("contacts", sent["found"]["contacts"])
        except Exception as error:
            self.plan.fault(f"{self.name}: {type(error).__name__}: {error}")


def captures(plan, server):
    return [Capture(plan, protocol, server.ports[protocol]) for protocol in PROTOCOLS]
