#include "selftest/scenes/adversarial_scene.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/query/distance.h"
#include "core/vector/vec.h"
#include "selftest/scenes/adversarial_rig.h"
#include "selftest/scenes/adversarial_shapes.h"

namespace tocsin::selftest {

namespace {

constexpr std::array<std::string_view, kAdversities> kNames = {
    "sliver",     "edge on x", "edge on y",  "edge on z", "sub-pixel", "coplanar",  "contained",
    "containing", "near, far", "corner",     "grazing",   "pivot",     "twisted",   "sliding",
    "still",      "point",     "degenerate", "huge",      "far 100 m", "far 10 km", "far 300 km"};

// --- how far the link stays from triangles
// --------------------------------------------------------

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();  ///< to the axis, metres
  double t = 0.0;
  Vec3 direction;  ///< unit, from the triangles to the axis; 0 where they meet
};

Nearest nearest_at(const core::LinkMotion& link, std::span<const core::Triangle> triangles,
                   double t) {
  const core::AxisState axis = core::evaluate(link, t);
  Nearest out;
  for (const core::Triangle& triangle : triangles) {
    const core::Closest c = core::closest_points(axis.a, axis.b, triangle);
    const double distance = std::sqrt(c.squared);
    if (distance < out.distance) {
      out = {distance, t, distance > 0.0 ? (1.0 / distance) * (c.y - c.x) : Vec3{}};
    }
  }
  return out;
}

/// The least over the step, by sampling and golden sections around the best sample.
Nearest nearest_over(const core::LinkMotion& link, std::span<const core::Triangle> triangles) {
  constexpr int kSamples = 16;
  constexpr int kSections = 40;
  constexpr double kGolden = 0.6180339887498949;
  Nearest best;
  for (int i = 0; i <= kSamples; ++i) {
    const Nearest here = nearest_at(link, triangles, static_cast<double>(i) / kSamples);
    if (here.distance < best.distance) best = here;
  }
  double low = std::max(best.t - 1.0 / kSamples, 0.0);
  double high = std::min(best.t + 1.0 / kSamples, 1.0);
  for (int i = 0; i < kSections && best.distance > 0.0; ++i) {
    const bool right = high - best.t > best.t - low;
    const double away = (1.0 - kGolden) * (right ? high - best.t : best.t - low);
    const Nearest here = nearest_at(link, triangles, right ? best.t + away : best.t - away);
    const bool better = here.distance < best.distance;
    (right == better ? low : high) = better ? best.t : here.t;
    if (better) best = here;
  }
  return best;
}

std::vector<core::Triangle> relative_to(const Vec3& ref, std::span<const Corners> triangles) {
  std::vector<core::Triangle> out;
  for (const auto& [a, b, c] : triangles) {
    out.push_back({{core::to_double(a) - ref, core::to_double(b) - ref, core::to_double(c) - ref}});
  }
  return out;
}

/// How far the link has to go along n for a plane across n to part it from all triangles.
double way_out(const core::LinkMotion& link, std::span<const core::Triangle> triangles,
               const Vec3& n) {
  double link_low = std::numeric_limits<double>::infinity();
  double high = -link_low;
  for (int i = 0; i <= 16; ++i) {
    const core::AxisState axis = core::evaluate(link, i / 16.0);
    link_low = std::min({link_low, core::dot(n, axis.a), core::dot(n, axis.b)});
  }
  for (const core::Triangle& t : triangles) high = std::max(high, core::support(t, n, Vec3{}));
  return high - link_low;
}

// --- making a link just touch, and just not
// -------------------------------------------------------

struct Aim {
  bool touch = true;
  double hair = 0.0;  ///< how deep, or how clear; metres
};

Aim aim_at(Adversity kind, const Spot& spot, Random& random) {
  Aim aim;
  aim.touch = random.chance(0.5);
  if (kind == Adversity::kGrazing || random.chance(0.1)) {
    aim.hair = random.magnitude(1e-13, 1e-6);
  } else if (aim.touch) {
    aim.hair = spot.radius * random.magnitude(1e-6, 0.5);
  } else {
    aim.hair = random.chance(0.8) ? spot.pixel * random.magnitude(1e-3, 3.0)
                                  : spot.radius * random.magnitude(1e-6, 0.5);
  }
  return aim;
}

/// Moves the link until its least distance from the triangles is as wanted, more or less; returns
/// by how much. A link that shall touch and whose axis goes through a triangle stays.
Vec3 fit(const core::LinkMotion& link, std::vector<core::Triangle> triangles, const Aim& aim,
         const Vec3& outward) {
  constexpr int kRounds = 8;
  const double target = std::max(link.radius + (aim.touch ? -aim.hair : aim.hair), 0.0);
  Vec3 by;
  for (int i = 0; i < kRounds; ++i) {
    const Nearest nearest = nearest_over(link, triangles);
    const double off = target - nearest.distance;
    if (std::fabs(off) < 1e-3 * aim.hair) break;
    Vec3 move = off * nearest.direction;
    if (nearest.distance < 0.05 * link.radius) {
      if (aim.touch) break;
      move = (way_out(link, triangles, outward) + target) * outward;
    }
    by = by + move;
    for (core::Triangle& t : triangles) {
      for (Vec3& v : t.v) v = v - move;
    }
  }
  return by;
}

// --- scenes
// ---------------------------------------------------------------------------------------

RigMotion any_motion(Random& random) { return static_cast<RigMotion>(random.below(kRigMotions)); }

RigMotion motion_for(Adversity kind, Random& random) {
  switch (kind) {
    case Adversity::kCoplanar:
      return random.chance(0.6) ? RigMotion::kSquare : RigMotion::kGlide;
    case Adversity::kPivot:
      return RigMotion::kPivot;
    case Adversity::kTwisted:
      return RigMotion::kTwist;
    case Adversity::kSliding:
      return RigMotion::kSlide;
    case Adversity::kStill:
      return RigMotion::kStill;
    default:
      return any_motion(random);
  }
}

RigLink one_of(std::initializer_list<RigLink> links, Random& random) {
  return *(links.begin() + random.below(static_cast<int>(links.size())));
}

RigLink link_for(Adversity kind, Random& random) {
  using enum RigLink;
  switch (kind) {
    case Adversity::kPivot:
      return one_of({kPivot, kThinPivot}, random);
    case Adversity::kTwisted:
    case Adversity::kSliding:
      return one_of({kThread, kPivot, kThinPivot, kLimb}, random);
    case Adversity::kPoint:
      return one_of({kPoint, kArcPoint, kSpeck}, random);
    default:
      return static_cast<RigLink>(random.below(kRigLinks));
  }
}

/// Where a batch is, and how far apart its cells are; metres.
struct Region {
  Vec3 origin;
  double spacing = 5.0;
  Adversity kind = Adversity::kSliver;  ///< of all scenes; the first: of every kind in turn
};

constexpr int kHomeKinds = 17;

Region region_of(std::uint64_t number, Random& random) {
  switch (number % kRound) {
    case 3:
      return {random.vector(100.0, 100.0), 5.0, Adversity::kFar100};
    case 4:
      return {{}, 50.0, Adversity::kHuge};
    case 6:
      return {random.vector(1e4, 1e4), 5.0, Adversity::kFar10km};
    case 8:
      return {random.vector(3e5, 3e5), 8.0, Adversity::kFar300km};
    default:
      return {};
  }
}

class BatchMaker {
 public:
  BatchMaker(std::uint64_t seed, std::uint64_t number, int scenes)
      : seed_(seed), number_(number), count_(scenes), random_(seed, number, 0) {
    region_ = region_of(number, random_);
    side_ = 1;
    while (side_ * side_ * side_ < scenes) ++side_;
    const double reach = region_.spacing * (0.5 * side_ + 1.0);
    out_.avatar = make_rig_avatar(random_);
    parked_ = parked_pose(out_.avatar, region_.origin - Vec3{0.0, 4.0 * reach, 0.0});
    const Vec3 half{reach, reach, reach};
    bounds_ = core::grown_box(region_.origin - half, region_.origin + half, 0.0);
  }

  AdversarialBatch make() {
    for (int i = 0; i < count_; ++i) add_scene(i);
    out_.environment = *Environment::create(std::move(objects_));
    add_steps();
    return std::move(out_);
  }

 private:
  Vec3 cell(int i) {
    const double middle = 0.5 * (side_ - 1);
    const int row = i / side_;
    const int floor = row / side_;
    const Vec3 at{i % side_ - middle, row % side_ - middle, floor - middle};
    return region_.origin + region_.spacing * at + random_.vector(0.0, 0.2 * region_.spacing);
  }

  void add_scene(int i) {
    random_ = Random(seed_, number_, 1 + static_cast<std::uint64_t>(i));
    const bool home = region_.kind == Adversity::kSliver;
    const auto shape = static_cast<Adversity>(home ? i % kHomeKinds : random_.below(kHomeKinds));
    AdversarialScene scene;
    scene.kind = home ? shape : region_.kind;
    RigPoses poses = make_rig_poses(out_.avatar, parked_, link_for(shape, random_),
                                    motion_for(shape, random_), cell(i), random_);
    const scene::SweptLink& link = swept_link(out_.avatar, poses, bounds_, motion_);
    const Spot spot = find_spot(link, random_);
    const bool huge = scene.kind == Adversity::kHuge;
    const std::vector<Corners> triangles = make_shape(huge ? scene.kind : shape, spot, random_);
    settle(shape, link.motion, spot, triangles, poses);
    scene.link = poses.link;
    scene.object = static_cast<std::uint32_t>(objects_.size());
    add_object(triangles);
    if (random_.chance(0.3)) add_object(make_clutter(spot, random_));
    if (random_.chance(0.1)) add_object(make_patch(spot, random_));
    measure(poses, triangles, scene);
    out_.scenes.push_back(scene);
    in_between_.push_back(poses.in_between);
    poses_.insert(poses_.end(), poses.pose0.begin(), poses.pose0.end());
    poses_.insert(poses_.end(), poses.pose1.begin(), poses.pose1.end());
  }

  /// Moves the link so that it touches or not.
  void settle(Adversity shape, const core::LinkMotion& link, const Spot& spot,
              const std::vector<Corners>& triangles, RigPoses& poses) {
    const Aim aim = aim_at(shape, spot, random_);
    std::vector<core::Triangle> near = relative_to(link.ref, triangles);
    // What is clear where it was put may stay there: at the corner, in the middle.
    const bool placed = shape == Adversity::kCorner || shape == Adversity::kContaining;
    if (placed && !aim.touch && random_.chance(0.6) &&
        nearest_over(link, near).distance > link.radius) {
      return;
    }
    shift(out_.avatar, poses, fit(link, std::move(near), aim, -spot.n));
  }

  /// Of the step as it will be checked.
  void measure(const RigPoses& poses, const std::vector<Corners>& triangles,
               AdversarialScene& scene) {
    const scene::SweptLink& link = swept_link(out_.avatar, poses, bounds_, motion_);
    const std::vector<core::Triangle> near = relative_to(link.motion.ref, triangles);
    scene.gap = nearest_over(link.motion, near).distance - link.motion.radius;
    for (std::int32_t i = 0; i < link.pieces; ++i) {
      scene.pixel = std::max(scene.pixel, pixel_of(link.piece[static_cast<std::size_t>(i)]));
    }
  }

  void add_object(const std::vector<Corners>& triangles) {
    ObjectMesh mesh;
    mesh.name = "object" + std::to_string(objects_.size());
    for (const Corners& corners : triangles) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
    objects_.push_back(std::move(mesh));
  }

  /// Frames 2 i and 2 i + 1 are scene i's.
  void add_steps() {
    const Motion motion = *Motion::create(out_.avatar.skeleton(), 1.0, std::move(poses_));
    const StepList screw = motion.steps({.in_between = InBetween::kScrew}).value();
    const StepList straight = motion.steps({.in_between = InBetween::kTranslateRotate}).value();
    for (std::size_t i = 0; i < in_between_.size(); ++i) {
      out_.steps.push_back((in_between_[i] == InBetween::kScrew ? screw : straight).at(2 * i));
    }
  }

  std::uint64_t seed_;
  std::uint64_t number_;
  int count_;
  Random random_;
  Region region_;
  int side_ = 1;  ///< cells along an edge of the cube that they fill
  core::Box bounds_;
  std::vector<Transform> parked_;
  scene::StepMotion motion_;
  std::vector<ObjectMesh> objects_;
  std::vector<Transform> poses_;
  std::vector<InBetween> in_between_;
  AdversarialBatch out_;
};

}  // namespace

std::string_view name_of(Adversity kind) { return kNames[static_cast<std::size_t>(kind)]; }

AdversarialBatch make_adversarial_batch(std::uint64_t seed, std::uint64_t number, int scenes) {
  return BatchMaker(seed, number, scenes).make();
}

}  // namespace tocsin::selftest
