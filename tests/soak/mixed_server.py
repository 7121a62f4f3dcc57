"""A server that is killed and started again at one address, the network before it that breaks, and the memory that it takes."""

import os
import random
import re
import selectors
import signal
import socket
import struct
import subprocess
import threading
import time
import urllib.request

from ports import free_port

TIME_LIMIT = 60  # seconds
PROTOCOLS = ("vmc", "xsens", "udp")


class Server:
    """`tocsin serve` with records and all three kinds of motion capture; each life has the same ports and folder."""

    def __init__(self, tocsin, sources, folder):
        self.record, self.log_file = os.path.join(folder, "records"), os.path.join(folder, "log")
        self.port = free_port()
        self.ports = {protocol: free_port() for protocol in PROTOCOLS}
        self._suit = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)  # hears all, and reads nothing
        self._suit.bind(("127.0.0.1", 0))
        take = os.path.join(sources, "motions", "walk_and_reach.bvh")
        self._command = [
            tocsin, "serve", "--env", os.path.join(sources, "environments", "music_room.obj"), "--listen", f"127.0.0.1:{self.port}",
            "--http", "0", "--record", self.record, "--record-reserve", "0", "--threads", "2", "--meet-rate", "60", "--max-pending", "64",
            "--vmc", f"{self.ports['vmc']}=music_room,avatar=humanoid16,idle=1,meet=yes,lookahead=0.1",
            "--xsens", f"{self.ports['xsens']}=music_room,avatar=humanoid16,idle=1,lookahead=0.2",
            "--udp", f"{self.ports['udp']}=music_room,avatar=humanoid16,idle=1,skeleton={take}",
            "--osc-out", f"127.0.0.1:{self._suit.getsockname()[1]}",
        ]  # fmt: skip
        self.process, self.lives, self._log = None, 0, open(self.log_file, "w", encoding="utf-8")

    def start(self):
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        self.lives += 1
        line = self.process.stdout.readline()
        found = re.match(r"listening on .* http on ([^\s,]+)", line)
        assert found, f"life {self.lives} does not listen: {line!r}, {self.log()[-2000:]}"
        self.http = found[1]

    def kill(self):
        """SIGKILL: it says nothing to anybody."""
        assert self.process.poll() is None, f"the server has ended by itself: {self.log()[-2000:]}"
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=TIME_LIMIT)

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=TIME_LIMIT)
        return self.process.returncode

    def log(self):
        with open(self.log_file, encoding="utf-8") as log:
            return log.read()

    def metrics(self):
        text = urllib.request.urlopen(f"http://{self.http}/metrics", timeout=TIME_LIMIT).read().decode()
        pairs = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in pairs}


class Proxy:
    """Passes bytes to the server. cut() resets some connections; while it is shut, there is no way through."""

    def __init__(self, port):
        self._to, self._listener = ("127.0.0.1", port), socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        self._lock, self._pairs, self._doomed, self._open, self._over = threading.Lock(), [], [], True, False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self, chance, share):
        """Resets each connection with this probability, soon; how many."""
        with self._lock:
            gone = [pair for pair in self._pairs if chance.random() < share]
            self._doomed += gone
        return len(gone)

    def shut(self):
        with self._lock:
            self._open, self._doomed = False, list(self._pairs)

    def open(self):
        self._open = True

    def close(self):
        self._over = True
        self._thread.join()

    # ---- The thread, which alone closes ----

    def _reset(self, pair):
        with self._lock:
            if pair not in self._pairs:
                return
            self._pairs.remove(pair)
        for end in pair:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()

    def _run(self):
        while not self._over:
            with self._lock:
                doomed, self._doomed = self._doomed, []
            for pair in doomed:
                self._reset(pair)
            readable = selectors.SelectSelector()
            readable.register(self._listener, selectors.EVENT_READ)
            for pair in self._pairs:
                for end, other in (pair, pair[::-1]):
                    readable.register(end, selectors.EVENT_READ, (pair, end, other))
            for key, _ in readable.select(0.01):
                self._take() if key.data is None else self._pass(*key.data)

    def _take(self):
        client, _ = self._listener.accept()
        server = None
        if self._open:
            try:
                server = socket.create_connection(self._to, timeout=TIME_LIMIT)
            except OSError:
                pass  # it is being started
        if server is None:
            return client.close()
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._pairs.append((client, server))

    def _pass(self, pair, end, other):
        if pair not in self._pairs:
            return  # it was reset in this round
        try:
            data = end.recv(1 << 18)
            if data:
                return other.sendall(data)
        except OSError:
            pass
        self._reset(pair)


class Memory(threading.Thread):
    """What the server's process has resident, four times a second; the life with the most samples counts."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self._server, self._over, self._lives = server, threading.Event(), {}
        self.start()

    def run(self):
        page = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
        while not self._over.wait(0.25):
            try:
                with open(f"/proc/{self._server.process.pid}/statm", encoding="ascii") as file:
                    resident = int(file.read().split()[1]) * page
            except (OSError, IndexError, ValueError):
                continue
            if resident > 0:
                self._lives.setdefault(self._server.lives, []).append(resident)

    def end(self):
        self._over.set()
        self.join()

    def level(self, begin, end):
        """MiB that it falls back to between these shares of the life: below it are a tenth of the samples."""
        life = max(self._lives.values(), key=len)
        part = sorted(life[int(len(life) * begin) : max(int(len(life) * end), int(len(life) * begin) + 1)])
        return part[len(part) // 10]

    def most(self):
        return max(max(life) for life in self._lives.values())


def paced(rate, chance):
    """Yields at this rate, with jitter, as cameras do."""
    due = time.monotonic()
    while True:
        due += chance.uniform(0.6, 1.4) / rate
        time.sleep(max(0.0, due - time.monotonic()))
        yield


def seeded(*parts):
    return random.Random("/".join(map(str, parts)))
