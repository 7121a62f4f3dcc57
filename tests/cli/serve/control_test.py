"""`tocsin status` and `tocsin sessions` of a real server: what they say, what they end, who may ask.

Usage: control_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time

ROOM = "environments/music_room.obj"
TAKE = "motions/walk_and_reach.bvh"


class Server:
    def __init__(self, tocsin, sources, log, *options, **environment):
        self.process = subprocess.Popen(
            [tocsin, "serve", "--env", f"{sources}/{ROOM}", "--listen", "127.0.0.1:0", "--threads", "2", *options],
            stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment})
        line = self.process.stdout.readline()
        assert line.startswith("listening"), line
        self.address = re.match(r"listening on (\S+),", line).group(1)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0


def main():
    tocsin, sources = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

    def ask(*words, status=0, **environment):
        done = subprocess.run([tocsin, *words], capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
        assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout if status < 2 else done.stderr

    def eventually(holds):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.05)
        return False

    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w+") as log:
        records, given = f"{folder}/records", f"{folder}/given.sock"
        usual = f"{records}/control.sock"
        server = Server(tocsin, sources, log, "--record", records, "--record-reserve", "0", "--record-sync", "--lame-duck", "3")
        mode = os.stat(usual).st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, oct(mode)

        text = ask("status", "--control", usual)
        for line in ("Server +tocsin ", rf"Listens +{server.address}\n", "Ready +yes\n", "Sessions +0, 0 streaming, of ",
                     "Memory +[0-9.]+ MiB", "Files +[0-9]+ open of ", "Records +.*/records: ", "Room +music_room: 4,656 triangles"):
            assert re.search(line, text), (line, text)
        now = json.loads(ask("status", "--control", usual, "--json"))
        assert now["format"] == "tocsin.status.v1" and now["ready"] and now["pid"] == server.process.pid, now
        assert json.loads(ask("status", "--json", RUNTIME_DIRECTORY=records))["pid"] == server.process.pid, "as under systemd"
        assert ask("sessions", "--control", usual) == "no sessions\n"

        sender = subprocess.Popen(
            [tocsin, "send", f"{sources}/{TAKE}", "--to", server.address, "--rate", "30", "--seconds", "3600", "--avatars", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        rows = []

        def two():
            rows[:] = json.loads(ask("sessions", "--control", usual, "--json"))["sessions"]
            return len(rows) == 2 and all(row["steps"] > 0 for row in rows)

        assert eventually(two), rows
        table = ask("sessions", "--control", usual).splitlines()
        assert table[0].split() == ["Session", "Principal", "Peer", "State", "Age", "Frames", "Contacts", "Skipped", "Label"], table
        assert [line.split()[0] for line in table[1:]] == [row["session"] for row in rows], table
        assert all(row["principal"] == "anyone" and row["peer"] == "127.0.0.1" for row in rows), rows
        assert "there is no such session" in ask("sessions", "--control", usual, "--end", "nobody", status=3)
        assert "letters, digits and dashes" in ask("sessions", "--control", usual, "--end", "../status?", status=3)
        for row in rows:
            assert ask("sessions", "--control", usual, "--end", row["session"]) == "ended\n"
        _, errors = sender.communicate(timeout=60)
        assert sender.returncode != 0 and "the operator has ended the session" in errors, (sender.returncode, errors)
        assert eventually(lambda: ask("sessions", "--control", usual) == "no sessions\n")

        # The next server of an upgrade gets the socket when the one before is gone; until then it serves without.
        following = Server(tocsin, sources, log, "--record", records, "--record-reserve", "0")
        assert json.loads(ask("status", "--control", usual, "--json"))["pid"] == server.process.pid
        server.process.send_signal(signal.SIGTERM)
        # In the three seconds of --lame-duck one question comes in time, unless the machine stops for most of them.
        closes, longest, before = None, 0.0, time.monotonic()
        while not closes and server.process.poll() is None:
            begin = time.monotonic()
            said = subprocess.run([tocsin, "status", "--control", usual], capture_output=True, text=True)
            closes = re.search("Ready +no; listener: the server closes", said.stdout)
            longest, before = max(longest, time.monotonic() - before), begin
        assert said.returncode == 1 if closes else longest > 2.5, (longest, said)
        assert server.process.wait(60) == 0
        assert eventually(lambda: os.path.exists(usual) and subprocess.run(
            [tocsin, "status", "--control", usual], capture_output=True).returncode == 0)
        assert json.loads(ask("status", "--control", usual, "--json"))["pid"] == following.process.pid

        # One that was given must be had.
        taken = subprocess.run([tocsin, "serve", "--listen", "127.0.0.1:0", "--control", usual], capture_output=True, text=True)
        assert taken.returncode == 4 and "--control: cannot listen on" in taken.stderr, taken
        following.end()
        assert not os.path.exists(usual), "it is removed at the end"
        assert "no server listens there" in ask("status", "--control", usual, status=4)
        assert "no server listens there" in ask("status", "--control", given, status=4)
        ask("status", "--control", "x" * 200, status=2)
        server = Server(tocsin, sources, log, "--control", given)
        assert json.loads(ask("status", "--control", given, "--json"))["disk"] is None
        server.end()
        log.seek(0)
        print(f"status, sessions, --end; log: {len(log.readlines())} lines")


if __name__ == "__main__":
    main()
