"""The wheel that the build backend packs: complete, with a true RECORD, and it works from where it is unpacked."""

import base64
import csv
import hashlib
import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import pytest
import tocsin


@pytest.fixture(scope="module")
def backend(root):
    sys.path.insert(0, str(root / "python"))
    try:
        import wheel_backend
    finally:
        sys.path.pop(0)
    usual = wheel_backend.build
    wheel_backend.build = lambda: pathlib.Path(tocsin.__file__).parent  # what is being tested, built already
    wheel_backend.LEVEL = 1  # sooner
    yield wheel_backend
    wheel_backend.build = usual


def test_the_wheel_works_where_it_is_unpacked(root, backend, tmp_path):
    name = backend.build_wheel(tmp_path)
    assert name.startswith(f"tocsin-{tocsin.__version__}-cp3") and name.endswith("_x86_64.whl")
    place = tmp_path / "site"
    with zipfile.ZipFile(tmp_path / name) as wheel:
        wheel.extractall(place)
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in wheel.infolist()}
        listed = list(csv.reader(wheel.read(f"{backend.dist_info()}/RECORD").decode().splitlines()))
    assert {row[0] for row in listed} == set(modes)
    for at, digest, size in listed[:-1]:
        data = (place / at).read_bytes()
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={found}", len(data))
    assert modes["tocsin/bin/tocsin"] == 0o755  # as pip will make it
    (place / "tocsin" / "bin" / "tocsin").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(place)}
    words = [sys.executable, "-B", "-m", "tocsin", "check", "motions/walk_and_reach.bvh", "--env", "environments/music_room.obj"]
    told = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True)
    assert "48358337da900ae9" in told.stdout
    code = "import tocsin; print(tocsin.__file__, tocsin.check('motions/walk_and_reach.bvh', 'environments/music_room.obj').hash)"
    told = subprocess.run([sys.executable, "-B", "-c", code], cwd=root, env=environment, capture_output=True, text=True)
    assert told.stdout.split() == [str(place / "tocsin" / "__init__.py"), "48358337da900ae9"]


def test_pips_other_questions_are_answered(root, backend, tmp_path):
    folder = backend.prepare_metadata_for_build_wheel(tmp_path)
    text = (tmp_path / folder / "METADATA").read_text()
    assert f"\nVersion: {tocsin.__version__}\n" in text and "Requires-Dist: numpy\n" in text
    with tarfile.open(tmp_path / backend.build_sdist(tmp_path)) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames()}
    assert {"PKG-INFO", "pyproject.toml", "python/wheel_backend.py", "src/python/module.cpp"} <= names
    assert not any(name.startswith("build/") for name in names)
