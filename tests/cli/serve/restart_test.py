"""Kills a server under load at seeded moments and starts it again on the same port and records; at last replaces it in order. What
`tocsin send` was told must have no hole, and its contacts must be those that `tocsin check --like` finds of the records.

Usage: restart_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(sys.argv[2], "tests/support"))
from ports import free_port  # noqa: E402

AVATARS = 3
ROOM = "environments/music_room.obj"
TAKE = "motions/walk_and_reach.bvh"


class Server:
    def __init__(self, tocsin, sources, port, records, log):
        self.sessions = [tocsin, "sessions", "--control", f"{records}/control.sock", "--json"]
        self.process = subprocess.Popen(
            [tocsin, "serve", "--env", f"{sources}/{ROOM}", "--listen", f"127.0.0.1:{port}", "--record", records,
             "--record-reserve", "0", "--threads", "2", "--lame-duck", "3", "--http", "0"],
            stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening"), line
        self.http = line.strip().rsplit(" ", 1)[1]

    def end(self, how):
        self.process.send_signal(how)
        return self.process.wait(60)

    def wait_for_sessions(self):
        """Until all are here: how fast clients come back on this machine decides nothing."""
        end, said = time.monotonic() + 120, ""
        while time.monotonic() < end:
            said = subprocess.run(self.sessions, capture_output=True, text=True).stdout
            rows = json.loads(said)["sessions"] if said else []
            if len(rows) == AVATARS and all(row["state"] == "streaming" and row["steps"] > 0 for row in rows):
                return
            time.sleep(0.02)
        raise AssertionError(f"not all sessions came: {said}")

    def ready(self):
        """The status of /readyz; none: nobody answers."""
        try:
            with urllib.request.urlopen(f"http://{self.http}/readyz", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def replace(self):
        """Ends it in order. It says that it is not ready while it still serves."""
        assert self.ready() == 200
        longest, before = 0.0, time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        said = 200
        while said == 200:
            begin, said = time.monotonic(), self.ready()
            longest, before = max(longest, time.monotonic() - before), begin
        # In the three seconds of --lame-duck one question comes in time, unless the machine stops for most of them.
        assert said == 503 or (said is None and longest > 2.5), f"it ended before it said so: {said}, {longest} s"
        return self.process.wait(60)


def lines_of(file):
    text = file.read_text()
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def contacts_of(tocsin, file, first_step):
    """The contacts that a check of a record finds: by step of the session."""
    done = subprocess.run([tocsin, "check", "--like", file, "--out", "-"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        if record["type"] == "contact":
            what = [record[key] for key in ("link", "object", "triangle", "status", "toc", "point", "normal")]
            found.setdefault(record["step"] + first_step, []).append(what)
    return found


def meetings(tocsin, sources):
    """Sessions that meet each other go on with each other, too. Their reports join; a session's record begins where they end."""
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w") as log:
        port, records = free_port(), f"{folder}/records"
        server = Server(tocsin, sources, port, records, log)
        sender = subprocess.Popen(
            [tocsin, "send", f"{sources}/{TAKE}", "--to", f"127.0.0.1:{port}", "--avatars", str(AVATARS), "--meet", "--rate", "60",
             "--seconds", "600", "--out", f"{folder}/sent.json"], stderr=subprocess.PIPE, text=True)
        for kill in (signal.SIGKILL, signal.SIGTERM):
            server.wait_for_sessions()
            time.sleep(1.5)
            server.end(kill)
            server = Server(tocsin, sources, port, records, log)
        server.wait_for_sessions()
        sender.send_signal(signal.SIGTERM)  # it ends its sessions in order
        errors = sender.communicate(timeout=120)[1]
        assert sender.returncode == 0, (sender.returncode, errors)
        assert server.end(signal.SIGTERM) == 0
        sent = json.loads(pathlib.Path(folder, "sent.json").read_text())
        assert sent["gaps"] == 0, sent["first_gap"]
        assert sent["sessions"]["ended"] == AVATARS and sent["sessions"]["resumed"] >= 2 * AVATARS, sent["sessions"]
        assert sent["found"]["met"] > 0, sent["found"]
        parts = {}
        for file in sorted(pathlib.Path(records).glob("*.poses")):
            lines = lines_of(file)
            head, ticks = lines[1]["session"], [line["tick"] for line in lines if line["type"] == "pose"]
            assert ticks == sorted(set(ticks)), "ticks that do not increase"
            parts.setdefault(head["id_sha256"], []).append((head["part"], head["step"], ticks))
            verified = subprocess.run([tocsin, "verify", "--fraction", "0.05", file], capture_output=True, text=True)
            assert verified.returncode == 0, verified.stdout + verified.stderr
        assert len(parts) == AVATARS
        for found in parts.values():
            found.sort()
            assert [part[0] for part in found] == [1, 2, 3], found
            for (_, step, ticks), (_, next_step, next_ticks) in zip(found, found[1:]):
                assert ticks[next_step - step] == next_ticks[0], "it does not begin where the reports end"
        print(f"{sent['steps']} steps of {AVATARS} that meet with 3 servers, {sent['found']['met']} contacts with each other: no hole")


def main():
    tocsin, sources = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    chance = random.Random(19)
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w") as log:
        port, records = free_port(), f"{folder}/records"
        server = Server(tocsin, sources, port, records, log)
        sender = subprocess.Popen(
            [tocsin, "send", f"{sources}/{TAKE}", "--to", f"127.0.0.1:{port}", "--avatars", str(AVATARS), "--rate", "90",
             "--seconds", "600", "--out", f"{folder}/sent.json"], stderr=subprocess.PIPE, text=True)
        for kill in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
            server.wait_for_sessions()
            time.sleep(0.5 + chance.random())
            server.replace() if kill == signal.SIGTERM else server.end(kill)
            server = Server(tocsin, sources, port, records, log)
        server.wait_for_sessions()
        time.sleep(0.5)
        sender.send_signal(signal.SIGTERM)  # it ends its sessions in order
        errors = sender.communicate(timeout=120)[1]
        assert sender.returncode == 0, (sender.returncode, errors)
        assert server.end(signal.SIGTERM) == 0
        sent = json.loads(pathlib.Path(folder, "sent.json").read_text())
        print(json.dumps({key: sent[key] for key in ("sessions", "frames", "steps", "gaps", "reports_sent_again")}))
        assert sent["gaps"] == 0, sent["first_gap"]
        assert sent["sessions"]["ended"] == AVATARS, sent["sessions"]
        assert sent["sessions"]["resumed"] >= 3 * AVATARS, sent["sessions"]

        sessions = {}
        for file in sorted(pathlib.Path(records).glob("*.poses")):
            lines = lines_of(file)
            sessions.setdefault(lines[1]["session"]["id_sha256"], []).append((lines[1]["session"]["part"], file, lines))
        assert len(sessions) == AVATARS, len(sessions)
        assert not os.listdir(f"{records}/sessions"), "all are over"
        contacts = steps = 0
        for parts in sessions.values():
            parts.sort(key=lambda part: part[0])
            assert [part[0] for part in parts] == [1, 2, 3, 4], [part[0] for part in parts]
            poses, touched = {}, {}
            for _, file, lines in parts:
                first = lines[1]["session"]["step"]
                assert first == 0 or first in poses, "a hole between two records"
                for k, pose in enumerate(line for line in lines if line["type"] == "pose"):
                    same = (pose["tick"], pose["local"])
                    assert poses.setdefault(first + k, same) == same, "a pose that is another one later"
                for step, found in contacts_of(tocsin, file, first).items():
                    assert touched.setdefault(step, found) == found, "contacts that are others later"
                verified = subprocess.run([tocsin, "verify", "--fraction", "0.05", file], capture_output=True, text=True)
                assert verified.returncode == 0, verified.stdout + verified.stderr
            assert sorted(poses) == list(range(len(poses)))
            ticks = [poses[k][0] for k in range(len(poses))]
            assert ticks == sorted(set(ticks))
            steps += len(poses) - 1
            contacts += sum(len(found) for found in touched.values())
        assert steps == sent["steps"], (steps, sent["steps"])
        assert contacts == sent["found"]["contacts"] > 0, (contacts, sent["found"]["contacts"])
        print(f"{steps} steps, {contacts} contacts, of {AVATARS} sessions with 4 servers: no hole")
    meetings(tocsin, sources)


if __name__ == "__main__":
    main()
