#include "io/motion_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vector/vec.h"
#include "io/free_fall.h"
#include "io/stance.h"

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
/// Metres along the bones of what is no person: from a rat to a crane.
constexpr double kSmallest = 0.15;
constexpr double kLargest = 60.0;
/// The same where the fall says more, and in other units than metres: a mouse. Larger, and a small
/// body in inches is taken for a large one in metres; smaller, and nothing is decided.
constexpr double kMouse = 0.05;
/// Metres per second squared.
constexpr double kGravity = 9.81;
/// How far a measured fall may be off. Two units are a factor of 2.2 apart at least.
constexpr double kOffGravity = 0.06;
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

std::vector<Vec3> places(const Motion& motion, std::int64_t frame) {
  return world_places(motion.skeleton(), motion.pose(frame));
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

/// The median height in the first frames; 0 if the person does not stand in most of them.
double posed_height(const Motion& motion, const PersonJoints& person) {
  std::vector<double> heights;
  const std::int64_t frames = std::min(kFirstFrames, motion.frame_count());
  for (std::int64_t f = 0; f < frames; ++f) {
    const std::vector<Vec3> at = places(motion, f);
    if (stance_of(person, at) == Stance::kStands) heights.push_back(height(at));
  }
  if (2 * static_cast<std::int64_t>(heights.size()) <= frames) return 0.0;
  std::sort(heights.begin(), heights.end());
  return heights[heights.size() / 2];
}

/// Ways along the bones in frame 0.
struct Lengths {
  /// Between the two ends that are farthest apart. The way from a root to its only child is none of
  /// the body's.
  double body = 0.0;
  /// The same, or from the root's only child to the farthest end, if that is longer: an arm with a
  /// small gripper. Of a single chain, all of it.
  double size = 0.0;
};

Lengths lengths_of(const Motion& motion) {
  const std::span<const Joint> joints = motion.skeleton().joints();
  const std::span<const Transform> pose = motion.pose(0);
  std::vector<double> down(joints.size(), 0.0);
  Lengths out;
  double chain = 0.0;
  double below_root = 0.0;
  for (std::size_t i = joints.size(); i-- > 0;) {
    chain = std::max(chain, down[i]);
    if (joints[i].parent < 0) continue;
    below_root = std::max(below_root, down[i]);
    const auto parent = static_cast<std::size_t>(joints[i].parent);
    const double branch = core::norm(pose[i].translation) + down[i];
    // Two branches of one joint make a way; a lone one only makes it longer.
    if (down[parent] > 0.0) out.body = std::max(out.body, down[parent] + branch);
    down[parent] = std::max(down[parent], branch);
  }
  out.size = out.body > 0.0 ? std::max(out.body, below_root) : chain;
  return out;
}

double fastest(const Motion& motion) {
  double most = 0.0;
  std::vector<Vec3> before = places(motion, 0);
  for (std::int64_t f = 1; f < std::min(kSpeedFrames, motion.frame_count()); ++f) {
    std::vector<Vec3> now = places(motion, f);
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

std::optional<UnitChoice> by_person(const Motion& motion, const PersonJoints& person, double body) {
  const double posed = posed_height(motion, person);
  if (const auto fitting = fitting_units(posed); fitting.size() == 1) {
    const NamedUnit& unit = fitting.front();
    const double metres = body * unit.metres;
    if (metres >= kShortestBody && metres <= kLongestBody) {
      return UnitChoice{unit.metres, fmt::format("height {:.2f} m in {} in the first frames",
                                                 posed * unit.metres, unit.name)};
    }
  }
  const auto sized = units_between(body, kShortestPerson, kLongestPerson);
  if (sized.size() != 1) return std::nullopt;
  const NamedUnit& unit = sized.front();
  return UnitChoice{unit.metres, fmt::format("{:.2f} m in {} from foot to hand along the bones",
                                             body * unit.metres, unit.name)};
}

/// Only metres: what is 60 m long or more in centimetres would be a crane in millimetres.
std::optional<UnitChoice> by_size(double size) {
  if (size < kSmallest || size > kLargest) return std::nullopt;
  for (const NamedUnit& unit : units_between(size, kMouse, kLargest)) {
    // The unit of a collection of persons: no small body is written in it.
    const bool too_small = unit.name == "cmu" && size * unit.metres < kSmallest;
    if (unit.metres != 1.0 && !too_small) return std::nullopt;
  }
  return UnitChoice{1.0,
                    fmt::format("{:.3g} m long in m; no person; too small in other units", size)};
}

std::optional<UnitChoice> by_gravity(const Motion& motion, double size) {
  const std::optional<double> fall = free_fall(motion, size);
  if (!fall) return std::nullopt;
  for (const NamedUnit& unit : units_between(size, kMouse, kLargest)) {
    const double metres = *fall * unit.metres;
    if (std::fabs(metres - kGravity) > kOffGravity * kGravity) continue;
    return UnitChoice{
        unit.metres, fmt::format("it falls at {:.1f} m/s^2 in {}; no person", metres, unit.name),
        fmt::format(
            "its leaps alone say that it is in {}, and drawn ones need not fall as on Earth: if it "
            "is not {:.3g} m long, say --motion-unit",
            unit.name, size * unit.metres)};
  }
  return std::nullopt;
}

/// Why the rest height does not tell the unit. `why`: "but ...".
Error unclear(double size, double rest_height, const char* why) {
  return {ErrorCode::kInput,
          fmt::format("cannot tell the unit of length: the rest skeleton is {:.6g} units high, but "
                      "{}, so that does not tell it. Along the bones it is {:.6g} units long, "
                      "which is {}. Say which with --motion-unit",
                      rest_height, why, size, heights_in_units(size))};
}

}  // namespace

bool rest_height_tells(const Motion& motion) {
  const auto person = person_of(motion);
  return person && rest_stance(motion, *person) == Stance::kStands;
}

Result<UnitChoice> unit_of_motion(const Motion& motion) {
  const double rest_height = motion.skeleton().rest_height();
  if (motion.frame_count() == 0) return choose_unit({}, rest_height);
  const Lengths lengths = lengths_of(motion);
  auto person = person_of(motion);
  const Stance rest = person ? rest_stance(motion, *person) : Stance::kUnclear;
  if (rest == Stance::kAcross) person.reset();  // a four-legged animal with a person's joint names
  if (person && rest == Stance::kStands) {
    const auto unit = choose_unit({}, rest_height);
    if (unit.ok()) return unit;
  }
  std::optional<UnitChoice> unit;
  if (person) unit = by_person(motion, *person, lengths.body);
  if (unit && rest == Stance::kLies && stance_of(*person, places(motion, 0)) == Stance::kLies) {
    unit->warning =
        "the body lies at rest and in frame 0; if it should stand, say --motion-up z (or x)";
  }
  if (!unit) unit = by_habit(motion, lengths.body);
  if (!unit && !person) unit = by_gravity(motion, lengths.size);
  if (!unit && !person) unit = by_size(lengths.size);
  if (unit) return *unit;
  if (!person) return unclear(lengths.size, rest_height, "it is no person's");
  if (rest == Stance::kStands) return choose_unit({}, rest_height);
  return unclear(lengths.size, rest_height, "it does not stand upright");
}

}  // namespace tocsin::io
