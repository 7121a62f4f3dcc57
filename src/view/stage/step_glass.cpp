#include "view/stage/step_glass.h"

#include <algorithm>
#include <cstdint>

#include "core/bounds/near_test.h"
#include "core/vector/vec.h"
#include "scene/swept/swept_surface.h"

namespace tocsin::view {
namespace {

using core::detail::to_float;

/// What a shape sweeps is shown by so many of it, less one, between both ends of the step.
constexpr int kGhosts = 8;

double on_scale(const GlassWish& wish, double t) {
  return wish.scale[0] + t * (wish.scale[1] - wish.scale[0]);
}

void append_surface(Glass& glass, const scene::SweptSurface& surface, const Vec3& ref,
                    const GlassWish& wish) {
  constexpr float kStrength =
      0.85F;  // the poses at the ends are stronger than the surface between them
  const auto base = static_cast<std::uint32_t>(glass.vertices.size());
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    const double t = surface.times[i];
    glass.vertices.push_back({to_float(ref + surface.positions[i]), to_float(surface.normals[i]),
                              static_cast<float>(on_scale(wish, t)), kStrength});
  }
  for (const auto& t : surface.triangles) {
    glass.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
}

void add_ghost(Glass& glass, const PosedLink& link, double scaled) {
  Mesh solid;
  add_link(solid, link, {});
  const auto base = static_cast<std::uint32_t>(glass.vertices.size());
  for (const Vertex& v : solid.vertices) {
    glass.vertices.push_back({v.position, v.normal, static_cast<float>(scaled), 1.0F});
  }
  for (const auto& triangle : solid.triangles) {
    glass.triangles.push_back({base + triangle[0], base + triangle[1], base + triangle[2]});
  }
}

}  // namespace

bool moves_enough(const PosedLink& from, const PosedLink& to) {
  constexpr double kMoved = 0.3;
  return std::max(core::norm(to.a - from.a), core::norm(to.b - from.b)) > kMoved * from.radius;
}

void add_swept_link(Glass& glass, const scene::StepMotion& motion, std::size_t link,
                    const GlassWish& wish) {
  const bool shaped = !motion.source(link).shape.empty();
  if (wish.sweep && shaped) {
    for (int k = 1; k < kGhosts; ++k) {
      const double t = static_cast<double>(k) / kGhosts;
      add_ghost(glass, pose_at(motion, t)[link], on_scale(wish, t));
    }
  } else if (wish.sweep) {
    const core::LinkMotion& moves = motion.links()[link].motion;
    append_surface(glass, scene::swept_surface(moves, wish.resolution), moves.ref, wish);
  }
  add_ghost(glass, pose_at(motion, 0.0)[link], on_scale(wish, 0.0));
  add_ghost(glass, pose_at(motion, 1.0)[link], on_scale(wish, 1.0));
}

}  // namespace tocsin::view
