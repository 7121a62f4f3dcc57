// Checks the point and the normal of a reported contact.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "oracle/hulls/prove_hulls.h"
#include "oracle/link_path.h"
#include "tocsin/contact.h"

namespace tocsin::oracle {

/// The fault of contact.point and contact.normal, given the contact's link and triangle: the point
/// must lie on the triangle and be nearest to the axis at place_time(), and the normal point from
/// it to the axis. Point and normal are for people and not certified, so they may be off by 1e-9 m
/// per metre of the coordinates involved. None: both are right.
std::optional<std::string> fault_of_geometry(const Contact& contact, const LinkPath& path,
                                             const std::array<Vec3f, 3>& corners);

/// The same of two links. At place_time() the line from the point against the normal must lead by
/// other_radius, margin included, to the other's axis, and along the normal to this one's, and the
/// axes must be nearest to each other there; without a normal the point must lie on both axes.
std::optional<std::string> fault_of_geometry(const Contact& contact, const LinkPath& path,
                                             const LinkPath& other, Real other_radius);

/// The same of two features, of which `other` may be a triangle of the room: at place_time() they
/// must be nearest to each other there, as above. Without a normal the point must lie on both.
std::optional<std::string> fault_of_geometry(const Contact& contact, const HullPath& path,
                                             const HullPath& other, Real other_radius);

}  // namespace tocsin::oracle
