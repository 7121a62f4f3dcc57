#!/usr/bin/env python3
"""Draws demo.svg, the picture of the demo, from a report and the files it was made from.

    ./run demo
    python3 docs/img/make_demo_picture.py build/demo/report.jsonl [FILE]    (demo.svg beside this)

Every pose, distance and number in it comes from the report, the take and the room, by the plain
kinematics of tests/demo/reference.py. Orthographic views: a link then is exactly a round-capped
stroke of twice its radius.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/demo"))
import reference as ref  # noqa: E402

INK, SOFT, GROUND = "#1f2933", "#616e7c", "#f5f7fa"
BODY, GHOST, BEFORE, AFTER, HIT = "#7b8794", "#c3ccd6", "#2f6fb5", "#7fb0e6", "#d1293d"
SWEPT, CURVE, STEEL = "#fbd9a8", "#e8912d", "#20262d"
ARM = ("right_upper_arm", "right_forearm", "right_hand")
WALK = (0, 22, 37, 52, 67)


class View:
    """An orthographic view into a panel: metres to pixels; depth grows away from the viewer."""

    def __init__(self, forward, centre, scale, panel):
        self.forward = ref.scaled(forward, 1.0 / ref.norm(forward))
        up = (0.0, 1.0, 0.0) if abs(self.forward[1]) < 0.99 else (0.0, 0.0, 1.0)
        right = ref.cross(self.forward, up)
        self.right = ref.scaled(right, 1.0 / ref.norm(right))
        self.up = ref.cross(self.right, self.forward)
        self.centre, self.scale, self.panel = centre, scale, panel

    def __call__(self, p):
        d = ref.sub(p, self.centre)
        x, y, w, h = self.panel
        return x + 0.5 * w + self.scale * ref.dot(
            d, self.right
        ), y + 0.5 * h - self.scale * ref.dot(d, self.up)

    def depth(self, p):
        return ref.dot(p, self.forward)


class Drawing:
    def __init__(self, width, height):
        self.width, self.height, self.parts, self.clips = width, height, [], 0

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, size=14, colour=INK, weight="normal", anchor="start"):
        self.add(
            '<text x="%.0f" y="%.0f" font-size="%g" fill="%s" font-weight="%s" '
            'text-anchor="%s">%s</text>' % (x, y, size, colour, weight, anchor, words)
        )

    def line(self, a, b, colour, width, opacity=1.0):
        self.add(
            '<path fill="none" d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="%.1f" opacity="%g"/>'
            % (a + b + (colour, width, opacity))
        )

    def dot(self, centre, radius, colour):
        self.add('<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>' % (centre + (radius, colour)))

    def faces(self, faces, opacity):
        """(colour, points) in order; neighbours of one colour share a path."""
        self.add('<g stroke-width=".5" opacity="%g">' % opacity)
        last = None
        for colour, points in faces:
            path = "M" + "L".join("%.1f %.1f" % p for p in points) + "Z"
            if colour == last:
                self.parts[-1] = self.parts[-1][:-3] + path + '"/>'
            else:
                self.add('<path fill="%s" stroke="%s" d="%s"/>' % (colour, colour, path))
            last = colour
        self.add("</g>")

    def open_panel(self, panel):
        self.clips += 1
        x, y, w, h = panel
        self.add(
            '<clipPath id="c%d"><rect x="%d" y="%d" width="%d" height="%d" rx="8"/></clipPath>'
            % (self.clips, x, y, w, h)
        )
        self.add(
            '<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="%s"/><g clip-path="url(#c%d)">'
            % (x, y, w, h, GROUND, self.clips)
        )

    def close_panel(self):
        self.add("</g>")

    def svg(self):
        head = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" fill="none" '
            'stroke-linecap="round">' % (self.width, self.height, self.width, self.height)
        )
        return "\n".join(
            [head, '<rect width="100%" height="100%" fill="#ffffff"/>']
            + self.parts
            + ["</svg>", ""]
        )


def capsule(out, view, segment, colour, opacity=1.0):
    a, b, r = segment
    out.line(view(a), view(b), colour, 2.0 * r * view.scale, opacity)


def mesh(out, view, room, name, colour, keep=lambda corners: True, opacity=1.0):
    """An object's triangles that face the viewer, far ones first, shaded by their slope."""
    light, faces = (-0.41, 0.80, -0.44), []
    for _, corners in room.objects[name][1]:
        n = ref.cross(ref.sub(corners[1], corners[0]), ref.sub(corners[2], corners[0]))
        if ref.dot(n, view.forward) < 0.0 and keep(corners):
            shade = 0.80 + 0.20 * round(8.0 * ref.dot(n, light) / ref.norm(n)) / 8.0
            rgb = "#%02x%02x%02x" % tuple(
                min(255, int(shade * int(colour[i : i + 2], 16))) for i in (1, 3, 5)
            )
            faces.append((-max(view.depth(p) for p in corners), rgb, corners))
    out.faces([(rgb, [view(p) for p in corners]) for _, rgb, corners in sorted(faces)], opacity)


def hull(points):
    """Convex hull of points in the plane (Andrew's monotone chain)."""

    def half(ordered):
        chain = []
        for p in ordered:
            while len(chain) > 1 and (
                (chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])
            ):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1])


class Story:
    """The report's contact, and the poses around it."""

    def __init__(self, report):
        lines = [json.loads(line) for line in pathlib.Path(report).read_text().splitlines()]
        contacts = [line for line in lines if line["type"] == "contact"]
        if len(contacts) != 1:
            sys.exit(
                "%s: the picture wants exactly one contact, found %d" % (report, len(contacts))
            )
        self.contact = contacts[0]
        self.take, self.room = ref.Take(), ref.Room()
        self.links = ref.Links(self.take)
        self.step, self.toc = self.contact["step"], self.contact["toc"][1]
        self.hit = self.links.names.index(self.contact["link"])

    def pose(self, frame, t=0.0):
        return dict(zip(self.links.names, self.links.segments(self.take.in_between(frame, t))))

    def gap(self, frame, t=0.0):
        segments = self.links.segments(self.take.in_between(frame, t))
        return self.room.clearance(self.contact["object"], segments[self.hit], 0.6)


def draw_room(out, story, panel):
    """The whole take: the walk every half second, and the frame before the hit."""
    view = View((0.93, -0.36, 0.36), (0.0, 1.10, 0.58), 131.0, panel)
    out.open_panel(panel)
    mesh(out, view, story.room, "Floor", "#e9e4da")
    for name, colour in (
        ("Bookshelf", "#c9a77c"),
        ("FloorLamp", "#e3cf8f"),
        ("Sofa", "#8fae9b"),
        ("Piano", "#80706a"),
        ("PianoStool", "#80706a"),
    ):
        mesh(out, view, story.room, name, colour)
    # The far half of the wall with the door; the near half is left out.
    mesh(
        out,
        view,
        story.room,
        "Walls",
        "#dfe3e8",
        lambda c: all(0.0 < p[0] < 2.41 and abs(p[2] + 0.9) < 0.07 for p in c),
        0.85,
    )
    far = lambda corners: min(p[0] for p in corners) > 0.0 or max(p[1] for p in corners) > 2.0
    mesh(out, view, story.room, "DoorFrame", "#b98d5b", far)
    for frame in WALK:
        for segment in sorted(story.pose(frame).values(), key=lambda s: -view.depth(s[0])):
            capsule(out, view, segment, GHOST)
    mesh(out, view, story.room, "DoorFrame", "#b98d5b", lambda corners: not far(corners))
    for name, segment in sorted(story.pose(story.step).items(), key=lambda s: -view.depth(s[1][0])):
        capsule(out, view, segment, BEFORE if name in ARM else BODY)
    mesh(out, view, story.room, "MusicStand", STEEL)
    for frame in WALK + (story.step,):
        head = story.pose(frame)["head"][1]
        x, y = view(head)
        out.text(x, y - 20, "%d" % frame, 13, SOFT if frame in WALK else BEFORE, anchor="middle")
    out.close_panel()


def draw_swing(out, story, panel):
    """From above: the arm before and after, what it sweeps, and where it touches."""
    point = story.contact["point"]
    view = View((0.0, -1.0, 0.0), (point[0] - 0.02, 0.0, point[2] - 0.09), 385.0, panel)
    out.open_panel(panel)
    link = story.contact["link"]
    before, after, touching = (
        story.pose(story.step),
        story.pose(story.step, 1.0),
        story.pose(story.step, story.toc),
    )
    for name in (
        "pelvis",
        "left_thigh",
        "right_thigh",
        "torso",
        "neck",
        "head",
        "left_upper_arm",
        "left_forearm",
    ):
        capsule(out, view, before[name], GHOST)
    for i in range(33):
        capsule(out, view, story.pose(story.step, i / 32)[link], SWEPT)
    for pose, colour in ((after, AFTER), (before, BEFORE)):
        for name in ARM:
            capsule(out, view, pose[name], colour)
    capsule(out, view, touching[link], HIT, 0.8)
    corners = [p for _, c in story.room.objects[story.contact["object"]][1] for p in c]
    tray = hull([view(p) for p in corners if p[1] > 1.1])
    out.add(
        '<path fill="none" d="M%sZ" stroke="%s" stroke-width="1.2" stroke-dasharray="5 5"/>'
        % ("L".join("%.1f %.1f" % p for p in tray), SOFT)
    )
    mast = hull([view(p) for p in corners if abs(p[1] - 0.28) < 1e-3])
    out.add('<path d="M%sZ" fill="%s"/>' % ("L".join("%.1f %.1f" % p for p in mast), STEEL))
    x, y = view(before["right_hand"][1])
    out.text(x + 26, y - 8, "frame %d" % story.step, 14, BEFORE, "bold")
    x, y = view(after["right_hand"][1])
    out.text(x - 26, y - 8, "frame %d" % (story.step + 1), 14, "#4f8fd0", "bold", "end")
    x, y = mast[0]
    out.line((x - 6, y - 6), (x - 26, panel[1] + 40.0), SOFT, 1.0)
    out.text(x - 26, panel[1] + 32, "mast, 16 mm", 13, INK, anchor="middle")
    x, y = view(ref.between(*touching[link][:2], 0.25))
    out.line((x + 12, y + 4), (panel[0] + panel[2] - 116.0, y + 52.0), HIT, 1.0)
    out.text(panel[0] + panel[2] - 112, y + 52, "first touch", 14, HIT, "bold")
    out.text(panel[0] + panel[2] - 112, y + 70, "toc %.4f" % story.toc, 13, HIT)
    out.text(
        panel[0] + panel[2] - 12,
        panel[1] + 24,
        "dashed: the tray, above the arm",
        12,
        SOFT,
        anchor="end",
    )
    out.close_panel()


def draw_curve(out, story, panel):
    """The clearance between the link and the stand over time; dots are what sampling sees."""
    x, y, w, h = panel
    out.open_panel(panel)
    first, last, top, low = story.step - 2, story.step + 3, 0.38, -0.07

    def px(frame):
        return x + 64 + (w - 92) * (frame - first) / (last - first)

    def py(gap):
        return y + 16 + (h - 62) * (top - gap) / (top - low)

    for gap in (0.0, 0.1, 0.2, 0.3):
        out.line((px(first), py(gap)), (px(last), py(gap)), INK if gap == 0.0 else "#cbd2d9", 1.0)
        out.text(px(first) - 12, py(gap) + 4, "%.0f cm" % (100 * gap), 12, SOFT, anchor="end")
    points = [
        (px(f + i / 40), py(story.gap(f, i / 40))) for f in range(first, last) for i in range(40)
    ]
    out.add(
        '<path fill="none" d="M%s" stroke="%s" stroke-width="2"/>'
        % ("L".join("%.1f %.1f" % p for p in points), CURVE)
    )
    for frame in range(first, last + 1):
        out.dot((px(frame), py(story.gap(frame))), 5, BEFORE)
        out.text(
            px(frame),
            y + h - 14,
            "frame %d" % frame if frame == first else "%d" % frame,
            12,
            SOFT,
            anchor="middle",
        )
    hit = (px(story.step + story.toc), py(0.0))
    out.dot(hit, 6, HIT)
    out.text(hit[0] - 12, hit[1] + 20, "toc", 14, HIT, "bold", "end")
    out.dot((px(last) - 178, y + 30), 5, BEFORE)
    out.text(px(last) - 164, y + 35, "what sampling sees", 13)
    out.line((px(last) - 186, y + 52), (px(last) - 170, y + 52), CURVE, 2)
    out.text(px(last) - 164, y + 57, "what happens in between", 13)
    out.close_panel()


def main():
    story = Story(sys.argv[1])
    out = Drawing(1000, 890)
    room, swing, curve = (16, 44, 968, 420), (16, 510, 476, 364), (508, 510, 476, 364)
    out.text(
        18,
        32,
        "The take: %d frames. In none of them does any link touch anything."
        % len(story.take.frames),
        17,
        INK,
        "bold",
    )
    draw_room(out, story, room)
    out.text(18, 498, "One step from above: the arm jumps the mast", 17, INK, "bold")
    draw_swing(out, story, swing)
    out.text(510, 498, "Clearance of forearm and stand", 17, INK, "bold")
    draw_curve(out, story, curve)
    path = (
        pathlib.Path(sys.argv[2])
        if len(sys.argv) > 2
        else pathlib.Path(__file__).with_name("demo.svg")
    )
    path.write_bytes(out.svg().encode("utf-8"))


if __name__ == "__main__":
    main()
