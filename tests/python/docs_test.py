"""The examples of docs/python.md, one after the other, and that of README.md."""

import re
import shutil

import pytest
import tocsin
from conftest import needs_gl


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page, least", [("docs/python.md", 5), ("README.md", 1)])
def test_examples_run(root, tmp_path, monkeypatch, capsys, page, least):
    shutil.copy(root / "motions" / "walk_and_reach.bvh", tmp_path / "take.bvh")
    shutil.copy(root / "environments" / "music_room.obj", tmp_path / "house.obj")
    monkeypatch.chdir(tmp_path)
    code = blocks(root / page)
    assert len(code) >= least
    names = {}
    for block in code:
        try:
            exec(compile(block, page, "exec"), names)
        except tocsin.Error as error:
            needs_gl(error)
    assert "48358337da900ae9" in capsys.readouterr().out


def test_the_page_names_everything(root):
    page = (root / "docs" / "python.md").read_text()
    for name in tocsin.__all__:
        assert re.search(rf"`(tocsin\.)?{name}`", page) or f"tocsin.{name}" in page, name
