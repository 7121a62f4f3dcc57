// The trees of all shapes of some avatars, made once for many steps.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "oracle/shapes/feature_tree.h"
#include "tocsin/member.h"
#include "tocsin/shape.h"

namespace tocsin::oracle {

/// Immutable after construction and safe to share between threads.
class ShapeTrees {
 public:
  ShapeTrees() = default;
  explicit ShapeTrees(std::span<const Member> members);

  /// The tree of a shape: made anew if no member has it. Precondition: it is not empty.
  [[nodiscard]] std::shared_ptr<const FeatureTree> of(const Shape& shape) const;
  [[nodiscard]] std::size_t size() const { return trees_.size(); }

 private:
  /// Copies of a shape share their corners.
  std::map<const Vec3*, std::shared_ptr<const FeatureTree>> trees_;
  std::vector<Shape> shapes_;  ///< keeps these corners
};

}  // namespace tocsin::oracle
