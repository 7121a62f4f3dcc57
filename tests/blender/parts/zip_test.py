"""The zip that Blender installs."""

import ast
import pathlib
import subprocess
import sys
import zipfile

import pytest
import tocsin
from tocsin_blender import bl_info, engine

PACKAGE = pathlib.Path(tocsin.__file__).parent


def pack(root, folder, *options):
    words = [sys.executable, "-B", root / "scripts" / "blender.py", "--package", PACKAGE, "--out", folder, "--level", "0", *options]
    return subprocess.run(words, capture_output=True, text=True)


def test_one_zip_holds_add_on_and_engine(root, tmp_path):
    told = pack(root, tmp_path)
    file = pathlib.Path(told.stdout.strip())
    assert file.name == f"tocsin-blender-{tocsin.__version__}.zip" and told.returncode == 0
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        assert packed.testzip() is None
    assert {name.split("/")[0] for name in names} == {"tocsin_blender"}  # Blender wants one folder
    assert "tocsin_blender/lib/tocsin/__init__.py" in names and "tocsin_blender/LICENSE" in names
    assert any(name.startswith("tocsin_blender/lib/tocsin/_tocsin.") for name in names)
    assert not any("/bin/" in name or "__pycache__" in name for name in names)
    sources = {f"tocsin_blender/{one.name}" for one in (root / "blender" / "tocsin_blender").glob("*.py")}
    assert sources <= set(names)
    once = file.read_bytes()
    assert pack(root, tmp_path).returncode == 0 and file.read_bytes() == once


def test_without_an_engine_there_is_no_zip(root, tmp_path):
    told = pack(root, tmp_path, "--package", tmp_path)
    assert told.returncode == 1 and "there is no engine" in told.stderr and not list(tmp_path.glob("*.zip"))


def test_blender_reads_the_version_without_running_the_add_on(root):
    text = (root / "blender" / "tocsin_blender" / "__init__.py").read_text()
    (value,) = [one.value for one in ast.parse(text).body if isinstance(one, ast.Assign) and one.targets[0].id == "bl_info"]
    assert ast.literal_eval(value) == bl_info
    assert ".".join(map(str, bl_info["version"])) == tocsin.__version__


def test_a_missing_library_is_named(monkeypatch):
    def fail(_name):
        raise ImportError("libtbb.so.12: cannot open shared object file")

    monkeypatch.setattr(engine.importlib, "import_module", fail)
    with pytest.raises(RuntimeError, match="libtbb.so.12.*Debian 12.*libtbb12"):
        engine.need()
    monkeypatch.undo()
    engine.need()
