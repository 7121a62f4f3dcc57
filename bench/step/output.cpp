#include "step/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace tocsin::bench {

namespace {

using Json = nlohmann::ordered_json;
using Out = fmt::memory_buffer;

template <class... Args>
void put(Out& out, fmt::format_string<Args...> text, Args&&... args) {
  fmt::format_to(std::back_inserter(out), text, std::forward<Args>(args)...);
}

/// A row of the main paper's Table 1 that the CPU does.
struct PaperRow {
  const char* text;
  Row row;
  int microseconds;  ///< 2.4 GHz Pentium IV, average, 16 links, a house of several 100,000
                     ///< triangles
};
constexpr PaperRow kTable1[] = {
    {"Position update", kPosition, 15},
    {"Motion parameters update", kMotion, 20},
    {"Swept AABBs update (all links), interval matrices as there", kInterval, 50},
    {"Swept AABBs update (all links), chord bound", kBounds, 50},
    {"AABB culling (all links)", kCulling, 20},
};

void put_head(Out& out, const Report& r) {
  put(out, "bench/step: one step of an avatar, from two local poses to contacts\n\n");
  put(out, "{}", machine_text(r.machine));
  put(out, "motion      {}{}\n", r.inputs->motion,
      r.inputs->recorded ? "" : "   (the test data is not here: set TOCSIN_DATA)");
  put(out, "room        {}: {} objects, {} triangles; tree built in {:.0f} ms\n", r.inputs->room,
      r.inputs->environment.objects().size(), r.inputs->environment.triangles().size(),
      1e3 * r.tree_seconds);
  put(out, "avatar      {}: {} links, {} joints\n", r.inputs->avatar.name(),
      r.inputs->avatar.links().size(), r.inputs->avatar.skeleton().size());
  put(out, "in-between  screw; one thread unless said otherwise{}\n",
      r.quick ? "\n\nQUICK RUN: too few steps and passes for figures to be quoted" : "");
}

void put_row(Out& out, const CaseReport& c, Row row, double links) {
  const Figures f = c.result.samples.along_take(row);
  const Figures p = c.result.samples.along_passes(row);
  put(out, "  {:<48} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>9.0f} {:>7.1f}%\n",
      kRowTexts[row].text, f.median, f.p10, f.p90, f.p99, f.mean, 1e3 * f.mean / links,
      p.median > 0.0 ? 50.0 * (p.p90 - p.p10) / p.median : 0.0);
}

void put_case(Out& out, const Report& r, const CaseReport& c) {
  const auto links = static_cast<double>(r.inputs->avatar.links().size());
  const CaseResult& x = c.result;
  put(out, "\n{}: {}; {} steps, {} passes\n", c.which->name, c.which->what, x.steps, x.passes);
  put(out, "  {:<48} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8}\n", "microseconds per step",
      "median", "p10", "p90", "p99", "mean", "ns/link", "repeats");
  for (const Row row :
       {kPosition, kCoarse, kNear, kCulling, kCertify, kStep, kStream, kReference}) {
    put_row(out, c, row, links);
  }
  for (const Row row : {kStep, kStream}) {
    const Figures ratio = x.samples.ratio(kReference, row);
    put(out, "  reference / {}: {:.2f} ({:.2f} to {:.2f})\n",
        row == kStep ? "Detector::check" : "Stream::check  ", ratio.median, ratio.p10, ratio.p90);
  }
  put(out,
      "  per step: {:.2f} candidates, {:.2f} evaluations (reference: {:.2f} and {:.2f}), {:.2f} "
      "volumes tested (Stream: {:.2f}); contacts {}, of them graze {}\n",
      x.candidates, x.evaluations, x.reference_candidates, x.reference_evaluations, x.volume_tests,
      x.stream_volume_tests, x.agreement.contacts, x.agreement.grazes);
  put(out,
      "  contacts against the reference: {} and {}, differing {}, toc apart at most {:.1e}{}{}\n",
      x.agreement.contacts, x.agreement.touches, x.agreement.differing, x.agreement.worst_time,
      x.agreement.stages_equal ? "" : "; STAGES DIFFER FROM Detector::check",
      x.agreement.stream_equal ? "" : "; Stream::check DIFFERS FROM Detector::check");
  for (const ThreadsResult& t : c.threads) {
    put(out,
        "  Detector::run, {} thread{}: {:>9.0f} steps/s ({:.0f} to {:.0f}), ratio {:.2f}, of the "
        "best passes {:.2f}\n",
        t.threads, t.threads == 1 ? " " : "s", t.steps_per_second.median, t.steps_per_second.p10,
        t.steps_per_second.p90, t.speedup.median, t.best_speedup);
  }
}

void put_table1(Out& out, const Report& r) {
  const CaseReport& first = r.cases.front();
  put(out, "\nThe CPU's rows of the main paper's Table 1, averages over a take ({}):\n",
      first.which->name);
  put(out, "  {:<60} {:>10} {:>14}\n", "microseconds per step", "here", "paper 004 (*)");
  for (const PaperRow& row : kTable1) {
    put(out, "  {:<60} {:>10.2f} {:>14}\n", row.text, first.result.samples.along_take(row.row).mean,
        row.microseconds);
  }
  put(out,
      "  (*) 2.4 GHz Pentium IV PC, 16 links, an environment of hundreds of thousands of "
      "polygons;\n"
      "      other hardware, room and motion: for the scale, not a comparison of methods\n");
}

void put_volumes(Out& out, const Report& r) {
  put(out,
      "\nVolume of a link's swept bound / that of the same kind around {} sampled positions, "
      "median (p90, p99):\n",
      kSamples);
  for (const CaseReport& c : r.cases) {
    put(out, "  {}, {} links\n", c.which->name, c.volumes.links);
    for (const auto& [name, f] : c.volumes.kinds()) {
      put(out, "    {:<28} {:>8.3f} ({:.3f}, {:.3f})\n", name, f.median, f.p90, f.p99);
    }
  }
}

void put_notes(Out& out) {
  put(out,
      "\nTimes are processor time of one thread; Detector::run is by the clock on the wall.\n"
      "median, p10, p90, p99, mean: along the take, over batches of {} steps, each the median of "
      "its passes.\nns/link: of the mean. repeats: half the p10-p90 spread of whole passes, in "
      "percent of their median.\nAll rows run in turn at every batch, in one run on one machine; "
      "absolute times are this machine's.\n",
      kBatch);
}

Json figures_json(const Figures& f) {
  return {{"median", f.median}, {"p10", f.p10}, {"p90", f.p90}, {"p99", f.p99}, {"mean", f.mean}};
}

Json case_json(const CaseReport& c) {
  const CaseResult& x = c.result;
  Json rows = Json::object();
  for (std::size_t row = 0; row < kRows; ++row) {
    rows[kRowTexts[row].key] = {{"along_take", figures_json(x.samples.along_take(row))},
                                {"along_passes", figures_json(x.samples.along_passes(row))}};
  }
  Json volumes = {{"links", c.volumes.links}};
  for (const auto& [name, f] : c.volumes.kinds()) volumes[name] = figures_json(f);
  Json threads = Json::array();
  for (const ThreadsResult& t : c.threads) {
    threads.push_back({{"threads", t.threads},
                       {"steps_per_second", figures_json(t.steps_per_second)},
                       {"speedup", figures_json(t.speedup)},
                       {"best_speedup", t.best_speedup}});
  }
  return {{"name", c.which->name},
          {"what", c.which->what},
          {"steps", x.steps},
          {"passes", x.passes},
          {"microseconds_per_step", rows},
          {"reference_over_step", figures_json(x.samples.ratio(kReference, kStep))},
          {"reference_over_stream", figures_json(x.samples.ratio(kReference, kStream))},
          {"candidates_per_step", x.candidates},
          {"evaluations_per_step", x.evaluations},
          {"volume_tests_per_step", x.volume_tests},
          {"stream_volume_tests_per_step", x.stream_volume_tests},
          {"reference_candidates_per_step", x.reference_candidates},
          {"reference_evaluations_per_step", x.reference_evaluations},
          {"contacts", x.agreement.contacts},
          {"grazes", x.agreement.grazes},
          {"reference_contacts", x.agreement.touches},
          {"contacts_differing", x.agreement.differing},
          {"toc_apart", x.agreement.worst_time},
          {"volume_over_sampled", std::move(volumes)},
          {"run", threads}};
}

}  // namespace

std::string as_text(const Report& report) {
  Out out;
  put_head(out, report);
  for (const CaseReport& c : report.cases) put_case(out, report, c);
  put_table1(out, report);
  put_volumes(out, report);
  put_notes(out);
  return to_string(out);
}

std::string as_json(const Report& r) {
  Json paper = Json::array();
  for (const PaperRow& row : kTable1) {
    paper.push_back({{"row", row.text},
                     {"here_us", r.cases.front().result.samples.along_take(row.row).mean},
                     {"paper_us", row.microseconds}});
  }
  Json cases = Json::array();
  for (const CaseReport& c : r.cases) cases.push_back(case_json(c));
  Json out = json_head("tocsin.bench.step.v1", r.quick, r.machine);
  out["inputs"] = {{"motion", r.inputs->motion},
                   {"room", r.inputs->room},
                   {"avatar", r.inputs->avatar.name()},
                   {"links", r.inputs->avatar.links().size()},
                   {"triangles", r.inputs->environment.triangles().size()}};
  out["tree_seconds"] = r.tree_seconds;
  out["table_1"] = {{"case", r.cases.front().which->name},
                    {"paper_hardware", "2.4 GHz Pentium IV PC"},
                    {"rows", std::move(paper)}};
  out["cases"] = std::move(cases);
  return out.dump(1) + "\n";
}

bool agrees(const Report& report) {
  return std::all_of(report.cases.begin(), report.cases.end(), [](const CaseReport& c) {
    return c.result.agreement.stages_equal && c.result.agreement.stream_equal &&
           c.result.agreement.differing == 0;
  });
}

}  // namespace tocsin::bench
