"""A port for a server that a test starts, and starts again."""

import random
import socket

_FIRST = 10000
_taken = set()


def _end():
    """Where Linux begins to give ports away: to a client, or to whoever asks for port 0."""
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
            return int(file.read().split()[0])
    except (OSError, ValueError):
        return 32768


def _is_free(port):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def free_port():
    """A free port of 127.0.0.1, of TCP and of UDP; another each time. None that Linux could give to another program before the
    server listens: in a test that runs beside hundreds of others it would, now and then."""
    first, end = (_FIRST, _end()) if _end() - _FIRST >= 1000 else (1024, 65536)
    while True:
        port = random.SystemRandom().randrange(first, end)
        if port not in _taken and _is_free(port):
            _taken.add(port)
            return port
