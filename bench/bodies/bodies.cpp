// bench_bodies: the broadphases against number, density and turning of bodies: Graphs 1, 3, 5 and 6
// of paper 000. docs/many-bodies.md explains the figures.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bodies/bodies_run.h"
#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"

namespace tocsin::bench {
namespace {

struct Graph {
  std::string name;
  std::string what;
  std::vector<BodiesCase> cases;
};

struct Report {
  Machine machine;
  bool quick = false;
  BodiesPlan plan;
  std::vector<Graph> graphs;
};

std::vector<Graph> graphs_of(bool quick) {
  std::vector<Graph> out{{"bodies", "Graph 1: number of bodies", {}},
                         {"density", "Graph 3: density of bodies", {}},
                         {"turning", "Graphs 5 and 6: turning", {}},
                         {"jumps", "Not in the paper: bodies that are suddenly elsewhere", {}}};
  const auto add = [](Graph& graph, const WorldOptions& world) {
    graph.cases.emplace_back().world = world;
  };
  for (const std::size_t n : {20U, 50U, 100U, 200U, 500U, 1000U, 1500U, 2000U, 5000U, 10000U}) {
    if (!quick || n <= 200) add(out[0], {.bodies = n});
  }
  const std::size_t bodies = quick ? 100 : 1000;
  for (const double percent : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    add(out[1], {.bodies = bodies, .density = 0.01 * percent});
  }
  for (const double degrees : {0.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 90.0}) {
    add(out[2], {.bodies = bodies, .degrees = degrees});
  }
  for (const double jumps : {0.001, 0.003, 0.01, 0.03, 0.1, 1.0}) {
    add(out[3], {.bodies = bodies, .jumps = jumps});
  }
  return out;
}

std::string line_of(const RowResult& r, const char* name) {
  return fmt::format(
      "  "
      "{:<26}{:>9.1f}{:>9.1f}{:>9.1f}{:>9.1f}{:>9.0f}{:>10.0f}{:>10.0f}{:>9.0f}{:>8.1f}{:>7.2f}\n",
      name, r.boxes_us, r.sort_us, r.total_us, r.p90_us, r.pairs, r.swaps, r.tests, r.nodes,
      r.changes, r.from_scratch);
}

/// How the time grows from n bodies to m: the exponent of the power in between.
double growth(const BodiesCase& a, const BodiesCase& b, std::size_t row) {
  return std::log(b.rows[row].total_us / a.rows[row].total_us) /
         std::log(static_cast<double>(b.world.bodies) / static_cast<double>(a.world.bodies));
}

std::string growth_text(const Graph& graph) {
  std::string out;
  for (std::size_t i = 0; i + 1 < graph.cases.size(); ++i) {
    const BodiesCase& a = graph.cases[i];
    if (a.world.bodies != 1000) continue;
    for (const BodiesCase& b : graph.cases) {
      if (b.world.bodies != 2000 && b.world.bodies != 10000) continue;
      out += fmt::format("\nfrom 1,000 to {} bodies, time grows as the power\n", b.world.bodies);
      for (std::size_t row = 0; row < kBodiesRows; ++row) {
        if (!a.rows[row].ran || !b.rows[row].ran) continue;
        out += fmt::format("  {:<26}{:>6.2f}\n", kBodiesRowNames[row], growth(a, b, row));
      }
    }
  }
  return out;
}

std::string as_text(const Report& r) {
  std::string out = "bench/bodies: which boxes overlap, among many that fly and turn\n\n";
  out += machine_text(r.machine);
  if (r.quick) out += "\nQUICK RUN: too small and too few passes for figures to be quoted\n";
  out += fmt::format("frames      {} in each of {} passes, after {} that do not count\n",
                     r.plan.frames, r.plan.passes, r.plan.warm_frames);
  for (const Graph& graph : r.graphs) {
    out += fmt::format("\n{}\n", graph.what);
    for (const BodiesCase& c : graph.cases) {
      out += fmt::format(
          "\n{} bodies, {:g} % of the volume, {:g} degrees and {:g} % of the radius a frame{}{}\n",
          c.world.bodies, 100.0 * c.world.density, c.world.degrees, c.world.percent,
          c.world.jumps > 0.0 ? fmt::format("; {:g} % jump", 100.0 * c.world.jumps) : "",
          c.equal ? "" : "; PAIRS DIFFER");
      out += fmt::format("  {:<26}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}{:>10}{:>9}{:>8}{:>7}\n",
                         "microseconds a frame", "boxes", "sort", "total", "p90", "pairs", "swaps",
                         "tests", "nodes", "changes", "anew");
      for (std::size_t row = 0; row < kBodiesRows; ++row) {
        if (c.rows[row].ran) out += line_of(c.rows[row], kBodiesRowNames[row]);
      }
    }
    if (graph.name == "bodies") out += growth_text(graph);
  }
  out +=
      "\nTimes are medians over frames of one thread's processor time: boxes made and handed "
      "over; sorted\nand pairs found; both, and the pairs read; and the total's 90th percentile. "
      "Counts are means a frame:\npairs of boxes that overlap; end points exchanged; pairs of "
      "boxes compared; nodes of the interval tree\nlooked at; pairs that began or ended; share "
      "of frames that sweep and prune did from scratch.\n";
  return out;
}

std::string as_json(const Report& r) {
  using Json = nlohmann::ordered_json;
  Json out = json_head("tocsin.bench.bodies.v1", r.quick, r.machine);
  for (const Graph& graph : r.graphs) {
    Json cases = Json::array();
    for (const BodiesCase& c : graph.cases) {
      Json one = {{"bodies", c.world.bodies},   {"density", c.world.density},
                  {"degrees", c.world.degrees}, {"percent", c.world.percent},
                  {"jumps", c.world.jumps},     {"equal", c.equal}};
      for (std::size_t row = 0; row < kBodiesRows; ++row) {
        const RowResult& f = c.rows[row];
        if (!f.ran) continue;
        one["rows"][kBodiesRowNames[row]] = {
            {"boxes_us", f.boxes_us}, {"sort_us", f.sort_us},
            {"total_us", f.total_us}, {"p90_us", f.p90_us},
            {"pairs", f.pairs},       {"swaps", f.swaps},
            {"tests", f.tests},       {"nodes", f.nodes},
            {"changes", f.changes},   {"from_scratch", f.from_scratch}};
      }
      cases.push_back(std::move(one));
    }
    out["graphs"][graph.name] = std::move(cases);
  }
  return out.dump(1) + "\n";
}

int run(const Options& options) {
  Report report{this_machine(), options.quick, {40, 5, 5}, graphs_of(options.quick)};
  if (options.quick) report.plan = {10, 2, 1};
  if (options.passes > 0) report.plan.passes = options.passes;
  bool equal = true;
  for (Graph& graph : report.graphs) {
    for (BodiesCase& c : graph.cases) {
      c = run_bodies(c.world, report.plan);
      equal = equal && c.equal;
    }
  }
  const Results results{"bodies", as_text(report), as_json(report)};
  return finish(results, options, report.machine, equal,
                "the broadphases do not find the same pairs (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"Sweep and prune, interval sweep and brute force on capsules that fly and turn. Exit status "
       "1: they do not find the same pairs.",
       "Few bodies, few frames: shows that it runs, not how fast", "Passes over every case (5)"},
      tocsin::bench::run);
}
