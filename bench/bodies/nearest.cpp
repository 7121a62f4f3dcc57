// bench_nearest: two convex bodies that tumble, with memory and without, against their number of
// faces, at equal motion: Graph 2 of paper 000. And all objects within a distance of an avatar's
// poses. docs/nearest.md.
#include "tocsin/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shared/files.h"
#include "shared/inputs.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "tocsin/detector.h"

namespace tocsin::bench {
namespace {

struct Row {
  std::size_t faces = 0;
  double with_us = 0.0;
  double without_us = 0.0;
  double rounds = 0.0;
  double steps = 0.0;          ///< of the walks, a question
  double steps_without = 0.0;  ///< the same without memory
  bool equal = true;           ///< the answers are
};

/// A ball of radius 0.5 m with corners on a spiral, which spreads them evenly.
ConvexBody ball_of(std::size_t faces) {
  const std::size_t corners = faces / 2 + 2;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < corners; ++i) {
    const double y = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(corners);
    const double r = std::sqrt(1.0 - y * y);
    const double turn = 2.399963229728653 * static_cast<double>(i);
    points.push_back({0.5 * r * std::cos(turn), 0.5 * y, 0.5 * r * std::sin(turn)});
  }
  return ConvexBody::make(Shape::convex(points).value()).value();
}

/// A step turns the bodies by one and 0.7 degrees, and moves the second by up to 5 mm.
std::vector<std::array<Transform, 2>> places_of(std::size_t steps) {
  std::vector<std::array<Transform, 2>> out;
  for (std::size_t i = 0; i < steps; ++i) {
    const double a = 0.5 * 3.14159265358979 / 180.0 * static_cast<double>(i);
    const double b = 0.7 * a;
    out.push_back({{{{std::cos(a), 0.6 * std::sin(a), 0.0, 0.8 * std::sin(a)}, {}},
                    {{std::cos(b), 0.0, std::sin(b), 0.0},
                     {1.3 + 0.2 * std::sin(0.5 * a), 0.3 * std::sin(a), 0.3 * std::cos(a)}}}});
  }
  return out;
}

Row run_case(std::size_t faces, std::size_t steps, std::size_t passes) {
  const ConvexBody first = ball_of(faces);
  const ConvexBody second = ball_of(faces);
  const auto places = places_of(steps);
  Row row{first.faces().size(), HUGE_VAL, HUGE_VAL, 0.0, 0.0, 0.0, true};
  std::vector<double> answers(steps);
  for (std::size_t pass = 0; pass < 2 * passes; ++pass) {
    const bool forgets = pass % 2 == 1;
    ConvexPair pair(first, second);
    double rounds = 0.0;
    double walked = 0.0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < steps; ++i) {
      if (forgets) pair.forget();
      const double distance = pair.nearest(places[i][0], places[i][1]).value().distance;
      if (pass > 0 && answers[i] != distance) row.equal = false;
      answers[i] = distance;
      rounds += pair.work().rounds;
      walked += pair.work().steps;
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    const auto count = static_cast<double>(steps);
    double& best = forgets ? row.without_us : row.with_us;
    best = std::min(best, took.count() / count);
    (forgets ? row.steps_without : row.steps) = walked / count;
    row.rounds = rounds / count;
  }
  return row;
}

/// All objects within a distance of the poses of a case.
struct PoseRow {
  std::string name;
  double within = 0.0;  ///< metres
  std::size_t poses = 0;
  double pairs = 0.0;  ///< of a link and an object, a pose
  double us = 0.0;     ///< microseconds a pose, of the fastest pass
  bool equal = true;   ///< the first pose's are those that Detector::depth tells of all pairs
};

/// Whether Detector::depth tells the same of every pair that is told, and of every `stride`-th
/// object with any link.
bool all_depths_agree(const Detector& detector, const Avatar& avatar, const Step& step,
                      double within, std::uint32_t stride) {
  std::set<std::pair<std::int32_t, std::uint32_t>> told;
  const auto distances = detector.nearest(avatar, step, 0.0, within).value();
  for (const LinkDistance& one : distances) {
    const Depth depth = detector.depth(avatar, step, 0.0, one.link, one.nearest.object).value();
    if (one.distance != -depth.depth || one.nearest.triangle != depth.triangle) return false;
    told.emplace(one.link, one.nearest.object);
  }
  const std::span<const Object> objects = detector.environment().objects();
  for (std::uint32_t o = 0; o < objects.size(); o += stride) {
    if (objects[o].triangle_count == 0) continue;
    for (std::int32_t l = 0; l < static_cast<std::int32_t>(avatar.links().size()); ++l) {
      const double depth = detector.depth(avatar, step, 0.0, l, o).value().depth;
      if ((-depth <= within) != told.contains({l, o})) return false;
    }
  }
  return true;
}

PoseRow pose_row(const Detector& detector, const Avatar& avatar, const Case& of, double within,
                 const Options& options, std::size_t passes) {
  PoseRow row{of.name, within, of.steps.size(), 0.0, HUGE_VAL, true};
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::size_t pairs = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Step& step : of.steps) {
      pairs += detector.nearest(avatar, step, 0.0, within).value().size();
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    const auto count = static_cast<double>(of.steps.size());
    row.us = std::min(row.us, took.count() / count);
    row.pairs = static_cast<double>(pairs) / count;
  }
  // All pairs of a house cost seconds, of which a test of the bench has none.
  row.equal = all_depths_agree(detector, avatar, of.steps.front(), within, options.quick ? 16 : 1);
  return row;
}

/// Adds them to the text and the JSON. False: answers differ.
bool add_poses(const Options& options, std::size_t passes, std::string& text,
               nlohmann::ordered_json& json) {
  const Inputs inputs = load_inputs(options.quick).value();
  const Detector detector = Detector::make(inputs.environment).value();
  text += fmt::format("\nAll objects within a distance of a pose: {} of {} in {}, {} triangles\n\n",
                      inputs.avatar.name(), inputs.motion, inputs.room,
                      inputs.environment.triangles().size());
  text += fmt::format("{:<24}{:>10}{:>9}{:>14}{:>14}\n", "case", "within", "poses", "pairs a pose",
                      "a pose");
  bool equal = true;
  for (const Case& of : inputs.cases) {
    for (const double within : {0.1, 0.5}) {
      const PoseRow r = pose_row(detector, inputs.avatar, of, within, options, passes);
      equal = equal && r.equal;
      text += fmt::format("{:<24}{:>8.1f} m{:>9}{:>14.1f}{:>11.1f} us\n", r.name, r.within, r.poses,
                          r.pairs, r.us);
      json["poses"].push_back({{"case", r.name},
                               {"within_m", r.within},
                               {"poses", r.poses},
                               {"pairs", r.pairs},
                               {"us", r.us},
                               {"equal", r.equal}});
    }
  }
  return equal;
}

int run(const Options& options) {
  const Machine machine = this_machine();
  const std::size_t steps = options.quick ? 100 : 2000;
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 5;
  std::string text =
      "bench/nearest: two convex bodies that tumble, against their number of faces\n\n";
  text += machine_text(machine);
  if (options.quick) text += "\nQUICK RUN: too small and too few passes for figures to be quoted\n";
  text += fmt::format("\n{:>8}{:>14}{:>14}{:>9}{:>14}{:>14}\n", "faces", "with memory", "without",
                      "rounds", "steps with", "steps without");
  auto json = json_head("tocsin.bench.nearest.v1", options.quick, machine);
  bool equal = true;
  for (const std::size_t faces : {20U, 60U, 200U, 600U, 2000U, 6000U, 20000U}) {
    if (options.quick && faces > 600) continue;
    const Row r = run_case(faces, steps, passes);
    equal = equal && r.equal;
    text += fmt::format("{:>8}{:>11.3f} us{:>11.3f} us{:>9.1f}{:>14.1f}{:>14.1f}\n", r.faces,
                        r.with_us, r.without_us, r.rounds, r.steps, r.steps_without);
    json["cases"].push_back({{"faces", r.faces},
                             {"with_us", r.with_us},
                             {"without_us", r.without_us},
                             {"rounds", r.rounds},
                             {"steps", r.steps},
                             {"steps_without", r.steps_without},
                             {"equal", r.equal}});
  }
  text +=
      "\nTimes are those of a question, of the fastest of the passes. A step turns one body by 1 "
      "degree, the\nother by 0.7. Rounds: directions that are asked for. Steps: from corner to "
      "corner, of both bodies.\n";
  equal = add_poses(options, passes, text, json) && equal;
  return finish({"nearest", text, json.dump(1) + "\n"}, options, machine, equal,
                "answers depend on the history, or are not those of Detector::depth");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"Distances of two convex bodies that tumble, and of an avatar's poses from all objects "
       "within a distance. Exit status 1: answers depend on the history, or differ.",
       "Few faces, few steps: shows that it runs, not how fast", "Passes over every case (5)"},
      tocsin::bench::run);
}
