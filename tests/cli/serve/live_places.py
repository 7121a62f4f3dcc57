"""What the tests of motion capture share: a server with sources, its lines, its records. Sessions end with the server: how fast
this machine sends then decides nothing."""

import http.client
import json
import os
import re
import subprocess
import time

TIME_LIMIT = 60  # seconds


class Server:
    """`tocsin serve` with --record in `folder`; sources are at self.ports["vmc"], ..."""

    def __init__(self, tocsin, room, folder, options):
        self.tocsin, self.record = tocsin, os.path.join(folder, "records")
        command = [tocsin, "serve", "--env", room, "--listen", "127.0.0.1:0", "--http", "0", "--record", self.record]
        command += ["--record-reserve", "0", "--max-pending", "1000"] + options
        self.log_file = os.path.join(folder, "log")
        with open(self.log_file, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        found = re.match(r"listening on (\S+),.* http on ([^\s,]+)", line)
        assert found, f"no server: {line!r} {self.log()}"
        self.http = found.group(2)
        self.ports = {name: int(port) for name, port in re.findall(r", (\w+) 127\.0\.0\.1:(\d+)", line)}

    def log(self):
        with open(self.log_file, encoding="utf-8") as log:
            return log.read()

    def end(self):
        if self.process.returncode is not None:
            return self.process.returncode
        self.process.terminate()
        self.process.communicate(timeout=TIME_LIMIT)
        return self.process.returncode

    def reports(self, label):
        """The finished reports of sessions with this label, as lists of lines, and the stems of their files."""
        out = []
        for name in sorted(os.listdir(self.record)) if os.path.isdir(self.record) else []:
            stem = os.path.join(self.record, name.removesuffix(".poses"))
            if not name.endswith(".poses") or not os.path.exists(stem + ".jsonl"):
                continue
            with open(stem + ".poses", encoding="utf-8") as poses:
                head = [json.loads(poses.readline()), json.loads(poses.readline())]
            with open(stem + ".jsonl", encoding="utf-8") as report:
                lines = [json.loads(line) for line in report if line.endswith("\n")]
            if head[1]["session"]["label"] == label and lines and lines[-1]["type"] == "summary":
                out.append((lines, stem))
        return out

    def wait_for(self, protocol, datagrams):
        """Until the server has read so many datagrams of a protocol."""
        name = f'tocsin_capture_datagrams_total{{protocol="{protocol}",fate="received"}}'
        until = time.monotonic() + TIME_LIMIT
        while time.monotonic() < until:
            numbers = self.metrics()
            if numbers[name] >= datagrams:
                return numbers
            time.sleep(0.02)
        raise AssertionError(f"{name} is {numbers[name]}, not {datagrams}: {self.log()}")

    def metrics(self):
        until = time.monotonic() + TIME_LIMIT
        while True:
            connection = http.client.HTTPConnection(self.http, timeout=TIME_LIMIT)
            connection.request("GET", "/metrics")
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status == 200:
                break
            if answer.status != 429 or time.monotonic() > until:  # 429: asked too often
                raise AssertionError(f"/metrics: {answer.status}: {text}")
            time.sleep(0.2)
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if not line.startswith("#")}


def poses_of(stem):
    with open(stem + ".poses", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return lines[0], [line for line in lines if line["type"] == "pose"]


def checked_again(tocsin, stem):
    """The hash of `tocsin check` of the poses as they were received."""
    command = [tocsin, "check", "--like", stem + ".poses", "--out", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
