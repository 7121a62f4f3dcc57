"""The triangles of a server's room, for those who draw what they watch."""

from __future__ import annotations

import hashlib
import importlib
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import NDArray

from .._tocsin import Environment
from ._wire import pb, refuse

if TYPE_CHECKING:
    from ._connection import Connection, Room

grpc: Any = importlib.import_module("grpc")

_HEAD = struct.Struct("<II")  # of an object: vertices, triangles
_TRIPLE = 12  #: bytes of a vertex, and of a triangle


@dataclass(frozen=True)
class DownloadedRoom:
    """A room as the server checks against it: its objects where they stand now."""

    room: Room  #: what the server says of it; `version` is that of these triangles
    environment: Environment
    numbers: NDArray[np.uint32]  #: per object of `environment`: its number in contacts of the server's reports
    sha256: bytes  #: of all: equal rooms have equal ones


def _wrong(what: str) -> None:
    refuse("input", f"the server's download: {what}")


def _object(name: str, data: bytes) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    vertices, triangles = _HEAD.unpack_from(data) if len(data) >= _HEAD.size else (0, 0)
    if len(data) != _HEAD.size + _TRIPLE * (vertices + triangles):
        _wrong(f'"{name}" has {len(data)} bytes, which are not those of {vertices} vertices and {triangles} triangles')
    corners = np.frombuffer(data, "<f4", 3 * vertices, _HEAD.size).reshape(-1, 3)
    faces = np.frombuffer(data, "<u4", 3 * triangles, _HEAD.size + _TRIPLE * vertices).reshape(-1, 3)
    return corners, faces


def _hash_of(parts: Any) -> bytes:
    out = hashlib.sha256()
    for part in parts:
        name = part.name.encode()
        out.update(struct.pack("<I", len(name)) + name + struct.pack("<I", part.number) + part.sha256)
    return out.digest()


class _Collector:
    """Takes a download as it comes, and believes nothing: not sizes, not hashes, not the order."""

    def __init__(self, most: int) -> None:
        self.most, self.head, self.part = most, None, 0
        self.bytes: list[bytearray] = []

    def take(self, response: Any) -> None:
        kind = response.WhichOneof("message")
        if kind == "head":
            self._take_head(response.head)
        elif kind == "chunk":
            self._take_chunk(response.chunk)

    def _take_head(self, head: Any) -> None:
        if self.head is not None:
            _wrong("a second head")
        total = sum(part.bytes for part in head.parts)
        if total > self.most:
            _wrong(f"it has {total} bytes, more than the {self.most} that were asked for")
        if _hash_of(head.parts) != head.sha256:
            _wrong("its parts are not those of its hash")
        self.head, self.bytes = head, [bytearray() for _ in head.parts]

    def _take_chunk(self, chunk: Any) -> None:
        if self.head is None or chunk.part >= len(self.bytes) or chunk.part < self.part:
            _wrong("a chunk of no part, or of one that was over")
        self.part = chunk.part
        self.bytes[chunk.part] += chunk.data
        if len(self.bytes[chunk.part]) > self.head.parts[chunk.part].bytes:  # type: ignore[attr-defined]
            _wrong(f'"{self.head.parts[chunk.part].name}" is longer than was said')  # type: ignore[attr-defined]

    def finish(self) -> tuple[Any, list[bytes]]:
        if self.head is None:
            _wrong("it has no head")
        head: Any = self.head
        # Parts that are the same, to the bit, are sent once.
        sent = {hashlib.sha256(data).digest(): bytes(data) for data in self.bytes}
        for part in head.parts:
            if len(sent.get(part.sha256, b"")) != part.bytes:
                _wrong(f'the bytes of "{part.name}" are not those of its hash')
        return head, [sent[part.sha256] for part in head.parts]


def _environment(head: Any, parts: list[bytes]) -> Environment:
    named = [(part.name, _object(part.name, data)) for part, data in zip(head.parts, parts)]
    if len({name for name, _ in named}) == len(named):
        return Environment(dict(named))
    # merge() tells those of one name apart.
    return Environment.merge([Environment({name: mesh}) for name, mesh in named])


def download_room(connection: Connection, environment: str, session: Optional[str], most_bytes: int) -> DownloadedRoom:
    from ._connection import room_from

    request = pb.DownloadRequest(environment=environment) if session is None else pb.DownloadRequest(session=session)
    call = connection._begin("unary_stream", "Download", request, pb.DownloadRequest, pb.DownloadResponse)
    collector = _Collector(most_bytes)
    try:
        for response in call:
            collector.take(response)
    except grpc.RpcError as error:
        connection._refuse_with(error)
    finally:
        call.cancel()  # where something was wrong; else it is over
    head, parts = collector.finish()
    return DownloadedRoom(
        room=room_from(head.environment),
        environment=_environment(head, parts),
        numbers=np.array([part.number for part in head.parts], dtype=np.uint32),
        sha256=bytes(head.sha256),
    )
