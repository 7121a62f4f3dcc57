#include "bodies/bodies_world.h"

#include <cmath>
#include <numbers>

#include "papers/fixed_cube.h"

namespace tocsin::bench {
namespace {

Vec3 direction(make::Random& random) {
  for (;;) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const Vec3 v{x, y, random.uniform(-1.0, 1.0)};
    const double length = core::norm(v);
    if (length > 0.1 && length <= 1.0) return (1.0 / length) * v;
  }
}

/// Off the wall that it would go through.
void rebound(double at, double& velocity, double extent) {
  if ((at < 0.0 && velocity < 0.0) || (at > extent && velocity > 0.0)) velocity = -velocity;
}

}  // namespace

World::World(const WorldOptions& options)
    : bodies_(options.bodies), random_(options.seed), jumps_(options.jumps) {
  double volume = 0.0;
  for (Body& b : bodies_) {
    b.radius = random_.uniform(0.05, 0.15);
    const double half = b.radius * random_.uniform(0.0, 3.0);
    b.reach = half + b.radius;
    b.along = half * direction(random_);
    b.spin = direction(random_);
    b.velocity = 0.01 * options.percent * b.reach * direction(random_);
    volume += std::numbers::pi * b.radius * b.radius * (2.0 * half + b.radius * 4.0 / 3.0);
  }
  extent_ = std::cbrt(volume / options.density);
  for (Body& b : bodies_) b.centre = place();
  cosine_ = std::cos(options.degrees * std::numbers::pi / 180.0);
  sine_ = std::sin(options.degrees * std::numbers::pi / 180.0);
}

Vec3 World::place() {
  const double x = random_.uniform(0.0, extent_);
  const double y = random_.uniform(0.0, extent_);
  return {x, y, random_.uniform(0.0, extent_)};
}

void World::advance() {
  for (Body& b : bodies_) {
    b.centre = jumps_ > 0.0 && random_.chance(jumps_) ? place() : b.centre + b.velocity;
    rebound(b.centre.x, b.velocity.x, extent_);
    rebound(b.centre.y, b.velocity.y, extent_);
    rebound(b.centre.z, b.velocity.z, extent_);
    // Rodrigues' formula.
    b.along = cosine_ * b.along + sine_ * core::cross(b.spin, b.along) +
              ((1.0 - cosine_) * core::dot(b.spin, b.along)) * b.spin;
  }
}

core::Box World::dynamic_box(std::size_t i) const {
  const Body& b = bodies_[i];
  return core::grown_box(b.centre - b.along, b.centre + b.along, b.radius);
}

core::Box World::cube(std::size_t i) const {
  return papers::fixed_cube(bodies_[i].centre, bodies_[i].reach);
}

}  // namespace tocsin::bench
