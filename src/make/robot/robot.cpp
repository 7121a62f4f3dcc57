// A robot arm in a cell, and two plans for it: one is free, one sweeps through a plate between two
// rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/vector/trig.h"
#include "make/make.h"
#include "make/robot/arm_text.h"

namespace tocsin {
namespace {

/// A closed box, its faces outward; metres, Z up, as robots have it.
ObjectMesh box_between(const char* name, const Vec3f& low, const Vec3f& high) {
  ObjectMesh out;
  out.name = name;
  for (int i = 0; i < 8; ++i) {
    out.vertices.push_back({(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y,
                            (i & 4) != 0 ? high.z : low.z});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> kFaces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : kFaces) {
    out.triangles.push_back({a, b, c});
    out.triangles.push_back({a, c, d});
  }
  return out;
}

/// The upper arm's casing: a frustum of eight sides along z, in millimetres, as drawings are.
ObjectMesh upper_arm_casing() {
  constexpr std::uint32_t kSides = 8;
  constexpr double kBelow = 60.0;
  constexpr double kAbove = 50.0;
  constexpr double kLength = 420.0;
  ObjectMesh out;
  out.name = "Casing";
  for (const bool above : {false, true}) {
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const core::SinCos at = core::sincos_degrees(360.0 / kSides * i);
      const double radius = above ? kAbove : kBelow;
      out.vertices.push_back({static_cast<float>(radius * at.cos),
                              static_cast<float>(radius * at.sin),
                              static_cast<float>(above ? kLength : 0.0)});
    }
  }
  for (std::uint32_t i = 0; i < kSides; ++i) {
    const std::uint32_t next = (i + 1) % kSides;
    out.triangles.push_back({i, next, kSides + next});
    out.triangles.push_back({i, kSides + next, kSides + i});
    if (i == 0 || next == 0) continue;
    out.triangles.push_back({0, next, i});
    out.triangles.push_back({kSides, kSides + i, kSides + next});
  }
  return out;
}

std::vector<ObjectMesh> cell_objects() {
  std::vector<ObjectMesh> out;
  out.push_back(box_between("Floor", {-1.5F, -1.5F, -0.85F}, {1.5F, 1.5F, -0.8F}));
  // Two millimetres below the arm, which stands on it.
  out.push_back(box_between("Pedestal", {-0.15F, -0.15F, -0.8F}, {0.15F, 0.15F, -0.002F}));
  out.push_back(box_between("Table", {0.3F, -0.6F, -0.04F}, {0.95F, 0.6F, 0.0F}));
  out.push_back(box_between("Crate", {0.45F, -0.38F, 0.0F}, {0.6F, -0.23F, 0.25F}));
  out.push_back(box_between("Bin", {0.45F, 0.23F, 0.0F}, {0.6F, 0.38F, 0.25F}));
  out.push_back(box_between("Plate", {0.45F, -0.003F, 0.0F}, {0.8F, 0.003F, 0.4F}));
  return out;
}

/// shoulder_pan, shoulder_lift, elbow, wrist_roll, wrist_pitch, tool_roll in radians, finger_left
/// in metres.
using Posture = std::array<double, 7>;

struct Waypoint {
  double time;
  Posture posture;
};

/// From 0 to 1 with speed and acceleration 0 at both ends, and the least jerk.
double eased(double t) { return t * t * t * (10.0 + t * (-15.0 + 6.0 * t)); }

/// Rows every quarter of a second.
std::string plan_through(std::span<const Waypoint> way) {
  constexpr double kRow = 0.25;
  std::string out =
      "time,shoulder_pan,shoulder_lift,elbow,wrist_roll,wrist_pitch,tool_roll,finger_left\n";
  std::size_t leg = 1;
  for (int row = 0; kRow * row <= way.back().time; ++row) {
    const double time = kRow * row;
    while (leg + 1 < way.size() && time > way[leg].time) ++leg;
    const Waypoint& from = way[leg - 1];
    const Waypoint& to = way[leg];
    const double share = eased((time - from.time) / (to.time - from.time));
    out += fmt::format("{}", time);
    for (std::size_t i = 0; i < from.posture.size(); ++i) {
      const double value = from.posture[i] + share * (to.posture[i] - from.posture[i]);
      out += fmt::format(",{:.9g}", value);
    }
    out += '\n';
  }
  return out;
}

constexpr double kSide = 0.53;  // radians; the crate and the bin lie this far left and right
constexpr double kOpen = 0.03;
constexpr double kClosed = 0.005;

/// The tool points down, at a height.
constexpr Posture low_at(double pan, double finger) {
  return {pan, 0.5, 1.2, 0.0, core::kPi - 1.7, 0.0, finger};
}
constexpr Posture high_at(double pan, double finger) {
  return {pan, 0.2, 1.2, 0.0, core::kPi - 1.4, 0.0, finger};
}

}  // namespace

Result<MadeRobot> make_robot() {
  MadeRobot out;
  out.urdf = make::kArmUrdf;
  out.srdf = make::kArmSrdf;
  std::vector<ObjectMesh> casing;
  casing.push_back(upper_arm_casing());
  auto mesh = Environment::create(std::move(casing));
  if (!mesh) return mesh.error();
  auto cell = Environment::create(cell_objects());
  if (!cell) return cell.error();
  out.upper_arm = std::move(mesh).value();
  out.cell = std::move(cell).value();
  out.free_plan = plan_through(std::array<Waypoint, 5>{{{0.0, low_at(-kSide, kOpen)},
                                                        {0.5, low_at(-kSide, kClosed)},
                                                        {1.5, high_at(-kSide, kClosed)},
                                                        {3.5, high_at(kSide, kClosed)},
                                                        {4.5, low_at(kSide, kClosed)}}});
  out.hitting_plan = plan_through(std::array<Waypoint, 3>{{{0.0, low_at(-kSide, kOpen)},
                                                           {0.5, low_at(-kSide, kClosed)},
                                                           {2.25, low_at(kSide, kClosed)}}});
  return out;
}

}  // namespace tocsin
