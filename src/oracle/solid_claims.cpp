#include "oracle/solid_claims.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace tocsin::oracle {
namespace {

using Position = std::tuple<float, float, float>;
using Directed = std::pair<Position, Position>;
using Corners = std::array<RealVec, 3>;

/// A winding number is a whole number. What the sum differs from one by, at most, so that it is
/// believed: rounding is below 1e-12 for a million triangles a micrometre away.
constexpr Real kBelieved = 1e-3L;

Position position_of(const Vec3f& v) { return {v.x + 0.0F, v.y + 0.0F, v.z + 0.0F}; }

RealVec real(const Vec3f& v) { return {Real(v.x), Real(v.y), Real(v.z)}; }

/// The triangles of an object, shell by shell; empty if some edge is not run along exactly once in
/// each direction.
std::vector<std::vector<std::uint32_t>> shells_of(const Environment& environment,
                                                  const Object& object) {
  std::map<Directed, std::uint32_t> owner;
  std::vector<std::array<Position, 3>> corners;
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    const auto v = environment.corners(object.first_triangle + i);
    const std::array<Position, 3> p = {position_of(v[0]), position_of(v[1]), position_of(v[2])};
    corners.push_back(p);
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      if (!owner.emplace(Directed{p[c], p[(c + 1) % 3]}, i).second) return {};
    }
  }
  for (const auto& [edge, triangle] : owner) {
    if (!owner.contains({edge.second, edge.first})) return {};
  }
  std::vector<std::vector<std::uint32_t>> out;
  std::vector<bool> seen(object.triangle_count, false);
  for (std::uint32_t first = 0; first < object.triangle_count; ++first) {
    if (seen[first]) continue;
    std::vector<std::uint32_t> shell = {first};
    seen[first] = true;
    for (std::size_t next = 0; next < shell.size(); ++next) {
      const std::array<Position, 3>& p = corners[shell[next]];
      for (std::size_t c = 0; c < 3; ++c) {
        const auto mate = owner.find({p[(c + 1) % 3], p[c]});
        if (mate == owner.end() || seen[mate->second]) continue;
        seen[mate->second] = true;
        shell.push_back(mate->second);
      }
    }
    out.push_back(std::move(shell));
  }
  return out;
}

/// The angle that a triangle fills as seen from the origin, signed: above 0 from behind (van
/// Oosterom and Strackee 1983).
Real solid_angle(const RealVec& a, const RealVec& b, const RealVec& c) {
  const Real la = length(a);
  const Real lb = length(b);
  const Real lc = length(c);
  const Real det = inner(a, outer(b, c));
  const Real div = la * lb * lc + inner(a, b) * lc + inner(b, c) * la + inner(c, a) * lb;
  return 2.0L * std::atan2(det, div);
}

}  // namespace

Real SolidClaims::winding(std::span<const Corners> triangles, const RealVec& p) {
  Real sum = 0.0L;
  for (const Corners& t : triangles) sum += solid_angle(t[0] - p, t[1] - p, t[2] - p);
  return sum / (4.0L * std::acos(-1.0L));
}

SolidClaims::Solid SolidClaims::solid_of(const Environment& environment, const Object& object) {
  struct Shell {
    std::vector<Corners> triangles;
    Real volume = 0.0L;  // six times
    bool counts = true;
  };
  std::vector<Shell> shells;
  for (const auto& members : shells_of(environment, object)) {
    Shell shell;
    const RealVec o = real(environment.corners(object.first_triangle + members.front())[0]);
    for (const std::uint32_t i : members) {
      const auto v = environment.corners(object.first_triangle + i);
      shell.triangles.push_back({real(v[0]), real(v[1]), real(v[2])});
      const Corners& t = shell.triangles.back();
      shell.volume += inner(t[0] - o, outer(t[1] - o, t[2] - o));
    }
    shells.push_back(std::move(shell));
  }
  for (Shell& shell : shells) {
    if (!(shell.volume < 0.0L)) continue;
    const RealVec p = shell.triangles.front()[0];
    const Shell* around = nullptr;
    for (const Shell& other : shells) {
      if (&other == &shell || std::fabs(winding(other.triangles, p)) < 0.5L) continue;
      if (around == nullptr || std::fabs(other.volume) < std::fabs(around->volume)) around = &other;
    }
    shell.counts = around != nullptr && around->volume >= 0.0L;
  }
  Solid out;
  for (const Shell& shell : shells) {
    if (!shell.counts) continue;
    for (const Corners& t : shell.triangles) {
      if (out.triangles.empty()) out.least = out.most = t[0];
      out.triangles.push_back(t);
      for (const RealVec& v : t) {
        out.least = {std::min(out.least.x, v.x), std::min(out.least.y, v.y),
                     std::min(out.least.z, v.z)};
        out.most = {std::max(out.most.x, v.x), std::max(out.most.y, v.y),
                    std::max(out.most.z, v.z)};
      }
    }
  }
  return out;
}

SolidClaims::SolidClaims(const Environment& environment, std::span<const std::string> surfaces) {
  for (const Object& object : environment.objects()) {
    const bool surface =
        std::any_of(surfaces.begin(), surfaces.end(), [&](const std::string& pattern) {
          return fnmatch(pattern.c_str(), object.name.c_str(), 0) == 0;
        });
    solids_.push_back(surface ? Solid{} : solid_of(environment, object));
  }
}

Place SolidClaims::place(std::uint32_t object, const RealVec& p) const {
  const Solid& solid = solids_[object];
  const auto beyond = [](Real x, Real low, Real high) { return x < low || x > high; };
  if (solid.triangles.empty() || beyond(p.x, solid.least.x, solid.most.x) ||
      beyond(p.y, solid.least.y, solid.most.y) || beyond(p.z, solid.least.z, solid.most.z)) {
    return Place::kOutside;
  }
  const Real turns = winding(solid.triangles, p);
  const Real whole = std::round(turns);
  if (std::fabs(turns - whole) > kBelieved) return Place::kUnclear;
  return whole > 0.5L ? Place::kInside : Place::kOutside;
}

}  // namespace tocsin::oracle
