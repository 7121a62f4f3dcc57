"""Reads /metrics of a real `tocsin serve --http` by the rules of Prometheus' text format 0.0.4, and compares it with what `tocsin send`
was told. An independent reader: nothing here is shared with the writer. promtool, where it is installed, reads it too.

Usage: metrics_test.py TOCSIN SOURCES. Exit status: 0: all holds.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
TYPES = {"counter", "gauge", "histogram", "summary", "untyped"}
NOT_COUNTED = ("_bucket", "_sum", "_count")

TOKEN = "a-token-of-a-test"

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def number(text):
    if text in ("+Inf", "-Inf", "NaN"):
        return float(text.replace("Inf", "inf"))
    sound = re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    check(sound, f"no number: {text!r}")
    return float(text) if sound else math.nan


def unescaped(text, quotes):
    """A help text, or a label's value: \\\\, \\n, and \\" where there are quotes."""
    out, i = "", 0
    known = {"\\": "\\", "n": "\n"} | ({'"': '"'} if quotes else {})
    while i < len(text):
        if text[i] != "\\":
            out += text[i]
        else:
            i += 1
            check(i < len(text) and text[i] in known, f"an escape that there is not: {text!r}")
            out += known.get(text[i : i + 1], "")
        i += 1
    return out


def labels_of(text):
    """Of `name="value",...}`: a dictionary, and what follows the brace."""
    out = {}
    while not text.startswith("}"):
        name = LABEL.match(text)
        if not name or not text[name.end() :].startswith('="'):
            check(False, f"labels: {text!r}")
            return out, ""
        text = text[name.end() + 2 :]
        value = re.match(r'(?:[^"\\\n]|\\.)*', text)
        check(text[value.end() : value.end() + 1] == '"', f"a label's value without an end: {text!r}")
        check(name.group() not in out, f"a label that comes twice: {name.group()}")
        out[name.group()] = unescaped(value.group(), True)
        text = text[value.end() + 1 :]
        if text.startswith(","):
            text = text[1:]
        else:
            check(text.startswith("}"), f"between labels: {text!r}")
            if not text.startswith("}"):
                return out, ""
    return out, text[1:]


def read(text):
    """{family: (type, help, [(sample name, labels, value)])}."""
    check(text.endswith("\n"), "the last line has no end")
    check("\r" not in text, "a return")
    families, current = {}, None
    seen = set()
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            name, _, told = line[7:].partition(" ")
            check(NAME.fullmatch(name), f"no name: {name!r}")
            check(name not in families, f"a family in two places: {name}")
            current = name
            families[name] = [None, unescaped(told, False), []]
            check(told.strip() != "", f"{name} has no help")
        elif line.startswith("# TYPE "):
            name, _, kind = line[7:].partition(" ")
            check(name == current, f"TYPE of {name} within {current}")
            check(kind in TYPES, f"no type: {kind!r}")
            check(families[name][0] is None, f"two types of {name}")
            check(not families[name][2], f"TYPE of {name} after its samples")
            families[name][0] = kind
        else:
            match = NAME.match(line)
            check(match, f"no line of the format: {line!r}")
            if not match:
                continue
            rest = line[match.end() :]
            labels, rest = labels_of(rest[1:]) if rest.startswith("{") else ({}, rest)
            check(re.fullmatch(r" \S+", rest), f"after the labels: {rest!r} of {line!r}")
            key = (match.group(), tuple(sorted(labels.items())))
            check(key not in seen, f"a sample that comes twice: {line}")
            seen.add(key)
            family = current
            kind = families[family][0]
            check(kind is not None, f"{family} has no type")
            ends = NOT_COUNTED if kind == "histogram" else ("",)
            check(match.group() in [family + end for end in ends], f"{match.group()} within {family}")
            families[family][2].append((match.group(), labels, number(rest[1:])))
    return families


def check_histogram(name, samples):
    series = {}
    for sample, labels, value in samples:
        key = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
        one = series.setdefault(key, {"buckets": []})
        if sample == name + "_bucket":
            check("le" in labels, f"{name}: a bucket without a bound")
            one["buckets"].append((number(labels.get("le", "NaN")), value))
        else:
            check("le" not in labels, f"{sample} with a bound")
            one[sample[len(name) :]] = value
    check(series, f"{name} has no series")
    for key, one in series.items():
        bounds = [b for b, _ in one["buckets"]]
        counts = [c for _, c in one["buckets"]]
        check(bounds == sorted(set(bounds)), f"{name}{key}: bounds do not ascend: {bounds}")
        check(bounds and bounds[-1] == math.inf, f"{name}{key}: no +Inf")
        check(counts == sorted(counts), f"{name}{key}: not cumulative: {counts}")
        check(one.get("_count") == (counts or [None])[-1], f"{name}{key}: _count is not +Inf's")
        check("_sum" in one, f"{name}{key}: no _sum")
        least = sum(b * (c - before) for b, c, before in zip([0] + bounds[:-1], counts, [0] + counts))
        check(one.get("_sum", -1) >= least * (1 - 1e-12), f"{name}{key}: the sum is below its values")


def check_families(families):
    for name, (kind, _, samples) in families.items():
        if kind == "counter":
            check(name.endswith("_total"), f"a counter's name ends in _total: {name}")
        if kind in ("counter", "histogram"):
            check(all(v >= 0 and not math.isnan(v) for _, _, v in samples), f"{name}: below 0")
        if kind == "histogram":
            check_histogram(name, samples)


def check_deployed(families, sources):
    """deploy/: the dashboard and the alerts ask for what there is."""
    for name in ("grafana.json", "alerts.yml"):
        with open(os.path.join(sources, "deploy", name), encoding="utf-8") as file:
            text = file.read()
        asked = set(re.findall(r"\b(?:tocsin|process)_[a-z_]+", text))
        check(len(asked) > 5, f"{name} asks for something")
        for metric in sorted(asked):
            family = re.sub(r"_(bucket|sum|count)$", "", metric)
            check(metric in families or family in families, f"{name} asks for {metric}, which is not told")
    if shutil.which("promtool"):
        rules = os.path.join(sources, "tests", "service", "alerts", "alerts_test.yml")
        tool = subprocess.run(["promtool", "test", "rules", rules], text=True, capture_output=True)
        check(tool.returncode == 0, f"promtool test rules: {tool.stdout}{tool.stderr}")


def get(address, path):
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode("utf-8")


def value(families, family, sample=None, **labels):
    found = [v for s, l, v in families[family][2] if s == (sample or family) and l == labels]
    check(len(found) == 1, f"{family}{labels}: {found}")
    return found[0] if found else math.nan


def grown(before, after):
    """No counter falls."""
    for name, (kind, _, samples) in before.items():
        if kind not in ("counter", "histogram"):
            continue
        now = {(s, tuple(l.items())): v for s, l, v in after[name][2]}
        for s, l, v in samples:
            check(now.get((s, tuple(l.items())), -1) >= v, f"{s}{l} fell")


def scrape(http):
    status, headers, text = get(http, "/metrics")
    check(status == 200, f"/metrics: {status}")
    check(headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", headers["Content-Type"])
    families = read(text)
    check_families(families)
    return families, text


def wait_for_ends(http):
    """Until no session is there: a client may know of its end before that."""
    until = time.monotonic() + 60
    while 'tocsin_room_sessions{room="room"} 0\n' not in get(http, "/metrics")[2] and time.monotonic() < until:
        time.sleep(0.2)


def check_sent(families, sent):
    """What the client was told, and what the server counted."""
    steps, contacts, frames = sent["steps"], sent["found"]["contacts"], sent["frames"]
    opened = sent["sessions"]["opened"]
    check(steps > 100 and contacts > 0, f"the take touches something: {steps}, {contacts}")
    check(value(families, "tocsin_steps_total") == steps, f"steps: {steps}")
    check(value(families, "tocsin_contacts_total") == contacts, f"contacts: {contacts}")
    fate = lambda name: value(families, "tocsin_frames_total", fate=name)
    check(fate("covered") == steps + opened, "covered: the steps, and the first poses")
    check(fate("skipped") == frames["skipped"], "skipped")
    check(fate("stale") == frames["stale"], "stale")
    check(fate("refused") == 0, "refused")
    for stage in ("waited", "checked", "total"):
        count = value(families, "tocsin_step_seconds", "tocsin_step_seconds_count", stage=stage)
        check(count == steps, f"{stage}: {count} of {steps}")
    check(value(families, "tocsin_sessions_opened_total") == opened, "opened")
    check(value(families, "tocsin_room_sessions", room="room") == 0, "sessions that are over")


def serve(tocsin, http):
    """A server that does not start."""
    command = [tocsin, "serve", "--listen", "127.0.0.1:0", "--http", http]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def token_file(folder, token):
    name = os.path.join(folder, "token")
    with open(name, "w", encoding="utf-8") as out:
        out.write(token)
    return name


BROKEN = [
    "# HELP a A.\n# TYPE a gauge\na 1",
    "# HELP a A.\n# TYPE a gauge\na 1\na 2\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"1} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"\\q\"} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{0=\"1\"} 1\n",
    "# HELP a A.\n# TYPE a gauge\na one\n",
    "# HELP a A.\n# TYPE a thing\na 1\n",
    "# HELP a A.\n# TYPE a gauge\nb 1\n",
    "# HELP a A.\n# TYPE a counter\na 1\n",
    "# HELP a_total A.\n# TYPE a_total counter\na_total -1\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_sum 1\na_count 2\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 3\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 0\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 2\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 2\na_count 2\n",
]


def check_reader():
    """That the reader finds what is wrong."""
    for text in BROKEN:
        before = len(failures)
        check_families(read(text))
        found = len(failures) > before
        del failures[before:]
        check(found, f"nothing was found wrong with {text!r}")


def main():
    tocsin, sources = sys.argv[1:3]
    check_reader()
    with tempfile.TemporaryDirectory() as folder:
        tokens = os.path.join(folder, "tokens.json")
        with open(tokens, "w", encoding="utf-8") as out:
            json.dump({"format": "tocsin.tokens.v1", "tokens": [{"name": "studio", "token": TOKEN}]}, out)
        os.chmod(tokens, 0o600)
        room = os.path.join(sources, "environments", "music_room.obj")
        command = [tocsin, "serve", "--env", "room=" + room, "--env", "two=" + room, "--default-env", "room"]
        # A busy machine delays frames; here it shall not skip them.
        command += ["--max-pending", "200", "--listen", "127.0.0.1:0", "--http", "0", "--tokens", tokens, "--record", os.path.join(folder, "records"), "--record-reserve", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            run(tocsin, sources, server, folder)
        finally:
            server.terminate()
            _, log = server.communicate(timeout=60)
        check(server.returncode == 0, f"status {server.returncode}: {log}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def run(tocsin, sources, server, folder):
    line = server.stdout.readline()
    told = re.fullmatch(r"listening on (\S+), 2 rooms \(.*\), http on (127\.0\.0\.1:\d+)\n", line)
    check(told, f"the first line: {line!r}")
    if not told:
        return
    grpc, http = told.groups()
    first, text = scrape(http)
    if shutil.which("promtool"):
        tool = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True)
        check(tool.returncode == 0, f"promtool: {tool.stdout}{tool.stderr}")
    else:
        print("promtool is not installed: only this test has read the text")
    check_deployed(first, sources)
    take = os.path.join(sources, "motions", "walk_and_reach.bvh")
    send = [tocsin, "send", take, "--to", grpc, "--out", "-", "--avatars", "3", "--rate", "90", "--token-file"]
    refused = subprocess.run(send + [token_file(folder, "a-wrong-token-of-it")], capture_output=True, text=True)
    check(refused.returncode != 0, "a wrong token")
    sent = subprocess.run(send + [token_file(folder, TOKEN)], capture_output=True, text=True)
    check(sent.returncode == 0, sent.stderr)
    if failures:
        return
    wait_for_ends(http)
    now, _ = scrape(http)
    grown(first, now)
    check_sent(now, json.loads(sent.stdout))
    wrong = value(now, "tocsin_authentication_failures_total", reason="wrong_token")
    check(wrong > 0, "the wrong token is counted")
    check(value(now, "tocsin_refusals_total", cause="authentication") == wrong, "and as a refusal")
    check(get(http, "/healthz")[0] == 200, "/healthz")
    check(get(http, "/readyz")[0] == 200, "/readyz")
    check(get(http, "/nothing")[0] == 404, "/nothing")
    taken = serve(tocsin, http)
    check(taken.returncode == 4 and f"--http: cannot listen on {http}: " in taken.stderr, f"a taken port: {taken}")
    for bad in ("127.0.0.1", "localhost:99999", "unix:relative", ":80"):
        wrong = serve(tocsin, bad)
        check(wrong.returncode == 2 and "--http: cannot listen on" in wrong.stderr, f"{bad}: {wrong}")


if __name__ == "__main__":
    sys.exit(main())
