"""A connection that stands still until a test lets it go on."""

import contextlib
import socket
import threading


class HeldStream:
    """Passes bytes between one client and a server, of the client's no more than `most` before release(): how far the client has come by
    then is no matter of time."""

    def __init__(self, server, most):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        self._go_on = threading.Event()
        threading.Thread(target=self._run, args=(server, most), daemon=True).start()

    def release(self):
        self._go_on.set()

    def _run(self, server, most):
        host, _, port = server.rpartition(":")
        client, _ = self._listener.accept()
        other = socket.create_connection((host, int(port)))
        threading.Thread(target=self._pass, args=(other, client), daemon=True).start()
        self._pass(client, other, most)

    def _pass(self, source, to, most=None):
        passed = 0
        with contextlib.suppress(OSError):  # an end has gone
            while data := source.recv(4096):
                passed += len(data)
                if most is not None and passed > most:
                    self._go_on.wait()
                to.sendall(data)
        with contextlib.suppress(OSError):
            to.shutdown(socket.SHUT_WR)
