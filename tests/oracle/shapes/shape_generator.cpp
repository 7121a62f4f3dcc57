#include "shapes/shape_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/query/hull_distance.h"
#include "core/vector/vec.h"
#include "matched_pairs.h"
#include "scene/shape/shape_data.h"
#include "shapes/shape_input.h"
#include "shapes/small_shapes.h"

namespace tocsin::oracle::test {
namespace {

using core::dot;
using core::norm;
using tocsin::operator*;

struct TwoShapes {
  Two two;
  std::array<Shape, 2> shape;
  std::array<double, 2> radius{};

  [[nodiscard]] ShapeQuery query() const {
    const Mover& f = two.first;
    const Mover& g = two.second;
    return {{f.axis().chain, f.kind, shape[0], radius[0]},
            {g.axis().chain, g.kind, shape[1], radius[1]}};
  }
  void set_radii(bool of_first, double share, double sum) {
    const std::size_t first = of_first ? 0 : 1;
    radius[first] = share * sum;
    radius[1 - first] = sum - share * sum;
  }
};

// A shape about the middle of the link, about as large.
Shape shape_at(const Mover& m, ShapeKind kind, Random& random) {
  UnitShape unit = unit_shape(kind, random);
  const double length = norm(m.b - m.a) > 0.0 ? norm(m.b - m.a) : 0.1;
  const double size = length * random.between(0.4, 1.0);
  const Vec3 centre = 0.5 * (m.a + m.b);
  const Quat turn = core::normalized(random.rotation());
  const Vec3 scale{random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0)};
  for (Vec3& p : unit.corners) {
    const Vec3 scaled{scale.x * p.x, scale.y * p.y, scale.z * p.z};
    p = centre + size * core::rotate(turn, scaled);
  }
  return Shape::mesh(std::move(unit.corners), std::move(unit.features)).value();
}

// Features of a shape at one time, with balls around them.
struct PosedFeatures {
  struct Ball {
    Vec3 centre;
    double radius = 0.0;
  };
  std::vector<core::HullPart> parts;
  std::vector<Ball> balls;

  PosedFeatures(const detect::Features& of, const core::FrameState& state, const Vec3& shift) {
    for (const TriangleIndices& feature : of.features) {
      parts.push_back(core::part_at(scene::hull_of(of.corners, feature), state, shift, {}));
      const core::HullPart& part = parts.back();
      Ball ball;
      for (std::int32_t i = 0; i < part.corners; ++i) {
        ball.centre = ball.centre + (1.0 / part.corners) * part.p[i];
      }
      for (std::int32_t i = 0; i < part.corners; ++i) {
        ball.radius = std::max(ball.radius, norm(part.p[i] - ball.centre));
      }
      balls.push_back(ball);
    }
  }
};

struct ShapeDraft {
  double upper = 0.0;
  RealVec direction;
};

// The nearest features, by core's own distance, which is quick.
ShapeDraft nearest_of(const PosedFeatures& f, const PosedFeatures& g) {
  struct Pair {
    double least = 0.0;
    std::size_t i = 0;
    std::size_t j = 0;
  };
  std::vector<Pair> pairs;
  double best = 1e300;  // no distance is greater
  for (std::size_t i = 0; i < f.balls.size(); ++i) {
    for (std::size_t j = 0; j < g.balls.size(); ++j) {
      const double apart = norm(f.balls[i].centre - g.balls[j].centre);
      best = std::min(best, apart + f.balls[i].radius + g.balls[j].radius);
      const double least = apart - f.balls[i].radius - g.balls[j].radius;
      if (least <= best) pairs.push_back({least, i, j});
    }
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& p, const Pair& q) { return p.least < q.least; });
  ShapeDraft out{1e300, {}};
  for (const Pair& pair : pairs) {
    if (pair.least > out.upper) break;
    const core::ClosestHulls c = core::closest_points(f.parts[pair.i], g.parts[pair.j]);
    const double distance = std::sqrt(c.squared);
    if (!(distance < out.upper)) continue;
    out = {distance, widen<Real>(unit(c.y - c.x, {}))};
  }
  return out;
}

// A draft. What follows is judged by the oracle.
Nearest nearest_approach(const TwoShapes& shapes, int refine) {
  const ShapeQuery q = shapes.query();
  const ShapeInput in(q);
  const auto at = [&](double t) {
    return nearest_of(
        PosedFeatures(in.first, core::evaluate(in.frames.first, t), {}),
        PosedFeatures(in.second, core::evaluate(in.frames.second, t), in.frames.shift));
  };
  return least_of(at, refine);
}

// How far the second must move along m so that a plane across m parts the two at a time.
double way_out_at(const ShapeInput& in, double t, const Vec3& m) {
  const core::FrameState f = core::evaluate(in.frames.first, t);
  const core::FrameState g = core::evaluate(in.frames.second, t);
  double farthest = -1e300;
  double nearest = 1e300;
  for (const Vec3& corner : in.first.corners) {
    farthest = std::max(farthest, dot(m, core::position_of(f, corner)));
  }
  for (const Vec3& corner : in.second.corners) {
    nearest = std::min(nearest, dot(m, core::position_of(g, corner) + in.frames.shift));
  }
  return farthest - nearest;
}

// The same at all sampled times.
double way_out(const TwoShapes& shapes, const Vec3& m) {
  const ShapeQuery q = shapes.query();
  const ShapeInput in(q);
  double way = -1e300;
  for (int i = 0; i <= 16; ++i) way = std::max(way, way_out_at(in, i / 16.0, m));
  return way;
}

double size_of(const TwoShapes& t) {
  double size = 1e300;
  for (const Shape& shape : t.shape) {
    Vec3 low = shape.corners().front();
    Vec3 high = low;
    for (const Vec3& p : shape.corners()) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    size = std::min(size, norm(high - low));
  }
  return std::max(size, 1e-6);
}

}  // namespace

std::array<ShapeQuery, 2> make_shapes(PairClass c, std::uint64_t seed, std::uint64_t number) {
  // Streams below 300 are those of links and hulls.
  Random random(seed, 300 + static_cast<std::uint64_t>(c), number);
  const double t = meeting_time(c, random);
  TwoShapes shapes{two_together(c, t, random), {}, {}};
  const auto first = static_cast<ShapeKind>(random.below(kShapeKinds));
  const auto second = static_cast<ShapeKind>(random.below(kShapeKinds));
  shapes.shape = {shape_at(shapes.two.first, first, random),
                  shape_at(shapes.two.second, second, random)};
  // Most are taken apart until a plane parts them when they meet: some then touch just so.
  if (random.chance(c == PairClass::kCrossing ? 0.3 : 0.85)) {
    const Vec3 m = random.direction();
    const ShapeQuery inside = shapes.query();
    shift_second(shapes.two, t, way_out_at(ShapeInput(inside), t, m) * m);
  }
  const bool faces = has_faces(first) && has_faces(second);
  if (faces && random.chance(0.7)) return match_surfaces(c, shapes, random);
  return match_rounded(c, std::move(shapes), random);
}

}  // namespace tocsin::oracle::test
