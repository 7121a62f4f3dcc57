"""The colours of contact kinds, as people with each kind of colour blindness see them, are far apart.

Simulation: G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
IEEE TVCG 15(6), 2009, table for severity 1.0, in linear RGB. Distance: CIE 1976 dE in L*a*b* (D65); 2.3 is just noticeable.
"""

import itertools
import re
import sys

SEEN_BY = {
    "everybody else": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "those who see no colours": ((0.2126, 0.7152, 0.0722),) * 3,
}
LEAST = {"those who see no colours": 10.0}  # lightness alone; the forms tell kinds apart, too (page.css)
LEAST_OF_OTHERS = 20.0
NAMES = ("hit", "overlap", "graze", "clearance", "paper")


def linear(channel):
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def lab(rgb):
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    white = (0.95047, 1.0, 1.08883)
    xyz = [sum(a * b for a, b in zip(row, rgb)) / w for row, w in zip(rows, white)]
    f = [t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in xyz]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def main(css):
    text = open(css, encoding="utf-8").read()
    colours = {}
    for name in NAMES:
        digits = re.search(rf"--{name}: #([0-9a-f]{{6}});", text).group(1)
        colours[name] = [linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4)]
    failed = False
    for people, matrix in SEEN_BY.items():
        seen = {n: lab([min(1, max(0, sum(a * b for a, b in zip(row, c)))) for row in matrix]) for n, c in colours.items()}
        distance = {(p, q): sum((a - b) ** 2 for a, b in zip(seen[p], seen[q])) ** 0.5 for p, q in itertools.combinations(NAMES, 2)}
        (p, q), least = min(distance.items(), key=lambda item: item[1])
        print(f"{people}: at least {least:.1f} apart ({p} and {q})")
        failed = failed or least < LEAST.get(people, LEAST_OF_OTHERS)
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
