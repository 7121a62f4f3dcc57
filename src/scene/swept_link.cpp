#include "scene/swept_link.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace tocsin::scene {

namespace {

using core::Box;
using core::LinkMotion;

/// Slack for world coordinates, relative to |ref| and per joint: sums in the world frame round to 3
/// u of them at every joint, certify's coordinates relative to ref do not.
constexpr double kWorldSlack = 0x1p-50;

Vec3 rounded_to_float(const Vec3& p) {
  return {static_cast<double>(static_cast<float>(p.x)),
          static_cast<double>(static_cast<float>(p.y)),
          static_cast<double>(static_cast<float>(p.z))};
}

/// Into how many pieces to cut the step so that the chord's sag A h^2/8 stays below half the
/// radius.
int pieces_for(const LinkMotion& m) {
  const double squared = core::acceleration_of(m) / (4.0 * m.radius);
  if (squared <= 1.0) return 1;
  const double wanted = std::ceil(std::sqrt(squared));
  return wanted < kMaxPieces ? static_cast<int>(wanted) : kMaxPieces;
}

/// True if the poses are the same, bit for bit: what was computed from one holds for the other.
bool same_bits(std::span<const Transform> p, std::span<const Transform> q) {
  static_assert(sizeof(Transform) == 7 * sizeof(double));  // no padding
  return p.size() == q.size() && std::memcmp(p.data(), q.data(), p.size_bytes()) == 0;
}

Vec3 least(const Vec3& p, const Vec3& q) {
  return {core::min_of(p.x, q.x), core::min_of(p.y, q.y), core::min_of(p.z, q.z)};
}
Vec3 greatest(const Vec3& p, const Vec3& q) {
  return {core::max_of(p.x, q.x), core::max_of(p.y, q.y), core::max_of(p.z, q.z)};
}

/// Where the two ends of an axis are at one time; world, metres.
struct Ends {
  Vec3 a;
  Vec3 b;
};

Vec3 all_of(double x) { return {x, x, x}; }

/// The box of two axes and all that lies between them, ends a and b grown by so much. Floats are
/// rounded last and once: that is the dear part.
Box box_between(const Ends& p, const Ends& q, double grow_a, double grow_b) {
  const Vec3 lo = least(least(p.a, q.a) - all_of(grow_a), least(p.b, q.b) - all_of(grow_b));
  const Vec3 hi =
      greatest(greatest(p.a, q.a) + all_of(grow_a), greatest(p.b, q.b) + all_of(grow_b));
  return core::grown_box(lo, hi, 0.0);
}

}  // namespace

/// Compares what find_chains looks at, not addresses: an avatar may be another one at the old
/// one's place.
bool StepMotion::knows(const Avatar& avatar) const {
  const std::span<const Joint> joints = avatar.skeleton().joints();
  const std::span<const Link> links = avatar.links();
  return std::equal(
             joints.begin(), joints.end(), parents_.begin(), parents_.end(),
             [](const Joint& joint, std::int32_t parent) { return joint.parent == parent; }) &&
         std::equal(links.begin(), links.end(), link_joints_.begin(), link_joints_.end(),
                    [](const Link& link, std::int32_t joint) { return link.joint == joint; });
}

void StepMotion::find_chains(const Avatar& avatar) {
  parents_.clear();
  for (const Joint& joint : avatar.skeleton().joints()) parents_.push_back(joint.parent);
  link_joints_.clear();
  chain_joints_.clear();
  chain_begin_.assign(1, 0);
  std::vector<std::uint8_t> used(parents_.size(), 0);
  for (const Link& link : avatar.links()) {
    link_joints_.push_back(link.joint);
    for (std::int32_t j = link.joint; j >= 0; j = parents_[static_cast<std::size_t>(j)]) {
      chain_joints_.push_back(j);
      used[static_cast<std::size_t>(j)] = 1;
    }
    std::reverse(chain_joints_.begin() + static_cast<std::ptrdiff_t>(chain_begin_.back()),
                 chain_joints_.end());
    chain_begin_.push_back(chain_joints_.size());
  }
  used_.clear();
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j] != 0) used_.push_back(static_cast<std::int32_t>(j));
  }
  joints_.resize(parents_.size());
  chains_.resize(parents_.size());
  refs_.resize(parents_.size());
  for (WorldPose* world : {&start_, &end_}) {
    world->rotation.resize(parents_.size());
    world->position.resize(parents_.size());
  }
  end_pose_.clear();
  links_.resize(avatar.links().size());
}

void StepMotion::set_joints(const Step& step) {
  const std::span<const Transform> pose0 = step.pose0();
  const std::span<const Transform> pose1 = step.pose1();
  const InBetween kind = step.in_between();
  for (const std::int32_t joint : used_) {
    const auto j = static_cast<std::size_t>(joint);
    joints_[j] = core::joint_motion(pose0[j], pose1[j], kind);
    const bool root = parents_[j] < 0;
    const auto parent = static_cast<std::size_t>(root ? 0 : parents_[j]);
    refs_[j] = root ? rounded_to_float(pose0[j].translation) : refs_[parent];
    const core::ChainBounds above = root ? core::ChainBounds{} : chains_[parent];
    chains_[j] = core::extend(above, joints_[j], kind, refs_[j]);
  }
}

void StepMotion::set_link(const Link& link, std::size_t index, double margin) {
  LinkMotion& m = links_[index].motion;
  const auto joint = static_cast<std::size_t>(link.joint);
  m.joints = joints_.data();
  m.chain = chain_joints_.data() + chain_begin_[index];
  m.chain_length = static_cast<std::int32_t>(chain_begin_[index + 1] - chain_begin_[index]);
  m.a = link.a;
  m.b = link.b;
  m.radius = link.radius + margin;
  m.ref = refs_[joint];
  core::set_bounds(m, chains_[joint]);
}

void StepMotion::set_motions(const Avatar& avatar, const Step& step, double margin) {
  if (!knows(avatar)) find_chains(avatar);
  set_joints(step);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    links_[i].motion.kind = step.in_between();
    set_link(avatar.links()[i], i, margin);
  }
}

void StepMotion::set_worlds(const Step& step) {
  // Steps mostly follow each other: then this one starts where the last one ended.
  if (same_bits(step.pose0(), end_pose_)) {
    std::swap(start_, end_);
  } else {
    set_world(step.pose0(), start_);
  }
  set_world(step.pose1(), end_);
  end_pose_.assign(step.pose1().begin(), step.pose1().end());
}

void StepMotion::set_world(std::span<const Transform> pose, WorldPose& world) const {
  for (const std::int32_t joint : used_) {
    const auto j = static_cast<std::size_t>(joint);
    const core::Mat3 rotation = core::to_matrix(pose[j].rotation);
    if (parents_[j] < 0) {
      world.rotation[j] = rotation;
      world.position[j] = pose[j].translation;
    } else {
      const auto parent = static_cast<std::size_t>(parents_[j]);
      world.rotation[j] = world.rotation[parent] * rotation;
      world.position[j] = world.position[parent] + world.rotation[parent] * pose[j].translation;
    }
  }
}

void StepMotion::set_boxes(SweptLink& swept, std::size_t joint, const Surroundings& around) const {
  const LinkMotion& m = swept.motion;
  // Twice eta: outside this, certify's own margin cannot be reached (docs/exact.md, "Culling").
  const double eta = core::rounding_margin(m, around.reach);
  const double world =
      std::max(m.chain_length, core::kEtaLeastJoints) * kWorldSlack * (around.distance + m.reach);
  const double pad = m.radius + 2.0 * eta + world;
  const auto ends_in = [&](const WorldPose& w) {
    return Ends{w.position[joint] + w.rotation[joint] * m.a,
                w.position[joint] + w.rotation[joint] * m.b};
  };
  swept.pieces = pieces_for(m);
  const double h = 1.0 / swept.pieces;
  const double grow_a = pad + 0.125 * m.acceleration_a * h * h;
  const double grow_b = pad + 0.125 * m.acceleration_b * h * h;
  Ends from = ends_in(start_);
  swept.box = Box{};
  for (int i = 0; i < swept.pieces; ++i) {
    Ends to;
    if (i + 1 == swept.pieces) {
      to = ends_in(end_);
    } else {
      const core::AxisState s = core::evaluate(m, h * (i + 1));
      to = {m.ref + s.a, m.ref + s.b};
    }
    const Box piece = box_between(from, to, grow_a, grow_b);
    swept.piece[static_cast<std::size_t>(i)] = piece;
    swept.box = join(swept.box, piece);
    from = to;
  }
}

void StepMotion::set(const Avatar& avatar, const Step& step, double margin, const Box& bounds) {
  set_motions(avatar, step, margin);
  set_worlds(step);
  Surroundings around;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Vec3& ref = links_[i].motion.ref;
    if (i == 0 || ref != around.ref) {
      around = {ref, core::farthest_corner(ref, bounds), core::norm(ref)};
    }
    set_boxes(links_[i], static_cast<std::size_t>(link_joints_[i]), around);
  }
}

}  // namespace tocsin::scene
