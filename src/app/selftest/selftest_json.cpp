// The JSON object of `tocsin selftest --json`.
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/selftest/selftest_report.h"
#include "base/json_text.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;
using selftest::Answer;
using selftest::Verdict;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kNotAsked:
      return "not_asked";
    case Verdict::kNoTime:
      return "no_time";
    case Verdict::kFailed:
      break;
  }
  return "failed";
}

Json json_of(const Answer& a) {
  return {{"way", a.way},
          {"verdict", name_of(a.verdict)},
          {"hash", a.hash.empty() ? Json(nullptr) : Json(a.hash)},
          {"differing", a.differing},
          {"seconds", a.seconds},
          {"answered", a.answered},
          {"note", base::valid_utf8(a.note)}};
}

Json json_of(const selftest::CaseResult& c) {
  Json out{{"case", c.number}, {"kind", c.kind},         {"name", c.name}, {"what", c.what},
           {"steps", c.steps}, {"contacts", c.contacts}, {"hash", c.hash}, {"seconds", c.seconds}};
  out["oracle"] = {{"steps", c.oracle.steps},
                   {"contacts", c.oracle.contacts},
                   {"free_pairs", c.oracle.free_pairs},
                   {"undecided", c.oracle.undecided},
                   {"refutations", c.oracle.refutations}};
  out["answers"] = Json::array();
  for (const Answer& a : c.answers) out["answers"].push_back(json_of(a));
  return out;
}

/// Null: nothing was measured.
Json microseconds(const selftest::Measured& m) {
  return m.us.empty() ? Json(nullptr) : Json(m.figures().median);
}

Json json_of(const selftest::CarriedCpu& cpu) {
  Json out{{"rows", Json::array()}, {"no_time", cpu.no_time}};
  for (const auto& row : cpu.rows) {
    out["rows"].push_back({{"avatars", row.avatars}, {"us_per_step", row.us.median}});
  }
  return out;
}

Json json_of(const selftest::CudaRow& row) {
  Json parts = Json::object();
  for (std::size_t p = 0; p < selftest::kCudaParts; ++p) {
    parts[selftest::kCudaPartNames[p]] = row.part_us[p];
  }
  return {{"avatars", row.avatars},
          {"us_per_step", row.cuda_us.median},
          {"cpu_us_per_step", row.cpu_us.median},
          {"bytes_up", static_cast<double>(row.uploaded) / row.steps()},
          {"bytes_down", static_cast<double>(row.downloaded) / row.steps()},
          {"launches", row.launches / row.batches},
          {"part_us", parts},
          {"hash", row.hash},
          {"equal", row.equal}};
}

Json json_of(const selftest::CarriedCuda& cuda) {
  Json out{{"device", cuda.device}, {"emulated", cuda.emulated}};
  out["ceilings"] = {{"bytes_per_second", cuda.ceilings.bytes},
                     {"up_bytes_per_second", cuda.ceilings.up},
                     {"down_bytes_per_second", cuda.ceilings.down},
                     {"operations_per_second", cuda.ceilings.operations},
                     {"fused_operations_per_second", cuda.ceilings.fused}};
  out["rows"] = Json::array();
  for (const selftest::CudaRow& row : cuda.rows) out["rows"].push_back(json_of(row));
  Json shares = Json::object();
  // What an emulation's kernels of ceilings do says nothing about how fast it can copy.
  for (std::size_t p = 0; p < selftest::kCudaParts && !cuda.emulated; ++p) {
    const double share = selftest::share_of_ceiling(cuda, static_cast<selftest::CudaPart>(p));
    if (share > 0.0) shares[selftest::kCudaPartNames[p]] = share;
  }
  out["share_of_ceiling"] = shares;
  out["no_time"] = cuda.no_time;
  return out;
}

Json json_of(const selftest::CarriedGl& gl) {
  Json out{{"device", base::valid_utf8(gl.device)},
           {"equal", gl.equal()},
           {"table_1_us", Json::object()}};
  for (const auto& rows :
       {selftest::paper_rows(gl.kinematics), selftest::paper_rows(gl.table.rows)}) {
    for (const selftest::PaperRow& row : rows) {
      out["table_1_us"][row.key] = microseconds(*row.ours);
    }
  }
  out["ways"] = Json::array();
  for (std::size_t i = 0; i < gl.table.ways.size(); ++i) {
    const selftest::WayRows& way = gl.table.ways[i];
    // A device that failed may have no frames.
    const selftest::FrameRows frame =
        i < gl.frames.ways.size() ? gl.frames.ways[i] : selftest::FrameRows();
    out["ways"].push_back({{"way", way.way.text()},
                           {"interference_us", microseconds(way.interference)},
                           {"backtracking_us", microseconds(way.backtracking)},
                           {"frame_certified_us", microseconds(frame.certified)},
                           {"frame_image_space_us", microseconds(frame.image)}});
  }
  out["crowd"] = Json::array();
  for (const selftest::CrowdRows& row : gl.crowd) {
    out["crowd"].push_back(
        {{"avatars", row.avatars}, {"frame_certified_us", microseconds(row.certified)}});
  }
  return out;
}

}  // namespace

std::string selftest_json(const SelftestReport& r) {
  Json out{{"format", "tocsin.selftest.v1"},
           {"version", kVersion},
           {"machine", base::valid_utf8(r.machine)}};
  out["seconds"] = r.seconds;
  out["used_seconds"] = r.used;
  out["finished"] = r.finished;
  out["holds"] = r.holds();
  out["differs"] = r.differs();
  out["devices"] = Json::array();
  for (const std::string& device : r.devices) out["devices"].push_back(base::valid_utf8(device));
  out["absent"] = Json::array();
  for (const MissingBackend& m : r.missing) {
    out["absent"].push_back({{"backend", m.name}, {"reason", base::valid_utf8(m.reason)}});
  }
  out["kinds_of_cases"] = r.kinds;
  out["not_reached"] = r.not_reached;
  out["cases"] = Json::array();
  for (const selftest::CaseResult& c : r.cases) out["cases"].push_back(json_of(c));
  out["written"] = Json::array();
  for (const WrittenCase& w : r.written) {
    out["written"].push_back({{"way", w.way},
                              {"name", w.name},
                              {"folder", base::valid_utf8(w.folder)},
                              {"avatars", w.avatars},
                              {"triangles", w.triangles}});
  }
  out["problems"] = Json::array();
  for (const std::string& problem : r.problems)
    out["problems"].push_back(base::valid_utf8(problem));
  out["cpu"] = r.cpu ? json_of(*r.cpu) : Json(nullptr);
  out["gl"] = r.gl ? json_of(*r.gl) : Json(nullptr);
  out["cuda"] = r.cuda ? json_of(*r.cuda) : Json(nullptr);
  return out.dump(1) + "\n";
}

}  // namespace tocsin::app
