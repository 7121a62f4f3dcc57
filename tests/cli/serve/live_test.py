"""Motion capture over UDP into a real server: `tocsin send --protocol` and the example in C. The poses that the server records are those
that were sent, read here by other code; contacts are those of `tocsin check` of these poses; what is lost or malformed is counted and said.

Usage: live_test.py TOCSIN SOURCES UDP_SENDER. Exit status: 0: all holds.
"""

import contextlib
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from live_places import TIME_LIMIT, Server, checked_again, poses_of

FRAMES = 130  # of the take
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def send(tocsin, take, protocol, port, *more, meanwhile=lambda: None):
    command = [tocsin, "send", take, "--protocol", protocol, "--to", f"127.0.0.1:{port}", "--rate", "250", *more]
    sending = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while sending.poll() is None:
        meanwhile()
        time.sleep(0.01)
    out, err = sending.communicate(timeout=TIME_LIMIT)
    said = re.match(r"sent \d+ frames in (\d+) datagrams", out)
    assert sending.returncode == 0 and said, f"send {protocol}: {out} {err}"
    return int(said.group(1))


def sent_by(tocsin, take, protocol, *more):
    """The datagrams that the command sends, caught here. Where the machine stops for longer than a socket holds them: once more."""
    for _ in range(20):
        out, count = caught(tocsin, take, protocol, *more)
        if len(out) == count:
            return out
    raise AssertionError(f"{protocol}: {len(out)} of {count} datagrams came")


def caught(tocsin, take, protocol, *more):
    """Those that came, and how many were sent."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    udp.bind(("127.0.0.1", 0))
    udp.setblocking(False)
    out = []

    def read():  # while it sends: a whole take does not fit the buffer that Linux gives as a rule
        with contextlib.suppress(BlockingIOError):
            while True:
                out.append(udp.recv(65535))

    count = send(tocsin, take, protocol, udp.getsockname()[1], *more, meanwhile=read)
    read()
    udp.close()
    return out, count


def deliver(server, protocol, datagrams):
    """Sends them on, never more at once than the server's socket holds; its metrics then."""
    before = server.metrics()[f'tocsin_capture_datagrams_total{{protocol="{protocol}",fate="received"}}']
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        for k, datagram in enumerate(datagrams, 1):
            udp.sendto(datagram, ("127.0.0.1", server.ports[protocol]))
            if k % 40 == 0 or k == len(datagrams):
                numbers = server.wait_for(protocol, before + k)
    return numbers


def vmc_poses(datagrams):
    """Read as VMC's messages are laid out, without anything of Tocsin's: name -> seven numbers, a dictionary a frame."""
    frames, frame = [], {}
    for bundle in datagrams:
        at = 16
        while at < len(bundle):
            size = struct.unpack_from(">I", bundle, at)[0]
            message = bundle[at + 4 : at + 4 + size]
            at += 4 + size
            address = message[: message.index(b"\0")].decode()
            rest = message[(len(address) // 4 + 1) * 4 :]
            tags = rest[: rest.index(b"\0")].decode()
            rest = rest[(len(tags) // 4 + 1) * 4 :]
            if tags == ",sfffffff":
                name = rest[: rest.index(b"\0")].decode()
                x, y, z, qx, qy, qz, qw = struct.unpack(">7f", rest[(len(name) // 4 + 1) * 4 :])
                # Unity's x points the other way.
                frame[name] = [qw, qx, -qy, -qz, -x, y, z]
            elif address == "/VMC/Ext/T":
                frames.append(frame)
                frame = {}
    return frames


def plain_poses(datagrams):
    out = []
    for bytes_ in datagrams:
        magic, _, joints, positions, sequence, _ = struct.unpack_from("<8sIHHQd", bytes_)
        assert magic == b"TOCSINU1" and joints == positions
        numbers = struct.unpack_from(f"<{7 * joints}f", bytes_, 32)
        pose = []
        for j in range(joints):
            pose += numbers[4 * j : 4 * j + 4] + numbers[4 * joints + 3 * j : 4 * joints + 3 * j + 3]
        out.append((sequence, pose))
    return out


def xsens_places(datagrams):
    """Of each sample the places of its segments, MVN's axes: number -> position."""
    samples = {}
    for bytes_ in datagrams:
        assert bytes_[:6] == b"MXTP02" and bytes_[17] == 23
        sample = samples.setdefault(bytes_[6:10], {})
        for i in range(bytes_[11]):
            segment, *at = struct.unpack_from(">I3f", bytes_, 24 + 32 * i)
            sample[segment] = at
    return list(samples.values())


def turned(q, v):
    w, x, y, z = q
    cx, cy, cz = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    return (
        v[0] + 2 * (w * cx + y * cz - z * cy),
        v[1] + 2 * (w * cy + z * cx - x * cz),
        v[2] + 2 * (w * cz + x * cy - y * cx),
    )


def times(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def world(head, local):
    out = []
    for j, joint in enumerate(head["joints"]):
        q, p = tuple(local[7 * j : 7 * j + 4]), tuple(local[7 * j + 4 : 7 * j + 7])
        if joint["parent"] >= 0:
            above, at = out[joint["parent"]]
            moved = turned(above, p)
            q, p = times(above, q), tuple(a + b for a, b in zip(at, moved))
        out.append((q, p))
    return out


def check_poses(protocol, datagrams, head, poses):
    names = [joint["name"] for joint in head["joints"]]
    if protocol == "vmc":
        expected = [sum((frame[name] for name in names), []) for frame in vmc_poses(datagrams)]
        check([pose["local"] for pose in poses] == expected, "vmc: the recorded poses are not those sent")
    elif protocol == "udp":
        sent = plain_poses(datagrams)
        check([pose["id"] for pose in poses] == [frame[0] for frame in sent], "udp: numbers")
        check([pose["local"] for pose in poses] == [list(frame[1]) for frame in sent], "udp: the recorded poses are not those sent")
    else:
        for pose, sent in zip(poses, xsens_places(datagrams), strict=True):
            check(sorted(sent) == list(range(1, len(names) + 1)), f"xsens: segments {sorted(sent)}")
            for place, (_, at) in zip(sent.values(), world(head, pose["local"])):
                off = max(abs(at[0] - place[1]), abs(at[1] - place[2]), abs(at[2] - place[0]))
                check(off < 1e-12, f"xsens: a segment is {off} m away")


def check_protocol(server, tocsin, protocol, datagrams):
    lines, stem = server.reports(protocol)[0]
    head, poses = poses_of(stem)
    check(len(poses) == FRAMES, f"{protocol}: {len(poses)} poses")
    check_poses(protocol, datagrams, head, poses)
    again = checked_again(tocsin, stem)
    check(lines[-1]["hash"] == again["hash"], f"{protocol}: {lines[-1]['hash']} live, {again['hash']} checked")
    touched = [(line["link"], line["object"]) for line in lines if line["type"] == "contact"]
    # As README shows it for this take.
    check(("right_forearm", "MusicStand") in touched, f"{protocol}: {touched}")


def with_fingers(tocsin, room):
    """A take with fingers has them in both protocols of persons: Unity's bones, and MVN's segments in two datagrams a frame."""
    with tempfile.TemporaryDirectory() as folder:
        take = os.path.join(folder, "walk.poses")
        subprocess.run([tocsin, "make-motion", take, "--seconds", "0.5", "--rate", "60"], check=True, capture_output=True, timeout=TIME_LIMIT)
        server = Server(tocsin, room, folder, ["--vmc", "0=music_room,idle=3600", "--xsens", "0=music_room,idle=3600"])
        try:
            for protocol in ("vmc", "xsens"):
                # So few that the server's socket holds them all.
                server.wait_for(protocol, send(tocsin, take, protocol, server.ports[protocol]))
        finally:
            check(server.end() == 0, server.log())
        for protocol, tip in (("vmc", "RightLittleDistal"), ("xsens", "RightFifthDP")):
            (_, stem), = server.reports(protocol)
            head, poses = poses_of(stem)
            check(tip in [joint["name"] for joint in head["joints"]], f"{protocol}: {head['joints']}")
            check(len(poses) == 31, f"{protocol}: {len(poses)} poses with fingers")
            check_poses(protocol, sent_by(tocsin, take, protocol), head, poses)
        check(server.log().count("humanoid_hands, 48 links") == 2, server.log())


def check_losses(server, tocsin, numbers):
    """Frames that never arrive, come late or twice: no gap, and counted."""
    lines, stem = server.reports("xsens")[1]
    check(lines[-1]["hash"] == checked_again(tocsin, stem)["hash"], "losses: another hash")
    contacts = [line for line in lines if line["type"] == "contact"]
    check(any(line["object"] == "MusicStand" for line in contacts), "losses: the contact is missed")
    fate = lambda name: numbers[f'tocsin_capture_frames_total{{protocol="xsens",fate="{name}"}}']
    check(fate("missed") > 0 and fate("late") > 0, f"losses: {fate('missed')} missed, {fate('late')} late")


def check_malformed(server):
    """Each is dropped and counted; a session that is there goes on."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for protocol, bytes_ in (("vmc", b"/VMC/Ext/T\0\0,f\0\0"), ("xsens", b"MXTP02" + bytes(19)), ("udp", b"TOCSINU1")):
        before = server.metrics()
        udp.sendto(bytes_, ("127.0.0.1", server.ports[protocol]))
        received = f'tocsin_capture_datagrams_total{{protocol="{protocol}",fate="received"}}'
        name = received.replace("received", "malformed")
        now = server.wait_for(protocol, before[received] + 1)
        check(now[name] == before[name] + 1, f"{name}: {before[name]} and {now[name]}")
    udp.close()


def check_lines(server):
    """A sender that begins anew with every frame does not fill the log; what is left out is counted."""
    udp, joints, times = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 38, 300
    pose = struct.pack(f"<{4 * joints + 3}f", *(1, 0, 0, 0) * joints, 0, 1, 0)
    before = server.metrics()['tocsin_capture_datagrams_total{protocol="udp",fate="received"}']
    for k in range(times):
        udp.sendto(struct.pack("<8sIHHQd", b"TOCSINU1", 7, joints, 1, 5, 1e6 - 10 * k) + pose, ("127.0.0.1", server.ports["udp"]))
        if k % 100 == 99:  # more might not fit the socket's buffer
            server.wait_for("udp", before + k + 1)
    udp.close()


def check_unlisted(server):
    """From 127.0.0.2, which is not on the list."""
    before = server.metrics()['tocsin_capture_datagrams_total{protocol="vmc",fate="received"}']
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.2", 0))
    udp.sendto(b"/VMC/Ext/T\0\0,f\0\0\0\0\0\0", ("127.0.0.1", server.ports["vmc"]))
    udp.close()
    name = 'tocsin_capture_datagrams_total{protocol="vmc",fate="unlisted"}'
    now = server.wait_for("vmc", before + 1)
    check(now[name] == 1, f"{name}: {now[name]}")


def check_example(server, sender):
    """The operator sees its session."""
    sending = subprocess.Popen([sender, "127.0.0.1", str(server.ports["udp"])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows, until = "", time.monotonic() + TIME_LIMIT
    # Its session is there until the server ends, also where the sender has ended before the first question.
    while time.monotonic() < until and "127.0.0.1 stream" not in rows:
        command = [server.tocsin, "sessions", "--control", os.path.join(server.record, "control.sock")]
        rows = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT).stdout
    check("127.0.0.1 stream" in rows and "udp" in rows, f"tocsin sessions: {rows}")
    _, said = sending.communicate(timeout=TIME_LIMIT)
    check(sending.returncode == 0, f"the example: {said}")
    server.wait_for("udp", 100)
    check(server.end() == 0, server.log())
    (lines, stem), = server.reports("udp")
    head, poses = poses_of(stem)
    check([joint["name"] for joint in head["joints"]] == ["Shoulder", "Elbow", "Wrist", "Wrist_end"], f"{head['joints']}")
    check(len(poses) == 100 and lines[-1]["steps"] == 99, f"the example: {len(poses)} poses")
    check(poses[25]["local"][4:7] == [0, struct.unpack("<f", struct.pack("<f", 1.4))[0], 0], f"{poses[25]}")


def main():
    tocsin, sources, sender = sys.argv[1:4]  # the sender is empty where no C is built
    room = os.path.join(sources, "environments", "music_room.obj")
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    with tempfile.TemporaryDirectory() as folder:
        model = "avatar=humanoid16,idle=3600"
        options = ["--vmc", f"0=music_room,{model},from=127.0.0.1/32", "--xsens", f"0=music_room,{model}", "--udp", f"0=,{model},skeleton={take}"]
        server = Server(tocsin, room, folder, options)
        try:
            sent = {protocol: sent_by(tocsin, take, protocol) for protocol in ("vmc", "xsens", "udp")}
            for protocol, datagrams in sent.items():
                deliver(server, protocol, datagrams)
            bad = ("--loss", "0.1", "--jitter", "20", "--duplicate", "0.05", "--seed", "3")
            numbers = deliver(server, "xsens", sent_by(tocsin, take, "xsens", *bad))
            check_malformed(server)
            check_unlisted(server)
            check_lines(server)
        finally:
            status = server.end()
        for protocol, datagrams in sent.items():
            check_protocol(server, tocsin, protocol, datagrams)
        check_losses(server, tocsin, numbers)
        log = server.log()
        lines = sum("stream 7 begins session" in line or "of 127.0.0.1 stream 7 ends" in line for line in log.splitlines())
        # 200 at once, and two a second.
        check(150 < lines < 500 and "lines about sessions left out" in log, f"{lines} lines of 600")
        check(status == 0, f"status {status}: {log}")
        for words in ("begins session", "it begins anew", "the server ends", "malformed datagrams dropped", "frames missed"):
            check(words in log, f"{words!r} is not said: {log}")
    with_fingers(tocsin, room)
    if sender:
        with_example(tocsin, sources, room, sender)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def with_example(tocsin, sources, room, sender):
    with tempfile.TemporaryDirectory() as folder:
        arm = os.path.join(sources, "examples", "udp_arm.bvh")
        server = Server(tocsin, room, folder, ["--udp", f"0=music_room,idle=3600,skeleton={arm}"])
        try:
            check_example(server, sender)
        finally:
            server.end()

if __name__ == "__main__":
    sys.exit(main())
