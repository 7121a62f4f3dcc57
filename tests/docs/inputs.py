"""The files that the docs speak of, small, under the names that they have there."""

import json
import os
import shutil
import struct
import subprocess

ASF = """:version 1.10
:name small
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name arm
    direction 0 1 0
    length 30
    axis 0 0 0 XYZ
    dof rx ry rz
    limits (-180.0 180.0)
           (-180.0 180.0)
           (-180.0 180.0)
  end
:hierarchy
  begin
    root arm
  end
"""

WRL = """#VRML V2.0 utf8
DEF Floor Shape {
  geometry IndexedFaceSet {
    coord Coordinate { point [ -3 0 -3, -3 0 3, 3 0 3, 3 0 -3 ] }
    coordIndex [ 0, 1, 2, 3, -1 ]
  }
}
"""


CUBE = """v -0.05 -0.05 0.1
v 0.05 -0.05 0.1
v 0.05 0.05 0.1
v -0.05 0.05 0.1
v -0.05 -0.05 0.2
v 0.05 -0.05 0.2
v 0.05 0.05 0.2
v -0.05 0.05 0.2
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""

CSV = """time,x,y,z,qw,qx,qy,qz
0,0,1,0,1,0,0,0
0.5,0,2,1,0,1,0,0
"""


def amc(frames):
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for k in range(1, frames + 1):
        lines += [str(k), f"root 0 16 {k * 0.1} 0 0 0", f"arm {k} 0 0"]
    return "\n".join(lines) + "\n"


class Glb:
    """A binary glTF that is being put together."""

    def __init__(self):
        self.bytes = b""
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "bufferViews": [], "accessors": []}

    def add(self, kind, rows, component=5126):
        """An accessor of rows of numbers; returns its index."""
        code = {5126: "f", 5123: "H"}[component]
        data = b"".join(struct.pack(f"<{len(row)}{code}", *row) for row in rows)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)}
        self.bytes += data + b"\0" * (-len(data) % 4)
        self.json["bufferViews"].append(view)
        least, most = [min(c) for c in zip(*rows)], [max(c) for c in zip(*rows)]
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component, "count": len(rows),
                    "type": kind, "min": least, "max": most}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def write(self, file):
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        with open(file, "wb") as out:
            out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.bytes)))
            out.write(struct.pack("<I4s", len(text), b"JSON") + text)
            out.write(struct.pack("<I4s", len(self.bytes), b"BIN\0") + self.bytes)


def write_furniture(file):
    glb = Glb()
    points = glb.add("VEC3", [(1, 0, 1), (2, 0, 1), (1, 1, 1)])
    glb.json |= {"scenes": [{"nodes": [0]}], "nodes": [{"name": "Table", "mesh": 0}],
                 "meshes": [{"primitives": [{"attributes": {"POSITION": points}}]}]}
    glb.write(file)


def write_dancer(file):
    """A body of three joints with a skin, and the clips Jump and Turn."""
    glb = Glb()
    names = ["Hips", "Spine", "Head"]
    nodes = [{"name": "Hips", "translation": [0, 0.9, 0], "children": [1]},
             {"name": "Spine", "translation": [0, 0.3, 0], "children": [2]},
             {"name": "Head", "translation": [0, 0.4, 0]}, {"name": "Body", "mesh": 0, "skin": 0}]
    points = glb.add("VEC3", [(0, 0.9, 0), (0.1, 1.2, 0), (0, 1.6, 0)])
    joints = glb.add("VEC4", [(0, 0, 0, 0), (1, 0, 0, 0), (2, 0, 0, 0)], 5123)
    weights = glb.add("VEC4", [(1, 0, 0, 0)] * 3)
    down = [0.9, 1.2, 1.6]
    inverse = glb.add("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1) for y in down])
    times = glb.add("SCALAR", [(k / 30,) for k in range(31)])
    heights = glb.add("VEC3", [(0, 0.9 + 0.01 * k, 0) for k in range(31)])
    turns = glb.add("VEC4", [(0, (k / 60), 0, (1 - (k / 60) ** 2) ** 0.5) for k in range(31)])
    clip = lambda name, values, path: {"name": name, "samplers": [{"input": times, "output": values}],
                                       "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}]}
    glb.json |= {"scenes": [{"nodes": [0, 3]}], "nodes": nodes,
                 "meshes": [{"primitives": [{"attributes": {"POSITION": points, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}],
                 "skins": [{"name": names[0], "joints": [0, 1, 2], "inverseBindMatrices": inverse}],
                 "animations": [clip("Jump", heights, "translation"), clip("Turn", turns, "rotation")]}
    glb.write(file)


def write_single_clip(file):
    """write_dancer's body with one clip: nothing has to be chosen."""
    write_dancer(file)
    with open(file, "rb") as whole:
        data = whole.read()
    length = struct.unpack_from("<I", data, 12)[0]
    value = json.loads(data[20:20 + length])
    value["animations"] = value["animations"][:1]
    text = json.dumps(value).encode()
    text += b" " * (length - len(text))
    with open(file, "wb") as out:
        out.write(data[:20] + text + data[20 + length:])


def make(root, folder, command):
    """Everything that a page may name. `command`: the built one; the docs call it tocsin or build/bin/tocsin."""
    def place(name):
        return os.path.join(folder, name)

    def put(name, text):
        with open(place(name), "w", encoding="utf-8") as file:
            file.write(text)

    os.makedirs(place("build/bin"))
    os.symlink(command, place("build/bin/tocsin"))
    for part in ("motions", "environments", "avatar_models"):
        shutil.copytree(os.path.join(root, part), place(part))
    os.mkdir(place("rooms"))
    for room in ("house.obj", "hall.obj", "walls.obj", "rooms/house.obj"):
        shutil.copy(place("environments/music_room.obj"), place(room))
    os.mkdir(place("takes"))
    for take in ("take.bvh", "a.bvh", "b.bvh", "takes/walk.bvh", "takes/reach.bvh"):
        shutil.copy(place("motions/walk_and_reach.bvh"), place(take))
    put("house.wrl", WRL)
    for mesh in ("sword", "ball", "chair"):
        put(mesh + ".obj", CUBE)
    put("ball.csv", CSV)
    put("tokens.json", '{"format": "tocsin.tokens.v1", "tokens": [{"name": "studio-a", "token": "made-by-the-reader"}]}')
    os.chmod(place("tokens.json"), 0o600)
    for take in ("01_01", "02_01", "02_05", "02_07"):
        put(take + ".asf", ASF)
        put(take + ".amc", amc(40))
    write_furniture(place("furniture.glb"))
    write_dancer(place("dancers.glb"))
    write_single_clip(place("b.glb"))
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([command, "check", "take.bvh", "--env", "house.obj", "--out", "report.jsonl"], **quiet)
    os.mkdir(place("records"))
    subprocess.run([command, "convert", "take.bvh", "take.poses"], **quiet)
    for name in ("A.poses", "B.poses"):
        shutil.copy(place("take.poses"), place(name))
    for suffix in ("poses", "jsonl"):
        shutil.copy(place({"poses": "take.poses", "jsonl": "report.jsonl"}[suffix]), place("records/walk." + suffix))
