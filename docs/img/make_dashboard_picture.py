#!/usr/bin/env python3
"""Draws dashboard.png: deploy/grafana.json as it looks for a real server. Every query must give data.

    apt-get install prometheus python3-matplotlib
    /usr/bin/python3 docs/img/make_dashboard_picture.py build/bin/tocsin [FILE]     (dashboard.png beside this)

Runs `tocsin serve --http` for a minute with a device (an emulated one), under load from `tocsin send`: a crowd on a bad
network, a meeting, clients that are refused. A Prometheus of its own reads /metrics every second and answers the panels' queries.
Nothing else needs this: it shows that dashboard, metrics and Prometheus fit together. Status 1: a query gave nothing.
"""

import json
import math
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)

SOURCES = pathlib.Path(__file__).resolve().parents[2]
ROOM, TAKE = SOURCES / "environments/music_room.obj", SOURCES / "motions/walk_and_reach.bvh"
SECONDS, STEP = 60, 1
TOKENS = {"studio": "a-token-of-the-studio", "guest": "a-token-of-the-guest", "guess": "a-token-that-nobody-has"}
DARK, PANEL, INK, SOFT = "#111217", "#181b1f", "#ccccdc", "#8e8ea0"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(command, listens):
    """A process that says where it listens in its first line, or whose port `listens` answers."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if listens is None:
        return process, process.stdout.readline().split()
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{listens}/-/ready", timeout=5).close()
            return process, None
        except OSError:
            time.sleep(0.1)
    sys.exit("Prometheus does not answer")


def under_load(tocsin, folder, prometheus_port):
    """Serves and sends for SECONDS; afterwards Prometheus has what there was to see."""
    tokens = [{"name": name, "token": TOKENS[name]} for name in ("studio", "guest")]
    tokens[1]["limits"] = {"sessions": 1}
    for name, token in TOKENS.items():
        (folder / name).write_text(token + "\n")
        (folder / name).chmod(0o600)
    (folder / "tokens.json").write_text(json.dumps({"format": "tocsin.tokens.v1", "tokens": tokens}))
    (folder / "tokens.json").chmod(0o600)
    server, line = started([tocsin, "serve", "--env", ROOM, "--listen", "127.0.0.1:0", "--http", "0", "--tokens",
                            folder / "tokens.json", "--record", folder / "records", "--memory", "2048", "--backend", "cuda",
                            "--emulate"], None)
    (folder / "prometheus.yml").write_text(json.dumps({
        "global": {"scrape_interval": "1s"},
        "scrape_configs": [{"job_name": "tocsin", "static_configs": [{"targets": [line[-1]]}]}]}))
    prometheus, _ = started(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                             f"--web.listen-address=127.0.0.1:{prometheus_port}"], prometheus_port)

    def send(who, *more):
        command = [tocsin, "send", TAKE, "--to", line[2].rstrip(":,"), "--token-file", folder / who, *more]
        return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    begin = time.time()
    crowd = ["--loss", "0.02", "--jitter", "20", "--duplicate", "0.02", "--place", "0,0,0"]
    sent = [send("studio", "--avatars", 8, "--rate", 60, "--seconds", SECONDS - 10, *crowd)]
    time.sleep(10)
    sent.append(send("studio", "--avatars", 3, "--rate", 60, "--meet", "--apart", 0.4, "--seconds", SECONDS - 25))
    while time.time() < begin + SECONDS:
        time.sleep(5)
        sent += [send("guess", "--rate", "max"), send("guest", "--avatars", 3, "--seconds", 2)]
    for one in sent:
        one.wait(60)
    server.send_signal(signal.SIGTERM)
    server.wait(60)
    return prometheus, begin, time.time()


def ask(port, query, begin, end):
    """What Prometheus answers: [(labels, [(seconds, value)])]."""
    for name, value in (("$instance", ".*"), ("$__rate_interval", "5s")):
        query = query.replace(name, value)
    what = urllib.parse.urlencode({"query": query, "start": begin, "end": end, "step": STEP})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query_range?{what}", timeout=30) as answer:
        found = json.load(answer)["data"]["result"]
    out = [(s["metric"], [(float(t) - begin, float(v)) for t, v in s["values"]]) for s in found]
    return [(labels, points) for labels, points in out if any(math.isfinite(v) for _, v in points)]


def named(legend, labels):
    for name, value in labels.items():
        legend = legend.replace("{{" + name + "}}", value)
    return legend


def text_of(value, unit):
    for size, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if unit == "bytes" and value >= size:
            return f"{value / size:.1f} {name}"
    if unit == "bytes":
        return f"{value:,.0f} B"
    if unit == "s":
        return f"{value * 1e3:.3g} ms"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def draw(axes, panel, series, seconds):
    unit = panel["fieldConfig"]["defaults"]["unit"]
    axes.set_facecolor(PANEL)
    axes.set_title(panel["title"], loc="left", fontsize=9, color=INK)
    for spine in axes.spines.values():
        spine.set_color("#2c3235")
    if panel["type"] == "stat":  # the middle of the run, as the end is a server that is gone
        axes.set_xticks([])
        axes.set_yticks([])
        for k, (name, points) in enumerate(series):
            value = points[len(points) // 2][1]
            at = (k + 0.5) / len(series)
            axes.text(at, 0.55, text_of(value, unit), color="#73bf69", fontsize=17, ha="center", va="center", transform=axes.transAxes)
            axes.text(at, 0.12, name, color=SOFT, fontsize=7, ha="center", transform=axes.transAxes)
        return
    right = {o["matcher"]["options"] for o in panel["fieldConfig"]["overrides"]}
    sides = {False: axes, True: axes.twinx() if right else None}
    lines = []
    for k, (name, points) in enumerate(series):
        line = sides[name in right].plot(*zip(*points), linewidth=1.1, color=f"C{k % 10}", label=name + ", right" * (name in right))
        if any(value > 0 for _, value in points):  # the legend has room for what happened
            lines += line
    if right:
        sides[True].tick_params(labelsize=6, colors=SOFT)
        sides[True].set_ylim(bottom=0)
    axes.set_xlim(0, seconds)
    axes.grid(color="#2c3235", linewidth=0.5)
    axes.tick_params(labelsize=6, colors=SOFT)
    axes.yaxis.set_major_formatter(lambda value, _: text_of(value, unit) if value > 0 else "0")
    axes.legend(handles=lines, fontsize=5.5, ncol=4, loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, labelcolor=INK)


def main():
    tocsin = pathlib.Path(sys.argv[1]).resolve()
    file = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).with_name("dashboard.png"))
    panels = json.loads((SOURCES / "deploy/grafana.json").read_text())["panels"]
    empty, port = [], free_port()
    with tempfile.TemporaryDirectory() as name:
        prometheus, begin, end = under_load(tocsin, pathlib.Path(name), port)
        rows = max(p["gridPos"]["y"] + p["gridPos"]["h"] for p in panels)
        figure = pyplot.figure(figsize=(12, rows * 0.32), facecolor=DARK)
        for panel in panels:
            series = []
            for target in panel["targets"]:
                found = ask(port, target["expr"], begin, end)
                if not found:
                    empty.append(f"{panel['title']}: {target['expr']}")
                series += [(named(target["legendFormat"], labels), points) for labels, points in found]
            x, y, w, h = (panel["gridPos"][key] for key in "xywh")
            draw(figure.add_axes(((x + 1.1) / 24, 1 - (y + h - 1.6) / rows, (w - 1.8) / 24, (h - 2.7) / rows)), panel, series, end - begin)
        prometheus.send_signal(signal.SIGTERM)
        prometheus.wait(60)
    figure.savefig(file, dpi=110, facecolor=DARK)
    for query in empty:
        print(f"no data: {query}", file=sys.stderr)
    print(f"{sum(len(p['targets']) for p in panels)} queries of {len(panels)} panels, {len(empty)} without data")
    sys.exit(1 if empty else 0)


if __name__ == "__main__":
    main()
