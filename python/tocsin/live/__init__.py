"""A client of `tocsin serve`: poses go out as they are captured, and what they touch comes in.

    from tocsin import live
    with live.connect("localhost:50051") as server:
        with server.track(skeleton, model="humanoid16", frame_seconds=1 / 90) as session:
            for pose in poses:              # (joints, 7), as everywhere in tocsin
                session.send(pose)
            session.finish()
            for report in session:
                print(report.to.id, report.contacts.touched_names())

A session goes on when its connection is lost or its server is started again; its reports join. A Crowd
has many sessions on one stream. Connection.watch() follows the sessions of others. Needs grpcio and protobuf (Debian: python3-grpcio python3-protobuf;
pip install tocsin[live]).
"""

import importlib as _importlib

try:
    _importlib.import_module("google.protobuf")
    _importlib.import_module("grpc")
except ImportError as _missing:
    raise ImportError(
        f"tocsin.live needs grpcio and protobuf: {_missing} (Debian: python3-grpcio python3-protobuf; pip install tocsin[live])"
    ) from _missing

from ._connection import Connection, Room, connect
from ._crowd import Crowd, CrowdSession
from ._download import DownloadedRoom
from ._session import Session
from ._slot import Hole
from ._tracker import Tracker
from ._watch import Attached, Left, Missed, Stepped, Watch, Watched
from ._wire import Ended, Foreseen, Opened, Report, Stamp

__all__ = [
    "Attached",
    "Connection",
    "Crowd",
    "CrowdSession",
    "DownloadedRoom",
    "Ended",
    "Foreseen",
    "Hole",
    "Left",
    "Missed",
    "Opened",
    "Report",
    "Room",
    "Session",
    "Stamp",
    "Stepped",
    "Tracker",
    "Watch",
    "Watched",
    "connect",
]
