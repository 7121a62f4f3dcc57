// Rooms that deform: vertices replaced every frame, nothing built anew. On the CPU and on OpenGL a
// detector that was moved along answers as one built from scratch for the frame, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "devices/gl/gl_room.h"
#include "gpu/gl/gl_detector_test.h"
#include "make/make.h"
#include "support/scenes/random_scene.h"
#include "tocsin/io.h"

namespace tocsin::deforming_test {
namespace {

using test::expect_same;

class Deforming : public test::GlDetectorTest {};

struct Scene {
  Environment room;
  Avatar avatar;
  std::vector<Step> steps;
};

/// A cartwheel among furniture, ten steps a second.
Scene cartwheel() {
  Scene out;
  out.room = make_room({.triangles = 10'000, .seed = 1}).value();
  const Motion take =
      make_motion({.kind = Performance::kCartwheel, .seconds = 2.4, .rate = 120.0, .seed = 1})
          .value();
  const Motion placed = take.placed({{-2.0, 0.05, -2.5}, 0.0}).value();
  out.avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
  const StepList list = placed.steps({.stride = 12}).value();
  out.steps.assign(list.begin(), list.end());
  return out;
}

/// The room as if under water: every vertex sways by up to `reach` metres along each axis.
Environment waved(const Environment& room, int frame, float reach) {
  std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
  const auto t = static_cast<float>(frame);
  for (Vec3f& v : vertices) {
    const Vec3f by{std::sin(2.1F * v.y + 0.7F * t), std::sin(1.7F * v.x + 1.3F * v.z + 0.9F * t),
                   std::sin(2.6F * v.x + 0.8F * t)};
    v = {v.x + reach * by.x, v.y + reach * by.y, v.z + reach * by.z};
  }
  return room.with_vertices(std::move(vertices)).value();
}

/// The step that touches most in the room as it was.
Step busiest_step(const Scene& scene) {
  const Detector still = Detector::make(scene.room, {.backend = Backend::kCpu}).value();
  const auto reports = test::reports_of_run(still, scene.avatar, scene.steps);
  const auto most = std::max_element(reports.begin(), reports.end(),
                                     [](const StepReport& p, const StepReport& q) {
                                       return p.contacts.size() < q.contacts.size();
                                     });
  return scene.steps[static_cast<std::size_t>(most - reports.begin())];
}

/// A detector on each, moved along together.
struct Both {
  Detector cpu;
  Detector gl;

  explicit Both(const Environment& room)
      : cpu(Detector::make(room, {.backend = Backend::kCpu}).value()),
        gl(Detector::make(room, {.backend = Backend::kGl}).value()) {}
  void move(const Environment& room) {
    cpu = cpu.with_environment(room).value();
    gl = gl.with_environment(room).value();
    EXPECT_EQ(gl.backend_name(), "gl");
  }
};

/// What a detector built for this room says, after the others said the same.
StepReport check(const Both& both, const Environment& room, const Scene& scene, const Step& step) {
  const Detector fresh = Detector::make(room, {.backend = Backend::kCpu}).value();
  StepReport want = fresh.check(scene.avatar, step);
  EXPECT_FALSE(want.error);
  expect_same(both.cpu.check(scene.avatar, step), want);
  expect_same(both.gl.check(scene.avatar, step), want);
  return want;
}

TEST_F(Deforming, EveryFrameIsAsIfBuiltForIt) {
  const Scene scene = cartwheel();
  ASSERT_GE(scene.steps.size(), 20U);
  const Detector still = Detector::make(scene.room, {.backend = Backend::kCpu}).value();
  Both both(scene.room);
  std::size_t touching = 0;
  std::size_t different = 0;
  std::set<std::uint32_t> objects;
  for (std::size_t frame = 0; frame < scene.steps.size(); ++frame) {
    SCOPED_TRACE(frame);
    const Environment room = waved(scene.room, static_cast<int>(frame), 0.06F);
    both.move(room);
    const StepReport report = check(both, room, scene, scene.steps[frame]);
    touching += report.contacts.empty() ? 0 : 1;
    for (const Contact& c : report.contacts) objects.insert(c.room()->object);
    different += report.contacts == still.check(scene.avatar, scene.steps[frame]).contacts ? 0 : 1;
  }
  EXPECT_GE(touching, scene.steps.size() / 2);
  EXPECT_GE(different, scene.steps.size() / 2);
  EXPECT_GE(objects.size(), 3U);
}

TEST_F(Deforming, WholeRunsOfADeformedRoom) {
  const Scene scene = cartwheel();
  Both both(scene.room);
  for (const int frame : {3, 11}) {
    SCOPED_TRACE(frame);
    const Environment room = waved(scene.room, frame, 0.04F);
    both.move(room);
    const Detector fresh = Detector::make(room, {.backend = Backend::kCpu}).value();
    const auto want = test::reports_of_run(fresh, scene.avatar, scene.steps);
    EXPECT_GT(test::contacts_of(want), scene.steps.size());
    expect_same(test::reports_of_run(both.cpu, scene.avatar, scene.steps), want);
    expect_same(test::reports_of_run(both.gl, scene.avatar, scene.steps), want);
  }
}

TEST_F(Deforming, DegenerateRoomsAndBack) {
  const Scene scene = cartwheel();
  const Step step = busiest_step(scene);
  // Where a link passes: the middle of the step's first contact.
  const Detector still = Detector::make(scene.room, {.backend = Backend::kCpu}).value();
  const StepReport before = still.check(scene.avatar, step);
  ASSERT_FALSE(before.contacts.empty());
  const Vec3 touched = before.contacts.front().point;
  const Vec3f here{static_cast<float>(touched.x), static_cast<float>(touched.y),
                   static_cast<float>(touched.z)};
  const std::size_t count = scene.room.vertices().size();
  const auto all_at = [&](const Vec3f& p) {
    return scene.room.with_vertices(std::vector<Vec3f>(count, p)).value();
  };
  const auto all_by = [&](const Vec3f& by, float scale) {
    std::vector<Vec3f> vertices(scene.room.vertices().begin(), scene.room.vertices().end());
    for (Vec3f& v : vertices) {
      v = {scale * v.x + by.x, scale * v.y + by.y, scale * v.z + by.z};
    }
    return scene.room.with_vertices(std::move(vertices)).value();
  };
  Both both(scene.room);
  const auto ask = [&](const Environment& room) {
    both.move(room);
    return check(both, room, scene, step).contacts.size();
  };
  const auto ask_again = [&] { EXPECT_EQ(ask(scene.room), before.contacts.size()); };
  {
    SCOPED_TRACE("all in one point that is touched");
    EXPECT_GT(ask(all_at(here)), 0U);
    ask_again();
  }
  {
    SCOPED_TRACE("all in one point far away");
    EXPECT_EQ(ask(all_at({50, 60, 70})), 0U);
    ask_again();
  }
  {
    SCOPED_TRACE("100 km away, and back");
    EXPECT_EQ(ask(all_by({1e5F, -1e5F, 1e5F}, 1.0F)), 0U);
    ask_again();
  }
  {
    SCOPED_TRACE("flat: all in the floor's plane");
    std::vector<Vec3f> vertices(scene.room.vertices().begin(), scene.room.vertices().end());
    for (Vec3f& v : vertices) v.y = 0.1F;
    ask(*scene.room.with_vertices(std::move(vertices)));
    ask_again();
  }
  {
    SCOPED_TRACE("ten thousand times as large");
    ask(all_by({0, 0, 0}, 1e4F));
    ask_again();
  }
  {
    SCOPED_TRACE("torn: some vertices 100 km away, so that triangles are as long");
    std::vector<Vec3f> vertices(scene.room.vertices().begin(), scene.room.vertices().end());
    for (std::size_t i = 0; i < count; i += 50) {
      vertices[i].x += i % 100 == 0 ? 1e5F : -1e5F;
      vertices[i].z -= 1e5F;
    }
    EXPECT_GT(ask(*scene.room.with_vertices(std::move(vertices))), 0U);
    ask_again();
  }
}

TEST_F(Deforming, VerticesThatAreNoneAreRefusedAndNothingIsLost) {
  const Scene scene = cartwheel();
  const Detector gl = Detector::make(scene.room, {.backend = Backend::kGl}).value();
  const Step& step = scene.steps[0];
  const StepReport want = gl.check(scene.avatar, step);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::nanf(""), kInfinity, -kInfinity, 2e6F}) {
    std::vector<Vec3f> vertices(scene.room.vertices().begin(), scene.room.vertices().end());
    vertices[vertices.size() / 2].y = bad;
    const Result<Environment> refused = scene.room.with_vertices(std::move(vertices));
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::kInput);
  }
  const Environment other = make_room({.triangles = 10'000, .seed = 2}).value();
  EXPECT_EQ(gl.with_environment(other).error().code, ErrorCode::kUsage);
  expect_same(gl.check(scene.avatar, step), want);
}

TEST_F(Deforming, OldVersionsGoOn) {
  const Scene scene = cartwheel();
  const Step step = busiest_step(scene);
  const Detector first = Detector::make(scene.room, {.backend = Backend::kGl}).value();
  Stream stream(first, scene.avatar);
  std::vector<Detector> versions{first};
  std::vector<StepReport> want{
      Detector::make(scene.room, {.backend = Backend::kCpu})->check(scene.avatar, step)};
  for (int frame = 1; frame < 4; ++frame) {
    const Environment room = waved(scene.room, frame, 0.06F);
    versions.push_back(versions.back().with_environment(room).value());
    want.push_back(Detector::make(room, {.backend = Backend::kCpu})->check(scene.avatar, step));
    EXPECT_NE(want.back().contacts, want.front().contacts);
  }
  for (std::size_t i = versions.size(); i-- > 0;) {
    SCOPED_TRACE(i);
    expect_same(versions[i].check(scene.avatar, step), want[i]);
  }
  versions.erase(versions.begin(), versions.end() - 1);  // whose device the last one shares
  expect_same(versions[0].check(scene.avatar, step), want.back());
  expect_same(stream.check(step), want.front());
}

TEST_F(Deforming, ClustersKeepTheirTriangles) {
  const Scene scene = cartwheel();
  const DetectorOptions options{.backend = Backend::kGl};
  auto exact = std::make_shared<const detect::ExactStep>(scene.room, options,
                                                         cpu::make_tree_culler(scene.room));
  const auto created = devices::GlRoom::create(exact);
  ASSERT_TRUE(created.ok()) << created.error().message;
  std::shared_ptr<const devices::GlRoom> device = created.value();
  const std::shared_ptr<const devices::GlRoom> before = device;
  ASSERT_GT(before->clusters().clusters().size(), 80U);
  for (int frame = 1; frame < 4; ++frame) {
    const Environment room = waved(scene.room, frame, 0.06F);
    exact = std::make_shared<const detect::ExactStep>(room, options, exact->tree().refitted(room));
    const auto moved = device->with_environment(exact);
    ASSERT_TRUE(moved.ok()) << moved.error().message;
    device = moved.value();
    const scene::Clusters& now = device->clusters();
    const scene::Clusters& was = before->clusters();
    EXPECT_EQ(now.triangles().data(), was.triangles().data()) << "the very same list";
    EXPECT_EQ(now.triangles().size(), scene.room.triangles().size());
    ASSERT_EQ(now.clusters().size(), was.clusters().size());
    std::size_t other_boxes = 0;
    for (std::size_t i = 0; i < now.clusters().size(); ++i) {
      const scene::Cluster& cluster = now.clusters()[i];
      EXPECT_EQ(cluster.first, was.clusters()[i].first);
      EXPECT_EQ(cluster.count, was.clusters()[i].count);
      EXPECT_EQ(cluster.object, was.clusters()[i].object);
      // The box is the least around where its triangles are now.
      core::Box box;
      for (const std::uint32_t t : now.triangles().subspan(cluster.first, cluster.count)) {
        for (const Vec3f& corner : room.corners(t)) box = core::join(box, core::box_of(corner));
      }
      EXPECT_EQ(cluster.box.lo, box.lo);
      EXPECT_EQ(cluster.box.hi, box.hi);
      other_boxes += cluster.box.lo == was.clusters()[i].box.lo ? 0 : 1;
    }
    EXPECT_GT(other_boxes, now.clusters().size() / 2);
  }
}

}  // namespace
}  // namespace tocsin::deforming_test
