// Links and motions for adversarial scenes: one avatar of very different links, each on a root of
// its own, of which one takes part in a scene while the others wait far below.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/swept/step_motion.h"
#include "selftest/scenes/random.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::selftest {

/// The avatar's links, in order. The axis of each lies along its joint's z.
enum class RigLink : std::uint8_t {
  kPoint,      ///< zero length, at its joint
  kArcPoint,   ///< zero length, off its joint
  kSpeck,      ///< zero length, radius 1e-6 to 1e-5 m
  kThread,     ///< radius 1e-5 to 1e-3 m
  kPivot,      ///< its joint inside the axis
  kThinPivot,  ///< the same with a radius of 1e-4 to 1e-2 m
  kLimb,       ///< like a forearm
  kLimb2,      ///< at the end of a chain of two joints
  kLimb4,      ///< of four
  kFat,        ///< thicker than long
};
inline constexpr int kRigLinks = 10;

enum class RigMotion : std::uint8_t {
  kStill,   ///< both poses are the same
  kGlide,   ///< no turn
  kSquare,  ///< no turn; link and travel along the axes of the world
  kDrift,   ///< a step of real takes: some centimetres, some degrees
  kPivot,   ///< turns by 0.5 to 3.1 radians across the link, hardly moves
  kTwist,   ///< travels across the link and turns about the way it goes
  kSlide,   ///< travels along the link and turns
  kTumble,  ///< every joint turns by up to 2 radians
};
inline constexpr int kRigMotions = 8;

/// Precondition of the others: its avatar is this one.
Avatar make_rig_avatar(Random& random);

/// One step of the avatar in which one link moves; poses of all joints.
struct RigPoses {
  std::int32_t link = 0;
  InBetween in_between = InBetween::kScrew;
  std::vector<Transform> pose0;
  std::vector<Transform> pose1;
};

/// All joints at rest, with roots in a row through `park` (metres).
std::vector<Transform> parked_pose(const Avatar& avatar, const Vec3& park);

/// The step with the link moved by `by`, throughout; metres.
void shift(const Avatar& avatar, RigPoses& poses, const Vec3& by);

/// Poses in which `link` moves like that, its middle near `centre` in the middle of the step.
RigPoses make_rig_poses(const Avatar& avatar, std::vector<Transform> parked, RigLink link,
                        RigMotion motion, const Vec3& centre, Random& random);

/// The link in that step; `motion` owns it. `bounds`: of the environment.
const scene::SweptLink& swept_link(const Avatar& avatar, const RigPoses& poses,
                                   const core::Box& bounds, scene::StepMotion& motion);

/// A vector of unit length across n.
Vec3 any_across(Random& random, const Vec3& n);

}  // namespace tocsin::selftest
