// Rigid transforms after each other. Rotations are not normalised: products of units drift by some
// 1e-16 each.
#pragma once

#include "core/vector/hd.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {

/// First `inner`, then `outer`: the place in the world of what is at `inner` in a frame at `outer`.
TOCSIN_HD inline Transform compose(const Transform& outer, const Transform& inner) {
  return {outer.rotation * inner.rotation,
          rotate(outer.rotation, inner.translation) + outer.translation};
}

/// `at`, seen from a frame at `from`: compose(from, seen_from(from, at)) is `at`, up to rounding.
TOCSIN_HD inline Transform seen_from(const Transform& from, const Transform& at) {
  const Quat back = conjugate(from.rotation);
  return {back * at.rotation, rotate(back, at.translation - from.translation)};
}

}  // namespace tocsin::core
