// Random bodies for the tests of broadphases, and the pairs that brute force finds among them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "core/vector/vec.h"
#include "cpu/broadphase/body_pairs.h"
#include "make/random.h"
#include "papers/fixed_cube.h"

namespace tocsin::test {

/// Where the coordinates of a scene come from.
enum class Coordinates {
  kReal,   ///< anywhere: sparse to crowded
  kWhole,  ///< small whole numbers, so that boxes touch and have coordinates in common; -0 as well
  kHuge,   ///< magnitudes from 1e-30 to 1e30, and infinity
  kOnePlace  ///< all at one of very few places
};

/// Boxes of one scene: of kinds that are drawn once, so that scenes differ from each other.
class RandomBoxes {
 public:
  RandomBoxes(make::Random& random, Coordinates coordinates)
      : random_(random),
        coordinates_(coordinates),
        extent_(random.uniform(1.0, 12.0)),
        flat_(random.integer(-3, 2)),
        cubes_(random.chance(0.5)) {}

  /// A fixed-size cube or a box that fits a body at a moment, by scene; now and then empty.
  core::Box any() {
    if (random_.chance(0.03)) return empty();
    if (random_.chance(0.01)) return everywhere();
    const Vec3 centre{coordinate(0), coordinate(1), coordinate(2)};
    if (cubes_ && coordinates_ == Coordinates::kReal) {
      return papers::fixed_cube(centre, random_.uniform(0.0, 0.7));
    }
    const Vec3 size = random_.chance(0.1) ? Vec3{} : Vec3{length(), length(), length()};
    return of(centre, size);
  }

  /// The box moved by up to a twentieth of a metre, as bodies move from frame to frame; in scenes
  /// of whole numbers, sometimes by one.
  core::Box moved(const core::Box& box) {
    core::Box out = box;
    move(out.lo.x, out.hi.x);
    move(out.lo.y, out.hi.y);
    move(out.lo.z, out.hi.z);
    return out;
  }

 private:
  static core::Box everywhere() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  }
  core::Box empty() {
    if (random_.chance(0.5)) return {};
    core::Box out = of({coordinate(0), coordinate(1), coordinate(2)}, {1.0, 1.0, 1.0});
    if (out.lo.y < out.hi.y) std::swap(out.lo.y, out.hi.y);  // on one axis only
    return out;
  }
  static float to_float(double x) { return static_cast<float>(x); }
  core::Box of(const Vec3& lo, const Vec3& size) {
    const auto high = [](double l, double s) { return std::max(to_float(l), to_float(l + s)); };
    return {{to_float(lo.x), to_float(lo.y), to_float(lo.z)},
            {high(lo.x, size.x), high(lo.y, size.y), high(lo.z, size.z)}};
  }
  double coordinate(int axis) {
    if (axis == flat_ && coordinates_ != Coordinates::kHuge) return 0.0;  // as on a floor
    switch (coordinates_) {
      case Coordinates::kReal:
        return random_.uniform(-extent_, extent_);
      case Coordinates::kWhole: {
        const int i = random_.integer(-4, 4);
        return i == 0 && random_.chance(0.5) ? -0.0 : i;
      }
      case Coordinates::kHuge: {
        const double x = std::pow(10.0, random_.uniform(-30.0, 30.0));
        return random_.chance(0.5) ? -x : x;
      }
      default:
        return random_.integer(0, 1);
    }
  }
  double length() {
    switch (coordinates_) {
      case Coordinates::kReal:
        return random_.chance(0.05) ? 2.0 * extent_ : random_.uniform(0.0, 1.5);
      case Coordinates::kHuge:
        return std::pow(10.0, random_.uniform(-30.0, 30.0));
      default:
        return random_.integer(0, 3);
    }
  }
  void move(float& lo, float& hi) {
    if (coordinates_ == Coordinates::kReal) {
      const float by = to_float(random_.uniform(-0.05, 0.05));
      lo += by;
      hi += random_.chance(0.5) ? by : to_float(random_.uniform(0.0, 0.05));  // it turns as well
      if (cubes_) hi = std::max(lo, hi);
    } else if (random_.chance(0.2)) {
      const auto by = static_cast<float>(random_.integer(-1, 1));
      lo += by;
      hi += by;
    }
  }

  make::Random& random_;
  Coordinates coordinates_;
  double extent_;
  int flat_;  ///< the axis on which all begin at 0; below 0: none
  bool cubes_;
};

inline bool holds_a_point(const core::Box& b) {
  return b.lo.x <= b.hi.x && b.lo.y <= b.hi.y && b.lo.z <= b.hi.z;
}

/// Brute force: every pair of boxes that hold a point and overlap.
inline std::vector<cpu::BodyPair> all_pairs(std::span<const core::Box> boxes) {
  std::vector<cpu::BodyPair> out;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!holds_a_point(boxes[i])) continue;
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (!core::overlap(boxes[i], boxes[j]) || !holds_a_point(boxes[j])) continue;
      out.push_back({static_cast<cpu::BodyId>(i), static_cast<cpu::BodyId>(j)});
    }
  }
  return out;
}

/// The same for open boxes: what a sweep finds that takes touching for apart.
inline std::vector<cpu::BodyPair> all_pairs_inside(std::span<const core::Box> boxes) {
  std::vector<cpu::BodyPair> out;
  for (const cpu::BodyPair& p : all_pairs(boxes)) {
    const core::Box& a = boxes[static_cast<std::size_t>(p.first)];
    const core::Box& b = boxes[static_cast<std::size_t>(p.second)];
    if (a.lo.x < b.hi.x && b.lo.x < a.hi.x && a.lo.y < b.hi.y && b.lo.y < a.hi.y &&
        a.lo.z < b.hi.z && b.lo.z < a.hi.z) {
      out.push_back(p);
    }
  }
  return out;
}

inline Coordinates any_coordinates(make::Random& random) {
  constexpr std::array<Coordinates, 4> kAll{Coordinates::kReal, Coordinates::kWhole,
                                            Coordinates::kHuge, Coordinates::kOnePlace};
  return random.chance(0.5) ? Coordinates::kReal
                            : kAll[static_cast<std::size_t>(random.integer(0, 3))];
}

/// Few bodies in most scenes, up to 200 in some.
inline int any_count(make::Random& random) {
  return random.chance(0.8) ? random.integer(0, 30) : random.integer(0, 200);
}

}  // namespace tocsin::test
