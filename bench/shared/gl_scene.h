// What bench_gl runs on: rooms with a take among their furniture.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "tocsin/tocsin.h"

namespace tocsin::bench {

/// A room, a take in it, and what is shared by all that is measured there.
struct GlScene {
  std::string name;  ///< "made, 156 k"
  std::string take;
  Avatar avatar;
  Environment environment;
  std::shared_ptr<const cpu::TreeCuller> tree;
  std::vector<Step> steps;  ///< all of the take
  /// Those in which a link's quick box meets some triangle's, in an order without pattern: the
  /// first few stand for all.
  std::vector<Step> near;
  double near_links = 0.0;  ///< per step of `near`
};

/// The recorded take in the house where the test data is, and made rooms of 156 k and 2 M
/// triangles; quick: one of 10 k.
Result<std::vector<GlScene>> gl_scenes(bool quick);

/// `count` steps of as many avatars that stand all over a room, in the middle of all sorts of
/// movements, every one at another moment; `frame`: how far they have got.
class Crowd {
 public:
  /// `triangles`: of the room.
  static Result<Crowd> make(std::uint64_t triangles);
  /// In this room, whose floor is at y = 0.
  static Result<Crowd> in(Environment room);

  [[nodiscard]] const Avatar& avatar() const { return avatar_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] std::vector<Step> frame(std::size_t count, std::size_t frame) const;

 private:
  Avatar avatar_;
  Environment environment_;
  std::vector<StepList> takes_;  ///< one a place
};

}  // namespace tocsin::bench
