// All closed objects of a room, and which of them hold a point. docs/exact.md, "Solids".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "scene/solid/cut.h"
#include "scene/solid/solid.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Immutable after construction and safe to share between threads. Says nothing of surfaces: who
/// asks leaves out the objects that are not to be solid.
class Solids {
 public:
  Solids() = default;
  /// Finds the closed objects and cuts their box into cells. O(n log n) in their triangles, O(n) in
  /// those of other objects. Uses all threads of the current arena.
  explicit Solids(const Environment& environment);

  [[nodiscard]] bool none() const { return solids_.empty(); }
  /// Whether the object is closed.
  [[nodiscard]] bool closed(std::uint32_t object) const {
    return object < kinds_.size() && kinds_[object] != Kind::kOpen;
  }
  /// Whether it may be solid: it is closed, and some shell of it does not face inward as a
  /// hollow's.
  [[nodiscard]] bool solid(std::uint32_t object) const {
    return object < kinds_.size() && kinds_[object] == Kind::kSolid;
  }

  /// The triangles of its shells that count (Solid::triangles); none if it is not solid.
  [[nodiscard]] std::span<const std::uint32_t> shells(std::uint32_t object) const;

  /// Calls f(object) for each closed object that holds p, in order. `environment`: the one it was
  /// made of. Inline, as most points lie in a cell without anything.
  template <class F>
  void for_each_around(const Environment& environment, const Vec3& p, const F& f) const {
    if (solids_.empty()) return;
    const std::size_t cell = cell_of(x_.of(p.x), y_.of(p.y), z_.of(p.z));
    for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
      const Solid& solid = solids_[entries_[i] >> 1U];
      if ((entries_[i] & 1U) != 0 ? in_box(p) : solid.holds(environment, p)) f(solid.object());
    }
  }

 private:
  enum class Kind : std::uint8_t { kOpen, kHollow, kSolid };
  /// What is known of a solid in a cell: its index << 1, and 1 if the cell lies in it wholly.
  using Entry = std::uint32_t;
  struct Range {
    std::uint32_t first[3] = {0, 0, 0};
    std::uint32_t last[3] = {0, 0, 0};
  };

  [[nodiscard]] std::size_t cell_of(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (std::size_t{z} * y_.count() + y) * x_.count() + x;
  }
  /// Cells at the border also stand for what lies beyond it.
  [[nodiscard]] bool in_box(const Vec3& p) const;
  [[nodiscard]] Range range_of(const core::Box& box) const;
  void cut();
  void fill(const Environment& environment);
  /// Adds (cell, entry) for every cell that a solid may hold a point of.
  void enter(const Environment& environment, std::uint32_t solid,
             std::vector<std::pair<std::size_t, Entry>>& out) const;

  std::vector<Kind> kinds_;    ///< per object
  std::vector<Solid> solids_;  ///< in order of object; only those with shells that count
  core::Box box_;              ///< of all of them
  Cut x_;
  Cut y_;
  Cut z_;
  std::vector<std::uint32_t> begin_;  ///< per cell, into entries_; and the end
  std::vector<Entry> entries_;
};

/// Those of an environment. Made at the first call, for all copies of it; then it costs nothing.
/// Valid as long as some copy lives. Throws std::bad_alloc.
const Solids& solids_of(const Environment& environment);

}  // namespace tocsin::scene
