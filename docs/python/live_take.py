#!/usr/bin/env python3
"""Sends a take to a running server as if it were live, and prints what it touches.

    python3 live_take.py localhost:50051 take.bvh
"""

import argparse
import sys
import threading
import time

import tocsin
from tocsin import live


def send(session, take, speed):
    """Every pose when it is due. The server reports meanwhile."""
    begin = time.monotonic()
    for pose, seconds in zip(take.poses, take.times):
        time.sleep(max(0.0, begin + seconds / speed - time.monotonic()))
        session.send(pose)
    session.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="HOST:PORT")
    parser.add_argument("take", help="of any format that tocsin reads")
    parser.add_argument("--env", default="", help="the room's name (the only one)")
    parser.add_argument("--avatar", default="auto", help="a model that the server has (auto)")
    parser.add_argument("--speed", type=float, default=1.0, help="times as fast as recorded (1)")
    parser.add_argument("--token", default="", help="sent over TLS, or to this machine only")
    parser.add_argument("--ca", help="TLS; this authority signed the server's certificate (PEM)")
    arguments = parser.parse_args()
    take, contacts, steps = tocsin.load_motion(arguments.take), 0, 0
    with live.connect(arguments.target, token=arguments.token, ca=arguments.ca) as server:
        room = {"environment": arguments.env, "model": arguments.avatar, "frame_seconds": take.frame_time}
        with server.track(take, label="live_take.py", **room) as session:
            print(f"in {session.wait_until_open().room}: {len(session.opened.links)} links")
            sender = threading.Thread(target=send, args=(session, take, arguments.speed), daemon=True)
            sender.start()
            for report in session:
                steps += 1
                names = zip(report.contacts.link_names(), report.contacts.touched_names())
                for (link, thing), contact in zip(names, report.contacts):
                    contacts += 1
                    status = tocsin.Status(contact["status"]).name.lower()
                    print(f"frame {report.to.id}: {link} and {thing}, {status}, at {contact['seconds'][1]:.4f} s")
            for hole in session.holes:
                print(f"no report covers what came after frame {hole.after}, before frame {hole.before}", file=sys.stderr)
            print(f"{steps} steps, {contacts} contacts, {session.ended.skipped_frames} frames skipped")
            return 1 if session.holes else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except tocsin.Error as error:
        sys.exit(f"live_take.py: {error}")
