#include "scene/solid/solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace tocsin::scene {
namespace {

/// A shell, by what it encloses.
struct Shell {
  std::uint32_t first = 0;  ///< its first triangle, index into the environment
  double volume = 0.0;      ///< signed: below 0, its normals point inward; metres^3
};

/// Six times the volume of the tetrahedron between a point and a triangle. Differences of floats
/// are nearly exact in doubles, so only the sum over a shell rounds.
double corner_volume(const Vec3& o, const std::array<Vec3f, 3>& v) {
  return core::dot(core::to_double(v[0]) - o,
                   core::cross(core::to_double(v[1]) - o, core::to_double(v[2]) - o));
}

/// Per shell number.
std::map<std::uint32_t, Shell> measure(const Environment& environment, std::uint32_t first,
                                       std::span<const std::uint32_t> shells) {
  std::map<std::uint32_t, Shell> out;
  for (std::uint32_t i = 0; i < shells.size(); ++i) {
    const auto [found, is_new] = out.try_emplace(shells[i], Shell{first + i, 0.0});
    Shell& shell = found->second;
    const Vec3 o = core::to_double(environment.corners(shell.first)[0]);
    shell.volume += corner_volume(o, environment.corners(first + i));
  }
  return out;
}

/// How often each shell winds around p; one on which p lies is left out.
std::map<std::uint32_t, int> windings(const Environment& environment, std::uint32_t first,
                                      std::span<const std::uint32_t> shells, const RayTable& rays,
                                      const Vec3& p) {
  std::map<std::uint32_t, int> out;
  std::vector<std::uint32_t> touched;
  for (const std::uint32_t t : rays.near(p)) {
    const Crossing c = cross_ray(p, environment.corners(t));
    if (c == Crossing::kThrough) touched.push_back(shells[t - first]);
    if (c == Crossing::kOut) ++out[shells[t - first]];
    if (c == Crossing::kIn) --out[shells[t - first]];
  }
  for (const std::uint32_t shell : touched) out.erase(shell);
  return out;
}

core::Box box_of_triangles(const Environment& environment,
                           std::span<const std::uint32_t> triangles) {
  core::Box out;
  for (const std::uint32_t t : triangles) {
    for (const Vec3f& v : environment.corners(t)) out = core::join(out, core::box_of(v));
  }
  return out;
}

}  // namespace

Solid::Solid(const Environment& environment, std::uint32_t object,
             std::span<const std::uint32_t> shells)
    : object_(object), triangles_(shells.size()) {
  std::iota(triangles_.begin(), triangles_.end(), environment.objects()[object].first_triangle);
  box_ = box_of_triangles(environment, triangles_);
  rays_ = RayTable(environment, triangles_, box_);
  leave_out_hollows(environment, shells);
}

void Solid::leave_out_hollows(const Environment& environment,
                              std::span<const std::uint32_t> shells) {
  const std::uint32_t first = environment.objects()[object_].first_triangle;
  const std::map<std::uint32_t, Shell> all = measure(environment, first, shells);
  std::vector<std::uint32_t> hollows;
  for (const auto& [number, shell] : all) {
    if (!(shell.volume < 0.0)) continue;
    // Any of its points will do: closed shells that do not cross each other hold it whole or not.
    const Vec3 p = on_grid(core::to_double(environment.corners(shell.first)[0]));
    const Shell* around = nullptr;
    for (const auto& [other, winding] : windings(environment, first, shells, rays_, p)) {
      if (winding == 0 || other == number) continue;
      const Shell& candidate = all.at(other);
      if (around == nullptr || std::fabs(candidate.volume) < std::fabs(around->volume)) {
        around = &candidate;
      }
    }
    if (around == nullptr || around->volume < 0.0) hollows.push_back(number);
  }
  if (hollows.empty()) return;
  std::erase_if(triangles_, [&](std::uint32_t t) {
    return std::binary_search(hollows.begin(), hollows.end(), shells[t - first]);
  });
  box_ = box_of_triangles(environment, triangles_);
  rays_ = triangles_.empty() ? RayTable() : RayTable(environment, triangles_, box_);
}

bool Solid::holds(const Environment& environment, const Vec3& p) const {
  const Vec3 from = on_grid(p);
  const auto beyond = [](double x, float low, float high) {
    return x < double{low} || x > double{high};
  };
  if (beyond(from.x, box_.lo.x, box_.hi.x) || beyond(from.y, box_.lo.y, box_.hi.y) ||
      beyond(from.z, box_.lo.z, box_.hi.z)) {
    return false;
  }
  int winding = 0;
  for (const std::uint32_t t : rays_.near(from)) {
    const Crossing c = cross_ray(from, environment.corners(t));
    if (c == Crossing::kThrough) return true;
    if (c == Crossing::kOut) ++winding;
    if (c == Crossing::kIn) --winding;
  }
  return winding > 0;
}

}  // namespace tocsin::scene
