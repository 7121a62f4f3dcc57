// bench_scene: what it costs to change a scene of many objects, to the next snapshot and to its
// first answer. docs/scenes.md.
#include "tocsin/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "shared/timing.h"

namespace tocsin::bench {
namespace {

/// How many objects and meshes, and how many triangles a mesh has.
struct Size {
  std::size_t objects = 10'000;
  std::size_t meshes = 100;
  double tolerance = 1e-4;  ///< of the cylinders: 1,000 triangles or so
  std::size_t changes = 100;
};

/// A change, in microseconds: to the next snapshot, and its first answer.
struct Row {
  std::string name;
  Figures snapshot;
  Figures answer;
  double most = 0.0;
};

/// Objects on a grid with some air between them, 10 m high.
class World {
 public:
  explicit World(const Size& size) : size_(size), random_(17) {
    for (std::size_t i = 0; i < size.meshes; ++i) {
      const double radius = 0.15 + 0.002 * static_cast<double>(i);
      meshes_.push_back(
          Mesh::of(Shape::cylinder(radius, 0.6, size.tolerance * radius).value()).value());
      triangles_ += meshes_.back().triangle_count();
    }
    for (std::size_t i = 0; i < size.objects; ++i) add();
  }

  Scene& scene() { return scene_; }
  [[nodiscard]] std::size_t triangles() const { return triangles_; }
  void add() {
    places_.push_back(place());
    ids_.push_back(scene_
                       .add("object " + std::to_string(++count_),
                            meshes_[ids_.size() % meshes_.size()], places_.back())
                       .value());
  }
  void remove() {
    check(scene_.remove(ids_.back()));
    ids_.pop_back();
    places_.pop_back();
  }
  /// Anywhere.
  void put_some() {
    for (std::size_t i = 0; i < size_.changes; ++i) {
      const std::size_t at = some();
      places_[at] = place();
      check(scene_.place(ids_[at], places_[at]));
    }
  }
  /// A few centimetres, as from frame to frame.
  void shift_some() {
    for (std::size_t i = 0; i < size_.changes; ++i) {
      const std::size_t at = shifted(some());
      check(scene_.place(ids_[at], places_[at]));
    }
  }
  /// The same ones every time, or others.
  void move_some(bool same) {
    for (std::size_t i = 0; i < size_.changes; ++i) {
      const std::size_t at = shifted(same ? i : some());
      check(scene_.move(ids_[at], {places_[at].rotation, places_[at].translation}));
    }
  }
  void switch_some() {
    for (std::size_t i = 0; i < size_.changes; ++i) {
      check(scene_.deactivate(ids_[i]));
      check(scene_.activate(ids_[i]));
    }
  }

 private:
  static void check(const Status& status) {
    if (!status.ok()) throw Exception(status.error());
  }
  double uniform(double most) { return most * static_cast<double>(random_() >> 11U) * 0x1p-53; }
  std::size_t some() { return random_() % ids_.size(); }
  /// An object that has another place from now on, a few centimetres from where it was.
  std::size_t shifted(std::size_t at) {
    Vec3& p = places_[at].translation;
    p = {p.x + uniform(0.1) - 0.05, p.y + uniform(0.1) - 0.05, p.z + uniform(0.1) - 0.05};
    return at;
  }
  ShapePlacement place() {
    const double side = std::sqrt(static_cast<double>(size_.objects) / 10.0);
    ShapePlacement at;
    at.translation = {uniform(side), uniform(10.0), uniform(side)};
    const double half = uniform(1.5);
    at.rotation = {std::cos(half), 0.0, std::sin(half), 0.0};
    return at;
  }

  Size size_;
  std::mt19937_64 random_;
  Scene scene_ = Scene::make().value();
  std::vector<Mesh> meshes_;
  std::vector<ObjectId> ids_;
  std::vector<ShapePlacement> places_;
  std::size_t triangles_ = 0;
  int count_ = 0;
};

/// A stick of a metre that sweeps through the middle of the world.
struct Visitor {
  Avatar avatar;
  Step step;
};
Visitor visitor(const Size& size) {
  const double middle = 0.5 * std::sqrt(static_cast<double>(size.objects) / 10.0);
  Skeleton skeleton = Skeleton::create({{"root", -1, {}}}).value();
  Motion motion =
      Motion::create(skeleton, 1.0, {{{}, {middle, 5, middle}}, {{}, {middle + 0.1, 5, middle}}})
          .value();
  std::vector<Link> links{{"stick", 0, {-0.5, 0, 0}, {0.5, 0, 0}, 0.05, {}}};
  return {Avatar::create("stick", std::move(skeleton), std::move(links)).value(),
          motion.steps().value().front()};
}

Row measure(World& world, const Visitor& who, const std::string& name, std::size_t passes,
            const std::function<void()>& change) {
  std::vector<double> snapshots;
  std::vector<double> answers;
  for (std::size_t i = 0; i < passes; ++i) {
    const double begin = cpu_us();
    change();
    const std::optional<Detector> detector = world.scene().snapshot().value();
    snapshots.push_back(cpu_us() - begin);
    const double asked = cpu_us();
    keep(detector->check(who.avatar, who.step).contacts.size());
    answers.push_back(cpu_us() - asked);
  }
  Row row{name, figures_of(snapshots), figures_of(answers), 0.0};
  row.most = *std::max_element(snapshots.begin(), snapshots.end());
  return row;
}

std::vector<Row> measure_all(World& world, const Size& size, std::size_t passes) {
  const Visitor who = visitor(size);
  keep(world.scene().snapshot().value().check(who.avatar, who.step).contacts.size());
  const std::string some = std::to_string(size.changes);
  return {
      measure(world, who, "nothing", passes, [] {}),
      measure(world, who, "add one", passes, [&] { world.add(); }),
      measure(world, who, "remove one", passes, [&] { world.remove(); }),
      measure(world, who, "place " + some + " anywhere", passes, [&] { world.put_some(); }),
      measure(world, who, "place " + some + " nearby", passes, [&] { world.shift_some(); }),
      measure(world, who, "move " + some + ", the same", passes, [&] { world.move_some(true); }),
      measure(world, who, "move " + some + " others", passes, [&] { world.move_some(false); }),
      measure(world, who, "switch " + some + " off and on", passes, [&] { world.switch_some(); })};
}

int run(const Options& options) {
  Size size;
  if (options.quick) size = {1000, 10, 1e-3, 20};
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 20 : 500;
  const Machine machine = this_machine();
  World world(size);
  const std::vector<Row> rows = measure_all(world, size, passes);
  std::string text = machine_text(machine);
  text +=
      fmt::format("\n{} objects of {} meshes with {} triangles each; microseconds, {} passes\n\n",
                  size.objects, size.meshes, world.triangles() / size.meshes, passes);
  text += fmt::format("{:<28} {:>10} {:>10} {:>10} {:>10} {:>14}\n", "change, to the next snapshot",
                      "mean", "median", "p99", "most", "first answer");
  auto json = json_head("tocsin.bench.scene.v1", options.quick, machine);
  json["objects"] = size.objects;
  json["triangles"] = world.triangles();
  json["rows"] = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    text += fmt::format("{:<28} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f} {:>14.1f}\n", r.name,
                        r.snapshot.mean, r.snapshot.median, r.snapshot.p99, r.most, r.answer.mean);
    json["rows"].push_back({{"change", r.name},
                            {"mean_us", r.snapshot.mean},
                            {"median_us", r.snapshot.median},
                            {"p99_us", r.snapshot.p99},
                            {"most_us", r.most},
                            {"answer_us", r.answer.mean}});
  }
  return finish({"scene", text, json.dump(1) + "\n"}, options, machine, true, "");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  const tocsin::bench::About about{"Measures what it costs to change a scene of 10,000 objects.",
                                   "1,000 objects and few passes",
                                   "passes over every change (500)"};
  return tocsin::bench::run_bench(argc, argv, about, tocsin::bench::run);
}
