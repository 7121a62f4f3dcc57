#include "bodies/bodies_run.h"

#include <algorithm>
#include <span>

#include "cpu/broadphase/interval_sweep.h"
#include "cpu/broadphase/sweep_and_prune.h"
#include "shared/timing.h"

namespace tocsin::bench {
namespace {

using core::Box;
using cpu::BodyPair;

/// Above, brute force is not waited for.
constexpr std::size_t kMostForBruteForce = 2000;

constexpr bool has_cubes(std::size_t row) { return row == kPruneCubes || row == kSweepCubes; }
constexpr bool prunes(std::size_t row) { return row == kPruneDynamic || row == kPruneCubes; }

Box box_of(const World& world, std::size_t i, bool cubes) {
  return cubes ? world.cube(i) : world.dynamic_box(i);
}

/// A broadphase at work.
struct Runner {
  explicit Runner(std::size_t which)
      : row(which),
        sweep(which == kTreeDynamic ? cpu::SweepKind::kTree : cpu::SweepKind::kFastest) {}

  std::size_t row;
  cpu::SweepAndPrune prune;
  cpu::IntervalSweep sweep;
  std::vector<Box> boxes;
  std::vector<BodyPair> brute;
  std::span<const BodyPair> pairs;
  std::array<double, 4> moments{};  ///< of the frame, microseconds

  void insert_all(const World& world) {
    for (std::size_t i = 0; i < world.size(); ++i) {
      boxes.push_back(box_of(world, i, has_cubes(row)));
      if (prunes(row)) prune.insert(boxes.back());
    }
  }

  template <bool kCubes>
  void make_boxes(const World& world) {
    for (std::size_t i = 0; i < world.size(); ++i) {
      const Box box = box_of(world, i, kCubes);
      if (prunes(row)) {
        prune.move(static_cast<cpu::BodyId>(i), box);
      } else {
        boxes[i] = box;
      }
    }
  }

  void find() {
    if (prunes(row)) {
      prune.update();
    } else if (row == kBruteDynamic) {
      brute.clear();
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
          if (!core::overlap(boxes[i], boxes[j])) continue;
          brute.push_back({static_cast<cpu::BodyId>(i), static_cast<cpu::BodyId>(j)});
        }
      }
    } else {
      pairs = sweep.pairs(boxes);
    }
  }

  void frame(const World& world) {
    moments[0] = cpu_us();
    has_cubes(row) ? make_boxes<true>(world) : make_boxes<false>(world);
    moments[1] = cpu_us();
    find();
    moments[2] = cpu_us();
    if (prunes(row)) pairs = prune.pairs();
    if (row == kBruteDynamic) pairs = brute;
    std::int64_t sum = 0;
    for (const BodyPair& p : pairs) sum += p.second;
    bench::keep(sum);
    moments[3] = cpu_us();
  }

  void count(RowResult& out) const {
    out.pairs += static_cast<double>(pairs.size());
    if (prunes(row)) {
      const cpu::PruneCounters& c = prune.counters();
      out.swaps += static_cast<double>(c.swaps);
      out.tests += static_cast<double>(c.box_tests + c.pair_tests + c.sweep.box_tests);
      out.nodes += static_cast<double>(c.sweep.nodes);
      out.changes += static_cast<double>(c.began + c.ended);
      out.from_scratch += c.from_scratch ? 1.0 : 0.0;
    } else if (row == kBruteDynamic) {
      const double n = static_cast<double>(boxes.size());
      out.tests += n * (n - 1.0) / 2.0;
    } else {
      out.tests += static_cast<double>(sweep.counters().box_tests);
      out.nodes += static_cast<double>(sweep.counters().nodes);
    }
  }
};

struct Times {
  std::vector<double> boxes;
  std::vector<double> sort;
  std::vector<double> total;
};

bool same(const Runner& a, const Runner& b) {
  return std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end());
}

/// All broadphases along the same frames; true if they agree in each.
bool run_once(const WorldOptions& options, const BodiesPlan& plan, std::size_t rows,
              std::vector<Times>& times, std::array<RowResult, kBodiesRows>& results) {
  World world(options);
  std::vector<Runner> runners;
  for (std::size_t row = 0; row < rows; ++row) runners.emplace_back(row);
  for (Runner& r : runners) r.insert_all(world);
  bool equal = true;
  for (std::size_t frame = 0; frame < plan.warm_frames + plan.frames; ++frame) {
    world.advance();
    for (Runner& r : runners) {
      r.frame(world);
      if (frame < plan.warm_frames) continue;
      times[r.row].boxes.push_back(r.moments[1] - r.moments[0]);
      times[r.row].sort.push_back(r.moments[2] - r.moments[1]);
      times[r.row].total.push_back(r.moments[3] - r.moments[0]);
      r.count(results[r.row]);
    }
    equal = equal && same(runners[kPruneDynamic], runners[kSweepDynamic]) &&
            same(runners[kPruneCubes], runners[kSweepCubes]) &&
            same(runners[kPruneDynamic], runners[kTreeDynamic]) &&
            (rows <= kBruteDynamic || same(runners[kPruneDynamic], runners[kBruteDynamic]));
  }
  return equal;
}

}  // namespace

BodiesCase run_bodies(const WorldOptions& world, const BodiesPlan& plan) {
  BodiesCase out;
  out.world = world;
  const std::size_t rows =
      world.bodies <= kMostForBruteForce ? std::size_t{kBodiesRows} : std::size_t{kBruteDynamic};
  std::vector<Times> times(rows);
  for (std::size_t pass = 0; pass < plan.passes; ++pass) {
    out.equal = run_once(world, plan, rows, times, out.rows) && out.equal;
  }
  const double frames = static_cast<double>(plan.frames * plan.passes);
  for (std::size_t row = 0; row < rows; ++row) {
    RowResult& r = out.rows[row];
    r.ran = true;
    r.boxes_us = figures_of(times[row].boxes).median;
    r.sort_us = figures_of(times[row].sort).median;
    const Figures total = figures_of(times[row].total);
    r.total_us = total.median;
    r.p90_us = total.p90;
    for (double* const sum :
         {&r.pairs, &r.swaps, &r.tests, &r.nodes, &r.changes, &r.from_scratch}) {
      *sum /= frames;
    }
  }
  return out;
}

}  // namespace tocsin::bench
