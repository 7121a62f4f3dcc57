// bench_shapes: what links with meshes cost: two bodies that tumble past and into each other, a
// person of meshes in a house, and many convex bodies. docs/exact.md, "Two trees".
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bodies/shapes_against.h"
#include "selftest/scenes/hard_meshes.h"
#include "selftest/scenes/moving_meshes.h"
#include "shared/files.h"
#include "shared/inputs.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "shared/timing.h"
#include "tocsin/crowd.h"

namespace tocsin::bench {
namespace {

/// What a scene costs, microseconds a step (of all bodies together), and what is found in it.
struct Row {
  std::string name;
  std::size_t triangles = 0;  ///< of one body
  std::size_t steps = 0;
  std::size_t touching = 0;  ///< steps with a contact
  Figures times;
  double most = 0.0;
  double nodes = 0.0;        ///< volumes tested a step: pairs of nodes, and of the room's tree
  double looked = 0.0;       ///< pairs of features a step
  double evaluations = 0.0;  ///< a step
  /// Of hard scenes: milliseconds from a request to stop, made 5 ms after the start, until the
  /// answer; none: it was there before.
  std::optional<double> stop_ms = {};
};

/// The least of `passes` runs of each step: what it costs without the machine's other work.
template <class Check>
Row measure(std::string name, std::size_t steps, std::size_t passes, const Check& check) {
  Row row;
  row.name = std::move(name);
  row.steps = steps;
  std::vector<double> times(steps, HUGE_VAL);
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < steps; ++i) {
      const double begin = now_us();
      const std::vector<StepReport> reports = check(i);
      times[i] = std::min(times[i], now_us() - begin);
      if (pass > 0) continue;
      bool touches = false;
      for (const StepReport& r : reports) {
        touches = touches || !r.contacts.empty();
        row.nodes += static_cast<double>(r.counters.volume_tests) / static_cast<double>(steps);
        row.looked += static_cast<double>(r.counters.candidates) / static_cast<double>(steps);
        row.evaluations += static_cast<double>(r.counters.evaluations) / static_cast<double>(steps);
      }
      if (touches) ++row.touching;
    }
  }
  row.most = *std::max_element(times.begin(), times.end());
  row.times = figures_of(std::move(times));
  return row;
}

Row measure_bodies(const std::string& name, const selftest::MeshScene& scene, std::size_t passes) {
  const Detector detector = Detector::make(Environment(), {.threads = 1}).value();
  Crowd crowd(detector, scene.members);
  Row row = measure(name, scene.steps.size(), passes, [&](std::size_t i) {
    return crowd.check(scene.steps[i], {.meet = true, .threads = 1});
  });
  row.triangles = scene.members.front().avatar.links()[0].shape.features().size();
  return row;
}

/// How long a check goes on after it was asked to stop.
std::optional<double> stop_time(const selftest::MeshScene& scene) {
  const Detector detector = Detector::make(Environment(), {.threads = 1}).value();
  std::stop_source stop;
  std::atomic<double> asked = HUGE_VAL;
  const std::jthread asks([&](const std::stop_token& ended) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (ended.stop_requested()) return;
    asked = now_us();
    stop.request_stop();
  });
  const auto reports = detector.check_batch(scene.members, scene.steps[0],
                                            {.meet = true, .threads = 1, .stop = stop.get_token()});
  if (!reports[0].error) return std::nullopt;
  return 1e-3 * (now_us() - asked);
}

/// What costs the search of two trees the most. Looked at once each.
template <class Add>
void add_hard(bool quick, const Add& add) {
  const std::size_t teeth = quick ? 100 : 10'000;
  const double gap = selftest::gap_of_combs();
  add(fmt::format("combs of {} teeth, free", teeth), [&] {
    return selftest::two_combs({teeth, 0.9 * gap});
  });
  add(fmt::format("combs of {} teeth, touching", teeth), [&] {
    return selftest::two_combs({teeth, 2.0 * gap});
  });
  const int rows = quick ? 4 : 32;
  add("sheets in one plane", [&] { return selftest::two_sheets(rows); });
  const std::size_t soup = quick ? 1'000 : 1'000'000;
  add(fmt::format("soups of {}, sparse", soup), [&] { return selftest::two_soups({soup, 0.01}); });
  add(fmt::format("soups of {}, dense", soup), [&] { return selftest::two_soups({soup, 1.0}); });
}

/// Which scenes are measured.
struct Wanted {
  std::string only;  ///< part of their names; empty: all
  [[nodiscard]] bool operator()(const std::string& name) const {
    return name.find(only) != std::string::npos;
  }
};

void measure_person(const Inputs& inputs, const Wanted& wanted, std::size_t passes,
                    std::vector<Row>& rows) {
  const Detector detector = Detector::make(inputs.environment, {.threads = 1}).value();
  const Avatar body = selftest::meshed(inputs.avatar, 2000);
  for (const Case& c : inputs.cases) {
    for (const Avatar* avatar : {&inputs.avatar, &body}) {
      Stream stream(detector, {*avatar, {}, {}});
      const bool shaped = avatar == &body;
      const std::string name = fmt::format("{} ({})", c.name, shaped ? "meshes" : "capsules");
      if (!wanted(name)) continue;
      Row row = measure(name, c.steps.size(), passes, [&](std::size_t i) {
        return std::vector<StepReport>{stream.check(c.steps[i])};
      });
      if (shaped) row.triangles = body.links()[0].shape.features().size();
      rows.push_back(std::move(row));
    }
  }
}

std::vector<Row> measure_all(const Options& options, const Wanted& wanted) {
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 5;
  const bool quick = options.quick;
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const auto& make) {
    if (wanted(name)) rows.push_back(measure_bodies(name, make(), passes));
  };
  const selftest::WavyBall fine{quick ? 20 : 188, quick ? 20 : 188, 0.5, 0.1};
  const selftest::WavyBall coarse{quick ? 6 : 32, quick ? 6 : 32, 0.5, 0.1};
  const std::size_t steps = quick ? 30 : 600;
  add("fine, into each other", [&] {
    return selftest::two_bodies({selftest::wavy_ball(fine), 0.85, 1.35, 10, steps});
  });
  add("fine, a tenth apart", [&] {
    return selftest::two_bodies({selftest::wavy_ball(fine), 1.2, 1.2, 10, steps});
  });
  add("coarse, into each other", [&] {
    return selftest::two_bodies({selftest::wavy_ball(coarse), 0.85, 1.35, 10, steps});
  });
  for (const std::size_t n : {100U, 1000U, 10000U}) {
    if (quick && n > 100) continue;
    add(fmt::format("{} convex bodies at 5 %", n), [&] {
      return selftest::many_bodies(n, 0.05, quick ? 4 : n > 1000 ? 20 : 60);
    });
  }
  add_hard(quick, [&](const std::string& name, const auto& make) {
    if (!wanted(name)) return;
    const selftest::MeshScene scene = make();
    Row row = measure_bodies(name, scene, 1);
    row.stop_ms = stop_time(scene);
    rows.push_back(std::move(row));
  });
  if (const auto inputs = load_inputs(quick)) measure_person(*inputs, wanted, passes, rows);
  return rows;
}

std::string text_of(const std::vector<Row>& rows, const Machine& machine) {
  std::string out =
      machine_text(machine) + "\nMicroseconds a step, one thread; the least of all passes.\n\n";
  out += fmt::format("  {:<36}{:>10}{:>7}{:>9}{:>12}{:>12}{:>12}{:>12}{:>10}{:>10}{:>12}{:>10}\n",
                     "scene", "triangles", "steps", "touching", "mean", "median", "p99", "most",
                     "nodes", "pairs", "evaluations", "stops, ms");
  for (const Row& r : rows) {
    out += fmt::format(
        "  "
        "{:<36}{:>10}{:>7}{:>9}{:>12.1f}{:>12.1f}{:>12.1f}{:>12.1f}{:>10.1f}{:>10.1f}{:>12.1f}{:>"
        "10}\n",
        r.name, r.triangles, r.steps, r.touching, r.times.mean, r.times.median, r.times.p99, r.most,
        r.nodes, r.looked, r.evaluations, r.stop_ms ? fmt::format("{:.1f}", *r.stop_ms) : "");
  }
  return out;
}

std::string json_of(const std::vector<Row>& rows, const std::vector<AgainstRow>& against,
                    bool quick, const Machine& machine) {
  auto json = json_head("tocsin.bench.shapes.v1", quick, machine);
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    json["rows"].push_back({{"scene", r.name},
                            {"triangles", r.triangles},
                            {"steps", r.steps},
                            {"touching", r.touching},
                            {"mean_us", r.times.mean},
                            {"median_us", r.times.median},
                            {"p99_us", r.times.p99},
                            {"most_us", r.most},
                            {"nodes", r.nodes},
                            {"pairs", r.looked},
                            {"evaluations", r.evaluations},
                            {"stop_ms", r.stop_ms ? nlohmann::ordered_json(*r.stop_ms)
                                                  : nlohmann::ordered_json(nullptr)}});
  }
  json["against"] = json_of(against);
  return json.dump(1) + "\n";
}

int run(const Options& options, const Wanted& wanted) {
  const Machine machine = this_machine();
  const std::vector<Row> rows = measure_all(options, wanted);
  std::vector<AgainstRow> against;
  for (const AgainstScene& scene : against_scenes(options.quick)) {
    if (!wanted(scene.name)) continue;
    const std::vector<AgainstRow> more = compare(scene, options.quick);
    against.insert(against.end(), more.begin(), more.end());
  }
  const bool sound = std::all_of(rows.begin(), rows.end(), [](const Row& r) {
    return r.name.find("into") == std::string::npos || (r.touching > 0 && r.touching < r.steps);
  });
  return finish({"shapes", text_of(rows, machine) + text_of(against),
                 json_of(rows, against, options.quick, machine)},
                options, machine, sound, "the bodies touch always or never");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  tocsin::bench::Wanted wanted;
  tocsin::bench::About about{"Measures links with meshes: bodies that meet, a person in a house.",
                             "small meshes and few steps", "passes over every scene (5)"};
  about.examples = "  bench_shapes --only into --passes 1\n";
  about.more = [&](CLI::App& app) {
    app.add_option("--only", wanted.only, "Scenes whose names hold this text (all)");
  };
  return tocsin::bench::run_bench(argc, argv, about, [&](const tocsin::bench::Options& options) {
    return tocsin::bench::run(options, wanted);
  });
}
