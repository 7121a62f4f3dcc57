// Avatars that stand all over a room, each alone in it: what a device is asked about in batches.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::selftest {

/// `count` steps of as many avatars that stand all over a room, in the middle of all sorts of
/// movements, every one at another moment and at a place of its own; `frame`: how far they have
/// got. 120 Hz. No two avatars share a pose, so that no cache holds what a real crowd would bring
/// anew, and no copy to a device is saved. The same on every machine.
class StandingCrowd {
 public:
  /// In a made room of so many triangles. Errors: those of making rooms and takes.
  static Result<StandingCrowd> make(std::uint64_t triangles);
  /// In this room, whose floor is at y = 0. `stride`: frames of a step; with 12 of them, a tenth of
  /// a second, links move a decimetre. Errors: those of making takes.
  static Result<StandingCrowd> in(Environment room, std::int64_t stride = 1,
                                  InBetween in_between = InBetween::kScrew);

  [[nodiscard]] const Avatar& avatar() const { return avatar_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] std::vector<Step> frame(std::size_t count, std::size_t frame) const;

 private:
  /// A cell of the room's floor, and the take of whoever stands in it.
  struct Place {
    Placement middle;
    std::shared_ptr<const Skeleton> skeleton;
    StepList take;    ///< about the origin
    StepList placed;  ///< in the middle of the cell
  };
  /// Whoever comes to a place as number `round`, from 1 on, stands beside its middle.
  [[nodiscard]] Step beside(const Place& place, std::size_t round, std::size_t frame) const;

  Avatar avatar_;
  Environment environment_;
  double width_ = 0.0;  ///< of a cell, along x, metres
  double depth_ = 0.0;  ///< along z
  std::vector<Place> places_;
};

}  // namespace tocsin::selftest
