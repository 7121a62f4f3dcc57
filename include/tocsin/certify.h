// certify: what is proved about one link and one triangle, or about two links, over one step. The
// primitive below Detector, for programs that cull by themselves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

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
  double margin = 0.0;      ///< grows every link's radius, metres, 0 to 1e6
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

}  // namespace tocsin
