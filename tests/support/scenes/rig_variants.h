// The same body as other tools would write it: other joint names, axes, helper joints.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/vector/vec.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::test {

/// A skeleton and its frames, to be changed.
struct Rig {
  std::vector<Joint> joints;
  std::vector<std::vector<Transform>> frames;  ///< each: one local transform a joint

  [[nodiscard]] Skeleton skeleton() const { return Skeleton::create(joints).value(); }
  [[nodiscard]] Motion motion() const {
    std::vector<Transform> poses;
    for (const auto& frame : frames) poses.insert(poses.end(), frame.begin(), frame.end());
    return Motion::create(skeleton(), 0.01, std::move(poses)).value();
  }
};

/// Every joint turns by up to half a radian about an axis of its own, in `count` frames after the
/// first, which is the rest pose.
inline Rig animated(const Skeleton& skeleton, int count = 4) {
  Rig rig;
  rig.joints.assign(skeleton.joints().begin(), skeleton.joints().end());
  for (int f = 0; f <= count; ++f) {
    std::vector<Transform> frame;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const double phase = 1.7 * static_cast<double>(j) + 0.9 * f;
      const double half = f == 0 ? 0.0 : 0.25 * std::sin(phase);
      const Vec3 axis{std::sin(phase + 1.0), std::cos(2.0 * phase), std::sin(3.0 * phase)};
      const double s = std::sin(half) / core::norm(axis);
      using core::operator*;
      const Quat turn{std::cos(half), s * axis.x, s * axis.y, s * axis.z};
      Transform local = rig.joints[j].rest;
      local.rotation = core::normalized(local.rotation * turn);
      frame.push_back(local);
    }
    rig.frames.push_back(std::move(frame));
  }
  return rig;
}

/// The frames that a motion has at these indices.
inline Rig rig_of(const Motion& motion, const std::vector<std::int64_t>& frames) {
  Rig rig;
  const Skeleton& skeleton = motion.skeleton();
  rig.joints.assign(skeleton.joints().begin(), skeleton.joints().end());
  for (const std::int64_t frame : frames) {
    const auto pose = motion.pose(frame);
    rig.frames.emplace_back(pose.begin(), pose.end());
  }
  return rig;
}

inline Rig renamed(Rig rig) {
  for (std::size_t i = 0; i < rig.joints.size(); ++i) rig.joints[i].name = "j" + std::to_string(i);
  return rig;
}

/// Calls `change` with every transform: rest and frames. `root`: it has no parent.
inline Rig changed(Rig rig, const std::function<void(Transform&, bool root)>& change) {
  for (Joint& joint : rig.joints) change(joint.rest, joint.parent < 0);
  for (auto& frame : rig.frames) {
    for (std::size_t i = 0; i < frame.size(); ++i) change(frame[i], rig.joints[i].parent < 0);
  }
  return rig;
}

inline Rig scaled(const Rig& rig, double size) {
  return changed(rig, [size](Transform& t, bool) { t.translation = size * t.translation; });
}

/// The root turned: another axis is up.
inline Rig turned(const Rig& rig, const Quat& turn) {
  return changed(rig, [turn](Transform& t, bool root) {
    if (!root) return;
    using core::operator*;
    t = {turn * t.rotation, core::rotate(turn, t.translation)};
  });
}

/// Reflected in the plane x = 0; `axis` 1: in y = 0, 2: in z = 0.
inline Rig mirrored(const Rig& rig, int axis = 0) {
  return changed(rig, [axis](Transform& t, bool) {
    const double x = axis == 0 ? 1.0 : -1.0;
    const double y = axis == 1 ? 1.0 : -1.0;
    const double z = axis == 2 ? 1.0 : -1.0;
    t.rotation = {t.rotation.w, x * t.rotation.x, y * t.rotation.y, z * t.rotation.z};
    t.translation = {-x * t.translation.x, -y * t.translation.y, -z * t.translation.z};
  });
}

/// What is put between a joint and its parent.
struct Insertion {
  double share = 0.5;  ///< of the way from the parent; 0 < share <= 1
  double twist = 0.0;  ///< radians about the bone, in frames after the first
};

/// A new joint between each of `joints` (by index) and its parent. What the new joint turns, the
/// old one turns back, so that nothing moves.
inline Rig with_inserted(const Rig& rig, const std::set<std::size_t>& joints,
                         const Insertion& what) {
  Rig out;
  std::vector<int> index(rig.joints.size());
  std::vector<std::size_t> from;  // of each new joint: the old one
  std::vector<char> extra;        // it is inserted
  for (std::size_t i = 0; i < rig.joints.size(); ++i) {
    Joint joint = rig.joints[i];
    if (joint.parent >= 0) joint.parent = index[static_cast<std::size_t>(joint.parent)];
    if (joint.parent >= 0 && joints.count(i) > 0) {
      out.joints.push_back(
          {joint.name + "_helper", joint.parent, {{}, what.share * joint.rest.translation}});
      from.push_back(i);
      extra.push_back(1);
      joint.parent = static_cast<int>(out.joints.size()) - 1;
      joint.rest.translation = (1.0 - what.share) * joint.rest.translation;
    }
    index[i] = static_cast<int>(out.joints.size());
    out.joints.push_back(joint);
    from.push_back(i);
    extra.push_back(0);
  }
  for (std::size_t f = 0; f < rig.frames.size(); ++f) {
    std::vector<Transform> frame;
    for (std::size_t i = 0; i < out.joints.size(); ++i) {
      Transform local = rig.frames[f][from[i]];
      const double length = core::norm(local.translation);
      const double half = f == 0 || !(length > 0.0) ? 0.0 : 0.5 * what.twist;
      const double s = length > 0.0 ? std::sin(half) / length : 0.0;
      const Quat twist{std::cos(half), s * local.translation.x, s * local.translation.y,
                       s * local.translation.z};
      using core::operator*;
      if (extra[i] != 0) {
        local = {twist, what.share * local.translation};
      } else if (i > 0 && extra[i - 1] != 0) {
        local = {core::normalized(core::conjugate(twist) * local.rotation),
                 (1.0 - what.share) * local.translation};
      }
      frame.push_back(local);
    }
    out.frames.push_back(std::move(frame));
  }
  return out;
}

/// A new joint without children below each of `joints`, at `offset(joint)` in its frame.
inline Rig with_leaves(Rig rig, const std::set<std::size_t>& joints,
                       const std::function<Vec3(std::size_t)>& offset) {
  for (const std::size_t j : joints) {
    const Transform local{{}, offset(j)};
    rig.joints.push_back({rig.joints[j].name + "_leaf", static_cast<int>(j), local});
    for (auto& frame : rig.frames) frame.push_back(local);
  }
  return rig;
}

/// Each joint's frame turned so that its first child lies on its x axis, and a rest pose without
/// rotations: all bones of a limb in one line, right ones backwards. The frames stay what they are.
inline Rig with_straight_rest(const Rig& rig) {
  const std::size_t count = rig.joints.size();
  std::vector<Quat> frame_of(count);  // new frame in the old one
  std::vector<char> done(count, 0);
  for (const Joint& joint : rig.joints) {
    const Vec3& way = joint.rest.translation;
    const double length = core::norm(way);
    if (joint.parent < 0 || done[static_cast<std::size_t>(joint.parent)] != 0 || !(length > 1e-6)) {
      continue;
    }
    const bool right =
        joint.name.find("Right") != std::string::npos || joint.name.find("_R") != std::string::npos;
    const Vec3 to = (right ? -1.0 / length : 1.0 / length) * way;
    // The shortest turn from x to `to`; from x to -x it is about y.
    const Quat turn = to.x < -0.999999 ? Quat{0, 0, 1, 0} : Quat{1.0 + to.x, 0.0, -to.z, to.y};
    frame_of[static_cast<std::size_t>(joint.parent)] = core::normalized(turn);
    done[static_cast<std::size_t>(joint.parent)] = 1;
  }
  using core::operator*;
  const auto change = [&](std::size_t i, Transform local) {
    const int parent = rig.joints[i].parent;
    const Quat above = parent < 0 ? Quat{} : frame_of[static_cast<std::size_t>(parent)];
    return Transform{core::normalized(core::conjugate(above) * local.rotation * frame_of[i]),
                     core::rotate(core::conjugate(above), local.translation)};
  };
  Rig out = rig;
  for (std::size_t i = 0; i < count; ++i) {
    out.joints[i].rest = {{}, change(i, rig.joints[i].rest).translation};
    for (std::size_t f = 0; f < rig.frames.size(); ++f) {
      out.frames[f][i] = change(i, rig.frames[f][i]);
    }
  }
  return out;
}

/// A link's ends in the world, in one frame.
struct PlacedLink {
  Vec3 a;
  Vec3 b;
  double radius = 0.0;
};

inline std::map<std::string, PlacedLink> placed_links(const Avatar& avatar, const Rig& rig,
                                                      std::size_t frame) {
  std::vector<Transform> world;
  using core::operator*;
  for (std::size_t i = 0; i < rig.joints.size(); ++i) {
    const Transform& local = rig.frames[frame][i];
    if (rig.joints[i].parent < 0) {
      world.push_back(local);
      continue;
    }
    const Transform& above = world[static_cast<std::size_t>(rig.joints[i].parent)];
    world.push_back({above.rotation * local.rotation,
                     core::rotate(above.rotation, local.translation) + above.translation});
  }
  std::map<std::string, PlacedLink> out;
  for (const Link& link : avatar.links()) {
    const Transform& at = world[static_cast<std::size_t>(link.joint)];
    out[link.name] = {core::rotate(at.rotation, link.a) + at.translation,
                      core::rotate(at.rotation, link.b) + at.translation, link.radius};
  }
  return out;
}

}  // namespace tocsin::test
