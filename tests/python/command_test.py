"""`python3 -m tocsin` is the command; check gives its hashes and its errors."""

import json
import re
import subprocess
import sys

import pytest
import tocsin
from tocsin import _command

WALK = ["motions/walk_and_reach.bvh", "environments/music_room.obj"]


def command(root, *words):
    return subprocess.run([_command.path(), *map(str, words)], cwd=root, capture_output=True, text=True)


def hash_in(text):
    return re.search(r"Hash of .*: ([0-9a-f]{16})", text)[1]


def test_the_module_is_the_command(root):
    module = [sys.executable, "-m", "tocsin"]
    assert subprocess.check_output([*module, "--version"], text=True) == f"tocsin {tocsin.__version__}\n"
    assert subprocess.run([*module, "check"], cwd=root, capture_output=True).returncode == 2


@pytest.fixture(scope="module")
def demo(walk, room):
    return tocsin.check(walk, room)


def test_the_demos_take_has_the_commands_hash(root, demo):
    assert demo.hash == "48358337da900ae9"
    assert hash_in(command(root, "check", WALK[0], "--env", WALK[1]).stdout) == demo.hash
    assert "right_forearm and MusicStand" in str(demo) and bool(demo)


def test_contacts_are_the_reports_lines(root, demo, tmp_path):
    report = tmp_path / "report.jsonl"
    assert command(root, "check", root / WALK[0], "--env", root / WALK[1], "--out", report).returncode == 0
    lines = [line for line in map(json.loads, report.read_text().splitlines()) if line["type"] == "contact"]
    assert len(lines) == len(demo.contacts) == 1
    for line, row, link, thing in zip(
        lines, demo.contacts, demo.contacts.link_names(), demo.contacts.touched_names()
    ):
        for field in ("step", "triangle"):
            assert line[field] == row[field]
        for field in ("frames", "seconds", "toc", "point", "normal"):
            assert line[field] == row[field].tolist()
        assert (line["link"], line["object"], line["status"]) == (link, thing, "hit")
    assert tocsin.verify(report) == (True, tocsin.verify(report)[1])
    report.write_text(report.read_text().replace('"triangle":', '"triangle":1', 1))
    confirmed, text = tocsin.verify(report)
    assert not confirmed and "differs" in text


def test_sampled_frames_touch_nothing_as_the_demo_says(walk, room):
    assert not tocsin.check(walk, room, sampled=True)


def test_the_swung_tool_has_the_commands_hash(root, tmp_path):
    take, tool = tmp_path / "swing.bvh", tmp_path / "tool.obj"
    made = command(root, "make-motion", take, "--kind", "swing", "--seconds", 2, "--rate", 30, "--mesh", tool)
    assert made.returncode == 0
    motion = tocsin.load_motion(take)
    hand = tocsin.Link("tool", motion.skeleton.find("RightHand"), shape=tocsin.Shape.load(tool))
    avatar = tocsin.Avatar.auto(motion).with_links([hand])
    result = tocsin.check(motion, root / "environments" / "wire.obj", avatar=avatar)
    told = command(root, "check", take, "--env", "environments/wire.obj", "--hold", f"RightHand={tool}")
    assert len(result.contacts) > 0 and hash_in(told.stdout) == result.hash
    assert (result.contacts["link_feature"] >= 0).any()


OPTIONS = [
    (["--place", "0.3,0,0.2,30", "--frames", "10:100:3"], {"place": (0.3, 0, 0.2), "yaw": 30, "frames": (10, 100), "stride": 3}),
    (["--margin", "0.05", "--contacts", "first"], {"margin": 0.05, "contacts": "first"}),
    (["--self", "--margin", "0.02", "--ignore", "*foot:Floor*"], {"itself": True, "margin": 0.02, "ignore": ["*foot:Floor*"]}),
    (["--in-between", "translate_rotate", "--avatar", "humanoid16", "--scale-radii", "1.2"],
     {"in_between": "translate_rotate", "avatar": "humanoid16", "radii": 1.2}),
]


@pytest.mark.parametrize("words, options", OPTIONS)
def test_options_are_the_commands(root, walk, room, words, options):
    told = command(root, "check", WALK[0], "--env", WALK[1], *words)
    result = tocsin.check(walk, room, **options)
    assert len(result.contacts) > 0
    assert hash_in(told.stdout) == result.hash


def test_two_takes_have_the_commands_hash(root, walk, room):
    told = command(root, "check", WALK[0], WALK[0], "--env", WALK[1], "--place", "0,0,0", "--place", "0.2,0,0.1,20")
    takes = [tocsin.Take(walk), tocsin.Take(walk, place=(0.2, 0, 0.1), yaw=20)]
    result = tocsin.check(takes, room)
    assert (result.contacts["other_avatar"] >= 0).any()
    assert hash_in(told.stdout) == result.hash


def test_errors_have_the_commands_text(root, tmp_path):
    broken = tmp_path / "broken.bvh"
    broken.write_text((root / WALK[0]).read_text()[:20000])
    wrong = tmp_path / "wrong.obj"
    wrong.write_text("v 0 0 0\nv 1 0 zero\n")
    cases = [
        (tmp_path / "none.bvh", WALK[1]),
        (broken, WALK[1]),
        (WALK[0], wrong),
        (WALK[0], tmp_path / "none.obj"),
    ]
    for take, room in cases:
        told = command(root, "check", root / take, "--env", root / room)
        assert told.returncode == 3
        with pytest.raises(tocsin.Error) as caught:
            tocsin.check(root / take, root / room)
        assert f"tocsin check: {caught.value}\n" == told.stderr
        assert caught.value.code == "input"


def test_verify_refuses_what_is_no_report(tmp_path):
    with pytest.raises(tocsin.Error, match="nothing.jsonl") as caught:
        tocsin.verify(tmp_path / "nothing.jsonl")
    assert caught.value.code == "input"
