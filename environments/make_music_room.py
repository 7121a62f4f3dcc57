#!/usr/bin/env python3
"""Writes music_room.obj, the room of the demo (`./run demo`).

    python3 environments/make_music_room.py [FILE]    (music_room.obj beside this)

Metres, Y up, right-handed; a hall (z < -0.96), a wall with a door frame, and behind it the music
room. The output is the same, byte for byte, wherever it is generated: coordinates are rounded to
0.1 mm.
"""

import math
import pathlib
import sys

DOOR_Z = (-0.96, -0.84)  # the wall with the door; m
DOOR_HALF_WIDTH = 0.45  # clear opening; m
DOOR_HEIGHT = 2.04  # m
ROOM_X = 2.4  # half the room's width; m
HALL_Z, BACK_Z = -3.0, 3.6  # front end of the hall, back wall of the room; m
WALL_HEIGHT, WALL = 2.5, 0.1  # m

# Where the music stand stands. motions/make_walk_and_reach.py swings the right forearm past this
# point, in the middle between two frames; moved by more than a few centimetres, the demo loses its
# point, and tests/demo says so.
STAND = (-0.09, 0.93)  # x, z; m
STAND_TURN = 6.0  # degrees about Y; the tray faces the player
MAST_RADIUS = 0.008  # m; a 16 mm tube
MAST_TOP = 1.22  # m; a player who stands


class Mesh:
    """A named object: vertices, and triangles that index them."""

    def __init__(self, name):
        self.name = name
        self.vertices = []
        self.triangles = []

    def add(self, vertices, triangles):
        base = len(self.vertices)
        self.vertices += vertices
        self.triangles += [tuple(base + i for i in t) for t in triangles]

    def box(self, low, high, place=lambda p: p):
        """A closed box, outward winding."""
        corners = [
            (x, y, z)
            for x in (low[0], high[0])
            for y in (low[1], high[1])
            for z in (low[2], high[2])
        ]
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        self.add(
            [place(p) for p in corners], [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
        )

    def tube(self, start, end, radius, sides, end_radius=None):
        """A closed tube (or a cone's frustum) from start to end."""
        end_radius = radius if end_radius is None else end_radius
        axis = normalized(subtract(end, start))
        across = normalized(cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 0.0, 1.0)))
        other = cross(axis, across)
        vertices = []
        for centre, r in ((start, radius), (end, end_radius)):
            for i in range(sides):
                c, s = math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides)
                vertices.append(
                    tuple(centre[k] + r * (c * across[k] + s * other[k]) for k in range(3))
                )
        triangles = []
        for i in range(sides):
            j = (i + 1) % sides
            triangles += [(i, j, sides + j), (i, sides + j, sides + i)]
            if 0 < i < sides - 1:
                triangles += [(0, i + 1, i), (sides, sides + i, sides + i + 1)]
        self.add(vertices, triangles)

    def cushion(self, low, high, around=16, rings=7, squareness=0.4):
        """A closed superellipsoid that fills a box: a box with soft edges."""

        def power(x):
            return math.copysign(abs(x) ** squareness, x)

        def point(ring, k):
            a = math.pi * (ring / (rings + 1) - 0.5)
            b = 2 * math.pi * k / around
            unit = (
                power(math.cos(a)) * power(math.cos(b)),
                power(math.sin(a)),
                power(math.cos(a)) * power(math.sin(b)),
            )
            return tuple(
                0.5 * (low[i] + high[i]) + 0.5 * (high[i] - low[i]) * unit[i] for i in range(3)
            )

        vertices = [point(r, k) for r in range(1, rings + 1) for k in range(around)]
        bottom, top = len(vertices), len(vertices) + 1
        middle = (0.5 * (low[0] + high[0]), 0.5 * (low[2] + high[2]))
        vertices += [(middle[0], low[1], middle[1]), (middle[0], high[1], middle[1])]
        triangles = []
        for k in range(around):
            n = (k + 1) % around
            triangles.append((bottom, k, n))
            for r in range(rings - 1):
                a, b = r * around, (r + 1) * around
                triangles += [(a + k, b + k, b + n), (a + k, b + n, a + n)]
            last = (rings - 1) * around
            triangles.append((top, last + n, last + k))
        self.add(vertices, triangles)


def subtract(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def normalized(a):
    length = math.sqrt(sum(x * x for x in a))
    return tuple(x / length for x in a)


def turned(degrees, origin):
    """p -> R_y(degrees) p + (origin x, 0, origin z)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda p: (c * p[0] + s * p[2] + origin[0], p[1], -s * p[0] + c * p[2] + origin[1])


def floor():
    mesh = Mesh("Floor")
    low, high, cells = (-ROOM_X, HALL_Z), (ROOM_X, BACK_Z), (6, 8)
    nx, nz = cells[0] + 1, cells[1] + 1
    vertices = [
        (
            low[0] + (high[0] - low[0]) * i / cells[0],
            0.0,
            low[1] + (high[1] - low[1]) * k / cells[1],
        )
        for i in range(nx)
        for k in range(nz)
    ]
    triangles = []
    for i in range(cells[0]):
        for k in range(cells[1]):
            a, b = i * nz + k, (i + 1) * nz + k
            triangles += [(a, a + 1, b + 1), (a, b + 1, b)]
    mesh.add(vertices, triangles)
    return mesh


def walls():
    mesh = Mesh("Walls")
    jamb = DOOR_HALF_WIDTH + 0.03
    mesh.box((-ROOM_X, 0, DOOR_Z[0]), (-jamb, WALL_HEIGHT, DOOR_Z[1]))
    mesh.box((jamb, 0, DOOR_Z[0]), (ROOM_X, WALL_HEIGHT, DOOR_Z[1]))
    mesh.box((-jamb, DOOR_HEIGHT + 0.03, DOOR_Z[0]), (jamb, WALL_HEIGHT, DOOR_Z[1]))
    mesh.box((-ROOM_X - WALL, 0, HALL_Z), (-ROOM_X, WALL_HEIGHT, BACK_Z))
    mesh.box((ROOM_X, 0, HALL_Z), (ROOM_X + WALL, WALL_HEIGHT, BACK_Z))
    mesh.box((-ROOM_X - WALL, 0, BACK_Z), (ROOM_X + WALL, WALL_HEIGHT, BACK_Z + WALL))
    return mesh


def door_frame():
    mesh = Mesh("DoorFrame")
    inner, outer, z0, z1 = (
        DOOR_HALF_WIDTH,
        DOOR_HALF_WIDTH + 0.08,
        DOOR_Z[0] - 0.02,
        DOOR_Z[1] + 0.02,
    )
    mesh.box((-outer, 0, z0), (-inner, DOOR_HEIGHT, z1))
    mesh.box((inner, 0, z0), (outer, DOOR_HEIGHT, z1))
    mesh.box((-outer, DOOR_HEIGHT, z0), (outer, DOOR_HEIGHT + 0.08, z1))
    return mesh


def music_stand():
    mesh = Mesh("MusicStand")
    place = turned(STAND_TURN, STAND)
    hub, foot = 0.34, 0.26
    mesh.tube(place((0, hub - 0.06, 0)), place((0, MAST_TOP, 0)), MAST_RADIUS, 8)
    for degrees in (30.0, 150.0, 270.0):  # one leg points at the player, between the feet
        a = math.radians(degrees)
        tip = (foot * math.cos(a), 0.006, foot * math.sin(a))
        mesh.tube(place((0.012 * math.cos(a), hub, 0.012 * math.sin(a))), place(tip), 0.006, 6)
        middle = (0.5 * tip[0], 0.5 * (tip[1] + hub), 0.5 * tip[2])
        mesh.tube(place((0, hub - 0.12, 0)), place(middle), 0.004, 4)
    # The tray: a 1.5 mm sheet that leans back, and the lip that holds the score.
    lean = math.radians(22.0)

    def on_tray(p):
        y, z = p[1] * math.cos(lean) - p[2] * math.sin(lean), p[1] * math.sin(lean) + p[
            2
        ] * math.cos(lean)
        return place((p[0], MAST_TOP + y, z))

    mesh.box((-0.25, -0.03, -0.00075), (0.25, 0.31, 0.00075), on_tray)
    mesh.box((-0.25, -0.0315, -0.045), (0.25, -0.03, 0.00075), on_tray)
    mesh.box((-0.21, -0.028, -0.006), (0.21, 0.27, -0.002), on_tray)  # the score
    return mesh


def sofa():
    mesh = Mesh("Sofa")
    x0, x1, z0, z1 = 1.40, 2.32, 0.35, 2.35  # its back along the wall x = 2.4
    for x in (x0 + 0.06, x1 - 0.06):
        for z in (z0 + 0.06, z1 - 0.06):
            mesh.tube((x, 0.0, z), (x, 0.10, z), 0.02, 8, 0.028)
    mesh.box((x0, 0.10, z0), (x1, 0.26, z1))
    for z in (z0, z1 - 0.18):
        mesh.cushion((x0, 0.26, z), (x1, 0.62, z + 0.18), squareness=0.3)
    seat = (z1 - z0 - 0.36) / 2
    for i in range(2):
        z = z0 + 0.18 + i * seat
        mesh.cushion((x0 - 0.02, 0.26, z), (x1 - 0.24, 0.46, z + seat))
        mesh.cushion((x1 - 0.30, 0.40, z), (x1 - 0.04, 0.86, z + seat))
    return mesh


def piano():
    mesh = Mesh("Piano")
    x0, x1, back = -1.95, -0.45, BACK_Z
    mesh.box((x0, 0.0, back - 0.36), (x1, 1.22, back - 0.02))
    mesh.box((x0, 0.62, back - 0.64), (x1, 0.70, back - 0.36))
    mesh.box((x0, 0.70, back - 0.64), (x0 + 0.12, 0.78, back - 0.36))
    mesh.box((x1 - 0.12, 0.70, back - 0.64), (x1, 0.78, back - 0.36))
    for x in (x0 + 0.02, x1 - 0.08):
        mesh.box((x, 0.0, back - 0.62), (x + 0.06, 0.62, back - 0.56))
    mesh.box((x0 + 0.1, 0.86, back - 0.40), (x1 - 0.1, 1.08, back - 0.36))
    white = (x1 - x0 - 0.26) / 52
    for i in range(52):
        x = x0 + 0.13 + i * white
        mesh.box((x + 0.0005, 0.70, back - 0.62), (x + white - 0.0005, 0.722, back - 0.40))
        if i < 51 and (i + 5) % 7 not in (2, 6):  # 88 keys from A: no black key after B and E
            mesh.box(
                (x + white - 0.005, 0.722, back - 0.53), (x + white + 0.005, 0.734, back - 0.40)
            )
    return mesh


def stool():
    mesh = Mesh("PianoStool")
    x, z = -1.20, BACK_Z - 0.95
    mesh.tube((x, 0.06, z), (x, 0.46, z), 0.03, 10)
    for i in range(4):
        a = math.pi / 4 + i * math.pi / 2
        mesh.tube((x, 0.08, z), (x + 0.2 * math.cos(a), 0.015, z + 0.2 * math.sin(a)), 0.015, 6)
    mesh.cushion((x - 0.18, 0.46, z - 0.18), (x + 0.18, 0.54, z + 0.18), rings=5, squareness=0.8)
    return mesh


def floor_lamp():
    mesh = Mesh("FloorLamp")
    x, z = 1.95, 3.15
    mesh.tube((x, 0.0, z), (x, 0.03, z), 0.16, 20)
    mesh.tube((x, 0.03, z), (x, 1.50, z), 0.012, 8)
    mesh.tube((x, 1.42, z), (x, 1.74, z), 0.22, 24, 0.13)
    return mesh


def bookshelf():
    mesh = Mesh("Bookshelf")
    x0, x1, z0, z1 = 0.05, 1.35, BACK_Z - 0.32, BACK_Z - 0.02
    for x in (x0, x1 - 0.025):
        mesh.box((x, 0.0, z0), (x + 0.025, 1.85, z1))
    for y in (0.06, 0.50, 0.94, 1.38, 1.825):
        mesh.box((x0 + 0.025, y, z0), (x1 - 0.025, y + 0.025, z1))
    for shelf in range(4):
        x, i, y = x0 + 0.03, 3 * shelf, 0.085 + 0.44 * shelf
        while x < x1 - 0.12 - 0.12 * shelf:
            thick, tall = 0.030 + 0.007 * (i * 5 % 4), 0.24 + 0.02 * (i * 7 % 5)
            mesh.box((x, y, z0 + 0.06), (x + thick, y + tall, z1 - 0.02))
            x, i = x + thick + 0.001, i + 1
    return mesh


def obj_text(title, meshes):
    """The .obj file of named meshes."""
    lines = [
        "# %s; do not edit." % title,
        "# Metres, Y up. %d objects, %d triangles."
        % (len(meshes), sum(len(m.triangles) for m in meshes)),
    ]
    base = 1
    for mesh in meshes:
        lines.append("o " + mesh.name)
        # Adding zero turns a rounded -0.0 into 0.0.
        lines += ["v %.4f %.4f %.4f" % tuple(round(x, 4) + 0.0 for x in v) for v in mesh.vertices]
        lines += ["f %d %d %d" % tuple(base + i for i in t) for t in mesh.triangles]
        base += len(mesh.vertices)
    return "\n".join(lines) + "\n"


def text():
    meshes = [
        floor(),
        walls(),
        door_frame(),
        sofa(),
        music_stand(),
        piano(),
        stool(),
        floor_lamp(),
        bookshelf(),
    ]
    return obj_text(
        "Tocsin's music room: generated by environments/make_music_room.py", meshes
    )


if __name__ == "__main__":
    out = (
        pathlib.Path(sys.argv[1])
        if len(sys.argv) > 1
        else pathlib.Path(__file__).with_name("music_room.obj")
    )
    out.write_bytes(text().encode("ascii"))
