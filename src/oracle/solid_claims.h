// Which points lie in closed objects, by solid angles: a second answer to the question that the
// engine answers by crossings of a ray. docs/exact.md, "Solids"; docs/oracle.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/number.h"
#include "tocsin/environment.h"

namespace tocsin::oracle {

/// What the oracle says of a point and an object.
enum class Place : std::uint8_t {
  kOutside,
  kInside,
  kUnclear,  ///< too near to the surface for the sums
};

/// The closed objects of an environment that are not called surfaces.
class SolidClaims {
 public:
  /// `surfaces`: as DetectorOptions::surfaces.
  SolidClaims(const Environment& environment, std::span<const std::string> surfaces);

  /// Where a point is, world, metres. An object that is no solid has no inside.
  [[nodiscard]] Place place(std::uint32_t object, const RealVec& p) const;

 private:
  using Corners = std::array<RealVec, 3>;
  /// The shells that count, of one object.
  struct Solid {
    std::vector<Corners> triangles;
    RealVec least;
    RealVec most;
  };
  static Solid solid_of(const Environment& environment, const Object& object);
  static Real winding(std::span<const Corners> triangles, const RealVec& p);

  std::vector<Solid> solids_;  ///< per object; without triangles: it is none
};

}  // namespace tocsin::oracle
