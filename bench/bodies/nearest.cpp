// bench_nearest: two convex bodies that tumble, with memory and without, against their number of
// faces, at equal motion: Graph 2 of paper 000. docs/nearest.md.
#include "tocsin/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"

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
  return finish({"nearest", text, json.dump(1) + "\n"}, options, machine, equal,
                "answers depend on the history");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"Distances of two convex bodies that tumble. Exit status 1: answers depend on the history.",
       "Few faces, few steps: shows that it runs, not how fast", "Passes over every case (5)"},
      tocsin::bench::run);
}
