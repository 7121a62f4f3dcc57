#!/usr/bin/env python3
"""What a server carries: `tocsin serve` and `tocsin send` on this machine, over loopback.

  ./run bench service [--command build/bin/tocsin] [--data FOLDER] [--seconds S] [--passes N] [--out FOLDER]

One avatar at 1,000 Hz; then avatars at 90 Hz: with a stream each; in a crowd on one stream; that meet each other, a
metre apart, at 90 ticks a second. Each is elsewhere in the take. Each load for S seconds and N passes, the passes of all loads in turn. A load is carried if in its median pass the server's 99th percentile (from a frame's arrival until its report went
to the connection) is below what is allowed, no frame was skipped, and no hole was left. Both ends share the machine's
processors: a server that has them for itself carries more. The load average beside each pass says what else ran.

Prints a table; --out FOLDER: writes service.txt and service.json there (bench/results/<machine>).
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What is carried, and the options of tocsin send that make it.
KINDS = {
    "streams": [],
    "crowd": ["--one-stream"],
    "meeting": ["--meet", "--apart", "1"],
}
AVATARS = {
    "streams": [100, 200, 300, 400, 500, 600],
    "crowd": [200, 500, 700, 1000, 1300],
    "meeting": [50, 100, 150],
}
# Milliseconds: a frame's time at 90 Hz, and at 1,000 Hz.
ALLOWED = {90: 11.0, 1000: 1.0}
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_model():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(": ", 1)[1].strip()
    return "unknown processor"


def compiler_of(command):
    """Of the build folder that the command lies in."""
    for folder in pathlib.Path(command).resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.exists():
            values = dict(re.findall(r"^(CMAKE_\w+):\w+=(.*)$", cache.read_text(), re.M))
            kind = values.get("CMAKE_BUILD_TYPE", "")
            compiler = output_of([values.get("CMAKE_CXX_COMPILER", "c++"), "--version"]).splitlines()[0]
            flags = " ".join(filter(None, [values.get("CMAKE_CXX_FLAGS"), values.get("CMAKE_CXX_FLAGS_" + kind.upper())]))
            return f"{compiler}; {kind}; {flags} -ffp-contract=off -fno-tree-vectorize; gRPC's part -O1"
    return "unknown: the command does not lie in a build folder"


def slug(text):
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


class Server:
    """A `tocsin serve` with one room, on a free port."""

    def __init__(self, command, room, options):
        self.process = subprocess.Popen(
            [command, "serve", "--listen", "127.0.0.1:0", "--env", room, "--quiet", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            sys.exit("tocsin serve did not come up: " + line)
        self.address = line[len("listening on "):].split(",")[0].strip()

    def cpu_seconds(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_mib(self):
        return int(open(f"/proc/{self.process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)


def one_pass(a, data, load):
    """A server and a sender of their own: one pass leaves nothing to the next."""
    avatars, rate, kind = load
    at_ticks = ["--meet-rate", str(rate)] if kind == "meeting" else []
    more = KINDS[kind] + (["--stagger"] if avatars > 1 else [])
    server = Server(a.command, str(data / a.room), at_ticks + a.serve.split())
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "send.json")
        before = server.cpu_seconds()
        start = time.monotonic()
        sent = subprocess.run(
            [a.command, "send", str(data / a.take), "--to", server.address, "--avatar", "humanoid16",
             "--place", a.place, "--avatars", str(avatars), "--rate", str(rate),
             "--seconds", str(a.seconds), "--out", out, *more, *a.send.split()],
            capture_output=True, text=True, check=False)
        wall = time.monotonic() - start
        cpu = server.cpu_seconds() - before
        resident = server.resident_mib()
        status = server.stop()
        if not os.path.exists(out):
            sys.exit(f"tocsin send failed ({sent.returncode}): {sent.stderr}")
        report = json.load(open(out))
    at_server = report["microseconds"]["server_total"]
    return {
        "avatars": avatars, "rate": rate, "kind": kind,
        "steps_per_second": report["steps_per_second"], "wanted": report["steps_per_second_wanted"],
        "skipped": report["frames"]["skipped"], "gaps": report["gaps"], "contacts": report["found"]["contacts"],
        "all_equal": report["found"]["all_equal"],
        "server_ms": {k: at_server[k] / 1e3 for k in ("p50", "p99", "p99_9", "max")},
        "checked_ms": {k: report["microseconds"]["server_checked"][k] / 1e3 for k in ("p50", "p99")},
        "round_trip_ms": {k: report["microseconds"]["round_trip"][k] / 1e3 for k in ("p50", "p99")},
        "sent_late_ms": report["microseconds"]["sent_late"]["p99"] / 1e3,
        "server_us_a_step": 1e6 * cpu / max(report["steps"], 1), "server_cores": cpu / wall, "client_cores": report["client"]["cpu_seconds"] / report["seconds"],
        "server_mib": resident, "load_average": os.getloadavg()[0],
        "send_status": sent.returncode, "serve_status": status, "problems": report["problems"],
    }


def median_pass(passes):
    """The one whose 99th percentile is in the middle."""
    return sorted(passes, key=lambda p: p["server_ms"]["p99"])[(len(passes) - 1) // 2]


def is_carried(p):
    # A frame waits for the next tick, up to a frame's time, and one that comes just before another tick's is skipped.
    if p["kind"] == "meeting":
        return p["server_ms"]["p99"] < 2 * ALLOWED[p["rate"]] and p["gaps"] == 0 \
            and p["steps_per_second"] > 0.99 * p["wanted"]
    return p["server_ms"]["p99"] < ALLOWED[p["rate"]] and p["skipped"] == 0 and p["gaps"] == 0


def table(head, passes_of):
    lines = head + [
        "",
        "                           steps/s         server, ms                      there and back"
        "   server   cores          server",
        "           avatars     Hz    done  wanted     p50     p99   p99.9     max     p50     p99"
        "  us/step  server  sender    MiB  skipped  late ms  load  carried"]
    for passes in passes_of:
        p = median_pass(passes)
        ms = p["server_ms"]
        others = " to ".join(f"{f(q['server_ms']['p99'] for q in passes):.2f}" for f in (min, max))
        lines.append(
            f"  {p['kind']:8} {p['avatars']:7} {p['rate']:6} {p['steps_per_second']:7.0f} {p['wanted']:7.0f} {ms['p50']:7.3f} "
            f"{ms['p99']:7.3f} {ms['p99_9']:7.2f} {ms['max']:7.1f} {p['round_trip_ms']['p50']:7.2f} "
            f"{p['round_trip_ms']['p99']:7.2f} {p['server_us_a_step']:8.1f} {p['server_cores']:7.2f} {p['client_cores']:7.2f} "
            f"{p['server_mib']:6.0f} {p['skipped']:8} {p['sent_late_ms']:8.1f} {p['load_average']:5.1f}  "
            f"{'yes' if is_carried(p) else 'NO'}   p99 of the passes {others}")
    most = {kind: max([p["avatars"] for p in map(median_pass, passes_of)
                       if p["rate"] == 90 and p["kind"] == kind and is_carried(p)], default=0)
            for kind in KINDS}
    lines += [
        "",
        f"The most at 90 Hz: {most['streams']} avatars with a stream each, {most['crowd']} on one stream, {most['meeting']} that meet.",
        "Carried: p99 at the server below 11 ms at 90 Hz, 1 ms at 1,000 Hz; nothing skipped, no hole. Meeting, a metre",
        "apart, at 90 ticks a second, where a frame waits for the next tick: 22 ms, 99 of 100 ticks, no hole; frames",
        "may be skipped. Each line: the pass with the median p99. Sender and server share the processors; us/step: of",
        "processor, at the server; late: the sender's own 99th percentile behind its schedule (then frames come in",
        "bursts, and the server is asked for more at once). load: the machine's load average at the end of that pass,",
        "this bench's own share included."]
    gaps = sum(p["gaps"] for passes in passes_of for p in passes)
    statuses = {p["serve_status"] for passes in passes_of for p in passes}
    lines.append(f"All passes: {gaps} holes; the servers' exit statuses: {sorted(statuses)}.")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build/bin/tocsin"))
    parser.add_argument("--data", default=os.environ.get("TOCSIN_DATA", str(ROOT.parent / "shared/data")))
    parser.add_argument("--room", default="environments/small_house.obj")
    parser.add_argument("--take", default="motions/cmu_bvh/01_01.bvh")
    parser.add_argument("--place", default="5.4,0.03,-4")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--passes", type=int, default=3)
    for kind, avatars in AVATARS.items():
        parser.add_argument(f"--{kind}", type=int, nargs="*", default=avatars, metavar="N",
                            help=f"numbers of avatars at 90 Hz ({' '.join(map(str, avatars))})")
    parser.add_argument("--serve", default="", help="more options of tocsin serve, in one string")
    parser.add_argument("--send", default="", help="the same of tocsin send")
    parser.add_argument("--realtime", action="store_true",
                        help="both before all others, on a machine that is not idle (root; Linux keeps 5 %% for those)")
    parser.add_argument("--out", help="folder for service.txt and service.json")
    a = parser.parse_args()
    loads = [(1, 1000, "streams")] + [(n, 90, kind) for kind in KINDS for n in getattr(a, kind)]
    if a.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))  # of all that is started from here, too
    data = pathlib.Path(a.data)
    passes_of = [[] for _ in loads]
    for _ in range(a.passes):
        for load, passes in zip(loads, passes_of):
            passes.append(one_pass(a, data, load))
            p = passes[-1]
            print(f"{load[2]}, {load[0]} at {load[1]} Hz: p99 {p['server_ms']['p99']:.3f} ms, {p['skipped']} skipped, "
                  f"{p['steps_per_second']:.0f} steps/s, load {p['load_average']:.1f}", file=sys.stderr)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    revision = output_of(["git", "-C", str(ROOT), "describe", "--always", "--dirty"]) or "unknown"
    how = [f"{a.seconds:g} s a pass, {a.passes} passes in turn"]
    how += [f"serve {a.serve}"] if a.serve else []
    how += [f"send {a.send}"] if a.send else []
    how += ["real-time priority, as others used the machine"] if a.realtime else []
    head = ["bench/service: what a server carries, over loopback, from tocsin send", "",
            f"processor   {cpu_model()}, {os.cpu_count()} hardware threads",
            f"command     {output_of([a.command, '--version']).splitlines()[0]}",
            f"compiler    {compiler_of(a.command)}",
            f"revision    {revision}, {date}",
            f"room        {a.room}", f"take        {a.take} at ({a.place}), humanoid16",
            "how         " + "; ".join(how)]
    text = table(head, passes_of)
    print(text, end="")
    if a.out:
        out = pathlib.Path(a.out)
        out.mkdir(parents=True, exist_ok=True)
        (out / "service.txt").write_text(text)
        (out / "service.json").write_text(json.dumps({
            "format": "tocsin.bench.service.v1",
            "machine": {"cpu": cpu_model(), "hardware_threads": os.cpu_count()},
            "build": {"revision": revision}, "date": date,
            "inputs": {"room": a.room, "take": a.take, "place": a.place, "seconds": a.seconds},
            "realtime": a.realtime,
            "loads": [{"avatars": avatars, "rate": rate, "kind": kind, "passes": passes}
                      for (avatars, rate, kind), passes in zip(loads, passes_of)]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
