#include "oracle/check_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "oracle/pair_separation.h"
#include "oracle/separation.h"

namespace tocsin::oracle {
namespace {

// Allowed error per metre of coordinates: 10^6 times what double arithmetic needs; an error that a
// person would see is larger.
constexpr Real kAllowed = 1e-9L;

Real distance_to_triangle(const RealVec& p, const TriangleFrame& triangle) {
  return separation({p, p}, triangle).upper;
}

// The point of the axis nearest to p.
RealVec nearest_on(const Axis<Real>& axis, const RealVec& p) {
  const RealVec d = axis.b - axis.a;
  const Real dd = inner(d, d);
  const Real s = dd > 0.0L ? std::clamp(inner(p - axis.a, d) / dd, 0.0L, 1.0L) : 0.0L;
  return axis.a + s * d;
}

// Two moving bodies, of whatever kind: Path is LinkPath or HullPath.
template <class Path>
Real allowed_of(const Contact& contact, const Path& path, const Path& other) {
  const Real shift = length(widen<Real>(other.origin()) - widen<Real>(path.origin()));
  const Real far = std::max(
      {std::fabs(contact.point.x), std::fabs(contact.point.y), std::fabs(contact.point.z)});
  return kAllowed * (1.0L + far + path.bounds().reach + other.bounds().reach + path.bounds().speed +
                     other.bounds().speed + shift);
}

// Two bodies when they touch, relative to an origin.
struct Touching {
  RealVec origin;
  Separation apart;
  std::function<Real(const RealVec&)> off;        // how far a point is from this one, metres
  std::function<Real(const RealVec&)> off_other;  // and from the other
  Real other_radius = 0.0L;
  Real allowed = 0.0L;
  const char* name = "";  // for sentences
  const char* names = "";
};

std::optional<std::string> fault_of_place(const Contact& contact, const Touching& t) {
  const RealVec p = widen<Real>(contact.point) - t.origin;
  if (!contact.normal) {
    if (!(t.off(p) <= t.allowed && t.off_other(p) <= t.allowed)) {
      return fmt::format("its point is not where the {} meet", t.names);
    }
    if (t.apart.lower <= 1e-2L * t.allowed) return std::nullopt;
    return fmt::format("it has no normal, but the {} are {:.3g} m apart", t.names, t.apart.lower);
  }
  const RealVec n = widen<Real>(*contact.normal);
  if (!(std::fabs(length(n) - 1.0L) <= kAllowed)) return "its normal is not of unit length";
  const RealVec x = p - t.other_radius * n;
  if (const Real l = t.off_other(x); !(l <= 2.0L * t.allowed)) {
    return fmt::format("its point is {:.3g} m off the other's surface", l);
  }
  if (const Real l = t.off(x + t.apart.upper * n); !(l <= 2.0L * t.allowed)) {
    return fmt::format("its normal does not point from its point to the {}: {:.3g} m off", t.name,
                       l);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of_geometry(const Contact& contact, const LinkPath& path,
                                             const std::array<Vec3f, 3>& corners) {
  const TriangleFrame triangle(corners, path.origin());
  const Real far = std::max(
      {std::fabs(contact.point.x), std::fabs(contact.point.y), std::fabs(contact.point.z)});
  const Real allowed = kAllowed * (1.0L + far + path.bounds().reach + triangle.extent);
  const RealVec p = widen<Real>(contact.point) - widen<Real>(path.origin());
  const Axis<Real> axis = path.at(contact.place_time());
  const Separation apart = separation(axis, triangle);

  const Real off = distance_to_triangle(p, triangle);
  if (!(off <= allowed)) return fmt::format("its point is {:.3g} m off the triangle", off);
  const RealVec gap = nearest_on(axis, p) - p;
  const Real l = length(gap);
  if (!(l <= apart.upper + 2.0L * allowed)) {
    return fmt::format("its point is {:.9g} m from the axis, the nearest one {:.9g} m", l,
                       apart.upper);
  }
  if (!contact.normal) {
    if (apart.lower <= 1e-3L * allowed) return std::nullopt;
    return fmt::format("it has no normal, but the axis is {:.3g} m from the triangle", apart.lower);
  }
  const RealVec n = widen<Real>(*contact.normal);
  if (!(std::fabs(length(n) - 1.0L) <= kAllowed)) return "its normal is not of unit length";
  if (!(length(l * n - gap) <= 2.0L * allowed)) return "its normal does not point at the axis";
  return std::nullopt;
}

std::optional<std::string> fault_of_geometry(const Contact& contact, const LinkPath& path,
                                             const LinkPath& other, Real other_radius) {
  const RealVec shift = widen<Real>(other.origin()) - widen<Real>(path.origin());
  const Axis<Real> here = path.at(contact.place_time());
  const Axis<Real> unmoved = other.at(contact.place_time());
  const Axis<Real> there{unmoved.a + shift, unmoved.b + shift};
  const auto off = [](const Axis<Real>& axis) {
    return [axis](const RealVec& point) { return length(nearest_on(axis, point) - point); };
  };
  const Separation apart = separation(here, there);
  return fault_of_place(contact, {widen<Real>(path.origin()), apart, off(here), off(there),
                                  other_radius, allowed_of(contact, path, other), "axis", "axes"});
}

std::optional<std::string> fault_of_geometry(const Contact& contact, const HullPath& path,
                                             const HullPath& other, Real other_radius) {
  const RealVec shift = widen<Real>(other.origin()) - widen<Real>(path.origin());
  const Corners here = path.at(contact.place_time());
  Corners there = other.at(contact.place_time());
  for (RealVec& corner : there.at) corner = corner + shift;
  const auto off = [](const Corners& corners) {
    return [corners](const RealVec& p) { return separation({{p}, 1}, corners, 0.0L).apart.upper; };
  };
  const Separation apart = separation(here, there, 0.0L).apart;
  return fault_of_place(contact,
                        {widen<Real>(path.origin()), apart, off(here), off(there), other_radius,
                         allowed_of(contact, path, other), "feature", "features"});
}

}  // namespace tocsin::oracle
