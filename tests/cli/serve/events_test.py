"""/v1/events of a real `tocsin serve --http`: the contact that `tocsin send` shows, told to whom it belongs and to nobody else. And its log,
`--log json`: every line is an object, with what the clients did.

Usage: events_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

TOKENS = {"studio-a": "a-token-of-a-test-a", "studio-b": "a-token-of-a-test-b"}
TIME_LIMIT = 60  # seconds
WRONG = 30  # calls with a wrong token; more than the log writes at once

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


class Listener:
    """Reads events on a thread of its own."""

    def __init__(self, address, token):
        self.events, self.begun, self.enough = [], threading.Event(), threading.Event()
        self.connection = http.client.HTTPConnection(address, timeout=TIME_LIMIT)
        self.connection.request("GET", "/v1/events", headers={"Authorization": f"Bearer {token}"})
        self.answer = self.connection.getresponse()
        if self.answer.status == 200:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        kind = None
        for line in self.answer:
            self.begun.set()
            text = line.decode("utf-8").rstrip("\n")
            if text.startswith("event: "):
                kind = text[7:]
            elif text.startswith("data: "):
                self.events.append((kind, json.loads(text[6:])))
                self.enough.set()
            else:
                check(text == "" or text.startswith(":"), f"no line of an event: {text!r}")


def main():
    tocsin, sources = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        tokens = os.path.join(folder, "tokens.json")
        with open(tokens, "w", encoding="utf-8") as out:
            entries = [{"name": name, "token": token} for name, token in TOKENS.items()]
            json.dump({"format": "tocsin.tokens.v1", "tokens": entries}, out)
        os.chmod(tokens, 0o600)
        command = [tocsin, "serve", "--env", os.path.join(sources, "environments", "music_room.obj")]
        command += ["--listen", "127.0.0.1:0", "--http", "0", "--tokens", tokens, "--log", "json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            run(tocsin, sources, server, folder)
        finally:
            server.terminate()
            _, log = server.communicate(timeout=TIME_LIMIT)
        check(server.returncode == 0, f"status {server.returncode}: {log}")
        check_log(log)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def check_log(log):
    lines = [json.loads(line) for line in log.splitlines()]
    for line in lines:
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]), f"the time: {line}")
        check(set(line) <= {"time", "event", "peer", "principal", "session", "cause", "left_out"}, f"{line}")
    of = lambda event: [line for line in lines if line["event"] == event]
    for event in ("session_opened", "session_ended"):
        one = of(event)
        check(len(one) == 1 and one[0]["principal"] == "studio-a" and one[0]["peer"] == "127.0.0.1", f"{event}: {one}")
        check(one and re.fullmatch("[0-9a-f]{12}", one[0]["session"]), f"{event}: {one}")
    failed = of("authentication_failed")
    check(any(line["peer"] == "127.0.0.1" and line["cause"] == "the token is not known here" for line in failed), f"{failed}")
    refused = [line for line in of("refused") if line.get("principal") == "studio-b"]
    check(len(refused) == 1 and "there is no room" in refused[0]["cause"], f"{of('refused')}")
    left_out = sum(line.get("left_out", 0) for line in failed + of("left_out"))
    check(len(failed) + left_out >= WRONG, f"what is not written is counted: {len(failed)} and {left_out}")
    check(any("ended: 1 session in all" in line["cause"] for line in of("note")), f"{of('note')}")
    for token in TOKENS.values():
        check(token not in log, "a token in the log")


def refuse(tocsin, grpc, take, file, token, room):
    with open(file, "w", encoding="utf-8") as out:
        out.write(token)
    command = [tocsin, "send", take, "--to", grpc, "--env", room, "--token-file", file]
    check(subprocess.run(command, capture_output=True).returncode == 3, f"refused: {room}")


def run(tocsin, sources, server, folder):
    grpc, address = re.match(r"listening on (\S+),.* http on (\S+)\n", server.stdout.readline()).groups()
    listeners = {name: Listener(address, token) for name, token in TOKENS.items()}
    for name, one in listeners.items():
        check(one.answer.status == 200, f"{name}: {one.answer.status}")
        check(one.answer.headers["Content-Type"] == "text/event-stream", "the type")
        check(one.begun.wait(TIME_LIMIT), f"{name}: nothing comes")
    check(Listener(address, "a-wrong-token-of-it").answer.status == 401, "a wrong token")
    token = os.path.join(folder, "token")
    with open(token, "w", encoding="utf-8") as out:
        out.write(TOKENS["studio-a"])
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    refuse(tocsin, grpc, take, token + "2", TOKENS["studio-b"], "none")
    send = [tocsin, "send", take, "--to", grpc, "--rate", "max", "--token-file", token, "--out", "-"]
    sent = json.loads(subprocess.run(send, capture_output=True, text=True, check=True).stdout)
    check(sent["found"]["contacts"] == 1, f"the take's contact: {sent['found']}")
    for _ in range(WRONG):
        refuse(tocsin, grpc, take, token + "2", "a-wrong-token-of-it", "music_room")
    check(listeners["studio-a"].enough.wait(TIME_LIMIT), "no event came")
    check(len(listeners["studio-a"].events) == 1, f"{listeners['studio-a'].events}")
    check(listeners["studio-b"].events == [], "another's event")
    kind, event = listeners["studio-a"].events[0]
    check(kind == "contacts", kind)
    check((event["principal"], event["room"], event["more"]) == ("studio-a", "music_room", 0), f"{event}")
    contact = event["contacts"][0]
    # As README and the guides show it for this take.
    check((contact["link"], contact["object"], contact["status"]) == ("right_forearm", "MusicStand", "hit"), f"{contact}")
    check(event["frames"] == [105, 106], f"{event}")
    check(all(abs(t - 3.5079) < 5e-5 for t in contact["seconds"]), f"{contact}")


if __name__ == "__main__":
    sys.exit(main())
