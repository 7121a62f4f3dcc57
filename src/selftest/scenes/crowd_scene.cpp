#include "selftest/scenes/crowd_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "make/make.h"
#include "tocsin/io.h"

namespace tocsin::selftest {
namespace {

constexpr double kHeadsetRate = 90.0;  // Hz, of a headset
constexpr double kGridSpacing = 1.25;  // metres: neighbours' hands meet now and then
constexpr double kTile = 5.0;          // metres: side of a floor tile, which has one pillar
constexpr float kPillar = 0.3F;        // metres: half the side of a pillar
constexpr float kHeight = 3.0F;        // metres
constexpr float kFloor = -0.03F;       // metres: clear of the soles, which would always touch it
constexpr double kSeconds = 8.0;       // of the takes that all avatars share
constexpr std::uint64_t kCrowdSeed = 7;

/// Two takes of each kind.
Result<std::vector<Motion>> make_takes() {
  std::vector<Motion> out;
  for (const Performance kind : {Performance::kWalk, Performance::kReach, Performance::kKick}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      Result<Motion> take =
          make_motion({.kind = kind, .seconds = kSeconds, .rate = kHeadsetRate, .seed = seed});
      if (!take.ok()) return take.error();
      out.push_back(std::move(take).value());
    }
  }
  return out;
}

/// A box from the floor up about a place.
ObjectMesh pillar(const std::string& name, float x, float z) {
  ObjectMesh out;
  out.name = name;
  for (int i = 0; i < 8; ++i) {
    out.vertices.push_back({x + ((i & 1) != 0 ? kPillar : -kPillar),
                            (i & 2) != 0 ? kHeight : kFloor,
                            z + ((i & 4) != 0 ? kPillar : -kPillar)});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> kFaces{
      {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}};
  for (const auto& f : kFaces) {
    out.triangles.push_back({f[0], f[1], f[2]});
    out.triangles.push_back({f[0], f[2], f[3]});
  }
  return out;
}

Result<Environment> make_hall(double side) {
  const int tiles = std::max(1, static_cast<int>(std::ceil(side / kTile)));
  std::vector<ObjectMesh> objects;
  ObjectMesh floor;
  floor.name = "floor";
  for (int i = 0; i < tiles; ++i) {
    for (int j = 0; j < tiles; ++j) {
      const auto x = static_cast<float>(kTile * i);
      const auto z = static_cast<float>(kTile * j);
      const auto s = static_cast<float>(kTile);
      const auto first = static_cast<std::uint32_t>(floor.vertices.size());
      for (const Vec3f& v : {Vec3f{x, kFloor, z}, Vec3f{x, kFloor, z + s},
                             Vec3f{x + s, kFloor, z + s}, Vec3f{x + s, kFloor, z}}) {
        floor.vertices.push_back(v);
      }
      floor.triangles.push_back({first, first + 1, first + 2});
      floor.triangles.push_back({first, first + 2, first + 3});
      objects.push_back(pillar("pillar " + std::to_string(i) + " " + std::to_string(j),
                               x + 0.5F * s, z + 0.5F * s));
    }
  }
  objects.push_back(std::move(floor));
  return Environment::create(std::move(objects));
}

/// Where avatar k of n stands; metres, y = 0.
Vec3 place_of(Layout layout, std::size_t k, double side, std::mt19937_64& random) {
  if (layout == Layout::kCrowd) {
    std::uniform_real_distribution<double> at(0.0, side);
    const double x = at(random);
    return {x, 0.0, at(random)};
  }
  const auto row = static_cast<std::size_t>(std::llround(side / kGridSpacing));
  return {kGridSpacing * (0.5 + static_cast<double>(k % row)), 0.0,
          kGridSpacing * (0.5 + static_cast<double>(k / row))};
}

/// The frames of a take from `first` on, turned and moved so that the body stands at a place then.
Result<Motion> stand(const Motion& take, std::size_t first, std::size_t frames, const Vec3& at,
                     double yaw_degrees) {
  std::vector<Transform> poses;
  for (std::size_t f = first; f < first + frames; ++f) {
    const auto pose = take.pose(static_cast<std::int64_t>(f));
    poses.insert(poses.end(), pose.begin(), pose.end());
  }
  const Vec3 root = poses.front().translation;
  for (std::size_t i = 0; i < frames; ++i) {
    Vec3& moved = poses[i * take.skeleton().joints().size()].translation;
    moved = {moved.x - root.x, moved.y, moved.z - root.z};
  }
  const auto part = Motion::create(take.skeleton(), take.frame_time(), std::move(poses));
  if (!part.ok()) return part.error();
  return part->placed({at, yaw_degrees});
}

}  // namespace

std::string_view name_of(Layout layout) { return layout == Layout::kGrid ? "grid" : "crowd"; }

std::string_view what_of(Layout layout) {
  return layout == Layout::kGrid ? "on a square grid, 1.25 m apart"
                                 : "at random places, one on each square metre in the mean";
}

Result<CrowdScene> make_crowd(Layout layout, std::size_t count, std::size_t instants) {
  const auto takes = make_takes();
  if (!takes.ok()) return takes.error();
  const double row = std::ceil(std::sqrt(static_cast<double>(count)));
  const double side =
      layout == Layout::kGrid ? kGridSpacing * row : std::sqrt(static_cast<double>(count));
  CrowdScene out;
  Result<Environment> hall = make_hall(side);
  if (!hall.ok()) return hall.error();
  out.hall = std::move(hall).value();
  out.steps.assign(instants, std::vector<Step>(count));
  const auto model = load_avatar_model("humanoid16");
  std::mt19937_64 random(kCrowdSeed);
  for (std::size_t k = 0; k < count; ++k) {
    const Motion& take = takes.value()[random() % takes.value().size()];
    const auto last = static_cast<std::size_t>(take.frame_count()) - instants - 1;
    const std::size_t first = random() % last;
    const double yaw = static_cast<double>(random() % 360);
    const auto motion = stand(take, first, instants + 1, place_of(layout, k, side, random), yaw);
    if (!motion.ok()) return motion.error();
    const auto avatar = Avatar::bind(model, motion->skeleton());
    if (!avatar.ok()) return avatar.error();
    const auto steps = motion->steps();
    if (!steps.ok()) return steps.error();
    for (std::size_t i = 0; i < instants; ++i) out.steps[i][k] = steps.value()[i];
    out.members.push_back({*avatar, {}, {}});
  }
  return out;
}

}  // namespace tocsin::selftest
