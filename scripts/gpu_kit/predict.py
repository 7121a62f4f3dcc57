#!/usr/bin/env python3
"""Predicts what an H100 will need, before anything is measured on one: from what emulated runs count, and from the guesses below.

    TOCSIN_DATA=/none bench_cuda --emulate --avatars 1000 10000 --triangles 156000 --passes 1 --json CUDA.json     the made house
    bench_gl --count --json GL.json                                      on any device, llvmpipe too: the counts are the same
    scripts/gpu_kit/predict.py CUDA.json GL.json bench/results/MACHINE   writes bench/results/predictions/h100.json. MACHINE: one that
                                                                         was quiet, for what a processor takes to pack and to certify
    scripts/gpu_kit/predict.py --check                                   is the file what this computes from the counts in it?

The file is never written by hand. scripts/gpu_kit/keep.py puts it beside what is measured. Exit status 1: --check finds a difference.
"""

import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parents[2] / "bench/results/predictions/h100.json"

# The device: NVIDIA's data sheet of the H100 SXM5 with 80 GB, and guesses that say so. Nothing here was measured.
DEVICE = {
    "name": "H100",
    "cores": 16,  # of the host, guessed
    "bytes_per_second": 3.35e12,
    "cache_bytes_per_second": 5.5e12,  # guess: L2
    "operations_per_second": 17e12,  # double precision, not fused
    "copy_bytes_per_second": 0.9 * 64e9,  # PCIe 5 x16; nine tenths of it: guess
    "memory_share": 2 / 3,  # guess: of the memory's rate, what kernels reach that do little else
    # Of the lanes of a warp; docs/cuda.md, "How even the work is". Traversals: guess.
    "lanes_busy": {"bounds": 1.0, "traversal": 0.31, "certify": 0.3},
    "wait_us": 10.0,  # guess: the CPU waits, reads a count and launches again
    "pieces": 8,  # CheckerOptions::pieces
    "avatars": 50_000,
    "contention": 0.2,  # guess: of the shorter of CPU and device, what it takes from the longer; they share the memory
    # OpenGL. Two of 66 TPCs draw; 67e12 operations in single precision, a fused one is two.
    "drawing_operations_per_second": 67e12 / 2 * 2 / 66,
    "operations_per_pixel": 60,  # guess: shader of a conservative triangle with its depth range
    "tile_pixels": 64 * 64,
    "skin_layers": 2,  # a closed skin is drawn over a pixel twice
    "draw_us": 0.05,  # guess: of a multi-draw
    "call_us": 3.0,  # guess: a dispatch, a multi-draw, a clear, an upload, with its driver
    "calls_per_view": 6,  # src/gpu/gl/visibility/visibility_passes.cpp: copy, dispatch, clear, draw, clear, draw
    "calls_per_chunk": 8,  # six uploads, a clear, a read
    "read_us": 20.0,  # guess: until an answer is there
}


def cuda_counts(bench):
    """What a step asks for, of bench_cuda's largest row in its first room; waits: of its smallest, which is one piece."""
    case = bench["cases"][0]
    row = case["rows"][-1]
    steps = row["avatars"] * row["batches"]
    parts = {}
    for work in case["work"]:
        part = parts.setdefault(work["part"], {"bytes": 0.0, "room_bytes": 0.0, "operations": 0.0})
        part["bytes"] += work["bytes"]
        part["room_bytes"] += work["room_bytes"]
        part["operations"] += work["simple"] + 10.0 * (work["divisions"] + work["roots"])  # StageWork::kPerDivision
    return {
        "room": f"{case['name']}, {row['triangles']} triangles",
        "date": bench["date"][:10],
        "bytes_up": row["uploaded"] / steps,
        "bytes_down": row["downloaded"] / steps,
        "waits_per_piece": case["rows"][0]["waits"] / case["rows"][0]["batches"],
        "launches_per_piece": case["rows"][0]["launches"] / case["rows"][0]["batches"],
        "parts": parts,
    }


def predict_cuda(counts, cpu_us):
    d = DEVICE
    part = {"pack": cpu_us["pack_us"] / d["cores"], "upload": 1e6 * counts["bytes_up"] / d["copy_bytes_per_second"]}
    for name, work in counts["parts"].items():
        memory = work["bytes"] / (d["memory_share"] * d["bytes_per_second"]) + work["room_bytes"] / d["cache_bytes_per_second"]
        part[name] = 1e6 * max(memory, work["operations"] / d["operations_per_second"]) / d["lanes_busy"][name]
    part["link pairs"] = 0.0  # everybody is alone
    part["download"] = 1e6 * counts["bytes_down"] / d["copy_bytes_per_second"]
    part["rest"] = cpu_us["rest_us"] / d["cores"]
    waits = counts["waits_per_piece"] * d["pieces"] * d["wait_us"] / d["avatars"]
    device = part["bounds"] + part["traversal"] + part["certify"] + waits
    cpu = part["pack"] + part["rest"]
    longest = max(device, cpu, part["upload"], part["download"])
    # What overlaps nothing: packing the first piece and copying it up, the last answers.
    ends = (cpu + part["upload"] + part["download"]) / d["pieces"]
    return part, longest + ends + d["contention"] * min(device, cpu), waits


def gl_counts(bench):
    """Of a frame of 1,000 avatars, and the mean of them."""
    whole = bench["frames"][-1]
    keys = ("near_links", "slabs", "pairs", "skin_triangles", "room_triangles", "draws", "bytes_up", "bytes_down")
    mean = {key: whole[key] / whole["avatars"] for key in keys}
    return {"triangles": bench["triangles"], "date": bench["date"][:10],
            "frames": [{"avatars": 1, "views": 3, **mean}, {"avatars": whole["avatars"], "views": whole["views"], **{k: whole[k] for k in keys}}]}


def predict_gl(frame, cpu_us):
    """Microseconds of a frame, by parts."""
    d = DEVICE
    cores = 1 if frame["avatars"] == 1 else d["cores"]
    pixels = 3 * d["tile_pixels"] * (d["skin_layers"] * frame["slabs"] + frame["pairs"])
    calls = d["calls_per_view"] * frame["views"] + d["calls_per_chunk"] * frame["views"] / 3
    return {
        "skins": cpu_us["skins_us"] * frame["near_links"] / cores,
        "certify": cpu_us["frame_us"] * frame["avatars"] / cores,
        "calls": d["call_us"] * calls,
        "draws": d["draw_us"] * frame["draws"],
        "pixels": 1e6 * pixels * d["operations_per_pixel"] / d["drawing_operations_per_second"],
        "copies": 1e6 * (frame["bytes_up"] + frame["bytes_down"]) / d["copy_bytes_per_second"],
        "read": d["read_us"] * frame["views"] / 3,
    }


def cpu_costs(cuda, gl):
    """What one thread of a machine takes, microseconds; bench_cuda's and bench_gl's results there."""
    threads = cuda["machine"]["hardware_threads"]
    row = cuda["cases"][0]["rows"][-1]
    frame = gl["crowd"]["frames"][-1]
    return {"machine": cuda["machine"]["cpu"], "date": cuda["date"][:10],
            "pack_us": threads * row["part_us"]["pack"],  # a step
            "rest_us": threads * row["part_us"]["rest"],
            "skins_us": gl["rooms"][0]["table_1"]["skins"]["mean_us"],  # a link
            "frame_us": threads * frame["cpu"]["mean_us"] / frame["avatars"]}  # an avatar, culling on the CPU included


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(of) for key, of in value.items()}
    if isinstance(value, list):
        return [rounded(of) for of in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def prediction(counts):
    part, us, waits = predict_cuda(counts["cuda"], counts["cpu"])
    frames = []
    for frame in counts["gl"]["frames"]:
        parts = predict_gl(frame, counts["cpu"])
        frames.append({"avatars": frame["avatars"], "frame_certified_us": sum(parts.values()), "part_us": parts})
    return rounded({
        "format": "tocsin.prediction.v2",
        "device": DEVICE["name"],
        "date": max(counts["cuda"]["date"], counts["gl"]["date"]),
        "case": f"avatars of 16 links, each alone, in {counts['cuda']['room']}, {DEVICE['avatars']:,} at once; {DEVICE['cores']} cores",
        "part_us": part,
        "us_per_step": us,
        "waits_us_per_step": waits,
        "gl": {"case": f"avatars of 16 links in a made house of {counts['gl']['triangles']:,} triangles, flags, 64 x 64; "
                       "one: the mean of 1,000", "frames": frames},
        "assumed": DEVICE,
        "counts": counts,
    })


def main(arguments):
    if arguments == ["--check"]:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        if kept == json.loads(json.dumps(prediction(kept["counts"]))):
            print(f"{FILE.name} is what its counts come to")
            return 0
        print(f"error: {FILE} is not what its counts come to: write it again (see --help)", file=sys.stderr)
        return 1
    if len(arguments) != 3 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    def read(name):
        return json.loads(pathlib.Path(name).read_text(encoding="utf-8"))

    cuda, gl, machine = arguments
    quiet = cpu_costs(read(f"{machine}/cuda-emulated.json"), read(f"{machine}/gl.json"))
    counts = rounded({"cuda": cuda_counts(read(cuda)), "gl": gl_counts(read(gl)), "cpu": quiet})
    FILE.write_text(json.dumps(prediction(counts), indent=1) + "\n", encoding="utf-8")
    print(FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
