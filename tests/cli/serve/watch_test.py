"""`tocsin watch` and `tocsin view --from` beside a real server and `tocsin send`: who was there, what it touched, what was late, how it ended; the
room as a file; what ends it; a window that goes along, pauses, and outlives its server.

Usage: watch_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[2], "tests/support"))
from held_stream import HeldStream  # noqa: E402
from ports import free_port  # noqa: E402

# A test runner in the background leaves it ignored, and what is started here would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
TIME_LIMIT = 120  # seconds; only a hang takes so long
TOKEN = "a-token-of-a-test-a"

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def start(command):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def serve(tocsin, sources, *more, listen="127.0.0.1:0"):
    room = os.path.join(sources, "environments", "music_room.obj")
    server = start([tocsin, "serve", "--env", room, "--listen", listen, *more])
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
    elsewhere = start(watch + ["--session", "0123456789ab", "--seconds", "3"])
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
    for file, status, why in ((os.path.join(folder, "no", "room.obj"), 4, "no file can be written there"), (out + ".txt", 2, "not to")):
        check(why in run([tocsin, "watch", "--from", address, "--room", file], status).stderr, f"--room {file}")
    server.kill()
    server.communicate()


def test_late_watcher(tocsin, sources):
    """What was late before a watcher came is not told as new."""
    server, address = serve(tocsin, sources, "--log", "json")
    folder = tempfile.TemporaryDirectory()
    # So long that the late one comes in time on any machine; it is ended with the others.
    take = os.path.join(folder.name, "walk.bvh")
    run([tocsin, "make-motion", take, "--seconds", "120"])
    sender = start([tocsin, "send", take, "--to", address, "--rate", "60", "--duplicate", "0.3", "--seed", "3"])
    early = start([tocsin, "watch", "--from", address, "--all", "--json"])
    for line in early.stdout:
        if json.loads(line).get("duplicate_frames", 0) > 5:
            break
    late = start([tocsin, "watch", "--from", address, "--all"])
    lines = []
    for line in late.stdout:
        lines.append(line)
        if "  frame " in line:
            break
    check(re.search(r"until now \d+ late, ([6-9]|\d\d+) duplicate", lines[-1]) is not None, f"{lines}")
    for one in (late, early, sender, server):
        one.kill()
        one.communicate()
    folder.cleanup()


VIEW = """await sessions 1
await rooms 1
await steps 40
key space
tell
await steps 120
tell
key end
await ended 1
tell
key n
tell
screenshot contact.png
await losses 1
tell
await connections 2
await ended 2
key n
tell
"""


def test_view(tocsin, sources, folder):
    """A window of a server's sessions, without a screen."""
    frames = 129  # steps of the take
    script, log = os.path.join(folder, "script.txt"), ["--log", "json"]
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    with open(script, "w", encoding="ascii") as out:
        out.write(VIEW)
    view = lambda address, *more: [tocsin, "view", "--from", address, "--offscreen", "--size", "960x600", "--script", script, *more]
    # One port for both servers. A busy machine delays frames; here it shall not skip them.
    log += ["--max-pending", "200"]
    server, address = serve(tocsin, sources, *log, listen=f"127.0.0.1:{free_port()}")
    window = subprocess.Popen(view(address, "--keep", str(frames + 20)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    wait_for_watchers(server, 1)
    send = [tocsin, "send", take, "--rate", "60", "--duplicate", "0.1", "--seed", "3", "--out", "-", "--to"]
    # About half of the frames come before the window has paused, and the others after that, however slow it is.
    held = HeldStream(address, 90_000)
    sender = start([*send, held.address])
    lines = [window.stdout.readline()]
    held.release()
    out, err = sender.communicate(timeout=TIME_LIMIT)
    assert sender.returncode == 0, f"send: {sender.returncode}, {err}"
    sent = json.loads(out)
    if not lines[0] and window.wait(TIME_LIMIT) == 2:
        _, err = window.communicate()
        print("not tried: a window of a server:", err)
        check("Dear ImGui" in err or "OpenGL" in err or "EGL" in err, err)
        server.kill()
        server.communicate()
        return
    while not os.path.exists(os.path.join(folder, "contact.png")) and window.poll() is None:
        select.select([], [], [], 0.05)
    server.kill()
    server.communicate()
    lines += [window.stdout.readline() for _ in range(4)]  # the last one without a server: the next comes after it
    server, _ = serve(tocsin, sources, *log, listen=address)
    wait_for_watchers(server, 1)
    run([word if word != "60" else "400" for word in send] + [address])
    out, err = window.communicate(timeout=TIME_LIMIT)
    check(window.returncode == 0, f"the window: {window.returncode}, {err}")
    states = [json.loads(line) for line in lines + out.splitlines() if line]
    check(len(states) == 6, f"{len(states)} states: {err}")
    paused, later, end, contact, lost, again = states
    check(not paused["playing"] and not paused["at_live"] and paused["verdict"] == "LIVE", f"paused: {paused}")
    check("room music_room: 4,656 triangles, downloaded" in paused["live"]["lines"], f"{paused['live']['lines']}")
    check(paused["figures"][0]["name"] == "tocsin send" and paused["overlapping_letters"] == 0, f"{paused['figures']}")
    check(40 <= paused["live"]["steps"] < 120, f"paused amid the session: {paused['live']}")
    check(later["now"] == paused["now"] and later["until"] > paused["until"], "it pauses while more comes")
    live = end["live"]
    check(end["at_live"] and end["now"] == end["until"], "back to live")
    check(live["steps"] == sent["steps"] == frames and live["contacts"] == sent["found"]["contacts"] > 0, f"{live}, {sent['found']}")
    for key in ("duplicate", "skipped"):
        check(live[key] == sent["frames"][key], f"{key}: {live}, {sent['frames']}")
    check(live["late"] == sent["frames"]["stale"] and live["missed"] == 0, f"{live}, {sent['frames']}")
    check(end["figures"][0]["state"] == "over" and "ended" in end["marks"], f"{end['figures']}, {end['marks']}")
    check({"link": "right_forearm", "thing": "MusicStand", "status": "hit"} in contact["touching"], f"{contact['touching']}")
    check(not contact["at_live"] and contact["now"] < contact["until"], "the contact")
    check(lost["verdict"] == "LOST" and lost["episodes"] == contact["episodes"], "what is there stays")
    # What matters first; and the panel shows all of it, in lines of its width.
    retry = [line for line in lost["live"]["lines"] if re.match(r"no connection, again in \d+ s: .", line)]
    check(len(retry) == 1, f"{lost['live']['lines']}")
    for state in states:
        whole, shown = state["live"]["lines"], " ".join(state["live"]["shown"])
        check(all(line in shown for line in whole), f"cut: {whole}, {state['live']['shown']}")
        check(state["overlapping_letters"] == 0 and state["cut_texts"] == 0, f"{state['overlapping_letters']}, {state['cut_texts']}")
    check(again["verdict"] == "LIVE" and again["live"]["connections"] == 2, f"{again['live']}")
    check(again["live"]["kept_steps"] == frames + 20 and again["live"]["dropped_steps"] == frames - 20, f"{again['live']}")
    check(again["touching"] != [], "a contact of the second one")
    # A room of its own, and another one.
    rooms = {"right": os.path.join(sources, "environments", "music_room.obj"), "wrong": os.path.join(folder, "room.obj")}
    with open(rooms["wrong"], "w", encoding="ascii") as other:
        other.write("o Box\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with open(script, "w", encoding="ascii") as out:
        out.write("await rooms 1\ntell\n")
    sender = start([tocsin, "send", take, "--to", address, "--seconds", "3600"])
    for name, said in (("right", ", of --room"), ("wrong", "is not the server's room: downloaded")):
        live = json.loads(run(view(address, "--room", rooms[name])).stdout)["live"]
        lines = live["lines"]
        check(any(said in line for line in lines), f"{name}: {lines}")
        check(all(line in " ".join(live["shown"]) for line in lines), f"{name}, cut: {lines}, {live['shown']}")
    sender.kill()
    sender.communicate()
    check("there is no room" in run(view(address, "--env", "cellar"), 3).stderr, "another room")
    server.kill()
    server.communicate()
    check(address in run(view(address), 4).stderr, "no server")
    for words, why in (([], "MOTION is required"), (["--session", "a"], "goes with --from"), ([take, "--from", address], "goes without --from"),
                       (["--from", address, "--margin", "1"], "goes with takes"), (["--from", address, "--keep", "1"], "--keep")):
        check(why in run([tocsin, "view", *words], 2).stderr, f"{words}")


def test_view_of_rooms_over_tls(tocsin, sources, folder):
    """Two rooms, a session in each, over TLS with tokens: one room is shown, and what is elsewhere is said."""
    at = lambda name: os.path.join(folder, name)
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", at("key.pem"), "-out", at("ca.pem"), "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    try:
        done = subprocess.run(made, capture_output=True, text=True, check=False)
    except OSError as problem:
        print("not tried: a window over TLS needs openssl:", problem)
        return
    check(done.returncode == 0, done.stderr)
    files = {"token": TOKEN, "wrong": "another-token-of-it", "box.obj": "o Box\nv 50 0 0\nv 51 0 0\nv 50 1 0\nf 1 2 3\n", "script": VIEW_OF_ROOMS,
             "tokens.json": json.dumps({"format": "tocsin.tokens.v1", "tokens": [{"name": "studio-a", "token": TOKEN}]})}
    for name, text in files.items():
        with open(at(name), "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(at(name), 0o600)
    server, address = serve(tocsin, sources, "--env", "stage=" + at("box.obj"), "--tokens", at("tokens.json"), "--tls-cert", at("ca.pem"), "--tls-key", at("key.pem"))
    door = ["--tls-ca", at("ca.pem"), "--token-file", at("token")]
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    senders = [start([tocsin, "send", take, "--to", address, "--env", room, "--seconds", "3600", *door]) for room in ("music_room", "stage")]
    view = lambda *more: [tocsin, "view", "--from", address, "--offscreen", "--size", "960x600", "--script", at("script"), *more]
    tried = subprocess.run(view("--env", "stage", *door), capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    if tried.returncode == 2:
        print("not tried: a window over TLS:", tried.stderr)
    else:
        for room, triangles, out in (("stage", "1 triangle", tried), ("music_room", "4,656 triangles", run(view("--env", "music_room", *door)))):
            check(out.returncode == 0, f"{room}: {out.returncode}, {out.stderr}")
            state = json.loads(out.stdout)
            live = state["live"]
            check(live["sessions"] == live["running"] == 1 and live["elsewhere"] == 0, f"only those of {room}: {live}")
            check(f"room {room}: {triangles}, downloaded" in live["lines"], f"{room}: {live['lines']}")
            check(len(state["figures"]) == 1 and state["figures"][0]["steps"] >= 5, f"{room}: {state['figures']}")
        both = json.loads(run(view(*door)).stdout)["live"]
        check(both["running"] == 1 and both["elsewhere"] == 1, f"one room at a time: {both}")
        check(any("1 in other rooms: --env shows them" in line for line in both["lines"]), f"{both['lines']}")
        check("a token is needed" in run(view("--tls-ca", at("ca.pem")), 3).stderr, "no token")
        check("token" in run(view("--tls-ca", at("ca.pem"), "--token-file", at("wrong")), 3).stderr, "another token")
        check(address in run(view("--tls", "--token-file", at("token")), 4).stderr, "an authority that is not known")
        check("there is no room" in run(view("--env", "cellar", *door), 3).stderr, "no such room")
    for one in (*senders, server):
        one.kill()
        one.communicate()


VIEW_OF_ROOMS = """await sessions 1
await rooms 1
await steps 5
live 0.3
tell
"""


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
    script = os.path.join(folder, "nothing.txt")
    with open(script, "w", encoding="ascii"):
        pass
    seen = subprocess.run([tocsin, "view", "--from", address, "--offscreen", "--script", script], capture_output=True, text=True, check=False)
    if "Dear ImGui" not in seen.stderr:
        check(seen.returncode == 3 and "a token is needed" in seen.stderr and "--token-file" in seen.stderr, seen.stderr)
    interrupted = start(watch + ["--token-file", token])
    killed = start(watch + ["--token-file", token])
    wait_for_watchers(server, 2)
    interrupted.send_signal(signal.SIGINT)
    check(interrupted.wait(TIME_LIMIT) == 0, f"a signal: {interrupted.returncode}")
    interrupted.communicate()
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    run([tocsin, "send", take, "--to", address, "--token-file", token, "--rate", "max"])
    check(killed.stdout.readline() != "", "a watch tells of a session")  # by then it has worked
    server.kill()
    server.communicate()
    _, err = killed.communicate(timeout=TIME_LIMIT)
    check("does the server want" not in err, f"a stream that has worked needs no other options: {err}")
    check(killed.returncode == 4 and address in err, f"a server that is killed: {killed.returncode}, {err}")
    check(run(watch, 4).stderr.count(address), "no server")


def main():
    tocsin, sources = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        try:
            test_what_is_told(tocsin, sources)
            test_room(tocsin, sources, folder)
            test_late_watcher(tocsin, sources)
            test_view(tocsin, sources, folder)
            test_view_of_rooms_over_tls(tocsin, sources, folder)
            test_ends(tocsin, sources, folder)
        finally:  # what was found before an error
            for failure in failures:
                print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
