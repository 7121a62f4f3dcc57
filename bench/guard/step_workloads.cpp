// The exact step: whole, and its parts.
#include <array>
#include <memory>
#include <utility>

#include "core/query/certify.h"
#include "cpu/kernels/kernels.h"
#include "guard/scenes.h"
#include "guard/workloads.h"
#include "scene/swept/step_motion.h"
#include "shared/timing.h"
#include "support/scenes/random_link.h"
#include "tocsin/stream.h"

namespace tocsin::bench::guard {

namespace {

/// What a whole step needs, kept alive by the work that uses it.
struct Stage {
  Scene scene;
  Detector detector;
};

Result<std::shared_ptr<const Stage>> make_stage(Place place) {
  Result<Scene> scene = make_scene(place);
  if (!scene.ok()) return scene.error();
  auto detector = Detector::make(scene->room);
  if (!detector) return detector.error();
  return std::make_shared<const Stage>(
      Stage{std::move(scene).value(), std::move(detector).value()});
}

Result<Work> check_work(Place place) {
  const auto made = make_stage(place);
  if (!made.ok()) return made.error();
  return Work([stage = made.value()] {
    std::uint64_t contacts = 0;
    for (const Step& step : stage->scene.steps) {
      contacts += stage->detector.check(stage->scene.avatar, step).contacts.size();
    }
    return contacts;
  });
}

Result<Work> stream_work(Place place) {
  const auto made = make_stage(place);
  if (!made.ok()) return made.error();
  return Work([stage = made.value()] {
    Stream stream(stage->detector, stage->scene.avatar);
    std::uint64_t contacts = 0;
    for (const Step& step : stage->scene.steps) contacts += stream.check(step).contacts.size();
    return contacts;
  });
}

/// What every step pays: forward kinematics and coarse bounds.
Result<Work> coarse_work() {
  Result<Scene> made = make_scene(Place::kAmong);
  if (!made.ok()) return made.error();
  return Work([scene = std::move(made).value(), motion = scene::StepMotion()]() mutable {
    const core::Box bounds{{-15, -1, -10}, {15, 5, 10}};
    for (const Step& step : scene.steps) {
      motion.begin(scene.avatar, step, 0.0, bounds);
      keep(motion);
    }
    return static_cast<std::uint64_t>(scene.steps.size());
  });
}

/// ... and what links near something pay too: exact motions and swept boxes, of all links here.
Result<Work> motion_work() {
  Result<Scene> made = make_scene(Place::kAmong);
  if (!made.ok()) return made.error();
  return Work([scene = std::move(made).value(), motion = scene::StepMotion()]() mutable {
    const core::Box bounds{{-15, -1, -10}, {15, 5, 10}};
    std::uint64_t pieces = 0;
    for (const Step& step : scene.steps) {
      motion.set(scene.avatar, step, 0.0, bounds);
      for (const scene::SweptLink& link : motion.links()) {
        pieces += static_cast<std::uint64_t>(link.pieces);
      }
    }
    return pieces;
  });
}

/// A link and a triangle near its path.
struct Query {
  test::RandomLink link;
  core::Triangle triangle;
};

/// Links of one to eight joints, bones of up to 40 cm, turning by up to 0.6 rad; a triangle of up
/// to 30 cm within half a metre of where the link is at some time.
std::vector<std::unique_ptr<Query>> random_queries() {
  constexpr int kQueries = 500;
  test::RandomLinks random(20261122);
  std::vector<std::unique_ptr<Query>> out;
  for (int i = 0; i < kQueries; ++i) {
    auto query = std::make_unique<Query>();
    const InBetween kind = i % 4 == 0 ? InBetween::kTranslateRotate : InBetween::kScrew;
    random.make(query->link, 1 + i % 8, kind, 0.4, 0.6, 0.3, 3.0);
    const Vec3 at =
        core::evaluate(query->link.link, random.uniform(0, 1)).a + random.vector(0, 0.5);
    for (Vec3& corner : query->triangle.v) {
      corner = at + random.vector(0, 0.3);
    }
    out.push_back(std::move(query));
  }
  return out;
}

using Certify = core::Certificate (*)(const core::LinkMotion&, const core::AxisState&,
                                      const core::Triangle&, double, double);

Result<Work> certify_work(Certify certify) {
  const auto queries =
      std::make_shared<const std::vector<std::unique_ptr<Query>>>(random_queries());
  return Work([queries, certify, tolerance = DetectorOptions{}.tolerance] {
    std::uint64_t touching = 0;
    for (const auto& query : *queries) {
      const core::LinkMotion& link = query->link.link;
      const core::Certificate c =
          certify(link, core::evaluate(link, 0.0), query->triangle, tolerance, core::kToEnd);
      if (c.outcome != core::Outcome::kFree) ++touching;
    }
    return touching;
  });
}

Workload at(const std::string& name, const std::string& what, Result<Work> (*make)(Place),
            Place place) {
  return {name, what, "contacts", [make, place] { return make(place); }};
}

}  // namespace

std::vector<Workload> step_workloads() {
  return {
      at("check_clear", "Detector::check, 120 steps clear of everything", check_work,
         Place::kClear),
      at("check_among", "Detector::check, 120 steps among furniture", check_work, Place::kAmong),
      at("check_demo", "Detector::check, the demo", check_work, Place::kDemo),
      at("stream_clear", "Stream::check, 120 steps clear of everything", stream_work,
         Place::kClear),
      at("stream_among", "Stream::check, 120 steps among furniture", stream_work, Place::kAmong),
      at("stream_demo", "Stream::check, the demo", stream_work, Place::kDemo),
      {"coarse_bounds", "world poses and coarse bounds, 120 steps", "steps", coarse_work},
      {"motions", "... with exact motions and swept boxes of all links", "pieces", motion_work},
      {"certify", "core::certify, 500 random links and triangles", "touching",
       [] { return certify_work(core::certify); }},
      {"certify_simd", "cpu::certify, the same", "touching",
       [] { return certify_work(cpu::certify); }},
  };
}

}  // namespace tocsin::bench::guard
