// The rigid motion in an affine map.
#pragma once

#include <optional>

#include "io/import/affine.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// The rotation nearest to the map's linear part (of its polar decomposition M = R S: whatever
/// stretches S, R turns as the whole does), and the map's translation, exactly. Nothing if the map
/// mirrors, flattens (one of its three stretches is less than about 1e-6 of the others) or is not
/// finite. N. J. Higham, "Computing the polar decomposition", SIAM J. Sci. Stat. Comput. 7 (1986).
std::optional<Transform> rigid_part(const Affine& map);

/// The lengths of the images of the three unit vectors.
Vec3 stretches(const Affine& map);

/// T R S: scaled, then turned (unit quaternion), then moved.
Affine compose(const Vec3& translation, const Quat& rotation, const Vec3& scale);

/// The transform of a child in its parent's frame, both given in the world.
Transform relative(const Transform& parent, const Transform& child);

/// Between two rotations (unit quaternions), at constant speed the short way; u from 0 to 1.
Quat slerp(const Quat& from, const Quat& to, double u);

}  // namespace tocsin::io
