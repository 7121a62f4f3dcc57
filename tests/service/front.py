#!/usr/bin/env python3
"""deploy/haproxy.cfg before `tocsin serve`: who attacks without a token costs the server nothing, and an honest client loses nothing.

Usage: front.py COMMAND ROOT

The attackers come from 127.0.0.2, the honest client from 127.0.0.1. Exit status 77 where haproxy or openssl is not installed.
"""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

COMMAND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests/support"))
from ports import free_port  # noqa: E402

CONFIGURATION = ROOT / "deploy/haproxy.cfg"
TOKEN = "a" * 24
# What the configuration says.
CONNECTIONS_OF_AN_ADDRESS = 32
MIB = 1 << 20


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


# HTTP/2 by hand (RFC 9113): what a client library would not send.
HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION = 1, 3, 4, 6, 9
END_HEADERS = 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """HPACK (RFC 7541, 6.2.2): a literal without indexing."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def request(path):
    return b"".join(field(name, value) for name, value in [
        (":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers")])


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0)
TRACK = "/tocsin.v1.CollisionService/Track"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


class Front:
    """A server on a socket, and the front before it, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                        folder / "key.pem", "-out", folder / "ca.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        (folder / "front.pem").write_bytes((folder / "ca.pem").read_bytes() + (folder / "key.pem").read_bytes())
        (folder / "token").write_text(TOKEN + "\n")
        tokens = folder / "tokens.json"
        tokens.write_text(json.dumps({"format": "tocsin.tokens.v1", "tokens": [{"name": "honest", "token": TOKEN}]}))
        tokens.chmod(0o600)
        self.environment = dict(os.environ, TOCSIN_FRONT=f"127.0.0.1:{self.port}", TOCSIN_TLS=str(folder / "front.pem"),
                                TOCSIN_SERVER=f"unix@{folder}/grpc.sock")
        subprocess.run(["haproxy", "-c", "-q", "-f", CONFIGURATION], check=True, env=self.environment)
        # A busy machine delays frames. Here it shall not skip them.
        self.server = subprocess.Popen([COMMAND, "serve", "--quiet", "--max-pending", "1000", "--listen", f"unix:{folder}/grpc.sock", "--tokens", tokens,
                                        "--env", ROOT / "environments/music_room.obj"], stdout=subprocess.PIPE, text=True)
        expect("listening" in self.server.stdout.readline(), "the server listens")
        self.front = subprocess.Popen(["haproxy", "-db", "-f", CONFIGURATION], env=self.environment, stderr=subprocess.DEVNULL)
        eventually(lambda: connected(self, "127.0.0.1"), "the front accepts connections")

    def close(self):
        for process in (self.front, self.server):
            process.terminate()
            process.wait(60)

    def memory(self, process=None):
        status = pathlib.Path(f"/proc/{(process or self.server).pid}/status").read_text()
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.server.pid}/fd"))

    def honest(self):
        """A take at 90 Hz, sent to and fro until it is asked for."""
        # By its number: a machine without /etc/hosts cannot look localhost up.
        return subprocess.Popen([COMMAND, "send", ROOT / "motions/walk_and_reach.bvh", "--to", f"127.0.0.1:{self.port}", "--tls-ca",
                                 self.folder / "ca.pem", "--token-file", self.folder / "token", "--rate", "90", "--seconds", "3",
                                 "--out", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def connect(self, source="127.0.0.2"):
        context = ssl.create_default_context(cafile=self.folder / "ca.pem")
        context.set_alpn_protocols(["h2"])
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(source, 0))
        try:
            stream = context.wrap_socket(plain, server_hostname="localhost")
        except BaseException:
            plain.close()
            raise
        stream.sendall(PREFACE)
        return stream


def connected(front, source):
    with contextlib.suppress(OSError):
        front.connect(source).close()
        return True
    return False


def eventually(holds, what):
    end = time.monotonic() + 300  # haproxy's clock does not go on while the machine stops
    while not holds():
        expect(time.monotonic() < end, what)
        time.sleep(0.05)


def hung_up(stream):
    """Whether the other side has ended the connection; reads what it sent."""
    stream.settimeout(0.001)
    try:
        while stream.recv(65536):
            pass
        return True
    except (TimeoutError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
    finally:
        with contextlib.suppress(OSError):
            stream.settimeout(30)


def reset_at_once(front):
    """50,000 streams, each reset in the packet that opens it."""
    stream, headers, sent = front.connect(), request(TRACK), 0
    with contextlib.suppress(OSError):
        while sent < 50000 and not hung_up(stream):
            stream.sendall(b"".join(frame(HEADERS, END_HEADERS, 1 + 2 * (sent + k), headers) +
                                    frame(RST_STREAM, 0, 1 + 2 * (sent + k), struct.pack(">I", 8)) for k in range(50)))
            sent += 50
    stream.close()
    expect(sent > 1000, f"more streams than an address may open were sent: {sent}")
    expect(not connected(front, "127.0.0.2"), "an address that opened too many streams may connect again at once")


def endless_headers(front):
    """64 MiB of headers on one connection."""
    stream, sent = front.connect(), 0
    more = b"".join(field(f"x{k}", "v" * 100) for k in range(100))
    with contextlib.suppress(OSError):
        stream.sendall(frame(HEADERS, 0, 1, request(TRACK)))
        while sent < 64 * MIB and not hung_up(stream):
            stream.sendall(frame(CONTINUATION, 0, 1, more))
            sent += len(more)
    stream.close()
    expect(sent < 16 * MIB, f"{sent} bytes of headers were taken")


def frames_of_no_stream(front):
    """PING and SETTINGS, each of which wants an answer, from somebody who does not read the answers."""
    stream, sent = front.connect(), 0
    before = front.memory(front.front)
    more = (frame(PING, 0, 0, bytes(8)) + frame(SETTINGS, 0, 0)) * 1000
    stream.settimeout(0.5)  # the front takes no more while its answers are not read
    with contextlib.suppress(OSError):
        while sent < 64 * MIB:
            stream.sendall(more)
            sent += len(more)
    grown = front.memory(front.front) - before
    expect(grown < 100 * MIB, f"the front grew by {grown} bytes")
    stream.close()


def headers_that_stop(front):
    """Headers without an end, then silence."""
    stream = front.connect()
    stream.sendall(frame(HEADERS, 0, 1, request(TRACK)))
    eventually(lambda: hung_up(stream), "a connection whose headers do not end is closed")
    stream.close()


def connections(front):
    """As many connections as an address gets."""
    kept, begin = [], time.monotonic()
    for _ in range(3 * CONNECTIONS_OF_AN_ADDRESS):
        with contextlib.suppress(OSError):
            kept.append(front.connect())
    standing = sum(not hung_up(stream) for stream in kept)
    expect(standing <= CONNECTIONS_OF_AN_ADDRESS, f"{standing} connections of one address stand")
    for stream in kept:
        stream.close()
    # Silent ones are closed after five seconds: all of them, where the machine stops meanwhile.
    if standing == 0 and time.monotonic() - begin < 4.0:
        raise ConnectionRefusedError


def idle_streams(front):
    """Streams of reflection that say nothing, on several connections."""
    kept = [front.connect() for _ in range(8)]
    for stream in kept:
        with contextlib.suppress(OSError):
            for k in range(100):
                stream.sendall(frame(HEADERS, END_HEADERS, 1 + 2 * k, request(REFLECTION)))
    before = front.descriptors()
    expect(before < 200, f"the server has {before} open files")
    for stream in kept:
        stream.close()


def under(front, attack):
    """Attacks for as long as an honest client sends, and says what either met."""
    memory, rounds = front.memory(), 0
    client = front.honest()
    while rounds == 0 or client.poll() is None:
        try:
            attack(front)
        except OSError:
            expect(rounds > 0, f"{attack.__name__}: the first attacker is refused")
            time.sleep(0.05)  # the address is refused, as it shall be
        rounds += 1
    out, err = client.communicate()
    name = attack.__name__
    expect(client.returncode == 0, f"{name}: the honest client ended with {client.returncode}: {err}")
    sent = json.loads(out)
    lost = {"gaps": sent["gaps"], "skipped": sent["frames"]["skipped"], "broken": sent["sessions"]["broken"]}
    expect(not any(lost.values()), f"{name}: what the honest client lost: {lost}")
    grown = front.memory() - memory
    expect(grown < 100 * MIB, f"{name}: the server grew by {grown} bytes")
    print(f"{name}: {rounds} rounds; the server grew by {max(grown, 0) // MIB} MiB and has {front.descriptors()} open files", flush=True)


def main():
    for needed in ("haproxy", "openssl"):
        if not shutil.which(needed):
            print(f"skipped: {needed} is not installed")
            sys.exit(77)
    # A front of its own for each: an address that is shut out stays out for a minute.
    for attack in (reset_at_once, endless_headers, frames_of_no_stream, headers_that_stop, connections, idle_streams):
        with tempfile.TemporaryDirectory() as folder:
            front = Front(pathlib.Path(folder))
            try:
                under(front, attack)
            finally:
                front.close()


main()
