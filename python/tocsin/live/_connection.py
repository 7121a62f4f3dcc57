"""A connection to a server, and the calls with one answer."""

from __future__ import annotations

import importlib
import os
import pathlib
import re
import threading
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional, Sequence, Union

from .._tocsin import Motion, Skeleton
from ._crowd import Crowd
from ._download import DownloadedRoom, download_room
from ._session import Session
from ._watch import Watch
from ._wire import Codec, open_message, pb, refuse

grpc: Any = importlib.import_module("grpc")

_File = Union[str, "os.PathLike[str]"]
SERVICE = "/tocsin.v1.CollisionService/"
CHUNK = 512 * 1024  #: bytes of an upload in one message
OPTIONS = [
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 256 << 20),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 2_000),  # which is also the time for a try to connect
    ("grpc.max_reconnect_backoff_ms", 2_000),
]


@dataclass(frozen=True)
class Room:
    """A room of the server."""

    name: str
    objects: int
    triangles: int
    sessions: int
    backend: str
    changeable: bool
    version: int
    message: Any = field(repr=False)  #: a tocsin.v1.collision_pb2.Environment: all of it


def room_from(message: Any) -> Room:
    return Room(
        name=message.name,
        objects=message.objects,
        triangles=message.triangles,
        sessions=message.sessions,
        backend=message.backend,
        changeable=message.changeable,
        version=message.version,
        message=message,
    )


def is_broken(error: Any) -> bool:
    """True if the connection was lost or the server ends; else the server refused."""
    code, details = error.code(), error.details() or ""
    if code == grpc.StatusCode.RESOURCE_EXHAUSTED:  # gRPC's own limits cut the stream off
        return bool(details.startswith("Received RST_STREAM"))
    return code in (
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
    )


def _pem(what: str, file: Optional[_File]) -> Optional[bytes]:
    if file is None:
        return None
    try:
        data = pathlib.Path(file).read_bytes()
    except OSError as error:
        refuse("usage", f"{what}: {file}: {error.strerror}")
    if b"-----BEGIN " not in data:
        refuse("usage", f"{what}: {file}: not a PEM file")
    return data


def _is_loopback(target: str) -> bool:
    host = re.sub(r":\d+$", "", target)
    return target.startswith("unix:") or host in ("localhost", "[::1]") or bool(re.fullmatch(r"127(\.\d+){3}", host))


class Connection:
    """A connection to a server. It reconnects by itself. Threads may share it; `with` closes it.

    target: "HOST:PORT", "[::1]:PORT" or "unix:/path". token: sent over TLS, or to this machine only.
    tls, or any of the next: TLS is used. ca: roots for the server, PEM; None: the system's. certificate,
    key: the client's own (mTLS). timeout: seconds, for connecting and for calls with one answer.
    """

    def __init__(
        self,
        target: str,
        *,
        token: str = "",
        tls: bool = False,
        ca: Optional[_File] = None,
        certificate: Optional[_File] = None,
        key: Optional[_File] = None,
        timeout: float = 5.0,
    ) -> None:
        self.target, self.timeout = target, timeout
        secure = tls or ca is not None or certificate is not None or key is not None
        if (certificate is None) != (key is None):
            refuse("usage", "a client certificate and its key go together")
        if token and not re.fullmatch(r"[!-~]+", token):
            refuse("usage", "a token consists of visible ASCII characters, no blanks")
        if token and not secure and not _is_loopback(target):
            refuse("usage", f"the token is not sent to {target} in the clear: that needs TLS")
        self.metadata = [("authorization", f"Bearer {token}")] if token else []
        self._credentials: Any = None
        if secure:
            self._credentials = grpc.ssl_channel_credentials(
                _pem("the CA", ca), _pem("the key", key), _pem("the certificate", certificate)
            )
        self._lock, self._closed = threading.Lock(), False
        self.channel = self._make_channel()
        self._unary("ListAvatarModels", pb.ListAvatarModelsRequest(), pb.ListAvatarModelsResponse, wait=True)

    def _make_channel(self) -> Any:
        # Its own TCP connection, and no proxy on the way to this machine.
        options = [*OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
        options.append(("grpc.enable_http_proxy", 0 if _is_loopback(self.target) else 1))
        if self._credentials is None:
            return grpc.insecure_channel(self.target, options=options)
        return grpc.secure_channel(self.target, self._credentials, options=options)

    def _renew(self, channel: Any) -> None:
        """Another channel in place of this one, which does not reach the server: gRPC would wait before it tries again."""
        with self._lock:
            if self._closed or channel is not self.channel:
                return
            self.channel = self._make_channel()
        channel.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it, and the streams of its sessions. A session can be resumed as long as the server keeps it."""
        with self._lock:
            self._closed = True
        self.channel.close()

    def rooms(self) -> list[Room]:
        """The rooms that the client may enter."""
        answer = self._unary("ListEnvironments", pb.ListEnvironmentsRequest(), pb.ListEnvironmentsResponse)
        return [room_from(one) for one in answer.environments]

    def avatar_models(self) -> list[str]:
        """Names of the models that the server has."""
        answer = self._unary("ListAvatarModels", pb.ListAvatarModelsRequest(), pb.ListAvatarModelsResponse)
        return [model.name for model in answer.models]

    def upload_room(self, name: str, file: _File, *, scale: float = 1.0, up: str = "y", changeable: bool = False, shared: bool = False) -> Room:
        """Uploads a file of any room format as a room of the client's own.

        scale: one unit of the file in metres. up: "y", "z" or "x". changeable: it can be changed while
        sessions are in it. shared: with the principal's group.
        """
        if up not in ("y", "z", "x"):
            refuse("usage", f"up: expected one of y, z, x, found {up!r}")
        begin = pb.LoadEnvironmentRequest.Begin(
            name=name,
            scale=scale,
            up=("y", "z", "x").index(up),
            changeable=changeable,
            visibility=1 if shared else 0,
        )
        return room_from(self._upload(begin, file).environment)

    def upload_shape(self, name: str, file: _File, *, shared: bool = False) -> Room:
        """Uploads a mesh that links of sessions may have as their shape (Shape.loaded_mesh of the messages)."""
        begin = pb.LoadEnvironmentRequest.Begin(name=name, shape=True, visibility=1 if shared else 0)
        return room_from(self._upload(begin, file).environment)

    def unload(self, name: str) -> int:
        """Unloads a room or a shape of the client's own; how many sessions go on in it."""
        answer = self._unary("UnloadEnvironment", pb.UnloadEnvironmentRequest(name=name), pb.UnloadEnvironmentResponse)
        return int(answer.sessions)

    def track(
        self, skeleton: Union[Skeleton, Motion], *, patience: float = 10.0, partials: bool = False, floats: bool = False, **options: Any
    ) -> Session:
        """Opens a session on a stream of its own; it goes on when the stream breaks.

        patience: seconds without a stream after which it is over. partials: parts of reports are told,
        too. floats: poses are sent as 32-bit floats, half as long: what is sent is what is checked. options: those of `tocsin check`, by the names of tocsin.check(): environment (a room of the
        server; its only one), model ("auto", a model that the server has, or an Avatar), radii, place,
        yaw, in_between, contacts, margin, tolerance, clearance, ignore, itself, ignore_rest, surfaces;
        and coalesce, stop_pose, frame_seconds, label, meet, nearest, most_distances, lookahead, tracker.
        """
        bones = skeleton.skeleton if isinstance(skeleton, Motion) else skeleton
        return Session(self, open_message(bones, **options), Codec(bones, floats), patience=patience, partials=partials)

    def crowd(self, *, patience: float = 10.0) -> Crowd:
        """Sessions that share one stream."""
        return Crowd(self, patience=patience)

    def watch(self, environment: str = "", *, sessions: Sequence[str] = (), poses: bool = True) -> Watch:
        """Follows the sessions of the client's own principal, and those that meet others where its group can enter.

        environment: only those in this room of the server. sessions: only those of these names
        (Watched.session). poses: steps come with their poses.
        """
        return Watch(self, environment, sessions, poses)

    def download_room(
        self, environment: str = "", *, session: Optional[str] = None, most_bytes: int = 2 << 30
    ) -> DownloadedRoom:
        """The triangles of a room of the server, as they are now.

        environment: its name there ("": its only one). session: instead, the room that this watched session
        (Watched.session) is in, whether it is loaded still or not. A room with more than most_bytes is refused.
        Every part is checked against its hash.
        """
        return download_room(self, environment, session, most_bytes)

    # ---- Calls ----

    def _begin(self, kind: str, name: str, sent: Any, request: Any, response: Any, **more: Any) -> Any:
        """A call of this kind: unary_unary, and so on. A session that lost the server may replace the channel at any moment: then
        it begins on the next one."""
        while True:
            channel = self.channel
            try:
                call = getattr(channel, kind)(
                    SERVICE + name, request_serializer=request.SerializeToString, response_deserializer=response.FromString
                )
                return call(sent, metadata=self.metadata, **more)
            except ValueError:  # gRPC's, of a channel that is closed
                if self._closed:
                    refuse("usage", f"the connection to {self.target} is closed")
                if channel is self.channel:
                    raise

    def _watch_call(self, request: Any) -> Any:
        return self._begin("unary_stream", "Watch", request, pb.WatchRequest, pb.WatchResponse)

    def _stream(self, name: str, requests: Iterator[Any], request: Any, response: Any) -> Any:
        return self._begin("stream_stream", name, requests, request, response)

    def _refuse_with(self, error: Any) -> None:
        """Raises the tocsin.Error of a call that failed."""
        if is_broken(error):
            refuse("resource", f"{self.target}: {error.details() or 'no answer'}")
        refuse("input", error.details() or "the server refused without saying why")

    def _unary(self, name: str, request: Any, response: Any, wait: bool = False) -> Any:
        try:
            return self._begin("unary_unary", name, request, type(request), response, timeout=self.timeout)
        except grpc.RpcError as error:
            if wait:
                self.channel.close()
            self._refuse_with(error)

    def _upload(self, begin: Any, file: _File) -> Any:
        path = pathlib.Path(file)
        try:
            data = path.read_bytes()
        except OSError as error:
            refuse("input", f"{file}: {error.strerror}")
        begin.file_name = path.name
        messages = [pb.LoadEnvironmentRequest(begin=begin)]
        messages += [pb.LoadEnvironmentRequest(chunk=data[at : at + CHUNK]) for at in range(0, len(data), CHUNK)]
        try:
            return self._begin("stream_unary", "LoadEnvironment", iter(messages), pb.LoadEnvironmentRequest, pb.LoadEnvironmentResponse)
        except grpc.RpcError as error:
            self._refuse_with(error)


def connect(target: str, **options: Any) -> Connection:
    """A Connection: target, and token, tls, ca, certificate, key, timeout."""
    return Connection(target, **options)
