// bench_build: how long an environment takes to its tree, beside Embree on the same triangles in
// the same run; and how large and how good the tree is. docs/trees.md explains the figures.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "make/make.h"
#include "papers/paper_trees.h"
#include "rooms/build_output.h"
#include "rooms/embree_build.h"
#include "scene/tree/tree_parallel.h"
#include "shared/files.h"
#include "shared/loading_files.h"
#include "shared/options.h"
#include "shared/timing.h"
#include "tocsin/io.h"

namespace tocsin::bench {
namespace {

namespace fs = std::filesystem;
using papers::AxisRule;
using papers::BuildRules;
using papers::SplitPoint;

struct Room {
  std::string name;
  Environment environment;
  std::size_t passes = 1;
};

/// The same seed as the rooms of the other benches.
constexpr std::uint64_t kSeed = 1;

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

double surface(const core::Box& b) {
  const double x = static_cast<double>(b.hi.x) - static_cast<double>(b.lo.x);
  const double y = static_cast<double>(b.hi.y) - static_cast<double>(b.lo.y);
  const double z = static_cast<double>(b.hi.z) - static_cast<double>(b.lo.z);
  return x * y + y * z + z * x;
}

template <int K, int W>
void measure_surfaces(const scene::KdopTree<K, W>& tree, BuildCase& c) {
  const double root = surface(tree.bounds());
  if (!(root > 0.0)) return;
  c.nodes_met = 1.0;
  for (const auto& node : tree.nodes()) {
    for (int i = 0; i < W && node.child[i] != scene::kNone; ++i) {
      const core::Box box{{node.lo[0][i], node.lo[1][i], node.lo[2][i]},
                          {node.hi[0][i], node.hi[1][i], node.hi[2][i]}};
      const bool leaf = (node.child[i] & scene::kLeafBit) != 0;
      (leaf ? c.blocks_met : c.nodes_met) += surface(box) / root;
    }
  }
}

std::string name_of(const BuildRules& options) {
  static constexpr const char* kRules[] = {"min sum", "min max", "splatter", "longest side", "sah"};
  const std::string rule = kRules[static_cast<std::size_t>(options.rule)];
  if (options.rule == AxisRule::kSah) return rule;
  return rule + (options.split == SplitPoint::kMean ? ", mean" : ", median");
}

/// Microseconds of processor time that the whole process has used: what one thread does is timed
/// with it, as on a machine that also does other work only that repeats. (Embree's one thread need
/// not be the one that calls.)
double process_us() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// What was timed in the passes, with one number of threads.
struct Seconds {
  std::vector<double> tree, refit, embree, ratio;
};

template <int K, int W>
BuildCase measure(const Room& room, BuildRules options, bool with_embree) {
  BuildCase c;
  c.room = room.name;
  c.k = K;
  c.width = W;
  c.rule = name_of(options);
  c.kind = fmt::format("{}-DOP, {}, {}", K, W, c.rule);
  c.passes = room.passes;
  Seconds seconds[2];
  for (std::size_t pass = 0; pass < room.passes; ++pass) {
    std::optional<scene::KdopTree<K, W>> first;
    for (const int threads : {1, 2}) {
      Seconds& s = seconds[threads - 1];
      options.threads = threads;
      double (*const clock)() = threads == 1 ? process_us : now_us;
      const double begin = clock();
      scene::KdopTree<K, W> tree = papers::build_tree<K, W>(room.environment, options);
      s.tree.push_back(1e-6 * (clock() - begin));
      scene::with_threads(threads, [&] {
        const double refit_begin = clock();
        tree.refit(room.environment);
        s.refit.push_back(1e-6 * (clock() - refit_begin));
      });
      if (pass == 0 && threads == 1) {
        c.tree = tree.statistics();
        measure_surfaces(tree, c);
        first = std::move(tree);
      } else if (pass == 0) {
        c.same =
            same_bytes(first->nodes(), tree.nodes()) && same_bytes(first->blocks(), tree.blocks());
        first.reset();
      }
      if (!with_embree) continue;
      if (const std::optional<double> embree = embree_seconds(room.environment, threads, clock)) {
        s.embree.push_back(*embree);
        s.ratio.push_back(*embree / s.tree.back());
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    c.times[i] = {figures_of(std::move(seconds[i].tree)), figures_of(std::move(seconds[i].refit)),
                  figures_of(std::move(seconds[i].embree)),
                  figures_of(std::move(seconds[i].ratio))};
  }
  return c;
}

template <int K>
void measure_widths(const Room& room, std::vector<BuildCase>& to) {
  to.push_back(measure<K, 2>(room, {}, false));
  to.push_back(measure<K, 4>(room, {}, false));
  to.push_back(measure<K, 8>(room, {}, false));
}

void measure_kinds(const Room& room, std::vector<BuildCase>& to) {
  measure_widths<6>(room, to);
  measure_widths<14>(room, to);
  measure_widths<18>(room, to);
  measure_widths<26>(room, to);
}

void measure_rules(const Room& room, std::vector<BuildCase>& to) {
  for (const AxisRule rule :
       {AxisRule::kMinSum, AxisRule::kMinMax, AxisRule::kSplatter, AxisRule::kLongestSide}) {
    for (const SplitPoint split : {SplitPoint::kMean, SplitPoint::kMedian}) {
      to.push_back(measure<6, 8>(room, {.rule = rule, .split = split}, false));
    }
  }
  to.push_back(measure<6, 8>(room, {}, false));
}

/// Passes over a room of so many triangles: a few seconds' worth.
std::size_t passes_for(const Options& options, std::size_t triangles) {
  if (options.passes > 0) return options.passes;
  if (options.quick) return 1;
  return triangles > 5'000'000 ? 3 : triangles > 500'000 ? 9 : 21;
}

int run(const Options& options) {
  BuildReport report;
  report.machine = this_machine();
  report.quick = options.quick;
  report.embree = embree_version();
  std::error_code ignored;
  report.has_house = fs::exists(house_file(), ignored);
  std::optional<Room> plain;  // where kinds and rules are compared
  if (report.has_house) {
    const Result<Environment> house = load_environment(house_file());
    if (house.ok()) {
      plain = {"small_house", *house, passes_for(options, house->triangles().size())};
      report.rooms.push_back(measure<6, 8>(*plain, {}, true));
    }
  }
  const std::vector<std::uint64_t> sizes =
      options.quick ? std::vector<std::uint64_t>{20'000}
                    : std::vector<std::uint64_t>{156'000, 2'500'000, 10'000'000};
  for (const std::uint64_t size : sizes) {
    const Result<Environment> made = make_room({size, kSeed});
    if (!made.ok()) {
      fmt::print(stderr, "error: {}\n", made.error().message);
      return 4;
    }
    const Room room{"made", *made, passes_for(options, size)};
    report.rooms.push_back(measure<6, 8>(room, {}, true));
    if (report.kinds.empty()) measure_kinds(room, report.kinds);
    if (!plain) plain = room;
  }
  measure_rules(*plain, report.rules);
  const std::string text = build_text(report);
  bool same = true;
  for (const auto* cases : {&report.rooms, &report.kinds, &report.rules}) {
    same = same && std::ranges::all_of(*cases, &BuildCase::same);
  }
  return finish({"build", text, build_json(report)}, options, report.machine, same,
                "two threads built another tree than one (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"How long an environment takes to its tree, beside Embree where that is installed. Exit "
       "status 1: the tree depends on the number of threads.",
       "Small rooms, one pass: shows that it runs, not how fast",
       "Passes over every room (21, 9 or 3, by size)"},
      tocsin::bench::run);
}
