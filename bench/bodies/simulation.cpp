// bench_simulation: paper 000's multi-body simulation (sections 5.3 and 7). Convex polytopes fly,
// turn, bounce off walls and off each other. docs/scenes.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "make/random.h"
#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "shared/timing.h"
#include "tocsin/scene.h"

namespace tocsin::bench {
namespace {

/// What the paper varies, with its defaults (section 7).
struct Setting {
  std::size_t bodies = 1000;
  std::size_t faces = 36;
  double density = 0.01;  ///< of the cube's volume, filled by the bodies
  double degrees = 10.0;  ///< that a body turns by, each frame
  double percent = 10.0;  ///< of its radius, that a body travels each frame
};

/// Milliseconds a frame, and what happened in it.
struct Cost {
  double move = 0.0;      ///< telling the scene all places, and the snapshot
  double check = 0.0;     ///< all bodies against each other
  double worst = 0.0;     ///< of both together, the slowest frame
  double contacts = 0.0;  ///< a frame
  [[nodiscard]] double all() const { return move + check; }
};

constexpr double kRadius = 0.1;     ///< metres, of all polytopes
constexpr std::size_t kKinds = 20;  ///< different polytopes; instances share a mesh

/// The hull of points on a ball: 2 v - 4 faces of v points.
Mesh polytope(std::size_t faces, make::Random& random) {
  std::vector<Vec3> points;
  while (points.size() < faces / 2 + 2) {
    const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double length = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    if (length > 1.0 || length < 0.1) continue;
    points.push_back({kRadius / length * p.x, kRadius / length * p.y, kRadius / length * p.z});
  }
  return Mesh::of(Shape::convex(points).value()).value();
}

class Simulation {
 public:
  explicit Simulation(const Setting& setting) : random_(7), setting_(setting) {
    // A ball's volume for a polytope's, as the paper's radius is an estimate, too.
    const double volume = 4.0 / 3.0 * 3.14159265358979 * kRadius * kRadius * kRadius;
    side_ = std::cbrt(volume * static_cast<double>(setting.bodies) / setting.density);
    std::vector<Mesh> kinds;
    for (std::size_t i = 0; i < kKinds; ++i) kinds.push_back(polytope(setting.faces, random_));
    for (std::size_t i = 0; i < setting.bodies; ++i) {
      Body body;
      for (double& x : body.at) x = random_.uniform(0, side_);
      const std::array<double, 3> way = direction();
      for (std::size_t a = 0; a < 3; ++a)
        body.velocity[a] = 0.01 * setting.percent * kRadius * way[a];
      const std::array<double, 3> axis = direction();
      const double half = 0.5 * setting.degrees * 3.14159265358979 / 180.0;
      body.turn = {std::cos(half), std::sin(half) * axis[0], std::sin(half) * axis[1],
                   std::sin(half) * axis[2]};
      body.id = scene_.add("body " + std::to_string(i), kinds[i % kKinds], place_of(body)).value();
      bodies_.push_back(body);
    }
  }

  Cost frame() {
    for (Body& body : bodies_) advance(body);
    const double begin = cpu_us();
    for (const Body& body : bodies_) {
      const ShapePlacement at = place_of(body);
      if (!scene_.move(body.id, {at.rotation, at.translation}).ok()) throw std::bad_alloc();
    }
    const Detector detector = scene_.snapshot().value();
    const double moved = cpu_us();
    const std::vector<ObjectReport> reports = detector.check_objects({.threads = 1});
    Cost out;
    out.check = 1e-3 * (cpu_us() - moved);
    out.move = 1e-3 * (moved - begin);
    for (const ObjectReport& report : reports) {
      for (const Contact& c : report.report.value().contacts) {
        out.contacts += 1.0;
        // Indices are those of the bodies: none is ever removed.
        exchange(bodies_[report.object], bodies_[c.room()->object]);
      }
    }
    return out;
  }

 private:
  struct Body {
    ObjectId id{};
    std::array<double, 3> at{};
    std::array<double, 3> velocity{};
    Quat rotation;
    Quat turn;
  };

  std::array<double, 3> direction() {
    while (true) {
      const std::array<double, 3> p{random_.uniform(-1, 1), random_.uniform(-1, 1),
                                    random_.uniform(-1, 1)};
      const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      if (length > 0.1 && length <= 1.0) return {p[0] / length, p[1] / length, p[2] / length};
    }
  }
  /// Of two that touch, if they approach each other. Others have met before, and part: they would
  /// be held together.
  static void exchange(Body& a, Body& b) {
    double along = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      along += (b.at[i] - a.at[i]) * (b.velocity[i] - a.velocity[i]);
    }
    if (along < 0.0) std::swap(a.velocity, b.velocity);
  }
  void advance(Body& body) const {
    for (std::size_t a = 0; a < 3; ++a) {
      body.at[a] += body.velocity[a];
      const bool outside = body.at[a] < 0.0 || body.at[a] > side_;
      const bool leaving = (body.at[a] < 0.0) == (body.velocity[a] < 0.0);
      if (outside && leaving) body.velocity[a] = -body.velocity[a];
    }
    body.rotation = core::normalized(body.turn * body.rotation);
  }
  static ShapePlacement place_of(const Body& body) {
    return {{body.at[0], body.at[1], body.at[2]}, body.rotation};
  }

  make::Random random_;
  Setting setting_;
  double side_ = 0.0;
  Scene scene_ = Scene::make().value();
  std::vector<Body> bodies_;
};

Cost run_setting(const Setting& setting, std::size_t frames) {
  Simulation simulation(setting);
  simulation.frame();  // builds what bodies that move need
  Cost out;
  for (std::size_t i = 0; i < frames; ++i) {
    const Cost one = simulation.frame();
    out.move += one.move / static_cast<double>(frames);
    out.check += one.check / static_cast<double>(frames);
    out.contacts += one.contacts / static_cast<double>(frames);
    out.worst = std::max(out.worst, one.all());
  }
  return out;
}

/// One of the paper's graphs: what is varied, and what it costs.
struct Graph {
  std::string name;
  std::vector<double> values;
  std::function<void(Setting&, double)> set;
};

std::vector<Graph> graphs(bool quick) {
  const auto some = [&](std::vector<double> all) {
    if (quick) all.resize(2);
    return all;
  };
  return {{"bodies", some({20, 50, 100, 200, 500, 1000, 2000}),
           [](Setting& s, double v) { s.bodies = static_cast<std::size_t>(v); }},
          {"faces", some({12, 20, 36, 56, 100, 200, 500}),
           [](Setting& s, double v) { s.faces = static_cast<std::size_t>(v); }},
          {"density, %", some({0.1, 0.5, 1, 2, 3, 5, 8}),
           [](Setting& s, double v) { s.density = 0.01 * v; }},
          {"turning, degrees", some({0, 5, 10, 20, 30, 45, 60}),
           [](Setting& s, double v) { s.degrees = v; }},
          {"travel, % of the radius", some({0, 5, 10, 20, 40, 70, 100}),
           [](Setting& s, double v) { s.percent = v; }}};
}

int run(const Options& options) {
  const Machine machine = this_machine();
  const std::size_t frames = options.passes > 0 ? options.passes : options.quick ? 3 : 60;
  std::string text = machine_text(machine);
  auto json = json_head("tocsin.bench.simulation.v1", options.quick, machine);
  json["graphs"] = nlohmann::ordered_json::array();
  const auto row = [&](const std::string& of, const Cost& c) {
    text += fmt::format("{:>32} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>10.1f}\n", of, c.move,
                        c.check, c.all(), c.worst, c.contacts);
  };
  text += fmt::format(
      "\nOne core, milliseconds a frame over {} frames. Defaults: 1,000 bodies of 36 faces,\n"
      "1 % of the volume, 10 degrees and 10 % of the radius a frame.\n\n"
      "{:>32} {:>9} {:>9} {:>9} {:>9} {:>10}\n",
      frames, "", "places", "check", "all", "worst", "contacts");
  for (const Graph& graph : graphs(options.quick)) {
    text += graph.name + "\n";
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const double value : graph.values) {
      Setting setting;
      if (options.quick) setting.bodies = 50;
      graph.set(setting, value);
      const Cost c = run_setting(setting, frames);
      row(fmt::format("{:g}", value), c);
      points.push_back({{"value", value},
                        {"places_ms", c.move},
                        {"check_ms", c.check},
                        {"worst_ms", c.worst},
                        {"contacts", c.contacts}});
    }
    json["graphs"].push_back({{"varied", graph.name}, {"points", points}});
  }
  Setting real;
  real.faces = 100;
  if (options.quick) real.bodies = 50;
  const Cost c = run_setting(real, frames);
  text += "real time: 16.7 ms at 60 Hz\n";
  row("1,000 bodies of 100 faces", c);
  json["real_time"] = {{"all_ms", c.all()}, {"worst_ms", c.worst}};
  return finish({"simulation", text, json.dump(1) + "\n"}, options, machine, c.contacts > 0.0,
                "no bodies ever touched");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  const tocsin::bench::About about{
      "Runs paper 000's multi-body simulation in a scene that changes.", "few bodies and frames",
      "frames of every setting (60)"};
  return tocsin::bench::run_bench(argc, argv, about, tocsin::bench::run);
}
