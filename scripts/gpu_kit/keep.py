#!/usr/bin/env python3
"""Files what the GPU kit's go.sh has found: scripts/keep_gpu_results.sh says how to call it.

Tables go between <!-- measured:NAME --> and <!-- end --> of docs/cuda.md (cuda) and docs/gl.md (gl).
Exit status 3: the folder is not one of go.sh's, or no GPU was there.
"""

import argparse
import json
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile


# Runs of bench_cuda: those of the aim, few avatars, the largest room.
BENCHES = ("bench-cuda", "bench-cuda-few", "bench-cuda-large")
# Renderers that are no device.
SOFTWARE = re.compile(r"llvmpipe|softpipe|swrast|swiftshader", re.I)


def refuse(why):
    print(f"error: {why}", file=sys.stderr)
    raise SystemExit(3)


def read_json(file):
    """The object in a file; None: there is no such file."""
    if not file.is_file():
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as problem:
        refuse(f"{file}: {problem}")


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def table(head, rows):
    """A table in Markdown; the first column to the left, the others to the right."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def a_second(us):
    return f"{1e6 / us:,.0f}"


def prediction_for(device, root):
    """What was predicted for such a device before it was measured; None: nothing."""
    for file in sorted((root / "bench" / "results" / "predictions").glob("*.json")):
        prediction = read_json(file)
        if prediction["device"].lower() in device.lower():
            return prediction
    return None


def cuda_tables(cuda, revision, predicted):
    parts = list(cuda["rows"][0]["part_us"])
    ceilings = cuda["ceilings"]
    text = [f"Measured on {cuda['device']}, revision {revision}: avatars of 16 links, each alone, in a made house of 156,000 triangles; "
            "copies included.\n",
            table(["avatars", "steps a second", "us a step", "times the CPU of that machine", "bytes up", "bytes down", "launches"],
                  [[f"{r['avatars']:,}", a_second(r["us_per_step"]), f"{r['us_per_step']:.3f}",
                    f"{r['cpu_us_per_step'] / r['us_per_step']:.1f}", f"{r['bytes_up']:.0f}", f"{r['bytes_down']:.0f}",
                    str(r["launches"])] for r in cuda["rows"]]),
            "\nMicroseconds a step by stage, and the share of the ceilings that the last row reaches:\n"]
    rows = [[f"{r['avatars']:,}"] + [f"{r['part_us'][p]:.3f}" for p in parts] for r in cuda["rows"]]
    if predicted:
        rows.append(["predicted"] + [f"{predicted['part_us'][p]:.3f}" for p in parts])
    shares = cuda["share_of_ceiling"]
    rows.append(["of the ceiling"] + [f"{100 * shares[p]:.0f} %" if p in shares else "" for p in parts])
    text.append(table(["avatars"] + parts, rows))
    if predicted:
        text.append(f"\nPredicted on {predicted['date']} for {predicted['case']}: {predicted['us_per_step']:.3f} us a step.")
    text.append(f"\nCeilings: memory {1e-9 * ceilings['bytes_per_second']:,.0f} GB/s, copies "
                f"{1e-9 * ceilings['up_bytes_per_second']:.1f} GB/s up and {1e-9 * ceilings['down_bytes_per_second']:.1f} down, "
                f"{1e-9 * ceilings['operations_per_second']:,.0f} G operations a second in double precision, "
                f"{1e-9 * ceilings['fused_operations_per_second']:,.0f} if they were fused.")
    return "\n".join(text)


def bench_table(benches):
    """Every room of the runs of bench_cuda, few avatars first; the first room is that of the aim, where the kit had it."""
    rows = [(case["name"], r) for bench in benches for case in bench["cases"] for r in case["rows"]]
    rooms = list(dict.fromkeys((name, r["triangles"]) for name, r in rows))
    rows.sort(key=lambda row: (rooms.index((row[0], row[1]["triangles"])), row[1]["avatars"]))
    return table(["bench_cuda", "triangles", "avatars", "steps a second", "times the CPU of that machine", "contacts"],
                 [[name, f"{r['triangles']:,}", f"{r['avatars']:,}", a_second(r["cuda_us"]), f"{r['cpu_us'] / r['cuda_us']:.1f}",
                   "the CPU's" if r["equal"] else "DIFFER"] for name, r in rows])


def gl_tables(gl, revision, predicted):
    frames = {f["avatars"]: f["frame_certified_us"] for f in predicted["gl"]["frames"]} if predicted else {}
    rows = [[name.replace("_", " "), "" if us is None else f"{us:,.1f}", ""] for name, us in gl["table_1_us"].items()]
    for way in gl["ways"]:
        for key in ("interference_us", "backtracking_us", "frame_certified_us", "frame_image_space_us"):
            us = way[key]
            rows.append([f"{key[:-3].replace('_', ' ')}, {way['way']}", "" if us is None else f"{us:,.1f}", ""])
    for row in gl["crowd"]:
        us = row["frame_certified_us"]
        before = frames.get(row["avatars"])
        rows.append([f"frame of {row['avatars']:,} avatars, flags", "" if us is None else f"{us:,.1f}", f"{before:,.0f}" if before else ""])
    text = f"Measured on {gl['device']}, revision {revision}: microseconds, medians.\n\n" + table(["row", "us", "predicted"], rows)
    return text + (f"\n\nPredicted on {predicted['date']} for {predicted['gl']['case']}." if predicted else "")


def fill(file, name, text):
    """Puts the text between the marks of that name."""
    page = file.read_text(encoding="utf-8")
    filled, count = re.subn(rf"(<!-- measured:{name} -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}\n{text}\n\n{m[2]}", page, flags=re.S)
    if count != 1:
        refuse(f"{file}: expected the mark measured:{name} once, found it {count} times")
    file.write_text(filled, encoding="utf-8")


def variants_of(folder):
    """Names and largest rows in the bench's first room, the build as it is first."""
    files = sorted(folder.glob("variant-*.json"), key=lambda file: (file.stem != "variant-as-built", file.stem))
    return [(file.stem.removeprefix("variant-").replace("as-built", "as built"), read_json(file)["cases"][0]["rows"][-1])
            for file in files]


def unpacked(archive, folder):
    """The folder, with the files that lie at the top of go.sh's archive."""
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = member.name.removeprefix("./")
                if member.isfile() and "/" not in name:
                    (folder / name).write_bytes(tar.extractfile(member).read())
    except (tarfile.TarError, EOFError, OSError) as problem:
        refuse(f"{archive}: {problem}")
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the repository")
    parser.add_argument("--even-emulated", action="store_true", help="for tests: results without a GPU too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        keep(unpacked(options.folder, pathlib.Path(name)) if options.folder.is_file() else options.folder, options)


def keep(folder, options):
    if not (folder / "summary.txt").is_file():
        refuse(f"{options.folder}: no summary.txt: this is not a folder of go.sh's")
    found = read_json(folder / "selftest-cuda.json")
    drawn = read_json(folder / "selftest-gl.json")
    # A device of which one part hung may have told the next.
    benches = [b for b in (read_json(folder / f"{name}.json") for name in BENCHES) if b]
    bench = next(iter(benches), None)
    cuda = found["cuda"] if found else None
    gl = drawn["gl"] if drawn else None
    if gl and SOFTWARE.search(gl["device"]) and not options.even_emulated:
        print(f"OpenGL ran on {gl['device']}, which is no GPU: its figures make no table")
        gl = None
    # A selftest that was ended on the way has not measured: then the bench knows the device.
    device = next((part for part in (cuda, bench) if part and (options.even_emulated or not part["emulated"])), None)
    if not device and not gl:
        why = "the kernels ran emulated" if cuda or bench else "nothing was measured"
        refuse(f"{options.folder}: no GPU was there: {why} (summary.txt says how each part ended)")
    revision = (folder / "revision").read_text(encoding="utf-8").strip() if (folder / "revision").is_file() else "unknown"
    target = options.root / "bench" / "results" / slug(device["device"].split(", CUDA")[0] if device else gl["device"])
    target.mkdir(parents=True, exist_ok=True)
    kept = 0
    for file in sorted(folder.iterdir()):
        if file.suffix in (".txt", ".json") and file.is_file():
            shutil.copyfile(file, target / file.name)
            kept += 1
    pages = []
    text = []
    if device is cuda and cuda and cuda["rows"]:
        text.append(cuda_tables(cuda, revision, prediction_for(cuda["device"], options.root)))
    if device and bench:
        rows = bench_table(benches)
        text.append(rows if text else f"Measured on {bench['device']}, revision {revision}; copies included.\n\n{rows}")
    variants = variants_of(folder)
    if text:
        if variants:
            text.append("Variants of the kernels, 10,000 avatars:\n\n" +
                        table(["variant", "us a step"], [[name, f"{row['cuda_us']:.3f}"] for name, row in variants]))
        fill(options.root / "docs" / "cuda.md", "cuda", "\n\n".join(text))
        pages.append("docs/cuda.md")
    if gl:
        fill(options.root / "docs" / "gl.md", "gl", gl_tables(gl, revision, prediction_for(gl["device"], options.root)))
        pages.append("docs/gl.md")
    differ = [f"{name}, {r['avatars']:,} avatars" for bench in benches for name, r in
              ((case["name"], r) for case in bench["cases"] for r in case["rows"]) if not r["equal"]]
    differ += [c["name"] for report in (found, drawn) if report for c in report["cases"]
              if any(a["verdict"] == "differs" for a in c["answers"])]
    differ += [f"variant {name}" for name, row in variants if not row["equal"]]
    print(f"{target}: {kept} files; tables in {' and '.join(pages) or 'no page'}")
    if differ:
        print(f"THESE CASES DIFFER FROM THE CPU: {', '.join(differ)}")


main()
