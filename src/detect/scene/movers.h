// Objects of a scene that move during a step: bodies of one joint and one link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin::detect {

/// One of them.
struct Mover {
  std::uint32_t object = 0;  ///< its index in the environment
  Avatar body;               ///< its link is the mesh, scaled
  Transform from;
  Transform to;
  InBetween in_between = InBetween::kScrew;
  core::Box box;  ///< holds it during the whole step (way_box)
};

/// Holds a body on its way. `at_start`, `at_end`: its boxes there. reach: none of its points is
/// farther from its frame's origin, metres.
///
/// On either way in between (paper 004, eq. 6-10, or the screw) a point l of the body is at p + R
/// l, R turning about one axis by an angle a <= pi in all. R l runs along an arc that leaves the
/// chord by |l| (1 - cos(a/2)) at most. p runs along a line, or along a helix, whose arc over the
/// chord c leaves that by c tan(a/4) / 2 at most. A coordinate is within both its ends' values, but
/// for these.
core::Box way_box(const Transform& from, const Transform& to, const core::Box& at_start,
                  const core::Box& at_end, double reach);

/// All of them, in order of object. Immutable but for what is made at the first question; safe to
/// share between threads.
class Movers {
 public:
  Movers() = default;
  /// `margin`: two of them touch where they are so near, metres.
  Movers(std::vector<Mover> movers, double margin);
  Movers(const Movers&) = delete;
  Movers& operator=(const Movers&) = delete;

  [[nodiscard]] std::size_t size() const { return movers_.size(); }
  [[nodiscard]] const Mover& operator[](std::size_t i) const { return movers_[i]; }
  [[nodiscard]] const std::vector<Mover>& all() const { return movers_; }
  [[nodiscard]] bool has(std::uint32_t object) const;
  [[nodiscard]] const core::Box& box(std::size_t i) const { return movers_[i].box; }
  /// Around the points that the objects' coordinates are relative to.
  [[nodiscard]] const core::Box& refs() const { return refs_; }
  /// Made at the first call. Throws std::bad_alloc.
  [[nodiscard]] const Step& step(std::size_t i) const;
  /// The movers behind one whose boxes are within the margin of its own; all are found at the first
  /// call. Throws std::bad_alloc.
  [[nodiscard]] std::span<const std::uint32_t> behind(std::size_t i) const;

 private:
  struct LazyStep {
    std::once_flag once;
    Step step;
  };
  struct LazyPairs {
    std::once_flag once;
    std::vector<std::size_t> begin;     ///< per mover, into `behind`; and the end
    std::vector<std::uint32_t> behind;  ///< of pairs whose boxes meet the second
  };
  void find_pairs() const;

  std::vector<Mover> movers_;
  double margin_ = 0.0;
  core::Box refs_;
  std::unique_ptr<LazyStep[]> steps_;
  std::unique_ptr<LazyPairs> pairs_;
};

}  // namespace tocsin::detect
