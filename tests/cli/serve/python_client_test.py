"""The Python client of the docs, whose server is killed and started again: what it prints has no hole that it does not name.

Usage: python_client_test.py TOCSIN SOURCES. Exit status: 0: all holds; 77: gRPC for Python is not there.
"""

import concurrent.futures
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

DEBIAN_PYTHON = "/usr/bin/python3"
try:
    import grpc
except ImportError:
    if os.path.exists(DEBIAN_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])  # Debian's packages are for this one
    print("needs python3-grpcio, python3-protobuf and protobuf-compiler")
    sys.exit(77)

ROOM = "environments/music_room.obj"
TAKE = "motions/walk_and_reach.bvh"
FRAMES = 130
CONTACT = re.compile(r"step \d+: (.*), at (\S+) of the step")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class World:
    def __init__(self, tocsin, sources, folder, log):
        self.tocsin, self.sources, self.folder, self.log = tocsin, sources, folder, log
        self.port, self.client_path = free_port(), f"{sources}/docs/python/tocsin_client.py"

    def serve(self, *more):
        # None is skipped, also when the frames of a break come at once.
        server = subprocess.Popen([self.tocsin, "serve", "--env", f"{self.sources}/{ROOM}", "--listen",
                                   f"127.0.0.1:{self.port}", "--max-pending", "200", "--threads", "2", *more],
                                  stdout=subprocess.PIPE, stderr=self.log, text=True)
        assert server.stdout.readline().startswith("listening")
        return server

    def client(self, *more):
        return subprocess.Popen([sys.executable, "-u", self.client_path, f"127.0.0.1:{self.port}", *more],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ends(self, client, status):
        out = client.communicate(timeout=120)[0]
        assert client.returncode == status, (client.returncode, out)
        assert "Traceback" not in out, out
        return out

    def expected(self):
        """The contacts of the take, as the file's check finds them."""
        done = subprocess.run([self.tocsin, "check", f"{self.sources}/{TAKE}", "--env", f"{self.sources}/{ROOM}", "--out", "-"],
                              capture_output=True, text=True, check=True)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return [(f"{c['link']} and {c['object']}, {c['status']}", f"{c['toc'][0]:.6f}") for c in found if c["type"] == "contact"]


def lines_until(client, begin):
    """What the client prints until a session is open."""
    lines = []
    while not lines or not lines[-1].startswith(begin):
        lines.append(client.stdout.readline())
        assert lines[-1], "".join(lines)
    return "".join(lines)


def kill_twice(world, *more):
    """The client's output. Its server is killed a second after a session began, and again after the next one has, which
    is the same one where there are records."""
    server, out = world.serve(*more), ""
    client = world.client(f"{world.folder}/take.poses")
    for i in range(2):
        if i == 0 or not more:
            out += lines_until(client, "in music_room")
        time.sleep(1.0)
        server.send_signal(signal.SIGKILL)
        server.wait(60)
        server = world.serve(*more)
    out += world.ends(client, 0)
    server.send_signal(signal.SIGTERM)
    assert server.wait(60) == 0
    assert "a gap" not in out, out
    assert f"{FRAMES - 1} steps, " in out and " 0 frames skipped" in out, out
    assert CONTACT.findall(out) == world.expected() != [], out
    return out


def closes(world):
    """A server that ends in order says what it had covered, and nobody goes on."""
    server = world.serve()
    client = world.client(f"{world.folder}/take.poses", "--patience", "0.5")
    assert client.stdout.readline().startswith("in music_room"), "it opened no session"
    time.sleep(1.0)
    server.send_signal(signal.SIGTERM)
    out = world.ends(client, 4)
    assert server.wait(60) == 0
    told = re.search(r"is shutting down: it had covered (\d+) steps, up to frame (\d+); \d+ frames unchecked", out)
    assert told and told[1] == told[2], out  # none is skipped
    assert f"no report covers what came after frame {told[2]}" in out, out


class Holes(grpc.GenericRpcHandler):
    """A server that loses frames: what it says of them does not join."""

    def __init__(self, pb, reports, ended):
        self.pb, self.reports, self.ended = pb, reports, ended

    def service(self, details):
        return grpc.stream_stream_rpc_method_handler(self.track, request_deserializer=self.pb.TrackRequest.FromString,
                                                     response_serializer=self.pb.TrackResponse.SerializeToString)

    def track(self, requests, context):
        next(requests)
        yield self.pb.TrackResponse(opened=self.pb.Opened(session_id="s"))
        for _ in requests:
            pass
        for step, begin, end in self.reports:
            report = self.pb.StepReport(step=step, to=self.pb.FrameStamp(id=end))
            getattr(report, "from").id = begin
            yield self.pb.TrackResponse(reports=self.pb.Reports(reports=[report]))
        yield self.pb.TrackResponse(ended=self.pb.Ended(steps=self.ended))


def holes(world, pb):
    cases = [([(0, 0, 4), (1, 4, 59)], 2, 0, []),
             ([(0, 0, 4), (1, 7, 59)], 2, 1, ["after frame 4 and before frame 7"]),
             ([(0, 0, 4), (2, 4, 59)], 3, 1, ["after frame 4 and before frame 4"]),
             ([(0, 3, 4), (1, 4, 59)], 2, 1, ["after frame 0 and before frame 3"]),
             ([(0, 0, 4), (0, 0, 4), (1, 4, 50)], 2, 1, ["after frame 50"]),
             ([(0, 0, 4), (1, 4, 59)], 3, 1, ["after frame 59"])]
    for reports, ended, status, said in cases:
        server = grpc.server(concurrent.futures.ThreadPoolExecutor(2))
        server.add_generic_rpc_handlers([Holes(pb, reports, ended)])
        world.port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        out = world.ends(world.client("--demo", "--speed", "20"), status)
        server.stop(None)
        assert out.count("a gap: no report covers what came") == len(said), out
        for part in said:
            assert f"a gap: no report covers what came {part}\n" in out, (part, out)


def main():
    tocsin, sources = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w") as log:
        world = World(tocsin, sources, folder, log)
        subprocess.run([tocsin, "convert", f"{sources}/{TAKE}", f"{folder}/take.poses"], check=True, capture_output=True)
        assert "the session is lost" not in kill_twice(world, "--record", f"{folder}/records", "--record-reserve", "0")
        assert kill_twice(world).count("the session is lost") == 2
        closes(world)
        spec = importlib.util.spec_from_file_location("tocsin_client", world.client_path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        holes(world, module.load_messages())
    print("killed twice with records, and without; closed; holes: all said")


if __name__ == "__main__":
    main()
