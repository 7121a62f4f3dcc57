#include "io/motion_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vector/vec.h"
#include "scene/avatar/avatar_binder.h"

namespace tocsin::io {
namespace {

/// Frames from the first on. Their median passes over one that lies or jumps.
constexpr std::int64_t kFirstFrames = 10;
/// Metres, from joint to joint along the bones, for the two ends that are farthest apart: foot to
/// hand on a person, some 1.3 times the height. Whatever the pose is, it stays the same.
constexpr double kShortestBody = 1.4;
constexpr double kLongestBody = 3.6;
/// The same for a person found by shape: 1.2 to 2.2 m high. The ends are a factor of less than 2.2
/// apart, as are no two units, so at most one fits.
constexpr double kShortestPerson = 1.55;
constexpr double kLongestPerson = 3.0;
/// Metres per second. Hands and feet of sprinters reach 20; a wrong unit makes it 2.2 times as
/// much.
constexpr double kFastest = 25.0;
/// Frames that are looked at for speeds.
constexpr std::int64_t kSpeedFrames = 2000;

/// What tools write, by joint names that only they use.
struct Habit {
  std::array<std::string_view, 2> joints;
  std::string_view unit;
  std::string_view source;
};
constexpr std::array<Habit, 4> kHabits{{
    {{"LHipJoint", "LowerBack"}, "cmu", "the CMU motions as BVH"},
    {{"mixamorig:Hips", "mixamorig:Spine"}, "cm", "Mixamo"},
    {{"Chest4", "LeftAnkle"}, "cm", "Xsens MVN"},
    {{"joint_Root", "UpperArm_L"}, "cm", "rigs with joint_Root and UpperArm_L"},
}};

/// Joints in the world, in one frame.
std::vector<Vec3> positions(const Motion& motion, std::int64_t frame) {
  const std::span<const Joint> joints = motion.skeleton().joints();
  const std::span<const Transform> pose = motion.pose(frame);
  std::vector<Transform> world;
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    using core::operator*;
    Transform here = pose[i];
    if (joints[i].parent >= 0) {
      const Transform& above = world[static_cast<std::size_t>(joints[i].parent)];
      here = {above.rotation * here.rotation,
              core::rotate(above.rotation, here.translation) + above.translation};
    }
    world.push_back(here);
    out.push_back(here.translation);
  }
  return out;
}

double height(const std::vector<Vec3>& at) {
  double low = at.front().y;
  double high = low;
  for (const Vec3& p : at) {
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  return high - low;
}

double posed_height(const Motion& motion) {
  std::vector<double> heights;
  for (std::int64_t f = 0; f < std::min(kFirstFrames, motion.frame_count()); ++f) {
    heights.push_back(height(positions(motion, f)));
  }
  std::sort(heights.begin(), heights.end());
  return heights[heights.size() / 2];
}

/// The way along the bones between the two ends that are farthest apart, in frame 0. The way from a
/// root to its only child is none of the body's.
double body_length(const Motion& motion) {
  const std::span<const Joint> joints = motion.skeleton().joints();
  const std::span<const Transform> pose = motion.pose(0);
  std::vector<double> down(joints.size(), 0.0);
  double longest = 0.0;
  for (std::size_t i = joints.size(); i-- > 0;) {
    if (joints[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[i].parent);
    const double branch = core::norm(pose[i].translation) + down[i];
    // Two branches of one joint make a way; a lone one only makes it longer.
    if (down[parent] > 0.0) longest = std::max(longest, down[parent] + branch);
    down[parent] = std::max(down[parent], branch);
  }
  return longest;
}

double fastest(const Motion& motion) {
  double most = 0.0;
  std::vector<Vec3> before = positions(motion, 0);
  for (std::int64_t f = 1; f < std::min(kSpeedFrames, motion.frame_count()); ++f) {
    std::vector<Vec3> now = positions(motion, f);
    // Between frames 0 and 1 lies the jump from a reference pose.
    for (std::size_t i = 0; i < now.size() && f > 1; ++i) {
      most = std::max(most, core::norm(now[i] - before[i]) / motion.frame_time());
    }
    before = std::move(now);
  }
  return most;
}

std::optional<UnitChoice> by_habit(const Motion& motion, double body) {
  const Skeleton& skeleton = motion.skeleton();
  for (const Habit& habit : kHabits) {
    if (skeleton.find(habit.joints[0]) < 0 || skeleton.find(habit.joints[1]) < 0) continue;
    for (const NamedUnit& unit : units_between(body, kShortestBody, kLongestBody)) {
      if (unit.name != habit.unit) continue;
      const double speed = fastest(motion) * unit.metres;
      if (speed > kFastest) continue;
      return UnitChoice{unit.metres,
                        fmt::format("{} is what {} are written in; the fastest joint is at {:.2g} "
                                    "m/s then",
                                    unit.name, habit.source, speed)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<UnitChoice> unit_of_motion(const Motion& motion) {
  if (motion.frame_count() == 0) return std::nullopt;
  const double posed = posed_height(motion);
  const double body = body_length(motion);
  if (const auto fitting = fitting_units(posed); fitting.size() == 1) {
    const NamedUnit& unit = fitting.front();
    const double metres = body * unit.metres;
    if (metres >= kShortestBody && metres <= kLongestBody) {
      return UnitChoice{unit.metres, fmt::format("height {:.2f} m in {} in the first frames",
                                                 posed * unit.metres, unit.name)};
    }
  }
  const auto sized = units_between(body, kShortestPerson, kLongestPerson);
  if (sized.size() == 1 && scene::AvatarBinder(motion).body().body) {
    const NamedUnit& unit = sized.front();
    return UnitChoice{unit.metres, fmt::format("{:.2f} m in {} from foot to hand along the bones",
                                               body * unit.metres, unit.name)};
  }
  return by_habit(motion, body);
}

}  // namespace tocsin::io
