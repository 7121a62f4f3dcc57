#include "cuda/cuda_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tocsin::bench {
namespace {

/// NVIDIA's data sheet of the H100 SXM5 with 80 GB: memory 3.35 TB/s; 34e12 operations in double
/// precision where a fused one counts as two, so 17e12 that are not fused; PCIe 5 x16 64 GB/s each
/// way.
constexpr CudaCeilings kDataSheet{
    .bytes = 3.35e12, .operations = 17e12, .fused = 34e12, .up = 64e9, .down = 64e9};
/// The aim, avatar-steps a second: issue 8.
constexpr double kAim = 5e6;

/// Stands over every table.
std::string banner(const CudaReport& r) {
  if (!r.emulated) return "on " + r.device;
  return "EMULATED (" + r.device + "): what kernel bodies cost on this processor, no device";
}

std::string rates_text(const CudaReport& r, const CudaCase& c) {
  constexpr const char* kHead =
      "  {:>7} {:>9} {:>9} {:>8} {:>8} {:>9} {:>8} {:>8} {:>6} {:>8} {:>7}";
  std::string out = banner(r) + "\n";
  out += fmt::format(kHead, "avatars", "triangles", "cuda", "cuda", "cuda", "cpu", "cpu", "cpu",
                     "cuda/", "contacts", "between");
  out += "\n" + fmt::format(kHead, "", "", "steps/s", "us/step", "proc. us", "steps/s", "us/step",
                            "proc. us", "cpu", "in room", "avatars");
  out += "  hash\n";
  for (const CudaRow& row : c.rows) {
    out += fmt::format(
        "  {:>7} {:>9} {:>9.0f} {:>8.2f} {:>8.2f} {:>9.0f} {:>8.2f} {:>8.2f} {:>6.3f} {:>8.2f} "
        "{:>7.3f}  {} {}\n",
        row.avatars, row.triangles, 1e6 / row.cuda_us.median, row.cuda_us.median,
        row.cuda_processor_us.median, 1e6 / row.cpu_us.median, row.cpu_us.median,
        row.cpu_processor_us.median, row.cpu_us.median / row.cuda_us.median,
        static_cast<double>(row.contacts) / row.steps(),
        static_cast<double>(row.meetings) / row.steps(), row.hash,
        row.equal ? "both" : "CPU " + row.cpu_hash);
  }
  return out;
}

std::string parts_text(const CudaReport& r, const CudaCase& c) {
  std::string out = fmt::format("microseconds an avatar-step, {}\n  {:>7}", banner(r), "avatars");
  for (const char* name : kCudaPartNames) out += fmt::format(" {:>10}", name);
  out += fmt::format(" {:>8} {:>8} {:>8} {:>6}\n", "bytes up", "down", "launches", "waits");
  for (const CudaRow& row : c.rows) {
    out += fmt::format("  {:>7}", row.avatars);
    for (const double us : row.part_us) out += fmt::format(" {:>10.3f}", us);
    out += fmt::format(" {:>8.0f} {:>8.0f} {:>8.0f} {:>6.0f}\n",
                       static_cast<double>(row.uploaded) / row.steps(),
                       static_cast<double>(row.downloaded) / row.steps(),
                       static_cast<double>(row.launches) / static_cast<double>(row.batches),
                       static_cast<double>(row.waits) / static_cast<double>(row.batches));
  }
  return out;
}

std::string ceilings_text(const CudaReport& r) {
  const CudaCeilings& c = r.ceilings;
  return fmt::format(
      "\nceilings, measured in this run, {}\n"
      "  memory {:.3g} GB/s, double precision {:.3g} G multiplications and additions a second (not "
      "fused),\n  copies from pinned memory {:.3g} GB/s up, {:.3g} GB/s down\n",
      banner(r), 1e-9 * c.bytes, 1e-9 * c.operations, 1e-9 * c.up, 1e-9 * c.down);
}

/// Seconds of copies, an avatar-step, at these ceilings; microseconds.
double copies_us(const CudaRow& row, const CudaCeilings& c) {
  return 1e6 *
         (static_cast<double>(row.uploaded) / c.up + static_cast<double>(row.downloaded) / c.down) /
         row.steps();
}

/// Least time of all stages of a part, or of all parts; microseconds.
double least_us(const CudaCase& c, const CudaCeilings& ceilings, bool cached,
                CudaPart part = kCudaParts) {
  double out = 0.0;
  for (const StageWork& w : c.work) {
    if (part == kCudaParts || w.part == part) out += w.least_us(ceilings, cached);
  }
  return out;
}

std::string estimate_text(const CudaCase& c) {
  const double copies = copies_us(c.rows.back(), kDataSheet);
  const double cached = least_us(c, kDataSheet, true);
  const double not_cached = least_us(c, kDataSheet, false);
  return fmt::format(
      "  An ESTIMATE, no measurement: an H100 that reached its data sheet everywhere (memory "
      "{:.2f} TB/s,\n  {:.0f}e12 operations not fused, copies {:.0f} GB/s) would make some "
      "{:.0f} million avatar-steps a second in\n  kernels, {:.1f} million with copies that nothing "
      "overlaps; {:.0f} and {:.1f} million if no cache ever held\n  a part of the room.\n",
      1e-12 * kDataSheet.bytes, 1e-12 * kDataSheet.operations, 1e-9 * kDataSheet.up, 1.0 / cached,
      1.0 / (cached + copies), 1.0 / not_cached, 1.0 / (not_cached + copies));
}

std::string shares_text(const CudaReport& r, const CudaCase& c) {
  // What an emulation takes from a cache is faster than its ceilings.
  if (r.emulated) return {};
  const CudaRow& row = c.rows.back();
  std::string out = fmt::format(
      "  share of the ceilings below (least time / time, the room cached), {}\n   ", banner(r));
  for (const CudaPart part : {kBoundsPart, kTraversalPart, kCertifyPart}) {
    out += fmt::format(" {} {:.1f} %,", kCudaPartNames[part],
                       100.0 * least_us(c, r.ceilings, true, part) / row.part_us[part]);
  }
  const double copies = row.part_us[kUploadPart] + row.part_us[kDownloadPart];
  if (copies <= 0.0) return out + " copies: too short to be timed\n";
  return out + fmt::format(" copies {:.1f} %\n", 100.0 * copies_us(row, r.ceilings) / copies);
}

std::string work_text(const CudaReport& r, const CudaCase& c) {
  if (c.work.empty()) return {};
  const CudaRow& row = c.rows.back();
  std::string out = fmt::format("roofline, {} avatars, an avatar-step; counted{}\n", row.avatars,
                                r.emulated ? ", EMULATED" : "");
  out += fmt::format("  {:<32} {:>8} {:>10} {:>8} {:>7} {:>7} {:>10}\n", "", "bytes", "room bytes",
                     "+ * <", "/", "sqrt", "ops/byte");
  for (const StageWork& w : c.work) {
    out += fmt::format("  {:<32} {:>8.0f} {:>10.0f} {:>8.0f} {:>7.1f} {:>7.1f} {:>10.2f}\n", w.what,
                       w.bytes, w.room_bytes, w.simple, w.divisions, w.roots,
                       w.operations() / w.bytes);
  }
  out += fmt::format("  {:<32} {:>8.0f}\n", "copies up and down",
                     static_cast<double>(row.uploaded + row.downloaded) / row.steps());
  return out + shares_text(r, c) + estimate_text(c);
}

std::string aim_text(const CudaReport& r) {
  std::string out = fmt::format(
      "\naim, on an H100: {:.0f} avatar-steps a second in small_house.obj, 50,000 avatars at 90 Hz "
      "(4,500,000\na second), copies included: ",
      kAim);
  if (r.emulated) return out + "not run on a GPU; EMULATED figures say nothing about it\n";
  double best = 0.0;
  for (const CudaCase& c : r.cases) {
    if (!c.house) continue;
    for (const CudaRow& row : c.rows) best = std::max(best, 1e6 / row.cuda_us.median);
  }
  if (best == 0.0) return out + "small_house.obj was not there\n";
  return out + fmt::format("{:.0f} on {}: {}\n", best, r.device, best >= kAim ? "met" : "missed");
}

nlohmann::ordered_json json_of(const CudaCase& c) {
  using Json = nlohmann::ordered_json;
  Json out = {{"name", c.name}, {"what", c.what}};
  for (const CudaRow& row : c.rows) {
    Json one = {{"triangles", row.triangles},
                {"avatars", row.avatars},
                {"batches", row.batches},
                {"cuda_us", row.cuda_us.median},
                {"cpu_us", row.cpu_us.median},
                {"cuda_processor_us", row.cuda_processor_us.median},
                {"cpu_processor_us", row.cpu_processor_us.median},
                {"uploaded", row.uploaded},
                {"downloaded", row.downloaded},
                {"launches", row.launches},
                {"waits", row.waits},
                {"contacts", row.contacts},
                {"meetings", row.meetings},
                {"hash", row.hash},
                {"equal", row.equal}};
    for (std::size_t p = 0; p < kCudaParts; ++p) one["part_us"][kCudaPartNames[p]] = row.part_us[p];
    out["rows"].push_back(std::move(one));
  }
  for (const StageWork& w : c.work) {
    out["work"].push_back({{"part", kCudaPartNames[w.part]},
                           {"what", w.what},
                           {"bytes", w.bytes},
                           {"room_bytes", w.room_bytes},
                           {"simple", w.simple},
                           {"divisions", w.divisions},
                           {"roots", w.roots}});
  }
  return out;
}

}  // namespace

std::string as_text(const CudaReport& r) {
  std::string out = fmt::format("bench/cuda{}: many avatars on the CUDA backend{}\n\n",
                                r.emulated ? ", EMULATED" : "",
                                r.emulated ? ", which ran on no device here" : "");
  out += machine_text(r.machine);
  out += fmt::format("device      {}; k = {}, {}, {}, {} passes\n", r.device, r.k,
                     r.traversals == 1 ? "1 traversal" : "2 traversals",
                     r.lanes == 1 ? "1 lane a link" : fmt::format("{} lanes a link", r.lanes),
                     r.passes);
  if (r.quick) out += "\nQUICK RUN: too small and too few passes for figures to be quoted\n";
  for (const CudaCase& c : r.cases) {
    out += fmt::format("\n{}: {}\n", c.name, c.what);
    if (!c.made.empty()) out += c.made + "\n";
    out += rates_text(r, c) + parts_text(r, c) + work_text(r, c);
  }
  out += ceilings_text(r);
  out += aim_text(r);
  out +=
      "\nTimes are by the clock on the wall, copies included, medians over the passes; proc.: of "
      "the processor, all threads\ntogether, which other programs disturb less. cpu: "
      "Detector::check_batch of the CPU backend on all threads, on the\nsame steps, in turns; "
      "hash: "
      "of all contacts, \"both\": of both. Parts come from a pass of its own that waits after\n"
      "every stage: pack (the batch laid out on the CPU), upload, bounds (how joints move, boxes, "
      "swept links), traversal\n(near links, candidates), certify, link pairs, download, rest "
      "(lists of contacts made of what came back); launches\nand the CPU's waits for the device "
      "are "
      "those of a batch.\n"
      "Roofline: operations in double precision, counted by running the kernel bodies with a "
      "number "
      "that counts, on up\nto 400 avatar-steps; a division or a root stands for 10. bytes: "
      "elements "
      "of the batch's arrays that a launch reads\nor writes, once a launch; room bytes: nodes of "
      "the "
      "tree and triangles, at every visit. Boxes are compared in single\nprecision, which is not "
      "counted, nor is sorting of survivors.\n";
  return out;
}

std::string as_json(const CudaReport& r) {
  nlohmann::ordered_json out = json_head(
      r.emulated ? "tocsin.bench.cuda-emulated.v1" : "tocsin.bench.cuda.v1", r.quick, r.machine);
  out["device"] = r.device;
  out["emulated"] = r.emulated;
  out["k"] = r.k;
  out["traversals"] = r.traversals;
  out["lanes"] = r.lanes;
  out["ceilings"] = {{"bytes_per_second", r.ceilings.bytes},
                     {"operations_per_second", r.ceilings.operations},
                     {"up_bytes_per_second", r.ceilings.up},
                     {"down_bytes_per_second", r.ceilings.down}};
  for (const CudaCase& c : r.cases) out["cases"].push_back(json_of(c));
  return out.dump(1) + "\n";
}

bool agrees(const CudaReport& r) {
  return std::ranges::all_of(
      r.cases, [](const CudaCase& c) { return std::ranges::all_of(c.rows, &CudaRow::equal); });
}

}  // namespace tocsin::bench
