#!/usr/bin/env python3
"""Draws made_house.png, the picture of a made room, from its OBJ file.

    tocsin make-room house.obj --triangles 100000 --seed 1
    python3 docs/img/make_house_picture.py house.obj [FILE]    (made_house.png beside this)

A z-buffer in plain Python: every triangle of the file that faces the viewer, coloured by the kind
of its object, shaded by its slope. Takes some ten seconds.
"""

import math
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT, SAMPLES = 900, 540, 2  # pixels; samples a pixel, in x and in y
EYE, AIM, ANGLE = (1.0, 16.5, 10.0), (-0.2, 0.0, 0.35), 46.0  # m, m, degrees from top to bottom
LIGHT = (0.34, 0.84, 0.42)
COLOURS = {  # the first that begins an object's name
    "Floor": 0xD9C7A3, "Wall": 0xE8E6E0, "Beam": 0x9C7A55, "Door": 0xB98D5B, "Carpet": 0x7D8FB3,
    "Sofa": 0x6F9483, "Armchair": 0xB5734F, "Chair": 0xA9794A, "Table": 0x9A6A3F, "Bed": 0xCFD8EA,
    "Plant": 0x4F8F4A, "Piano": 0x2B2623, "MusicStand": 0x202020, "SheetMusic": 0xFFFFFF,
    "Bath": 0xFFFFFF, "Wash": 0xFFFFFF, "Toilet": 0xFFFFFF, "Kitchen": 0xC8D4C4,
    "Refrigerator": 0xDDDDDD, "Stairs": 0xA67C4E, "Gallery": 0xA67C4E, "Wardrobe": 0xB08A5D,
    "Pendant": 0xE3CF8F, "FloorLamp": 0xE3CF8F, "Vase": 0x3B6EA5, "Ornament": 0xC58B2A,
    "Picture": 0x555577, "Ball": 0xD94F30, "Globe": 0x5B8FB9, "Bookshelf": 0x8F6B45,
    "Television": 0x222222, "Monitor": 0x222222, "Window": 0xF3F3F3,
}  # fmt: skip
BOOKS = (0x8C2F39, 0x2F4B7C, 0x3F6B4F, 0xD2A24C, 0x5B3A63, 0x30343F, 0xC06B3E, 0x7A8B99)


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    n = math.sqrt(dot(a, a))
    return (a[0] / n, a[1] / n, a[2] / n)


def colour_of(name):
    if "_Book_" in name:
        return BOOKS[zlib.crc32(name.encode()) % len(BOOKS)]
    if "_Curtain" in name:
        return 0xD7C3B0
    if "_Glass" in name:
        return 0xBFE0EA
    return next((c for kind, c in COLOURS.items() if name.startswith(kind)), 0xB7A98F)


def triangles(file):
    """(name, three corners), in order."""
    vertices, name = [], ""
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                vertices.append(tuple(map(float, words[1:4])))
            elif words[0] == "o":
                name = words[1]
            elif words[0] == "f":
                yield name, [vertices[int(w.split("/")[0]) - 1] for w in words[1:4]]


def draw(file):
    w, h = WIDTH * SAMPLES, HEIGHT * SAMPLES
    forward = unit(sub(AIM, EYE))
    right = unit(cross(forward, (0.0, 1.0, 0.0)))
    up = cross(right, forward)
    scale = 0.5 * h / math.tan(math.radians(0.5 * ANGLE))
    depth = [math.inf] * (w * h)
    image = [0xFFFFFF] * (w * h)
    for name, corners in triangles(file):
        normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
        if dot(normal, normal) == 0.0:
            continue
        normal = unit(normal)
        if dot(normal, sub(corners[0], EYE)) > 0.0:
            if not name.startswith("Plant"):
                continue
            normal = (-normal[0], -normal[1], -normal[2])
        points = []
        for p in corners:
            d = sub(p, EYE)
            z = dot(d, forward)
            points.append(
                (0.5 * w + scale * dot(d, right) / z, 0.5 * h - scale * dot(d, up) / z, 1.0 / z)
            )
        (xa, ya, za), (xb, yb, zb), (xc, yc, zc) = points
        area = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)
        if area == 0.0:
            continue
        shade = min(1.0, 0.5 + 0.45 * max(0.0, dot(normal, LIGHT)) + 0.1 * abs(normal[0]))
        base = colour_of(name)
        pixel = sum(int(shade * (base >> s & 255)) << s for s in (16, 8, 0))
        for y in range(max(0, int(min(ya, yb, yc))), min(h - 1, int(max(ya, yb, yc)) + 1) + 1):
            for x in range(max(0, int(min(xa, xb, xc))), min(w - 1, int(max(xa, xb, xc)) + 1) + 1):
                px, py = x + 0.5, y + 0.5
                a = ((xb - px) * (yc - py) - (xc - px) * (yb - py)) / area
                b = ((xc - px) * (ya - py) - (xa - px) * (yc - py)) / area
                if a < 0.0 or b < 0.0 or a + b > 1.0:
                    continue
                z = 1.0 / (a * za + b * zb + (1.0 - a - b) * zc)
                if z < depth[y * w + x]:
                    depth[y * w + x] = z
                    image[y * w + x] = pixel
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(WIDTH):
            samples = [
                image[(y * SAMPLES + j) * w + x * SAMPLES + i]
                for j in range(SAMPLES)
                for i in range(SAMPLES)
            ]
            for s in (16, 8, 0):
                rows.append(sum(v >> s & 255 for v in samples) // len(samples))
    return bytes(rows)


def write_png(file, rows):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    pathlib.Path(file).write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    default = pathlib.Path(__file__).with_name("made_house.png")
    write_png(sys.argv[2] if len(sys.argv) == 3 else default, draw(sys.argv[1]))
