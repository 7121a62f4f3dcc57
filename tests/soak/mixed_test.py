"""All that a server can have at once, while streams are cut and servers killed: sessions on streams of their own, crowds, `tocsin send`, VMC,
Xsens MVN and tocsin.udp.v1, watchers, a room that changes, lookahead, trackers, meetings. Servers are killed and started again on their records. At last
no session may have a hole: neither in what its client was told, nor in its record; the contacts of records are those that were told; the server's
memory is flat.

Usage: mixed_test.py TOCSIN SOURCES [SECONDS [SEED]]. The package tocsin is in PYTHONPATH. SECONDS: 1.5 without it; from 60 on memory is looked at, and every
record; below, a third of them.
Exit status: 0: all holds; 77: the package, grpcio or numpy is missing.
"""

import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
try:
    import tocsin
    from tocsin import live
    from tocsin.v1 import collision_pb2 as pb
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
from mixed_clients import HALL, Changer, Plan, Sender, Walker, Watcher, captures
from mixed_records import compare_life, compare_watched, read_all, verify
from mixed_server import PROTOCOLS, TIME_LIMIT, Memory, Proxy, Server, seeded

LONG = 60  # seconds from which memory is looked at
#: MiB that the level may rise by from the first third of the last life, after its first fifth, to its last third: as of soak_test.
MOST_GROWTH = 6.0
#: What must have happened: in a short run, and per minute in a long one.
LEAST = {"sessions": (8, 60), "steps": (300, 20_000), "contacts": (2, 100), "cuts": (3, 20), "watched steps compared": (10, 5_000),
         "changes of a room": (2, 60), "captured steps": (10, 1000), "foreseen": (1, 20)}  # fmt: skip

MOVES = {"environment": HALL}
AHEAD = {"lookahead": 0.2}
TRACKED = {"tracker": pb.Tracker(world=True, missing=pb.MISSING_JOINTS_HELD), "lookahead": 0.1}
MEETS = {"meet": True}


def clients_of(plan, server, proxy, take, seconds):
    through = live.connect(proxy.address)
    out = [
        Walker(plan, "plain", through, take, choices=({}, {"contacts": "first"}, {"itself": True, "margin": 0.01})),
        Walker(plan, "tracked", through, take, choices=(TRACKED, AHEAD)),
        Walker(plan, "in the hall", through, take, choices=(MOVES, {**MOVES, **AHEAD})),
        Walker(plan, "crowd", through, take, crowd=6, choices=({}, AHEAD, MOVES, MEETS, TRACKED, {**MEETS, **AHEAD})),
        Watcher(plan, "watcher", proxy.address, True),
        Watcher(plan, "watcher without poses", proxy.address, False),
        Changer(plan, through),
        Sender(plan, "send", proxy.address, seconds, "--avatars", "2", "--rate", "60", "--meet", "--lookahead", "0.1"),
        Sender(plan, "send on one stream", proxy.address, seconds, "--avatars", "3" if seconds < LONG else "12", "--one-stream", "--rate", "60", "--float"),
    ]
    return out + captures(plan, server)


def is_too_little(plan, watcher, kills):
    """Of what depends on how fast the machine is. Of a short run, few of the steps that watchers are told are compared."""
    few = any(plan.counts.get(what, 0) < LEAST[what][0] for what in ("cuts", "changes of a room"))
    # Of frames that reached a server a few are lost on purpose. Those that met none are not counted.
    few = few or plan.counts.get("captured frames", 0) < 2 * LEAST["captured steps"][0]
    return few or bool(kills) or len(watcher.told) < 40 * LEAST["watched steps compared"][0]


def disturb(plan, server, proxy, clients, seconds, kills):
    """Cuts streams at random moments, and kills the server at those of `kills`; until the time is over and enough has happened."""
    changer, watcher = (next(one for one in clients if isinstance(one, kind)) for kind in (Changer, Watcher))
    chance, begin = seeded(plan.seed, "moments"), time.monotonic()
    next_cut = 0.2
    while (now := time.monotonic() - begin) < seconds or (now < seconds + TIME_LIMIT and is_too_little(plan, watcher, kills)):
        if kills and now >= kills[0]:
            kills.pop(0)
            server.kill()
            proxy.shut()
            server.start()
            changer.load(f"127.0.0.1:{server.port}")
            proxy.open()
            plan.count("servers killed")
        elif now >= next_cut:
            next_cut = now + chance.uniform(0.2, 0.4 if seconds < LONG else 3.0)
            plan.count("cuts", proxy.cut(chance, chance.choice((0.3, 0.3, 1.0))))
        time.sleep(0.02)
        assert server.process.poll() is None, f"the server has ended by itself: {server.log()[-2000:]}"


def moments(seed, seconds):
    """When servers are killed: in the first half, so that the last life is long enough for its memory."""
    chance = seeded(seed, "kills")
    count = 2 if seconds < LONG else max(3, int(seconds / 40))
    return sorted((k + chance.uniform(0.3, 1.0)) * 0.5 * seconds / count for k in range(count))


def check_counts(plan, seconds):
    for what, (least, per_minute) in LEAST.items():
        wanted = least if seconds < LONG else per_minute * seconds / 60
        if plan.counts.get(what, 0) < wanted:
            plan.fault(f"too little happened: {plan.counts.get(what, 0)} {what}, {wanted:g} wanted")


def check_memory(plan, memory, seconds):
    begin, end = memory.level(0.2, 0.2 + 0.8 / 3), memory.level(1.0 - 0.8 / 3, 1.0)
    figures = {"MiB at first": round(begin, 1), "MiB at last": round(end, 1), "MiB at most": round(memory.most(), 1)}
    if seconds >= LONG and end - begin > MOST_GROWTH:
        plan.fault(f"memory is not flat: {figures}")
    return figures


def run(tocsin_command, sources, folder, seconds, seed):
    fast = seconds < LONG
    plan = Plan(tocsin_command, sources, folder, seed, rate=60 if fast else 30, life=(30, 90) if fast else (60, 300))
    server = Server(tocsin_command, sources, folder)
    server.start()
    proxy, memory = Proxy(server.port), Memory(server)
    take = tocsin.load_motion(os.path.join(sources, "motions", "walk_and_reach.bvh"))
    clients = clients_of(plan, server, proxy, take, seconds)
    changer = next(one for one in clients if isinstance(one, Changer))
    changer.load(f"127.0.0.1:{server.port}")
    for client in clients:
        client.start()
    disturb(plan, server, proxy, clients, seconds, moments(seed, seconds))
    memory.end()
    plan.over.set()
    for client in clients:
        client.join(3 * TIME_LIMIT)
        if client.is_alive():
            plan.fault(f"{client.name} does not end")
    if (status := server.end()) != 0:
        plan.fault(f"the server ended with {status}: {server.log()[-2000:]}")
    proxy.close()
    recorded = read_all(tocsin_command, server.record, seeded(seed, "compared"), 0.35 if fast else 1.0, plan.faults)
    for client in clients:
        for life in client.lives if isinstance(client, Walker) else ():
            compare_life(life, recorded, plan.faults)
        if isinstance(client, Watcher):
            plan.count("watched steps compared", compare_watched(client.told, recorded, plan.faults))
    plan.count("recorded sessions", len(recorded))
    plan.count("recorded steps", sum(max(0, len(one.poses) - 1) for one in recorded))
    plan.count("captured steps", sum(max(0, len(one.poses) - 1) for one in recorded if one.label in PROTOCOLS))
    plan.count("taken over", sum(len(one.parts) - 1 for one in recorded))
    plan.count("records verified", verify(tocsin_command, recorded, 0.002 if fast else 0.01, plan.faults))
    check_counts(plan, seconds)
    print(json.dumps({"seconds": seconds, "seed": seed, **plan.counts, **check_memory(plan, memory, seconds)}))
    return plan.faults


def main():
    seconds, seed = float(sys.argv[3]) if len(sys.argv) > 3 else 1.5, int(sys.argv[4]) if len(sys.argv) > 4 else 22
    with tempfile.TemporaryDirectory() as folder:
        faults = run(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), folder, seconds, seed)
    for fault in faults[:40]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
