"""`tocsin watch` beside a real server and `tocsin send`: who was there, what it touched, what was late, how it ended; the room as a file; what
ends it.

Usage: watch_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile

TIME_LIMIT = 60  # seconds
TOKEN = "a-token-of-a-test-a"

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def start(command):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def serve(tocsin, sources, *more):
    room = os.path.join(sources, "environments", "music_room.obj")
    server = start([tocsin, "serve", "--env", room, "--listen", "127.0.0.1:0", *more])
    return server, re.match(r"listening on ([^,\s]+)", server.stdout.readline())[1]


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    check(done.returncode == status, f"{command}: status {done.returncode}: {done.stderr}")
    return done


def wait_for_watchers(server, count):
    """Until so many have begun. `server` has --log json."""
    for line in server.stderr:
        count -= json.loads(line)["event"] == "watch_began"
        if count == 0:
            return
    check(False, "the server ended before its watchers began")


def test_what_is_told(tocsin, sources):
    server, address = serve(tocsin, sources, "--log", "json")
    watch = [tocsin, "watch", "--from", address]
    everything = start(watch + ["--all", "--json"])
    words = start(watch + ["--env", "music_room"])
    elsewhere = start(watch + ["--session", "0123456789ab", "--seconds", "1"])
    wait_for_watchers(server, 3)
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    send = [tocsin, "send", take, "--to", address, "--rate", "400", "--duplicate", "0.2", "--jitter", "4", "--seed", "3", "--out", "-"]
    sent = json.loads(run(send).stdout)
    check(run([tocsin, "watch", "--from", address, "--env", "cellar"], 3).stderr.count("there is no room"), "another room")
    server.send_signal(signal.SIGTERM)
    out, err = everything.communicate(timeout=TIME_LIMIT)
    check(everything.returncode == 0 and "the server is shutting down" in err, f"the server's end: {everything.returncode}, {err}")
    events = [json.loads(line) for line in out.splitlines()]
    of = lambda kind: [event for event in events if event["event"] == kind]
    session, steps, ended = of("session"), of("step"), of("ended")
    check(len(session) == 1 and len(ended) == 1 and not of("skipped"), f"{session}, {ended}, {of('skipped')}")
    name = session[0]["session"]
    check(session[0]["principal"] == "anyone" and session[0]["room"] == "music_room" and len(session[0]["links"]) == 16, f"{session}")
    check([step["step"] for step in steps] == list(range(sent["steps"])), "every step, in order")
    check(all(a["to"] == b["from"] for a, b in zip(steps, steps[1:])), "they join")
    check(sum(len(step["contacts"]) for step in steps) == sent["found"]["contacts"] > 0, f"{sent['found']}")
    found = [(one["link"], one["object"], one["status"]) for step in steps for one in step["contacts"]]
    check(("right_forearm", "MusicStand", "hit") in found, f"{found}")
    check(ended[0]["reported"] and ended[0]["cause"] == "", f"{ended}")
    for key in ("stale", "duplicate", "skipped"):
        check(ended[0][f"{key}_frames"] == sent["frames"][key], f"{key}: {ended}, {sent['frames']}")
    check(sent["frames"]["duplicate"] + sent["frames"]["stale"] > 0, "nothing was late or twice")
    text, _ = words.communicate(timeout=TIME_LIMIT)
    check(f'{name}  anyone "tocsin send" in music_room, checked by cpu: 16 links of humanoid16\n' in text, text)
    check(re.search(name + r"  frame \d+ at \d+\.\d+ s: .*right_forearm MusicStand \(hit\)", text) is not None, text)
    check(re.search(name + r"  ended; \d+ steps, \d+ contacts?, ", text) is not None, text)
    check(" duplicate frame" in text or " late frame" in text, f"late frames: {text}")
    check(": free" not in text, "free steps are left out")
    out, err = elsewhere.communicate(timeout=TIME_LIMIT)
    check((elsewhere.returncode, out) == (0, ""), f"another session: {elsewhere.returncode}, {out}{err}")
    server.communicate(timeout=TIME_LIMIT)
    check(server.returncode == 0, f"the server: {server.returncode}")


def test_room(tocsin, sources, folder):
    server, address = serve(tocsin, sources)
    out = os.path.join(folder, "room.obj")
    said = run([tocsin, "watch", "--from", address, "--room", out]).stdout
    check(said == f"{out}: 4,656 triangles of music_room\n", said)
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    reports = []
    for room in (out, os.path.join(sources, "environments", "music_room.obj")):
        lines = run([tocsin, "check", take, "--env", room, "--out", "-"]).stdout.splitlines()
        reports.append(json.loads(lines[-1])["hash"])
    check(reports[0] == reports[1], f"the same contacts: {reports}")
    check("--room" in run([tocsin, "watch", "--from", address, "--room", out, "--json"], 2).stderr, "--room watches nothing")
    server.kill()
    server.communicate()


def test_ends(tocsin, sources, folder):
    tokens, token = os.path.join(folder, "tokens.json"), os.path.join(folder, "token")
    with open(tokens, "w", encoding="utf-8") as out:
        json.dump({"format": "tocsin.tokens.v1", "tokens": [{"name": "studio-a", "token": TOKEN}]}, out)
    os.chmod(tokens, 0o600)
    with open(token, "w", encoding="utf-8") as out:
        out.write(TOKEN)
    server, address = serve(tocsin, sources, "--tokens", tokens, "--log", "json")
    watch = [tocsin, "watch", "--from", address]
    refused = run(watch, 3).stderr
    check("a token is needed" in refused and "--token-file" in refused, refused)
    interrupted = start(watch + ["--token-file", token])
    killed = start(watch + ["--token-file", token])
    wait_for_watchers(server, 2)
    interrupted.send_signal(signal.SIGINT)
    check(interrupted.wait(TIME_LIMIT) == 0, f"a signal: {interrupted.returncode}")
    interrupted.communicate()
    server.kill()
    server.communicate()
    _, err = killed.communicate(timeout=TIME_LIMIT)
    check(killed.returncode == 4 and address in err, f"a server that is killed: {killed.returncode}, {err}")
    check(run(watch, 4).stderr.count(address), "no server")


def main():
    tocsin, sources = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        test_what_is_told(tocsin, sources)
        test_room(tocsin, sources, folder)
        test_ends(tocsin, sources, folder)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
