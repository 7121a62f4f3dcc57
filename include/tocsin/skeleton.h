// A skeleton: the tree of joints read from a motion file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

/// One joint. Its frame moves in its parent's frame; a joint without a parent moves in the world's.
struct Joint {
  std::string name;
  int parent = -1;  ///< index of the parent, smaller than the joint's own; -1: a root
  Transform rest;   ///< joint frame to parent frame in the rest pose, metres
};

/// An immutable tree of joints, parents before children.
class Skeleton {
 public:
  Skeleton() = default;

  /// Checks and takes the joints. Errors (kInput): no joints, or more than 16,384; a parent that
  /// does not come before its child; a rest transform that is not finite, or whose quaternion's
  /// length is off 1 by more than 1e-3. Up to 1e-9 it is kept as it is, else it is normalised.
  static Result<Skeleton> create(std::vector<Joint> joints);

  [[nodiscard]] std::span<const Joint> joints() const { return joints_; }
  [[nodiscard]] int size() const { return static_cast<int>(joints_.size()); }

  /// Index of the first joint with exactly this name, or -1.
  [[nodiscard]] int find(std::string_view name) const;

  /// True if `joint` is `ancestor` or lies below it.
  [[nodiscard]] bool descends(int joint, int ancestor) const;

  /// World positions of all joints in the rest pose, metres; size() entries.
  [[nodiscard]] std::vector<Vec3> rest_positions() const;

  /// Position of joint `descendant` in the frame of joint `ancestor`, rest pose, metres.
  /// Precondition: descends(descendant, ancestor).
  [[nodiscard]] Vec3 rest_position_in(int descendant, int ancestor) const;

  /// Extent of the rest pose along `up`, in the unit of the rest transforms.
  [[nodiscard]] double rest_height(UpAxis up = UpAxis::kY) const;

 private:
  std::vector<Joint> joints_;
};

}  // namespace tocsin
