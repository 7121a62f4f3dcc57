#!/usr/bin/env python3
"""scripts/keep_gpu_results.sh on results of an emulated device: files, tables, and what is refused.

Usage: gpu_results.py TOCSIN ROOT
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

COMMAND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])


def keep(folder, root, *more):
    return subprocess.run([sys.executable, ROOT / "scripts/gpu_kit/keep.py", folder, "--root", root, *more],
                          capture_output=True, text=True, check=False)


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    found, root = work / "found", work / "root"
    found.mkdir()
    (root / "docs").mkdir(parents=True)
    shutil.copytree(ROOT / "bench/results/predictions", root / "bench/results/predictions")
    for page in ("cuda.md", "gl.md"):
        shutil.copyfile(ROOT / "docs" / page, root / "docs" / page)

    expect(keep(found, root).returncode == 3, "a folder without a summary is refused")
    (found / "summary.txt").write_text("part ended seconds\n")
    subprocess.run([COMMAND, "selftest", "--backend", "cuda", "--emulate", "--seconds", "2", "--json", found / "selftest-cuda.json"],
                   stdout=subprocess.DEVNULL, check=True)
    result = keep(found, root)
    expect(result.returncode == 3 and "no GPU" in result.stderr, "emulated results are refused")
    expect("Nothing yet" in (root / "docs/cuda.md").read_text(), "a refusal leaves the page as it was")

    # A device's, by name; with a variant.
    report = json.loads((found / "selftest-cuda.json").read_text())
    report["cuda"].update(device="NVIDIA H100 Test, CUDA 13.0", emulated=False)
    (found / "selftest-cuda.json").write_text(json.dumps(report))
    row = {"avatars": 10000, "triangles": 156080, "cuda_us": 0.25, "cpu_us": 2.5, "equal": True}
    bench = {"device": "NVIDIA H100 Test, CUDA 13.0", "emulated": False, "cases": [{"name": "small_house.obj", "rows": [row]}]}
    (found / "bench-cuda.json").write_text(json.dumps(bench))
    (found / "variant-as-built.json").write_text(json.dumps(bench))
    row.update(cuda_us=0.125, equal=False)
    (found / "variant-block-64.json").write_text(json.dumps(bench))
    row["equal"] = True
    # The parts that run first where there is time, and those after them.
    few = [{**row, "avatars": n, "cuda_us": us} for n, us in ((1, 40.0), (1000, 0.5))]
    large = {**row, "avatars": 50000, "triangles": 10000092, "cuda_us": 0.8, "equal": False}
    for part, rows, room in (("few", few, "small_house.obj"), ("large", [large], "a made room")):
        (found / f"bench-cuda-{part}.json").write_text(json.dumps({**bench, "cases": [{"name": room, "rows": rows}]}))
    result = keep(found, root)
    expect(result.returncode == 0, result.stderr)
    expect("a made room, 50,000 avatars, variant block-64" in result.stdout, f"what differs in a bench is told: {result.stdout}")
    kept = root / "bench/results/nvidia-h100-test"
    expect((kept / "selftest-cuda.json").is_file() and (kept / "summary.txt").is_file(), "files are kept")
    page = (root / "docs/cuda.md").read_text()
    first = report["cuda"]["rows"][0]
    expect("NVIDIA H100 Test" in page and f"| {first['us_per_step']:.3f} |" in page, "the table has the figures")
    expect("| as built | 0.250 |\n| block-64 | 0.125 |" in page, "the variants are compared with the build as it is")
    table = [line for line in page.splitlines() if line.startswith(("| small_house.obj", "| a made room"))]
    expect(table == ["| small_house.obj | 156,080 | 1 | 25,000 | 0.1 | the CPU's |",
                     "| small_house.obj | 156,080 | 1,000 | 2,000,000 | 5.0 | the CPU's |",
                     "| small_house.obj | 156,080 | 10,000 | 4,000,000 | 10.0 | the CPU's |",
                     "| a made room | 10,000,092 | 50,000 | 1,250,000 | 3.1 | DIFFER |"], f"every part of bench_cuda is there, in order: {table}")
    expect((kept / "bench-cuda-few.json").is_file() and (kept / "bench-cuda-large.json").is_file(), "and filed")
    predicted = json.loads((ROOT / "bench/results/predictions/h100.json").read_text())
    expect(f"| predicted | {predicted['part_us']['pack']:.3f} |" in page, "what was predicted stands beside it")
    parts = predicted["part_us"].values()  # of a pass in which nothing overlaps
    expect(max(parts) <= predicted["us_per_step"] <= sum(parts), "a step takes no longer than its parts")
    expect("Nothing yet" not in page and len(re.findall("measured:cuda", page)) == 1, "the marks stay")

    # The prediction is computed from counts, never written by hand.
    check = [sys.executable, ROOT / "scripts/gpu_kit/predict.py", "--check"]
    expect(subprocess.run(check, stdout=subprocess.DEVNULL).returncode == 0, "the kept prediction is what its counts come to")
    counts = predicted["counts"]["cuda"]
    expect(0 < counts["waits_per_piece"] <= 4, "BatchCheckerOn.WaitsLessWithLessToDo pins the waits of avatars that are alone")
    expect(abs(predicted["waits_us_per_step"] - counts["waits_per_piece"] * 8 * 10 / 50_000) < 1e-6, "8 pieces, 10 us a wait")

    # Drawn by the processor: no figure of a GPU.
    gl = {"device": "llvmpipe (LLVM 15.0.6, 256 bits)", "table_1_us": {"row": 1.5}, "ways": [], "crowd": []}
    (found / "selftest-gl.json").write_text(json.dumps({"cases": [], "gl": gl}))
    result = keep(found, root)
    expect(result.returncode == 0 and "llvmpipe" in result.stdout, result.stdout + result.stderr)
    expect("Nothing yet" in (root / "docs/gl.md").read_text(), "llvmpipe makes no table")
    gl.update(device="NVIDIA H100 Test/PCIe/SSE2", crowd=[{"avatars": n, "frame_certified_us": 100.0 * n} for n in (1, 16, 1000)])
    (found / "selftest-gl.json").write_text(json.dumps({"cases": [], "gl": gl}))
    expect(keep(found, root).returncode == 0, "a device does")
    drawn = (root / "docs/gl.md").read_text()
    expect("| row | 1.5 |  |" in drawn and "| frame of 16 avatars, flags | 1,600.0 |  |" in drawn, "what was not predicted stands alone")
    for frame in predicted["gl"]["frames"]:
        expect(f"avatars, flags | {100 * frame['avatars']:,.1f} | {frame['frame_certified_us']:,.0f} |" in drawn, "what was stands beside it")

    # A selftest that was ended on the way: the bench knows the device.
    whole = (found / "selftest-cuda.json").read_text()
    (found / "selftest-cuda.json").unlink()
    result = keep(found, root)
    less = (root / "docs/cuda.md").read_text()
    expect(result.returncode == 0 and "| small_house.obj |" in less and "| predicted |" not in less, result.stderr)
    # One part of the benches alone is enough, too.
    first = (found / "bench-cuda.json").read_text()
    (found / "bench-cuda.json").unlink()
    result = keep(found, root)
    expect(result.returncode == 0 and "| small_house.obj | 156,080 | 1 |" in (root / "docs/cuda.md").read_text(), result.stderr)
    (found / "bench-cuda.json").write_text(first)
    (found / "selftest-cuda.json").write_text(whole)

    # The archive alone, as it is carried back, is as good as the folder.
    archive = work / "results.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(found, ".")
    shutil.rmtree(kept)
    for page_name in ("cuda.md", "gl.md"):
        shutil.copyfile(ROOT / "docs" / page_name, root / "docs" / page_name)
    result = keep(archive, root)
    expect(result.returncode == 0 and (kept / "summary.txt").is_file(), result.stderr)
    expect((root / "docs/cuda.md").read_text() == page, "the archive says what the folder says")
    archive.write_bytes(archive.read_bytes()[:500])
    expect(keep(archive, root).returncode == 3, "half an archive is refused")

    # Again: the tables are replaced, not added.
    expect(keep(found, root).returncode == 0 and (root / "docs/cuda.md").read_text() == page, "a second time changes nothing")
    (found / "selftest-cuda.json").write_text("{")
    expect(keep(found, root).returncode == 3, "broken JSON is refused")
print("files, tables, refusals: as they must be")
