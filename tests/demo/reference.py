"""The demo's take and room in plain Python: readers, kinematics, in-between motion, distance.

Shares nothing with Tocsin but the files, so that what it samples is an independent word on what
Tocsin says. Metres, Y up. Slow and simple on purpose; standard library only.
"""

import json
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOTION = ROOT / "motions/walk_and_reach.bvh"
ROOM = ROOT / "environments/music_room.obj"
MODEL = ROOT / "avatar_models/humanoid16.json"


# --- vectors, quaternions (w, x, y, z) ---


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a, s):
    return (s * a[0], s * a[1], s * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def between(a, b, t):
    return add(a, scaled(sub(b, a), t))


def quat_mul(a, b):
    v = add(add(scaled(b[1:], a[0]), scaled(a[1:], b[0])), cross(a[1:], b[1:]))
    return (a[0] * b[0] - dot(a[1:], b[1:]),) + v


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def about(axis, angle):
    return (math.cos(0.5 * angle),) + scaled(axis, math.sin(0.5 * angle))


def rotate(q, v):
    c = scaled(cross(q[1:], v), 2.0)
    return add(add(v, scaled(c, q[0])), cross(q[1:], c))


# --- the take ---


class Joint:
    def __init__(self, name, parent):
        self.name, self.parent, self.offset, self.channels = name, parent, (0.0, 0.0, 0.0), []


class Take:
    """A BVH file: joints, parents first; per frame and joint a (rotation, translation), metres."""

    def __init__(self, path=MOTION, unit=0.01):
        words = path.read_text().split()
        self.joints, stack, i = [], [], 0
        while words[i] != "MOTION":
            word = words[i]
            if word in ("ROOT", "JOINT", "End"):
                name = words[i + 1] if word != "End" else self.joints[stack[-1]].name + "_end"
                self.joints.append(Joint(name, stack[-1] if stack else -1))
                i += 2
            elif word == "{":
                stack.append(len(self.joints) - 1)
                i += 1
            elif word == "}":
                stack.pop()
                i += 1
            elif word == "OFFSET":
                self.joints[stack[-1]].offset = tuple(unit * float(x) for x in words[i + 1 : i + 4])
                i += 4
            elif word == "CHANNELS":
                n = int(words[i + 1])
                self.joints[stack[-1]].channels = words[i + 2 : i + 2 + n]
                i += 2 + n
            else:
                i += 1
        start = words.index("Frames:", i)
        count, self.frame_time = int(words[start + 1]), float(words[start + 4])
        numbers = iter(float(x) for x in words[start + 5 :])
        self.frames = [[self._local(j, numbers, unit) for j in self.joints] for _ in range(count)]

    @staticmethod
    def _local(joint, numbers, unit):
        q, t = (1.0, 0.0, 0.0, 0.0), list(joint.offset)
        for channel in joint.channels:
            k, x = "XYZ".index(channel[0]), next(numbers)
            if channel.endswith("position"):
                t[k] = unit * x
            else:
                q = quat_mul(q, about(tuple(float(k == m) for m in range(3)), math.radians(x)))
        return q, tuple(t)

    def index(self, name):
        return [j.name for j in self.joints].index(name)

    def rest_in(self, descendant, ancestor):
        """Rest position of a joint in an ancestor's frame (a BVH's rest rotations are none)."""
        p = (0.0, 0.0, 0.0)
        while descendant != ancestor:
            p = add(p, self.joints[descendant].offset)
            descendant = self.joints[descendant].parent
        return p

    def world(self, locals_):
        out = []
        for joint, (q, t) in zip(self.joints, locals_):
            if joint.parent >= 0:
                pq, pt = out[joint.parent]
                q, t = quat_mul(pq, q), add(rotate(pq, t), pt)
            out.append((q, t))
        return out

    def in_between(self, frame, t):
        """The world pose at time t of a step: each joint on the screw to its next pose."""
        pairs = zip(self.frames[frame], self.frames[min(frame + 1, len(self.frames) - 1)])
        return self.world([screw(a, b, t) for a, b in pairs])


def screw(first, last, t):
    """exp(t log(last first^-1)) first, by the logarithm of a rigid motion."""
    (q0, c0), (q1, c1) = first, last
    d = quat_mul(q1, conjugate(q0))
    if d[0] < 0.0:
        d = tuple(-x for x in d)
    n = norm(d[1:])
    w = 2.0 * math.atan2(n, d[0])
    if w < 1e-12:
        return q0, between(c0, c1, t)
    u = scaled(d[1:], 1.0 / n)
    if c0 == c1:  # the usual joint: it turns in its place
        return quat_mul(about(u, t * w), q0), c0
    shift = sub(c1, rotate(d, c0))
    half = 0.5 * w / math.tan(0.5 * w)
    rho = add(
        add(scaled(shift, half), scaled(cross(u, shift), -0.5 * w)),
        scaled(u, (1.0 - half) * dot(u, shift)),
    )
    a = t * w
    turned = add(
        add(scaled(rho, math.sin(a) / w), scaled(cross(u, rho), (1.0 - math.cos(a)) / w)),
        scaled(u, (t - math.sin(a) / w) * dot(u, rho)),
    )
    r = about(u, a)
    return quat_mul(r, q0), add(rotate(r, c0), turned)


# --- the avatar ---


class Links:
    """The links of a model file, bound to a take by exact joint names."""

    def __init__(self, take, path=MODEL):
        self.names, self.items = [], []
        for link in json.loads(path.read_text())["links"]:
            joint = take.index(link["joint"])
            ends = []
            for end in (link.get("a", [0, 0, 0]), link["b"]):
                ends.append(
                    take.rest_in(take.index(end["joint"]), joint)
                    if isinstance(end, dict)
                    else tuple(end)
                )
            self.names.append(link["name"])
            self.items.append((joint, ends[0], ends[1], link["radius"]))

    def segments(self, world):
        """Per link (a, b, radius) in the world."""
        return [
            (add(rotate(world[j][0], a), world[j][1]), add(rotate(world[j][0], b), world[j][1]), r)
            for j, a, b, r in self.items
        ]


# --- the room ---


def box_of(points):
    return tuple(min(p[k] for p in points) for k in range(3)), tuple(
        max(p[k] for p in points) for k in range(3)
    )


def box_gap(a, b):
    """A lower bound of the distance between two boxes."""
    return max(max(a[0][k] - b[1][k], b[0][k] - a[1][k]) for k in range(3))


class Room:
    """Objects of an OBJ file: name -> (box, [(box, corners)])."""

    def __init__(self, path=ROOM):
        vertices, triangles = [], {}
        for line in path.read_text().splitlines():
            words = line.split()
            if words[0] == "o":
                current = triangles.setdefault(words[1], [])
            elif words[0] == "v":
                vertices.append(tuple(float(x) for x in words[1:4]))
            elif words[0] == "f":
                corners = tuple(vertices[int(x) - 1] for x in words[1:4])
                current.append((box_of(corners), corners))
        self.objects = {
            name: (box_of([p for _, c in ts for p in c]), ts) for name, ts in triangles.items()
        }

    def clearance(self, name, segment, limit=0.3):
        """Distance of a link's surface to an object, negative inside it; at most `limit`."""
        a, b, radius = segment
        box, triangles = self.objects[name]
        around = box_of((a, b))
        best = limit + radius
        if box_gap(around, box) < best:
            for triangle_box, corners in triangles:
                if box_gap(around, triangle_box) < best:
                    best = min(best, segment_triangle(a, b, corners))
        return best - radius


def point_triangle(p, corners):
    """Distance of a point to a triangle: to its plane if it projects inside, else to an edge."""
    a, b, c = corners
    n = cross(sub(b, a), sub(c, a))
    inside = all(dot(cross(sub(y, x), sub(p, x)), n) >= 0.0 for x, y in ((a, b), (b, c), (c, a)))
    if inside:
        return abs(dot(sub(p, a), n)) / norm(n)
    return min(point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a))


def point_segment(p, a, b):
    d = sub(b, a)
    t = max(0.0, min(1.0, dot(sub(p, a), d) / dot(d, d)))
    return norm(sub(p, between(a, b, t)))


def segment_segment(a, b, c, d):
    """Where the two lines are nearest, if in both segments; else from an end point of one."""
    u, v, w = sub(b, a), sub(d, c), sub(a, c)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    det = uu * vv - uv * uv
    best = min(
        point_segment(a, c, d),
        point_segment(b, c, d),
        point_segment(c, a, b),
        point_segment(d, a, b),
    )
    if det > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            best = min(best, norm(sub(between(a, b, s), between(c, d, t))))
    return best


def segment_triangle(a, b, corners):
    p, q, r = corners
    n = cross(sub(q, p), sub(r, p))
    ha, hb = dot(sub(a, p), n), dot(sub(b, p), n)
    if ha * hb < 0.0:
        x = between(a, b, ha / (ha - hb))
        if all(dot(cross(sub(f, e), sub(x, e)), n) >= 0.0 for e, f in ((p, q), (q, r), (r, p))):
            return 0.0
    return min(
        point_triangle(a, corners),
        point_triangle(b, corners),
        segment_segment(a, b, p, q),
        segment_segment(a, b, q, r),
        segment_segment(a, b, r, p),
    )
