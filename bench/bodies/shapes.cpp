// bench_shapes: what links with meshes cost: two bodies that tumble past and into each other, a
// person of meshes in a house, and many convex bodies. docs/exact.md, "Two trees".
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bodies/shapes_against.h"
#include "bodies/shapes_scenes.h"
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

Row measure_bodies(const std::string& name, const BodiesScene& scene, std::size_t passes) {
  const Detector detector = Detector::make(Environment(), {.threads = 1}).value();
  Crowd crowd(detector, scene.members);
  Row row = measure(name, scene.steps.size(), passes, [&](std::size_t i) {
    return crowd.check(scene.steps[i], {.meet = true, .threads = 1});
  });
  row.triangles = scene.members.front().avatar.links()[0].shape.features().size();
  return row;
}

/// The avatar with a mesh in place of every link.
Avatar meshed(const Avatar& avatar, int triangles) {
  std::vector<Link> links;
  for (const Link& l : avatar.links()) {
    links.push_back(link_of_shape(l.name, l.joint, capsule_mesh(l.a, l.b, l.radius, triangles)));
  }
  return Avatar::create("meshed", avatar.skeleton(), std::move(links)).value();
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
  const Avatar body = meshed(inputs.avatar, 2000);
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
  const WavyBall fine{quick ? 20 : 188, quick ? 20 : 188, 0.5, 0.1};
  const WavyBall coarse{quick ? 6 : 32, quick ? 6 : 32, 0.5, 0.1};
  const std::size_t steps = quick ? 30 : 600;
  add("fine, into each other", [&] {
    return two_bodies({wavy_ball(fine), 0.85, 1.35, 10, steps});
  });
  add("fine, a tenth apart", [&] { return two_bodies({wavy_ball(fine), 1.2, 1.2, 10, steps}); });
  add("coarse, into each other", [&] {
    return two_bodies({wavy_ball(coarse), 0.85, 1.35, 10, steps});
  });
  for (const std::size_t n : {100U, 1000U, 10000U}) {
    if (quick && n > 100) continue;
    add(fmt::format("{} convex bodies at 5 %", n), [&] {
      return many_bodies(n, 0.05, quick ? 4 : n > 1000 ? 20 : 60);
    });
  }
  if (const auto inputs = load_inputs(quick)) measure_person(*inputs, wanted, passes, rows);
  return rows;
}

std::string text_of(const std::vector<Row>& rows, const Machine& machine) {
  std::string out =
      machine_text(machine) + "\nMicroseconds a step, one thread; the least of all passes.\n\n";
  out += fmt::format("  {:<36}{:>10}{:>7}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}\n",
                     "scene", "triangles", "steps", "touching", "mean", "median", "p99", "most",
                     "nodes", "pairs", "evaluations");
  for (const Row& r : rows) {
    out += fmt::format(
        "  {:<36}{:>10}{:>7}{:>9}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>12.1f}\n",
        r.name, r.triangles, r.steps, r.touching, r.times.mean, r.times.median, r.times.p99, r.most,
        r.nodes, r.looked, r.evaluations);
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
                            {"evaluations", r.evaluations}});
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
