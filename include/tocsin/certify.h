// certify: what is proved about one link and one triangle, about two links, or about two hulls of
// any shapes, over one step. The primitive below Detector, for programs that cull by themselves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/contact.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

/// A link of an avatar along a step.
struct MovingLink {
  Avatar avatar;
  Step step;
  std::int32_t link = 0;  ///< index into the avatar's links
};

struct CertifyOptions {
  double margin = 0.0;      ///< grows every link's and hull's radius, metres, 0 to 1e6
  double tolerance = 1e-9;  ///< wanted width of a toc bracket, step time, above 0, at most 1
};

/// What is proved about a link and a triangle that stands still, by directed conservative
/// advancement (docs/exact.md, "Directed advancement"; paper 004, section 6). `triangle`: its
/// corners in the world, metres, each coordinate at most 1e6; it has two sides and no thickness.
///
/// None: the link is free during the whole step. Else the contact, with RoomTriangle{0, 0}: bit for
/// bit that of a Detector whose environment is this triangle, on every machine. Errors: kInput: a
/// step of another skeleton; kUsage: a link that there is not, options or corners out of range.
Result<std::optional<Contact>> certify(const MovingLink& moving,
                                       const std::array<Vec3f, 3>& triangle,
                                       const CertifyOptions& options = {});

/// The same of two links, both moving: local times of their steps are the same time (docs/exact.md,
/// "Two links"). The contact is that of `moving`, with OtherLink{1, other.link}. It is, bit for
/// bit, that of Detector::check_batch of the two avatars.
Result<std::optional<Contact>> certify(const MovingLink& moving, const MovingLink& other,
                                       const CertifyOptions& options = {});

/// All points within `radius` of the hull of one, two or three points that are fixed to a joint: a
/// ball, a capsule, a triangle of a mesh (radius 0: a surface without thickness).
struct MovingHull {
  Step step;
  std::int32_t joint = 0;     ///< index into the step's skeleton
  std::vector<Vec3> corners;  ///< joint frame, metres, each coordinate at most 1e6
  double radius = 0.0;        ///< metres, 0 to 1e6
};

/// Where and when two hulls first touch in a step.
struct HullContact {
  ContactStatus status = ContactStatus::kHit;
  std::array<double, 2> toc{};  ///< bracket of the time of collision, step-local, 0 to 1
  /// As Contact::touching.
  std::optional<std::array<double, 2>> touching;
  /// On the other hull, without its radius, nearest to the first at the start of the touch's own
  /// bracket; world, metres.
  Vec3 point;
  /// Unit vector from `point` to the first hull; none where both meet.
  std::optional<Vec3> normal;
  bool limited = false;  ///< an iteration limit was reached: kGraze is only what was proved so far

  friend bool operator==(const HullContact&, const HullContact&) = default;
};

/// What is proved about two hulls, both moving: local times of their steps are the same time
/// (docs/exact.md, "Two hulls"). The margin grows both radii. Hulls whose radii sum up to less than
/// the rounding margin touch where an edge of one surely pierces the other's triangle.
/// Hulls on one skeleton whose steps are the same are compared without the joints that they share.
///
/// None: they are free during the whole step. Errors: kInput: a step without joints; kUsage: a
/// joint that there is not, not one to three corners, corners or options out of range.
Result<std::optional<HullContact>> certify(const MovingHull& moving, const MovingHull& other,
                                           const CertifyOptions& options = {});

}  // namespace tocsin
