"""The build backend of `pip install .` and `pip wheel .` (PEP 517): CMake builds, this packs. It needs no other package.

TOCSIN_BUILD_DIR: the build folder that is used (build/wheel). A folder that ./run build made does as well.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEVEL = 6  # of compression, 1 to 9
METADATA = """Metadata-Version: 2.1
Name: tocsin
Version: {version}
Summary: Continuous collision detection, with proof, for motion-captured avatars
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: live
Requires-Dist: grpcio; extra == "live"
Requires-Dist: protobuf>=4.21; extra == "live"
Description-Content-Type: text/markdown

{readme}"""
ENTRY_POINTS = "[console_scripts]\ntocsin = tocsin._command:main\n"


def version():
    header = (ROOT / "include" / "tocsin" / "version.h").read_text()
    return re.search(r'kVersion = "([0-9.]+)"', header)[1]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def dist_info():
    return f"tocsin-{version()}.dist-info"


def metadata_files():
    readme = (ROOT / "README.md").read_text()
    wheel = f"Wheel-Version: 1.0\nGenerator: tocsin\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return {
        "METADATA": METADATA.format(version=version(), readme=readme),
        "WHEEL": wheel,
        "entry_points.txt": ENTRY_POINTS,
        "LICENSE": (ROOT / "LICENSE").read_text(),
    }


def build():
    """Builds the package; its folder."""
    folder = pathlib.Path(os.environ.get("TOCSIN_BUILD_DIR", ROOT / "build" / "wheel")).resolve()
    options = ["-DTOCSIN_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    if not (folder / "CMakeCache.txt").exists():
        options += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTOCSIN_UNITY_BUILD=ON"]
        options += ["-DTOCSIN_BUILD_TESTS=OFF", "-DTOCSIN_BUILD_BENCH=OFF"]
    # What is compiled does not depend on the folder of the sources: ccache serves it.
    environment = {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", **os.environ}
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(folder), *options],
        ["cmake", "--build", str(folder), "--target", "tocsin_python_package", "--parallel", str(jobs())],
    ):
        subprocess.run(command, check=True, env=environment)
    return folder / "python" / "tocsin"


def jobs():
    """One a core, but no more than one for each 1.5 GiB of memory (scripts/lib.sh)."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(os.cpu_count() or 1, memory // (1536 << 20)))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    package = build()
    name = f"tocsin-{version()}-{tag()}.whl"
    record = []
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as wheel:

        def add(at, data, mode=0o644):
            info = zipfile.ZipInfo(at, (2000, 1, 1, 0, 0, 0))  # so that equal contents make equal wheels
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data, compresslevel=LEVEL)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{at},sha256={digest},{len(data)}")

        for file in sorted(package.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                mode = 0o755 if os.access(file, os.X_OK) else 0o644
                add(f"tocsin/{file.relative_to(package).as_posix()}", file.read_bytes(), mode)
        for at, text in metadata_files().items():
            add(f"{dist_info()}/{at}", text.encode())
        record.append(f"{dist_info()}/RECORD,,")
        wheel.writestr(f"{dist_info()}/RECORD", "\n".join(record) + "\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """PEP 517."""
    folder = pathlib.Path(metadata_directory) / dist_info()
    folder.mkdir()
    for at, text in metadata_files().items():
        (folder / at).write_text(text)
    return folder.name


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517: the sources that are under version control, or, without git, all but builds."""
    name = f"tocsin-{version()}"
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        files = [one for one in listed.decode().split("\0") if one]
    except (OSError, subprocess.CalledProcessError):
        files = [str(one.relative_to(ROOT)) for one in sorted(ROOT.rglob("*")) if one.is_file()]
        files = [one for one in files if not re.match(r"(build[^/]*|dist|\.git)/", one)]
    archive = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz", format=tarfile.PAX_FORMAT, compresslevel=LEVEL) as sdist:
        for one in files:
            sdist.add(ROOT / one, f"{name}/{one}", recursive=False)
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        data = metadata_files()["METADATA"].encode()
        info.size = len(data)
        sdist.addfile(info, io.BytesIO(data))
    return f"{name}.tar.gz"
