// Capsules that fly, turn and bounce in a cube: the simulation of paper 000, section 5.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bounds/box.h"
#include "core/vector/vec.h"
#include "make/random.h"

namespace tocsin::bench {

/// What the paper varies, with its defaults (section 7).
struct WorldOptions {
  std::size_t bodies = 1000;
  double density = 0.01;  ///< of the cube's volume, filled by bodies
  double degrees = 10.0;  ///< that a body turns by, each frame
  double jumps = 0.0;     ///< share of the bodies that are somewhere else, each frame
  double percent = 10.0;  ///< of its radius, that a body travels each frame
  std::uint64_t seed = 1;
};

/// From balls to capsules four times as long as they are wide. They pass through each other and
/// rebound off the walls.
class World {
 public:
  explicit World(const WorldOptions& options);

  void advance();
  [[nodiscard]] std::size_t size() const { return bodies_.size(); }

  /// The box that fits body i as it lies now; and the cube that holds it however it turns.
  [[nodiscard]] core::Box dynamic_box(std::size_t i) const;
  [[nodiscard]] core::Box cube(std::size_t i) const;

 private:
  struct Body {
    Vec3 centre;
    Vec3 along;     ///< from the centre to one end of the axis
    Vec3 velocity;  ///< metres a frame
    Vec3 spin;      ///< axis of rotation, a unit vector
    double radius = 0.0;
    double reach = 0.0;  ///< of the farthest point from the centre
  };

  /// Somewhere in the cube.
  Vec3 place();

  std::vector<Body> bodies_;
  make::Random random_;
  double jumps_;
  double extent_ = 0.0;  ///< of the cube, metres
  double cosine_ = 1.0;  ///< of the angle turned by in a frame
  double sine_ = 0.0;
};

}  // namespace tocsin::bench
