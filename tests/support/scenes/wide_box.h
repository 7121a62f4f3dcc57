// Whether a box holds another that was computed in double precision, decided exactly.
#pragma once

#include "core/bounds/box.h"
#include "core/query/link_pair.h"

namespace tocsin::test {

/// In the world, exactly: `inner` is relative to ref.
inline bool holds(const core::Box& outer, const core::detail::WideBox& inner, const Vec3& ref) {
  const auto at_most = [](double x, long double y) { return x <= y; };
  const auto at_least = [](double x, long double y) { return x >= y; };
  const auto world = [](double x, double y) -> long double {
    return static_cast<long double>(x) + static_cast<long double>(y);
  };
  return at_most(outer.lo.x, world(ref.x, inner.lo.x)) &&
         at_most(outer.lo.y, world(ref.y, inner.lo.y)) &&
         at_most(outer.lo.z, world(ref.z, inner.lo.z)) &&
         at_least(outer.hi.x, world(ref.x, inner.hi.x)) &&
         at_least(outer.hi.y, world(ref.y, inner.hi.y)) &&
         at_least(outer.hi.z, world(ref.z, inner.hi.z));
}

/// True if `inner` lies in `outer`.
inline bool holds(const core::Box& outer, const core::Box& inner) {
  return join(outer, inner).lo == outer.lo && join(outer, inner).hi == outer.hi;
}

}  // namespace tocsin::test
