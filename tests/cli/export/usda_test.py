"""`tocsin export report.jsonl out.usda`, read back by a small reader of the format that shares nothing with the writer."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

TOCSIN = os.path.abspath(sys.argv[1])
X = [0, 1, 2, 2.5, 2.55, 2.5, 2, 1, 3]  # of the pole at each frame, metres; ten frames a second
HOSTILE = 'a "quoted" \\ (wall) {2} # no comment'


def rectangle(name, x, first):
    corners = "".join(f"v {x} {y} {z}\n" for y, z in ((-0.5, -1), (2, -1), (2, 1), (-0.5, 1)))
    return f"o {name}\n{corners}f {first} {first + 1} {first + 2} {first + 3}\n"


def write_scene(folder):
    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)

    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    write("take.bvh", f"HIERARCHY\nROOT 2 Hips\n{{\n OFFSET 0 0 0\n {channels}\n End Site\n {{\n  OFFSET 0 1.7 0\n }}\n}}\n"
          f"MOTION\nFrames: {len(X)}\nFrame Time: 0.1\n" + "".join(f"{x} 0 0 0 0 0\n" for x in X))
    write("pole.json", json.dumps({"format": "tocsin.avatar.v1", "name": "pole", "description": "A pole.", "links": [
        {"name": "pole", "joint": "2 Hips", "a": [0, 0, 0], "b": [0, 1.7, 0], "radius": 0.1}], "aliases": {}}))
    write("room.obj", rectangle(HOSTILE, 2.5, 1) + rectangle("Shelf", 2.3, 5))


class Reader:
    """Prims as {type, name, attributes, children}; values as tokens, lists and tuples."""

    TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([\[\](){}=:,])|([^\s\[\](){}=,"]+?(?=[\s\[\](){}=,"]|:\s)))')

    def __init__(self, text):
        assert text.startswith("#usda 1.0\n"), text[:20]
        self.text, self.at = text, len("#usda 1.0\n")

    def next(self):
        match = self.TOKEN.match(self.text, self.at)
        if not match:
            assert not self.text[self.at:].strip(), self.text[self.at:self.at + 80]
            return None
        self.at = match.end()
        if match.group(1) is not None:
            return ("text", re.sub(r"\\(.)", r"\1", match.group(1)))
        return match.group(2) or match.group(3)

    def peek(self):
        at = self.at
        token = self.next()
        self.at = at
        return token

    def expect(self, wanted):
        token = self.next()
        assert token == wanted, (wanted, token, self.text[self.at - 60:self.at + 20])

    def value(self):
        token = self.next()
        if token in ("[", "("):
            end = "]" if token == "[" else ")"
            out = []
            while self.peek() != end:
                out.append(self.value())
                if self.peek() == ",":
                    self.next()
            self.expect(end)
            return out if token == "[" else tuple(out)
        if token == "{":
            out = {}
            while self.peek() != "}":
                code = float(self.next())
                self.expect(":")
                assert code not in out and (not out or code > max(out)), code
                out[code] = self.value()
                self.expect(",")
            self.expect("}")
            return out
        if isinstance(token, tuple):
            return token[1]
        return float(token)

    def document(self):
        self.expect("(")
        head = {}
        while self.peek() != ")":
            key = self.next()
            self.expect("=")
            head[key] = self.value()
        self.expect(")")
        prims = []
        while self.peek() is not None:
            prims.append(self.prim())
        return head, prims

    def prim(self):
        self.expect("def")
        kind, name = self.next(), self.next()[1]
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name), name
        self.expect("{")
        out = {"type": kind, "name": name, "attributes": {}, "children": []}
        while self.peek() != "}":
            if self.peek() == "def":
                out["children"].append(self.prim())
                continue
            words = []
            while self.peek() != "=":
                words.append(self.next())
            self.expect("=")
            out["attributes"]["".join(words) if words[-1] == "timeSamples" else words[-1]] = self.value()
        self.expect("}")
        names = [child["name"] for child in out["children"]]
        assert len(names) == len(set(names)), names
        return out


def children(prim, kind=None):
    return [child for child in prim["children"] if kind in (None, child["type"])]


def only(prims, key, value):
    found = [prim for prim in prims if prim["attributes"].get(key) == value]
    assert len(found) == 1, (key, value, [prim["name"] for prim in prims])
    return found[0]


def held_at(samples, code):
    return samples[max(c for c in samples if c <= code)]


def near(a, b, within=1e-6):
    return all(math.isclose(p, q, abs_tol=within) for p, q in zip(a, b, strict=True))


def run(folder, *arguments, status=0):
    done = subprocess.run([TOCSIN, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def check_mesh(mesh):
    values = mesh["attributes"]
    points, counts, indices = (values[k] for k in ("points", "faceVertexCounts", "faceVertexIndices"))
    assert set(counts) == {3.0} and len(indices) == 3 * len(counts)
    assert all(0 <= i < len(points) for i in indices)
    low, high = values["extent"]
    assert near(low, [min(p[c] for p in points) for c in range(3)])
    assert near(high, [max(p[c] for p in points) for c in range(3)])
    return points


def test_everything(folder):
    run(folder, "check", "take.bvh", "--env", "room.obj", "--avatar", "pole.json", "--out", "report.jsonl", "--margin", "0.02")
    run(folder, "export", "report.jsonl", "out.usda", "--substeps", "2")
    with open(os.path.join(folder, "out.usda"), encoding="utf-8") as file:
        head, prims = Reader(file.read()).document()
    assert head["upAxis"] == "Y" and head["metersPerUnit"] == 1.0 and head["defaultPrim"] == "check", head
    assert math.isclose(head["timeCodesPerSecond"], 10.0), head
    assert head["startTimeCode"] == 0.0 and math.isclose(head["endTimeCode"], 8.0), head
    assert [prim["name"] for prim in prims] == ["check"]
    figure, room, contacts = children(prims[0])
    assert figure["name"] == "take" and room["name"] == "room" and contacts["name"] == "contacts"

    joint = only(children(figure), "tocsin:joint", "2 Hips")
    assert joint["name"] == "_2_Hips"
    places = joint["attributes"]["xformOp:translate.timeSamples"]
    turns = joint["attributes"]["xformOp:orient.timeSamples"]
    assert len(places) == len(turns) == 2 * 8 + 1
    for code, place in places.items():
        k = min(int(code + 1e-9), 7)
        assert near(place, (X[k] + (code - k) * (X[k + 1] - X[k]), 0, 0)), (code, place)
    assert all(near(turn, (1, 0, 0, 0)) for turn in turns.values())
    assert joint["attributes"]["xformOpOrder"] == ["xformOp:translate", "xformOp:orient"]
    link = only(children(joint, "Capsule"), "tocsin:link", "pole")["attributes"]
    assert math.isclose(link["radius"], 0.12) and math.isclose(link["height"], 1.7)
    assert near(link["xformOp:translate"], (0, 0.85, 0)) and near(link["xformOp:orient"], (1, 0, 0, 0))

    wall = only(children(room, "Mesh"), "tocsin:object", HOSTILE)
    assert near(sorted(check_mesh(wall))[0], (2.5, -0.5, -1))
    check_mesh(only(children(room, "Mesh"), "tocsin:object", "Shelf"))

    # Every contact line of the report: its mark is shown there then.
    with open(os.path.join(folder, "report.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    episodes = [line for line in lines if line["type"] == "episode"]
    marks = children(contacts)
    assert len(marks) == len(episodes) > 3
    about = [json.loads(mark["attributes"]["tocsin:about"]) for mark in marks]
    seen = 0
    for line in lines:
        if line["type"] != "contact":
            continue
        code = 10.0 * line["seconds"][1] + 1e-9
        for mark, told in zip(marks, about, strict=True):
            values = mark["attributes"]
            first = told["frames"][0] <= line["frames"][0] and line["frames"][1] <= told["frames"][1]
            if told["object"] != line["object"] or not first:
                continue
            assert held_at(values["visibility.timeSamples"], code) == "inherited"
            assert near(held_at(values["xformOp:translate.timeSamples"], code), line["point"])
            seen += 1
    assert seen == sum(line["type"] == "contact" for line in lines)
    for mark, told in zip(marks, about, strict=True):
        samples = mark["attributes"]["visibility.timeSamples"]
        assert samples[0.0] == "invisible" and samples[max(samples)] == "invisible"
        assert held_at(samples, 10.0 * told["touch_s"] - 1e-3) == "invisible"
        check_mesh(only(children(mark), "subdivisionScheme", "none"))

    run(folder, "export", "report.jsonl", "bare.usda", "--no-room")
    with open(os.path.join(folder, "bare.usda"), encoding="utf-8") as file:
        _, prims = Reader(file.read()).document()
    assert [prim["name"] for prim in children(prims[0])] == ["take", "contacts"]


with tempfile.TemporaryDirectory() as scene:
    write_scene(scene)
    test_everything(scene)
print("the .usda is what it should be")
