// Objects of a scene that change their shape during a step: corners move on straight lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/bounds/box.h"
#include "detect/shapes/link_features.h"
#include "scene/instance/affine.h"
#include "scene/instance/mesh_data.h"

namespace tocsin::detect {

/// One of them: as many triangles before as after, with the same corners.
struct Deformer {
  std::uint32_t object = 0;  ///< its index in the environment
  std::shared_ptr<const scene::MeshData> before;
  std::shared_ptr<const scene::MeshData> after;
  scene::Affine at;  ///< of `before`
  scene::Affine to;  ///< of `after`; both face outward, or neither does
  core::Box box;     ///< holds it during the whole step
};

/// All of them, in order of object. Immutable but for what is made at the first question; safe to
/// share between threads.
class Deformers {
 public:
  explicit Deformers(std::vector<Deformer> all)
      : all_(std::move(all)), lazy_(std::make_unique<Lazy[]>(all_.size())) {}

  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const Deformer& operator[](std::size_t i) const { return all_[i]; }
  [[nodiscard]] const std::vector<Deformer>& all() const { return all_; }
  [[nodiscard]] bool has(std::uint32_t object) const;
  /// Sets `out` to the triangles that are somewhere in the box during the step. O(n). Throws
  /// std::bad_alloc.
  void find_near(std::size_t i, const core::Box& box, std::vector<MovingTriangle>& out) const;
  /// Calls f(box) for the boxes of all triangles over the step. Throws std::bad_alloc.
  template <class F>
  void for_each_box(std::size_t i, const F& f) const {
    for (const core::Box& box : made(i).boxes) f(box);
  }

 private:
  struct Lazy {
    std::once_flag once;
    std::vector<MovingTriangle> triangles;
    std::vector<core::Box> boxes;
  };
  [[nodiscard]] const Lazy& made(std::size_t i) const;

  std::vector<Deformer> all_;
  std::unique_ptr<Lazy[]> lazy_;
};

}  // namespace tocsin::detect
