#include "selftest/scenes/adversarial_rig.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "core/vector/vec.h"

namespace tocsin::selftest {

namespace {

using core::cross;
using core::norm;

constexpr double kPi = 3.141592653589793;

int chain_length(RigLink link) {
  if (link == RigLink::kLimb2) return 2;
  return link == RigLink::kLimb4 ? 4 : 1;
}

double radius_of(RigLink link, Random& random) {
  switch (link) {
    case RigLink::kSpeck:
      return random.magnitude(1e-6, 1e-5);
    case RigLink::kThread:
      return random.magnitude(1e-5, 1e-3);
    case RigLink::kThinPivot:
      return random.magnitude(1e-4, 1e-2);
    case RigLink::kFat:
      return random.between(0.08, 0.25);
    default:
      return random.between(0.01, 0.12);
  }
}

/// Where the axis begins and ends along the joint's z.
std::array<double, 2> axis_of(RigLink link, Random& random) {
  switch (link) {
    case RigLink::kPoint:
    case RigLink::kSpeck:
      return {0.0, 0.0};
    case RigLink::kArcPoint: {
      const double z = random.between(0.05, 0.5);
      return {z, z};
    }
    case RigLink::kPivot:
    case RigLink::kThinPivot:
      return {-random.between(0.05, 0.4), random.between(0.05, 0.4)};
    case RigLink::kFat:
      return {0.0, random.between(0.001, 0.05)};
    default:
      return {0.0, random.magnitude(0.05, 0.7)};
  }
}

std::size_t root_of(const Avatar& avatar, std::int32_t link) {
  const std::span<const Joint> joints = avatar.skeleton().joints();
  auto j = static_cast<std::size_t>(avatar.links()[static_cast<std::size_t>(link)].joint);
  while (joints[j].parent >= 0) j = static_cast<std::size_t>(joints[j].parent);
  return j;
}

/// A rotation that maps the axes of the world onto each other.
Quat square_rotation(Random& random) {
  const double h = std::sqrt(0.5);
  const std::array<Quat, 4> turns{Quat{}, {h, h, 0, 0}, {h, 0, h, 0}, {h, 0, 0, h}};
  return turns[static_cast<std::size_t>(random.below(4))] *
         turns[static_cast<std::size_t>(random.below(4))];
}

Vec3 along_an_axis(double length, Random& random) {
  const double l = random.chance(0.5) ? length : -length;
  const int axis = random.below(3);
  return {axis == 0 ? l : 0.0, axis == 1 ? l : 0.0, axis == 2 ? l : 0.0};
}

void turn(Transform& pose, const Vec3& about, double angle) {
  pose.rotation = core::normalized(Random::rotation(about, angle) * pose.rotation);
}

/// How the root gets from its first pose to its second. `axis`: the link's, world.
void move_root(RigMotion motion, Transform& root, const Vec3& axis, Random& random) {
  Vec3& at = root.translation;
  switch (motion) {
    case RigMotion::kStill:
      return;
    case RigMotion::kGlide:
      at = at + random.log_vector(1e-3, 0.6);
      return;
    case RigMotion::kSquare:
      at = at + along_an_axis(random.magnitude(1e-3, 0.6), random);
      return;
    case RigMotion::kDrift:
      turn(root, random.direction(), random.between(0.0, 0.2));
      at = at + random.log_vector(1e-4, 0.05);
      return;
    case RigMotion::kPivot:
      turn(root, any_across(random, axis), random.between(0.5, kPi));
      at = at + random.log_vector(1e-5, 0.02);
      return;
    case RigMotion::kTwist: {
      const Vec3 way = any_across(random, axis);
      turn(root, way, random.between(0.5, kPi));
      at = at + random.between(0.05, 0.6) * way;
      return;
    }
    case RigMotion::kSlide:
      turn(root, any_across(random, axis), random.between(0.2, 2.5));
      at = at + random.between(0.05, 0.5) * axis;
      return;
    case RigMotion::kTumble:
      turn(root, random.direction(), random.between(0.0, 2.0));
      at = at + random.log_vector(1e-3, 0.3);
      return;
  }
}

}  // namespace

Vec3 any_across(Random& random, const Vec3& n) {
  while (true) {
    const Vec3 c = cross(n, random.direction());
    const double l = norm(c);
    if (l > 0.1) return (1.0 / l) * c;
  }
}

Avatar make_rig_avatar(Random& random) {
  std::vector<Joint> joints;
  std::vector<Link> links;
  for (int i = 0; i < kRigLinks; ++i) {
    const auto kind = static_cast<RigLink>(i);
    for (int k = 0; k < chain_length(kind); ++k) {
      Joint joint;
      joint.name = "joint" + std::to_string(i) + "_" + std::to_string(k);
      joint.parent = k == 0 ? -1 : static_cast<int>(joints.size()) - 1;
      if (k > 0) joint.rest.translation = random.vector(0.05, 0.25);
      joints.push_back(joint);
    }
    const auto [from, to] = axis_of(kind, random);
    links.push_back({"link" + std::to_string(i),
                     static_cast<int>(joints.size()) - 1,
                     {0.0, 0.0, from},
                     {0.0, 0.0, to},
                     radius_of(kind, random)});
  }
  return *Avatar::create("rig", *Skeleton::create(std::move(joints)), std::move(links));
}

std::vector<Transform> parked_pose(const Avatar& avatar, const Vec3& park) {
  std::vector<Transform> out;
  for (const Joint& joint : avatar.skeleton().joints()) {
    out.push_back(joint.rest);
    if (joint.parent < 0) {
      out.back().translation = park + Vec3{2.0 * static_cast<double>(out.size()), 0.0, 0.0};
    }
  }
  return out;
}

void shift(const Avatar& avatar, RigPoses& poses, const Vec3& by) {
  const std::size_t root = root_of(avatar, poses.link);
  poses.pose0[root].translation = poses.pose0[root].translation + by;
  poses.pose1[root].translation = poses.pose1[root].translation + by;
}

RigPoses make_rig_poses(const Avatar& avatar, std::vector<Transform> parked, RigLink link,
                        RigMotion motion, const Vec3& centre, Random& random) {
  RigPoses out;
  out.link = static_cast<std::int32_t>(link);
  out.in_between = random.chance(0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
  out.pose0 = std::move(parked);
  const std::size_t root = root_of(avatar, out.link);
  const auto joint = static_cast<std::size_t>(avatar.links()[static_cast<std::size_t>(link)].joint);
  for (std::size_t j = root; j <= joint; ++j) {
    const bool square = motion == RigMotion::kSquare;
    out.pose0[j].rotation = square ? square_rotation(random) : core::normalized(random.rotation());
  }
  out.pose0[root].translation = centre;
  out.pose1 = out.pose0;
  Quat world = out.pose0[root].rotation;
  for (std::size_t j = root + 1; j <= joint; ++j) {
    world = world * out.pose0[j].rotation;
    if (motion == RigMotion::kTumble || motion == RigMotion::kDrift) {
      const double most = motion == RigMotion::kTumble ? 2.0 : 0.2;
      turn(out.pose1[j], random.direction(), random.between(0.0, most));
    }
  }
  const Vec3 axis = core::rotate(core::normalized(world), {0.0, 0.0, 1.0});
  move_root(motion, out.pose1[root], axis, random);

  scene::StepMotion steps;
  const core::LinkMotion& moved = swept_link(avatar, out, {}, steps).motion;
  const core::AxisState middle = core::evaluate(moved, 0.5);
  shift(avatar, out, centre - (moved.ref + 0.5 * (middle.a + middle.b)));
  return out;
}

const scene::SweptLink& swept_link(const Avatar& avatar, const RigPoses& poses,
                                   const core::Box& bounds, scene::StepMotion& motion) {
  std::vector<Transform> both = poses.pose0;
  both.insert(both.end(), poses.pose1.begin(), poses.pose1.end());
  const Motion one = *Motion::create(avatar.skeleton(), 1.0, std::move(both));
  const StepList steps = *one.steps({.in_between = poses.in_between});
  motion.begin(avatar, steps.at(0), 0.0, bounds);
  return motion.link(static_cast<std::size_t>(poses.link));
}

}  // namespace tocsin::selftest
