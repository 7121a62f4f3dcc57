#include "rooms/build_output.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace tocsin::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Bytes a triangle of paper 001 ("Memory Requirements"): 84 of vertices and indices, and 2 nodes
/// of k doubles and 12 bytes.
double paper_bytes(int k) { return 16.0 * k + 108.0; }

double each(std::size_t sum, std::size_t count) {
  return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0.0;
}

std::string milliseconds(const Figures& f) {
  return f.median > 0.0 ? fmt::format("{:.1f}", 1e3 * f.median) : "";
}

void put_table(fmt::memory_buffer& out, std::string_view title,
               const std::vector<BuildCase>& cases) {
  if (cases.empty()) return;
  const auto to = std::back_inserter(out);
  fmt::format_to(to,
                 "\n{:<38} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>5} "
                 "{:>5} {:>6} {:>6} {:>6} {:>6}\n",
                 title, "triangles", "tree 1", "tree 2", "Embree 1", "Embree 2", "ratio 1",
                 "ratio 2", "refit 1", "refit 2", "nodes", "blocks", "fill", "depth", "B/tri",
                 "paper", "N met", "B met");
  for (const BuildCase& c : cases) {
    const auto ratio = [&](int i) {
      const double r = c.times[i].ratio.median;
      return r > 0.0 ? fmt::format("{:.2f}", r) : std::string();
    };
    fmt::format_to(to,
                   "{:<38} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} "
                   "{:>5.2f} {:>5} {:>6.1f} {:>6.0f} {:>6.2f} {:>6.2f}{}\n",
                   c.room + ", " + c.kind, c.tree.triangles, milliseconds(c.times[0].tree),
                   milliseconds(c.times[1].tree), milliseconds(c.times[0].embree),
                   milliseconds(c.times[1].embree), ratio(0), ratio(1),
                   milliseconds(c.times[0].refit), milliseconds(c.times[1].refit), c.tree.nodes,
                   c.tree.blocks, each(c.tree.triangles, c.tree.blocks), c.tree.depth,
                   each(c.tree.bytes, c.tree.triangles), paper_bytes(c.k), c.nodes_met,
                   c.blocks_met, c.same ? "" : "   DIFFERS");
  }
}

Json figures_json(const Figures& f) {
  return {{"median", f.median}, {"p10", f.p10}, {"p90", f.p90}};
}

Json cases_json(const std::vector<BuildCase>& cases) {
  Json out = Json::array();
  for (const BuildCase& c : cases) {
    Json one = {{"room", c.room},
                {"kind", c.kind},
                {"k", c.k},
                {"width", c.width},
                {"rule", c.rule},
                {"triangles", c.tree.triangles},
                {"passes", c.passes},
                {"nodes", c.tree.nodes},
                {"blocks", c.tree.blocks},
                {"triangles_per_block", each(c.tree.triangles, c.tree.blocks)},
                {"depth", c.tree.depth},
                {"bytes_per_triangle", each(c.tree.bytes, c.tree.triangles)},
                {"paper_bytes_per_triangle", paper_bytes(c.k)},
                {"nodes_met", c.nodes_met},
                {"blocks_met", c.blocks_met},
                {"same", c.same}};
    for (int i = 0; i < 2; ++i) {
      const BuildTimes& t = c.times[i];
      Json times = {{"tree_seconds", figures_json(t.tree)},
                    {"refit_seconds", figures_json(t.refit)}};
      if (t.embree.median > 0.0) {
        times["embree_seconds"] = figures_json(t.embree);
        times["embree_over_tree"] = figures_json(t.ratio);
      }
      one[i == 0 ? "one_thread" : "two_threads"] = std::move(times);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string build_text(const BuildReport& r) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "bench/build: from an environment to its tree\n\n{}", machine_text(r.machine));
  if (r.embree.empty()) {
    fmt::format_to(to, "Embree      not found: no comparison (apt install libembree-dev)\n");
  } else {
    fmt::format_to(to, "Embree      {}, rtcCommitScene, medium quality\n", r.embree);
  }
  if (!r.has_house) {
    fmt::format_to(to, "house       not here: set TOCSIN_DATA to the folder of the test data\n");
  }
  if (r.quick) {
    fmt::format_to(to, "\nQUICK RUN: too small and too few passes for figures to be quoted\n");
  }
  put_table(out, "rooms; milliseconds, 1 and 2 threads", r.rooms);
  put_table(out, "kinds of trees", r.kinds);
  put_table(out, "rules", r.rules);
  fmt::format_to(
      to,
      "\ntree: KdopTree's constructor. Medians over the passes; in a pass all columns run in turn. "
      "One thread: processor time; two: by\nthe clock on the wall. ratio: Embree / tree, median "
      "over "
      "the passes: above 1, the tree is built faster. fill: triangles per\nblock of 8. paper: "
      "bytes "
      "per triangle of paper 001, 16 k + 108. N met, B met: surfaces of all nodes' and blocks' "
      "boxes "
      "over\nthe root's: how many of them a small query meets.\n");
  return to_string(out);
}

std::string build_json(const BuildReport& r) {
  Json out = json_head("tocsin.bench.build.v1", r.quick, r.machine);
  out["embree"] = r.embree;
  out["rooms"] = cases_json(r.rooms);
  out["kinds"] = cases_json(r.kinds);
  out["rules"] = cases_json(r.rules);
  return out.dump(1) + "\n";
}

}  // namespace tocsin::bench
