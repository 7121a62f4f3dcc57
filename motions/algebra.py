"""Vectors and rotations for make_walk_and_reach.py: 3x3 matrices as tuples of rows, degrees."""

import math


def rot_x(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return ((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))


def rot_y(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))


def rot_z(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def mul(*matrices):
    out = matrices[0]
    for m in matrices[1:]:
        out = tuple(
            tuple(sum(out[i][k] * m[k][j] for k in range(3)) for j in range(3)) for i in range(3)
        )
    return out


def transposed(m):
    return tuple(zip(*m))


def apply(m, v):
    return tuple(sum(m[i][k] * v[k] for k in range(3)) for i in range(3))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def scaled(a, s):
    return tuple(s * x for x in a)


def normalized(a):
    return scaled(a, 1.0 / math.sqrt(dot(a, a)))


def euler_zyx(m):
    """(z, y, x) in degrees with m = R_z R_y R_x."""
    return (
        math.degrees(math.atan2(m[1][0], m[0][0])),
        math.degrees(math.asin(max(-1.0, min(1.0, -m[2][0])))),
        math.degrees(math.atan2(m[2][1], m[2][2])),
    )
